/* SPDX-License-Identifier: MIT */
/* The text of a data file while it is written (text.c, text_header.c). */
#ifndef SPOOL_WRITER_H
#define SPOOL_WRITER_H

#include <string.h>

#include "spool/columns.h"
#include "spool/name.h"
#include "spool/number.h"
#include "spool/read.h"
#include "spool/text.h"

#define TEXT_BUFFER 65536u
#define TEXT_PREFIX 1024u

struct writer {
    struct read_spool spool; /* whose records are written */
    struct read_spool shape; /* whose experiments make the header and the columns */
    unsigned sections;
    struct read_columns columns;
    cll_text_sink *sink;
    void *data;
    int error;
    size_t used;
    double hz;          /* ticks per second */
    int frequency_off;  /* the stated frequency is wrong, the measured one is used */
    unsigned decimals;  /* unit of times: 10^-decimals seconds */
    double units;       /* per tick */
    unsigned prefix_id; /* of the experiment it is for; 0: none */
    size_t prefix_length;
    char prefix[TEXT_PREFIX];
    double processors; /* the text of P is kept, too */
    size_t processors_length;
    char processors_text[2 * CLL_NUMBER_SIZE];
    char buffer[TEXT_BUFFER];
};

static inline void flush(struct writer *w)
{
    if (!w->error && w->used)
        w->error = w->sink(w->data, w->buffer, w->used);
    w->used = 0;
}

static inline void put(struct writer *w, const char *text, size_t length)
{
    while (length > TEXT_BUFFER - w->used) {
        size_t part = TEXT_BUFFER - w->used;
        memcpy(w->buffer + w->used, text, part);
        w->used = TEXT_BUFFER;
        flush(w);
        text += part;
        length -= part;
    }
    memcpy(w->buffer + w->used, text, length);
    w->used += length;
}

static inline void put_text(struct writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static inline void put_name(struct writer *w, const char *text, enum cll_name kind)
{
    char piece[CLL_NAME_PIECE];
    for (size_t left = strlen(text), used; left; text += used, left -= used)
        put(w, piece, cll_name_write(kind, text, left, piece, &used));
}

/* Room for one number, always. */
static inline char *room(struct writer *w)
{
    if (TEXT_BUFFER - w->used < CLL_NUMBER_SIZE)
        flush(w);
    return w->buffer + w->used;
}

static inline void put_unsigned(struct writer *w, uint64_t value)
{
    char *at = room(w);
    w->used += (size_t)(cll_put_unsigned(at, value) - at);
}

static inline void put_number(struct writer *w, double value)
{
    char *at = room(w);
    w->used += (size_t)(cll_put_double(at, value) - at);
}

static inline void put_ticks(struct writer *w, double ticks)
{
    double value = ticks * w->units + 0.5;
    if (value < 18e18) {
        char *at = room(w);
        w->used += (size_t)(cll_put_decimal(at, (uint64_t)value, w->decimals) - at);
    } else {
        put_number(w, ticks / w->hz);
    }
}

static inline void put_line(struct writer *w, const char *key, const char *value)
{
    put_text(w, "# ");
    put_text(w, key);
    put_text(w, ": ");
    put_name(w, value, CLL_NAME_TEXT);
    put_text(w, "\n");
}

/* The lines before the names of the columns, with notes about damage, in which so many records were skipped. */
void cll_header_lines(struct writer *w, uint64_t abandoned, uint64_t skipped, unsigned segments);

#endif
