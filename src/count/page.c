/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the page of a count report: the frame page/page.html, with style, script and data in the
 * places that it marks (base/page.h). The data are the report and the units of its terms. The script
 * puts texts into the page as text, never as HTML.
 */
#include "count/page.h"

#include <string.h>

#include "base/memory.h"
#include "base/page.h"
#include "base/printable.h"
#include "base/quote.h"
#include "base/text.h"
#include "count/units.h"
#include "json/make.h"

extern const char page_frame[], page_style[], page_script[]; /* made from the files of page/ */

json_t *count_text(const char *bytes, size_t n)
{
    TEXT_LOCAL struct text t = text_new();
    while (n > 0) {
        size_t length = printable_length(bytes, n);
        if (length || *bytes == '\n' || *bytes == '\t' || *bytes == '\r')
            text_addn(&t, bytes, length ? length : 1);
        else
            text_printf(&t, "\\x%02x", (unsigned char)*bytes);
        bytes += length ? length : 1;
        n -= length ? length : 1;
    }
    return json_stringn(t.s, t.n);
}

/* ---- the data */

/* {"executions": [...], "units": [[...] or null for each constant]} */
static json_t *units_of(const json_t *experiment)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct count_units u = count_units(experiment, a);
    json_t *units = json_array();
    for (size_t k = 0; k < u.nconstants; k++)
        json_add(units, "%p", u.of[k] ? json_numbers(u.of[k], u.npoints) : NULL);
    return json_make("{executions:%p units:%p}", json_numbers(u.executions, u.npoints), units);
}

static json_t *data_of(const json_t *report)
{
    const json_t *experiments = json_object_get(report, "experiments");
    json_t *units = json_array();
    for (size_t k = 0; k < json_array_size(experiments); k++)
        json_array_append_new(units, units_of(json_array_get(experiments, k)));
    return json_make("{report:%p units:%p}", json_deep_copy(report), units);
}

static void write_data(FILE *out, const void *report)
{
    json_auto_t *data = data_of(report);
    json_dump_callback(data, page_put_json, out, JSON_ENSURE_ASCII | JSON_COMPACT);
}

/* ---- the page */

static void write_title(FILE *out, const void *report)
{
    const char *program = json_string_value(json_object_get(report, "program"));
    TEXT_LOCAL struct text t = text_new();
    quote_html(&t, program ? program : "program");
    fputs(t.s, out);
}

void count_page_write(FILE *out, const json_t *report)
{
    const struct page_part parts[] = {{"title", write_title, report},
                                      {"style", page_put_text, page_style},
                                      {"script", page_put_text, page_script},
                                      {"data", write_data, report}};
    page_write(out, page_frame, parts, sizeof parts / sizeof *parts);
}
