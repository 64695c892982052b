/* SPDX-License-Identifier: MIT */
/* Between the wrappers of MPI_Init and MPI_Finalize (wrap.c) and the driver (mpi.c). */
#ifndef CLL_MPI_HOOKS_H
#define CLL_MPI_HOOKS_H

/* Referred to by the driver, so that the wrappers are linked with it. */
extern int cll_mpi_wrapped;

/* After MPI_Init; collective over all processes. */
void cll_mpi_at_init(void);
/* Before MPI_Finalize; collective over all processes. */
void cll_mpi_at_finalize(void);

#endif
