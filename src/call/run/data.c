/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the data files of the rounds. The library `data` loads each of them once, into a data set of
 * its own. Of each point and round a bounded number of samples is kept, which is enough to see
 * whether the low percentile moves; then the data set is freed. The time is linear in the size of
 * the files, however many rounds there are.
 */
#include "call/run/data.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "data/dataset.h"
#include "data/load.h"

enum { MAX_POINTS = 20000, MAX_SAMPLES = 200, SLOTS = 65536 };

void run_data_init(struct run_data *d, struct arena *a)
{
    *d = (struct run_data){.arena = a};
    d->slots = arena_zalloc(a, SLOTS, sizeof *d->slots);
}

/* ---- experiments and formulas ---- */

/* The index of the experiment of this name. */
static size_t add_experiment(struct run_data *d, const char *name)
{
    for (size_t i = 0; i < d->nexperiments; i++)
        if (!strcmp(d->experiments[i].name, name))
            return i;
    d->experiments = arena_grow(d->arena, d->experiments, d->nexperiments, &d->cexperiments,
                                d->nexperiments + 1, sizeof *d->experiments);
    d->experiments[d->nexperiments] = (struct run_experiment){.name = arena_strdup(d->arena, name)};
    return d->nexperiments++;
}

static const char *const time_names[TIMES] = {"CLOCK", "CPUTIME"};

static void add_formula(struct run_data *d, struct run_experiment *e, const char *observable)
{
    const char *experiment = e->name;
    bool is_time = false;
    for (int t = 0; t < TIMES; t++)
        if (!strcmp(observable, time_names[t]))
            e->wanted[t] = is_time = true;
    for (size_t i = 0; i < d->nformulas; i++)
        if (!strcmp(d->formulas[i].experiment, experiment) &&
            !strcmp(d->formulas[i].observable, observable))
            return;
    d->formulas = arena_grow(d->arena, d->formulas, d->nformulas, &d->cformulas, d->nformulas + 1,
                             sizeof *d->formulas);
    d->formulas[d->nformulas++] =
        (struct run_formula){experiment, arena_strdup(d->arena, observable), !is_time};
}

/* ---- points ---- */

/* A time of an experiment of a data set, while its samples are read. Columns: SIZE_MAX = none. */
struct reader {
    struct run_data *data;
    const struct experiment *experiment;
    enum run_time time;
    size_t index, own_P; /* own_P: the program's variable P */
    size_t values, cpu, disturbed;
    double *place; /* P and the variables of the row */
    size_t nplace;
};

static size_t hash_place(const struct reader *r)
{
    uint64_t h = 1469598103934665603u ^ (r->index * TIMES + r->time);
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
    return p->experiment == r->index && p->time == r->time && p->nplace == r->nplace &&
           !memcmp(p->place, r->place, r->nplace * sizeof *r->place);
}

/* "f P=4 N=1024". P is left out where it is 1 and where the program's own variable P says it. */
static const char *point_key(const struct reader *r)
{
    struct arena *a = r->data->arena;
    char number[NUMBER_SIZE];
    double own = r->own_P == SIZE_MAX ? NAN : r->place[1 + r->own_P - FIELD_FIXED];
    const char *key = r->data->experiments[r->index].name;
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
    d->points[d->npoints] = (struct run_point){.experiment = r->index,
                                               .time = r->time,
                                               .place = place,
                                               .nplace = r->nplace,
                                               .key = point_key(r)};
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

/* The time of a row. The clock of a sample whose core was taken away (1) counts with its CPU time,
 * also if it ended on another core (4) or had page faults (8). One that waited (2) counts as it is. */
static double sample_value(const struct reader *r, size_t row)
{
    const struct column *c = r->experiment->columns;
    bool watched = r->time == TIME_CLOCK && r->disturbed != SIZE_MAX && r->cpu != SIZE_MAX;
    double flags = watched ? column_at(&c[r->disturbed], row) : 0;
    bool taken = flags >= 1 && flags < 16 && ((unsigned)flags & 3) == 1;
    return column_at(&c[taken ? r->cpu : r->values], row);
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
                       .cpu = experiment_find_observable(e, time_names[TIME_CPU]),
                       .disturbed = experiment_find_observable(e, DATA_DISTURBED),
                       .own_P = experiment_find_variable(e, "P"),
                       .nplace = 1 + e->nvariables};
    struct run_experiment *found = &d->experiments[r.index];
    if (!found->variables) {
        found->nvariables = e->nvariables;
        found->variables = arena_alloc(d->arena, e->nvariables + 1, sizeof *found->variables);
        for (size_t i = 0; i < e->nvariables; i++)
            found->variables[i] = arena_strdup(d->arena, experiment_variable(e, i)->name);
    }
    for (size_t i = 0; i < e->nformulas; i++)
        add_formula(d, found, e->formulas[i].observable);
    found->wanted[TIME_CLOCK] |= !found->wanted[TIME_CPU];
    d->rows += e->nrows;
    r.place = mem_alloc(r.nplace, sizeof *r.place);
    for (r.time = 0; r.time < TIMES; r.time++) {
        r.values = experiment_find_observable(e, time_names[r.time]);
        if (r.values != SIZE_MAX)
            read_samples(&r, round);
    }
    mem_free(r.place);
}

/* The program itself is a part of the load. */
static void read_host(struct run_data *d, const struct data_file *f)
{
    const struct data_host *h = &f->host_state;
    d->overhead = fmax(d->overhead, f->overhead);
    d->stolen += h->stolen;
    d->wanted += h->wanted;
    for (int i = 0; i < 2 && h->has_load; i++)
        if (h->load[i] - fmax(1, f->world) > d->load) {
            d->load = h->load[i] - fmax(1, f->world);
            d->cores = f->cores;
        }
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
        read_host(d, &set->files[i]);
    for (size_t i = 0; i < set->nexperiments; i++)
        read_experiment(d, set->experiments[i], round);
    dataset_destroy(set);
    diag_destroy(diag);
    arena_destroy(a);
    return result;
}

/* The largest value of an element of the places of an experiment, and whether it varies. */
static double largest(const struct run_data *d, size_t experiment, size_t element, bool *varies)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < d->npoints; i++) {
        const struct run_point *p = &d->points[i];
        if (p->experiment != experiment || element >= p->nplace || isnan(p->place[element]))
            continue;
        low = fmin(low, p->place[element]);
        high = fmax(high, p->place[element]);
    }
    *varies = low < high;
    return high;
}

const char *run_data_beyond(const struct run_data *d, const char *experiment)
{
    size_t e = 0;
    const char *words = NULL;
    char number[NUMBER_SIZE];
    while (e < d->nexperiments && strcmp(d->experiments[e].name, experiment) != 0)
        e++;
    if (e == d->nexperiments)
        return NULL;
    size_t n = d->experiments[e].nvariables;
    bool own_P = false;
    for (size_t k = 1; k <= n + 1; k++) { /* P comes last */
        const char *name = k <= n ? d->experiments[e].variables[k - 1] : "P";
        bool varies;
        double value = largest(d, e, k <= n ? k : 0, &varies);
        own_P |= k <= n && !strcmp(name, "P");
        if (!varies || (k > n && own_P))
            continue;
        words = arena_printf(d->arena, "%s%s%s=%s", words ? words : "", words ? " " : "", name,
                             number_text(words ? value : 2 * value, number));
    }
    return words;
}

bool run_data_is_zero(const struct run_data *d, const char *experiment)
{
    size_t found = 0;
    for (size_t i = 0; i < d->npoints; i++) {
        const struct run_point *p = &d->points[i];
        if (strcmp(d->experiments[p->experiment].name, experiment) || p->time != TIME_CLOCK)
            continue;
        found++;
        for (size_t k = 0; k < p->n; k++)
            if (p->samples[k].value != 0)
                return false;
    }
    return found != 0;
}
