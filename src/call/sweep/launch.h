/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How a program is started on P processors: one table of launchers, which every script that runs a
 * sweep gets as shell code (launcher.sh uses it).
 *
 * Every program of processes is an MPI program, whatever its driver is called, also of PUB.
 */
#ifndef CALL_SWEEP_LAUNCH_H
#define CALL_SWEEP_LAUNCH_H

#include <stdbool.h>

#include "base/text.h"
#include "translate/driver.h"

/* The name of the launcher for this kind of program. `flavour`: of the MPI library; NULL if it is
 * not known. Returns NULL if only the flavour could tell, or if it has no launcher. */
const char *launch_for(const struct driver *processes, bool openmp, const char *flavour);

/* The table as a shell function `launcher_entry NAME`, which sets a variable for each field and
 * fails if there is no such launcher. `simulated`: with the launcher of simulations. */
void launch_shell(struct text *out, bool simulated);

#endif
