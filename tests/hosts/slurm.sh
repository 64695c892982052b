# SPDX-License-Identifier: GPL-3.0-or-later
# Batch scripts in a Slurm with two nodes, each on a host of its own. A test is a function.
. "$CLL_SOURCE/tests/hosts/setup.sh"
. "$CLL_SOURCE/tests/harness/slurm.sh"
client="beside one"
on_node() { printf 'nsenter -t %s -n -u -m -r -p %s' "$(cat "$1.first")" "$time"; }
at_exit() {
    stop_slurm
    stop_hosts
}

cluster() {
    build steps
    "$call" --cc "$mpicc" --slurm --slurm-nodes 2 --procs 1,2,4 "$CLL_SOURCE/tests/hosts/steps.c" -o steps.cll.c || fail "not translated"
    hosts one two
    unset OMPI_MCA_plm_rsh_agent # Open MPI starts its processes through Slurm
    start_slurm one:10.77.0.1 two:10.77.0.2
}

slurm_job_uses_two_nodes() {
    cluster
    submit --ntasks-per-node=2 steps.cll.sbatch --rounds 2
    ends COMPLETED
    has job.log '6 of 6 runs are complete'
    for p in 1 2 4; do
        file=steps.cll.p$p.r2.dat
        well_formed $file
        is "$(rows $file step)" $((5 * p)) "rows of P=$p"
        is "$(header $file hosts)" $((p == 4 ? 2 : 1)) "hosts of P=$p"
    done
    is "$(header steps.cll.p4.r1.dat rank | sort | tr '\n' ' ')" "0 one 1 one 2 two 3 two " "hosts of the ranks"
    exits 0 "$llac" -e list steps.cll.p*.r*.dat
    has out '^  step   70 samples '
}

node_dies_during_a_job() {
    cluster
    submit --no-requeue --ntasks-per-node=2 steps.cll.sbatch --rounds 1 --procs 4 -- sync "$PWD/ready"
    appears ready
    die two
    for _ in $(seq 400); do
        ! grep -q 'runs are complete' job.log || break
        sleep 0.1
    done
    has job.log '0 of 1 runs are complete'
    has job.log 'P=4 round 1: the program failed with exit status'
    exits 0 "$llac" -e 'list' steps.cll.p4.r1.part/*/data*
    # the folder is shared, so the spools of the other node are here, too
    lacks err missing
}

main "$1"
