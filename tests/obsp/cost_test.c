/* SPDX-License-Identifier: GPL-3.0-or-later */
/* g and L: given, of a machine, and found in traces whose costs are known. */
#include "obsp/written.h"

#include <math.h>

static double cost(const struct obsp_costs *c, enum obsp_kind kind, int nprocs, int partners,
                   double h)
{
    struct obsp_event e = {.kind = kind, .nprocs = nprocs, .partner_count = partners};
    return obsp_cost(c, &e, h, NULL);
}

static void two_numbers_hold_for_everything(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct obsp_costs *c = obsp_costs_given(a, 2, 3);
    struct obsp_event e = {.kind = OBSP_OBLSYNC, .nprocs = 7, .partner_count = 3};
    double latency;
    assert_near(cost(c, OBSP_SYNC, 2, 1, 0), 3, 1e-12);
    c->times_g = 10;
    c->times_L = 0.5;
    assert_near(obsp_cost(c, &e, 5, &latency), 101.5, 1e-12);
    assert_near(latency, 1.5, 1e-12);
    arena_destroy(a);
}

static void lines_connect_points(void **state)
{
    (void)state;
    static const double h[] = {0, 10, 20}, convex[] = {5, 6, 16};
    struct arena *a = arena_create();
    size_t n;
    const struct obsp_line *l = obsp_lines_through(a, h, convex, 3, &n);
    assert_int_equal(n, 2);
    assert_near(l[0].g, 0.1, 1e-12);
    assert_near(l[0].L, 5, 1e-12);
    assert_near(l[1].g, 1, 1e-12);
    assert_near(l[1].L, -4, 1e-12);
    assert_near(l[1].start, 5, 1e-12); /* what does not grow with h */
    assert_true(isinf(l[1].high));
    l = obsp_lines_through(a, h + 1, convex + 1, 2, &n); /* it would be negative at 0 */
    assert_int_equal(n, 2);
    assert_near(l[0].g, 0.6, 1e-12);
    assert_near(l[0].L, 0, 1e-12);
    l = obsp_lines_through(a, h + 1, convex + 1, 1, &n);
    assert_int_equal(n, 1);
    assert_near(l[0].g, 0.6, 1e-12);
    l = obsp_lines_through(a, h, convex, 1, &n);
    assert_near(l[0].L, 5, 1e-12);
    assert_near(l[0].g, 0, 1e-12);
    arena_destroy(a);
}

static const struct machine_figure figures[] = {
    {.family = "bsp", .name = "shift", .has_bytes = true, .bytes = 0, .processes = 2, .value = 1},
    {.family = "bsp", .name = "shift", .has_bytes = true, .bytes = 100, .processes = 2, .value = 2},
    {.family = "bsp", .name = "shift", .has_bytes = true, .bytes = 200, .processes = 2, .value = 6},
    {.family = "bsp", .name = "shift", .has_bytes = true, .bytes = 0, .processes = 8, .value = 3},
    {.family = "bsp", .name = "shift", .has_bytes = true, .bytes = 100, .processes = 8, .value = 4},
    {.family = "bsp",
     .name = "exchange",
     .has_bytes = true,
     .bytes = 0,
     .processes = 8,
     .value = 10},
    {.family = "bsp",
     .name = "exchange",
     .has_bytes = true,
     .bytes = 100,
     .processes = 8,
     .value = 20},
};
static const struct machine_figure summary[] = {
    {.family = "bsp", .name = "g.shift", .processes = 2, .value = 0.01},
    {.family = "bsp", .name = "L.shift", .processes = 2, .value = 1},
    {.family = "bsp", .name = "g.exchange", .processes = 8, .value = 0.1},
    {.family = "bsp", .name = "L.exchange", .processes = 8, .value = 10},
    {.family = "bsp", .name = "g.shift", .processes = 8, .value = 0.02},
    {.family = "bsp", .name = "L.shift", .processes = 8, .value = 3},
};

static void machines_give_costs_by_pattern_processors_and_h(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct machine m = {.name = "x",
                        .figures = figures,
                        .nfigures = sizeof figures / sizeof *figures,
                        .summary = summary,
                        .nsummary = sizeof summary / sizeof *summary};
    struct obsp_costs *c = obsp_costs_of_machine(a, &m, OBSP_H_MAX, 8, diag);
    assert_non_null(c);
    assert_near(cost(c, OBSP_SYNC, 2, 1, 0), 1, 1e-12);
    assert_near(cost(c, OBSP_SYNC, 2, 1, 50), 1.5, 1e-12);
    assert_near(cost(c, OBSP_SYNC, 2, 1, 150), 4, 1e-12);
    assert_near(cost(c, OBSP_SYNC, 2, 1, 300), 10, 1e-12); /* the last line goes on */
    assert_near(cost(c, OBSP_SYNC, 8, 1, 50), 3.5, 1e-12);
    assert_near(cost(c, OBSP_SYNC, 4, 1, 50), 2.5, 1e-12);  /* half way from 2 to 8 */
    assert_near(cost(c, OBSP_SYNC, 64, 1, 50), 3.5, 1e-12); /* constant beyond */
    assert_near(cost(c, OBSP_SYNC, 8, 7, 50), 15, 1e-12); /* all others are partners: an exchange */
    assert_near(c->g, 0.1, 1e-12); /* plain BSP: the exchange of 8 processors */
    assert_near(c->L, 10, 1e-12);
    c->pattern = OBSP_SHIFT;
    assert_near(cost(c, OBSP_SYNC, 8, 7, 50), 3.5, 1e-12);
    c = obsp_costs_of_machine(a, &m, OBSP_H_SUM, 2, diag); /* h is twice the bytes of a direction */
    assert_near(cost(c, OBSP_SYNC, 2, 1, 100), 1.5, 1e-12);
    assert_near(c->g, 0.005, 1e-12);
    m.nfigures = 0; /* g and L alone */
    c = obsp_costs_of_machine(a, &m, OBSP_H_MAX, 2, diag);
    assert_near(cost(c, OBSP_OBLSYNC, 2, 1, 100), 2, 1e-12);
    m.nsummary = 0;
    assert_null(obsp_costs_of_machine(a, &m, OBSP_H_MAX, 2, diag));
    assert_non_null(strstr(diag_first(diag, SEVERITY_ERROR), "the machine x has no BSP figures"));
    diag_destroy(diag);
    arena_destroy(a);
}

/* A program of two processors that exchange messages of many sizes; one of them always waits. The times are those of
 * the cost function, with noise, which only makes them longer, in some supersteps. */
static struct obsp_costs *costs_found(struct arena *a, struct diag *diag, const char *kind,
                                      double (*seconds)(double h), int sizes)
{
    struct text t;
    unsigned random = 1;
    text_init(&t);
    text_add(&t, HEAD(2));
    for (int p = 0; p < 2; p++) {
        double end = 0;
        random = 1;
        for (int s = 1; s <= 20 * sizes; s++) {
            double h = 100 * pow(2, (s - 1) % sizes), noise = 1;
            random = random * 1664525u + 1013904223u;
            noise += (random >> 28) == 0 ? 3 : (random >> 16 & 255) * 1e-4;
            bool is_last = (s + p) % 2 == 0;
            double work = is_last ? 9e-3 : 4e-3, wait = (is_last ? 0 : 5e-3) + seconds(h) * noise;
            end += work + wait;
            text_printf(&t, "%d m %d 2 %d %s %.0f 0 %.0f 0 %.0f %.0f 1 1 %d %.0f\n", p, p, s, kind,
                        work * 1e9, wait * 1e9, h, h, 1 - p, end * 1e9);
        }
    }
    struct obsp_source *source = obsp_trace_open(write_text(t.s, t.n), diag);
    assert_non_null(source);
    struct obsp_costs_wanted wanted = {.h = OBSP_H_MAX, .average = OBSP_MEDIAN};
    struct obsp_costs_found found;
    assert_int_equal(obsp_costs_of_trace(a, source, &wanted, diag, &found), 0);
    source->free(source);
    text_free(&t);
    unwrite();
    return found.costs;
}

static double a_line(double h)
{
    return 20e-6 + 1e-9 * h;
}

/* From 20,000 bytes on another protocol is used. */
static double two_lines(double h)
{
    return h < 20000 ? 5e-6 + 0.5e-9 * h : 200e-6 + 4e-9 * h;
}

static double same_for_all(double h)
{
    (void)h;
    return 50e-6;
}

static void a_line_is_found_in_a_trace(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct obsp_costs *c = costs_found(a, diag, "oblsync", a_line, 10);
    assert_int_equal(c->oblsync[0].n, 1);
    assert_int_equal(c->oblsync[0].list[0].nlines, 1);
    assert_int_equal(c->oblsync[0].list[0].sizes, 10);
    assert_in_range(c->oblsync[0].list[0].supersteps, 350, 400);
    assert_near(c->oblsync[0].list[0].lines[0].g, 1e-9, 0.05);
    assert_near(c->oblsync[0].list[0].lines[0].L, 20e-6, 0.05);
    assert_near(c->g, 1e-9, 0.05);
    assert_near(c->L, 20e-6, 0.05);
    c = costs_found(a, diag, "sync", a_line, 10);
    assert_int_equal(c->sync[0].list[0].nprocs, 2);
    assert_near(cost(c, OBSP_SYNC, 2, 1, 1000), a_line(1000), 0.05);
    diag_destroy(diag);
    arena_destroy(a);
}

static void intervals_of_h_are_found_in_a_trace(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct obsp_costs *c = costs_found(a, diag, "oblsync", two_lines, 14);
    assert_true(c->oblsync[0].list[0].nlines > 1);
    for (double h = 100; h < 1e6; h *= 2)
        assert_near(cost(c, OBSP_OBLSYNC, 2, 1, h), two_lines(h), 0.06);
    c = costs_found(a, diag, "oblsync", two_lines,
                    4); /* too few sizes for a search: one line is enough */
    for (double h = 100; h < 1000; h *= 2)
        assert_near(cost(c, OBSP_OBLSYNC, 2, 1, h), two_lines(h), 0.06);
    diag_destroy(diag);
    arena_destroy(a);
}

/* The last to arrive finds its message there already; the other one waits for a latency of 300 us. The clock of process
 * 1 is 5 ms behind. */
static void latency_is_found_where_processors_wait(void **state)
{
    (void)state;
    struct text t;
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    text_init(&t);
    text_add(&t, HEAD(2));
    for (int p = 0; p < 2; p++) {
        double now = 0; /* when both begin superstep s, in fact */
        for (int s = 1; s <= 40; s++) {
            bool is_last = (s + p) % 2 == 0;
            double work = is_last ? 9e-3 : 4e-3, wait = is_last ? 0 : 5e-3 + 300e-6;
            text_printf(&t, "%d m %d 2 %d oblsync %.0f 0 %.0f 0 64 64 1 1 %d %.0f\n", p, p, s,
                        work * 1e9, wait * 1e9, 1 - p, (now + work + wait + (p ? 0 : 5e-3)) * 1e9);
            now += 9e-3;
        }
    }
    struct obsp_source *source = obsp_trace_open(write_text(t.s, t.n), diag);
    assert_non_null(source);
    for (enum obsp_average average = OBSP_MEAN; average <= OBSP_MEDIAN; average++) {
        struct obsp_costs_wanted wanted = {.h = OBSP_H_MAX, .average = average};
        struct obsp_costs_found found;
        assert_int_equal(obsp_costs_of_trace(a, source, &wanted, diag, &found), 0);
        source->rewind(source);
        double latency = cost(found.costs, OBSP_OBLSYNC, 2, 1, 64);
        assert_true(latency > 200e-6 && latency < 601e-6); /* the clocks leave an error of one */
    }
    source->free(source);
    text_free(&t);
    unwrite();
    diag_destroy(diag);
    arena_destroy(a);
}

static void one_size_gives_its_cost(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct obsp_costs *c = costs_found(a, diag, "oblsync", same_for_all, 1);
    assert_near(cost(c, OBSP_OBLSYNC, 2, 1, 100), 50e-6, 0.05);
    c = costs_found(a, diag, "oblsync", same_for_all, 8);
    assert_near(c->L, 50e-6, 0.05);
    assert_within(c->g, 0, 1e-10);
    diag_destroy(diag);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_numbers_hold_for_everything),
        cmocka_unit_test(lines_connect_points),
        cmocka_unit_test(machines_give_costs_by_pattern_processors_and_h),
        cmocka_unit_test(a_line_is_found_in_a_trace),
        cmocka_unit_test(intervals_of_h_are_found_in_a_trace),
        cmocka_unit_test(latency_is_found_where_processors_wait),
        cmocka_unit_test(one_size_gives_its_cost),
    };
    return RUN(tests);
}
