/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call run FILE.c...: translate, compile, run in rounds, fit.
 *
 * Each round is a process of its own with a folder of its own for its data; when it ends, its data
 * files (and what can be read from the spool of one that crashed) are moved to where the user wants
 * them, so that nothing measured is lost when a later round fails. Time and counters are measured
 * in different rounds.
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

#include "base/file.h"
#include "call/cc.h"
#include "call/options.h"
#include "call/run_data.h"
#include "call/run_input.h"
#include "call/runtime.h"
#include "call/translate.h"
#include "cll/spool_text.h"

enum { MIN_ROUNDS = 3, MAX_ROUNDS = 12, COUNTER_ROUNDS = 3, MOST_ROUNDS = 100000 };

struct run {
    struct arena *arena;
    struct words compiler, cflags, ldflags, sources, arguments;
    const char *outdir;
    unsigned rounds; /* 0 = until steady */
    bool keep, quiet;
    const char *name, *program, *temporary;
    struct run_data data;
    struct words files; /* the data files, at their final places */
    struct run_input input;
    unsigned done;  /* rounds run */
    unsigned empty; /* of these, rounds without a sample */
    bool failed;
};

/* ---- building ---- */

static const char *program_name(struct arena *a, const char *source)
{
    const char *base = path_base(source), *dot = strrchr(base, '.');
    return dot && dot != base ? arena_strndup(a, base, (size_t)(dot - base)) : base;
}

static int build(struct run *r)
{
    struct arena *a = r->arena;
    struct words w = {0};
    const char *keep = r->keep ? arena_printf(a, "%s/%s.call", r->outdir, r->name) : NULL;
    const char *folder = keep ? keep : arena_printf(a, "%s/program", r->temporary);
    r->program = arena_printf(a, "%s/%s", folder, r->name);
    if (process_make_folders(r->program)) {
        fprintf(stderr, "call run: cannot make the folder %s: %s\n", folder, strerror(errno));
        return 1;
    }
    words_add_all(a, &w, &r->compiler);
    words_add_all(a, &w, &r->cflags);
    words_add(a, &w, "-o");
    words_add(a, &w, r->program);
    words_add_all(a, &w, &r->sources);
    words_add_all(a, &w, &r->ldflags);
    words_add(a, &w, "-lm");
    return cc_run(a, w.list, keep, false) ? 1 : 0;
}

/* ---- data files ---- */

static int write_placed(const char *path, const char *text, size_t size)
{
    struct outfile f;
    if (outfile_open(&f, path))
        return -1;
    if (fwrite(text, 1, size, f.stream) != size) {
        int error = errno;
        outfile_abandon(&f);
        errno = error;
        return -1;
    }
    return outfile_commit(&f);
}

/* Copies a data file to NAME.cll.N.dat with the first free N, which nobody else can take meanwhile.
 */
static const char *place_file(struct run *r, const char *from)
{
    char *text;
    size_t size;
    int error = source_read(from, (size_t)-1 >> 1, &text, &size);
    if (error) {
        fprintf(stderr, "call run: cannot read %s: %s\n", from, strerror(error));
        return NULL;
    }
    const char *result = NULL,
               *folder = strcmp(r->outdir, ".") ? arena_printf(r->arena, "%s/", r->outdir) : "";
    for (unsigned n = 0; n < 1000000; n++) {
        const char *path = arena_printf(r->arena, "%s%s.cll.%u.dat", folder, r->name, n);
        int fd = open(path, O_CREAT | O_EXCL | O_WRONLY, 0666);
        if (fd < 0 && errno == EEXIST)
            continue;
        if (fd >= 0)
            close(fd);
        if (fd >= 0 && !write_placed(path, text, size)) {
            result = path;
        } else {
            fprintf(stderr, "call run: cannot write %s: %s\n", path, strerror(errno));
            if (fd >= 0)
                unlink(path);
        }
        break;
    }
    mem_free(text);
    return result;
}

static bool ends_in(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n > m && !strcmp(s + n - m, end);
}

/* The spool of a process that could not report: its samples as a data file beside it. */
static const char *convert_spool(struct run *r, const char *spool)
{
    char error[256];
    const char *path = arena_printf(r->arena, "%s.dat", spool);
    FILE *f = fopen(path, "w");
    if (!f || cll_spool_to_text(spool, f, error, sizeof error)) {
        fprintf(stderr, "call run: the samples of the program cannot be read: %s: %s\n", spool,
                f ? error : strerror(errno));
        path = NULL;
    }
    if (f && fclose(f) && path) {
        fprintf(stderr, "call run: cannot write %s: %s\n", path, strerror(errno));
        path = NULL;
    }
    return path;
}

/* Gathers what the round left in its folder. */
static void gather(struct run *r, const char *folder)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        const char *path = arena_printf(r->arena, "%s/%s", folder, name);
        if (ends_in(name, ".spool"))
            path = convert_spool(r, path);
        else if (!ends_in(name, ".dat"))
            path = NULL;
        if (path && !run_data_read(&r->data, path, r->done)) {
            const char *placed = place_file(r, path);
            if (placed)
                words_add(r->arena, &r->files, placed);
            else
                r->failed = true;
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* ---- rounds ---- */

static void show_progress(const struct run *r, const char *what)
{
    if (!r->quiet && isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[K%s", what);
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

static void report_failure(struct run *r, int status)
{
    r->failed = true;
    if (WIFSIGNALED(status))
        fprintf(stderr, "call run: round %u: the program was ended by signal %d (%s)\n",
                r->done + 1, WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        fprintf(stderr, "call run: round %u: the program failed with exit status %d\n", r->done + 1,
                WEXITSTATUS(status));
}

/* Its own output is shown in the first round only. */
static void run_program(struct run *r, const char *folder, bool counters)
{
    struct arena *a = r->arena;
    struct words w = {0};
    const char *environment[4] = {arena_printf(a, "CLL_OUT=%s", folder),
                                  arena_printf(a, "CLL_RUN=%u", r->done)};
    if (counters)
        environment[2] = "CLL_COUNTERS=1";
    else if (!getenv("CLL_COUNTERS"))
        environment[2] = "CLL_COUNTERS=0";
    struct process_options o = {.environment = environment};
    bool first = r->done == 0 && !r->quiet;
    if (!first) {
        o.out = PROCESS_NULL;
        o.err = PROCESS_FILE;
        o.err_file = arena_printf(a, "%s/said", r->temporary);
    }
    words_add(a, &w, r->program);
    words_add_all(a, &w, &r->arguments);
    if (run_input_begin(&r->input, &o)) {
        fprintf(stderr, "call run: the program's input cannot be passed on: %s\n", strerror(errno));
        r->failed = true;
        return;
    }
    int status = process_run(&w, &o), error = errno;
    run_input_end(&r->input);
    errno = error;
    if (status < 0) {
        fprintf(stderr, "call run: cannot run %s: %s\n", r->program, strerror(errno));
        r->failed = true;
    } else if (status && !process_signal()) {
        show_progress(r, "");
        if (!first)
            show_file(o.err_file);
        report_failure(r, status);
    }
}

static void one_round(struct run *r, bool counters)
{
    const char *folder = arena_printf(r->arena, "%s/round%u", r->temporary, r->done);
    if (mkdir(folder, 0777)) {
        fprintf(stderr, "call run: cannot make the folder %s: %s\n", folder, strerror(errno));
        r->failed = true;
        return;
    }
    size_t rows = r->data.rows;
    run_program(r, folder, counters);
    gather(r, folder);
    r->empty += r->data.rows == rows;
    process_remove_tree(folder);
    r->done++;
}

static bool names_counters(const struct run_data *d)
{
    for (size_t i = 0; i < d->nformulas; i++)
        if (d->formulas[i].is_counter)
            return true;
    return false;
}

/* Returns what is to be said about the timed rounds. */
static struct run_verdict sweep(struct run *r)
{
    struct run_verdict v = {.steady = true};
    unsigned most = r->rounds ? r->rounds : MAX_ROUNDS;
    bool enough = false;
    while (r->done < most && !enough && !r->failed && !process_signal()) {
        show_progress(r, arena_printf(r->arena, "round %u of %s%u ...", r->done + 1,
                                      r->rounds ? "" : "at most ", most));
        one_round(r, false);
        v = run_data_judge(&r->data, r->done);
        enough = !r->rounds && r->done >= MIN_ROUNDS && v.steady;
    }
    if (names_counters(&r->data) && !getenv("CLL_COUNTERS")) {
        unsigned last = r->done + (r->rounds ? r->rounds : COUNTER_ROUNDS);
        while (r->done < last && !r->failed && !process_signal()) {
            show_progress(
                r, arena_printf(r->arena, "counters, round %u of %u ...", r->done + 1, last));
            one_round(r, true);
        }
    }
    show_progress(r, "");
    return v;
}

/* ---- results ---- */

/* Whether the values are steady is known only if every round went to its end. */
static void print_summary(const struct run *r, const struct run_verdict *v, int signal)
{
    bool judged = !signal && !r->failed && r->done > 1;
    printf("%s: %u round%s", r->name, r->done, r->done == 1 ? "" : "s");
    if (signal || r->failed)
        printf(", the last one %s", signal ? "interrupted" : "failed");
    if (r->empty)
        printf(", %u of them without a sample%s", r->empty,
               r->input.kind == RUN_INPUT_ONCE && isatty(STDIN_FILENO)
                   ? " (only the first can read from a terminal)"
                   : "");
    if (judged && v->points && v->steady)
        printf(", values steady (nine of ten points within %.1f %%)", 100 * v->typical);
    printf("; data in %s", r->files.list[0]);
    if (r->files.n > 1)
        printf(" ... %s", r->files.list[r->files.n - 1]);
    printf("\n");
    if (judged && v->points && !v->steady)
        printf("not steady: %zu of %zu points still differ between rounds, most %s by %.0f %%; the "
               "machine is busy or the "
               "regions are short: repeat with more rounds (-n), or at a quieter time\n",
               v->unsteady, v->points, v->worst, 100 * v->worst_change);
    if (judged && !v->points && v->single)
        printf("not known to be steady: no point was measured in two rounds\n");
    for (size_t i = 0; i < r->data.nexperiments; i++) {
        bool has = false;
        for (size_t f = 0; f < r->data.nformulas; f++)
            has |= !strcmp(r->data.formulas[f].experiment, r->data.experiments[i]);
        if (!has)
            printf("%s has no formula: it was measured, and can be fitted with one in llac\n",
                   r->data.experiments[i]);
    }
}

/* llac prints one fit, or says why there is none. */
static bool fit_one(struct run *r, const char *llac, const struct run_formula *f)
{
    struct arena *a = r->arena;
    struct words w = {0};
    bool clock = !strcmp(f->observable, "CLOCK");
    words_add(a, &w, llac);
    words_add(a, &w, "-e");
    words_add(a, &w,
              arena_printf(a, "fit %s%s%s", f->experiment, clock ? "" : " on ",
                           clock ? "" : f->observable));
    words_add_all(a, &w, &r->files);
    struct process_options o = {.in = PROCESS_NULL};
    int status = process_run(&w, &o);
    if (status < 0)
        fprintf(stderr, "call run: cannot run %s: %s\n", llac, strerror(errno));
    return status == 0;
}

/* A command of its own for each fit: llac stops at the first error. */
static int fit(struct run *r)
{
    size_t failed = 0;
    if (!r->data.nformulas)
        return 0;
    const char *llac = runtime_program(r->arena, "llac");
    if (!llac) {
        fprintf(stderr, "call run: llac is not beside call, so nothing is fitted; the data files "
                        "are complete\n");
        return 1;
    }
    for (size_t i = 0; i < r->data.nformulas && !process_signal(); i++)
        failed += !fit_one(r, llac, &r->data.formulas[i]);
    if (failed && r->data.nformulas > 1 && !process_signal())
        fprintf(stderr, "call run: %zu of %zu formulas could not be fitted\n", failed,
                r->data.nformulas);
    return failed ? 1 : 0;
}

static int run_all(struct run *r)
{
    if (!(r->temporary = process_temporary(r->arena))) {
        fprintf(stderr, "call run: cannot make a temporary folder: %s\n", strerror(errno));
        return 1;
    }
    run_data_init(&r->data, r->arena);
    r->name = program_name(r->arena, r->sources.list[0]);
    if (getenv("CLL_OUT") && *getenv("CLL_OUT"))
        fprintf(stderr,
                "call run: CLL_OUT is not used here: the data goes to %s/%s.cll.N.dat; "
                "--outdir chooses another folder\n",
                r->outdir, r->name);
    if (build(r) || process_signal())
        return 1;
    run_input_open(&r->input, r->arena, r->temporary);
    struct run_verdict v = sweep(r);
    int signal = process_signal();
    process_forget_signal(); /* the sweep is over; what was measured is still worth a fit */
    if (!r->files.n) {
        if (!r->failed && !signal)
            fprintf(stderr, "call run: the program wrote no data: no region was reached%s\n",
                    getenv("CLL_OFF") ? ", or CLL_OFF is set" : "");
        return signal ? 128 + signal : 1;
    }
    print_summary(r, &v, signal);
    int status = fit(r);
    return signal ? 128 + signal : status || r->failed;
}

/* ---- the command line ---- */

static void print_help(void)
{
    printf("usage: call run [OPTIONS] FILE.c... [-- PROGRAM'S ARGUMENTS]\n\n"
           "Translates and compiles the sources, runs the program in rounds, writes a data file "
           "PROGRAM.cll.N.dat per\n"
           "round, and prints the fit of every experiment. What the program prints is shown in the "
           "first round.\n\n"
           "options:\n");
    options_help(stdout, COMMAND_RUN);
}

static int usage(const char *what)
{
    fprintf(stderr, "call run: %s; see 'call run --help'\n", what);
    return 2;
}

static int check_request(struct run *r)
{
    struct stat st;
    if (!r->sources.n)
        return usage("no source given");
    if (stat(r->outdir, &st) || !S_ISDIR(st.st_mode))
        return usage(arena_printf(r->arena, "--outdir: %s is no folder", r->outdir));
    if (!r->compiler.n) {
        const char *cc = getenv("CC");
        words_split(r->arena, &r->compiler, cc && *cc ? cc : "cc");
    }
    return 0;
}

/* -1 = good, else the exit status. */
static int read_rounds(struct run *r, const char *value)
{
    char *end;
    unsigned long n = strtoul(value, &end, 10);
    if (*end || value[0] == '-' || n < 1 || n > MOST_ROUNDS)
        return usage(arena_printf(r->arena, "-n: '%s' is no number of rounds from 1 to %d", value,
                                  MOST_ROUNDS));
    r->rounds = (unsigned)n;
    return -1;
}

/* Reads the options. -1 = go on, else the exit status. */
static int read_options(struct run *r, const char *const *argv)
{
    struct option_reader o = {.command = COMMAND_RUN, .argv = argv};
    struct arena *a = r->arena;
    bool cflags = false;
    int status = -1;
    while (status < 0) {
        switch (options_next(&o)) {
        case OPTION_DONE:
            if (!cflags)
                words_add(a, &r->cflags, "-O2");
            return -1;
        case OPTION_REST:
            for (; *o.argv; o.argv++)
                words_add(a, &r->arguments, *o.argv);
            break;
        case OPTION_FILE: words_add(a, &r->sources, o.value); break;
        case OPTION_OUTDIR: r->outdir = o.value; break;
        case OPTION_CC: words_split(a, &r->compiler, o.value); break;
        case OPTION_PREPROCESSOR:
            words_add(a, &r->cflags, arena_printf(a, "%.2s%s", o.name, o.value));
            break;
        case OPTION_CFLAGS:
            cflags = true;
            words_split(a, &r->cflags, o.value);
            break;
        case OPTION_LDFLAGS: words_split(a, &r->ldflags, o.value); break;
        case OPTION_ROUNDS: status = read_rounds(r, o.value); break;
        case OPTION_KEEP: r->keep = true; break;
        case OPTION_QUIET: r->quiet = true; break;
        case OPTION_HELP: print_help(); return 0;
        case OPTION_VERSION: printf("call %s\n", CLL_VERSION); return 0;
        default: return 2;
        }
    }
    return status;
}

int run_main(const char *const *argv)
{
    struct arena *a = arena_create();
    struct run r = {.arena = a, .outdir = "."};
    int status = read_options(&r, argv);
    if (status < 0) {
        status = check_request(&r);
        if (!status)
            status = run_all(&r);
    }
    arena_destroy(a);
    process_leave();
    return status;
}
