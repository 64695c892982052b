# SPDX-License-Identifier: MIT
# ---- places, names and order ----
#
# A place of a sweep is a number of processors, and with settings (numbers of the arguments) a row of them: 4, or
# 4,n=100,m=32. $procs are the numbers, $settings the rows, such as n=100,m=32; $without the places that are not run.

# Sets $places.
find_places() {
    places=
    for p in $procs; do
        for row in ${settings:-none}; do
            place=$p,$row
            [ "$row" != none ] || place=$p
            case " $without " in
            *" $place "*) ;;
            *) places="$places $place" ;;
            esac
        done
    done
}

# go_to PLACE: sets $place, $P, $row (without settings empty), $tag, as names of files have it, and $title, as messages have it
go_to() {
    place=$1 P=${1%%,*} row='' title="P = ${1%%,*}" tag=p${1%%,*}
    case $1 in
    *,*) row=${1#*,} ;;
    esac
    left_of=$row
    while [ -n "$left_of" ]; do
        one=${left_of%%,*}
        left_of=${left_of#"$one"}
        left_of=${left_of#,}
        title="$title, ${one%%=*} = ${one#*=}"
        tag=$tag.${one%%=*}${one#*=}
    done
}

# fill_argument WORD: sets $filled, the word with $P and the numbers of $row in the places of {P}, {n}, {m}
fill_argument() {
    fill "$1" "$P"
    left_of=$row
    while [ -n "$left_of" ]; do
        one=${left_of%%,*}
        left_of=${left_of#"$one"}
        left_of=${left_of#,}
        replace "$filled" "{${one%%=*}}" "${one#*=}"
    done
}

# Sets $stated, the value of CLL_SETTINGS: what the user has set, and the row.
state_settings() {
    replace "$row" , ' '
    stated=${CLL_SETTINGS:+$CLL_SETTINGS }$filled
}

# set_place: sets $where, which is put before each name of a file. A name must not look like an option.
set_place() {
    case $outdir in
    -*) outdir=./$outdir ;;
    esac
    where=$outdir/
    case $outdir$name in
    .-*) ;;
    *) [ "$outdir" != . ] || where='' ;;
    esac
}

# stem_of ROUND: sets $stem, of the place that go_to chose. $stem.dat is the data file of a complete run, $stem.part the
# folder of its tries.
stem_of() { stem=$where$name.cll.$tag.r$1; }

# The command that fits all complete runs.
fit_command() {
    printf 'llac '
    quoted "$where$name"
    printf '.cll.p*.r*.dat'
}

# free_round AFTER: sets $round, the first round after AFTER that has neither a data file nor an incomplete run
free_round() {
    round=$1
    taken=yes
    while [ "$taken" = yes ]; do
        round=$((round + 1))
        taken=no
        for place in $places; do
            go_to "$place"
            stem_of "$round"
            if [ -e "$stem.dat" ] || [ -e "$stem.part" ]; then taken=yes; fi
        done
    done
}

# shuffle ROUND: sets $order, the places in the order of this round
shuffle() {
    state=$1
    count=0
    for place in $places; do
        eval "place_$count=$place"
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

# ---- one run ----
#
# Every try of a run has a folder of its own; only the data files of a complete run leave it. $show: the output of the
# program is not caught; $keep_output: what a complete run printed stays as $stem.out; $inherit: the next run gets our
# standard input; $input: the file for the others.

# Milliseconds; whole seconds where date has no better resolution.
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
told=no # whether the program has been sent a signal
# A launcher that is killed cannot end its processes any more. They are in its session, if it has one of its own.
kill_hard() {
    [ "$terminal" = no ] || pkill -KILL -s "$child"
    kill -KILL "$child"
}
stop() { # NAME NUMBER: a second signal does not wait for the program any longer
    if [ -n "$child" ]; then
        if [ "$told" = no ]; then kill -TERM "$child"; else kill_hard; fi 2>/dev/null
        told=yes
    fi
    stopped=$1
    stop_status=$((128 + $2))
}

# Sets $status. A signal of ours ends wait, not the program. What the shell says about a program that a signal ended is
# not shown: judge says it.
wait_child() {
    # The signal may have come after the program was started and before its process number was known.
    if [ -n "$stopped" ] && [ "$told" = no ]; then
        kill -TERM "$child" 2>/dev/null
        told=yes
    fi
    while :; do
        wait "$child" 2>/dev/null
        status=$?
        [ "$status" -gt 128 ] || break
        kill -0 "$child" 2>/dev/null || break
    done
    child=
}

# judge P: what is wrong with the run in $try? Sets $why, empty if the run is complete: the program ended with status 0,
# every process reported, and there were as many as asked for.
judge() {
    why=
    if [ "$status" -gt 128 ] && [ "$status" -le 192 ]; then # there are 64 signals
        why="the program was ended by signal $((status - 128))"
    elif [ "$status" -ne 0 ]; then
        why="the program failed with exit status $status"
    else
        for file in "$try"/*.spool; do
            [ ! -e "$file" ] || why='a process ended before its samples were written, or could not write them'
        done
    fi
    [ -z "$why" ] || return 0
    if [ ! -d "$try" ]; then
        why="its folder $try is gone"
    elif [ ! -s "$try/data.dat" ]; then
        why='the program wrote no data: no region was reached, it ended early, or it is not built with call'
        [ "$kind" != processes ] || why="$why; or its first process ran on a host that does not share this folder"
        # The full disk may have lost the message of the program about it.
        head -c 65536 /dev/zero 2>/dev/null >"$try/room" || why="the program wrote no data, and there is no room for any in $try: is the disk full?"
        rm -f -- "$try/room"
    else
        world=$(sed -n -e 's/^# world: //p' -e '/^[^#]/q' "$try/data.dat")
        if [ "$kind" = processes ] && [ "$world" != "$1" ]; then
            why="the program ran with $world processes, not $1: the launcher is not that of its MPI library; see --launcher"
        fi
    fi
}

# Moves the files of a complete run to their places; the data file comes last, because it marks the run as complete.
publish() {
    for file in "$try"/data.*.dat; do
        [ -e "$file" ] || continue
        mv -- "$file" "$stem${file#"$try/data"}" || return 1
    done
    if [ "$keep_output" = yes ] && [ -s "$try/output" ]; then mv -- "$try/output" "$stem.out" || return 1; fi
    if ln -- "$try/data.dat" "$stem.dat" 2>/dev/null || { [ ! -e "$stem.dat" ] && mv -- "$try/data.dat" "$stem.dat"; }; then
        rm -rf -- "$part"/[0-9]* # the lock keeps other scripts out
        return 0
    fi
    return 1
}

# Two scripts may work in one folder, but not at the same run.
# take_lock: 0; 1 = the folder cannot be written; 2 = another script has it: $holder
take_lock() {
    part=$stem.part
    lock=$part/lock
    mkdir -- "$part" 2>/dev/null || [ -d "$part" ] || return 1
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

# Each try has a folder of its own. The folders of earlier tries stay until a later one is complete.
make_try() {
    n=1
    while ! mkdir -- "$part/$n" 2>/dev/null; do
        [ -d "$part/$n" ] || return 1
        n=$((n + 1))
    done
    try=$part/$n
}

# Sets $left, the folder of a run that is not complete; empty if nothing is in it.
find_left() {
    left=
    [ -s "$try/output" ] || rm -f -- "$try/output"
    rmdir -- "$try" 2>/dev/null || [ "$result" = complete ] || left=$try
}

# start ARGUMENTS...: the command of the run. In the first run of call run the program keeps the standard input.
start() {
    if [ "$inherit" = yes ]; then
        inherit=no
        start_with_input "$@" 3<&0
    else
        start_with_input "$@" 3<"$input"
    fi
}
# A shell gives /dev/null to what it starts in the background, therefore the input comes as descriptor 3.
start_with_input() {
    if [ "$show" = yes ]; then
        become_program "$@" <&3 3<&- &
    else
        become_program "$@" <&3 3<&- >"$try/output" 2>&1 &
    fi
    child=$!
}
become_program() {
    CLL_OUT=$try/data.dat
    case $try in # a script that starts the program may change the folder
    /*) ;;
    *) CLL_OUT=$PWD/$CLL_OUT ;;
    esac
    CLL_RUN=$round
    export CLL_OUT CLL_RUN
    if [ -n "$row" ]; then
        state_settings
        CLL_SETTINGS=$stated
        export CLL_SETTINGS
    fi
    fill "$environment" "$P"
    # shellcheck disable=SC2163 # the variable's name and value
    [ -z "$filled" ] || export "$filled"
    # A terminal would send its signals to the program, too, and a launcher that gets one twice leaves its processes running.
    [ "$terminal" = no ] || exec setsid "$@"
    exec "$@"
}

# measure ARGUMENTS...: runs the program at $place in $round, unless another script does. Sets $result:
#   complete    $stem.dat is its data file
#   kept        there is a data file already
#   busy        another script is running it: $why
#   unwritable  the folder cannot be written
#   stopped     by a signal: $left
#   failed      $why; $left is the folder with its samples and output, empty if there are none
measure() {
    stem_of "$round"
    take_lock || case $? in
    2)
        result=busy
        why="another script is running it (${holder:-unknown}); if that is not so, remove $lock"
        return
        ;;
    *)
        result=unwritable
        return
        ;;
    esac
    if [ -e "$stem.dat" ]; then # the other script was quicker
        release
        result=kept
        return
    fi
    if ! make_try; then
        release
        result=unwritable
        return
    fi
    why='the input of the program cannot be read'
    begun=$(now)
    if start "$@"; then
        wait_child
        [ -n "$stopped" ] || judge "$P"
    fi
    seconds "$begun" "$(now)"
    if [ -n "$stopped" ]; then
        result=stopped
    elif [ -z "$why" ] && publish; then
        result=complete
    else
        result=failed
        : "${why:=its data cannot be moved to $stem.dat}"
    fi
    find_left
    release
}

# catch_signals: from here on they end the program that runs, and then the sweep
catch_signals() {
    terminal=no
    if command -v setsid >/dev/null 2>&1 && (: </dev/tty) 2>/dev/null; then terminal=yes; fi
    trap 'stop INT 2' INT
    trap 'stop TERM 15' TERM
    trap 'stop HUP 1' HUP
    trap 'stop PIPE 13' PIPE
}

# The last lines that a run printed.
show_output() {
    [ -s "$try/output" ] || return 0
    printf '    the end of %s:\n' "$try/output"
    tail -n 5 "$try/output" | cut -c 1-200 | sed 's/^/    | /'
}

