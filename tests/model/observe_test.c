/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conditions on observables, and observables that are computed. */
#include "harness/unit.h"

#include "base/text.h"
#include "harness/synthetic/synth.h"

/* N = 1, 2, 4; P = 1, 2, 4; ten executions that take N/P (1 + k/100) and have k + 1 faults. Every
 * execution with P ranks; rank r takes r/1000 longer. */
static struct synth load(void)
{
    struct synth s = synth_begin();
    struct text t;
    int seq = 0;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# overhead: 0 0\n# experiment: f\n# variables: f N\n" SYNTH_COLUMNS
                 " N CLOCK page-faults\n");
    for (int n = 1; n <= 4; n *= 2)
        for (int p = 1; p <= 4; p *= 2)
            for (int k = 0; k <= 10; k++, seq++)
                for (int rank = 0; rank < p; rank++)
                    text_printf(&t, "f 0 %d 0 0 %d %d 0 1 %d %.17g %s\n", seq, p, rank, n,
                                (double)n / p * (1 + k / 100.0 + rank / 1000.0),
                                k == 5  ? "nan"
                                : k < 5 ? "2"
                                        : "4");
    if (synth_load_bytes(&s, t.s, t.n))
        fail_msg("%s", synth_error(&s));
    text_free(&t);
    return s;
}

/* The points of an expression over the samples of f. */
static int points_of(struct synth *s, const char *expression, enum statistic statistic,
                     const char *condition, struct points *out)
{
    struct points_request *r = arena_zalloc(s->arena, 1, sizeof *r);
    const char **names = arena_alloc(s->arena, 1, sizeof *names);
    const struct formula **by = arena_alloc(s->arena, 1, sizeof *by);
    struct formula_options options = {.references = true};
    struct source *source = arena_alloc(s->arena, 1, sizeof *source);
    *source = (struct source){"<let>", expression, strlen(expression)};
    names[0] = "r";
    by[0] = formula_parse(s->arena, source, (struct span){0, source->size}, &options, s->diag);
    assert_non_null(by[0]);
    *r = (struct points_request){.dataset = s->data,
                                 .experiment = dataset_find(s->data, "f"),
                                 .observable = "r",
                                 .statistic = statistic,
                                 .ranks = RANKS_MAX,
                                 .keep_first = true,
                                 .let = {.names = names, .by = by, .n = 1}};
    if (condition) {
        struct condition *c = arena_alloc(s->arena, 1, sizeof *c);
        struct source *text = arena_alloc(s->arena, 1, sizeof *text);
        *text = (struct source){"<where>", condition, strlen(condition)};
        *c =
            (struct condition){formula_parse_condition(s->arena, text, (struct span){0, text->size},
                                                       &options, s->diag),
                               text};
        assert_non_null(c->formula);
        r->conditions = c;
        r->nconditions = 1;
    }
    return points_make(s->arena, r, s->diag, out);
}

static size_t point_at(const struct points *p, double n, double processors)
{
    for (size_t i = 0; i < p->n; i++)
        if (p->at[0][i] == n && p->at[1][i] == processors)
            return i;
    fail_msg("no point N=%g P=%g", n, processors);
    return 0;
}

static bool same(double x, double y)
{
    return fabs(x - y) <= 1e-9 * fabs(y);
}

/* The rank that counts is the slowest, and a low percentile of the times is a high one of the rate. */
static void a_rate_belongs_to_its_time(void **state)
{
    struct synth s = load();
    struct points p;
    (void)state;
    assert_int_equal(points_of(&s, "8*N/CLOCK", STATISTIC_P10, NULL, &p), 0);
    assert_int_equal(p.n, 9);
    assert_true(p.falls);
    assert_true(same(p.value[point_at(&p, 4, 1)], 8 / 1.01));
    assert_true(same(p.value[point_at(&p, 4, 4)], 8 * 4 / 1.013));
    assert_int_equal(p.count[point_at(&p, 4, 4)], 11);
    assert_int_equal(points_of(&s, "8*N/CLOCK", STATISTIC_MIN, NULL, &p), 0);
    assert_true(same(p.value[point_at(&p, 2, 1)], 8));
    assert_int_equal(points_of(&s, "2*CLOCK", STATISTIC_P10, NULL, &p), 0);
    assert_false(p.falls);
    assert_true(same(p.value[point_at(&p, 2, 1)], 4 * 1.01));
    assert_string_equal(points_unit(p.request), "");
    synth_end(&s);
}

static void a_speed_up_uses_the_point_with_one_processor(void **state)
{
    struct synth s = load();
    struct points p;
    (void)state;
    assert_int_equal(points_of(&s, "CLOCK(P=1)/CLOCK", STATISTIC_P10, NULL, &p), 0);
    assert_true(same(p.value[point_at(&p, 1, 1)], 1));
    assert_true(same(p.value[point_at(&p, 2, 4)], 4 * 1.01 / 1.013));
    assert_int_equal(points_of(&s, "CLOCK(N=2*N, P=2*P)/CLOCK", STATISTIC_P10, NULL, &p), 0);
    assert_int_equal(p.n, 4); /* the others have no such point */
    assert_true(same(p.value[point_at(&p, 1, 1)], 1.011 / 1.01));
    synth_end(&s);
}

static void samples_without_a_value_take_no_part(void **state)
{
    struct synth s = load();
    struct points p;
    (void)state;
    assert_int_equal(points_of(&s, "page_faults/CLOCK", STATISTIC_MIN, "P == 1", &p), 0);
    assert_int_equal(p.n, 3);
    assert_int_equal(p.count[0], 10);
    assert_int_equal(p.missing, 3);
    assert_int_equal(points_of(&s, "1/(page_faults - 2)", STATISTIC_MEDIAN, "P == 1", &p), 0);
    assert_int_equal(p.count[0], 5); /* 1/0 is not a value */
    assert_true(same(p.value[0], 0.5));
    synth_end(&s);
}

static void conditions_use_observables(void **state)
{
    struct synth s = load();
    struct points p;
    (void)state;
    assert_int_equal(points_of(&s, "CLOCK", STATISTIC_MEDIAN, "P == 1 and CLOCK < 1.045*N", &p), 0);
    assert_int_equal(p.count[0], 5);
    assert_true(same(p.value[0], 1.02));
    assert_int_equal(points_of(&s, "CLOCK", STATISTIC_MEDIAN, "page_faults > 3 and P == 1", &p), 0);
    assert_int_equal(p.count[0], 5);
    /* a value that was not measured fulfils no condition, whatever is computed of it */
    assert_int_equal(
        points_of(&s, "CLOCK", STATISTIC_MEDIAN, "P == 1 and log(page_faults) > 0", &p), 0);
    assert_int_equal(p.count[0], 10);
    assert_int_equal(points_of(&s, "CLOCK", STATISTIC_MEDIAN, "log(CLOCK - N) > 0", &p), -1);
    assert_non_null(strstr(synth_error(&s), "the condition has no value for sample 1 of f"));
    synth_end(&s);
}

static void what_cannot_be_computed_is_refused(void **state)
{
    static const struct {
        const char *expression, *message;
    } list[] = {
        {"N/P", "r is not an observable of f: it uses no observable"},
        {"CLOCK(1)/CLOCK", "name the variable of the argument"},
        {"CLOCK(M=1)/CLOCK", "f has no variable 'M'"},
        {"other(P=1)/CLOCK", "'other' is not an observable of f"},
        {"M/CLOCK", "the data has no column 'M'"},
        {"lat(8*N)/CLOCK", "it asks the machine"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct synth s = load();
        struct points p;
        assert_int_equal(points_of(&s, list[i].expression, STATISTIC_P10, NULL, &p), -1);
        if (!strstr(synth_error(&s), list[i].message))
            fail_msg("%s: %s", list[i].expression, synth_error(&s));
        synth_end(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_rate_belongs_to_its_time),
        cmocka_unit_test(a_speed_up_uses_the_point_with_one_processor),
        cmocka_unit_test(samples_without_a_value_take_no_part),
        cmocka_unit_test(conditions_use_observables),
        cmocka_unit_test(what_cannot_be_computed_is_refused),
    };
    return RUN(tests);
}
