# SPDX-License-Identifier: GPL-3.0-or-later
# MPI programs: what data they leave, whatever becomes of them. A test is a function.
. "$CLL_SOURCE/tests/parallel/setup.sh"

one_file_of_all_ranks() {
    build modes
    for n in 1 2 3 4 8; do
        rm -f ./*.dat
        runs "$n" ./modes plain 4
        only ./modes.cll.0.dat
        well_formed modes.cll.0.dat
        is "$(rows modes.cll.0.dat f)" $((4 * n)) "rows of $n processes"
        is "$(header modes.cll.0.dat world)" "$n" world
        is "$(header modes.cll.0.dat driver)" MPI driver
        is "$(header modes.cll.0.dat rank | wc -l)" "$n" "hosts"
        is "$(values modes.cll.0.dat f P)" "$n " P
        is "$(values modes.cll.0.dat f rank)" "$(seq 0 $((n - 1)) | tr '\n' ' ')" ranks
        is "$(header modes.cll.0.dat experiment)" f experiments
        want=no
        [ "$n" -le "$(nproc)" ] || want=yes
        is "$(header modes.cll.0.dat oversubscribed)" $want "oversubscribed with $n"
    done
    [ ! -s out ] || fail "something was written to stdout"
    ! grep -q cll: err || fail "something was said"
}

settings_are_in_the_file_once() {
    build modes
    CLL_SETTINGS="n=100 m=2" runs 3 ./modes plain 4
    only ./modes.cll.0.dat
    well_formed modes.cll.0.dat
    is "$(header modes.cll.0.dat setting | tr '\n' ,)" "n 100,m 2," settings
    "$llac" modes.cll.0.dat -e 'show f' >shown || fail "llac"
    has shown 'over n, m '
}

mpich_programs_are_measured_too() {
    build_for mpich modes
    for mode in plain groups one_measures; do
        rm -f ./*.dat
        run 2 ./modes $mode 3 || fail "$mode"
        only ./modes.cll.0.dat
        well_formed modes.cll.0.dat
        is "$(header modes.cll.0.dat world)" 2 world
    done
}

processes_without_samples_take_part() {
    build modes
    runs 4 ./modes one_measures 7
    only ./modes.cll.0.dat
    well_formed modes.cll.0.dat
    is "$(rows modes.cll.0.dat)" 7 rows
    is "$(values modes.cll.0.dat g rank)" "3 " rank
    is "$(values modes.cll.0.dat g P)" "4 " P
    is "$(header modes.cll.0.dat rank | wc -l)" 4 hosts
    has modes.cll.0.dat '# compiler: '
    rm -f ./*.dat
    runs 3 ./modes nobody_measures
    gone ./*.dat ./*.spool
}

# The program goes on, and its samples are in the spools.
processes_without_memory_take_part() {
    [ -z "$sanitize" ] || skip "sanitizers map memory, too"
    build hungry
    while read -r when rank want; do
        rm -f ./*.dat ./*.spool
        runs 2 ./hungry "$when" "$rank"
        is "$(cat out)" "done" "output with $when $rank"
        has err '^cll: cannot write .* the samples of each process stay in its spool'
        "$llac" -e 'save all.dat' ./*.spool >out 2>&1 || fail "llac does not load the spools"
        is "$(rows all.dat f)" "$want" "rows with $when $rank"
    done <<'END'
ends 0 10
ends 1 10
always 1 5
END
}

long_executions_of_one_process_make_columns_for_all() {
    build modes
    runs 3 ./modes one_is_long 5
    only ./modes.cll.0.dat
    well_formed modes.cll.0.dat
    is "$(rows modes.cll.0.dat h)" 15 rows
    is "$(awk '$1 == "h" && $7 == 2 && $NF != "nan" && int($NF / 2) % 2 {n++} END {print n}' modes.cll.0.dat)" 5 "rows that waited"
    awk '$1 == "h" && $NF != "nan" && $(NF - 2) < 2e-5 {exit 1}' modes.cll.0.dat || fail "a short execution was watched"
}

experiments_that_only_some_know_are_united() {
    build modes
    runs 3 ./modes different 9
    well_formed modes.cll.0.dat
    is "$(header modes.cll.0.dat experiment | sort | tr '\n' ' ')" "even g odd " experiments
    is "$(values modes.cll.0.dat odd rank)" "1 " odd
    is "$(values modes.cll.0.dat even rank)" "0 2 " even
    is "$(values modes.cll.0.dat even r)" "9 11 " "values of even"
    is "$(values modes.cll.0.dat odd number)" "9 " "values of odd"
    rm -f ./*.dat
    runs 3 ./modes report_different 9
    is "$(header modes.cll.0.dat experiment)" odd "the reported experiment"
    is "$(rows modes.cll.0.dat)" 1 "rows of it"
    ! grep -q cll: err || fail "something was said"
}

second_report_writes_the_same_file_again() {
    build modes
    runs 3 ./modes report_twice 4
    only ./modes.cll.0.dat
    is "$(rows modes.cll.0.dat f)" 24 "rows of f"
    is "$(rows modes.cll.0.dat g)" 3 "rows of g"
    rm -f ./*.dat
    runs 3 ./modes report_then_more 4
    only ./modes.cll.0.dat
    is "$(rows modes.cll.0.dat f)" 24 "rows of f, with those behind the report"
    rm -f ./*.dat
    runs 2 ./modes report_some 4
    is "$(header modes.cll.0.dat experiment)" g "the reported experiment"
    is "$(rows modes.cll.0.dat)" 2 "rows of g"
    runs 2 ./modes plain 4
    only "./modes.cll.0.dat ./modes.cll.1.dat"
}

parts_of_the_machine_report_by_themselves() {
    build parts
    runs 4 ./parts
    is "$(ls ./*.dat ./*.spool 2>/dev/null | wc -l)" 2 files
    for file in *.dat; do
        well_formed "$file"
        is "$(rows "$file")" 8 "rows of a half"
        is "$(values "$file" f P)" "2 " "P of f"
        is "$(values "$file" g P)" "2 " "P of g"
        is "$(header "$file" world)" 4 world
    done
    is "$(cat parts.cll.?.dat | awk '$1 == "f" {print $7}' | sort -nu | tr '\n' ' ')" "0 1 2 3 " ranks
    rm -f ./*.dat
    runs 3 ./parts more
    is "$(ls ./*.dat ./*.spool 2>/dev/null | wc -l)" 3 files
    # no sample is twice in the files, none is missing
    is "$(cat parts.cll.?.dat | awk '$1 == "f" {print $7, $10}' | sort | uniq -c | awk '{print $1}' | sort -u)" 1 "copies"
    is "$(cat parts.cll.?.dat | grep -c '^f ')" 9 "rows of f"
}

killed_rank_leaves_the_spools() {
    build modes
    for mode in one_is_killed one_aborts; do
        rm -f ./*.spool ./*.dat
        ! run 3 ./modes $mode 6 || fail "$mode: no exit status"
        is "$(processes_left)" 3 "files after $mode"
        # they are one run: of each execution the slowest rank counts
        "$llac" --json -e 'show f' ./modes.cll.* >show.json || fail "llac does not load them"
        is "$(grep -o '"samples":[0-9]*' show.json | sort -u)" '"samples":1' "samples of a point"
        "$llac" -e 'save all.dat' ./modes.cll.* >/dev/null
        is "$(rows all.dat f)" 18 "rows in all"
        is "$(values all.dat f rank)" "0 1 2 " ranks
        is "$(values all.dat f P)" "3 " P
        is "$(values all.dat f run)" "0 " run
        "$llac" --json -e 'show f' all.dat >again.json
        is "$(grep -o '"samples":[0-9]*' again.json | sort -u)" '"samples":1' "samples of a point, saved"
        rm -f all.dat
    done
}

exit_without_finalize_loses_nothing() {
    build modes
    run 2 ./modes all_exit 6 # the launcher may or may not complain
    is "$(processes_left)" 2 files
    "$llac" -e 'save all.data' ./modes.cll.* >/dev/null
    is "$(rows all.data f)" 12 rows
}

experiments_before_init_and_after_finalize_count() {
    build modes
    runs 3 ./modes early 2
    only ./modes.cll.0.dat
    is "$(rows modes.cll.0.dat g)" 3 "before MPI_Init"
    is "$(values modes.cll.0.dat g P)" "3 " "P before MPI_Init"
    is "$(values modes.cll.0.dat g rank)" "0 1 2 " "ranks before MPI_Init"
    rm -f ./*.dat
    runs 2 ./modes late 2
    is "$(rows modes.cll.0.dat f)" 4 "in the gathered file"
    is "$(cat ./*.dat | grep -c '^f ')" 4 "once each"
    is "$(cat ./*.dat | grep -c '^g ')" 2 "after MPI_Finalize"
    gone ./*.spool
}

groups_have_their_own_P() {
    build modes
    runs 5 ./modes groups 3
    well_formed modes.cll.0.dat
    is "$(values modes.cll.0.dat half P)" "2 3 " "P of halves"
    is "$(rows modes.cll.0.dat half)" 45 "rows of halves"
    is "$(values modes.cll.0.dat left P)" "5 " left
    is "$(values modes.cll.0.dat self P)" "1 " self
    is "$(values modes.cll.0.dat none P)" "5 " none
    is "$(values modes.cll.0.dat inter P)" "5 " inter
}

messages_of_the_program_stay_its_own() {
    build modes
    runs 3 ./modes wildcard 3
    [ ! -s out ] || fail "a receive of the program's took a message of ours"
    is "$(rows modes.cll.0.dat f)" 9 rows
}

threads_of_processes_are_told_apart() {
    build modes
    runs 2 ./modes with_threads 10
    is "$(rows modes.cll.0.dat g)" 60 rows
    is "$(values modes.cll.0.dat g thread | wc -w)" 3 threads
    is "$(values modes.cll.0.dat g rank)" "0 1 " ranks
}

memory_stays_bounded_when_gathering() {
    build modes
    CLL_MEMORY=1M runs 3 ./modes many 300000
    only ./modes.cll.0.dat
    well_formed modes.cll.0.dat
    is "$(header modes.cll.0.dat thinned)" per-tuple thinned
    is "$(header modes.cll.0.dat tuple | wc -l)" 9 "totals: three tuples of three ranks"
    is "$(header modes.cll.0.dat tuple | sed 's/.*count=\([0-9]*\).*/\1/' | sort -u)" 100000 "executions"
    # the same executions stay in every process
    for r in 0 1 2; do awk -v r=$r '$1 == "g" && $7 == r {print $3}' modes.cll.0.dat | sort -n >seq.$r; done
    cmp seq.0 seq.1 && cmp seq.1 seq.2 || fail "other executions in other processes"
}

ten_million_samples_per_rank() {
    build modes
    limit=600 # ten seconds on a quiet machine
    CLL_MEMORY=600M runs 2 ./modes many 10000000
    is "$(rows modes.cll.0.dat g)" 20000000 rows
}

children_of_processes_have_files_of_their_own() {
    build modes
    runs 2 ./modes fork_in_between 2
    is "$(ls ./*.dat | wc -l)" 3 files
    is "$(cat ./*.dat | grep -c '^f ')" 8 "rows of f"
    is "$(cat ./*.dat | grep -c '^g ')" 2 "rows of the children"
    gone ./*.spool
}

off_measures_nothing_and_one_rank_may_be_off() {
    build modes
    CLL_OFF=1 runs 2 ./modes plain 3
    gone ./*.dat ./*.spool
    cat >some.sh <<'EOF'
[ "$OMPI_COMM_WORLD_RANK" != 0 ] || export CLL_OFF=1
exec ./modes plain 3
EOF
    runs 3 sh some.sh
    only ./modes.cll.0.dat
    is "$(values modes.cll.0.dat f rank)" "1 2 " ranks
    is "$(values modes.cll.0.dat f P)" "3 " P
}

file_that_cannot_be_written_leaves_the_spools() {
    build modes
    mkdir spool
    CLL_OUT=/proc CLL_SPOOL=$PWD/spool runs 2 ./modes plain 3
    is "$(grep -c 'cannot write' err)" 1 "messages in: $(cat err)"
    is "$(ls spool | wc -l)" 2 "spools"
    "$llac" -e 'save all.dat' spool/* >/dev/null
    is "$(rows all.dat f)" 6 rows
}

places_of_the_data_file_work_as_in_sequential_programs() {
    build modes
    mkdir there
    CLL_OUT=there CLL_RUN=4 runs 2 ./modes plain 3
    is "$(ls there)" modes.cll.0.dat "in the folder"
    is "$(values there/modes.cll.0.dat f run)" "4 " run
    CLL_OUT=x.dat runs 2 ./modes plain 3
    CLL_OUT=x.dat runs 2 ./modes plain 3
    only "./x.1.dat ./x.dat"
    CLL_SPOOL=off CLL_OUT=m.dat runs 2 ./modes plain 3
    is "$(rows m.dat f)" 6 "without spools"
}

program_with_own_wrappers_is_measured() {
    build modes
    cat >own.c <<'EOF'
#include <mpi.h>
#include <stdio.h>
#pragma cll parallel MPI
int MPI_Finalize(void)
{
    fputs("my own\n", stderr);
    return PMPI_Finalize();
}
int main(int argc, char **argv)
{
    int n = 3;
    PMPI_Init(&argc, &argv);
#pragma cll sync f f[0]*n*P
    n++;
#pragma cll end f
#pragma cll report all
    MPI_Finalize();
    return n - 4;
}
EOF
    "$call" cc "$mpicc" $sanitize own.c -o own
    runs 2 ./own
    is "$(grep -c 'my own' err)" 2 "own wrapper"
    only ./own.cll.0.dat
    is "$(rows own.cll.0.dat f)" 2 rows
}

program_without_experiments_needs_no_library() {
    build modes
    cat >none.c <<'EOF'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    return MPI_Finalize();
}
EOF
    # also if the pragma stands there that says what kind of program it is
    sed '1a #pragma cll parallel MPI' none.c >said.c
    for name in none said; do
        "$call" cc "$mpicc" $sanitize $name.c -o $name
        ! ldd $name | grep libcll || fail "libcll is needed"
        ! nm $name | grep cll_mpi_driver || fail "our driver is in it"
        runs 2 ./$name
        gone ./*.dat ./*.spool
    done
}

compiler_without_mpi_is_told_what_to_do() {
    mpi_library openmpi
    printf '#pragma cll parallel MPI\nint main(void)\n{\n    int n = 1;\n#pragma cll f f[0]*n\n    n++;\n#pragma cll end f\n    return 0;\n}\n' >x.c
    ! "$call" cc gcc x.c -o x 2>err || fail "accepted"
    has err 'use mpicc'
    # separate compiling and linking find the piece, too
    "$call" cc "$mpicc" $sanitize -c x.c && "$call" cc "$mpicc" $sanitize x.o -o x && ./x
    has x.cll.0.dat '# driver: seq'
}

sender_that_does_not_send_is_named() {
    cat >slow.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>
/* The first message of a gathering comes late. */
int PMPI_Ssend(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    static int calls;
    int (*real)(const void *, int, MPI_Datatype, int, int, MPI_Comm);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Ssend");
    if (!calls++)
        sleep(1);
    return real(data, n, type, to, tag, comm);
}
END
    build modes slow.c -ldl
    export CLL_PATIENCE=0.3
    runs 2 ./modes plain 3
    has err '^cll: gathering: process 0 has waited for [0-9.]* s for the samples of process 1. If that process is gone, end the program: the samples of each process are in its spool$'
    is "$(rows modes.cll.0.dat f)" 6 "rows, which came late"
}

late_processes_are_named() {
    build modes
    export CLL_PATIENCE=0.2
    late "#pragma cll sync" 3 0 ./modes late_sync 0
    is "$(rows modes.cll.0.dat f)" 3 "rows"
    late "#pragma cll report" 3 2 ./modes late_report 2
    is "$(rows modes.cll.0.dat g)" 3 "rows"
    late "the first sync or report of a communicator" 2 2 ./modes late_in_group 2
    is "$(values modes.cll.0.dat part P)" "1 2 " P
    CLL_PATIENCE=0 runs 3 ./modes late_sync 1
    ! grep -q cll: err || fail "something was said"
}

mpich_names_late_processes_too() {
    build_for mpich modes
    export CLL_PATIENCE=0.2
    for place in sync report; do late "#pragma cll $place" 3 1 ./modes late_$place 1; done
}

# until_said TEXT TEXT N PROGRAM...: a program that would wait for ever, until it has said both
until_said() {
    local first=$1 second=$2 n=$3 program
    shift 3
    : >err # not what the run before said
    timeout -k 5 300 $launcher -n "$n" "$@" >out 2>err </dev/null &
    program=$!
    while kill -0 $program 2>/dev/null && ! { grep -q "$first" err && grep -q "$second" err; }; do sleep 0.05; done
    kill $program
    wait $program
}

left_out_syncs_and_reports_are_reported() {
    build modes
    export CLL_PATIENCE=0.2
    until_said "#pragma cll sync" "the end of the parallel part" 3 ./modes left_out_sync 1
    waits "#pragma cll sync" 3 1
    has err "cll: the end of the parallel part: process 1 has waited for [0-9.]* s; 2 of 3 processes have not arrived: 0, 2;"
    until_said "#pragma cll report" "the end of the parallel part" 3 ./modes left_out_report 2
    waits "#pragma cll report" 3 2
    has err "cll: the end of the parallel part: process 2 has waited for [0-9.]* s; 2 of 3 processes have not arrived: 0-1;"
}

pipe_without_a_reader_gives_one_file_of_all() {
    build modes
    mkfifo pipe
    CLL_PATIENCE=0.2 CLL_OUT=pipe runs 3 ./modes plain 4
    has err "cll: CLL_OUT=.*/pipe: cannot be opened: no process reads it; the samples go to a data file in $PWD"
    only ./modes.cll.0.dat
    is "$(rows modes.cll.0.dat f)" 12 rows
    rm modes.cll.0.dat
    head -n 1 <pipe >first &
    CLL_OUT=pipe runs 3 ./modes many 5000
    has err "only a part was written: Broken pipe; the samples go to a data file"
    only ./modes.cll.0.dat
    well_formed modes.cll.0.dat
    is "$(rows modes.cll.0.dat g)" 15000 rows
}

spools_and_the_file_of_a_report_count_once() {
    build modes
    run 3 ./modes report_then_kill 4
    is "$(header modes.cll.0.dat process | wc -l)" 3 "processes in the file"
    is "$(ls modes.cll.*.spool | wc -l)" 3 spools
    "$llac" -e list modes.cll.* >listed 2>err || fail "not loaded"
    grep -Eq '^ *f .* 24( |$)' listed || { cat listed err >&2; fail "not 24 samples"; }
    is "$(cat err)" "" warnings
    # killed after the file was there, before the processes knew: the spools hold it all once more
    mkdir again
    for spool in modes.cll.*.spool; do
        spool_text "$spool" | sed 's/^\(# process: [^ ]*\) [0-9]* /\1 0 /' >"again/$spool.dat"
    done
    "$llac" -e list modes.cll.0.dat again/* >listed 2>err || fail "not loaded"
    is "$(grep -c 'is left out: it has samples of the same process as modes.cll.0.dat' err)" 3 "files left out"
    grep -Eq '^ *f .* 12( |$)' listed || { cat listed err >&2; fail "not 12 samples"; }
}

# Also if each process has another CLL_RUN: a body that waits for the others would wait forever.
processes_visit_shuffled_sizes_in_the_same_order() {
    build modes
    printf '#!/bin/sh\nCLL_RUN=$((OMPI_COMM_WORLD_RANK + 1)) exec ./modes shuffled 8\n' >wrapped
    chmod +x wrapped
    runs 3 ./wrapped
    is "$(sort -u out | wc -l)" 1 "orders"
    is "$(tr ' ' '\n' <out | grep -c .)" 27 "sizes of all processes"
    lacks out 'order 1 2 3 4 5 6 7 8'
    is "$(rows modes.cll.0.dat f)" 24 "rows"
}

# alone FLAVOUR: a program of two processes, ./alone_FLAVOUR, and its launcher
alone() {
    mpi_library "$1"
    printf '%s\n' '#include <mpi.h>' 'int main(int argc, char **argv)' '{' '    MPI_Init(&argc, &argv);' \
        '#pragma cll f f[0]' '    MPI_Barrier(MPI_COMM_WORLD);' '#pragma cll end f' '    MPI_Finalize();' '    return 0;' '}' >"alone_$1.c"
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" $sanitize "alone_$1.c" -o "alone_$1" 2>err || fail "alone_$1 does not compile"
}
# reports_launcher VARIABLE LIBRARY: the last run did, once
reports_launcher() {
    has err "^cll: the launcher started 2 processes ($1), but each of them is a program of its own, with P = 1: the launcher does not belong to $2,"
    is "$(grep -c '^cll:' err)" 1 "messages"
}

launcher_of_another_library_is_reported() {
    alone openmpi
    openmpi=$launcher
    alone mpich
    runs 2 ./alone_openmpi
    reports_launcher PMI_SIZE 'Open MPI'
    is "$(ls alone_openmpi.cll.*.dat | wc -l)" 2 files
    for i in 0 1; do has alone_openmpi.cll.$i.dat '^# launched: 2$'; done
    launcher=$openmpi
    runs 2 ./alone_mpich
    reports_launcher OMPI_COMM_WORLD_SIZE MPICH
    for i in 0 1; do has alone_mpich.cll.$i.dat '^# launched: 2$'; done
    "$llac" -e 'list' alone_mpich.cll.*.dat >out 2>err || fail "llac does not load the files"
    has err '^warning: alone_mpich.cll.0.dat and others: the launcher started 2 processes'
    "$llac" -e 'save both.dat' alone_mpich.cll.*.dat >out 2>err || fail "llac does not save the files"
    has both.dat '^# launched: 2$'
}

srun_without_an_interface_is_reported() {
    alone openmpi
    env SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 ./alone_openmpi >out 2>err || fail "exit status"
    reports_launcher SLURM_STEP_NUM_TASKS 'Open MPI'
    has err 'start it with another --mpi of srun'
    env SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=1 ./alone_openmpi >out 2>err || fail "exit status"
    silent # the first one reports
    has alone_openmpi.cll.1.dat '^# launched: 2$'
    env SLURM_STEP_NUM_TASKS=2 SLURM_PROCID=0 CLL_OFF=1 ./alone_openmpi >out 2>err || fail "exit status"
    silent
}

programs_that_are_alone_on_purpose_are_not_reported() {
    alone mpich
    ./alone_mpich >out 2>err || fail "exit status"
    silent
    env SLURM_NTASKS=4 SLURM_PROCID=0 ./alone_mpich >out 2>err || fail "exit status"
    silent # in a batch script
    export OMPI_COMM_WORLD_SIZE=4 OMPI_COMM_WORLD_RANK=0 SLURM_STEP_NUM_TASKS=4 SLURM_PROCID=0
    runs 1 ./alone_mpich
    silent # its own launcher, in a script that another one started
    lacks alone_mpich.cll.2.dat launched
}

main "$1"
