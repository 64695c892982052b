/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search for a formula (see search.h): the library at the points, the best sums of terms, the
 * best of them once more with intervals, and the proper fit of those that are reported. Outliers in
 * the fit of the best formula are left out, and the search is repeated.
 */
#include "model/search.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "numeric/boundaries.h"
#include "model/fit_internal.h"
#include "numeric/sums.h"
#include "base/interrupt.h"
#include "base/text.h"

/* A sum with what was found for it. */
struct found {
    struct search_sum sum;
    bool divided;
    double criterion, press;
};

struct searcher {
    struct arena *arena, *work; /* work: of one pass */
    const struct search_request *request;
    struct diag *diag;
    struct points all, used;
    struct search_variable variables[SEARCH_MAX_VARIABLES];
    size_t nvariables;
    struct search_library library;
    struct search_problem problem;
    double *sigma;
    bool *skip; /* per used point */
    struct found pool[SEARCH_POOL];
    size_t npool;
    size_t formulas;
};

/* ---- variables ---- */

/* Values of a variable or a definition at the points. */
static int variable_values(struct searcher *s, const char *name, struct diag *diag, double *out)
{
    const struct fit_request *r = &s->request->fit;
    const struct formula *f =
        definitions_expand(s->arena, formula_variable(s->arena, name), &r->let, diag);
    const struct formula_program *program =
        f ? formula_compile(s->arena, f, (const char *const *)s->all.names, s->all.nnames, NULL,
                            diag)
          : NULL;
    struct formula_trouble trouble;
    if (!program)
        return -1;
    if (!formula_evaluate(program, (const double *const *)s->all.at, s->all.n, out, &trouble))
        return 0;
    diag_error(diag, "%s has no value at the point %s: %s", name,
               points_label(s->arena, &s->all, trouble.row), trouble.what);
    return -1;
}

static int unknown_variable(struct searcher *s, const char *name)
{
    diag_error(s->diag, "%s", points_no_variable(s->arena, &s->all, &s->request->fit.let, name));
    return -1;
}

static bool known_name(const struct searcher *s, const char *name)
{
    const struct definitions *let = &s->request->fit.let;
    for (size_t i = 0; i < let->n; i++)
        if (strcmp(let->names[i], name) == 0)
            return true;
    return points_find(&s->all, name) != SIZE_MAX;
}

static int add_variable(struct searcher *s, const char *name, bool asked)
{
    double *at = arena_alloc(s->arena, s->all.n, sizeof *at);
    bool varies = false;
    if (!known_name(s, name))
        return unknown_variable(s, name);
    for (size_t i = 0; i < s->nvariables; i++)
        if (strcmp(s->variables[i].name, name) == 0)
            return 0;
    if (variable_values(s, name, s->diag, at))
        return -1;
    for (size_t i = 1; i < s->all.n; i++)
        varies = varies || at[i] != at[0];
    if (!varies && asked) {
        diag_error(s->diag, "%s never varies in the data of %s: measure with several values of it",
                   name, s->request->fit.points.experiment->name);
        return -1;
    }
    if (!varies)
        return 0;
    if (s->nvariables == SEARCH_MAX_VARIABLES) {
        diag_error(
            s->diag,
            "more than %d variables vary: name those to search in, as in 'search %s in %s, %s'",
            SEARCH_MAX_VARIABLES, s->request->fit.points.experiment->name, s->variables[0].name,
            s->variables[1].name);
        return -1;
    }
    s->variables[s->nvariables++] =
        (struct search_variable){arena_strdup(s->arena, name), at, strcmp(name, "P") == 0};
    return 0;
}

static int take_variables(struct searcher *s)
{
    const struct search_request *r = s->request;
    for (size_t i = 0; i < r->nvariables; i++)
        if (add_variable(s, r->variables[i], true))
            return -1;
    for (size_t j = 0; r->nvariables == 0 && j < s->all.nnames; j++)
        if (add_variable(s, s->all.names[j], false))
            return -1;
    return 0;
}

/* ---- the problem ---- */

/* Not more points than SEARCH_MOST_POINTS, spread over all, never in step with a grid. */
static void choose_points(struct searcher *s)
{
    size_t n = s->all.n;
    bool *keep = arena_zalloc(s->arena, n, sizeof *keep);
    for (size_t i = 0; i < n && n <= SEARCH_MOST_POINTS; i++)
        keep[i] = true;
    for (size_t j = 0; j < SEARCH_MOST_POINTS && n > SEARCH_MOST_POINTS; j++) {
        double part = (double)j * 0.6180339887498949;
        double at = ((double)j + part - floor(part)) * (double)n / SEARCH_MOST_POINTS;
        keep[(size_t)fmin(at, (double)(n - 1))] = true;
    }
    points_some(s->arena, &s->all, keep, &s->used);
    for (size_t v = 0; v < s->nvariables; v++) {
        double *at = arena_alloc(s->arena, s->used.n, sizeof *at);
        for (size_t i = 0, k = 0; i < n; i++)
            if (keep[i])
                at[k++] = s->variables[v].at[i];
        s->variables[v].at = at;
    }
    s->skip = arena_zalloc(s->arena, s->used.n, sizeof *s->skip);
}

/* Columns divided by sigma, of length 1; rows left out are 0. */
static void make_problem(struct searcher *s)
{
    size_t n = s->used.n, terms = s->library.n;
    struct search_problem *p = &s->problem;
    double *y = arena_alloc(s->work, n, sizeof *y), *one = arena_alloc(s->work, n, sizeof *one);
    double *values = arena_alloc(s->work, n * terms + 1, sizeof *values);
    double **columns = arena_alloc(s->work, terms + 1, sizeof *columns);
    double *cost = arena_alloc(s->work, terms + 1, sizeof *cost);
    *p = (struct search_problem){.n = n,
                                 .terms = terms,
                                 .y = y,
                                 .constant = one,
                                 .columns = columns,
                                 .cost = cost,
                                 .nonneg = s->request->fit.nonneg};
    noise_of_repetitions(&s->used, &p->known_noise, &p->known_weight);
    s->sigma = noise_scales(s->work, &s->used, p->known_noise, 0);
    for (size_t i = 0; i < n; i++) {
        y[i] = s->skip[i] ? 0 : s->used.value[i] / s->sigma[i];
        one[i] = s->skip[i] ? 0 : 1 / s->sigma[i];
        p->rows += !s->skip[i];
    }
    for (size_t t = 0; t < terms; t++) {
        double length = 0, largest = 0;
        columns[t] = values + t * n;
        cost[t] = s->library.terms[t].cost;
        search_term_values(&s->library.terms[t], s->variables, s->nvariables, n, columns[t]);
        for (size_t i = 0; i < n; i++) {
            columns[t][i] = s->skip[i] ? 0 : columns[t][i] / s->sigma[i];
            largest = fmax(largest, fabs(columns[t][i]));
        }
        for (size_t i = 0; i < n && largest > 0; i++)
            length += columns[t][i] / largest * (columns[t][i] / largest);
        for (size_t i = 0; i < n && largest > 0; i++)
            columns[t][i] = columns[t][i] / largest / sqrt(length);
    }
}

/* ---- with intervals ---- */

static void add_found(struct searcher *s, const struct found *f)
{
    if (!isfinite(f->criterion) ||
        (s->npool == SEARCH_POOL && !(f->criterion < s->pool[SEARCH_POOL - 1].criterion)))
        return;
    size_t i = s->npool < SEARCH_POOL ? s->npool++ : SEARCH_POOL - 1;
    for (; i > 0 && s->pool[i - 1].criterion > f->criterion; i--)
        s->pool[i] = s->pool[i - 1];
    s->pool[i] = *f;
}

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
        double *values = mem_alloc(m->points.n, sizeof *values);
        memcpy(values, m->points.at[v], m->points.n * sizeof *values);
        stats_sort(values, m->points.n);
        for (size_t i = 0; i < m->points.n; i++)
            groups += i == 0 || values[i] != values[i - 1];
        mem_free(values);
        cost += boundaries_choice_cost(m->nconstants, groups, m->structure.pieces->changing + first,
                                       next - first) +
                2 * (double)(next - first) * log((double)varying);
    }
    return cost;
}

static void try_divided(struct searcher *s, struct arena *a, const struct search_sum *sum)
{
    arena_reset(a);
    struct model *m = shell(s, a, sum);
    if (intervals_find(m, NULL) || m->structure.pieces->nboundaries == 0)
        return;
    intervals_expand(m);
    size_t n = s->used.n, k = m->structure.ncolumns, negative;
    const double **columns = arena_alloc(a, k, sizeof *columns);
    for (size_t j = 0; j < k; j++) {
        double *column = arena_alloc(a, n, sizeof *column), size = 0;
        for (size_t i = 0; i < n; i++) {
            column[i] = s->skip[i] ? 0 : m->structure.design[i * k + j] / s->sigma[i];
            size = fmax(size, fabs(column[i]));
        }
        for (size_t i = 0; i < n && size > 0; i++)
            column[i] /= size;
        columns[j] = column;
    }
    struct found f = {.sum = *sum, .divided = true};
    double value = search_score(a, &s->problem, columns, k, &f.press, &negative);
    f.criterion = value + search_cost(&s->problem, sum, negative) + cost_of_boundaries(m);
    if (!(s->problem.nonneg && negative))
        add_found(s, &f);
}

/* The best sums of few terms, once more with intervals; each with the constant term, the single
 * ones also without. */
static void search_divided(struct searcher *s, const struct search_level *levels, size_t max_terms)
{
    static const size_t most[] = {1, SEARCH_DIVIDED_SINGLES, SEARCH_DIVIDED_PAIRS};
    if (s->used.n < SEARCH_INTERVAL_POINTS || s->request->fit.intervals.mode == INTERVALS_NONE)
        return;
    struct arena *a = arena_create();
    for (size_t k = 0; k <= max_terms && k < 3; k++) {
        for (size_t i = 0; i < levels[k].n && i < most[k] && !interrupted(); i++) {
            struct search_sum sum = levels[k].sums[i];
            sum.constant = true;
            try_divided(s, a, &sum);
            sum.constant = false;
            if (k == 1)
                try_divided(s, a, &sum);
        }
    }
    arena_destroy(a);
}

/* One pass: everything found goes into the pool, the best first. */
static void search_pass(struct searcher *s)
{
    struct search_level levels[SEARCH_MAX_TERMS + 1];
    size_t max_terms = s->request->max_terms ? s->request->max_terms : SEARCH_DEFAULT_TERMS;
    make_problem(s);
    if (s->library.n == 0)
        max_terms = 0;
    /* Not too many constants for the points. */
    while (max_terms > 0 && SEARCH_POINTS_PER_CONSTANT * (max_terms + 1) > s->problem.rows - 1)
        max_terms--;
    s->npool = 0;
    search_sums(s->work, &s->problem, max_terms, levels, &s->formulas);
    for (size_t k = 0; k <= max_terms; k++)
        for (size_t i = 0; i < levels[k].n; i++) {
            struct found f = {.sum = levels[k].sums[i],
                              .criterion = levels[k].sums[i].criterion,
                              .press = levels[k].sums[i].press};
            add_found(s, &f);
        }
    double plain = s->npool ? s->pool[0].criterion : INFINITY;
    search_divided(s, levels, max_terms);
    for (size_t i = 0; i < s->npool && s->pool[0].divided; i++) {
        if (s->pool[i].divided || plain - s->pool[0].criterion >= SEARCH_INTERVAL_MARGIN)
            continue;
        struct found best = s->pool[i];
        memmove(s->pool + 1, s->pool, i * sizeof *s->pool);
        s->pool[0] = best;
    }
}

/* ---- the report ---- */

static char *formula_of(struct searcher *s, const struct search_sum *sum)
{
    const char *name = s->request->fit.points.experiment->name;
    char *text = sum->constant ? arena_printf(s->arena, "%s[0]", name) : "";
    for (size_t i = 0; i < sum->n; i++) {
        char *term = search_term_text(s->arena, &s->library.terms[sum->term[i]], s->variables,
                                      s->nvariables);
        bool divides = strncmp(term, "1/", 2) == 0;
        text = arena_printf(s->arena, "%s%s%s[%zu]%s%s", text, *text ? " + " : "", name,
                            i + sum->constant, divides ? "" : "*", divides ? term + 1 : term);
    }
    return text;
}

static bool make_candidate(struct searcher *s, const struct found *f, struct search_candidate *c)
{
    struct fit_request r = s->request->fit;
    *c = (struct search_candidate){.text = formula_of(s, &f->sum),
                                   .terms = f->sum.n,
                                   .divided = f->divided,
                                   .criterion = f->criterion,
                                   .cv_pct = 100 * sqrt(f->press / (double)s->problem.rows)};
    c->intervals = r.intervals;
    if (!f->divided)
        c->intervals = (struct interval_request){.mode = INTERVALS_NONE};
    r.intervals = c->intervals;
    struct source *source = arena_alloc(s->arena, 1, sizeof *source);
    *source = (struct source){"<search>", c->text, strlen(c->text)};
    const char *names[] = {r.points.experiment->name, NULL};
    struct formula_options options = {.experiments = names};
    c->formula = formula_parse(s->arena, source, (struct span){0, source->size}, &options, s->diag);
    r.formula = c->formula;
    r.source = source;
    c->model = c->formula ? model_fit_points(s->arena, &r, &s->all, s->diag) : NULL;
    return c->model != NULL;
}

/* Beyond the data in one variable, the others at their largest. */
static void make_places(struct searcher *s, struct search_result *out)
{
    out->places = arena_zalloc(s->arena, s->nvariables + 1, sizeof *out->places);
    for (size_t v = 0; v < s->nvariables; v++) {
        struct search_place *p = &out->places[out->nplaces++];
        const char **names = arena_alloc(s->arena, s->nvariables, sizeof *names);
        double *at = arena_alloc(s->arena, s->nvariables, sizeof *at);
        p->place = (struct place){names, at, s->nvariables};
        p->values = arena_alloc(s->arena, SEARCH_MAX_FOUND, sizeof *p->values);
        for (size_t j = 0; j < s->nvariables; j++) {
            double most = -INFINITY;
            for (size_t i = 0; i < s->used.n; i++)
                most = fmax(most, s->variables[j].at[i]);
            names[j] = s->variables[j].name;
            at[j] = j == v ? SEARCH_BEYOND * most : most;
        }
        p->low = p->typical_low = INFINITY;
        p->high = p->typical_high = -INFINITY;
    }
}

/* Adds the predictions of the next candidate at the places. Adds nothing and
 * returns false if one of them is negative: a cost cannot be negative. */
static bool add_predictions(struct searcher *s, const struct search_candidate *c, bool any_sign,
                            struct search_result *out)
{
    struct prediction *one = arena_zalloc(s->arena, out->nplaces + 1, sizeof *one);
    for (size_t p = 0; p < out->nplaces; p++) {
        if (model_predict(s->arena, c->model, &out->places[p].place, NULL, &one[p]))
            one[p].value = NAN;
        if (one[p].value < 0 && !any_sign)
            return false;
    }
    for (size_t p = 0; p < out->nplaces; p++) {
        struct search_place *q = &out->places[p];
        double value = one[p].value;
        q->values[out->ncandidates] = value;
        if (isnan(value))
            continue;
        q->low = fmin(q->low, value);
        q->high = fmax(q->high, value);
        q->typical_low = fmin(q->typical_low, isnan(one[p].low) ? value : one[p].low);
        q->typical_high = fmax(q->typical_high, isnan(one[p].high) ? value : one[p].high);
    }
    return true;
}

/* Points the winner's fit leaves out, if there are any new ones. */
static bool take_outliers(struct searcher *s)
{
    struct arena *a = arena_create();
    struct model *m = shell(s, a, &s->pool[0].sum);
    bool any = false;
    if (!s->pool[0].divided)
        m->request.intervals = (struct interval_request){.mode = INTERVALS_NONE};
    if (intervals_find(m, NULL) == 0)
        for (size_t i = 0; i < s->used.n; i++) {
            any = any || (m->structure.left_out[i] && !s->skip[i]);
            s->skip[i] = s->skip[i] || m->structure.left_out[i];
        }
    arena_destroy(a);
    return any;
}

static int report(struct searcher *s, struct search_result *out)
{
    out->candidates = arena_zalloc(s->arena, SEARCH_MAX_FOUND, sizeof *out->candidates);
    make_places(s, out);
    for (size_t i = 0; i < s->npool && out->ncandidates < SEARCH_MAX_FOUND; i++) {
        if (i > 0 && s->pool[i].criterion > s->pool[0].criterion + SEARCH_SAME)
            break;
        struct search_candidate *c = &out->candidates[out->ncandidates];
        bool made = make_candidate(s, &s->pool[i], c);
        if (!made && i == 0)
            return -1;
        if (made && add_predictions(s, c, false, out))
            out->ncandidates++;
    }
    if (out->ncandidates == 0 && make_candidate(s, &s->pool[0], &out->candidates[0]) &&
        add_predictions(s, &out->candidates[0], true, out))
        out->ncandidates = 1;
    out->nvariables = s->nvariables;
    out->variables = arena_alloc(s->arena, s->nvariables + 1, sizeof *out->variables);
    for (size_t v = 0; v < s->nvariables; v++)
        out->variables[v] = s->variables[v].name;
    out->library = s->library.n;
    out->level = s->library.level;
    out->formulas = s->formulas;
    out->used = s->used.n;
    for (size_t i = 0; i < s->used.n; i++)
        out->left_out += s->skip[i];
    return 0;
}

static int check_points(const struct searcher *s)
{
    const char *name = s->request->fit.points.experiment->name;
    if (points_check(&s->all, s->diag))
        return -1;
    if (s->all.n >= SEARCH_MIN_POINTS)
        return 0;
    diag_error(s->diag,
               "%s has %zu different point%s that can be used: a search needs at least %d, "
               "better %d; measure with more values of its variables",
               name, s->all.n, s->all.n == 1 ? "" : "s", SEARCH_MIN_POINTS, 2 * SEARCH_MIN_POINTS);
    return -1;
}

static int search_points(struct searcher *s, struct search_result *out)
{
    choose_points(s);
    search_library_make(s->arena, s->variables, s->nvariables, s->used.n, &s->library);
    search_pass(s);
    for (int again = 0; again < SEARCH_REPEATS && s->npool && !interrupted() && take_outliers(s);
         again++) {
        arena_reset(s->work);
        search_pass(s);
    }
    if (interrupted() || s->npool == 0) {
        diag_error(
            s->diag,
            interrupted()
                ? "interrupted"
                : "no sum of terms fits without a negative constant, which 'nonneg' forbids");
        return -1;
    }
    return report(s, out);
}

int model_search(struct arena *a, const struct search_request *request, struct diag *diag,
                 struct search_result *out)
{
    struct searcher *s = arena_zalloc(a, 1, sizeof *s);
    memset(out, 0, sizeof *out);
    s->arena = a;
    s->request = request;
    s->diag = diag;
    if (points_make(a, &request->fit.points, diag, &s->all) || check_points(s) || take_variables(s))
        return -1;
    s->work = arena_create();
    int status = search_points(s, out);
    arena_destroy(s->work);
    return status;
}
