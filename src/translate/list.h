/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Growing lists in an arena. A list `x` is a pointer x with a length nx and a capacity cx in the
 * same struct:
 *
 *     ADD(arena, owner, x, element);
 */
#ifndef TRANSLATE_LIST_H
#define TRANSLATE_LIST_H

#include "base/memory.h"

#define ADD(arena, owner, list, ...)                                                               \
    ARENA_ADD(arena, (owner)->list, (owner)->n##list, &(owner)->c##list, __VA_ARGS__)

#endif
