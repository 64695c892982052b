/* SPDX-License-Identifier: MIT */
/*
 * What a program has counted, told or measured is written at exit, and not at _exit, with which children of fork and some programs
 * end. The programs that `call discover` builds have these functions in place of those of libc, unless they have their own. A child of
 * vfork has the memory of its parent, which writes it; one of fork counts, and is not measured. Nothing is written in a handler of
 * a signal, which may have interrupted malloc.
 */
#define _GNU_SOURCE 1
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <unwind.h>

#define EXPORT    __attribute__((visibility("default"), weak, noreturn))
#define IF_LINKED __attribute__((weak))

IF_LINKED void cll_counted_gather_all(void); /* of threads.c */
IF_LINKED void __gcov_dump(void);
IF_LINKED void __gcov_reset(void);
IF_LINKED void cll_told_write(void);
IF_LINKED void cll_report_early(void);

static pid_t first, owner;

static _Unwind_Reason_Code look(struct _Unwind_Context *frame, void *found)
{
    int interrupted = 0;
    _Unwind_GetIPInfo(frame, &interrupted);
    *(bool *)found |= interrupted;
    return interrupted ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

extern char _DYNAMIC[] __attribute__((weak, visibility("hidden")));

/* The unwinder of a program that is linked statically may abort. */
static bool in_handler(void)
{
    bool found = false;
    if (_DYNAMIC)
        _Unwind_Backtrace(look, &found);
    return found;
}

static void write_counts(void)
{
    if (cll_counted_gather_all)
        cll_counted_gather_all();
    if (__gcov_dump)
        __gcov_dump();
}

/* Else a child that gcc does not know of would write them as well. */
static void before_fork(void)
{
    if (getpid() != owner || !__gcov_dump || !__gcov_reset || in_handler())
        return;
    write_counts();
    __gcov_reset();
}

static void own(void)
{
    owner = getpid();
}

/* After the one of threads.c, so that before_fork is called before its lock is taken. */
__attribute__((constructor(102))) static void begin(void)
{
    own();
    first = owner;
    pthread_atfork(before_fork, NULL, own);
}

EXPORT void _exit(int status)
{
    pid_t self = getpid();
    bool writes = !in_handler();
    if (writes && self == owner)
        write_counts();
    if (writes && self == first && cll_told_write)
        cll_told_write();
    if (writes && self == first && cll_report_early)
        cll_report_early();
    for (;;)
        syscall(SYS_exit_group, status);
}

EXPORT void _Exit(int status)
{
    _exit(status);
}
