/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes JSON into a text, with a line for each member of the outer objects. cllprobe is built where
 * no JSON library is.
 *
 *     struct text t;
 *     text_init(&t);
 *     struct probe_json_writer w = {.out = &t};
 *     probe_json_open(&w, NULL, '{');
 *     probe_json_string(&w, "name", "N1");
 *     probe_json_close(&w, '}');
 */
#ifndef PROBE_JSON_H
#define PROBE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct probe_json_writer {
    struct text *out;
    unsigned depth;
    bool inside; /* the object or array has a member already */
    bool flat;   /* members follow each other on one line */
};

/* Each writes one value; key NULL: it is an element of an array, or the whole. */
void probe_json_open(struct probe_json_writer *w, const char *key, char bracket);
void probe_json_close(struct probe_json_writer *w, char bracket);
/* Bytes that are not UTF-8 become U+FFFD. */
void probe_json_string(struct probe_json_writer *w, const char *key, const char *value);
/* The shortest text with so many digits; null if it is not finite. */
void probe_json_number(struct probe_json_writer *w, const char *key, double value, int digits);
void probe_json_integer(struct probe_json_writer *w, const char *key, uint64_t value);
void probe_json_boolean(struct probe_json_writer *w, const char *key, bool value);

#endif
