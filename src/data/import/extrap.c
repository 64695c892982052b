/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extra-P's text, line by line:
 *
 *     file      = { comment | blank | PARAMETER name... | POINTS point... | METRIC name
 *                 | REGION path | DATA number... }
 *     point     = number                           when there is one parameter
 *               | "(" coordinate... ")"            one coordinate per parameter
 *     coordinate = number | "(" number ")"
 *
 * The n-th DATA line after a REGION or METRIC line belongs to the n-th point, and there must be as
 * many as points. Extra-P's JSON is read in extrap_json.c, its TaLPas format in json_lines.c.
 */
#include <math.h>
#include <string.h>

#include "data/import/build.h"
#include "base/interrupt.h"
#include "base/text.h"

struct extrap {
    struct import *in;
    const char **parameters;
    size_t nparameters;
    double *points; /* nparameters each */
    size_t npoints, capacity;
    const char *metric, *path;
    struct import_region *region; /* of path; NULL until its first DATA */
    size_t observable;            /* of metric in region */
    double scale;
    size_t next_point;
    struct span opened; /* the line that DATA lines follow */
};

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next word of [*at, end); an empty span at the end. */
static struct span next_word(const char *s, size_t *at, size_t end)
{
    while (*at < end && blank(s[*at]))
        ++*at;
    struct span w = {*at, *at};
    while (w.end < end && !blank(s[w.end]))
        w.end++;
    *at = w.end;
    return w;
}

static struct span trim(const char *s, struct span w)
{
    while (w.begin < w.end && blank(s[w.begin]))
        w.begin++;
    while (w.end > w.begin && blank(s[w.end - 1]))
        w.end--;
    return w;
}

static char *word_text(struct import *in, struct span w)
{
    return arena_strndup(in->scratch, in->text + w.begin, w.end - w.begin);
}

static int word_number(struct import *in, struct span w, double *x)
{
    if (!import_number(in->text + w.begin, in->text + w.end, x))
        return import_error(in, w, "'%.40s' is not a number", word_text(in, w));
    if (!isfinite(*x))
        return import_error(in, w, "'%.40s' is not a finite number", word_text(in, w));
    return 0;
}

static int read_parameters(struct extrap *x, struct span line)
{
    struct import *in = x->in;
    if (x->npoints)
        return import_error(in, line, "PARAMETER must come before POINTS");
    for (size_t at = line.begin;;) {
        struct span w = next_word(in->text, &at, line.end);
        if (w.begin == w.end)
            return 0;
        if (x->nparameters >= IMPORT_MAX_COLUMNS)
            return import_error(in, w, "more than %d parameters", IMPORT_MAX_COLUMNS);
        const char *name = word_text(in, w);
        if (text_is_in(x->parameters, x->nparameters, name))
            return import_error(in, w, "the parameter '%.60s' is named twice", name);
        x->parameters[x->nparameters++] = name;
    }
}

static double *new_point(struct extrap *x)
{
    x->points =
        mem_grow(x->points, &x->capacity, x->npoints + 1, x->nparameters * sizeof *x->points);
    return x->points + x->nparameters * x->npoints++;
}

/* point = "(" coordinate... ")"; *at is after the parenthesis. */
static int read_point(struct extrap *x, size_t *at, size_t end, size_t begin)
{
    struct import *in = x->in;
    const char *s = in->text;
    double *point = new_point(x);
    size_t n = 0;
    for (;;) {
        while (*at < end && blank(s[*at]))
            ++*at;
        if (*at < end && s[*at] == ')')
            break;
        bool nested = *at < end && s[*at] == '(';
        *at += nested;
        struct span w = {*at, *at};
        while (w.end < end && s[w.end] != ')' && s[w.end] != '(' && (nested || !blank(s[w.end])))
            w.end++;
        w = trim(s, w);
        if (w.begin == w.end)
            return import_error(in, (struct span){begin, *at}, "this point is not closed with ')'");
        if (n == x->nparameters)
            return import_error(in, w, "the point has more coordinates than the %zu parameter%s", n,
                                n == 1 ? "" : "s");
        if (word_number(in, w, &point[n++]))
            return -1;
        for (*at = w.end; nested && *at < end && blank(s[*at]);)
            ++*at;
        if (nested && (*at >= end || s[(*at)++] != ')'))
            return import_error(in, w, "the ')' after this coordinate is missing");
    }
    ++*at;
    if (n < x->nparameters)
        return import_error(in, (struct span){begin, *at}, "the point has %zu of %zu coordinates",
                            n, x->nparameters);
    return 0;
}

static int read_points(struct extrap *x, struct span line)
{
    struct import *in = x->in;
    if (x->nparameters == 0)
        return import_error(in, line, "POINTS before any PARAMETER: what are its coordinates?");
    for (size_t at = line.begin;;) {
        while (at < line.end && blank(in->text[at]))
            at++;
        if (at >= line.end)
            return 0;
        if (x->npoints > IMPORT_MAX_CELLS / x->nparameters)
            return import_error(in, line, "too many points: split the file");
        if (in->text[at] == '(') {
            size_t begin = at++;
            if (read_point(x, &at, line.end, begin))
                return -1;
            continue;
        }
        struct span w = next_word(in->text, &at, line.end);
        if (x->nparameters != 1)
            return import_error(in, w, "a point of %zu parameters is written (a b ...)",
                                x->nparameters);
        double value;
        if (word_number(in, w, &value))
            return -1;
        *new_point(x) = value;
    }
}

/* All points of the region and metric before must have had their data. */
static int close_data(struct extrap *x)
{
    if (x->next_point == 0 || x->next_point == x->npoints) {
        x->next_point = 0;
        return 0;
    }
    return import_error(x->in, x->opened, "%zu DATA lines follow this one for %zu POINTS",
                        x->next_point, x->npoints);
}

/* METRIC and REGION. */
static int read_name(struct extrap *x, struct span keyword, struct span line, const char **name)
{
    struct span w = trim(x->in->text, line);
    if (close_data(x))
        return -1;
    if (w.begin == w.end)
        return import_error(x->in, keyword, "a name is missing here");
    if (w.end - w.begin > IMPORT_MAX_NAME)
        return import_error(x->in, w, "a name longer than %d bytes", IMPORT_MAX_NAME);
    *name = word_text(x->in, w);
    x->region = NULL;
    x->opened = (struct span){keyword.begin, w.end};
    return 0;
}

static int open_region(struct extrap *x, struct span where)
{
    struct import *in = x->in;
    x->region = import_region(in, x->path ? x->path : import_base_name(in), NULL, where);
    if (!x->region)
        return -1;
    if (!x->region->has_parameters &&
        import_set_parameters(in, x->region, x->parameters, x->nparameters, where))
        return -1;
    return import_metric(in, x->region, x->metric, where, &x->observable, &x->scale);
}

static int read_data(struct extrap *x, struct span keyword, struct span line)
{
    struct import *in = x->in;
    if (x->npoints == 0)
        return import_error(in, keyword, "DATA before any POINTS: where was it measured?");
    if (x->next_point == x->npoints)
        return import_error(in, keyword, "more DATA lines than POINTS (there are %zu)", x->npoints);
    if (!x->region && open_region(x, keyword))
        return -1;
    size_t n = 0;
    for (size_t at = line.begin;; n++) {
        struct span w = next_word(in->text, &at, line.end);
        double value;
        if (w.begin == w.end)
            break;
        if (word_number(in, w, &value) ||
            import_add(in, x->region, x->points + x->nparameters * x->next_point, x->observable,
                       value * x->scale, w))
            return -1;
    }
    if (n == 0)
        return import_error(in, keyword, "DATA without a number");
    if (x->next_point++ == 0 && x->opened.end == 0)
        x->opened = keyword;
    return 0;
}

static int read_line(struct extrap *x, struct span line)
{
    static const char *const keywords[] = {"PARAMETER", "POINTS", "METRIC", "REGION", "DATA"};
    struct import *in = x->in;
    size_t at = line.begin, k = 0;
    struct span word = next_word(in->text, &at, line.end), rest = {at, line.end};
    if (word.begin == word.end || in->text[word.begin] == '#')
        return 0;
    const char *text = word_text(in, word);
    while (k < 5 && strcmp(text, keywords[k]) != 0)
        k++;
    switch (k) {
    case 0: return read_parameters(x, rest);
    case 1: return read_points(x, rest);
    case 2: return read_name(x, word, rest, &x->metric);
    case 3: return read_name(x, word, rest, &x->path);
    case 4: return read_data(x, word, rest);
    default:
        return import_error(
            in, word, "'%.40s' is not PARAMETER, POINTS, METRIC, REGION, DATA or a comment (#)",
            text);
    }
}

int import_read_extrap_text(struct import *in)
{
    struct extrap x = {.in = in, .metric = ""};
    x.parameters = arena_alloc(in->scratch, IMPORT_MAX_COLUMNS, sizeof *x.parameters);
    int status = 0;
    size_t at = in->begin;
    for (size_t n = 0; at < in->size && status == 0; n++) {
        const char *newline = memchr(in->text + at, '\n', in->size - at);
        size_t end = newline ? (size_t)(newline - in->text) : in->size;
        status = read_line(&x, (struct span){at, end});
        at = end + 1;
        if ((n & 0xffff) == 0 && interrupt_came())
            break;
    }
    if (status == 0)
        status = close_data(&x);
    mem_free(x.points);
    return status;
}
