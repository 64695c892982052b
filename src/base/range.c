/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 *     range := part { ',' part }
 *     part  := number [ ':' number [ ':' step ] ]
 *     step  := [ '+' | '-' | '*' ] number
 *
 * A number may be arithmetic: 2^20, 1M, 1024*1024. A plain step multiplies, as does '*'; a signed one adds. Values past the end are not included; the
 * end itself is, up to rounding.
 */
#include "base/range.h"

#include <math.h>
#include <string.h>

#include "base/arithmetic.h"

struct reader {
    struct arena *arena;
    const struct source *source;
    struct diag *diag;
    size_t at, end;
    double *values;
    size_t n, capacity;
};

static int fail(struct reader *r, size_t begin, const char *what)
{
    struct span place = {begin, begin < r->end ? begin + 1 : begin};
    return diag_add(r->diag, SEVERITY_ERROR, r->source, place,
                    "%s; a range is written 1:32:2 (multiplies), 1:8:+1 (adds) or 1,2,12", what);
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n\\", r->source->text[r->at]) && r->source->text[r->at])
        r->at++;
}

static int take(struct reader *r, char c)
{
    skip_blanks(r);
    if (r->at >= r->end || r->source->text[r->at] != c)
        return 0;
    r->at++;
    return 1;
}

/* What is there instead: the text up to the end of this number's place in the range. */
static int not_a_number(struct reader *r, size_t begin)
{
    const char *text = r->source->text;
    size_t end = begin;
    while (end < r->end && end < begin + 40 && text[end] && !strchr(" \t\r\n\\:,", text[end]))
        end++;
    if (end == begin)
        return fail(r, begin, "a number is missing here");
    if (memchr(text + begin, '=', end - begin))
        return fail(r, begin,
                    arena_printf(r->arena,
                                 "'%.*s' is another variable: a blank, not a comma, separates them",
                                 (int)(end - begin), text + begin));
    return fail(r, begin,
                arena_printf(r->arena, "'%.*s' is not a number", (int)(end - begin), text + begin));
}

/* number := arithmetic over numbers (arithmetic.h), such as 2^20 */
static int read_number(struct reader *r, double *x)
{
    const char *fault;
    skip_blanks(r);
    size_t begin = r->at;
    if (!arithmetic_read(r->source->text, &r->at, r->end, x, &fault))
        return 0;
    return fault ? fail(r, r->at, fault) : not_a_number(r, begin);
}

static int add_value(struct reader *r, double x, size_t begin)
{
    if (r->n == RANGE_MAX_VALUES)
        return fail(r, begin, "this range has more than 100000 values");
    ARENA_ADD(r->arena, r->values, r->n, &r->capacity, x);
    return 0;
}

static int add_sum(struct reader *r, double from, double to, double step, size_t begin)
{
    if (step > 0 && from > to)
        return fail(r, begin, "this range starts above its end");
    if (step == 0 || (to - from) / step < 0)
        return fail(r, begin, "this step never reaches the end of the range");
    double slack = fabs(step) * 1e-9;
    for (size_t i = 0;; i++) {
        double x = from + (double)i * step;
        if (step > 0 ? x > to + slack : x < to - slack)
            return 0;
        if (add_value(r, x, begin))
            return -1;
    }
}

static int add_product(struct reader *r, double from, double to, double factor, size_t begin)
{
    bool up = factor > 1;
    if (from <= 0 || to <= 0)
        return fail(r, begin, "a range that multiplies has numbers above 0 only");
    if (up && from > to)
        return fail(r, begin, "this range starts above its end");
    if (factor <= 0 || (factor == 1 && from != to) || (from != to && up != (to > from)))
        return fail(r, begin, "this factor never reaches the end of the range");
    double x = from;
    for (;;) {
        if (up ? x > to * (1 + 1e-9) : x < to * (1 - 1e-9))
            return 0;
        if (add_value(r, x, begin))
            return -1;
        if (from == to)
            return 0;
        x *= factor;
    }
}

static int read_part(struct reader *r)
{
    double from = 0, to = 0, step = 2;
    int additive = 0, negative = 0;
    skip_blanks(r);
    size_t begin = r->at;
    if (read_number(r, &from))
        return -1;
    if (!take(r, ':'))
        return add_value(r, from, begin);
    if (read_number(r, &to))
        return -1;
    if (take(r, ':')) {
        negative = take(r, '-');
        additive = negative || take(r, '+');
        if (!additive)
            take(r, '*');
        if (read_number(r, &step))
            return -1;
        step = negative ? -step : step;
    } else if (to < from) {
        step = 0.5;
    }
    return additive ? add_sum(r, from, to, step, begin) : add_product(r, from, to, step, begin);
}

/* What follows the range: perhaps a letter that arithmetic.h does not know, as in 1m. */
static int left_over(struct reader *r)
{
    const char *at = r->source->text + r->at;
    bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
    if (letter && r->at > 0 && at[-1] >= '0' && at[-1] <= '9')
        return fail(r, r->at,
                    arena_printf(r->arena,
                                 "'%c' is not known after a number: K, M, G and T are 2^10, 2^20, "
                                 "2^30 and 2^40",
                                 *at));
    return fail(r, r->at, "this does not belong to the range");
}

int range_parse(struct arena *a, const struct source *source, struct span where, struct diag *diag,
                struct range *out)
{
    struct reader r = {
        .arena = a, .source = source, .diag = diag, .at = where.begin, .end = where.end};
    do {
        if (read_part(&r))
            return -1;
    } while (take(&r, ','));
    skip_blanks(&r);
    if (r.at < r.end)
        return left_over(&r);
    out->values = r.values;
    out->n = r.n;
    return 0;
}
