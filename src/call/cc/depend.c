/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A dependency file is lines "target...: prerequisite...", continued by backslashes. In a name,
 * make takes $$ for $, \# for #, and 2n + 1 backslashes before a blank for n of them and the blank;
 * other backslashes stand for themselves. Words are kept as they are but those below the tree.
 */
#include "call/cc/depend.h"

#include <string.h>

#include "base/text.h"

/* The next word of the rule, escapes kept; NULL at the end of the logical line. */
static const char *next_word(const char **p, size_t *n)
{
    const char *s = *p;
    for (;;) {
        while (*s == ' ' || *s == '\t' || *s == '\r')
            s++;
        if (s[0] == '\\' && s[1] == '\n')
            s += 2;
        else if (s[0] == '\\' && s[1] == '\r' && s[2] == '\n')
            s += 3;
        else
            break;
    }
    const char *begin = s;
    while (*s && *s != '\n' && *s != ' ' && *s != '\t' && *s != '\r' &&
           !(s[0] == '\\' && (s[1] == '\n' || (s[1] == '\r' && s[2] == '\n'))))
        s += s[0] == '\\' && s[1] && s[1] != '\n' ? 2 : 1;
    *n = (size_t)(s - begin);
    *p = s;
    return *n ? begin : NULL;
}

/* The word without make's escapes. */
static void unescape(struct text *out, const char *s, size_t n)
{
    text_clear(out);
    for (size_t i = 0; i < n; i++) {
        size_t slashes = 0;
        while (i + slashes < n && s[i + slashes] == '\\')
            slashes++;
        i += slashes;
        char next = i < n ? s[i] : '\0';
        size_t kept =
            next == ' ' || next == '\t' ? slashes / 2 : slashes - (next == '#' && slashes);
        for (size_t k = 0; k < kept; k++)
            text_addc(out, '\\');
        if (next == '$' && i + 1 < n && s[i + 1] == '$')
            i++;
        if (next)
            text_addc(out, next);
    }
}

static void escape(struct text *out, const char *s)
{
    size_t slashes = 0; /* just before s */
    for (; *s; s++) {
        bool blank = *s == ' ' || *s == '\t';
        for (size_t k = 0; blank && k < slashes; k++)
            text_addc(out, '\\');
        if (blank || *s == '#')
            text_addc(out, '\\');
        else if (*s == '$')
            text_addc(out, '$');
        text_addc(out, *s);
        slashes = *s == '\\' ? slashes + 1 : 0;
    }
}

struct line {
    struct text text;
    size_t width;
};

static void put(struct line *l, const char *s, size_t n, bool first)
{
    if (!first && l->width + n > 76) {
        text_add(&l->text, " \\\n ");
        l->width = 1;
    } else if (!first) {
        text_addc(&l->text, ' ');
        l->width++;
    } else {
        l->width = 0;
    }
    text_addn(&l->text, s, n);
    l->width += n;
}

void depend_rewrite(const char *text, const char *tree, depend_name *name, void *user,
                    struct text *out)
{
    struct text plain, escaped;
    struct line l;
    text_init(&plain);
    text_init(&escaped);
    text_init(&l.text);
    size_t tree_size = strlen(tree), n;
    while (*text) {
        bool first = true, dropped = false;
        const char *word;
        text_clear(&l.text);
        while ((word = next_word(&text, &n))) {
            bool colon = first && n && word[n - 1] == ':';
            unescape(&plain, word, n - colon);
            if (!strncmp(plain.s, tree, tree_size)) {
                const char *instead = name(user, plain.s);
                if (!instead) {
                    dropped |= first;
                    continue;
                }
                text_clear(&escaped);
                escape(&escaped, instead);
                if (colon)
                    text_addc(&escaped, ':');
                put(&l, escaped.s, escaped.n, first);
            } else {
                put(&l, word, n, first);
            }
            first = false;
        }
        if (!dropped)
            text_add(out, l.text.s);
        if (*text == '\n') {
            text++;
            if (!dropped)
                text_addc(out, '\n');
        }
    }
    text_free(&plain);
    text_free(&escaped);
    text_free(&l.text);
}
