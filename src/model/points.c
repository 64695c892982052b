/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From samples to points in passes over the columns:
 *   filter   the conditions, block by block, into a byte per row
 *   group    each row's tuple of values to a number, by a hash table (a row like the one before it
 * is free)
 *   rounds   the first executions of each group in each run, where the user leaves them out
 *   disturbed  samples that were preempted are left out
 *   first    first executions that differ are left out
 *   ranks    when there are several: one value for each execution (file, run, thread, seq)
 *   collect  the values of each group side by side (counting sort), then the statistic
 * Columns that never vary take no part in the hash.
 */
#include "model/points.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/misprint.h"
#include "base/number.h"
#include "base/sort.h"
#include "base/text.h"
#include "data/nesting.h"
#include "model/disturbed.h"
#include "model/first.h"
#include "model/observe.h"
#include "model/ranks.h"
#include "model/rows.h"

static bool same_tuple(const struct grouping *g, size_t a, size_t b)
{
    for (size_t j = 0; j < g->nvarying; j++)
        if (rows_bits(g->varying[j]->values[a]) != rows_bits(g->varying[j]->values[b]))
            return false;
    return true;
}

static uint32_t find_group(struct grouping *g, size_t row)
{
    for (size_t j = 0; j < g->nvarying; j++)
        g->tuple[j] = g->varying[j]->values[row] + 0.0; /* -0 and 0 are one value */
    uint32_t group = tuples_number(&g->tuples, g->tuple);
    if (group == g->ngroups)
        MEM_ADD(g->first, g->ngroups, &g->capacity, row);
    return group;
}

static int group_rows(struct grouping *g, const struct column *observable, struct points *out)
{
    size_t before = SIZE_MAX;
    uint32_t group = 0; /* of the row before */
    bool rare = disturbed_is_rare(g->e, out->request->observable);
    for (size_t row = 0; row < g->e->nrows; row++) {
        g->group[row] = UINT32_MAX;
        if ((row & 0xfffff) == 0 && interrupt_came())
            return -1;
        if (!g->keep[row])
            continue;
        out->rows++;
        bool missing = !isfinite(column_at(observable, row));
        out->missing += missing;
        if (missing && !rare)
            continue;
        if (before == SIZE_MAX || !same_tuple(g, before, row))
            group = find_group(g, row);
        g->group[row] = group | (missing ? ROWS_MISSING : 0);
        before = row;
    }
    if (rare && g->ngroups)
        rows_drop_rare(g);
    return 0;
}

/* Order of points: by the first variable, then the next ... */
static int by_tuple(const void *x, const void *y, void *context)
{
    const struct grouping *g = context;
    size_t a = g->first[*(const uint32_t *)x], b = g->first[*(const uint32_t *)y];
    for (size_t j = 0; j < g->nkeys; j++) {
        int compared = stats_compare(column_at(g->keys[j], a), column_at(g->keys[j], b));
        if (compared)
            return compared;
    }
    return a < b ? -1 : a > b;
}

static void sort_groups(struct grouping *g)
{
    MEM_LOCAL uint32_t *order = mem_alloc(g->ngroups, sizeof *order),
                       *rank = mem_alloc(g->ngroups, sizeof *rank);
    MEM_LOCAL size_t *first = mem_alloc(g->ngroups, sizeof *first);
    for (size_t i = 0; i < g->ngroups; i++)
        order[i] = (uint32_t)i;
    sort_with(order, g->ngroups, sizeof *order, by_tuple, g);
    for (size_t i = 0; i < g->ngroups; i++) {
        rank[order[i]] = (uint32_t)i;
        first[i] = g->first[order[i]];
    }
    for (size_t row = 0; row < g->e->nrows; row++)
        if (g->group[row] != UINT32_MAX)
            g->group[row] = rank[g->group[row]];
    memcpy(g->first, first, g->ngroups * sizeof *first);
}

/* Keeps the rows of one rank. */
static int choose_rank(struct grouping *g, double rank, struct diag *diag)
{
    const struct column *c = &g->e->columns[FIELD_RANK];
    double low = INFINITY, high = -INFINITY;
    bool any = false;
    for (size_t row = 0; row < g->e->nrows; row++) {
        double at = column_at(c, row);
        low = fmin(low, at), high = fmax(high, at);
        g->keep[row] &= at == rank;
        any = any || at == rank;
    }
    if (any || g->e->nrows == 0)
        return 0;
    return diag_error(
        diag,
        "%s has no sample of rank %.0f: its ranks are %.0f to %.0f; 'ranks max' takes the "
        "slowest of all",
        g->e->name, rank, low, high);
}

/* Groups the rows; where rounds are left out, once more without them. */
static int choose_and_group(struct grouping *g, const struct column *observable, struct diag *diag,
                            struct points *out)
{
    const struct points_request *r = out->request;
    if (r->ranks == RANKS_ONE && choose_rank(g, r->rank, diag))
        return -1;
    if (group_rows(g, observable, out))
        return -1;
    if (!r->skip_rounds || !g->ngroups)
        return 0;
    out->skipped = first_skip(g, r->skip_rounds);
    tuples_free(&g->tuples);
    g->ngroups = out->rows = out->missing = 0;
    if (group_rows(g, observable, out))
        return -1;
    if (g->ngroups)
        return 0;
    return diag_error(
        diag,
        "no sample of %s is left: no point was executed more than %zu time%s in a run; "
        "'rounds all' takes all of them",
        g->e->name, r->skip_rounds, r->skip_rounds == 1 ? "" : "s");
}

/* Values per row, overhead subtracted. */
static void row_values(const struct points_request *request, const struct column *observable,
                       const uint32_t *group, double *values)
{
    const struct experiment *e = request->experiment;
    bool clock = strcmp(request->observable, "CLOCK") == 0;
    for (size_t s = 0; s < e->nsegments; s++) {
        size_t begin = e->segments[s].first_row;
        size_t end = s + 1 < e->nsegments ? e->segments[s + 1].first_row : e->nrows;
        const struct data_file *f = &request->dataset->files[e->segments[s].file];
        for (size_t row = begin; row < end; row++) {
            if (group[row] == UINT32_MAX)
                continue;
            double nested = column_at(&e->columns[FIELD_NESTED], row);
            values[row] =
                column_at(observable, row) - (clock ? data_file_correction(f, nested) : 0);
        }
    }
}

/* The uncertainty of a point from clock and overhead: taken from the first file of the group.
 */
static void point_floor(const struct points_request *request, size_t first_row, struct points *out,
                        size_t i)
{
    const struct experiment *e = request->experiment;
    size_t hint = 0;
    const struct data_file *f =
        &request->dataset->files[experiment_segment(e, first_row, &hint)->file];
    bool clock = strcmp(request->observable, "CLOCK") == 0;
    bool self = strcmp(request->observable, DATA_SELF) == 0 && nesting_applies(e);
    bool seconds = strcmp(observe_unit(request->observable), "s") == 0;
    bool subtracted = (clock || self) && !points_is_spread(request);
    double pairs = 1 + column_at(&e->columns[FIELD_NESTED], first_row);
    if (self)
        pairs = 1 + nesting_of(request->dataset, e)->direct[first_row];
    double spread = subtracted ? f->overhead_spread * pairs : 0;
    double resolution = seconds ? f->resolution : 0;
    out->overhead[i] = subtracted ? f->overhead * pairs : 0;
    out->nested[i] = pairs - 1;
    out->floor_error[i] = sqrt(resolution * resolution + spread * spread);
}

struct stats_value points_statistic(const struct points *p, size_t i, double *v, double *weight,
                                    size_t n)
{
    return p->level ? stats_at(p->level[i], v, weight, n)
                    : stats_point(p->request->statistic, v, weight, n);
}

double points_quantile(const struct points *p, size_t i)
{
    return p->level ? p->level[i] : stats_level(p->request->statistic);
}

bool points_is_below(double value, double overhead, int times)
{
    return value < (times - 1) * overhead;
}

static void make_point(double *v, double *weight, size_t n, struct points *out, size_t i)
{
    bool weighted = false;
    for (size_t k = 1; k < n && weight && !weighted; k++)
        weighted = weight[k] != weight[0];
    size_t step = (n + POINTS_KEPT - 1) / POINTS_KEPT, kept = 0;
    double *sample = out->kept + out->first_kept[i];
    for (size_t k = 0; k < n; k += step)
        sample[kept++] = v[k];
    out->first_kept[i + 1] = out->first_kept[i] + kept;
    stats_sort(sample, kept);
    out->modes[i] = stats_two_modes(sample, kept);
    out->spread[i] = stats_spread(v, weighted ? weight : NULL, n);
    struct stats_value s = points_statistic(out, i, v, weighted ? weight : NULL, n);
    out->value[i] = s.value;
    out->standard_error[i] = s.standard_error;
    out->count[i] = n;
}

size_t points_rounds(const struct points *p)
{
    size_t most = 0;
    MEM_LOCAL size_t *seen = mem_zalloc(p->nruns + 1, sizeof *seen); /* 1 + the last point */
    for (size_t i = 0; p->run && i < p->n; i++) {
        size_t runs = 0;
        for (size_t k = p->first_sample[i]; k < p->first_sample[i + 1]; k++) {
            runs += seen[p->run[k]] != i + 1;
            seen[p->run[k]] = i + 1;
        }
        most = runs > most ? runs : most;
    }
    return most;
}

/* When the runs began. A file of several runs has one date, which does not tell. */
static void set_times(struct points_run *runs, const struct data_file *files,
                      const struct points *p, size_t samples)
{
    size_t most = 0;
    for (size_t r = 0; r < p->nruns; r++)
        most = runs[r].file > most ? runs[r].file : most;
    MEM_LOCAL unsigned char *of_file = mem_zalloc(most + 1, sizeof *of_file);
    for (size_t r = 0; r < p->nruns; r++)
        of_file[runs[r].file] += of_file[runs[r].file] < 2;
    for (size_t r = 0; r < p->nruns; r++)
        runs[r].time = INFINITY;
    for (size_t i = 0; i < samples; i++)
        runs[p->run[i]].time = fmin(runs[p->run[i]].time, p->start[i]);
    for (size_t r = 0; r < p->nruns; r++) {
        runs[r].time += data_file_time(&files[runs[r].file]);
        if (of_file[runs[r].file] > 1 || !isfinite(runs[r].time))
            runs[r].time = NAN;
    }
}

/* Which run each sample comes from; next[] holds the end of each group in v, as collect leaves it.
 */
static void collect_runs(struct arena *a, const struct grouping *g, const struct data_file *files,
                         const double *v, const size_t *next, struct points *out)
{
    size_t total = next[g->ngroups - 1], hint = 0;
    struct tuples numbers = {.width = 2};
    MEM_LOCAL size_t *at = mem_alloc(g->ngroups, sizeof *at);
    out->sample = arena_alloc(a, total, sizeof *out->sample);
    out->start = arena_alloc(a, total, sizeof *out->start);
    out->run = arena_alloc(a, total, sizeof *out->run);
    out->first_sample = arena_zalloc(a, g->ngroups + 1, sizeof *out->first_sample);
    for (size_t i = 0; i < g->ngroups; i++) {
        at[i] = out->first_sample[i] = i ? next[i - 1] : 0;
        out->first_sample[i + 1] = next[i];
    }
    memcpy(out->sample, v, total * sizeof *v);
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (g->group[row] == UINT32_MAX)
            continue;
        size_t k = at[g->group[row]]++;
        out->start[k] = column_at(&g->e->columns[FIELD_START], row);
        size_t file = files[experiment_segment(g->e, row, &hint)->file].first;
        double run[] = {(double)file, column_at(&g->e->columns[FIELD_RUN], row)};
        out->run[k] = tuples_number(&numbers, run);
    }
    struct points_run *runs = arena_alloc(a, numbers.n + 1, sizeof *runs);
    for (size_t i = 0; i < numbers.n; i++)
        runs[i] = (struct points_run){(size_t)numbers.list[2 * i], numbers.list[2 * i + 1], NAN};
    out->runs = runs;
    out->nruns = numbers.n;
    set_times(runs, files, out, total);
    tuples_free(&numbers);
}

static int collect(struct arena *a, struct grouping *g, const struct points_request *request,
                   const double *values, struct points *out)
{
    const struct column *counts = &request->experiment->columns[FIELD_COUNT];
    size_t n = g->ngroups, total = 0;
    MEM_LOCAL size_t *next = mem_zalloc(n + 1, sizeof *next);
    for (size_t row = 0; row < g->e->nrows; row++)
        if (g->group[row] != UINT32_MAX)
            next[g->group[row] + 1]++, total++;
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        kept += next[i + 1] < POINTS_KEPT ? next[i + 1] : POINTS_KEPT;
        next[i + 1] += next[i];
    }
    MEM_LOCAL double *v = mem_alloc(total, sizeof *v),
                     *weight = counts->values ? mem_alloc(total, sizeof *v) : NULL;
    for (size_t row = 0; row < g->e->nrows; row++) {
        if (g->group[row] == UINT32_MAX)
            continue;
        size_t at = next[g->group[row]]++;
        v[at] = values[row];
        if (weight)
            weight[at] = counts->values[row];
    }
    if (total > 0 && total <= POINTS_WITH_RUNS)
        collect_runs(a, g, request->dataset->files, v, next, out);
    out->kept = arena_alloc(a, kept ? kept : 1, sizeof *out->kept);
    out->first_kept[0] = 0;
    for (size_t i = 0; i < n && !interrupt_came(); i++) {
        size_t begin = i ? next[i - 1] : 0; /* next[i] is the end of group i now */
        make_point(v + begin, weight ? weight + begin : NULL, next[i] - begin, out, i);
        point_floor(request, g->first[i], out, i);
        for (size_t j = 0; j < g->nkeys; j++)
            out->at[j][i] = column_at(g->keys[j], g->first[i]) + 0.0;
    }
    out->samples = total;
    return interrupt_came() ? -1 : 0;
}

static void choose_keys(struct arena *a, const struct experiment *e, struct grouping *g,
                        struct points *out)
{
    size_t most = e->nvariables + 1;
    g->keys = arena_alloc(a, most, sizeof *g->keys);
    g->varying = arena_alloc(a, most, sizeof *g->varying);
    out->names = arena_alloc(a, most, sizeof *out->names);
    for (size_t i = 0; i < e->nvariables; i++)
        g->keys[g->nkeys++] = experiment_variable(e, i);
    if (experiment_find_variable(e, "P") == SIZE_MAX)
        g->keys[g->nkeys++] = &e->columns[FIELD_P];
    for (size_t j = 0; j < g->nkeys; j++) {
        out->names[j] = g->keys[j]->name;
        if (g->keys[j]->values)
            g->varying[g->nvarying++] = g->keys[j];
    }
    g->tuples.width = g->nvarying ? g->nvarying : 1;
    g->tuple = arena_zalloc(a, g->tuples.width, sizeof *g->tuple);
    out->nnames = g->nkeys;
}

static void allocate_points(struct arena *a, struct points *out, size_t n)
{
    out->n = n;
    out->at = arena_alloc(a, out->nnames, sizeof *out->at);
    for (size_t j = 0; j < out->nnames; j++)
        out->at[j] = arena_alloc(a, n, sizeof **out->at);
    double **lists[] = {&out->value, &out->standard_error, &out->floor_error, &out->overhead,
                        &out->nested};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++)
        *lists[k] = arena_zalloc(a, n, sizeof **lists[k]);
    out->count = arena_zalloc(a, n, sizeof *out->count);
    out->modes = arena_zalloc(a, n, sizeof *out->modes);
    out->spread = arena_zalloc(a, n, sizeof *out->spread);
    out->first_kept = arena_zalloc(a, n + 1, sizeof *out->first_kept);
}

/* Leaves out preempted samples, and first executions of times. */
static void leave_out(struct grouping *g, const struct points_request *request, double *values,
                      struct points_account *account)
{
    bool first = !request->keep_first && !request->skip_rounds &&
                 g->e->nrows <= FIRST_MOST_SAMPLES &&
                 strcmp(observe_unit(request->observable), "s") == 0;
    MEM_LOCAL unsigned char *marks = first ? first_find(g) : NULL;
    disturbed_leave(g, request, values, account);
    if (first)
        first_leave(g, request, marks, values, account);
}

/* What the samples are prepared by: an observable that is computed from CLOCK as CLOCK itself. */
static struct points_request prepared_request(const struct points_request *request,
                                              const struct observed *o)
{
    struct points_request r = *request;
    if (o->of_clock)
        r.observable = "CLOCK";
    return r;
}

/* Leaves out what is to be left out, and unites the ranks. */
static void prepare_values(struct arena *a, struct grouping *g, const struct points_request *r,
                           const struct column *observable, double *values, struct points *out)
{
    const struct experiment *e = g->e;
    row_values(r, observable, g->group, values);
    rows_settings(a, g, out);
    leave_out(g, r, values, &out->account);
    out->ranks = e->columns[FIELD_RANK].values != NULL;
    bool is_time = strcmp(observe_unit(r->observable), "s") == 0 && !points_is_spread(r);
    if (out->ranks && r->ranks == RANKS_AUTO && is_time)
        ranks_choose(a, g, values, out);
    else if (out->ranks && r->ranks != RANKS_ONE)
        ranks_unite(g, r->ranks == RANKS_AUTO ? RANKS_MAX : r->ranks, values);
}

/* A computed observable in place of the CLOCK that was prepared. Values that fall as CLOCK grows have
 * their statistic at the other end. */
static void finish_computed(struct arena *a, const struct observed *o, struct grouping *g,
                            double *values, struct points *out)
{
    double level = stats_level(out->request->statistic);
    if (!o->of_clock)
        return;
    observe_finish(o, g, values);
    out->by_rank = (struct points_ranks){.how = RANKS_UNITED};
    if (!o->falls || isnan(level))
        return;
    out->falls = true;
    bool by_rank = out->level != NULL;
    out->level = by_rank ? out->level : arena_alloc(a, g->ngroups, sizeof *out->level);
    for (size_t i = 0; i < g->ngroups; i++)
        out->level[i] = 1 - (by_rank ? out->level[i] : level);
}

/* One sample has no spread. */
static void leave_lone(struct arena *a, struct points *p)
{
    size_t lone = 0;
    if (!points_is_spread(p->request))
        return;
    MEM_LOCAL bool *keep = mem_alloc(p->n + 1, sizeof *keep);
    for (size_t i = 0; i < p->n; i++)
        lone += !(keep[i] = p->count[i] > 1);
    p->account.lone = lone;
    if (!lone)
        return;
    struct points all = *p;
    points_some(a, &all, keep, p);
}

int points_make(struct arena *a, const struct points_request *request, struct diag *diag,
                struct points *out)
{
    const struct experiment *e = request->experiment;
    struct observed o;
    size_t skipped = 0;
    memset(out, 0, sizeof *out);
    out->request = request;
    if (observe_begin(a, request, diag, &o))
        return -1;
    struct points_request prepared = prepared_request(request, &o);
    struct grouping g = {.e = e, .files = request->dataset->files};
    choose_keys(a, e, &g, out);
    g.keep = mem_alloc(e->nrows + 1, 1);
    g.group = mem_alloc(e->nrows + 1, sizeof *g.group);
    double *values = NULL;
    int status = points_filter(request, diag, g.keep, &skipped);
    if (status == 0)
        status = choose_and_group(&g, o.column, diag, out);
    if (status == 0 && g.ngroups) {
        const struct column *measured =
            o.of_clock ? &e->columns[points_observable(e, "CLOCK")] : o.column;
        values = mem_alloc(e->nrows, sizeof *values);
        sort_groups(&g);
        prepare_values(a, &g, &prepared, measured, values, out);
        finish_computed(a, &o, &g, values, out);
        allocate_points(a, out, g.ngroups);
        status = collect(a, &g, request, values, out);
        if (status == 0)
            leave_lone(a, out);
        points_make_even(a, out);
    }
    if (interrupt_came() && status)
        diag_error(diag, "interrupted");
    mem_free(values);
    mem_free(g.keep);
    mem_free(g.group);
    mem_free(g.first);
    tuples_free(&g.tuples);
    return status;
}

static double *some_of(struct arena *a, const double *list, const size_t *which, size_t n)
{
    double *out = arena_alloc(a, n, sizeof *out);
    for (size_t i = 0; i < n; i++)
        out[i] = list[which[i]];
    return out;
}

/* The samples of some of the points, with their runs. */
static void some_samples(struct arena *a, const struct points *all, const size_t *which, size_t n,
                         struct points *out)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        total += all->first_sample[which[i] + 1] - all->first_sample[which[i]];
    out->sample = arena_alloc(a, total + 1, sizeof *out->sample);
    out->start = arena_alloc(a, total + 1, sizeof *out->start);
    out->run = arena_alloc(a, total + 1, sizeof *out->run);
    out->first_sample = arena_zalloc(a, n + 1, sizeof *out->first_sample);
    for (size_t i = 0, at = 0; i < n; i++) {
        size_t from = all->first_sample[which[i]], count = all->first_sample[which[i] + 1] - from;
        memcpy(out->sample + at, all->sample + from, count * sizeof *out->sample);
        memcpy(out->start + at, all->start + from, count * sizeof *out->start);
        memcpy(out->run + at, all->run + from, count * sizeof *out->run);
        out->first_sample[i + 1] = at += count;
    }
}

void points_some(struct arena *a, const struct points *all, const bool *keep, struct points *out)
{
    size_t n = 0, kept = 0, *which = arena_alloc(a, all->n, sizeof *which);
    for (size_t i = 0; i < all->n; i++)
        if (keep[i])
            which[n++] = i;
    *out = *all;
    out->n = n;
    out->at = arena_alloc(a, all->nnames, sizeof *out->at);
    for (size_t j = 0; j < all->nnames; j++)
        out->at[j] = some_of(a, all->at[j], which, n);
    out->value = some_of(a, all->value, which, n);
    out->standard_error = some_of(a, all->standard_error, which, n);
    out->floor_error = some_of(a, all->floor_error, which, n);
    out->overhead = some_of(a, all->overhead, which, n);
    out->uneven = all->uneven ? some_of(a, all->uneven, which, n) : NULL;
    out->level = all->level ? some_of(a, all->level, which, n) : NULL;
    out->nested = some_of(a, all->nested, which, n);
    out->count = arena_alloc(a, n, sizeof *out->count);
    out->modes = arena_alloc(a, n, sizeof *out->modes);
    out->spread = arena_alloc(a, n, sizeof *out->spread);
    out->settings = arena_alloc(a, n, sizeof *out->settings);
    out->first_kept = arena_alloc(a, n + 1, sizeof *out->first_kept);
    out->samples = 0;
    for (size_t i = 0; i < n; i++)
        kept += all->first_kept[which[i] + 1] - all->first_kept[which[i]];
    out->kept = arena_alloc(a, kept, sizeof *out->kept);
    kept = 0;
    for (size_t i = 0; i < n; i++) {
        out->count[i] = all->count[which[i]];
        out->modes[i] = all->modes[which[i]];
        out->spread[i] = all->spread[which[i]];
        out->settings[i] = all->settings[which[i]];
        out->samples += out->count[i];
        out->first_kept[i] = kept;
        for (size_t k = all->first_kept[which[i]]; k < all->first_kept[which[i] + 1]; k++)
            out->kept[kept++] = all->kept[k];
    }
    out->first_kept[n] = kept;
    if (all->run)
        some_samples(a, all, which, n, out);
}

size_t points_find(const struct points *p, const char *name)
{
    size_t j = text_find(p->names, p->nnames, name);
    return j < p->nnames ? j : SIZE_MAX;
}

size_t points_like(const struct points *p, size_t from, const struct points *other, size_t i)
{
    for (size_t k = from; k < p->n; k++) {
        bool same = true;
        for (size_t v = 0; v < other->nnames && same; v++) {
            size_t column = points_find(p, other->names[v]);
            same = column != SIZE_MAX && p->at[column][k] == other->at[v][i];
        }
        if (same)
            return k;
    }
    return SIZE_MAX;
}

void points_widen(const struct points *p, const char *name, double *low, double *high)
{
    size_t column = points_find(p, name);
    for (size_t i = 0; column != SIZE_MAX && i < p->n; i++) {
        *low = fmin(*low, p->at[column][i]);
        *high = fmax(*high, p->at[column][i]);
    }
}

/* Does a formula of the program use the name? The samples have a column for each variable of the program: so it is
 * a setting. */
static bool is_missing_setting(struct arena *a, const struct experiment *e, const char *name)
{
    for (size_t i = 0; i < e->nformulas; i++) {
        const struct formula *f = formula_parse_text(a, e->formulas[i].text, e->base, NULL);
        if (f && formula_uses(a, f, name))
            return true;
    }
    return false;
}

/* Whether the name is that of a constant of another experiment: fft[1]. */
static bool is_constant_of_another(struct arena *a, const struct points_request *r,
                                   const char *name)
{
    size_t n = strcspn(name, "[");
    const char *base = arena_strndup(a, name, n);
    return name[n] && strcmp(base, r->experiment->base) != 0 && dataset_find_base(r->dataset, base);
}

char *points_no_variable(struct arena *a, const struct points *p, const struct definitions *let,
                         const char *name)
{
    if (is_missing_setting(a, p->request->experiment, name))
        return arena_printf(
            a,
            "the data of %s have no setting '%s', which its formula uses: measure with 'call run "
            "--vary %s=10,20,40 ... -- {%s}', or set CLL_SETTINGS=\"%s=10\" for each run",
            p->request->experiment->name, name, name, name, name);
    const char **names = arena_zalloc(a, p->nnames + (let ? let->n : 0) + 1, sizeof *names);
    for (size_t j = 0; j < p->nnames; j++)
        names[j] = p->names[j];
    for (size_t j = 0; let && j < let->n; j++)
        names[p->nnames + j] = let->names[j];
    const char *meant = misprint_meant(name, names);
    if (meant)
        return arena_printf(a, "%s has no variable '%s'; did you mean '%s'?",
                            p->request->experiment->name, name, meant);
    const char *base = p->request->experiment->base;
    if (is_constant_of_another(a, p->request, name))
        return arena_printf(a,
                            "a formula of %s has only constants %s[0], %s[1], ...; 'define' "
                            "composes models of several experiments",
                            base, base, base);
    struct text t = text_new();
    text_printf(&t, "%s has no variable '%s': it has ", p->request->experiment->name, name);
    for (size_t j = 0; j < p->nnames; j++)
        text_printf(&t, "%s%s", j ? ", " : "", p->names[j]);
    for (size_t j = 0; let && j < let->n; j++)
        text_printf(&t, ", %s", let->names[j]);
    return text_keep(&t, a);
}

bool points_constant(const struct points *p, size_t column)
{
    for (size_t i = 1; i < p->n; i++)
        if (p->at[column][i] != p->at[column][0])
            return false;
    return true;
}

/* Is x a multiple of y at all points, or nearly so? */
static bool is_proportional(const double *x, const double *y, size_t n)
{
    double low = INFINITY, high = 0, least = INFINITY, most = 0;
    for (size_t i = 0; i < n; i++) {
        if (x[i] == 0 && y[i] == 0)
            continue;
        if (!(x[i] > 0) || !(y[i] > 0))
            return false;
        low = fmin(low, x[i] / y[i]);
        high = fmax(high, x[i] / y[i]);
        least = fmin(least, y[i]);
        most = fmax(most, y[i]);
    }
    return log(high / low) <= REPEATS_PART * log(most / least);
}

bool points_repeats(const struct points *p, size_t column)
{
    const struct points_request *r = p->request;
    if (!dataset_is_setting(r->dataset, r->experiment, p->names[column]))
        return false;
    for (size_t v = 0; v < column; v++) /* settings come after the variables */
        if (!dataset_is_setting(r->dataset, r->experiment, p->names[v]) &&
            is_proportional(p->at[v], p->at[column], p->n))
            return true;
    return false;
}

bool points_shown(const struct points *p, size_t column)
{
    bool is_processors = column >= p->request->experiment->nvariables;
    return !is_processors || p->n == 0 || p->at[column][0] != 1 || !points_constant(p, column);
}

char *points_label(struct arena *a, const struct points *p, size_t point)
{
    char number[NUMBER_SIZE];
    struct text t = text_new();
    for (size_t j = 0; j < p->nnames; j++)
        if (points_shown(p, j))
            text_printf(&t, "%s%s=%s", t.n ? " " : "", p->names[j],
                        number_text(p->at[j][point], number));
    if (!t.n)
        text_add(&t, "the only point");
    return text_keep(&t, a);
}
