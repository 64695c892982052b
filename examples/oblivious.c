/* SPDX-License-Identifier: MIT */
/*
 * Why oblivious synchronisation: figure 1 of "A tool for performance modeling of parallel
 * programs", two processors and two supersteps.
 *
 *     superstep 1    processor 0 computes w, processor 1 computes 2w; 0 sends to 1
 *     superstep 2    processor 0 computes 2w, processor 1 computes w; both send
 *
 * and each end of a superstep costs w: that is g h + L of the model. With barriers processor 0 has
 * to wait in superstep 1 for work that it does not need: 6w. With bsp_oblsync it knows that nothing
 * will come and goes on, and its longer second part fits into the time of the other's first: 5w.
 *
 *     call cc mpicc -O2 oblivious.c -o oblivious && mpirun -n 2 ./oblivious [W]
 *
 * W is w in seconds (0.02). Of several repetitions the shortest counts: on a machine that does
 * something else meanwhile, times are longer. Simulated (call cc smpicc) they are exact.
 *
 * In the paper both processors send in superstep 1; by its equations (1) to (3) that gives 6w
 * with oblivious synchronisation, too: processor 0 then waits for a message of processor 1. The
 * "lighter" part of processor 0 in superstep 2 is the heavier one.
 *
 * Computing is waiting for the clock here, and so is what the end of a superstep costs: the
 * messages are a few bytes, and their real time comes on top. Large messages would not show the
 * model's times: with bsp_sync, processor 0 goes on as soon as it knows that nothing comes for it,
 * while its message is still being received.
 */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef SMPI_HELPERS_H
#include <smpi/smpi.h>
#endif

#define REPETITIONS 5

/* Lets the time pass on this processor. Simulated time only passes when one says so. */
static void spend(t_bsp *bsp, double seconds)
{
#ifdef SMPI_HELPERS_H
    double begin = bsp_time(bsp);
    smpi_execute_flops(1e6);
    double each = (bsp_time(bsp) - begin) / 1e6;
    smpi_execute_flops((seconds - 1e6 * each) / each);
#else
    double end = bsp_time(bsp) + seconds;
    while (bsp_time(bsp) < end)
        ;
#endif
}

/* Ends the superstep, in which `messages` messages come to this processor. */
static void end_superstep(t_bsp *bsp, int messages, int oblivious, double w)
{
    if (oblivious)
        bsp_oblsync(bsp, messages);
    else
        bsp_sync(bsp);
    spend(bsp, w);
}

/* Seconds for both supersteps, on the slower processor. */
static double figure_1(t_bsp *bsp, int oblivious, double w)
{
    int me = bsp_pid(bsp);
    double all, start, mine;
    bsp_sync(bsp);
    start = bsp_time(bsp);
    if (me == 0) {
        spend(bsp, w);
        bsp_send(bsp, 1, &w, sizeof w);
        end_superstep(bsp, 0, oblivious, w);
        spend(bsp, 2 * w);
    } else {
        spend(bsp, 2 * w);
        end_superstep(bsp, 1, oblivious, w);
        spend(bsp, w);
    }
    bsp_send(bsp, 1 - me, &w, sizeof w);
    end_superstep(bsp, 1, oblivious, w);
    mine = bsp_time(bsp) - start;
    bsp_allreduce(bsp, bsp_op_max_double, &mine, &all, 1, sizeof mine);
    return all;
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    double w = argc > 1 ? atof(argv[1]) : 0.02;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (bsp_nprocs(&bsp) != 2)
        bsp_abort(&bsp, "this is for 2 processors");
    if (!(w >= 0.001 && w <= 10))
        bsp_abort(&bsp, "w must be between 0.001 and 10 seconds");
    double oblivious = figure_1(&bsp, 1, w), barrier = figure_1(&bsp, 0, w);
    for (int i = 1; i < REPETITIONS; i++) {
        double again = figure_1(&bsp, 1, w);
        oblivious = again < oblivious ? again : oblivious;
        again = figure_1(&bsp, 0, w);
        barrier = again < barrier ? again : barrier;
    }
    if (bsp_pid(&bsp) == 0)
        printf("oblivious: %.4f w, the model says 5\nbarrier: %.4f w, the model says 6\n",
               oblivious / w, barrier / w);
    bsplib_done();
    return 0;
}
