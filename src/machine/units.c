/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which unit a figure has: seconds, but for those in the table. */
#include <string.h>

#include "base/text.h"
#include "machine/machine.h"

static const struct {
    const char *family, *name, *unit; /* name NULL: all others of the family */
} table[] = {
    {"clock", NULL, "s"},
    {"operations", NULL, "s"},
    {"memory", "read", "B/s"},
    {"memory", "write", "B/s"},
    {"memory", "copy", "B/s"},
    {"memory", "latency", "s"},
    {"memory", "random", "s"},
    {"openmp", NULL, "s"},
    {"mpi", "message_rate", "1/s"},
    {"mpi", "per_byte", "s/B"},
    {"mpi", "per_byte_far", "s/B"},
    {"mpi", NULL, "s"},
    {"bsp", "s", "1/s"},
    {"bsp", "g.shift", "s/B"},
    {"bsp", "g.exchange", "s/B"},
    {"bsp", "g.random", "s/B"},
    {"bsp", NULL, "s"},
    {"gpu", "read", "B/s"},
    {"gpu", "write", "B/s"},
    {"gpu", "copy", "B/s"},
    {"gpu", NULL, "s"},
};

static const char *const units[] = {"s", "B/s", "1/s", "s/B"};

const char *machine_unit(const char *family, const char *name)
{
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].family, family) == 0 &&
            (!table[i].name || strcmp(table[i].name, name) == 0))
            return table[i].unit;
    return NULL;
}

bool machine_unit_exists(const char *unit)
{
    return text_is_in(units, sizeof units / sizeof *units, unit);
}
