/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a process has counted is written at exit, and not at _exit, with which children of fork and some programs end. Programs
 * that `call discover` counts have these functions in place of those of libc. A child of vfork has the memory of its parent, which
 * writes it.
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default"), noreturn))

void __gcov_dump(void);
void cll_counted_gather_all(void) __attribute__((weak)); /* of threads.c, if there are threads */

static pid_t owner;

static void own(void)
{
    owner = getpid();
}

__attribute__((constructor(101))) static void begin(void)
{
    own();
    pthread_atfork(NULL, NULL, own);
}

EXPORT void _exit(int status)
{
    if (owner == getpid()) {
        if (cll_counted_gather_all)
            cll_counted_gather_all();
        __gcov_dump();
    }
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORT void _Exit(int status)
{
    _exit(status);
}
