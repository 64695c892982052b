/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of the notation and the formulas over them.
 *
 * A procedure has its arguments and the names that it assigns; all other names are those of the file.
 * i, P and group depend on the object that executes the line. Parameters are numbers when the rest of
 * the file is read, so a formula over parameters alone is computed once.
 */
#include <math.h>
#include <stdint.h>
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
    return TEXT_ELEMENT(r->params, r->nparams, name, name);
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
    return text_find(scope->names, scope->nnames, name);
}

void reader_declare(struct reader *r, struct notation_procedure *scope, const char *name)
{
    if (place_of(scope, name) < scope->nnames)
        return;
    ARENA_ADD(r->arena, scope->names, scope->nnames, &scope->capacity, name);
}

bool reader_may_name(struct reader *r, const char *name, struct span where)
{
    for (size_t k = 0; k < GIVEN; k++) {
        if (strcmp(given[k].name, name) == 0)
            return reader_error(r, where, "'%s' is %s; choose another name", name,
                                given[k].meaning);
    }
    if (reader_reserved(name))
        return reader_error(r, where, "'%s' is a word of the notation; choose another name", name);
    if (r->scope == &r->file && reader_param(r, name))
        return reader_error(r, where,
                            "'%s' is a parameter, and stays as it is; choose another name", name);
    for (size_t k = 0; k < r->nblocks; k++) {
        const struct reader_block *b = &r->blocks[k];
        struct notation_slot slot = reader_slot(r, name);
        if (b->kind == BLOCK_FOR && b->index.space == slot.space && b->index.index == slot.index)
            return reader_error(
                r, where,
                "'%s' counts the loop around this line, which alone may change it; choose "
                "another name",
                name);
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

/* That it could have been an experiment, and which there are. */
static const char *experiments_text(const struct reader *r, const char *name)
{
    const struct obsp_models *models = r->values ? r->values->models : NULL;
    bool may_be = models && (!models->none || strchr(name, '['));
    return may_be ? arena_printf(r->arena, "; it is no experiment or definition: %s", models->have)
                  : "";
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
            "depend only on such parameters%s",
            name, experiments_text(r, name));
    else
        reader_error(
            r, where,
            "there is no '%s' here; declare it as a parameter, 'param %s = ...', or give it "
            "a value, '%s = ...', above%s",
            name, name, name, experiments_text(r, name));
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
    if (!param->known)
        return reader_error(r, v->span, "'%s' is declared further down; move its 'param' up",
                            v->name);
    *out = (struct notation_slot){SPACE_PARAM, (size_t)(param - r->params)};
    return true;
}

/* ---- formulas */

/* With models, NAME[0] that is not a name of the file is a constant, and NAME(...) the value of an experiment. */
static struct formula_options options_of(const struct reader *r)
{
    const struct obsp_models *models = r->values ? r->values->models : NULL;
    return (struct formula_options){.functions = notation_functions,
                                    .computer = &notation_computer,
                                    .any_constant = models != NULL,
                                    .references = models != NULL,
                                    .labels = models ? models->labels : NULL};
}

/* ---- experiments */

static bool is_given(const char *name)
{
    return TEXT_ELEMENT(given, GIVEN, name, name) != NULL;
}

/* Whether it is a name of the file here; with `constant`, a parameter. */
static bool is_declared(const struct reader *r, const char *name, bool constant)
{
    return reader_param(r, name) ||
           (!constant && (place_of(r->scope, name) < r->scope->nnames ||
                          place_of(&r->file, name) < r->file.nnames || is_given(name)));
}

/* Whose names a formula has. */
struct own_names {
    const struct reader *reader;
    bool constant;
};

/* G[1] may be a name of the file; then it is not a constant of an experiment. */
static bool is_own_name(const void *user, const char *name)
{
    const struct own_names *own = user;
    return own->reader->values->models->none || is_declared(own->reader, name, own->constant);
}

static void report_no_experiment(struct reader *r, const struct formula *f)
{
    const char **all = NULL;
    size_t n = 0, capacity = 0;
    for (const struct formula_function *k = notation_functions; k->name; k++)
        ARENA_ADD(r->arena, all, n, &capacity, k->name);
    for (const struct formula_function *k = formula_functions; k->name; k++) {
        ARENA_ADD(r->arena, all, n, &capacity, k->name);
    }
    const char *near = strlen(f->name) > 1 ? nearest(f->name, all, n) : NULL;
    if (near)
        reader_error(r, f->span, "there is no function '%s'; did you mean '%s'?", f->name, near);
    else
        reader_error(r, f->span, "there is no function, experiment or definition '%s': %s", f->name,
                     r->values->models->have);
}

/* NAME(3), which may be a misprint of a function. */
static bool looks_like_function(const struct formula *f)
{
    return f->kind == FORMULA_REFERENCE && f->index == FORMULA_NO_INDEX &&
           (!f->noperands || !f->arguments[0]);
}

/* Whether all calls can be those of experiments. One that the data do not have is an error only where it is asked: its line
 * may not be executed with these parameters, or its factor may be 0. */
static bool are_known(struct reader *r, const struct formula *f)
{
    const struct obsp_models *models = r->values->models;
    bool good = true;
    if ((models->none ? f->kind == FORMULA_REFERENCE : looks_like_function(f)) &&
        !models->knows(models->user, f->name)) {
        report_no_experiment(r, f);
        return false;
    }
    for (size_t k = 0; k < f->noperands; k++)
        good &= are_known(r, f->operands[k]);
    return good;
}

/* Whether models compute it. */
static bool asks(const struct reader *r, const struct formula *f, const struct formula_variables *v,
                 bool constant)
{
    const struct obsp_models *models = r->values ? r->values->models : NULL;
    if (!models)
        return false;
    for (size_t k = 0; k < v->n; k++)
        if (!is_declared(r, v->list[k].name, constant) &&
            models->knows(models->user, v->list[k].name))
            return true;
    return formula_first(f, FORMULA_REFERENCE) || formula_first(f, FORMULA_CONSTANT) ||
           formula_first(f, FORMULA_SUM);
}

/* Binds the machine that the command named. */
static const struct formula *with_machine(struct reader *r, const struct formula *f)
{
    const struct formula_machine *machine = r->values ? r->values->machine : NULL;
    size_t n;
    const struct formula *const *calls = formula_machine_calls(r->arena, f, &n);
    if (!n)
        return f;
    if (!machine)
        return diag_null(
            reader_error(r, calls[0]->span,
                         "%s() asks the machine, and none is in use; name one, as in 'obsp FILE on "
                         "MACHINE', or write a number here",
                         calls[0]->function->name));
    return formula_bind(r->arena, f, machine);
}

/* The value, if it depends on parameters alone, and these on no experiment, and has one. */
static void compute_now(struct reader *r, struct notation_expression *e)
{
    const double **columns = arena_alloc(r->arena, e->n + 1, sizeof *columns);
    for (size_t k = 0; k < e->n; k++) {
        if (e->slots[k].space != SPACE_PARAM || r->params[e->slots[k].index].by)
            return;
        columns[k] = &r->params[e->slots[k].index].value;
    }
    e->value = formula_value(e->program, columns);
    e->fixed = isfinite(e->value);
}

/* The names of the file that the formula has, and with `wanted` those that its models may need. */
static bool find_columns(struct reader *r, const struct formula *f,
                         const struct formula_variables *v, const char *const *wanted,
                         size_t nwanted, bool constant, struct notation_expression *e)
{
    struct notation_slot *slots = arena_alloc(r->arena, v->n + nwanted + 1, sizeof *slots);
    const char **names = arena_alloc(r->arena, v->n + nwanted + 1, sizeof *names);
    bool good = true;
    for (size_t k = 0; k < v->n; k++) {
        const char *name = v->list[k].name;
        if (e->asks && !is_declared(r, name, constant) &&
            (formula_sums(f, name) || r->values->models->knows(r->values->models->user, name)))
            continue;
        names[e->n] = name;
        good &= find(r, &v->list[k], constant, &slots[e->n++]);
    }
    e->named = e->n;
    for (size_t k = 0; k < nwanted; k++) {
        const struct reader_param *p = reader_param(r, wanted[k]);
        if (text_is_in(names, e->n, wanted[k]) || !is_declared(r, wanted[k], constant) ||
            (p && !p->known))
            continue;
        struct formula_variable one = {.name = wanted[k], .span = f->span};
        names[e->n] = wanted[k];
        good &= find(r, &one, constant, &slots[e->n++]);
    }
    e->slots = slots;
    e->names = names;
    if (e->n > r->program->most_columns)
        r->program->most_columns = e->n;
    return good;
}

void reader_begin_fitted(struct reader *r)
{
    if (!r->program->fitted)
        r->program->fitted =
            notation_fitted_create(r->arena, r->values->models, r->source, r->diag);
}

static const struct notation_expression *compile(struct reader *r, struct span where,
                                                 const struct formula *f, bool constant)
{
    const struct obsp_models *models = r->values ? r->values->models : NULL;
    const char *const *wanted = NULL;
    size_t nwanted = 0;
    if (!f || !(f = with_machine(r, f)))
        return NULL;
    if (models)
        f = formula_rename(r->arena, f, is_own_name, &(struct own_names){r, constant});
    struct formula_variables v = formula_variables(r->arena, f);
    struct notation_expression *e = arena_zalloc(r->arena, 1, sizeof *e);
    *e =
        (struct notation_expression){.span = where, .formula = f, .asks = asks(r, f, &v, constant)};
    if (models && e->asks &&
        (!are_known(r, f) ||
         models->prepare(models->user, f, r->source, r->diag, &wanted, &nwanted)))
        return NULL;
    if (!find_columns(r, f, &v, wanted, nwanted, constant, e))
        return NULL;
    if (e->asks) {
        reader_begin_fitted(r);
        return e;
    }
    if (!(e->program = formula_compile(r->arena, f, e->names, e->n, r->source, r->diag)))
        return NULL;
    compute_now(r, e);
    return e;
}

const struct notation_expression *reader_formula(struct reader *r, struct span where,
                                                 const char *what)
{
    if (reader_empty(where))
        return diag_null(reader_error(r, where, "%s is missing here", what));
    struct formula_options options = options_of(r);
    return compile(r, where, formula_parse(r->arena, r->source, where, &options, r->diag), false);
}

const struct notation_expression *reader_condition(struct reader *r, struct span where)
{
    if (reader_empty(where))
        return diag_null(reader_error(r, where, "a condition is missing here, such as i == 0"));
    struct formula_options options = options_of(r);
    return compile(r, where, formula_parse_condition(r->arena, r->source, where, &options, r->diag),
                   false);
}

/* The value of a formula over parameters that depends on experiments. */
static bool ask_now(struct reader *r, const struct notation_expression *e, double *value,
                    struct obsp_fitted **by)
{
    double *values = arena_alloc(r->arena, e->n + 1, sizeof *values);
    struct obsp_fitted **depends = arena_alloc(r->arena, e->n + 1, sizeof(*depends));
    bool full;
    for (size_t k = 0; k < e->n; k++) {
        values[k] = r->params[e->slots[k].index].value;
        depends[k] = r->params[e->slots[k].index].by;
    }
    reader_begin_fitted(r);
    *by = notation_fitted_find(r->program->fitted, e, values, depends, SIZE_MAX, &full);
    *value = *by ? (*by)->value : (double)NAN;
    return *by != NULL;
}

bool reader_constant(struct reader *r, struct span where, double *value, struct obsp_fitted **by)
{
    struct formula_options options = options_of(r);
    const struct notation_expression *e =
        compile(r, where, formula_parse(r->arena, r->source, where, &options, r->diag), true);
    if (!e)
        return false;
    bool fitted = e->asks;
    for (size_t k = 0; k < e->n; k++)
        fitted |= r->params[e->slots[k].index].by != NULL;
    if (fitted)
        return ask_now(r, e, value, by);
    *value = e->value;
    if (e->fixed)
        return true;
    const double **columns = arena_alloc(r->arena, e->n + 1, sizeof *columns);
    struct formula_trouble trouble = {.what = "the formula"};
    double out;
    for (size_t k = 0; k < e->n; k++)
        columns[k] = &r->params[e->slots[k].index].value;
    formula_evaluate(e->program, columns, 1, &out, &trouble);
    return reader_error(r, where, "%s has no value; correct the formula, or what it depends on",
                        trouble.what);
}
