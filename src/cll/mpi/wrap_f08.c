/* SPDX-License-Identifier: MIT */
/*
 * The same as wrap_fortran.c for programs that use the module mpi_f08 of Open MPI. That of MPICH calls
 * the functions of C, which wrap.c wraps.
 */
#include <mpi.h>

#if defined(OPEN_MPI)

#include "cll/mpi/hooks.h"

#pragma weak cll_mpi_at_init
#pragma weak cll_mpi_at_finalize
#pragma weak mpi_init_f08_
#pragma weak mpi_init_thread_f08_
#pragma weak mpi_finalize_f08_

void pmpi_init_f08_(MPI_Fint *error);
void pmpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);
void pmpi_finalize_f08_(MPI_Fint *error);
void mpi_init_f08_(MPI_Fint *error);
void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);
void mpi_finalize_f08_(MPI_Fint *error);

void mpi_init_f08_(MPI_Fint *error)
{
    pmpi_init_f08_(error);
    if (cll_mpi_at_init)
        cll_mpi_at_init();
}

void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)
{
    pmpi_init_thread_f08_(required, provided, error);
    if (cll_mpi_at_init)
        cll_mpi_at_init();
}

void mpi_finalize_f08_(MPI_Fint *error)
{
    if (cll_mpi_at_finalize)
        cll_mpi_at_finalize();
    pmpi_finalize_f08_(error);
}
#endif
