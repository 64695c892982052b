/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sweep of call run. The engine that batch scripts have (sweep/script.h) runs each round: it
 * chooses the order, starts the program, decides whether a run is complete, and names the files.
 * For this call run writes a script into its temporary folder and reads what was done from a log.
 * Which numbers of processors the next round has, and whether there is one, is decided here.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/quote.h"
#include "call/run/run.h"
#include "call/sweep/script.h"

extern const char round_text[]; /* round.sh, made by CMake */

/* ---- places ---- */

size_t run_nplaces(const struct run *r)
{
    size_t rows = r->vary.nrows ? r->vary.nrows : 1;
    return r->procs.n ? r->procs.n * rows : r->vary.nrows;
}

/* The row of the settings at a place; NULL = there are none. */
static const int64_t *row_of(const struct run *r, size_t place)
{
    return r->vary.nrows ? r->vary.rows[place % r->vary.nrows] : NULL;
}

static double processors_of(const struct run *r, size_t place)
{
    return r->procs.values[r->vary.nrows ? place / r->vary.nrows : place];
}

const char *run_place_title(const struct run *r, size_t place)
{
    const int64_t *row = row_of(r, place);
    const char *settings = row ? vary_text(&r->vary, row, " = ", ", ") : "";
    return !r->procs.n ? settings
                       : arena_printf(r->arena, "P = %.0f%s%s", processors_of(r, place),
                                      row ? ", " : "", settings);
}

const char *run_settings(const struct run *r, const int64_t *row)
{
    const char *mine = getenv("CLL_SETTINGS");
    struct vary settings = r->vary;
    settings.n -= r->is_command && r->procs_option; /* P is the last one, and no setting */
    return arena_printf(r->arena, "CLL_SETTINGS=%s%s%s", mine ? mine : "",
                        mine && *mine && settings.n ? " " : "",
                        vary_text(&settings, row, "=", " "));
}

/* As the engine calls it: "4", "4,n=100,m=32". */
static const char *word_of(const struct run *r, size_t place)
{
    const int64_t *row = row_of(r, place);
    return arena_printf(r->arena, "%.0f%s%s", processors_of(r, place), row ? "," : "",
                        row ? vary_text(&r->vary, row, "=", ",") : "");
}

/* ---- the script ---- */

static const char *crowd(const struct run *r)
{
    if (r->simulation.platform)
        return "any";
    bool meant = r->procs_option || r->launcher_option || r->oversubscribe;
    return meant ? "share" : "leave_out";
}

/* The rows of the settings, and the places that have failed, as words of the engine. */
static void assign_places(const struct run *r, struct text *out)
{
    TEXT_LOCAL struct text settings = text_new(), without = text_new();
    for (size_t i = 0; i < r->vary.nrows; i++)
        text_printf(&settings, "%s%s", i ? " " : "",
                    vary_text(&r->vary, r->vary.rows[i], "=", ","));
    for (size_t i = 0; r->dropped && i < run_nplaces(r); i++)
        if (r->dropped[i])
            text_printf(&without, "%s%s", without.n ? " " : "", word_of(r, i));
    script_assign(out, "settings", settings.s);
    script_assign(out, "without", without.s);
}

static void write_script(const struct run *r, const char *task, const char *log, struct text *out)
{
    bool first = !r->input.begun;
    TEXT_LOCAL struct text under = text_new();
    for (size_t i = 0; i < r->under.n; i++) {
        quote_shell(&under, r->under.list[i]);
        text_addc(&under, ' ');
    }
    script_assign(out, "self", r->self);
    script_head(out, &(struct script_program){.name = r->name,
                                              .path = r->program,
                                              .processes = r->kind.processes != NULL,
                                              .openmp = r->kind.openmp,
                                              .procs = &r->procs,
                                              .launcher = r->launcher});
    assign_places(r, out);
    script_assign(out, "under", under.s);
    script_assign(out, "beside", r->beside);
    script_assign(out, "further", r->further);
    script_assign(out, "outdir", r->outdir);
    script_assign(out, "input", r->input.again);
    script_assign(out, "inherit", first ? "yes" : "no");
    script_assign(out, "show", r->done == 0 && !r->quiet ? "yes" : "no");
    script_assign(out, "keep_output", "no");
    script_assign(out, "task", task);
    script_assign(out, "log", log);
    script_assign(out, "crowd", crowd(r));
    script_assign(out, "last", r->last);
    script_assign(out, "ordinal", arena_printf(r->arena, "%u", r->done + 1));
    script_assign(out, "bar", r->progress.terminal && !r->quiet ? "yes" : "no");
    script_engine(out, r->simulation.platform != NULL);
    text_add(out, round_text);
}

/* ---- what it did ---- */

static void set_place(const struct run *r, bool *flags, const char *word)
{
    for (size_t i = 0; i < run_nplaces(r); i++)
        if (!strcmp(word_of(r, i), word))
            flags[i] = true;
}

static void take(struct run *r, struct range *planned, const char *word, const char *text)
{
    text = arena_strdup(r->arena, text);
    if (!strcmp(word, "procs") && planned->values && planned->n < r->procs.n) {
        planned->values[planned->n++] = strtod(text, NULL);
    } else if (!strcmp(word, "fit")) {
        r->all = text;
    } else if (!strcmp(word, "round")) {
        r->earlier |= r->done == 0 && strcmp(text, "1") != 0;
        r->last = text;
    } else if (!strcmp(word, "tried")) {
        set_place(r, r->tried, text);
    } else if (!strcmp(word, "data")) {
        words_add(r->arena, &r->files, text);
        run_add_file(r, text);
    } else if (!strcmp(word, "part")) {
        words_add(r->arena, &r->parts, text);
    } else if (!strcmp(word, "failed")) {
        set_place(r, r->dropped, text);
        r->failed = true;
    }
}

/* The log is pairs of texts, each ended by a zero byte. */
static int read_log(struct run *r, const char *log, struct range *planned)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    int error = source_read(log, (size_t)-1 >> 1, &text, &size);
    if (error)
        return say("%s: cannot read %s: %s\n", r->self, log, strerror(error));
    const char *p = text, *end = text + size;
    while (p < end) {
        const char *word = p, *value = p + strlen(p) + 1;
        if (value >= end)
            break;
        take(r, planned, word, value);
        p = value + strlen(value) + 1;
    }
    return 0;
}

/* ---- running it ---- */

/* The shell has reported what is wrong, unless a signal ended it. */
static int check_status(struct run *r, int status, int error)
{
    if (process_reached_limit()) {
        r->failed = true;
        run_report_limit(r);
        return 0;
    }
    if (status < 0)
        say("%s: cannot run sh: %s\n", r->self, strerror(error));
    else if (WIFSIGNALED(status))
        say("%s: the shell that runs the sweep was ended by signal %d\n", r->self,
            WTERMSIG(status));
    return status && !process_signal() ? -1 : 0;
}

static int run_shell(struct run *r, const char *script, const struct words *variables, bool runs)
{
    struct words w = {0};
    struct process_options o = {.environment = variables->list, .limit = runs ? r->limit : 0};
    if (runs) {
        o.tick = run_progress_tick;
        o.user = r;
    }
    WORDS_ADD(r->arena, &w, "sh", script);
    words_add_all(r->arena, &w, &r->arguments);
    if (runs && run_input_begin(&r->input, &o))
        return say("%s: the program's input cannot be passed on: %s\n", r->self, strerror(errno));
    int status = process_run(&w, &o), error = errno;
    if (runs)
        run_input_end(&r->input);
    return check_status(r, status, error);
}

/* 0, or -1 after a message. What was done before an error is taken, too. */
static int run_task(struct run *r, const char *task, const struct words *variables,
                    struct range *planned)
{
    const char *script = arena_printf(r->arena, "%s/sweep.sh", r->temporary);
    const char *log = arena_printf(r->arena, "%s/log", r->temporary);
    TEXT_LOCAL struct text text = text_new();
    write_script(r, task, log, &text);
    if (process_save(r->self, script, text.s, text.n) || process_save(r->self, log, "", 0))
        return -1;
    r->progress.log = log;
    int result = run_shell(r, script, variables, strcmp(task, "plan") != 0);
    r->progress.log = NULL;
    return read_log(r, log, planned) || result ? -1 : 0;
}

int run_sweep_plan(struct run *r)
{
    static const struct words none;
    struct range planned = {.values =
                                arena_alloc(r->arena, r->procs.n + 1, sizeof *planned.values)};
    r->last = "0";
    if (run_task(r, "plan", &none, &planned))
        return -1;
    r->procs = planned;
    return process_signal() ? -1 : 0;
}

void run_sweep_round(struct run *r, const struct words *variables)
{
    struct range none = {0};
    if (run_task(r, "round", variables, &none))
        r->failed = r->lost = true;
}
