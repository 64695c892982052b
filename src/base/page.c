/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/page.h"

#include <string.h>

void page_write(FILE *out, const char *frame, const struct page_part *parts, size_t n)
{
    const char *at = frame, *mark;
    while ((mark = strstr(at, "<!--@"))) {
        const char *name = mark + strlen("<!--@");
        size_t length = strcspn(name, "-");
        fwrite(at, 1, (size_t)(mark - at), out);
        for (size_t i = 0; i < n; i++)
            if (strlen(parts[i].name) == length && memcmp(parts[i].name, name, length) == 0)
                parts[i].write(out, parts[i].what);
        at = strstr(mark, "-->") + strlen("-->");
    }
    fputs(at, out);
}

void page_put_text(FILE *out, const void *what)
{
    fputs(what, out);
}

int page_put_json(const char *piece, size_t size, void *to)
{
    for (size_t k = 0; k < size; k++) {
        int failed = piece[k] && strchr("<>&", piece[k])
                         ? fprintf(to, "\\u%04x", (unsigned)piece[k]) < 0
                         : putc(piece[k], to) == EOF;
        if (failed)
            return -1;
    }
    return 0;
}
