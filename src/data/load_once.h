/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that hold the same samples: found before they are loaded, so that none counts twice. */
#ifndef DATA_LOAD_ONCE_H
#define DATA_LOAD_ONCE_H

#include "data/dataset.h"

/* Sets leave_out[i] for each of the n files whose samples another one has (a spool and its data
 * file, a temporary file, a copy, the same file again), with a warning. What repeats a file of
 * `loaded` (NULL: none) is an error, as is a file that cannot be read, and -1 is returned. */
int load_choose(char *const *paths, size_t n, const struct dataset *loaded, bool *leave_out,
                struct arena *arena, struct diag *diag);

#endif
