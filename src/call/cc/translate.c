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
#include "call/cc/nvcc.h"
#include "call/options.h"
#include "call/version.h"
#include "call/cc/translation.h"
#include "translate/procs.h"

struct request {
    struct arena *arena;
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

static bool is_for_mpi(const struct request *r)
{
    return r->compiler.n && implied_is_mpi(r->compiler.list[0]);
}

/* "dir/x.c" -> "dir/x.cll.c", and so for C++; NULL if it is not a source. */
static const char *output_path(const struct request *r, const char *path)
{
    struct arena *a = r->arena;
    const char *ending = source_ending(path);
    if (r->output)
        return r->output;
    if (!ending || path_base(path)[0] == '.')
        return NULL;
    char *stem = arena_strndup(a, path, (size_t)(ending - path));
    if (source_is_fortran(path))
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
    return say("call: cannot write %s: %s\n", path, destination_error(errno));
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

static int write_file(const char *path, const struct text *text)
{
    struct outfile f;
    if (fill(&f, path, text))
        return -1;
    return outfile_commit(&f) ? cannot_write(path) : 0;
}

/* Header and source: neither is put in place before both are written, so that what was there stays
 * a pair when the disk is full. Fortran has no header: NULL. */
static int write_pair(const char *header_path, const struct text *header, const char *path,
                      const struct text *source)
{
    struct outfile h, f;
    if (!header_path)
        return write_file(path, source);
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

static int write_scripts(struct request *r, struct batch *b, const char *output)
{
    struct arena *a = r->arena;
    int result = 0;
    r->sweeps++;
    b->flavour = b->processes ? compiler_flavour(a, &r->compiler, &r->flags) : NULL;
    TEXT_LOCAL struct text text = text_new();
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
    return result;
}

/* Whether all outputs may be written; `header`: NULL = none. */
static bool may_write_all(const struct request *r, const struct batch *b, const char *path,
                          const char *header)
{
    struct arena *a = r->arena;
    if (!may_write(r, b->source, path, header ? emit_wrote_source : fortran_wrote,
                   header ? path_base(header) : NULL) ||
        (header && !may_write(r, b->source, header, emit_wrote_header, NULL)))
        return false;
    for (int slurm = 0; b->procs.n && slurm <= r->slurm.wanted; slurm++)
        if (!may_write(r, b->source, script_path(a, path, slurm), batch_wrote, NULL))
            return false;
    return true;
}

static int write_outputs(struct request *r, const struct translation *t, const char *path)
{
    struct arena *a = r->arena;
    const char *header_file = t->language == LANGUAGE_FORTRAN ? NULL : path_beside(a, path, "h");
    struct batch b = unit_batch(a, r, t->unit);
    if (!may_write_all(r, &b, path, header_file))
        return -1;
    TEXT_LOCAL struct text source = text_new(), header = text_new();
    translation_emit(t, header_file ? path_base(header_file) : NULL, "", &source);
    if (header_file)
        emit_header(t->unit, "", &header);
    int result = write_pair(header_file, &header, path, &source);
    if (!result) {
        words_add(a, &r->written, path);
        if (header_file)
            words_add(a, &r->written, header_file);
        if (b.procs.n)
            result = write_scripts(r, &b, path);
    }
    return result;
}

/* The command that would compile the source, as the preprocessor must be run. 0, or the exit status. */
static int find_command(struct arena *a, const struct request *r, const struct translation *t,
                        const struct cc_source *source, struct cc_args *args)
{
    struct words w = {0};
    words_add_all(a, &w, &r->compiler);
    compiler_default(a, unit_names_processes(t->unit) || translation_implies(t, is_for_mpi(r)),
                     source_is_cuda(source->path), t->language, &w);
    words_add_all(a, &w, &r->flags);
    if (t->language != LANGUAGE_FORTRAN) {
        WORDS_ADD(a, &w, "-x",
                  source_is_cuda(source->path) && nvcc_is(w.list[0]) ? "cu"
                  : t->language == LANGUAGE_C                        ? "c"
                                                                     : "c++");
    }
    if (cc_args_read(a, w.list, args))
        return 2;
    cc_args_add_source(a, args, source);
    return 0;
}

static int translate_text(struct arena *a, struct request *r, const struct cc_source *source,
                          struct translation *t, const char *output)
{
    struct cc_args args;
    int status = find_command(a, r, t, source, &args);
    struct translator how = {.arena = a,
                             .self = "call",
                             .args = &args,
                             .mpi_compiler = is_for_mpi(r),
                             .alone = true,
                             .raw = r->raw};
    if (!status)
        status = translation_resolve(&how, args.nsources - 1, t);
    if (!status && (process_signal() || (!r->check && write_outputs(r, t, output))))
        status = 1;
    return status;
}

static int translate_one(struct request *r, const char *path)
{
    enum source_kind kind =
        source_kind(path, NULL, r->compiler.n && language_is_cxx(r->compiler.list[0]));
    struct cc_source source = {.path = path,
                               .language = source_language(kind, LANGUAGE_C),
                               .columns = kind == SOURCE_FIXED ? FORTRAN_FIXED_COLUMNS : 0,
                               .preprocessed = !r->raw && source_is_preprocessed(path)};
    ARENA_LOCAL struct arena *a = arena_create(); /* the texts of this source */
    struct translation t;
    int status = 1;
    const char *output = output_path(r, path);
    int error = translation_read(a, NULL, &source, &t);
    if (error == EFBIG) {
        say("call: %s is larger than %d MB\n", path, SOURCE_LIMIT >> 20);
    } else if (error) {
        say("call: cannot read %s: %s\n", path, strerror(error));
    } else if (!output) {
        say("call: %s: the name of a source ends in .c, or in .cpp, .cc, .cxx or .C for C++, or in "
            ".cu for CUDA, or in .f90 or .f for Fortran; headers are translated by 'call cc'\n",
            path);
        status = 2;
    } else {
        status = translate_text(a, r, &source, &t, output);
    }
    translation_end(&t);
    return status;
}

static void print_help(void)
{
    printf(
        "usage: call [OPTIONS] FILE.c...          translate: FILE.cll.c and FILE.cll.h beside "
        "each source (C++: FILE.cpp; Fortran: FILE.f90)\n"
        "       call cc COMPILER ARGUMENTS...      compile and link instrumented, as COMPILER "
        "would\n"
        "       call run [OPTIONS] FILE.c... [-- PROGRAM'S ARGUMENTS]\n"
        "                                          translate, compile, run in rounds, print the "
        "fits\n"
        "       call count [OPTIONS] FILE.c... [-- PROGRAM'S ARGUMENTS]\n"
        "                                          count the instructions behind each constant "
        "(with Valgrind)\n"
        "       call discover --vary NAME=RANGE [OPTIONS] FILE.c... [-- PROGRAM'S ARGUMENTS]\n"
        "                                          predict counts and times of all functions at sizes "
        "never run, without a pragma\n\n"
        "options of call:\n");
    options_help(stdout, COMMAND_TRANSLATE);
    printf(
        "\n'call run --help', 'call count --help' and 'call discover --help' list their options. "
        "'call cc' has none: all words go to the compiler.\n"
        "A build without call ignores the pragmas; with -Wall -Werror it needs "
        "-Wno-unknown-pragmas.\n");
}

static int usage(const char *what)
{
    return SAY_STATUS(2, "call: %s; see 'call --help'\n", what);
}

/* 0, or the exit status after a message. */
static int check_request(struct request *r, const struct words *files)
{
    struct arena *a = r->arena;
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

static int run_request(struct request *r, const struct words *files)
{
    int status = check_request(r, files);
    if (status)
        return status;
    for (size_t i = 0; i < files->n && !process_signal(); i++) {
        int one = translate_one(r, files->list[i]);
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
static bool read_batch_option(struct request *r, enum option id, const char *value)
{
    switch (id) {
    case OPTION_PROCS: r->procs = value; return true;
    case OPTION_SLURM: break;
    case OPTION_SLURM_TIME: r->slurm.time = value; break;
    case OPTION_SLURM_PARTITION: r->slurm.partition = value; break;
    case OPTION_SLURM_NODES: r->slurm.nodes = value; break;
    case OPTION_SLURM_THREADS: r->slurm.threads = value; break;
    case OPTION_SLURM_ARRAY: r->slurm.array = true; break;
    case OPTION_SLURM_OPTION: words_add(r->arena, &r->slurm.options, value); break;
    default: return false;
    }
    return r->slurm.wanted = true;
}

int translate_main(const char *const *argv)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct request r = {.arena = a};
    struct words files = {0};
    struct option_reader o = {.command = COMMAND_TRANSLATE, .argv = argv};
    int status = -1;
    while (status < 0) {
        enum option id = options_next(&o);
        if (read_batch_option(&r, id, o.value))
            continue;
        switch (id) {
        case OPTION_DONE: status = run_request(&r, &files); break;
        case OPTION_FILE: words_add(a, &files, o.value); break;
        case OPTION_OUTPUT: r.output = o.value; break;
        case OPTION_OUTDIR: r.outdir = o.value; break;
        case OPTION_CHECK: r.check = true; break;
        case OPTION_RAW: r.raw = true; break;
        case OPTION_CC: words_split(a, &r.compiler, o.value); break;
        case OPTION_CFLAGS: words_split(a, &r.flags, o.value); break;
        case OPTION_PREPROCESSOR: words_printf(a, &r.flags, "%.2s%s", o.name, o.value); break;
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
            version_print();
            status = 0;
            break;
        default: status = 2; break;
        }
    }
    process_leave();
    return status;
}
