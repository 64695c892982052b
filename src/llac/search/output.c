/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searches and comparisons of formulas, as text and as JSON (search.h). */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "llac/data/account.h"
#include "llac/fit/output.h"
#include "llac/json.h"
#include "llac/search/search.h"
#include "llac/text.h"

static int longest(const char *const *texts, size_t n, int least)
{
    for (size_t i = 0; i < n; i++)
        if ((int)strlen(texts[i]) > least)
            least = (int)strlen(texts[i]);
    return least;
}

/* A difference with its sign: "+0.0", "-12.5". */
static char *signed_text(double x, char buffer[NUMBER_SIZE + 1])
{
    number_decimals(x, 1, buffer + 1);
    buffer[0] = '+';
    return buffer[1] == '-' || isnan(x) ? buffer + 1 : buffer;
}

/* ---- search ---- */

/* A smaller chance that the largest size does not belong to the rest is not mentioned. */
#define LAST_SHARE_SHOWN 0.05

static void text_runners_up(FILE *out, struct arena *a, const struct search_result *r)
{
    const char **texts = arena_alloc(a, r->ncandidates, sizeof *texts);
    char number[NUMBER_SIZE + 1];
    for (size_t i = 0; i < r->ncandidates; i++) {
        texts[i] = r->candidates[i].text;
        if (r->candidates[i].divided)
            texts[i] = arena_printf(a, "%s, intervals", texts[i]);
    }
    int width = longest(texts, r->ncandidates, 10);
    fprintf(out, "  the data cannot tell these formulas apart:\n    %-*s  left out  share", width,
            "");
    for (size_t p = 0; p < r->nplaces; p++)
        fprintf(out, "  %11s", text_place(a, text_place_part(r->places[p].place, p, 1)));
    fputc('\n', out);
    for (size_t i = 0; i < r->ncandidates; i++) {
        fprintf(out, "    %-*s  %6s %%  %3.0f %%", width, texts[i],
                number_digits(r->candidates[i].cv_pct, 2, NUMBER_BUFFER),
                100 * r->candidates[i].share);
        for (size_t p = 0; p < r->nplaces; p++)
            fprintf(out, "  %11s",
                    isnan(r->places[p].values[i])
                        ? "-"
                        : number_digits(r->places[p].values[i], 4, number));
        fputc('\n', out);
    }
}

void text_search(FILE *out, const struct fit_state *state, const struct model *m,
                 const struct search_result *r)
{
    ARENA_LOCAL struct arena *a = arena_create();
    const char *unit = text_unit(state->observable);
    text_fit(out, state, m, true);
    fprintf(out, "  found among %zu sums of %zu terms%s%s%s; leave-one-out error: %.2g %%\n",
            r->formulas + 1, r->library, r->level ? " (the shorter library)" : "",
            r->used < model_points(m)->n ? arena_printf(a, ", at %zu of the points", r->used) : "",
            r->left_out ? arena_printf(a, ", without %zu outlier%s", r->left_out,
                                       r->left_out == 1 ? "" : "s")
                        : "",
            r->candidates[0].cv_pct);
    if (r->ncandidates > 1)
        text_runners_up(out, a, r);
    else
        fputs("  none of the other formulas tried explains the data as well\n", out);
    if (r->last_share >= LAST_SHARE_SHOWN)
        fprintf(out,
                "  the largest %s may be disturbed, or the first of another regime (%.0f %%):\n"
                "  predictions consider both; measure there again, and beyond\n",
                r->variables[0], 100 * r->last_share);
    for (size_t p = 0; p < r->nplaces; p++) {
        const struct search_place *q = &r->places[p];
        if (!(q->low <= q->high))
            continue;
        fprintf(out, "  at %s: ", text_place(a, q->place));
        fprintf(out, "%s%s, typical %s", number_digits(q->typical, 4, NUMBER_BUFFER), unit,
                text_of_range(q->typical_low, q->typical_high, 4, (char[RANGE_SIZE]){0}));
        if (r->ncandidates > 1)
            fprintf(out, " (the formulas: %s to %s%s)", number_digits(q->low, 4, NUMBER_BUFFER),
                    number_digits(q->high, 4, NUMBER_BUFFER), unit);
        fputc('\n', out);
    }
    if (r->next.place.n)
        fprintf(out,
                "  the points do not tell how the variables combine; one more would tell most, at\n"
                "  %s: the formulas say %s to %s%s there\n",
                text_place(a, r->next.place), number_digits(r->next.low, 4, NUMBER_BUFFER),
                number_digits(r->next.high, 4, NUMBER_BUFFER), unit);
}

json_t *json_search(const struct fit_state *state, const struct model *m,
                    const struct search_result *r)
{
    json_t *list = json_array(), *places = json_array();
    for (size_t i = 0; i < r->ncandidates; i++) {
        const struct search_candidate *c = &r->candidates[i];
        json_add(list,
                 "{formula:%s terms:%zu intervals:%i difference:%g cv_pct:%g share:%g "
                 "constants:%p}",
                 c->text, c->terms, c->divided, c->criterion - r->candidates[0].criterion,
                 c->cv_pct, c->share, json_constants(c->model));
    }
    for (size_t p = 0; p < r->nplaces; p++) {
        const struct search_place *q = &r->places[p];
        json_add(places,
                 "{at:%p values:%p low:%g high:%g typical:%g typical_low:%g "
                 "typical_high:%g}",
                 json_place(q->place), json_numbers(q->values, r->ncandidates), q->low, q->high,
                 q->typical, q->typical_low, q->typical_high);
    }
    json_t *next = r->next.place.n ? json_make("{at:%p low:%g high:%g}", json_place(r->next.place),
                                               r->next.low, r->next.high)
                                   : NULL;
    return json_make("{experiment:%s observable:%s formula:%s candidates:%p beyond:%p variables:%p "
                     "library:%zu points_used:%zu points_left_out:%zu formulas_tried:%zu "
                     "last_share:%g next?:%p fit:%p schema:%d}",
                     state->experiment, state->observable, state->formula_text, list, places,
                     json_texts(r->variables, r->nvariables), r->library, r->used, r->left_out,
                     r->formulas + 1, r->last_share, next, json_fit(state, m), 1);
}

/* ---- compare ---- */

static char name_of(size_t i)
{
    return (char)('A' + i);
}

/* The verdict in words. */
static char *verdict_text(struct arena *a, const struct comparison *c)
{
    const struct compared *best = &c->formulas[c->best], *rival = &c->formulas[c->rival];
    char b = name_of(c->best), r = name_of(c->rival);
    if (c->verdict == VERDICT_DECIDED)
        return arena_printf(
            a, "%c explains the data better than the others%s", b,
            isnan(best->beyond_mean_pct) ? "; too few points to leave out the largest sizes" : "");
    if (c->verdict == VERDICT_CONFLICT)
        return arena_printf(a,
                            "undecided: %c explains the data best, but %c predicts the largest "
                            "sizes better when they are left out (%.2g %% instead of %.2g %%)",
                            b, r, rival->beyond_mean_pct, best->beyond_mean_pct);
    char *names = "";
    size_t same = 0, seen = 0;
    for (size_t i = 0; i < c->n; i++)
        same += c->formulas[i].difference <= COMPARE_SAME;
    for (size_t i = 0; i < c->n; i++)
        if (c->formulas[i].difference <= COMPARE_SAME)
            names = arena_printf(a, "%s%s%c", names,
                                 seen++ == 0    ? ""
                                 : seen == same ? " and "
                                                : ", ",
                                 name_of(i));
    char *text = arena_printf(a, "the data cannot decide between %s", names);
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < c->n; i++) {
        if (c->formulas[i].difference > COMPARE_SAME || isnan(c->formulas[i].at))
            continue;
        low = fmin(low, c->formulas[i].at);
        high = fmax(high, c->formulas[i].at);
    }
    if (low <= high)
        text = arena_printf(
            a, "%s; at %s they predict %.4g to %.4g: measure there, or closer to the data", text,
            text_place(a, c->place), low, high);
    return text;
}

static void text_percent(FILE *out, double x)
{
    if (isnan(x))
        fprintf(out, "  %8s", "-");
    else
        fprintf(out, "  %6s %%", number_digits(x, 3, NUMBER_BUFFER));
}

void text_comparison(FILE *out, const struct fit_state *state, const struct comparison *c)
{
    ARENA_LOCAL struct arena *a = arena_create();
    char number[NUMBER_SIZE + 1];
    fprintf(out,
            "%s%s%s: %zu points; the %zu with the largest sizes are left out for "
            "'beyond'\n",
            state->experiment, strcmp(state->observable, "CLOCK") == 0 ? "" : " ",
            strcmp(state->observable, "CLOCK") == 0 ? "" : state->observable, c->points,
            c->left_out);
    text_spread(out, model_points(c->formulas[0].model)->request);
    for (size_t i = 0; i < c->n; i++) {
        fprintf(out, "%c  %s\n", name_of(i), c->formulas[i].text);
        text_constants(out, c->formulas[i].model);
    }
    fprintf(out, "   values      mean       max  left out    beyond      AICc  likely\n");
    for (size_t i = 0; i < c->n; i++) {
        const struct compared *k = &c->formulas[i];
        fprintf(out, "%c  %6zu", name_of(i), k->parameters);
        text_percent(out, k->error.mean_pct);
        text_percent(out, k->error.max_pct);
        text_percent(out, k->error.loo_mean_pct);
        text_percent(out, k->beyond_mean_pct);
        if (isfinite(k->difference))
            fprintf(out, "  %8s  %4s %%\n", signed_text(k->difference, number),
                    number_decimals(100 * k->weight, 0, NUMBER_BUFFER));
        else
            fprintf(out, "  %8s  %6s\n", "-", "-");
    }
    text_account(out, &model_points(c->formulas[c->best].model)->account, true);
    text_oversubscribed(out, &model_points(c->formulas[c->best].model)->account);
    text_wrapped(out, "  ", "%s", verdict_text(a, c));
}

json_t *json_comparison(const struct fit_state *state, const struct comparison *c)
{
    static const char *const verdicts[] = {"decided", "undecided", "conflict"};
    ARENA_LOCAL struct arena *a = arena_create();
    json_t *list = json_array();
    for (size_t i = 0; i < c->n; i++) {
        const struct compared *k = &c->formulas[i];
        json_add(list,
                 "{formula:%s constants:%p parameters:%zu mean_pct:%g max_pct:%g "
                 "loo_mean_pct:%g beyond_mean_pct:%g beyond_max_pct:%g aicc:%g "
                 "difference:%g weight:%g at:%g}",
                 k->text, json_constants(k->model), k->parameters, k->error.mean_pct,
                 k->error.max_pct, k->error.loo_mean_pct, k->beyond_mean_pct, k->beyond_max_pct,
                 k->aicc, k->difference, k->weight, k->at);
    }
    return json_make("{experiment:%s observable:%s formulas:%p verdict:%s best:%zu rival:%p "
                     "text:%s points:%zu left_out:%zu place:%p unit:%s schema:%d account:%p}",
                     state->experiment, state->observable, list, verdicts[c->verdict], c->best,
                     c->verdict == VERDICT_DECIDED ? json_null()
                                                   : json_integer((json_int_t)c->rival),
                     verdict_text(a, c), c->points, c->left_out, json_place(c->place),
                     points_unit(model_points(c->formulas[c->best].model)->request), 1,
                     json_account(&model_points(c->formulas[c->best].model)->account));
}

/* ---- advise ---- */
