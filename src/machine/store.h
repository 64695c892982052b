/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machines that a user has: a folder of machine files, each named after its machine, NAME.json.
 * The folder is $CLL_MACHINES, or ~/.local/share/cll/machines.
 */
#ifndef MACHINE_STORE_H
#define MACHINE_STORE_H

#include "machine/machine.h"

/* Copies a machine file into the folder, which is made if it is not there. A machine of this name is
 * replaced only if `replace`. Returns the path of the copy; NULL with an error. */
const char *store_add(const char *path, bool replace, struct arena *a, struct diag *diag);

/* The names of the machines, sorted; *n may be 0. NULL with an error. */
const char **store_names(struct arena *a, size_t *n, struct diag *diag);

/* A machine by its name in the folder, or by the path of its file. NULL with an error. */
const struct machine *store_find(const char *name, struct arena *a, struct diag *diag);

#endif
