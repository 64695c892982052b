# SPDX-License-Identifier: GPL-3.0-or-later
# PUB programs: what data they leave, and that measuring disturbs no superstep. A test is a function.
. "$CLL_SOURCE/tests/parallel/setup.sh"

pub_data_of_all_processors_are_in_one_file() {
    build pub_modes
    for n in 1 2 3 4 8; do
        rm -f ./*.dat
        runs "$n" ./pub_modes plain 4
        only ./pub_modes.cll.0.dat
        well_formed pub_modes.cll.0.dat
        is "$(rows pub_modes.cll.0.dat f)" $((4 * n)) "rows of $n processors"
        is "$(header pub_modes.cll.0.dat world)" "$n" world
        is "$(header pub_modes.cll.0.dat driver)" PUB driver
        is "$(header pub_modes.cll.0.dat rank | wc -l)" "$n" "hosts"
        is "$(values pub_modes.cll.0.dat f P)" "$n " P
        is "$(values pub_modes.cll.0.dat f rank)" "$(seq 0 $((n - 1)) | tr '\n' ' ')" ranks
        want=no
        [ "$n" -le "$(nproc)" ] || want=yes
        is "$(header pub_modes.cll.0.dat oversubscribed)" $want "oversubscribed with $n"
    done
    is "$(cat out)" "done" "output"
    ! grep -q cll: err || fail "something was said"
}

sync_and_report_end_no_superstep_and_deliver_no_message() {
    build pub_modes
    for n in 1 2 3 5; do
        rm -f ./*.dat
        runs "$n" ./pub_modes messages 4
        is "$(cat out)" "done" "what $n processors saw"
        is "$(rows pub_modes.cll.0.dat f)" $((12 * n)) rows
    done
    # under all checks of libpub, too
    PUB_CHECK=1 runs 3 ./pub_modes messages 4
    is "$(cat out)" "done" "what the processors saw"
    # who waits in a sync takes what comes for the program
    runs 3 ./pub_modes chain
    is "$(values pub_modes.cll.2.dat pair P)" "1 2 " P
}

sync_of_a_group_waits_for_the_group_and_counts_it() {
    build pub_modes
    runs 5 ./pub_modes groups 3
    well_formed pub_modes.cll.0.dat
    is "$(values pub_modes.cll.0.dat half P)" "1 2 3 5 " "P in the recursion"
    is "$(values pub_modes.cll.0.dat sub P)" "1 2 3 " "P of groups"
    is "$(rows pub_modes.cll.0.dat half)" 51 "rows of half"
    is "$(values pub_modes.cll.0.dat copy P)" "5 " "P of a copy"
    # a region without sync and without P counts the machine of the report
    is "$(values pub_modes.cll.0.dat g P)" "5 " "P of g"
}

pub_reports_gather_again_select_and_may_be_of_a_group() {
    build pub_modes
    runs 3 ./pub_modes report_twice 4
    only ./pub_modes.cll.0.dat
    is "$(rows pub_modes.cll.0.dat f)" 24 "rows of f"
    is "$(rows pub_modes.cll.0.dat g)" 3 "rows of g"
    rm -f ./*.dat
    runs 2 ./pub_modes report_then_more 4
    only ./pub_modes.cll.0.dat
    is "$(rows pub_modes.cll.0.dat f)" 16 "rows of f, with those behind the report"
    rm -f ./*.dat
    runs 2 ./pub_modes report_some 4
    is "$(header pub_modes.cll.0.dat experiment)" g "the reported experiment"
    rm -f ./*.dat
    runs 5 ./pub_modes parts
    is "$(ls ./*.dat ./*.spool 2>/dev/null | wc -l)" 3 "files: two of groups, one of the rest"
    is "$(cat ./*.dat | awk '$1 == "f" {print $10, $6}' | sort | uniq -c | awk '{print $1, $2, $3}' | tr '\n' ',')" \
        "2 1 2,3 1 3,2 2 2,3 2 3,5 3 5," "count, n and P of f: each sample once"
}

pub_processors_without_samples_take_part() {
    build pub_modes
    runs 4 ./pub_modes one_measures 7
    only ./pub_modes.cll.0.dat
    is "$(rows pub_modes.cll.0.dat)" 7 rows
    is "$(values pub_modes.cll.0.dat g rank)" "3 " rank
    is "$(values pub_modes.cll.0.dat g P)" "4 " P
    rm -f ./*.dat
    runs 3 ./pub_modes nobody_measures
    gone ./*.dat ./*.spool
    CLL_OFF=1 runs 2 ./pub_modes plain
    gone ./*.dat ./*.spool
}

pub_regions_outside_of_the_parallel_part_count() {
    build pub_modes
    runs 3 ./pub_modes early 2
    only ./pub_modes.cll.0.dat
    is "$(rows pub_modes.cll.0.dat g)" 3 "before bsplib_init"
    is "$(values pub_modes.cll.0.dat g P)" "3 " "their P"
    rm -f ./*.dat
    runs 2 ./pub_modes late 2
    is "$(rows pub_modes.cll.0.dat f)" 4 "in the gathered file"
    is "$(cat ./*.dat | grep -c '^f ')" 6 "in all: two after bsplib_done, where sync waits for nobody"
    gone ./*.spool
}

pub_program_that_dies_leaves_the_spools() {
    build pub_modes
    for mode in one_is_killed one_aborts all_exit; do
        rm -f ./*.spool ./*.dat
        ! run 3 ./pub_modes $mode 6 || [ $mode = all_exit ] || fail "$mode: no exit status"
        is "$(processes_left)" 3 "files after $mode"
        "$llac" -e 'save all.data' ./pub_modes.cll.* >/dev/null || fail "llac does not load them"
        is "$(rows all.data f)" 18 "rows in all"
        is "$(values all.data f rank)" "0 1 2 " ranks
        is "$(values all.data f P)" "3 " P
        is "$(values all.data f run)" "0 " "they are one run"
    done
}

misplaced_pub_pragmas_end_the_program_with_a_line() {
    build pub_modes
    ! run 3 ./pub_modes some_report || fail "a report of one processor alone"
    has err '^pub: .*bsplib_done'
    ! run 2 ./pub_modes stale_machine || fail "a machine that is none"
    has err 'pub: #pragma cll sync: processor [01] of 2: this object has been given back'
}

pub_memory_stays_bounded_when_gathering() {
    build pub_modes
    CLL_MEMORY=1M runs 3 ./pub_modes many 100000
    only ./pub_modes.cll.0.dat
    well_formed pub_modes.cll.0.dat
    is "$(header pub_modes.cll.0.dat thinned)" per-tuple thinned
    is "$(header pub_modes.cll.0.dat tuple | wc -l)" 9 "totals: three tuples of three processors"
}

mpich_pub_programs_are_measured_too() {
    build_for mpich pub_modes
    for mode in plain groups messages; do
        rm -f ./*.dat
        run 2 ./pub_modes $mode 3 || fail "$mode"
        is "$(cat out)" "done" "$mode"
        only ./pub_modes.cll.0.dat
        well_formed pub_modes.cll.0.dat
    done
}

# write_traced CODE: a program that wants a trace, with this code before bsplib_init
write_traced() {
    cat >traced.c <<EOF
#include <pub.h>
#pragma cll parallel PUB &bsp trace
int main(void)
{
    t_bsp bsp;
    $1
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_sync(&bsp);
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
EOF
    "$call" cc "$mpicc" -O1 -Wall -Wextra -Werror $sanitize traced.c -o traced || fail "traced.c"
}

pub_trace_clause_makes_a_trace_of_the_program() {
    build pub_modes
    write_traced ""
    runs 2 ./traced
    is "$(head -1 traced.pub.trace)" "# pub trace 1" "first line"
    is "$(grep -c ' sync ' traced.pub.trace)" 4 "supersteps"
    cp traced other # the name at run time
    runs 1 ./other
    is "$(grep -c ' sync ' other.pub.trace)" 2 "supersteps of the other name"
    rm -f ./*.trace
    PUB_TRACE=mine runs 1 ./traced # the environment wins
    CLL_OFF=1 runs 1 ./traced
    is "$(ls ./*.trace mine 2>/dev/null)" mine "traces"
    write_traced 'bsplib_trace("own");' # and so does the program
    runs 1 ./traced
    is "$(ls ./*.trace own 2>/dev/null)" own "traces"
    gone ./*.dat ./*.spool
}

late_one_is_waited_for() {
    PUB_TRACE=trace runs 2 ../pub_modes late_one
    # processor 1 waits for 0, which sleeps for 50 ms before: that is work (column 7) of 0 and no work of 1
    awk '$6 == "sync" {work[$1] = $7} END {exit !(work[0] > 4.5e7 && work[1] < work[0] - 2e7)}' trace ||
        { cat trace >&2; fail "work"; }
}
pub_waiting_in_sync_is_no_work_in_a_trace() {
    build pub_modes
    eventually late_one_is_waited_for
}

pub_header_and_library_are_found() {
    build pub_modes
    # a program without pragmas is linked with libpub, and with nothing else of ours
    cat >plain.c <<'EOF'
#include <pub.h>
int main(void)
{
    t_bsp bsp;
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    bsp_sync(&bsp);
    bsplib_done();
    return 0;
}
EOF
    "$call" cc "$mpicc" -Wall -Wextra -Werror $sanitize plain.c -o plain || fail "a plain program"
    ! ldd plain | grep libcll || fail "libcll is needed"
    runs 2 ./plain
    gone ./*.dat ./*.spool
    # compiled and linked apart
    "$call" cc "$mpicc" $sanitize -c "$CLL_SOURCE/tests/parallel/pub_modes.c" &&
        "$call" cc "$mpicc" $sanitize pub_modes.o -o apart || fail "apart"
    runs 2 ./apart plain
    is "$(header apart.cll.0.dat driver)" PUB driver
    # what is missing is named
    ! "$call" cc gcc "$CLL_SOURCE/tests/parallel/pub_modes.c" -o no 2>err || fail "linked without MPI"
    has err 'a source is a PUB program, but this compiler does not find mpi.h: use mpicc'
    mkdir -p prefix/lib
    ln -s "$CLL_SOURCE/include" prefix/include
    ln -s "$CLL_BUILD"/lib/libcll.* "$CLL_BUILD"/lib/libcll_mpi_*.a "$CLL_BUILD"/lib/libcll_pub_*.a prefix/lib/
    ! CLL_PREFIX=$PWD/prefix "$call" cc "$mpicc" "$CLL_SOURCE/tests/parallel/pub_modes.c" -o no 2>err ||
        fail "linked without libpub"
    has err 'no run-time for PUB programs of this MPI library: libpub_openmpi.a is not in '
    # a machine that is no pointer to a t_bsp: the compiler points at the pragma
    cat >wrong.c <<'EOF'
#include <pub.h>
#pragma cll parallel PUB
void f(t_bsp bsp)
{
#pragma cll sync(bsp) x x[0]
    (void)bsp;
#pragma cll end x
}
EOF
    ! "$call" cc "$mpicc" -c wrong.c 2>err || fail "accepted"
    has err 'wrong.c:5:18: error'
}

pub_processors_with_threads() {
    build pub_modes
    cat >hybrid.c <<'EOF'
#include <mpi.h>
#include <pub.h>
#pragma cll parallel PUB
#pragma cll parallel OpenMP
int main(int argc, char **argv)
{
    t_bsp bsp;
    int provided, n = 3, sum = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
#pragma cll sync f f[0] + f[1]*n/(P*T)
#pragma omp parallel for num_threads(2) reduction(+ : sum)
    for (int i = 0; i < n; i++)
        sum += i;
#pragma cll end f
    bsplib_done();
    MPI_Finalize();
    return sum - 3;
}
EOF
    "$call" cc "$mpicc" -fopenmp -Wall -Wextra -Werror $sanitize hybrid.c -o hybrid || fail "hybrid.c"
    runs 3 ./hybrid
    is "$(values hybrid.cll.0.dat f P)" "3 " P
    is "$(values hybrid.cll.0.dat f T)" "2 " T
    is "$(rows hybrid.cll.0.dat f)" 3 rows
}

pub_names_late_processes() {
    build pub_modes
    export CLL_PATIENCE=0.2
    late "#pragma cll sync" 3 2 ./pub_modes late_sync 2
    is "$(rows pub_modes.cll.0.dat f)" 3 "rows"
    late "#pragma cll report" 3 0 ./pub_modes late_report 0
    # libpub itself sees one that leaves a sync out
    ! run 3 ./pub_modes left_out_sync 1 || fail "the program did not end"
    has err "pub: #pragma cll sync: .*: processor 1 has called bsplib_done: it does not take part"
}

main "$1"
