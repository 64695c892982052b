/* SPDX-License-Identifier: MIT */
/* What the files of libcll_cuda share. The types are those of CUDA's headers, which need not be there when CALL is
   built. Functions of libcll are weak: a program without regions that is linked with this archive needs no libcll. */
#ifndef CLL_CUDA_H
#define CLL_CUDA_H

#include <cll_device.h>

__typeof__(cll_work_is_wanted) cll_work_is_wanted __attribute__((weak));
__typeof__(cll_work_add) cll_work_add __attribute__((weak));
__typeof__(cll_work_launched) cll_work_launched __attribute__((weak));
__typeof__(cll_work_finish) cll_work_finish __attribute__((weak));
__typeof__(cll_work_describe) cll_work_describe __attribute__((weak));

typedef int result; /* of functions of CUDA; 0: success */
/* Streams, events and contexts are void *. */

/* The functions of libcuda. The errors of the program's own calls are kept by libcudart, and calls of libcuda do not
   change them. */
struct cuda {
    result (*ctx_current)(void **);
    result (*ctx_device)(int *);
    result (*device_attribute)(int *, int, int);
    result (*device_name)(char *, int, int);
    result (*event_create)(void **, unsigned);
    result (*event_record)(void *, void *);
    result (*event_wait)(void *);
    result (*event_elapsed)(float *, void *, void *);
    result (*is_capturing)(void *, int *);
    result (*pointer_attribute)(void *, int, unsigned long long);
};
/* Null: there is no libcuda. */
const struct cuda *cll_cuda_functions(void);

/* Is the copy one to the device, from it, or inside of it? -1: it is between hosts. kind: cudaMemcpyKind */
int cll_cuda_direction(const void *to, const void *from, int kind);
/* A kernel of so many blocks and threads in a block is launched on the device of this thread, whose context this is. `how` takes the
   times: the line about the device says so. */
void cll_cuda_launched(const char *how, void *context, double grid, double block);

/* Registers the waiting at the end of the program, before libcudart shuts down: its handler was registered at the first
   call of CUDA. */
void cll_cuda_finish_first(void);

/* CUPTI measures from here on: the functions that are wrapped have nothing to do. */
int cll_cupti_measures(void);
extern const struct cll_work_driver cll_cupti_driver;

#endif
