# SPDX-License-Identifier: GPL-3.0-or-later
# Scripts for Slurm, run by a Slurm of this test's own: controller, node and munge in the scratch folder, on ports that are
# free. The daemons are children of the test and die with it, however it ends.
. "$CLL_SOURCE/tests/batch/setup.sh"

free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

daemon() { # COMMAND...
    setpriv --pdeathsig KILL "$@" >>daemons.log 2>&1 &
    daemons="$daemons $!"
}

stop_slurm() {
    scancel --full --user="$(id -un)" >/dev/null 2>&1 && sleep 0.3
    # shellcheck disable=SC2086
    kill $daemons 2>/dev/null
    for _ in $(seq 30); do
        # shellcheck disable=SC2086
        kill -0 $daemons 2>/dev/null || break
        sleep 0.1
    done
    # shellcheck disable=SC2086
    kill -KILL $daemons 2>/dev/null
    wait 2>/dev/null
    rm -rf "$place"
}

start_slurm() {
    for tool in slurmctld slurmd munged sbatch squeue scancel setpriv python3; do
        command -v $tool >/dev/null || skip "no $tool"
    done
    [ "$(id -u)" = 0 ] || skip "slurmd runs jobs as root only"
    daemons=
    place=$(mktemp -d /tmp/cll-slurm-XXXXXX) # names of sockets must be short
    host=$(hostname -s)
    trap stop_slurm EXIT
    trap 'exit 1' INT TERM HUP
    mkdir "$place/state" "$place/spool"
    head -c 1024 /dev/urandom >"$place/key"
    chmod 600 "$place/key"
    cat >"$place/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$place/munge
CredType=cred/munge
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
StateSaveLocation=$place/state
SlurmdSpoolDir=$place/spool
SlurmctldPidFile=$place/slurmctld.pid
SlurmdPidFile=$place/slurmd.pid
SlurmctldLogFile=$place/slurmctld.log
SlurmdLogFile=$place/slurmd.log
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
NodeName=$host NodeAddr=127.0.0.1 CPUs=8 State=UNKNOWN
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
EOF
    export SLURM_CONF=$place/slurm.conf
    daemon munged --foreground --force --key-file="$place/key" --socket="$place/munge" --pid-file="$place/munge.pid" \
        --log-file="$place/munge.log" --seed-file="$place/munge.seed"
    appears "$place/munge"
    daemon slurmctld -D -i -f "$SLURM_CONF"
    daemon slurmd -D -f "$SLURM_CONF" -N "$host"
    for _ in $(seq 100); do
        ! sinfo -h -o %t 2>/dev/null | grep -q idle || return 0
        sleep 0.1
    done
    cat daemons.log "$place"/*.log >&2
    skip "Slurm does not start here"
}

submit() { # SBATCH'S WORDS...: sets $job
    job=$(sbatch --parsable --output=job.log --open-mode=truncate "$@") || fail "sbatch $*"
}
# ends STATE: the job comes to its end so
ends() {
    local state=
    for _ in $(seq "${2:-300}"); do
        state=$(squeue -h -t all -o %T -j "$job" | sort -u)
        case $state in PENDING | RUNNING | COMPLETING | SIGNALING | *'
'*) sleep 0.1 ;; *) break ;; esac
    done
    [ "$state" = "$1" ] || { cat job.log; fail "the job is $state, not $1"; } >&2
}

slurm_runs_the_sweep_and_resumes_after_its_limit() {
    mpi work
    "$call" --cc "$mpicc" --slurm work.c || fail "not translated"
    start_slurm
    submit work.cll.sbatch --rounds 2
    ends COMPLETED
    is "$(data)" "work.cll.p1.r1.dat work.cll.p1.r2.dat work.cll.p2.r1.dat work.cll.p2.r2.dat work.cll.p4.r1.dat work.cll.p4.r2.dat " "files of one job"
    is "$(header work.cll.p4.r2.dat world)" 4 processes
    has job.log '6 of 6 runs are complete'
    lacks job.log 'this machine has'

    # The signal that Slurm sends before the limit: --signal=B:TERM.
    rm -f ./*.dat
    submit work.cll.sbatch --rounds 1 -- once
    appears waiting
    scancel --signal=TERM --batch "$job"
    ends FAILED
    has job.log 'stopped by SIGTERM: . of 3 runs are complete; continue with: sbatch /.*/work.cll.sbatch --resume --rounds 1 -- once (and the options'
    ls ./work.cll.p*.r1.part/1/*.spool >/dev/null || fail "the samples of the run that was stopped are lost"
    submit work.cll.sbatch --resume --rounds 1 -- once
    ends COMPLETED
    is "$(data)" "work.cll.p1.r1.dat work.cll.p2.r1.dat work.cll.p4.r1.dat " "files after resuming"
    gone ./*.part
}

slurm_array_has_a_job_for_each_round() {
    cp "$here/threads.c" .
    "$call" --cc "$cc" --slurm-array --slurm-time 5 --slurm-option=--array=1-2 threads.c || fail "not translated"
    # shellcheck disable=SC2086
    "$call" cc $cc -O1 -fopenmp threads.c -o threads || fail "not compiled"
    start_slurm
    submit threads.cll.sbatch --procs 1,3 -- 'a $(touch pwned) b'
    ends COMPLETED
    is "$(data)" "threads.cll.p1.r1.dat threads.cll.p1.r2.dat threads.cll.p3.r1.dat threads.cll.p3.r2.dat " "files of two jobs"
    is "$(values threads.cll.p3.r2.dat share P)$(values threads.cll.p3.r2.dat share run)" "3 2 " "P and run"
    is "$(cat threads.cll.p1.r1.out)" '<a $(touch pwned) b>' arguments
    gone pwned
}

long_slurm_limit_keeps_the_data() {
    mpi work
    "$call" --cc "$mpicc" --slurm-time 2 work.c || fail "not translated"
    start_slurm
    submit work.cll.sbatch --rounds 1 -- once 200
    ends FAILED 2000
    has job.log 'stopped by SIGTERM'
    submit work.cll.sbatch --resume --rounds 1 -- once
    ends COMPLETED
    is "$(data)" "work.cll.p1.r1.dat work.cll.p2.r1.dat work.cll.p4.r1.dat " "files after resuming"
}

main "$1"
