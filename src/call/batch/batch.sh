# SPDX-License-Identifier: MIT
# The second part of every batch script: the runs, and the command line.

# ---- runs ----

# Milliseconds; whole seconds where date knows no better.
now() {
    t=$(date +%s%3N)
    case $t in
    *[!0-9]* | ??????????) t=$(date +%s)000 ;;
    esac
    printf '%s' "$t"
}

# seconds FROM TO: sets $took
seconds() {
    took=$((($2 - $1 + 50) / 100))
    took=$((took / 10)).$((took % 10))
}

child=''
stopped=''
told=no # the program has got its signal
stop() { # NAME NUMBER: a second signal does not wait for the program any longer
    if [ -n "$child" ]; then
        if [ $told = no ]; then kill -TERM "$child"; else kill -KILL "$child"; fi 2>/dev/null
        told=yes
    fi
    stopped=$1
    stop_status=$((128 + $2))
}

# Sets $status. A signal of ours ends wait, not the program.
wait_child() {
    # It may have come when the program was there and its number was not known yet.
    if [ -n "$stopped" ] && [ $told = no ]; then
        kill -TERM "$child" 2>/dev/null
        told=yes
    fi
    while :; do
        wait "$child"
        status=$?
        [ "$status" -gt 128 ] || break
        kill -0 "$child" 2>/dev/null || break
    done
    child=
}

# What is wrong with the run in $try: sets $why, empty if nothing is.
judge() {
    why=
    if [ "$status" -gt 128 ]; then
        why="signal $((status - 128))"
    elif [ "$status" -ne 0 ]; then
        why="exit status $status"
    else
        for file in "$try"/*.spool; do
            [ ! -e "$file" ] || why='a process ended before its samples were written, or could not write them'
        done
    fi
    [ -z "$why" ] || return 0
    if [ ! -s "$try/data.dat" ]; then
        why='it wrote no data: is it built with call?'
        # What the program said about a full disk may be lost to the same.
        head -c 65536 /dev/zero 2>/dev/null >"$try/room" || why="it wrote no data, and there is no room for any in $try: is the disk full?"
        rm -f -- "$try/room"
    else
        world=$(sed -n -e 's/^# world: //p' -e '/^[^#]/q' "$try/data.dat")
        if [ "$kind" = processes ] && [ "$world" != "$1" ]; then
            why="it ran with $world process(es): the launcher is not that of its MPI library; see --launcher"
        fi
    fi
}

# The end of what a run printed, under its line.
show_output() {
    [ -s "$try/output" ] || return 0
    printf '    the end of %s:\n' "$try/output"
    tail -n 5 "$try/output" | cut -c 1-200 | sed 's/^/    | /'
}

# The data file comes last: once it is there, the run is complete.
publish() {
    for file in "$try"/data.*.dat; do
        [ -e "$file" ] || continue
        mv -- "$file" "$stem${file#"$try/data"}" || return 1
    done
    if [ -s "$try/output" ]; then mv -- "$try/output" "$stem.out" || return 1; fi
    if ln -- "$try/data.dat" "$stem.dat" 2>/dev/null || { [ ! -e "$stem.dat" ] && mv -- "$try/data.dat" "$stem.dat"; }; then
        rm -rf -- "$part"/[0-9]* # the lock says that nobody else is in there
        return 0
    fi
    return 1
}

# Two scripts may work in one folder, but not at the same run.
# take_lock: 0; 1 = the folder cannot be written; 2 = another script has it: $holder
take_lock() {
    part=$stem.part
    lock=$part/lock
    mkdir -p -- "$part" || return 1
    if ! mkdir -- "$lock" 2>/dev/null; then
        [ -d "$lock" ] || return 1
        holder=$(cat -- "$lock/owner" 2>/dev/null)
        holder_is_gone || return 2
        if mv -- "$lock" "$lock.$$" 2>/dev/null; then rm -rf -- "$lock.$$"; fi
        mkdir -- "$lock" 2>/dev/null || return 2
    fi
    printf '%s\n' "$me" 2>/dev/null >"$lock/owner" && return 0
    release
    return 1
}
release() {
    rm -rf -- "$lock"
    rmdir -- "$part" 2>/dev/null || true
}

# The owner of a lock is "HOST PROCESS JOB".
me="$(uname -n) $$ ${SLURM_JOB_ID:-0}"
holder_is_gone() {
    job_of=${holder##* }
    process=${holder% *}
    process=${process##* }
    is_whole "$process" || return 1
    # a job that Slurm starts again has the same number
    [ "$job_of" != "${SLURM_JOB_ID:-}" ] || [ "${SLURM_RESTART_COUNT:-0}" = 0 ] || return 0
    [ "${holder% * *}" = "$(uname -n)" ] || return 1
    ! kill -0 "$process" 2>/dev/null && [ ! -d "/proc/$process" ]
}

# A folder of its own for each try: what an earlier one left stays until a later one is complete.
make_try() {
    n=1
    while ! mkdir -- "$part/$n" 2>/dev/null; do
        [ -d "$part/$n" ] || return 1
        n=$((n + 1))
    done
    try=$part/$n
}

# run_one P ROUND ARGUMENTS...
run_one() {
    P=$1
    round=$2
    shift 2
    stem=$where$name.cll.p$P.r$round
    number=$((number + 1))
    if [ $resume = yes ] && [ -e "$stem.dat" ]; then
        kept=$((kept + 1))
        return
    fi
    prefix "$P"
    eval "set -- $words \"\$program\" \"\$@\""
    if [ $dry_run = yes ]; then
        show_command "$@"
        return
    fi
    printf '[%s/%s] P=%s round %s ... ' "$number" "$total" "$P" "$round"
    took_lock=0
    take_lock || took_lock=$?
    if [ $took_lock = 2 ]; then
        printf 'another script is at it\n'
        note_failure "another script is running it (${holder:-unknown}); if that is not so, remove $lock"
        return
    fi
    if [ $took_lock != 0 ] || ! make_try; then
        printf 'FAILED\n'
        die 1 "cannot write in $outdir"
    fi
    if [ -e "$stem.dat" ]; then # the other script was quicker
        rmdir -- "$try"
        release
        printf 'there already\n'
        kept=$((kept + 1))
        return
    fi
    begun=$(now)
    start "$@"
    wait_child
    seconds "$begun" "$(now)"
    if [ -n "$stopped" ]; then
        printf 'stopped after %s s\n' "$took"
        release
        return
    fi
    judge "$P"
    [ -n "$why" ] || publish || why="its data cannot be moved to $stem.dat"
    release
    if [ -z "$why" ]; then
        complete=$((complete + 1))
        printf 'ok %s s\n' "$took"
        return
    fi
    printf 'FAILED %s s: %s\n' "$took" "$why"
    show_output
    note_failure "$why; what there is of it: $try"
}

note_failure() {
    failures=$((failures + 1))
    failed="$failed
  P=$P round $round: $1"
}

# What Slurm gives to each process is for its threads; srun does not ask for it by itself.
share_out() {
    [ -n "${SLURM_CPUS_PER_TASK:-}" ] && [ $hybrid = yes ] || return 0
    : "${OMP_NUM_THREADS:=$SLURM_CPUS_PER_TASK}" "${SRUN_CPUS_PER_TASK:=$SLURM_CPUS_PER_TASK}"
    export OMP_NUM_THREADS SRUN_CPUS_PER_TASK
}

start() {
    (
        CLL_OUT=$try/data.dat
        CLL_RUN=$round
        export CLL_OUT CLL_RUN
        fill "$environment" "$P"
        # shellcheck disable=SC2163 # the variable's name and value
        [ -z "$filled" ] || export "$filled"
        # A terminal would send its signals to the program, too, and a launcher that gets one twice
        # leaves its processes behind.
        [ "$terminal" = no ] || exec setsid "$@"
        exec "$@"
    ) <"$input" >"$try/output" 2>&1 &
    child=$!
}

show_command() {
    fill "$environment" "$P"
    printf 'mkdir -p '
    quoted "$stem.part/1"
    printf ' && CLL_OUT='
    quoted "$stem.part/1/data.dat"
    printf ' CLL_RUN=%s%s' "$round" "${filled:+ $filled}"
    for word; do
        printf ' '
        quoted "$word"
    done
    printf '\n'
}

pause() {
    [ "$pause" -gt 0 ] || return 0
    sleep "$pause" &
    child=$!
    wait_child
}

# sweep ARGUMENTS...: rounds outermost, so that each number of processors is met at several times.
sweep() {
    at=$first
    while [ "$at" -le "$last" ]; do
        [ "$at" -eq "$first" ] || [ $dry_run = yes ] || pause
        shuffle "$at"
        for p in $order; do
            [ -z "$stopped" ] || return 0
            run_one "$p" "$at" "$@"
        done
        at=$((at + 1))
    done
}

refuse_old_data() {
    for p in $procs; do
        at=$first
        while [ "$at" -le "$last" ]; do
            [ ! -e "$where$name.cll.p$p.r$at.dat" ] ||
                die 1 "$where$name.cll.p$p.r$at.dat is there already: --resume goes on with that sweep; else move its data away, or choose another --outdir"
            at=$((at + 1))
        done
    done
}

# What the data in the folder is of: other runs than these would make another sweep.
describe() { # ARGUMENTS...
    printf 'program: '
    cksum <"$program"
    printf 'input: '
    if [ "$input" = /dev/null ]; then echo none; else cksum <"$input"; fi
    printf 'arguments:'
    for word; do
        printf ' '
        quoted "$word"
    done
    printf '\n'
}
has_data() {
    for file in "$where$name".cll.p*.r*.dat; do
        [ ! -e "$file" ] || return 0
    done
    return 1
}
check_record() { # ARGUMENTS...
    record=$where$name.cll.sweep
    now=$(describe "$@")
    before=$(cat -- "$record" 2>/dev/null)
    [ "$before" != "$now" ] || return 0
    if [ -n "$before" ] && has_data; then
        what='another input'
        [ "${before#*arguments:}" = "${now#*arguments:}" ] || what="other arguments:${before#*arguments:}"
        [ "${before%%input:*}" = "${now%%input:*}" ] || what="another build of $program"
        die 1 "the data that is there already was measured with $what (see $record); move it away, choose another --outdir, or remove $record to put both together"
    fi
    rm -f -- "$record.$$"
    # a new file: what somebody else has put under that name is not written through
    if ! (set -C && printf '%s\n' "$now" >"$record.$$") 2>/dev/null || ! mv -- "$record.$$" "$record"; then
        rm -f -- "$record.$$"
        die 1 "cannot write $record"
    fi
}

report() {
    have=$((complete + kept))
    if [ -n "$stopped" ]; then
        printf 'stopped by SIG%s: %s of %s runs are complete; go on with: %s%s\n' "$stopped" "$have" "$total" "$again" "$remark"
    else
        printf '%s of %s runs are complete' "$have" "$total"
        [ "$kept" -eq 0 ] || printf ', %s of them from before' "$kept"
        printf '\n'
    fi
    if [ "$failures" -gt 0 ]; then
        printf '%s of the runs failed:%s\n' "$failures" "$failed"
        [ -n "$stopped" ] || printf 'try them again with: %s%s\n' "$again" "$remark"
    fi
    if [ "$have" -gt 0 ]; then
        printf 'fit the data with: llac '
        quoted "$where$name"
        printf '.cll.p*.r*.dat\n'
    fi
}

# ---- the command line ----

dry_run=no resume=no pause=0 outdir=. input=/dev/null chosen=
# How this can be called again: its own words, with --resume. A submitted script runs as a copy, and
# which options sbatch had is not known here.
find_submitted() {
    command=$(scontrol -o show job "$SLURM_JOB_ID" 2>/dev/null | sed -n 's/.* Command=//p')
    case $command in
    /*"/$script"*) submitted=${command%%"/$script"*}/$script ;;
    *) submitted=${SLURM_SUBMIT_DIR:+$SLURM_SUBMIT_DIR/}$script ;;
    esac
}
if [ -n "${SLURM_JOB_ID:-}" ] && [ "${0##*/}" = slurm_script ]; then
    find_submitted
    again="sbatch ${SLURM_ARRAY_TASK_ID:+--array=$SLURM_ARRAY_TASK_ID }$(quoted "$submitted")"
    remark=' (and the options that sbatch had)'
else
    again="sh $(quoted "$0")"
    remark=
fi
again="$again --resume"
own=yes
for word; do
    [ "$word" != -- ] || own=no
    if [ $own = no ] || [ "$word" != --resume ]; then
        again="$again $(quoted "$word" && printf x)"
        again=${again%x}
    fi
done

while [ $# -gt 0 ]; do
    option=$1
    case $1 in
    --)
        shift
        break
        ;;
    --help | -h)
        usage
        exit 0
        ;;
    --resume) resume=yes ;;
    --dry-run) dry_run=yes ;;
    --resume=* | --dry-run=* | --help=*) misuse "${1%%=*} takes no value" ;;
    --*=*)
        option=${1%%=*}
        value=${1#*=}
        ;;
    --program | --procs | --rounds | --pause | --outdir | --input | --launcher)
        [ $# -gt 1 ] || misuse "$1 needs a value"
        value=$2
        shift
        ;;
    -*) misuse "$1: no such option" ;;
    *)
        option=--program
        value=$1
        ;;
    esac
    case $option in
    --program)
        [ -z "$chosen" ] || misuse "two programs: $chosen and $value"
        [ -n "$value" ] || misuse "--program needs a value"
        chosen=$value
        ;;
    --procs) read_range "$value" ;;
    --rounds)
        is_count "$value" || misuse "--rounds: '$value' is no number from 1 to 100000"
        [ "$value" -le 100000 ] || misuse "--rounds: '$value' is no number from 1 to 100000"
        rounds=$value
        [ "$array" = no ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ] ||
            misuse "--rounds: each job of an array runs one round; choose them with sbatch --array=1-$value"
        ;;
    --pause)
        is_whole "$value" || misuse "--pause: '$value' is no whole number of seconds"
        pause=$value
        ;;
    --outdir) outdir=$value ;;
    --input) input=$value ;;
    --launcher) launcher=$value ;;
    --resume | --dry-run) ;;
    *) misuse "$option: no such option" ;;
    esac
    shift
done

if [ -n "$chosen" ]; then
    program=$chosen
    name=${chosen##*/}
fi
case $program in
*/*) ;;
*) program=./$program ;;
esac
case $outdir in
-*) outdir=./$outdir ;;
esac
where=$outdir/
case $outdir$name in
.-*) ;;
*) [ "$outdir" != . ] || where='' ;;
esac
[ "$kind" != one ] || procs=1
first=1
last=$rounds
if [ "$array" = yes ] && [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    first=$SLURM_ARRAY_TASK_ID
    last=$first
fi
# Slurm starts a job anew whose node failed.
[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || resume=yes

[ -d "$outdir" ] || misuse "--outdir: $outdir is no folder"
if [ ! -r "$input" ] || [ -d "$input" ]; then misuse "--input: $input cannot be read"; fi
total=0
for p in $procs; do total=$((total + last - first + 1)); done
choose_launcher
share_out
count_cores
if [ $dry_run = no ]; then
    if [ ! -x "$program" ] || [ -d "$program" ]; then
        die 1 "there is no program $program: build it with call cc, or name another one with --program"
    fi
    [ $resume = yes ] || refuse_old_data
    check_record "$@"
    terminal=no
    if command -v setsid >/dev/null 2>&1 && (: </dev/tty) 2>/dev/null; then terminal=yes; fi
    trap 'stop INT 2' INT
    trap 'stop TERM 15' TERM
    trap 'stop HUP 1' HUP
    trap 'stop PIPE 13' PIPE
fi
number=0 complete=0 kept=0 failures=0 failed=
sweep "$@"
[ $dry_run = no ] || exit 0
report
[ -z "$stopped" ] || exit "$stop_status"
[ "$failures" -eq 0 ]
