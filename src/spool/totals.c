/* SPDX-License-Identifier: MIT */
/*
 * Totals over the records of a spool. The spool has the totals of the records taken away, per tuple.
 * The records that were kept are added here, so count, sum and minimum are exact.
 */
#define _GNU_SOURCE
#include "spool/columns.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

struct totals {
    struct read_spool *spool;
    struct cll_total *list;
    size_t count, room;
    int per_experiment; /* thinned globally */
    struct read_map map;
};

struct tuple {
    unsigned id;
    unsigned nvalues;
    const void *values;
};

static uint64_t hash_tuple(unsigned id, unsigned nvalues, const void *values)
{
    uint64_t hash = id;
    for (unsigned i = 0; i < nvalues; i++) {
        uint64_t bits;
        memcpy(&bits, (const char *)values + i * sizeof bits, sizeof bits);
        hash = cll_hash_mix(hash + bits);
    }
    return cll_hash_mix(hash);
}

static int same_tuple(size_t index, const void *key, void *data)
{
    const struct totals *totals = data;
    const struct cll_total *total = &totals->list[index];
    const struct tuple *tuple = key;
    return total->id == tuple->id && total->nvalues == tuple->nvalues &&
           !memcmp(total->values, tuple->values, tuple->nvalues * sizeof(double));
}

static uint64_t hash_of_total(size_t index, void *data)
{
    const struct cll_total *total = &((struct totals *)data)->list[index];
    return hash_tuple(total->id, total->nvalues, total->values);
}

static struct cll_total *find_total(struct totals *totals, const struct tuple *tuple)
{
    size_t index = cll_map_find(&totals->map, hash_tuple(tuple->id, tuple->nvalues, tuple->values),
                                same_tuple, tuple, totals);
    return index == SIZE_MAX ? NULL : &totals->list[index];
}

static int count_entry(const struct spool_entry *entry, size_t payload, void *data)
{
    (void)entry;
    (void)payload;
    ++*(size_t *)data;
    return 0;
}

static int add_entry(const struct spool_entry *entry, size_t payload, void *data)
{
    struct totals *totals = data;
    struct read_spool *spool = totals->spool;
    struct spool_total head;
    if (payload < sizeof head || entry->id >= spool->nids || !spool->experiments[entry->id].name)
        return spool->damaged = 1, 0;
    memcpy(&head, entry + 1, sizeof head);
    const struct read_experiment *e = &spool->experiments[entry->id];
    const char *values = (const char *)(entry + 1) + sizeof head;
    size_t sums = (1 + e->nextra) * sizeof(struct spool_sum);
    if ((head.nvalues && head.nvalues != e->processors + e->nvars) ||
        payload < sizeof head + head.nvalues * sizeof(double) + sums)
        return spool->damaged = 1, 0;
    struct tuple tuple = {entry->id, head.nvalues, values};
    if (!cll_check_count(spool, head.taken))
        return spool->damaged = 1, 0;
    if (!head.taken || !e->selected || totals->count == totals->room || find_total(totals, &tuple))
        return 0;
    struct cll_total *total = &totals->list[totals->count];
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): there is a list where there is room
    total->id = entry->id;
    total->nvalues = head.nvalues;
    total->count = head.taken;
    memcpy(total->values, values, head.nvalues * sizeof(double));
    memcpy(total->sums, values + head.nvalues * sizeof(double), sums);
    for (unsigned i = 0; i <= e->nextra; i++)
        if (!(total->sums[i].sum >= 0 && total->sums[i].sum < 1e30))
            return spool->damaged = 1, 0;
    return cll_map_add(&totals->map, hash_tuple(tuple.id, tuple.nvalues, tuple.values),
                       totals->count++, hash_of_total, totals);
}

static void add_value(struct spool_sum *sum, uint64_t value)
{
    if (value == SPOOL_NAN)
        return;
    sum->sum += (double)value;
    if (value < sum->min)
        sum->min = value;
}

static int add_record(const struct read_record *r, void *data)
{
    struct totals *totals = data;
    const struct read_experiment *e = r->experiment;
    struct tuple tuple = {r->id, totals->per_experiment ? 0 : e->processors + e->nvars,
                          r->values - e->processors};
    struct cll_total *total = find_total(totals, &tuple);
    if (!total)
        return 0;
    total->count++;
    add_value(&total->sums[0], r->duration);
    for (unsigned i = 0; i < e->nextra; i++)
        add_value(&total->sums[1 + i], r->values[e->nvars + i]);
    return 0;
}

int cll_totals_each(struct read_spool *spool, void (*visit)(const struct cll_total *, void *),
                    void *data)
{
    struct totals totals = {.spool = spool,
                            .per_experiment = spool->header->thinned == THINNED_GLOBAL};
    cll_read_entries(spool, ENTRY_TOTAL, count_entry, &totals.room);
    if (!totals.room)
        return 0;
    totals.list = mmap(NULL, totals.room * sizeof *totals.list, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (totals.list == MAP_FAILED)
        return ENOMEM;
    int error = cll_read_entries(spool, ENTRY_TOTAL, add_entry, &totals);
    if (!error)
        cll_read_records(spool, add_record, &totals);
    for (size_t i = 0; i < totals.count && !error; i++)
        visit(&totals.list[i], data);
    cll_map_free(&totals.map);
    munmap(totals.list, totals.room * sizeof *totals.list);
    return error;
}

/* ---- abandoned executions, from the gaps in the numbers of a spool without a report */

struct lane { /* one experiment on one thread */
    uint64_t key;
    uint64_t next; /* one more than the largest seq seen */
};

struct lanes {
    struct read_spool *spool;
    struct lane *list;
    size_t count, room;
    uint64_t seen;
    struct read_map map;
};

static int same_lane(size_t index, const void *key, void *data)
{
    return ((struct lanes *)data)->list[index].key == *(const uint64_t *)key;
}

static uint64_t hash_of_lane(size_t index, void *data)
{
    return cll_hash_mix(((struct lanes *)data)->list[index].key);
}

static int see_record(const struct read_record *r, void *data)
{
    struct lanes *lanes = data;
    uint64_t key = (uint64_t)r->thread << 16 | r->id;
    size_t index = cll_map_find(&lanes->map, cll_hash_mix(key), same_lane, &key, lanes);
    lanes->seen++;
    if (index == SIZE_MAX) {
        if (lanes->count == lanes->room) {
            size_t more = lanes->room * 2;
            void *list = mremap(lanes->list, lanes->room * sizeof *lanes->list,
                                more * sizeof *lanes->list, MREMAP_MAYMOVE);
            if (list == MAP_FAILED)
                return ENOMEM;
            lanes->list = list;
            lanes->room = more;
        }
        index = lanes->count++;
        lanes->list[index].key = key;
        lanes->list[index].next = 0;
        int error = cll_map_add(&lanes->map, cll_hash_mix(key), index, hash_of_lane, lanes);
        if (error)
            return error;
    }
    if (r->seq >= lanes->list[index].next)
        lanes->list[index].next = r->seq + 1;
    return 0;
}

static int see_total(const struct spool_entry *entry, size_t payload, void *data)
{
    struct spool_total head;
    struct lanes *lanes = data;
    if (payload >= sizeof head) {
        memcpy(&head, entry + 1, sizeof head);
        if (cll_check_count(lanes->spool, head.taken))
            lanes->seen += head.taken;
    }
    return 0;
}

int cll_totals_abandoned(struct read_spool *spool, uint64_t *abandoned)
{
    struct lanes lanes = {.spool = spool, .room = 4096};
    lanes.list = mmap(NULL, lanes.room * sizeof *lanes.list, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (lanes.list == MAP_FAILED)
        return ENOMEM;
    int error = cll_read_records(spool, see_record, &lanes);
    int skipped = spool->skipped_segments != 0;
    cll_read_entries(spool, ENTRY_TOTAL, see_total, &lanes);
    uint64_t begun = 0;
    for (size_t i = 0; i < lanes.count; i++)
        begun += lanes.list[i].next;
    *abandoned = begun > lanes.seen && !skipped ? begun - lanes.seen : 0;
    cll_map_free(&lanes.map);
    munmap(lanes.list, lanes.room * sizeof *lanes.list);
    return error;
}
