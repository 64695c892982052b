/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Models written for other programs. */
#ifndef LLAC_EXPORT_EXPORT_H
#define LLAC_EXPORT_EXPORT_H

#include "base/text.h"
#include "llac/export/names.h"
#include "llac/session.h"

struct export_format {
    const char *extension;
    void (*write)(FILE *out, struct fit_state *const *fits, size_t n);
};

/* By the extension of the file's name; NULL if there is none such. */
const struct export_format *export_format_of(const char *path);

/* What a model is and where it was measured: lines for inside a comment, with `between` between them. */
void export_description(FILE *out, const struct fit_state *f, const char *between);
/* The writer of .js (js.c). */
void export_javascript(FILE *out, struct fit_state *const *fits, size_t n);

/* The value of a constant as an expression; where it has several, one that chooses by the
 * boundaries. */
void export_constant(struct text *out, const struct model *m, size_t constant,
                     enum formula_style style, const struct export_names *arguments);
/* A number that is valid anywhere in an expression of C, gnuplot and Python. */
void export_number(struct text *out, double value);

#endif
