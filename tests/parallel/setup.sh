# SPDX-License-Identifier: GPL-3.0-or-later
# The programs of the tests of parallel programs.
. "$CLL_SOURCE/tests/harness/mpi.sh"

# build NAME [FLAGS]: an Open MPI program of this folder; build_for FLAVOUR NAME [FLAGS]: one for that MPI library
build() { build_for openmpi "$@"; }
build_for() {
    mpi_library "$1"
    local name=$2
    shift 2
    # shellcheck disable=SC2086
    shared "$name" "$call" cc "$mpicc" -O1 -Wall -Wextra -Werror $sanitize "$@" "$CLL_SOURCE/tests/parallel/$name.c" -o "$name" \
        -lpthread || fail "$name does not compile"
}
# waits PLACE N MISSING: err names the process that has not arrived. late PLACE N MISSING PROGRAM...: it does after one of six
# runs with three processes, with ever longer delays: where others compute, processes may come late that the program does
# not delay.
waits_text() { echo "cll: $1: process [0-9]* has waited for [0-9.]* s; 1 of $2 processes has not arrived: $3; the others wait"; }
waits() { has err "$(waits_text "$@")"; }
late() {
    local text
    text=$(waits_text "$1" "$2" "$3")
    shift 3
    for LATE in 1 2 4 8 16 32; do
        rm -f ./*.dat
        export LATE
        runs 3 "$@"
        ! grep -q "$text" err || return 0
    done
    has err "$text"
}
# only FILE: the one data file or spool
only() { is "$(ls ./*.dat ./*.spool 2>/dev/null | tr '\n' ' ')" "$1 " "files"; }
# two_processes_write_one_file: ./prog, an MPI program whose region is `work`
two_processes_write_one_file() {
    runs 2 ./prog
    only ./prog.cll.0.dat
    is "$(header prog.cll.0.dat world)" 2 world
    is "$(header prog.cll.0.dat driver)" MPI driver
    is "$(values prog.cll.0.dat work P)" '2 ' P
    is "$(values prog.cll.0.dat work rank)" '0 1 ' ranks
}
# processes_left: how many processes have left a file. A launcher that ends one between the naming of its data file and
# the removal of its spool leaves both.
processes_left() { ls ./*.spool ./*.dat 2>/dev/null | sed 's/\.[a-z]*$//' | sort -u | wc -l; }
