/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The shadow tree: translated copies of a source and of those headers that must be found in their
 * place.
 *
 * A file at /p/include/h.h is copied to TREE/p/include/h.h. `#include "x.h"` then finds the copies
 * beside the copy, and a folder of -I that holds copies gets its shadow put before it. Which
 * headers need a copy: those with regions, and, because a quoted name is first looked up beside the
 * file that includes it, all that are connected to them by such includes.
 *
 * Sources of one command have trees of their own. The shadows of its folders are then in a common tree, whose headers
 * choose the copy of the source that is being compiled (translation_unite).
 */
#ifndef CALL_CC_SHADOW_H
#define CALL_CC_SHADOW_H

#include "call/cc/args.h"
#include "translate/unit.h"

struct shadow_file {
    const char *path; /* as the compiler would spell it in messages */
    const char *real; /* absolute */
    const char *text;
    size_t size;
    bool holds;    /* has pragmas that may be ours */
    bool is_wide;  /* is in UTF-16 or UTF-32; a file of C that is compiled: and has some */
    bool shadowed; /* gets a copy */
    const char *copy;
    size_t group; /* files connected by includes from beside each other */
};

struct shadow {
    struct shadow_file *files; /* the source first */
    size_t nfiles, cfiles;
    bool *
        folders; /* per folder of cc_args: does it need a shadow before it? NULL without arguments */
    bool holds;  /* has a file of these pragmas that may be ours? */
};

/* Reads a source and the user's headers it includes, whatever the conditionals say. What Fortran includes is not
 * read. Without arguments (NULL) only the source is read, which may be a pipe. 0, or an errno value if the source
 * cannot be read. */
int shadow_scan(struct arena *a, const struct cc_args *args, const struct cc_source *source,
                struct shadow *out);

/* Decides which files get copies and where, below `tree`. `all`: every header found beside a copied
 * file. */
void shadow_place(struct arena *a, const char *tree, bool all, struct shadow *s);

#endif
