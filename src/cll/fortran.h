/* SPDX-License-Identifier: MIT */
/* What the parts of the run-time share that translated Fortran programs call. */
#ifndef CLL_FORTRAN_H
#define CLL_FORTRAN_H

#include <cll.h>

#define CLL_FORTRAN_REGION (16 * sizeof(cll_u64)) /* bytes that a program has for a region */

/* The descriptor of a region, which the first call makes from `text` and puts into `word` (fortran.c says
 * how). Null if there is no memory. */
CLL_API struct cll_experiment *cll_fortran_experiment(cll_u64 *word, const char *text);

#endif
