/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What call run prints at its end: the summary, and the fits by llac. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "base/printable.h"
#include "call/run/verify.h"
#include "call/cc/runtime.h"

/* Which numbers of processors there were, and which of them failed. */
static void print_processors(const struct run *r)
{
    bool failed = false;
    printf(" with P =");
    for (size_t i = 0; i < r->procs.n; i++)
        if (r->tried[i])
            printf(" %.0f", r->procs.values[i]);
    for (size_t i = 0; i < r->procs.n; i++)
        if (r->dropped[i]) {
            printf("%s %.0f", failed ? "" : ", failed with P =", r->procs.values[i]);
            failed = true;
        }
}

/* The same for a sweep with settings, of which there may be many. */
static void print_places(const struct run *r)
{
    enum { MOST_FAILED = 5 };
    size_t tried = 0, failed = 0;
    for (size_t i = 0; i < run_nplaces(r); i++)
        tried += r->tried[i];
    printf(" at %zu place%s", tried, tried == 1 ? "" : "s");
    for (size_t i = 0; i < run_nplaces(r); i++)
        if (r->dropped[i] && ++failed <= MOST_FAILED)
            printf("%s%s", failed == 1 ? ", failed at " : "; ", run_place_title(r, i));
    if (failed > MOST_FAILED)
        printf("; and %zu more", failed - MOST_FAILED);
}

static void print_files(const char *title, const struct words *files)
{
    if (files->n)
        printf("%s%s", title, files->list[0]);
    if (files->n > 1)
        printf(" ... %s", files->list[files->n - 1]);
}

/* The data that is not in the fits. */
static void print_rest(const struct run *r)
{
    print_files("left out of the fits, because the run was not complete: ", &r->parts);
    if (r->parts.n)
        printf("\n");
    if (r->earlier && r->files.n)
        printf("the fits use only this run; to include the data measured here before: %s\n",
               r->all);
}

/* The rounds without a sample. */
static void print_empty(const struct run *r)
{
    if (r->done == 1) {
        printf(" without a sample");
        return;
    }
    if (r->empty == r->done)
        printf(", all without a sample");
    else
        printf(", %u of them without a sample", r->empty);
    if (r->input.kind == RUN_INPUT_ONCE && isatty(STDIN_FILENO))
        printf(" (only the first can read from a terminal)");
}

static void print_summary(const struct run *r, int signal)
{
    bool sweep = run_nplaces(r) != 0;
    printf("%s: %u round%s", r->name, r->done, r->done == 1 ? "" : "s");
    if (r->vary.nrows)
        print_places(r);
    else if (sweep)
        print_processors(r);
    else if (r->empty)
        print_empty(r);
    if (signal || (r->failed && !sweep))
        printf(", %s %s", r->done == 1 ? "which" : "the last one",
               !signal        ? "failed"
               : r->done == 1 ? "was interrupted"
                              : "interrupted");
    print_files("; data in ", &r->files);
    printf("\n");
    print_rest(r);
}

bool run_is_word(const char *s)
{
    return *s && !s[strcspn(s, " \t\r\n\v\f;#\"'")];
}

/* For llac: its output is a part of ours, which no pager interrupts. */
static const char *const no_pager[] = {"PAGER=", NULL};

const char *run_subject(struct arena *a, const struct run_formula *f)
{
    return !strcmp(f->observable, "CLOCK")
               ? f->experiment
               : arena_printf(a, "%s on %s", f->experiment, f->observable);
}

bool run_llac(struct run *r, const char *command, const struct words *files)
{
    struct arena *a = r->arena;
    struct words w = {0};
    const char *llac = runtime_program(a, "llac");
    WORDS_ADD(a, &w, llac ? llac : "llac", "-e", command, "--");
    words_add_all(a, &w, files);
    struct process_options o = {.in = PROCESS_NULL, .environment = no_pager};
    int status = process_run(&w, &o);
    if (status < 0)
        say("call run: cannot run %s: %s\n", w.list[0], strerror(errno));
    return status == 0 || (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE);
}

/* In a simulation nothing takes time unless it says so: llac cannot know that. */
static void say_zero_times(const struct run *r)
{
    for (size_t i = 0; i < r->data.nexperiments && r->simulation.platform; i++)
        if (run_data_is_zero(&r->data, r->data.experiments[i].name))
            say("call run: %s cannot be fitted: every measured value is 0. In a simulation code "
                "itself takes no time: let time pass with smpi_execute_flops(), or give "
                "--measured-compute\n",
                r->data.experiments[i].name);
}

/* The number in NAME.cll.NUMBER.dat, or -1. */
static long number_of(const char *path)
{
    size_t n = strlen(path), digits = 0;
    if (n < 5 || strcmp(path + n - 4, ".dat") != 0)
        return -1;
    while (digits < n - 4 && isdigit((unsigned char)path[n - 5 - digits]))
        digits++;
    return digits && digits < 9 ? strtol(path + n - 4 - digits, NULL, 10) : -1;
}

/* A pattern of the shell for the numbers from `low` on, but not beyond `high`: 2[6-9] of 26 to 51. Sets
 * `low` to the number after them. */
static const char *pattern(struct arena *a, long *low, long high)
{
    long step = 1, first = *low;
    while (first && first % (10 * step) == 0 && first + 10 * step - 1 <= high)
        step *= 10;
    int from = (int)(first / step % 10), to = from;
    while (to < 9 && first + (to - from + 2) * step - 1 <= high)
        to++;
    const char *before = first / step >= 10 ? arena_printf(a, "%ld", first / step / 10) : "";
    const char *text = from == to ? arena_printf(a, "%s%d", before, from)
                                  : arena_printf(a, "%s[%d-%d]", before, from, to);
    for (long s = step; s > 1; s /= 10)
        text = arena_printf(a, "%s[0-9]", text);
    *low = first + (to - from + 1) * step;
    return text;
}

/* The files for a command of llac: all of this name; only those of this run if there were earlier ones,
 * which may be of other code. */
static const char *files_to_name(const struct run *r)
{
    enum { MOST_PATTERNS = 12 };
    static const char numbers[] = "[0-9]*.dat";
    const char *all = strchr(r->all, ' '), *text = "";
    size_t n = strlen(all), m = sizeof numbers - 1, patterns = 0;
    if (!r->earlier || n < m || strcmp(all + n - m, numbers) != 0)
        return all;
    for (size_t i = 0, end; i < r->files.n; i = end) {
        long low = number_of(r->files.list[i]);
        for (end = i + 1;
             end < r->files.n && number_of(r->files.list[end]) == low + (long)(end - i);)
            end++;
        for (long high = low + (long)(end - i) - 1; low >= 0 && low <= high; patterns++)
            text = arena_printf(r->arena, "%s%.*s%s.dat", text, (int)(n - m), all,
                                pattern(r->arena, &low, high));
    }
    return patterns && patterns <= MOST_PATTERNS ? text : all;
}

/* What the user can do with the data now, as commands. In the short form it is also how to see more. */
static void print_next(const struct run *r, const struct run_formula *f, bool brief)
{
    const char *files = files_to_name(r), *beyond = run_data_beyond(&r->data, f->experiment);
    const char *name = run_subject(r->arena, f);
    printf("next:\n");
    if (brief)
        printf("  llac -e 'fit %s'%s    (one fit in full; 'call run --full' prints all)\n", name,
               files);
    if (beyond)
        printf("  llac -e '%s%s %s'%s\n", brief ? "rank" : "predict ", brief ? "" : name, beyond,
               files);
    if (!brief && beyond)
        printf("  llac -e 'plot %s to %s.svg'%s\n", name, f->experiment, files);
    if (!brief && !beyond)
        printf("  llac -e 'show %s'%s\n", name, files);
    printf("  llac%s    ('help' lists the commands)\n", files);
}

bool run_wants(const struct run *r, const struct run_formula *f)
{
    return !r->observe || !strcmp(f->observable, r->observe);
}

static bool has_formula(const struct run *r, const char *experiment)
{
    for (size_t f = 0; f < r->data.nformulas; f++)
        if (!strcmp(r->data.formulas[f].experiment, experiment))
            return true;
    return false;
}

static const struct run_formula *first_wanted(const struct run *r)
{
    for (size_t f = 0; f < r->data.nformulas; f++)
        if (run_wants(r, &r->data.formulas[f]) && run_is_word(r->data.formulas[f].experiment) &&
            run_is_word(r->data.formulas[f].observable))
            return &r->data.formulas[f];
    return NULL;
}

/* What there is to print: a model for each formula, and one for each region that has none. */
struct models {
    size_t formulas, without;
};

static struct models count_models(const struct run *r)
{
    struct models n = {0, 0};
    for (size_t i = 0; i < r->data.nformulas; i++)
        n.formulas += run_wants(r, &r->data.formulas[i]);
    for (size_t i = 0; i < r->data.nexperiments; i++)
        n.without += !has_formula(r, r->data.experiments[i].name);
    return n;
}

static int fit(struct run *r)
{
    enum { MOST_IN_FULL = 3 };
    struct models n = count_models(r);
    bool brief = !n.formulas || (!r->full && n.formulas + n.without > MOST_IN_FULL);
    if (!(n.formulas + n.without) || !r->files.n)
        return 0;
    if (!runtime_program(r->arena, "llac"))
        return SAY_STATUS(
            1, "call run: llac is not in the folder of call, so nothing is fitted; the data files "
               "are complete\n");
    const char *how = brief ? "" : r->quiet ? " full" : " full small";
    bool good = run_llac(r,
                         arena_printf(r->arena, "fit all%s%s%s", how, r->observe ? " on " : "",
                                      r->observe ? r->observe : ""),
                         &r->files);
    if (!good && !process_signal())
        say_zero_times(r);
    const struct run_formula *first = first_wanted(r);
    if (first && (good || n.formulas > 1) && !r->quiet && !process_signal())
        print_next(r, first, brief);
    return good ? 0 : 1;
}

/* ---- the report ---- */

char run_quote_for(const char *name)
{
    return !strchr(name, '"') ? '"' : !strchr(name, '\'') ? '\'' : 0;
}

/* Before measuring: a report that cannot be written is better known then. */
int run_check_report(const struct run *r)
{
    struct stat st;
    if (!r->report)
        return 0;
    const char *ending = strrchr(r->report, '.'); /* and something before it */
    if (!ending || ending == r->report ||
        (strcmp(ending, ".html") != 0 && strcmp(ending, ".htm") != 0))
        return SAY_STATUS(
            2, "call run: --report: the name '%s' must end in .html: a report is a page\n",
            r->report);
    if (!run_quote_for(r->report) || strpbrk(r->report, "\n\r"))
        return SAY_STATUS(
            2,
            "call run: --report: a name with both kinds of quotes or a line feed cannot be used\n");
    const char *base = path_base(r->report);
    const char *folder =
        base > r->report ? arena_strndup(r->arena, r->report, (size_t)(base - r->report)) : ".";
    if (stat(folder, &st) || !S_ISDIR(st.st_mode) || access(folder, W_OK))
        return SAY_STATUS(
            2,
            "call run: --report: cannot write into the folder '%s'; make it, or name another one\n",
            folder);
    if (!runtime_program(r->arena, "llac"))
        return SAY_STATUS(
            1,
            "call run: --report needs llac, which is not in the folder of call: install it there, or "
            "leave out --report\n");
    return 0;
}

static int write_report(struct run *r)
{
    char quote = run_quote_for(r->report);
    if (!r->files.n || !r->data.nformulas || process_signal())
        return 0;
    const char *command = arena_printf(r->arena, "report %c%s%c", quote, r->report, quote);
    return run_llac(r, command, &r->files) ? 0 : 1;
}

int run_results(struct run *r, const struct run_verdict *v, int signal)
{
    print_summary(r, signal);
    int status = r->verify.model ? verify_results(r) : fit(r);
    if (r->report && write_report(r))
        status = 1;
    bool complete = !signal && (run_nplaces(r) || !r->failed);
    if (complete && r->files.n && !r->limits.exact && !process_signal())
        printf("%s\n", advice_line(r, v));
    return signal ? 128 + signal : status || r->failed;
}
