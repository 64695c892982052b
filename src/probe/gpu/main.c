/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cllprobe-cuda and cllprobe-opencl: cllprobe with the family gpu, on one process. */
#include "base/about.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "probe/alone.h"
#include "probe/gpu/device.h"
#include "probe/gpu/gpu.h"

/* Each process of a launcher would measure, all at once, and write the file. */
static int check_launcher(void)
{
    long started = probe_started();
    if (started <= 1)
        return 0;
    return SAY_STATUS(
        1,
        "cllprobe: error: a launcher started %ld processes, but this program measures "
        "on one; start it without the launcher\n",
        started);
}

static void about(void)
{
    about_fact("accelerators", "%s", device_library);
}

int main(int argc, char **argv)
{
    const struct probe_family families[] = {
        probe_gpu, probe_needs_mpi, probe_needs_bsp, {.name = NULL}};
    struct probe_world world = probe_alone;
    world.families = families;
    world.about = about;
    world.device = &probe_device_found;
    output_setup();
    int status = check_launcher();
    if (!status)
        status = probe_run(argc, argv, &world);
    return output_finish("cllprobe") ? 1 : status;
}
