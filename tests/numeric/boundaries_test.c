/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Boundaries on one variable, against all structures there are. */
#include <math.h>

#include "harness/unit.h"
#include "numeric/boundaries.h"
#include "numeric/lsq.h"
#include "numeric/random.h"

enum { GROUPS = 14, EACH = 2, N = GROUPS * EACH, K = 2 };

struct made {
    double design[N * K], y[N];
    size_t group[N];
    struct boundaries_problem problem;
};

/* y = a + b x; from group `at` on b is `times` as large. */
static void make(struct made *m, size_t at, double times, double noise, uint64_t seed)
{
    struct random random = {seed};
    for (size_t i = 0; i < N; i++) {
        size_t g = i / EACH;
        double x = 1 + (double)g;
        m->group[i] = g;
        m->design[i * K] = 1;
        m->design[i * K + 1] = x;
        m->y[i] = 5 + (g < at ? 1 : times) * x + noise * random_normal(&random);
    }
    m->problem = (struct boundaries_problem){.rows = N,
                                             .columns = K,
                                             .groups = GROUPS,
                                             .constants = K,
                                             .design = m->design,
                                             .y = m->y,
                                             .group = m->group,
                                             .max_boundaries = 1,
                                             .min_groups = 2};
}

/* The residual of a structure with one boundary, from the rows themselves. */
static double residual_of(const struct made *m, size_t at, unsigned changing)
{
    struct arena *a = arena_create();
    struct lsq_solution s;
    size_t k = K + (size_t)__builtin_popcount(changing);
    struct lsq *l = lsq_create(a, k);
    double row[2 * K] = {0}, rows[N][2 * K], rss = 0;
    for (size_t i = 0; i < N; i++) {
        size_t n = 0;
        for (size_t c = 0; c < K; c++) {
            bool beyond = m->group[i] >= at, changes = changing >> c & 1;
            row[n++] = changes && beyond ? 0 : m->design[i * K + c];
            if (changes)
                row[n++] = beyond ? m->design[i * K + c] : 0;
        }
        memcpy(rows[i], row, sizeof row);
        lsq_add(l, row, m->y[i]);
    }
    lsq_finish(l);
    lsq_solve(a, l, NULL, &s);
    for (size_t i = 0; i < N; i++) {
        double rest = m->y[i];
        for (size_t c = 0; c < k; c++)
            rest -= s.x[c] * rows[i][c];
        rss += rest * rest;
    }
    arena_destroy(a);
    return rss;
}

/* n ln(RSS/n) + 2k + 2k(k + 1)/(n - k - 1), the variance being a parameter. */
static void aicc_is_that_of_the_book(void **state)
{
    struct boundaries_problem p = {.rows = 20};
    (void)state;
    for (size_t parameters = 1; parameters < 10; parameters++) {
        double k = (double)parameters + 1, n = 20;
        assert_near(boundaries_aicc(&p, 3, parameters),
                    n * log(3 / n) + 2 * k + 2 * k * (k + 1) / (n - k - 1), 1e-12);
    }
    assert_true(isinf(boundaries_aicc(&p, 3, 18)) && isfinite(boundaries_aicc(&p, 3, 17)));
    p.known_noise = 0.5; /* ten more points whose squares are known */
    p.known_weight = 10;
    assert_near(boundaries_aicc(&p, 3, 4), 30 * log((3 + 10 * 0.25) / 30) + 2 * 5 * 30 / 24.0,
                1e-12);
    assert_true(isfinite(boundaries_aicc(&p, 3, 19)) && isinf(boundaries_aicc(&p, 3, 20)));
    p.known_weight = 0;
    p.noise_floor = 1; /* less than 20 squares of 1 explain nothing more */
    assert_true(boundaries_aicc(&p, 3, 4) == boundaries_aicc(&p, 20, 4));
    assert_true(boundaries_aicc(&p, 21, 4) > boundaries_aicc(&p, 20, 4));
}

static void the_choice_costs_the_logarithm_of_its_number(void **state)
{
    (void)state;
    /* one of 13 places; 1 of 3 constants: K C(K, 1) */
    assert_near(boundaries_choice_cost(3, 14, (unsigned[]){1}, 1),
                2 * log(13) + 2 * log(3 * 3) + BOUNDARY_PENALTY, 1e-12);
    /* two of 13; 2 of 3 and 3 of 3 constants */
    assert_near(boundaries_choice_cost(3, 14, (unsigned[]){5, 7}, 2),
                2 * log(13 * 12 / 2) + 2 * log(3 * 3) + 2 * log(3) + 2 * BOUNDARY_PENALTY +
                    3 * CHANGE_PENALTY,
                1e-12);
    assert_within(boundaries_choice_cost(3, 14, NULL, 0), 0, 1e-12);
}

static void a_structure_is_evaluated_as_its_rows_say(void **state)
{
    struct made m;
    (void)state;
    make(&m, 6, 2, 0.3, 1);
    for (size_t at = 2; at <= GROUPS - 2; at++)
        for (unsigned changing = 1; changing < 4; changing++) {
            struct boundaries_structure s = {.boundaries = 1, .at = {at}, .changing = {changing}};
            boundaries_evaluate(&m.problem, &s);
            assert_near(s.rss, residual_of(&m, at, changing), 1e-8);
            assert_int_equal(s.parameters, K + (size_t)__builtin_popcount(changing));
            assert_near(s.criterion,
                        boundaries_aicc(&m.problem, s.rss, s.parameters) +
                            boundaries_choice_cost(K, GROUPS, &changing, 1),
                        1e-12);
        }
}

static void the_search_finds_the_best_of_all_structures(void **state)
{
    struct boundaries_structure found[BOUNDARIES_MAX_FOUND], plain;
    struct made m;
    int with_boundary = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make(&m, 4 + seed % 6, seed % 2 ? 1.5 : 1, 0.5, seed);
        size_t n = boundaries_search(&m.problem, found, &plain);
        double best = INFINITY;
        struct boundaries_structure least = {0};
        for (size_t at = 2; at <= GROUPS - 2; at++)
            for (unsigned changing = 1; changing < 4; changing++) {
                struct boundaries_structure s = {
                    .boundaries = 1, .at = {at}, .changing = {changing}};
                boundaries_evaluate(&m.problem, &s);
                if (s.criterion < best) {
                    best = s.criterion;
                    least = s;
                }
            }
        assert_near(plain.rss, residual_of(&m, GROUPS, 0), 1e-8);
        assert_int_equal(n > 0, best < plain.criterion);
        if (n == 0)
            continue;
        with_boundary++;
        assert_near(found[0].criterion, best, 1e-9);
        assert_int_equal(found[0].at[0], least.at[0]);
        assert_int_equal(found[0].changing[0], least.changing[0]);
        for (size_t i = 1; i < n; i++)
            assert_true(found[i].criterion >= found[i - 1].criterion &&
                        found[i].criterion < plain.criterion);
    }
    assert_true(with_boundary >= 9 && with_boundary <= 11); /* every second set has one */
}

static void given_places_keep_what_has_to_change(void **state)
{
    struct boundaries_structure s = {.boundaries = 1, .at = {6}}, other;
    struct made m;
    (void)state;
    make(&m, 6, 2, 0.1, 5);
    boundaries_given(&m.problem, &s);
    assert_int_equal(s.boundaries, 1);
    assert_int_equal(s.at[0], 6);
    assert_int_equal(s.changing[0], 2); /* the slope alone */
    other = s;
    boundaries_evaluate(&m.problem, &other);
    assert_near(s.criterion, other.criterion, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aicc_is_that_of_the_book),
        cmocka_unit_test(the_choice_costs_the_logarithm_of_its_number),
        cmocka_unit_test(a_structure_is_evaluated_as_its_rows_say),
        cmocka_unit_test(the_search_finds_the_best_of_all_structures),
        cmocka_unit_test(given_places_keep_what_has_to_change),
    };
    return RUN(tests);
}
