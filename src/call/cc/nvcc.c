/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * nvcc splits a source into one for the device and one for the host, which gcc compiles. Its options are its own.
 * The calls that launch kernels and copy are in the objects of the user and in libcudart, which is a static
 * library by default. So the linker's --wrap gives them to libcll_cuda; a definition of the same name would
 * clash with that of the static library.
 */
#include "call/cc/nvcc.h"

#include <string.h>

#include "call/cc/translate.h"

static bool starts(const char *word, const char *prefix)
{
    return !strncmp(word, prefix, strlen(prefix));
}

bool nvcc_is(const char *compiler)
{
    const char *name = path_base(compiler);
    return starts(name, "nvcc") && (!name[4] || name[4] == '-' || name[4] == '.');
}

bool nvcc_takes_value(const char *word)
{
    static const char options[] =
        " -o --output-file -I --include-path -D --define-macro -U --undefine-macro -L --library-path -l --library "
        "-x --x -include --pre-include -isystem --system-include -MF --dependency-output -MT "
        "--dependency-target-name -ccbin --compiler-bindir -Xcompiler --compiler-options -Xlinker --linker-options "
        "-Xptxas --ptxas-options -Xnvlink --nvlink-options -Xarchive --archive-options -Xcudafe --cudafe-options "
        "-arch --gpu-architecture -code --gpu-code -gencode --generate-code -std --std -odir --output-directory "
        "-maxrregcount --maxrregcount -cudart --cudart -cudadevrt --cudadevrt -default-stream --default-stream "
        "-rdc --relocatable-device-code -m --machine -t --threads -optf --options-file -keep-dir --keep-dir "
        "-target-dir --target-directory -idp --input-drive-prefix -diag-suppress -diag-error -diag-warn "
        "-O --optimize -split-compile -ftz -prec-div -prec-sqrt -fmad -objtemp -dopt ";
    const char *at = strstr(options, word);
    size_t n = strlen(word);
    for (; n && at; at = strstr(at + 1, word))
        if (at[-1] == ' ' && at[n] == ' ')
            return true;
    return false;
}

/* Is this command one of nvcc? It may have launchers before it. */
static bool is_command(const struct words *w)
{
    for (size_t i = 0; i < w->n && w->list[i][0] != '-'; i++)
        if (nvcc_is(w->list[i]))
            return true;
    return false;
}

void nvcc_adapt(struct arena *a, struct words *command)
{
    struct words out = {0};
    if (!is_command(command))
        return;
    bool preprocess = false;
    for (size_t i = 0; i < command->n; i++) {
        const char *w = command->list[i];
        bool has_value = i + 1 < command->n;
        preprocess |= !strcmp(w, "-E");
        if (starts(w, "-Wl,")) {
            WORDS_ADD(a, &out, "-Xlinker", w + 4);
        } else if ((!strcmp(w, "-iquote") || !strcmp(w, "-idirafter")) && has_value) {
            WORDS_ADD(a, &out, "-Xcompiler", w, "-Xcompiler", command->list[++i]);
        } else if (starts(w, "-fdebug-prefix-map=") || starts(w, "-fopenmp") || !strcmp(w, "-dD")) {
            WORDS_ADD(a, &out, "-Xcompiler", w);
        } else {
            words_add(a, &out, w);
            if (nvcc_takes_value(w) && has_value)
                words_add(a, &out, command->list[++i]);
        }
    }
    if (preprocess) /* of the device: the host's part is wanted */
        WORDS_ADD(a, &out, "-Xcompiler", "-U__CUDA_ARCH__");
    *command = out;
}

static bool names_cudart(const char *word)
{
    return !strcmp(word, "-lcudart") || !strcmp(word, "-lcudart_static") ||
           starts(path_base(word), "libcudart");
}

bool nvcc_links_cuda(const struct cc_args *args)
{
    bool named = nvcc_is(args->words.list[args->compiler]);
    for (size_t i = args->compiler + 1; i < args->words.n && !named; i++)
        named = names_cudart(args->words.list[i]);
    return named;
}

void nvcc_link(struct arena *a, const struct cc_args *args, struct words *out)
{
    static const char *const wrapped[] = {
#define CLL_CUDA_WRAP(name) #name,
#include "cll/cuda/wrapped.def"
#undef CLL_CUDA_WRAP
    };
    const char *words = "-Wl";
    for (size_t i = 0; i < sizeof wrapped / sizeof *wrapped; i++)
        words = arena_printf(a, "%s,--wrap=%s", words, wrapped[i]);
    WORDS_ADD(a, out, words, "-lcll_cuda");
    for (size_t i = args->compiler + 1; i < args->words.n; i++)
        if (names_cudart(args->words.list[i]))
            words_add(a, out, args->words.list[i]);
    words_add(a, out, "-ldl");
}
