/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call run --baseline: an older version of the program is measured together with the new one. Each
 * round runs both, and the rounds begin with the one and the other by turns, so that a slow phase of
 * the machine hits both. The data of the rounds are collected in the temporary folder; at the end each
 * version gets one data file with its label. llac compares the two.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/path.h"
#include "base/printable.h"
#include "base/quote.h"
#include "call/cc/language.h"
#include "call/cc/runtime.h"
#include "call/run/baseline.h"
#include "call/run/built.h"
#include "data/load.h"

enum { MOST_NUMBERS = 100000 };

static int complain(const struct run *r, const char *what)
{
    return SAY_STATUS(2, "%s: --baseline: %s\n", r->self, what);
}

/* ---- which program it is ---- */

/* FOLDER/PATH for a relative path that the old version has as well, else the path. */
static const char *path_in(struct run *old, const char *folder, const char *path)
{
    const char *other = arena_printf(old->arena, "%s/%s", folder, path);
    return *path == '/' || access(other, F_OK) ? path : other;
}

/* The options whose value is a folder of headers, or a header. */
static bool takes_header_path(const char *word)
{
    static const char *const options[] = {"-I",         "-iquote",  "-isystem",
                                          "-idirafter", "-include", "-imacros"};
    return text_is_in(options, sizeof options / sizeof *options, word);
}

/* The old version includes its own headers: relative folders of headers are those of FOLDER. */
static void headers_in(struct run *old, const char *folder)
{
    struct words flags = {0};
    bool is_path = false;
    for (size_t i = 0; i < old->cflags.n; i++) {
        const char *word = old->cflags.list[i];
        if (is_path)
            words_add(old->arena, &flags, path_in(old, folder, word));
        else if (strncmp(word, "-I", 2) == 0 && word[2])
            words_printf(old->arena, &flags, "-I%s", path_in(old, folder, word + 2));
        else
            words_add(old->arena, &flags, word);
        is_path = !is_path && takes_header_path(word);
    }
    old->cflags = flags;
}

/* Each source from the folder: FOLDER/SOURCE, or FOLDER/NAME. */
static int sources_in(struct run *old, const char *folder)
{
    struct words sources = {0};
    for (size_t i = 0; i < old->sources.n; i++) {
        const char *source = old->sources.list[i];
        const char *path = arena_printf(old->arena, "%s/%s", folder, source);
        if (access(path, R_OK))
            path = arena_printf(old->arena, "%s/%s", folder, path_base(source));
        if (access(path, R_OK))
            return complain(old, arena_printf(old->arena, "the folder %s has no %s", folder,
                                              path_base(source)));
        words_add(old->arena, &sources, path);
    }
    old->sources = sources;
    headers_in(old, folder);
    return 0;
}

/* The source of the same name is replaced; a program of one source may have had another name. */
static int replace_source(struct run *old, const char *path)
{
    struct words sources = {0};
    bool replaced = false;
    for (size_t i = 0; i < old->sources.n; i++) {
        const char *source = old->sources.list[i];
        bool same = old->sources.n == 1 || !strcmp(path_base(source), path_base(path));
        replaced = replaced || same;
        words_add(old->arena, &sources, same ? path : source);
    }
    old->sources = sources;
    if (access(path, R_OK))
        return complain(old, arena_printf(old->arena, "cannot read %s: %s", path, strerror(errno)));
    return replaced
               ? 0
               : complain(old, arena_printf(old->arena,
                                            "no source has the name %s; name the folder of the "
                                            "old sources instead",
                                            path_base(path)));
}

static int find_program(struct run *old, const char *path)
{
    struct stat st;
    if (stat(path, &st))
        return complain(old, arena_printf(old->arena, "cannot read %s: %s", path, strerror(errno)));
    if (S_ISDIR(st.st_mode) && old->is_built)
        path = arena_printf(old->arena, "%s/%s", path, old->name);
    else if (S_ISDIR(st.st_mode))
        return sources_in(old, path);
    if (source_ending(path) && !old->is_built)
        return replace_source(old, path);
    if (!built_is_program(path))
        return complain(old,
                        arena_printf(old->arena,
                                     old->is_built ? "%s is not a program; name the old program, "
                                                     "or a folder with a program of this name"
                                                   : "%s is neither a source, nor a folder of "
                                                     "sources, nor a program",
                                     path));
    old->prebuilt = strchr(path, '/') ? path : arena_printf(old->arena, "./%s", path);
    return 0;
}

/* A name that is no file is often a commit. */
static int not_there(const struct run *r, const char *name)
{
    return complain(r, arena_printf(r->arena,
                                    "cannot read %s: %s; OLD is the old source, a folder of the "
                                    "old sources, or the old program. For a commit: git worktree "
                                    "add FOLDER COMMIT, then --baseline FOLDER",
                                    name, strerror(errno)));
}

static const char *make_folder(const struct run *r, const char *name)
{
    const char *folder = arena_printf(r->arena, "%s/%s", r->temporary, name);
    return process_new_folder(r->self, folder) ? NULL : folder;
}

int baseline_begin(struct run *r)
{
    struct run *old = arena_alloc(r->arena, 1, sizeof *old);
    const char *after = make_folder(r, "after"), *before = make_folder(r, "before"),
               *work = make_folder(r, "old");
    if (!after || !before || !work)
        return 1;
    *old = *r;
    old->temporary = work;
    old->outdir = before;
    old->quiet = true; /* the output of the new one is shown */
    old->keep = false;
    run_data_init(&old->data, r->arena);
    int status = access(r->baseline_option, F_OK) ? not_there(r, r->baseline_option)
                                                  : find_program(old, r->baseline_option);
    r->data_outdir = r->outdir;
    r->outdir = after;
    r->baseline = old;
    if (!r->limits.rounds && !(r->limits.seconds > 0) && !(r->limits.until > 0))
        r->limits.rounds = r->limits.exact ? 1 : BASELINE_ROUNDS;
    return status;
}

int baseline_prepare(struct run *r)
{
    struct run *old = r->baseline;
    old->kind = r->kind; /* of a program that was given without its sources, too */
    int status = run_prepare(old);
    old->input = r->input; /* they share it */
    return status;
}

void baseline_share_input(struct run *from, struct run *to)
{
    to->input.begun = from->input.begun;
}

/* ---- the data files ---- */

/* All samples of one version; NULL after messages. */
static struct dataset *load_all(struct run *r, const char *label, struct arena *a)
{
    struct load_options options = {.may_be_empty = true, .label = label};
    DIAG_LOCAL struct diag *diag = diag_create();
    struct dataset *d = dataset_create();
    int failed = 0;
    for (size_t i = 0; i < r->files.n && !failed; i++)
        failed = dataset_load(d, r->files.list[i], &options, a, diag);
    if (failed)
        diag_print(diag, stderr, 0);
    if (!failed && d->nexperiments)
        return d;
    if (!failed)
        say("%s: the %s wrote no data: %s\n", r->self, r->baseline ? "new version" : "baseline",
            r->prebuilt ? "was it built with 'call cc'?"
                        : "its sources have no cll pragma, or it reached no region");
    dataset_destroy(d);
    return NULL;
}

/* FOLDER/NAME.LABEL.dat, with a number if there are such files. */
static const char *path_of(const struct run *r, const char *label, unsigned number)
{
    const char *path = run_path(r->arena, r->data_outdir, r->name);
    return number ? arena_printf(r->arena, "%s.%s.%u.dat", path, label, number)
                  : arena_printf(r->arena, "%s.%s.dat", path, label);
}

static unsigned free_number(const struct run *r)
{
    unsigned number = 0;
    while (number < MOST_NUMBERS && (!access(path_of(r, "before", number), F_OK) ||
                                     !access(path_of(r, "after", number), F_OK)))
        number++;
    return number;
}

/* The same in both files, and in no other one. */
static const char *turns_of(struct run *r)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return arena_printf(r->arena, "%llx.%lx.%lx", (unsigned long long)now.tv_sec,
                        (unsigned long)now.tv_nsec, (unsigned long)getpid());
}

static const char *save(struct run *r, struct run *of, const char *label, const char *turns,
                        unsigned number)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct dataset *d = load_all(of, label, a);
    for (size_t i = 0; d && i < d->nfiles; i++)
        d->files[i].turns = turns;
    const char *path = path_of(r, label, number);
    int failed = !d || dataset_save(d, path, NULL, NULL);
    if (d && failed) {
        say("%s: cannot write %s: %s; the data of the rounds are kept in %s\n", r->self, path,
            destination_error(errno), r->temporary);
        process_keep_temporary();
    }
    dataset_destroy(d);
    return failed ? NULL : path;
}

/* ---- the result ---- */

static void print_command(const char *before, const char *after)
{
    TEXT_LOCAL struct text command = text_new();
    text_add(&command, "llac check ");
    quote_shell(&command, before);
    text_addc(&command, ' ');
    quote_shell(&command, after);
    printf("to compare them again: %s\n", command.s);
}

/* The exit status of llac check. */
static int compare(struct run *r, const char *before, const char *after)
{
    struct words w = {0};
    struct process_options o = {.in = PROCESS_NULL};
    const char *llac = runtime_program(r->arena, "llac");
    if (!llac)
        return SAY_STATUS(
            1,
            "%s: llac is not in the folder of call, so nothing is compared; the data files are "
            "complete\n",
            r->self);
    WORDS_ADD(r->arena, &w, llac, "check", before, after);
    output_flush();
    int status = process_run(&w, &o);
    if (status < 0)
        say("%s: cannot run %s: %s\n", r->self, llac, strerror(errno));
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

int baseline_results(struct run *r, int signal)
{
    unsigned number = free_number(r);
    const char *turns = turns_of(r), *before = save(r, r->baseline, "before", turns, number);
    const char *after = before ? save(r, r, "after", turns, number) : NULL;
    if (!after)
        return signal ? 128 + signal : 1;
    printf("%s: %u round%s of both versions%s; data in %s and %s\n", r->name, r->done,
           r->done == 1 ? "" : "s", signal ? ", the last one interrupted" : "", before, after);
    int status = compare(r, before, after);
    print_command(before, after);
    return signal ? 128 + signal : status || r->failed || r->baseline->failed;
}
