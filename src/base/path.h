/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a path: FOLDER/BASE, and STEM.ENDING of the base; what is in a folder; and programs in PATH. */
#ifndef BASE_PATH_H
#define BASE_PATH_H

#include "base/memory.h"

/* The last component, as a part of `path`. */
const char *path_base(const char *path);

/* The folder, "." if the path names none. In the arena. */
const char *path_folder(struct arena *a, const char *path);

/* The ending with its dot, as a part of `path`; NULL without one. ".profile" has none. */
const char *path_ending(const char *path);

/* The path without its ending. In the arena, or the path itself. */
const char *path_stem(struct arena *a, const char *path);

/* The paths of all that is in a folder, in the order of their names; NULL with errno if it cannot be
 * read. In the arena. */
char **path_list(struct arena *a, const char *folder, size_t *n);

/* The program `name` in the folders of PATH; NULL if it is in none. In the arena. */
const char *path_program(struct arena *a, const char *name);

#endif
