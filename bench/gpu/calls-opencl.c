/* SPDX-License-Identifier: MIT */
/* What the calls of OpenCL cost the host by which a launch is measured (src/cll/opencl/opencl.c): the lowest mean of several tries,
 * in microseconds. Events are held until as many others came after them, then they are asked and released. The device is waited
 * for after each 50 launches, outside of the time. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <time.h>

#include "opencl_device.h"

enum { TRIES = 20, LAUNCHES = 1000, TOGETHER = 50, MOST = 8192 };

enum { LAUNCH, STATUS, TIMES, RELEASE, STEPS };
static const char *const steps[STEPS] = {"launch", "clGetEventInfo",
                                         "clGetEventProfilingInfo, twice", "clReleaseEvent"};

static cl_kernel kernel;
static cl_event events[MOST];

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double since(double *last)
{
    double now = seconds(), passed = now - *last;
    *last = now;
    return passed;
}

/* Launches with events of which so many are held; 0: without events. Adds to the times of the steps. */
static void launches(cl_command_queue queue, int held, double sum[STEPS])
{
    static int k;
    size_t one = 1;
    double last;
    for (int i = 0; i < LAUNCHES; i++, k++) {
        cl_event *event = held ? &events[k % held] : NULL;
        cl_int status;
        cl_ulong start, end;
        last = seconds();
        if (event && *event) {
            clGetEventInfo(*event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
            sum[STATUS] += since(&last);
            clGetEventProfilingInfo(*event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
            clGetEventProfilingInfo(*event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
            sum[TIMES] += since(&last);
            clReleaseEvent(*event);
            sum[RELEASE] += since(&last);
        }
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, event);
        sum[LAUNCH] += since(&last);
        if (i % TOGETHER == TOGETHER - 1)
            clFinish(queue);
    }
}

static void row(const char *what, cl_command_queue queue, int held)
{
    double best[STEPS] = {1e9, 1e9, 1e9, 1e9};
    double none[STEPS] = {0};
    for (int k = 0; k <= held; k += LAUNCHES)
        launches(queue, held, none);
    for (int r = 0; r < TRIES; r++) {
        double sum[STEPS] = {0};
        launches(queue, held, sum);
        for (int i = 0; i < STEPS; i++)
            best[i] = sum[i] < best[i] ? sum[i] : best[i];
    }
    printf("%s, %d events held:", what, held);
    for (int i = 0; i < (held ? STEPS : 1); i++)
        printf("%s %s %.3f", i ? "," : "", steps[i], best[i] / LAUNCHES * 1e6);
    printf("\n");
    fflush(stdout);
    for (int i = 0; i < held; i++) {
        clReleaseEvent(events[i]);
        events[i] = NULL;
    }
}

int main(void)
{
    static const int held[] = {0, 64, 256, 1024, MOST};
    const char *text = "__kernel void nothing(void) {}";
    char name[256] = "";
    cl_device_id device = the_device();
    if (!device)
        return 1;
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name - 1, name, NULL);
    printf("%s, microseconds\n", name);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    cl_command_queue plain = clCreateCommandQueue(context, device, 0, NULL);
    cl_command_queue profiled =
        clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, NULL);
    if (!plain || !profiled || clBuildProgram(program, 1, &device, "", NULL, NULL))
        return 1;
    kernel = clCreateKernel(program, "nothing", NULL);
    for (unsigned i = 0; i < sizeof held / sizeof *held; i++)
        row("queue with profiling", profiled, held[i]);
    for (unsigned i = 0; i < 3; i++)
        row("queue without profiling", plain, held[i]);
    return 0;
}
