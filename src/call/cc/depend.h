/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dependency files (-MMD and its relatives) and the output of -E name the shadow tree; make must see the user's
 * files. */
#ifndef CALL_CC_DEPEND_H
#define CALL_CC_DEPEND_H

#include "base/text.h"
#include "call/cc/translation.h"

/* The name in the rules for a path below the tree: NULL = leave it out. */
typedef const char *depend_name(void *user, const char *path);

/* The rules of `text` with every path that starts with `tree` replaced; a rule whose target is left
 * out vanishes. */
void depend_rewrite(const char *text, const char *tree, depend_name *name, void *user,
                    struct text *out);

/* Corrects the dependency files and the output of -E of a command that has run. `list`: one per source.
 * `captured`: the file that has the output of -E if it is for stdout, where it is written now; else NULL. 0, or 1
 * after a message. */
int depend_correct(struct arena *a, const struct cc_args *args, const struct translation *list,
                   const char *captured);

#endif
