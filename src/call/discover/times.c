/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The own time of each function in a run: the sum of SELF (data/nesting.h) over the executions of its region in a
 * thread, of the thread with most, and the mean over the processes.
 */
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/outfile.h"
#include "base/path.h"
#include "base/printable.h"
#include "base/sort.h"
#include "base/text.h"
#include "call/discover/discover.h"
#include "data/load.h"
#include "data/nesting.h"
#include "numeric/stats.h"
#include "spool/name.h"

enum { MOST_THREADS = 4096 };

/* ---- one run ---- */

/* Of one process and thread. */
struct share {
    double rank, thread;
    double *own; /* of each region */
};

/* A short execution that took much longer than others: libcll does not watch short ones, and another program may have had
 * the core. */
struct suspect {
    double *own; /* where it was added up */
    double excess;
};

struct run {
    struct request *q;
    struct arena *arena;
    struct share *shares;
    size_t n, capacity;
    double ranks,
        whole;        /* processes; the longest execution of main, or the time until the report */
    double processor; /* CPU time */
    double memory;    /* bytes, at most; 0: not known */
    double away;      /* what executions are known to have been without a core */
    struct suspect *suspects;
    size_t nsuspects, csuspects;
    double pairs, pair_seconds;
};

static struct share *share_of(struct run *r, double rank, double thread)
{
    for (size_t i = r->n; i-- > 0;)
        if (r->shares[i].rank == rank && r->shares[i].thread == thread)
            return &r->shares[i];
    if (r->n == MOST_THREADS)
        return &r->shares[0];
    r->shares = arena_grow(r->arena, r->shares, r->n, &r->capacity, r->n + 1, sizeof *r->shares);
    r->shares[r->n] =
        (struct share){rank, thread, arena_zalloc(r->arena, r->q->times.n + 1, sizeof(double))};
    r->ranks = fmax(r->ranks, rank + 1);
    return &r->shares[r->n++];
}

/* Where the file says how long an execution was without a core: because another program had it, not because it waited. */
struct away {
    const struct column *clock, *processor, *disturbed;
};

static struct away away_of(const struct experiment *e)
{
    size_t at[3] = {experiment_find_observable(e, "CLOCK"),
                    experiment_find_observable(e, "CPUTIME"),
                    experiment_find_observable(e, DATA_DISTURBED)};
    struct away a = {0};
    if (at[0] != SIZE_MAX && at[1] != SIZE_MAX && at[2] != SIZE_MAX)
        a = (struct away){&e->columns[at[0]], &e->columns[at[1]], &e->columns[at[2]]};
    return a;
}

static double away_at(const struct away *a, size_t row)
{
    enum { PREEMPTED = 1, WAITED = 2 };
    if (!a->clock)
        return 0;
    double flags = column_at(a->disturbed, row);
    if (isnan(flags) || ((unsigned)flags & (PREEMPTED | WAITED)) != PREEMPTED)
        return 0;
    return fmax(column_at(a->clock, row) - column_at(a->processor, row), 0);
}

static double median_self(const struct nested *n, size_t nrows)
{
    MEM_LOCAL double *sorted = mem_alloc(nrows + 1, sizeof *sorted);
    size_t known = 0;
    for (size_t i = 0; i < nrows; i++)
        if (!isnan(column_at(&n->self, i)))
            sorted[known++] = column_at(&n->self, i);
    stats_sort(sorted, known);
    return known ? sorted[known / 2] : 0;
}

static int by_excess(const void *x, const void *y)
{
    const struct suspect *p = x, *q = y;
    return p->excess > q->excess ? -1 : p->excess < q->excess;
}

/* What other programs had, as the CPU time of the process tells, less what is known of single executions, was taken from those
 * that took much longer than others. */
static void take_back(struct run *r)
{
    double lost = r->whole - r->processor - r->away;
    sort_list(r->suspects, r->nsuspects, sizeof *r->suspects, by_excess);
    for (size_t i = 0; i < r->nsuspects && lost > 0; i++) {
        double part = fmin(lost, r->suspects[i].excess);
        *r->suspects[i].own -= part;
        lost -= part;
    }
}

/* The region of an experiment; SIZE_MAX: it is one of the user. */
static size_t region_of(const struct run *r, const struct experiment *e)
{
    char *end;
    size_t region = e->base[0] == 'r' ? strtoul(e->base + 1, &end, 10) : SIZE_MAX;
    return region < r->q->times.n && !*end ? region : SIZE_MAX;
}

static void find_caller(struct run *r, const struct dataset *d, const struct nested *n,
                        size_t region)
{
    struct region *own = &r->q->times.list[region];
    for (size_t i = 0; i < n->naround && !own->caller; i++) {
        size_t around = region_of(r, d->experiments[n->around[i]]);
        if (around != SIZE_MAX && around != region)
            own->caller = r->q->times.list[around].function;
    }
}

static void add_experiment(struct run *r, const struct dataset *d, const struct experiment *e)
{
    static const double slice = 2e-4,
                        much = 4; /* what another program has at least, seconds; times the median */
    size_t region = region_of(r, e), hint = 0;
    if (region == SIZE_MAX)
        return;
    const struct nested *n = nesting_of(d, e);
    r->q->times.list[region].seen |= e->nrows > 0;
    find_caller(r, d, n, region);
    size_t clock = experiment_find_observable(e, "CLOCK");
    struct away away = away_of(e);
    double median = median_self(n, e->nrows);
    for (size_t i = 0; i < e->nrows; i++) {
        struct share *s = share_of(r, column_at(&e->columns[FIELD_RANK], i),
                                   column_at(&e->columns[FIELD_THREAD], i));
        double lost = fmax(away_at(&away, i) - n->away[i], 0), self = column_at(&n->self, i) - lost;
        bool watched = away.clock && !isnan(column_at(away.processor, i));
        r->away += lost;
        const struct data_file *f = &d->files[experiment_segment(e, i, &hint)->file];
        r->pairs++;
        r->pair_seconds += f->overhead;
        if (r->q->times.list[region].is_main)
            r->whole = fmax(r->whole, clock < e->ncolumns ? column_at(&e->columns[clock], i) : 0);
        else if (!isnan(self))
            s->own[region] += fmax(self, 0);
        if (!watched && self > slice && self > much * median)
            ARENA_ADD(r->arena, r->suspects, r->nsuspects, &r->csuspects,
                      (struct suspect){&s->own[region], self - median});
    }
}

/* 0, or -1 after a message. */
static int read_folder(struct run *r, const char *folder)
{
    static const struct load_options options = {.may_be_empty = true};
    struct dataset *d = dataset_create();
    DIAG_LOCAL struct diag *diag = diag_create();
    DIR *dir = opendir(folder);
    int failed = dir ? 0 : -1;
    for (struct dirent *e; dir && !failed && (e = readdir(dir));)
        if (e->d_name[0] != '.')
            failed = dataset_load(d, arena_printf(r->arena, "%s/%s", folder, e->d_name), &options,
                                  r->arena, diag);
    if (dir)
        closedir(dir);
    if (failed && (r->q->processes || r->q->times.apart)) /* else it is measured again */
        diag_print(diag, stderr, 0);
    for (size_t i = 0; i < d->nexperiments && !failed; i++)
        add_experiment(r, d, d->experiments[i]);
    for (size_t i = 0; i < d->nfiles && !r->q->processes;
         i++) /* what libcll does afterwards does not count */
        if (d->files[i].elapsed > r->whole) {
            r->whole = d->files[i].elapsed;
            r->processor = d->files[i].processor;
            r->memory = d->files[i].memory;
        }
    if (d->nfiles && !r->q->times.cpu) {
        r->q->times.cpu = arena_strdup(r->q->arena, d->files[0].cpu);
        r->q->times.host = arena_strdup(r->q->arena, d->files[0].host);
    }
    if (d->nfiles && data_file_is_simulated(&d->files[0]))
        r->q->times.clock = arena_strdup(r->q->arena, d->files[0].clock);
    dataset_destroy(d);
    return failed;
}

/* ---- all runs ---- */

static void grow(struct request *q)
{
    struct times *t = &q->times;
    if (t->nruns < t->capacity)
        return;
    size_t capacity = 2 * t->capacity + 64;
    size_t *row = arena_alloc(q->arena, capacity, sizeof *row);
    double *total = arena_alloc(q->arena, capacity, sizeof *total);
    if (t->nruns) {
        memcpy(row, t->row, t->nruns * sizeof *row);
        memcpy(total, t->total, t->nruns * sizeof *total);
    }
    t->row = row;
    t->total = total;
    for (size_t i = 0; i < t->n; i++) {
        double *own = arena_alloc(q->arena, capacity, sizeof *own);
        if (t->nruns)
            memcpy(own, t->list[i].own, t->nruns * sizeof *own);
        t->list[i].own = own;
    }
    t->capacity = capacity;
}

/* The mean over processes of the thread that has most. */
static double mean_own(const struct run *r, size_t region)
{
    double sum = 0;
    for (size_t rank = 0; (double)rank < r->ranks; rank++) {
        double most = 0;
        for (size_t i = 0; i < r->n; i++)
            if (r->shares[i].rank == (double)rank)
                most = fmax(most, r->shares[i].own[region]);
        sum += most;
    }
    return r->ranks > 0 ? sum / r->ranks : 0;
}

int times_add(struct request *q, const char *folder, size_t row, double seconds, bool waited)
{
    struct times *t = &q->times;
    ARENA_LOCAL struct arena *a = arena_create();
    struct run r = {.q = q, .arena = a};
    if (read_folder(&r, folder))
        return -1;
    grow(q);
    size_t k = t->nruns++;
    t->row[k] = row;
    t->total[k] = r.whole > 0 ? r.whole : seconds;
    t->ranks |= q->processes || r.ranks > 1;
    if (r.memory > 0 && q->memory[row] > 0) /* the system adds that of call, which started it */
        q->memory[row] = fmin(q->memory[row], r.memory);
    if (!waited && r.processor > 0) { /* else other programs had the core */
        t->total[k] = fmin(t->total[k], r.processor);
        take_back(&r);
    }
    for (size_t i = 1; i < t->n; i++)
        t->list[i].own[k] = mean_own(&r, i);
    if (r.pair_seconds > t->pair_seconds) {
        t->pairs = r.pairs;
        t->pair_seconds = r.pair_seconds;
    }
    return 0;
}

/* ---- as a data file ---- */

/* What the column of a variable is called: with _ where the file has a column of this name. */
static const char *column_title(const struct request *q, size_t v)
{
    static const char *const taken[] = {"experiment", "run",  "seq",    "start", "nested",
                                        "P",          "rank", "thread", "count", "CLOCK"};
    bool is_taken = text_is_in(taken, sizeof taken / sizeof *taken, q->names[v]);
    return is_taken ? arena_printf(q->arena, "%s_", q->names[v]) : q->names[v];
}

static void write_escaped(FILE *out, const char *text, enum cll_name kind)
{
    char piece[CLL_NAME_PIECE];
    for (size_t left = strlen(text), used; left; text += used, left -= used)
        fwrite(piece, 1, cll_name_write(kind, text, left, piece, &used), out);
}

static void write_header(const struct request *q, FILE *out)
{
    const struct times *t = &q->times;
    fprintf(out, "# cll-data 1\n# program: ");
    write_escaped(out, path_base(q->program ? q->program : q->command.list[0]), CLL_NAME_TEXT);
    fputc('\n', out);
    fprintf(out, "# host: %s\n# cpu: %s\n", t->host ? t->host : "", t->cpu ? t->cpu : "");
    fprintf(out,
            "# driver: seq\n# world: 1\n# clock: %s\n# resolution: 1e-09\n"
            "# overhead: 0 0\n# empty: 0\n# oversubscribed: no\n# thinned: no\n"
            "# note: own times of functions in whole runs, measured by call discover\n",
            t->clock ? t->clock : "clock_gettime");
    for (size_t i = 0; i < t->n; i++) {
        const struct region *r = &t->list[i];
        fprintf(out, "# experiment: %s\n", r->label);
        if (r->formula)
            fprintf(out, "# formula: %s CLOCK %s\n", r->label, r->formula);
        fprintf(out, "# variables: %s", r->label);
        for (size_t v = 0; v < q->nvariables; v++)
            if (v != q->processors)
                fprintf(out, " %s", q->names[v]);
        fputc('\n', out);
        if (r->function) {
            fprintf(out, "# source: %s ", r->label);
            write_escaped(out, r->function->file, CLL_NAME_FILE);
            fprintf(out, ":%u-%u\n", r->function->line, r->function->end_line);
        }
    }
    for (size_t v = 0; v < q->nvariables; v++)
        if (v != q->processors && column_title(q, v) != q->names[v])
            fprintf(out, "# column: %s = %s\n", column_title(q, v), q->names[v]);
    fprintf(out, "experiment run seq start nested P rank thread count");
    for (size_t v = 0; v < q->nvariables; v++)
        if (v != q->processors)
            fprintf(out, " %s", column_title(q, v));
    fprintf(out, " CLOCK\n");
}

static void write_rows(const struct request *q, FILE *out)
{
    const struct times *t = &q->times;
    for (size_t i = 0; i < t->n; i++)
        for (size_t k = 0; k < t->nruns; k++) {
            const int64_t *row = q->rows[t->row[k]];
            if (isnan(t->list[i].own[k]))
                continue;
            long long processors = q->processors == SIZE_MAX ? 1 : (long long)row[q->processors];
            fprintf(out, "%s %zu 0 nan 0 %lld 0 0 1", t->list[i].label, k, processors);
            for (size_t v = 0; v < q->nvariables; v++)
                if (v != q->processors)
                    fprintf(out, " %lld", (long long)row[v]);
            fprintf(out, " %s\n", number_text(t->list[i].own[k], NUMBER_BUFFER));
        }
}

int times_write(const struct request *q, const char *path)
{
    struct outfile f;
    if (outfile_open(&f, path))
        return -1;
    write_header(q, f.stream);
    write_rows(q, f.stream);
    return outfile_commit(&f);
}
