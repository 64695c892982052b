/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The entry: recognises a format, checks the options, runs its reader, merges the result.
 *
 * Recognition looks at the first byte that counts: `{` and `[` are JSON, and the keys of its first
 * object say whose; a keyword of Extra-P's text is one; perf, LIKWID and Cube have lines of
 * their own; else a line of names above a line of as many fields is a table. The own formats are
 * recognised before (load.h).
 */
#include "data/import/import.h"

#include <stdarg.h>
#include <string.h>

#include "spool/name.h"
#include "data/import/build.h"
#include "data/import/json.h"
#include "base/interrupt.h"
#include "base/text.h"

const struct import_option import_option_table[] = {
    {"time", "NAME", "the column or metric that is the time",
     offsetof(struct import_options, time)},
    {"unit", "s|ms|us|ns", "the unit of the time (default s)",
     offsetof(struct import_options, unit)},
    {"experiment", "NAME", "one experiment of this name for the whole file",
     offsetof(struct import_options, experiment)},
    {"experiment_column", "NAME", "the column that names the experiment of a row",
     offsetof(struct import_options, experiment_column)},
    {"variables", "NAME,...",
     "columns that are variables; names for arguments or numbers in the file's name",
     offsetof(struct import_options, variables)},
    {"observables", "NAME,...", "the columns that were measured beside the time",
     offsetof(struct import_options, observables)},
    {NULL, NULL, NULL, 0},
};

const struct import_format_info import_formats[IMPORT_FORMATS] = {
    [IMPORT_NONE] = {"none", "not a format that is read", ""},
    [IMPORT_CALL1] = {"CALL 1.0", "reports of CALL 1.0 (JSON)", ""},
    [IMPORT_EXTRAP_TEXT] = {"Extra-P text", "PARAMETER, POINTS, METRIC, REGION, DATA lines",
                            "time unit experiment"},
    [IMPORT_EXTRAP_JSON] = {"Extra-P JSON", "an object of parameters and measurements",
                            "time unit experiment"},
    [IMPORT_JSON_LINES] = {"JSON Lines", "an object of params and value in each line",
                           "time unit experiment"},
    [IMPORT_TALPAS] = {"TaLPas", "Extra-P's TaLPas format: parameters and value in each line",
                       "time unit experiment"},
    [IMPORT_GOOGLE_BENCHMARK] = {"Google Benchmark", "--benchmark_format=json",
                                 "experiment variables"},
    [IMPORT_HYPERFINE] = {"hyperfine", "--export-json", "experiment"},
    [IMPORT_PERF] = {"perf stat", "perf stat -x,", "time unit experiment variables"},
    [IMPORT_CALIPER] = {"Caliper", "JSON of cali-query: json-split, json, json(object)",
                        "time unit experiment variables"},
    [IMPORT_LIKWID] = {"LIKWID", "CSV of likwid-perfctr", "experiment variables"},
    [IMPORT_CUBE] = {"Cube", "the text of cube_dump, -s human or -s csv2",
                     "time unit experiment variables"},
    [IMPORT_CSV] = {"CSV",
                    "a table with a line of names, separated by comma, semicolon, tab or blanks",
                    "time unit experiment experiment_column variables observables"},
};

static int (*const readers[IMPORT_FORMATS])(struct import *in) = {
    [IMPORT_EXTRAP_TEXT] = import_read_extrap_text,
    [IMPORT_JSON_LINES] = import_read_json_lines,
    [IMPORT_TALPAS] = import_read_talpas,
    [IMPORT_PERF] = import_read_perf,
    [IMPORT_LIKWID] = import_read_likwid,
    [IMPORT_CUBE] = import_read_cube,
    [IMPORT_CSV] = import_read_csv,
};

static int (*const json_readers[IMPORT_FORMATS])(struct import *in, const struct json_way *top) = {
    [IMPORT_CALL1] = import_read_call1,
    [IMPORT_EXTRAP_JSON] = import_read_extrap_json,
    [IMPORT_GOOGLE_BENCHMARK] = import_read_google_benchmark,
    [IMPORT_HYPERFINE] = import_read_hyperfine,
    [IMPORT_CALIPER] = import_read_caliper,
};

const struct span import_nowhere = {SIZE_MAX, SIZE_MAX};

/* A source that holds the place's line behind as many empty ones as come before it, so that
 * position and excerpt are right when the text itself is gone. */
static const struct source *excerpt(struct import *in, struct span *where)
{
    enum { BEHIND = 200 };
    size_t line = 0, begin = where->begin, end;
    for (size_t i = 0; i < begin; i++)
        line += in->text[i] == '\n';
    while (begin > 0 && in->text[begin - 1] != '\n')
        begin--;
    for (end = where->begin; end < in->size && in->text[end] != '\n';)
        if (++end - where->begin >= BEHIND)
            break;
    char *text = arena_alloc(in->arena, line + (end - begin) + 1, 1);
    memset(text, '\n', line);
    memcpy(text + line, in->text + begin, end - begin);
    text[line + end - begin] = 0;
    struct source *source = arena_alloc(in->arena, 1, sizeof *source);
    *source = (struct source){arena_strdup(in->arena, in->path), text, line + end - begin};
    where->end = where->end < end ? where->end : end;
    where->begin = where->begin - begin + line;
    where->end = where->end - begin + line;
    return source;
}

static void message(struct import *in, enum severity severity, struct span where,
                    const char *format, va_list args)
{
    char *text = arena_vprintf(in->arena, format, args);
    if (where.begin == SIZE_MAX) {
        diag_add(in->diag, severity, NULL, (struct span){0, 0}, "%s: %s", in->path, text);
        return;
    }
    if (where.begin > in->size)
        where.begin = in->size;
    if (where.end < where.begin)
        where.end = where.begin;
    const struct source *source = excerpt(in, &where);
    diag_add(in->diag, severity, source, where, "%s", text);
}

int import_error(struct import *in, struct span where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(in, SEVERITY_ERROR, where, format, args);
    va_end(args);
    return -1;
}

void import_warning(struct import *in, struct span where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message(in, SEVERITY_WARNING, where, format, args);
    va_end(args);
}

void import_note(struct import *in, const char *format, ...)
{
    enum { MOST = 50 };
    va_list args;
    va_start(args, format);
    char *text = arena_vprintf(in->fresh->arena, format, args);
    va_end(args);
    cll_name_clean(text);
    struct data_file *f = &in->file;
    if (text_is_in(f->notes, f->nnotes, text) || f->nnotes >= MOST)
        return;
    ARENA_ADD(in->fresh->arena, f->notes, f->nnotes, &in->notes_capacity, text);
}

static size_t skip_blanks(const char *s, size_t at, size_t n)
{
    while (at < n && (s[at] == ' ' || s[at] == '\t' || s[at] == '\r' || s[at] == '\n'))
        at++;
    return at;
}

static enum import_format recognise_json(const char *text, size_t size)
{
    static const struct {
        const char *key;
        enum import_format format;
        bool object; /* as the key's value */
    } marks[] = {{"cll_experiment", IMPORT_CALL1, false},
                 {"CALL_VERSION", IMPORT_CALL1, false},
                 {"params", IMPORT_JSON_LINES, false},
                 {"measurements", IMPORT_EXTRAP_JSON, false},
                 {"benchmarks", IMPORT_GOOGLE_BENCHMARK, false},
                 {"results", IMPORT_HYPERFINE, false},
                 {"parameters", IMPORT_TALPAS, true}};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (import_json_has_key(text, size, marks[i].key, marks[i].object))
            return marks[i].format;
    return import_is_caliper(text, size) ? IMPORT_CALIPER : IMPORT_NONE;
}

/* Texts that are not JSON. */
static enum import_format recognise_text(const char *text, size_t size)
{
    return import_is_likwid(text, size)  ? IMPORT_LIKWID
           : import_is_cube(text, size)  ? IMPORT_CUBE
           : import_is_perf(text, size)  ? IMPORT_PERF
           : import_is_table(text, size) ? IMPORT_CSV
                                         : IMPORT_NONE;
}

static bool starts_with_keyword(const char *s, size_t n)
{
    static const char *const words[] = {"PARAMETER", "POINTS", "METRIC", "REGION", "DATA"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t m = strlen(words[i]);
        if (n > m && memcmp(s, words[i], m) == 0 && (s[m] == ' ' || s[m] == '\t'))
            return true;
    }
    return false;
}

static size_t behind_mark(const char *text, size_t size)
{
    return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

enum import_format import_recognise(const char *text, size_t size)
{
    size_t at = behind_mark(text, size);
    size_t first = skip_blanks(text, at, size);
    if (first < size && text[first] == '{')
        return recognise_json(text + first, size - first);
    if (first < size && text[first] == '[')
        return import_is_caliper(text + first, size - first) ? IMPORT_CALIPER : IMPORT_NONE;
    for (size_t i = first; i < size;) {
        if (starts_with_keyword(text + i, size - i))
            return IMPORT_EXTRAP_TEXT;
        if (text[i] != '#')
            break;
        const char *newline = memchr(text + i, '\n', size - i);
        i = newline ? skip_blanks(text, (size_t)(newline - text), size) : size;
    }
    return recognise_text(text + at, size - at);
}

static int unrecognised(struct import *in)
{
    TEXT_LOCAL struct text list = text_new();
    for (int f = IMPORT_NONE + 1; f < IMPORT_FORMATS; f++)
        text_printf(&list, "%s%s", f == IMPORT_NONE + 1 ? "" : ", ", import_formats[f].name);
    int status =
        in->size == 0
            ? import_error(in, import_nowhere, "the file is empty")
            : import_error(
                  in, (struct span){0, 0},
                  "this is neither a data file of CALL nor in a format that llac imports (%s); a table starts with a line of names",
                  list.s);
    return status;
}

static bool has_word(const char *words, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = strstr(words, word); p; p = strstr(p + 1, word))
        if ((p == words || p[-1] == ' ') && (p[n] == 0 || p[n] == ' '))
            return true;
    return false;
}

static int check_options(struct import *in)
{
    const struct import_format_info *info = &import_formats[in->format];
    for (const struct import_option *o = import_option_table; o->name; o++) {
        const char *value;
        memcpy(&value, (const char *)in->options + o->offset, sizeof value);
        if (!value)
            continue;
        if (!*value)
            return import_error(in, import_nowhere, "'%s=' needs a value: %s=%s", o->name, o->name,
                                o->argument);
        if (!has_word(info->options, o->name))
            return import_error(in, import_nowhere,
                                "this is a file of %s, to which '%s=' does not apply (%s%s)",
                                info->name, o->name, *info->options ? "it takes: " : "no option",
                                *info->options ? info->options : " does");
    }
    in->unit = in->options->unit ? import_seconds(in->options->unit) : 1;
    return in->unit > 0 ? 0
                        : import_error(in, import_nowhere,
                                       "'%s' is not a unit of time: unit=s, ms, us or ns",
                                       in->options->unit);
}

static int run(struct import *in)
{
    if (in->size > IMPORT_MAX_SIZE)
        return import_error(in, import_nowhere, "the file is larger than %d MB: split it",
                            IMPORT_MAX_SIZE >> 20);
    if (in->format == IMPORT_NONE)
        return unrecognised(in);
    if (check_options(in) || (readers[in->format] ? readers[in->format](in)
                                                  : import_json_read(in, json_readers[in->format])))
        return -1;
    if (interrupt_came())
        return import_error(in, import_nowhere, "loading was interrupted");
    return import_finish(in);
}

int import_load(struct dataset *d, const char *path, const char *text, size_t size,
                const struct import_options *options, struct arena *arena, struct diag *diag)
{
    static const struct import_options none;
    MEM_LOCAL struct import *in = mem_zalloc(1, sizeof *in);
    in->format = import_recognise(text, size);
    in->path = path;
    in->text = text;
    in->size = size;
    in->begin = behind_mark(text, size);
    in->options = options ? options : &none;
    in->into = d;
    in->fresh = dataset_create();
    in->arena = arena;
    in->scratch = arena_create();
    in->diag = diag;
    in->file = data_file_of(arena_strdup(in->fresh->arena, path));
    import_note(in, "imported: %s", import_formats[in->format].name);
    int status = run(in);
    if (status == 0)
        status = dataset_merge(d, in->fresh, in->options->ignore_formulas, diag);
    dataset_destroy(in->fresh);
    import_free(in);
    arena_destroy(in->scratch);
    return status;
}
