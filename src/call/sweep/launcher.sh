# SPDX-License-Identifier: MIT
# ---- the launcher ----
#
# launcher_entry NAME sets about, programs, says, options, crowded, threaded, pass, environment, as_root and of_processes.
# $launcher is its name, or a command of the user's with {P} in it. $beside is a folder in which launchers are looked for
# first, $further are more options; both may be empty. $kind is processes, threads or one; $hybrid: processes have threads.

# Does $starter --version print one of the texts of $says?
says_so() {
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
    return 1
}

# try_launcher NAME: sets $starter; fails if the launcher is not here
try_launcher() {
    launcher_entry "$1" || return 1
    starter=
    [ -n "$programs" ] || return 0
    for folder in ${beside:+"$beside/"} ''; do
        for candidate in $programs; do
            starter=$folder$candidate
            if command -v "$starter" >/dev/null 2>&1 && says_so; then return 0; fi
        done
    done
    starter=${programs%% *}
    return 1
}

# The user's own command.
own_launcher() {
    case $kind$launcher in
    processes*"$mark"*) ;;
    processes*) misuse "--launcher: '$launcher' does not say where the number of processes goes: write {P} there, as in 'srun -n {P}'" ;;
    esac
    # Open MPI's processes on other hosts see only the variables that it is told to hand on.
    users_own=yes
    leading=${launcher%%[!A-Za-z0-9@%+=:,./_-]*}
    launcher_entry openmpi
    case " $programs orterun " in
    *" ${leading##*/} "*) starter=$leading ;;
    *) starter='' ;;
    esac
    if [ "$kind" = processes ] && [ -n "$starter" ] && says_so; then
        options=${launcher#"$leading"}
    else
        options=$launcher starter='' pass=''
    fi
    crowded='' threaded='' environment='' as_root=''
    [ "$kind" = processes ] || environment='OMP_NUM_THREADS={P}'
}

# Without a name, the first MPI library that is here.
find_launcher() {
    for name_of in openmpi mpich srun; do
        ! try_launcher "$name_of" || return 0
    done
    try_launcher openmpi || about='Open MPI or MPICH'
    return 1
}

# choose_launcher NEEDED: without its program it fails if NEEDED is yes
choose_launcher() {
    users_own=no
    if [ -z "$launcher" ]; then
        find_launcher && found=yes || found=no
    elif launcher_entry "$launcher"; then
        if [ "$of_processes" = yes ] && [ "$kind" != processes ] || [ "$of_processes" = no ] && [ "$kind" = processes ]; then
            misuse "--launcher: $launcher is not for programs of this kind"
        fi
        try_launcher "$launcher" && found=yes || found=no
    else
        own_launcher
        return 0
    fi
    [ "$1" = yes ] || return 0
    [ "$found" = yes ] ||
        die 1 "no launcher of $about was found (looked for: $programs); install it, or give --launcher 'COMMAND {P}'"
    [ -z "$as_root" ] || [ "$(id -u)" != 0 ] || may_be_root
}

# Open MPI refuses to run as root unless the user allows it.
may_be_root() {
    for variable in $as_root; do
        eval "[ -n \"\${$variable:-}\" ]" || die 1 "$about does not run programs for root; use another user, or set ${as_root% *} and ${as_root#* } to 1"
    done
}

# The processors that Slurm gives to each process are for its threads; srun must be told so.
share_out() {
    [ -n "${SLURM_CPUS_PER_TASK:-}" ] && [ "$hybrid" = yes ] || return 0
    : "${OMP_NUM_THREADS:=$SLURM_CPUS_PER_TASK}" "${SRUN_CPUS_PER_TASK:=$SLURM_CPUS_PER_TASK}"
    export OMP_NUM_THREADS SRUN_CPUS_PER_TASK
}

# ---- processors ----

# Processors here, and the cores that MPI takes as its slots.
count_cores() {
    # nproc would count what OpenMP may use
    processors=$( (unset OMP_NUM_THREADS OMP_THREAD_LIMIT && nproc) 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)
    slots=$(lscpu -p=CORE,SOCKET 2>/dev/null | grep -v '^#' | sort -u | wc -l)
    slots=$((slots))
    if [ "$slots" -eq 0 ] || [ "$slots" -gt "$processors" ]; then slots=$processors; fi
    slots=${SLURM_NTASKS:-$slots}
}

# Sets $many, the numbers of processors that are more than there are here, and $few, the others. Processes that share a
# core measure each other, too. In a batch job the processors of this machine do not matter.
find_crowd() {
    many='' few=''
    threads=1
    if [ "$hybrid" = yes ] && is_count "${OMP_NUM_THREADS:-}"; then threads=$OMP_NUM_THREADS; fi
    for p in $procs; do
        if [ "$kind" = one ] || [ -n "${SLURM_JOB_ID:-}${PBS_JOBID:-}${LSB_JOBID:-}" ] || [ $((p * threads)) -le "$processors" ]; then
            few="$few $p"
        else
            many="$many $p"
        fi
    done
}
note_crowd() {
    [ -z "$many" ] || note "this machine has $processors processors; with P =$many, several processes or threads share a processor, as the data files record"
}

# ---- the command ----

# pass_on WORDS: sets $passed, the options that hand the variables of the run-time to processes on other hosts, less those
# that WORDS has already
pass_on() {
    passed=
    [ -n "$pass" ] || return 0
    for variable in CLL_OUT CLL_RUN ${row:+CLL_SETTINGS} $(env | sed -n 's/^\(CLL_[A-Z0-9_]*\)=.*/\1/p' | sort -u); do
        case " $1 $passed " in *" $pass $variable "* | *" $pass $variable="*) continue ;; esac
        passed="$passed $pass $variable"
    done
}

# prefix P: sets $words, the launcher's part of the command as shell text
prefix() {
    words=
    [ -z "$starter" ] || words=$(quoted "$starter")
    fill "$options" "$1"
    pass_on "$filled $further"
    if [ "$users_own" = yes ]; then # the command may end with a program that starts ours
        words="$words$passed $filled $further"
        return
    fi
    words="$words $filled $further"
    if [ -n "$crowded" ] && [ "$1" -gt "$slots" ]; then words="$words $crowded"; fi
    [ "$hybrid" = no ] || words="$words $threaded"
    words="$words$passed"
}

