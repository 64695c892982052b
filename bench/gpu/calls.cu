/* SPDX-License-Identifier: MIT */
/* What the calls of CUDA cost the host by which CLL_DEVICE=events measures a launch (src/cll/cuda/cuda.c): the lowest mean of several
 * tries, in microseconds. The device does nothing else; it is waited for after each 50 calls, outside of the time. */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

enum { TRIES = 20, BATCHES = 20, TOGETHER = 50, MOST = 8192, WAIT_NS = 1000000 };

__global__ void empty_kernel() {}

__global__ void wait_kernel(unsigned long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    while (now - begin < ns);
}

static CUresult (*ctx_current)(CUcontext *);
static CUresult (*event_create)(CUevent *, unsigned);
static CUresult (*event_destroy)(CUevent);
static CUresult (*event_record)(CUevent, CUstream);
static CUresult (*event_query)(CUevent);
static CUresult (*event_elapsed)(float *, CUevent, CUevent);
static CUresult (*event_elapsed_v2)(float *, CUevent, CUevent); /* null: the driver is older than 12.8 */
static CUresult (*is_capturing)(CUstream, CUstreamCaptureStatus *);

template <class F> static void take(F &f, const char *name)
{
    static void *library = dlopen("libcuda.so.1", RTLD_NOW);
    f = library ? (F)dlsym(library, name) : nullptr;
}

static double seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/* call(k), for k = 0, 1, ... without end. before() is called before each batch, outside of the time. */
template <class B, class F> static double row_after(const char *what, int first, B before, F call)
{
    double best = 1e9;
    int k = 0;
    auto batch = [&](int n) {
        before();
        double begin = seconds();
        for (int i = 0; i < n; i++)
            call(k++);
        double end = seconds();
        cudaDeviceSynchronize();
        return end - begin;
    };
    while (k < first)
        batch(TOGETHER);
    for (int t = 0; t < TRIES; t++) {
        double sum = 0;
        for (int b = 0; b < BATCHES; b++)
            sum += batch(TOGETHER);
        best = sum < best ? sum : best;
    }
    best *= 1e6 / (BATCHES * TOGETHER);
    printf("%-66s %7.3f\n", what, best);
    fflush(stdout);
    return best;
}

template <class F> static double row(const char *what, F call)
{
    return row_after(what, TOGETHER, [] {}, call);
}

static void launch(cudaStream_t stream = 0)
{
    empty_kernel<<<1, 32, 0, stream>>>();
}

/* A launch between two events of a ring of pairs, and before it the time of the pair, which is of the launch of this number before. */
template <class A> static void pairs(const char *how, int number, CUstream stream, std::vector<CUevent> &e, A ask)
{
    char what[128];
    snprintf(what, sizeof what, "launch between two events of %d pairs, %s", number, how);
    row_after(what, number + TOGETHER, [] {}, [&](int k) {
        CUevent begin = e[2 * (k % number)], end = e[2 * (k % number) + 1];
        if (k >= number)
            ask(begin, end);
        event_record(begin, stream);
        launch(stream);
        event_record(end, stream);
    });
}

int main()
{
    cudaStream_t own;
    CUcontext context;
    CUstreamCaptureStatus status;
    float ms;
    if (cudaFree(0) || cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking)) {
        fprintf(stderr, "calls: there is no device\n");
        return 1;
    }
    take(ctx_current, "cuCtxGetCurrent");
    take(event_create, "cuEventCreate");
    take(event_destroy, "cuEventDestroy_v2");
    take(event_record, "cuEventRecord");
    take(event_query, "cuEventQuery");
    take(event_elapsed, "cuEventElapsedTime");
    take(event_elapsed_v2, "cuEventElapsedTime_v2");
    take(is_capturing, "cuStreamIsCapturing");
    std::vector<CUevent> e(2 * MOST);
    CUevent untimed;
    event_create(&untimed, CU_EVENT_DISABLE_TIMING);
    row("nothing", [](int) {});
    row("launch", [](int) { launch(); });
    row("launch in a stream of its own", [&](int) { launch(own); });
    row("cuCtxGetCurrent", [&](int) { ctx_current(&context); });
    row("cuStreamIsCapturing", [&](int) { is_capturing(0, &status); });
    row("cuStreamIsCapturing of a stream of its own", [&](int) { is_capturing(own, &status); });
    row("cuEventCreate and cuEventDestroy", [](int) {
        CUevent one;
        event_create(&one, 0);
        event_destroy(one);
    });
    for (auto &one : e)
        event_create(&one, 0);
    row("cuEventRecord", [&](int) { event_record(e[0], 0); });
    row("cuEventRecord in a stream of its own", [&](int) { event_record(e[0], own); });
    row("cuEventRecord without time", [&](int) { event_record(untimed, 0); });
    for (int number : {32, 512, 2048, 16384}) {
        char what[64];
        snprintf(what, sizeof what, "cuEventRecord of %d events in turn", number);
        row_after(what, number, [] {}, [&](int k) { event_record(e[k % number], 0); });
    }
    row("launch and cuEventRecord", [&](int) { launch(), event_record(e[0], 0); });
    for (int number : {32, 16384}) {
        char what[64];
        snprintf(what, sizeof what, "cuEventQuery of %d events in turn, done", number);
        row(what, [&](int k) { event_query(e[k % number]); });
        snprintf(what, sizeof what, "cuEventElapsedTime of %d events in turn, done", number);
        row(what, [&](int k) { event_elapsed(&ms, e[2 * k % number], e[2 * k % number + 1]); });
        snprintf(what, sizeof what, "cuEventElapsedTime_v2 of %d events in turn, done", number);
        if (event_elapsed_v2)
            row(what, [&](int k) { event_elapsed_v2(&ms, e[2 * k % number], e[2 * k % number + 1]); });
    }
    auto busy = [&] {
        wait_kernel<<<1, 1>>>(WAIT_NS);
        event_record(e[0], 0);
        event_record(e[1], 0);
    };
    row_after("cuEventQuery, not done", 0, busy, [&](int) { event_query(e[1]); });
    row_after("cuEventElapsedTime, not done", 0, busy, [&](int) { event_elapsed(&ms, e[0], e[1]); });
    if (event_elapsed_v2)
        row_after("cuEventElapsedTime_v2, not done", 0, busy, [&](int) { event_elapsed_v2(&ms, e[0], e[1]); });
    for (int number : {64, 256, 1024, (int)MOST}) {
        pairs("not asked", number, 0, e, [](CUevent, CUevent) {});
        pairs("asked", number, 0, e, [&](CUevent begin, CUevent end) { event_elapsed(&ms, begin, end); });
        if (event_elapsed_v2)
            pairs("asked by v2", number, 0, e, [&](CUevent begin, CUevent end) { event_elapsed_v2(&ms, begin, end); });
    }
    pairs("asked, in a stream of its own", 256, own, e, [&](CUevent begin, CUevent end) { event_elapsed(&ms, begin, end); });
    return cudaDeviceSynchronize() != cudaSuccess;
}
