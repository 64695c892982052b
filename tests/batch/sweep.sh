# SPDX-License-Identifier: GPL-3.0-or-later
# call run with numbers of processors: translate, compile, sweep, fit.
. "$CLL_SOURCE/tests/batch/setup.sh"

# source: work.c, for Open MPI's mpicc as MPICC
source_mpi() {
    mpi_library openmpi
    cp "$here/work.c" .
    export MPICC="$mpicc $sanitize"
}

run_sweeps_mpi_processes() {
    source_mpi
    takes '1e-5 + 1e-8*value("n")*P'
    exits 0 env CC=false "$call" run --procs 1:3:+1 -n 2 -q work.c
    is "$(data)" "work.cll.p1.r1.dat work.cll.p1.r2.dat work.cll.p2.r1.dat work.cll.p2.r2.dat work.cll.p3.r1.dat work.cll.p3.r2.dat " files
    is "$(values work.cll.p3.r2.dat f P)$(values work.cll.p3.r2.dat f run)" "3 2 " "P and run"
    has out 'work: 2 rounds with P = 1 2 3'
    has out 'f\[1\]'
    has out '9 points, 18 samples'
    exits 0 "$call" run --oversubscribe -n 1 -q work.c
    is "$(data)" "work.cll.p1.r1.dat work.cll.p1.r2.dat work.cll.p1.r3.dat work.cll.p2.r1.dat work.cll.p2.r2.dat work.cll.p2.r3.dat work.cll.p3.r1.dat work.cll.p3.r2.dat work.cll.p4.r3.dat " "the pragma's procs; rounds go on"
}

run_sweeps_openmp_threads() {
    cp "$here/threads.c" .
    exits 0 "$call" run --cc "$cc" --procs 1,3 -n 1 threads.c -- 'a b'
    is "$(data)" "threads.cll.p1.r1.dat threads.cll.p3.r1.dat " files
    is "$(values threads.cll.p3.r1.dat share P)" "3 " "threads"
    is "$(grep -o '<a b>' out | wc -l)" 2 "what it says is shown"
    has out 'share\[1\]'
    exits 0 "$call" run --cc "$cc" --cflags '-O1 -fopenmp' -p 2 -n 1 -q --launcher 'env -u X' threads.c
    is "$(data)" "threads.cll.p1.r1.dat threads.cll.p2.r1.dat threads.cll.p3.r1.dat " files
}

run_and_script_visit_alike() {
    threads
    rm -f script.*
    "$call" --cc "$cc" --procs 1:64 threads.c
    sh threads.cll.sh --dry-run --rounds 2 | sed 's/.*NUM_THREADS=\([0-9]*\) .*/\1/' | tr '\n' ' ' >order
    cat >note.c <<'EOF'
#include <stdio.h>
#include <stdlib.h>
#pragma cll parallel OpenMP
int main(void)
{
    FILE *f = fopen("visited", "a");
    fprintf(f, "%s ", getenv("OMP_NUM_THREADS"));
    fclose(f);
#pragma cll f f[0]*P
    ;
#pragma cll end f
    return 0;
}
EOF
    timeout 300 "$call" run --cc "$cc" --procs 1:64 -n 2 -q note.c >out 2>err
    is "$(cat visited)" "$(cat order)" "the order of two rounds"
    rm -f ./*.dat
    exits 0 "$call" run --cc "$cc" --procs 1,2 -n 1 -q threads.c
    exits 0 sh threads.cll.sh --resume --rounds 2 --procs 1,2
    has out '4 of 4 runs are complete, 2 of them from before'
}

processors_that_are_not_here_are_left_out() {
    cp "$here/threads.c" .
    exits 0 taskset -c "$(taskset -cp $$ | sed 's/.*: \([0-9]*\).*/\1/')" "$call" run --cc "$cc" -n 1 -q threads.c
    is "$(data)" "threads.cll.p1.r1.dat " files
    has err 'this machine has 1 processors; P = 2 3 4 is left out (--oversubscribe'
    sed 's/procs = .*/procs = 100000, 200000/' "$here/threads.c" >threads.c
    exits 1 "$call" run --cc "$cc" -n 1 -q threads.c
    has err 'the pragma has only larger numbers: P = 100000 200000; --oversubscribe'
    sed 's/procs = .*//' "$here/threads.c" >threads.c
    exits 0 "$call" run --cc "$cc" -n 1 -q threads.c
}

processors_and_sizes_are_varied_together() {
    source_mpi
    exits 1 "$call" run --procs 1,2 --vary k=1,2 -n 2 -q work.c -- fail '{k}' 'a b'
    is "$(data)" "work.cll.p1.k2.r1.dat work.cll.p1.k2.r2.dat work.cll.p2.k1.r1.dat work.cll.p2.k1.r2.dat " "files of those that do not fail"
    is "$(header work.cll.p2.k1.r2.dat setting)" "k 1" setting
    is "$(grep -c 'the program failed with exit status 3' err)" 2 "each is tried once"
    has err 'round 1, P = 2, k = 2: the program failed'
    has out ': 2 rounds at 4 places, failed at P = 1, k = 1; P = 2, k = 2; data in'
    # earlier runs are not replaced
    exits 0 "$call" run --procs 1 --vary k=2 -n 1 -q work.c -- fail '{k}'
    exists work.cll.p1.k2.r3.dat
    # the number of processors is an argument as well
    exits 1 "$call" run --procs 1,2 -n 1 -q work.c -- fail '{P}'
    is "$(grep -c 'P = [12]: the program failed with exit status 3' err)" 2 "each gets its number"
}

failing_count_is_dropped() {
    source_mpi
    exits 1 "$call" run --procs 1,2,4 -n 2 -q work.c -- fail 2
    is "$(grep -c 'the program failed with exit status 3' err)" 1 "tried once"
    has err 'round 1, P = 2'
    has out 'with P = 1 2 4, failed with P = 2'
    has out 'f\[1\]'
    is "$(ls work.cll.p[14].r?.dat | tr '\n' ' ')" "work.cll.p1.r1.dat work.cll.p1.r2.dat work.cll.p4.r1.dat work.cll.p4.r2.dat " "the others"
    gone work.cll.p2.r1.dat work.cll.p2.r2.dat
    [ -s work.cll.p2.r1.part/1/data.dat ] || ls work.cll.p2.r1.part/1/*.spool >/dev/null || fail "what it measured is lost"
    has out 'left out of the fits, because the run was not complete: work.cll.p2.r1.part/1$'
    has out '6 points, [0-9]* samples'
    exits 0 "$llac" -e "show f" work.cll.p2.r1.part/1/data*
    # A further run goes on behind it, and says what its fit is of.
    exits 0 "$call" run --procs 1,2 -n 1 -q work.c
    has out '6 points, 6 samples'
    has out 'the fits use only this run; to include the data measured here before: llac work.cll.p\*.r\*.dat'
    [ -s work.cll.p2.r3.dat ] || fail "not the third round"
}

interrupted_sweep_is_fitted() {
    source_mpi
    with_signals "$call" run --procs 1,2,4 -n 1 work.c -- hold 1
    appears waiting
    kill -INT $pid
    wait $pid
    is $? 130 "exit status"
    has out ': 1 round with P = 1 2, which was interrupted; data in work.cll.p2.r1.dat$'
    has out 'because the run was not complete: work.cll.p1.r1.part/1$'
    has out 'f\[1\]'
    gone work.cll.p1.r1.dat
}

# A terminal sends to all of its processes: the launcher must not get it twice.
nothing_runs_after_an_interrupt_at_a_terminal() {
    source_mpi
    command -v python3 >/dev/null && command -v pgrep >/dev/null || skip "no python3 or pgrep"
    cat >terminal.py <<'EOF'
import os, pty, sys, time
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
while not os.path.exists("waiting"):
    time.sleep(0.05)
os.write(fd, b"\x03")
if "stubborn" in sys.argv:
    time.sleep(0.3)
    os.write(fd, b"\x03")
try:
    while os.read(fd, 4096):
        pass
except OSError:
    pass
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) & 127)
EOF
    mark=hold-$$
    for how in run script; do
        rm -rf waiting ./*.part
        if [ $how = run ]; then
            set -- "$call" run --procs 2 -n 1 -q work.c
        else
            "$call" --cc "$mpicc" work.c && "$call" cc $MPICC work.c -o work || fail "not compiled"
            set -- sh work.cll.sh --procs 2 --rounds 1
        fi
        for mode in wait stubborn; do # the latter is interrupted twice
            rm -f waiting
            status=0
            timeout 300 python3 terminal.py "$@" -- $mode 60 $mark >out 2>&1 || status=$?
            ! pgrep -f "$mode 60 $mark" >left || { cat left out >&2; fail "$how, $mode: processes are left"; }
            [ "$status" = 2 ] || { cat out >&2; fail "$how, $mode ended with $status"; }
        done
    done
}

sweeps_in_one_folder_do_not_meet() {
    cp "$here/threads.c" .
    for i in 1 2 3; do
        timeout 300 "$call" run --cc "$cc" --procs 1,2 -n 2 -q threads.c >"out$i" 2>&1 </dev/null &
    done
    for _ in 1 2 3; do wait -n || { cat out? >&2; fail "one of them failed"; }; done
    is "$(data | wc -w)" 12 "runs"
    gone ./*.part
    for i in 1 2 3; do has "out$i" '2 rounds with P = 1 2; data'; done
}

# A reader that goes away costs nothing but what it does not read.
output_may_be_read_in_part() {
    cp "$here/threads.c" .
    mkdir temporary
    TMPDIR=$PWD/temporary "$call" run --cc "$cc" --procs 1,2 -n 2 threads.c 2>err | true
    is "$(data)" "threads.cll.p1.r1.dat threads.cll.p1.r2.dat threads.cll.p2.r1.dat threads.cll.p2.r2.dat " files
    gone temporary/*
    lacks err 'could not be fitted'
}

data_that_cannot_be_placed_is_kept() {
    sed '/pragma cll parallel/d; s/double sum = 0;/double sum = 0; rename("there", "away");/' "$here/threads.c" >threads.c
    mkdir there temporary
    TMPDIR=$PWD/temporary exits 1 "$call" run --cc "$cc" -n 2 --outdir there -q threads.c
    is "$(grep -c 'cannot write there/threads' err)" 1 "it stops at once"
    kept=$(sed -n 's/.*the data of this run is kept in \(.*\); no further run is made/\1/p' err)
    exits 0 "$llac" -e 'show share' "$kept"/*.dat
    has out '4 samples'
}

folder_that_goes_away_stops_the_sweep() {
    sed 's/return sum > 1e9;/rename("there", "away"); return sum > 1e9;/' "$here/threads.c" >threads.c
    mkdir there temporary
    TMPDIR=$PWD/temporary exits 1 "$call" run --cc "$cc" --procs 1,2 -n 2 --outdir there -q threads.c
    has err 'round 1, P = 2: its folder there/threads.cll.p2.r1.part/1 is gone'
    has err 'round 1, P = 1: cannot write in there'
    lacks err 'round 2'
    gone there temporary/*
    exits 0 "$llac" -e 'show share' away/*.part/1/data*
    has out '4 samples'
}

variable_of_the_same_name_is_shown_plainly() {
    cat >own.c <<'EOF'
int main(void)
{
    for (int P = 1; P < 3; P++) {
#pragma cll f f[0] + f[1]*P
        ;
#pragma cll end f
    }
    return 0;
}
EOF
    takes '1e-3 + 2e-2*e->run' # no two rounds alike
    exits 0 "$call" run --cc "$cc" -n 3 -q own.c
    has out '^not steady after .*: 2 of 2 points vary by more than 5 %, f P=[12] by'
}

wrong_launcher_is_told() {
    source_mpi
    printf '#!/bin/sh\nshift\nexec "$@"\n' >alone
    chmod +x alone
    exits 1 "$call" run --procs 1,2 -n 1 -q --launcher './alone {P}' work.c
    has err 'P = 2: the program ran with 1 processes, not 2: the launcher is not that of its MPI library'
    exits 1 "$call" run --procs 2 -n 1 -q --launcher './alone 2' work.c
    has err 'write {P} there'
    exits 0 "$call" run --procs 2 -n 1 -q --launcher openmpi work.c
    [ "$(id -u)" != 0 ] || exits 1 env -u OMPI_ALLOW_RUN_AS_ROOT "$call" run --procs 2 work.c
}

sweeps_that_make_no_sense_are_refused() {
    printf 'int main(void) { return 0; }\n' >plain.c
    exits 1 "$call" run --cc "$cc" --procs 1,2 plain.c
    has err '--procs: this program is sequential'
    exits 1 "$call" run --cc "$cc" -n 1 plain.c
    has err 'the program wrote no data: no source has cll pragmas'
    exits 2 "$call" run --procs 0:4 plain.c
    has err 'a range that multiplies has numbers above 0 only'
    printf '#include <mpi.h>\n#pragma cll parallel MPI\n' | cat - plain.c >mpi.c
    mkdir none
    exits 1 env -u CC -u MPICC PATH="$PWD/none" "$call" run -p 1 mpi.c
    has err 'this is an MPI program, and there is no mpicc on PATH'
    exits 1 "$call" run --simulate x.xml plain.c
    has err 'only such programs can be simulated'
    exits 2 "$call" run --procs 1:x plain.c
    has err '--procs:1:3: error'
    exits 2 "$call" run --procs 0 plain.c
    has err 'procs must be positive integers; 0 is not'
    exits 2 "$call" run --smpi x plain.c
    has err 'need --simulate'
    exits 2 "$call" run --measured-compute plain.c
    exits 2 "$call" run --hostfile x plain.c
    exits 2 "$call" run --simulate x --launcher y plain.c
    sed 's/procs = .*//' "$here/threads.c" >threads.c
    exits 1 "$call" run --cc "$cc" --launcher 'env {P}' threads.c
    has err 'the number of processors is missing'
    sed 's/main/other_main/; s/share/other/g; s/procs = .*/procs = 7/' "$here/threads.c" >other.c
    cp "$here/threads.c" .
    exits 1 "$call" run --cc "$cc" threads.c other.c
    has err 'two sources have different procs'
    printf '#ifdef PARALLEL\n#pragma cll parallel OpenMP\n#endif\nint main(void) { int n = 1;\n#pragma cll f f[0]*n\n n++;\n#pragma cll end f\nreturn 0; }\n' >off.c
    exits 1 "$call" run --cc "$cc" --procs 1,2 off.c
    has err 'the compiler sees no'
    gone ./*.dat
}

pragma_in_a_header_counts() {
    source_mpi
    grep 'pragma cll parallel' work.c >kind.h
    sed 's/#pragma cll parallel.*/#include "kind.h"/' "$here/work.c" >work.c
    exits 0 env CC=false "$call" run -p 1,2 -n 1 -q work.c
    is "$(data)" "work.cll.p1.r1.dat work.cll.p2.r1.dat " files
}

header_of_the_compiler_counts() {
    mkdir kinds
    echo '#pragma cll parallel OpenMP' >kinds/kind.h
    printf '#include <kind.h>\nint main(void)\n{\n    int n = 1;\n#pragma cll f f[0]*n\n    n++;\n#pragma cll end f\n    return n == 0;\n}\n' >team.c
    exits 0 "$call" run --cc "$cc -Ikinds" -p 1,2 -n 1 -q team.c
    is "$(data)" "team.cll.p1.r1.dat team.cll.p2.r1.dat " files
}

run_with_mpich() {
    [ -e "$CLL_BUILD/lib/libcll_mpi_mpich.a" ] || skip "no MPICH was found when this was built"
    command -v mpicc.mpich >/dev/null && command -v mpiexec.mpich >/dev/null || skip "no mpicc.mpich"
    cp "$here/work.c" .
    exits 0 "$call" run --cc "mpicc.mpich $sanitize" -p 1,2 -n 1 -q work.c
    is "$(header work.cll.p2.r1.dat world)" 2 processes
    "$call" --cc mpicc.mpich work.c || fail "not translated"
    is "$(grep '^launcher=' work.cll.sh)" "launcher=mpich" "the script's launcher"
    has work.cll.sh "^name=work"
    "$call" cc mpicc.mpich $sanitize work.c -o work || fail "not compiled"
    exits 0 sh work.cll.sh --procs 1,2 --rounds 1 --resume
    exits 0 sh work.cll.sh --procs 2 --rounds 2 --resume
    is "$(header work.cll.p2.r2.dat world)" 2 processes
}

main "$1"
