/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions of CUDA that the tests call, on a device that computes its times (fake.c). A kernel is the number of microseconds
   that it takes. */
#ifndef FAKE_CUDA_RUNTIME_H
#define FAKE_CUDA_RUNTIME_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
#define __global__ __attribute__((annotate("global")))
typedef struct fake_stream *cudaStream_t;
typedef struct {
    unsigned x, y, z;
} dim3;
enum {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
int cudaMalloc(void **memory, size_t bytes);
int cudaFree(void *memory);
int cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                     cudaStream_t stream);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream);
int cudaMemset(void *to, int value, size_t bytes);
int cudaStreamCreate(cudaStream_t *stream);
int cudaDeviceSynchronize(void);
int cudaDeviceReset(void);
int cudaGetLastError(void);
int cudaPeekAtLastError(void);
int fake_capture(cudaStream_t stream, int on);
long fake_waits(void);  /* how often something waited for the device */
long fake_events(void); /* that were created */
#ifdef __cplusplus
}
#endif
#endif
