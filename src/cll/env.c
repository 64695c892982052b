/* SPDX-License-Identifier: MIT */
/* The table of environment variables, and how their values are read. */
#define _GNU_SOURCE
#include "cll/env.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

const struct cll_env_entry cll_env_table[ENV_COUNT] = {
    [ENV_OUT] = {"CLL_OUT", "FILE or DIRECTORY",
                 "where the data file goes; a directory gets PROGRAM.cll.N.dat"},
    [ENV_CLOCK] = {"CLL_CLOCK", "tsc, cntvct, clock_gettime, auto or FILE.so",
                   "the clock; auto takes the processor's counter where the kernel does; a file "
                   "computes times (cll_clock.h)"},
    [ENV_MEMORY] = {"CLL_MEMORY", "BYTES with k, M or G (256M)",
                    "how much the samples may take; beyond it they are thinned"},
    [ENV_SPOOL] = {"CLL_SPOOL", "off or DIRECTORY",
                   "off keeps samples in memory only; a directory gets the spool"},
    [ENV_COUNTERS] = {"CLL_COUNTERS", "1, auto or NAME,NAME...",
                      "measure counters instead of time: those the formulas name, those that the "
                      "machine has, or these"},
    [ENV_OBSERVE] = {"CLL_OBSERVE", "CPUTIME",
                     "also measure CPU time, for all experiments, with the formula of CLOCK"},
    [ENV_DEVICE] =
        {"CLL_DEVICE", "auto, cupti, events or off",
         "what measures the kernels of CUDA: CUPTI where it is installed, or events; off: "
         "kernels and copies are not measured, also of OpenCL"},
    [ENV_OFF] = {"CLL_OFF", "1", "measure nothing, write nothing"},
    [ENV_RUN] = {"CLL_RUN", "NUMBER (0)", "written in the column run"},
    [ENV_PATIENCE] = {"CLL_PATIENCE", "SECONDS (30)",
                      "how long to wait for late processes or the reader of a pipe; 0: forever"},
};

const char *cll_env_text(enum cll_env_index index)
{
    const char *text = secure_getenv(cll_env_table[index].name);
    return text && *text ? text : NULL;
}

uint64_t cll_env_size(const char *text)
{
    static const char suffixes[] = "kMG";
    uint64_t value = 0;
    const char *p = text;
    for (; *p >= '0' && *p <= '9'; p++) {
        if (value > UINT64_MAX / 10 - 1)
            return 0;
        value = value * 10 + (uint64_t)(*p - '0');
    }
    if (p == text || !*p)
        return p == text ? 0 : value;
    for (int i = 0; suffixes[i]; i++) {
        unsigned shift = 10u * (unsigned)(i + 1);
        if ((*p | 32) == (suffixes[i] | 32) && (!p[1] || !strcmp(p + 1, "B")))
            return value >> (64 - shift) ? 0 : value << shift;
    }
    return 0;
}

int cll_env_on(const char *text)
{
    return text && strcmp(text, "0") && strcasecmp(text, "no") && strcasecmp(text, "off");
}
