/* SPDX-License-Identifier: MIT */
/*
 * Counters by name, through drivers. The counters of a run are the same on all threads; each
 * thread opens its own set at its first region. A counter that is not available keeps its place and
 * reads as SPOOL_NAN, never as 0. It is reported once, with the reason.
 *
 * The readings at begin are on a stack of the thread, not in the region, because a region is a few
 * words that stay in registers. A region that ends also takes the readings above its own off the
 * stack: their regions were left by longjmp. If the stack overflows nevertheless, it starts again
 * at 0, and regions that were open then get SPOOL_NAN.
 */
#include "cll/internal.h"

#include <stdio.h>
#include <string.h>

#define DRIVERS 4
#define ABSENT  64
#define FRAMES  65536u

/* A forked child measures the same counters and opens them again on its own threads. */
static struct {
    const struct cll_counter_driver *drivers[DRIVERS];
    unsigned ndrivers;
    struct {
        char name[128];
        int driver; /* -1: absent */
    } list[CLL_MAX_COUNTERS];
    unsigned count; /* of list; atomic: threads read it without the lock */
    struct {
        char name[128];
        char reason[256];
    } absent[ABSENT];
    unsigned nabsent;
    char papi_missing[256]; /* why PAPI could not be loaded */
} counters = {.drivers = {&cll_perf_driver}, .ndrivers = 1};

struct frame {
    cll_u64 values[CLL_MAX_COUNTERS];
};

struct cll_counter_set {
    unsigned opened;          /* counters looked at so far */
    int at[CLL_MAX_COUNTERS]; /* index in the driver's values, -1: none */
    unsigned size[DRIVERS];   /* counters in each driver's set */
    void *sets[DRIVERS];
    unsigned generation; /* of the stack */
    unsigned depth;
    struct frame frames[FRAMES];
};

void cll_add_counter_driver(const struct cll_counter_driver *driver)
{
    for (unsigned i = 0; i < counters.ndrivers; i++)
        if (counters.drivers[i] == driver)
            return;
    if (counters.ndrivers < DRIVERS)
        counters.drivers[counters.ndrivers++] = driver;
}

static void describe_absent(unsigned i)
{
    cll_info("absent: %s %s", counters.absent[i].name, counters.absent[i].reason);
}

void cll_counters_absent(const char *name, const char *reason)
{
    for (unsigned i = 0; i < counters.nabsent; i++)
        if (!strcmp(counters.absent[i].name, name))
            return;
    if (counters.nabsent == ABSENT)
        return;
    snprintf(counters.absent[counters.nabsent].name, sizeof counters.absent->name, "%s", name);
    snprintf(counters.absent[counters.nabsent].reason, sizeof counters.absent->reason, "%s",
             reason);
    if (cll_settings.counters)
        cll_say("counter %s is not available: %s; its column is nan", name, reason);
    if (cll_spool_header())
        describe_absent(counters.nabsent);
    counters.nabsent++;
}

void cll_counters_describe(void)
{
    for (unsigned i = 0; i < counters.nabsent; i++)
        describe_absent(i);
}

/* PAPI, unless the program has it already. Tried once. */
static void load_papi(char *why, size_t size)
{
    const struct cll_counter_driver *driver = NULL;
    if (counters.ndrivers > 1)
        return;
    if (!counters.papi_missing[0] && !cll_papi_load)
        snprintf(counters.papi_missing, sizeof counters.papi_missing,
                 "this program has libcll.a; link it with libcll.so, or say #pragma cll uses PAPI "
                 "and link with -lcll_papi -lpapi");
    else if (!counters.papi_missing[0])
        driver = cll_papi_load(counters.papi_missing, sizeof counters.papi_missing);
    if (driver)
        cll_add_counter_driver(driver);
    snprintf(why, size, "%s", counters.papi_missing);
}

/* Which driver has the counter; -1 with the reason. PAPI is asked for what the others do not know. */
static int find_driver(const char *name, char *reason, size_t size)
{
    reason[0] = 0;
    for (unsigned i = 0; i < counters.ndrivers; i++) {
        char why[256] = "";
        void *set = counters.drivers[i]->open(why, sizeof why);
        int index = set ? counters.drivers[i]->add(set, name, why, sizeof why) : -1;
        if (set)
            counters.drivers[i]->close(set);
        if (index >= 0)
            return (int)i;
        if (!reason[0]) /* of the first driver that knows the name */
            snprintf(reason, size, "%s", why);
        if (!reason[0] && i + 1 == counters.ndrivers)
            load_papi(why, sizeof why);
        if (!reason[0] && !strncmp(name, "PAPI_", 5))
            snprintf(reason, size, "%s", why);
    }
    if (!reason[0])
        snprintf(reason, size, "there is no counter of this name (cll(7) lists the names)");
    return -1;
}

int cll_counter_index(const char *name)
{
    char reason[256];
    for (unsigned i = 0; i < counters.count; i++)
        if (!strcmp(counters.list[i].name, name))
            return (int)i;
    if (counters.count == CLL_MAX_COUNTERS || strlen(name) >= sizeof counters.list->name) {
        cll_counters_absent(name, counters.count == CLL_MAX_COUNTERS
                                      ? "a run measures at most 8 counters; name fewer"
                                      : "its name is too long");
        return -1;
    }
    int driver = find_driver(name, reason, sizeof reason);
    if (driver < 0)
        cll_counters_absent(name, reason);
    strcpy(counters.list[counters.count].name, name);
    counters.list[counters.count].driver = driver;
    __atomic_store_n(&counters.count, counters.count + 1, __ATOMIC_RELEASE);
    return (int)counters.count - 1;
}

/* Those of CLL_COUNTERS=auto that the machine has: what the work of a region and its misses are. */
static void start_automatic(void)
{
    static const char *const names[CLL_MAX_COUNTERS] = {
        "instructions", "cycles",      "cache-misses", "branch-misses",
        "page-faults",  "PAPI_L1_DCM", "PAPI_L2_DCM",  "PAPI_TLB_DM"};
    char reason[256];
    for (unsigned i = 0; i < CLL_MAX_COUNTERS; i++)
        if (find_driver(names[i], reason, sizeof reason) >= 0)
            cll_counter_index(names[i]);
}

void cll_counters_start(void)
{
    char names[sizeof cll_settings.counter_names];
    char *rest = names, *name;
    if (cll_settings.counters != 2 || counters.count)
        return;
    if (!strcmp(cll_settings.counter_names, "auto")) {
        start_automatic();
        return;
    }
    memcpy(names, cll_settings.counter_names, sizeof names);
    while ((name = strsep(&rest, ", ")))
        if (*name)
            cll_counter_index(name);
}

unsigned cll_counter_count(void)
{
    return counters.count;
}

const char *cll_counter_name(unsigned index)
{
    return counters.list[index].name;
}

static void open_more(struct cll_counter_set *set, unsigned wanted)
{
    for (; set->opened < wanted; set->opened++) {
        unsigned c = set->opened;
        int driver = counters.list[c].driver;
        char reason[256] = "";
        set->at[c] = -1;
        if (driver < 0)
            continue;
        if (!set->sets[driver])
            set->sets[driver] = counters.drivers[driver]->open(reason, sizeof reason);
        if (set->sets[driver])
            set->at[c] = counters.drivers[driver]->add(set->sets[driver], counters.list[c].name,
                                                       reason, sizeof reason);
        if (set->at[c] >= 0)
            set->size[driver]++;
        else if (cll_lock(-1)) {
            cll_counters_absent(counters.list[c].name, reason);
            cll_unlock();
        }
    }
}

static void read_all(struct cll_counter_set *set, cll_u64 values[CLL_MAX_COUNTERS])
{
    unsigned wanted = __atomic_load_n(&counters.count, __ATOMIC_ACQUIRE);
    cll_u64 got[DRIVERS][CLL_MAX_COUNTERS];
    for (unsigned i = 0; i < CLL_MAX_COUNTERS; i++)
        values[i] = SPOOL_NAN;
    if (set->opened < wanted) {
        struct cll_hold hold;
        cll_signals_block(&hold);
        open_more(set, wanted);
        cll_signals_restore(&hold);
    }
    for (unsigned d = 0; d < counters.ndrivers; d++)
        if (set->size[d])
            counters.drivers[d]->read(set->sets[d], got[d]);
    for (unsigned i = 0; i < set->opened; i++)
        if (set->at[i] >= 0)
            values[i] = got[counters.list[i].driver][set->at[i]];
}

cll_u64 cll_counter_begin(struct cll_counter_set **at)
{
    if (!*at) {
        struct cll_hold hold;
        cll_signals_block(&hold); /* a handler may have regions too */
        if (!*at)
            *at = cll_pages_new(sizeof **at);
        cll_signals_restore(&hold);
    }
    struct cll_counter_set *set = *at;
    if (!set)
        return UINT64_MAX;
    if (set->depth == FRAMES) {
        set->depth = 0;
        set->generation++;
    }
    unsigned depth = set->depth++;
    read_all(set, set->frames[depth].values);
    return (cll_u64)set->generation << 32 | depth;
}

void cll_counter_end(struct cll_counter_set **at, cll_u64 mark, cll_u64 values[CLL_MAX_COUNTERS])
{
    struct cll_counter_set *set = *at;
    unsigned depth = (unsigned)mark;
    int known = set && mark >> 32 == set->generation && depth < set->depth;
    if (known)
        read_all(set, values);
    for (unsigned i = 0; i < CLL_MAX_COUNTERS; i++) {
        cll_u64 before = known ? set->frames[depth].values[i] : SPOOL_NAN;
        if (before == SPOOL_NAN)
            values[i] = SPOOL_NAN;
        else if (values[i] != SPOOL_NAN)
            values[i] -= before;
    }
    if (known)
        set->depth = depth;
}

void cll_counter_close(struct cll_counter_set **at)
{
    struct cll_counter_set *set = *at;
    if (!set)
        return;
    for (unsigned d = 0; d < counters.ndrivers; d++)
        if (set->sets[d])
            counters.drivers[d]->close(set->sets[d]);
    cll_pages_free(set, sizeof *set);
    *at = NULL;
}
