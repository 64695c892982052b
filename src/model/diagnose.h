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

/* divisible_text.c: residuals that split by divisibility. Sets m->split. */
void divisible_diagnose(struct model *m);

#endif
