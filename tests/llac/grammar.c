/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bytes become commands (see grammar.h). When the bytes are used up every decision is the first
 * one. */
#define _GNU_SOURCE
#include "base/text.h"
#include "grammar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "llac/session.h"

struct bytes {
    const uint8_t *at, *end;
    struct text *out;
    const char *folder;
    bool irregular; /* something in the script is not finite, or the data is not */
};

static unsigned choose(struct bytes *b, unsigned n)
{
    return b->at < b->end ? *b->at++ % n : 0;
}

#define ONE_OF(b, list) list[choose(b, sizeof list / sizeof *list)]

static void say(struct bytes *b, const char *s)
{
    text_add(b->out, s);
}

static bool maybe(struct bytes *b)
{
    return choose(b, 3) == 1;
}

static void a_number(struct bytes *b)
{
    static const char *const numbers[] = {
        "1",    "2",    "1000",   "0",          "-1",
        "0.5",  "64",   "65536",  "3.7",        "1e9",
        "12",   "1e15", "1e-9",   "3000000000", "9223372036854775808",
        "2^10", "4*16", "1e-300", "1e308",      "-1e308",
        "nan",  "inf"};
    unsigned k = choose(b, sizeof numbers / sizeof *numbers);
    if (k >= 17)
        b->irregular = true;
    say(b, numbers[k]);
}

static void an_experiment(struct bytes *b)
{
    static const char *const names[] = {"f", "f", "f", "g", "w", "nosuch", "f@a", "f@N=64", "g@b"};
    say(b, ONE_OF(b, names));
}

static void a_variable(struct bytes *b)
{
    static const char *const names[] = {"N", "N", "P",      "M",   "K",
                                        "n", "a", "nosuch", "run", "count"};
    say(b, ONE_OF(b, names));
}

static void a_constant(struct bytes *b, const char *name)
{
    text_printf(b->out, "%s[%u]", name, choose(b, 4));
}

static void an_expression(struct bytes *b, unsigned depth)
{
    static const char *const operators[] = {"*", "+", "-", "/", "^"};
    static const char *const functions[] = {"log(", "sqrt(",  "log2(", "exp(",
                                            "abs(", "floor(", "cbrt(", "ceil("};
    unsigned kind = depth ? choose(b, 7) : choose(b, 2);
    if (kind == 0) {
        a_variable(b);
    } else if (kind == 1) {
        a_number(b);
    } else if (kind < 4) {
        an_expression(b, depth - 1);
        say(b, ONE_OF(b, operators));
        an_expression(b, depth - 1);
    } else if (kind == 4) {
        say(b, ONE_OF(b, functions));
        an_expression(b, depth - 1);
        say(b, ")");
    } else if (kind == 5) {
        static const char *const comparisons[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
        say(b, maybe(b) ? "(not " : "(");
        an_expression(b, depth - 1);
        say(b, ONE_OF(b, comparisons));
        an_expression(b, depth - 1);
        say(b, ")");
    } else {
        say(b, choose(b, 2) ? "min(" : "pow(");
        an_expression(b, depth - 1);
        say(b, ", ");
        an_expression(b, depth - 1);
        say(b, ")");
    }
}

/* lat(8*N), bw(f.w*N, P), flop() */
static void a_machine_call(struct bytes *b, const char *name)
{
    static const char *const functions[] = {"lat(", "bw(", "lat(", "barrier(", "g("};
    unsigned factor = choose(b, 4);
    if (factor == 3) {
        say(b, choose(b, 2) ? "flop()" : "fault()");
        return;
    }
    say(b, ONE_OF(b, functions));
    if (factor == 1)
        a_constant(b, name);
    else
        text_printf(b->out, factor ? "8" : "%s.w", name);
    say(b, "*");
    an_expression(b, 1);
    if (choose(b, 4) == 3)
        say(b, ", P");
    say(b, ")");
}

/* max(f[1]*N, f[2]*N^2), min(N, f[0], f[3]*P) */
static void a_choice(struct bytes *b, const char *name)
{
    unsigned operands = 2 + choose(b, 2);
    say(b, choose(b, 4) == 3 ? "min(" : "max(");
    for (unsigned i = 0; i < operands; i++) {
        say(b, i ? ", " : "");
        if (choose(b, 4) != 3) {
            a_constant(b, name);
            say(b, "*");
        }
        an_expression(b, 1);
    }
    say(b, ")");
}

/* A sum of terms, mostly linear in the constants. */
static void a_formula(struct bytes *b, const char *name)
{
    unsigned terms = 1 + choose(b, 4);
    for (unsigned i = 0; i < terms; i++) {
        if (i)
            say(b, choose(b, 4) == 3 ? " - " : " + ");
        unsigned kind = choose(b, 8);
        if (kind == 5) {
            an_expression(b, 2);
            continue;
        }
        if (kind == 7) {
            a_choice(b, name);
            continue;
        }
        a_constant(b, name);
        if (kind == 6) {
            say(b, choose(b, 2) ? "*N*" : "/");
            a_machine_call(b, name);
        } else if (kind) {
            say(b, kind == 4 ? "/" : "*");
            an_expression(b, kind < 3 ? 1 : 2);
        }
    }
}

static void a_condition(struct bytes *b)
{
    static const char *const comparisons[] = {" > ", " < ", " >= ", " == ", " != ", " <= "};
    unsigned begin = choose(b, 9);
    say(b, begin == 8   ? "CLOCK < 1e-3 and "
           : begin == 7 ? "not "
           : begin == 6 ? "simulated == 0 and "
           : begin == 5 ? "hosts <= 1 or "
                        : "");
    an_expression(b, 1);
    say(b, ONE_OF(b, comparisons));
    an_expression(b, 1);
    if (choose(b, 4) == 3) {
        say(b, choose(b, 2) ? " and " : " or ");
        a_condition(b);
    }
}

static void a_range(struct bytes *b)
{
    a_number(b);
    switch (choose(b, 5)) {
    case 3:
        say(b, ":");
        a_number(b);
        say(b, choose(b, 2) ? ":+" : ":");
        a_number(b);
        break;
    case 4:
        say(b, ",");
        a_number(b);
        break;
    default: break;
    }
}

static void values(struct bytes *b)
{
    say(b, " N=");
    a_range(b);
    while (maybe(b)) {
        say(b, " ");
        a_variable(b);
        say(b, "=");
        a_range(b);
    }
}

static void on_observable(struct bytes *b)
{
    static const char *const observables[] = {" on CLOCK", " on events", " on n", " on nosuch",
                                              " on SELF"};
    if (choose(b, 4) == 3)
        say(b, ONE_OF(b, observables));
}

/* A condition for one command alone. */
static void a_where(struct bytes *b)
{
    if (choose(b, 5) == 4) {
        say(b, " where ");
        a_condition(b);
    }
}

/* What fit, compare and search share. */
static void fit_options(struct bytes *b)
{
    on_observable(b);
    if (maybe(b))
        say(b, " nonneg");
    if (maybe(b)) {
        unsigned kind = choose(b, 5);
        say(b, kind == 0   ? " intervals none"
               : kind == 1 ? " intervals auto"
               : kind == 2 ? " intervals always"
               : kind == 3 ? " intervals on "
                           : " intervals ");
        if (kind >= 3)
            a_variable(b);
        if (kind >= 3 && choose(b, 4) == 3) {
            say(b, maybe(b) ? "/" : "*");
            a_variable(b);
        }
        if (kind == 4) {
            say(b, " at ");
            a_number(b);
            if (maybe(b)) {
                say(b, ", ");
                a_number(b);
            }
        }
    }
    if (choose(b, 5) == 4) {
        say(b, " max ");
        a_number(b);
    }
    if (choose(b, 5) == 4) {
        say(b, " threshold ");
        a_number(b);
        say(b, "%");
    }
    a_where(b);
}

static void a_path(struct bytes *b, const char *name)
{
    text_printf(b->out, " \"%s/%s\"", b->folder, name);
}

static void a_data_file(struct bytes *b)
{
    unsigned n = 0;
    while (grammar_data[n])
        n++;
    unsigned k = choose(b, n + 1);
    if (k >= GRAMMAR_REGULAR)
        b->irregular = true;
    if (k == n) {
        a_path(b, "saved.dat");
    } else {
        char name[64];
        snprintf(name, sizeof name, "%s.dat", grammar_data[k]);
        a_path(b, name);
    }
}

static void do_fit(struct bytes *b)
{
    say(b, "fit ");
    size_t at = b->out->n;
    an_experiment(b);
    char name[16];
    snprintf(name, sizeof name, "%s", b->out->s + at);
    name[strcspn(name, "@")] = 0; /* formulas have the plain name */
    if (choose(b, 3)) {
        say(b, " = ");
        a_formula(b, name);
    }
    if (choose(b, 5) == 4)
        say(b, choose(b, 2) ? " by P" : " by version");
    fit_options(b);
}

static void do_predict(struct bytes *b)
{
    say(b, "predict ");
    an_experiment(b);
    on_observable(b);
    values(b);
    a_where(b);
}

/* The files that a model is compared with. */
static void other_files(struct bytes *b)
{
    a_data_file(b);
    if (maybe(b))
        a_data_file(b);
    if (maybe(b))
        say(b, " where N > 2");
}

static void do_table(struct bytes *b)
{
    say(b, "table ");
    an_experiment(b);
    on_observable(b);
    unsigned form = choose(b, 5);
    if (form == 3) {
        say(b, " against");
        other_files(b);
    } else if (form == 4) {
        say(b, " where N > 2");
    }
}

static void do_crossover(struct bytes *b)
{
    say(b, "crossover ");
    an_experiment(b);
    say(b, " ");
    an_experiment(b);
    say(b, " over ");
    a_variable(b);
    for (unsigned i = choose(b, 3); i > 0; i--) {
        say(b, maybe(b) ? " to " : " ");
        a_variable(b);
        say(b, "=");
        a_number(b);
    }
}

static void do_rank(struct bytes *b)
{
    say(b, "rank");
    for (unsigned i = choose(b, 4); i > 0; i--) {
        say(b, " ");
        a_variable(b);
        say(b, "=");
        if (choose(b, 4) == 3)
            say(b, "N/2");
        else
            a_number(b);
    }
}

static void do_explain(struct bytes *b)
{
    say(b, "explain ");
    an_experiment(b);
    on_observable(b);
    values(b);
    a_where(b);
}

static void do_compare(struct bytes *b)
{
    say(b, "compare f");
    for (unsigned i = 1 + choose(b, 3); i > 0; i--) {
        say(b, " \"");
        a_formula(b, "f");
        say(b, "\"");
    }
    fit_options(b);
}

static void do_search(struct bytes *b)
{
    say(b, "search ");
    if (choose(b, 8) == 7)
        say(b, "all");
    else
        an_experiment(b);
    if (maybe(b)) {
        say(b, " in ");
        a_variable(b);
        if (maybe(b)) {
            say(b, ", ");
            a_variable(b);
        }
    }
    say(b, choose(b, 2) ? " terms 1" : " terms 2");
    if (choose(b, 4) == 3) {
        say(b, " with ");
        an_expression(b, 1);
        say(b, ", N^1.3");
    }
    if (choose(b, 4) == 3)
        say(b, " signed");
    fit_options(b);
}

static void do_advise(struct bytes *b)
{
    static const char *const units[] = {"s", "min", "h", ""};
    say(b, "advise ");
    an_experiment(b);
    on_observable(b);
    say(b, " for");
    if (choose(b, 8) != 7)
        values(b);
    if (maybe(b)) {
        say(b, " budget ");
        a_number(b);
        say(b, ONE_OF(b, units));
    }
    if (maybe(b)) {
        say(b, " beyond ");
        a_number(b);
    }
    a_where(b);
}

static void do_where(struct bytes *b)
{
    say(b, "where ");
    if (choose(b, 4) == 3)
        say(b, "all");
    else
        a_condition(b);
}

static void do_let(struct bytes *b)
{
    if (choose(b, 6) == 5) {
        say(b, "let none");
        return;
    }
    static const char *const observed[] = {"", "", "N/CLOCK + ", "CLOCK(P=1)/CLOCK*", "events*"};
    say(b, choose(b, 2) ? "let n = " : "let N = ");
    say(b, ONE_OF(b, observed));
    an_expression(b, 2);
}

/* What only definitions have. */
static void a_part(struct bytes *b)
{
    static const char *const parts[] = {"f",
                                        "f[0]",
                                        "f[1](N=N/2)",
                                        "f(P=1)/(P*f)",
                                        "g(N)",
                                        "w(N=2)",
                                        "v",
                                        "sum(i, 0, log2(P)-1, f(N=N/2^i))",
                                        "sum(i, 1, N, i*f[0])",
                                        "lat(8*N)",
                                        "f@a",
                                        "f@b[1]/f@a[1]",
                                        "f@N=64",
                                        "g@\"b\"(N=N/2)"};
    say(b, ONE_OF(b, parts));
    if (maybe(b)) {
        say(b, choose(b, 2) ? "*" : " - ");
        an_expression(b, 1);
    }
    if (maybe(b)) {
        say(b, choose(b, 2) ? " + " : "/");
        a_part(b);
    }
}

static void do_define(struct bytes *b)
{
    static const char *const heads[] = {
        "define w = ", "define w(N) = ", "define w(N, P) = ", "define v = ", "define v(P) = "};
    unsigned kind = choose(b, 9);
    if (kind == 8) {
        say(b, choose(b, 2) ? "define none" : "define");
        return;
    }
    say(b, ONE_OF(b, heads));
    a_part(b);
}

static void do_derive(struct bytes *b)
{
    say(b, "derive ");
    an_experiment(b);
    on_observable(b);
    say(b, " from ");
    a_part(b);
    while (maybe(b)) {
        say(b, ", ");
        a_part(b);
    }
}

static void do_composed(struct bytes *b)
{
    static const char *const commands[] = {"predict w", "table w",   "table w against f",
                                           "plot w",    "explain w", "plot w against f"};
    unsigned kind = choose(b, 6);
    say(b, commands[kind]);
    if (kind == 0 || kind == 3 || kind == 4)
        values(b);
    if (kind == 3 || kind == 5)
        say(b, " to plot.svg");
}

static void do_prepare(struct bytes *b)
{
    static const char *const ways[] = {"statistic min",
                                       "statistic median",
                                       "statistic mean",
                                       "statistic p10",
                                       "ranks mean",
                                       "ranks min",
                                       "ranks 1",
                                       "ranks max",
                                       "rounds skip 1",
                                       "rounds all",
                                       "rounds skip 3",
                                       "outliers keep",
                                       "outliers leave",
                                       "ranks -1",
                                       "rounds skip 1e9",
                                       "rounds auto",
                                       "disturbed keep",
                                       "disturbed leave",
                                       "statistic deviation",
                                       "statistic difference"};
    say(b, ONE_OF(b, ways));
}

static void do_show(struct bytes *b)
{
    static const char *const plain[] = {"list",      "show",  "let",      "where",
                                        "statistic", "ranks", "rounds",   "outliers",
                                        "help fit",  "? fit", "disturbed"};
    if (choose(b, 2)) {
        say(b, ONE_OF(b, plain));
        return;
    }
    say(b, "show ");
    an_experiment(b);
    on_observable(b);
    if (maybe(b))
        say(b, " spread");
    a_where(b);
}

static void do_load(struct bytes *b)
{
    say(b, choose(b, 2) ? "load" : "merge");
    a_data_file(b);
    if (maybe(b))
        a_data_file(b);
    if (maybe(b))
        say(b, " ignore formulas");
    if (maybe(b))
        say(b, choose(b, 2) ? " as a" : " as b");
}

static void do_check(struct bytes *b)
{
    static const char *const words[] = {" threshold 1%", " markdown", " github", " at N=", " at"};
    static const char *const labels[] = {" a", " b"};
    say(b, "check");
    for (unsigned i = 0; i < 2; i++) {
        if (maybe(b))
            say(b, ONE_OF(b, labels));
        else
            a_data_file(b);
    }
    for (unsigned n = choose(b, 3); n > 0; n--) {
        unsigned word = choose(b, 5);
        say(b, words[word]);
        if (word == 3)
            a_range(b);
    }
}

static void do_plot(struct bytes *b)
{
    say(b, "plot ");
    an_experiment(b);
    if (maybe(b))
        text_printf(b->out, "[%u]", choose(b, 5));
    on_observable(b);
    if (maybe(b)) {
        say(b, " over ");
        a_variable(b);
    }
    if (maybe(b)) {
        say(b, " by ");
        if (choose(b, 3) == 2)
            say(b, "version");
        else
            a_variable(b);
    }
    a_where(b);
    if (maybe(b))
        say(b, " speedup");
    if (maybe(b))
        say(b, choose(b, 2) ? " log" : " linear");
    if (choose(b, 5) == 4) {
        say(b, " to ");
        a_variable(b);
        say(b, "=");
        a_number(b);
    }
    if (choose(b, 6) == 5) {
        say(b, " with");
        other_files(b);
    }
    say(b, " to");
    a_path(b, "plot.svg");
}

static void do_write(struct bytes *b)
{
    static const char *const files[] = {"m.h", "m.py", "m.js", "m.gp", "m.tex", "m.json", "m.csv"};
    static const char *const reports[] = {"r.html", "r.pdf"};
    static const char *const sets[] = {"good.dat", "nosuch.dat"};
    unsigned what = choose(b, 4);
    if (what == 3) {
        say(b, "report");
        a_path(b, ONE_OF(b, reports));
        if (maybe(b)) {
            say(b, " ");
            an_experiment(b);
        }
        if (maybe(b)) {
            say(b, " beside");
            a_path(b, ONE_OF(b, sets));
        }
        return;
    }
    if (what == 2) {
        say(b, "save");
        a_path(b, "saved.dat");
        if (maybe(b))
            say(b, " version a");
        return;
    }
    say(b, "export");
    a_path(b, ONE_OF(b, files));
    if (maybe(b)) {
        say(b, " ");
        an_experiment(b);
    }
}

static void do_machine(struct bytes *b)
{
    static const char *const words[] = {"show", "use", "compare", "list", "add", "show"};
    static const char *const files[] = {"machine.json", "good.dat", "nosuch.json", "saved.dat"};
    unsigned word = choose(b, 6);
    text_printf(b->out, "machine %s", words[word]);
    for (unsigned i = 0; word < 5 && word != 3 && i < (word == 2 ? 2u : 1u); i++)
        a_path(b, ONE_OF(b, files));
    if (word == 4 && choose(b, 2))
        say(b, " replace");
}

static void a_picture(struct bytes *b)
{
    static const char *const files[] = {"p.svg", "p.svg", "p.png", "p.doc"};
    static const char *const times[] = {"0", "1us", "2500ns", "1", "nan", "1h"};
    say(b, " picture");
    if (maybe(b))
        a_path(b, ONE_OF(b, files));
    if (maybe(b))
        say(b, " measured");
    if (maybe(b))
        text_printf(b->out, " from %s", ONE_OF(b, times));
    if (maybe(b))
        text_printf(b->out, " until %s", ONE_OF(b, times));
}

static void do_obsp(struct bytes *b)
{
    static const char *const files[] = {"program.trace", "program.trace", "program.obsp",
                                        "good.dat"};
    static const char *const words[] = {" h sum",          " h max",
                                        " pattern random", " slower 1 by 2",
                                        " slower 9 by 2",  " supersteps all",
                                        " pattern",        " g*",
                                        " skip 1",         " skip 2",
                                        " skip",           " costs by process",
                                        " costs median",   " costs mean by process"};
    static const char *const names[] = {" g=", " L=", " g*", " L*", " W*", " N="};
    static const char *const asking[] = {
        " g=", " L=", " N=", " f[0]=", " replace 1 by ", " replace 2 to 3 by W+"};
    static const char *const asked[] = {"f",          "f[0]",   "f[7]",    "f(N=4096)",
                                        "f[1](N=64)", "0*no()", "no(1)*0", "sum(k,0,2,f(N=2^k))",
                                        "f@P=1"};
    say(b, "obsp");
    a_path(b, ONE_OF(b, files));
    if (choose(b, 4) == 3) {
        say(b, " on");
        a_path(b, "machine.json");
    }
    for (unsigned n = choose(b, 4); n > 0; n--) {
        if (maybe(b)) {
            say(b, ONE_OF(b, words));
        } else if (maybe(b)) {
            say(b, ONE_OF(b, asking));
            say(b, ONE_OF(b, asked));
        } else {
            say(b, ONE_OF(b, names));
            a_number(b);
        }
    }
    if (choose(b, 2))
        a_picture(b);
}

static void do_boundaries(struct bytes *b)
{
    static const char *const rest[] = {"", " working set 8*N", " working set",
                                       " scaling f[0] by g"};
    say(b, "boundaries ");
    an_experiment(b);
    if (maybe(b)) {
        say(b, " N=");
        a_number(b);
    }
    say(b, " on");
    a_path(b, "machine.json");
    say(b, ONE_OF(b, rest));
}

void grammar_script(struct text *out, const uint8_t *bytes, size_t size, const char *folder)
{
    static void (*const make[])(struct bytes *) = {
        do_fit,    do_fit,     do_predict,    do_table,    do_explain, do_compare,  do_search,
        do_advise, do_where,   do_let,        do_prepare,  do_show,    do_load,     do_plot,
        do_write,  do_machine, do_define,     do_define,   do_derive,  do_composed, do_obsp,
        do_rank,   do_check,   do_boundaries, do_crossover};
    enum { COMMANDS = sizeof make / sizeof *make, MOST = 12 };
    struct bytes b = {bytes, bytes + size, out, folder, false};
    say(&b, "load");
    a_data_file(&b);
    if (choose(&b, 5) == 4)
        a_data_file(&b);
    say(&b, "\n");
    if (choose(&b, 2)) {
        say(&b, "machine use");
        a_path(&b, "machine.json");
        say(&b, "\n");
    }
    for (unsigned i = 0; i < MOST && b.at < b.end; i++) {
        make[choose(&b, COMMANDS)](&b);
        say(&b, "\n");
    }
    if (b.irregular)
        say(&b, "# irregular\n");
}

/* ---- running ---- */

static char scratch[128];

static void remove_scratch(void)
{
    char command[256];
    snprintf(command, sizeof command, "/bin/rm -rf '%s'", scratch);
    if (system(command))
        _exit(1);
}

static FILE *begin(void)
{
    const char *base = getenv("TMPDIR");
    snprintf(scratch, sizeof scratch, "%.80s/cll-grammar-XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(scratch))
        abort();
    atexit(remove_scratch);
    setenv("CLL_MACHINES", scratch, 1);
    setenv("PATH", scratch, 1); /* gnuplot is not found: drawing would take most of the time */
    grammar_write_data(scratch);
    FILE *null = fopen("/dev/null", "w");
    if (!null)
        abort();
    return stderr = null;
}

/* Is there a word "nan" in the output? Names that contain it are no finding. */
static bool has_nan(const char *s)
{
    for (const char *p = s; (p = strstr(p, "nan")); p += 3) {
        bool inside = (p > s && strchr("abcdefghijklmnopqrstuvwxyz_", p[-1])) ||
                      (p[3] && strchr("abcdefghijklmnopqrstuvwxyz_", p[3]));
        if (!inside)
            return true;
    }
    return false;
}

/* Numbers that are printed when a value was out of a type's range. */
static const char *wrong(const char *output, const char *script)
{
    static const char *const never[] = {"-nan", "2147483647", "-2147483648", "4294967295",
                                        "18446744073709551615"};
    for (size_t i = 0; i < sizeof never / sizeof *never; i++)
        if (strstr(output, never[i]) && !strstr(script, never[i])) /* formulas are shown again */
            return never[i];
    if (!strstr(script, "# irregular") && has_nan(output))
        return "nan";
    return NULL;
}

void grammar_run(const uint8_t *bytes, size_t size)
{
    static FILE *null;
    if (!null)
        null = begin();
    struct text script;
    text_init(&script);
    grammar_script(&script, bytes, size, scratch);
    char *output = NULL, path[192];
    size_t length = 0;
    FILE *out = open_memstream(&output, &length);
    if (!out)
        abort();
    snprintf(path, sizeof path, "%s/saved.dat", scratch);
    unlink(path); /* each script by itself: else a finding could not be shown again */
    struct session *s = session_create(out);
    s->json = size && bytes[size - 1] & 1;
    session_run(s, "script", script.s, script.n, true);
    session_destroy(s);
    fclose(out);
    const char *found = wrong(output, script.s);
    if (found) {
        dprintf(STDERR_FILENO, "the output holds '%s':\n%s---\n%s", found, script.s, output);
        abort();
    }
    free(output);
    text_free(&script);
}
