/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What TAB proposes, by what was typed before. */
#include "harness/unit.h"

#include "llac/complete.h"
#include "llac/commands.h"

static struct session *s;
static struct arena *a;
static FILE *null;

/* What can follow the line. A word that has begun must be left out. */
static struct completion after(const char *line)
{
    struct completion c;
    complete_line(s, a, line, strlen(line), &c);
    return c;
}

static bool proposes(const char *line, const char *word)
{
    struct completion c = after(line);
    for (size_t i = 0; i < c.n; i++)
        if (strcmp(c.words[i], word) == 0)
            return true;
    return false;
}

static bool proposes_files(const char *line)
{
    return after(line).files;
}

static void first_come_commands(void **state)
{
    (void)state;
    for (const struct command *k = commands; k->name; k++) {
        assert_true(proposes("", k->name));
        assert_true(proposes("list; ", k->name));
        assert_true(proposes("help ", k->name));
        assert_true(proposes("? ", k->name));
    }
    assert_false(proposes("", "sort"));
    assert_int_equal(after("nonsense ").n, 0);
}

static void experiments_follow_commands_about_them(void **state)
{
    (void)state;
    static const char *const lines[] = {"fit ",     "predict ", "table ",     "explain ",
                                        "compare ", "search ",  "advise ",    "plot ",
                                        "show ",    "derive ",  "export x.h "};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_true(proposes(lines[i], "sort"));
        assert_true(proposes(lines[i], "fft"));
        assert_false(proposes(lines[i], "N="));
    }
    assert_true(proposes("predict ", "whole")); /* a definition */
    assert_false(proposes("fit ", "whole"));
    assert_false(proposes("fit ", "on"));
}

static void variables_follow_the_experiment(void **state)
{
    (void)state;
    assert_true(proposes("predict sort ", "N="));
    assert_true(proposes("predict sort N=3 ", "P="));
    assert_true(proposes("predict sort N=3 ", "on"));
    assert_true(proposes("predict whole ", "M=")); /* the parameter of a definition */
    assert_true(proposes("explain sort ", "N="));
    assert_true(proposes("advise sort for ", "N="));
    assert_true(proposes("plot sort over ", "N"));
    assert_true(proposes("plot sort by ", "P"));
    assert_true(proposes("plot sort by ", "version"));
    assert_true(proposes("fit sort intervals on ", "N"));
    assert_true(proposes("search sort in ", "N"));
    assert_int_equal(after("predict sort N=").n, 0); /* a value */
    assert_false(proposes_files("predict sort N="));
}

static void observables_follow_on(void **state)
{
    (void)state;
    assert_true(proposes("fit init on ", "page-faults"));
    assert_true(proposes("show init on ", "CLOCK"));
    assert_true(proposes("show init on CLOCK ", "spread"));
    assert_true(proposes("fit init on ", "rate")); /* defined with let */
    assert_false(proposes("fit sort on ", "page-faults"));
    assert_false(proposes("fit init on ", "N"));
    assert_true(proposes_files("predict sort N=3 on ")); /* a machine */
    assert_false(proposes("predict sort N=3 on ", "CLOCK"));
}

static void functions_and_variables_are_for_formulas(void **state)
{
    (void)state;
    static const char *const formulas[] = {"fit sort = ",
                                           "fit sort = sort[0] + ",
                                           "fit sort = sort[0] + N*",
                                           "let n = ",
                                           "define x = ",
                                           "where ",
                                           "where N > 5 and ",
                                           "fit sort where ",
                                           "search sort with ",
                                           "compare sort \"sort[0] + ",
                                           "derive sort from "};
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        assert_true(complete_in_formula(a, formulas[i], strlen(formulas[i])));
        assert_true(proposes(formulas[i], "log("));
        assert_true(proposes(formulas[i], "N"));
    }
    assert_true(proposes("fit sort = ", "sort["));
    assert_true(proposes("fit sort = sort[0] ", "on"));
    assert_false(proposes("fit sort = ", "intervals")); /* an operand comes next */
    assert_false(proposes("fit sort = sort[0] + ", "on"));
    assert_false(proposes("fit sort = sort[0] ", "N")); /* an operator or a keyword does */
    assert_true(proposes("where N > 5 ", "and"));
    assert_true(proposes("where ", "all"));
    assert_true(proposes("where ", "rank"));
    assert_true(proposes("where ", "hosts"));
    assert_true(proposes("define x = ", "fft"));
    assert_false(proposes("fit sort = ", "rank"));
    assert_false(complete_in_formula(a, "fit sort ", 9));
    assert_false(complete_in_formula(a, "fit sort = sort[0] on ", 22));
}

static void files_follow_commands_that_read_or_write_them(void **state)
{
    (void)state;
    static const char *const lines[] = {"load ",         "load a.dat ",   "merge ",
                                        "save ",         "export ",       "source ",
                                        "save session ", "plot sort to ", "table sort against ",
                                        "obsp ",         "counts ",       "machine add ",
                                        "machine use "};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        assert_true(proposes_files(lines[i]));
    assert_false(proposes_files("obsp a.trace replace 2 to "));
    assert_true(proposes("load a.csv ", "time="));
    assert_true(proposes("save ", "session"));
    assert_false(proposes_files("fit "));
}

static void keywords_come_from_the_usage(void **state)
{
    (void)state;
    static const struct {
        const char *line, *word;
    } pairs[] = {{"fit sort ", "intervals"},
                 {"fit sort intervals ", "auto"},
                 {"statistic ", "median"},
                 {"statistic ", "p10"},
                 {"statistic ", "deviation"},
                 {"statistic ", "difference"},
                 {"ranks ", "mean"},
                 {"outliers ", "keep"},
                 {"machine ", "compare"},
                 {"plot sort ", "small"},
                 {"advise sort ", "budget"},
                 {"where ", "all"},
                 {"let ", "none"},
                 {"rounds ", "skip"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        assert_true(proposes(pairs[i].line, pairs[i].word));
}

/* Values of obsp, and what replaces computing, ask experiments and definitions. */
static void experiments_are_for_values_of_obsp(void **state)
{
    (void)state;
    static const char *const lines[] = {"obsp a.obsp c=", "obsp a.trace replace 2 by ",
                                        "obsp a.trace L = "};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_true(proposes(lines[i], "sort"));
        assert_true(proposes(lines[i], "whole"));
    }
    assert_true(proposes("obsp a.trace ", "replace"));
    assert_true(proposes("obsp a.trace costs by ", "process"));
    assert_false(proposes("obsp a.trace costs by ", "sort"));
}

/* Whatever was typed. */
static void nothing_typed_does_harm(void **state)
{
    (void)state;
    static const char line[] =
        "fit \"sort = ;x;predict sort[0] 'N=\t3  on where = = \"\" compare \"";
    for (size_t i = 0; i < sizeof line; i++) {
        struct completion c;
        complete_line(s, a, line, i, &c);
        complete_in_formula(a, line, i);
        assert_null(c.words[c.n]);
    }
}

int main(void)
{
    static const char commands_before[] = "load \"" DEMO_DATA "\"; let rate = N/CLOCK; "
                                          "define whole(M) = sort(N=M) + fft(N=M, P=2)";
    if (!(null = fopen("/dev/null", "w")))
        return 1;
    s = session_create(null);
    a = arena_create();
    if (session_run(s, "test", commands_before, strlen(commands_before), false))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_come_commands),
        cmocka_unit_test(experiments_follow_commands_about_them),
        cmocka_unit_test(variables_follow_the_experiment),
        cmocka_unit_test(observables_follow_on),
        cmocka_unit_test(functions_and_variables_are_for_formulas),
        cmocka_unit_test(files_follow_commands_that_read_or_write_them),
        cmocka_unit_test(keywords_come_from_the_usage),
        cmocka_unit_test(experiments_are_for_values_of_obsp),
        cmocka_unit_test(nothing_typed_does_harm),
    };
    int status = RUN(tests);
    arena_destroy(a);
    session_destroy(s);
    fclose(null);
    return status;
}
