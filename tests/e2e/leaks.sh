# SPDX-License-Identifier: GPL-3.0-or-later
# What is allocated is freed. Few processes, because LeakSanitizer takes seconds at the end of each; llac's commands have
# a unit test (tests/llac/every_command_test.c). Only with the address sanitizer. A test is a function.
. "$CLL_SOURCE/tests/cll/setup.sh"
. "$CLL_SOURCE/tests/pub/setup.sh"
export ASAN_OPTIONS=detect_leaks=1 LSAN_OPTIONS=suppressions=$CLL_SOURCE/tests/harness/lsan.supp

# no_leaks FILE: nothing was found
no_leaks() { lacks "$1" LeakSanitizer; }

call_frees_its_memory() {
    "$call" --raw --check "$CLL_SOURCE"/tests/translate/golden/*.c >out 2>err
    is $? 1 "exit status"
    no_leaks err
    "$call" --raw -o translated.c "$CLL_SOURCE/tests/translate/golden/parallel_pub.c" >out 2>err
    is $? 0 "exit status"
    no_leaks err
}

run_time_frees_its_memory() {
    sample threads 1000 || fail "exit status $?"
    no_leaks err
    sample nested 1000 || fail "exit status $?"
    no_leaks err
}

# MPI libraries unload parts of themselves before the end: nothing says then whose memory that was. So the leaks that
# count here are those with a function of libpub or of the test in their stack, and the stacks are complete.
libpub_frees_its_memory() {
    mpi_library openmpi pub
    export ASAN_OPTIONS=detect_leaks=1:fast_unwind_on_malloc=0:malloc_context_size=30 LSAN_OPTIONS=$LSAN_OPTIONS:exitcode=0
    local name limit=300 # LeakSanitizer takes its time
    for name in objects messages remote collectives; do
        passes 2 "$name" 2
        lacks err '/src/pub/'
        lacks err '/tests/pub/'
    done
}

main "$1"
