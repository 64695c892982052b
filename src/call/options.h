/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of `call`, `call run`, `call count` and `call discover`: one table that feeds the parser, --help and the tests of
 * the manual page.
 *
 *     struct option_reader r = {.command = COMMAND_RUN, .argv = argv};
 *     enum option id;
 *     while ((id = options_next(&r)) != OPTION_DONE)
 *         if (id == OPTION_FILE)
 *             puts(r.value);
 */
#ifndef CALL_OPTIONS_H
#define CALL_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

enum command { COMMAND_TRANSLATE = 1, COMMAND_RUN = 2, COMMAND_COUNT = 4, COMMAND_DISCOVER = 8 };

enum option {
    OPTION_DONE,
    OPTION_BAD,  /* after a message: exit status 2 */
    OPTION_FILE, /* no option */
    OPTION_REST, /* "--": everything after it is for the program */
    OPTION_OUTPUT,
    OPTION_OUTDIR,
    OPTION_CHECK,
    OPTION_RAW,
    OPTION_CC,
    OPTION_PREPROCESSOR, /* value: the whole option, as the compiler wants it */
    OPTION_CFLAGS,
    OPTION_LDFLAGS,
    OPTION_ROUNDS,
    OPTION_TIME,
    OPTION_UNTIL,
    OPTION_PROCS,
    OPTION_OVERSUBSCRIBE,
    OPTION_LAUNCHER,
    OPTION_SIMULATE,
    OPTION_MEASURED_COMPUTE,
    OPTION_HOSTFILE,
    OPTION_SMPI,
    OPTION_SLURM,
    OPTION_SLURM_TIME,
    OPTION_SLURM_PARTITION,
    OPTION_SLURM_NODES,
    OPTION_SLURM_THREADS,
    OPTION_SLURM_ARRAY,
    OPTION_SLURM_OPTION,
    OPTION_OBSERVE,
    OPTION_COUNTERS,
    OPTION_REPORT,
    OPTION_LIVE,
    OPTION_FULL,
    OPTION_BASELINE,
    OPTION_VERIFY,
    OPTION_AT,
    OPTION_EXECUTIONS,
    OPTION_LIMIT,
    OPTION_CACHE,
    OPTION_MACHINE,
    OPTION_JSON,
    OPTION_HTML,
    OPTION_ASSIGN,
    OPTION_GRAPH,
    OPTION_VARY,
    OPTION_BUILD,
    OPTION_PREPARE,
    OPTION_COUNTS,
    OPTION_AS_GIVEN,
    OPTION_WRITE,
    OPTION_DATA,
    OPTION_SAVE,
    OPTION_COMPARE,
    OPTION_KEEP,
    OPTION_QUIET,
    OPTION_COMPLETION,
    OPTION_HELP,
    OPTION_VERSION
};

struct option_reader {
    enum command command;
    const char *const *argv; /* what is left to read */
    const char *value;       /* of the option or the file just read */
    const char *name;        /* the option as written */
};

enum option options_next(struct option_reader *r);

/* --completion: the script for this shell, from the same table. Returns the exit status. */
int options_completion(FILE *out, const char *shell);

/* The lines of --help about the command's options. */
void options_help(FILE *out, enum command command);

#endif
