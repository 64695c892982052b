/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far the rounds have come. On a terminal it is a bar in the last line, with the time that is left,
 * redrawn while the program runs; elsewhere a plain line now and then. During the first round, whose
 * program may print, no bar is drawn: it would go through the program's lines.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/text.h"
#include "call/run/run.h"

enum { BAR = 20, MOST_LOG = 1 << 20 };

/* Seconds between plain lines. */
#define PLAIN_PERIOD 10.0

/* Of a round that lasts longer than those before it, this much is taken to be done. */
#define MOST_OF_ROUND 0.95

double run_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool is_terminal(void)
{
    const char *term = getenv("TERM");
    return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

void run_progress_begin(struct run *r)
{
    struct run_progress *p = &r->progress;
    *p = (struct run_progress){.begin = run_now(), .terminal = is_terminal()};
    p->said = p->begin;
    p->title = "";
}

/* ---- how far ---- */

/* The runs of the round that have ended, by the log of a sweep. */
static double part_by_log(const struct run *r, struct arena *a, const char **place)
{
    MEM_LOCAL char *text = NULL;
    size_t size, all = 0, tried = 0;
    for (size_t i = 0; i < run_nplaces(r); i++)
        all += !r->dropped[i];
    if (!all || source_read(r->progress.log, MOST_LOG, &text, &size))
        return 0;
    for (const char *p = text, *end = text + size; p < end;) {
        const char *word = p, *value = p + strlen(p) + 1;
        if (value >= end)
            break;
        tried += !strcmp(word, "tried");
        if (!strcmp(word, "begin"))
            *place = arena_strdup(a, value);
        p = value + strlen(value) + 1;
    }
    return fmin(MOST_OF_ROUND, (double)tried / (double)all);
}

/* The part of the running round that is done. */
static double part_of_round(const struct run *r, struct arena *a, double now, const char **place)
{
    const struct run_progress *p = &r->progress;
    if (!p->running)
        return 0;
    if (p->log)
        return part_by_log(r, a, place);
    if (p->all)
        return fmin(MOST_OF_ROUND, (double)p->ended / (double)p->all);
    double one = r->timed ? r->seconds / r->timed : 0;
    return one > 0 ? fmin(MOST_OF_ROUND, (now - p->round) / one) : 0;
}

static void add_bar(struct text *out, double part)
{
    int full = (int)(BAR * part + 0.5);
    text_addc(out, '[');
    for (int i = 0; i < BAR; i++)
        text_addc(out, i < full ? '#' : '-');
    text_printf(out, "] ");
}

/* "40 %, about 12 s left, round 3 of 12, P = 4" */
static void add_state(const struct run *r, struct text *out, bool bar)
{
    const struct run_progress *p = &r->progress;
    double now = run_now();
    const char *place = NULL;
    ARENA_LOCAL struct arena *a = arena_create();
    double rounds = r->timed + part_of_round(r, a, now, &place);
    struct limits_estimate e =
        limits_progress(&r->limits, rounds, now - p->begin, p->judged ? p->part : NAN);
    if (bar && !p->counters)
        add_bar(out, e.part);
    if (!p->counters)
        text_printf(out, "%.0f %%, ", 100 * e.part);
    if (!p->counters && isfinite(e.left))
        text_printf(out, "%s%s left, ", e.at_most ? "at most " : "about ",
                    limits_duration(a, fmax(1, ceil(e.left)), false));
    text_add(out, p->title);
    if (p->place || place)
        text_printf(out, ", %s", p->place ? p->place : place);
}

/* ---- showing it ---- */

void run_progress_clear(struct run *r)
{
    if (!r->progress.shown)
        return;
    fputs("\r\033[K", stderr);
    r->progress.shown = false;
}

static void show_bar(struct run *r)
{
    TEXT_LOCAL struct text t = text_new();
    add_state(r, &t, true);
    fputs("\r\033[K", stderr); /* say would show it */
    say("%s", t.s);
    r->progress.shown = true;
}

static void show_line(struct run *r)
{
    if (run_now() - r->progress.said < PLAIN_PERIOD)
        return;
    r->progress.said = run_now();
    TEXT_LOCAL struct text t = text_new();
    add_state(r, &t, false);
    say("%s: %s\n", r->self, t.s);
}

static void show(struct run *r)
{
    if (r->quiet)
        return;
    if (r->progress.terminal)
        show_bar(r);
    else
        show_line(r);
}

void run_progress_tick(void *user)
{
    struct run *r = user;
    if (!r->progress.terminal || r->done > 0)
        show(r);
}

void run_progress_round(struct run *r, const char *title, bool counters)
{
    struct run_progress *p = &r->progress;
    p->title = title;
    p->counters = counters;
    p->running = true;
    p->round = run_now();
    run_progress_tick(r);
}

void run_progress_rest(struct run *r, const struct run_verdict *v)
{
    struct run_progress *p = &r->progress;
    p->running = false;
    p->log = NULL;
    if (v) {
        p->judged = true;
        p->part = r->limits.until > 0 ? v->worst_part : v->typical;
    }
}
