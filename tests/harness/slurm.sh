# SPDX-License-Identifier: GPL-3.0-or-later
# A Slurm of a test's own: controller, nodes and munge in a scratch folder, on ports that are free. The daemons are children
# of the test and die with it, however it ends.
client= # what starts commands of Slurm's users
on_node() { :; } # NODE: prints what starts a command there
at_exit() { stop_slurm; }

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

daemon() { # COMMAND...
    setpriv --pdeathsig KILL "$@" >>daemons.log 2>&1 &
    daemons="$daemons $!"
}

stop_slurm() {
    $client scancel --full --user="$(id -un)" >/dev/null 2>&1 && sleep 0.3
    # shellcheck disable=SC2086
    kill $daemons 2>/dev/null
    for _ in $(seq 30); do
        # shellcheck disable=SC2086
        kill -0 $daemons 2>/dev/null || break
        sleep 0.1
    done
    # shellcheck disable=SC2086
    kill -KILL $daemons 2>/dev/null
    # shellcheck disable=SC2086
    wait $daemons 2>/dev/null
    rm -rf "$place"
}

# start_slurm [NODE:ADDRESS]...: the controller is on the first node; without nodes, there is one, this machine
start_slurm() {
    local node nodes=
    for tool in slurmctld slurmd munged sbatch squeue scancel setpriv python3; do
        command -v $tool >/dev/null || skip "no $tool"
    done
    [ "$(id -u)" = 0 ] || skip "slurmd runs jobs as root only"
    daemons=
    place=$(mktemp -d /tmp/cll-slurm-XXXXXX) # names of sockets must be short
    [ $# -gt 0 ] || set -- "$(hostname -s):127.0.0.1"
    for node; do nodes="$nodes${nodes:+
}NodeName=${node%:*} NodeAddr=${node#*:} CPUs=8 State=UNKNOWN"; done
    trap at_exit EXIT
    trap 'exit 1' INT TERM HUP
    mkdir "$place/state"
    head -c 1024 /dev/urandom >"$place/key"
    chmod 600 "$place/key"
    cat >"$place/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=${1%:*}(${1#*:})
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool-%n
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd-%n.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd-%n.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=5
MinJobAge=600
MpiDefault=none
$nodes
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
    export SLURM_CONF=$place/slurm.conf
    daemon munged --foreground --force --key-file="$place/key" --socket="$place/munge" --pid-file="$place/munge.pid" \
        --log-file="$place/munge.log" --seed-file="$place/munge.seed"
    appears "$place/munge"
    # shellcheck disable=SC2046
    daemon $(on_node "${1%:*}") slurmctld -D -i -f "$SLURM_CONF"
    for node; do
        mkdir "$place/spool-${node%:*}"
        # shellcheck disable=SC2046
        daemon $(on_node "${node%:*}") slurmd -D -f "$SLURM_CONF" -N "${node%:*}"
    done
    for _ in $(seq 100); do
        ! $client sinfo -h -o '%D %t' 2>/dev/null | grep -q "^$# idle" || return 0
        sleep 0.1
    done
    cat daemons.log "$place"/*.log >&2
    skip "Slurm does not start here"
}

submit() { # SBATCH'S WORDS...: sets $job
    job=$($client sbatch --parsable --output=job.log --open-mode=truncate "$@") || fail "sbatch $*"
}
# ends STATE: the job comes to its end so
ends() {
    local state=
    for _ in $(seq "${2:-300}"); do
        state=$($client squeue -h -t all -o %T -j "$job" | sort -u)
        case $state in PENDING | RUNNING | COMPLETING | SIGNALING | *'
'*) sleep 0.1 ;; *) break ;; esac
    done
    [ "$state" = "$1" ] || { cat job.log; fail "the job is $state, not $1"; } >&2
}
