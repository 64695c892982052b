/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of commands: text for people, one JSON value per command for programs. */
#ifndef LLAC_OUTPUT_OUTPUT_H
#define LLAC_OUTPUT_OUTPUT_H

#include <jansson.h>

#include "base/number.h"
#include "llac/session.h"
#include "model/advise.h"
#include "model/compare.h"
#include "model/search.h"

/* text */
/* of_machine: with the warnings about the machine, which several fits of one data set print once together. */
void text_fit(FILE *out, const struct fit_state *state, const struct model *m, bool of_machine);
/* A line that names the observable; nothing for CLOCK. */
void text_observable(FILE *out, const char *observable);
/* Which samples were left out, and why; nothing if all of them are used. Not `wrapped`: one line for each
 * statement. */
void text_account(FILE *out, const struct points_account *a, bool wrapped);
/* That a computed observable has its statistic at the other end; nothing otherwise. */
void text_falls(FILE *out, const struct points *p);
/* What the values of a program with several ranks stand for, unless it is the slowest rank. */
void text_rank_values(FILE *out, const struct points *p);
/* Whether there were more processes than cores; for commands that do not print warnings. */
void text_oversubscribed(FILE *out, const struct points_account *a);
/* The constants of a model with their intervals, and the boundaries. */
void text_constants(FILE *out, const struct model *m);
void text_prediction(FILE *out, const struct model *m, const struct prediction *p);
/* Several of them as a table: the head, then each row. */
void text_prediction_head(FILE *out, const struct prediction *p);
void text_prediction_row(FILE *out, const struct prediction *p);
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
    const char *experiment, *observable;
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
/* Of the rows of this file; NULL = of all. */
struct table_summary table_summarise(const struct table *t, const char *file);
/* 1: inside its interval, 0: outside, -1: it has none. */
int table_inside(const struct table_row *row);
/* The numbers of intervals, and what they mean. */
void text_table_intervals(FILE *out, const struct table *t);
/* Text in lines of at most 80 columns, the first after `first`, the others after as many blanks.
 */
void text_wrapped(FILE *out, const char *first, const char *text);
/* error % = 100 (measured - predicted) / measured; nan where nothing was measured */
double table_error(const struct table_row *row);
void text_search(FILE *out, const struct fit_state *state, const struct model *m,
                 const struct search_result *r);
void text_comparison(FILE *out, const struct fit_state *state, const struct comparison *c);
void text_advice(FILE *out, const struct model *m, const struct advice *a);
/* Which command says what to measure for a prediction at the place, and its first point; advice NULL: only the command.
 */
void text_advise_command(FILE *out, const struct model *m, struct place place,
                         const struct advice *advice);
/* "[0.12, 0.34]" */
enum { RANGE_SIZE = 2 * NUMBER_SIZE + 8 };
char *range_text(double low, double high, int digits, char buffer[RANGE_SIZE]);
/* Remarks about the place of a prediction: outside the data, in the gap of a boundary, in a
 * combination of them that was never measured. *n gets their number. */
char **place_remarks(struct arena *a, const struct prediction *p, size_t *n);
/* Where it enters a regime that no data speak of: a variable leaves the data by more than 4 times,
 * or at all when constants changed with it; where the fit does not use the outermost value; and where
 * the formula asks for more than the machine file has. Beyond the data, the constants that the data do not
 * determine. The same text for all predictions alike. */
char **regime_remarks(struct arena *a, const struct model *m, const struct prediction *p,
                      size_t *n);

/* JSON */
json_t *json_number(double x);    /* integers without a point, null for nan and infinities */
json_t *json_text(const char *s); /* bytes that are not UTF-8 are escaped */
/* Sets a key that is the name of something in the data: any bytes. */
void json_set(json_t *object, const char *key, json_t *value);
json_t *json_fit(const struct fit_state *state, const struct model *m);
json_t *json_account(const struct points_account *a);
json_t *json_rank_values(const struct points *p); /* null: the slowest rank */
/* {"N": 4096, "P": 8} */
json_t *json_place(struct place p);
json_t *json_prediction(const struct model *m, const struct prediction *p);
json_t *json_table(const struct table *t);
json_t *json_where(const struct model_piece *p);
json_t *json_search(const struct fit_state *state, const struct model *m,
                    const struct search_result *r);
json_t *json_comparison(const struct fit_state *state, const struct comparison *c);
json_t *json_advice(const struct model *m, const struct advice *a);
/* The constants of a model and their pieces. */
json_t *json_constants(const struct model *m);
/* Prints on a line of its own and releases the value. */
void json_print(FILE *out, json_t *value);

#endif
