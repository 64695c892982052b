/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of the samples of an experiment, as an experiment of its own. */
#include <string.h>

#include "data/dataset.h"

static size_t count_kept(const unsigned char *keep, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        kept += keep[i] != 0;
    return kept;
}

static struct column part_of(struct arena *a, const struct column *c, const unsigned char *keep,
                             size_t rows, size_t kept)
{
    struct column part = {.name = arena_strdup(a, c->name), .constant = c->constant};
    if (!c->values)
        return part;
    part.values = arena_alloc(a, kept + 1, sizeof *part.values);
    part.capacity = kept;
    size_t n = 0;
    for (size_t row = 0; row < rows; row++)
        if (keep[row])
            part.values[n++] = c->values[row];
    return part;
}

/* The segments keep their files, also those that have no sample in the part. */
static void add_segments(struct arena *a, const struct experiment *e, const unsigned char *keep,
                         struct experiment *part)
{
    part->segments = arena_alloc(a, e->nsegments + 1, sizeof *part->segments);
    part->nsegments = e->nsegments;
    size_t row = 0, before = 0;
    for (size_t s = 0; s < e->nsegments; s++) {
        for (; row < e->segments[s].first_row; row++)
            before += keep[row] != 0;
        part->segments[s] = (struct segment){.file = e->segments[s].file, .first_row = before};
    }
}

static struct experiment_origin *origin_of(struct arena *a, const struct experiment *e,
                                           const unsigned char *keep, size_t kept)
{
    struct experiment_origin *o = arena_zalloc(a, 1, sizeof *o);
    *o = (struct experiment_origin){
        .whole = e, .rows = arena_alloc(a, kept + 1, sizeof *o->rows), .arena = a};
    size_t n = 0;
    for (size_t row = 0; row < e->nrows; row++)
        if (keep[row])
            o->rows[n++] = row;
    return o;
}

struct experiment *experiment_part(struct arena *a, const struct experiment *e, const char *name,
                                   const unsigned char *keep)
{
    struct experiment *part = arena_zalloc(a, 1, sizeof *part);
    size_t kept = count_kept(keep, e->nrows);
    part->name = arena_strdup(a, name);
    part->base = arena_strdup(a, e->base);
    part->version = e->version;
    part->formulas = arena_alloc(a, e->nformulas + 1, sizeof *part->formulas);
    part->nformulas = e->nformulas;
    for (size_t i = 0; i < e->nformulas; i++)
        part->formulas[i] =
            (struct observable_formula){arena_strdup(a, e->formulas[i].observable),
                                        arena_strdup(a, e->formulas[i].text), e->formulas[i].file};
    part->sources = arena_alloc(a, e->nsources + 1, sizeof *part->sources);
    part->nsources = e->nsources;
    for (size_t i = 0; i < e->nsources; i++)
        part->sources[i] = arena_strdup(a, e->sources[i]);
    part->columns = arena_alloc(a, e->ncolumns + 1, sizeof *part->columns);
    part->ncolumns = e->ncolumns;
    part->nvariables = e->nvariables;
    for (size_t j = 0; j < e->ncolumns; j++)
        part->columns[j] = part_of(a, &e->columns[j], keep, e->nrows, kept);
    part->nrows = kept;
    part->origin = origin_of(a, e, keep, kept);
    add_segments(a, e, keep, part);
    return part;
}
