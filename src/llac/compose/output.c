/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text and JSON of predictions of definitions. */
#include "llac/compose/output.h"

#include <math.h>
#include <string.h>

#include "llac/json.h"
#include "llac/predict/output.h"
#include "llac/text.h"
#include "base/number.h"

/* "fft: N is 4 times beyond the data"; *n gets their number. */
static char **remarks_of(struct arena *a, const struct composition *c, const struct composed *at,
                         size_t *n)
{
    char **list = NULL;
    size_t room = 0;
    *n = 0;
    for (size_t b = 0; b < c->nblocks; b++) {
        size_t count;
        char **own = predict_place_remarks(a, &at->parts[b].at, &count);
        for (size_t i = 0; i < count; i++)
            ARENA_ADD(a, list, *n, &room, arena_printf(a, "%s: %s", c->blocks[b].name, own[i]));
    }
    return list;
}

void text_composed_remarks(FILE *out, const struct composition *c, const struct composed *at)
{
    ARENA_LOCAL struct arena *a = arena_create();
    size_t n;
    char **remarks = remarks_of(a, c, at, &n);
    for (size_t i = 0; i < n; i++)
        text_wrapped(out, "    ", "%s", remarks[i]);
}

void text_composed(FILE *out, const struct composition *c, const struct composed *at)
{
    char range[RANGE_SIZE];
    fprintf(out, "  %s%s", number_digits(at->value, 4, NUMBER_BUFFER), at->is_time ? " s" : "");
    if (!isnan(at->low))
        fprintf(out, "   typical %s   95 %%\n", text_of_range(at->low, at->high, 4, range));
    else if (at->unknown)
        fprintf(out, "   no interval: the noise of %s is unknown\n", at->unknown);
    else
        fputc('\n', out);
    text_composed_remarks(out, c, at);
}

void text_composed_row(FILE *out, const struct composition *c, const struct composed *at,
                       bool first)
{
    ARENA_LOCAL struct arena *a = arena_create();
    char number[NUMBER_SIZE], range[RANGE_SIZE] = "unknown";
    size_t n;
    char **remarks = remarks_of(a, c, at, &n);
    for (size_t i = 0; first && i < at->place.n; i++)
        fprintf(out, " %11s", at->place.names[i]);
    if (first)
        fprintf(out, " %11s   %s\n", "value", "typical 95 %");
    for (size_t i = 0; i < at->place.n; i++)
        fprintf(out, " %11s", number_text(at->place.values[i], number));
    if (!isnan(at->low))
        text_of_range(at->low, at->high, 4, range);
    fprintf(out, " %11s   %*s", number_digits(at->value, 4, number), n ? -24 : 0, range);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i ? ", " : "   ", remarks[i]);
    fputc('\n', out);
}

void text_parts(FILE *out, const struct composition *c, const struct composed *at)
{
    double rest = at->value;
    int width = 10;
    for (size_t b = 0; b < c->nblocks; b++)
        if ((int)strlen(c->blocks[b].name) > width)
            width = (int)strlen(c->blocks[b].name);
    fprintf(out, "  %-*s %12s %9s   %s\n", width, "", "contributes", "share", "\302\261 95 %");
    for (size_t b = 0; b < c->nblocks; b++) {
        const struct compose_part *p = &at->parts[b];
        rest -= p->share;
        fprintf(out, "  %-*s %12s %7s %%   %s\n", width, c->blocks[b].name,
                number_digits(p->share, 4, NUMBER_BUFFER),
                number_decimals(at->value != 0 ? 100 * p->share / at->value : 0, 1, NUMBER_BUFFER),
                number_digits(noise_student_t(1e9) * sqrt(p->variance), 2, NUMBER_BUFFER));
    }
    if (fabs(rest) > COMPOSE_SAME_PLACE * fabs(at->value))
        fprintf(out, "  %-*s %12s %7s %%\n", width, "the rest",
                number_digits(rest, 4, NUMBER_BUFFER),
                number_decimals(at->value != 0 ? 100 * rest / at->value : 0, 1, NUMBER_BUFFER));
    fprintf(out, "  %-*s %12s\n", width, "together", number_digits(at->value, 4, NUMBER_BUFFER));
}

void json_composed_into(json_t *j, const struct composition *c, const struct composed *at)
{
    ARENA_LOCAL struct arena *a = arena_create();
    json_t *parts = json_array();
    size_t n;
    char **list = remarks_of(a, c, at, &n);
    for (size_t b = 0; b < c->nblocks; b++)
        json_add(parts, "{experiment:%s share:%g standard_error:%g}", c->blocks[b].name,
                 at->parts[b].share, sqrt(at->parts[b].variance));
    json_put(j, "low:%g high:%g standard_error:%g unit:%s remarks:%p parts:%p", at->low, at->high,
             at->standard_error, at->is_time ? "s" : "", json_texts((const char *const *)list, n),
             parts);
}

json_t *json_composed(const struct composition *c, const struct compose_definition *d,
                      const struct composed *at)
{
    json_t *j =
        json_make("{definition:%s at:%p value:%g}", d->name, json_place(at->place), at->value);
    json_composed_into(j, c, at);
    return j;
}
