/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The processor, the memory and the caches as the system describes them. The caches come from hwloc
 * where cllprobe was built with it, otherwise from /sys.
 */
#define _GNU_SOURCE
#include "probe/system.h"

#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifdef CLL_HAVE_HWLOC
#include <hwloc.h>
#endif

#include "base/about.h"

const char *probe_system_hwloc(void)
{
#if defined CLL_HAVE_HWLOC && defined HWLOC_VERSION
    return HWLOC_VERSION;
#elif defined CLL_HAVE_HWLOC
    return "built in";
#else
    return "left out";
#endif
}

/* The first line of a file without its end; empty for an empty file. */
static void read_line(const char *path, char *out, size_t size)
{
    FILE *f = fopen(path, "re");
    out[0] = '\0';
    if (!f)
        return;
    if (!fgets(out, (int)size, f))
        out[0] = '\0';
    out[strcspn(out, "\n")] = '\0';
    fclose(f);
}

/* ---- the processor */

/* The value of `key : value` in /proc/cpuinfo. */
static bool cpuinfo(const char *key, char *out, size_t size)
{
    char line[512];
    bool found = false;
    FILE *f = fopen("/proc/cpuinfo", "re");
    while (f && !found && fgets(line, sizeof line, f)) {
        char *colon = strchr(line, ':');
        size_t n = strlen(key);
        if (!colon || strncmp(line, key, n) != 0 || !strchr(" \t:", line[n]))
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        colon[strcspn(colon, "\n")] = '\0';
        snprintf(out, size, "%s", colon);
        found = *out != '\0';
    }
    if (f)
        fclose(f);
    return found;
}

/* AArch64 has numbers for implementer and part; these are the names of common ones. */
static bool arm_name(char *out, size_t size)
{
    static const struct {
        unsigned implementer, part;
        const char *name;
    } names[] = {
        {0x41, 0xd03, "Cortex-A53"},  {0x41, 0xd08, "Cortex-A72"},  {0x41, 0xd0b, "Cortex-A76"},
        {0x41, 0xd0c, "Neoverse-N1"}, {0x41, 0xd40, "Neoverse-V1"}, {0x41, 0xd49, "Neoverse-N2"},
        {0x41, 0xd4f, "Neoverse-V2"}, {0x46, 0x001, "A64FX"},       {0xc0, 0xac3, "Ampere-1"},
    };
    char implementer[32], part[32];
    if (!cpuinfo("CPU implementer", implementer, sizeof implementer) ||
        !cpuinfo("CPU part", part, sizeof part))
        return false;
    unsigned long i = strtoul(implementer, NULL, 0), p = strtoul(part, NULL, 0);
    snprintf(out, size, "implementer 0x%lx, part 0x%lx", i, p);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].implementer == i && names[k].part == p)
            snprintf(out, size, "%s", names[k].name);
    return true;
}

static void find_processor(struct probe_system *s)
{
    struct utsname u;
    if (uname(&u) == 0) {
        snprintf(s->architecture, sizeof s->architecture, "%.31s", u.machine);
        snprintf(s->os, sizeof s->os, "%.40s %.50s", u.sysname, u.release);
    }
    if (!cpuinfo("model name", s->model, sizeof s->model) && !arm_name(s->model, sizeof s->model) &&
        !cpuinfo("cpu", s->model, sizeof s->model))
        snprintf(s->model, sizeof s->model, "unknown");
    if (gethostname(s->host, sizeof s->host - 1))
        s->host[0] = '\0';
    snprintf(s->compiler, sizeof s->compiler, "%s", about_compiler());
}

/* ---- memory */

static void find_memory(struct probe_system *s)
{
    static const char *const limits[] = {"/sys/fs/cgroup/memory.max",
                                         "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    char line[128];
    long pages = sysconf(_SC_PHYS_PAGES);
    s->page = sysconf(_SC_PAGESIZE);
    s->memory = pages > 0 && s->page > 0 ? (uint64_t)pages * (uint64_t)s->page : 0;
    for (size_t i = 0; i < 2; i++) {
        read_line(limits[i], line, sizeof line);
        uint64_t limit = isdigit((unsigned char)line[0]) ? strtoull(line, NULL, 10) : 0;
        if (limit && limit < s->memory)
            s->memory = limit;
    }
    read_line("/sys/kernel/mm/transparent_hugepage/enabled", line, sizeof line);
    char *chosen = strchr(line, '[');
    if (chosen)
        snprintf(s->huge_pages, sizeof s->huge_pages, "%.*s", (int)strcspn(chosen + 1, "]"),
                 chosen + 1);
}

/* ---- caches */

#ifdef CLL_HAVE_HWLOC
static void add_cache(struct probe_system *s, hwloc_obj_t o)
{
    static const char *const types[] = {"unified", "data", "instruction"};
    if (s->ncaches == PROBE_CACHES || !o->attr->cache.size)
        return;
    struct probe_cache *c = &s->caches[s->ncaches++];
    *c = (struct probe_cache){.level = (int)o->attr->cache.depth,
                              .bytes = o->attr->cache.size,
                              .line = (int)o->attr->cache.linesize,
                              .shared = o->cpuset ? hwloc_bitmap_weight(o->cpuset) : 0};
    snprintf(c->type, sizeof c->type, "%s", types[o->attr->cache.type]);
}

/* The caches above the first hardware thread. */
static void find_caches_hwloc(struct probe_system *s)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology))
        return;
    hwloc_topology_set_cache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    hwloc_topology_set_icache_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_ALL);
    if (hwloc_topology_load(topology) == 0)
        for (hwloc_obj_t o = hwloc_get_obj_by_type(topology, HWLOC_OBJ_PU, 0); o; o = o->parent)
            if (hwloc_obj_type_is_cache(o->type))
                add_cache(s, o);
    hwloc_topology_destroy(topology);
    s->caches_from = s->ncaches ? "hwloc" : NULL;
}
#endif

static bool next_core(const char **at, int *core)
{
    char *end;
    long n = strtol(*at, &end, 10);
    if (end == *at || n < 0 || n > INT_MAX)
        return false;
    *at = end;
    *core = (int)n;
    return true;
}

bool probe_next_cores(const char **list, int *from, int *to)
{
    if (!next_core(list, from))
        return false;
    *to = *from;
    if (**list == '-') {
        ++*list;
        if (!next_core(list, to))
            return false;
    }
    if (**list == ',')
        ++*list;
    return true;
}

static int count_list(const char *text)
{
    int n = 0, from, to;
    while (probe_next_cores(&text, &from, &to))
        n += to - from + 1;
    return n;
}

/* A property of a cache; "" if the system does not tell it. Until the next call. */
static const char *cache_line(int index, const char *property)
{
    static char path[96], line[256];
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, property);
    read_line(path, line, sizeof line);
    return line;
}

static void find_caches_sysfs(struct probe_system *s)
{
    for (int i = 0; i < PROBE_CACHES; i++) {
        struct probe_cache c = {.level = (int)strtol(cache_line(i, "level"), NULL, 10),
                                .line = (int)strtol(cache_line(i, "coherency_line_size"), NULL, 10),
                                .shared = count_list(cache_line(i, "shared_cpu_list"))};
        snprintf(c.type, sizeof c.type, "%.15s", cache_line(i, "type"));
        c.type[0] = (char)tolower((unsigned char)c.type[0]);
        const char *size = cache_line(i, "size");
        c.bytes = strtoull(size, NULL, 10) << (strchr(size, 'M') ? 20 : strchr(size, 'K') ? 10 : 0);
        if (c.level > 0 && c.bytes && *c.type)
            s->caches[s->ncaches++] = c;
    }
    s->caches_from = s->ncaches ? "sysfs" : NULL;
}

uint64_t probe_system_largest_cache(const struct probe_system *s)
{
    uint64_t largest = 0;
    for (int i = 0; i < s->ncaches; i++)
        if (s->caches[i].bytes > largest)
            largest = s->caches[i].bytes;
    return largest;
}

void probe_system_find(struct probe_system *s)
{
    *s = (struct probe_system){.ncaches = 0};
    find_processor(s);
    find_memory(s);
#ifdef CLL_HAVE_HWLOC
    find_caches_hwloc(s);
#endif
    if (!s->ncaches)
        find_caches_sysfs(s);
}

void probe_system_name(const struct probe_system *s, char *out, size_t size)
{
    size_t n = 0;
    char whole[160];
    snprintf(whole, sizeof whole, "%s %s", s->architecture, s->model);
    for (const char *at = whole; *at && n + 1 < size; at++) {
        if (*at == '(' && strchr(at, ')')) /* (R), (TM) */
            at = strchr(at, ')');
        else if (isalnum((unsigned char)*at))
            out[n++] = (char)tolower((unsigned char)*at);
        else if (n && out[n - 1] != '-')
            out[n++] = '-';
    }
    while (n && out[n - 1] == '-')
        n--;
    out[n] = '\0';
}
