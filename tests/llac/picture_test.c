/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The picture of an evaluation: groups, slices, arrows, the path, and the script. The spans
 * are written by hand or made at random; the evaluator takes no part. */
#include "harness/unit.h"

#include <math.h>

#include "llac/obsp/picture.h"

static struct arena *arena;

static int before(void **state)
{
    (void)state;
    arena = arena_create();
    return 0;
}

static int after(void **state)
{
    (void)state;
    arena_destroy(arena);
    return 0;
}

static struct picture *create(int processes, double end, int rows, int slices)
{
    struct picture_request r = {
        .title = "test", .processes = processes, .end = end, .rows = rows, .slices = slices};
    return picture_create(arena, &r);
}

static struct obsp_span span(int process, long step, double begin, double computed, double met,
                             double end)
{
    return (struct obsp_span){.process = process,
                              .pid = process,
                              .step = step,
                              .kind = OBSP_OBLSYNC,
                              .begin = begin,
                              .computed = computed,
                              .met = met,
                              .end = end,
                              .last = process};
}

/* Figure 1 of the paper as corrected, with a wait: w = 1 s. Only processor 0 sends in the first
 * superstep. */
static struct picture *figure(int slices)
{
    static const int zero[] = {0}, one[] = {1};
    static const struct obsp_stretch path[] = {{1, 0, 3}, {1, 3, 4}, {0, 4, 6}};
    struct picture_request r = {
        .title = "fig1", .processes = 2, .end = 6, .rows = 64, .slices = slices};
    struct picture *p = picture_create(arena, &r);
    struct obsp_span spans[] = {span(0, 1, 0, 1, 1, 2), span(1, 1, 0, 2, 2, 3),
                                span(0, 2, 2, 3, 4, 6), span(1, 2, 3, 4, 4, 5)};
    spans[1].partners = zero;
    spans[2].partners = one;
    spans[3].partners = zero;
    for (int i = 1; i < 4; i++)
        spans[i].partner_count = 1;
    picture_set_path(p, path, 3);
    for (int i = 0; i < 4; i++)
        picture_add(p, &spans[i]);
    picture_finish(p);
    return p;
}

/* ---- groups */

static void rows_are_single_processors_or_equal_groups(void **state)
{
    (void)state;
    static const int cases[][3] = {
        {1, 64, 1},     {4, 64, 1},     {64, 64, 1},          {65, 64, 2},
        {100, 64, 2},   {1024, 32, 32}, {1000, 32, 40},       {127, 64, 2},
        {1024, 64, 16}, {96, 32, 3},    {1 << 20, 32, 32768}, {5, 0, 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(picture_group(cases[i][0], cases[i][1]), cases[i][2]);
}

static void there_are_never_more_rows_than_asked_for(void **state)
{
    (void)state;
    for (int processes = 1; processes < 3000; processes++)
        for (int rows = 1; rows <= 64; rows *= 2) {
            int group = picture_group(processes, rows);
            assert_true(group >= 1 && (processes + group - 1) / group <= rows);
        }
}

static void names_of_rows_say_which_processors_they_have(void **state)
{
    (void)state;
    char name[32];
    struct picture *p = create(127, 1, 64, 10);
    picture_row_name(p, 0, name);
    assert_string_equal(name, "0-1");
    picture_row_name(p, p->rows - 1, name);
    assert_string_equal(name, "126");
}

/* ---- slices */

static double overlap(double begin, double end, double low, double high)
{
    double from = begin > low ? begin : low, to = end < high ? end : high;
    return to > from ? to - from : 0;
}

/* The same sums, computed in the simplest way. */
static void shares_are_the_overlaps_of_spans_and_slices(void **state)
{
    (void)state;
    enum { P = 10, STEPS = 40, SLICES = 37 };
    static struct obsp_span spans[P][STEPS];
    double begin = 1.5, end = 30;
    unsigned seed = 3;
    struct picture_request r = {
        .title = "", .processes = P, .begin = begin, .end = end, .rows = 4, .slices = SLICES};
    struct picture *p = picture_create(arena, &r);
    assert_int_equal(p->group, 5);
    for (int i = 0; i < P; i++)
        for (double at = 0, step = 0; step < STEPS; step++) {
            double t[3];
            for (int k = 0; k < 3; k++)
                t[k] = (seed = seed * 1664525u + 1013904223u) % 1000 / (k == 2 ? 300.0 : 4000.0);
            spans[i][(int)step] =
                span(i, (long)step, at, at + t[0], at + t[0] + t[1], at + t[0] + t[1] + t[2]);
            picture_add(p, &spans[i][(int)step]);
            at += t[0] + t[1] + t[2];
        }
    for (int row = 0; row < 2; row++)
        for (int slice = 0; slice < SLICES; slice++) {
            double low = begin + (end - begin) * slice / SLICES,
                   high = begin + (end - begin) * (slice + 1) / SLICES, sums[3] = {0};
            for (int i = 5 * row; i < 5 * row + 5; i++)
                for (int k = 0; k < STEPS; k++) {
                    const struct obsp_span *s = &spans[i][k];
                    sums[PICTURE_COMPUTES] += overlap(s->begin, s->computed, low, high);
                    sums[PICTURE_WAITS] += overlap(s->computed, s->met, low, high);
                    sums[PICTURE_COMMUNICATES] += overlap(s->met, s->end, low, high);
                }
            for (enum picture_activity a = 0; a < PICTURE_ACTIVITIES; a++)
                assert_within(picture_share(p, PICTURE_MODEL, row, slice, a),
                              sums[a] / (high - low) / 5, 1e-9);
        }
}

static void totals_are_those_of_the_time_that_is_drawn(void **state)
{
    (void)state;
    struct picture_request r = {
        .title = "", .processes = 2, .begin = 1, .end = 5, .rows = 1, .slices = 7};
    struct picture *p = picture_create(arena, &r);
    struct obsp_span s = span(1, 1, 0, 3, 4, 6);
    picture_add(p, &s);
    assert_near(picture_total_share(p, PICTURE_MODEL, 0, PICTURE_COMPUTES), 0.25, 1e-12);
    assert_near(picture_total_share(p, PICTURE_MODEL, 0, PICTURE_WAITS), 0.125, 1e-12);
    assert_near(picture_total_share(p, PICTURE_MODEL, 0, PICTURE_COMMUNICATES), 0.125, 1e-12);
}

static void only_a_synchronisation_communicates(void **state)
{
    (void)state;
    struct picture *p = create(1, 4, 1, 4);
    struct obsp_span s = span(0, 1, 0, 2, 2, 2);
    s.kind = OBSP_PARTITION;
    picture_add(p, &s);
    s = span(0, 1, 2, 4, 4, 4);
    s.kind = OBSP_DONE;
    picture_add(p, &s);
    assert_int_equal(p->layers[PICTURE_MODEL].nstretches, 1); /* the two are one */
    assert_near(p->layers[PICTURE_MODEL].stretches[0].end, 4, 1e-12);
    assert_int_equal(p->nends, 0);
}

static void many_stretches_are_drawn_as_shares(void **state)
{
    (void)state;
    struct picture *p = create(2, 1e6, 64, 50);
    for (int i = 0; i < 2 * PICTURE_MOST_STRETCHES; i++) {
        struct obsp_span s = span(i % 2, i / 2, i, i + 0.5, i + 0.5, i + 1);
        picture_add(p, &s);
        assert_true(p->layers[PICTURE_MODEL].nstretches <= PICTURE_MOST_STRETCHES);
        assert_true(p->nends <= PICTURE_MOST_STRETCHES);
    }
    assert_false(picture_is_exact(p, PICTURE_MODEL));
    assert_true(picture_is_exact(create(64, 1, 64, 50), PICTURE_MODEL));
    assert_false(picture_is_exact(create(65, 1, 64, 50), PICTURE_MODEL));
}

static void supersteps_without_time_take_no_memory(void **state)
{
    (void)state;
    struct picture *p = create(1, 1, 64, 50);
    for (int i = 0; i < 3 * PICTURE_MOST_STRETCHES; i++) {
        struct obsp_span s = span(0, i, 0.5, 0.5, 0.5, 0.5);
        picture_add(p, &s);
    }
    assert_int_equal(p->nends, PICTURE_MOST_STRETCHES);
}

/* ---- messages and the path */

static void an_arrow_begins_where_its_sender_had_computed(void **state)
{
    (void)state;
    struct picture *p = figure(10);
    assert_int_equal(p->narrows, 3);
    assert_int_equal(p->messages, 3);
    assert_near(p->arrows[0].sent, 1, 1e-12);
    assert_near(p->arrows[0].arrived, 3, 1e-12);
    assert_near(p->arrows[1].sent, 4, 1e-12);
    assert_near(p->arrows[2].sent, 3, 1e-12);
}

/* Two groups that exist one after the other may have the same number. */
static void an_object_number_may_be_used_again(void **state)
{
    (void)state;
    static const int zero[] = {0};
    struct picture *p = create(2, 10, 64, 10);
    for (int again = 0; again < 2; again++) {
        struct obsp_span s = span(0, 1, 5 * again, 5 * again + 1, 5 * again + 1, 5 * again + 2);
        s.object = 7;
        picture_add(p, &s);
        s.process = 1;
        s.partners = zero;
        s.partner_count = 1;
        picture_add(p, &s);
    }
    picture_finish(p);
    assert_int_equal(p->narrows, 2);
    assert_near(p->arrows[0].sent, 1, 1e-12);
    assert_near(p->arrows[1].sent, 6, 1e-12);
}

static void many_messages_are_counted_and_not_drawn(void **state)
{
    (void)state;
    static const int zero[] = {0, 1};
    struct picture *p = create(2, 1000, 64, 10);
    for (int i = 0; i <= PICTURE_MOST_ARROWS; i++) {
        struct obsp_span s = span(1, i, i, i + 0.5, i + 0.5, i + 1);
        s.partners = zero;
        s.partner_count = 2; /* the second is itself */
        picture_add(p, &s);
    }
    picture_finish(p);
    assert_true(p->too_many_arrows);
    assert_int_equal(p->messages, PICTURE_MOST_ARROWS + 1);
}

static void a_barrier_may_have_only_the_number_of_partners(void **state)
{
    (void)state;
    struct picture *p = create(2, 10, 64, 10);
    struct obsp_span s = span(0, 1, 0, 1, 1, 2);
    s.kind = OBSP_SYNC;
    s.partner_count = 5;
    picture_add(p, &s);
    picture_finish(p);
    assert_int_equal(p->messages, 5);
    assert_true(p->too_many_arrows);
}

static void the_path_is_in_the_row_where_it_is_longest(void **state)
{
    (void)state;
    static const struct obsp_stretch path[] = {{0, 0, 1},   {3, 1, 1.4}, {2, 1.4, 1.5},
                                               {3, 1.5, 3}, {3, 3, 4},   {0, 4, 9}};
    struct picture *p = create(4, 8, 2, 8); /* rows 0-1 and 2-3 */
    picture_set_path(p, path, 6);
    picture_finish(p);
    assert_int_equal(p->nlegs, 5); /* two on processor 3 are one */
    assert_near(p->legs[4].end, 8, 1e-12);
    static const int rows[] = {0, 1, 1, 1, 0, 0, 0, 0};
    assert_memory_equal(p->path_rows, rows, sizeof rows);
}

static void no_path_is_in_no_row(void **state)
{
    (void)state;
    struct picture *p = create(1, 1, 1, 3);
    picture_set_path(p, NULL, 0);
    picture_finish(p);
    static const int rows[] = {-1, -1, -1};
    assert_memory_equal(p->path_rows, rows, sizeof rows);
}

/* ---- units */

static void times_have_a_unit_that_fits(void **state)
{
    (void)state;
    static const struct {
        double end;
        int exponent;
        const char *unit;
    } cases[] = {{3, 0, "s"},        {4000, 0, "s"},          {0.5, -3, "ms"},
                 {1e-3, -3, "ms"},   {2e-5, -6, "\302\265s"}, {3e-8, -9, "ns"},
                 {1e-11, -12, "ps"}, {1e-30, -12, "ps"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *unit;
        assert_int_equal(picture_unit(create(1, cases[i].end, 1, 1), &unit), cases[i].exponent);
        assert_string_equal(unit, cases[i].unit);
    }
}

static void steps_of_the_axis_are_1_2_or_5(void **state)
{
    (void)state;
    assert_near(picture_step(create(1, 10, 1, 1), 10), 1, 1e-9);
    assert_near(picture_step(create(1, 11, 1, 1), 10), 2, 1e-9);
    assert_near(picture_step(create(1, 0.3, 1, 1), 10), 0.05, 1e-9);
    assert_near(picture_step(create(1, 9e-7, 1, 1), 10), 1e-7, 1e-9);
}

/* ---- scripts */

static void a_script_quotes_the_title_and_draws_every_stretch(void **state)
{
    (void)state;
    static const struct gnuplot_terminal svg = {
        .line = "set terminal svg size SIZE\n", .width = 880, .height = 660, .unit = ""};
    struct picture *p = figure(400);
    struct text t;
    text_init(&t);
    p->request.title = "it's\n`touch ran` @x";
    picture_script(&t, p, &svg);
    assert_non_null(strstr(t.s, "set title 'it\342\200\231s?`touch ran` @x' noenhanced\n"));
    assert_non_null(strstr(t.s, "set terminal svg size 880,"));
    assert_non_null(strstr(t.s, "$messages << END_OF_DATA\n1 0.26 2 0.48\n"));
    assert_non_null(strstr(t.s, "$path << END_OF_DATA\n0 1\n4 1\n4 0\n6 0\nNaN NaN\n"));
    assert_non_null(strstr(t.s, "$waits0 << END_OF_DATA\n3 0.26\n3 -0.26\n4 -0.26\n4 0.26\n\n"));
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(rows_are_single_processors_or_equal_groups, before, after),
        cmocka_unit_test_setup_teardown(there_are_never_more_rows_than_asked_for, before, after),
        cmocka_unit_test_setup_teardown(names_of_rows_say_which_processors_they_have, before,
                                        after),
        cmocka_unit_test_setup_teardown(shares_are_the_overlaps_of_spans_and_slices, before, after),
        cmocka_unit_test_setup_teardown(totals_are_those_of_the_time_that_is_drawn, before, after),
        cmocka_unit_test_setup_teardown(only_a_synchronisation_communicates, before, after),
        cmocka_unit_test_setup_teardown(many_stretches_are_drawn_as_shares, before, after),
        cmocka_unit_test_setup_teardown(supersteps_without_time_take_no_memory, before, after),
        cmocka_unit_test_setup_teardown(an_arrow_begins_where_its_sender_had_computed, before,
                                        after),
        cmocka_unit_test_setup_teardown(an_object_number_may_be_used_again, before, after),
        cmocka_unit_test_setup_teardown(many_messages_are_counted_and_not_drawn, before, after),
        cmocka_unit_test_setup_teardown(a_barrier_may_have_only_the_number_of_partners, before,
                                        after),
        cmocka_unit_test_setup_teardown(the_path_is_in_the_row_where_it_is_longest, before, after),
        cmocka_unit_test_setup_teardown(no_path_is_in_no_row, before, after),
        cmocka_unit_test_setup_teardown(times_have_a_unit_that_fits, before, after),
        cmocka_unit_test_setup_teardown(steps_of_the_axis_are_1_2_or_5, before, after),
        cmocka_unit_test_setup_teardown(a_script_quotes_the_title_and_draws_every_stretch, before,
                                        after),
    };
    return RUN(tests);
}
