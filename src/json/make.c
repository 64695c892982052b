/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of JSON from a text that shows their form (make.h). */
#include "json/make.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/printable.h"
#include "base/text.h"

json_t *json_number(double x)
{
    if (!isfinite(x))
        return json_null();
    if (x == floor(x) && fabs(x) < 1e15)
        return json_integer((json_int_t)x);
    return json_real(x);
}

json_t *json_text(const char *s)
{
    json_t *j = s ? json_string(s) : json_null();
    if (j || !s)
        return j;
    TEXT_LOCAL struct text t = text_new();
    text_add_printable(&t, s, strlen(s));
    return json_string(t.s);
}

json_t *json_numbers(const double *list, size_t n)
{
    json_t *j = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(j, json_number(list[i]));
    return j;
}

json_t *json_texts(const char *const *list, size_t n)
{
    json_t *j = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(j, json_text(list[i]));
    return j;
}

void json_set(json_t *object, const char *key, json_t *value)
{
    TEXT_LOCAL struct text t = text_new();
    text_add_printable(&t, key, strlen(key));
    json_object_set_new(object, t.s, value);
}

/* ---- formats */

struct maker {
    const char *at; /* in the format */
    va_list args;
};

static bool takes(struct maker *k, const char *word)
{
    size_t n = strlen(word);
    if (strncmp(k->at, word, n) != 0)
        return false;
    k->at += n;
    return true;
}

static json_t *make_value(struct maker *k);

static bool is_empty(const json_t *j)
{
    return json_is_null(j) || json_is_false(j) ||
           (json_is_number(j) && json_number_value(j) == 0) ||
           (json_is_string(j) && !*json_string_value(j));
}

/* NAME:VALUE or NAME?:VALUE, up to the end or a }. */
static void make_members(struct maker *k, json_t *object)
{
    for (k->at += strspn(k->at, " "); *k->at && !takes(k, "}"); k->at += strspn(k->at, " ")) {
        char name[64];
        size_t n = strcspn(k->at, "?:");
        snprintf(name, sizeof name, "%.*s", (int)n, k->at);
        k->at += n;
        bool optional = takes(k, "?");
        if (n >= sizeof name || !takes(k, ":"))
            abort(); /* no format is so */
        json_t *value = make_value(k);
        if (optional && is_empty(value))
            json_decref(value);
        else
            json_object_set_new(object, name, value);
    }
}

static json_t *make_value(struct maker *k)
{
    json_t *j;
    if (takes(k, "%s"))
        return json_text(va_arg(k->args, const char *));
    if (takes(k, "%g"))
        return json_number(va_arg(k->args, double));
    if (takes(k, "%zu"))
        return json_integer((json_int_t)va_arg(k->args, size_t));
    if (takes(k, "%d"))
        return json_integer(va_arg(k->args, int));
    if (takes(k, "%ld"))
        return json_integer(va_arg(k->args, long));
    if (takes(k, "%i"))
        return json_boolean(va_arg(k->args, int));
    if (takes(k, "%p"))
        return (j = va_arg(k->args, json_t *)) ? j : json_null();
    if (takes(k, "{")) {
        make_members(k, j = json_object());
        return j;
    }
    if (!takes(k, "["))
        abort(); /* no format has other conversions */
    j = json_array();
    for (; !takes(k, "]"); k->at += strspn(k->at, " "))
        json_array_append_new(j, make_value(k));
    return j;
}

json_t *json_vmake(const char *format, va_list args)
{
    struct maker k = {.at = format};
    va_copy(k.args, args);
    json_t *j = make_value(&k);
    va_end(k.args);
    return j;
}

json_t *json_make(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_t *j = json_vmake(format, args);
    va_end(args);
    return j;
}

void json_put(json_t *object, const char *format, ...)
{
    struct maker k = {.at = format};
    va_start(k.args, format);
    make_members(&k, object);
    va_end(k.args);
}

void json_add(json_t *array, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    json_array_append_new(array, json_vmake(format, args));
    va_end(args);
}
