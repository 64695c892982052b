/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which language a source has, as the drivers gcc, g++, clang and clang++ decide it. */
#ifndef CALL_CC_LANGUAGE_H
#define CALL_CC_LANGUAGE_H

#include <stdbool.h>
#include <stddef.h>

#include "translate/lex.h"

enum source_kind {
    SOURCE_NONE,    /* an object, a library, assembly, a header that is compiled by itself */
    SOURCE_C,       /* LANGUAGE_C */
    SOURCE_CXX,     /* LANGUAGE_CXX */
    SOURCE_FORTRAN, /* LANGUAGE_FORTRAN: in free form */
    SOURCE_FIXED,   /* LANGUAGE_FORTRAN: in fixed form */
    SOURCE_OTHER,   /* compiled, but not translated: preprocessed, Objective-C, CUDA */
};

/* The kind of an input. `option`: the value of -x, or NULL. `cxx`: the driver is one of C++, which
 * compiles .c as C++. */
enum source_kind source_kind(const char *path, const char *option, bool cxx);

bool source_is_fortran(const char *path);
/* The language of a source of this kind; `other`: of one that is not translated. */
enum language source_language(enum source_kind kind, enum language other);

/* Can the source be read? If not, a message of the command `self` says why. */
bool source_is_readable(const char *self, const char *path);

/* The ending of the name of a source that can be translated, ".c", ".cpp", ".f90" or ".f", as a part of
 * `path`; NULL for another name. */
const char *source_ending(const char *path);

/* Is a compiler of this name (its path) one of C++? */
bool language_is_cxx(const char *name);

/* Complains about a source in UTF-16 or UTF-32; `who`: the command. Returns true. */
bool source_refuse_wide(const char *who, const char *path);

/* Does the compiler preprocess a Fortran source of this name without being asked: "x.F90"? */
bool source_is_cuda(const char *path);
bool source_is_preprocessed(const char *path);

#endif
