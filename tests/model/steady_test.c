/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How well rounds determine the value of a point. */
#include "harness/unit.h"
#include <math.h>

#include "model/points.h"
#include "model/steady.h"

enum { ROUNDS = 24, EACH = 10, ALL = ROUNDS * EACH };

/* Samples of all rounds: times[round], each k-th sample of a round longer by k * step. */
static void fill(struct steady_sample *samples, const double *times, double step)
{
    for (unsigned round = 0; round < ROUNDS; round++)
        for (unsigned k = 0; k < EACH; k++)
            samples[round * EACH + k] = (struct steady_sample){times[round] + k * step, round};
}

static struct steady_value value_of(const double *times, double level, double step)
{
    struct steady_sample samples[ALL];
    struct steady_draws draws = steady_begin(ROUNDS, 60);
    fill(samples, times, step);
    return steady_value(&draws, level, samples, ALL);
}

static void draws_have_as_many_blocks_as_there_are(void **state)
{
    static const struct {
        unsigned rounds;
        double seconds;
        unsigned blocks;
    } cases[] = {{1, 0, 1}, {2, 100, 2}, {24, 1, 3}, {24, 20, 5}, {24, 1e6, 8}};
    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct steady_draws d = steady_begin(cases[c].rounds, cases[c].seconds);
        assert_int_equal(d.blocks, cases[c].blocks);
        for (size_t i = 0; i < STEADY_DRAWS; i++) {
            unsigned sum = 0;
            for (unsigned k = 0; k < STEADY_MOST_BLOCKS; k++)
                sum += d.times[i][k];
            assert_int_equal(sum, d.blocks);
        }
    }
}

/* The value is the one that llac prints: the quantile between two samples, at any level. */
static void the_value_is_the_quantile_that_points_have(void **state)
{
    double times[ROUNDS], v[ALL];
    struct steady_sample samples[ALL];
    (void)state;
    for (unsigned i = 0; i < ROUNDS; i++)
        times[i] = 1 + 0.01 * i;
    fill(samples, times, 0.003);
    for (double level = 0; level <= 1; level += 0.0625) {
        for (size_t i = 0; i < ALL; i++)
            v[i] = samples[i].value;
        assert_true(value_of(times, level, 0.003).value == stats_at(level, v, NULL, ALL).value);
    }
}

static void rounds_that_are_alike_are_known_exactly(void **state)
{
    double times[ROUNDS];
    (void)state;
    for (unsigned i = 0; i < ROUNDS; i++)
        times[i] = 2;
    struct steady_value v = value_of(times, 0.1, 0);
    assert_true(v.value == 2 && v.part == 0);
    assert_true(value_of(times, 0.1, 0.1).part == 0); /* all blocks have the same samples */
}

/* The first block alone is fast: a third of the draws lack it. */
static void one_fast_block_is_not_known(void **state)
{
    double times[ROUNDS];
    (void)state;
    for (unsigned i = 0; i < ROUNDS; i++)
        times[i] = i < ROUNDS / 8 ? 1 : 1.5;
    assert_true(fabs(value_of(times, 0.1, 0).part - 0.5) < 1e-12);
    for (unsigned i = 0; i < ROUNDS; i++)
        times[i] = i % 2 ? 1 : 1.5;
    assert_true(value_of(times, 0.1, 0).part == 0);
}

static void samples_of_one_round_say_nothing(void **state)
{
    struct steady_sample samples[] = {{1, 3}, {1, 3}, {1, 3}};
    struct steady_draws draws = steady_begin(4, 20);
    (void)state;
    assert_true(isnan(steady_value(&draws, 0.1, samples, 3).part));
    samples[2].round = 1;
    assert_true(steady_value(&draws, 0.1, samples, 3).part == 0);
    samples[0].value = samples[1].value = samples[2].value = 0;
    assert_true(steady_value(&draws, 0.1, samples, 3).part == 0);
    samples[0].value = 2; /* 0 in most draws, 2 in those without the other round */
    samples[1].value = 2;
    assert_true(steady_value(&draws, 0, samples, 3).part == 1);
}

static void short_values_are_below_their_overheads(void **state)
{
    (void)state;
    assert_true(points_is_below(3.9, 1, TRUSTED_OVERHEADS)); /* one was subtracted */
    assert_false(points_is_below(4, 1, TRUSTED_OVERHEADS));
    assert_false(points_is_below(0, 0, TRUSTED_OVERHEADS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_have_as_many_blocks_as_there_are),
        cmocka_unit_test(the_value_is_the_quantile_that_points_have),
        cmocka_unit_test(rounds_that_are_alike_are_known_exactly),
        cmocka_unit_test(one_fast_block_is_not_known),
        cmocka_unit_test(samples_of_one_round_say_nothing),
        cmocka_unit_test(short_values_are_below_their_overheads),
    };
    return RUN(tests);
}
