/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The count report: a JSON object (docs/reference/count-format.md), and its text.
 *
 *     const struct count_sites *sites = count_sites_make(arena, counts, NULL, 0, diag);
 *     json_t *report = count_report_make(arena, counts, sites, data, &about, diag);
 *     count_report_print(stdout, report);
 *     json_decref(report);
 */
#ifndef COUNT_REPORT_H
#define COUNT_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "count/sites.h"
#include "data/dataset.h"

struct count_about {
    const char *program, *command, *flags; /* "matinit.c", "call count matinit.c", "-O2" */
    const char *machine; /* whose caches are simulated; NULL: callgrind's own, or none */
    const char *d1, *ll; /* these, "SIZE,WAYS,LINE" */
};

/* The report on all experiments of `data` with a counted execution. Experiments whose formula
 * cannot be used give errors in `diag` and are left out. NULL after errors if a source
 * cannot be read. The caller owns the result. */
json_t *count_report_make(struct arena *a, const struct counts *counts,
                          const struct count_sites *sites, const struct dataset *data,
                          const struct count_about *about, struct diag *diag);

/* The report for people; the execution graphs of its experiments (count/graph.h). */
void count_report_print(FILE *out, const json_t *report);
void count_graph_print(FILE *out, const json_t *report);

/* The counted executions as a data set: observables INSTRUCTIONS, LOADS, STORES and, if caches were
 * simulated, D1_MISSES, LL_MISSES and so on. `flags`: the user's flags of the compiler. The caller owns
 * the result. */
struct dataset *count_report_data(struct arena *a, const struct counts *counts,
                                  const struct count_sites *sites, const struct dataset *data,
                                  const char *flags);

#endif
