/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of all functions. llac writes the models of the own times as its report; the block of JSON with the tree, which
 * that page describes, is then replaced by the tree of calls, with the counts of each function.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/destination.h"
#include "base/number.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "base/source.h"
#include "base/text.h"
#include "call/cc/runtime.h"
#include "call/discover/discover.h"
#include "json/make.h"

static const size_t most_bytes = (size_t)1 << 30;
static const char block_begin[] = "<script type=\"application/json\" id=\"tree\">";
static const char block_end[] = "</script>";

/* ---- the report of llac ---- */

/* "report page rank n=1e5 P=4" */
static const char *report_command(struct request *q)
{
    struct text t = text_new();
    text_add(&t, "report page.html rank");
    for (size_t v = 0; v < q->nvariables; v++)
        text_printf(&t, " %s=%s", q->names[v], number_text(q->place[v], NUMBER_BUFFER));
    return text_keep(&t, q->arena);
}

/* The text of the report; NULL after a message. */
static char *make_report(struct request *q, size_t *size)
{
    struct arena *a = q->arena;
    const char *said = arena_printf(a, "%s/said", q->temporary);
    struct process_options o = {
        .in = PROCESS_NULL, .out = PROCESS_NULL, .err = PROCESS_FILE, .err_file = said};
    struct words w = {0};
    char *text = NULL;
    /* llac writes where it is */
    WORDS_ADD(a, &w, "sh", "-c", "cd \"$1\" && exec \"$2\" own.dat -e \"$3\"", "sh", q->temporary,
              runtime_program(a, "llac"), report_command(q));
    if (process_run(&w, &o) ||
        source_read(arena_printf(a, "%s/page.html", q->temporary), most_bytes, &text, size)) {
        say("call discover: --report: llac could not write the page\n");
        if (!source_read(said, 1 << 20, &text, size)) {
            say("%s", text);
            mem_free(text);
        }
        return NULL;
    }
    return text;
}

/* ---- the tree ---- */

/* "12: 1/2*n^2 - 1/2*n; 11: n": the iterations of the loops, by line. */
static const char *loops_text(const struct request *q, const struct counted *function)
{
    struct text t = text_new();
    for (size_t i = 0; i < q->counts.n; i++) {
        const struct counted *c = &q->counts.list[i];
        if (c->is_loop && c->owner == function->owner)
            text_printf(&t, "%sline %u: %s (%s)", t.n ? "; " : "", c->line,
                        chains_text(c) ? chains_text(c) : "-",
                        discover_verdicts[chains_verdict(c)]);
    }
    const char *text = text_keep(&t, q->arena);
    return *text ? text : NULL;
}

/* The index of the model in the report: the tree of llac has it. */
static json_t *model_of(const json_t *tree, const char *label)
{
    const json_t *nodes = json_object_get(tree, "nodes");
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        const json_t *node = json_array_get(nodes, i);
        const char *name = json_string_value(json_object_get(node, "name"));
        if (name && !strcmp(name, label))
            return json_incref(json_object_get(node, "model"));
    }
    return json_null();
}

static json_t *node_of(const struct request *q, const struct region *r, const json_t *tree,
                       size_t parent)
{
    const struct times *t = &q->times;
    const struct counted *f = r->function;
    const char *counts = r->searched ? "searched" : discover_verdicts[r->verdict];
    json_t *j = json_make("{name:%s parent:%g model:%p now:%g counts?:%s}", r->label,
                          parent == SIZE_MAX ? NAN : (double)parent,
                          (void *)model_of(tree, r->label), r->share, r->formula ? counts : NULL);
    if (t->value > 0 && !isnan(r->value))
        json_put(j, "then:%g", r->share_then);
    if (f)
        json_put(j, "calls:%s loops:%s place:%s", chains_text(regions_calls(r)), loops_text(q, f),
                 arena_printf(q->arena, "%s:%u", f->file, f->line));
    return j;
}

/* The nodes below a function, and below those; each function once. */
static void add_below(const struct request *q, const json_t *tree, const struct region *above,
                      size_t parent, bool *done, json_t *nodes)
{
    const struct times *t = &q->times;
    for (size_t i = 0; i < t->n; i++) {
        const struct region *r = &t->list[i];
        if (done[i] || (above && !(above->is_main && !r->caller) &&
                        (!r->caller || r->caller != above->function)))
            continue;
        if (!above && !r->is_main)
            continue;
        done[i] = true;
        size_t own = json_array_size(nodes);
        json_array_append_new(nodes, node_of(q, r, tree, parent));
        add_below(q, tree, r, own, done, nodes);
    }
}

static json_t *make_tree(const struct request *q, const json_t *tree)
{
    static const char *const columns[][3] = {{"then", "own time then", "share"},
                                             {"now", "now", "share"},
                                             {"counts", "counts", "text"},
                                             {"calls", "calls", "text"},
                                             {"loops", "iterations of loops", "text"},
                                             {"place", "place", "text"}};
    json_t *list = json_array(), *nodes = json_array();
    bool *done = arena_zalloc(q->arena, q->times.n + 1, sizeof *done);
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        json_add(list, "{key:%s title:%s kind:%s}", columns[i][0], columns[i][1], columns[i][2]);
    add_below(q, tree, NULL, SIZE_MAX, done, nodes);
    for (size_t i = 0; i < q->times.n; i++) /* what no known function calls */
        if (!done[i])
            json_array_append_new(nodes, node_of(q, &q->times.list[i], tree, SIZE_MAX));
    return json_make(
        "{columns:%p nodes:%p notes:[%s]}", (void *)list, (void *)nodes,
        "A function is below one that calls it. Its loops are shown with their lines, iterations and "
        "verdicts.");
}

/* As a part of a page. */
static void add_json(struct text *out, const json_t *j)
{
    char *s = json_dumps(j, JSON_COMPACT | JSON_ENSURE_ASCII);
    for (const char *p = s; p && *p; p++) {
        if (*p == '<')
            text_add(out, "\\u003c");
        else
            text_addc(out, *p);
    }
    free(s);
}

int tree_write(struct request *q)
{
    size_t size;
    MEM_LOCAL char *page = make_report(q, &size);
    char *begin = page ? strstr(page, block_begin) : NULL;
    char *end = begin ? strstr(begin, block_end) : NULL;
    TEXT_LOCAL struct text out = text_new();
    if (!page)
        return 1;
    if (end) {
        begin += sizeof block_begin - 1;
        json_auto_t *tree = json_loadb(begin, (size_t)(end - begin), 0, NULL);
        json_auto_t *own = make_tree(q, tree);
        text_addn(&out, page, (size_t)(begin - page));
        add_json(&out, own);
        text_add(&out, end);
    }
    int failed = !out.n || outfile_replace(q->page, out.s, out.n);
    if (failed)
        say("call discover: --report: cannot write %s: %s\n", q->page, destination_error(errno));
    return failed ? 1 : 0;
}
