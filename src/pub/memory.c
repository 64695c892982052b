/* SPDX-License-Identifier: MIT */
/*
 * Blocks of memory that are used again. New memory costs a page fault for each page, which takes
 * longer than moving its contents, and packets and messages have the same sizes in superstep after
 * superstep. There are four sizes for each power of two. At most KEEP bytes of free blocks are kept.
 */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

#define SMALLEST 7 /* 2^7 bytes */
#define CLASSES  ((48 - SMALLEST) * 4)
#define KEEP     ((size_t)256 << 20)

struct block {
    union {
        struct block *next;
        size_t room;
    };
    uint32_t class;
    uint32_t holds; /* pieces that are being sent */
};

_Static_assert(sizeof(struct block) == 16, "blocks are aligned to 16 bytes");

static struct block *free_blocks[CLASSES];
static size_t kept;

/* Sizes 4/4, 5/4, 6/4, 7/4 of each power of two. */
static size_t class_room(uint32_t class)
{
    return (size_t)(4 + class % 4) << (SMALLEST - 2 + class / 4);
}

static uint32_t class_of(size_t bytes)
{
    if (bytes <= (size_t)1 << SMALLEST)
        return 0;
    uint32_t high = 63 - (uint32_t)__builtin_clzll(bytes - 1); /* 2^high < bytes <= 2^(high+1) */
    uint32_t quarter = (uint32_t)((bytes - 1) >> (high - 2)) & 3;
    return (high - SMALLEST) * 4 + quarter + 1;
}

void *pub_take(size_t bytes)
{
    uint32_t class = class_of(bytes + sizeof(struct block));
    struct block *block = class < CLASSES ? free_blocks[class] : NULL;
    if (block) {
        free_blocks[class] = block->next;
        kept -= class_room(class);
    } else {
        block = class < CLASSES ? aligned_alloc(16, class_room(class)) : NULL;
        if (!block)
            pub_fail(NULL, "no memory for %zu bytes", bytes);
    }
    block->room = class_room(class) - sizeof *block;
    block->class = class;
    block->holds = 1;
    return block + 1;
}

size_t pub_room(const void *block)
{
    return ((const struct block *)block - 1)->room;
}

void pub_hold(void *memory, uint32_t holds)
{
    ((struct block *)memory - 1)->holds = holds;
}

bool pub_release(void *memory)
{
    return --((struct block *)memory - 1)->holds == 0;
}

void pub_give(void *memory)
{
    if (!memory)
        return;
    struct block *block = (struct block *)memory - 1;
    size_t room = class_room(block->class);
    if (room > KEEP / 4 || kept + room > KEEP) {
        free(block);
        return;
    }
    block->next = free_blocks[block->class];
    free_blocks[block->class] = block;
    kept += room;
}

void pub_memory_release(void)
{
    for (uint32_t i = 0; i < CLASSES; i++)
        while (free_blocks[i]) {
            struct block *block = free_blocks[i];
            free_blocks[i] = block->next;
            free(block);
        }
    kept = 0;
}

void *pub_grow(void *array, uint32_t n, uint32_t *room, size_t size)
{
    if (n < *room)
        return array;
    uint32_t wanted = *room ? 2 * *room : 16;
    void *larger = realloc(array, wanted * size);
    if (!larger)
        pub_fail(NULL, "no memory for %zu bytes", wanted * size);
    *room = wanted;
    return larger;
}
