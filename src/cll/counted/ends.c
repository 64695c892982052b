/* SPDX-License-Identifier: MIT */
/*
 * What a program has counted, told or measured is written at exit, and not at _exit, with which children of fork and some programs
 * end. The programs that `call discover` builds have these functions in place of those of libc. A child of vfork has the memory of
 * its parent, which writes it; one of fork counts, and is not measured.
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT    __attribute__((visibility("default"), noreturn))
#define IF_LINKED __attribute__((weak))

IF_LINKED void cll_counted_gather_all(void); /* of threads.c */
IF_LINKED void __gcov_dump(void);
IF_LINKED void cll_told_write(void);
IF_LINKED void cll_report(const char *names);

static pid_t first, owner;

static void own(void)
{
    owner = getpid();
}

__attribute__((constructor(101))) static void begin(void)
{
    own();
    first = owner;
    pthread_atfork(NULL, NULL, own);
}

EXPORT void _exit(int status)
{
    pid_t self = getpid();
    if (self == owner && cll_counted_gather_all)
        cll_counted_gather_all();
    if (self == owner && __gcov_dump)
        __gcov_dump();
    if (self == first && cll_told_write)
        cll_told_write();
    if (self == first && cll_report)
        cll_report(NULL);
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORT void _Exit(int status)
{
    _exit(status);
}
