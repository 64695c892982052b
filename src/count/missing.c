/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The term that a formula lacks: the first of the library of searches (numeric/terms.h), simple terms
 * first, with which the sum is exact; else the one with the smallest error, if that is small and much
 * smaller than without it.
 */
#include "count/follow.h"
#include "count/thresholds.h"

#include <math.h>

#include "base/sort.h"
#include "numeric/terms.h"

static int by_cost(const void *x, const void *y)
{
    const struct search_term *const *s = x, *const *t = y;
    return ((*s)->cost > (*t)->cost) - ((*s)->cost < (*t)->cost);
}

static size_t variables_of(const struct count_model *m, struct search_variable *out)
{
    size_t n = 0;
    for (size_t i = 0; i < m->nvariables && n < SEARCH_MAX_VARIABLES; i++)
        if (m->variables[i].varies)
            out[n++] = (struct search_variable){m->variables[i].name, m->variables[i].at,
                                                !strcmp(m->variables[i].name, "P")};
    return n;
}

/* log(V) of the library is natural; counts are multiples of log2. */
static double unit_of(const struct search_term *t, size_t nvariables)
{
    double unit = 1;
    for (size_t i = 0; i < nvariables; i++)
        if (t->of[i].shape == SHAPE_POWER)
            unit *= pow(1 / log(2), t->of[i].log);
    return unit;
}

struct sum {
    const double **columns;
    double *factors;
    size_t n; /* the last one is the new term */
    struct follow_column *whole;
    double *whole_factors;
    size_t nwhole;
};

static struct sum sum_of(struct arena *scratch, const struct count_model *m)
{
    struct sum s = {.columns = arena_alloc(scratch, m->nterms + 2, sizeof *s.columns),
                    .factors = arena_zalloc(scratch, m->nterms + 2, sizeof *s.factors),
                    .whole = arena_alloc(scratch, m->nterms + 2, sizeof *s.whole),
                    .whole_factors = arena_zalloc(scratch, m->nterms + 2, sizeof(double))};
    for (size_t j = 0; j < m->nterms; j++) {
        const struct count_term *t = &m->terms[j];
        if (t->dependent)
            continue;
        s.columns[s.n++] = t->at;
        s.nwhole += follow_whole(scratch, t->at, t->unit, m->nrows, &s.whole[s.nwhole]);
    }
    return s;
}

/* The library in the order of cost, without its exponents between the usual ones. */
static const struct search_term **sorted(struct arena *scratch, const struct search_library *l)
{
    const struct search_term **list = arena_alloc(scratch, l->n + 1, sizeof *list);
    for (size_t i = 0; i < l->n; i++)
        list[i] = &l->terms[i];
    sort_list(list, l->n, sizeof *list, by_cost);
    return list;
}

bool follow_missing(struct arena *a, struct arena *scratch, const struct count_model *m,
                    struct count_pattern *p)
{
    struct search_variable v[SEARCH_MAX_VARIABLES];
    struct search_library library = {0};
    size_t nv = variables_of(m, v);
    struct sum s = sum_of(scratch, m);
    if (!nv || m->npoints < s.n + 3)
        return false;
    search_library_make(scratch, v, nv, m->nrows, &library);
    const struct search_term **terms = sorted(scratch, &library);
    const struct search_term *best = NULL;
    double least = INFINITY, *at = arena_alloc(scratch, m->nrows, sizeof *at);
    double without =
        s.n ? follow_error(scratch, s.columns, s.n, m->nrows, p->at, true, s.factors) : 1;
    ARENA_LOCAL struct arena *inner = arena_create();
    struct follow_rows rows;
    bool exact = false, countable = follow_begin(scratch, m, p, &rows);
    for (size_t i = 0; i < library.n && i < COUNT_MOST_TERMS && !exact; i++) {
        arena_reset(inner);
        search_term_values(terms[i], v, nv, m->nrows, at);
        s.columns[s.n] = at;
        double error = follow_error(inner, s.columns, s.n + 1, m->nrows, p->at, true, s.factors);
        exact = countable &&
                follow_whole(inner, at, unit_of(terms[i], nv), m->nrows, &s.whole[s.nwhole]) &&
                follow_sum(&rows, s.whole, s.nwhole + 1, COUNT_DENOMINATOR, s.whole_factors) &&
                s.whole_factors[s.nwhole] != 0;
        if (exact || (error < least && s.factors[s.n] > 0)) {
            least = error;
            best = terms[i];
        }
    }
    if (best && (exact || (least <= COUNT_MISSING && least * COUNT_MISSING_GAIN <= without)))
        p->missing = search_term_text(a, best, v, nv);
    return exact;
}
