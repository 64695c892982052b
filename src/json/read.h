/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a JSON file that another program wrote, and checks its members one by one. The first error is
 * reported, with the file and the part that is wrong; after it every function returns something
 * harmless, so callers look at `failed` only at the end.
 *
 *     struct json_reader r = {.kind = "machine file", .writer = "cllprobe", .arena = a, .diag = d};
 *     json_t *root = json_read_file(&r, path); // NULL: the reason is in d
 *     int cores = (int)json_read_whole(&r, root, "cores", 1, 64, JSON_NEEDED);
 *     json_decref(root);
 *     return r.failed ? -1 : cores;
 */
#ifndef JSON_READ_H
#define JSON_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/memory.h"

enum { JSON_MOST_TEXT = 200 }; /* bytes of a short text */
enum json_presence { JSON_NEEDED, JSON_OPTIONAL };

struct json_reader {
    const char *kind, *writer; /* "machine file", "cllprobe": for messages */
    struct arena *arena;       /* of what is read */
    struct diag *diag;
    const struct source *source; /* set by json_read_file */
    const char *where;           /* what is read at the moment: "figures, element 17"; or NULL */
    bool failed;
};

/* The object in a file, or in a text that ends with a 0, which its size does not count. NULL with an
 * error if it is not a complete JSON object, or is longer than 64 MB. The caller releases it with
 * json_decref. */
json_t *json_read_file(struct json_reader *r, const char *path);
json_t *json_read_source(struct json_reader *r, const struct source *source);

/* Checks the version of the format, the member `key`. False with an error: there is no such member,
 * or a newer program wrote the file. */
bool json_read_version(struct json_reader *r, const json_t *root, const char *key, int newest);

/* Always -1. */
int json_read_complain(struct json_reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* NULL with an error if it is missing. */
const json_t *json_read_member(struct json_reader *r, const json_t *object, const char *key);
/* A text of at most JSON_MOST_TEXT bytes without zeros, in the arena. "" if it is missing or wrong;
 * NULL if it is absent and optional. */
const char *json_read_text(struct json_reader *r, const json_t *object, const char *key,
                           enum json_presence presence);
/* A text of letters, digits and - _ . + */
const char *json_read_name(struct json_reader *r, const json_t *object, const char *key);
bool json_read_flag(struct json_reader *r, const json_t *object, const char *key);
/* A whole number from `least` to `most`; 0 if it is absent and optional. */
uint64_t json_read_whole(struct json_reader *r, const json_t *object, const char *key, double least,
                         double most, enum json_presence presence);
/* A number that is not negative. */
double json_read_amount(struct json_reader *r, const json_t *object, const char *key,
                        enum json_presence presence);
/* Any finite number; 0 if it is absent and optional. */
double json_read_number(struct json_reader *r, const json_t *object, const char *key,
                        enum json_presence presence);
/* A list of at most `most` elements; NULL with an error. */
const json_t *json_read_list(struct json_reader *r, const json_t *object, const char *key,
                             size_t most);

#endif
