/* SPDX-License-Identifier: MIT */
/*
 * cll_clock.h: times by a rule. With CLL_CLOCK=./rule.so a program is not timed: a function of
 * rule.so states how long each execution of a region takes. So an analysis can be tried out before
 * the machine is there: what would llac say if the cost grew like this, with this much noise? The
 * same run gives the same times on every machine, however busy it is, unless the rule uses the number
 * of the thread, which the order of their first regions determines, or random numbers in threads.
 *
 *     // gcc -shared -fPIC rule.c -o rule.so
 *     double cll_clock_seconds(const struct cll_execution *execution)
 *     {
 *         double n = cll_execution_value(execution, "N");
 *         return (1e-6 + 2e-9 * n) * (1 + 0.02 * cll_execution_random(execution, 1));
 *     }
 */
#ifndef CLL_CLOCK_H
#define CLL_CLOCK_H

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An execution that ends. */
struct cll_execution {
    const char *experiment;
    const char *const
        *names; /* of the variables, then of the settings (CLL_SETTINGS), nvars of them */
    const double *values;
    unsigned nvars;
    unsigned processors;    /* P: processes or threads that take part */
    unsigned rank;          /* of the process */
    unsigned thread;        /* of the process, from 0, in the order of their first regions */
    long long run;          /* CLL_RUN: the number of the round */
    unsigned long long seq; /* index of the execution of its experiment in its thread, from 0 */
};

/* Written by the user: the seconds that the execution takes, from 0 to 100,000. If regions inside it
   take longer together, it takes as long as they do. All together at most 166 days. Threads call it
   at the same time. */
double cll_clock_seconds(const struct cll_execution *execution);

/* The value of a variable; 0 if the experiment has none of that name. */
static inline double cll_execution_value(const struct cll_execution *execution, const char *name)
{
    for (unsigned i = 0; i < execution->nvars; i++)
        if (!strcmp(execution->names[i], name))
            return execution->values[i];
    return 0;
}

/* A random number from [0, 1), always the same for one execution and seed: it depends on experiment,
   run, rank, thread and index. */
static inline double cll_execution_random(const struct cll_execution *execution,
                                          unsigned long long seed)
{
    const unsigned long long parts[] = {seed, (unsigned long long)execution->run, execution->rank,
                                        execution->thread, execution->seq};
    unsigned long long x = 0;
    for (const char *at = execution->experiment; *at; at++)
        x = (x ^ (unsigned char)*at) * 0x100000001b3ull;
    for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++) {
        x += parts[i] + 0x9e3779b97f4a7c15ull;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
        x ^= x >> 31;
    }
    return (double)(x >> 11) * 0x1p-53;
}

#ifdef __cplusplus
}
#endif

#endif
