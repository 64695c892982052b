/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output files that are there whole or not at all: written beside the target under a temporary
 * name, renamed into place by outfile_commit when every byte is on the disk.
 *
 *     struct outfile f;
 *     if (outfile_open(&f, "fft.cll.c"))
 *         return -1;
 *     fputs(text, f.stream);
 *     if (outfile_commit(&f))
 *         fprintf(stderr, "cannot write fft.cll.c: %s\n", destination_error(errno));
 *
 * A file that is replaced keeps its permissions, and its owner where the user may give files away.
 * A symbolic link stays: the file it points to is replaced. Links and files of other users are refused
 * where destination.h says so. exit and the signals that end a program (SIGINT, SIGTERM, SIGHUP, unless
 * the program handles or ignores them) remove the temporary file; that of a program that was killed is
 * removed when the same user writes the same name again on the same host, if the file system has locks.
 */
#ifndef BASE_OUTFILE_H
#define BASE_OUTFILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/destination.h"

struct outfile {
    FILE *stream;
    struct destination target;
    char *temporary; /* in the folder of the target; NULL: it is written directly */
    int error;       /* of the first outfile_write that failed; commit reports it */
};

/* 0, or -1 with errno, which destination_error explains. What is not a regular file (/dev/stdout, a pipe), the file that is the
 * standard output, and what is named by its descriptor (/dev/fd/3), is written directly. */
int outfile_open(struct outfile *f, const char *path);
/* A whole text at once; whether that succeeded is what outfile_commit returns. */
void outfile_write(struct outfile *f, const char *text, size_t size);
/* Closes the file either way. On error nothing of the target has changed. */
int outfile_commit(struct outfile *f);
void outfile_abandon(struct outfile *f);
/* All of it: a file with this text. 0, or -1 with errno. */
int outfile_replace(const char *path, const char *text, size_t size);

/* A file without a name in $TMPDIR (default /tmp), for reading and writing; NULL with errno. */
FILE *outfile_temporary(void);

/* At the start of main: a standard stream that is closed stays unusable instead of becoming the
 * next file that is opened, and writing past `ulimit -f` fails with EFBIG instead of ending the
 * program. output_setup_undo gives a new process, before exec, the signals as they were. */
void output_setup(void);
void output_setup_undo(void);
/* Flushes the standard output, and remembers why it could not be written: stdio does not.
 * 0, or -1 if it could not. */
int output_flush(void);
/* An interrupt ended a write: what was to be written is lost, and the next output may succeed. */
void output_forget_error(void);
/* At the end of main: 0 if all of the standard output could be written, or -1 after a message. */
int output_finish(const char *program);

#endif
