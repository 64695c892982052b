# SPDX-License-Identifier: MIT
# What follows is the same in every script of this kind. First: words, numbers, and how programs are started.

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
        die 1 "no launcher of $about is here to start the program with (looked for: $programs); --launcher 'COMMAND {P}' names another"
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

