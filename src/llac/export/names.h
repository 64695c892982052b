/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of functions and arguments in exported code. */
#ifndef LLAC_EXPORT_NAMES_H
#define LLAC_EXPORT_NAMES_H

#include "base/text.h"
#include "llac/session.h"

/* Names of the data and the identifiers that stand for them: valid and free in C, C++, Python,
 * gnuplot and JavaScript, and different from each other. */
struct export_names {
    struct arena *arena;
    const char **names, **identifiers;
    size_t n;
    bool intervals; /* IDENTIFIER_interval must also be free */
};

/* The arguments of a model's function: its variables, in order. */
struct export_names export_arguments(struct arena *a, const struct model *m);
/* predict_NAME, predict_NAME_OBS for other observables than CLOCK; identifiers[i] is of fits[i]. They also
 * differ from each other with _interval added. */
struct export_names export_functions(struct arena *a, struct fit_state *const *fits, size_t n);
/* The identifier of a name that is in the list. */
const char *export_identifier(const struct export_names *list, const char *name);

/* Text from the data inside a comment of C, Python or gnuplot: it stays on its line and in the
 * comment. */
void export_comment(struct text *out, const char *text);
/* A field of CSV. */
void export_csv_field(FILE *out, const char *text);

#endif
