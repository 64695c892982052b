/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON Lines and Extra-P's JSON: the same measurements, a line each or as one object. */
#include <math.h>
#include <string.h>

#include "data/import/json.h"
#include "base/interrupt.h"

/* The parameters of a line in the region's order. */
static int read_params(struct import *in, const struct json_way *way, json_t *params,
                       struct import_region *r, double *at)
{
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
        json_t *value = json_object_get(params, r->parameters[i]);
        if (!value)
            return json_error_at(in, way, "the key '%.60s' is missing: the lines before have it",
                                 r->parameters[i]);
        if (json_number_at(in, &member, value, &at[i]))
            return -1;
    }
    if (json_object_size(params) > r->nparameters) {
        const char *key;
        json_t *value;
        json_object_foreach(params, key, value)
        {
            struct json_way member = json_way_key(way, key);
            bool known = false;
            for (size_t i = 0; i < r->nparameters; i++)
                known = known || strcmp(r->parameters[i], key) == 0;
            if (!known)
                return json_error_at(in, &member, "the lines before do not have this key");
        }
    }
    return 0;
}

static bool is_path(const char *s)
{
    return *s && strcmp(s, "<root>") != 0;
}

static int read_object(struct import *in, const struct json_way *way, json_t *line,
                       const char *base, double *at)
{
    int status = 0;
    if (!json_is_object(line))
        return json_error_at(in, way, "an object {...} is expected in each line");
    json_t *params = json_member(in, way, line, "params", JSON_OBJECT);
    if (!params)
        return -1;
    json_t *value = json_object_get(line, "value");
    if (!value)
        return json_error_at(in, way, "the key 'value' is missing");
    json_t *path = json_optional(in, way, line, "callpath", JSON_STRING, &status);
    json_t *metric = json_optional(in, way, line, "metric", JSON_STRING, &status);
    if (status)
        return -1;
    const char *name = path && is_path(json_string_value(path)) ? json_string_value(path) : base;
    struct json_way params_way = json_way_key(way, "params"),
                    value_way = json_way_key(way, "value");
    struct import_region *r = import_region(in, name, NULL, (struct span){way->begin, way->begin});
    size_t observable;
    double scale;
    if (!r || read_params(in, &params_way, params, r, at) ||
        import_metric(in, r, metric ? json_string_value(metric) : "",
                      (struct span){way->begin, way->begin}, &observable, &scale))
        return -1;
    return json_add_values(in, &value_way, value, r, at, observable, scale);
}

int import_read_json_lines(struct import *in)
{
    const char *base = import_base_name(in);
    double at[IMPORT_MAX_COLUMNS];
    size_t begin = in->begin;
    for (size_t n = 0; begin < in->size; n++) {
        const char *newline = memchr(in->text + begin, '\n', in->size - begin);
        size_t end = newline ? (size_t)(newline - in->text) : in->size, first = begin;
        while (first < end && strchr(" \t\r", in->text[first] ? in->text[first] : 'x'))
            first++;
        if (first < end) {
            json_t *line = import_json_parse(in, first, end);
            struct json_way top = json_way_top(first);
            int status = line ? read_object(in, &top, line, base, at) : -1;
            json_decref(line);
            if (status)
                return -1;
        }
        begin = end + 1;
        if ((n & 0xffff) == 0 && interrupted())
            return 0;
    }
    return 0;
}

/* {"point": [..], "values": [..]} */
static int read_point(struct import *in, const struct json_way *way, json_t *entry,
                      struct import_region *r, size_t observable, double scale, double *at)
{
    if (!json_is_object(entry))
        return json_error_at(in, way, "an object of 'point' and 'values' is expected here");
    json_t *point = json_object_get(entry, "point"), *values = json_object_get(entry, "values");
    if (!point || !values)
        return json_error_at(in, way, "the key '%s' is missing", point ? "values" : "point");
    struct json_way point_way = json_way_key(way, "point"),
                    values_way = json_way_key(way, "values");
    if (!json_is_array(point)) {
        if (r->nparameters != 1)
            return json_error_at(in, &point_way, "a list of %zu numbers is expected here",
                                 r->nparameters);
        if (json_number_at(in, &point_way, point, &at[0]))
            return -1;
    } else if (json_array_size(point) != r->nparameters) {
        return json_error_at(in, &point_way, "%zu coordinate%s for %zu parameter%s",
                             json_array_size(point), json_array_size(point) == 1 ? "" : "s",
                             r->nparameters, r->nparameters == 1 ? "" : "s");
    } else {
        for (size_t i = 0; i < r->nparameters; i++) {
            struct json_way element = json_way_index(&point_way, i);
            if (json_number_at(in, &element, json_array_get(point, i), &at[i]))
                return -1;
        }
    }
    return json_add_values(in, &values_way, values, r, at, observable, scale);
}

/* The place of a region is not looked for without need: that would be a walk for each. */
static int read_region(struct import *in, const struct json_way *way, const char *path,
                       json_t *metrics, const char *const *parameters, size_t n, double *at)
{
    const char *metric;
    json_t *list;
    if (!json_is_object(metrics))
        return json_error_at(in, way, "an object of metrics is expected here");
    struct import_region *r =
        import_region(in, is_path(path) ? path : import_base_name(in), NULL, import_nowhere);
    if (!r || (!r->has_parameters && import_set_parameters(in, r, parameters, n, import_nowhere)))
        return -1;
    json_object_foreach(metrics, metric, list)
    {
        struct json_way metric_way = json_way_key(way, metric);
        size_t observable;
        double scale;
        if (!json_is_array(list))
            return json_error_at(in, &metric_way, "a list of points is expected here");
        if (import_metric(in, r, metric, import_nowhere, &observable, &scale))
            return -1;
        for (size_t i = 0; i < json_array_size(list); i++) {
            struct json_way entry = json_way_index(&metric_way, i);
            if (read_point(in, &entry, json_array_get(list, i), r, observable, scale, at))
                return -1;
        }
    }
    return 0;
}

static int read_extrap_object(struct import *in, json_t *root)
{
    struct json_way top = json_way_top(in->begin);
    struct json_way parameters_way = json_way_key(&top, "parameters"),
                    measurements_way = json_way_key(&top, "measurements");
    double at[IMPORT_MAX_COLUMNS];
    const char *names[IMPORT_MAX_COLUMNS], *path;
    json_t *parameters = json_member(in, &top, root, "parameters", JSON_ARRAY), *metrics;
    if (!parameters)
        return -1;
    if (json_is_array(json_object_get(root, "measurements")))
        return json_error_at(in, &measurements_way,
                             "this is the older layout with ids: open the file with Extra-P 4 and "
                             "save it as JSON again, or as text");
    json_t *measurements = json_member(in, &top, root, "measurements", JSON_OBJECT);
    if (!measurements)
        return -1;
    size_t n = json_array_size(parameters);
    if (n > IMPORT_MAX_COLUMNS)
        return json_error_at(in, &parameters_way, "more than %d parameters", IMPORT_MAX_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        struct json_way element = json_way_index(&parameters_way, i);
        names[i] = json_string_value(json_array_get(parameters, i));
        if (!names[i])
            return json_error_at(in, &element, "the name of a parameter is expected here");
    }
    json_object_foreach(measurements, path, metrics)
    {
        struct json_way way = json_way_key(&measurements_way, path);
        if (read_region(in, &way, path, metrics, names, n, at))
            return -1;
    }
    return 0;
}

int import_read_extrap_json(struct import *in)
{
    json_t *root = import_json_parse(in, in->begin, in->size);
    int status = root ? read_extrap_object(in, root) : -1;
    json_decref(root);
    return status;
}
