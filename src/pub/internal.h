/* SPDX-License-Identifier: MIT */
/*
 * What the files of libpub share. wire.h describes what travels between the processors, object.h
 * the objects; this header has the state of the library and the functions of each file.
 *
 * A processor waits in one place (transport.c). While it waits, it handles everything that arrives,
 * for any object, so it never blocks another processor.
 *
 *   fail.c       ends the program with a message
 *   memory.c     blocks of memory that are used again
 *   transport.c  sends and receives packets, waits
 *   inbox.c      finds the object and the superstep of a packet; queues packets that arrive early
 *   object.c     objects: partition, dup, done
 *   machine.c    begin and end of the parallel part
 *   sender.c     tries whether MPI needs the sender of a large message
 *   shelf.c      memory that the processes of a host share, for large messages
 *   message.c    sends and reads messages
 *   sync.c       ends supersteps
 *   drma.c       remote memory
 *   alike.c      calls that all processors make alike
 *   collective.c collective operations; operations.c has the ready-made operations of reductions
 *   tool.c       the interface for a measuring tool; layer.h is that for a library on top of this one
 *   deadlock.c   ends a program in which no processor can go on
 *   trace.c      PUB_TRACE; check.c is PUB_CHECK, clock.c the time for both
 *   parameter.c  s, g and l; line.c fits them, store.c keeps them, host.c finds host and cores
 *   file.c       files that the user names, and those beside them
 */
#ifndef PUB_INTERNAL_H
#define PUB_INTERNAL_H

#include <mpi.h>
#include <pub.h>

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "pub/layer.h"
#include "pub/object.h"
#include "pub/wire.h"

/* ---- the machine */

/* MPI libraries send so many bytes, and their own header, without asking the receiver. */
#define PUB_EAGER ((size_t)4096 - 64)

struct pub_state {
    MPI_Comm comm;
    int rank, size;
    bool running, ending, over, own_mpi; /* ending: in bsplib_done */
    const struct pub_layer *layer;       /* how messages name things; never NULL */
    const char *call;                    /* the call of the program that is being served */
    const char *caller; /* the name of collective operations in messages; NULL: their own names */
    size_t capacity;    /* of a packet, header included */
    size_t far_from;    /* messages of at least this many bytes are sent alone */
    size_t pieces;      /* far packets of at most this many bytes are sent in small pieces, if the
                           superstep is an oblivious one */
    size_t shelf; /* such packets of at most this many bytes may be on shelves: `pieces` or more */
    size_t limit; /* of bytes in open sends of blocks of the library */
    struct pub_object *world;
    bool checking, tracing;
    bool plain;         /* running, and not tracing */
    bool crowded;       /* this host has more processes than cores */
    uint64_t patience;  /* PUB_CHECK_SECONDS, in nanoseconds */
    void (*idle)(void); /* called between polls while nothing arrives; NULL: none */
};

extern struct pub_state pub __asm__("pub_state"); /* programs may have a variable `pub` */

/* fail.c */
void pub_fail(const struct pub_object *object, const char *format, ...)
    PUB_PRINTF(2, 3) PUB_NORETURN;
void pub_say(const char *format, ...) PUB_PRINTF(1, 2);

/* file.c: follows the path of a file, which need not exist: a descriptor of its folder, and its name in it, which is no
   link; or -1 with errno. PUB_FOREIGN_LINK: another user may have put a link on the way. */
#define PUB_FOREIGN_LINK (-1)
int pub_file_find(const char *path, char name[NAME_MAX + 1]);
/* Makes a new file, which replaces one of the same name; a descriptor, or -1 with errno. Here and below
   a path begins at `folder`, if it does not begin at the root: AT_FDCWD is the current one. */
int pub_file_create(int folder, const char *path);
/* Writes the file to the disk. / Gives the finished file its name. 0 or an errno. */
int pub_file_sync(int fd);
int pub_file_rename(int folder, const char *from, const char *to);

/* object.c: the start of a call, with all checks: an invalid object ends the program, and so does a
   call outside of the parallel part. */
struct pub_object *pub_enter_slowly(const t_bsp *bsp);
/* The checks alone. */
struct pub_object *pub_object_valid(const t_bsp *bsp);
struct pub_object *pub_object_new(uint64_t identity, int first, int size);
void pub_object_free(struct pub_object *object);
struct pub_object *pub_object_find(uint64_t identity);
void pub_objects_release(void);
/* "superstep 3 of group 1 in the machine" for messages. */
const char *pub_object_name(const struct pub_object *object);

/* memory.c: blocks aligned to 16 bytes; never NULL. */
void *pub_take(size_t bytes);
void pub_give(void *block);
size_t pub_room(const void *block);
/* A block that is sent in several pieces: sets how many. / One has been sent; true: the last one. */
void pub_hold(void *block, uint32_t holds);
bool pub_release(void *block);
void pub_memory_release(void);
/* Returns the array, enlarged if it has no room for one more element. */
void *pub_grow(void *array, uint32_t n, uint32_t *room, size_t size);

/* transport.c */
void pub_transport_begin(void);
void pub_transport_end(void);
/* Sends header and block to a process. `block` has room for a header before the records; it belongs
   to transport.c from now on. A single message is sent without its record. */
void pub_send_block(int process, struct pub_header *header, uint8_t *block);
/* Sends header and bytes: copied into the packet if they fit, else far. Far bytes must stay until
   *unsent, which is increased here, is decreased again. If unsent is NULL, the bytes are in
   `storage`, which transport.c gives back, or, if that is NULL as well, they are copied. */
void pub_send_bytes(int process, struct pub_header *header, const void *bytes, void *storage,
                    uint32_t *unsent);
/* Waits until MPI has sent the far packets of this superstep, whose receivers have arrived. */
void pub_send_far(const struct pub_object *object);
/* A superstep has ended. */
void pub_send_end(void);
/* What a processor waits for: `wanted` messages, `have` of them there; or, with 0 wanted, `what` and the
   number of the processor `peer` (-1: none). Only packets end such a wait. */
struct pub_wait {
    const struct pub_object *object;
    const char *what;
    uint64_t wanted, have;
    int peer;
};
/* Waits for an event (a packet, a piece, the end of a send), and handles it. NULL: something else than
   a packet can end the wait of the caller. */
void pub_wait_event(const struct pub_wait *wait);
/* Handles all events that have happened, without waiting. */
void pub_poll(void);
/* Pieces of far packets, and buffers of the program, whose transfer has not ended. */
uint32_t pub_far_pending(void);
/* Messages of this superstep in far packets that are being received. */
uint32_t pub_far_messages(const struct pub_object *object);
uint64_t pub_packets_sent_to(int process);
uint64_t pub_packets_sent(void); /* to all */
uint64_t pub_packets_received(void);
/* Transfers of far packets, and of buffers of the program, that have ended. */
uint64_t pub_transfers_ended(void);
void pub_packet_free(struct pub_packet *packet);

/* inbox.c */
void pub_arrive(struct pub_packet *packet);
/* A round without a block, which needs no memory. */
void pub_empty_round(const struct pub_header *header);
/* Sets data and storage of a far packet, and returns the address to receive its bytes at. */
uint8_t *pub_far_bytes(struct pub_packet *packet);
/* The object has a new superstep, or is new: empties the inbox and adds packets that arrived early. */
void pub_inbox_open(struct pub_object *object);
void pub_inbox_add(struct pub_object *object, struct pub_packet *packet);
/* Adds a packet with records of the superstep to the list. */
void pub_inbox_list(struct pub_inbox *inbox, struct pub_packet *packet);
/* Queues a packet for an object, superstep or operation that this processor does not have yet. */
void pub_stash(struct pub_packet *packet);
/* Takes the queued packets of a superstep, or of a collective operation, in the order of arrival. */
struct pub_packet *pub_unstash(uint64_t object, uint64_t step, bool collects);
struct pub_packet *pub_stash_any(void);
void pub_stash_release(void);

/* message.c */
/* Room for one record in the block for a processor; `payload` of its bytes belong to the program. */
uint8_t *pub_record(struct pub_object *object, int dest, uint32_t kind, size_t bytes,
                    size_t payload);
/* Counts a packet that is sent beside the block; returns how many were sent before. */
uint32_t pub_count_packet(struct pub_object *object, int dest);
void pub_flush(struct pub_object *object, int dest);
/* Room for `bytes` bytes after the records of the block for a processor. */
uint8_t *pub_append(struct pub_object *object, int dest, size_t bytes);
/* Takes the block, to be sent with the next round, and fills in its header. NULL: there is none. */
uint8_t *pub_take_block(struct pub_object *object, int dest, struct pub_header *header);
/* Is this address in a message of the last superstep? */
bool pub_holds(const struct pub_object *object, const void *buffer);
/* Room for an object of this many processors. */
void pub_outbox_make(struct pub_outbox *out, int size);
/* A new superstep: nothing has been sent in it. */
void pub_outbox_reset(struct pub_outbox *out);
void pub_outbox_free(struct pub_outbox *out);

/* sync.c */
/* bsp_sync, for a call that has been entered. */
void pub_sync(struct pub_object *object);
void pub_release_messages(struct pub_object *object);
void pub_keep_messages(struct pub_object *object, struct pub_object *parent);
/* Has this processor of the object called bsplib_done? */
bool pub_has_finished(const struct pub_object *object, int pid);

/* drma.c */
/* The end of a superstep with bsp_sync; `order` are its packets. */
void pub_drma_finish(struct pub_object *object, struct pub_packet **order, uint32_t n);
void pub_drma_reply(struct pub_object *object, struct pub_packet *packet);
/* The object is given back: nothing is registered in it any more. */
void pub_drma_release(struct pub_object *object);
void pub_drma_free(struct pub_drma *drma);
/* Where the program wants the bytes of a far put or reply; NULL: not known yet, or another kind of
   packet. */
uint8_t *pub_drma_bytes(const struct pub_header *header);

/* alike.c: bsp_push_reg and bsp_pop_reg have been called. `order` is that of the registration. */
void pub_alike_push(struct pub_alike *alike);
void pub_alike_pop(struct pub_alike *alike, uint64_t order);
/* Another processor sent what it did, or nothing (NULL): a difference ends the program. */
void pub_alike_compare(const struct pub_object *object, int from, const struct pub_alike *sent);
static inline bool pub_alike_any(const struct pub_object *object)
{
    return object->alike.pushes || object->alike.pops || object->alike.layers;
}
static inline void pub_alike_turn(struct pub_object *object) /* a new superstep */
{
    object->alike.pushes = object->alike.pops = object->alike.layers = 0;
}

/* collective.c */
void pub_collect(struct pub_packet *packet);
bool pub_collectives_open(const struct pub_object *object);
/* Sets the call that messages name for the operation. */
void pub_collective_serves(struct pub_collective *collective, const char *call);
/* All processors of the object wait for each other. It ends no superstep and delivers no message. */
void pub_barrier(struct pub_object *object);

/* machine.c */
void pub_finish_came(struct pub_packet *packet);

/* tool.c: a measuring tool (pub_tool.h) */
void pub_tool_begin(void);
void pub_tool_end(void);
/* The name of its barrier in messages; NULL: there is no tool. */
const char *pub_tool_barrier_name(void);

/* deadlock.c. The start is collective. */
void pub_deadlock_begin(void);
void pub_deadlock_end(void);
/* Called now and then while nothing arrives and no transfer is open. Returns whether it sent something: then
   packets may have been handled. */
bool pub_watch(const struct pub_wait *wait);
/* "2 messages, 1 has arrived" for messages. */
void pub_arrivals(char *text, size_t room, uint64_t wanted, uint64_t have);
void pub_question_came(struct pub_packet *packet);
void pub_answer_came(struct pub_packet *packet);

/* check.c: PUB_CHECK=1 */
/* The superstep ends in this way. */
void pub_check_superstep(struct pub_object *object, bool oblivious);
/* All processors of the object made the same supersteps, or the program ends. */
void pub_check_done(struct pub_object *object);

/* trace.c: PUB_TRACE */
enum pub_trace_kind {
    PUB_TRACE_SYNC,
    PUB_TRACE_OBLSYNC,
    PUB_TRACE_PARTITION,
    PUB_TRACE_DUP,
    PUB_TRACE_DONE
};
bool pub_trace_asked(void); /* by bsplib_trace */
void pub_trace_begin(void);
void pub_trace_end(void);
void pub_trace_enter(void); /* a call of the program begins ... */
void pub_trace_leave(void); /* ... and ends */
/* All headers of the superstep have arrived: the rest of the wait is transfer. */
void pub_trace_headers(void);
/* `order`: the packets of the superstep by sender. */
void pub_trace_row(struct pub_object *object, enum pub_trace_kind kind, struct pub_packet **order,
                   uint32_t n);

/* host.c: sets pub.crowded. All processes call it. */
void pub_host_begin(void);
/* A hash of the host and of the cores that this process may use. The name of the host has no blanks
   and no #. */
uint64_t pub_host_number(char *name, size_t room);
/* The names of the hosts of all processes; NULL: it is one host. All processes call it. */
#define PUB_HOST 65 /* bytes of a name */
char (*pub_host_names(void))[PUB_HOST];

/* sender.c: whether a large message is stalled while its sender computes. All processes call it. */
bool pub_sender_is_needed(void);

/* shelf.c. The start and the end are collective. */
void pub_shelves_begin(void);
void pub_shelves_end(void);
/* pub_shelf_fill puts the bytes of a packet on a shelf and notes this in the header; it returns false if no shelf is free.
 * pub_shelf_empty takes the bytes from the shelf. */
bool pub_shelf_fill(int receiver, struct pub_header *header, const void *bytes);
void pub_shelf_empty(int sender, const struct pub_header *header, void *to);

/* parameter.c */
void pub_parameter_release(void);

/* line.c: the line time = l + g h */
struct pub_line {
    double l, g;
};
/* Least squares of relative errors; neither l nor g is negative. */
struct pub_line pub_line_fit(const double *h, const double *time, size_t n);
/* The quantile of the values at `part`; sorts them. */
double pub_quantile(double *values, size_t n, double part);
/* Half of the range that holds the middle half of the values; sorts them. */
double pub_spread(double *values, size_t n);

/* store.c: PUB_PARAMETER, the results of earlier runs */
struct pub_store_key {
    char host[64]; /* of processor 0 */
    int nprocs;
    uint64_t mpi;       /* the MPI library */
    uint64_t placement; /* hosts and cores of all processors */
};
enum pub_stored { PUB_NOT_STORED, PUB_STORED, PUB_UNUSABLE };
enum pub_stored pub_store_find(const char *file, const struct pub_store_key *key,
                               t_bspparameter *found);
void pub_store_add(const char *file, const struct pub_store_key *key,
                   const t_bspparameter *parameter);

/* clock.c: nanoseconds; simulated ones under simulation. MPI has been started. */
void pub_clock_begin(void);
uint64_t pub_clock(void);
double pub_seconds(void);
bool pub_simulated(void);

/* The start of a call: returns its object, and notes the call for messages. In a trace the time until
   pub_leave is time in the library. */
static inline struct pub_object *pub_enter(const t_bsp *bsp, const char *call)
{
    pub.call = call;
    if (__builtin_expect(!pub.plain || !bsp || !bsp->object, 0) ||
        __builtin_expect(bsp->object->incarnation != bsp->incarnation, 0))
        return pub_enter_slowly(bsp);
    return bsp->object;
}

/* The same for a call that communicates nothing and costs nothing in the model. In a trace it is
   part of the work: its time cannot be told from that of the two readings of the clock. No pub_leave
   follows. */
static inline struct pub_object *pub_look(const t_bsp *bsp, const char *call)
{
    pub.call = call;
    if (__builtin_expect(!pub.running || !bsp || !bsp->object, 0) ||
        __builtin_expect(bsp->object->incarnation != bsp->incarnation, 0))
        return pub_object_valid(bsp);
    return bsp->object;
}

static inline void pub_leave(void)
{
    if (__builtin_expect(pub.tracing, 0))
        pub_trace_leave();
}

/* Spreads the bits of a number: a hash. */
static inline uint64_t pub_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* memcpy, without a call for few bytes: most messages are small. */
static inline void pub_copy(uint8_t *to, const uint8_t *from, size_t n)
{
    if (n > 128) {
        memcpy(to, from, n);
    } else if (n >= 16) {
        for (size_t i = 0; i + 16 <= n; i += 16)
            memcpy(to + i, from + i, 16);
        memcpy(to + n - 16, from + n - 16, 16);
    } else if (n >= 8) {
        memcpy(to, from, 8);
        memcpy(to + n - 8, from + n - 8, 8);
    } else if (n >= 4) {
        memcpy(to, from, 4);
        memcpy(to + n - 4, from + n - 4, 4);
    } else {
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
    }
}

static inline size_t pub_padded(size_t bytes)
{
    return pub_layer_padded(bytes);
}

#endif
