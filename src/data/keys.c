/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Open addressing, at most half full. */
#include "data/keys.h"

#include <string.h>

#include "base/memory.h"

enum { FIRST_KEYS = 256 };

static uint64_t mix(uint64_t h, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    h ^= bits + 0x9e3779b97f4a7c15u + (h << 6) + (h >> 2);
    return h * 0xff51afd7ed558ccdu;
}

static size_t key_slot(const struct keys *k, const struct key *key)
{
    uint64_t h = mix(mix(mix(key->file + 1, key->run), key->rank), key->thread);
    size_t slot = (h ^ h >> 32) & (k->nslots - 1);
    for (; k->slots[slot]; slot = (slot + 1) & (k->nslots - 1)) {
        const struct key *other = &k->list[k->slots[slot] - 1];
        if (other->file == key->file && other->run == key->run && other->rank == key->rank &&
            other->thread == key->thread)
            break;
    }
    return slot;
}

static void grow(struct keys *k)
{
    mem_free(k->slots);
    k->slots = NULL;
    k->nslots = k->nslots ? 2 * k->nslots : FIRST_KEYS;
    k->slots = mem_zalloc(k->nslots, sizeof *k->slots);
    for (size_t i = 0; i < k->n; i++)
        k->slots[key_slot(k, &k->list[i])] = (uint32_t)i + 1;
}

uint32_t keys_number(struct keys *k, const struct key *key)
{
    if (2 * k->n >= k->nslots)
        grow(k);
    size_t slot = key_slot(k, key);
    if (k->slots[slot])
        return k->slots[slot] - 1;
    k->list = mem_grow(k->list, &k->capacity, k->n + 1, sizeof *k->list);
    k->list[k->n] = *key;
    k->slots[slot] = (uint32_t)++k->n;
    return k->slots[slot] - 1;
}

void keys_free(struct keys *k)
{
    mem_free(k->list);
    mem_free(k->slots);
    *k = (struct keys){0};
}
