/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report as Markdown, for pull requests: what a reviewer reads first, long tables folded. Texts from data are
 * escaped, so that none of them becomes markup, HTML, a link or a mention.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"
#include "llac/report/report.h"

enum { MOST_ROWS = 60 }; /* of a table of points */

static const char *text_of(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *x = json_object_get(object, key);
    return json_is_number(x) ? json_number_value(x) : NAN;
}

/* Text that stays text, also in a cell of a table. */
static void put(FILE *out, const char *s)
{
    struct text t;
    text_init(&t);
    text_add_printable(&t, s, strlen(s));
    for (s = t.s; *s; s++) {
        if (strchr("<>&|@:", *s))
            fprintf(out, "&#%d;", *s);
        else
            fprintf(out, strchr("\\`*_[]~$#!(){}+-", *s) ? "\\%c" : "%c", *s);
    }
    text_free(&t);
}

static void put_number(FILE *out, double x)
{
    fputs(isfinite(x) ? number_digits(x, 4, NUMBER_BUFFER) : "", out);
}

static void put_percent(FILE *out, double x)
{
    if (isfinite(x))
        fprintf(out, "%s %%",
                x >= 99.5 ? number_decimals(x, 0, NUMBER_BUFFER)
                          : number_digits(x, 2, NUMBER_BUFFER));
}

/* 12.34 µs */
static void put_value(FILE *out, double x, const char *unit)
{
    static const char *const units[] = {"s", "ms", "µs", "ns"};
    if (strcmp(unit, "s") != 0 || !isfinite(x)) {
        put_number(out, x);
        return;
    }
    size_t k = 0;
    while (k < 3 && fabs(x) > 0 && fabs(x) < 0.9995) {
        x *= 1000;
        k++;
    }
    fprintf(out, "%s %s", number_digits(x, 4, NUMBER_BUFFER), units[k]);
}

/* The names of a model: experiment, observable, data set. */
static void put_name(FILE *out, const json_t *model)
{
    put(out, text_of(model, "experiment"));
    if (strcmp(text_of(model, "observable"), "CLOCK") != 0) {
        fputs(" ", out);
        put(out, text_of(model, "observable"));
    }
    if (*text_of(model, "set")) {
        fputs(" (", out);
        put(out, text_of(model, "set"));
        fputs(")", out);
    }
}

static void put_summary(FILE *out, const json_t *models)
{
    fputs(
        "| experiment | points | mean error | largest error | warnings |\n|---|--:|--:|--:|--:|\n",
        out);
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *m = json_array_get(models, i), *error = json_object_get(m, "error");
        fputs("| ", out);
        put_name(out, m);
        fprintf(out, " | %.0f | ", number_of(m, "points_fitted"));
        put_percent(out, number_of(error, "mean_pct"));
        fputs(" | ", out);
        put_percent(out, number_of(error, "max_pct"));
        fprintf(out, " | %zu |\n", json_array_size(json_object_get(m, "warnings")));
    }
    fputc('\n', out);
}

/* The formula as mathematics, unless a name in it could end the block. */
static void put_formula(FILE *out, const json_t *model)
{
    const char *latex = text_of(model, "latex");
    if (latex[strcspn(latex, "`\n\r")] == 0)
        fprintf(out, "```math\n%s\n```\n\n", latex);
    else {
        put(out, text_of(model, "formula"));
        fputs("\n\n", out);
    }
}

static void put_piece(FILE *out, const json_t *constant, const json_t *piece, bool first)
{
    const json_t *where = json_object_get(piece, "where");
    double value = number_of(piece, "value"),
           half = (number_of(piece, "high") - number_of(piece, "low")) / 2;
    fputs("| ", out);
    if (first)
        put(out, text_of(constant, "name"));
    fputs(" | ", out);
    if (first)
        put(out, text_of(constant, "term_text"));
    fputs(" | ", out);
    put_number(out, value);
    fputs(" | ", out);
    put_number(out, number_of(piece, "low"));
    fputs(" ... ", out);
    put_number(out, number_of(piece, "high"));
    fputs(" | ", out);
    if (value != 0)
        put_percent(out, 100 * half / fabs(value));
    fputs(" | ", out);
    for (size_t k = 0; k < json_array_size(where); k++) {
        fputs(k ? "; " : "", out);
        put(out, json_string_value(json_array_get(where, k)));
    }
    fputs(json_array_size(where) ? " |\n" : "all |\n", out);
}

static void put_constants(FILE *out, const json_t *model)
{
    const json_t *constants = json_object_get(model, "constants");
    fprintf(out,
            "| constant | term | value%s | 95 %% | ± | holds for |\n|---|---|--:|--:|--:|---|\n",
            strcmp(text_of(model, "unit"), "s") == 0 ? " (s)" : "");
    for (size_t i = 0; i < json_array_size(constants); i++) {
        const json_t *c = json_array_get(constants, i), *pieces = json_object_get(c, "pieces");
        for (size_t k = 0; k < json_array_size(pieces); k++)
            put_piece(out, c, json_array_get(pieces, k), k == 0);
        if (json_array_size(pieces) == 0) {
            fputs("| ", out);
            put(out, text_of(c, "name"));
            fputs(" | ", out);
            put(out, text_of(c, "term_text"));
            fputs(" | | | | the data do not determine it |\n", out);
        }
    }
    fputc('\n', out);
}

static void put_warnings(FILE *out, const json_t *model)
{
    const json_t *warnings = json_object_get(model, "warnings");
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const json_t *w = json_array_get(warnings, i);
        fputs("- **warning:** ", out);
        put(out, text_of(w, "text"));
        if (*text_of(w, "advice")) {
            fputs("\n  What to do: ", out);
            put(out, text_of(w, "advice"));
        }
        fputc('\n', out);
    }
    if (json_array_size(warnings))
        fputc('\n', out);
}

/* The next number of a column. */
static double next_number(const char **column)
{
    char *after;
    double x = strtod(*column, &after);
    *column = after;
    return x;
}

static void put_points(FILE *out, const json_t *model)
{
    const json_t *points = json_object_get(model, "points"),
                 *columns = json_object_get(points, "columns");
    enum { MOST_COLUMNS = 16 };
    const char *at[MOST_COLUMNS], *measured = text_of(points, "measured"),
                                  *predicted = text_of(points, "predicted"),
                                  *unit = text_of(model, "unit");
    size_t n = 0, rows = 1;
    for (const char *s = measured; *s; s++)
        rows += *s == ' ';
    fprintf(out, "<details><summary>%zu points</summary>\n\n|", rows);
    for (size_t i = 0; i < json_array_size(columns) && n < MOST_COLUMNS; i++) {
        const json_t *c = json_array_get(columns, i);
        if (!json_is_true(json_object_get(c, "shown")))
            continue;
        fputc(' ', out);
        put(out, text_of(c, "name"));
        fputs(" |", out);
        at[n++] = text_of(c, "values");
    }
    fputs(" measured | predicted | error |\n|", out);
    for (size_t i = 0; i < n + 3; i++)
        fputs("--:|", out);
    fputc('\n', out);
    for (size_t r = 0; r < rows && r < MOST_ROWS; r++) {
        fputc('|', out);
        for (size_t i = 0; i < n; i++)
            fprintf(out, " %s |", number_digits(next_number(&at[i]), 12, NUMBER_BUFFER));
        double m = next_number(&measured), p = next_number(&predicted);
        fputc(' ', out);
        put_value(out, m, unit);
        fputs(" | ", out);
        put_value(out, p, unit);
        if (m != 0)
            fprintf(out, " | %s %% |\n", number_decimals(100 * (m - p) / m, 1, NUMBER_BUFFER));
        else
            fputs(" | |\n", out);
    }
    if (rows > MOST_ROWS)
        fprintf(out, "\nThe first %d of %zu points.\n", MOST_ROWS, rows);
    fputs("\n</details>\n\n", out);
}

/* ---- versions and parts side by side */

static bool same_group(const json_t *x, const json_t *y)
{
    return *text_of(x, "base") && strcmp(text_of(x, "base"), text_of(y, "base")) == 0 &&
           strcmp(text_of(x, "set"), text_of(y, "set")) == 0 &&
           strcmp(text_of(x, "observable"), text_of(y, "observable")) == 0;
}

/* The only value of a constant; nan if it has several, or none. */
static double only_value(const json_t *model, size_t constant)
{
    const json_t *c = json_array_get(json_object_get(model, "constants"), constant),
                 *pieces = json_object_get(c, "pieces");
    return json_array_size(pieces) == 1 ? number_of(json_array_get(pieces, 0), "value") : NAN;
}

/* The constants of all versions of the experiment of model `first`, with ratios to it. */
static void put_group(FILE *out, const json_t *models, size_t first)
{
    const json_t *one = json_array_get(models, first),
                 *constants = json_object_get(one, "constants");
    size_t n = 0;
    fputs("### ", out);
    put(out, text_of(one, "base"));
    fputs(" side by side\n\n| constant |", out);
    for (size_t i = first; i < json_array_size(models); i++)
        if (same_group(one, json_array_get(models, i))) {
            fputc(' ', out);
            put(out, text_of(json_array_get(models, i), "label"));
            fputs(" |", out);
            n++;
        }
    fputs("\n|---|", out);
    for (size_t i = 0; i < n; i++)
        fputs("--:|", out);
    fputc('\n', out);
    for (size_t k = 0; k < json_array_size(constants); k++) {
        fputs("| ", out);
        put(out, text_of(json_array_get(constants, k), "name"));
        for (size_t i = first; i < json_array_size(models); i++) {
            const json_t *m = json_array_get(models, i);
            double value = only_value(m, k), ratio = value / only_value(one, k);
            if (!same_group(one, m))
                continue;
            fputs(isnan(value) ? " | see below" : " | ", out);
            put_number(out, value);
            if (i > first && isfinite(ratio) && ratio > 0)
                fprintf(out, " (× %s)", number_digits(ratio, 3, NUMBER_BUFFER));
        }
        fputs(" |\n", out);
    }
    fputc('\n', out);
}

static void put_groups(FILE *out, const json_t *models)
{
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *m = json_array_get(models, i);
        bool known = false, several = false;
        for (size_t k = 0; k < json_array_size(models); k++) {
            bool same = k != i && same_group(m, json_array_get(models, k));
            known = known || (same && k < i);
            several = several || same;
        }
        if (several && !known)
            put_group(out, models, i);
    }
}

/* ---- where the time goes at a place */

static void put_ranking(FILE *out, const json_t *ranking)
{
    const json_t *regions = json_object_get(ranking, "regions"),
                 *sentences = json_object_get(ranking, "sentences");
    if (!json_is_object(ranking))
        return;
    fputs("### Where the time goes at ", out);
    put(out, text_of(ranking, "place"));
    fputs("\n\n| region | predicted | share | 95 % | growth | executions | largest term "
          "|\n|---|--:|--:|--:|--:|--:|---|\n",
          out);
    for (size_t i = 0; i < json_array_size(regions); i++) {
        const json_t *q = json_array_get(regions, i);
        fputs("| ", out);
        put(out, text_of(q, "experiment"));
        fputs(" | ", out);
        put_value(out, number_of(q, "value"), "s");
        fputs(" | ", out);
        put_percent(out, 100 * number_of(q, "share"));
        fputs(" | ", out);
        put_value(out, number_of(q, "low"), "s");
        fputs(" ... ", out);
        put_value(out, number_of(q, "high"), "s");
        fputs(" | ", out);
        put_number(out, number_of(q, "growth"));
        fputs(" | ", out);
        put_number(out, number_of(q, "executions"));
        fputs(" | ", out);
        put(out, text_of(q, "term"));
        fputs(" |\n", out);
    }
    fputc('\n', out);
    for (size_t i = 0; i < json_array_size(sentences); i++) {
        fputs("- ", out);
        put(out, json_string_value(json_array_get(sentences, i)));
        fputc('\n', out);
    }
    fputs(json_array_size(sentences) ? "\n" : "", out);
}

/* ---- models */

static void put_model(FILE *out, const json_t *model)
{
    const json_t *error = json_object_get(model, "error");
    fputs("### ", out);
    put_name(out, model);
    fputs("\n\n", out);
    put_formula(out, model);
    if (json_is_true(json_object_get(model, "searched")))
        fputs("A search found this formula in the data.\n\n", out);
    fprintf(out, "%.0f points, %.0f samples, ", number_of(model, "points_fitted"),
            number_of(model, "samples"));
    put(out, text_of(model, "statistic_text"));
    fputs(" of each. Error: mean ", out);
    put_percent(out, number_of(error, "mean_pct"));
    fputs(", largest ", out);
    put_percent(out, number_of(error, "max_pct"));
    if (isfinite(number_of(error, "loo_mean_pct"))) {
        fputs(", of points left out in turn ", out);
        put_percent(out, number_of(error, "loo_mean_pct"));
    }
    fputs(".\n\n", out);
    put_constants(out, model);
    put_warnings(out, model);
    put_points(out, model);
}

static void put_provenance(FILE *out, const json_t *report)
{
    static const char *const keys[] = {"host", "cpu", "compiler", "flags", "date"};
    const json_t *files = json_object_get(report, "files");
    fputs("<details><summary>Where the data come from</summary>\n\n| file |", out);
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        fprintf(out, " %s |", keys[k]);
    fputs("\n|---|---|---|---|---|---|\n", out);
    for (size_t i = 0; i < json_array_size(files) && i < MOST_ROWS; i++) {
        const json_t *f = json_array_get(files, i);
        fputs("| ", out);
        put(out, text_of(f, "path"));
        for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
            fputs(" | ", out);
            put(out, text_of(f, keys[k]));
        }
        fputs(" |\n", out);
    }
    if (json_array_size(files) > MOST_ROWS)
        fprintf(out, "\nThe first %d of %zu files.\n", MOST_ROWS, json_array_size(files));
    fputs("\n</details>\n\n", out);
}

void report_write_markdown(FILE *out, const json_t *report)
{
    const json_t *models = json_object_get(report, "models"),
                 *failures = json_object_get(report, "failures");
    fputs("## ", out);
    put(out, text_of(report, "title"));
    fputs("\n\n", out);
    put_summary(out, models);
    put_ranking(out, json_object_get(report, "ranking"));
    put_groups(out, models);
    for (size_t i = 0; i < json_array_size(models); i++)
        put_model(out, json_array_get(models, i));
    for (size_t i = 0; i < json_array_size(failures); i++) {
        const json_t *f = json_array_get(failures, i);
        fputs("- not fitted: **", out);
        put(out, text_of(f, "experiment"));
        fputs("**: ", out);
        put(out, text_of(f, "reason"));
        fputs(i + 1 < json_array_size(failures) ? "\n" : "\n\n", out);
    }
    put_provenance(out, report);
    fprintf(out, "llac %s, %s: ", text_of(report, "version"), text_of(report, "date"));
    put(out, text_of(report, "command"));
    fputc('\n', out);
}
