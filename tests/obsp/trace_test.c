/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the reader gives of a trace, and what it refuses, with file and line. */
#include "obsp/written.h"

#include <math.h>
#include <sys/stat.h>

#define LINE(process, pid, step, rest)                                                             \
#process " m " #pid " 2 " #step " sync 1 1 1 1 8 8 1 1 " rest "\n"

/* The text is refused with a message that has both parts. */
static void refuse_bytes(const char *text, size_t n, const char *place, const char *message)
{
    struct fixture f;
    open_fixture(&f, 0, 0);
    const char *path = write_text(text, n);
    assert_int_equal(evaluate_path(&f, path), -1);
    assert_int_equal(diag_count(f.diag, SEVERITY_ERROR), 1);
    const char *got = diag_first(f.diag, SEVERITY_ERROR);
    char *where = arena_printf(f.arena, "%s:%s", path, place);
    if (!strstr(got, where) || !strstr(got, message)) {
        print_error("got: %s\nexpected: %s %s\n", got, where, message);
        fail();
    }
    close_fixture(&f);
}

static void refuse(const char *text, const char *place, const char *message)
{
    refuse_bytes(text, strlen(text), place, message);
}

static void events_are_read(void **state)
{
    (void)state;
    static const char text[] = "# pub trace 1\n# processes: 3\n# a remark\n" COLUMNS
                               "0 m.1:0 0 2 1 partition 1000 500 0 0 0 0 0 0 - 1500\n"
                               "0 m.1:0 0 2 1 oblsync 2000 0 300 400 16 32 1 2 0-1 4200\n"
                               "0 m.1:0 0 2 2 done 0 0 0 0 0 0 0 0 - 4300\n"
                               "1 m.1:0 1 2 1 partition 1 0 0 0 0 0 0 0 - 1\n"
                               "1 m.1:0 1 2 1 oblsync 1 0 0 0 0 0 0 0 - 2\n"
                               "# remarks may be anywhere\n\n"
                               "1 m.1:0 1 2 2 done 1 0 0 0 0 0 0 0 - 3\r\n"
                               "2 m.1:1 0 1 1 partition 1 0 0 0 0 0 0 0 - 1\n"
                               "2 m.1:1 0 1 1 done 1 0 0 0 0 0 0 0 - 2\n";
    struct diag *diag = diag_create();
    struct obsp_source *s = obsp_trace_open(write_text(text, sizeof text - 1), diag);
    struct obsp_event e;
    assert_non_null(s);
    assert_int_equal(s->processes, 3);
    assert_true(s->measured);
    assert_true(s->next(s, 0, &e));
    assert_int_equal(e.kind, OBSP_PARTITION);
    assert_string_equal(s->name(s, e.object), "m.1:0");
    assert_near(e.work, 1e-6, 1e-12);
    assert_near(e.calls, 0.5e-6, 1e-12);
    unsigned group = e.object;
    assert_true(s->next(s, 1, &e)); /* processes are read independently of each other */
    assert_int_equal(e.object, group);
    assert_true(s->next(s, 0, &e));
    assert_int_equal(e.kind, OBSP_OBLSYNC);
    assert_int_equal(e.pid, 0);
    assert_int_equal(e.nprocs, 2);
    assert_int_equal(e.step, 1);
    assert_near(e.wait, 0.3e-6, 1e-12);
    assert_near(e.transfer, 0.4e-6, 1e-12);
    assert_near(e.out, 16, 0);
    assert_near(e.in, 32, 0);
    assert_int_equal(e.sent, 1);
    assert_int_equal(e.received, 2);
    assert_int_equal(e.partner_count, 2);
    assert_int_equal(e.partners[1], 1);
    assert_near(e.end, 4.2e-6, 1e-12);
    assert_true(s->next(s, 0, &e));
    assert_int_equal(e.kind, OBSP_DONE);
    assert_true(s->next(s, 0, &e));
    assert_int_equal(e.kind, OBSP_END);
    assert_true(s->next(s, 0, &e));
    assert_int_equal(e.kind, OBSP_END);
    assert_true(s->next(s, 1, &e));
    assert_true(s->next(s, 1, &e));
    assert_int_equal(e.kind, OBSP_DONE);
    assert_string_equal(strrchr(s->where(s, 1), ':'), ":12");
    assert_int_equal(diag_count(diag, SEVERITY_NOTE), 0);
    s->free(s);
    diag_destroy(diag);
    unwrite();
}

static void further_columns_are_ignored_and_their_order_is_free(void **state)
{
    (void)state;
    static const char text[] =
        "# pub trace 1\n# processes: 1\n"
        "process end object colour pid nprocs step kind work calls wait transfer in out sent received partners\n"
        "0 9 m red 0 1 1 sync 5 0 4 0 7 3 0 0 -\n";
    struct diag *diag = diag_create();
    struct obsp_source *s = obsp_trace_open(write_text(text, sizeof text - 1), diag);
    struct obsp_event e;
    assert_non_null(s);
    assert_true(s->next(s, 0, &e));
    assert_near(e.work, 5e-9, 1e-12);
    assert_near(e.in, 7, 0);
    assert_near(e.end, 9e-9, 1e-12);
    s->free(s);
    diag_destroy(diag);
    unwrite();
}

static void damaged_heads_are_refused(void **state)
{
    (void)state;
    refuse("", "1", "the file is empty");
    refuse("N,seconds\n1,2\n", "1", "this is not a trace of libpub");
    refuse("# pub trace 2\n", "1", "version 2 of the format, and this llac reads version 1");
    refuse("# pub trace 1\n", "2", "the line with the names of the columns is missing");
    refuse("# pub trace 1\n" COLUMNS, "2", "lacks the line '# processes: N'");
    refuse("# pub trace 1\n# processes: 0\n" COLUMNS, "2", "from 1 to 1048576 processes");
    refuse("# pub trace 1\n# processes: 99999999999\n" COLUMNS, "2", "from 1 to 1048576 processes");
    refuse("# pub trace 1\n# processes: 1\nprocess object pid\n", "3", "there is no column nprocs");
    refuse(
        "# pub trace 1\n# processes: 1\nobject process pid nprocs step kind work calls wait transfer out in sent "
        "received partners end\n",
        "3", "the first column must be process");
    refuse("# pub trace 1\n# processes: 1\nprocess process\n", "3",
           "two columns have the same name");
}

static void damaged_files_are_refused(void **state)
{
    (void)state;
    static const char zeros[] = HEAD(2) LINE(0, 0, 1, "- 5") "\0\0\0\n";
    refuse(HEAD(2), "4", "has no supersteps");
    refuse(HEAD(2) LINE(0, 0, 1, "- 5"), "5",
           "should have 2 processes, but the lines end with process 0");
    refuse(HEAD(2) LINE(0, 0, 1, "- 5") "1 m 1 2 1 sy", "5", "the last line is cut off");
    refuse(HEAD(2) LINE(0, 0, 1, "- 5") LINE(1, 1, 1, "- 5") "# incomplete: process 1\n", "6",
           "process 1 could not write all of its lines");
    refuse_bytes(zeros, sizeof zeros - 1, "5", "bytes that are not text");
    refuse(HEAD(2) LINE(1, 1, 1, "- 5"), "4", "the first lines must be those of process 0");
    refuse(HEAD(2) LINE(0, 0, 1, "- 5") LINE(1, 1, 1, "- 5") LINE(0, 0, 2, "- 5"), "6",
           "lines of process 0 follow those of process 1");
    refuse(HEAD(2) LINE(0, 0, 1, "- 5") LINE(7, 1, 1, "- 5"), "5",
           "there is no process 7: the trace has 2");
    refuse(HEAD(2) "hello\n", "4", "a line begins with the number of a process");
}

static void damaged_lines_are_refused(void **state)
{
    (void)state;
#define SECOND HEAD(2) LINE(0, 0, 1, "- 5")
    refuse(SECOND "1 m 1 2 1 sync 1 1 1 1 8 8 1 1 -\n", "5",
           "the line has 15 fields, but the head of the file names 16");
    refuse(SECOND "1 m 1 2 1 sync 1 1 1 1 8 8 1 1 - 5 6\n", "5", "more than 16 fields");
    refuse(SECOND "1 m 1 2 1 snyc 1 1 1 1 8 8 1 1 - 5\n", "5", "'snyc' is not a kind of line");
    refuse(SECOND "1 m 1 2 1 sync -1 1 1 1 8 8 1 1 - 5\n", "5",
           "the column work has '-1': a whole number");
    refuse(SECOND "1 m 1 2 1 sync 1 1 1 1 8 99999999999999999999 1 1 - 5\n", "5",
           "the column in has");
    refuse(SECOND "1 m 2 2 1 sync 1 1 1 1 8 8 1 1 - 5\n", "5",
           "there is no processor 2 in an object of 2");
    refuse(SECOND "1 m 1 9 1 sync 1 1 1 1 8 8 1 1 - 5\n", "5", "from 1 to 2 processors, not 9");
    refuse(SECOND "1 m 0 2 1 sync 1 1 1 1 8 8 1 1 - 5\n", "5",
           "process 1 cannot be processor 0 of 2");
    refuse(SECOND "1 m 1 2 0 sync 1 1 1 1 8 8 1 1 - 5\n", "5", "supersteps are numbered from 1");
    static const char *const partners[] = {"2",  "0-2", "1,0",  "0,0", "1-0",
                                           "0,", ",0",  "0--1", "x",   "--"};
    for (size_t i = 0; i < sizeof partners / sizeof *partners; i++) {
        char text[1000];
        snprintf(text, sizeof text, SECOND "1 m 1 2 1 sync 1 1 1 1 8 8 1 1 %s 5\n", partners[i]);
        refuse(text, "5", "the column partners must be an ascending list of processors 0 .. 1");
    }
#undef SECOND
}

static void objects_must_be_begun_and_given_back(void **state)
{
    (void)state;
    refuse(HEAD(1) "0 m.1:0 0 1 1 sync 1 1 1 1 8 8 1 1 - 5\n", "4",
           "has not begun the object m.1:0");
    refuse(HEAD(1) "0 m.1:0.1:0 0 1 1 partition 1 1 1 1 8 8 1 1 - 5\n", "4",
           "has not begun the object that m.1:0.1:0 is made from");
    refuse(HEAD(1) "0 x 0 1 1 partition 1 1 1 1 8 8 1 1 - 5\n", "4",
           "has not begun the object that x is made from");
    refuse(
        HEAD(
            1) "0 m.1:0 0 1 1 partition 1 1 0 0 0 0 0 0 - 5\n0 m.1:0 0 1 1 partition 1 1 0 0 0 0 0 0 - 5\n",
        "5", "begins for the second time");
    refuse(HEAD(1) "0 m.1:0 0 1 1 partition 1 1 0 0 0 0 0 0 - 5\n", "4",
           "before it has given back m.1:0");
    refuse(HEAD(1) "0 m 0 1 3 sync 1 1 0 0 0 0 0 0 - 5\n0 m 0 1 5 sync 1 1 0 0 0 0 0 0 - 5\n", "5",
           "superstep 5 of m follows superstep 3");
    refuse(HEAD(1) "0 m.1c 0 1 1 dup 1 1 0 0 0 0 0 0 - 5\n0 m.1c 0 1 2 sync 1 1 0 0 0 0 0 0 - 5\n",
           "5", "superstep 2 of m.1c follows superstep 0");
    refuse(
        HEAD(
            2) "0 m.1:0 0 2 1 partition 1 1 0 0 0 0 0 0 - 5\n0 m.1:0 0 2 1 done 1 1 0 0 0 0 0 0 - 5\n"
               "1 m.1:0 0 1 1 partition 1 1 0 0 0 0 0 0 - 5\n1 m.1:0 0 1 1 done 1 1 0 0 0 0 0 0 - 5\n",
        "6", "m.1:0 has the processes 0 to 1 in another line, and 1 to 1 in this one");
    refuse(
        HEAD(2) "0 m.1:0 0 1 1 partition 1 1 0 0 0 0 0 0 - 5\n0 m.1:0.1:0 0 2 1 partition 1 1 0 0 0 0 0 0 - 5\n" LINE(
            1, 1, 1, "- 5"),
        "5", "a part of m.1:0 has processors that m.1:0 does not have");
}

/* Never a hang: what cannot go on is an error. */
static void supersteps_that_do_not_fit_together_are_refused(void **state)
{
    (void)state;
    refuse(HEAD(2) LINE(0, 0, 1, "1 5") LINE(0, 0, 2, "- 5") LINE(1, 1, 1, "- 5"), "5",
           "process 0 waits in superstep 2 of m for process 1, which never ends this superstep");
    refuse(HEAD(2) "0 m 0 2 1 oblsync 1 1 1 1 8 8 1 1 1 5\n1 m 1 2 1 done 1 1 1 1 8 8 1 1 - 5\n",
           "4", "process 0 waits in superstep 1 of m for process 1");
    refuse(HEAD(2) "0 m 0 2 1 oblsync 1 1 1 1 8 8 1 1 - 5\n" LINE(1, 1, 1, "- 5"), "5",
           "superstep 1 of m: process 1 does not agree with process 0 about how it ends");
    /* one waits for the other in two copies: a deadlock */
    refuse(HEAD(2) "0 m.1c 0 2 1 dup 1 1 0 0 0 0 0 0 - 5\n0 m 0 2 1 sync 1 1 0 0 0 0 0 0 - 5\n"
                   "0 m.1c 0 2 1 sync 1 1 0 0 0 0 0 0 - 5\n0 m.1c 0 2 2 done 1 1 0 0 0 0 0 0 - 5\n"
                   "1 m.1c 1 2 1 dup 1 1 0 0 0 0 0 0 - 5\n1 m.1c 1 2 1 sync 1 1 0 0 0 0 0 0 - 5\n"
                   "1 m 1 2 1 sync 1 1 0 0 0 0 0 0 - 5\n1 m.1c 1 2 2 done 1 1 0 0 0 0 0 0 - 5\n",
           "5", "process 0 waits in superstep 1 of m for process 1");
}

static void supersteps_that_some_never_make_are_refused(void **state)
{
    (void)state;
    refuse(HEAD(2) "0 m 0 2 1 oblsync 1 1 1 1 8 8 1 1 - 5\n1 m 1 2 1 done 1 1 1 1 8 8 1 1 - 5\n",
           "5", "process 1 ends here without superstep 1 of m, which process 0 makes");
}

static void refuse_path(const char *path, const char *message)
{
    struct diag *diag = diag_create();
    assert_null(obsp_trace_open(path, diag));
    assert_non_null(strstr(diag_first(diag, SEVERITY_ERROR), message));
    diag_destroy(diag);
}

static void parts_and_other_files_are_refused(void **state)
{
    (void)state;
    char folder[] = "/tmp/cll-test-obsp-XXXXXX", part[128], trace[64], pipe[64];
    assert_non_null(mkdtemp(folder));
    snprintf(trace, sizeof trace, "%s/x.trace", folder);
    snprintf(part, sizeof part, "%s.0.part", trace);
    snprintf(pipe, sizeof pipe, "%s/pipe", folder);
    refuse_path(trace, "No such file or directory");
    FILE *file = fopen(part, "w");
    assert_non_null(file);
    fclose(file);
    refuse_path(trace, "has died and left only parts");
    refuse_path(part, "this is the part of one process");
    refuse_path(folder, "not an ordinary file");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    refuse_path(pipe, "not an ordinary file");
    unlink(part);
    unlink(pipe);
    rmdir(folder);
}

/* 60,000 groups: numbers of objects are used again, names are not mixed up. */
static void many_objects_one_after_the_other(void **state)
{
    (void)state;
    enum { STEPS = 60000 };
    struct text t;
    struct fixture f;
    open_fixture(&f, 0, 1);
    text_init(&t);
    text_add(&t, HEAD(2));
    for (int p = 0; p < 2; p++)
        for (int s = 1; s <= STEPS; s++)
            text_printf(
                &t,
                "%d m.%d:%d 0 1 %d partition 1000000000 0 0 0 0 0 0 0 - 0\n%d m.%d:%d 0 1 1 done 0 0 0 0 0 0 0 0 - "
                "0\n%d m %d 2 %d sync 0 0 0 0 0 0 0 0 - 0\n",
                p, s, p, s, p, s, p, p, p, s);
    assert_int_equal(evaluate_path(&f, write_text(t.s, t.n)), 0);
    assert_near(f.result.obsp, 2.0 * STEPS, 1e-9);
    assert_int_equal(f.result.supersteps, STEPS);
    text_free(&t);
    close_fixture(&f);
}

/* Lines longer than a buffer. */
static void long_lists_of_partners_are_read(void **state)
{
    (void)state;
    enum { P = 3000 };
    struct text t;
    struct fixture f;
    open_fixture(&f, 1, 0);
    text_init(&t);
    text_printf(&t, "# pub trace 1\n# processes: %d\n" COLUMNS, P);
    for (int p = 0; p < P; p++) {
        text_printf(&t, "%d m %d %d 1 oblsync %d 0 0 0 2 1 0 0 ", p, p, P,
                    p == P - 1 ? 1000000000 : 0);
        if (p)
            text_add(&t, "-");
        for (int q = 1; q < P && p == 0; q += 2)
            text_printf(&t, "%s%d", q > 1 ? "," : "", q);
        text_add(&t, " 1\n");
    }
    assert_int_equal(evaluate_path(&f, write_text(t.s, t.n)), 0);
    assert_near(f.result.obsp, 3, 1e-12);
    assert_int_equal(f.result.path[0].process, P - 1);
    text_free(&t);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_are_read),
        cmocka_unit_test(further_columns_are_ignored_and_their_order_is_free),
        cmocka_unit_test(damaged_heads_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(damaged_lines_are_refused),
        cmocka_unit_test(objects_must_be_begun_and_given_back),
        cmocka_unit_test(supersteps_that_do_not_fit_together_are_refused),
        cmocka_unit_test(supersteps_that_some_never_make_are_refused),
        cmocka_unit_test(parts_and_other_files_are_refused),
        cmocka_unit_test(many_objects_one_after_the_other),
        cmocka_unit_test(long_lists_of_partners_are_read),
    };
    return RUN(tests);
}
