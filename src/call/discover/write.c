/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes what was found into the sources, as a patch: a region around the body of each function that matters, with the
 * formula of its own time in one execution: over its arguments, if what it executes most follows these, else over the numbers of the
 * command line. `diff` compares the sources with copies that have the regions.
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
#include "translate/unit.h"

/* A function matters if it takes this part of the run time, now or at the place. */
static const double least_share = 0.01;
static const size_t most_bytes = (size_t)1 << 28;

/* ---- formulas over arguments ---- */

/* What is executed most in the time of the function, at the largest sizes. */
static const struct counted *largest_work(const struct request *q, const struct region *r)
{
    const struct counted *most = NULL;
    for (size_t i = 0; i < r->nwork; i++)
        if (!most || r->work[i]->at[q->times.largest] > most->at[q->times.largest])
            most = r->work[i];
    return most;
}

/* The part of a sum that is the same in each call: sizes and a constant which are a multiple of the calls in all runs. */
static bool find_constant(const struct request *q, const struct chain *chain,
                          const struct counted *function, int64_t *constant)
{
    bool is_known = false;
    *constant = 0;
    for (size_t row = 0; row < q->nrows; row++) {
        int64_t sum = chain->constant, calls = (int64_t)function->at[row];
        for (size_t v = 0; v < q->nvariables; v++)
            sum += chain->sizes[v] * q->rows[row][v];
        if (!q->done[row])
            continue;
        if (!calls || sum % calls || (is_known && sum / calls != *constant))
            return false;
        *constant = sum / calls;
        is_known = true;
    }
    return is_known;
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Is it the name of a size, which a run sets, or of something in formulas? Then the argument gets another one there. */
static bool is_taken(const struct request *q, const char *name)
{
    for (size_t v = 0; v < q->nvariables; v++)
        if (!strcmp(q->names[v], name))
            return true;
    return !strcmp(name, "P") || !strcmp(name, "setting") || pragma_is_reserved(name);
}

/* Adds "n*m" with the names of the formula, and to the variables those that are new: "n, sweep_m = m". */
static void add_argument(const struct request *q, const struct region *r, const char *term,
                         struct text *formula, struct text *variables)
{
    for (const char *s = term; *s;) {
        size_t n = 0;
        while (is_of_name(s[n]))
            n++;
        if (!n || isdigit((unsigned char)*s)) {
            text_addn(formula, s, n ? n : 1);
            s += n ? n : 1;
            continue;
        }
        const char *own = arena_strndup(q->arena, s, n), *name = own;
        if (is_taken(q, own))
            name = arena_printf(q->arena, "%s_%s", r->label, own);
        const char *entry = name == own ? own : arena_printf(q->arena, "%s = %s", name, own);
        const char *found = strstr(variables->s, entry);
        size_t length = strlen(entry);
        while (found && ((found > variables->s && found[-1] != ' ') || is_of_name(found[length])))
            found = strstr(found + 1, entry);
        if (!found)
            text_printf(variables, "%s%s", variables->n ? ", " : "", entry);
        text_add(formula, name);
        s += n;
    }
}

/* Is each part of the sum an argument of the function, or its calls? These add to the constant of one execution. */
static bool has_own_parts(const struct chain *chain, const struct counted *function,
                          int64_t *constant)
{
    bool any = false;
    for (size_t i = 0; i < chain->nparts; i++) {
        const struct chain_part *p = &chain->parts[i];
        if (p->times || p->entries || p->of->is_loop || p->of->owner != function->owner ||
            (p->of->argument && *p->of->where))
            return false;
        any |= p->of->argument != NULL;
        *constant += p->of->argument ? 0 : p->factor;
    }
    return any;
}

/* The formula of one execution, "f[0] + f[1]*(n*m - 2*n)", and its variables. False: what the function executes most is no sum of
 * its own arguments. */
static bool by_arguments(const struct request *q, const struct region *r, const char **formula,
                         const char **variables)
{
    const struct counted *most = largest_work(q, r);
    const struct chain *chain = most ? most->chain : NULL;
    int64_t constant;
    if (!chain || r->instances > 1 || !find_constant(q, chain, r->function, &constant) ||
        !has_own_parts(chain, r->function, &constant))
        return false;
    TEXT_LOCAL struct text sum = text_new(), names = text_new();
    for (int negative = 0; negative < 2; negative++)
        for (size_t i = 0; i < chain->nparts; i++) {
            const struct chain_part *p = &chain->parts[i];
            if (!p->of->argument || (p->factor < 0) != negative)
                continue;
            text_add(&sum, negative ? (sum.n ? " - " : "-") : sum.n ? " + " : "");
            if (llabs((long long)p->factor) != 1)
                text_printf(&sum, "%lld*", llabs((long long)p->factor));
            add_argument(q, r, p->of->argument, &sum, &names);
        }
    if (constant)
        text_printf(&sum, " %c %lld", constant < 0 ? '-' : '+', llabs((long long)constant));
    *formula = arena_printf(q->arena, "%s[0] + %s[1]*(%s)", r->label, r->label, sum.s);
    *variables = arena_printf(q->arena, "(%s)", names.s);
    return true;
}

/* ---- which functions ---- */

/* Without a formula of its calls, or of one call, that of one execution is not known. */
static bool is_per_call(const struct request *q, const struct region *r)
{
    const struct discover_formula *calls = &regions_calls(r)->formula;
    const char *formula, *variables;
    return by_arguments(q, r, &formula, &variables) ||
           (calls->text && calls->verdict != DISCOVER_REFUTED);
}

static bool takes_time(const struct request *q, const struct region *r)
{
    return r->function && !r->is_main && r->formula &&
           (r->share >= least_share || r->value >= least_share * q->times.value);
}

static bool matters(const struct request *q, const struct region *r)
{
    return takes_time(q, r) && is_per_call(q, r);
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
    const char *formula, *variables;
    if (!by_arguments(q, r, &formula, &variables)) {
        formula = formula_of_execution(q, r);
        variables = settings_text(q, formula);
    }
    return (struct timed_region){
        .name = r->label,
        .line = c->line,
        .column = c->column,
        .end_line = c->end_line,
        .end_column = c->end_column,
        .begin = arena_printf(a, "%s %s%s SELF = %s", sentinel, r->label, variables, formula),
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
        if (takes_time(q, &t->list[i]) && !is_per_call(q, &t->list[i]))
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
