/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From any expression that is linear in the constants to the canonical form of the papers,
 *     sum of NAME[i] x coefficient + offset,
 * by symbolic means. Constants that are exponents, or factors in the argument of a function that asks
 * the machine, become variables first. Then every sub-expression becomes a list of (constant,
 * coefficient) and an offset; sums add the lists, a product or quotient with something free of
 * constants scales them. max() and min() become the sum of their operands, each times a variable that
 * is 1 where this operand is the largest (smallest) one, and 0 elsewhere. All else on constants is an
 * error.
 */
#include <string.h>

#include "formula/functions.h"

struct extractor {
    struct arena *arena;
    const struct source *source;
    struct diag *diag;
    const char **experiments; /* in the order of first occurrence */
    size_t nexperiments;
    struct formula_exponent exponents[FORMULA_MAX_EXPONENTS];
    size_t nexponents;
    struct formula_choice choices[FORMULA_MAX_CHOICES];
    size_t nchoices;
};

static const struct formula *zero_if_null(struct extractor *e, const struct formula *f)
{
    return f ? f : formula_number(e->arena, 0);
}

/* Any constant of f that is not multiplied away: the culprit to name. NULL if f is free of them. */
static const struct formula *find_constant(const struct formula *f)
{
    if (f->kind == FORMULA_CONSTANT)
        return f;
    for (size_t i = 0; i < f->noperands; i++) {
        const struct formula *c = find_constant(f->operands[i]);
        if (c)
            return c;
    }
    return NULL;
}

static struct formula_linear *non_linear(struct extractor *e, const struct formula *culprit,
                                         const char *how)
{
    return diag_null(diag_add(
        e->diag, SEVERITY_ERROR, e->source, culprit->span,
        "%s makes the formula non-linear: %s; a formula must be a sum of constant * expression",
        formula_constant_name(e->arena, culprit), how));
}

static bool is_choice(const struct formula *f)
{
    return f->kind == FORMULA_CALL &&
           (strcmp(f->function->name, "max") == 0 || strcmp(f->function->name, "min") == 0);
}

/* f with other operands. */
static const struct formula *with_operands(struct extractor *e, const struct formula *f,
                                           const struct formula **operands)
{
    struct formula *copy = arena_alloc(e->arena, 1, sizeof *copy);
    *copy = *f;
    copy->operands = operands;
    return copy;
}

/* ---- exponents ---- */

static const char lone_exponent[] = "an exponent must be a number or one constant alone, N^f[2]";

static const struct formula *exponent_variable(struct extractor *e, const struct formula *constant,
                                               bool factor)
{
    const char *name = formula_constant_name(e->arena, constant);
    for (size_t i = 0; i < e->nexponents; i++) {
        if (strcmp(e->exponents[i].name, name) != 0)
            continue;
        if (e->exponents[i].factor == factor)
            return formula_variable(e->arena, name);
        return diag_null(
            diag_add(e->diag, SEVERITY_ERROR, e->source, constant->span,
                     "%s is an exponent and a factor of an argument: use two constants", name));
    }
    if (e->nexponents == FORMULA_MAX_EXPONENTS)
        return diag_null(diag_add(
            e->diag, SEVERITY_ERROR, e->source, constant->span,
            "%s is one exponent too many: at most %d constants can be exponents or factors of "
            "arguments",
            name, FORMULA_MAX_EXPONENTS));
    e->exponents[e->nexponents++] =
        (struct formula_exponent){constant->name, constant->index, name, constant->span, factor};
    return formula_variable(e->arena, name);
}

static struct formula_linear *extract(struct extractor *e, const struct formula *f);

/* The argument with the factor as a variable. The argument must be constant * expression. */
static const struct formula *lift_factor(struct extractor *e, const struct formula *argument,
                                         const char *function)
{
    const struct formula *culprit = find_constant(argument);
    if (!culprit)
        return argument;
    const struct formula_linear *l = extract(e, argument);
    if (!l)
        return NULL;
    if (l->nterms != 1 || l->offset)
        return diag_null(
            diag_add(e->diag, SEVERITY_ERROR, e->source, argument->span,
                     "an argument of %s() may have one constant, as a factor: %s(%s*N)", function,
                     function, formula_constant_name(e->arena, culprit)));
    const struct formula *factor = exponent_variable(e, culprit, true);
    return factor ? formula_binary(e->arena, FORMULA_MULTIPLY, factor, l->terms[0].coefficient)
                  : NULL;
}

/* A call of a function that asks the machine. */
static const struct formula *lift_arguments(struct extractor *e, const struct formula *f)
{
    const struct formula **operands = arena_alloc(e->arena, f->noperands + 1, sizeof *operands);
    for (size_t i = 0; i < f->noperands; i++)
        if (!(operands[i] = lift_factor(e, f->operands[i], f->function->name)))
            return NULL;
    return with_operands(e, f, operands);
}

static const struct formula *lift_exponents(struct extractor *e, const struct formula *f);

/* max() and min(). */
static const struct formula *lift_operands(struct extractor *e, const struct formula *f)
{
    const struct formula **operands = arena_alloc(e->arena, f->noperands, sizeof *operands);
    for (size_t i = 0; i < f->noperands; i++)
        if (!(operands[i] = lift_exponents(e, f->operands[i])))
            return NULL;
    return with_operands(e, f, operands);
}

/* f with each constant that is an exponent of something free of constants, or a factor of an argument,
 * replaced by a variable. NULL with a diagnostic if there are too many. */
static const struct formula *lift_exponents(struct extractor *e, const struct formula *f)
{
    if (f->kind == FORMULA_CALL && f->function->unit)
        return lift_arguments(e, f);
    if (f->kind == FORMULA_CALL && strcmp(f->function->name, "pow") == 0 && find_constant(f))
        f = formula_node(e->arena, FORMULA_POWER, f->span, f->operands, 2);
    if (is_choice(f) && find_constant(f))
        return lift_operands(e, f);
    const struct formula *compared = formula_is_condition(f) ? find_constant(f) : NULL;
    if (compared) {
        non_linear(e, compared, "a comparison with it jumps from 0 to 1");
        return NULL;
    }
    if (!f->noperands || f->kind >= FORMULA_CALL) /* what follows has one or two operands */
        return f;
    if (f->kind == FORMULA_POWER) {
        const struct formula *culprit = find_constant(f->operands[1]);
        if (!culprit || find_constant(f->operands[0]))
            return f;
        if (f->operands[1]->kind != FORMULA_CONSTANT) {
            non_linear(e, culprit, lone_exponent);
            return NULL;
        }
        const struct formula *exponent = exponent_variable(e, f->operands[1], false);
        return exponent ? formula_node(e->arena, FORMULA_POWER, f->span,
                                       (const struct formula *[]){f->operands[0], exponent}, 2)
                        : NULL;
    }
    const struct formula *operands[2];
    for (size_t i = 0; i < f->noperands; i++)
        if (!(operands[i] = lift_exponents(e, f->operands[i])))
            return NULL;
    return formula_node(e->arena, f->kind, f->span, operands, f->noperands);
}

/* A constant cannot be both an exponent and a factor. */
static int check_exponents(struct extractor *e, const struct formula_linear *l)
{
    for (size_t i = 0; i < e->nexponents; i++)
        for (size_t k = 0; k < l->nterms; k++) {
            const struct formula_exponent *x = &e->exponents[i];
            if (x->index != l->terms[k].index || strcmp(x->experiment, l->terms[k].experiment) != 0)
                continue;
            return diag_add(
                e->diag, SEVERITY_ERROR, e->source, x->span,
                x->factor ? "%s is in an argument here and a factor of a term elsewhere: use two "
                            "constants"
                          : "%s is an exponent here and a factor elsewhere: use two constants",
                x->name);
        }
    return 0;
}

/* ---- the canonical form ---- */

static size_t rank_of(struct extractor *e, const char *experiment)
{
    size_t i = text_find(e->experiments, e->nexperiments, experiment);
    if (i < e->nexperiments)
        return i;
    const char **bigger = arena_alloc(e->arena, e->nexperiments + 1, sizeof *bigger);
    if (e->nexperiments)
        memcpy(bigger, e->experiments, e->nexperiments * sizeof *bigger);
    bigger[e->nexperiments] = experiment;
    e->experiments = bigger;
    return e->nexperiments++;
}

static int compare_terms(struct extractor *e, const struct formula_term *x,
                         const struct formula_term *y)
{
    size_t i = rank_of(e, x->experiment), j = rank_of(e, y->experiment);
    if (i != j)
        return i < j ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static struct formula_linear *new_linear(struct extractor *e, size_t capacity,
                                         const struct formula *offset)
{
    struct formula_linear *l = arena_zalloc(e->arena, 1, sizeof *l);
    l->terms = arena_alloc(e->arena, capacity, sizeof *l->terms);
    l->offset = offset;
    return l;
}

/* x + y or x - y: a merge of two sorted lists. */
static struct formula_linear *combine(struct extractor *e, enum formula_kind kind,
                                      const struct formula_linear *x,
                                      const struct formula_linear *y)
{
    struct formula_linear *out = new_linear(e, x->nterms + y->nterms, NULL);
    size_t i = 0, j = 0;
    while (i < x->nterms || j < y->nterms) {
        int order = i == x->nterms   ? 1
                    : j == y->nterms ? -1
                                     : compare_terms(e, &x->terms[i], &y->terms[j]);
        struct formula_term t = order <= 0 ? x->terms[i] : y->terms[j];
        if (order == 0)
            t.coefficient =
                formula_binary(e->arena, kind, x->terms[i].coefficient, y->terms[j].coefficient);
        else if (order > 0 && kind == FORMULA_SUBTRACT)
            t.coefficient = formula_binary(e->arena, FORMULA_MULTIPLY, formula_number(e->arena, -1),
                                           t.coefficient);
        i += order <= 0;
        j += order >= 0;
        out->terms[out->nterms++] = t;
    }
    if (x->offset || y->offset)
        out->offset =
            formula_binary(e->arena, kind, zero_if_null(e, x->offset), zero_if_null(e, y->offset));
    return out;
}

/* x * factor or x / factor, factor being free of constants and standing left where `left`. */
static struct formula_linear *scale(struct extractor *e, enum formula_kind kind,
                                    const struct formula_linear *x, const struct formula *factor,
                                    bool left)
{
    struct formula_linear *out = new_linear(e, x->nterms, NULL);
    for (size_t i = 0; i < x->nterms; i++) {
        const struct formula *c = x->terms[i].coefficient;
        out->terms[i] = x->terms[i];
        out->terms[i].coefficient =
            formula_binary(e->arena, kind, left ? factor : c, left ? c : factor);
    }
    out->nterms = x->nterms;
    if (x->offset)
        out->offset =
            formula_binary(e->arena, kind, left ? factor : x->offset, left ? x->offset : factor);
    return out;
}

static struct formula_linear *extract_product(struct extractor *e, const struct formula *f)
{
    const struct formula *l = f->operands[0], *r = f->operands[1];
    const struct formula *in_l = find_constant(l), *in_r = find_constant(r);
    if (f->kind == FORMULA_DIVIDE && in_r)
        return non_linear(e, in_r, "something is divided by it");
    if (in_l && in_r) {
        if (!extract(e, l) || !extract(e, r)) /* each must be linear by itself */
            return NULL;
        const char *how =
            arena_printf(e->arena, "it is multiplied by %s", formula_constant_name(e->arena, in_l));
        return non_linear(e, in_r, how);
    }
    const struct formula_linear *x = extract(e, in_r ? r : l);
    return x ? scale(e, f->kind, x, in_r ? l : r, in_r != NULL) : NULL;
}

static struct formula_linear *extract_constant(struct extractor *e, const struct formula *f)
{
    struct formula_linear *out = new_linear(e, 1, NULL);
    rank_of(e, f->name);
    out->terms[0] = (struct formula_term){f->name, f->index, formula_number(e->arena, 1)};
    out->nterms = 1;
    return out;
}

static const struct formula *constants_as_variables(struct extractor *e, const struct formula *f)
{
    if (f->kind == FORMULA_CONSTANT)
        return formula_variable(e->arena, arena_printf(e->arena, "%s[%u]", f->name, f->index));
    if (!find_constant(f))
        return f;
    const struct formula **operands = arena_alloc(e->arena, f->noperands, sizeof *operands);
    for (size_t i = 0; i < f->noperands; i++)
        operands[i] = constants_as_variables(e, f->operands[i]);
    return with_operands(e, f, operands);
}

static struct formula_choice *new_choice(struct extractor *e, const struct formula *f)
{
    if (e->nchoices == FORMULA_MAX_CHOICES)
        return diag_null(diag_add(
            e->diag, SEVERITY_ERROR, e->source, f->span,
            "%s() is one too many: at most %d operands of max() and min() with constants can "
            "be compared",
            f->function->name, FORMULA_MAX_CHOICES));
    struct formula_choice *c = &e->choices[e->nchoices++];
    /* no variable of a user has such a name */
    c->if_left = arena_printf(e->arena, "%s#%zu.left", f->function->name, e->nchoices);
    c->if_right = arena_printf(e->arena, "%s#%zu.right", f->function->name, e->nchoices);
    c->largest = strcmp(f->function->name, "max") == 0;
    return c;
}

/* The operands are compared one after another, each with the largest (smallest) one before it. */
static struct formula_linear *extract_choice(struct extractor *e, const struct formula *f)
{
    struct formula_linear *best = extract(e, f->operands[0]);
    const struct formula *whole = constants_as_variables(e, f->operands[0]);
    for (size_t i = 1; i < f->noperands && best; i++) {
        const struct formula_linear *next = extract(e, f->operands[i]);
        struct formula_choice *c = next ? new_choice(e, f) : NULL;
        if (!c)
            return NULL;
        c->left = whole;
        c->right = constants_as_variables(e, f->operands[i]);
        best = combine(
            e, FORMULA_ADD,
            scale(e, FORMULA_MULTIPLY, best, formula_variable(e->arena, c->if_left), true),
            scale(e, FORMULA_MULTIPLY, next, formula_variable(e->arena, c->if_right), true));
        const struct formula **operands = arena_alloc(e->arena, 2, sizeof *operands);
        operands[0] = c->left;
        operands[1] = c->right;
        struct formula *both = arena_alloc(e->arena, 1, sizeof *both);
        *both = *f;
        both->operands = operands;
        both->noperands = 2;
        whole = both;
    }
    return best;
}

static struct formula_linear *extract(struct extractor *e, const struct formula *f)
{
    const struct formula *culprit = find_constant(f);
    if (!culprit)
        return new_linear(e, 0, f);
    const struct formula_linear *x, *y;
    switch (f->kind) {
    case FORMULA_CONSTANT: return extract_constant(e, f);
    case FORMULA_NEGATE:
        x = extract(e, f->operands[0]);
        return x ? scale(e, FORMULA_MULTIPLY, x, formula_number(e->arena, -1), true) : NULL;
    case FORMULA_ADD:
    case FORMULA_SUBTRACT:
        x = extract(e, f->operands[0]);
        y = extract(e, f->operands[1]);
        return x && y ? combine(e, f->kind, x, y) : NULL;
    case FORMULA_MULTIPLY:
    case FORMULA_DIVIDE: return extract_product(e, f);
    case FORMULA_POWER:
        if (!find_constant(f->operands[1]) && formula_is_number(f->operands[1], 1))
            return extract(e, f->operands[0]);
        return non_linear(e, culprit,
                          find_constant(f->operands[0]) ? "something with it is raised to a power"
                                                        : lone_exponent);
    case FORMULA_CALL:
        if (is_choice(f))
            return extract_choice(e, f);
        return non_linear(e, culprit,
                          arena_printf(e->arena,
                                       "it is inside %s(), where a number must be ('compare' of "
                                       "llac tries several)",
                                       f->function->name));
    default: return non_linear(e, culprit, "a comparison with it jumps from 0 to 1");
    }
}

const struct formula_linear *formula_linearize(struct arena *a, const struct formula *f,
                                               const struct source *source, struct diag *diag)
{
    struct extractor e = {.arena = a, .source = source, .diag = diag};
    const struct formula *lifted = find_constant(f) ? lift_exponents(&e, f) : f;
    struct formula_linear *l = lifted ? extract(&e, lifted) : NULL;
    if (!l || check_exponents(&e, l))
        return NULL;
    if (e.nchoices && e.nexponents)
        return diag_null(diag_add(
            diag, SEVERITY_ERROR, source, e.exponents[0].span,
            "%s is %s, and max() or min() has operands with constants: a formula can have one "
            "of the two; give %s a number",
            e.exponents[0].name, e.exponents[0].factor ? "in an argument" : "an exponent",
            e.exponents[0].name));
    memcpy(l->choices, e.choices, sizeof l->choices);
    l->nchoices = e.nchoices;
    memcpy(l->exponents, e.exponents, sizeof l->exponents);
    l->nexponents = e.nexponents;
    return l;
}

/* ---- choices ---- */

/* 1 where this operand counts. */
static const struct formula *counts(struct arena *a, const struct formula *left,
                                    const struct formula *right, enum formula_kind order)
{
    const struct formula **operands = arena_alloc(a, 2, sizeof *operands);
    operands[0] = left;
    operands[1] = right;
    return formula_node(a, order, (struct span){0, 0}, operands, 2);
}

/* Products with 1 are left out. */
static const struct formula *without_ones(struct arena *a, const struct formula *f)
{
    if (f->kind < FORMULA_ADD || f->kind > FORMULA_DIVIDE)
        return f;
    return formula_binary(a, f->kind, without_ones(a, f->operands[0]),
                          without_ones(a, f->operands[1]));
}

const struct formula *formula_choose(struct arena *a, const struct formula_linear *l,
                                     const struct formula *f, const double *constants)
{
    const char **names = arena_alloc(a, l->nterms + 1, sizeof *names),
               *ifs[2 * FORMULA_MAX_CHOICES];
    const struct formula **values = arena_alloc(a, l->nterms + 1, sizeof *values);
    const struct formula *by[2 * FORMULA_MAX_CHOICES];
    if (!l->nchoices)
        return f;
    for (size_t t = 0; constants && t < l->nterms; t++) {
        names[t] = arena_printf(a, "%s[%u]", l->terms[t].experiment, l->terms[t].index);
        values[t] = formula_number(a, constants[t]);
    }
    for (size_t i = 0; i < l->nchoices; i++) {
        const struct formula_choice *c = &l->choices[i];
        ifs[2 * i] = c->if_left;
        ifs[2 * i + 1] = c->if_right;
        by[2 * i] = by[2 * i + 1] = formula_number(a, 1);
        if (!constants)
            continue;
        const struct formula *left = formula_substitute(a, c->left, names, values, l->nterms),
                             *right = formula_substitute(a, c->right, names, values, l->nterms);
        by[2 * i] = counts(a, left, right, c->largest ? FORMULA_GREATER_EQUAL : FORMULA_LESS_EQUAL);
        by[2 * i + 1] = counts(a, left, right, c->largest ? FORMULA_LESS : FORMULA_GREATER);
    }
    f = formula_substitute(a, f, ifs, by, 2 * l->nchoices);
    return constants ? f : without_ones(a, f);
}
