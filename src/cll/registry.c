/* SPDX-License-Identifier: MIT */
/*
 * The experiments of this process. A descriptor registers at its first begin. Its contents are
 * copied into an arena, because the object that holds the descriptor may be unloaded. The same name
 * registered again is the same experiment if variables and formulas agree, apart from spaces. If
 * they do not, the run-time reports it and does not measure the second one.
 *
 * All functions run under the lock, except cll_known for an id that was given to a descriptor: the
 * table never moves.
 */
#include "cll/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

CLL_NOTE("libcll"); /* a program that is linked with libcll.a has it */

#define ARENA_BYTES  65536u
#define CLL_BUILD_ID 128u /* digits of a build-id that are kept, with the end of the text */

/* Names of a report, which may come before their experiments. */
struct named {
    const char *names;
    struct named *next;
};

/* A source that was translated: "HASH FILE". */
struct code {
    const char *text;
    struct code *next;
};

/* A forked child keeps it: the descriptors of the program hold the ids. The child describes the
   experiments again in its own spool (cll_registry_describe). */
static struct {
    struct cll_known *table; /* CLL_MAX_EXPERIMENTS + 1; id 0 is not used */
    unsigned count;
    char *arena;
    size_t arena_left;
    char compiler[64];
    char build_flags[4096];
    char build_id[CLL_BUILD_ID];
    int info_written; /* compiler, flags and build-id are in the spool */
    struct code *codes;

    enum { SELECT_NOTHING_SAID, SELECT_NAMED, SELECT_ALL } selection; /* of all reports so far */
    struct named *names;
    unsigned nselected; /* experiments that reports named */

    int said_counters, said_conflict, said_abi, said_room, said_unknown;
} registry;

static void *arena_take(size_t bytes)
{
    bytes = (bytes + 7) & ~(size_t)7;
    if (bytes > registry.arena_left) {
        size_t more = bytes > ARENA_BYTES ? bytes : ARENA_BYTES;
        char *pages = cll_pages_new(more);
        if (!pages)
            return NULL;
        registry.arena = pages;
        registry.arena_left = more;
    }
    void *taken = registry.arena;
    registry.arena += bytes;
    registry.arena_left -= bytes;
    return taken;
}

static const char *arena_text(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = arena_take(bytes);
    return copy ? memcpy(copy, text, bytes) : NULL;
}

int cll_registry_start(void)
{
    if (!registry.table)
        registry.table = cll_pages_new((CLL_MAX_EXPERIMENTS + 1) * sizeof *registry.table);
    return registry.table != NULL;
}

const struct cll_known *cll_known(unsigned id)
{
    return &registry.table[id];
}

unsigned cll_known_count(void)
{
    return registry.count;
}

/* Equal but for spaces. */
static int same_text(const char *a, const char *b)
{
    for (;; a++, b++) {
        a += strspn(a, " \t");
        b += strspn(b, " \t");
        if (*a != *b)
            return 0;
        if (!*a)
            return 1;
    }
}

static int same_experiment(const struct cll_known *known, const struct cll_experiment *e)
{
    char names[CLL_MAX_VARIABLES][CLL_VARIABLE_NAME];
    if (known->nvars != e->nvars)
        return 0;
    cll_variable_names(e, names);
    for (unsigned i = 0; i < e->nvars; i++)
        if (strcmp(known->vars[i], names[i]))
            return 0;
    unsigned n = 0;
    for (; e->formulas && e->formulas[n].observable; n++)
        if (n >= known->given || strcmp(known->formulas[n].observable, e->formulas[n].observable) ||
            !same_text(known->formulas[n].formula, e->formulas[n].formula))
            return 0;
    return n == known->given;
}

static unsigned measures_device(const struct cll_experiment *e)
{
    return e->flags & CLL_DEVICE && !cll_settings.counters && !cll_settings.no_device && !SIMULATED;
}

/* An experiment in a sequential source, and one of the same name in a parallel source, or in one of a
   device, have records of different layouts, and therefore two ids. */
static unsigned find(const struct cll_experiment *e)
{
    for (unsigned id = 1; id <= registry.count; id++)
        if (!strcmp(registry.table[id].name, e->name) &&
            registry.table[id].processors == (e->flags & CLL_PROCESSORS) &&
            registry.table[id].device == measures_device(e))
            return id;
    return 0;
}

/* ---- into the spool */

static char *put_text(char *at, const char *text)
{
    size_t bytes = strlen(text) + 1;
    memcpy(at, text, bytes);
    return at + bytes;
}

static const char *extra_name(const struct cll_known *known, unsigned i)
{
    if (known->cputime && !i)
        return "CPUTIME";
    return known->device ? cll_work_names[i - known->cputime] : cll_counter_name(known->counter[i]);
}

static void describe_experiment(unsigned id)
{
    const struct cll_known *known = &registry.table[id];
    struct spool_experiment head = {known->nvars, known->nformulas, known->nextra,
                                    known->processors ? SPOOL_PROCESSORS : 0};
    size_t bytes = sizeof head + strlen(known->name) + 1;
    for (unsigned i = 0; i < known->nvars; i++)
        bytes += strlen(known->vars[i]) + 1;
    for (unsigned i = 0; i < known->nformulas; i++)
        bytes += strlen(known->formulas[i].observable) + strlen(known->formulas[i].formula) + 2;
    for (unsigned i = 0; i < known->nextra; i++)
        bytes += strlen(extra_name(known, i)) + 1;
    struct spool_entry *entry = cll_entry_new(SEGMENT_META, ENTRY_EXPERIMENT, id, bytes);
    if (!entry)
        return;
    memcpy(entry + 1, &head, sizeof head);
    char *at = put_text((char *)(entry + 1) + sizeof head, known->name);
    for (unsigned i = 0; i < known->nvars; i++)
        at = put_text(at, known->vars[i]);
    for (unsigned i = 0; i < known->nformulas; i++)
        at = put_text(put_text(at, known->formulas[i].observable), known->formulas[i].formula);
    for (unsigned i = 0; i < known->nextra; i++)
        at = put_text(at, extra_name(known, i));
    cll_entry_done(entry);
}

static void describe_site(unsigned id, const struct cll_known_site *site)
{
    uint32_t lines[2] = {(uint32_t)site->begin_line, (uint32_t)site->end_line};
    struct spool_entry *entry =
        cll_entry_new(SEGMENT_META, ENTRY_SITE, id, sizeof lines + strlen(site->file) + 1);
    if (!entry)
        return;
    memcpy(entry + 1, lines, sizeof lines);
    put_text((char *)(entry + 1) + sizeof lines, site->file);
    cll_entry_done(entry);
}

static void describe_select(unsigned id)
{
    struct spool_entry *entry = cll_entry_new(SEGMENT_META, ENTRY_SELECT, id, 0);
    if (entry)
        cll_entry_done(entry);
}

static void describe_watched(unsigned id)
{
    struct spool_entry *entry = cll_entry_new(SEGMENT_META, ENTRY_WATCHED, id, 0);
    if (entry)
        cll_entry_done(entry);
}

void cll_registry_watched(unsigned id)
{
    struct cll_hold hold;
    if (!cll_hold(&hold, -1))
        return; /* the next watched execution says it */
    if (!registry.table[id].watched && cll_measuring()) {
        __atomic_store_n(&registry.table[id].watched, 1, __ATOMIC_RELAXED);
        describe_watched(id);
    }
    cll_release(&hold);
}

void cll_registry_restart(void)
{
    for (unsigned id = 1; id <= registry.count; id++)
        registry.table[id].watched = 0;
}

static void describe_build(void)
{
    if (registry.info_written || !registry.compiler[0] || !cll_spool_header())
        return;
    cll_info("compiler: %s", registry.compiler);
    cll_info("flags: %s", registry.build_flags);
    if (registry.build_id[0])
        cll_info("build: %s", registry.build_id);
    registry.info_written = 1;
}

/* If no experiment has any of the names, the file gets all experiments until one of them appears,
   instead of none. */
static void mark_selection(void)
{
    if (cll_spool_header())
        cll_spool_header()->select = registry.selection == SELECT_NAMED && registry.nselected;
}

void cll_registry_describe(void)
{
    registry.info_written = 0;
    describe_build();
    for (const struct code *code = registry.codes; code; code = code->next)
        cll_info("code: %s", code->text);
    for (unsigned id = 1; id <= registry.count; id++) {
        describe_experiment(id);
        for (const struct cll_known_site *site = registry.table[id].sites; site; site = site->next)
            describe_site(id, site);
        if (registry.table[id].selected)
            describe_select(id);
        if (registry.table[id].watched)
            describe_watched(id);
    }
    mark_selection();
}

/* ---- what reports name */

static int is_named(const char *list, const char *name, size_t wanted)
{
    while (*list) {
        list += strspn(list, ", ");
        size_t length = strcspn(list, ", ");
        if (length == wanted && !memcmp(list, name, length))
            return 1;
        list += length;
    }
    return 0;
}

static void select_known(unsigned id, const char *list)
{
    if (registry.table[id].selected ||
        !is_named(list, registry.table[id].name, strlen(registry.table[id].name)))
        return;
    registry.table[id].selected = 1;
    registry.nselected++;
    if (cll_spool_header())
        describe_select(id);
    mark_selection();
}

/* Adds ", text" if there is room for it and for what may follow; 0: there is not. */
static int append(char *line, size_t size, const char *text, size_t length)
{
    size_t used = strlen(line);
    if (used + length + 32 > size)
        return 0;
    snprintf(line + used, size - used, "%s%.*s", used ? ", " : "", (int)length, text);
    return 1;
}

static void list_known(char *line, size_t size)
{
    for (unsigned id = 1; id <= registry.count; id++) {
        if (!append(line, size, registry.table[id].name, strlen(registry.table[id].name))) {
            size_t used = strlen(line);
            snprintf(line + used, size - used, "%sand %u more", used ? " " : "",
                     registry.count - id + 1);
            return;
        }
    }
}

static int is_known(const char *name, size_t length)
{
    for (unsigned id = 1; id <= registry.count; id++)
        if (strlen(registry.table[id].name) == length &&
            !memcmp(registry.table[id].name, name, length))
            return 1;
    return 0;
}

void cll_registry_complain(int at_end)
{
    char unknown[512] = "", known[1024] = "";
    if (registry.said_unknown || registry.selection != SELECT_NAMED ||
        (registry.nselected && !at_end))
        return;
    for (const struct named *list = registry.names; list; list = list->next) {
        const char *at = list->names + strspn(list->names, ", ");
        for (size_t length; *at; at += length, at += strspn(at, ", ")) {
            length = strcspn(at, ", ");
            if (!is_known(at, length) && !is_named(unknown, at, length))
                append(unknown, sizeof unknown, at, length);
        }
    }
    if (!*unknown)
        return;
    list_known(known, sizeof known);
    cll_say(
        "a report names %s, but no experiment of that name was measured; the experiments are: %s%s",
        unknown, known, registry.nselected ? "" : "; all are written");
    registry.said_unknown = 1;
}

/* ---- registering */

static void add_sites(unsigned id, const struct cll_site *sites)
{
    for (; sites && sites->file; sites++) {
        struct cll_known_site **at = &registry.table[id].sites;
        while (*at && !((*at)->begin_line == sites->begin_line &&
                        (*at)->end_line == sites->end_line && !strcmp((*at)->file, sites->file)))
            at = &(*at)->next;
        struct cll_known_site *site = *at ? NULL : arena_take(sizeof *site);
        const char *file = site ? arena_text(sites->file) : NULL;
        if (!file)
            continue;
        site->file = file;
        site->begin_line = sites->begin_line;
        site->end_line = sites->end_line;
        site->next = NULL;
        *at = site;
        if (cll_spool_header())
            describe_site(id, site);
    }
}

static int is_work(const char *observable)
{
    for (unsigned i = 0; i < CLL_WORK_VALUES; i++)
        if (!strcmp(observable, cll_work_names[i]))
            return 1;
    return 0;
}

/* Which observables of the experiment this run measures beside the clock. */
static void choose_observables(struct cll_known *known)
{
    const struct cll_settings *s = &cll_settings;
    for (unsigned i = 0; i < known->nformulas; i++) {
        const char *observable = known->formulas[i].observable;
        if (!strcmp(observable, "CLOCK") || !strcmp(observable, "SELF"))
            continue; /* llac computes SELF from the clock */
        if (SIMULATED) {
            cll_counters_absent(observable, "a simulated program has only its simulated clock");
            continue;
        }
        if (!strcmp(observable, "CPUTIME")) {
            known->cputime = !s->counters;
            continue;
        }
        if (is_work(observable)) {
            if (!known->device)
                cll_counters_absent(observable,
                                    s->counters    ? "a run without CLL_COUNTERS measures it"
                                    : s->no_device ? "CLL_DEVICE is off"
                                                   : "this source is not one of CUDA or OpenCL; "
                                                     "#pragma cll parallel CUDA or OPENCL says so");
            continue;
        }
        if (s->counters == 1) {
            int index = cll_counter_index(observable);
            if (index >= 0)
                known->counter[known->ncounters++] = (unsigned char)index;
        } else if (!s->counters) {
            cll_counters_absent(observable, "CLL_COUNTERS=1 measures it, in a run of its own");
            if (!registry.said_counters)
                cll_say("%s of %s is a counter: CLL_COUNTERS=1 measures counters, in a run of "
                        "their own; this run measures time",
                        observable, known->name);
            registry.said_counters = 1;
        }
    }
    if (s->counters == 2) {
        for (unsigned i = 0; i < cll_counter_count(); i++)
            known->counter[known->ncounters++] = (unsigned char)i;
    }
    known->nextra = known->ncounters + known->cputime + (known->device ? CLL_WORK_VALUES : 0);
}

/* CLL_OBSERVE asks for CPU time: an experiment that does not name it gets it, with the formula of
   CLOCK. There is room for one more formula. */
static void add_cputime(struct cll_known *known, struct cll_formula *formulas)
{
    const char *formula = "";
    for (unsigned i = 0; i < known->nformulas; i++) {
        if (!strcmp(formulas[i].observable, "CPUTIME"))
            return;
        if (!strcmp(formulas[i].observable, "CLOCK"))
            formula = formulas[i].formula;
    }
    formulas[known->nformulas++] = (struct cll_formula){"CPUTIME", formula};
}

/* A new experiment; 0 when there is no room. */
static unsigned add(const struct cll_experiment *e)
{
    unsigned id = registry.count + 1;
    struct cll_known *known = &registry.table[id];
    unsigned nformulas = 0;
    while (e->formulas && e->formulas[nformulas].observable)
        nformulas++;
    const char **vars = arena_take((e->nvars + 1) * sizeof *vars), *name = arena_text(e->name);
    struct cll_formula *formulas = arena_take((nformulas + 2) * sizeof *formulas);
    if (!vars || !formulas || !name)
        return 0;
    char names[CLL_MAX_VARIABLES][CLL_VARIABLE_NAME];
    cll_variable_names(e, names);
    memset(known, 0, sizeof *known);
    known->name = name;
    known->nvars = e->nvars;
    known->processors = e->flags & CLL_PROCESSORS;
    known->device = measures_device(e);
    known->nformulas = known->given = nformulas;
    known->vars = vars;
    known->formulas = formulas;
    for (unsigned i = 0; i < e->nvars; i++)
        if (!(vars[i] = arena_text(names[i])))
            return 0;
    for (unsigned i = 0; i < nformulas; i++) {
        formulas[i].observable = arena_text(e->formulas[i].observable);
        formulas[i].formula = arena_text(e->formulas[i].formula);
        if (!formulas[i].observable || !formulas[i].formula)
            return 0;
    }
    if (cll_settings.cputime)
        add_cputime(known, formulas);
    choose_observables(known);
    registry.count = id;
    if (cll_spool_header())
        describe_experiment(id);
    add_sites(id, e->sites);
    for (const struct named *list = registry.names; list; list = list->next)
        select_known(id, list->names);
    return id;
}

static void say_not_measured(const struct cll_experiment *e, const char *why)
{
    if (!registry.said_room)
        cll_say("%s: %s is not measured", why, e->name);
    registry.said_room = 1;
}

static unsigned add_or_say(const struct cll_experiment *e)
{
    unsigned id = add(e);
    if (!id)
        say_not_measured(e, "no memory for another experiment");
    return id;
}

static unsigned merge(unsigned id, const struct cll_experiment *e)
{
    const struct cll_known *known = &registry.table[id];
    if (same_experiment(known, e)) {
        add_sites(id, e->sites);
        return id;
    }
    if (!registry.said_conflict) {
        const struct cll_known_site *first = known->sites;
        int second = e->sites && e->sites->file;
        cll_say("%s has one formula at %s:%d and another at %s:%d: the second one is not measured; "
                "give it another name",
                known->name, first ? first->file : "?", first ? first->begin_line : 0,
                second ? e->sites->file : "?", second ? e->sites->begin_line : 0);
    }
    registry.said_conflict = 1;
    return 0;
}

static void note_build(const struct cll_experiment *e)
{
    if (!registry.compiler[0]) {
        strncpy(registry.compiler, e->compiler, sizeof registry.compiler - 1);
        strncpy(registry.build_flags, e->build_flags, sizeof registry.build_flags - 1);
        cll_build_id(e, registry.build_id, sizeof registry.build_id);
        describe_build();
    }
}

/* Each source once. */
static void note_code(const struct cll_experiment *e)
{
    if (!(e->flags & CLL_HAS_CODE) || !e->code[0])
        return;
    struct code **at = &registry.codes;
    while (*at && strcmp((*at)->text, e->code) != 0)
        at = &(*at)->next;
    struct code *code = *at ? NULL : arena_take(sizeof *code);
    const char *text = code ? arena_text(e->code) : NULL;
    if (!text)
        return;
    code->text = text;
    code->next = NULL;
    *at = code;
    if (cll_spool_header())
        cll_info("code: %s", text);
}

void cll_register(struct cll_experiment *e)
{
    unsigned id = 0;
    if (e->abi != CLL_ABI || e->nvars > CLL_MAX_VARIABLES) {
        if (!registry.said_abi)
            cll_say(
                "%s was built with a cll.h of another version: it is not measured; build it again",
                e->abi == CLL_ABI ? e->name : "an experiment");
        registry.said_abi = 1;
    } else if (registry.count < CLL_SCRATCH_ID - 1) {
        note_build(e);
        note_code(e);
        if (e->flags & CLL_OPENMP)
            cll_driver_openmp();
        id = find(e);
        id = id ? merge(id, e) : add_or_say(e);
    } else {
        say_not_measured(e, "there are too many experiments");
    }
    int slow = !id || registry.table[id].nextra || cll_settings.counters || !cll_clock_is_counter();
    __atomic_store_n(&e->id, slow ? ID_SLOW | id : id, __ATOMIC_RELEASE);
}

void cll_registry_select(const char *names)
{
    if (!names || !names[strspn(names, ", ")]) {
        registry.selection = SELECT_ALL;
    } else if (registry.selection != SELECT_ALL) {
        registry.selection = SELECT_NAMED;
        struct named *list = arena_take(sizeof *list);
        if (list && (list->names = arena_text(names))) {
            list->next = registry.names;
            registry.names = list;
        }
        for (unsigned id = 1; id <= registry.count; id++)
            select_known(id, names);
    }
    mark_selection();
}
