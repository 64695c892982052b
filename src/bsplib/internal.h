/* SPDX-License-Identifier: MIT */
/*
 * What the files of libbsp share. The library is a thin layer: the object of all processors is a
 * variable here, libpub does the rest, and its messages name the same calls.
 *
 *   machine.c  begin and end of the parallel part, supersteps
 *   remote.c   registration, put and get
 *   queue.c    messages
 */
#ifndef BSPLIB_INTERNAL_H
#define BSPLIB_INTERNAL_H

#define BSPSTD_LIBRARY
#include <bsp.h>
#include <pub.h>

#include "pub/layer.h"

/* machine.c: the object of the processors that take part. Outside of the parallel part it ends the
   program, with a message that names the call. */
t_bsp *bspstd_machine(const char *call);

/* queue.c: the superstep has ended. */
void bspstd_queue_turn(void);

#endif
