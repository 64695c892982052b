/* SPDX-License-Identifier: MIT */
/*
 * A pipeline, written with groups and oblivious synchronisation (farm-pub.c is the farm).
 *
 * The machine is cut into stages of equal size. Items, vectors of n numbers, come into the first stage and
 * go through all of them; each processor of a stage has a part of the vector. A stage smooths an item as
 * many times as the item and the stage ask for: a superstep of the stage, as a machine of its own
 * (bsp_partition), for each pass, in which neighbours exchange the numbers at the edges of their parts (a stage of one needs none).
 * Then each processor sends its part to the same processor of the next stage, in a superstep of the whole
 * machine. In superstep t stage s works on item t - s.
 *
 *   oblivious    a processor waits for the part that comes from the stage before, and for nothing else.
 *   barrier      each superstep of the machine ends with bsp_sync: it lasts as long as the longest work
 *                of any stage. Items that need more work at one stage and less at another make it longer.
 *
 *     call cc mpicc -O2 pipeline-pub.c -o pipeline
 *     mpirun -n 8 ./pipeline [ITEMS [NUMBERS [STAGE [TIMES [KIND]]]]]
 *
 * ITEMS items (32) of NUMBERS numbers (16384) go through stages of STAGE processors (1); all of it is done
 * TIMES times (1), with KIND oblivious, barrier or both (both). STAGE divides P and NUMBERS. The last stage
 * compares its items with those that one processor makes alone. Simulated (call cc smpicc), a pass takes 100
 * operations for each number.
 */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef SMPI_HELPERS_H
#include <smpi/smpi.h>
#endif

#pragma cll parallel PUB bsp procs = 1 : 16 : 2

static int items, numbers; /* in all; of an item */
static int stages, width;  /* stages; processors of each */
static int wrong;          /* items that came out wrong here */

/* How often stage `stage` smooths this item: 1 to 8 times. */
static int passes_of(int item, int stage)
{
    return 1 + (int)(((unsigned)item * 40503u + (unsigned)stage * 2246822519u + 12345u) * 2654435761u >> 29);
}

static double number_of(int item, int i)
{
    return (double)(((unsigned)item * 7919u + (unsigned)i * 104729u) % 1000u);
}

/* y[1 .. n] from x[0 .. n + 1] */
static void smooth(double *y, const double *x, int n)
{
    for (int i = 1; i <= n; i++)
        y[i] = 0.25 * x[i - 1] + 0.5 * x[i] + 0.25 * x[i + 1];
}

/* A place for n numbers and their two neighbours. */
static double *vector(t_bsp *bsp, int n)
{
    double *x = calloc((size_t)n + 2, sizeof *x);
    if (!x)
        bsp_abort(bsp, "no memory");
    return x;
}

/* The numbers next to this part come from the neighbours in the stage; those at the ends are 0. */
static void exchange_edges(t_bsp *stage, double *x, int n)
{
    int me = bsp_pid(stage), last = bsp_nprocs(stage) - 1;
    if (last == 0)
        return;
    if (me > 0)
        bsp_send(stage, me - 1, &x[1], sizeof *x);
    if (me < last)
        bsp_send(stage, me + 1, &x[n], sizeof *x);
    bsp_oblsync(stage, (me > 0) + (me < last));
    for (int i = 0; i < bsp_nmsgs(stage); i++) {
        t_bspmsg *message = bsp_getmsg(stage, i);
        memcpy(&x[bspmsg_src(message) < me ? 0 : n + 1], bspmsg_data(message), sizeof *x);
    }
}

/* What a stage does with its part x of an item; y is as large. The result is in x. */
static void work_on(t_bsp *stage, double *x, double *y, int n, int passes)
{
    for (int pass = 0; pass < passes; pass++) {
        exchange_edges(stage, x, n);
#pragma cll work work[0] + work[1] * n
        smooth(y, x, n);
        memcpy(&x[1], &y[1], (size_t)n * sizeof *x);
#ifdef SMPI_HELPERS_H
        smpi_execute_flops(100.0 * (double)n);
#endif
#pragma cll end work
    }
}

/* Whether x is the part from `first` of this item after all stages. */
static int is_right(t_bsp *bsp, const double *x, int n, int item, int first)
{
    double *all = vector(bsp, numbers), *next = vector(bsp, numbers);
    for (int i = 1; i <= numbers; i++)
        all[i] = number_of(item, i);
    for (int stage = 0; stage < stages; stage++)
        for (int pass = passes_of(item, stage); pass > 0; pass--) {
            smooth(next, all, numbers);
            memcpy(&all[1], &next[1], (size_t)numbers * sizeof *all);
        }
    int right = !memcmp(&x[1], &all[1 + first], (size_t)n * sizeof *x);
    free(all);
    free(next);
    return right;
}

/* The parts of the items that the last stage makes are in `made`, one after the other. */
static void pipeline(t_bsp *bsp, const int *ends, double *made, int oblivious)
{
    int me = bsp_pid(bsp), stage = me / width, n = numbers / width, first = me % width * n;
    double *x = vector(bsp, n), *y = vector(bsp, n);
    for (int t = 0; t < items + stages - 1; t++) {
        int item = t - stage, works = item >= 0 && item < items;
        int comes = stage > 0 && item + 1 >= 0 && item + 1 < items;
        t_bsp group;
        if (works && stage == 0)
            for (int i = 1; i <= n; i++)
                x[i] = number_of(item, first + i);
        bsp_partition(bsp, &group, stages, ends);
        if (works)
            work_on(&group, x, y, n, passes_of(item, stage));
        bsp_done(&group);
        if (works && stage + 1 < stages)
            bsp_send(bsp, me + width, &x[1], (size_t)n * sizeof *x);
        else if (works)
            memcpy(&made[(size_t)item * (size_t)n], &x[1], (size_t)n * sizeof *x);
        if (oblivious)
            bsp_oblsync(bsp, comes);
        else
            bsp_sync(bsp);
        if (comes)
            memcpy(&x[1], bspmsg_data(bsp_getmsg(bsp, 0)), (size_t)n * sizeof *x);
    }
    free(x);
    free(y);
}

static void check(t_bsp *bsp, const double *made)
{
    int me = bsp_pid(bsp), n = numbers / width;
    if (me / width != stages - 1)
        return;
    for (int item = 0; item < items; item++)
        wrong += !is_right(bsp, made + (size_t)item * (size_t)n - 1, n, item, me % width * n);
}

static void measure(t_bsp *bsp, int times, const char *kind)
{
    int *ends = malloc((size_t)stages * sizeof *ends), last = bsp_pid(bsp) / width == stages - 1;
    double *made = calloc(last ? (size_t)items * (size_t)(numbers / width) : 1, sizeof *made);
    if (!ends || !made)
        bsp_abort(bsp, "no memory");
    for (int i = 0; i < stages; i++)
        ends[i] = (i + 1) * width;
    for (int i = 0; i < times; i++) {
        if (strcmp(kind, "barrier")) {
#pragma cll sync oblivious(t = items + stages - 1, n = numbers / width) oblivious[0] * t + oblivious[1] * t *n
            pipeline(bsp, ends, made, 1);
#pragma cll end oblivious
        }
        if (i == 0 && strcmp(kind, "barrier"))
            check(bsp, made);
        if (strcmp(kind, "oblivious")) {
#pragma cll sync barrier(t = items + stages - 1, n = numbers / width) barrier[0] * t + barrier[1] * t *n
            pipeline(bsp, ends, made, 0);
#pragma cll end barrier
        }
    }
    if (strcmp(kind, "oblivious"))
        check(bsp, made);
    free(ends);
    free(made);
}

int main(int argc, char **argv)
{
    t_bsp machine, *bsp = &machine;
    int times = argc > 4 ? atoi(argv[4]) : 1, all_wrong = 0;
    const char *kind = argc > 5 ? argv[5] : "both";
    items = argc > 1 ? atoi(argv[1]) : 32;
    numbers = argc > 2 ? atoi(argv[2]) : 16384;
    width = argc > 3 ? atoi(argv[3]) : 1;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, bsp);
    if (items < 1 || numbers < 1 || width < 1 || times < 1 || bsp_nprocs(bsp) % width ||
        numbers % width ||
        (strcmp(kind, "both") && strcmp(kind, "oblivious") && strcmp(kind, "barrier")))
        bsp_abort(bsp, "usage: pipeline-pub [ITEMS [NUMBERS [STAGE [TIMES [KIND]]]]], all at least 1; STAGE "
                       "divides the number of processors and NUMBERS; KIND oblivious, barrier or both");
    stages = bsp_nprocs(bsp) / width;
    measure(bsp, times, kind);
#pragma cll report all
    bsp_reduce(bsp, 0, bsp_op_sum_int, &wrong, &all_wrong, 1, sizeof wrong);
    if (bsp_pid(bsp) == 0)
        printf("the items are %s\n", all_wrong ? "wrong" : "right");
    bsplib_done();
    return wrong || all_wrong;
}
