/* SPDX-License-Identifier: MIT */
/*
 * Thinning: when the memory is used up, records are taken away until half of it is free.
 *
 * Which records stay depends only on a hash of seq, so every thread and every process keeps the
 * same executions: at level k those whose hash ends in k zero bits. Each tuple (an experiment and
 * the values of its variables) has its own level, chosen so that no tuple keeps more records than a
 * cap. A tuple that was executed rarely loses nothing. A kept record has its level: it stands for
 * 2^level executions. Count, sum and minimum of the records taken away go into a TOTALS entry of
 * their tuple, so the totals stay exact.
 *
 * When there are too many tuples (their entries would fill an eighth of the memory, or the cap
 * would be below LEAST_ROWS), one level applies to all, and the totals are kept per experiment.
 *
 * Records are moved in place: the segments of a thread are one stream, in which the place of
 * writing never passes the place of reading. Segments into which threads are writing are not
 * thinned.
 */
#include "cll/internal.h"
#include "spool/read.h"

#include <string.h>

#define LEAST_ROWS 16u

struct item {
    struct spool_segment *segment;
    unsigned order;
};

/* What the last thinning left: the entries of the tuples, found by hash. */
static struct thinned {
    struct spool_entry **slots; /* pages of our own; they point into TOTALS segments */
    size_t nslots, nentries;
    uint64_t entry_bytes;
    unsigned global_level;
} thinned;

struct tuple {
    unsigned id;
    unsigned nvalues;
    const uint64_t *values;
};

static struct spool_total *total_of(struct spool_entry *entry)
{
    return (struct spool_total *)(entry + 1);
}

static uint64_t *values_of(struct spool_entry *entry)
{
    return (uint64_t *)(total_of(entry) + 1);
}

static struct spool_sum *sums_of(struct spool_entry *entry)
{
    return (struct spool_sum *)(values_of(entry) + total_of(entry)->nvalues);
}

static const uint64_t *record_values(const uint64_t *record)
{
    return record + CLL_RECORD_WORDS + (record[1] & SPOOL_WIDE ? SPOOL_WIDE_WORDS : 0);
}

static uint64_t record_seq(const uint64_t *record)
{
    return record[1] & SPOOL_WIDE ? record[4] : record[2] >> CLL_NESTED_BITS;
}

static uint64_t record_duration(const uint64_t *record)
{
    return record[1] & SPOOL_WIDE ? record[3] : record[1] >> 16;
}

/* ---- the table of tuples */

static uint64_t hash_tuple(const struct tuple *tuple)
{
    uint64_t hash = tuple->id;
    for (unsigned i = 0; i < tuple->nvalues; i++)
        hash = cll_hash_mix(hash + tuple->values[i]);
    return cll_hash_mix(hash);
}

static int is_entry_of(struct spool_entry *entry, const struct tuple *tuple)
{
    return entry->id == tuple->id && total_of(entry)->nvalues == tuple->nvalues &&
           !memcmp(values_of(entry), tuple->values, tuple->nvalues * sizeof(uint64_t));
}

static struct spool_entry **slot_of(struct spool_entry **table, size_t size,
                                    const struct tuple *tuple)
{
    size_t at = hash_tuple(tuple) & (size - 1);
    while (table[at] && !is_entry_of(table[at], tuple))
        at = (at + 1) & (size - 1);
    return &table[at];
}

/* Room for one more entry in the table; 0 when it must not grow. */
static int grow_slots(void)
{
    if (thinned.nentries * 2 < thinned.nslots)
        return 1;
    size_t more = thinned.nslots ? thinned.nslots * 2 : 1024;
    if (thinned.nslots && more * sizeof *thinned.slots > cll_settings.memory / 8)
        return 0;
    struct spool_entry **table = cll_pages_new(more * sizeof *table);
    if (!table)
        return 0;
    for (size_t i = 0; i < thinned.nslots; i++) {
        if (thinned.slots[i]) {
            struct tuple tuple = {thinned.slots[i]->id, total_of(thinned.slots[i])->nvalues,
                                  values_of(thinned.slots[i])};
            *slot_of(table, more, &tuple) = thinned.slots[i];
        }
    }
    if (thinned.slots)
        cll_pages_free(thinned.slots, thinned.nslots * sizeof *thinned.slots);
    thinned.slots = table;
    thinned.nslots = more;
    return 1;
}

/* The entry of a tuple, made if there is none; null when there are too many. */
static struct spool_entry *entry_of(const struct tuple *tuple)
{
    if (thinned.nslots) {
        struct spool_entry *found = *slot_of(thinned.slots, thinned.nslots, tuple);
        if (found)
            return found;
    }
    unsigned nsums = 1 + cll_known(tuple->id)->nextra;
    size_t bytes = sizeof(struct spool_total) + tuple->nvalues * sizeof(uint64_t) +
                   nsums * sizeof(struct spool_sum);
    if (tuple->nvalues && thinned.entry_bytes + bytes > cll_settings.memory / 8)
        return NULL;
    if (!grow_slots())
        return NULL;
    struct spool_entry *entry = cll_entry_new(SEGMENT_TOTALS, ENTRY_TOTAL, tuple->id, bytes);
    if (!entry)
        return NULL;
    total_of(entry)->nvalues = tuple->nvalues;
    memcpy(values_of(entry), tuple->values, tuple->nvalues * sizeof(uint64_t));
    for (unsigned i = 0; i < nsums; i++)
        sums_of(entry)[i].min = UINT64_MAX;
    cll_entry_done(entry);
    thinned.entry_bytes += bytes + sizeof *entry;
    thinned.nentries++;
    return *slot_of(thinned.slots, thinned.nslots, tuple) = entry;
}

/* The entry of a record; neighbouring records are mostly of the same tuple. */
static struct spool_entry *entry_of_record(const uint64_t *record, struct spool_entry **last)
{
    struct tuple tuple = {(unsigned)(record[1] & SPOOL_ID_MASK), 0, record_values(record)};
    if (cll_spool_header()->thinned != THINNED_GLOBAL)
        tuple.nvalues = cll_known(tuple.id)->nvars;
    if (*last && is_entry_of(*last, &tuple))
        return *last;
    return *last = entry_of(&tuple);
}

/* ---- which segments */

struct items {
    struct item *list;
    size_t count, room;
};

static void collect(struct spool_segment *segment, void *data)
{
    struct items *items = data;
    if (segment->kind != SEGMENT_RECORDS || segment->open)
        return;
    if (items->list && items->count < items->room) {
        items->list[items->count].segment = segment;
        items->list[items->count].order = (unsigned)items->count;
    }
    items->count++;
}

static int is_before(const struct item *a, const struct item *b)
{
    unsigned x = a->segment->thread, y = b->segment->thread;
    return x != y ? x < y : a->order < b->order;
}

/* Sorts the segments by thread, then by their order in the spool. (Not with qsort, which may call
   malloc.) */
static void sort_items(struct items *items)
{
    size_t gap = 1;
    while (gap < items->count / 3)
        gap = gap * 3 + 1;
    for (; gap; gap /= 3) {
        for (size_t i = gap; i < items->count; i++) {
            struct item moved = items->list[i];
            size_t at = i;
            for (; at >= gap && is_before(&moved, &items->list[at - gap]); at -= gap)
                items->list[at] = items->list[at - gap];
            items->list[at] = moved;
        }
    }
}

static uint64_t words_of(const struct spool_segment *segment)
{
    return (segment->bytes - sizeof *segment) / sizeof(uint64_t);
}

typedef int record_visit(uint64_t *record, void *data);

/* Calls visit for each record; stops when it returns 0, and returns that. */
static int each_record(const struct items *items, record_visit *visit, void *data)
{
    for (size_t i = 0; i < items->count; i++) {
        uint64_t *words = (uint64_t *)(items->list[i].segment + 1);
        uint64_t n = words_of(items->list[i].segment), at = 0;
        while (n - at >= CLL_RECORD_WORDS && words[at + 1]) {
            unsigned length = cll_record_words(words + at);
            if (!visit(words + at, data))
                return 0;
            at += length;
        }
    }
    return 1;
}

/* ---- which levels */

struct count {
    struct spool_entry *last;
    uint64_t bytes;                          /* of all records */
    uint64_t by_level[SPOOL_LEVEL_MASK + 1]; /* bytes */
};

static int count_record(uint64_t *record, void *data)
{
    struct count *count = data;
    uint64_t bytes = cll_record_words(record) * sizeof *record;
    count->bytes += bytes;
    count->by_level[record[0] & SPOOL_LEVEL_MASK] += bytes;
    struct spool_entry *entry = entry_of_record(record, &count->last);
    if (!entry)
        return 0;
    total_of(entry)->kept++;
    return 1;
}

static unsigned level_for(const struct spool_total *total, uint64_t cap)
{
    unsigned level = total->level;
    while (level < SPOOL_LEVEL_MASK && (total->taken + total->kept) >> level > cap)
        level++;
    return level;
}

/* Bytes left if no tuple keeps more than cap. */
static uint64_t bytes_with_cap(uint64_t cap)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < thinned.nslots; i++) {
        if (!thinned.slots[i])
            continue;
        const struct spool_total *total = total_of(thinned.slots[i]);
        const struct cll_known *known = cll_known(thinned.slots[i]->id);
        uint64_t rows = (total->taken + total->kept) >> level_for(total, cap);
        if (rows > total->kept)
            rows = total->kept;
        unsigned words = CLL_RECORD_WORDS + (known->watched ? SPOOL_WIDE_WORDS : 0) + known->nvars +
                         known->nextra;
        bytes += rows * words * sizeof(uint64_t);
    }
    return bytes;
}

/* Chooses the levels so that at most budget bytes stay; 0 when the tuples are too many. */
static int choose_levels(uint64_t budget)
{
    uint64_t cap = (uint64_t)1 << 40;
    while (cap >= LEAST_ROWS && bytes_with_cap(cap) > budget)
        cap /= 2;
    if (cap < LEAST_ROWS)
        return 0;
    for (size_t i = 0; i < thinned.nslots; i++)
        if (thinned.slots[i])
            total_of(thinned.slots[i])->level = level_for(total_of(thinned.slots[i]), cap);
    return 1;
}

static void choose_global_level(const struct count *count, uint64_t budget)
{
    for (; thinned.global_level < SPOOL_LEVEL_MASK; thinned.global_level++) {
        uint64_t bytes = 0;
        for (unsigned level = 0; level <= SPOOL_LEVEL_MASK; level++)
            bytes += count->by_level[level] >>
                     (thinned.global_level > level ? thinned.global_level - level : 0);
        if (bytes <= budget)
            return;
    }
}

/* ---- from tuples to experiments */

static void free_totals(struct spool_segment *segment, void *data)
{
    (void)data;
    if (segment->kind != SEGMENT_TOTALS)
        return;
    memset(segment + 1, 0, segment->bytes - sizeof *segment);
    segment->kind = SEGMENT_FREE;
}

static void add_sum(struct spool_sum *to, const struct spool_sum *from)
{
    to->sum += from->sum;
    if (from->min < to->min)
        to->min = from->min;
}

/* One total per experiment from now on. Returns 0 when there is no memory to do it. */
static int go_global(void)
{
    struct sums {
        uint64_t taken;
        struct spool_sum sums[1 + CLL_MAX_COUNTERS];
    };
    unsigned count = cll_known_count();
    struct sums *sums = cll_pages_new((count + 1) * sizeof *sums);
    if (!sums)
        return 0;
    for (unsigned id = 0; id <= count; id++)
        for (unsigned k = 0; k <= CLL_MAX_COUNTERS; k++)
            sums[id].sums[k].min = UINT64_MAX;
    for (size_t i = 0; i < thinned.nslots; i++) {
        if (!thinned.slots[i])
            continue;
        struct sums *to = &sums[thinned.slots[i]->id];
        to->taken += total_of(thinned.slots[i])->taken;
        for (unsigned k = 0; k <= cll_known(thinned.slots[i]->id)->nextra; k++)
            add_sum(&to->sums[k], &sums_of(thinned.slots[i])[k]);
    }
    cll_spool_header()->thinned = THINNED_GLOBAL;
    cll_segment_each(free_totals, NULL);
    cll_entries_restart(SEGMENT_TOTALS);
    if (thinned.slots)
        cll_pages_free(thinned.slots, thinned.nslots * sizeof *thinned.slots);
    thinned.slots = NULL;
    thinned.nslots = thinned.nentries = 0;
    thinned.entry_bytes = 0;
    for (unsigned id = 1; id <= count; id++) {
        static const uint64_t no_values;
        struct tuple tuple = {id, 0, &no_values};
        struct spool_entry *entry = entry_of(&tuple);
        if (!entry)
            continue;
        total_of(entry)->taken = sums[id].taken;
        memcpy(sums_of(entry), sums[id].sums,
               (1 + cll_known(id)->nextra) * sizeof(struct spool_sum));
    }
    cll_pages_free(sums, (count + 1) * sizeof *sums);
    return 1;
}

/* ---- taking away */

static void add_value(struct spool_sum *sum, uint64_t value)
{
    if (value == SPOOL_NAN)
        return;
    sum->sum += (double)value;
    if (value < sum->min)
        sum->min = value;
}

/* 1: the record stays, with its new level in word 0. 0: it went into the totals. */
static int decide(uint64_t *record, struct spool_entry **last)
{
    struct spool_entry *entry = entry_of_record(record, last);
    unsigned old = (unsigned)(record[0] & SPOOL_LEVEL_MASK);
    if (!entry)
        return 1;
    unsigned level = cll_spool_header()->thinned == THINNED_GLOBAL ? thinned.global_level
                                                                   : total_of(entry)->level;
    if (old >= level)
        return 1;
    if (!(cll_hash_mix(record_seq(record)) & (((uint64_t)1 << level) - 1))) {
        record[0] = (record[0] & ~(uint64_t)SPOOL_LEVEL_MASK) | level;
        return 1;
    }
    const struct cll_known *known = cll_known(entry->id);
    const uint64_t *extra = record_values(record) + known->nvars;
    struct spool_sum *sums = sums_of(entry);
    total_of(entry)->taken++;
    add_value(&sums[0], record_duration(record));
    for (unsigned i = 0; i < known->nextra; i++)
        add_value(&sums[1 + i], extra[i]);
    return 0;
}

/* Writes fill and next in one store: a process killed here leaves the old or the new pair. */
static void set_progress(struct spool_segment *segment, uint64_t fill, uint64_t next)
{
    __atomic_store_n(&segment->progress, next << 32 | fill, __ATOMIC_RELEASE);
}

/* Nothing but zeros after fill: ready to be appended to. */
static void end_segment(struct spool_segment *segment, uint64_t fill)
{
    uint64_t *words = (uint64_t *)(segment + 1);
    set_progress(segment, fill, words_of(segment));
    memset(words + fill, 0, (words_of(segment) - fill) * sizeof *words);
    set_progress(segment, fill, fill);
}

struct stream {
    struct item *to;
    uint64_t fill; /* words in to */
};

static void keep(struct stream *stream, struct item *from, const uint64_t *record, unsigned length)
{
    /* A segment that was cut after a few records may have less room than this one record. */
    while (stream->to != from && words_of(stream->to->segment) - stream->fill < length) {
        end_segment(stream->to->segment, stream->fill);
        stream->to++;
        stream->fill = 0;
    }
    struct spool_segment *to = stream->to->segment;
    uint64_t *words = (uint64_t *)(to + 1), *place = words + stream->fill;
    /* Records of different lengths overlap: while it is copied, it would be in two halves. */
    if (stream->to == from && place < record && (size_t)(record - place) < length)
        set_progress(to, stream->fill, (uint64_t)(record - words) + length);
    memmove(place, record, length * sizeof *record);
    stream->fill += length;
    if (stream->to != from)
        set_progress(to, stream->fill, words_of(to));
}

/* Thins the segments [first, end) of one thread. */
static void thin_stream(struct item *first, struct item *end)
{
    struct stream stream = {first, 0};
    struct spool_entry *last = NULL;
    for (struct item *from = first; from < end; from++) {
        uint64_t *words = (uint64_t *)(from->segment + 1);
        uint64_t n = words_of(from->segment), at = 0;
        while (n - at >= CLL_RECORD_WORDS && words[at + 1]) {
            unsigned length = cll_record_words(words + at);
            if (decide(words + at, &last))
                keep(&stream, from, words + at, length);
            at += length;
            set_progress(from->segment, stream.to == from ? stream.fill : 0, at);
        }
        set_progress(from->segment, stream.to == from ? stream.fill : 0, n);
    }
    end_segment(stream.to->segment, stream.fill);
    for (struct item *rest = stream.to + 1; rest < end; rest++) {
        end_segment(rest->segment, 0);
        rest->segment->kind = SEGMENT_FREE;
    }
    if (stream.fill)
        cll_segment_cut(stream.to->segment,
                        sizeof(struct spool_segment) + stream.fill * sizeof(uint64_t));
    else
        stream.to->segment->kind = SEGMENT_FREE;
}

static void forget_kept(void)
{
    for (size_t i = 0; i < thinned.nslots; i++)
        if (thinned.slots[i])
            total_of(thinned.slots[i])->kept = 0;
}

/* Levels for what is there; per tuple if that is possible. */
static void decide_levels(const struct items *items)
{
    struct spool_header *header = cll_spool_header();
    struct count count = {0};
    if (header->thinned != THINNED_GLOBAL) {
        if (each_record(items, count_record, &count) && choose_levels(count.bytes / 2)) {
            header->thinned = THINNED_PER_TUPLE;
            return;
        }
        if (!go_global())
            return;
        memset(&count, 0, sizeof count);
    }
    each_record(items, count_record, &count);
    choose_global_level(&count, count.bytes / 2);
}

void cll_thin(void)
{
    struct items items = {0};
    cll_launch_let_go();
    cll_segment_each(collect, &items);
    items.room = items.count;
    if (!items.room)
        return;
    size_t bytes = items.room * sizeof *items.list;
    items.list = cll_pages_new(bytes);
    if (!items.list)
        return;
    items.count = 0;
    cll_segment_each(collect, &items);
    sort_items(&items);
    decide_levels(&items);
    for (size_t i = 0, end; i < items.count; i = end) {
        for (end = i;
             end < items.count && items.list[end].segment->thread == items.list[i].segment->thread;)
            end++;
        thin_stream(&items.list[i], &items.list[end]);
    }
    forget_kept();
    cll_segment_gather_free();
    cll_pages_free(items.list, bytes);
}

void cll_thin_restart(void)
{
    if (thinned.slots)
        cll_pages_free(thinned.slots, thinned.nslots * sizeof *thinned.slots);
    thinned = (struct thinned){0};
}
