/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device that computes its times: libcudart and libcuda in one. Its clock goes on by a microsecond with each launch and copy, and
   when something waits for the device. A copy takes a microsecond for each 1024 bytes, an event three. Each stream does one thing
   after the other. */
#include "cuda_runtime.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct fake_stream {
    double done;     /* microseconds: when it has done all that it got */
    int after_event; /* the next work begins START_US later */
    int captured;
};

struct fake_event {
    double at;
};

enum { INVALID = 1, NOT_READY = 600, EVENT_US = 5, START_US = 2, DEVICE_BYTES = 1 << 24 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double now, latest; /* microseconds; when all streams have done all */
static long waits, events;
static struct fake_stream none;
static __thread int last_error;
static char memory[DEVICE_BYTES];

static struct fake_stream *real(struct fake_stream *stream)
{
    return (uintptr_t)stream <= 2 ? &none : stream;
}

static int on_device(const void *p)
{
    return (const char *)p >= memory && (const char *)p < memory + DEVICE_BYTES;
}

static int work(struct fake_stream *stream, double us)
{
    struct fake_stream *s = real(stream);
    pthread_mutex_lock(&lock);
    if (!s->captured) {
        now += 1;
        s->done = (s->done > now ? s->done : now) + us + START_US * s->after_event;
        s->after_event = 0;
        latest = latest > s->done ? latest : s->done;
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static void wait_until(const double *at)
{
    pthread_mutex_lock(&lock);
    waits++;
    now = now > *at ? now : *at;
    pthread_mutex_unlock(&lock);
}

static int failed(void)
{
    return last_error = INVALID;
}

/* ---- libcudart */

int cudaMalloc(void **p, size_t bytes)
{
    static size_t used;
    *p = memory + used;
    used += bytes;
    return used <= DEVICE_BYTES ? 0 : failed();
}

int cudaFree(void *p)
{
    (void)p;
    return 0;
}

int cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments, size_t shared,
                     cudaStream_t stream)
{
    (void)grid;
    (void)arguments;
    (void)shared;
    return block.x > 1024 ? failed() : work(stream, (double)(uintptr_t)kernel);
}

int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, cudaStream_t stream)
{
    (void)to;
    (void)from;
    return kind < 0 || kind > 4 ? failed() : work(stream, (double)bytes / 1024);
}

int cudaMemcpy(void *to, const void *from, size_t bytes, int kind)
{
    int error = cudaMemcpyAsync(to, from, bytes, kind, NULL);
    wait_until(&none.done);
    return error;
}

int cudaMemset(void *to, int value, size_t bytes)
{
    (void)to;
    (void)value;
    return work(NULL, (double)bytes / 1024);
}

int cudaStreamCreate(cudaStream_t *stream)
{
    *stream = calloc(1, sizeof **stream);
    return *stream ? 0 : failed();
}

int cudaDeviceSynchronize(void)
{
    wait_until(&latest);
    return 0;
}

int cudaDeviceReset(void)
{
    return 0;
}

int cudaPeekAtLastError(void)
{
    return last_error;
}

int cudaGetLastError(void)
{
    int error = last_error;
    last_error = 0;
    return error;
}

int fake_capture(cudaStream_t stream, int on)
{
    return real(stream)->captured = on;
}

long fake_waits(void)
{
    return waits;
}

long fake_events(void)
{
    return events;
}

/* ---- libcuda */

int cuCtxGetCurrent(void **context);
int cuCtxGetDevice(int *device);
int cuDeviceGetAttribute(int *value, int attribute, int device);
int cuDeviceGetName(char *name, int size, int device);
int cuEventCreate(struct fake_event **event, unsigned flags);
int cuEventRecord(struct fake_event *event, struct fake_stream *stream);
int cuEventSynchronize(struct fake_event *event);
int cuEventElapsedTime(float *ms, struct fake_event *begin, struct fake_event *end);
int cuStreamIsCapturing(struct fake_stream *stream, int *status);
int cuPointerGetAttribute(unsigned *value, int attribute, unsigned long long address);

int cuCtxGetCurrent(void **context)
{
    *context = memory;
    return 0;
}

int cuCtxGetDevice(int *device)
{
    return *device = 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    enum { THREADS_OF_MULTIPROCESSOR = 39 };
    (void)device;
    *value = attribute == THREADS_OF_MULTIPROCESSOR ? 2048 : 10;
    return 0;
}

int cuDeviceGetName(char *name, int size, int device)
{
    static const char text[] = "computed device";
    for (int i = 0; i < size && i < (int)sizeof text; i++)
        name[i] = text[i];
    return device;
}

int cuEventCreate(struct fake_event **event, unsigned flags)
{
    *event = calloc(1, sizeof **event);
    pthread_mutex_lock(&lock);
    events++;
    pthread_mutex_unlock(&lock);
    return *event ? (int)flags : INVALID;
}

int cuEventRecord(struct fake_event *event, struct fake_stream *stream)
{
    struct fake_stream *s = real(stream);
    pthread_mutex_lock(&lock);
    event->at = s->done = (s->done > now ? s->done : now) + EVENT_US;
    s->after_event = 1;
    latest = latest > s->done ? latest : s->done;
    pthread_mutex_unlock(&lock);
    return 0;
}

int cuEventSynchronize(struct fake_event *event)
{
    wait_until(&event->at);
    return 0;
}

int cuEventElapsedTime(float *ms, struct fake_event *begin, struct fake_event *end)
{
    pthread_mutex_lock(&lock);
    int ready = end->at <= now;
    *ms = (float)((end->at - begin->at) / 1000);
    pthread_mutex_unlock(&lock);
    return ready ? 0 : NOT_READY;
}

int cuStreamIsCapturing(struct fake_stream *stream, int *status)
{
    *status = real(stream)->captured;
    return 0;
}

int cuPointerGetAttribute(unsigned *value, int attribute, unsigned long long address)
{
    (void)attribute;
    *value = 2;
    return on_device((const void *)(uintptr_t)address) ? 0 : INVALID;
}
