/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON with places. Jansson reads a text and forgets where each value stood; so a reader keeps the
 * way it went (struct json_way, a chain on the stack), and when something is wrong with a value the
 * text, known to be JSON by then, is walked along that way to find it.
 *
 *     struct json_way top = json_way_top(0, root);
 *     struct json_way results = json_way_key(&top, "results"); // with its value, if there is one
 *     return json_need(in, &results, JSON_ARRAY);              // an error at its place if not
 */
#ifndef DATA_IMPORT_JSON_H
#define DATA_IMPORT_JSON_H

#include <jansson.h>

#include "data/import/build.h"

struct json_way {
    const struct json_way *up;
    const char *key; /* NULL: an element */
    size_t index;
    size_t begin;  /* the top: where its text begins */
    json_t *value; /* NULL if the key is missing */
};

static inline struct json_way json_way_top(size_t begin, json_t *value)
{
    return (struct json_way){.begin = begin, .value = value};
}
static inline struct json_way json_way_key(const struct json_way *up, const char *key)
{
    return (struct json_way){.up = up, .key = key, .value = json_object_get(up->value, key)};
}
static inline struct json_way json_way_index(const struct json_way *up, size_t index)
{
    return (struct json_way){.up = up, .index = index, .value = json_array_get(up->value, index)};
}
static inline size_t json_way_size(const struct json_way *way)
{
    return json_array_size(way->value);
}

/* Reads the whole text of the import as JSON, and calls `read` with it. */
int import_json_read(struct import *in, int read(struct import *in, const struct json_way *top));
/* The text [begin, end) of the import as JSON; NULL with an error at its place. `json` is the text of the import, or,
 * where that is almost JSON, it with other bytes in the same places. */
json_t *import_json_parse(struct import *in, const char *json, size_t begin, size_t end);
/* Whether the first object of the text, which may be damaged, has this key; if `object`, with an
 * object as its value. */
bool import_json_has_key(const char *text, size_t size, const char *key, bool object);

/* The place of a value. */
struct span json_way_span(const struct import *in, const struct json_way *way);
/* "WAY: message" at the value's place; -1. */
int json_error_at(struct import *in, const struct json_way *way, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* 0 if the value has this type. -1 with an error: it has another one, or is missing. */
int json_need(struct import *in, const struct json_way *way, json_type type);
/* The same, but it may be missing. */
int json_allow(struct import *in, const struct json_way *way, json_type type);
/* Keeps the text of an optional member for as long as the data. */
int json_keep_text(struct import *in, const struct json_way *object, const char *key,
                   const char **text);
/* The value as a finite number. */
int json_number_at(struct import *in, const struct json_way *way, double *number);
/* Adds a number, or each number of a list of them, as repetitions at a point. */
int json_add_values(struct import *in, const struct json_way *way, struct import_region *r,
                    const double *at, size_t observable, double scale);

#endif
