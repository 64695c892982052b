/* SPDX-License-Identifier: MIT */
/*
 * PUB_TRACE=FILE: a row for each end of a superstep, partition, copy and bsp_done, on each
 * processor. docs/reference/pub.md describes the columns.
 *
 * Each processor writes rows of text into its own part, FILE.PROCESS.part, through a mapping of that
 * file. So the rows are in the file even if the process is killed (zeros follow them). At the end
 * processor 0 joins the parts and they are removed. A full disk ends the trace of a process after a
 * complete row, but not the program, and the last line of the trace says so. Processor 0's
 * environment applies to all processors.
 */
#define _GNU_SOURCE /* secure_getenv */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pub/internal.h"

#define WINDOW    ((size_t)1 << 20)
#define CHUNK     ((size_t)256 << 10)
#define TAG_TRACE 3
#define HEADER                                                                                                                \
    "# pub trace 1\n# processes: %d\n# pieces: %zu KB\n# times in nanoseconds; docs/reference/pub.md describes the columns\n" \
    "process object pid nprocs step kind work calls wait transfer out in sent received partners "                             \
    "end\n"

static char *file;          /* to be written */
static char part[PATH_MAX]; /* of this process */
static int descriptor = -1;
static char *window;
static size_t used;   /* of the window */
static off_t windows; /* before this one */
static off_t whole;   /* bytes of whole rows */
static bool is_cut;   /* there was no room for all rows */

static uint64_t started, entered, left_at, headers_at;
static unsigned inside;         /* the library calls itself */
static uint64_t outside, calls; /* since the last row */

void bsplib_trace(const char *name)
{
    free(file);
    file = name ? strdup(name) : NULL;
}

bool pub_trace_asked(void)
{
    return file != NULL;
}

/* ---- the part */

/* Between the two, a call that would make a file larger than the limit fails, as on a full disk,
   instead of ending the program with SIGXFSZ. */
static sigset_t usual_signals;
static bool was_pending;

static void limits_fail(void)
{
    sigset_t limit, pending;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    sigpending(&pending);
    was_pending = sigismember(&pending, SIGXFSZ) == 1;
    sigprocmask(SIG_BLOCK, &limit, &usual_signals);
}

static void limits_end(void)
{
    static const struct timespec no_time;
    sigset_t limit;
    int error = errno;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    while (!was_pending && sigtimedwait(&limit, NULL, &no_time) > 0)
        ;
    sigprocmask(SIG_SETMASK, &usual_signals, NULL);
    errno = error;
}

static bool next_window(void)
{
    if (window) {
        munmap(window, WINDOW);
        windows++;
    }
    window = NULL;
    limits_fail();
    errno = posix_fallocate(descriptor, windows * (off_t)WINDOW, (off_t)WINDOW);
    limits_end();
    if (errno)
        return false;
    void *mapped =
        mmap(NULL, WINDOW, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, windows * (off_t)WINDOW);
    if (mapped == MAP_FAILED)
        return false;
    window = mapped;
    used = 0;
    return true;
}

/* Ends the trace of this process: the part ends with the last complete row. */
static void cut(void)
{
    pub_say("trace: %s: %s; the trace of process %d ends here", part, strerror(errno), pub.rank);
    pub.tracing = false;
    is_cut = true;
    if (ftruncate(descriptor, whole) != 0)
        pub_say("trace: %s: %s", part, strerror(errno));
}

static void put_text(const char *text, size_t n)
{
    while (n && pub.tracing) {
        size_t now = n < WINDOW - used ? n : WINDOW - used;
        memcpy(window + used, text, now);
        used += now, text += now, n -= now;
        if (used == WINDOW && !next_window())
            cut();
    }
}

static void row_ends(void)
{
    if (pub.tracing)
        whole = windows * (off_t)WINDOW + (off_t)used;
}

/* Takes the name of the file from processor 0; false if there is no trace. */
static bool agree_on_file(void)
{
    const char *name = secure_getenv("PUB_TRACE");
    if (name && *name)
        bsplib_trace(name);
    int length = file ? (int)strlen(file) + 1 : 0;
    MPI_Bcast(&length, 1, MPI_INT, 0, pub.comm);
    if (pub.rank) {
        free(file);
        file = length ? malloc((size_t)length) : NULL;
        if (length && !file)
            pub_fail(NULL, "no memory");
    }
    if (length)
        MPI_Bcast(file, length, MPI_CHAR, 0, pub.comm);
    return length != 0;
}

static bool open_part(void)
{
    if ((size_t)snprintf(part, sizeof part, "%s.%d.part", file, pub.rank) >= sizeof part) {
        errno = ENAMETOOLONG;
        return false;
    }
    struct stat status;
    if (stat(file, &status) == 0 && !S_ISREG(status.st_mode)) { /* it would be replaced */
        errno = S_ISDIR(status.st_mode) ? EISDIR : ENOTSUP;
        return false;
    }
    descriptor = pub_file_create(AT_FDCWD, part);
    return descriptor >= 0 && next_window();
}

static void forget_part(void)
{
    if (window)
        munmap(window, WINDOW);
    if (descriptor >= 0) {
        close(descriptor);
        unlink(part);
    }
    free(file);
    file = NULL;
    window = NULL;
    descriptor = -1;
}

/* If a part cannot be written, there is no trace. The first processor whose part cannot be written
   reports it. */
void pub_trace_begin(void)
{
    char header[512];
    if (!agree_on_file())
        return;
    int bad = open_part() ? pub.size : pub.rank, error = errno, first_bad;
    MPI_Allreduce(&bad, &first_bad, 1, MPI_INT, MPI_MIN, pub.comm);
    if (first_bad < pub.size) {
        if (first_bad == pub.rank) {
            char host[256];
            pub_host_number(host, sizeof host);
            pub_say("trace: %s: %s (process %d on host %s); there is no trace", part,
                    strerror(error), pub.rank, host);
        }
        forget_part();
        return;
    }
    pub.tracing = true;
    pub.plain = false;
    if (pub.rank == 0)
        put_text(header,
                 (size_t)snprintf(header, sizeof header, HEADER, pub.size, pub.pieces >> 10));
    row_ends();
    pub.world->trace.path = strdup("m");
    MPI_Barrier(pub.comm); /* the clocks of the processes begin together */
    started = left_at = pub_clock();
}

/* ---- time */

void pub_trace_enter(void)
{
    if (inside++)
        return;
    entered = pub_clock();
    headers_at = 0;
    outside += entered - left_at;
}

void pub_trace_leave(void)
{
    if (!inside || --inside)
        return;
    left_at = pub_clock();
    calls += left_at - entered;
}

void pub_trace_headers(void)
{
    if (!headers_at)
        headers_at = pub_clock();
}

/* ---- rows */

static const char *const kinds[] = {"sync", "oblsync", "partition", "dup", "done"};

/* A group is PARENT.N:G, the N-th child of its parent and group G of its partition; a copy
 * PARENT.Nc. */
static void name(struct pub_object *object)
{
    const struct pub_object *parent = object->family.parent;
    const char *front = parent->trace.path ? parent->trace.path : "m";
    size_t room = strlen(front) + 48;
    free(object->trace.path);
    object->trace.path = malloc(room);
    if (!object->trace.path)
        return;
    if (object->family.is_copy)
        snprintf(object->trace.path, room, "%s.%lluc", front,
                 (unsigned long long)parent->family.children);
    else
        snprintf(object->trace.path, room, "%s.%llu:%d", front,
                 (unsigned long long)parent->family.children, object->family.group);
}

/* Numbers without snprintf: a row costs a tenth of a microsecond, as little as a message. */
static char *put_number(char *at, uint64_t value)
{
    char digits[24];
    int n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while (value /= 10);
    while (n)
        *at++ = digits[--n];
    *at++ = ' ';
    return at;
}

static char *put_word(char *at, const char *word)
{
    size_t n = strlen(word);
    memcpy(at, word, n);
    at[n] = ' ';
    return at + n + 1;
}

/* "0,2,5-7", or "-" for none: the processors that sent something. */
static void put_partners(struct pub_packet **order, uint32_t n)
{
    char text[32];
    bool any = false;
    for (uint32_t i = 0; i < n;) {
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): order is NULL only where n is 0
        uint32_t first = order[i]->header.src, last = first;
        while (i < n && order[i]->header.src <= last + 1)
            last = order[i++]->header.src;
        int length = first == last
                         ? snprintf(text, sizeof text, "%s%u", any ? "," : "", first)
                         : snprintf(text, sizeof text, "%s%u-%u", any ? "," : "", first, last);
        put_text(text, (size_t)length);
        any = true;
    }
    put_text(any ? " " : "- ", any ? 1 : 2);
}

void pub_trace_row(struct pub_object *object, enum pub_trace_kind kind, struct pub_packet **order,
                   uint32_t n)
{
    bool begins = kind == PUB_TRACE_PARTITION || kind == PUB_TRACE_DUP;
    uint64_t now = pub_clock(), waited = 0, transfer = 0;
    if (begins)
        name(object);
    if (begins || kind == PUB_TRACE_DONE) {
        calls += now - entered;
    } else {
        waited = (headers_at ? headers_at : now) - entered;
        transfer = headers_at ? now - headers_at : 0;
    }
    char row[512], *at = row;
    const char *path = object->trace.path ? object->trace.path : "m";
    at = put_number(at, (uint64_t)pub.rank);
    put_text(row, (size_t)(at - row));
    put_text(path, strlen(path));
    at = row;
    *at++ = ' ';
    at = put_number(at, (uint64_t)object->pid);
    at = put_number(at, (uint64_t)object->size);
    at = put_number(at, begins ? object->family.parent->step : object->step);
    at = put_word(at, kinds[kind]);
    at = put_number(at, outside);
    at = put_number(at, calls);
    at = put_number(at, waited);
    at = put_number(at, transfer);
    at = put_number(at, begins ? 0 : object->out.bytes);
    at = put_number(at, begins ? 0 : object->inbox.bytes);
    at = put_number(at, begins ? 0 : object->out.messages);
    at = put_number(at, order ? object->inbox.messages + object->inbox.others : 0);
    put_text(row, (size_t)(at - row));
    put_partners(order, n);
    at = put_number(row, now - started);
    at[-1] = '\n';
    put_text(row, (size_t)(at - row));
    row_ends();
    outside = calls = 0;
    /* The rest of this call counts as a call of the next superstep. */
    entered = now;
}

/* ---- the end: one file of all parts */

static int failure; /* errno of the first error */

static void write_all(int to, const char *bytes, size_t n)
{
    while (n && !failure) {
        limits_fail();
        ssize_t written = write(to, bytes, n);
        limits_end();
        if (written < 0 && errno != EINTR)
            failure = errno;
        if (written > 0)
            bytes += written, n -= (size_t)written;
    }
}

/* Sends the part of this process to processor 0, in chunks; processor 0 writes its own. */
static void pass_on(int to, char *chunk)
{
    ssize_t n;
    off_t at = 0;
    while ((n = pread(descriptor, chunk, CHUNK, at)) > 0) {
        at += n;
        if (pub.rank == 0)
            write_all(to, chunk, (size_t)n);
        else
            MPI_Send(chunk, (int)n, MPI_BYTE, 0, TAG_TRACE, pub.comm);
    }
    if (pub.rank)
        MPI_Send(chunk, 0, MPI_BYTE, 0, TAG_TRACE, pub.comm);
}

static void collect(int to, char *chunk, const char *cuts)
{
    pass_on(to, chunk);
    for (int process = 1; process < pub.size; process++)
        for (int n = 1; n;) {
            MPI_Status status;
            MPI_Recv(chunk, (int)CHUNK, MPI_BYTE, process, TAG_TRACE, pub.comm, &status);
            MPI_Get_count(&status, MPI_BYTE, &n);
            write_all(to, chunk, (size_t)n);
        }
    for (int process = 0; process < pub.size; process++)
        if (cuts[process])
            write_all(to, chunk,
                      (size_t)snprintf(chunk, CHUNK, "# incomplete: process %d\n", process));
}

static bool write_file(char *chunk, const char *cuts)
{
    char temporary[PATH_MAX + 8];
    snprintf(temporary, sizeof temporary, "%s.new", file);
    int to = pub_file_create(AT_FDCWD, temporary);
    failure = to < 0 ? errno : 0;
    collect(to, chunk, cuts);
    if (!failure)
        failure = pub_file_sync(to);
    if (to >= 0 && close(to) != 0 && !failure)
        failure = errno;
    if (!failure)
        failure = pub_file_rename(AT_FDCWD, temporary, file);
    if (failure) {
        pub_say("trace: %s: %s; the parts %s.*.part stay", file, strerror(failure), file);
        unlink(temporary);
    }
    return !failure;
}

void pub_trace_end(void)
{
    int good = 0;
    char is_mine_cut, *chunk, *cuts;
    if (!file)
        return;
    if (window) {
        munmap(window, WINDOW);
        window = NULL;
    }
    if (pub.tracing && ftruncate(descriptor, whole) != 0)
        cut();
    pub.tracing = false;
    chunk = malloc(CHUNK), cuts = malloc((size_t)pub.size);
    if (!chunk || !cuts)
        pub_fail(NULL, "no memory for the trace");
    is_mine_cut = is_cut;
    MPI_Gather(&is_mine_cut, 1, MPI_CHAR, cuts, 1, MPI_CHAR, 0, pub.comm);
    if (pub.rank == 0)
        good = write_file(chunk, cuts);
    else
        pass_on(-1, chunk);
    MPI_Bcast(&good, 1, MPI_INT, 0, pub.comm);
    free(chunk);
    free(cuts);
    if (good) {
        forget_part();
        return;
    }
    close(descriptor);
    free(file);
    file = NULL;
    descriptor = -1;
}
