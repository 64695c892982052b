/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The models of all experiments, as text and as JSON (all.h). */
#include <math.h>
#include <string.h>

#include "llac/fit/all.h"
#include "llac/plot/small.h"
#include "llac/fit/output.h"
#include "llac/json.h"
#include "llac/text.h"
#include "base/number.h"

enum { MOST_NAME = 48, MOST_GROWTH = 30 };

static const char *label(struct arena *a, const struct all_model *q)
{
    return strcmp(q->observable, "CLOCK") == 0
               ? q->experiment
               : arena_printf(a, "%s %s", q->experiment, q->observable);
}

static int width_of(struct arena *a, const struct all_models *all, bool growth, int most)
{
    int width = 6;
    for (size_t i = 0; i < all->n; i++) {
        int n = (int)strlen(growth ? all->list[i].growth : label(a, &all->list[i]));
        width = n > width ? n : width;
    }
    return width < most ? width : most;
}

/* The codes of the warnings about this region alone. */
static char *flags_of(struct arena *a, const struct model *m)
{
    const struct warnings *w = model_warnings(m);
    char *text = "";
    for (size_t i = 0; i < w->n; i++)
        if (!warning_is_of_machine(&w->list[i]) && !strstr(text, w->list[i].code))
            text = arena_printf(a, "%s%s%s", text, *text ? ", " : "", w->list[i].code);
    return text;
}

static void text_model(FILE *out, struct arena *a, const struct all_models *all,
                       const struct all_model *q)
{
    char error[NUMBER_SIZE], seconds[NUMBER_SIZE], share[NUMBER_SIZE];
    const char *growth =
        isnan(q->share) || q->share > 0.995
            ? q->growth
            : arena_printf(a, "%s (%s %%)", q->growth, number_decimals(100 * q->share, 0, share));
    const char *flags = flags_of(a, q->model);
    int width = *flags || q->searched ? width_of(a, all, true, MOST_GROWTH) + 7 : 0;
    fprintf(out, "  %-*s %10s %8s %%   %-*s", width_of(a, all, false, MOST_NAME), label(a, q),
            isnan(q->seconds) ? "-" : number_digits(q->seconds, 3, seconds),
            number_digits(model_error(q->model)->mean_pct, 2, error), width, growth);
    if (q->searched)
        text_styled(out, TEXT_NOTE, " searched");
    if (*flags)
        text_styled(out, TEXT_WARNING, " %s", flags);
    fputc('\n', out);
}

/* searched: only the models whose formulas were searched. */
static void print_table(FILE *out, struct arena *a, const struct all_models *all, bool searched)
{
    bool any = false;
    for (size_t i = 0; i < all->n; i++) {
        if (!all->list[i].model || (searched && !all->list[i].searched))
            continue;
        if (!any)
            text_heading(out, "  %-*s %10s %10s   %-*s %s\n", width_of(a, all, false, MOST_NAME),
                         "region", "seconds", "error", width_of(a, all, true, MOST_GROWTH) + 7,
                         "growth", "warnings");
        any = true;
        text_model(out, a, all, &all->list[i]);
    }
}

/* How many models have the warning; *first gets that of the region that took most time. */
static size_t count_warning(const struct all_models *all, const char *code,
                            const struct warning **first, const char **region)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++) {
        const struct warnings *w = all->list[i].model ? model_warnings(all->list[i].model) : NULL;
        bool has = false;
        for (size_t k = 0; w && k < w->n && !has; k++) {
            if (strcmp(w->list[k].code, code) != 0)
                continue;
            if (n == 0) {
                *first = &w->list[k];
                *region = all->list[i].experiment;
            }
            has = true;
        }
        n += has;
    }
    return n;
}

/* Each warning about the machine once: for the region that took most time, and in how many it is. */
static void text_machine(FILE *out, struct arena *a, const struct all_models *all, size_t models)
{
    size_t ncodes;
    const char *const *codes = warning_codes_of_machine(&ncodes);
    for (size_t i = 0; i < ncodes; i++) {
        const struct warning *w = NULL;
        const char *region = "";
        size_t n = count_warning(all, codes[i], &w, &region);
        if (!w)
            continue;
        const char *where =
            n == models ? arena_printf(a, "in all regions, in %s", region)
                        : arena_printf(a, "in %zu of %zu regions, in %s", n, models, region);
        text_wrapped(out, "  machine: ", "%s",
                     models == 1 ? w->text
                                 : arena_printf(a, "%s (%s): %s", w->code, where, w->text));
        if (*w->advice)
            text_wrapped(out, "           -> ", "%s", w->advice);
    }
}

/* What was left out, of all models together. */
static void text_left_out(FILE *out, struct arena *a, const struct all_models *all)
{
    size_t samples = 0, preempted = 0, first = 0;
    for (size_t i = 0; i < all->n; i++) {
        if (!all->list[i].model)
            continue;
        const struct points_account *k = &model_points(all->list[i].model)->account;
        samples += k->samples;
        preempted += k->left_out;
        first += k->first + k->opening;
    }
    const char *some = preempted ? arena_printf(a, " %zu preempted", preempted) : "";
    const char *others = first ? arena_printf(a, " %zu first executions", first) : "";
    if (preempted || first)
        fprintf(out, "  left out of %zu samples:%s%s%s\n", samples, some,
                preempted && first ? "," : "", others);
}

/* Without a model there is still what was measured. */
static void text_measured(FILE *out, struct arena *a, const struct all_model *q)
{
    const struct points *p = q->few;
    const char *unit = points_unit(p->request);
    for (size_t i = 0; i < p->n; i++) {
        char value[NUMBER_SIZE];
        fprintf(out, "    measured at %s: %s%s%s, %s of %zu sample%s\n", points_label(a, p, i),
                number_digits(p->value[i], 4, value), *unit ? " " : "", unit,
                statistics[p->request->statistic].text, p->count[i], p->count[i] == 1 ? "" : "s");
    }
}

static void text_missing(FILE *out, struct arena *a, const struct all_models *all)
{
    for (size_t i = 0; i < all->n; i++) {
        const struct all_model *q = &all->list[i];
        if (!q->model)
            text_wrapped(out, "  ", "no model: %s: %s", label(a, q), q->reason);
        if (!q->model && q->few)
            text_measured(out, a, q);
    }
}

/* Where it was measured, if the points are too few; null otherwise. */
static json_t *json_measured(const struct points *p)
{
    json_t *list = p ? json_array() : json_null();
    for (size_t i = 0; p && i < p->n; i++)
        json_add(list, "{at:%p value:%g samples:%zu}", json_point(p, i), p->value[i], p->count[i]);
    return list;
}

static size_t count_models(const struct all_models *all)
{
    size_t n = 0;
    for (size_t i = 0; i < all->n; i++)
        n += all->list[i].model != NULL;
    return n;
}

void text_all(struct session *s, const struct all_models *all)
{
    ARENA_LOCAL struct arena *a = arena_create();
    print_table(s->out, a, all, false);
    text_missing(s->out, a, all);
    text_left_out(s->out, a, all);
    text_machine(s->out, a, all, count_models(all));
}

void text_all_in_full(struct session *s, const struct all_models *all, bool small)
{
    enum { MOST_POINTS = 300 }; /* of a plot of characters that shows something */
    ARENA_LOCAL struct arena *a = arena_create();
    size_t models = count_models(all);
    for (size_t i = 0; i < all->n; i++) {
        const struct all_model *q = &all->list[i];
        if (!q->model || q->searched)
            continue;
        text_fit(s->out, q->state, q->model, models == 1);
        if (small && model_points(q->model)->n <= MOST_POINTS)
            plot_small_of_model(s->out, q->model, session_columns(s));
    }
    print_table(s->out, a, all, true);
    text_missing(s->out, a, all);
    if (models > 1)
        text_machine(s->out, a, all, models);
}

json_t *json_all(const struct all_models *all)
{
    json_t *models = json_array(), *missing = json_array();
    for (size_t i = 0; i < all->n; i++) {
        const struct all_model *q = &all->list[i];
        if (!q->model) {
            json_add(missing, "{experiment:%s observable:%s reason:%s measured:%p}", q->experiment,
                     q->observable, q->reason, json_measured(q->few));
            continue;
        }
        json_t *j = json_fit(q->state, q->model);
        json_put(j, "searched:%i seconds:%g growth:%s growth_share:%g", q->searched, q->seconds,
                 q->growth, q->share);
        json_array_append_new(models, j);
    }
    return json_make("{models:%p missing:%p schema:%d}", models, missing, 1);
}
