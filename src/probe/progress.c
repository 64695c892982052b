/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/probe.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static double shown; /* when the line was last written */

static bool is_wanted(const struct probe *p)
{
    return !p->options.quiet && isatty(STDERR_FILENO);
}

void probe_progress_begin(const struct probe *p)
{
    if (!is_wanted(p))
        return;
    fputs("cllprobe: preparing", stderr);
    fflush(stderr);
    shown = probe_now();
}

void probe_progress(const struct probe *p, const struct probe_point *at, double left, bool at_most)
{
    double now = probe_now();
    if (!is_wanted(p) || now - shown < 0.2)
        return;
    shown = now;
    fprintf(stderr, "\rcllprobe: %s %s, %s%.0f s left\033[K", at->family, at->name,
            at_most ? "at most " : "", left > 0 ? left : 0);
    fflush(stderr);
}

void probe_progress_end(void)
{
    if (shown > 0)
        fputs("\r\033[K", stderr);
    shown = 0;
}
