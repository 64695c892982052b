/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules about regions, and the decision what becomes of each pragma.
 *
 * A region gets braces unless its top level declares something that is used after it, or that may
 * be reached after it through a pointer (an array, or `&name` inside the region): then its variable
 * lives to the end of the block around it, and jumps over its begin, or from it past its end, are
 * errors. In C++ every declaration does that: a reference may refer to the object, and its destructor
 * must run where it runs in the plain program.
 */
#include <string.h>

#include "translate/structure.h"

struct checker {
    struct unit *unit;
    const struct stream *s;
    const struct structure *t;
    struct diag *diag;
    struct uses *uses;
    size_t *computed; /* the computed gotos */
    size_t ncomputed;
};

static struct pragma *pragma_of(const struct checker *k, size_t item)
{
    return stream_pragma(k->unit, k->s, item);
}

static const struct source *source_of(const struct checker *k, size_t item)
{
    return k->unit->inputs[k->s->list[item].input].source;
}

/* A message about an item; about the region's start if the item is not in a text of the user's. */
#define COMPLAIN(k, item, r, ...)                                                                  \
    do {                                                                                           \
        const struct source *source_;                                                              \
        struct span span_;                                                                         \
        if (!stream_item_position((k)->unit, (k)->s, (item), &source_, &span_))                    \
            stream_item_position((k)->unit, (k)->s, (r)->begin, &source_, &span_);                 \
        diag_add((k)->diag, SEVERITY_ERROR, source_, span_, __VA_ARGS__);                          \
    } while (0)

static const char *region_name(const struct checker *k, const struct region *r)
{
    return r->is_for ? "for" : pragma_of(k, r->begin)->name;
}

static unsigned region_line(const struct checker *k, const struct region *r)
{
    return pragma_of(k, r->begin)->first_line;
}

/* ---- jumps ---- */

static bool inside(size_t item, size_t begin, size_t end)
{
    return item > begin && item < end;
}

/* Computed gotos do not end the regions they leave. A loop has nothing to end. */
static void check_computed_out(struct checker *k, const struct region *r, size_t low, size_t high)
{
    for (size_t i = low; i < high && !r->is_for; i++)
        COMPLAIN(k, k->computed[i], r,
                 "a computed goto inside the region '%s' (line %u) would leave it without ending "
                 "its sample",
                 region_name(k, r), region_line(k, r));
}

/* And they begin none: neither a region nor a sweep, which must know where it is. */
static void check_computed(struct checker *k, const struct region *r)
{
    const struct structure *t = k->t;
    size_t low = uses_count_to(k->computed, k->ncomputed, sizeof *k->computed, r->begin);
    size_t high = uses_count_to(k->computed, k->ncomputed, sizeof *k->computed, r->end);
    check_computed_out(k, r, low, high);
    if ((low == 0 && high == k->ncomputed) || (r->is_for && !pragma_of(k, r->begin)->sweep))
        return;
    size_t l = uses_count_to(t->labels, t->nlabels, sizeof *t->labels, r->begin);
    for (; l < t->nlabels && t->labels[l].item < r->end; l++)
        if (t->labels[l].function == r->function &&
            uses_behind(k->uses, t->labels[l].name, PUNCT_AND_AND, 0, k->s->n))
            break;
    for (size_t i = 0; l < t->nlabels && t->labels[l].item < r->end && i < t->njumps; i++) {
        const struct jump *j = &t->jumps[i];
        if (j->name || j->function != r->function || inside(j->item, r->begin, r->end))
            continue;
        COMPLAIN(k, j->item, r,
                 "this computed goto can jump into the region '%s' (line %u), past its start",
                 region_name(k, r), region_line(k, r));
    }
}

/* gcc does not end a region that an asm goto leaves, and clang refuses it. The item of such a jump is the
 * label in the asm, not the word goto. */
static void check_asm_out(struct checker *k, const struct region *r)
{
    const struct leap *leaps;
    size_t n = r->is_for ? 0 : uses_leaps_from(k->uses, r->begin, r->end, &leaps);
    for (size_t i = 0; i < n; i++)
        if (k->s->list[leaps[i].from].id != WORD_GOTO && !inside(leaps[i].to, r->begin, r->end))
            COMPLAIN(k, leaps[i].from, r,
                     "this asm goto can leave the region '%s' (line %u) without ending its sample; "
                     "jump to a label inside the region, and from there by goto",
                     region_name(k, r), region_line(k, r));
}

/* Jumps and case labels into the region, and jumps out of it that do not end it. */
static void check_jumps(struct checker *k, const struct region *r)
{
    const struct structure *t = k->t;
    const struct leap *leaps;
    size_t n = uses_leaps_to(k->uses, r->begin, r->end, &leaps);
    for (size_t i = 0; i < n; i++)
        if (!inside(leaps[i].from, r->begin, r->end))
            COMPLAIN(k, leaps[i].from, r,
                     "this goto jumps into the region '%s' (line %u), past its start; move the "
                     "label out of the region",
                     region_name(k, r), region_line(k, r));
    check_computed(k, r);
    check_asm_out(k, r);
    size_t c = uses_count_to(t->cases, t->ncases, sizeof *t->cases, r->begin);
    for (; c < t->ncases && t->cases[c].item < r->end; c++)
        if (t->cases[c].switch_item < r->begin)
            COMPLAIN(k, t->cases[c].item, r,
                     "this label belongs to a switch outside of the region '%s' (line %u): the "
                     "switch would jump past "
                     "the region's start; give each case a region of its own, or measure the whole "
                     "switch",
                     region_name(k, r), region_line(k, r));
}

/* ---- braces ---- */

enum need { NEED_NOTHING, NEED_LIFE, NEED_OBJECT, NEED_NAME };

/* What the declarations of the region's top level need after it: nothing, that their objects live
 * on, that they live on because they may have destructors, or that their names are known. */
static enum need needs_after(struct checker *k, const struct region *r, uint32_t *name)
{
    enum need need = NEED_NOTHING;
    const struct structure *t = k->t;
    size_t block_end = t->blocks[r->block].end;
    size_t i = uses_count_to(t->declarations, t->ndeclarations, sizeof *t->declarations, r->begin);
    for (; i < t->ndeclarations && t->declarations[i].item < r->end; i++) {
        const struct declaration *d = &t->declarations[i];
        if (d->block != r->block)
            continue;
        if (uses_between(k->uses, d->name, r->end, block_end)) {
            *name = d->name;
            return NEED_NAME;
        }
        if (d->life == DECLARE_OBJECT && need < NEED_OBJECT) {
            need = NEED_OBJECT;
            *name = d->name;
        } else if (need < NEED_LIFE &&
                   (k->unit->language == LANGUAGE_CXX || d->life == DECLARE_ARRAY ||
                    uses_behind(k->uses, d->name, '&', r->begin, r->end))) {
            need = NEED_LIFE;
        }
    }
    return need;
}

/* What forbids a region without braces: a part of the message, and the item. NULL: nothing does. */
static const char *obstacle(const struct checker *k, const struct region *r, size_t *item)
{
    const struct block *b = &k->t->blocks[r->block];
    *item = r->begin;
    if (b->is_switch)
        return "the region is directly in the body of a switch, whose cases jump past its "
               "start";
    const struct leap *over = uses_leap_into(k->uses, r->begin, b->end), *leaps;
    if (over) {
        *item = over->from;
        return "this goto jumps over the region's start";
    }
    size_t n = uses_leaps_from(k->uses, r->begin, r->end, &leaps);
    for (size_t i = 0; i < n; i++)
        if (inside(leaps[i].to, r->end, b->end)) {
            *item = leaps[i].from;
            return "this goto jumps from the region past its end";
        }
    return NULL;
}

static bool decide_braces(struct checker *k, const struct region *r)
{
    uint32_t name = 0;
    size_t item;
    if (r->single)
        return true;
    enum need need = needs_after(k, r, &name);
    if (need == NEED_NOTHING)
        return true;
    const char *text = names_text(k->unit->names, name);
    if (r->is_for) {
        if (need == NEED_NAME)
            COMPLAIN(k, r->begin, r,
                     "'%s' is declared inside this 'cll for' and used after it; declare it before "
                     "the loop",
                     text);
        return true;
    }
    const char *why = obstacle(k, r, &item);
    if (!why)
        return false;
    if (need == NEED_OBJECT)
        COMPLAIN(k, item, r,
                 "the region '%s' (line %u) declares '%s', whose destructor must not run at the "
                 "region's end, but %s; declare '%s' before the region, or put braces inside the "
                 "region around its statements",
                 region_name(k, r), region_line(k, r), text, why, text);
    if (need == NEED_NAME)
        COMPLAIN(k, item, r,
                 "the region '%s' (line %u) declares '%s', which is used after it, but %s; declare "
                 "'%s' before the "
                 "region",
                 region_name(k, r), region_line(k, r), text, why, text);
    return true;
}

/* ---- OpenMP's default(none) ---- */

static bool word_in(const char *s, const char *end, const char *word)
{
    size_t n = strlen(word);
    for (const char *p = s; p + n <= end; p++)
        if (!memcmp(p, word, n) && (p == s || !pragma_is_name_byte(p[-1])) &&
            (p + n == end || !pragma_is_name_byte(p[n])))
            return true;
    return false;
}

static void check_closed_scopes(struct checker *k, const struct region *r)
{
    const struct pragma *g = pragma_of(k, r->begin);
    for (uint32_t scope = r->scope; scope; scope = k->t->scopes[scope - 1].outer) {
        const struct closed_scope *c = &k->t->scopes[scope - 1];
        const struct item *d = &k->s->list[c->directive];
        for (size_t v = 0; v < g->nvariables; v++) {
            const char *base = g->variables[v].base;
            if (!base || base[strcspn(base, ".>:[")] ||
                word_in(k->s->text + d->begin, k->s->text + d->end, base))
                continue;
            if (!uses_declared(k->uses, names_number(k->unit->names, base, strlen(base)),
                               c->directive, r->begin))
                diag_add(k->diag, SEVERITY_WARNING, source_of(k, r->begin), g->variables[v].span,
                         "the OpenMP directive in line %u has default(none) and does not list "
                         "'%s', which the region "
                         "reads here; add shared(%s)",
                         d->line, base, base);
        }
    }
}

/* ---- functions of C++ ---- */

static void check_function(struct checker *k, const struct region *r)
{
    const struct structure *t = k->t;
    bool on_device = r->constant && r->constant[0] == '_';
    if (on_device)
        COMPLAIN(
            k, r->begin, r,
            "%s is in a function that is '%s', and code of a device cannot be measured from inside; put "
            "the region around the launch, where DEVICE is the time of the kernel",
            r->is_for ? "this loop"
                      : arena_printf(k->unit->arena, "the region '%s'", region_name(k, r)),
            r->constant);
    else if (r->constant && !r->is_for)
        COMPLAIN(k, r->begin, r,
                 "the region '%s' is in a function that is '%s', and what the compiler executes "
                 "cannot be measured; put the region around the call, or remove '%s'",
                 region_name(k, r), r->constant, r->constant);
    size_t i = uses_count_to(t->suspensions, t->nsuspensions, sizeof *t->suspensions, r->begin);
    for (; i < t->nsuspensions && t->suspensions[i].item < r->end && !r->is_for; i++)
        if (t->suspensions[i].function == r->function)
            COMPLAIN(k, t->suspensions[i].item, r,
                     "the coroutine can be suspended here, inside the region '%s' (line %u), and "
                     "another thread may resume it; end the region before this statement",
                     region_name(k, r), region_line(k, r));
}

/* ---- parallel programs ---- */

void check_sync(const struct unit *u, const struct pragma *p, bool in_team, const char *no_barrier,
                struct diag *diag)
{
    const struct source *source = u->inputs[p->input].source;
    bool has_machine = p->machine.begin < p->machine.end;
    if (!p->sync)
        return;
    if (has_machine && u->openmp && !u->processes)
        diag_add(
            diag, SEVERITY_ERROR, source, p->machine,
            "OpenMP programs have no machines to choose from; write 'sync' alone for a barrier of the team");
    else if (has_machine && u->processes && in_team)
        diag_add(diag, SEVERITY_ERROR, source, p->machine,
                 "'sync(MACHINE)' inside an OpenMP parallel construct: every thread of every "
                 "process would take part; put the region around the construct, or write 'sync' "
                 "for a barrier of the team");
    else if (u->openmp && no_barrier)
        diag_add(
            diag, SEVERITY_ERROR, source, p->sync_word,
            "'sync' is not possible inside '%s %s': OpenMP allows no barrier there; put the region around the construct",
            u->language == LANGUAGE_FORTRAN ? "!$omp" : "#pragma omp", no_barrier);
}

/* The text of the clause num_threads(...) of a directive; NULL without one. */
static const char *num_threads(const struct checker *k, size_t directive)
{
    const struct item *d = &k->s->list[directive];
    const char *s = k->s->text + d->begin, *end = k->s->text + d->end;
    static const char clause[] = "num_threads";
    for (; s + sizeof clause < end && memcmp(s, clause, sizeof clause - 1);)
        s++;
    s += sizeof clause - 1;
    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    if (s >= end || *s != '(')
        return NULL;
    const char *open = ++s;
    for (int depth = 1; s < end; s++) {
        depth += (*s == '(') - (*s == ')');
        if (!depth)
            return arena_strndup(k->unit->arena, open, (size_t)(s - open));
    }
    return NULL;
}

/* Can the expression also be evaluated at the region's start: is it arithmetic on names that are
 * known there? */
static bool is_known_before(struct checker *k, const struct region *r, size_t directive,
                            const char *text)
{
    for (const char *s = text; *s;) {
        size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
        bool call = s[n] == '(' && n && strncmp(s, "omp_get_", 8);
        if (call || (!n && !strchr(" \t+-*/%()?:<>", *s)) || !strncmp(s, "++", 2) ||
            !strncmp(s, "--", 2))
            return false;
        if (n && uses_declared(k->uses, names_number(k->unit->names, s, n), r->begin, directive))
            return false;
        s += n ? n : 1;
    }
    return true;
}

/* A region around a parallel construct counts the threads of that construct. */
static void find_team(struct checker *k, const struct region *r, struct pragma *begin)
{
    const struct structure *t = k->t;
    size_t i = uses_count_to(t->teams, t->nteams, sizeof *t->teams, r->begin);
    if (i == t->nteams || t->teams[i] > r->end)
        return;
    size_t directive = t->teams[i];
    const char *text = num_threads(k, directive);
    begin->around_team = true;
    if (text && is_known_before(k, r, directive, text))
        begin->threads = text;
    else if (text)
        diag_add(
            k->diag, SEVERITY_WARNING, source_of(k, r->begin), begin->word,
            "this region records omp_get_max_threads() as its number of threads: num_threads(%s) in line %u cannot be computed before the region",
            text, k->s->list[directive].line);
}

static void check_reports(struct checker *k)
{
    for (size_t i = 0; k->unit->processes && i < k->t->nteam_reports; i++) {
        const struct pragma *g = pragma_of(k, k->t->team_reports[i]);
        diag_add(k->diag, SEVERITY_ERROR, source_of(k, k->t->team_reports[i]), g->word,
                 "'report' inside an OpenMP parallel construct: every thread would gather the "
                 "samples of all processes; put it after the construct");
    }
}

/* ---- sweeps ---- */

/* Links the loops of a file: what is around each, and which contain one with shuffle. A loop whose
 * surroundings depend on the preprocessor, or that OpenMP's default(none) separates from the loop
 * around it, does without. */
static void link_sweeps(struct checker *k)
{
    const struct region *regions = k->t->regions;
    size_t *open = arena_alloc(k->unit->scratch, k->t->nregions + 1, sizeof *open), n = 0;
    for (size_t i = 0; i < k->t->nregions; i++) {
        const struct region *r = &regions[i];
        if (!r->is_for || !r->closed || r->excused)
            continue;
        while (n && regions[open[n - 1]].end < r->begin)
            n--;
        struct pragma *p = pragma_of(k, r->begin);
        const struct region *around = n ? &regions[open[n - 1]] : NULL;
        bool visible = around && around->scope == r->scope &&
                       k->s->list[around->begin].input == k->s->list[r->begin].input;
        visible = visible && (k->unit->language == LANGUAGE_C || around->function == r->function);
        size_t outer = visible ? 1 + k->s->list[around->begin].pragma : 0;
        p->unclear |= p->action != ACTION_LEAVE && p->outer != outer;
        p->outer = outer;
        open[n++] = i;
        for (size_t o = 0; p->shuffle && o < n; o++)
            pragma_of(k, regions[open[o]].begin)->sweep = true;
    }
}

/* The preprocessor may choose between two begins of a loop, or two ends. All of them must be sweeps,
 * or none: a sweep has more braces. False after a complaint. */
static bool check_alternative(struct checker *k, const struct region *r, struct pragma *begin,
                              const struct pragma *end)
{
    struct pragma *pragmas = k->unit->inputs[k->s->list[r->begin].input].pragmas;
    if (begin->action != ACTION_LEAVE && &pragmas[begin->partner] != end)
        begin->unclear = true;
    if (end->action == ACTION_LEAVE || &pragmas[end->partner] == begin)
        return true;
    begin->unclear = pragmas[end->partner].unclear = true;
    if (pragmas[end->partner].sweep == begin->sweep)
        return true;
    COMPLAIN(k, r->begin, r,
             "two loops end in line %u, and only one of them has 'shuffle'; both must have it, or "
             "none",
             end->first_line);
    return false;
}

/* ---- ends that are never reached ---- */

static bool is_bracket(const struct item *i, const char *brackets)
{
    return i->kind == ITEM_PUNCTUATOR && i->id < 128 && i->id && strchr(brackets, (int)i->id);
}

/* Do both belong to the same branches? No directive is between the lines. */
static bool same_branch(const struct input *in, unsigned from, unsigned to)
{
    for (unsigned line = from; line < to && line < in->nlines; line++) {
        const char *s = in->text + in->lines[line];
        while (*s == ' ' || *s == '\t')
            s++;
        if (*s == '#' && line + 1 < to)
            return false;
    }
    return true;
}

/* Is the statement right before the item a return or a throw, and not that of an if or a loop? Goes back
 * over brackets to the word. */
static bool is_after_return(const struct checker *k, size_t item)
{
    const struct item *list = k->s->list;
    size_t depth = 0;
    if (!item || !is_bracket(&list[item - 1], ";") || list[item - 1].input != list[item].input ||
        !same_branch(&k->unit->inputs[list[item].input], list[item - 1].line,
                     pragma_of(k, item)->first_line))
        return false;
    for (size_t i = item - 1; i-- > 0;) {
        if (is_bracket(&list[i], ")]}"))
            depth++;
        else if (is_bracket(&list[i], "([{") && !depth--)
            return false;
        else if (!depth && (is_bracket(&list[i], ";") || list[i].kind == ITEM_CLL))
            return false;
        else if (!depth && list[i].kind == ITEM_NAME &&
                 (list[i].id == WORD_RETURN ||
                  (k->unit->language == LANGUAGE_CXX && list[i].id == WORD_THROW)))
            return i && (is_bracket(&list[i - 1], ";{}") || list[i - 1].kind == ITEM_CLL);
    }
    return false;
}

/* ---- all regions ---- */

static void settle(struct checker *k, const struct region *r)
{
    struct pragma *begin = pragma_of(k, r->begin), *end = pragma_of(k, r->end);
    if (k->s->list[r->begin].input != k->s->list[r->end].input) {
        COMPLAIN(k, r->begin, r, "the region '%s' begins here and ends in another file",
                 region_name(k, r));
        return;
    }
    if (r->is_for && !check_alternative(k, r, begin, end))
        return;
    check_jumps(k, r);
    check_function(k, r);
    check_closed_scopes(k, r);
    late_check(k->unit, k->s, k->t, k->uses, r, k->diag);
    if (!r->is_for)
        check_sync(k->unit, begin, r->in_team, r->no_barrier, k->diag);
    bool known = begin->action != ACTION_LEAVE;
    if (!known) {
        begin->braces = decide_braces(k, r);
        begin->action = r->is_for ? ACTION_FOR : ACTION_BEGIN;
        begin->after_label = r->after_label;
        begin->partner = k->s->list[r->end].pragma;
        begin->region = ++k->unit->nregions;
        if (k->unit->openmp && !r->is_for)
            find_team(k, r, begin);
    }
    if (end->action == ACTION_LEAVE) {
        end->action = r->is_for ? ACTION_END_FOR : ACTION_END;
        end->braces = begin->braces;
        end->after_label = r->end_after_label;
        end->after_return = is_after_return(k, r->end);
        end->region = begin->region;
        end->partner = k->s->list[r->begin].pragma;
    }
}

void check_structure(struct unit *u, const struct stream *s, const struct structure *t,
                     struct diag *diag)
{
    struct checker k = {.unit = u, .s = s, .t = t, .diag = diag, .uses = uses_create(u, s, t)};
    k.computed = arena_alloc(u->scratch, t->njumps + 1, sizeof *k.computed);
    for (size_t i = 0; i < t->njumps; i++)
        if (!t->jumps[i].name)
            k.computed[k.ncomputed++] = t->jumps[i].item;
    link_sweeps(&k);
    for (size_t i = 0; i < t->nregions; i++)
        if (t->regions[i].closed && !t->regions[i].excused)
            settle(&k, &t->regions[i]);
    check_reports(&k);
    for (size_t i = 0; i < s->n; i++) {
        if (s->list[i].kind != ITEM_CLL)
            continue;
        struct pragma *g = pragma_of(&k, i);
        bool is_region =
            g->kind != PRAGMA_REPORT && g->kind != PRAGMA_PARALLEL && g->kind != PRAGMA_USES;
        if (is_region && g->action == ACTION_LEAVE && !g->bad &&
            !diag_count(diag, SEVERITY_ERROR)) /* the parser went past it */
            diag_add(diag, SEVERITY_ERROR, source_of(&k, i), g->word,
                     "call does not understand the statements around this pragma, so the region "
                     "cannot be measured; put the region into a function of its own");
        if (g->kind == PRAGMA_REPORT)
            g->action = ACTION_REPORT;
        else if (g->kind == PRAGMA_PARALLEL || g->kind == PRAGMA_USES)
            g->action = ACTION_BLANK;
    }
}
