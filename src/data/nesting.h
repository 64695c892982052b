/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which executions contain which, and the time of each without those directly inside it: the
 * observable SELF.
 *
 *     const struct nested *n = nesting_of(dataset, experiment);
 *     printf("%g s\n", n->self.values[row]); // nan: not known
 *
 * It is found in the samples: those of one thread have starts and durations that identify their clock
 * ticks, and `nested` counts the pairs that ended inside each. So it needs nothing of the run-time,
 * and older files have it as well. It is found once, when it is asked for.
 *
 * SELF of a sample is known if the samples of all executions directly inside it are in the data set,
 * whatever conditions a command has. Thinning may have taken some away, and a report may have left
 * them out: then it is not known. It is never an estimate.
 */
#ifndef DATA_NESTING_H
#define DATA_NESTING_H

#include <stdint.h>

#include "data/dataset.h"

#define DATA_SELF "SELF"

/* Per row of an experiment. */
struct nested {
    struct column self; /* seconds, the overhead subtracted; nan = not known */
    uint32_t *direct;   /* executions directly inside; 0 where that is not known */
    double *away;       /* seconds without a core in executions directly inside, at most */
    /* The outermost execution that contains it: its experiment (an index of the data set) and row;
     * itself where nothing contains it. */
    uint32_t *outer, *outer_row;
    /* The execution that has it directly inside: its experiment and row; itself where nothing contains it. */
    uint32_t *parent, *parent_row;
    /* Experiments (indices of the data set) with executions that have one of this one directly
     * inside, in any order. */
    uint32_t *around;
    size_t naround, room_around;
    size_t containing; /* rows that contain others */
    size_t unknown;    /* rows without SELF */
};

/* Why SELF is not known: of all rows. */
enum nested_trouble {
    NESTED_NO_TIMES, /* neither when executions began, or no CLOCK */
    NESTED_MISSING,  /* samples of executions inside are not in the data */
    NESTED_TORN      /* samples of one thread overlap: they are those of several processes */
};

/* Finds it if it is not known yet. The experiment is one of the data set, or a part of one. */
const struct nested *nesting_of(const struct dataset *d, const struct experiment *e);
/* Whether an execution of `outer` contains one of `inner`, directly or through executions of others
 * between them. Both are experiments of the data set; false for an experiment and itself. */
bool nesting_contains(const struct dataset *d, const struct experiment *outer,
                      const struct experiment *inner);
/* All experiments with executions that contain one of `inner`: contains[INDEX] for each of the data set. */
void nesting_containers(const struct dataset *d, const struct experiment *inner, bool *contains);
/* Why some rows of the experiment have no SELF. */
enum nested_trouble nesting_trouble(const struct dataset *d, const struct experiment *e);
/* Whether an experiment has times, and so the observable SELF. */
bool nesting_applies(const struct experiment *e);

/* For dataset.c: the place where a data set keeps it; forgets it, because the samples change. */
struct nesting *nesting_create(void);
void nesting_forget(struct nesting *n);
void nesting_destroy(struct nesting *n); /* NULL is fine */

#endif
