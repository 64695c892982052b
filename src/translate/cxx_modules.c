/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sources that are modules of C++20, or import some. They are found in the tokens as written: what the
 * preprocessor makes of such lines differs from compiler to compiler.
 */
#include <string.h>

#include "translate/unit.h"

/* Is the name at the token one of these words? */
static bool token_is(const struct input *in, size_t i, const char *word)
{
    const struct token *t = &in->tokens.list[i];
    size_t n = strlen(word);
    return i < in->tokens.n && t->kind == TOKEN_NAME && t->end - t->begin == n &&
           !memcmp(in->text + t->begin, word, n);
}

static bool is_token(const struct input *in, size_t i, uint32_t id)
{
    return i < in->tokens.n && in->tokens.list[i].kind == TOKEN_PUNCTUATOR &&
           in->tokens.list[i].id == id;
}

/* `module;`, `export module m;`, `import m;`, `import <h>;` where a declaration begins. */
static bool is_module_line(const struct input *in, size_t i)
{
    i += token_is(in, i, "export");
    bool module = token_is(in, i, "module");
    if (!module && !token_is(in, i, "import"))
        return false;
    const struct token *next = &in->tokens.list[i + 1];
    if (is_token(in, i + 1, '<') || next->kind == TOKEN_STRING)
        return !module;
    return (module && is_token(in, i + 1, ';')) || is_token(in, i + 1, ':') ||
           (next->kind == TOKEN_NAME &&
            (is_token(in, i + 2, ';') || is_token(in, i + 2, '.') || is_token(in, i + 2, ':')));
}

/* The generated header would come before the module's first line, and a module has its own copy of the
 * headers. */
bool unit_refuse_modules(struct unit *u)
{
    const struct input *in = &u->inputs[0];
    size_t open = 0;
    for (size_t i = 0; i < in->tokens.n; i++) {
        const struct token *t = &in->tokens.list[i];
        bool begins = i == 0 || t[-1].kind == TOKEN_DIRECTIVE || is_token(in, i - 1, ';') ||
                      is_token(in, i - 1, '}');
        open += is_token(in, i, '{');
        open -= is_token(in, i, '}') && open;
        if (open || !begins || !is_module_line(in, i))
            continue;
        diag_add(
            u->diag, SEVERITY_ERROR, in->source, (struct span){t->begin, t->end},
            "regions in sources that use modules of C++20 cannot be translated; use headers, or "
            "put the regions into a source without modules");
        return true;
    }
    return false;
}
