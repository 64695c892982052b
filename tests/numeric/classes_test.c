/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The factor of a class of points, and how likely chance makes it. */
#include "harness/unit.h"

#include <math.h>

#include "numeric/classes.h"
#include "numeric/random.h"

enum { N = 16 };

struct made {
    double design[3 * N], y[N], logs[N];
    size_t group[N];
    bool in[N];
    struct classes_problem problem;
};

/* y = 2 + 3 x, every third point `factor` times that, with noise. */
static void make(struct made *m, double factor, double noise, uint64_t seed)
{
    struct random random = {seed};
    for (size_t i = 0; i < N; i++) {
        double x = pow(1.5, (double)i);
        m->in[i] = i % 3 == 0;
        m->design[2 * i] = 1;
        m->design[2 * i + 1] = x;
        m->y[i] = (2 + 3 * x) * (m->in[i] ? factor : 1) * (1 + noise * random_normal(&random));
        m->logs[i] = log(x) + 1;
        m->group[i] = i;
    }
    m->problem = (struct classes_problem){.points = N,
                                          .columns = 2,
                                          .design = m->design,
                                          .y = m->y,
                                          .sigma = m->y,
                                          .group = m->group,
                                          .groups = N,
                                          .of_group = m->logs,
                                          .in = m->in};
}

static void the_factor_is_found_exactly_without_noise(void **state)
{
    static const double factors[] = {0.2, 0.9, 1, 1.3, 7, 100};
    (void)state;
    for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
        struct made m;
        struct classes_fit fit;
        make(&m, factors[k], 0, 1);
        assert_true(classes_fit(&m.problem, &fit));
        assert_true(fabs(fit.factor / factors[k] - 1) < 1e-6);
    }
}

static void the_interval_contains_the_factor(void **state)
{
    size_t inside = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct made m;
        struct classes_fit fit;
        make(&m, 1.4, 0.05, seed);
        assert_true(classes_fit(&m.problem, &fit));
        inside += fit.low < 1.4 && 1.4 < fit.high;
        assert_true(fit.by_chance < 1e-3 && fit.ranks > 2);
    }
    if (inside < 90)
        fail_msg("the interval contains the factor in %zu of 100 sets", inside);
}

static void chance_is_what_it_says(void **state)
{
    size_t by_t = 0, by_draws = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        struct made m;
        struct classes_fit fit;
        make(&m, 1, 0.05, seed);
        assert_true(classes_fit(&m.problem, &fit));
        by_t += fit.by_chance < 0.1;
        by_draws += classes_among_random(&m.problem, 99) <= 0.1;
    }
    /* 40 expected, with a standard deviation of 6; the larger of two errors makes t careful */
    if (by_t > 55 || by_draws > 60 || by_draws < 20)
        fail_msg("below 10 %%: %zu by Student's t, %zu among random classes, of 400", by_t,
                 by_draws);
}

/* Factors that vary: no other five points explain as much. */
static void a_factor_that_varies_is_rare_among_random_classes(void **state)
{
    struct made m;
    (void)state;
    make(&m, 1, 0.02, 5);
    for (size_t i = 0; i < N; i += 3)
        m.y[i] *= i % 2 ? 1.3 : 3;
    assert_true(classes_among_random(&m.problem, 999) < 0.005);
}

static void a_formula_that_has_the_class_leaves_nothing_to_determine(void **state)
{
    struct made m;
    struct classes_fit fit;
    double wide[3 * N];
    (void)state;
    make(&m, 1, 0, 1);
    for (size_t i = 0; i < N; i++) { /* the constant and the slope of the class are free */
        double x = m.design[2 * i + 1];
        wide[3 * i] = 2 + 3 * x;
        wide[3 * i + 1] = m.in[i] ? 2 + 3 * x : 0;
        wide[3 * i + 2] = x * x;
    }
    m.problem.design = wide;
    m.problem.columns = 3;
    assert_false(classes_fit(&m.problem, &fit));
}

static void too_few_points_are_not_tested(void **state)
{
    struct made m;
    struct classes_fit fit;
    (void)state;
    make(&m, 2, 0.01, 1);
    m.problem.points = m.problem.groups = 6;
    assert_false(classes_fit(&m.problem, &fit));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_factor_is_found_exactly_without_noise),
        cmocka_unit_test(the_interval_contains_the_factor),
        cmocka_unit_test(chance_is_what_it_says),
        cmocka_unit_test(a_factor_that_varies_is_rare_among_random_classes),
        cmocka_unit_test(a_formula_that_has_the_class_leaves_nothing_to_determine),
        cmocka_unit_test(too_few_points_are_not_tested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
