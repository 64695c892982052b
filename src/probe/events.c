/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is not an operation of the processor but happens in every program: branches that are predicted
 * or not, calls, system calls, page faults. The cost of a mispredicted branch is derived from two
 * loops (summary.c): both compute the same, and the branch of one is random.
 */
#define _GNU_SOURCE
#include "probe/operations.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe/kernel.h"

/* The branch follows a bit of a generator, or never happens where mask is 0. */
static KERNEL void branches(uint64_t n, uint64_t mask)
{
    uint64_t state = 88172645463325252u, a = 1, b = 1;
    KEEP_INT(mask);
    for (uint64_t i = 0; i < n; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        if (state & mask)
            __asm__ volatile("" : "+r"(a));
        else
            __asm__ volatile("" : "+r"(b));
    }
    USE_INT(state);
}

static void branch_random(uint64_t n)
{
    branches(n, 64);
}

static void branch_predicted(uint64_t n)
{
    branches(n, 0);
}

static KERNEL uint64_t callee(uint64_t x)
{
    KEEP_INT(x);
    return x;
}

static KERNEL void calls(uint64_t n)
{
    uint64_t (*function)(uint64_t) = callee, x = 1;
    KEEP_INT(function);
    for (uint64_t i = 0; i < n; i++) {
        TIMES_8(x = function(x);)
    }
    USE_INT(x);
}

static void system_calls(uint64_t n)
{
    for (uint64_t i = 0; i < n; i++)
        syscall(SYS_getppid);
}

/* First writes to pages that the system has taken back; a page's share of that is included. */
enum { PAGES = 128, LARGEST_PAGE = 65536 };
static void page_faults(uint64_t n)
{
    static char area[(PAGES + 1) * LARGEST_PAGE];
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    volatile char *m = area + (page - (uintptr_t)area % page);
    for (uint64_t i = 0; i < n; i++) {
        madvise((void *)m, PAGES * page, MADV_DONTNEED);
        for (size_t k = 0; k < PAGES; k++)
            m[k * page] = 1;
    }
}

const struct probe_operation probe_events[] = {
    {"branch.predicted", branch_predicted, 1, NULL},
    {"branch.random", branch_random, 1, NULL},
    {"call", calls, 8, NULL},
    {"system_call", system_calls, 1, NULL},
    {"page_fault", page_faults, PAGES, NULL},
    {NULL, NULL, 0, NULL},
};
