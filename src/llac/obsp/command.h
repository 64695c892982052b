/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the command obsp was asked and has found, for its output. */
#ifndef LLAC_OBSP_COMMAND_H
#define LLAC_OBSP_COMMAND_H

#include <jansson.h>

#include "llac/obsp/models.h"
#include "llac/obsp/picture_command.h"
#include "llac/cursor.h"
#include "llac/session.h"
#include "obsp/critical.h"
#include "obsp/skip.h"
#include "obsp/startup.h"

/* Whose W is changed. */
struct obsp_slower {
    int process;
    double factor;
};

/* 'replace': what processes compute in these supersteps, from 1. */
struct obsp_replace {
    size_t first, last;
    struct span where, value; /* of the words, of the formula */
    const struct formula *formula;
};

struct obsp_asked {
    const char *path;
    bool trace;                      /* else a notation */
    struct obsp_values values;       /* of the parameters of a notation */
    const struct machine *machine;   /* NULL: none was named */
    struct obsp_asking *asking;      /* the models of the session */
    double g, L;                     /* NAN: not given */
    struct obsp_fitted *g_by, *L_by; /* what they depend on; NULL = nothing */
    double times_g, times_L, times_W;
    struct obsp_slower *slower;
    size_t nslower, room_slower;
    struct obsp_replace *replace;
    size_t nreplace, room_replace;
    enum obsp_h_rule h;
    int pattern; /* enum obsp_pattern; -1: not given */
    size_t skip; /* supersteps that are taken as measured */
    struct span skip_where;
    bool skip_startup; /* those of the start-up; then their number becomes `skip` */
    bool all;          /* supersteps are shown */
    /* g and L from the trace: whether 'costs' says how, and that each process has its own */
    bool costs, by_process;
    enum obsp_average average;
    bool what_if;
    struct picture_words picture;
};

/* What explains an error: other words of the command, and the OBSP* time with them (NAN: nothing does). */
struct obsp_proposal {
    size_t skip; /* 0: not proposed */
    bool by_process;
    double obsp;
};

struct obsp_report {
    const struct obsp_asked *asked;
    const struct obsp_costs *costs;
    struct obsp_request request; /* its visitors are gone */
    struct obsp_result result;
    struct obsp_critical critical;
    bool fitted; /* the OBSP* time depends on experiments: */
    struct composed interval;
    struct obsp_skip skip; /* if supersteps are taken as measured */
    /* What was found without 'skip': supersteps of the start-up (0 = none), how much longer they take than such
     * supersteps usually do. */
    size_t startup;
    double startup_seconds;
    /* Synchronisations with a stalled message, seconds of a process in them; 0 if that is not worth saying. */
    size_t stalled;
    double stalled_seconds;
    struct obsp_proposal proposal;
    struct obsp_superstep *supersteps; /* the shown ones, in order */
    size_t nsupersteps;
    size_t capacity;
};

/* The value after NAME=, a formula over the values that were given before, and what it depends on. 0, or -1 with an
 * error. */
int obsp_read_value(struct cursor *c, const struct obsp_asked *asked, const char *name,
                    double *value, struct obsp_fitted **by);
/* What follows a word of the command, which is at this place. 0, or -1 with an error. */
typedef int obsp_reader(struct cursor *c, struct span word, struct obsp_asked *out);
/* K [to K] by FORMULA. */
obsp_reader obsp_read_replace;
/* What is replaced, of each process (*out is NULL if nothing is). The source is read. 0, or -1 with an error. */
int obsp_find_replaced(struct cursor *c, const struct obsp_asked *asked, struct obsp_source *source,
                       const struct obsp_replacements **out);
/* NAME = VALUE of a parameter of a notation, after its name was read. 1; 0 if this is something else;
 * -1 with an error. */
int obsp_read_parameter(struct cursor *c, const char *name, struct span where,
                        struct obsp_asked *out);
/* A notation asks the machine that the command names, else the one in use. */
void obsp_use_machine(const struct session *s, struct cursor *c, struct obsp_asked *asked);
/* The file from its beginning; NULL with an error. */
struct obsp_source *obsp_open(const struct obsp_asked *asked, struct cursor *c);
/* Initial times of the processes; NULL if all begin at 0. 0, or -1 with an error. */
int obsp_initial_times(struct cursor *c, struct obsp_source *source, const double **out);

/* What follows the word 'obsp' in a report: the words of the command, without a file to draw into. *data gets the
 * data of the picture, with the result of the command. 0, or -1 with an error. */
int obsp_picture_data(struct session *s, struct cursor *c, json_t **data);

enum { OBSP_SHOWN = 12 }; /* supersteps, if not all are shown */

void text_obsp(FILE *out, const struct obsp_report *r);
json_t *json_obsp(const struct obsp_report *r);
/* 100 (measured - predicted) / measured; nan if nothing was measured, or if it was asked what would
 * be. */
double obsp_error(const struct obsp_report *r, double predicted);

#endif
