/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cllprobe-cuda and cllprobe-opencl: cllprobe with the family gpu, on one process. */
#include "base/outfile.h"
#include "probe/alone.h"
#include "probe/gpu/gpu.h"

int main(int argc, char **argv)
{
    const struct probe_family families[] = {
        probe_gpu, probe_needs_mpi, probe_needs_bsp, {.name = NULL}};
    struct probe_world world = probe_alone;
    world.families = families;
    world.device = &probe_device_found;
    output_setup();
    int status = probe_run(argc, argv, &world);
    return output_finish("cllprobe") ? 1 : status;
}
