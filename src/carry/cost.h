/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a mix of operations costs on a machine: between the time when no operation waits for another
 * one (the machine's throughputs) and the time when each needs the result of the one before (its
 * latencies). Loads find their data in the first-level cache.
 */
#ifndef CARRY_COST_H
#define CARRY_COST_H

#include "carry/report.h"
#include "machine/machine.h"

struct cost {
    double overlapped; /* seconds: the busiest of the units for integers, floats and memory, at
                          full throughput */
    double serial;     /* seconds: one after the other; at least `overlapped` */
};

/* The cost of one instruction of a class; false with an error that names the figure that the machine
 * file lacks. Divisions are taken as those of floating-point numbers if `floating`. */
bool cost_of_operation(const struct machine *m, enum operation o, bool floating, struct diag *diag,
                       struct cost *out);
/* The cost of one unit of a term: the instructions that the machine file prices by their mnemonics, the others by their
 * classes, and the blocks of memory. `units`: how many units are executed, for the working set of the blocks; 0: they fit
 * the smallest measured one. */
bool cost_of_mix(const struct machine *m, const struct operation_mix *mix, double units,
                 struct diag *diag, struct cost *out);
/* The next mnemonic of the mix, from *at on, that the machine file does not price though it prices others; NULL at the end,
 * and if it prices none. Begin with *at = 0. */
const struct mnemonic *cost_unpriced(const struct machine *m, const struct operation_mix *mix,
                                     size_t *at);

/* Time of one access to main memory, which no cache holds: the latency of a random one (serial), and
 * what a line takes in a stream (overlapped). False if the machine file has no memory figures. */
bool cost_of_memory(const struct machine *m, struct arena *a, struct cost *out);

/* What misses add to an access of memory, as a mean over all accesses: each waits for its line (serial), or the lines come in
 * a stream (overlapped). Lines that the last-level cache has come from there or from the second-level cache: as slow as the
 * one, as fast as the other. Other lines come from the largest measured working set. False if the machine file has no memory figures. */
bool cost_of_misses(const struct machine *m, const struct misses *misses, struct arena *a,
                    struct cost *out);

/* g (seconds per byte) and L (seconds) of a machine at P processes: of the pattern "random" if the
 * file has it, else of another; between measured numbers of processes in ratio, beyond them those of
 * the nearest one. False if the file has none. */
bool cost_of_communication(const struct machine *m, double processes, double *g, double *latency);

#endif
