/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The place of a ranking, for the commands that have one. */
#ifndef LLAC_RANK_COMMAND_H
#define LLAC_RANK_COMMAND_H

#include "llac/cursor.h"
#include "llac/rank/rank.h"

/* VAR=VALUE... up to the word `end` (NULL = to the end of the command). 0, or -1 with an error. */
int read_rank_place(struct session *s, struct cursor *c, const char *end, struct rank_request *r);

#endif
