/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cllprobe with MPI: what the families of several processes share. */
#ifndef PROBE_MPI_PARALLEL_H
#define PROBE_MPI_PARALLEL_H

#include <mpi.h>

#include "probe/probe.h"

extern const struct probe_family probe_mpi, probe_bsp;

/* The communicator of cllprobe. */
extern MPI_Comm probe_comm;

/* How many operations a sample has, when one takes so long: as many as PROBE_SAMPLE has room for. */
unsigned probe_repeats(double seconds);

#endif
