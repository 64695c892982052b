/* SPDX-License-Identifier: MIT */
/*
 * Objects: the machine, its groups and its copies. An object is made of parts. Each part belongs to
 * one file, which is named above it. Other files may read a part, but only its owner changes it,
 * except where the comment names another file.
 */
#ifndef PUB_OBJECT_H
#define PUB_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pub/wire.h"

/* object.c: the place in the tree of objects */
struct pub_family {
    struct pub_object *parent;
    struct pub_object *youngest; /* child */
    struct pub_object *elder;    /* the child of the same parent that was made before this one */
    bool is_copy;                /* made by bsp_dup, else by bsp_partition */
    int group;                   /* number in the partition */
    int depth;                   /* 0: the machine */
    int partitions;              /* whose groups are in use: 0 or 1 */
    uint64_t children;           /* made so far */
};

/* message.c: what goes to one processor in this superstep */
struct pub_outgoing {
    uint8_t *block; /* room for a header, then records */
    size_t used, room;
    uint64_t payload;
    uint32_t messages, others;
    uint32_t stride;  /* bytes of the last record ... */
    uint32_t turns;   /* ... and how often that changed */
    uint32_t packets; /* sent in this superstep */
    uint32_t hint;    /* size of the block in the last superstep */
    bool touched;
};

/* message.c: what leaves in this superstep. drma.c also counts here what it sends. */
struct pub_outbox {
    struct pub_outgoing *to; /* by processor */
    int room;                /* of the two lists */
    int *touched;            /* processors that something goes to */
    int ntouched;
    uint32_t unsent;   /* buffers of the program that MPI has not sent completely */
    bool forwards;     /* such a buffer is in a message of the last superstep */
    uint64_t messages; /* sent */
    uint64_t bytes;    /* sent, to other processors and to itself */
};

/* inbox.c: what has arrived for the current superstep. sync.c takes the rounds. */
struct pub_inbox {
    struct pub_packet *packets, **last;
    uint32_t count;     /* packets in the list */
    uint64_t arrived;   /* packets of these that the rounds count */
    uint64_t announced; /* packets that it sent to itself */
    uint32_t came;      /* a bit for each round that has arrived: its sender called bsp_sync */
    uint64_t messages, others;
    uint64_t bytes;                /* of the program */
    int ended_by;                  /* the sender of the last round, for messages */
    struct pub_packet *rounds[32]; /* their packets; sync.c clears what it takes */
};

/* sync.c: the messages of the last superstep, which the program can read */
struct pub_delivered {
    struct pub_packet *packets; /* hold the messages */
    t_bspmsg **messages;        /* by sender, in the order of sending */
    uint32_t nmessages, room;
};

/* drma.c: remote memory */
struct pub_registration {
    char *start;
    size_t bytes;
    uint64_t order; /* of registering; 0: not in use */
    bool leaves;    /* a change of this superstep takes it back */
};

struct pub_change { /* of the registrations, at the next bsp_sync */
    struct pub_registration registration;
    bool push; /* else it is taken back */
};

struct pub_wanted { /* a get of this superstep */
    char *destination;
    size_t bytes;
};

struct pub_drma {
    struct pub_registration *slots;
    uint32_t nslots, slots_room;
    uint64_t registrations; /* made so far */
    struct pub_change *changes;
    uint32_t nchanges, changes_room;
    struct pub_wanted *wanted;
    uint32_t nwanted, wanted_room;
    uint32_t answered; /* gets of `wanted` whose answers have arrived */
    struct pub_packet *replies;
    uint32_t operations; /* in this superstep */
};

/* trace.c */
struct pub_traced {
    char *path; /* its name in the tree of objects */
};

struct pub_object {
    uint64_t identity;        /* the same on all its processors */
    uint64_t incarnation;     /* 0: not in use; a t_bsp with another number is out of date */
    uint64_t step;            /* superstep, from 1 */
    int first, size, pid;     /* processor i is process first + i; this one is pid */
    bool oblivious;           /* bsp_oblsync has been used */
    bool pieces;              /* far packets may go in small pieces: supersteps may end so */
    struct pub_object *chain; /* object.c: in the table of objects, or in the list of free ones */
    struct pub_outbox out;
    struct pub_inbox inbox;
    struct pub_delivered delivered;
    struct pub_drma drma;
    struct pub_family family;
    struct pub_traced trace;
    struct pub_alike alike; /* alike.c */
    uint64_t collectives;   /* collective.c: operations begun so far */
    uint64_t endings;       /* check.c: a hash of how its supersteps ended */
};

#endif
