/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hosts, cores and simulated runs: warned of when they vary inside a fit, and selected by conditions. */
#include "harness/unit.h"

#include "base/text.h"
#include "harness/synthetic/synth.h"

/* A run with P processes over five sizes; `header` is more of the header. */
static void add_run(struct synth *s, int p, const char *header)
{
    struct text t;
    text_init(&t);
    text_printf(&t,
                "# cll-data 1\n# world: %d\n# resolution: 1e-9\n# overhead: 0 0\n%s# experiment: "
                "f\n# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n",
                p, header);
    for (int i = 0; i < 8; i++)
        for (int n = 1000; n <= 16000; n *= 2)
            text_printf(&t, "f %d 0 0 0 %d 0 0 1 %d %.17g\n", i, p, n,
                        (2e-6 + 3e-8 * n / p) * (1 + 0.01 * synth_normal(s)));
    if (synth_load_bytes(s, t.s, t.n))
        fail_msg("%s", synth_error(s));
    text_free(&t);
}

/* The fit of what a condition leaves ("" = everything); NULL with an error. */
static struct model *fit_where(struct synth *s, const char *condition)
{
    struct source *source = arena_zalloc(s->arena, 1, sizeof *source);
    *source = (struct source){.name = "test", .text = condition, .size = strlen(condition)};
    struct formula_options options = {.experiments = NULL};
    struct condition *c = arena_zalloc(s->arena, 1, sizeof *c);
    if (*condition)
        *c = (struct condition){formula_parse_condition(s->arena, source,
                                                        (struct span){0, source->size}, &options,
                                                        s->diag),
                                source};
    struct fit_request r = {.points = {.dataset = s->data,
                                       .experiment = dataset_find(s->data, "f"),
                                       .observable = "CLOCK",
                                       .conditions = c,
                                       .nconditions = *condition != 0},
                            .formula =
                                formula_parse_text(s->arena, "f[0] + f[1]*N/P", "f", s->diag)};
    return model_fit(s->arena, &r, s->diag);
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' is not in '%s'", part, text);
}

static void runs_alike_give_no_warning(void **state)
{
    static const char *const headers[] = {"", "# hosts: 2\n# hyper-threads: used\n",
                                          "# hosts: 1\n# hyper-threads: free\n",
                                          "# clock: simulated\n"};
    (void)state;
    for (size_t k = 0; k < 4; k++) {
        struct synth s = synth_begin();
        for (int p = 1; p <= 4; p++)
            add_run(&s, p, headers[k]);
        struct model *m = fit_where(&s, "");
        assert_non_null(m);
        assert_false(synth_has_warning(m, "hosts") || synth_has_warning(m, "oversubscribed") ||
                     synth_has_warning(m, "hyper-threads") || synth_has_warning(m, "simulated"));
        synth_end(&s);
    }
}

static void hosts_that_vary_are_named_with_the_first_P(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    add_run(&s, 2, "# hosts: 1\n");
    add_run(&s, 4, "# hosts: 1\n");
    add_run(&s, 8, "# hosts: 2\n");
    add_run(&s, 16, "# hosts: 4\n");
    struct model *m = fit_where(&s, "");
    has(synth_warning(m, "hosts"),
        "the number of hosts varies, from 1 to 4: from P = 8 on there are more than 1");
    m = fit_where(&s, "hosts == 1");
    assert_int_equal(model_points(m)->n, 10);
    assert_false(synth_has_warning(m, "hosts"));
    add_run(&s, 2, "# hosts: 2\n"); /* the same point on another number of hosts */
    m = fit_where(&s, "");
    has(synth_warning(m, "hosts"), "at 15 of 20 points (first N=1000 P=2) there are more than 1");
    synth_end(&s);
}

static void cores_that_are_shared_at_some_points_are_named(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    add_run(&s, 1, "# hyper-threads: free\n");
    add_run(&s, 2, "# hyper-threads: used\n");
    add_run(&s, 4, "# hyper-threads: used\n# oversubscribed: yes\n");
    struct model *m = fit_where(&s, "");
    has(synth_warning(m, "hyper-threads"), "from P = 2 on processes or threads share cores");
    has(synth_warning(m, "oversubscribed"), "from P = 4 on there are more processes or threads");
    m = fit_where(&s, "oversubscribed == 0");
    assert_int_equal(model_points(m)->n, 10);
    assert_false(synth_has_warning(m, "oversubscribed"));
    m = fit_where(&s, "hyperthreads == 1");
    assert_int_equal(model_points(m)->n, 10);
    assert_false(synth_has_warning(m, "hyper-threads"));
    m = fit_where(&s, "oversubscribed == 1");
    has(synth_warning(m, "oversubscribed"), "all points come from runs with more processes");
    synth_end(&s);
}

static void measured_and_simulated_samples_are_not_fitted_together(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    add_run(&s, 1, "# clock: tsc\n");
    add_run(&s, 2, "# clock: tsc\n");
    add_run(&s, 4, "# clock: simulated\n# cpu: simulated\n");
    assert_null(fit_where(&s, ""));
    has(synth_error(&s), "f has 40 simulated samples (test.dat) and 80 measured ones (test.dat), "
                         "which are not fitted together: choose with 'where simulated == 1' or "
                         "'where simulated == 0'");
    assert_null(fit_where(&s, "N > 1000"));
    struct model *m = fit_where(&s, "simulated == 0");
    assert_int_equal(model_points(m)->samples, 80);
    assert_false(synth_has_warning(m, "simulated"));
    assert_int_equal(model_points(fit_where(&s, "simulated == 1"))->samples, 40);
    assert_non_null(fit_where(&s, "P < 4")); /* only measured ones are left */
    m = fit_where(&s, "simulated >= 0");     /* asked for */
    has(synth_warning(m, "simulated"), "40 of 120 samples are simulated, the others measured");
    synth_end(&s);
}

/* A file that is loaded but has no sample of the fit is not a finding. */
static void files_that_are_not_used_do_not_count(void **state)
{
    struct synth s = synth_begin();
    (void)state;
    add_run(&s, 1, "# cpu: one\n");
    add_run(&s, 2, "# cpu: another\n");
    assert_true(synth_has_warning(fit_where(&s, ""), "mixed"));
    assert_false(synth_has_warning(fit_where(&s, "P == 1"), "mixed"));
    synth_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_alike_give_no_warning),
        cmocka_unit_test(hosts_that_vary_are_named_with_the_first_P),
        cmocka_unit_test(cores_that_are_shared_at_some_points_are_named),
        cmocka_unit_test(measured_and_simulated_samples_are_not_fitted_together),
        cmocka_unit_test(files_that_are_not_used_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
