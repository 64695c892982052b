/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A reader of data files for the sweep. Per point and round it keeps a bounded number of samples,
 * which is enough to see whether the low percentile moves; the files themselves keep all.
 *
 * Why these two tests: the 10th percentile of the pooled samples settles down by itself as rounds
 * add up, even when all but one of them met a slow phase of the machine; that two rounds agree on
 * the low value says that the fast phase was seen twice.
 */
#define _GNU_SOURCE 1 /* getline */
#include "call/run/data.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_POINTS = 20000, MAX_SAMPLES = 200, MAX_COLUMNS = 1024 };
enum { COLUMN_P = 5, FIXED_COLUMNS = 9 };

void run_data_init(struct run_data *d, struct arena *a)
{
    memset(d, 0, sizeof *d);
    d->arena = a;
    d->nslots = 65536;
    d->slots = arena_zalloc(a, d->nslots, sizeof *d->slots);
}

/* ---- header lines ---- */

static void add_experiment(struct run_data *d, const char *name)
{
    for (size_t i = 0; i < d->nexperiments; i++)
        if (!strcmp(d->experiments[i], name))
            return;
    const char **list = arena_alloc(d->arena, d->nexperiments + 1, sizeof *list);
    if (d->nexperiments)
        memcpy(list, d->experiments, d->nexperiments * sizeof *list);
    list[d->nexperiments++] = arena_strdup(d->arena, name);
    d->experiments = list;
}

static void add_formula(struct run_data *d, const char *experiment, const char *observable)
{
    for (size_t i = 0; i < d->nformulas; i++)
        if (!strcmp(d->formulas[i].experiment, experiment) &&
            !strcmp(d->formulas[i].observable, observable))
            return;
    struct run_formula *list = arena_alloc(d->arena, d->nformulas + 1, sizeof *list);
    if (d->nformulas)
        memcpy(list, d->formulas, d->nformulas * sizeof *list);
    list[d->nformulas++] =
        (struct run_formula){arena_strdup(d->arena, experiment), arena_strdup(d->arena, observable),
                             strcmp(observable, "CLOCK") && strcmp(observable, "CPUTIME")};
    d->formulas = list;
}

static void read_header(struct run_data *d, char *line)
{
    char *save, *key = strtok_r(line + 1, " \n", &save), *first = strtok_r(NULL, " \n", &save);
    if (!key || !first)
        return;
    if (!strcmp(key, "experiment:")) {
        add_experiment(d, first);
    } else if (!strcmp(key, "formula:")) {
        const char *observable = strtok_r(NULL, " \n", &save);
        if (observable)
            add_formula(d, first, observable);
    } else if (!strcmp(key, "overhead:")) {
        double overhead = strtod(first, NULL);
        if (overhead > d->overhead)
            d->overhead = overhead;
    } else if (!strcmp(key, "world:")) {
        d->world = strtoul(first, NULL, 10);
    }
}

/* ---- rows ---- */

struct table {
    char *names[MAX_COLUMNS];
    size_t n, clock; /* the column CLOCK; n if there is none */
    size_t own_P;    /* the column of a variable of the program that is called P; 0 = none */
};

static struct run_point *find_point(struct run_data *d, const char *key)
{
    size_t h = 1469598103934665603u;
    for (const char *s = key; *s; s++)
        h = (h ^ (unsigned char)*s) * 1099511628211u;
    size_t k = (h ^ h >> 29) & (d->nslots - 1);
    for (; d->slots[k]; k = (k + 1) & (d->nslots - 1))
        if (!strcmp(d->points[d->slots[k] - 1].key, key))
            return &d->points[d->slots[k] - 1];
    if (d->npoints == MAX_POINTS)
        return NULL;
    d->points =
        arena_grow(d->arena, d->points, d->npoints, &d->cpoints, d->npoints + 1, sizeof *d->points);
    d->points[d->npoints] = (struct run_point){.key = arena_strdup(d->arena, key)};
    d->slots[k] = ++d->npoints;
    return &d->points[d->npoints - 1];
}

static void add_sample(struct run_data *d, struct run_point *p, double value, unsigned round)
{
    size_t same = 0;
    for (size_t i = p->n; i-- > 0 && p->rounds[i] == round && same < MAX_SAMPLES;)
        same++;
    if (same >= MAX_SAMPLES)
        return;
    if (p->n == p->capacity) {
        size_t capacity = mem_grown(p->capacity, p->n + 1);
        double *samples = arena_alloc(d->arena, capacity, sizeof *samples);
        unsigned *rounds = arena_alloc(d->arena, capacity, sizeof *rounds);
        if (p->n) {
            memcpy(samples, p->samples, p->n * sizeof *samples);
            memcpy(rounds, p->rounds, p->n * sizeof *rounds);
        }
        p->samples = samples;
        p->rounds = rounds;
        p->capacity = capacity;
    }
    p->samples[p->n] = value;
    p->rounds[p->n++] = round;
}

static size_t split(char *line, char **words, size_t limit)
{
    char *save;
    size_t n = 0;
    for (char *w = strtok_r(line, " \t\n", &save); w && n < limit;
         w = strtok_r(NULL, " \t\n", &save))
        words[n++] = w;
    return n;
}

/* A variable with the name of a fixed column has '_' behind it in the file, which is nobody's name
 * for it. */
static void restore_name(struct table *t, size_t i)
{
    size_t length = strlen(t->names[i]);
    for (size_t k = 0; k < FIXED_COLUMNS; k++)
        if (length == strlen(t->names[k]) + 1 && t->names[i][length - 1] == '_' &&
            !strncmp(t->names[i], t->names[k], length - 1)) {
            t->names[i][length - 1] = '\0';
            if (k == COLUMN_P)
                t->own_P = i;
        }
}

static void read_names(struct arena *a, struct table *t, char *line)
{
    t->n = split(line, t->names, MAX_COLUMNS);
    t->clock = t->n;
    t->own_P = 0;
    for (size_t i = 0; i < t->n; i++) {
        t->names[i] = arena_strdup(a, t->names[i]);
        if (!strcmp(t->names[i], "CLOCK"))
            t->clock = i;
        if (i >= FIXED_COLUMNS)
            restore_name(t, i);
    }
}

static void read_row(struct run_data *d, const struct table *t, char *line, unsigned round)
{
    char *words[MAX_COLUMNS], key[1024];
    if (split(line, words, MAX_COLUMNS) != t->n)
        return;
    d->rows++;
    if (t->clock >= t->n)
        return;
    double value = strtod(words[t->clock], NULL);
    if (!isfinite(value))
        return;
    bool own = t->own_P && strcmp(words[t->own_P], "nan");
    bool alone = t->n <= COLUMN_P || !strcmp(words[COLUMN_P], "1") ||
                 (own && !strcmp(words[COLUMN_P], words[t->own_P]));
    size_t n = (size_t)snprintf(key, sizeof key, "%s%s%s", words[0],
                                alone ? ""
                                : own ? " processors="
                                      : " P=",
                                alone ? "" : words[COLUMN_P]);
    for (size_t i = FIXED_COLUMNS; i < t->clock && n < sizeof key; i++)
        if (strcmp(words[i], "nan"))
            n += (size_t)snprintf(key + n, sizeof key - n, " %s=%s", t->names[i], words[i]);
    struct run_point *p = find_point(d, key);
    if (p)
        add_sample(d, p, value, round);
}

int run_data_read(struct run_data *d, const char *path, unsigned round)
{
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    char *line = NULL;
    size_t size = 0;
    ssize_t n;
    struct table t = {.n = 0};
    while ((n = getline(&line, &size, f)) > 0) {
        if (line[n - 1] != '\n')
            break;
        if (line[0] == '#')
            read_header(d, line);
        else if (!t.n)
            read_names(d->arena, &t, line);
        else
            read_row(d, &t, line, round);
    }
    int error = n > 0 || feof(f) ? 0 : errno; /* getline fails without memory, too */
    free(line);
    fclose(f);
    errno = error;
    return error ? -1 : 0;
}

/* ---- judging ---- */

bool run_data_is_zero(const struct run_data *d, const char *experiment)
{
    size_t length = strlen(experiment), found = 0;
    for (size_t i = 0; i < d->npoints; i++) {
        const struct run_point *p = &d->points[i];
        if (strncmp(p->key, experiment, length) || (p->key[length] && p->key[length] != ' '))
            continue;
        found++;
        for (size_t k = 0; k < p->n; k++)
            if (p->samples[k] != 0)
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
        if (p->rounds[i] >= from && p->rounds[i] < to)
            scratch[n++] = p->samples[i];
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
        if (p->rounds[0] == p->rounds[p->n - 1]) { /* samples are in the order of the rounds */
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
