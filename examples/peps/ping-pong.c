/* SPDX-License-Identifier: MIT */
/*
 * Blocks go from one process to another and back: the program of Appendix D of "Smart Integration:
 * A Test Case Study" (Zemerly et al., Warwick RR257), written anew for MPI. Sizes double from 4 to
 * 262144 bytes, as in the paper.
 *
 * A region is one round trip, which process 0 measures; it needs no sync. The formula counts each
 * constant twice, so that roundtrip[0] is the start-up time of one message and roundtrip[1] the
 * time of a byte: the paper's 51 us and 1/1.03 Mbyte/s. Five trips of each size follow each other,
 * and llac leaves out the first of them where it is slower.
 *
 *     call cc mpicc -O2 ping-pong.c -o ping-pong
 *     mpirun -n 2 ./ping-pong
 *     llac -e 'ranks 0; fit roundtrip; plot roundtrip to time.svg' ping-pong.cll.0.dat
 *
 * `study figures` draws figures 6 and 7 of the paper from the data.
 *
 * Checked: what comes back is what was sent, and the other process has changed each byte.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel MPI procs = 2

enum { SMALLEST = 4, LARGEST = 1 << 26, TRIPS = 5 };

/* Process 0 sends and receives, process 1 receives and sends. */
static void round_trip(unsigned char *block, int bytes, int rank)
{
    if (rank == 0) {
        MPI_Send(block, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(block, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(block, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(block, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    }
}

static void measure(unsigned char *block, int bytes, int rank)
{
    for (int trip = 0; trip < TRIPS; trip++) {
#pragma cll roundtrip 2*roundtrip[0] + 2*roundtrip[1]*bytes
        round_trip(block, bytes, rank);
#pragma cll end roundtrip
    }
}

/* Process 1 sends back other bytes than it got. Not measured. */
static int is_right(unsigned char *block, int bytes, int rank)
{
    int right = 1;
    for (int i = 0; i < bytes; i++)
        block[i] = (unsigned char)(i * 7 + bytes);
    if (rank == 0) {
        round_trip(block, bytes, 0);
        for (int i = 0; i < bytes; i++)
            right &= block[i] == (unsigned char)(i * 7 + bytes + 1);
        return right;
    }
    MPI_Recv(block, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < bytes; i++)
        block[i]++;
    MPI_Send(block, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
    return 1;
}

int main(int argc, char **argv)
{
    int rank, size, right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int last = argc > 1 ? atoi(argv[1]) : 262144, rounds = argc > 2 ? atoi(argv[2]) : 200;
    if (size != 2 || argc > 3 || last < SMALLEST || last > LARGEST || rounds < 1) {
        if (rank == 0)
            fprintf(stderr,
                    "usage: ping-pong [LAST [ROUNDS]] with two processes; LAST is the "
                    "largest block, from %d to %d bytes\n",
                    SMALLEST, LARGEST);
        MPI_Finalize();
        return 2;
    }
    unsigned char *block = calloc((size_t)last, 1);
    if (!block) {
        fprintf(stderr, "ping-pong: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    int bytes = last, round = 0;
    right = is_right(block, last, rank);
    /* All sizes once, then all again in another order: a slow moment of the machine then hits no size
     * alone, and no size always comes after the largest one. */
#pragma cll for (round = 0; round < rounds; round++)
#pragma cll for (bytes = SMALLEST; bytes <= last; bytes *= 2) shuffle
    measure(block, bytes, rank);
    if (round == 0)
        right &= is_right(block, bytes, rank);
#pragma cll end for
#pragma cll end for
    if (rank == 0)
        puts(right ? "right" : "WRONG");
    free(block);
    MPI_Finalize();
    return !right;
}
