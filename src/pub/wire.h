/* SPDX-License-Identifier: MIT */
/*
 * What travels between the processors: packets of records.
 *
 * All communication is point to point, through one private communicator, in packets. A packet is a
 * header, which names the object and the superstep, and a block of records. A packet of more than
 * pub.capacity bytes travels in two parts: first the header, then the block in messages of its own.
 * Such a packet is "far": the receiver receives the block into memory of the right size, or
 * directly into the memory of the program. transport.c sends and receives packets, inbox.c finds
 * the object and the superstep of each.
 */
#ifndef PUB_WIRE_H
#define PUB_WIRE_H

#include <pub.h>

#include <stddef.h>
#include <stdint.h>

enum pub_record_kind { PUB_MESSAGE = 1, PUB_PUT, PUB_GET, PUB_REPLY, PUB_CREATED, PUB_SENT };

/* A record: this struct, its contents, and padding to a multiple of 16 bytes. The program reads a
   received message in its packet, without a copy. */
struct t_bspmsg {
    uint64_t size;
    int32_t src;   /* processor of the object */
    uint32_t kind; /* enum pub_record_kind */
};

enum pub_packet_kind {
    PUB_BLOCK = 1, /* records; with `single`: the contents of one message, without its record */
    PUB_HPPUT,     /* the bytes of one bsp_hpput; slot and offset are in the header */
    PUB_REPLIES,   /* records that answer bsp_get */
    PUB_HPREPLY,   /* the bytes that answer one bsp_hpget; its number is in the header */
    PUB_ROUND,     /* bsp_sync: a block, and numbers of packets that are on their way */
    PUB_COLLECT,   /* a collective operation: `step` is its number, `slot` the piece of it */
    PUB_FINISH,    /* the sender has called bsplib_done */
    PUB_QUESTION,  /* deadlock.c: what does the receiver wait for? */
    PUB_ANSWER
};

struct pub_header {
    uint64_t object; /* its identity */
    uint64_t step;   /* superstep */
    uint64_t bytes;  /* after the header: in this packet, or far */
    uint32_t src;    /* processor of the object */
    uint8_t kind;    /* enum pub_packet_kind */
    uint8_t round;   /* PUB_ROUND; PUB_COLLECT: which operation */
    union {
        struct {
            uint8_t far : 1, single : 1, extended : 1, numbered : 1;
            uint8_t pieces : 1; /* far bytes travel in pieces that MPI sends at once */
            uint8_t alike : 1;  /* PUB_ROUND: the block ends with a struct pub_alike */
        };
        uint8_t flags; /* all of them */
    };
    uint8_t shelf; /* far: where the bytes are (shelf.c); 0: they travel */
    /* The fields above and the header of MPI fit in one cache line. The fields below travel only
       when they do not have their usual values (`extended`). */
    uint32_t packets;  /* sent to the receiver earlier in this superstep */
    uint32_t messages; /* in the block */
    uint32_t others;   /* records of other kinds */
    uint32_t slot;     /* PUB_HPPUT: registration; PUB_HPREPLY: number of the get;
                          blocks: bytes of each record, if all have the same size */
    uint64_t offset;  /* PUB_HPPUT; PUB_ROUND: the end of the records, before `alike` and numbers */
    uint64_t payload; /* bytes of the program in it */
};

#define PUB_SHORT 32 /* bytes of a header that is not extended */

_Static_assert(sizeof(struct t_bspmsg) == 16, "records are aligned");
_Static_assert(sizeof(struct pub_header) == 2 * PUB_SHORT, "blocks are aligned");
_Static_assert(offsetof(struct pub_header, packets) == PUB_SHORT,
               "the short header is the first half");

/* The calls that all processors of an object make alike, as one of them made them in this superstep. */
struct pub_alike {
    uint64_t registrations; /* a hash of all that were made and taken back so far */
    uint64_t values;        /* a hash of all values of the layer's call so far ... */
    uint64_t value;         /* ... and the last one */
    uint32_t pushes, pops;  /* calls in this superstep */
    uint32_t layers;        /* the same for the layer's call */
    uint32_t pad;
};

/* A packet that has arrived. */
struct pub_packet {
    struct pub_packet *next;
    void *
        storage; /* far: holds the block; NULL: the block is in `wire`, or in the program's memory */
    uint8_t *data;  /* the block; before a single message there is room for its record */
    uint32_t parts; /* far: pieces that have not arrived */
    uint32_t seen;  /* transport.c: by which count */
    struct pub_header header;
    uint8_t wire[]; /* room for a record, and the block */
};

_Static_assert(sizeof(struct pub_packet) % 16 == 0, "blocks in packets are aligned");

#endif
