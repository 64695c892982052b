/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every loop that cllprobe measures has a mix, and a unit with this mix and time is like it. */
#include <math.h>

#include "carry/loops.h"
#include "harness/unit.h"
#include "probe/operations.h"

static const struct listed {
    const char *name;
    struct operation_mix mix;
} listed[] = {
#define LOOP(loop, size, elements, integer, multiply, floating, division, load, store, branch,     \
             call)                                                                                 \
    {"loop_" #loop ".throughput",                                                                  \
     {.of = {[OPERATION_INTEGER] = (integer) + (multiply),                                         \
             [OPERATION_FLOAT] = floating,                                                         \
             [OPERATION_DIVISION] = division,                                                      \
             [OPERATION_LOAD] = load,                                                              \
             [OPERATION_STORE] = store,                                                            \
             [OPERATION_BRANCH] = branch,                                                          \
             [OPERATION_CALL] = call},                                                             \
      .multiplies = multiply}},
#include "probe/loops.def"
#undef LOOP
};
enum { LISTED = sizeof listed / sizeof *listed };

/* A machine that has the figure of one loop. */
static struct machine machine_of(const char *figure, double seconds, struct machine_figure *f)
{
    *f = (struct machine_figure){
        .family = "operations", .name = figure, .unit = "s", .value = seconds};
    return (struct machine){.name = "x", .figures = f, .nfigures = 1};
}

static double instructions(const struct operation_mix *mix)
{
    double sum = 0;
    for (int i = 0; i < OPERATIONS; i++)
        sum += mix->of[i];
    return sum;
}

static void every_loop_that_is_measured_is_found_by_its_mix(void **state)
{
    size_t n = 0;
    (void)state;
    for (const struct probe_operation *o = probe_loops; o->name; o++, n++) {
        struct machine_figure here, there;
        struct machine from = machine_of(o->name, 2e-9, &here),
                       to = machine_of(o->name, 6e-9, &there);
        assert_true(n < LISTED);
        assert_string_equal(o->name, listed[n].name);
        assert_true(instructions(&listed[n].mix) >= 2); /* a branch, and what is done */
        assert_true(listed[n].mix.of[OPERATION_BRANCH] > 0);
        struct loops_said said = loops_like(&from, &to, &listed[n].mix, 2e-9);
        assert_non_null(said.name);
        assert_memory_equal(o->name + strlen("loop_"), said.name, strlen(said.name));
        assert_true(fabs(said.weight - 1) < 1e-12);
        assert_true(fabs(said.log_ratio - log(3)) < 1e-12);
        assert_true(said.low == said.high);
        assert_true(o->count > 0);
    }
    assert_int_equal(n, LISTED);
}

static void loops_far_away_say_nothing(void **state)
{
    struct machine_figure here, there;
    struct machine from = machine_of(listed[0].name, 1e-9, &here),
                   to = machine_of(listed[0].name, 1e-9, &there);
    (void)state;
    assert_true(loops_like(&from, &to, &listed[0].mix, 1e-9).weight == 1);
    assert_true(loops_like(&from, &to, &listed[0].mix, 3e-9).weight == 0); /* e^1.1 as long */
    assert_null(
        loops_like(&from, &to, &(struct operation_mix){.of = {[OPERATION_CALL] = 1}}, 1e-9).name);
    assert_true(loops_like(&from, &to, &(struct operation_mix){.instructions = 0}, 1e-9).weight ==
                0);
    from.nfigures = 0;
    assert_true(loops_like(&from, &to, &listed[0].mix, 1e-9).weight == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_loop_that_is_measured_is_found_by_its_mix),
        cmocka_unit_test(loops_far_away_say_nothing),
    };
    return RUN(tests);
}
