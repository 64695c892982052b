/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * call FILE.c...: each source is translated by itself, and one whose pragma has `procs` gets a
 * batch script. Nothing is written for a source with errors, and each file appears whole or not at
 * all. A file that exists already is replaced only if it was written by call.
 */
#include "call/cc/translate.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/outfile.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/batch/batch.h"
#include "call/cc/compiler.h"
#include "call/cc/fortran.h"
#include "call/cc/implied.h"
#include "translate/emit.h"
#include "translate/fortran.h"
#include "call/cc/language.h"
#include "call/cc/mpi_flavour.h"
#include "call/options.h"
#include "call/cc/runtime.h"
#include "translate/procs.h"

struct request {
    struct words compiler; /* the command; empty = the default */
    struct words flags;
    const char *output, *outdir;
    struct words written; /* what this command wrote */
    bool check, raw;
    const char *procs; /* --procs; NULL = the pragma's */
    struct range processors;
    struct batch_slurm slurm;
    size_t sweeps; /* sources that have numbers of processors */
};

/* "dir/x.c" -> "dir/x.cll.c", and so for C++; NULL if it is not a source. */
static char *output_path(struct arena *a, const struct request *r, const char *path)
{
    const char *ending = source_ending(path);
    if (r->output)
        return arena_strdup(a, r->output);
    if (!ending || path_base(path)[0] == '.')
        return NULL;
    char *stem = arena_strndup(a, path, (size_t)(ending - path));
    if (source_kind(path, NULL, false) == SOURCE_FORTRAN)
        ending = fortran_copy_name(a, ending, !r->raw);
    if (r->outdir)
        return arena_printf(a, "%s/%s.cll%s", r->outdir, path_base(stem), ending);
    return arena_printf(a, "%s.cll%s", stem, ending);
}

/* "x.cll.c" -> "x.cll.h" for the suffix "h"; any other name gets ".h" added. */
static char *path_beside(struct arena *a, const char *output, const char *suffix)
{
    const char *ending = source_ending(output);
    if (ending)
        return arena_printf(a, "%.*s.%s", (int)(ending - output), output, suffix);
    return arena_printf(a, "%s.%s", output, suffix);
}

static int cannot_write(const char *path)
{
    say("call: cannot write %s: %s\n", path, destination_error(errno));
    return -1;
}

static int write_file(const char *path, const struct text *text)
{
    struct outfile f;
    if (outfile_open(&f, path))
        return cannot_write(path);
    outfile_write(&f, text->s, text->n);
    return outfile_commit(&f) ? cannot_write(path) : 0;
}

/* Opens a file and puts the whole text into it, so that only the commit is left. */
static int fill(struct outfile *f, const char *path, const struct text *text)
{
    if (outfile_open(f, path))
        return cannot_write(path);
    outfile_write(f, text->s, text->n);
    if (!f->error && !fflush(f->stream))
        return 0;
    if (f->error)
        errno = f->error;
    cannot_write(path);
    outfile_abandon(f);
    return -1;
}

/* Header and source: neither is put in place before both are written, so that what was there stays
 * a pair when the disk is full. */
static int write_pair(const char *header_path, const struct text *header, const char *path,
                      const struct text *source)
{
    struct outfile h, f;
    if (fill(&h, header_path, header))
        return -1;
    if (fill(&f, path, source)) {
        outfile_abandon(&h);
        return -1;
    }
    if (outfile_commit(&h)) {
        cannot_write(header_path);
        outfile_abandon(&f);
        return -1;
    }
    return outfile_commit(&f) ? cannot_write(path) : 0;
}

/* Does the existing file hold nothing, or what `call` writes? Says when that cannot be known. */
static bool is_ours(const char *path, bool (*begins)(const char *text, const char *header),
                    const char *header)
{
    char head[8192];
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(head, 1, sizeof head - 1, f) : 0;
    bool known = f && !ferror(f), ours = false;
    head[n] = '\0';
    if (!known)
        say("call: %s exists already and cannot be read: %s\n", path, strerror(errno));
    else
        ours = n == 0 || begins(head, header);
    if (f)
        fclose(f);
    if (known && !ours)
        say("call: %s exists already and was not written by call, so it is not overwritten; "
            "remove it, or choose another name with -o or --outdir\n",
            path);
    return ours;
}

/* Whether `path` may be written: it is not an input, not an output of another source of this command, and
 * if there is such a file already, it is one of ours. Says why not. */
static bool may_write(const struct request *r, const char *input, const char *path,
                      bool (*begins)(const char *text, const char *header), const char *header)
{
    struct stat in, out;
    if (begins != batch_wrote && strpbrk(path_base(path), "\"\n")) {
        say("call: %s: no #include can name a file with a quote or a line end in its name; "
            "choose another name with -o\n",
            path);
        return false;
    }
    if (stat(path, &out))
        return true; /* what else is wrong with the path, writing will tell */
    if (!stat(input, &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino) {
        say("call: %s is the source itself and would be overwritten; choose another "
            "name with -o\n",
            path);
        return false;
    }
    for (size_t i = 0; i < r->written.n; i++)
        if (!stat(r->written.list[i], &in) && in.st_dev == out.st_dev && in.st_ino == out.st_ino) {
            say("call: %s was just written for another source; translate %s into "
                "another folder\n",
                path, input);
            return false;
        }
    return !S_ISREG(out.st_mode) || is_ours(path, begins, header);
}

/* Writes a script that can be started. */
static int write_script(const char *path, const struct text *text)
{
    struct stat st;
    if (write_file(path, text))
        return -1;
    if (!stat(path, &st) && S_ISREG(st.st_mode))
        chmod(path, (st.st_mode | (st.st_mode & 0444) >> 2) & 07777);
    return 0;
}

/* The batch script of a unit; its procs have n = 0 if it gets none. */
static struct batch unit_batch(struct arena *a, const struct request *r, const struct unit *u)
{
    const char *base = path_base(u->inputs[0].path);
    bool parallel = u->processes || u->openmp;
    const char *ending = source_ending(base);
    return (struct batch){.source = u->inputs[0].path,
                          .program =
                              ending ? arena_strndup(a, base, (size_t)(ending - base)) : base,
                          .processes = u->processes,
                          .openmp = u->openmp,
                          .procs = r->procs && parallel ? r->processors : u->procs};
}

static const char *script_path(struct arena *a, const char *output, bool slurm)
{
    return path_beside(a, output, slurm ? "sbatch" : "sh");
}

static int write_scripts(struct arena *a, struct request *r, struct batch *b, const char *output)
{
    struct text text;
    int result = 0;
    r->sweeps++;
    b->flavour = b->processes ? compiler_flavour(a, &r->compiler, &r->flags) : NULL;
    text_init(&text);
    if (r->slurm.wanted && b->processes && b->openmp && !r->slurm.threads)
        say("call: note: %s has MPI and OpenMP: --slurm-threads, or OMP_NUM_THREADS, gives "
            "the number of processors for each process\n",
            b->source);
    for (int slurm = 0; slurm <= r->slurm.wanted && !result; slurm++) {
        b->script = script_path(a, output, slurm);
        text_clear(&text);
        batch_script(b, slurm ? &r->slurm : NULL, &text);
        if (!(result = write_script(b->script, &text)))
            words_add(a, &r->written, b->script);
    }
    text_free(&text);
    return result;
}

/* A Fortran source has no header. */
static int write_fortran(struct arena *a, struct request *r, const struct unit *u, const char *path)
{
    struct text source;
    struct batch b = unit_batch(u->arena, r, u);
    if (!may_write(r, u->inputs[0].path, path, fortran_wrote, NULL))
        return -1;
    for (int slurm = 0; b.procs.n && slurm <= r->slurm.wanted; slurm++)
        if (!may_write(r, u->inputs[0].path, script_path(u->arena, path, slurm), batch_wrote, NULL))
            return -1;
    text_init(&source);
    fortran_emit(u, "", &source);
    int result = write_file(path, &source);
    text_free(&source);
    if (result)
        return result;
    words_add(a, &r->written, arena_strdup(a, path));
    return b.procs.n ? write_scripts(a, r, &b, path) : 0;
}

static int write_outputs(struct arena *a, struct request *r, const struct unit *u, const char *path)
{
    struct text source, header;
    if (u->language == LANGUAGE_FORTRAN)
        return write_fortran(a, r, u, path);
    const char *input = u->inputs[0].path, *header_file = path_beside(u->arena, path, "h");
    struct batch b = unit_batch(u->arena, r, u);
    if (!may_write(r, input, path, emit_wrote_source, path_base(header_file)) ||
        !may_write(r, input, header_file, emit_wrote_header, NULL))
        return -1;
    for (int slurm = 0; b.procs.n && slurm <= r->slurm.wanted; slurm++)
        if (!may_write(r, input, script_path(u->arena, path, slurm), batch_wrote, NULL))
            return -1;
    text_init(&source);
    text_init(&header);
    emit_source(u, 0, path_base(header_file), &source);
    emit_header(u, "", &header);
    int result = write_pair(header_file, &header, path, &source);
    if (!result) {
        words_add(a, &r->written, arena_strdup(a, path));
        words_add(a, &r->written, arena_strdup(a, header_file));
        if (b.procs.n)
            result = write_scripts(a, r, &b, path);
    }
    text_free(&source);
    text_free(&header);
    return result;
}

/* The preprocessed unit, or NULL after a warning. */
static char *preprocess_unit(struct unit *u, const struct request *r, const char *path,
                             size_t *size)
{
    const char *why = "", *temporary = process_temporary(u->arena);
    struct text marked;
    char *result = NULL;
    bool fortran = u->language == LANGUAGE_FORTRAN;
    if (!temporary) {
        why = strerror(errno);
    } else {
        text_init(&marked);
        text_add(&marked, "#line 1 ");
        emit_string(&marked, path);
        text_addc(&marked, '\n');
        unit_mark(u, 0, &marked);
        const char *copy = arena_printf(u->arena, "%s/%s", temporary, path_base(path));
        if (process_write(copy, marked.s, marked.n)) {
            why = strerror(errno);
        } else {
            struct words w = {0}, compiler = r->compiler;
            compiler_default(u->arena, unit_names_processes(u) || u->implied, u->language,
                             &compiler);
            words_add(u->arena, &w, compiler.list[0]);
            words_add(u->arena, &w, fortran ? "-I" : "-iquote");
            words_add(u->arena, &w, path_folder(u->arena, path));
            for (size_t i = 1; i < compiler.n; i++)
                words_add(u->arena, &w, compiler.list[i]);
            words_add_all(u->arena, &w, &r->flags);
            if (!fortran) {
                runtime_search(u->arena, &w);
                words_add(u->arena, &w, "-x");
                words_add(u->arena, &w, u->language == LANGUAGE_C ? "c" : "c++");
            }
            words_add(u->arena, &w, copy);
            result = preprocess(u->arena, &w, !fortran, temporary, size, &why);
        }
        text_free(&marked);
    }
    if (!result && unit_count(u) && !process_signal())
        diag_add(
            u->diag, SEVERITY_WARNING, NULL, (struct span){0, 0},
            "%s: the preprocessor failed, so call reads the text as written, without expanding "
            "macros (%s); give call the same -I and -D as the compiler",
            path, why);
    return result;
}

static int translate_one(struct arena *a, struct request *r, const char *path)
{
    enum source_kind kind =
        source_kind(path, NULL, r->compiler.n && compiler_is_cxx(r->compiler.list[0]));
    struct unit *u = unit_create(kind == SOURCE_FORTRAN ? LANGUAGE_FORTRAN
                                 : kind == SOURCE_CXX   ? LANGUAGE_CXX
                                                        : LANGUAGE_C);
    char *text = NULL;
    size_t size = 0, preprocessed_size = 0;
    int status = 1;
    char *output = output_path(u->arena, r, path);
    int error = source_read(path, SOURCE_LIMIT, &text, &size);
    if (error == EFBIG) {
        say("call: %s is larger than %d MB\n", path, SOURCE_LIMIT >> 20);
    } else if (error) {
        say("call: cannot read %s: %s\n", path, strerror(error));
    } else if (!output) {
        say("call: %s: the name of a source ends in .c, or in .cpp, .cc, .cxx or .C for C++, or in "
            ".f90 for Fortran; headers are translated by 'call cc'\n",
            path);
        status = kind == SOURCE_FIXED && fortran_refuse_fixed(path) ? 1 : 2;
    } else if (lex_is_wide(text, size)) {
        source_refuse_wide("call", path);
    } else if (kind != SOURCE_FORTRAN || !fortran_refuse_included(a, NULL, path, text, size)) {
        unit_add(u, path, text, size);
        bool mpi_compiler = r->compiler.n && compiler_is_mpi(r->compiler.list[0]);
        u->implied = kind == SOURCE_FORTRAN ? implied_driver_fortran(text, size, mpi_compiler)
                                            : implied_driver(text, size, mpi_compiler);
        /* without a pragma in the text, one may come from a macro */
        bool wanted = !r->raw && (kind != SOURCE_FORTRAN || source_is_preprocessed(path));
        char *preprocessed = wanted ? preprocess_unit(u, r, path, &preprocessed_size) : NULL;
        if (preprocessed)
            u->implied = kind == SOURCE_FORTRAN
                             ? implied_driver_fortran(preprocessed, preprocessed_size, mpi_compiler)
                             : implied_driver(preprocessed, preprocessed_size, mpi_compiler);
        unit_resolve(u, preprocessed, preprocessed_size);
        implied_note(u, "call");
        bool good = !diag_count(u->diag, SEVERITY_ERROR);
        diag_print(u->diag, stderr, ERROR_LIMIT);
        if (good && !process_signal())
            status = r->check || !write_outputs(a, r, u, output) ? 0 : 1;
    }
    mem_free(text);
    unit_destroy(u);
    return status;
}

static void print_help(void)
{
    printf("usage: call [OPTIONS] FILE.c...          translate: FILE.cll.c and FILE.cll.h beside "
           "each source (C++: FILE.cpp; Fortran: FILE.f90)\n"
           "       call cc COMPILER ARGUMENTS...      compile and link instrumented, as COMPILER "
           "would\n"
           "       call run [OPTIONS] FILE.c... [-- PROGRAM'S ARGUMENTS]\n"
           "                                          translate, compile, run in rounds, print the "
           "fits\n"
           "       call count [OPTIONS] FILE.c... [-- PROGRAM'S ARGUMENTS]\n"
           "                                          count the instructions behind each constant "
           "(with Valgrind)\n\n"
           "options of call:\n");
    options_help(stdout, COMMAND_TRANSLATE);
    printf(
        "\n'call run --help' and 'call count --help' list their options. 'call cc' has none: all "
        "words go to the compiler.\n"
        "A build without call ignores the pragmas; with -Wall -Werror it needs "
        "-Wno-unknown-pragmas.\n");
}

static int usage(const char *what)
{
    say("call: %s; see 'call --help'\n", what);
    return 2;
}

/* 0, or the exit status after a message. */
static int check_request(struct arena *a, struct request *r, const struct words *files)
{
    struct stat st;
    const char *wrong;
    if (!files->n)
        return usage("no source given");
    if (r->output && (files->n > 1 || r->outdir || r->check))
        return usage(
            "-o needs exactly one source, and cannot be combined with --outdir or --check");
    if (r->outdir && (stat(r->outdir, &st) || !S_ISDIR(st.st_mode)))
        return usage(arena_printf(a, "--outdir: %s is not a folder", r->outdir));
    const char *threads = getenv("OMP_NUM_THREADS");
    if (!r->slurm.threads && threads && strtol(threads, NULL, 10) > 0)
        r->slurm.threads = arena_strndup(a, threads, strspn(threads, "0123456789"));
    if ((wrong = batch_slurm_check(a, &r->slurm)))
        return usage(wrong);
    return r->procs && sweep_option(a, r->procs, &r->processors) ? 2 : 0;
}

static int run_request(struct arena *a, struct request *r, const struct words *files)
{
    int status = check_request(a, r, files);
    if (status)
        return status;
    for (size_t i = 0; i < files->n && !process_signal(); i++) {
        int one = translate_one(a, r, files->list[i]);
        status = one > status ? one : status;
    }
    if (!status && !r->check && !r->sweeps && (r->procs || r->slurm.wanted)) {
        say("call: no batch script was written: no source has a '#pragma cll parallel "
            "DRIVER%s\n",
            r->procs ? "'" : " procs = RANGE'; write procs there, or give --procs");
        status = 1;
    }
    return status;
}

/* The options about batch scripts. Returns false if it is none of them. */
static bool read_batch_option(struct arena *a, struct request *r, enum option id, const char *value)
{
    switch (id) {
    case OPTION_PROCS: r->procs = value; return true;
    case OPTION_SLURM: break;
    case OPTION_SLURM_TIME: r->slurm.time = value; break;
    case OPTION_SLURM_PARTITION: r->slurm.partition = value; break;
    case OPTION_SLURM_NODES: r->slurm.nodes = value; break;
    case OPTION_SLURM_THREADS: r->slurm.threads = value; break;
    case OPTION_SLURM_ARRAY: r->slurm.array = true; break;
    case OPTION_SLURM_OPTION: words_add(a, &r->slurm.options, value); break;
    default: return false;
    }
    return r->slurm.wanted = true;
}

int translate_main(const char *const *argv)
{
    struct arena *a = arena_create();
    struct request r = {0};
    struct words files = {0};
    struct option_reader o = {.command = COMMAND_TRANSLATE, .argv = argv};
    int status = -1;
    while (status < 0) {
        enum option id = options_next(&o);
        if (read_batch_option(a, &r, id, o.value))
            continue;
        switch (id) {
        case OPTION_DONE: status = run_request(a, &r, &files); break;
        case OPTION_FILE: words_add(a, &files, o.value); break;
        case OPTION_OUTPUT: r.output = o.value; break;
        case OPTION_OUTDIR: r.outdir = o.value; break;
        case OPTION_CHECK: r.check = true; break;
        case OPTION_RAW: r.raw = true; break;
        case OPTION_CC: words_split(a, &r.compiler, o.value); break;
        case OPTION_CFLAGS: words_split(a, &r.flags, o.value); break;
        case OPTION_PREPROCESSOR:
            words_add(a, &r.flags, arena_printf(a, "%.2s%s", o.name, o.value));
            break;
        case OPTION_REST:
            say("call: '--' and a program's arguments belong to 'call run'\n");
            status = 2;
            break;
        case OPTION_COMPLETION: status = options_completion(stdout, o.value); break;
        case OPTION_HELP:
            print_help();
            status = 0;
            break;
        case OPTION_VERSION:
            printf("call %s\n", CLL_VERSION);
            status = 0;
            break;
        default: status = 2; break;
        }
    }
    arena_destroy(a);
    process_leave();
    return status;
}
