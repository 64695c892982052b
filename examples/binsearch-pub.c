/* SPDX-License-Identifier: MIT */
/*
 * Binary search by many processors: program 2 of the paper on PUB and the Parsytec machine, as a
 * complete program with its blocks annotated as the equations of its section 4.1 name them.
 *
 * N = n P sorted keys lie on P processors, n on each, and m queries on each. On their way through
 * log2(P) levels of a butterfly each query comes to the processor that has the keys around it: at
 * each level the queries for the other half of the machine go to the partner there, and each half
 * goes on alone. Then every processor searches its own keys.
 *
 *     call cc mpicc -O2 binsearch-pub.c -o search
 *     for p in 1 2 4 8; do mpirun -n $p ./search; done
 *
 *     search [FIRST [LAST [TIMES]]]   m from FIRST (1024) to LAST (65536), TIMES searches of each (1);
 *                                     the first search of a run has the first contacts of partners in it
 *
 *     llac -e 'table A; table comm; table C; table B; table D; table SeqT; table bbp' search.cll.*
 *
 * gives the error of each block and of the whole, as the paper's conclusion does (there as
 * |100 - 100 predicted/measured|); `fit comm` gives g (comm[0], seconds per byte) and L (comm[1]).
 * Equation (8), where queries spread evenly so that m stays what it was:
 *
 *     bbp = log2(P)*(A[0]*m + A[1] + g*m*sizeof(int) + L + C[0]*m/2 + C[1])
 *           + (log2(P) - 1)*(B[0] + D[0]) + SeqT
 *
 * in canonical form, with SeqT[0] + SeqT[1]*m*log2(n) for the search itself, is what the region bbp
 * has. Each processor knows which key a query must find, and the queries of all processors together
 * are compared with those that there were. P must be a power of two; with one processor there is no level.
 *
 * In the blocks m is n, which is the same on all processors. The number of queries after a level differs a little from
 * processor to processor; with it, each processor would be a point by itself, and the slowest one would not count.
 *
 * Corrected in the program: `Void` is void and bsppid is bsp_pid; the condition in lines 5 and 6
 * lacks a parenthesis; line 11 lacks the % before nprocs and has size(int) for sizeof(int); the
 * declarations, and bin_search for one processor. In equation (8) `A0*m*A1` is A0*m + A1. In
 * h = m*sizeof(int) half of the bytes go and half of them come.
 */
#include <pub.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel PUB bsp procs = 1 : 16 : 2

static int n;                   /* keys of this processor */
static int *key, *query, *temp; /* sorted; what is looked for; what goes to the partner */
static int *found;              /* for each query, the number of the key in all keys, or -1 */
static int gkey[32];            /* the greatest key of the lower half, by level */
static int first_key, queries;  /* of this processor, in the end */

/* All keys are odd, so that half of the queries are no keys. */
static int key_number(long i)
{
    return (int)(2 * i + 1);
}

static int search(int x, const int *keys, int size)
{
    int low = 0, high = size;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (keys[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low < size && keys[low] == x ? low : -1;
}

static void local_search(int m, const int *query, int n, const int *key)
{
#pragma cll SeqT(m = n) SeqT[0] + SeqT[1] * m *log2(n)
    for (int i = 0; i < m; i++) {
        int at = search(query[i], key, n);
        found[i] = at < 0 ? -1 : first_key + at;
    }
#pragma cll end SeqT
    queries = m;
}

static void bin_search(pbsp bsp, int d, int m)
{
    int i, new_m, other, part[2];
    t_bsp subbsp;
    t_bspmsg *msg;
    int me = bsp_pid(bsp), nprocs = bsp_nprocs(bsp);

#pragma cll A(m = n) A[0] * m + A[1]
    for (i = new_m = other = 0; i < m; i++)
        if ((query[i] <= gkey[d] && me >= nprocs / 2) || (query[i] > gkey[d] && me < nprocs / 2))
            temp[other++] = query[i];
        else
            query[new_m++] = query[i];
#pragma cll end A

#pragma cll comm(h = n * sizeof(int)) comm[0] * h + comm[1]
    bsp_hpsend(bsp, (me + nprocs / 2) % nprocs, temp, other * sizeof(int));
    bsp_sync(bsp);
#pragma cll end comm

    msg = bsp_getmsg(bsp, 0);
#pragma cll C(m = n) C[0] * m / 2 + C[1]
    memcpy(&query[new_m], bspmsg_data(msg), bspmsg_size(msg));
    new_m += bspmsg_size(msg) / sizeof(int);
#pragma cll end C

    if (!d) {
        local_search(new_m, query, n, key);
    } else {
#pragma cll B B[0]
        part[0] = nprocs / 2;
        part[1] = nprocs;
        bsp_partition(bsp, &subbsp, 2, part);
#pragma cll end B
        bin_search(&subbsp, d - 1, new_m);
#pragma cll D D[0]
        bsp_done(&subbsp);
#pragma cll end D
    }
}

/* ---- the data, the same in every run */

static unsigned next(unsigned *x)
{
    *x = *x * 1664525u + 1013904223u;
    return *x >> 8;
}

/* The m queries of a processor, among all keys and what lies between them. */
static void make_queries(int pid, int p, int m, int *to)
{
    unsigned x = 1000u * (unsigned)m + (unsigned)pid;
    for (int i = 0; i < m; i++)
        to[i] =
            (int)(((unsigned long)next(&x) << 8 ^ next(&x)) % (2ul * (unsigned)n * (unsigned)p));
}

static void make_keys(int pid, int p)
{
    first_key = pid * n;
    for (int i = 0; i < n; i++)
        key[i] = key_number(first_key + i);
    for (int d = 0; 2 << d <= p; d++) { /* at level d groups have 2 << d processors */
        int lower_half_ends = (pid / (2 << d) * 2 + 1) << d;
        gkey[d] = key_number((long)lower_half_ends * n - 1);
    }
}

/* ---- is the result right? */

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    return x ^ x >> 29;
}

/* A number that tells these queries from others, in whatever order they are. Those of several processors
   can be added modulo MARKS. */
#define MARKS (1L << 40)

static long mark_of(const int *queries, int count)
{
    uint64_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += mix((uint64_t)queries[i] + 1);
    return (long)(sum % MARKS);
}

/* Each processor found the right keys, and the queries of all are those that there were: m on this
   processor, with this mark. */
static int is_right(pbsp bsp, int m, long mark)
{
    int wrong = 0;
    long mine[3] = {mark_of(query, queries) - mark, queries - m, 0}, all[3];
    for (int i = 0; i < queries; i++) /* the key with number i is 2 i + 1 */
        wrong += found[i] != (query[i] % 2 ? query[i] / 2 : -1);
    mine[2] = wrong;
    bsp_allreduce(bsp, bsp_op_sum_long, mine, all, 3, sizeof *mine);
    return all[0] % MARKS == 0 && !all[1] && !all[2];
}

int main(int argc, char **argv)
{
    t_bsp machine, *bsp = &machine;
    int first = argc > 1 ? atoi(argv[1]) : 1024, last = argc > 2 ? atoi(argv[2]) : 65536;
    int times = argc > 3 ? atoi(argv[3]) : 1;
    int levels = 0, wrong = 0;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, bsp);
    int me = bsp_pid(bsp), p = bsp_nprocs(bsp);
    if (first < 1 || last < first || last > (1 << 22) / p || times < 1)
        bsp_abort(bsp,
                  "usage: binsearch-pub [FIRST [LAST [TIMES]]]: queries of each processor, %d at "
                  "most; how often each number of them is searched for",
                  (1 << 22) / p);
    while (1 << levels < p)
        levels++;
    if (1 << levels != p)
        bsp_abort(bsp, "the number of processors must be a power of two");
    /* In the worst case all queries come to one processor. */
    size_t most = (size_t)last * (size_t)p * sizeof(int);
    key = malloc((size_t)last * sizeof *key);
    query = malloc(most);
    temp = malloc(most);
    found = malloc(most);
    if (!key || !query || !temp || !found)
        bsp_abort(bsp, "no memory");

    int m = last;
#pragma cll for (m = first; m <= last; m *= 2)
    n = m;
    make_keys(me, p);
    for (int time = 0; time < times; time++) {
        make_queries(me, p, m, query);
        long mark = mark_of(query, m);
#pragma cll sync bbp bbp[0] + bbp[1] * log2(P) + bbp[2] * m *log2(P) + bbp[3] * m *log2(n)
        if (p > 1)
            bin_search(bsp, levels - 1, m);
        else
            local_search(m, query, n, key);
#pragma cll end bbp
        if (!is_right(bsp, m, mark))
            wrong = 1;
    }
#pragma cll end for

#pragma cll report all
    if (me == 0)
        printf("the search is %s\n", wrong ? "wrong" : "right");
    free(key);
    free(query);
    free(temp);
    free(found);
    bsplib_done();
    return wrong;
}
