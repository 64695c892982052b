/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growing lists in an arena. A list `x` is a pointer x with a length nx and a capacity cx in the
 * same struct:
 *
 *     GROW(arena, owner, x);
 *     owner->x[owner->nx++] = element;
 *
 * The capacity doubles, so that n appended elements take memory and time proportional to n.
 */
#ifndef TRANSLATE_LIST_H
#define TRANSLATE_LIST_H

#include <string.h>

#include "base/memory.h"

enum { LIST_FIRST = 4 };

/* The list with room for one element more than the n it has. */
static inline void *list_grow(struct arena *a, void *list, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return list;
    size_t more = *capacity ? mem_grown(*capacity, n + 1) : LIST_FIRST;
    void *bigger = arena_alloc(a, more, size);
    if (n)
        memcpy(bigger, list, n * size);
    *capacity = more;
    return bigger;
}

#define GROW(arena, owner, list)                                                                   \
    ((owner)->list = list_grow(arena, (owner)->list, (owner)->n##list, &(owner)->c##list,          \
                               sizeof *(owner)->list))

#endif
