/* SPDX-License-Identifier: MIT */
/*
 * pub.h: bulk-synchronous parallel programs in the manner of the Paderborn University BSP library.
 *
 * The same program runs on every processor between bsplib_init and bsplib_done. A BSP object (a
 * t_bsp) is a machine: some processors, numbered from 0, which exchange messages and synchronise.
 * bsplib_init gives the object of all processors; bsp_partition cuts an object into groups, each an
 * object of its own; bsp_dup makes a second object of the same processors.
 *
 * Supersteps. On an object a program is a sequence of supersteps, numbered from 1. A superstep ends
 * with bsp_sync (each processor waits for all others) or bsp_oblsync (each processor waits for the
 * number of messages it expects). All processors of the object make the same supersteps and end each
 * one in the same way, but not at the same time: after bsp_oblsync a processor may be any number of
 * supersteps ahead of another. A message sent in superstep s is readable after the
 * receiver's own end of superstep s, never earlier, whenever it arrives. Objects know nothing of
 * each other: each has its own numbering, messages and synchronisation.
 *
 * Cost, as written below. h is the largest number of bytes that one processor sends or receives in
 * the superstep, g the time for one of them, l the time to end a superstep: a superstep costs
 * w + g h + l, where w is the time that its slowest processor computes. With bsp_oblsync, l is that of the
 * processors from which a processor receives, and only their w counts.
 *
 * Errors. There are no return codes: misuse ends the program on all processors with one line
 *     pub: bsp_send: processor 3 of 8, superstep 12: there is no processor 9: they are 0 .. 7
 * on standard error and exit status 1 (simulated programs: 0, which SimGrid returns). libpub always
 * detects the errors marked "Error:" below, and ends a program in which no processor can go on. With
 * PUB_CHECK=1 in the environment it also detects different numbers and kinds of supersteps.
 *
 * MPI. The library uses a communicator of its own. The program may use MPI beside it. Calls come
 * from the thread that called bsplib_init.
 *
 * Environment: PUB_CHECK, PUB_CHECK_SECONDS, PUB_TRACE, PUB_PARAMETER, PUB_BUFFER,
 * PUB_PIECES (docs/reference/pub.md).
 */
#ifndef PUB_H
#define PUB_H

#if !defined __GNUC__
#error "pub.h needs gcc, clang or a compiler that is compatible with them"
#endif
#if defined CLL_BSP_H && !defined BSPSTD_LIBRARY
#error "pub.h and bsp.h have calls of the same names: include one of them in a source file"
#endif

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PUB_VERSION "1.0"

#define PUB_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define PUB_NORETURN            __attribute__((noreturn))

/* The name of a call in object code. A program for BSPlib, which also runs on libpub, may have functions
   with the names below: BSPlib reserves few of them. */
#define PUB_CALL(name) __asm__("pub_" #name)

/* A name that is not a call: the compiler refuses it, with this text. */
#if defined __clang__
#define PUB_NO_CALL(text) __attribute__((unavailable(text)))
#else
#define PUB_NO_CALL(text) __attribute__((error(text)))
#endif

/* ---- objects ------------------------------------------------------------------------------- */

struct pub_object;

/* A BSP object. Declared by the program, filled by bsplib_init, bsp_partition or bsp_dup; its
   fields belong to the library. It may be copied: the copies are the same object. */
typedef struct t_bsp {
    struct pub_object *object;
    uint64_t incarnation;
} t_bsp;

typedef t_bsp tbsp;
typedef t_bsp *pbsp;

/* The only value for the first argument of bsplib_init. */
#define BSPLIB_STDPARAMS 0

/* Passes the program's arguments to MPI, for MPI libraries that need them. Called before bsplib_init.
   Optional.

       int main(int argc, char **argv)
       {
           t_bsp bsp;
           bsplib_saveargs(&argc, &argv);
           bsplib_init(BSPLIB_STDPARAMS, &bsp); */
void bsplib_saveargs(int *argc, char ***argv) PUB_CALL(bsplib_saveargs);

/* Begins the parallel part and makes *bsp the object of all processors. Starts MPI unless the program
   has started it. Called once. Cost: l.
   Error: a second call; a call after bsplib_done; MPI has been finalised. */
void bsplib_init(int parameters, t_bsp *bsp) PUB_CALL(bsplib_init);

/* Ends the parallel part, and MPI if bsplib_init started it. All processors call it. No object can
   be used after it. Cost: l.
   Error: groups that were not given back with bsp_done; messages sent in a superstep that has not
   ended; messages that arrived and can no longer be read. */
void bsplib_done(void) PUB_CALL(bsplib_done);

/* Asks for a trace of the supersteps in this file. PUB_TRACE=FILE in the environment does the same
   and takes precedence. Called before bsplib_init, on all processors. docs/reference/pub.md describes
   the file. */
void bsplib_trace(const char *file) PUB_CALL(bsplib_trace);

/* How many processors the object has. Cost: none. */
int bsp_nprocs(t_bsp *bsp) PUB_CALL(bsp_nprocs);

/* The number of this processor in the object, from 0. Cost: none. */
int bsp_pid(t_bsp *bsp) PUB_CALL(bsp_pid);
/* As a paper prints it: the compiler names bsp_pid. */
int bsppid(t_bsp *bsp) PUB_NO_CALL("the name is bsp_pid");

/* The number of the current superstep of this processor on the object, from 1. Cost: none. */
int64_t bsp_superstep(t_bsp *bsp) PUB_CALL(bsp_superstep);

/* Cuts the object into `groups` groups of neighbours and makes *sub the one of this processor.
   Group 0 has the processors 0 .. ends[0]-1, group i has ends[i-1] .. ends[i]-1; ends[groups-1] is
   bsp_nprocs(bsp). A group may be empty. All processors of the object call it with the same
   groups, but no processor waits and no message is sent. The group's supersteps are part of the
   object's current superstep: for the object they are computation. Until bsp_done(sub) the object
   can be neither synchronised nor partitioned again, but the group can.
   Cost: constant, no communication.

       int ends[2] = {bsp_nprocs(bsp) / 2, bsp_nprocs(bsp)};
       t_bsp half;
       bsp_partition(bsp, &half, 2, ends);
       solve(&half);
       bsp_done(&half);

   Error: ends that fall, are negative, or do not end with bsp_nprocs(bsp); an object whose last
   partition has not been given back. */
void bsp_partition(t_bsp *bsp, t_bsp *sub, int groups, const int *ends) PUB_CALL(bsp_partition);

/* Makes *copy a second object of the same processors, with supersteps and messages of its own. Both
   can be used, in any order that is the same for all processors. Given back with bsp_done.
   Cost: constant, no communication. */
void bsp_dup(t_bsp *bsp, t_bsp *copy) PUB_CALL(bsp_dup);

/* Gives a group or a copy back. No processor waits and no message is sent. Of the groups and copies
   made from an object, the last one is given back first. Cost: constant; with PUB_CHECK=1: l.
   Error: *sub is the object of all processors, was given back already, has groups or copies of its
   own, or is not the last that was made from its object; messages sent on it in a superstep that
   has not ended, or that arrived and cannot be read. */
void bsp_done(t_bsp *sub) PUB_CALL(bsp_done);

/* ---- supersteps ---------------------------------------------------------------------------- */

/* Ends the superstep: waits for all processors of the object. The messages sent to this processor in
   the superstep can be read now; those of the superstep before can no longer be read. Puts have been
   written and gets have been read.
   Cost: g h + l. With gets a second time g h + l for their bytes.
   Error: a group of this object is in use; another processor ends the superstep with bsp_oblsync
   (detected no later than that processor's next library call), or has called bsplib_done
   (machines of up to 64 processors); a put or get outside of what its target registered; processors
   that called bsp_push_reg or bsp_pop_reg differently in this superstep. */
void bsp_sync(t_bsp *bsp) PUB_CALL(bsp_sync);

/* Ends the superstep as soon as `messages` messages of it have arrived at this processor, counting
   those it sent to itself. Otherwise it waits only until the buffers of bsp_hpsend in this superstep
   have been sent. All processors of the object end this superstep with bsp_oblsync.
   Cost: g h + l of this processor and of its senders.

       bsp_hpsend(bsp, partner, a, bytes);
       bsp_oblsync(bsp, 1);
       memcpy(b, bspmsg_data(bsp_getmsg(bsp, 0)), bytes);

   Error: a negative number; more messages than that (detected when they arrive);
   puts, gets or registrations in this superstep; and as for bsp_sync. */
void bsp_oblsync(t_bsp *bsp, int messages) PUB_CALL(bsp_oblsync);

/* A paper also prints the name with another underscore: the compiler then names bsp_oblsync. With call.h
   it is the same call. */
#ifndef bsp_obl_sync
void bsp_obl_sync(t_bsp *bsp, int messages) PUB_NO_CALL("the name is bsp_oblsync");
#endif

/* ---- messages ------------------------------------------------------------------------------ */

/* A message in memory of the library. */
typedef struct t_bspmsg t_bspmsg;

/* Sends `bytes` bytes from `buffer` to processor `dest`, which may be this one. The buffer is free
   on return. Small messages to the same processor travel together. bytes may be 0.
   Cost: bytes into h; one copy.
   Error: no such processor; a null buffer with bytes. */
void bsp_send(t_bsp *bsp, int dest, const void *buffer, size_t bytes) PUB_CALL(bsp_send);

/* The same without a copy (only small messages are copied): the buffer must not change until the
   superstep ends on this processor. Cost: bytes into h. */
void bsp_hpsend(t_bsp *bsp, int dest, const void *buffer, size_t bytes) PUB_CALL(bsp_hpsend);

/* A new message of `bytes` bytes, to be filled through bspmsg_data. bsp_sendmsg sends it once,
   without a copy; bsp_freemsg frees it. Cost: none.

       t_bspmsg *m = bsp_createmsg(bsp, n * sizeof(double));
       double *x = bspmsg_data(m);
       for (int i = 0; i < n; i++)
           x[i] = f(i);
       bsp_sendmsg(bsp, dest, m); */
t_bspmsg *bsp_createmsg(t_bsp *bsp, size_t bytes) PUB_CALL(bsp_createmsg);

/* Sends a message made by bsp_createmsg, which belongs to the library from then on.
   Cost: its bytes into h.
   Error: a message that was received; one that was sent already (not detected if its memory holds
   another message by then); no such processor. */
void bsp_sendmsg(t_bsp *bsp, int dest, t_bspmsg *message) PUB_CALL(bsp_sendmsg);

void bsp_freemsg(t_bsp *bsp, t_bspmsg *message) PUB_CALL(bsp_freemsg);

/* How many messages of the last superstep there are for this processor. Cost: none. */
int bsp_nmsgs(t_bsp *bsp) PUB_CALL(bsp_nmsgs);

/* Message i of them, from 0; NULL if there is none. They are sorted by sender; those of one sender
   come in the order of sending. Valid until the object is synchronised again or given back. */
t_bspmsg *bsp_getmsg(t_bsp *bsp, int i) PUB_CALL(bsp_getmsg);

/* Message i, from 0, of those from processor `src`; NULL if there is none. Cost: a binary search.
   Error: no such processor. */
t_bspmsg *bsp_findmsg(t_bsp *bsp, int src, int i) PUB_CALL(bsp_findmsg);

/* The contents, aligned for any type; how many bytes; who sent it. A received message may be
   changed in place. For NULL they return NULL, 0 and -1. */
void *bspmsg_data(t_bspmsg *message) PUB_CALL(bspmsg_data);
size_t bspmsg_size(const t_bspmsg *message) PUB_CALL(bspmsg_size);
int bspmsg_src(const t_bspmsg *message) PUB_CALL(bspmsg_src);

/* ---- remote memory --------------------------------------------------------------------------- */

/* Lets other processors put to and get from the `bytes` bytes at `start`, from the next bsp_sync
   on. All processors of the object register in the same order, each its own memory of its own
   size; a null pointer with 0 bytes takes part without memory. If the same memory is registered
   again, the latest registration counts.
   Cost: none apart from the synchronisation. */
void bsp_push_reg(t_bsp *bsp, void *start, size_t bytes) PUB_CALL(bsp_push_reg);

/* Takes the latest registration of `start` back, from the next bsp_sync on; all processors do so
   in the same order, and it must be the same registration on all.
   Error: `start` is not registered. */
void bsp_pop_reg(t_bsp *bsp, void *start) PUB_CALL(bsp_pop_reg);

/* Writes `bytes` bytes of `src` into the memory of processor `dest`, `offset` bytes after the
   beginning of what it registered together with this processor's `dst`. The bytes are written at the
   end of the superstep, after all gets have read. The order of puts to the same place is undefined.
   bsp_put copies src at once, bsp_hpput reads it until the superstep ends and may write early.

       bsp_push_reg(bsp, x, n * sizeof *x);
       bsp_sync(bsp);
       bsp_put(bsp, right, &x[0], x, (n - 1) * sizeof *x, sizeof *x);
       bsp_sync(bsp);

   Cost: bytes into h of both.
   Error: dst is not registered; no such processor; past the end of what dest registered. */
void bsp_put(t_bsp *bsp, int dest, const void *src, void *dst, size_t offset, size_t bytes)
    PUB_CALL(bsp_put);
void bsp_hpput(t_bsp *bsp, int dest, const void *src, void *dst, size_t offset, size_t bytes)
    PUB_CALL(bsp_hpput);

/* Reads `bytes` bytes from processor `from`, `offset` bytes after the beginning of what it
   registered together with this processor's `src`, into `dst`. The bytes are read at the end of the
   superstep, before any put is written; dst is written when all have been read. Where a get and a
   put write the same bytes, those of the put remain. bsp_hpget may read
   and write at any time until the superstep ends. dst must not be in a received message, which is
   released before. Cost: bytes into h of both, in a separate round.
   Error: as for bsp_put. */
void bsp_get(t_bsp *bsp, int from, const void *src, size_t offset, void *dst, size_t bytes)
    PUB_CALL(bsp_get);
void bsp_hpget(t_bsp *bsp, int from, const void *src, size_t offset, void *dst, size_t bytes)
    PUB_CALL(bsp_hpget);

/* ---- collective operations --------------------------------------------------------------------
 *
 * All processors of the object call them in the same order. They end no superstep and deliver no
 * message: they are computation that contains communication. p is bsp_nprocs, n the bytes of one
 * block. The asynchronous forms (bsp_i...) return at once; the buffers belong to the library until
 * bsp_wait, or until bsp_test returns 1. They progress whenever this processor is in the library.
 *
 * Error: no such root; no operation; a negative number of bytes; a processor from which this one
 * receives calls another operation instead, or passes another number of bytes.
 */

/* Combines `count` elements: accumulated[i] = accumulated[i] op more[i], where `accumulated` holds
   what comes from lower processors. Must be associative; it need not be commutative. */
typedef void (*t_bspop)(void *accumulated, const void *more, size_t count);

void bsp_op_sum_int(void *accumulated, const void *more, size_t count) PUB_CALL(bsp_op_sum_int);
void bsp_op_sum_long(void *accumulated, const void *more, size_t count) PUB_CALL(bsp_op_sum_long);
void bsp_op_sum_double(void *accumulated, const void *more, size_t count)
    PUB_CALL(bsp_op_sum_double);
void bsp_op_min_int(void *accumulated, const void *more, size_t count) PUB_CALL(bsp_op_min_int);
void bsp_op_min_long(void *accumulated, const void *more, size_t count) PUB_CALL(bsp_op_min_long);
void bsp_op_min_double(void *accumulated, const void *more, size_t count)
    PUB_CALL(bsp_op_min_double);
void bsp_op_max_int(void *accumulated, const void *more, size_t count) PUB_CALL(bsp_op_max_int);
void bsp_op_max_long(void *accumulated, const void *more, size_t count) PUB_CALL(bsp_op_max_long);
void bsp_op_max_double(void *accumulated, const void *more, size_t count)
    PUB_CALL(bsp_op_max_double);

/* `bytes` bytes of `buffer` from processor `root` to all. Cost: ceil(log2 p) (g n + l). */
void bsp_broadcast(t_bsp *bsp, int root, void *buffer, size_t bytes) PUB_CALL(bsp_broadcast);

/* The combination of `in` of processors 0, 1, 2, ... to `out` of processor `root` (elsewhere out is
   not used). `count` elements of `size` bytes. Cost: ceil(log2 p) (g n + l), once more g n + l if
   root is not 0. The order of combining depends on p alone: results repeat to the last bit. */
void bsp_reduce(t_bsp *bsp, int root, t_bspop op, const void *in, void *out, size_t count,
                size_t size) PUB_CALL(bsp_reduce);

/* The same to all. Cost: 2 ceil(log2 p) (g n + l). */
void bsp_allreduce(t_bsp *bsp, t_bspop op, const void *in, void *out, size_t count, size_t size)
    PUB_CALL(bsp_allreduce);

/* Processor i gets the combination of 0 .. i. Cost: ceil(log2 p) (g n + l). */
void bsp_prefix(t_bsp *bsp, t_bspop op, const void *in, void *out, size_t count, size_t size)
    PUB_CALL(bsp_prefix);

/* `bytes` bytes of every processor, in the order of their numbers, to `out` of root.
   Cost: g n (p-1) + l ceil(log2 p). */
void bsp_gather(t_bsp *bsp, int root, const void *in, void *out, size_t bytes) PUB_CALL(bsp_gather);

/* The same to all. Cost: g n (p-1) + l ceil(log2 p). */
void bsp_allgather(t_bsp *bsp, const void *in, void *out, size_t bytes) PUB_CALL(bsp_allgather);

/* Block i of `in` of root to `out` of processor i. Cost: g n (p-1) + l ceil(log2 p). */
void bsp_scatter(t_bsp *bsp, int root, const void *in, void *out, size_t bytes)
    PUB_CALL(bsp_scatter);

/* Block i of `in` to processor i, which finds it in `out` as block bsp_pid of the sender.
   Cost: g n (p-1) + l. */
void bsp_totalexchange(t_bsp *bsp, const void *in, void *out, size_t bytes)
    PUB_CALL(bsp_totalexchange);

/* A collective operation that has begun. */
typedef struct pub_collective *t_bsprequest;

t_bsprequest bsp_ibroadcast(t_bsp *bsp, int root, void *buffer, size_t bytes)
    PUB_CALL(bsp_ibroadcast);
t_bsprequest bsp_ireduce(t_bsp *bsp, int root, t_bspop op, const void *in, void *out, size_t count,
                         size_t size) PUB_CALL(bsp_ireduce);
t_bsprequest bsp_iallreduce(t_bsp *bsp, t_bspop op, const void *in, void *out, size_t count,
                            size_t size) PUB_CALL(bsp_iallreduce);
t_bsprequest bsp_iprefix(t_bsp *bsp, t_bspop op, const void *in, void *out, size_t count,
                         size_t size) PUB_CALL(bsp_iprefix);
t_bsprequest bsp_igather(t_bsp *bsp, int root, const void *in, void *out, size_t bytes)
    PUB_CALL(bsp_igather);
t_bsprequest bsp_iallgather(t_bsp *bsp, const void *in, void *out, size_t bytes)
    PUB_CALL(bsp_iallgather);
t_bsprequest bsp_iscatter(t_bsp *bsp, int root, const void *in, void *out, size_t bytes)
    PUB_CALL(bsp_iscatter);
t_bsprequest bsp_itotalexchange(t_bsp *bsp, const void *in, void *out, size_t bytes)
    PUB_CALL(bsp_itotalexchange);

/* Waits until the operation is complete on this processor, and sets *request to NULL. A NULL one
   is complete. */
void bsp_wait(t_bsprequest *request) PUB_CALL(bsp_wait);

/* The same without waiting: 1 if it is complete (*request is NULL then), else 0. */
int bsp_test(t_bsprequest *request) PUB_CALL(bsp_test);

/* ---- the machine ----------------------------------------------------------------------------- */

/* The parameters of the machine. g is per byte: multiply it by sizeof for another word. */
typedef struct t_bspparameter {
    double l;        /* seconds to end a superstep with bsp_sync */
    double g;        /* seconds for each byte of h, sent with bsp_hpsend */
    double s;        /* multiplications and additions of doubles in cache per second */
    double l_spread; /* in the same units: half of the interquartile range of the values ... */
    double g_spread; /* ... that each pattern gives in each third of the time */
    double s_spread;
    int nprocs;         /* processors that were measured */
    int oversubscribed; /* 1: a host has more processes than cores; l and g are then unreliable */
} t_bspparameter;

typedef t_bspparameter tbspparameter;

/* Measures s, g and l of the object: times of real h-relations of 0 bytes to a megabyte in three
   patterns (a shift, a total exchange, messages to processors drawn at random), and the line
   time = l + g h through them. h is the largest number of bytes that any processor sends or
   receives. The times are those of the slowest processor, in supersteps without computation, in
   rounds spread over half a second. The value of a point is the tenth percentile. The line
   minimises the relative errors, so small messages count as much as large ones. Neither is exact
   where the machine treats them differently.

   All processors of the object call it, at any place in a superstep, and get the same values. No
   superstep ends, no message is delivered, and traces do not show it. Groups that measure at
   the same time disturb each other. The first call on a set of processors takes half a second, or
   longer if a superstep takes milliseconds. Further calls, on any object of the same processors,
   return the values from memory without communication. With PUB_PARAMETER=FILE the first call takes
   the values from that file if an earlier run has measured the same number of processors on the same
   hosts and cores with the same MPI library. Otherwise it measures and adds its result to the file
   (docs/reference/pub-parameters.md).

   In a simulation one round is enough, s is the speed of the host, and the file is not used.
   Messages of a processor to itself take no simulated time: l and g of one processor are 0.

       t_bspparameter p;
       bsp_parameter(bsp, &p);
       printf("L = %g s, g = %g s per byte\n", p.l, p.g);

   Error: a null pointer; another processor of the object has called bsplib_done. */
void bsp_parameter(t_bsp *bsp, t_bspparameter *parameter) PUB_CALL(bsp_parameter);

/* Seconds since a fixed moment, which may differ between processors. In a simulation: simulated
   seconds. Cost: reading a clock. */
double bsp_time(t_bsp *bsp) PUB_CALL(bsp_time);

/* Prints "pub: processor I of P, superstep S: " and the message, and ends the program on all
   processors with exit status 1. */
void bsp_abort(t_bsp *bsp, const char *format, ...) PUB_CALL(bsp_abort)
    PUB_PRINTF(2, 3) PUB_NORETURN;

#ifdef __cplusplus
}
#endif

#endif
