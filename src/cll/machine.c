/* SPDX-License-Identifier: MIT */
/* What the header of a data file says about the machine; memory in pages. */
#define _GNU_SOURCE
#include "cll/driver.h"
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

/* The first core of the list of hyper-threads that share a core of the hardware with this one
   ("0,64", "2-3"); -1: the system does not show it. */
static int first_sibling(unsigned core)
{
    static const char *const names[] = {"core_cpus_list", "thread_siblings_list"};
    char path[96], text[64], *end;
    for (unsigned i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%u/topology/%s", core, names[i]);
        cll_read_file(path, text, sizeof text);
        long first = strtol(text, &end, 10);
        if (end != text && first >= 0 && first < CPU_SETSIZE)
            return (int)first;
    }
    return -1;
}

unsigned cll_machine_whole_cores(const uint64_t *set, unsigned words)
{
    enum { WORDS = CPU_SETSIZE / 64 };
    uint64_t own[WORDS], firsts[WORDS] = {0};
    unsigned count = 0;
    if (SIMULATED)
        return 0;
    if (!set) {
        cll_driver_cores(own, WORDS);
        set = own;
        words = WORDS;
    }
    for (unsigned core = 0; core < words * 64; core++) {
        if (!(set[core / 64] >> core % 64 & 1))
            continue;
        int first = first_sibling(core);
        if (first < 0)
            return 0;
        uint64_t bit = (uint64_t)1 << first % 64;
        count += !(firsts[first / 64] & bit);
        firsts[first / 64] |= bit;
    }
    return count;
}

void cll_machine_host(char *text, size_t size)
{
    if (SIMULATED)
        cll_simulated_host(text, size);
    else if (gethostname(text, size))
        snprintf(text, size, "unknown");
    text[size - 1] = 0;
}

/* A decimal number without sign and exponent, whatever the locale is; *at moves after it. Returns 0
   without one. */
static int read_decimal(const char **at, double *value)
{
    const char *p = *at + strspn(*at, " \t");
    double unit = 1;
    *value = 0;
    if (*p < '0' || *p > '9')
        return 0;
    for (; *p >= '0' && *p <= '9'; p++)
        *value = 10 * *value + (*p - '0');
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9'; p++)
            *value += (*p - '0') * (unit /= 10);
    *at = p;
    return 1;
}

/* The first line of /proc/stat: "cpu user nice system idle iowait irq softirq steal ...". */
static int read_work(struct spool_moment *m)
{
    enum { IDLE = 3, WAITING = 4, STOLEN = 7, FIELDS = 8 };
    char text[512];
    double values[FIELDS], hz = (double)sysconf(_SC_CLK_TCK);
    const char *at = text;
    cll_read_file("/proc/stat", text, sizeof text);
    if (strncmp(text, "cpu ", 4) || hz <= 0)
        return 0;
    at += 4;
    m->wanted = 0;
    for (int i = 0; i < FIELDS; i++) {
        if (!read_decimal(&at, &values[i]))
            return 0;
        m->wanted += i == IDLE || i == WAITING ? 0 : values[i] / hz;
    }
    m->stolen = values[STOLEN] / hz;
    return 1;
}

static int read_frequency(double *frequency)
{
    char path[96], text[32];
    const char *at = text;
    int core = sched_getcpu();
    if (core < 0)
        return 0;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", core);
    cll_read_file(path, text, sizeof text);
    if (!read_decimal(&at, frequency) || *frequency == 0)
        return 0;
    *frequency *= 1000; /* the file has kHz */
    return 1;
}

void cll_machine_moment(struct spool_moment *m)
{
    char text[64];
    const char *at = text;
    m->known = 0;
    if (!spool_clock_is_real((uint32_t)cll_clock_kind()))
        return; /* it does not change the times */
    cll_read_file("/proc/loadavg", text, sizeof text);
    m->known |= read_decimal(&at, &m->load) ? KNOWN_LOAD : 0;
    m->known |= read_work(m) ? KNOWN_WORK : 0;
    m->known |= read_frequency(&m->frequency) ? KNOWN_FREQUENCY : 0;
}

uint64_t cll_machine_memory(void)
{
    static const char key[] = "VmHWM:";
    char text[2048];
    if (!spool_clock_is_real((uint32_t)cll_clock_kind()))
        return 0;
    cll_read_file("/proc/self/status", text, sizeof text);
    const char *line = strstr(text, key);
    return line ? 1024 * strtoull(line + sizeof key - 1, NULL, 10) : 0;
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
