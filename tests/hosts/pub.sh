# SPDX-License-Identifier: GPL-3.0-or-later
# PUB programs on several hosts. A test is a function.
. "$CLL_SOURCE/tests/hosts/setup.sh"

pub_program_makes_one_file_and_one_trace() {
    build pub_modes parallel
    hosts one two
    PUB_TRACE=run.trace across one:2,two:2 "$PWD/pub_modes" groups 3 || fail "it failed"
    quiet err
    fetch one
    fetch two
    is "$(ls one | tr '\n' ' ')" "pub_modes.cll.0.dat run.trace " "files on the first host"
    is "$(ls two)" "" "files on the other"
    well_formed one/pub_modes.cll.0.dat
    is "$(header one/pub_modes.cll.0.dat rank | sort | tr '\n' ' ')" "0 one 1 one 2 two 3 two " "hosts of the ranks"
    is "$(header one/pub_modes.cll.0.dat hosts) $(header one/pub_modes.cll.0.dat ranks-per-host)" "2 2 2" hosts
    is "$(awk '/^[0-9]/ {print $1}' one/run.trace | sort -u | tr '\n' ' ')" "0 1 2 3 " "processes in the trace"
    # A folder that only the first host has: a trace needs one on all hosts, the data file does not.
    on one mkdir there
    PUB_TRACE=there/run.trace across one:2,two:1 "$PWD/pub_modes" plain 2 || fail "no trace, and the program fails"
    has err '^pub: trace: there/run.trace.2.part: No such file or directory (process 2 on host two); there is no trace$'
    gone one/there/run.trace
    on one rm -rf there
    CLL_OUT=there/data.dat options="-x CLL_OUT" across one:2,two:1 "$PWD/pub_modes" plain 2 || true
    has err "^cll: .*$PWD/own/there/data.*No such file or directory"
}

pub_program_loses_a_host() {
    build pub_modes parallel
    hosts one two
    across one:2,two:1 "$PWD/pub_modes" one_is_killed 4 && fail "no exit status"
    fetch one
    exits 0 "$llac" -e 'save all.dat' one/*.spool
    is "$(rows all.dat f)" 8 "rows of the first host"
    has_text err 'rank 2 on host two'
}

pub_check_names_a_host_that_does_not_answer() {
    cat >loop.c <<'END'
#include <pub.h>
#include <stdio.h>
/* Supersteps without end. */
int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    for (int i = 0;; i++) {
        bsp_sync(&bsp);
        if (i == 10 && argc > 1 && bsp_pid(&bsp) == 0)
            fclose(fopen(argv[1], "w"));
    }
}
END
    mpi_library openmpi
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" -O1 $sanitize loop.c -o loop || fail "it does not compile"
    hosts one two
    options="-x PUB_CHECK -x PUB_CHECK_SECONDS --mca oob_tcp_keepalive_time 3 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 2"
    PUB_CHECK=1 PUB_CHECK_SECONDS=0.02 across one:2,two:1 "$PWD/loop" "$PWD/ready" &
    run=$!
    appears ready
    unplug two
    wait $run && fail "no exit status"
    has err '^pub: bsp_sync: processor [01] of 3, superstep .*: has waited [0-9]* s for .*; processes that have not answered: 2 on two$'
}

main "$1"
