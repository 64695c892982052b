/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * MPI: ping-pong against the size, between ranks 0 and 1 and between rank 0 and the last one, which in
 * a run on several hosts is on another host; message rate; barrier and Alltoall against the number of
 * processes. The time of a collective operation is that of the slowest process.
 *
 * Every process calls the sample of every point. Processes that do not take part return at once.
 */
#include "probe/mpi/parallel.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "probe/cores.h"

enum {
    WINDOW = 64,            /* messages of the rate that are under way at once */
    SMALL = 8,              /* their bytes */
    LARGEST = 4 << 20,      /* of a ping-pong */
    MOST_BUFFER = 16 << 20, /* of an Alltoall */
    TAG = 1,
};

enum kind { PINGPONG, PINGPONG_FAR, RATE, BARRIER, ALLTOALL };

struct job {
    enum kind kind;
    size_t bytes;
    int comm; /* index */
    unsigned repeats;
};

static struct job *jobs;
static size_t njobs, capacity;
static MPI_Comm comms[PROBE_COUNTS];
static int counts[PROBE_COUNTS], ncounts;
static char *out, *in;
static int rank, size;

/* ---- operations; `n` times */

static void pingpong(int partner, size_t bytes, unsigned n)
{
    int other = rank == 0 ? partner : 0;
    for (unsigned i = 0; i < n; i++) {
        if (rank == 0)
            MPI_Send(out, (int)bytes, MPI_BYTE, other, TAG, probe_comm);
        MPI_Recv(in, (int)bytes, MPI_BYTE, other, TAG, probe_comm, MPI_STATUS_IGNORE);
        if (rank != 0)
            MPI_Send(out, (int)bytes, MPI_BYTE, other, TAG, probe_comm);
    }
}

/* A window of messages from rank 0 to rank 1, which answers when it has all of them. */
static void window(unsigned n)
{
    MPI_Request requests[WINDOW];
    MPI_Status statuses[WINDOW];
    for (unsigned i = 0; i < n; i++) {
        for (int k = 0; k < WINDOW; k++)
            if (rank == 0)
                MPI_Isend(out + k * SMALL, SMALL, MPI_BYTE, 1, TAG, probe_comm, &requests[k]);
            else
                MPI_Irecv(in + k * SMALL, SMALL, MPI_BYTE, 0, TAG, probe_comm, &requests[k]);
        MPI_Waitall(WINDOW, requests, statuses);
        if (rank == 0)
            MPI_Recv(in, 0, MPI_BYTE, 1, TAG, probe_comm, MPI_STATUS_IGNORE);
        else
            MPI_Send(out, 0, MPI_BYTE, 0, TAG, probe_comm);
    }
}

static void perform(const struct job *j, unsigned n)
{
    switch (j->kind) {
    case PINGPONG: pingpong(1, j->bytes, n); break;
    case PINGPONG_FAR: pingpong(size - 1, j->bytes, n); break;
    case RATE: window(n); break;
    case BARRIER:
        for (unsigned i = 0; i < n; i++)
            MPI_Barrier(comms[j->comm]);
        break;
    case ALLTOALL:
        for (unsigned i = 0; i < n; i++)
            MPI_Alltoall(out, (int)j->bytes, MPI_BYTE, in, (int)j->bytes, MPI_BYTE, comms[j->comm]);
        break;
    }
}

/* ---- samples */

static bool takes_part(const struct job *j)
{
    switch (j->kind) {
    case PINGPONG:
    case RATE: return rank < 2;
    case PINGPONG_FAR: return rank == 0 || rank == size - 1;
    default: return comms[j->comm] != MPI_COMM_NULL;
    }
}

/* Processes that take part begin together: a barrier of those, or a message there and back. */
static void begin_together(const struct job *j)
{
    if (j->kind == BARRIER || j->kind == ALLTOALL)
        MPI_Barrier(comms[j->comm]);
    else
        pingpong(j->kind == PINGPONG_FAR ? size - 1 : 1, 0, 1);
}

/* Seconds for one operation; on rank 0 those of the slowest process. */
static double time_job(const struct job *j, unsigned n)
{
    begin_together(j);
    double begin = probe_now();
    perform(j, n);
    double mine = (probe_now() - begin) / n, slowest = mine;
    if (j->kind == BARRIER || j->kind == ALLTOALL)
        MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, comms[j->comm]);
    return slowest;
}

/* Rank 0 decides for those that take part. */
static void agree(const struct job *j, unsigned *repeats)
{
    if (j->kind == BARRIER || j->kind == ALLTOALL)
        MPI_Bcast(repeats, 1, MPI_UNSIGNED, 0, comms[j->comm]);
    else if (rank == 0)
        MPI_Send(repeats, 1, MPI_UNSIGNED, j->kind == PINGPONG_FAR ? size - 1 : 1, TAG, probe_comm);
    else
        MPI_Recv(repeats, 1, MPI_UNSIGNED, 0, TAG, probe_comm, MPI_STATUS_IGNORE);
}

static double sample(const struct probe_point *p, unsigned round)
{
    struct job *j = &jobs[p->index];
    if (!takes_part(j))
        return 0;
    if (round == 0) {
        time_job(j, 1);                  /* the first message opens the connection */
        double seconds = time_job(j, 3); /* the fastest of three: one may be interrupted */
        for (int i = 0; i < 2; i++)
            seconds = fmin(seconds, time_job(j, 3));
        j->repeats = probe_repeats(seconds);
        agree(j, &j->repeats);
    }
    double seconds = time_job(j, j->repeats);
    return j->kind == RATE ? WINDOW / seconds : j->kind <= PINGPONG_FAR ? seconds / 2 : seconds;
}

/* ---- points */

static void add(struct probe *p, enum kind kind, size_t bytes, int comm)
{
    static const char *const names[] = {"pingpong", "pingpong_far", "message_rate", "barrier",
                                        "alltoall"};
    probe_add(p,
              (struct probe_point){.family = probe_mpi.name,
                                   .name = names[kind],
                                   .unit = kind == RATE ? "1/s" : "s",
                                   .at = {.bytes = bytes, .processes = comm < 0 ? 2 : counts[comm]},
                                   .has_bytes = kind <= PINGPONG_FAR || kind == ALLTOALL,
                                   .rate = kind == RATE,
                                   .sample = sample,
                                   .index = njobs});
    MEM_ADD(jobs, njobs, &capacity,
            (struct job){.kind = kind, .bytes = bytes, .comm = comm, .repeats = 1});
}

static void make_comms(void)
{
    int all[PROBE_COUNTS], n = probe_cores_counts(size, all);
    ncounts = 0;
    for (int i = 0; i < n; i++) {
        if (all[i] < 2)
            continue;
        counts[ncounts] = all[i];
        MPI_Comm_split(probe_comm, rank < all[i] ? 0 : MPI_UNDEFINED, rank, &comms[ncounts++]);
    }
}

static const char *open_mpi(struct probe *p)
{
    size_t step = p->options.quick ? 16 : 4;
    rank = p->world->rank;
    size = p->world->size;
    out = mem_zalloc(1, MOST_BUFFER);
    in = mem_zalloc(1, MOST_BUFFER);
    memset(out, 1, MOST_BUFFER);
    memset(in, 1, MOST_BUFFER);
    make_comms();
    for (enum kind k = PINGPONG; k <= PINGPONG_FAR; k++) {
        if (k == PINGPONG_FAR && size == 2)
            continue;
        add(p, k, 0, -1);
        for (size_t bytes = 16; bytes <= LARGEST; bytes *= step)
            add(p, k, bytes, -1);
    }
    add(p, RATE, 0, -1);
    for (int c = 0; c < ncounts; c++) {
        add(p, BARRIER, 0, c);
        for (size_t bytes = 16; bytes <= 1 << 20; bytes *= step)
            if (bytes * (size_t)counts[c] <= MOST_BUFFER)
                add(p, ALLTOALL, bytes, c);
    }
    return NULL;
}

static void close_mpi(void)
{
    for (int c = 0; c < ncounts; c++)
        if (comms[c] != MPI_COMM_NULL)
            MPI_Comm_free(&comms[c]);
    mem_free(out);
    mem_free(in);
    mem_free(jobs);
}

const struct probe_family probe_mpi = {.name = "mpi", .open = open_mpi, .close = close_mpi};
