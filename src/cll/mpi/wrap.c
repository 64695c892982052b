/* SPDX-License-Identifier: MIT */
/*
 * MPI_Init, MPI_Init_thread and MPI_Finalize, wrapped by the profiling interface of MPI. Every
 * process calls them, also one that measures nothing, so every process can take part in a gathering.
 *
 * The linker takes this object for any program that calls MPI_Init. A program without experiments
 * has no driver (mpi.c): then the hooks are null, and nothing happens. The wrappers are weak, so
 * that a program or a tool can have its own; then the driver works without these.
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
