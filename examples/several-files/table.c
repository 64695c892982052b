/* SPDX-License-Identifier: MIT */
#include "table.h"

#include <stdlib.h>

struct entry {
    struct entry *next;
    unsigned key;
    int count;
};

struct table {
    struct entry **bucket;
    int buckets, entries;
};

struct table *table_create(int buckets)
{
    struct table *t = malloc(sizeof *t);
    if (!t)
        return NULL;
    t->bucket = calloc((size_t)buckets, sizeof *t->bucket);
    t->buckets = buckets;
    t->entries = 0;
    if (!t->bucket) {
        free(t);
        return NULL;
    }
    return t;
}

void table_destroy(struct table *t)
{
    for (int i = 0; t && i < t->buckets; i++) {
        while (t->bucket[i]) {
            struct entry *e = t->bucket[i];
            t->bucket[i] = e->next;
            free(e);
        }
    }
    if (t)
        free(t->bucket);
    free(t);
}

static unsigned place(unsigned key, int buckets)
{
    return (key * 2654435761u >> 7) % (unsigned)buckets;
}

int table_count(struct table *t, unsigned key)
{
    struct entry **head = &t->bucket[place(key, t->buckets)];
    for (struct entry *e = *head; e; e = e->next)
        if (e->key == key)
            return ++e->count;
    if (t->entries >= t->buckets && table_grow(t) == 0)
        head = &t->bucket[place(key, t->buckets)];
    struct entry *e = malloc(sizeof *e);
    if (!e)
        return -1;
    *e = (struct entry){*head, key, 1};
    *head = e;
    t->entries++;
    return 1;
}

/* The variables of a formula may be members: the table's own size is what the cost depends on. */
int table_grow(struct table *t)
{
    int buckets = t->buckets * 2;
#pragma cll grow(entries = t->entries, old = t->buckets) grow[0] + grow[1]*entries + grow[2]*old
    struct entry **bucket = calloc((size_t)buckets, sizeof *bucket);
    if (!bucket)
        return -1;
    for (int i = 0; i < t->buckets; i++) {
        while (t->bucket[i]) {
            struct entry *e = t->bucket[i];
            t->bucket[i] = e->next;
            unsigned to = place(e->key, buckets);
            e->next = bucket[to];
            bucket[to] = e;
        }
    }
    free(t->bucket);
    t->bucket = bucket;
#pragma cll end grow
    t->buckets = buckets;
    return 0;
}

int table_size(const struct table *t)
{
    return t->entries;
}
