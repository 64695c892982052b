/* SPDX-License-Identifier: GPL-3.0-or-later */
/* obsp TRACE replace K [to K] by FORMULA: other times for what processes compute in some supersteps. */
#include <math.h>
#include <string.h>

#include "llac/arguments.h"
#include "llac/obsp/command.h"
#include "obsp/replace.h"

/* What the formula may use, in this order. */
static const char *const names[] = {"W", "P", "i"};
enum { NAMES = sizeof names / sizeof *names };

static int read_superstep(struct cursor *c, size_t *out)
{
    const double most = 1e15; /* more than any trace has */
    struct span where;
    double number = 0;
    cursor_done(c);
    where.begin = c->at;
    if (read_number(c, "replace", false, &number))
        return -1;
    where.end = c->at;
    if (number != floor(number) || number < 1 || number > most)
        return cursor_error(c, where,
                            "the number of a superstep is expected here, from 1, as the table of "
                            "supersteps has it: replace 3 by FORMULA");
    *out = (size_t)number;
    return 0;
}

static int read_supersteps(struct cursor *c, struct obsp_replace *out)
{
    if (read_superstep(c, &out->first))
        return -1;
    out->last = out->first;
    if (cursor_keyword(c, "to") && read_superstep(c, &out->last))
        return -1;
    if (out->last < out->first)
        return cursor_error_here(c, "the last superstep, %zu, is before the first one, %zu",
                                 out->last, out->first);
    return 0;
}

int obsp_read_replace(struct cursor *c, struct span word, struct obsp_asked *out)
{
    struct obsp_replace one = {0};
    const double any[NAMES] = {0};
    struct obsp_names known = {names, any, NULL, NAMES};
    if (!out->trace)
        return cursor_error(c, word,
                            "only what a trace has measured can be replaced; a notation states its "
                            "times itself");
    if (read_supersteps(c, &one))
        return -1;
    if (!cursor_keyword(c, "by"))
        return cursor_error_here(c, "the word 'by' is expected here: replace %zu by FORMULA",
                                 one.first);
    one.value = cursor_value(c);
    if (one.value.begin == one.value.end)
        return cursor_error_here(c, "a formula is missing here: replace %zu by G(N=1024)",
                                 one.first);
    one.where = (struct span){word.begin, one.value.end};
    one.formula = obsp_read_formula(out->asking, c, one.value, &known,
                                    "experiments, W (the measured time), P and i");
    if (!one.formula)
        return -1;
    for (size_t k = 0; k < out->nreplace; k++)
        if (one.first <= out->replace[k].last && out->replace[k].first <= one.last)
            return cursor_error(c, one.where, "superstep %zu is replaced twice",
                                one.first > out->replace[k].first ? one.first
                                                                  : out->replace[k].first);
    ARENA_ADD(c->arena, out->replace, out->nreplace, &out->room_replace, one);
    out->what_if = true;
    return 0;
}

static const struct obsp_replace *replace_of(const struct obsp_asked *asked, size_t superstep)
{
    for (size_t k = 0; k < asked->nreplace; k++)
        if (asked->replace[k].first <= superstep && superstep <= asked->replace[k].last)
            return &asked->replace[k];
    return NULL;
}

static int set_seconds(struct cursor *c, const struct obsp_asked *asked,
                       const struct obsp_replace *by, struct obsp_replacement *one)
{
    double *values = arena_alloc(c->arena, NAMES, sizeof *values);
    values[0] = one->measured;
    values[1] = one->nprocs;
    values[2] = one->pid;
    struct obsp_names known = {names, values, NULL, NAMES};
    if (obsp_formula_value(asked->asking, c, by->value, by->formula, &known, &one->seconds,
                           &one->by))
        return -1;
    if (!(one->seconds >= 0))
        return cursor_error(c, by->value,
                            "a time cannot be negative, and this is %.4g s in superstep %zu, "
                            "where %.4g s were measured; use max",
                            one->seconds, one->superstep + 1, one->measured);
    return 0;
}

/* Keeps those that are replaced, and sets their times. */
static int replace_process(struct cursor *c, const struct obsp_asked *asked,
                           struct obsp_replacements *all)
{
    size_t kept = 0;
    for (size_t k = 0; k < all->n; k++) {
        const struct obsp_replace *by = replace_of(asked, all->list[k].superstep + 1);
        if (!by)
            continue;
        if (set_seconds(c, asked, by, &all->list[k]))
            return -1;
        all->list[kept++] = all->list[k];
    }
    all->n = kept;
    return 0;
}

int obsp_find_replaced(struct cursor *c, const struct obsp_asked *asked, struct obsp_source *source,
                       const struct obsp_replacements **out)
{
    struct obsp_replacements *all;
    size_t first = SIZE_MAX, last = 0, n;
    *out = NULL;
    for (size_t k = 0; k < asked->nreplace; k++) {
        const struct obsp_replace *r = &asked->replace[k];
        if (r->first <= asked->skip)
            return cursor_error(c, r->where,
                                "superstep %zu is skipped, and taken as measured: it cannot be "
                                "replaced",
                                r->first);
        first = r->first < first ? r->first : first;
        last = r->last > last ? r->last : last;
    }
    if (obsp_replace_find(c->arena, source, first - 1, last - 1, c->diag, &all, &n))
        return -1;
    for (size_t k = 0; k < asked->nreplace; k++)
        if (asked->replace[k].last > n)
            return cursor_error(c, asked->replace[k].where, "%s has %zu superstep%s", asked->path,
                                n, n == 1 ? "" : "s");
    for (int p = 0; p < source->processes; p++)
        if (replace_process(c, asked, &all[p]))
            return -1;
    *out = all;
    return 0;
}
