/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and texts made to break out of what llac writes: code, data, pictures, the terminal. They
 * are put into the data set directly, since loading refuses most of them. Compilers and
 * interpreters judge the result; whatever runs would leave the file `ran`. */
#include "harness/unit.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "llac/plot/script.h"

static char folder[] = "/tmp/cll-hostile-XXXXXX";

/* Those that any of the languages could take for its own, and those that become equal. */
static const char *const names[] = {
    "x*/ int evil = system(\"touch ran\"); /*",
    "*/#include \"ran.h\"/*",
    "//",
    "/*",
    "a\nimport os\nos.system('touch ran')\n#",
    "a\r\nsystem('touch ran')\r\n#",
    "\"\"\"",
    "'''",
    "'; touch ran; '",
    "\"; touch ran; \"",
    "'.system('touch ran').'",
    "`touch ran`",
    "$(touch ran)",
    "${x}",
    "@ran",
    "\\",
    "x\\",
    "\\input{ran}",
    "\\\\end{tabular}",
    "}}}",
    "{{{",
    "%s%n%d",
    "%",
    "#",
    "#!/bin/sh",
    "\?\?/",
    "x\?\?/\n",
    "lambda",
    "if",
    "None",
    "True",
    "import",
    "log",
    "max",
    "min",
    "math",
    "abs",
    "pi",
    "sum",
    "int",
    "double",
    "inline",
    "class",
    "new",
    "linux",
    "NAN",
    "INFINITY",
    "M_PI",
    "HUGE_VAL",
    "cll_max",
    "_",
    "__init__",
    "a.b",
    "a_b",
    "a->b",
    "a[1]",
    "a_1",
    "a_b_2",
    "1",
    "x,y",
    "x\"y",
    "=1+1",
    "=cmd|' /C calc'!A0",
    "-x",
    "gr\303\266\303\237e",
    "\377\376",
    "\033[31m\033]0;title\a",
    ("\302\233"
     "31m"),
    "\342\200\256",
    "</svg><script>",
    "&amp;",
    "x y",
    "\t",
    "",
};
enum { NAMES = sizeof names / sizeof *names, ROWS = 12 };

static struct session *session;
static struct arena *arena;

static struct experiment *make_experiment(struct dataset *d, const char *name, const char *v,
                                          const char *w)
{
    struct experiment *e = dataset_add_experiment(d, name);
    experiment_add_variable(d, e, v);
    if (strcmp(v, w) != 0)
        experiment_add_variable(d, e, w);
    experiment_add_observable(d, e, "CLOCK");
    experiment_add_source(d, e, name);
    experiment_set_formula(d, e, "CLOCK", name, 0);
    experiment_add_segment(e, 0);
    for (int i = 0; i < ROWS; i++) {
        double zero = 0, one = 1, x = 1 << i, y = 2 + i % 3, seq = i, time = 1e-6 + 1e-9 * x * y;
        const double *columns[FIELD_FIXED + 3];
        for (int j = 0; j < FIELD_FIXED; j++)
            columns[j] = &zero;
        columns[FIELD_SEQ] = &seq;
        columns[FIELD_P] = columns[FIELD_COUNT] = &one;
        columns[FIELD_FIXED] = &x;
        columns[FIELD_FIXED + 1] = e->nvariables > 1 ? &y : &time;
        columns[e->ncolumns - 1] = &time;
        experiment_append(e, columns, NULL, 1);
    }
    return e;
}

/* A fit with the experiment's variables in every kind of place; `divided` gives it a boundary. */
static void make_fit(const struct experiment *e, const char *text, bool divided)
{
    const char *from[] = {"V", "W"};
    const struct formula *by[] = {
        formula_variable(arena, experiment_variable(e, 0)->name),
        formula_variable(arena, experiment_variable(e, e->nvariables - 1)->name)};
    const struct formula *f =
        formula_parse_text(arena, "f[0] + f[1]*V*max(W, 1) + f[2]*log2(V)*cbrt(W)", "f", NULL);
    struct fit_state *state = session_state(session, e->name, "CLOCK");
    state->formula = formula_substitute(arena, f, from, by, 2);
    state->formula_text = text;
    if (divided) {
        static double at[] = {64};
        state->intervals.variable = experiment_variable(e, 0)->name;
        state->intervals.given = at;
        state->intervals.ngiven = 1;
        state->intervals.mode = INTERVALS_GIVEN;
    }
    struct diag *diag = diag_create();
    if (!session_fit(session, state, diag))
        fail_msg("%s", diag_first(diag, SEVERITY_ERROR));
    diag_destroy(diag);
}

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || chdir(folder))
        return -1;
    FILE *bait = fopen("ran.h", "w");
    fputs("#error ran\n", bait);
    fclose(bait);
    char number[16];
    snprintf(number, sizeof number, "%d", NAMES);
    setenv("NAMES", number, 1);
    session = session_create(stdout);
    arena = arena_create();
    static const char *bad;
    bad = names[4];
    struct data_file file = {.path = bad,
                             .program = bad,
                             .driver = bad,
                             .host = bad,
                             .cpu = bad,
                             .compiler = bad,
                             .flags = bad,
                             .date = bad,
                             .clock = bad,
                             .job = "",
                             .folder = ""};
    file.notes = &bad;
    file.nnotes = 1;
    dataset_add_file(session->data, &file);
    for (size_t i = 0; i < NAMES; i++)
        make_fit(make_experiment(session->data, names[i], names[i], names[(i + 1) % NAMES]),
                 names[(i + 2) % NAMES], i % 3 == 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    session_destroy(session);
    arena_destroy(arena);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") || system(command);
}

static void run_here(const char *command)
{
    session->out = fopen("/dev/null", "w");
    int status = session_run(session, "test", command, strlen(command), false);
    fclose(session->out);
    assert_int_equal(status, 0);
}

/* A command of the shell succeeds, and nothing of the data ran. */
static void judge(const char *program, const char *command)
{
    char found[256];
    snprintf(found, sizeof found, "command -v %s >/dev/null", program);
    if (system(found))
        skip();
    int status = system(command);
    assert_int_equal(status, 0);
    assert_int_equal(access("ran", F_OK), -1);
}

static void compilers_take_the_header(void **state)
{
    (void)state;
    run_here("export m.h");
    judge("cc", "printf '#include \"m.h\"\\nint main(void) { return 0; }\\n' >m.c && "
                "cc -std=gnu11 -Wall -Wextra -Werror -pedantic -trigraphs m.c -o m -lm && ./m");
    judge("c++", "c++ -x c++ -Wall -Wextra -Werror m.c -o m -lm && ./m");
}

static void python_takes_the_module(void **state)
{
    (void)state;
    run_here("export m.py");
    judge("python3", "cat >use.py <<'END'\n"
                     "import inspect, os, m\n"
                     "functions = [f for n, f in vars(m).items() if n.startswith('predict_')]\n"
                     "assert len(functions) == int(os.environ['NAMES'])\n"
                     "for f in functions:\n"
                     "    n = len(inspect.signature(f).parameters)\n"
                     "    assert n == 2, n\n"
                     "    for x in 2, 1000:\n"
                     "        want = 1e-6 + 1e-9*x*3\n"
                     "        got = f(x, 3)\n"
                     "        assert abs(got/want - 1) < 1e-3, (f, x, got, want)\n"
                     "END\n"
                     "python3 -B use.py");
}

static void node_takes_the_module(void **state)
{
    (void)state;
    run_here("export m.js");
    judge("node", "cp m.js m.mjs && cat >use.mjs <<'END'\n"
                  "import * as m from './m.mjs';\n"
                  "const names = Object.keys(m).filter((n) => n.startsWith('predict_'));\n"
                  "if (names.length !== 2*Number(process.env.NAMES)) process.exit(1);\n"
                  "for (const n of names) for (const x of [2, 1000]) {\n"
                  "  const p = m[n](x, 3), got = typeof p === 'number' ? p : p.value;\n"
                  "  if (!(Math.abs(got/(1e-6 + 1e-9*x*3) - 1) < 1e-3)) process.exit(2);\n"
                  "}\n"
                  "END\n"
                  "node use.mjs");
}

static void the_page_holds_no_other_scripts(void **state)
{
    (void)state;
    run_here("report m.html");
    judge("grep", "test \"$(grep -c '<script' m.html)\" = 3 && grep -q '</html>' m.html");
}

static void gnuplot_takes_the_functions(void **state)
{
    (void)state;
    run_here("export m.gp");
    judge("gnuplot", "printf 'load \"m.gp\"\\nset print \"out.txt\"\\nprint predict_lambda(2.0, "
                     "3.0)\\n' | gnuplot -d && grep -q '^1.006' out.txt");
}

static void json_and_csv_are_well_formed(void **state)
{
    (void)state;
    run_here("export m.json");
    run_here("export m.csv");
    judge("python3",
          "cat >read.py <<'END'\n"
          "import json, csv, os\n"
          "assert len(json.load(open('m.json', encoding='utf-8'))) == int(os.environ['NAMES'])\n"
          "rows = list(csv.reader(open('m.csv', encoding='latin-1', newline='')))\n"
          "assert {len(r) for r in rows} == {11}, rows\n"
          "assert not [c for r in rows for c in r if c[:1] in '=@' and c], rows\n"
          "END\n"
          "python3 -B read.py");
}

/* Without the commands that this program writes, no backslash is left, and braces are balanced. */
static void latex_holds_no_other_commands(void **state)
{
    (void)state;
    run_here("export m.tex");
    judge(
        "python3",
        "cat >tex.py <<'END'\n"
        "import re\n"
        "t = open('m.tex', encoding='latin-1').read()\n"
        "assert not re.search('[\\x00-\\x09\\x0b-\\x1f\\x7f]', t)\n"
        "t = re.sub(r'\\\\char\\d+\\{\\}', '', t)\n"
        "t = re.sub(r'\\\\[#$%&_{},\\[\\]]', '', t)\n"
        "words = set(re.findall(r'\\\\[A-Za-z]+', t))\n"
        "known = {'\\\\' + w for w in 'begin end hline mathit mathrm le ldots mbox cdot frac left "
        "right log ln sqrt max min'.split()}\n"
        "assert words <= known, words - known\n"
        "assert set(re.findall(r'\\\\(?:begin|end)\\{(.*?)\\}', t)) == {'tabular'}\n"
        "assert t.count('{') == t.count('}')\n"
        "END\n"
        "python3 -B tex.py");
}

static void saved_data_has_a_row_for_each_sample(void **state)
{
    (void)state;
    char line[65536];
    size_t rows = 0;
    run_here("save s.dat");
    FILE *f = fopen("s.dat", "r");
    while (fgets(line, sizeof line, f)) {
        assert_non_null(strchr(line, '\n'));
        rows += line[0] != '#' || line[1] != ' ';
    }
    fclose(f);
    assert_int_equal(rows, 1 + NAMES * ROWS);
    assert_int_equal(access("ran", F_OK), -1);
}

static void pictures_show_names_and_run_nothing(void **state)
{
    (void)state;
    if (system("command -v gnuplot >/dev/null"))
        skip();
    struct diag *diag = diag_create();
    for (size_t i = 0; i < NAMES; i += 11) { /* titles and axes; the next one is in labels */
        struct plot plot;
        const struct plot_request all = {.scale = PLOT_AUTO};
        struct model *m = session_model_state(session, names[i], NULL)->model;
        if (plot_make(arena, m, &all, diag, &plot) ||
            gnuplot_draw(plot_script, &plot, i % 2 ? "p.png" : "p.svg", diag))
            fail_msg("%s", diag_first(diag, SEVERITY_ERROR));
        if (i % 2 == 0)
            judge("python3", "python3 -c 'import xml.dom.minidom as x; x.parse(\"p.svg\")'");
    }
    diag_destroy(diag);
    assert_int_equal(access("ran", F_OK), -1);
}

static void the_terminal_gets_only_printable_text(void **state)
{
    (void)state;
    static const char script[] = "list; show; let; where";
    char *text = NULL;
    size_t size;
    for (int json = 0; json <= 1; json++) {
        FILE *to = open_memstream(&text, &size);
        session->out = printable_stream(to);
        session->json = json;
        assert_int_equal(session_run(session, "test", script, strlen(script), false), 0);
        fclose(session->out);
        fclose(to);
        for (size_t i = 0; i < size;) {
            size_t n =
                text[i] == '\n' || text[i] == '\t' ? 1 : printable_length(text + i, size - i);
            assert_int_not_equal(n, 0);
            i += n;
        }
        free(text);
    }
    session->json = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compilers_take_the_header),
        cmocka_unit_test(python_takes_the_module),
        cmocka_unit_test(node_takes_the_module),
        cmocka_unit_test(the_page_holds_no_other_scripts),
        cmocka_unit_test(gnuplot_takes_the_functions),
        cmocka_unit_test(json_and_csv_are_well_formed),
        cmocka_unit_test(latex_holds_no_other_commands),
        cmocka_unit_test(saved_data_has_a_row_for_each_sample),
        cmocka_unit_test(pictures_show_names_and_run_nothing),
        cmocka_unit_test(the_terminal_gets_only_printable_text),
    };
    return RUN_WITH(tests, set_up, tear_down);
}
