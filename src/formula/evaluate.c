/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Evaluation over columns: the tree is compiled once to postfix instructions; a run handles the
 * rows in blocks, one loop per instruction and block, so that the dispatch costs nothing per row
 * and the loops vectorise. Slots hold one block each and form a stack.
 *
 * A condition has the value 0 for a row that lacks a value which it compares: `where` leaves such rows
 * out. Where a condition is a number of a formula, (P > 1)*N, such a row has no value.
 *
 * An instruction that can leave the finite numbers (division, logarithm, power, ...) checks its own
 * results: a bad sample is noticed even when a later operation would hide it, as in exp(-1/0).
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "formula/functions.h"

enum { BLOCK = 128, SLOTS_ON_STACK = 16 };

enum operation_code { LOAD_COLUMN, LOAD_NUMBER, SQUARE, APPLY };

struct instruction {
    enum operation_code code;
    enum formula_kind kind;
    const struct formula_function *function;
    const struct formula_machine *machine; /* which the function asks; NULL = none */
    size_t column, noperands;
    double number;
    bool shows_nan; /* of a condition that is a number: an operand without a value shows */
};

struct formula_program {
    const struct formula *expression;
    const char *const *columns;
    size_t ncolumns;
    struct instruction *code;
    size_t n, capacity, slots;
};

struct compiler {
    struct arena *arena;
    struct formula_program *program;
    const struct source *source;
    struct diag *diag;
    size_t depth;
};

static const char *leaf_name(const struct formula *f, char *buffer, size_t size)
{
    if (f->kind == FORMULA_VARIABLE)
        return f->name;
    if (f->word)
        snprintf(buffer, size, "%s.%s", f->name, f->word);
    else
        snprintf(buffer, size, "%s[%u]", f->name, f->index);
    return buffer;
}

/* -1 if there is no such column. */
static long find_column(const struct formula_program *p, const struct formula *leaf)
{
    char buffer[256];
    const char *name = leaf_name(leaf, buffer, sizeof buffer);
    size_t i = text_find(p->columns, p->ncolumns, name);
    return i < p->ncolumns ? (long)i : -1;
}

static void emit(struct compiler *c, struct instruction i)
{
    struct formula_program *p = c->program;
    ARENA_ADD(c->arena, p->code, p->n, &p->capacity, i);
    c->depth += i.code == LOAD_COLUMN || i.code == LOAD_NUMBER;
    if (i.code == APPLY)
        c->depth -= i.noperands - 1;
    if (c->depth > p->slots)
        p->slots = c->depth;
}

static int compile_leaf(struct compiler *c, const struct formula *f)
{
    if (f->kind == FORMULA_NUMBER) {
        emit(c, (struct instruction){.code = LOAD_NUMBER, .number = f->number});
        return 0;
    }
    long column = find_column(c->program, f);
    if (column < 0) {
        char buffer[256];
        return diag_add(c->diag, SEVERITY_ERROR, f->span.end ? c->source : NULL, f->span,
                        "the data has no column '%s'", leaf_name(f, buffer, sizeof buffer));
    }
    emit(c, (struct instruction){.code = LOAD_COLUMN, .column = (size_t)column});
    return 0;
}

/* `logic`: f is the whole condition, or an operand of and, or, not in it. */
static int compile(struct compiler *c, const struct formula *f, bool logic)
{
    if (f->kind == FORMULA_SUM || f->kind == FORMULA_REFERENCE)
        return diag_add(c->diag, SEVERITY_ERROR, f->span.end ? c->source : NULL, f->span,
                        "'%s' is for definitions ('define')",
                        f->kind == FORMULA_SUM ? "sum" : f->name);
    if (!f->noperands && f->kind != FORMULA_CALL)
        return compile_leaf(c, f);
    if (f->kind == FORMULA_POWER && formula_is_number(f->operands[1], 2)) {
        if (compile(c, f->operands[0], false))
            return -1;
        emit(c, (struct instruction){.code = SQUARE});
        return 0;
    }
    bool joins = f->kind == FORMULA_AND || f->kind == FORMULA_OR || f->kind == FORMULA_NOT;
    for (size_t i = 0; i < f->noperands; i++)
        if (compile(c, f->operands[i], logic && joins))
            return -1;
    emit(c, (struct instruction){.code = APPLY,
                                 .kind = f->kind,
                                 .function = f->function,
                                 .machine = f->machine,
                                 .noperands = f->noperands,
                                 .shows_nan = !logic && formula_is_condition(f)});
    return 0;
}

const struct formula_program *formula_compile(struct arena *a, const struct formula *f,
                                              const char *const *columns, size_t ncolumns,
                                              const struct source *source, struct diag *diag)
{
    struct formula_program *p = arena_zalloc(a, 1, sizeof *p);
    const char **names = arena_alloc(a, ncolumns, sizeof *names);
    for (size_t i = 0; i < ncolumns; i++)
        names[i] = arena_strdup(a, columns[i]);
    p->expression = f;
    p->columns = names;
    p->ncolumns = ncolumns;
    struct compiler c = {a, p, source, diag, 0};
    if (formula_check_machine(a, f, source, diag))
        return NULL;
    return compile(&c, f, true) ? NULL : p;
}

/* ---- running ---- */

static int all_finite(const double *x, size_t n)
{
    int good = 1;
    for (size_t i = 0; i < n; i++)
        // NOLINTNEXTLINE(clang-analyzer-core.CallAndMessage): every program leaves a value
        good &= fabs(x[i]) <= DBL_MAX;
    return good;
}

static double apply_any(const struct instruction *in, const double *x)
{
    if (in->shows_nan && (isnan(x[0]) || isnan(x[in->noperands - 1])))
        return (double)NAN;
    return in->machine ? in->machine->value(in->machine->curves, in->function, x, in->noperands)
                       : formula_apply(in->kind, in->function, x, in->noperands);
}

static void apply_generic(const struct instruction *in, double (*x)[BLOCK], size_t n)
{
    enum { MAX_OPERANDS = 16 };
    double operands[MAX_OPERANDS] = {0};
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < in->noperands && k < MAX_OPERANDS; k++)
            operands[k] = x[k][i];
        x[0][i] = apply_any(in, operands);
    }
}

/* x[0] := the operation on x[0], x[1], ...; returns whether all results are finite. */
static int apply_block(const struct instruction *in, double (*x)[BLOCK], size_t n)
{
    double *a = x[0], *b = x[1];
    switch (in->kind) {
    case FORMULA_NEGATE:
        for (size_t i = 0; i < n; i++)
            a[i] = -a[i];
        return 1;
    case FORMULA_ADD:
        for (size_t i = 0; i < n; i++)
            a[i] += b[i];
        return 1;
    case FORMULA_SUBTRACT:
        for (size_t i = 0; i < n; i++)
            a[i] -= b[i];
        return 1;
    case FORMULA_MULTIPLY:
        for (size_t i = 0; i < n; i++)
            a[i] *= b[i];
        return 1;
    case FORMULA_DIVIDE:
        for (size_t i = 0; i < n; i++)
            a[i] /= b[i];
        return all_finite(a, n);
    default: apply_generic(in, x, n); return all_finite(a, n);
    }
}

static int run_block(const struct formula_program *p, const double *const *columns, size_t row,
                     size_t n, double (*slots)[BLOCK])
{
    size_t top = 0;
    int finite = 1;
    for (const struct instruction *in = p->code, *end = in + p->n; in < end; in++) {
        double *x = slots[top ? top - 1 : 0];
        switch (in->code) {
        case LOAD_COLUMN:
            memcpy(slots[top++], columns[in->column] + row, n * sizeof(double));
            break;
        case LOAD_NUMBER:
            for (size_t i = 0; i < n; i++)
                slots[top][i] = in->number;
            top++;
            break;
        case SQUARE:
            for (size_t i = 0; i < n; i++)
                x[i] *= x[i]; // NOLINT(clang-analyzer-core.uninitialized.Assign): loaded before
            break;
        case APPLY:
            top -= in->noperands - 1;
            finite &= apply_block(in, &slots[top - 1], n);
            break;
        }
    }
    return finite & all_finite(slots[0], n);
}

/* ---- naming what went wrong ---- */

struct finder {
    const struct formula_program *program;
    const double *const *columns;
    size_t row;
    const struct formula *culprit; /* the innermost expression that is not finite */
};

static double walk(struct finder *w, const struct formula *f)
{
    double x[16], value;
    if (f->kind == FORMULA_NUMBER)
        return f->number;
    if (!f->noperands && f->kind != FORMULA_CALL) {
        value = w->columns[find_column(w->program, f)][w->row];
    } else {
        for (size_t i = 0; i < f->noperands; i++)
            x[i] = walk(w, f->operands[i]);
        value = f->machine ? f->machine->value(f->machine->curves, f->function, x, f->noperands)
                           : formula_apply(f->kind, f->function, x, f->noperands);
    }
    if (!w->culprit && !isfinite(value))
        w->culprit = f;
    return value;
}

static void describe(const struct finder *w, struct text *out)
{
    formula_print(out, w->culprit, &(struct formula_print_options){.style = FORMULA_TEXT});
    if (!w->culprit->noperands) {
        text_add(out, " has no value");
        return;
    }
    ARENA_LOCAL struct arena *a = arena_create();
    struct formula_variables v = formula_variables(a, w->culprit);
    for (size_t i = 0; i < v.n; i++) {
        char number[NUMBER_SIZE];
        const struct formula leaf = {.kind = FORMULA_VARIABLE, .name = v.list[i].name};
        double value = w->columns[find_column(w->program, &leaf)][w->row];
        text_printf(out, "%s%s = %s", i ? ", " : " with ", v.list[i].name,
                    number_text(value, number));
    }
}

static int find_trouble(const struct formula_program *p, const double *const *columns, size_t row,
                        struct formula_trouble *t)
{
    struct finder w = {p, columns, row, NULL};
    walk(&w, p->expression);
    if (!w.culprit)
        return 0;
    TEXT_LOCAL struct text out = text_new();
    describe(&w, &out);
    t->row = row;
    snprintf(t->what, sizeof t->what, "%s", out.s);
    return 1;
}

int formula_evaluate(const struct formula_program *p, const double *const *columns, size_t nrows,
                     double *out, struct formula_trouble *trouble)
{
    double on_stack[SLOTS_ON_STACK + 1][BLOCK];
    double(*slots)[BLOCK] = on_stack;
    int status = 0;
    if (p->slots > SLOTS_ON_STACK)
        slots = mem_alloc(p->slots + 1, sizeof *slots);
    for (size_t row = 0; row < nrows; row += BLOCK) {
        size_t n = nrows - row < BLOCK ? nrows - row : BLOCK;
        int finite = run_block(p, columns, row, n, slots);
        memcpy(out + row, slots[0], n * sizeof *out);
        if (finite)
            continue;
        for (size_t i = 0; i < n && trouble && !status; i++)
            status = find_trouble(p, columns, row + i, trouble);
        status = 1;
    }
    if (slots != on_stack)
        mem_free(slots);
    return status;
}

/* x[0] := the operation on x[0], x[1], ... */
static double apply_one(const struct instruction *in, const double *x)
{
    switch (in->kind) {
    case FORMULA_ADD: return x[0] + x[1];
    case FORMULA_SUBTRACT: return x[0] - x[1];
    case FORMULA_MULTIPLY: return x[0] * x[1];
    case FORMULA_DIVIDE: return x[0] / x[1];
    default: return apply_any(in, x);
    }
}

double formula_value(const struct formula_program *p, const double *const *columns)
{
    double on_stack[4 * SLOTS_ON_STACK], *slots = on_stack;
    size_t top = 0;
    bool finite = true;
    if (p->slots + 1 > sizeof on_stack / sizeof *on_stack)
        slots = mem_alloc(p->slots + 1, sizeof *slots);
    slots[0] = 0;
    for (const struct instruction *in = p->code, *end = in + p->n; in < end && finite; in++) {
        switch (in->code) {
        case LOAD_COLUMN: slots[top++] = *columns[in->column]; break;
        case LOAD_NUMBER: slots[top++] = in->number; break;
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): its operand is on the stack
        case SQUARE: slots[top - 1] *= slots[top - 1]; break;
        case APPLY:
            top -= in->noperands;
            slots[top] = apply_one(in, &slots[top]);
            finite = isfinite(slots[top]);
            top++;
            break;
        }
    }
    double value = finite && isfinite(slots[0]) ? slots[0] : (double)NAN;
    if (slots != on_stack)
        mem_free(slots);
    return value;
}

int formula_at(struct arena *a, const struct formula *f, const char *const *names,
               const double *values, size_t n, const struct source *source, struct diag *diag,
               double *out, struct formula_trouble *trouble)
{
    const struct formula_program *p = formula_compile(a, f, names, n, source, diag);
    const double **columns = arena_alloc(a, n + 1, sizeof *columns);
    for (size_t i = 0; i < n; i++)
        columns[i] = &values[i];
    return p ? formula_evaluate(p, columns, 1, out, trouble) : -1;
}
