/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Choosing names (name.h). A region of a file read before is known by its path, which its
 * experiment keeps as a source; so an experiment of the name wanted is the same region if it has
 * the path, or if the path is the name itself and no other path has this experiment.
 */
#include "data/import/name.h"

#include <ctype.h>
#include <string.h>

#include "base/path.h"
#include "base/text.h"
#include "spool/name.h"
#include "formula/formula.h"

enum { LONGEST = 100 };

const char *import_base_name(struct import *in)
{
    if (!in->base_name)
        in->base_name = import_identifier(in, path_stem(in->scratch, path_base(in->path)));
    return in->base_name;
}

/* Characters that are not allowed in a name become one `_`, none at the ends. */
const char *import_identifier(struct import *in, const char *s)
{
    TEXT_LOCAL struct text t = text_new();
    bool gap = false;
    for (; *s && t.n < LONGEST; s++) {
        bool good = (unsigned char)*s < 128 && (isalnum((unsigned char)*s) || *s == '_');
        if (!good) {
            gap = true;
            continue;
        }
        if (t.n == 0 && isdigit((unsigned char)*s))
            text_addc(&t, '_');
        else if (gap && t.n > 0 && t.s[t.n - 1] != '_' && *s != '_')
            text_addc(&t, '_');
        gap = false;
        text_addc(&t, *s);
    }
    return arena_strdup(in->scratch, t.n ? t.s : "x");
}

const char *import_clean(struct import *in, const char *text)
{
    char *copy = arena_strdup(in->fresh->arena, text);
    cll_name_clean(copy);
    return copy;
}

static const char *make_unique(struct import *in, const char *name,
                               const struct import_column *have, size_t n)
{
    const char *candidate = name;
    for (unsigned number = 2; TEXT_ELEMENT(have, n, name, candidate); number++)
        candidate = arena_printf(in->scratch, "%s_%u", name, number);
    return candidate;
}

/* What formulas take as a variable stays as it is: `m->rows`, too. */
const char *import_variable_name(struct import *in, const char *raw,
                                 const struct import_column *have, size_t n)
{
    static const char *const words[] = {"and", "or", "not"};
    const struct formula *f = formula_parse_text(in->scratch, raw, "", NULL);
    bool good = f && f->kind == FORMULA_VARIABLE && strcmp(f->name, raw) == 0 &&
                cll_name_is(CLL_NAME_VARIABLE, raw, strlen(raw));
    const char *name = good ? raw : import_identifier(in, raw);
    if (text_is_in(words, sizeof words / sizeof *words, name))
        name = arena_printf(in->scratch, "%s_", name);
    return make_unique(in, name, have, n);
}

const char *import_observable_name(struct import *in, const char *raw,
                                   const struct import_column *have, size_t n)
{
    const char *name = import_identifier(in, raw);
    bool field = strcmp(name, "experiment") == 0 || /* the names that columns of data files have */
                 text_is_in(data_field_names, FIELD_FIXED, name);
    return make_unique(in, field ? arena_printf(in->scratch, "%s_", name) : name, have, n);
}

/* "x.c:12" or "x.c:12-14": a place in a source file, as the run-time writes it. */
static bool is_code_place(const char *s)
{
    const char *colon = strrchr(s, ':');
    return colon && isdigit((unsigned char)colon[1]) &&
           strspn(colon + 1, "0123456789-") == strlen(colon + 1);
}

static bool same_region(const struct experiment *e, const char *path)
{
    if (text_is_in(e->sources, e->nsources, path))
        return true;
    for (size_t i = 0; i < e->nsources; i++)
        if (!is_code_place(e->sources[i]))
            return false;
    return strcmp(e->name, path) == 0;
}

/* The names given in this file, of the regions; `next` is the next number to append to one that is taken. */
struct given {
    struct lookup names;
    unsigned *next;
};

static bool taken(const struct import *in, const struct given *given, const char *name,
                  const char *path)
{
    if (lookup_find(&given->names, name, strlen(name)) != SIZE_MAX)
        return true;
    const struct dataset *const sets[] = {in->into, in->options->known};
    for (size_t k = 0; k < 2; k++) {
        const struct experiment *e = sets[k] ? dataset_find(sets[k], name) : NULL;
        if (e && !same_region(e, path))
            return true;
    }
    return false;
}

/* The path was met in an earlier file. */
static const char *known_name(const struct import *in, const char *path)
{
    const struct dataset *const sets[] = {in->into, in->options->known};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; sets[k] && i < sets[k]->nexperiments; i++)
            if (text_is_in(sets[k]->experiments[i]->sources, sets[k]->experiments[i]->nsources,
                           path))
                return sets[k]->experiments[i]->name;
    return NULL;
}

/* The part of the path from its components-th arrow from the right on; NULL: there are not so many.
 */
static const char *path_tail(const char *path, size_t components)
{
    const char *p = path + strlen(path);
    size_t arrows = 0;
    while (p > path) {
        p--;
        if (p[0] == '-' && p[1] == '>' && p[2] && ++arrows == components)
            return p + 2;
    }
    return arrows + 1 == components ? path : NULL;
}

static const char *choose_name(struct import *in, const struct import_region *r,
                               const struct given *given)
{
    const char *known = known_name(in, r->path), *tail, *name;
    if (known && !taken(in, given, known, r->path))
        return known;
    const char *shortest =
        import_identifier(in, r->short_name ? r->short_name : path_tail(r->path, 1));
    if (!taken(in, given, shortest, r->path))
        return shortest;
    for (size_t k = r->short_name ? 1 : 2; (tail = path_tail(r->path, k)); k++) {
        name = import_identifier(in, tail);
        if (!taken(in, given, name, r->path))
            return name;
    }
    size_t region = lookup_find(&given->names, shortest, strlen(shortest));
    for (unsigned number = region == SIZE_MAX ? 2 : given->next[region];; number++) {
        name = arena_printf(in->scratch, "%s_%u", shortest, number);
        if (region != SIZE_MAX)
            given->next[region] = number + 1;
        if (!taken(in, given, name, r->path))
            return name;
    }
}

static int choose_one_name(struct import *in, const char **names)
{
    const char *name = in->options->experiment;
    if (strcmp(import_identifier(in, name), name) != 0)
        return import_error(in, import_nowhere,
                            "experiment=%s: the name of an experiment is letters, digits and _",
                            name);
    if (in->nregions > 1)
        return import_error(in, import_nowhere,
                            "experiment=%s: the file has %zu experiments ('%.60s', '%.60s'%s); "
                            "leave the option out",
                            name, in->nregions, in->regions[0]->path, in->regions[1]->path,
                            in->nregions > 2 ? ", ..." : "");
    names[0] = name;
    return 0;
}

int import_choose_names(struct import *in, const char **names)
{
    if (in->options->experiment)
        return choose_one_name(in, names);
    struct given given = {.next = arena_alloc(in->scratch, in->nregions + 1, sizeof *given.next)};
    for (size_t i = 0; i < in->nregions; i++) {
        names[i] = choose_name(in, in->regions[i], &given);
        given.next[i] = 2;
        lookup_add(&given.names, in->scratch, names[i], i);
    }
    return 0;
}
