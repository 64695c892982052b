/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completion scripts for shells, made from the tables of options that --help prints.
 *
 *     static const struct completion_option options[] = {{"-q", "--quiet", NULL, "print less"}};
 *     const struct completion_command all[] = {{"", NULL, "FILE", options, 1}};
 *     if (completion_print(stdout, "bash", "tool", all, 1))
 *         return 2;
 *
 * What an argument can be follows from its name: FILE and PLATFORM are files, DIR is a folder,
 * COMMAND a command, SHELL one of the shells; CPUTIME is the word itself. FILE.c is a file whose name
 * ends in .c, or a folder; COMPILER ARGUMENTS is a command with its arguments. Anything else is not
 * completed.
 */
#ifndef BASE_COMPLETION_H
#define BASE_COMPLETION_H

#include <stddef.h>
#include <stdio.h>

struct completion_option {
    const char *letter, *name; /* "-q", "--quiet"; NULL = it has none */
    const char *argument;      /* "FILE"; NULL: takes none */
    const char *help;
};

/* A command of the program; the first one has the name "" and is the program without a command. */
struct completion_command {
    const char *name, *help;
    const char *operands; /* the words that are not options: as an argument; NULL: there are none */
    const struct completion_option *options;
    size_t n;
};

/* Prints the script. 0, or -1 if there is no such shell. */
int completion_print(FILE *out, const char *shell, const char *program,
                     const struct completion_command *commands, size_t n);

#endif
