/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as preprocessed C and C++ in which functions tell their arguments: without what is put in, the text is as before. */
#define _GNU_SOURCE 1 /* memmem */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "call/cc/told.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char list[] = "1 f /etc/passwd\n2 f /etc/passwd\n2 g /etc/passwd\n3 f /etc/passwd\n";

/* Goes through the end of the result, which has the text, and the calls in it. */
static void compare(const char *out, size_t nout, const char *text, size_t size)
{
    static const char begin[] = " static struct cll_told cll_told_here = {";
    size_t at = nout, left = size;
    while (left > 0) {
        if (at > 0 && out[at - 1] == text[left - 1]) {
            at--;
            left--;
            continue;
        }
        do
            if (at-- == 0)
                abort();
        while (strncmp(out + at, begin, sizeof begin - 1) != 0);
    }
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
            told_put(a, language ? LANGUAGE_CXX : LANGUAGE_C, false, list, text, n, &nout);
        if (out && !memchr(text, '\0', n) && !memmem(text, n, "cll_told", 8))
            compare(out, nout, text, n);
        arena_destroy(a);
    }
    return 0;
}
