/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The counted executions as a data set: one sample per execution. */
#include <math.h>

#include "count/model.h"
#include "count/report.h"

/* Observables that are sums of events of callgrind. Without the events of the simulated caches, LOADS and
 * STORES come from the classes of the instructions. */
static const struct observable {
    const char *name, *events[2];
} table[] = {
    {"INSTRUCTIONS", {"Ir", NULL}},  {"LOADS", {"Dr", NULL}},
    {"STORES", {"Dw", NULL}},        {"I1_MISSES", {"I1mr", NULL}},
    {"D1_MISSES", {"D1mr", "D1mw"}}, {"D1_LOAD_MISSES", {"D1mr", NULL}},
    {"LL_MISSES", {"DLmr", "DLmw"}}, {"LL_LOAD_MISSES", {"DLmr", NULL}},
    {"SET_BYTES", {NULL, NULL}},     {"COPIED_BYTES", {NULL, NULL}},
};
enum {
    OBSERVABLES = sizeof table / sizeof *table,
    INSTRUCTIONS = 0,
    LOADS = 1,
    STORES = 2,
    SET_BYTES = OBSERVABLES - 2,
    COPIED_BYTES,
};

static double accesses(const struct execution *e, const struct count_sites *sites, bool writes)
{
    double sum = 0;
    for (size_t i = 0; i < e->n; i++) {
        const struct instruction *k = &sites->instructions[e->counts[i].instruction];
        sum += (writes ? k->writes : k->reads) ? e->counts[i].count : 0;
    }
    return sum;
}

/* Bytes of blocks; nan if the program has none. */
static double block_bytes(const struct counts *c, const struct count_sites *sites,
                          const struct execution *e, bool copied)
{
    double sum = 0;
    bool any = false;
    for (size_t i = 0; i < c->ninstructions && !any; i++)
        any = copied ? sites->instructions[i].copied : sites->instructions[i].set;
    for (size_t i = 0; i < e->n; i++) {
        const struct instruction *k = &sites->instructions[e->counts[i].instruction];
        sum += e->counts[i].count * (copied ? k->copied : k->set);
    }
    return any ? sum : NAN;
}

/* nan if it was not counted. */
static double value_of(const struct counts *c, const struct count_sites *sites,
                       const struct execution *e, size_t observable)
{
    double sum = 0;
    if (observable == INSTRUCTIONS)
        return count_sites_instructions(sites, e);
    if (observable >= SET_BYTES)
        return block_bytes(c, sites, e, observable == COPIED_BYTES);
    for (size_t i = 0; i < 2 && table[observable].events[i]; i++) {
        size_t at = counts_event(c, table[observable].events[i]);
        if (at == c->nevents)
            return observable == LOADS || observable == STORES
                       ? accesses(e, sites, observable == STORES)
                       : NAN;
        sum += e->totals[at];
    }
    return sum;
}

static bool is_processors(const char *name)
{
    return !strcmp(name, "P");
}

/* One experiment's executions. */
static void add_experiment(struct arena *a, const struct counts *c, const struct count_sites *sites,
                           const struct experiment *from, struct dataset *to)
{
    struct experiment *e = NULL;
    size_t columns[OBSERVABLES];
    for (size_t i = 0, seq = 0; i < c->nexecutions; i++) {
        const struct execution *x = &c->executions[i];
        if (strcmp(x->experiment, from->name) != 0)
            continue;
        if (!e) {
            e = dataset_add_experiment(to, from->name);
            for (size_t k = 0; k < x->nvalues; k++)
                if (!is_processors(x->names[k]))
                    experiment_add_variable(to, e, x->names[k]);
            for (size_t k = 0; k < OBSERVABLES; k++)
                columns[k] = isnan(value_of(c, sites, x, k))
                                 ? SIZE_MAX
                                 : experiment_add_observable(to, e, table[k].name);
            for (size_t k = 0; k < from->nsources; k++)
                experiment_add_source(to, e, from->sources[k]);
            const char *formula = count_model_formula(from);
            for (size_t k = 0; k < OBSERVABLES && *formula; k++)
                if (columns[k] != SIZE_MAX)
                    experiment_set_formula(to, e, table[k].name, formula, 0);
            experiment_add_segment(e, 0);
        }
        double *row = arena_zalloc(a, e->ncolumns, sizeof *row);
        const double **pointers = arena_alloc(a, e->ncolumns, sizeof *pointers);
        row[FIELD_SEQ] = (double)seq++;
        row[FIELD_P] = (double)x->processes;
        row[FIELD_RANK] = (double)x->rank;
        row[FIELD_THREAD] = x->thread;
        row[FIELD_COUNT] = 1;
        for (size_t k = 0, v = FIELD_FIXED; k < x->nvalues; k++) {
            if (!is_processors(x->names[k]))
                row[v++] = x->values[k];
            else if (x->values[k] > 0)
                row[FIELD_P] = x->values[k];
        }
        for (size_t k = 0; k < OBSERVABLES; k++)
            if (columns[k] != SIZE_MAX)
                row[columns[k]] = value_of(c, sites, x, k);
        for (size_t k = 0; k < e->ncolumns; k++)
            pointers[k] = &row[k];
        experiment_append(e, pointers, NULL, 1);
    }
}

struct dataset *count_report_data(struct arena *a, const struct counts *c,
                                  const struct count_sites *sites, const struct dataset *data,
                                  const char *flags)
{
    struct dataset *d = dataset_create();
    struct data_file file = data->files[0];
    static const char *notes[] = {"counted by callgrind: the figures are exact"};
    file.notes = notes;
    file.nnotes = 1;
    file.clock = "none"; /* nothing was timed */
    file.flags = flags;
    file.nprocesses = 0;
    file.overhead = file.overhead_spread = file.resolution = file.empty = 0;
    dataset_add_file(d, &file);
    for (size_t i = 0; i < data->nexperiments; i++)
        add_experiment(a, c, sites, data->experiments[i], d);
    return d;
}
