/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output about counts, and about predictions for a machine on which nothing was measured. */
#ifndef LLAC_MACHINE_ELSEWHERE_OUTPUT_H
#define LLAC_MACHINE_ELSEWHERE_OUTPUT_H

#include <jansson.h>

#include "carry/carry.h"
#include "llac/machine/moved.h"
#include "llac/session.h"

void text_counts(FILE *out, const struct report *const *list, size_t n);
json_t *json_counts(const struct report *const *list, size_t n);

/* One constant on the other machine. */
struct carried {
    const char *name;
    double value; /* seconds for one unit of the term */
    double term;  /* seconds: what it contributes */
    struct carry_ratio ratio;
    double
        moved; /* the constant of the interval that holds there, divided by that of the interval here */
    double least, most; /* the same, if the boundaries are off */
};
struct elsewhere {
    const struct machine *from, *to;
    const struct model *model;
    struct prediction here; /* on `from` */
    double value, low, high;
    double known; /* the part of the formula without constants */
    struct carried *constants;
    size_t nconstants;
    struct moved_model moved;
    const struct moved_level *never_left; /* NULL = none (moved.h) */
    bool counted, counted_there;          /* there are counts; also for the architecture of `to` */
    const struct misses *misses_from,
        *misses_to; /* in the caches of the machines; NULL: not known */
    double slow_from,
        slow_to; /* how much longer operations take at times on the machines (carry/spread.h) */
};
/* Row `row` of `rows`. */
void text_elsewhere(FILE *out, const struct elsewhere *e, size_t row, size_t rows);
json_t *json_elsewhere(const struct elsewhere *e);
json_t *json_moved(const struct moved_model *m);

struct before_term {
    const char *name;
    const struct operation_mix *mix;
    double instructions, bytes; /* bytes of blocks of memory */
    struct cost cost;
};
struct before {
    const struct report_experiment *experiment;
    const struct machine *machine;
    struct place place;
    struct before_term *terms;
    size_t nterms;
    struct cost operations;      /* of all terms */
    double known;                /* the part of the formula without constants */
    const struct misses *shares; /* in the caches of the machine; NULL: not known */
    struct cost misses;          /* what they add */
    const char **left_out;       /* constants whose terms cannot be computed before a run */
    size_t nleft_out;
};
void text_before(FILE *out, const struct before *b, size_t row, size_t rows);
json_t *json_before(const struct before *b);

#endif
