/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The thresholds of machine files. numeric/thresholds.h explains the words that state what supports a value. */
#ifndef MACHINE_THRESHOLDS_H
#define MACHINE_THRESHOLDS_H

/* ---- Levels of the memory (machine/levels.c) ---- */

/* The latency is flat where it rises by at most this per doubling of the working set, as log2: 23 %. Judgement. */
#define LEVEL_FLAT_RISE 0.3

/* And over at least so many doublings: three of four sizes in a doubling. Judgement. */
#define LEVEL_FLAT_LENGTH 0.7

/* Flat parts whose latencies differ by a smaller factor are one. Judgement. */
#define LEVEL_DIFFERENT 1.3

/* A level ends at the latest where the latency is so many times that of its flat part: noise may hide a flat part before the
 * next one. Judgement. */
#define LEVEL_LEFT 2.0

/* ---- Figures as functions (machine/curves.c) ---- */

/* A figure of several cores is in doubt if it differs from that of one core in the wrong direction by more than this factor:
 * such figures differ by a third from day to day. Judgement. */
#define CURVE_DOUBT 1.5

#endif
