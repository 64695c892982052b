/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output that is longer than the terminal goes to a pager. The output of a command is held back until
 * the command ends or the terminal is full. If it fits, it is written as it is; otherwise $PAGER
 * (without it: less, or else more) gets it. An empty PAGER, `cat`, and a terminal that cannot move its
 * cursor mean that there is no pager.
 *
 *     struct pager *p = pager_create(); // the output is a terminal
 *     pager_begin(p);
 *     fputs(text, pager_stream(p));
 *     pager_end(p);
 */
#ifndef LLAC_PAGER_H
#define LLAC_PAGER_H

#include <stdio.h>

struct pager;

/* NULL if the user wants no pager, or has none. All other functions do nothing with NULL. */
struct pager *pager_create(void);
void pager_destroy(struct pager *p);

/* What is written here goes to the terminal or to the pager. Flush it before pager_end. */
FILE *pager_stream(struct pager *p);

/* Around a command. pager_end waits until the user leaves the pager. */
void pager_begin(struct pager *p);
void pager_end(struct pager *p);

#endif
