/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cllprobe measures what a machine charges: operations, memory, threads, messages.
 *
 * A point is one quantity at one place (a working set, a number of cores, a number of processes). A
 * family is a group of points with its own file. The engine (rounds.c) visits all points in rounds
 * spread over time, because machines have slow phases of seconds. The value of a point is a low
 * quantile over the rounds; its interval comes from resampling them (statistics.c).
 *
 * Under an MPI launcher every process runs this code. Rank 0 decides, measures the families that
 * need one process, and writes the file. The families of src/probe/mpi run on all processes.
 */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "probe/options.h"

/* Where a point was measured; 0: does not apply. */
struct probe_coordinates {
    uint64_t bytes;
    int cores;     /* that are active at the same time, or threads of a team */
    int processes; /* of the communicator or the BSP object */
};

struct probe_point;

/* One value in the unit of the point. Round 0 warms up: its value is dropped. For a family of all
 * processes every process calls it, and the value of rank 0 counts. A value that is not positive
 * and finite is dropped. */
typedef double probe_sample(const struct probe_point *p, unsigned round);

struct probe_point {
    const char *family, *name, *unit; /* strings that are never freed */
    struct probe_coordinates at;
    bool has_bytes; /* bytes applies although it may be 0 */
    bool rate;      /* larger is faster: the value is a high quantile */
    probe_sample *sample;
    size_t index; /* for the family */
    /* of the engine */
    double *values; /* PROBE_ROUNDS */
    unsigned n;
    double value, low, high; /* low and high: 95 % */
    bool steady;
};

enum {
    PROBE_ROUNDS = 100, /* at most */
};

struct probe;
struct probe_system; /* system.h */

struct probe_family {
    const char *name;
    /* Adds points. NULL, or why the family measures nothing. */
    const char *(*open)(struct probe *p);
    void (*close)(void);
    double settle; /* seconds of rest after its points in a round */
};

/* The processes of this run. */
struct probe_world {
    int rank, size, hosts;
    bool oversubscribed;
    const char *library;                 /* version of the MPI library; NULL without MPI */
    const struct probe_device *device;   /* gpu/device.h; NULL in programs without it */
    const struct probe_family *families; /* of all processes, ended by a NULL name */
    /* Rank 0's bytes to all processes. Processes that wait sleep, so that they disturb nothing. */
    void (*share)(void *data, size_t bytes);
    /* Cores of this host that processes of this run may use: `set` is the own mask, a bit per core,
     * and becomes that of all of them. */
    void (*join_cores)(uint64_t *set, size_t words);
    void (*about)(void); /* prints what --version says about MPI or accelerators */
};

enum { PROBE_FAMILIES = 8 };
struct probe_outcome {
    const struct probe_family *family;
    const char *reason; /* why it was not measured; NULL if it was */
};

struct probe {
    struct probe_options options;
    const struct probe_world *world;
    const struct probe_system *system;
    struct probe_point *points; /* those of families of one process, on rank 0 alone, come first */
    size_t n, capacity, first_parallel;
    struct probe_outcome outcomes[PROBE_FAMILIES];
    size_t noutcomes;
    unsigned rounds;
    double began, seconds; /* clock at the start of the program; time of all rounds */
};

/* Adds a point with these fields; the engine's are empty. */
void probe_add(struct probe *p, struct probe_point point);

/* The families of one process. */
extern const struct probe_family probe_clock, probe_operations, probe_memory, probe_openmp;

/* ---- clock */

/* Seconds of a clock that only moves forward. */
double probe_now(void);
/* A loop of n steps. */
typedef void probe_loop(uint64_t n);
/* Seconds for one step. *n is how many steps a sample has; 0: finds a number that takes
 * `PROBE_SAMPLE` seconds, and sets it. */
#define PROBE_SAMPLE 200e-6
double probe_time(probe_loop *loop, uint64_t *n);

/* ---- random numbers: the same in each run */
static inline uint64_t probe_random(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* ---- the engine */

/* Measures all points in rounds. */
void probe_rounds(struct probe *p);
/* The value of a point and its interval, from the values of its rounds. */
void probe_evaluate(struct probe_point *p);
/* Whether a value with this interval is steady: the interval is at most 10 % of the value wide. */
bool probe_is_steady(double value, double low, double high);
/* The value that a random choice of its rounds, with repetition, gives. */
double probe_resample(const struct probe_point *p, uint64_t *state);
enum { PROBE_RESAMPLES = 300 };
/* The quantile of n > 0 values, which it sorts. */
double probe_quantile(double *values, size_t n, double part);

/* A line on stderr, if that is a terminal: what is measured, and how long it will take. */
void probe_progress(const struct probe *p, const struct probe_point *at, double left, bool at_most);
/* The same before the first point. */
void probe_progress_begin(const struct probe *p);
void probe_progress_end(void);

/* ---- the program */

/* Runs the program in this world. Returns the exit status. */
int probe_run(int argc, char **argv, const struct probe_world *world);

#endif
