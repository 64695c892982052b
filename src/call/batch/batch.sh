# SPDX-License-Identifier: MIT
# ---- batch scripts: a sweep whose command line is that of the script ----

self=$script

usage() {
    cat <<'USAGE'
usage: sh SCRIPT [OPTIONS] [PROGRAM] [-- PROGRAM'S ARGUMENTS]

Runs the program once for each number of processors P in each round, in an order that differs from
round to round. A run that is complete leaves NAME.cll.pP.rROUND.dat (and .out, if it printed
something); NAME is the program's. A run that fails does not stop the others. With --vary n=RANGE, a
round runs the program at each size, and the file is NAME.cll.pP.nSIZE.rROUND.dat.

options:
  --program PATH      the program; the same as the word PROGRAM
  --procs RANGE       other numbers of processors: 1:32:2 multiplies, 1:8:+1 adds, 1,2,12 lists
  --vary NAME=RANGE   sizes that take the place of {NAME} in the program's arguments, and become a variable of all
                      experiments: n=100:1600:2, n=10,25,40; may be given several times
  --rounds ROUNDS     how often each is run
  --time TIME         run rounds for this time, as 30s, 10m or 2h, and at least one; with --rounds: at most so many
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

# ---- numbers of processors ----

bad_range() {
    [ "$of" = --procs ] || misuse "$of: '$1' is not a range: write whole numbers as n=100:1600:2 (multiplies), n=8:64:+8 (adds) or n=10,25,40"
    misuse "--procs: '$1' is not a range of processors: write positive integers as 1:32:2 (multiplies), 1:8:+1 (adds) or 1,2,12"
}

# add_part RANGE FROM TO STEP: appends to $numbers
add_part() {
    if [ "$2$3$of" = 00--vary ]; then # a size may be 0, alone
        numbers="$numbers 0"
        return
    fi
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
        case " $numbers " in
        *" $p "*) ;;
        *)
            numbers="$numbers $p"
            counts=$((counts + 1))
            ;;
        esac
        [ "$counts" -le 1000 ] || misuse "$of: '$1' has more than 1000 numbers"
        [ "$2" -ne "$3" ] || break
        case $sign in
        '*') p=$((p * step)) ;;
        +) p=$((p + step)) ;;
        -) p=$((p - step)) ;;
        /) p=$((p / step)) ;;
        esac
    done
}

# read_range OPTION RANGE: sets $numbers
read_range() {
    of=$1
    shift
    left=$(printf '%s' "$1" | tr -d ' \t'),
    numbers=
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

# ---- settings ----

# read_vary NAME=RANGE: adds a variable to $combined, the combinations so far. A combination is MOVED:SMALL:ROW: how many of its
# sizes are not the smallest, and whether each is one of the three smallest.
varied='' combined=0:yes: combinations=1
read_vary() {
    variable=${1%%=*}
    case $1 in
    =* | [0-9]* | *[!A-Za-z0-9_]*=*) variable= ;;
    *=*) ;;
    *) variable= ;;
    esac
    case ${variable%%[!A-Za-z0-9_]*} in
    '') misuse "--vary: '$1' is not NAME=RANGE; write n=100:1600:2" ;;
    P) misuse "--vary: '$1' names P; --procs gives the numbers of processors" ;;
    esac
    case " $varied " in
    *" $variable "*) misuse "--vary: '$1' names a variable twice; list its sizes: n=10,20:80:2" ;;
    esac
    varied="$varied $variable"
    read_range --vary "${1#*=}"
    sizes=$(for p in $numbers; do echo "$p"; done | sort -n -u)
    longer=''
    combinations=$((combinations * $(printf '%s\n' "$sizes" | wc -l)))
    [ "$combinations" -le 10000 ] || misuse "--vary: '$1' has too many sizes; a dozen is plenty"
    for one in $combined; do
        moved=${one%%:*} rest_of=${one#*:}
        small=${rest_of%%:*} before=${rest_of#*:} i=0
        for size in $sizes; do
            more=$moved still=$small
            [ "$i" -eq 0 ] || more=$((moved + 1))
            [ "$i" -lt 3 ] || still=no
            longer="$longer $more:$still:$before${before:+,}$variable=$size"
            i=$((i + 1))
        done
    done
    combined=$longer
}

# Sets $settings. If there are many combinations: each variable alone, and combinations of the smallest sizes.
choose_settings() {
    settings='' kept=0
    [ -n "$varied" ] || return 0
    for one in $combined; do
        rest_of=${one#*:}
        case $combinations:$varied:$one in
        *:*:[01]:* | *:*:*:yes:* | [0-9]:* | [12][0-9]:* | 30:*) ;;
        *) continue ;;
        esac
        settings="$settings ${rest_of#*:}" kept=$((kept + 1))
    done
    [ "$kept" -le 200 ] || misuse "--vary asks for $kept runs in each round, at most 200 are made; give fewer sizes"
}

# Every variable must be in the arguments.
check_marks() { # ARGUMENTS...
    for variable in $varied; do
        found=no
        for word; do
            case $word in *"{$variable}"*) found=yes ;; esac
        done
        [ "$found" = yes ] ||
            misuse "{$variable} is nowhere in the arguments: write it after '--' where the program takes $variable, as in '-- {$variable}'"
    done
}

# ---- the sweep ----

# run_one ARGUMENTS...: at $place in $round
run_one() {
    stem_of "$round"
    number=$((number + 1))
    if [ "$resume" = yes ] && [ -e "$stem.dat" ]; then
        kept=$((kept + 1))
        return
    fi
    for word; do
        fill_argument "$word"
        shift
        set -- "$@" "$filled"
    done
    prefix "$P"
    eval "set -- $words \"\$program\" \"\$@\""
    if [ "$dry_run" = yes ]; then
        show_command "$@"
        return
    fi
    replace "${row:+ $row}" , ' '
    shown="P=$P$filled round $round"
    printf '[%s%s] %s ... ' "$number" "${total:+/$total}" "$shown"
    measure "$@"
    case $result in
    complete)
        complete=$((complete + 1))
        printf 'ok %s s\n' "$took"
        ;;
    kept)
        kept=$((kept + 1))
        printf 'exists already\n'
        ;;
    stopped) printf 'stopped after %s s\n' "$took" ;;
    busy)
        printf 'another script is running it\n'
        note_failure "$why"
        ;;
    failed)
        printf 'FAILED %s s: %s\n' "$took" "$why"
        show_output
        note_failure "$why${left:+; its samples and output: $left}"
        ;;
    unwritable)
        printf 'FAILED\n'
        die 1 "cannot write in $outdir"
        ;;
    esac
}

note_failure() {
    failures=$((failures + 1))
    failed="$failed
  $shown: $1"
}

show_command() {
    printf 'mkdir -p '
    quoted "$stem.part/1"
    printf ' && CLL_OUT='
    quoted "$stem.part/1/data.dat"
    if [ -n "$row" ]; then
        state_settings
        printf ' CLL_SETTINGS='
        quoted "$stated"
    fi
    fill "$environment" "$P"
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

# read_time TIME: sets $time, in milliseconds
read_time() {
    unit=1000 count=$1
    case $1 in
    *s) count=${1%s} ;;
    *m) unit=60000 count=${1%m} ;;
    *h) unit=3600000 count=${1%h} ;;
    esac
    is_count "$count" || misuse "--time: '$1' is not a time; write whole seconds, minutes or hours as 30s, 10m or 2h"
    time=$((count * unit))
}

# time_is_over: would a further round end after --time? Rounds that were complete before took no time.
time_is_over() {
    [ -n "$time" ] && [ "$ran" -gt 0 ] || return 1
    spent=$(($(now) - sweep_begun))
    [ $((spent + spent / ran)) -gt "$time" ]
}

# sweep ARGUMENTS...: rounds outermost, so that each number of processors is met at several times.
sweep() {
    round=$first ran=0
    sweep_begun=$(now)
    while [ "$round" -le "$last" ] && ! time_is_over; do
        [ "$round" -eq "$first" ] || [ "$dry_run" = yes ] || pause
        kept_before=$kept number_before=$number
        shuffle "$round"
        for place in $order; do
            [ -z "$stopped" ] || return 0
            go_to "$place"
            run_one "$@"
        done
        [ $((kept - kept_before)) -eq $((number - number_before)) ] || ran=$((ran + 1))
        round=$((round + 1))
    done
}

refuse_old_data() {
    for place in $places; do
        go_to "$place"
        for file in "$where$name.cll.$tag.r"*.dat; do
            at=${file##*.r}
            at=${at%.dat}
            is_count "$at" || continue
            if [ "$at" -lt "$first" ] || [ "$at" -gt "$last" ]; then continue; fi
            die 1 "$file exists already: --resume continues that sweep; otherwise move its data away, or choose another --outdir"
        done
    done
}

# Records what the data in the folder was measured with: other data would not belong to the same sweep.
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
        die 1 "the data in this folder was measured with $what (see $record); move it away, choose another --outdir, or remove $record to combine both"
    fi
    rm -f -- "$record.$$"
    # a new file: if the name is a link of another user, it is not followed
    if ! (set -C && printf '%s\n' "$now" >"$record.$$") 2>/dev/null || ! mv -- "$record.$$" "$record"; then
        rm -f -- "$record.$$"
        die 1 "cannot write $record"
    fi
}

report() {
    have=$((complete + kept))
    : "${total:=$number}"
    if [ -n "$stopped" ]; then
        printf 'stopped by SIG%s: %s of %s runs are complete; continue with: %s%s\n' "$stopped" "$have" "$total" "$again" "$remark"
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
        printf 'fit the data with: %s\n' "$(fit_command)"
    fi
}

# ---- the command line ----

dry_run=no resume=no pause=0 outdir=. input=/dev/null chosen='' time='' asked=no
beside='' further='' show=no inherit=no keep_output=yes
# The command that continues this sweep: the same words, with --resume. A submitted script runs as a copy, and does not know
# the options of sbatch.
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
    if [ "$own" = no ] || [ "$word" != --resume ]; then
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
    --program | --procs | --vary | --rounds | --time | --pause | --outdir | --input | --launcher)
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
    --procs)
        read_range --procs "$value"
        procs=$numbers
        ;;
    --vary) read_vary "$value" ;;
    --rounds)
        is_count "$value" || misuse "--rounds: '$value' is not a number from 1 to 100000"
        [ "$value" -le 100000 ] || misuse "--rounds: '$value' is not a number from 1 to 100000"
        rounds=$value asked=yes
        [ "$array" = no ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ] ||
            misuse "--rounds: each job of an array runs one round; choose them with sbatch --array=1-$value"
        ;;
    --time)
        read_time "$value"
        [ "$array" = no ] || [ -z "${SLURM_ARRAY_TASK_ID:-}" ] || misuse "--time: each job of an array runs one round"
        ;;
    --pause)
        is_whole "$value" || misuse "--pause: '$value' is not a whole number of seconds"
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
set_place
[ "$kind" != one ] || procs=1
choose_settings
check_marks "$@"
without=''
find_places
first=1
last=$rounds
if [ -n "$time" ] && [ "$asked" = no ]; then last=100000; fi
if [ -n "$time" ] && [ "$dry_run" = yes ]; then last=1; fi
if [ "$array" = yes ] && [ -n "${SLURM_ARRAY_TASK_ID:-}" ]; then
    first=$SLURM_ARRAY_TASK_ID
    last=$first
fi
# Slurm starts a job anew whose node failed.
[ "${SLURM_RESTART_COUNT:-0}" = 0 ] || resume=yes

[ -d "$outdir" ] || misuse "--outdir: $outdir is not a folder"
if [ ! -r "$input" ] || [ -d "$input" ]; then misuse "--input: $input cannot be read"; fi
total=0
for place in $places; do total=$((total + last - first + 1)); done
[ -z "$time" ] || total='' # not known
needed=yes
[ "$dry_run" = no ] || needed=no
choose_launcher $needed
share_out
count_cores
find_crowd
[ "$users_own$kind" = yesprocesses ] || note_crowd # a command of the user's may use other machines
if [ "$dry_run" = no ]; then
    if [ ! -x "$program" ] || [ -d "$program" ]; then
        die 1 "there is no program $program: build it with call cc, or name another one with --program"
    fi
    [ "$resume" = yes ] || refuse_old_data
    check_record "$@"
    catch_signals
fi
number=0 complete=0 kept=0 failures=0 failed=
sweep "$@"
[ "$dry_run" = no ] || exit 0
report
[ -z "$stopped" ] || exit "$stop_status"
[ "$failures" -eq 0 ]
