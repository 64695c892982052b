/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The engine, with points whose values are known. */
#include "harness/unit.h"

#include <math.h>

#include "base/memory.h"
#include "probe/probe.h"

static unsigned visits[8], first_rounds[8];

static double sample_of(const struct probe_point *p, unsigned round)
{
    unsigned n = visits[p->index]++;
    if (round == 0)
        first_rounds[p->index]++;
    switch (p->index) {
    case 0: return round == 0 ? 1e9 : 2; /* the first round is dropped */
    case 1: return 1 + n;                /* never steady */
    case 2: return NAN;
    case 3: return round % 2 ? -1 : 3; /* half of the values are dropped */
    default: return 4;
    }
}

static void share_nothing(void *data, size_t bytes)
{
    (void)data, (void)bytes;
}

static const struct probe_world world = {.size = 1, .share = share_nothing};
static const struct probe_family family = {.name = "test"};

static struct probe run(double seconds, size_t points)
{
    struct probe p = {.world = &world, .began = probe_now()};
    p.options.seconds = seconds;
    p.outcomes[p.noutcomes++] = (struct probe_outcome){&family, NULL};
    memset(visits, 0, sizeof visits);
    memset(first_rounds, 0, sizeof first_rounds);
    for (size_t i = 0; i < points; i++)
        probe_add(&p, (struct probe_point){
                          .family = family.name, .name = "x", .sample = sample_of, .index = i});
    p.first_parallel = p.n;
    probe_rounds(&p);
    return p;
}

static void end(struct probe *p)
{
    for (size_t i = 0; i < p->n; i++)
        mem_free(p->points[i].values);
    mem_free(p->points);
}

static void the_first_round_is_dropped(void **state)
{
    (void)state;
    struct probe p = run(0.01, 1);
    assert_true(p.points[0].value == 2 && p.points[0].high == 2 && p.points[0].steady);
    assert_int_equal(first_rounds[0], 1);
    assert_int_equal(visits[0], p.points[0].n + 1);
    end(&p);
}

static void there_are_three_rounds_whatever_the_time_is(void **state)
{
    (void)state;
    struct probe p = run(1e-9, 2);
    assert_int_equal(p.rounds, 3);
    assert_int_equal(p.points[0].n, 3);
    assert_int_equal(p.points[1].n, 3);
    end(&p);
}

static void what_is_not_steady_is_measured_longer(void **state)
{
    (void)state;
    struct probe p = run(0.3, 2);
    assert_true(p.points[0].steady && !p.points[1].steady);
    assert_true(p.points[1].n > p.points[0].n);
    assert_true(p.points[1].n <= PROBE_ROUNDS);
    end(&p);
}

static void steady_points_end_the_run(void **state)
{
    (void)state;
    double begin = probe_now();
    struct probe p = run(3, 1);
    assert_true(p.points[0].steady && p.rounds >= 7 && p.rounds < PROBE_ROUNDS);
    assert_true(probe_now() - begin >= 0.95); /* a third of the time */
    end(&p);
}

static void values_that_are_none_are_dropped(void **state)
{
    (void)state;
    struct probe p = run(0.01, 4);
    assert_int_equal(p.points[2].n, 0);
    assert_true(isnan(p.points[2].value) && !p.points[2].steady);
    assert_true(p.points[3].n > 0 && p.points[3].n < visits[3] && p.points[3].value == 3);
    end(&p);
}

static void without_points_nothing_happens(void **state)
{
    (void)state;
    struct probe p = run(1, 0);
    assert_int_equal(p.n, 0);
    end(&p);
}

/* The other processes follow rank 0: they see the same points in the same order. */
static size_t order[2][1000];
static size_t norder[2];
static int now_rank;

static double note(const struct probe_point *p, unsigned round)
{
    (void)round;
    if (norder[now_rank] < 1000)
        order[now_rank][norder[now_rank]++] = p->index;
    return 1;
}

static bool word[2000];
static size_t nwords, at_word;
static void record(void *data, size_t bytes)
{
    bool *b = data;
    for (size_t i = 0; i < bytes; i++)
        if (now_rank == 0)
            word[nwords++] = b[i];
        else
            b[i] = word[at_word++];
}

static void all_processes_visit_the_same_points(void **state)
{
    (void)state;
    for (now_rank = 0; now_rank < 2; now_rank++) {
        struct probe_world w = {.size = 2, .rank = now_rank, .share = record};
        struct probe p = {.world = &w, .began = probe_now()};
        p.options.seconds = 0.02;
        for (size_t i = 0; i < (now_rank == 0 ? 3 : 0); i++) /* of rank 0 alone */
            probe_add(&p, (struct probe_point){
                              .family = "own", .name = "x", .sample = sample_of, .index = 0});
        p.first_parallel = p.n;
        for (size_t i = 0; i < 5; i++)
            probe_add(
                &p, (struct probe_point){.family = "all", .name = "x", .sample = note, .index = i});
        probe_rounds(&p);
        end(&p);
    }
    assert_int_equal(norder[0], norder[1]);
    assert_memory_equal(order[0], order[1], norder[0] * sizeof **order);
    assert_true(memcmp(order[0], order[0] + 5, 5 * sizeof **order) != 0); /* shuffled */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_round_is_dropped),
        cmocka_unit_test(there_are_three_rounds_whatever_the_time_is),
        cmocka_unit_test(what_is_not_steady_is_measured_longer),
        cmocka_unit_test(steady_points_end_the_run),
        cmocka_unit_test(values_that_are_none_are_dropped),
        cmocka_unit_test(without_points_nothing_happens),
        cmocka_unit_test(all_processes_visit_the_same_points),
    };
    return RUN(tests);
}
