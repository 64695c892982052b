/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a file: no crash; an error is one message and leaves the data set empty; what loads
 * loads again and merges with itself. */
#ifndef TESTS_DATA_IMPORT_FUZZ_H
#define TESTS_DATA_IMPORT_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_import_as(const char *path, const uint8_t *data, size_t size,
                                  const struct import_options *options)
{
    struct dataset *d = dataset_create();
    struct arena *arena = arena_create();
    struct diag *diag = diag_create();
    char *text = mem_alloc(size + 1, 1);
    memcpy(text, data, size);
    text[size] = 0;
    int status = import_load(d, path, text, size, options, arena, diag);
    size_t errors = diag_count(diag, SEVERITY_ERROR);
    if (status ? errors != 1 || d->nexperiments || d->nfiles
               : errors || d->nfiles != 1 || d->nexperiments == 0)
        abort();
    if (status == 0) {
        size_t rows = d->experiments[0]->nrows, n = d->nexperiments;
        if (rows == 0 || import_load(d, path, text, size, options, arena, diag))
            abort();
        if (d->nexperiments != n || d->experiments[0]->nrows != 2 * rows)
            abort();
    }
    mem_free(text);
    FILE *nowhere = fopen("/dev/null", "w");
    if (nowhere) {
        diag_print(diag, nowhere, 0);
        fclose(nowhere);
    }
    diag_destroy(diag);
    arena_destroy(arena);
    dataset_destroy(d);
}

static inline void fuzz_import(const uint8_t *data, size_t size,
                               const struct import_options *options)
{
    fuzz_import_as("<fuzz>", data, size, options);
}

#endif
