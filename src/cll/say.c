/* SPDX-License-Identifier: MIT */
/*
 * Messages on stderr, signals, and the one lock.
 *
 * The lock knows its owner: a region inside a signal handler, or inside an allocator that the
 * run-time calls, must not wait for itself. A thread that waits sleeps; only slow paths lock.
 *
 * cll_hold takes the lock and blocks the signals that have handlers, until cll_release: a handler
 * could leave by siglongjmp, fork or exit, or have regions that need the lock. Signals without a
 * handler still end or stop the program at once. A thread that holds the lock cannot be cancelled.
 */
#define _GNU_SOURCE
#include "cll/internal.h"
#include "spool/name.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const int quiet_signals[] = {SIGPIPE, SIGXFSZ};

_Static_assert(sizeof(sigset_t) <= sizeof((struct cll_quiet *)0)->words, "room for a sigset_t");

void cll_quiet_begin(struct cll_quiet *quiet)
{
    sigset_t block, old, pending;
    sigemptyset(&block);
    sigemptyset(&pending);
    sigpending(&pending);
    quiet->pending = 0;
    for (int i = 0; i < 2; i++) {
        sigaddset(&block, quiet_signals[i]);
        if (sigismember(&pending, quiet_signals[i]) == 1)
            quiet->pending |= 1 << i;
    }
    pthread_sigmask(SIG_BLOCK, &block, &old);
    memcpy(quiet->words, &old, sizeof old);
}

void cll_quiet_end(struct cll_quiet *quiet)
{
    static const struct timespec no_time;
    int error = errno;
    for (int i = 0; i < 2; i++) {
        sigset_t one;
        sigemptyset(&one);
        sigaddset(&one, quiet_signals[i]);
        if (!(quiet->pending & 1 << i))
            while (sigtimedwait(&one, NULL, &no_time) > 0)
                ;
    }
    sigset_t old;
    memcpy(&old, quiet->words, sizeof old);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
}

/* Shows what is not printable as \xNN, in place: values of the environment and names of files must not
   change what a terminal does, or look like another line. Cuts what has no room. */
static size_t show(char *text, size_t size)
{
    size_t length = strlen(text), piece;
    for (size_t i = 0; i < length; i += piece) {
        char hex[8];
        piece = text[i] >= 0x20 && text[i] < 0x7f ? 1 : cll_name_letter(text + i, length - i);
        if (piece)
            continue;
        piece = (size_t)snprintf(hex, sizeof hex, "\\x%02x", (unsigned char)text[i]);
        if (i + piece >= size)
            return i;
        size_t rest = length - i - 1;
        if (rest > size - i - piece)
            rest = size - i - piece;
        memmove(text + i + piece, text + i + 1, rest);
        memcpy(text + i, hex, piece);
        length = i + piece + rest;
    }
    return length;
}

void cll_say(const char *format, ...)
{
    char text[PATH_MAX + 512];
    int error = errno;
    struct cll_quiet quiet;
    va_list arguments;
    int length = snprintf(text, sizeof text, "cll: ");
    length += cll_driver_who(text + length, sizeof text - (size_t)length);
    va_start(arguments, format);
    vsnprintf(text + length, sizeof text - (size_t)length - 1, format, arguments);
    va_end(arguments);
    size_t shown = show(text, sizeof text - 2);
    text[shown++] = '\n';
    cll_quiet_begin(&quiet);
    ssize_t ignored = write(STDERR_FILENO, text, shown);
    (void)ignored;
    cll_quiet_end(&quiet);
    errno = error;
}

static void *lock_owner;

int cll_lock(int patience_ms)
{
    void *self = &cll_self; /* differs from thread to thread */
    struct timespec pause = {0, 20000};
    long waited_us = 0;
    for (unsigned tries = 0;; tries++) {
        void *holder = NULL;
        if (__atomic_compare_exchange_n(&lock_owner, &holder, self, 0, __ATOMIC_ACQUIRE,
                                        __ATOMIC_RELAXED))
            return 1;
        if (holder == self)
            return 0;
        if (tries < 100) {
            sched_yield();
            continue;
        }
        if (patience_ms >= 0 && waited_us > patience_ms * 1000L)
            return 0;
        nanosleep(&pause, NULL);
        waited_us += 20;
    }
}

void cll_unlock(void)
{
    __atomic_store_n(&lock_owner, NULL, __ATOMIC_RELEASE);
}

void cll_lock_reset(void)
{
    cll_unlock();
}

/* Signals that a fault raises cannot be blocked. */
static int is_fault(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
           number == SIGTRAP || number == SIGSYS;
}

static void block(sigset_t *which, struct cll_hold *hold)
{
    sigset_t old;
    pthread_sigmask(SIG_BLOCK, which, &old);
    memcpy(hold->words, &old, sizeof old);
}

void cll_signals_block(struct cll_hold *hold)
{
    sigset_t all;
    sigfillset(&all);
    for (int number = 1; number < NSIG; number++)
        if (is_fault(number))
            sigdelset(&all, number);
    block(&all, hold);
}

void cll_signals_restore(const struct cll_hold *hold)
{
    sigset_t old;
    memcpy(&old, hold->words, sizeof old);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
}

static void find_handled(sigset_t *handled)
{
    sigemptyset(handled);
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (!is_fault(number) && !sigaction(number, NULL, &action) &&
            (action.sa_flags & SA_SIGINFO ||
             (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN)))
            sigaddset(handled, number);
    }
}

int cll_hold(struct cll_hold *hold, int patience_ms)
{
    struct timespec pause = {0, 100000};
    sigset_t handled;
    find_handled(&handled);
    for (long waited_us = 0;; waited_us += 100) {
        block(&handled, hold);
        if (cll_lock(0)) {
            pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &hold->cancel);
            return 1;
        }
        cll_signals_restore(hold);
        if (__atomic_load_n(&lock_owner, __ATOMIC_RELAXED) == &cll_self ||
            (patience_ms >= 0 && waited_us > patience_ms * 1000L))
            return 0;
        nanosleep(&pause, NULL);
    }
}

void cll_release(const struct cll_hold *hold)
{
    cll_unlock();
    pthread_setcancelstate(hold->cancel, NULL);
    cll_signals_restore(hold);
}
