/* SPDX-License-Identifier: GPL-3.0-or-later */
/* modes MODE [NUMBER]: an MPI program that behaves in the way the mode says; mpi.sh looks at what
 * is left. */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#pragma cll parallel MPI

static int rank, size, number;

static void once(int n)
{
#pragma cll sync f f[0] + f[1] * n + f[2] * log(P)
    usleep((useconds_t)(10 * n));
#pragma cll end f
}

static void alone(int n)
{
#pragma cll g g[0] + g[1] * n
    cll_touch(&n);
#pragma cll end g
}

static void plain(void)
{
    for (int n = 1; n <= number; n++)
        once(n);
}

/* All but one process without samples, also the one that writes. */
static void one_measures(void)
{
    if (rank == size - 1)
        for (int n = 1; n <= number; n++)
            alone(n);
}

/* Only one process has long executions; the others do not know that the file has columns for them. */
static void one_is_long(void)
{
    for (int n = 1; n <= number; n++) {
#pragma cll h h[0]
        if (rank == size - 1)
            usleep(2000);
#pragma cll end h
    }
}

static void nobody_measures(void)
{
}

static void report_twice(void)
{
    plain();
#pragma cll report all
    plain();
    alone(1);
#pragma cll report all
}

static void report_then_more(void)
{
    plain();
#pragma cll report all
    plain();
}

static void report_some(void)
{
    plain();
    alone(1);
#pragma cll report g
}

static void one_is_killed(void)
{
    plain();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        raise(SIGKILL);
    pause();
}

static void one_aborts(void)
{
    plain();
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == size - 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    pause();
}

/* A launcher may end the others once one has gone: all have measured by then. */
static void all_exit(void)
{
    plain();
    MPI_Barrier(MPI_COMM_WORLD);
    exit(0);
}

/* Experiments that some processes do not know. */
static void different(void)
{
    if (rank % 2) {
#pragma cll odd odd[0] * number
        alone(number);
#pragma cll end odd
    } else {
#pragma cll even(r = rank + number) even[0] * r
        alone(number);
#pragma cll end even
    }
}

static void report_different(void)
{
    different();
#pragma cll report odd
}

/* Groups of processes; communicators come and go, and one is left to MPI_Finalize. */
static void groups(void)
{
    MPI_Comm half, left, none = MPI_COMM_NULL, inter;
    for (int round = 0; round < 3; round++) {
        MPI_Comm_split(MPI_COMM_WORLD, rank < size / 2, rank, &half);
        for (int i = 0; i < number; i++) {
#pragma cll sync(half) half half[0] * P
            alone(i);
#pragma cll end half
        }
        MPI_Comm_free(&half);
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &left);
#pragma cll sync(left) left left[0] * P
    alone(1);
#pragma cll end left
#pragma cll sync(MPI_COMM_SELF) self self[0] * P
    alone(1);
#pragma cll end self
#pragma cll sync(none) none none[0] * P
    alone(1);
#pragma cll end none
    if (size < 2)
        return;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank == 0, 1, &inter);
#pragma cll sync(inter) inter inter[0] * P
    alone(1);
#pragma cll end inter
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

/* Our messages never meet a receive of the program's that takes anything from anybody. */
static void wildcard(void)
{
    MPI_Request request;
    int taken = -1, done = 0;
    MPI_Irecv(&taken, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    plain();
#pragma cll report all
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done)
        puts("a message of ours was taken");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void *work(void *data)
{
    for (int i = 0; i < number; i++)
        alone(*(int *)data);
    return NULL;
}

static void with_threads(void)
{
    pthread_t threads[3];
    int n = 5;
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, work, &n);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    once(1);
}

/* Many short regions: more than the memory holds. */
static void many(void)
{
    for (int i = 0; i < number; i++)
        alone(i % 3);
}

static void fork_in_between(void)
{
    plain();
    pid_t child = fork();
    if (!child) {
        alone(1);
        exit(0);
    }
    plain();
}

/* The process with this number comes late to a sync, a report, a communicator, by LATE seconds. */
static void come_late(int whom)
{
    const char *seconds = getenv("LATE");
    if (rank == whom)
        sleep(seconds ? (unsigned)atoi(seconds) : 1);
}

static void late_sync(void)
{
    come_late(number);
    once(1);
}

static void late_report(void)
{
    alone(1);
    come_late(number);
#pragma cll report all
}

static void late_in_group(void)
{
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &part);
    come_late(number);
    for (int n = 0; n < 2; n++) {
#pragma cll sync(part) part part[0] * P
        cll_touch(&n);
#pragma cll end part
    }
    MPI_Comm_free(&part);
}

static void report_then_kill(void)
{
    plain();
#pragma cll report all
    plain();
    MPI_Barrier(MPI_COMM_WORLD);
    raise(SIGKILL);
}

/* It leaves them out. */
static void left_out_sync(void)
{
    if (rank != number)
        once(1);
}

static void left_out_report(void)
{
    alone(1);
    if (rank != number) {
#pragma cll report all
    }
}

/* Each process prints the sizes in its order, and waits in each iteration for the others. */
static void shuffled(void)
{
    int n = 1, all;
    char order[256] = "";
#pragma cll for (n = 1; n <= number; n++) shuffle
    once(n);
    snprintf(order + strlen(order), sizeof order - strlen(order), " %d", n);
    MPI_Allreduce(&n, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (all != n)
        MPI_Abort(MPI_COMM_WORLD, 1);
#pragma cll end for
    printf("order%s\n", order);
}

static const struct {
    const char *name;
    void (*run)(void);
} modes[] = {{"plain", plain},
             {"early", plain},
             {"late", plain},
             {"one_measures", one_measures},
             {"one_is_long", one_is_long},
             {"nobody_measures", nobody_measures},
             {"report_twice", report_twice},
             {"report_then_more", report_then_more},
             {"report_some", report_some},
             {"one_is_killed", one_is_killed},
             {"one_aborts", one_aborts},
             {"all_exit", all_exit},
             {"different", different},
             {"report_different", report_different},
             {"groups", groups},
             {"wildcard", wildcard},
             {"with_threads", with_threads},
             {"many", many},
             {"fork_in_between", fork_in_between},
             {"late_sync", late_sync},
             {"late_report", late_report},
             {"late_in_group", late_in_group},
             {"report_then_kill", report_then_kill},
             {"left_out_sync", left_out_sync},
             {"left_out_report", left_out_report},
             {"shuffled", shuffled}};

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "plain";
    int provided;
    number = argc > 2 ? atoi(argv[2]) : 5;
    if (!strcmp(mode, "early"))
        alone(77);
    if (!strcmp(mode, "with_threads"))
        MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    else
        MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(mode, modes[i].name))
            modes[i].run();
    MPI_Finalize();
    if (!strcmp(mode, "late"))
        alone(88);
    return 0;
}
