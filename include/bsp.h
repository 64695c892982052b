/* SPDX-License-Identifier: MIT */
/*
 * bsp.h: BSPlib, the BSP programming library of Hill, McColl, Stefanescu, Goudreau, Lang, Rao, Suel,
 * Tsantilas and Bisseling (Parallel Computing 24, 1998), as a layer on libpub. Programs that were
 * written for other implementations of it, such as the Oxford BSP Toolset, BSPonMPI and MulticoreBSP
 * for C, run unchanged (docs/reference/bsp.md has the differences).
 *
 *     #include <bsp.h>
 *     #include <stdio.h>
 *
 *     int main(void)
 *     {
 *         bsp_begin(bsp_nprocs());
 *         int left = 0, me = bsp_pid();
 *         bsp_push_reg(&left, sizeof left);
 *         bsp_sync();
 *         bsp_put((me + 1) % bsp_nprocs(), &me, &left, 0, sizeof me);
 *         bsp_sync();
 *         printf("%d is beside %d\n", left, me);
 *         bsp_end();
 *         return 0;
 *     }
 *
 * The program is started as an MPI program: mpirun -n 4 ./program. Between bsp_begin and bsp_end the
 * same code runs on every processor, in supersteps that end with bsp_sync. Numbers of bytes and
 * offsets may be int, as in the standard, or size_t, as in MulticoreBSP for C.
 *
 * Errors. There are no return codes: misuse ends the program on all processors with one line
 *     bsp: bsp_put: processor 3 of 8, superstep 12: there is no processor 9: they are 0 .. 7
 * on standard error and exit status 1 (simulated programs: 0, which SimGrid returns). The errors
 * marked "Error:" below are always detected, except outside of the parallel part, where each call
 * but bsp_init, bsp_begin, bsp_nprocs and bsp_abort is an error.
 *
 * The names of the calls are macros: libpub, on which this library is built, has calls of the same
 * names with other arguments. A source file includes either bsp.h or pub.h.
 *
 * Environment: PUB_CHECK, PUB_CHECK_SECONDS, PUB_TRACE, PUB_BUFFER, PUB_PIECES
 * (docs/reference/pub.md).
 */
#ifndef CLL_BSP_H
#define CLL_BSP_H

#if defined PUB_H && !defined BSPSTD_LIBRARY
#error "pub.h and bsp.h have calls of the same names: include one of them in a source file"
#endif

#include <stddef.h>

/* The names of MulticoreBSP for C for its types. */
typedef int bsp_pid_t;
typedef int bsp_nprocs_t;
typedef size_t bsp_size_t;

#if defined __GNUC__
#define BSPSTD_PRINTF   __attribute__((format(printf, 1, 2)))
#define BSPSTD_NORETURN __attribute__((noreturn))
#else
#define BSPSTD_PRINTF
#define BSPSTD_NORETURN
#endif

#if defined __clang__
#define BSPSTD_NO_CALL(text) __attribute__((unavailable(text)))
#elif defined __GNUC__
#define BSPSTD_NO_CALL(text) __attribute__((error(text)))
#else
#define BSPSTD_NO_CALL(text)
#endif

#ifndef BSPSTD_LIBRARY /* libbsp itself calls those of pub.h */
#define bsp_init       bspstd_init
#define bsp_begin      bspstd_begin
#define bsp_end        bspstd_end
#define bsp_abort      bspstd_abort
#define bsp_nprocs     bspstd_nprocs
#define bsp_pid        bspstd_pid
#define bsp_time       bspstd_time
#define bsp_sync       bspstd_sync
#define bsp_push_reg   bspstd_push_reg
#define bsp_pop_reg    bspstd_pop_reg
#define bsp_put        bspstd_put
#define bsp_hpput      bspstd_hpput
#define bsp_get        bspstd_get
#define bsp_hpget      bspstd_hpget
#define bsp_direct_get bspstd_direct_get
#define bsp_send       bspstd_send
#define bsp_hpsend     bspstd_hpsend
#define bsp_move       bspstd_move
#define bsp_hpmove     bspstd_hpmove
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the parallel part ----------------------------------------------------------------------- */

/* Needed if the parallel part is not in main. `spmd` is the function that contains bsp_begin and
   bsp_end. Called first in main. It returns on process 0 alone, which runs the code before the
   parallel part and then calls `spmd` itself. The other processes call `spmd` here, and end when it
   returns.

       int P;
       void spmd(void) { bsp_begin(P); ... bsp_end(); }
       int main(int argc, char **argv)
       {
           bsp_init(spmd, argc, argv);
           scanf("%d", &P);
           spmd();
       }

   Error: a second call; a call after bsp_begin; a null pointer. */
void bspstd_init(void (*spmd)(void), int argc, char **argv);

/* Begins the parallel part on at most `maxprocs` processors, and on no more than the program was
   started with. The value on process 0 counts. Processes that do not take part end here when the
   others have called bsp_end. Cost: l.
   Error: less than one processor; a second call. */
void bspstd_begin(int maxprocs);

/* Ends the parallel part. All processors call it. Cost: l.
   Error: puts, gets or messages of a superstep that was not ended; another processor calls bsp_sync;
   the program ends without it. */
void bspstd_end(void);

/* Prints "bsp: processor I of P, superstep S: " and the message, and ends the program on all
   processors with exit status 1. Possible anywhere. */
void bspstd_abort(const char *format, ...) BSPSTD_PRINTF BSPSTD_NORETURN;

/* The number of processors: in the parallel part of the ones that take part, before it of the ones that the
   program was started with. Cost: none. */
int bspstd_nprocs(void);

/* The number of this processor, from 0. Cost: none. */
int bspstd_pid(void);

/* Seconds since bsp_begin on this processor. In a simulation: simulated seconds. Cost: reading a
   clock. */
double bspstd_time(void);

/* Ends the superstep: waits for all processors. Registrations and tag sizes of this superstep count
   from here on. First all gets have been read and written, then all puts, and then the messages sent
   to this processor are its queue. Cost: g h + l. With gets a second time g h + l for their bytes.
   Error: another processor has called bsp_end (up to 64 processors); a put or get outside of what
   its target registered; processors that called bsp_push_reg, bsp_pop_reg or bsp_set_tagsize
   differently in this superstep. */
void bspstd_sync(void);

/* ---- remote memory ---------------------------------------------------------------------------
 *
 * A put or get names memory of another processor by the address that this one registered together
 * with it. A call with 0 bytes does nothing.
 */

/* Registers `bytes` bytes from `ident` on, from the next superstep on. All processors register in the
   same order, each its own memory of its own size; NULL with 0 bytes takes part without memory. If
   the same address is registered again, the latest registration counts. Cost: none.
   Error: a negative number; NULL with bytes. */
void bspstd_push_reg(const void *ident, size_t bytes);

/* Takes the latest registration of `ident` back, from the next superstep on. All processors take the
   same registration back, in the same order. Cost: none.
   Error: not registered. */
void bspstd_pop_reg(const void *ident);

/* Writes `bytes` bytes of `src` to processor `pid`, `offset` bytes after the beginning of what it
   registered with `dst`, at the end of the superstep. bsp_put copies src at once. bsp_hpput reads
   it, and may write, at any time until the superstep ends. Cost: bytes into h of both.
   Error: no such processor; dst is NULL or not registered; a negative number; past the end of what
   `pid` registered. */
void bspstd_put(int pid, const void *src, const void *dst, size_t offset, size_t bytes);
void bspstd_hpput(int pid, const void *src, const void *dst, size_t offset, size_t bytes);

/* Reads `bytes` bytes from processor `pid`, `offset` bytes after the beginning of what it registered
   with `src`, into `dst`, at the end of the superstep and before any put is written. bsp_hpget may
   read and write at any time until the superstep ends. Cost: bytes into h of both.
   Error: as for bsp_put. */
void bspstd_get(int pid, const void *src, size_t offset, void *dst, size_t bytes);
void bspstd_hpget(int pid, const void *src, size_t offset, void *dst, size_t bytes);

/* An extension of MulticoreBSP for C that needs the memory of the other processor at once. */
void bspstd_direct_get(int pid, const void *src, size_t offset, void *dst, size_t bytes)
    BSPSTD_NO_CALL("libbsp has no shared memory: use bsp_get, which reads at the next bsp_sync");

/* ---- messages --------------------------------------------------------------------------------
 *
 * A message is a tag, of the same size in all messages of a superstep, and a payload. After bsp_sync
 * the messages that were sent to this processor are its queue, until the next bsp_sync. They are
 * sorted by sender, those of one sender in the order of sending.
 *
 * bsp_set_tagsize, bsp_qsize and bsp_get_tag are macros that take pointers to int, unsigned, long or
 * size_t.
 */

/* void bsp_set_tagsize(int *bytes): tags have *bytes bytes from the next superstep on (at first 0).
   *bytes becomes what the call before this one set. All processors call it alike. Cost: none.
   Error: NULL; a negative number. */

/* Sends a tag and `bytes` bytes of `payload` to processor `pid`, which may be this one. Both are free
   on return. bsp_hpsend, of MulticoreBSP for C, does the same. Cost: the bytes of both into h.
   Error: no such processor; a negative number; NULL with bytes. */
void bspstd_send(int pid, const void *tag, const void *payload, size_t bytes);
void bspstd_hpsend(int pid, const void *tag, const void *payload, size_t bytes);

/* void bsp_qsize(int *messages, int *bytes): how many messages are in the queue, and the bytes of
   their payloads. `bytes` may be NULL. Cost: none.
   Error: NULL; a number that the variable cannot hold. */

/* void bsp_get_tag(int *status, void *tag): *status becomes the bytes of the payload of the first
   message, and its tag is copied to `tag`. Without a message *status becomes -1. Cost: none.
   Error: NULL; a number that the variable cannot hold. */

/* Copies the payload of the first message, at most `bytes` bytes of it, and removes the message from
   the queue. Cost: none.
   Error: the queue is empty; NULL or a negative number. */
void bspstd_move(void *payload, size_t bytes);

/* The same without a copy: *tag and *payload point into the message, until the next bsp_sync, aligned
   for any type. Returns the bytes of the payload; -1 if the queue is empty. Cost: none.
   Error: NULL. */
ptrdiff_t bspstd_hpmove(void **tag, void **payload);

/* `width`: the size of the integer that the pointer before it points to; 0: it is NULL. */
void bspstd_set_tagsize(void *bytes, size_t width);
void bspstd_qsize(void *messages, size_t width, void *bytes, size_t bytes_width);
void bspstd_get_tag(void *status, size_t width, void *tag);

#ifdef __cplusplus
} /* extern "C" */

template <class T> inline void bsp_set_tagsize(T *bytes)
{
    static_assert(T(1) / T(2) == 0, "a pointer to an integer is expected");
    bspstd_set_tagsize(bytes, sizeof *bytes);
}
template <class M, class B> inline void bsp_qsize(M *messages, B *bytes)
{
    static_assert(M(1) / M(2) == 0 && B(1) / B(2) == 0, "pointers to integers are expected");
    bspstd_qsize(messages, sizeof *messages, bytes, sizeof *bytes);
}
template <class M> inline void bsp_qsize(M *messages, decltype(nullptr))
{
    static_assert(M(1) / M(2) == 0, "a pointer to an integer is expected");
    bspstd_qsize(messages, sizeof *messages, nullptr, 0);
}
template <class S> inline void bsp_get_tag(S *status, void *tag)
{
    static_assert(S(1) / S(2) == 0, "a pointer to an integer is expected");
    bspstd_get_tag(status, sizeof *status, tag);
}
#else
#if defined __GNUC__
#define BSPSTD_GENERIC __extension__ _Generic /* older standards of C have it as an extension */
#else
#define BSPSTD_GENERIC _Generic
#endif
/* clang-format off */
#define BSPSTD_WIDTH(pointer)                                                                      \
    BSPSTD_GENERIC((pointer), int *: sizeof(int), unsigned *: sizeof(int), long *: sizeof(long),   \
                   unsigned long *: sizeof(long), long long *: sizeof(long long),                  \
                   unsigned long long *: sizeof(long long), void *: 0)
/* clang-format on */
#define bsp_set_tagsize(bytes) bspstd_set_tagsize((bytes), BSPSTD_WIDTH(bytes))
#define bsp_qsize(messages, bytes)                                                                 \
    bspstd_qsize((messages), BSPSTD_WIDTH(messages), (bytes), BSPSTD_WIDTH(bytes))
#define bsp_get_tag(status, tag) bspstd_get_tag((status), BSPSTD_WIDTH(status), (tag))
#endif

#endif
