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
        import_region(in, import_is_path(path) ? path : import_base_name(in), NULL, import_nowhere);
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

/* ---- the older layout ---- */

/* The objects of a list, found by their ids. */
struct id_list {
    const char *key;
    json_t *list;
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
static int number_member(struct import *in, const struct json_way *way, json_t *object,
                         const char *key, double *number)
{
    json_t *value = json_object_get(object, key);
    struct json_way member = json_way_key(way, key);
    if (!value)
        return json_error_at(in, way, "the key '%s' is missing", key);
    if (json_is_string(value) && import_number_text(json_string_value(value), number) &&
        isfinite(*number))
        return 0;
    return json_number_at(in, &member, value, number);
}

static int find_ids(struct import *in, json_t *root, const char *key, struct id_list *out)
{
    struct json_way top = json_way_top(in->begin), list_way = json_way_key(&top, key);
    out->key = key;
    out->list = json_member(in, &top, root, key, JSON_ARRAY);
    if (!out->list)
        return -1;
    out->n = json_array_size(out->list);
    out->ids = arena_alloc(in->scratch, out->n + 1, sizeof *out->ids);
    for (size_t i = 0; i < out->n; i++) {
        struct json_way way = json_way_index(&list_way, i);
        json_t *object = json_array_get(out->list, i);
        if (!json_is_object(object))
            return json_error_at(in, &way, "an object {...} with an 'id' is expected here");
        out->ids[i].index = i;
        if (number_member(in, &way, object, "id", &out->ids[i].id))
            return -1;
    }
    qsort(out->ids, out->n, sizeof *out->ids, by_id);
    for (size_t i = 1; i < out->n; i++)
        if (out->ids[i].id == out->ids[i - 1].id) {
            size_t a = out->ids[i].index, b = out->ids[i - 1].index;
            struct json_way way = json_way_index(&list_way, a > b ? a : b);
            return json_error_at(in, &way, "the id %.17g appears twice", out->ids[i].id);
        }
    return 0;
}

/* The index of the object that object.key refers to; -1 with an error. */
static int follow(struct import *in, const struct json_way *way, json_t *object, const char *key,
                  const struct id_list *list, size_t *index)
{
    struct numbered wanted = {0, 0};
    if (number_member(in, way, object, key, &wanted.id))
        return -1;
    const struct numbered *found = bsearch(&wanted, list->ids, list->n, sizeof *list->ids, by_id);
    if (!found) {
        struct json_way member = json_way_key(way, key);
        return json_error_at(in, &member, "there is no id %.17g in '%s'", wanted.id, list->key);
    }
    *index = found->index;
    return 0;
}

/* The names of all objects of a list. */
static const char **names_of(struct import *in, const struct id_list *list)
{
    struct json_way top = json_way_top(in->begin), list_way = json_way_key(&top, list->key);
    const char **names = arena_alloc(in->scratch, list->n + 1, sizeof *names);
    for (size_t i = 0; i < list->n; i++) {
        struct json_way way = json_way_index(&list_way, i);
        json_t *name = json_member(in, &way, json_array_get(list->list, i), "name", JSON_STRING);
        if (!name)
            return NULL;
        names[i] = json_string_value(name);
    }
    return names;
}

struct older {
    struct id_list parameters, callpaths, metrics, coordinates;
    const char **parameter_names, **callpath_names, **metric_names;
    double *points; /* of the coordinates, a value for each parameter */
};

/* One coordinate: a value of each parameter. */
static int read_coordinate(struct import *in, const struct json_way *way, json_t *object,
                           const struct older *o, double *point)
{
    json_t *pairs = json_member(in, way, object, "parameter_value_pairs", JSON_ARRAY);
    struct json_way pairs_way = json_way_key(way, "parameter_value_pairs");
    if (!pairs)
        return -1;
    for (size_t k = 0; k < o->parameters.n; k++)
        point[k] = NAN;
    for (size_t i = 0; i < json_array_size(pairs); i++) {
        struct json_way pair_way = json_way_index(&pairs_way, i);
        json_t *pair = json_array_get(pairs, i);
        size_t k = 0;
        if (!json_is_object(pair))
            return json_error_at(in, &pair_way, "an object {...} is expected here");
        if (follow(in, &pair_way, pair, "parameter_id", &o->parameters, &k))
            return -1;
        if (!isnan(point[k]))
            return json_error_at(in, &pair_way, "the parameter '%.60s' has two values here",
                                 o->parameter_names[k]);
        if (number_member(in, &pair_way, pair, "parameter_value", &point[k]))
            return -1;
    }
    for (size_t k = 0; k < o->parameters.n; k++)
        if (isnan(point[k]))
            return json_error_at(in, way, "the parameter '%.60s' has no value here",
                                 o->parameter_names[k]);
    return 0;
}

static int read_coordinates(struct import *in, struct older *o)
{
    struct json_way top = json_way_top(in->begin), list_way = json_way_key(&top, "coordinates");
    size_t n = o->coordinates.n, k = o->parameters.n;
    if (k > IMPORT_MAX_COLUMNS || n > IMPORT_MAX_CELLS / (k + 1))
        return json_error_at(in, &list_way, "more than %d parameters, or too many coordinates",
                             IMPORT_MAX_COLUMNS);
    o->points = arena_alloc(in->scratch, n * k + 1, sizeof *o->points);
    for (size_t i = 0; i < n; i++) {
        struct json_way way = json_way_index(&list_way, i);
        if (read_coordinate(in, &way, json_array_get(o->coordinates.list, i), o, o->points + i * k))
            return -1;
    }
    return 0;
}

static int read_measurement(struct import *in, const struct json_way *way, json_t *object,
                            const struct older *o)
{
    size_t callpath = 0, metric = 0, coordinate = 0, observable;
    double value, scale;
    if (!json_is_object(object))
        return json_error_at(in, way, "an object {...} is expected here");
    if (follow(in, way, object, "callpath_id", &o->callpaths, &callpath) ||
        follow(in, way, object, "metric_id", &o->metrics, &metric) ||
        follow(in, way, object, "coordinate_id", &o->coordinates, &coordinate) ||
        number_member(in, way, object, "value", &value))
        return -1;
    const char *path = o->callpath_names[callpath];
    struct import_region *r =
        import_region(in, import_is_path(path) ? path : import_base_name(in), NULL, import_nowhere);
    if (!r)
        return -1;
    if (!r->has_parameters &&
        import_set_parameters(in, r, o->parameter_names, o->parameters.n, import_nowhere))
        return -1;
    if (import_metric(in, r, o->metric_names[metric], import_nowhere, &observable, &scale))
        return -1;
    return import_add(in, r, o->points + coordinate * o->parameters.n, observable, value * scale,
                      import_nowhere);
}

static int read_older_object(struct import *in, json_t *root)
{
    struct json_way top = json_way_top(in->begin), list_way = json_way_key(&top, "measurements");
    struct older o;
    json_t *list = json_member(in, &top, root, "measurements", JSON_ARRAY);
    if (!list || find_ids(in, root, "parameters", &o.parameters) ||
        find_ids(in, root, "callpaths", &o.callpaths) ||
        find_ids(in, root, "metrics", &o.metrics) ||
        find_ids(in, root, "coordinates", &o.coordinates))
        return -1;
    o.parameter_names = names_of(in, &o.parameters);
    o.callpath_names = o.parameter_names ? names_of(in, &o.callpaths) : NULL;
    o.metric_names = o.callpath_names ? names_of(in, &o.metrics) : NULL;
    if (!o.metric_names || read_coordinates(in, &o))
        return -1;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct json_way way = json_way_index(&list_way, i);
        if (read_measurement(in, &way, json_array_get(list, i), &o))
            return -1;
        if ((i & 0xffff) == 0 && interrupt_came())
            return 0;
    }
    return 0;
}

int import_read_extrap_json(struct import *in)
{
    json_t *root = import_json_parse(in, in->begin, in->size);
    int status = -1;
    if (root && json_is_array(json_object_get(root, "measurements")))
        status = read_older_object(in, root);
    else if (root)
        status = read_extrap_object(in, root);
    json_decref(root);
    return status;
}
