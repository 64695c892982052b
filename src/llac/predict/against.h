/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Measurements of other files, beside a model of the data set: what `table` and `plot` compare with. */
#ifndef LLAC_PREDICT_AGAINST_H
#define LLAC_PREDICT_AGAINST_H

#include "llac/session.h"

/* The points of the files of one version, prepared as those of the model are. */
struct against_part {
    const char *
        name; /* the path of its file; of several: the first, the last, and how many; NULL: of the data set */
    struct points_request request;
    struct points points;
    double *predicted; /* per point, after against_predict; nan where the model has no value */
    struct point_interval
        *intervals;   /* that each point is held against; nan where it is not known */
    const char **why; /* it has none: the reason; NULL = it has one */
};

struct against {
    char **paths;
    size_t npaths;
    struct condition
        condition;        /* that samples of the files fulfil; without a formula all are used */
    struct dataset *data; /* of all files, after against_load */
    struct against_part *parts; /* one for each version */
    size_t n;
};

/* FILE... [where CONDITION]: at least one file, up to the end or one of the words `stops` (ended by
 * NULL); `keyword` is the word before them. 0, or -1 with an error. */
int against_read(struct session *s, struct cursor *c, const char *keyword, const char *const *stops,
                 struct against *out);
/* Loads the files and makes their points. The files of one version (data/version.h) are rounds of one measurement: a
 * point has the samples of all of them, as in a fit. The conditions of the session choose what the model rests on, and
 * not what it is compared with. 0, or -1 with an error. */
int against_load(struct cursor *c, const struct model *m, struct against *a);
/* The points of the data set that fulfil the condition, whether the fit used them or not. As with files, the
 * conditions of the session and of the fit choose what the model rests on. `text` is the condition, which must last as long as the
 * points. 0, or -1 with an error. */
int against_choose(struct cursor *c, const struct model *m, const struct condition *condition,
                   const char *text, struct against_part *out);
/* For what is predicted of each point. */
void against_make_room(struct cursor *c, struct against_part *f);
/* What `predict` says of each point of the part. A point that it cannot predict has a reason. Returns how many
 * it predicts. */
size_t against_predict(struct cursor *c, const struct model *m, struct against_part *f);
/* The error if it predicts none. Always -1. */
int against_nothing(struct cursor *c, const struct against_part *f);
/* Of files that are declared in a block: their data are destroyed at the end of the block. */
#define AGAINST_LOCAL __attribute__((cleanup(against_free)))
void against_free(struct against *a);

#endif
