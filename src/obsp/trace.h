/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the trace reader share: trace.c (the source), trace_index.c (where the lines of each
 * process are), trace_row.c (one line). */
#ifndef OBSP_TRACE_H
#define OBSP_TRACE_H

#include <stdint.h>
#include <sys/types.h>

#include "obsp/source.h"

enum { TRACE_VERSION = 1, TRACE_MAX_LINE = 16 << 20 };

/* The columns that are read. */
enum trace_column {
    TRACE_PROCESS,
    TRACE_OBJECT,
    TRACE_PID,
    TRACE_NPROCS,
    TRACE_STEP,
    TRACE_KIND,
    TRACE_WORK,
    TRACE_CALLS,
    TRACE_WAIT,
    TRACE_TRANSFER,
    TRACE_OUT,
    TRACE_IN,
    TRACE_SENT,
    TRACE_RECEIVED,
    TRACE_PARTNERS,
    TRACE_END,
    TRACE_COLUMNS
};
extern const char *const trace_columns[TRACE_COLUMNS];

enum { TRACE_MAX_FIELDS = 64 };

/* Where the lines of a process are. */
struct trace_part {
    off_t begin, end;
    size_t line; /* number of the first one, from 1 */
};

struct trace_index {
    long processes;                /* that the file says it has */
    int columns[TRACE_MAX_FIELDS]; /* enum trace_column of each field of a line; -1: not read */
    int fields;
    struct trace_part *parts; /* mem_alloc */
    size_t nparts, capacity;
};

/* Reads the head of the file and finds the lines of each process. False after an error. `out` is freed by
 * mem_free(out->parts) in both cases. */
bool trace_index(int fd, const char *path, struct diag *diag, struct trace_index *out);

/* A line, taken apart. */
struct trace_row {
    uint64_t numbers[TRACE_COLUMNS]; /* of the columns that have numbers */
    const char *object, *partners;   /* in the line, not terminated */
    size_t object_size, partners_size;
    enum obsp_kind kind;
};
/* Takes a line apart, which ends with a newline. NULL, or what is wrong: a text that lives until the next call.
 * *next gets the start of the next line, if nothing is wrong. */
const char *trace_row_read(const struct trace_index *index, const char *line, struct trace_row *out,
                           const char **next);

/* The partners of a row: how many there are, with the largest below `nprocs`, ascending. Fills `out` (NULL:
 * only counts), which has room for `nprocs`. -1 if the text is malformed. */
int trace_partners(const struct trace_row *row, int nprocs, int *out);

#endif
