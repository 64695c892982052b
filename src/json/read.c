/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "json/read.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 }; /* of a file */

static void *alloc_bytes(size_t size)
{
    return mem_alloc(size, 1);
}

/* Running out of memory is the business of base/memory.h in jansson, wherever the program uses it. */
__attribute__((constructor)) static void give_jansson_memory(void)
{
    json_set_alloc_funcs(alloc_bytes, mem_free);
}

int json_read_complain(struct json_reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *what = arena_vprintf(r->arena, format, args);
    va_end(args);
    if (!r->failed) /* errors after the first often follow from it */
        diag_error(r->diag, "%s: %s%s%s", r->source->name, r->where ? r->where : "",
                   r->where ? ": " : "", what);
    r->failed = true;
    return -1;
}

/* ---- the file */

static void complain_kind(struct json_reader *r)
{
    json_read_complain(r, "this is not a %s: %s writes those", r->kind, r->writer);
}

/* Where jansson stopped, as a place of the source. */
static void complain_syntax(struct json_reader *r, const json_error_t *e)
{
    size_t at = e->position > 0 ? (size_t)e->position - 1 : 0; /* the last byte that it read */
    at = at < r->source->size ? at : r->source->size;
    /* The caller may free the arena before the message is printed. */
    diag_add(r->diag, SEVERITY_ERROR, diag_keep(r->diag, r->source), (struct span){at, at},
             "this is not a complete %s (%s): it is damaged or was cut off; copy it again, or make "
             "it again with %s",
             r->kind, e->text, r->writer);
    r->failed = true;
}

json_t *json_read_source(struct json_reader *r, const struct source *source)
{
    json_error_t error;
    size_t blanks = 0;
    while (blanks < source->size && memchr(" \t\r\n", source->text[blanks], 4))
        blanks++;
    r->source = source;
    if (blanks >= source->size || source->text[blanks] != '{') {
        complain_kind(r);
        return NULL;
    }
    json_t *root = json_loadb(source->text, source->size, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        complain_syntax(r, &error);
    return root;
}

json_t *json_read_file(struct json_reader *r, const char *path)
{
    char *text = NULL;
    struct source *source = arena_zalloc(r->arena, 1, sizeof *source);
    int error = source_read(path, MOST_BYTES, &text, &source->size);
    source->name = arena_strdup(r->arena, path);
    r->source = source;
    if (error == EFBIG)
        json_read_complain(r, "more than 64 MB: this is not a %s", r->kind);
    else if (error)
        json_read_complain(r, "%s", strerror(error));
    if (error)
        return NULL;
    source->text = arena_strndup(r->arena, text, source->size);
    mem_free(text);
    return json_read_source(r, source);
}

bool json_read_version(struct json_reader *r, const json_t *root, const char *key, int newest)
{
    const json_t *version = json_object_get(root, key);
    if (!json_is_object(root) || !version) {
        complain_kind(r);
        return false;
    }
    if (!json_is_integer(version) || json_integer_value(version) < 1) {
        json_read_complain(r, "\"%s\" must be the version of the format, a positive whole number",
                           key);
        return false;
    }
    if (json_integer_value(version) > newest) {
        json_read_complain(
            r,
            "a newer %s wrote this file (format %lld, this program reads format %d); use "
            "a newer version, or make it again with this version's %s",
            r->writer, (long long)json_integer_value(version), newest, r->writer);
        return false;
    }
    return true;
}

/* ---- members of objects */

const json_t *json_read_member(struct json_reader *r, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        json_read_complain(r, "\"%s\" is missing: the file is damaged, or %s did not write it", key,
                           r->writer);
    return value;
}

static const json_t *find(struct json_reader *r, const json_t *object, const char *key,
                          enum json_presence presence)
{
    return presence == JSON_OPTIONAL ? json_object_get(object, key)
                                     : json_read_member(r, object, key);
}

const char *json_read_text(struct json_reader *r, const json_t *object, const char *key,
                           enum json_presence presence)
{
    const json_t *value = find(r, object, key, presence);
    if (!value)
        return presence == JSON_OPTIONAL ? NULL : "";
    if (!json_is_string(value) || json_string_length(value) > JSON_MOST_TEXT ||
        strlen(json_string_value(value)) != json_string_length(value)) {
        json_read_complain(r, "\"%s\" must be a text of at most %d bytes", key, JSON_MOST_TEXT);
        return "";
    }
    return arena_strdup(r->arena, json_string_value(value));
}

const char *json_read_name(struct json_reader *r, const json_t *object, const char *key)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+";
    const char *s = json_read_text(r, object, key, JSON_NEEDED);
    if (!*s || strspn(s, allowed) != strlen(s))
        json_read_complain(r, "\"%s\" must be a name of letters, digits and - _ . +", key);
    return s;
}

bool json_read_flag(struct json_reader *r, const json_t *object, const char *key)
{
    const json_t *value = json_read_member(r, object, key);
    if (value && !json_is_boolean(value))
        json_read_complain(r, "\"%s\" must be true or false", key);
    return json_is_true(value);
}

uint64_t json_read_whole(struct json_reader *r, const json_t *object, const char *key, double least,
                         double most, enum json_presence presence)
{
    const json_t *value = find(r, object, key, presence);
    if (!value)
        return 0;
    double x = json_is_integer(value) ? (double)json_integer_value(value) : -1;
    if (!(x >= least && x <= most)) {
        json_read_complain(r, "\"%s\" must be a whole number from %.0f to %.0f", key, least, most);
        return 0;
    }
    return (uint64_t)json_integer_value(value);
}

double json_read_number(struct json_reader *r, const json_t *object, const char *key,
                        enum json_presence presence)
{
    const json_t *value = find(r, object, key, presence);
    double x = json_is_number(value) ? json_number_value(value) : NAN;
    if (value && !isfinite(x))
        json_read_complain(r, "\"%s\" must be a number", key);
    return isfinite(x) ? x : 0;
}

double json_read_amount(struct json_reader *r, const json_t *object, const char *key,
                        enum json_presence presence)
{
    const json_t *value = find(r, object, key, presence);
    double x = json_is_number(value) ? json_number_value(value) : NAN;
    if (value && !(isfinite(x) && x >= 0))
        json_read_complain(r, "\"%s\" must be a number that is not negative", key);
    return isfinite(x) && x >= 0 ? x : 0;
}

const json_t *json_read_list(struct json_reader *r, const json_t *object, const char *key,
                             size_t most)
{
    const json_t *value = json_read_member(r, object, key);
    if (value && !json_is_array(value)) {
        json_read_complain(r, "\"%s\" must be a list", key);
        return NULL;
    }
    if (value && json_array_size(value) > most) {
        json_read_complain(r, "\"%s\" has %zu elements; at most %zu are allowed", key,
                           json_array_size(value), most);
        return NULL;
    }
    return value;
}
