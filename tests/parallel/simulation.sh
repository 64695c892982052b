# SPDX-License-Identifier: GPL-3.0-or-later
# Programs that SimGrid's SMPI simulates: times are the simulated ones, whatever becomes of the program. A test is a
# function. The simulator exits with 0 also after a deadlock or MPI_Abort: a line of output is the proof.
. "$CLL_SOURCE/tests/parallel/setup.sh"

# build_simulated [FLAGS]
build_simulated() {
    need_simulator
    shared simulated "$call" cc smpicc -O1 -Wall -Wextra -Werror "$@" "$CLL_SOURCE/tests/parallel/simulated.c" -o simulated ||
        fail "simulated.c does not compile"
}

times_and_hosts_are_the_simulated_ones() {
    build_simulated
    for n in 1 3 8; do
        rm -f ./*.dat
        simulates $n ./simulated plain 4
        only ./simulated.cll.0.dat
        well_formed simulated.cll.0.dat
        is "$(header simulated.cll.0.dat program)" simulated program
        is "$(header simulated.cll.0.dat clock)" simulated clock
        is "$(header simulated.cll.0.dat resolution)" 1e-11 resolution
        is "$(header simulated.cll.0.dat overhead)" "0 0" overhead
        is "$(header simulated.cll.0.dat cpu)" "simulated, 10000000000 flop/s" cpu
        is "$(header simulated.cll.0.dat host)" node0 host
        is "$(header simulated.cll.0.dat cores)" 1 cores
        is "$(header simulated.cll.0.dat oversubscribed)" no oversubscribed
        is "$(header simulated.cll.0.dat world)" $n world
        is "$(header simulated.cll.0.dat rank | awk '{print $2}' | sort -u | wc -l)" $n hosts
        is "$(rows simulated.cll.0.dat f)" $((4 * n)) rows
        # flops / (10 Gflop/s), to the last digit
        awk '$1 == "f" && $11 != $10 / 1e10 {print; bad = 1} END {exit bad}' simulated.cll.0.dat || fail "other times"
    done
    empty err
}

simulated_programs_have_settings() {
    build_simulated
    CLL_SETTINGS=n=100 simulates 3 ./simulated plain 4
    is "$(header simulated.cll.0.dat setting)" "n 100" settings
}

fit_on_few_simulated_processes_predicts_many() {
    build_simulated
    platform=$platforms/slow.xml
    for n in 2 4 8 16 32 256; do
        CLL_OUT=$n.dat simulates $n ./simulated affine
    done
    "$llac" --json -e 'table step against 256.dat' 2.dat 4.dat 8.dat 16.dat 32.dat >table.json || fail "llac"
    grep -o '"error_pct":[-0-9.e]*' table.json | cut -d: -f2 >errors
    is "$(wc -l <errors)" 12 "predicted points"
    awk '$1 > 2 || $1 < -2 {bad = 1} END {exit bad}' errors || { cat errors >&2; fail "off by more than 2 %"; }
    # N/P operations of 0.1 ns each
    "$llac" -e 'fit step' 2.dat 4.dat 8.dat 16.dat 32.dat >fit.txt
    has fit.txt 'step\[1\] *1.000000e-10'
    # a second run says the same to the last digit
    CLL_OUT=again.dat simulates 32 ./simulated affine
    grep -v '^# \(date\|job\|process\): ' 32.dat >first
    grep -v '^# \(date\|job\|process\): ' again.dat | cmp first - || fail "the second run has other data"
}

measured_and_simulated_runs_of_a_program_stay_apart() {
    need_simulator
    mpi_library openmpi
    for cc in "$mpicc" smpicc; do
        "$call" cc $cc -O1 "$CLL_SOURCE/examples/pi-mpi.c" -o "pi-${cc##*/}" -lm || fail "pi-mpi.c does not compile with $cc"
    done
    CLL_OUT=measured.dat runs 2 "./pi-${mpicc##*/}" 500 16000
    proof="pi is right"
    CLL_OUT=simulated.dat simulates 2 ./pi-smpicc 500 16000
    exits 1 "$llac" -e 'fit pi = pi[0] + pi[1]*N' measured.dat simulated.dat
    has_text err 'pi has 12 simulated samples (simulated.dat) and 12 measured ones (measured.dat), which are not fitted together'
    for simulated in 0 1; do
        exits 0 "$llac" -e "where simulated == $simulated; fit pi = pi[0] + pi[1]*N" measured.dat simulated.dat
        has_text out '6 points, '
        lacks_text out 'different processors'
    done
}

simulated_processes_that_measure_nothing_take_part() {
    build_simulated
    simulates 5 ./simulated one_measures 3
    only ./simulated.cll.0.dat
    is "$(rows simulated.cll.0.dat)" 3 rows
    is "$(values simulated.cll.0.dat f rank)" "4 " rank
    is "$(values simulated.cll.0.dat f P)" "5 " P
    is "$(header simulated.cll.0.dat rank | wc -l)" 5 hosts
}

parts_of_the_simulated_machine_report_by_themselves() {
    build_simulated
    simulates 5 ./simulated parts_report 2
    is "$(ls ./*.dat ./*.spool ./*.tmp 2>/dev/null | wc -l)" 2 files
    is "$(cat ./*.dat | awk '$1 == "h" {print $6, $7}' | sort -u | tr '\n' ',')" "2 1,2 3,3 0,3 2,3 4," "P and ranks"
    is "$(cat ./*.dat | grep -c '^h ')" 10 rows
    # regions that take no simulated time behind a report: each sample is in one file
    rm -f ./*.dat
    simulates 3 ./simulated alone_then_more
    is "$(cat ./*.dat | awk '$1 == "g" {print $7, $10}' | sort | tr '\n' ',')" "0 1,0 2,1 1,1 2,2 1,2 2," "ranks and n"
    rm -f ./*.dat
    simulates 2 ./simulated late
    is "$(cat ./*.dat | grep -c '^g ')" 2 "after MPI_Finalize"
    gone ./*.spool ./*.tmp
}

simulated_program_that_dies_loses_nothing() {
    build_simulated
    for mode in one_aborts deadlock exit_early killed; do
        rm -f ./*.dat ./*.spool
        simulate 3 ./simulated $mode 2
        ! grep -q done out || fail "$mode came to its end"
        is "$(ls ./*.dat ./*.spool 2>/dev/null | wc -l)" 3 "files after $mode"
        "$llac" -e 'save all.data' ./simulated.cll.* >/dev/null || fail "llac after $mode"
        is "$(rows all.data f)" 6 "rows after $mode"
        is "$(values all.data f rank)" "0 1 2 " "ranks after $mode"
        is "$(values all.data f run)" "0 " "they are one run"
    done
}

# many_processes N RACKS
many_processes() {
    build_simulated
    platform=$platforms/two-level.xml
    simulates "$1" ./simulated plain 1
    only ./simulated.cll.0.dat
    is "$(rows simulated.cll.0.dat f)" "$1" rows
    is "$(values simulated.cll.0.dat f rank | wc -w)" "$1" ranks
    is "$(header simulated.cll.0.dat rank | awk '{print $2}' | cut -d- -f1 | sort -u | wc -l)" "$2" racks
    awk '$1 == "f" && $11 != $10 / 1e10 {print; bad = 1} END {exit bad}' simulated.cll.0.dat || fail "other times"
}

processes_of_three_simulated_racks() {
    many_processes 160 3
}

thousand_simulated_processes() {
    many_processes 1024 16
}

real_computation_is_measured_where_the_simulator_does() {
    build_simulated
    simulates 2 --cfg=smpi/simulate-computation:yes --cfg=smpi/host-speed:10Gf --cfg=smpi/wtime:1e-6 ./simulated real 3
    is "$(header simulated.cll.0.dat overhead)" "2e-06 0" overhead
    is "$(header simulated.cll.0.dat empty)" 1e-06 empty
    awk '$1 == "real" && $11 < 1e-5 {print; bad = 1} END {exit bad}' simulated.cll.0.dat || fail "no time passed"
    rm -f ./*.dat
    simulates 2 ./simulated real 3
    awk '$1 == "real" && $11 != 0 {print; bad = 1} END {exit bad}' simulated.cll.0.dat || fail "computation takes time"
}

what_a_simulated_program_cannot_measure_is_said() {
    build_simulated
    for how in no mmap; do
        simulate 2 --cfg=smpi/privatization:$how ./simulated plain 2
        has err 'its own globals'
        gone ./*.dat ./*.spool
    done
    CLL_CLOCK=tsc simulates 1 ./simulated plain 1
    has err 'CLL_CLOCK=tsc: a simulated program has only its simulated clock'
    CLL_COUNTERS=1 simulates 1 ./simulated plain 1
    has err 'CLL_COUNTERS: a simulated program has no counters'
    is "$(header simulated.cll.1.dat clock)" simulated clock
    rm -f ./*.dat
    simulates 1 ./simulated cpu_time
    is "$(values simulated.cll.0.dat c CPUTIME)" "nan " CPUTIME
    has simulated.cll.0.dat '# absent: CPUTIME a simulated program has only'
    rm -f ./*.dat
    simulates 2 ./simulated with_threads
    is "$(grep -c 'not in threads' err)" 2 "messages"
    is "$(rows simulated.cll.0.dat)" 4 "rows of f alone"
    CLL_OFF=1 simulates 2 ./simulated plain 2
    only ./simulated.cll.0.dat
}

# a source that knows no MPI, compiled and linked apart, beside one that is not translated
sources_are_compiled_and_linked_apart() {
    build_simulated
    cat >part.c <<'EOF'
void part(int n);
extern void smpi_execute_flops(double flops);
void part(int n)
{
#pragma cll part part[0]*n
    smpi_execute_flops(1e9 * n);
#pragma cll end part
}
EOF
    cat >main.c <<'EOF'
#include <mpi.h>
#include <stdio.h>
void part(int n);
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    part(rank + 1);
    MPI_Finalize();
    if (!rank)
        puts("done");
    return 0;
}
EOF
    "$call" cc smpicc -c part.c && "$call" cc smpicc -c main.c && "$call" cc smpicc part.o main.o -o apart || fail "call cc"
    ! ldd apart | grep libcll || fail "simulated processes would share libcll"
    simulates 2 ./apart
    # no source is an MPI program for call: each process has a file
    is "$(cat apart.cll.?.dat | awk '$1 == "part" {print $10, $11}' | sort | tr '\n' ',')" "1 0.1,2 0.2," "n and time"
    # a region of C++
    if command -v smpicxx >/dev/null; then
        printf '#include <cll.h>\n' >region.cc
        printf 'extern "C" void part(int n);\nvoid part(int n)\n{\n    CLL_REGION("r", "r[0]*n", n);\n' >>region.cc
        printf '    smpi_execute_flops(2e9 * n);\n}\n' >>region.cc
        "$call" cc smpicxx -include smpi/smpi.h region.cc main.o -o cxx || fail "call cc smpicxx"
        simulates 2 ./cxx
        is "$(cat cxx.cll.?.dat | awk '$1 == "r" {print $10, $11}' | sort | tr '\n' ',')" "1 0.2,2 0.4," "n and time in C++"
    fi
    # where CALL has no piece for it, that is said
    mkdir -p other/lib other/include
    cp "$CLL_BUILD/lib/libcll.a" other/lib/ && cp "$CLL_SOURCE/include/cll.h" other/include/
    ! CLL_PREFIX=$PWD/other "$call" cc smpicc part.c main.c -o apart 2>err || fail "linked without the run-time"
    has err 'libcll_mpi_smpi.a is not in .*build CALL where its smpicc is found'
}

platforms_have_the_latencies_they_state() {
    build_simulated
    # the last of P processes is far from the first: a message of n bytes and 16 more there
    while read -r name n want; do
        platform=$platforms/$name.xml
        rm -f ./*.dat
        simulates "$n" ./simulated ping
        is "$(awk '$1 == "ping" && $7 == 0 {print $11}' simulated.cll.0.dat | tr '\n' ' ')" "$want " "$name with $n"
    done <<'EOF'
fast 2 1.0016e-06 0.0001010016
slow 2 0.000100128 0.008100128
two-level 64 1.0016e-06 0.0001010016
two-level 65 2.10064e-05 0.0004210064
EOF
}

main "$1"
