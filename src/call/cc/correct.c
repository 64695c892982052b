/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dependency files are found by their names and rewritten by depend.c; here is also what -E printed. */
#include "call/cc/correct.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/outfile.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/cc/depend.h"
#include "call/cc/translate.h"

struct corrector {
    struct arena *arena;
    const struct cc_args *args;
    const struct translation *list; /* one per source */
    const char *temporary;          /* the folder of all trees */
    bool incomplete;                /* an output could not be corrected */
};

/* The user's name of a path below the temporary folder; NULL for what exists only there. */
static const char *user_name(void *user, const char *path)
{
    const struct corrector *c = user;
    const char *found = NULL;
    char *real = realpath(path, NULL);
    for (size_t i = 0; i < c->args->nsources && !found; i++)
        for (size_t f = 0; c->list[i].tree && f < c->list[i].shadow.nfiles && !found; f++) {
            const struct shadow_file *file = &c->list[i].shadow.files[f];
            char *copy = real && file->copy ? realpath(file->copy, NULL) : NULL;
            if ((file->copy && !strcmp(file->copy, path)) || (copy && !strcmp(copy, real)) ||
                (real && !strcmp(file->real, real)))
                found = file->path;
            free(copy);
        }
    free(real);
    return found;
}

static void cannot_write(struct corrector *c, const char *path)
{
    say("call cc: cannot write %s: %s\n", path, destination_error(errno));
    c->incomplete = true;
}

static void replace_file(struct corrector *c, const char *path, const struct text *t)
{
    struct outfile f;
    if (outfile_open(&f, path) == 0) {
        outfile_write(&f, t->s, t->n);
        if (outfile_commit(&f) == 0)
            return;
    }
    cannot_write(c, path);
}

static void correct_dependencies(struct corrector *c, const char *path)
{
    char *text;
    size_t size;
    if (source_read(path, SOURCE_LIMIT, &text, &size))
        return;
    if (strstr(text, c->temporary)) {
        struct text t;
        text_init(&t);
        depend_rewrite(text, c->temporary, user_name, c, &t);
        replace_file(c, path, &t);
        text_free(&t);
    }
    mem_free(text);
}

/* Compilers differ in how they name a dependency file that has no -MF: whichever of these names our
 * folder. */
static void correct_all_dependencies(struct corrector *c)
{
    struct arena *a = c->arena;
    const struct cc_args *args = c->args;
    if (args->dependencies)
        correct_dependencies(c, args->dependencies);
    if (!args->writes_dependencies)
        return;
    if (args->output) {
        correct_dependencies(c, arena_printf(a, "%s.d", path_stem(a, args->output)));
        correct_dependencies(c, arena_printf(a, "%s.d", args->output));
    }
    for (size_t i = 0; i < args->nsources; i++) {
        const char *base = path_stem(a, path_base(args->sources[i].path));
        correct_dependencies(c, arena_printf(a, "%s.d", base));
        correct_dependencies(
            c, arena_printf(a, "%s-%s.d", args->output ? path_stem(a, args->output) : "a", base));
        if (args->output)
            correct_dependencies(c, arena_printf(a, "%s-%s.d", args->output, base));
    }
}

/* The line markers of -E output: the user's names instead of those in the temporary folder. */
static void correct_markers(const struct corrector *c, const char *text, struct text *out)
{
    size_t n = strlen(c->temporary);
    const char *p;
    while ((p = strstr(text, c->temporary))) {
        text_addn(out, text, (size_t)(p - text));
        size_t length = strcspn(p, "\"\n");
        char *path = arena_strndup(c->arena, p, length);
        const char *name = user_name((void *)c, path);
        text_add(out, name ? name : path_base(path));
        text = p + (length > n ? length : n);
    }
    text_add(out, text);
}

static void correct_preprocessed(struct corrector *c, const char *captured)
{
    char *text;
    size_t size;
    const char *path = captured ? captured : c->args->output;
    if (!path || source_read(path, (size_t)SOURCE_LIMIT * 4, &text, &size))
        return;
    struct text t;
    text_init(&t);
    correct_markers(c, text, &t);
    if (!captured)
        replace_file(c, path, &t);
    else if (fwrite(t.s, 1, t.n, stdout) != t.n || fflush(stdout))
        cannot_write(c, "the standard output");
    text_free(&t);
    mem_free(text);
}

int correct_outputs(struct arena *a, const struct cc_args *args, const struct translation *list,
                    const char *captured)
{
    struct corrector c = {a, args, list, process_temporary(a), false};
    correct_all_dependencies(&c);
    if (args->preprocess_only)
        correct_preprocessed(&c, captured);
    return c.incomplete;
}
