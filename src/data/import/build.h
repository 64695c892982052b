/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the readers of all formats share: messages with their place, and the collecting of
 * measurements. A reader names regions (what becomes an experiment), their parameters (what becomes
 * variables) and observables by the file's own names; names that llac can use are made here.
 *
 * Return rule: 0; -1 with one error in the diagnostic.
 */
#ifndef DATA_IMPORT_BUILD_H
#define DATA_IMPORT_BUILD_H

#include <stdint.h>

#include "base/tuples.h"
#include "data/import/import.h"

struct import_column {
    const char *raw, *name;
    double *values;   /* by row */
    size_t *last_row; /* observables: by point, the row that got a value last; SIZE_MAX = none */
    size_t capacity, points_capacity;
};

/* Its first and its last row, and how many it has. */
struct import_point {
    size_t first, last, n;
};

/* An experiment to be. Rows that agree in P, rank, thread and all parameters make a point; the rows
 * of a point form a chain, its repetitions. */
struct import_region {
    const char *raw;         /* path, as the file has it */
    const char *path;        /* without control characters */
    const char *short_name;  /* first choice of a name, in any characters */
    const void *tag;         /* the reader's */
    const char *formula;     /* NULL = none */
    const char **parameters; /* raw names; one named P goes to the fixed column */
    size_t nparameters;
    bool has_parameters;
    struct import_column *variables, *observables;
    size_t nvariables, nobservables;
    struct import_column fixed[FIELD_FIXED];
    size_t nrows, row_capacity;
    size_t *next;       /* by row: the next repetition of its point; SIZE_MAX = last */
    struct tuples keys; /* of the points: P, rank, thread, variables */
    struct import_point *points;
    size_t npoints, point_capacity;
};

/* One file being read. */
struct import {
    enum import_format format;
    const char *path, *text;
    const char *base_name;                /* of the path, once it was asked for; else NULL */
    size_t size, begin;                   /* begin: after a byte order mark */
    const struct import_options *options; /* never NULL */
    double unit;                          /* seconds of one unit of time */
    const struct dataset *into;
    struct dataset *fresh;
    struct data_file file;
    struct arena *arena;   /* of messages */
    struct arena *scratch; /* of this import */
    struct diag *diag;
    struct import_region **regions;
    struct lookup paths;               /* of the regions, as the file has them */
    const struct import_region *named; /* the last that got its parameters */
    size_t nregions, room_regions, ncells, notes_capacity;
    bool time_found; /* what the option `time` names */
};

/* Reports at a place of the text, or without one (import_nowhere); always -1. */
extern const struct span import_nowhere;
int import_error(struct import *in, struct span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void import_warning(struct import *in, struct span where, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds a line to the notes that `show` prints for the file. */
void import_note(struct import *in, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* [begin, end) of in->text as a whole is a number (blanks around it do not matter). */
bool import_number(const char *begin, const char *end, double *value);
/* The same for a terminated text. */
bool import_number_text(const char *s, double *value);
/* The file's name without folders and extension. */
const char *import_base_name(struct import *in);
/* An identifier made from any text. */
const char *import_identifier(struct import *in, const char *s);
/* The path of a region; the name of the file if the path names none: it is empty, or Extra-P's root of all. */
const char *import_call_path(struct import *in, const char *s);
/* The seconds of a unit such as "ms" or "msec"; 0 if `unit` is no unit of time. */
double import_seconds(const char *unit);
/* The comma-separated list as words; NULL gives none. */
size_t import_list(struct import *in, const char *list, const char ***words);

/* The region of this path; a new one gets short_name (NULL = from the path). NULL with an error. */
struct import_region *import_region(struct import *in, const char *path, const char *short_name,
                                    struct span where);
/* The same, over these parameters if it is new. */
struct import_region *import_region_over(struct import *in, const char *path,
                                         const char *short_name, const char *const *names, size_t n,
                                         struct span where);
/* The region's parameters, once. */
int import_set_parameters(struct import *in, struct import_region *r, const char *const *names,
                          size_t n, struct span where);
/* The observable of this raw name, added when it is new. */
int import_observable(struct import *in, struct import_region *r, const char *raw,
                      struct span where, size_t *index);
/* The same; a metric that is the time (option `time`, else `time` or none) becomes CLOCK, and
 * *scale is what its values are to be multiplied with. */
int import_metric(struct import *in, struct import_region *r, const char *metric, struct span where,
                  size_t *index, double *scale);
/* The row for the next value of this observable at a point: that of the next repetition.
 * observable SIZE_MAX: always a new row. `at` has the parameters in their order. */
int import_row(struct import *in, struct import_region *r, const double *at, double rank,
               double thread, size_t observable, struct span where, size_t *row);
void import_put(struct import_region *r, size_t observable, size_t row, double value);
/* import_row and import_put. */
int import_add(struct import *in, struct import_region *r, const double *at, size_t observable,
               double value, struct span where);

/* Turns the regions into the experiments of in->fresh. */
int import_finish(struct import *in);
void import_free(struct import *in);

/* The readers; those of JSON get the whole text as JSON. */
int import_read_csv(struct import *in);
int import_read_extrap_text(struct import *in);
int import_read_json_lines(struct import *in);
int import_read_talpas(struct import *in);
int import_read_perf(struct import *in);
int import_read_likwid(struct import *in);
int import_read_cube(struct import *in);
struct json_way;
int import_read_call1(struct import *in, const struct json_way *top);
int import_read_extrap_json(struct import *in, const struct json_way *top);
int import_read_google_benchmark(struct import *in, const struct json_way *top);
int import_read_hyperfine(struct import *in, const struct json_way *top);
int import_read_caliper(struct import *in, const struct json_way *top);
/* Whether the text, which may be damaged, is of the format. A table has a line of names; Caliper's
 * text begins with its first bracket. */
bool import_is_table(const char *text, size_t size);
bool import_is_perf(const char *text, size_t size);
bool import_is_caliper(const char *text, size_t size);
bool import_is_likwid(const char *text, size_t size);
bool import_is_cube(const char *text, size_t size);

#endif
