/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arguments in the names of benchmarks: `BM_Sort/1024/8`, `sort/quick/n:64`.
 *
 *     name  = part { "/" part }
 *     part  = number              an argument: N, or N1 N2 ... when there are several
 *           | key ":" number      an argument with a name; threads:4 is T
 *           | setting             Google Benchmark's repeats:3, real_time, ...: dropped
 *           | text                belongs to the name
 *
 * The option `variables` names the arguments that have no name.
 */
#ifndef DATA_IMPORT_ARGUMENTS_H
#define DATA_IMPORT_ARGUMENTS_H

#include "data/import/json.h"
#include "data/import/place.h"

/* Whether `words`, which NULL ends, has this one. */
bool import_is_one_of(const char *s, const char *const *words);
/* The region of a benchmark and the values of its arguments; NULL with an error at `way` (NULL: without
 * a place). `settings`: settings of Google Benchmark are dropped. */
struct import_region *import_benchmark(struct import *in, const struct json_way *way,
                                       const char *name, bool settings,
                                       struct import_place *arguments);

#endif
