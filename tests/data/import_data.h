/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading samples of other tools' data in tests: files of tests/data/import, or texts. */
#ifndef TESTS_DATA_IMPORT_DATA_H
#define TESTS_DATA_IMPORT_DATA_H

#include <math.h>

#include "data/import/import.h"
#include "harness/unit.h"

struct sample {
    struct dataset *d;
    struct arena *arena;
    struct diag *diag;
};

static inline int sample_setup(void **state)
{
    struct sample *s = mem_zalloc(1, sizeof *s);
    s->d = dataset_create();
    s->arena = arena_create();
    s->diag = diag_create();
    *state = s;
    return 0;
}

static inline int sample_teardown(void **state)
{
    struct sample *s = *state;
    dataset_destroy(s->d);
    arena_destroy(s->arena);
    diag_destroy(s->diag);
    mem_free(s);
    return 0;
}

static inline int sample_text(struct sample *s, const char *path, const char *text,
                              const struct import_options *options)
{
    return import_load(s->d, path, text, strlen(text), options, s->arena, s->diag);
}

/* The whole of a sample file; to be freed. */
static inline char *sample_read(const char *name, size_t *size)
{
    char path[1000], *text;
    snprintf(path, sizeof path, "%s/%s", IMPORT_FILES, name);
    if (source_read(path, IMPORT_MAX_SIZE, &text, size))
        fail_msg("cannot read %s", path);
    return text;
}

static inline void sample_file(struct sample *s, const char *name,
                               const struct import_options *options)
{
    size_t size;
    char *text = sample_read(name, &size);
    int status = import_load(s->d, name, text, size, options, s->arena, s->diag);
    mem_free(text);
    if (status)
        fail_msg("%s: %s", name, diag_first(s->diag, SEVERITY_ERROR));
    assert_int_equal(diag_count(s->diag, SEVERITY_ERROR), 0);
}

static inline const struct experiment *sample_experiment(struct sample *s, const char *name)
{
    const struct experiment *e = dataset_find(s->d, name);
    if (!e)
        fail_msg("there is no experiment %s", name);
    return e;
}

/* The value of a row in a column: an observable, a variable or a fixed one. */
static inline double sample_cell(const struct experiment *e, const char *column, size_t row)
{
    if (row >= e->nrows)
        fail_msg("%s has %zu rows", e->name, e->nrows);
    for (size_t j = e->ncolumns; j-- > 0;)
        if (strcmp(e->columns[j].name, column) == 0)
            return column_at(&e->columns[j], row);
    fail_msg("%s has no column %s", e->name, column);
    return NAN;
}

/* The number of words of "n p CLOCK". */
static inline size_t sample_words(const char *s)
{
    size_t n = 1;
    for (; *s; s++)
        n += *s == ' ';
    return n;
}

/* Columns are texts such as "n p CLOCK"; values in that order, row by row; NAN fits NAN. */
static inline void sample_check(const struct experiment *e, const char *columns,
                                const double *values, size_t nrows)
{
    assert_int_equal(e->nrows, nrows);
    for (size_t row = 0; row < nrows; row++) {
        char copy[200], *save = NULL;
        snprintf(copy, sizeof copy, "%s", columns);
        for (char *c = strtok_r(copy, " ", &save); c; c = strtok_r(NULL, " ", &save), values++) {
            double x = sample_cell(e, c, row);
            if (isnan(*values) ? !isnan(x) : !near(x, *values, 1e-15))
                fail_msg("%s, row %zu, %s: %.17g, not %.17g", e->name, row, c, x, *values);
        }
    }
}

#endif
