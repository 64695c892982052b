/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Building, comparing, substituting and differentiating expressions, and listing their variables.
 *
 * formula_node makes a node unchanged (the parser keeps what the user wrote); formula_binary
 * folds numbers and drops neutral elements, which keeps extracted coefficients readable. x*0
 * becomes 0 although x might be infinite somewhere: a coefficient that is zero by construction is
 * meant to be zero.
 */
#include <math.h>
#include <string.h>

#include "formula/functions.h"

const struct formula *formula_node(struct arena *a, enum formula_kind kind, struct span span,
                                   const struct formula *const *operands, size_t n)
{
    struct formula *f = arena_zalloc(a, 1, sizeof *f);
    const struct formula **copy = arena_alloc(a, n, sizeof *copy);
    f->kind = kind;
    f->span = span;
    f->depth = 1;
    for (size_t i = 0; i < n; i++) {
        copy[i] = operands[i];
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): operands are formulas
        if (operands[i]->depth + 1 > f->depth)
            f->depth = operands[i]->depth + 1;
    }
    f->operands = copy;
    f->noperands = n;
    return f;
}

const struct formula *formula_number(struct arena *a, double value)
{
    struct formula *f = arena_zalloc(a, 1, sizeof *f);
    f->kind = FORMULA_NUMBER;
    f->depth = 1;
    f->number = value;
    return f;
}

const struct formula *formula_variable(struct arena *a, const char *name)
{
    struct formula *f = arena_zalloc(a, 1, sizeof *f);
    f->kind = FORMULA_VARIABLE;
    f->depth = 1;
    f->name = arena_strdup(a, name);
    return f;
}

bool formula_is_condition(const struct formula *f)
{
    return f->kind >= FORMULA_LESS;
}

bool formula_is_number(const struct formula *f, double value)
{
    return f->kind == FORMULA_NUMBER && f->number == value;
}

/* A number, also one the user wrote with a sign. */
static bool numeric(const struct formula *f, double *value)
{
    double sign = 1;
    for (; f->kind == FORMULA_NEGATE; f = f->operands[0])
        sign = -sign;
    *value = sign * f->number;
    return f->kind == FORMULA_NUMBER;
}

/* NULL if no rule applies. */
static const struct formula *simplify(struct arena *a, enum formula_kind kind,
                                      const struct formula *l, const struct formula *r)
{
    switch (kind) {
    case FORMULA_ADD: return formula_is_number(l, 0) ? r : formula_is_number(r, 0) ? l : NULL;
    case FORMULA_SUBTRACT:
        if (formula_is_number(r, 0))
            return l;
        return formula_is_number(l, 0) ? formula_node(a, FORMULA_NEGATE, (struct span){0, 0}, &r, 1)
                                       : NULL;
    case FORMULA_MULTIPLY:
        if (formula_is_number(l, 0) || formula_is_number(r, 0))
            return formula_number(a, 0);
        return formula_is_number(l, 1) ? r : formula_is_number(r, 1) ? l : NULL;
    case FORMULA_DIVIDE:
    case FORMULA_POWER: return formula_is_number(r, 1) ? l : NULL;
    default: return NULL;
    }
}

const struct formula *formula_binary(struct arena *a, enum formula_kind kind,
                                     const struct formula *l, const struct formula *r)
{
    double x[2];
    if (numeric(l, &x[0]) && numeric(r, &x[1])) {
        double value = formula_apply(kind, NULL, x, 2);
        if (isfinite(value))
            return formula_number(a, value);
    }
    const struct formula *simple = simplify(a, kind, l, r);
    if (simple)
        return simple;
    return formula_node(a, kind, (struct span){0, 0}, (const struct formula *[]){l, r}, 2);
}

bool formula_same(const struct formula *x, const struct formula *y)
{
    if (x == y)
        return true;
    if (x->kind != y->kind || x->noperands != y->noperands)
        return false;
    switch (x->kind) {
    case FORMULA_NUMBER: return x->number == y->number;
    case FORMULA_VARIABLE: return strcmp(x->name, y->name) == 0;
    case FORMULA_CONSTANT:
        return strcmp(x->name, y->name) == 0 && !x->word == !y->word &&
               (x->word ? strcmp(x->word, y->word) == 0 : x->index == y->index);
    case FORMULA_CALL:
        if (x->function != y->function)
            return false;
        break;
    case FORMULA_SUM:
    case FORMULA_REFERENCE:
        if (strcmp(x->name, y->name) != 0 || x->index != y->index)
            return false;
        for (size_t i = 0; i < x->noperands && x->arguments; i++)
            if (!x->arguments[i] != !y->arguments[i] ||
                (x->arguments[i] && strcmp(x->arguments[i], y->arguments[i]) != 0))
                return false;
        break;
    default: break;
    }
    for (size_t i = 0; i < x->noperands; i++)
        if (!formula_same(x->operands[i], y->operands[i]))
            return false;
    return true;
}

const struct formula *formula_substitute(struct arena *a, const struct formula *f,
                                         const char *const *names, const struct formula *const *by,
                                         size_t n)
{
    if (f->kind == FORMULA_VARIABLE) {
        size_t i = text_find(names, n, f->name);
        return i < n ? by[i] : f;
    }
    if (!f->noperands)
        return f;
    bool changed = false;
    unsigned depth = 1;
    const struct formula **operands = arena_alloc(a, f->noperands, sizeof *operands);
    for (size_t i = 0; i < f->noperands; i++) {
        operands[i] = formula_substitute(a, f->operands[i], names, by, n);
        changed |= operands[i] != f->operands[i];
        if (operands[i]->depth + 1 > depth)
            depth = operands[i]->depth + 1;
    }
    if (!changed)
        return f;
    struct formula *copy = arena_alloc(a, 1, sizeof *copy);
    *copy = *f;
    copy->operands = operands;
    copy->depth = depth;
    return copy;
}

const struct formula *formula_rename(struct arena *a, const struct formula *f,
                                     bool (*is_variable)(const void *user, const char *name),
                                     const void *user)
{
    bool changed = false;
    if (f->kind != FORMULA_CONSTANT && !f->noperands)
        return f;
    struct formula *copy = arena_alloc(a, 1, sizeof *copy);
    *copy = *f;
    if (f->kind == FORMULA_CONSTANT) {
        copy->kind = FORMULA_VARIABLE;
        copy->name = formula_constant_name(a, f);
        return is_variable(user, copy->name) ? copy : f;
    }
    const struct formula **operands = arena_alloc(a, f->noperands, sizeof *operands);
    for (size_t i = 0; i < f->noperands; i++) {
        operands[i] = formula_rename(a, f->operands[i], is_variable, user);
        changed |= operands[i] != f->operands[i];
    }
    copy->operands = operands;
    return changed ? copy : f;
}

const struct formula *formula_first(const struct formula *f, enum formula_kind kind)
{
    if (f->kind == kind)
        return f;
    for (size_t i = 0; i < f->noperands; i++) {
        const struct formula *found = formula_first(f->operands[i], kind);
        if (found)
            return found;
    }
    return NULL;
}

static bool depends_on(const struct formula *f, const char *variable)
{
    if (f->kind == FORMULA_VARIABLE)
        return strcmp(f->name, variable) == 0;
    for (size_t i = 0; i < f->noperands; i++)
        if (depends_on(f->operands[i], variable))
            return true;
    return false;
}

/* log(f) as the parser would build it. */
static const struct formula *logarithm(struct arena *a, const struct formula *f)
{
    struct formula *call =
        (struct formula *)formula_node(a, FORMULA_CALL, (struct span){0, 0}, &f, 1);
    call->function = formula_find_function("log", 3);
    return call;
}

/* Of l*r or l/r. */
static const struct formula *derivative_of_product(struct arena *a, const struct formula *f,
                                                   const char *variable)
{
    const struct formula *l = f->operands[0], *r = f->operands[1];
    const struct formula *dl = formula_derivative(a, l, variable),
                         *dr = formula_derivative(a, r, variable);
    if (!dl || !dr)
        return NULL;
    if (f->kind == FORMULA_MULTIPLY)
        return formula_binary(a, FORMULA_ADD, formula_binary(a, FORMULA_MULTIPLY, dl, r),
                              formula_binary(a, FORMULA_MULTIPLY, l, dr));
    const struct formula *minus =
        formula_binary(a, FORMULA_DIVIDE, formula_binary(a, FORMULA_MULTIPLY, f, dr), r);
    return formula_binary(a, FORMULA_SUBTRACT, formula_binary(a, FORMULA_DIVIDE, dl, r), minus);
}

const struct formula *formula_derivative(struct arena *a, const struct formula *f,
                                         const char *variable)
{
    const struct formula *x, *y;
    if (!depends_on(f, variable))
        return formula_number(a, 0);
    switch (f->kind) {
    case FORMULA_VARIABLE: return formula_number(a, 1);
    case FORMULA_NEGATE:
        x = formula_derivative(a, f->operands[0], variable);
        return x ? formula_binary(a, FORMULA_MULTIPLY, formula_number(a, -1), x) : NULL;
    case FORMULA_ADD:
    case FORMULA_SUBTRACT:
        x = formula_derivative(a, f->operands[0], variable);
        y = formula_derivative(a, f->operands[1], variable);
        return x && y ? formula_binary(a, f->kind, x, y) : NULL;
    case FORMULA_MULTIPLY:
    case FORMULA_DIVIDE: return derivative_of_product(a, f, variable);
    case FORMULA_POWER:
        if (depends_on(f->operands[0], variable) || f->operands[1]->kind != FORMULA_VARIABLE)
            return NULL;
        return formula_binary(a, FORMULA_MULTIPLY, f, logarithm(a, f->operands[0]));
    default: return NULL;
    }
}

const struct formula *formula_log_slope(struct arena *a, const struct formula *f,
                                        const char *variable)
{
    const struct formula *x = formula_variable(a, variable), *at[2];
    if (!depends_on(f, variable))
        return formula_number(a, 0);
    for (int up = 0; up <= 1; up++) {
        const struct formula *moved =
            formula_binary(a, FORMULA_MULTIPLY,
                           formula_number(a, up ? FORMULA_LOG_STEP : 1 / FORMULA_LOG_STEP), x);
        at[up] = formula_substitute(a, f, &variable, &moved, 1);
    }
    return formula_binary(a, FORMULA_MULTIPLY, formula_number(a, 1 / (2 * log(FORMULA_LOG_STEP))),
                          formula_binary(a, FORMULA_SUBTRACT, at[1], at[0]));
}

struct collector {
    struct arena *arena;
    struct formula_variable *list;
    size_t n, capacity;
};

static void collect(struct collector *c, const struct formula *f)
{
    for (size_t i = 0; i < f->noperands; i++)
        collect(c, f->operands[i]);
    if (f->kind != FORMULA_VARIABLE)
        return;
    for (size_t i = 0; i < c->n; i++) {
        if (strcmp(c->list[i].name, f->name) == 0) {
            c->list[i].occurrences++;
            return;
        }
    }
    ARENA_ADD(c->arena, c->list, c->n, &c->capacity,
              (struct formula_variable){f->name, f->span, 1});
}

struct formula_variables formula_variables(struct arena *a, const struct formula *f)
{
    struct collector c = {.arena = a};
    collect(&c, f);
    return (struct formula_variables){c.list, c.n};
}

bool formula_uses(struct arena *a, const struct formula *f, const char *name)
{
    struct formula_variables used = formula_variables(a, f);
    return TEXT_ELEMENT(used.list, used.n, name, name) != NULL;
}

bool formula_sums(const struct formula *f, const char *name)
{
    bool found = f->kind == FORMULA_SUM && strcmp(f->name, name) == 0;
    for (size_t k = 0; !found && k < f->noperands; k++)
        found = formula_sums(f->operands[k], name);
    return found;
}
