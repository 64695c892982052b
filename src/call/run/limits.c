/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers of rounds, times and percentages (limits.h). */
#include "call/run/limits.h"

#include <math.h>
#include <string.h>

#include "base/arithmetic.h"

/* A neighbour on the same core slows a program down for seconds at a time: shorter measurements may
 * see nothing but such a phase. This is three times as long as phases usually last. */
#define LEAST_SECONDS 15.0
#define LEAST_ROUNDS  3

/* Values that are not steady by then will hardly become so; --until has more patience. */
#define MOST_SECONDS  30.0
#define UNTIL_SECONDS 120.0
#define MOST_ROUNDS   12

/* Every round leaves a data file: short ones are this far apart, and there are at most this many. */
#define LEAST_PERIOD 0.2
#define SHORT_ROUNDS 300

#define TOLERANCE 0.05

/* ---- the command line ---- */

/* Reads a positive number from the start of the text. Returns what follows it, or NULL without one. */
static const char *read_number(const char *text, double *value)
{
    const char *end = arithmetic_start(text, value);
    return end && *value > 0 ? end : NULL;
}

int limits_read_time(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"m", 60}, {"min", 60}, {"h", 3600}};
    double value;
    const char *unit = read_number(text, &value);
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (!strcmp(unit, units[i].name)) {
            *seconds = value * units[i].seconds;
            return *seconds <= 1e9 ? 0 : -1;
        }
    return -1;
}

int limits_read_percent(const char *text, double *part)
{
    double value;
    const char *sign = read_number(text, &value);
    if (!sign || (*sign && strcmp(sign, "%")) || value > 1000)
        return -1;
    *part = value / 100;
    return 0;
}

int limits_read_rounds(const char *text, unsigned *rounds)
{
    double n;
    if (arithmetic_parse(text, &n) || n < 1 || n != floor(n) || n > LIMITS_MOST_ROUNDS)
        return -1;
    *rounds = (unsigned)n;
    return 0;
}

/* ---- decisions ---- */

double limits_tolerance(const struct run_limits *l)
{
    return l->until > 0 ? l->until : TOLERANCE;
}

/* Without another limit, a run that does not become steady ends at some time. */
static bool is_open(const struct run_limits *l)
{
    return !l->rounds && !(l->seconds > 0);
}

static double patience(const struct run_limits *l)
{
    return l->seconds > 0 ? l->seconds : l->until > 0 ? UNTIL_SECONDS : MOST_SECONDS;
}

bool limits_asks(const struct run_limits *l, unsigned rounds, double seconds)
{
    return (l->until > 0 || is_open(l)) && rounds >= LEAST_ROUNDS && seconds >= LEAST_SECONDS;
}

bool limits_reached(const struct run_limits *l, unsigned rounds, double seconds, bool steady)
{
    if (rounds == 0)
        return false;
    if (l->rounds && rounds >= l->rounds)
        return true;
    if (l->exact && !l->rounds)
        return true;
    if (l->seconds > 0 && seconds + seconds / rounds > l->seconds)
        return true; /* the next round would end after it */
    if (steady && limits_asks(l, rounds, seconds))
        return true;
    return is_open(l) && rounds >= MOST_ROUNDS && seconds >= patience(l);
}

double limits_period(const struct run_limits *l)
{
    if (l->exact)
        return 0;
    if (l->rounds)
        return l->seconds / l->rounds;
    return fmax(LEAST_PERIOD, patience(l) / SHORT_ROUNDS);
}

/* A number of rounds, each as long as those so far, or longer if they are spread over a time. */
static struct limits_estimate by_rounds(const struct run_limits *l, double all, double rounds,
                                        double seconds)
{
    struct limits_estimate e = {.part = fmin(1, rounds / all), .left = NAN};
    if (rounds > 0)
        e.left = fmax(0, fmax(seconds / rounds * all, l->seconds) - seconds);
    return e;
}

struct limits_estimate limits_progress(const struct run_limits *l, double rounds, double seconds,
                                       double known)
{
    if (l->rounds && !(l->until > 0))
        return by_rounds(l, l->rounds, rounds, seconds);
    if (l->exact && !l->rounds)
        return by_rounds(l, 1, rounds, seconds);
    /* the latest end */
    double one = rounds > 0 ? seconds / rounds : 0, end = patience(l);
    if (is_open(l))
        end = fmax(end, MOST_ROUNDS * one);
    if (l->rounds && rounds > 0)
        end = fmin(l->seconds > 0 ? end : INFINITY, l->rounds * one);
    if (!(l->until > 0) && !is_open(l))
        return (struct limits_estimate){fmin(1, seconds / end), fmax(0, end - seconds), false};
    /* the expected one */
    double least = fmax(LEAST_SECONDS, LEAST_ROUNDS * one), times = known / limits_tolerance(l);
    double expected = isnan(known) ? least : fmax(least, seconds * fmax(1, times * times));
    bool early = expected < end;
    expected = fmin(expected, end);
    return (struct limits_estimate){fmin(1, seconds / expected),
                                    fmax(0, (early && !isnan(known) ? expected : end) - seconds),
                                    isnan(known) || !early};
}

double limits_longer(const struct run_limits *l, double seconds, double part)
{
    static const double steps[] = {10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600};
    double times = part / limits_tolerance(l), wanted = seconds * times * times;
    if (seconds < LEAST_SECONDS)
        return MOST_SECONDS; /* too short to see how the machine behaves */
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i] >= wanted && steps[i] > 1.5 * seconds)
            return steps[i];
    return 0;
}

/* ---- texts ---- */

const char *limits_duration(struct arena *a, double seconds, bool option)
{
    static const struct {
        double seconds;
        const char *unit, *option;
    } units[] = {{3600, " h", "h"}, {60, " min", "m"}, {1, " s", "s"}};
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (seconds >= units[i].seconds)
            return arena_printf(a, "%.2g%s", seconds / units[i].seconds,
                                option ? units[i].option : units[i].unit);
    return arena_printf(a, "%.0f%s", 1000 * seconds, option ? "ms" : " ms");
}

const char *limits_title(struct arena *a, const struct run_limits *l, unsigned round)
{
    if (l->exact && !l->rounds)
        return "round 1 of 1";
    if (l->rounds)
        return arena_printf(a, "round %u of %u", round, l->rounds);
    return arena_printf(a, "round %u", round);
}
