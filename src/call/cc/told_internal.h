/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What told.c and told_heads.c share: the tokens of a preprocessed text. */
#ifndef CALL_CC_TOLD_INTERNAL_H
#define CALL_CC_TOLD_INTERNAL_H

#include <string.h>

#include "base/text.h"
#include "call/cc/told.h"
#include "translate/lex.h"

/* A line of the list. */
struct told_wanted {
    unsigned line;
    const char *name, *path;
    bool loops, bytes; /* it tells its arguments and its loops; its allocations */
};

struct teller {
    struct arena *arena;
    enum language language;
    const char *text;
    struct tokens t;
    bool alone;     /* arguments, no loops and allocations */
    bool own_names; /* malloc, calloc or realloc is a variable */
    struct told_wanted *list;
    size_t nlist, capacity;
    struct text out;
    size_t copied, told; /* bytes of the text; functions */
};

static inline bool is_punctuator(const struct token *t, uint32_t c)
{
    return t->kind == TOKEN_PUNCTUATOR && t->id == c;
}

static inline bool is_word(const struct teller *s, size_t i, const char *word)
{
    const struct token *t = &s->t.list[i];
    size_t n = strlen(word);
    return t->kind == TOKEN_NAME && t->end - t->begin == n && !memcmp(s->text + t->begin, word, n);
}

static inline bool is_one_of(const struct teller *s, size_t i, const char *const *words, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (is_word(s, i, words[k]))
            return true;
    return false;
}
#define IS_ONE_OF(s, i, words) is_one_of(s, i, words, sizeof(words) / sizeof *(words))

/* The token that closes what opens here; t.n without one. */
static inline size_t closing(const struct tokens *t, size_t open)
{
    size_t depth = 0;
    for (size_t i = open; i < t->n; i++) {
        const struct token *k = &t->list[i];
        depth += is_punctuator(k, '(') || is_punctuator(k, '[') || is_punctuator(k, '{');
        depth -= is_punctuator(k, ')') || is_punctuator(k, ']') || is_punctuator(k, '}');
        if (!depth)
            return i;
    }
    return t->n;
}

/* The integers that decide how often the loop that begins with this token iterates, at most TOLD_MOST; 0: none is known before
 * it begins. */
size_t told_heads_read(const struct teller *s, size_t keyword, const char **names);

#endif
