/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Judges whether the samples of several rounds are steady. Each data file is loaded once, by the
 * library `data`, into a data set of its own. Of each point and round a bounded number of samples is
 * kept, which is enough to see whether the low percentile moves; then the data set is freed. The
 * time is linear in the size of the files, however many rounds there are.
 *
 * Why these two tests: the 10th percentile of the pooled samples settles down by itself as rounds
 * add up, even when all but one of them met a slow phase of the machine; that two rounds agree on
 * the low value says that the fast phase was seen twice.
 */
#include "call/run/data.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "data/dataset.h"
#include "data/load.h"

enum { MAX_POINTS = 20000, MAX_SAMPLES = 200, SLOTS = 65536 };

void run_data_init(struct run_data *d, struct arena *a)
{
    *d = (struct run_data){.arena = a, .observable = "CLOCK"};
    d->slots = arena_zalloc(a, SLOTS, sizeof *d->slots);
}

/* ---- experiments and formulas ---- */

/* The index of the experiment of this name. */
static size_t add_experiment(struct run_data *d, const char *name)
{
    for (size_t i = 0; i < d->nexperiments; i++)
        if (!strcmp(d->experiments[i], name))
            return i;
    d->experiments = arena_grow(d->arena, d->experiments, d->nexperiments, &d->cexperiments,
                                d->nexperiments + 1, sizeof *d->experiments);
    d->experiments[d->nexperiments] = arena_strdup(d->arena, name);
    return d->nexperiments++;
}

static void add_formula(struct run_data *d, const char *experiment, const char *observable)
{
    for (size_t i = 0; i < d->nformulas; i++)
        if (!strcmp(d->formulas[i].experiment, experiment) &&
            !strcmp(d->formulas[i].observable, observable))
            return;
    d->formulas = arena_grow(d->arena, d->formulas, d->nformulas, &d->cformulas, d->nformulas + 1,
                             sizeof *d->formulas);
    d->formulas[d->nformulas++] =
        (struct run_formula){experiment, arena_strdup(d->arena, observable),
                             strcmp(observable, "CLOCK") && strcmp(observable, "CPUTIME")};
}

/* ---- points ---- */

/* An experiment of a data set, while its samples are read. */
struct reader {
    struct run_data *data;
    const struct experiment *experiment;
    size_t time, cpu, disturbed; /* columns */
    size_t index, own_P;         /* own_P: the program's variable P; SIZE_MAX = none */
    double *place;               /* P and the variables of the row */
    size_t nplace;
};

static size_t hash_place(const struct reader *r)
{
    uint64_t h = 1469598103934665603u ^ r->index;
    for (size_t i = 0; i < r->nplace; i++) {
        uint64_t bits;
        memcpy(&bits, &r->place[i], sizeof bits);
        h = (h ^ bits) * 1099511628211u;
        h ^= h >> 29;
    }
    return (size_t)h & (SLOTS - 1);
}

static bool is_at(const struct run_point *p, const struct reader *r)
{
    return p->experiment == r->index && p->nplace == r->nplace &&
           !memcmp(p->place, r->place, r->nplace * sizeof *r->place);
}

/* "f P=4 N=1024". P is left out where it is 1 and where the program's own variable P says it. */
static const char *point_key(const struct reader *r)
{
    struct arena *a = r->data->arena;
    char number[NUMBER_SIZE];
    double own = r->own_P == SIZE_MAX ? NAN : r->place[1 + r->own_P - FIELD_FIXED];
    const char *key = r->data->experiments[r->index];
    if (r->place[0] != 1 && r->place[0] != own)
        key = arena_printf(a, "%s %s=%s", key, isnan(own) ? "P" : "processors",
                           number_text(r->place[0], number));
    for (size_t i = 1; i < r->nplace; i++)
        if (!isnan(r->place[i]))
            key = arena_printf(a, "%s %s=%s", key, experiment_variable(r->experiment, i - 1)->name,
                               number_text(r->place[i], number));
    return key;
}

/* The point of the row; NULL if there are too many already. */
static struct run_point *find_point(const struct reader *r)
{
    struct run_data *d = r->data;
    size_t k = hash_place(r);
    for (; d->slots[k]; k = (k + 1) & (SLOTS - 1))
        if (is_at(&d->points[d->slots[k] - 1], r))
            return &d->points[d->slots[k] - 1];
    if (d->npoints == MAX_POINTS)
        return NULL;
    double *place = arena_alloc(d->arena, r->nplace, sizeof *place);
    memcpy(place, r->place, r->nplace * sizeof *place);
    d->points =
        arena_grow(d->arena, d->points, d->npoints, &d->cpoints, d->npoints + 1, sizeof *d->points);
    d->points[d->npoints] = (struct run_point){
        .experiment = r->index, .place = place, .nplace = r->nplace, .key = point_key(r)};
    d->slots[k] = ++d->npoints;
    return &d->points[d->npoints - 1];
}

static void add_sample(struct run_data *d, struct run_point *p, double value, unsigned round)
{
    bool same = p->n && p->samples[p->n - 1].round == round;
    p->of_round = same ? p->of_round + 1 : 1;
    if (p->of_round > MAX_SAMPLES)
        return;
    p->samples = arena_grow(d->arena, p->samples, p->n, &p->capacity, p->n + 1, sizeof *p->samples);
    p->samples[p->n++] = (struct run_sample){value, round};
}

/* The time of a row. A sample whose core was taken away counts with its CPU time, as in llac where a
 * point has no others; one that waited counts as it is. */
static double sample_value(const struct reader *r, size_t row)
{
    const struct column *c = r->experiment->columns;
    double flags = r->disturbed == SIZE_MAX ? 0 : column_at(&c[r->disturbed], row);
    return column_at(&c[flags == 1 || flags == 5 ? r->cpu : r->time], row);
}

static void read_samples(struct reader *r, unsigned round)
{
    const struct experiment *e = r->experiment;
    for (size_t row = 0; row < e->nrows; row++) {
        double value = sample_value(r, row);
        if (!isfinite(value))
            continue;
        r->place[0] = column_at(&e->columns[FIELD_P], row);
        for (size_t i = 0; i < e->nvariables; i++)
            r->place[1 + i] = column_at(experiment_variable(e, i), row);
        struct run_point *p = find_point(r);
        if (p)
            add_sample(r->data, p, value, round);
    }
}

static void read_experiment(struct run_data *d, const struct experiment *e, unsigned round)
{
    struct reader r = {.data = d,
                       .experiment = e,
                       .index = add_experiment(d, e->name),
                       .time = experiment_find_observable(e, d->observable),
                       .cpu = experiment_find_observable(e, "CPUTIME"),
                       .disturbed = experiment_find_observable(e, DATA_DISTURBED),
                       .own_P = experiment_find_variable(e, "P"),
                       .nplace = 1 + e->nvariables};
    for (size_t i = 0; i < e->nformulas; i++)
        add_formula(d, d->experiments[r.index], e->formulas[i].observable);
    d->rows += e->nrows;
    if (r.cpu == SIZE_MAX)
        r.disturbed = SIZE_MAX;
    if (r.time == SIZE_MAX)
        return;
    r.place = mem_alloc(r.nplace, sizeof *r.place);
    read_samples(&r, round);
    mem_free(r.place);
}

int run_data_read(struct run_data *d, const char *path, unsigned round)
{
    static const struct load_options options = {.may_be_empty = true};
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct dataset *set = dataset_create();
    int result = dataset_load(set, path, &options, a, diag);
    if (result)
        diag_print(diag, stderr, 0);
    for (size_t i = 0; i < set->nfiles; i++)
        d->overhead = fmax(d->overhead, set->files[i].overhead);
    for (size_t i = 0; i < set->nexperiments; i++)
        read_experiment(d, set->experiments[i], round);
    dataset_destroy(set);
    diag_destroy(diag);
    arena_destroy(a);
    return result;
}

/* ---- judging ---- */

bool run_data_is_zero(const struct run_data *d, const char *experiment)
{
    size_t found = 0;
    for (size_t i = 0; i < d->npoints; i++) {
        const struct run_point *p = &d->points[i];
        if (strcmp(d->experiments[p->experiment], experiment))
            continue;
        found++;
        for (size_t k = 0; k < p->n; k++)
            if (p->samples[k].value != 0)
                return false;
    }
    return found != 0;
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The 10th percentile of the samples of rounds [from, to); a negative number if there are none. */
static double low_value(const struct run_point *p, unsigned from, unsigned to, double *scratch)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->samples[i].round >= from && p->samples[i].round < to)
            scratch[n++] = p->samples[i].value;
    if (!n)
        return -1;
    qsort(scratch, n, sizeof *scratch, by_value);
    return scratch[(n - 1) / 10];
}

/* How far the point is from steady: 1 = at the limit of one of the two tests. */
static double unsteadiness(const struct run_point *p, unsigned rounds, double *scratch,
                           double *change)
{
    double all = low_value(p, 0, rounds, scratch), before = low_value(p, 0, rounds - 1, scratch);
    double lowest = -1, second = -1;
    for (unsigned r = 0; r < rounds; r++) {
        double v = low_value(p, r, r + 1, scratch);
        if (v < 0)
            continue;
        if (lowest < 0 || v < lowest) {
            second = lowest;
            lowest = v;
        } else if (second < 0 || v < second) {
            second = v;
        }
    }
    double moved = before > 0 ? fabs(all / before - 1) : 0;
    double apart = lowest > 0 && second > 0 ? second / lowest - 1 : 0;
    *change = moved > apart ? moved : apart;
    return moved / 0.03 > apart / 0.05 ? moved / 0.03 : apart / 0.05;
}

struct run_verdict run_data_judge(const struct run_data *d, unsigned rounds)
{
    struct run_verdict v = {.steady = true, .worst = ""};
    size_t longest = 1;
    for (size_t i = 0; i < d->npoints; i++)
        longest = d->points[i].n > longest ? d->points[i].n : longest;
    double *scratch = mem_alloc(longest, sizeof *scratch),
           *changes = mem_alloc(d->npoints + 1, sizeof *changes);
    double worst = 0, change;
    for (size_t i = 0; i < d->npoints && rounds > 1; i++) {
        const struct run_point *p = &d->points[i];
        if (low_value(p, 0, rounds, scratch) < 5 * d->overhead)
            continue;
        if (p->samples[0].round ==
            p->samples[p->n - 1].round) { /* samples are in the order of the rounds */
            v.single++;
            continue;
        }
        double u = unsteadiness(p, rounds, scratch, &change);
        changes[v.points++] = change;
        v.unsteady += u > 1;
        if (u > worst) {
            worst = u;
            v.worst = p->key;
            v.worst_change = change;
        }
    }
    if (v.points) {
        qsort(changes, v.points, sizeof *changes, by_value);
        v.typical = changes[(v.points - 1) * 9 / 10];
    }
    v.steady = v.unsteady * 10 <= v.points;
    mem_free(scratch);
    mem_free(changes);
    return v;
}
