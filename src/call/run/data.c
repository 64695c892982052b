/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the data files of the rounds. Each of them is loaded once, into a data set of its own, and made
 * into points as llac makes them. Of each point and file a bounded number of samples is kept, which is
 * enough to see whether the value moves; then the data set is freed. The time is linear in the size of
 * the files, however many rounds there are.
 */
#include "call/run/data.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "data/dataset.h"
#include "data/load.h"
#include "model/points.h"

enum { MAX_POINTS = 20000, MAX_SAMPLES = 200 };

void run_data_init(struct run_data *d, struct arena *a)
{
    *d = (struct run_data){.arena = a};
}

/* ---- experiments and formulas ---- */

const struct run_experiment *run_data_find(const struct run_data *d, const char *name)
{
    for (size_t i = 0; i < d->nexperiments; i++)
        if (!strcmp(d->experiments[i].name, name))
            return &d->experiments[i];
    return NULL;
}

/* The index of the experiment of this name. */
static size_t add_experiment(struct run_data *d, const char *name)
{
    const struct run_experiment *known = run_data_find(d, name);
    if (known)
        return (size_t)(known - d->experiments);
    ARENA_ADD(d->arena, d->experiments, d->nexperiments, &d->cexperiments,
              (struct run_experiment){.name = arena_strdup(d->arena, name)});
    return d->nexperiments - 1;
}

static const char *const time_names[TIMES] = {"CLOCK", "CPUTIME", "DEVICE", "TRANSFER"};

/* What is known with the times of kernels and copies. */
static bool is_of_device(const char *observable)
{
    return !strcmp(observable, "BYTES_IN") || !strcmp(observable, "BYTES_OUT") ||
           !strcmp(observable, "LAUNCHES") || !strcmp(observable, "WAVES");
}

static void add_formula(struct run_data *d, struct run_experiment *e,
                        const struct observable_formula *f)
{
    const char *experiment = e->name, *observable = f->observable;
    bool is_time = !strcmp(observable, "SELF"); /* llac computes it from the clock */
    e->wanted[TIME_CLOCK] |= is_time;
    for (int t = 0; t < TIMES; t++)
        if (!strcmp(observable, time_names[t]))
            e->wanted[t] = is_time = true;
    for (size_t i = 0; i < d->nformulas; i++)
        if (!strcmp(d->formulas[i].experiment, experiment) &&
            !strcmp(d->formulas[i].observable, observable))
            return;
    ARENA_ADD(d->arena, d->formulas, d->nformulas, &d->cformulas,
              (struct run_formula){experiment, arena_strdup(d->arena, observable),
                                   arena_strdup(d->arena, f->text),
                                   !is_time && !is_of_device(observable)});
}

/* ---- points ---- */

/* "f P=4 N=1024": P comes first, and is left out where it is 1. */
static const char *point_key(const struct run_data *d, const struct run_point *p,
                             const struct points *of)
{
    char number[NUMBER_SIZE];
    const char *key = d->experiments[p->experiment].name;
    size_t variables = of->request->experiment->nvariables;
    if (variables < p->nplace && p->place[variables] != 1)
        key = arena_printf(d->arena, "%s P=%s", key, number_text(p->place[variables], number));
    for (size_t i = 0; i < variables; i++)
        if (!isnan(p->place[i]))
            key = arena_printf(d->arena, "%s %s=%s", key, of->names[i],
                               number_text(p->place[i], number));
    return key;
}

/* Point i of a file as one of all files; NULL if there are too many already. */
static struct run_point *find_point(struct run_data *d, const struct run_point *like,
                                    const struct points *of)
{
    TEXT_LOCAL struct text at = text_new();
    text_printf(&at, "%zu %d", like->experiment, (int)like->time);
    for (size_t i = 0; i < like->nplace; i++)
        text_printf(&at, " %a", like->place[i]);
    size_t index = lookup_find(&d->known, at.s, at.n);
    if (index != SIZE_MAX)
        return &d->points[index];
    if (d->npoints == MAX_POINTS)
        return NULL;
    double *place = arena_alloc(d->arena, like->nplace, sizeof *place);
    memcpy(place, like->place, like->nplace * sizeof *place);
    lookup_add(&d->known, d->arena, arena_strdup(d->arena, at.s), d->npoints);
    ARENA_ADD(d->arena, d->points, d->npoints, &d->cpoints, *like);
    struct run_point *p = &d->points[d->npoints - 1];
    p->place = place;
    p->key = point_key(d, p, of);
    return p;
}

/* The samples of point i of a file, or as many of them, evenly over their quantiles. */
static void add_samples(struct run_data *d, struct run_point *p, const struct points *of, size_t i,
                        unsigned round)
{
    const double *kept = of->kept + of->first_kept[i];
    size_t n = of->first_kept[i + 1] - of->first_kept[i], step = n / MAX_SAMPLES + 1;
    for (size_t k = (n - 1) % step / 2; k < n; k += step)
        ARENA_ADD(d->arena, p->samples, p->n, &p->capacity, (struct steady_sample){kept[k], round});
    p->level = points_quantile(of, i);
    p->overhead = fmax(p->overhead, of->overhead[i]);
}

static void read_points(struct run_data *d, struct run_point *like, const struct points *of,
                        unsigned round)
{
    MEM_LOCAL double *place = mem_alloc(of->nnames + 1, sizeof *place);
    like->place = place;
    like->nplace = of->nnames;
    for (size_t i = 0; i < of->n; i++) {
        for (size_t j = 0; j < of->nnames; j++)
            place[j] = of->at[j][i];
        struct run_point *p = find_point(d, like, of);
        if (p)
            add_samples(d, p, of, i, round);
    }
}

static void name_places(struct run_data *d, struct run_experiment *e, const struct points *of)
{
    if (e->names)
        return;
    e->nnames = of->nnames;
    e->names = arena_alloc(d->arena, of->nnames + 1, sizeof *e->names);
    e->settings = arena_alloc(d->arena, of->nnames + 1, sizeof *e->settings);
    for (size_t j = 0; j < of->nnames; j++) {
        e->names[j] = arena_strdup(d->arena, of->names[j]);
        e->settings[j] =
            dataset_is_setting(of->request->dataset, of->request->experiment, of->names[j]);
    }
}

/* 0, or -1 with a diagnostic. */
static int read_experiment(struct run_data *d, const struct dataset *set,
                           const struct experiment *e, unsigned round, struct diag *diag)
{
    struct run_point like = {.experiment = add_experiment(d, e->name)};
    struct run_experiment *found = &d->experiments[like.experiment];
    int status = 0;
    for (size_t i = 0; i < e->nformulas; i++)
        add_formula(d, found, &e->formulas[i]);
    found->wanted[TIME_CLOCK] |=
        !found->wanted[TIME_CPU] && !found->wanted[TIME_DEVICE] && !found->wanted[TIME_TRANSFER];
    d->rows += e->nrows;
    for (int t = 0; t < TIMES && !status; t++) {
        struct points_request request = {
            .dataset = set, .experiment = e, .observable = time_names[t]};
        ARENA_LOCAL struct arena *a = arena_create();
        struct points of;
        like.time = (enum run_time)t;
        if (experiment_find_observable(e, time_names[t]) != SIZE_MAX &&
            !(status = points_make(a, &request, diag, &of))) {
            name_places(d, found, &of);
            read_points(d, &like, &of, round);
        }
    }
    return status;
}

/* The program itself is a part of the load. */
static void read_host(struct run_data *d, const struct data_file *f)
{
    const struct data_host *h = &f->host_state;
    d->stolen += h->stolen;
    d->wanted += h->wanted;
    d->cores = fmax(d->cores, f->cores); /* a launcher binds few processes to fewer cores */
    for (int i = 0; i < 2 && h->has_load; i++)
        d->load = fmax(d->load, h->load[i] - fmax(1, f->world));
}

int run_data_read(struct run_data *d, const char *path, unsigned round)
{
    static const struct load_options options = {.may_be_empty = true};
    ARENA_LOCAL struct arena *a = arena_create();
    DIAG_LOCAL struct diag *diag = diag_create();
    struct dataset *set = dataset_create();
    int result = dataset_load(set, path, &options, a, diag);
    for (size_t i = 0; i < set->nfiles; i++)
        read_host(d, &set->files[i]);
    for (size_t i = 0; i < set->nexperiments && !result; i++)
        result = read_experiment(d, set, set->experiments[i], round, diag);
    if (result)
        diag_print(diag, stderr, 0);
    dataset_destroy(set);
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

/* Do formulas have this variable: those of the experiment, or of all if that is NULL? `*n`: how many there are. */
static bool is_used(const struct run_data *d, const char *experiment, const char *name, size_t *n)
{
    ARENA_LOCAL struct arena *a = arena_create();
    bool used = false;
    *n = 0;
    for (size_t i = 0; i < d->nformulas && !used; i++) {
        if (experiment && strcmp(d->formulas[i].experiment, experiment) != 0)
            continue;
        const struct formula *f =
            formula_parse_text(a, d->formulas[i].text, d->formulas[i].experiment, NULL);
        used = f && formula_uses(a, f, name);
        ++*n;
    }
    return used;
}

/* Is it a setting that a prediction of the experiment does not need? It is in no formula of it, or, without one, in no formula at all,
 * and equals a variable of the program everywhere (see points_repeats). */
static bool is_needless(const struct run_data *d, size_t experiment, size_t element)
{
    const struct run_experiment *e = &d->experiments[experiment];
    size_t n;
    bool same = false;
    if (!e->settings[element] || is_used(d, e->name, e->names[element], &n))
        return false;
    if (n)
        return true;
    for (size_t k = 0; k < element && !same; k++) {
        same = !e->settings[k];
        for (size_t i = 0; i < d->npoints && same; i++)
            same = d->points[i].experiment != experiment || element >= d->points[i].nplace ||
                   d->points[i].place[k] == d->points[i].place[element];
    }
    return same && !is_used(d, NULL, e->names[element], &n);
}

const char *run_data_beyond(const struct run_data *d, const char *experiment)
{
    const struct run_experiment *found = run_data_find(d, experiment);
    const char *words = NULL;
    for (size_t k = 0; found && k < found->nnames; k++) {
        size_t e = (size_t)(found - d->experiments);
        bool varies;
        double value = largest(d, e, k, &varies);
        if (varies && !is_needless(d, e, k))
            words = arena_printf(d->arena, "%s%s%s=%s", words ? words : "", words ? " " : "",
                                 found->names[k],
                                 number_text(words ? value : 2 * value, NUMBER_BUFFER));
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

/* ---- steadiness ---- */

static bool is_judged(const struct run_data *d, const struct run_point *p, enum run_judged which)
{
    return which == JUDGE_CPU ? p->time == TIME_CPU : d->experiments[p->experiment].wanted[p->time];
}

/* Samples are in the order of the rounds. */
static size_t samples_before(const struct run_point *p, unsigned rounds)
{
    size_t n = p->n;
    while (n && p->samples[n - 1].round >= rounds)
        n--;
    return n;
}

struct run_verdict run_data_judge(const struct run_data *d, unsigned rounds, double seconds,
                                  double tolerance, enum run_judged which)
{
    struct run_verdict v = {.worst = ""};
    struct steady_draws draws = steady_begin(rounds, seconds);
    MEM_LOCAL double *parts = mem_alloc(d->npoints + 1, sizeof *parts);
    for (size_t i = 0; i < d->npoints && rounds > 1; i++) {
        const struct run_point *p = &d->points[i];
        size_t n = samples_before(p, rounds);
        if (!is_judged(d, p, which) || !n)
            continue;
        struct steady_value known = steady_value(&draws, p->level, p->samples, n);
        if (points_is_below(known.value, p->overhead, TRUSTED_OVERHEADS))
            continue;
        if (isnan(known.part)) {
            v.single++;
            continue;
        }
        parts[v.points++] = known.part;
        v.unsteady += known.part > tolerance;
        if (known.part >= v.worst_part) {
            v.worst = p->key;
            v.worst_part = known.part;
            v.worst_is_short = points_is_below(known.value, p->overhead, SHORT_OVERHEADS);
        }
    }
    if (v.points) {
        stats_sort(parts, v.points);
        v.typical = parts[(9 * v.points + 9) / 10 - 1]; /* of few points: the last one */
    }
    return v;
}

bool run_is_steady(const struct run_verdict *v, bool all)
{
    return all ? v->unsteady == 0 : v->unsteady * 10 <= v->points;
}
