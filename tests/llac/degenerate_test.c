/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every command on data that says little or nothing: no samples, one point, zeros, values at the
 * ends of what a double holds, many variables; and on a good file in which one column or one line
 * of the header holds what no program measures. Nothing may crash, hang or take memory without
 * bound, no text may show nan or inf as a result, and --json prints JSON. */
#define _GNU_SOURCE
#include "harness/unit.h"

#include <ftw.h>
#include <jansson.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/text.h"
#include "llac/session.h"
#include "llac/commands.h"

static char folder[] = "/tmp/cll-degenerate-XXXXXX";

struct data_set {
    const char *name, *header;
    const char *n[12], *clock[12]; /* of the rows; ended by NULL */
};
#define SIZES   "1", "2", "4", "8", "16", "32", "64", "128"
#define TIMES   "1e-6", "2e-6", "4e-6", "8e-6", "17e-6", "31e-6", "65e-6", "127e-6"
#define FORMULA "# formula: f CLOCK f[0] + f[1]*N\n"
static const struct data_set sets[] = {
    {"plain", FORMULA, {SIZES}, {TIMES}},
    {"no samples", FORMULA, {NULL}, {NULL}},
    {"one sample", FORMULA, {"4"}, {"1e-3"}},
    {"one point", FORMULA, {"4", "4", "4"}, {"1e-3", "2e-3", "1e-3"}},
    {"two points", FORMULA, {"4", "8"}, {"1e-3", "2e-3"}},
    {"all zero", FORMULA, {SIZES}, {"0", "0", "0", "0", "0", "0", "0", "0"}},
    {"one zero", FORMULA, {SIZES}, {"0", "2e-6", "4e-6", "8e-6", "2e-5", "3e-5", "6e-5", "1e-4"}},
    {"one that is not", FORMULA, {SIZES}, {"0", "0", "0", "0", "0", "0", "0", "1"}},
    {"equal", FORMULA, {SIZES}, {"1", "1", "1", "1", "1", "1", "1", "1"}},
    {"nothing measured",
     FORMULA,
     {SIZES},
     {"nan", "nan", "nan", "nan", "nan", "nan", "nan", "nan"}},
    {"some measured",
     FORMULA,
     {SIZES},
     {"nan", "2e-6", "nan", "8e-6", "nan", "nan", "6e-5", "nan"}},
    {"huge",
     FORMULA,
     {SIZES},
     {"1e308", "1e308", "1.7e308", "1e307", "1e308", "9e307", "1e308", "1e308"}},
    {"tiny",
     FORMULA,
     {SIZES},
     {"5e-324", "1e-323", "2e-323", "4e-323", "8e-323", "2e-322", "3e-322", "6e-322"}},
    {"wide",
     FORMULA,
     {SIZES},
     {"1e-300", "1e-200", "1e-100", "1", "1e100", "1e200", "1e300", "1e308"}},
    {"negative", FORMULA, {SIZES}, {"-1", "-2", "-4", "-8", "-16", "-32", "-64", "-128"}},
    {"both signs", FORMULA, {SIZES}, {"-1", "2", "-4", "8", "-16", "32", "-64", "128"}},
    {"infinite", FORMULA, {SIZES}, {"inf", "2e-6", "4e-6", "8e-6", "-inf", "3e-5", "6e-5", "1e-4"}},
    {"N zero", FORMULA, {"0", "0", "0", "1"}, {"1e-3", "1e-3", "1e-3", "2e-3"}},
    {"N negative", FORMULA, {"-1", "-2", "-4", "-8", "-16"}, {TIMES}},
    {"N huge", FORMULA, {"1e300", "1e301", "1e302", "1e305", "1e308"}, {TIMES}},
    {"N tiny", FORMULA, {"5e-324", "1e-323", "1e-320", "1e-310", "1e-300"}, {TIMES}},
    {"N wide", FORMULA, {"1e-300", "1e-100", "1", "1e100", "1e300", "1e308"}, {TIMES}},
    {"N nothing", FORMULA, {"nan", "1", "2", "nan", "4", "8"}, {TIMES}},
    {"N infinite", FORMULA, {"inf", "1", "2", "-inf", "4", "8"}, {TIMES}},
    {"overhead", FORMULA "# overhead: 1 0.5\n# resolution: 1\n", {SIZES}, {TIMES}},
    {"overhead huge", FORMULA "# overhead: 1e308 1e308\n# resolution: 1e308\n", {SIZES}, {TIMES}},
    {"no formula", "", {SIZES}, {TIMES}},
    {"no constants", "# formula: f CLOCK N*1e-6\n", {SIZES}, {TIMES}},
    {"constants of zero", "# formula: f CLOCK f[0]*(N - N) + f[1]*0\n", {SIZES}, {TIMES}},
    {"many constants",
     "# formula: f CLOCK f[0] + f[1]*N + f[2]*N^2 + f[3]*N^3 + f[4]*log(N)\n",
     {SIZES},
     {TIMES}},
};

/* What the session is in when the commands come. */
static const char *const states[] = {
    "",
    "where N > 1e9",
    "where N == 4",
    "where N >= 64",
    "statistic mean; ranks mean; rounds skip 1; disturbed keep; outliers keep",
    "statistic median; ranks 3",
    "statistic deviation; rounds all; disturbed keep",
    "statistic difference; ranks 3",
    "fit f = N*1e-9",
    "fit f = f[0]",
    "fit f = f[0]*1e-300",
    "fit f = f[0]*1e300 + f[1]*N",
    "fit f = f[0] + f[1]*N nonneg",
    "fit f = f[0] + f[1]*N intervals N at 4, 8, 64",
    "fit f = f[0]*N - f[1]*N",
    "let n = N/N; fit f = f[0]*n + f[1]",
    "search f",
};

static const char *const script[] = {
    "list",
    "show",
    "show f",
    "show f on CLOCK",
    "show f where N > 2",
    "predict f N=4 where N > 2",
    "plot f where N > 2 small",
    "show f on CYCLES",
    "where",
    "let",
    "statistic",
    "ranks",
    "rounds",
    "disturbed",
    "outliers",
    "table f",
    "explain f",
    "explain f N=4",
    "explain f N=1e9",
    "explain f N=0",
    "explain f N=1e308",
    "explain f N=-1 P=1",
    "predict f",
    "predict f N=4",
    "predict f N=0",
    "predict f N=1e308",
    "predict f N=-5",
    "predict f N=1:64:2",
    "predict f N=1e-300,1e300",
    "advise f for",
    "advise f for N=1000",
    "advise f for N=0",
    "advise f for N=1e308 budget 1s",
    "advise f for N=-1 beyond 1000000",
    "advise f for budget 0.001s",
    "compare f \"f[0]\" \"f[0] + f[1]*N\"",
    "compare f \"f[0]\"",
    "compare f \"N\" \"f[0]*N^2\"",
    "compare f \"f[0]*1e-300\" \"f[0]*1e300\"",
    "compare f \"f[0]*(N-N)\" \"f[0]*log(N)\"",
    "compare f \"f[0]/N\" \"1/N\" where N > 1e9",
    "plot f",
    "plot f over N",
    "plot f over P",
    "plot f[0]",
    "plot f[1] over N",
    "plot f log",
    "plot f linear",
    "fit f",
    "fit f on CYCLES",
    "fit f = f[0]*exp(N)",
    "fit f = f[0]*N^300",
    "fit f = f[0] + f[1]*N intervals on N max 20 threshold 0%",
    "fit f = f[0]*N nonneg intervals none",
    "fit f = f[0]*1e-300",
    "fit f = N",
    "search f in N terms 1",
    "search f terms 9 nonneg",
    "search f in N intervals none threshold 1000%",
    "table f against %",
    "merge %",
    "fit f",
    "table f",
    /* The rest of the table of commands; with `all` only, and on odd data. */
    "fit f by N",
    "fit f by P",
    "fit f by version",
    "fit f on SELF",
    "fit g on CPUTIME",
    "let n = N/P",
    "let rate = N/CLOCK",
    "show f on rate",
    "let s = CLOCK(P=1)/CLOCK",
    "show f on s",
    "where run == 0 and rank == 0 and thread == 0 and seq >= 0 and start > -1 and nested < 9",
    "show f",
    "where CLOCK < 1 and count == 1 and hosts > 0",
    "show f",
    "where all",
    "let none",
    "define w(N, P) = f + sum(i, 0, log2(P), g(N=N/2^i))",
    "predict w N=4 P=2",
    "explain w N=4 P=2",
    "table w against f",
    "plot w",
    "derive f from w, g",
    "define none",
    "rank N=1e6",
    "crossover f g over N",
    "crossover f g over N P=2 to N=1e308",
    "crossover f f over P N=4",
    "rank N=1e6 P=64",
    "rank N=N P=1e308",
    "plot f by P",
    "plot f by N speedup",
    "plot f small",
    "predict f N=4 P=1:1e6:10",
    "ranks 1",
    "fit f",
    "ranks mean",
    "fit f",
    "ranks min",
    "rounds skip 1",
    "fit f",
    "ranks auto",
    "rounds all",
    "save saved.dat",
    "check saved.dat %",
    "check saved.dat % at N=4",
    "load saved.dat",
    "list",
    "fit f",
    "counts broken.json",
    "boundaries f on broken.json",
    "machine use \"" TESTS_FOLDER "/llac/data/machine.json\"",
    "boundaries f on \"" TESTS_FOLDER "/llac/data/machine.json\"",
    "boundaries f N=8 on \"" TESTS_FOLDER "/llac/data/machine.json\" working set 8*N",
    "machine use none",
    "machine show broken.json",
    "machine use broken.json",
    "obsp %",
    "report x.html f rank N=1e6",
    "export x.h",
    "export x.py",
    "export x.js",
    "export x.gp",
    "export x.tex",
    "export x.json",
    "export x.csv",
    "save session x.llac",
    "source x.llac",
    "undo",
    "history",
    "help",
    "quit",
};

enum { SHORT = 60 };

static void every_command_is_in_the_script(void **state)
{
    (void)state;
    for (const struct command *k = commands; k->name; k++) {
        size_t n = strlen(k->name), i = 0, count = sizeof script / sizeof *script;
        while (i < count &&
               (strncmp(script[i], k->name, n) || (script[i][n] && script[i][n] != ' ')))
            i++;
        if (i == count)
            fail_msg("'%s' is a command: add it to the script", k->name);
    }
}

static void put_rows(FILE *out, const struct data_set *d)
{
    fprintf(out, "# cll-data 1\n# experiment: f\n# variables: f N\n%s", d->header);
    fputs("experiment run seq start nested P rank thread count N CLOCK\n", out);
    for (int i = 0; d->n[i]; i++)
        fprintf(out, "f 0 %d %d 0 1 0 0 1 %s %s\n", i, i, d->n[i], d->clock[i]);
}

static bool is_sanitized(void)
{
#if defined __SANITIZE_ADDRESS__
    return true;
#elif defined __has_feature
#if __has_feature(address_sanitizer)
    return true;
#endif
#endif
    return false;
}

/* What is done at the moment: for one that never ends, or ends all. */
static const char *with, *doing;
enum { LIMIT = 60 }; /* seconds of processor time for one data set */

static void on_signal(int number)
{
    signal(number, SIG_DFL);
    dprintf(STDOUT_FILENO, "signal %d: %s: '%s'\n", number, with, doing);
    raise(number);
}

/* cmocka has handlers of its own for each test. */
static void begin_with(const char *name)
{
    static const int signals[] = {SIGPROF, SIGSEGV, SIGABRT, SIGFPE, SIGBUS};
    for (size_t i = 0; i < (is_sanitized() ? 1 : sizeof signals / sizeof *signals); i++)
        signal(signals[i], on_signal);
    with = name;
    doing = "load";
    const struct itimerval limit = {.it_value = {.tv_sec = LIMIT}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

/* stderr is not there to see. */
#define give_up(...) (printf(__VA_ARGS__), fail())

/* Numbers that were not written as such. */
static void check_text(const struct data_set *d, const char *command, const char *text)
{
    static const char *const wrong[] = {"nane", "infe",   "e+2147", "e-2147",
                                        "-nan", "(null)", "-0 ",    "-0.0 "};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (strstr(text, wrong[i]))
            give_up("%s: '%s' printed '%s':\n%s", d->name, command, wrong[i], text);
}

static void check_json(const struct data_set *d, const char *command, char *text)
{
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        json_t *value = json_loads(line, JSON_DECODE_ANY, NULL);
        if (!value)
            give_up("%s: '%s' printed no JSON: %s", d->name, command, line);
        json_decref(value);
    }
}

/* A word % stands for the file. */
static void put_command(struct text *out, const char *command, const char *path)
{
    for (const char *p = command; *p; p++)
        if (*p == '%' && p > command && p[-1] == ' ' && (!p[1] || p[1] == ' '))
            text_printf(out, "%s", path);
        else
            text_printf(out, "%c", *p);
}

static void run_command(struct session *s, const struct data_set *d, const char *command,
                        const char *path)
{
    char *text = NULL;
    size_t size;
    struct text line;
    text_init(&line);
    put_command(&line, command, path);
    doing = command;
    s->out = open_memstream(&text, &size);
    session_run(s, "test", line.s, line.n, true);
    fclose(s->out);
    if (s->json)
        check_json(d, line.s, text);
    else
        check_text(d, line.s, text);
    text_free(&line);
    free(text);
}

/* Without `all` a part of the states, data sets and commands. */
static bool all;

static void run_state(const struct data_set *d, char *path, const char *state, bool json)
{
    size_t n = all ? sizeof script / sizeof *script : SHORT;
    struct session *s = session_create(stdout);
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    s->json = json;
    if (path)
        session_load(s, &path, 1, true, NULL, a, diag);
    run_command(s, d, state, path);
    for (size_t i = 0; i < n; i++)
        run_command(s, d, script[i], path ? path : "nothing.dat");
    session_destroy(s);
    arena_destroy(a);
    diag_destroy(diag);
}

/* Without `all` every sixteenth state, other ones for each set. */
static void run_all(const struct data_set *d, char *path)
{
    static size_t next;
    begin_with(d->name);
    for (size_t i = all ? 0 : next++ % 16; i < sizeof states / sizeof *states; i += all ? 1 : 16) {
        run_state(d, path, states[i], all || (i & 1));
        if (all)
            run_state(d, path, states[i], false);
    }
}

static void commands_survive_data_that_says_little(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        char path[64];
        snprintf(path, sizeof path, "%s/x.dat", folder);
        FILE *out = fopen(path, "w");
        put_rows(out, &sets[i]);
        fclose(out);
        run_all(&sets[i], path);
        unlink(path);
    }
}

static void commands_survive_no_data(void **state)
{
    (void)state;
    struct data_set none = {.name = "no data"};
    run_all(&none, NULL);
}

/* Fewer commands: each of them is about all variables. */
static void commands_survive_a_thousand_variables(void **state)
{
    static const char *const some[] = {"list",
                                       "show f",
                                       "fit f = f[0] + f[1]*v1",
                                       "table f",
                                       "predict f v1=3",
                                       "explain f v1=3",
                                       "advise f for v1=100",
                                       "plot f",
                                       "plot f over v999",
                                       "compare f \"f[0]\" \"f[0]*v1\"",
                                       "search f in v1, v2",
                                       "search f"};
    enum { VARIABLES = 1000 };
    struct data_set many = {.name = "many variables"};
    char path[64];
    (void)state;
    begin_with(many.name);
    snprintf(path, sizeof path, "%s/x.dat", folder);
    FILE *out = fopen(path, "w");
    fputs("# cll-data 1\n# experiment: f\n# variables: f", out);
    for (int v = 0; v < VARIABLES; v++)
        fprintf(out, " v%d", v);
    fputs("\nexperiment run seq start nested P rank thread count", out);
    for (int v = 0; v < VARIABLES; v++)
        fprintf(out, " v%d", v);
    fputs(" CLOCK\n", out);
    for (int i = 0; i < 4; i++) {
        fprintf(out, "f 0 %d 0 0 1 0 0 1", i);
        for (int v = 0; v < VARIABLES; v++)
            fprintf(out, " %d", (v + 1) * (i + 1));
        fprintf(out, " %d\n", i + 1);
    }
    fclose(out);
    for (int json = 0; json <= 1; json++) {
        struct session *s = session_create(stdout);
        struct arena *a = arena_create();
        struct diag *diag = diag_create();
        char *paths[] = {path};
        s->json = json;
        if (session_load(s, paths, 1, true, NULL, a, diag))
            give_up("%s", diag_first(diag, SEVERITY_ERROR));
        for (size_t i = 0; i < sizeof some / sizeof *some; i++)
            run_command(s, &many, some[i], path);
        session_destroy(s);
        arena_destroy(a);
        diag_destroy(diag);
    }
    unlink(path);
}

/* ---- what no program measures, in each place of a good file */

static const char *const columns[] = {"experiment", "run",     "seq",      "start", "nested",
                                      "P",          "rank",    "thread",   "count", "N",
                                      "CLOCK",      "CPUTIME", "disturbed"};
enum { COLUMNS = sizeof columns / sizeof *columns };

/* "" is a cell that is not there; LONG stands for a text of many bytes. */
#define LONG "long"
static const char *const odd[] = {"nan", "inf", "-inf", "1e308", "-1",
                                  "0",   "0.5", "1e15", "",      LONG};
enum { ODD = sizeof odd / sizeof *odd };

/* Lines of the header; % stands for the odd value. */
static const char *const lines[] = {"program: %",
                                    "driver: %",
                                    "host: %",
                                    "cpu: %",
                                    "compiler: %",
                                    "flags: %",
                                    "date: %",
                                    "clock: %",
                                    "job: %",
                                    "build: %",
                                    "label: %",
                                    "turns: %",
                                    "code: % f.c",
                                    "process: %",
                                    "process: 1.%.1.1 0 1",
                                    "process: 1.0.1.1 % 9",
                                    "process: 1.0.1.1 0 %",
                                    "world: %",
                                    "cores: %",
                                    "hosts: %",
                                    "ranks-per-host: % 1",
                                    "ranks-per-host: 1 %",
                                    "cores-per-host: % %",
                                    "hyper-threads: %",
                                    "ranks: % node",
                                    "ranks: 0-% node",
                                    "ranks: 0-9:% node",
                                    "folder: %",
                                    "resolution: %",
                                    "abandoned: %",
                                    "overhead: %",
                                    "overhead: 1e-9 %",
                                    "empty: %",
                                    "load: % 1",
                                    "load: 1 %",
                                    "steal: % 9",
                                    "steal: 0 %",
                                    "frequency: % 1",
                                    "thinned: %",
                                    "oversubscribed: %",
                                    "experiment: %",
                                    "formula: f CLOCK %",
                                    "formula: f CLOCK f[0] + f[1]*N^%",
                                    "formula: f % f[0]",
                                    "variables: g %",
                                    "source: f %",
                                    "source: f f.c:%-9",
                                    "absent: % x",
                                    "absent: CLOCK %",
                                    "note: %",
                                    "column: % = N",
                                    "column: N = %",
                                    "tuple: f N=% count=4 sum=1 min=1",
                                    "tuple: f N=4 count=% sum=% min=%",
                                    "total: f count=% sum=1 min=1",
                                    "rank: % node"};
enum { LINES = sizeof lines / sizeof *lines };

static const char *long_text(void)
{
    static char text[20001];
    memset(text, '9', sizeof text - 1);
    return text;
}

/* Which cells are odd: those of this column in the rows from `first` on; none: COLUMNS. */
struct oddity {
    const char *value;
    size_t column;
    unsigned first;
    const char *line; /* of the header; NULL: none */
};

static void put_cell(FILE *out, const struct oddity *o, size_t column, unsigned row,
                     const char *text)
{
    bool is_odd = column == o->column && row >= o->first;
    fprintf(out, "%s%s", column ? " " : "", is_odd ? o->value : text);
}

/* f calls g; the ranks of an execution of f differ a little. */
static void put_sample(FILE *out, const struct oddity *o, unsigned *row, const char *name,
                       double at, unsigned run, unsigned seq, unsigned p, unsigned rank, unsigned n)
{
    bool outer = *name == 'f';
    double time = 1e-6 * n / p * (outer ? 3 : 1) * (1 + 0.01 * ((run * 7 + rank * 3 + seq) % 5));
    char cells[COLUMNS][32];
    double values[COLUMNS] = {0, run, seq, at, outer, p, rank, 0, 1, n, time, time * 0.99, 0};
    snprintf(cells[0], sizeof cells[0], "%s", name);
    for (size_t c = 1; c < COLUMNS; c++)
        snprintf(cells[c], sizeof cells[c], "%.9g", values[c]);
    for (size_t c = 0; c < COLUMNS; c++)
        put_cell(out, o, c, *row, cells[c]);
    fputc('\n', out);
    ++*row;
}

enum { ROWS = 2 * 5 * 4 * 7, STEP = 8, SPARSE = 193 };

static void put_odd(const char *path, const struct oddity *o)
{
    FILE *out = fopen(path, "w");
    unsigned row = 0;
    fputs("# cll-data 1\n# world: 4\n# cores: 4\n# hosts: 1\n# clock: tsc\n# resolution: 1e-9\n"
          "# overhead: 4e-8 1e-9\n# empty: 2e-8\n",
          out);
    if (o->line) {
        fputs("# ", out);
        for (const char *p = o->line; *p; p++)
            *p == '%' ? fputs(o->value, out) : fputc(*p, out);
        fputc('\n', out);
    }
    fputs("# experiment: f\n# formula: f CLOCK f[0] + f[1]*N/P\n# variables: f N\n"
          "# experiment: g\n# formula: g CLOCK g[0]*N/P\n# variables: g N\n",
          out);
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(out, "%s%s", c ? " " : "", columns[c]);
    fputc('\n', out);
    for (unsigned run = 0; run < 5; run++)
        for (unsigned k = 0; k < 4; k++)
            for (unsigned p = 1; p <= 4; p *= 2)
                for (unsigned rank = 0; rank < p; rank++) {
                    double at = 0.01 * (run * 16 + k * 4 + p);
                    unsigned seq = k * 3 + p / 2;
                    put_sample(out, o, &row, "g", at + 1e-7, run, seq, p, rank, 64u << k);
                    put_sample(out, o, &row, "f", at, run, seq, p, rank, 64u << k);
                }
    fclose(out);
}

/* A session with the file; NULL: llac refuses it, with an error. */
static struct session *open_odd(const struct oddity *o, const char *name)
{
    char *paths[] = {(char[]){"x.dat"}};
    begin_with(name);
    put_odd(paths[0], o);
    struct session *s = session_create(stdout);
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    if (session_load(s, paths, 1, true, NULL, a, diag)) {
        assert_non_null(diag_first(diag, SEVERITY_ERROR));
        session_destroy(s);
        s = NULL;
    }
    arena_destroy(a);
    diag_destroy(diag);
    return s;
}

/* Every command; without `all` every STEPth one on every SPARSEth data set, others on each. */
static void run_odd(const struct oddity *o, size_t number)
{
    size_t step = all ? 1 : STEP;
    char name[200];
    if (!all && number % SPARSE)
        return;
    snprintf(name, sizeof name, "%s '%.20s' from row %u on", o->line ? o->line : columns[o->column],
             o->value, o->first);
    struct data_set d = {.name = name};
    struct session *s = open_odd(o, name);
    if (!s)
        return;
    s->json = number % 2;
    for (size_t i = number % step; i < sizeof script / sizeof *script; i += step)
        run_command(s, &d, script[i], "x.dat");
    session_destroy(s);
}

/* These crashed once: each with its command, also in make check. */
static void odd_data_that_crashed(void **state)
{
    static const struct {
        const char *value;
        size_t column;
        const char *command;
    } list[] = {{"inf", 9, "fit f by N"},
                {"-inf", 9, "fit f by N"},
                {"1", 7, "counts broken.json; machine use broken.json"}};
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct oddity o = {list[i].value, list[i].column, ROWS / 2, NULL};
        struct data_set d = {.name = list[i].command};
        struct session *s = open_odd(&o, d.name);
        assert_non_null(s);
        run_command(s, &d, list[i].command, "x.dat");
        session_destroy(s);
    }
}

/* In all rows, in half of them and in one. */
static void commands_survive_odd_cells(void **state)
{
    static const unsigned first[] = {0, ROWS / 2, ROWS - 1};
    (void)state;
    size_t n = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        for (size_t v = 0; v < ODD; v++)
            for (size_t f = 0; f < 3; f++) {
                const char *value = strcmp(odd[v], LONG) ? odd[v] : long_text();
                run_odd(&(struct oddity){value, c, first[f], NULL}, n++);
            }
}

static void commands_survive_odd_lines_of_the_header(void **state)
{
    (void)state;
    size_t n = 0;
    for (size_t c = 0; c < LINES; c++)
        for (size_t v = 0; v < ODD; v++) {
            const char *value = strcmp(odd[v], LONG) ? odd[v] : long_text();
            run_odd(&(struct oddity){value, COLUMNS, 0, lines[c]}, n++);
        }
}

/* No gnuplot: scripts are made and then not run. Messages are not looked at. */
static int set_up(void **state)
{
    struct rlimit most = {(rlim_t)4 << 30, (rlim_t)4 << 30};
    (void)state;
    setenv("PATH", "/nowhere", 1);
    setenv("DISPLAY", ":0", 1);
    setenv("CLL_MACHINES", "machines", 1);
    if (!is_sanitized() && setrlimit(RLIMIT_AS, &most))
        return -1;
    stderr = fopen("/dev/null", "w"); /* sanitizers have their own */
    if (!stderr || !mkdtemp(folder) || chdir(folder))
        return -1;
    FILE *broken = fopen("broken.json", "w");
    fputs("{", broken);
    return fclose(broken);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

static int tear_down(void **state)
{
    (void)state;
    return chdir("/") || nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int main(int argc, char **argv)
{
    (void)argv;
    all = argc > 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_survive_data_that_says_little),
        cmocka_unit_test(commands_survive_no_data),
        cmocka_unit_test(commands_survive_a_thousand_variables),
        cmocka_unit_test(every_command_is_in_the_script),
        cmocka_unit_test(odd_data_that_crashed),
        cmocka_unit_test(commands_survive_odd_cells),
        cmocka_unit_test(commands_survive_odd_lines_of_the_header),
    };
    return RUN_WITH(tests, set_up, tear_down);
}
