/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A machine file for people and for programs. */
#ifndef LLAC_OUTPUT_MACHINE_H
#define LLAC_OUTPUT_MACHINE_H

#include "llac/output/output.h"
#include "machine/machine.h"

/* Tables of all figures; of working sets and messages only the powers of two. */
void text_machine(FILE *out, const struct machine *m, struct arena *a);
/* Everything but the values of the rounds. */
json_t *json_machine(const struct machine *m);

#endif
