/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program's standard input, the same in every run.
 *
 *     run_input_open(&in, arena, temporary);
 *     run_input_begin(&in, &options); // before each process_run
 *     process_run(&words, &options);
 *     run_input_end(&in);             // after it
 */
#ifndef CALL_RUN_INPUT_H
#define CALL_RUN_INPUT_H

#include <sys/types.h>

#include "call/process.h"

enum run_input_kind {
    RUN_INPUT_ONCE, /* a terminal or another device: for the first run only */
    RUN_INPUT_FILE, /* opened anew for every run */
    RUN_INPUT_PIPE  /* saved in the first run, for the others */
};

struct run_input {
    enum run_input_kind kind;
    bool begun;        /* the first run */
    const char *again; /* the file that all runs after the first read */
    int end;           /* PIPE, during the first run: the program's end of its input; -1 = none */
    pid_t feeder;      /* and the process that fills it */
    char end_path[32];
};

void run_input_open(struct run_input *in, struct arena *a, const char *temporary);

/* Sets what the program reads. 0, or -1 with errno. */
int run_input_begin(struct run_input *in, struct process_options *o);
void run_input_end(struct run_input *in);

#endif
