/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing, at most half full. */
#include "base/lookup.h"

#include <stdint.h>
#include <string.h>

static size_t hash_of(const char *s, size_t n)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)s[i]) * 1099511628211u;
    return (size_t)(h ^ h >> 29);
}

static struct lookup_slot *slot_of(const struct lookup *t, const char *text, size_t n)
{
    size_t i = hash_of(text, n) & (t->nslots - 1);
    while (t->slots[i].text &&
           (strlen(t->slots[i].text) != n || memcmp(t->slots[i].text, text, n) != 0))
        i = (i + 1) & (t->nslots - 1);
    return &t->slots[i];
}

size_t lookup_find(const struct lookup *t, const char *text, size_t n)
{
    const struct lookup_slot *s = t->nslots ? slot_of(t, text, n) : NULL;
    return s && s->text ? s->value : SIZE_MAX;
}

static void grow(struct lookup *t, struct arena *a)
{
    struct lookup more = {.n = t->n, .nslots = t->nslots ? 2 * t->nslots : 16};
    more.slots = arena_zalloc(a, more.nslots, sizeof *more.slots);
    for (size_t i = 0; i < t->nslots; i++)
        if (t->slots[i].text)
            *slot_of(&more, t->slots[i].text, strlen(t->slots[i].text)) = t->slots[i];
    *t = more;
}

bool lookup_add(struct lookup *t, struct arena *a, const char *text, size_t value)
{
    if (2 * t->n >= t->nslots)
        grow(t, a);
    struct lookup_slot *s = slot_of(t, text, strlen(text));
    if (s->text)
        return false;
    *s = (struct lookup_slot){text, value};
    t->n++;
    return true;
}
