/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What llac says about residuals that split by divisibility (divisible.c): which values, how much,
 * and the term that would describe them. The functions of formulas suffice for such a term:
 * ceil(x) - floor(x) is 0 where x is an integer and 1 elsewhere, with x = log2(N) for powers of two.
 */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "model/diagnose.h"

/* ---- the term ---- */

static bool is_member(const struct model *m, const struct value_class *c, size_t point)
{
    return class_has(c, m->points.at[c->variable][point]);
}

/* Mean relative error in percent, at the points of the fit, with one more column: the coefficient of
 * a constant at the slower points. */
static double error_with(struct arena *a, const struct model *m, const struct model_split *split,
                         size_t constant)
{
    size_t n = m->points.n, k = m->structure.ncolumns, used = 0;
    struct lsq *l = lsq_create(a, k + 1);
    struct lsq_solution solution;
    double *rows = arena_alloc(a, n * (k + 1), sizeof *rows), sum = 0;
    for (size_t i = 0; i < n; i++) {
        double y = m->points.value[i], *row = rows + i * (k + 1);
        if (m->structure.left_out[i] || !(y > 0))
            continue;
        bool slow = is_member(m, &split->class, i) == (split->factor > 1);
        for (size_t j = 0; j < k; j++)
            row[j] = m->structure.design[i * k + j] / y;
        row[k] = slow ? m->formula.coefficients[i * m->nconstants + constant] / y : 0;
        lsq_add(l, row, 1 - (m->formula.known ? m->formula.known[i] / y : 0));
    }
    lsq_finish(l);
    lsq_solve(a, l, NULL, &solution);
    for (size_t i = 0; i < n; i++) {
        double y = m->points.value[i], rest = 1 - (m->formula.known ? m->formula.known[i] / y : 0);
        if (m->structure.left_out[i] || !(y > 0))
            continue;
        for (size_t j = 0; j <= k; j++)
            rest -= solution.x[j] * rows[i * (k + 1) + j];
        sum += fabs(rest);
        used++;
    }
    return used ? 100 * sum / (double)used : NAN;
}

/* 1 at the slower points, 0 at the others: as a factor of a term. */
static char *indicator(struct model *m, const struct model_split *split)
{
    const char *name = m->points.names[split->class.variable];
    char *of = arena_printf(m->arena,
                            split->class.kind == CLASS_MULTIPLES ? "%s/%.0f"
                            : split->class.kind == CLASS_SQUARES ? "sqrt(%s)"
                                                                 : "log2(%s)",
                            name, split->class.of);
    return arena_printf(m->arena,
                        split->factor > 1 ? "(1 - ceil(%s) + floor(%s))" : "(ceil(%s) - floor(%s))",
                        of, of);
}

/* The term that would explain the split. */
static void find_term(struct model *m, struct model_split *split)
{
    size_t best = m->nconstants;
    unsigned next = 0;
    for (size_t j = 0; j < m->nconstants; j++) {
        ARENA_LOCAL struct arena *a = arena_create();
        double error = m->constants[j].is_exponent ? NAN : error_with(a, m, split, j);
        if (!isnan(error) && (best == m->nconstants || error < split->term_error)) {
            split->term_error = error;
            best = j;
        }
        next = m->constants[j].index >= next ? m->constants[j].index + 1 : next;
    }
    if (best == m->nconstants)
        return;
    const char *coefficient = formula_text(m->arena, model_term(m->arena, m, best));
    bool one = strcmp(coefficient, "1") == 0, sum = strpbrk(coefficient, "+-") != NULL;
    split->term =
        arena_printf(m->arena, "%s[%u]%s%s%s*%s", m->request.points.experiment->base, next,
                     one   ? ""
                     : sum ? "*("
                           : "*",
                     one ? "" : coefficient, !one && sum ? ")" : "", indicator(m, split));
}

/* ---- the text ---- */

char *class_text(struct arena *a, const struct model_split *split)
{
    switch (split->class.kind) {
    case CLASS_POWERS_OF_TWO: return arena_strdup(a, "powers of two");
    case CLASS_SQUARES: return arena_strdup(a, "squares");
    default: return arena_printf(a, "multiples of %.0f", split->class.of);
    }
}

size_t class_values(struct arena *a, const struct model *m, const struct value_class *c,
                    double **values)
{
    size_t n = 0;
    *values = arena_alloc(a, m->points.n + 1, sizeof **values);
    for (size_t i = 0; i < m->points.n; i++)
        if (is_member(m, c, i) && !m->structure.left_out[i])
            (*values)[n++] = m->points.at[c->variable][i];
    return stats_distinct(*values, n);
}

/* "512, 1024, 2048, ..."; and which other classes are the same here. */
static char *which_values(struct model *m, const struct model_split *split)
{
    double *values;
    char number[NUMBER_SIZE];
    size_t n = class_values(m->arena, m, &split->class, &values);
    struct text t = text_new();
    for (size_t i = 0; i < n && i < DIVISIBLE_NAMED_VALUES; i++)
        text_printf(&t, "%s%s", i ? ", " : "", number_text(values[i], number));
    if (n > DIVISIBLE_NAMED_VALUES)
        text_printf(&t, ", ...");
    if (split->same_to > split->same_from)
        text_printf(&t, "; here the same as multiples of %.0f to %.0f", split->same_from,
                    split->same_to);
    else if (split->same_to > 0)
        text_printf(&t, "; here the same as multiples of %.0f", split->same_to);
    return text_keep(&t, m->arena);
}

/* "2.9 times as long (95 %: 2.6 to 3.2) as", "12 % longer (95 %: 9 to 15 %) than". */
static char *how_much(struct arena *a, const struct model_split *s)
{
    if (s->factor > DIVISIBLE_AS_TIMES || s->factor < 1 / DIVISIBLE_AS_TIMES)
        return arena_printf(a, "%.3g times as long (95 %%: %.3g to %.3g) as", s->factor, s->low,
                            s->high);
    bool longer = s->factor > 1;
    double part = 100 * fabs(s->factor - 1), low = 100 * (s->low - 1), high = 100 * (s->high - 1);
    return arena_printf(a, "%.2g %% %s (95 %%: %.2g to %.2g %%) than", part,
                        longer ? "longer" : "less time", longer ? low : -high,
                        longer ? high : -low);
}

void divisible_diagnose(struct model *m)
{
    struct model_split *s = &m->split;
    if (m->nconstants == 0 || m->points.n < 2 * DIVISIBLE_LEAST_VALUES)
        return;
    if (!divisible_find(m, m->structure.design, m->structure.ncolumns, m->structure.left_out,
                        DIVISIBLE_LEVEL, s))
        *s = m->structure.split;
    if (!s->found)
        return;
    find_term(m, s);
    const char *name = m->points.names[s->class.variable];
    char *advice = arena_printf(m->arena, "measure other values of %s as well", name);
    if (s->term)
        advice = arena_printf(m->arena,
                              "measure other values of %s, or give these a term: + %s (mean error "
                              "then %.2g %%, now %.2g %%)",
                              name, s->term, s->term_error, m->error.mean_pct);
    SAY(m, "divisible", advice, "%s that are %s (%s) take %s other %s", name,
        class_text(m->arena, s), which_values(m, s), how_much(m->arena, s), name);
}
