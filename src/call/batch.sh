# SPDX-License-Identifier: MIT
# What follows is the same in every script of this kind.

self=$script

usage() {
    cat <<'USAGE'
usage: sh SCRIPT [OPTIONS] [PROGRAM] [-- PROGRAM'S ARGUMENTS]

Runs the program once for each number of processors P in each round, in an order that differs from
round to round. A run that is complete leaves NAME.cll.pP.rROUND.dat (and .out, if it printed
something); NAME is the program's. A run that fails does not stop the others.

options:
  --program PATH      the program; the same as the word PROGRAM
  --procs RANGE       other numbers of processors: 1:32:2 multiplies, 1:8:+1 adds, 1,2,12 lists
  --rounds ROUNDS     how often each is run
  --pause SECONDS     wait between rounds; default 0
  --outdir DIR        the data files go there; default: the current folder
  --input FILE        what each run reads from its standard input; default: nothing
  --launcher COMMAND  starts the program on {P} processors, as 'srun -n {P}'; or one of the names
                      plain, openmp, openmpi, mpich, srun
  --resume            run only what has no data file yet; the program and its arguments must be the same
  --dry-run           print the commands and run nothing
  --help              show this help
USAGE
}

die() { # STATUS TEXT
    printf '%s: %s\n' "$self" "$2" >&2
    exit "$1"
}
misuse() { die 2 "$1; see --help"; }

# ---- words and numbers ----

# A number that arithmetic takes as it is meant: 08 would be octal.
is_whole() {
    case $1 in
    '' | *[!0-9]* | 0?*) return 1 ;;
    esac
    [ "${#1}" -le 9 ]
}
is_count() { is_whole "$1" && [ "$1" -gt 0 ]; }

# quoted WORD: prints it as a shell reads it
quoted() {
    case $1 in
    '' | *[!A-Za-z0-9@%+=:,./_-]*) ;;
    *)
        printf '%s' "$1"
        return
        ;;
    esac
    rest=$1
    printf "'"
    while :; do
        case $rest in
        *\'*)
            printf "%s'\\\\''" "${rest%%\'*}"
            rest=${rest#*\'}
            ;;
        *) break ;;
        esac
    done
    printf "%s'" "$rest"
}

# fill TEXT P: sets $filled, the text with P in the place of each {P}
mark='{P}'
fill() {
    filled=
    rest=$1
    while :; do
        case $rest in
        *"$mark"*)
            filled=$filled${rest%%"$mark"*}$2
            rest=${rest#*"$mark"}
            ;;
        *) break ;;
        esac
    done
    filled=$filled$rest
}

bad_range() { misuse "--procs: '$1' is no range of processors: write 1:32:2 (multiplies), 1:8:+1 (adds) or 1,2,12, with whole numbers from 1 on"; }

# add_part RANGE FROM TO STEP: appends to $procs
add_part() {
    is_count "$2" || bad_range "$1"
    is_count "$3" || bad_range "$1"
    sign='*'
    step=$4
    case $step in
    [+*-]*)
        sign=${step%"${step#?}"}
        step=${step#?}
        ;;
    '')
        step=2
        [ "$2" -le "$3" ] || sign=/
        ;;
    esac
    is_count "$step" || bad_range "$1"
    case $sign in
    '*') [ "$2" -eq "$3" ] || { [ "$2" -lt "$3" ] && [ "$step" -gt 1 ]; } || bad_range "$1" ;;
    +) [ "$2" -le "$3" ] || bad_range "$1" ;;
    -) [ "$2" -ge "$3" ] || bad_range "$1" ;;
    esac
    p=$2
    while case $sign in [+*]) [ "$p" -le "$3" ] ;; *) [ "$p" -ge "$3" ] && [ "$p" -gt 0 ] ;; esac; do
        case " $procs " in
        *" $p "*) ;;
        *)
            procs="$procs $p"
            counts=$((counts + 1))
            ;;
        esac
        [ "$counts" -le 1000 ] || misuse "--procs: '$1' has more than 1000 numbers of processors"
        [ "$2" -ne "$3" ] || break
        case $sign in
        '*') p=$((p * step)) ;;
        +) p=$((p + step)) ;;
        -) p=$((p - step)) ;;
        /) p=$((p / step)) ;;
        esac
    done
}

# read_range RANGE: sets $procs
read_range() {
    left=$(printf '%s' "$1" | tr -d ' \t'),
    procs=
    counts=0
    while [ -n "$left" ]; do
        part=${left%%,*}
        left=${left#*,}
        case $part in
        *:*:*:*) bad_range "$1" ;;
        *:*:*)
            to=${part#*:}
            add_part "$1" "${part%%:*}" "${to%%:*}" "${to#*:}"
            [ -n "${to#*:}" ] || bad_range "$1"
            ;;
        *:*) add_part "$1" "${part%%:*}" "${part#*:}" '' ;;
        *) add_part "$1" "$part" "$part" '' ;;
        esac
    done
}

# shuffle ROUND: sets $order, the numbers of processors in the order of this round
shuffle() {
    state=$1
    count=0
    for p in $procs; do
        eval "place_$count=$p"
        count=$((count + 1))
    done
    i=$((count - 1))
    while [ "$i" -gt 0 ]; do
        state=$(((state * 1103515245 + 12345) & 2147483647))
        j=$((state / 65536 % (i + 1)))
        eval "held=\$place_$j place_$j=\$place_$i"
        eval "place_$i=\$held"
        i=$((i - 1))
    done
    order=
    while [ "$i" -lt "$count" ]; do
        eval "order=\"\$order \$place_$i\""
        i=$((i + 1))
    done
}

# ---- the launcher ----

# try_launcher NAME: sets $starter; fails if the launcher is not here
try_launcher() {
    launcher_entry "$1" || return 1
    starter=
    [ -n "$programs" ] || return 0
    for starter in $programs; do
        command -v "$starter" >/dev/null 2>&1 || continue
        [ -n "$says" ] || return 0
        version=$("$starter" --version 2>/dev/null </dev/null)
        ifs=$IFS
        IFS='|'
        for text in $says; do
            case $version in
            *"$text"*)
                IFS=$ifs
                return 0
                ;;
            esac
        done
        IFS=$ifs
    done
    starter=${programs%% *}
    return 1
}

# Without a name, the first MPI that is here.
choose_launcher() {
    found=no
    if [ -n "$launcher" ] && launcher_entry "$launcher"; then
        if [ "$of_processes" = yes ] && [ "$kind" != processes ] || [ "$of_processes" = no ] && [ "$kind" = processes ]; then
            misuse "--launcher: $launcher is not for programs of this kind"
        fi
        try_launcher "$launcher" && found=yes
    elif [ -n "$launcher" ]; then
        starter=
        options=$launcher
        crowded=''
        threaded=''
        pass=''
        environment=''
        as_root=''
        [ "$kind" = processes ] || environment='OMP_NUM_THREADS={P}'
        case $kind$launcher in
        processes*"$mark"*) ;;
        processes*) misuse "--launcher: '$launcher' does not say where the number of processes goes: write {P} there, as in 'srun -n {P}'" ;;
        esac
        return 0
    else
        for name_of in openmpi mpich srun; do
            try_launcher "$name_of" && found=yes && break
        done
        [ $found = yes ] || try_launcher openmpi || about='Open MPI or MPICH'
    fi
    [ $found = yes ] || [ $dry_run = yes ] ||
        die 1 "there is no ${programs:-launcher} of $about here to start the program with; --launcher 'COMMAND {P}' names another"
    [ $dry_run = yes ] || [ -z "$as_root" ] || [ "$(id -u)" != 0 ] || may_be_root
}

# Open MPI refuses to run as root, and that is the user's to decide.
may_be_root() {
    for variable in $as_root; do
        eval "[ -n \"\${$variable:-}\" ]" || die 1 "$about does not run programs for root; do it as another user, or set $as_root to 1"
    done
}

# Processors here, and the cores that MPI takes as its slots.
count_cores() {
    # nproc would count what OpenMP may use
    processors=$( (unset OMP_NUM_THREADS OMP_THREAD_LIMIT && nproc) 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
    slots=$(lscpu -p=CORE,SOCKET 2>/dev/null | grep -v '^#' | sort -u | wc -l)
    slots=$((slots))
    if [ "$slots" -eq 0 ] || [ "$slots" -gt "$processors" ]; then slots=$processors; fi
    if [ -n "${SLURM_JOB_ID:-}" ]; then
        slots=${SLURM_NTASKS:-$slots}
        return
    fi
    many=
    threads=1
    if [ $hybrid = yes ] && is_count "${OMP_NUM_THREADS:-}"; then threads=$OMP_NUM_THREADS; fi
    for p in $procs; do
        [ $((p * threads)) -le "$processors" ] || many="$many $p"
    done
    [ -z "$many" ] || [ "$kind" = one ] ||
        printf 'note: this machine has %s processors; with P =%s they are shared, which the data files say\n' "$processors" "$many" >&2
}

# prefix P: sets $words, the launcher's part of the command as shell text
prefix() {
    words=
    [ -z "$starter" ] || words=$starter
    fill "$options" "$1"
    words="$words $filled"
    if [ -n "$crowded" ] && [ "$1" -gt "$slots" ]; then words="$words $crowded"; fi
    [ $hybrid = no ] || words="$words $threaded"
    [ -n "$pass" ] || return 0
    for variable in CLL_OUT CLL_RUN $(env | sed -n 's/^\(CLL_[A-Z]*\)=.*/\1/p' | sort -u); do
        case $variable in
        CLL_OUT | CLL_RUN) case " $words " in *" $pass $variable "*) continue ;; esac ;;
        esac
        words="$words $pass $variable"
    done
}

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
    if ! printf '%s\n' "$now" 2>/dev/null >"$record.$$" || ! mv -- "$record.$$" "$record"; then
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
fi
number=0 complete=0 kept=0 failures=0 failed=
sweep "$@"
[ $dry_run = no ] || exit 0
report
[ -z "$stopped" ] || exit "$stop_status"
[ "$failures" -eq 0 ]
