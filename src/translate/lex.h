/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tokens of C or C++, of a source as it was written or of what the compiler's preprocessor made of it.
 *
 *     struct names *names = names_create(arena, LANGUAGE_C);
 *     struct tokens t = lex(arena, names, text, size);
 *
 * The lexer never fails: an unterminated literal ends with its line, an unterminated comment with
 * the text. A directive is one token, from its `#` to the end of its logical line. _Pragma("...")
 * is also a directive.
 */
#ifndef TRANSLATE_LEX_H
#define TRANSLATE_LEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"

enum language { LANGUAGE_C, LANGUAGE_CXX, LANGUAGE_FORTRAN };

/* Words the parser knows; every other name gets the numbers from WORD_COUNT on. */
enum word {
    WORD_NONE,
#define WORD(id, text) WORD_##id,
#include "translate/words.def"
#undef WORD
    WORD_COUNT
};

enum token_kind {
    TOKEN_END,
    TOKEN_NAME, /* id = its number */
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_CHARACTER,
    TOKEN_PUNCTUATOR, /* id = its character, or one of enum punctuator */
    TOKEN_DIRECTIVE   /* id = enum directive */
};

enum punctuator { PUNCT_ARROW = 256, PUNCT_ELLIPSIS, PUNCT_AND_AND, PUNCT_SCOPE, PUNCT_OTHER };

enum directive {
    DIRECTIVE_OTHER,
    DIRECTIVE_IF,      /* #if, #ifdef, #ifndef */
    DIRECTIVE_IF_ZERO, /* #if 0 */
    DIRECTIVE_ELIF,    /* also #elifdef, #elifndef */
    DIRECTIVE_ELSE,
    DIRECTIVE_ENDIF,
    DIRECTIVE_DEFINE,
    DIRECTIVE_UNDEF,
    DIRECTIVE_INCLUDE,
    DIRECTIVE_LINE, /* # 12 "file" and #line */
    DIRECTIVE_PRAGMA,
    DIRECTIVE_PRAGMA_OPERATOR, /* _Pragma ( "..." ) */
    DIRECTIVE_FORTRAN          /* !$cll: made by fortran_find, not by the lexer */
};

struct token {
    uint32_t kind, id;
    uint32_t begin, end; /* bytes of the text */
    uint32_t body; /* directives: after the directive's name (an operator's: after the quote) */
    uint32_t line; /* 1-based line of `begin` */
};

struct tokens {
    struct token *list; /* ends with a TOKEN_END */
    size_t n;           /* without it */
};

/* Names and their numbers: equal text, equal number. The words of C++ are names of their own in C. */
struct names;
struct names *names_create(struct arena *a, enum language language);
uint32_t names_number(struct names *n, const char *s, size_t size);
const char *names_text(const struct names *n, uint32_t number);
size_t names_count(const struct names *n); /* numbers are below this */

/* The language is that of the names. `size` is below 4 GB. */
struct tokens lex(struct arena *a, struct names *names, const char *text, size_t size);

/* Is there a pragma of ours, or what could be one, in the text? A fast test that may say yes too
 * often. */
bool lex_may_hold_pragma(const char *text, size_t size);

/* The bytes of the mark with which a text in UTF-8 may begin: 3 or 0. */
size_t lex_byte_order_mark(const char *text, size_t size);

/* Is the text in UTF-16 or UTF-32? */
bool lex_is_wide(const char *text, size_t size);

/* Replaces comments and line splices of text[begin, end) by blanks, keeping every offset and
 * newline. */
void lex_blank(char *text, size_t begin, size_t end);

#endif
