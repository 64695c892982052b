/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A flag that long loops look at, so that Ctrl-C ends a command and not the program. */
#ifndef BASE_INTERRUPT_H
#define BASE_INTERRUPT_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

/* The flag that a signal handler sets; NULL = none. It must live until another one is set. */
void interrupt_set(const volatile sig_atomic_t *flag);
bool interrupt_came(void);

/* As read, which may wait. -1 with EINTR: the flag is set; other signals do not end it. */
ssize_t interrupt_read(int fd, void *to, size_t size);

#endif
