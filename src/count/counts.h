/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the executions of a program's regions executed: the dumps of callgrind, added up by the marks of
 * libcll_count (src/cll/count/count.c).
 *
 *     struct counts *c = counts_create(arena, "/tmp/x/matinit", false);
 *     counts_leave_out(c, "matinit.c", 47);
 *     counts_read(c, "callgrind.1234", diag);
 *     counts_finish(c);
 *     for (size_t i = 0; i < c->nexecutions; i++)
 *         printf("%s %g\n", c->executions[i].experiment, c->executions[i].totals[0]);
 *
 * Instructions of the run-time are left out: those of cll.h, of the marks, of libcll, and of the lines
 * that a pragma has. Where the run-time sets and copies blocks of memory for the program, the events of the simulated
 * data caches are counted.
 */
#ifndef COUNT_COUNTS_H
#define COUNT_COUNTS_H

#include <stdbool.h>

#include "count/callgrind.h"

/* What an entry of the table of instructions is. A block of memory that is set or copied (memset, memcpy) is the entry of
 * the place that asks for it, and its count is the number of bytes. */
enum counted_kind { COUNTED_INSTRUCTION, COUNTED_SET, COUNTED_COPY };

/* One instruction of the program or of a library, or a caller of memset or memcpy. */
struct counted_instruction {
    enum counted_kind kind;
    uint64_t address;     /* of a block: to which the call returns; 0: not known */
    const char *object;   /* the program's path, or that of a library as callgrind knows it */
    const char *file;     /* of the source; "" if not known */
    const char *function; /* as callgrind knows it */
    unsigned long line;   /* 0: not known */
    bool of_program;
};

/* How often an execution executed an instruction. */
struct instruction_count {
    size_t instruction; /* index */
    double count;
};

#define COUNTS_NOT_INSIDE (~0ULL)

struct execution {
    const char *experiment;
    unsigned long rank, processes;
    unsigned thread;
    long pid;
    unsigned long long number; /* in its process */
    unsigned long long
        inside; /* the number of the execution that it is directly inside; COUNTS_NOT_INSIDE: none */
    bool ended;
    size_t nvalues, cnames, cvalues;
    const char **names;
    double *values;
    double totals[CALLGRIND_MAX_EVENTS];
    struct instruction_count *counts; /* ascending by instruction */
    size_t n, capacity;
};

struct counts {
    struct arena *arena;
    const char *program;
    bool is_based; /* the program is linked at COUNTS_PROGRAM_BASE */
    const char **events;
    size_t nevents;
    struct counted_instruction *instructions;
    size_t ninstructions;
    struct execution *executions; /* in the order of process, thread and begin */
    size_t nexecutions;
    double left_out; /* instructions of the run-time that were left out */
    struct counts_state *state;
};

/* From this address on code belongs to the program, if it is linked there; below, to a library.
 * callgrind loses track of the object on some machines (it misses returns on AArch64). */
#define COUNTS_PROGRAM_BASE UINT64_C(0x4000000000)

struct counts *counts_create(struct arena *a, const char *program, bool is_based);

/* Lines of a source whose instructions are left out. The name may be a path: only what follows its
 * last '/' is compared. */
void counts_leave_out(struct counts *c, const char *file, unsigned long line);

/* Adds the dumps of a file. 0, or -1 with errors in `diag`: then the dumps before the damage are added. */
int counts_read(struct counts *c, const char *path, struct diag *diag);
/* The same for the text of a file; `source` must live as long as the diagnostics. */
int counts_parse(struct counts *c, const struct source *source, struct diag *diag);

/* When all files are read: adds up and sorts, drops executions that did not end. */
void counts_finish(struct counts *c);

/* The index of an event of callgrind; nevents if it was not counted. */
size_t counts_event(const struct counts *c, const char *name);

/* After counts_finish: a setting of the run, which is a variable of all executions that have none of this name. */
void counts_set(struct counts *c, const char *name, double value);

#endif
