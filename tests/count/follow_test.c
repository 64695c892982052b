/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which terms counts follow: each case is an experiment with one instruction whose counts are given. */
#include "harness/unit.h"

#include <math.h>

#include "count/follow.h"

struct world {
    struct arena *arena, *scratch;
    struct count_model *model;
};

/* Rows at N = first, first + step, ...; for step 0 at N = first, 2*first, ...; y(N) are the counts. If the formula has P, it
 * is 1 and 2 in turn. */
static struct world make(const char *formula, double first, double step, size_t rows,
                         double (*y)(double))
{
    struct world w = {.arena = arena_create(), .scratch = arena_create()};
    struct arena *a = w.arena;
    struct counts *c = counts_create(a, "x", false);
    struct dataset *d = dataset_create();
    struct experiment *e = dataset_add_experiment(d, "f");
    struct diag *diag = diag_create();
    static const char *names[] = {"N", "P"};
    bool parallel = strchr(formula, 'P') != NULL;
    experiment_set_formula(d, e, "CLOCK", formula, 0);
    c->ninstructions = 1;
    c->executions = arena_zalloc(a, rows, sizeof *c->executions);
    for (size_t i = 0; i < rows; i++) {
        struct execution *x = &c->executions[c->nexecutions++];
        x->experiment = "f";
        x->processes = 1;
        x->nvalues = parallel ? 2 : 1;
        x->names = names;
        x->values = arena_alloc(a, 2, sizeof *x->values);
        x->values[1] = 1 + (double)(i % 2);
        x->values[0] = step == 0 ? ldexp(first, (int)i) : first + step * (double)i;
        x->totals[0] = y(x->values[0]);
        x->n = 1;
        x->counts = arena_zalloc(a, 1, sizeof *x->counts);
        x->counts[0].count = x->totals[0];
    }
    w.model = count_model_make(a, c, e, diag);
    assert_int_equal(diag_count(diag, SEVERITY_ERROR), 0);
    assert_non_null(w.model);
    w.model->formula = arena_strdup(a, w.model->formula);
    w.model->experiment = "f";
    diag_destroy(diag);
    dataset_destroy(d);
    assert_int_equal(w.model->npatterns, 1);
    count_follow(a, w.scratch, w.model, &w.model->patterns[0], true);
    return w;
}

static void end(struct world *w)
{
    arena_destroy(w->arena);
    arena_destroy(w->scratch);
}

static const char polynomial[] = "f[0] + f[1]*N + f[2]*N^2";

static double whole(double n)
{
    return 2 * n * n + 3 * n + 7;
}
static double triangle(double n)
{
    return n * (n - 1) / 2;
}
static double halving(double n)
{
    return floor(log2(n)) + 1;
}
static double merging(double n)
{
    return 6 * n * log2(n) + n;
}
static double vector(double n)
{
    return n * floor(n / 4);
}
static double vector_of_rest(double n)
{
    return floor((n - 1) / 8);
}
static double all_of_them(double n)
{
    return n;
}
static double remainder_of(double n)
{
    return fmod(n, 4);
}
static double bits_of_rest(double n)
{
    return fmod(n, 4) >= 2 ? 3 : 1;
}
static double fourth(double n)
{
    return n * n / 4;
}
static double square(double n)
{
    return 5 * n * n + 1;
}
static double large(double n)
{
    return 3 * n * n + 1;
}
static double nearly_large(double n)
{
    return 3 * n * n + (n > 5e6 ? 2 : 1);
}
static double wavy(double n)
{
    return floor(40 * n * n * (1 + 0.04 * sin(n)));
}
static double random_looking(double n)
{
    return floor(1e6 * fabs(sin(12.9898 * n * n)));
}

static void sums_of_terms_are_exact(void **state)
{
    (void)state;
    struct world w = make(polynomial, 10, 7, 12, whole);
    const struct count_pattern *p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_EXACT);
    assert_near(p->share[0], 7, 0);
    assert_near(p->share[1], 3, 0);
    assert_near(p->share[2], 2, 0);
    assert_string_equal(p->follows, "7 + 3*N + 2*N^2");
    end(&w);
}

static void fractions_are_exact(void **state)
{
    (void)state;
    struct world w = make(polynomial, 10, 7, 12, triangle);
    const struct count_pattern *p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_EXACT);
    assert_near(p->share[1], -0.5, 0);
    assert_near(p->share[2], 0.5, 0);
    assert_string_equal(p->follows, "-1/2*N + 1/2*N^2");
    end(&w);
}

/* 6*N*log2(N) is 6/log(2) units of N*log(N). */
static void logarithms_of_any_base_are_exact(void **state)
{
    (void)state;
    struct world w = make("f[0] + f[1]*N + f[2]*N*log(N)", 16, 0, 12, merging);
    const struct count_pattern *p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_EXACT);
    assert_near(p->share[2], 6 / log(2), 1e-12);
    assert_near(p->share[1], 1, 1e-12);
    end(&w);
}

static void halvings_are_exact(void **state)
{
    (void)state;
    struct world w = make("f[0] + f[1]*log2(N)", 8, 4, 15, halving);
    const struct count_pattern *p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_STEPS);
    assert_int_equal(p->step, 0);
    assert_false(p->average);
    assert_near(p->share[0], 1, 0);
    assert_near(p->share[1], 1, 0);
    end(&w);
    w = make("f[0] + f[1]*log(N)", 8, 4, 15, halving); /* of any base */
    p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_STEPS);
    assert_near(p->share[1], 1 / log(2), 1e-12);
    end(&w);
}

/* A term that is not whole at some size is no part of the sum, and its factor in the data is 0. */
static void terms_that_are_not_whole_do_not_matter(void **state)
{
    (void)state;
    struct world w = make("f[0] + f[1]*N + f[2]*N^2 + f[3]*N*log(N)", 10, 7, 12, whole);
    const struct count_pattern *p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_EXACT);
    assert_string_equal(p->follows, "7 + 3*N + 2*N^2");
    assert_near(p->share[3], 0, 0);
    end(&w);
    w = make("f[0] + f[1]*N/2 + f[2]*N^2/3", 10, 7, 12,
             whole); /* thirds are whole numbers of thirds */
    p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_EXACT);
    assert_near(p->share[1], 6, 0);
    assert_near(p->share[2], 6, 0);
    end(&w);
}

/* Sums of doubles cannot tell these two: they differ by 1 in 10^14. */
static void large_counts_are_exact(void **state)
{
    (void)state;
    struct world w = make("f[0] + f[1]*N^2", 1000003, 999983, 9, large);
    assert_int_equal(w.model->patterns[0].kind, FOLLOW_EXACT);
    end(&w);
    w = make("f[0] + f[1]*N^2", 1000003, 999983, 9, nearly_large);
    assert_int_not_equal(w.model->patterns[0].kind, FOLLOW_EXACT);
    end(&w);
}

static void steps_of_vectorised_loops_are_found(void **state)
{
    (void)state;
    struct world w = make(polynomial, 10, 7, 14, vector);
    const struct count_pattern *p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_STEPS);
    assert_int_equal(p->step, 4);
    assert_near(p->share[2], 0.25, 0);
    assert_string_equal(p->follows, "N*floor(N/4)");
    assert_false(p->average);
    end(&w);
    w = make(polynomial, 10, 7, 14, vector_of_rest);
    p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_STEPS);
    assert_int_equal(p->step, 8);
    assert_near(p->share[1], 0.125, 0);
    assert_string_equal(p->follows, "floor((N-1)/8)");
    end(&w);
    w = make(polynomial, 12, 4, 14, fourth); /* at multiples of 4 nothing is left over */
    assert_int_equal(w.model->patterns[0].kind, FOLLOW_EXACT);
    assert_int_equal(w.model->patterns[0].step, 4);
    end(&w);
}

/* There is no loop over P, which would give counts of N steps in P. */
static void terms_that_fall_have_no_steps(void **state)
{
    (void)state;
    struct world w = make("f[0] + f[1]*N/P", 16, 0, 14, all_of_them);
    const struct count_pattern *p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_NOT);
    assert_non_null(p->missing);
    assert_string_equal(p->missing, "N");
    end(&w);
}

static void remainders_are_found(void **state)
{
    (void)state;
    struct world w = make(polynomial, 10, 7, 14, remainder_of);
    const struct count_pattern *p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_STEPS);
    assert_true(p->average);
    assert_near(p->share[0], 1.5, 0);
    end(&w);
    w = make("f[0] + f[1]*N", 10, 7, 14, bits_of_rest);
    p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_STEPS);
    assert_true(p->average);
    end(&w);
}

static void a_missing_term_is_proposed(void **state)
{
    (void)state;
    struct world w = make("f[0] + f[1]*N", 10, 7, 14, square);
    assert_int_equal(w.model->patterns[0].kind, FOLLOW_NOT);
    assert_non_null(w.model->patterns[0].missing);
    assert_string_equal(w.model->patterns[0].missing, "N^2");
    end(&w);
    w = make("f[0] + f[1]*N", 16, 0, 14, merging);
    assert_int_equal(w.model->patterns[0].kind, FOLLOW_NOT);
    assert_non_null(w.model->patterns[0].missing);
    assert_string_equal(w.model->patterns[0].missing, "N*log(N)");
    end(&w);
}

static void counts_near_a_sum_belong_to_it(void **state)
{
    (void)state;
    struct world w = make("f[0] + f[1]*N^2", 10, 7, 14, wavy);
    const struct count_pattern *p = &w.model->patterns[0];
    assert_int_equal(p->kind, FOLLOW_ABOUT);
    assert_near(p->share[1], 40, 0.05);
    end(&w);
}

static void other_counts_follow_nothing(void **state)
{
    (void)state;
    struct world w = make(polynomial, 10, 7, 40, random_looking);
    assert_int_equal(w.model->patterns[0].kind, FOLLOW_NOT);
    assert_null(w.model->patterns[0].missing);
    end(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_of_terms_are_exact),
        cmocka_unit_test(fractions_are_exact),
        cmocka_unit_test(logarithms_of_any_base_are_exact),
        cmocka_unit_test(halvings_are_exact),
        cmocka_unit_test(terms_that_are_not_whole_do_not_matter),
        cmocka_unit_test(large_counts_are_exact),
        cmocka_unit_test(steps_of_vectorised_loops_are_found),
        cmocka_unit_test(terms_that_fall_have_no_steps),
        cmocka_unit_test(remainders_are_found),
        cmocka_unit_test(a_missing_term_is_proposed),
        cmocka_unit_test(counts_near_a_sum_belong_to_it),
        cmocka_unit_test(other_counts_follow_nothing),
    };
    return RUN(tests);
}
