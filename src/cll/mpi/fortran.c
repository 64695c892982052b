/* SPDX-License-Identifier: MIT */
/* What translated Fortran programs with MPI call: a communicator of Fortran is an integer, or a type of
 * the module mpi_f08 that contains one. */
#include <cll.h>
#include <mpi.h>

CLL_LINK_MPI;

/* Called before the first begin of a region, so that the driver is linked. */
CLL_API void cll_mpi_fortran_link(void);
CLL_API void cll_mpi_fortran_link(void)
{
}

CLL_API double cll_mpi_fortran_sync(const MPI_Fint *machine);
CLL_API double cll_mpi_fortran_sync(const MPI_Fint *machine)
{
    MPI_Comm comm = MPI_Comm_f2c(*machine);
    return cll_mpi_sync(&comm);
}

CLL_API double cll_mpi_fortran_sync_all(void);
CLL_API double cll_mpi_fortran_sync_all(void)
{
    return cll_mpi_sync(0);
}

CLL_API double cll_mpi_fortran_processors(const MPI_Fint *machine);
CLL_API double cll_mpi_fortran_processors(const MPI_Fint *machine)
{
    MPI_Comm comm = MPI_Comm_f2c(*machine);
    return cll_mpi_processors(&comm);
}

CLL_API void cll_mpi_fortran_report(const char *names, const MPI_Fint *machine);
CLL_API void cll_mpi_fortran_report(const char *names, const MPI_Fint *machine)
{
    MPI_Comm comm = MPI_Comm_f2c(*machine);
    cll_mpi_report(*names ? names : 0, &comm);
}

CLL_API void cll_mpi_fortran_report_all(const char *names);
CLL_API void cll_mpi_fortran_report_all(const char *names)
{
    cll_mpi_report(*names ? names : 0, 0);
}
