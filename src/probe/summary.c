/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The summary. A figure is a function of the values of some points. Its interval: the same function of
 * resampled values. Lines (time = start + each * size) minimise the relative errors, so that small
 * sizes count as much as large ones.
 */
#include "probe/summary.h"

#include <math.h>
#include <string.h>

enum { MOST_POINTS = 64 }; /* of one figure */

/* What a figure is made of. */
struct recipe {
    const struct probe_point *points[MOST_POINTS];
    size_t n;
    double (*compute)(const struct recipe *r, const double *values);
};

struct maker {
    const struct probe *p;
    struct arena *arena;
    struct probe_figure *figures;
    size_t n, capacity;
};

/* The point with this name and place; NULL if it was not measured. */
static const struct probe_point *probe_find(const struct probe *p, const char *family,
                                            const char *name, struct probe_coordinates at)
{
    for (size_t i = 0; i < p->n; i++) {
        const struct probe_point *q = &p->points[i];
        if (strcmp(q->family, family) == 0 && strcmp(q->name, name) == 0 && q->n &&
            q->at.bytes == at.bytes && q->at.cores == at.cores && q->at.processes == at.processes)
            return q;
    }
    return NULL;
}

static void add(struct maker *m, struct probe_figure f, const struct recipe *r)
{
    double values[MOST_POINTS], resampled[PROBE_RESAMPLES];
    uint64_t state = 2;
    for (size_t i = 0; i < r->n; i++)
        values[i] = r->points[i]->value;
    f.value = r->compute(r, values);
    for (size_t k = 0; k < PROBE_RESAMPLES; k++) {
        for (size_t i = 0; i < r->n; i++)
            values[i] = probe_resample(r->points[i], &state);
        resampled[k] = r->compute(r, values);
    }
    f.low = fmin(probe_quantile(resampled, PROBE_RESAMPLES, 0.025), f.value);
    f.high = fmax(probe_quantile(resampled, PROBE_RESAMPLES, 0.975), f.value);
    f.steady = probe_is_steady(f.value, f.low, f.high);
    ARENA_ADD(m->arena, m->figures, m->n, &m->capacity, f);
}

/* ---- operations */

static double first(const struct recipe *r, const double *values)
{
    (void)r;
    return values[0];
}

/* Half of the random branches are predicted. */
static double misprediction(const struct recipe *r, const double *values)
{
    (void)r;
    return fmax(0, 2 * (values[0] - values[1]));
}

static void add_operations(struct maker *m)
{
    static const char family[] = "operations";
    struct probe_coordinates here = {0};
    struct recipe cycle = {{probe_find(m->p, family, "int_add.latency", here)}, 1, first};
    struct recipe branch = {{probe_find(m->p, family, "branch.random", here),
                             probe_find(m->p, family, "branch.predicted", here)},
                            2,
                            misprediction};
    if (cycle.points[0])
        add(m, (struct probe_figure){family, "cycle", "s", 0, 0, 0, 0, false}, &cycle);
    if (branch.points[0] && branch.points[1])
        add(m, (struct probe_figure){family, "branch.mispredicted", "s", 0, 0, 0, 0, false},
            &branch);
}

/* ---- lines over the bytes of points */

static void line(const struct recipe *r, const double *values, double *start, double *each)
{
    double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0, least = INFINITY;
    for (size_t i = 0; i < r->n; i++) {
        double x = (double)r->points[i]->at.bytes, y = values[i], weight = 1 / (y * y);
        w += weight, wx += weight * x, wy += weight * y;
        wxx += weight * x * x, wxy += weight * x * y;
        least = fmin(least, y);
    }
    double determinant = w * wxx - wx * wx;
    *start = wy / w, *each = 0;
    if (!(determinant > 1e-12 * w * wxx)) /* all sizes are the same */
        return;
    *start = (wy * wxx - wxy * wx) / determinant;
    *each = fmax(0, (w * wxy - wx * wy) / determinant);
    if (*start < 0 || *each == 0) { /* the start is at least the time of the smallest size */
        *start = least;
        *each = fmax(0, (wxy - least * wx) / wxx);
    }
}

static double line_start(const struct recipe *r, const double *values)
{
    double start, each;
    line(r, values, &start, &each);
    return start;
}

static double line_each(const struct recipe *r, const double *values)
{
    double start, each;
    line(r, values, &start, &each);
    return each;
}

/* The two figures of the line through all sizes of `of` at this number of processes. */
static void add_line(struct maker *m, const char *family, const char *of, int processes,
                     const char *start, const char *each)
{
    struct recipe r = {.compute = line_start};
    for (size_t i = 0; i < m->p->n && r.n < MOST_POINTS; i++) {
        const struct probe_point *q = &m->p->points[i];
        if (strcmp(q->family, family) == 0 && strcmp(q->name, of) == 0 && q->n &&
            q->at.processes == processes)
            r.points[r.n++] = q;
    }
    if (r.n < 2)
        return;
    add(m, (struct probe_figure){family, start, "s", processes, 0, 0, 0, false}, &r);
    r.compute = line_each;
    add(m, (struct probe_figure){family, each, "s/B", processes, 0, 0, 0, false}, &r);
}

/* Whether the point is the first of its name at its number of processes. */
static bool is_new(const struct probe *p, size_t index)
{
    const struct probe_point *q = &p->points[index];
    for (size_t i = 0; i < index; i++)
        if (strcmp(p->points[i].name, q->name) == 0 && p->points[i].family == q->family &&
            p->points[i].at.processes == q->at.processes)
            return false;
    return true;
}

static void add_messages(struct maker *m)
{
    static const struct {
        const char *family, *of, *start, *each;
    } lines[] = {
        {"mpi", "pingpong", "startup", "per_byte"},
        {"mpi", "pingpong_far", "startup_far", "per_byte_far"},
        {"bsp", "shift", "L.shift", "g.shift"},
        {"bsp", "exchange", "L.exchange", "g.exchange"},
        {"bsp", "random", "L.random", "g.random"},
    };
    for (size_t k = 0; k < sizeof lines / sizeof *lines; k++)
        for (size_t i = 0; i < m->p->n; i++)
            if (strcmp(m->p->points[i].family, lines[k].family) == 0 &&
                strcmp(m->p->points[i].name, lines[k].of) == 0 && is_new(m->p, i))
                add_line(m, lines[k].family, lines[k].of, m->p->points[i].at.processes,
                         lines[k].start, lines[k].each);
}

/* ---- plausibility */

/* No processor does these in fewer cycles: if it looks so, the compiler changed the loop, or the
 * clock changed its speed while it was measured. */
static const struct {
    const char *name;
    double cycles;
} least[] = {
    {"int_mul.latency", 1.5}, {"int_div.latency", 3},       {"fp_add.latency", 1.5},
    {"fp_mul.latency", 1.5},  {"fp_div.latency", 3},        {"fp_sqrt.latency", 3},
    {"load.latency", 1.5},    {"int_add.throughput", 0.08}, {"exp.latency", 5},
};

static void judge(struct maker *m, struct probe_summary *out)
{
    struct probe_coordinates here = {0};
    const struct probe_point *cycle = probe_find(m->p, "operations", "int_add.latency", here);
    size_t capacity = 0;
    for (size_t i = 0; i < sizeof least / sizeof *least && cycle; i++) {
        const struct probe_point *q = probe_find(m->p, "operations", least[i].name, here);
        if (!q || q->value >= least[i].cycles * cycle->value)
            continue;
        ARENA_ADD(m->arena, out->implausible, out->nimplausible, &capacity,
                  arena_printf(m->arena,
                               "operations %s took %.2f cycles; at least %.2g were expected",
                               q->name, q->value / cycle->value, least[i].cycles));
    }
}

void probe_summarise(const struct probe *p, struct arena *a, struct probe_summary *out)
{
    struct maker m = {.p = p, .arena = a};
    *out = (struct probe_summary){.n = 0};
    add_operations(&m);
    add_messages(&m);
    judge(&m, out);
    out->figures = m.figures;
    out->n = m.n;
}
