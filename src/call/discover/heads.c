/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Does the source say how often a loop iterates? Its head has only numbers, constants that the file defines as numbers, and variables of
 * loops around it that are of this kind. A number of iterations that was the same each time that the loop began is certain only
 * then: the bound may be a variable that changes at larger sizes. Does it count at least, up to any bound? A number of iterations
 * that is the same at all sizes is believed only then: how often something is improved until it is good depends on data.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/source.h"
#include "call/cc/language.h"
#include "call/discover/discover.h"

enum { MOST_VARIABLES = 16, MOST_HEAD = 500 };
static const size_t most_bytes = (size_t)1 << 28;

/* Variables of loops whose heads are known. */
struct known {
    struct arena *arena;
    const char *names[MOST_VARIABLES];
    size_t n;
    bool any; /* other names are allowed as well */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_length(const char *s)
{
    size_t n = 0;
    while (is_word(s[n]))
        n++;
    return n;
}

static void add_variable(struct known *k, const char *name, size_t n)
{
    if (k->n < MOST_VARIABLES)
        k->names[k->n++] = arena_strndup(k->arena, name, n);
}

static bool is_variable(const struct known *k, const char *name, size_t n)
{
    for (size_t i = 0; i < k->n; i++)
        if (!strncmp(k->names[i], name, n) && !k->names[i][n])
            return true;
    return false;
}

/* "#define NAME 16" in the file. */
static bool is_defined_number(const char *text, const char *name, size_t n)
{
    static const char define[] = "#define";
    for (const char *s = text; (s = strstr(s, define)); s++) {
        const char *at = s + sizeof define - 1;
        at += strspn(at, " \t");
        if (word_length(at) != n || memcmp(at, name, n) != 0)
            continue;
        at += n;
        return isdigit((unsigned char)at[strspn(at, " \t")]);
    }
    return false;
}

/* Behind the operand of sizeof. */
static const char *skip_operand(const char *s)
{
    s += strspn(s, " *&");
    if (*s != '(')
        return s + word_length(s);
    for (size_t depth = 0; *s; s++) {
        depth += *s == '(';
        depth -= *s == ')';
        if (!depth)
            return s + 1;
    }
    return s;
}

/* Are all names of the text known, or variables if any are allowed? A second condition makes it no head that counts. */
static bool has_known_names(const char *s, const char *end, const struct known *k, const char *text)
{
    while (s < end) {
        size_t n = word_length(s);
        bool is_name = n && !isdigit((unsigned char)*s);
        if (n == 6 && !strncmp(s, "sizeof", n)) {
            s = skip_operand(s + n);
            continue;
        }
        if (is_name &&
            !(k->any ? s[n] != '(' : is_variable(k, s, n) || is_defined_number(text, s, n)))
            return false;
        if (!strncmp(s, "&&", 2) || !strncmp(s, "||", 2))
            return false;
        s += n ? n : 1;
    }
    return true;
}

/* The first statement of a head: "int i = 0, k = 1". Its variables become known; types and they themselves are left out of
 * what must be known. */
static bool read_first(const char *s, const char *end, struct known *k, const char *text)
{
    bool any = false;
    while (s < end) {
        const char *equals = memchr(s, '=', (size_t)(end - s)), *comma;
        if (!equals)
            break;
        const char *stop = equals;
        while (stop > s && isspace((unsigned char)stop[-1]))
            stop--;
        const char *name = stop;
        while (name > s && is_word(name[-1]))
            name--;
        if (name == stop)
            return false;
        comma = memchr(equals, ',', (size_t)(end - equals));
        if (!has_known_names(equals, comma ? comma : end, k, text))
            return false;
        add_variable(k, name, (size_t)(stop - name));
        any = true;
        s = comma ? comma + 1 : end;
    }
    return any;
}

/* The closing parenthesis; NULL: it is far away. */
static const char *head_end(const char *open)
{
    size_t depth = 0;
    for (size_t i = 0; open[i] && i < MOST_HEAD; i++) {
        depth += open[i] == '(';
        depth -= open[i] == ')';
        if (!depth)
            return open + i;
    }
    return NULL;
}

/* "(int i = 0; i < 16; i++)" */
static bool read_head(const char *open, struct known *k, const char *text)
{
    const char *end = head_end(open), *first, *second;
    if (!end || !(first = memchr(open, ';', (size_t)(end - open))) ||
        !(second = memchr(first + 1, ';', (size_t)(end - first - 1))))
        return false;
    return read_first(open + 1, first, k, text) && has_known_names(first, second, k, text) &&
           has_known_names(second, end, k, text);
}

/* "do k = 1, 16", "do 10 k = 1, 16" */
static bool read_fortran(const char *s, const char *end, struct known *k, const char *text)
{
    s += strspn(s, " \t0123456789");
    size_t n = word_length(s);
    const char *equals = s + n + strspn(s + n, " \t"), *comment = memchr(s, '!', (size_t)(end - s));
    if (!n || *equals != '=' || !has_known_names(equals, comment ? comment : end, k, text))
        return false;
    add_variable(k, s, n);
    return true;
}

/* All loops that begin on the line. */
static bool read_line(const char *line, struct known *k, const char *text, bool fortran)
{
    const char *end = line + strcspn(line, "\n");
    const char *keyword = fortran ? "do" : "for";
    bool any = false;
    for (const char *s = line; s < end; s += word_length(s) ? word_length(s) : 1) {
        size_t n = word_length(s);
        if (n != strlen(keyword) || strncasecmp(s, keyword, n) != 0)
            continue;
        const char *open = s + n + strspn(s + n, " \t");
        if (fortran ? !read_fortran(open, end, k, text) : *open != '(' || !read_head(open, k, text))
            return false;
        any = true;
    }
    return any;
}

/* The line of a loop in its source. */
static bool read_loop(const struct request *q, const struct counted *loop, struct known *k)
{
    const char *path = loop->file;
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (path[0] != '/')
        path = arena_printf(k->arena, "%s/%s", q->counts.here, path);
    if (source_read(path, most_bytes, &text, &size))
        return false;
    return read_line(regions_line(text, loop->line), k, text, source_is_fortran(path));
}

bool heads_say(const struct request *q, const struct counted *const *loops, size_t n)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct known k = {.arena = a};
    while (n > 0 && read_loop(q, loops[n - 1], &k))
        n--;
    return n == 0;
}

bool heads_count(const struct request *q, const struct counted *loop)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct known k = {.arena = a, .any = true};
    return loop->one_exit && read_loop(q, loop, &k);
}
