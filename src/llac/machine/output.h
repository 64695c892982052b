/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Machine files for people and for programs. */
#ifndef LLAC_MACHINE_OUTPUT_H
#define LLAC_MACHINE_OUTPUT_H

#include <jansson.h>

#include "machine/machine.h"
#include "llac/text.h"
#include "base/number.h"

/* Tables of all figures; of working sets and messages only the powers of two. */
void text_machine(FILE *out, const struct machine *m, struct arena *a);
/* Everything but the values of the rounds. */
json_t *json_machine(const struct machine *m, struct arena *a);

/* For both files of the implementation: a value in a unit for people ("ns"), with a star if it is not
 * steady; a number of bytes. */
struct machine_scale {
    const char *unit, *shown;
    double factor;
};
struct machine_scale machine_scale(const char *unit);
const char *machine_value_text(const struct machine_figure *f, char buffer[NUMBER_SIZE]);
const char *machine_size_text(double bytes, char buffer[NUMBER_SIZE]);
json_t *json_machine_figure(const struct machine_figure *f);

#endif
