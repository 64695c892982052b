/* SPDX-License-Identifier: MIT */
/*
 * MPI_Init, MPI_Init_thread and MPI_Finalize, wrapped by the profiling interface of MPI. Every
 * process goes through them, also one that measures nothing, and so can take part in a gathering.
 *
 * The linker takes this object for any program that calls MPI_Init. One without experiments has no
 * driver (mpi.c): then the hooks are null, and nothing happens. The wrappers are weak, so that a
 * program or a tool may have wrappers of its own; then the driver does without these.
 */
#include <mpi.h>

#include "cll/mpi/hooks.h"

#pragma weak cll_mpi_at_init
#pragma weak cll_mpi_at_finalize
#pragma weak MPI_Init
#pragma weak MPI_Init_thread
#pragma weak MPI_Finalize

int cll_mpi_wrapped = 1;

int MPI_Init(int *argc, char ***argv)
{
    int result = PMPI_Init(argc, argv);
    if (result == MPI_SUCCESS && cll_mpi_at_init)
        cll_mpi_at_init();
    return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int result = PMPI_Init_thread(argc, argv, required, provided);
    if (result == MPI_SUCCESS && cll_mpi_at_init)
        cll_mpi_at_init();
    return result;
}

int MPI_Finalize(void)
{
    if (cll_mpi_at_finalize)
        cll_mpi_at_finalize();
    return PMPI_Finalize();
}
