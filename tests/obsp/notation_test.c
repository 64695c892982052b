/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The notation: the events of each statement, computed by hand. */
#include "notation_events.h"

/* Figure 1 as corrected: only processor 0 sends in superstep 1. */
static void work_and_sends_make_a_superstep(void **state)
{
    (void)state;
    expect_events("param P = 2\n"
                  "param w = 1  # seconds\n"
                  "work w if i == 0\n"
                  "work 2*w if i == 1\n"
                  "send 1 : 8 if i == 0\n"
                  "oblsync\n"
                  "work 3*w - (i + 1)*w\n"
                  "send 1 - i : 8\n"
                  "oblsync\n",
                  "0 m 0/2 1 oblsync w 1 out 8 in 0 sent 1 received 0 from -\n"
                  "0 m 0/2 2 oblsync w 2 out 8 in 8 sent 1 received 1 from 1\n"
                  "1 m 1/2 1 oblsync w 2 out 0 in 8 sent 0 received 1 from 0\n"
                  "1 m 1/2 2 oblsync w 1 out 8 in 8 sent 1 received 1 from 0\n");
}

static void all_others_ranges_and_lists_are_targets(void **state)
{
    (void)state;
    expect_events("param P = 3\n"
                  "send all : 10 if i == 0\n"
                  "send others : 1 if i == 1\n"
                  "send 0 to 1, 2 : 100 if i == 2\n"
                  "send 2 to 1 : 5\n" /* nothing */
                  "sync\n",
                  "0 m 0/3 1 sync w 0 out 30 in 111 sent 3 received 3 from 0,1,2\n"
                  "1 m 1/3 1 sync w 0 out 2 in 110 sent 2 received 2 from 0,2\n"
                  "2 m 2/3 1 sync w 0 out 300 in 111 sent 3 received 3 from 0,1,2\n");
}

static void repeated_messages_have_one_partner(void **state)
{
    (void)state;
    expect_events("param P = 2\n"
                  "for k = 1 to 3\n"
                  "  send 0 : k\n"
                  "end\n"
                  "oblsync 6*(1 - i)\n",
                  "0 m 0/2 1 oblsync w 0 out 6 in 12 sent 3 received 6 from 0,1\n"
                  "1 m 1/2 1 oblsync w 0 out 6 in 0 sent 3 received 0 from -\n");
}

/* The last work has no synchronisation after it: it is the processor's end. */
static void the_end_has_the_work_that_is_left(void **state)
{
    (void)state;
    expect_events("param P = 2\nsync\nwork 1 if i == 1\n",
                  "0 m 0/2 1 sync w 0 out 0 in 0 sent 0 received 0 from -\n"
                  "1 m 1/2 1 sync w 0 out 0 in 0 sent 0 received 0 from -\n"
                  "1 m 1/2 2 done w 1\n");
}

static void loops_count_up_down_and_by_steps(void **state)
{
    (void)state;
    expect_events("param P = 1\n"
                  "w = 0\n"
                  "for k = 1 to 3\n w = 10*w + k\n end for\n"
                  "work w\nsync\nw = 0\n"
                  "for k = 7 to 1 step -3\n w = 10*w + k\n end\n"
                  "work w\nsync\nw = 0\n"
                  "for k = 0 to log(8)/log(2) - 1\n w = w + 1\n end\n" /* 3 turns, not 2 */
                  "work w\nsync\nw = 0\n"
                  "for k = 1 to 0\n w = 1\n end\n"
                  "work w\nsync\n",
                  "0 m 0/1 1 sync w 123 out 0 in 0 sent 0 received 0 from -\n"
                  "0 m 0/1 2 sync w 741 out 0 in 0 sent 0 received 0 from -\n"
                  "0 m 0/1 3 sync w 3 out 0 in 0 sent 0 received 0 from -\n"
                  "0 m 0/1 4 sync w 0 out 0 in 0 sent 0 received 0 from -\n");
}

static void conditions_choose_one_branch(void **state)
{
    (void)state;
    expect_events("param P = 4\n"
                  "if i == 0\n work 10\n else if i == 1 or i == 2\n"
                  "  if i == 1\n work 20\n end if\n work 1\n"
                  "else\n work 30\n end\n"
                  "if i < 0\n work 1000\n end\n",
                  "0 m 0/4 1 done w 10\n"
                  "1 m 1/4 1 done w 21\n"
                  "2 m 2/4 1 done w 1\n"
                  "3 m 3/4 1 done w 30\n");
}

/* Each processor ends its supersteps in lines of its own. */
static void branches_may_have_synchronisations(void **state)
{
    (void)state;
    expect_events("param P = 2\n"
                  "if i == 0\n work 1\n send 1 : 4\n oblsync\n"
                  "else\n work 2\n oblsync 1\n end\n",
                  "0 m 0/2 1 oblsync w 1 out 4 in 0 sent 1 received 0 from -\n"
                  "1 m 1/2 1 oblsync w 2 out 0 in 4 sent 0 received 1 from 0\n");
}

static void groups_have_their_own_numbers(void **state)
{
    (void)state;
    expect_events("param P = 5\n"
                  "work 1\n"
                  "split in 2\n" /* 0 1 | 2 3 4 */
                  "  work 10*P + i\n"
                  "  send P - 1 : 100*(group + 1)\n"
                  "  oblsync\n"
                  "  work 2\n"
                  "end\n"
                  "work 3\n"
                  "sync\n",
                  "0 m.1:0 0/2 1 partition w 1\n"
                  "0 m.1:0 0/2 1 oblsync w 20 out 100 in 0 sent 1 received 0 from -\n"
                  "0 m.1:0 0/2 2 done w 2\n"
                  "0 m 0/5 1 sync w 3 out 0 in 0 sent 0 received 0 from -\n"
                  "1 m.1:0 1/2 1 partition w 1\n"
                  "1 m.1:0 1/2 1 oblsync w 21 out 100 in 200 sent 1 received 2 from 0,1\n"
                  "1 m.1:0 1/2 2 done w 2\n"
                  "1 m 1/5 1 sync w 3 out 0 in 0 sent 0 received 0 from -\n"
                  "2 m.1:1 0/3 1 partition w 1\n"
                  "2 m.1:1 0/3 1 oblsync w 30 out 200 in 0 sent 1 received 0 from -\n"
                  "2 m.1:1 0/3 2 done w 2\n"
                  "2 m 2/5 1 sync w 3 out 0 in 0 sent 0 received 0 from -\n"
                  "3 m.1:1 1/3 1 partition w 1\n"
                  "3 m.1:1 1/3 1 oblsync w 31 out 200 in 0 sent 1 received 0 from -\n"
                  "3 m.1:1 1/3 2 done w 2\n"
                  "3 m 3/5 1 sync w 3 out 0 in 0 sent 0 received 0 from -\n"
                  "4 m.1:1 2/3 1 partition w 1\n"
                  "4 m.1:1 2/3 1 oblsync w 32 out 200 in 600 sent 1 received 3 from 0,1,2\n"
                  "4 m.1:1 2/3 2 done w 2\n"
                  "4 m 4/5 1 sync w 3 out 0 in 0 sent 0 received 0 from -\n");
}

static void groups_of_given_sizes_and_names_of_later_splits(void **state)
{
    (void)state;
    expect_events("param P = 3\n"
                  "split at 1\n work P\n end\n"
                  "split at 1, 2\n work 10*group\n end\n",
                  "0 m.1:0 0/1 1 partition w 0\n"
                  "0 m.1:0 0/1 1 done w 1\n"
                  "0 m.2:0 0/1 1 partition w 0\n"
                  "0 m.2:0 0/1 1 done w 0\n"
                  "1 m.1:1 0/2 1 partition w 0\n"
                  "1 m.1:1 0/2 1 done w 2\n"
                  "1 m.2:1 0/1 1 partition w 0\n"
                  "1 m.2:1 0/1 1 done w 10\n"
                  "2 m.1:1 1/2 1 partition w 0\n"
                  "2 m.1:1 1/2 1 done w 2\n"
                  "2 m.2:2 0/1 1 partition w 0\n"
                  "2 m.2:2 0/1 1 done w 20\n");
}

/* Messages that were sent before a split belong to the superstep of the parent. */
static void a_split_does_not_end_the_superstep(void **state)
{
    (void)state;
    expect_events("param P = 2\n"
                  "send 1 - i : 7\n"
                  "split in 2\n end\n"
                  "oblsync 1\n",
                  "0 m.1:0 0/1 1 partition w 0\n"
                  "0 m.1:0 0/1 1 done w 0\n"
                  "0 m 0/2 1 oblsync w 0 out 7 in 7 sent 1 received 1 from 1\n"
                  "1 m.1:1 0/1 1 partition w 0\n"
                  "1 m.1:1 0/1 1 done w 0\n"
                  "1 m 1/2 1 oblsync w 0 out 7 in 7 sent 1 received 1 from 0\n");
}

static void procedures_recurse_into_halves(void **state)
{
    (void)state;
    expect_events("param P = 4\n"
                  "proc half(n)\n"
                  "  if P == 1\n    work n\n  else\n"
                  "    split in 2\n      half(n/2)\n    end\n"
                  "    send xor(i, P/2) : n\n    oblsync 1\n"
                  "  end\n"
                  "end\n"
                  "half(8)\n",
                  "0 m.1:0 0/2 1 partition w 0\n"
                  "0 m.1:0.1:0 0/1 1 partition w 0\n"
                  "0 m.1:0.1:0 0/1 1 done w 2\n"
                  "0 m.1:0 0/2 1 oblsync w 0 out 4 in 4 sent 1 received 1 from 1\n"
                  "0 m.1:0 0/2 2 done w 0\n"
                  "0 m 0/4 1 oblsync w 0 out 8 in 8 sent 1 received 1 from 2\n"
                  "1 m.1:0 1/2 1 partition w 0\n"
                  "1 m.1:0.1:1 0/1 1 partition w 0\n"
                  "1 m.1:0.1:1 0/1 1 done w 2\n"
                  "1 m.1:0 1/2 1 oblsync w 0 out 4 in 4 sent 1 received 1 from 0\n"
                  "1 m.1:0 1/2 2 done w 0\n"
                  "1 m 1/4 1 oblsync w 0 out 8 in 8 sent 1 received 1 from 3\n"
                  "2 m.1:1 0/2 1 partition w 0\n"
                  "2 m.1:1.1:0 0/1 1 partition w 0\n"
                  "2 m.1:1.1:0 0/1 1 done w 2\n"
                  "2 m.1:1 0/2 1 oblsync w 0 out 4 in 4 sent 1 received 1 from 1\n"
                  "2 m.1:1 0/2 2 done w 0\n"
                  "2 m 2/4 1 oblsync w 0 out 8 in 8 sent 1 received 1 from 0\n"
                  "3 m.1:1 1/2 1 partition w 0\n"
                  "3 m.1:1.1:1 0/1 1 partition w 0\n"
                  "3 m.1:1.1:1 0/1 1 done w 2\n"
                  "3 m.1:1 1/2 1 oblsync w 0 out 4 in 4 sent 1 received 1 from 0\n"
                  "3 m.1:1 1/2 2 done w 0\n"
                  "3 m 3/4 1 oblsync w 0 out 8 in 8 sent 1 received 1 from 1\n");
}

/* Arguments and assigned names are the procedure's own, in each call; others are those of the file. */
static void procedures_have_their_own_names(void **state)
{
    (void)state;
    expect_events("param P = 1\n"
                  "param N = 5\n"
                  "x = 1\n"
                  "y = 100\n"
                  "twice(7)\n"
                  "work x + N\n"
                  "proc twice(N)\n"
                  "  x = N\n"
                  "  for k = 1 to 2\n    once(k)\n  end\n"
                  "  work 1000*x + y\n"
                  "end\n"
                  "proc once(k)\n"
                  "  x = k\n"
                  "end\n",
                  "0 m 0/1 1 done w 7106\n");
}

static void values_of_the_command_replace_defaults(void **state)
{
    (void)state;
    static const char *const names[] = {"P", "A[0]"};
    static const double numbers[] = {2, 0.5};
    struct obsp_values values = {.names = names, .values = numbers, .n = 2};
    const char *text = "param P = 8\nparam A[0] = 1\nparam n = 6/P\nwork A[0] + 10*n\n";
    expect_events_with(text, &values, "0 m 0/2 1 done w 30.5\n1 m 1/2 1 done w 30.5\n");
    /* P need not be declared. */
    values.n = 1;
    expect_events_with("work P\n", &values, "0 m 0/2 1 done w 2\n1 m 1/2 1 done w 2\n");
}

static void functions_of_partners(void **state)
{
    (void)state;
    static const struct {
        const char *formula, *value;
    } table[] = {
        {"mod(7, 4)", "3"},
        {"mod(-1, 4)", "3"},
        {"mod(8, 4)", "0"},
        {"mod(7.5, 2)", "1.5"},
        {"xor(5, 3)", "6"},
        {"bit(6, 0) + 10*bit(6, 1) + 100*bit(6, 2) + 1000*bit(6, 3)", "110"},
        {"bitand(6, 3)", "2"},
        {"bitor(6, 3)", "7"},
        {"floor(10*uniform(1)) - floor(10*uniform(1))", "0"},
    };
    for (size_t k = 0; k < sizeof table / sizeof *table; k++) {
        struct text text, expected;
        text_init(&text);
        text_init(&expected);
        text_printf(&text, "param P = 1\nwork 1 + %s\n", table[k].formula);
        text_printf(&expected, "0 m 0/1 1 done w %s\n",
                    number_text(1 + strtod(table[k].value, NULL), NUMBER_BUFFER));
        expect_events(text.s, expected.s);
        text_free(&text);
        text_free(&expected);
    }
}

/* uniform is in [0, 1), differs between arguments, and has about the mean 1/2. */
static void uniform_numbers_are_spread(void **state)
{
    (void)state;
    expect_events("param P = 1\n"
                  "s = 0\n"
                  "q = 0\n"
                  "bad = 0\n"
                  "for k = 1 to 10000\n"
                  "  s = s + uniform(k)\n"
                  "  q = q + uniform(k)*uniform(k, 1)\n"
                  "  bad = bad + 1 if not 0 <= uniform(k) < 1 or uniform(k) == uniform(k + 1)\n"
                  "end\n"
                  "work bad\n"
                  "work 1 if 4900 < s < 5100 and 2400 < q < 2600\n",
                  "0 m 0/1 1 done w 1\n");
}

static void comments_and_continued_lines(void **state)
{
    (void)state;
    expect_events("# the whole line\n"
                  "param P = 1   # the rest\n"
                  "\n"
                  "work 1 + \\\n"
                  "     2 \\  \n"
                  "     + 4   # \\\n"
                  "\tsync\r\n"
                  "work 8",
                  "0 m 0/1 1 sync w 7 out 0 in 0 sent 0 received 0 from -\n"
                  "0 m 0/1 2 done w 8\n");
}

static void initial_times(void **state)
{
    (void)state;
    struct diag *diag = diag_create();
    struct obsp_source *s =
        notation_of("param P = 3\nfirst = 2\nstart first*i\nstart 1 if i == 2\nsync\n", NULL, diag);
    assert_non_null(s);
    assert_true(s->start(s, 0) == 0 && s->start(s, 1) == 2 && s->start(s, 2) == 5);
    struct obsp_event e;
    assert_true(s->next(s, 2, &e));
    assert_int_equal(e.kind, OBSP_SYNC);
    assert_true(e.work == 0 && s->start(s, 2) == 5);
    s->free(s);
    diag_destroy(diag);
}

static void events_know_their_lines(void **state)
{
    (void)state;
    struct diag *diag = diag_create();
    struct obsp_source *s = notation_of("param P = 1\n\nsync\nwork 1\n", NULL, diag);
    struct obsp_event e;
    assert_null(s->where(s, 0));
    assert_true(s->next(s, 0, &e));
    assert_string_equal(s->where(s, 0), "test.obsp:3");
    assert_true(s->next(s, 0, &e) && e.kind == OBSP_DONE);
    assert_true(s->next(s, 0, &e) && e.kind == OBSP_END);
    assert_true(s->next(s, 0, &e) && e.kind == OBSP_END);
    s->free(s);
    diag_destroy(diag);
}

/* The identities of groups that all have left are used again: there are never more than are alive. */
static void objects_do_not_pile_up(void **state)
{
    (void)state;
    struct diag *diag = diag_create();
    struct obsp_source *s =
        notation_of("param P = 4\nfor k = 1 to 1000\nsplit in 2\nsync\nend\nend\n", NULL, diag);
    unsigned most = 0;
    for (int round = 0; round < 3000; round++) {
        for (int process = 0; process < 4; process++) {
            struct obsp_event e;
            assert_true(s->next(s, process, &e));
            assert_int_not_equal(e.kind, OBSP_END);
            most = e.object > most ? e.object : most;
        }
    }
    assert_true(most <= 4);
    s->free(s);
    diag_destroy(diag);
}

/* A source that is freed early, with events that nobody took. */
static void a_source_may_be_left(void **state)
{
    (void)state;
    struct diag *diag = diag_create();
    struct obsp_source *s =
        notation_of("param P = 4\nfor k = 1 to 9\nsplit in 2\nsend 0 : 1\noblsync\nend\nsend 1 : "
                    "2\nsync\nend\n",
                    NULL, diag);
    struct obsp_event e;
    for (int k = 0; k < 7; k++)
        assert_true(s->next(s, 2, &e));
    s->free(s);
    diag_destroy(diag);
}

/* A machine that has one figure: flop() = 3 s. */
static double three(const void *curves, const struct formula_function *f, const double *x, size_t n)
{
    (void)curves;
    (void)f;
    (void)x;
    (void)n;
    return 3;
}

static const char *lacks(const void *curves, const struct formula_function *f, size_t n,
                         struct arena *a)
{
    (void)curves;
    (void)n;
    (void)a;
    return strcmp(f->name, "flop") == 0 ? NULL : "this machine has no such figure";
}

static void formulas_ask_the_machine(void **state)
{
    (void)state;
    const struct formula_machine machine = {
        .name = "x", .date = "", .value = three, .lacks = lacks};
    struct obsp_values values = {.machine = &machine};
    expect_events_with("param P = 1\nparam t = flop()\nwork t + (i + 1)*flop()\n", &values,
                       "0 m 0/1 1 done w 6\n");
    expect_error_with("param P = 1\nwork cycle()\n", &values,
                      "test.obsp:2:6: error: this machine has no such figure\n");
    expect_error(
        "param P = 1\nwork 2*flop()\n",
        "test.obsp:2:8: error: flop() asks the machine, and none is in use; name one, as in "
        "'obsp FILE on MACHINE', or write a number here\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_and_sends_make_a_superstep),
        cmocka_unit_test(all_others_ranges_and_lists_are_targets),
        cmocka_unit_test(repeated_messages_have_one_partner),
        cmocka_unit_test(the_end_has_the_work_that_is_left),
        cmocka_unit_test(loops_count_up_down_and_by_steps),
        cmocka_unit_test(conditions_choose_one_branch),
        cmocka_unit_test(branches_may_have_synchronisations),
        cmocka_unit_test(groups_have_their_own_numbers),
        cmocka_unit_test(groups_of_given_sizes_and_names_of_later_splits),
        cmocka_unit_test(a_split_does_not_end_the_superstep),
        cmocka_unit_test(procedures_recurse_into_halves),
        cmocka_unit_test(procedures_have_their_own_names),
        cmocka_unit_test(values_of_the_command_replace_defaults),
        cmocka_unit_test(functions_of_partners),
        cmocka_unit_test(uniform_numbers_are_spread),
        cmocka_unit_test(comments_and_continued_lines),
        cmocka_unit_test(initial_times),
        cmocka_unit_test(events_know_their_lines),
        cmocka_unit_test(objects_do_not_pile_up),
        cmocka_unit_test(a_source_may_be_left),
        cmocka_unit_test(formulas_ask_the_machine),
    };
    return RUN(tests);
}
