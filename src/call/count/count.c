/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call count FILE.c...: translate, compile with marks, run under callgrind, report. The program is built
 * and run as by call run (call/run), with one round; its data files go to the temporary folder.
 */
#include "call/count/count.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arithmetic.h"
#include "base/printable.h"
#include "base/quote.h"
#include "call/cc/runtime.h"
#include "call/cc/translate.h"
#include "call/version.h"
#include "count/counts.h"

enum { DEFAULT_EXECUTIONS = 3, MOST_EXECUTIONS = 1000000, DEFAULT_LIMIT = 600 };

static const char self[] = "call count";

/* ---- what is needed ---- */

/* callgrind loses returns on AArch64, and with them the object of an instruction: there the program gets
 * addresses that no library has. */
static bool needs_own_addresses(void)
{
    struct utsname system;
    return !uname(&system) && !strcmp(system.machine, "aarch64");
}

/* libcll_count has functions of its own for these (src/cll/count/blocks.c): it counts their bytes. */
static const char *const blocks[] = {"memset", "memcpy",       "memmove",      "mempcpy",
                                     "bzero",  "__memset_chk", "__memcpy_chk", "__memmove_chk"};

static int add_marks(struct count_request *c)
{
    struct arena *a = c->run.arena;
    struct runtime runtime;
    if (!path_program(a, "valgrind"))
        return SAY_STATUS(
            1, "%s: valgrind is not installed; install it (Debian, Ubuntu: the package valgrind)\n",
            self);
    if (runtime_find(a, &runtime))
        return 1;
    const char *archive = arena_printf(a, "%s/libcll_count.a", runtime.library);
    if (access(archive, R_OK))
        return SAY_STATUS(
            1,
            "%s: %s is missing: CALL was built without valgrind's headers; install the package "
            "valgrind and build CALL again\n",
            self, archive);
    WORDS_ADD(a, &c->run.marks, "-g", "-DCLL_COUNTING");
    c->is_based = needs_own_addresses();
    if (c->is_based)
        words_printf(a, &c->run.marks, "-Wl,-Ttext-segment=0x%llx",
                     (unsigned long long)COUNTS_PROGRAM_BASE);
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
        words_printf(a, &c->run.marks, "-Wl,--wrap=%s", blocks[i]);
    words_add(a, &c->run.marks, archive);
    return 0;
}

static void add_valgrind(struct count_request *c)
{
    struct arena *a = c->run.arena;
    struct words *w = &c->run.under;
    WORDS_ADD(a, w, "valgrind", "-q", "--tool=callgrind", "--dump-instr=yes", "--dump-line=yes",
              "--collect-atstart=no", "--combine-dumps=yes", "--separate-threads=yes",
              "--skip-plt=no");
    words_printf(a, w, "--callgrind-out-file=%s/callgrind.%%p", c->dumps);
    if (c->cache)
        words_add(a, w, "--cache-sim=yes");
    if (c->d1)
        words_printf(a, w, "--D1=%s", c->d1);
    if (c->ll)
        words_printf(a, w, "--LL=%s", c->ll);
}

/* Names are resolved at the start, not in the first execution. Waiting threads sleep: the instructions
 * of a waiting loop are as many as chance wants. */
static void set_environment(const struct count_request *c)
{
    char number[32];
    snprintf(number, sizeof number, "%lu", c->executions);
    setenv("CLL_COUNT_EXECUTIONS", number, 1);
    setenv("LD_BIND_NOW", "1", 1);
    setenv("CLL_COUNTERS", "0", 1);
    setenv("OMP_WAIT_POLICY", "passive", 0);
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    unsetenv("CLL_OUT");
}

/* ---- the whole ---- */

static int count_all(struct count_request *c)
{
    struct run *r = &c->run;
    struct arena *a = r->arena;
    int status = run_begin(r);
    if (status)
        return status;
    c->outdir = r->outdir;
    r->outdir = arena_printf(a, "%s/data", r->temporary);
    c->dumps = arena_printf(a, "%s/dumps", r->temporary);
    if (process_new_folder(self, r->outdir) || process_new_folder(self, c->dumps) || add_marks(c) ||
        (c->cache && count_caches(c)))
        return 1;
    if (r->keep) /* run.c keeps it beside the data */
        r->keep_in = arena_printf(a, "%s/%s.call", c->outdir, r->program_name);
    if ((status = run_prepare(r)))
        return status;
    add_valgrind(c);
    set_environment(c);
    c->quiet = r->quiet;
    r->quiet = true; /* the report is the output */
    if (!c->quiet && isatty(STDERR_FILENO))
        say("%s: %s runs under callgrind, which takes about 50 times as long ...\n", self,
            r->program_name);
    run_rounds(r);
    int signal = process_signal();
    if (signal || (!r->files.n && !r->parts.n))
        return run_explain_nothing(r, signal);
    return count_results(c);
}

/* ---- the command line ---- */

static void print_help(void)
{
    printf("usage: call count [OPTIONS] FILE.c... [-- PROGRAM'S ARGUMENTS]\n\n"
           "Translates and compiles the sources, runs the program under callgrind (Valgrind), and "
           "prints for each constant\n"
           "of each formula the instructions that the region executes: by class, by source line, "
           "per unit of the\n"
           "constant's term. Writes PROGRAM.count.json and PROGRAM.count.dat, which llac reads.\n\n"
           "options:\n");
    options_help(stdout, COMMAND_COUNT);
}

static int usage(const char *option, const char *value, const char *what)
{
    return SAY_STATUS(2, "%s: %s: '%s' is not %s; see '%s --help'\n", self, option, value, what,
                      self);
}

static int read_executions(struct count_request *c, const char *value)
{
    double n;
    if (arithmetic_parse(value, &n) || n < 1 || n != floor(n) || n > MOST_EXECUTIONS)
        return usage("--executions", value, "a number from 1 to 1000000");
    c->executions = (unsigned long)n;
    return -1;
}

static int read_limit(struct count_request *c, const char *value)
{
    double seconds;
    if (limits_read_time(value, &seconds) || seconds < 1)
        return usage("--limit", value, "a time of at least 1 s; write 30s, 10m or 2h");
    c->run.limit = (unsigned)seconds;
    return -1;
}

/* Reads the options. -1 = go on, else the exit status. */
static int read_options(struct count_request *c, const char *const *argv)
{
    struct option_reader o = {.command = COMMAND_COUNT, .argv = argv};
    int status = -1;
    while (status < 0) {
        enum option id = options_next(&o);
        if (run_take_option(&c->run, &o, id)) {
            if (id == OPTION_DONE)
                return -1;
            continue;
        }
        switch (id) {
        case OPTION_EXECUTIONS: status = read_executions(c, o.value); break;
        case OPTION_LIMIT: status = read_limit(c, o.value); break;
        case OPTION_CACHE: c->cache = true; break;
        case OPTION_MACHINE: c->machine = o.value; break;
        case OPTION_JSON: c->json = true; break;
        case OPTION_HTML: c->html = true; break;
        case OPTION_GRAPH: c->graph = true; break;
        case OPTION_ASSIGN: c->assign = o.value; break;
        case OPTION_HELP: print_help(); return 0;
        case OPTION_VERSION: version_print(); return 0;
        default: return 2;
        }
    }
    return status;
}

/* Words as a shell reads them. */
static const char *joined(struct arena *a, const char *before, const char *const *words)
{
    struct text t = text_new();
    text_add(&t, before);
    for (; *words; words++) {
        if (t.n)
            text_addc(&t, ' ');
        quote_shell(&t, *words);
    }
    return text_keep(&t, a);
}

static int check_request(struct count_request *c)
{
    static const char *const none[] = {NULL};
    if (c->machine && !c->cache)
        return SAY_STATUS(2, "%s: --machine needs --cache; see '%s --help'\n", self, self);
    c->flags = joined(c->run.arena, "", c->run.cflags.n ? c->run.cflags.list : none);
    return run_check_request(&c->run);
}

int count_main(const char *const *argv)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct count_request c = {.run = {.arena = a,
                                      .self = self,
                                      .outdir = ".",
                                      .beside = "",
                                      .further = "",
                                      .limits = {.rounds = 1},
                                      .limit = DEFAULT_LIMIT},
                              .executions = DEFAULT_EXECUTIONS};
    c.command = joined(a, self, argv);
    int status = read_options(&c, argv);
    if (status < 0) {
        status = check_request(&c);
        if (!status)
            status = count_all(&c);
    }
    process_leave();
    return status;
}
