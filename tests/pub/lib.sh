# SPDX-License-Identifier: GPL-3.0-or-later
# What the tests of libpub share. A test is a function of the script, named by the first argument.
. "$CLL_SOURCE/tests/cll/common.sh"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_btl_base_warn_component_unused=0
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_CC=${CC:-gcc} TMPDIR=/tmp
export ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 # MPI libraries do leak
unset PUB_CHECK PUB_CHECK_SECONDS PUB_TRACE PUB_PARAMETER PUB_BUFFER

# flavour NAME: the programs of this MPI library; sets launcher and mpicc
flavour() {
    flavour=$1
    [ -e "$CLL_BUILD/lib/libpub_$1.a" ] || skip "no $1 was found when this was built"
    case $1 in
    openmpi) launcher="mpirun --oversubscribe --bind-to none" ;;
    mpich) launcher="mpirun" ;;
    esac
    mpicc=mpicc
    command -v "mpicc.$1" >/dev/null && mpicc=mpicc.$1
    command -v "mpirun.$1" >/dev/null && launcher="mpirun.$1${launcher#mpirun}"
    command -v "${launcher%% *}" >/dev/null || skip "no mpirun of $1"
}

# run N NAME ARGUMENTS...: a program of this folder with N processes; out, err
run() {
    local n=$1 name=$2
    shift 2
    # shellcheck disable=SC2086
    timeout -k 5 ${limit:-60} $launcher -n "$n" $under "$CLL_BUILD/tests/pub/$name.$flavour" "$@" >out 2>err </dev/null
}
under=

# passes N NAME ARGUMENTS...: it comes to its end, and libpub says nothing
passes() {
    run "$@" || { cat out err >&2; fail "'$*' failed"; }
    grep -qx passed out || { cat out err >&2; fail "'$*' did not come to its end"; }
    ! grep -q '^pub:' err || { cat err >&2; fail "'$*': something was said"; }
}
