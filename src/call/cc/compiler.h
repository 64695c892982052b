/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which compiler is used where the user names none, and whether the one that is named is clang. */
#ifndef CALL_CC_COMPILER_H
#define CALL_CC_COMPILER_H

#include "call/cc/args.h"
#include "call/process.h"
#include "translate/lex.h"

/* Fills an empty list. CC, else cc; for a program of processes: CC if it is an MPI compiler, else
 * MPICC, else mpicc if it is installed. In C++: CXX, c++, MPICXX, mpicxx. In Fortran:
 * FC, gfortran, MPIFC, mpif90. `cuda`: a source is one of CUDA: NVCC, nvcc. */
void compiler_default(struct arena *a, bool processes, bool cuda, enum language language,
                      struct words *compiler);

/* The default compiler of MPI programs; NULL if none is known. */
const char *compiler_of_mpi(struct arena *a, enum language language);

/* The folder of a compiler, where the launcher of its MPI library is; "" = not known. */
const char *compiler_folder(struct arena *a, const char *compiler);

/* The MPI library that this compiler (empty: the default one) compiles for (mpi_flavour.h), or
 * NULL.
 */
const char *compiler_flavour(struct arena *a, const struct words *compiler,
                             const struct words *flags);

/* Does the compiler of the command call itself clang? Its name does not tell: cc and mpicc may be either. */
bool compiler_is_clang(struct arena *a, const struct cc_args *args);

#endif
