/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Programs in the style of those that are written for BSPlib: an inner product, the LU decomposition
 * of a matrix, a Fourier transform and a sample sort. Each checks its result.
 */
#include "program.h"

#include <math.h>

/* The same numbers on all processors. */
static double number(unsigned long i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    return (double)((x ^ x >> 27) >> 11) / (double)(1ull << 53);
}

/* ---- inner product of cyclic vectors: a put to every processor */

static double inner_product_of(const double *x, const double *y, int local)
{
    int p = bsp_nprocs(), s = bsp_pid();
    double *partial = must_alloc((size_t)p * sizeof *partial), sum = 0;
    bsp_push_reg(partial, (size_t)p * sizeof *partial);
    bsp_sync();
    for (int i = 0; i < local; i++)
        sum += x[i] * y[i];
    for (int t = 0; t < p; t++)
        bsp_put(t, &sum, partial, (size_t)s * sizeof sum, sizeof sum);
    bsp_sync();
    sum = 0;
    for (int t = 0; t < p; t++)
        sum += partial[t];
    bsp_pop_reg(partial);
    free(partial);
    return sum;
}

static void inner_product(void)
{
    int n = 1000, p = bsp_nprocs(), s = bsp_pid(), local = (n + p - s - 1) / p;
    double *x = must_alloc((size_t)local * sizeof *x);
    for (int i = 0; i < local; i++)
        x[i] = i * p + s + 1;
    double sum = inner_product_of(x, x, local);
    CHECK(sum == (double)n * (n + 1) * (2 * n + 1) / 6);
    free(x);
}

/* ---- LU decomposition with pivots, rows dealt out in turn */

enum { ORDER = 24 };

static int owner(int row)
{
    return row % bsp_nprocs();
}

struct pivot {
    double size;
    int row;
};

/* The row from k on with the largest element in column k: each processor puts its best to all. */
static int find_pivot(double (*a)[ORDER], int k, struct pivot *best)
{
    int p = bsp_nprocs(), s = bsp_pid();
    struct pivot mine = {-1, k};
    for (int i = k; i < ORDER; i++)
        if (owner(i) == s && fabs(a[i][k]) > mine.size)
            mine = (struct pivot){fabs(a[i][k]), i};
    for (int t = 0; t < p; t++)
        bsp_put(t, &mine, best, (size_t)s * sizeof mine, sizeof mine);
    bsp_sync();
    struct pivot all = best[0];
    for (int t = 1; t < p; t++)
        if (best[t].size > all.size || (best[t].size == all.size && best[t].row < all.row))
            all = best[t];
    return all.row;
}

/* Exchanges two rows: each owner gets the other's row before anything is written. */
static void exchange(double (*a)[ORDER], int k, int r)
{
    size_t bytes = sizeof a[0];
    if (owner(k) == bsp_pid())
        bsp_get(owner(r), a, (size_t)r * bytes, a[k], bytes);
    if (owner(r) == bsp_pid())
        bsp_get(owner(k), a, (size_t)k * bytes, a[r], bytes);
    bsp_sync();
}

/* Row k from its owner to all, in two phases: it is cut into a part for each processor, and each passes its part on.
   BSPlib leaves this name to programs. */
void bsp_broadcast(double (*a)[ORDER], int k);

void bsp_broadcast(double (*a)[ORDER], int k)
{
    int p = bsp_nprocs(), part = (ORDER + p - 1) / p, root = owner(k);
    for (int phase = 0; phase < 2; phase++) {
        for (int t = 0; t < p && (phase || root == bsp_pid()); t++) {
            int from = part * (phase ? bsp_pid() : t),
                n = ORDER - from < part ? ORDER - from : part;
            if (t != bsp_pid() && !(phase && t == root) && n > 0)
                bsp_put(t, &a[k][from], a, (size_t)(k * ORDER + from) * sizeof **a,
                        (size_t)n * sizeof **a);
        }
        bsp_sync();
    }
}

static void eliminate(double (*a)[ORDER], int k)
{
    bsp_broadcast(a, k);
    for (int i = k + 1; i < ORDER; i++) {
        if (owner(i) != bsp_pid())
            continue;
        a[i][k] /= a[k][k];
        for (int j = k + 1; j < ORDER; j++)
            a[i][j] -= a[i][k] * a[k][j];
    }
}

static void lu_decomposition(void)
{
    static double a[ORDER][ORDER], whole[ORDER][ORDER];
    int order[ORDER];
    struct pivot *best = must_alloc((size_t)bsp_nprocs() * sizeof *best);
    for (int i = 0; i < ORDER; i++) {
        order[i] = i;
        for (int j = 0; j < ORDER; j++)
            a[i][j] = number((unsigned long)(i * ORDER + j)) - 0.5;
    }
    bsp_push_reg(a, sizeof a);
    bsp_push_reg(best, (size_t)bsp_nprocs() * sizeof *best);
    bsp_sync();
    for (int k = 0; k < ORDER; k++) {
        int r = find_pivot(a, k, best), moved = order[k];
        exchange(a, k, r);
        order[k] = order[r];
        order[r] = moved;
        eliminate(a, k);
    }
    for (int i = 0; i < ORDER; i++)
        bsp_get(owner(i), a, (size_t)i * sizeof a[0], whole[i], sizeof a[0]);
    bsp_sync();
    for (int i = 0; i < ORDER; i++)
        for (int j = 0; j < ORDER; j++) {
            double sum = 0;
            for (int k = 0; k <= i && k <= j; k++)
                sum += (k == i ? 1 : whole[i][k]) * whole[k][j];
            CHECK(fabs(sum - (number((unsigned long)(order[i] * ORDER + j)) - 0.5)) < 1e-12);
        }
    bsp_pop_reg(best);
    bsp_pop_reg(a);
    free(best);
}

/* ---- Fourier transform: blocks, redistributed for each stage that crosses them */

struct complex {
    double re, im;
};

static struct complex times(struct complex a, double angle)
{
    double c = cos(angle), s = sin(angle);
    return (struct complex){a.re * c - a.im * s, a.re * s + a.im * c};
}

static unsigned reversed_bits(unsigned i, unsigned n)
{
    unsigned r = 0;
    for (; n > 1; n /= 2, i /= 2)
        r = 2 * r + i % 2;
    return r;
}

/* One stage on the elements that this processor has; those of the partner half are in `other`. */
static void butterflies(struct complex *x, const struct complex *other, unsigned local,
                        unsigned half)
{
    unsigned first = (unsigned)bsp_pid() * local;
    double pi = acos(-1);
    for (unsigned i = 0; i < local; i++) {
        unsigned global = first + i, k = global % half;
        int is_upper = global / half % 2 != 0;
        struct complex mine = x[i], its = other[i];
        struct complex t = times(is_upper ? mine : its, -pi * k / half);
        struct complex base = is_upper ? its : mine;
        x[i] = is_upper ? (struct complex){base.re - t.re, base.im - t.im}
                        : (struct complex){base.re + t.re, base.im + t.im};
    }
}

static void fourier_transform(void)
{
    enum { N = 64 };
    int p = bsp_nprocs();
    if (p > N || N % p)
        return; /* all processors do so */
    unsigned local = (unsigned)(N / p), first = (unsigned)bsp_pid() * local;
    size_t bytes = local * sizeof(struct complex);
    struct complex *x = must_alloc(bytes), *other = must_alloc(bytes);
    for (unsigned i = 0; i < local; i++)
        x[i] = (struct complex){number(reversed_bits(first + i, N)), 0};
    bsp_push_reg(x, bytes);
    bsp_sync();
    for (unsigned half = 1; half < N; half *= 2) {
        for (unsigned i = 0; i < local; i++) {
            unsigned partner = (first + i) ^ half;
            bsp_get((int)(partner / local), x, partner % local * sizeof *x, &other[i], sizeof *x);
        }
        bsp_sync();
        butterflies(x, other, local, half);
    }
    for (unsigned i = 0; i < local; i++) {
        struct complex sum = {0, 0};
        for (unsigned j = 0; j < N; j++) {
            struct complex t =
                times((struct complex){number(j), 0}, -2 * acos(-1) * (first + i) * j / N);
            sum = (struct complex){sum.re + t.re, sum.im + t.im};
        }
        CHECK(hypot(sum.re - x[i].re, sum.im - x[i].im) < 1e-11);
    }
    bsp_pop_reg(x);
    bsp_sync();
    free(x);
    free(other);
}

/* ---- sample sort: samples by puts, the keys in bulk by messages */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The p - 1 splitters, the same on all processors. */
static double *find_splitters(const double *keys, int n)
{
    int p = bsp_nprocs(), s = bsp_pid();
    double *samples = must_alloc((size_t)(p * p) * sizeof *samples);
    bsp_push_reg(samples, (size_t)(p * p) * sizeof *samples);
    bsp_sync();
    for (int i = 0; i < p; i++)
        for (int t = 0; t < p; t++)
            bsp_put(t, &keys[(long)i * n / p], samples, (size_t)(s * p + i) * sizeof *samples,
                    sizeof *samples);
    bsp_sync();
    qsort(samples, (size_t)(p * p), sizeof *samples, by_value);
    for (int t = 1; t < p; t++)
        samples[t - 1] = samples[t * p];
    bsp_pop_reg(samples);
    return samples;
}

/* Sends each processor its range; a tag tells how many keys a message has. */
static void deal_out(const double *keys, int n, const double *splitters)
{
    int p = bsp_nprocs(), size = sizeof(int);
    bsp_set_tagsize(&size);
    bsp_sync();
    for (int t = 0, from = 0; t < p; t++) {
        int to = from;
        while (to < n && (t == p - 1 || keys[to] < splitters[t]))
            to++;
        int count = to - from;
        if (count)
            bsp_send(t, &count, keys + from, (size_t)count * sizeof *keys);
        from = to;
    }
    bsp_set_tagsize(&size);
    bsp_sync();
}

static double *collect(int *n)
{
    int messages, bytes;
    bsp_qsize(&messages, &bytes);
    double *keys = must_alloc((size_t)bytes);
    *n = 0;
    while (messages--) {
        int status, count;
        bsp_get_tag(&status, &count);
        SAME(status, count * (int)sizeof *keys);
        bsp_move(keys + *n, (size_t)status);
        *n += count;
    }
    SAME(*n * (int)sizeof *keys, bytes);
    return keys;
}

static void sample_sort(void)
{
    enum { LOCAL = 500 };
    int p = bsp_nprocs(), s = bsp_pid(), n;
    double *keys = must_alloc(LOCAL * sizeof *keys), sum = 0;
    for (int i = 0; i < LOCAL; i++)
        keys[i] = number((unsigned long)(s * LOCAL + i));
    qsort(keys, LOCAL, sizeof *keys, by_value);
    double *splitters = find_splitters(keys, LOCAL);
    deal_out(keys, LOCAL, splitters);
    double *mine = collect(&n);
    qsort(mine, (size_t)n, sizeof *mine, by_value);
    struct edge {
        double least, most, sum;
        int n;
    } edge = {n ? mine[0] : 2, n ? mine[n - 1] : -1, 0, n}, *edges = NULL;
    for (int i = 0; i < n; i++)
        edge.sum += mine[i];
    edges = must_alloc((size_t)p * sizeof *edges);
    bsp_push_reg(edges, (size_t)p * sizeof *edges);
    bsp_sync();
    bsp_put(0, &edge, edges, (size_t)s * sizeof edge, sizeof edge);
    bsp_sync();
    int total = 0;
    double last = -1, want = 0;
    for (int t = 0; t < p && s == 0; t++) {
        total += edges[t].n;
        sum += edges[t].sum;
        CHECK(!edges[t].n || edges[t].least >= last);
        last = edges[t].n ? edges[t].most : last;
    }
    for (int i = 0; i < p * LOCAL; i++)
        want += number((unsigned long)i);
    CHECK(s || (total == p * LOCAL && fabs(sum - want) < 1e-8));
    bsp_pop_reg(edges);
    bsp_sync();
    free(keys), free(splitters), free(mine), free(edges);
}

PROGRAM(TEST(inner_product), TEST(lu_decomposition), TEST(fourier_transform), TEST(sample_sort))
