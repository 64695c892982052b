# SPDX-License-Identifier: GPL-3.0-or-later
# MPI programs on several hosts. A test is a function.
. "$CLL_SOURCE/tests/hosts/setup.sh"

# Open MPI notices within seconds, not minutes, that a host does not answer.
impatient="--mca oob_tcp_keepalive_time 1 --mca oob_tcp_keepalive_intvl 1 --mca oob_tcp_keepalive_probes 2"

three_hosts_make_one_file() {
    build modes parallel
    hosts one two three
    across one:2,two:1,three:1 "$PWD/modes" plain 4 || fail "it failed"
    empty out
    quiet err
    for host in one two three; do fetch $host; done
    is "$(ls one)" modes.cll.0.dat "files on the first host"
    is "$(ls two three | tr '\n' ' ')" "three:  two: " "files on the others"
    file=one/modes.cll.0.dat
    well_formed $file
    is "$(rows $file f)" 16 rows
    is "$(values $file f rank)" "0 1 2 3 " ranks
    is "$(header $file rank | sort | tr '\n' ' ')" "0 one 1 one 2 two 3 three " "hosts of the ranks"
    is "$(header $file hosts)" 3 hosts
    is "$(header $file ranks-per-host)" "1 2" "ranks of each"
    is "$(header $file cores-per-host)" "$(nproc) $(nproc)" "cores of each"
    is "$(header $file ranks)$(header $file folder)" "" "lines of one process"
    is "$(header $file note)" "" "a note about equal hosts"
    # A group of processes of other hosts than the first: its file is on the host of its first process.
    options="-x CLL_OUT"
    CLL_OUT=parts.dat across one:1,two:1,three:1 "$PWD/modes" groups 3 || fail "groups"
    fetch one
    is "$(values one/parts.dat half rank)" "0 1 2 " "ranks of groups"
    is "$(header one/parts.dat ranks-per-host)" "1 1" "one rank of each"
}

different_processors_are_noted() {
    build modes parallel
    hosts one two
    printf 'model name : Imaginary 3000\n' >cpuinfo
    nsenter -t "$(cat two.first)" -m -r mount --bind "$PWD/cpuinfo" /proc/cpuinfo || skip "no other processor"
    across one:1,two:2 "$PWD/modes" plain 2 || fail "it failed"
    fetch one
    is "$(header one/modes.cll.0.dat note | grep -c 'the hosts have different processors; one is ')" 2 "notes"
    is "$(header one/modes.cll.0.dat note | grep -c 'one is Imaginary 3000$')" 1 "note about the other one"
    exits 0 "$llac" -e show one/modes.cll.0.dat
    has_text out 'note: the hosts have different processors; one is Imaginary 3000'
}

mpich_programs_run_on_two_hosts() {
    mpi_library mpich
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" -O1 $sanitize "$CLL_SOURCE/tests/hosts/steps.c" -o steps || fail "it does not compile"
    hosts one two
    export UCX_TLS=tcp,self # it would find the shared memory of the machine
    # MPICH 4.0 with UCX sometimes waits forever in MPI_Finalize, in programs without CALL as well. The data file is complete then.
    # shellcheck disable=SC2086
    on one timeout 20 $launcher -launcher ssh -launcher-exec "$PWD/agent" -hosts one:2,two:1 -n 3 "$PWD/steps" end "$PWD/ready" \
        >out 2>err </dev/null || is $? 124 "exit status"
    fetch one
    file=one/steps.cll.0.dat
    is "$(rows $file step)" 15 rows
    is "$(header $file rank | sort | tr '\n' ' ')" "0 one 1 one 2 two " "hosts of the ranks"
    is "$(header $file hosts) $(header $file ranks-per-host)" "2 1 2" "ranks per host"
}

# spread MODE: steps on the hosts one and two; $run is its process
spread() {
    rm -f ready
    across one:2,two:1 "$PWD/steps" "$1" "$PWD/ready" &
    run=$!
    appears ready
}
# survives HOST: what the other host has measured is still there, and llac knows what is missing
survives() {
    fetch one
    is "$(ls one | tr '\n' ' ')" "steps.cll.0.spool steps.cll.1.spool " "files on the other host"
    exits 0 "$llac" -e 'save all.dat' one/*.spool
    is "$(rows all.dat step)" 10 "rows of the other host"
    has_text err "1 of the 3 processes of this run is missing: rank 2 on host $1. If it measured, the samples are in $PWD/own there"
}

killed_run_leaves_spools_on_all_hosts() {
    build steps
    hosts one two
    spread kill
    wait $run && fail "no exit status"
    survives two
    fetch two
    spool_text two/steps.cll.2.spool >text
    is "$(header text ranks | tr '\n' ' ')" "0-1 one 2 two " "hosts of the ranks"
    is "$(header text folder)" "$PWD/own" folder
    is "$(header text hosts) $(header text ranks-per-host) $(header text cores-per-host)" "2 1 2 $(nproc) $(nproc)" hosts
    exits 0 "$llac" -e 'save all.dat' one/*.spool two/*.spool
    empty err
    is "$(rows all.dat step)" 15 "rows of all"
    is "$(values all.dat step rank)" "0 1 2 " ranks
    exits 0 "$llac" -e 'load one/steps.cll.0.spool; merge two/steps.cll.2.spool' -e 'merge one/steps.cll.1.spool'
    has_text err '1 of the 3 processes of this run is missing: rank 1 on host one'
    is "$(grep -c missing err)" 2 "warnings"
    # ranks that alternate between the hosts
    on one sh -c 'rm -f ./*'
    rm -rf one ready
    options="--map-by node"
    across one:3,two:3 "$PWD/steps" kill "$PWD/ready" && fail "no exit status"
    fetch one
    spool_text one/steps.cll.0.spool >text
    is "$(header text ranks | tr '\n' ' ')" "0-4:2 one 1-5:2 two " "hosts of the ranks"
    exits 0 "$llac" -e list one/*.spool
    has_text err '3 of the 6 processes of this run are missing: ranks 1, 3, 5 on host two.'
}

host_dies() {
    build steps
    hosts one two
    for mode in wait sync late; do
        spread $mode
        die two
        wait $run && fail "$mode: no exit status"
        [ "$mode" = sync ] || survives two
        on one sh -c 'rm -f ./*'
        rm -rf one ./*.first
        stop_hosts
        hosts one two
    done
}

network_of_a_host_is_cut() {
    build steps
    hosts one two
    options="$impatient -x CLL_PATIENCE"
    CLL_PATIENCE=0.5 spread late
    unplug two
    wait $run && fail "no exit status"
    has_text err 'cll: rank 0 on host one: the end of the parallel part: process 0 has waited for '
    has_text err '1 of 3 processes has not arrived: 2 on two; the others wait until all arrive. If host two is down, end the program: the samples of each process are in its spool'
    survives two
}

clocks_of_hosts_may_differ() {
    cat >shift.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>
/* The time of day, a year later. */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    int (*real)(clockid_t, struct timespec *) = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int result = real(clock, now);
    if (clock == CLOCK_REALTIME)
        now->tv_sec += 31536000;
    return result;
}
time_t time(time_t *at)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return at ? *at = now.tv_sec : now.tv_sec;
}
END
    build steps hosts shift.c -ldl
    mv steps steps-two
    build steps
    cp steps steps-one
    printf '#!/bin/sh\nexec %s-$(hostname) "$@"\n' "$PWD/steps" >steps
    chmod +x steps
    hosts one two
    for clock in auto clock_gettime; do
        CLL_CLOCK=$clock options="-x CLL_CLOCK" across one:1,two:1 "$PWD/steps" end "$PWD/ready" || fail "it failed"
        empty out
        quiet err
        fetch one
        file=one/steps-one.cll.0.dat
        well_formed $file
        # the date is that of the writing process; nothing else is a time of day
        is "$(header $file date | cut -c 1-4)" "$(date -u +%Y)" "year"
        is "$(rows $file step)" 10 rows
        # shellcheck disable=SC2046
        set -- $(header $file process | cut -d . -f 3)
        [ $((0x$2 - 0x$1)) -gt 31000000 ] || fail "the clock of the other host was not shifted"
        awk '$1 == "step" && !($4 > 0 && $4 < 100 && $11 > 0 && $11 < 10) {exit 1}' $file || fail "times"
        exits 0 "$llac" -e 'show step' $file
        on one rm -f steps-one.cll.0.dat
    done
}

main "$1"
