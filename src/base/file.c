/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quoting and number text (see file.h). */
#include "base/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"

void quote_shell(struct text *out, const char *s)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
    if (*s && s[strspn(s, safe)] == 0) {
        text_add(out, s);
        return;
    }
    text_addc(out, '\'');
    for (; *s; s++) {
        if (*s == '\'')
            text_add(out, "'\\''");
        else
            text_addc(out, *s);
    }
    text_addc(out, '\'');
}

void quote_html(struct text *out, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        case '&': text_add(out, "&amp;"); break;
        case '"': text_add(out, "&quot;"); break;
        case '\'': text_add(out, "&#39;"); break;
        default: text_addc(out, *s);
        }
    }
}

/* gnuplot's single-quoted strings have an escape for one quote, which fails for several and at
 * their beginning: quotes become typographic ones. Control characters would end the command. */
void quote_gnuplot(struct text *out, const char *s)
{
    text_addc(out, '\'');
    for (size_t n = strlen(s); n > 0;) {
        size_t length = printable_length(s, n);
        if (*s == '\'')
            text_add(out, "\342\200\231");
        else
            text_addn(out, length ? s : "?", length ? length : 1);
        s += length ? length : 1;
        n -= length ? length : 1;
    }
    text_addc(out, '\'');
}

static char *not_finite(double x, char buffer[NUMBER_SIZE])
{
    return strcpy(buffer, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

char *number_text(double x, char buffer[NUMBER_SIZE])
{
    if (!isfinite(x))
        return not_finite(x, buffer);
    if (x == floor(x) && fabs(x) < 1e15) {
        snprintf(buffer, NUMBER_SIZE, "%.0f", x == 0 ? 0.0 : x);
        return buffer;
    }
    for (int digits = 1; digits <= 17; digits = digits < 15 ? digits + 7 : digits + 1) {
        snprintf(buffer, NUMBER_SIZE, "%.*g", digits, x);
        if (strtod(buffer, NULL) == x)
            return buffer;
    }
    return buffer;
}

/* "-0.00" is what rounding leaves of a small negative number. */
static char *without_sign_of_zero(char buffer[NUMBER_SIZE])
{
    if (buffer[0] == '-' && !buffer[1 + strspn(buffer + 1, "0.")])
        memmove(buffer, buffer + 1, strlen(buffer));
    return buffer;
}

char *number_digits(double x, int digits, char buffer[NUMBER_SIZE])
{
    if (!isfinite(x))
        return not_finite(x, buffer);
    snprintf(buffer, NUMBER_SIZE, "%.*g", digits < 17 ? digits : 17, x);
    return without_sign_of_zero(buffer);
}

char *number_decimals(double x, int decimals, char buffer[NUMBER_SIZE])
{
    if (!isfinite(x) || fabs(x) >= 1e9)
        return number_digits(x, 4, buffer);
    snprintf(buffer, NUMBER_SIZE, "%.*f", decimals < 17 ? decimals : 17, x);
    return without_sign_of_zero(buffer);
}

int number_exponent(double x)
{
    char buffer[NUMBER_SIZE];
    if (!isfinite(x) || x == 0)
        return 0;
    snprintf(buffer, sizeof buffer, "%.16e", x); /* exact where log10 and pow round */
    return (int)strtol(strchr(buffer, 'e') + 1, NULL, 10);
}
