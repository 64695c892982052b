/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The costs that cllprobe measured: for each pattern and number of processors the time of supersteps
 * without computation, against the largest number of bytes that a processor sends or receives. A file
 * that has only g and L of a pattern, from a publication, gives one line.
 */
#include <math.h>
#include <string.h>

#include "obsp/cost.h"

enum { MOST_COUNTS = 64 };

/* The numbers of processors of a pattern's figures, ascending. */
static size_t counts_of(const struct machine *m, const char *pattern, int counts[MOST_COUNTS])
{
    size_t n = 0;
    char slope[32] = "g.";
    strncat(slope, pattern, sizeof slope - 3);
    for (size_t i = 0; i < m->nfigures + m->nsummary; i++) {
        const struct machine_figure *f =
            i < m->nfigures ? &m->figures[i] : &m->summary[i - m->nfigures];
        size_t at = 0;
        if (strcmp(f->family, "bsp") != 0 ||
            (strcmp(f->name, pattern) != 0 && strcmp(f->name, slope) != 0))
            continue;
        while (at < n && counts[at] < f->processes)
            at++;
        if ((at < n && counts[at] == f->processes) || n == MOST_COUNTS)
            continue;
        memmove(counts + at + 1, counts + at, (n - at) * sizeof *counts);
        counts[at] = f->processes;
        n++;
    }
    return n;
}

static const struct machine_figure *summary_of(const struct machine *m, const char *constant,
                                               const char *pattern, int processes)
{
    char name[32];
    strcpy(name, constant);
    strncat(name, pattern, sizeof name - 3);
    return machine_find(m, "bsp", name, 0, 0, processes);
}

/* The curve of a pattern with so many processors; without lines if the file has no figures. */
static struct obsp_curve curve_of(struct arena *a, const struct machine *m, const char *pattern,
                                  int processes)
{
    struct obsp_curve out = {.nprocs = processes};
    size_t n;
    const struct machine_figure **figures = machine_curve(m, "bsp", pattern, 0, processes, a, &n);
    double *h = arena_alloc(a, n + 1, sizeof *h), *seconds = arena_alloc(a, n + 1, sizeof *seconds);
    for (size_t i = 0; i < n; i++) {
        h[i] = (double)figures[i]->bytes;
        seconds[i] = figures[i]->value;
    }
    const struct machine_figure *g = summary_of(m, "g.", pattern, processes),
                                *L = summary_of(m, "L.", pattern, processes);
    if (n > 1) {
        out.lines = obsp_lines_through(a, h, seconds, n, &out.nlines);
    } else if (g && L) {
        struct obsp_line *line = arena_alloc(a, 1, sizeof *line);
        *line = (struct obsp_line){0, INFINITY, g->value, L->value, L->value};
        out.lines = line;
        out.nlines = 1;
    }
    return out;
}

static struct obsp_curves curves_of(struct arena *a, const struct machine *m, const char *pattern)
{
    int counts[MOST_COUNTS];
    size_t n = counts_of(m, pattern, counts), used = 0;
    struct obsp_curve *list = arena_zalloc(a, n + 1, sizeof *list);
    for (size_t i = 0; i < n; i++) {
        list[used] = curve_of(a, m, pattern, counts[i]);
        used += list[used].nlines > 0;
    }
    return (struct obsp_curves){list, used};
}

/* g and L of plain BSP: of the total exchange, with as many processors as the program has or the next
 * measured number. */
static void plain_pair(const struct machine *m, int processes, struct obsp_costs *costs)
{
    double best = INFINITY;
    for (int pattern = OBSP_PATTERNS - 1; pattern >= 0; pattern--)
        for (size_t i = 0; i < m->nsummary; i++) {
            const struct machine_figure *f = &m->summary[i], *L;
            const char *name = obsp_pattern_names[pattern];
            if (strcmp(f->family, "bsp") != 0 || strncmp(f->name, "g.", 2) != 0 ||
                strcmp(f->name + 2, name) != 0)
                continue;
            /* the exchange comes before the others at the same distance */
            double distance =
                fabs(log((double)f->processes / processes)) - (pattern == OBSP_EXCHANGE ? 1e-6 : 0);
            L = summary_of(m, "L.", name, f->processes);
            if (L && distance <= best) {
                best = distance;
                costs->g = f->value;
                costs->L = L->value;
            }
        }
}

struct obsp_costs *obsp_costs_of_machine(struct arena *a, const struct machine *m,
                                         enum obsp_h_rule rule, int processes, struct diag *diag)
{
    struct obsp_costs *costs = obsp_costs_given(a, 0, 0);
    const struct obsp_curves *any = NULL;
    costs->origin = OBSP_FROM_MACHINE;
    costs->h_per_byte = rule == OBSP_H_SUM ? 2 : 1;
    for (int p = 0; p < OBSP_PATTERNS; p++) {
        costs->sync[p] = curves_of(a, m, obsp_pattern_names[p]);
        if (costs->sync[p].n && (!any || any->n < costs->sync[p].n))
            any = &costs->sync[p];
    }
    if (!any)
        return diag_null(diag_error(
            diag,
            "the machine %s has no BSP figures: cllprobe-FLAVOUR, started with several processes, measures "
            "them; or give g=SECONDS L=SECONDS",
            m->name));
    for (int p = 0; p < OBSP_PATTERNS; p++) {
        if (!costs->sync[p].n)
            costs->sync[p] = *any;
        costs->oblsync[p] = costs->sync[p];
    }
    plain_pair(m, processes, costs);
    costs->g /= costs->h_per_byte;
    return costs;
}
