/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "call/version.h"

#include "base/about.h"
#include "base/text.h"
#include "call/cc/compiler.h"
#include "call/cc/runtime.h"

static void print_runtime(struct arena *a)
{
    struct runtime r = {0};
    TEXT_LOCAL struct text flavours = text_new();
    if (runtime_find(a, &r)) {
        about_fact("run-time", "not found");
        return;
    }
    about_fact("run-time", "%s", r.library);
    struct words mpi = runtime_flavours(a, &r);
    for (size_t i = 0; i < mpi.n; i++)
        text_printf(&flavours, "%s%s", i ? ", " : "", mpi.list[i]);
    about_fact("MPI", "%s", mpi.n ? flavours.s : "left out");
    about_fact("PAPI", "%s", r.has_papi ? "built in" : "left out");
}

/* The compiler that `call` starts where the user names none. */
static void print_compiler(struct arena *a, const char *name, enum language language)
{
    struct words compiler = {0};
    compiler_default(a, false, false, language, &compiler);
    if (compiler.n)
        about_program(name, compiler.list);
    else
        about_fact(name, "not found");
}

void version_print(void)
{
    ARENA_LOCAL struct arena *a = arena_create();
    about_begin("call", CLL_VERSION);
    print_runtime(a);
    about_fact("Capstone", "%s", CLL_CAPSTONE);
    about_fact("libelf", "%s", CLL_LIBELF);
    print_compiler(a, "C compiler", LANGUAGE_C);
    print_compiler(a, "C++ compiler", LANGUAGE_CXX);
    print_compiler(a, "Fortran compiler", LANGUAGE_FORTRAN);
    const char *mpi = compiler_of_mpi(a, LANGUAGE_C), *flavour = NULL;
    if (mpi)
        flavour = compiler_flavour(a, &(struct words){0}, &(struct words){0});
    about_fact("MPI compiler", "%s%s%s", mpi ? mpi : "not found", flavour ? ", " : "",
               flavour ? flavour : "");
    about_program("valgrind", (const char *[]){"valgrind", NULL});
}
