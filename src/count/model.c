/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "count/model.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/lookup.h"
#include "numeric/lsq.h"

/* ---- rows and variables ---- */

static void choose_rows(struct arena *a, const struct counts *counts, struct count_model *m)
{
    m->rows = arena_alloc(a, counts->nexecutions + 1, sizeof *m->rows);
    for (size_t i = 0; i < counts->nexecutions; i++)
        if (!strcmp(counts->executions[i].experiment, m->experiment))
            m->rows[m->nrows++] = &counts->executions[i];
}

static double value_at(const struct execution *e, const char *name, double otherwise)
{
    for (size_t i = 0; i < e->nvalues; i++)
        if (!strcmp(e->names[i], name))
            return e->values[i];
    return otherwise;
}

static void add_variable(struct arena *a, struct count_model *m, const char *name)
{
    bool is_processors = !strcmp(name, "P");
    struct count_variable *v = &m->variables[m->nvariables++];
    v->name = name;
    v->at = arena_alloc(a, m->nrows, sizeof *v->at);
    for (size_t i = 0; i < m->nrows; i++) {
        double processes = (double)m->rows[i]->processes;
        v->at[i] = value_at(m->rows[i], name, is_processors ? processes : NAN);
        if (is_processors && v->at[i] == 0) /* all processes */
            v->at[i] = processes;
        v->varies |= v->at[i] != v->at[0];
    }
}

/* The variables of the experiment, then P. */
static void make_variables(struct arena *a, struct count_model *m)
{
    const struct execution *first = m->rows[0];
    m->variables = arena_zalloc(a, first->nvalues + 1, sizeof *m->variables);
    for (size_t i = 0; i < first->nvalues; i++)
        if (strcmp(first->names[i], "P") != 0)
            add_variable(a, m, first->names[i]);
    add_variable(a, m, "P");
}

bool count_model_same_point(const struct count_model *m, size_t x, size_t y)
{
    for (size_t i = 0; i < m->nvariables; i++)
        if (m->variables[i].at[x] != m->variables[i].at[y])
            return false;
    return true;
}

static void count_points(struct count_model *m)
{
    for (size_t i = 0; i < m->nrows; i++) {
        size_t k = 0;
        while (k < i && !count_model_same_point(m, k, i))
            k++;
        m->npoints += k == i;
    }
}

/* ---- terms ---- */

/* Counts of a program that halves are whole multiples of log2(N): of log(N)/log(2). */
static double unit_of(const struct formula *f)
{
    double unit = 1;
    if (f->kind == FORMULA_CALL &&
        (!strcmp(f->function->name, "log") || !strcmp(f->function->name, "ln")))
        unit = 1 / log(2);
    else if (f->kind == FORMULA_CALL && !strcmp(f->function->name, "log10"))
        unit = 1 / log10(2);
    for (size_t i = 0; i < f->noperands; i++)
        unit *= unit_of(f->operands[i]);
    if (f->kind == FORMULA_POWER && f->operands[1]->kind == FORMULA_NUMBER)
        unit = pow(unit_of(f->operands[0]), f->operands[1]->number);
    return unit;
}

static int evaluate(struct arena *a, const struct count_model *m, struct count_term *t,
                    struct diag *diag)
{
    const char **names = arena_alloc(a, m->nvariables, sizeof *names);
    const double **columns = arena_alloc(a, m->nvariables, sizeof *columns);
    struct formula_trouble trouble;
    for (size_t i = 0; i < m->nvariables; i++) {
        names[i] = m->variables[i].name;
        columns[i] = m->variables[i].at;
    }
    const struct formula_program *p =
        formula_compile(a, t->coefficient, names, m->nvariables, NULL, diag);
    if (!p)
        return -1;
    t->at = arena_alloc(a, m->nrows, sizeof *t->at);
    if (formula_evaluate(p, columns, m->nrows, t->at, &trouble))
        return diag_error(diag, "the formula of %s has no value at a counted point: %s",
                          m->experiment, trouble.what);
    return 0;
}

/* Terms that depend on those before them at all rows: as N^2/P on N^2 where P never changes. */
static void mark_dependent(struct arena *a, struct count_model *m)
{
    struct lsq *l = lsq_create(a, m->nterms);
    bool *keep = arena_zalloc(a, m->nterms + 1, sizeof *keep);
    double *row = arena_alloc(a, m->nterms + 1, sizeof *row);
    double *relation = arena_alloc(a, m->nterms + 1, sizeof *relation);
    for (size_t i = 0; i < m->nrows; i++) {
        double largest = 1e-300;
        for (size_t j = 0; j < m->nterms; j++)
            largest = fmax(largest, fabs(m->terms[j].at[i]));
        for (size_t j = 0; j < m->nterms; j++)
            row[j] = m->terms[j].at[i] / largest;
        lsq_add(l, row, 0);
    }
    lsq_finish(l);
    for (size_t j = 0; j < m->nterms; j++) {
        m->terms[j].dependent = lsq_dependent(a, l, keep, j, relation);
        keep[j] = !m->terms[j].dependent;
    }
}

static bool has_variable(const struct count_model *m, const char *name)
{
    for (size_t i = 0; i < m->nvariables; i++)
        if (!strcmp(m->variables[i].name, name))
            return true;
    return false;
}

static int make_terms(struct arena *a, struct count_model *m, struct diag *diag)
{
    const struct formula *f = formula_parse_text(a, m->formula, m->experiment, diag);
    const struct formula_linear *l = f ? formula_linearize(a, f, NULL, diag) : NULL;
    if (!l)
        return -1;
    struct formula_variables v = formula_variables(a, f);
    for (size_t i = 0; i < v.n; i++)
        if (!has_variable(m, v.list[i].name))
            return diag_error(
                diag,
                "the formula of %s uses '%s', which no counted execution has: a setting must be in "
                "the environment, as in CLL_SETTINGS=\"%s=100\" call count ...",
                m->experiment, v.list[i].name, v.list[i].name);
    if (l->nexponents)
        return diag_error(diag,
                          "the formula of %s has the constant %s as an exponent, which counts "
                          "cannot be fitted to; give it a number",
                          m->experiment, l->exponents[0].name);
    m->terms = arena_zalloc(a, l->nterms + 1, sizeof *m->terms);
    for (size_t i = 0; i < l->nterms; i++) {
        struct count_term *t = &m->terms[m->nterms++];
        t->constant = arena_printf(a, "%s[%u]", l->terms[i].experiment, l->terms[i].index);
        t->coefficient = formula_choose(a, l, l->terms[i].coefficient, NULL);
        t->text = formula_text(a, t->coefficient);
        t->unit = unit_of(t->coefficient);
        if (evaluate(a, m, t, diag))
            return -1;
    }
    mark_dependent(a, m);
    return 0;
}

/* ---- patterns ---- */

static uint64_t hash_row(uint64_t hash, size_t row, double count)
{
    uint64_t bits;
    memcpy(&bits, &count, sizeof bits);
    hash = (hash ^ bits ^ row * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 31;
}

/* A hash per instruction of its counts in all rows; 0 for one that was not executed. */
static uint64_t *hash_all(struct arena *a, const struct counts *counts, const struct count_model *m)
{
    uint64_t *hashes = arena_zalloc(a, counts->ninstructions + 1, sizeof *hashes);
    for (size_t i = 0; i < m->nrows; i++)
        for (size_t k = 0; k < m->rows[i]->n; k++) {
            const struct instruction_count *c = &m->rows[i]->counts[k];
            hashes[c->instruction] = hash_row(hashes[c->instruction] + 1, i, c->count) | 1;
        }
    return hashes;
}

static struct count_pattern *pattern_of(struct arena *a, struct count_model *m,
                                        struct lookup *known, size_t *capacity, uint64_t hash)
{
    char key[24];
    size_t n = (size_t)snprintf(key, sizeof key, "%" PRIx64, hash), i = lookup_find(known, key, n);
    if (i != SIZE_MAX)
        return &m->patterns[i];
    lookup_add(known, a, arena_strdup(a, key), m->npatterns);
    ARENA_ADD(a, m->patterns, m->npatterns, capacity,
              (struct count_pattern){.at = arena_zalloc(a, m->nrows, sizeof(double))});
    return &m->patterns[m->npatterns - 1];
}

/* The counts of a pattern are those of its first instruction. */
static void fill_patterns(struct arena *a, const struct counts *counts, struct count_model *m)
{
    size_t *of = arena_zalloc(a, counts->ninstructions + 1, sizeof *of);
    for (size_t p = 0; p < m->npatterns; p++)
        of[m->patterns[p].instructions[0]] = p + 1;
    for (size_t i = 0; i < m->nrows; i++)
        for (size_t k = 0; k < m->rows[i]->n; k++) {
            const struct instruction_count *c = &m->rows[i]->counts[k];
            if (of[c->instruction])
                m->patterns[of[c->instruction] - 1].at[i] = c->count;
        }
}

static void make_patterns(struct arena *a, const struct counts *counts, struct count_model *m)
{
    uint64_t *hashes = hash_all(a, counts, m);
    struct lookup known = {0};
    size_t capacity = 0;
    for (size_t i = 0; i < counts->ninstructions; i++) {
        if (!hashes[i])
            continue;
        struct count_pattern *p = pattern_of(a, m, &known, &capacity, hashes[i]);
        ARENA_ADD(a, p->instructions, p->n, &p->capacity, i);
    }
    fill_patterns(a, counts, m);
}

/* ---- the whole ---- */

const char *count_model_formula(const struct experiment *e)
{
    const struct observable_formula *f = experiment_formula(e, "INSTRUCTIONS");
    if (!f || !*f->text)
        f = experiment_formula(e, "CLOCK");
    for (size_t i = 0; (!f || !*f->text) && i < e->nformulas; i++)
        f = &e->formulas[i];
    return f ? f->text : "";
}

struct count_model *count_model_make(struct arena *a, const struct counts *counts,
                                     const struct experiment *e, struct diag *diag)
{
    struct count_model *m = arena_zalloc(a, 1, sizeof *m);
    m->experiment = e->name;
    m->formula = count_model_formula(e);
    choose_rows(a, counts, m);
    if (!m->nrows)
        return NULL;
    make_variables(a, m);
    count_points(m);
    if (*m->formula && make_terms(a, m, diag))
        return NULL;
    make_patterns(a, counts, m);
    return m;
}
