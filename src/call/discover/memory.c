/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the memory of the program leave a cache between the largest sizes and the place? Its peak at the sizes is a constant,
 * that of the program and of what started it, and one product of powers of the sizes. Beyond a cache, what reads the memory
 * takes longer, which no count says; how much of the program does so is not known, so only the upper end of the interval moves.
 * Where the memory leaves a cache between the smallest and the largest sizes, the terms that the times chose may show this as growth
 * that goes on: the lower end moves.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "call/discover/discover.h"
#include "call/discover/thresholds.h"

static const double powers[] = {0, 1, 2, 0.5, 1.5, 3};
enum { POWERS = sizeof powers / sizeof *powers, ENOUGH_ROWS = 3 };

struct memory_model {
    double constant, factor, error;
    double power[DISCOVER_MOST_VARIABLES];
};

static double product(const struct request *q, const struct memory_model *m, const double *place)
{
    double x = 1;
    for (size_t v = 0; v < q->nvariables; v++)
        x *= pow(place[v], m->power[v]);
    return x;
}

static double product_of_row(const struct request *q, const struct memory_model *m, size_t row)
{
    double place[DISCOVER_MOST_VARIABLES];
    plan_place_of_row(q, row, place);
    return product(q, m, place);
}

/* What started the program has some memory itself, which a smaller program cannot be seen below. */
static double seen(const struct memory_model *m, double least, double x)
{
    return fmax(m->constant + m->factor * x, least);
}

/* Least squares over the rows that have more than the least memory, neither number negative. */
static void fit(const struct request *q, double least, struct memory_model *m)
{
    double n = 0, x1 = 0, x2 = 0, y1 = 0, xy = 0;
    for (size_t i = 0; i < q->nrows; i++) {
        if (!(q->memory[i] > (1 + MEMORY_LEAST_GROWTH) * least))
            continue;
        double x = product_of_row(q, m, i), w = 1 / (q->memory[i] * q->memory[i]);
        n += w;
        x1 += w * x;
        x2 += w * x * x;
        y1 += w * q->memory[i];
        xy += w * x * q->memory[i];
    }
    double under = n * x2 - x1 * x1;
    m->factor = under > 0 ? (n * xy - x1 * y1) / under : 0;
    m->constant = n > 0 ? (y1 - m->factor * x1) / n : 0;
    if (m->constant < 0 || !(under > 0)) {
        m->constant = 0;
        m->factor = x2 > 0 ? xy / x2 : 0;
    }
    m->error = 0;
    for (size_t i = 0; i < q->nrows; i++)
        if (q->memory[i] > 0)
            m->error =
                fmax(m->error, fabs(seen(m, least, product_of_row(q, m, i)) / q->memory[i] - 1));
}

static double growth(const struct request *q, const struct memory_model *m)
{
    return product(q, m, q->place) / product_of_row(q, m, q->times.largest);
}

/* False: the memory does not grow, or does not follow a product. It grows no faster than the time, which touches it. Where few
 * rows have more than the least, many products are as good: then the one that grows most. */
static bool find_model(const struct request *q, struct memory_model *best)
{
    const struct times *t = &q->times;
    double least = INFINITY, most_growth = MEMORY_SLACK * t->value / t->now;
    size_t all = 1, rows = 0;
    for (size_t i = 0; i < q->nrows; i++)
        if (q->memory[i] > 0)
            least = fmin(least, q->memory[i]);
    for (size_t i = 0; i < q->nrows; i++)
        rows += q->memory[i] > (1 + MEMORY_LEAST_GROWTH) * least;
    for (size_t v = 0; v < q->nvariables; v++)
        all *= POWERS;
    best->error = INFINITY;
    for (size_t k = 1; k < all && rows; k++) {
        struct memory_model try = {0};
        for (size_t v = 0, left = k; v < q->nvariables; v++, left /= POWERS)
            try.power[v] = powers[left % POWERS];
        fit(q, least, &try);
        if (!(try.factor > 0) || growth(q, &try) > most_growth || try.error > MEMORY_MOST_ERROR)
            continue;
        bool is_better = rows < ENOUGH_ROWS ? growth(q, &try) > growth(q, best)
                                            : try.error < MEMORY_SIMPLE * best->error;
        if (is_better || isinf(best->error))
            *best = try;
    }
    return isfinite(best->error);
}

/* The first line of a file of the system about a cache; "" if it is not there. */
static const char *read_line(struct arena *a, int index, const char *member)
{
    char line[32] = "";
    FILE *f =
        fopen(arena_printf(a, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, member), "r");
    if (f && !fgets(line, sizeof line, f))
        line[0] = '\0';
    if (f)
        fclose(f);
    return arena_strdup(a, line);
}

bool memory_is_virtual(void)
{
    FILE *f = fopen("/proc/cpuinfo", "r");
    char line[4096];
    bool found = false;
    while (f && !found && fgets(line, sizeof line, f))
        found = !strncmp(line, "flags", 5) && strstr(line, " hypervisor");
    if (f)
        fclose(f);
    return found;
}

size_t memory_caches(struct arena *a, double *bytes)
{
    size_t n = 0;
    for (int i = 0; i < MEMORY_MOST_CACHES; i++) {
        char *unit;
        double size = strtod(read_line(a, i, "size"), &unit);
        bool holds_data = strncmp(read_line(a, i, "type"), "Instruction", 11) != 0;
        /* other work hides misses of the first level */
        if (strtol(read_line(a, i, "level"), NULL, 10) >= 2 && holds_data && size > 0)
            bytes[n++] = size * (*unit == 'K' ? 1024 : *unit == 'M' ? 1048576 : 1);
    }
    return n;
}

/* The part of the data that is not in the cache: a size just above that of the cache hardly shows it. */
static double outside(double bytes, double cache)
{
    return bytes > cache ? 1 - cache / bytes : 0;
}

/* The time at the place without the growth that data show which leave these caches between the smallest and the largest sizes. */
static double without_growth(const struct request *q, const struct memory_model *m, double now,
                             double then, const double *caches, size_t n)
{
    double first = now, gone = 0;
    for (size_t i = 0; i < q->nrows; i++)
        first = fmin(first, m->factor * product_of_row(q, m, i));
    for (size_t i = 0; i < n; i++) {
        double of_this = outside(now, caches[i]) - outside(first, caches[i]);
        gone += of_this < MEMORY_LEAST_OUTSIDE ? 0 : of_this;
    }
    if (!(gone > 0 && then > now))
        return q->times.value;
    return q->times.value / pow(MEMORY_SLOWER, gone * fmin(log(then / now) / log(now / first), 1));
}

void memory_judge(struct request *q, const double *caches, size_t n)
{
    struct times *t = &q->times;
    struct memory_model m = {0};
    if (q->processes || t->ranks || !(t->value > 0) || !find_model(q, &m))
        return;
    double now = m.factor * product_of_row(q, &m, t->largest),
           then = m.factor * product(q, &m, q->place);
    t->low = fmin(t->low, without_growth(q, &m, now, then, caches, n));
    double slower = 1;
    for (size_t i = 0; i < n; i++) {
        double more = outside(then, caches[i]) - outside(now, caches[i]);
        if (more < MEMORY_LEAST_OUTSIDE)
            continue;
        slower *= pow(MEMORY_SLOWER, more);
        t->left_cache = fmax(t->left_cache, caches[i]);
    }
    if (!t->left_cache)
        return;
    t->memory_now = now;
    t->memory_then = then;
    t->high *= slower;
}
