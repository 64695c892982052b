/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every command on data that says little or nothing: no samples, one point, zeros, values at the
 * ends of what a double holds, many variables. Nothing may crash, no text may show a number that is
 * none, and --json prints JSON. */
#include "harness/unit.h"

#include <jansson.h>
#include <unistd.h>

#include "llac/cmd/commands.h"
#include "llac/session.h"

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
};

static void put_rows(FILE *out, const struct data_set *d)
{
    fprintf(out, "# cll-data 1\n# experiment: f\n# variables: f N\n%s", d->header);
    fputs("experiment run seq start nested P rank thread count N CLOCK\n", out);
    for (int i = 0; d->n[i]; i++)
        fprintf(out, "f 0 %d %d 0 1 0 0 1 %s %s\n", i, i, d->n[i], d->clock[i]);
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

/* % stands for the file. */
static void run_command(struct session *s, const struct data_set *d, const char *command,
                        const char *path)
{
    char *text = NULL, line[512];
    size_t size, before = strcspn(command, "%");
    bool file = command[before] && !command[before + 1];
    snprintf(line, sizeof line, "%.*s%s", (int)(file ? before : strlen(command)), command,
             file ? path : "");
    s->out = open_memstream(&text, &size);
    session_run(s, "test", line, strlen(line), true);
    fclose(s->out);
    if (s->json)
        check_json(d, line, text);
    else
        check_text(d, line, text);
    free(text);
}

static void run_state(const struct data_set *d, char *path, const char *state, bool json)
{
    struct session *s = session_create(stdout);
    struct arena *a = arena_create();
    struct diag *diag = diag_create();
    s->json = json;
    if (path)
        session_load(s, &path, 1, true, NULL, a, diag);
    run_command(s, d, state, path);
    for (size_t i = 0; i < sizeof script / sizeof *script; i++)
        run_command(s, d, script[i], path ? path : "nothing.dat");
    session_destroy(s);
    arena_destroy(a);
    diag_destroy(diag);
}

/* Without `all` every eighth state, other ones for each set. */
static bool all;

static void run_all(const struct data_set *d, char *path)
{
    static size_t next;
    for (size_t i = all ? 0 : next++ % 8; i < sizeof states / sizeof *states; i += all ? 1 : 8) {
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

/* No gnuplot: scripts are made and then not run. Messages are not looked at. */
static int set_up(void **state)
{
    (void)state;
    setenv("PATH", "/nowhere", 1);
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    stderr = fopen("/dev/null", "w"); /* sanitizers have their own */
    return stderr && mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(int argc, char **argv)
{
    (void)argv;
    all = argc > 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_survive_data_that_says_little),
        cmocka_unit_test(commands_survive_no_data),
        cmocka_unit_test(commands_survive_a_thousand_variables),
    };
    return RUN_WITH(tests, set_up, tear_down);
}
