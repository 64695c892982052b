/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a source: read as written, and once more as if they were the preprocessor's output.
 * Whatever comes out must keep the number of lines.
 */
#include <stdint.h>
#include <stdlib.h>

#include "base/text.h"
#include "translate/emit.h"
#include "translate/unit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t lines(const char *s, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        count += s[i] == '\n';
    return count;
}

static void translate(const uint8_t *data, size_t size, enum language language, int preprocessed)
{
    struct unit *u = unit_create(language);
    struct text text, marked;
    unit_add(u, "x.c", (const char *)data, size);
    text_init(&marked);
    text_init(&text);
    text_add(&marked, "# 1 \"x.c\"\n");
    unit_mark(u, 0, &marked);
    if (preprocessed)
        unit_resolve(u, marked.s, marked.n);
    else
        unit_resolve(u, NULL, 0);
    if (!diag_count(u->diag, SEVERITY_ERROR)) {
        emit_source(u, 0, "x.cll.h", &text);
        if (lines(text.s, text.n) != lines((const char *)data, size) + 2)
            abort();
        emit_header(u, "", &text);
    }
    text_free(&text);
    text_free(&marked);
    unit_destroy(u);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int preprocessed = 0; preprocessed < 2; preprocessed++) {
        translate(data, size, LANGUAGE_C, preprocessed);
        translate(data, size, LANGUAGE_CXX, preprocessed);
    }
    return 0;
}
