/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sweep over numbers of processors: which ones, in which order, and what its data files are
 * called. `call run --procs` and the batch scripts (batch.sh does the same in shell) agree on all
 * of it, so that one continues what the other began.
 */
#ifndef TRANSLATE_PROCS_H
#define TRANSLATE_PROCS_H

#include "base/diag.h"
#include "base/memory.h"
#include "base/range.h"

/* Numbers of processors: a range whose values are whole, from 1 on, each once. Errors go to `diag`
 * with their place. 0, or -1. */
int sweep_processors(struct arena *a, const struct source *source, struct span where,
                     struct diag *diag, struct range *out);

/* The value of the option --procs. 0, or -1 after messages. */
int sweep_option(struct arena *a, const char *value, struct range *out);

/* Do two ranges name the same numbers, in the same order? */
bool sweep_equal(const struct range *x, const struct range *y);

/* The largest of them. */
unsigned long sweep_most(const struct range *processors);

/* The order in which round `round` (1, 2, ...) visits n processor counts: shuffled, the same for
 * everybody. A slow phase of the machine then meets different counts in different rounds. */
void sweep_order(size_t n, unsigned long round, size_t *order);

/* What is put in front of NAME to have it in the folder: "" for ".", but "./" where NAME would look
 * like an option. */
const char *sweep_place(struct arena *a, const char *folder, const char *name);

/* FOLDER/NAME.cll.pP.rROUND, to which ".dat" is added; FOLDER as by sweep_place. */
const char *sweep_stem(struct arena *a, const char *folder, const char *name, unsigned long P,
                       unsigned long round);

#endif
