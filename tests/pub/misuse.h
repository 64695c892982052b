/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files of the program `misuse` share. */
#ifndef PUB_MISUSE_H
#define PUB_MISUSE_H

#include "program.h"

struct mode {
    const char *name;
    void (*run)(void);
};

#define MODE(name)                                                                                 \
    {                                                                                              \
#name, name                                                                                \
    }

extern t_bsp world, sub, other;
extern int p, pid, right;
extern char large[30000];

/* *sub is the half of this processor. */
void part(void);

/* Mistakes with messages, remote memory and collective operations; the last one has no name. */
extern const struct mode call_modes[];

#endif
