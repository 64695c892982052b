/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Endings of names, values of -x and names of compilers. */
#include "call/cc/language.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "call/cc/translate.h"

static const struct {
    const char *ending;
    enum source_kind kind;
} endings[] = {{".c", SOURCE_C},         {".cpp", SOURCE_CXX},     {".cc", SOURCE_CXX},
               {".cxx", SOURCE_CXX},     {".C", SOURCE_CXX},       {".c++", SOURCE_CXX},
               {".cp", SOURCE_CXX},      {".CPP", SOURCE_CXX},     {".cppm", SOURCE_CXX},
               {".ixx", SOURCE_CXX},     {".i", SOURCE_OTHER},     {".ii", SOURCE_OTHER},
               {".m", SOURCE_OTHER},     {".M", SOURCE_OTHER},     {".mm", SOURCE_OTHER},
               {".mi", SOURCE_OTHER},    {".mii", SOURCE_OTHER},   {".cu", SOURCE_CXX},
               {".f90", SOURCE_FORTRAN}, {".F90", SOURCE_FORTRAN}, {".f95", SOURCE_FORTRAN},
               {".F95", SOURCE_FORTRAN}, {".f03", SOURCE_FORTRAN}, {".F03", SOURCE_FORTRAN},
               {".f08", SOURCE_FORTRAN}, {".F08", SOURCE_FORTRAN}, {".f", SOURCE_FIXED},
               {".F", SOURCE_FIXED},     {".for", SOURCE_FIXED},   {".FOR", SOURCE_FIXED},
               {".ftn", SOURCE_FIXED},   {".FTN", SOURCE_FIXED},   {".fpp", SOURCE_FIXED},
               {".FPP", SOURCE_FIXED}};

static const struct {
    const char *option;
    enum source_kind kind;
} options[] = {{"c", SOURCE_C},
               {"c++", SOURCE_CXX},
               {"cpp-output", SOURCE_OTHER},
               {"c++-cpp-output", SOURCE_OTHER},
               {"objective-c", SOURCE_OTHER},
               {"objective-c++", SOURCE_OTHER},
               {"cu", SOURCE_CXX},
               {"cuda", SOURCE_OTHER},
               {"hip", SOURCE_OTHER},
               {"f95", SOURCE_FORTRAN},
               {"f95-cpp-input", SOURCE_FORTRAN},
               {"f77", SOURCE_FIXED},
               {"f77-cpp-input", SOURCE_FIXED}};

enum source_kind source_kind(const char *path, const char *option, bool cxx)
{
    const char *ending = path_ending(path);
    for (size_t i = 0; option && i < sizeof options / sizeof *options; i++)
        if (!strcmp(option, options[i].option))
            return options[i].kind;
    for (size_t i = 0; !option && ending && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(ending, endings[i].ending))
            return endings[i].kind == SOURCE_C && cxx ? SOURCE_CXX : endings[i].kind;
    return SOURCE_NONE;
}

bool source_is_fortran(const char *path)
{
    return source_language(source_kind(path, NULL, false), LANGUAGE_C) == LANGUAGE_FORTRAN;
}

enum language source_language(enum source_kind kind, enum language other)
{
    switch (kind) {
    case SOURCE_C: return LANGUAGE_C;
    case SOURCE_CXX: return LANGUAGE_CXX;
    case SOURCE_FORTRAN:
    case SOURCE_FIXED: return LANGUAGE_FORTRAN;
    default: return other;
    }
}

bool source_is_readable(const char *self, const char *path)
{
    struct stat st;
    int error = access(path, R_OK) || stat(path, &st) ? errno : S_ISDIR(st.st_mode) ? EISDIR : 0;
    if (error)
        say("%s: cannot read %s: %s%s\n", self, path, strerror(error),
            error == ENOENT && !source_ending(path)
                ? "; the arguments of the program come after '--'"
                : "");
    return !error;
}

const char *source_ending(const char *path)
{
    enum source_kind kind = source_kind(path, NULL, false);
    bool translated = kind != SOURCE_NONE && kind != SOURCE_OTHER;
    return translated ? path_ending(path) : NULL;
}

bool source_is_cuda(const char *path)
{
    const char *ending = path_ending(path);
    return ending && !strcmp(ending, ".cu");
}

bool source_is_preprocessed(const char *path)
{
    const char *ending = path_ending(path);
    return ending && (ending[1] == 'F' || !strcmp(ending, ".fpp"));
}

bool language_is_cxx(const char *path)
{
    static const char *const parts[] = {"++", "mpicxx", "mpiCC", "smpicxx", "icpc", "icpx", "xlC"};
    const char *name = path_base(path);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]))
            return true;
    return !strcmp(name, "CC"); /* Cray's */
}

bool source_refuse_wide(const char *who, const char *path)
{
    say("%s: %s is in UTF-16 or UTF-32, so its pragmas would be ignored: convert it, for example with "
        "'iconv -f UTF-16 -t UTF-8'\n",
        who, path);
    return true;
}
