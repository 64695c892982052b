# SPDX-License-Identifier: GPL-3.0-or-later
# Random traffic against a model of the semantics, and a lot of it. A test is a function.
. "$CLL_SOURCE/tests/pub/setup.sh"

# traffic LENGTH P SEED...: the number of supersteps is about 1.4 times the length
traffic() {
    local length=$1 p=$2
    shift 2
    mpi_library openmpi pub
    for seed in "$@"; do
        passes "$p" random "$p" "$seed" "$length"
    done
}

random_traffic_of_one_and_two() {
    traffic 1000 1 1
    traffic 1200 2 2 3
}

random_traffic_of_three_and_four() {
    traffic 1000 3 4
    traffic 1000 4 5
}

random_traffic_of_eight_and_nine() {
    traffic 400 8 6
    traffic 400 9 7
}

random_traffic_with_checks() {
    export PUB_CHECK=1
    traffic 300 2 8
    traffic 300 4 9
    traffic 150 9 10
}

# Processor 0 always asks whether all wait: no answer makes it stop a program that goes on.
random_traffic_among_questions() {
    export PUB_CHECK_SECONDS=1e-6
    traffic 300 2 21
    traffic 300 4 22
    PUB_BUFFER=1 traffic 200 3 23
}

random_traffic_with_small_buffers() {
    export PUB_BUFFER=1
    traffic 300 3 12
}

# all far messages of oblivious supersteps in small pieces, some of them on shelves, and none
random_traffic_in_pieces() {
    PUB_PIECES=16384 traffic 300 3 13
    PUB_PIECES=4096 traffic 300 3 13
    PUB_PIECES=128 traffic 300 3 13
    PUB_PIECES=0 traffic 300 3 13
}

# Neither the sender nor the receiver waits for the other; without shared memory, messages arrive all the same.
large_messages_on_shelves() {
    mpi_library openmpi pub
    PUB_PIECES=1024 passes 2 shelves ahead
    PUB_PIECES=1024 passes 2 shelves refused
}

# much_traffic LENGTH P...: also with the checks, with small buffers, and in pieces
much_traffic() {
    local length=$1
    shift
    for p in "$@"; do
        traffic "$length" "$p" $((100 + p)) $((200 + p)) $((300 + p))
        PUB_CHECK=1 traffic $((length / 4)) "$p" $((400 + p))
        PUB_BUFFER=1 traffic $((length / 4)) "$p" $((500 + p))
        PUB_PIECES=4096 traffic $((length / 4)) "$p" $((600 + p))
    done
}

more_random_traffic_of_few() {
    much_traffic 4000 1 2 3 4 5
}

more_random_traffic_of_many() {
    much_traffic 1600 7 8 9 12
}

order_of_messages_is_that_of_every_run() {
    mpi_library openmpi pub
    passes 4 random 4 21 300
    cp out first
    for i in 1 2; do
        passes 4 random 4 21 300
        is "$(cat out)" "$(cat first)" "run $i"
    done
}

a_hundred_thousand_supersteps() {
    mpi_library openmpi pub
    passes 1 endurance 1 a_hundred_thousand_supersteps
    passes 2 endurance 2 a_hundred_thousand_supersteps
}

a_gigabyte_in_total() {
    mpi_library openmpi pub
    passes 2 endurance 2 a_gigabyte_in_total
}

messages_above_a_gigabyte() {
    mpi_library openmpi pub
    [ "$(awk '/MemAvailable/ {print $2}' /proc/meminfo)" -gt 5000000 ] || skip "less than 5 GB of memory"
    passes 2 endurance 2 one_message_above_a_gigabyte
    passes 1 endurance 1 one_message_above_a_gigabyte
}

processors_far_ahead() {
    mpi_library openmpi pub
    for p in 2 4; do
        passes $p endurance $p a_thousand_supersteps_ahead
        passes $p endurance $p waiting_on_one_object_serves_the_other
    done
}

full_buffers() {
    mpi_library openmpi pub
    export PUB_BUFFER=1
    for p in 2 4; do
        passes $p endurance $p full_buffers_keep_packets_whole
    done
    passes 3 endurance 3 a_thousand_supersteps_ahead
}

memcheck_is_silent() {
    mpi_library openmpi pub
    [ -z "$sanitize" ] || skip "sanitized programs do not run under valgrind"
    need valgrind
    known=/usr/share/openmpi/openmpi-valgrind.supp
    under="valgrind -q --leak-check=full --log-file=$PWD/log.%p"
    [ ! -e $known ] || under="$under --suppressions=$known"
    for program in "random 2 31 150" "remote 2" "collectives 2"; do
        rm -f log.*
        # shellcheck disable=SC2086
        set -- $program
        if [ "$1" = random ]; then passes 2 "$@"; else passes 2 "$1" 2; fi
        is "$(ls log.* | wc -l)" 2 "logs of valgrind"
        # What is said of MPI's own doings has no call of ours in it.
        ! grep -E ' (by|at) .*: pub_' log.* | grep -v pub_bsplib_ >&2 || { cat log.* >&2; fail "$program"; }
    done
}

main "$1"
