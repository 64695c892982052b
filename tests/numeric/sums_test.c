/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of terms: solutions, errors and probabilities against direct computation. */
#include <math.h>

#include "harness/unit.h"
#include "numeric/sums.h"

enum { N = 24, TERMS = 6 };

struct made {
    double y[N], constant[N], columns[TERMS][N], cost[TERMS];
    double *list[TERMS];
    struct search_problem problem;
};

/* Terms x^(j/2); y = 0.3 + 0.5 x and noise, all divided by the true value. */
static void make(struct made *m, double noise, uint64_t seed)
{
    struct random random = {seed};
    for (size_t i = 0; i < N; i++) {
        double x = 1 + (double)i / 4, scale = 0.3 + 0.5 * x;
        m->constant[i] = 1 / scale;
        m->y[i] = 1 + noise * random_normal(&random);
        for (size_t j = 0; j < TERMS; j++)
            m->columns[j][i] = pow(x, (double)(j + 1) / 2) / scale;
    }
    for (size_t j = 0; j < TERMS; j++) {
        m->list[j] = m->columns[j];
        m->cost[j] = 2 + 0.1 * (double)j;
    }
    m->problem = (struct search_problem){.n = N,
                                         .terms = TERMS,
                                         .y = m->y,
                                         .constant = m->constant,
                                         .columns = m->list,
                                         .cost = m->cost,
                                         .rows = N};
    search_expect_noise(&m->problem, noise, 10);
}

static void a_small_system_is_solved(void **state)
{
    /* (A + 2 I) x = b with A = [4 1 0; 1 3 1; 0 1 5] and x = (1, -2, 3) */
    double gram[9] = {4, 0, 0, 1, 3, 0, 0, 1, 5}, target[3] = {4, -6, 19}, x[3];
    double singular[4] = {1, 0, 1, 1}, zero[2] = {1, 1};
    (void)state;
    assert_true(search_solve(gram, target, 3, 2, x));
    assert_near(x[0], 1, 1e-14);
    assert_near(x[1], -2, 1e-14);
    assert_near(x[2], 3, 1e-14);
    assert_false(search_solve(singular, zero, 2, 0, x));
}

static void the_prior_of_a_sum_is_that_of_its_terms(void **state)
{
    const double cost[] = {2, 3, 5};
    (void)state;
    assert_true(search_prior(cost, 0, true, false) == 0);
    assert_near(search_prior(cost, 1, true, false), -2 + log(SEARCH_CONSTANT_SHARE), 1e-12);
    assert_near(search_prior(cost, 3, true, false),
                log(6) - 10 - 2 * SEARCH_TERM_PENALTY + log(SEARCH_CONSTANT_SHARE_BESIDE), 1e-12);
    assert_near(search_prior(cost, 2, false, true),
                log(2) - 5 - SEARCH_TERM_PENALTY_LINES + log(1 - SEARCH_CONSTANT_SHARE_LINES),
                1e-12);
    /* with and without a constant term is all there is */
    assert_near(exp(search_prior(cost, 2, false, false)) + exp(search_prior(cost, 2, true, false)),
                2 * exp(-5 - SEARCH_TERM_PENALTY), 1e-12);
}

static void noise_is_what_was_given_or_usual(void **state)
{
    struct made m;
    (void)state;
    make(&m, 0.02, 1);
    assert_true(m.problem.noise == 0.02 && m.problem.weight == 10);
    search_expect_noise(&m.problem, 0.02, 0);
    assert_true(m.problem.noise == SEARCH_EXPECTED_NOISE &&
                m.problem.weight == SEARCH_EXPECTED_WEIGHT);
    search_settle_noise(&m.problem, 0.01, false);
    assert_true(m.problem.noise == SEARCH_EXPECTED_NOISE && near(m.problem.shrink, 1e-4, 1e-12));
    search_settle_noise(&m.problem, 0.01, true);
    assert_true(m.problem.noise == 0.01);
}

/* Without a sign, the probability of the data is that of a multivariate Student's t: its logarithm from the covariance
 * I + X X'/shrink, by elimination. */
static double evidence_of_student(const struct made *m, const double *const *columns, size_t k)
{
    const struct search_problem *p = &m->problem;
    double v[N][N], z[N], logs = 0, squares = 0,
                          scale = p->weight * p->noise * p->noise +
                                  (double)p->rows * RELATIVE_NOISE_FLOOR * RELATIVE_NOISE_FLOOR;
    for (size_t i = 0; i < N; i++) {
        z[i] = p->y[i];
        for (size_t j = 0; j < N; j++) {
            v[i][j] = i == j;
            for (size_t c = 0; c < k; c++)
                v[i][j] += columns[c][i] * columns[c][j] / p->shrink;
        }
    }
    for (size_t i = 0; i < N; i++) {
        logs += log(v[i][i]);
        squares += z[i] * z[i] / v[i][i];
        for (size_t j = i + 1; j < N; j++) {
            double factor = v[j][i] / v[i][i];
            z[j] -= factor * z[i];
            for (size_t c = i; c < N; c++)
                v[j][c] -= factor * v[i][c];
        }
    }
    return p->rest - logs / 2 - (p->weight + N) / 2 * log(scale + squares);
}

static void the_evidence_is_an_integral_in_closed_form(void **state)
{
    struct arena *a = arena_create();
    struct search_posterior q;
    struct made m;
    (void)state;
    make(&m, 0.05, 3);
    const double *columns[] = {m.constant, m.columns[1], m.columns[3]};
    m.problem.any_sign = true;
    for (size_t k = 0; k <= 3; k++)
        assert_near(search_evidence(a, &m.problem, columns, k, NULL),
                    evidence_of_student(&m, columns, k), 1e-9);
    double free_sign = search_evidence(a, &m.problem, columns, 2, &q);
    m.problem.any_sign = false; /* both are far above 0: their prior is twice as high there */
    assert_near(search_evidence(a, &m.problem, columns, 2, NULL), free_sign + 2 * log(2), 1e-3);
    assert_true(q.k == 2 && q.dof == N + 10);
    assert_within(q.mean[0], 0.3, 0.1);
    assert_within(q.mean[1], 0.5, 0.1);
    assert_within(q.noise, 0.05, 0.02);
    arena_destroy(a);
}

/* Each point left out in turn, and the others solved again. */
static void errors_of_points_left_out_are_those_of_other_fits(void **state)
{
    enum { K = 2 };
    struct arena *a = arena_create();
    struct made m;
    double sum = 0;
    (void)state;
    make(&m, 0.05, 4);
    const double *columns[K] = {m.constant, m.columns[1]};
    for (size_t out = 0; out < N; out++) {
        double gram[K * K] = {0}, target[K] = {0}, x[K], rest = m.y[out];
        for (size_t i = 0; i < N; i++)
            for (size_t p = 0; p < K && i != out; p++) {
                target[p] += columns[p][i] * m.y[i];
                for (size_t q = 0; q <= p; q++)
                    gram[p * K + q] += columns[p][i] * columns[q][i];
            }
        assert_true(search_solve(gram, target, K, m.problem.shrink, x));
        for (size_t p = 0; p < K; p++)
            rest -= x[p] * columns[p][out];
        sum += rest * rest;
    }
    assert_near(search_left_out_error(a, &m.problem, columns, K), sqrt(sum / N), 1e-9);
    arena_destroy(a);
}

static void draws_have_the_mean_and_spread_of_the_posterior(void **state)
{
    enum { DRAWS = 20000, K = 2 };
    struct arena *a = arena_create();
    struct random random = {9};
    struct search_posterior q;
    struct made m;
    double mean[K] = {0}, squares[K] = {0}, draw[K], noise = 0;
    (void)state;
    make(&m, 0.05, 5);
    const double *columns[K] = {m.constant, m.columns[1]};
    m.problem.any_sign = true;
    search_evidence(a, &m.problem, columns, K, &q);
    for (int i = 0; i < DRAWS; i++) {
        double n = search_draw(&m.problem, &q, &random, draw);
        noise += n * n / DRAWS;
        for (size_t j = 0; j < K; j++) {
            mean[j] += draw[j] / DRAWS;
            squares[j] += (draw[j] - q.mean[j]) * (draw[j] - q.mean[j]) / DRAWS;
        }
    }
    /* (L L')^-1 of two columns */
    double l00 = q.factor[0], l10 = q.factor[2], l11 = q.factor[3], d = q.dof / (q.dof - 2),
           variance[K] = {(l11 * l11 + l10 * l10) / (l00 * l00 * l11 * l11), 1 / (l11 * l11)};
    assert_near(noise, d * q.noise * q.noise, 0.02);
    for (size_t j = 0; j < K; j++) {
        assert_within(mean[j], q.mean[j], 5 * sqrt(squares[j] / DRAWS));
        assert_near(squares[j], d * q.noise * q.noise * variance[j], 0.05);
    }
    m.problem.any_sign = false; /* costs: none is below 0, however far the mean is */
    q.mean[0] = -20 * q.noise;
    for (int i = 0; i < 200; i++) {
        search_draw(&m.problem, &q, &random, draw);
        assert_true(draw[0] >= 0 && draw[1] >= 0);
    }
    arena_destroy(a);
}

/* All sums of at most two of six terms, one by one. */
static void the_most_plausible_sums_are_found(void **state)
{
    struct arena *a = arena_create();
    struct search_level levels[3];
    struct made m;
    size_t tried = 0;
    double best[3] = {-INFINITY, -INFINITY, -INFINITY};
    (void)state;
    make(&m, 0.03, 6);
    for (size_t set = 0; set < 1 << TERMS; set++)
        for (int constant = 0; constant < 2; constant++) {
            const double *columns[TERMS + 1];
            double cost[TERMS];
            size_t n = 0;
            for (size_t j = 0; j < TERMS; j++)
                if (set >> j & 1) {
                    cost[n] = m.cost[j];
                    columns[n++] = m.columns[j];
                }
            if (n < 1 || n > 2)
                continue;
            columns[n] = m.constant;
            best[n] =
                fmax(best[n], search_evidence(a, &m.problem, columns, n + (size_t)constant, NULL) +
                                  search_prior(cost, n, constant, false));
        }
    search_sums(a, &m.problem, 2, levels, &tried);
    assert_true(tried >= 2 * TERMS);
    for (size_t n = 1; n <= 2; n++) {
        assert_near(levels[n].sums[0].plausible, best[n], 1e-9);
        assert_int_equal(levels[n].sums[0].n, n);
        for (size_t i = 1; i < levels[n].n; i++)
            assert_true(levels[n].sums[i].plausible <= levels[n].sums[i - 1].plausible);
    }
    assert_int_equal(levels[1].sums[0].term[0], 1); /* 0.3 + 0.5 x */
    assert_true(levels[1].sums[0].constant);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_system_is_solved),
        cmocka_unit_test(the_prior_of_a_sum_is_that_of_its_terms),
        cmocka_unit_test(noise_is_what_was_given_or_usual),
        cmocka_unit_test(the_evidence_is_an_integral_in_closed_form),
        cmocka_unit_test(errors_of_points_left_out_are_those_of_other_fits),
        cmocka_unit_test(draws_have_the_mean_and_spread_of_the_posterior),
        cmocka_unit_test(the_most_plausible_sums_are_found),
    };
    return RUN(tests);
}
