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
 *     h-relation [ROUNDS [LARGEST [PATTERN]]]
 *
 * makes ROUNDS of 10 supersteps of each size (10), up to LARGEST words (1048576). PATTERN is shift, as
 * above and in the paper, or exchange, random, oneway or gather (0 to 4 in the column `pattern`): n words
 * leave or reach the busiest processor in each. The columns h and sum are the bytes with @ = max and @ = +.
 */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel PUB bsp procs = 1 : 16 : 2

#define REPEAT 10 /* as in the formula */

static const size_t words[] = {8, 64, 256, 1024, 16384, 65536, 524288, 1048576};
static t_bsp machine, *bsp = &machine;

/* ---- patterns: what each processor sends in a superstep with n words */

enum pattern { SHIFT, EXCHANGE, RANDOM, ONEWAY, GATHER, PATTERNS };

static const char *const names[] = {"shift", "exchange", "random", "oneway", "gather"};

#define DRAWS 4 /* messages of a processor in the random pattern */

static int drawn(int p, int pid, int i)
{
    unsigned x = 2654435761u * (unsigned)(pid * DRAWS + i + 1);
    return p == 1 ? 0 : (pid + 1 + (int)(x >> 8) % (p - 1)) % p;
}

static void send_all(enum pattern pattern, const int *data, size_t n)
{
    int p = bsp_nprocs(bsp), me = bsp_pid(bsp), others = p > 1 ? p - 1 : 1;
    size_t share = (n + (size_t)others - 1) / (size_t)others * sizeof *data;
    switch (pattern) {
    case EXCHANGE: /* a part of the n words to each other processor */
        for (int i = 1; i <= others; i++)
            bsp_hpsend(bsp, (me + i) % p, data, share);
        break;
    case RANDOM: /* a quarter of them to each of four processors, the same ones in each superstep */
        for (int i = 0; i < DRAWS; i++)
            bsp_hpsend(bsp, drawn(p, me, i), data, (n + DRAWS - 1) / DRAWS * sizeof *data);
        break;
    case ONEWAY: /* n words from each even processor to the next one, which sends nothing */
        if (me % 2 == 0 && me + 1 < p)
            bsp_hpsend(bsp, me + 1, data, n * sizeof *data);
        break;
    case GATHER: /* n words to processor 0 in all, equal parts from all others */
        if (me)
            bsp_hpsend(bsp, 0, data, share);
        break;
    default: /* n words to the next processor, n from the previous one */
        bsp_hpsend(bsp, (me + 1) % p, data, n * sizeof *data);
    }
}

/* The h of a superstep, in bytes: the largest number that any processor sends or receives (@ = max), and
   the largest number that any processor sends and receives (@ = +). */
static void h_of(enum pattern pattern, const int *data, size_t n, double h[2])
{
    double in = 0, out = 0, sums[2], *sent = calloc((size_t)bsp_nprocs(bsp), 2 * sizeof *sent);
    if (!sent)
        bsp_abort(bsp, "no memory");
    send_all(pattern, data, n);
    bsp_sync(bsp);
    for (int i = 0; i < bsp_nmsgs(bsp); i++) {
        t_bspmsg *message = bsp_getmsg(bsp, i);
        in += (double)bspmsg_size(message);
        sent[bspmsg_src(message)] += (double)bspmsg_size(message);
    }
    double *all = sent + bsp_nprocs(bsp); /* what each processor sent, as its receivers say */
    bsp_allreduce(bsp, bsp_op_sum_double, sent, all, (size_t)bsp_nprocs(bsp), sizeof *sent);
    out = all[bsp_pid(bsp)];
    sums[0] = in > out ? in : out;
    sums[1] = in + out;
    bsp_allreduce(bsp, bsp_op_max_double, sums, h, 2, sizeof *sums);
    free(sent);
}

/* Seconds of a superstep on this processor: of REPEAT supersteps together, divided. */
static double h_relation(enum pattern pattern, const int *data, size_t n, const double both[2])
{
    bsp_sync(bsp);
    double begin = bsp_time(bsp);
#pragma cll comm(h = both[0], sum = both[1], pattern = pattern) comm[0] * 10 * h + comm[1] * 10
    for (int i = 0; i < REPEAT; i++) {
        send_all(pattern, data, n);
        bsp_sync(bsp);
    }
#pragma cll end comm
    (void)both; /* the bytes, for the formula */
    return (bsp_time(bsp) - begin) / REPEAT;
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

static enum pattern pattern_of(const char *word)
{
    enum pattern pattern = SHIFT;
    while (pattern < PATTERNS && strcmp(word, names[pattern]))
        pattern++;
    return pattern;
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 10, largest = argc > 2 ? atol(argv[2]) : 1048576;
    enum pattern pattern = argc > 3 ? pattern_of(argv[3]) : SHIFT;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, bsp);
    if (rounds < 1 || rounds > 10000 || largest < 8 || largest > 1048576 || pattern == PATTERNS)
        bsp_abort(bsp, "usage: h-relation [ROUNDS [LARGEST [PATTERN]]], LARGEST from 8 to 1048576 "
                       "words, PATTERN shift, exchange, random, oneway or gather");
    size_t sizes = 0, samples = (size_t)rounds;
    while (sizes < sizeof words / sizeof *words && words[sizes] <= (size_t)largest)
        sizes++;
    double *times = calloc(sizes * samples, sizeof *times), h[sizeof words / sizeof *words][2];
    int *data = calloc(words[sizes - 1], sizeof *data);
    if (!times || !data)
        bsp_abort(bsp, "no memory");
    for (size_t i = 0; i < words[sizes - 1]; i++)
        data[i] = (int)i; /* memory that was never written would cost less */
    for (size_t size = 0; size < sizes; size++) /* and the first contacts of all partners */
        h_of(pattern, data, words[size], h[size]);
    for (long round = 0; round < rounds; round++)
        for (size_t size = 0; size < sizes; size++)
            times[size * samples + (size_t)round] =
                h_relation(pattern, data, words[size], h[size]);

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
