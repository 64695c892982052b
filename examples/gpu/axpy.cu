/* SPDX-License-Identifier: MIT */
/*
 * y = a*x + y on a device of CUDA: the kernel, what the host sees of it, and the copies.
 *
 *     call run axpy.cu
 *     llac -e 'fit kernel on DEVICE; fit copy on TRANSFER; predict kernel N=2^28' axpy.cll.*.dat
 *
 * A wave is as many blocks as the device executes at the same time: 8 blocks of 256 threads fit on a multiprocessor. The kernel of `waves`
 * has few blocks of much work. If its time goes up by steps, a wave costs what its slowest block does; if it follows the number of blocks,
 * the blocks of a wave share the units.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

__global__ void axpy(float *y, const float *x, float a, int N)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        y[i] += a * x[i];
}

__global__ void busy(float *y, int turns)
{
    float v = threadIdx.x;
    for (int i = 0; i < turns; i++)
        v = v * 0.999f + 1;
    y[threadIdx.x] = v;
}

int main(int argc, char **argv)
{
    int last = argc > 1 ? atoi(argv[1]) : 1 << 24, N = 1 << 12, blocks = 1, wrong = 0;
    float *x, *y;
    std::vector<float> host(last, 1.0f);
    if (cudaMalloc(&x, last * sizeof *x) || cudaMalloc(&y, last * sizeof *y)) {
        fprintf(stderr, "there is no device of CUDA with enough memory\n");
        return 1;
    }
    cudaMemset(y, 0, last * sizeof *y);

#pragma cll for (N = 1 << 12; N <= last; N *= 2) shuffle
#pragma cll copy CLOCK, TRANSFER = copy[0] + copy[1]*N
    cudaMemcpy(x, host.data(), N * sizeof *x, cudaMemcpyHostToDevice);
#pragma cll end copy
#pragma cll kernel CLOCK = kernel[0]; DEVICE = kernel[0] + kernel[1]*N
    axpy<<<(N + 255) / 256, 256>>>(y, x, 0, N);
#pragma cll end kernel
#pragma cll whole whole[0] + whole[1]*N
    axpy<<<(N + 255) / 256, 256>>>(y, x, 0, N);
    cudaDeviceSynchronize();
#pragma cll end whole
#pragma cll end for

#pragma cll for (blocks = 100; blocks <= 6000; blocks += 300) shuffle
#pragma cll waves(grid := cll_launched.grid, sm := cll_launched.sm) CLOCK = waves[0]; DEVICE = waves[0] + waves[1]*ceil(grid/(8*sm)) + waves[2]*grid
    busy<<<blocks, 256>>>(y, 20000);
#pragma cll end waves
#pragma cll end for
    (void)blocks;

    cudaMemcpy(x, host.data(), last * sizeof *x, cudaMemcpyHostToDevice);
    cudaMemset(y, 0, last * sizeof *y);
    axpy<<<(last + 255) / 256, 256>>>(y, x, 2, last);
    cudaMemcpy(host.data(), y, last * sizeof *y, cudaMemcpyDeviceToHost);
    for (float v : host)
        wrong += v != 2;
    puts(wrong ? "WRONG" : "right");
    return wrong != 0;
}
