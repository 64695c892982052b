/* SPDX-License-Identifier: MIT */
/*
 * Measures how long it takes to connect two processes: the program of Appendix E of "Smart
 * Integration: A Test Case Study" (Zemerly et al., Warwick RR257), written anew for MPI.
 *
 * On the paper's machine a program made a virtual link before it could send. Both processes called
 * ConnectLink with the same number, or one called MakeLink and the other GetLink. MPI has a
 * counterpart of each, and each is an experiment:
 *
 *     link   ConnectLink: MPI_Intercomm_create makes an intercommunicator with one process on each
 *            side. fft-stage.c uses it.
 *     port   MakeLink and GetLink: MPI_Comm_accept and MPI_Comm_connect through a port. Only with
 *            the argument "ports", because not every launcher supports it.
 *
 * MPI also connects processes by itself, in MPI_Init or with their first message. This is not here:
 * the run-time of CALL sends messages of its own before the first region.
 *
 *     call cc mpicc -O2 connect.c -o connect
 *     mpirun -n 2 ./connect                  100 links, as in the paper; then
 *     llac -e 'statistic mean; ranks 0; show link' connect.cll.0.dat
 *
 * Checked: a number goes through each link, both ways.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel MPI procs = 2

enum { MOST_LINKS = 100000 };

/* Whether both numbers arrive: each process sends its rank and the number of the link. */
static int talk(MPI_Comm comm, int other, int rank, int number)
{
    int mine[2] = {rank, number}, its[2] = {-1, -1};
    MPI_Sendrecv(mine, 2, MPI_INT, other, 0, its, 2, MPI_INT, other, 0, comm, MPI_STATUS_IGNORE);
    return its[0] == 1 - rank && its[1] == number;
}

static int links(int rank, int n)
{
    int right = 1;
    for (int i = 0; i < n; i++) {
        MPI_Comm link;
#pragma cll sync link link[0]
        MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 1 - rank, i, &link);
#pragma cll end link
        right &= talk(link, 0, rank, i);
        MPI_Comm_free(&link);
    }
    return right;
}

/* Process 0 opens a port, tells its name, and accepts; process 1 connects. */
static int ports(int rank, int n)
{
    int right = 1;
    char port[MPI_MAX_PORT_NAME] = "";
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < n; i++) {
        MPI_Comm link;
#pragma cll sync port port[0]
        if (rank == 0)
            MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &link);
        else
            MPI_Comm_connect(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &link);
#pragma cll end port
        right &= talk(link, 0, rank, i);
        MPI_Comm_disconnect(&link);
    }
    if (rank == 0)
        MPI_Close_port(port);
    return right;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int with_ports = argc > 1 && strcmp(argv[argc - 1], "ports") == 0;
    int numbers = argc - 1 - with_ports, n = numbers > 0 ? atoi(argv[1]) : 100;
    if (size != 2 || numbers > 1 || n < 1 || n > MOST_LINKS) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: connect [LINKS] [ports] with two processes, LINKS from 1 to %d\n",
                    MOST_LINKS);
        MPI_Finalize();
        return 2;
    }
    int right = links(rank, n);
    if (with_ports)
        right &= ports(rank, n);
    if (rank == 0)
        puts(right ? "right" : "WRONG");
    MPI_Finalize();
    return !right;
}
