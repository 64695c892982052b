/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pieces over several variables: shares in closed form, structures that were made. */
#include <math.h>

#include "harness/unit.h"
#include "numeric/pieces_search.h"
#include "numeric/random.h"

enum { N = 12, P = 4, POINTS = N * P, K = 2 };

struct made {
    struct arena *arena;
    double design[POINTS * K], y[POINTS], sigma[POINTS], n[POINTS], p[POINTS];
    const double *at[2];
    struct pieces_problem problem;
    struct pieces out;
};

/* y = 3 + c N; c is 1, and `times` beyond N = 7. */
static void make(struct made *m, double times, double noise, uint64_t seed)
{
    struct random random = {seed};
    m->arena = arena_create();
    for (size_t i = 0; i < POINTS; i++) {
        m->n[i] = 1 + (double)(i % N);
        m->p[i] = 1 + (double)(i / N);
        m->design[i * K] = 1;
        m->design[i * K + 1] = m->n[i];
        m->y[i] = 3 + (m->n[i] > 7 ? times : 1) * m->n[i];
        m->sigma[i] = m->y[i];
        m->y[i] *= 1 + noise * random_normal(&random);
    }
    m->at[0] = m->n;
    m->at[1] = m->p;
    m->problem = (struct pieces_problem){.points = POINTS,
                                         .constants = K,
                                         .variables = 2,
                                         .design = m->design,
                                         .y = m->y,
                                         .sigma = m->sigma,
                                         .at = m->at,
                                         .may_divide = 3,
                                         .steps_only = true,
                                         .max_intervals = 4};
    memset(&m->out, 0, sizeof m->out);
}

static void the_new_value_has_its_share_beyond_a_boundary(void **state)
{
    struct boundary step = {.at = 10, .form = BOUNDARY_STEP},
                    bend = {.at = 10, .form = BOUNDARY_BEND},
                    smooth = {.at = 10, .form = BOUNDARY_SMOOTH, .sharpness = 4};
    (void)state;
    assert_true(pieces_boundary_beyond(&step, 10) == 0 && pieces_boundary_beyond(&step, 10.1) == 1);
    assert_true(pieces_boundary_beyond(&bend, 10) == 0);
    assert_near(pieces_boundary_beyond(&bend, 40), 0.75, 1e-15);
    assert_near(pieces_boundary_beyond(&smooth, 10), 0.5, 1e-15);
    assert_near(pieces_boundary_beyond(&smooth, 20), 16.0 / 17, 1e-15);
    assert_near(pieces_boundary_beyond(&smooth, 5), 1.0 / 17, 1e-15);
    assert_true(pieces_boundary_beyond(&smooth, 0) == 0);
}

static void the_middle_is_in_ratio(void **state)
{
    (void)state;
    assert_near(pieces_between(4, 16), 8, 1e-15);
    assert_near(pieces_between(0, 16), 8, 1e-15);
    assert_near(pieces_between(-4, 16), 6, 1e-15);
}

static void boundaries_stay_sorted(void **state)
{
    static const struct boundary b[] = {{.variable = 1, .below = 2, .above = 3, .at = 2.5},
                                        {.variable = 0, .below = 8, .above = 9, .at = 8.5},
                                        {.variable = 0, .below = 4, .above = 5, .at = 4.5}};
    struct pieces p = {.n = 0};
    (void)state;
    for (size_t i = 0; i < 3; i++)
        assert_true(pieces_add_boundary(&p, &b[i], 1));
    assert_int_equal(p.nboundaries, 3);
    assert_true(p.boundaries[0].below == 4 && p.boundaries[1].below == 8 &&
                p.boundaries[2].variable == 1);
    assert_int_equal(pieces_boundaries_on(&p, 0), 2);
    assert_int_equal(pieces_boundaries_on(&p, 1), 1);
    assert_false(pieces_add_boundary(&p, &b[1], 1)); /* nothing new */
    assert_true(pieces_add_boundary(&p, &b[1], 2));
    assert_true(p.nboundaries == 3 && p.changing[1] == 3);
    pieces_remove_boundary(&p, 0);
    assert_true(p.nboundaries == 2 && p.boundaries[0].below == 8 && p.changing[0] == 3);
}

static const struct piece *piece_at(const struct pieces *p, size_t constant, const double *x)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->list[i].constant == constant && pieces_share(p, &p->list[i], 2, x) == 1)
            return &p->list[i];
    return NULL;
}

static void a_change_is_found_where_it_was_made(void **state)
{
    struct made m;
    (void)state;
    make(&m, 2, 0.01, 1);
    pieces_search(m.arena, &m.problem, &m.out);
    assert_int_equal(m.out.nboundaries, 1);
    assert_true(m.out.boundaries[0].variable == 0 && m.out.boundaries[0].below == 7 &&
                m.out.boundaries[0].above == 8);
    assert_near(m.out.boundaries[0].at, sqrt(56), 1e-12);
    assert_int_equal(m.out.changing[0], 2); /* the slope alone */
    assert_int_equal(m.out.n, 3);
    assert_int_equal(m.out.noutliers, 0);
    assert_true(m.out.gain > 0);
    const struct piece *low = piece_at(&m.out, 1, (double[]){5, 2}),
                       *high = piece_at(&m.out, 1, (double[]){9, 2});
    assert_true(low && high && low != high);
    assert_int_equal(low->support, 7 * P);
    assert_int_equal(high->support, 5 * P);
    assert_int_equal(piece_at(&m.out, 0, (double[]){9, 2})->support, POINTS);
    struct made same;
    make(&same, 1, 0.01, 2);
    pieces_search(same.arena, &same.problem, &same.out);
    assert_int_equal(same.out.nboundaries, 0);
    assert_int_equal(same.out.n, K);
    assert_true(same.out.gain == 0);
    arena_destroy(same.arena);
    arena_destroy(m.arena);
}

/* Along m the cost of n*m doubles: at one m, n costs a thousand times more explains as much. */
static void a_small_change_is_preferred(void **state)
{
    static const double n[] = {200, 401, 900, 2000}, m[] = {300, 503, 1000, 2100},
                        cost[] = {1.4e-9, 1.4e-9, 1.65e-9, 2.6e-9};
    double design[16 * 3], y[16], sigma[16], at_n[16], at_m[16];
    const double *at[] = {at_n, at_m};
    (void)state;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct arena *a = arena_create();
        struct random random = {seed};
        struct pieces *out = arena_alloc(a, 1, sizeof *out);
        for (size_t i = 0; i < 16; i++) {
            double *row = design + 3 * i;
            at_n[i] = n[i / 4];
            at_m[i] = m[i % 4];
            row[0] = 1;
            row[1] = at_n[i] * at_m[i];
            row[2] = at_n[i];
            sigma[i] = 5e-6 + cost[i % 4] * row[1];
            y[i] = sigma[i] * (1 + 0.006 * random_normal(&random));
        }
        struct pieces_problem problem = {.points = 16,
                                         .constants = 3,
                                         .variables = 2,
                                         .design = design,
                                         .y = y,
                                         .sigma = sigma,
                                         .at = at,
                                         .may_divide = 3,
                                         .steps_only = true,
                                         .max_intervals = 4};
        pieces_search(a, &problem, out);
        assert_true(out->nboundaries > 0);
        for (size_t c = 0; c < out->nboundaries; c++)
            assert_false(out->changing[c] >> 2 & 1);
        arena_destroy(a);
    }
}

/* The gain is the difference of the criteria of both structures. */
static void the_gain_is_a_difference_of_criteria(void **state)
{
    struct made m;
    bool outlier[POINTS] = {false};
    struct pieces none = {.n = 0};
    (void)state;
    make(&m, 2, 0.01, 3);
    pieces_search(m.arena, &m.problem, &m.out);
    double with = pieces_criterion(&m.problem, &m.out, outlier, 0),
           without = pieces_criterion(&m.problem, &none, outlier, 0);
    assert_near(without - with, m.out.gain, 1e-6);
    assert_true(pieces_criterion(&m.problem, &m.out, outlier, 1) > with); /* one more unknown */
    arena_destroy(m.arena);
}

static void shares_of_all_pieces_add_up(void **state)
{
    struct made m;
    struct boundary bend = {.variable = 0,
                            .below = 3,
                            .above = 4,
                            .at = 3.3,
                            .form = BOUNDARY_BEND},
                    smooth = {.variable = 0,
                              .below = 8,
                              .above = 9,
                              .at = 8.4,
                              .form = BOUNDARY_SMOOTH,
                              .sharpness = 6},
                    step = {.variable = 1, .below = 2, .above = 3, .at = 2.4};
    struct searcher s;
    double share[POINTS], sum[POINTS] = {0};
    (void)state;
    make(&m, 1, 0, 1);
    s = (struct searcher){.arena = m.arena, .problem = &m.problem, .out = &m.out};
    m.out.outlier = arena_zalloc(m.arena, POINTS, sizeof *m.out.outlier);
    assert_true(pieces_add_boundary(&m.out, &bend, 2) && pieces_add_boundary(&m.out, &smooth, 2) &&
                pieces_add_boundary(&m.out, &step, 2));
    assert_true(pieces_make(&s));
    assert_int_equal(m.out.n, 1 + 3 * 2);
    for (size_t b = 0; b < m.out.n; b++) {
        if (m.out.list[b].constant != 1)
            continue;
        pieces_shares(&s, &m.out.list[b], share);
        for (size_t i = 0; i < POINTS; i++) {
            double x[] = {m.n[i], m.p[i]};
            assert_true(share[i] == pieces_share(&m.out, &m.out.list[b], 2, x));
            sum[i] += share[i];
        }
    }
    for (size_t i = 0; i < POINTS; i++)
        assert_near(sum[i], 1, 1e-12);
    arena_destroy(m.arena);
}

static void one_wild_point_is_an_outlier(void **state)
{
    struct made m;
    bool outlier[POINTS] = {false};
    (void)state;
    make(&m, 1, 0.01, 4);
    assert_int_equal(pieces_outliers(m.arena, &m.problem, outlier), 0);
    m.y[17] *= 3;
    assert_int_equal(pieces_outliers(m.arena, &m.problem, outlier), 1);
    assert_true(outlier[17]);
    pieces_search(m.arena, &m.problem, &m.out);
    assert_true(m.out.noutliers == 1 && m.out.outlier[17] && m.out.nboundaries == 0);
    m.problem.keep_outliers = true;
    memset(&m.out, 0, sizeof m.out);
    pieces_search(m.arena, &m.problem, &m.out);
    assert_int_equal(m.out.noutliers, 0);
    arena_destroy(m.arena);
}

/* Columns N^2 and a constant one, which is there already. */
static void column(const void *context, size_t i, double *out)
{
    const struct made *m = context;
    for (size_t k = 0; k < POINTS; k++)
        out[k] = i == 0 ? 1 : m->n[k] * m->n[k];
}

static void a_missing_column_is_gained(void **state)
{
    struct made m;
    bool outlier[POINTS] = {false};
    size_t which;
    (void)state;
    make(&m, 1, 0.01, 5);
    assert_true(pieces_gain_of_column(&m.problem, outlier, 2, column, &m, &which) == 0);
    for (size_t i = 0; i < POINTS; i++)
        m.y[i] += m.n[i] * m.n[i];
    assert_true(pieces_gain_of_column(&m.problem, outlier, 2, column, &m, &which) > 10);
    assert_int_equal(which, 1);
    arena_destroy(m.arena);
}

static void intervals_need_fewer_values_where_each_has_more_points(void **state)
{
    struct pieces_problem p = {.points = 0};
    (void)state;
    assert_int_equal(pieces_least_values(&p, &(struct ordered){.n = 12, .groups = 12}),
                     INTERVAL_LEAST_VALUES);
    assert_int_equal(pieces_least_values(&p, &(struct ordered){.n = 48, .groups = 12}),
                     INTERVAL_LEAST_VALUES_REPEATED);
    assert_int_equal(pieces_least_values(&p, &(struct ordered){.n = 16, .groups = 4}), 1);
    p.min_values = 5;
    assert_int_equal(pieces_least_values(&p, &(struct ordered){.n = 16, .groups = 4}), 5);
}

/* ---- the parts of a search ---- */

/* The points in the order of a variable whose values are 1 ... groups. */
static struct ordered order(struct arena *a, const double *at, size_t groups)
{
    struct ordered o = {.point = arena_alloc(a, POINTS, sizeof *o.point),
                        .group = arena_alloc(a, POINTS, sizeof *o.group),
                        .value = arena_alloc(a, groups, sizeof *o.value),
                        .groups = groups};
    for (size_t g = 0; g < groups; g++) {
        o.value[g] = (double)g + 1;
        for (size_t i = 0; i < POINTS; i++)
            if (at[i] == o.value[g]) {
                o.point[o.n] = i;
                o.group[o.n++] = g;
            }
    }
    return o;
}

/* A search that has found nothing yet. */
static struct searcher begin(struct made *m)
{
    m->out.outlier = arena_zalloc(m->arena, POINTS, sizeof *m->out.outlier);
    return (struct searcher){.arena = m->arena,
                             .problem = &m->problem,
                             .out = &m->out,
                             .order = {order(m->arena, m->n, N), order(m->arena, m->p, P)}};
}

static const struct boundary at_seven = {.variable = 0, .below = 7, .above = 8, .at = 7.5};

static void pieces_with_points_are_columns(void **state)
{
    struct made m;
    (void)state;
    make(&m, 2, 0, 1);
    struct searcher s = begin(&m);
    assert_true(pieces_add_boundary(&m.out, &at_seven, 2) && pieces_make(&s));
    const struct boundaries_problem *b = pieces_problem_of(&s, &s.order[0]);
    assert_int_equal(b->rows, POINTS);
    assert_int_equal(b->columns, 3); /* the constant, and the slope on both sides */
    assert_int_equal(b->groups, N);
    assert_true(b->owner[0] == 0 && b->owner[1] == 1 && b->owner[2] == 1);
    for (size_t r = 0; r < POINTS; r++) {
        size_t i = s.order[0].point[r];
        double low = m.n[i] > 7 ? 0 : m.n[i], high = m.n[i] > 7 ? m.n[i] : 0;
        assert_near(b->y[r], m.y[i] / m.sigma[i], 1e-15);
        assert_near(b->design[r * 3], 1 / m.sigma[i], 1e-15);
        assert_near(b->design[r * 3 + 1], low / m.sigma[i], 1e-15);
        assert_near(b->design[r * 3 + 2], high / m.sigma[i], 1e-15);
    }
    arena_destroy(m.arena);
}

static void a_structure_that_needs_a_negative_constant_leaves_a_residual(void **state)
{
    struct made m;
    (void)state;
    make(&m, 1, 0, 1);
    struct searcher s = begin(&m);
    assert_true(pieces_make(&s));
    const struct boundaries_problem *exact = pieces_problem_of(&s, &s.order[0]);
    assert_near(pieces_residual(&s, exact), 0, 1e-20);
    assert_near(s.mean_error, 0, 1e-10);
    for (size_t i = 0; i < POINTS; i++)
        m.y[i] = m.sigma[i] = 15 - m.n[i]; /* falls, so the slope is 0 */
    const struct boundaries_problem *falls = pieces_problem_of(&s, &s.order[0]);
    assert_true(pieces_residual(&s, falls) > 1);
    assert_true(s.mean_error > 0.1);
    s.free_sign = true;
    assert_near(pieces_residual(&s, falls), 0, 1e-20);
    arena_destroy(m.arena);
}

static void the_choice_of_boundaries_and_of_their_forms_costs(void **state)
{
    struct made m;
    struct boundary bend = at_seven, smooth = at_seven;
    unsigned slope = 2;
    (void)state;
    make(&m, 2, 0.01, 1);
    struct searcher s = begin(&m);
    assert_true(pieces_cost_of_choice(&s) == 0);
    assert_true(pieces_add_boundary(&m.out, &at_seven, slope));
    double step = boundaries_choice_cost(K, N, &slope, 1) + 2 * log(2); /* of two variables */
    assert_near(pieces_cost_of_choice(&s), step, 1e-12);
    bend.form = BOUNDARY_BEND;
    m.out.boundaries[0] = bend;
    assert_near(pieces_cost_of_choice(&s), step + BEND_PENALTY, 1e-12);
    smooth.form = BOUNDARY_SMOOTH;
    m.out.boundaries[0] = smooth;
    assert_near(pieces_cost_of_choice(&s), step + SMOOTH_PENALTY, 1e-12);
    m.problem.may_divide = 1;
    assert_near(pieces_cost_of_choice(&s), step + SMOOTH_PENALTY - 2 * log(2), 1e-12);
    arena_destroy(m.arena);
}

static void the_criterion_is_that_of_the_fit_and_of_the_choice(void **state)
{
    struct made m;
    struct boundary nowhere = {
        .variable = 0, .below = 12, .above = 13, .at = 12.5, .form = BOUNDARY_BEND};
    (void)state;
    make(&m, 2, 0.01, 6);
    struct searcher s = begin(&m);
    double without = pieces_evaluate(&s);
    assert_true(pieces_add_boundary(&m.out, &at_seven, 2));
    double with = pieces_evaluate(&s);
    assert_true(with < without);
    const struct boundaries_problem *b = pieces_problem_of(&s, &s.order[0]);
    assert_near(with,
                boundaries_aicc(b, pieces_residual(&s, b), b->columns) + pieces_cost_of_choice(&s),
                1e-9);
    assert_true(pieces_add_boundary(&m.out, &nowhere, 2)); /* no point is beyond it */
    assert_true(isinf(pieces_evaluate(&s)));
    arena_destroy(m.arena);
}

static void a_bend_is_added_where_it_improves_the_criterion(void **state)
{
    struct made m;
    (void)state;
    make(&m, 1, 0, 1);
    m.problem.may_divide = 1;
    for (size_t i = 0; i < POINTS; i++) {
        m.y[i] = m.sigma[i] = 3 + m.n[i] + fmax(m.n[i] - 6, 0);
        m.y[i] *= i % 2 ? 1.001 : 0.999;
    }
    struct searcher s = begin(&m);
    double before = s.criterion = pieces_evaluate(&s);
    assert_true(pieces_add_gradual(&s));
    assert_true(s.criterion < before);
    assert_int_equal(m.out.nboundaries, 1);
    assert_int_equal(m.out.boundaries[0].form, BOUNDARY_BEND);
    assert_int_equal(m.out.changing[0], 2);
    assert_near(m.out.boundaries[0].at, 6, 0.1);
    assert_false(pieces_add_gradual(&s)); /* nothing is left to explain */
    assert_int_equal(m.out.nboundaries, 1);
    arena_destroy(m.arena);
}

/* One column of ones is there; these are added: ones, the rest, its opposite. */
static void with_signs(const void *context, size_t i, double *out)
{
    (void)context;
    for (int r = 0; r < 4; r++)
        out[r] = i == 0 ? 1 : i == 1 ? (r % 2 ? -1 : 1) : (r % 2 ? 1 : -1);
}

static void a_column_gains_what_it_takes_of_the_residual(void **state)
{
    const double design[] = {1, 1, 1, 1},
                 y[] = {7, 3, 7, 3}; /* 5 and 2 of the alternating column */
    const struct boundaries_problem b = {.rows = 4, .columns = 1, .design = design, .y = y};
    double gain[3], rest;
    struct arena *a = arena_create();
    (void)state;
    pieces_gains(a, &b, 3, with_signs, NULL, gain, &rest);
    assert_near(rest, 16, 1e-12);
    assert_true(gain[0] == 0); /* there already */
    assert_near(gain[1], 16, 1e-12);
    assert_near(gain[2], -16, 1e-12); /* its constant would be negative */
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_new_value_has_its_share_beyond_a_boundary),
        cmocka_unit_test(the_middle_is_in_ratio),
        cmocka_unit_test(boundaries_stay_sorted),
        cmocka_unit_test(a_change_is_found_where_it_was_made),
        cmocka_unit_test(a_small_change_is_preferred),
        cmocka_unit_test(the_gain_is_a_difference_of_criteria),
        cmocka_unit_test(shares_of_all_pieces_add_up),
        cmocka_unit_test(one_wild_point_is_an_outlier),
        cmocka_unit_test(a_missing_column_is_gained),
        cmocka_unit_test(intervals_need_fewer_values_where_each_has_more_points),
        cmocka_unit_test(pieces_with_points_are_columns),
        cmocka_unit_test(a_structure_that_needs_a_negative_constant_leaves_a_residual),
        cmocka_unit_test(the_choice_of_boundaries_and_of_their_forms_costs),
        cmocka_unit_test(the_criterion_is_that_of_the_fit_and_of_the_choice),
        cmocka_unit_test(a_bend_is_added_where_it_improves_the_criterion),
        cmocka_unit_test(a_column_gains_what_it_takes_of_the_residual),
    };
    return RUN(tests);
}
