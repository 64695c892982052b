# SPDX-License-Identifier: GPL-3.0-or-later
# libpub in programs that SimGrid's SMPI simulates. The simulator exits with 0 also after a deadlock or MPI_Abort: a
# line of output is the proof. A test is a function.
. "$CLL_SOURCE/tests/pub/lib.sh"

# simulates N NAME ARGUMENTS...
simulates() {
    local n=$1 name=$2
    shift 2
    [ -e "$CLL_BUILD/lib/libpub_smpi.a" ] || skip "no smpicc was found when this was built"
    command -v smpirun >/dev/null || skip "smpirun is not installed"
    timeout 100 smpirun -quiet -np "$n" -platform "$CLL_SOURCE/examples/platforms/fast.xml" --log=root.thresh:warning \
        --cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/TCP-gamma:1e15 --cfg=smpi/wtime:0 \
        --cfg=smpi/simulate-computation:no --cfg=smpi/send-is-detached-thresh:0 \
        "$CLL_BUILD/tests/pub/$name.smpi" "$@" >out 2>err </dev/null || { cat out err >&2; fail "'$name $*'"; }
    grep -qx passed out || { cat out err >&2; fail "'$name $*' did not come to its end"; }
}

all_calls_simulated() {
    for program in objects messages remote collectives; do
        simulates 3 $program 3
    done
    for p in 1 5; do
        simulates $p beside own kept
        simulates $p beside lib kept
    done
}

sixty_four_simulated_processors_and_more() {
    simulates 64 collectives 64 ready_operations
    simulates 64 random 64 41 30
    simulates 70 random 70 46 20
}

random_traffic_simulated() {
    simulates 4 random 4 42 200
    simulates 13 random 13 43 100
    PUB_CHECK=1 simulates 5 random 5 44 100
}

simulated_times_repeat() {
    for i in 1 2; do
        PUB_TRACE=trace simulates 6 random 6 45 60
        mv trace trace.$i
    done
    cmp trace.1 trace.2 || fail "the traces differ"
    [ "$(grep -c . trace.1)" -gt 300 ] || fail "few rows"
}

main "$1"
