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
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/cc/depend.h"
#include "call/cc/fortran.h"
#include "translate/emit.h"
#include "call/cc/implied.h"
#include "translate/fortran.h"
#include "call/cc/language.h"
#include "call/cc/mpi_flavour.h"
#include "call/cc/runtime.h"
#include "call/cc/shadow.h"
#include "translate/procs.h"
#include "call/cc/translate.h"

/* One source of the command. */
struct job {
    struct shadow shadow;
    struct unit *unit;
    size_t *inputs; /* per file of the shadow: its input in the unit, or (size_t)-1 */
    const char *tree;
    bool translated;
};

struct cc {
    struct arena *arena;
    struct cc_args args;
    struct job *jobs; /* one per source */
    struct runtime runtime;
    const char *temporary, *keep;
    const char *unseen; /* a source that the preprocessor did not show */
    bool incomplete;    /* an output that names the shadow tree could not be corrected */
};

/* ---- commands ---- */

/* The words with translated sources in place of the user's, the source's own folder first where
 * quoted headers are searched, and the shadow of a searched folder before it. */
static struct words redirect_words(const struct cc *c, const struct words *in)
{
    struct arena *a = c->arena;
    const struct cc_args *args = &c->args;
    struct words out = {0};
    for (size_t i = 0; i < in->n; i++) {
        const char *w = in->list[i];
        for (size_t f = 0; i > args->compiler && f < args->nfolders; f++)
            for (size_t j = 0; w == args->words.list[args->folders[f].word] && j < args->nsources;
                 j++) {
                char *real = c->jobs[j].tree && c->jobs[j].shadow.folders[f]
                                 ? realpath(args->folders[f].path, NULL)
                                 : NULL;
                if (real) {
                    words_add(a, &out, args->folders[f].option);
                    words_add(a, &out, arena_printf(a, "%s%s", c->jobs[j].tree, real));
                    free(real);
                }
            }
        for (size_t j = 0; j < args->nsources; j++)
            if (w == args->sources[j].path && c->jobs[j].tree)
                w = c->jobs[j].shadow.files[0].copy;
        words_add(a, &out, w);
        for (size_t j = 0; i == args->compiler && j < args->nsources; j++)
            if (c->jobs[j].tree) {
                bool fortran = args->sources[j].language == LANGUAGE_FORTRAN;
                words_add(a, &out, fortran ? "-I" : "-iquote");
                words_add(a, &out, path_folder(a, args->sources[j].path));
            }
    }
    return out;
}

/* A command line that is too long for exec goes through a response file. */
static struct words shortened(const struct cc *c, struct words w)
{
    size_t size = 0;
    for (size_t i = 0; i < w.n; i++)
        size += strlen(w.list[i]) + 1;
    if (size < 96 << 10)
        return w;
    struct text t;
    text_init(&t);
    for (size_t i = c->args.compiler + 1; i < w.n; i++) {
        text_addc(&t, '"');
        for (const char *s = w.list[i]; *s; s++) {
            if (*s == '"' || *s == '\\')
                text_addc(&t, '\\');
            text_addc(&t, *s);
        }
        text_add(&t, "\"\n");
    }
    const char *path = arena_printf(c->arena, "%s/arguments", c->temporary);
    if (!process_write(path, t.s, t.n)) {
        w.n = c->args.compiler + 1;
        w.list[w.n] = NULL;
        words_add(c->arena, &w, arena_printf(c->arena, "@%s", path));
    }
    text_free(&t);
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
    for (size_t i = 0; i < c->args.nsources; i++) {
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

/* The command as it was given, with the folder of cll.h if it compiles and the run-time if it
 * links. */
static int run_plain(struct cc *c, const char *const *argv, bool in_place)
{
    struct words w = {0};
    for (; *argv; argv++)
        words_add(c->arena, &w, *argv);
    if (c->args.compiles)
        runtime_search(c->arena, &w);
    if (cc_args_links(&c->args)) {
        if (find_runtime(c))
            return 1;
        runtime_link(c->arena, &c->runtime, &w);
    }
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

/* ---- translating ---- */

static int write_copy(const char *path, const struct text *t)
{
    if (!process_make_folders(path) && !process_write(path, t->s, t->n))
        return 0;
    say("call cc: cannot write %s: %s\n", path, strerror(errno));
    return -1;
}

/* Writes all files of the shadow tree, for the preprocessor or translated. */
static int write_tree(const struct job *j, const char *header)
{
    struct text t;
    int result = 0;
    text_init(&t);
    for (size_t i = 0; i < j->shadow.nfiles && !result; i++) {
        const struct shadow_file *f = &j->shadow.files[i];
        if (!f->shadowed)
            continue;
        text_clear(&t);
        if (header && j->inputs[i] != (size_t)-1) {
            if (i ==
                0) { /* a message from inside the header says "included from" the user's file */
                text_add(&t, "#line 1 ");
                emit_string(&t, f->path);
                text_addc(&t, '\n');
            }
            emit_source(j->unit, j->inputs[i], i ? NULL : header, &t);
        } else {
            text_add(&t, "#line 1 ");
            emit_string(&t, f->path);
            text_addc(&t, '\n');
            size_t mark = lex_byte_order_mark(f->text, f->size);
            if (j->inputs[i] != (size_t)-1)
                unit_mark(j->unit, j->inputs[i], &t);
            else
                text_addn(&t, f->text + mark, f->size - mark);
        }
        result = write_copy(f->copy, &t);
    }
    text_free(&t);
    return result;
}

/* The header's name need not be the user's: characters that an #include cannot hold, or that
 * compilers take in different ways, are replaced. */
static const char *header_name(const struct cc *c, const struct job *j)
{
    const char *base = path_base(j->shadow.files[0].path), *ending = source_ending(base);
    size_t n = ending ? (size_t)(ending - base) : strlen(base);
    char *name = arena_printf(c->arena, "%.*s.cll.h", (int)n, base);
    for (char *s = name; *s; s++)
        if (*s == '"' || *s == '\\' || *s == '?' || (unsigned char)*s < 0x20)
            *s = '_';
    return name;
}

/* A copy for --keep: NAME.cll.c and NAME.cll.h as `call` would write them. Sources a.c and a.cpp of one
 * program get names of their own. */
static int keep_copy(const struct cc *c, const struct job *j, const char *header,
                     const struct text *header_text)
{
    struct text t;
    const char *ending = source_ending(j->shadow.files[0].path);
    for (const struct job *before = c->jobs; before < j; before++)
        if (before->translated && !strcmp(header_name(c, before), header))
            header = arena_printf(c->arena, "%td.%s", j - c->jobs, header);
    text_init(&t);
    emit_source(j->unit, 0, header, &t);
    size_t n = strlen(header);
    const char *path =
        arena_printf(c->arena, "%s/%.*s%s", c->keep, (int)(n - 2), header, ending ? ending : ".c");
    int result = write_copy(path, &t);
    if (!result)
        result = write_copy(arena_printf(c->arena, "%s/%s", c->keep, header), header_text);
    text_free(&t);
    return result;
}

static int write_translated(const struct cc *c, const struct job *j)
{
    const char *header = header_name(c, j);
    struct text t;
    text_init(&t);
    text_printf(&t, "#line 1 ");
    emit_string(&t, header);
    text_addc(&t, '\n');
    size_t skip = t.n;
    emit_header(j->unit, cc_args_flags(c->arena, &c->args), &t);
    const char *folder = path_folder(c->arena, j->shadow.files[0].copy);
    int result = write_copy(arena_printf(c->arena, "%s/%s", folder, header), &t);
    if (!result)
        result = write_tree(j, header);
    if (!result && c->keep) {
        struct text rest = {t.s + skip, t.n - skip, 0};
        result = keep_copy(c, j, header, &rest);
    }
    text_free(&t);
    return result;
}

static void add_inputs(const struct cc *c, struct job *j, size_t index)
{
    j->unit = unit_create(c->args.sources[index].language);
    j->unit->has_headers = true;
    j->inputs = arena_alloc(c->arena, j->shadow.nfiles, sizeof *j->inputs);
    for (size_t i = 0; i < j->shadow.nfiles; i++) {
        const struct shadow_file *f = &j->shadow.files[i];
        bool is_input = i == 0 || f->holds;
        j->inputs[i] = is_input ? unit_add(j->unit, f->path, f->text, f->size) : (size_t)-1;
    }
}

static int make_temporary(struct cc *c)
{
    if ((c->temporary = process_temporary(c->arena)))
        return 0;
    say("call cc: cannot make a temporary folder: %s\n", strerror(errno));
    return 1;
}

/* ---- Fortran ---- */

/* Reads the source into j->unit. 0, or -1 if it cannot be read. */
static int read_fortran(const struct cc *c, struct job *j, size_t index)
{
    const char *path = c->args.sources[index].path;
    struct stat st;
    char *text;
    size_t size;
    if (stat(path, &st) || !S_ISREG(st.st_mode) || source_read(path, SOURCE_LIMIT, &text, &size))
        return -1;
    j->unit = unit_create(LANGUAGE_FORTRAN);
    unit_add(j->unit, path, text, size);
    mem_free(text);
    return 0;
}

/* The text that the compiler would read after preprocessing, with marks; NULL after errors of the
 * compiler. */
static char *preprocess_fortran(struct cc *c, const struct job *j, size_t index, size_t *size)
{
    const char *why;
    struct text t;
    text_init(&t);
    text_add(&t, "#line 1 ");
    emit_string(&t, c->args.sources[index].path);
    text_addc(&t, '\n');
    unit_mark(j->unit, 0, &t);
    int result = write_copy(j->shadow.files[0].copy, &t);
    text_free(&t);
    if (result)
        return NULL;
    struct words w = cc_args_preprocess(c->arena, &c->args, index);
    w = redirect_words(c, &w);
    return preprocess(c->arena, &w, false, c->temporary, size, &why);
}

/* Writes the translated source, and a copy for --keep. */
static int write_fortran(const struct cc *c, struct job *j, size_t index)
{
    const char *base = path_base(c->args.sources[index].path);
    const char *name = fortran_copy_name(c->arena, base, c->args.sources[index].preprocessed);
    const char *ending = source_ending(name);
    struct text t;
    text_init(&t);
    /* With -fpreprocessed (CMake with Ninja), gfortran loses the first character. */
    text_addc(&t, '\n');
    fortran_emit(j->unit, cc_args_flags(c->arena, &c->args), &t);
    j->shadow.files[0].copy = arena_printf(c->arena, "%s/%s", j->tree, name);
    int result = write_copy(j->shadow.files[0].copy, &t);
    if (!result && c->keep)
        result = write_copy(arena_printf(c->arena, "%s/%.*s.cll%s", c->keep,
                                         (int)(ending ? ending - name : (long)strlen(name)), name,
                                         ending ? ending : ".f90"),
                            &t);
    text_free(&t);
    return result;
}

/* As translate_job. */
static int translate_fortran(struct cc *c, size_t index)
{
    struct job *j = &c->jobs[index];
    const char *path = c->args.sources[index].path;
    char *text = NULL;
    size_t size = 0;
    if (c->args.preprocess_only)
        return 0; /* the directives stay in what the preprocessor writes */
    if (read_fortran(c, j, index))
        return 2;
    const struct input *in = &j->unit->inputs[0];
    if (lex_is_wide(in->text, in->size))
        return source_refuse_wide("call cc", path);
    if (fortran_refuse_included(c->arena, &c->args, path, in->text, in->size))
        return 1;
    if (unit_count(j->unit)) {
        if (fortran_refuse_standard(&c->args) || make_temporary(c))
            return 1;
        j->tree = arena_printf(c->arena, "%s/%zu", c->temporary, index);
        j->shadow.folders = arena_zalloc(c->arena, c->args.nfolders + 1, sizeof(bool));
        j->shadow.files = arena_zalloc(c->arena, 1, sizeof *j->shadow.files);
        j->shadow.nfiles = 1;
        j->shadow.files[0].path = path;
        j->shadow.files[0].copy = arena_printf(c->arena, "%s/marked/%s", j->tree, path_base(path));
        if (c->args.sources[index].preprocessed && !(text = preprocess_fortran(c, j, index, &size)))
            return 2;
        j->translated = true;
    }
    j->unit->implied =
        implied_driver_fortran(text ? text : in->text, text ? size : in->size,
                               compiler_is_mpi(c->args.words.list[c->args.compiler]));
    j->unit->counting = cc_args_counts(&c->args);
    unit_resolve(j->unit, text, size);
    if (j->translated)
        implied_note(j->unit, "call cc");
    bool good = !diag_count(j->unit->diag, SEVERITY_ERROR);
    diag_print(j->unit->diag, stderr, ERROR_LIMIT);
    return good && (!j->translated || !write_fortran(c, j, index)) ? 0 : 1;
}

/* Complains about sources and headers with pragmas in UTF-16 or UTF-32. */
static bool refuse_wide(const struct shadow *shadow)
{
    bool refused = false;
    for (size_t i = 0; i < shadow->nfiles; i++)
        if (shadow->files[i].is_wide)
            refused = source_refuse_wide("call cc", shadow->files[i].path);
    return refused;
}

/* The preprocessed source, with marks in place of the pragmas that were found; NULL if the compiler
 * complains. */
static char *preprocess_job(struct cc *c, const struct job *j, size_t index, size_t *size)
{
    const char *why;
    struct words w = cc_args_preprocess(c->arena, &c->args, index);
    if (j->tree)
        w = redirect_words(c, &w);
    runtime_search(c->arena, &w);
    return preprocess(c->arena, &w, true, c->temporary, size, &why);
}

/* 0 = go on, 1 = errors were printed, 2 = let the compiler have the command as it is. */
static int translate_job(struct cc *c, size_t index)
{
    struct job *j = &c->jobs[index];
    char *text = NULL;
    size_t size = 0;
    if (c->args.sources[index].language == LANGUAGE_FORTRAN)
        return translate_fortran(c, index);
    if (shadow_scan(c->arena, &c->args, index, &j->shadow))
        return 2;
    if (refuse_wide(&j->shadow))
        return 1;
    if (!j->shadow.holds && c->args.preprocess_only)
        return 0; /* hidden pragmas stay in what the preprocessor writes */
    if (make_temporary(c))
        return 1;
    if (!j->shadow.holds) {
        /* Only the preprocessor shows pragmas of macros, and of files that were not found. If it fails, the
         * compiler will say why. */
        text = preprocess_job(c, j, index, &size);
        if (!text)
            c->unseen = c->args.sources[index].path;
        if (!text || !lex_may_hold_pragma(text, size))
            return 0;
    }
    add_inputs(c, j, index);
    j->unit->implied = implied_driver(j->shadow.files[0].text, j->shadow.files[0].size,
                                      compiler_is_mpi(c->args.words.list[c->args.compiler]));
    if (unit_count(j->unit)) {
        j->tree = arena_printf(c->arena, "%s/%zu", c->temporary, index);
        shadow_place(c->arena, j->tree, c->args.nsources > 1, &j->shadow);
        if (write_tree(j, NULL))
            return 1;
        text = preprocess_job(c, j, index, &size);
        if (!text && unit_refuse_modules(j->unit)) {
            diag_print(j->unit->diag, stderr, ERROR_LIMIT);
            return 1;
        }
        if (!text)
            return 2;
        j->unit->implied =
            implied_driver(text, size, compiler_is_mpi(c->args.words.list[c->args.compiler]));
        unit_resolve(j->unit, text, size);
        implied_note(j->unit, "call cc");
        j->translated = true;
    } else {
        if (!text)
            text = preprocess_job(c, j, index, &size);
        unit_resolve(j->unit, text, size);
    }
    bool good = !diag_count(j->unit->diag, SEVERITY_ERROR);
    diag_print(j->unit->diag, stderr, ERROR_LIMIT);
    return good && (!j->translated || !write_translated(c, j)) ? 0 : 1;
}

/* Complains about the pragmas of a file that goes to the compiler as it is: they would be ignored. */
static bool refuse_pragmas(const char *path, const char *why)
{
    char *text;
    size_t size;
    if (source_read(path, SOURCE_LIMIT, &text, &size))
        return false; /* the compiler says why */
    size_t pragmas = 0;
    if (lex_may_hold_pragma(text, size)) {
        struct unit *u = unit_create(LANGUAGE_CXX);
        unit_add(u, path, text, size);
        pragmas = unit_count(u);
        if (pragmas) {
            diag_add(u->diag, SEVERITY_ERROR, u->inputs[0].source, u->inputs[0].pragmas[0].word,
                     "%s", why);
            diag_print(u->diag, stderr, ERROR_LIMIT);
        }
        unit_destroy(u);
    }
    mem_free(text);
    return pragmas != 0;
}

/* 1 after a complaint. */
static int refuse_untranslated(const struct cc_args *args)
{
    bool refused = false;
    if (args->only_dependencies)
        return 0;
    for (size_t i = 0; i < args->untranslated.n; i++)
        refused |= refuse_pragmas(args->untranslated.list[i],
                                  "this pragma would be ignored: call cc translates C and C++ "
                                  "sources, not those of other languages or preprocessed ones");
    for (size_t i = 0; i < args->fixed.n && !args->preprocess_only; i++)
        refused |= fortran_refuse_fixed(args->fixed.list[i]);
    for (size_t i = 0; i < args->forced.n && args->nsources; i++)
        refused |= refuse_pragmas(args->forced.list[i],
                                  "this pragma would be ignored, because the option -include "
                                  "includes this file; write #include in the source");
    return refused;
}

/* ---- outputs that name the shadow tree ---- */

static bool same_file(const char *x, const char *y)
{
    char *a = realpath(x, NULL), *b = realpath(y, NULL);
    bool same = a && b && !strcmp(a, b);
    free(a);
    free(b);
    return same;
}

/* The user's name of a path below the temporary folder; NULL for what exists only there. */
static const char *user_name(void *user, const char *path)
{
    const struct cc *c = user;
    for (size_t i = 0; i < c->args.nsources; i++)
        for (size_t f = 0; c->jobs[i].tree && f < c->jobs[i].shadow.nfiles; f++) {
            const struct shadow_file *file = &c->jobs[i].shadow.files[f];
            if (file->copy && (!strcmp(file->copy, path) || same_file(file->copy, path)))
                return file->path;
        }
    return NULL;
}

static void cannot_write(struct cc *c, const char *path)
{
    say("call cc: cannot write %s: %s\n", path, destination_error(errno));
    c->incomplete = true;
}

static void replace_file(struct cc *c, const char *path, const struct text *t)
{
    struct outfile f;
    if (outfile_open(&f, path) == 0) {
        outfile_write(&f, t->s, t->n);
        if (outfile_commit(&f) == 0)
            return;
    }
    cannot_write(c, path);
}

static void correct_dependencies(struct cc *c, const char *path)
{
    char *text;
    size_t size;
    if (source_read(path, SOURCE_LIMIT, &text, &size))
        return;
    if (strstr(text, c->temporary)) {
        struct text t;
        text_init(&t);
        depend_rewrite(text, c->temporary, user_name, c, &t);
        replace_file(c, path, &t);
        text_free(&t);
    }
    mem_free(text);
}

/* "dir/x.o" -> "dir/x" */
static const char *stem(struct arena *a, const char *path)
{
    const char *base = path_base(path), *dot = strrchr(base, '.');
    return dot && dot != base ? arena_strndup(a, path, (size_t)(dot - path)) : path;
}

/* Compilers differ in how they name a dependency file that has no -MF: whichever of these names our
 * folder. */
static void correct_all_dependencies(struct cc *c)
{
    struct arena *a = c->arena;
    const struct cc_args *args = &c->args;
    if (args->dependencies)
        correct_dependencies(c, args->dependencies);
    if (!args->writes_dependencies)
        return;
    if (args->output) {
        correct_dependencies(c, arena_printf(a, "%s.d", stem(a, args->output)));
        correct_dependencies(c, arena_printf(a, "%s.d", args->output));
    }
    for (size_t i = 0; i < args->nsources; i++) {
        const char *base = stem(a, path_base(args->sources[i].path));
        correct_dependencies(c, arena_printf(a, "%s.d", base));
        correct_dependencies(
            c, arena_printf(a, "%s-%s.d", args->output ? stem(a, args->output) : "a", base));
        if (args->output)
            correct_dependencies(c, arena_printf(a, "%s-%s.d", args->output, base));
    }
}

/* The line markers of -E output: the user's names instead of those in the temporary folder. */
static void correct_markers(const struct cc *c, const char *text, struct text *out)
{
    size_t n = strlen(c->temporary);
    const char *p;
    while ((p = strstr(text, c->temporary))) {
        text_addn(out, text, (size_t)(p - text));
        size_t length = strcspn(p, "\"\n");
        char *path = arena_strndup(c->arena, p, length);
        const char *name = user_name((void *)c, path);
        text_add(out, name ? name : path_base(path));
        text = p + (length > n ? length : n);
    }
    text_add(out, text);
}

static void correct_preprocessed(struct cc *c, const char *captured)
{
    char *text;
    size_t size;
    const char *path = captured ? captured : c->args.output;
    if (!path || source_read(path, (size_t)SOURCE_LIMIT * 4, &text, &size))
        return;
    struct text t;
    text_init(&t);
    correct_markers(c, text, &t);
    if (!captured)
        replace_file(c, path, &t);
    else if (fwrite(t.s, 1, t.n, stdout) != t.n || fflush(stdout))
        cannot_write(c, "the standard output");
    text_free(&t);
    mem_free(text);
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

static int run_translated(struct cc *c)
{
    struct arena *a = c->arena;
    if (find_runtime(c))
        return 1;
    struct words w = redirect_words(c, &c->args.words);
    if (c->args.compiles) {
        words_add(a, &w, "-isystem");
        words_add(a, &w, c->runtime.include);
        if (c->args.fortran && runtime_is_simulated(&c->runtime))
            words_add(a, &w, "-DCLL_SMPI"); /* for C sources, of which smpif90 knows nothing */
    }
    int failed = prepare_fortran(c, &w);
    if (failed)
        return failed;
    for (size_t i = 0; c->args.debug && i < c->args.nsources; i++)
        if (c->jobs[i].tree)
            words_add(a, &w,
                      arena_printf(a, "-fdebug-prefix-map=%s=%s",
                                   path_folder(a, c->jobs[i].shadow.files[0].copy),
                                   path_folder(a, c->args.sources[i].path)));
    if (cc_args_links(&c->args))
        runtime_link(a, &c->runtime, &w);
    w = shortened(c, w);
    struct process_options o = {0};
    const char *captured = NULL;
    if (c->args.preprocess_only && (!c->args.output || !strcmp(c->args.output, "-"))) {
        o.out = PROCESS_FILE;
        o.out_file = captured = arena_printf(a, "%s/output", c->temporary);
    }
    int status = process_run(&w, &o);
    if (status < 0)
        return cannot_start(w.list[0]);
    correct_all_dependencies(c);
    if (c->args.preprocess_only)
        correct_preprocessed(c, captured);
    status = process_exit_status(status);
    return status ? status : c->incomplete;
}

/* ---- what kind of program it is ---- */

void cc_program_add(struct arena *a, struct cc_program *p, const struct driver *processes,
                    bool openmp, const struct range *procs)
{
    if (processes)
        p->processes = processes;
    p->openmp |= openmp;
    if (p->procs.n && procs->n && !sweep_equal(&p->procs, procs))
        p->contradictory = true;
    if (!p->procs.n && procs->n) {
        p->procs = (struct range){arena_alloc(a, procs->n, sizeof *procs->values), procs->n};
        memcpy(p->procs.values, procs->values, procs->n * sizeof *procs->values);
    }
}

/* What the source or a header of the program tells. */
static const struct driver *implied_by_files(const struct shadow *shadow)
{
    const struct driver *found = NULL;
    for (size_t i = 0; i < shadow->nfiles && (!found || found == driver_mpi); i++) {
        const struct driver *told =
            implied_driver(shadow->files[i].text, shadow->files[i].size, false);
        found = told ? told : found;
    }
    return found;
}

int cc_survey(struct arena *a, const char *const *argv, struct cc_program *program)
{
    struct cc c = {.arena = a};
    *program = (struct cc_program){0};
    if (cc_args_read(a, argv, &c.args))
        return 2;
    for (size_t i = 0; i < c.args.nsources; i++) {
        struct job j = {0};
        const struct driver *implied;
        program->cxx |= c.args.sources[i].language == LANGUAGE_CXX;
        program->fortran |= c.args.sources[i].language == LANGUAGE_FORTRAN;
        if (c.args.sources[i].language == LANGUAGE_FORTRAN) {
            if (read_fortran(&c, &j, i))
                continue;
            const struct input *in = &j.unit->inputs[0];
            implied = implied_driver_fortran(in->text, in->size, false);
        } else {
            if (shadow_scan(a, &c.args, i, &j.shadow))
                continue;
            implied = implied_by_files(&j.shadow);
            if (j.shadow.holds)
                add_inputs(&c, &j, i);
        }
        if (implied && (!program->implied || program->implied == driver_mpi))
            program->implied = implied; /* a BSP program may include mpi.h as well */
        if (!j.unit)
            continue; /* it has no pragmas, but may be the one that includes mpi.h */
        for (size_t k = 0; k < j.unit->ninputs; k++) {
            program->pragmas += j.unit->inputs[k].npragmas;
            for (size_t n = 0; n < j.unit->inputs[k].npragmas; n++) {
                const struct pragma *p = &j.unit->inputs[k].pragmas[n];
                program->parallel |= p->kind == PRAGMA_PARALLEL;
                if (p->kind == PRAGMA_PARALLEL && p->driver)
                    cc_program_add(a, program, p->driver->prefix ? p->driver : NULL,
                                   p->driver == driver_openmp, &p->processes);
            }
        }
        unit_destroy(j.unit);
    }
    return 0;
}

/* ---- the whole ---- */

int cc_run(struct arena *a, const char *const *argv, const char *keep, bool in_place,
           struct cc_program *program)
{
    struct cc c = {.arena = a, .keep = keep};
    if (cc_args_read(a, argv, &c.args))
        return 2;
    c.jobs = arena_zalloc(a, c.args.nsources + 1, sizeof *c.jobs);
    bool translated = false;
    int status = refuse_untranslated(&c.args);
    for (size_t i = 0;
         i < c.args.nsources && !status && !c.args.only_dependencies && !process_signal(); i++) {
        status = translate_job(&c, i);
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
        unit_destroy(c.jobs[i].unit);
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

int cc_main(const char *const *argv)
{
    if (argv[0] && argv[0][0] == '-')
        return option_first(argv[0]);
    struct arena *a = arena_create();
    int status = cc_run(a, argv, NULL, true, NULL);
    arena_destroy(a);
    process_leave();
    return status;
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
    for (; *argv; argv++)
        words_add(a, &w, *argv);
    int status = cc_run(a, w.list, NULL, true, NULL);
    arena_destroy(a);
    process_leave();
    return status;
}
