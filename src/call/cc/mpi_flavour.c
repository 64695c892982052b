/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The macros that mpi.h defines tell the library, whatever the compiler or its wrapper is called. A
 * link command of a build system may lack the -I for it: then paths and names of libraries tell.
 */
#include "call/cc/mpi_flavour.h"

#include <string.h>

#include "call/cc/translate.h"

/* A macro of mpi.h and the library it tells. */
static const struct {
    const char *flavour, *macro;
} macros[] = {
#define FLAVOUR(flavour, macro) {#flavour, #macro},
#include "cll/mpi/flavours.def"
#undef FLAVOUR
};
enum { MACROS = sizeof macros / sizeof *macros };

/* Parts of paths and names of libraries. */
static const struct flavour {
    const char *name;
    const char *words[5];
} flavours[] = {{"smpi", {"smpicc", "smpicxx", "smpif90", "smpiff"}},
                {"openmpi", {"openmpi", "open-mpi", "ompi"}},
                {"mpich", {"mpich", "mvapich", "impi", "intel/mpi"}}};
enum { FLAVOURS = sizeof flavours / sizeof *flavours };

static bool is_library(const char *word)
{
    return !strncmp(word, "-lmpi", 5) || !strncmp(path_base(word), "libmpi", 6);
}

struct words mpi_flavour_libraries(struct arena *a, const struct cc_args *args)
{
    struct words found = {0};
    for (size_t i = args->compiler + 1; i < args->words.n; i++)
        if (is_library(args->words.list[i]))
            words_add(a, &found, args->words.list[i]);
    return found;
}

bool mpi_flavour_likely(struct arena *a, const struct cc_args *args)
{
    const char *compiler = path_base(args->words.list[args->compiler]);
    return strstr(compiler, "mpi") || mpi_flavour_libraries(a, args).n;
}

/* The compiler, and what tells it where headers are. */
static struct words question(struct arena *a, const struct cc_args *args)
{
    struct words w = cc_args_compiler(a, args);
    for (size_t i = 0; i < args->nfolders; i++)
        WORDS_ADD(a, &w, args->folders[i].option, args->folders[i].path);
    WORDS_ADD(a, &w, "-E", "-dM", "-x", "c", "-include", "mpi.h", "/dev/null");
    return w;
}

static const char *by_macros(struct arena *a, const struct cc_args *args)
{
    const char *temporary = process_temporary(a), *found = NULL;
    char *text;
    size_t size;
    if (!temporary)
        return NULL;
    const char *output = arena_printf(a, "%s/mpi-macros", temporary);
    struct words w = question(a, args);
    WORDS_ADD(a, &w, "-o", output); /* without one, SimGrid's smpif90 writes a file ".o" */
    struct process_options o = {.in = PROCESS_NULL, .out = PROCESS_NULL, .err = PROCESS_NULL};
    if (process_run(&w, &o) || process_read(a, output, SOURCE_LIMIT, &text, &size))
        return NULL;
    for (size_t i = 0; i < MACROS && !found; i++)
        if (strstr(text, arena_printf(a, "#define %s ", macros[i].macro)))
            found = macros[i].flavour;
    return found;
}

static const char *by_words(const struct cc_args *args)
{
    for (size_t i = args->compiler; i < args->words.n; i++)
        for (size_t f = 0; f < FLAVOURS; f++)
            for (size_t k = 0; flavours[f].words[k]; k++)
                if (strstr(args->words.list[i], flavours[f].words[k]) &&
                    strstr(args->words.list[i], "mpi"))
                    return flavours[f].name;
    return NULL;
}

/* What the compiler's wrapper would run: those of Fortran need not find mpi.h. */
static const char *by_wrapper(struct arena *a, const struct cc_args *args)
{
    struct cc_args shown = {.compiler = 0};
    struct words w = cc_args_compiler(a, args);
    words_add(a, &w, "-show");
    bool is_wrapper = strstr(path_base(args->words.list[args->compiler]), "mpi");
    const char *text = is_wrapper ? process_output(a, &w, NULL) : NULL;
    words_split(a, &shown.words, text ? text : "");
    return by_words(&shown);
}

const char *mpi_flavour_find(struct arena *a, const struct cc_args *args)
{
    const char *found = by_macros(a, args);
    if (!found)
        found = by_words(args);
    return found ? found : by_wrapper(a, args);
}
