/* SPDX-License-Identifier: MIT */
/* This process in a program of MPI processes; for the drivers that are built on MPI. */
#ifndef CLL_MPI_MEMBER_H
#define CLL_MPI_MEMBER_H

#include <mpi.h>

/* Collective over `world`, a communicator of all processes that the program does not use: calls
   cll_driver_join in each. */
void cll_mpi_join(const char *driver, MPI_Comm world);

/* For cll_driver.chunk; a program gathers with one driver. */
extern char cll_mpi_chunk[];

#endif
