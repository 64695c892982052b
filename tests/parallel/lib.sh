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
    timeout 60 $launcher -n "$n" "$@" >out 2>err </dev/null
}
runs() { run "$@" || { cat out err >&2; fail "'$*' failed"; }; }
only() { is "$(ls ./*.dat ./*.spool 2>/dev/null | tr '\n' ' ')" "$1 " "files"; }
# values FILE EXPERIMENT COLUMN: its different values, sorted
values() {
    awk -v e="$2" -v c="$3" '/^#/ {next} !k {for (i = 1; i <= NF; i++) if ($i == c) k = i; next} $1 == e {print $k}' "$1" |
        sort -nu | tr '\n' ' '
}
