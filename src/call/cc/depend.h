/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dependency files (-MMD and its relatives) name the shadow tree; make must see the user's files.
 */
#ifndef CALL_CC_DEPEND_H
#define CALL_CC_DEPEND_H

#include <stdbool.h>

#include "base/text.h"

/* The name in the rules for a path below the tree: NULL = leave it out. */
typedef const char *depend_name(void *user, const char *path);

/* The rules of `text` with every path that starts with `tree` replaced; a rule whose target is left
 * out vanishes. */
void depend_rewrite(const char *text, const char *tree, depend_name *name, void *user,
                    struct text *out);

#endif
