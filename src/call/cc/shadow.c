/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Includes are followed textually, without conditionals: a header too many costs a copy, a header
 * missed would cost its regions. Only folders of the command line are searched. The preprocessor
 * shows the pragmas of headers that are not found here, and of macros (look_for_hidden).
 */
#define _GNU_SOURCE 1 /* memmem */
#include "call/cc/shadow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "call/cc/refused.h"
#include "call/cc/timed.h"
#include "call/cc/translate.h"

enum { MAX_FILES = 20000, HEADER_LIMIT = 64 << 20 };

struct reached {
    size_t file, folder;
};

struct scanner {
    struct arena *arena;
    const struct cc_args *args;
    const struct cc_source *source;
    struct shadow *s;
    bool follows;              /* the includes */
    struct reached *by_folder; /* files reached through a folder of the command line */
    size_t nby_folder, cby_folder;
};

static size_t root_of(struct shadow *s, size_t i)
{
    while (s->files[i].group != i)
        i = s->files[i].group = s->files[s->files[i].group].group;
    return i;
}

/* Has a text in UTF-16 or UTF-32 pragmas that may be ours? Headers of other systems are often written so,
 * behind a conditional. */
static bool holds_wide_pragma(const char *text, size_t size)
{
    if (!lex_is_wide(text, size))
        return false;
    TEXT_LOCAL struct text narrow = text_new();
    for (size_t i = 0; i < size; i++)
        if (text[i])
            text_addc(&narrow, text[i]);
    return lex_may_hold_pragma(narrow.s, narrow.n);
}

/* The text with the regions that `call discover` wants in it. */
static void put_regions(const struct scanner *c, const char *real, char **text, size_t *size)
{
    const char *list = timed_list();
    size_t n;
    if (!list)
        return;
    timed_blank(c->arena, c->source->language, *text, *size);
    const struct timed_region *regions = timed_find(c->arena, list, real, &n);
    const char **why = arena_zalloc(c->arena, n + 1, sizeof *why);
    if (n)
        *text = timed_put(c->arena, c->source->language, c->source->columns != 0, *text, *size,
                          regions, n, why, size);
    for (size_t i = 0; i < n; i++)
        if (why[i])
            refused_add(regions[i].name, why[i]);
}

/* Reads one more file. 0, or an errno value. */
static int add_file(struct scanner *c, const char *path, const char *real)
{
    struct shadow *s = c->s;
    char *text;
    size_t size, group = s->nfiles;
    int error = process_read(c->arena, path, s->nfiles ? HEADER_LIMIT : SOURCE_LIMIT, &text, &size);
    if (error)
        return error;
    put_regions(c, real, &text, &size);
    ARENA_ADD(c->arena, s->files, s->nfiles, &s->cfiles,
              (struct shadow_file){.path = path,
                                   .real = arena_strdup(c->arena, real),
                                   .text = text,
                                   .size = size,
                                   .holds = lex_may_hold_pragma(text, size),
                                   .is_wide = c->follows ? holds_wide_pragma(text, size)
                                                         : lex_is_wide(text, size),
                                   .group = group});
    return 0;
}

/* The index of the file, read if it is new. 0, or an errno value. */
static int load(struct scanner *c, const char *path, size_t *index)
{
    struct shadow *s = c->s;
    struct stat st;
    char *real = NULL;
    if (stat(path, &st) || (S_ISREG(st.st_mode) && !(real = realpath(path, NULL))))
        return errno;
    if (!real) /* a pipe must be left to the compiler */
        return ENOTSUP;
    for (*index = 0; *index < s->nfiles; ++*index)
        if (!strcmp(s->files[*index].real, real))
            break;
    int error = *index < s->nfiles ? 0 : *index >= MAX_FILES ? EMFILE : add_file(c, path, real);
    free(real);
    return error;
}

static bool searches(const struct cc_folder *f, bool quoted)
{
    return quoted || strcmp(f->option, "-iquote");
}

/* One #include of file i. */
static void follow(struct scanner *c, size_t i, const char *name, bool quoted)
{
    struct arena *a = c->arena;
    size_t found;
    if (quoted && name[0] != '/') {
        const char *own = c->s->files[i].path;
        const char *beside =
            strchr(own, '/') ? arena_printf(a, "%s/%s", path_folder(a, own), name) : name;
        if (!load(c, beside, &found)) {
            c->s->files[root_of(c->s, found)].group = root_of(c->s, i);
            return;
        }
    }
    for (int pass = 0; pass < 2; pass++) /* -iquote comes before -I, wherever it is */
        for (size_t f = 0; f < c->args->nfolders; f++) {
            const struct cc_folder *folder = &c->args->folders[f];
            if (searches(folder, quoted) && !strcmp(folder->option, "-iquote") == (pass == 0) &&
                !load(c, arena_printf(a, "%s/%s", folder->path, name), &found)) {
                ARENA_ADD(c->arena, c->by_folder, c->nby_folder, &c->cby_folder,
                          (struct reached){found, f});
                return;
            }
        }
}

/* Is "#", its digraph or its trigraph before the word at `p`? */
static bool is_directive(const char *text, const char *p)
{
    size_t n = (size_t)(p - text);
    return (n >= 1 && p[-1] == '#') || (n >= 2 && !memcmp(p - 2, "%:", 2)) ||
           (n >= 3 && !memcmp(p - 3, "?\?=", 3));
}

/* Every #include line of the file. */
static void scan_file(struct scanner *c, size_t i)
{
    const char *text = c->s->files[i].text, *end = text + c->s->files[i].size, *p = text;
    while ((p = memmem(p, (size_t)(end - p), "include", 7))) {
        const char *line = p;
        p += 7;
        while (line > text && (line[-1] == ' ' || line[-1] == '\t'))
            line--;
        if (!is_directive(text, line))
            continue;
        while (p < end && (*p == ' ' || *p == '\t'))
            p++;
        if (p == end || (*p != '"' && *p != '<'))
            continue; /* through a macro: only the preprocessor knows the name */
        char close = *p == '"' ? '"' : '>';
        const char *name = p + 1, *stop = memchr(name, close, (size_t)(end - name));
        if (stop && stop > name && !memchr(name, '\n', (size_t)(stop - name)))
            follow(c, i, arena_strndup(c->arena, name, (size_t)(stop - name)), close == '"');
    }
}

int shadow_scan(struct arena *a, const struct cc_args *args, const struct cc_source *source,
                struct shadow *out)
{
    struct scanner c = {.arena = a, .args = args, .source = source, .s = out};
    size_t first;
    memset(out, 0, sizeof *out);
    c.follows = args && source->language != LANGUAGE_FORTRAN;
    if (args)
        out->folders = arena_zalloc(a, args->nfolders + 1, sizeof *out->folders);
    int error = args ? load(&c, source->path, &first)
                     : add_file(&c, source->path, arena_printf(a, "/%s", path_base(source->path)));
    if (error)
        return error;
    for (size_t i = 0; i < out->nfiles; i++) {
        if (c.follows)
            scan_file(&c, i);
        out->holds |= out->files[i].holds;
    }
    bool *holds = arena_zalloc(a, out->nfiles, sizeof *holds); /* per group */
    for (size_t i = 1; i < out->nfiles; i++)
        holds[root_of(out, i)] |= out->files[i].holds;
    for (size_t i = 0; i < out->nfiles; i++)
        out->files[i].shadowed = i == 0 || holds[root_of(out, i)];
    for (size_t i = 0; i < c.nby_folder; i++)
        out->folders[c.by_folder[i].folder] |= out->files[c.by_folder[i].file].shadowed;
    return 0;
}

void shadow_place(struct arena *a, const char *tree, bool all, struct shadow *s)
{
    for (size_t i = 0; i < s->nfiles; i++) {
        struct shadow_file *f = &s->files[i];
        f->shadowed |= all && root_of(s, i) == root_of(s, 0);
        if (f->shadowed)
            f->copy = arena_printf(a, "%s%s", tree, f->real);
    }
}
