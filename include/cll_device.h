/* SPDX-License-Identifier: MIT */
/*
 * cll_device.h: what libcll and its drivers of devices (libcll_cuda, libcll_opencl) share. A driver sees
 * the calls that give work to a device, and tells libcll of each; it tells the time of the work when it
 * is asked, later. Programs do not include it: cll_launched is in cll.h.
 */
#ifndef CLL_DEVICE_H
#define CLL_DEVICE_H

#include <cll.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a driver can tell of a piece of work. */
enum cll_work_state { CLL_WORK_RUNS, CLL_WORK_DONE, CLL_WORK_UNKNOWN };

struct cll_work_driver {
    const char *name;
    /* How long the work took, in nanoseconds. wait: not before it is done. CLL_WORK_DONE and
       CLL_WORK_UNKNOWN end the work: the driver is not asked again. */
    enum cll_work_state (*ask)(void *work, int wait, cll_u64 *nanoseconds);
};

enum cll_work_kind {
    CLL_WORK_LAUNCH, /* a kernel */
    CLL_WORK_ON_DEVICE /* a copy or a filling inside of the device */,
    CLL_WORK_IN, /* a copy to the device */
    CLL_WORK_OUT /* a copy from the device */
};

/* Is a region open on this thread whose work is measured? A driver lets all other work pass. */
CLL_API int cll_work_is_wanted(void);
/* Work that this thread gave to a device, successfully; null work: its time is not known. */
CLL_API void cll_work_add(const struct cll_work_driver *driver, enum cll_work_kind kind,
                          cll_u64 bytes, void *work);
/* A kernel that this thread launches, before it is added: cll_launched, and the threads that the device runs at the same time; 0:
   not known. */
CLL_API void cll_work_launched(double grid, double block, double sm, double at_once);
/* Before the device is shut down: waits for all work, so that its times are known. */
CLL_API void cll_work_finish(void);
/* A line about the device in the data file, once: "device: NVIDIA H200, ...". */
CLL_API void cll_work_describe(const char *text);

#ifdef __cplusplus
}
#endif
#endif
