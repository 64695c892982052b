/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names llac can use, made from the names of other tools: `main->solve->f` is the experiment `f` as
 * long as no other region is, else `solve_f`, then `main_solve_f`, then `f_2`. The same region of
 * several files gets the same name, another region never the same.
 */
#ifndef DATA_IMPORT_NAME_H
#define DATA_IMPORT_NAME_H

#include "data/import/build.h"

/* The name of a variable / an observable, different from the n there are. */
const char *import_variable_name(struct import *in, const char *raw,
                                 const struct import_column *have, size_t n);
const char *import_observable_name(struct import *in, const char *raw,
                                   const struct import_column *have, size_t n);
/* A copy that lives as long as the data, without control characters. */
const char *import_clean(struct import *in, const char *text);
/* A name for each region; -1 with an error if option `experiment` cannot be followed. */
int import_choose_names(struct import *in, const char **names);

#endif
