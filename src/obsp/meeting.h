/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the processors of an object meet at the end of one of its supersteps. */
#ifndef OBSP_MEETING_H
#define OBSP_MEETING_H

#include "obsp/source.h"

struct arrival {
    double time, h; /* when it had computed; in @ out */
    unsigned node,
        path;         /* of the critical path: before it came to this process; including it (0 = not
                            made) */
    bool there, left; /* it has arrived, it has gone on */
};

struct meeting {
    unsigned object;
    long step;
    enum obsp_kind kind;
    int first, nprocs; /* processes of the object */
    int arrived, left;
    int last, witness;  /* pid that arrived last, and that came here first */
    double h;           /* largest of all */
    size_t superstep;   /* of plain BSP */
    struct arrival *of; /* each pid */
    int capacity;
    struct meeting *next; /* in its bucket */
};

struct meetings;
struct meetings *meetings_create(void);
void meetings_destroy(struct meetings *all);
/* The meeting of an event; makes it if the event is the first. */
struct meeting *meeting_find(struct meetings *all, const struct obsp_event *event, int process);
/* All have left it. */
void meeting_end(struct meetings *all, struct meeting *m);
/* One that has not ended; NULL without one. */
const struct meeting *meetings_any(const struct meetings *all);

#endif
