/* SPDX-License-Identifier: MIT */
/*
 * The handler of SIGBUS. The spool is a mapped file: if another process truncates it, or its disk
 * fails, an access raises SIGBUS. Then memory replaces the missing part, and the program goes on.
 * The handler passes any other SIGBUS on to the handler that was installed before it. A handler
 * that the program installs later replaces it.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

/* A forked child inherits the handler, and with it this state. */
static struct {
    struct sigaction before; /* the handler before ours */
    int installed;
} bus;

static void pass_on(int number, siginfo_t *info, void *context)
{
    struct sigaction plain = {.sa_handler = SIG_DFL};
    int sent = info->si_code <= 0; /* by a program, not by a fault */
    if (bus.before.sa_flags & SA_RESETHAND)
        sigaction(SIGBUS, &plain, NULL);
    if (bus.before.sa_flags & SA_SIGINFO) {
        bus.before.sa_sigaction(number, info, context);
    } else if (bus.before.sa_handler != SIG_DFL && bus.before.sa_handler != SIG_IGN) {
        bus.before.sa_handler(number);
    } else if (!sent || bus.before.sa_handler == SIG_DFL) {
        sigaction(SIGBUS, &bus.before, NULL); /* the fault happens again when we return */
        if (sent)
            raise(SIGBUS);
    }
}

static void on_bus(int number, siginfo_t *info, void *context)
{
    int error = errno;
    if (info->si_code <= 0 || !cll_spool_patch(info->si_addr))
        pass_on(number, info, context);
    errno = error;
}

void cll_bus_install(void)
{
    struct sigaction ours = {.sa_sigaction = on_bus, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    if (bus.installed || sigaction(SIGBUS, NULL, &bus.before))
        return;
    if (bus.before.sa_flags & SA_SIGINFO ||
        (bus.before.sa_handler != SIG_DFL && bus.before.sa_handler != SIG_IGN)) {
        ours.sa_mask = bus.before.sa_mask;
        ours.sa_flags = SA_SIGINFO | (bus.before.sa_flags & (SA_ONSTACK | SA_NODEFER | SA_RESTART));
    }
    bus.installed = !sigaction(SIGBUS, &ours, NULL);
}

void cll_bus_remove(void)
{
    struct sigaction now;
    if (bus.installed && !sigaction(SIGBUS, NULL, &now) && now.sa_flags & SA_SIGINFO &&
        now.sa_sigaction == on_bus)
        sigaction(SIGBUS, &bus.before, NULL);
    bus.installed = 0;
}
