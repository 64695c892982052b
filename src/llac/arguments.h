/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts that several commands have. Each returns 0, or -1 (NULL) with a message. */
#ifndef LLAC_ARGUMENTS_H
#define LLAC_ARGUMENTS_H

#include "base/range.h"
#include "llac/session.h"

/* NAME of an experiment that is there. */
const struct experiment *read_experiment(struct session *s, struct cursor *c);
/* [on OBS] */
int read_observable(struct cursor *c, const char **observable);
int arguments_check_observable(struct session *s, struct cursor *c, const struct experiment *e,
                               const char *observable);
/* Names of files, in the cursor's arena. */
struct paths {
    char **list;
    size_t n, capacity;
    bool matched; /* some matched a pattern */
};
/* The next word, added as files: a name in quotes, of a file that is there, or without * ? [ and ~ in
 * front, is one file; else it is a pattern, and means the files that match it, in the order of their
 * names. *where (may be NULL) is the word without quotes. 0, or -1 with an error. */
int read_paths(struct cursor *c, struct paths *out, struct span *where);
/* A number that is not negative; with `percent` a % may follow. */
int read_number(struct cursor *c, const char *what, bool percent, double *value);
/* A time that is not negative: 60s, 5min, 0.5h, 100ms. */
int read_time(struct cursor *c, const char *what, double *seconds);
/* Values of variables that a command names. */
enum { MOST_VARIABLES = 256 };
struct given_place {
    const char *names[MOST_VARIABLES];
    double values[MOST_VARIABLES];
    size_t n;
};
/* VAR= of one more value, after the n names that were given before: the name, and where the value is. NULL with an error. */
char *read_variable(struct cursor *c, const char *const *names, size_t n, struct span *name_at,
                    struct span *value_at);
/* One VAR=VALUE, added to the place. */
int read_place_value(struct cursor *c, struct given_place *out);
/* The places of predictions: per variable a list of values. */
struct assignments {
    const char **names;
    struct range *values;
    struct span *spans; /* of the names */
    size_t n, rows;     /* rows = product of the lengths */
};
/* VAR=VALUES..., up to the end or one of the words (ended by NULL). */
int read_assignments(struct cursor *c, const char *const *words, struct assignments *out);
/* Row r of the product; the last variable runs fastest. */
void arguments_row(const struct assignments *a, size_t r, double *values);

#endif
