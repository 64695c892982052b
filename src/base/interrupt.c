/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The interrupt flag (interrupt.h). */
#define _GNU_SOURCE 1 /* ppoll */
#include "base/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <unistd.h>

static const volatile sig_atomic_t *interrupt_flag;

void interrupt_set(const volatile sig_atomic_t *flag)
{
    interrupt_flag = flag;
}

bool interrupt_came(void)
{
    return interrupt_flag && *interrupt_flag;
}

/* The signal can come only inside of ppoll: between a look at the flag and the wait it would be lost. */
static void wait_for_input(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    sigset_t interrupt, before;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    while (!interrupt_came() && ppoll(&p, 1, NULL, &before) < 0 && errno == EINTR)
        continue;
    sigprocmask(SIG_SETMASK, &before, NULL);
}

ssize_t interrupt_read(int fd, void *to, size_t size)
{
    for (;;) {
        wait_for_input(fd);
        errno = EINTR;
        ssize_t got = interrupt_came() ? -1 : read(fd, to, size);
        if (got >= 0 || errno != EINTR || interrupt_came())
            return got;
    }
}
