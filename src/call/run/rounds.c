/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rounds of call run. Each run is a process of its own with a folder of its own for its data;
 * when it ends, its data files (and what can be read from the spool of one that crashed) are moved
 * to where the user wants them, so that nothing measured is lost when a later run fails. Time and
 * counters are measured in different rounds.
 *
 * In a sweep over numbers of processors a round has a run for each of them. A run that fails is
 * told from a complete one by its name (.dat.part) and not fitted, and its number of processors is
 * not tried again; in a simulation, whose exit status says little, the data file is the proof.
 */
#define _GNU_SOURCE 1 /* strsignal */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/printable.h"
#include "call/run/run.h"
#include "translate/procs.h"
#include "spool/text.h"

enum { MIN_ROUNDS = 3, MAX_ROUNDS = 12, COUNTER_ROUNDS = 3, MOST_FILES = 1000000 };

/* One run of the program. */
struct attempt {
    size_t index;    /* of its number of processors in the sweep */
    unsigned long P; /* 0 = no sweep */
    const char *folder;
    size_t reports, spools; /* data files that it wrote itself, spools that it left */
    bool failed;
};

/* ---- data files ---- */

/* The how-manieth name for a data file of this run. */
static const char *file_name(const struct run *r, const struct attempt *t, unsigned n)
{
    struct arena *a = r->arena;
    if (!t->P)
        return arena_printf(a, "%s%s.cll.%u.dat", sweep_place(a, r->outdir, r->name), r->name, n);
    const char *stem = sweep_stem(a, r->outdir, r->name, t->P, r->first + r->done);
    const char *part = t->failed ? ".part" : "";
    return n ? arena_printf(a, "%s.%u.dat%s", stem, n, part)
             : arena_printf(a, "%s.dat%s", stem, part);
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

/* Copies a data file to the first free of its names, which nobody else can take meanwhile. */
static const char *place_file(struct run *r, const struct attempt *t, const char *from)
{
    char *text;
    size_t size;
    int error = source_read(from, (size_t)-1 >> 1, &text, &size);
    if (error) {
        say("call run: cannot read %s: %s\n", from, strerror(error));
        return NULL;
    }
    const char *path = NULL;
    int placed = 0;
    for (unsigned n = 0; n < MOST_FILES && !placed; n++) {
        path = file_name(r, t, n);
        placed = place_text(path, text, size);
        if (!placed)
            r->earlier |= !t->P && !r->files.n;
    }
    if (placed < 0)
        say("call run: cannot write %s: %s\n", path, strerror(errno));
    mem_free(text);
    return placed > 0 ? path : NULL;
}

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n > m && !strcmp(s + n - m, end);
}

/* What is in the run's folder has no other place: it stays there, and is the last. */
static void keep_folder(struct run *r, const struct attempt *t)
{
    if (!r->lost)
        say("call run: what this run measured is kept in %s; no further run is begun\n", t->folder);
    r->lost = r->failed = true;
    process_keep_temporary();
}

/* The spool of a process that could not report: its samples as a data file beside it. */
static const char *convert_spool(struct run *r, const struct attempt *t, const char *spool)
{
    char error[256];
    const char *path = arena_printf(r->arena, "%s.dat", spool);
    FILE *f = fopen(path, "w");
    bool good = f && !cll_spool_to_text(spool, f, error, sizeof error);
    bool written = f && !ferror(f);
    if (f && fclose(f))
        written = false;
    if (!written) {
        say("call run: cannot write %s: %s\n", path, strerror(errno));
        keep_folder(r, t);
    } else if (!good) {
        say("call run: the samples of the program cannot be read: %s: %s\n", spool, error);
    }
    return good && written ? path : NULL;
}

/* Reads what the run left in its folder; afterwards spools are data files, too. */
static void read_files(struct run *r, struct attempt *t, struct words *found)
{
    struct dirent **entries;
    int n = scandir(t->folder, &entries, NULL, alphasort);
    if (n < 0) {
        say("call run: cannot read %s: %s\n", t->folder, strerror(errno));
        keep_folder(r, t);
    }
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        const char *path = arena_printf(r->arena, "%s/%s", t->folder, name);
        if (ends_in(name, ".spool")) {
            t->spools++;
            path = convert_spool(r, t, path);
        } else if (ends_in(name, ".dat")) {
            t->reports++;
        } else {
            path = NULL;
        }
        if (path)
            words_add(r->arena, found, path);
        if (path && run_data_read(&r->data, path, r->done)) /* llac cannot read it either */
            t->failed = true;
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

static void place_files(struct run *r, const struct attempt *t, const struct words *found)
{
    for (size_t i = 0; i < found->n; i++) {
        const char *placed = place_file(r, t, found->list[i]);
        if (placed)
            words_add(r->arena, t->P && t->failed ? &r->parts : &r->files, placed);
        else
            keep_folder(r, t);
    }
}

/* ---- runs ---- */

static void show_progress(const struct run *r, const char *what)
{
    if (!r->quiet && isatty(STDERR_FILENO))
        say("\r\033[K%s", what);
}

/* What the program said on stderr in a later round is shown only when it failed. */
static void show_file(const char *path)
{
    char *text;
    size_t size;
    if (!source_read(path, 1 << 20, &text, &size)) {
        fwrite(text, 1, size, stderr);
        mem_free(text);
    }
}

static const char *run_title(const struct run *r, const struct attempt *t)
{
    return t->P ? arena_printf(r->arena, "round %u, P = %lu", r->done + 1, t->P)
                : arena_printf(r->arena, "round %u", r->done + 1);
}

static void report_failure(struct run *r, struct attempt *t, int status)
{
    t->failed = true;
    if (WIFSIGNALED(status))
        say("call run: %s: the program was ended by signal %d (%s)\n", run_title(r, t),
            WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        say("call run: %s: the program failed with exit status %d\n", run_title(r, t),
            WEXITSTATUS(status));
}

static struct words run_variables(const struct run *r, const struct attempt *t, bool counters)
{
    struct arena *a = r->arena;
    struct words w = {0};
    words_add(a, &w, arena_printf(a, "CLL_OUT=%s", t->folder));
    words_add(a, &w, arena_printf(a, "CLL_RUN=%u", t->P ? r->first + r->done : r->done));
    if (counters)
        words_add(a, &w, "CLL_COUNTERS=1");
    else if (!getenv("CLL_COUNTERS"))
        words_add(a, &w, "CLL_COUNTERS=0");
    return w;
}

/* The program's own output is shown in the first round only; later, what it said on stderr is shown
 * when it fails. */
static void run_program(struct run *r, struct attempt *t, bool counters)
{
    struct arena *a = r->arena;
    struct words w = {0}, variables = run_variables(r, t, counters), more = {0};
    if (t->P)
        launch_words(a, &r->launch, t->P, &variables, &w, &more);
    words_add_all(a, &variables, &more);
    struct process_options o = {.environment = variables.list};
    bool first = r->done == 0 && !r->quiet;
    if (!first) {
        o.out = PROCESS_NULL;
        o.err = PROCESS_FILE;
        o.err_file = arena_printf(a, "%s/said", r->temporary);
    }
    words_add(a, &w, r->program);
    words_add_all(a, &w, &r->arguments);
    if (run_input_begin(&r->input, &o)) {
        say("call run: the program's input cannot be passed on: %s\n", strerror(errno));
        t->failed = true;
        return;
    }
    int status = process_run(&w, &o), error = errno;
    run_input_end(&r->input);
    errno = error;
    if (status < 0) {
        say("call run: cannot run %s: %s\n", w.list[0], strerror(errno));
        t->failed = true;
    } else if (status && !process_signal()) {
        show_progress(r, "");
        if (!first)
            show_file(o.err_file);
        report_failure(r, t, status);
    }
}

/* A run of a sweep is complete if all its processes have reported, as many as were asked for. */
static void check_complete(struct run *r, struct attempt *t)
{
    const char *why = NULL;
    if (!t->P || t->failed || process_signal())
        return;
    if (!t->reports && !t->spools)
        why = "the program wrote no data: no region was reached, or it ended early";
    else if (t->spools)
        why = "a process ended before its samples were written";
    else if (r->launch.processes && r->data.world != (double)t->P)
        why = arena_printf(r->arena,
                           "the program ran with %.0f processes: the launcher is not that of its "
                           "MPI library; see --launcher",
                           r->data.world);
    if (!why)
        return;
    show_progress(r, "");
    say("call run: %s: %s\n", run_title(r, t), why);
    t->failed = true;
}

static void one_run(struct run *r, size_t index, bool counters)
{
    struct attempt t = {.index = index,
                        .P = r->procs.n ? (unsigned long)r->procs.values[index] : 0};
    t.folder = arena_printf(r->arena, "%s/round%u.%zu", r->temporary, r->done, index);
    if (mkdir(t.folder, 0777)) {
        say("call run: cannot make the folder %s: %s\n", t.folder, strerror(errno));
        r->failed = true;
        return;
    }
    size_t rows = r->data.rows;
    struct words found = {0};
    run_program(r, &t, counters);
    read_files(r, &t, &found);
    check_complete(r, &t);
    struct attempt named = t;
    named.failed |= process_signal() != 0;
    place_files(r, &named, &found);
    r->empty += r->data.rows == rows;
    r->failed |= t.failed;
    if (r->procs.n) {
        r->dropped[index] = t.failed;
        r->tried[index] = true;
    }
    if (!r->lost)
        process_remove_tree(t.folder);
}

/* ---- rounds ---- */

/* The number of processors that failed is dropped; a program that is run as it is must not fail. */
static bool can_go_on(const struct run *r)
{
    if (process_signal() || r->lost)
        return false;
    for (size_t i = 0; i < r->procs.n; i++)
        if (!r->dropped[i])
            return true;
    return !r->procs.n && !r->failed;
}

/* Simulated times, unless computing is measured, are the same in every round and in any order. */
static bool is_exact(const struct run *r)
{
    return r->simulation.platform && !r->simulation.measured;
}

static void one_round(struct run *r, bool counters, const char *title)
{
    struct arena *a = r->arena;
    size_t n = r->procs.n, *order = arena_alloc(a, n + 1, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = i;
    if (!is_exact(r))
        sweep_order(n, r->first + r->done, order);
    if (!n) {
        show_progress(r, arena_printf(a, "%s ...", title));
        one_run(r, 0, counters);
    }
    for (size_t i = 0; i < n && !process_signal() && !r->lost; i++) {
        if (r->dropped[order[i]])
            continue;
        show_progress(r, arena_printf(a, "%s, P = %.0f (%zu of %zu) ...", title,
                                      r->procs.values[order[i]], i + 1, n));
        one_run(r, order[i], counters);
    }
    r->done++;
}

static bool names_counters(const struct run_data *d)
{
    for (size_t i = 0; i < d->nformulas; i++)
        if (d->formulas[i].is_counter)
            return true;
    return false;
}

/* A sweep goes on with the rounds of an earlier one: the first that has no file. */
static unsigned first_round(const struct run *r)
{
    struct stat st;
    unsigned round = 1;
    for (size_t i = 0; i < r->procs.n;) {
        const char *stem =
            sweep_stem(r->arena, r->outdir, r->name, (unsigned long)r->procs.values[i], round);
        bool taken = !lstat(arena_printf(r->arena, "%s.dat", stem), &st) ||
                     !lstat(arena_printf(r->arena, "%s.dat.part", stem), &st);
        round += taken;
        i = taken ? 0 : i + 1;
    }
    return round;
}

static unsigned most_rounds(const struct run *r)
{
    if (r->rounds)
        return r->rounds;
    return is_exact(r) ? 1 : MAX_ROUNDS;
}

struct run_verdict run_rounds(struct run *r)
{
    struct run_verdict v = {.steady = true};
    unsigned most = most_rounds(r);
    bool enough = false;
    r->first = first_round(r);
    r->earlier = r->first > 1;
    r->dropped = arena_zalloc(r->arena, r->procs.n + 1, sizeof *r->dropped);
    r->tried = arena_zalloc(r->arena, r->procs.n + 1, sizeof *r->tried);
    while (r->done < most && !enough && can_go_on(r)) {
        one_round(r, false,
                  arena_printf(r->arena, "round %u of %s%u", r->done + 1,
                               r->rounds || most == 1 ? "" : "at most ", most));
        v = run_data_judge(&r->data, r->done);
        enough = !r->rounds && r->done >= MIN_ROUNDS && v.steady;
    }
    if (names_counters(&r->data) && !getenv("CLL_COUNTERS") && !r->simulation.platform) {
        unsigned last = r->done + (r->rounds ? r->rounds : COUNTER_ROUNDS);
        while (r->done < last && can_go_on(r))
            one_round(r, true,
                      arena_printf(r->arena, "counters, round %u of %u", r->done + 1, last));
    }
    show_progress(r, "");
    return v;
}
