/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quoting (see quote.h). */
#include "base/quote.h"

#include <string.h>

#include "base/text.h"
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
