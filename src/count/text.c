/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report for people, made from its JSON:
 *
 *     walking = walking[0] + walking[1]*N + walking[2]*N^2
 *     36 executions at 36 points, N = 32 to 2048
 *
 *       walking[2], per unit of N^2: 3 instructions, exact: integer 1, store 1, branch 1
 *         matinit.c:23    2  for (int j = 0; j < N; j++)
 *         matinit.c:24    1  a[i][j] = 0;
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/sort.h"
#include "count/report.h"
#include "count/text.h"

/* Columns of a place; unexplained lines, and mnemonics of a node, that are shown. */
enum { MOST_WIDTH = 44, MOST_LINES = 12 };

const char *count_text_member(const json_t *o, const char *key)
{
    const char *s = json_string_value(json_object_get(o, key));
    return s ? s : "";
}

static double number_of(const json_t *o, const char *key)
{
    return json_number_value(json_object_get(o, key));
}

/* ---- sources ---- */

const char *count_text_line(struct arena *a, const json_t *report, const char *file, long line)
{
    const json_t *sources = json_object_get(report, "sources"), *s;
    size_t i;
    json_array_foreach(sources, i, s)
    {
        if (strcmp(count_text_member(s, "file"), file) != 0)
            continue;
        const char *text = count_text_member(s, "text");
        for (long n = 1; n < line && text; n++)
            text = (text = strchr(text, '\n')) ? text + 1 : NULL;
        if (!text || line < 1)
            return "";
        text += strspn(text, " \t");
        size_t length = strcspn(text, "\n\r");
        return length > 72 ? arena_printf(a, "%.69s...", text) : arena_strndup(a, text, length);
    }
    return "";
}

/* ---- figures ---- */

static const char *figure(struct arena *a, const json_t *o, const char *key)
{
    return arena_strdup(a, number_digits(number_of(o, key), 6, NUMBER_BUFFER));
}

/* Figures that count the same instructions in other ways, or bytes. */
static bool is_class(const char *key)
{
    static const char *const others[] = {"reads", "writes", "multiplies", "flops", "set", "copied"};
    return !text_is_in(others, sizeof others / sizeof *others, key);
}

/* "integer 3, load 1, branch 1 (2 with vectors of 128 bits)" */
static const char *classes_text(struct arena *a, const json_t *classes)
{
    const char *key;
    json_t *value;
    struct text out = text_new();
    json_object_foreach((json_t *)classes, key, value)
    {
        if (!json_is_number(value) || json_number_value(value) == 0 || !is_class(key))
            continue;
        text_printf(&out, "%s%s %s", out.n ? ", " : "", key,
                    number_digits(json_number_value(value), 4, NUMBER_BUFFER));
    }
    json_object_foreach(json_object_get(classes, "simd"), key, value)
        text_printf(&out, "; %s with vectors of %s bits",
                    number_digits(json_number_value(value), 4, NUMBER_BUFFER), key);
    return text_keep(&out, a);
}

const char *count_text_work(struct arena *a, const json_t *o, const char *unit)
{
    const json_t *classes = json_object_get(o, "classes");
    static const char *const blocks[] = {"set", "copied"};
    const char *out = number_of(o, "instructions") != 0
                          ? arena_printf(a, "%s%s", figure(a, o, "instructions"), unit)
                          : "";
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        if (number_of(classes, blocks[i]) != 0)
            out = arena_printf(a, "%s%s%s bytes %s", out, *out ? ", " : "",
                               figure(a, classes, blocks[i]), blocks[i]);
    return *out ? out : arena_printf(a, "0%s", unit);
}

const char *count_text_place(struct arena *a, const json_t *line)
{
    const char *function = count_text_member(line, "function");
    if (!strcmp(function, "???"))
        return count_text_member(line, "file");
    if (*function)
        return arena_printf(a, "%s: %s", count_text_member(line, "file"), function);
    return arena_printf(a, "%s:%.0f", count_text_member(line, "file"), number_of(line, "line"));
}

/* ---- an experiment ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The report has a point for each process and thread at a place. */
static size_t count_places(struct arena *a, const json_t *points)
{
    const json_t *p;
    size_t i, n = json_array_size(points), places = 0;
    char **at = arena_alloc(a, n, sizeof *at);
    json_array_foreach(points, i, p)
    {
        char *values = json_dumps(json_object_get(p, "values"), JSON_SORT_KEYS);
        at[i] = arena_strdup(a, values ? values : "");
        free(values);
    }
    sort_list(at, n, sizeof *at, by_text);
    for (i = 0; i < n; i++)
        places += i == 0 || strcmp(at[i - 1], at[i]) != 0;
    return places;
}

/* "36 executions at 12 points, N = 32 to 2048" */
static void print_ranges(struct arena *a, FILE *out, const json_t *experiment)
{
    const json_t *points = json_object_get(experiment, "points"), *variable, *p;
    size_t i, k, places = count_places(a, points);
    double executions = 0;
    json_array_foreach(points, i, p) executions += number_of(p, "executions");
    fprintf(out, "%.0f execution%s at %zu point%s", executions, executions == 1 ? "" : "s", places,
            places == 1 ? "" : "s");
    json_array_foreach(json_object_get(experiment, "variables"), k, variable)
    {
        double least = INFINITY, most = -INFINITY;
        json_array_foreach(points, i, p)
        {
            double x = number_of(json_object_get(p, "values"), json_string_value(variable));
            least = fmin(least, x);
            most = fmax(most, x);
        }
        fprintf(out, ", %s = %s", json_string_value(variable), number_text(least, NUMBER_BUFFER));
        if (most > least)
            fprintf(out, " to %s", number_text(most, NUMBER_BUFFER));
    }
    fputc('\n', out);
}

/* "misses: 1.6 to 12.5 % of the accesses in D1, 0 to 0.1 % in LL", if caches were simulated */
static void print_misses(FILE *out, const json_t *experiment)
{
    static const char *const levels[] = {"D1", "LL"};
    const json_t *points = json_object_get(experiment, "points"), *p;
    size_t i;
    if (!json_object_get(json_array_get(points, 0), "misses"))
        return;
    fprintf(out, "  misses:");
    for (size_t k = 0; k < sizeof levels / sizeof *levels; k++) {
        double least = INFINITY, most = 0;
        json_array_foreach(points, i, p)
        {
            double share = number_of(json_object_get(p, "misses"), levels[k]) /
                           fmax(number_of(p, "accesses"), 1);
            least = fmin(least, share);
            most = fmax(most, share);
        }
        fprintf(out, "%s ", k ? "," : "");
        if (least < most)
            fprintf(out, "%s to ", number_digits(100 * least, 3, NUMBER_BUFFER));
        fprintf(out, "%s %% %sin %s", number_digits(100 * most, 3, NUMBER_BUFFER),
                k ? "" : "of the accesses ", levels[k]);
    }
    fputc('\n', out);
}

static const char *step_text(struct arena *a, const json_t *line)
{
    double step = number_of(line, "step");
    return step ? arena_printf(a, " in steps of %.0f", step) : "";
}

static void print_line(struct arena *a, FILE *out, const json_t *report, const json_t *line,
                       int width)
{
    const char *about = json_is_true(json_object_get(line, "exact")) ? "" : "~";
    const char *source =
        count_text_line(a, report, count_text_member(line, "file"), (long)number_of(line, "line"));
    fprintf(out, "    %-*s %10s%s  %s\n", width, count_text_place(a, line),
            arena_printf(a, "%s%s", about, count_text_work(a, line, "")), step_text(a, line),
            *source ? source : classes_text(a, json_object_get(line, "classes")));
}

static int widest(struct arena *a, const json_t *lines, int width)
{
    const json_t *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        int n = (int)strlen(count_text_place(a, line));
        width = n > width && n <= MOST_WIDTH ? n : width;
    }
    return width;
}

static void print_constant(struct arena *a, FILE *out, const json_t *report, const json_t *c,
                           int width)
{
    const json_t *line;
    size_t i;
    const char *term = count_text_member(c, "term");
    fprintf(out, "\n  %s, per unit of %s: ", count_text_member(c, "name"), term);
    if (json_is_true(json_object_get(c, "dependent"))) {
        fprintf(out, "cannot be told from the other terms at these sizes\n");
        return;
    }
    if (!json_array_size(json_object_get(c, "lines"))) {
        fprintf(out, "no instruction\n");
        return;
    }
    const char *classes = classes_text(a, json_object_get(c, "classes"));
    fprintf(out, "%s%s%s%s\n", count_text_work(a, c, " instructions"),
            json_is_true(json_object_get(c, "exact")) ? ", exact" : ", about", *classes ? ": " : "",
            classes);
    json_array_foreach(json_object_get(c, "lines"), i, line)
        print_line(a, out, report, line, width);
}

/* The lines with the most instructions first. */
static int by_instructions(const void *x, const void *y)
{
    double a = number_of(*(const json_t *const *)x, "instructions");
    double b = number_of(*(const json_t *const *)y, "instructions");
    return (a < b) - (a > b);
}

static double mean_instructions(const json_t *e)
{
    const json_t *p;
    size_t i;
    double all = 0, executions = 0;
    json_array_foreach(json_object_get(e, "points"), i, p)
    {
        all += number_of(p, "instructions") * number_of(p, "executions");
        executions += number_of(p, "executions");
    }
    return all / fmax(executions, 1);
}

static void print_leftover(struct arena *a, FILE *out, const json_t *report, const json_t *line,
                           int width)
{
    const char *term = count_text_member(line, "term");
    const char *source =
        count_text_line(a, report, count_text_member(line, "file"), (long)number_of(line, "line"));
    const char *note = *term ? arena_printf(a, "  [missing term: %s]", term)
                       : json_is_true(json_object_get(line, "first"))
                           ? "  [only in first executions]"
                           : "";
    fprintf(out, "    %-*s %10s  %s%s\n", width, count_text_place(a, line),
            count_text_work(a, line, ""), source, note);
}

static void print_unexplained(struct arena *a, FILE *out, const json_t *report, const json_t *e,
                              int width)
{
    const json_t *list = json_object_get(e, "unexplained");
    size_t n = json_array_size(list), shown = n <= MOST_LINES + 1 ? n : MOST_LINES;
    const json_t **lines = arena_alloc(a, n + 1, sizeof *lines);
    double sum = 0, rest = 0;
    for (size_t i = 0; i < n; i++) {
        lines[i] = json_array_get(list, i);
        sum += number_of(lines[i], "instructions");
    }
    if (!n)
        return;
    sort_list(lines, n, sizeof *lines, by_instructions);
    fprintf(out, "\n  follow no term of the formula: %s instructions per execution, %s %%\n",
            number_digits(sum, 4, NUMBER_BUFFER),
            number_decimals(100 * sum / fmax(mean_instructions(e), 1), 2, NUMBER_BUFFER));
    for (size_t i = 0; i < shown; i++)
        print_leftover(a, out, report, lines[i], width);
    for (size_t i = shown; i < n; i++)
        rest += number_of(lines[i], "instructions");
    if (shown < n)
        fprintf(out, "    %zu more lines: %s instructions\n", n - shown,
                number_digits(rest, 4, NUMBER_BUFFER));
}

static void print_experiment(struct arena *a, FILE *out, const json_t *report, const json_t *e)
{
    const json_t *c;
    size_t i;
    const char *formula = count_text_member(e, "formula");
    fprintf(out, "\n%s%s%s\n  ", count_text_member(e, "name"), *formula ? " = " : ": no formula",
            formula);
    print_ranges(a, out, e);
    print_misses(out, e);
    int width = widest(a, json_object_get(e, "unexplained"), 20);
    json_array_foreach(json_object_get(e, "constants"), i, c) width =
        widest(a, json_object_get(c, "lines"), width);
    json_array_foreach(json_object_get(e, "constants"), i, c)
        print_constant(a, out, report, c, width);
    print_unexplained(a, out, report, e, width);
}

struct mnemonic {
    const char *name;
    double number;
};

static int by_number(const void *x, const void *y)
{
    const struct mnemonic *a = x, *b = y;
    return a->number != b->number ? (a->number < b->number) - (a->number > b->number)
                                  : strcmp(a->name, b->name);
}

/* "add 2, cmp 1, str 1": what a constant executes, the most frequent first */
static void print_mnemonics(struct arena *a, FILE *out, const json_t *constant)
{
    json_t *all = json_object_get(json_object_get(constant, "classes"), "mnemonics"), *of, *number;
    struct mnemonic *list = arena_zalloc(a, json_object_size(all) + 1, sizeof *list);
    const char *name, *class;
    size_t n = 0;
    json_object_foreach(all, name, of)
    {
        list[n].name = name;
        json_object_foreach(of, class, number) list[n].number += json_number_value(number);
        n++;
    }
    sort_list(list, n, sizeof *list, by_number);
    for (size_t i = 0; i < n && i < MOST_LINES; i++)
        fprintf(out, "%s%s %s", i ? ", " : "      ", list[i].name,
                number_digits(list[i].number, 4, NUMBER_BUFFER));
    if (n > MOST_LINES)
        fprintf(out, ", %zu more", n - MOST_LINES);
    if (n)
        fputc('\n', out);
}

/* C = C(1) + N*(C(2) + N*C(3)), the lines and the instructions of each node. */
static void print_graph(struct arena *a, FILE *out, const json_t *e)
{
    const json_t *graph = json_object_get(e, "graph"), *node, *c, *line;
    size_t i, k, n;
    fprintf(out, "\n%s: C = %s\n", count_text_member(e, "name"),
            count_text_member(graph, "expression"));
    json_array_foreach(json_object_get(graph, "nodes"), i, node)
    {
        json_array_foreach(json_object_get(e, "constants"), k, c)
        {
            if (strcmp(count_text_member(c, "name"), count_text_member(node, "constant")) != 0)
                continue;
            fprintf(out, "  %s = %s:", count_text_member(node, "name"), count_text_work(a, c, ""));
            json_array_foreach(json_object_get(c, "lines"), n, line)
                fprintf(out, "%s %s", n ? "," : "", count_text_place(a, line));
            fputc('\n', out);
            print_mnemonics(a, out, c);
        }
    }
}

void count_graph_print(FILE *to, const json_t *report)
{
    ARENA_LOCAL struct arena *a = arena_create();
    FILE *out = printable_stream(to);
    const json_t *e;
    size_t i;
    json_array_foreach(json_object_get(report, "experiments"), i, e)
    {
        if (json_object_get(e, "graph"))
            print_graph(a, out, e);
    }
    fclose(out);
}

void count_report_print(FILE *to, const json_t *report)
{
    ARENA_LOCAL struct arena *a = arena_create();
    FILE *out = printable_stream(to);
    const json_t *e;
    size_t i;
    fprintf(out, "%s: instructions that its regions execute, counted by callgrind (%s, %s %s)\n",
            count_text_member(report, "program"), count_text_member(report, "architecture"),
            count_text_member(report, "compiler"), count_text_member(report, "flags"));
    json_array_foreach(json_object_get(report, "experiments"), i, e)
        print_experiment(a, out, report, e);
    fclose(out);
}
