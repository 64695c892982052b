/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The fit. Unknowns c minimise sum (y - Xc)^2 / v with v_i = (s t_i)^2 + floor_i^2: s the relative
 * noise, t_i the fitted time, floor_i what clock and overhead leave uncertain. Since v depends on
 * the result, solve, update s and t, and again until nothing moves. Terms the data cannot tell
 * apart are found one by one, in the order of the constants, so that the message can name them.
 */
#include "model/fit.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/fit_internal.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "numeric/products.h"
#include "numeric/stats.h"

static int check_variables(struct model *m, struct diag *diag)
{
    const struct points *p = &m->points;
    struct formula_variables used = formula_variables(m->arena, m->formula.expanded);
    int status = 0;
    for (size_t i = 0; i < used.n; i++) {
        if (points_find(p, used.list[i].name) != SIZE_MAX)
            continue;
        bool placed = m->request.source && used.list[i].span.end > used.list[i].span.begin;
        bool observed =
            points_observable(m->request.points.experiment, used.list[i].name) != SIZE_MAX;
        const char *text =
            observed
                ? arena_printf(m->arena,
                               "%s is an observable: it can be fitted ('on'), but a formula is "
                               "over variables",
                               used.list[i].name)
                : arena_printf(m->arena, "%s (define others with 'let')",
                               points_no_variable(m->arena, p, &m->request.let, used.list[i].name));
        status = diag_add(diag, SEVERITY_ERROR, placed ? m->request.source : NULL,
                          used.list[i].span, "%s", text);
    }
    return status;
}

/* Values of one expression at all points. */
static int evaluate_at(struct model *m, const struct points *p, const struct formula *f,
                       struct diag *diag, double *out)
{
    const struct formula_program *program =
        formula_compile(m->arena, f, (const char *const *)p->names, p->nnames, NULL, diag);
    if (!program)
        return -1;
    struct formula_trouble trouble;
    if (!formula_evaluate(program, (const double *const *)p->at, p->n, out, &trouble))
        return 0;
    return diag_error(
        diag,
        "the formula of %s has no value at the point %s: %s; leave such samples out with "
        "'where', or "
        "write the term differently",
        m->request.points.experiment->name, points_label(m->arena, p, trouble.row), trouble.what);
}

static int take_formula(struct model *m, struct diag *diag)
{
    const struct fit_request *r = &m->request;
    m->formula.expanded = definitions_expand(m->arena, r->formula, &r->let, diag);
    if (!m->formula.expanded || check_variables(m, diag) ||
        formula_check_machine(m->arena, m->formula.expanded, r->source, diag))
        return -1;
    m->formula.machine = formula_asks_machine(m->formula.expanded) ? r->let.machine : NULL;
    const struct formula_linear *linear =
        formula_linearize(m->arena, m->formula.expanded, r->source, diag);
    if (!linear)
        return -1;
    if (linear->nterms == 0 && formula_variables(m->arena, m->formula.expanded).n == 0)
        return diag_add(diag, SEVERITY_ERROR, r->source, r->formula->span,
                        "the formula has no constant %s[0], %s[1], ...: there is nothing to fit",
                        r->points.experiment->base, r->points.experiment->base);
    if (linear->nexponents)
        return exponents_begin(m, linear, diag);
    if (linear->nchoices)
        return choices_begin(m, linear, diag);
    m->nconstants = linear->nterms;
    m->constants = arena_zalloc(m->arena, m->nconstants, sizeof *m->constants);
    for (size_t j = 0; j < m->nconstants; j++) {
        m->constants[j].index = linear->terms[j].index;
        m->constants[j].name =
            arena_printf(m->arena, "%s[%u]", linear->terms[j].experiment, linear->terms[j].index);
        m->constants[j].coefficient = linear->terms[j].coefficient;
    }
    m->formula.offset = linear->offset;
    return 0;
}

/* The matrix of coefficients at the points, and the known part. */
static int make_design(struct model *m, struct diag *diag)
{
    size_t n = m->points.n, k = m->nconstants;
    m->formula.coefficients = arena_alloc(m->arena, n * k, sizeof *m->formula.coefficients);
    double *column = arena_alloc(m->arena, n, sizeof *column);
    for (size_t j = 0; j < k; j++) {
        if (evaluate_at(m, &m->points, m->constants[j].coefficient, diag, column))
            return -1;
        for (size_t i = 0; i < n; i++)
            m->formula.coefficients[i * k + j] = column[i];
    }
    if (!m->formula.offset)
        return 0;
    m->formula.known = column;
    return evaluate_at(m, &m->points, m->formula.offset, diag, column);
}

static double target(const struct model *m, size_t i)
{
    return m->points.value[i] - (m->formula.known ? m->formula.known[i] : 0);
}

static int too_few(const struct model *m, struct diag *diag)
{
    size_t k = m->nconstants, n = m->points.n;
    if (n >= k)
        return 0;
    TEXT_LOCAL struct text which = text_new();
    for (size_t j = 0; j < m->points.nnames; j++)
        text_printf(&which, "%s%s", j ? ", " : "", m->points.names[j]);
    return diag_error(
        diag,
        "%s has %zu constants but only %zu different point%s (%s): measure at least %zu more, "
        "better "
        "%zu, with different values of these variables",
        m->request.points.experiment->name, k, n, n == 1 ? "" : "s", which.s, k - n, 2 * k + 2 - n);
}

/* The time a point is expected to take, kept near the measured one so that a bad round cannot run
 * away. */
static double expected_time(const struct model *m, size_t i, double fitted)
{
    double measured = fabs(m->points.value[i]);
    double least = fmax(m->points.floor_error[i], m->points.overhead[i]);
    if (measured < least)
        measured = least;
    if (measured == 0)
        measured = m->noise.floor;
    return fmin(fmax(fabs(fitted), measured / FIT_EXPECTED_FACTOR), measured * FIT_EXPECTED_FACTOR);
}

static struct lsq *weighted_system(struct model *m, struct arena *a, const double *expected,
                                   double s)
{
    size_t k = m->structure.ncolumns;
    struct lsq *l = lsq_create(a, k);
    double *row = arena_alloc(a, k, sizeof *row);
    for (size_t i = 0; i < m->points.n; i++) {
        if (m->structure.left_out[i])
            continue;
        double weight = 1 / sqrt(noise_variance(m, i, expected[i], s));
        for (size_t j = 0; j < k; j++)
            row[j] = m->structure.design[i * k + j] * weight;
        lsq_add(l, row, target(m, i) * weight);
    }
    lsq_finish(l);
    return l;
}

/* Drops, in order, each constant whose column follows from the ones before it. */
static void drop_dependent(struct model *m, struct arena *a, const struct lsq *l)
{
    size_t k = m->structure.ncolumns;
    bool *keep = arena_zalloc(a, k, sizeof *keep);
    m->solution.relations = arena_zalloc(m->arena, k * k, sizeof *m->solution.relations);
    m->solution.nrelations = 0;
    for (size_t j = 0; j < k; j++) {
        double *relation = m->solution.relations + m->solution.nrelations * k;
        m->solution.dropped[j] = lsq_dependent(a, l, keep, j, relation);
        keep[j] = !m->solution.dropped[j];
        if (keep[j])
            memset(relation, 0, k * sizeof *relation);
        else
            m->solution.nrelations++;
        /* Rounding leaves traces of columns that take no part. */
        for (size_t i = 0; i < k && !keep[j]; i++)
            if (fabs(relation[i]) * lsq_column_norm(l, i) <
                RELATION_TOLERANCE * lsq_column_norm(l, j))
                relation[i] = 0;
        if (!keep[j])
            relation[j] = -1;
    }
}

/* The columns of exponents, which may be negative; NULL if there are none. */
static const bool *exponent_columns(const struct model *m, struct arena *a)
{
    if (!m->formula.nexponents)
        return NULL;
    bool *list = arena_alloc(a, m->structure.ncolumns, sizeof *list);
    for (size_t j = 0; j < m->structure.ncolumns; j++)
        list[j] = m->constants[m->structure.columns[j].constant].is_exponent;
    return list;
}

static void solve(struct model *m, struct arena *a, const struct lsq *l, bool *active,
                  struct lsq_solution *solution)
{
    size_t k = m->structure.ncolumns;
    bool *keep = arena_alloc(a, k, sizeof *keep);
    for (size_t j = 0; j < k; j++)
        keep[j] = !m->solution.dropped[j];
    if (m->request.nonneg)
        lsq_solve_nonneg(a, l, keep, exponent_columns(m, a), active, solution);
    else {
        memcpy(active, keep, k * sizeof *keep);
        lsq_solve(a, l, keep, solution);
    }
}

/* x NULL: a formula without constants. */
static void compute_fitted(struct model *m, const double *x)
{
    size_t k = x ? m->structure.ncolumns : 0;
    for (size_t i = 0; i < m->points.n; i++) {
        double sum = m->formula.known ? m->formula.known[i] : 0;
        for (size_t j = 0; j < k; j++)
            sum += x[j] * m->structure.design[i * k + j];
        m->solution.fitted[i] = sum;
    }
}

static size_t count_true(const bool *list, size_t n)
{
    size_t count = 0;
    for (size_t j = 0; j < n; j++)
        count += list[j];
    return count;
}

/* Weights, solution, noise, again. Returns the noise the weights used. */
static double iterate(struct model *m, struct arena *a, double *expected, bool *active,
                      struct lsq_solution *solution)
{
    size_t n = m->points.n, k = m->structure.ncolumns;
    double s = FIT_FIRST_NOISE;
    bool growing = !m->weights.growth_decided;
    double *before = arena_zalloc(a, k, sizeof *before);
    for (size_t i = 0; i < n; i++)
        expected[i] = expected_time(m, i, m->points.value[i]);
    ARENA_LOCAL struct arena *round_arena = arena_create();
    for (int round = 0; round < FIT_MOST_ROUNDS && !interrupt_came(); round++) {
        arena_reset(round_arena);
        struct lsq *l = weighted_system(m, round_arena, expected, s);
        if (round == 0)
            drop_dependent(m, round_arena, l);
        struct lsq_solution now;
        solve(m, round_arena, l, active, &now);
        compute_fitted(m, now.x);
        bool settled = round > 0;
        for (size_t j = 0; j < k; j++) {
            settled = settled && fabs(now.x[j] - before[j]) <=
                                     FIT_SETTLED * (fabs(now.x[j]) + fabs(before[j]));
            before[j] = now.x[j];
        }
        size_t unknowns = count_true(active, k);
        if (settled && growing) {
            growing = false;
            settled = !noise_find_growth(m, expected, unknowns);
        }
        if (settled || round + 1 == FIT_MOST_ROUNDS)
            break;
        if (m->structure.used > unknowns) {
            double next = fmax(noise_from_residuals(m, expected, unknowns), LEAST_RELATIVE_NOISE);
            s = fmin(next, 1);
        }
        for (size_t i = 0; i < n; i++)
            expected[i] = expected_time(m, i, m->solution.fitted[i]);
    }
    struct lsq *l = weighted_system(m, a, expected, s);
    solve(m, a, l, active, solution);
    compute_fitted(m, solution->x);
    return s;
}

static void compute_leverage(struct model *m, const double *expected, double s,
                             const double *covariance)
{
    size_t k = m->structure.ncolumns;
    for (size_t i = 0; i < m->points.n; i++) {
        double sum = products_quadratic(m->structure.design + i * k, covariance, k);
        m->solution.leverage[i] = fmin(sum / noise_variance(m, i, expected[i], s), 1);
    }
}

static void compute_errors(struct model *m)
{
    double sum = 0, most = 0, loo = 0;
    size_t counted = 0, left_out = 0;
    for (size_t i = 0; i < m->points.n; i++) {
        double measured = m->points.value[i], residual = measured - m->solution.fitted[i];
        if (measured <= 0 || m->structure.left_out[i])
            continue;
        double error = 100 * fabs(residual) / measured;
        sum += error;
        most = fmax(most, error);
        counted++;
        double room = 1 - m->solution.leverage[i];
        loo += room < LEVERAGE_ROOM ? 0 : error / 100 / room;
        left_out += room >= LEVERAGE_ROOM;
    }
    m->error.mean_pct = counted ? sum / (double)counted : NAN;
    m->error.max_pct = counted ? most : NAN;
    m->error.loo_mean_pct = left_out ? 100 * loo / (double)left_out : NAN;
}

/* The values as pieces of their constants. */
static void make_pieces(struct model *m)
{
    size_t k = m->structure.ncolumns;
    for (size_t c = 0; c < m->nconstants; c++) {
        m->constants[c].npieces = 0;
        m->constants[c].at_bound = true;
        m->constants[c].pieces = arena_zalloc(m->arena, k, sizeof *m->constants[c].pieces);
    }
    for (size_t j = 0; j < k; j++) {
        struct model_constant *c = &m->constants[m->structure.columns[j].constant];
        m->structure.columns[j].fitted = NULL;
        if (m->solution.dropped[j])
            continue;
        c->at_bound = c->at_bound && !m->solution.active[j];
        double variance = m->solution.covariance[j * k + j], se = sqrt(variance),
               t = m->noise.dof > 0 ? noise_quantile(m, variance, m->solution.of_runs[j * k + j])
                                    : NAN;
        struct model_piece *piece = m->structure.columns[j].fitted = &c->pieces[c->npieces++];
        *piece = (struct model_piece){.value = m->solution.value[j],
                                      .standard_error = m->noise.dof > 0 ? se : NAN,
                                      .low = m->solution.value[j] - t * se,
                                      .high = m->solution.value[j] + t * se};
        intervals_bounds(m->arena, m, m->structure.columns[j].piece, piece);
        if (c->is_factor)
            exponents_show_factor(m, c, piece);
    }
}

static void allocate(struct model *m)
{
    size_t n = m->points.n, k = m->structure.ncolumns;
    double **lists[] = {&m->solution.fitted, &m->solution.leverage, &m->weights.variance};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        *lists[i] = arena_zalloc(m->arena, n, sizeof **lists[i]);
    m->solution.dropped = arena_zalloc(m->arena, k, sizeof *m->solution.dropped);
    m->solution.active = arena_zalloc(m->arena, k, sizeof *m->solution.active);
    m->solution.value = arena_zalloc(m->arena, k, sizeof *m->solution.value);
    m->solution.covariance = arena_zalloc(m->arena, k * k, sizeof *m->solution.covariance);
    m->solution.of_runs = arena_zalloc(m->arena, k * k, sizeof *m->solution.of_runs);
}

/* A formula without constants is a given prediction: nothing is fitted, and it is compared with the
 * data. */
static int take_as_given(struct model *m)
{
    double *expected = arena_alloc(m->arena, m->points.n, sizeof *expected);
    compute_fitted(m, NULL);
    for (size_t i = 0; i < m->points.n; i++)
        expected[i] = expected_time(m, i, m->solution.fitted[i]);
    noise_settle(m, expected, fmax(noise_from_residuals(m, expected, 0), LEAST_RELATIVE_NOISE), 0);
    compute_errors(m);
    return 0;
}

/* Constants that are not finite, or whose variances are not, cannot be used. */
static int check_range(const struct model *m, const struct lsq_solution *s, struct diag *diag)
{
    size_t k = m->structure.ncolumns;
    for (size_t j = 0; j < k; j++)
        if (!isfinite(s->x[j]) || !isfinite(s->covariance[j * k + j]))
            return diag_error(
                diag,
                "%s cannot be computed: it or its variance is beyond the range of numbers; "
                "scale its term in the formula",
                m->constants[m->structure.columns[j].constant].name);
    return 0;
}

static int solve_points(struct model *m, struct diag *diag)
{
    size_t k = m->structure.ncolumns;
    allocate(m);
    if (k == 0)
        return take_as_given(m);
    ARENA_LOCAL struct arena *work = arena_create();
    double *expected = arena_alloc(m->arena, m->points.n, sizeof *expected);
    bool *active = m->solution.active;
    struct lsq_solution solution;
    double s = iterate(m, work, expected, active, &solution);
    if (check_range(m, &solution, diag))
        return -1;
    compute_leverage(m, expected, s, solution.covariance);
    double factor = noise_settle(m, expected, s, count_true(active, k));
    for (size_t j = 0; j < k; j++)
        m->solution.value[j] = solution.x[j];
    for (size_t j = 0; j < k * k; j++)
        m->solution.covariance[j] = solution.covariance[j] * factor;
    m->solution.condition = solution.condition;
    m->solution.weakest = arena_alloc(m->arena, k, sizeof *m->solution.weakest);
    memcpy(m->solution.weakest, solution.weakest, k * sizeof *m->solution.weakest);
    compute_errors(m);
    if (!interrupt_came())
        return 0;
    return diag_error(diag, "interrupted");
}

/* With this power of the noise, and no other. */
static int solve_with_growth(struct model *m, double growth, struct diag *diag)
{
    noise_set_floor(m);
    m->noise.growth = growth;
    m->weights.growth_decided = true;
    return solve_points(m, diag);
}

/* Whether a fitted value that counts is not positive although the measured one is. */
static bool below_zero(const struct model *m)
{
    for (size_t i = 0; i < m->points.n; i++)
        if (!m->structure.left_out[i] && m->points.value[i] > 0 && !(m->solution.fitted[i] > 0))
            return true;
    return false;
}

/* Noise that differs with the time moves the weights. Errors of the formula can look like it, and then the fit that follows
 * is worse where it hardly counts: it is used only if the points are hardly farther off than without it. */
static int fit_points(struct model *m, struct diag *diag)
{
    m->weights.growth_decided = false;
    m->noise.growth_refused = 0;
    if (solve_points(m, diag))
        return -1;
    double growth = m->noise.growth, error = m->error.mean_pct;
    bool negative = below_zero(m);
    if (growth == 0 || !isfinite(error))
        return 0;
    if (solve_with_growth(m, 0, diag))
        return -1;
    double plain = m->error.mean_pct;
    m->noise.growth_refused = growth;
    if ((negative && !below_zero(m)) ||
        (error > GROWTH_WORSE * plain && error > plain + GROWTH_WORSE_PERCENT))
        return 0;
    m->noise.growth_refused = 0;
    return solve_with_growth(m, growth, diag);
}

static double relative_error(const struct model *m, size_t i)
{
    return fabs(m->points.value[i] - m->solution.fitted[i]) / fabs(m->points.value[i]);
}

/* Outliers are found before the pieces, by their neighbours: at a corner of the points, all of these may be on the other side
 * of a boundary. So each outlier is compared with the model made without it: if that is off by about as much as at the other
 * points, the point takes part again. */
static bool take_back_outliers(struct model *m)
{
    struct pieces *p = m->structure.pieces;
    size_t n = 0, back = 0;
    if (!p->noutliers || m->structure.used == 0)
        return false;
    ARENA_LOCAL struct arena *work = arena_create();
    double *error = arena_alloc(work, m->points.n, sizeof *error);
    for (size_t i = 0; i < m->points.n; i++)
        if (!p->outlier[i] && m->points.value[i] > 0)
            error[n++] = relative_error(m, i);
    double usual = n ? stats_quantile(error, n, 0.5) : 0;
    for (size_t i = 0; i < m->points.n; i++) {
        if (!p->outlier[i] || (m->structure.excluded && m->structure.excluded[i]) ||
            !(m->points.value[i] > 0) || !(relative_error(m, i) <= OUTLIER_PREDICTED * usual))
            continue;
        p->outlier[i] = false;
        back++;
    }
    p->noutliers -= back;
    m->structure.used += back;
    return back > 0;
}

static int find_and_fit(struct model *m, struct diag *diag)
{
    noise_set_floor(m);
    m->weights.uneven = noise_uneven(m->arena, &m->points);
    m->noise.growth = noise_growth_of_samples(&m->points, &m->noise.typical);
    if (intervals_find(m, diag))
        return -1;
    intervals_expand(m);
    if (fit_points(m, diag))
        return -1;
    return take_back_outliers(m) ? fit_points(m, diag) : 0;
}

/* The search compares structures by faster fits than the last one. Where the error allowed is
 * exceeded by the difference, the search has to stay further below it. */
static int fit_everything(struct model *m, struct diag *diag)
{
    double allowed = m->request.intervals.threshold;
    m->structure.threshold = allowed;
    int status = find_and_fit(m, diag);
    for (int round = 0; round < THRESHOLD_ROUNDS && status == 0 && allowed > 0; round++) {
        size_t before = m->structure.pieces->nboundaries;
        if (!(m->error.mean_pct > 100 * allowed))
            break;
        m->structure.threshold *= 100 * allowed / m->error.mean_pct;
        status = find_and_fit(m, diag);
        if (m->structure.pieces->nboundaries == before)
            break;
    }
    return status;
}

/* What the solution is uncertain by, and its parts as the user sees them. */
static void describe(struct model *m)
{
    runs_include(m, count_true(m->solution.active, m->structure.ncolumns));
    make_pieces(m);
    noise_find_drift(m);
    noise_of_single_runs(m);
    predict_find_reach(m);
    unfilled_find(m);
}

/* Everything after the points. */
static struct model *fit_made_points(struct model *m, struct diag *diag)
{
    if (points_check(&m->points, diag) || take_formula(m, diag) || too_few(m, diag) ||
        make_design(m, diag))
        return NULL;
    if (fit_everything(m, diag))
        return NULL;
    bool moves = exponents_move(m) || choices_move(m);
    for (int round = 0; round < EXPONENT_ROUNDS && moves; round++) {
        if (make_design(m, diag) || fit_everything(m, diag))
            return NULL;
        moves = exponents_move(m) || choices_move(m);
    }
    if (choices_check(m, !moves, diag))
        return NULL;
    describe(m);
    return m;
}

/* A copy to be fitted again, without what was made of the whole model. It shares everything but its constants. */
static struct model *copy_for_refit(struct arena *a, const struct model *m)
{
    struct model *r = arena_alloc(a, 1, sizeof *r);
    *r = *m;
    r->arena = a;
    r->again = true;
    r->resamples = (struct model_resamples){.n = 0};
    r->draws = (struct model_draws){.n = 0};
    r->alternatives = (struct model_alternatives){.n = 0};
    r->undetermined = (struct model_undetermined){.n = 0};
    r->surprises = NULL;
    r->constants = arena_alloc(a, m->nconstants, sizeof *r->constants);
    memcpy(r->constants, m->constants, m->nconstants * sizeof *r->constants);
    return r;
}

static double *copied_values(struct arena *a, const double *values, size_t n)
{
    return memcpy(arena_alloc(a, n, sizeof *values), values, n * sizeof *values);
}

struct model *fit_refit(struct arena *a, const struct model *m, const double *values,
                        const bool *excluded)
{
    struct model *r = copy_for_refit(a, m);
    r->structure.excluded = excluded;
    if (values)
        r->points.value = copied_values(a, values, m->points.n);
    return fit_everything(r, NULL) ? NULL : r;
}

struct model *fit_refit_some(struct arena *a, const struct model *m, const double *values,
                             const bool *keep)
{
    struct model *r = copy_for_refit(a, m);
    struct points all = m->points;
    all.value = copied_values(a, values, all.n);
    points_some(a, &all, keep, &r->points);
    return make_design(r, NULL) || fit_everything(r, NULL) ? NULL : r;
}

struct model *fit_refit_machine(struct arena *a, const struct model *m,
                                const struct formula_machine *machine)
{
    struct model *r = copy_for_refit(a, m);
    r->request.let.machine = r->formula.machine = machine;
    for (size_t j = 0; j < m->nconstants; j++)
        r->constants[j].coefficient = formula_bind(a, m->constants[j].coefficient, machine);
    if (m->formula.offset)
        r->formula.offset = formula_bind(a, m->formula.offset, machine);
    if (make_design(r, NULL))
        return NULL;
    intervals_expand(r);
    return fit_points(r, NULL) ? NULL : r;
}

struct model *fit_model(struct arena *a, const struct fit_request *request, struct diag *diag)
{
    struct model *m = arena_zalloc(a, 1, sizeof *m);
    m->arena = a;
    m->request = *request;
    if (points_make(a, &m->request.points, diag, &m->points))
        return NULL;
    return fit_made_points(m, diag);
}

struct model *fit_model_points(struct arena *a, const struct fit_request *request,
                               const struct points *points, struct diag *diag)
{
    struct model *m = arena_zalloc(a, 1, sizeof *m);
    m->arena = a;
    m->request = *request;
    m->points = *points;
    m->points.request = &m->request.points;
    return fit_made_points(m, diag);
}
