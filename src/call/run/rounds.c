/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rounds of call run. A sweep over numbers of processors is run by sweep.c. A program that is
 * run as it is has one run in a round: a process of its own with a folder of its own for its data.
 * When it ends, its data files, and the samples in the spool of one that crashed, are moved to where
 * the user wants them, so that nothing measured is lost when a later run fails.
 *
 * Time and counters are measured in different rounds.
 */
#define _GNU_SOURCE 1 /* strsignal */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/printable.h"
#include "base/quote.h"
#include "call/run/baseline.h"
#include "call/run/command.h"
#include "call/run/run.h"
#include "spool/text.h"

enum { COUNTER_ROUNDS = 3, MOST_FILES = 1000000 };

/* ---- data files ---- */

void run_add_file(struct run *r, const char *path)
{
    if (run_data_read(&r->data, path, r->done)) /* llac cannot read it either */
        r->failed = true;
}

const char *run_path(struct arena *a, const char *folder, const char *name)
{
    return !strcmp(folder, ".") && name[0] != '-' ? name : arena_printf(a, "%s/%s", folder, name);
}

/* 1: the file is in place; 0: the name is taken; -1 with errno. The name is reserved last, when
 * nothing is left to do that needs memory: an empty file must not stay. */
static int place_text(const char *path, const char *text, size_t size)
{
    struct outfile f;
    struct stat st;
    if (!lstat(path, &st))
        return 0;
    if (outfile_open(&f, path))
        return -1;
    outfile_write(&f, text, size);
    int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666), error = errno;
    if (fd < 0) {
        outfile_abandon(&f);
        errno = error;
        return error == EEXIST ? 0 : -1;
    }
    close(fd);
    if (!outfile_commit(&f))
        return 1;
    error = errno;
    unlink(path);
    errno = error;
    return -1;
}

/* Nothing else can take the name meanwhile. */
const char *run_place_file(struct run *r, const char *from)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    int error = source_read(from, (size_t)-1 >> 1, &text, &size);
    if (error) {
        say("%s: cannot read %s: %s\n", r->self, from, strerror(error));
        return NULL;
    }
    const char *path = NULL, *place = run_path(r->arena, r->outdir, r->name);
    int placed = 0;
    for (unsigned n = 0; n < MOST_FILES && !placed; n++) {
        path = arena_printf(r->arena, "%s.cll.%u.dat", place, n);
        placed = place_text(path, text, size);
        if (!placed)
            r->earlier |= !r->files.n;
    }
    if (placed < 0)
        say("%s: cannot write %s: %s\n", r->self, path, destination_error(errno));
    return placed > 0 ? path : NULL;
}

/* A file in the run's folder could not be moved: it stays there, and no further run is made. */
static void keep_folder(struct run *r, const char *folder)
{
    if (!r->lost)
        say("%s: the data of this run is kept in %s; no further run is made\n", r->self, folder);
    r->lost = r->failed = true;
    process_keep_temporary();
}

/* The spool of a process that could not report: its samples as a data file beside it. */
static const char *convert_spool(struct run *r, const char *folder, const char *spool)
{
    char error[256];
    const char *path = arena_printf(r->arena, "%s.dat", spool);
    FILE *f = fopen(path, "w");
    bool good = f && !cll_spool_to_text(spool, f, error, sizeof error);
    bool written = f && !ferror(f);
    if (f && fclose(f))
        written = false;
    if (!written) {
        say("%s: cannot write %s: %s\n", r->self, path, strerror(errno));
        keep_folder(r, folder);
    } else if (!good) {
        say("%s: the samples of the program cannot be read: %s: %s\n", r->self, spool, error);
    }
    return good && written ? path : NULL;
}

/* The data files in the run's folder; afterwards spools are data files, too. */
static struct words find_files(struct run *r, const char *folder)
{
    struct words found = {0};
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort);
    if (n < 0) {
        say("%s: cannot read %s: %s\n", r->self, folder, strerror(errno));
        keep_folder(r, folder);
    }
    for (int i = 0; i < n; i++) {
        const char *path = arena_printf(r->arena, "%s/%s", folder, entries[i]->d_name);
        if (text_ends_with(path, ".spool"))
            path = convert_spool(r, folder, path);
        else if (!text_ends_with(path, ".dat"))
            path = NULL;
        if (path)
            words_add(r->arena, &found, path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return found;
}

/* They are in their places before they are loaded: a large one may need more memory than there is. */
static void take_files(struct run *r, const char *folder)
{
    struct words found = find_files(r, folder);
    size_t rows = r->data.rows, before = r->files.n;
    if (r->is_command) {
        long samples = command_take(r, &found, folder);
        if (samples < 0)
            keep_folder(r, folder);
        r->empty += samples == 0;
        return;
    }
    for (size_t i = 0; i < found.n; i++) {
        const char *placed = run_place_file(r, found.list[i]);
        if (placed)
            words_add(r->arena, &r->files, placed);
        else
            keep_folder(r, folder);
    }
    for (size_t i = before; i < r->files.n; i++)
        run_add_file(r, r->files.list[i]);
    r->empty += r->data.rows == rows;
}

/* ---- runs ---- */

/* What the program said on stderr in a later round is shown only when it failed. */
static void show_file(const char *path)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (!source_read(path, 1 << 20, &text, &size))
        fwrite(text, 1, size, stderr);
}

/* What libcll said in a round whose output is not shown is about the measurement: it is shown, once. */
static void show_notes(struct run *r, const char *path)
{
    enum { MOST_NOTES = 20 };
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (source_read(path, 1 << 20, &text, &size))
        return;
    for (const char *line = text; *line && r->notes.n < MOST_NOTES;) {
        size_t n = strcspn(line, "\n");
        const char *note = arena_strndup(r->arena, line, n);
        if (!strncmp(note, "cll: ", 5) && !text_is_in(r->notes.list, r->notes.n, note)) {
            words_add(r->arena, &r->notes, note);
            run_progress_clear(r);
            say("%s\n", note);
        }
        line += n + (line[n] != '\0');
    }
}

void run_report_limit(const struct run *r)
{
    say("%s: the program was stopped after %s; the report has what was counted until then, if anything; --limit "
        "sets another limit\n",
        r->self, limits_duration(r->arena, r->limit, false));
}

/* "round 3", "round 3, n = 100" */
static const char *title_of_run(const struct run *r)
{
    const char *place = r->progress.place;
    return arena_printf(r->arena, "round %u%s%s", r->done + 1, place ? ", " : "",
                        place ? place : "");
}

static void report_failure(struct run *r, int status)
{
    const char *what = r->is_command ? "command" : "program";
    r->failed = true;
    if (process_reached_limit())
        run_report_limit(r);
    else if (WIFSIGNALED(status))
        say("%s: %s: the %s was ended by signal %d (%s)\n", r->self, title_of_run(r), what,
            WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        say("%s: %s: the %s failed with exit status %d\n", r->self, title_of_run(r), what,
            WEXITSTATUS(status));
}

/* The program's own output is shown in the first round only; later, what it wrote to stderr is shown
 * when it fails, and the notes of libcll are always shown. */
static void run_program(struct run *r, const struct words *variables, const struct words *arguments)
{
    struct arena *a = r->arena;
    struct words w = {0};
    struct process_options o = {
        .environment = variables->list, .limit = r->limit, .tick = run_progress_tick, .user = r};
    bool first = r->done == 0 && !r->quiet;
    if (!first) {
        o.out = PROCESS_NULL;
        o.err = PROCESS_FILE;
        o.err_file = arena_printf(a, "%s/said", r->temporary);
    }
    words_add_all(a, &w, &r->under);
    if (!r->is_command)
        words_add(a, &w, r->program);
    words_add_all(a, &w, arguments);
    if (run_input_begin(&r->input, &o)) {
        say("%s: the program's input cannot be passed on: %s\n", r->self, strerror(errno));
        r->failed = true;
        return;
    }
    int status = process_run(&w, &o), error = errno;
    run_input_end(&r->input);
    if (status < 0) {
        say("%s: cannot run %s: %s\n", r->self, w.list[0], strerror(error));
        r->failed = true;
    } else if (status && !process_signal()) {
        run_progress_clear(r);
        if (!first && !process_reached_limit())
            show_file(o.err_file);
        report_failure(r, status);
    } else if (!first) {
        show_notes(r, o.err_file);
    }
}

static void one_run(struct run *r, const struct words *more, const struct words *arguments)
{
    struct arena *a = r->arena;
    struct words variables = {0};
    const char *folder = arena_printf(a, "%s/round%u", r->temporary, r->done);
    if (process_new_folder(r->self, folder)) {
        r->failed = true;
        return;
    }
    words_printf(a, &variables, "CLL_OUT=%s", folder);
    words_printf(a, &variables, "CLL_RUN=%u", r->done);
    words_add_all(a, &variables, more);
    run_program(r, &variables, arguments);
    take_files(r, folder);
    if (!r->lost)
        process_remove_tree(folder);
}

/* ---- settings ---- */

/* The order of the round: as shuffle of runs.sh orders numbers of processors. */
static size_t *shuffled(struct arena *a, size_t n, unsigned round)
{
    size_t *order = arena_alloc(a, n + 1, sizeof *order);
    uint64_t state = round;
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    for (size_t i = n - 1; i > 0; i--) {
        state = (state * 1103515245 + 12345) & 2147483647;
        size_t j = state / 65536 % (i + 1), held = order[j];
        order[j] = order[i];
        order[i] = held;
    }
    return order;
}

/* A setting at which the program fails, or measures nothing, is run no more. */
static void run_at(struct run *r, const struct words *more, size_t row)
{
    const int64_t *at = r->vary.rows[row];
    struct words variables = {0}, arguments = vary_words(&r->vary, &r->arguments, at);
    bool failed = r->failed;
    unsigned empty = r->empty;
    words_add_all(r->arena, &variables, more);
    words_add(r->arena, &variables, run_settings(r, at));
    r->progress.place = run_place_title(r, row);
    r->failed = false;
    r->tried[row] = true;
    one_run(r, &variables, &arguments);
    if (r->empty > empty && !r->failed && !process_signal()) {
        run_progress_clear(r);
        say("%s: %s: nothing was measured: no region was reached\n", r->self, title_of_run(r));
        r->failed = true;
    }
    r->dropped[row] = r->failed;
    r->failed |= failed;
    r->empty = empty;
    r->progress.ended++;
    r->progress.place = NULL;
}

static void run_all_settings(struct run *r, const struct words *more)
{
    const size_t *order = shuffled(r->arena, r->vary.nrows, r->done + 1);
    r->progress.ended = r->progress.all = 0;
    for (size_t i = 0; i < r->vary.nrows; i++)
        r->progress.all += !r->dropped[i];
    for (size_t i = 0; i < r->vary.nrows && !process_signal() && !r->lost; i++)
        if (!r->dropped[order[i]])
            run_at(r, more, order[i]);
    r->progress.all = 0;
}

/* ---- rounds ---- */

/* A number of processors that failed is dropped; a program that is run as it is must not fail. */
static bool can_go_on(const struct run *r)
{
    bool nothing = !r->files.n && !r->nprograms && !r->parts.n;
    if (process_signal() || r->lost || (r->baseline && !can_go_on(r->baseline)))
        return false;
    if (r->done && nothing && (r->is_built || r->is_command)) /* it measures nothing */
        return false;
    for (size_t i = 0; i < run_nplaces(r); i++)
        if (!r->dropped[i])
            return true;
    return !run_nplaces(r) && !r->failed;
}

static void one_round(struct run *r, bool counters, const char *title)
{
    struct words variables = {0};
    if (counters)
        words_printf(r->arena, &variables, "CLL_COUNTERS=%s", r->counters ? r->counters : "1");
    else if (!getenv("CLL_COUNTERS"))
        words_add(r->arena, &variables, "CLL_COUNTERS=0");
    run_progress_round(r, title, counters);
    if (r->procs.n)
        run_sweep_round(r, &variables);
    else if (r->vary.nrows)
        run_all_settings(r, &variables);
    else
        one_run(r, &variables, &r->arguments);
    run_progress_rest(r, NULL);
    r->done++;
}

/* A round that measures time. With another version: of both, which begin by turns. */
static void timed_round(struct run *r, const char *title)
{
    struct run *old = r->baseline, *first = old && r->done % 2 == 0 ? old : r;
    one_round(first, false, title);
    if (!old || process_signal())
        return;
    struct run *second = first == old ? r : old;
    baseline_share_input(first, second);
    one_round(second, false, title);
    baseline_share_input(second, first);
}

static bool names_counters(const struct run *r)
{
    const struct run_data *d = &r->data;
    for (size_t i = 0; i < d->nformulas; i++)
        if (d->formulas[i].is_counter)
            return true;
    for (size_t i = 0; i < r->nprograms; i++)
        if (names_counters(r->programs[i]))
            return true;
    return false;
}

const char *run_fit_all(const struct run *r)
{
    TEXT_LOCAL struct text name = text_new();
    quote_shell(&name, run_path(r->arena, r->outdir, r->name));
    return arena_printf(r->arena, "llac %s.cll.[0-9]*.dat", name.s);
}

/* Until this moment, or until a signal comes. */
static void sleep_until(double moment)
{
    for (double left; (left = moment - run_now()) > 0 && !process_signal();) {
        left = left < 0.1 ? left : 0.1;
        nanosleep(&(struct timespec){0, (long)(1e9 * left)}, NULL);
    }
}

/* Judging takes a while when there are many samples: it is not done in every round. */
static bool is_due(const struct run *r, unsigned judged)
{
    return limits_asks(&r->limits, r->timed, r->seconds) && r->timed >= judged + judged / 10;
}

struct run_verdict run_judge(const struct run *r)
{
    return r->is_command ? command_judge(r) : run_judge_data(r, &r->data, JUDGE_WANTED);
}

struct run_verdict run_judge_data(const struct run *r, const struct run_data *d,
                                  enum run_judged which)
{
    return run_data_judge(d, r->timed, r->seconds, limits_tolerance(&r->limits), which);
}

/* The rounds that measure time. */
static struct run_verdict timed_rounds(struct run *r)
{
    const struct run_limits *l = &r->limits;
    struct run_verdict v = {.worst = ""};
    double begin = run_now(), next = begin;
    unsigned judged = 0;
    run_progress_begin(r);
    while (!limits_reached(l, r->timed, r->seconds, judged && run_is_steady(&v, l->until > 0)) &&
           can_go_on(r)) {
        sleep_until(next);
        next = run_now() + limits_period(l);
        timed_round(r, limits_title(r->arena, l, r->timed + 1));
        r->timed = r->done;
        r->seconds = run_now() - begin;
        if (is_due(r, judged)) {
            v = run_judge(r);
            judged = r->timed;
            run_progress_rest(r, &v);
        }
        if (r->live)
            live_show(r, judged == r->timed ? &v : NULL);
    }
    return run_judge(r);
}

struct run_verdict run_rounds(struct run *r)
{
    if (!r->procs.n)
        r->all = run_fit_all(r);
    struct run_verdict v = timed_rounds(r);
    if ((r->counters || names_counters(r)) && !getenv("CLL_COUNTERS") && !r->simulation.platform &&
        !r->baseline) {
        unsigned last = r->done + (r->limits.rounds ? r->limits.rounds : COUNTER_ROUNDS);
        while (r->done < last && can_go_on(r))
            one_round(r, true,
                      arena_printf(r->arena, "counters, round %u of %u", r->done + 1, last));
    }
    run_progress_clear(r);
    return v;
}
