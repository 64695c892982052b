# SPDX-License-Identifier: GPL-3.0-or-later
# The cost of a begin/end pair in MPI and OpenMP programs beside that in a sequential one, on one core and on two. An
# OpenMP program records P as a further variable: beside it stands a sequential one with as many (sequential2);
# openmp0 is outside of all teams. The kinds take turns, and the lowest of seven counts, so that a slow phase of the
# machine falls on all of them.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 CLL_OUT=/dev/null CLL_MEMORY=64M
source=$CLL_SOURCE/bench/parallel_pair.c
kinds="sequential sequential2 openmp0 openmp1 openmp2"
"$CLL_BIN/call" cc gcc -O2 -Wno-unknown-pragmas "$source" -o sequential
"$CLL_BIN/call" cc gcc -O2 -DSECOND -Wno-unknown-pragmas "$source" -o sequential2
"$CLL_BIN/call" cc gcc -O2 -fopenmp "$source" -o openmp
"$CLL_BIN/call" cc gcc -O2 -fopenmp -DOUTSIDE "$source" -o openmp0
if command -v mpicc mpirun >/dev/null && [ -n "$(ls "$CLL_BUILD"/lib/libcll_mpi_[om]*.a 2>/dev/null)" ]; then
    "$CLL_BIN/call" cc mpicc -O2 -DUSE_MPI -Wno-unknown-pragmas "$source" -o mpi
    kinds="$kinds mpi1 mpi2"
fi
once() {
    case $1 in
    sequential*) "./$1" ;;
    openmp0) OMP_NUM_THREADS=2 ./openmp0 ;;
    openmp*) OMP_NUM_THREADS=${1#openmp} ./openmp ;;
    mpi*) mpirun --oversubscribe -n "${1#mpi}" ./mpi ;;
    esac
}
for round in 1 2 3 4 5 6 7; do
    for kind in $kinds; do once "$kind" >>"$kind.ns" 2>"$kind.err" || { cat "$kind.err" >&2; exit 1; }; done
done
least() { sort -n "$1.ns" | head -n 1; }
for kind in $kinds; do
    echo "a pair in a program of kind $kind: $(least "$kind") ns"
done
ratio() { echo "pair $1 to $2 ratio $(echo "$(least "$1") $(least "$2")" | awk '{printf "%.2f", $1 / $2}')"; }
for kind in $kinds; do
    case $kind in
    openmp*) ratio "$kind" sequential2 ;;
    mpi*) ratio "$kind" sequential ;;
    esac
done
ratio sequential2 sequential
