/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Versions of the code in a data set (see version.h). */
#include "data/version.h"

#include "base/path.h"
#include "base/text.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

enum { MOST_NAMED = 10 }; /* sources in a message */

static enum data_kind kind_of(const struct data_file *f)
{
    return data_file_is_counted(f)     ? KIND_COUNTED
           : data_file_is_simulated(f) ? KIND_SIMULATED
                                       : KIND_MEASURED;
}

/* ---- labels ---- */

static bool is_label_part(char c)
{
    return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || (c && strchr("_.-+", c));
}

bool version_is_label(const char *text)
{
    const char *p = text;
    while (is_label_part(*p))
        p++;
    return p > text && !*p;
}

size_t version_find(const struct dataset *d, const char *label)
{
    const struct data_version *found = TEXT_ELEMENT(d->versions, d->nversions, label, label);
    return found ? (size_t)(found - d->versions) : SIZE_MAX;
}

/* "old" of "data/old.cll.0.dat": without folder and the endings of data files. */
static const char *stem_of(struct arena *a, const char *path)
{
    const char *base = path_base(path);
    const char *end = strstr(base, ".cll."), *dot = strrchr(base, '.');
    if (!end || end == base)
        end = dot && dot > base ? dot : base + strlen(base);
    char *stem = arena_strndup(a, base, (size_t)(end - base));
    for (char *p = stem; *p; p++)
        *p = is_label_part(*p) ? *p : '_';
    return *stem ? stem : "data";
}

/* A label that the data set does not have yet. */
static const char *free_label(struct dataset *d, const char *wanted)
{
    const char *label = arena_strdup(d->arena, wanted);
    for (unsigned n = 2; version_find(d, label) != SIZE_MAX; n++)
        label = arena_printf(d->arena, "%s-%u", wanted, n);
    return label;
}

static void add_version(struct dataset *d, const char *label, bool given)
{
    d->versions = mem_resize(d->versions, d->nversions + 1, sizeof *d->versions);
    d->versions[d->nversions++] = (struct data_version){.label = label, .given = given};
}

/* ---- what is known of a version ---- */

static bool is_stated(const char *text)
{
    return text && *text;
}

static void keep(struct dataset *d, const char **known, const char *stated)
{
    if (!is_stated(*known) && is_stated(stated))
        *known = arena_strdup(d->arena, stated);
}

static bool has_code(const struct data_identity *id, const char *code)
{
    return lookup_find(&id->known_codes, code, strlen(code)) != SIZE_MAX;
}

static void keep_code(struct dataset *d, struct data_identity *id, const char *code)
{
    if (has_code(id, code))
        return;
    code = arena_strdup(d->arena, code);
    ARENA_ADD(d->arena, id->codes, id->ncodes, &id->codes_capacity, code);
    lookup_add(&id->known_codes, d->arena, code, id->ncodes);
}

static bool has_same_codes(const struct data_identity *id, const struct data_file *file)
{
    size_t common = 0;
    for (size_t i = 0; i < file->ncodes; i++)
        common += has_code(id, file->codes[i]);
    return common == id->ncodes && common == file->ncodes;
}

void version_know(struct dataset *d, const struct data_file *file)
{
    if (d->nversions == 0) {
        bool stated = is_stated(file->label) && version_is_label(file->label);
        const char *label = stated ? file->label : stem_of(d->arena, file->path ? file->path : "");
        add_version(d, free_label(d, label), stated);
    }
    if (!is_stated(file->build) && !file->ncodes)
        return;
    struct data_identity *id = &d->versions[file->version].identity[kind_of(file)];
    if (id->ncodes && file->ncodes && !has_same_codes(id, file))
        id->several_programs = true;
    id->known = true;
    keep(d, &id->cpu, file->cpu);
    keep(d, &id->compiler, file->compiler);
    keep(d, &id->flags, file->flags);
    keep(d, &id->build, file->build);
    for (size_t i = 0; i < file->ncodes; i++)
        keep_code(d, id, file->codes[i]);
}

void version_give_label(struct dataset *d)
{
    if (!d->given_label || d->nversions != 1)
        return;
    d->versions[0].label = arena_strdup(d->arena, d->given_label);
    d->versions[0].given = true;
}

/* ---- what differs ---- */

static const char *name_of_code(const char *code)
{
    const char *blank = strchr(code, ' ');
    return blank ? blank + 1 : "";
}

static const char *append(struct arena *a, const char *list, const char *text)
{
    return *list ? arena_printf(a, "%s, %s", list, text) : text;
}

/* The sources of which both have one of the same name, and it is not the same. */
static const char *differing_codes(struct arena *a, const struct data_identity *x,
                                   const struct data_identity *y)
{
    struct lookup in_y = {0}, same = {0}, seen = {0};
    const char *list = "";
    size_t found = 0;
    for (size_t i = 0; i < y->ncodes; i++) {
        const char *name = name_of_code(y->codes[i]);
        lookup_add(&in_y, a, name, i);
        if (has_code(x, y->codes[i]))
            lookup_add(&same, a, name, i);
    }
    for (size_t i = 0; i < x->ncodes; i++) {
        const char *name = name_of_code(x->codes[i]);
        size_t n = strlen(name);
        if (lookup_find(&in_y, name, n) == SIZE_MAX || lookup_find(&same, name, n) != SIZE_MAX ||
            !lookup_add(&seen, a, name, i) || ++found > MOST_NAMED)
            continue;
        list = append(a, list, arena_printf(a, "the code of %s", name));
    }
    return found > MOST_NAMED
               ? append(a, list, arena_printf(a, "%zu more sources", found - MOST_NAMED))
               : list;
}

/* Whether both have a source of the same name or text. */
static bool has_common_source(struct arena *a, const struct data_identity *x,
                              const struct data_identity *y)
{
    struct lookup names = {0}, texts = {0};
    for (size_t i = 0; i < x->ncodes; i++) {
        lookup_add(&names, a, name_of_code(x->codes[i]), i);
        lookup_add(&texts, a, arena_strndup(a, x->codes[i], strcspn(x->codes[i], " ")), i);
    }
    for (size_t i = 0; i < y->ncodes; i++) {
        const char *name = name_of_code(y->codes[i]);
        if (lookup_find(&names, name, strlen(name)) != SIZE_MAX ||
            lookup_find(&texts, y->codes[i], strcspn(y->codes[i], " ")) != SIZE_MAX)
            return true;
    }
    return false;
}

static const char *differing_identity(struct arena *a, const struct data_identity *x,
                                      const struct data_identity *y, bool same_program)
{
    const struct {
        const char *what, *x, *y;
    } texts[] = {{"the processor", x->cpu, y->cpu},
                 {"the compiler", x->compiler, y->compiler},
                 {"the flags", x->flags, y->flags}};
    if (!x->known || !y->known)
        return "";
    const char *list = differing_codes(a, x, y);
    bool common = has_common_source(a, x, y);
    if (same_program && x->ncodes && y->ncodes && !common)
        list = arena_printf(a, "the sources (%s and %s)", name_of_code(x->codes[0]),
                            name_of_code(y->codes[0]));
    /* of one program: its sources may have flags of their own, and the first one states them */
    bool same = is_stated(x->build) && is_stated(y->build) && strcmp(x->build, y->build) == 0;
    for (size_t i = 0; i < (same ? 1 : sizeof texts / sizeof *texts); i++)
        if (is_stated(texts[i].x) && is_stated(texts[i].y) && strcmp(texts[i].x, texts[i].y) != 0)
            list = append(
                a, list,
                arena_printf(a, "%s ('%s' and '%s')", texts[i].what, texts[i].x, texts[i].y));
    /* of the same sources: something else was linked, or the folder is another */
    if (!*list && (same_program || common) && !x->several_programs && !y->several_programs &&
        is_stated(x->build) && is_stated(y->build) && strcmp(x->build, y->build) != 0)
        list = arena_printf(a, "the program (build-id %.8s... and %.8s...)", x->build, y->build);
    return list;
}

static const char *difference(struct arena *a, const struct data_version *x,
                              const struct data_version *y, bool same_program)
{
    const char *list = "";
    for (int k = 0; k < KIND_COUNT && !*list; k++)
        list = differing_identity(a, &x->identity[k], &y->identity[k], same_program);
    return list;
}

const char *version_difference(struct arena *a, const struct data_version *x,
                               const struct data_version *y)
{
    return difference(a, x, y, true);
}

/* ---- merging ---- */

struct experiment *version_experiment(const struct dataset *d, const char *base, size_t version)
{
    struct experiment *e = dataset_find_base(d, base);
    while (e && e->version != version)
        e = e->next_of_base;
    return e;
}

/* An experiment that both versions have; NULL: they are of different programs. */
static const char *common_experiment(const struct dataset *x, size_t version_x,
                                     const struct dataset *y, size_t version_y)
{
    for (size_t i = 0; i < y->nexperiments; i++)
        if (y->experiments[i]->version == version_y &&
            version_experiment(x, y->experiments[i]->base, version_x))
            return y->experiments[i]->base;
    return NULL;
}

/* The version of `into` that the files of version `number` of `from` belong to; SIZE_MAX: a new one. */
static size_t match_one(struct arena *a, const struct dataset *into, const struct dataset *from,
                        size_t number)
{
    const struct data_version *v = &from->versions[number];
    const char *label = into->given_label ? into->given_label : v->given ? v->label : NULL;
    if (label)
        return version_find(into, label);
    for (size_t i = 0; i < into->nversions; i++)
        if (!*difference(a, &into->versions[i], v, common_experiment(into, i, from, number)))
            return i;
    return SIZE_MAX;
}

size_t *versions_match(const struct dataset *into, const struct dataset *from)
{
    struct arena *a = from->arena;
    size_t *match = arena_alloc(a, from->nversions + 1, sizeof *match), next = into->nversions;
    for (size_t i = 0; i < from->nversions; i++) {
        match[i] = match_one(a, into, from, i);
        for (size_t k = 0; k < i && !into->given_label && !from->versions[i].given; k++)
            if (match[k] == match[i] &&
                *version_difference(a, &from->versions[k], &from->versions[i]))
                match[i] = SIZE_MAX; /* that version has nothing to tell them apart by */
        if (match[i] == SIZE_MAX && into->given_label && next > into->nversions)
            match[i] = into->nversions; /* all of them get the one label */
        else if (match[i] == SIZE_MAX)
            match[i] = next++;
    }
    return match;
}

/* The first file of a version. */
static const char *file_of(const struct dataset *d, size_t version)
{
    for (size_t i = 0; i < d->nfiles; i++)
        if (d->files[i].version == version)
            return d->files[i].path;
    return "?";
}

/* The version whose files resemble those of `v` most is the one to compare it with: the last one. */
static void report_new(const struct dataset *into, const struct dataset *from, size_t v,
                       const char *label, struct diag *diag)
{
    const struct data_version *before = &into->versions[into->nversions - 1];
    const char *what = version_difference(from->arena, before, &from->versions[v]);
    const char *name = common_experiment(into, into->nversions - 1, from, v);
    if (*what && name)
        diag_warning(diag,
                     "%s and %s differ in %s: their samples are kept apart, as %s@%s and %s@%s; "
                     "'fit %s by version' fits each",
                     file_of(into, into->nversions - 1), file_of(from, v), what, name,
                     before->label, name, label, name);
}

/* The user's label puts files together that differ. */
static void report_mixed(const struct dataset *into, const struct dataset *from, size_t v,
                         size_t match, struct diag *diag)
{
    bool same_program = common_experiment(into, match, from, v);
    const char *what =
        difference(from->arena, &into->versions[match], &from->versions[v], same_program);
    if (*what)
        diag_warning(diag, "the files of version '%s' differ in %s: %s and %s",
                     into->versions[match].label, what, file_of(into, match), file_of(from, v));
}

void versions_add(struct dataset *into, const struct dataset *from, const size_t *match,
                  struct diag *diag)
{
    for (size_t i = 0; i < from->nversions; i++) {
        const struct data_version *v = &from->versions[i];
        const char *given = into->given_label ? into->given_label : v->given ? v->label : NULL;
        if (match[i] < into->nversions) {
            report_mixed(into, from, i, match[i], diag);
            continue;
        }
        const char *label = given ? arena_strdup(into->arena, given) : free_label(into, v->label);
        if (!given)
            report_new(into, from, i, label, diag);
        add_version(into, label, given != NULL);
    }
}

void versions_name(struct dataset *d)
{
    if (d->nversions < 2)
        return;
    for (size_t i = 0; i < d->nexperiments; i++) {
        struct experiment *e = d->experiments[i];
        bool several = dataset_find_base(d, e->base)->next_of_base;
        e->name = several ? arena_printf(d->arena, "%s@%s", e->base, d->versions[e->version].label)
                          : e->base;
    }
}
