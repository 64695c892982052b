/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When call run has measured enough. The rounds end at the first of these: the number of rounds that
 * was asked for, the end of the time that was asked for, or steady values. Without any of them, the
 * values must be steady, and a run of the default length that is not steady gives up.
 *
 *     struct run_limits l = {0};
 *     limits_read_time("30s", &l.seconds); // --time
 *     while (!limits_reached(&l, rounds, seconds, is_steady))
 *         one_round(limits_period(&l)); // so many seconds after the last one began, at the earliest
 */
#ifndef CALL_RUN_LIMITS_H
#define CALL_RUN_LIMITS_H

#include <stdbool.h>

#include "base/memory.h"

enum { LIMITS_MOST_ROUNDS = 100000 };

/* The command line; 0 = not given. */
struct run_limits {
    unsigned rounds;
    double seconds; /* of measuring */
    double until;   /* every point is known to this part of its value */
    bool exact;     /* every round measures the same: a simulation */
};

/* "30s", "1.5m", "2h", "500ms", "30": seconds; "2%", "0.5": a percentage, as a part of 1; "12": a
 * number of rounds. 0, or -1 if the text is not one. */
int limits_read_time(const char *text, double *seconds);
int limits_read_percent(const char *text, double *part);
int limits_read_rounds(const char *text, unsigned *rounds);

/* To what part of its value a point must be known. */
double limits_tolerance(const struct run_limits *l);

/* Can the rounds end because the values are steady, if they are steady now? */
bool limits_asks(const struct run_limits *l, unsigned rounds, double seconds);

/* Is there no further round? After so many rounds, which took so many seconds. */
bool limits_reached(const struct run_limits *l, unsigned rounds, double seconds, bool steady);

/* Seconds between the begins of two rounds, at least: short rounds are spread over the time. */
double limits_period(const struct run_limits *l);

/* How far the rounds have come. */
struct limits_estimate {
    double part;  /* from 0 to 1 */
    double left;  /* seconds; nan: not known */
    bool at_most; /* the rounds may end earlier */
};

/* After so many rounds, and parts of them, which took so many seconds. `known`: to what part of its
 * value the point is known that decides whether the values are steady; nan: not judged yet. The time
 * that is missing grows with the square of it. */
struct limits_estimate limits_progress(const struct run_limits *l, double rounds, double seconds,
                                       double known);

/* "round 3 of 12", "round 3". In the arena. */
const char *limits_title(struct arena *a, const struct run_limits *l, unsigned round);

/* "500 ms", "7.5 s", "2 min": for messages; as the option has it ("2m") if `option`. In the arena. */
const char *limits_duration(struct arena *a, double seconds, bool option);

/* The time that is proposed if points are known to `part` after so many seconds and should be known to
 * the tolerance; 0 if more than an hour would be needed. */
double limits_longer(const struct run_limits *l, double seconds, double part);

#endif
