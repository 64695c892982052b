/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "base/sort.h"
#include "machine/machine.h"

static bool is(const struct machine_figure *f, const char *family, const char *name, int cores,
               int processes)
{
    return f->cores == cores && f->processes == processes && strcmp(f->name, name) == 0 &&
           strcmp(f->family, family) == 0;
}

const struct machine_figure *machine_find(const struct machine *m, const char *family,
                                          const char *name, uint64_t bytes, int cores,
                                          int processes)
{
    for (size_t i = 0; i < m->nsummary; i++)
        if (m->summary[i].bytes == bytes && is(&m->summary[i], family, name, cores, processes))
            return &m->summary[i];
    for (size_t i = 0; i < m->nfigures; i++)
        if (m->figures[i].bytes == bytes && is(&m->figures[i], family, name, cores, processes))
            return &m->figures[i];
    return NULL;
}

static int by_bytes(const void *a, const void *b, void *context)
{
    const struct machine_figure *x = *(const struct machine_figure *const *)a;
    const struct machine_figure *y = *(const struct machine_figure *const *)b;
    (void)context;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

const struct machine_figure **machine_curve(const struct machine *m, const char *family,
                                            const char *name, int cores, int processes,
                                            struct arena *a, size_t *n)
{
    size_t room = 1;
    for (size_t i = 0; i < m->nfigures; i++)
        room += m->figures[i].has_bytes && is(&m->figures[i], family, name, cores, processes);
    const struct machine_figure **list = arena_alloc(a, room, sizeof(void *));
    *n = 0;
    for (size_t i = 0; i < m->nfigures; i++)
        if (m->figures[i].has_bytes && is(&m->figures[i], family, name, cores, processes))
            list[(*n)++] = &m->figures[i];
    sort_with(list, *n, sizeof(void *), by_bytes, NULL);
    return list;
}
