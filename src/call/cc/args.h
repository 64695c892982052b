/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a compiler's command line asks for, as far as `call cc` must know: which words are C or C++
 * sources, where headers are searched, whether it links, where outputs and dependency files go.
 * Everything else is passed on.
 */
#ifndef CALL_CC_ARGS_H
#define CALL_CC_ARGS_H

#include "call/process.h"
#include "translate/lex.h"

struct cc_source {
    size_t word; /* index in args.words */
    const char *path;
    enum language language;
    bool preprocessed; /* Fortran: by the compiler */
    size_t columns;    /* Fortran in fixed form: of a line; 0 = free form */
};

struct cc_folder {
    size_t word;        /* index of the option */
    const char *option; /* "-I", "-iquote", "-isystem", "-idirafter" */
    const char *path;
};

struct cc_args {
    struct words words; /* compiler and arguments, response files opened */
    size_t compiler;    /* index of the compiler itself (after ccache and the like) */
    struct cc_source *sources;
    size_t nsources, csources;
    struct cc_source
        *standard_input;       /* the source "-", which `sources` does not have; NULL = not given */
    struct words untranslated; /* other sources; none may have pragmas of ours */
    struct words forced;       /* files of -include */
    struct cc_folder *folders;
    size_t nfolders, cfolders;
    const char *output;                           /* -o */
    const char *dependencies;                     /* -MF, or NULL */
    bool writes_dependencies;                     /* -MD, -MMD */
    bool compile_only, assembly, preprocess_only; /* -c, -S, -E */
    bool only_dependencies;                       /* -M, -MM */
    bool syntax_only, relocatable, debug;
    bool has_input;
    bool compiles; /* an input is C, C++ or the like */
    bool is_cxx;   /* the compiler is one of C++ */
    bool nvcc;     /* the compiler is nvcc (nvcc.h) */
    bool fortran;  /* a source is Fortran */
};

/* Reads the words after `call cc`. 0, or -1 after a message. */
int cc_args_read(struct arena *a, const char *const *argv, struct cc_args *out);

/* One more source at the end of the command. */
void cc_args_add_source(struct arena *a, struct cc_args *args, const struct cc_source *source);

/* The compiler alone, with its launchers. */
struct words cc_args_compiler(struct arena *a, const struct cc_args *args);

/* Does the command link a program or a library? */
bool cc_args_links(const struct cc_args *args);

/* Is it a command of `call count`, whose regions have marks? */
bool cc_args_counts(const struct cc_args *args);

/* The command that preprocesses source i: without outputs, dependency files and other sources. */
struct words cc_args_preprocess(struct arena *a, const struct cc_args *args, size_t i);

/* The flags worth recording with the data: optimisation, code generation, language, macros. */
const char *cc_args_flags(struct arena *a, const struct cc_args *args);

#endif
