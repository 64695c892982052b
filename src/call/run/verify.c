/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --verify MODEL [--at VAR=VALUE]...: what a model predicts, beside what was measured now (verify.h). */
#include "call/run/verify.h"

#include <errno.h>
#include <glob.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/arithmetic.h"
#include "base/printable.h"
#include "call/cc/runtime.h"

static int refuse(const char *what)
{
    return SAY_STATUS(2, "call run: %s; see 'call run --help'\n", what);
}

/* ---- before measuring ---- */

/* VAR=VALUE, both as llac reads them. */
static bool is_assignment(const char *text)
{
    const char *equals = strchr(text, '=');
    double value;
    size_t n = equals ? (size_t)(equals - text) : 0;
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_",
                      rest[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.";
    if (n == 0 || !strchr(letters, *text) || strspn(text, rest) < n)
        return false;
    return arithmetic_parse(equals + 1, &value) == 0;
}

/* The data files of the model: a file, a pattern, or all of a folder. */
static int find_model(struct run *r)
{
    struct stat st;
    glob_t found;
    bool folder = stat(r->verify.model, &st) == 0 && S_ISDIR(st.st_mode);
    const char *pattern =
        folder ? arena_printf(r->arena, "%s/*.dat", r->verify.model) : r->verify.model;
    int failed = glob(pattern, GLOB_NOCHECK, NULL, &found);
    for (size_t i = 0; !failed && i < found.gl_pathc; i++)
        if (stat(found.gl_pathv[i], &st) == 0)
            words_add(r->arena, &r->verify.files, arena_strdup(r->arena, found.gl_pathv[i]));
    if (!failed)
        globfree(&found);
    if (r->verify.files.n)
        return 0;
    return refuse(arena_printf(r->arena,
                               folder ? "--verify: the folder %s has no data files (*.dat)"
                                      : "--verify: there is no data file %s",
                               r->verify.model));
}

/* "n=100,m=2", as `call discover` reads it, is two places of --at. */
static void split_places(struct run *r)
{
    struct words all = {0};
    for (size_t i = 0; i < r->verify.at.n; i++)
        for (const char *s = r->verify.at.list[i]; s;) {
            const char *comma = is_assignment(s) ? NULL : strchr(s, ',');
            words_add(r->arena, &all, comma ? arena_strndup(r->arena, s, (size_t)(comma - s)) : s);
            s = comma ? comma + 1 : NULL;
        }
    r->verify.at = all;
}

int verify_check(struct run *r)
{
    split_places(r);
    for (size_t i = 0; i < r->verify.at.n; i++)
        if (!is_assignment(r->verify.at.list[i]))
            return refuse(
                arena_printf(r->arena, "--at: '%s' is not VARIABLE=NUMBER", r->verify.at.list[i]));
    if (!r->verify.model)
        return r->verify.at.n ? refuse("--at needs --verify MODEL") : 0;
    if (r->baseline_option)
        return refuse("--verify and --baseline compare with different things: give one of them");
    if (!runtime_program(r->arena, "llac"))
        return refuse("--verify needs llac, which is not in the folder of call: install it there");
    return find_model(r);
}

/* ---- after measuring ---- */

static bool has_variable(const struct run_experiment *e, const char *name, size_t n)
{
    bool has = false;
    for (size_t i = 0; i < e->nnames; i++)
        has |= !strncmp(e->names[i], name, n) && !e->names[i][n];
    return has;
}

/* Whether the experiment has all variables of the place: only those regions are meant. */
static bool is_meant(const struct run *r, const struct run_formula *f)
{
    const struct run_experiment *e = run_data_find(&r->data, f->experiment);
    bool meant = e && !f->is_counter && run_wants(r, f);
    for (size_t i = 0; meant && i < r->verify.at.n; i++)
        meant = has_variable(e, r->verify.at.list[i], strcspn(r->verify.at.list[i], "="));
    return meant;
}

/* " where N == (2^20) and P == (4)"; "": everything counts */
static const char *condition(const struct run *r)
{
    const char *text = "";
    for (size_t i = 0; i < r->verify.at.n; i++) {
        const char *at = r->verify.at.list[i];
        int n = (int)strcspn(at, "=");
        text = arena_printf(r->arena, "%s %s %.*s == (%s)", text, i ? "and" : "where", n, at,
                            at + n + 1);
    }
    return text;
}

/* The names of the new data files, as a command of llac has them; NULL after a message. */
static const char *new_files(const struct run *r)
{
    const char *text = "";
    for (size_t i = 0; i < r->files.n; i++) {
        char quote = run_quote_for(r->files.list[i]);
        if (!quote) {
            say("call run: --verify: the name %s has both kinds of quotes: rename the program\n",
                r->files.list[i]);
            return NULL;
        }
        text = arena_printf(r->arena, "%s %c%s%c", text, quote, r->files.list[i], quote);
    }
    return text;
}

static bool compare(struct run *r, const struct run_formula *f, const char *files)
{
    const char *subject = run_subject(r->arena, f);
    if (!run_is_word(f->experiment) || !run_is_word(f->observable)) {
        say("call run: an experiment of the data file has no valid name: not compared\n");
        return false;
    }
    printf("%s: predicted by %s, and measured now\n", subject, r->verify.model);
    fflush(stdout);
    return run_llac(r, arena_printf(r->arena, "table %s against%s%s", subject, files, condition(r)),
                    &r->verify.files);
}

/* The variables that --at can name, of the first region with a formula: " (f has N and M)"; "" if no region has one. */
static const char *variables_text(const struct run *r)
{
    const struct run_experiment *e =
        r->data.nformulas ? run_data_find(&r->data, r->data.formulas[0].experiment) : NULL;
    if (!e || !e->nnames || !run_is_word(e->name))
        return "";
    const char *text = arena_printf(r->arena, " (%s has", e->name);
    for (size_t i = 0; i < e->nnames; i++)
        text = arena_printf(r->arena, "%s%s %s", text, i ? "," : "", e->names[i]);
    return arena_printf(r->arena, "%s)", text);
}

int verify_results(struct run *r)
{
    size_t compared = 0, failed = 0;
    const char *files = r->files.n ? new_files(r) : NULL;
    if (!files)
        return 1;
    for (size_t i = 0; i < r->data.nformulas && !process_signal(); i++)
        if (is_meant(r, &r->data.formulas[i])) {
            compared++;
            failed += !compare(r, &r->data.formulas[i], files);
        }
    if (!compared && !process_signal() && !r->verify.at.n)
        say("call run: --verify: no region with a formula has been measured\n");
    else if (!compared && !process_signal())
        say("call run: --verify: no region with a formula has the variables of --at%s; a number of "
            "the command line is one with --vary NAME=NUMBER\n",
            variables_text(r));
    return failed || !compared;
}
