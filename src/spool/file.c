/* SPDX-License-Identifier: MIT */
/* Reads a spool file as a view and converts it. */
#define _GNU_SOURCE
#include "spool/format.h"
#include "spool/text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int cll_spool_bytes_to_text(char *bytes, size_t size, cll_text_sink *sink, void *data, char *error,
                            size_t error_size)
{
    const struct spool_header *header = (const struct spool_header *)bytes;
    if (size < SPOOL_HEADER_SIZE || memcmp(bytes, SPOOL_MAGIC, sizeof SPOOL_MAGIC)) {
        snprintf(error, error_size, "is not a cll spool of version 1");
        return -1;
    }
    if (header->order != SPOOL_ORDER) {
        snprintf(error, error_size,
                 "was written on a machine with another byte order; convert it there");
        return -1;
    }
    if (header->size < SPOOL_HEADER_SIZE || header->size % SPOOL_ALIGN) {
        snprintf(error, error_size, "has a damaged header");
        return -1;
    }
    struct cll_spool_part part = {bytes, 0};
    if (header->size < size) {
        part.base = bytes + header->size;
        part.bytes = size - header->size;
    }
    struct cll_spool_view view = {.header = header, .parts = &part, .nparts = 1, .suspect = 1};
    int code = cll_view_to_text(&view, sink, data);
    if (code) {
        snprintf(error, error_size, "cannot be converted: %s", strerror(code));
        return -1;
    }
    return 0;
}

int cll_spool_is_blank(const char *bytes, size_t n)
{
    size_t at = 0;
    if (n >= sizeof SPOOL_MAGIC && !memcmp(bytes, SPOOL_MAGIC, sizeof SPOOL_MAGIC))
        at = offsetof(struct spool_header, order);
    while (at < n && !bytes[at])
        at++;
    return at >= n;
}

int cll_spool_process(const char *spool_path, char *text, size_t size)
{
    struct spool_header header;
    int fd = open(spool_path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t got = fd < 0 ? -1 : pread(fd, &header, sizeof header, 0);
    int error = got < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    if (error)
        return error;
    if (got != sizeof header || memcmp(header.magic, SPOOL_MAGIC, sizeof SPOOL_MAGIC) ||
        header.order != SPOOL_ORDER)
        return -1;
    cll_process_text(&header, NULL, text, size);
    return 0;
}

static int to_stream(void *data, const char *text, size_t length)
{
    errno = 0;
    if (fwrite(text, 1, length, data) == length)
        return 0;
    return errno ? errno : EIO;
}

int cll_spool_to_text(const char *spool_path, FILE *out, char *error, size_t error_size)
{
    struct stat status;
    int fd = open(spool_path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status)) {
        snprintf(error, error_size, "%s", strerror(errno));
        if (fd >= 0)
            close(fd);
        return -1;
    }
    if (!S_ISREG(status.st_mode) || status.st_size < (off_t)SPOOL_HEADER_SIZE) {
        snprintf(error, error_size, "is not a cll spool of version 1");
        close(fd);
        return -1;
    }
    size_t size = (size_t)status.st_size;
    char *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (bytes == MAP_FAILED) {
        snprintf(error, error_size, "%s", strerror(errno));
        return -1;
    }
    int result = cll_spool_bytes_to_text(bytes, size, to_stream, out, error, error_size);
    if (!result && fflush(out)) {
        snprintf(error, error_size, "cannot be converted: %s", strerror(errno));
        result = -1;
    }
    munmap(bytes, size);
    return result;
}
