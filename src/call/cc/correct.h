/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The outputs of a compiler that name files: those of the shadow tree become the user's. */
#ifndef CALL_CC_CORRECT_H
#define CALL_CC_CORRECT_H

#include "call/cc/translation.h"

/* Corrects the dependency files and the output of -E of a command that has run. `list`: one per source.
 * `captured`: the file that has the output of -E if it is for stdout, where it is written now; else NULL. 0, or 1
 * after a message. */
int correct_outputs(struct arena *a, const struct cc_args *args, const struct translation *list,
                    const char *captured);

#endif
