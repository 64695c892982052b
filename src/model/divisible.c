/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Residuals that split by divisibility. At sizes that are powers of two, or multiples of a line or a
 * page, the columns of a matrix meet in a few sets of a cache; numbers of processors that are powers
 * of two or squares have algorithms of their own. No term in N describes that, and intervals of
 * constants explain it by many boundaries that do not exist.
 *
 * For each integer variable the classes are: powers of two; squares (P only); multiples of 2, 4, 8,
 * ... A class must alternate with the other values: at a single step along the variable there is a
 * boundary, not a class. numeric/classes.h has the test. Its probability is multiplied by the number
 * of classes that were tried (those that are the same points count once). Of the classes that pass,
 * the one that leaves the least residuals is taken, and of nearly equal ones the simplest.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "model/fit_internal.h"
#include "numeric/classes.h"
#include "numeric/random.h"
#include "numeric/stats.h"

/* ---- classes ---- */

bool class_has(const struct value_class *c, double x)
{
    int exponent;
    switch (c->kind) {
    case CLASS_POWERS_OF_TWO: return x >= 1 && frexp(x, &exponent) == 0.5;
    case CLASS_SQUARES: return floor(sqrt(x)) * floor(sqrt(x)) == x;
    default: return fmod(x, c->of) == 0;
    }
}

/* The next class of a variable, from the simplest; false after the last one. `c->of` is 0 before the
 * first. */
static bool next_class(struct value_class *c, bool processors)
{
    if (c->of == 0) {
        c->kind = CLASS_POWERS_OF_TWO;
        c->of = 1;
    } else if (c->kind == CLASS_POWERS_OF_TWO && processors) {
        c->kind = CLASS_SQUARES;
    } else {
        c->kind = CLASS_MULTIPLES;
        c->of *= 2;
    }
    return c->of <= DIVISIBLE_MOST_MULTIPLE;
}

/* ---- the points of a test ---- */

enum { MOST_CLASSES = 16 }; /* of a variable */

struct looking {
    struct model *m;
    struct arena *arena;
    size_t *point; /* those that take part */
    struct classes_problem problem;
    double *value; /* of each group */
    struct model_split *found;
    double *chance; /* of each */
    double *rss;
    size_t nfound, tried;
    double level; /* that the chance of all of them must be below */
};

static bool takes_part(const struct model *m, const bool *left_out, size_t i)
{
    return !(left_out && left_out[i]) && m->points.value[i] > 0;
}

/* All points that take part, or some of them, drawn at random. */
static void choose_points(struct looking *l, const bool *left_out)
{
    const struct model *m = l->m;
    struct random random = {DIVISIBLE_SEED};
    double n = (double)m->points.n;
    l->point = arena_alloc(l->arena, m->points.n + 1, sizeof *l->point);
    for (size_t i = 0; i < m->points.n; i++)
        if (takes_part(m, left_out, i) &&
            (n <= DIVISIBLE_MOST_POINTS || random_uniform(&random) * n < DIVISIBLE_MOST_POINTS))
            l->point[l->problem.points++] = i;
}

/* The rows of the points; a missing term that was found takes part as a column. */
static void make_rows(struct looking *l, const double *design, size_t columns)
{
    const struct model *m = l->m;
    struct classes_problem *p = &l->problem;
    const double *extra = m->structure.missing.text ? m->structure.missing.column : NULL;
    double relative, weight, *rows, *y, *known, *sigma;
    noise_of_repetitions(&m->points, &relative, &weight);
    const double *scales = noise_scales(l->arena, &m->points, relative, m->noise.floor);
    p->columns = columns + (extra ? 1 : 0);
    p->design = rows = arena_alloc(l->arena, p->points * p->columns + 1, sizeof *rows);
    p->y = y = arena_alloc(l->arena, p->points + 1, sizeof *y);
    p->sigma = sigma = arena_alloc(l->arena, p->points + 1, sizeof *sigma);
    p->known = known = arena_zalloc(l->arena, p->points + 1, sizeof *known);
    for (size_t k = 0; k < p->points; k++) {
        size_t i = l->point[k];
        memcpy(rows + k * p->columns, design + i * columns, columns * sizeof *rows);
        if (extra)
            rows[k * p->columns + columns] = extra[i];
        y[k] = m->points.value[i];
        sigma[k] = scales[i];
        known[k] = m->formula.known ? m->formula.known[i] : 0;
    }
}

/* Groups the points by the values of a variable. False unless all are positive integers. */
static bool group_by(struct looking *l, size_t variable)
{
    const double *at = l->m->points.at[variable];
    struct classes_problem *p = &l->problem;
    size_t *order = arena_alloc(l->arena, p->points + 1, sizeof *order),
           *group = arena_alloc(l->arena, p->points + 1, sizeof *group);
    double *key = arena_alloc(l->arena, p->points + 1, sizeof *key),
           *logs = arena_alloc(l->arena, p->points + 1, sizeof *logs);
    l->value = arena_alloc(l->arena, p->points + 1, sizeof *l->value);
    for (size_t k = 0; k < p->points; k++) {
        order[k] = k;
        key[k] = at[l->point[k]];
        if (!(key[k] >= 1) || key[k] > 0x1p53 || key[k] != floor(key[k]))
            return false;
    }
    stats_order(order, p->points, key);
    p->groups = 0;
    for (size_t k = 0; k < p->points; k++) {
        double x = key[order[k]];
        if (p->groups == 0 || l->value[p->groups - 1] != x) {
            l->value[p->groups] = x;
            logs[p->groups++] = log(x);
        }
        group[order[k]] = p->groups - 1;
    }
    p->group = group;
    p->of_group = logs;
    return p->groups >= 2 * DIVISIBLE_LEAST_VALUES;
}

/* ---- one class after the other ---- */

/* Which groups the class has; NULL if it cannot be told from boundaries. */
static bool *members(const struct looking *l, const struct value_class *c)
{
    size_t n = l->problem.groups, inside = 0, changes = 0;
    bool *in = arena_alloc(l->arena, n, sizeof *in);
    for (size_t g = 0; g < n; g++) {
        in[g] = class_has(c, l->value[g]);
        inside += in[g];
        changes += g > 0 && in[g] != in[g - 1];
    }
    return inside >= DIVISIBLE_LEAST_VALUES && n - inside >= DIVISIBLE_LEAST_VALUES &&
                   changes >= DIVISIBLE_LEAST_CHANGES
               ? in
               : NULL;
}

static void note_same(struct model_split *split, double of)
{
    split->same_from = split->same_from > 0 ? split->same_from : of;
    split->same_to = of;
}

/* The chance of a class by Student's t, or, where that says little, among random classes. */
static double chance_of(const struct looking *l, const struct classes_fit *fit)
{
    if (fit->by_chance < l->level / MOST_CLASSES || fit->by_chance > DIVISIBLE_LEVEL_RANDOM ||
        l->problem.points > DIVISIBLE_RANDOM_POINTS)
        return fit->by_chance;
    return fmin(fit->by_chance, classes_among_random(&l->problem, DIVISIBLE_RANDOM));
}

/* Tries the classes of a variable. `first`: those before it belong to other variables. */
static void try_variable(struct looking *l, size_t variable)
{
    bool processors = strcmp(l->m->points.names[variable], "P") == 0;
    size_t first = l->nfound;
    const bool *seen[32];
    for (struct value_class c = {.variable = variable}; next_class(&c, processors);) {
        bool *in = members(l, &c);
        size_t k = first;
        if (!in)
            continue;
        while (k < l->nfound && memcmp(seen[k - first], in, l->problem.groups * sizeof *in) != 0)
            k++;
        if (k < l->nfound) {
            note_same(&l->found[k], c.of);
            continue;
        }
        struct classes_fit fit = {.by_chance = 1};
        l->problem.in = seen[k - first] = in;
        l->tried++;
        if (!classes_fit(&l->problem, &fit))
            fit.by_chance = 1;
        bool matters = fabs(log(fit.factor)) >= log(1 + DIVISIBLE_LEAST_CHANGE) &&
                       (fit.factor > 1 ? fit.ranks : -fit.ranks) >= DIVISIBLE_LEAST_RANKS;
        l->chance[l->nfound] = matters ? chance_of(l, &fit) : 1;
        l->rss[l->nfound] = fit.rss;
        l->found[l->nfound++] = (struct model_split){
            .class = c, .factor = fit.factor, .low = fit.low, .high = fit.high};
    }
}

/* The best class that passes; SIZE_MAX if none does. Classes are ordered from the simplest. */
static size_t choose(const struct looking *l)
{
    double least = INFINITY, n = (double)l->problem.points;
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < l->nfound; k++)
        if (l->chance[k] * (double)l->tried < l->level)
            least = fmin(least, l->rss[k]);
    for (size_t k = 0; k < l->nfound && best == SIZE_MAX; k++)
        if (l->chance[k] * (double)l->tried < l->level &&
            (l->rss[k] <= least || n * log(l->rss[k] / least) < DIVISIBLE_SAME))
            best = k;
    return best;
}

bool divisible_find(struct model *m, const double *design, size_t columns, const bool *left_out,
                    double level, struct model_split *out)
{
    struct looking l = {.m = m, .arena = arena_create(), .level = level};
    size_t most = m->points.nnames * MOST_CLASSES + 1;
    l.found = arena_alloc(l.arena, most, sizeof *l.found);
    l.chance = arena_alloc(l.arena, most, sizeof *l.chance);
    l.rss = arena_alloc(l.arena, most, sizeof *l.rss);
    choose_points(&l, left_out);
    make_rows(&l, design, columns);
    for (size_t v = 0; v < m->points.nnames; v++)
        if (group_by(&l, v))
            try_variable(&l, v);
    size_t best = choose(&l);
    *out = best != SIZE_MAX ? l.found[best] : (struct model_split){.found = false};
    out->found = best != SIZE_MAX;
    arena_destroy(l.arena);
    return out->found;
}

/* ---- the data without it ---- */

void divisible_adjust(struct model *m, const struct model_split *split,
                      struct pieces_problem *problem)
{
    size_t n = m->points.n;
    double *y = arena_alloc(m->arena, n, sizeof *y), *sigma = arena_alloc(m->arena, n, sizeof *y),
           *measured = arena_alloc(m->arena, n, sizeof *y);
    for (size_t i = 0; i < n; i++) {
        bool in = class_has(&split->class, m->points.at[split->class.variable][i]);
        double factor = in ? split->factor : 1;
        measured[i] = m->points.value[i] / factor;
        y[i] = measured[i] - (m->formula.known ? m->formula.known[i] : 0);
        sigma[i] = problem->sigma[i] / factor;
    }
    problem->y = y;
    problem->sigma = sigma;
    problem->measured = measured;
}
