/* SPDX-License-Identifier: MIT */
/*
 * What the converter computes before it writes a row: the columns of the table, and the totals of
 * the records that thinning took away.
 */
#ifndef SPOOL_COLUMNS_H
#define SPOOL_COLUMNS_H

#include "spool/number.h"
#include "spool/read.h"

#define COLUMN_NAME 256
/* in a map: what a record has without a value of its own */
#define COLUMN_CLOCK     (-2) /* its duration */
#define COLUMN_CPU       (-3) /* the CPU time of a watched execution */
#define COLUMN_DISTURBED (-4) /* what disturbed it */

/* A variable; several experiments may share it. */
struct read_column {
    char name[COLUMN_NAME];
    char title[COLUMN_NAME]; /* the name, or with _ appended where it is taken */
    uint64_t bits;           /* the value last written, and its text */
    unsigned length;
    char text[CLL_NUMBER_SIZE];
};

struct read_columns {
    struct read_column *vars;
    size_t nvars, room;
    const char **observables; /* CLOCK first */
    char *nanoseconds;        /* 1: the observable is in billionths */
    size_t nobs, obs_room;
    int *maps; /* per experiment: for each column the index of its value, -1: none */
    size_t maps_bytes;
    size_t *map_of; /* per id: which row of maps */
    size_t nids;
    struct read_map by_name;
};

/* The name of a variable by the rule of names: without spaces, with other characters replaced, and
   cut if it is too long. */
void cll_column_name(const char *variable, char name[COLUMN_NAME]);

/* Is the value of the observable in a record in billionths: of a second, or of a wave? */
int cll_column_in_billionths(const char *observable);

/* The columns of the experiments of a spool; 0 or ENOMEM. */
int cll_columns_make(struct read_columns *columns, const struct read_spool *spool);
/* Where the records of this spool, which may be another, have the values of the columns. */
int cll_columns_map_all(struct read_columns *columns, const struct read_spool *spool);
const int *cll_columns_map(const struct read_columns *columns, unsigned id);
void cll_columns_free(struct read_columns *columns);

/* Exact totals of one tuple: records taken away and records kept. */
struct cll_total {
    unsigned id;
    unsigned nvalues;
    double values[READ_MAX_VARS];
    uint64_t count;
    struct spool_sum sums[1 + READ_MAX_EXTRA];
};

/* Calls visit for each tuple that lost records; 0 or ENOMEM. */
int cll_totals_each(struct read_spool *spool, void (*visit)(const struct cll_total *, void *),
                    void *data);

/* How many executions were begun and left no record, computed from their numbers; 0 if records had
   to be skipped. */
int cll_totals_abandoned(struct read_spool *spool, uint64_t *abandoned);

#endif
