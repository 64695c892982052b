/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace as a source of supersteps. Each process has a cursor with a buffer of its own over its part
 * of the file, so the memory depends on the number of processes and not on the size of the file. The
 * file is read with pread: a file that another program cuts off meanwhile is an error, not a crash.
 *
 * Objects are known by their names. A process has a list of those that it has begun and not given
 * back. An object is forgotten when all its processors have given it back.
 *
 * Here the lines of one process are held against each other: steps that follow each other, objects
 * that are begun and given back. The evaluator holds processes against each other.
 */
#define _GNU_SOURCE /* memrchr */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/memory.h"
#include "base/text.h"
#include "obsp/trace.h"

enum {
    BUFFERS = 8 << 20,
    LEAST_BUFFER = 4 << 10,
    MOST_BUFFER = 64 << 10,
    MAX_OPEN = 10000,
    SPARE = 1 << 14,
    MAX_PARTNERS = 1 << 28
};
static const double nanosecond = 1e-9;

struct object {
    char *name;
    size_t size;         /* of the name */
    unsigned hash, next; /* in its bucket; of those that are free: the next free one; 0 = none */
    int first, nprocs, given_back;
};

/* An object as one process sees it. */
struct open_object {
    unsigned object;
    long step; /* the last one that was ended; -1 = none is known */
};

struct cursor {
    char *buffer;
    size_t capacity, filled, at;
    size_t complete; /* bytes up to the last newline of the buffer */
    off_t next, end; /* what is to be read */
    size_t line;     /* number of the present one */
    struct open_object *open;
    size_t nopen, open_capacity;
    int *partners;
    int partners_capacity;
    unsigned leaving; /* an object that this process was the last to give back; 0 = none */
    bool over;
};

struct trace {
    struct obsp_source source; /* first: this is what users see */
    char *path;
    int fd;
    struct diag *diag;
    struct trace_index index;
    struct cursor *cursors;
    size_t buffer;
    struct object *objects; /* 0 is the machine */
    size_t nobjects, object_capacity;
    unsigned spare,
        last_spare; /* the free numbers: the one that is free for the longest time comes first */
    size_t nspare;
    size_t partners; /* that all cursors have room for */
    unsigned *buckets;
    size_t nbuckets; /* a power of two */
    char place[256];
};

__attribute__((format(printf, 3, 4))) static bool fails(struct trace *t, int process,
                                                        const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    diag_error(t->diag, "%s:%zu: %s", t->path, t->cursors[process].line, text);
    t->cursors[process].over = true;
    return false;
}

/* ---- objects */

static unsigned hash_name(const char *name, size_t n)
{
    unsigned h = 2166136261u;
    for (size_t i = 0; i < n; i++)
        h = (h ^ (unsigned char)name[i]) * 16777619u;
    return h;
}

static unsigned object_find(const struct trace *t, const char *name, size_t n)
{
    unsigned h = hash_name(name, n), at = t->buckets[h & (t->nbuckets - 1)];
    while (at && (t->objects[at].size != n || memcmp(t->objects[at].name, name, n) != 0))
        at = t->objects[at].next;
    return at;
}

static void more_buckets(struct trace *t)
{
    size_t n = t->nbuckets * 2;
    mem_free(t->buckets);
    t->buckets = mem_zalloc(n, sizeof *t->buckets);
    t->nbuckets = n;
    for (unsigned i = 1; i < t->nobjects; i++) {
        if (!t->objects[i].name)
            continue;
        unsigned *bucket = &t->buckets[t->objects[i].hash & (n - 1)];
        t->objects[i].next = *bucket;
        *bucket = i;
    }
}

static unsigned object_add(struct trace *t, const char *name, size_t n, int first, int nprocs)
{
    unsigned id = t->spare;
    if (t->nspare > SPARE) { /* not too soon: a number should mean one object */
        t->spare = t->objects[id].next;
        t->nspare--;
    } else {
        t->objects = mem_grow(t->objects, &t->object_capacity, t->nobjects + 1, sizeof *t->objects);
        id = (unsigned)t->nobjects++;
        t->objects[id] = (struct object){.name = NULL};
        if (t->nobjects > t->nbuckets)
            more_buckets(t);
    }
    char *copy = mem_alloc(n + 1, 1);
    memcpy(copy, name, n);
    copy[n] = 0;
    unsigned h = hash_name(name, n), *bucket = &t->buckets[h & (t->nbuckets - 1)];
    t->objects[id] = (struct object){copy, n, h, id ? *bucket : 0, first, nprocs, 0};
    if (id)
        *bucket = id;
    return id;
}

static void object_forget(struct trace *t, unsigned id)
{
    struct object *o = &t->objects[id];
    unsigned *at = &t->buckets[o->hash & (t->nbuckets - 1)];
    while (*at != id)
        at = &t->objects[*at].next;
    *at = o->next;
    mem_free(o->name);
    *o = (struct object){.name = NULL};
    if (t->nspare++)
        t->objects[t->last_spare].next = id;
    else
        t->spare = id;
    t->last_spare = id;
}

static bool is_named(const struct trace *t, unsigned id, const char *name, size_t n)
{
    return t->objects[id].size == n && memcmp(t->objects[id].name, name, n) == 0;
}

/* The object of this name among those that the process has open, NULL if it is not. */
static struct open_object *find_open(const struct trace *t, struct cursor *c, const char *name,
                                     size_t n)
{
    for (size_t i = c->nopen; i-- > 0;)
        if (is_named(t, c->open[i].object, name, n))
            return &c->open[i];
    return NULL;
}

/* ---- lines */

static bool refill(struct trace *t, int process)
{
    struct cursor *c = &t->cursors[process];
    if (c->at > 0) {
        memmove(c->buffer, c->buffer + c->at, c->filled - c->at);
        c->filled -= c->at;
        c->at = 0;
    }
    if (c->filled == c->capacity) {
        if (c->capacity >= TRACE_MAX_LINE)
            return fails(t, process, "a line of more than 16 MB");
        size_t part = (size_t)(c->end - c->next); /* a short one needs no more */
        c->capacity = c->capacity ? c->capacity * 2 : part < t->buffer ? part : t->buffer;
        c->buffer = mem_resize(c->buffer, c->capacity, 1);
    }
    size_t want = c->capacity - c->filled;
    if (c->end - c->next < (off_t)want)
        want = (size_t)(c->end - c->next);
    ssize_t n = pread(t->fd, c->buffer + c->filled, want, c->next);
    if (n < 0 && errno == EINTR)
        return !interrupt_came() || fails(t, process, "interrupted");
    if (n < 0)
        return fails(t, process, "%s", strerror(errno));
    if (n == 0)
        return fails(t, process, "the file has become shorter while it was read");
    c->next += n;
    c->filled += (size_t)n;
    const char *newline = memrchr(c->buffer, '\n', c->filled);
    c->complete = newline ? (size_t)(newline + 1 - c->buffer) : 0;
    return true;
}

/* The next line of the process that is not a comment; *line is NULL after the last one. */
static bool next_line(struct trace *t, int process, const char **line)
{
    struct cursor *c = &t->cursors[process];
    for (;;) {
        while (c->at < c->complete) {
            const char *begin = c->buffer + c->at;
            while (*begin == ' ' || *begin == '\t' || *begin == '\r')
                begin++;
            c->line++;
            *line = begin;
            if (*begin != '\n' && *begin != '#')
                return true;
            begin = memchr(begin, '\n', (size_t)(c->buffer + c->complete - begin));
            c->at = (size_t)(begin + 1 - c->buffer);
        }
        if (c->next == c->end) {
            *line = NULL;
            return true;
        }
        if (!refill(t, process))
            return false;
    }
}

/* ---- what a line means */

static bool check_members(struct trace *t, int process, const struct trace_row *row)
{
    uint64_t pid = row->numbers[TRACE_PID], nprocs = row->numbers[TRACE_NPROCS],
             all = (uint64_t)t->source.processes;
    if (row->numbers[TRACE_PROCESS] != (uint64_t)process)
        return fails(t, process, "this line should be of process %d", process);
    if (nprocs < 1 || nprocs > all)
        return fails(t, process, "an object has from 1 to %llu processors, not %llu",
                     (unsigned long long)all, (unsigned long long)nprocs);
    if (pid >= nprocs)
        return fails(t, process, "there is no processor %llu in an object of %llu processors",
                     (unsigned long long)pid, (unsigned long long)nprocs);
    if (pid > (uint64_t)process || (uint64_t)process - pid + nprocs > all)
        return fails(
            t, process, "process %d cannot be processor %llu of %llu in a trace of %llu processes",
            process, (unsigned long long)pid, (unsigned long long)nprocs, (unsigned long long)all);
    if (row->numbers[TRACE_STEP] < 1)
        return fails(t, process, "supersteps are numbered from 1");
    return true;
}

static bool same_members(struct trace *t, int process, unsigned object, const struct trace_row *row)
{
    const struct object *o = &t->objects[object];
    int pid = (int)row->numbers[TRACE_PID], nprocs = (int)row->numbers[TRACE_NPROCS];
    if (o->nprocs == nprocs && o->first == process - pid)
        return true;
    return fails(t, process,
                 "%s has the processes %d to %d in another line, and %d to %d in this one", o->name,
                 o->first, o->first + o->nprocs - 1, process - pid, process - pid + nprocs - 1);
}

/* A superstep of an open object ends, or the object is given back. */
static bool goes_on(struct trace *t, int process, const struct trace_row *row, unsigned *object)
{
    struct cursor *c = &t->cursors[process];
    struct open_object *open = find_open(t, c, row->object, row->object_size);
    long step = (long)row->numbers[TRACE_STEP];
    if (!open)
        return fails(t, process,
                     "process %d has not begun the object %.*s: a line partition or dup is missing",
                     process, (int)(row->object_size < 100 ? row->object_size : 100), row->object);
    *object = open->object;
    if (!same_members(t, process, open->object, row))
        return false;
    if (open->step >= 0 && step != open->step + 1)
        return fails(t, process, "superstep %ld of %s follows superstep %ld", step,
                     t->objects[open->object].name, open->step);
    open->step = step;
    if (row->kind != OBSP_DONE)
        return true;
    if (open->object && ++t->objects[open->object].given_back == t->objects[open->object].nprocs)
        c->leaving = open->object;
    memmove(open, open + 1, (size_t)(c->open + c->nopen - (open + 1)) * sizeof *open);
    c->nopen--;
    return true;
}

/* A group or a copy begins: PARENT.N:G or PARENT.Nc. */
static bool begins(struct trace *t, int process, const struct trace_row *row, unsigned *object)
{
    struct cursor *c = &t->cursors[process];
    size_t parent_size = row->object_size;
    int pid = (int)row->numbers[TRACE_PID], nprocs = (int)row->numbers[TRACE_NPROCS];
    while (parent_size && row->object[--parent_size] != '.')
        ;
    struct open_object *parent = find_open(t, c, row->object, parent_size);
    if (!parent)
        return fails(t, process, "process %d has not begun the object that %.*s is made from",
                     process, (int)(row->object_size < 100 ? row->object_size : 100), row->object);
    const struct object *p = &t->objects[parent->object];
    if (process - pid < p->first || process - pid + nprocs > p->first + p->nprocs)
        return fails(t, process, "a part of %s has processors that %s does not have", p->name,
                     p->name);
    if (find_open(t, c, row->object, row->object_size))
        return fails(t, process, "the object begins for the second time");
    if (c->nopen == MAX_OPEN)
        return fails(t, process, "more than %d objects inside one another", MAX_OPEN);
    unsigned id = object_find(t, row->object, row->object_size);
    if (id && !same_members(t, process, id, row))
        return false;
    if (!id)
        id = object_add(t, row->object, row->object_size, process - pid, nprocs);
    MEM_ADD(c->open, c->nopen, &c->open_capacity, (struct open_object){id, 0});
    *object = id;
    return true;
}

static bool read_partners(struct trace *t, int process, const struct trace_row *row,
                          struct obsp_event *event)
{
    struct cursor *c = &t->cursors[process];
    bool skip = t->source.skip_barrier_partners && event->kind == OBSP_SYNC;
    if (skip || c->partners_capacity < event->nprocs)
        event->partner_count = trace_partners(row, event->nprocs, NULL);
    if (!skip && c->partners_capacity < event->partner_count) {
        t->partners += (size_t)(event->partner_count - c->partners_capacity);
        if (t->partners > MAX_PARTNERS)
            return fails(
                t, process,
                "all processes together have more than %d incoming partners: that is too much",
                MAX_PARTNERS);
        c->partners = mem_resize(c->partners, (size_t)event->partner_count, sizeof *c->partners);
        c->partners_capacity = event->partner_count;
    }
    if (!skip && event->partner_count >= 0)
        event->partner_count = trace_partners(row, event->nprocs, c->partners);
    if (event->partner_count < 0)
        return fails(t, process,
                     "the column partners must be an ascending list of processors 0 .. %d, such as "
                     "0,2,5-7, or -",
                     event->nprocs - 1);
    event->partners = skip || event->partner_count == 0 ? NULL : c->partners;
    return true;
}

static bool make_event(struct trace *t, int process, const struct trace_row *row,
                       struct obsp_event *event)
{
    const uint64_t *n = row->numbers;
    bool begin = row->kind == OBSP_PARTITION || row->kind == OBSP_DUP;
    *event = (struct obsp_event){.kind = row->kind};
    if (!check_members(t, process, row) ||
        !(begin ? begins : goes_on)(t, process, row, &event->object))
        return false;
    event->pid = (int)n[TRACE_PID];
    event->nprocs = (int)n[TRACE_NPROCS];
    event->step = (long)n[TRACE_STEP];
    event->work = (double)n[TRACE_WORK] * nanosecond;
    event->calls = (double)n[TRACE_CALLS] * nanosecond;
    event->wait = (double)n[TRACE_WAIT] * nanosecond;
    event->transfer = (double)n[TRACE_TRANSFER] * nanosecond;
    event->in = (double)n[TRACE_IN];
    event->out = (double)n[TRACE_OUT];
    event->sent = (long)n[TRACE_SENT];
    event->received = (long)n[TRACE_RECEIVED];
    event->end = (double)n[TRACE_END] * nanosecond;
    return read_partners(t, process, row, event);
}

/* ---- the source */

static bool trace_next(struct obsp_source *source, int process, struct obsp_event *event)
{
    struct trace *t = (struct trace *)source;
    struct cursor *c = &t->cursors[process];
    const char *line, *next, *wrong;
    struct trace_row row;
    if (c->leaving)
        object_forget(t, c->leaving);
    c->leaving = 0;
    *event = (struct obsp_event){.kind = OBSP_END};
    if (c->over)
        return true;
    if (!next_line(t, process, &line))
        return false;
    if (line) {
        wrong = trace_row_read(&t->index, line, &row, &next);
        if (wrong)
            return fails(t, process, "%s", wrong);
        c->at = (size_t)(next - c->buffer);
        return make_event(t, process, &row, event);
    }
    if (c->nopen > 1)
        return fails(
            t, process,
            "the lines of process %d end before it has given back %s: the trace was cut off",
            process, t->objects[c->open[c->nopen - 1].object].name);
    c->over = true;
    mem_free(c->buffer);
    c->buffer = NULL;
    return true;
}

static const char *trace_name(const struct obsp_source *source, unsigned object)
{
    const struct trace *t = (const struct trace *)source;
    return object < t->nobjects && t->objects[object].name ? t->objects[object].name : "?";
}

static const char *trace_where(const struct obsp_source *source, int process)
{
    struct trace *t = (struct trace *)source;
    snprintf(t->place, sizeof t->place, "%s:%zu", t->path, t->cursors[process].line);
    return t->place;
}

static void free_cursors(struct trace *t)
{
    for (int p = 0; p < t->source.processes; p++) {
        mem_free(t->cursors[p].buffer);
        mem_free(t->cursors[p].open);
        mem_free(t->cursors[p].partners);
    }
    for (size_t i = 0; i < t->nobjects; i++)
        mem_free(t->objects[i].name);
    mem_free(t->cursors);
    mem_free(t->objects);
    mem_free(t->buckets);
}

static void trace_free(struct obsp_source *source)
{
    struct trace *t = (struct trace *)source;
    free_cursors(t);
    close(t->fd);
    mem_free(t->index.parts);
    mem_free(t->path);
    mem_free(t);
}

static void make_cursors(struct trace *t)
{
    int n = t->source.processes;
    t->buffer = (size_t)BUFFERS / (size_t)n;
    t->buffer = t->buffer < LEAST_BUFFER  ? LEAST_BUFFER
                : t->buffer > MOST_BUFFER ? MOST_BUFFER
                                          : t->buffer;
    t->cursors = mem_zalloc((size_t)n, sizeof *t->cursors);
    for (int p = 0; p < n; p++) {
        struct cursor *c = &t->cursors[p];
        const struct trace_part *part = &t->index.parts[p];
        c->next = part->begin;
        c->end = part->end;
        c->line = part->line - 1;
        c->open_capacity = 4;
        c->open = mem_zalloc(c->open_capacity, sizeof *c->open);
        c->open[0] = (struct open_object){0, -1};
        c->nopen = 1;
    }
    t->nbuckets = 64;
    t->buckets = mem_zalloc(t->nbuckets, sizeof *t->buckets);
    t->objects = NULL;
    t->nobjects = t->object_capacity = t->nspare = t->partners = 0;
    object_add(t, "m", 1, 0, n);
}

static void trace_rewind(struct obsp_source *source)
{
    struct trace *t = (struct trace *)source;
    free_cursors(t);
    make_cursors(t);
}

/* Opens the file. -1 with the reason, and what may help. */
static int open_file(const char *path, struct diag *diag)
{
    struct stat status;
    if (text_ends_with(path, ".part"))
        return diag_error(
            diag,
            "%s: this is the part of one process; libpub joins the parts when the program ends, and "
            "leaves them when it dies. Such a trace is incomplete: run the program again",
            path);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0 && (fstat(fd, &status) != 0 || S_ISREG(status.st_mode)))
        return fd;
    if (fd >= 0) {
        close(fd);
        return diag_error(
            diag, "%s: this is not an ordinary file; a trace is read at many places at once", path);
    }
    int error = errno;
    TEXT_LOCAL struct text part = text_new();
    text_printf(&part, "%s.0.part", path);
    bool died = error == ENOENT && access(part.s, F_OK) == 0;
    return diag_error(
        diag, "%s: %s%s", path, strerror(error),
        died
            ? "; the program that should have written it has died and left only parts of it: run it again"
            : "");
}

struct obsp_source *obsp_trace_open(const char *path, struct diag *diag)
{
    int fd = open_file(path, diag);
    struct trace_index index;
    if (fd < 0)
        return NULL;
    if (!trace_index(fd, path, diag, &index)) {
        mem_free(index.parts);
        close(fd);
        return NULL;
    }
    struct trace *t = mem_zalloc(1, sizeof *t);
    t->source = (struct obsp_source){.processes = (int)index.nparts,
                                     .measured = true,
                                     .next = trace_next,
                                     .name = trace_name,
                                     .where = trace_where,
                                     .rewind = trace_rewind,
                                     .free = trace_free};
    t->path = mem_strdup(path);
    t->fd = fd;
    t->diag = diag;
    t->index = index;
    make_cursors(t);
    return &t->source;
}
