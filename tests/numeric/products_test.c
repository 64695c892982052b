/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Least squares from sums of products, against those from the rows themselves (lsq.h). */
#include <math.h>

#include "harness/unit.h"
#include "numeric/lsq.h"
#include "numeric/products.h"
#include "numeric/random.h"

enum { N = 40, K = 4, SIDE = K + 1 };

struct rows {
    double row[N][SIDE]; /* the last: what is measured */
    double m[SIDE * SIDE];
};

/* y = 3 x0 - 2 x1 + 0 x2 + 0.5 x3 and noise. */
static void make(struct rows *r, uint64_t seed)
{
    struct random random = {seed};
    memset(r, 0, sizeof *r);
    for (size_t i = 0; i < N; i++) {
        for (size_t c = 0; c < K; c++)
            r->row[i][c] = 1 + random_normal(&random);
        r->row[i][K] =
            3 * r->row[i][0] - 2 * r->row[i][1] + 0.5 * r->row[i][3] + 0.1 * random_normal(&random);
        products_add(r->m, SIDE, r->row[i]);
    }
}

static double squares_of(const struct rows *r, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++) {
        double rest = r->row[i][K];
        for (size_t c = 0; c < K; c++)
            rest -= x[c] * r->row[i][c];
        sum += rest * rest;
    }
    return sum;
}

static struct lsq_solution from_rows(struct arena *a, const struct rows *r, bool nonneg)
{
    struct lsq *l = lsq_create(a, K);
    struct lsq_solution s;
    bool active[K], keep[K] = {true, true, true, true};
    for (size_t i = 0; i < N; i++)
        lsq_add(l, r->row[i], r->row[i][K]);
    lsq_finish(l);
    if (nonneg)
        lsq_solve_nonneg(a, l, keep, NULL, active, &s);
    else
        lsq_solve(a, l, NULL, &s);
    return s;
}

static void products_are_sums_over_the_rows(void **state)
{
    struct rows r;
    (void)state;
    make(&r, 1);
    for (size_t c = 0; c < SIDE; c++)
        for (size_t d = c; d < SIDE; d++) {
            double sum = 0;
            for (size_t i = 0; i < N; i++)
                sum += r.row[i][c] * r.row[i][d];
            assert_near(r.m[c * SIDE + d], sum, 1e-13);
        }
}

static void solutions_are_those_of_the_rows(void **state)
{
    struct arena *a = arena_create();
    struct rows r;
    double x[K];
    (void)state;
    for (uint64_t seed = 1; seed <= 50; seed++) {
        make(&r, seed);
        for (int nonneg = 0; nonneg < 2; nonneg++) {
            struct lsq_solution s = from_rows(a, &r, nonneg);
            products_solve(r.m, SIDE, !nonneg, x);
            for (size_t c = 0; c < K; c++)
                assert_within(x[c], s.x[c], 1e-9);
        }
        assert_true(x[1] == 0); /* it would be -2 */
    }
    arena_destroy(a);
}

/* What elimination leaves of the last column are the squares that the others do not explain. */
static void elimination_leaves_the_residual(void **state)
{
    struct rows r;
    double x[K], m[SIDE * SIDE];
    (void)state;
    make(&r, 7);
    products_solve(r.m, SIDE, true, x);
    memcpy(m, r.m, sizeof m);
    products_eliminate(m, SIDE, K);
    assert_near(m[SIDE * SIDE - 1], squares_of(&r, x), 1e-9);
}

static void a_dependent_column_is_passed_over(void **state)
{
    struct rows r, twice;
    double x[K], m[SIDE * SIDE];
    (void)state;
    make(&r, 3);
    memset(&twice, 0, sizeof twice);
    for (size_t i = 0; i < N; i++) {
        memcpy(twice.row[i], r.row[i], sizeof r.row[i]);
        twice.row[i][2] = 2 * twice.row[i][0] - twice.row[i][1];
        products_add(twice.m, SIDE, twice.row[i]);
    }
    products_solve(twice.m, SIDE, true, x);
    assert_true(x[2] == 0);
    memcpy(m, twice.m, sizeof m);
    products_eliminate(m, SIDE, K);
    assert_near(m[SIDE * SIDE - 1], squares_of(&twice, x), 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_are_sums_over_the_rows),
        cmocka_unit_test(solutions_are_those_of_the_rows),
        cmocka_unit_test(elimination_leaves_the_residual),
        cmocka_unit_test(a_dependent_column_is_passed_over),
    };
    return RUN(tests);
}
