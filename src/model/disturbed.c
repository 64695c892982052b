/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which samples are left out (disturbed.h). The marks of the rows, in order:
 *   by the row itself   the thread was without its core for a visible part of the time and never gave
 *                       it away itself: preempted. Preempted and also waiting, or hardly away: suspect
 *   by the point        a suspect is preempted if it took longer than every undisturbed sample of its
 *                       point. So is a sample that was not watched, beside preempted ones, if it took
 *                       longer than every other sample of the point had its core
 *   by the execution    with several ranks, the others of a preempted execution waited for it
 *   by their values     where preempted samples do not take longer than the others, the absence is a part of
 *                       the region, such as another thread of the program on the same core: all stay
 */
#include "model/disturbed.h"

#include <math.h>
#include <string.h>

#include "data/nesting.h"

/* Flags of the column `disturbed` (docs/reference/data-format.md). */
enum { PREEMPTED = 1, WAITED = 2, MIGRATED = 4, FAULTED = 8, ALL_FLAGS = 15 };

enum mark { CLEAR, UNKNOWN, SUSPECT, TAKEN, BESIDE };

/* The columns of an experiment. */
struct columns {
    const struct column *clock, *cpu, *flags;
};

static const struct column *find_column(const struct experiment *e, const char *name)
{
    size_t j = experiment_find_observable(e, name);
    return j == SIZE_MAX ? NULL : &e->columns[j];
}

/* False if no execution was watched. */
static bool find_columns(const struct experiment *e, struct columns *c)
{
    c->clock = find_column(e, "CLOCK");
    c->cpu = find_column(e, "CPUTIME");
    c->flags = find_column(e, DATA_DISTURBED);
    return c->clock && c->flags && (c->flags->values || !isnan(c->flags->constant));
}

bool disturbed_is_rare(const struct experiment *e, const char *observable)
{
    struct columns c;
    return strcmp(observable, "CPUTIME") == 0 && find_columns(e, &c);
}

/* Seconds that the thread was without its core; 0 if they are hardly visible or not known. */
static double time_away(const struct columns *c, size_t row)
{
    double clock = column_at(c->clock, row);
    double away = c->cpu ? clock - column_at(c->cpu, row) : NAN;
    return away > fmax(AWAY_SHARE * clock, AWAY_LEAST) ? away : 0;
}

/* Does the file state what disturbed the row? */
static bool flags_of(const struct column *flags, size_t row, unsigned *bits)
{
    double value = column_at(flags, row);
    bool known = value >= 0 && value <= ALL_FLAGS;
    *bits = known ? (unsigned)value : 0;
    return known;
}

const struct column *disturbed_column(const struct experiment *e)
{
    return find_column(e, DATA_DISTURBED);
}

int disturbed_faulted(const struct column *flags, size_t row)
{
    unsigned bits;
    if (!flags || !flags_of(flags, row, &bits))
        return 0;
    return bits & FAULTED ? 1 : -1;
}

static enum mark mark_row(const struct columns *c, size_t row)
{
    unsigned bits;
    if (!flags_of(c->flags, row, &bits))
        return UNKNOWN;
    if (time_away(c, row) > 0 && !(bits & WAITED))
        return TAKEN;
    return bits & PREEMPTED ? SUSPECT : CLEAR;
}

struct disturbed_counts disturbed_count(const struct experiment *e)
{
    struct disturbed_counts n = {0};
    struct columns c;
    if (!find_columns(e, &c))
        return n;
    for (size_t row = 0; row < e->nrows; row++) {
        enum mark mark = mark_row(&c, row);
        if (mark == UNKNOWN)
            continue;
        unsigned bits;
        flags_of(c.flags, row, &bits);
        n.watched++;
        n.preempted += mark == TAKEN || bits & PREEMPTED;
        n.waited += (bits & WAITED) != 0;
        n.migrated += (bits & MIGRATED) != 0;
        n.faulted += (bits & FAULTED) != 0;
    }
    return n;
}

/* ---- preempted */

struct work {
    struct arena *arena; /* of the lists */
    struct grouping *g;
    struct columns columns;
    double *values;
    unsigned char *mark; /* enum mark, per row */
    /* per group: */
    double *clear, *on_core; /* the longest undisturbed sample, and the longest time on the core */
    size_t *taken, *left;    /* rows */
};

static bool in_group(const struct work *w, size_t row)
{
    return w->g->group[row] != UINT32_MAX;
}

static void mark_by_row(struct work *w, struct points_account *account)
{
    for (size_t row = 0; row < w->g->e->nrows; row++) {
        if (!in_group(w, row))
            continue;
        uint32_t group = w->g->group[row];
        w->mark[row] = (unsigned char)mark_row(&w->columns, row);
        account->watched += w->mark[row] != UNKNOWN;
        double on_core = w->values[row];
        if (w->mark[row] == CLEAR)
            w->clear[group] = fmax(w->clear[group], on_core);
        if (w->mark[row] == TAKEN)
            on_core -= time_away(&w->columns, row);
        if (w->mark[row] == CLEAR || w->mark[row] == TAKEN)
            w->on_core[group] = fmax(w->on_core[group], on_core);
        w->taken[group] += w->mark[row] == TAKEN;
    }
}

static void mark_by_point(struct work *w, struct points_account *account)
{
    for (size_t row = 0; row < w->g->e->nrows; row++) {
        if (!in_group(w, row))
            continue;
        uint32_t group = w->g->group[row];
        bool longer = false;
        if (w->mark[row] == SUSPECT)
            longer = w->clear[group] > 0 && w->values[row] > w->clear[group];
        else if (w->mark[row] == UNKNOWN)
            longer = w->taken[group] && w->values[row] > w->on_core[group] * (1 + AWAY_SHARE);
        if (longer) {
            account->watched += w->mark[row] == UNKNOWN; /* now something is known of it */
            w->mark[row] = TAKEN;
        }
    }
}

/* The other ranks of an execution. */
static void mark_by_execution(struct work *w)
{
    size_t n;
    MEM_LOCAL uint32_t *execution = rows_alike(w->g, rows_execution, &n);
    MEM_LOCAL bool *taken = mem_zalloc(n + 1, sizeof *taken);
    for (size_t row = 0; row < w->g->e->nrows; row++)
        if (in_group(w, row) && w->mark[row] == TAKEN)
            taken[execution[row]] = true;
    for (size_t row = 0; row < w->g->e->nrows; row++)
        if (in_group(w, row) && w->mark[row] != TAKEN && taken[execution[row]])
            w->mark[row] = BESIDE;
}

/* The values of a group: those of preempted rows from the start of its part of `list`, those of rows that
 * stay from the end of it. */
struct parts {
    double *list;
    size_t *begin, *taken, *stay;
};

static struct parts find_parts(const struct work *w)
{
    size_t n = w->g->ngroups;
    struct parts p = {.begin = arena_zalloc(w->arena, n + 2, sizeof *p.begin),
                      .taken = arena_zalloc(w->arena, n + 1, sizeof *p.taken),
                      .stay = arena_zalloc(w->arena, n + 1, sizeof *p.stay)};
    for (size_t row = 0; row < w->g->e->nrows; row++)
        if (in_group(w, row))
            p.begin[w->g->group[row] + 1]++;
    for (size_t i = 0; i < n; i++)
        p.begin[i + 1] += p.begin[i];
    p.list = arena_alloc(w->arena, p.begin[n] + 1, sizeof *p.list);
    for (size_t row = 0; row < w->g->e->nrows; row++) {
        if (!in_group(w, row) || w->mark[row] == BESIDE)
            continue;
        uint32_t i = w->g->group[row];
        if (w->mark[row] == TAKEN)
            p.list[p.begin[i] + p.taken[i]++] = w->values[row];
        else
            p.list[p.begin[i + 1] - ++p.stay[i]] = w->values[row];
    }
    return p;
}

static bool take_longer(const struct parts *p, uint32_t i)
{
    if (!p->taken[i] || !p->stay[i])
        return true;
    double taken = stats_quantile(p->list + p->begin[i], p->taken[i], POINT_QUANTILE),
           others =
               stats_quantile(p->list + p->begin[i + 1] - p->stay[i], p->stay[i], POINT_QUANTILE);
    return taken > others * (1 + AWAY_SHARE);
}

/* A core that is taken away makes an execution longer. */
static void mark_by_values(struct work *w)
{
    struct parts p = find_parts(w);
    bool *longer = arena_alloc(w->arena, w->g->ngroups + 1, sizeof *longer);
    for (uint32_t i = 0; i < w->g->ngroups; i++)
        longer[i] = take_longer(&p, i);
    for (size_t row = 0; row < w->g->e->nrows; row++)
        if (in_group(w, row) && w->mark[row] >= TAKEN && !longer[w->g->group[row]])
            w->mark[row] = CLEAR;
}

/* Leaves rows out where others of the group are left; else their CPU time is the value, or `as_is` the
 * time itself. `inside`: of SELF, the time without a core that belongs to executions inside; else NULL. */
static void leave_out(struct work *w, bool as_is, const double *inside,
                      struct points_account *account)
{
    bool *replaced = arena_zalloc(w->arena, w->g->ngroups + 1, sizeof *replaced);
    for (size_t row = 0; row < w->g->e->nrows; row++)
        if (in_group(w, row))
            w->left[w->g->group[row]] += w->mark[row] < TAKEN;
    for (size_t row = 0; row < w->g->e->nrows; row++) {
        if (!in_group(w, row) || w->mark[row] < TAKEN)
            continue;
        uint32_t group = w->g->group[row];
        double away = time_away(&w->columns, row);
        account->preempted += w->mark[row] == TAKEN;
        if (w->left[group] || (away == 0 && !as_is)) {
            w->g->group[row] = UINT32_MAX;
            account->left_out++;
        } else if (as_is) {
            account->kept += w->mark[row] == TAKEN;
        } else {
            w->values[row] -= fmax(away - (inside ? inside[row] : 0), 0);
            account->by_cpu++;
            account->by_cpu_points += !replaced[group];
            replaced[group] = true;
        }
    }
}

static void leave_preempted(struct grouping *g, const struct points_request *request,
                            double *values, struct points_account *account)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct work w = {.arena = a, .g = g, .values = values};
    if (!find_columns(g->e, &w.columns))
        return;
    bool ranks = g->e->columns[FIELD_RANK].values && request->ranks != RANKS_ONE;
    w.mark = arena_zalloc(a, g->e->nrows + 1, 1);
    w.clear = arena_zalloc(a, g->ngroups, sizeof *w.clear);
    w.on_core = arena_zalloc(a, g->ngroups, sizeof *w.on_core);
    w.taken = arena_zalloc(a, g->ngroups, sizeof *w.taken);
    w.left = arena_zalloc(a, g->ngroups, sizeof *w.left);
    mark_by_row(&w, account);
    mark_by_point(&w, account);
    if (ranks)
        mark_by_execution(&w);
    mark_by_values(&w);
    const bool self = strcmp(request->observable, DATA_SELF) == 0;
    leave_out(&w, ranks, self ? nesting_of(request->dataset, g->e)->away : NULL, account);
}

/* ---- the account */

/* Rows that are used, and those of runs with more processes or threads than cores. */
static void count_samples(const struct grouping *g, struct points_account *account)
{
    const struct experiment *e = g->e;
    for (size_t s = 0; s < e->nsegments; s++) {
        size_t end = s + 1 < e->nsegments ? e->segments[s + 1].first_row : e->nrows, used = 0;
        for (size_t row = e->segments[s].first_row; row < end; row++)
            used += g->group[row] != UINT32_MAX;
        account->samples += used;
        account->oversubscribed += g->files[e->segments[s].file].oversubscribed ? used : 0;
    }
}

void disturbed_leave(struct grouping *g, const struct points_request *request, double *values,
                     struct points_account *account)
{
    *account = (struct points_account){.first_times = NAN, .opening_times = NAN};
    count_samples(g, account);
    if (!request->keep_disturbed &&
        (strcmp(request->observable, "CLOCK") == 0 || strcmp(request->observable, DATA_SELF) == 0))
        leave_preempted(g, request, values, account);
}
