/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The flags of counting (counted.h). Counts must not depend on the level of optimisation. gcc inserts its
 * counters after some passes, so those that remove, merge or copy calls and loops are switched off; the
 * passes after them keep the counters. clang inserts them first.
 */
#include "call/cc/counted.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "base/quote.h"
#include "base/text.h"
#include "call/cc/compiler.h"

bool counted_is_asked(void)
{
    const char *value = getenv(COUNTED_VARIABLE);
    return value && *value;
}

/* Threads would lose counts. */
static bool has_threads(const struct cc_args *args)
{
    for (size_t i = 0; i < args->words.n; i++) {
        const char *word = args->words.list[i];
        if (word[0] == '-' && (strstr(word, "openmp") || strstr(word, "pthread")))
            return true;
    }
    return false;
}

void counted_add(struct arena *a, const struct cc_args *args, struct words *out)
{
    static const char *const passes[] = {"-fno-early-inlining",
                                         "-fno-optimize-sibling-calls",
                                         "-fno-thread-jumps",
                                         "-fno-tree-dce",
                                         "-fno-tree-fre",
                                         "-fno-tree-ccp",
                                         "-fno-tree-forwprop",
                                         "-fno-tree-vrp",
                                         "-fno-ssa-phiopt",
                                         "-fno-tree-dse",
                                         "-fno-tree-switch-conversion",
                                         "-fno-tree-sra"};
    words_add(a, out, "--coverage");
    if (!args->compiles && !args->fortran && !args->nsources)
        return;
    if (has_threads(args))
        words_add(a, out, "-fprofile-update=atomic");
    if (compiler_is_clang(a, args))
        return;
    for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
        words_add(a, out, passes[i]);
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

/* "[ "$CLL_DISCOVER_CC" ] || rm -f a.gcno; ": those that exist now. */
static void add_removal(struct text *t, const struct words *notes)
{
    bool any = false;
    for (size_t i = 0; i < notes->n; i++) {
        if (access(notes->list[i], F_OK))
            continue;
        text_add(t, any ? " " : "[ \"$" COUNTED_COMPILER "\" ] || rm -f ");
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
    struct text path;
    text_init(&path);
    quote_shell(&path, arena_printf(a, "%s/%s.lo", folder, stem));
    text_printf(t, "; [ ! -e %s ] || touch %s", path.s, path.s);
    text_free(&path);
}

void counted_log(struct arena *a, const struct cc_args *args, const char *const *argv,
                 const struct words *notes)
{
    const char *path = getenv(COUNTED_VARIABLE);
    char here[4096];
    struct text t;
    if (!counted_is_logged(args) || !getcwd(here, sizeof here))
        return;
    int file = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        return;
    text_init(&t);
    text_add(&t, "if cd "); /* what a configuration tried is gone */
    quote_shell(&t, here);
    text_add(&t, " 2>/dev/null; then\n");
    add_removal(&t, notes);
    for (size_t i = 0; i < args->nsources; i++) {
        text_add(&t, i ? " && [ -e " : "if [ -e ");
        quote_shell(&t, args->sources[i].path);
        text_add(&t, " ]");
    }
    text_add(&t, "; then $" COUNTED_COMPILER);
    for (; *argv; argv++) {
        text_addc(&t, ' ');
        quote_shell(&t, *argv);
    }
    text_add(&t, " || exit");
    if (args->output)
        add_touch(&t, a, args->output);
    text_add(&t, "; fi; fi\n");
    ssize_t written = write(file, t.s, t.n); /* at once: make -j runs several compilers */
    (void)written;
    close(file);
    text_free(&t);
}
