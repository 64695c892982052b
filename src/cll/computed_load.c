/* SPDX-License-Identifier: MIT */
/*
 * Loads the shared object of CLL_CLOCK=FILE.so. A file of its own, to which nothing else has a strong
 * reference: a program that is linked with libcll.a does without it, because a static program that
 * refers to dlopen gets a warning of the linker, and before glibc 2.34 it needs -ldl.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

struct cll_execution;

/* Does the file end before its segments do? */
static int is_cut(int file, off_t size)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    if (pread(file, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        head.e_phentsize != sizeof part)
        return 0;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        off_t at = (off_t)(head.e_phoff + i * sizeof part);
        if (pread(file, &part, sizeof part, at) != (ssize_t)sizeof part)
            return 1;
        if (part.p_type == PT_LOAD &&
            (part.p_filesz > (size_t)size || part.p_offset > (size_t)size - part.p_filesz))
            return 1;
    }
    return 0;
}

/* What dlopen would not survive: waiting for a pipe, and a bus error where the file was cut off. NULL: it may try. */
static const char *obstacle(const char *path)
{
    struct stat st;
    const char *found = NULL;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return NULL;
    int known = fstat(file, &st) == 0;
    if (known && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
        found = "it is not a file";
    else if (known && S_ISREG(st.st_mode) && is_cut(file, st.st_size))
        found = "it is truncated";
    close(file);
    return found;
}

int cll_computed_load(const char *path, char *why, size_t size)
{
    double (*seconds)(const struct cll_execution *);
    void *symbol = NULL;
    const char *known = obstacle(path);
    if (known) {
        snprintf(why, size, "%s", known);
        return 0;
    }
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
