/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arithmetic over numbers alone, by recursive descent:
 *
 *     sum     := product { ('+' | '-') product }
 *     product := sign { ('*' | '/') sign }
 *     sign    := ('+' | '-') sign | power
 *     power   := primary [ '^' sign ]
 *     primary := digits [letter] | '(' sum ')'
 *
 * Where a part returns false, `fault` says what is wrong at `at`; NULL: a number is expected there.
 */
#include "base/arithmetic.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 100, MOST_DIGITS = 63 };

struct reader {
    const char *text, *fault;
    size_t at, end;
    int nested;
};

static bool read_sum(struct reader *r, double *x);

double arithmetic_suffix(int letter)
{
    switch (letter) {
    case 'k':
    case 'K': return 0x1p10;
    case 'M': return 0x1p20;
    case 'G': return 0x1p30;
    case 'T': return 0x1p40;
    default: return 0;
    }
}

static bool fail(struct reader *r, const char *fault)
{
    r->fault = fault;
    return false;
}

static char ahead(const struct reader *r)
{
    return r->at < r->end ? r->text[r->at] : '\0';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes the next byte that is not a blank if it is `c`. */
static bool take(struct reader *r, char c)
{
    size_t at = r->at;
    while (at < r->end && r->text[at] && strchr(" \t\r\n\\", r->text[at]))
        at++;
    if (at >= r->end || r->text[at] != c)
        return false;
    r->at = at + 1;
    return true;
}

static void skip_blanks(struct reader *r)
{
    while (ahead(r) && strchr(" \t\r\n\\", ahead(r)))
        r->at++;
}

static bool read_digits(struct reader *r, double *x)
{
    char digits[MOST_DIGITS + 1], *rest;
    size_t n = 0, begin = r->at;
    while (n < MOST_DIGITS) {
        char c = ahead(r);
        bool exponent = n && (digits[n - 1] == 'e' || digits[n - 1] == 'E');
        if (!is_digit(c) && c != '.' && !(n && (c == 'e' || c == 'E')) &&
            !(exponent && (c == '+' || c == '-')))
            break;
        digits[n++] = c;
        r->at++;
    }
    digits[n] = '\0';
    *x = n ? strtod(digits, &rest) : 0;
    if (!n || *rest) {
        r->at = begin;
        return fail(r, NULL);
    }
    double times = arithmetic_suffix(ahead(r));
    if (times > 0) {
        *x *= times;
        r->at++;
    }
    return true;
}

static bool read_primary(struct reader *r, double *x)
{
    skip_blanks(r);
    if (!take(r, '('))
        return read_digits(r, x);
    if (++r->nested > MOST_NESTED)
        return fail(r, "this number has too many parentheses");
    if (!read_sum(r, x))
        return false;
    r->nested--;
    return take(r, ')') || fail(r, "')' is missing here");
}

static bool read_sign(struct reader *r, double *x)
{
    bool minus = take(r, '-');
    if (minus || take(r, '+')) {
        if (++r->nested > MOST_NESTED)
            return fail(r, "this number has too many signs");
        if (!read_sign(r, x))
            return false;
        r->nested--;
        *x = minus ? -*x : *x;
        return true;
    }
    double exponent;
    if (!read_primary(r, x))
        return false;
    if (!take(r, '^'))
        return true;
    if (++r->nested > MOST_NESTED)
        return fail(r, "this number has too many powers");
    if (!read_sign(r, &exponent))
        return false;
    r->nested--;
    *x = pow(*x, exponent);
    return true;
}

static bool read_product(struct reader *r, double *x)
{
    double y;
    if (!read_sign(r, x))
        return false;
    for (;;) {
        bool times = take(r, '*');
        if (!times && !take(r, '/'))
            return true;
        if (!read_sign(r, &y))
            return false;
        *x = times ? *x * y : *x / y;
    }
}

static bool read_sum(struct reader *r, double *x)
{
    double y;
    if (!read_product(r, x))
        return false;
    for (;;) {
        bool plus = take(r, '+');
        if (!plus && !take(r, '-'))
            return true;
        if (!read_product(r, &y))
            return false;
        *x = plus ? *x + y : *x - y;
    }
}

int arithmetic_read(const char *text, size_t *at, size_t end, double *x, const char **fault)
{
    struct reader r = {.text = text, .at = *at, .end = end};
    skip_blanks(&r);
    size_t begin = r.at;
    bool good = read_sum(&r, x);
    if (good && !isfinite(*x)) {
        r.at = begin;
        good = fail(&r, isnan(*x) ? "this has no value" : "this number is too large");
    }
    *at = r.at;
    *fault = r.fault;
    return good ? 0 : -1;
}

const char *arithmetic_start(const char *text, double *x)
{
    const char *fault;
    size_t at = 0;
    return arithmetic_read(text, &at, strlen(text), x, &fault) ? NULL : text + at;
}

int arithmetic_parse(const char *text, double *x)
{
    const char *rest = arithmetic_start(text, x);
    return rest && !*rest ? 0 : -1;
}
