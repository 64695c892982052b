/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call cc COMPILER ARGUMENTS...: the same command with translated sources.
 *
 * Sources without pragmas, and commands without sources, go to the compiler as they are; whatever
 * compiles gets the folder of cll.h, and a link command the run-time, at its end. A source with
 * pragmas (or with a header that has some) is translated into a shadow tree (shadow.h) in a
 * temporary folder, compiled from there under its own name, and the dependency file or the -E
 * output is corrected to name the user's files.
 */
#include "call/cc/cc.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/text.h"
#include "call/cc/compiler.h"
#include "call/cc/counted.h"
#include "call/cc/standard_input.h"
#include "call/cc/depend.h"
#include "call/cc/fortran.h"
#include "call/cc/implied.h"
#include "call/cc/mpi_flavour.h"
#include "call/cc/nvcc.h"
#include "call/cc/refused.h"
#include "call/cc/runtime.h"
#include "call/cc/timed.h"
#include "call/cc/told.h"
#include "call/cc/translate.h"
#include "call/cc/translation.h"

struct cc {
    struct arena *arena;
    struct cc_args args;
    struct translator how;
    struct translation *jobs; /* one per source */
    struct runtime runtime;
    const char *unseen; /* a source that the preprocessor did not show */
};

/* ---- commands ---- */

/* A command line that is too long for exec goes through a response file. */
static struct words shortened(const struct cc *c, struct words w)
{
    size_t size = 0;
    for (size_t i = 0; i < w.n; i++)
        size += strlen(w.list[i]) + 1;
    if (size < 96 << 10 || c->args.nvcc) /* nvcc has no response files of this form */
        return w;
    TEXT_LOCAL struct text t = text_new();
    for (size_t i = c->args.compiler + 1; i < w.n; i++) {
        text_addc(&t, '"');
        for (const char *s = w.list[i]; *s; s++) {
            if (*s == '"' || *s == '\\')
                text_addc(&t, '\\');
            text_addc(&t, *s);
        }
        text_add(&t, "\"\n");
    }
    const char *path = arena_printf(c->arena, "%s/arguments", process_temporary(c->arena));
    if (!process_write(path, t.s, t.n)) {
        w.n = c->args.compiler + 1;
        w.list[w.n] = NULL;
        words_printf(c->arena, &w, "@%s", path);
    }
    return w;
}

static int cannot_start(const char *program)
{
    say("call cc: cannot run %s: %s\n", program, strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

/* Complains about measured sources that SimGrid cannot simulate. */
static bool refuse_unsimulated(const struct cc *c)
{
    bool refused = false;
    for (size_t i = 0; i < c->args.nsources; i++)
        if (c->jobs[i].translated && c->args.sources[i].language == LANGUAGE_FORTRAN)
            refused |= fortran_refuse_unsimulated(&c->jobs[i].unit->inputs[0]);
    return refused;
}

/* Finds the run-time, and the pieces of it for the MPI library of this command. A program that
 * needs a piece where there is none is told so now: the linker could not say what to do. */
static int find_runtime(struct cc *c)
{
    struct arena *a = c->arena;
    const struct driver *needed = NULL;
    bool measures = false;
    for (size_t i = 0; c->jobs && i < c->args.nsources; i++) { /* none: counters, no regions */
        measures |= c->jobs[i].translated;
        if (c->jobs[i].translated && c->jobs[i].unit->processes)
            needed = c->jobs[i].unit->processes;
    }
    if (runtime_find(a, &c->runtime))
        return -1;
    if (!needed && !(cc_args_links(&c->args) && mpi_flavour_likely(a, &c->args)))
        return 0;
    const char *flavour = mpi_flavour_find(a, &c->args);
    bool simulated = flavour && !strcmp(flavour, "smpi");
    const struct driver *driver = needed ? needed : driver_mpi;
    if (simulated && refuse_unsimulated(c))
        return -1;
    const char *lacks = flavour ? runtime_lacks(a, &c->runtime, driver, flavour) : "";
    if (!lacks) {
        c->runtime.mpi = flavour;
        c->runtime.mpi_libraries = mpi_flavour_libraries(a, &c->args);
        return 0;
    }
    if (!needed && !(simulated && measures))
        return 0;
    if (!flavour)
        say("call cc: a source is %s %s program, but this compiler does not find mpi.h: use %s\n",
            driver == driver_mpi ? "an" : "a", driver->name,
            c->args.fortran  ? "mpif90"
            : c->args.is_cxx ? "mpicxx"
                             : "mpicc");
    else
        say("call cc: there is no run-time for %s programs of this MPI library: %s is not in "
            "%s; build CALL where its %s is found\n",
            driver->name, lacks, c->runtime.library, simulated ? "smpicc" : "mpicc");
    return -1;
}

/* Programs that `call discover` builds may end with _exit (cll/counted/ends.c). Before libc. */
static void add_ends(const struct cc *c, struct words *w)
{
    const char *ends = runtime_library(c->arena, "libcll_ends.a");
    if (ends && cc_args_links(&c->args) && !words_have_flag(&c->args.words, "-shared"))
        WORDS_ADD(c->arena, w, ends, "-Wl,-u,_exit"); /* with -flto no object mentions it */
}

static void add_runtime(const struct cc *c, struct words *w)
{
    if (timed_list() || told_is_asked())
        add_ends(c, w);
    runtime_link(c->arena, &c->runtime, nvcc_links_cuda(&c->args) ? &c->args : NULL, w);
}

/* The command as it was given, with the folder of cll.h if it compiles and the run-time if it
 * links. */
static int run_plain(struct cc *c, const char *const *argv, bool in_place)
{
    struct words w = {0};
    words_add_list(c->arena, &w, argv);
    if (c->args.compiles)
        runtime_search(c->arena, &w);
    if (cc_args_links(&c->args)) {
        if (find_runtime(c))
            return 1;
        add_runtime(c, &w);
    }
    nvcc_adapt(c->arena, &w);
    if (in_place) {
        process_remove_temporary();
        fflush(NULL);
        process_show_pipe();
        // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the compiler is a word
        execvp(w.list[0], (char *const *)w.list);
        return cannot_start(w.list[0]);
    }
    int status = process_run(&w, NULL);
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): see above
    return status < 0 ? cannot_start(w.list[0]) : process_exit_status(status);
}

/* The command of a program that `call discover` counts. */
static int run_counted(struct cc *c, const char *const *argv, bool in_place)
{
    struct words w = {0};
    words_add_list(c->arena, &w, argv);
    add_ends(c, &w);
    if (c->args.has_input && !c->args.preprocess_only && !c->args.only_dependencies)
        counted_add(c->arena, &c->args, &w);
    return run_plain(c, w.list, in_place && !counted_has_threads(&c->args));
}

/* The command of a program whose functions tell their arguments. What the compiler refuses with loops and allocations tells arguments
 * alone, or is compiled as it is. */
static int run_told(struct cc *c, const char *const *argv)
{
    struct process_options quiet = {.err = PROCESS_NULL};
    for (int alone = 0; alone < 2; alone++) {
        struct words w = told_words(c->arena, &c->args, alone);
        if (w.list == c->args.words.list)
            break;
        add_ends(c, &w);
        w = shortened(c, w);
        int status = process_run(&w, &quiet);
        if (!status || process_signal())
            return status < 0 ? cannot_start(w.list[0]) : process_exit_status(status);
    }
    return run_plain(c, argv, false);
}

/* ---- sources that are not translated ---- */

/* Complains about the pragmas of a file that goes to the compiler as it is: they would be ignored. */
static bool refuse_pragmas(struct arena *a, const char *path, const char *why)
{
    struct cc_source source = {.path = path, .language = LANGUAGE_CXX};
    struct translation t;
    size_t pragmas = 0;
    if (!translation_read(a, NULL, &source, &t)) /* else the compiler says why */
        pragmas = unit_count(t.unit);
    if (pragmas) {
        const struct input *in = &t.unit->inputs[0];
        diag_add(t.unit->diag, SEVERITY_ERROR, in->source, in->pragmas[0].word, "%s", why);
        diag_print(t.unit->diag, stderr, ERROR_LIMIT);
    }
    translation_end(&t);
    return pragmas != 0;
}

/* 1 after a complaint. */
static int refuse_untranslated(struct arena *a, const struct cc_args *args)
{
    bool refused = false;
    if (args->only_dependencies)
        return 0;
    for (size_t i = 0; i < args->untranslated.n; i++)
        refused |= refuse_pragmas(a, args->untranslated.list[i],
                                  "this pragma would be ignored: call cc translates C and C++ "
                                  "sources, not those of other languages or preprocessed ones");
    for (size_t i = 0; i < args->forced.n && args->nsources; i++)
        refused |= refuse_pragmas(a, args->forced.list[i],
                                  "this pragma would be ignored, because the option -include "
                                  "includes this file; write #include in the source");
    return refused;
}

/* ---- the command ---- */

/* Sources that are preprocessed already: nothing of that is left for the compiler. 0, or the exit
 * status. */
static int prepare_fortran(const struct cc *c, struct words *w)
{
    bool any = false;
    for (size_t i = 0; i < c->args.nsources; i++) {
        if (!c->jobs[i].translated || !c->args.sources[i].preprocessed)
            continue;
        any = true;
        int status = c->args.writes_dependencies ? fortran_dependencies(c->arena, &c->args, i) : 0;
        if (status)
            return status < 0 ? cannot_start(w->list[0]) : process_exit_status(status);
    }
    if (any)
        *w = fortran_plain_words(c->arena, &c->args, w);
    return 0;
}

/* Does a C source compute values at the end of a region? With clang it needs blocks. */
static bool needs_blocks(const struct cc *c)
{
    for (size_t i = 0; i < c->args.nsources; i++)
        if (c->jobs[i].translated && c->jobs[i].language == LANGUAGE_C &&
            unit_computes(c->jobs[i].unit))
            return compiler_is_clang(c->arena, &c->args);
    return false;
}

static int run_translated(struct cc *c)
{
    struct arena *a = c->arena;
    if (find_runtime(c) || translation_unite(&c->how, c->jobs, c->args.nsources))
        return 1;
    struct words w = translation_redirect(a, &c->args, c->jobs, c->args.nsources, &c->args.words);
    if (c->args.compiles) {
        WORDS_ADD(a, &w, "-isystem", c->runtime.include);
        if (c->args.fortran && runtime_is_simulated(&c->runtime))
            words_add(a, &w, "-DCLL_SMPI"); /* for C sources, of which smpif90 knows nothing */
        if (needs_blocks(c))
            words_add(a, &w, "-fblocks");
    }
    int failed = prepare_fortran(c, &w);
    if (failed)
        return failed;
    for (size_t i = 0; c->args.debug && i < c->args.nsources; i++)
        if (c->jobs[i].tree)
            words_printf(a, &w, "-fdebug-prefix-map=%s=%s",
                         path_folder(a, c->jobs[i].shadow.files[0].copy),
                         path_folder(a, c->args.sources[i].path));
    if (cc_args_links(&c->args))
        add_runtime(c, &w);
    nvcc_adapt(a, &w);
    w = shortened(c, w);
    struct process_options o = {0};
    const char *captured = NULL;
    if (c->args.preprocess_only && (!c->args.output || !strcmp(c->args.output, "-"))) {
        o.out = PROCESS_FILE;
        o.out_file = captured = arena_printf(a, "%s/output", process_temporary(a));
    }
    int status = process_run(&w, &o);
    if (status < 0)
        return cannot_start(w.list[0]);
    int incomplete = depend_correct(a, &c->args, c->jobs, captured);
    status = process_exit_status(status);
    return status ? status : incomplete;
}

/* ---- the whole ---- */

/* Where --keep puts the source without its ending. Sources a.c and a.cpp of one program get names of their
 * own. */
static const char *kept_path(const struct cc *c, const struct translation *t, const char *folder)
{
    const char *header = translation_header(c->arena, t), *other = header;
    for (const struct translation *before = c->jobs; before < t; before++)
        if (before->translated && !strcmp(translation_header(c->arena, before), header))
            other = arena_printf(c->arena, "%td.%s", t - c->jobs, header);
    return arena_printf(c->arena, "%s/%.*s", folder, (int)strlen(other) - 2, other);
}

/* 0 = go on, 1 = errors were printed, 2 = let the compiler have the command as it is. */
static int translate_source(struct cc *c, size_t i, struct cc_sources *surveyed, const char *keep)
{
    struct translation *t = &c->jobs[i];
    if (cc_sources_take(c->arena, &c->args, i, surveyed, t))
        return 2;
    int status = translation_resolve(&c->how, i, t);
    if (t->unseen)
        c->unseen = c->args.sources[i].path;
    if (!status && t->translated)
        status = translation_write(&c->how, t, keep ? kept_path(c, t, keep) : NULL) ? 1 : 0;
    return status;
}

static int run(struct arena *a, const char *const *argv, struct cc_sources *surveyed,
               const char *keep, bool in_place, struct cc_program *program)
{
    struct cc c = {.arena = a};
    if (cc_args_read(a, argv, &c.args))
        return 2;
    c.jobs = arena_zalloc(a, c.args.nsources + 1, sizeof *c.jobs);
    if (counted_is_asked()) {
        bool logged = counted_is_logged(&c.args);
        struct words notes = logged ? counted_notes(a, &c.args) : (struct words){0};
        int counted = run_counted(&c, argv, in_place && !logged);
        if (counted) /* a configuration tries commands that fail, and a signal ends one */
            counted_forget(&notes);
        else
            counted = counted_log(a, &c.args, &notes);
        if (program)
            *program = (struct cc_program){.flavour = c.runtime.mpi};
        return counted;
    }
    if (told_is_asked())
        return run_told(&c, argv);
    c.how = (struct translator){.arena = a,
                                .self = "call cc",
                                .args = &c.args,
                                .mpi_compiler = implied_is_mpi(c.args.words.list[c.args.compiler])};
    bool translated = false;
    int status = refuse_untranslated(a, &c.args);
    status |= standard_input_check(a, &c.args);
    for (size_t i = 0;
         i < c.args.nsources && !status && !c.args.only_dependencies && !process_signal(); i++) {
        status = translate_source(&c, i, surveyed, keep);
        translated |= c.jobs[i].translated;
    }
    if (process_signal())
        status = 1;
    else if (status == 2) {
        /* The compiler has a complaint, which is its own to make. */
        status = run_plain(&c, argv, false);
        if (!status)
            say("call cc: warning: the preprocessor failed without the compiler, so "
                "nothing was instrumented\n");
    } else if (status == 0) {
        status = translated ? run_translated(&c) : run_plain(&c, argv, in_place && !c.unseen);
        if (!status && c.unseen)
            say("call cc: warning: the preprocessor failed for %s without the compiler, so cll "
                "pragmas of macros would be ignored there\n",
                c.unseen);
    }
    if (program) {
        *program = (struct cc_program){.flavour = c.runtime.mpi};
        for (size_t i = 0; i < c.args.nsources; i++)
            if (c.jobs[i].translated)
                cc_program_add(a, program, c.jobs[i].unit->processes, c.jobs[i].unit->openmp,
                               &c.jobs[i].unit->procs);
    }
    for (size_t i = 0; i < c.args.nsources; i++)
        translation_end(&c.jobs[i]);
    return status;
}

int cc_run(struct arena *a, const char *const *argv, struct cc_sources *surveyed, const char *keep,
           bool in_place, struct cc_program *program)
{
    size_t refused;
    int status;
    do { /* without the regions that were refused */
        refused = refused_count();
        status = run(a, argv, surveyed, keep, in_place && !timed_list(), program);
        surveyed = NULL;
    } while (status && refused_count() > refused && !process_signal());
    if (!status || !timed_list() || process_signal())
        return status;
    timed_refuse_all("its file does not compile with regions");
    status = run(a, argv, NULL, keep, false, program);
    timed_refuse_all(NULL);
    if (!status)
        say("call cc: the functions of this command are measured as parts of their callers\n");
    return status;
}

static void print_help(void)
{
    printf(
        "usage: call cc COMPILER ARGUMENTS...\n\n"
        "Runs the compiler command with translated sources, and adds the run-time to a link "
        "command.\n"
        "'call cc gcc -O2 -c x.c -o x.o' compiles one source, 'make CC=\"call cc gcc\" "
        "CXX=\"call cc g++\"' a project.\n"
        "Called as call-gcc, call-g++, call-mpicc, ..., the program is 'call cc gcc' and so on, in "
        "one word.\n"
        "'call cc' has no options of its own: all words after COMPILER go to the compiler.\n");
}

/* The compiler comes first, and what begins with '-' is not one. */
static int option_first(const char *word)
{
    if (!strcmp(word, "-h") || !strcmp(word, "--help")) {
        print_help();
        return 0;
    }
    say("call cc: %s: the compiler must come first: write 'call cc gcc -O2 -c x.c', for example\n",
        word);
    return 2;
}

static int run_command(struct arena *a, const char *const *argv)
{
    int status = cc_run(a, argv, NULL, NULL, true, NULL);
    arena_destroy(a);
    process_leave();
    return status;
}

int cc_main(const char *const *argv)
{
    if (argv[0] && argv[0][0] == '-')
        return option_first(argv[0]);
    return run_command(arena_create(), argv);
}

const char *cc_wrapped(const char *name)
{
    static const char prefix[] = "call-";
    const char *base = path_base(name);
    bool wrapper = !strncmp(base, prefix, sizeof prefix - 1) && base[sizeof prefix - 1];
    return wrapper ? base + sizeof prefix - 1 : NULL;
}

int cc_wrapper_main(const char *compiler, const char *const *argv)
{
    struct arena *a = arena_create();
    struct words w = {0};
    words_add(a, &w, compiler);
    words_add_list(a, &w, argv);
    return run_command(a, w.list);
}
