/* SPDX-License-Identifier: MIT */
/*
 * MPI_INIT, MPI_INIT_THREAD and MPI_FINALIZE of Fortran, wrapped as in wrap.c: the Fortran libraries do
 * not always call the functions of C that wrap.c wraps. The linker takes this object for a program that
 * calls one of these names; the library of the program has the others.
 */
#include <mpi.h>

#if !defined(CLL_SMPI) /* SimGrid has no profiling interface of Fortran */

#include "cll/mpi/hooks.h"

#pragma weak cll_mpi_at_init
#pragma weak cll_mpi_at_finalize
#pragma weak mpi_init_
#pragma weak mpi_init_thread_
#pragma weak mpi_finalize_

void pmpi_init_(MPI_Fint *error);
void pmpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);
void pmpi_finalize_(MPI_Fint *error);
void mpi_init_(MPI_Fint *error);
void mpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);
void mpi_finalize_(MPI_Fint *error);

void mpi_init_(MPI_Fint *error)
{
    pmpi_init_(error);
    if (cll_mpi_at_init)
        cll_mpi_at_init();
}

void mpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)
{
    pmpi_init_thread_(required, provided, error);
    if (cll_mpi_at_init)
        cll_mpi_at_init();
}

void mpi_finalize_(MPI_Fint *error)
{
    if (cll_mpi_at_finalize)
        cll_mpi_at_finalize();
    pmpi_finalize_(error);
}
#endif
