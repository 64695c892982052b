/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes of a run whose files were not loaded, because they are on another host, and processes that did
 * not know of each other. */
#ifndef DATA_LOAD_MISSING_H
#define DATA_LOAD_MISSING_H

#include "data/dataset.h"

/* A run of several processes that was killed leaves a spool of each process, on the host of the
 * process. Warns, once for each run, if files of only some of its processes are loaded: which are
 * missing, on which hosts, and in which folder. Looks at the runs of the files from index `first`
 * on. Warns also about processes that a launcher of another MPI library started, and
 * about a variable that is not the setting of its name. */
void load_missing(const struct dataset *d, size_t first, struct arena *arena, struct diag *diag);

#endif
