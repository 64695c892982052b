/* SPDX-License-Identifier: MIT */
/*
 * A program simulated by SimGrid's SMPI: its clock and its hosts. Only libcll_smpi contains this
 * file; it is libcll compiled with CLL_SMPI.
 *
 * All processes of a simulated program are one real process. Each has its own copy of the program's
 * globals (so libcll_smpi is a static library), but they share the pid and the real thread. Code
 * before and after the simulation, and in threads that the program makes, does not belong to a
 * simulated process: it has no actor.
 *
 * The clock is that of the simulator. If the simulator measures the program's computations
 * (smpi/simulate-computation), it must learn that one ends here: MPI_Wtime tells it. That costs
 * simulated time: smpi/wtime at each reading.
 */
#define _GNU_SOURCE
#include "cll/internal.h"
#include "spool/number.h"

#include <stdio.h>
#include <string.h>

#define HZ    100000000000u /* ticks of 10 ps: what a double can tell apart on the first day */
#define PAUSE 1e-6          /* seconds */

/* Of SimGrid's and MPI's C interface. */
extern double simgrid_get_clock(void);
extern void *sg_actor_self(void);
extern void sg_actor_sleep_for(double seconds);
extern void *sg_host_self(void);
extern const char *sg_host_get_name(const void *host);
extern double sg_host_get_speed(const void *host);
extern int sg_host_core_count(const void *host);
extern int sg_cfg_get_boolean(const char *name);
extern double sg_cfg_get_double(const char *name);
extern double MPI_Wtime(void);

/* Read once, by cll_simulated_start. */
static struct {
    int measures_computation;
    char command[16384]; /* words, each ends with a zero byte */
    size_t command_length;
} simulation;

uint64_t cll_simulated_ticks(void)
{
    double seconds =
        simulation.measures_computation && sg_actor_self() ? MPI_Wtime() : simgrid_get_clock();
    return (uint64_t)(seconds * HZ + 0.5);
}

uint64_t cll_simulated_hz(void)
{
    return HZ;
}

void cll_simulated_start(void)
{
    simulation.measures_computation = sg_cfg_get_boolean("smpi/simulate-computation");
    simulation.command_length =
        cll_read_file("/proc/self/cmdline", simulation.command, sizeof simulation.command);
}

void cll_simulated_overhead(struct spool_header *header)
{
    double reading = simulation.measures_computation ? sg_cfg_get_double("smpi/wtime") : 0;
    header->resolution = 1.0 / HZ;
    header->overhead = 2 * reading;
    header->spread = 0;
    header->empty = reading;
}

int cll_simulated_is_process(void)
{
    return sg_actor_self() != NULL;
}

void cll_simulated_pause(void)
{
    sg_actor_sleep_for(PAUSE);
}

/* The word after `from` bytes of the command; null at its end. */
static const char *next_word(size_t *from)
{
    if (*from >= simulation.command_length)
        return NULL;
    const char *word = simulation.command + *from;
    *from += strlen(word) + 1;
    return word;
}

/* The command is: smpimain PROGRAM OPTIONS... */
const char *cll_simulated_program(void)
{
    size_t at = 0;
    next_word(&at);
    const char *program = next_word(&at);
    const char *slash = program ? strrchr(program, '/') : NULL;
    return slash ? slash + 1 : program ? program : "program";
}

int cll_simulated_is_private(void)
{
    static const char option[] = "--cfg=smpi/privatization:";
    static const char *const others[] = {"no", "0", "false", "off", "mmap"};
    const char *how = "dlopen";
    size_t at = 0;
    for (const char *word; (word = next_word(&at));)
        if (!strncmp(word, option, strlen(option)))
            how = word + strlen(option);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (!strcmp(how, others[i]))
            return 0;
    return 1;
}

void cll_simulated_host(char *text, size_t size)
{
    const void *host = sg_host_self();
    snprintf(text, size, "%s", host ? sg_host_get_name(host) : "unknown");
}

void cll_simulated_cpu(char *text, size_t size)
{
    char speed[CLL_NUMBER_SIZE];
    const void *host = sg_host_self();
    if (host) {
        *cll_put_double(speed, sg_host_get_speed(host)) = 0;
        snprintf(text, size, "simulated, %s flop/s", speed);
    } else {
        snprintf(text, size, "simulated");
    }
}

unsigned cll_simulated_cores(void)
{
    const void *host = sg_host_self();
    int cores = host ? sg_host_core_count(host) : 1;
    return cores > 0 ? (unsigned)cores : 1;
}
