/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "flow/bytes.h"

#include <string.h>

uint32_t bytes_word(struct bytes *b)
{
    if (b->end - b->at < 4) {
        b->failed = true;
        b->at = b->end;
        return 0;
    }
    const unsigned char *p = b->at;
    b->at += 4;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

uint64_t bytes_long(struct bytes *b)
{
    uint64_t low = bytes_word(b);
    return low | (uint64_t)bytes_word(b) << 32;
}

/* The bytes of a text, which may have zeros at its end. */
static const char *next_text(struct bytes *b, size_t *size)
{
    size_t n = bytes_word(b);
    if (b->words)
        n *= 4;
    if (n > (size_t)(b->end - b->at)) {
        b->failed = true;
        n = 0;
    }
    const char *text = (const char *)b->at;
    b->at += n;
    *size = n;
    return text;
}

const char *bytes_text(struct bytes *b, struct arena *a)
{
    size_t n;
    const char *text = next_text(b, &n);
    return arena_strndup(a, text, strnlen(text, n));
}

bool bytes_skip_text(struct bytes *b)
{
    size_t n;
    next_text(b, &n);
    return n == 0;
}

/* gcc writes its version as "B22*" for 12.2, the last character first. clang writes that of gcc 4.8. */
static const char *check_version(uint32_t version, bool *words)
{
    char major = (char)(version >> 24), minor = (char)(version >> 16);
    *words = version == 0x3430382a; /* "408*" */
    if (*words || (major == 'B' && minor >= '2') || (major > 'B' && major <= 'Z'))
        return NULL;
    return major >= '0' && major <= 'B'
               ? "it is of an old compiler; gcc 12 or later, or clang, is needed"
               : "it has no version that is known";
}

int bytes_begin(struct bytes *b, const char *bytes, size_t size, uint32_t magic, uint32_t *stamp,
                const char **why)
{
    *b = (struct bytes){.at = (const unsigned char *)bytes,
                        .end = (const unsigned char *)bytes + size};
    if (bytes_word(b) != magic) {
        *why = "it does not begin as a coverage file of a little-endian machine";
        return -1;
    }
    *why = check_version(bytes_word(b), &b->words);
    *stamp = bytes_word(b);
    if (!b->words)
        bytes_word(b); /* a checksum, which gcc and its library give different meanings */
    if (!*why && b->failed)
        *why = "it ends in its head";
    return *why ? -1 : 0;
}

bool bytes_record(struct bytes *b, uint32_t *tag, struct bytes *contents, size_t *all_zero)
{
    *all_zero = 0;
    if (b->at == b->end || b->failed)
        return false;
    *tag = bytes_word(b);
    if (*tag == 0) { /* the end, in files of clang */
        b->at = b->end;
        return false;
    }
    uint32_t length = bytes_word(b);
    if (!b->words && *tag == TAG_COUNTERS && length > INT32_MAX) { /* a negative length */
        *all_zero = (uint32_t)(0 - length);
        length = 0;
    }
    size_t n = b->words ? (size_t)length * 4 : length;
    if (b->failed || n > (size_t)(b->end - b->at)) {
        b->failed = true;
        return false;
    }
    *contents = *b;
    contents->end = b->at + n;
    b->at += n;
    return true;
}
