/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One measurement in each line, as an object:
 *
 *     JSON Lines   {"params":{"n":4},"value":1.1,"callpath":"main->f","metric":"time"}
 *     TaLPas       {"parameters":{"n":4};"metric":"time";"callpath":"main->f";"value":1.1}
 *
 * TaLPas is JSON with semicolons between members; commas are allowed as well.
 */
#include <string.h>

#include "base/text.h"
#include "data/import/json.h"
#include "base/interrupt.h"

/* The parameters of a line in the region's order. */
static int read_params(struct import *in, const struct json_way *way, struct import_region *r,
                       double *at)
{
    json_t *params = way->value;
    if (!r->has_parameters) {
        const char **names = arena_alloc(in->scratch, json_object_size(params) + 1, sizeof *names);
        const char *key;
        json_t *value;
        size_t n = 0;
        json_object_foreach(params, key, value) names[n++] = key;
        if (import_set_parameters(in, r, names, n, json_way_span(in, way)))
            return -1;
    }
    for (size_t i = 0; i < r->nparameters; i++) {
        struct json_way member = json_way_key(way, r->parameters[i]);
        if (!member.value)
            return json_error_at(in, way, "the key '%.60s' is missing: the lines before have it",
                                 r->parameters[i]);
        if (json_number_at(in, &member, &at[i]))
            return -1;
    }
    if (json_object_size(params) > r->nparameters) {
        const char *key;
        json_t *value;
        json_object_foreach(params, key, value)
        {
            struct json_way member = json_way_key(way, key);
            if (!text_is_in(r->parameters, r->nparameters, key))
                return json_error_at(in, &member, "the lines before do not have this key");
        }
    }
    return 0;
}

/* `key`: of the parameters. */
static int read_object(struct import *in, const struct json_way *line, const char *key, double *at)
{
    struct span where = {line->begin, line->begin};
    if (!json_is_object(line->value))
        return json_error_at(in, line, "an object {...} is expected in each line");
    struct json_way params = json_way_key(line, key), value = json_way_key(line, "value"),
                    path = json_way_key(line, "callpath"), metric = json_way_key(line, "metric");
    if (json_need(in, &params, JSON_OBJECT))
        return -1;
    if (!value.value)
        return json_error_at(in, line, "the key 'value' is missing");
    if (json_allow(in, &path, JSON_STRING) || json_allow(in, &metric, JSON_STRING))
        return -1;
    struct import_region *r =
        import_region(in, import_call_path(in, json_string_value(path.value)), NULL, where);
    size_t observable;
    double scale;
    if (!r || read_params(in, &params, r, at) ||
        import_metric(in, r, metric.value ? json_string_value(metric.value) : "", where,
                      &observable, &scale))
        return -1;
    return json_add_values(in, &value, r, at, observable, scale);
}

/* Each line that is not blank; `json` is the text as JSON, byte for byte in the same places. */
static int read_lines(struct import *in, const char *json, const char *key)
{
    double at[IMPORT_MAX_COLUMNS];
    size_t begin = in->begin;
    for (size_t n = 0; begin < in->size; n++) {
        const char *newline = memchr(in->text + begin, '\n', in->size - begin);
        size_t end = newline ? (size_t)(newline - in->text) : in->size, first = begin;
        while (first < end && strchr(" \t\r", in->text[first] ? in->text[first] : 'x'))
            first++;
        if (first < end) {
            json_auto_t *line = import_json_parse(in, json, first, end);
            struct json_way top = json_way_top(first, line);
            int status = line ? read_object(in, &top, key, at) : -1;
            if (status)
                return -1;
        }
        begin = end + 1;
        if ((n & 0xffff) == 0 && interrupt_came())
            return 0;
    }
    return 0;
}

int import_read_json_lines(struct import *in)
{
    return read_lines(in, in->text, "params");
}

/* The text with commas for the semicolons that are not inside a string. */
static char *with_commas(const char *text, size_t size)
{
    char *json = mem_alloc(size + 1, 1);
    bool quoted = false;
    for (size_t i = 0; i < size; i++) {
        json[i] = !quoted && text[i] == ';' ? ',' : text[i];
        if (text[i] == '\n') /* a string ends with its line */
            quoted = false;
        else if (text[i] == '"')
            quoted = !quoted;
        else if (quoted && text[i] == '\\' && i + 1 < size && text[i + 1] != '\n') {
            i++;
            json[i] = text[i];
        }
    }
    json[size] = 0;
    return json;
}

int import_read_talpas(struct import *in)
{
    char *json = with_commas(in->text, in->size);
    int status = read_lines(in, json, "parameters");
    mem_free(json);
    return status;
}
