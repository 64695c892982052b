# SPDX-License-Identifier: GPL-3.0-or-later
# How tests compile and start programs with several processes: with an MPI library, or simulated by SimGrid's SMPI.
. "$CLL_SOURCE/tests/harness/lib.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
export OMPI_CC=${CC:-gcc} MPICH_CC=${CC:-gcc} TMPDIR=/tmp
# Open MPI 4 removes its folder in TMPDIR when it is empty, and a program that starts at that moment fails. A file keeps it.
sessions=/tmp/ompi.$(uname -n | cut -d. -f1).$(id -u)
mkdir -p "$sessions" 2>/dev/null && : >"$sessions/kept-by-tests-of-cll"

# mpi_library FLAVOUR [LIBRARY]: sets flavour, mpicc and launcher. LIBRARY (cll_mpi) must have been built for it.
mpi_library() {
    flavour=$1
    [ -e "$CLL_BUILD/lib/lib${2:-cll_mpi}_$1.a" ] || skip "no $1 was found when this was built"
    mpicc=mpicc
    if command -v "mpicc.$1" >/dev/null; then
        mpicc=mpicc.$1
    elif ! "$mpicc" -show 2>/dev/null | grep -q "$1" && [ "$(ls "$CLL_BUILD"/lib/libcll_mpi_[om]*.a | wc -l)" != 1 ]; then
        skip "no mpicc of $1" # where one MPI library is installed, mpicc is its
    fi
    launcher=mpirun
    command -v "mpirun.$1" >/dev/null && launcher=mpirun.$1
    command -v "$launcher" >/dev/null || skip "no mpirun of $1"
    [ "$1" != openmpi ] || launcher="$launcher --oversubscribe --bind-to none"
}

# run N PROGRAM...: with N processes, for at most $limit seconds; out, err. runs: it must end with 0
limit=300
run() {
    local n=$1
    shift
    # shellcheck disable=SC2086
    timeout -k 5 "$limit" $launcher -n "$n" "$@" >out 2>err </dev/null
}
runs() { run "$@" || fail "'$*' failed, or took more than $limit s"; }

# Simulated programs. smpirun exits with 0 also after a deadlock or MPI_Abort: the line $proof in their output shows that
# they came to their end.
platforms=$CLL_SOURCE/examples/platforms
platform=$platforms/fast.xml
proof=done

# need_simulator [LIBRARY]: LIBRARY (cll_mpi) must have been built for SimGrid
need_simulator() {
    [ -e "$CLL_BUILD/lib/lib${1:-cll_mpi}_smpi.a" ] || skip "no smpicc was found when this was built"
    need smpicc
    need smpirun
}
# simulate N [OPTIONS] PROGRAM...: on N hosts; out, err. The options make costs affine and results exact.
simulate() {
    local n=$1
    shift
    timeout 300 smpirun -quiet -np "$n" -platform "$platform" --log=root.thresh:warning --cfg=network/model:CM02 \
        --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e15 --cfg=smpi/wtime:0 \
        --cfg=smpi/simulate-computation:no --cfg=smpi/send-is-detached-thresh:0 --cfg=smpi/barrier:ompi_bruck \
        --cfg=smpi/allreduce:rdb --cfg=smpi/bcast:binomial_tree "$@" >out 2>err </dev/null
}
simulates() { simulate "$@" && grep -qx -- "$proof" out || fail "'$*' did not come to its end"; }
