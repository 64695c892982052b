/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that tell their arguments, their loops and their allocations: `call discover` has the functions of a list compiled so that
 * each run writes how often they were called, and the sums of their integer arguments and of products of two of them; the same of
 * the integers in the heads of their loops, each time that a loop begins, and of the bytes that they allocate.
 *
 * The list has a line for each function: the line and the file of its name, the name as the source has it, and what it tells, arguments
 * and loops (l) or allocations (b):
 *
 *     31 sort lb /home/me/pairs.c
 *
 * A process writes a file NAME.told into the folder GCOV_PREFIX, with a line for each function that was called: the calls, the
 * sums of TOLD_MOST arguments, the sums of their squares and of their products in the order 0 1, 0 2, 0 3, 1 2, 1 3, 2 3, and the
 * line of the list with the names of the arguments. In front of these is the line of a loop, or what allocates:
 *
 *     3 120 0 0 0 4832 0 0 0 0 0 0 0 0 0 31 sort :n /home/me/pairs.c
 *     9 120 0 0 0 4832 0 0 0 0 0 0 0 0 0 31 sort 35:p->len /home/me/pairs.c
 *     3 960 0 0 0 9216 0 0 0 0 0 0 0 0 0 31 sort malloc:bytes /home/me/pairs.c
 */
#ifndef CALL_CC_TOLD_H
#define CALL_CC_TOLD_H

#include "call/cc/args.h"

/* While this variable of the environment names a list, `call cc` compiles C and C++ so. */
#define TOLD_VARIABLE "CLL_DISCOVER_ARGUMENTS"

enum { TOLD_MOST = 4, TOLD_PRODUCTS = TOLD_MOST * (TOLD_MOST + 1) / 2 };

/* Is it set? */
bool told_is_asked(void);

/* The command with sources in which the functions of the list tell their arguments; of a source that is not understood, or has none
 * of them, as it is. `alone`: no loops, and no allocations. */
struct words told_words(struct arena *a, const struct cc_args *args, bool alone);

/* The preprocessed text with that, in the arena; NULL: it has none of the functions. */
char *told_put(struct arena *a, enum language language, bool threads, bool alone, const char *list,
               const char *text, size_t size, size_t *new_size);

#endif
