/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running commands and keeping fits up to date. A fit is remembered as it was asked for (struct
 * fit_state); loading, `where`, `let`, `statistic` and the like only mark models as stale, and
 * a command that needs one fits again.
 */
#include "llac/session.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/progress.h"
#include "base/text.h"
#include "llac/pager.h"
#include "llac/machine/terms.h"
#include "llac/undo.h"
#include "machine/store.h"
#include "llac/commands.h"

volatile sig_atomic_t session_interrupt;

static void forget_fits(struct session *s);

struct session *session_create(FILE *out)
{
    struct session *s = mem_zalloc(1, sizeof *s);
    s->arena = arena_create();
    s->data = dataset_create();
    s->out = out;
    s->undo = undo_create();
    interrupt_set(&session_interrupt);
    return s;
}

/* Ends what holds for one command alone: its conditions, and the fits with them. */
static void end_command(struct session *s)
{
    for (size_t i = 0; i < s->npassing; i++) {
        arena_destroy(s->passing[i]->arena);
        mem_free(s->passing[i]);
    }
    s->npassing = 0;
    s->given = (struct fit_state){.nconditions = 0};
}

void session_destroy(struct session *s)
{
    if (!s)
        return;
    forget_fits(s);
    end_command(s);
    mem_free(s->fits);
    mem_free(s->passing);
    mem_free(s->history);
    undo_destroy(s->undo);
    session_forget_parts(s);
    mem_free(s->parts);
    dataset_destroy(s->data);
    arena_destroy(s->now.machine_arena);
    arena_destroy(s->now.counts_arena);
    arena_destroy(s->arena);
    mem_free(s);
}

void session_stale(struct session *s)
{
    for (size_t i = 0; i < s->nfits; i++) {
        arena_destroy(s->fits[i]->arena);
        s->fits[i]->arena = NULL;
        s->fits[i]->model = NULL;
    }
}

/* The machine is read twice: the first time with the command's memory, for the messages. */
int session_use_machine(struct session *s, const char *name, struct arena *arena, struct diag *diag)
{
    if (name && !store_find(name, arena, diag))
        return -1;
    struct arena *fresh = name ? arena_create() : NULL;
    const struct machine *m = name ? store_find(name, fresh, diag) : NULL;
    if (name && !m) { /* it changed meanwhile */
        arena_destroy(fresh);
        return -1;
    }
    const struct formula_machine *terms = m ? terms_make(fresh, m) : NULL;
    undo_retire(s, s->now.machine_arena);
    session_stale(s);
    s->now.machine_arena = fresh;
    s->now.machine = m;
    s->now.terms = terms;
    return 0;
}

/* Their formulas may have come from data that is gone. */
static void forget_fits(struct session *s)
{
    session_stale(s);
    for (size_t i = 0; i < s->nfits; i++)
        mem_free(s->fits[i]);
    s->nfits = 0;
    s->now.ngroups = 0;
}

/* The names of experiments change when another version of them comes. */
static void rename_fits(struct session *s, const size_t *which)
{
    for (size_t i = 0; i < s->nfits; i++) {
        if (which[i] == SIZE_MAX)
            continue;
        const char *part = strchr(s->fits[i]->experiment, '='), *name;
        while (part && *part != '@')
            part--; /* f@level=3: the part of the name that is not the data set's */
        name = s->data->experiments[which[i]]->name;
        s->fits[i]->experiment = arena_printf(s->arena, "%s%s", name, part ? part : "");
    }
}

/* The experiment of each fit: its index in the data set. */
static size_t *experiments_of_fits(const struct session *s, struct arena *a)
{
    size_t *which = arena_alloc(a, s->nfits + 1, sizeof *which);
    for (size_t i = 0; i < s->nfits; i++) {
        const char *name = s->fits[i]->experiment, *part = strchr(name, '=');
        while (part && *part != '@')
            part--;
        const struct experiment *e =
            dataset_find(s->data, part ? arena_strndup(a, name, (size_t)(part - name)) : name);
        which[i] = SIZE_MAX;
        for (size_t k = 0; k < s->data->nexperiments && e; k++)
            if (s->data->experiments[k] == e)
                which[i] = k;
    }
    return which;
}

static int merge(struct session *s, struct dataset *fresh, bool ignore_formulas,
                 struct arena *arena, struct diag *diag)
{
    session_stale(s);
    session_forget_parts(s);
    const size_t *which = experiments_of_fits(s, arena);
    int status = dataset_merge(s->data, fresh, ignore_formulas, diag);
    if (status == 0)
        rename_fits(s, which);
    return status;
}

int session_load(struct session *s, char *const *paths, size_t n, bool replace,
                 const struct load_options *asked, struct arena *arena, struct diag *diag)
{
    bool *leave_out = arena_zalloc(arena, n + 1, sizeof *leave_out);
    if (load_choose(paths, n, replace ? NULL : s->data, leave_out, arena, diag))
        return -1;
    struct load_options options = asked ? *asked : (struct load_options){0};
    options.import.known = replace ? NULL : s->data;
    options.may_be_empty = n > 1;
    size_t before = replace ? 0 : s->data->nfiles;
    struct dataset *fresh = dataset_create();
    int status = 0;
    for (size_t i = 0; i < n && status == 0; i++)
        if (!leave_out[i]) {
            progress_at("files", i, n);
            status = dataset_load(fresh, paths[i], &options, arena, diag);
        }
    if (status == 0 && n && fresh->nfiles == 0)
        status = diag_error(diag, "none of the files has samples");
    if (status == 0 && replace) {
        struct dataset *old = s->data;
        forget_fits(s);
        session_forget_parts(s);
        s->data = fresh;
        fresh = old;
    } else if (status == 0) {
        status = merge(s, fresh, options.ignore_formulas, arena, diag);
    }
    dataset_destroy(fresh);
    if (status == 0)
        s->now.data_version = ++s->last_version;
    if (status == 0)
        load_missing(s->data, before, arena, diag);
    return status;
}

void session_set_aside(struct session *s)
{
    struct dataset *fresh = dataset_create();
    FILE *nowhere = fopen("/dev/null", "w");
    session_stale(s); /* models of parts */
    session_forget_parts(s);
    s->aside = s->data;
    s->data = fresh;
    if (nowhere) {
        s->shown = s->out;
        s->out = nowhere;
    }
}

static void show_again(struct session *s)
{
    if (!s->shown)
        return;
    fclose(s->out);
    s->out = s->shown;
    s->shown = NULL;
}

void session_take_aside(struct session *s, bool back)
{
    if (back) {
        session_stale(s);
        session_forget_parts(s);
    }
    dataset_destroy(back ? s->data : s->aside);
    if (back)
        s->data = s->aside;
    s->aside = NULL;
    show_again(s);
}

struct fit_state *session_find_state(struct session *s, const char *experiment,
                                     const char *observable)
{
    for (size_t i = s->nfits; i-- > 0;)
        if (strcmp(s->fits[i]->experiment, experiment) == 0 &&
            (observable ? strcmp(s->fits[i]->observable, observable) == 0 : s->fits[i]->asked))
            return s->fits[i];
    return NULL;
}

struct fit_state *session_state(struct session *s, const char *experiment, const char *observable)
{
    struct fit_state *state = session_find_state(s, experiment, observable);
    if (!state) {
        state = mem_zalloc(1, sizeof *state);
        state->experiment = arena_strdup(s->arena, experiment);
        state->observable = arena_strdup(s->arena, observable);
        s->fits = mem_resize(s->fits, s->nfits + 1, sizeof *s->fits);
        s->fits[s->nfits++] = state;
    }
    /* The last fit comes last. */
    size_t i = 0;
    while (s->fits[i] != state)
        i++;
    memmove(s->fits + i, s->fits + i + 1, (s->nfits - i - 1) * sizeof *s->fits);
    s->fits[s->nfits - 1] = state;
    return state;
}

struct definitions session_definitions(struct session *s, struct arena *a)
{
    struct definitions d = {.n = s->now.nlets, .machine = s->now.terms};
    d.names = arena_alloc(a, s->now.nlets + 1, sizeof *d.names);
    d.by = arena_alloc(a, s->now.nlets + 1, sizeof *d.by);
    for (size_t i = 0; i < s->now.nlets; i++) {
        d.names[i] = s->now.lets[i].name;
        d.by[i] = s->now.lets[i].formula;
    }
    return d;
}

struct condition *session_conditions(struct session *s, struct arena *a,
                                     const struct fit_state *state, size_t *n)
{
    size_t own = state ? state->nconditions : 0;
    struct condition *all = arena_alloc(a, s->now.nconditions + own + 1, sizeof *all);
    for (size_t i = 0; i < s->now.nconditions; i++)
        all[i] = s->now.conditions[i];
    for (size_t i = 0; i < own; i++)
        all[s->now.nconditions + i] = state->conditions[i];
    *n = s->now.nconditions + own;
    return all;
}

struct points_request session_points(struct session *s, struct arena *a, const struct experiment *e,
                                     const char *observable, const struct fit_state *state)
{
    struct points_request r = {.dataset = s->data,
                               .experiment = e,
                               .observable = observable,
                               .statistic = s->now.prepare.statistic,
                               .ranks = s->now.prepare.ranks,
                               .rank = s->now.prepare.rank,
                               .skip_rounds = s->now.prepare.skip_rounds,
                               .keep_first = s->now.prepare.keep_first,
                               .keep_disturbed = s->now.prepare.keep_disturbed};
    r.conditions = session_conditions(s, a, state, &r.nconditions);
    r.let = session_definitions(s, a);
    r.let.machine = NULL; /* samples do not ask the machine */
    return r;
}

int session_need_values(const struct session *s, struct diag *diag, const char *what)
{
    const struct statistic_info *now = &statistics[s->now.prepare.statistic];
    if (!now->is_spread)
        return 0;
    return diag_error(diag,
                      "%s needs values that executions have, but the value of a point is the %s of "
                      "its samples: choose another statistic, such as 'statistic p10'",
                      what, now->text);
}

struct fit_request session_fit_request(struct session *s, struct arena *a,
                                       const struct experiment *e, const char *observable,
                                       const struct fit_state *state)
{
    struct fit_request r = {.points = session_points(s, a, e, observable, state),
                            .let = session_definitions(s, a),
                            .keep_outliers = s->now.prepare.keep_outliers};
    if (state) {
        r.formula = state->formula;
        r.source = state->source;
        r.nonneg = state->nonneg;
        r.intervals = state->intervals;
    }
    return r;
}

/* The formula the data came with. */
static int take_data_formula(struct session *s, struct fit_state *state, const struct experiment *e,
                             struct diag *diag)
{
    const struct observable_formula *f = experiment_formula(e, state->observable);
    if (!f && (strcmp(state->observable, "CPUTIME") == 0 ||
               strcmp(state->observable, "DEVICE") == 0 || points_is_self(e, state->observable)))
        f = experiment_formula(e, "CLOCK"); /* parts of this time, or the time of the same work */
    if (!f) {
        bool usual = strcmp(state->observable, experiment_default_observable(e)) == 0;
        ARENA_LOCAL struct arena *scratch = arena_create();
        struct points_request r = session_points(s, scratch, e, state->observable, state);
        struct points points;
        int status = points_make(scratch, &r, diag, &points); /* says if it was not measured */
        if (status)
            return -1;
        return diag_error(diag,
                          "%s has no formula for %s: give one, 'fit %s = %s[0] + %s[1]*...%s%s'",
                          e->name, state->observable, e->name, e->base, e->base,
                          usual ? "" : " on ", usual ? "" : state->observable);
    }
    struct source *source = arena_alloc(s->arena, 1, sizeof *source);
    *source = (struct source){
        .name = arena_printf(s->arena, "%s (formula of %s)", s->data->files[f->file].path, e->name),
        .text = arena_strdup(s->arena, f->text),
        .size = strlen(f->text)};
    const char *names[] = {e->base, NULL};
    struct formula_options options = {.experiments = names};
    struct span all = {0, source->size};
    state->source = source;
    state->formula_text = source->text;
    state->formula = formula_parse(s->arena, source, all, &options, diag);
    return state->formula ? 0 : -1;
}

struct model *session_fit(struct session *s, struct fit_state *state, struct diag *diag)
{
    const struct experiment *e = session_find(s, state->experiment);
    if (!e)
        return diag_null(
            diag_error(diag, "there is no experiment '%s' any more", state->experiment));
    if (!state->formula && take_data_formula(s, state, e, diag))
        return NULL;
    arena_destroy(state->arena);
    state->arena = NULL;
    state->model = NULL;
    struct arena *fresh = arena_create();
    struct fit_request request =
        session_fit_request(s, fresh, e, arena_strdup(fresh, state->observable), state);
    struct model *m = model_fit(fresh, &request, diag);
    state->arena = fresh;
    state->model = m;
    return m;
}

struct fit_state *session_model_state(struct session *s, const char *experiment,
                                      const char *observable)
{
    struct fit_state *state = session_find_state(s, experiment, observable);
    const struct experiment *e = session_find(s, experiment);
    if (!observable)
        observable = e ? experiment_default_observable(e) : "CLOCK";
    if (!state)
        state = session_find_state(s, experiment, observable);
    return state ? state : session_state(s, experiment, observable);
}

/* The same fit with the conditions of the running command. */
static struct model *passing_model(struct session *s, const struct fit_state *state,
                                   struct diag *diag)
{
    for (size_t i = 0; i < s->npassing; i++)
        if (strcmp(s->passing[i]->experiment, state->experiment) == 0 &&
            strcmp(s->passing[i]->observable, state->observable) == 0)
            return s->passing[i]->model;
    struct fit_state *own = mem_alloc(1, sizeof *own);
    *own = *state;
    own->arena = NULL;
    own->model = NULL;
    s->passing = mem_resize(s->passing, s->npassing + 1, sizeof *s->passing);
    s->passing[s->npassing++] = own;
    size_t n = state->nconditions, more = s->given.nconditions;
    own->conditions = arena_alloc(s->arena, n + more, sizeof *own->conditions);
    for (size_t i = 0; i < n + more; i++)
        own->conditions[i] = i < n ? state->conditions[i] : s->given.conditions[i - n];
    own->nconditions = n + more;
    return session_fit(s, own, diag);
}

struct model *session_model(struct session *s, const char *experiment, const char *observable,
                            struct diag *diag)
{
    struct fit_state *state = session_model_state(s, experiment, observable);
    if (s->given.nconditions)
        return passing_model(s, state, diag);
    return state->model ? state->model : session_fit(s, state, diag);
}

static int run_command(struct session *s, const struct source *source, struct span where,
                       struct arena *arena, struct diag *diag)
{
    struct cursor c = {
        .source = source, .at = where.begin, .end = where.end, .diag = diag, .arena = arena};
    struct span name_at = where;
    const char *name = cursor_punctuation(&c, '?') ? "help" : cursor_name(&c, &name_at);
    if (!name) {
        struct span first = {where.begin, where.begin + 1};
        return cursor_error(&c, first, "a command is expected here; 'help' lists them");
    }
    const struct command *command = command_find(name);
    if (!command)
        return command_unknown(&c, name, name_at);
    c.command = command->name;
    int status = command->run(s, &c);
    end_command(s);
    bool said = strcmp(command->name, "source") == 0; /* by the script */
    if (status && session_interrupt && !said && diag_count(diag, SEVERITY_ERROR) == 0)
        diag_error(diag, "interrupted");
    if ((!s->interactive && !s->one_command) || s->nrunning > 1)
        diag_locate(diag, source, where);
    return status;
}

int session_repeat(struct session *s, const char *text, struct arena *arena)
{
    struct source *source = arena_alloc(s->arena, 1, sizeof *source);
    *source = (struct source){"<undo>", text, strlen(text)};
    DIAG_LOCAL struct diag *diag = diag_create();
    struct span where;
    int status = 0;
    for (size_t at = 0; status == 0 && cursor_next_command(source, &at, &where);)
        status = run_command(s, source, where, arena, diag);
    if (status)
        diag_print(diag, stderr, 20);
    return status;
}

/* Notes a command for `history`; those of sourced scripts belong to the command source. */
static struct past_command *remember(struct session *s, const char *text)
{
    s->history = mem_grow(s->history, &s->chistory, s->nhistory + 1, sizeof *s->history);
    s->history[s->nhistory] = (struct past_command){.text = text};
    return &s->history[s->nhistory++];
}

/* One command with all that belongs to it: history, steps for undo, progress, the pager. */
static int run_one(struct session *s, const struct source *source, struct span where,
                   struct arena *scratch, struct diag *diag)
{
    char *text = arena_strndup(s->arena, source->text + where.begin, where.end - where.begin);
    char *name = arena_strndup(scratch, text, strcspn(text, " \t"));
    bool outermost = s->nrunning == 1, is_script = strcmp(name, "source") == 0;
    size_t past = s->nhistory;
    if (outermost)
        remember(s, text);
    undo_before(s);
    s->repeat = NULL;
    if (!is_script) {
        pager_begin(s->pager);
        progress_begin(arena_printf(scratch, "llac: %s", text));
    }
    int status = run_command(s, source, where, scratch, diag);
    fflush(s->out);
    if (!is_script) {
        progress_end();
        pager_end(s->pager);
    }
    undo_after(s, text, name, status);
    if (outermost)
        s->history[past].failed = status != 0;
    return status;
}

int session_run(struct session *s, const char *name, const char *text, size_t size, bool go_on)
{
    struct source *source = arena_alloc(s->arena, 1, sizeof *source);
    *source = (struct source){arena_strdup(s->arena, name), arena_strndup(s->arena, text, size), 0};
    /* A 0 byte ends the text: nothing after it could be shown or quoted. */
    source->size = strlen(source->text);
    DIAG_LOCAL struct diag *diag = diag_create();
    ARENA_LOCAL struct arena *arena = arena_create();
    s->nrunning++;
    struct span where;
    int status = 0, result = 0;
    if (source->size < size) {
        struct span end = {source->size, source->size};
        diag_add(diag, SEVERITY_ERROR, source, end, "a 0 byte: this is not text");
        diag_print(diag, stderr, 0);
        status = -1;
    }
    for (size_t at = 0; status == 0 && !s->quit && cursor_next_command(source, &at, &where);) {
        if (session_interrupt && result == 0)
            diag_error(diag, "interrupted");
        if (session_interrupt)
            status = -1;
        else
            result = run_one(s, source, where, arena, diag);
        diag_print(diag, stderr, 20);
        arena_reset(arena);
        if (result && !go_on)
            status = -1;
    }
    s->nrunning--;
    return status;
}

bool session_has_colour(const struct session *s)
{
    const char *term = getenv("TERM"), *plain = getenv("NO_COLOR");
    return s->terminal && !s->json && !(plain && *plain) && term && strcmp(term, "dumb") != 0;
}

int session_columns(const struct session *s)
{
    struct winsize size = {.ws_col = 0};
    if (!s->terminal || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size))
        return 0;
    return size.ws_col >= 40 ? size.ws_col : size.ws_col ? 40 : 0;
}
