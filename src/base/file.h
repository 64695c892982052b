/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output files that are there whole or not at all: written beside the target under a temporary
 * name, renamed into place by outfile_commit when every byte is on the file system.
 *
 *     struct outfile f;
 *     if (outfile_open(&f, "fft.cll.c")) ...
 *     fputs(text, f.stream);
 *     if (outfile_commit(&f)) say("cannot write %s: %s", f.path, strerror(errno));
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stddef.h>
#include <stdio.h>

#include "base/memory.h"

struct outfile {
    FILE *stream;
    char *path, *temporary; /* owned by the outfile */
};

/* 0, or -1 with errno. A special file (/dev/stdout, a pipe) is written directly. */
int outfile_open(struct outfile *f, const char *path);
int outfile_commit(
    struct outfile *f); /* closes either way; on error nothing of the target changed */
void outfile_abandon(struct outfile *f);

/* Text from `s` quoted for a POSIX shell / for JSON (without the quotes) / for HTML / for gnuplot
 * ('...'). */
void quote_shell(struct text *out, const char *s);
void quote_html(struct text *out, const char *s);
void quote_gnuplot(struct text *out, const char *s);

/* The shortest decimal text that reads back as x exactly ("0.1", "1024", "1e-09", "nan", "inf").
 * Returns `buffer`. */
enum { NUMBER_SIZE = 32 };
char *number_text(double x, char buffer[NUMBER_SIZE]);

#endif
