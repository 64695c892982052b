/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The kernels, in what CUDA and OpenCL C have in common: cuda.cu compiles the text, opencl.c gives it to the library as a
 * string. Whoever includes this file defines KERNELS and DOUBLE_KERNELS, macros that take the text; in the text they
 * define KERNEL, GLOBAL, THREAD (the number of this thread), THREADS (how many there are), LOAD (a load that does not
 * look into the caches of a single unit), ATOMIC_ADD, FMA_FLOAT and FMA_DOUBLE.
 *
 * All kernels have the same arguments. a and b are the buffers; n counts elements: of 16 bytes in streams, lines of 128
 * bytes in chains, counters of 4 bytes. Streams are made in passes. Each pass begins `step` elements further, so that another unit reads
 * them and its own cache does not help: a kernel that reads what an earlier kernel wrote finds it in the shared cache at best.
 */
/* clang-format off */
KERNELS(
KERNEL void cll_empty(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes) {}

KERNEL void cll_read(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes)
{
    ulong start = 0;
    float sum = 0;
    for (uint p = 0; p < passes; p++) {
        for (ulong i = THREAD; i < n; i += THREADS) {
            ulong k = i + start;
            if (k >= n)
                k -= n;
            float4 v = LOAD(a + k);
            sum += v.x + v.y + v.z + v.w;
        }
        start += step;
        if (start >= n)
            start -= n;
    }
    if (sum != 0) /* never: the buffer is full of zeros */
        b[0].x = sum;
}

KERNEL void cll_write(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes)
{
    ulong start = 0;
    float4 v;
    v.x = v.y = v.z = v.w = 0;
    for (uint p = 0; p < passes; p++) {
        for (ulong i = THREAD; i < n; i += THREADS) {
            ulong k = i + start;
            if (k >= n)
                k -= n;
            a[k] = v;
        }
        start += step;
        if (start >= n)
            start -= n;
    }
}

KERNEL void cll_copy(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes)
{
    ulong start = 0;
    for (uint p = 0; p < passes; p++) {
        for (ulong i = THREAD; i < n; i += THREADS) {
            ulong k = i + start;
            if (k >= n)
                k -= n;
            b[k] = LOAD(a + k);
        }
        start += step;
        if (start >= n)
            start -= n;
    }
}

/* A chain through n lines: each holds the index of the line that is `step` lines further. */
KERNEL void cll_fill(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes)
{
    GLOBAL uint *chain = (GLOBAL uint *)b;
    for (ulong i = THREAD; i < n; i += THREADS)
        chain[i * 32] = (uint)((i + step) % n * 32);
}

/* Reads all lines of a chain. A line that was only written in part comes from the memory when it is read first. */
KERNEL void cll_touch(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes)
{
    GLOBAL const uint *chain = (GLOBAL const uint *)b;
    uint sum = 0;
    for (uint p = 0; p < passes; p++)
        for (ulong i = THREAD; i < n; i += THREADS)
            sum |= chain[(i + p * step) % n * 32];
    if (sum == 1) /* never: lines begin at multiples of 32 */
        a[0].x = 1;
}

KERNEL void cll_chase(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes)
{
    GLOBAL const uint *chain = (GLOBAL const uint *)b;
    uint at = 0;
    for (uint p = 0; p < passes; p++)
        at = chain[at];
    if (at == 1) /* never: lines begin at multiples of 32 */
        a[0].x = 1;
}

/* n is a power of two. */
KERNEL void cll_atomic(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes)
{
    GLOBAL uint *counters = (GLOBAL uint *)b;
    uint state = (uint)THREAD * 2654435761u + 1u;
    for (uint p = 0; p < passes; p++) {
        state = state * 1664525u + 1013904223u;
        ATOMIC_ADD(counters + ((state >> 6) & (uint)(n - 1)), 1u + (state >> 31));
    }
}

/* 16 fused operations in a pass. No value grows beyond or becomes denormal. */
KERNEL void cll_flop_float(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes)
{
    float s = 1.0f - 1.0f / (1000.0f + (float)n);
    float t = 0.001f * (float)(step + 1);
    float x0 = (float)THREAD;
    float x1 = x0 + 1; float x2 = x0 + 2; float x3 = x0 + 3;
    float x4 = x0 + 4; float x5 = x0 + 5; float x6 = x0 + 6; float x7 = x0 + 7;
    for (uint p = 0; p < passes; p++) {
        x0 = FMA_FLOAT(x0, s, t); x1 = FMA_FLOAT(x1, s, t); x2 = FMA_FLOAT(x2, s, t); x3 = FMA_FLOAT(x3, s, t);
        x4 = FMA_FLOAT(x4, s, t); x5 = FMA_FLOAT(x5, s, t); x6 = FMA_FLOAT(x6, s, t); x7 = FMA_FLOAT(x7, s, t);
        x0 = FMA_FLOAT(x0, s, t); x1 = FMA_FLOAT(x1, s, t); x2 = FMA_FLOAT(x2, s, t); x3 = FMA_FLOAT(x3, s, t);
        x4 = FMA_FLOAT(x4, s, t); x5 = FMA_FLOAT(x5, s, t); x6 = FMA_FLOAT(x6, s, t); x7 = FMA_FLOAT(x7, s, t);
    }
    if (x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 < 0) /* never */
        b[0].x = 1;
}
)

DOUBLE_KERNELS(
KERNEL void cll_flop_double(GLOBAL float4 *a, GLOBAL float4 *b, ulong n, ulong step, uint passes)
{
    double s = 1.0 - 1.0 / (1000.0 + (double)n);
    double t = 0.001 * (double)(step + 1);
    double x0 = (double)THREAD;
    double x1 = x0 + 1; double x2 = x0 + 2; double x3 = x0 + 3;
    double x4 = x0 + 4; double x5 = x0 + 5; double x6 = x0 + 6; double x7 = x0 + 7;
    for (uint p = 0; p < passes; p++) {
        x0 = FMA_DOUBLE(x0, s, t); x1 = FMA_DOUBLE(x1, s, t); x2 = FMA_DOUBLE(x2, s, t); x3 = FMA_DOUBLE(x3, s, t);
        x4 = FMA_DOUBLE(x4, s, t); x5 = FMA_DOUBLE(x5, s, t); x6 = FMA_DOUBLE(x6, s, t); x7 = FMA_DOUBLE(x7, s, t);
        x0 = FMA_DOUBLE(x0, s, t); x1 = FMA_DOUBLE(x1, s, t); x2 = FMA_DOUBLE(x2, s, t); x3 = FMA_DOUBLE(x3, s, t);
        x4 = FMA_DOUBLE(x4, s, t); x5 = FMA_DOUBLE(x5, s, t); x6 = FMA_DOUBLE(x6, s, t); x7 = FMA_DOUBLE(x7, s, t);
    }
    if (x0 + x1 + x2 + x3 + x4 + x5 + x6 + x7 < 0) /* never */
        b[0].x = 1;
}
)
/* clang-format on */
