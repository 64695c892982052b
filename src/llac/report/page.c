/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report as a page: the frame page/page.html with style, script and data in its places (base/page.h). The
 * script puts texts into the page as text, never as HTML.
 */
#include "base/page.h"
#include "base/quote.h"
#include "base/text.h"
#include "llac/report/evaluator.h"
#include "llac/report/report.h"

/* made from the files of page/ */
extern const char report_frame[], report_style[], report_script[];

static void write_title(FILE *out, const void *report)
{
    TEXT_LOCAL struct text t = text_new();
    quote_html(&t, json_string_value(json_object_get(report, "title")));
    fputs(t.s, out);
}

static void write_json(FILE *out, const json_t *j)
{
    json_dump_callback(j, page_put_json, out,
                       JSON_ENSURE_ASCII | JSON_COMPACT | JSON_REAL_PRECISION(17));
}

/* The tree has a block of its own. */
static void write_data(FILE *out, const void *report)
{
    json_auto_t *rest = json_copy((json_t *)report);
    json_object_del(rest, "tree");
    write_json(out, rest);
}

static void write_tree(FILE *out, const void *report)
{
    write_json(out, json_object_get(report, "tree"));
}

void report_write_page(FILE *out, const json_t *report)
{
    const struct page_part parts[] = {{"title", write_title, report},
                                      {"style", page_put_text, report_style},
                                      {"evaluate", evaluator_put_script, NULL},
                                      {"script", page_put_text, report_script},
                                      {"data", write_data, report},
                                      {"tree", write_tree, report}};
    page_write(out, report_frame, parts, sizeof parts / sizeof *parts);
}
