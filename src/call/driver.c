/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of drivers, with every spelling the papers and CALL 1.0 use. */
#include "call/driver.h"

#include <strings.h>

static const char *const seq[] = {"SEQ", NULL};
static const char *const mpi[] = {"MPI", NULL};
static const char *const openmp[] = {"OpenMP", "OMP", NULL};
static const char *const pub[] = {"PUB", "PUB_BSP", "BSP", "OBSP", NULL};

static const struct driver drivers[] = {{"SEQ", seq, NULL, true},
                                        {"MPI", mpi, "mpi", true},
                                        {"OpenMP", openmp, NULL, true},
                                        {"PUB", pub, "pub", false}};

enum { DRIVERS = sizeof drivers / sizeof *drivers };

const struct driver *const driver_openmp = &drivers[2];

const struct driver *driver_find(const char *spelling)
{
    for (size_t i = 0; i < DRIVERS; i++)
        for (const char *const *s = drivers[i].spellings; *s; s++)
            if (!strcasecmp(*s, spelling))
                return &drivers[i];
    return NULL;
}

const char *driver_list(struct arena *a, bool available)
{
    const char *list = drivers[0].name;
    size_t last = DRIVERS - 1;
    while (available && !drivers[last].available)
        last--;
    for (size_t i = 1; i <= last; i++)
        if (!available || drivers[i].available)
            list = arena_printf(a, "%s%s%s", list, i < last ? ", " : " and ", drivers[i].name);
    return list;
}
