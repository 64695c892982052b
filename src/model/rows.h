/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of an experiment while they become points: which group each is in, and tables of rows that
 * are alike. */
#ifndef MODEL_ROWS_H
#define MODEL_ROWS_H

#include <stdint.h>

#include "base/tuples.h"
#include "data/dataset.h"
#include "model/points.h"

/* Work of one points_make. */
struct grouping {
    const struct experiment *e;
    const struct data_file *files;
    const struct column **keys; /* columns of the tuple, in the order of points.names */
    size_t nkeys;
    const struct column **varying;
    size_t nvarying;
    unsigned char *keep;
    uint32_t *group; /* per row; UINT32_MAX = not used */
    size_t *first;   /* per group: the row that opened it */
    size_t ngroups, capacity;
    struct tuples tuples; /* of the varying columns, per group; 0 if none varies */
    double *tuple;        /* one */
};

/* In group[row], while rows are grouped: the row has no value, and counts against its group. */
#define ROWS_MISSING 0x80000000u
/* Drops the groups in which more rows have no value than have one, and the rows without a value. */
void rows_drop_rare(struct grouping *g);

/* The bits of a value; -0 and 0 are one value. */
uint64_t rows_bits(double x);

/* Numbers for rows that are alike in job (all files of one run), group and some fixed columns, a list that FIELD_FIXED
 * ends: per row, in the order in which they appear; UINT32_MAX where the row is in no group. *n gets how many there are.
 * The caller frees it. */
uint32_t *rows_alike(const struct grouping *g, const int *fields, size_t *n);
/* The columns of an execution, which has a row for each of its ranks. */
extern const int rows_execution[];

/* Where the runs of each group took place, by the headers of their files, and which segments have a sample. */
void rows_settings(struct arena *a, const struct grouping *g, struct points *out);

#endif
