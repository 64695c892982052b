/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line of llac. */
#ifndef LLAC_OPTIONS_H
#define LLAC_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct option_file {
    char *path;
    bool script; /* -f: commands, not data */
};

/* llac check BEFORE AFTER */
struct option_check {
    bool wanted;
    const char *names[2];
    size_t nnames;
    const char **at; /* VAR=VALUES each */
    size_t nat;
    const char *threshold; /* NULL: not given */
    const char *format;    /* "markdown", "github"; NULL: text or JSON */
};

struct options {
    bool json, help, version;
    struct option_check check;
    const char *machine;    /* --machine; NULL without it */
    const char *completion; /* --completion: the shell; NULL without it */
    const char **commands;  /* -e, in order */
    size_t ncommands;
    struct option_file *files;
    size_t nfiles;
};

/* 0; or -1 after a message on stderr (exit status 2). The lists point into argv and are the
 * caller's to mem_free. */
int options_read(int argc, char **argv, struct options *out);
void options_help(FILE *out);
/* --completion: the script for this shell, from the table. Returns the exit status. */
int options_completion(FILE *out, const char *shell);

#endif
