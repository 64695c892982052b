/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Memory for measuring: chains of pointers through lines of 64 bytes in random order, random accesses
 * that do not wait for each other, and streams.
 *
 * A chain visits every line of a working set once before it returns to the first one, in an order
 * that no prefetcher guesses. A line has room for eight pointers, so eight chains, for working sets
 * of different sizes, share one piece of memory: each has its own word of the lines.
 */
#ifndef PROBE_CHAIN_H
#define PROBE_CHAIN_H

#include <stddef.h>
#include <stdint.h>

enum { LINE = 64, CHAINS = LINE / 8 };

/* Pages of zeros; NULL if there are none. */
void *chain_memory(size_t bytes);
void chain_free(void *memory, size_t bytes);

/* Makes the chain through the first `bytes` bytes, in word `word` of the lines. */
void chain_make(void *memory, size_t bytes, unsigned word, uint64_t seed);
/* Reads all lines in order, so that the caches have what they can hold of them. */
void chain_touch(const void *memory, size_t bytes);
/* Follows the chain from `at` for n steps, a multiple of 16, and returns where it is then. */
void **chain_walk(void **at, size_t n);

/* A list of random lines of the first `bytes` bytes, short enough for the first-level cache. */
enum { RANDOM_PLACES = 512 };
void chain_random_places(uint64_t places[RANDOM_PLACES], size_t bytes, uint64_t seed);
/* Loads from random lines of the first `bytes` bytes, n in all, a multiple of RANDOM_PLACES. None needs the
 * result of another one, so several are under way at the same time. */
void chain_random_read(const void *memory, size_t bytes, const uint64_t places[RANDOM_PLACES],
                       size_t n, uint64_t seed);

/* Streams over `bytes` bytes, a multiple of 256: reading, writing, and copying the first half to the
 * second. */
void chain_stream_read(void *memory, size_t bytes);
void chain_stream_write(void *memory, size_t bytes);
void chain_stream_copy(void *memory, size_t bytes);

#endif
