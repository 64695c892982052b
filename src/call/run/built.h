/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program that is built already says about itself. */
#ifndef CALL_RUN_BUILT_H
#define CALL_RUN_BUILT_H

#include "call/cc/cc.h"

struct built {
    bool instrumented;      /* the run-time is in it or in its libraries */
    struct cc_program kind; /* as far as it is known */
};

/* Is this word of the command line a program, not a source, an object or a library? */
bool built_is_program(const char *path);

/* Reads the notes that `call cc` put into the program and its libraries (CLL_NOTE in cll.h). A script
 * has none. 0, or -1 with errno if the program cannot be read. */
int built_read(struct arena *a, const char *path, struct built *out);

#endif
