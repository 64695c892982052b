# SPDX-License-Identifier: MIT
# ---- call run: the plan of a sweep, or one of its rounds ----
#
# call run sets these variables, besides those of the engine:
#   task      plan or round
#   log       where it reads what was done: pairs of a word and a text, each ended by a zero byte
#   crowd     how to treat numbers of processors that this machine does not have: leave_out, share, or any (a simulation)
#   last      the last round that has been run; 0 = none
#   ordinal   the round as messages count it, from 1
#   bar       whether call run draws its progress in the last line of the terminal: yes or no
#   under     words of a command that runs the program, such as valgrind with its options; may be empty

tell() { # WORD TEXT
    printf '%s\0%s\0' "$1" "$2" >>"$log" || die 1 "cannot write $log"
}

report_problem() { # TEXT
    [ "$bar" = no ] || printf '\r\033[K' >&2
    printf '%s: round %s, %s: %s\n' "$self" "$ordinal" "$title" "$1" >&2
}

# The numbers in the pragma may be for another machine: those that are too large here are left out. Those of --procs are not.
thin_crowd() {
    [ "$crowd" != any ] || return 0
    find_crowd
    if [ "$crowd" = share ] || [ -z "$many" ]; then
        note_crowd
        return 0
    fi
    [ -n "$few" ] ||
        die 1 "this machine has $processors processors, and the pragma has only larger numbers: P =$many; --oversubscribe runs them anyway, --procs chooses others"
    note "this machine has $processors processors; P =$many is left out (--oversubscribe or --procs runs it anyway)"
    procs=$few
}

# Before the first round, so that an error costs no measurement.
plan() {
    thin_crowd
    choose_launcher yes
    for P in $procs; do tell procs "$P"; done
    tell fit "$(fit_command)"
}

tell_files() {
    for file in "$stem.dat" "$stem".[0-9]*.dat; do
        [ ! -e "$file" ] || tell data "$file"
    done
}
# A run that is not complete, if it measured anything.
tell_part() {
    for file in ${left:+"$left"/data*}; do
        [ -e "$file" ] || continue
        tell part "$left"
        return 0
    done
}

next_round() { # AFTER
    free_round "$1"
    tell round "$round"
}
# The same for the run at $place.
next_round_here() {
    here=$place
    next_round "$round"
    go_to "$here"
}

run_one() { # ARGUMENTS...
    for word; do
        fill_argument "$word"
        shift
        set -- "$@" "$filled"
    done
    prefix "$P"
    eval "set -- $words $under \"\$program\" \"\$@\""
    measure "$@"
    while [ "$result" = busy ] || [ "$result" = kept ]; do # by another sweep in this folder
        next_round_here
        measure "$@"
    done
    case $result in
    complete) tell_files ;;
    stopped) tell_part ;;
    failed)
        report_problem "$why"
        show_output >&2
        tell failed "$place"
        tell_part
        ;;
    unwritable)
        report_problem "cannot write in $outdir"
        exit 1
        ;;
    esac
    tell tried "$place"
}

run_round() { # ARGUMENTS...
    next_round "$last"
    shuffle "$round"
    for place in $order; do
        [ -z "$stopped" ] || return 0
        go_to "$place"
        tell begin "$title"
        run_one "$@"
    done
}

set_place
share_out
count_cores
if [ "$task" = plan ]; then
    plan
    exit 0
fi
find_places
choose_launcher yes
catch_signals
run_round "$@"
[ -z "$stopped" ] || exit "$stop_status"
exit 0
