/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine as cllprobe measured it, read from its file (docs/reference/machine-format.md).
 *
 *     struct arena *a = arena_create();
 *     struct diag *diag = diag_create();
 *     const struct machine *m = machine_load("n1.json", a, diag);
 *     if (m)
 *         puts(m->name);
 */
#ifndef MACHINE_MACHINE_H
#define MACHINE_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"
#include "base/memory.h"

enum { MACHINE_FORMAT = 1 }; /* the version that is read */

/* A figure: one quantity at one place. */
struct machine_figure {
    const char *family, *name, *unit;
    bool has_bytes;
    uint64_t bytes;       /* working set or message; if has_bytes */
    int cores;            /* 0: does not apply */
    int processes;        /* 0: does not apply */
    double value;         /* in the unit; positive, or 0 in the summary */
    double low, high;     /* 95 % interval: low <= value <= high */
    bool steady;          /* the interval is at most 10 % of the value wide */
    const double *values; /* of each round; NULL in the summary */
    size_t rounds;
};

struct machine_cache {
    int level;
    const char *type; /* data, instruction, unified */
    uint64_t bytes;
    int line, shared_by; /* 0 = not known */
};

struct machine_family {
    const char *name;
    const char *reason; /* why it was not measured; NULL if it was */
};

struct machine {
    const char *name, *program, *date;
    const char *source; /* a publication that the figures come from; NULL: they were measured */
    bool quick;
    double seconds;
    size_t rounds;
    /* what the system says */
    const char *architecture, *processor, *os, *compiler;
    const char *host; /* NULL if the file does not tell */
    bool optimised;
    int cores, hardware_threads;
    uint64_t memory, page;
    const char *caches_from; /* NULL if it tells of no caches */
    const struct machine_cache *caches;
    size_t ncaches;
    /* NULL without MPI */
    const char *mpi_library;
    int processes, hosts;
    bool oversubscribed;
    /* NULL without an accelerator */
    const char *device, *device_library;
    int device_units;
    uint64_t device_memory, device_cache; /* bytes; the cache that all units share, 0 = not known */
    /* what was measured */
    const struct machine_family *families;
    size_t nfamilies;
    const struct machine_figure *summary, *figures;
    size_t nsummary, nfigures;
};

/* Reads and checks a file. NULL with errors in `diag` if it cannot be used. All memory, also of the
 * places of messages, belongs to the arena. */
const struct machine *machine_load(const char *path, struct arena *a, struct diag *diag);
/* The same for a text that ends with a 0, which its size does not count; `source` must live as long
 * as the diagnostics. */
const struct machine *machine_parse(const struct source *source, struct arena *a,
                                    struct diag *diag);

/* The figure at this place, of the summary or of the measured ones, or NULL. Where a
 * figure has no bytes, `bytes` is 0. */
const struct machine_figure *machine_find(const struct machine *m, const char *family,
                                          const char *name, uint64_t bytes, int cores,
                                          int processes);
/* All sizes of a figure with bytes at these cores and processes, ascending by bytes; in the arena.
 * *n is 0 if there are none. */
const struct machine_figure **machine_curve(const struct machine *m, const char *family,
                                            const char *name, int cores, int processes,
                                            struct arena *a, size_t *n);

/* A change of the latency with the working set: the capacity of a cache, or the reach of a TLB. */
struct machine_level {
    double bytes;         /* where the latency leaves that of smaller sizes */
    double below, above;  /* the measured sizes between which that is */
    double latency, next; /* seconds, of the sizes below and above */
};
/* The levels of one core, from the smallest on; at most `most`. Returns how many. */
enum { MACHINE_LEVELS = 8 };
size_t machine_levels(const struct machine *m, struct arena *a, struct machine_level *out,
                      size_t most);
/* The same of the accelerator. */
size_t machine_device_levels(const struct machine *m, struct arena *a, struct machine_level *out,
                             size_t most);

/* The unit that a figure of this name has; NULL if the name is not known. */
const char *machine_unit(const char *family, const char *name);
/* Whether there is such a unit. */
bool machine_unit_exists(const char *unit);

#endif
