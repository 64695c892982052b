/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares against independently computed solutions. */
#include "harness/unit.h"

#include <gsl/gsl_linalg.h>

#include "numeric/lsq.h"
#include "harness/synthetic/synth.h"

/* Solution and inverse of the normal equations by GSL's Cholesky: another way to the same numbers.
 */
static void normal_equations(const double *x, const double *y, size_t n, size_t k, double *c,
                             double *inverse)
{
    gsl_matrix *a = gsl_matrix_calloc(k, k);
    gsl_vector *b = gsl_vector_calloc(k), *s = gsl_vector_alloc(k);
    for (size_t i = 0; i < n; i++)
        for (size_t p = 0; p < k; p++) {
            gsl_vector_set(b, p, gsl_vector_get(b, p) + x[i * k + p] * y[i]);
            for (size_t q = 0; q < k; q++)
                gsl_matrix_set(a, p, q, gsl_matrix_get(a, p, q) + x[i * k + p] * x[i * k + q]);
        }
    gsl_linalg_cholesky_decomp1(a);
    gsl_linalg_cholesky_solve(a, b, s);
    gsl_linalg_cholesky_invert(a);
    for (size_t p = 0; p < k; p++) {
        c[p] = gsl_vector_get(s, p);
        for (size_t q = 0; q < k; q++)
            inverse[p * k + q] = gsl_matrix_get(a, p, q);
    }
    gsl_matrix_free(a);
    gsl_vector_free(b);
    gsl_vector_free(s);
}

static void solutions_and_covariances_agree_with_the_normal_equations(void **state)
{
    enum { N = 1000, K = 4 };
    static double x[N * K], y[N];
    struct synth s = synth_begin();
    double c[K], inverse[K * K];
    (void)state;
    struct lsq *l = lsq_create(s.arena, K);
    for (size_t i = 0; i < N; i++) {
        for (size_t j = 0; j < K; j++)
            x[i * K + j] = synth_normal(&s) * (j == 2 ? 1e6 : 1) + (j == 1);
        y[i] = 3 * x[i * K] - x[i * K + 1] + 2e-6 * x[i * K + 2] + synth_normal(&s);
        lsq_add(l, x + i * K, y[i]);
    }
    lsq_finish(l);
    struct lsq_solution solution;
    lsq_solve(s.arena, l, NULL, &solution);
    normal_equations(x, y, N, K, c, inverse);
    assert_true(solution.full_rank);
    for (size_t j = 0; j < K; j++)
        assert_near(solution.x[j], c[j], 1e-9);
    for (size_t j = 0; j < K; j++)
        assert_near(solution.covariance[j * K + j], inverse[j * K + j], 1e-9);
    assert_near(solution.covariance[1], inverse[1], 1e-6);
    for (size_t j = 0; j < K; j++) {
        double squares = 0;
        for (size_t i = 0; i < N; i++)
            squares += x[i * K + j] * x[i * K + j];
        assert_near(lsq_column_norm(l, j), sqrt(squares), 1e-12);
    }
    synth_end(&s);
}

static void subsets_are_solved_as_if_alone(void **state)
{
    struct synth s = synth_begin();
    struct lsq *three = lsq_create(s.arena, 3), *two = lsq_create(s.arena, 2);
    (void)state;
    for (int i = 0; i < 700; i++) {
        double row[] = {1, synth_normal(&s), synth_normal(&s)}, part[] = {row[0], row[2]},
               y = synth_normal(&s);
        lsq_add(three, row, y);
        lsq_add(two, part, y);
    }
    lsq_finish(three);
    lsq_finish(two);
    struct lsq_solution a, b;
    bool keep[] = {true, false, true};
    lsq_solve(s.arena, three, keep, &a);
    lsq_solve(s.arena, two, NULL, &b);
    assert_near(a.x[0], b.x[0], 1e-10);
    assert_near(a.x[2], b.x[1], 1e-10);
    assert_true(a.x[1] == 0 && a.covariance[4] == 0);
    synth_end(&s);
}

static void dependent_columns_are_found_with_their_relation(void **state)
{
    struct synth s = synth_begin();
    struct lsq *l = lsq_create(s.arena, 4);
    double relation[4];
    (void)state;
    for (int i = 0; i < 40; i++) {
        double a = synth_normal(&s), b = synth_normal(&s), row[] = {a, b, 2 * a - 3e7 * b, 0};
        lsq_add(l, row, a);
    }
    lsq_finish(l);
    struct lsq_solution all;
    lsq_solve(s.arena, l, NULL, &all);
    assert_false(all.full_rank);
    bool keep[] = {true, false, false, false};
    assert_false(lsq_dependent(s.arena, l, keep, 1, relation));
    keep[1] = true;
    assert_true(lsq_dependent(s.arena, l, keep, 2, relation));
    assert_near(relation[0], 2, 1e-6);
    assert_near(relation[1], -3e7, 1e-6);
    assert_near(relation[2], -1, 0);
    assert_true(lsq_dependent(s.arena, l, keep, 3, relation)); /* zeros */
    synth_end(&s);
}

/* The best over all subsets of unknowns that comes out non-negative. */
static double best_by_enumeration(struct arena *a, const struct lsq *l, size_t k, const double *x,
                                  const double *y, size_t n, double *best_x)
{
    double best = INFINITY;
    for (unsigned mask = 0; mask < 1u << k; mask++) {
        bool keep[8], inside = true;
        struct lsq_solution s;
        double sum = 0;
        for (size_t j = 0; j < k; j++)
            keep[j] = mask >> j & 1;
        lsq_solve(a, l, keep, &s);
        for (size_t j = 0; j < k; j++)
            inside = inside && s.x[j] >= 0;
        for (size_t i = 0; i < n; i++) {
            double r = y[i];
            for (size_t j = 0; j < k; j++)
                r -= x[i * k + j] * s.x[j];
            sum += r * r;
        }
        if (inside && sum < best) {
            best = sum;
            memcpy(best_x, s.x, k * sizeof *best_x);
        }
    }
    return best;
}

static void non_negative_solutions_are_the_best_there_are(void **state)
{
    enum { N = 30, K = 5 };
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        struct synth s = synth_begin();
        s.random = seed * 7919;
        double x[N * K], y[N], want[K];
        struct lsq *l = lsq_create(s.arena, K);
        for (size_t i = 0; i < N; i++) {
            y[i] = synth_normal(&s);
            for (size_t j = 0; j < K; j++) {
                x[i * K + j] = synth_uniform(&s);
                y[i] += (j % 2 ? 1 : -0.5) * x[i * K + j];
            }
            lsq_add(l, x + i * K, y[i]);
        }
        lsq_finish(l);
        bool active[K];
        struct lsq_solution got;
        lsq_solve_nonneg(s.arena, l, NULL, NULL, active, &got);
        best_by_enumeration(s.arena, l, K, x, y, N, want);
        for (size_t j = 0; j < K; j++) {
            assert_true(got.x[j] >= 0 && active[j] == (got.x[j] > 0));
            if (fabs(got.x[j] - want[j]) > 1e-9)
                fail_msg("seed %d: x[%zu] = %g instead of %g", (int)seed, j, got.x[j], want[j]);
        }
        synth_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_and_covariances_agree_with_the_normal_equations),
        cmocka_unit_test(subsets_are_solved_as_if_alone),
        cmocka_unit_test(dependent_columns_are_found_with_their_relation),
        cmocka_unit_test(non_negative_solutions_are_the_best_there_are),
    };
    return RUN(tests);
}
