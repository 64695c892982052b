/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a program does when memory runs out, tried in a child: it leaves, and nothing else. Included after unit.h. */
#ifndef TESTS_HARNESS_WITHOUT_MEMORY_H
#define TESTS_HARNESS_WITHOUT_MEMORY_H

#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"

enum { LEFT_WITHOUT_MEMORY = 9 };

static inline void leave_child(size_t bytes)
{
    (void)bytes;
    _exit(LEFT_WITHOUT_MEMORY);
}

/* Whether `work` needs more than `countdown` allocations. A signal, or another end, fails the test. */
static inline bool lacks_memory(long countdown, void (*work)(const void *), const void *data)
{
    int status;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        mem_set_oom_handler(leave_child);
        mem_fail_after(countdown);
        work(data);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == LEFT_WITHOUT_MEMORY);
    return WEXITSTATUS(status) == LEFT_WITHOUT_MEMORY;
}

#endif
