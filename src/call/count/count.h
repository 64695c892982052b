/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call count: what the regions of a program execute. */
#ifndef CALL_COUNT_COUNT_H
#define CALL_COUNT_COUNT_H

#include "call/run/run.h"

struct count_request {
    struct run run;
    unsigned long executions; /* of a point that are counted */
    bool json, html, graph, cache, quiet;
    const char *assign;       /* the file of an assignment; NULL = none */
    const char *machine;      /* whose caches are simulated; NULL = callgrind's default */
    const char *machine_name; /* in its file */
    const char *d1, *ll;      /* these, as "SIZE,WAYS,LINE"; NULL = callgrind's default */
    bool is_based;            /* the program is linked where no library is (count/counts.h) */
    const char *outdir;       /* of the report */
    const char *dumps;        /* the folder of callgrind's files */
    const char *command;      /* as the user gave it */
    const char *flags;
};

/* The caches of the machine. 0, or -1 after a message. */
int count_caches(struct count_request *c);

/* After the run: reads the dumps, prints the report and writes the files. Returns the exit status. */
int count_results(struct count_request *c);

/* argv: after "count". Returns the exit status. */
int count_main(const char *const *argv);

#endif
