/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside the runner of the notation: processors as coroutines, and the objects in which they meet.
 *
 * A processor executes instructions until its object meets: it ends a superstep or splits. When all
 * processors of the object have arrived, the meeting gives each of them an event, and they go on. What
 * they do until then is computed only when somebody asks for an event that needs it.
 */
#ifndef OBSP_NOTATION_RUNNER_H
#define OBSP_NOTATION_RUNNER_H

#include "base/text.h"
#include "obsp/notation.h"

struct message {
    int from, to; /* pids */
    double bytes;
};

/* The messages of one superstep of an object, by processor; shared by the events of the superstep. */
struct exchange {
    size_t users; /* events that are not taken */
    double *in, *out;
    int *sent, *received;
    size_t *first; /* partners of pid: from first[pid] to first[pid + 1] */
    int *partners;
};

struct object {
    unsigned id;
    char *name;
    int first, n;      /* its processes: n consecutive ones */
    size_t group;      /* its number in its split */
    long step;         /* that it is in, from 1 */
    size_t made;       /* splits of it */
    int arrived, left; /* processors: at the meeting; that have left it */
    int held;          /* that have not gone beyond its end: its name is needed */
    const struct notation_instruction *meeting; /* what the first one arrived at */
    int arrival;                                /* its pid */
    struct message *messages;
    size_t nmessages, capacity;
    bool ordered; /* the senders of the messages ascend */
};

/* An event that waits to be taken. */
struct entry {
    enum obsp_kind kind;
    struct object *object;
    int pid;
    long step;
    double work;
    struct obsp_use *uses; /* what `work` consists of beside numbers */
    size_t nuses;
    struct exchange *exchange; /* NULL: no messages */
    const struct notation_instruction *at;
};

/* A processor in an object. */
struct membership {
    struct object *object;
    int pid;
    const struct notation_instruction *unsent; /* a send that no synchronisation ended */
};

struct frame {
    size_t back, base; /* the instruction and the values to return to */
};

enum state { RUNNING, WAITING, ENDED };

struct processor {
    enum state state;
    size_t pc;
    double *values;          /* of the file, then of the procedures that are being executed */
    struct obsp_fitted **by; /* what the values depend on; NULL if nothing asks models */
    size_t nvalues, capacity, base;
    struct frame *frames;
    struct membership *memberships; /* the last one is the present one */
    size_t nframes, nmemberships, frames_capacity, memberships_capacity;
    double pid, nprocs, group; /* of the present object, as formulas use them */
    double work, start, expected;
    struct obsp_use *uses; /* of the work since its last event */
    size_t nuses, uses_capacity;
    bool begun;          /* it has done something that `start` must precede */
    long statements;     /* since its last event */
    struct entry *queue; /* a ring */
    size_t head, queued, queue_capacity;
    struct entry current; /* the event that was taken last */
};

struct runner {
    struct obsp_source source; /* first: the rest is private */
    const struct notation_program *program;
    const struct notation_limits *limits;
    struct diag *diag;
    struct processor *processors;
    struct object **objects; /* by id; NULL = free */
    size_t nobjects, objects_capacity;
    unsigned *free_ids;
    size_t nfree, free_capacity;
    const double **columns;       /* of the expression that is being computed */
    double *given;                /* the same as values, */
    struct obsp_fitted **depends; /* and what they depend on */
    size_t values, events, uses;  /* of all processors */
    size_t ticks;
    bool failed;
    struct text where; /* of the last call of `where` */
};

/* Reports an error of a processor at a place of the file. Returns false. */
bool runner_fail(struct runner *r, const struct processor *p, struct span where, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

/* Executes until the processor waits or has ended. False after an error. */
bool runner_execute(struct runner *r, struct processor *p);
/* The value of a formula for a processor, which must not depend on an experiment. False after an error. */
bool runner_value(struct runner *r, const struct processor *p, const struct notation_expression *e,
                  double *value);

/* ---- objects (notation_objects.c) */

struct membership *runner_membership(const struct processor *p);
/* The object of all processors. */
void runner_create_machine(struct runner *r);
void runner_release_object(struct runner *r, struct object *o);
void runner_free_exchange(struct exchange *e);

/* Adds a message of the present superstep. */
bool runner_send(struct runner *r, struct processor *p, const struct notation_instruction *in,
                 int to, double bytes);
/* The processor arrives where its object meets. */
bool runner_arrive(struct runner *r, struct processor *p, const struct notation_instruction *in);
/* The processor leaves its object: a group, or the machine at the end. */
bool runner_leave(struct runner *r, struct processor *p, const struct notation_instruction *in);
/* Lets all processors of the object arrive; then each gets its event and goes on. */
bool runner_meet(struct runner *r, struct object *o);

#endif
