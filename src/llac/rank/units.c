/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows become units: those of one run, or of one execution of an outermost region. */
#include "llac/rank/units.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/sort.h"
#include "data/nesting.h"

struct unit_run {
    size_t file; /* the first of its job */
    double number;
    double *at; /* per name; nan = not known */
    bool several;
};

/* The column of a name; NULL if the experiment has none. */
static const struct column *column_of(const struct experiment *e, const char *name)
{
    size_t j = experiment_find_variable(e, name);
    if (j != SIZE_MAX)
        return &e->columns[j];
    return strcmp(name, "P") == 0 ? &e->columns[FIELD_P] : NULL;
}

static bool is_thinned(const struct dataset *d)
{
    for (size_t i = 0; i < d->nfiles; i++)
        if (d->files[i].thinned != THINNED_NO)
            return true;
    return false;
}

/* Only the run-time knows all executions of a run. */
static bool is_measured(const struct dataset *d)
{
    for (size_t i = 0; i < d->nfiles; i++)
        if (d->files[i].nprocesses == 0 && !*d->files[i].job)
            return false;
    return d->nfiles > 0;
}

static size_t find_run(struct units *u, struct arena *a, size_t *room, size_t file, double number)
{
    size_t i = tuples_number(u->files_and_runs, (double[]){(double)file, number});
    if (i < u->nruns)
        return i;
    u->runs = arena_grow(a, u->runs, u->nruns, room, u->nruns + 1, sizeof *u->runs);
    struct unit_run *r = &u->runs[u->nruns];
    *r = (struct unit_run){.file = file, .number = number};
    r->at = arena_alloc(a, u->nnames + 1, sizeof *r->at);
    for (size_t v = 0; v < u->nnames; v++)
        r->at[v] = NAN;
    return u->nruns++;
}

/* The runs, and the place of each as its outermost regions have it. */
static void find_runs(struct session *s, struct arena *a, struct units *u)
{
    const struct dataset *d = s->data;
    size_t room = 0;
    for (size_t k = 0; k < d->nexperiments; k++) {
        const struct experiment *e = d->experiments[k];
        const struct nested *n = nesting_of(d, e);
        size_t hint = 0;
        for (size_t row = 0; row < e->nrows; row++) {
            size_t file = experiment_segment(e, row, &hint)->file;
            if (n->outer[row] != k || n->outer_row[row] != row)
                continue;
            size_t run =
                find_run(u, a, &room, d->files[file].first, column_at(&e->columns[FIELD_RUN], row));
            struct unit_run *r = &u->runs[run];
            for (size_t v = 0; v < u->nnames; v++) {
                const struct column *c = column_of(e, u->names[v]);
                double at = c ? column_at(c, row) : NAN;
                if (!isfinite(at))
                    continue;
                r->several = r->several || (isfinite(r->at[v]) && r->at[v] != at);
                r->at[v] = at;
            }
        }
    }
}

void units_free(struct units *u)
{
    if (u->files_and_runs)
        tuples_free(u->files_and_runs);
}

struct units units_find(struct session *s, struct arena *a, const char *const *names, size_t n)
{
    struct units u = {.names = names, .nnames = n, .of_runs = true};
    u.files_and_runs = arena_zalloc(a, 1, sizeof *u.files_and_runs);
    u.files_and_runs->width = 2;
    find_runs(s, a, &u);
    if (!is_measured(s->data)) {
        u.of_runs = false;
        u.why = "the data do not have all executions of a run";
    }
    for (size_t i = 0; i < u.nruns && u.of_runs; i++)
        if (u.runs[i].several) {
            u.of_runs = false;
            u.why = "one run of the program was at several places";
        }
    u.alone = !u.of_runs && is_thinned(s->data);
    return u;
}

/* ---- the executions of a region */

struct unit_row {
    uint32_t group; /* the outermost experiment; 0 where units are runs */
    uint32_t unit;  /* its row, or the run */
    double rank, thread;
    uint32_t row;
};

static int by_unit(const void *x, const void *y, void *context)
{
    const struct unit_row *a = x, *b = y;
    (void)context;
    if (a->group != b->group)
        return a->group < b->group ? -1 : 1;
    if (a->unit != b->unit)
        return a->unit < b->unit ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return a->row < b->row ? -1 : a->row > b->row;
}

struct collecting {
    struct arena *arena;
    const struct dataset *d;
    const struct units *u;
    const struct experiment *e;
    uint32_t own; /* its index */
    struct unit_row *rows;
    size_t n;
    const char *elsewhere;
};

/* The rows that pass the session's conditions; those of the first thread, if it has any: the others
 * work beside it. */
static void collect_rows(struct session *s, struct collecting *c)
{
    const struct experiment *e = c->e;
    const struct nested *nested = nesting_of(c->d, e);
    unsigned char *keep = mem_alloc(e->nrows + 1, 1);
    DIAG_LOCAL struct diag *quiet = diag_create();
    struct points_request request =
        session_points(s, c->arena, e, experiment_default_observable(e), NULL);
    size_t skipped = 0, hint = 0, room = c->u->nruns;
    bool first = false;
    if (points_filter(&request, quiet, keep, &skipped))
        memset(keep, 1, e->nrows);
    for (size_t row = 0; row < e->nrows; row++)
        first = first || (keep[row] && column_at(&e->columns[FIELD_THREAD], row) == 0);
    c->rows = mem_alloc(e->nrows + 1, sizeof *c->rows);
    struct units u = *c->u;
    for (size_t row = 0; row < e->nrows; row++) {
        size_t file = experiment_segment(e, row, &hint)->file;
        double thread = column_at(&e->columns[FIELD_THREAD], row);
        if (!keep[row] || (first && thread != 0))
            continue;
        struct unit_row *out = &c->rows[c->n++];
        *out = (struct unit_row){.rank = column_at(&e->columns[FIELD_RANK], row),
                                 .thread = thread,
                                 .row = (uint32_t)row,
                                 .group = c->u->alone ? c->own : nested->outer[row],
                                 .unit = c->u->alone ? (uint32_t)row : nested->outer_row[row]};
        if (c->u->of_runs) {
            out->group = 0;
            out->unit = (uint32_t)find_run(&u, c->arena, &room, c->d->files[file].first,
                                           column_at(&e->columns[FIELD_RUN], row));
        }
    }
    mem_free(keep);
}

/* The place of a unit. */
static const double *place_of(const struct collecting *c, const struct unit_row *x)
{
    if (c->u->of_runs)
        return c->u->runs[x->unit].at;
    const struct experiment *outer = c->d->experiments[x->group];
    double *at = arena_alloc(c->arena, c->u->nnames + 1, sizeof *at);
    for (size_t v = 0; v < c->u->nnames; v++) {
        const struct column *column = column_of(outer, c->u->names[v]);
        at[v] = column ? column_at(column, x->unit) : NAN;
    }
    return at;
}

/* Notes a name whose value in the row is another one than in the unit. */
static void compare_place(struct collecting *c, const double *at, size_t row)
{
    for (size_t v = 0; v < c->u->nnames && !c->elsewhere; v++) {
        const struct column *column = column_of(c->e, c->u->names[v]);
        double own = column ? column_at(column, row) : NAN;
        if (isfinite(own) && isfinite(at[v]) && own != at[v])
            c->elsewhere = c->u->names[v];
    }
}

/* The sample of the unit whose rows are rows[from] to rows[to - 1]: the thread that executed the
 * region most often counts where units are runs, and all executions where one contains them. */
static struct unit_sample sample_of(struct collecting *c, size_t from, size_t to)
{
    const struct experiment *e = c->e;
    double *own = arena_alloc(c->arena, e->nvariables + 1, sizeof *own), sum = 0, most = 0;
    const double *at = place_of(c, &c->rows[from]);
    for (size_t j = 0; j < e->nvariables; j++)
        own[j] = column_at(experiment_variable(e, j), c->rows[from].row);
    for (size_t i = from; i < to; i++) {
        const struct unit_row *x = &c->rows[i];
        bool fresh = i == from || x->rank != x[-1].rank || x->thread != x[-1].thread;
        sum = (fresh ? 0 : sum) + column_at(&e->columns[FIELD_COUNT], x->row);
        most = fmax(most, sum);
        compare_place(c, at, x->row);
        for (size_t j = 0; j < e->nvariables; j++)
            if (column_at(experiment_variable(e, j), x->row) != own[j])
                own[j] = NAN;
    }
    return (struct unit_sample){at, c->u->alone ? 1 : most, own};
}

struct unit_region units_of(struct session *s, struct arena *a, const struct units *u,
                            const struct experiment *e)
{
    struct collecting c = {.arena = a, .d = s->data, .u = u, .e = e};
    struct unit_region out = {.ngroups = 0};
    while (s->data->experiments[c.own] != e)
        c.own++;
    collect_rows(s, &c);
    sort_with(c.rows, c.n, sizeof *c.rows, by_unit, NULL);
    out.groups = arena_zalloc(a, s->data->nexperiments + 1, sizeof *out.groups);
    struct unit_group *group = NULL;
    for (size_t i = 0, end; i < c.n; i = end) {
        const struct unit_row *x = &c.rows[i];
        for (end = i + 1;
             end < c.n && c.rows[end].group == x->group && c.rows[end].unit == x->unit;)
            end++;
        if (i == 0 || x->group != x[-1].group) {
            group = &out.groups[out.ngroups++];
            group->outer = u->of_runs ? NULL : s->data->experiments[x->group];
            group->samples = arena_alloc(a, c.n - i, sizeof *group->samples);
        }
        group->samples[group->n++] = sample_of(&c, i, end);
    }
    out.elsewhere = c.elsewhere;
    mem_free(c.rows);
    return out;
}
