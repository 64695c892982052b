# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of parallel programs share.
. "$CLL_SOURCE/tests/cll/common.sh"
call=$CLL_BIN/call llac=$CLL_BIN/llac
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
export OMPI_CC=${CC:-gcc} MPICH_CC=${CC:-gcc} TMPDIR=/tmp

# wrapper FLAVOUR: the wrapper, which must be there and have its piece of the run-time
wrapper() {
    [ -e "$CLL_BUILD/lib/libcll_mpi_$1.a" ] || skip "no $1 was found when this was built"
    for mpicc in "mpicc.$1" mpicc; do
        command -v "$mpicc" >/dev/null || continue
        "$mpicc" -show 2>/dev/null | grep -q "$1" && return
    done
    skip "no mpicc of $1"
}

# build NAME [FLAGS]: an Open MPI program of this folder
build() {
    local name=$1
    shift
    wrapper openmpi
    launcher="mpirun --oversubscribe --bind-to none"
    command -v mpirun.openmpi >/dev/null && launcher="mpirun.openmpi --oversubscribe --bind-to none"
    command -v "${launcher%% *}" >/dev/null || skip "no mpirun"
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" -O1 -Wall -Wextra -Werror $sanitize "$@" "$CLL_SOURCE/tests/parallel/$name.c" -o "$name" -lpthread ||
        fail "$name does not compile"
}

# run N PROGRAM...: with N processes; out, err
run() {
    local n=$1
    shift
    timeout -k 5 60 $launcher -n "$n" "$@" >out 2>err </dev/null
}
runs() { run "$@" || { cat out err >&2; fail "'$*' failed"; }; }
only() { is "$(ls ./*.dat ./*.spool 2>/dev/null | tr '\n' ' ')" "$1 " "files"; }
# processes_left: how many processes have left a file. A launcher that ends one between the naming of its data file and
# the removal of its spool leaves both.
processes_left() { ls ./*.spool ./*.dat 2>/dev/null | sed 's/\.[a-z]*$//' | sort -u | wc -l; }
# values FILE EXPERIMENT COLUMN: its different values, sorted
values() {
    awk -v e="$2" -v c="$3" '/^#/ {next} !k {for (i = 1; i <= NF; i++) if ($i == c) k = i; next} $1 == e {print $k}' "$1" |
        sort -nu | tr '\n' ' '
}

# Programs that SimGrid's SMPI simulates. It exits with 0 also after a deadlock or MPI_Abort: the last line of their output
# is the proof.
platforms=$CLL_SOURCE/examples/platforms
platform=$platforms/fast.xml
proof=done

need_simulator() {
    [ -e "$CLL_BUILD/lib/libcll_mpi_smpi.a" ] || skip "no smpicc was found when this was built"
    for program in smpicc smpirun; do
        command -v $program >/dev/null || skip "$program is not installed"
    done
}

# simulate N [OPTIONS] PROGRAM...: on N hosts; out, err. The options make costs affine and results exact.
simulate() {
    local n=$1
    shift
    timeout 100 smpirun -quiet -np "$n" -platform "$platform" --log=root.thresh:warning --cfg=network/model:CM02 \
        --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e15 --cfg=smpi/wtime:0 \
        --cfg=smpi/simulate-computation:no --cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/barrier:ompi_bruck \
        --cfg=smpi/allreduce:rdb --cfg=smpi/bcast:binomial_tree "$@" >out 2>err </dev/null
}
simulates() {
    simulate "$@" && grep -qx "$proof" out || { cat out err >&2; fail "'$*' did not come to its end"; }
}
