/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting: with what qsort takes, and with a context that the comparison needs besides the two elements. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stdlib.h>

/* compare(a, b, context) is negative, 0 or positive as a comes before, with or after b. Elements that
 * compare equal come in any order. */
void sort_with(void *list, size_t n, size_t size,
               int (*compare)(const void *a, const void *b, void *context), const void *context);
/* Without a context. A list of no elements may be NULL, which qsort does not take. */
static inline void sort_list(void *list, size_t n, size_t size,
                             int (*compare)(const void *a, const void *b))
{
    if (n > 1)
        qsort(list, n, size, compare);
}

#endif
