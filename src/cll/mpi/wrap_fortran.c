/* SPDX-License-Identifier: MIT */
/*
 * MPI_INIT, MPI_INIT_THREAD and MPI_FINALIZE of Fortran, wrapped as in wrap.c: the Fortran libraries do
 * not always call the functions of C that wrap.c wraps. The linker takes this object for a program that
 * calls one of these names; the library of the program has the others.
 *
 * SimGrid has no profiling interface of Fortran: there the next library that has the name is called.
 */
#if defined(CLL_SMPI)
#define _GNU_SOURCE /* RTLD_NEXT */
#include <dlfcn.h>
#include <string.h>
#endif
#include <mpi.h>

#include "cll/mpi/hooks.h"

#pragma weak cll_mpi_at_init
#pragma weak cll_mpi_at_finalize
#pragma weak mpi_init_
#pragma weak mpi_init_thread_
#pragma weak mpi_finalize_

void mpi_init_(MPI_Fint *error);
void mpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);
void mpi_finalize_(MPI_Fint *error);

#if defined(CLL_SMPI)
/* The library of the program has these names, or the program would not have been linked. */
static void find_next(const char *name, void *to, size_t size)
{
    void *found = dlsym(RTLD_NEXT, name);
    memcpy(to, &found, size); /* a pointer to data becomes one to a function */
}

static void pmpi_init_(MPI_Fint *error)
{
    void (*next)(MPI_Fint *);
    find_next("mpi_init_", &next, sizeof next);
    next(error);
}

static void pmpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)
{
    void (*next)(MPI_Fint *, MPI_Fint *, MPI_Fint *);
    find_next("mpi_init_thread_", &next, sizeof next);
    next(required, provided, error);
}

static void pmpi_finalize_(MPI_Fint *error)
{
    void (*next)(MPI_Fint *);
    find_next("mpi_finalize_", &next, sizeof next);
    next(error);
}
#else
void pmpi_init_(MPI_Fint *error);
void pmpi_init_thread_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error);
void pmpi_finalize_(MPI_Fint *error);
#endif

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
