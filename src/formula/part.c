/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the data in the names of definitions (part.h). */
#include "formula/part.h"

#include <ctype.h>
#include <string.h>

static bool is_label_part(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || c == '_' || c == '.';
}

bool formula_part_is_plain(const char *part, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_label_part(part[i]))
            return false;
    return n > 0;
}

/* The end of the label: of the longest known one, or of letters, digits, '_' and '.'. */
static size_t label_end(const char *s, size_t at, size_t end, const char *const *labels)
{
    size_t stop = at, longest = 0;
    for (; labels && *labels; labels++) {
        size_t n = strlen(*labels);
        if (n > longest && end - at >= n && memcmp(s + at, *labels, n) == 0 &&
            (at + n == end || !is_label_part(s[at + n])))
            longest = n;
    }
    while (stop < end && is_label_part(s[stop]))
        stop++;
    return at + longest > stop ? at + longest : stop;
}

/* The end of a number: a sign, digits, '.', an exponent, a letter of base/arithmetic.h. */
static size_t number_end(const char *s, size_t at, size_t end)
{
    if (at < end && (s[at] == '-' || s[at] == '+'))
        at++;
    while (at < end && (isalnum((unsigned char)s[at]) || s[at] == '.')) {
        bool exponent = (s[at] == 'e' || s[at] == 'E') && at + 2 < end &&
                        (s[at + 1] == '-' || s[at + 1] == '+') && isdigit((unsigned char)s[at + 2]);
        at += exponent ? 2 : 1;
    }
    return at;
}

/* Between quotes, of which s[at] is the first. A blank or '@' in them is a misprint. */
static struct formula_part quoted(const char *s, size_t at, size_t end)
{
    struct formula_part none = {{at, at}, at};
    size_t stop = at + 1;
    for (; stop < end && s[stop] != '"'; stop++)
        if ((unsigned char)s[stop] <= ' ' || s[stop] == '@')
            return none;
    return stop < end ? (struct formula_part){{at + 1, stop}, stop + 1} : none;
}

struct formula_part formula_part_at(const char *s, size_t at, size_t end, const char *const *labels)
{
    if (at < end && s[at] == '"')
        return quoted(s, at, end);
    size_t stop = label_end(s, at, end, labels);
    if (stop > at && stop + 1 < end && s[stop] == '=' && s[stop + 1] != '=')
        stop = number_end(s, stop + 1, end);
    return (struct formula_part){{at, stop}, stop};
}
