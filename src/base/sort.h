/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting with a context: what the comparison needs besides the two elements. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* compare(a, b, context) is negative, 0 or positive as a comes before, with or after b. Elements that
 * compare equal come in any order. */
void sort_with(void *list, size_t n, size_t size,
               int (*compare)(const void *a, const void *b, void *context), const void *context);

#endif
