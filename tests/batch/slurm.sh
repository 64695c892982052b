# SPDX-License-Identifier: GPL-3.0-or-later
# Scripts for Slurm, run by a Slurm of this test's own.
. "$CLL_SOURCE/tests/batch/setup.sh"
. "$CLL_SOURCE/tests/harness/slurm.sh"

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

slurm_varies_the_arguments() {
    mpi work
    "$call" --cc "$mpicc" --slurm work.c || fail "not translated"
    start_slurm
    submit work.cll.sbatch --rounds 1 --procs 1,2 --vary k=10,20 -- plain '{k}'
    ends COMPLETED
    is "$(data)" "work.cll.p1.k10.r1.dat work.cll.p1.k20.r1.dat work.cll.p2.k10.r1.dat work.cll.p2.k20.r1.dat " files
    is "$(header work.cll.p2.k20.r1.dat setting)$(header work.cll.p2.k20.r1.dat world)" "k 202" "setting and processes"
    has job.log '4 of 4 runs are complete'
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
