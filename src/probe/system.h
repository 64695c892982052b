/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the system says about the machine: not measured, for comparison. */
#ifndef PROBE_SYSTEM_H
#define PROBE_SYSTEM_H

#include "probe/probe.h"

struct probe_cache {
    int level;
    char type[16]; /* data, instruction, unified */
    uint64_t bytes;
    int line, shared; /* bytes of a line; hardware threads that share it; 0 = not known */
};

enum { PROBE_CACHES = 8 };
struct probe_system {
    char architecture[32], model[96], os[96], compiler[96], host[256], huge_pages[16];
    uint64_t memory; /* bytes that this process may use */
    long page;
    struct probe_cache caches[PROBE_CACHES];
    int ncaches;
    const char *caches_from; /* hwloc, sysfs, or NULL */
};

void probe_system_find(struct probe_system *s);
/* The version of hwloc that was built in, or that none was. */
const char *probe_system_hwloc(void);
/* The next range of a list of cores such as "0-3,8", and moves on after it. False at the end, and where
 * the text is not such a list. */
bool probe_next_cores(const char **list, int *from, int *to);
/* Bytes of the largest cache; 0 if none is known. */
uint64_t probe_system_largest_cache(const struct probe_system *s);
/* A name for the machine: architecture and model in small letters. */
void probe_system_name(const struct probe_system *s, char *out, size_t size);

#endif
