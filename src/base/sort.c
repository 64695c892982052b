/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sorting with a context (sort.h). */
#define _GNU_SOURCE 1 /* qsort_r */
#include "base/sort.h"

#include <stdlib.h>

void sort_with(void *list, size_t n, size_t size,
               int (*compare)(const void *a, const void *b, void *context), const void *context)
{
    if (n > 1)
        qsort_r(list, n, size, compare, (void *)context);
}
