/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call discover: the formulas of calls and iterations, without a pragma. command.c reads the command line,
 * plan.c chooses the sizes, extra.c further ones that a formula must hold at, build.c builds the program with the compiler's counters, runs.c runs it,
 * counts.c reads what each run counted, chains.c finds counts that are sums of others (heads.c reads the heads of loops) or of arguments of
 * functions (arguments.c), report.c prints, saved.c writes JSON and compares with an earlier one.
 */
#ifndef CALL_DISCOVER_DISCOVER_H
#define CALL_DISCOVER_DISCOVER_H

#include <jansson.h>

#include "base/lookup.h"
#include "base/range.h"
#include "base/text.h"
#include "call/process.h"
#include "call/run/input.h"
#include "call/sweep/vary.h"
#include "discover/discover.h"

/* `argv`: after the command's own name. Returns the exit status. */
int discover_main(const char *const *argv);

/* In a flow of random numbers (flow_random), for two seeds. Sums that hold for both hold in every run. */
struct random_counts {
    uint64_t at[2];
};

struct counted;

/* A count as a sum of other counts, which held in every run: 8*iterations(a.c:12) + 1000*n - 3. */
struct chain {
    const char *text;
    bool is_sure; /* not by the counts alone: EXACT, and else STEPS */
    struct chain_part {
        int64_t factor;
        const struct discover_formula *times; /* a further factor; NULL: none */
        bool entries;                         /* of the loop, and not its iterations */
        const struct counted *of;             /* a copy: the list gets another order */
    } parts[DISCOVER_MOST_PARTS];
    size_t nparts;
    int64_t sizes[DISCOVER_MOST_VARIABLES], constant;
};

/* The text of one function has the name of another one. */
struct regions_mention {
    size_t from, to; /* owners */
};

/* One function, or one loop; or a sum over all calls of a function, all beginnings of a loop, all that is allocated. */
struct counted {
    const char *name; /* of the function */
    const char *file;
    uint32_t line;
    const char *symbol, *path;             /* of a function: as the linker knows it; absolute */
    uint32_t column, end_line, end_column; /* 0: not known; of a loop, end_line alone */
    bool is_loop;
    const char *argument; /* of a sum: what is added up, "n" or "n*m"; NULL: it is no sum */
    const char *sum;      /* the same with its function: "sum(n of sort)" */
    const char *
        where; /* of a sum: "" of arguments; "35" of what the head of a loop has, whose order is `order`; "malloc" */
    bool is_used; /* of a sum: a formula has it */
    size_t owner; /* the same number for a function and its loops */
    size_t order; /* of a loop in its function, from 0 */
    uint64_t *
        at; /* of each row of the plan, of the row that is run again, and of `beyond`; sums lack the last one */
    uint64_t *largest; /* of each row: of the process that has most */
    uint64_t *entries; /* of a loop: how often it was begun, in each row */
    size_t parent;     /* of a loop: the order of the loop around it; SIZE_MAX: none */
    bool one_exit;     /* of a loop: nothing but its condition ends it */
    struct random_counts random, random_entries;
    bool differs;        /* of a function: objects have different graphs of it */
    bool damaged;        /* its counters contradicted each other */
    const char *refused; /* of a function: why it has no region; NULL: nothing forbids it */
    struct discover_formula formula; /* over the numbers of the command line */
    const struct chain *chain;       /* over other counts; NULL: none is exact */
    bool only_given; /* the formula is right at the sizes of --vary alone (extra.c) */
    bool only_below; /* and that is refuted by the size beyond (extra.c): it says `foreseen` */
    double foreseen;
    bool wrong_beyond; /* that size refutes it, or a sum of other counts */
    bool to_beyond;    /* the formula is near the count there as well */
    double here;       /* at the place of the report; nan: not known */
};

/* The counts of all runs (counts.c). */
struct counts_table {
    struct arena *arena;
    size_t nrows; /* room for so many, and one more */
    struct counted *list;
    size_t n, capacity;
    struct lookup by_key;  /* of `list` */
    struct lookup by_path; /* of `notes` */
    struct counts_notes *notes;
    size_t nnotes, cnotes;
    size_t files;     /* data files that were read */
    const char *here; /* the folder to which files are relative */
};

/* What the program executes otherwise than refuted formulas say, as a part of what they say: beyond the sizes, and at the place if the
 * difference grows by a power more than all (extra.c). */
struct extra_change {
    double more, less, more_there, less_there;
    const struct counted *most; /* the count that differs most; NULL: none */
};

/* Steps from the largest sizes to the place. */
enum { DISCOVER_STEPS_BETWEEN = 48 };

/* A function whose own time is known: without the other functions of the list that it calls. */
struct region {
    const struct counted *function;
    size_t instances;            /* so many functions have this body: `function` is one of them */
    const struct counted *calls; /* of all of them together; NULL: there is one */
    const char *name, *label;    /* of its region; of its model */
    bool is_main;                /* the rest of the run, without a region */
    size_t united;               /* not one function, but the sum of so many small ones */
    const struct counted
        *caller; /* a function of the list that calls it; NULL: main, as far as is known */
    const struct counted **work; /* calls and loops that are executed in its own time */
    size_t nwork;
    double *own; /* seconds of each run */
    bool seen;   /* a run executed the region */
    size_t from; /* the first row that its model is about: smaller sizes do something else */
    /* its model */
    const char *formula; /* over its constants; NULL: it is one of `others`, or there is no model */
    bool searched;       /* the formula was not found by counts */
    enum discover_verdict verdict; /* the worst of the terms */
    double *constants;
    size_t nconstants;
    const char **terms; /* what each constant is multiplied by */
    double error;       /* mean, percent */
    /* What a call or an iteration costs, and how many there are at the place: `value` is from these, and not from the formula. 0: it is
     * from the formula. */
    double price, counted;
    double now, share; /* at the largest sizes: seconds, and the part of the run time */
    double value, low, high, share_then;        /* at the place; nan: not known */
    double between[DISCOVER_STEPS_BETWEEN + 1]; /* from the largest sizes to the place */
};

/* Seconds, and the ends of the interval; nan: not known. */
struct times_range {
    double value, low, high;
};

struct times {
    struct region *list; /* the first is main */
    size_t n;
    size_t *row;   /* of each run */
    double *total; /* of each run, seconds */
    size_t nruns, capacity, rounds;
    bool apart; /* several processes leave data files */
    bool ranks; /* processes of one MPI program were measured, whoever started them */
    double pairs,
        pair_seconds; /* of the longest run: executions of regions, and what they cost together */
    double seconds;   /* of measuring */
    size_t largest;   /* the row */
    double now, value, low, high; /* of the whole program */
    bool few;                     /* sizes have times: too few for models */
    bool is_virtual;              /* the machine is, so others make it slower */
    double overlap;               /* own times add up to so many times the run time */
    double rest; /* part of the run time at the largest sizes that is predicted as one thing */
    double not_modelled; /* the same, if nothing describes it */
    double left_cache; /* bytes: the largest cache that the data leave before the place; 0: none */
    double memory_now, memory_then; /* then: bytes of data, at the largest sizes and at the place */
    struct times_range by_counts,
        by_search;              /* the two sums (total.c); the second one may be unknown */
    struct extra_change change; /* of the whole program, beyond the sizes */
    const char *formula;        /* of the whole program, with numbers */
    const char *cpu, *host, *clock;
};

/* How the sizes of a variable that --vary does not have turned out (extra.c). */
enum extra_end { EXTRA_NOT_RUN, EXTRA_FAILED, EXTRA_OTHER, EXTRA_COUNTED };
enum { EXTRA_MOST = 2 };

struct request {
    struct arena *arena;
    /* the command line */
    struct words compiler, cflags, ldflags, sources, command;
    const char *build, *prepare, *launcher_option, *procs_option, *at, *save, *compare, *write,
        *data, *page;
    struct words vary;
    bool has_cflags, json, quiet, counts_only, as_given;
    double limit;    /* seconds */
    unsigned rounds; /* 0: as the times need */
    /* the plan, and its parts */
    struct vary plan;
    const char *names[DISCOVER_MOST_VARIABLES];
    struct range sizes[DISCOVER_MOST_VARIABLES]; /* ascending */
    size_t nvariables;
    size_t processors; /* the variable that is P; SIZE_MAX: none */
    int64_t (*rows)[DISCOVER_MOST_VARIABLES];
    size_t nrows, again; /* the row that is run again */
    int64_t extra[DISCOVER_MOST_VARIABLES]
                 [EXTRA_MOST]; /* sizes that --vary does not have; 0: none */
    enum extra_end extra_end[DISCOVER_MOST_VARIABLES]; /* of the best of them */
    int64_t *
        beyond; /* larger sizes than all others: row nrows + 1, which is among no others; NULL: none */
    enum extra_end beyond_end;
    size_t beyond_wrong; /* formulas that do not hold there */
    double place[DISCOVER_MOST_VARIABLES];
    /* the program */
    const char *temporary, *program; /* NULL: the command names it */
    bool cxx, fortran;               /* how the sources are compiled */
    bool processes, threads;         /* started by a launcher; told its number of threads */
    const char *launcher, *beside;
    struct run_input input;
    /* what was done */
    struct counts_table counts;
    struct counted *arguments; /* sums over all calls of functions (arguments.c) */
    size_t narguments, argument_runs;
    struct regions_mention *mentions;
    size_t nmentions;
    double argument_seconds;
    bool *done;      /* of each row */
    bool extra_runs; /* sizes that --vary does not have are being run */
    size_t ndone;
    bool again_done;
    double seconds;
    double longest; /* of the runs that were counted */
    double spent;   /* seconds of all runs: CPU time, of runs that wait the clock */
    double *cost,
        *memory; /* of each row: the least that a run took, and its memory in bytes; 0: not run */
    int signal;  /* that ended counting or measuring; 0: none */
    size_t left_out; /* counts whose formulas a signal kept from being searched */
    struct times times;
};

/* Had the size that was run again another count? */
static inline bool counted_varies(const struct request *q, const struct counted *c)
{
    return q->again_done && c->at[q->nrows] != c->at[q->again];
}

/* Reads --vary, --procs and --at, and makes the rows. 0, or the exit status after a message. */
int plan_make(struct request *q);
/* The place at which counts are reported: --at, and else the largest sizes of a row that was counted. */
int plan_place(struct request *q);
/* The sizes of a row as a place. */
void plan_place_of_row(const struct request *q, size_t row, double *place);
/* The row that was counted at the place, which may be the one beyond; SIZE_MAX: none. */
size_t plan_row_of_place(const struct request *q);
/* Rows that were counted; the index nrows is the row that was run again, nrows + 1 the one beyond. */
struct plan_rows {
    size_t *list, n;
};
/* From this row on. `given`: those that --vary asks for; `again`: with the one that was run again. */
struct plan_rows plan_rows(const struct request *q, size_t from, bool given, bool again);
/* The same, with the one beyond all others, if it was counted. */
struct plan_rows plan_rows_to_beyond(const struct request *q, size_t from);
/* Their places, and counts at them. In the arena. */
struct discover_points plan_points(const struct request *q, const struct plan_rows *r);
uint64_t *plan_counts(const struct request *q, const struct plan_rows *r, const uint64_t *at);
/* Counts as a text: equal ones have equal formulas, which are found once. */
const char *plan_counts_text(const struct request *q, const uint64_t *counts, size_t n);
/* "n = 100, m = 32". In the arena. */
const char *plan_title(struct request *q, const int64_t *row);
/* The same of the place. */
const char *plan_place_title(struct request *q);

/* Adds rows for each variable whose sizes have something in common, with sizes that lack it (extra.c). */
void extra_plan(struct request *q);
/* The variable for whose sake a row was added; SIZE_MAX: --vary asks for this row. */
size_t extra_variable(const struct request *q, size_t row);
/* Has the place what the sizes of --vary have in common? */
bool extra_is_alike(const struct request *q);
/* Did the program do much more, or much less, than at the sizes below and above? */
bool extra_is_other_work(const struct request *q, size_t row, size_t variable);
/* Is the row such a one, and the formula of the count is wrong there? */
bool extra_refutes(const struct request *q, size_t row, const struct counted *c);
/* A row for sizes beyond the largest ones, if --at is not below these and the program takes such sizes. */
void extra_plan_beyond(struct request *q);
/* Makes that row so many times the largest sizes. May it be counted, by the time and the memory of the other runs? */
bool extra_takes_beyond(struct request *q, double times);
/* Does the sum of other counts hold there, or else the formula? One that does not is refuted. */
bool extra_holds_beyond(struct request *q, struct counted *c);
/* Formulas of counts that depend on data get near the count there as well, or are none. */
void extra_extend_to_beyond(struct request *q);
/* The count there in parts of what the formula says, if it is such a one; else 1. */
double extra_part_beyond(const struct request *q, const struct counted *c);
/* Adds what is executed there alone, of the first n counts; its formula is 0, refuted. */
void extra_add_beyond(struct request *q, const struct counted *never, size_t n);
/* How far what is executed differs. Of these counts, NULL: of all. */
struct extra_change extra_change_beyond(const struct request *q, const struct counted *const *work,
                                        size_t n);
/* Those that hold there. */
size_t extra_count_right_beyond(const struct request *q);
/* The largest number of which all sizes are multiples; and the ratio of neighbours, if all have one that is whole, else 0. */
int64_t extra_divisor(const struct range *sizes);
int64_t extra_ratio(const struct range *sizes);
/* Are there four or more, all of them one or two odd numbers times powers of 2? */
bool extra_few_times_two(const struct range *sizes);

/* Builds the sources, or runs the command of --build. 0, or the exit status after a message. */
int build_counted(struct request *q);
/* The same with the regions of a list (cc/timed.h). */
int build_timed(struct request *q, const char *regions);
/* The same with functions that tell their arguments (cc/told.h). */
int build_told(struct request *q, const char *list);
/* A project gets its own objects back. `links`: and its program, because it could be built. */
void build_restore(struct request *q, bool links);

/* Runs the rows. 0, or the exit status after a message if nothing was counted. */
int runs_make(struct request *q);

/* What a line on the terminal says while the program runs. */
struct runs_progress {
    struct request *q;
    const char *what, *title;
    size_t run, of;
    double begin;
    bool terminal, shown;
    bool hopeless;  /* no run can work */
    bool went_well; /* the last run */
    bool waited;    /* the last run: what it did not compute is its own time as well */
    double cost;    /* the same: its seconds, without those in which other programs had the core */
    double told;    /* the second in which the line was last written (runs_show_part) */
};
struct runs_progress runs_begin(struct request *q, const char *what, size_t runs);
/* For work that is no run: so many parts of it are done; all of them, or SIZE_MAX: it has ended. */
void runs_show_part(struct runs_progress *p, size_t done);
/* Runs the program at a row, with a new folder for what it leaves and these variables in its environment. Returns
 * whether it went well; else a message says why. */
bool runs_one(struct request *q, struct runs_progress *p, size_t row, const char *folder,
              struct words *variables, double *seconds);

void counts_begin(struct counts_table *t, struct arena *a, size_t nrows);
/* Adds what the processes of a run left in the folder, to a row. `apart`: each process has a folder of its own
 * in it. 0, or -1 after a message. */
int counts_add(struct counts_table *t, const char *folder, bool apart, size_t row);
/* Names as programmers write them. */
void counts_name(struct counts_table *t, const char *temporary);

/* Finds counts that depend on data and are sums of others (chains.c). The list keeps its order. */
void chains_find(struct request *q);
/* The same for counts that have no formula yet, with the sums of arguments. */
void chains_find_arguments(struct request *q);
/* Has functions tell their arguments, and finds counts that are sums of these (arguments.c). What goes wrong leaves the counts as
 * they are, after a message. */
void arguments_find(struct request *q);
/* Does the source say how often each of these loops iterates, the innermost first (heads.c)? */
bool heads_say(const struct request *q, const struct counted *const *loops, size_t n);
/* Does its head count, up to whatever bound, and does nothing else end it? */
bool heads_count(const struct request *q, const struct counted *loop);
/* What a person reads about a count: the formula, which may be NULL, and its verdict. */
const char *chains_text(const struct counted *c);
enum discover_verdict chains_verdict(const struct counted *c);
/* What the formula of a count has; of several, the last one. The bound of the loop itself says only which data it goes over. */
enum chains_way { WAY_SIZES, WAY_COUNTS, WAY_ARGUMENTS, WAY_BOUNDS, WAY_OWN_BOUND, WAYS };
enum chains_way chains_way(const struct counted *c);
/* Is a sum that of what the head of a loop has? And of this loop? */
bool chains_is_bound(const struct counted *sum);
bool chains_is_own(const struct counted *sum, const struct counted *loop);

/* Finds the formulas of all counts; those that were never executed are left out. */
void report_formulas(struct request *q);
/* The formula of a count that is not in the table. */
void report_formula(struct request *q, struct counted *c);
/* What was counted at the place, if it was run; else what the formula says. */
double report_here(const struct request *q, const struct counted *c);
/* The same of a sum of arguments, and its value at the place. `by_data`: a factor depends on data, and so does the sum. */
void report_sum(struct request *q, struct counted *c, bool by_data);
void report_print(struct request *q);

/* The report as JSON. The caller releases it. */
json_t *saved_make(const struct request *q);
/* The sizes of a row: {"n": 100}. */
json_t *saved_row(const struct request *q, const int64_t *row);
int saved_write(const struct request *q, json_t *value);
/* Compares with the file of --check, and prints what has changed. Returns the exit status. */
int saved_compare(const struct request *q);

/* A function that is called the same number of times at every size, by one that is called more often at larger sizes, is called
 * under a condition, which other sizes may fulfil more often; the same for a loop. A loop that does not count may also iterate
 * more often there. Such constants are not EXACT, but STEPS (regions.c). */
void regions_doubt_constants(struct request *q);
/* Where a line begins in a text, from 1 on; its end if it has fewer. */
const char *regions_line(const char *text, uint32_t line);
/* Where the name of a function says that it is a lambda, "::{lambda(int)#1}::operator()(int) const" in one of another function; NULL:
 * it is none. */
const char *regions_lambda(const char *name);
/* What a call of a function looks like: the last part of its name; in lower case for Fortran. No call of a lambda looks alike. */
const char *regions_call_name(struct arena *a, const struct counted *c);
/* Which function mentions which other one in its text, as owners. In the arena. */
struct regions_mention *regions_mentions(struct request *q, size_t *n);
/* A name without what c++filt writes for namespaces that have none. */
const char *regions_named_part(struct arena *a, const char *name);
/* Which functions are measured apart (regions.c). Writes the list for the compiler (cc/timed.h); NULL after a message. */
const char *regions_choose(struct request *q);
/* After the rounds: leaves out regions that were not executed, notes which functions could have none, and finds what is
 * executed in the time of each. */
void regions_settle(struct request *q);

/* The calls of a region: of all functions that have its body. */
const struct counted *regions_calls(const struct region *r);

/* Measures in rounds (rounds.c). What a run adds is in `times`; if there is nothing, a message says so. */
void rounds_make(struct request *q);
/* May the row run in this round? All runs together have a budget. */
bool rounds_affords(const struct request *q, size_t row, size_t round);

/* Adds a run that left its data files in the folder; its whole time as seen from outside, which counts if no region was executed,
 * and whether it waited. 0, or
 * -1 after a message (times.c). */
int times_add(struct request *q, const char *folder, size_t row, double seconds, bool waited);
/* Writes the times as a data file for llac. 0, or -1 with errno. */
int times_write(const struct request *q, const char *path);

/* Fits the models, and predicts at the place (models.c). */
void models_make(struct request *q);
/* The size of a variable after so many steps from the largest sizes to the place. */
double models_size_between(const struct request *q, size_t variable, double steps);

/* The interval of the run time allows for data that leave these caches, before the place or between the sizes (memory.c). */
void memory_judge(struct request *q, const double *caches, size_t n);
/* Does the system say that the machine is a virtual one? */
bool memory_is_virtual(void);
enum { MEMORY_MOST_CACHES = 8 };
/* Bytes of the caches from the second level on, as the system tells; their number. */
size_t memory_caches(struct arena *a, double *bytes);

/* What each of P processes has of a count: "n^2" of "n^2*P", "n/P" of "n". In the arena. */
const char *models_of_process(struct arena *a, const char *text);

/* Writes a patch that puts regions with the formulas around the functions that matter (write.c). 0, or 1 after a
 * message. */
int write_patch(struct request *q);

/* Writes the page of --report (tree.c). 0, or 1 after a message. */
int tree_write(struct request *q);

/* The functions and the run time as text, and as JSON (table.c). */
void table_print(struct request *q);
/* A name of C++ without its parameters and the type of its value. */
const char *table_short_name(struct arena *a, const char *name);
void table_json(const struct request *q, json_t *root);
/* Adds "+ 2.1e-09*n^2" to a sum; nothing if the factor is not positive. */
void table_add_term(struct text *t, double factor, const char *term);

#endif
