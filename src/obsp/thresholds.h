/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thresholds of traces of supersteps. numeric/thresholds.h explains the words that state what supports a value. */
#ifndef OBSP_THRESHOLDS_H
#define OBSP_THRESHOLDS_H

/* ---- Costs of supersteps from a trace (obsp/cost_trace.c) ---- */

/* The mean of the processors that arrived last, and of the processors that waited, counts by itself with this many synchronisations
 * of an h, and with this part of them: the mean of few is that of a single slow one. Measured: on a busy machine, single
 * ones made OBSP* up to 117 % too long. */
#define COST_LEAST_SAMPLES 5
#define COST_LEAST_PART    0.25

/* One line over h is enough, and intervals are not divided further, if the time of all supersteps differs by
 * at most this part from it. Judgement. */
#define COST_GOOD_ENOUGH 0.05

/* Intervals of h. Judgement. */
#define COST_MOST_INTERVALS 6

/* `obsp` looks for an explanation (start-up as measured, costs by process, or both) if its error is at least this part of
 * the measured time, and takes the first good one that leaves less. Judgement: the model should reach 5 %. */
#define PROPOSAL_LEAST 0.05

/* An explanation is good if at most this part of the error remains. Judgement: half of it is clearly better. */
#define PROPOSAL_BETTER 0.5

/* ---- The start-up of a traced program (obsp/startup.c) ---- */

/* A synchronisation is slow if it takes more than this times what others with the same h take. First contacts take
 * 2 to 15 times as long as later ones, and most others less than twice as long (FFT on up to 16 processors of a Xeon).
 * Judgement. */
#define STARTUP_SLOW 2

/* A superstep is slow if this part of its synchronisations is slow: one disturbed processor delays its partners, but
 * seldom half of the machine. Judgement. */
#define STARTUP_PART 0.5

/* Start-up is at most this part of the supersteps: what is usual must be seen in the others. Judgement. */
#define STARTUP_LONGEST 0.5

/* Start-up is looked for if synchronisations exceed their medians by at least this part of the measured time, and reported
 * if it takes so much more than usual. Judgement. */
#define STARTUP_LEAST 0.01

/* ---- Stalled messages of a traced program (obsp/stall.c) ---- */

/* A synchronisation was stalled by a sender that computed during at least this part of the wait for its bytes, and that
 * arrived at its next synchronisation at most this part before the end. Measured: of 6800 synchronisations with messages of 1 KB,
 * none is called stalled, and of 6800 with 64 KB (Open MPI without cross-memory attach), 666 are. */
#define STALL_PART  0.5
#define STALL_AFTER 0.25

/* `obsp` reports stalls that take at least this part of the measured time of a process. Judgement. */
#define STALL_LEAST 0.01

#endif
