/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Comparing two versions of the code (see check.h). */
#include "model/check.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/check_points.h"
#include "model/fit_internal.h"
#include "numeric/products.h"

/* ---- one side ---- */

/* Whether every run gives the same values: simulated times and counts. */
static bool is_exact(const struct model *m)
{
    if (strcmp(points_unit(&m->request.points), "s") != 0)
        return true;
    for (size_t i = 0; i < m->points.n; i++)
        if (m->points.settings[i].repeats)
            return true;
    return false;
}

static const char *where_text(struct arena *a, const struct model_piece *p)
{
    const char *text = "";
    for (size_t i = 0; i < p->nwhere; i++)
        text =
            arena_printf(a, "%s%s%s", text, i ? " and " : "", model_interval_text(a, &p->where[i]));
    return text;
}

/* How much a change of this column by 1 changes a point at most, as a part of its time. */
static double weight_of(const struct model *m, size_t column)
{
    double most = 0;
    size_t k = m->structure.ncolumns;
    for (size_t i = 0; i < m->points.n; i++)
        if (!m->structure.left_out[i] && m->solution.fitted[i] > 0)
            most = fmax(most, fabs(m->structure.design[i * k + column]) / m->solution.fitted[i]);
    return most;
}

/* The part of whole runs as leaving rounds out shows it, where there are enough; `selection` is what is
 * known of the total otherwise. */
static void set_runs(const struct check_side *s, double selection, struct check_value *v)
{
    if (!s->rounds.n || isnan(v->variance))
        return;
    double rest = fmax(v->variance - v->of_runs, 0);
    const struct rounds_row row = {&s->rounds, v->row, v->times};
    v->of_runs = rounds_variance(&row, NULL);
    v->variance = fmax(rest + v->of_runs, selection);
    v->chance = rounds_chance(s->model, &s->machine, v->row);
}

static void add_constants(struct arena *a, const struct model *m, struct check_side *out)
{
    size_t k = m->structure.ncolumns;
    struct check_constant *list = arena_zalloc(a, m->nconstants + 1, sizeof *list);
    for (size_t j = 0; j < m->nconstants; j++) {
        const struct model_constant *c = &m->constants[j];
        struct check_piece *pieces = arena_zalloc(a, c->npieces + 1, sizeof *pieces);
        list[j] = (struct check_constant){c->name, pieces, 0};
        for (size_t column = 0; column < k; column++) {
            const struct model_piece *fitted = m->structure.columns[column].fitted;
            if (m->structure.columns[column].constant != j || !fitted)
                continue;
            double se = fitted->standard_error, *row = arena_zalloc(a, k, sizeof *row);
            row[column] = 1;
            struct check_piece *piece = &pieces[list[j].npieces++];
            *piece =
                (struct check_piece){.value = {fitted->value, se * se,
                                               m->solution.of_runs[column * k + column], 0, row, 1},
                                     .weight = weight_of(m, column),
                                     .where = where_text(a, fitted),
                                     .nwhere = fitted->nwhere};
            set_runs(out, 0, &piece->value);
        }
    }
    out->constants = list;
    out->nconstants = m->nconstants;
}

static void predict_at(struct arena *a, const struct check_side *s, const struct place *place,
                       struct check_prediction *out)
{
    DIAG_LOCAL struct diag *diag = diag_create();
    struct prediction p;
    const double *row;
    double value;
    *out = (struct check_prediction){.place = *place};
    if (model_predict(a, s->model, place, diag, &p) ||
        predict_row(a, s->model, place, diag, &row, &value)) {
        const char *text = diag_first(diag, SEVERITY_ERROR);
        out->why = arena_strdup(a, text ? text : "it has no value there");
    } else {
        double of_formula =
            p.times * p.times *
            products_quadratic(row, s->model->solution.covariance, s->model->structure.ncolumns);
        out->value = (struct check_value){p.value, p.variance, p.of_runs, 0, row, p.times};
        if (s->rounds.n && p.selection > of_formula) /* it is in the variance */
            out->value.variance += of_formula - p.selection;
        set_runs(s, p.selection, &out->value);
    }
}

void check_side_of_model(struct arena *a, struct model *m, const char *formula,
                         const struct place *places, size_t n, struct check_side *out)
{
    const struct points_request *r = &m->request.points;
    *out = (struct check_side){.experiment = arena_strdup(a, r->experiment->base),
                               .observable = arena_strdup(a, r->observable),
                               .unit = points_unit(r),
                               .formula = arena_strdup(a, formula),
                               .dof = m->noise.dof,
                               .runs_dof = m->noise.runs_dof,
                               .runs = m->points.run ? m->points.nruns : 1,
                               .exact = is_exact(m),
                               .model = m};
    if (!out->exact)
        rounds_make(a, m, NULL, 0, &out->rounds);
    out->machine = rounds_machine(m, NULL);
    if (out->rounds.n)
        out->runs_dof = (double)(out->rounds.n - 1);
    add_constants(a, m, out);
    model_resample(m);
    struct check_prediction *list = arena_zalloc(a, n + 1, sizeof *list);
    for (size_t i = 0; i < n && !interrupt_came(); i++)
        predict_at(a, out, &places[i], &list[i]);
    out->predictions = list;
    out->npredictions = n;
}

/* ---- places ---- */

struct place check_place_of(struct arena *a, const struct model *m, size_t point)
{
    size_t n;
    const char **names = model_variables(a, m, &n);
    double *values = arena_alloc(a, n + 1, sizeof *values);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        size_t column = points_find(&m->points, names[i]);
        if (column == SIZE_MAX)
            continue;
        names[kept] = names[i];
        values[kept++] = m->points.at[column][point];
    }
    return (struct place){names, values, kept};
}

struct ranked {
    double time;
    size_t point;
};

static int compare_times(const void *x, const void *y)
{
    const struct ranked *a = x, *b = y;
    return a->time != b->time ? (a->time > b->time) - (a->time < b->time)
                              : (a->point > b->point) - (a->point < b->point);
}

size_t check_places(struct arena *a, const struct model *m, const struct model *other,
                    struct place places[2])
{
    struct ranked *order = arena_alloc(a, m->points.n + 1, sizeof *order);
    size_t n = 0;
    for (int both = other != NULL; both >= 0 && n == 0; both--)
        for (size_t i = 0; i < m->points.n; i++)
            if (!m->structure.left_out[i] &&
                (!both || points_like(&other->points, 0, &m->points, i) != SIZE_MAX))
                order[n++] = (struct ranked){m->points.value[i], i};
    if (n == 0)
        return 0;
    qsort(order, n, sizeof *order, compare_times);
    places[0] = check_place_of(a, m, order[n - 1].point);
    if (n < 3)
        return 1;
    places[1] = check_place_of(a, m, order[(n - 1) / 2].point);
    return 2;
}

/* ---- rows ---- */

/* A sum of variances, for the degrees of freedom of their sum. */
struct variances {
    double sum, squares; /* squares over degrees of freedom */
};

static void add_variance(struct variances *v, double variance, double dof)
{
    v->sum += variance;
    v->squares += dof > 0 ? variance * variance / dof : 0;
}

/* Few runs show badly how much runs differ: what machines are known for counts as some more of them. */
static void add_runs(struct variances *v, double shown, double dof, double known_dof, double known)
{
    double both = (dof * shown + known_dof * known) / (dof + known_dof);
    if (shown < both)
        add_variance(v, both, dof + known_dof);
    else
        add_variance(v, shown, shown > 0 ? dof + known_dof * known / shown : dof);
}

/* What is known of what runs do to the value of a side; by turns, of what they do to one side only. */
static double known_of_runs(const struct check_side *s, const struct check_value *x)
{
    double runs = s->runs ? (double)s->runs : 1,
           seen = s->turns ? s->machine.within : s->machine.spread,
           spread = runs < 2 ? CHECK_SINGLE_SPREAD : fmax(seen, CHECK_RUN_SPREAD);
    return spread * spread * x->value * x->value / runs;
}

/* The variance of x if the value of each point is off by this part of itself, independently. A run may be
 * slow at some sizes only: that moves a constant which is small beside the times by many times itself. */
static double points_variance(const struct check_side *s, const struct check_value *x,
                              double spread)
{
    const struct model *m = s->model;
    if (!m || !x->row)
        return 0;
    size_t k = m->structure.ncolumns, side = k + 1;
    MEM_LOCAL double *products = mem_zalloc(side * side, sizeof *products),
                     *row = mem_zalloc(side, sizeof *row),
                     *solved = mem_zalloc(side, sizeof *solved);
    for (size_t i = 0; i < m->points.n; i++) {
        if (m->structure.left_out[i] || !(fabs(m->points.value[i]) > 0))
            continue;
        for (size_t c = 0; c < k; c++)
            row[c] = m->structure.design[i * k + c] / fabs(m->points.value[i]);
        products_add(products, side, row);
    }
    for (size_t c = 0; c < k; c++)
        products[c * side + k] = x->row[c];
    products_solve(products, side, true, solved);
    return spread * spread * x->times * x->times * fmax(products_dot(x->row, solved, k), 0);
}

/* What the value of one side may be off by. */
static void add_side(struct variances *v, const struct check_side *s, const struct check_value *x)
{
    double of_runs = fmin(x->of_runs, x->variance);
    add_variance(v, x->variance - of_runs, s->dof);
    if (s->exact)
        add_variance(v, of_runs, s->runs_dof);
    else if (s->runs < 2)
        add_variance(
            v, fmax(fmax(known_of_runs(s, x), of_runs), points_variance(s, x, CHECK_SINGLE_SPREAD)),
            INFINITY);
    else
        add_runs(v, of_runs, s->runs_dof, CHECK_KNOWN_DOF, known_of_runs(s, x));
}

/* The same of both sides, whose rounds were measured by turns. */
static void add_turns(struct variances *v, const struct check_side *before,
                      const struct check_side *after, const struct check_value *x,
                      const struct check_value *y)
{
    add_variance(v, x->variance - fmin(x->of_runs, x->variance), before->dof);
    add_variance(v, y->variance - fmin(y->of_runs, y->variance), after->dof);
    const struct rounds_row rows[2] = {{&before->rounds, x->row, x->times},
                                       {&after->rounds, y->row, y->times}};
    add_runs(v, rounds_variance(&rows[0], &rows[1]), (double)before->rounds.n - 1,
             2 * CHECK_KNOWN_DOF, known_of_runs(before, x) + known_of_runs(after, y));
}

/* The variance of y - x. */
static struct variances of_difference(const struct check_side *before,
                                      const struct check_side *after, const struct check_value *x,
                                      const struct check_value *y)
{
    struct variances v = {0};
    if (before->turns) {
        add_turns(&v, before, after, x, y);
        return v;
    }
    add_side(&v, before, x);
    add_side(&v, after, y);
    if (!before->exact || !after->exact)
        add_variance(&v, CHECK_APART_SPREAD * CHECK_APART_SPREAD * fabs(x->value * y->value),
                     INFINITY);
    return v;
}

/* A value as a multiple of itself: of a difference of two such values, the variance is that of the
 * logarithm of their ratio. */
static struct check_value relative(const struct check_value *x)
{
    struct check_value r = *x;
    r.value = 1;
    r.variance /= x->value * x->value;
    r.of_runs /= x->value * x->value;
    r.times /= x->value;
    return r;
}

/* Why two values cannot be compared; NULL if they can. */
static const char *unknown_noise(const struct check_value *x, const struct check_value *y)
{
    if (isnan(x->variance))
        return "the noise of the old data is not known: measure more points and repetitions";
    if (isnan(y->variance))
        return "the noise of the new data is not known: measure more points and repetitions";
    return NULL;
}

static bool has_few_rounds(const struct check_side *s)
{
    return s->model && !s->exact && s->runs < CHECK_FEWEST_ROUNDS;
}

/* By turns: that they hit this side only. So few rounds do not show how often they come. */
static struct check_phases phases_of(const struct check_side *s, const struct check_value *v)
{
    if (has_few_rounds(s))
        return (struct check_phases){1, fmax(s->machine.times, CHECK_FEW_TIMES)};
    double chance = s->turns ? rounds_chance(s->model, &s->machine, v->row) : v->chance;
    return (struct check_phases){chance, s->machine.times};
}

/* A row without values. */
static struct check_row empty_row(void)
{
    return (struct check_row){.where = "",
                              .before = NAN,
                              .after = NAN,
                              .ratio = NAN,
                              .low = NAN,
                              .high = NAN,
                              .difference_low = NAN,
                              .difference_high = NAN,
                              .standard_error = NAN,
                              .log_error = NAN,
                              .dof = NAN,
                              .verdict = CHECK_CANNOT_TELL};
}

static void fill_row(struct check_row *row, const struct check_side *before,
                     const struct check_side *after, const struct check_value *x,
                     const struct check_value *y)
{
    row->before = x->value;
    row->after = y->value;
    if (x->value > 0 && y->value > 0 && isfinite(y->value / x->value))
        row->ratio = y->value / x->value;
    row->why = unknown_noise(x, y);
    if (row->why)
        return;
    row->phases_before = phases_of(before, x);
    row->phases_after = phases_of(after, y);
    struct variances v = of_difference(before, after, x, y);
    row->standard_error = sqrt(v.sum);
    row->dof = v.squares > 0 ? v.sum * v.sum / v.squares : INFINITY;
    if (isnan(row->ratio))
        return;
    struct check_value rx = relative(x), ry = relative(y);
    v = of_difference(before, after, &rx, &ry);
    row->log_error = sqrt(v.sum);
    row->log_dof = v.squares > 0 ? v.sum * v.sum / v.squares : INFINITY;
}

/* A constant has the same intervals on both sides: the same texts. */
static bool same_pieces(const struct check_constant *x, const struct check_constant *y)
{
    bool same = x->npieces == y->npieces;
    for (size_t i = 0; i < x->npieces && same; i++)
        same = strcmp(x->pieces[i].where, y->pieces[i].where) == 0;
    return same;
}

static void add_constant(struct check_experiment *out, const struct check_side *before,
                         const struct check_side *after, const struct check_constant *x)
{
    const struct check_constant *y =
        TEXT_ELEMENT(after->constants, after->nconstants, name, x->name);
    bool comparable = y && same_pieces(x, y) && x->npieces;
    for (size_t i = 0; i < x->npieces || (i == 0 && !x->npieces); i++) {
        struct check_row *row = &out->rows[out->nrows++];
        *row = empty_row();
        row->constant = x->name;
        if (x->npieces) {
            row->where = x->pieces[i].where;
            row->before = x->pieces[i].value.value;
        }
        if (comparable) {
            fill_row(row, before, after, &x->pieces[i].value, &y->pieces[i].value);
            row->weight = fmax(x->pieces[i].weight, y->pieces[i].weight);
        } else {
            row->why = !y            ? "the new formula does not have it"
                       : !x->npieces ? "the data do not determine it"
                                     : "its intervals differ in the new data";
        }
    }
}

static void add_prediction(struct check_experiment *out, const struct check_side *before,
                           const struct check_side *after, const struct check_prediction *x,
                           const struct check_prediction *y)
{
    struct check_row *row = &out->rows[out->nrows++];
    *row = empty_row();
    row->place = x->place;
    row->why = x->why ? x->why : y->why;
    if (!row->why)
        fill_row(row, before, after, &x->value, &y->value);
}

/* Rounds that were measured by turns are left out of both sides together. */
static bool take_turns(struct arena *a, struct check_side *before, struct check_side *after)
{
    size_t n;
    if (!before->model || !after->model || before->exact || after->exact)
        return false;
    const double *numbers = rounds_by_turns(a, before->model, after->model, &n);
    if (!numbers)
        return false;
    rounds_make(a, before->model, numbers, n, &before->rounds);
    rounds_make(a, after->model, numbers, n, &after->rounds);
    before->machine = rounds_machine(before->model, after->model);
    after->machine = rounds_machine(after->model, before->model);
    before->turns = after->turns = true;
    return true;
}

/* ---- a formula that misfits ---- */

/* The side with the samples of one place alone; false if nothing was measured there. What is known of the
 * machine comes from all places. */
static bool point_side(struct arena *a, const struct check_side *whole, const struct place *place,
                       struct check_side *out)
{
    struct model *m = check_point_model(a, whole->model, place);
    if (!m)
        return false;
    check_side_of_model(a, m, "", NULL, 0, out);
    out->machine = whole->machine;
    return out->nconstants == 1 && out->constants[0].npieces == 1;
}

/* The measured values at the place; false without them. */
static bool add_measured(struct arena *a, struct check_experiment *out,
                         const struct check_side *before, const struct check_side *after,
                         const struct place *place)
{
    struct check_side x, y;
    if (!point_side(a, before, place, &x) || !point_side(a, after, place, &y))
        return false;
    if (take_turns(a, &x, &y)) {
        x.machine = before->machine;
        y.machine = after->machine;
    }
    struct check_value vx = x.constants[0].pieces[0].value, vy = y.constants[0].pieces[0].value;
    if (x.rounds.n)
        vx.chance = rounds_chance(x.model, &x.machine, vx.row);
    if (y.rounds.n)
        vy.chance = rounds_chance(y.model, &y.machine, vy.row);
    struct check_row *row = &out->rows[out->nrows++];
    *row = empty_row();
    row->place = *place;
    row->measured = true;
    fill_row(row, &x, &y, &vx, &vy);
    return true;
}

/* Constants of a formula that misfits mean little; the places are compared by what was measured there. If none
 * of them was measured, others are. */
static void compare_measured(struct arena *a, const struct check_side *before,
                             const struct check_side *after, struct check_experiment *out)
{
    struct place others[2];
    size_t found = 0;
    for (size_t i = 0; i < out->nrows; i++)
        if (!out->rows[i].why)
            out->rows[i].why = check_misfits(after->model)
                                   ? "the formula does not describe the new data"
                                   : "the formula does not describe the old data";
    for (size_t i = 0; i < before->npredictions; i++) {
        const struct place *place = &before->predictions[i].place;
        if (add_measured(a, out, before, after, place)) {
            found++;
            continue;
        }
        struct check_row *row = &out->rows[out->nrows++];
        *row = empty_row();
        row->place = *place;
        row->why = "the formula misfits, and not both versions were measured there";
    }
    size_t n = found ? 0 : check_places(a, before->model, after->model, others);
    for (size_t i = 0; i < n; i++)
        add_measured(a, out, before, after, &others[i]);
}

void check_compare(struct arena *a, const struct check_side *old, const struct check_side *new,
                   struct check_experiment *out)
{
    struct check_side before = *old, after = *new;
    size_t rows = before.npredictions + 3;
    for (size_t i = 0; i < before.nconstants; i++)
        rows += before.constants[i].npieces + 1;
    out->name = before.experiment;
    out->observable = before.observable;
    out->unit = before.unit;
    out->rows = arena_zalloc(a, rows, sizeof *out->rows);
    out->nrows = 0;
    out->turns = take_turns(a, &before, &after);
    for (size_t i = 0; i < before.nconstants; i++)
        add_constant(out, &before, &after, &before.constants[i]);
    if (before.model && after.model &&
        (check_misfits(before.model) || check_misfits(after.model))) {
        compare_measured(a, &before, &after, out);
        return;
    }
    for (size_t i = 0; i < before.npredictions && i < after.npredictions; i++)
        add_prediction(out, &before, &after, &before.predictions[i], &after.predictions[i]);
}
