/* SPDX-License-Identifier: MIT */
/* The device of OpenCL that the programs of bench/gpu.sh measure: the first accelerator of all platforms, or else the first device. */
#ifndef OPENCL_DEVICE_H
#define OPENCL_DEVICE_H

#include <CL/cl.h>
#include <stdio.h>

enum { PLATFORMS = 8 };

static cl_device_id the_device(void)
{
    static const cl_device_type kinds[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    cl_platform_id platforms[PLATFORMS];
    cl_device_id device = NULL;
    cl_uint n = 0;
    clGetPlatformIDs(PLATFORMS, platforms, &n);
    for (int kind = 0; kind < 2; kind++)
        for (cl_uint k = 0; k < n && k < PLATFORMS; k++)
            if (!clGetDeviceIDs(platforms[k], kinds[kind], 1, &device, NULL))
                return device;
    fprintf(stderr, "there is no device of OpenCL\n");
    return NULL;
}

#endif
