/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which samples count, which are left out, and what values of several ranks stand for. */
#ifndef LLAC_DATA_ACCOUNT_H
#define LLAC_DATA_ACCOUNT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include "model/points.h"
#include "llac/session.h"

/* Which samples were left out, and why; nothing if all of them are used. Not `wrapped`: one line for each
 * statement. */
void text_account(FILE *out, const struct points_account *a, bool wrapped);
/* How many points have few samples, so that their value is corrected; nothing if none has. */
void text_corrected(FILE *out, const struct points *p);
/* That a computed observable has its statistic at the other end; nothing otherwise. */
void text_falls(FILE *out, const struct points *p);
/* What the values of a program with several ranks stand for, unless it is the slowest rank. */
void text_rank_values(FILE *out, const struct points *p);
/* Whether there were more processes than cores; for commands that do not print warnings. */
void text_oversubscribed(FILE *out, const struct points_account *a);
json_t *json_account(const struct points_account *a);
json_t *json_rank_values(const struct points *p); /* null: the slowest rank */

#endif
