/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzzes the reader of spools. The input is a header and the segments that follow its page (the
 * seeds: real spools, see seed.c); where it does not begin as a header does, it is what
 * follows the page, and the header is made here, with the clock and the flags from the first bytes.
 */
#include "spool/format.h"
#include "spool/text.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int swallow(void *data, const char *text, size_t length)
{
    size_t *left = data;
    (void)text;
    if (length > *left)
        return 28; /* enough: as a full disk */
    *left -= length;
    return 0;
}

/* What came before the segments in the input. */
static size_t make_header(struct spool_header *header, const uint8_t *data, size_t size)
{
    if (size >= sizeof *header && !memcmp(data, SPOOL_MAGIC, sizeof SPOOL_MAGIC)) {
        memcpy(header, data, sizeof *header);
        return sizeof *header;
    }
    memcpy(header->magic, SPOOL_MAGIC, sizeof SPOOL_MAGIC);
    header->order = SPOOL_ORDER;
    header->size = SPOOL_HEADER_SIZE;
    header->clock = data[0];
    header->finished = data[1] & 1;
    header->thinned = data[2] & 3;
    header->select = data[3] & 1;
    header->counter_run = data[4] & 1;
    header->last_ticks = (uint64_t)data[5] << data[6] % 60;
    header->last_ns = 1000;
    return 8;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[256];
    size_t left = 1 << 20;
    if (size < 8)
        return 0;
    struct spool_header header = {.size = 0};
    size_t before = make_header(&header, data, size), after = size - before;
    char *bytes = calloc(1, SPOOL_HEADER_SIZE + after);
    if (!bytes)
        return 0;
    memcpy(bytes, &header, sizeof header);
    memcpy(bytes + SPOOL_HEADER_SIZE, data + before, after);
    cll_spool_bytes_to_text(bytes, SPOOL_HEADER_SIZE + after, swallow, &left, error, sizeof error);
    free(bytes);
    return 0;
}
