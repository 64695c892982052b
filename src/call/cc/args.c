/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One pass over the words. An option that takes its value in the next word must be known as such,
 * else its value would be mistaken for an input: those of gcc and clang are in a table.
 */
#include "call/cc/args.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/cc/language.h"
#include "call/cc/nvcc.h"
#include "call/cc/translate.h"
#include "translate/fortran.h"

/* Options whose value is the next word when nothing is joined to them. */
static const char with_value[] =
    " -o -I -D -U -L -l -x -include -imacros -isystem -iquote -idirafter -iprefix -isysroot "
    "-iwithprefix -iwithprefixbefore -imultilib -MF -MT -MQ -u -T -z -e -A -B -G -Xlinker "
    "-Xassembler -Xpreprocessor -Xclang -mllvm --param -arch -target -aux-info -wrapper -dumpbase "
    "-dumpbase-ext -dumpdir -framework -MJ -rpath --sysroot -include-pch -J -install_name "
    "-current_version -compatibility_version ";

/* Programs that run the compiler that follows them. */
static const char *const launchers[] = {"ccache",   "sccache", "distcc", "icecc",
                                        "colorgcc", "env",     "nice"};

enum { MAX_RESPONSE_DEPTH = 8, RESPONSE_LIMIT = 16 << 20 };

static bool takes_value(const struct cc_args *args, const char *word)
{
    if (args->nvcc)
        return nvcc_takes_value(word);
    size_t n = strlen(word);
    for (const char *s = with_value; n && (s = strstr(s, word)); s++)
        if (s[-1] == ' ' && s[n] == ' ' && !strchr(word, ' '))
            return true;
    return false;
}

static bool starts(const char *word, const char *prefix)
{
    return !strncmp(word, prefix, strlen(prefix));
}

/* The words, those of response files in their place. As compilers do: a file that cannot be read
 * stays a word. */
static int expand(struct arena *a, const char *const *argv, struct cc_args *out, int depth)
{
    for (; *argv; argv++) {
        char *text;
        size_t size;
        if ((*argv)[0] != '@' || process_read(a, *argv + 1, RESPONSE_LIMIT, &text, &size)) {
            words_add(a, &out->words, *argv);
            continue;
        }
        struct words inner = {0};
        words_split(a, &inner, text);
        if (depth == MAX_RESPONSE_DEPTH)
            return say("call cc: response files are nested more than %d deep: %s\n",
                       MAX_RESPONSE_DEPTH, *argv);
        if (inner.n && expand(a, inner.list, out, depth + 1))
            return -1;
    }
    return 0;
}

/* Options about the form and the preprocessor of Fortran: the last one counts. */
static bool fortran_option(const struct cc_args *args, const char *yes, const char *no,
                           bool without)
{
    bool result = without;
    for (size_t i = args->compiler + 1; i < args->words.n; i++)
        if (!strcmp(args->words.list[i], yes) || !strcmp(args->words.list[i], no))
            result = !strcmp(args->words.list[i], yes);
    return result;
}

static void add_source(struct arena *a, struct cc_args *out, size_t word, enum language language,
                       bool preprocessed)
{
    ARENA_ADD(a, out->sources, out->nsources, &out->csources,
              (struct cc_source){.word = word,
                                 .path = out->words.list[word],
                                 .language = language,
                                 .preprocessed = preprocessed});
}

void cc_args_add_source(struct arena *a, struct cc_args *args, const struct cc_source *source)
{
    words_add(a, &args->words, source->path);
    add_source(a, args, args->words.n - 1, source->language, source->preprocessed);
}

/* Is the input one that may have #include lines? */
static bool is_compiled(const char *word, const char *language)
{
    static const char *const endings[] = {".c",   ".i",   ".C",   ".cc", ".cp",  ".cpp", ".CPP",
                                          ".cxx", ".c++", ".ii",  ".m",  ".mm",  ".h",   ".hh",
                                          ".H",   ".hpp", ".hxx", ".cu", ".tcc", ".inl", ".ipp"};
    const char *dot = strrchr(path_base(word), '.');
    if (language)
        return !starts(language, "assembler");
    return dot && text_is_in(endings, sizeof endings / sizeof *endings, dot);
}

/* Options without a value that matter here. */
static void read_flag(struct cc_args *out, const char *w)
{
    static const struct {
        const char *word;
        size_t offset;
    } flags[] = {{"-c", offsetof(struct cc_args, compile_only)},
                 {"-S", offsetof(struct cc_args, assembly)},
                 {"-E", offsetof(struct cc_args, preprocess_only)},
                 {"-M", offsetof(struct cc_args, only_dependencies)},
                 {"-MM", offsetof(struct cc_args, only_dependencies)},
                 {"-MD", offsetof(struct cc_args, writes_dependencies)},
                 {"-MMD", offsetof(struct cc_args, writes_dependencies)},
                 {"-fsyntax-only", offsetof(struct cc_args, syntax_only)},
                 {"-r", offsetof(struct cc_args, relocatable)},
                 /* of nvcc */
                 {"--compile", offsetof(struct cc_args, compile_only)},
                 {"-dc", offsetof(struct cc_args, compile_only)},
                 {"--device-c", offsetof(struct cc_args, compile_only)},
                 {"-dw", offsetof(struct cc_args, compile_only)},
                 {"-dlink", offsetof(struct cc_args, relocatable)},
                 {"--device-link", offsetof(struct cc_args, relocatable)},
                 {"-lib", offsetof(struct cc_args, relocatable)},
                 {"-ptx", offsetof(struct cc_args, assembly)},
                 {"-cubin", offsetof(struct cc_args, assembly)},
                 {"-fatbin", offsetof(struct cc_args, assembly)}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (!strcmp(w, flags[i].word))
            *(bool *)((char *)out + flags[i].offset) = true;
    if (starts(w, "-g") && strcmp(w, "-g0"))
        out->debug = true;
    if (starts(w, "-Wp,-MD,") || starts(w, "-Wp,-MMD,")) {
        out->writes_dependencies = true;
        out->dependencies = strchr(w + 4, ',') + 1;
    }
}

static void read_value(struct arena *a, struct cc_args *out, size_t word, const char *option,
                       const char *value, const char **language)
{
    if (!strcmp(option, "-o") || !strcmp(option, "--output-file"))
        out->output = value;
    else if (!strcmp(option, "-MF"))
        out->dependencies = value;
    else if (!strcmp(option, "-include"))
        words_add(a, &out->forced, value);
    else if (!strcmp(option, "-x"))
        *language = strcmp(value, "none") ? value : NULL;
    else if (!strcmp(option, "-I") || !strcmp(option, "-iquote") || !strcmp(option, "-isystem") ||
             !strcmp(option, "-idirafter"))
        ARENA_ADD(a, out->folders, out->nfolders, &out->cfolders,
                  (struct cc_folder){word, option, value});
}

static void find_compiler(struct cc_args *out)
{
    while (out->compiler + 1 < out->words.n && out->words.list[out->compiler + 1][0] != '-' &&
           text_is_in(launchers, sizeof launchers / sizeof *launchers,
                      path_base(out->words.list[out->compiler])))
        out->compiler++;
    out->is_cxx = language_is_cxx(out->words.list[out->compiler]);
    out->nvcc = nvcc_is(out->words.list[out->compiler]);
}

/* The columns of a line in fixed form: -ffixed-line-length-132; as good as no limit for -none and -0. */
static size_t fixed_columns(const struct cc_args *args)
{
    static const char option[] = "-ffixed-line-length-";
    size_t columns = FORTRAN_FIXED_COLUMNS;
    for (size_t i = args->compiler + 1; i < args->words.n; i++)
        if (starts(args->words.list[i], option)) {
            columns = strtoul(args->words.list[i] + sizeof option - 1, NULL, 10);
            columns = columns ? columns : FORTRAN_NO_LIMIT;
        }
    return columns;
}

static void add_fortran(struct arena *a, struct cc_args *out, size_t word, enum source_kind kind,
                        const char *language)
{
    const char *path = out->words.list[word];
    bool is_free = fortran_option(out, "-ffree-form", "-ffixed-form", kind == SOURCE_FORTRAN);
    bool asked = language ? strstr(language, "-cpp-input") != NULL : source_is_preprocessed(path);
    add_source(a, out, word, LANGUAGE_FORTRAN, fortran_option(out, "-cpp", "-nocpp", asked));
    out->sources[out->nsources - 1].columns = is_free ? 0 : fixed_columns(out);
    out->fortran = true;
}

static void add_standard_input(struct arena *a, struct cc_args *out, enum source_kind kind)
{
    if (kind == SOURCE_NONE)
        return;
    out->standard_input = arena_zalloc(a, 1, sizeof *out->standard_input);
    out->standard_input->language = source_language(kind, LANGUAGE_CXX);
    out->standard_input->columns = kind == SOURCE_FIXED ? fixed_columns(out) : 0;
}

/* A word that is not an option. */
static void read_input(struct arena *a, struct cc_args *out, size_t word, const char *language)
{
    const char *path = out->words.list[word];
    out->has_input = true;
    out->compiles |= is_compiled(path, language);
    enum source_kind kind = source_kind(path, language, out->is_cxx);
    if (path[0] == '-')
        add_standard_input(a, out, kind);
    else if (kind == SOURCE_C || kind == SOURCE_CXX)
        add_source(a, out, word, kind == SOURCE_C ? LANGUAGE_C : LANGUAGE_CXX, false);
    else if (kind == SOURCE_FORTRAN || kind == SOURCE_FIXED)
        add_fortran(a, out, word, kind, language);
    else if (kind == SOURCE_OTHER)
        words_add(a, &out->untranslated, path);
}

int cc_args_read(struct arena *a, const char *const *argv, struct cc_args *out)
{
    static const char *const joined[] = {"-I",      "-o",       "-x",        "-MF",
                                         "-iquote", "-isystem", "-idirafter"};
    enum { JOINED = sizeof joined / sizeof *joined };
    memset(out, 0, sizeof *out);
    if (expand(a, argv, out, 0))
        return -1;
    if (!out->words.n)
        return say("call cc: no compiler is given: write 'call cc gcc -O2 -c x.c', for example\n");
    find_compiler(out);
    const char *language = NULL;
    for (size_t i = out->compiler + 1; i < out->words.n; i++) {
        const char *w = out->words.list[i];
        if (w[0] != '-' || !w[1]) {
            read_input(a, out, i, language);
            continue;
        }
        if (takes_value(out, w) && i + 1 < out->words.n) {
            read_value(a, out, i, w, out->words.list[i + 1], &language);
            i++;
            continue;
        }
        size_t k = 0;
        while (k < JOINED && !starts(w, joined[k]))
            k++;
        if (k < JOINED)
            read_value(a, out, i, joined[k], w + strlen(joined[k]), &language);
        else
            read_flag(out, w);
    }
    return 0;
}

struct words cc_args_compiler(struct arena *a, const struct cc_args *args)
{
    struct words w = {0};
    for (size_t i = 0; i <= args->compiler; i++)
        words_add(a, &w, args->words.list[i]);
    return w;
}

bool cc_args_links(const struct cc_args *args)
{
    return args->has_input && !args->compile_only && !args->assembly && !args->preprocess_only &&
           !args->only_dependencies && !args->syntax_only && !args->relocatable;
}

bool cc_args_counts(const struct cc_args *args)
{
    return text_is_in(args->words.list, args->words.n, "-DCLL_COUNTING");
}

/* Options of nvcc that its preprocessor does not need, or refuses: several architectures. */
static bool is_for_device(const char *w)
{
    static const char *const options[] = {
        "-arch", "--gpu-architecture", "-code",    "--gpu-code", "-gencode", "--generate-code",
        "-dc",   "--device-c",         "-dw",      "-ptx",       "-cubin",   "-fatbin",
        "-odir", "--output-",          "--compile"};
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (starts(w, options[i]))
            return true;
    return false;
}

struct words cc_args_preprocess(struct arena *a, const struct cc_args *args, size_t source)
{
    struct words out = {0};
    for (size_t i = 0; i < args->words.n; i++) {
        const char *w = args->words.list[i];
        bool value = i > args->compiler && takes_value(args, w) && i + 1 < args->words.n;
        bool drop = false;
        if (i > args->compiler && i != args->sources[source].word)
            drop = (args->nvcc && is_for_device(w)) || w[0] != '-' || !w[1] || starts(w, "-o") ||
                   !strcmp(w, "-c") || !strcmp(w, "-S") || !strcmp(w, "-E") ||
                   (starts(w, "-M") && strcmp(w, "-Mno-modules")) || starts(w, "-Wp,-M") ||
                   starts(w, "-save-temps") || starts(w, "-ftime-trace") || starts(w, "-Wl,") ||
                   starts(w, "-l") || !strcmp(w, "-Xlinker") || starts(w, "-Werror");
        if (!drop)
            words_add(a, &out, w);
        if (value) {
            if (!drop)
                words_add(a, &out, args->words.list[i + 1]);
            i++;
        }
    }
    return out;
}

const char *cc_args_flags(struct arena *a, const struct cc_args *args)
{
    static const char *const kept[] = {
        "-O", "-f",  "-m",      "-std=",   "-D",    "-U",
        "-g", "-pg", "-static", "-target", "-arch", "--use_fast_math"};
    struct text t = text_new();
    for (size_t i = args->compiler + 1; i < args->words.n; i++)
        for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
            if (starts(args->words.list[i], kept[k])) {
                text_printf(&t, "%s%s", t.n ? " " : "", args->words.list[i]);
                bool alone = !strcmp(args->words.list[i], kept[k]);
                if (alone && (kept[k][1] == 'D' || kept[k][1] == 'U') && i + 1 < args->words.n)
                    text_add(&t, args->words.list[++i]);
                else if (args->nvcc && nvcc_takes_value(args->words.list[i]) &&
                         i + 1 < args->words.n)
                    text_printf(&t, "=%s", args->words.list[++i]);
                break;
            }
    return text_keep(&t, a);
}
