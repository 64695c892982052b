/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the values of a program with several ranks stand for (ranks.c), on a simulated machine. */
#include "harness/unit.h"

#include "harness/synthetic/machine.h"

/* The prediction of P = 16 from P <= 8 is near what the slowest of 16 ranks takes. */
static void check(enum machine_kind kind, double share, uint64_t seed, enum ranks_found want)
{
    struct machine m = {kind, 1.6, share, 0.02, 10, 10};
    enum ranks_found found;
    double error = machine_error(&m, seed, RANKS_AUTO, &found);
    if (found != want || !(error < 0.03))
        fail_msg("%s, share %g, seed %d: error %g, found %d", machine_names[kind], share, (int)seed,
                 error, found);
}

static void ranks_that_are_alike(void **state)
{
    (void)state;
    for (uint64_t seed = 501; seed < 504; seed++) {
        check(MACHINE_RANKS, 0.2, seed, RANKS_ALIKE);
        check(MACHINE_RANKS, 0.3, seed, RANKS_ALIKE);
        check(MACHINE_RANKS, 0.5, seed, RANKS_ALIKE);
    }
}

static void ranks_that_wait_for_each_other(void **state)
{
    (void)state;
    for (uint64_t seed = 501; seed < 504; seed++) {
        check(MACHINE_WAITING, 0.3, seed, RANKS_FOLLOW);
        check(MACHINE_WAITING, 0.5, seed, RANKS_FOLLOW);
    }
}

/* A slow phase of the whole machine is not amplified, and too few slow samples do not matter. */
static void disturbances_of_all_ranks_at_once(void **state)
{
    (void)state;
    check(MACHINE_ALL, 0.3, 501, RANKS_UNITED);
    check(MACHINE_ALL, 0.5, 502, RANKS_UNITED);
    check(MACHINE_RANKS, 0.02, 503, RANKS_UNITED);
}

static void make(struct synth *s, enum rank_rule rule, struct points_request *r, struct points *p)
{
    *r = (struct points_request){.dataset = s->data,
                                 .experiment = dataset_find(s->data, "f"),
                                 .observable = "CLOCK",
                                 .ranks = rule};
    assert_int_equal(points_make(s->arena, r, s->diag, p), 0);
}

/* P T is constant, and the samples of all ranks count. */
static void the_value_means_the_same_for_every_p(void **state)
{
    struct machine m = {MACHINE_RANKS, 1.6, 0.3, 0.02, 10, 10};
    struct synth s = synth_begin();
    struct points_request r;
    struct points p, slowest;
    (void)state;
    machine_load(&s, &m, 8);
    make(&s, RANKS_AUTO, &r, &p);
    make(&s, RANKS_MAX, &r, &slowest);
    assert_int_equal(p.by_rank.how, RANKS_ALIKE);
    assert_int_equal(p.n, 20);
    assert_int_equal(p.samples, 5 * 100 * (1 + 2 + 4 + 8));
    assert_int_equal(slowest.samples, 5 * 100 * 4);
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < p.n; i++) {
        double rate = p.value[i] * p.at[1][i] / p.at[0][i];
        least = fmin(least, rate);
        most = fmax(most, rate);
        assert_within(p.level[i], pow(0.1, 1.0 / 16), 1e-12);
    }
    assert_true(most / least < 1.05);
    assert_within(points_amplification(&p, 8), machine_quantile(&m, pow(0.1, 1.0 / 8)), 0.05);
    assert_within(points_slowest(&p, 16), 1, 1e-12);
    assert_true(points_slowest(&p, 1) < 0.7);
    synth_end(&s);
}

/* A prediction is what an execution takes at its P; as a point, it is the value of the point there. */
static void predictions_are_executions(void **state)
{
    struct machine m = {MACHINE_RANKS, 1.6, 0.3, 0.02, 10, 10};
    struct synth s = synth_begin();
    (void)state;
    machine_load(&s, &m, 8);
    struct model *fitted = synth_fit(&s, NULL, false, STATISTIC_P10);
    assert_non_null(fitted);
    for (double ranks = 1; ranks <= 16; ranks *= 2) {
        const char *names[] = {"N", "P"};
        double at[] = {machine_size(2), ranks};
        struct prediction p;
        assert_int_equal(model_predict(s.arena, fitted, &(struct place){names, at, 2}, s.diag, &p),
                         0);
        if (ranks != 4) /* 0.1^(1/4) is near the share of the fast mode there */
            assert_within(p.value / machine_truth(&m, at[0], ranks), 1, 0.03);
        assert_true(p.low < p.value && p.value < p.high);
        prediction_as_point(&p);
        assert_within(p.value * ranks / at[0] / MACHINE_UNIT,
                      machine_quantile(&m, pow(0.1, 1.0 / 16)), 0.03);
        assert_within(p.times, 1, 1e-12);
    }
    synth_end(&s);
}

/* One rank has more work: the slowest one counts, as it does for counters and for a single P. */
static void different_work_is_not_noise(void **state)
{
    struct synth s = synth_begin();
    struct points_request r;
    struct points p;
    struct text t;
    size_t seq = 0;
    (void)state;
    text_init(&t);
    text_add(&t, "# cll-data 1\n# resolution: 1e-9\n# overhead: 0 0\n# experiment: f\n"
                 "# variables: f N\n" SYNTH_COLUMNS " N CLOCK\n");
    for (size_t ranks = 1; ranks <= 8; ranks *= 2)
        for (int i = 0; i < 200; i++, seq++)
            for (size_t k = 0; k < ranks; k++)
                text_printf(&t, "f 0 %zu 0 0 %zu %zu 0 1 64 %.17g\n", seq, ranks, k,
                            (k ? 1 : 1.5) / (double)ranks * (1 + 0.02 * fabs(synth_normal(&s))));
    assert_int_equal(synth_load(&s, t.s), 0);
    make(&s, RANKS_AUTO, &r, &p);
    assert_int_equal(p.by_rank.how, RANKS_UNITED);
    assert_null(p.level);
    for (size_t i = 0; i < p.n; i++)
        assert_within(p.value[i] * p.at[1][i], 1.5, 0.02);
    assert_true(isnan(points_amplification(&p, 4)));
    assert_within(points_slowest(&p, 4), 1, 0);
    text_free(&t);
    synth_end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_that_are_alike),
        cmocka_unit_test(ranks_that_wait_for_each_other),
        cmocka_unit_test(disturbances_of_all_ranks_at_once),
        cmocka_unit_test(the_value_means_the_same_for_every_p),
        cmocka_unit_test(predictions_are_executions),
        cmocka_unit_test(different_work_is_not_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
