/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measured beside predicted values: the rows of the command table, as text and as JSON. */
#ifndef LLAC_PREDICT_TABLE_H
#define LLAC_PREDICT_TABLE_H

#include <jansson.h>
#include "llac/session.h"

struct table_row {
    const double *at; /* per column */
    double measured, predicted;
    struct point_interval held; /* that it is held against, only where `against` is set */
    const char *file; /* that it comes from, or several of one version; NULL = the data set */
    const char *why;  /* the model has no value there: the reason; NULL = it has one */
    size_t interval;  /* from 1 on; always 1 where there is one */
    bool left_out;    /* takes no part in the fit */
};
struct table {
    const char *experiment, *observable, *statistic;
    bool against;  /* the rows are held against intervals */
    size_t nfiles; /* or versions */
    const char *const *columns;
    size_t ncolumns;
    const struct table_row *rows;
    size_t nrows;
    const struct model_piece *intervals; /* their bounds; interval i is intervals[i - 1] */
    size_t nintervals;                   /* 0 or 1 = everything is one */
};
void text_table(FILE *out, const struct table *t);
void text_table_against(FILE *out, const struct table *t);
/* How far rows are from their predictions, and how many are inside their intervals. */
struct table_summary {
    size_t points, known, inside; /* known: of those with an interval */
    size_t unpredicted;
    double mean_pct, max_pct;
};
json_t *json_table(const struct table *t);

#endif
