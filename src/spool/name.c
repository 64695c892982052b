/* SPDX-License-Identifier: MIT */
/* The rule of names (name.h). */
#include "spool/name.h"

#include <stdint.h>
#include <string.h>

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_hex(char c)
{
    return is_digit(c) || (c >= 'A' && c <= 'F');
}

/* The length of the UTF-8 sequence at p, whose first byte is not ASCII; 0 if it is malformed. */
static size_t read_utf8(const unsigned char *p, size_t n, uint32_t *code)
{
    size_t length = *p >= 0xf0 ? 4 : *p >= 0xe0 ? 3 : 2;
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (*p < 0xc2 || *p > 0xf4 || n < length)
        return 0;
    *code = *p & (0xffu >> (length + 1));
    for (size_t i = 1; i < length; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3fu);
    }
    if (*code < least[length] || *code > 0x10ffff || (*code >= 0xd800 && *code <= 0xdfff))
        return 0;
    return length;
}

/* Spaces, line ends, and marks that are invisible or change the direction of writing. */
static int is_invisible(uint32_t code)
{
    static const uint32_t ranges[][2] = {
        {0x80, 0xa0},     {0xad, 0xad},     {0x61c, 0x61c},     {0x1680, 0x1680}, {0x180e, 0x180e},
        {0x2000, 0x200f}, {0x2028, 0x202f}, {0x205f, 0x206f},   {0x3000, 0x3000}, {0xe000, 0xf8ff},
        {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0x10ffff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return 1;
    return 0;
}

size_t cll_name_letter(const char *p, size_t n)
{
    uint32_t code;
    if (!n)
        return 0;
    if ((*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') || *p == '_')
        return 1;
    if ((unsigned char)*p < 0x80)
        return 0;
    size_t length = read_utf8((const unsigned char *)p, n, &code);
    return length && !is_invisible(code) ? length : 0;
}

size_t cll_name_letter_or_digit(const char *p, size_t n)
{
    return n && is_digit(*p) ? 1 : cll_name_letter(p, n);
}

/* Bytes of the piece at p that is written as it is; 0: its first byte must be written as %XX. */
static size_t plain_piece(enum cll_name kind, const char *p, size_t n)
{
    if (kind == CLL_NAME_TEXT && *p == '\t') /* a formula may have it */
        return 1;
    if (kind == CLL_NAME_TEXT || kind == CLL_NAME_FILE)
        return (unsigned char)*p >= 0x20 && *p != 0x7f &&
               (kind == CLL_NAME_TEXT || !memchr(" %#", *p, 3));
    size_t length = cll_name_letter_or_digit(p, n);
    if (length)
        return length;
    if (n > 1 && (!memcmp(p, "->", 2) || !memcmp(p, "::", 2)))
        return 2;
    if (*p == '.' || *p == '[' || *p == ']')
        return 1;
    return kind == CLL_NAME_OBSERVABLE && memchr("-:=+,@/", *p, 7) != NULL;
}

size_t cll_name_write(enum cll_name kind, const char *p, size_t n, char out[CLL_NAME_PIECE],
                      size_t *used)
{
    static const char digits[] = "0123456789ABCDEF";
    *used = plain_piece(kind, p, n);
    if (*used) {
        memcpy(out, p, *used);
        return *used;
    }
    *used = 1;
    out[0] = '%';
    out[1] = digits[(unsigned char)*p >> 4];
    out[2] = digits[*p & 15];
    return 3;
}

/* ---- variables */

static const char *skip_name(const char *p, const char *end)
{
    size_t length = cll_name_letter(p, (size_t)(end - p));
    if (!length)
        return NULL;
    while (length) {
        p += length;
        length = cll_name_letter_or_digit(p, (size_t)(end - p));
    }
    return p;
}

/* The end of the variable that begins at p; null if there is none. Indices may be variables, so it
   calls itself for each bracket; the length of names limits the depth. */
static const char *skip_variable(const char *p, const char *end)
{
    for (p = skip_name(p, end); p && p < end;) {
        if (*p == '[') {
            const char *index = p + 1;
            p = skip_variable(index, end);
            if (index < end && is_digit(*index))
                for (p = index; p < end && is_digit(*p);)
                    p++;
            if (!p || p == end || *p != ']')
                return NULL;
            p++;
        } else if (*p == '.') {
            p = skip_name(p + 1, end);
        } else if (*p == '-' && end - p > 1 && p[1] == '>') {
            p = skip_name(p + 2, end);
        } else {
            return p;
        }
    }
    return p;
}

int cll_name_is(enum cll_name kind, const char *p, size_t n)
{
    const char *end = p + n;
    if (!n || n > CLL_NAME_LONGEST)
        return 0;
    if (kind == CLL_NAME_VARIABLE)
        return skip_variable(p, end) == end;
    while (p < end) {
        size_t length = plain_piece(kind, p, (size_t)(end - p));
        if (!length && end - p > 2 && *p == '%' && is_hex(p[1]) && is_hex(p[2]))
            length = 3;
        if (!length)
            return 0;
        p += length;
    }
    return 1;
}

void cll_name_clean(char *text)
{
    size_t length;
    for (size_t left = strlen(text); left; text += length, left -= length) {
        length = *text >= 0x20 && *text < 0x7f ? 1 : cll_name_letter(text, left);
        if (!length) {
            *text = *text == '\t' ? ' ' : '?';
            length = 1;
        }
    }
}
