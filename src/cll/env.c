/* SPDX-License-Identifier: MIT */
/* The table of environment variables, and how their values are read. */
#define _GNU_SOURCE
#include "cll/env.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "spool/name.h"

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
    [ENV_SETTINGS] = {"CLL_SETTINGS", "\"NAME=NUMBER...\"",
                      "numbers of the command line, which become variables of all experiments"},
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

/* The end of a number in decimal, which every locale and every reader takes alike; null: there is none. */
static const char *number_end(const char *p)
{
    const char *start = p += *p == '-' || *p == '+';
    size_t digits = strspn(p, "0123456789");
    p += digits;
    if (*p == '.') {
        size_t more = strspn(p + 1, "0123456789");
        digits += more;
        p += 1 + more;
    }
    if (!digits || p - start > 40)
        return NULL;
    if (*p == 'e' || *p == 'E') {
        p += 1 + (p[1] == '-' || p[1] == '+');
        digits = strspn(p, "0123456789");
        if (!digits || digits > 3)
            return NULL;
        p += digits;
    }
    return p;
}

/* One word "n=100" as the line "n 100"; what is wrong, or null. */
static const char *setting_line(const char *word, size_t length, const char *lines, char *line,
                                size_t size)
{
    const char *equals = memchr(word, '=', length), *end = word + length;
    if (!equals || !cll_name_is(CLL_NAME_VARIABLE, word, (size_t)(equals - word)))
        return "is not NAME=NUMBER";
    const char *number = equals + 1 + (equals[1] == '+');
    if (number_end(equals + 1) != end || !isfinite(strtod(number, NULL)))
        return "has no number after '='";
    if (equals - word == 1 && *word == 'P')
        return "names P, the number of processors";
    snprintf(line, size, "%.*s ", (int)(equals - word), word);
    for (const char *p = lines; p && *p; p = strchr(p, '\n') + 1)
        if (!strncmp(p, line, strlen(line)))
            return "names a setting twice";
    size_t used = strlen(line);
    snprintf(line + used, size - used, "%.*s\n", (int)(end - number), number);
    return NULL;
}

int cll_env_settings(const char *text, char *lines, size_t size, char *why, size_t why_size)
{
    char line[CLL_NAME_LONGEST + 64];
    size_t used = 0;
    *lines = 0;
    for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
        size_t length = strcspn(text, " \t");
        const char *wrong = setting_line(text, length, lines, line, sizeof line);
        if (!wrong && used + strlen(line) >= size)
            wrong = "does not fit: the settings are too long";
        if (wrong) {
            snprintf(why, why_size, "'%.*s' %s", length < 80 ? (int)length : 80, text, wrong);
            return -1;
        }
        memcpy(lines + used, line, strlen(line) + 1);
        used += strlen(line);
        text += length;
    }
    return 0;
}

int cll_env_on(const char *text)
{
    return text && strcmp(text, "0") && strcasecmp(text, "no") && strcasecmp(text, "off");
}
