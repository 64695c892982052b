/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON (json.h). */
#include "llac/json.h"

#include <string.h>

#include "base/memory.h"
#include "base/printable.h"

/* Valid UTF-8 that is not printable, as JSON escapes it. */
static size_t put_escaped(FILE *out, const char *s)
{
    unsigned char first = (unsigned char)*s;
    size_t length = first < 0xe0 ? first < 0x80 ? 1 : 2 : first < 0xf0 ? 3 : 4;
    unsigned c = length == 1 ? first : first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        c = c << 6 | ((unsigned char)s[i] & 0x3fu);
    if (c >= 0x10000)
        fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
                0xdc00 + ((c - 0x10000) & 0x3ff));
    else
        fprintf(out, "\\u%04x", c);
    return length;
}

void json_print(FILE *out, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_auto_t *value = json_vmake(format, args);
    va_end(args);
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
    size_t n = text ? strlen(text) : 0;
    for (size_t i = 0; i < n;) {
        size_t length = printable_length(text + i, n - i);
        if (length)
            fwrite(text + i, 1, length, out);
        i += length ? length : put_escaped(out, text + i);
    }
    fputc('\n', out);
    mem_free(text);
}

json_t *json_place(struct place p)
{
    json_t *j = json_object();
    for (size_t i = 0; i < p.n; i++)
        json_set(j, p.names[i], json_number(p.values[i]));
    return j;
}

json_t *json_point(const struct points *p, size_t i)
{
    json_t *j = json_object();
    for (size_t k = 0; k < p->nnames; k++)
        json_set(j, p->names[k], json_number(p->at[k][i]));
    return j;
}
