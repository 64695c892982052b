/* SPDX-License-Identifier: GPL-3.0-or-later */
/* beside MODE [ARGUMENT]: the program uses MPI beside libpub. */
#include "program.h"

#include <mpi.h>

/* Exchanges with the same tags as the library may use, and wildcard receives. */
static void exchange(t_bsp *bsp, int rank, int size, int text)
{
    MPI_Request requests[4];
    int came[4];
    for (int tag = 0; tag < 4; tag++)
        MPI_Irecv(&came[tag], 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &requests[tag]);
    bsp_send(bsp, (rank + 1) % size, &text, sizeof text);
    bsp_oblsync(bsp, 1);
    for (int tag = 0; tag < 4; tag++) {
        int value = 10 * text + tag;
        MPI_Send(&value, 1, MPI_INT, (rank + 1) % size, tag, MPI_COMM_WORLD);
    }
    bsp_sync(bsp);
    SAME(bsp, bsp_nmsgs(bsp), 0);
    for (int tag = 0; tag < 4; tag++) {
        MPI_Wait(&requests[tag], MPI_STATUS_IGNORE);
        SAME(bsp, came[tag], 10 * text + tag);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static int parallel_part(int argc, char **argv)
{
    t_bsp bsp;
    int rank, size;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    CHECK(&bsp, argc == 3 && strcmp(argv[2], "kept") == 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    SAME(&bsp, bsp_pid(&bsp), rank);
    SAME(&bsp, bsp_nprocs(&bsp), size);
    for (int i = 0; i < 50; i++)
        exchange(&bsp, rank, size, i);
    bsplib_done();
    return rank;
}

int main(int argc, char **argv)
{
    int own = argc > 1 && strcmp(argv[1], "own") == 0, finalised = 0, sum = 0, one = 1;
    if (own) {
        MPI_Init(&argc, &argv);
        MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    int rank = parallel_part(argc, argv);
    MPI_Finalized(&finalised);
    if (finalised == own) {
        fprintf(stderr, "MPI has%s been finalised\n", finalised ? "" : " not");
        return 1;
    }
    if (own) { /* MPI goes on */
        int again = 0;
        MPI_Allreduce(&one, &again, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (again != sum)
            return 1;
        MPI_Finalize();
    }
    if (rank == 0)
        puts("passed");
    return 0;
}
