/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The sources that a survey read, for the command that compiles them. */
#ifndef CALL_CC_SURVEY_H
#define CALL_CC_SURVEY_H

#include "call/cc/cc.h"
#include "call/cc/translation.h"

struct cc_sources {
    struct cc_args args;
    struct translation *list; /* one per source */
};

/* Source i of a command: the surveyed one if it is the same, else it is read. `surveyed`: may be NULL. 0, or an
 * errno value. */
int cc_sources_take(struct arena *a, const struct cc_args *args, size_t i,
                    struct cc_sources *surveyed, struct translation *out);

#endif
