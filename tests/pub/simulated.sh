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

main "$1"
