/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call discover: the command line, and the steps. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/printable.h"
#include "call/cc/language.h"
#include "call/cc/runtime.h"
#include "call/cc/translate.h"
#include "call/discover/discover.h"
#include "call/version.h"
#include "call/options.h"
#include "call/run/limits.h"

#define DEFAULT_LIMIT 600.0

static void print_help(void)
{
    printf(
        "usage: call discover --vary NAME=RANGE [OPTIONS] FILE.c... [-- PROGRAM'S ARGUMENTS]\n"
        "       call discover --vary NAME=RANGE [OPTIONS] --build COMMAND -- PROGRAM [ARGUMENTS]\n\n"
        "Compiles the program with the compiler's counters, runs it at every size, which replaces {NAME} in its "
        "arguments,\n"
        "and finds the formulas of the calls of every function and of the iterations of every loop. A formula "
        "is exact if it\n"
        "gives the count at every size, and there are two sizes more than it has unknowns. Then measures the own "
        "times of functions\n"
        "in rounds, and predicts them and the run time at the sizes of --at.\n\n"
        "options:\n");
    options_help(stdout, COMMAND_DISCOVER);
}

static int usage(const char *what)
{
    return SAY_STATUS(2, "call discover: %s; see 'call discover --help'\n", what);
}

static int read_limit(struct request *q, const char *value)
{
    if (!limits_read_time(value, &q->limit) && q->limit >= 1 && q->limit < 1e9)
        return -1;
    say("call discover: --limit: '%s' is not a time of at least 1 s; write 30s, 10m or 2h\n",
        value);
    return 2;
}

static int read_rounds(struct request *q, const char *value)
{
    if (!limits_read_rounds(value, &q->rounds))
        return -1;
    say("call discover: -n: '%s' is not a number of rounds from 1 to %d\n", value,
        LIMITS_MOST_ROUNDS);
    return 2;
}

/* Reads the options. -1 = go on, else the exit status. */
static int read_options(struct request *q, const char *const *argv)
{
    struct option_reader o = {.command = COMMAND_DISCOVER, .argv = argv};
    struct arena *a = q->arena;
    int status = -1;
    while (status < 0) {
        switch (options_next(&o)) {
        case OPTION_DONE: return -1;
        case OPTION_REST: words_add_list(a, &q->command, o.argv); return -1;
        case OPTION_FILE: words_add(a, &q->sources, o.value); break;
        case OPTION_CC: words_split(a, &q->compiler, o.value); break;
        case OPTION_PREPROCESSOR: words_printf(a, &q->cflags, "%.2s%s", o.name, o.value); break;
        case OPTION_CFLAGS:
            q->has_cflags = true;
            words_split(a, &q->cflags, o.value);
            break;
        case OPTION_LDFLAGS: words_split(a, &q->ldflags, o.value); break;
        case OPTION_VARY: words_add(a, &q->vary, o.value); break;
        case OPTION_PROCS: q->procs_option = o.value; break;
        case OPTION_LAUNCHER: q->launcher_option = o.value; break;
        case OPTION_BUILD: q->build = o.value; break;
        case OPTION_PREPARE: q->prepare = o.value; break;
        case OPTION_AT: q->at = q->at ? arena_printf(a, "%s,%s", q->at, o.value) : o.value; break;
        case OPTION_SAVE: q->save = o.value; break;
        case OPTION_COMPARE: q->compare = o.value; break;
        case OPTION_LIMIT: status = read_limit(q, o.value); break;
        case OPTION_COUNTS: q->counts_only = true; break;
        case OPTION_AS_GIVEN: q->as_given = true; break;
        case OPTION_ROUNDS: status = read_rounds(q, o.value); break;
        case OPTION_WRITE: q->write = o.value; break;
        case OPTION_DATA: q->data = o.value; break;
        case OPTION_REPORT: q->page = o.value; break;
        case OPTION_JSON: q->json = true; break;
        case OPTION_QUIET: q->quiet = true; break;
        case OPTION_HELP: print_help(); return 0;
        case OPTION_VERSION: version_print(); return 0;
        default: return 2;
        }
    }
    return status;
}

static int check_sources(const struct request *q)
{
    int status = 0;
    for (size_t i = 0; i < q->sources.n; i++)
        status |= !source_is_readable("call discover", q->sources.list[i]);
    return status;
}

/* Before runs that may take minutes. */
static int check_files(const struct request *q)
{
    const char *const written[] = {q->save, q->write, q->data, q->page};
    if (q->compare && access(q->compare, R_OK))
        return SAY_STATUS(1, "call discover: --check: cannot read %s: %s\n", q->compare,
                          strerror(errno));
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        struct destination d;
        int error = 0;
        if (!written[i])
            continue;
        if (destination_find(&d, written[i])) {
            error = errno;
        } else { /* a file is replaced, anything else is written as it is */
            bool is_file = !d.there || S_ISREG(d.st.st_mode);
            error = is_file && faccessat(d.folder, ".", W_OK, 0) ? errno : 0;
            destination_forget(&d);
        }
        if (error)
            return SAY_STATUS(1, "call discover: cannot write %s: %s\n", written[i],
                              destination_error(error));
    }
    return 0;
}

/* Counts alone are the same on every machine: a saved file, and a comparison with one, have no times. */
static bool has_times(const struct request *q)
{
    return !q->counts_only && !q->save && !q->compare;
}

static int check_request(struct request *q)
{
    if (q->build && q->sources.n)
        return usage(
            "--build builds the program: give no sources, and after '--' the command that runs "
            "it: -- ./program {n}");
    if (!q->sources.n && !q->command.n)
        return usage(q->build ? "the command that runs the program is missing: give it after '--'"
                              : "no source given");
    if (q->launcher_option && !q->procs_option)
        return usage("--launcher needs --procs");
    if ((q->write || q->data || q->page) && !has_times(q))
        return usage(
            "--write, --data and --report need times: leave out --counts, --save and --check");
    if (q->compare && q->json)
        return usage("--check and --json contradict each other: give one of them");
    if (!q->has_cflags)
        words_add(q->arena, &q->cflags, "-O2");
    if (q->page && !runtime_program(q->arena, "llac"))
        return usage("--report needs llac, which is not in the folder of call");
    int status = check_sources(q) || check_files(q);
    if (!status)
        status = plan_make(q);
    return status ? status : plan_place(q);
}

/* ---- the steps ---- */

/* What was run until a signal is still worth a report. */
static void keep_signal(struct request *q)
{
    if (process_signal())
        q->signal = process_signal();
    process_forget_signal();
}

/* A project gets its own objects back, however the steps ended. */
static void give_back(struct request *q, bool links)
{
    keep_signal(q);
    if (q->build)
        build_restore(q, links);
}

static int measure(struct request *q)
{
    double caches[MEMORY_MOST_CACHES];
    const char *regions = regions_choose(q);
    int status = !regions || build_timed(q, regions) ? 1 : 0;
    if (!status)
        rounds_make(q);
    give_back(q, true);
    if (status || !q->times.nruns)
        return status;
    regions_settle(q);
    q->times.is_virtual = memory_is_virtual();
    models_make(q);
    memory_judge(q, caches, memory_caches(q->arena, caches));
    if (q->data && times_write(q, q->data)) {
        say("call discover: cannot write %s: %s\n", q->data, destination_error(errno));
        status = 1;
    }
    if (q->page && tree_write(q))
        status = 1;
    return q->write && write_patch(q) ? 1 : status;
}

static int report(struct request *q)
{
    int status = 0;
    counts_name(&q->counts, q->temporary);
    plan_place(q);
    report_formulas(q);
    keep_signal(q);
    if (has_times(q) && !q->signal)
        status = measure(q);
    else
        give_back(q, true);
    if (q->json || q->save) {
        json_auto_t *value = saved_make(q);
        if (q->times.nruns)
            table_json(q, value);
        if (q->json)
            json_dumpf(value, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
        if (q->json)
            printf("\n");
        if (q->save && q->signal) /* sizes are missing: what was saved before has more of them */
            say("call discover: --save: %s is not written, because not all sizes were run\n",
                q->save);
        else if (q->save)
            status = saved_write(q, value);
    }
    if (q->compare && q->left_out) /* they have not vanished */
        say("call discover: --check: nothing is compared with %s\n", q->compare);
    else if (q->compare)
        return saved_compare(q);
    if (!q->json && q->times.nruns)
        table_print(q);
    if (!q->json)
        report_print(q);
    return status;
}

static int discover(struct request *q)
{
    if (!(q->temporary = process_temporary(q->arena)))
        return SAY_STATUS(1, "call discover: cannot make a temporary folder: %s\n",
                          strerror(errno));
    int status = build_counted(q);
    bool built = !status && !process_signal();
    if (built)
        status = runs_make(q);
    keep_signal(q);
    if (status || !q->ndone)
        give_back(q, built);
    else
        status = report(q);
    return q->signal ? 128 + q->signal : status;
}

int discover_main(const char *const *argv)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct request q = {.arena = a, .limit = DEFAULT_LIMIT};
    int status = read_options(&q, argv);
    if (status < 0) {
        status = check_request(&q);
        if (!status)
            status = discover(&q);
    }
    process_leave();
    return status;
}
