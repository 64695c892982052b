/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums with boundaries: constants with intervals, and other forms on the two sides. */
#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/number.h"
#include "model/search/searcher.h"
#include "numeric/boundaries.h"

/* A model as the search for intervals wants it: points and coefficients. */
static struct model *shell(struct searcher *s, struct arena *a, const struct search_sum *sum)
{
    size_t n = s->used.n, k = sum->n + sum->constant;
    struct model *m = arena_zalloc(a, 1, sizeof *m);
    double *column = arena_alloc(a, n, sizeof *column);
    m->arena = a;
    m->request = s->request->fit;
    m->points = s->used;
    m->nconstants = k;
    m->formula.coefficients = arena_alloc(a, n * k, sizeof *m->formula.coefficients);
    for (size_t c = 0; c < k; c++) {
        if (c == 0 && sum->constant)
            for (size_t i = 0; i < n; i++)
                column[i] = 1;
        else
            search_term_values(&s->library.terms[sum->term[c - sum->constant]], s->variables,
                               s->nvariables, n, column);
        for (size_t i = 0; i < n; i++)
            m->formula.coefficients[i * k + c] = column[i];
    }
    return m;
}

/* The penalty for choosing these intervals, as in pieces.c. */
static double cost_of_boundaries(const struct model *m)
{
    double cost = 0;
    size_t varying = 0;
    for (size_t v = 0; v < m->points.nnames; v++)
        varying += !points_constant(&m->points, v);
    for (size_t first = 0, next; first < m->structure.pieces->nboundaries; first = next) {
        size_t v = m->structure.pieces->boundaries[first].variable, groups = 0;
        for (next = first; next < m->structure.pieces->nboundaries &&
                           m->structure.pieces->boundaries[next].variable == v;)
            next++;
        MEM_LOCAL double *values = mem_alloc(m->points.n, sizeof *values);
        memcpy(values, m->points.at[v], m->points.n * sizeof *values);
        stats_sort(values, m->points.n);
        for (size_t i = 0; i < m->points.n; i++)
            groups += i == 0 || values[i] != values[i - 1];
        cost += boundaries_choice_cost(m->nconstants, groups, m->structure.pieces->changing + first,
                                       next - first) +
                2 * (double)(next - first) * log((double)varying);
    }
    return cost;
}

/* The evidence of columns with boundaries, whose noise may be far less than that of other sums. */
static double evidence_with_boundaries(struct searcher *s, struct arena *a,
                                       const double *const *columns, size_t k)
{
    const struct search_problem *p = &s->problem;
    struct search_posterior q;
    double value = search_evidence(a, p, columns, k, &q);
    if (value > -INFINITY && p->rows >= k + SEARCH_NOISE_POINTS) {
        double squares = q.noise * q.noise * q.dof - p->weight * p->noise * p->noise;
        double noise = sqrt(fmax(squares, 0) / (double)(p->rows - k));
        s->least_noise = fmin(s->least_noise, fmax(noise, RELATIVE_NOISE_FLOOR));
    }
    return value;
}

static void try_divided(struct searcher *s, struct arena *a, const struct search_sum *sum)
{
    arena_reset(a);
    struct model *m = shell(s, a, sum);
    if (intervals_find(m, NULL) || m->structure.pieces->nboundaries == 0)
        return;
    intervals_expand(m);
    size_t n = s->used.n, k = m->structure.ncolumns;
    const double **columns = arena_alloc(a, k, sizeof *columns), *one[SEARCH_MAX_TERMS + 1];
    double cost[SEARCH_MAX_TERMS + 1];
    for (size_t j = 0; j < k; j++) {
        double *column = arena_alloc(a, n, sizeof *column);
        for (size_t i = 0; i < n; i++)
            column[i] =
                searcher_leaves_out(s, i) ? 0 : m->structure.design[i * k + j] / s->sigma[i];
        searcher_scale(s, column);
        columns[j] = column;
    }
    searcher_columns(s, sum, one, cost);
    struct found f = {.sum = *sum, .divided = true};
    f.plausible = evidence_with_boundaries(s, a, columns, k) +
                  search_prior(cost, sum->n, sum->constant, s->problem.lines) -
                  cost_of_boundaries(m) / 2;
    searcher_add(s, &f);
}

/* The best single terms of the points in one half of the values of the only variable. */
static size_t terms_of_half(struct searcher *s, bool upper, size_t *terms, size_t most)
{
    const double *at = s->variables[0].at;
    double *sorted = arena_alloc(s->work, s->used.n, sizeof *sorted);
    struct search_level levels[2];
    size_t n = 0, rows = 0;
    memcpy(sorted, at, s->used.n * sizeof *sorted);
    stats_sort(sorted, s->used.n);
    double middle = sorted[s->used.n / 2];
    for (size_t i = 0; i < s->used.n; i++) {
        s->last[i] = (at[i] >= middle) != upper;
        rows += !searcher_leaves_out(s, i);
    }
    if (rows < SEARCH_MIN_POINTS)
        return 0;
    searcher_problem(s);
    search_sums(s->work, &s->problem, 1, levels, &s->formulas);
    for (size_t i = 0; i < levels[1].n && n < most; i++) {
        bool known = false;
        for (size_t k = 0; k < n; k++)
            known = known || terms[k] == levels[1].sums[i].term[0];
        if (!known)
            terms[n++] = levels[1].sums[i].term[0];
    }
    return n;
}

/* Two forms, and the values of the variable between which they change. */
struct two_forms {
    size_t low, high; /* terms of the library */
    double below, above;
    double plausible;
};

/* 0 up to `below`, 1 from `above`. */
static double step_between(const struct two_forms *f, double x)
{
    return fmin(1, fmax(0, (x - f->below) / (f->above - f->below)));
}

/* 1 and a term on each side of the boundary, without the scale of the points. */
static void two_forms_values(const struct searcher *s, const struct two_forms *f, double *values[4])
{
    const struct search_term *terms[] = {&s->library.terms[f->low], &s->library.terms[f->high]};
    for (int side = 0; side < 2; side++) {
        search_term_values(terms[side], s->variables, 1, s->used.n, values[2 * side + 1]);
        for (size_t i = 0; i < s->used.n; i++) {
            double step = step_between(f, s->variables[0].at[i]);
            double here = side ? step : 1 - step;
            values[2 * side][i] = here;
            values[2 * side + 1][i] *= here;
        }
    }
}

static void judge_two_forms(struct searcher *s, struct arena *a, struct two_forms *f,
                            size_t boundaries)
{
    double *values[4], cost[] = {s->cost[f->low], s->cost[f->high]};
    size_t n = s->used.n;
    arena_reset(a);
    for (int k = 0; k < 4; k++)
        values[k] = arena_alloc(a, n, sizeof *values[k]);
    two_forms_values(s, f, values);
    for (int k = 0; k < 4; k++) {
        for (size_t i = 0; i < n; i++)
            values[k][i] = searcher_leaves_out(s, i) ? 0 : values[k][i] / s->sigma[i];
        searcher_scale(s, values[k]);
    }
    f->plausible = evidence_with_boundaries(s, a, (const double *const *)values, 4) - cost[0] -
                   cost[1] - log((double)boundaries) + SEARCH_FORMS_PRIOR;
    s->formulas++;
}

/* Enters the formula as a sum of four terms. */
static void add_two_forms(struct searcher *s, const struct two_forms *f)
{
    const char *name = s->variables[0].name;
    char below[NUMBER_SIZE], gap[NUMBER_SIZE];
    char *step = arena_printf(s->arena, "min(1, max(0, (%s - %s)/%s))", name,
                              number_text(f->below, below), number_text(f->above - f->below, gap));
    double *values[4];
    struct search_sum sum = {.n = 4, .plausible = f->plausible};
    if (s->library.n + 4 > s->room)
        return;
    for (int k = 0; k < 4; k++)
        values[k] = arena_alloc(s->arena, s->used.n, sizeof *values[k]);
    two_forms_values(s, f, values);
    for (int k = 0; k < 4; k++) {
        const struct search_term *t = &s->library.terms[k < 2 ? f->low : f->high];
        const char *term = k % 2 ? search_term_text(s->arena, t, s->variables, 1) : "";
        const char *side = k < 2 ? arena_printf(s->arena, "(1 - %s)", step) : step;
        size_t at = s->library.n;
        search_library_add_given(s->arena,
                                 arena_printf(s->arena, "%s%s%s", term, *term ? "*" : "", side),
                                 values[k], 0, &s->library);
        s->columns[at] = arena_alloc(s->work, s->used.n, sizeof *s->columns[at]);
        s->cost[at] = s->library.terms[at].cost;
        searcher_column(s, &s->library.terms[at], s->columns[at]);
        s->problem.terms = s->library.n;
        sum.term[k] = at;
    }
    searcher_add(s, &(struct found){.sum = sum, .plausible = f->plausible});
}

/* Other forms on the two sides of a boundary. */
static void try_two_forms(struct searcher *s, struct arena *a)
{
    size_t terms[2][SEARCH_FORMS_OF_HALF], n[2], values = 0;
    struct two_forms best[SEARCH_FORMS_KEPT];
    size_t kept = 0;
    double *sorted = arena_alloc(s->work, s->used.n, sizeof *sorted);
    for (int upper = 0; upper < 2; upper++)
        n[upper] = terms_of_half(s, upper, terms[upper], SEARCH_FORMS_OF_HALF);
    memset(s->last, 0, s->used.n * sizeof *s->last);
    searcher_problem(s);
    memcpy(sorted, s->variables[0].at, s->used.n * sizeof *sorted);
    stats_sort(sorted, s->used.n);
    for (size_t i = 0; i < s->used.n; i++)
        if (values == 0 || sorted[i] != sorted[values - 1])
            sorted[values++] = sorted[i];
    for (size_t b = SEARCH_FORM_POINTS; b + SEARCH_FORM_POINTS <= values && !interrupt_came(); b++)
        for (size_t i = 0; i < n[0]; i++)
            for (size_t k = 0; k < n[1]; k++) {
                struct two_forms f = {terms[0][i], terms[1][k], sorted[b - 1], sorted[b], 0};
                judge_two_forms(s, a, &f, values);
                if (!(f.plausible > -INFINITY) ||
                    (kept == SEARCH_FORMS_KEPT && f.plausible <= best[kept - 1].plausible))
                    continue;
                size_t at = kept < SEARCH_FORMS_KEPT ? kept++ : kept - 1;
                for (; at > 0 && best[at - 1].plausible < f.plausible; at--)
                    best[at] = best[at - 1];
                best[at] = f;
            }
    for (size_t i = 0; i < kept; i++)
        add_two_forms(s, &best[i]);
}

void searcher_try_boundaries(struct searcher *s, const struct search_level *levels,
                             size_t max_terms)
{
    size_t allowed = SEARCH_DIVIDED_POINTS / (s->used.n * s->nvariables + 1);
    const size_t most[] = {1, SEARCH_DIVIDED_SINGLES, SEARCH_DIVIDED_PAIRS};
    if (searcher_few_points(s) || s->request->fit.intervals.mode == INTERVALS_NONE)
        return;
    ARENA_LOCAL struct arena *a = arena_create();
    for (size_t k = 0; k <= max_terms && k < 3; k++) {
        size_t tries = 0, limit = most[k] < allowed ? most[k] : allowed;
        for (size_t i = 0; i < levels[k].n && tries < (limit > 2 ? limit : 2) && !interrupt_came();
             i++)
            if (k < 2 || levels[k].sums[i].constant) {
                try_divided(s, a, &levels[k].sums[i]);
                tries++;
            }
    }
    if (s->nvariables == 1 && max_terms > 1)
        try_two_forms(s, a);
}

bool searcher_take_outliers(struct searcher *s)
{
    if (s->nvariables > 1 && searcher_few_points(s))
        return false;
    ARENA_LOCAL struct arena *a = arena_create();
    struct model *m = shell(s, a, &s->pool[0].sum);
    bool any = false;
    if (!s->pool[0].divided)
        m->request.intervals = (struct interval_request){.mode = INTERVALS_NONE};
    if (intervals_find(m, NULL) == 0)
        for (size_t i = 0; i < s->used.n; i++) {
            any = any || (m->structure.left_out[i] && !s->skip[i]);
            s->skip[i] = s->skip[i] || m->structure.left_out[i];
        }
    return any;
}
