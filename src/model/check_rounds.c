/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What whole rounds do to a fit (see check_rounds.h). */
#include "model/check_rounds.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/fit_internal.h"
#include "numeric/random.h"

/* ---- which rounds ---- */

/* With few rounds each one is left out in turn; with many, a third of them is drawn. */
static size_t kept_of(size_t n)
{
    return n < CHECK_MANY_ROUNDS ? n - 1 : (2 * n + 2) / 3;
}

static void draw_subset(size_t n, size_t index, struct random *random, size_t *order, bool *use)
{
    size_t left_out = n - kept_of(n);
    for (size_t i = 0; i < n; i++) {
        use[i] = true;
        order[i] = i;
    }
    if (n < CHECK_MANY_ROUNDS) {
        use[index] = false;
        return;
    }
    for (size_t i = 0; i < left_out; i++) {
        size_t k = i + random_below(random, n - i);
        size_t other = order[k];
        order[k] = order[i];
        order[i] = other;
        use[other] = false;
    }
}

/* ---- rounds of two versions ---- */

static const struct points_run *run_numbered(const struct points *p, double number)
{
    for (size_t r = 0; r < p->nruns; r++)
        if (p->runs[r].number == number)
            return &p->runs[r];
    return NULL;
}

static const double *common_numbers(struct arena *a, const struct points *p, const struct points *q,
                                    size_t *n)
{
    double *list = arena_alloc(a, p->nruns + 1, sizeof *list);
    *n = 0;
    for (size_t r = 0; r < p->nruns; r++) {
        bool known = !run_numbered(q, p->runs[r].number);
        for (size_t i = 0; i < *n; i++)
            known = known || list[i] == p->runs[r].number;
        if (!known)
            list[(*n)++] = p->runs[r].number;
    }
    stats_sort(list, *n);
    return list;
}

/* What all files of the samples say about turns; "" if they say nothing, or differ. */
static const char *turns_of(const struct model *m)
{
    const struct points_request *r = &m->request.points;
    const char *text = NULL;
    for (size_t i = 0; i < m->points.nruns; i++) {
        const char *here = r->dataset->files[m->points.runs[i].file].turns;
        if (!here || (text && strcmp(text, here) != 0))
            return "";
        text = here;
    }
    return text ? text : "";
}

static const char *date_of(const struct model *m, double number)
{
    const struct points_run *run = run_numbered(&m->points, number);
    const char *date = run ? m->request.points.dataset->files[run->file].date : NULL;
    return date ? date : "";
}

/* Dates are texts of one form: their order is that of the texts. A file of several runs has one date, so
 * it does not tell. */
static bool dates_take_turns(const struct model *m, const struct model *other,
                             const double *numbers, size_t n)
{
    const char *last = "";
    for (size_t i = 0; i < n; i++) {
        const char *x = date_of(m, numbers[i]), *y = date_of(other, numbers[i]);
        const char *first = strcmp(x, y) < 0 ? x : y;
        if (!*first || strcmp(last, first) > 0)
            return false;
        last = first == x ? y : x;
    }
    return n > 1 && strcmp(date_of(m, numbers[0]), date_of(m, numbers[n - 1])) != 0;
}

const double *rounds_by_turns(struct arena *a, const struct model *m, const struct model *other,
                              size_t *n)
{
    const struct points *p = &m->points, *q = &other->points;
    if (!p->run || !q->run)
        return NULL;
    const char *turns = turns_of(m);
    const double *numbers = common_numbers(a, p, q, n);
    size_t most = p->nruns > q->nruns ? p->nruns : q->nruns;
    bool said = *turns && strcmp(turns, turns_of(other)) == 0;
    if (*n < CHECK_FEWEST_ROUNDS ||
        (!said && (*n < most || !dates_take_turns(m, other, numbers, *n))))
        return NULL;
    return numbers;
}

/* ---- the fit without some of them ---- */

struct mover {
    const struct model *m;
    size_t *group; /* per run; SIZE_MAX: never left out */
    double *all;   /* per point: the statistic of all its samples */
    double *scratch, *sum;
};

static double statistic_of(const struct mover *w, size_t i, const bool *use)
{
    const struct points *p = &w->m->points;
    size_t n = 0;
    for (size_t k = p->first_sample[i]; k < p->first_sample[i + 1]; k++) {
        size_t group = w->group[p->run[k]];
        if (!use || group == SIZE_MAX || use[group])
            w->scratch[n++] = p->sample[k];
    }
    return n ? points_statistic(p, i, w->scratch, NULL, n).value : NAN;
}

/* Where the columns move to: the least-squares solution is linear in the values of the points. */
static void move(const struct mover *w, const bool *use, double *shift)
{
    const struct model *m = w->m;
    size_t k = m->structure.ncolumns;
    memset(w->sum, 0, k * sizeof *w->sum);
    for (size_t i = 0; i < m->points.n; i++) {
        if (m->structure.left_out[i] || !(m->weights.variance[i] > 0))
            continue;
        double moved = statistic_of(w, i, use) - w->all[i];
        if (!isfinite(moved))
            continue;
        for (size_t j = 0; j < k; j++)
            w->sum[j] += m->structure.design[i * k + j] * moved / m->weights.variance[i];
    }
    for (size_t i = 0; i < k; i++) {
        shift[i] = 0;
        for (size_t j = 0; j < k; j++)
            shift[i] +=
                (m->solution.covariance[i * k + j] - m->solution.of_runs[i * k + j]) * w->sum[j];
    }
}

static void group_runs(struct mover *w, const double *numbers, size_t n)
{
    const struct points *p = &w->m->points;
    for (size_t r = 0; r < p->nruns; r++) {
        w->group[r] = numbers ? SIZE_MAX : r;
        for (size_t i = 0; numbers && i < n; i++)
            if (p->runs[r].number == numbers[i])
                w->group[r] = i;
    }
}

void rounds_make(struct arena *a, const struct model *m, const double *numbers, size_t n,
                 struct check_rounds *out)
{
    const struct points *p = &m->points;
    size_t k = m->structure.ncolumns;
    n = numbers ? n : p->run ? p->nruns : 0;
    *out = (struct check_rounds){.numbers = numbers, .ncolumns = k};
    if (!p->run || n < CHECK_FEWEST_ROUNDS)
        return;
    out->n = n;
    out->nsubsets = n < CHECK_MANY_ROUNDS ? n : CHECK_SUBSETS;
    out->factor = (double)kept_of(n) / (double)(n - kept_of(n));
    out->shifts = arena_alloc(a, out->nsubsets * k + 1, sizeof *out->shifts);
    ARENA_LOCAL struct arena *own = arena_create();
    struct mover w = {.m = m,
                      .group = arena_alloc(own, p->nruns, sizeof *w.group),
                      .all = arena_alloc(own, p->n, sizeof *w.all),
                      .scratch = arena_alloc(own, p->first_sample[p->n] + 1, sizeof *w.scratch),
                      .sum = arena_alloc(own, k + 1, sizeof *w.sum)};
    size_t *order = arena_alloc(own, n, sizeof *order);
    bool *use = arena_alloc(own, n, sizeof *use);
    struct random random = {RESAMPLE_SEED};
    group_runs(&w, numbers, n);
    for (size_t i = 0; i < p->n; i++)
        w.all[i] = statistic_of(&w, i, NULL);
    for (size_t s = 0; s < out->nsubsets; s++) {
        draw_subset(n, s, &random, order, use);
        move(&w, use, out->shifts + s * k);
    }
}

static double shift_of(const struct rounds_row *x, size_t subset)
{
    double sum = 0;
    for (size_t j = 0; j < x->rounds->ncolumns; j++)
        sum += x->row[j] * x->rounds->shifts[subset * x->rounds->ncolumns + j];
    return x->times * sum;
}

double rounds_variance(const struct rounds_row *x, const struct rounds_row *y)
{
    double sum = 0, squares = 0, n = (double)x->rounds->nsubsets;
    for (size_t s = 0; s < x->rounds->nsubsets; s++) {
        double shift = shift_of(x, s) - (y ? shift_of(y, s) : 0);
        sum += shift;
        squares += shift * shift;
    }
    return n > 0 ? x->rounds->factor * fmax(squares - sum * sum / n, 0) / n : 0;
}

/* ---- the machine ---- */

/* The distance of the median from a low quantile, as a standard deviation: slow phases hardly move both.
 * The typical one of the points; `off` is what is to be subtracted for each run. */
static double spread_of(const struct points *p, const double *off, double *scratch, double *list)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++) {
        size_t count = 0;
        for (size_t k = p->first_sample[i]; k < p->first_sample[i + 1]; k++)
            if (p->sample[k] > 0 && p->value[i] > 0)
                scratch[count++] = log(p->sample[k] / p->value[i]) - off[p->run[k]];
        stats_sort(scratch, count);
        if (count > 1)
            list[n++] = stats_sorted_quantile(scratch, count, 0.5) -
                        stats_sorted_quantile(scratch, count, POINT_QUANTILE);
    }
    return n ? stats_quantile(list, n, 0.5) / CHECK_QUANTILE_DISTANCE : 0;
}

/* By how much each run is slower than others; a low quantile, because of slow phases. */
static void find_runs(const struct points *p, double *off, double *scratch)
{
    for (size_t r = 0; r < p->nruns; r++) {
        size_t n = 0;
        for (size_t i = 0; i < p->n; i++)
            for (size_t k = p->first_sample[i]; k < p->first_sample[i + 1]; k++)
                if (p->run[k] == r && p->sample[k] > 0 && p->value[i] > 0)
                    scratch[n++] = log(p->sample[k] / p->value[i]);
        off[r] = n ? stats_quantile(scratch, n, CHECK_RUN_QUANTILE) : 0;
    }
}

static void find_spreads(const struct points *p, struct arena *a, struct check_machine *out)
{
    double *off = arena_zalloc(a, p->nruns, sizeof *off),
           *scratch = arena_alloc(a, p->first_sample[p->n] + 1, sizeof *scratch),
           *list = arena_alloc(a, p->n + 1, sizeof *list);
    out->spread = spread_of(p, off, scratch, list);
    find_runs(p, off, scratch);
    out->within = spread_of(p, off, scratch, list);
}

/* The shortest sample of each run at point i, relative to its value; nan for runs without one. */
static void shortest(const struct points *p, size_t i, double *of_run)
{
    for (size_t r = 0; r < p->nruns; r++)
        of_run[r] = NAN;
    for (size_t k = p->first_sample[i]; k < p->first_sample[i + 1]; k++)
        of_run[p->run[k]] = fmin(of_run[p->run[k]], p->sample[k] / p->value[i]);
}

/* Only rounds count in which the other version is not in a slow phase at this point. */
static void leave_out_common(const struct points *p, size_t i, const struct points *q,
                             double *of_run, double *of_other)
{
    size_t k = points_like(q, 0, p, i);
    while (k != SIZE_MAX && !(q->value[k] > 0))
        k = points_like(q, k + 1, p, i);
    if (k == SIZE_MAX)
        return;
    shortest(q, k, of_other);
    for (size_t r = 0; r < p->nruns; r++) {
        const struct points_run *run = run_numbered(q, p->runs[r].number);
        double other = run ? of_other[run - q->runs] : NAN;
        if (other > CHECK_SLOW)
            of_run[r] = NAN;
    }
}

struct check_machine rounds_machine(const struct model *m, const struct model *other)
{
    const struct points *p = &m->points;
    struct check_machine out = {.times = CHECK_SLOW_TIMES};
    if (!p->run)
        return out;
    ARENA_LOCAL struct arena *a = arena_create();
    double *of_run = arena_alloc(a, p->nruns, sizeof *of_run), cells = 0, slow = 0, pairs = 0,
           stays = 0, *of_other = arena_alloc(a, other ? other->points.nruns : 1, sizeof *of_other);
    bool *was = arena_zalloc(a, p->nruns, sizeof *was);
    for (size_t i = 0; i < p->n; i++) {
        if (m->structure.left_out[i] || !(p->value[i] > 0))
            continue;
        shortest(p, i, of_run);
        if (other)
            leave_out_common(p, i, &other->points, of_run, of_other);
        for (size_t r = 0; r < p->nruns; r++) {
            bool is = of_run[r] > CHECK_SLOW;
            if (isnan(of_run[r]))
                continue;
            cells++;
            slow += is;
            pairs += was[r];
            stays += was[r] && is;
            was[r] = is;
            out.times = is ? fmax(out.times, of_run[r]) : out.times;
        }
    }
    out.slow = (slow + 0.5) / (cells + 1);
    out.stays = (stays + 1) / (pairs + 1.25);
    find_spreads(p, a, &out);
    return out;
}

/* How much the row follows the value of point i, as a part of that value. */
static double influence(const struct model *m, const double *row, size_t i)
{
    size_t k = m->structure.ncolumns;
    double sum = 0;
    if (m->structure.left_out[i] || !(m->weights.variance[i] > 0))
        return 0;
    for (size_t x = 0; x < k; x++)
        for (size_t y = 0; y < k && row[x] != 0; y++)
            sum += row[x] * (m->solution.covariance[x * k + y] - m->solution.of_runs[x * k + y]) *
                   m->structure.design[i * k + y];
    return fabs(sum * m->points.value[i] / m->weights.variance[i]);
}

double rounds_chance(const struct model *m, const struct check_machine *machine, const double *row)
{
    const struct points *p = &m->points;
    double sum = 0, squares = 0, runs = 0;
    if (!p->run)
        return 0;
    MEM_LOCAL bool *seen = mem_zalloc(p->nruns, sizeof *seen);
    for (size_t i = 0; i < p->n; i++) {
        double h = influence(m, row, i);
        sum += h;
        squares += h * h;
        runs += h * (double)runs_of_point(p, i, seen);
    }
    if (!(squares > 0))
        return 0;
    return pow(machine->slow * pow(machine->stays, sum * sum / squares - 1), runs / sum);
}
