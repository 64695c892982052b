/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads the words and texts of coverage files, never past their end. After an error all is 0 or "". */
#ifndef FLOW_BYTES_H
#define FLOW_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

enum { BYTES_NOTES = 0x67636e6f, BYTES_DATA = 0x67636461 }; /* "gcno", "gcda" */

enum {
    TAG_FUNCTION = 0x01000000,
    TAG_BLOCKS = 0x01410000,
    TAG_ARCS = 0x01430000,
    TAG_LINES = 0x01450000,
    TAG_COUNTERS = 0x01a10000
};

struct bytes {
    const unsigned char *at, *end;
    bool words;  /* lengths are in words of 4 bytes, as clang writes them; else in bytes */
    bool failed; /* something was missing */
};

/* Reads magic, version and stamp. 0, or -1 with *why. */
int bytes_begin(struct bytes *b, const char *bytes, size_t size, uint32_t magic, uint32_t *stamp,
                const char **why);

uint32_t bytes_word(struct bytes *b);
uint64_t bytes_long(struct bytes *b);
/* In the arena. */
const char *bytes_text(struct bytes *b, struct arena *a);
/* Skips it; whether it is empty. */
bool bytes_skip_text(struct bytes *b);

/* The next record: its tag, and its contents; `all_zero`: the contents are so many bytes of zeros, which are not
 * there. False at the end, or after an error. */
bool bytes_record(struct bytes *b, uint32_t *tag, struct bytes *contents, size_t *all_zero);

#endif
