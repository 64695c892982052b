/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device as the family gpu needs it (gpu.c): buffers, kernels, transfers. There are two of them, each for a program of
 * its own: cuda.cu and opencl.c. The kernels are the same text in both (kernels.h).
 *
 *     struct probe_device facts;
 *     const char *why = device_open(&facts);
 *     if (!why && !(why = device_reserve(1 << 20, 1 << 20)))
 *         printf("%g s\n", device_kernel(DEVICE_READ, 1 << 16, 0, 1));
 */
#ifndef PROBE_GPU_DEVICE_H
#define PROBE_GPU_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

extern const char *const device_library; /* CUDA or OpenCL */

/* What the library says about the device. */
struct probe_device {
    char name[96];    /* empty: no device was opened */
    char library[96]; /* CUDA or OpenCL, with its version */
    uint64_t memory;  /* bytes */
    uint64_t cache;   /* bytes of the cache that all units share; 0 = not known */
    int units;        /* multiprocessors, compute units */
    unsigned threads; /* of a kernel that uses the whole device */
    bool doubles;     /* it computes with doubles */
};

/* In the order of their names in the implementations. */
enum device_kernel_id {
    DEVICE_EMPTY,
    DEVICE_READ,
    DEVICE_WRITE,
    DEVICE_COPY,
    DEVICE_FILL,
    DEVICE_TOUCH,
    DEVICE_CHASE,
    DEVICE_ATOMIC,
    DEVICE_FLOP_FLOAT,
    DEVICE_FLOP_DOUBLE,
    DEVICE_KERNELS
};
#define DEVICE_KERNEL_NAMES                                                                        \
    "cll_empty", "cll_read", "cll_write", "cll_copy", "cll_fill", "cll_touch", "cll_chase",        \
        "cll_atomic", "cll_flop_float", "cll_flop_double"

/* Whether a kernel has one thread; all others have `threads` of them. */
static inline bool device_is_single(enum device_kernel_id k)
{
    return k == DEVICE_EMPTY || k == DEVICE_CHASE;
}

/* The first device that there is. NULL, or why there is none; a text that is never freed. */
const char *device_open(struct probe_device *facts);
/* Two buffers of so many bytes on the device, full of zeros, and two of the host, one of them pinned. NULL, or what
 * failed. */
const char *device_reserve(size_t bytes, size_t transfer);
void device_close(void);

/* Runs a kernel and waits for it. Returns the seconds that the device took, by its own clock; nan if it failed. What n,
 * step and passes mean: kernels.h. */
double device_kernel(enum device_kernel_id k, uint64_t n, uint64_t step, unsigned passes);

/* The host's view: starts the empty kernel and does not wait; waits for all that was started. 0, or -1. */
int device_start(void);
int device_wait(void);
/* Copies bytes from the host to the device, or back, and waits. 0, or -1. */
int device_transfer(bool to_device, bool pinned, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
