/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One source on its way through the translator, whatever the command: `call FILE.c`, `call cc` and
 * `call run` read, resolve and emit with these functions. They differ in what struct translator says, and in
 * where the result goes.
 */
#ifndef CALL_CC_TRANSLATION_H
#define CALL_CC_TRANSLATION_H

#include "call/cc/args.h"
#include "call/cc/shadow.h"
#include "translate/unit.h"

/* How the sources of a command are translated. */
struct translator {
    struct arena *arena;
    const char *self;           /* the command, for messages */
    const struct cc_args *args; /* of the compiler */
    bool mpi_compiler;          /* the compiler tells that the program is one of MPI */
    bool
        alone; /* no header is translated, and where the preprocessor fails, the text as written is read */
    bool raw; /* the preprocessor is not asked */
};

struct translation {
    enum language language;
    size_t columns;       /* Fortran in fixed form: of a line; 0 = free form */
    size_t source;        /* index in the arguments */
    struct shadow shadow; /* the source and its headers */
    struct unit *unit;    /* NULL: no file may have pragmas of ours */
    size_t *inputs;       /* per file of the shadow: its input in the unit, or (size_t)-1 */
    const char *tree;     /* the folder of its copies; NULL = none */
    bool translated;      /* it has pragmas of ours */
    bool unseen;          /* the preprocessor did not show whether it has */
};

/* Reads a source, in UTF-8 or ASCII, and its pragmas; with the arguments also the headers that it includes.
 * Without arguments (NULL) the source may be a pipe. 0, or an errno value. */
int translation_read(struct arena *a, const struct cc_args *args, const struct cc_source *source,
                     struct translation *t);
void translation_end(struct translation *t);

/* The driver that the text as written tells (implied.h). */
const struct driver *translation_implies(const struct translation *t, bool mpi_compiler);

/* The driver that the source and its headers tell, before there is a compiler of MPI: if they name a header or module of a
 * parallel library, in whatever branch, the preprocessor decides, which finds these headers in any case. If it fails, the
 * text as written does. `source`: its index in the arguments. */
const struct driver *translation_driver(struct arena *a, const struct cc_args *args, size_t source,
                                        const struct translation *t);

/* The steps from the pragmas to a unit that can be emitted: marks, the preprocessor, unit_resolve. `source`:
 * its index in the arguments. 0 = good, 1 = errors were printed, 2 = the preprocessor failed, and the
 * compiler will say why. */
int translation_resolve(const struct translator *how, size_t source, struct translation *t);

/* The translated source. `header`: the name of the generated header; Fortran has none. `flags`: of the
 * compiler, for the data file. */
void translation_emit(const struct translation *t, const char *header, const char *flags,
                      struct text *out);

/* The name of the generated header without folder, "x.cll.h"; also of a Fortran source, which has none. */
const char *translation_header(struct arena *a, const struct translation *t);

/* Writes the translated files into the tree. `keep`: a copy of the source goes to this path and its
 * ending, the header to the path and ".h"; may be NULL. 0, or -1 after a message. */
int translation_write(const struct translator *how, struct translation *t, const char *keep);

/* Sources of one command share its folders of headers, and each has its own copy of a header: writes headers that
 * choose between the copies. `list`: of all sources, all written. 0, or -1 after a message. */
int translation_unite(const struct translator *how, const struct translation *list, size_t n);

/* The words of a command with translated sources in place of the user's, the source's own folder first where
 * quoted headers are searched, and the shadow of a searched folder before it. */
struct words translation_redirect(struct arena *a, const struct cc_args *args,
                                  const struct translation *list, size_t n, const struct words *in);

#endif
