/* SPDX-License-Identifier: MIT */
/*
 * Converts a spool to a data file. libcll uses it for its own samples, and call and llac for the
 * spool of a killed process.
 */
#ifndef SPOOL_TEXT_H
#define SPOOL_TEXT_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct spool_header;

struct cll_spool_part {
    char *base;
    uint64_t bytes;
};

/* A spool in memory: the header, and runs of whole segments. */
struct cll_spool_view {
    const struct spool_header *header;
    const struct cll_spool_part *parts;
    size_t nparts;
    int suspect;    /* from a file: anything in it may be damaged */
    int unfinished; /* the text begins as a file that is being written (CLL_UNFINISHED) */
};

/* The first line of a data file, and of one that is not complete. They have the same length, so that
   one can replace the other. */
#define CLL_FINISHED   "# cll-data 1\n"
#define CLL_UNFINISHED "# cll-part 1\n"

/* Takes text; returns 0, or an errno, which ends the conversion. */
typedef int cll_text_sink(void *data, const char *text, size_t length);

/* Writes the data file of a spool to out. Returns 0; else -1, with a message in error, without a
   newline and without the path. Of a damaged or truncated spool it writes what can be read, and a
   note. */
int cll_spool_to_text(const char *spool_path, FILE *out, char *error, size_t error_size);

/* The same for a spool in memory; returns 0 or the errno of the sink, or ENOMEM. */
int cll_view_to_text(const struct cll_spool_view *view, cll_text_sink *sink, void *data);

/* Parts of a data file that several processes write together: the experiments of `shape` make its
   header and its columns, the records are those of `view`. */
enum { TEXT_HEADER = 1, TEXT_TOTALS = 2, TEXT_NAMES = 4, TEXT_ROWS = 8 };
int cll_view_sections(const struct cll_spool_view *view, const struct cll_spool_view *shape,
                      unsigned sections, cll_text_sink *sink, void *data);

/* The value of the header line `process` (process.c); to: ticks of the clock, null: the end is not
   known. */
#define CLL_PROCESS_TEXT 128
void cll_process_text(const struct spool_header *header, const uint64_t *to, char *text,
                      size_t size);
/* The same for a spool file; 0, -1 if it is not a spool with a complete header, or the error number if it cannot be
   read. */
int cll_spool_process(const char *spool_path, char *text, size_t size);

/* Are the first n bytes of a file empty: no bytes, only zeros, or zeros after the magic of a spool?
   A process that is killed before it has filled in the header leaves such a file. */
int cll_spool_is_blank(const char *bytes, size_t n);

/* More processes or threads than cores? */
int cll_header_oversubscribed(const struct spool_header *header);
/* Did processes or threads share a core of the hardware? */
enum spool_hyper_threads cll_header_hyper_threads(const struct spool_header *header);

/* The same for the bytes of a spool file; -1 with a message if they are not a spool. */
int cll_spool_bytes_to_text(char *bytes, size_t size, cll_text_sink *sink, void *data, char *error,
                            size_t error_size);

#endif
