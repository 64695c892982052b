/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cllprobe, alone. Under an MPI launcher it becomes cllprobe-FLAVOUR, the same program with MPI, which
 * is in the same folder: one for each MPI library that was there when CALL was built.
 */
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/about.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "probe/alone.h"

/* ---- the programs with MPI */

static const char *const flavours[] = {"openmpi", "mpich"};
enum { FLAVOURS = sizeof flavours / sizeof *flavours };

/* The program beside this one. False if the system does not say where this one is. */
static bool find_beside(const char *flavour, char *path, size_t size)
{
    ssize_t n = readlink("/proc/self/exe", path, size - 32);
    if (n <= 0)
        return false;
    snprintf(path + n, size - (size_t)n, "-%s", flavour);
    return true;
}

static void about(void)
{
    char path[PATH_MAX + 32], found[64] = "";
    for (size_t i = 0; i < FLAVOURS; i++)
        if (find_beside(flavours[i], path, sizeof path) && !access(path, X_OK))
            snprintf(found + strlen(found), sizeof found - strlen(found), "%s%s",
                     found[0] ? ", " : "", flavours[i]);
    about_fact("MPI", "%s", found[0] ? found : "left out");
}

/* ---- launchers */

/* Variables that a launcher sets, and the MPI library that it most likely belongs to. Slurm's srun
 * sets PMI or PMIx variables when it starts MPI programs. */
static const struct {
    const char *variable, *flavour;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "openmpi"},
    {"PMI_RANK", "mpich"},
    {"PMIX_RANK", "openmpi"},
};

static const char *launcher(void)
{
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (getenv(launchers[i].variable))
            return launchers[i].flavour;
    return NULL;
}

/* Returns if it is not there. */
static void become(const char *flavour, char **argv)
{
    char path[PATH_MAX + 32];
    if (find_beside(flavour, path, sizeof path))
        execv(path, argv);
}

/* Asking for help needs no MPI. */
static bool only_asks(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "--version") == 0)
            return true;
    return false;
}

int main(int argc, char **argv)
{
    const char *flavour = launcher();
    if (flavour && !only_asks(argc, argv)) {
        become(flavour, argv);
        for (size_t i = 0; i < FLAVOURS; i++)
            become(flavours[i], argv);
        say("cllprobe: error: an MPI launcher started this program, but there is no "
            "cllprobe-%s beside it; where mpicc is installed, 'make runtime' builds it\n",
            flavour);
        return 1;
    }
    output_setup();
    struct probe_world world = probe_alone;
    world.about = about;
    int status = probe_run(argc, argv, &world);
    return output_finish("cllprobe") ? 1 : status;
}
