/* SPDX-License-Identifier: MIT */
/*
 * What a library on top of libpub needs: one whose programs do not call libpub themselves, such as
 * libbsp (src/bsplib). It uses the calls of pub.h, and those below.
 */
#ifndef PUB_LAYER_H
#define PUB_LAYER_H

#include <mpi.h>
#include <pub.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How messages name things. */
struct pub_layer {
    const char *name;        /* of the library; it begins each message */
    const char *begin, *end; /* the calls that begin and end the parallel part */
    const char *driver;      /* the programs, as `#pragma cll parallel` names them */
    const char *alike;       /* the call that pub_layer_alike notes */
};

/* The table must exist until the program ends. */
void pub_layer_register(const struct pub_layer *layer);

/* bsplib_init for the processes of a communicator. MPI has been started. */
void pub_layer_begin(MPI_Comm processes, t_bsp *bsp);

/* Ends the program on all processors with a message that names `call`. NULL: no call, and the message may have
   several lines. */
void pub_layer_fail(const char *call, const char *format, ...) PUB_PRINTF(2, 3) PUB_NORETURN;

/* bsp_send of a message in two parts, which the receiver finds `front` rounded up to a multiple of
   16 bytes and `body` after that. Traces count the bytes of both, without the padding. */
void pub_layer_send(t_bsp *bsp, int dest, const void *front, size_t front_bytes, const void *body,
                    size_t body_bytes);
static inline size_t pub_layer_padded(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

/* Notes a call that all processors of the object make alike in a superstep, and its value: if they do
   not, bsp_sync ends the program. */
void pub_layer_alike(const t_bsp *bsp, uint64_t value);

#endif
