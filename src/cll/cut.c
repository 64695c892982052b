/* SPDX-License-Identifier: MIT */
/*
 * A spool that was truncated while the program runs. An access to a page that the file no longer
 * has raises SIGBUS. The handler (bus.c) replaces the pages from there to the end of the file by
 * memory, which holds zeros. Mending, at the next slow path or report, makes segments of it again:
 * incomplete records and entries are cut off, threads leave the segments that are lost, and the
 * description of the run is written again.
 *
 * After that no new chunks are made in the file.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static struct cut {
    uint64_t gone_from;         /* bytes of the file from here on are in memory */
    int found;                  /* since the last mending; atomic: a handler of SIGBUS sets it */
    char patching;              /* a thread replaces pages; atomic */
    struct spool_header header; /* as it was when it was complete */
    int said;
} cut = {.gone_from = UINT64_MAX};

void cll_cut_restart(void)
{
    cut = (struct cut){.gone_from = UINT64_MAX, .said = cut.said};
}

int cll_spool_is_cut(void)
{
    return __atomic_load_n(&cut.found, __ATOMIC_ACQUIRE);
}

void cll_spool_remember_header(void)
{
    struct spool_header now = *cll_spool_header();
    if (!cll_spool_is_cut())
        cut.header = now;
}

/* ---- in the handler of SIGBUS */

/* Replaces bytes [from, to) of the file by memory. */
static int replace(uint64_t from, uint64_t to)
{
    struct cll_spool_part piece;
    uint64_t start = 0;
    for (unsigned i = 0; cll_spool_piece(i, &piece); start += piece.bytes, i++) {
        uint64_t first = from > start ? from : start;
        uint64_t end = to < start + piece.bytes ? to : start + piece.bytes;
        if (first < end && mmap(piece.base + (first - start), end - first, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) == MAP_FAILED)
            return 0;
    }
    return 1;
}

/* The page of the file with this byte, and all pages after it, are missing. */
static int lose_page(uint64_t from)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    from = from / page * page;
    while (__atomic_exchange_n(&cut.patching, 1, __ATOMIC_ACQUIRE))
        sched_yield(); /* another thread has found it, too */
    int done = from >= cut.gone_from || replace(from, cut.gone_from);
    if (done && from < cut.gone_from)
        cut.gone_from = from;
    __atomic_store_n(&cut.found, 1, __ATOMIC_RELEASE);
    __atomic_store_n(&cut.patching, 0, __ATOMIC_RELEASE);
    if (cll_self->internal)
        cll_self->limit = NULL; /* the record being written is lost; the next end mends */
    return done;
}

int cll_spool_patch(void *address)
{
    struct cll_spool_part piece;
    uint64_t start = 0;
    unsigned i = 0;
    for (;; start += piece.bytes, i++) {
        if (!cll_spool_piece(i, &piece))
            return 0;
        if ((char *)address >= piece.base && (char *)address < piece.base + piece.bytes)
            return lose_page(start + (uint64_t)((char *)address - piece.base));
    }
}

void cll_spool_lose(uint64_t size)
{
    lose_page(size + (uint64_t)sysconf(_SC_PAGESIZE) - 1);
}

void cll_spool_check_chunk(char *base, uint64_t bytes)
{
    if (__atomic_load_n(&cut.gone_from, __ATOMIC_ACQUIRE) != UINT64_MAX)
        (void)mmap(base, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                   0);
}

/* ---- mending */

static int is_sound(const struct spool_segment *segment, uint64_t left)
{
    return segment->magic == SEGMENT_MAGIC && segment->bytes >= sizeof *segment &&
           segment->bytes % SPOOL_ALIGN == 0 && segment->bytes <= left;
}

/* Ends the records before the first that is not complete. */
static void trim_records(struct spool_segment *segment, const char *gone)
{
    uint64_t *at = (uint64_t *)(segment + 1);
    segment->progress = 0; /* only thinning uses it, while it runs */
    while ((char *)(at + CLL_RECORD_WORDS) <= gone && at[1]) {
        uint64_t *next = at + cll_record_words(at);
        if ((char *)next > gone)
            at[1] = 0;
        else
            at = next;
    }
    cll_thread_abandon((char *)segment, (char *)segment + 1);
}

static void trim_entries(struct spool_segment *segment, const char *gone)
{
    struct spool_entry *entry = (struct spool_entry *)(segment + 1);
    while ((char *)(entry + 1) <= gone && entry->bytes) {
        if ((char *)entry + entry->bytes > gone)
            entry->bytes = 0;
        else
            entry = (struct spool_entry *)((char *)entry + entry->bytes);
    }
}

/* Mends a chunk whose bytes from `gone` on are new memory; returns how many META segments are
   complete. */
static unsigned mend_chunk(const struct cll_spool_part *chunk, const char *gone)
{
    unsigned metas = 0;
    uint64_t at = 0;
    while (at < chunk->bytes) {
        struct spool_segment *segment = (struct spool_segment *)(chunk->base + at);
        uint64_t left = chunk->bytes - at;
        if (!is_sound(segment,
                      left)) { /* becomes an open segment without a thread and without records */
            cll_thread_abandon((char *)segment, (char *)segment + left);
            memset(segment, 0, sizeof *segment);
            segment->magic = SEGMENT_MAGIC;
            segment->kind = SEGMENT_RECORDS;
            segment->bytes = left;
            segment->open = 1;
            segment->progress = (left - sizeof *segment) / sizeof(uint64_t) << 32;
        } else if ((char *)segment < gone && (char *)segment + segment->bytes > gone) {
            if (segment->kind == SEGMENT_RECORDS)
                trim_records(segment, gone);
            else if (segment->kind != SEGMENT_FREE)
                trim_entries(segment, gone);
        } else if (segment->kind == SEGMENT_META) {
            metas++;
        }
        at += segment->bytes;
    }
    return metas;
}

static void mend_all(void)
{
    struct cll_spool_part piece;
    struct spool_header *header = cll_spool_header();
    unsigned metas = 0, wanted = cll_spool_metas();
    uint64_t start = header->size;
    if (memcmp(header->magic, SPOOL_MAGIC, sizeof SPOOL_MAGIC)) {
        *header = cut.header;
        start = header->size;
    }
    for (unsigned i = 1; cll_spool_piece(i, &piece); start += piece.bytes, i++)
        metas += mend_chunk(&piece, cut.gone_from < start ? piece.base
                                    : cut.gone_from - start < piece.bytes
                                        ? piece.base + (cut.gone_from - start)
                                        : piece.base + piece.bytes);
    cll_entries_restart(SEGMENT_TOTALS);
    cll_thin_restart(); /* its table points to totals that may be lost */
    cll_spool_no_more_file();
    cll_segment_gather_free();
    if (metas < wanted) {
        cll_spool_forget_metas();
        cll_thread_describe_run();
    }
}

void cll_spool_mend(void)
{
    while (__atomic_exchange_n(&cut.found, 0, __ATOMIC_ACQUIRE))
        mend_all(); /* which may find more missing pages */
    cll_info("note: the spool was truncated while the program ran; the samples in it are lost");
    if (!cut.said)
        cll_say(
            "%s was truncated while the program ran: the samples in it are lost; new samples are "
            "kept in memory",
            cll_spool_path());
    cut.said = 1;
}
