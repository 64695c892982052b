/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes what was found into the sources, as a patch: a region around the body of each function that matters, with the
 * formula of its own time in one execution. `diff` compares the sources with copies that have the regions.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/destination.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "base/source.h"
#include "base/text.h"
#include "call/cc/language.h"
#include "call/cc/timed.h"
#include "call/discover/discover.h"

/* A function matters if it takes this part of the run time, now or at the place. */
static const double least_share = 0.01;
static const size_t most_bytes = (size_t)1 << 28;

/* Without a formula of its calls, that of one execution is not known. */
static bool is_per_call(const struct region *r)
{
    const struct discover_formula *calls = &regions_calls(r)->formula;
    return calls->text && calls->verdict != DISCOVER_REFUTED;
}

static bool takes_time(const struct request *q, const struct region *r)
{
    return r->function && !r->is_main && r->formula &&
           (r->share >= least_share || r->value >= least_share * q->times.value);
}

static bool matters(const struct request *q, const struct region *r)
{
    return takes_time(q, r) && is_per_call(r);
}

/* The variables of the command line that the formula has: "(setting n, setting m)". */
static const char *settings_text(const struct request *q, const char *formula)
{
    struct text t = text_new();
    for (size_t v = 0; v < q->nvariables; v++) {
        size_t n = strlen(q->names[v]);
        bool used = false;
        for (const char *s = formula; (s = strstr(s, q->names[v])); s += n) {
            bool begins = s == formula || !(isalnum((unsigned char)s[-1]) || s[-1] == '_');
            used |= begins && !(isalnum((unsigned char)s[n]) || s[n] == '_' || s[n] == '[');
        }
        if (used && v != q->processors)
            text_printf(&t, "%ssetting %s", t.n ? ", " : "(", q->names[v]);
    }
    if (t.n)
        text_addc(&t, ')');
    return text_keep(&t, q->arena);
}

/* Of one execution: by the number of calls, of one process. */
static const char *formula_of_execution(const struct request *q, const struct region *r)
{
    const char *calls = regions_calls(r)->formula.text;
    bool shared = q->times.ranks && q->processors != SIZE_MAX;
    const char *own = shared ? models_of_process(q->arena, calls) : calls;
    return !strcmp(own, "1") ? r->formula : arena_printf(q->arena, "(%s)/(%s)", r->formula, own);
}

static struct timed_region region_of(const struct request *q, const struct region *r, bool fortran)
{
    struct arena *a = q->arena;
    const struct counted *c = r->function;
    const char *sentinel = fortran ? "!$cll" : "#pragma cll";
    const char *formula = formula_of_execution(q, r);
    return (struct timed_region){.name = r->label,
                                 .line = c->line,
                                 .column = c->column,
                                 .end_line = c->end_line,
                                 .end_column = c->end_column,
                                 .begin = arena_printf(a, "%s %s%s SELF = %s", sentinel, r->label,
                                                       settings_text(q, formula), formula),
                                 .end = arena_printf(a, "%s end %s", sentinel, r->label)};
}

/* Where the patch is applied: the current folder, or one above it that has all files. patch refuses names that lead out of
 * its folder. Without '/' at the end. */
static const char *common_folder(const struct request *q)
{
    const struct times *t = &q->times;
    char *folder = arena_strdup(q->arena, q->counts.here);
    for (size_t i = 0; i < t->n; i++)
        while (matters(q, &t->list[i]) && *folder) {
            const char *path = t->list[i].function->path;
            size_t n = strlen(folder);
            if (!strncmp(path, folder, n) && path[n] == '/')
                break;
            *strrchr(folder, '/') = '\0';
        }
    return folder;
}

/* A name with blanks ends with a tab. One with a tab or a quote would be read as another name: it is quoted as in C. */
static const char *name_in_patch(struct arena *a, const char *side, const char *name)
{
    bool plain = true;
    for (const char *s = name; *s; s++)
        plain &= (unsigned char)*s >= ' ' && *s != '"' && *s != '\\' && *s != 0x7f;
    if (plain)
        return arena_printf(a, "%s/%s%s", side, name, strchr(name, ' ') ? "\t" : "");
    struct text t = text_new();
    text_printf(&t, "\"%s/", side);
    for (const char *s = name; *s; s++)
        if (*s == '"' || *s == '\\')
            text_printf(&t, "\\%c", *s);
        else if ((unsigned char)*s < ' ' || *s == 0x7f)
            text_printf(&t, "\\%03o", (unsigned char)*s);
        else
            text_addc(&t, *s);
    text_addc(&t, '"');
    return text_keep(&t, a);
}

/* Adds the differences of a file. 0, or -1 after a message. */
static int add_differences(struct request *q, const char *path, const char *shown,
                           const char *changed, struct text *out)
{
    struct arena *a = q->arena;
    struct words w = {0};
    const char *file = arena_printf(a, "%s/differences", q->temporary);
    struct process_options o = {.out = PROCESS_FILE, .out_file = file};
    MEM_LOCAL char *text = NULL;
    size_t size;
    WORDS_ADD(a, &w, "diff", "-u", "--label", name_in_patch(a, "a", shown), "--label",
              name_in_patch(a, "b", shown), path, changed);
    int status = process_run(&w, &o);
    if (status < 0)
        return say("call discover: --write needs diff, which cannot be run: %s\n", strerror(errno));
    if (process_exit_status(status) > 1) /* it has said why, or a signal ended it */
        return say("call discover: --write: diff failed with exit status %d\n",
                   process_exit_status(status));
    int error = source_read(file, most_bytes, &text, &size);
    if (error)
        return say("call discover: --write: cannot read %s: %s\n", file, strerror(error));
    text_addn(out, text, size);
    return 0;
}

/* All regions of one file. *written gets their number. 0, or -1 after a message. */
static int change_file(struct request *q, const struct region *first, const char *folder,
                       struct text *out, size_t *written)
{
    struct arena *a = q->arena;
    const struct times *t = &q->times;
    const char *path = first->function->path;
    const char *changed = arena_printf(a, "%s/changed", q->temporary);
    enum source_kind kind = source_kind(path, NULL, false);
    enum language language = source_language(kind, LANGUAGE_CXX);
    struct timed_region *regions = arena_alloc(a, t->n + 1, sizeof *regions);
    const char **why = arena_alloc(a, t->n + 1, sizeof *why);
    size_t n = 0, size;
    MEM_LOCAL char *text = NULL;
    for (size_t i = 0; i < t->n; i++)
        if (matters(q, &t->list[i]) && !strcmp(t->list[i].function->path, path))
            regions[n++] = region_of(q, &t->list[i], language == LANGUAGE_FORTRAN);
    int error = source_read(path, most_bytes, &text, &size);
    if (error)
        return say("call discover: --write: cannot read %s: %s\n", path, strerror(error));
    const char *new =
        timed_put(a, language, kind == SOURCE_FIXED, text, size, regions, n, why, &size);
    for (size_t i = 0; i < n; i++)
        *written += !why[i];
    if (process_save("call discover", changed, new, size))
        return -1;
    return add_differences(q, path, path + strlen(folder) + 1, changed, out);
}

int write_patch(struct request *q)
{
    const struct times *t = &q->times;
    struct lookup done = {0};
    TEXT_LOCAL struct text out = text_new();
    size_t written = 0;
    int failed = 0;
    const char *folder = common_folder(q);
    bool elsewhere = strcmp(folder, q->counts.here) != 0;
    if (elsewhere) /* patch skips such lines */
        text_printf(&out, "Names are relative to %s/\n", folder);
    for (size_t i = 0; i < t->n && !failed; i++) {
        const struct region *r = &t->list[i];
        if (!matters(q, r) ||
            lookup_find(&done, r->function->path, strlen(r->function->path)) != SIZE_MAX)
            continue;
        lookup_add(&done, q->arena, r->function->path, i);
        failed = change_file(q, r, folder, &out, &written);
    }
    for (size_t i = 0; i < t->n && !failed; i++)
        if (takes_time(q, &t->list[i]) && !is_per_call(&t->list[i]))
            say("call discover: --write: %s is left out, because its calls have no formula\n",
                t->list[i].function->name);
    if (!failed && !written)
        say("call discover: --write: no function but main, of those with a formula, takes a part of the time that matters, so %s "
            "is not written\n",
            q->write);
    if (!failed && written && outfile_replace(q->write, out.s, out.n))
        failed = say("call discover: cannot write %s: %s\n", q->write, destination_error(errno));
    if (!failed && written && elsewhere)
        say("call discover: --write: sources are in several folders: apply %s in %s/\n", q->write,
            folder);
    return failed ? 1 : 0;
}
