/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notations that ask models: how often a model is asked, what values depend on, how often they are in the OBSP* time. */
#include "notation_events.h"
#include "obsp/critical.h"

/* The value of A(m=...) is that of m in the file; all else is computed from the values of the names. */
struct asked {
    size_t times;
};

static bool knows(void *user, const char *name)
{
    (void)user;
    return strcmp(name, "A") == 0;
}

static int prepare(void *user, const struct formula *f, const struct source *source,
                   struct diag *diag, const char *const **names, size_t *n)
{
    static const char *const wanted[] = {"m", "unknown"};
    (void)user, (void)f, (void)source, (void)diag;
    *names = wanted;
    *n = 2;
    return 0;
}

static int value(void *user, struct obsp_fitted *what, struct diag *diag)
{
    struct asked *asked = user;
    (void)diag;
    what->number = asked->times++;
    what->value = 1;
    for (size_t k = 0; k < what->n; k++)
        what->value += what->values[k];
    return 0;
}

static struct obsp_models models_of(struct asked *asked)
{
    return (struct obsp_models){.user = asked,
                                .have = "the data has A",
                                .knows = knows,
                                .prepare = prepare,
                                .value = value};
}

/* The next event of the process, which has one use. */
static const struct obsp_use *next_use(struct obsp_source *s, int process)
{
    struct obsp_event e;
    assert_true(s->next(s, process, &e));
    assert_int_equal(e.nuses, 1);
    assert_true(fabs(e.work - e.uses->times * e.uses->what->value) < 1e-12);
    return e.uses;
}

static struct obsp_source *open_notation(const char *text, const struct obsp_models *models,
                                         struct diag *diag)
{
    struct obsp_values values = {.models = models};
    struct obsp_source *s = notation_of(text, &values, diag);
    if (!s)
        fail_msg("%s", diag_first(diag, SEVERITY_ERROR));
    return s;
}

/* Processors and supersteps share what one formula gives at one place, also after the source begins again. */
static void a_model_is_asked_once_for_each_place(void **state)
{
    (void)state;
    struct asked asked = {0};
    struct obsp_models models = models_of(&asked);
    struct diag *diag = diag_create();
    struct obsp_source *s =
        open_notation("param P = 3\nparam m = 4\n"
                      "for k = 1 to 3\n for j = 1 to 2\n  work A\n end\n sync\nend\n",
                      &models, diag);
    for (int turn = 0; turn < 2; turn++) {
        for (int process = 0; process < 3; process++)
            for (int superstep = 0; superstep < 3; superstep++) {
                const struct obsp_use *use = next_use(s, process);
                assert_true(use->times == 2 && use->what->value == 5);
            }
        s->rewind(s);
    }
    assert_int_equal(asked.times, 1);
    s->free(s);
    diag_destroy(diag);
}

/* A name, an argument and a parameter have the value of a model, and know it. */
static void names_know_what_they_depend_on(void **state)
{
    (void)state;
    struct asked asked = {0};
    struct obsp_models models = models_of(&asked);
    struct diag *diag = diag_create();
    struct obsp_source *s = open_notation("param P = 2\nparam c = A(m=1)\n"
                                          "proc f(x)\n work x + i\n sync\nend\nt = 2*c\nf(t)\n",
                                          &models, diag);
    const struct obsp_fitted *work = next_use(s, 1)->what;
    assert_int_equal(work->n, 2); /* x and i */
    assert_true(work->by[0] && !work->by[1]);
    const struct obsp_fitted *t = work->by[0];
    assert_true(t->value == work->values[0] && t->by[0] && t->by[0]->n == 0);
    s->free(s);
    diag_destroy(diag);
}

/* Processor 1 is slower in the first superstep, processor 0 in the second one; W of processor 0 counts twice. */
static void the_critical_path_counts_uses(void **state)
{
    (void)state;
    struct asked asked = {0};
    struct obsp_models models = models_of(&asked);
    struct diag *diag = diag_create();
    struct arena *a = arena_create();
    struct obsp_source *s = open_notation("param P = 2\nwork A(m=i)\nwork 9 if i == 1\nsync\n"
                                          "m = 30 - 9*i\nwork A\nwork A\nsync\n",
                                          &models, diag);
    const double slower[] = {2, 1};
    struct obsp_request request = {.costs = obsp_costs_given(a, 0, 1), .slower = slower};
    struct obsp_result result;
    struct obsp_critical critical;
    assert_int_equal(obsp_evaluate(a, s, &request, diag, &result), 0);
    s->rewind(s);
    assert_int_equal(obsp_critical_find(a, s, &request, &result, diag, &critical), 0);
    assert_int_equal(critical.nfitted, 3);
    double sum = 0;
    for (size_t k = 0; k < 3; k++) {
        sum += critical.fitted[k]->times * critical.fitted[k]->value;
        assert_true(critical.fitted[k]->times == (k ? 2 : 1)); /* each 'work A' is a formula */
    }
    assert_true(fabs(result.obsp - (sum + 9 + 2)) < 1e-12);
    s->free(s);
    arena_destroy(a);
    diag_destroy(diag);
}

static void values_of_models_are_bounded(void **state)
{
    (void)state;
    struct asked asked = {0};
    struct obsp_models models = models_of(&asked);
    struct obsp_values values = {.models = &models};
    static const struct notation_limits few = {.statements = 1000,
                                               .supersteps = 100,
                                               .messages = 50,
                                               .values = 2000,
                                               .events = 40,
                                               .fitted = 9,
                                               .uses = 20};
    limits_of_test = &few;
    expect_error_with(
        "param P = 1\nfor k = 1 to 10\n work A(m=k)\nend\n", &values,
        "test.obsp:3:7: error: experiments are asked for more than 9 different values; "
        "take fewer processors, supersteps or sizes (processor 0 of m, superstep 1)");
    expect_error_with(
        "param P = 3\nfor k = 1 to 9\n work A(m=k)\nend\nsync\n", &values,
        "test.obsp:3:2: error: the supersteps that are being computed use more than 20 "
        "values of experiments; take fewer processors, or ask for fewer sizes");
    limits_of_test = &notation_limits;
}

static void experiments_are_named_rightly(void **state)
{
    (void)state;
    struct asked asked = {0};
    struct obsp_models models = models_of(&asked);
    struct obsp_values values = {.models = &models};
    expect_error_with(
        "param P = 1\nwork B(1)\n", &values,
        "test.obsp:2:6: error: there is no function, experiment or definition 'B': the "
        "data has A\n");
    expect_error_with("param P = 1\nwork mdo(P, 2)\n", &values,
                      "test.obsp:2:6: error: there is no function 'mdo'; did you mean 'mod'?\n");
    expect_error_with(
        "param P = 1\nm = A\nwork m if m > 1\n", &values,
        "test.obsp:3:11: error: this depends on what an experiment predicts, which is "
        "uncertain; only the time of 'work', values of names and arguments may");
    expect_error_with("param P = 1\nwork A(m=x)\nx = 1\n", &values,
                      "test.obsp:2:6: error: 'x' has no value yet; give it one above");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_asked_once_for_each_place),
        cmocka_unit_test(names_know_what_they_depend_on),
        cmocka_unit_test(the_critical_path_counts_uses),
        cmocka_unit_test(values_of_models_are_bounded),
        cmocka_unit_test(experiments_are_named_rightly),
    };
    return RUN(tests);
}
