# SPDX-License-Identifier: GPL-3.0-or-later
# The batch scripts that call writes for programs with procs: they are run here.
. "$CLL_SOURCE/tests/batch/setup.sh"

every_count_runs_in_every_round() {
    mpi work
    exits 0 dash work.cll.sh --rounds 2
    is "$(data)" "work.cll.p1.r1.dat work.cll.p1.r2.dat work.cll.p2.r1.dat work.cll.p2.r2.dat work.cll.p4.r1.dat work.cll.p4.r2.dat " files
    is "$(values work.cll.p4.r2.dat f P)$(values work.cll.p4.r2.dat f run)$(header work.cll.p4.r2.dat world)" "4 2 4" "P, run and world"
    is "$(grep -c '^\[[1-6]/6\] P=[124] round [12] \.\.\. ok [0-9]*\.[0-9] s$' out)" 6 "a line for each run"
    is "$(wc -l <out)" 8 "lines"
    is "$(grep -c 'this machine has' err)" "$([ "$(nproc)" -ge 4 ] && echo 0 || echo 1)" "more processes than cores is said once"
    exits 0 env OMP_NUM_THREADS=1 dash work.cll.sh --rounds 1 --procs 2 --resume
    [ "$(nproc)" -lt 2 ] || lacks err "this machine has"
    gone ./*.part ./*.spool ./*.out
    "$llac" -e 'fit f' work.cll.p*.r*.dat >fit.txt || fail "llac"
    has fit.txt 'f\[1\]'
}

sizes_of_the_arguments_are_varied() {
    mpi work
    exits 0 dash work.cll.sh --rounds 2 --procs 1,2 --vary k=20,10 -- plain '{k}' 'a $(touch pwned) {k}'
    is "$(data)" "work.cll.p1.k10.r1.dat work.cll.p1.k10.r2.dat work.cll.p1.k20.r1.dat work.cll.p1.k20.r2.dat \
work.cll.p2.k10.r1.dat work.cll.p2.k10.r2.dat work.cll.p2.k20.r1.dat work.cll.p2.k20.r2.dat " files
    is "$(header work.cll.p2.k20.r2.dat setting)" "k 20" setting
    is "$(grep -c '^\[[1-8]/8\] P=[12] k=[12]0 round [12] \.\.\. ok [0-9]*\.[0-9] s$' out)" 8 "a line for each run"
    gone pwned ./*.part
    "$llac" -e 'fit f = f[0] + f[1]*k' work.cll.p*.r*.dat >fit.txt || fail "llac"
    exits 1 dash work.cll.sh --rounds 2 --procs 1 --vary k=10 -- plain '{k}' 'a $(touch pwned) {k}'
    has err 'work.cll.p1.k10.r1.dat exists already: --resume continues that sweep'
    exits 0 dash work.cll.sh --resume --rounds 2 --procs 1 --vary k=10,40 -- plain '{k}' 'a $(touch pwned) {k}'
    has out '^4 of 4 runs are complete, 2 of them from before'
}

varied_arguments_are_quoted_and_few() {
    mpi work
    exits 0 env CLL_SETTINGS=k=3 dash work.cll.sh --dry-run --rounds 1 --procs 1 --vary n=7 --vary m=0,2 -- "it's {n}{m}" '{o}{P}'
    is "$(sed 's/.*CLL_SETTINGS=\([^ ]* [^ ]* [^ ]*\) .*\.\/work/\1/' out | sort)" \
        "'k=3 n=7 m=0' 'it'\\''s 70' '{o}1'
'k=3 n=7 m=2' 'it'\\''s 72' '{o}1'" commands
    exits 0 dash work.cll.sh --dry-run --rounds 1 --procs 1 --vary n=1:64 --vary m=1:64 -- '{n}' '{m}'
    is "$(wc -l <out)" 17 "each alone, and the smallest together"
    exits 0 bash work.cll.sh --dry-run --rounds 1 --procs 1 --vary n=1:16 --vary m=1:32 -- '{n}' '{m}'
    is "$(wc -l <out)" 30 "all of few"
}

bad_sizes_are_refused() {
    mpi work
    while read -r words; do
        IFS='|' read -r options message <<<"$words"
        # shellcheck disable=SC2086
        exits 2 dash work.cll.sh $options -- '{n}'
        has_text err "$message"
    done <<'END'
--vary n|--vary: 'n' is not NAME=RANGE
--vary 2n=3|--vary: '2n=3' is not NAME=RANGE
--vary n.m=3|--vary: 'n.m=3' is not NAME=RANGE
--vary P=3|--vary: 'P=3' names P
--vary n=3 --vary n=4|--vary: 'n=4' names a variable twice
--vary n=1.5|--vary: '1.5' is not a range
--vary n=|--vary: '' is not a range
--vary n=1:300:+1|--vary asks for 300 runs in each round, at most 200 are made
--vary n=1:900:+1 --vary m=1:20:+1|--vary: 'm=1:20:+1' has too many sizes
--vary m=3|{m} is nowhere in the arguments: write it after '--' where the program takes m, as in '-- {m}'
END
}

rounds_differ_in_their_order() {
    mpi work
    exits 0 dash work.cll.sh --dry-run --procs 1:16 --rounds 6
    is "$(sed 's/ mpirun.*//; s/.*CLL_RUN=//' out | uniq -c | awk '{print $1}' | tr '\n' ' ')" "5 5 5 5 5 5 " "rounds outermost"
    is "$(sed -n 's/.* CLL_RUN=1 .*-n \([0-9]*\) .*/\1/p' out | sort -n | tr '\n' ' ')" "1 2 4 8 16 " "each once"
    [ "$(awk 'NR % 5 == 1' out | sed 's/.*-n \([0-9]*\) .*/\1/' | sort -u | wc -l)" -gt 1 ] || fail "all rounds begin alike"
    cp out first
    exits 0 bash work.cll.sh --dry-run --procs 1:16 --rounds 6
    cmp first out || fail "another order in another shell"
    gone ./*.part ./*.dat
}

time_limits_the_rounds() {
    threads
    for shell in dash bash; do
        rm -f ./*.dat ./*.sweep
        exits 0 $shell script.sh --time 2s --procs 1,2
        rounds=$(data | tr ' ' '\n' | grep -c '\.p1\.')
        [ "$rounds" -ge 1 ] || fail "no round"
        is "$(data | tr ' ' '\n' | grep -c '\.p2\.')" "$rounds" "both numbers in each round"
        is "$(grep -c '^\[[0-9]*\] P=[12] round [0-9]* \.\.\. ok' out)" $((2 * rounds)) "lines"
        has out "^$((2 * rounds)) of $((2 * rounds)) runs are complete$"
        exits 0 $shell script.sh --time 1s --procs 1,2 --resume
        [ "$(data | tr ' ' '\n' | grep -c '\.p1\.')" -gt "$rounds" ] || fail "no further round"
        exits 1 $shell script.sh --time 1m --procs 2
        has err 'threads.cll.p2.r1.dat exists already: --resume'
    done
    rm -f ./*.dat ./*.sweep
    exits 0 sh script.sh --time 1h --rounds 1 --procs 2
    is "$(data)" "threads.cll.p2.r1.dat " "with --rounds"
    exits 0 sh script.sh --time 1h --procs 1,2 --dry-run
    is "$(wc -l <out)" 2 "commands"
    for value in 0 -1 1.5 10d soon; do
        exits 2 sh script.sh --time "$value" --procs 2
        has err "^script.sh: --time: '$value' is not a time; write whole seconds, minutes or hours as 30s, 10m or 2h"
    done
}

resume_runs_what_is_missing() {
    mpi work
    exits 0 sh work.cll.sh --rounds 1
    exits 1 sh work.cll.sh --rounds 1
    has err 'work.cll.p1.r1.dat exists already: --resume'
    rm work.cll.p2.r1.dat
    cp -p work.cll.p4.r1.dat before.dat
    exits 0 sh work.cll.sh --resume --rounds 2
    is "$(data)" "work.cll.p1.r1.dat work.cll.p1.r2.dat work.cll.p2.r1.dat work.cll.p2.r2.dat work.cll.p4.r1.dat work.cll.p4.r2.dat " files
    is "$(grep -c ' ok ' out)" 4 runs
    has out '6 of 6 runs are complete, 2 of them from before'
    cmp work.cll.p4.r1.dat before.dat || fail "a complete run was run again"
    exits 0 sh work.cll.sh --rounds 2 --resume
    lacks out ' ok '
}

interrupted_sweep_goes_on_with_resume() {
    mpi work
    for name in INT TERM; do
        rm -rf ./*.part ./*.dat waiting
        with_signals dash work.cll.sh --rounds 1 --procs 2 -- early
        appears waiting
        appears work.cll.p2.r1.part/1/data.dat
        kill -s $name $pid
        wait $pid
        is $? "$([ $name = INT ] && echo 130 || echo 143)" "exit status after $name"
        has out "stopped by SIG$name: 0 of 1 runs are complete; continue with: sh work.cll.sh --resume --rounds 1 --procs 2 -- early"
        gone ./*.dat
        [ -e work.cll.p2.r1.part/1/data.dat ] || fail "the data so far is lost"
        ls work.cll.p2.r1.part/1/*.spool >/dev/null || fail "no spool"
    done
    exits 0 "$llac" -e 'show f' work.cll.p2.r1.part/1/data*
    has out '6 samples'
    exits 0 sh work.cll.sh --resume --rounds 1 --procs 2
    is "$(data)" "work.cll.p2.r1.dat " files
    is "$(rows work.cll.p2.r1.dat f)" 6 rows
    gone ./*.part
}

stubborn_program_is_killed_by_a_second_signal() {
    cat >stubborn.sh <<'EOF'
#!/bin/sh
trap '' TERM
touch waiting
i=0
while [ $i -lt 600 ]; do sleep 0.1; i=$((i + 1)); done
EOF
    chmod +x stubborn.sh
    threads
    with_signals dash script.sh --rounds 1 --procs 1 stubborn.sh
    appears waiting
    kill -TERM $pid
    sleep 0.3
    kill -0 $pid || fail "the first signal was not left to the program"
    kill -TERM $pid
    wait $pid
    is $? 143 "exit status"
}

failed_run_does_not_stop_the_others() {
    mpi work
    exits 1 sh work.cll.sh --rounds 2 -- fail 2
    is "$(data)" "work.cll.p1.r1.dat work.cll.p1.r2.dat work.cll.p4.r1.dat work.cll.p4.r2.dat " files
    has out '4 of 6 runs are complete'
    has out '2 of the runs failed:'
    has out 'P=2 round 1: the program failed with exit status 3; its samples and output: work.cll.p2.r1.part/1'
    has out 'try them again with: sh work.cll.sh --resume --rounds 2 -- fail 2'
    has out '^\[.*\] P=2 round 1 ... FAILED .* s: the program failed with exit status 3$'
    has out 'the end of work.cll.p2.r1.part/1/output:'
    is "$(sed -n '/the end of work.cll.p2.r1/,/^\[/p' out | grep -c '^    | .*')" 5 "lines of what it said"
    gone ./*.part/lock
    exits 0 env SLURM_JOB_ID=1 sh work.cll.sh --rounds 1 --procs 1 --resume -- fail 2
    exits 1 env SLURM_JOB_ID=1 sh work.cll.sh --rounds 1 --procs 2 --resume -- fail 2
    has out 'try them again with: sh work.cll.sh --resume'
    rm work.cll.sweep
    exits 0 sh work.cll.sh --rounds 2 --resume
    has out '6 of 6 runs are complete, 4 of them from before'
    gone ./*.part
}

run_without_data_fails() {
    threads
    exits 1 sh script.sh --rounds 1 --procs 1 --program "$(type -P true)"
    has out 'P=1 round 1: the program wrote no data: no region was reached, it ended early, or it is not built with call'
    exits 1 sh script.sh --rounds 1 --procs 1 --program ./nowhere
    has err 'there is no program ./nowhere: build it'
}

run_that_could_not_write_its_data_fails() {
    threads
    printf '#!/bin/sh\ntouch "${CLL_OUT%%/*}/data.1.spool"\n' >full
    chmod +x full
    exits 1 sh script.sh --rounds 1 --procs 1 full
    has out 'P=1 round 1: a process ended before its samples were written, or could not write them'
}

program_that_changes_its_folder_is_measured() {
    threads
    mkdir elsewhere
    printf '#!/bin/sh\ncd elsewhere && exec ../threads\n' >within
    chmod +x within
    exits 0 sh script.sh --rounds 1 --procs 1,2 --program ./within
    is "$(data)" "within.cll.p1.r1.dat within.cll.p2.r1.dat " files
    is "$(ls elsewhere)" ''
}

full_disk_is_told() {
    threads
    mkdir small
    cat >inside <<'EOF'
mount -t tmpfs -o size=64k none small || exit 77
: >mounted
head -c 50000 /dev/zero >small/fill
sh script.sh --rounds 1 --procs 1,2,3,4 --outdir small
EOF
    status=0
    for mounts in "unshare -m" "unshare -rm"; do
        status=0
        timeout 300 $mounts sh inside >out 2>err || status=$?
        [ -e mounted ] && break
    done
    [ -e mounted ] || skip "cannot mount"
    [ $status = 1 ] || fail "exit status $status"
    has out 'the program wrote no data, and there is no room for any in small/.*: is the disk full?'
}

resume_is_for_the_same_runs() {
    threads
    exits 0 sh script.sh --rounds 1 --procs 1 -- 'a b'
    exits 0 sh script.sh --rounds 2 --procs 1 --resume -- 'a b'
    exits 1 sh script.sh --rounds 3 --procs 1 --resume -- b
    has err "was measured with other arguments: 'a b' (see threads.cll.sweep)"
    echo x >input
    exits 1 sh script.sh --rounds 3 --procs 1 --resume --input input -- 'a b'
    has err "was measured with another input"
    # shellcheck disable=SC2086
    "$call" cc $cc -O0 -DOTHER -fopenmp threads.c -o threads || fail "not compiled"
    exits 1 sh script.sh --procs 2 -- 'a b'
    has err 'was measured with another build of ./threads'
    is "$(data)" "threads.cll.p1.r1.dat threads.cll.p1.r2.dat " files
    rm threads.cll.sweep
    exits 0 sh script.sh --rounds 3 --procs 1 --resume -- b
    rm ./*.dat
    exits 0 sh script.sh --rounds 1 --procs 1
}

scripts_in_one_folder_do_not_meet() {
    mpi work
    with_signals dash work.cll.sh --rounds 1 --procs 2 -- once
    appears waiting
    mv out first
    exits 1 dash work.cll.sh --rounds 1 --procs 1,2 -- once
    has out 'P=2 round 1 ... another script is running it'
    has out "P=2 round 1: another script is running it ($(uname -n) $pid 0); if that is not so, remove work.cll.p2.r1.part/lock"
    is "$(data)" "work.cll.p1.r1.dat " "the other run"
    ls work.cll.p2.r1.part/1/*.spool >/dev/null || fail "the first script's run is lost"
    kill -TERM $pid
    wait $pid
    gone work.cll.p2.r1.part/lock
    # A lock that a script left when it was killed does not hold up anybody here.
    mkdir work.cll.p2.r1.part/lock
    echo "$(uname -n) $pid 0" >work.cll.p2.r1.part/lock/owner
    exits 0 dash work.cll.sh --rounds 1 --procs 1,2 --resume -- once
    is "$(data)" "work.cll.p1.r1.dat work.cll.p2.r1.dat " files
    gone ./*.part
    mkdir -p work.cll.p4.r1.part/lock
    echo "elsewhere $pid 0" >work.cll.p4.r1.part/lock/owner
    exits 1 dash work.cll.sh --rounds 1 --procs 4 -- once
}

closed_output_stops_the_sweep() {
    [ -z "$(trap -p PIPE)" ] || skip "whoever started the tests ignores SIGPIPE"
    threads
    sh script.sh --rounds 20 --procs 1,2 2>err | head -1 >out
    has out '^\[1/40\]'
    [ "$(data | wc -w)" -lt 40 ] || fail "it went on"
    gone ./*.part/lock
    exits 0 sh script.sh --resume --rounds 1 --procs 1,2
}

wrong_launcher_is_noticed() {
    mpi work
    printf '#!/bin/sh\nshift\nexec "$@"\n' >alone
    chmod +x alone
    exits 1 sh work.cll.sh --rounds 1 --procs 1,2 --launcher './alone {P}'
    has out '1 of 2 runs are complete'
    has out 'P=2 round 1: the program ran with 1 processes, not 2: the launcher is not that of its MPI library'
    exits 2 sh work.cll.sh --launcher 'mpirun -n 4'
    has err 'write {P} there'
    exits 2 sh work.cll.sh --launcher openmp
    has err 'openmp is not for programs of this kind'
    exits 0 sh work.cll.sh --rounds 1 --procs 2 --outdir . --resume --launcher 'mpirun --oversubscribe -n "{P}"'
    has out '1 of 1 runs are complete'
}

launcher_is_found_where_call_could_not_tell() {
    mpi work
    cp work.c other.c
    "$call" --raw --cc false other.c || fail "not translated"
    is "$(grep '^launcher=' other.cll.sh)" "launcher=''" "the launcher is open"
    exits 0 sh other.cll.sh --program ./work --procs 1,2 --rounds 1
    is "$(data)" "work.cll.p1.r1.dat work.cll.p2.r1.dat " files
    mkdir bin
    for tool in nproc lscpu grep sort wc id sed tr env; do ln -s "$(type -P $tool)" bin; done
    exits 1 env PATH="$PWD/bin" "$(type -P dash)" other.cll.sh --program ./work
    has err 'no launcher of Open MPI or MPICH was found (looked for: mpirun.openmpi mpirun mpiexec)'
}

open_mpi_gets_options_for_crowds_and_variables() {
    mpi work
    command -v mpirun.openmpi >/dev/null || skip "no mpirun.openmpi"
    export SLURM_NTASKS=2 CLL_OUT=elsewhere CLL_MEMORY=8M
    unset CLL_SANITIZE CLL_BIN CLL_BUILD CLL_SOURCE
    exits 0 sh work.cll.sh --dry-run --rounds 1 --procs 2
    has out ' mpirun.openmpi -n 2 -x CLL_OUT -x CLL_RUN -x CLL_MEMORY ./work$'
    exits 0 sh work.cll.sh --dry-run --rounds 1 --procs 3
    has out ' mpirun.openmpi -n 3 --oversubscribe -x CLL_OUT -x CLL_RUN -x CLL_MEMORY ./work$'
    sed 's/^hybrid=no/hybrid=yes/' work.cll.sh >hybrid.sh
    exits 0 sh hybrid.sh --dry-run --rounds 1 --procs 2
    has out ' mpirun.openmpi -n 2 --bind-to none -x CLL_OUT -x CLL_RUN -x CLL_MEMORY ./work$'
}

own_launchers_are_words_with_a_place_for_P() {
    mpi work
    exits 0 sh work.cll.sh --dry-run --rounds 1 --procs 12 --launcher "srun 'a b' -n{P}:{P}"
    has out " CLL_RUN=1 srun 'a b' -n12:12 ./work$"
    # Open MPI must be told which variables to hand on to other hosts; its options come before a program that starts ours.
    for variable in $(env | sed -n 's/^\(CLL_[A-Z0-9_]*\)=.*/\1/p'); do ignore="${ignore:-} -u $variable"; done
    # shellcheck disable=SC2086
    exits 0 env $ignore CLL_OBSERVE=CPUTIME sh work.cll.sh --dry-run --rounds 1 --procs 12 --launcher "$launcher -x CLL_RUN -n {P} nice -n 1"
    has_text out " ${launcher%% *} -x CLL_OUT -x CLL_OBSERVE ${launcher#* } -x CLL_RUN -n 12 nice -n 1 ./work"
    threads
    exits 0 sh script.sh --dry-run --rounds 1 --procs 3 --launcher 'taskset 1'
    has out ' CLL_RUN=1 OMP_NUM_THREADS=3 taskset 1 ./threads$'
}

root_is_asked_for_with_open_mpi() {
    [ "$(id -u)" = 0 ] || skip "not root"
    mpi work
    exits 1 env -u OMPI_ALLOW_RUN_AS_ROOT sh work.cll.sh
    has err 'Open MPI does not run programs for root'
    gone ./*.part
}

threads_get_their_number() {
    threads
    echo "a line" >input
    exits 0 sh script.sh --rounds=1 --input=input -- 'a  b' "it's" '*' '$(touch pwned)' ''
    for p in 1 2 3 4; do
        is "$(values threads.cll.p$p.r1.dat share P)" "$p " "P of $p"
        is "$(cat threads.cll.p$p.r1.out)" "<a  b><it's><*><\$(touch pwned)><>read a line" "arguments and input"
    done
    gone pwned
    mkdir other
    exits 0 sh script.sh threads --outdir other --rounds 1 --procs 2 --launcher 'env X=1'
    is "$(data other)" "threads.cll.p2.r1.dat " "another folder"
    is "$(values other/threads.cll.p2.r1.dat share P)" "2 " "threads with an own launcher"
}

odd_names_are_only_names() {
    for name in 'a b' "it's" 'quo"te' '-dash' '$(touch pwned)' '`touch pwned`' '*' 'a;b&c|d' 'back\slash' $'new\nline' $'end\n' '{P}' 'n=1'; do
        threads "$name"
        exits 0 dash script.sh --rounds 1 --procs 2
        [ -s "./$name.cll.p2.r1.dat" ] || fail "$name: no data"
        mkdir "./out $name"
        exits 0 bash script.sh --rounds 1 --procs 2 --outdir "out $name" --program "$name" -- "$name"
        [ -s "out $name/$name.cll.p2.r1.dat" ] || fail "$name: no data in its folder"
        is "$(cat "out $name/$name.cll.p2.r1.out"; echo x)" "<${name/'{P}'/2}>x" "$name as an argument"
        exits 0 dash script.sh --dry-run --rounds 1 --procs 1 --outdir "out $name" -- "$name"
        bash out >/dev/null 2>err && [ ! -s err ] || fail "$name: the printed command does not run"
        rm -rf ./*.dat ./*.part "./out $name" "./$name" "./$name.c" script.*
        gone pwned
    done
}

odd_names_reach_mpi_programs() {
    mpi work
    mv work "it's a \$(touch pwned) *"
    exits 0 sh work.cll.sh --rounds 1 --procs 2 "it's a \$(touch pwned) *" -- say 'a  b' '$HOME' "'" $'x\ny'
    is "$(cat ./it*.cll.p2.r1.out)" $'<a  b><$HOME><\'><x\ny>' "arguments"
    gone pwned
}

dry_run_prints_commands_and_runs_nothing() {
    threads
    exits 0 dash script.sh --dry-run --rounds 1 --procs 8:1:-3,3 -- "it's"
    is "$(sort out)" "mkdir -p threads.cll.p2.r1.part/1 && CLL_OUT=threads.cll.p2.r1.part/1/data.dat CLL_RUN=1 OMP_NUM_THREADS=2 ./threads 'it'\\''s'
mkdir -p threads.cll.p3.r1.part/1 && CLL_OUT=threads.cll.p3.r1.part/1/data.dat CLL_RUN=1 OMP_NUM_THREADS=3 ./threads 'it'\\''s'
mkdir -p threads.cll.p5.r1.part/1 && CLL_OUT=threads.cll.p5.r1.part/1/data.dat CLL_RUN=1 OMP_NUM_THREADS=5 ./threads 'it'\\''s'
mkdir -p threads.cll.p8.r1.part/1 && CLL_OUT=threads.cll.p8.r1.part/1/data.dat CLL_RUN=1 OMP_NUM_THREADS=8 ./threads 'it'\\''s'" commands
    gone ./*.part ./*.dat
    rm threads
    exits 0 dash script.sh --dry-run
}

ranges_are_those_of_call() {
    threads
    for range in 1:32:2 1:8:+1,1,2,12 8:1 5:1:-2,3:3:1 '1, 2,3:9:*3'; do
        exits 0 sh script.sh --dry-run --rounds 1 --procs "$range"
        sed 's/.*OMP_NUM_THREADS=\([0-9]*\) .*/\1/' out >order
        "$call" --cc "$cc" --procs "$range" -o again.c threads.c || fail "call --procs $range"
        exits 0 sh again.sh --dry-run --rounds 1
        is "$(sed 's/.*OMP_NUM_THREADS=\([0-9]*\) .*/\1/' out)" "$(cat order)" "$range"
    done
    for range in '' , 1, 0 1:x 8:1:2 1:8:-1 1:8:+0 1:8:1 1:2:3:4 -1 1.5 08 '1;x' 1:5000:+1 1:8: 99999999999; do
        exits 2 dash script.sh --dry-run --procs "$range"
        has err '--procs'
    done
}

misuse_is_said() {
    threads
    for words in '--wrong' '--resume=1' '--rounds 0' '--rounds x' '--rounds 100001' '--pause x' '--rounds' '--outdir nowhere' \
        '--input nowhere' '--input .' 'one two' '--program=' '-x'; do
        # shellcheck disable=SC2086
        exits 2 dash script.sh $words
        has err 'see --help'
    done
    exits 2 dash script.sh --procs 0:4
    has err 'write positive integers'
    "$call" --cc "$cc" --slurm-array threads.c || fail "not translated"
    exits 2 env SLURM_ARRAY_TASK_ID=1 sh threads.cll.sbatch --rounds 2
    has err 'each job of an array runs one round; choose them with sbatch --array=1-2'
    exits 0 sh script.sh --help
    for option in $(sed -n 's/^    \(--[a-z-]*\).*/\1/p; s/^    \(--program | .*\))$/\1/p' script.sh | tr -d ')|' | sort -u); do
        has out "$option"
        sed 's/\\-/-/g' "$CLL_SOURCE/man/call.1" | grep -q -- "$option" || fail "the manual does not have $option"
    done
    exits 0 dash script.sh --pause 0 --rounds 2 --procs 1
}

main "$1"
