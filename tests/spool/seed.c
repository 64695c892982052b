/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * spool_seed SPOOL SEED: a real spool made small, as read_fuzz.c reads it: the header without the
 * rest of its page, then the segments without the zeros at their ends, at most MOST bytes each and
 * few of each kind. tests/spool/make-seeds calls it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spool/format.h"

enum { MOST = 2048, FEW = 3 };

static size_t read_all(const char *path, char **bytes)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END))
        return 0;
    size_t size = (size_t)ftell(f);
    rewind(f);
    *bytes = calloc(1, size + 1);
    size = *bytes ? fread(*bytes, 1, size, f) : 0;
    fclose(f);
    return size;
}

/* The bytes up to the last that is not 0, in whole units; at most MOST. */
static size_t used(const char *bytes, size_t size)
{
    if (size > MOST)
        size = MOST;
    while (size > sizeof(struct spool_segment) && !bytes[size - 1])
        size--;
    return (size + SPOOL_ALIGN - 1) / SPOOL_ALIGN * SPOOL_ALIGN;
}

static void write_segment(FILE *out, const char *bytes)
{
    struct spool_segment head;
    memcpy(&head, bytes, sizeof head);
    size_t keep = used(bytes, head.bytes);
    uint64_t words = (keep - sizeof head) / 8, fill = head.progress & UINT32_MAX;
    head.bytes = keep;
    if (head.progress) {
        fill = fill < words ? fill : words;
        head.progress = fill << 32 | fill;
    }
    fwrite(&head, sizeof head, 1, out);
    fwrite(bytes + sizeof head, 1, keep - sizeof head, out);
}

int main(int argc, char **argv)
{
    char *bytes = NULL;
    size_t size = argc == 3 ? read_all(argv[1], &bytes) : 0, kinds[SEGMENT_TOTALS + 1] = {0};
    FILE *out = size > SPOOL_HEADER_SIZE ? fopen(argv[2], "wb") : NULL;
    if (!out) {
        fprintf(stderr, "usage: spool_seed SPOOL SEED\n");
        return 2;
    }
    fwrite(bytes, sizeof(struct spool_header), 1, out);
    for (size_t at = SPOOL_HEADER_SIZE; at + sizeof(struct spool_segment) <= size;) {
        struct spool_segment head;
        memcpy(&head, bytes + at, sizeof head);
        if (head.magic != SEGMENT_MAGIC || head.bytes < sizeof head || head.bytes > size - at ||
            head.kind > SEGMENT_TOTALS)
            break;
        if (kinds[head.kind]++ < FEW)
            write_segment(out, bytes + at);
        at += head.bytes;
    }
    free(bytes);
    return fclose(out) ? 1 : 0;
}
