/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of a data file and its line of column names: internal to the loader. */
#ifndef DATA_LOAD_HEADER_H
#define DATA_LOAD_HEADER_H

#include "data/dataset.h"

enum {
    HEADER_MAX_COLUMNS = 1024,
    HEADER_MAX_EXPERIMENTS = 32767, /* as many as libcll and call allow */
    HEADER_MAX_VARIABLES = 100000,  /* of all experiments together */
    HEADER_MAX_CELLS = 1000000,     /* columns x experiments */
};

/* Which column of the file feeds which column of the experiment. */
struct header_experiment {
    struct experiment *experiment;
    size_t *file_column; /* per column of the experiment; index into the file's columns without
                            `experiment`, which the settings of the file follow */
};

/* Where and what an error is: a piece of the line given. */
struct header_error {
    const char *begin, *end;
    char what[512];
};

struct header {
    struct dataset *dataset;
    struct header_error error;
    struct data_file file;
    bool has_version, complete; /* complete: the line of column names was read */
    bool unfinished;            /* a file that was being written when its process was killed */
    const char **columns;       /* of the file, `experiment` left out */
    size_t ncolumns;
    const char **column_names, **column_variables; /* "# column: count_ = count" */
    size_t nrenamed;
    size_t nvariables;                     /* of all experiments */
    struct header_experiment *experiments; /* same order as dataset->experiments */
};

/* One line without its newline. Returns 0, or -1 with the error. */
int header_line(struct header *h, const char *line, size_t n);

#endif
