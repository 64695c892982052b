# SPDX-License-Identifier: GPL-3.0-or-later
# Regions in signal handlers, which come at any instruction.
. "$CLL_SOURCE/tests/cll/setup.sh"

# step WHAT HOW [STRIDE]: every instruction of two regions is interrupted once, or every STRIDE-th; unless all tests run,
# a fifth of them
step() {
    local stride=${3:-1}
    [ "$thorough" = yes ] || stride=$((stride * 5))
    [ -z "$sanitize" ] || skip "a sanitizer's own instructions would be stepped through"
    ln -s "$tests/cll_step" step
    ./step "$1" "$2" $stride > out 2> err
    status=$?
    [ $status != 77 ] || skip "processes cannot be stepped here"
    cat err >&2
    is $status 0 "exit status"
    silent_err
}
silent_err() { [ ! -s err ] || fail "something was said on stderr"; }

handler_at_any_instruction() {
    step pair return
}
handler_in_a_handler_at_any_instruction() {
    step pair nested
}
siglongjmp_at_any_instruction() {
    step pair jump
}
siglongjmp_from_another_stack_at_any_instruction() {
    step pair jump_other
}
report_in_a_handler_at_any_instruction() {
    step pair report 3
}
exit_in_a_handler_at_any_instruction() {
    step pair exit
}
fork_in_a_handler_at_any_instruction() {
    step pair fork 2
}
handler_in_the_slow_path() {
    step slow return 7
}
siglongjmp_out_of_the_slow_path() {
    step slow jump 7
}
fork_in_a_handler_in_the_slow_path() {
    step slow fork 17
}
handler_in_a_long_region() {
    step long return 11
}
siglongjmp_out_of_a_long_region() {
    step long jump 11
}
siglongjmp_from_another_stack_out_of_a_long_region() {
    step long jump_other 23
}
fork_in_a_handler_in_a_long_region() {
    step long fork 31
}
handler_while_a_segment_is_made() {
    step full return 83
}
siglongjmp_while_a_segment_is_made() {
    step full jump 83
}

# storm MODE THREADS: timers interrupt all threads; the program tells what it did, the file must tell the same
storm() {
    ln -s "$tests/cll_storm" storm
    timeout 300 ./storm "$@" > out 2> err
    is $? 0 "exit status"
    silent_err
    f=storm.cll.0.dat
    well_formed $f
    # values that the program does not have
    awk '!/^#/ && $1 != "experiment" {
        for (i = 10; i <= 16; i++) if ($i != "nan") {
            n = $i
            if (i <= 15 ? $1 != "wide" || n != 991 + i : $1 == "wide" || n < 1 || n > 9) {if (!bad++) print}
        }
        if ($1 != "wide" && $16 == "nan" || $1 == "wide" && $10 == "nan") {if (!bad++) print}
    } END {exit bad > 0}' $f || fail "values that are not in the program"
    awk '!/^#/ && $1 != "experiment" {print $1, $8, $3}' $f | sort | uniq -d > twice
    [ ! -s twice ] || fail "numbers stand twice: $(head -3 twice)"
    for e in f wide; do
        told=$(sed -n "s/^$e //p" out)
        is "$(count_of $e)" "$told" "executions of $e"
    done
    is "$(header $f abandoned)" "$(sed -n 's/^abandoned //p' out)" abandoned
}
# count_of EXPERIMENT: rows, or the totals of what was thinned and the rows of tuples that were not
count_of() {
    awk -v e="$1" '/^# (tuple|total): / && $3 == e {
            for (i = 4; i <= NF; i++) {split($i, a, "="); if (a[1] == "count") n += a[2]; else if (a[1] != "sum" && a[1] != "min") key = key a[2] " "}
            known[key] = 1; key = ""; next}
        !/^#/ && $1 == e {key = ""; for (i = 10; i <= 16; i++) if ($i != "nan") key = key $i " "; if (!(key in known) && !known[""]) n++}
        END {print n + 0}' storm.cll.0.dat
}

timers_at_high_rate() {
    storm return 1
}
timers_on_threads() {
    storm return 4
}
timers_while_thinning() {
    export CLL_MEMORY=1M
    storm return 3 long
    has $f "^# thinned: "
}
timers_with_siglongjmp() {
    storm jump 2
}
timers_with_clock_gettime() {
    export CLL_CLOCK=clock_gettime
    storm return 2
}

main "$@"
