/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The preprocessor cannot be run after the translation: a directive may use names that are macros. So a
 * source that the compiler would preprocess is preprocessed first, with a mark in place of each
 * directive (unit_mark), and the compiler gets the result.
 */
#include "call/cc/fortran.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/printable.h"
#include "call/cc/implied.h"
#include "call/cc/language.h"
#include "call/cc/translate.h"
#include "translate/fortran.h"

enum { MAX_INCLUDE_DEPTH = 16, INCLUDE_LIMIT = 64 << 20 };

/* The first line that `is` is true for becomes an error with this text. */
static bool refuse_lines(const char *path, const char *text, size_t size,
                         bool (*is)(const char *line, size_t n), const char *why)
{
    struct span line;
    for (size_t i = 0; preprocess_next_line(text, size, &i, &line);) {
        if (!is(text + line.begin, line.end - line.begin))
            continue;
        DIAG_LOCAL struct diag *diag = diag_create();
        struct source source = {path, text, size};
        diag_add(diag, SEVERITY_ERROR, &source, line, "%s", why);
        diag_print(diag, stderr, ERROR_LIMIT);
        return true;
    }
    return false;
}

/* ---- the main program ---- */

/* PROGRAM NAME, and nothing behind it but a comment or another statement */
static bool is_program(const char *line, size_t n)
{
    size_t i = 0;
    while (i < n && isspace((unsigned char)line[i]))
        i++;
    if (n - i < 9 || strncasecmp(line + i, "program", 7) != 0 ||
        !isblank((unsigned char)line[i + 7]))
        return false;
    for (i += 7; i < n && isblank((unsigned char)line[i]);)
        i++;
    size_t begin = i;
    while (i < n && (isalnum((unsigned char)line[i]) || line[i] == '_'))
        i++;
    bool named = i > begin;
    while (i < n && isspace((unsigned char)line[i]))
        i++;
    return named && (i == n || line[i] == '!' || line[i] == ';');
}

bool fortran_has_program(const char *path)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    bool found = false;
    struct span line;
    if (source_read(path, SOURCE_LIMIT, &text, &size))
        return false; /* the compiler says why */
    for (size_t i = 0; !found && preprocess_next_line(text, size, &i, &line);)
        found = is_program(text + line.begin, line.end - line.begin);
    return found;
}

/* ---- included files ---- */

/* Also in a macro. */
static bool is_directive(const char *line, size_t n)
{
    size_t i = lex_byte_order_mark(line, n);
    if (fortran_fixed_is_directive(line, n))
        return true;
    while (i < n && (line[i] == ' ' || line[i] == '\t'))
        i++;
    if (i < n && line[i] == '#')
        while (i < n && line[i] != '!')
            i++;
    return n - i >= 5 && !strncasecmp(line + i, "!$cll", 5) &&
           (n - i == 5 || !isalnum((unsigned char)line[i + 5]));
}

/* The file name of a line: include 'x', #include "x", #include <x>; NULL for another line. */
static const char *included(struct arena *a, const char *line, size_t n)
{
    size_t i = 0;
    while (i < n && strchr(" \t#", line[i]))
        i++;
    if (n - i < 7 || strncasecmp(line + i, "include", 7) != 0)
        return NULL;
    for (i += 7; i < n && (line[i] == ' ' || line[i] == '\t');)
        i++;
    if (i >= n || !line[i] || !strchr("'\"<", line[i]))
        return NULL;
    const char *stop = memchr(line + i + 1, line[i] == '<' ? '>' : line[i], n - i - 1);
    return stop ? arena_strndup(a, line + i + 1, (size_t)(stop - line) - i - 1) : NULL;
}

static bool refuse_in(struct arena *a, const struct cc_args *args, const char *path,
                      const char *text, size_t size, int depth);

static bool refuse_file(struct arena *a, const struct cc_args *args, const char *path, int depth,
                        bool *found)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (source_read(path, INCLUDE_LIMIT, &text, &size))
        return false;
    *found = refuse_lines(path, text, size, is_directive,
                          "this directive would be ignored: call translates sources, not the files "
                          "that they include; move the region into the source") ||
             refuse_in(a, args, path, text, size, depth + 1);
    return true;
}

static bool refuse_in(struct arena *a, const struct cc_args *args, const char *path,
                      const char *text, size_t size, int depth)
{
    bool any = false;
    struct span line;
    for (size_t i = 0; depth < MAX_INCLUDE_DEPTH && preprocess_next_line(text, size, &i, &line);) {
        const char *name = included(a, text + line.begin, line.end - line.begin);
        bool found = false;
        if (!name)
            continue;
        bool read = refuse_file(
            a, args, name[0] == '/' ? name : arena_printf(a, "%s/%s", path_folder(a, path), name),
            depth, &found);
        for (size_t f = 0; !read && f < args->nfolders; f++)
            read = refuse_file(a, args, arena_printf(a, "%s/%s", args->folders[f].path, name),
                               depth, &found);
        any |= found;
    }
    return any;
}

bool fortran_refuse_included(struct arena *a, const struct cc_args *args, const char *path,
                             const char *text, size_t size)
{
    return refuse_in(a, args, path, text, size, 0);
}

/* ---- simulated programs ---- */

static bool is_f08(const char *line, size_t n)
{
    return implied_uses(line, line + n, "mpi_f08");
}

bool fortran_refuse_unsimulated(const struct input *in)
{
    return refuse_lines(
        in->path, in->text, in->size, is_f08,
        "SimGrid has no module mpi_f08, so this program cannot be simulated: use the "
        "module mpi, or mpif.h");
}

/* ---- standards ---- */

bool fortran_refuse_standard(const struct cc_args *args)
{
    const char *last = NULL;
    for (size_t i = args->compiler + 1; i < args->words.n; i++)
        if (!strncmp(args->words.list[i], "-std=", 5))
            last = args->words.list[i];
    if (!last || (strcmp(last, "-std=f95") != 0 && strcmp(last, "-std=f2003") != 0))
        return false;
    say("call cc: the translated source has BLOCK constructs, which %s does not allow: use -std=f2008, "
        "-std=f2018, -std=legacy or -std=gnu\n",
        last);
    return true;
}

/* ---- commands ---- */

const char *fortran_copy_name(struct arena *a, const char *base, bool preprocessed)
{
    char *name = arena_strdup(a, base), *dot = strrchr(name, '.');
    for (char *c = dot; preprocessed && c && *c; c++)
        *c = (char)tolower((unsigned char)*c);
    return name;
}

/* Options of dependency files that have their value in the next word. */
static bool has_value(const char *w)
{
    return !strcmp(w, "-MF") || !strcmp(w, "-MT") || !strcmp(w, "-MQ");
}

struct words fortran_plain_words(struct arena *a, const struct cc_args *args,
                                 const struct words *in)
{
    struct words out = {0};
    for (size_t i = 0; i < in->n; i++) {
        const char *w = in->list[i];
        bool after = i > args->compiler;
        if (after && !strncmp(w, "-M", 2)) {
            i += has_value(w);
            continue;
        }
        bool value = after && i > 0 && !strcmp(in->list[i - 1], "-x");
        if (value && !strcmp(w, "f95-cpp-input"))
            w = "f95";
        if (!(after && (!strcmp(w, "-cpp") || !strcmp(w, "-xf95-cpp-input"))))
            words_add(a, &out, w);
    }
    return out;
}

int fortran_dependencies(struct arena *a, const struct cc_args *args, size_t source)
{
    const char *stem = path_stem(a, path_base(args->sources[source].path));
    const char *target = args->output ? args->output : arena_printf(a, "%s.o", stem);
    struct words w = cc_args_preprocess(a, args, source);
    bool named = false;
    for (size_t i = args->compiler + 1; i < args->words.n; i++) {
        const char *word = args->words.list[i];
        if (strncmp(word, "-M", 2) != 0 || !strcmp(word, "-MF"))
            continue;
        named |= !strncmp(word, "-MT", 3) || !strncmp(word, "-MQ", 3);
        words_add(a, &w, word);
        if (has_value(word) && i + 1 < args->words.n)
            words_add(a, &w, args->words.list[++i]);
    }
    WORDS_ADD(a, &w, "-MF",
              args->dependencies ? args->dependencies
                                 : arena_printf(a, "%s.d", path_stem(a, target)));
    if (!named)
        WORDS_ADD(a, &w, "-MT", target);
    /* smpif90 takes another name without -o */
    WORDS_ADD(a, &w, "-cpp", "-E", "-o", "/dev/null");
    struct process_options o = {.in = PROCESS_NULL, .out = PROCESS_NULL};
    return process_run(&w, &o);
}
