/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Extra-P's JSON. The present layout has the measurements by call path and metric:
 *
 *     {"parameters":["n"], "measurements":{"main->f":{"time":[{"point":[4],"values":[1.1]}]}}}
 *
 * In the older layout all refer to each other by id:
 *
 *     {"parameters":[{"id":1,"name":"n"}], "callpaths":[{"id":1,"name":"main->f"}],
 *      "metrics":[{"id":1,"name":"time"}],
 *      "coordinates":[{"id":1,"parameter_value_pairs":[{"parameter_id":1,"parameter_value":4}]}],
 *      "measurements":[{"id":1,"callpath_id":1,"metric_id":1,"coordinate_id":1,"value":1.1}]}
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/import/json.h"
#include "base/interrupt.h"

/* ---- the present layout ---- */

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

static int read_present(struct import *in, const struct json_way *parameters,
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

/* ---- the older layout ---- */

/* The objects of a list, found by their ids. */
struct id_list {
    struct json_way list;
    struct numbered {
        double id;
        size_t index;
    } * ids; /* sorted */
    size_t n;
};

static int by_id(const void *x, const void *y)
{
    double a = ((const struct numbered *)x)->id, b = ((const struct numbered *)y)->id;
    return a < b ? -1 : a > b;
}

/* A number; Extra-P also takes a text that is one. */
static int number_member(struct import *in, const struct json_way *object, const char *key,
                         double *number)
{
    struct json_way member = json_way_key(object, key);
    const char *text = json_string_value(member.value);
    if (!member.value)
        return json_error_at(in, object, "the key '%s' is missing", key);
    if (text && import_number_text(text, number) && isfinite(*number))
        return 0;
    return json_number_at(in, &member, number);
}

static int find_ids(struct import *in, const struct json_way *top, const char *key,
                    struct id_list *out)
{
    out->list = json_way_key(top, key);
    if (json_need(in, &out->list, JSON_ARRAY))
        return -1;
    out->n = json_way_size(&out->list);
    out->ids = arena_alloc(in->scratch, out->n + 1, sizeof *out->ids);
    for (size_t i = 0; i < out->n; i++) {
        struct json_way object = json_way_index(&out->list, i);
        if (!json_is_object(object.value))
            return json_error_at(in, &object, "an object {...} with an 'id' is expected here");
        out->ids[i].index = i;
        if (number_member(in, &object, "id", &out->ids[i].id))
            return -1;
    }
    qsort(out->ids, out->n, sizeof *out->ids, by_id);
    for (size_t i = 1; i < out->n; i++)
        if (out->ids[i].id == out->ids[i - 1].id) {
            size_t a = out->ids[i].index, b = out->ids[i - 1].index;
            struct json_way object = json_way_index(&out->list, a > b ? a : b);
            return json_error_at(in, &object, "the id %.17g appears twice", out->ids[i].id);
        }
    return 0;
}

/* The index of the object that object.key refers to; -1 with an error. */
static int follow(struct import *in, const struct json_way *object, const char *key,
                  const struct id_list *list, size_t *index)
{
    struct numbered wanted = {0, 0};
    if (number_member(in, object, key, &wanted.id))
        return -1;
    const struct numbered *found = bsearch(&wanted, list->ids, list->n, sizeof *list->ids, by_id);
    if (!found) {
        struct json_way member = json_way_key(object, key);
        return json_error_at(in, &member, "there is no id %.17g in '%s'", wanted.id,
                             list->list.key);
    }
    *index = found->index;
    return 0;
}

/* The names of all objects of a list. */
static const char **names_of(struct import *in, const struct id_list *list)
{
    const char **names = arena_alloc(in->scratch, list->n + 1, sizeof *names);
    for (size_t i = 0; i < list->n; i++) {
        struct json_way object = json_way_index(&list->list, i),
                        name = json_way_key(&object, "name");
        if (json_need(in, &name, JSON_STRING))
            return NULL;
        names[i] = json_string_value(name.value);
    }
    return names;
}

struct older {
    struct id_list parameters, callpaths, metrics, coordinates;
    const char **parameter_names, **callpath_names, **metric_names;
    double *points; /* of the coordinates, a value for each parameter */
};

/* One coordinate: a value of each parameter. */
static int read_coordinate(struct import *in, const struct json_way *object, const struct older *o,
                           double *point)
{
    struct json_way pairs = json_way_key(object, "parameter_value_pairs");
    if (json_need(in, &pairs, JSON_ARRAY))
        return -1;
    for (size_t k = 0; k < o->parameters.n; k++)
        point[k] = NAN;
    for (size_t i = 0; i < json_way_size(&pairs); i++) {
        struct json_way pair = json_way_index(&pairs, i);
        size_t k = 0;
        if (json_need(in, &pair, JSON_OBJECT) ||
            follow(in, &pair, "parameter_id", &o->parameters, &k))
            return -1;
        if (!isnan(point[k]))
            return json_error_at(in, &pair, "the parameter '%.60s' has two values here",
                                 o->parameter_names[k]);
        if (number_member(in, &pair, "parameter_value", &point[k]))
            return -1;
    }
    for (size_t k = 0; k < o->parameters.n; k++)
        if (isnan(point[k]))
            return json_error_at(in, object, "the parameter '%.60s' has no value here",
                                 o->parameter_names[k]);
    return 0;
}

static int read_coordinates(struct import *in, struct older *o)
{
    size_t n = o->coordinates.n, k = o->parameters.n;
    if (k > IMPORT_MAX_COLUMNS || n > IMPORT_MAX_CELLS / (k + 1))
        return json_error_at(in, &o->coordinates.list,
                             "more than %d parameters, or too many coordinates",
                             IMPORT_MAX_COLUMNS);
    o->points = arena_alloc(in->scratch, n * k + 1, sizeof *o->points);
    for (size_t i = 0; i < n; i++) {
        struct json_way object = json_way_index(&o->coordinates.list, i);
        if (read_coordinate(in, &object, o, o->points + i * k))
            return -1;
    }
    return 0;
}

static int read_measurement(struct import *in, const struct json_way *object, const struct older *o)
{
    size_t callpath = 0, metric = 0, coordinate = 0, observable;
    double value, scale;
    if (json_need(in, object, JSON_OBJECT) ||
        follow(in, object, "callpath_id", &o->callpaths, &callpath) ||
        follow(in, object, "metric_id", &o->metrics, &metric) ||
        follow(in, object, "coordinate_id", &o->coordinates, &coordinate) ||
        number_member(in, object, "value", &value))
        return -1;
    struct import_region *r =
        import_region_over(in, import_call_path(in, o->callpath_names[callpath]), NULL,
                           o->parameter_names, o->parameters.n, import_nowhere);
    if (!r || import_metric(in, r, o->metric_names[metric], import_nowhere, &observable, &scale))
        return -1;
    return import_add(in, r, o->points + coordinate * o->parameters.n, observable, value * scale,
                      import_nowhere);
}

static int read_older(struct import *in, const struct json_way *top, const struct json_way *list)
{
    struct older o;
    if (find_ids(in, top, "parameters", &o.parameters) ||
        find_ids(in, top, "callpaths", &o.callpaths) || find_ids(in, top, "metrics", &o.metrics) ||
        find_ids(in, top, "coordinates", &o.coordinates))
        return -1;
    o.parameter_names = names_of(in, &o.parameters);
    o.callpath_names = o.parameter_names ? names_of(in, &o.callpaths) : NULL;
    o.metric_names = o.callpath_names ? names_of(in, &o.metrics) : NULL;
    if (!o.metric_names || read_coordinates(in, &o))
        return -1;
    for (size_t i = 0; i < json_way_size(list); i++) {
        struct json_way object = json_way_index(list, i);
        if (read_measurement(in, &object, &o))
            return -1;
        if ((i & 0xffff) == 0 && interrupt_came())
            return 0;
    }
    return 0;
}

static int read_root(struct import *in, const struct json_way *top)
{
    struct json_way parameters = json_way_key(top, "parameters"),
                    measurements = json_way_key(top, "measurements");
    return json_is_array(measurements.value) ? read_older(in, top, &measurements)
                                             : read_present(in, &parameters, &measurements);
}

int import_read_extrap_json(struct import *in)
{
    return import_json_read(in, read_root);
}
