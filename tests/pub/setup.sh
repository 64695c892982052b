# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the tests of libpub.
. "$CLL_SOURCE/tests/harness/mpi.sh"
export OMPI_MCA_mpi_yield_when_idle=1
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 # MPI libraries do leak

# run_program N NAME ARGUMENTS...: a program of this folder with N processes, under $under; out, err
under=
run_program() {
    local n=$1 name=$2
    shift 2
    # shellcheck disable=SC2086
    run "$n" $under "$CLL_BUILD/tests/pub/$name.$flavour" "$@"
}
# passes N NAME ARGUMENTS...: it comes to its end, and libpub prints nothing on stderr
passes() {
    run_program "$@" || fail "'$*' failed, or took more than $limit s"
    grep -qx passed out || fail "'$*' did not come to its end"
    lacks err '^pub:'
}
