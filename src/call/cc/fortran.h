/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fortran sources of a command: what they are compiled from, and where directives would be ignored. */
#ifndef CALL_CC_FORTRAN_H
#define CALL_CC_FORTRAN_H

#include "call/cc/args.h"
#include "translate/unit.h"

/* Complains about directives in files that INCLUDE lines or #include lines of the text name: these are
 * not translated. `path`: of the text. Returns whether there is one. */
bool fortran_refuse_included(struct arena *a, const struct cc_args *args, const char *path,
                             const char *text, size_t size);

/* Complains about the module mpi_f08 in a source that SimGrid is to simulate. Returns whether it has it. */
bool fortran_refuse_unsimulated(const struct input *in);

/* Complains about a standard that is too old for the translated source. Returns whether there is one. */
bool fortran_refuse_standard(const struct cc_args *args);

/* Does the file have the statement PROGRAM? The other sources of a program have modules, and come first. */
bool fortran_has_program(const char *path);

/* The name of the translated source: "x.F90" is preprocessed before it is translated, and becomes
 * "x.f90". */
const char *fortran_copy_name(struct arena *a, const char *base, bool preprocessed);

/* The command for sources that are preprocessed already: without -cpp and dependency files. */
struct words fortran_plain_words(struct arena *a, const struct cc_args *args,
                                 const struct words *in);

/* Writes the dependency file that the command asks for: the preprocessor makes it from the user's
 * source. 0, or the exit status of the compiler. */
int fortran_dependencies(struct arena *a, const struct cc_args *args, size_t source);

#endif
