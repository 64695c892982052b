/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The output of `check` (see check.h). */
#include "llac/check/output.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "model/thresholds.h"
#include "llac/json.h"
#include "llac/text.h"
#include "base/number.h"

/* "f[1] for N in (1024, 4096]", "N=4096 P=4", "every size" */
static char *row_name(struct arena *a, const struct check_row *row)
{
    if (row->constant)
        return *row->where ? arena_printf(a, "%s for %s", row->constant, row->where)
                           : arena_strdup(a, row->constant);
    char *name = arena_strdup(a, "");
    for (size_t i = 0; i < row->place.n; i++)
        name = arena_printf(a, "%s%s%s=%s", name, i ? " " : "", row->place.names[i],
                            number_digits(row->place.values[i], 10, NUMBER_BUFFER));
    if (!row->place.n)
        return arena_strdup(a, row->measured ? "measured" : "predicted");
    return arena_printf(a, "at %s%s", name, row->measured ? ", measured" : "");
}

static char *value_text(double x, char buffer[NUMBER_SIZE])
{
    return isnan(x) ? strcpy(buffer, "-") : number_digits(x, 4, buffer);
}

/* The interval that decided: "1.12 [1.05, 1.19]", or of a difference "+2e-06 [1e-06, 3e-06]". */
static char *interval_text(struct arena *a, const struct check_row *row)
{
    char range[RANGE_SIZE];
    if (check_by_ratio(row))
        return arena_printf(a, "%s %s", number_digits(row->ratio, 4, NUMBER_BUFFER),
                            text_of_range(row->low, row->high, 4, range));
    if (isnan(row->difference_low))
        return arena_strdup(a,
                            isnan(row->ratio) ? "-" : number_digits(row->ratio, 4, NUMBER_BUFFER));
    double difference = row->after - row->before;
    return arena_printf(a, "%s%s %s", difference > 0 ? "+" : "",
                        number_digits(difference, 4, NUMBER_BUFFER),
                        text_of_range(row->difference_low, row->difference_high, 4, range));
}

/* All intervals together hold with this chance. */
static const char *ratio_head(struct arena *a)
{
    return arena_printf(a, "ratio, %s %%", number_digits(100 * CHECK_CONFIDENCE, 4, NUMBER_BUFFER));
}

/* What is said beside a verdict: nothing if the interval shows the reason. */
static const char *reason(const struct check_row *row)
{
    return row->why && !row->open ? row->why : NULL;
}

/* Whether the rounds of all experiments were measured by turns. */
static bool by_turns(const struct check_report *r)
{
    size_t turns = 0, with_rows = 0;
    for (size_t i = 0; i < r->n; i++) {
        turns += r->experiments[i].nrows && r->experiments[i].turns;
        with_rows += r->experiments[i].nrows > 0;
    }
    return with_rows && turns == with_rows;
}

static char *summary(struct arena *a, const struct check_report *r)
{
    size_t rows = 0, unknown = 0, others = 0;
    for (size_t i = 0; i < r->n; i++)
        for (size_t k = 0; k < r->experiments[i].nrows; k++) {
            rows++;
            const struct check_row *row = &r->experiments[i].rows[k];
            unknown += row->open;
            others += row->verdict == CHECK_CANNOT_TELL && !row->open;
        }
    if (!rows)
        return arena_strdup(
            a, "nothing was compared, so nothing says that the versions are alike: the "
               "exit status is 1");
    char *text = arena_printf(a, "%zu of %zu got worse by more than the uncertainty and %s %%",
                              r->worse, rows, number_digits(100 * r->threshold, 4, NUMBER_BUFFER));
    if (unknown)
        text = arena_printf(a, "%s; %zu cannot be decided: more %s narrow the intervals", text,
                            unknown,
                            by_turns(r) ? "rounds"
                                        : "runs of both versions, by turns ('call run "
                                          "--baseline'),");
    if (others)
        text = arena_printf(a, "%s; %zu cannot be compared, for the reason%s given", text, others,
                            others == 1 ? "" : "s");
    return text;
}

static int wider(int width, const char *text)
{
    int n = (int)strlen(text);
    return n > width ? n : width;
}

static void text_rows(FILE *out, struct arena *a, const struct check_experiment *e)
{
    char b[NUMBER_SIZE], f[NUMBER_SIZE];
    int width = (int)strlen("predicted"), interval = 24;
    bool clock = !strcmp(e->observable, "CLOCK");
    for (size_t k = 0; k < e->nrows; k++) {
        width = wider(width, row_name(a, &e->rows[k]));
        interval = wider(interval, interval_text(a, &e->rows[k]));
    }
    if (e->nrows)
        text_heading(out, "%s%s%s\n  %-*s  %10s  %10s  %-*s  %s\n", e->name, clock ? "" : " on ",
                     clock ? "" : e->observable, width, "", "before", "after", interval,
                     ratio_head(a), "verdict");
    for (size_t k = 0; k < e->nrows; k++) {
        const struct check_row *row = &e->rows[k];
        fprintf(out, "  %-*s  %10s  %10s  %-*s  ", width, row_name(a, row),
                value_text(row->before, b), value_text(row->after, f), interval,
                interval_text(a, row));
        text_styled(out, row->worse ? TEXT_BAD : TEXT_PLAIN, "%s%s",
                    check_verdict_words[row->verdict], row->worse ? "  <-- worse" : "");
        fputc('\n', out);
        if (reason(row))
            fprintf(out, "      %s\n", reason(row));
    }
}

void text_check(FILE *out, const struct check_report *r)
{
    ARENA_LOCAL struct arena *a = arena_create();
    fprintf(out, "%s -> %s: %s%s%s\n", r->before, r->after,
            *r->differs ? "they differ in "
                        : "the files state no difference in code, flags or machine",
            r->differs, by_turns(r) ? "; measured by turns" : "");
    for (size_t i = 0; i < r->n; i++) {
        text_rows(out, a, &r->experiments[i]);
        if (r->experiments[i].remark)
            text_wrapped(out, "  ", "%s: %s", r->experiments[i].name, r->experiments[i].remark);
    }
    text_wrapped(out, "", "%s", summary(a, r));
}

static json_t *json_row(const struct check_row *row)
{
    json_t *j = json_object();
    if (row->constant)
        json_put(j, "constant:%s where:%s", row->constant, row->where);
    else
        json_put(j, "at:%p measured:%i", json_place(row->place), row->measured);
    json_put(j,
             "before:%g after:%g ratio:%g low:%g high:%g difference:%g "
             "difference_low:%g difference_high:%g by:%s verdict:%s worse:%i why:%s",
             row->before, row->after, row->ratio, row->low, row->high, row->after - row->before,
             row->difference_low, row->difference_high,
             isnan(row->difference_low) ? NULL
             : check_by_ratio(row)      ? "ratio"
                                        : "difference",
             check_verdict_words[row->verdict], row->worse, row->why);
    return j;
}

json_t *json_check(const struct check_report *r)
{
    json_t *experiments = json_array();
    for (size_t i = 0; i < r->n; i++) {
        const struct check_experiment *e = &r->experiments[i];
        json_t *rows = json_array();
        for (size_t k = 0; k < e->nrows; k++)
            json_array_append_new(rows, json_row(&e->rows[k]));
        json_add(experiments,
                 "{experiment:%s observable:%s unit:%s source:%s remark:%s turns:%i "
                 "rows:%p}",
                 e->name, e->observable, e->unit, e->source, e->remark, e->turns, rows);
    }
    return json_make("{before:%s after:%s differs:%s threshold_pct:%g confidence_pct:%g "
                     "worse:%zu experiments:%p schema:%d}",
                     r->before, r->after, r->differs, 100 * r->threshold, 100 * CHECK_CONFIDENCE,
                     r->worse, experiments, 1);
}

/* Characters with a meaning in Markdown, or in HTML, are written so that they have none. */
static void put_markdown(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (*s == '<')
            fputs("&lt;", out);
        else if (*s == '&')
            fputs("&amp;", out);
        else if (*s == '\n' || *s == '\r')
            fputc(' ', out);
        else if (strchr("\\`*_{}[]()#+!|~>@", *s))
            fprintf(out, "\\%c", *s);
        else
            fputc(*s, out);
    }
}

static void put_cell(FILE *out, const char *text)
{
    fputs("| ", out);
    put_markdown(out, text);
    fputc(' ', out);
}

void check_markdown(FILE *out, const struct check_report *r)
{
    ARENA_LOCAL struct arena *a = arena_create();
    fprintf(out, "### %s\n\n", r->worse ? "Slower than before" : "Not slower than before");
    put_markdown(out, summary(a, r));
    fputs(". ", out);
    put_markdown(out, arena_printf(a, "%s -> %s", r->before, r->after));
    if (*r->differs)
        put_markdown(out, arena_printf(a, " (they differ in %s)", r->differs));
    if (by_turns(r))
        fputs(", measured by turns", out);
    fprintf(out,
            ".\n\n| experiment | what | before | after | %s | verdict |\n"
            "|---|---|---|---|---|---|\n",
            ratio_head(a));
    for (size_t i = 0; i < r->n; i++) {
        const struct check_experiment *e = &r->experiments[i];
        char number[NUMBER_SIZE];
        for (size_t k = 0; k < e->nrows; k++) {
            const struct check_row *row = &e->rows[k];
            put_cell(out, e->name);
            put_cell(out, row_name(a, row));
            put_cell(out, value_text(row->before, number));
            put_cell(out, value_text(row->after, number));
            put_cell(out, interval_text(a, row));
            fprintf(out, "| %s%s%s%s", row->worse ? "**" : "", check_verdict_words[row->verdict],
                    row->worse ? "**" : "", reason(row) ? ": " : "");
            put_markdown(out, reason(row) ? reason(row) : "");
            fputs(" |\n", out);
        }
    }
    for (size_t i = 0; i < r->n; i++)
        if (r->experiments[i].remark) {
            fputs("\n- ", out);
            put_markdown(
                out, arena_printf(a, "%s: %s", r->experiments[i].name, r->experiments[i].remark));
        }
    fputc('\n', out);
}

/* The runner ends a command at the line, and a property at ',' and ':'. */
static void put_command_text(FILE *out, const char *s, bool property)
{
    for (; *s; s++)
        if (*s == '%' || *s == '\r' || *s == '\n' || (property && (*s == ':' || *s == ',')))
            fprintf(out, "%%%02X", (unsigned char)*s);
        else
            fputc(*s, out);
}

static void put_command(FILE *out, const char *command, const char *source, const char *title,
                        const char *message)
{
    const char *colon = strrchr(source, ':');
    fprintf(out, "::%s ", command);
    if (colon && colon > source) {
        size_t line = strspn(colon + 1, "0123456789");
        ARENA_LOCAL struct arena *a = arena_create();
        fputs("file=", out);
        put_command_text(out, arena_strndup(a, source, (size_t)(colon - source)), true);
        if (line)
            fprintf(out, ",line=%.*s", (int)line, colon + 1);
        fputc(',', out);
    }
    fputs("title=", out);
    put_command_text(out, title, true);
    fputs("::", out);
    put_command_text(out, message, false);
    fputc('\n', out);
}

void check_github(FILE *out, const struct check_report *r)
{
    ARENA_LOCAL struct arena *a = arena_create();
    char b[NUMBER_SIZE], f[NUMBER_SIZE];
    for (size_t i = 0; i < r->n; i++) {
        const struct check_experiment *e = &r->experiments[i];
        for (size_t k = 0; k < e->nrows; k++) {
            const struct check_row *row = &e->rows[k];
            if (!row->worse)
                continue;
            put_command(out, "error", e->source, arena_printf(a, "%s is slower", e->name),
                        arena_printf(a, "%s, %s: %s before, %s now: %s%s", e->name,
                                     row_name(a, row), value_text(row->before, b),
                                     value_text(row->after, f), interval_text(a, row),
                                     check_by_ratio(row) ? " times as much" : ""));
        }
        if (e->remark)
            put_command(out, "warning", e->source, e->name, e->remark);
    }
    put_command(out, "notice", "", "check", summary(a, r));
}
