/* SPDX-License-Identifier: MIT */
/*
 * Reads the environment once, at program start, before the program can change its environment or
 * its working directory. Invalid values are reported at the first use of the run-time.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MEMORY_DEFAULT (256u << 20)
#define MEMORY_LEAST   (1u << 20)

#define PATIENCE_DEFAULT 30  /* seconds */
#define PATIENCE_MOST    1e6 /* fits into the milliseconds of poll */

struct cll_settings cll_settings;

/* At most one for each variable of the environment, and one about measuring nothing. */
static char complaints[ENV_COUNT + 1][512];
static size_t ncomplaints;

__attribute__((format(printf, 1, 2))) static void complain(const char *format, ...)
{
    va_list arguments;
    if (ncomplaints == sizeof complaints / sizeof *complaints)
        return;
    va_start(arguments, format);
    vsnprintf(complaints[ncomplaints++], sizeof *complaints, format, arguments);
    va_end(arguments);
}

void cll_settings_complain(void)
{
    for (size_t i = 0; i < ncomplaints; i++)
        cll_say("%s", complaints[i]);
    ncomplaints = 0;
}

static void read_program_name(struct cll_settings *s)
{
    const char *name = SIMULATED ? cll_simulated_program() : program_invocation_short_name;
    char path[PATH_MAX];
    if (!name || !*name) {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[length > 0 ? length : 0] = 0;
        const char *slash = strrchr(path, '/');
        name = slash ? slash + 1 : "program";
    }
    snprintf(s->program, sizeof s->program, "%.200s",
             name); /* leaves room for .cll.N.spool in a file name */
}

/* Makes path absolute; 0 if it gets too long. */
static int absolute(const char *path, char *out, size_t size)
{
    char here[PATH_MAX];
    if (path[0] == '/')
        return (size_t)snprintf(out, size, "%s", path) < size;
    if (!getcwd(here, sizeof here))
        snprintf(here, sizeof here, ".");
    if (!strcmp(path, "."))
        return (size_t)snprintf(out, size, "%s", here) < size;
    return (size_t)snprintf(out, size, "%s/%s", here, path) < size;
}

static int is_directory(const char *path)
{
    struct stat status;
    size_t length = strlen(path);
    return (length && path[length - 1] == '/') || (!stat(path, &status) && S_ISDIR(status.st_mode));
}

/* directory, stem, named and device from CLL_OUT. */
static void read_out(struct cll_settings *s)
{
    const char *out = cll_env_text(ENV_OUT);
    char path[PATH_MAX];
    snprintf(s->stem, sizeof s->stem, "%.200s.cll", s->program);
    if (out && !absolute(out, path, sizeof path)) {
        complain("CLL_OUT is too long, the data file goes into the working directory");
        out = NULL;
    }
    enum cll_device device = out && !is_directory(out) ? cll_device_kind(path) : DEVICE_NO;
    if (device == DEVICE_YES)
        memcpy(s->device, path, sizeof path);
    if (device == DEVICE_UNUSABLE)
        complain("CLL_OUT=%s is neither a file nor a folder, a character device or a pipe: the "
                 "data file goes into the working directory",
                 out);
    if (!out || device != DEVICE_NO || is_directory(out)) {
        const char *directory = out && device == DEVICE_NO ? out : ".";
        if (!absolute(directory, s->directory, sizeof s->directory))
            snprintf(s->directory, sizeof s->directory, ".");
        return;
    }
    char *slash = strrchr(path, '/');
    if (strlen(slash + 1) > NAME_MAX - 40) {
        complain("the file name in CLL_OUT is too long, the data file is %s.N.dat", s->stem);
    } else {
        snprintf(s->stem, sizeof s->stem, "%s", slash + 1);
        s->named = 1;
    }
    slash[slash == path] = 0;
    memcpy(s->directory, path, sizeof path);
}

/* CLL_CLOCK=FILE. A run that was to have computed times must not measure others. */
static void read_computed_clock(struct cll_settings *s, const char *file)
{
    char path[PATH_MAX], why[256] = "its name is too long";
    if (SIMULATED) {
        complain("CLL_CLOCK=%s: a simulated program has only its simulated clock", file);
    } else if (s->counters) {
        complain("CLL_CLOCK=%s: CLL_COUNTERS is set, and counters cannot be computed", file);
    } else if (!cll_computed_load) {
        complain(
            "CLL_CLOCK=%s cannot be used, so nothing is measured: this program has libcll.a; link "
            "it with libcll.so, or with -Wl,-u,cll_computed_load",
            file);
        s->off = 1;
    } else if (!absolute(file, path, sizeof path) || !cll_computed_load(path, why, sizeof why)) {
        complain("CLL_CLOCK=%s cannot be used, so nothing is measured: %s", file, why);
        s->off = 1;
    } else {
        s->clock = CLOCK_KIND_COMPUTED;
        complain("CLL_CLOCK=%s: the times are computed, not measured", file);
    }
}

static void read_clock(struct cll_settings *s)
{
    static const struct {
        const char *name;
        int kind;
    } clocks[] = {{"auto", 0},
                  {"tsc", CLOCK_KIND_TSC},
                  {"cntvct", CLOCK_KIND_CNTVCT},
                  {"clock_gettime", CLOCK_KIND_GETTIME}};
    const char *text = cll_env_text(ENV_CLOCK);
    if (!text)
        return;
    if (strchr(text, '/') || strstr(text, ".so")) {
        read_computed_clock(s, text);
        return;
    }
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        if (!strcmp(text, clocks[i].name)) {
            s->clock = clocks[i].kind;
            cll_clock_choose();
            if (SIMULATED && s->clock)
                complain("CLL_CLOCK=%s: a simulated program has only its simulated clock", text);
            else if (s->clock && s->clock != cll_clock_kind())
                complain("CLL_CLOCK=%s: this processor has no such clock; using clock_gettime",
                         text);
            return;
        }
    }
    complain("CLL_CLOCK=%s is unknown, the clock is chosen automatically (%s)", text,
             cll_env_table[ENV_CLOCK].value);
}

static void read_numbers(struct cll_settings *s)
{
    const char *memory = cll_env_text(ENV_MEMORY);
    const char *run = cll_env_text(ENV_RUN);
    s->memory = MEMORY_DEFAULT;
    if (memory) {
        uint64_t bytes = cll_env_size(memory);
        if (!bytes)
            complain("CLL_MEMORY=%s is not a size such as 256M; using 256M", memory);
        else if (bytes < MEMORY_LEAST)
            complain("CLL_MEMORY=%s is too small; using 1M", memory);
        if (bytes)
            s->memory = bytes < MEMORY_LEAST ? MEMORY_LEAST : bytes;
    }
    if (run) {
        char *end;
        errno = 0;
        long long number = strtoll(run, &end, 10);
        if (*end || errno || number < 0)
            complain("CLL_RUN=%s is not a number; using 0", run);
        else
            s->run = number;
    }
}

/* Samples without their settings would be points of another size. */
static void read_settings(struct cll_settings *s)
{
    const char *text = cll_env_text(ENV_SETTINGS);
    char why[160], *name = s->settings.names;
    int wrong =
        text && cll_env_settings(text, s->settings.text, sizeof s->settings.text, why, sizeof why);
    memcpy(s->settings.names, s->settings.text, sizeof s->settings.names);
    for (char *space; !wrong && (space = strchr(name, ' ')); name = strchr(space + 1, '\n') + 1) {
        if (s->settings.n == CLL_MOST_SETTINGS) {
            snprintf(why, sizeof why, "there are more than %d settings", CLL_MOST_SETTINGS);
            wrong = 1;
            break;
        }
        *space = 0;
        s->settings.name[s->settings.n] = name;
        s->settings.value[s->settings.n++] = strtod(space + 1, NULL);
    }
    if (wrong) {
        complain("CLL_SETTINGS: %s, so nothing is measured; write CLL_SETTINGS=\"n=100 m=32\"",
                 why);
        s->off = 1;
    }
}

static void read_patience(struct cll_settings *s)
{
    const char *text = cll_env_text(ENV_PATIENCE);
    char *end = NULL;
    s->patience = PATIENCE_DEFAULT;
    double seconds = text ? strtod(text, &end) : PATIENCE_DEFAULT;
    if (end && (end == text || *end || !(seconds >= 0 && seconds <= PATIENCE_MOST)))
        complain("CLL_PATIENCE=%s is not a number of seconds; using %d", text, PATIENCE_DEFAULT);
    else
        s->patience = seconds;
}

static void read_counters(struct cll_settings *s)
{
    const char *text = cll_env_text(ENV_COUNTERS);
    if (!cll_env_on(text))
        return;
    if (SIMULATED) {
        complain("CLL_COUNTERS: a simulated program has no counters, simulated time is measured");
        return;
    }
    s->counters = strcmp(text, "1") ? 2 : 1;
    if (s->counters == 2 && (size_t)snprintf(s->counter_names, sizeof s->counter_names, "%s",
                                             text) >= sizeof s->counter_names) {
        complain("CLL_COUNTERS is too long, no counters are measured");
        s->counters = 0;
    }
}

static void read_observe(struct cll_settings *s)
{
    const char *text = cll_env_text(ENV_OBSERVE);
    if (!text || !strcmp(text, "CLOCK"))
        return;
    if (strcmp(text, "CPUTIME"))
        complain("CLL_OBSERVE=%s is not CPUTIME; CLL_COUNTERS names counters", text);
    else if (SIMULATED)
        complain("CLL_OBSERVE=CPUTIME: a simulated program has only its simulated clock");
    else if (s->counters)
        complain("CLL_OBSERVE=CPUTIME: CLL_COUNTERS is set, and a run measures time or counters");
    else
        s->cputime = 1;
}

static void read_spool(struct cll_settings *s)
{
    const char *text = cll_env_text(ENV_SPOOL);
    memcpy(s->spool_directory, s->directory, sizeof s->directory);
    s->spool = text ? cll_env_on(text) : !s->device[0];
    if (!text || !s->spool || !strcmp(text, "1") || !strcmp(text, "on"))
        return;
    if (!absolute(text, s->spool_directory, sizeof s->spool_directory)) {
        complain("CLL_SPOOL is too long, the spool goes beside the data file");
        memcpy(s->spool_directory, s->directory, sizeof s->directory);
    }
}

/* Whoever starts a set-user-id program chooses its name and its folder: a file would be theirs to
   place, with the rights of its owner. */
static int is_privileged(void)
{
    return getauxval(AT_SECURE) != 0;
}

void cll_settings_read(void)
{
    struct cll_settings *s = &cll_settings;
    int error = errno;
    s->off = cll_env_on(cll_env_text(ENV_OFF));
    if (is_privileged()) {
        complain("nothing is measured: the program has more rights than the user who started it "
                 "(set-user-id, set-group-id or capabilities)");
        s->off = 1;
    }
    if (SIMULATED)
        cll_simulated_start();
    if (SIMULATED && !s->off && !cll_simulated_is_private()) { /* they would share the samples */
        complain("nothing is measured: each simulated process must have its own globals; run it "
                 "with smpirun's default, smpi/privatization:dlopen");
        s->off = 1;
    }
    s->start_unix = time(NULL);
    read_patience(s); /* one that measures nothing waits, too */
    if (!s->off) {
        read_program_name(s);
        read_out(s);
        read_spool(s);
        read_numbers(s);
        read_settings(s);
        read_counters(s);
        read_observe(s);
        read_clock(s);
        cll_clock_choose();
    }
    cll_clock_pair(&s->start_ticks, &s->start_ns);
    errno = error;
}
