/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The compiler's own preprocessor shows what macros hide: braces, jumps, declarations, and which
 * branches are on. -dD keeps the #define lines, so that it is known which names are macros.
 */
#define _GNU_SOURCE 1
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "call/cc/nvcc.h"
#include "call/cc/translate.h"

void words_split(struct arena *a, struct words *w, const char *text)
{
    TEXT_LOCAL struct text word = text_new();
    while (*text) {
        while (*text == ' ' || *text == '\t' || *text == '\n' || *text == '\r')
            text++;
        if (!*text)
            break;
        text_clear(&word);
        char quote = '\0';
        for (; *text && (quote || !strchr(" \t\n\r", *text)); text++) {
            if (quote != '\'' && *text == '\\' && text[1])
                text_addc(&word, *++text);
            else if (quote && *text == quote)
                quote = '\0';
            else if (!quote && (*text == '\'' || *text == '"'))
                quote = *text;
            else
                text_addc(&word, *text);
        }
        words_add(a, w, arena_strdup(a, word.s));
    }
}

bool preprocess_next_line(const char *text, size_t size, size_t *at, struct span *line)
{
    if (*at >= size)
        return false;
    const char *stop = memchr(text + *at, '\n', size - *at);
    *line = (struct span){*at, stop ? (size_t)(stop - text) : size};
    *at = line->end + 1;
    return true;
}

/* The first line of a file, without "x.c:1:2: error: " in front being taken away: it says where. */
static const char *first_line(struct arena *a, const char *path)
{
    char *text;
    size_t size;
    if (process_read(a, path, 1 << 20, &text, &size))
        return "";
    text[strcspn(text, "\n")] = '\0';
    return text;
}

static unsigned digit_value(char c)
{
    return isdigit((unsigned char)c) ? (unsigned)(c - '0')
                                     : (unsigned)(tolower((unsigned char)c) - 'a') + 10;
}

/* gcc prints the letters of other alphabets in names as \UXXXXXXXX: back to UTF-8, in place, so
 * that they are the names of the source. Inside a string it makes no difference to the structure.
 */
static size_t decode_letters(char *s, size_t size)
{
    size_t to = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned long c = 0;
        size_t digits = 0;
        if (s[i] == '\\' && i + 9 < size && s[i + 1] == 'U')
            for (; digits < 8 && isxdigit((unsigned char)s[i + 2 + digits]); digits++)
                c = c * 16 + digit_value(s[i + 2 + digits]);
        if (digits < 8 || c < 0x80 || c > 0x10ffff) {
            s[to++] = s[i];
            continue;
        }
        if (c >= 0x10000)
            s[to++] = (char)(0xf0 | c >> 18);
        if (c >= 0x800)
            s[to++] = (char)(c >= 0x10000 ? 0x80 | (c >> 12 & 0x3f) : 0xe0 | c >> 12);
        s[to++] = (char)(c >= 0x800 ? 0x80 | (c >> 6 & 0x3f) : 0xc0 | c >> 6);
        s[to++] = (char)(0x80 | (c & 0x3f));
        i += 9;
    }
    s[to] = '\0';
    return to;
}

char *preprocess(struct arena *a, const struct words *command, bool macros, const char *temporary,
                 size_t *size, const char **why)
{
    struct words w = {0};
    words_add_all(a, &w, command);
    WORDS_ADD(a, &w, "-E", macros ? "-dD" : "-cpp");
    struct process_options o = {.in = PROCESS_NULL, .out = PROCESS_FILE, .err = PROCESS_FILE};
    o.out_file = arena_printf(a, "%s/preprocessed", temporary);
    if (!macros) { /* Fortran: without an output, SimGrid's smpif90 takes the name of the source's object */
        o.out = PROCESS_NULL;
        WORDS_ADD(a, &w, "-o", o.out_file);
    }
    nvcc_adapt(a, &w);
    o.err_file = arena_printf(a, "%s/said", temporary);
    const char *environment[] = {"DEPENDENCIES_OUTPUT=/dev/null", NULL};
    if (getenv("DEPENDENCIES_OUTPUT"))
        o.environment = environment; /* gcc adds its rules to this file: once is enough */
    int status = process_run(&w, &o);
    if (status < 0) {
        *why = arena_printf(a, "%s: %s", w.list[0], strerror(errno));
        return NULL;
    }
    if (status) {
        *why = first_line(a, o.err_file);
        return NULL;
    }
    char *text;
    int error = process_read(a, o.out_file, (size_t)SOURCE_LIMIT * 4, &text, size);
    if (error) {
        *why = strerror(error);
        return NULL;
    }
    *size = decode_letters(text, *size);
    return text;
}
