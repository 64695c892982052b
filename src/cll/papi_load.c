/* SPDX-License-Identifier: MIT */
/*
 * Loads the counters of PAPI (papi/papi.c), which are a shared object beside libcll.so, when a run asks
 * for a counter that the kernel does not have. A program needs PAPI neither to be built nor to run. A file
 * of its own for the reason that computed_load.c gives.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FILE_NAME "libcll_counters_papi.so"

/* In the folder of libcll.so; if it is not there, where the dynamic linker finds it. One that is there and cannot be
 * loaded says why: it needs PAPI. */
static void *load_beside_us(void)
{
    Dl_info us;
    char path[4096];
    const char *slash =
        dladdr((void *)&cll_perf_driver, &us) && us.dli_fname ? strrchr(us.dli_fname, '/') : NULL;
    if (slash && (size_t)snprintf(path, sizeof path, "%.*s/" FILE_NAME, (int)(slash - us.dli_fname),
                                  us.dli_fname) < sizeof path) {
        void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (object || !access(path, F_OK))
            return object;
    }
    return dlopen(FILE_NAME, RTLD_NOW | RTLD_LOCAL);
}

const struct cll_counter_driver *cll_papi_load(char *why, size_t size)
{
    void *object = load_beside_us();
    const struct cll_counter_driver *driver = object ? dlsym(object, "cll_papi_driver") : NULL;
    if (!driver) {
        const char *text = dlerror();
        snprintf(why, size, "PAPI cannot be loaded: %s", text ? text : FILE_NAME);
    }
    return driver;
}
