/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The library of terms: what it contains, what its terms are worth, and how they are written. */
#include <math.h>

#include "formula/formula.h"
#include "harness/unit.h"
#include "numeric/terms.h"

enum { N = 8, P = 3, POINTS = N * P };

struct made {
    struct arena *arena;
    double n[POINTS], p[POINTS];
    struct search_variable variables[2];
    struct search_library library;
};

static void make(struct made *m, size_t nvariables)
{
    m->arena = arena_create();
    for (size_t i = 0; i < POINTS; i++) {
        m->n[i] = 100 * (double)(1 + i % N);
        m->p[i] = (double)(1 << i / N);
    }
    m->variables[0] = (struct search_variable){"N", m->n, false};
    m->variables[1] = (struct search_variable){"P", m->p, true};
    search_library_make(m->arena, m->variables, nvariables, POINTS, &m->library);
}

static const struct search_term *find(const struct made *m, size_t nvariables, const char *text)
{
    for (size_t t = 0; t < m->library.n; t++)
        if (!strcmp(search_term_text(m->arena, &m->library.terms[t], m->variables, nvariables),
                    text))
            return &m->library.terms[t];
    return NULL;
}

static void usual_terms_are_there_and_cost_more_the_rarer_they_are(void **state)
{
    static const char *const order[] = {"N", "N^2", "N^3", "N^2.5"};
    struct made m;
    double all = 0, before = 0;
    (void)state;
    make(&m, 1);
    for (size_t t = 0; t < m.library.n; t++)
        all += exp(-m.library.terms[t].cost);
    assert_near(all, 1, 1e-12); /* costs are logarithms of shares */
    for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
        const struct search_term *t = find(&m, 1, order[i]);
        assert_non_null(t);
        assert_true(t->cost >= before && t->cost == t->plain_cost);
        before = t->cost;
    }
    assert_non_null(find(&m, 1, "N*log(N)"));
    assert_non_null(find(&m, 1, "sqrt(N)"));
    assert_non_null(find(&m, 1, "N^(2/3)"));
    assert_null(find(&m, 1, "N^7"));
    arena_destroy(m.arena);
}

/* The text of every term is a formula with the values of the term. */
static void texts_mean_the_values(void **state)
{
    struct made m;
    const char *names[] = {"N", "P"};
    const double *columns[] = {m.n, m.p};
    double values[POINTS], want[POINTS];
    (void)state;
    make(&m, 2);
    assert_true(m.library.n > 50);
    for (size_t t = 0; t < m.library.n; t++) {
        const char *text = search_term_text(m.arena, &m.library.terms[t], m.variables, 2);
        const struct formula *f = formula_parse_text(m.arena, text, NULL, NULL);
        assert_non_null(f);
        const struct formula_program *program = formula_compile(m.arena, f, names, 2, NULL, NULL);
        assert_int_equal(formula_evaluate(program, columns, POINTS, want, NULL), 0);
        search_term_values(&m.library.terms[t], m.variables, 2, POINTS, values);
        for (size_t i = 0; i < POINTS; i++)
            assert_near(values[i], want[i], 1e-12);
    }
    arena_destroy(m.arena);
}

static void terms_are_changed_in_one_variable(void **state)
{
    struct made m;
    (void)state;
    make(&m, 2);
    struct search_term t = *find(&m, 2, "N^2/P"), same = t;
    assert_true(search_term_same(&t, &same, 2));
    assert_true(search_term_with_power(&m.library, &t, 0, 1, 1));
    assert_string_equal(search_term_text(m.arena, &t, m.variables, 2), "N*log(N)/P");
    assert_false(search_term_same(&t, &same, 2));
    assert_true(search_term_with_power(&m.library, &t, 0, 2, 0));
    assert_true(search_term_same(&t, &same, 2) && near(t.cost, same.cost, 1e-12));
    assert_true(search_term_with_power(&m.library, &t, 0, 1.13, 0)); /* on the grid */
    assert_near(t.of[0].exponent, 1.15, 1e-12);
    assert_true(t.cost > same.cost);
    assert_false(search_term_with_power(&m.library, &t, 0, SEARCH_MOST_EXPONENT + 1, 0));
    assert_false(search_term_with_power(&m.library, &t, 0, 0, 0));
    t = same;
    assert_true(search_term_without(&m.library, &t, 0));
    assert_string_equal(search_term_text(m.arena, &t, m.variables, 2), "1/P");
    assert_false(search_term_with_power(&m.library, &t, 0, 1, 0)); /* it has no N */
    assert_false(search_term_without(&m.library, &t, 1));
    arena_destroy(m.arena);
}

static void exponents_are_rounded_to_usual_ones_and_to_the_grid(void **state)
{
    static const struct {
        double exponent, usual, grid;
    } cases[] = {{0.98, 1, 1},       {1.9, 2, 1.9},     {0.3, 1.0 / 3, 0.3},
                 {-0.77, -1, -0.75}, {2.74, 2.5, 2.75}, {9, 3, 9}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_near(search_usual_exponent(cases[i].exponent), cases[i].usual, 1e-12);
        assert_near(search_grid_exponent(cases[i].exponent), cases[i].grid, 1e-12);
    }
}

static void terms_can_be_added(void **state)
{
    struct made m;
    double given[POINTS], values[POINTS], all = 0;
    (void)state;
    make(&m, 1);
    size_t before = m.library.n;
    for (size_t i = 0; i < POINTS; i++)
        given[i] = sin((double)i);
    assert_null(find(&m, 1, "N^1.1"));
    search_library_add_exponents(m.arena, m.variables, POINTS, &m.library);
    assert_non_null(find(&m, 1, "N^1.1"));
    assert_true(m.library.n > before + 50);
    before = m.library.n;
    search_library_add_given(m.arena, "lat(N)", given, 0.5, &m.library);
    assert_int_equal(m.library.n, before + 1);
    struct search_term t = *find(&m, 1, "lat(N)");
    search_term_values(&t, m.variables, 1, POINTS, values);
    assert_memory_equal(values, given, sizeof given);
    assert_false(search_term_with_power(&m.library, &t, 0, 2, 0));
    assert_false(search_term_without(&m.library, &t, 0));
    assert_true(search_term_same(&t, &m.library.terms[before], 1));
    assert_false(search_term_same(&t, &m.library.terms[0], 1));
    for (size_t k = 0; k < m.library.n; k++)
        all += exp(-m.library.terms[k].cost);
    assert_near(all, 1, 1e-12);
    arena_destroy(m.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(usual_terms_are_there_and_cost_more_the_rarer_they_are),
        cmocka_unit_test(texts_mean_the_values),
        cmocka_unit_test(terms_are_changed_in_one_variable),
        cmocka_unit_test(exponents_are_rounded_to_usual_ones_and_to_the_grid),
        cmocka_unit_test(terms_can_be_added),
    };
    return RUN(tests);
}
