# SPDX-License-Identifier: GPL-3.0-or-later
# call count of programs with several processes or threads.
. "$CLL_SOURCE/tests/count/setup.sh"

threads_are_counted_apart() {
    cat >team.c <<'C'
#include <stdio.h>
#pragma cll parallel OpenMP
int main(void)
{
    int N;
#pragma cll for (N = 20; N <= 100; N += 20)
#pragma omp parallel
    {
#pragma cll share share[0] + share[1]*N/P
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            __asm__ volatile("nop");
#pragma cll end share
    }
#pragma cll end for
    puts("done");
    return 0;
}
C
    count -q --procs 1,2 team.c
    says team.count.json 'sorted({(p["values"]["P"], p["thread"]) for p in experiment("share")["points"]})' '[(1, 0), (2, 0), (2, 1)]'
    says team.count.json 'constant("share", "share[1]")["classes"]["other"]' 1
    says team.count.json 'constant("share", "share[1]")["exact"]' True
    is "$(values team.count.dat share P)" "1 2 "
}

processes_are_counted_apart() {
    mpi_library "${1:-openmpi}"
    cat >ranks.c <<'C'
#include <mpi.h>
#pragma cll parallel MPI
int main(int argc, char **argv)
{
    int N, rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cll for (N = 20; N <= 100; N += 20)
#pragma cll share share[0] + share[1]*N/P
    for (int i = rank; i < N; i += size)
        __asm__ volatile("nop");
#pragma cll end share
#pragma cll meet meet[0] + meet[1]*N
    MPI_Barrier(MPI_COMM_WORLD);
#pragma cll end meet
#pragma cll end for
    MPI_Finalize();
    return 0;
}
C
    count -q --procs 1,2 --cc "$mpicc" ranks.c
    has_text out '15 executions at 10 points, N = 20 to 100, P = 1 to 2'
    says ranks.count.json 'sorted({(p["values"]["P"], p["rank"]) for p in experiment("share")["points"]})' '[(1, 0), (2, 0), (2, 1)]'
    says ranks.count.json 'constant("share", "share[1]")["classes"]["other"]' 1
    says ranks.count.json 'constant("share", "share[1]")["exact"]' True
    is "$(values ranks.count.dat share rank)" "0 1 "
    says ranks.count.json '[experiment(e)["communicates"] for e in ("share", "meet")]' '[False, True]'
}
processes_of_mpich_are_counted_apart() {
    processes_are_counted_apart mpich
}

main "$1"
