/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A source of an MPI program that has regions, but no `parallel` pragma, would be measured as a
 * sequential program: each process would write a data file of its own, with P = 1. Its compiler or its
 * headers, or its modules, tell that it is not sequential.
 */
#include "call/cc/implied.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/printable.h"
#include "call/cc/language.h"
#include "call/cc/translate.h"

const char *const implied_headers[] = {"mpi.h", "pub.h", "bsp.h", "mpif.h", NULL};

/* The name of a header may be in capitals or small letters in Fortran. */
bool implied_is_named(const char *text, size_t size)
{
    static const char *const words[] = {"mpi", "pub.h", "bsp.h"};
    for (size_t i = 0; i < size; i++)
        for (size_t k = 0; k < sizeof words / sizeof *words; k++)
            if (size - i >= strlen(words[k]) && !strncasecmp(text + i, words[k], strlen(words[k])))
                return true;
    return false;
}

bool implied_is_mpi(const char *name)
{
    return strstr(path_base(name), "mpi") != NULL;
}

static const char *skip_blanks(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    return s;
}

static const char *skip_word(const char *s, const char *end, const char *word)
{
    size_t n = strlen(word);
    s = skip_blanks(s, end);
    return (size_t)(end - s) >= n && !memcmp(s, word, n) ? s + n : NULL;
}

/* Is this line an #include of the header? */
static bool includes(const char *s, const char *end, const char *header)
{
    if (!(s = skip_word(s, end, "#")) || !(s = skip_word(s, end, "include")))
        return false;
    s = skip_blanks(s, end);
    size_t n = strlen(header);
    return s < end && (*s == '<' || *s == '"') && (size_t)(end - s) > n + 1 &&
           !memcmp(s + 1, header, n) && (s[n + 1] == '>' || s[n + 1] == '"');
}

/* Is it the preprocessor's line that tells where the text of the header begins: # 1 "FOLDER/HEADER"? */
static bool enters(const char *s, const char *end, const char *header)
{
    if (!(s = skip_word(s, end, "#")) || !(s = skip_word(s, end, "1 \"")))
        return false;
    const char *close = memchr(s, '"', (size_t)(end - s));
    size_t n = strlen(header);
    return close && (size_t)(close - s) >= n && !memcmp(close - n, header, n) &&
           (close - n == s || close[-(ptrdiff_t)n - 1] == '/');
}

/* How a line changes the number of conditionals that it is in. */
static int opens_conditional(const char *s, const char *end)
{
    if (!(s = skip_word(s, end, "#")))
        return 0;
    return skip_word(s, end, "if") ? 1 : skip_word(s, end, "endif") ? -1 : 0;
}

struct telling {
    const char *header, *driver;
};

/* What these headers of C and C++ tell, up to one of NULL; `found` without them. */
static const struct driver *by_headers(const char *text, size_t size, const struct telling *known,
                                       const struct driver *found)
{
    int conditionals = 0;
    struct span at;
    for (size_t i = 0; preprocess_next_line(text, size, &i, &at);) {
        const char *line = text + at.begin, *next = text + at.end;
        conditionals += opens_conditional(line, next);
        for (const struct telling *k = known; k->header; k++)
            if ((!conditionals && includes(line, next, k->header)) ||
                enters(line, next, k->header)) {
                found = driver_find(k->driver);
                if (found != driver_mpi) /* a program of PUB may use MPI, too */
                    return found;
            }
    }
    return found;
}

const struct driver *implied_device(const char *path, const char *text, size_t size)
{
    static const struct telling known[] = {{"cuda_runtime.h", "CUDA"},
                                           {"cuda_runtime_api.h", "CUDA"},
                                           {"CL/cl.h", "OpenCL"},
                                           {"CL/opencl.h", "OpenCL"},
                                           {"CL/cl2.hpp", "OpenCL"},
                                           {"CL/opencl.hpp", "OpenCL"},
                                           {NULL, NULL}};
    return source_is_cuda(path) ? driver_cuda : by_headers(text, size, known, NULL);
}

/* ---- Fortran ---- */

/* A name of Fortran at s, in any capitals? Returns what follows it and its blanks, else NULL. */
static const char *skip_name(const char *s, const char *end, const char *name)
{
    size_t n = strlen(name);
    if ((size_t)(end - s) < n || strncasecmp(s, name, n) != 0 ||
        (s + n < end && (isalnum((unsigned char)s[n]) || s[n] == '_')))
        return NULL;
    return skip_blanks(s + n, end);
}

bool implied_uses(const char *s, const char *end, const char *module)
{
    if (!(s = skip_name(skip_blanks(s, end), end, "use")))
        return false;
    if (s < end && *s == ',') {
        const char *nature = skip_blanks(s + 1, end);
        s = skip_name(nature, end, "non_intrinsic");
        s = s ? s : skip_name(nature, end, "intrinsic");
    }
    if (s && end - s > 1 && s[0] == ':' && s[1] == ':')
        s = skip_blanks(s + 2, end);
    return s && skip_name(s, end, module);
}

/* INCLUDE 'mpif.h', #include "mpif.h", or the line of the preprocessor that tells where the text of that
 * file begins? */
static bool includes_mpif(const char *s, const char *end)
{
    static const char file[] = "mpif.h";
    size_t n = sizeof file - 1;
    bool marker = s < end && *s == '#';
    s = skip_blanks(s + marker, end);
    const char *rest = skip_name(s, end, "include");
    if (!rest && marker)
        for (rest = s; rest < end && isdigit((unsigned char)*rest);)
            rest++;
    rest = rest ? skip_blanks(rest, end) : end;
    if (rest >= end || !strchr("'\"<", *rest))
        return false;
    char close = *rest == '<' ? '>' : *rest;
    const char *stop = memchr(rest + 1, close, (size_t)(end - rest) - 1);
    if (!stop || (size_t)(stop - rest) <= n || memcmp(stop - n, file, n) != 0)
        return false;
    return stop - n == rest + 1 || stop[-(long)n - 1] == '/';
}

/* Do its modules and included files tell that it is a part of an MPI program? */
static bool has_mpi_module(const char *text, size_t size)
{
    struct span line;
    for (size_t i = 0; preprocess_next_line(text, size, &i, &line);)
        for (const char *s = text + line.begin, *next = text + line.end; s < next;) {
            s = skip_blanks(s, next); /* a statement; ';' separates them */
            if (implied_uses(s, next, "mpi") || implied_uses(s, next, "mpi_f08") ||
                includes_mpif(s, next))
                return true;
            while (s < next && *s != ';' && *s != '!')
                s++;
            s = s < next && *s == ';' ? s + 1 : next;
        }
    return false;
}

const struct driver *implied_driver(enum language language, const char *text, size_t size,
                                    bool mpi_compiler)
{
    static const struct telling known[] = {
        {"pub.h", "PUB"}, {"bsp.h", "BSP"}, {"mpi.h", "MPI"}, {NULL, NULL}};
    const struct driver *by_compiler = mpi_compiler ? driver_mpi : NULL;
    if (language != LANGUAGE_FORTRAN)
        return by_headers(text, size, known, by_compiler);
    return by_compiler || has_mpi_module(text, size) ? driver_mpi : NULL;
}

void implied_note(const struct unit *u, const char *self)
{
    const char *sentinel = unit_sentinel(u);
    if (u->processes_implied && unit_count(u))
        say("%s: %s is measured as a part of %s %s program, which its compiler or its %s tell; "
            "'%s parallel %s' or '%s parallel SEQ' (sequential) says what it is\n",
            self, u->inputs[0].path, u->processes == driver_mpi ? "an" : "a", u->processes->name,
            u->language == LANGUAGE_FORTRAN ? "modules" : "headers", sentinel, u->processes->name,
            sentinel);
}
