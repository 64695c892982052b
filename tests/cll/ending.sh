# SPDX-License-Identifier: GPL-3.0-or-later
# However a program ends, its samples can be loaded, and its result is its own.
. "$CLL_SOURCE/tests/cll/setup.sh"

exit_without_report_writes_all() {
    sample loop 100 || fail "exit status $?"
    silent
    well_formed sample.cll.0.dat
    is "$(rows sample.cll.0.dat f)" 100 rows
    is "$(header sample.cll.0.dat abandoned)" 0 abandoned
    is "$(header sample.cll.0.dat formula)" "f CLOCK f[0] + f[1]*N"
    is "$(header sample.cll.0.dat variables)" "f N"
    is "$(header sample.cll.0.dat source)" "f my%20sample.c:12-14"
    is "$(column sample.cll.0.dat seq | tr '\n' ' ')" "$(seq -s ' ' 0 99) " seq
    gone sample.cll.0.spool sample.cll.1.dat
}

nothing_measured_writes_nothing() {
    sample nothing || fail "exit status $?"
    silent
    is "$(ls)" "$(printf 'err\nout\nsample')" "files"
}

off_writes_nothing() {
    CLL_OFF=1 sample loop 100 || fail "exit status $?"
    silent
    is "$(ls)" "$(printf 'err\nout\nsample')" "files"
    CLL_OFF=0 sample loop 100
    is "$(rows sample.cll.0.dat f)" 100 "rows with CLL_OFF=0"
}

exit_inside_region_counts_abandoned() {
    sample exit_inside 50; is $? 3 "exit status"
    silent
    well_formed sample.cll.0.dat
    is "$(rows sample.cll.0.dat f)" 50 rows
    is "$(header sample.cll.0.dat abandoned)" 1 abandoned
}

# left_over STATUS ROWS: the program ended without us; the spool gives the samples
left_over() {
    gone sample.cll.0.dat
    [ -e sample.cll.0.spool ] || fail "no spool"
    spool_text sample.cll.0.spool > text || fail "the spool cannot be converted"
    well_formed text
    is "$(rows text f)" "$1" rows
    has text "note: the program ended without a report"
    is "$(header text formula)" "f CLOCK f[0] + f[1]*N"
}
_exit_inside_region_leaves_spool() {
    sample _exit_inside 50; is $? 3 "exit status"; silent; left_over 50
}
abort_leaves_spool() {
    ( ulimit -c 0; sample abort 50 ) 2> /dev/null; is $? 134 "exit status"; left_over 50
}
sigterm_leaves_spool() {
    sample term 50 2> /dev/null; is $? 143 "exit status"; left_over 50
}
sigsegv_leaves_spool() {
    ( ulimit -c 0; sample segv 50 ) 2> /dev/null; is $? 139 "exit status"; left_over 50
}
sigkill_leaves_spool() {
    sample kill 50000 2> /dev/null; is $? 137 "exit status"; left_over 50000
}
exec_leaves_spool() {
    sample exec 50; is $? 0 "exit status"; silent; left_over 50
}

sigkill_with_clock_gettime_keeps_times() {
    CLL_CLOCK=clock_gettime sample kill 50 2> /dev/null
    left_over 50
    column text CLOCK | awk '$1 < 0 || $1 > 10 {exit 1}' || fail "times are wrong"
}

exit_in_signal_handler_ends() {
    sample exit_in_handler; is $? 4 "exit status"
    if [ -e sample.cll.0.dat ]; then
        well_formed sample.cll.0.dat
    else
        has err "the samples stay in"
        spool_text sample.cll.0.spool > text || fail "the spool cannot be converted"
        well_formed text
    fi
}

region_in_exit_handler_is_measured() {
    sample region_at_exit 5 || fail "exit status $?"
    is "$(rows sample.cll.0.dat f)" 6 rows
    is "$(column sample.cll.0.dat N | tail -1)" 77 "last sample"
}

second_report_rewrites_the_file() {
    sample report_twice 10 || fail "exit status $?"
    is "$(cat out)" 10 "rows after the first report"
    is "$(rows sample.cll.0.dat f)" 30 "rows at the end"
    gone sample.cll.1.dat sample.cll.0.spool
}

report_selects_experiments() {
    sample report_some 10 || fail "exit status $?"
    silent
    is "$(header sample.cll.0.dat experiment | tr '\n' ' ')" "f later " experiments
    is "$(rows sample.cll.0.dat f)" 20 "rows of f"
    is "$(rows sample.cll.0.dat later)" 1 "rows of later"
    is "$(rows sample.cll.0.dat g)" 0 "rows of g"
}

report_of_unknown_names_writes_all() {
    sample report_unknown 10 || fail "exit status $?"
    is "$(cat err)" "cll: a report names wrok, but no experiment of that name was measured; the experiments are: f, g; all are written" message
    is "$(rows sample.cll.0.dat f)" 20 "rows of f"
    is "$(rows sample.cll.0.dat g)" 1 "rows of g"
}

report_of_a_name_too_many_says_so() {
    sample report_partly_unknown 10 || fail "exit status $?"
    is "$(cat err)" "cll: a report names wrok, but no experiment of that name was measured; the experiments are: f, g" message
    is "$(rows sample.cll.0.dat f)" 10 "rows of f"
    is "$(rows sample.cll.0.dat g)" 0 "rows of g"
}

report_of_an_empty_list_writes_all() {
    sample report_empty_list 10 || fail "exit status $?"
    silent
    is "$(rows sample.cll.0.dat)" 11 rows
}

every_way_out_ends_the_region() {
    sample leave || fail "exit status $?"
    is "$(column sample.cll.0.dat N | tr '\n' ' ')" "0 1 2 2 3 4 4 " "samples"
    is "$(header sample.cll.0.dat abandoned)" 0 abandoned
}

longjmp_out_of_region_is_counted() {
    sample longjmp 200 || fail "exit status $?"
    is "$(rows sample.cll.0.dat f)" 200 rows
    is "$(header sample.cll.0.dat abandoned)" 200 abandoned
    is "$(column sample.cll.0.dat nested | sort -u)" 0 nested
    is "$(column sample.cll.0.dat seq | head -3 | tr '\n' ' ')" "1 3 5 " "seq"
}

nested_pairs_are_counted() {
    sample nested 30 || fail "exit status $?"
    is "$(awk '$1 == "outer" {print $5}' sample.cll.0.dat)" 30 "nested"
    is "$(awk '$1 == "outer" {print $10}' sample.cll.0.dat)" nan "N of outer"
}

recursion_nests() {
    sample recursive 5 || fail "exit status $?"
    is "$(rows sample.cll.0.dat f)" 15 "calls of fib(5)"
    is "$(column sample.cll.0.dat nested | sort -n | tail -1)" 14 "nested in the outermost"
    is "$(column sample.cll.0.dat seq | sort -n | tr '\n' ' ')" "$(seq -s ' ' 0 14) " "seq"
}

errno_and_descriptors_are_the_programs_own() {
    for clock in auto clock_gettime; do
        CLL_CLOCK=$clock sample no_trace 30000; is $? 0 "exit status with $clock"
        CLL_MEMORY=1M CLL_CLOCK=$clock sample no_trace 60000; is $? 0 "exit status when thinned"
    done
    ( cd / && CLL_OUT=$OLDPWD/none/x.dat "$OLDPWD/sample" no_trace 100 2> /dev/null ); is $? 0 "exit status in trouble"
}

numbers_beyond_a_plain_record() {
    sample wide || fail "exit status $?"
    silent
    f=sample.cll.0.dat
    is "$(column $f seq | tr '\n' ' ')" "0 2199023255552 2199023255553 2199023255554 " seq
    is "$(awk '$1 == "f" && $10 == 3 {print $5}' $f)" 8589934592 nested
    is "$(awk '$1 == "f" && $10 == 4 {print $5}' $f)" 0 "nested of the next"
    [ "$(header $f clock)" = clock_gettime ] ||
        awk '$1 == "f" && $10 == 3 && $11 < 1000 {exit 1}' $f || fail "a long duration was cut"
}

main "$@"
