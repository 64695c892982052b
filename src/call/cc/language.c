/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Endings of names, values of -x and names of compilers. */
#include "call/cc/language.h"

#include <string.h>

#include "call/cc/translate.h"

static const struct {
    const char *ending;
    enum source_kind kind;
} endings[] = {{".c", SOURCE_C},      {".cpp", SOURCE_CXX},   {".cc", SOURCE_CXX},
               {".cxx", SOURCE_CXX},  {".C", SOURCE_CXX},     {".c++", SOURCE_CXX},
               {".cp", SOURCE_CXX},   {".CPP", SOURCE_CXX},   {".cppm", SOURCE_CXX},
               {".ixx", SOURCE_CXX},  {".i", SOURCE_OTHER},   {".ii", SOURCE_OTHER},
               {".m", SOURCE_OTHER},  {".M", SOURCE_OTHER},   {".mm", SOURCE_OTHER},
               {".mi", SOURCE_OTHER}, {".mii", SOURCE_OTHER}, {".cu", SOURCE_OTHER}};

static const struct {
    const char *option;
    enum source_kind kind;
} options[] = {{"c", SOURCE_C},
               {"c++", SOURCE_CXX},
               {"cpp-output", SOURCE_OTHER},
               {"c++-cpp-output", SOURCE_OTHER},
               {"objective-c", SOURCE_OTHER},
               {"objective-c++", SOURCE_OTHER},
               {"cuda", SOURCE_OTHER},
               {"hip", SOURCE_OTHER}};

static const char *ending_of(const char *path)
{
    const char *base = path_base(path), *dot = strrchr(base, '.');
    return dot && dot != base ? dot : NULL;
}

enum source_kind source_kind(const char *path, const char *option, bool cxx)
{
    const char *ending = ending_of(path);
    for (size_t i = 0; option && i < sizeof options / sizeof *options; i++)
        if (!strcmp(option, options[i].option))
            return options[i].kind;
    for (size_t i = 0; !option && ending && i < sizeof endings / sizeof *endings; i++)
        if (!strcmp(ending, endings[i].ending))
            return endings[i].kind == SOURCE_C && cxx ? SOURCE_CXX : endings[i].kind;
    return SOURCE_NONE;
}

const char *source_ending(const char *path)
{
    enum source_kind kind = source_kind(path, NULL, false);
    return kind == SOURCE_C || kind == SOURCE_CXX ? ending_of(path) : NULL;
}

bool compiler_is_cxx(const char *path)
{
    static const char *const parts[] = {"++", "mpicxx", "mpiCC", "smpicxx", "icpc", "icpx", "xlC"};
    const char *name = path_base(path);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(name, parts[i]))
            return true;
    return !strcmp(name, "CC"); /* Cray's */
}
