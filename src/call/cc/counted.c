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

void counted_log(const struct cc_args *args, const char *const *argv)
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
    text_add(&t, " 2>/dev/null");
    for (size_t i = 0; i < args->nsources; i++) {
        text_add(&t, " && [ -e ");
        quote_shell(&t, args->sources[i].path);
        text_add(&t, " ]");
    }
    text_add(&t, "; then $" COUNTED_COMPILER);
    for (; *argv; argv++) {
        text_addc(&t, ' ');
        quote_shell(&t, *argv);
    }
    text_add(&t, " || exit; fi\n");
    ssize_t written = write(file, t.s, t.n); /* at once: make -j runs several compilers */
    (void)written;
    close(file);
    text_free(&t);
}
