/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Preloaded into the program under test by inject: tells the tracer that the dynamic linker has
 * done its work, and makes allocations fail. malloc and its relatives are replaced by functions
 * that count and call glibc's; strdup, getline, stdio and the like allocate through them.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "inject.h"

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *p, size_t bytes);
void *__libc_memalign(size_t align, size_t bytes);

static atomic_long calls;
static long first; /* 0: none fails */
static int persistent;

static void mark(enum faults_mark which, long value)
{
    int saved = errno;
    syscall(SYS_prctl, (long)FAULTS_MARK, (long)which, value, 0L, 0L);
    errno = saved;
}

__attribute__((constructor)) static void begin(void)
{
    const char *asked = getenv(FAULTS_ALLOC);
    char *rest = NULL;
    long n = asked ? strtol(asked, &rest, 10) : 0;
    persistent = rest && *rest == '+';
    if (!getenv(FAULTS_CHILDREN)) {
        unsetenv("LD_PRELOAD");
        unsetenv(FAULTS_ALLOC);
    }
    mark(FAULTS_MAIN, 0);
    first = n;
}

__attribute__((destructor)) static void end(void)
{
    mark(FAULTS_COUNT, atomic_load(&calls));
}

static int fails(void)
{
    if (!first)
        return 0;
    long n = atomic_fetch_add(&calls, 1) + 1;
    if (persistent ? n < first : n != first)
        return 0;
    mark(FAULTS_HIT, 0);
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t bytes)
{
    return fails() ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t size)
{
    return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *p, size_t bytes)
{
    return fails() ? NULL : __libc_realloc(p, bytes);
}

void *memalign(size_t align, size_t bytes)
{
    return fails() ? NULL : __libc_memalign(align, bytes);
}

void *aligned_alloc(size_t align, size_t bytes)
{
    return memalign(align, bytes);
}

int posix_memalign(void **p, size_t align, size_t bytes)
{
    int saved = errno;
    void *got = memalign(align, bytes);
    errno = saved;
    if (!got)
        return ENOMEM;
    *p = got;
    return 0;
}
