/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Our directives in a Fortran source: where regions begin and end, and whether they may be there. */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "translate/fortran_reader.h"
#include "translate/list.h"
#include "translate/structure.h"

/* Why no statement can be after the directive of another language that is the statement before this one;
 * NULL if one can. */
static const char *bound_directive(const struct reader *r)
{
    static const char *const hints[] = {"ivdep", "unroll", "vector", "novector",
                                        "simd",  "loop",   NULL};
    const struct fortran_statement *st = r->st - 1;
    if (r->st == r->f->statements || (st->kind != FORTRAN_HINT && st->kind != FORTRAN_OMP))
        return NULL;
    for (size_t i = 0, end; i < st->n && st->s[i] != '('; i = end > i ? end : i + 1) {
        size_t at = i;
        end = fortran_name(st, i);
        if (fortran_word(st, &at, "end") || fortran_word(st, &at, "attributes"))
            return NULL;
        if (fortran_word(st, &at, "atomic"))
            return "the directive before it expects an assignment here; put the region around both";
        if (st->kind == FORTRAN_HINT && fortran_one_of(st, &at, hints))
            return "the directive before it expects a loop here; put the region around both";
    }
    return NULL;
}

/* Why no statement can be here; NULL if one can. */
static const char *obstacle(const struct reader *r)
{
    const struct frame *f = fortran_top(r);
    if (!f || (f->kind == FRAME_UNIT && !f->has_code) || f->kind == FRAME_NO_CODE)
        return "it is not among the statements of a program or a procedure";
    if (f->kind == FRAME_OMP && f->waits)
        return "OpenMP expects the loop here; put the directive before that of OpenMP, or into "
               "the loop";
    if (f->kind == FRAME_OMP && strstr(f->word, "workshare"))
        return "OpenMP's WORKSHARE allows only assignments; put the region around it";
    if (f->kind == FRAME_ASSIGN)
        return "WHERE and FORALL contain only assignments; put the region around the construct";
    if (f->kind == FRAME_SELECT && !f->has_code)
        return "it is before the first CASE";
    for (size_t k = r->nframes; k-- > 0;) {
        if (r->frames[k].concurrent && r->frames[k].kind == FRAME_DO)
            return "DO CONCURRENT allows no side effects; put the region around the loop";
        if (r->frames[k].kind == FRAME_UNIT)
            return r->frames[k].pure ? "the procedure is pure, and measuring is a side effect; "
                                       "put the region around the call, or remove PURE (write "
                                       "IMPURE before ELEMENTAL)"
                                     : bound_directive(r);
    }
    return NULL;
}

static bool may_be_here(struct reader *r, struct pragma *p)
{
    const char *why = obstacle(r);
    if (!why && r->nframes >= STRUCTURE_MAX_DEPTH)
        why = "blocks and regions are nested too deep";
    if (!why) {
        if (!fortran_top(r)->first)
            fortran_top(r)->first = p;
        return true;
    }
    diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
             "no region or report can be here: %s", why);
    p->bad = true;
    return false;
}

/* A value that is a name alone, which nothing but directives have, where the compiler would take it for a
 * new variable. */
static bool is_unknown(const struct reader *r, struct span e)
{
    if (!r->f->implicit || r->f->borrows)
        return false;
    char *name = fortran_expression(r->unit, r->f, e);
    size_t n = strlen(name);
    bool builtin = !strcmp(name, "P") || !strcmp(name, "T");
    for (size_t i = 0; i < n; i++) {
        name[i] = (char)tolower((unsigned char)name[i]);
        if (!isalnum((unsigned char)name[i]) && name[i] != '_')
            return false;
    }
    return !isdigit((unsigned char)name[0]) && !builtin &&
           names_number(r->f->names, name, n) >= r->f->nnames;
}

/* Formulas know the paths of C; what is more than a name in Fortran needs an alias. */
static void check_variables(const struct reader *r, const struct pragma *p)
{
    const struct source *source = r->unit->inputs[0].source;
    for (size_t v = 0; v < p->nvariables; v++) {
        struct span e = p->variables[v].span;
        const char *name = p->variables[v].name;
        bool own = strlen(name) == e.end - e.begin &&
                   !memcmp(name, source->text + e.begin, e.end - e.begin);
        if (own && name[strcspn(name, ".[>:")])
            diag_add(r->unit->diag, SEVERITY_ERROR, source, e,
                     "'%s' is not a name of Fortran: give the value a name before the formula, as "
                     "in '%s(n = grid%%n)'",
                     name, p->name);
        else if (is_unknown(r, e))
            diag_add(
                r->unit->diag, SEVERITY_ERROR, source, e,
                "there is no '%.*s' in this source: it would be a new variable without a value",
                (int)(e.end - e.begin), source->text + e.begin);
    }
}

static void open_region(struct reader *r, struct pragma *p)
{
    struct fortran *f = r->f;
    if (!may_be_here(r, p))
        return;
    if (!f->nregions) /* number 0 means outside of all */
        ADD(r->unit->arena, f, regions, (struct fortran_region){0});
    ADD(r->unit->arena, f, regions,
        (struct fortran_region){.begin = p,
                                .parent = r->region,
                                .at = fortran_position(r),
                                .is_for = p->kind == PRAGMA_FOR});
    check_variables(r, p);
    for (size_t k = r->region; p->shuffle && k; k = f->regions[k].parent)
        f->regions[k].begin->sweep |= f->regions[k].is_for;
    p->sweep = p->shuffle;
    check_sync(r->unit, p, fortran_openmp_around(r, true), fortran_openmp_around(r, false),
               r->unit->diag);
    r->region = f->nregions - 1;
    p->region = (unsigned)r->region;
    fortran_push(r, FRAME_REGION, "")->region = r->region;
}

/* Does the directive end what `begin` begins? */
static bool is_end_of(const struct pragma *end, const struct pragma *begin)
{
    if (end->kind == PRAGMA_END_FOR)
        return begin->kind == PRAGMA_FOR;
    return begin->kind == PRAGMA_BEGIN && begin->name && !strcmp(begin->name, end->name);
}

/* An end without a region at the top of the stack. One error is enough for a region. */
static void refuse_end(struct reader *r, struct pragma *p)
{
    const struct pragma *list = r->unit->inputs[0].pragmas;
    bool open = false, said = false, capitals = false;
    for (size_t k = r->region; k; k = r->f->regions[k].parent) {
        open |= is_end_of(p, fortran_region_pragma(r, k));
        capitals |= p->kind == PRAGMA_END && !strcasecmp(fortran_region_name(r, k), p->name);
    }
    for (const struct pragma *b = list; b < p; b++)
        said |= b->bad && is_end_of(p, b);
    bool inner = r->nframes && fortran_top(r)->kind == FRAME_REGION;
    p->bad = true;
    if (open || !said)
        diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
                 !open && capitals
                     ? "'end %s' without a begin: capitals matter in names of experiments"
                 : !open ? "'end %s' without a begin: no region of this name is open here"
                 : inner ? "'end %s': another region that began later is still open; end that first"
                         : "'end %s' must be in the same block as the region's start",
                 p->kind == PRAGMA_END_FOR ? "for" : p->name);
    while (open && inner) {
        struct pragma *begin = r->f->regions[r->region].begin;
        open = !is_end_of(p, begin);
        begin->bad = true;
        fortran_drop_region(r);
        inner = r->nframes && fortran_top(r)->kind == FRAME_REGION;
    }
}

static void end_region(struct reader *r, struct pragma *p)
{
    fortran_drop_openmp(r);
    const struct frame *f = fortran_top(r);
    if (!f || f->kind != FRAME_REGION || !is_end_of(p, fortran_region_pragma(r, f->region))) {
        refuse_end(r, p);
        return;
    }
    struct fortran_region *region = &r->f->regions[r->region];
    struct pragma *begin = region->begin, *list = r->unit->inputs[0].pragmas;
    region->end = p;
    region->end_at = fortran_position(r);
    begin->action = region->is_for ? ACTION_FOR : ACTION_BEGIN;
    begin->partner = (size_t)(p - list);
    p->action = region->is_for ? ACTION_END_FOR : ACTION_END;
    p->partner = (size_t)(begin - list);
    p->region = (unsigned)r->region;
    fortran_drop_region(r);
}

static void read_report(struct reader *r, struct pragma *p)
{
    if (!may_be_here(r, p))
        return;
    if (r->unit->processes && fortran_openmp_around(r, true))
        diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
                 "'report' inside an OpenMP parallel construct: every thread would gather the "
                 "samples of all processes; put it after the construct");
    p->action = ACTION_REPORT;
}

void fortran_read_directive(struct reader *r)
{
    struct pragma *p = &r->unit->inputs[0].pragmas[r->st->pragma];
    if (p->bad)
        return;
    switch (p->kind) {
    case PRAGMA_BEGIN:
    case PRAGMA_FOR: open_region(r, p); break;
    case PRAGMA_END:
    case PRAGMA_END_FOR: end_region(r, p); break;
    case PRAGMA_REPORT: read_report(r, p); break;
    case PRAGMA_PARALLEL:
    case PRAGMA_USES: p->action = ACTION_BLANK; break;
    }
}
