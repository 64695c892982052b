/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Supersteps that are taken as measured, with times that were computed by hand; and when start-up is found. */
#include "obsp/skip.h"

#include "obsp/startup.h"
#include "obsp/written.h"

/* Evaluates the rows with the first supersteps as measured. */
static void evaluate_rest(struct fixture *f, struct obsp_skip *skip, size_t supersteps,
                          const struct row *rows, size_t n)
{
    const char *path = write_rows(rows, n);
    struct obsp_source *s = obsp_trace_open(path, f->diag);
    assert_non_null(s);
    assert_int_equal(obsp_skip_find(f->arena, s, supersteps, f->diag, skip), 0);
    s->free(s);
    f->request.skip = skip;
    assert_int_equal(evaluate_path(f, path), 0);
    unwrite();
}
#define REST(f, skip, supersteps, rows)                                                            \
    evaluate_rest(f, skip, supersteps, rows, sizeof(rows) / sizeof *(rows))

/* The processes end superstep 1 at 10 and 8 s, superstep 2 at 16 and 20.5 s, and the last one at 18 and 23.5 s. */
static const struct row slow_start[] = {
    {0, "m", 0, 2, 1, "oblsync", 1, 100, 100, "1", 9},
    {0, "m", 0, 2, 2, "oblsync", 2, 100, 100, "1", 4},
    {0, "m", 0, 2, 3, "sync", 1, 0, 50, "1", 1},
    {1, "m", 1, 2, 1, "oblsync", 3, 100, 100, "0", 5},
    {1, "m", 1, 2, 2, "oblsync", 3.5, 100, 100, "0", 9},
    {1, "m", 1, 2, 3, "sync", 1, 50, 0, NULL, 2},
};

static void the_model_begins_at_the_measured_ends(void **state)
{
    (void)state;
    struct fixture f;
    struct obsp_skip skip;
    open_fixture(&f, 0.01, 0.5);
    REST(&f, &skip, 1, slow_start);
    assert_near(skip.until[0], 10, 1e-12);
    assert_near(skip.until[1], 8, 1e-12);
    assert_near(skip.seconds, 10, 1e-12);
    assert_int_equal(skip.all, 3);
    /* superstep 2: both computed at 12 and 11.5, and end at 12 + 1.5; superstep 3: 14.5 + 1 */
    assert_near(f.result.obsp, 15.5, 1e-12);
    /* plain BSP begins at 10, when process 1 has computed for 2 of its 3.5 s: 10 + 2 + 1.5 + 1 + 1 */
    assert_near(f.result.bsp, 15.5, 1e-12);
    assert_near(f.result.measured, 23.5, 1e-12);
    assert_int_equal(f.result.supersteps, 3);
    assert_near(f.result.path[0].begin, 10, 1e-12);
    assert_near(f.critical.shares.computing, 3, 1e-12);
    assert_near(f.critical.shares.transferring, 1.5, 1e-12);
    assert_near(f.critical.shares.latency, 1, 1e-12);
    REST(&f, &skip, 2, slow_start); /* then the barrier, at 17 and 21.5 */
    assert_near(f.result.obsp, 22.5, 1e-12);
    assert_near(f.result.bsp, 22.5, 1e-12);
    assert_int_equal(f.result.path[0].process, 1);
    assert_near(f.result.path[0].begin, 20.5, 1e-12);
    close_fixture(&f);
}

static void h_may_be_the_sum(void **state)
{
    (void)state;
    struct fixture f;
    struct obsp_skip skip;
    open_fixture(&f, 0.01, 0.5);
    f.request.h = OBSP_H_SUM;
    REST(&f, &skip, 1, slow_start); /* superstep 2: 12 + 2 + 0.5; superstep 3: 15.5 + 0.5 + 0.5 */
    assert_near(f.result.obsp, 16.5, 1e-12);
    close_fixture(&f);
}

static void what_if_changes_only_the_rest(void **state)
{
    (void)state;
    static const double slower[] = {1, 2};
    struct fixture f;
    struct obsp_skip skip;
    open_fixture(&f, 0.01, 0.5);
    f.request.slower = slower;
    REST(&f, &skip, 2, slow_start);
    assert_near(f.result.obsp, 20.5 + 2 + 1, 1e-12);
    close_fixture(&f);
}

/* Group m.1:0 makes two supersteps and m.1:1 one; then comes a barrier of all. */
static const struct row groups[] = {
    {0, "m.1:0", 0, 2, 1, "partition", 1, 0, 0, NULL, 0},
    {0, "m.1:0", 0, 2, 1, "sync", 1, 0, 0, NULL, 6}, /* ends at 8 */
    {0, "m.1:0", 0, 2, 2, "sync", 2, 0, 0, NULL, 3}, /* 13 */
    {0, "m.1:0", 0, 2, 3, "done", 1, 0, 0, NULL, 0},
    {0, "m", 0, 4, 1, "sync", 1, 0, 0, NULL, 5}, /* 20 */
    {1, "m.1:0", 1, 2, 1, "partition", 2, 0, 0, NULL, 0},
    {1, "m.1:0", 1, 2, 1, "sync", 1, 0, 0, NULL, 5}, /* 8 */
    {1, "m.1:0", 1, 2, 2, "sync", 1, 0, 0, NULL, 3}, /* 12 */
    {1, "m.1:0", 1, 2, 3, "done", 0, 0, 0, NULL, 0},
    {1, "m", 1, 4, 1, "sync", 1, 0, 0, NULL, 2}, /* 15 */
    {2, "m.1:1", 0, 2, 1, "partition", 1, 0, 0, NULL, 0},
    {2, "m.1:1", 0, 2, 1, "sync", 4, 0, 0, NULL, 2}, /* 7 */
    {2, "m.1:1", 0, 2, 2, "done", 3, 0, 0, NULL, 0},
    {2, "m", 2, 4, 1, "sync", 0, 0, 0, NULL, 1}, /* 11 */
    {3, "m.1:1", 1, 2, 1, "partition", 1, 0, 0, NULL, 0},
    {3, "m.1:1", 1, 2, 1, "sync", 1, 0, 0, NULL, 5}, /* 7 */
    {3, "m.1:1", 1, 2, 2, "done", 1, 0, 0, NULL, 0},
    {3, "m", 3, 4, 1, "sync", 0, 0, 0, NULL, 1}, /* 9 */
};

static void the_boundary_may_be_inside_groups(void **state)
{
    (void)state;
    struct fixture f;
    struct obsp_skip skip;
    open_fixture(&f, 0, 1);
    REST(&f, &skip, 1, groups); /* after the first superstep of each group */
    assert_int_equal(skip.events[0], 2);
    assert_int_equal(skip.events[2], 2);
    assert_near(skip.until[3], 7, 1e-12);
    /* m.1:0 again: 8 + 2 and 8 + 1, and both end at 11; the barrier: 11 + 2, 11 + 1, 7 + 3 and 7 + 1 */
    assert_near(f.result.obsp, 14, 1e-12);
    /* from 8: 2 + 1, and 2 + 1: process 2 had computed for 1 of its 3 s */
    assert_near(f.result.bsp, 14, 1e-12);
    REST(&f, &skip, 2, groups); /* after both supersteps of m.1:0 */
    assert_near(skip.seconds, 13, 1e-12);
    assert_int_equal(skip.events[0], 3);
    assert_int_equal(skip.events[2], 2);
    assert_near(f.result.obsp, 16, 1e-12); /* 13 + 2 + 1 */
    assert_near(f.result.bsp, 16, 1e-12);
    assert_int_equal(skip.all, 3);
    close_fixture(&f);
}

/* ---- traces of `processes` that compute for a second in each superstep and exchange h bytes */

struct superstep {
    double h, seconds; /* that the first `slow` processes take; the others take 1 s */
    int slow;
};

static struct obsp_source *written(struct fixture *f, int processes, const struct superstep *list,
                                   size_t n)
{
    struct row *rows = arena_zalloc(f->arena, (size_t)processes * n, sizeof *rows), *r = rows;
    static const char *const partners[] = {"1", "0", "3", "2"};
    for (int p = 0; p < processes; p++)
        for (size_t s = 0; s < n; s++)
            *r++ = (struct row){.process = p,
                                .object = "m",
                                .pid = p,
                                .nprocs = processes,
                                .step = (long)s + 1,
                                .kind = "oblsync",
                                .W = 1,
                                .out = list[s].h,
                                .in = list[s].h,
                                .partners = partners[p],
                                .sync = p < list[s].slow ? list[s].seconds : 1};
    struct obsp_source *source = obsp_trace_open(write_rows(rows, (size_t)processes * n), f->diag);
    assert_non_null(source);
    return source;
}

static void costs_are_those_of_the_rest(void **state)
{
    (void)state;
    static const struct superstep list[] = {{100, 9, 2}, {100, 9, 2}, {100, 9, 2},
                                            {100, 1, 2}, {100, 1, 2}, {100, 1, 2}};
    struct fixture f;
    open_fixture(&f, 0, 0);
    for (size_t skip = 0; skip <= 3; skip += 3) {
        struct obsp_source *s = written(&f, 2, list, 6);
        struct obsp_costs_wanted wanted = {.h = OBSP_H_MAX, .skip = skip};
        struct obsp_costs_found found;
        assert_int_equal(obsp_costs_of_trace(f.arena, s, &wanted, f.diag, &found), 0);
        assert_near(found.costs->g, skip ? 0.01 : 0.05, 1e-9);
        s->free(s);
        unwrite();
    }
    close_fixture(&f);
}

static double cost_of(const struct obsp_costs *c, enum obsp_kind kind)
{
    struct obsp_event event = {.kind = kind, .nprocs = 4, .partner_count = 1};
    return obsp_cost(c, &event, 100, NULL);
}

/* Processes 0 and 1 take 5 s for what takes the others 1 s. */
static void each_process_may_have_its_own_costs(void **state)
{
    (void)state;
    static const struct superstep list[] = {{100, 5, 2}, {100, 5, 2}, {100, 5, 2}};
    struct obsp_costs_wanted wanted = {.h = OBSP_H_MAX, .each = true};
    struct obsp_costs_found found;
    struct fixture f;
    open_fixture(&f, 0, 0);
    struct obsp_source *s = written(&f, 4, list, 3);
    assert_int_equal(obsp_costs_of_trace(f.arena, s, &wanted, f.diag, &found), 0);
    struct obsp_costs *c = found.costs, **each = found.each;
    assert_non_null(each);
    assert_near(cost_of(c, OBSP_OBLSYNC), 3, 1e-9); /* the mean of all */
    assert_near(cost_of(each[1], OBSP_OBLSYNC), 5, 1e-9);
    assert_near(cost_of(each[2], OBSP_OBLSYNC), 1, 1e-9);
    assert_near(cost_of(each[1], OBSP_SYNC), cost_of(c, OBSP_SYNC), 1e-9); /* it has none */
    f.request.costs = c;
    s->rewind(s);
    assert_int_equal(obsp_evaluate(f.arena, s, &f.request, f.diag, &f.result), 0);
    assert_near(f.result.obsp, 12, 1e-9);
    f.request.each = each;
    s->rewind(s);
    assert_int_equal(obsp_evaluate(f.arena, s, &f.request, f.diag, &f.result), 0);
    assert_near(f.result.obsp, 18, 1e-9);
    assert_near(f.result.measured, 18, 1e-9);
    assert_near(f.result.bsp, 12, 1e-9); /* has one g and one L */
    s->free(s);
    close_fixture(&f);
}

/* One of five synchronisations takes 6 s, the others 1 s. */
static void the_mean_contains_what_is_unusual(void **state)
{
    (void)state;
    static const struct superstep list[] = {
        {100, 1, 4}, {100, 1, 4}, {100, 6, 4}, {100, 1, 4}, {100, 1, 4}};
    struct fixture f;
    struct obsp_costs_wanted wanted = {.h = OBSP_H_MAX};
    struct obsp_costs_found found;
    open_fixture(&f, 0, 0);
    struct obsp_source *s = written(&f, 4, list, 5);
    assert_int_equal(obsp_costs_of_trace(f.arena, s, &wanted, f.diag, &found), 0);
    assert_null(found.each);
    assert_near(cost_of(found.costs, OBSP_OBLSYNC), 2, 1e-9);
    assert_near(cost_of(found.usual, OBSP_OBLSYNC), 1, 1e-9);
    assert_near(found.unusual, 5, 1e-9);
    f.request.costs = found.costs;
    s->rewind(s);
    assert_int_equal(obsp_evaluate(f.arena, s, &f.request, f.diag, &f.result), 0);
    assert_near(f.result.obsp, f.result.measured, 1e-9);
    s->rewind(s);
    wanted.average = OBSP_MEDIAN;
    assert_int_equal(obsp_costs_of_trace(f.arena, s, &wanted, f.diag, &found), 0);
    assert_near(cost_of(found.costs, OBSP_OBLSYNC), 1, 1e-9);
    s->free(s);
    close_fixture(&f);
}

static size_t startup_of(const struct superstep *list, size_t n)
{
    struct fixture f;
    size_t supersteps = SIZE_MAX;
    struct obsp_costs_wanted wanted = {.h = OBSP_H_MAX};
    struct obsp_costs_found found;
    open_fixture(&f, 0, 0);
    struct obsp_source *s = written(&f, 4, list, n);
    assert_int_equal(obsp_costs_of_trace(f.arena, s, &wanted, f.diag, &found), 0);
    s->rewind(s);
    assert_int_equal(obsp_startup_find(f.arena, s, found.usual, OBSP_H_MAX, f.diag, &supersteps),
                     0);
    s->free(s);
    close_fixture(&f);
    return supersteps;
}

#define USUAL                                                                                      \
    {                                                                                              \
        100, 1, 4                                                                                  \
    }
#define SLOW                                                                                       \
    {                                                                                              \
        100, 5, 4                                                                                  \
    }
#define STARTUP(...)                                                                               \
    startup_of((const struct superstep[]){__VA_ARGS__},                                            \
               sizeof((const struct superstep[]){__VA_ARGS__}) / sizeof(struct superstep))

static void slow_supersteps_at_the_beginning_are_start_up(void **state)
{
    (void)state;
    assert_int_equal(STARTUP(SLOW, USUAL, USUAL, USUAL), 1);
    assert_int_equal(STARTUP(SLOW, SLOW, SLOW, USUAL, USUAL, USUAL, USUAL, USUAL), 3);
    /* one usual superstep does not end it; one slow superstep later does not prolong it */
    assert_int_equal(STARTUP(SLOW, SLOW, USUAL, SLOW, SLOW, USUAL, USUAL, USUAL, USUAL, USUAL,
                             USUAL, USUAL, USUAL),
                     5);
    assert_int_equal(STARTUP(SLOW, SLOW, USUAL, USUAL, SLOW, USUAL, USUAL, USUAL, USUAL, USUAL,
                             USUAL, USUAL, USUAL),
                     2);
    /* at least half of the processors */
    assert_int_equal(STARTUP({100, 5, 2}, USUAL, USUAL, USUAL), 1);
    assert_int_equal(STARTUP({100, 5, 1}, USUAL, USUAL, USUAL), 0);
    /* at least twice as slow */
    assert_int_equal(STARTUP({100, 2.1, 4}, USUAL, USUAL, USUAL), 1);
    assert_int_equal(STARTUP({100, 1.9, 4}, USUAL, USUAL, USUAL), 0);
}

static void other_slow_supersteps_are_no_start_up(void **state)
{
    (void)state;
    assert_int_equal(STARTUP(USUAL, USUAL, USUAL, USUAL), 0);
    assert_int_equal(STARTUP(USUAL, USUAL, SLOW, USUAL, USUAL, USUAL, USUAL, USUAL), 0);
    assert_int_equal(STARTUP(USUAL, USUAL, USUAL, USUAL, SLOW, SLOW), 0);
    /* more bytes take more time */
    assert_int_equal(STARTUP({500, 5, 4}, USUAL, USUAL, USUAL), 0);
    assert_int_equal(STARTUP(SLOW), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_model_begins_at_the_measured_ends),
        cmocka_unit_test(h_may_be_the_sum),
        cmocka_unit_test(what_if_changes_only_the_rest),
        cmocka_unit_test(the_boundary_may_be_inside_groups),
        cmocka_unit_test(costs_are_those_of_the_rest),
        cmocka_unit_test(each_process_may_have_its_own_costs),
        cmocka_unit_test(the_mean_contains_what_is_unusual),
        cmocka_unit_test(slow_supersteps_at_the_beginning_are_start_up),
        cmocka_unit_test(other_slow_supersteps_are_no_start_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
