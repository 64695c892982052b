/* SPDX-License-Identifier: MIT */
/* The kernels and copies of bench/gpu.sh. kernels fit: sizes up to 1/16 of the largest; kernels beyond: 4, 8 and 16 times the
 * largest of them; kernels profile: launches that a profiler also measures; kernels cost: what a region adds to a launch;
 * kernels wait: kernels that wait for a given time. */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include <cuda_runtime.h>

__global__ void axpy_kernel(float *y, const float *x, long n)
{
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] += 2 * x[i];
}

__global__ void stencil_kernel(float *y, const float *x, long m)
{
    long j = (long)blockIdx.x * blockDim.x + threadIdx.x + 1, i = (long)blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (i < m - 1 && j < m - 1)
        y[i * m + j] = 0.25f * (x[i * m + j - 1] + x[i * m + j + 1] + x[(i - 1) * m + j] + x[(i + 1) * m + j]);
}

__global__ void reduce_kernel(float *sum, const float *x, long n)
{
    float s = 0;
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
        s += x[i];
    for (int k = 16; k; k /= 2)
        s += __shfl_down_sync(~0u, s, k);
    if (threadIdx.x % 32 == 0)
        atomicAdd(sum, s);
}

__global__ void naive_kernel(float *c, const float *a, const float *b, int m)
{
    int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;
    if (i >= m || j >= m)
        return;
    for (int k = 0; k < m; k++)
        s += a[(long)i * m + k] * b[(long)k * m + j];
    c[(long)i * m + j] = s;
}

enum { TILE = 32 };

/* m is a multiple of TILE. */
__global__ void tiled_kernel(float *c, const float *a, const float *b, int m)
{
    __shared__ float p[TILE][TILE], q[TILE][TILE];
    int j = blockIdx.x * TILE + threadIdx.x, i = blockIdx.y * TILE + threadIdx.y;
    float s = 0;
    for (int t = 0; t < m; t += TILE) {
        p[threadIdx.y][threadIdx.x] = a[(long)i * m + t + threadIdx.x];
        q[threadIdx.y][threadIdx.x] = b[(long)(t + threadIdx.y) * m + j];
        __syncthreads();
        for (int k = 0; k < TILE; k++)
            s += p[threadIdx.y][k] * q[k][threadIdx.x];
        __syncthreads();
    }
    c[(long)i * m + j] = s;
}

enum { PER_ROW = 16, BAND = 4096 };

__global__ void make_rows(int *column, float *value, long n)
{
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n * PER_ROW)
        return;
    unsigned h = (unsigned)i * 2654435761u;
    long c = i / PER_ROW + (long)(h >> 8) % BAND - BAND / 2;
    column[i] = (int)(c < 0 ? 0 : c >= n ? n - 1 : c);
    value[i] = 1;
}

/* 16 entries in each row, at random places of a band of 4096 columns. */
__global__ void sparse_kernel(float *y, const int *column, const float *value, const float *x, long n)
{
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    float s = 0;
    if (i >= n)
        return;
    for (int k = 0; k < PER_ROW; k++)
        s += value[(long)k * n + i] * x[column[(long)k * n + i]];
    y[i] = s;
}

enum { BINS = 1024 };

__global__ void make_keys(unsigned *key, long n)
{
    long i = (long)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned h = (unsigned)i * 2654435761u;
    if (i < n)
        key[i] = (h ^ h >> 15) * 2246822519u;
}

/* Each block counts in its shared memory and adds its counts to those of all. */
__global__ void histogram_kernel(unsigned *bins, const unsigned *key, long n)
{
    __shared__ unsigned own[BINS];
    for (int k = threadIdx.x; k < BINS; k += blockDim.x)
        own[k] = 0;
    __syncthreads();
    for (long i = (long)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += (long)gridDim.x * blockDim.x)
        atomicAdd(&own[key[i] >> 22], 1);
    __syncthreads();
    for (int k = threadIdx.x; k < BINS; k += blockDim.x)
        if (own[k])
            atomicAdd(&bins[k], own[k]);
}

/* A pass of a bitonic sort: pairs at this distance, in runs of this length. */
__global__ void sort_kernel(unsigned *key, long half, long distance, long run)
{
    long t = (long)blockIdx.x * blockDim.x + threadIdx.x;
    if (t >= half)
        return;
    long i = t / distance * 2 * distance + t % distance;
    unsigned a = key[i], b = key[i + distance];
    if ((a > b) == ((i & run) == 0)) {
        key[i] = b;
        key[i + distance] = a;
    }
}

enum { BODIES = 256 };

/* The force of all bodies on each. */
__global__ void forces_kernel(float4 *force, const float4 *body, long n)
{
    __shared__ float4 others[BODIES];
    long i = (long)blockIdx.x * BODIES + threadIdx.x;
    float4 own = body[i < n ? i : 0], sum = make_float4(0, 0, 0, 0);
    for (long t = 0; t < n; t += BODIES) {
        others[threadIdx.x] = body[t + threadIdx.x < n ? t + threadIdx.x : 0];
        __syncthreads();
        for (int k = 0; k < BODIES; k++) {
            float x = others[k].x - own.x, y = others[k].y - own.y, z = others[k].z - own.z;
            float r = rsqrtf(x * x + y * y + z * z + 1e-3f), w = others[k].w * r * r * r;
            sum.x += x * w;
            sum.y += y * w;
            sum.z += z * w;
        }
        __syncthreads();
    }
    if (i < n)
        force[i] = sum;
}

__global__ void empty_kernel()
{
}

__global__ void wait_kernel(unsigned long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - begin < ns);
}

static void *device_memory(size_t bytes)
{
    void *p = NULL;
    if (cudaMalloc(&p, bytes)) {
        fprintf(stderr, "no memory on the device\n");
        exit(1);
    }
    cudaMemset(p, 0, bytes);
    return p;
}

static unsigned blocks(long n, long size)
{
    return (unsigned)((n + size - 1) / size);
}

static void vectors(long n, int times)
{
    float *x = (float *)device_memory(n * sizeof *x), *y = (float *)device_memory(n * sizeof *y);
    for (int r = 0; r < times; r++) {
#pragma cll axpy CLOCK, DEVICE = axpy[0] + axpy[1]*n
        axpy_kernel<<<blocks(n, 256), 256>>>(y, x, n);
#pragma cll end axpy
    }
    cudaDeviceSynchronize();
    for (int r = 0; r < times; r++) {
#pragma cll reduce CLOCK, DEVICE = reduce[0] + reduce[1]*n
        reduce_kernel<<<std::min(blocks(n, 256), 2112u), 256>>>(y, x, n);
#pragma cll end reduce
    }
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}

static void grid(long m, int times)
{
    float *x = (float *)device_memory(m * m * sizeof *x), *y = (float *)device_memory(m * m * sizeof *y);
    dim3 block(32, 8), all(blocks(m - 2, 32), blocks(m - 2, 8));
    for (int r = 0; r < times; r++) {
#pragma cll stencil(n = m * m) CLOCK, DEVICE = stencil[0] + stencil[1]*n
        stencil_kernel<<<all, block>>>(y, x, m);
#pragma cll end stencil
        std::swap(x, y);
    }
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
}

static void products(int m, int times)
{
    float *a = (float *)device_memory((size_t)m * m * sizeof *a), *b = (float *)device_memory((size_t)m * m * sizeof *b);
    float *c = (float *)device_memory((size_t)m * m * sizeof *c);
    dim3 block(32, 8), tile(TILE, TILE);
    for (int r = 0; r < times; r++) {
#pragma cll naive CLOCK, DEVICE = naive[0] + naive[1]*m^3
        naive_kernel<<<dim3(blocks(m, 32), blocks(m, 8)), block>>>(c, a, b, m);
#pragma cll end naive
    }
    cudaDeviceSynchronize();
    for (int r = 0; r < times; r++) {
#pragma cll tiled CLOCK, DEVICE = tiled[0] + tiled[1]*m^3
        tiled_kernel<<<dim3(m / TILE, m / TILE), tile>>>(c, a, b, m);
#pragma cll end tiled
    }
    cudaDeviceSynchronize();
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
}

static void sparse(long n, int times)
{
    float *x = (float *)device_memory(n * sizeof *x), *y = (float *)device_memory(n * sizeof *y);
    float *value = (float *)device_memory(n * PER_ROW * sizeof *value);
    int *column = (int *)device_memory(n * PER_ROW * sizeof *column);
    make_rows<<<blocks(n * PER_ROW, 256), 256>>>(column, value, n);
    for (int r = 0; r < times; r++) {
#pragma cll spmv CLOCK, DEVICE = spmv[0] + spmv[1]*n
        sparse_kernel<<<blocks(n, 256), 256>>>(y, column, value, x, n);
#pragma cll end spmv
    }
    cudaDeviceSynchronize();
    cudaFree(x);
    cudaFree(y);
    cudaFree(value);
    cudaFree(column);
}

/* n is a power of two. */
static void sort_all(unsigned *key, long n)
{
    for (long run = 2; run <= n; run *= 2)
        for (long distance = run / 2; distance; distance /= 2)
            sort_kernel<<<blocks(n / 2, 256), 256>>>(key, n / 2, distance, run);
}

/* Are they right? Of small sizes. */
static void check_keys(const unsigned *key, const unsigned *bins, long n, int times)
{
    std::vector<unsigned> sorted(n), counts(BINS), want(BINS);
    cudaMemcpy(sorted.data(), key, n * sizeof *key, cudaMemcpyDeviceToHost);
    cudaMemcpy(counts.data(), bins, BINS * sizeof *bins, cudaMemcpyDeviceToHost);
    for (unsigned k : sorted)
        want[k >> 22] += times;
    if (!std::is_sorted(sorted.begin(), sorted.end()) || counts != want) {
        fprintf(stderr, "wrong histogram or order of %ld keys\n", n);
        exit(1);
    }
}

static void keys(long n, int times)
{
    unsigned *key = (unsigned *)device_memory(n * sizeof *key), *bins = (unsigned *)device_memory(BINS * sizeof *bins);
    make_keys<<<blocks(n, 256), 256>>>(key, n);
    for (int r = 0; r < times; r++) {
#pragma cll histogram CLOCK, DEVICE = histogram[0] + histogram[1]*n
        histogram_kernel<<<std::min(blocks(n, 256), 2112u), 256>>>(bins, key, n);
#pragma cll end histogram
    }
    cudaDeviceSynchronize();
    for (int r = 0; r < (n > 1 << 27 ? 3 : times); r++) {
        make_keys<<<blocks(n, 256), 256>>>(key, n);
#pragma cll sort CLOCK, DEVICE = sort[0]*log2(n)*(log2(n) + 1) + sort[1]*n*log2(n)*(log2(n) + 1)
        sort_all(key, n);
#pragma cll end sort
    }
    cudaDeviceSynchronize();
    if (n <= 1 << 20)
        check_keys(key, bins, n, times);
    cudaFree(key);
    cudaFree(bins);
}

/* The sizes of `fit` have fewer blocks than the device has multiprocessors. */
static void bodies(long n, int times)
{
    float4 *body = (float4 *)device_memory(n * sizeof *body), *force = (float4 *)device_memory(n * sizeof *force);
    for (int r = 0; r < times; r++) {
#pragma cll forces CLOCK, DEVICE = forces[0] + forces[1]*n + forces[2]*n^2
        forces_kernel<<<blocks(n, BODIES), BODIES>>>(force, body, n);
#pragma cll end forces
    }
    cudaDeviceSynchronize();
    cudaFree(body);
    cudaFree(force);
}

static void copies(size_t n, int times, char *pageable, char *pinned)
{
    char *x = (char *)device_memory(n);
    for (int r = 0; r < times; r++) {
#pragma cll to_pinned CLOCK, TRANSFER = to_pinned[0] + to_pinned[1]*n
        cudaMemcpy(x, pinned, n, cudaMemcpyHostToDevice);
#pragma cll end to_pinned
#pragma cll from_pinned CLOCK, TRANSFER = from_pinned[0] + from_pinned[1]*n
        cudaMemcpy(pinned, x, n, cudaMemcpyDeviceToHost);
#pragma cll end from_pinned
#pragma cll to_pageable CLOCK, TRANSFER = to_pageable[0] + to_pageable[1]*n
        cudaMemcpy(x, pageable, n, cudaMemcpyHostToDevice);
#pragma cll end to_pageable
#pragma cll from_pageable CLOCK, TRANSFER = from_pageable[0] + from_pageable[1]*n
        cudaMemcpy(pageable, x, n, cudaMemcpyDeviceToHost);
#pragma cll end from_pageable
    }
    cudaFree(x);
}

/* from, from*ratio, ..., to; in an order that the number of the round gives. */
static std::vector<long> sizes(double from, double to, double ratio, long multiple)
{
    std::vector<long> list;
    for (double n = from; n <= to * 1.0001; n *= ratio)
        list.push_back((long)(n / multiple + 0.5) * multiple);
    const char *run = getenv("CLL_RUN");
    std::shuffle(list.begin(), list.end(), std::mt19937(run ? atoi(run) : 0));
    return list;
}

/* The two that were chosen at the end, and one that does not fill the device. */
static void chosen(double scale_from, double scale_to, double ratio, int times)
{
    double K = 1024, M = K * K;
    for (long n : sizes(scale_from > 1 ? 16 * K * scale_from : K, 16 * K * scale_to, ratio, BODIES))
        bodies(n, times);
    for (long n : sizes(scale_from > 1 ? 64 * M * scale_from : 4 * K, 64 * M * scale_to, ratio, 4))
        keys(n, times);
}

static void all(double scale_from, double scale_to, double ratio, int times)
{
    double K = 1024, M = K * K, from = scale_from > 1 ? 1 : 0, most = 64 * M * scale_to;
    size_t largest = (size_t)most;
    char *pageable = (char *)malloc(largest), *pinned = NULL;
    memset(pageable, 0, largest);
    cudaMallocHost(&pinned, largest);
    memset(pinned, 0, largest);
    for (long n : sizes(from ? 64 * M * scale_from : 4 * K, 64 * M * scale_to, ratio, 4))
        vectors(n, times);
    for (long n : sizes(from ? 4 * M * scale_from : 4 * K, 4 * M * scale_to, ratio, 4))
        sparse(n, times);
    for (long n : sizes(from ? 64 * M * scale_from : 4 * K, 64 * M * scale_to, ratio, 1))
        copies(n, times, pageable, pinned);
    for (long m : sizes(from ? 8 * K * sqrt(scale_from) : 64, 8 * K * sqrt(scale_to), from ? sqrt(ratio) : pow(ratio, 0.7), 32))
        grid(m, times);
    for (long m : sizes(from ? K * scale_from : 64, K * scale_to, from ? ratio : pow(ratio, 0.5), 32))
        products((int)m, m > 4096 ? 3 : times);
}

static double seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static double launches(bool measured, int n)
{
    double sum = 0;
    for (int k = 0; k < n; k++) {
        double begin = seconds();
        if (measured) {
#pragma cll cost CLOCK, DEVICE = cost[0]
            empty_kernel<<<1, 32>>>();
#pragma cll end cost
        } else {
            empty_kernel<<<1, 32>>>();
        }
        sum += seconds() - begin;
        if (k % 50 == 49)
            cudaDeviceSynchronize();
    }
    return sum / n * 1e6;
}

/* Host time of a launch in a region, and without one; the lowest mean of several tries. Each try is so long that the times of
 * earlier launches are read in it, also by a run-time that reads them in batches of 2048. */
static void cost()
{
    enum { LAUNCHES = 4100, TRIES = 20 };
    double plain = 1e9, region = 1e9;
    launches(true, LAUNCHES);
    for (int r = 0; r < TRIES; r++) {
        plain = std::min(plain, launches(false, LAUNCHES));
        region = std::min(region, launches(true, LAUNCHES));
    }
    printf("a launch takes %.2f us, in a region %.2f us\n", plain, region);
}

/* What a way of measuring adds to the time of a kernel, with other work before it in the stream and without. */
static void waits()
{
    for (long us : {0, 20, 100, 1000})
        for (int idle = 0; idle < 2; idle++)
            for (int r = 0; r < 50; r++) {
                if (idle)
                    cudaDeviceSynchronize();
#pragma cll wait CLOCK, DEVICE = wait[0] + wait[1]*us + wait[2]*idle
                wait_kernel<<<1, 32>>>(1000ull * us);
#pragma cll end wait
            }
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "fit";
    cudaFree(0);
    if (!strcmp(mode, "fit"))
        all(0, 1, 2, 10), chosen(0, 1, 2, 10);
    else if (!strcmp(mode, "beyond"))
        all(4, 16, 2, 20), chosen(4, 16, 2, 20);
    else if (!strcmp(mode, "profile"))
        all(0, 1, 8, 11);
    else if (!strcmp(mode, "wait"))
        waits();
    else
        cost();
    return cudaGetLastError() != cudaSuccess;
}
