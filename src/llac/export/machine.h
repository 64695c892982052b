/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of the machine that exported models call, written as tables. */
#ifndef LLAC_EXPORT_MACHINE_H
#define LLAC_EXPORT_MACHINE_H

#include <jansson.h>

#include "llac/session.h"

/* Their definitions in C, Python or gnuplot, before the models; nothing if no model asks a machine. */
void export_machine_functions(FILE *out, struct fit_state *const *fits, size_t n,
                              enum formula_style style);
/* The same tables as JSON, of one model. */
json_t *export_machine_tables(const struct model *m);

#endif
