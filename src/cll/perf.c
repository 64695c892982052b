/* SPDX-License-Identifier: MIT */
/*
 * Counters of the Linux kernel, one descriptor per counter and thread. Hardware counters are
 * pinned: instead of multiplexing them the kernel reports an error, which reads as SPOOL_NAN.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static const struct perf_name {
    const char *name;
    uint32_t type;
    uint32_t config;
    int in_kernel; /* happens in the kernel: cannot be counted for user mode alone */
} perf_names[] = {
    {"task-clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK, 0},
    {"page-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS, 0},
    {"minor-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN, 0},
    {"major-faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ, 0},
    {"context-switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES, 1},
    {"migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS, 1},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, 0},
    {"cache-references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES, 0},
    {"cache-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES, 0},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, 0},
    {"branch-misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, 0},
};

struct perf_set {
    unsigned count;
    int fds[CLL_MAX_COUNTERS];
};

static void *perf_open(char *reason, size_t size)
{
    struct perf_set *set = cll_pages_new(sizeof *set);
    if (!set)
        snprintf(reason, size, "no memory");
    return set;
}

static int open_event(const struct perf_name *name, int user_only)
{
    struct perf_event_attr attr = {.type = name->type,
                                   .size = sizeof attr,
                                   .config = name->config,
                                   .exclude_kernel = user_only != 0,
                                   .exclude_hv = user_only != 0,
                                   .pinned = name->type == PERF_TYPE_HARDWARE,
                                   .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
                                                  PERF_FORMAT_TOTAL_TIME_RUNNING};
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void explain(int error, char *reason, size_t size)
{
    if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV || error == EINVAL)
        snprintf(reason, size, "this machine has no such counter (%s)", strerror(error));
    else if (error == EACCES || error == EPERM)
        snprintf(reason, size, "the kernel does not permit it (kernel.perf_event_paranoid)");
    else
        snprintf(reason, size, "perf_event_open: %s", strerror(error));
}

static int perf_add(void *data, const char *counter, char *reason, size_t size)
{
    struct perf_set *set = data;
    const struct perf_name *name = perf_names;
    const struct perf_name *end = perf_names + sizeof perf_names / sizeof *perf_names;
    while (name < end && strcmp(name->name, counter))
        name++;
    if (name == end || set->count == CLL_MAX_COUNTERS) {
        snprintf(reason, size, "%s", name == end ? "" : "too many counters");
        return -1;
    }
    int fd = open_event(name, name->type == PERF_TYPE_HARDWARE);
    if (fd < 0 && (errno == EACCES || errno == EPERM) && !name->in_kernel)
        fd = open_event(name, 1);
    if (fd < 0) {
        explain(errno, reason, size);
        return -1;
    }
    set->fds[set->count] = fd;
    return (int)set->count++;
}

static void perf_read(void *data, cll_u64 *values)
{
    struct perf_set *set = data;
    for (unsigned i = 0; i < set->count; i++) {
        uint64_t got[3]; /* value, time enabled, time running */
        int whole = read(set->fds[i], got, sizeof got) == (ssize_t)sizeof got;
        values[i] = whole && got[1] == got[2] ? got[0] : SPOOL_NAN;
    }
}

static void perf_close(void *data)
{
    struct perf_set *set = data;
    for (unsigned i = 0; i < set->count; i++)
        close(set->fds[i]);
    cll_pages_free(set, sizeof *set);
}

const struct cll_counter_driver cll_perf_driver = {"perf", perf_open, perf_add, perf_read,
                                                   perf_close};
