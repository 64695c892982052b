/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growing lists in an arena. A list `x` is a pointer x with a length nx and a capacity cx in the
 * same struct:
 *
 *     GROW(arena, owner, x);
 *     owner->x[owner->nx++] = element;
 */
#ifndef TRANSLATE_LIST_H
#define TRANSLATE_LIST_H

#include "base/memory.h"

#define GROW(arena, owner, list)                                                                   \
    ((owner)->list = arena_grow(arena, (owner)->list, (owner)->n##list, &(owner)->c##list,         \
                                (owner)->n##list + 1, sizeof *(owner)->list))

#endif
