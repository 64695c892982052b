/* SPDX-License-Identifier: MIT */
/*
 * What communication costs: table 1 of the paper on PUB and the Parsytec machine, on this one.
 *
 * In a superstep each processor sends n words to its neighbour and receives n from the other one:
 * h = n words. A word is an int, as in the paper, whose column 1 has the numbers of words. Ten
 * supersteps are measured together: after a barrier processors begin at slightly different times,
 * which one superstep alone would have in it. Of the processors the slowest counts. One run gives
 * the column of its P:
 *
 *     call cc mpicc -O2 h-relation.c -o h-relation
 *     for p in 1 2 4 8; do mpirun -n $p ./h-relation; done
 *     llac -e 'fit comm' h-relation.cll.*.dat
 *
 * The mean of 100 supersteps is what the paper has, the tenth percentile what repeats on a machine
 * that does something else, too. llac gives g (comm[0], seconds per byte of h) and L (comm[1]); the
 * last line is what bsp_parameter finds. Sizes are visited in rounds, so that a slow phase does not
 * hit one of them alone. examples/data/parsytec-h.dat has the paper's own numbers.
 *
 *     h-relation [ROUNDS [LARGEST]]      ROUNDS of 10 supersteps of each size (10); words (1048576)
 */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel PUB bsp procs = 1 : 16 : 2

#define REPEAT 10 /* as in the formula */

static const size_t words[] = {8, 64, 256, 1024, 16384, 65536, 524288, 1048576};
static t_bsp machine, *bsp = &machine;

/* Seconds of a superstep on this processor: of REPEAT supersteps together, divided. */
static double h_relation(const int *data, size_t n)
{
    int right = (bsp_pid(bsp) + 1) % bsp_nprocs(bsp);
    bsp_sync(bsp);
    double begin = bsp_time(bsp);
#pragma cll comm(h = n * sizeof(int)) comm[0] * 10 * h + comm[1] * 10
    for (int i = 0; i < REPEAT; i++) {
        bsp_hpsend(bsp, right, data, n * sizeof *data);
        bsp_sync(bsp);
    }
#pragma cll end comm
    double seconds = bsp_time(bsp) - begin;
    if (bsp_nmsgs(bsp) != 1 || bspmsg_size(bsp_getmsg(bsp, 0)) != n * sizeof *data)
        bsp_abort(bsp, "a message is missing");
    return seconds / REPEAT;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The row of a size: the slowest processor of each superstep counts. */
static void print_row(size_t n, const double *mine, size_t samples)
{
    double sum = 0, *slowest = calloc(samples, sizeof *slowest);
    if (!slowest)
        bsp_abort(bsp, "no memory");
    bsp_reduce(bsp, 0, bsp_op_max_double, mine, slowest, samples, sizeof *mine);
    for (size_t i = 0; i < samples; i++)
        sum += slowest[i];
    qsort(slowest, samples, sizeof *slowest, by_value);
    if (bsp_pid(bsp) == 0)
        printf("%8zu %14.8f %14.8f\n", n, sum / (double)samples, slowest[samples / 10]);
    free(slowest);
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 10, largest = argc > 2 ? atol(argv[2]) : 1048576;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, bsp);
    if (rounds < 1 || rounds > 10000 || largest < 8 || largest > 1048576)
        bsp_abort(bsp, "usage: h-relation [ROUNDS [LARGEST]], LARGEST from 8 to 1048576 words");
    size_t sizes = 0, samples = (size_t)rounds;
    while (sizes < sizeof words / sizeof *words && words[sizes] <= (size_t)largest)
        sizes++;
    double *times = calloc(sizes * samples, sizeof *times);
    int *data = calloc(words[sizes - 1], sizeof *data);
    if (!times || !data)
        bsp_abort(bsp, "no memory");
    for (size_t i = 0; i < words[sizes - 1]; i++)
        data[i] = (int)i; /* memory that was never written would cost less */
    for (long round = 0; round < rounds; round++)
        for (size_t size = 0; size < sizes; size++)
            times[size * samples + (size_t)round] = h_relation(data, words[size]);

    t_bspparameter p;
    bsp_parameter(bsp, &p);
    if (bsp_pid(bsp) == 0)
        printf("   words    mean, P = %-2d   10th percentile\n", bsp_nprocs(bsp));
    for (size_t size = 0; size < sizes; size++)
        print_row(words[size], times + size * samples, samples);
    if (bsp_pid(bsp) == 0)
        printf("bsp_parameter: L = %.3g s, g = %.3g s per byte, %.3g s per word%s\n", p.l, p.g,
               p.g * (double)sizeof(int), p.oversubscribed ? " (more processes than cores)" : "");
    free(times);
    free(data);
    bsplib_done();
    return 0;
}
