/* SPDX-License-Identifier: MIT */
/* A META segment that grows (blob.h). Equal entries are found by a hash of their content. */
#define _GNU_SOURCE
#include "cll/blob.h"
#include "cll/internal.h"

#include <errno.h>
#include <string.h>

struct wanted {
    uint32_t kind, id;
    const void *payload;
    size_t size;
};

int cll_blob_reserve(struct blob *b, size_t more)
{
    if (b->used + more <= b->room)
        return 1;
    size_t room = b->room ? b->room : 16384;
    while (room < b->used + more)
        room *= 2;
    char *bytes = cll_pages_new(room);
    if (!bytes) {
        b->error = ENOMEM;
        return 0;
    }
    if (b->bytes) {
        memcpy(bytes, b->bytes, b->used);
        cll_pages_free(b->bytes, b->room);
    }
    b->bytes = bytes;
    b->room = room;
    return 1;
}

void cll_blob_start(struct blob *b)
{
    memset(b, 0, sizeof *b);
    b->nids = 1;
    if (!cll_blob_reserve(b, sizeof(struct spool_segment)))
        return;
    struct spool_segment *segment = (struct spool_segment *)b->bytes;
    segment->magic = SEGMENT_MAGIC;
    segment->kind = SEGMENT_META;
    b->used = sizeof *segment;
}

void cll_blob_free(struct blob *b)
{
    if (b->bytes)
        cll_pages_free(b->bytes, b->room);
    cll_map_free(&b->map);
}

static uint64_t hash_entry(uint32_t kind, uint32_t id, const void *payload, size_t size)
{
    uint64_t hash = cll_hash_mix((uint64_t)kind << 32 | id);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ ((const unsigned char *)payload)[i]) * 1099511628211u;
    return cll_hash_mix(hash);
}

/* Experiments are compared without their ids, which differ from process to process. */
static uint32_t key_id(uint32_t kind, uint32_t id)
{
    return kind == ENTRY_EXPERIMENT ? 0 : id;
}

static int is_wanted(size_t offset, const void *key, void *data)
{
    const struct spool_entry *e = (const void *)(((struct blob *)data)->bytes + offset);
    const struct wanted *w = key;
    return e->kind == w->kind && key_id(e->kind, e->id) == w->id &&
           e->bytes - sizeof *e == w->size && !memcmp(e + 1, w->payload, w->size);
}

static uint64_t hash_at(size_t offset, void *data)
{
    const struct spool_entry *e = (const void *)(((struct blob *)data)->bytes + offset);
    return hash_entry(e->kind, key_id(e->kind, e->id), e + 1, e->bytes - sizeof *e);
}

uint32_t cll_blob_add(struct blob *b, uint32_t kind, uint32_t id, const void *payload, size_t size)
{
    struct wanted wanted = {kind, key_id(kind, id), payload, size};
    uint64_t hash = hash_entry(kind, wanted.id, payload, size);
    size_t found = b->error ? SIZE_MAX : cll_map_find(&b->map, hash, is_wanted, &wanted, b);
    if (found != SIZE_MAX)
        return ((const struct spool_entry *)(b->bytes + found))->id;
    if (!cll_blob_reserve(b, sizeof(struct spool_entry) + size))
        return 0;
    struct spool_entry *entry = (struct spool_entry *)(b->bytes + b->used);
    entry->bytes = (uint32_t)(sizeof *entry + size);
    entry->kind = kind;
    entry->id = kind == ENTRY_EXPERIMENT && b->nids < READ_MAX_IDS ? b->nids++ : id;
    entry->reserved = 0;
    memcpy(entry + 1, payload, size);
    b->error = cll_map_add(&b->map, hash, b->used, hash_at, b);
    b->used += entry->bytes;
    return entry->id;
}

void cll_blob_info(struct blob *b, const char *text)
{
    char padded[1024] = {0};
    size_t size = strlen(text) + 1;
    if (size > sizeof padded)
        size = sizeof padded;
    memcpy(padded, text, size - 1);
    cll_blob_add(b, ENTRY_INFO, 0, padded, (size + 7) & ~(size_t)7);
}

uint64_t cll_blob_finish(struct blob *b)
{
    size_t total = (b->used + SPOOL_ALIGN - 1) / SPOOL_ALIGN * SPOOL_ALIGN;
    if (b->error || !cll_blob_reserve(b, total - b->used))
        return 0;
    b->used = total;
    ((struct spool_segment *)b->bytes)->bytes = total;
    return total;
}
