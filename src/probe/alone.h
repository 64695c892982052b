/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The world of one process, without MPI. */
#ifndef PROBE_ALONE_H
#define PROBE_ALONE_H

#include "probe/probe.h"

/* Families that say what they need. */
extern const struct probe_family probe_needs_mpi, probe_needs_bsp;
/* With these two. */
extern const struct probe_world probe_alone;

/* So many processes were started by a launcher; at most 1 without one. */
long probe_started(void);

#endif
