/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Builds the program with the compiler's counters: `call cc` adds the flags (cc/counted.h). Each source is
 * compiled by itself into the temporary folder, where the notes then are, whichever compiler it is. A
 * project is built by its own command, with wrappers of `call cc` as its compilers.
 *
 * Then with regions (cc/timed.h). The commands that compiled the sources of a project are in a log, and are run
 * again; then the command of --build links what is newer. In the same way the project gets back its own objects.
 */
#define _GNU_SOURCE 1 /* memmem */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/path.h"
#include "base/printable.h"
#include "base/source.h"
#include "call/cc/cc.h"
#include "call/cc/compiler.h"
#include "call/cc/counted.h"
#include "call/cc/implied.h"
#include "call/cc/language.h"
#include "call/cc/runtime.h"
#include "call/cc/timed.h"
#include "call/cc/told.h"
#include "call/discover/discover.h"
#include "call/sweep/launch.h"

static const size_t most_bytes = (size_t)1 << 30; /* of a program */

static int complain(const char *what)
{
    return SAY_STATUS(1, "call discover: %s\n", what);
}

/* ---- what it is ---- */

static bool has_openmp(const struct request *q)
{
    return words_have_flag(&q->compiler, "openmp") || words_have_flag(&q->cflags, "openmp") ||
           words_have_flag(&q->ldflags, "openmp");
}

/* P is the number of processes of an MPI program, else that of threads. 0, or the exit status. */
static int choose_launcher(struct request *q, bool is_mpi)
{
    if (q->processors == SIZE_MAX)
        return 0;
    q->threads = !is_mpi && has_openmp(q);
    q->processes = is_mpi || q->launcher_option;
    if (!q->processes && !q->threads)
        return complain(
            "--procs: this program is sequential: no source includes mpi.h, and -fopenmp is "
            "not in --cflags; --launcher 'COMMAND {P}' starts it in another way");
    if (!q->processes)
        return 0;
    q->launcher = q->launcher_option
                      ? q->launcher_option
                      : launch_for(driver_mpi, has_openmp(q),
                                   compiler_flavour(q->arena, &q->compiler, &q->cflags));
    if (!q->launcher)
        return complain(
            "call does not know how to start programs of this MPI library; give --launcher "
            "'COMMAND {P}'");
    if (!q->launcher_option)
        q->beside = compiler_folder(q->arena, q->compiler.list[0]);
    return 0;
}

/* ---- sources ---- */

struct build {
    struct request *q;
    const char *folder;
    bool cxx, fortran; /* the default compiler of C++ was chosen; a source is Fortran */
    struct words objects;
};

static int compile(struct build *b, const char *source, size_t index)
{
    struct arena *a = b->q->arena;
    struct words w = {0};
    const char *object =
        arena_printf(a, "%s/%zu.%s.o", b->folder, index, path_stem(a, path_base(source)));
    words_add_all(a, &w, &b->q->compiler);
    words_add_all(a, &w, &b->q->cflags);
    WORDS_ADD(a, &w, "-c", "-o", object);
    if (b->fortran)
        words_printf(a, &w, "-J%s", b->folder);
    if (b->cxx && source_kind(source, NULL, false) == SOURCE_C) /* else it is taken for C++ */
        WORDS_ADD(a, &w, "-x", "c");
    words_add(a, &w, source);
    words_add(a, &b->objects, object);
    return cc_run(a, w.list, NULL, NULL, false, NULL) ? 1 : 0;
}

static int link_program(struct build *b)
{
    struct request *q = b->q;
    struct arena *a = q->arena;
    struct words w = {0};
    q->program = arena_printf(a, "%s/%s", b->folder, path_stem(a, path_base(q->sources.list[0])));
    words_add_all(a, &w, &q->compiler);
    words_add_all(a, &w, &q->cflags);
    WORDS_ADD(a, &w, "-o", q->program);
    words_add_all(a, &w, &b->objects);
    words_add_all(a, &w, &q->ldflags);
    words_add(a, &w, "-lm");
    return cc_run(a, w.list, NULL, NULL, false, NULL) ? 1 : 0;
}

static int choose_compiler(struct build *b)
{
    struct request *q = b->q;
    struct arena *a = q->arena;
    struct cc_program kind;
    struct cc_sources *surveyed = cc_survey(a, &q->compiler, &q->cflags, &q->sources, &kind);
    cc_sources_end(surveyed);
    if (!surveyed)
        return 2;
    bool is_mpi = kind.implied || kind.processes;
    b->fortran = kind.fortran;
    b->cxx = kind.cxx && !kind.fortran && !q->compiler.n;
    if (kind.fortran && kind.cxx)
        words_add(a, &q->ldflags, "-lstdc++");
    if (is_mpi && !q->compiler.n && !q->ldflags.n && !compiler_of_mpi(a, kind.language))
        return complain(
            "this is an MPI program, and no compiler of MPI is on PATH; install an MPI library, "
            "or name its compiler with --cc");
    if (kind.openmp && !has_openmp(q))
        words_add(a, &q->cflags, "-fopenmp");
    compiler_default(a, is_mpi, kind.cuda, kind.language, &q->compiler);
    return choose_launcher(q, is_mpi || implied_is_mpi(q->compiler.list[0]));
}

static int make_program(struct build *b)
{
    struct request *q = b->q;
    int status = 0;
    b->objects = (struct words){0};
    for (size_t i = 0; i < q->sources.n && !status && !process_signal(); i++) {
        const char *path = q->sources.list[i];
        if (source_kind(path, NULL, false) == SOURCE_NONE)
            words_add(q->arena, &b->objects, path); /* an object or a library */
        else
            status = compile(b, path, i);
    }
    return status || process_signal() ? status : link_program(b);
}

/* Does the program use a function that starts a thread? */
static bool starts_threads(const char *program)
{
    static const char *const starters[] = {"pthread_create", "thrd_create", "_M_start_thread"};
    bool found = false;
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (source_read(program, most_bytes, &text, &size))
        return false;
    for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
        found |= memmem(text, size, starters[i], strlen(starters[i])) != NULL;
    return found;
}

/* Does it start threads, and no flag says so? Counts of threads would be lost (cc/counted.c), and where all threads lose
 * alike, the rest has an exact formula. */
static bool has_hidden_threads(const struct request *q)
{
    return !words_have_flag(&q->compiler, "pthread") && !words_have_flag(&q->cflags, "pthread") &&
           !has_openmp(q) && starts_threads(q->program);
}

static int build_sources(struct request *q)
{
    struct build b = {.q = q, .folder = arena_printf(q->arena, "%s/program", q->temporary)};
    if (process_new_folder("call discover", b.folder))
        return 1;
    int status = choose_compiler(&b);
    setenv(COUNTED_VARIABLE, "1", 1);
    if (!status)
        status = make_program(&b);
    if (!status && !process_signal() && has_hidden_threads(q)) {
        words_add(q->arena, &q->cflags, "-pthread");
        status = make_program(&b);
    }
    unsetenv(COUNTED_VARIABLE);
    q->cxx = b.cxx;
    q->fortran = b.fortran;
    return status;
}

/* `variable`: what tells `call cc` of the list. */
static int build_listed_sources(struct request *q, const char *folder, const char *variable,
                                const char *list)
{
    struct build b = {.q = q,
                      .folder = arena_printf(q->arena, "%s/%s", q->temporary, folder),
                      .cxx = q->cxx,
                      .fortran = q->fortran};
    if (process_new_folder("call discover", b.folder))
        return 1;
    setenv(variable, list, 1);
    int status = make_program(&b);
    unsetenv(variable);
    return status;
}

/* ---- projects ---- */

/* VARIABLE=WRAPPER for the compiler that the variable names, or else for its usual one. */
static void add_wrapper(struct request *q, struct words *out, const char *variable,
                        const char *usual)
{
    struct arena *a = q->arena;
    const char *own = getenv(variable), *wrapper = NULL;
    if (own && *own && !strchr(own, ' '))
        wrapper = runtime_program(a, arena_printf(a, "call-%s", path_base(own)));
    if (!wrapper && path_program(a, usual))
        wrapper = runtime_program(a, arena_printf(a, "call-%s", usual));
    if (wrapper)
        words_printf(a, out, "%s=%s", variable, wrapper);
}

static const char *const compilers[][2] = {{"CC", "gcc"},        {"CXX", "g++"},
                                           {"FC", "gfortran"},   {"MPICC", "mpicc"},
                                           {"MPICXX", "mpicxx"}, {"MPIFC", "mpif90"}};

enum { COMPILERS = sizeof compilers / sizeof *compilers };

static void add_wrappers(struct request *q, struct words *variables)
{
    for (size_t i = 0; i < COMPILERS; i++)
        add_wrapper(q, variables, compilers[i][0], compilers[i][1]);
}

/* What the wrappers stand for: the command of --build may use "$CC", which the user need not have set. */
static void add_compilers(struct request *q, struct words *variables)
{
    for (size_t i = 0; i < COMPILERS; i++) {
        const char *own = getenv(compilers[i][0]);
        if ((!own || !*own) && path_program(q->arena, compilers[i][1]))
            words_printf(q->arena, variables, "%s=%s", compilers[i][0], compilers[i][1]);
    }
}

/* Runs sh with these two words and variables. 0, or 1 after a message. */
static int run_shell(struct request *q, const char *option, const char *text,
                     const struct words *variables)
{
    struct arena *a = q->arena;
    struct words w = {0};
    words_add(a, &w, "sh");
    if (option)
        words_add(a, &w, option);
    words_add(a, &w, text);
    const char *log = arena_printf(a, "%s/build", q->temporary);
    /* A signal ends what the shell has started, too: else it would go on compiling while the project gets its own objects
     * back. What a terminal sends reaches all of them, and a group of its own could not ask the user anything. */
    struct process_options o = {.environment = variables->list,
                                .out = PROCESS_FILE,
                                .out_file = log,
                                .group = !isatty(STDIN_FILENO)};
    int status = process_run(&w, &o);
    if (status < 0)
        return SAY_STATUS(1, "call discover: cannot run sh: %s\n", strerror(errno));
    if (status && !process_signal())
        return SAY_STATUS(1, "call discover: --build: the command failed with exit status %d\n",
                          process_exit_status(status));
    return 0;
}

static const char *log_path(struct request *q)
{
    return arena_printf(q->arena, "%s/compiled.sh", q->temporary);
}

/* What programs count that the build itself runs. */
static void hide_built(struct request *q, struct words *variables)
{
    words_printf(q->arena, variables, "GCOV_PREFIX=%s/built", q->temporary);
}

static int build_project(struct request *q)
{
    struct words variables = {0};
    add_wrappers(q, &variables);
    words_printf(q->arena, &variables, COUNTED_VARIABLE "=%s", log_path(q));
    hide_built(q, &variables);
    return run_shell(q, "-c", q->build, &variables);
}

/* Compiles all sources of the project again, and links. `variable`: what tells `call cc` of the list; NULL: as the user would. */
static int rebuild_project(struct request *q, const char *variable, const char *list, bool links)
{
    struct arena *a = q->arena;
    struct words variables = {0};
    const char *call = variable ? runtime_program(a, "call") : NULL;
    if (variable && !call)
        return complain("call is not in its own folder");
    if (variable) {
        add_wrappers(q, &variables);
        words_printf(a, &variables, "%s=%s", variable, list);
        hide_built(q, &variables);
    } else {
        add_compilers(q, &variables);
    }
    words_add(a, &variables,
              call ? arena_printf(a, COUNTED_COMPILER "=%s cc", call) : COUNTED_COMPILER "=");
    if (!access(log_path(q), R_OK) && run_shell(q, NULL, log_path(q), &variables))
        return 1;
    return links ? run_shell(q, "-c", q->build, &variables) : 0;
}

/* The same for a project: a command that compiled has no such flag, and the command to measure names a program with threads. */
static bool project_has_hidden_threads(struct request *q)
{
    MEM_LOCAL char *log = NULL;
    size_t size;
    if (source_read(log_path(q), most_bytes, &log, &size) ||
        !strstr(log, "; then " COUNTED_NO_THREADS "; $"))
        return false;
    for (size_t i = 0; i < q->command.n; i++)
        if (!access(q->command.list[i], X_OK) && starts_threads(q->command.list[i]))
            return true;
    return false;
}

static int build_counted_project(struct request *q)
{
    int status = build_project(q);
    if (status || process_signal() || !project_has_hidden_threads(q))
        return status;
    setenv(COUNTED_THREADS, "1", 1);
    status = rebuild_project(q, COUNTED_VARIABLE, "1", true);
    unsetenv(COUNTED_THREADS);
    return status;
}

int build_timed(struct request *q, const char *regions)
{
    return q->sources.n ? build_listed_sources(q, "timed", TIMED_VARIABLE, regions)
           : q->build   ? rebuild_project(q, TIMED_VARIABLE, regions, true)
                      : complain("--build is missing, so the program cannot be built with regions");
}

int build_told(struct request *q, const char *list)
{
    return q->sources.n ? build_listed_sources(q, "arguing", TOLD_VARIABLE, list)
                        : rebuild_project(q, TOLD_VARIABLE, list, true);
}

void build_restore(struct request *q, bool links)
{
    bool again;
    do {
        if (q->signal && !access(log_path(q), R_OK))
            say("call discover: the project is compiled again, without counters; press Ctrl-C again to leave it "
                "as it is\n");
        rebuild_project(q, NULL, NULL, links);
        again = process_signal() && !q->signal; /* the first one came now */
        if (again) {
            q->signal = process_signal();
            process_forget_signal();
        }
    } while (again);
}

int build_counted(struct request *q)
{
    q->beside = "";
    if (q->sources.n)
        return build_sources(q);
    int status = q->build ? build_counted_project(q) : 0;
    if (status || q->processors == SIZE_MAX)
        return status;
    struct words own = vary_words(&q->plan, &q->command, q->rows[0]);
    bool changed = false;
    for (size_t i = 0; i < own.n; i++)
        changed |= strcmp(own.list[i], q->command.list[i]) && strstr(q->command.list[i], "{P}");
    if (changed)
        return 0;
    q->launcher = q->launcher_option;
    q->processes = q->launcher_option != NULL;
    return q->processes
               ? 0
               : complain(
                     "--procs: write {P} in the command, as in '-- mpirun -n {P} ./app {n}', or "
                     "give --launcher 'COMMAND {P}'");
}
