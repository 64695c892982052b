/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Execution graphs as flow charts, in the language of Graphviz (paper 003 draws one of its function). A node is a box with
 * the instructions and the source lines of a constant; an edge into a loop says how often it is executed, a dashed edge
 * leads back. Regions that communicate have another colour.
 */
#include <string.h>

#include "base/printable.h"
#include "base/text.h"
#include "count/graph.h"
#include "count/text.h"

enum { MOST_LINES = 6 }; /* of source in a box */

struct drawing {
    struct arena *arena;
    FILE *out;
    const json_t *report, *experiment;
    size_t region; /* number of the experiment */
};

/* As a part of a text in quotes. */
static void add_escaped(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static const json_t *named(const json_t *list, const char *key, const char *name)
{
    const json_t *element;
    size_t i;
    json_array_foreach(list, i, element)
    {
        if (!strcmp(count_text_member(element, key), name))
            return element;
    }
    return NULL;
}

/* "matinit.c:16 for (int i = 0; i < N; i++)", a line for each */
static void add_lines(const struct drawing *d, const json_t *constant)
{
    const json_t *lines = json_object_get(constant, "lines"), *line;
    size_t i;
    json_array_foreach(lines, i, line)
    {
        if (i == MOST_LINES && json_array_size(lines) > MOST_LINES + 1) {
            fprintf(d->out, "%zu more lines\\l", json_array_size(lines) - i);
            return;
        }
        add_escaped(d->out, count_text_place(d->arena, line));
        fputs("  ", d->out);
        add_escaped(d->out,
                    count_text_line(d->arena, d->report, count_text_member(line, "file"),
                                    (long)json_integer_value(json_object_get(line, "line"))));
        fputs("\\l", d->out);
    }
}

/* Boxes are named by region and node: r0C(1). */
static void draw_node(const struct drawing *d, const json_t *node)
{
    const char *name = count_text_member(node, "name"), *inside = count_text_member(node, "inside"),
               *times = count_text_member(node, "times");
    const json_t *constant = named(json_object_get(d->experiment, "constants"), "name",
                                   count_text_member(node, "constant"));
    fprintf(d->out, "    \"r%zu%s\" [label=\"%s = %s\\n", d->region, name, name,
            count_text_work(d->arena, constant, " instructions"));
    add_lines(d, constant);
    fputs("\"];\n", d->out);
    if (!*inside)
        return;
    fprintf(d->out, "    \"r%zu%s\" -> \"r%zu%s\" [label=\" ", d->region, inside, d->region, name);
    add_escaped(d->out, times);
    fputs(" times\"];\n", d->out);
    fprintf(d->out, "    \"r%zu%s\" -> \"r%zu%s\" [style=dashed, constraint=false];\n", d->region,
            name, d->region, inside);
}

static void draw_region(const struct drawing *d)
{
    const json_t *graph = json_object_get(d->experiment, "graph"), *node;
    bool communicates = json_is_true(json_object_get(d->experiment, "communicates"));
    size_t i;
    fprintf(d->out, "  subgraph \"cluster%zu\" {\n    label=\"", d->region);
    add_escaped(d->out, count_text_member(d->experiment, "name"));
    fputs(": C = ", d->out);
    add_escaped(d->out, count_text_member(graph, "expression"));
    fprintf(d->out, "%s\";\n    style=filled; color=\"%s\";\n",
            communicates ? "\\ncommunicates" : "", communicates ? "#f6e3c5" : "#e4ecf7");
    json_array_foreach(json_object_get(graph, "nodes"), i, node) draw_node(d, node);
    fputs("  }\n", d->out);
}

void count_graph_draw(FILE *to, const json_t *report)
{
    FILE *out = printable_stream(to);
    ARENA_LOCAL struct arena *a = arena_create();
    struct drawing d = {.arena = a, .out = out, .report = report};
    const json_t *e;
    size_t i;
    fputs("digraph \"", out);
    add_escaped(out, count_text_member(report, "program"));
    fputs(
        "\" {\n  fontname=\"sans-serif\";\n"
        "  node [shape=box, style=filled, fillcolor=white, fontname=\"sans-serif\", fontsize=10];\n"
        "  edge [fontname=\"sans-serif\", fontsize=10];\n",
        out);
    json_array_foreach(json_object_get(report, "experiments"), i, e)
    {
        if (!json_object_get(e, "graph"))
            continue;
        d.experiment = e;
        d.region = i;
        draw_region(&d);
    }
    fputs("}\n", out);
    fclose(out);
}
