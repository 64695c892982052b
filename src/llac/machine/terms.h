/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine as formulas ask it: fills in the interface of `formula` with the curves of `machine`. */
#ifndef LLAC_MACHINE_TERMS_H
#define LLAC_MACHINE_TERMS_H

#include "formula/formula.h"
#include "machine/curves.h"

/* In the arena, in which the machine must live. */
const struct formula_machine *terms_make(struct arena *a, const struct machine *m);

/* The table of a function of the machine. */
const struct machine_table *terms_table(const struct formula_machine *m,
                                        const struct formula_function *f);

#endif
