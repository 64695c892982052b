/* SPDX-License-Identifier: MIT */
/*
 * Loads the shared object of CLL_CLOCK=FILE.so. A file of its own, to which nothing else has a strong
 * reference: a program that is linked with libcll.a does without it, because a static program that
 * refers to dlopen gets a warning of the linker, and before glibc 2.34 it needs -ldl.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <dlfcn.h>
#include <stdio.h>

struct cll_execution;

int cll_computed_load(const char *path, char *why, size_t size)
{
    double (*seconds)(const struct cll_execution *);
    void *symbol = NULL;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object)
        symbol = dlsym(object, "cll_clock_seconds");
    if (!symbol) {
        const char *text = dlerror();
        snprintf(why, size, "%s", text ? text : "its cll_clock_seconds is null");
        return 0;
    }
    *(void **)&seconds = symbol;
    cll_computed_by(seconds);
    return 1;
}
