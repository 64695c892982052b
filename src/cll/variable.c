/* SPDX-License-Identifier: MIT */
/*
 * Names of variables. CLL_REGION takes any expression, and its text is the name. But a formula can
 * use only names that consist of identifiers, `.`, `->` and `[index]`. Other text becomes such a
 * name:
 *
 *   v.size()  v.size        n*2      n_2        (int)n   int_n
 *   a[i+1]    a[i_1]        2*n      _2_n       a[2*i]   a_2_i
 *
 * A run of other characters becomes one `_`, except at either end. If the result is not a variable
 * (the last example), `.`, `->` and brackets are replaced as well. CLL_VAR gives the name itself and
 * passes it in the text: ((void)"cll:" "NAME", (expression)).
 */
#include "cll/internal.h"
#include "spool/name.h"

#include <stdio.h>
#include <string.h>

#define MARK "((void)\"cll:\" \""

static int is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static int is_variable(const char *text)
{
    return cll_name_is(CLL_NAME_VARIABLE, text, strlen(text));
}

/* How many bytes at p may stay: those of a letter or digit, or 2 for an arrow. */
static size_t usable(const char *p, int members)
{
    size_t length = cll_name_letter_or_digit(p, strlen(p));
    if (length || !members)
        return length;
    if (*p == '-' && p[1] == '>')
        return 2;
    return *p == '[' || *p == ']' || (*p == '.' && cll_name_letter(p + 1, strlen(p + 1)));
}

static void make_usable(const char *text, char name[CLL_VARIABLE_NAME], int members)
{
    size_t n = 0;
    int gap = 0;
    for (size_t length; *text && n < CLL_VARIABLE_NAME - 16; text += length ? length : 1) {
        length = usable(text, members);
        if (!length) {
            gap = 1;
            continue;
        }
        /* Only between names: none at the beginning, at a dot or a bracket. But a name begins with
           a letter. */
        int word = is_word(*text);
        int after = n && is_word(name[n - 1]);
        if (n ? gap && word && after && name[n - 1] != '_' : is_digit(*text))
            name[n++] = '_';
        gap = 0;
        memcpy(name + n, text, length);
        n += length;
    }
    if (!n)
        name[n++] = '_';
    name[n] = 0;
}

/* The text without spaces, or what CLL_VAR names. Returns 0 if it was cut. */
static int plain_text(const char *text, char name[CLL_VARIABLE_NAME])
{
    size_t n = 0;
    char end = 0;
    if (!strncmp(text, MARK, strlen(MARK))) {
        text += strlen(MARK);
        end = '"';
    }
    for (; *text && *text != end && n < CLL_VARIABLE_NAME - 16; text++)
        if (*text != ' ' && *text != '\t')
            name[n++] = *text;
    name[n] = 0;
    return !*text || *text == end;
}

static int is_taken(char names[][CLL_VARIABLE_NAME], const char *done, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++)
        if (done[i] && !strcmp(names[i], name))
            return 1;
    return 0;
}

static void make_unique(char names[][CLL_VARIABLE_NAME], const char *done, unsigned n, unsigned at)
{
    size_t length = strlen(names[at]);
    for (unsigned number = 2; is_taken(names, done, n, names[at]); number++)
        snprintf(names[at] + length, CLL_VARIABLE_NAME - length, "_%u", number);
}

void cll_variable_names(const struct cll_experiment *e, char names[][CLL_VARIABLE_NAME])
{
    char done[CLL_MAX_VARIABLES] = {0};
    for (unsigned i = 0; i < e->nvars; i++)
        done[i] = (char)(plain_text(e->vars[i], names[i]) && is_variable(names[i]));
    for (unsigned i = 0; i < e->nvars; i++) {
        char text[CLL_VARIABLE_NAME];
        unsigned same = 0;
        while (same < i && strcmp(e->vars[same], e->vars[i]))
            same++;
        if (done[i])
            continue;
        memcpy(text, names[i], sizeof text);
        make_usable(text, names[i], 1);
        if (!is_variable(names[i]))
            make_usable(text, names[i], 0);
        if (same < i)
            memcpy(names[i], names[same], sizeof names[i]);
        else
            make_unique(names, done, e->nvars, i);
        done[i] = 1;
    }
}
