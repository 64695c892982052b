/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops of many programs, as a compiler translates them: several kinds of operations together, which overlap as they can. The
 * figures of single operations do not tell how much. The data are in the first-level cache, and the number of elements is not
 * known when this is compiled. loops.def lists the loops.
 */
#include "probe/operations.h"

#include "probe/kernel.h"

/* A processor learns thousands of random branches by heart if they come again and again. So loops with such branches walk through
   windows of more data, which streams from the second-level cache. */
enum { N = 512, WINDOWS = 128, MANY = WINDOWS * N };
enum { ORDER = 22, FLAGS = 8192, STRIKE_LAST = 9 };
/* The bytes that strike() visits in a pass. */
enum { STRUCK = (FLAGS - 1) / 3 + (FLAGS - 1) / 5 + (FLAGS - 1) / 7 + (FLAGS - 1) / 9 };

struct data {
    double x[N + 2], y[N + 2], z[N + 2];
    uint64_t words[N], out[N];
    uint16_t keys[MANY], left[MANY + 1], right[MANY + 1], sorted[N];
    size_t window, left_at[WINDOWS], right_at[WINDOWS]; /* where the windows of the runs begin */
    uint32_t indices[N];
    char flags[FLAGS];
    struct body {
        double x, y, z, mass;
    } bodies[N];
};
static struct data data;

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void fill(struct data *d)
{
    static bool filled;
    uint64_t state = 88172645463325252u;
    if (filled)
        return;
    filled = true;
    for (uint64_t i = 0; i < N; i++) {
        d->x[i] = 1 + (double)(next_random(&state) % 1000) * 1e-6;
        d->y[i] = 1 + (double)(next_random(&state) % 1000) * 1e-6;
        d->bodies[i] = (struct body){(double)(next_random(&state) % 1000), (double)i,
                                     (double)(next_random(&state) % 1000), 1e-3};
        d->indices[i] = (uint32_t)(next_random(&state) % N);
        d->words[i] = 64 * i + next_random(&state) % 64;
    }
    for (size_t i = 0, a = 0, b = 0; i < MANY; i++) {
        if (i % N == 0) {
            d->left_at[i / N] = a;
            d->right_at[i / N] = b;
        }
        d->keys[i] = (uint16_t)(next_random(&state) % MANY);
        if (next_random(&state) & 64)
            d->left[a++] = (uint16_t)i;
        else
            d->right[b++] = (uint16_t)i;
        d->left[a] = d->right[b] = UINT16_MAX;
    }
}

/* ---- the loops: one pass over the elements */

static KERNEL void update(struct data *d, size_t elements)
{
    double *restrict to = d->z;
    const double *restrict from = d->x;
    double factor = 1e-9;
    KEEP_FP(factor);
    for (size_t i = 0; i < elements; i++)
        to[i] += factor * from[i];
}

static KERNEL void dot(struct data *d, size_t elements)
{
    double sum = 0;
    for (size_t i = 0; i < elements; i++)
        sum += d->x[i] * d->y[i];
    KEEP_FP(sum);
}

static KERNEL void stencil(struct data *d, size_t elements)
{
    double *restrict to = d->z;
    const double *restrict from = d->x;
    for (size_t i = 1; i <= elements; i++)
        to[i] = 0.25 * from[i - 1] + 0.5 * from[i] + 0.25 * from[i + 1];
}

static KERNEL void polynomial(struct data *d, size_t elements)
{
    for (size_t i = 0; i < elements; i++) {
        double v = d->x[i];
        d->z[i] = 1 + v * (0.5 + v * (0.25 + v * (0.125 + v * (0.0625 + v * 0.03125))));
    }
}

/* Two complex numbers become their sum and their difference, the second one times a root. */
static KERNEL void butterfly(struct data *d, size_t elements)
{
    double c = 0.8, s = 0.6;
    KEEP_FP(c);
    KEEP_FP(s);
    for (size_t i = 0; i + 1 < elements; i += 2) {
        double re = c * d->y[i] - s * d->y[i + 1], im = c * d->y[i + 1] + s * d->y[i], a = d->x[i],
               b = d->x[i + 1];
        d->z[i] = a + re;
        d->z[i + 1] = b + im;
        d->y[i] = a - re;
        d->y[i + 1] = b - im;
    }
}

static KERNEL void interaction(struct data *d, size_t elements)
{
    double ax = 0, ay = 0, az = 0;
    for (size_t i = 0; i < elements; i++) {
        double dx = d->bodies[i].x - d->bodies[0].x, dy = d->bodies[i].y - d->bodies[0].y,
               dz = d->bodies[i].z - d->bodies[0].z, square = dx * dx + dy * dy + dz * dz + 1e-3,
               inverse = d->bodies[i].mass / (square * __builtin_sqrt(square));
        ax += dx * inverse;
        ay += dy * inverse;
        az += dz * inverse;
    }
    KEEP_FP(ax);
    KEEP_FP(ay);
    KEEP_FP(az);
}

static KERNEL void gather(struct data *d, size_t elements)
{
    double sum = 0;
    for (size_t i = 0; i < elements; i++)
        sum += d->x[d->indices[i]];
    KEEP_FP(sum);
}

static KERNEL void copy(struct data *d, size_t elements)
{
    for (size_t i = 0; i < elements; i++) {
        uint64_t v = d->words[i];
        KEEP_INT(v); /* else it is a call of memcpy */
        d->out[i] = v;
    }
}

static KERNEL void hash(struct data *d, size_t elements)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < elements; i++)
        h = (h ^ d->words[i]) * 1099511628211u;
    KEEP_INT(h);
}

static KERNEL void scramble(struct data *d, size_t elements)
{
    for (size_t i = 0; i < elements; i++) {
        uint64_t v = d->words[i] * 0x9E3779B97F4A7C15u;
        v ^= v >> 29;
        d->out[i] = (v * 0xBF58476D1CE4E5B9u) ^ (v >> 32);
    }
}

/* The order in which the two runs are taken is random. */
static KERNEL void merge(struct data *d, size_t elements)
{
    const uint16_t *left = d->left + d->left_at[d->window],
                   *right = d->right + d->right_at[d->window];
    for (size_t i = 0; i < elements; i++) {
        if (*left < *right)
            d->sorted[i] = *left++;
        else
            d->sorted[i] = *right++;
    }
}

/* Half of the elements are below the pivot; each goes to one of two ends. */
static KERNEL void divide(struct data *d, size_t elements)
{
    const uint16_t *keys = d->keys + d->window * N;
    size_t low = 0, high = elements;
    uint32_t pivot = MANY / 2;
    KEEP_INT(pivot);
    for (size_t i = 0; i < elements; i++) {
        if (keys[i] < pivot)
            d->sorted[low++] = keys[i];
        else
            d->sorted[--high] = keys[i];
    }
}

/* Each element is looked for in the words, in nine steps. */
static KERNEL void search(struct data *d, size_t elements)
{
    const uint16_t *keys = d->keys + d->window * N;
    uint64_t sum = 0;
    for (size_t i = 0; i < elements; i++) {
        uint64_t wanted = keys[i] / (MANY / (64 * N));
        size_t low = 0, high = elements;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (d->words[middle] < wanted)
                low = middle + 1;
            else
                high = middle;
        }
        sum += low;
    }
    KEEP_INT(sum);
}

static KERNEL int compare(const void *a, const void *b)
{
    const uint64_t *l = a, *r = b;
    return (*l > *r) - (*l < *r);
}

static KERNEL void comparison(struct data *d, size_t elements)
{
    int (*function)(const void *, const void *) = compare;
    uint64_t sum = 0;
    KEEP_INT(function);
    for (size_t i = 0; i < elements; i++)
        sum += function(&d->words[i], &d->words[d->indices[i]]) < 0;
    KEEP_INT(sum);
}

/* A product of small matrices: update with short rows, each of which is stored and loaded again at once. */
static KERNEL void product(struct data *d, size_t order)
{
    double *to = d->z;
    const double *left = d->x, *right = d->y;
    for (size_t i = 0; i < order; i++) {
        for (size_t j = 0; j < order; j++)
            to[i * order + j] = 0;
        for (size_t k = 0; k < order; k++) {
            double factor = left[i * order + k];
            for (size_t j = 0; j < order; j++)
                to[i * order + j] += factor * right[k * order + j];
        }
    }
}

/* Each third, fifth, seventh, ... byte is struck out. */
static KERNEL void strike(struct data *d, size_t end)
{
    for (size_t step = 3; step <= STRIKE_LAST; step += 2)
        for (size_t i = step; i < end; i += step)
            d->flags[i] = 1;
}

/* ---- many passes */

/* The loops are compiled without knowing the number of elements, nor where they are. */
#define LOOP(loop, size, ...)                                                                      \
    static void loop##_passes(uint64_t n)                                                          \
    {                                                                                              \
        struct data *d = &data;                                                                    \
        size_t given = size;                                                                       \
        fill(d);                                                                                   \
        for (uint64_t i = 0; i < n; i++) {                                                         \
            KEEP_INT(d);                                                                           \
            KEEP_INT(given);                                                                       \
            d->window = i % WINDOWS;                                                               \
            loop(d, given);                                                                        \
        }                                                                                          \
        USE_INT(d);                                                                                \
    }
#include "probe/loops.def"
#undef LOOP

#define LOOP(loop, size, elements, ...)                                                            \
    {"loop_" #loop ".throughput", loop##_passes, elements, NULL},
const struct probe_operation probe_loops[] = {
#include "probe/loops.def"
    {NULL, NULL, 0, NULL}};
