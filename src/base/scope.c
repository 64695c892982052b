/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory that is freed when its command is given up (mem_scope_begin in memory.h): a set of the
 * pieces allocated since, a hash table with linear probing. A removed piece is closed up at once,
 * so that there are no marks of what once was there.
 */
#include "base/scope.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/memory.h"

static struct {
    void **slots; /* NULL = free; at most half are taken */
    size_t size, n;
    unsigned open, last;
} scope;

static size_t home_of(const void *p)
{
    return (size_t)(((uintptr_t)p >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (scope.size - 1);
}

static void put(void *p)
{
    size_t i = home_of(p);
    while (scope.slots[i])
        i = (i + 1) & (scope.size - 1);
    scope.slots[i] = p;
}

/* Twice the slots; false where there is no memory for them. */
static bool grow(void)
{
    size_t size = scope.size, twice = size ? size * 2 : 1024;
    void **old = scope.slots, **fresh = calloc(twice, sizeof *fresh);
    if (!fresh)
        return false;
    scope.slots = fresh;
    scope.size = twice;
    for (size_t i = 0; i < size; i++)
        if (old[i])
            put(old[i]);
    free(old);
    return true;
}

unsigned scope_open(void)
{
    return scope.open;
}

void scope_add(void *p)
{
    if (!scope.open || (scope.n >= scope.size / 2 && !grow()))
        return;
    put(p);
    scope.n++;
}

bool scope_remove(const void *p)
{
    if (!scope.n || !p)
        return false;
    size_t mask = scope.size - 1, i = home_of(p);
    while (scope.slots[i] != p) {
        if (!scope.slots[i])
            return false;
        i = (i + 1) & mask;
    }
    /* Those after it that could be nearer to their home move up. */
    for (size_t next = (i + 1) & mask; scope.slots[next]; next = (next + 1) & mask) {
        size_t home = home_of(scope.slots[next]);
        if (((next - home) & mask) >= ((next - i) & mask)) {
            scope.slots[i] = scope.slots[next];
            i = next;
        }
    }
    scope.slots[i] = NULL;
    scope.n--;
    return true;
}

void mem_scope_end(void)
{
    free(scope.slots);
    scope.slots = NULL;
    scope.size = scope.n = 0;
    scope.open = 0;
}

void mem_scope_begin(void)
{
    mem_scope_end();
    if (!++scope.last)
        scope.last = 1;
    scope.open = scope.last;
}

void mem_scope_drop(void)
{
    for (size_t i = 0; i < scope.size; i++)
        free(scope.slots[i]);
    mem_scope_end();
}

void mem_scope_keep(const void *p)
{
    scope_remove(p);
}
