/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The flags of counting (counted.h). Counts must not depend on the level of optimisation. gcc inserts its
 * counters after some passes, so those that remove, merge or copy calls and loops are switched off; the
 * passes after them keep the counters. clang inserts them first.
 */
#include "call/cc/counted.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/path.h"
#include "base/printable.h"
#include "base/quote.h"
#include "base/text.h"
#include "call/cc/compiler.h"
#include "call/cc/runtime.h"

extern const char counted_as_text[]; /* counted_as.sh, made by CMake */

bool counted_is_asked(void)
{
    const char *value = getenv(COUNTED_VARIABLE);
    return value && *value;
}

/* ---- threads ---- */

/* What gives each thread its own copy of the counters: a script that gcc runs as its assembler. Some code shares the
 * counters: shared libraries address such copies in another way, -flto has the counters of a function in another file,
 * and -fsanitize=thread calls functions that add. */
static void add_assembler(struct arena *a, const struct cc_args *args, struct words *out)
{
    static const char *const sharing[] = {
        "-m32", "-mx32", "-fPIC", "-fpic", "-shared", "-flto", "-fsanitize=thread"};
    for (size_t i = 0; i < sizeof sharing / sizeof *sharing; i++)
        if (words_have_flag(&args->words, sharing[i]))
            return;
    struct words ask = cc_args_compiler(a, args);
    words_add(a, &ask, "-print-prog-name=as");
    const char *name = process_output(a, &ask, NULL);
    const char *folder = process_temporary(a);
    const char *script = folder ? arena_printf(a, "%s/as", folder) : NULL;
    if (!name || !*name || !script ||
        process_write(script, counted_as_text, strlen(counted_as_text)) || chmod(script, 0700))
        return; /* they share the counters: slow, and right */
    setenv("CLL_ASSEMBLER", arena_printf(a, "%.*s", (int)strcspn(name, "\n"), name), 1);
    words_printf(a, out, "-B%s/", folder);
}

bool counted_has_threads(const struct cc_args *args)
{
    return words_have_flag(&args->words, "openmp") || words_have_flag(&args->words, "pthread") ||
           getenv(COUNTED_THREADS);
}

void counted_add(struct arena *a, const struct cc_args *args, struct words *out)
{
    bool clang = compiler_is_clang(a, args);
    words_add(a, out, "--coverage");
    if (cc_args_links(args)) {
        const char *threads = runtime_library(a, "libcll_threads.a");
        words_add(a, out, "-Wl,-u,__gcov_dump,-u,__gcov_reset");
        if (threads) /* an archive behind libc: a program has of it what it needs */
            WORDS_ADD(a, out, "-lpthread", "-lc", threads, "-ldl");
    }
    if (!args->compiles && !args->fortran && !args->nsources)
        return;
    if (counted_has_threads(args)) { /* they would lose counts */
        words_add(a, out, "-fprofile-update=atomic");
        if (!clang && runtime_library(a, "libcll_threads.a"))
            add_assembler(a, args, out);
    }
    if (!clang)
        WORDS_ADD(a, out, "-fno-early-inlining", "-fno-optimize-sibling-calls", "-fno-thread-jumps",
                  "-fno-tree-dce", "-fno-tree-fre", "-fno-tree-ccp", "-fno-tree-forwprop",
                  "-fno-tree-vrp", "-fno-ssa-phiopt", "-fno-tree-dse",
                  "-fno-tree-switch-conversion", "-fno-tree-sra");
}

bool counted_is_logged(const struct cc_args *args)
{
    const char *path = getenv(COUNTED_VARIABLE);
    return path && path[0] == '/' && args->nsources;
}

static void add_missing(struct arena *a, struct words *list, const char *stem)
{
    const char *path = arena_printf(a, "%s.gcno", stem);
    if (access(path, F_OK))
        words_add(a, list, path);
}

/* Compilers name them by the object, by the program and the source, or by the source. */
struct words counted_notes(struct arena *a, const struct cc_args *args)
{
    struct words list = {0};
    const char *output = path_stem(a, args->output ? args->output : "a.out");
    for (size_t i = 0; i < args->nsources; i++) {
        const char *source = path_stem(a, path_base(args->sources[i].path));
        add_missing(a, &list, output);
        add_missing(a, &list, arena_printf(a, "%s-%s", output, source));
        add_missing(a, &list, source);
    }
    return list;
}

/* "[ "$CLL_DISCOVER_CC" ] || rm -f -- a.gcno": those that exist now. */
static void add_removal(struct text *t, const struct words *notes)
{
    bool any = false;
    for (size_t i = 0; i < notes->n; i++) {
        if (access(notes->list[i], F_OK))
            continue;
        text_add(t, any ? " " : "[ \"$" COUNTED_COMPILER "\" ] || rm -f -- ");
        quote_shell(t, notes->list[i]);
        any = true;
    }
    text_add(t, any ? "\n" : "");
}

/* libtool's own file about an object, by which make knows that it is newer: a.lo of a.o and of .libs/a.o. */
static void add_touch(struct text *t, struct arena *a, const char *object)
{
    const char *folder = path_folder(a, object), *base = path_base(folder);
    const char *stem = path_stem(a, path_base(object));
    if (!strcmp(base, ".libs"))
        folder = path_folder(a, folder);
    TEXT_LOCAL struct text path = text_new();
    quote_shell(&path, arena_printf(a, "%s/%s.lo", folder, stem));
    text_printf(t, "; [ ! -e %s ] || touch %s", path.s, path.s);
}

void counted_forget(const struct words *notes)
{
    for (size_t i = 0; i < notes->n; i++)
        unlink(notes->list[i]);
}

/* A command that links as well takes archives that still have the objects of the build before, and may fail for that. Then
 * its program goes, and the command of --build makes the archives and the program again. */
static void add_removal_if_failed(struct text *t, const struct cc_args *args)
{
    text_add(t, " 2>/dev/null || rm -f -- ");
    quote_shell(t, args->output ? args->output : "a.out");
}

static void add_command(struct text *t, struct arena *a, const char *here,
                        const struct cc_args *args, const struct words *notes)
{
    text_add(t, "if cd "); /* what a configuration tried is gone */
    quote_shell(t, here);
    text_add(t, " 2>/dev/null; then\n");
    add_removal(t, notes);
    for (size_t i = 0; i < args->nsources; i++) {
        text_add(t, i ? " && [ -e " : "if [ -e ");
        quote_shell(t, args->sources[i].path);
        text_add(t, " ]");
    }
    text_add(t, "; then ");
    text_add(t, counted_has_threads(args) ? "" : COUNTED_NO_THREADS "; ");
    text_add(t, "$" COUNTED_COMPILER);
    for (size_t i = 0; i < args->words.n; i++) { /* response files may be gone */
        text_addc(t, ' ');
        quote_shell(t, args->words.list[i]);
    }
    if (cc_args_links(args))
        add_removal_if_failed(t, args);
    else
        text_add(t, " || exit");
    if (args->output)
        add_touch(t, a, args->output);
    text_add(t, "; fi; fi\n");
}

/* Not a device, as in -o /dev/null. */
static void remove_file(const char *path)
{
    struct stat st;
    if (!lstat(path, &st) && S_ISREG(st.st_mode))
        unlink(path);
}

/* What the command has made: nothing would compile it again without counters. */
static void remove_output(struct arena *a, const struct cc_args *args)
{
    if (args->preprocess_only || args->only_dependencies || args->syntax_only)
        return;
    if (args->output || cc_args_links(args))
        remove_file(args->output ? args->output : "a.out");
    for (size_t i = 0; i < args->nsources && !args->output; i++)
        remove_file(arena_printf(a, "%s.%c", path_stem(a, path_base(args->sources[i].path)),
                                 args->assembly ? 's' : 'o'));
}

/* All of it, or nothing: half a command must not be run, and make -j runs several compilers. 0, or -1 and errno. */
static int append(const char *path, const struct text *t)
{
    // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): counted_is_logged has seen it
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666), error = errno;
    if (file < 0)
        return -1;
    flock(file, LOCK_EX);
    off_t end = lseek(file, 0, SEEK_END);
    ssize_t written = write(file, t->s, t->n);
    if (written != (ssize_t)t->n) {
        error = written < 0 ? errno : ENOSPC;
        if (written > 0 && ftruncate(file, end))
            error = errno;
    }
    close(file);
    errno = error;
    return written == (ssize_t)t->n ? 0 : -1;
}

int counted_log(struct arena *a, const struct cc_args *args, const struct words *notes)
{
    const char *path = getenv(COUNTED_VARIABLE);
    char here[4096];
    if (!counted_is_logged(args))
        return 0;
    TEXT_LOCAL struct text t = text_new();
    int failed = getcwd(here, sizeof here) ? 0 : -1;
    if (!failed) {
        add_command(&t, a, here, args, notes);
        failed = append(path, &t);
    }
    if (failed) {
        say("call cc: cannot write %s: %s: the output is removed, because it could not be "
            "compiled again without counters\n",
            path, strerror(errno));
        remove_output(a, args);
    }
    return failed ? 1 : 0;
}
