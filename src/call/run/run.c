/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call run FILE.c...: translate, compile, run in rounds, fit. Here: the command line, the choice of
 * compiler and launcher, and building. call run PROGRAM runs a program that is built already, and
 * call run -- COMMAND whatever the command runs.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "call/cc/compiler.h"
#include "call/cc/fortran.h"
#include "call/cc/implied.h"
#include "call/cc/language.h"
#include "call/options.h"
#include "call/run/baseline.h"
#include "call/run/built.h"
#include "call/run/command.h"
#include "call/run/verify.h"
#include "call/sweep/launch.h"
#include "call/version.h"
#include "translate/procs.h"
#include "call/cc/translate.h"
#include "base/printable.h"

/* ---- building ---- */

/* The source that gives the program its name: the first, or the one with the main program if modules of
 * Fortran must come first. */
static const char *main_source(const struct run *r)
{
    for (size_t i = 0; i < r->sources.n; i++) {
        enum source_kind kind = source_kind(r->sources.list[i], NULL, false);
        if (kind != SOURCE_FORTRAN)
            break;
        if (fortran_has_program(r->sources.list[i]))
            return r->sources.list[i];
    }
    return r->sources.list[0];
}

static int build(struct run *r, struct cc_sources *surveyed)
{
    struct arena *a = r->arena;
    struct words w = {0};
    const char *keep = !r->keep     ? NULL
                       : r->keep_in ? r->keep_in
                                    : arena_printf(a, "%s/%s.call", r->outdir, r->program_name);
    const char *folder = keep ? keep : arena_printf(a, "%s/program", r->temporary);
    r->program = arena_printf(a, "%s/%s", folder, r->program_name);
    if (process_make_folders(r->program))
        return SAY_STATUS(1, "%s: cannot make the folder %s: %s\n", r->self, folder,
                          strerror(errno));
    words_add_all(a, &w, &r->compiler);
    words_add_all(a, &w, &r->cflags);
    WORDS_ADD(a, &w, "-o", r->program);
    if (r->fortran) /* its module files */
        words_printf(a, &w, "-J%s", folder);
    for (size_t i = 0; i < r->sources.n; i++) {
        bool in_c = r->chose_cxx && source_kind(r->sources.list[i], NULL, false) == SOURCE_C;
        if (in_c) /* a compiler of C++ takes it for C++ */
            WORDS_ADD(a, &w, "-x", "c", r->sources.list[i], "-x", "none");
        else
            words_add(a, &w, r->sources.list[i]);
    }
    words_add_all(a, &w, &r->ldflags);
    words_add_all(a, &w, &r->marks);
    words_add(a, &w, "-lm");
    return cc_run(a, w.list, surveyed, keep, false, &r->kind) ? 1 : 0;
}

/* ---- the kind of program ---- */

static int complain(const struct run *r, const char *what)
{
    return SAY_STATUS(1, "%s: %s\n", r->self, what);
}

/* How the program's language spells a pragma. */
static const char *sentinel(const struct run *r)
{
    return r->fortran ? "!$cll" : "#pragma cll";
}

/* The pragma that a sequential program lacks. */
static const char *parallel(const struct run *r)
{
    return arena_printf(r->arena, "'%s parallel DRIVER' with the driver MPI%s OpenMP%s",
                        sentinel(r), r->fortran ? " or" : ",", r->fortran ? "" : ", PUB or BSP");
}

/* Is there a word that switches OpenMP on? Compilers differ in how they spell it. */
static bool has_openmp(const struct run *r)
{
    return words_have_flag(&r->compiler, "openmp") || words_have_flag(&r->cflags, "openmp") ||
           words_have_flag(&r->ldflags, "openmp");
}

static bool names_opencl(const struct run *r)
{
    for (size_t i = 0; i < r->ldflags.n; i++)
        if (strstr(r->ldflags.list[i], "OpenCL"))
            return true;
    return false;
}

/* Is the compiler one of MPI, by the command line or the environment? */
static bool has_mpi_compiler(const struct run *r, enum language language)
{
    struct words w = {0};
    words_add_all(r->arena, &w, &r->compiler);
    compiler_default(r->arena, false, false, language, &w);
    for (size_t i = 0; i < w.n && w.list[i][0] != '-'; i++)
        if (implied_is_mpi(w.list[i]))
            return true;
    return false;
}

static const char *simulator_compiler(const struct run *r, bool cxx)
{
    return r->fortran ? "smpif90" : cxx ? "smpicxx" : "smpicc";
}

/* The compiler that the pragmas ask for, before anything is compiled. 0, or the exit status. */
static int choose_compiler(struct run *r, struct cc_sources **surveyed)
{
    struct arena *a = r->arena;
    struct cc_program kind;
    if (!(*surveyed = cc_survey(a, &r->compiler, &r->cflags, &r->sources, &kind)))
        return 2;
    r->has_pragmas = kind.pragmas != 0;
    if (!kind.parallel && kind.pragmas)
        kind.processes =
            kind.implied || !has_mpi_compiler(r, kind.language) ? kind.implied : driver_mpi;
    r->fortran = kind.fortran;
    if (r->procs_option && !kind.processes && !kind.openmp)
        return complain(r,
                        arena_printf(a, "--procs: this program is sequential: no source has a %s",
                                     parallel(r)));
    if (r->simulation.platform && !kind.processes)
        return complain(r, arena_printf(a,
                                        "--simulate: no source has a '%s parallel DRIVER' with the "
                                        "driver %s, and only such programs can be simulated",
                                        sentinel(r), r->fortran ? "MPI" : "MPI, PUB or BSP"));
    r->chose_cxx = kind.cxx && !kind.cuda && !kind.fortran && !r->compiler.n;
    if (kind.fortran && kind.cxx)
        words_add(a, &r->ldflags, "-lstdc++");
    if (r->simulation.platform && !r->compiler.n) {
        const char *smpicc = simulator_compiler(r, kind.cxx);
        if (!path_program(a, smpicc))
            return complain(
                r,
                arena_printf(a, "--simulate needs SimGrid's %s, which is not installed", smpicc));
        words_add(a, &r->compiler, smpicc);
    }
    if (kind.processes && !r->compiler.n && !r->ldflags.n && !compiler_of_mpi(a, kind.language))
        return complain(
            r, arena_printf(a,
                            "this is an MPI program, and there is no %s on PATH; install an MPI "
                            "library, or name its compiler with --cc or the variable %s",
                            kind.fortran ? "mpif90"
                            : kind.cxx   ? "mpicxx"
                                         : "mpicc",
                            kind.fortran ? "MPIFC"
                            : kind.cxx   ? "MPICXX"
                                         : "MPICC"));
    compiler_default(a, kind.processes != NULL, kind.cuda, kind.language, &r->compiler);
    if (kind.opencl && !names_opencl(r))
        words_add(a, &r->ldflags, "-lOpenCL");
    if (kind.openmp && !has_openmp(r))
        words_add(a, &r->cflags, "-fopenmp");
    return 0;
}

/* A program that is built already says what it is. 0, or the exit status. */
static int read_built(struct run *r)
{
    struct built found;
    if (built_read(r->arena, r->prebuilt, &found))
        return complain(r,
                        arena_printf(r->arena, "cannot read %s: %s", r->prebuilt, strerror(errno)));
    r->kind = found.kind;
    r->instrumented = r->has_pragmas = found.instrumented;
    /* a script, or a program whose regions are in libraries: the user knows what it is */
    if (r->procs_option && r->launcher_option && !r->kind.processes && !r->kind.openmp)
        r->kind.processes = driver_mpi;
    if (r->procs_option && !r->kind.processes && !r->kind.openmp)
        return complain(r, arena_printf(r->arena,
                                        "--procs: %s does not say that it is a parallel program "
                                        "(by '#pragma cll parallel DRIVER'); if it is one, also "
                                        "give --launcher 'COMMAND {P}'",
                                        r->prebuilt));
    return 0;
}

/* After building, when it is known which pragmas count. */
static int choose_processors(struct run *r)
{
    bool is_parallel = r->kind.processes || r->kind.openmp;
    struct arena *a = r->arena;
    if (r->kind.contradictory && !r->procs_option)
        return complain(
            r,
            arena_printf(a, "two sources have different procs in their '%s parallel'; give --procs",
                         sentinel(r)));
    if (r->procs_option && !is_parallel)
        return complain(
            r, arena_printf(a, "--procs: this program is sequential: the compiler sees no %s",
                            parallel(r)));
    if (!r->procs_option && is_parallel)
        r->procs = r->kind.procs;
    if (!r->procs.n && (r->launcher_option || r->simulation.platform))
        return complain(r, arena_printf(a,
                                        "the number of processors is missing: give --procs, or "
                                        "procs in '%s parallel'",
                                        sentinel(r)));
    return 0;
}

static int prepare_simulation(struct run *r)
{
    struct text options = text_new();
    struct words arguments =
        r->vary.nrows ? vary_words(&r->vary, &r->arguments, r->vary.rows[0]) : r->arguments;
    int result = simulate_prepare(r->arena, &r->simulation, sweep_most(&r->procs), &arguments,
                                  r->temporary, &options);
    r->further = text_keep(&options, r->arena);
    return result;
}

/* The launcher that was asked for, else that of the MPI library. 0, or the exit status. */
static int choose_launcher(struct run *r)
{
    struct arena *a = r->arena;
    const char *flavour = r->kind.processes ? r->kind.flavour : NULL;
    bool simulated = flavour && !strcmp(flavour, "smpi");
    if (r->is_built && r->simulation.platform && !simulated)
        return complain(r,
                        arena_printf(a,
                                     "--simulate: %s is not a program for SimGrid; build it with "
                                     "'call cc smpicc'",
                                     r->prebuilt));
    if (r->is_built && !r->simulation.platform && simulated)
        return complain(r, arena_printf(a, "%s is a program for SimGrid: give --simulate PLATFORM",
                                        r->prebuilt));
    if (r->simulation.platform && !simulated)
        return complain(r, arena_printf(a,
                                        "--simulate: %s does not make programs for SimGrid; use "
                                        "%s, or leave out --cc",
                                        r->compiler.list[0], simulator_compiler(r, false)));
    if (!r->simulation.platform && simulated)
        return complain(r, "this compiler makes programs for SimGrid: give --simulate PLATFORM");
    if (!r->procs.n)
        return 0;
    r->launcher = r->launcher_option ? r->launcher_option
                                     : launch_for(r->kind.processes, r->kind.openmp, flavour);
    if (!r->launcher)
        return complain(r, "call does not know how to start programs of this MPI library; give "
                           "--launcher 'COMMAND {P}'");
    if (r->kind.processes && !r->launcher_option && r->compiler.n)
        r->beside = compiler_folder(a, r->compiler.list[0]);
    return simulated && prepare_simulation(r);
}

/* ---- the whole ---- */

int run_begin(struct run *r)
{
    if (!(r->temporary = process_temporary(r->arena)))
        return SAY_STATUS(1, "%s: cannot make a temporary folder: %s\n", r->self, strerror(errno));
    run_data_init(&r->data, r->arena);
    if (r->is_command)
        r->name = path_base(r->arguments.list[0]);
    else if (r->is_built)
        r->name = path_base(r->sources.list[0]);
    else
        r->name = path_stem(r->arena, path_base(main_source(r)));
    r->program_name = r->name;
    return 0;
}

/* The program itself: built here or before. 0, or the exit status. */
static int find_program(struct run *r)
{
    struct cc_sources *surveyed = NULL;
    int status = r->is_built ? read_built(r) : choose_compiler(r, &surveyed);
    if (r->prebuilt)
        r->program = r->prebuilt;
    else if (!status)
        status = build(r, surveyed) || process_signal();
    cc_sources_end(surveyed);
    return status;
}

int run_prepare(struct run *r)
{
    int status = r->is_command ? 0 : find_program(r);
    if (!r->is_command && !status)
        status = choose_processors(r);
    if (!r->is_command && !status)
        status = choose_launcher(r);
    run_input_open(&r->input, r->arena, r->temporary);
    if (!status && r->procs.n)
        status = run_sweep_plan(r) ? 1 : 0;
    r->dropped = arena_zalloc(r->arena, run_nplaces(r) + 1, sizeof *r->dropped);
    r->tried = arena_zalloc(r->arena, run_nplaces(r) + 1, sizeof *r->tried);
    return status;
}

int run_explain_nothing(const struct run *r, int signal)
{
    const char *off = getenv("CLL_OFF") ? ", or CLL_OFF is set" : "";
    if (r->failed || signal)
        return signal ? 128 + signal : 1;
    if (r->is_command)
        say("%s: nothing was measured: the command ran no program that is built with call cc "
            "(make CC=call-gcc, for example), or none reached a region%s\n",
            r->self, off);
    else if (r->is_built && !r->instrumented)
        say("%s: nothing was measured: %s is not built with call cc; build it with 'call cc gcc' "
            "in place of gcc, or with make CC=call-gcc\n",
            r->self, r->prebuilt);
    else
        say("%s: the program wrote no data: %s%s\n", r->self,
            r->has_pragmas ? "no region was reached"
                           : "no source has cll pragmas (#pragma cll NAME FORMULA)",
            off);
    return 1;
}

static int run_all(struct run *r)
{
    int status = run_begin(r);
    if (status)
        return status;
    if (r->observe)
        setenv("CLL_OBSERVE", r->observe, 1); /* launchers pass it on */
    if (r->simulation.platform) /* times of different machines do not belong together */
        r->name = arena_printf(r->arena, "%s.%s", r->name,
                               path_stem(r->arena, path_base(r->simulation.platform)));
    if (r->baseline_option && (status = baseline_begin(r)))
        return status;
    const char *out = getenv("CLL_OUT");
    if (out && *out && r->is_command)
        say("call run: CLL_OUT is not used here: the data goes to %s/PROGRAM.cll.N.dat; "
            "--outdir chooses another folder\n",
            r->outdir);
    else if (out && *out)
        say("call run: CLL_OUT is not used here: the data goes to %s/%s.cll.N.dat; "
            "--outdir chooses another folder\n",
            r->outdir, r->name);
    if ((status = run_prepare(r)) || (r->baseline && (status = baseline_prepare(r))))
        return status;
    struct run_verdict v = run_rounds(r);
    int signal = process_signal();
    process_forget_signal(); /* the rounds are over; what was measured is still worth a fit */
    if (r->baseline)
        return baseline_results(r, signal);
    if (r->nprograms)
        return command_results(r, signal);
    if (r->files.n || r->parts.n)
        return run_results(r, &v, signal);
    return run_explain_nothing(r, signal);
}

/* ---- the command line ---- */

static void print_help(void)
{
    printf(
        "usage: call run [OPTIONS] FILE.c... [-- PROGRAM'S ARGUMENTS]    (C++: FILE.cpp; Fortran: FILE.f90)\n"
        "       call run [OPTIONS] PROGRAM [-- PROGRAM'S ARGUMENTS]      (built with call cc)\n"
        "       call run [OPTIONS] -- COMMAND...                        (such as make test)\n\n"
        "Translates and compiles the sources, runs the program in rounds, writes a data file "
        "PROGRAM.cll.N.dat per\n"
        "round, and prints the fit of every experiment. What the program prints is shown in the "
        "first round.\n"
        "With numbers of processors (--procs, or procs in the pragma), a round runs the program "
        "on each of them;\n"
        "the data files are PROGRAM.cll.pP.rROUND.dat. A program that is built with 'call cc' is "
        "run in the same way.\n"
        "A command is run once in each round; every program that it runs and that is built with "
        "'call cc' is fitted.\n"
        "With --vary, a round runs the program at each size; the sizes are variables of all experiments. A command gets\n"
        "the number of processors of --procs in place of {P}.\n\n"
        "options:\n");
    options_help(stdout, COMMAND_RUN);
}

static int usage(const struct run *r, const char *what)
{
    return SAY_STATUS(2, "%s: %s; see '%s --help'\n", r->self, what, r->self);
}

/* Without this check the preprocessor and the compiler would each complain. */
static int check_sources(const struct run *r)
{
    int status = 0;
    for (size_t i = 0; i < r->sources.n; i++) {
        const char *path = r->sources.list[i];
        if (!source_is_readable(r->self, path)) {
            status = 1;
        } else if (!r->is_built && built_is_program(path)) {
            say(r->takes_programs
                    ? "%s: %s is a program: give it alone; 'call run -- COMMAND' runs a command that "
                      "runs several programs\n"
                    : "%s: %s is a program; give its sources\n",
                r->self, path);
            status = 2;
        }
    }
    return status;
}

int run_check_request(struct run *r)
{
    struct stat st;
    if (!r->sources.n && !r->is_command)
        return usage(r, "no source given");
    if (stat(r->outdir, &st) || !S_ISDIR(st.st_mode))
        return usage(r, arena_printf(r->arena, "--outdir: %s is not a folder", r->outdir));
    if (r->procs_option && !r->is_command && sweep_option(r->arena, r->procs_option, &r->procs))
        return 2;
    return check_sources(r);
}

/* Options that are only for programs that are built here, or only for one program. */
static int check_options(const struct run *r)
{
    bool compiles = r->compiler.n || r->ldflags.n || r->has_cflags || r->cflags.n > 1 || r->keep;
    if (compiles && (r->is_built || r->is_command))
        return usage(r,
                     "--cc, -I, -D, -U, --cflags, --ldflags and --keep are for sources, and this "
                     "is built already");
    if (r->is_command && r->baseline_option)
        return usage(r, "--baseline compares two versions of one program: name the program, not a "
                        "command");
    if (r->is_command && (r->launcher_option || r->simulation.platform || r->oversubscribe))
        return usage(r, "--launcher, --oversubscribe and --simulate start one program: name the "
                        "program, not a command. A command starts the processes itself: "
                        "--procs 1,2,4 -- mpirun -n {P} ./program");
    return 0;
}

/* Does the user's own CLL_SETTINGS have this name? */
static bool is_set(const char *name)
{
    const char *s = getenv("CLL_SETTINGS");
    size_t n = strlen(name);
    for (s = s ? s : ""; *s; s += strcspn(s, " \t")) {
        s += strspn(s, " \t");
        if (!strncmp(s, name, n) && s[n] == '=')
            return true;
    }
    return false;
}

static int read_settings(struct run *r)
{
    int status = 0;
    r->vary = (struct vary){.arena = r->arena, .self = r->self, .unmarked = SIZE_MAX};
    for (size_t i = 0; i < r->vary_options.n && !status; i++)
        status = vary_read(&r->vary, r->vary_options.list[i]);
    for (size_t i = 0; i < r->vary.n && !status; i++)
        if (is_set(r->vary.names[i]))
            return usage(r, arena_printf(r->arena,
                                         "--vary: the environment variable CLL_SETTINGS also has "
                                         "%s; take it out there",
                                         r->vary.names[i]));
    if (!status && r->is_command && r->procs_option) { /* what it starts measures P itself */
        struct range procs;
        status =
            sweep_option(r->arena, r->procs_option, &procs) ? 2 : vary_add(&r->vary, "P", procs);
    }
    return status || !r->vary.n ? status : vary_make(&r->vary, &r->arguments);
}

static int check_request(struct run *r)
{
    r->takes_programs = true;
    r->is_command = !r->sources.n && r->arguments.n;
    r->is_built = r->sources.n == 1 && built_is_program(r->sources.list[0]);
    if (r->is_built)
        r->prebuilt = strchr(r->sources.list[0], '/')
                          ? r->sources.list[0]
                          : arena_printf(r->arena, "./%s", r->sources.list[0]);
    int wrong = check_options(r);
    if (wrong)
        return wrong;
    if (r->observe && strcmp(r->observe, "CPUTIME") != 0)
        return usage(r, arena_printf(r->arena,
                                     "--observe: '%s' is not CPUTIME; --counters NAMES measures "
                                     "counters",
                                     r->observe));
    if (r->observe && r->simulation.platform)
        return usage(r, "--observe CPUTIME: a simulated program has only its simulated clock");
    if (r->counters && r->simulation.platform)
        return usage(r, "--counters: a simulated program has only its simulated clock");
    if (r->counters && r->baseline_option)
        return usage(r,
                     "--counters: two versions are compared by their times; leave out --baseline");
    if (!r->simulation.platform &&
        (r->simulation.hostfile || r->simulation.options.n || r->simulation.measured))
        return usage(r, "--hostfile, --smpi and --measured-compute need --simulate");
    if (r->simulation.platform && r->launcher_option)
        return usage(r, "--simulate has its own launcher: leave out --launcher");
    if (r->live && r->quiet)
        return usage(r, "--live and --quiet contradict each other: give one of them");
    /* simulated times, unless computing is measured, are the same in every round */
    r->limits.exact = r->simulation.platform && !r->simulation.measured;
    int status = read_settings(r);
    if (!status)
        status = run_check_report(r);
    if (!status)
        status = verify_check(r);
    return status ? status : run_check_request(r);
}

/* --rounds, --time and --until. -1 = good, else the exit status. */
static int read_limit(struct run *r, enum option id, const char *value)
{
    struct run_limits *l = &r->limits;
    int result = id == OPTION_ROUNDS ? limits_read_rounds(value, &l->rounds)
                 : id == OPTION_TIME ? limits_read_time(value, &l->seconds)
                                     : limits_read_percent(value, &l->until);
    if (!result)
        return -1;
    if (id == OPTION_ROUNDS)
        return usage(r, arena_printf(r->arena, "-n: '%s' is not a number of rounds from 1 to %d",
                                     value, LIMITS_MOST_ROUNDS));
    return usage(r,
                 arena_printf(r->arena,
                              id == OPTION_TIME ? "--time: '%s' is not a time; write 30s, 10m or 2h"
                                                : "--until: '%s' is not a percentage; write 2%%",
                              value));
}

bool run_take_option(struct run *r, struct option_reader *o, enum option id)
{
    struct arena *a = r->arena;
    switch (id) {
    case OPTION_DONE:
        if (!r->has_cflags)
            words_add(a, &r->cflags, "-O2");
        return true;
    case OPTION_REST:
        words_add_list(a, &r->arguments, o->argv);
        o->argv += r->arguments.n;
        return true;
    case OPTION_FILE: words_add(a, &r->sources, o->value); return true;
    case OPTION_OUTDIR: /* a name that begins with '-' must not become an option */
        r->outdir = o->value[0] == '-' ? arena_printf(a, "./%s", o->value) : o->value;
        return true;
    case OPTION_CC: words_split(a, &r->compiler, o->value); return true;
    case OPTION_PREPROCESSOR: words_printf(a, &r->cflags, "%.2s%s", o->name, o->value); return true;
    case OPTION_CFLAGS:
        r->has_cflags = true;
        words_split(a, &r->cflags, o->value);
        return true;
    case OPTION_LDFLAGS: words_split(a, &r->ldflags, o->value); return true;
    case OPTION_PROCS: r->procs_option = o->value; return true;
    case OPTION_OVERSUBSCRIBE: return r->oversubscribe = true;
    case OPTION_LAUNCHER: r->launcher_option = o->value; return true;
    case OPTION_KEEP: return r->keep = true;
    case OPTION_QUIET: return r->quiet = true;
    default: return false;
    }
}

/* Reads the options. -1 = go on, else the exit status. */
static int read_options(struct run *r, const char *const *argv)
{
    struct option_reader o = {.command = COMMAND_RUN, .argv = argv};
    struct arena *a = r->arena;
    int status = -1;
    while (status < 0) {
        enum option id = options_next(&o);
        if (run_take_option(r, &o, id)) {
            if (id == OPTION_DONE)
                return -1;
            continue;
        }
        switch (id) {
        case OPTION_SIMULATE: r->simulation.platform = o.value; break;
        case OPTION_HOSTFILE: r->simulation.hostfile = o.value; break;
        case OPTION_SMPI: words_split(a, &r->simulation.options, o.value); break;
        case OPTION_MEASURED_COMPUTE: r->simulation.measured = true; break;
        case OPTION_ROUNDS:
        case OPTION_TIME:
        case OPTION_UNTIL: status = read_limit(r, id, o.value); break;
        case OPTION_OBSERVE: r->observe = o.value; break;
        case OPTION_COUNTERS: r->counters = o.value; break;
        case OPTION_REPORT: r->report = o.value; break;
        case OPTION_VERIFY: r->verify.model = o.value; break;
        case OPTION_AT: words_add(a, &r->verify.at, o.value); break;
        case OPTION_VARY: words_add(a, &r->vary_options, o.value); break;
        case OPTION_LIVE: r->live = true; break;
        case OPTION_FULL: r->full = true; break;
        case OPTION_BASELINE: r->baseline_option = o.value; break;
        case OPTION_HELP: print_help(); return 0;
        case OPTION_VERSION: version_print(); return 0;
        default: return 2;
        }
    }
    return status;
}

int run_main(const char *const *argv)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct run r = {.arena = a, .self = "call run", .outdir = ".", .beside = "", .further = ""};
    int status = read_options(&r, argv);
    if (status < 0) {
        status = check_request(&r);
        if (!status)
            status = run_all(&r);
    }
    process_leave();
    return status;
}
