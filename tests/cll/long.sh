# SPDX-License-Identifier: GPL-3.0-or-later
# Long regions: their CPU time, and what disturbs them. The work of a region is an amount of CPU time, so it does not depend
# on the load. A hypervisor that takes the core away between two readings makes a CPU time too long: one execution in four
# may be so, and what depends on that is tried again.
. "$CLL_SOURCE/tests/cll/setup.sh"
f=long.cll.0.dat

# run MODE: the program, silent
run() {
    [ -e long ] || ln -s "$tests/cll_long" long
    ./long "$@" > out 2> err
    status=$?
    [ $status != 77 ] || skip "$1 is not possible here"
    is $status 0 "exit status"
    silent
    well_formed $f
}
# watched FILE EXPERIMENT: rows `N CLOCK CPUTIME disturbed` of watched executions
watched() {
    awk -v e="$2" '/^#/ {next} !n {for (i = 1; i <= NF; i++) {if ($i == "N") n = i; if ($i == "CLOCK") c = i
        if ($i == "CPUTIME") u = i; if ($i == "disturbed") d = i}; next} d && $1 == e && $d != "nan" {print $n, $c, $u, $d}' "$1"
}
# mostly CONDITION: it holds for three quarters of the rows at least
mostly() { awk "!($1) {n++} END {exit 4 * n > NR}" rows; }
# worked: they took the CPU time of their work (LONG)
worked() { mostly '$3 > 2.9e-3' || { cat rows >&2; fail "less CPU time than was used"; }; }
# sound FILE EXPERIMENT LEAST: at least LEAST were watched, and did not take more CPU time than wall-clock time
sound() {
    watched "$1" "$2" > rows
    [ "$(wc -l < rows)" -ge "$3" ] || { cat "$1" >&2; fail "only $(wc -l < rows) of $3 executions were watched"; }
    awk '$4 < 0 || $4 > 15 || $4 != int($4) {exit 1}' rows || { cat rows >&2; fail "not possible"; }
    mostly '$3 < $2 + 2e-5 + $2 / 100' || { cat rows >&2; fail "more CPU time than wall-clock time"; }
}

long_regions_have_their_cpu_time() {
    run spin
    sound $f f 20
    worked
    lacks $f '^# formula: f CPUTIME'
}
long_regions_with_clock_gettime() {
    CLL_CLOCK=clock_gettime run spin
    sound $f f 20
    worked
}
short_regions_are_not_watched() {
    run empty
    watched $f f | awk '$2 < 2e-5 {exit 1}' || fail "a short execution was watched"
}
# A short one in between does not end the watching.
long_regions_between_short_ones_are_watched() {
    run mixed
    sound $f f 10
    awk '$1' rows > long_ones
    mv long_ones rows
    worked
    is "$(wc -l < rows)" 10 "long ones"
}
a_region_that_sleeps_has_waited() {
    run sleeping
    sound $f f 10
    mostly 'int($4 / 2) % 2 == 1 && $3 < $2 / 2' || { cat rows >&2; fail "it did not wait"; }
}
a_competitor_on_the_same_core_preempts() {
    run preempted
    sound $f f 5
    awk '$4 % 2 == 1 && $2 > 1.2 * $3 {n++} END {exit !n}' rows || { cat rows >&2; fail "none was preempted"; }
    "$llac" -e 'list; fit f' $f > out 2> err || fail "llac"
    has out 'of 5 long samples [1-5] were preempted'
}
another_core_is_seen() {
    run migrated
    sound $f f 4
    awk 'int($4 / 4) % 2 == 0 {exit 1}' rows || { cat rows >&2; fail "no migration"; }
}
# The first execution of each size touches new memory and works three times as long. The CPU time does not depend on the
# load; a page that the system takes away costs one size.
first_touch_is_seen_and_left_out() {
    run touching
    sound $f f 14
    is "$(awk '!seen[$1]++ && $4 >= 8 {n++} END {print n + 0}' rows)" 3 "first executions with page faults"
    awk 'seen[$1]++ && $4 >= 8 {n++} END {exit n > 1}' rows || { cat rows >&2; fail "page faults in later executions"; }
    "$llac" -e 'list; fit f on CPUTIME; rounds all; fit f on CPUTIME; save x.dat' $f > out 2> err || fail "llac"
    has out 'of 14 long samples .* [345] had page faults'
    is "$(tr -s ' \n' ' ' < out | grep -c 'left out of 14 samples: [23] first executions ([23][.0-9]* times slower, [23] with page faults); .rounds all')" \
        1 "account"
    watched x.dat f | awk '{print $1, $4}' > again
    awk '{print $1, $4}' rows | cmp - again || fail "save changed what disturbed the samples"
}
threads_have_their_own_cpu_time() {
    run threads
    sound $f f 60
    worked
}
a_forked_child_watches_anew() {
    run forked
    well_formed long.cll.1.dat
    for file in long.cll.0.dat long.cll.1.dat; do
        sound $file f 20
        worked
    done
    is "$(cat long.cll.[01].dat | grep -c '^g ')" 1 "rows of the region that was open at the fork"
}
recursion_deeper_than_the_slots() {
    run recursive
    is "$(rows $f f)" 164 rows
    sound $f f 20
}
jumps_out_of_long_regions_leave_no_trace() {
    run jumps
    is "$(header $f abandoned)" 50 abandoned
    sound $f f 20
    worked
}
long_regions_in_handlers_of_long_regions() {
    run handlers
    is "$(rows $f f)" 100 rows
    # A handler between the reading of the CPU time and that of the clock counts in the CPU time alone.
    for e in f g; do
        watched $f $e > rows
        mostly '$3 < $2 + 5e-3 && $4 >= 0 && $4 <= 15' || { cat rows >&2; fail "not possible"; }
        least=90 work=2.9e-3
        [ $e = f ] || least=0 work=2.9e-4 # whether it is watched depends on the executions before
        [ "$(wc -l < rows)" -ge $least ] || fail "only $(wc -l < rows) executions of $e were watched"
        mostly "\$3 > $work" || fail "less CPU time than $e used"
    done
}
killed_program_leaves_what_was_watched() {
    ln -s "$tests/cll_long" long
    ./long killed > out 2>&1
    "$llac" -e 'list; save x.dat' long.cll.0.spool > out 2> err || fail "llac"
    has out 'of 20 long samples'
    sound x.dat f 20
}
observe_measures_cpu_time_of_all() {
    CLL_OBSERVE=CPUTIME run empty
    is "$(header $f formula)" "f CLOCK f[0]*N
f CPUTIME f[0]*N" formulas
    is "$(column $f CPUTIME | grep -c nan)" 0 "rows without CPUTIME"
    rm $f
    CLL_OBSERVE=CPUTIME run two
    is "$(rows $f f)" 8 "rows of both sources"
    rm $f
    CLL_OBSERVE=CPUTIME run spin
    sound $f f 20
    rm $f
    CLL_OBSERVE=cycles ./long empty 2> err || fail "exit status"
    has err "CLL_OBSERVE=cycles is not CPUTIME; CLL_COUNTERS names counters"
    lacks $f '^# formula: f CPUTIME'
    rm $f
    CLL_OBSERVE=CPUTIME CLL_COUNTERS=page-faults ./long empty 2> err || fail "exit status"
    has err "CLL_OBSERVE=CPUTIME: CLL_COUNTERS is set, and a run measures time or counters"
}
what=$1
case $1 in
a_competitor_* | a_region_that_sleeps_* | first_touch_* | long_regions_* | threads_have_* | a_forked_child_* | jumps_* | killed_program_*)
    eventually "$1" ;;
*) "$1" ;;
esac
