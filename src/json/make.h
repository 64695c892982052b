/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values of JSON from a text that shows their form. Names of members have no quotes, and conversions as those of
 * printf, whose types the compiler checks, stand for the values:
 *
 *     json_make("{name:%s at:{N:%zu} limits:[%g %g] exact:%i}", name, n, low, high, exact)
 *
 *     %s  text; NULL is null; bytes that are not UTF-8 are escaped    %d %ld %zu  whole numbers
 *     %g  number; whole ones have no point; nan and infinities: null  %i  true or false
 *     %p  a json_t, which is the value's from then on; NULL is null
 *
 * A member NAME?:VALUE is left out if its value is null, false, 0 or an empty text.
 */
#ifndef JSON_MAKE_H
#define JSON_MAKE_H

#include <jansson.h>
#include <stdarg.h>

json_t *json_make(const char *format, ...) __attribute__((format(printf, 1, 2)));
json_t *json_vmake(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
/* Sets members of an object: the format has no { and }. */
void json_put(json_t *object, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends a value to an array. */
void json_add(json_t *array, const char *format, ...) __attribute__((format(printf, 2, 3)));

json_t *json_number(double x);    /* as %g */
json_t *json_text(const char *s); /* as %s */
json_t *json_numbers(const double *list, size_t n);
json_t *json_texts(const char *const *list, size_t n);
/* Sets a member whose name is that of something in the data: any bytes. */
void json_set(json_t *object, const char *key, json_t *value);

#endif
