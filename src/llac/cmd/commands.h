/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands: the one place that parser, help, completion, manual and tests take them
 * from. */
#ifndef LLAC_CMD_COMMANDS_H
#define LLAC_CMD_COMMANDS_H

#include <jansson.h>

#include "base/range.h"
#include "llac/session.h"

/* Reads its arguments from the cursor, which is after the command's name. Returns 0, or -1
 * with a message in the cursor's diag. */
typedef int command_function(struct session *s, struct cursor *c);

struct command {
    const char *name;
    const char *usage;   /* "fit NAME [= FORMULA] ..." */
    const char *summary; /* one line */
    const char *details; /* help NAME; lines of at most 78 characters */
    command_function *run;
};
extern const struct command commands[]; /* ended by a NULL name */

/* NULL if there is none; quit has the second name exit. */
const struct command *command_find(const char *name);
/* The words of small letters in its usage, ended by NULL: "on", "where"; one that = follows has it:
 * "time=". In the arena. */
const char **command_keywords(const struct command *k, struct arena *a);
/* Reports that there is no such command, and which one may be meant. Returns -1. */
int command_unknown(const struct cursor *c, const char *name, struct span where);

command_function command_help, command_quit, command_load, command_merge, command_list,
    command_show, command_where, command_let, command_define, command_derive, command_statistic,
    command_ranks, command_rounds, command_disturbed, command_outliers, command_fit,
    command_predict, command_table, command_explain, command_plot, command_save, command_export,
    command_search, command_compare, command_advise, command_machine, command_counts, command_obsp,
    command_report, command_rank, command_check;
command_function command_undo, command_history, command_source;
/* Whether the file is one that was loaded, under whatever name. */
bool is_loaded(const struct dataset *d, const char *path);
/* save session FILE: the cursor is after these two words. */
int save_session(struct session *s, struct cursor *c);

/* The keywords that end a formula or a condition inside a command. */
extern const char *const fit_keywords[];
/* `where CONDITION` up to the next keyword: parsed, definitions replaced, in the session's arena. 0
 * or -1. */
int read_condition(struct session *s, struct cursor *c, struct condition *out, const char **text);
/* The same up to one of these words. */
int read_condition_until(struct session *s, struct cursor *c, const char *const *words,
                         struct condition *out, const char **text);

/* Parts that several commands have. Each returns 0, or -1 (NULL) with a message. */
/* NAME of an experiment that is there. */
const struct experiment *read_experiment(struct session *s, struct cursor *c);
/* [on OBS] */
int read_observable(struct cursor *c, const char **observable);
int check_observable(struct session *s, struct cursor *c, const struct experiment *e,
                     const char *observable);
/* A number that is not negative; with `percent` a % may follow. */
int read_number(struct cursor *c, const char *what, bool percent, double *value);
/* A time that is not negative: 60s, 5min, 0.5h, 100ms. */
int read_time(struct cursor *c, const char *what, double *seconds);
/* One of: on OBS, where CONDITION, nonneg, intervals ..., max K, threshold X%. 1 if it was one, 0
 * if something else comes next. */
int read_fit_option(struct session *s, struct cursor *c, struct fit_state *state);
/* Values of variables that a command names. */
enum { MOST_VARIABLES = 256 };
struct given_place {
    const char *names[MOST_VARIABLES];
    double values[MOST_VARIABLES];
    size_t n;
};
/* One VAR=VALUE, added to the place. */
int read_place_value(struct cursor *c, struct given_place *out);
/* The places of predictions: per variable a list of values. */
struct assignments {
    const char **names;
    struct range *values;
    struct span *spans; /* of the names */
    size_t n, rows;     /* rows = product of the lengths */
};
/* VAR=VALUES..., up to the end or one of the words (ended by NULL). */
int read_assignments(struct cursor *c, const char *const *words, struct assignments *out);
/* Every name given must be a variable of the data or a definition. 0, or -1 with an error. */
int predict_check_names(const struct cursor *c, const struct model *m,
                        const struct assignments *given);
/* Prints the predictions of a model at all rows, or adds them to the list with --json. */
int predict_rows(struct session *s, struct cursor *c, const struct model *m,
                 const struct assignments *given, json_t *list);
/* Row r of the product; the last variable runs fastest. */
void assignment_row(const struct assignments *a, size_t r, double *values);
/* After 'on': MACHINE [scaling CONSTANT by RULE, ...], and the predictions for it. */
int predict_on_machine(struct session *s, struct cursor *c, const struct model *m,
                       const struct assignments *given);
/* After 'before': running [on MACHINE], and the predictions. */
int predict_before(struct session *s, struct cursor *c, const char *name, struct span where,
                   const struct assignments *given);
/* Pairs of a command and a word that may follow it, for ranks, rounds and outliers; ended by NULL.
 */
extern const char *const prepare_words[];
/* Print an experiment as `list` does, and the files as `show` does. */
void text_experiment(FILE *out, const struct dataset *d, const struct experiment *e);
void show_files(struct session *s);

#endif
