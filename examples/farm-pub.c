/* SPDX-License-Identifier: MIT */
/*
 * A farm, written with groups and oblivious synchronisation: "A tool for performance modeling of
 * parallel programs" names farms and pipelines as what a flat BSP library with global barriers
 * expresses badly.
 *
 * Processor 0 is the master. The other processors form teams. A task is the integral of 4/(1 + x^2)
 * over a part of [0, 1], with a number of terms that differs from task to task. In a round each
 * team takes a task as a machine of its own (bsp_partition): its members compute parts of the terms,
 * and its first processor adds what they found, in a superstep of the team (a team of one needs
 * none). Then the team is a part of the whole machine again (bsp_done), sends its result to the
 * master, and goes on with its next task.
 *
 *   oblivious    a team waits for nothing, the master waits for one message of each team. A team with short
 *                tasks is rounds ahead of the others; messages that come early wait for their superstep.
 *   barrier      each round ends with bsp_sync: it lasts as long as its longest task.
 *
 *     call cc mpicc -O2 farm-pub.c -o farm -lm
 *     mpirun -n 8 ./farm [TASKS [TERMS [TEAM [TIMES [KIND]]]]]
 *
 * TASKS tasks (64) have TERMS to 16 TERMS terms (20000); a team has TEAM processors (1; the last one what
 * is left); the whole is done TIMES times (1), with KIND oblivious, barrier or both (both). The sum of all
 * tasks is pi. Simulated (call cc smpicc), a term takes 100 operations.
 */
#include <math.h>
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SMPI_HELPERS_H
#include <smpi/smpi.h>
#endif

#pragma cll parallel PUB bsp procs = 2 : 16 : 2

static long tasks, least; /* tasks in all; terms of the shortest one */
static int teams;         /* without the master */

/* 1 to 16 times the least, in an order without a rule that teams could follow. */
static long terms_of(long task)
{
    return least * (1 + (long)((unsigned)(task + 1) * 2654435761u >> 28));
}

static double integral(long task, long first, long step, long terms)
{
    double width = 1.0 / (double)tasks / (double)terms, left = (double)task / (double)tasks, sum = 0;
    for (long i = first; i < terms; i += step) {
        double x = left + ((double)i + 0.5) * width;
        sum += 4 / (1 + x * x);
    }
    return sum * width;
}

/* The part of a task that a processor of the team computes. */
static double part_of(t_bsp *team, long task)
{
    long step = bsp_nprocs(team), terms = terms_of(task);
    double sum;
#pragma cll work(share = terms / step) work[0] + work[1] * share
    sum = integral(task, bsp_pid(team), step, terms);
#ifdef SMPI_HELPERS_H
    smpi_execute_flops(100.0 * (double)(terms / step));
#endif
#pragma cll end work
    return sum;
}

/* The whole task, on the first processor of the team. */
static double solve(t_bsp *team, long task)
{
    double sum = part_of(team, task), part;
    if (bsp_nprocs(team) == 1)
        return sum;
    if (bsp_pid(team))
        bsp_send(team, 0, &sum, sizeof sum);
    bsp_oblsync(team, bsp_pid(team) ? 0 : bsp_nprocs(team) - 1);
    for (int i = 0; i < bsp_nmsgs(team); i++) {
        memcpy(&part, bspmsg_data(bsp_getmsg(team, i)), sizeof part);
        sum += part;
    }
    return sum;
}

/* The group of the master, and the teams: where each of them ends. */
static int *ends_of(t_bsp *bsp, int size)
{
    int *ends = malloc(((size_t)teams + 1) * sizeof *ends);
    if (!ends)
        bsp_abort(bsp, "no memory");
    for (int i = 0; i <= teams; i++)
        ends[i] = 1 + i * size;
    ends[teams] = bsp_nprocs(bsp);
    return ends;
}

static void end_round(t_bsp *bsp, int messages, int oblivious)
{
    if (oblivious)
        bsp_oblsync(bsp, messages);
    else
        bsp_sync(bsp);
}

/* The sum of all tasks on the master, 0 elsewhere. */
static double farm(t_bsp *bsp, int size, const int *ends, int oblivious)
{
    int me = bsp_pid(bsp), mine = me ? (me - 1) / size : -1; /* the number of this team */
    double sum = 0, value;
    if (mine >= teams)
        mine = teams - 1;
    for (long begin = 0; begin < tasks; begin += teams) {
        long task = begin + mine, results = tasks - begin < teams ? tasks - begin : teams;
        t_bsp team;
        bsp_partition(bsp, &team, teams + 1, ends);
        value = me && task < tasks ? solve(&team, task) : 0;
        int leads = bsp_pid(&team) == 0;
        bsp_done(&team);
        if (me && leads && task < tasks)
            bsp_send(bsp, 0, &value, sizeof value);
        end_round(bsp, me ? 0 : (int)results, oblivious);
        for (int i = 0; i < bsp_nmsgs(bsp); i++) {
            memcpy(&value, bspmsg_data(bsp_getmsg(bsp, i)), sizeof value);
            sum += value;
        }
    }
    return sum;
}

/* Both ways to end a round, or one of them. Whether the master found pi each time. */
static int measure(t_bsp *bsp, int size, int times, const char *kind)
{
    int *ends = ends_of(bsp, size), right = 1;
    long total = 0, rounds = (tasks + teams - 1) / teams;
    double sum[2];
    for (long i = 0; i < tasks; i++)
        total += terms_of(i);
    for (int i = 0; i < times; i++) {
        sum[0] = sum[1] = bsp_pid(bsp) ? 0 : acos(-1);
        if (strcmp(kind, "barrier")) {
#pragma cll sync oblivious oblivious[0] * rounds + oblivious[1] * total / (P - 1)
            sum[0] = farm(bsp, size, ends, 1);
#pragma cll end oblivious
        }
        if (strcmp(kind, "oblivious")) {
#pragma cll sync barrier barrier[0] * rounds + barrier[1] * total / (P - 1)
            sum[1] = farm(bsp, size, ends, 0);
#pragma cll end barrier
        }
        for (int k = 0; k < 2 && bsp_pid(bsp) == 0; k++)
            right = right && fabs(sum[k] - acos(-1)) < 1e-7;
    }
    (void)total, (void)rounds; /* for the formulas */
    free(ends);
    return right;
}

int main(int argc, char **argv)
{
    t_bsp machine, *bsp = &machine;
    int size = argc > 3 ? atoi(argv[3]) : 1, times = argc > 4 ? atoi(argv[4]) : 1;
    const char *kind = argc > 5 ? argv[5] : "both";
    tasks = argc > 1 ? atol(argv[1]) : 64;
    least = argc > 2 ? atol(argv[2]) : 20000;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, bsp);
    if (bsp_nprocs(bsp) < 2)
        bsp_abort(bsp, "a farm needs a master and a worker: at least 2 processors");
    if (tasks < 1 || least < 100 || size < 1 || times < 1 ||
        (strcmp(kind, "both") && strcmp(kind, "oblivious") && strcmp(kind, "barrier")))
        bsp_abort(bsp, "usage: farm-pub [TASKS [TERMS [TEAM [TIMES [KIND]]]]], at least 1, 100, 1 and "
                       "1; KIND oblivious, barrier or both");
    teams = (bsp_nprocs(bsp) - 1) / size;
    if (!teams)
        bsp_abort(bsp, "%d processors are too few for a master and a team of %d", bsp_nprocs(bsp),
                  size);
    int right = measure(bsp, size, times, kind);
#pragma cll report all
    if (bsp_pid(bsp) == 0)
        printf("the sum is %s\n", right ? "right" : "wrong");
    bsplib_done();
    return !right;
}
