/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Runs the program at every size. Each run has a folder of its own for its counters: the library of the
 * compiler puts GCOV_PREFIX before their paths. A run that fails or takes too long is left out, and what the
 * others counted is kept.
 */
#define _GNU_SOURCE 1 /* strsignal */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/number.h"
#include "base/path.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/discover/discover.h"
#include "call/discover/thresholds.h"
#include "call/run/limits.h"
#include "call/run/run.h"
#include "call/sweep/script.h"

extern const char counted_text[]; /* counted.sh, made by CMake */

/* The pid stays when the program takes the place of the shell. */
static const char wrapper_text[] =
    "GCOV_PREFIX=$1/$(uname -n).$$\nexport GCOV_PREFIX\nshift\nexec \"$@\"\n";

/* ---- progress ---- */

static void clear(struct runs_progress *p)
{
    if (p->shown)
        fputs("\r\033[K", stderr);
    p->shown = false;
}

static void tick(void *user)
{
    struct runs_progress *p = user;
    struct arena *a = p->q->arena;
    double now = run_now() - p->begin;
    if (!p->terminal)
        return;
    fputs("\r\033[K", stderr); /* say would show it */
    say("call discover: %s: run %zu of %zu, %s, %s, at most %s left", p->what, p->run, p->of,
        p->title, limits_duration(a, floor(now), false),
        limits_duration(a, fmax(1, ceil(p->q->limit - now)), false));
    p->shown = true;
}

void runs_show_part(struct runs_progress *p, size_t done)
{
    double now = floor(run_now() - p->begin);
    if (done >= p->of)
        clear(p);
    else if (p->terminal && !p->q->quiet && now > p->told) { /* once a second */
        fputs("\r\033[K", stderr);
        say("call discover: %s: %zu of %zu", p->what, done, p->of);
        p->shown = true;
        p->told = now;
    }
}

/* ---- one run ---- */

/* The script that starts an MPI program. NULL after a message. */
static const char *write_script(struct request *q, const char *folder, int64_t processors)
{
    struct arena *a = q->arena;
    double value = (double)processors;
    struct range procs = {&value, 1};
    const char *script = arena_printf(a, "%s/run.sh", q->temporary);
    const char *wrapper = arena_printf(a, "%s/wrapper.sh", q->temporary);
    TEXT_LOCAL struct text t = text_new();
    script_assign(&t, "self", "call discover");
    script_head(&t, &(struct script_program){.name = "counted",
                                             .path = q->program ? q->program : q->command.list[0],
                                             .processes = true,
                                             .procs = &procs,
                                             .launcher = q->launcher});
    script_assign(&t, "beside", q->beside);
    script_assign(&t, "further", "");
    script_assign(&t, "P", number_text(value, NUMBER_BUFFER));
    script_assign(&t, "counters", folder);
    script_assign(&t, "wrapper", wrapper);
    script_engine(&t, false);
    text_add(&t, counted_text);
    bool failed = process_save("call discover", script, t.s, t.n) ||
                  process_save("call discover", wrapper, wrapper_text, sizeof wrapper_text - 1);
    return failed ? NULL : script;
}

/* The words that start the program; n = 0 after a message. */
static struct words command_of(struct request *q, const char *folder, const int64_t *row)
{
    struct arena *a = q->arena;
    struct words w = {0}, own = vary_words(&q->plan, &q->command, row);
    if (q->processes) {
        const char *script = write_script(q, folder, row[q->processors]);
        if (!script)
            return w;
        WORDS_ADD(a, &w, "sh", script);
        for (size_t i = q->program ? 0 : 1; i < own.n; i++)
            words_add(a, &w, own.list[i]);
        return w;
    }
    if (q->program)
        words_add(a, &w, q->program);
    words_add_all(a, &w, &own);
    return w;
}

/* The end of what the program said, which tells most. */
static void show_end(const char *path)
{
    enum { MOST = 4000 };
    char text[MOST + 1];
    struct stat st;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return;
    off_t begin = fstat(file, &st) || st.st_size < MOST ? 0 : st.st_size - MOST;
    ssize_t n = pread(file, text, MOST, begin);
    close(file);
    for (ssize_t i = 0; i < n; i++)
        text[i] = text[i] ? text[i] : ' '; /* a zero would hide the rest */
    text[n > 0 ? n : 0] = '\0';
    say("%s%s", text, n > 0 && text[n - 1] != '\n' ? "\n" : "");
}

static void report_failure(struct request *q, const char *title, const char *what, int status,
                           const char *said)
{
    if (q->extra_runs) /* nobody asked for this size; a note below the table says what happened */
        return;
    if (process_reached_limit()) {
        say("call discover: %s: the run was stopped, because the time of --limit is over (%s)\n",
            title, limits_duration(q->arena, q->limit, false));
        return;
    }
    show_end(said);
    if (WIFSIGNALED(status))
        say("call discover: %s: %s was ended by signal %d (%s); this size is left out\n", title,
            what, WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        say("call discover: %s: %s failed with exit status %d; this size is left out\n", title,
            what, WEXITSTATUS(status));
}

/* Did the program wait, for a disk or for another process? A program with processes or threads waits for these. */
static bool has_waited(const struct request *q, const struct rusage *used)
{
    return q->processes || q->threads ||
           (used->ru_nvcsw > 10 && used->ru_nivcsw < 5 * used->ru_nvcsw);
}

static double processor_time(const struct rusage *used)
{
    return (double)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) +
           1e-6 * (double)(used->ru_utime.tv_usec + used->ru_stime.tv_usec);
}

/* What the run cost: on a busy machine the clock says what others did. */
static void note_use(struct request *q, struct runs_progress *p, size_t row,
                     const struct rusage *used, double seconds)
{
    double cost = p->waited ? seconds : processor_time(used),
           memory = 1024.0 * (double)used->ru_maxrss;
    p->cost = cost;
    q->spent += cost;
    q->cost[row] = q->cost[row] > 0 ? fmin(q->cost[row], cost) : cost;
    q->memory[row] = q->memory[row] > 0 ? fmin(q->memory[row], memory) : memory;
}

/* How long a run may take, in seconds. */
static unsigned limit_of(const struct request *q, const struct runs_progress *p)
{
    double left = q->limit - (run_now() - p->begin);
    if (q->extra_runs)
        left = fmin(left, fmax(EXTRA_MOST_TIMES * q->longest, EXTRA_LEAST_LIMIT));
    return (unsigned)fmax(1, ceil(left));
}

/* Runs the command of --prepare, which may be a program of the same project: what it counts or measures is not the program's. */
static bool prepare(struct request *q, struct runs_progress *p, size_t row)
{
    struct arena *a = q->arena;
    struct words given = {0}, w = {0}, variables = {0};
    words_add(a, &given, q->prepare);
    given = vary_words(&q->plan, &given, q->rows[row]);
    WORDS_ADD(a, &w, "sh", "-c", given.list[0]);
    words_printf(a, &variables, "GCOV_PREFIX=%s/prepared", q->temporary);
    WORDS_ADD(a, &variables, "GCOV_PREFIX_STRIP=0", "CLL_OFF=1");
    struct process_options o = {.in = PROCESS_NULL,
                                .out = PROCESS_NULL,
                                .err = PROCESS_FILE,
                                .err_file = arena_printf(a, "%s/said", q->temporary),
                                .limit = limit_of(q, p),
                                .group = true,
                                .environment = variables.list,
                                .tick = q->quiet ? NULL : tick,
                                .user = p};
    int status = process_run(&w, &o), error = errno;
    clear(p);
    if (status < 0)
        say("call discover: cannot run sh: %s\n", strerror(error));
    else if (status || process_reached_limit())
        report_failure(q, p->title, "the command of --prepare", status, o.err_file);
    return !status && !process_signal() && !process_reached_limit();
}

bool runs_one(struct request *q, struct runs_progress *p, size_t row, const char *folder,
              struct words *variables, double *seconds)
{
    struct rusage used = {0};
    struct arena *a = q->arena;
    struct process_options o = {.out = PROCESS_NULL,
                                .err = PROCESS_FILE,
                                .err_file = arena_printf(a, "%s/said", q->temporary),
                                .group = true,
                                .tick = q->quiet ? NULL : tick,
                                .user = p,
                                .usage = &used};
    p->title = plan_title(q, q->rows[row]);
    p->run++;
    p->went_well = false;
    if (q->prepare && !prepare(q, p, row))
        return false;
    o.limit = limit_of(q, p);
    process_remove_tree(folder);
    if (process_new_folder("call discover", folder))
        return false;
    struct words w = command_of(q, folder, q->rows[row]);
    if (!w.n)
        return false;
    if (q->threads)
        words_printf(a, variables, "OMP_NUM_THREADS=%lld", (long long)q->rows[row][q->processors]);
    o.environment = variables->list;
    if (run_input_begin(&q->input, &o)) {
        say("call discover: the program's input cannot be passed on: %s\n", strerror(errno));
        return false;
    }
    double begin = run_now();
    int status = process_run(&w, &o), error = errno;
    *seconds = run_now() - begin;
    p->waited = has_waited(q, &used);
    run_input_end(&q->input);
    clear(p);
    if (status < 0) {
        say("call discover: cannot run %s: %s\n", w.list[0], strerror(error));
        p->hopeless = true;
        return false;
    }
    if (process_signal())
        return false;
    if (status || process_reached_limit()) { /* it may end well, with a part of its work done */
        report_failure(q, p->title, "the program", status, o.err_file);
        return false;
    }
    note_use(q, p, row, &used, *seconds);
    p->went_well = true;
    return true;
}

/* Returns whether the run is good, and its counts were read into the column. */
static bool run_row(struct request *q, struct runs_progress *p, size_t row, size_t column)
{
    struct words variables = {0};
    const char *folder = arena_printf(q->arena, "%s/counters", q->temporary);
    double seconds;
    words_printf(q->arena, &variables, "GCOV_PREFIX=%s", folder);
    words_add(q->arena, &variables, "GCOV_PREFIX_STRIP=0");
    if (!runs_one(q, p, row, folder, &variables, &seconds) ||
        counts_add(&q->counts, folder, q->processes, column))
        return false;
    q->longest = fmax(q->longest, q->cost[row]);
    return true;
}

/* ---- all ---- */

static int explain_nothing(const struct request *q)
{
    if (process_signal())
        return 128 + process_signal();
    if (!q->ndone)
        return 1; /* a message says why */
    if (q->build)
        say("call discover: the program left no counters: the command of --build did not compile it with the "
            "compilers in CC, CXX and FC; write --build 'make CC=\"$CC\"', for example, if the "
            "Makefile sets CC, and run 'make clean' before if nothing was compiled\n");
    else if (q->sources.n)
        say("call discover: the program left no counters: it must end by exit or by returning from main\n");
    else
        say("call discover: the program left no counters: give its sources, or --build COMMAND, which builds "
            "it\n");
    return 1;
}

struct runs_progress runs_begin(struct request *q, const char *what, size_t runs)
{
    const char *term = getenv("TERM");
    struct runs_progress p = {.q = q, .what = what, .title = "", .of = runs, .begin = run_now()};
    p.terminal = isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
    return p;
}

static bool goes_on(const struct request *q, const struct runs_progress *p, size_t failed)
{
    bool never_worked = failed >= 2 && !q->ndone;
    return !process_signal() && !p->hopeless && !never_worked && run_now() - p->begin < q->limit;
}

static size_t count_extra(const struct request *q)
{
    size_t n = 0;
    for (size_t i = 0; i < q->nrows; i++)
        n += extra_variable(q, i) != SIZE_MAX;
    return n;
}

/* After all others, because only these tell how long a run may take. */
static void run_extra(struct request *q, struct runs_progress *p)
{
    q->extra_runs = true;
    for (size_t i = 0; i < q->nrows; i++) {
        size_t v = extra_variable(q, i);
        if (v == SIZE_MAX || q->extra_end[v] == EXTRA_FAILED) /* the next one would hang as well */
            continue;
        enum extra_end end = EXTRA_NOT_RUN;
        if (goes_on(q, p, 0))
            end = !run_row(q, p, i, i)           ? EXTRA_FAILED
                  : extra_is_other_work(q, i, v) ? EXTRA_OTHER
                                                 : EXTRA_COUNTED;
        q->done[i] = end == EXTRA_COUNTED;
        q->ndone += q->done[i];
        if (end > q->extra_end[v])
            q->extra_end[v] = end;
    }
    q->extra_runs = false;
}

/* With the same limit. */
static void run_beyond(struct request *q, struct runs_progress *p)
{
    double longest = q->longest; /* of what --vary asks for */
    q->extra_runs = true;
    for (int times = BEYOND_TIMES; times >= BEYOND_LEAST_TIMES; times /= 2)
        if (q->beyond_end != EXTRA_COUNTED && goes_on(q, p, 0) && extra_takes_beyond(q, times))
            q->beyond_end =
                run_row(q, p, q->nrows + 1, q->nrows + 1) ? EXTRA_COUNTED : EXTRA_FAILED;
    q->extra_runs = false;
    q->longest = longest;
}

int runs_make(struct request *q)
{
    extra_plan_beyond(q);
    struct runs_progress p = runs_begin(q, "counting", q->nrows + 1 + (q->beyond != NULL));
    size_t failed = 0, given = q->nrows - count_extra(q), ran = 0;
    run_input_open(&q->input, q->arena, q->temporary);
    q->input.begun |= isatty(STDIN_FILENO); /* all runs are alike */
    counts_begin(&q->counts, q->arena, q->nrows + 1);
    for (size_t i = 0; i < q->nrows && goes_on(q, &p, failed); i++) {
        if (extra_variable(q, i) != SIZE_MAX)
            continue;
        ran++;
        q->done[i] = run_row(q, &p, i, i);
        q->ndone += q->done[i];
        failed += !q->done[i];
        bool is_due = q->ndone == 3 || ran == given;
        if (is_due && q->done[i] && !q->again_done && goes_on(q, &p, failed)) {
            q->again = i;
            q->again_done = run_row(q, &p, i, q->nrows);
        }
    }
    bool is_whole = q->ndone == given;
    if (is_whole)
        run_extra(q, &p);
    if (is_whole && q->beyond)
        run_beyond(q, &p);
    q->seconds = run_now() - p.begin;
    if (ran < given && !process_signal() && q->ndone)
        say("call discover: %zu of %zu sizes were not run, because the time of --limit is over (%s)\n",
            given - ran, given, limits_duration(q->arena, q->limit, false));
    return q->counts.files && q->ndone ? 0 : explain_nothing(q);
}
