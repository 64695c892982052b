/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An installed tree has PREFIX/bin, PREFIX/include and PREFIX/lib; a build tree has bin and lib,
 * and cll.h in the source. */
#include "call/cc/runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "call/cc/nvcc.h"
#include "call/cc/translate.h"
#include "base/printable.h"

static bool exists(struct arena *a, const char *folder, const char *name)
{
    return !access(arena_printf(a, "%s/%s", folder, name), R_OK);
}

/* The folder of the running program; NULL if the system does not say. */
static const char *own_folder(struct arena *a)
{
    char *path = realpath("/proc/self/exe", NULL);
    if (!path)
        return NULL;
    const char *folder = path_folder(a, path);
    free(path);
    return folder;
}

static bool look_in(struct arena *a, const char *prefix, struct runtime *out)
{
    static const char *const libraries[] = {CLL_LIBDIR, "lib", "lib64"};
    for (size_t i = 0; i < sizeof libraries / sizeof *libraries; i++) {
        const char *folder = arena_printf(a, "%s/%s", prefix, libraries[i]);
        if (!exists(a, folder, "libcll.so") && !exists(a, folder, "libcll.a"))
            continue;
        out->library = folder;
        out->has_papi = exists(a, folder, "libcll_papi.a");
        out->include = arena_printf(a, "%s/include", prefix);
        if (!exists(a, out->include, "cll.h"))
            out->include = CLL_SOURCE_INCLUDE;
        return exists(a, out->include, "cll.h");
    }
    return false;
}

static bool locate(struct arena *a, struct runtime *out)
{
    const char *prefix = getenv("CLL_PREFIX"), *own = own_folder(a);
    if (prefix && *prefix)
        return look_in(a, prefix, out);
    return own && look_in(a, path_folder(a, own), out);
}

int runtime_find(struct arena *a, struct runtime *out)
{
    const char *prefix = getenv("CLL_PREFIX"), *own = own_folder(a);
    if (locate(a, out))
        return 0;
    if (prefix && *prefix)
        return say("call: CLL_PREFIX is %s, which has no include/cll.h or no lib/libcll\n", prefix);
    return say(
        "call: the run-time (cll.h and libcll) was not found in %s/..; set CLL_PREFIX to the folder "
        "that contains include and lib\n",
        own ? own : "unknown");
}

/* The libraries for MPI programs, in the order of linking, and the prefix of the drivers, or the one
 * driver, whose programs need them.
 * What no object refers to leaves nothing in a program: so a plain program that includes pub.h or
 * bsp.h finds libpub and libbsp here, too. */
static const struct {
    const char *name, *prefix, *driver;
} pieces[] = {{"cll_pub", "pub", NULL},
              {"bsp", "pub", "BSP"},
              {"pub", "pub", NULL},
              {"cll_mpi", "mpi", NULL}};

enum { PIECES = sizeof pieces / sizeof *pieces };

const char *runtime_lacks(struct arena *a, const struct runtime *r, const struct driver *driver,
                          const char *flavour)
{
    for (size_t i = 0; i < PIECES; i++) {
        const char *file = arena_printf(a, "lib%s_%s.a", pieces[i].name, flavour);
        bool needed = !strcmp(pieces[i].prefix, driver->prefix) &&
                      (!pieces[i].driver || !strcmp(pieces[i].driver, driver->name));
        if (needed && !exists(a, r->library, file))
            return file;
    }
    return NULL;
}

struct words runtime_flavours(struct arena *a, const struct runtime *r)
{
    static const char *const flavours[] = {
#define FLAVOUR(flavour, macro) #flavour,
#include "cll/mpi/flavours.def"
#undef FLAVOUR
    };
    struct words found = {0};
    for (size_t i = 0; i < sizeof flavours / sizeof *flavours; i++) {
        bool again = found.n && !strcmp(found.list[found.n - 1], flavours[i]);
        if (!again && exists(a, r->library, arena_printf(a, "libcll_mpi_%s.a", flavours[i])))
            words_add(a, &found, flavours[i]);
    }
    return found;
}

bool runtime_is_simulated(const struct runtime *r)
{
    return r->mpi && !strcmp(r->mpi, "smpi");
}

const char *runtime_program(struct arena *a, const char *name)
{
    const char *own = own_folder(a);
    const char *path = own ? arena_printf(a, "%s/%s", own, name) : NULL;
    return path && !access(path, X_OK) ? path : NULL;
}

const char *runtime_library(struct arena *a, const char *name)
{
    struct runtime r;
    return locate(a, &r) && exists(a, r.library, name) ? arena_printf(a, "%s/%s", r.library, name)
                                                       : NULL;
}

void runtime_search(struct arena *a, struct words *out)
{
    struct runtime r;
    if (locate(a, &r))
        WORDS_ADD(a, out, "-idirafter", r.include);
}

void runtime_link(struct arena *a, const struct runtime *r, const struct cc_args *cuda,
                  struct words *out)
{
    words_printf(a, out, "-L%s", r->library);
    if (strncmp(r->library, "/usr/lib", 8))
        words_printf(a, out, "-Wl,-rpath,%s", r->library);
    /* A program without regions, linked by the same command, must not need the library. */
    words_add(a, out, "-Wl,--push-state,--as-needed");
    for (size_t i = 0; r->mpi && i < PIECES; i++)
        if (exists(a, r->library, arena_printf(a, "lib%s_%s.a", pieces[i].name, r->mpi)))
            words_printf(a, out, "-l%s_%s", pieces[i].name, r->mpi);
    /* Once more behind the pieces: the objects of a Fortran program refer only to the Fortran
     * library of MPI, so a linker with --as-needed has dropped the one that the pieces call. */
    if (r->mpi) {
        words_add_all(a, out, &r->mpi_libraries);
        words_add(a, out, "-lm"); /* of libpub */
    }
    if (r->has_papi && !runtime_is_simulated(r))
        WORDS_ADD(a, out, "-lcll_papi", "-lpapi");
    if (cuda && exists(a, r->library, "libcll_cuda.a"))
        nvcc_link(a, cuda, out);
    if (!runtime_is_simulated(r) && exists(a, r->library, "libcll_opencl.a"))
        WORDS_ADD(a, out, "-lcll_opencl", "-ldl");
    /* Simulated processes are in one process: only what is linked statically is there once for each
     * of them. */
    WORDS_ADD(a, out, runtime_is_simulated(r) ? "-lcll_smpi" : "-lcll", "-Wl,--pop-state");
}
