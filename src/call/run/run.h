/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of one `call run`, and its steps: run.c reads the command line and builds the program
 * (built.c reads one that is built already), rounds.c runs it, command.c is for commands that run
 * several programs, sweep.c runs it on several numbers of processors, result.c and advice.c print the
 * result.
 */
#ifndef CALL_RUN_RUN_H
#define CALL_RUN_RUN_H

#include "call/cc/cc.h"
#include "call/options.h"
#include "call/run/data.h"
#include "call/run/input.h"
#include "call/run/limits.h"
#include "call/run/simulate.h"
#include "call/sweep/vary.h"

/* What is shown about how far the rounds have come (progress.c). */
struct run_progress {
    bool terminal; /* a bar, not lines */
    bool shown;    /* the bar is in the last line of the terminal */
    double begin;  /* of the rounds, and of the one that is running */
    double round;
    double said; /* when the last plain line was written */
    const char *title;
    const char *log; /* of the sweep that is running; NULL: none */
    /* of settings without numbers of processors: the one that is running, and how many of how many ended */
    const char *place;
    size_t ended, all;
    bool counters; /* these rounds measure counters */
    bool running;  /* a round is running */
    bool judged;   /* `part` is known: how well the points are known */
    double part;
};

struct run {
    struct arena *arena;
    const char *self; /* the command, for messages: "call run" */
    /* the command line */
    struct words compiler, cflags, ldflags, sources, arguments;
    const char *outdir, *procs_option, *launcher_option;
    const char *baseline_option; /* --baseline: a source, a folder or a program; NULL = none */
    const char *observe;         /* CPUTIME; NULL = what the pragmas name */
    const char *counters;        /* of --counters; NULL = what the pragmas name */
    const char *report;          /* the file of --report; NULL = none */
    struct {
        const char *model;  /* of --verify; NULL = none */
        struct words files; /* of it */
        struct words at;    /* of --at: "N=1048576" */
    } verify;
    struct simulation simulation;
    struct run_limits limits;
    struct words vary_options; /* of --vary */
    struct vary vary;          /* the settings; no rows: the arguments are as they are */
    bool keep, quiet, oversubscribe;
    bool live;           /* show the constants while measuring */
    bool full;           /* --full: print every fit in full */
    bool chose_cxx;      /* the compiler is the default one of C++ */
    bool fortran;        /* a source is Fortran */
    const char *keep_in; /* --keep: the folder; NULL = beside the data */
    bool has_cflags;     /* --cflags was given */
    struct words marks;  /* for the compiler: what call count adds */
    struct words under;  /* a command that runs the program: valgrind; empty = none */
    unsigned limit;      /* seconds of a run; 0 = none */
    /* another version, measured with this one (baseline.c) */
    struct run *baseline; /* NULL = none */
    const char *prebuilt; /* the program itself: it is not built; NULL = none */
    bool takes_programs;  /* call run, not call count */
    bool is_built;        /* the command line names a program, not its sources */
    bool instrumented;    /* is_built: it has the run-time */
    /* the command line has a command; its programs (command.c) */
    bool is_command;
    struct run **programs;
    size_t nprograms, cprograms;
    const char *build;       /* of a program of a command: its build-id */
    const char *data_outdir; /* with a baseline: where the data files go in the end */
    /* the program */
    const char *program, *program_name, *temporary;
    const char *name; /* of the data files */
    struct cc_program kind;
    bool has_pragmas;
    struct range procs;   /* of the sweep; n = 0: the program is run once in a round, as it is */
    const char *launcher; /* its name, or the user's command with {P} */
    const char *beside;   /* the folder in which it is looked for first; "" = none */
    const char *further;  /* options for it, as words of a shell; "" = none */
    /* what was done */
    struct run_input input;
    struct run_progress progress;
    struct live *constants; /* of --live */
    struct run_data data;
    struct words files; /* the data files, at their final places */
    struct words parts; /* the folders of incomplete runs of a sweep */
    struct words notes; /* what libcll said in rounds whose output is not shown */
    unsigned done;      /* rounds run */
    unsigned timed;     /* the rounds that measured time, and the seconds that they took */
    double seconds;
    bool earlier;           /* there were data files of this name before */
    unsigned empty;         /* runs without a sample */
    const char *all;        /* the command of llac that fits these and the earlier ones */
    const char *last;       /* of a sweep: the last round, as the names of its files count */
    bool *dropped;          /* per place of the sweep (run_nplaces): it failed and is run no more */
    bool *tried;            /* per place of the sweep: it was run */
    unsigned last_measured; /* of a program of a command: 1 + the last round in which it measured */
    bool failed;
    bool lost; /* a data file could not be written: no further run is made */
};

/* One word of a command of llac: what comes from a data file must not become more. */
bool run_is_word(const char *s);
/* The quote that is not in a name, for a command of llac; 0 if it has both. */
char run_quote_for(const char *name);

/* An option that call run and call count have in common. Returns whether it is one. */
bool run_take_option(struct run *r, struct option_reader *o, enum option id);

/* Checks what both commands were asked for. 0, or the exit status after a message. */
int run_check_request(struct run *r);

/* Makes the temporary folder. Then: builds the program, chooses the launcher and plans the sweep. 0, or
 * the exit status after a message. */
int run_begin(struct run *r);
int run_prepare(struct run *r);

/* Says that the limit of a run was reached. */
void run_report_limit(const struct run *r);

/* No run left data: says why. Returns the exit status. */
int run_explain_nothing(const struct run *r, int signal);

/* Runs the program in rounds until the limits are reached. Returns the judgement of the timed
 * rounds. */
struct run_verdict run_rounds(struct run *r);

/* The places of a sweep: each number of processors with each row of the settings. 0: there is one run in a round. */
size_t run_nplaces(const struct run *r);
/* "P = 4, n = 100", "n = 100". In the arena. */
const char *run_place_title(const struct run *r, size_t place);
/* NAME=NUMBER of each setting of a row for the environment: "CLL_SETTINGS=n=100 m=32", after what the user set. */
const char *run_settings(const struct run *r, const int64_t *row);

/* Checks that the sweep can be made here, and chooses its numbers of processors. 0, or -1 after a
 * message. */
int run_sweep_plan(struct run *r);

/* One round of the sweep, with these further variables in its environment. */
void run_sweep_round(struct run *r, const struct words *variables);

/* Seconds of a clock that is never set. */
double run_now(void);

/* The display of the progress: before all rounds; at the start and the end of each round (v NULL: the
 * values were not judged after it); while a program runs; and before anything else is written. */
void run_progress_begin(struct run *r);
void run_progress_round(struct run *r, const char *title, bool counters);
void run_progress_rest(struct run *r, const struct run_verdict *v);
void run_progress_tick(void *run);
void run_progress_clear(struct run *r);

/* --live: fits what was measured so far and shows the constants, unless that was done a moment ago
 * (live.c). */
void live_show(struct run *r, const struct run_verdict *v);

/* Loads a new data file for the judgement of steadiness. */
void run_add_file(struct run *r, const char *path);

/* Copies a data file to the first free name of the run. Returns its place, or NULL after a message. */
const char *run_place_file(struct run *r, const char *from);

/* Whether a formula of the data is fitted: with --observe those of another observable are not. */
bool run_wants(const struct run *r, const struct run_formula *f);

/* What llac calls the values of a formula: NAME, or NAME on OBSERVABLE. */
const char *run_subject(struct arena *a, const struct run_formula *f);

/* llac runs a command on data files; its output is a part of ours. Whether it worked. */
bool run_llac(struct run *r, const char *command, const struct words *files);

/* The command of llac that fits the data files of all runs. */
const char *run_fit_all(const struct run *r);

/* Judges the values of the timed rounds; those of all programs of a command. And those of some data alone. */
struct run_verdict run_judge(const struct run *r);
struct run_verdict run_judge_data(const struct run *r, const struct run_data *d,
                                  enum run_judged which);

/* FOLDER/NAME; a name must not look like an option. */
const char *run_path(struct arena *a, const char *folder, const char *name);

/* The last line of the output: whether the values are steady, and what to do if not (advice.c). In the
 * arena. */
const char *advice_line(const struct run *r, const struct run_verdict *v);

/* Whether the report that --report asks for can be written. 0, or the exit status after a message. */
int run_check_report(const struct run *r);

/* Prints what was run and the fits, and writes the report. `signal`: what ended the rounds early, 0 = nothing. Returns the
 * exit status. */
int run_results(struct run *r, const struct run_verdict *v, int signal);

#endif
