/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The head of a trace, and where the lines of each process are. The file is read once from its
 * beginning to its end, in blocks; of each line only the number of the process is looked at. So what
 * concerns the file as a whole is found before the evaluation begins: a file that was cut off, a process
 * without lines, a remark that a process could not write all of its lines.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "obsp/trace.h"

enum { BLOCK = 1 << 20 };

static const char signature[] = "# pub trace ";

struct scan {
    const char *path;
    struct diag *diag;
    struct trace_index *index;
    size_t line; /* number of the present one, from 1 */
    bool has_head;
};

static bool fails(const struct scan *s, const char *what)
{
    diag_error(s->diag, "%s:%zu: %s", s->path, s->line, what);
    return false;
}

/* The number after a word that the line begins with; -1 if it begins otherwise. */
static long number_after(const char *line, const char *end, const char *word)
{
    size_t n = strlen(word);
    long value = 0;
    if ((size_t)(end - line) <= n || memcmp(line, word, n) != 0)
        return -1;
    for (line += n; line < end && *line >= '0' && *line <= '9' && value < 1L << 40; line++)
        value = value * 10 + (*line - '0');
    return value;
}

static bool read_comment(struct scan *s, const char *line, const char *end)
{
    char text[200];
    long processes = number_after(line, end, "# processes: "),
         cut = number_after(line, end, "# incomplete: process ");
    if (processes > OBSP_MAX_PROCESSES || processes == 0) {
        snprintf(text, sizeof text, "a trace has from 1 to %d processes", OBSP_MAX_PROCESSES);
        return fails(s, text);
    }
    if (processes > 0)
        s->index->processes = processes;
    if (cut < 0)
        return true;
    snprintf(
        text, sizeof text,
        "the trace is incomplete: process %ld could not write all of its lines (a full disk, or a "
        "limit on the size of files); make the trace again",
        cut);
    return fails(s, text);
}

/* The line with the names of the columns. */
static bool read_names(struct scan *s, const char *line, const char *end)
{
    struct trace_index *index = s->index;
    bool has[TRACE_COLUMNS] = {false};
    char text[200];
    while (line < end) {
        size_t n = 0;
        while (line + n < end && line[n] != ' ' && line[n] != '\t' && line[n] != '\r')
            n++;
        if (n && index->fields == TRACE_MAX_FIELDS)
            return fails(s, "a trace has at most 64 columns");
        for (int k = 0; n && k < TRACE_COLUMNS; k++)
            if (strlen(trace_columns[k]) == n && memcmp(trace_columns[k], line, n) == 0) {
                if (has[k])
                    return fails(s, "two columns have the same name");
                has[k] = true;
                index->columns[index->fields] = k;
            }
        index->fields += n > 0;
        line += n ? n : 1;
    }
    for (int k = 0; k < TRACE_COLUMNS; k++)
        if (!has[k]) {
            snprintf(text, sizeof text, "there is no column %s; a trace that libpub wrote has it",
                     trace_columns[k]);
            return fails(s, text);
        }
    if (index->columns[0] != TRACE_PROCESS)
        return fails(s, "the first column must be process");
    if (index->processes < 0)
        return fails(s, "the head of the trace lacks the line '# processes: N'");
    s->has_head = true;
    return true;
}

/* A line of a process: where its lines begin. `at` is the place of the line in the file. */
static bool read_process(struct scan *s, const char *line, const char *end, off_t at)
{
    struct trace_index *index = s->index;
    long process = *line >= '0' && *line <= '9' ? number_after(line, end, "") : -1;
    char text[200];
    if (process < 0)
        return fails(
            s, *line ? "a line begins with the number of a process; this one does not"
                     : "the line has bytes that are not text: the file was cut off or damaged");
    if (index->nparts && (size_t)process == index->nparts - 1)
        return true;
    if (process >= index->processes) {
        snprintf(text, sizeof text, "there is no process %ld: the trace has %ld", process,
                 index->processes);
        return fails(s, text);
    }
    if ((size_t)process != index->nparts) {
        snprintf(text, sizeof text,
                 "lines of process %ld follow those of process %zu; the processes must follow each "
                 "other without a gap, as libpub writes them",
                 process, index->nparts - 1);
        return fails(s, index->nparts ? text : "the first lines must be those of process 0");
    }
    index->parts =
        mem_grow(index->parts, &index->capacity, index->nparts + 1, sizeof *index->parts);
    if (index->nparts)
        index->parts[index->nparts - 1].end = at;
    index->parts[index->nparts++] = (struct trace_part){at, at, s->line};
    return true;
}

static bool read_line(struct scan *s, const char *line, const char *end, off_t at)
{
    if (s->line == 1) {
        long version = number_after(line, end, signature);
        if (version < 0)
            return fails(s, "this is not a trace of libpub: it does not begin with '# pub trace'");
        if (version != TRACE_VERSION) {
            char text[160];
            snprintf(text, sizeof text,
                     "the trace has version %ld of the format, and this llac reads version %d",
                     version, TRACE_VERSION);
            return fails(s, text);
        }
        return true;
    }
    while (line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
        line++, at++;
    if (line == end)
        return true;
    if (*line == '#')
        return read_comment(s, line, end);
    return s->has_head ? read_process(s, line, end, at) : read_names(s, line, end);
}

static bool is_complete(struct scan *s, off_t size, size_t rest)
{
    struct trace_index *index = s->index;
    char text[200];
    if (rest)
        return fails(s, "the last line is cut off; make the trace again");
    if (s->line == 1)
        return fails(s, "the file is empty");
    if (!s->has_head)
        return fails(s, "the line with the names of the columns is missing: the file was cut off");
    if (!index->nparts)
        return fails(s, "the trace has no supersteps");
    if ((long)index->nparts != index->processes) {
        snprintf(
            text, sizeof text,
            "the trace should have %ld processes, but the lines end with process %zu: the file was cut off",
            index->processes, index->nparts - 1);
        return fails(s, text);
    }
    index->parts[index->nparts - 1].end = size;
    return true;
}

bool trace_index(int fd, const char *path, struct diag *diag, struct trace_index *out)
{
    struct scan s = {path, diag, out, 1, false};
    size_t capacity = BLOCK, filled = 0;
    char *text = mem_alloc(capacity, 1);
    off_t at = 0; /* of the text in the file */
    bool good = true;
    *out = (struct trace_index){.processes = -1};
    for (int k = 0; k < TRACE_MAX_FIELDS; k++)
        out->columns[k] = -1;
    while (good) {
        if (filled == capacity && capacity < TRACE_MAX_LINE)
            text = mem_resize(text, capacity *= 2, 1);
        ssize_t n = filled == capacity ? 0 : interrupt_read(fd, text + filled, capacity - filled);
        if (n < 0 || filled == capacity || interrupt_came()) {
            diag_error(diag, "%s: %s", path,
                       interrupt_came() ? "interrupted"
                       : n < 0          ? strerror(errno)
                                        : "a line of more than 16 MB");
            good = false;
            break;
        }
        if (n == 0)
            break;
        const char *line = text, *end = text + filled + n, *newline;
        while (good && (newline = memchr(line, '\n', (size_t)(end - line)))) {
            good = read_line(&s, line, newline, at + (line - text));
            s.line++;
            line = newline + 1;
        }
        at += line - text;
        filled = (size_t)(end - line);
        memmove(text, line, filled);
    }
    good = good && is_complete(&s, at, filled);
    mem_free(text);
    return good;
}
