/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables as JSON, and tables of the points of other files, whose rows have intervals. */
#include <math.h>
#include <string.h>

#include "llac/fit/output.h"
#include "llac/json.h"
#include "llac/predict/table.h"
#include "llac/text.h"
#include "base/number.h"

/* 1: inside its interval, 0: outside, -1: it has none. */
static int table_inside(const struct table_row *row)
{
    if (isnan(row->held.low) || isnan(row->held.high))
        return -1;
    return row->measured >= row->held.low && row->measured <= row->held.high;
}

/* error % = 100 (measured - predicted) / measured; nan where nothing was measured */
static double error_of(const struct table_row *row)
{
    return row->measured != 0 ? 100 * (row->measured - row->predicted) / row->measured : NAN;
}

/* Of the rows of this file; NULL = of all. */
static struct table_summary table_summarise(const struct table *t, const char *file)
{
    struct table_summary s = {.mean_pct = 0};
    size_t counted = 0;
    for (size_t i = 0; i < t->nrows; i++) {
        const struct table_row *row = &t->rows[i];
        double error = fabs(error_of(row));
        if (file && row->file != file)
            continue;
        s.points++;
        s.known += table_inside(row) >= 0;
        s.inside += table_inside(row) == 1;
        s.unpredicted += row->why != NULL;
        if (isnan(error) || row->left_out)
            continue;
        s.mean_pct += error;
        s.max_pct = fmax(s.max_pct, error);
        counted++;
    }
    s.mean_pct = counted ? s.mean_pct / (double)counted : NAN;
    s.max_pct = counted ? s.max_pct : NAN;
    return s;
}

/* ---- text */

/* The kind of interval that the head of the column names: rows with another one say so. */
static enum point_kind kind_of(const struct table *t)
{
    enum point_kind found = POINT_TYPICAL;
    for (size_t i = t->nrows; i-- > 0;) {
        const struct table_row *row = &t->rows[i];
        if (table_inside(row) >= 0 && row->held.kind == POINT_TYPICAL)
            return POINT_TYPICAL;
        found = table_inside(row) >= 0 ? row->held.kind : found;
    }
    return found;
}

static void against_row(FILE *out, const struct table *t, const struct table_row *row,
                        enum point_kind kind)
{
    char number[NUMBER_SIZE], range[RANGE_SIZE];
    static const char *const words[] = {"-", "no", "yes"};
    double error = error_of(row);
    for (size_t v = 0; v < t->ncolumns; v++)
        fprintf(out, " %11s", number_text(row->at[v], number));
    fprintf(out, " %11s", number_digits(row->measured, 5, number));
    fprintf(out, " %11s", row->why ? "-" : number_digits(row->predicted, 5, number));
    fprintf(out, "   %-24s",
            row->why                ? "not predicted"
            : table_inside(row) < 0 ? "unknown"
                                    : text_of_range(row->held.low, row->held.high, 4, range));
    fprintf(out, " %8s", isnan(error) ? "-" : number_decimals(error, 2, number));
    fprintf(out, "  %s", words[table_inside(row) + 1]);
    if (t->nintervals > 1 && !row->why)
        fprintf(out, "%*zu", 15 - (int)strlen(words[table_inside(row) + 1]), row->interval);
    if (row->held.kind != kind && table_inside(row) >= 0)
        fprintf(out, "   %s", point_kind_words[row->held.kind]);
    fputc('\n', out);
}

/* The places of all rows from this one on that have its reason; of many the first ones. */
static const char *places_of(struct arena *a, const struct table *t, size_t first)
{
    enum { MOST = 3 };
    const char *text = "";
    size_t n = 0;
    for (size_t i = first; i < t->nrows; i++) {
        const struct table_row *row = &t->rows[i];
        if (!row->why || strcmp(row->why, t->rows[first].why) != 0 || n++ >= MOST)
            continue;
        text = arena_printf(a, "%s%s%s%s%s", text, *text ? ", " : "",
                            text_place(a, (struct place){t->columns, row->at, t->ncolumns}),
                            t->nfiles > 1 ? " of " : "", t->nfiles > 1 ? row->file : "");
    }
    return n > MOST ? arena_printf(a, "%s and %zu further points", text, n - MOST) : text;
}

/* Which rows have no prediction, and why: each reason once. */
static void text_unpredicted(FILE *out, const struct table *t)
{
    enum { MOST = 8 };
    ARENA_LOCAL struct arena *a = arena_create();
    size_t n = 0;
    for (size_t i = 0; i < t->nrows; i++) {
        bool said = !t->rows[i].why;
        for (size_t k = 0; k < i && !said; k++)
            said = t->rows[k].why && strcmp(t->rows[k].why, t->rows[i].why) == 0;
        if (!said && n++ < MOST)
            text_wrapped(out, "  ", "not predicted: %s: %s", places_of(a, t, i), t->rows[i].why);
    }
    if (n > MOST)
        fprintf(out, "  not predicted: others, for %zu further reasons\n", n - MOST);
}

/* "12 of 14 points inside their interval; error: mean 1.4 %, max 3.2 %" */
static void against_summary(FILE *out, const char *first, const struct table_summary *s)
{
    char mean[NUMBER_SIZE], most[NUMBER_SIZE];
    fprintf(out, "  %s", first);
    if (s->known)
        fprintf(out, "%zu of %zu points inside their interval", s->inside, s->known);
    else
        fprintf(out, "%zu points, without intervals", s->points - s->unpredicted);
    if (s->unpredicted)
        fprintf(out, ", %zu not predicted", s->unpredicted);
    if (!isnan(s->mean_pct))
        fprintf(out, "; error: mean %s %%, max %s %%", number_digits(s->mean_pct, 2, mean),
                number_digits(s->max_pct, 2, most));
    fputc('\n', out);
}

/* Number, then what it means: "interval 2: N in (37787, 1000000]". */
static void put_table_intervals(FILE *out, const struct table *t)
{
    for (size_t i = 0; i < t->nintervals; i++) {
        fprintf(out, "  interval %zu: ", i + 1);
        text_bounds(out, &t->intervals[i]);
    }
}

void text_table_against(FILE *out, const struct table *t)
{
    const char *file = NULL;
    enum point_kind kind = kind_of(t);
    for (size_t v = 0; v < t->ncolumns; v++)
        text_heading(out, " %11s", t->columns[v]);
    text_heading(out, " %11s %11s   %s %-*s %8s  inside%s\n", "measured", "predicted",
                 point_kind_words[kind], 23 - (int)strlen(point_kind_words[kind]), "95 %",
                 "error %", t->nintervals > 1 ? " interval" : "");
    for (size_t i = 0; i < t->nrows; i++) {
        if (t->nfiles > 1 && t->rows[i].file != file)
            fprintf(out, "  %s\n", t->rows[i].file);
        file = t->rows[i].file;
        against_row(out, t, &t->rows[i], kind);
    }
    if (t->nintervals > 1)
        put_table_intervals(out, t);
    text_unpredicted(out, t);
    file = NULL;
    for (size_t i = 0; i < t->nrows && t->nfiles > 1; i++) {
        if (t->rows[i].file == file)
            continue;
        file = t->rows[i].file;
        ARENA_LOCAL struct arena *a = arena_create();
        struct table_summary one = table_summarise(t, file);
        against_summary(out, arena_printf(a, "%s: ", file), &one);
    }
    struct table_summary all = table_summarise(t, NULL);
    against_summary(out, t->nfiles > 1 ? "all: " : "", &all);
}

/* ---- JSON */

static json_t *json_row(const struct table *t, const struct table_row *row)
{
    struct place at = {t->columns, row->at, t->ncolumns};
    json_t *j = json_make("{at:%p measured:%g predicted:%g error_pct:%g interval:%zu left_out:%i}",
                          json_place(at), row->measured, row->predicted, error_of(row),
                          row->interval, row->left_out);
    if (!t->against)
        return j;
    int inside = table_inside(row);
    json_put(j, "low:%g high:%g kind:%s inside:%p file:%s reason:%s", row->held.low, row->held.high,
             inside < 0 ? NULL : point_kind_words[row->held.kind],
             inside < 0 ? NULL : json_boolean(inside), row->file, row->why);
    return j;
}

json_t *json_table(const struct table *t)
{
    json_t *rows = json_array(), *intervals = json_array();
    for (size_t i = 0; i < t->nrows; i++)
        json_array_append_new(rows, json_row(t, &t->rows[i]));
    for (size_t i = 0; i < t->nintervals; i++)
        json_add(intervals, "{interval:%zu where:%p}", i + 1, json_where(&t->intervals[i]));
    json_t *j = json_make("{experiment:%s rows:%p intervals:%p observable?:%s statistic?:%s}",
                          t->experiment, rows, intervals, t->observable, t->statistic);
    if (t->against) {
        struct table_summary s = table_summarise(t, NULL);
        json_put(j,
                 "summary:{points:%zu with_interval:%zu inside:%zu mean_pct:%g "
                 "max_pct:%g not_predicted:%zu}",
                 s.points, s.known, s.inside, s.mean_pct, s.max_pct, s.unpredicted);
    }
    return j;
}

static void text_table_row(FILE *out, const struct table *t, const struct table_row *row,
                           bool several)
{
    char number[NUMBER_SIZE];
    double error = error_of(row);
    for (size_t v = 0; v < t->ncolumns; v++)
        fprintf(out, " %11s", number_text(row->at[v], number));
    fprintf(out, " %13s", number_digits(row->measured, 5, number));
    fprintf(out, " %13s ", number_digits(row->predicted, 5, number));
    fprintf(out, "%10s", isnan(error) ? "-" : number_decimals(error, 2, number));
    if (several)
        fprintf(out, " %9zu", row->interval);
    fputs(row->left_out ? "  left out\n" : "\n", out);
}

void text_table(FILE *out, const struct table *t)
{
    size_t left_out = 0;
    bool several = t->nintervals > 1;
    for (size_t v = 0; v < t->ncolumns; v++)
        text_heading(out, " %11s", t->columns[v]);
    text_heading(out, " %13s %13s %10s%s\n", "measured", "predicted", "error %",
                 several ? "  interval" : "");
    for (size_t i = 0; i < t->nrows; i++) {
        text_table_row(out, t, &t->rows[i], several);
        left_out += t->rows[i].left_out;
    }
    if (several)
        put_table_intervals(out, t);
    if (left_out)
        fprintf(out, "  left out: %zu point%s no part in the fit and the error\n", left_out,
                left_out == 1 ? " takes" : "s take");
    struct table_summary all = table_summarise(t, NULL);
    text_error(out, &(struct fit_error){all.mean_pct, all.max_pct, NAN});
}
