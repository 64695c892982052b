/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON with places. Jansson reads a text and forgets where each value stood; so a reader keeps the
 * way it went (struct json_way, a chain on the stack), and when something is wrong with a value the
 * text, known to be JSON by then, is walked along that way to find it.
 *
 *     struct json_way top = json_way_top(0);
 *     struct json_way results = json_way_key(&top, "results");
 *     return json_error_at(in, &results, "results is not a list");
 */
#ifndef DATA_IMPORT_JSON_H
#define DATA_IMPORT_JSON_H

#include <jansson.h>

#include "data/import/build.h"

struct json_way {
    const struct json_way *up;
    const char *key; /* NULL: an element */
    size_t index;
    size_t begin; /* the top: where its text begins */
};

static inline struct json_way json_way_top(size_t begin)
{
    return (struct json_way){.begin = begin};
}
static inline struct json_way json_way_key(const struct json_way *up, const char *key)
{
    return (struct json_way){.up = up, .key = key};
}
static inline struct json_way json_way_index(const struct json_way *up, size_t index)
{
    return (struct json_way){.up = up, .index = index};
}

/* The text [begin, end) of the import as JSON; NULL with an error at its place. */
json_t *import_json_parse(struct import *in, size_t begin, size_t end);
/* The same where the import's text is almost JSON, and `json` is it with other bytes in the same
 * places. */
json_t *import_json_parse_as(struct import *in, const char *json, size_t begin, size_t end);
/* Whether the first object of the text, which may be damaged, has this key; if `object`, with an
 * object as its value. */
bool import_json_has_key(const char *text, size_t size, const char *key, bool object);

/* The place of a value. */
struct span json_way_span(const struct import *in, const struct json_way *way);
/* "WAY: message" at the value's place; -1. */
int json_error_at(struct import *in, const struct json_way *way, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The member of an object, of this type; missing or of another type is an error. */
json_t *json_member(struct import *in, const struct json_way *way, json_t *object, const char *key,
                    json_type type);
/* The same; NULL without an error (*status stays) if there is none. */
json_t *json_optional(struct import *in, const struct json_way *way, json_t *object,
                      const char *key, json_type type, int *status);
/* The value as a finite number. */
int json_number_at(struct import *in, const struct json_way *way, const json_t *value,
                   double *number);
/* Adds a number, or each number of a list of them, as repetitions at a point. */
int json_add_values(struct import *in, const struct json_way *way, json_t *value,
                    struct import_region *r, const double *at, size_t observable, double scale);

#endif
