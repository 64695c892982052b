/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sums of terms (see sums.h). Everything that a sum needs are products of columns. Those of a term
 * with all others are computed once, when the term is first part of a sum that is extended; each
 * further sum then costs a few hundred operations, whatever the number of points.
 */
#include "numeric/sums.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "base/sort.h"
#include "numeric/products.h"

enum { FEW = SEARCH_MAX_TERMS + 1 }; /* columns of a sum without intervals */

/* ---- one sum ---- */

/* Rows first to end - 1 of gram, k x k, become those of the triangle L of gram + shrink I = L L'; the
 * rows before are of L already. z becomes L^-1 z. False if the columns depend on each other in spite
 * of shrink. The logarithm of the determinant of L L' grows by theirs. */
static bool factorize_rows(double *gram, double *z, size_t k, size_t first, size_t end,
                           double shrink, double *log_determinant)
{
    double product = 1; /* of many, because a logarithm takes as long as a row */
    for (size_t i = first; i < end; i++) {
        double *row = gram + i * k, left = row[i] + shrink;
        for (size_t j = 0; j < i; j++) {
            double s = row[j];
            for (size_t m = 0; m < j; m++)
                s -= row[m] * gram[j * k + m];
            row[j] = s / gram[j * k + j];
            left -= row[j] * row[j];
            z[i] -= row[j] * z[j];
        }
        if (!(left > CHOLESKY_LEAST))
            return false;
        row[i] = sqrt(left);
        z[i] /= row[i];
        product *= left;
        if (product < 1e-200 || product > 1e200) {
            *log_determinant += log(product);
            product = 1;
        }
    }
    *log_determinant += log(product);
    return true;
}

static bool factorize(double *gram, double *z, size_t k, double shrink, double *log_determinant)
{
    *log_determinant = 0;
    return factorize_rows(gram, z, k, 0, k, shrink, log_determinant);
}

/* Whether the points can tell the columns of gram, k x k with its lower triangle, apart. If not, the coefficients say nothing,
 * and the evidence, which takes them one by one, too much. */
static bool are_apart(const double *gram, size_t k)
{
    double row[FEW * FEW];
    for (size_t i = 0; i < k; i++) {
        double left = gram[i * k + i];
        for (size_t j = 0; j < i; j++) {
            double s = gram[i * k + j];
            for (size_t m = 0; m < j; m++)
                s -= row[i * k + m] * row[j * k + m];
            row[i * k + j] = s / row[j * k + j];
            left -= row[i * k + j] * row[i * k + j];
        }
        if (!(left > SEARCH_APART_LEAST * gram[i * k + i]))
            return false;
        row[i * k + i] = sqrt(left);
    }
    return true;
}

/* x = L'^-1 z */
static void solve_back(const double *factor, size_t k, const double *z, double *x)
{
    for (size_t i = k; i-- > 0;) {
        double s = z[i];
        for (size_t m = i + 1; m < k; m++)
            s -= factor[m * k + i] * x[m];
        x[i] = s / factor[i * k + i];
    }
}

bool search_solve(double *gram, double *target, size_t k, double shrink, double *x)
{
    double log_determinant;
    if (!factorize(gram, target, k, shrink, &log_determinant))
        return false;
    solve_back(gram, k, target, x);
    return true;
}

/* Diagonal element i of (L L')^-1. */
static double inverse_diagonal(const double *factor, size_t k, size_t i)
{
    double w[SEARCH_MOST_COLUMNS], sum = 0;
    for (size_t p = i; p < k; p++) {
        double s = p == i;
        for (size_t m = i; m < p; m++)
            s -= factor[p * k + m] * w[m];
        w[p] = s / factor[p * k + p];
        sum += w[p] * w[p];
    }
    return sum;
}

/* ln of the probability that Student's t is above -t; a normal distribution with corrected t. */
static double log_positive(double t, double dof)
{
    double normal = t * (1 - 1 / (4 * dof)) / sqrt(1 + t * t / (2 * dof));
    return log(0.5 * erfc(-normal * M_SQRT1_2) + 1e-300);
}

static double prior_scale(const struct search_problem *p)
{
    double floor = RELATIVE_NOISE_FLOOR * RELATIVE_NOISE_FLOOR;
    return p->weight * p->noise * p->noise + (double)p->rows * floor;
}

/* The part of the evidence that is the same for all sums. */
static double evidence_rest(const struct search_problem *p)
{
    double rows = (double)p->rows, w = p->weight;
    return lgamma((w + rows) / 2) - lgamma(w / 2) - rows / 2 * log(M_PI) +
           w / 2 * log(w * p->noise * p->noise);
}

/* The evidence of k columns with the triangle L and z = L^-1 target; at least `enough`, or -INFINITY. */
static double evidence(const struct search_problem *p, double squares, const double *factor,
                       const double *z, size_t k, double log_determinant, double enough)
{
    double x[SEARCH_MOST_COLUMNS], rest = squares;
    for (size_t i = 0; i < k; i++)
        rest -= z[i] * z[i];
    double dof = p->weight + (double)p->rows, scale = prior_scale(p) + fmax(rest, 0);
    double value =
        p->rest + (double)k * p->log_noise - 0.5 * log_determinant - dof / 2 * log(scale);
    if (p->any_sign)
        return value >= enough ? value : -INFINITY;
    value += (double)k * M_LN2;
    solve_back(factor, k, z, x);
    for (size_t i = 0; i < k && value >= enough; i++)
        value += log_positive(x[i] / sqrt(scale / dof * inverse_diagonal(factor, k, i)), dof);
    return value >= enough ? value : -INFINITY;
}

/* What does not depend on the sum, after a change of the noise. */
static void expect(struct search_problem *p, double shrunk_by)
{
    p->shrink = shrunk_by * shrunk_by;
    p->log_noise = log(shrunk_by);
    p->rest = evidence_rest(p);
}

void search_expect_noise(struct search_problem *p, double noise, double weight)
{
    p->noise = weight > 0 ? fmax(noise, RELATIVE_NOISE_FLOOR) : SEARCH_EXPECTED_NOISE;
    p->weight = weight > 0 ? weight : SEARCH_EXPECTED_WEIGHT;
    expect(p, SEARCH_EXPECTED_NOISE);
}

void search_settle_noise(struct search_problem *p, double noise, bool expected)
{
    if (expected)
        p->noise = noise;
    expect(p, noise);
}

double search_evidence(struct arena *a, const struct search_problem *p,
                       const double *const *columns, size_t k, struct search_posterior *out)
{
    if (k > SEARCH_MOST_COLUMNS)
        return -INFINITY;
    double *gram = arena_alloc(a, k * k + 1, sizeof *gram), target[SEARCH_MOST_COLUMNS];
    double squares = products_dot(p->y, p->y, p->n), rest = squares;
    for (size_t i = 0; i < k; i++) {
        target[i] = products_dot(columns[i], p->y, p->n);
        for (size_t j = 0; j <= i; j++)
            gram[i * k + j] = products_dot(columns[i], columns[j], p->n);
    }
    double log_determinant;
    if (p->rows <= k || (k <= FEW && !are_apart(gram, k)) ||
        !factorize(gram, target, k, p->shrink, &log_determinant))
        return -INFINITY;
    double value = evidence(p, squares, gram, target, k, log_determinant, -INFINITY);
    if (!out || !(value > -INFINITY))
        return value;
    for (size_t i = 0; i < k; i++)
        rest -= target[i] * target[i];
    out->k = k;
    out->factor = gram;
    out->dof = p->weight + (double)p->rows;
    out->noise = sqrt((prior_scale(p) + fmax(rest, 0)) / out->dof);
    solve_back(gram, k, target, out->mean);
    return value;
}

/* A standard normal number that is at least `least`. */
static double normal_above(struct random *random, double least)
{
    double x;
    if (least < 0.5) {
        do
            x = random_normal(random);
        while (x < least);
        return x;
    }
    do /* an exponential distribution beyond `least`, thinned to the normal one */
        x = -log(random_uniform(random)) / least;
    while (random_uniform(random) > exp(-x * x / 2));
    return least + x;
}

/* A draw without negative coefficients where few draws are: each coefficient and the noise in turn,
 * given the others (Gibbs). */
static double draw_in_turn(const struct search_posterior *q, struct random *random, double *draw)
{
    size_t k = q->k;
    double product[SEARCH_MOST_COLUMNS], noise = q->noise; /* product: L'(draw - mean) */
    for (size_t i = 0; i < k; i++)
        draw[i] = fmax(q->mean[i], 0);
    for (int sweep = 0; sweep < SEARCH_DRAW_SWEEPS; sweep++) {
        double squares = 0;
        for (size_t m = 0; m < k; m++) {
            product[m] = 0;
            for (size_t i = m; i < k; i++)
                product[m] += q->factor[i * k + m] * (draw[i] - q->mean[i]);
            squares += product[m] * product[m];
        }
        noise = sqrt((q->dof * q->noise * q->noise + squares) /
                     random_chi_square(random, q->dof + (double)k));
        for (size_t i = 0; i < k; i++) {
            double length = 0, along = 0;
            for (size_t m = 0; m <= i; m++) {
                length += q->factor[i * k + m] * q->factor[i * k + m];
                along += q->factor[i * k + m] * product[m];
            }
            double centre = draw[i] - along / length, spread = noise / sqrt(length);
            double next = centre + spread * normal_above(random, -centre / spread);
            for (size_t m = 0; m <= i; m++)
                product[m] += q->factor[i * k + m] * (next - draw[i]);
            draw[i] = next;
        }
    }
    return noise;
}

double search_draw(const struct search_problem *p, const struct search_posterior *q,
                   struct random *random, double *draw)
{
    double z[SEARCH_MOST_COLUMNS];
    for (int attempt = 0; attempt < SEARCH_DRAW_ATTEMPTS; attempt++) {
        bool negative = false;
        double noise = q->noise * sqrt(q->dof / random_chi_square(random, q->dof));
        for (size_t i = 0; i < q->k; i++)
            z[i] = random_normal(random);
        solve_back(q->factor, q->k, z, draw);
        for (size_t i = 0; i < q->k; i++) {
            draw[i] = q->mean[i] + noise * draw[i];
            negative = negative || draw[i] < 0;
        }
        if (!negative || p->any_sign)
            return noise;
    }
    return draw_in_turn(q, random, draw);
}

double search_prior(const double *cost, size_t n, bool constant, bool lines)
{
    double value = 0, share = SEARCH_CONSTANT_SHARE;
    for (size_t i = 0; i < n; i++)
        value += log((double)(i + 1)) - cost[i]; /* in any order */
    if (n > 1) {
        value -= (lines ? SEARCH_TERM_PENALTY_LINES : SEARCH_TERM_PENALTY) * (double)(n - 1);
        share = lines ? SEARCH_CONSTANT_SHARE_LINES : SEARCH_CONSTANT_SHARE_BESIDE;
    }
    if (n > 0)
        value += log(constant ? share : 1 - share);
    return value;
}

double search_left_out_error(struct arena *a, const struct search_problem *p,
                             const double *const *columns, size_t k)
{
    struct search_posterior fit = {0};
    if (!(search_evidence(a, p, columns, k, &fit) > -INFINITY) || !fit.factor)
        return NAN;
    double sum = 0, w[SEARCH_MOST_COLUMNS];
    for (size_t i = 0; i < p->n; i++) {
        double residual = p->y[i], room = 1;
        for (size_t j = 0; j < k; j++) {
            residual -= fit.mean[j] * columns[j][i];
            w[j] = columns[j][i];
            for (size_t m = 0; m < j; m++)
                w[j] -= fit.factor[j * k + m] * w[m];
            w[j] /= fit.factor[j * k + j];
            room -= w[j] * w[j];
        }
        if (!(room > LEFT_OUT_LEAST_ROOM))
            return NAN;
        sum += residual / room * (residual / room);
    }
    return sqrt(sum / (double)p->rows);
}

/* ---- many sums ---- */

struct products {
    struct arena *arena;
    const struct search_problem *problem;
    double **rows;    /* per term: its products with all terms, NULL until needed */
    double *constant; /* of the constant column with all terms */
    double *target;   /* of y with all terms */
    double *length;   /* of each term with itself */
    double constant_length, constant_target, squares;
};

static void make_products(struct arena *a, const struct search_problem *p, struct products *out)
{
    double **lists[] = {&out->constant, &out->target, &out->length};
    *out = (struct products){.arena = a, .problem = p};
    out->rows = arena_zalloc(a, p->terms + 1, sizeof *out->rows);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        *lists[i] = arena_alloc(a, p->terms + 1, sizeof **lists[i]);
    for (size_t t = 0; t < p->terms; t++) {
        out->constant[t] = products_dot(p->constant, p->columns[t], p->n);
        out->target[t] = products_dot(p->y, p->columns[t], p->n);
        out->length[t] = products_dot(p->columns[t], p->columns[t], p->n);
    }
    out->constant_length = products_dot(p->constant, p->constant, p->n);
    out->constant_target = products_dot(p->constant, p->y, p->n);
    out->squares = products_dot(p->y, p->y, p->n);
}

static const double *products_of(struct products *q, size_t term)
{
    const struct search_problem *p = q->problem;
    if (q->rows[term])
        return q->rows[term];
    double *row = q->rows[term] = arena_alloc(q->arena, p->terms, sizeof *row);
    for (size_t t = 0; t < p->terms; t++)
        row[t] = isfinite(p->cost[t]) ? products_dot(p->columns[term], p->columns[t], p->n) : 0;
    return row;
}

/* A sum to which one more term comes: the triangle of its columns, with room for that term. */
struct begun {
    double gram[FEW * FEW], z[FEW], log_determinant;
    double prior; /* of the sum with a term that costs nothing */
    size_t term[SEARCH_MAX_TERMS], n;
    bool constant, depends;
};

static void begin_sum(struct products *q, const struct search_sum *s, bool constant,
                      struct begun *out)
{
    const struct search_problem *p = q->problem;
    size_t k = s->n + constant + 1;
    double cost[SEARCH_MAX_TERMS + 1] = {0};
    *out = (struct begun){.n = s->n, .constant = constant};
    for (size_t i = 0; i < s->n; i++) {
        const double *products = products_of(q, s->term[i]);
        out->term[i] = s->term[i];
        cost[i] = p->cost[s->term[i]];
        out->z[i] = q->target[s->term[i]];
        for (size_t j = 0; j < i; j++)
            out->gram[i * k + j] = products[s->term[j]];
        out->gram[i * k + i] = q->length[s->term[i]];
    }
    if (constant) {
        for (size_t j = 0; j < s->n; j++)
            out->gram[s->n * k + j] = q->constant[s->term[j]];
        out->gram[s->n * k + s->n] = q->constant_length;
        out->z[s->n] = q->constant_target;
    }
    out->prior = search_prior(cost, s->n + 1, constant, p->lines);
    out->depends =
        !factorize_rows(out->gram, out->z, k, 0, k - 1, p->shrink, &out->log_determinant);
}

/* The plausibility of the sum with this term, if it is at least `enough`. */
static double judge(const struct products *q, struct begun *b, size_t term, double enough)
{
    const struct search_problem *p = q->problem;
    size_t last = b->n + b->constant, k = last + 1;
    double *row = b->gram + last * k, log_determinant = b->log_determinant;
    if (b->depends || p->rows <= k)
        return -INFINITY;
    for (size_t i = 0; i < b->n; i++)
        row[i] = q->rows[b->term[i]][term];
    if (b->constant)
        row[b->n] = q->constant[term];
    row[last] = q->length[term];
    b->z[last] = q->target[term];
    double prior = b->prior - p->cost[term];
    if (!factorize_rows(b->gram, b->z, k, last, k, p->shrink, &log_determinant))
        return -INFINITY;
    return prior + evidence(p, q->squares, b->gram, b->z, k, log_determinant, enough - prior);
}

/* By their terms: the same sums are neighbours. */
static int by_terms(const void *a, const void *b, void *context)
{
    const struct search_sum *x = a, *y = b;
    (void)context;
    if (x->n != y->n)
        return x->n < y->n ? -1 : 1;
    for (size_t i = 0; i < x->n; i++)
        if (x->term[i] != y->term[i])
            return x->term[i] < y->term[i] ? -1 : 1;
    return (int)x->constant - (int)y->constant;
}

static int by_plausibility(const void *a, const void *b, void *context)
{
    const struct search_sum *x = a, *y = b;
    if (x->plausible != y->plausible)
        return x->plausible > y->plausible ? -1 : 1;
    return by_terms(a, b, context);
}

/* Sorts the level, the best first, and leaves out what is there twice or too much. After this only
 * sums that are among the best, or plausible enough for predictions, enter it. */
static void tidy(struct search_level *level)
{
    size_t n = 0;
    sort_with(level->sums, level->n, sizeof *level->sums, by_terms, NULL);
    for (size_t i = 0; i < level->n; i++)
        if (n == 0 || by_terms(&level->sums[n - 1], &level->sums[i], NULL) != 0)
            level->sums[n++] = level->sums[i];
    sort_with(level->sums, n, sizeof *level->sums, by_plausibility, NULL);
    level->n = n < SEARCH_MOST_SUMS ? n : SEARCH_MOST_SUMS;
    if (level->n > level->beam)
        level->enough =
            fmin(level->sums[level->beam - 1].plausible, level->best - SEARCH_REMAINING);
    if (level->n == SEARCH_MOST_SUMS)
        level->enough = level->sums[level->n - 1].plausible;
}

static void keep(struct search_level *level, const struct search_sum *s)
{
    level->best = fmax(level->best, s->plausible);
    level->sums[level->n++] = *s;
    if (level->n == 2 * SEARCH_MOST_SUMS)
        tidy(level);
}

static struct search_sum extended(const struct search_sum *s, size_t term)
{
    struct search_sum out = *s;
    size_t i = out.n++;
    for (; i > 0 && out.term[i - 1] > term; i--)
        out.term[i] = out.term[i - 1];
    out.term[i] = term;
    return out;
}

static bool has_term(const struct search_sum *s, size_t term)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->term[i] == term)
            return true;
    return false;
}

/* Whether the points can tell the terms of the sum apart. */
static bool terms_are_apart(const struct products *q, const struct search_sum *s)
{
    double gram[FEW * FEW];
    size_t k = s->n + s->constant;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t j = 0; j < i; j++) /* all but the last term that was added have products */
            gram[i * k + j] = q->rows[s->term[i]] ? q->rows[s->term[i]][s->term[j]]
                                                  : q->rows[s->term[j]][s->term[i]];
        gram[i * k + i] = q->length[s->term[i]];
    }
    for (size_t j = 0; s->constant && j < s->n; j++)
        gram[s->n * k + j] = q->constant[s->term[j]];
    if (s->constant)
        gram[s->n * k + s->n] = q->constant_length;
    return are_apart(gram, k);
}

/* Every extension of the sum by one term, with and without the constant term. */
static void extend(struct products *q, const struct search_sum *s, struct search_level *into,
                   size_t *tried)
{
    struct begun without, with;
    begin_sum(q, s, false, &without);
    begin_sum(q, s, true, &with);
    for (size_t t = 0; t < q->problem->terms; t++) {
        if (!isfinite(q->problem->cost[t]) || has_term(s, t))
            continue;
        struct search_sum next = extended(s, t);
        for (int constant = 0; constant < 2; constant++) {
            next.constant = constant;
            next.plausible = judge(q, constant ? &with : &without, t, into->enough);
            ++*tried;
            if (next.plausible > into->enough && terms_are_apart(q, &next))
                keep(into, &next);
        }
    }
}

/* Of sums that differ in the constant term alone, one is extended. */
static bool extended_before(const struct search_level *level, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (memcmp(level->sums[k].term, level->sums[i].term,
                   level->sums[i].n * sizeof *level->sums[i].term) == 0)
            return true;
    return false;
}

void search_sums(struct arena *a, const struct search_problem *p, size_t max_terms,
                 struct search_level *levels, size_t *tried)
{
    struct products q;
    make_products(a, p, &q);
    levels[0] = (struct search_level){
        .sums = arena_zalloc(a, 1, sizeof *levels[0].sums), .n = 1, .beam = 1};
    levels[0].sums[0].constant = true;
    levels[0].best = levels[0].sums[0].plausible =
        search_prior(NULL, 0, true, p->lines) + search_evidence(a, p, &p->constant, 1, NULL);
    for (size_t k = 1; k <= max_terms; k++) {
        levels[k] = (struct search_level){
            .sums = arena_alloc(a, 2 * SEARCH_MOST_SUMS, sizeof *levels[k].sums),
            .beam = k == 1 ? SEARCH_BEAM_SINGLES : SEARCH_BEAM,
            .best = levels[k - 1].best,
            .enough = -INFINITY};
        for (size_t i = 0; i < levels[k - 1].n && i < levels[k - 1].beam && !interrupt_came(); i++)
            if (k == 1 || !extended_before(&levels[k - 1], i))
                extend(&q, &levels[k - 1].sums[i], &levels[k], tried);
        tidy(&levels[k]);
    }
}
