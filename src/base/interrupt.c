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

bool interrupted(void)
{
    return interrupt_flag && *interrupt_flag;
}

/* The signal can come only inside of ppoll: between a look at the flag and a read that waits it would
 * be lost. */
ssize_t interrupt_read(int fd, void *to, size_t size)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    sigset_t interrupt, before;
    ssize_t got = -1;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &before);
    do {
        errno = EINTR;
        if (!interrupted() && (ppoll(&p, 1, NULL, &before) >= 0 || errno != EINTR))
            got = read(fd, to, size);
    } while (got < 0 && errno == EINTR && !interrupted());
    int error = errno;
    sigprocmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return got;
}
