/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzzes the reader of spools. The input is what follows the header page; the header itself is
 * made here, with the clock and the flags from the first bytes, so that the fuzzer starts inside.
 */
#include "cll/spool_format.h"
#include "cll/spool_text.h"

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char error[256];
    size_t left = 1 << 20;
    if (size < 8)
        return 0;
    char *bytes = calloc(1, SPOOL_HEADER_SIZE + size - 8);
    struct spool_header *header = (struct spool_header *)bytes;
    if (!bytes)
        return 0;
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
    memcpy(bytes + SPOOL_HEADER_SIZE, data + 8, size - 8);
    cll_spool_bytes_to_text(bytes, SPOOL_HEADER_SIZE + size - 8, swallow, &left, error,
                            sizeof error);
    free(bytes);
    return 0;
}
