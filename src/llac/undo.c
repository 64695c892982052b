/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The steps of a session (undo.h). The state before a command is noted in a place that is used again
 * for the next command; it becomes a step only if the command changed something. Only the last steps
 * can be taken back; of older ones the text is kept.
 */
#include "llac/undo.h"

#include <string.h>

enum { MOST_STATES = 100 };

struct state {
    struct session_state of;
    struct fit_state *fits; /* without their models */
    size_t nfits;
};

struct step {
    const char *command;                 /* as it was given */
    const char *text;                    /* the same, or those of a script; NULL: none does it */
    const char *data;                    /* the part of it that loads data; NULL: nothing */
    const char *experiment, *observable; /* of a fit or a search; NULL otherwise */
    bool has_formula;                    /* a search, or a fit that states its formula */
    bool replaces_data;                  /* a load: earlier data and fits are gone */
    bool fixed;                          /* of the command line */
    bool has_state;
    struct state before;
};

/* What the commands of a running script did. */
struct script {
    struct text text, data;
};

struct undo {
    struct step *steps;
    size_t n, capacity;
    size_t first_state;                       /* of older steps only the text is known */
    struct state noted[UNDO_MOST_NESTED + 1]; /* before the running commands, outermost first */
    struct script scripts[UNDO_MOST_NESTED + 1];
    size_t depth; /* commands that run now */
    bool taking_back;
    struct arena **retired;
    size_t nretired, cretired;
};

struct undo *undo_create(void)
{
    return mem_zalloc(1, sizeof(struct undo));
}

void undo_destroy(struct undo *u)
{
    if (!u)
        return;
    for (size_t i = 0; i < u->n; i++)
        mem_free(u->steps[i].before.fits);
    for (size_t i = 0; i <= UNDO_MOST_NESTED; i++) {
        mem_free(u->noted[i].fits);
        if (u->scripts[i].text.s)
            text_free(&u->scripts[i].text);
        if (u->scripts[i].data.s)
            text_free(&u->scripts[i].data);
    }
    for (size_t i = 0; i < u->nretired; i++)
        arena_destroy(u->retired[i]);
    mem_free(u->retired);
    mem_free(u->steps);
    mem_free(u);
}

void undo_retire(struct session *s, struct arena *arena)
{
    struct undo *u = s->undo;
    if (!arena)
        return;
    MEM_ADD(u->retired, u->nretired, &u->cretired, arena);
}

/* ---- states ---- */

/* The session as it is, with the memory of the state that was noted here before. */
static void note(const struct session *s, struct state *out)
{
    struct fit_state *fits = mem_resize(out->fits, s->nfits + 1, sizeof *fits);
    *out = (struct state){.of = s->now, .fits = fits, .nfits = s->nfits};
    for (size_t i = 0; i < s->nfits; i++) {
        fits[i] = *s->fits[i];
        fits[i].arena = NULL;
        fits[i].model = NULL;
    }
}

static bool same_preprocessing(const struct preprocessing *a, const struct preprocessing *b)
{
    return a->statistic == b->statistic && a->ranks == b->ranks && a->rank == b->rank &&
           a->skip_rounds == b->skip_rounds && a->keep_first == b->keep_first &&
           a->keep_disturbed == b->keep_disturbed && a->keep_outliers == b->keep_outliers;
}

/* What fits rest on. */
static bool same_ground(const struct session_state *a, const struct session_state *b)
{
    return same_preprocessing(&a->prepare, &b->prepare) && a->conditions == b->conditions &&
           a->nconditions == b->nconditions && a->lets == b->lets && a->nlets == b->nlets &&
           a->machine == b->machine && a->data_version == b->data_version;
}

static bool same_but_fits(const struct session_state *a, const struct session_state *b)
{
    return same_ground(a, b) && a->defines == b->defines && a->ndefines == b->ndefines &&
           a->counts == b->counts && a->ncounts == b->ncounts && a->groups == b->groups &&
           a->ngroups == b->ngroups;
}

static bool same_fit(const struct fit_state *a, const struct fit_state *b)
{
    return strcmp(a->experiment, b->experiment) == 0 && strcmp(a->observable, b->observable) == 0 &&
           a->formula == b->formula && a->conditions == b->conditions &&
           a->nconditions == b->nconditions && a->nonneg == b->nonneg &&
           a->intervals.mode == b->intervals.mode &&
           a->intervals.variable == b->intervals.variable &&
           a->intervals.given == b->intervals.given && a->intervals.max == b->intervals.max &&
           a->intervals.threshold == b->intervals.threshold;
}

/* The fits of this state take the place of the session's. A model that is still right is kept. */
static void put_fits(struct session *s, const struct state *to, bool keep_models)
{
    struct fit_state **fits = mem_alloc(to->nfits + 1, sizeof *fits);
    for (size_t i = 0; i < to->nfits; i++) {
        fits[i] = mem_alloc(1, sizeof *fits[i]);
        *fits[i] = to->fits[i];
        for (size_t k = 0; k < s->nfits && keep_models; k++)
            if (s->fits[k]->arena && same_fit(s->fits[k], fits[i])) {
                fits[i]->arena = s->fits[k]->arena;
                fits[i]->model = s->fits[k]->model;
                s->fits[k]->arena = NULL;
            }
    }
    session_stale(s);
    for (size_t k = 0; k < s->nfits; k++)
        mem_free(s->fits[k]);
    mem_free(s->fits);
    s->fits = fits;
    s->nfits = to->nfits;
}

static void restore(struct session *s, const struct state *to)
{
    put_fits(s, to, same_ground(&s->now, &to->of));
    if (s->now.machine_arena != to->of.machine_arena)
        undo_retire(s, s->now.machine_arena);
    if (s->now.counts_arena != to->of.counts_arena)
        undo_retire(s, s->now.counts_arena);
    s->now = to->of;
}

/* An arena that is in use again must not be freed twice. */
static void unretire(struct session *s, const struct arena *arena)
{
    struct undo *u = s->undo;
    for (size_t i = 0; i < u->nretired && arena; i++)
        if (u->retired[i] == arena) {
            u->retired[i] = u->retired[--u->nretired];
            return;
        }
}

/* ---- steps ---- */

static struct step *add_step(struct undo *u)
{
    u->steps = mem_grow(u->steps, &u->capacity, u->n + 1, sizeof *u->steps);
    struct step *step = &u->steps[u->n];
    *step = (struct step){.text = NULL};
    return step;
}

void undo_start_with(struct session *s, const char *text)
{
    struct step *step = add_step(s->undo);
    step->fixed = true;
    step->text = text ? arena_strdup(s->arena, text) : NULL;
    if (!text || strncmp(text, "load", 4) == 0)
        step->data = step->text;
    s->undo->n++;
}

void undo_before(struct session *s)
{
    struct undo *u = s->undo;
    struct script *script = &u->scripts[u->depth];
    note(s, &u->noted[u->depth]);
    if (script->text.s)
        text_clear(&script->text);
    if (script->data.s)
        text_clear(&script->data);
    u->taking_back = false;
    u->depth++;
}

/* The texts of a running script outlive the commands of which it consists. */
static void add_line(struct text *t, const char *line)
{
    if (!t->s)
        text_init(t);
    text_printf(t, "%s%s", t->n ? "\n" : "", line);
}

static void drop_oldest_state(struct undo *u)
{
    if (u->n - u->first_state <= MOST_STATES)
        return;
    struct step *old = &u->steps[u->first_state++];
    mem_free(old->before.fits);
    old->before.fits = NULL;
    old->has_state = false;
}

/* `whole`: the command as it was given; `text`: it, or the commands of the script that it sourced. */
static void push(struct session *s, const char *whole, const char *text, const char *data,
                 const char *command, bool fits)
{
    struct undo *u = s->undo;
    struct step *step = add_step(u);
    if (fits && s->nfits) {
        const char *rest = whole + strcspn(whole, " \t");
        rest += strspn(rest, " \t");
        rest += strcspn(rest, " \t="); /* the experiment */
        rest += strspn(rest, " \t");
        step->has_formula = strcmp(command, "search") == 0 || *rest == '=';
        step->experiment = s->fits[s->nfits - 1]->experiment;
        step->observable = s->fits[s->nfits - 1]->observable;
    }
    step->command = arena_strdup(s->arena, whole);
    step->text = arena_strdup(s->arena, text);
    step->data = data ? arena_strdup(s->arena, data) : NULL;
    step->replaces_data = strcmp(command, "load") == 0;
    step->before = u->noted[u->depth];
    step->has_state = true;
    u->noted[u->depth].fits = NULL;
    u->n++;
    drop_oldest_state(u);
}

void undo_after(struct session *s, const char *text, const char *command, int status)
{
    struct undo *u = s->undo;
    const struct state *before = &u->noted[--u->depth];
    struct script *inside = &u->scripts[u->depth];
    bool is_script = strcmp(command, "source") == 0;
    bool fits = status == 0 && (strcmp(command, "fit") == 0 || strcmp(command, "search") == 0);
    bool changed = fits || !same_but_fits(&s->now, &before->of) ||
                   (is_script && inside->text.s && inside->text.n > 0);
    if (!changed || u->taking_back)
        return;
    const char *whole = text;
    if (s->repeat && !is_script)
        text = s->repeat;
    const char *data = s->now.data_version != before->of.data_version ? text : NULL;
    if (is_script && inside->text.s) {
        text = inside->text.s;
        data = inside->data.n ? inside->data.s : NULL;
    }
    if (u->depth == 0) {
        push(s, whole, text, data, command, fits);
        return;
    }
    add_line(&u->scripts[u->depth - 1].text, text);
    if (data)
        add_line(&u->scripts[u->depth - 1].data, data);
}

const char *undo_next(const struct session *s)
{
    const struct undo *u = s->undo;
    const struct step *last = u->n ? &u->steps[u->n - 1] : NULL;
    return last && last->has_state ? last->command : NULL;
}

/* ---- undo ---- */

/* The data set that the first n steps make, read again. 0; or -1 with an error, and the data set is as
 * before, without its fits. */
static int read_again(struct session *s, struct cursor *c, size_t n)
{
    size_t first = n;
    while (first > 0 && !s->undo->steps[first - 1].replaces_data)
        first--;
    session_set_aside(s);
    int status = 0;
    for (size_t i = first ? first - 1 : 0; i < n && status == 0; i++)
        if (s->undo->steps[i].data)
            status = session_repeat(s, s->undo->steps[i].data, c->arena);
        else if (s->undo->steps[i].fixed && !s->undo->steps[i].text)
            status = -1;
    session_take_aside(s, status != 0);
    if (status)
        diag_error(c->diag, "the earlier data cannot be read again, so nothing was undone");
    return status;
}

const char *undo_last(struct session *s, struct cursor *c)
{
    struct undo *u = s->undo;
    struct step *last = u->n ? &u->steps[u->n - 1] : NULL;
    if (!last || !last->has_state)
        return diag_null(diag_error(c->diag,
                                    "there is nothing to undo: no command %schanged the session",
                                    last && !last->fixed ? "of the last ones " : ""));
    bool data = s->now.data_version != last->before.of.data_version;
    unsigned long version = s->now.data_version;
    if (data && read_again(s, c, u->n - 1)) {
        s->now.data_version = version;
        put_fits(s, &u->noted[u->depth - 1], false); /* the session as it was */
        return NULL;
    }
    if (data)
        s->now.data_version = last->before.of.data_version;
    unretire(s, last->before.of.machine_arena);
    unretire(s, last->before.of.counts_arena);
    restore(s, &last->before);
    mem_free(last->before.fits);
    last->before.fits = NULL;
    u->n--;
    u->taking_back = true;
    return last->command;
}

/* ---- the script ---- */

bool undo_quote_path(struct text *out, const char *path)
{
    const char *quote = strchr(path, '"') ? "'" : "\"";
    if (strchr(path, '\n') || (strchr(path, '"') && strchr(path, '\'')))
        return false;
    text_printf(out, "%s%s%s", quote, path, quote);
    return true;
}

/* Has a later step replaced the effect of this one? */
static bool is_replaced(const struct undo *u, size_t i)
{
    const struct step *step = &u->steps[i];
    bool plain_data = step->data && strcmp(step->data, step->text) == 0;
    for (size_t k = i + 1; k < u->n; k++) {
        const struct step *later = &u->steps[k];
        if (later->replaces_data && (plain_data || step->experiment))
            return true;
        if (step->experiment && later->experiment && later->has_formula &&
            strcmp(step->experiment, later->experiment) == 0 &&
            strcmp(step->observable, later->observable) == 0)
            return true;
    }
    return false;
}

int undo_script(const struct session *s, struct text *out)
{
    const struct undo *u = s->undo;
    int n = 0;
    for (size_t i = 0; i < u->n; i++) {
        if (is_replaced(u, i))
            continue;
        if (!u->steps[i].text)
            return -1;
        text_printf(out, "%s\n", u->steps[i].text);
        n++;
    }
    return n;
}
