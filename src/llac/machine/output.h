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

/* One line of a list: the machine `name`; m is NULL if its file cannot be used, as `why` says. */
void text_machine_line(FILE *out, const char *name, const struct machine *m, bool used,
                       const struct diag *why);
json_t *json_machine_line(const char *name, const struct machine *m, bool used,
                          const struct diag *why);

/* The figures that both have. */
void text_machine_comparison(FILE *out, const struct machine *a, const struct machine *b);
json_t *json_machine_comparison(const struct machine *a, const struct machine *b);

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
