/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a translation. The pragmas of a source and of its headers are read from the text as written.
 * Copies of these files in a shadow tree (shadow.h) have a mark in place of each pragma; the compiler
 * preprocesses them, and what it shows decides about the pragmas. The translated files then take the place of
 * the marked ones.
 */
#include "call/cc/translation.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/printable.h"
#include "base/text.h"
#include "call/cc/compiler.h"
#include "call/cc/fortran.h"
#include "call/cc/implied.h"
#include "call/cc/language.h"
#include "call/cc/refused.h"
#include "call/cc/runtime.h"
#include "call/cc/timed.h"
#include "call/cc/translate.h"
#include "translate/emit.h"
#include "translate/fortran.h"

static const size_t no_input = (size_t)-1;

/* ---- reading ---- */

static void add_inputs(struct arena *a, struct translation *t)
{
    t->unit = unit_create(t->language);
    t->unit->columns = t->columns;
    t->inputs = arena_alloc(a, t->shadow.nfiles, sizeof *t->inputs);
    for (size_t i = 0; i < t->shadow.nfiles; i++) {
        const struct shadow_file *f = &t->shadow.files[i];
        bool is_input = i == 0 || f->holds;
        t->inputs[i] = is_input ? unit_add(t->unit, f->path, f->text, f->size) : no_input;
    }
}

int translation_read(struct arena *a, const struct cc_args *args, const struct cc_source *source,
                     struct translation *t)
{
    *t = (struct translation){.language = source->language, .columns = source->columns};
    int error = shadow_scan(a, args, source, &t->shadow);
    if (!error && (!args || t->language == LANGUAGE_FORTRAN || t->shadow.holds))
        add_inputs(a, t);
    return error;
}

void translation_end(struct translation *t)
{
    unit_destroy(t->unit);
    t->unit = NULL;
}

const struct driver *translation_implies(const struct translation *t, bool mpi_compiler)
{
    const struct driver *found = NULL;
    for (size_t i = 0; i < t->shadow.nfiles && (!found || found == driver_mpi); i++) {
        const struct shadow_file *f = &t->shadow.files[i];
        const struct driver *told = implied_driver(t->language, f->text, f->size, mpi_compiler);
        found = told ? told : found;
    }
    return found;
}

/* A folder with empty headers of parallel libraries, for a preprocessor that has no others; NULL if it cannot be made. */
static const char *empty_headers(struct arena *a)
{
    const char *temporary = process_temporary(a), *folder;
    if (!temporary)
        return NULL;
    folder = arena_printf(a, "%s/parallel", temporary);
    for (size_t i = 0; implied_headers[i]; i++) {
        const char *path = arena_printf(a, "%s/%s", folder, implied_headers[i]);
        if (process_make_folders(path) || process_write(path, "", 0))
            return NULL;
    }
    return folder;
}

static void search_empty_headers(struct arena *a, struct words *w)
{
    const char *folder = empty_headers(a);
    if (folder)
        WORDS_ADD(a, w, "-idirafter", folder);
}

/* The preprocessor of the compiler that was named, else of the default one of the language: "cc" stands for it. */
static struct words preprocessor(struct arena *a, const struct cc_args *args, size_t source)
{
    struct words given = cc_args_preprocess(a, args, source), w = {0};
    bool named = strcmp(given.list[0], "cc") != 0;
    if (!named)
        compiler_default(a, false, false, args->sources[source].language, &w);
    for (size_t i = named ? 0 : 1; i < given.n; i++)
        words_add(a, &w, given.list[i]);
    search_empty_headers(a, &w);
    return w;
}

const struct driver *translation_driver(struct arena *a, const struct cc_args *args, size_t source,
                                        const struct translation *t)
{
    bool named = false, fortran = t->language == LANGUAGE_FORTRAN;
    for (size_t i = 0; i < t->shadow.nfiles; i++)
        named |= implied_is_named(t->shadow.files[i].text, t->shadow.files[i].size);
    if (!named)
        return NULL;
    struct words w = {0};
    size_t size;
    const char *why;
    char *text = NULL;
    if ((!fortran || args->sources[source].preprocessed) && process_temporary(a)) {
        w = preprocessor(a, args, source);
        if (!fortran)
            runtime_search(a, &w);
        text = preprocess(a, &w, !fortran, process_temporary(a), &size, &why);
    }
    return text ? implied_driver(t->language, text, size, false) : translation_implies(t, false);
}

/* ---- the tree ---- */

static int complain(const struct translator *how, const char *what)
{
    return SAY_STATUS(1, "%s: %s\n", how->self, what);
}

static const char *no_temporary(struct arena *a)
{
    return arena_printf(a, "cannot make a temporary folder: %s", strerror(errno));
}

/* NULL, or what is wrong. */
static const char *place(const struct translator *how, struct translation *t)
{
    const char *temporary = process_temporary(how->arena);
    if (!temporary)
        return no_temporary(how->arena);
    t->tree = arena_printf(how->arena, "%s/%zu", temporary, t->source);
    shadow_place(how->arena, t->tree, how->args->nsources > 1, &t->shadow);
    return NULL;
}

static void add_line_marker(struct text *out, const char *path)
{
    text_add(out, "#line 1 ");
    emit_string(out, path);
    text_addc(out, '\n');
}

const char *translation_header(struct arena *a, const struct translation *t)
{
    const char *base = path_base(t->shadow.files[0].path), *ending = source_ending(base);
    size_t n = ending ? (size_t)(ending - base) : strlen(base);
    char *name = arena_printf(a, "%.*s.cll.h", (int)n, base);
    /* It need not be the user's: what an #include cannot hold, or compilers take in different ways, is replaced. */
    for (char *s = name; *s; s++)
        if (*s == '"' || *s == '\\' || *s == '?' || (unsigned char)*s < 0x20)
            *s = '_';
    return name;
}

void translation_emit(const struct translation *t, const char *header, const char *flags,
                      struct text *out)
{
    if (t->language == LANGUAGE_FORTRAN)
        fortran_emit(t->unit, flags, out);
    else
        emit_source(t->unit, 0, header, out);
}

/* A file of the tree that is not translated (yet): each pragma of ours is a mark. */
static void add_marked(const struct translation *t, size_t i, struct text *out)
{
    const struct shadow_file *f = &t->shadow.files[i];
    size_t mark = lex_byte_order_mark(f->text, f->size);
    add_line_marker(out, f->path);
    if (t->inputs[i] != no_input)
        unit_mark(t->unit, t->inputs[i], out);
    else
        text_addn(out, f->text + mark, f->size - mark);
}

static void add_translated(const struct translator *how, const struct translation *t, size_t i,
                           const char *header, const char *flags, struct text *out)
{
    if (i) {
        emit_source(t->unit, t->inputs[i], NULL, out);
        return;
    }
    /* With -fpreprocessed (CMake with Ninja), gfortran loses the first character. */
    if (t->language == LANGUAGE_FORTRAN)
        text_addc(out, '\n');
    else if (how->args->nsources > 1)
        text_printf(out, "#define cll_source_%zu\n", t->source);
    if (t->language != LANGUAGE_FORTRAN) /* for "included from" in messages */
        add_line_marker(out, t->shadow.files[0].path);
    translation_emit(t, header, flags, out);
}

/* NULL, or what is wrong. */
static const char *write_copy(struct arena *a, const char *path, const struct text *t)
{
    bool good = !process_make_folders(path) && !process_write(path, t->s, t->n);
    return good ? NULL : arena_printf(a, "cannot write %s: %s", path, strerror(errno));
}

/* Writes all files of the tree: with marks, or translated if there is a header. NULL, or what is wrong. */
static const char *write_tree(const struct translator *how, const struct translation *t,
                              const char *header, const char *flags)
{
    const char *wrong = NULL;
    TEXT_LOCAL struct text out = text_new();
    for (size_t i = 0; i < t->shadow.nfiles && !wrong; i++) {
        if (!t->shadow.files[i].shadowed)
            continue;
        text_clear(&out);
        if (header && t->inputs[i] != no_input)
            add_translated(how, t, i, header, flags, &out);
        else
            add_marked(t, i, &out);
        wrong = write_copy(how->arena, t->shadow.files[i].copy, &out);
    }
    return wrong;
}

/* The generated header, in the folder of the source's copy or for --keep. */
static const char *write_header(const struct translator *how, const struct translation *t,
                                const char *path, bool marked, const char *flags)
{
    TEXT_LOCAL struct text out = text_new();
    if (marked)
        add_line_marker(&out, path_base(path));
    emit_header(t->unit, flags, &out);
    return write_copy(how->arena, path, &out);
}

/* NAME.cll.c and NAME.cll.h as `call FILE.c` would write them. */
static const char *write_kept(const struct translator *how, const struct translation *t,
                              const char *keep, const char *flags)
{
    const char *ending = source_ending(t->shadow.files[0].copy);
    const char *header = arena_printf(how->arena, "%s.h", keep);
    TEXT_LOCAL struct text out = text_new();
    translation_emit(t, path_base(header), flags, &out);
    const char *wrong = write_copy(
        how->arena, arena_printf(how->arena, "%s%s", keep, ending ? ending : ".c"), &out);
    if (!wrong && t->language != LANGUAGE_FORTRAN)
        wrong = write_header(how, t, header, false, flags);
    return wrong;
}

int translation_write(const struct translator *how, struct translation *t, const char *keep)
{
    struct arena *a = how->arena;
    struct shadow_file *source = &t->shadow.files[0];
    const char *flags = cc_args_flags(a, how->args), *header = translation_header(a, t);
    const char *folder = path_folder(a, source->copy), *wrong = NULL;
    if (t->language == LANGUAGE_FORTRAN)
        source->copy = arena_printf(a, "%s/%s", folder,
                                    fortran_copy_name(a, path_base(source->path),
                                                      how->args->sources[t->source].preprocessed));
    else
        wrong = write_header(how, t, arena_printf(a, "%s/%s", folder, header), true, flags);
    if (!wrong)
        wrong = write_tree(how, t, header, flags);
    if (!wrong && keep)
        wrong = write_kept(how, t, keep, flags);
    return wrong ? -complain(how, wrong) : 0;
}

/* ---- several sources in one command ---- */

static const char *common_tree(struct arena *a)
{
    return arena_printf(a, "%s/common", process_temporary(a));
}

static bool has_copy(const struct translation *t, const char *real)
{
    for (size_t i = 1; t->tree && i < t->shadow.nfiles; i++)
        if (t->shadow.files[i].shadowed && !strcmp(t->shadow.files[i].real, real))
            return true;
    return false;
}

/* A header in the common tree: it includes the copy in the tree of the source that is being compiled, through
 * a link to its folder, whose name an #include can hold. NULL, or what is wrong. */
static const char *write_choice(const struct translator *how, const struct translation *list,
                                size_t n, const struct shadow_file *f)
{
    struct arena *a = how->arena;
    const char *folder = path_folder(a, f->real), *base = path_base(f->real), *choice = "if";
    const char *common = arena_printf(a, "%s%s", common_tree(a), folder), *wrong = NULL;
    TEXT_LOCAL struct text out = text_new();
    add_line_marker(&out, f->path);
    process_make_folders(arena_printf(a, "%s/", common));
    for (size_t j = 0; j <= n && !wrong; j++) {
        if (j < n && !has_copy(&list[j], f->real))
            continue;
        const char *name = j < n ? arena_printf(a, "cll_source_%zu", j) : "cll_source";
        const char *link = arena_printf(a, "%s/%s", common, name);
        if (symlink(j < n ? arena_printf(a, "%s%s", list[j].tree, folder) : folder, link) &&
            errno != EEXIST)
            wrong = arena_printf(a, "cannot write %s: %s", link, strerror(errno));
        if (j < n)
            text_printf(&out, "#%s defined %s\n", choice, name);
        text_printf(&out, "%s#include \"%s/%s\"\n", j < n ? "" : "#else\n", name, base);
        choice = "elif";
    }
    text_add(&out, "#endif\n");
    if (!wrong)
        wrong = write_copy(a, arena_printf(a, "%s/%s", common, base), &out);
    return wrong;
}

int translation_unite(const struct translator *how, const struct translation *list, size_t n)
{
    const char *wrong = NULL;
    for (size_t j = 0; j < n && n > 1; j++)
        for (size_t i = 1; list[j].tree && i < list[j].shadow.nfiles && !wrong; i++)
            if (list[j].shadow.files[i].shadowed)
                wrong = write_choice(how, list, n, &list[j].shadow.files[i]);
    return wrong ? -complain(how, wrong) : 0;
}

/* ---- the preprocessor ---- */

/* The shadow of a folder of the command, if a source needs one. */
static void add_shadow_folder(struct arena *a, struct words *out, const struct translation *list,
                              size_t n, const struct cc_folder *folder, size_t index)
{
    bool needed = false;
    for (size_t j = 0; j < n; j++)
        needed |= list[j].tree && list[j].shadow.folders && list[j].shadow.folders[index];
    char *real = needed ? realpath(folder->path, NULL) : NULL;
    if (real)
        WORDS_ADD(a, out, folder->option,
                  arena_printf(a, "%s%s", n == 1 ? list->tree : common_tree(a), real));
    free(real);
}

struct words translation_redirect(struct arena *a, const struct cc_args *args,
                                  const struct translation *list, size_t n, const struct words *in)
{
    struct words out = {0};
    for (size_t i = 0; i < in->n; i++) {
        const char *w = in->list[i];
        for (size_t f = 0; i > args->compiler && f < args->nfolders; f++)
            if (w == args->words.list[args->folders[f].word])
                add_shadow_folder(a, &out, list, n, &args->folders[f], f);
        for (size_t j = 0; j < n; j++)
            if (list[j].tree && w == args->sources[list[j].source].path)
                w = list[j].shadow.files[0].copy;
        words_add(a, &out, w);
        for (size_t j = 0; i == args->compiler && j < n; j++)
            if (list[j].tree)
                WORDS_ADD(a, &out, list[j].language == LANGUAGE_FORTRAN ? "-I" : "-iquote",
                          path_folder(a, list[j].shadow.files[0].path));
    }
    return out;
}

/* What the compiler's preprocessor makes of the source, with marks if it has a tree; NULL if it fails: *why. */
static char *preprocessed(const struct translator *how, const struct translation *t, size_t *size,
                          const char **why)
{
    struct arena *a = how->arena;
    bool fortran = t->language == LANGUAGE_FORTRAN;
    struct words w = cc_args_preprocess(a, how->args, t->source);
    if (t->tree)
        w = translation_redirect(a, how->args, t, 1, &w);
    if (!fortran)
        runtime_search(a, &w);
    if (how->alone) /* nothing is compiled: a header of MPI need not be here */
        search_empty_headers(a, &w);
    return preprocess(a, &w, !fortran, process_temporary(a), size, why);
}

static void warn_unpreprocessed(const struct translation *t, const char *why)
{
    if (!process_signal())
        diag_add(
            t->unit->diag, SEVERITY_WARNING, NULL, (struct span){0, 0},
            "%s: the preprocessor failed, so call reads the text as written, without expanding "
            "macros (%s); give call the same -I and -D as the compiler",
            t->shadow.files[0].path, why);
}

/* The compiler will say what is wrong, but modules are not its fault. As translation_resolve. */
static int refuse_unpreprocessed(const struct translation *t)
{
    if (!unit_refuse_modules(t->unit))
        return 2;
    diag_print(t->unit->diag, stderr, ERROR_LIMIT);
    return 1;
}

/* ---- resolving ---- */

/* Complains about files in UTF-16 or UTF-32, and about directives in files that Fortran includes. */
static bool is_refused(const struct translator *how, const struct translation *t)
{
    const struct shadow_file *source = &t->shadow.files[0];
    bool refused = false;
    for (size_t i = 0; i < t->shadow.nfiles; i++)
        if (t->shadow.files[i].is_wide)
            refused = source_refuse_wide(how->self, t->shadow.files[i].path);
    if (!refused && t->language == LANGUAGE_FORTRAN)
        refused = fortran_refuse_included(how->arena, how->args, source->path, source->text,
                                          source->size);
    if (!refused && t->language == LANGUAGE_FORTRAN && !how->alone && unit_count(t->unit))
        refused = fortran_refuse_standard(how->args);
    return refused;
}

/* The pragmas are settled, by the preprocessed text or, if it is NULL, by the text as written. 0, or 1 after
 * errors. */
static int settle(const struct translator *how, struct translation *t, const char *text,
                  size_t size)
{
    struct unit *u = t->unit;
    u->implied = text ? implied_driver(t->language, text, size, how->mpi_compiler)
                      : translation_implies(t, how->mpi_compiler);
    u->device = implied_device(t->shadow.files[0].path, text ? text : t->shadow.files[0].text,
                               text ? size : t->shadow.files[0].size);
    u->counting = cc_args_counts(how->args);
    u->has_headers = !how->alone;
    unit_resolve(u, text, size);
    if (!timed_list()) /* else the user wrote no pragma that could say it */
        implied_note(u, how->self);
    t->translated = unit_count(u) > 0;
    bool good = !diag_count(u->diag, SEVERITY_ERROR);
    if (!good && refused_find(u)) /* it is translated again without these regions */
        diag_clear(u->diag);
    diag_print(u->diag, stderr, ERROR_LIMIT);
    return good ? 0 : 1;
}

/* Only the preprocessor shows pragmas of macros, and of files that were not found. If it fails, the compiler
 * will say why. */
static char *look_for_hidden(const struct translator *how, struct translation *t, size_t *size)
{
    const char *why;
    char *text = preprocessed(how, t, size, &why);
    t->unseen = !text;
    if (text && lex_may_hold_pragma(text, *size))
        add_inputs(how->arena, t);
    return text;
}

int translation_resolve(const struct translator *how, size_t source, struct translation *t)
{
    bool fortran = t->language == LANGUAGE_FORTRAN, hides = !t->unit;
    bool only = how->args->preprocess_only && !how->alone;
    char *text = NULL;
    size_t size = 0;
    const char *why = NULL;
    t->source = source;
    if (fortran && only)
        return 0; /* the directives stay in what the preprocessor writes */
    if (is_refused(how, t))
        return 1;
    if (hides && (only || timed_list()))
        return 0; /* hidden pragmas stay there; for `call discover` the user's do not count */
    if (hides && !process_temporary(how->arena))
        return complain(how, no_temporary(how->arena));
    if (hides)
        text = look_for_hidden(how, t, &size);
    if (!t->unit)
        return 0;

    size_t n = unit_count(t->unit);
    bool marks = n || how->alone;
    bool asks = fortran ? marks && how->args->sources[source].preprocessed : !how->raw;
    if (marks && (asks || !how->alone))
        why = place(how, t);
    if (marks && asks && !why)
        why = write_tree(how, t, NULL, NULL);
    if (why && !how->alone)
        return complain(how, why);
    if (asks && !why && (marks || !text))
        text = preprocessed(how, t, &size, &why);
    if (asks && n && !text && how->alone)
        warn_unpreprocessed(t, why);
    else if (asks && n && !text)
        return refuse_unpreprocessed(t);
    return settle(how, t, text, size);
}
