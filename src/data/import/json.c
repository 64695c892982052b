/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON with places (json.h). All numbers are read as doubles. The walk over the text for a
 * place is iterative: skipping a value counts brackets, so that nesting costs nothing.
 */
#include "data/import/json.h"

#include <stdarg.h>
#include <string.h>

#include "base/text.h"
#include "data/import/name.h"

/* Positions are byte offsets; every function stops at `end`. Members may be separated by semicolons
 * (TaLPas), which JSON has nowhere outside strings. */
static size_t skip_blanks(const char *s, size_t at, size_t end)
{
    while (at < end && (s[at] == ' ' || s[at] == '\t' || s[at] == '\r' || s[at] == '\n'))
        at++;
    return at;
}

/* s[at] is the quote; returns the byte after the closing one. */
static size_t skip_string(const char *s, size_t at, size_t end)
{
    for (at++; at < end && s[at] != '"'; at++)
        at += s[at] == '\\';
    return at < end ? at + 1 : end;
}

static size_t skip_value(const char *s, size_t at, size_t end)
{
    size_t depth = 0;
    while (at < end) {
        char c = s[at];
        if (c == '"') {
            at = skip_string(s, at, end);
        } else if (c == '{' || c == '[') {
            depth++, at++;
        } else if (c == '}' || c == ']') {
            if (depth == 0)
                return at;
            depth--, at++;
        } else if (depth == 0 && (c == ',' || c == ';' || c == ':')) {
            return at;
        } else {
            at++;
            continue;
        }
        if (depth == 0)
            return at;
    }
    return end;
}

/* Whether the string at s[at] spells the key; escapes are decoded by jansson. */
static bool string_is(const char *s, size_t at, size_t after, const char *key)
{
    size_t n = strlen(key);
    if (!memchr(s + at, '\\', after - at))
        return after - at == n + 2 && memcmp(s + at + 1, key, n) == 0;
    json_auto_t *string = json_loadb(s + at, after - at, JSON_DECODE_ANY, NULL);
    return json_is_string(string) && strcmp(json_string_value(string), key) == 0;
}

/* The value of a key of the object at s[at], or its index-th element; SIZE_MAX if there is none. */
static size_t step_into(const char *s, size_t at, size_t end, const struct json_way *way)
{
    at = skip_blanks(s, at, end);
    if (at >= end || s[at] != (way->key ? '{' : '['))
        return SIZE_MAX;
    at++;
    for (size_t i = 0; at < end; i++) {
        at = skip_blanks(s, at, end);
        bool found = !way->key && i == way->index;
        if (way->key) {
            if (at >= end || s[at] != '"')
                return SIZE_MAX;
            size_t after = skip_string(s, at, end);
            found = string_is(s, at, after, way->key);
            at = skip_blanks(s, after, end);
            if (at >= end || s[at] != ':')
                return SIZE_MAX;
            at = skip_blanks(s, at + 1, end);
        }
        if (found)
            return at < end ? at : SIZE_MAX;
        at = skip_blanks(s, skip_value(s, at, end), end);
        if (at >= end || (s[at] != ',' && s[at] != ';'))
            return SIZE_MAX;
        at++;
    }
    return SIZE_MAX;
}

bool import_json_has_key(const char *text, size_t size, const char *key, bool object)
{
    struct json_way way = {.key = key};
    size_t at = step_into(text, 0, size, &way);
    return at != SIZE_MAX && (!object || text[at] == '{');
}

static size_t find(const struct import *in, const struct json_way *way)
{
    if (!way->up)
        return way->begin;
    size_t at = find(in, way->up);
    size_t inside = step_into(in->text, at, in->size, way);
    return inside == SIZE_MAX ? at : inside;
}

struct span json_way_span(const struct import *in, const struct json_way *way)
{
    size_t begin = skip_blanks(in->text, find(in, way), in->size);
    size_t end = skip_value(in->text, begin, in->size);
    const char *newline = memchr(in->text + begin, '\n', end - begin);
    if (newline)
        end = (size_t)(newline - in->text);
    while (end > begin && strchr(" \t\r", in->text[end - 1]))
        end--;
    return (struct span){begin, end};
}

static void put_way(struct text *out, const struct json_way *way)
{
    if (!way->up)
        return;
    put_way(out, way->up);
    if (way->key)
        text_printf(out, "%s%.60s", out->n ? "." : "", way->key);
    else
        text_printf(out, "[%zu]", way->index);
}

/* "results[3].times" */
static const char *json_way_text(struct import *in, const struct json_way *way)
{
    struct text t = text_new();
    put_way(&t, way);
    return text_keep(&t, in->arena);
}

int json_error_at(struct import *in, const struct json_way *way, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(in->arena, format, args);
    va_end(args);
    const char *place = json_way_text(in, way);
    return import_error(in, json_way_span(in, way), "%s%s%s", place, *place ? ": " : "", text);
}

/* Jansson's message says "... near 'WORD'" and its position is after that word. */
static int syntax_error(struct import *in, size_t begin, size_t end, const json_error_t *e)
{
    size_t at = begin + (e->position > 0 ? (size_t)e->position : 0);
    if (at > end)
        at = end;
    struct span where = {at, at};
    const char *near = strstr(e->text, " near '");
    size_t n = near ? strlen(near + 7) : 0;
    if (n > 1 && at - begin >= n - 1 && memcmp(in->text + at - (n - 1), near + 7, n - 1) == 0)
        where.begin = at - (n - 1);
    const char *hint = "";
    if (near && (strncmp(near + 7, "NaN", 3) == 0 || strncmp(near + 7, "Inf", 3) == 0 ||
                 strcmp(near + 7, "-'") == 0))
        hint = "; JSON has no NaN and no Infinity: leave such a value out";
    else if (json_error_code(e) == json_error_premature_end_of_input)
        hint = "; the file is cut off";
    else if (json_error_code(e) == json_error_numeric_overflow)
        hint = "; it is too large for a number";
    return import_error(in, where, "this is not JSON: %s%s", e->text, hint);
}

json_t *import_json_parse(struct import *in, const char *json, size_t begin, size_t end)
{
    json_error_t error;
    json_t *value = json_loadb(json + begin, end - begin,
                               JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &error);
    if (!value)
        syntax_error(in, begin, end, &error);
    return value;
}

int import_json_read(struct import *in, int read(struct import *in, const struct json_way *top))
{
    json_auto_t *root = import_json_parse(in, in->text, in->begin, in->size);
    struct json_way top = json_way_top(in->begin, root);
    return root ? read(in, &top) : -1;
}

static const char *type_name(json_type type)
{
    switch (type) {
    case JSON_OBJECT: return "an object {...}";
    case JSON_ARRAY: return "a list [...]";
    case JSON_STRING: return "a text";
    case JSON_INTEGER:
    case JSON_REAL: return "a number";
    case JSON_TRUE:
    case JSON_FALSE: return "true or false";
    case JSON_NULL: break;
    }
    return "null";
}

int json_allow(struct import *in, const struct json_way *way, json_type type)
{
    if (!way->value || json_typeof(way->value) == type)
        return 0;
    return json_error_at(in, way, "%s is expected here, not %s", type_name(type),
                         type_name(json_typeof(way->value)));
}

int json_need(struct import *in, const struct json_way *way, json_type type)
{
    return way->value ? json_allow(in, way, type)
                      : json_error_at(in, way->up, "the key '%s' is missing", way->key);
}

int json_keep_text(struct import *in, const struct json_way *object, const char *key,
                   const char **text)
{
    struct json_way member = json_way_key(object, key);
    if (member.value && json_allow(in, &member, JSON_STRING) == 0)
        *text = import_clean(in, json_string_value(member.value));
    return json_is_string(member.value) || !member.value ? 0 : -1;
}

int json_number_at(struct import *in, const struct json_way *way, double *number)
{
    if (!json_is_number(way->value))
        return json_error_at(in, way, "a number is expected here, not %s",
                             type_name(json_typeof(way->value)));
    *number = json_number_value(way->value);
    return 0;
}

/* `where` of a row is only needed when a limit is hit: the place of the list will do. */
int json_add_values(struct import *in, const struct json_way *way, struct import_region *r,
                    const double *at, size_t observable, double scale)
{
    double x = 0;
    if (!json_is_array(way->value))
        return json_number_at(in, way, &x) ||
                       import_add(in, r, at, observable, x * scale, import_nowhere)
                   ? -1
                   : 0;
    if (json_way_size(way) == 0)
        return json_error_at(in, way, "the list is empty: a measured value is missing");
    for (size_t i = 0; i < json_way_size(way); i++) {
        struct json_way element = json_way_index(way, i);
        if (json_number_at(in, &element, &x) ||
            import_add(in, r, at, observable, x * scale, import_nowhere))
            return -1;
    }
    return 0;
}
