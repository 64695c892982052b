/* SPDX-License-Identifier: MIT */
/* What a region adds to the launch of an empty kernel with OpenCL: host time, the lowest mean of several tries, each so long that
 * the times of earlier launches are read in it. */
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <stdio.h>
#include <time.h>

#include "opencl_device.h"

enum { LAUNCHES = 4100, TRIES = 20, TOGETHER = 50 };

static cl_command_queue queue;
static cl_kernel kernel;

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double launches(int measured)
{
    size_t one = 1;
    double sum = 0;
    for (int k = 0; k < LAUNCHES; k++) {
        double begin = seconds();
        if (measured) {
#pragma cll cost CLOCK, DEVICE = cost[0]
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
#pragma cll end cost
        } else {
            clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
        }
        sum += seconds() - begin;
        if (k % TOGETHER == TOGETHER - 1)
            clFinish(queue);
    }
    return sum / LAUNCHES * 1e6;
}

int main(void)
{
    const char *text = "__kernel void nothing(void) {}";
    double plain = 1e9, region = 1e9;
    cl_device_id device = the_device();
    if (!device)
        return 1;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    queue = clCreateCommandQueue(context, device, 0, NULL);
    if (!queue || clBuildProgram(program, 1, &device, "", NULL, NULL))
        return 1;
    kernel = clCreateKernel(program, "nothing", NULL);
    launches(1);
    for (int r = 0; r < TRIES; r++) {
        double one = launches(0), other = launches(1);
        plain = one < plain ? one : plain;
        region = other < region ? other : region;
    }
    printf("a launch takes %.2f us, in a region %.2f us\n", plain, region);
    return 0;
}
