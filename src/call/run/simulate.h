/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated machine of `call run --simulate`: its hosts, and what smpirun is told of them. */
#ifndef CALL_RUN_SIMULATE_H
#define CALL_RUN_SIMULATE_H

#include "base/text.h"
#include "call/process.h"

struct simulation {
    const char *platform; /* SimGrid's description of it; NULL = no simulation */
    const char *hostfile; /* NULL = the hosts in the order of the platform */
    struct words options; /* further ones for smpirun */
    bool measured;        /* computing takes the time that it takes here */
};

/* Writes the list of hosts into the folder `temporary`, and the options of smpirun for simulations
 * with at most `most` processes into `options`, as words of a shell. 0, or -1 after a message. */
int simulate_prepare(struct arena *a, const struct simulation *s, unsigned long most,
                     const struct words *arguments, const char *temporary, struct text *options);

/* The names of a platform's hosts in the order of the file, a line for each of their cores, at most
 * `most` lines; and the speed of the first of them, NULL if it has none. Returns how many, or -1:
 * then *why says what is wrong. */
long simulate_hosts(struct arena *a, const char *xml, unsigned long most, struct text *out,
                    const char **speed, const char **why);

#endif
