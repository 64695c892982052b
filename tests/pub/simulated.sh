# SPDX-License-Identifier: GPL-3.0-or-later
# libpub in programs that SimGrid's SMPI simulates. A test is a function.
. "$CLL_SOURCE/tests/pub/setup.sh"

proof=passed

# simulates_program N NAME ARGUMENTS...: a program of this folder
simulates_program() {
    local n=$1 name=$2
    shift 2
    need_simulator pub
    simulates "$n" "$CLL_BUILD/tests/pub/$name.smpi" "$@"
}

all_calls_simulated() {
    for program in objects messages remote collectives; do
        simulates_program 3 $program 3
    done
    for p in 1 5; do
        simulates_program $p beside own kept
        simulates_program $p beside lib kept
    done
}

sixty_four_simulated_processors_and_more() {
    simulates_program 64 collectives 64 ready_operations
    simulates_program 64 random 64 41 30
    simulates_program 70 random 70 46 20
}

random_traffic_simulated() {
    simulates_program 4 random 4 42 200
    simulates_program 13 random 13 43 100
    PUB_CHECK=1 simulates_program 5 random 5 44 100
}

simulated_times_repeat() {
    for i in 1 2; do
        PUB_TRACE=trace simulates_program 6 random 6 45 60
        mv trace trace.$i
    done
    cmp trace.1 trace.2 || fail "the traces differ"
    [ "$(grep -c . trace.1)" -gt 300 ] || fail "few rows"
}

# SimGrid adds the measured time of a computation when the program calls MPI: the trace must not show it as waiting.
measured_computation_is_work() {
    need_simulator pub
    PUB_TRACE=t simulates 2 --cfg=smpi/simulate-computation:yes --cfg=smpi/host-speed:10Gf --cfg=smpi/cpu-threshold:0 \
        "$CLL_BUILD/tests/pub/traced.smpi" computing
    # columns: process object pid nprocs step kind work calls wait
    awk '$1 == 1 && $5 == 1 {exit !($7 >= 4.5e7 && $9 < 0.5 * $7)}' t || fail "work of processor 1: $(cat t)"
    awk '$1 == 0 && $5 == 1 {exit !($7 < 2e7 && $9 >= 2.5e7)}' t || fail "waiting of processor 0: $(cat t)"
    awk '$1 == 0 && $5 == 2 {exit !($7 >= 1.9e7 && $8 < 0.1 * $7)}' t || fail "bsp_time of processor 0: $(cat t)"
    awk '$1 ~ /^[01]$/ {sum[$1] += $7 + $8 + $9 + $10; if (sum[$1] != $16) exit 1}' t || fail "sums: $(cat t)"
}

main "$1"
