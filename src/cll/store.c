/* SPDX-License-Identifier: MIT */
/*
 * The spool of this process: a header and chunks. Each is a mapping of the spool file, or anonymous
 * memory where there cannot be a file. A chunk consists of segments, without gaps.
 *
 * No descriptor is kept open, because a program may close all descriptors, and the number would
 * then belong to another file. The file is opened again by its name for each chunk, and used only
 * if it is still the same file. Space is allocated before it is mapped, because a page without
 * space on a full disk would raise SIGBUS. Pages are touched, so that no page fault happens in a
 * measured region.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNKS     65536
#define FREE_SLOTS 256
#define META_BYTES 16384u
#define RESERVE    (1u << 20)

static struct {
    struct spool_header *header;
    struct cll_destination place;
    int in_file;     /* the header is in a file */
    int file_failed; /* no more chunks in the file */
    dev_t file_device;
    ino_t file_inode;
    uint64_t file_size;

    struct cll_spool_part *chunks; /* pages for CHUNKS of them; a forked child uses them again */
    unsigned nchunks;
    unsigned nchunks_in_file; /* the first ones: after a failure no more are made in the file */
    uint64_t used;            /* bytes of all chunks of RECORDS */

    struct spool_segment *free_segments[FREE_SLOTS];
    unsigned nfree;
    unsigned nmetas;                                         /* META segments so far */
    struct spool_segment *entry_segment[SEGMENT_TOTALS + 1]; /* where entries are appended */
    uint64_t entry_used[SEGMENT_TOTALS + 1];

    void *reserve;   /* memory for writing the data file, if all other memory is used up; a forked
                      child uses it, too */
    int said;        /* a message, which a forked child does not repeat */
    int place_error; /* the errno in a message about spool and data file together; 0: none */
} store;

struct spool_header *cll_spool_header(void)
{
    return store.header;
}

struct cll_destination *cll_spool_destination(void)
{
    return &store.place;
}

const char *cll_spool_path(void)
{
    return store.in_file ? store.place.spool : NULL;
}

static uint64_t page_size(void)
{
    long size = sysconf(_SC_PAGESIZE);
    return size > 0 ? (uint64_t)size : 4096;
}

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

static uint64_t header_bytes(void)
{
    return round_up(SPOOL_HEADER_SIZE, page_size());
}

/* Does a file of this process fail in the folder of the data file for a reason that also the data file
   will meet? The data file of a member may be made on another host. */
static int is_unusable_place(int error)
{
    return (error == ENOENT || error == ENOTDIR || error == EACCES || error == EROFS ||
            error == EPERM) &&
           !cll_settings.device[0] && !cll_driver_is_member() &&
           !strcmp(cll_settings.spool_directory, cll_settings.directory);
}

static void say_memory_only(int error)
{
    if (is_unusable_place(error))
        store.place_error = error;
    if (!store.said && store.place_error)
        cll_say(
            "cannot write to %s (%s): neither the spool nor the data file can be made there. The "
            "samples are kept in memory, and are lost if this is so when the program ends; CLL_OUT "
            "can name another place",
            cll_settings.directory, strerror(error));
    else if (!store.said)
        cll_say("cannot spool to %s (%s): samples are kept in memory, and are lost if the program "
                "is killed; CLL_SPOOL or CLL_OUT can name another directory",
                store.place.spool, strerror(error));
    store.said = 1;
}

static void touch_pages(char *base, uint64_t bytes)
{
    for (uint64_t at = 0; at < bytes; at += page_size())
        *(volatile char *)(base + at) = 0;
}

/* Room for bytes more at the end of the file, mapped; null with errno. */
static char *map_more(int fd, uint64_t bytes)
{
    struct rlimit limit;
    struct cll_quiet quiet;
    if (!getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
        store.file_size + bytes > limit.rlim_cur) {
        errno = EFBIG;
        return NULL;
    }
    cll_quiet_begin(&quiet);
    int error = posix_fallocate(fd, (off_t)store.file_size, (off_t)bytes);
    cll_quiet_end(&quiet);
    if (error) {
        errno = error;
        return NULL;
    }
    char *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, (off_t)store.file_size);
    if (base == MAP_FAILED)
        return NULL;
    store.file_size += bytes;
    return base;
}

static char *map_in_file(uint64_t bytes)
{
    struct stat status;
    int fd = open(store.place.spool, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return NULL;
    char *base = NULL;
    if (fstat(fd, &status) || status.st_dev != store.file_device ||
        status.st_ino != store.file_inode) {
        errno = ESTALE;
    } else if ((uint64_t)status.st_size < store.file_size) {
        cll_spool_lose((uint64_t)status.st_size); /* before the file grows again, with zeros */
        errno = ESTALE;
    } else {
        base = map_more(fd, bytes);
    }
    int error = errno;
    close(fd);
    errno = error;
    return base;
}

/* Creates the spool file with its header page; null with errno. */
static struct spool_header *header_in_file(void)
{
    struct stat status;
    int fd = cll_destination_reserve(&store.place);
    if (fd < 0)
        return NULL;
    struct spool_header *made = NULL;
    store.file_size = 0;
    if (!fstat(fd, &status)) {
        store.file_device = status.st_dev;
        store.file_inode = status.st_ino;
        made = (struct spool_header *)map_more(fd, header_bytes());
    }
    int error = errno;
    close(fd);
    if (!made)
        unlink(store.place.spool);
    errno = error;
    return made;
}

static void fill_header(void)
{
    const struct cll_settings *s = &cll_settings;
    struct spool_header *header = store.header;
    memcpy(header->magic, SPOOL_MAGIC, sizeof SPOOL_MAGIC);
    header->order = SPOOL_ORDER;
    header->size = (uint32_t)header_bytes();
    header->pid = (uint32_t)getpid();
    header->clock = (uint32_t)cll_clock_kind();
    header->start_ticks = s->start_ticks;
    header->start_ns = s->start_ns;
    header->start_unix = s->start_unix;
    header->nominal_hz = cll_clock_hz();
    header->counter_run = s->counters != 0;
    header->cores = cll_machine_cores();
    header->run = s->run;
    if (store.in_file && strlen(s->spool_directory) < sizeof header->folder)
        memcpy(header->folder, s->spool_directory, strlen(s->spool_directory) + 1);
    cll_machine_moment(&header->begin);
    cll_spool_tick();
}

int cll_spool_destination_error(void)
{
    return store.place_error;
}

int cll_spool_start(void)
{
    if (!store.chunks)
        store.chunks = cll_pages_new(CHUNKS * sizeof *store.chunks);
    if (!store.reserve)
        store.reserve = cll_pages_new(RESERVE);
    if (!store.chunks || !store.reserve)
        return 0;
    if (cll_settings.spool) {
        store.header = header_in_file();
        store.in_file = store.header != NULL;
        if (!store.in_file)
            say_memory_only(errno);
    }
    if (store.in_file) {
        cll_bus_install();
        touch_pages((char *)store.header, header_bytes());
    }
    if (!store.in_file) {
        store.file_failed = 1;
        cll_destination_set(&store.place, 0);
        store.header = cll_pages_new(header_bytes());
        if (!store.header)
            return 0;
    }
    fill_header();
    return 1;
}

void cll_spool_tick(void)
{
    uint64_t ticks, ns;
    struct timespec t;
    cll_clock_pair(&ticks, &ns);
    store.header->last_ticks = ticks;
    store.header->last_ns = ns;
    if (cll_clock_kind() == CLOCK_KIND_COMPUTED)
        store.header->processor =
            (double)(ticks - store.header->start_ticks) / (double)cll_computed_hz();
    else if (!clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t))
        store.header->processor = (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
    cll_spool_remember_header();
}

static char *chunk_new(uint64_t bytes)
{
    char *base = NULL;
    if (store.nchunks == CHUNKS)
        return NULL;
    if (!store.file_failed) {
        base = map_in_file(bytes);
        if (!base) {
            store.file_failed = 1;
            if (!cll_spool_is_cut())
                say_memory_only(errno);
        }
    }
    int mapped = base != NULL;
    if (!base)
        base = cll_pages_new(bytes);
    if (base) {
        store.chunks[store.nchunks].base = base;
        store.chunks[store.nchunks++].bytes = bytes;
        if (mapped) {
            store.nchunks_in_file = store.nchunks; /* from here on the handler of SIGBUS knows it */
            cll_spool_check_chunk(base, bytes);
        }
        touch_pages(base, bytes);
    }
    return base;
}

static struct spool_segment *segment_at(char *base, unsigned kind, uint64_t bytes)
{
    struct spool_segment *segment = (struct spool_segment *)base;
    segment->bytes = bytes;
    segment->thread = 0;
    segment->open = 0;
    segment->progress = 0;
    segment->kind = kind;
    __atomic_store_n(&segment->magic, SEGMENT_MAGIC, __ATOMIC_RELEASE);
    return segment;
}

/* The largest free segment that has at least `least` bytes. */
static struct spool_segment *take_free(uint64_t least)
{
    unsigned best = store.nfree;
    for (unsigned i = 0; i < store.nfree; i++)
        if (store.free_segments[i]->bytes >= least &&
            (best == store.nfree ||
             store.free_segments[i]->bytes > store.free_segments[best]->bytes))
            best = i;
    if (best == store.nfree)
        return NULL;
    struct spool_segment *segment = store.free_segments[best];
    store.free_segments[best] = store.free_segments[--store.nfree];
    return segment;
}

/* If there are more than slots, the largest are remembered. */
static void remember_free(struct spool_segment *segment)
{
    unsigned smallest = 0;
    if (store.nfree < FREE_SLOTS) {
        store.free_segments[store.nfree++] = segment;
        return;
    }
    for (unsigned i = 1; i < store.nfree; i++)
        if (store.free_segments[i]->bytes < store.free_segments[smallest]->bytes)
            smallest = i;
    if (store.free_segments[smallest]->bytes < segment->bytes)
        store.free_segments[smallest] = segment;
}

struct spool_segment *cll_segment_new(unsigned kind, uint64_t want, uint64_t least, int force)
{
    if (cll_spool_is_cut())
        cll_spool_mend();
    int records = kind == SEGMENT_RECORDS;
    want = round_up(want, page_size());
    least = round_up(least + sizeof(struct spool_segment), SPOOL_ALIGN);
    struct spool_segment *segment = records ? take_free(least) : NULL;
    if (segment) {
        if (segment->bytes > want + META_BYTES)
            cll_segment_cut(segment, want);
        segment->kind = kind;
        return segment;
    }
    /* A quarter of the memory is for thinning: totals of the tuples, and how to find them. */
    if (records && !force && store.used + want > cll_settings.memory / 4 * 3)
        return NULL;
    char *base = chunk_new(want);
    if (!base)
        return NULL;
    if (records)
        store.used += want;
    store.nmetas += kind == SEGMENT_META;
    cll_spool_tick();
    return segment_at(base, kind, want);
}

void cll_segment_cut(struct spool_segment *segment, uint64_t keep)
{
    keep = round_up(keep, SPOOL_ALIGN);
    if (keep + UINT64_C(2) * SPOOL_ALIGN > segment->bytes)
        return;
    struct spool_segment *rest =
        segment_at((char *)segment + keep, SEGMENT_FREE, segment->bytes - keep);
    __atomic_store_n(&segment->bytes, keep, __ATOMIC_RELEASE);
    remember_free(rest);
}

void cll_segment_each(void (*visit)(struct spool_segment *segment, void *data), void *data)
{
    if (cll_spool_is_cut())
        cll_spool_mend();
    for (unsigned i = 0; i < store.nchunks; i++) {
        for (uint64_t at = 0; at < store.chunks[i].bytes;) {
            struct spool_segment *segment = (struct spool_segment *)(store.chunks[i].base + at);
            if (!segment->bytes)
                break;            /* lost a moment ago */
            at += segment->bytes; /* first: visit may cut the segment */
            visit(segment, data);
        }
    }
}

void cll_segment_gather_free(void)
{
    store.nfree = 0;
    for (unsigned i = 0; i < store.nchunks; i++) {
        struct spool_segment *last = NULL; /* the free segment just before */
        for (uint64_t at = 0; at < store.chunks[i].bytes;) {
            struct spool_segment *segment = (struct spool_segment *)(store.chunks[i].base + at);
            if (!segment->bytes)
                break;
            at += segment->bytes;
            if (segment->kind != SEGMENT_FREE) {
                if (last)
                    remember_free(last);
                last = NULL;
            } else if (last) {
                last->bytes += segment->bytes;
                memset(segment, 0, sizeof *segment);
            } else {
                last = segment;
            }
        }
        if (last)
            remember_free(last);
    }
}

struct spool_entry *cll_entry_new(unsigned segment_kind, unsigned kind, unsigned id, size_t bytes)
{
    uint64_t total = round_up(sizeof(struct spool_entry) + bytes, 8);
    struct spool_segment *segment = store.entry_segment[segment_kind];
    if (!segment || store.entry_used[segment_kind] + total > segment->bytes) {
        uint64_t want = META_BYTES;
        if (want < total + sizeof *segment)
            want = total + sizeof *segment;
        segment = cll_segment_new(segment_kind, want, total, 0);
        if (!segment)
            return NULL;
        store.entry_segment[segment_kind] = segment;
        store.entry_used[segment_kind] = sizeof *segment;
    }
    struct spool_entry *entry =
        (struct spool_entry *)((char *)segment + store.entry_used[segment_kind]);
    entry->kind = kind;
    entry->id = id;
    entry->reserved = (uint32_t)total; /* until it is done */
    return entry;
}

void cll_entries_restart(unsigned segment_kind)
{
    store.entry_segment[segment_kind] = NULL;
}

void cll_entry_done(struct spool_entry *entry)
{
    uint32_t total = entry->reserved;
    entry->reserved = 0;
    for (unsigned kind = 0; kind <= SEGMENT_TOTALS; kind++)
        if (store.entry_segment[kind] &&
            (char *)entry == (char *)store.entry_segment[kind] + store.entry_used[kind])
            store.entry_used[kind] += total;
    __atomic_store_n(&entry->bytes, total, __ATOMIC_RELEASE);
}

void cll_info(const char *format, ...)
{
    char text[8192];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    struct spool_entry *entry =
        store.header ? cll_entry_new(SEGMENT_META, ENTRY_INFO, 0, strlen(text) + 1) : NULL;
    if (!entry)
        return;
    memcpy(entry + 1, text, strlen(text) + 1);
    cll_entry_done(entry);
}

void cll_spool_view(struct cll_spool_view *view)
{
    if (store.reserve)
        cll_pages_free(store.reserve, RESERVE);
    store.reserve = NULL;
    if (cll_spool_is_cut())
        cll_spool_mend();
    view->header = store.header;
    view->parts = store.chunks;
    view->nparts = store.nchunks;
    view->suspect = 0;
}

void cll_spool_view_of_file(struct cll_spool_view *view)
{
    cll_spool_view(view);
    view->nparts = store.in_file ? store.nchunks_in_file : 0;
}

/* Replaces a mapping of the file by memory with the same content. */
static int into_memory(char *base, uint64_t bytes)
{
    char *copy = cll_pages_new(bytes);
    if (!copy)
        return 0;
    memcpy(copy, base, bytes);
    if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, base) != MAP_FAILED)
        return 1;
    cll_pages_free(copy, bytes);
    return 0;
}

int cll_spool_to_memory(void)
{
    int done = store.in_file && into_memory((char *)store.header, store.header->size);
    for (unsigned i = 0; i < store.nchunks_in_file && done; i++)
        done = into_memory(store.chunks[i].base, store.chunks[i].bytes);
    if (done) {
        store.nchunks_in_file = 0;
        cll_spool_remove();
    }
    return done;
}

int cll_spool_piece(unsigned index, struct cll_spool_part *piece)
{
    if (!store.header || !store.in_file || index > store.nchunks_in_file)
        return 0;
    if (index) {
        *piece = store.chunks[index - 1];
    } else {
        piece->base = (char *)store.header;
        piece->bytes = header_bytes();
    }
    return 1;
}

unsigned cll_spool_metas(void)
{
    return store.nmetas;
}

static void free_meta(struct spool_segment *segment, void *data)
{
    (void)data;
    if (segment->kind != SEGMENT_META)
        return;
    memset(segment + 1, 0, segment->bytes - sizeof *segment);
    segment->kind = SEGMENT_FREE;
}

void cll_spool_forget_metas(void)
{
    cll_segment_each(free_meta, NULL);
    cll_entries_restart(SEGMENT_META);
    store.nmetas = 0;
}

void cll_spool_no_more_file(void)
{
    store.file_failed = 1;
    store.nfree = 0;
}

void cll_spool_remove(void)
{
    struct stat status;
    if (store.in_file && !lstat(store.place.spool, &status) && status.st_dev == store.file_device &&
        status.st_ino == store.file_inode)
        unlink(store.place.spool);
    store.in_file = 0;
    store.file_failed = 1;
}

void cll_spool_detach(void)
{
    for (unsigned i = 0; i < store.nchunks_in_file; i++)
        (void)mmap(store.chunks[i].base, store.chunks[i].bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

/* The mappings stay: regions of the parent may still be open on this stack. Nothing writes to them,
   because the thread's buffer was wiped. */
void cll_spool_restart(void)
{
    struct cll_spool_part *chunks = store.chunks;
    void *reserve = store.reserve;
    int said = store.said, place_error = store.place_error;
    memset(&store, 0, sizeof store);
    store.chunks = chunks;
    store.reserve = reserve;
    store.said = said;
    store.place_error = place_error;
}
