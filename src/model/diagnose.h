/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Diagnosis of a fit: findings about the formula, the samples and the machine. They go into
 * the model's list of warnings. docs/method/statistics.md has the list of codes.
 */
#ifndef MODEL_DIAGNOSE_H
#define MODEL_DIAGNOSE_H

#include "model/fit_internal.h"

#define SAY(m, code, advice, ...)                                                                  \
    warnings_add((m)->arena, &(m)->warnings, code, advice, __VA_ARGS__)

/* residuals.c: what residuals and samples say. */
void residuals_diagnose(struct model *m);

/* diagnose_settings.c: hosts, cores and simulated runs. */
void diagnose_settings(struct model *m);

/* machine_term.c: terms that ask the machine in use. */
void diagnose_machine(struct model *m);
/* The power with which a coefficient grows over the range of a variable; 0 if it does not. */
double machine_term_growth(const struct model *m, size_t constant, size_t variable);

/* divisible_text.c: residuals that split by divisibility. Sets m->split. */
void divisible_diagnose(struct model *m);

#endif
