/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Texts that the user wrote: reading them, and places in them (see source.h). */
#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"

void source_position(const struct source *source, size_t offset, size_t *line, size_t *column)
{
    if (offset > source->size)
        offset = source->size;
    size_t lines = 1, start = 0;
    for (const char *p = source->text, *end = p + offset; p < end; p++) {
        p = memchr(p, '\n', (size_t)(end - p));
        if (!p)
            break;
        lines++;
        start = (size_t)(p - source->text) + 1;
    }
    *line = lines;
    *column = offset - start + 1;
}

static int read_all(int fd, size_t limit, char **text, size_t *size)
{
    size_t n = 0, capacity = 65536;
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        if ((unsigned long long)st.st_size > limit)
            return EFBIG;
        capacity = (size_t)st.st_size + 2;
    }
    char *buffer = mem_alloc(capacity, 1);
    for (;;) {
        ssize_t got = interrupt_read(fd, buffer + n, capacity - n - 1);
        if (got <= 0) {
            if (got == 0)
                break;
            int error = errno;
            mem_free(buffer);
            return error;
        }
        n += (size_t)got;
        if (n > limit) {
            mem_free(buffer);
            return EFBIG;
        }
        buffer = mem_grow(buffer, &capacity, n + 2, 1);
    }
    buffer[n] = 0;
    *text = buffer;
    *size = n;
    return 0;
}

int source_read(const char *path, size_t limit, char **text, size_t *size)
{
    if (strcmp(path, "-") == 0)
        return read_all(STDIN_FILENO, limit, text, size);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno;
    int error = read_all(fd, limit, text, size);
    close(fd);
    return error;
}
