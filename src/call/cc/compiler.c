/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The default compiler, and what the user's compiler is (see compiler.h). */
#include "call/cc/compiler.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/path.h"
#include "call/cc/mpi_flavour.h"
#include "call/cc/translate.h"

static const char *variable(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

/* Per language: the variables that name compilers, and the compilers without them. */
static const struct {
    const char *variable, *name, *mpi_variable, *mpi_name;
} defaults[] = {[LANGUAGE_C] = {"CC", "cc", "MPICC", "mpicc"},
                [LANGUAGE_CXX] = {"CXX", "c++", "MPICXX", "mpicxx"},
                [LANGUAGE_FORTRAN] = {"FC", "gfortran", "MPIFC", "mpif90"}};

const char *compiler_of_mpi(struct arena *a, enum language language)
{
    const char *cc = variable(defaults[language].variable);
    const char *mpicc = variable(defaults[language].mpi_variable);
    if (cc && strstr(cc, "mpi"))
        return cc;
    if (mpicc)
        return mpicc;
    return path_program(a, defaults[language].mpi_name) ? defaults[language].mpi_name : NULL;
}

/* nvcc, which is often in the folder of CUDA and not on PATH; a program with processes has the compiler of MPI
 * behind it. */
static void default_of_cuda(struct arena *a, const char *mpi, struct words *compiler)
{
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    const char *nvcc = variable("NVCC");
    bool elsewhere = !nvcc && !path_program(a, "nvcc") && !access(usual, X_OK);
    words_split(a, compiler, nvcc ? nvcc : elsewhere ? usual : "nvcc");
    if (mpi)
        WORDS_ADD(a, compiler, "-ccbin", mpi);
}

void compiler_default(struct arena *a, bool processes, bool cuda, enum language language,
                      struct words *compiler)
{
    const char *cc = processes ? compiler_of_mpi(a, language) : NULL;
    if (compiler->n)
        return;
    if (cuda) {
        default_of_cuda(a, cc, compiler);
        return;
    }
    if (!cc)
        cc = variable(defaults[language].variable);
    words_split(a, compiler, cc ? cc : defaults[language].name);
}

const char *compiler_folder(struct arena *a, const char *compiler)
{
    const char *path = strchr(compiler, '/') ? compiler : path_program(a, compiler);
    return path ? path_folder(a, path) : "";
}

const char *compiler_flavour(struct arena *a, const struct words *compiler,
                             const struct words *flags)
{
    struct words w = {0};
    struct cc_args args;
    words_add_all(a, &w, compiler);
    compiler_default(a, true, false, LANGUAGE_C, &w);
    words_add_all(a, &w, flags);
    return cc_args_read(a, w.list, &args) ? NULL : mpi_flavour_find(a, &args);
}

bool compiler_is_clang(struct arena *a, const struct cc_args *args)
{
    struct words w = cc_args_compiler(a, args);
    words_add(a, &w, "--version");
    const char *text = process_output(a, &w, NULL);
    return text && strstr(text, "clang");
}
