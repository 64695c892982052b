/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device through CUDA: its first one. */
#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "probe/gpu/device.h"

#define KERNELS(...) __VA_ARGS__
#define DOUBLE_KERNELS(...) __VA_ARGS__
#define KERNEL static __global__
#define GLOBAL
#define THREAD ((ulong)blockIdx.x * blockDim.x + threadIdx.x)
#define THREADS ((ulong)gridDim.x * blockDim.x)
#define LOAD(p) __ldcg(p)
#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#define FMA_FLOAT(x, s, t) fmaf(x, s, t)
#define FMA_DOUBLE(x, s, t) fma(x, s, t)
#define ulong unsigned long long
#define uint unsigned
#include "probe/gpu/kernels.h"
#undef ulong
#undef uint

enum { BLOCK = 256, BLOCKS_OF_UNIT = 8 };

typedef void kernel_function(float4 *, float4 *, unsigned long long, unsigned long long, unsigned);
static kernel_function *const kernels[DEVICE_KERNELS] = {
    cll_empty, cll_read, cll_write, cll_copy, cll_fill, cll_touch, cll_chase, cll_atomic, cll_flop_float, cll_flop_double};

const char *const device_library = "CUDA";

static float4 *a, *b;
static char *pageable, *pinned;
static cudaEvent_t before, after;
static unsigned blocks;

static const char *failure(const char *what, cudaError_t e)
{
    static char text[256];
    snprintf(text, sizeof text, "%s: %s", what, cudaGetErrorString(e));
    return text;
}

const char *device_open(struct probe_device *facts)
{
    struct cudaDeviceProp p;
    int version = 0;
    cudaError_t e = cudaSetDevice(0);
    memset(facts, 0, sizeof *facts);
    if (e == cudaSuccess)
        e = cudaGetDeviceProperties(&p, 0);
    if (e == cudaSuccess)
        e = cudaEventCreate(&before);
    if (e == cudaSuccess)
        e = cudaEventCreate(&after);
    if (e != cudaSuccess)
        return failure("CUDA finds no device", e);
    cudaRuntimeGetVersion(&version);
    snprintf(facts->name, sizeof facts->name, "%.95s", p.name);
    snprintf(facts->library, sizeof facts->library, "CUDA %d.%d", version / 1000, version % 1000 / 10);
    facts->memory = p.totalGlobalMem;
    facts->cache = (uint64_t)p.l2CacheSize;
    facts->units = p.multiProcessorCount;
    blocks = (unsigned)p.multiProcessorCount * BLOCKS_OF_UNIT;
    facts->threads = blocks * BLOCK;
    facts->doubles = true;
    return NULL;
}

const char *device_reserve(size_t bytes, size_t transfer)
{
    size_t size = bytes > transfer ? bytes : transfer;
    cudaError_t e = cudaMalloc((void **)&a, size);
    if (e == cudaSuccess)
        e = cudaMalloc((void **)&b, size);
    if (e == cudaSuccess)
        e = cudaMallocHost((void **)&pinned, transfer);
    if (e == cudaSuccess)
        e = cudaMemset(a, 0, size);
    if (e == cudaSuccess)
        e = cudaMemset(b, 0, size);
    if (e != cudaSuccess)
        return failure("there is not enough memory; --largest sets a smaller working set", e);
    pageable = (char *)malloc(transfer);
    if (!pageable)
        return "there is not enough memory; --largest sets a smaller working set";
    memset(pageable, 0, transfer);
    memset(pinned, 0, transfer);
    return NULL;
}

void device_close(void)
{
    cudaFree(a);
    cudaFree(b);
    cudaFreeHost(pinned);
    free(pageable);
    if (before)
        cudaEventDestroy(before);
    if (after)
        cudaEventDestroy(after);
    a = b = NULL;
    pageable = pinned = NULL;
    before = after = NULL;
}

double device_kernel(enum device_kernel_id k, uint64_t n, uint64_t step, unsigned passes)
{
    bool single = device_is_single(k);
    float milliseconds = 0;
    cudaEventRecord(before);
    kernels[k]<<<single ? 1 : blocks, single ? 1 : BLOCK>>>(a, b, n, step, passes);
    cudaEventRecord(after);
    if (cudaEventSynchronize(after) != cudaSuccess || cudaGetLastError() != cudaSuccess ||
        cudaEventElapsedTime(&milliseconds, before, after) != cudaSuccess)
        return (double)NAN;
    return milliseconds * 1e-3;
}

int device_start(void)
{
    cll_empty<<<1, 1>>>(a, b, 0, 0, 0);
    return cudaPeekAtLastError() == cudaSuccess ? 0 : -1;
}

int device_wait(void)
{
    return cudaDeviceSynchronize() == cudaSuccess ? 0 : -1;
}

int device_transfer(bool to_device, bool is_pinned, size_t bytes)
{
    char *host = is_pinned ? pinned : pageable;
    cudaError_t e = to_device ? cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice)
                              : cudaMemcpy(host, a, bytes, cudaMemcpyDeviceToHost);
    /* A small copy to the device returns before its bytes are there. */
    return e == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess ? 0 : -1;
}
