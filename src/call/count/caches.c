/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The caches of a machine file as callgrind wants them: SIZE,WAYS,LINE, where the number of sets must be
 * a power of two. The file tells no ways: they are chosen so.
 */
#include <inttypes.h>
#include <string.h>

#include "base/printable.h"
#include "call/count/count.h"
#include "machine/store.h"

enum { LEAST_WAYS = 4, MOST_WAYS = 64, USUAL_WAYS = 8, USUAL_LINE = 64 };

static const char *geometry(struct arena *a, const struct machine_cache *c)
{
    uint64_t line = c->line >= 16 && !(c->line & (c->line - 1)) ? (uint64_t)c->line : USUAL_LINE;
    uint64_t lines = c->bytes / line, ways = lines;
    while (ways > USUAL_WAYS && !(ways & 1))
        ways /= 2;
    while (ways < LEAST_WAYS && 2 * ways <= lines)
        ways *= 2;
    if (ways > MOST_WAYS) { /* an odd size: the next smaller power of two */
        uint64_t size = 1;
        while (2 * size <= lines)
            size *= 2;
        lines = size;
        ways = USUAL_WAYS < lines ? USUAL_WAYS : lines;
    }
    uint64_t bytes = lines / ways * ways * line;
    return arena_printf(a, "%" PRIu64 ",%" PRIu64 ",%" PRIu64, bytes, ways, line);
}

static bool holds_data(const struct machine_cache *c)
{
    return !strcmp(c->type, "data") || !strcmp(c->type, "unified");
}

int count_caches(struct count_request *c)
{
    struct arena *a = c->run.arena;
    const struct machine_cache *first = NULL, *last = NULL;
    if (!c->machine)
        return 0;
    DIAG_LOCAL struct diag *diag = diag_create();
    const struct machine *m = store_find(c->machine, a, diag);
    diag_print(diag, stderr, 0);
    if (!m)
        return -1;
    for (size_t i = 0; i < m->ncaches; i++) {
        const struct machine_cache *k = &m->caches[i];
        if (!holds_data(k) || k->bytes < 1024)
            continue;
        if (!first || k->level < first->level)
            first = k;
        if (!last || k->level > last->level)
            last = k;
    }
    if (!first || first == last)
        return say(
            "call count: the machine file %s does not state two levels of caches; run cllprobe where "
            "hwloc is installed, or leave out --machine\n",
            c->machine);
    c->machine_name = m->name;
    c->d1 = geometry(a, first);
    c->ll = geometry(a, last);
    return 0;
}
