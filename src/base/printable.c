/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Making text printable (see printable.h). */
#define _GNU_SOURCE 1 /* fopencookie */
#include "base/printable.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdarg.h>
#include <string.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "base/text.h"

/* Ranges of characters that are valid and yet must not reach a terminal: they are controls, or
 * change the direction of text, or cannot be seen. */
static const struct {
    uint32_t first, last;
} hidden[] = {
    {0x00, 0x1f},     {0x7f, 0x9f},     {0xad, 0xad},       {0x61c, 0x61c},   {0x180e, 0x180e},
    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},   {0xd800, 0xdfff}, {0xfeff, 0xfeff},
    {0xfff9, 0xfffb}, {0xfffe, 0xffff}, {0xe0000, 0xe0fff},
};

enum { LONGEST = 4 }; /* bytes of a character */

/* How many bytes a character has that begins with this one; 0: none begins so. */
static size_t announced(unsigned char first)
{
    return first < 0x80   ? 1
           : first < 0xc2 ? 0
           : first < 0xe0 ? 2
           : first < 0xf0 ? 3
           : first < 0xf5 ? 4
                          : 0;
}

size_t printable_length(const char *s, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = n ? announced((unsigned char)*s) : 0;
    if (length == 0 || length > n)
        return 0;
    uint32_t c = length == 1 ? (unsigned char)*s : (unsigned char)*s & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | ((unsigned char)s[i] & 0x3f);
    }
    if (c < least[length] || c > 0x10ffff)
        return 0;
    for (size_t i = 0; i < sizeof hidden / sizeof *hidden; i++)
        if (c >= hidden[i].first && c <= hidden[i].last)
            return 0;
    return length;
}

void text_add_printable(struct text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t length = printable_length(s + i, n - i);
        if (length)
            text_addn(out, s + i, length);
        else
            text_printf(out, "\\x%02x", (unsigned char)s[i]);
        i += length ? length : 1;
    }
}

/* Allocates nothing: it also reports that memory has run out, and the clean-up that follows calls it. */
int say(const char *format, ...)
{
    enum { LONGEST_MESSAGE = 16384, SHOWN = 1024 };
    static char text[LONGEST_MESSAGE];
    char shown[SHOWN];
    size_t used = 0;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (const char *s = text; *s;) {
        size_t n = *s == '\n' || *s == '\t' ? 1 : printable_length(s, strlen(s));
        if (used + LONGEST >= sizeof shown) {
            fwrite(shown, 1, used, stderr);
            used = 0;
        }
        if (n)
            memcpy(shown + used, s, n);
        else
            snprintf(shown + used, sizeof shown - used, "\\x%02x", (unsigned char)*s);
        used += n ? n : 4;
        s += n ? n : 1;
    }
    fwrite(shown, 1, used, stderr);
    if (length >= LONGEST_MESSAGE)
        fputs("...\n", stderr);
    return -1;
}

/* ---- streams ---- */

struct filter {
    FILE *to;
    char rest[LONGEST]; /* the beginning of a character whose end is still to come */
    size_t nrest;
};

/* Whether these bytes may be the beginning of a character. */
static int is_beginning(const char *s, size_t n)
{
    if (n >= announced((unsigned char)*s))
        return 0;
    for (size_t i = 1; i < n; i++)
        if (((unsigned char)s[i] & 0xc0) != 0x80)
            return 0;
    return 1;
}

static void put_bytes(struct filter *f, const char *s, size_t n, int last)
{
    size_t i = 0;
    while (i < n) {
        size_t length = s[i] == '\n' || s[i] == '\t' ? 1 : printable_length(s + i, n - i);
        if (length)
            fwrite(s + i, 1, length, f->to);
        else if (!last && is_beginning(s + i, n - i))
            break;
        else
            fprintf(f->to, "\\x%02x", (unsigned char)s[i]);
        i += length ? length : 1;
    }
    f->nrest = n - i;
    memmove(f->rest, s + i, f->nrest);
}

static ssize_t write_filtered(void *cookie, const char *s, size_t n)
{
    struct filter *f = cookie;
    size_t taken = 0;
    /* What is left of before goes with as many bytes as complete it. */
    while (f->nrest && taken < n) {
        char joined[LONGEST + 1];
        size_t before = f->nrest;
        memcpy(joined, f->rest, before);
        joined[before] = s[taken++];
        put_bytes(f, joined, before + 1, 0);
    }
    if (taken < n)
        put_bytes(f, s + taken, n - taken, 0);
    bool failed = f->to == stdout ? output_flush() : fflush(f->to);
    return failed ? 0 : (ssize_t)n; /* 0 is an error here */
}

static int close_filtered(void *cookie)
{
    struct filter *f = cookie;
    if (f->nrest)
        put_bytes(f, memcpy((char[LONGEST]){0}, f->rest, f->nrest), f->nrest, 1);
    int status = fflush(f->to);
    mem_free(f);
    return status;
}

FILE *printable_stream(FILE *to)
{
    struct filter *f = mem_zalloc(1, sizeof *f);
    f->to = to;
    FILE *stream = fopencookie(
        f, "w", (cookie_io_functions_t){.write = write_filtered, .close = close_filtered});
    if (!stream)
        mem_exhausted(sizeof(FILE));
    return stream;
}
