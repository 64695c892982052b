/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a check needs of a model, in the JSON file that `export` writes: the member "check" of each fit.
 * It has the constants and the predictions at the measured points, with their variances.
 */
#ifndef LLAC_CHECK_SAVED_H
#define LLAC_CHECK_SAVED_H

#include <jansson.h>

#include "llac/session.h"
#include "model/check.h"

/* The member "check" of a fit. */
json_t *check_json_of_fit(struct fit_state *state);

struct saved_models {
    struct check_side *sides;
    size_t n;
};

/*
 * Reads a file that `export` wrote, a JSON list whose first element has a member "check", into the arena. *saved tells
 * whether the file is one; if it is not, or cannot be read, nothing is reported: it may be a data file. 0, or -1 with an
 * error. The file is read once: between two readings it could change or become unreadable.
 */
int check_read_saved(struct arena *a, const char *path, struct diag *diag, struct saved_models *out,
                     bool *saved);

#endif
