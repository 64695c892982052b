/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dumps of callgrind: compressed names and positions, calls, nested regions, damage. */
#include "harness/unit.h"

#include "count/counts.h"

struct seen {
    size_t parts, costs;
    char text[4096]; /* of the costs: "FILE:LINE@ADDRESS=COST " */
    char trigger[64];
    unsigned thread;
    long pid;
};

static void on_part(void *user, const struct callgrind_part *part)
{
    struct seen *s = user;
    s->parts++;
    s->thread = part->thread;
    s->pid = part->pid;
    snprintf(s->trigger, sizeof s->trigger, "%s", part->trigger);
}

static void on_cost(void *user, const struct callgrind_cost *c)
{
    struct seen *s = user;
    size_t used = strlen(s->text);
    s->costs++;
    snprintf(s->text + used, sizeof s->text - used, "%s:%lu@%llx=%llu ", c->file, c->line,
             (unsigned long long)c->address, (unsigned long long)c->costs[0]);
}

static int read_text(const char *text, struct seen *s, const char **why)
{
    static char message[512];
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    struct source source = {"dump", text, strlen(text)};
    struct callgrind_handler h = {.user = s, .part = on_part, .cost = on_cost};
    memset(s, 0, sizeof *s);
    int result = callgrind_read(&source, &h, a, diag);
    const char *first = diag_first(diag, SEVERITY_ERROR);
    snprintf(message, sizeof message, "%s", first ? first : "");
    if (why)
        *why = message;
    diag_destroy(diag);
    arena_destroy(a);
    return result;
}

#define HEAD                                                                                       \
    "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 77\ncmd: ./x\npart: 1\n"      \
    "thread: 2\n\ndesc: Trigger: Client Request: hello\n\npositions: instr line\nevents: Ir\n"

static void names_and_positions_are_expanded(void **state)
{
    (void)state;
    struct seen s;
    assert_int_equal(read_text(HEAD "summary: 15\n\nob=(1) /bin/x\nfl=(1) x.c\nfn=(1) main\n"
                                    "0x10 4 5\n+4 +1 3\n* * 2\n-4 -2 1\n"
                                    "fl=(2) y.c\nfn=(2) f\n0x20 9 4\nfi=(1)\n+4 7\nfe=(2)\n"
                                    "totals: 15\n",
                               &s, NULL),
                     0);
    assert_string_equal(s.text,
                        "x.c:4@10=5 x.c:5@14=3 x.c:5@14=2 x.c:3@10=1 y.c:9@20=4 x.c:7@24=0 ");
    assert_int_equal(s.pid, 77);
    assert_int_equal(s.thread, 2);
    assert_string_equal(s.trigger, "hello");
}

/* The cost of a call is that of the called function; its position and file do not last. */
static void calls_are_read_over(void **state)
{
    (void)state;
    struct seen s;
    assert_int_equal(read_text(HEAD "fl=(1) x.c\nfn=(1) main\n0x10 4 5\n"
                                    "fi=(2) y.h\ncfi=(3) z.c\ncob=(2) /lib/z\ncfn=(2) z\n"
                                    "calls=3 0x500 12\n0x80 90 1000\n+4 +1 2\n"
                                    "calls=1 +8 *\n* * 7\nfi=(2)\n+4 * 1\nfn=(3) g\n0x30 1 1\n"
                                    "totals: 9\n",
                               &s, NULL),
                     0);
    assert_string_equal(s.text, "x.c:4@10=5 x.c:5@14=2 y.h:5@18=1 x.c:1@30=1 ");
}

static void a_file_may_have_several_parts(void **state)
{
    (void)state;
    struct seen s;
    assert_int_equal(read_text(HEAD "fl=(1) x.c\nfn=(1) f\n0x10 4 5\ntotals: 5\n\npart: 2\n"
                                    "desc: Trigger: Program termination\npositions: instr line\n"
                                    "events: Ir Dr\nfl=(1)\nfn=(1)\n0x10 4 2 1\ntotals: 2 1\n",
                               &s, NULL),
                     0);
    assert_int_equal(s.parts, 2);
    assert_int_equal(s.pid, 77);
    assert_string_equal(s.trigger, "Program termination");
    assert_string_equal(s.text, "x.c:4@10=5 x.c:4@10=2 ");
}

static void damaged_files_are_refused_with_a_reason(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"", "no part"},
        {"hello\n", "'pid:' or 'events:'"},
        {HEAD "fl=(1) x.c\nfn=(1) f\n0x10 4 5\n", "ends before"},
        {HEAD "fl=(1) x.c\nfn=(1) f\n0x10 4 5\ntotals: 6\n", "add up"},
        {HEAD "fl=(1) x.c\nfn=(7)\n0x10 4 5\ntotals: 5\n", "not given before"},
        {HEAD "fl=(x\n", "number of a name"},
        {HEAD "0x10 4 5 6\n", "a cost"},
        {HEAD "0x10 4 five\n", "a cost"},
        {HEAD "0x10 4 99999999999999999999999\n", "a cost"},
        {HEAD "zero 4 5\n", "a position"},
        {"pid: 1\n0x10 4 5\n", "events:"},
        {"pid: 1\npositions: bb\n", "positions"},
        {"pid: many\n", "a number"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct seen s;
        const char *why;
        assert_int_equal(read_text(cases[i].text, &s, &why), -1);
        if (!strstr(why, cases[i].why))
            fail_msg("case %zu: '%s' does not say '%s'", i, why, cases[i].why);
    }
}

/* ---- executions ---- */

#define PART(label, costs, total)                                                                  \
    "part: 1\nthread: 1\ndesc: Trigger: Client Request: " label                                    \
    "\npositions: instr line\nevents: Ir\nob=(1) /bin/x\nfl=(1) x.c\nfn=(1) main\n" costs          \
    "totals: " total "\n"

static struct counts *counts_of(struct arena *a, const char *text)
{
    struct counts *c = counts_create(a, "/bin/x", false);
    struct source source = {"dump", text, strlen(text)};
    struct diag *diag = diag_create();
    counts_leave_out(c, "src/x.c", 50);
    assert_int_equal(counts_parse(c, &source, diag), 0);
    diag_destroy(diag);
    counts_finish(c);
    return c;
}

static void an_outer_execution_contains_the_inner_one(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct counts *c =
        counts_of(a, "pid: 5\n" PART("cll 3 4 1", "0x10 4 5\n", "5")
                         PART("cll 3 4 1,2 2 in M=1 a%20b=0.5", "0x10 4 2\n0x14 5 7\n", "9")
                             PART("cll 3 4 1 1 out N=40", "0x14 5 1\n", "1"));
    assert_int_equal(c->nexecutions, 2);
    const struct execution *out = &c->executions[0], *in = &c->executions[1];
    assert_string_equal(out->experiment, "out");
    assert_string_equal(in->experiment, "in");
    assert_near(out->totals[0], 15, 0);
    assert_near(in->totals[0], 9, 0);
    assert_int_equal(out->n, 2);
    assert_near(out->counts[0].count, 7, 0);
    assert_near(out->counts[1].count, 8, 0);
    assert_int_equal(in->rank, 3);
    assert_int_equal(in->processes, 4);
    assert_int_equal(in->nvalues, 2);
    assert_string_equal(in->names[1], "a b");
    assert_near(in->values[1], 0.5, 0);
    assert_near(out->values[0], 40, 0);
    arena_destroy(a);
}

static void the_runtime_and_pragmas_are_left_out(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct counts *c = counts_of(a, "pid: 5\n" PART("cll 0 1 1 1 f",
                                                    "0x10 4 5\n0x14 50 9\n"
                                                    "fi=(2) /usr/include/cll.h\n0x18 4 3\n"
                                                    "fi=(3) src/cll/count/count.c\n0x1c 4 3\n",
                                                    "20"));
    assert_int_equal(c->nexecutions, 1);
    assert_near(c->executions[0].totals[0], 5, 0);
    assert_near(c->left_out, 15, 0);
    arena_destroy(a);
}

/* The call at 0x14 returns to 0x18. Bytes of both executions that are open belong to both. */
static void blocks_of_memory_have_the_line_of_their_call(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct counts *c = counts_of(
        a, "pid: 5\n" PART("cll 0 1 1,2 @s18:64 @c18:8 2 in N=3", "0x10 4 2\n0x14 7 1\n0x20 9 1\n",
                           "4") PART("cll 0 1 1 @s18:36 @sffff:5 1 out N=3", "0x10 4 1\n", "1"));
    assert_int_equal(c->nexecutions, 2);
    const struct execution *out = &c->executions[0], *in = &c->executions[1];
    double set = 0, copied = 0, lost = 0;
    for (size_t i = 0; i < out->n; i++) {
        const struct counted_instruction *k = &c->instructions[out->counts[i].instruction];
        bool placed = k->line == 7 && !strcmp(k->file, "x.c");
        set += k->kind == COUNTED_SET && placed ? out->counts[i].count : 0;
        copied += k->kind == COUNTED_COPY && placed ? out->counts[i].count : 0;
        lost += k->kind == COUNTED_SET && !*k->file ? out->counts[i].count : 0;
    }
    assert_near(set, 100, 0);
    assert_near(copied, 8, 0);
    assert_near(lost, 5, 0);
    assert_near(out->totals[0], 5, 0); /* bytes are no instructions */
    assert_string_equal(in->experiment, "in");
    assert_near(in->values[0], 3, 0);
    arena_destroy(a);
}

static void executions_that_did_not_end_and_other_dumps_do_not_count(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    struct counts *c = counts_of(a, "pid: 5\n" PART("cll 0 1 1", "0x10 4 5\n", "5")
                                        PART("something else", "0x10 4 5\n", "5"));
    assert_int_equal(c->nexecutions, 0);
    arena_destroy(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_and_positions_are_expanded),
        cmocka_unit_test(calls_are_read_over),
        cmocka_unit_test(a_file_may_have_several_parts),
        cmocka_unit_test(damaged_files_are_refused_with_a_reason),
        cmocka_unit_test(an_outer_execution_contains_the_inner_one),
        cmocka_unit_test(the_runtime_and_pragmas_are_left_out),
        cmocka_unit_test(blocks_of_memory_have_the_line_of_their_call),
        cmocka_unit_test(executions_that_did_not_end_and_other_dumps_do_not_count),
    };
    return RUN(tests);
}
