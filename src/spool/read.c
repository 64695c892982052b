/* SPDX-License-Identifier: MIT */
/*
 * Walks the segments of a spool, and the entries and records in them.
 *
 * A thread may append records while they are read (a report while other threads run). The word that
 * makes a record visible is read with acquire, and nothing is read beyond the last visible record.
 */
#define _GNU_SOURCE
#include "spool/read.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

static void *pages(size_t bytes)
{
    void *made = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return made == MAP_FAILED ? NULL : made;
}

/* ---- the map */

uint64_t cll_hash_mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9e3779b97f4a7c15u;
    x ^= x >> 29;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

uint64_t cll_hash_text(const char *text)
{
    uint64_t hash = 1469598103934665603u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return cll_hash_mix(hash);
}

size_t cll_map_find(const struct read_map *map, uint64_t hash, read_map_equal *equal,
                    const void *key, void *data)
{
    if (!map->nslots)
        return SIZE_MAX;
    for (size_t at = hash & (map->nslots - 1); map->slots[at]; at = (at + 1) & (map->nslots - 1))
        if (equal(map->slots[at] - 1, key, data))
            return map->slots[at] - 1;
    return SIZE_MAX;
}

static void map_put(struct read_map *map, uint64_t hash, size_t index)
{
    size_t at = hash & (map->nslots - 1);
    while (map->slots[at])
        at = (at + 1) & (map->nslots - 1);
    map->slots[at] = index + 1;
    map->count++;
}

int cll_map_add(struct read_map *map, uint64_t hash, size_t index, read_map_hash *rehash,
                void *data)
{
    if (map->count * 2 >= map->nslots) {
        struct read_map more = {.nslots = map->nslots ? map->nslots * 2 : 512};
        more.slots = pages(more.nslots * sizeof *more.slots);
        if (!more.slots)
            return ENOMEM;
        for (size_t i = 0; i < map->nslots; i++)
            if (map->slots[i])
                map_put(&more, rehash(map->slots[i] - 1, data), map->slots[i] - 1);
        cll_map_free(map);
        *map = more;
    }
    map_put(map, hash, index);
    return 0;
}

void cll_map_free(struct read_map *map)
{
    if (map->slots)
        munmap(map->slots, map->nslots * sizeof *map->slots);
    memset(map, 0, sizeof *map);
}

/* ---- segments */

typedef int segment_visit(struct read_spool *spool, const struct spool_segment *segment,
                          uint64_t bytes, void *data);

/* The bytes of the segment at *at; 0 if there is none. */
static uint64_t segment_bytes(struct read_spool *spool, const struct cll_spool_part *part,
                              uint64_t *at)
{
    if (spool->view->suspect)
        return cll_check_segment(spool, part, at);
    if (part->bytes - *at < sizeof(struct spool_segment))
        return 0;
    const struct spool_segment *segment = (const void *)(part->base + *at);
    return __atomic_load_n(&segment->bytes, __ATOMIC_ACQUIRE);
}

static int walk_segments(struct read_spool *spool, unsigned kind, segment_visit *visit, void *data)
{
    spool->skipped = 0;
    spool->skipped_segments = 0;
    for (size_t i = 0; i < spool->view->nparts; i++) {
        const struct cll_spool_part *part = &spool->view->parts[i];
        uint64_t bytes;
        for (uint64_t at = 0; (bytes = segment_bytes(spool, part, &at)); at += bytes) {
            const struct spool_segment *segment = (const void *)(part->base + at);
            int stop = segment->kind == kind ? visit(spool, segment, bytes, data) : 0;
            if (stop)
                return stop;
        }
    }
    return 0;
}

/* ---- entries */

struct entry_walk {
    unsigned kind;
    read_entry_visit *visit;
    void *data;
};

static int entries_of_segment(struct read_spool *spool, const struct spool_segment *segment,
                              uint64_t bytes, void *data)
{
    const struct entry_walk *walk = data;
    uint64_t at = sizeof *segment;
    while (bytes - at >= sizeof(struct spool_entry)) {
        const struct spool_entry *entry = (const void *)((const char *)segment + at);
        uint32_t size = __atomic_load_n(&entry->bytes, __ATOMIC_ACQUIRE);
        if (!size)
            break;
        if (size < sizeof *entry || size % 8 || size > bytes - at) {
            spool->damaged = 1;
            break;
        }
        int stop =
            entry->kind == walk->kind ? walk->visit(entry, size - sizeof *entry, walk->data) : 0;
        if (stop)
            return stop;
        at += size;
    }
    return 0;
}

int cll_read_entries(struct read_spool *spool, unsigned kind, read_entry_visit *visit, void *data)
{
    struct entry_walk walk = {kind, visit, data};
    unsigned segments = kind == ENTRY_TOTAL ? SEGMENT_TOTALS : SEGMENT_META;
    return walk_segments(spool, segments, entries_of_segment, &walk);
}

/* ---- experiments */

/* The next string of *at, which ends before end; null if there is none. */
static const char *next_text(const char **at, const char *end)
{
    const char *text = *at;
    const char *nul = text < end ? memchr(text, 0, (size_t)(end - text)) : NULL;
    if (!nul)
        return NULL;
    *at = nul + 1;
    return text;
}

static int read_experiment(const struct spool_entry *entry, size_t payload, void *data)
{
    struct read_spool *spool = data;
    struct spool_experiment head;
    const char *at = (const char *)(entry + 1), *end = at + payload;
    struct read_experiment e = {0};
    if (!entry->id || entry->id >= spool->nids || payload < sizeof head)
        return spool->damaged = 1, 0;
    memcpy(&head, at, sizeof head);
    at += sizeof head;
    const char *name = next_text(&at, end);
    int good = name && head.nvars <= READ_MAX_VARS && head.nextra <= READ_MAX_EXTRA;
    e.processors = head.flags & SPOOL_PROCESSORS && head.nvars;
    e.nvars = head.nvars - e.processors;
    e.nformulas = head.nformulas;
    e.nextra = head.nextra;
    if (good && e.processors)
        good = next_text(&at, end) != NULL;
    for (unsigned i = 0; good && i < e.nvars; i++)
        good = (e.vars[i] = next_text(&at, end)) != NULL;
    e.formulas = at;
    for (uint64_t i = 0; good && i < 2 * (uint64_t)head.nformulas; i++)
        good = next_text(&at, end) != NULL;
    for (unsigned i = 0; good && i < head.nextra; i++)
        good = (e.extra[i] = next_text(&at, end)) != NULL;
    if (!good)
        return spool->damaged = 1, 0;
    e.name = name;
    spool->experiments[entry->id] = e;
    return 0;
}

static int read_select(const struct spool_entry *entry, size_t payload, void *data)
{
    struct read_spool *spool = data;
    (void)payload;
    if (entry->id < spool->nids)
        spool->experiments[entry->id].selected = 1;
    return 0;
}

static int read_watched(const struct spool_entry *entry, size_t payload, void *data)
{
    struct read_spool *spool = data;
    (void)payload;
    if (entry->id < spool->nids)
        spool->experiments[entry->id].watched = 1;
    return 0;
}

static int see_id(const struct spool_entry *entry, size_t payload, void *data)
{
    struct read_spool *spool = data;
    (void)payload;
    if (entry->id < READ_MAX_IDS && entry->id >= spool->nids)
        spool->nids = entry->id + 1;
    return 0;
}

int cll_read_open(struct read_spool *spool, const struct cll_spool_view *view)
{
    memset(spool, 0, sizeof *spool);
    spool->view = view;
    spool->header = view->header;
    spool->nids = 1;
    if (view->suspect)
        cll_check_start(spool);
    cll_read_entries(spool, ENTRY_EXPERIMENT, see_id, spool);
    spool->experiments = pages(spool->nids * sizeof *spool->experiments);
    if (!spool->experiments)
        return ENOMEM;
    cll_read_entries(spool, ENTRY_EXPERIMENT, read_experiment, spool);
    cll_read_entries(spool, ENTRY_SELECT, read_select, spool);
    cll_read_entries(spool, ENTRY_WATCHED, read_watched, spool);
    if (!view->header->select)
        for (unsigned id = 0; id < spool->nids; id++)
            spool->experiments[id].selected = 1;
    return 0;
}

void cll_read_close(struct read_spool *spool)
{
    if (spool->experiments)
        munmap(spool->experiments, spool->nids * sizeof *spool->experiments);
    spool->experiments = NULL;
}

/* ---- records */

struct record_walk {
    read_record_visit *visit;
    void *data;
};

double cll_watched_seconds(uint64_t watched)
{
    uint32_t bits = (uint32_t)(watched >> 32);
    float seconds;
    memcpy(&seconds, &bits, sizeof seconds);
    return (double)seconds;
}

uint64_t cll_read_record(struct read_spool *spool, const uint64_t *words, uint64_t left,
                         struct read_record *r)
{
    if (left < 3)
        return 0;
    uint64_t second = __atomic_load_n(&words[1], __ATOMIC_ACQUIRE);
    if (!second)
        return 0;
    uint64_t length = 3;
    r->id = (unsigned)(second & SPOOL_ID_MASK);
    if (r->id >= spool->nids) {
        spool->damaged = 1;
        return 0;
    }
    r->experiment = &spool->experiments[r->id];
    r->level = (unsigned)(words[0] & SPOOL_LEVEL_MASK);
    r->start = words[0] >> 6;
    r->duration = second >> 16;
    r->seq = words[2] >> 24;
    r->nested = words[2] & 0xffffff;
    r->watched = 0;
    if (second & SPOOL_WIDE) {
        length += SPOOL_WIDE_WORDS;
        if (left < length)
            return 0;
        r->duration = words[3];
        r->seq = words[4];
        r->nested = words[5];
        r->watched = words[2];
    }
    r->values = words + length + r->experiment->processors;
    length += r->experiment->processors + r->experiment->nvars + r->experiment->nextra;
    if (!r->experiment->name || length > left) {
        spool->damaged = 1;
        return 0;
    }
    r->processors = 0;
    if (r->experiment->processors)
        memcpy(&r->processors, r->values - 1, sizeof r->processors);
    return length;
}

/* Is the record in a data file already, which all processes of a program wrote together? */
static int is_gathered(const struct spool_header *header, const struct read_record *r)
{
    uint64_t mark = header->gathered_ticks & (UINT64_MAX >> 6);
    return header->gathered && (int64_t)((r->start + r->duration - mark) << 6) <= 0;
}

static int visit_records(struct read_spool *spool, const uint64_t *words, uint64_t n,
                         struct read_record *r, const struct record_walk *walk)
{
    uint64_t length;
    for (uint64_t at = 0; at < n; at += length) {
        length = cll_read_record(spool, words + at, n - at, r);
        int stop = length && !is_gathered(spool->header, r) ? walk->visit(r, walk->data) : 0;
        if (stop || !length)
            return stop;
    }
    return 0;
}

static int records_of_segment(struct read_spool *spool, const struct spool_segment *segment,
                              uint64_t bytes, void *data)
{
    const struct record_walk *walk = data;
    const uint64_t *words = (const uint64_t *)(segment + 1);
    uint64_t n = (bytes - sizeof *segment) / sizeof *words;
    uint64_t progress = __atomic_load_n(&segment->progress, __ATOMIC_ACQUIRE);
    uint64_t fill = progress & UINT32_MAX, next = progress >> 32;
    if (fill > next || next > n) {
        spool->damaged = 1;
        fill = fill > n ? n : fill;
        next = n;
    }
    uint64_t end = n;
    if (spool->view->suspect) {
        enum read_order order = spool->header->thinned ? READ_MIXED : READ_AS_WRITTEN;
        fill = cll_check_records(spool, segment, 0, fill, READ_FILLED);
        end = cll_check_records(spool, segment, next, n, order);
    }
    struct read_record r = {.thread = segment->thread};
    int stop = visit_records(spool, words, fill, &r, walk);
    return stop ? stop : visit_records(spool, words + next, end - next, &r, walk);
}

int cll_read_records(struct read_spool *spool, read_record_visit *visit, void *data)
{
    struct record_walk walk = {visit, data};
    return walk_segments(spool, SEGMENT_RECORDS, records_of_segment, &walk);
}
