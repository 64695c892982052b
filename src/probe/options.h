/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of cllprobe: one table feeds the parser, --help and the test of the manual page. */
#ifndef PROBE_OPTIONS_H
#define PROBE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct probe_options {
    bool quick, host, help, version, quiet;
    const char *only;       /* names of families, separated by commas; NULL = all */
    const char *output;     /* NULL = NAME.json, "-" = the standard output */
    const char *name;       /* of the machine; NULL = made from the processor's */
    double seconds;         /* for the whole run */
    uint64_t largest;       /* working set in bytes; 0 = by the size of the caches */
    const char *completion; /* print the completion script for this shell; NULL = do not */
};

/* 0, or -1 after a message if `report`. */
int probe_options_read(int argc, char **argv, bool report, struct probe_options *out);
void probe_options_help(FILE *out);
/* --completion: the script for this shell, from the table. Returns the exit status. */
int probe_options_completion(FILE *out, const char *shell);

/* Whether the option --only admits this family. */
bool probe_options_admit(const struct probe_options *o, const char *family);

#endif
