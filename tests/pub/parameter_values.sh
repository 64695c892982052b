# SPDX-License-Identifier: GPL-3.0-or-later
# What bsp_parameter says, and that nothing else notices. A test is a function.
. "$CLL_SOURCE/tests/pub/parameter_setup.sh"

values_are_possible_and_the_same_everywhere() {
    build_probe
    for n in 1 2 4; do
        probes $n plain
        is "$(awk 'NR == 1 {print $7}' out)" $n "processors"
        is "$(awk 'NR == 1 {print $8}' out)" "$([ $n -gt "$(nproc)" ] && echo 1 || echo 0)" "oversubscribed with $n"
        is "$(wc -c <err)" 0 "words on stderr"
    done
}

second_call_costs_no_communication() {
    build_probe
    probes 3 again
    PUB_CHECK=1 probes 2 again
}

groups_have_parameters_of_their_own() {
    build_probe
    probes 3 groups
}

superstep_of_the_program_is_not_disturbed() {
    build_probe
    probes 2 undisturbed
    PUB_CHECK=1 PUB_TRACE=trace probes 1 undisturbed
    # three ends of supersteps are the program's, and nothing else is in the trace
    is "$(grep -v '^#' trace | awk 'NR > 1 {print $2, $5, $6}' | tr '\n' ',')" \
        "m 1 sync,m 2 sync,m 3 oblsync," "rows of the trace"
}

wrong_calls_end_with_a_message() {
    build_probe
    ! run 2 ./probe null_pointer || fail "a null pointer was taken"
    has err '^pub: bsp_parameter: processor 0 of 2, superstep 1: the pointer to the parameters is null'
    ! run 2 ./probe one_stays_away || fail "one processor did not call it"
    has err '^pub: bsp_parameter: processor 1 of 2.*processor 0 has called bsplib_done'
    ! PUB_CHECK=1 run 3 ./probe one_stays_away || fail "one processor did not call it"
    has err '^pub: bsp_parameter: processor [12] of 3, superstep 1: processor 0 has called bsplib_done'
}

main "$1"
