# SPDX-License-Identifier: GPL-3.0-or-later
# Several hosts on one machine. A host has its own name, network, monotonic clock, mounts and processes (a process
# namespace, so that all of them die with its first one). Its folder $PWD/own is its own; all other folders are shared, like a network file
# system. The hosts are called one, two, three. They are children of the test and die with it, however it ends.
. "$CLL_SOURCE/tests/harness/mpi.sh"
unset SLURM_JOB_ID SLURM_NTASKS SLURM_ARRAY_TASK_ID SLURM_RESTART_COUNT

# stay COMMAND...: in the background, until the test ends; sets $stays
stay() {
    setpriv --pdeathsig KILL "$@" >>hosts.log 2>&1 &
    stays=$!
    staying="${staying:-} $stays"
}
stop_hosts() {
    # shellcheck disable=SC2086
    kill -KILL $staying 2>/dev/null
    # shellcheck disable=SC2086
    wait $staying 2>/dev/null
    rm -rf "$session"
}
# first_of PROCESS: sets $first, its only child
first_of() {
    for _ in $(seq 100); do
        first=$(cat "/proc/$1/task/$1/children" 2>/dev/null)
        [ -z "$first" ] || { first=${first% }; return; }
        sleep 0.02
    done
    skip "no process namespace: $(cat hosts.log)"
}

# hosts NAME...: makes them, joined by a bridge. $NAME.first is the number of a host's first process.
hosts() {
    local name number=0 clock=
    need setpriv
    need nsenter
    need ip
    [ "$(id -u)" = 0 ] || skip "only root can make hosts"
    unshare -n ip link add name bridge type bridge 2>/dev/null || skip "no network namespaces"
    time=
    ! unshare -T true 2>/dev/null || time=-T
    session=$(mktemp -d /tmp/cll-hosts-XXXXXX) # names of Open MPI's sockets must be short
    export OMPI_MCA_orte_tmpdir_base=$session
    trap stop_hosts EXIT
    trap 'exit 1' INT TERM HUP
    stay unshare -n --fork --kill-child sleep infinity
    first_of "$stays"
    switch=$first
    mkdir -p own
    nsenter -t "$switch" -n sh -c 'ip link add name bridge type bridge && ip link set bridge up' || skip "no bridge"
    printf '127.0.0.1 localhost\n' >names
    for name; do
        number=$((number + 1))
        printf '10.77.0.%d %s\n' $number "$name" >>names
        [ -z "$time" ] || clock="$time --monotonic $((number * 100000))"
        # shellcheck disable=SC2086
        stay unshare $clock -n -u -m -p --fork --kill-child sh -c "hostname $name && ip link set lo up &&
            mount -t tmpfs none own && mount --bind names /etc/hosts && touch $name.up && exec sleep infinity"
        first_of "$stays"
        printf '%s\n' "$first" >"$name.first"
        nsenter -t "$switch" -n ip link add name "$name" master bridge up type veth peer name eth0 netns "$first" ||
            skip "no virtual network"
        nsenter -t "$first" -n sh -c "ip addr add 10.77.0.$number/24 dev eth0 && ip link set eth0 up" || skip "no addresses"
        for _ in $(seq 100); do [ -e "$name.up" ] && break; sleep 0.02; done
        [ -e "$name.up" ] || skip "host $name does not start: $(cat hosts.log)"
    done
    # In place of ssh, which hands on no variables either, and starts in the home folder.
    cat >agent <<END
#!/bin/sh
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
host=\$1
shift
exec nsenter -t "\$(cat "$PWD/\$host.first")" -n -u -m -r -p $time env -i PATH="$PATH" HOME=/ ASAN_OPTIONS=$ASAN_OPTIONS UBSAN_OPTIONS=$UBSAN_OPTIONS sh -c "cd / && \$*"
END
    chmod +x agent
    export OMPI_MCA_plm_rsh_agent=$PWD/agent OMPI_MCA_pml=ob1 OMPI_MCA_btl=tcp,vader,self
    export OMPI_MCA_mpi_yield_when_idle=1 # the hosts share the cores of this machine
    export OMPI_MCA_hwloc_base_binding_policy=none OMPI_MCA_rmaps_base_oversubscribe=1
}

# on HOST COMMAND...: in its folder own. -r: nsenter -m would leave a chroot that the tests run in. Only what it starts on other hosts is in their process namespaces.
on() {
    local host=$1
    shift
    # shellcheck disable=SC2086
    nsenter -t "$(cat "$host.first")" -n -u -m -r $time sh -c 'cd "$0" && exec "$@"' "$PWD/own" "$@"
}
# beside HOST COMMAND...: in this folder, which the hosts share
beside() {
    local host=$1
    shift
    # shellcheck disable=SC2086
    nsenter -t "$(cat "$host.first")" -n -u -m -r $time sh -c 'cd "$0" && exec "$@"' "$PWD" "$@"
}
# die HOST: it is switched off
die() { kill -KILL "$(cat "$1.first")"; }
# unplug HOST: its network is cut, without any message to the others
unplug() { nsenter -t "$switch" -n ip link set "$1" down; }

# across HOSTS PROGRAM...: the program with the processes of a list such as one:2,two:2, started on its first host, for at
# most $limit seconds; out, err
across() {
    local where=$1 from=${1%%:*} n
    shift
    n=$(($(printf '%s\n' "$where" | sed 's/[^,:]*:\([0-9]*\),*/+\1/g')))
    # shellcheck disable=SC2086
    on "$from" timeout -k 5 "$limit" $launcher -n "$n" --host "$where" ${options:-} "$@" >out 2>err </dev/null
}
# build NAME [FOLDER [FLAGS]]: an MPI program of this or another folder of tests
build() {
    local name=$1 folder=${2:-hosts}
    shift $(($# < 2 ? $# : 2))
    mpi_library openmpi
    # shellcheck disable=SC2086
    "$call" cc "$mpicc" -O1 $sanitize "$CLL_SOURCE/tests/$folder/$name.c" -o "$name" -lpthread "$@" || fail "$name does not compile"
}
# quiet FILE: neither libcll nor libpub reported anything. (Open MPI may: its launcher has a harmless race with its children.)
quiet() { lacks "$1" '^cll: ' && lacks "$1" '^pub: '; }
# fetch HOST: what is in its folder is copied to the folder HOST here
fetch() {
    mkdir -p "$1"
    on "$1" sh -c "cp -r ./* ../$1/ 2>/dev/null"
    return 0
}
