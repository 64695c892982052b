/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One line of a trace: fields between blanks, in the order that the head of the file gives. */
#include <stdio.h>
#include <string.h>

#include "obsp/trace.h"

const char *const trace_columns[TRACE_COLUMNS] = {
    "process", "object",   "pid", "nprocs", "step", "kind",     "work",     "calls",
    "wait",    "transfer", "out", "in",     "sent", "received", "partners", "end"};

static const char *const kinds[] = {"sync", "oblsync", "partition", "dup", "done"};

static char message[256];

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Times of more than 146 years are refused, so sums of two do not overflow. */
static bool read_number(const char *at, const char *end, uint64_t *out)
{
    uint64_t value = 0;
    if (at == end || end - at > 18)
        return false;
    for (; at < end; at++) {
        if (*at < '0' || *at > '9')
            return false;
        value = value * 10 + (uint64_t)(*at - '0');
    }
    *out = value;
    return true;
}

static bool read_kind(const char *at, size_t n, enum obsp_kind *out)
{
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        if (strlen(kinds[k]) == n && memcmp(kinds[k], at, n) == 0) {
            *out = (enum obsp_kind)k;
            return true;
        }
    return false;
}

/* Printable and short, for messages. */
static const char *shown(const char *at, const char *end)
{
    static char text[48];
    size_t n = 0;
    for (; at < end && n + 4 < sizeof text; at++)
        text[n++] = *at >= 32 && *at < 127 ? *at : '?';
    if (at < end)
        memcpy(text + n, "...", 3), n += 3;
    text[n] = 0;
    return text;
}

static const char *read_field(enum trace_column column, const char *at, const char *end,
                              struct trace_row *out)
{
    switch (column) {
    case TRACE_OBJECT:
        out->object = at;
        out->object_size = (size_t)(end - at);
        return NULL;
    case TRACE_PARTNERS:
        out->partners = at;
        out->partners_size = (size_t)(end - at);
        return NULL;
    case TRACE_KIND:
        if (read_kind(at, (size_t)(end - at), &out->kind))
            return NULL;
        snprintf(message, sizeof message,
                 "'%s' is not a kind of line: these are sync, oblsync, partition, dup and done",
                 shown(at, end));
        return message;
    default:
        if (read_number(at, end, &out->numbers[column]))
            return NULL;
        snprintf(message, sizeof message, "the column %s has '%s': a whole number is expected",
                 trace_columns[column], shown(at, end));
        return message;
    }
}

const char *trace_row_read(const struct trace_index *index, const char *line, const char *end,
                           struct trace_row *out)
{
    int field = 0;
    for (const char *at = line;; field++) {
        while (at < end && is_blank(*at))
            at++;
        const char *begin = at;
        while (at < end && !is_blank(*at))
            at++;
        if (begin == at)
            break;
        if (field == index->fields) {
            snprintf(message, sizeof message, "the line has more than %d fields", index->fields);
            return message;
        }
        const char *wrong =
            index->columns[field] < 0 ? NULL : read_field(index->columns[field], begin, at, out);
        if (wrong)
            return wrong;
    }
    if (field == index->fields)
        return NULL;
    snprintf(message, sizeof message,
             "the line has %d fields, but the head of the file names %d columns", field,
             index->fields);
    return message;
}

/* LIST = "-" | RANGE { "," RANGE }     RANGE = PID [ "-" PID ] */
int trace_partners(const struct trace_row *row, int nprocs, int *out)
{
    const char *at = row->partners, *end = at + row->partners_size;
    int n = 0, least = 0;
    if (row->partners_size == 1 && *at == '-')
        return 0;
    while (at < end) {
        int bounds[2];
        for (int b = 0; b < 2; b++) {
            const char *begin = at;
            uint64_t value;
            while (at < end && *at >= '0' && *at <= '9')
                at++;
            if (!read_number(begin, at, &value) || value >= (uint64_t)nprocs)
                return -1;
            bounds[b] = (int)value;
            if (b == 0 && (at == end || *at != '-')) {
                bounds[1] = bounds[0];
                break;
            }
            at += b == 0;
        }
        if (bounds[0] < least || bounds[1] < bounds[0])
            return -1;
        if (out)
            for (int p = bounds[0]; p <= bounds[1]; p++)
                out[n + p - bounds[0]] = p;
        n += bounds[1] - bounds[0] + 1;
        least = bounds[1] + 1;
        if (at < end && (*at++ != ',' || at == end))
            return -1;
    }
    return n;
}
