/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements of other files, beside a model of the data set: what `table` and `plot` compare with. */
#ifndef LLAC_CMD_AGAINST_H
#define LLAC_CMD_AGAINST_H

#include "llac/cmd/commands.h"

/* The points of one file, prepared as those of the model are. */
struct against_file {
    char *path;
    struct dataset *data;
    struct points_request request;
    struct points points;
};

struct against {
    struct against_file *files;
    size_t n;
    struct condition
        condition; /* that samples of the files fulfil; without a formula all are used */
};

/* FILE... [where CONDITION]: at least one file, up to the end or one of the words `stops` (ended by
 * NULL); `keyword` is the word before them. 0, or -1 with an error. */
int against_read(struct session *s, struct cursor *c, const char *keyword, const char *const *stops,
                 struct against *out);
/* Loads the files and makes their points. The conditions of the session choose what the model rests
 * on, and not what it is compared with. 0, or -1 with an error; against_free follows in both cases. */
int against_load(struct cursor *c, const struct model *m, struct against *a);
void against_free(struct against *a);

#endif
