/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values that are computed at the end of a region of Fortran: NAME := EXPR. The program can leave the region inside of a
 * construct, and the expression is computed there. So no construct may have a variable of its own with a name of the
 * expression: BLOCK declares some, ASSOCIATE and SELECT TYPE name some.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "translate/fortran_reader.h"

static bool is_name_byte(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Does the expression have the name, and not as a component? */
static bool has_name(const char *s, size_t n, const char *name, size_t length)
{
    char quote = '\0', before = '\0'; /* the last byte that is not a blank */
    for (size_t i = 0, stop; i < n; i = stop) {
        stop = i + 1;
        if (quote || s[i] == '\'' || s[i] == '"') {
            quote = !quote ? s[i] : s[i] == quote ? '\0' : quote;
            continue;
        }
        while (is_name_byte(s[i]) && stop < n && is_name_byte(s[stop]))
            stop++;
        if (isalpha((unsigned char)s[i]) && before != '%' && stop - i == length &&
            !strncasecmp(s + i, name, length))
            return true;
        if (!isspace((unsigned char)s[stop - 1]))
            before = s[stop - 1];
    }
    return false;
}

/* A name that the statement gives a meaning of its own, at byte i: complains if a region around it computes with it. */
static void check_name(struct reader *r, size_t i, size_t stop)
{
    const char *text = r->unit->inputs[0].source->text, *name = r->st->s + i;
    for (size_t k = r->region; k; k = r->f->regions[k].parent) {
        const struct pragma *p = fortran_region_pragma(r, k);
        for (size_t v = 0; v < p->nvariables; v++) {
            struct span e = p->variables[v].span;
            if (!p->variables[v].computed ||
                !has_name(text + e.begin, e.end - e.begin, name, stop - i))
                continue;
            fortran_complain(r, r->st->at[i], stop - i, k,
                             "'%.*s' is another variable here, but the region '%s' (line %u) "
                             "computes '%s' with this name when it ends; choose another name",
                             (int)(stop - i), name, p->name, p->first_line, p->variables[v].name);
            return;
        }
    }
}

/* Where the names of a declaration begin. */
static size_t declared_names(const struct fortran_statement *st, size_t i)
{
    const char *colons = strstr(st->s + i, "::");
    return colons ? (size_t)(colons - st->s) + 2 : i;
}

void fortran_check_late(struct reader *r, size_t i, bool declares)
{
    const struct fortran_statement *st = r->st;
    size_t at = i;
    bool names = fortran_word(st, &at, "associate") || fortran_word(st, &at, "select type") ||
                 fortran_word(st, &at, "select rank");
    if (!r->region || (!names && !declares))
        return;
    int depth = 0;
    for (size_t k = declares ? declared_names(st, i) : i, stop;
         k<st->n; k = stop> k ? stop : k + 1) {
        stop = fortran_name(st, k);
        depth += (st->s[k] == '(' || st->s[k] == '[') - (st->s[k] == ')' || st->s[k] == ']');
        size_t after = fortran_blanks(st, stop);
        bool renames = names && after + 1 < st->n && st->s[after] == '=' && st->s[after + 1] == '>';
        if (stop > k && (renames || (declares && depth == 0)))
            check_name(r, k, stop);
    }
}
