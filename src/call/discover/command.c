/* SPDX-License-Identifier: GPL-3.0-or-later */
/* call discover: the command line, and the steps. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/printable.h"
#include "call/cc/language.h"
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
        "and prints the formulas of the calls of every function and of the iterations of every loop. A formula "
        "is exact if it\n"
        "gives the count at every size, and there are two sizes more than it has unknowns.\n\n"
        "options:\n");
    options_help(stdout, COMMAND_DISCOVER);
}

static int usage(const char *what)
{
    say("call discover: %s; see 'call discover --help'\n", what);
    return 2;
}

static int read_limit(struct request *q, const char *value)
{
    if (!limits_read_time(value, &q->limit) && q->limit >= 1 && q->limit < 1e9)
        return -1;
    say("call discover: --limit: '%s' is not a time of at least 1 s; write 30s, 10m or 2h\n",
        value);
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
        case OPTION_REST:
            for (; *o.argv; o.argv++)
                words_add(a, &q->command, *o.argv);
            return -1;
        case OPTION_FILE: words_add(a, &q->sources, o.value); break;
        case OPTION_CC: words_split(a, &q->compiler, o.value); break;
        case OPTION_PREPROCESSOR:
            words_add(a, &q->cflags, arena_printf(a, "%.2s%s", o.name, o.value));
            break;
        case OPTION_CFLAGS:
            q->has_cflags = true;
            words_split(a, &q->cflags, o.value);
            break;
        case OPTION_LDFLAGS: words_split(a, &q->ldflags, o.value); break;
        case OPTION_VARY: words_add(a, &q->vary, o.value); break;
        case OPTION_PROCS: q->procs_option = o.value; break;
        case OPTION_LAUNCHER: q->launcher_option = o.value; break;
        case OPTION_BUILD: q->build = o.value; break;
        case OPTION_AT: q->at = o.value; break;
        case OPTION_SAVE: q->save = o.value; break;
        case OPTION_COMPARE: q->compare = o.value; break;
        case OPTION_LIMIT: status = read_limit(q, o.value); break;
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
    for (size_t i = 0; i < q->sources.n; i++) {
        const char *path = q->sources.list[i];
        struct stat st;
        int error = access(path, R_OK) || stat(path, &st) ? errno
                    : S_ISDIR(st.st_mode)                 ? EISDIR
                                                          : 0;
        if (!error)
            continue;
        say("call discover: cannot read %s: %s%s\n", path, strerror(error),
            error == ENOENT && !source_ending(path)
                ? "; the arguments of the program come after '--'"
                : "");
        status = 1;
    }
    return status;
}

static int check_request(struct request *q)
{
    if (q->build && q->sources.n)
        return usage("--build builds the program: leave out the sources");
    if (!q->sources.n && !q->command.n)
        return usage(q->build ? "the command that runs the program is missing: give it after '--'"
                              : "no source given");
    if (q->launcher_option && !q->procs_option)
        return usage("--launcher needs --procs");
    if (q->compare && q->json)
        return usage("--check and --json contradict each other: give one of them");
    if (!q->has_cflags)
        words_add(q->arena, &q->cflags, "-O2");
    int status = check_sources(q);
    if (!status)
        status = plan_make(q);
    return status ? status : plan_place(q);
}

/* ---- the steps ---- */

static int report(struct request *q)
{
    int status = 0;
    counts_name(&q->counts, q->temporary);
    plan_place(q);
    report_formulas(q);
    if (q->json || q->save) {
        json_t *value = saved_make(q);
        if (q->json)
            json_dumpf(value, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
        if (q->json)
            printf("\n");
        status = q->save ? saved_write(q, value) : 0;
        json_decref(value);
    }
    if (q->compare)
        return saved_compare(q);
    if (!q->json)
        report_print(q);
    return status;
}

static int discover(struct request *q)
{
    if (!(q->temporary = process_temporary(q->arena))) {
        say("call discover: cannot make a temporary folder: %s\n", strerror(errno));
        return 1;
    }
    int status = build_counted(q);
    if (!status && !process_signal())
        status = runs_make(q);
    if (status || !q->ndone)
        return status;
    int signal = process_signal();
    process_forget_signal(); /* what was counted is still worth a report */
    status = report(q);
    return signal ? 128 + signal : status;
}

int discover_main(const char *const *argv)
{
    struct arena *a = arena_create();
    struct request q = {.arena = a, .limit = DEFAULT_LIMIT};
    int status = read_options(&q, argv);
    if (status < 0) {
        status = check_request(&q);
        if (!status)
            status = discover(&q);
    }
    arena_destroy(a);
    process_leave();
    return status;
}
