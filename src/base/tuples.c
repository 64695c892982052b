/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing, at most half full. */
#include "base/tuples.h"

#include <string.h>

#include "base/memory.h"

enum { FIRST_SLOTS = 256 };

static size_t slot_of(const struct tuples *t, const double *tuple)
{
    uint64_t h = 1, bits;
    for (size_t i = 0; i < t->width; i++) {
        memcpy(&bits, &tuple[i], sizeof bits);
        h = (h ^ bits ^ bits >> 32) *
            0x9e3779b97f4a7c15u; /* round values differ in high bits only */
        h ^= h >> 32;
    }
    size_t slot = h & (t->nslots - 1);
    while (t->slots[slot] &&
           memcmp(t->list + (t->slots[slot] - 1) * t->width, tuple, t->width * sizeof *tuple) != 0)
        slot = (slot + 1) & (t->nslots - 1);
    return slot;
}

static void grow(struct tuples *t)
{
    mem_free(t->slots);
    t->slots = NULL;
    t->nslots = t->nslots ? 2 * t->nslots : FIRST_SLOTS;
    t->slots = mem_zalloc(t->nslots, sizeof *t->slots);
    for (size_t i = 0; i < t->n; i++)
        t->slots[slot_of(t, t->list + i * t->width)] = (uint32_t)i + 1;
}

uint32_t tuples_number(struct tuples *t, const double *tuple)
{
    if (2 * t->n >= t->nslots)
        grow(t);
    size_t slot = slot_of(t, tuple);
    if (!t->slots[slot]) {
        t->list = mem_grow(t->list, &t->capacity, t->n + 1, t->width * sizeof *t->list);
        memcpy(t->list + t->n * t->width, tuple, t->width * sizeof *tuple);
        t->slots[slot] = (uint32_t)++t->n;
    }
    return t->slots[slot] - 1;
}

void tuples_free(struct tuples *t)
{
    mem_free(t->list);
    mem_free(t->slots);
    *t = (struct tuples){.width = t->width};
}
