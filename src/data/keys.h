/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Numbers for the runs, processes and threads that samples are of, in the order in which they appear.
 *
 *     struct keys keys = {0};
 *     uint32_t number = keys_number(&keys, &(struct key){file, run, 0, 0});
 *     keys_free(&keys);
 */
#ifndef DATA_KEYS_H
#define DATA_KEYS_H

#include <stddef.h>
#include <stdint.h>

struct key {
    size_t file;
    double run, rank, thread; /* 0 where it does not matter */
};

struct keys {
    struct key *list;
    uint32_t *slots; /* 1 + index */
    size_t n, capacity, nslots;
};

/* The index of the key in the list; a new one is added. */
uint32_t keys_number(struct keys *k, const struct key *key);
void keys_free(struct keys *k);

#endif
