/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that the user wrote. A source is a named piece of text (a file, a command line); a span is a byte range of it. */
#ifndef BASE_SOURCE_H
#define BASE_SOURCE_H

#include <stddef.h>

struct source {
    const char *name; /* file name as the user gave it, or "<command>" */
    const char *text;
    size_t size;
};

struct span {
    size_t begin, end; /* bytes of source.text; end is exclusive */
};

/* 1-based line and column (bytes; a tab counts one, as compilers count) of an offset. */
void source_position(const struct source *source, size_t offset, size_t *line, size_t *column);

/* Reads a whole file (regular file, pipe or "-" = stdin) into memory of mem_alloc, terminated by a
 * 0 that `size` does not count. Returns 0, or an errno value. Refuses more than `limit` bytes with
 * EFBIG. */
int source_read(const char *path, size_t limit, char **text, size_t *size);

#endif
