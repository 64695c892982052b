/* SPDX-License-Identifier: GPL-3.0-or-later */
/* work MODE: regions that launch kernels on a device that computes its times (fake.c). */
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <cuda_runtime.h>

static void *memory;

static int launch(long us, cudaStream_t stream = 0, unsigned grid = 12, unsigned block = 64)
{
    return cudaLaunchKernel((const void *)(intptr_t)us, dim3{grid, 1, 1}, dim3{block, 1, 1}, NULL, 0, stream);
}

/* What a library does. */
static void called(long us)
{
    launch(us);
    launch(2 * us);
}

static void plain()
{
    static char host[1 << 16];
    for (long n = 1; n <= 4; n++) {
#pragma cll outer outer[0] + outer[1]*n
        cudaMemcpy(memory, host, (size_t)n << 11, cudaMemcpyHostToDevice);
#pragma cll inner(grid := cll_launched.grid, block := cll_launched.block, sm := cll_launched.sm) CLOCK, DEVICE = inner[0] + inner[1]*n
        called(10 * n);
#pragma cll end inner
#pragma cll none CLOCK = none[0]*n
#pragma cll end none
        cudaMemset(memory, 0, (size_t)n << 12);
        cudaMemcpy(host, memory, (size_t)n << 10, cudaMemcpyDefault);
#pragma cll end outer
    }
}

/* The region ends before its kernels: the values come later. */
static void late()
{
    for (long n = 1; n <= 4; n++) {
#pragma cll late DEVICE = late[0] + late[1]*n
        launch(1000 * n);
#pragma cll end late
    }
    printf("waited %ld times\n", fake_waits());
    fflush(stdout);
}

static void streams()
{
    cudaStream_t a, b;
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    for (long n = 1; n <= 4; n++) {
#pragma cll first DEVICE = first[0] + first[1]*n
        launch(100 * n, a);
#pragma cll end first
#pragma cll second DEVICE = second[0] + second[1]*n
        launch(7 * n, b);
        launch(7 * n, b);
#pragma cll end second
    }
}

static void on_thread(long n)
{
    cudaStream_t s;
    cudaStreamCreate(&s);
    for (int r = 0; r < 3; r++) {
#pragma cll threads DEVICE = threads[0] + threads[1]*n
        launch(1000 * n, s);
#pragma cll end threads
    }
}

static void threads()
{
    std::thread all[4];
    for (int k = 0; k < 4; k++)
        all[k] = std::thread(on_thread, k + 1);
    for (auto &t : all)
        t.join();
}

static std::atomic<int> running;

static void on_busy_thread(long n)
{
    cudaStream_t own, used;
    cudaStreamCreate(&own);
    for (int r = 0; r < 2000; r++) {
        used = r % 3 ? own : 0;
#pragma cll storm CLOCK, DEVICE = storm[0] + storm[1]*n
        launch(n, used);
        if (r % 50 == 0)
            launch(n, used, 1, 4096); /* fails */
#pragma cll end storm
        cudaGetLastError();
        if (r % 500 == 0)
            cudaDeviceSynchronize();
    }
    running--;
}

/* Threads launch and end, and later ones begin. Does another one report meanwhile? */
static void storm(bool reports)
{
    std::thread all[6];
    running = 6;
    for (int k = 0; k < 6; k++) {
        if (k >= 3)
            all[k - 3].join();
        all[k] = std::thread(on_busy_thread, k % 3 + 1);
    }
    while (reports && running > 0) {
#pragma cll report all
    }
    for (int k = 3; k < 6; k++)
        all[k].join();
}

static void failing()
{
    int n = 1, inside, after;
#pragma cll fails CLOCK = fails[0]*n
    launch(5);
    launch(5, 0, 1, 4096);
    inside = cudaPeekAtLastError();
    launch(5);
#pragma cll end fails
    after = cudaGetLastError();
    printf("errors %d %d then %d\n", inside, after, cudaGetLastError());
}

static void captured()
{
    cudaStream_t s;
    int n = 1;
    cudaStreamCreate(&s);
#pragma cll captured CLOCK = captured[0]*n
    fake_capture(s, 1);
    launch(5, s);
    fake_capture(s, 0);
    launch(6, s);
#pragma cll end captured
}

/* More work than a lane holds, none of which is done: the program must not wait for it. */
static void flood()
{
    for (long n = 0; n < 20000; n++) {
#pragma cll flood DEVICE = flood[0]*n
        launch(1000000);
#pragma cll end flood
    }
    printf("waited %ld times\n", fake_waits());
}

/* Work that is done from time to time: its values go into records while the program runs. */
static void steady(long most)
{
    for (long n = 0; n < most; n++) {
#pragma cll steady(k = n % 4) DEVICE = steady[0] + steady[1]*k
        launch(n % 4 + 1);
#pragma cll end steady
        if (n % 1000 == 0)
            cudaDeviceSynchronize();
    }
    printf("events %ld\n", fake_events());
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "plain";
    cudaMalloc(&memory, 1 << 20);
    if (!strcmp(mode, "plain"))
        plain();
    else if (!strcmp(mode, "late"))
        late();
    else if (!strcmp(mode, "killed"))
        late(), raise(SIGKILL);
    else if (!strcmp(mode, "reset"))
        late(), cudaDeviceReset(), late();
    else if (!strcmp(mode, "streams"))
        streams();
    else if (!strcmp(mode, "threads"))
        threads();
    else if (!strcmp(mode, "crowd") || !strcmp(mode, "storm"))
        storm(!strcmp(mode, "storm"));
    else if (!strcmp(mode, "failing"))
        failing();
    else if (!strcmp(mode, "captured"))
        captured();
    else if (!strcmp(mode, "flood"))
        flood();
    else
        steady(atol(mode));
    return 0;
}
