/* SPDX-License-Identifier: MIT */
/*
 * The same as wrap_fortran.c for programs that use the module mpi_f08. The names of its profiling
 * interface differ: that of MPICH does nothing that the functions of C do not do.
 */
#include <mpi.h>

#if !defined(CLL_SMPI)

#include "cll/mpi/hooks.h"

#pragma weak cll_mpi_at_init
#pragma weak cll_mpi_at_finalize
#pragma weak mpi_init_f08_
#pragma weak mpi_init_thread_f08_
#pragma weak mpi_finalize_f08_

void mpi_init_f08_(MPI_Fint *error);
void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);
void mpi_finalize_f08_(MPI_Fint *error);

#if defined(OPEN_MPI)
void pmpi_init_f08_(MPI_Fint *error);
void pmpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);
void pmpi_finalize_f08_(MPI_Fint *error);
#else
/* The argument of the error is optional. */
static void return_error(MPI_Fint *error, int result)
{
    if (error)
        *error = result;
}

static void pmpi_init_f08_(MPI_Fint *error)
{
    return_error(error, PMPI_Init(0, 0));
}

static void pmpi_init_thread_f08_(const MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)
{
    int got = 0;
    return_error(error, PMPI_Init_thread(0, 0, *required, &got));
    *provided = got;
}

static void pmpi_finalize_f08_(MPI_Fint *error)
{
    return_error(error, PMPI_Finalize());
}
#endif

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
