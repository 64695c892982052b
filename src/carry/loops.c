/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "carry/loops.h"

#include <math.h>
#include <stdio.h>

#include "carry/thresholds.h"

/* What a mix and a loop are compared by: parts of the instructions. */
enum feature { INTEGER, MULTIPLY, FLOAT, DIVISION, LOAD, STORE, BRANCH, CALL, FEATURES };

static const struct loop {
    const char *name;
    double of[FEATURES];
} loops[] = {
#define LOOP(loop, size, elements, integer, multiply, floating, division, load, store, branch,     \
             call)                                                                                 \
    {#loop, {integer, multiply, floating, division, load, store, branch, call}},
#include "probe/loops.def"
#undef LOOP
};

static double sum_of(const double of[FEATURES])
{
    double sum = 0;
    for (int f = 0; f < FEATURES; f++)
        sum += of[f];
    return sum;
}

static void features_of(const struct operation_mix *mix, double of[FEATURES])
{
    of[INTEGER] = mix->of[OPERATION_INTEGER] + mix->of[OPERATION_OTHER] - mix->multiplies;
    of[MULTIPLY] = mix->multiplies;
    of[FLOAT] = mix->of[OPERATION_FLOAT];
    of[DIVISION] = mix->of[OPERATION_DIVISION];
    of[LOAD] = mix->of[OPERATION_LOAD];
    of[STORE] = mix->of[OPERATION_STORE];
    of[BRANCH] = mix->of[OPERATION_BRANCH];
    of[CALL] = mix->of[OPERATION_CALL];
}

/* Seconds for one element; NAN if the machine file lacks it. */
static double time_of(const struct machine *m, const struct loop *loop)
{
    char name[64];
    snprintf(name, sizeof name, "loop_%s.throughput", loop->name);
    const struct machine_figure *f = machine_find(m, "operations", name, 0, 0, 0);
    return f && f->value > 0 ? f->value : NAN;
}

/* How far a unit is from a loop: in its parts, and in the time of an instruction. */
static double distance_of(const double of[FEATURES], double seconds, const struct loop *loop,
                          double loop_seconds)
{
    double all = sum_of(of), loop_all = sum_of(loop->of),
           time = log(seconds / all / (loop_seconds / loop_all)) / LOOPS_TIME, square = time * time;
    for (int f = 0; f < FEATURES; f++) {
        double d = (of[f] / all - loop->of[f] / loop_all) / LOOPS_PART;
        square += d * d;
    }
    return sqrt(square);
}

struct loops_said loops_like(const struct machine *from, const struct machine *to,
                             const struct operation_mix *mix, double seconds)
{
    struct loops_said said = {.low = INFINITY};
    double of[FEATURES], nearest = LOOPS_NEAR;
    features_of(mix, of);
    if (!(sum_of(of) > 0 && seconds > 0))
        return said;
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++) {
        double here = time_of(from, &loops[i]), there = time_of(to, &loops[i]);
        if (isnan(here) || isnan(there))
            continue;
        double distance = distance_of(of, seconds, &loops[i], here),
               weight = exp(-distance * distance / 2);
        if (distance > LOOPS_NEAR)
            continue;
        said.weight += weight;
        said.log_ratio += weight * log(there / here);
        said.low = fmin(said.low, there / here);
        said.high = fmax(said.high, there / here);
        if (distance <= nearest) {
            nearest = distance;
            said.name = loops[i].name;
        }
    }
    if (said.weight > 0)
        said.log_ratio /= said.weight;
    return said;
}
