/* SPDX-License-Identifier: MIT */
/*
 * Fork. A forked child measures for itself: into its own spool and its own data file, from its next
 * region on. cll_restart is the one place where it starts afresh. The struct of each part says what
 * the child keeps.
 *
 * The thread that forks holds the lock during the fork, so that the child finds every part in
 * order, unless another thread does not release the lock for two seconds. A fork that calls no
 * handlers (clone) is found at the next slow path (cll_start).
 *
 * A child of vfork has the memory of its parent, also the buffer of the thread that called vfork: its
 * samples are those of the parent. Nothing may be started in it. What the child would open and
 * install belongs to the child, and the parent would take it for its own.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#define PATIENCE_MS 2000
#define MARK_BYTES  4096

/* Of the fork that is being made. */
static struct {
    int held;   /* the lock */
    int in_end; /* in a handler that interrupted an end */
    struct cll_hold hold;
} forking;

/* Whose memory this is. The kernel makes the mark zero in a forked child, and a child of vfork sees it. */
static struct {
    pid_t pid;
    char *mark; /* null: it cannot be known (before Linux 4.14) */
} memory;

void cll_memory_own(void)
{
    memory.pid = getpid();
#ifdef MADV_WIPEONFORK
    if (!memory.mark && (memory.mark = cll_pages_new(MARK_BYTES)) &&
        madvise(memory.mark, MARK_BYTES, MADV_WIPEONFORK)) {
        cll_pages_free(memory.mark, MARK_BYTES);
        memory.mark = NULL;
    }
#endif
    if (memory.mark)
        *memory.mark = 1;
}

int cll_memory_is_of_another(void)
{
    if (memory.pid == getpid())
        return 0;
    if (memory.mark && *memory.mark)
        return 1;
    cll_memory_own();
    return 0;
}

void cll_memory_forget(void)
{
    if (memory.mark)
        cll_pages_free(memory.mark, MARK_BYTES);
    memory.mark = NULL;
}

/* The other parts have no state that belongs to the parent: the settings and the clock, the counters, the handler of SIGBUS, the
   reports. What a driver has told belongs to one pid (driver.c). */
void cll_restart(void)
{
    cll_spool_restart();
    cll_cut_restart();
    cll_thin_restart();
    cll_launch_restart();
    cll_gather_restart();
    cll_registry_restart(); /* keeps the experiments: the program's descriptors hold their ids */
    cll_thread_restart();   /* last: now the next region starts measuring */
}

static void before_fork(void)
{
    struct cll_hold hold;
    if (cll_hold(&hold, PATIENCE_MS)) { /* else a thread is stopped inside of the run-time */
        forking.hold = hold;
        forking.held = 1;
    }
    forking.in_end = cll_self->busy != 0;
}

static void after_fork_parent(void)
{
    struct cll_hold hold = forking.hold;
    int held = forking.held;
    forking.held = 0;
    if (held)
        cll_release(&hold);
}

static void after_fork_child(void)
{
    if (forking.in_end) /* the child goes on writing that record when the handler returns */
        cll_spool_detach();
    cll_thread_wipe();
    cll_lock_reset();
    cll_memory_own();
    if (cll_is_on())
        cll_restart();
    after_fork_parent();
}

int cll_fork_watch(void)
{
    return !pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}
