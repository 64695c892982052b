/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figures of an accelerator: a family of one process. */
#ifndef PROBE_GPU_GPU_H
#define PROBE_GPU_GPU_H

#include "probe/gpu/device.h"
#include "probe/probe.h"

extern const struct probe_family probe_gpu;
/* What the family found out about the device; its name is empty before it was opened, and where there is none. */
extern struct probe_device probe_device_found;

#endif
