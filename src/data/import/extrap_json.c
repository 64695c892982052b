/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extra-P's JSON, which has the measurements by call path and metric:
 *
 *     {"parameters":["n"], "measurements":{"main->f":{"time":[{"point":[4],"values":[1.1]}]}}}
 */
#include "data/import/json.h"

/* {"point": [..], "values": [..]} */
static int read_point(struct import *in, const struct json_way *entry, struct import_region *r,
                      size_t observable, double scale, double *at)
{
    if (!json_is_object(entry->value))
        return json_error_at(in, entry, "an object of 'point' and 'values' is expected here");
    struct json_way point = json_way_key(entry, "point"), values = json_way_key(entry, "values");
    size_t n = json_way_size(&point);
    if (!point.value || !values.value)
        return json_error_at(in, entry, "the key '%s' is missing",
                             point.value ? "values" : "point");
    if (!json_is_array(point.value)) {
        if (r->nparameters != 1)
            return json_error_at(in, &point, "a list of %zu numbers is expected here",
                                 r->nparameters);
        if (json_number_at(in, &point, &at[0]))
            return -1;
    } else if (n != r->nparameters) {
        return json_error_at(in, &point, "%zu coordinate%s for %zu parameter%s", n,
                             n == 1 ? "" : "s", r->nparameters, r->nparameters == 1 ? "" : "s");
    }
    for (size_t i = 0; i < n; i++) {
        struct json_way element = json_way_index(&point, i);
        if (json_number_at(in, &element, &at[i]))
            return -1;
    }
    return json_add_values(in, &values, r, at, observable, scale);
}

/* The place of a region is not looked for without need: that would be a walk for each. */
static int read_region(struct import *in, const struct json_way *metrics,
                       const char *const *parameters, size_t n, double *at)
{
    const char *metric;
    json_t *value;
    if (!json_is_object(metrics->value))
        return json_error_at(in, metrics, "an object of metrics is expected here");
    struct import_region *r = import_region_over(in, import_call_path(in, metrics->key), NULL,
                                                 parameters, n, import_nowhere);
    if (!r)
        return -1;
    json_object_foreach(metrics->value, metric, value)
    {
        struct json_way list = json_way_key(metrics, metric);
        size_t observable;
        double scale;
        if (!json_is_array(value))
            return json_error_at(in, &list, "a list of points is expected here");
        if (import_metric(in, r, metric, import_nowhere, &observable, &scale))
            return -1;
        for (size_t i = 0; i < json_way_size(&list); i++) {
            struct json_way entry = json_way_index(&list, i);
            if (read_point(in, &entry, r, observable, scale, at))
                return -1;
        }
    }
    return 0;
}

static int read_measurements(struct import *in, const struct json_way *parameters,
                             const struct json_way *measurements)
{
    double at[IMPORT_MAX_COLUMNS];
    const char *names[IMPORT_MAX_COLUMNS], *path;
    json_t *metrics;
    if (json_need(in, parameters, JSON_ARRAY) || json_need(in, measurements, JSON_OBJECT))
        return -1;
    size_t n = json_way_size(parameters);
    if (n > IMPORT_MAX_COLUMNS)
        return json_error_at(in, parameters, "more than %d parameters", IMPORT_MAX_COLUMNS);
    for (size_t i = 0; i < n; i++) {
        struct json_way element = json_way_index(parameters, i);
        names[i] = json_string_value(element.value);
        if (!names[i])
            return json_error_at(in, &element, "the name of a parameter is expected here");
    }
    json_object_foreach(measurements->value, path, metrics)
    {
        struct json_way region = json_way_key(measurements, path);
        if (read_region(in, &region, names, n, at))
            return -1;
    }
    return 0;
}

int import_read_extrap_json(struct import *in, const struct json_way *top)
{
    struct json_way parameters = json_way_key(top, "parameters"),
                    measurements = json_way_key(top, "measurements");
    if (json_is_array(measurements.value))
        return json_error_at(
            in, &measurements,
            "this is a list by ids, Extra-P's older layout, which is not read; an object of call "
            "paths is expected here");
    return read_measurements(in, &parameters, &measurements);
}
