/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What commands print: as text for people, as one JSON value per command for programs. */
#ifndef LLAC_OUTPUT_H
#define LLAC_OUTPUT_H

#include <jansson.h>

#include "llac/session.h"
#include "model/advise.h"
#include "model/compare.h"
#include "model/search.h"

/* text */
void text_fit(FILE *out, const struct fit_state *state, const struct model *m);
/* The constants of a model with their intervals, and the boundaries. */
void text_constants(FILE *out, const struct model *m);
void text_prediction(FILE *out, const struct model *m, const struct prediction *p);
/* Several of them as a table: the head, then each row. */
void text_prediction_head(FILE *out, const struct prediction *p);
void text_prediction_row(FILE *out, const struct prediction *p);
struct table_row {
    const double *at; /* per column */
    double measured, predicted;
};
struct table {
    const char *experiment;
    const char *const *columns;
    size_t ncolumns;
    const struct table_row *rows;
    size_t nrows;
};
void text_table(FILE *out, const struct table *t);
/* Text in lines of at most 80 columns, the first behind `first`, the others behind as many blanks.
 */
void text_wrapped(FILE *out, const char *first, const char *text);
/* error % = 100 (measured - predicted) / measured; nan where nothing was measured */
double table_error(const struct table_row *row);
/* "N is 16 times beyond the data" */
char *extrapolation_text(struct arena *a, const struct extrapolation *e);
void text_search(FILE *out, const struct fit_state *state, const struct model *m,
                 const struct search_result *r);
void text_comparison(FILE *out, const struct fit_state *state, const struct comparison *c);
void text_advice(FILE *out, const struct model *m, const struct advice *a);

/* JSON */
json_t *json_number(double x);    /* integers without a point, null for nan and infinities */
json_t *json_text(const char *s); /* bytes that are not UTF-8 are replaced */
json_t *json_fit(const struct fit_state *state, const struct model *m);
json_t *json_prediction(const struct model *m, const char *const *names, size_t n,
                        const struct prediction *p);
json_t *json_table(const struct table *t);
json_t *json_search(const struct fit_state *state, const struct model *m,
                    const struct search_result *r);
json_t *json_comparison(const struct fit_state *state, const struct comparison *c);
json_t *json_advice(const struct model *m, const struct advice *a);
/* The constants of a model and their pieces. */
json_t *json_constants(const struct model *m);
/* Prints on a line of its own and releases the value. */
void json_print(FILE *out, json_t *value);

#endif
