/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How samples become the points that are fitted: the commands that change it (statistic, ranks,
 * rounds, disturbed, outliers), and show NAME, which prints the points and the settings.
 *
 * Each command without an argument shows its setting; a change makes the fits stale.
 */
#include <math.h>
#include <string.h>

#include "base/arithmetic.h"
#include "base/number.h"
#include "llac/compose/command.h"
#include "llac/data/account.h"
#include "llac/data/data.h"
#include "llac/json.h"
#include "llac/text.h"
#include "llac/commands.h"

/* The rules for ranks by name, with what they say in a sentence. */
static const struct {
    const char *name, *text;
} rank_rules[] = {
    [RANKS_AUTO] = {"auto", "the slowest rank counts; the value means the same for every P"},
    [RANKS_MAX] = {"max", "the slowest rank counts"},
    [RANKS_MEAN] = {"mean", "the mean over the ranks counts"},
    [RANKS_MIN] = {"min", "the fastest rank counts"},
};
enum { NAMED_RULES = sizeof rank_rules / sizeof *rank_rules };

static const char *const leave_words[] = {"leave", "keep"}; /* by keep_outliers, keep_disturbed */

static void text_ranks(FILE *out, const struct preprocessing *p)
{
    if (p->ranks == RANKS_ONE)
        fprintf(out, "  of each execution rank %s counts\n", number_text(p->rank, NUMBER_BUFFER));
    else
        fprintf(out, "  of each execution %s\n", rank_rules[p->ranks].text);
}

static void text_rounds(FILE *out, const struct preprocessing *p, size_t skipped)
{
    if (!p->skip_rounds && !p->keep_first)
        fputs("  the first execution of each point in a run is left out where it differs\n", out);
    else if (!p->skip_rounds)
        fputs("  all executions of each point are used\n", out);
    else if (p->skip_rounds == 1)
        fputs("  in each run the first execution of each point is left out", out);
    else
        fprintf(out, "  in each run the first %zu executions of each point are left out",
                p->skip_rounds);
    if (p->skip_rounds && skipped)
        fprintf(out, ": %zu samples", skipped);
    if (p->skip_rounds)
        fputc('\n', out);
}

static void text_disturbed(FILE *out, const struct preprocessing *p)
{
    fprintf(out, "  preempted samples are %s\n", p->keep_disturbed ? "used" : "left out");
}

static void text_outliers(FILE *out, const struct preprocessing *p)
{
    fprintf(out, "  outliers are %s\n", p->keep_outliers ? "kept in fits" : "left out of fits");
}

static void text_statistic(FILE *out, const struct preprocessing *p)
{
    fprintf(out, "  a point's value is the %s of its samples\n", statistics[p->statistic].text);
}

static json_t *json_ranks(const struct preprocessing *p)
{
    return p->ranks == RANKS_ONE ? json_number(p->rank) : json_text(rank_rules[p->ranks].name);
}

static const char *rounds_word(const struct preprocessing *p)
{
    return p->skip_rounds ? "skip" : p->keep_first ? "all" : "auto";
}

/* Is the overhead of measuring subtracted from this observable? */
static bool is_corrected(const struct points_request *r)
{
    return strcmp(r->observable, "CLOCK") == 0 || points_is_self(r->experiment, r->observable);
}

static json_t *json_preprocessing(const struct preprocessing *p, const struct points *points)
{
    return json_make("{overhead_subtracted:%i statistic:%s ranks:%p skip_rounds:%zu "
                     "skipped_samples:%zu outliers:%s rounds:%s disturbed:%s account:%p "
                     "rank_values:%p}",
                     is_corrected(points->request), statistics[p->statistic].name, json_ranks(p),
                     p->skip_rounds, points->skipped, leave_words[p->keep_outliers], rounds_word(p),
                     leave_words[p->keep_disturbed], json_account(&points->account),
                     json_rank_values(points));
}

int command_statistic(struct session *s, struct cursor *c)
{
    struct span where;
    char *name = cursor_name(c, &where);
    if (name) {
        int found = -1;
        for (int i = 0; i < STATISTIC_COUNT; i++)
            if (strcmp(statistics[i].name, name) == 0)
                found = i;
        if (found < 0)
            return cursor_error(c, where,
                                "there is no statistic '%s': p10, min, median, mean, difference or "
                                "deviation",
                                name);
        if (cursor_finish(c))
            return -1;
        s->now.prepare.statistic = (enum statistic)found;
        session_stale(s);
    } else if (cursor_finish(c)) {
        return -1;
    }
    if (s->json)
        json_print(s->out, "{statistic:%s}", statistics[s->now.prepare.statistic].name);
    else
        text_statistic(s->out, &s->now.prepare);
    return 0;
}

/* A whole number that is not negative; -1 if the text is none. */
static double whole_number(const char *text)
{
    double x;
    return !arithmetic_parse(text, &x) && x >= 0 && x == floor(x) && x < 1e9 ? x : -1;
}

int command_ranks(struct session *s, struct cursor *c)
{
    struct span where = cursor_token(c);
    if (where.end > where.begin) {
        const char *word = cursor_text(c, where);
        struct preprocessing now = s->now.prepare;
        now.rank = whole_number(word);
        now.ranks = RANKS_ONE;
        for (int i = 0; i < NAMED_RULES; i++)
            if (strcmp(rank_rules[i].name, word) == 0)
                now.ranks = (enum rank_rule)i;
        if (now.ranks == RANKS_ONE && now.rank < 0)
            return cursor_error(
                c, where, "'ranks' is followed by auto, max, mean, min or the number of a rank");
        if (cursor_finish(c))
            return -1;
        s->now.prepare = now;
        session_stale(s);
    }
    if (s->json)
        json_print(s->out, "{ranks:%p}", json_ranks(&s->now.prepare));
    else
        text_ranks(s->out, &s->now.prepare);
    return 0;
}

int command_rounds(struct session *s, struct cursor *c)
{
    if (!cursor_done(c)) {
        size_t skip = 0;
        bool automatic = cursor_keyword(c, "auto");
        if (!automatic && !cursor_keyword(c, "all")) {
            struct span where;
            double number;
            if (!cursor_keyword(c, "skip"))
                return cursor_error_here(c, "'rounds' is followed by auto, all, or skip K");
            where = cursor_token(c);
            if (where.end == where.begin)
                return cursor_error_here(c, "a number is missing: rounds skip K");
            number = whole_number(cursor_text(c, where));
            if (number < 0)
                return cursor_error(c, where, "'skip' needs a whole number, 0 or more");
            skip = (size_t)number;
        }
        if (cursor_finish(c))
            return -1;
        s->now.prepare.skip_rounds = skip;
        s->now.prepare.keep_first = !automatic;
        session_stale(s);
    }
    if (s->json)
        json_print(s->out, "{skip_rounds:%zu rounds:%s}", s->now.prepare.skip_rounds,
                   rounds_word(&s->now.prepare));
    else
        text_rounds(s->out, &s->now.prepare, 0);
    return 0;
}

/* leave or keep, for the setting *kept of this command. */
static int read_leave(struct session *s, struct cursor *c, const char *command, bool *kept)
{
    if (!cursor_done(c)) {
        bool keep = cursor_keyword(c, "keep");
        if (!keep && !cursor_keyword(c, "leave"))
            return cursor_error_here(c, "'%s' is followed by leave or keep", command);
        if (cursor_finish(c))
            return -1;
        *kept = keep;
        session_stale(s);
    }
    if (s->json)
        json_print(s->out, "%p", json_pack("{s:s}", command, leave_words[*kept]));
    return 0;
}

int command_disturbed(struct session *s, struct cursor *c)
{
    if (read_leave(s, c, "disturbed", &s->now.prepare.keep_disturbed))
        return -1;
    if (!s->json)
        text_disturbed(s->out, &s->now.prepare);
    return 0;
}

int command_outliers(struct session *s, struct cursor *c)
{
    if (read_leave(s, c, "outliers", &s->now.prepare.keep_outliers))
        return -1;
    if (!s->json)
        text_outliers(s->out, &s->now.prepare);
    return 0;
}

static bool is_same_point(const struct points *p, size_t i, const struct points *q, size_t k)
{
    size_t j = 0;
    while (j < p->nnames && stats_compare(p->at[j][i], q->at[j][k]) == 0)
        j++;
    return j == p->nnames;
}

/* Marks the points that the experiment's fit leaves out. The fit may rest on a part of the points,
 * so they are matched by their values. Without a
 * formula, or where the fit fails, none is marked. */
static void mark_left_out(struct session *s, const struct points *p, bool *mark)
{
    const char *name = p->request->experiment->name, *observable = p->request->observable;
    struct fit_state *state = session_find_state(s, name, observable);
    struct fit_state own = {.experiment = name, .observable = observable};
    DIAG_LOCAL struct diag *quiet = diag_create();
    const struct model *m = NULL;
    if (state)
        m = state->model ? state->model : session_fit(s, state, quiet);
    else if (experiment_formula(p->request->experiment, observable))
        m = session_fit(s, &own, quiet);
    for (size_t k = 0, i = 0; m && k < model_points(m)->n; k++) {
        /* both are sorted alike */
        if (!model_left_out(m)[k])
            continue;
        while (i < p->n && !is_same_point(p, i, model_points(m), k))
            i++;
        if (i < p->n)
            mark[i] = true;
    }
    arena_destroy(own.arena);
}

static json_t *json_points(const struct points *p, const bool *left_out)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < p->n; i++) {
        const double *v = p->kept + p->first_kept[i];
        size_t n = p->first_kept[i + 1] - p->first_kept[i];
        json_add(rows,
                 "{at:%p samples:%zu value:%g min:%g median:%g max:%g mean:%g "
                 "average_difference:%g standard_deviation:%g two_modes:%i left_out:%i}",
                 json_point(p, i), p->count[i], p->value[i], v[0], stats_sorted_quantile(v, n, 0.5),
                 v[n - 1], p->spread[i].mean, p->spread[i].difference, p->spread[i].deviation,
                 p->modes[i].two, left_out[i]);
    }
    return rows;
}

/* With `spread`: how the samples spread around their mean, in place of their range. */
static void text_points(FILE *out, const struct points *p, const char *statistic, bool spread,
                        const bool *left_out)
{
    char number[NUMBER_SIZE];
    MEM_LOCAL bool *has_column = mem_alloc(p->nnames + 1, sizeof *has_column);
    for (size_t j = 0; j < p->nnames; j++)
        if ((has_column[j] = points_shown(p, j)))
            text_heading(out, " %11s", p->names[j]);
    text_heading(out, " %9s %11s %11s %11s %11s\n", "samples", statistic, spread ? "mean" : "min",
                 spread ? "avg diff" : "median", spread ? "std dev" : "max");
    for (size_t i = 0; i < p->n; i++) {
        const double *v = p->kept + p->first_kept[i];
        size_t n = p->first_kept[i + 1] - p->first_kept[i];
        for (size_t j = 0; j < p->nnames; j++)
            if (has_column[j])
                fprintf(out, " %11s", number_text(p->at[j][i], number));
        const struct stats_spread *s = &p->spread[i]; /* the deviation of one sample is not known */
        double range[] = {v[0], stats_sorted_quantile(v, n, 0.5), v[n - 1]};
        double around[] = {s->mean, s->difference, s->deviation}, *shown = spread ? around : range;
        fprintf(out, " %9zu %11s", p->count[i], number_digits(p->value[i], 4, number));
        for (size_t k = 0; k < sizeof range / sizeof *range; k++)
            fprintf(out, " %11s", isnan(shown[k]) ? "-" : number_digits(shown[k], 4, number));
        fprintf(out, "%s%s\n", p->modes[i].two ? "  two modes" : "",
                left_out[i] ? "  left out" : "");
    }
}

/* The settings; those that change nothing here are not mentioned. */
static void text_preparation(FILE *out, const struct preprocessing *s, const struct points *p)
{
    if (p->n && p->overhead[0] > 0) /* of a spread nothing is subtracted */
        fputs("  overhead is subtracted\n", out);
    struct preprocessing used = *s;
    if (s->ranks == RANKS_AUTO && p->by_rank.how == RANKS_UNITED) /* `auto` is `max` here */
        used.ranks = RANKS_MAX;
    if (p->ranks)
        text_ranks(out, &used);
    if (s->skip_rounds)
        text_rounds(out, s, p->skipped);
    text_account(out, &p->account, true);
    text_oversubscribed(out, &p->account);
    text_rank_values(out, p);
    text_falls(out, p);
    if (!p->falls)
        text_statistic(out, s);
    text_corrected(out, p);
    text_outliers(out, s);
}

static int show_points(struct session *s, struct cursor *c, const struct experiment *e,
                       const char *observable, bool spread)
{
    struct points_request request = session_points(s, c->arena, e, observable, &s->given);
    struct points points;
    if (points_make(c->arena, &request, c->diag, &points))
        return -1;
    bool *left_out = arena_zalloc(c->arena, points.n + 1, sizeof *left_out);
    if (points.n)
        mark_left_out(s, &points, left_out);
    if (session_interrupt)
        return -1;
    const char *statistic = statistics[s->now.prepare.statistic].name;
    if (s->json) {
        json_print(s->out,
                   "{experiment:%s observable:%s statistic:%s unit:%s points:%p "
                   "preprocessing:%p}",
                   e->name, observable, statistic, points_unit(&request),
                   json_points(&points, left_out), json_preprocessing(&s->now.prepare, &points));
        return 0;
    }
    text_experiment(s->out, s->data, e);
    text_observable(s->out, observable);
    if (e->nrows && points.rows == 0) {
        fputs("  no sample fulfils the condition\n", s->out);
        return 0;
    }
    if (points.n == 0 && points.account.lone) {
        text_account(s->out, &points.account, true);
        return 0;
    }
    if (points.rows && points.n == 0) {
        const char *reason = experiment_absent(s->data, e, observable);
        fprintf(s->out, "  no sample has a value of %s%s%s\n", observable, reason ? ": " : "",
                reason ? reason : "");
        return 0;
    }
    text_points(s->out, &points, points.falls ? "value" : statistic, spread, left_out);
    text_preparation(s->out, &s->now.prepare, &points);
    return 0;
}

int command_show(struct session *s, struct cursor *c)
{
    static const char *const words[] = {"spread", "where", NULL};
    struct span where;
    if (cursor_done(c)) {
        list_files(s);
        return 0;
    }
    char *name = cursor_experiment(c, &where);
    if (!name)
        return session_name_missing(s, c);
    const struct compose_definition *d = session_definition(s, name);
    if (d)
        return define_show(s, c, d);
    const struct experiment *e = session_experiment(s, c, name, where);
    if (!e)
        return -1;
    const char *observable = experiment_default_observable(e);
    if (cursor_keyword(c, "on") && !(observable = cursor_path(c, NULL)))
        return cursor_error_here(c, "the observable is missing: on OBS");
    bool spread = cursor_keyword(c, "spread");
    if (read_where(s, c, words))
        return -1;
    spread = cursor_keyword(c, "spread") || spread;
    if (cursor_finish(c))
        return -1;
    return show_points(s, c, e, observable, spread);
}
