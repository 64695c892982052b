/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of the notation and the formulas over them.
 *
 * A procedure has its arguments and the names that it assigns; all other names are those of the file.
 * i, P and group depend on the object that executes the line. Parameters are numbers when the rest of
 * the file is read, so a formula over parameters alone is computed once.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/misprint.h"
#include "base/text.h"
#include "obsp/notation_reader.h"

static const struct {
    const char *name, *meaning;
    enum notation_space space;
} given[] = {
    {"i", "the number of the processor", SPACE_PID},
    {"P", "the number of processors", SPACE_NPROCS},
    {"group", "the number of the group", SPACE_GROUP},
};
enum { GIVEN = sizeof given / sizeof *given };

struct reader_param *reader_param(const struct reader *r, const char *name)
{
    for (size_t k = 0; k < r->nparams; k++)
        if (strcmp(r->params[k].name, name) == 0)
            return &r->params[k];
    return NULL;
}

struct notation_procedure *reader_procedure(const struct reader *r, const char *name)
{
    for (size_t k = 0; k < r->nprocedures; k++)
        if (strcmp(r->procedures[k]->name, name) == 0)
            return r->procedures[k];
    return NULL;
}

/* nnames if it has no such name. */
static size_t place_of(const struct notation_procedure *scope, const char *name)
{
    size_t k = 0;
    while (k < scope->nnames && strcmp(scope->names[k], name) != 0)
        k++;
    return k;
}

void reader_declare(struct reader *r, struct notation_procedure *scope, const char *name)
{
    if (place_of(scope, name) < scope->nnames)
        return;
    scope->names = arena_grow(r->arena, scope->names, scope->nnames, &scope->capacity,
                              scope->nnames + 1, sizeof *scope->names);
    scope->names[scope->nnames++] = name;
}

bool reader_may_name(struct reader *r, const char *name, struct span where)
{
    for (size_t k = 0; k < GIVEN; k++) {
        if (strcmp(given[k].name, name) == 0) {
            reader_error(r, where, "'%s' is %s; choose another name", name, given[k].meaning);
            return false;
        }
    }
    if (reader_reserved(name)) {
        reader_error(r, where, "'%s' is a word of the notation; choose another name", name);
        return false;
    }
    if (r->scope == &r->file && reader_param(r, name)) {
        reader_error(r, where, "'%s' is a parameter, and stays as it is; choose another name",
                     name);
        return false;
    }
    for (size_t k = 0; k < r->nblocks; k++) {
        const struct reader_block *b = &r->blocks[k];
        struct notation_slot slot = reader_slot(r, name);
        if (b->kind == BLOCK_FOR && b->index.space == slot.space && b->index.index == slot.index) {
            reader_error(r, where,
                         "'%s' counts the loop around this line, which alone may change it; choose "
                         "another name",
                         name);
            return false;
        }
    }
    return true;
}

struct notation_slot reader_slot(const struct reader *r, const char *name)
{
    size_t k = place_of(r->scope, name);
    if (r->scope != &r->file && k < r->scope->nnames)
        return (struct notation_slot){SPACE_OWN, k};
    return (struct notation_slot){SPACE_FILE, place_of(&r->file, name)};
}

/* ---- looking names up */

/* What the user may have meant: a name of `list` that is a misprint of `name`, or differs in case. */
static const char *nearest(const char *name, const char *const *list, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (strcasecmp(list[k], name) == 0 || (strlen(name) > 1 && misprint_is_one(name, list[k])))
            return list[k];
    return NULL;
}

static void report_unknown(struct reader *r, const char *name, struct span where, bool constant)
{
    const char **all =
        arena_alloc(r->arena, r->nparams + r->scope->nnames + r->file.nnames + GIVEN, sizeof *all);
    size_t n = 0;
    for (size_t k = 0; k < r->nparams; k++)
        all[n++] = r->params[k].name;
    for (size_t k = 0; !constant && k < GIVEN; k++)
        all[n++] = given[k].name;
    for (size_t k = 0; !constant && k < r->scope->nnames; k++)
        all[n++] = r->scope->names[k];
    for (size_t k = 0; !constant && k < r->file.nnames; k++)
        all[n++] = r->file.names[k];
    const char *near = nearest(name, all, n);
    if (near)
        reader_error(r, where, "there is no '%s' here; did you mean '%s'?", name, near);
    else if (constant)
        reader_error(
            r, where,
            "'%s' is not a parameter that was declared above; the value of a parameter may "
            "depend only on such parameters",
            name);
    else
        reader_error(
            r, where,
            "there is no '%s' here; declare it as a parameter, 'param %s = ...', or give it "
            "a value, '%s = ...', above",
            name, name, name);
}

/* False with an error. With `constant` only parameters count, P among them. */
static bool find(struct reader *r, const struct formula_variable *v, bool constant,
                 struct notation_slot *out)
{
    for (size_t k = 0; k < GIVEN && !constant; k++) {
        if (strcmp(given[k].name, v->name) == 0) {
            *out = (struct notation_slot){given[k].space, 0};
            return true;
        }
    }
    size_t own = place_of(r->scope, v->name), file = place_of(&r->file, v->name);
    if (!constant && (own < r->scope->nnames || file < r->file.nnames)) {
        *out = reader_slot(r, v->name);
        return true;
    }
    const struct reader_param *param = reader_param(r, v->name);
    if (!param) {
        report_unknown(r, v->name, v->span, constant);
        return false;
    }
    if (!param->known) {
        reader_error(r, v->span, "'%s' is declared further down; move its 'param' up", v->name);
        return false;
    }
    *out = (struct notation_slot){SPACE_PARAM, (size_t)(param - r->params)};
    return true;
}

/* ---- formulas */

static const struct formula_options options = {.functions = notation_functions,
                                               .computer = &notation_computer};

/* Binds the machine that the command named. */
static const struct formula *with_machine(struct reader *r, const struct formula *f)
{
    const struct formula_machine *machine = r->values ? r->values->machine : NULL;
    size_t n;
    const struct formula *const *calls = formula_machine_calls(r->arena, f, &n);
    if (!n)
        return f;
    if (!machine) {
        reader_error(r, calls[0]->span,
                     "%s() asks the machine, and none is in use; name one, as in 'obsp FILE on "
                     "MACHINE', or write a number here",
                     calls[0]->function->name);
        return NULL;
    }
    return formula_bind(r->arena, f, machine);
}

/* The value, if it depends on parameters alone and has one. */
static void compute_now(struct reader *r, struct notation_expression *e)
{
    const double **columns = arena_alloc(r->arena, e->n + 1, sizeof *columns);
    for (size_t k = 0; k < e->n; k++) {
        if (e->slots[k].space != SPACE_PARAM)
            return;
        columns[k] = &r->params[e->slots[k].index].value;
    }
    e->value = formula_value(e->program, columns);
    e->fixed = isfinite(e->value);
}

static const struct notation_expression *compile(struct reader *r, struct span where,
                                                 const struct formula *f, bool constant)
{
    if (!f || !(f = with_machine(r, f)))
        return NULL;
    struct formula_variables v = formula_variables(r->arena, f);
    struct notation_slot *slots = arena_alloc(r->arena, v.n + 1, sizeof *slots);
    const char **names = arena_alloc(r->arena, v.n + 1, sizeof *names);
    bool good = true;
    for (size_t k = 0; k < v.n; k++) {
        names[k] = v.list[k].name;
        good &= find(r, &v.list[k], constant, &slots[k]);
    }
    struct notation_expression *e = arena_zalloc(r->arena, 1, sizeof *e);
    e->span = where;
    e->slots = slots;
    e->names = names;
    e->n = v.n;
    if (v.n > r->program->most_columns)
        r->program->most_columns = v.n;
    if (!good || !(e->program = formula_compile(r->arena, f, names, v.n, r->source, r->diag)))
        return NULL;
    compute_now(r, e);
    return e;
}

const struct notation_expression *reader_formula(struct reader *r, struct span where,
                                                 const char *what)
{
    if (reader_empty(where)) {
        reader_error(r, where, "%s is missing here", what);
        return NULL;
    }
    return compile(r, where, formula_parse(r->arena, r->source, where, &options, r->diag), false);
}

const struct notation_expression *reader_condition(struct reader *r, struct span where)
{
    if (reader_empty(where)) {
        reader_error(r, where, "a condition is missing here, such as i == 0");
        return NULL;
    }
    return compile(r, where, formula_parse_condition(r->arena, r->source, where, &options, r->diag),
                   false);
}

bool reader_constant(struct reader *r, struct span where, double *value)
{
    const struct notation_expression *e =
        compile(r, where, formula_parse(r->arena, r->source, where, &options, r->diag), true);
    if (!e)
        return false;
    *value = e->value;
    if (e->fixed)
        return true;
    const double **columns = arena_alloc(r->arena, e->n + 1, sizeof *columns);
    struct formula_trouble trouble = {.what = "the formula"};
    double out;
    for (size_t k = 0; k < e->n; k++)
        columns[k] = &r->params[e->slots[k].index].value;
    formula_evaluate(e->program, columns, 1, &out, &trouble);
    reader_error(r, where, "%s has no value; correct the formula, or what it depends on",
                 trouble.what);
    return false;
}
