/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line on the terminal about work that takes longer than a second: what is done, for how long, and
 * how far it has come. A timer writes it to stderr, so that loops only say where they are, which costs
 * a few stores. Nothing is written where stderr is not a terminal that can erase a line. One piece of
 * work at a time, of one thread.
 *
 *     progress_begin("llac: search sort");
 *     for (size_t i = 0; i < n; i++)
 *         progress_at("resampling", i, n);
 *     progress_end();
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <stddef.h>

/* Starts the timer. The text is copied. */
void progress_begin(const char *what);

/* The work is in this part of it, and `done` of `all` are done; all 0: not known. `part` must live
 * until the next call. Outside of progress_begin and progress_end nothing happens. */
void progress_at(const char *part, size_t done, size_t all);

/* Takes the line away: something else will be written to the terminal. It comes back later. */
void progress_clear(void);

/* Stops the timer and takes the line away. */
void progress_end(void);

#endif
