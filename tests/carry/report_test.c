/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports of counts: what arrives, and what is refused with which message. */
#include "sample.h"

static void everything_arrives(void **state)
{
    (void)state;
    struct report_case c = report_case(report_text, strlen(report_text));
    assert_non_null(c.counts);
    assert_string_equal(c.counts->program, "init.c");
    assert_string_equal(c.counts->architecture, "aarch64");
    assert_null(report_find(c.counts, "B"));
    const struct report_experiment *e = report_find(c.counts, "A");
    assert_non_null(e);
    assert_string_equal(e->formula, "A[0] + A[1]*N");
    assert_false(e->communicates);
    assert_true(e->unexplained == 0.1); /* 5 of the mean of 40, 60 and 50 */
    assert_null(report_constant(e, "A[2]"));
    const struct report_constant *k = report_constant(e, "A[0]");
    assert_true(k->exact && k->mix.instructions == 15 && k->mix.of[OPERATION_INTEGER] == 10);
    assert_true(k->mix.of[OPERATION_LOAD] == 3 && k->mix.of[OPERATION_OTHER] == 0);
    report_case_end(&c);
}

static void instructions_without_a_class_are_other(void **state)
{
    (void)state;
    struct report_case c = report_case(report_text, strlen(report_text));
    const struct operation_mix *mix = &report_constant(report_find(c.counts, "A"), "A[1]")->mix;
    assert_true(mix->of[OPERATION_OTHER] == 0.25);
    assert_true(mix->wide == 1); /* half an instruction of 256 bits */
    assert_true(mix->set == 8 && mix->copied == 16);
    assert_int_equal(mix->nmnemonics, 2);
    assert_string_equal(mix->mnemonics[0].name, "mov");
    assert_true(mix->mnemonics[0].class == OPERATION_STORE && mix->mnemonics[0].number == 0.25);
    assert_true(mix->mnemonics[1].class == OPERATION_OTHER && mix->mnemonics[1].number == 1);
    assert_string_equal(mix->architecture, "aarch64");
    report_case_end(&c);
}

static void misses_are_those_of_the_nearest_point(void **state)
{
    static const char *const names[] = {"N"};
    (void)state;
    struct report_case c = report_case(report_text, strlen(report_text));
    const struct report_experiment *e = report_find(c.counts, "A");
    const struct misses *m = report_misses(e, "n1", names, (double[]){39}, 1);
    assert_true(m && m->d1 == 0.1 && m->ll == 0.025); /* 20 is nearer, in ratios, than 80 */
    m = report_misses(e, "n1", names, (double[]){41}, 1);
    assert_true(m && m->d1 == 0.5 && m->ll == 0.4);
    assert_null(
        report_misses(e, "n2", names, (double[]){41}, 1)); /* the caches are another machine's */
    report_case_end(&c);
}

static void architectures_are_spelt_in_two_ways(void **state)
{
    (void)state;
    assert_true(report_is_for("x86-64", "x86_64"));
    assert_true(report_is_for("aarch64", "aarch64"));
    assert_false(report_is_for("aarch64", "aarch64_be"));
    assert_false(report_is_for("x86-64", "x86"));
    assert_false(report_is_for("other", "x86_64"));
}

static void wrong_reports_are_refused(void **state)
{
    static const struct {
        const char *from, *to, *message;
    } cases[] = {
        {"\"format\": 1, ", "", "this is not a report of counts: call count writes those"},
        {"\"format\": 1", "\"format\": 2", "a newer call count wrote this file (format 2"},
        {"\"program\": \"init.c\", ", "", "\"program\" is missing"},
        {"\"experiments\": [", "\"experiments\": 7, \"x\": [", "\"experiments\" must be a list"},
        {"\"formula\": \"A[0] + A[1]*N\"", "\"formula\": 1", "\"formula\" must be a text"},
        {"\"instructions\": 15", "\"instructions\": \"x\"",
         "experiments, element 1: \"instructions\" must be a number"},
        {"\"instructions\": 40", "\"instructions\": -1",
         "experiments, element 1: \"instructions\" must be a number that is not negative"},
        {"\"integer\": 10", "\"integer\": \"x\"", "\"integer\" must be a number"},
        {"\"classes\": {\"integer\"", "\"class\": {\"integer\"", "\"classes\" is missing"},
        {"\"exact\": true", "\"exact\": 1", "\"exact\" must be true or false"},
        {"\"256\": 0.5", "\"256\": null", "\"256\" must be a number"},
        {"\"D1\": 20", "\"D1\": -20", "\"D1\" must be a number that is not negative"},
        {"\"accesses\": 200, ", "", "\"accesses\" is missing"},
        {"\"machine\": \"n1\"", "\"machine\": 1", "\"machine\" must be a text"},
        {"\"mnemonics\": {", "\"mnemonics\": 1, \"m\": {", "\"mnemonics\" must be an object"},
        {"\"store\": 0.25, \"new\"", "\"store\": \"x\", \"new\"", "\"store\" must be a number"},
        {"\"sources\": []}", "", "damaged or was cut off"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *at = strstr(report_text, cases[i].from);
        char printed[4096] = "";
        struct text t;
        assert_non_null(at);
        text_init(&t);
        text_addn(&t, report_text, (size_t)(at - report_text));
        text_printf(&t, "%s%s", cases[i].to, at + strlen(cases[i].from));
        struct report_case c = report_case(t.s, t.n);
        FILE *f = fmemopen(printed, sizeof printed - 1, "w");
        diag_print(c.diag, f, 0);
        fclose(f);
        if (c.counts || !strstr(printed, cases[i].message))
            fail_msg("expected '%s', got:\n%s", cases[i].message, printed);
        report_case_end(&c);
        text_free(&t);
    }
}

static void every_cut_is_refused(void **state)
{
    (void)state;
    for (size_t n = 0; n + 3 < strlen(report_text); n++) {
        char *cut = mem_alloc(n + 1, 1);
        memcpy(cut, report_text, n);
        cut[n] = 0;
        struct report_case c = report_case(cut, n);
        assert_null(c.counts);
        assert_int_equal(diag_count(c.diag, SEVERITY_ERROR), 1);
        report_case_end(&c);
        mem_free(cut);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_arrives),
        cmocka_unit_test(instructions_without_a_class_are_other),
        cmocka_unit_test(misses_are_those_of_the_nearest_point),
        cmocka_unit_test(architectures_are_spelt_in_two_ways),
        cmocka_unit_test(wrong_reports_are_refused),
        cmocka_unit_test(every_cut_is_refused),
    };
    return RUN(tests);
}
