/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A program for sweeps: a region on each process, then what the first argument says. */
#include <mpi.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A minute, or the seconds that the second argument says. */
static void wait_long(int argc, char **argv)
{
    int seconds = argc > 2 && strcmp(argv[1], "hold") ? atoi(argv[2]) : 60;
    for (int i = 0; i < seconds; i++)
        sleep(1);
}

#pragma cll parallel MPI procs = 1 : 4 : 2

int main(int argc, char **argv)
{
    int rank, size, n = 1;
    const char *mode = argc > 1 ? argv[1] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#pragma cll for (n = 1; n <= 3; n++)
#pragma cll sync f f[0] + f[1] * n *P
    usleep((unsigned)(100 * n));
#pragma cll end f
#pragma cll end for
    if (rank == 0 && !strcmp(mode, "say"))
        for (int i = 2; i < argc; i++)
            printf("<%s>", argv[i]);
    if (!strcmp(mode, "early")) { /* a report, and more to come */
#pragma cll report all
        n++;
    }
    if (!strcmp(mode, "stubborn"))
        signal(SIGTERM, SIG_IGN);
    bool hold = !strcmp(mode, "hold") && size == atoi(argv[2]); /* waits with so many processes */
    if (hold || !strcmp(mode, "early") || !strcmp(mode, "wait") || !strcmp(mode, "stubborn")) {
        if (rank == 0)
            fclose(fopen("waiting", "w"));
        wait_long(argc, argv);
    }
    if (!strcmp(mode, "fail") && size == atoi(argv[2]))
        return 3;
    if (!strcmp(mode, "once")) { /* waits the first time only */
        FILE *f = fopen("waiting", "r");
        if (!f && rank == 0) {
            fclose(fopen("waiting", "w"));
            wait_long(argc, argv);
        }
    }
    MPI_Finalize();
    return 0;
}
