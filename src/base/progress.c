/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The line of progress (progress.h). The handler of the timer uses nothing but stores, the clock and
 * write, which are safe in a handler. System calls that it interrupts are restarted.
 */
#include "base/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/printable.h"
#include "base/text.h"

enum { FIRST_SECONDS = 1, LATER_MICROSECONDS = 250000, MOST_WHAT = 60, MOST_LINE = 200 };

static char what[MOST_WHAT + 1];
static const char *volatile part;
static volatile size_t done, all;
static volatile sig_atomic_t running, shown, breaking;
static struct timespec began;
static struct sigaction before;

/* ---- in the handler ---- */

struct line {
    char s[MOST_LINE];
    size_t n;
};

static void add(struct line *l, const char *s)
{
    for (; *s && l->n < sizeof l->s; s++)
        l->s[l->n++] = *s;
}

static void add_number(struct line *l, size_t x)
{
    char digits[24];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do
        digits[--at] = (char)('0' + x % 10);
    while ((x /= 10) != 0 && at > 0);
    add(l, digits + at);
}

static void put(const struct line *l)
{
    ssize_t ignored = write(STDERR_FILENO, l->s, l->n);
    (void)ignored;
}

static void on_timer(int number);

/* 0, or -1 with errno; the action of before is kept once. */
static int listen_to_timer(int flags)
{
    struct sigaction action = {.sa_handler = on_timer, .sa_flags = flags};
    sigemptyset(&action.sa_mask);
    return sigaction(SIGALRM, &action, flags ? &before : NULL);
}

static void on_timer(int number)
{
    int saved = errno;
    struct timespec now;
    struct line l = {.n = 0};
    const char *where = part;
    size_t number_done = done, number_all = all;
    (void)number;
    if (!running)
        return;
    /* A system call that this signal restarted after the user had interrupted it must end, too. */
    if (interrupt_came() && !breaking) {
        breaking = 1;
        listen_to_timer(0);
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    add(&l, "\r\033[K");
    add(&l, what);
    add(&l, ": ");
    add_number(&l, (size_t)(now.tv_sec - began.tv_sec));
    add(&l, " s");
    if (where) {
        add(&l, ", ");
        add(&l, where);
    }
    if (number_all) {
        add(&l, " ");
        add_number(&l, number_done < number_all ? 100 * number_done / number_all : 100);
        add(&l, " %");
    }
    put(&l);
    shown = 1;
    errno = saved;
}

/* ---- outside of it ---- */

/* Can the terminal erase a line? */
static bool is_wanted(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

static void set_timer(time_t seconds, suseconds_t interval)
{
    struct itimerval t = {.it_interval = {0, interval}, .it_value = {seconds, 0}};
    setitimer(ITIMER_REAL, &t, NULL);
}

void progress_begin(const char *text)
{
    if (running || !is_wanted())
        return;
    TEXT_LOCAL struct text t = text_new();
    text_add_printable(&t, text, strlen(text));
    size_t n = t.n < MOST_WHAT ? t.n : MOST_WHAT;
    while (n > 0 && n < t.n && ((unsigned char)t.s[n] & 0xc0) == 0x80)
        n--; /* whole characters */
    memcpy(what, t.s, n);
    what[n] = '\0';
    part = NULL;
    done = all = 0;
    clock_gettime(CLOCK_MONOTONIC, &began);
    breaking = 0;
    if (listen_to_timer(SA_RESTART))
        return;
    running = 1;
    set_timer(FIRST_SECONDS, LATER_MICROSECONDS);
}

void progress_at(const char *where, size_t so_far, size_t of)
{
    part = where;
    all = 0; /* never a part of another whole */
    done = so_far;
    all = of;
}

void progress_clear(void)
{
    if (!shown)
        return;
    static const struct line erase = {.s = "\r\033[K", .n = 4};
    shown = 0;
    put(&erase);
}

void progress_end(void)
{
    if (!running)
        return;
    set_timer(0, 0);
    running = 0;
    sigaction(SIGALRM, &before, NULL);
    progress_clear();
}
