/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of an interpreter: data, filters, definitions, fits; and how commands are run on it. */
#ifndef LLAC_SESSION_H
#define LLAC_SESSION_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/text.h"
#include "carry/report.h"
#include "llac/cursor.h"
#include "machine/machine.h"
#include "model/compose.h"
#include "model/fit.h"
#include "data/load.h"

/* A fit that was asked for. The model is made again when what it rests on has changed. */
struct fit_state {
    const char *experiment, *observable;
    const struct formula *formula;
    const char *formula_text;
    const struct source *source;
    struct condition *conditions; /* of this fit alone */
    size_t nconditions;
    bool nonneg;
    struct interval_request intervals;
    bool searched;       /* the formula is one that a search found */
    bool asked;          /* by fit or search; otherwise another command needed it */
    struct arena *arena; /* of the model; NULL when there is none */
    struct model *model;
};

/* A part of an experiment's samples that a command named: "f@level=3". */
struct session_part {
    struct arena *arena;
    const struct experiment *experiment;
};

/* 'fit NAME by VAR': there is one model for each value of the variable, or for each version. */
struct fit_group {
    const char *experiment, *observable;
    const char *by;           /* a variable, or "version" */
    const char *const *names; /* of its fits, the sets of constants: f@level=3, f@before */
    size_t n;
};

struct named_formula {
    const char *name, *text;
    const struct formula *formula;
};

/* How samples become the values that are fitted: the commands statistic, ranks, rounds, disturbed,
 * outliers. */
struct preprocessing {
    enum statistic statistic;
    enum rank_rule ranks;
    double rank; /* RANKS_ONE */
    size_t skip_rounds;
    bool keep_first, keep_disturbed;
    bool keep_outliers;
};

struct pager;
struct undo;

/* A command that was run, as it was written. */
struct past_command {
    const char *text;
    bool failed;
};

/* What commands change and undo takes back. Its lists are never changed in place: a copy of it keeps them. */
struct session_state {
    struct preprocessing prepare;
    struct condition *conditions;
    const char **condition_texts;
    size_t nconditions;
    struct named_formula *lets;
    size_t nlets;
    struct compose_definition *defines; /* in the session's arena, as the groups */
    size_t ndefines;
    struct fit_group *groups;
    size_t ngroups;
    const struct machine *machine;       /* the one in use, in an arena of its own, or NULL */
    const struct formula_machine *terms; /* the same for formulas */
    struct arena *machine_arena;
    const struct report **counts; /* what 'call count' counted, in an arena of their own */
    size_t ncounts;
    struct arena *counts_arena;
    unsigned long
        data_version; /* which data set the session has: another number after each load and merge */
};

enum { SESSION_MOST_RUNNING = 9 }; /* a text, and the scripts that it sources */

struct session {
    struct arena *arena; /* texts of commands and all that was parsed from them */
    struct dataset *data;
    FILE *out;
    struct pager *pager; /* of long output on a terminal; NULL: none */
    bool json, interactive, quit;
    bool worse;       /* a check found something that got worse: the exit status is 1 */
    bool terminal;    /* the output is a terminal */
    bool one_command; /* nothing but this command is run: its place would say nothing */
    struct session_state now;
    struct fit_state given;     /* the conditions of the running command alone (read_where) */
    struct fit_state **passing; /* the fits of the running command alone, with these conditions */
    size_t npassing;
    struct fit_state *
        *fits; /* at most one per experiment and observable; the last fit comes last */
    size_t nfits;
    struct session_part *parts;
    size_t nparts;
    unsigned long last_version; /* the largest data_version so far */
    struct undo *undo;          /* what undo takes back (undo.h) */
    const char *repeat;         /* what repeats the running command; NULL: its own text does */
    struct past_command *history;
    size_t nhistory, chistory;
    struct dataset *aside; /* the session's data while other data is read; NULL otherwise */
    FILE *shown;           /* the session's output while commands are repeated; NULL otherwise */
    size_t nrunning;       /* texts: one, and the scripts that it sources */
};

struct session *session_create(FILE *out);
void session_destroy(struct session *s);

/* Runs all commands of the text. Messages go to stderr. Stops at the first error unless `go_on`.
 * Returns 0, or -1 if a command failed. The text is copied. */
int session_run(struct session *s, const char *name, const char *text, size_t size, bool go_on);

/* Loads or merges files; `replace` forgets the data there was. All or nothing. */
int session_load(struct session *s, char *const *paths, size_t n, bool replace,
                 const struct load_options *options, struct arena *arena, struct diag *diag);

/* Other data is to be read in place of the session's, by session_repeat; and the end of it, with the
 * session's data again if `back`. */
void session_set_aside(struct session *s);
void session_take_aside(struct session *s, bool back);

/* Runs the commands of a text once more, without output, warnings and steps for undo. 0, or -1 after
 * messages on stderr. */
int session_repeat(struct session *s, const char *text, struct arena *arena);

/* Uses a machine from now on, by its name or the path of its file; NULL: none. Fits are made again. 0, or
 * -1 with an error. */
int session_use_machine(struct session *s, const char *name, struct arena *arena,
                        struct diag *diag);

/* Something the fits rest on has changed. */
void session_stale(struct session *s);
/* A fitted model of this observable, with the conditions of the running command; NULL: of the one that the last fit or search of the experiment
 * was about. Without a fit, of the formula of the data. What the last fit was stays as it is. NULL on
 * error. */
struct model *session_model(struct session *s, const char *experiment, const char *observable,
                            struct diag *diag);
/* The state of this model, which may have no model yet. */
struct fit_state *session_model_state(struct session *s, const char *experiment,
                                      const char *observable);
/* Fits (again) what `state` describes. */
struct model *session_fit(struct session *s, struct fit_state *state, struct diag *diag);
/* The state of this experiment and observable, made when there is none. */
struct fit_state *session_state(struct session *s, const char *experiment, const char *observable);
/* NULL without one; observable NULL: that of the last fit or search. */
struct fit_state *session_find_state(struct session *s, const char *experiment,
                                     const char *observable);
/* The experiment of this name, or the part of one: f, f@before, f@level=3, f@before@level=3. NULL
 * without one, or if several versions have it. */
const struct experiment *session_find(struct session *s, const char *name);
/* Whether any version has an experiment of this name. If session_find finds none, several have it. */
bool session_has_versions(const struct session *s, const char *name);
/* Forgets the parts, whose samples are copies. */
void session_forget_parts(struct session *s);
/* How the experiment was fitted by parts; NULL = it was not, or not since then. */
const struct fit_group *session_group(const struct session *s, const char *experiment,
                                      const char *observable);
/* The experiment, or NULL with an error that names those there are. */
const struct experiment *session_experiment(struct session *s, const struct cursor *c,
                                            const char *name, struct span where);
/* The names of the experiments, or of the versions of one of them (NULL: all), as far as they are not too many. */
void session_list_names(const struct session *s, const char *base, struct text *out);
/* The labels of the versions, which names such as f@LABEL have, ended by NULL. In the arena. */
const char *const *session_labels(const struct session *s, struct arena *a);
/* The error where the name of an experiment should be, with those there are. Always -1. */
int session_name_missing(const struct session *s, const struct cursor *c);
/* Definitions as the model wants them. */
struct definitions session_definitions(struct session *s, struct arena *a);
/* The session's conditions, followed by those of a fit. */
struct condition *session_conditions(struct session *s, struct arena *a,
                                     const struct fit_state *state, size_t *n);

/* What points of this experiment are asked for: the session's preprocessing and conditions (with
 * those of a fit, if any). */
struct points_request session_points(struct session *s, struct arena *a, const struct experiment *e,
                                     const char *observable, const struct fit_state *state);
/* The same for a fit; of `state`, if any, also the formula and how it is fitted. */
struct fit_request session_fit_request(struct session *s, struct arena *a,
                                       const struct experiment *e, const char *observable,
                                       const struct fit_state *state);

/* 0 if the value of a point is one that an execution may have; else (it is how samples spread) -1 with an
 * error that says that `what` needs such values. */
int session_need_values(const struct session *s, struct diag *diag, const char *what);

/* Whether the output may have colours: it is a terminal, and NO_COLOR is not set. */
bool session_has_colour(const struct session *s);

/* The columns of the terminal, at least 40; 0 if the output is none. */
int session_columns(const struct session *s);

/* Set by SIGINT: the command ends, and those after it in the same text are not run. The prompt clears
 * it. */
extern volatile sig_atomic_t session_interrupt;

#endif
