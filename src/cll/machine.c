/* SPDX-License-Identifier: MIT */
/* What the header of a data file says about the machine; memory in pages. */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void *cll_pages_new(size_t bytes)
{
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void cll_pages_free(void *pages, size_t bytes)
{
    munmap(pages, bytes);
}

size_t cll_read_file(const char *path, char *text, size_t size)
{
    size_t length = 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return text[0] = 0;
    while (length + 1 < size) {
        ssize_t got = read(fd, text + length, size - 1 - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        length += (size_t)got;
    }
    close(fd);
    text[length] = 0;
    return length;
}

unsigned cll_machine_cores(void)
{
    cpu_set_t set;
    if (SIMULATED)
        return cll_simulated_cores();
    if (!sched_getaffinity(0, sizeof set, &set))
        return (unsigned)CPU_COUNT(&set);
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}

void cll_machine_host(char *text, size_t size)
{
    if (SIMULATED)
        cll_simulated_host(text, size);
    else if (gethostname(text, size))
        snprintf(text, size, "unknown");
    text[size - 1] = 0;
}

/* The value of "key : value" in /proc/cpuinfo; 0 if there is none. */
static int cpuinfo_value(const char *info, const char *key, char *value, size_t size)
{
    const char *line = strstr(info, key);
    const char *colon = line ? strchr(line, ':') : NULL;
    if (!colon)
        return 0;
    colon += strspn(colon, ": \t");
    snprintf(value, size, "%.*s", (int)strcspn(colon, "\n"), colon);
    return value[0] != 0;
}

void cll_machine_cpu(char *text, size_t size)
{
    static const struct {
        unsigned implementer, part;
        const char *name;
    } arm[] = {
        {0x41, 0xd03, "Cortex-A53"},  {0x41, 0xd07, "Cortex-A57"},  {0x41, 0xd08, "Cortex-A72"},
        {0x41, 0xd0b, "Cortex-A76"},  {0x41, 0xd0c, "Neoverse-N1"}, {0x41, 0xd40, "Neoverse-V1"},
        {0x41, 0xd49, "Neoverse-N2"}, {0x41, 0xd4f, "Neoverse-V2"}, {0x46, 0x001, "A64FX"},
        {0xc0, 0xac3, "Ampere-1"},    {0xc0, 0xac4, "Ampere-1A"},
    };
    char info[4096], implementer[32], part[32];
    if (SIMULATED) {
        cll_simulated_cpu(text, size);
        return;
    }
    cll_read_file("/proc/cpuinfo", info, sizeof info);
    if (cpuinfo_value(info, "model name", text, size))
        return;
    if (!cpuinfo_value(info, "CPU implementer", implementer, sizeof implementer) ||
        !cpuinfo_value(info, "CPU part", part, sizeof part)) {
        snprintf(text, size, "unknown");
        return;
    }
    for (size_t i = 0; i < sizeof arm / sizeof *arm; i++) {
        if (strtoul(implementer, NULL, 16) == arm[i].implementer &&
            strtoul(part, NULL, 16) == arm[i].part) {
            snprintf(text, size, "%s", arm[i].name);
            return;
        }
    }
    snprintf(text, size, "implementer %s part %s", implementer, part);
}
