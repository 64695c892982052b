/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program that is built already says about itself. */
#ifndef CALL_RUN_BUILT_H
#define CALL_RUN_BUILT_H

#include "call/cc/cc.h"

struct built {
    bool known;             /* it is an ELF file; a script, for example, says nothing */
    bool instrumented;      /* it has a part of the run-time, or is linked with libcll */
    struct cc_program kind; /* as far as it is known */
};

/* Is this word of the command line a program, not a source, an object or a library? */
bool built_is_program(const char *path);

/* Reads the notes that `call cc` put into the program (CLL_NOTE in cll.h), and the names of its
 * libraries. */
void built_read(struct arena *a, const char *path, struct built *out);

#endif
