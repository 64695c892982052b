/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two versions of the code: is the second one slower? Compared are the constants of the two models,
 * and their predictions at chosen places.
 *
 *     struct check_side before, after;
 *     check_side_of_model(arena, old, NULL, places, n, &before);
 *     check_side_of_model(arena, new, NULL, places, n, &after);
 *     check_compare(arena, &before, &after, &experiments[0]);
 *     check_judge(experiments, 1, 0.05);      // all experiments of the check at once
 *
 * The difference of two values is compared with its standard deviation: what points and repetitions
 * show, and what whole runs differ by. Few runs show the latter badly, so it is never taken to be
 * smaller than thresholds.h says. All rows of a check are judged together: with many constants, some
 * differ by chance.
 *
 * If a formula does not describe its data (the warning `misfit`), constants are not compared, and places are
 * compared by their measured values (check_points.h).
 */
#ifndef MODEL_CHECK_H
#define MODEL_CHECK_H

#include "model/check_rounds.h"
#include "model/predict.h"

/* A value of a model, and how well it is known. */
struct check_value {
    double value;
    double variance;   /* nan: nothing is known of the noise */
    double of_runs;    /* the part of it that whole runs cause */
    double chance;     /* that slow phases hit everything that decides about it, in all rounds */
    const double *row; /* it follows times * row * columns; NULL: of a saved model */
    double times;
};

/* A piece of a constant. */
struct check_piece {
    struct check_value value;
    double
        weight; /* a change of the constant by x changes the time of some point by up to x * weight,
                      as a part of that time */
    const char *where; /* "N in (1024, 4096]"; "" = everywhere */
    size_t nwhere;
};

struct check_constant {
    const char *name;
    const struct check_piece *pieces;
    size_t npieces;
};

struct check_prediction {
    struct place place;
    struct check_value value;
    const char *why; /* it could not be made; else NULL */
};

/* What is known of one version of an experiment. */
struct check_side {
    const char *experiment, *observable, *unit, *formula;
    const struct check_constant *constants;
    size_t nconstants;
    const struct check_prediction *predictions; /* at the places of the check, in their order */
    size_t npredictions;
    double dof, runs_dof; /* of the variances */
    size_t runs;
    bool exact;                /* the same in every run: counts and simulated times */
    const struct model *model; /* NULL: it is a saved one */
    struct check_rounds rounds;
    struct check_machine machine;
    bool turns; /* `rounds` has those of both sides, which were measured by turns */
};

/* The model, and its predictions at these places. In the arena. */
void check_side_of_model(struct arena *a, struct model *m, const char *formula,
                         const struct place *places, size_t n, struct check_side *out);

/* The variables that a prediction of the model needs, at one of its points. In the arena. */
struct place check_place_of(struct arena *a, const struct model *m, size_t point);
/* The places of a check for which none were named: the measured points with the largest time and with
 * the median time, those of `other` too where there are any. At most 2; returns how many. */
size_t check_places(struct arena *a, const struct model *m, const struct model *other,
                    struct place places[2]);

enum check_verdict { CHECK_SLOWER, CHECK_FASTER, CHECK_ALIKE, CHECK_CANNOT_TELL };
extern const char *const check_verdict_words[]; /* "slower", "faster", "same", "cannot tell" */

/* What slow phases of the machine may have done to the value of a version. */
struct check_phases {
    double chance; /* that they hit everything that decides about it, in all rounds */
    double times;  /* how many times as long it takes then, at most */
};

/* check_compare fills a row but for its intervals and what follows from them, which check_judge finds. */
struct check_row {
    const char *constant; /* its name; NULL: the row is a prediction */
    const char *where;    /* of its piece */
    struct place place;   /* of the prediction */
    bool measured;        /* the values are measured, not predicted: a formula misfits */
    double before, after;
    double standard_error, dof; /* of after - before; nan: not known */
    double log_error, log_dof;  /* of the logarithm of the ratio; nan: not known */
    double weight;
    struct check_phases phases_before, phases_after;
    double ratio, low, high;                /* after / before; nan where it means nothing */
    double difference_low, difference_high; /* of after - before */
    const char
        *why;  /* what the verdict comes from if its interval does not show it; NULL = it does */
    bool open; /* it cannot be told because the interval is too wide */
    enum check_verdict verdict;
    bool worse; /* slower by more than the threshold */
};
/* Whether the interval of the ratio decided about a row, or that of the difference. */
bool check_by_ratio(const struct check_row *row);

struct check_experiment {
    const char *name, *observable, *unit;
    const char *remark; /* why there are no rows, or what else differs; NULL = nothing */
    const char *source; /* "x.c:12-14" of its first region; "" = not known */
    struct check_row *rows;
    size_t nrows;
    bool turns; /* the rounds of both versions were measured by turns */
};

/* The rows of an experiment, not judged yet. */
void check_compare(struct arena *a, const struct check_side *before, const struct check_side *after,
                   struct check_experiment *out);
/* Judges all rows of a check. threshold: a part, 0.05 for 5 %. Returns how many got worse. */
size_t check_judge(struct check_experiment *list, size_t n, double threshold);

#endif
