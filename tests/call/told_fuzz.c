/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as preprocessed C and C++ in which functions tell their arguments: without what is put in, the text is as before. */
#define _GNU_SOURCE 1 /* memmem */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "call/cc/told.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char list[] =
    "1 f lb /etc/passwd\n2 f l /etc/passwd\n2 g b /etc/passwd\n3 f lb /etc/passwd\n";

/* How what is put in begins and ends. */
static const struct {
    const char *begin, *end;
} parts[] = {{" static struct cll_told ", ");"},
             {"if (__extension__ ({ static struct cll_told ", "; else "},
             {"cll_told_new(__extension__ ({ static struct cll_told ", ") = "},
             {"__extension__ ({ static struct cll_told ", " }), "},
             {"cll_told_", ""}};

/* Behind the part that begins here; the same place if none does. */
static const char *skip_part(const char *s)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strncmp(s, parts[i].begin, strlen(parts[i].begin))) {
            s += strlen(parts[i].begin);
            const char *end = strstr(s, parts[i].end);
            if (!end)
                abort();
            return end + strlen(parts[i].end);
        }
    return s;
}

/* `out` begins with what is in front of each source. */
static void compare(const char *out, size_t nout, const char *text, size_t size, const char *marker)
{
    const char *end = out + nout;
    out = strstr(out, marker);
    for (const char *next; out && ((next = skip_part(out)) != out || size > 0); out = next)
        if (next == out) {
            size--;
            if (*next++ != *text++)
                abort();
        }
    if (out != end)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char marker[] = "# 1 \"/etc/passwd\"\n";
    for (int language = 0; language < 2; language++) {
        struct arena *a = arena_create();
        size_t n = sizeof marker - 1 + size, nout;
        char *text = arena_alloc(a, n + 1, 1);
        memcpy(text, marker, sizeof marker - 1);
        memcpy(text + sizeof marker - 1, data, size);
        text[n] = '\0';
        const char *out =
            told_put(a, language ? LANGUAGE_CXX : LANGUAGE_C, false, false, list, text, n, &nout);
        if (out && !memchr(text, '\0', n) && !memmem(text, n, "cll_told", 8))
            compare(out, nout, text, n, marker);
        arena_destroy(a);
    }
    return 0;
}
