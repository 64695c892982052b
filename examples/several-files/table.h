/* SPDX-License-Identifier: MIT */
/* A hash table of counters with chains: what main.c measures from outside and table.c from inside. */
#ifndef TABLE_H
#define TABLE_H

struct table;

struct table *table_create(int buckets);
void table_destroy(struct table *t);
/* Adds one to the counter of key; returns its new value. A full table grows: it never has more
 * entries than buckets, so chains stay short. */
int table_count(struct table *t, unsigned key);
/* Moves everything to twice as many buckets. */
int table_grow(struct table *t);
int table_size(const struct table *t);

#endif
