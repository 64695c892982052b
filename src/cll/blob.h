/* SPDX-License-Identifier: MIT */
/*
 * A META segment in memory, made of the entries of many spools: what the processes of a parallel
 * program tell each other about their experiments (gather.c).
 */
#ifndef CLL_BLOB_H
#define CLL_BLOB_H

#include "spool/read.h"

struct blob {
    char *bytes; /* begins with a struct spool_segment */
    size_t used, room;
    unsigned nids;
    struct read_map map; /* of entries, by their offsets */
    int error;
};

void cll_blob_start(struct blob *blob);
void cll_blob_free(struct blob *blob);
/* Makes room for this many more bytes. Returns 0 if there is no memory; the blob then stays in error. */
int cll_blob_reserve(struct blob *blob, size_t more);
/* Adds an entry unless an equal one is there; returns its id in the blob. size: a multiple of 8. */
uint32_t cll_blob_add(struct blob *blob, uint32_t kind, uint32_t id, const void *payload,
                      size_t size);
/* Adds an entry of text, "key: value". */
void cll_blob_info(struct blob *blob, const char *text);
/* Completes the segment; returns its size, 0 on error. */
uint64_t cll_blob_finish(struct blob *blob);

#endif
