/* SPDX-License-Identifier: MIT */
/*
 * The marks of `call count`: regions of a program that runs under callgrind. Linked only into programs
 * that are compiled with CLL_COUNTING; outside of callgrind the marks do nothing.
 *
 * callgrind collects only while a counted execution is open, and never while libcll works: hold and
 * end switch collecting off before libcll begins, begin and resume switch it on again when libcll is
 * done. Whatever was collected goes to a dump when the set of open executions changes. The label of
 * a dump names this set, so that a reader can add up nested regions:
 *
 *     cll RANK PROCESSES OPEN[,OPEN...] [BLOCK...]                          an inner region begins
 *     cll RANK PROCESSES OPEN[,OPEN...] [BLOCK...] ENDS EXPERIMENT VARIABLE=VALUE...
 *
 * OPEN and ENDS are the numbers of executions, unique in the process. A BLOCK is @sADDRESS:BYTES or @cADDRESS:BYTES: bytes
 * that were set or copied since the last dump, and the address in the program's file to which the call returns, in
 * hexadecimal (0: of any call; there were too many). Every byte of a name that is
 * a space, a control character, '%' or '=' is written as %XX.
 *
 * At most `most` executions of each point are counted in each thread; the others run with collecting
 * off. Where a value is known only at the end (CLL_LATER), the point is, too: then up to `most` times
 * LATE_TRIES executions with the same other values are collected, and at the end of one whose point has
 * enough the dump names no end, so that the reader leaves it out. Regions of signal handlers that interrupt a mark are not counted.
 */
#define CLL_COUNTING /* the declarations of the marks */
#define _GNU_SOURCE  /* secure_getenv */
#include <cll.h>

#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/callgrind.h>

#include "cll/count/blocks.h"

#define MOST_OPEN   32
#define LATE_TRIES  64
#define MOST_POINTS 65536u /* of a thread; a power of two */
#define MOST_BLOCKS 64     /* of a dump; what more callers ask for is added up for each kind */
#define LABEL_BYTES 8192

struct open_execution {
    cll_u64 number;
    const struct cll_experiment *experiment;
    unsigned nvars;
    double values[CLL_MAX_VARIABLES];
};

struct point {
    cll_u64 hash; /* 0: free */
    unsigned executions;
};

struct block {
    uintptr_t at; /* where the call returns to */
    cll_u64 bytes;
    char kind;
};

static __thread struct {
    int collecting;
    int busy; /* in a mark: a signal handler leaves everything as it is */
    unsigned nopen;
    struct open_execution open[MOST_OPEN];
    struct point *points;
    unsigned npoints;
    struct block blocks[MOST_BLOCKS + 2]; /* the last two: the rest, for each kind */
    unsigned nblocks;
    char label[LABEL_BYTES];
    size_t used;
} self;

static cll_u64 last_number;

static unsigned long setting(const char *name, unsigned long otherwise)
{
    const char *text = secure_getenv(name);
    char *end;
    unsigned long value = text ? strtoul(text, &end, 10) : 0;
    return text && *text && !*end ? value : otherwise;
}

/* What a launcher tells this process: its rank (what = 0) and the number of processes (1). */
static unsigned long place(int what)
{
    static const char *const names[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"},
                                           {"SLURM_PROCID", "SLURM_NTASKS"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i][0]) && getenv(names[i][1]))
            return setting(names[i][what], (unsigned long)what);
    return (unsigned long)what;
}

/* ---- points */

static cll_u64 mix(cll_u64 hash, cll_u64 word)
{
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

static cll_u64 hash_of(const struct cll_experiment *experiment, unsigned nvars,
                       const double *values)
{
    cll_u64 hash = mix(1, (cll_u64)nvars);
    for (const char *c = experiment->name; *c; c++)
        hash = mix(hash, (unsigned char)*c);
    for (unsigned i = 0; i < nvars; i++) {
        cll_u64 word;
        memcpy(&word, &values[i], sizeof word);
        hash = mix(hash, word);
    }
    return hash ? hash : 1;
}

/* Is a value not known yet? */
static int has_later(unsigned nvars, const double *values)
{
    for (unsigned i = 0; i < nvars; i++)
        if (values[i] != values[i])
            return 1;
    return 0;
}

/* Is this execution of the point one that is counted? */
static int is_wanted(const struct cll_experiment *experiment, unsigned nvars, const double *values)
{
    static unsigned long most;
    unsigned long times = has_later(nvars, values) ? LATE_TRIES : 1;
    cll_u64 hash = hash_of(experiment, nvars, values);
    if (!most)
        most = setting("CLL_COUNT_EXECUTIONS", 1);
    if (!self.points)
        self.points = calloc(MOST_POINTS, sizeof *self.points);
    if (!self.points)
        return 0;
    struct point *p = &self.points[hash % MOST_POINTS];
    while (p->hash && p->hash != hash)
        p = p + 1 < self.points + MOST_POINTS ? p + 1 : self.points;
    if (!p->hash) {
        if (self.npoints >= MOST_POINTS / 2)
            return 0;
        self.npoints++;
        p->hash = hash;
    }
    return p->executions < most * times ? (p->executions++, 1) : 0;
}

/* ---- blocks of memory */

void cll_count_block(char kind, const void *at, size_t n)
{
    struct block *b = self.blocks;
    if (!self.collecting || self.busy || !n)
        return;
    self.busy = 1;
    while (b < self.blocks + self.nblocks && (b->at != (uintptr_t)at || b->kind != kind))
        b++;
    if (b == self.blocks + MOST_BLOCKS)
        b += kind == CLL_BLOCK_COPY;
    else if (b == self.blocks + self.nblocks)
        self.nblocks++;
    b->at = b < self.blocks + MOST_BLOCKS ? (uintptr_t)at : 0;
    b->kind = kind;
    b->bytes += n;
    self.busy = 0;
}

static int take_base(struct dl_phdr_info *info, size_t size, void *base)
{
    (void)size;
    *(uintptr_t *)base = (uintptr_t)info->dlpi_addr;
    return 1; /* the program comes first */
}

/* ---- dumps */

static void label_add(const char *text)
{
    size_t n = strlen(text), room = LABEL_BYTES - 1 - self.used;
    n = n < room ? n : room;
    memcpy(self.label + self.used, text, n);
    self.used += n;
    self.label[self.used] = '\0';
}

static void label_name(const char *name)
{
    for (; *name; name++) {
        unsigned char c = (unsigned char)*name;
        char text[4] = {(char)c, '\0'};
        if (c <= ' ' || c == '%' || c == '=' || c == 0x7f)
            snprintf(text, sizeof text, "%%%02X", c);
        label_add(text);
    }
}

/* What the blocks of the label have is forgotten: the next dump has what comes after. */
static void label_blocks(void)
{
    static uintptr_t base;
    char text[64];
    if (!base)
        dl_iterate_phdr(take_base, &base);
    for (struct block *b = self.blocks; b < self.blocks + MOST_BLOCKS + 2; b++) {
        if (!b->bytes)
            continue;
        snprintf(text, sizeof text, " @%c%llx:%llu", b->kind,
                 b->at ? (unsigned long long)(b->at - base) : 0ull, (unsigned long long)b->bytes);
        label_add(text);
        b->bytes = 0;
    }
    self.nblocks = 0;
}

static void label_open(void)
{
    char text[48];
    self.used = 0;
    snprintf(text, sizeof text, "cll %lu %lu ", place(0), place(1));
    label_add(text);
    for (unsigned i = 0; i < self.nopen; i++) {
        snprintf(text, sizeof text, "%s%llu", i ? "," : "",
                 (unsigned long long)self.open[i].number);
        label_add(text);
    }
    label_blocks();
}

static void label_end(const struct open_execution *ended)
{
    char text[48];
    snprintf(text, sizeof text, " %llu ", (unsigned long long)ended->number);
    label_add(text);
    label_name(ended->experiment->name);
    for (unsigned i = 0; i < ended->nvars; i++) {
        label_add(" ");
        label_name(ended->experiment->vars[i]);
        snprintf(text, sizeof text, "=%.17g", ended->values[i]);
        label_add(text);
    }
}

static void dump(void)
{
    CALLGRIND_DUMP_STATS_AT(self.label);
}

static void collect(int on)
{
    if (self.collecting != on)
        CALLGRIND_TOGGLE_COLLECT;
    self.collecting = on;
}

/* ---- marks */

void cll_count_hold(void)
{
    if (!self.busy)
        collect(0);
}

cll_u64 cll_count_begin(const struct cll_experiment *experiment, unsigned nvars,
                        const double *values)
{
    cll_u64 number = 0;
    if (self.busy || !RUNNING_ON_VALGRIND)
        return 0;
    self.busy = 1;
    cll_count_blocks = 1;
    if (self.nopen < MOST_OPEN && nvars <= CLL_MAX_VARIABLES &&
        is_wanted(experiment, nvars, values)) {
        if (self.nopen) {
            label_open();
            dump();
        }
        struct open_execution *e = &self.open[self.nopen++];
        number = e->number = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
        e->experiment = experiment;
        e->nvars = nvars;
        memcpy(e->values, values, nvars * sizeof *values);
    }
    self.busy = 0;
    if (self.nopen)
        collect(1);
    return number;
}

/* The values at the end; returns whether the point that they make is still to be counted. */
static int settle(struct open_execution *e, unsigned nvars, const double *values)
{
    if (nvars != e->nvars || !has_later(e->nvars, e->values))
        return 1;
    memcpy(e->values, values, nvars * sizeof *values);
    return is_wanted(e->experiment, e->nvars, e->values);
}

void cll_count_end(cll_u64 number, unsigned nvars, const double *values)
{
    if (self.busy)
        return;
    collect(0);
    self.busy = 1;
    for (unsigned i = self.nopen; number && i-- > 0;) {
        if (self.open[i].number != number)
            continue;
        label_open();
        if (settle(&self.open[i], nvars, values))
            label_end(&self.open[i]);
        dump();
        memmove(&self.open[i], &self.open[i + 1], (self.nopen - i - 1) * sizeof *self.open);
        self.nopen--;
        break;
    }
    self.busy = 0;
}

void cll_count_resume(void)
{
    if (!self.busy && self.nopen)
        collect(1);
}
