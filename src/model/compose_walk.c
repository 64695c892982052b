/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The walk over the expression of a composition, with dual numbers: a value, and its slopes along
 * everything that is uncertain.
 *
 * These are, in this order, the columns of all blocks; a factor on all values of each block, whose
 * slope is the share of the block; and for each reference two that stand for the noise of an
 * execution: its own, and that of its run. A reference inside a sum counts as one: its noise is the
 * same in all terms. All constants of a block in one expression count as one, too. The same reference
 * of a definition that is called twice counts twice.
 *
 * A factor that is exactly 0, and certain, makes the product 0: the other factor is not computed, and an
 * experiment in it is not asked.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/number.h"
#include "model/compose_internal.h"

enum {
    MOST_TERMS = 100000,    /* of a sum */
    MOST_STEPS = 100000000, /* operations of one value */
    MOST_REFERENCES = 4096
};

static int fail(const struct compose_evaluation *e, const struct formula *f, const char *format,
                ...) __attribute__((format(printf, 3, 4)));

static int fail(const struct compose_evaluation *e, const struct formula *f, const char *format,
                ...)
{
    va_list args;
    va_start(args, format);
    const char *text = arena_vprintf(e->arena, format, args);
    va_end(args);
    return diag_add(e->diag, SEVERITY_ERROR, f->span.end ? e->definition->source : NULL, f->span,
                    "%s", text);
}

/* After an error of a model, which knows no formula that asks it. */
static int located(const struct compose_evaluation *e, const struct formula *f)
{
    if (e->diag && e->definition->source && f->span.end)
        diag_locate(e->diag, e->definition->source, f->span);
    return -1;
}

static const struct compose_binding *find_binding(const struct compose_binding *scope,
                                                  const char *name)
{
    for (; scope; scope = scope->up)
        if (strcmp(scope->name, name) == 0)
            return scope;
    return NULL;
}

static size_t find_block(const struct composition *c, const char *name)
{
    const struct compose_block *found = TEXT_ELEMENT(c->blocks, c->nblocks, name, name);
    return found ? (size_t)(found - c->blocks) : SIZE_MAX;
}

/* ---- arithmetic */

static double apply(const struct formula *f, const double *x)
{
    return f->machine ? f->machine->value(f->machine->curves, f->function, x, f->noperands)
                      : formula_apply(f->kind, f->function, x, f->noperands);
}

/* The slope of the operation along operand i. */
static double slope_along(const struct formula *f, double *x, size_t i)
{
    const double step = 1e-6;
    switch (f->kind) {
    case FORMULA_NEGATE: return -1;
    case FORMULA_ADD: return 1;
    case FORMULA_SUBTRACT: return i ? -1 : 1;
    case FORMULA_MULTIPLY: return x[1 - i];
    case FORMULA_DIVIDE: return i ? -x[0] / (x[1] * x[1]) : 1 / x[1];
    default: break;
    }
    double at = x[i], away = step * (at != 0 ? fabs(at) : 1);
    x[i] = at + away;
    double above = apply(f, x);
    x[i] = at - away;
    double below = apply(f, x);
    x[i] = at;
    return (above - below) / (2 * away);
}

/* Whether it consists of numbers and of variables that have a value, and cannot fail for want of data. */
static bool is_certain(const struct formula *f, const struct compose_binding *scope)
{
    const struct compose_binding *b =
        f->kind == FORMULA_VARIABLE ? find_binding(scope, f->name) : NULL;
    if (f->kind == FORMULA_CONSTANT || f->kind == FORMULA_REFERENCE || f->kind == FORMULA_SUM ||
        (f->kind == FORMULA_VARIABLE && (!b || b->value.fitted)))
        return false;
    for (size_t i = 0; i < f->noperands; i++)
        if (!is_certain(f->operands[i], scope))
            return false;
    return true;
}

static void use_binding(const struct compose_binding *scope, const char *name)
{
    const struct compose_binding *b = find_binding(scope, name);
    if (b && b->used)
        *b->used = true;
}

/* The variables of an expression that is not computed, because it is multiplied by 0: they are not given in vain. */
static void use_names(const struct compose_evaluation *e, const struct formula *f,
                      const struct compose_binding *scope)
{
    const char *name = f->name ? f->name : ""; /* an operation has none */
    size_t block = *name ? find_block(e->c, name) : SIZE_MAX;
    const struct compose_definition *d = f->kind == FORMULA_VARIABLE || f->kind == FORMULA_REFERENCE
                                             ? compose_find(e->c, name)
                                             : NULL;
    if (f->kind == FORMULA_VARIABLE)
        use_binding(scope, name);
    for (size_t i = 0; f->kind == FORMULA_VARIABLE && i < e->c->let.n; i++)
        if (strcmp(e->c->let.names[i], name) == 0)
            use_names(e, e->c->let.by[i], scope);
    for (size_t i = 0; d && i < d->nparameters; i++)
        use_binding(scope, d->parameters[i]);
    if (d && !d->has_parameters)
        use_names(e, d->formula, scope);
    for (size_t v = 0; block != SIZE_MAX && v < e->models[block]->points.nnames; v++)
        use_binding(scope, e->models[block]->points.names[v]);
    for (size_t i = 0; i < f->noperands; i++)
        use_names(e, f->operands[i], scope);
}

/* Whether the result of an operation on such sums is not such a sum. */
static bool bends(const struct formula *f, const struct compose_dual *x)
{
    switch (f->kind) {
    case FORMULA_NEGATE:
    case FORMULA_ADD:
    case FORMULA_SUBTRACT: return false;
    case FORMULA_MULTIPLY: return x[0].fitted && x[1].fitted;
    case FORMULA_DIVIDE: return x[1].fitted;
    default: return true;
    }
}

static int walk_operation(struct compose_evaluation *e, const struct formula *f,
                          const struct compose_binding *scope, size_t inside,
                          struct compose_dual *out)
{
    enum { MOST_OPERANDS = 16 };
    struct compose_dual operands[MOST_OPERANDS] = {{0}};
    bool fitted = false, bent = false;
    double x[MOST_OPERANDS];
    bool product = f->kind == FORMULA_MULTIPLY,
         second_first = product && is_certain(f->operands[1], scope);
    for (size_t k = 0; k < f->noperands; k++) {
        size_t i = second_first ? 1 - k : k;
        if (compose_walk(e, f->operands[i], scope, inside, &operands[i]))
            return -1;
        x[i] = operands[i].value;
        fitted = fitted || operands[i].fitted;
        bent = bent || operands[i].bent;
        if (product && k == 0 && x[i] == 0 && !fitted) {
            use_names(e, f->operands[1 - i], scope);
            *out = (struct compose_dual){0};
            return 0;
        }
    }
    if (fitted && f->kind >= FORMULA_LESS)
        return fail(
            e, f,
            "%s compares what models predict, and such a comparison has no interval: compare "
            "variables, or use min or max",
            formula_text(e->arena, f));
    *out = (struct compose_dual){apply(f, x), NULL, fitted, fitted && (bent || bends(f, operands))};
    if (!isfinite(out->value) && !e->measured)
        return fail(e, f, "%s has no value there: %s%s%s", e->definition->name,
                    formula_text(e->arena, f), f->noperands ? " with " : "",
                    f->noperands == 1   ? number_text(x[0], NUMBER_BUFFER)
                    : f->noperands == 0 ? ""
                                        : arena_printf(e->arena, "%.6g and %.6g", x[0], x[1]));
    for (size_t i = 0; i < f->noperands; i++) {
        if (!operands[i].slopes)
            continue;
        double slope = slope_along(f, x, i);
        if (!out->slopes)
            out->slopes = arena_zalloc(e->arena, e->width, sizeof *out->slopes);
        for (size_t k = 0; k < e->width; k++)
            out->slopes[k] += slope * operands[i].slopes[k];
    }
    return 0;
}

/* ---- sums */

static int sum_terms(struct compose_evaluation *e, const struct formula *f,
                     const struct compose_binding *scope, size_t inside, double from, double n,
                     struct compose_dual *out)
{
    struct arena *outer = e->arena, *own = arena_create();
    int status = 0;
    if (e->with_slopes)
        out->slopes = arena_zalloc(outer, e->width, sizeof *out->slopes);
    e->arena = own;
    for (double i = 0; i < n && status == 0; i++) {
        struct compose_dual term = {0};
        struct compose_binding index = {f->name, {.value = from + i}, NULL, scope};
        arena_reset(own);
        status = compose_walk(e, f->operands[2], &index, inside, &term);
        if (status)
            break;
        out->value += term.value;
        out->fitted = out->fitted || term.fitted;
        out->bent = out->bent || term.bent;
        for (size_t k = 0; term.slopes && out->slopes && k < e->width; k++)
            out->slopes[k] += term.slopes[k];
    }
    e->arena = outer;
    arena_destroy(own);
    return status;
}

static int walk_sum(struct compose_evaluation *e, const struct formula *f,
                    const struct compose_binding *scope, size_t inside, struct compose_dual *out)
{
    const double rounding = 1e-9; /* log2(P) may be a little less than a whole number */
    struct compose_dual from = {0}, to = {0};
    *out = (struct compose_dual){0};
    if (compose_walk(e, f->operands[0], scope, inside, &from) ||
        compose_walk(e, f->operands[1], scope, inside, &to))
        return -1;
    double n = floor(to.value - from.value + rounding) + 1;
    if (!(n <= MOST_TERMS))
        return fail(e, f, "the sum over %s from %.6g to %.6g has more than %d terms", f->name,
                    from.value, to.value, MOST_TERMS);
    return n > 0 ? sum_terms(e, f, scope, inside, from.value, n, out) : 0;
}

/* ---- experiments */

/* The number of the spot, which is added if it is new. */
static size_t spot_number(struct compose_evaluation *e, struct compose_spot **list, size_t *n,
                          size_t *room, struct compose_spot spot)
{
    for (size_t i = 0; i < *n; i++)
        if ((*list)[i].node == spot.node && (*list)[i].inside == spot.inside)
            return i;
    ARENA_ADD(e->lasting, *list, *n, room, spot);
    return *n - 1;
}

static void merge_extrapolation(struct prediction *all, const struct extrapolation *one)
{
    for (size_t i = 0; i < all->nextrapolates; i++) {
        struct extrapolation *known = &all->extrapolates[i];
        if (strcmp(known->variable, one->variable) != 0 || (known->times > 1) != (one->times > 1))
            continue;
        if (fabs(log(one->times)) > fabs(log(known->times)))
            *known = *one;
        return;
    }
    all->extrapolates[all->nextrapolates++] = *one;
}

/* The model's own text of the name. */
static const char *lasting_name(const struct model *m, const char *variable)
{
    for (size_t v = 0; v < model_places(m); v++)
        if (strcmp(model_place_name(m, v), variable) == 0)
            return model_place_name(m, v);
    return m->points.names[points_find(&m->points, variable)];
}

/* Remembers what is special about a place where the block was used. */
static void merge_remarks(struct compose_evaluation *e, size_t block, const struct prediction *one)
{
    struct prediction *all = &e->parts[block].at;
    const struct model *m = e->models[block];
    if (!all->extrapolates) {
        all->extrapolates =
            arena_zalloc(e->lasting, 2 * (m->points.nnames + m->structure.nderived) + 2,
                         sizeof *all->extrapolates);
        all->gaps =
            arena_zalloc(e->lasting, m->structure.pieces->nboundaries + 1, sizeof *all->gaps);
    }
    all->unmeasured = all->unmeasured || one->unmeasured;
    for (size_t i = 0; i < one->nextrapolates; i++) {
        struct extrapolation lasting = one->extrapolates[i];
        lasting.variable = lasting_name(m, lasting.variable);
        merge_extrapolation(all, &lasting);
    }
    for (size_t i = 0; i < one->ngaps; i++) {
        size_t k = 0;
        while (k < all->ngaps && (strcmp(all->gaps[k].variable, one->gaps[i].variable) != 0 ||
                                  all->gaps[k].below != one->gaps[i].below))
            k++;
        if (k == all->ngaps)
            all->gaps[all->ngaps++] = one->gaps[i];
    }
}

/* The slopes of a value of the block along everything. */
static void set_slopes(struct compose_evaluation *e, size_t block, size_t reference,
                       bool is_constant, const struct model_slopes *at, struct compose_dual *out)
{
    const struct model *m = e->models[block];
    double v = at->value, grown = is_constant ? 1 : predict_noise_grown(m, v),
           floor = is_constant ? 0 : m->noise.floor;
    size_t noise = e->c->ncolumns + e->c->nblocks + 2 * reference;
    out->slopes = arena_zalloc(e->arena, e->width, sizeof *out->slopes);
    memcpy(out->slopes + e->c->blocks[block].first, at->slopes,
           m->structure.ncolumns * sizeof *at->slopes);
    out->slopes[e->c->ncolumns + block] = v;
    if (m->noise.none)
        return;
    out->slopes[noise] = hypot(m->noise.relative * grown * v, floor);
    out->slopes[noise + 1] = sqrt(fmax(m->noise.runs_of_point, 0)) * v;
}

/* A place from the arguments of a reference, and the variables around it. */
struct given {
    const char **names;
    double *values;
    size_t n;
};

static void give(struct given *g, const char *name, double value)
{
    g->names[g->n] = name;
    g->values[g->n++] = value;
}

/* Arguments without names are the variables of the model in the order of the data. */
static int give_arguments(struct compose_evaluation *e, const struct formula *f,
                          const struct compose_binding *scope, size_t inside,
                          const char *const *variables, size_t nvariables, struct given *out)
{
    size_t n = f->kind == FORMULA_REFERENCE ? f->noperands : 0;
    for (size_t i = 0; i < n; i++) {
        struct compose_dual value;
        const char *name = f->arguments[i];
        if (!name && nvariables != n)
            return fail(e, f, "%s is over %zu variables: name the variable, %s(%s=...)", f->name,
                        nvariables, f->name, nvariables ? variables[nvariables - 1] : "N");
        if (compose_walk(e, f->operands[i], scope, inside, &value))
            return -1;
        give(out, name ? name : variables[i], value.value);
    }
    return 0;
}

/* The variables that are not given as arguments: those of the same name around the reference. */
static int give_others(struct compose_evaluation *e, const struct formula *f,
                       const struct compose_binding *scope, const struct model *m,
                       const char *const *variables, size_t nvariables, struct given *out)
{
    size_t arguments = out->n;
    bool by_let = false; /* n=64 in place of N and P */
    for (size_t i = 0; i < arguments; i++)
        by_let = by_let || text_is_in(e->c->let.names, e->c->let.n, out->names[i]);
    for (size_t v = 0; v < nvariables; v++) {
        bool given = text_is_in(out->names, arguments, variables[v]);
        const struct compose_binding *b = given ? NULL : find_binding(scope, variables[v]);
        size_t column = points_find(&m->points, variables[v]);
        bool constant = column != SIZE_MAX && points_constant(&m->points, column);
        if (b) {
            give(out, variables[v], b->value.value);
            if (b->used)
                *b->used = true;
        } else if (!given && !constant && !by_let) {
            return fail(
                e, f, "%s needs a value of %s here: write %s(%s=...), or %s", f->name, variables[v],
                f->name, variables[v],
                e->definition->has_parameters
                    ? arena_printf(e->arena, "make %s a parameter of %s", variables[v],
                                   e->definition->name)
                    : arena_printf(e->arena,
                                   e->definition->text ? "give %s=VALUE" : "give %s a value above",
                                   variables[v]));
        }
    }
    return 0;
}

/* The variables that tell points apart. */
static const char **varying(struct arena *a, const struct model *m, size_t *n)
{
    const char **list = arena_alloc(a, m->points.nnames + 1, sizeof *list);
    *n = 0;
    for (size_t v = 0; v < m->points.nnames; v++)
        if (!points_constant(&m->points, v))
            list[(*n)++] = m->points.names[v];
    return list;
}

static size_t find_constant(const struct model *m, unsigned index)
{
    size_t i = 0;
    while (i < m->nconstants && m->constants[i].index != index)
        i++;
    return i < m->nconstants ? i : SIZE_MAX;
}

static bool is_constant(const struct formula *f)
{
    return f->kind == FORMULA_CONSTANT ||
           (f->kind == FORMULA_REFERENCE && f->index != FORMULA_NO_INDEX);
}

/* The measured value of the point at the place; nan without one. */
static double measured_at(const struct model *m, const struct given *g)
{
    const struct points *p = &m->points;
    for (size_t i = 0; i < p->n; i++) {
        bool here = true;
        for (size_t v = 0; v < p->nnames && here; v++) {
            size_t k = 0;
            while (k < g->n && strcmp(g->names[k], p->names[v]) != 0)
                k++;
            here = k < g->n
                       ? fabs(g->values[k] - p->at[v][i]) <= COMPOSE_SAME_PLACE * fabs(p->at[v][i])
                       : points_constant(p, v);
        }
        if (here)
            return p->value[i];
    }
    return (double)NAN;
}

static const struct compose_dual *known_constant(const struct compose_evaluation *e,
                                                 const struct formula *f, size_t inside)
{
    for (size_t i = 0; i < e->nknown; i++)
        if (e->known[i].node == f && e->known[i].inside == inside)
            return &e->known[i].value;
    return NULL;
}

static void keep_constant(struct compose_evaluation *e, const struct formula *f, size_t inside,
                          const struct compose_dual *value)
{
    if (e->nknown == COMPOSE_MOST_KNOWN)
        return;
    struct compose_dual kept = *value;
    if (kept.slopes) {
        kept.slopes = arena_alloc(e->lasting, e->width, sizeof *kept.slopes);
        memcpy(kept.slopes, value->slopes, e->width * sizeof *kept.slopes);
    }
    e->known[e->nknown++] = (struct compose_known){f, inside, kept};
}

static int walk_block(struct compose_evaluation *e, const struct formula *f,
                      const struct compose_binding *scope, size_t inside, size_t block,
                      struct compose_dual *out)
{
    const struct compose_dual *known = known_constant(e, f, inside);
    if (known) {
        *out = *known;
        return 0;
    }
    const struct model *m = e->models[block];
    bool constant = is_constant(f);
    size_t index = constant ? find_constant(m, f->index) : SIZE_MAX, nvariables;
    if (constant && index == SIZE_MAX)
        return fail(e, f, "%s has no constant %u: its formula is %s", f->name, f->index,
                    formula_text(e->arena, m->request.formula));
    const char **variables = constant ? model_changes_along(e->arena, m, index, &nvariables)
                                      : model_variables(e->arena, m, &nvariables);
    size_t room = f->noperands + nvariables + m->points.nnames + 1;
    struct given g = {.names = arena_alloc(e->arena, room, sizeof *g.names),
                      .values = arena_alloc(e->arena, room, sizeof *g.values)};
    if (give_arguments(e, f, scope, inside, variables, nvariables, &g))
        return -1;
    if (e->measured)
        variables = varying(e->arena, m, &nvariables);
    if (give_others(e, f, scope, m, variables, nvariables, &g))
        return -1;
    if (e->measured) {
        *out = (struct compose_dual){.value = constant ? (double)NAN : measured_at(m, &g),
                                     .fitted = true};
        return 0;
    }
    struct place place = {g.names, g.values, g.n};
    struct model_slopes at;
    for (size_t i = 0; constant && i < g.n; i++)
        if (points_find(&m->points, g.names[i]) == SIZE_MAX)
            return fail(e, f, "%s", points_no_variable(e->arena, &m->points, NULL, g.names[i]));
    enum gap_side side = e->sides ? e->sides[block] : GAP_MIXED;
    if (constant ? predict_constant_slopes(e->arena, m, index, &place, side, e->diag, &at)
                 : predict_slopes(e->arena, m, &place, side, e->diag, &at))
        return located(e, f);
    struct compose_spot spot = {f, inside, block};
    if (constant) /* all constants of a block in one expression are of one execution */
        spot.node = m->request.formula;
    size_t reference = spot_number(e, &e->references, &e->nreferences, &e->room_references, spot);
    if (reference >= MOST_REFERENCES)
        return fail(e, f, "%s uses more than %d constants and values of experiments",
                    e->definition->name, MOST_REFERENCES);
    if (e->parts)
        merge_remarks(e, block, &at.at);
    *out = (struct compose_dual){.value = at.value, .fitted = true};
    if (e->with_slopes)
        set_slopes(e, block, reference, constant, &at, out);
    if (constant && g.n == 0)
        keep_constant(e, f, inside, out);
    return 0;
}

/* ---- definitions */

/* The value of a parameter: the argument in its place, that with its name, or the variable of its name
 * around the call. */
static int parameter_value(struct compose_evaluation *e, const struct formula *f,
                           const struct compose_definition *d, size_t i,
                           const struct compose_binding *scope, size_t inside,
                           struct compose_dual *out)
{
    size_t n = f->kind == FORMULA_REFERENCE ? f->noperands : 0, k = 0;
    if (i < n && !f->arguments[i])
        return compose_walk(e, f->operands[i], scope, inside, out);
    while (k < n && (!f->arguments[k] || strcmp(f->arguments[k], d->parameters[i]) != 0))
        k++;
    if (k < n)
        return compose_walk(e, f->operands[k], scope, inside, out);
    const struct compose_binding *b = find_binding(scope, d->parameters[i]);
    if (!b)
        return fail(e, f, "%s needs a value of %s here: write %s(%s=...)", d->name,
                    d->parameters[i], d->name, d->parameters[i]);
    if (b->used)
        *b->used = true;
    *out = b->value;
    return 0;
}

static int check_arguments(const struct compose_evaluation *e, const struct formula *f,
                           const struct compose_definition *d)
{
    for (size_t i = 0; f->kind == FORMULA_REFERENCE && i < f->noperands; i++) {
        bool known = !d->has_parameters && f->arguments[i];
        if (!d->has_parameters && !f->arguments[i])
            return fail(e, f,
                        "%s has no parameters: name the variable, %s(N=...), or write "
                        "'define %s(N) = ...'",
                        d->name, d->name, d->name);
        for (size_t k = 0; k < d->nparameters && !known; k++)
            known = f->arguments[i] ? strcmp(f->arguments[i], d->parameters[k]) == 0 : i == k;
        if (!known)
            return fail(e, f, "%s has %zu parameter%s%s%s", d->name, d->nparameters,
                        d->nparameters == 1 ? "" : "s",
                        f->arguments[i] ? " and none is called " : "",
                        f->arguments[i] ? f->arguments[i] : "");
    }
    return 0;
}

static int walk_definition(struct compose_evaluation *e, const struct formula *f,
                           const struct compose_definition *d, const struct compose_binding *scope,
                           size_t inside, struct compose_dual *out)
{
    size_t n = d->has_parameters ? d->nparameters : f->kind == FORMULA_REFERENCE ? f->noperands : 0;
    struct compose_binding *own = arena_zalloc(e->arena, n + 1, sizeof *own);
    size_t call = 1 + spot_number(e, &e->calls, &e->ncalls, &e->room_calls,
                                  (struct compose_spot){f, inside, SIZE_MAX});
    if (check_arguments(e, f, d))
        return -1;
    const struct compose_binding *inner = d->has_parameters ? NULL : scope;
    for (size_t i = 0; i < n; i++) {
        int status = d->has_parameters
                         ? parameter_value(e, f, d, i, scope, inside, &own[i].value)
                         : compose_walk(e, f->operands[i], scope, inside, &own[i].value);
        if (status)
            return -1;
        own[i].name = d->has_parameters ? d->parameters[i] : f->arguments[i];
        own[i].up = inner;
        inner = &own[i];
    }
    const struct compose_definition *outer = e->definition;
    e->definition = d;
    int status = compose_walk(e, d->formula, inner, call, out);
    e->definition = outer;
    return status;
}

/* ---- names */

static int walk_name(struct compose_evaluation *e, const struct formula *f,
                     const struct compose_binding *scope, size_t inside, struct compose_dual *out)
{
    const struct compose_binding *b =
        f->kind == FORMULA_VARIABLE ? find_binding(scope, f->name) : NULL;
    if (b) {
        if (b->used)
            *b->used = true;
        *out = b->value;
        return 0;
    }
    for (size_t i = 0; f->kind == FORMULA_VARIABLE && i < e->c->let.n; i++)
        if (strcmp(e->c->let.names[i], f->name) == 0)
            return compose_walk(e, e->c->let.by[i], scope, inside, out);
    const struct compose_definition *d = is_constant(f) ? NULL : compose_find(e->c, f->name);
    size_t block = find_block(e->c, f->name);
    if (d)
        return walk_definition(e, f, d, scope, inside, out);
    if (block != SIZE_MAX)
        return walk_block(e, f, scope, inside, block, out);
    for (size_t i = 0; i < e->c->nmissing; i++)
        if (strcmp(e->c->missing[i].name, f->name) == 0)
            return fail(e, f, "%s", e->c->missing[i].why);
    if (f->kind != FORMULA_VARIABLE)
        return fail(e, f, "there is neither a definition nor an experiment '%s'", f->name);
    if (e->definition->has_parameters)
        return fail(e, f, "'%s' is not a parameter of %s: add it, 'define %s(..., %s) = ...'",
                    f->name, e->definition->name, e->definition->name, f->name);
    return fail(e, f,
                "the prediction needs a value of %s: give %s=VALUE, or a range such as "
                "%s=1000:8000:2",
                f->name, f->name, f->name);
}

int compose_walk(struct compose_evaluation *e, const struct formula *f,
                 const struct compose_binding *scope, size_t inside, struct compose_dual *out)
{
    if (++e->steps > MOST_STEPS)
        return fail(e, f, "%s takes too many operations: more than %d", e->definition->name,
                    MOST_STEPS);
    if ((e->steps & 0xffff) == 0 && interrupt_came())
        return -1;
    switch (f->kind) {
    case FORMULA_NUMBER: *out = (struct compose_dual){.value = f->number}; return 0;
    case FORMULA_VARIABLE:
    case FORMULA_CONSTANT:
    case FORMULA_REFERENCE: return walk_name(e, f, scope, inside, out);
    case FORMULA_SUM: return walk_sum(e, f, scope, inside, out);
    default: return walk_operation(e, f, scope, inside, out);
    }
}
