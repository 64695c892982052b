/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ranking as text and as JSON. */
#include "llac/rank/rank.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "llac/json.h"
#include "llac/text.h"
#include "base/number.h"

/* ---- places */

/* "N=1e+08 P=65536"; on the way the values are rounded. */
static char *place_text(struct arena *a, const struct ranking *r, double part)
{
    char number[NUMBER_SIZE];
    double *values = arena_alloc(a, r->request->n + 1, sizeof *values);
    struct text t = text_new();
    rank_place(r, part, values);
    for (size_t i = 0; i < r->request->n; i++)
        text_printf(&t, "%s%s=%s", i ? " " : "", r->request->names[i],
                    part > 0 && part < 1 ? text_rounded(values[i], 3, number)
                                         : number_text(values[i], number));
    return text_keep(&t, a);
}

static json_t *json_place_at(const struct ranking *r, double part)
{
    if (isnan(part))
        return json_null();
    MEM_LOCAL double *values = mem_alloc(r->request->n + 1, sizeof *values);
    rank_place(r, part, values);
    return json_place((struct place){r->request->names, values, r->request->n});
}

/* ---- text */

static const char *unit_text(struct arena *a, const struct ranking *r)
{
    bool contains = false;
    for (size_t i = 0; i < r->nregions; i++)
        contains = contains || r->regions[i].contains;
    const char *unit =
        r->units.of_runs ? "times of all executions in one run of the program"
        : r->units.alone
            ? arena_printf(a, "times of one execution: %s, and samples were thinned", r->units.why)
            : arena_printf(a,
                           "times of one execution of each outermost region, because "
                           "%s",
                           r->units.why);
    return arena_printf(a, "%s%s", unit, contains ? "; without the regions inside (SELF)" : "");
}

/* ---- the table */

enum cell { NAME, SECONDS, SHARE, RANGE, GROWTH, EXECUTIONS, TERM, COLUMNS };

/* What the columns are called, and whether they begin or end at the same place. */
static const struct {
    const char *title, *before;
    bool left;
} columns[COLUMNS] = {
    [NAME] = {"region", "  ", true},        [SECONDS] = {"seconds", "  ", false},
    [SHARE] = {"share", "  ", false},       [RANGE] = {"typical 95 %", "   ", true},
    [GROWTH] = {"growth", "  ", false},     [EXECUTIONS] = {"executions", "  ", false},
    [TERM] = {"largest term", "   ", true},
};

struct cells {
    const char *text[COLUMNS]; /* NULL: the column is left out */
};

static struct cells cells_of(struct arena *a, const struct ranking *r, const struct rank_region *q)
{
    char number[NUMBER_SIZE], range[RANGE_SIZE];
    struct cells c = {.text = {[NAME] = q->experiment, [TERM] = *q->term ? q->term : "-"}};
    c.text[SECONDS] = arena_strdup(a, number_digits(q->there.value, 4, number));
    c.text[SHARE] = arena_printf(a, "%s %%", number_decimals(100 * q->share_there, 1, number));
    c.text[RANGE] = isnan(q->there.low)
                        ? "unknown"
                        : arena_strdup(a, text_of_range(q->there.low, q->there.high, 3, range));
    if (rank_is_way(r))
        c.text[GROWTH] = arena_strdup(a, number_digits(q->growth, 3, number));
    c.text[EXECUTIONS] = arena_strdup(a, number_digits(q->executions_there, 4, number));
    return c;
}

struct layout {
    int widths[COLUMNS];
    bool tight; /* one blank between columns */
};

static const char *before(const struct layout *l, int k)
{
    return l->tight && k != NAME ? " " : columns[k].before;
}

static int width_of(const struct layout *l)
{
    int sum = 0;
    for (int k = 0; k < COLUMNS; k++)
        sum += l->widths[k] ? l->widths[k] + (int)strlen(before(l, k)) : 0;
    return sum;
}

/* Columns are as wide as their longest cell. On a terminal of `room` columns (0: no terminal) they move
 * together, and then names and largest terms are cut, so that no line wraps. */
static struct layout choose_layout(const struct cells *rows, size_t n, int room)
{
    enum { LONG_NAME = 24, SHORT_NAME = 12, SHORT_TERM = 12 };
    static const struct {
        enum cell which;
        int least;
    } cuts[] = {{NAME, LONG_NAME}, {TERM, SHORT_TERM}, {NAME, SHORT_NAME},
                {TERM, 6},         {NAME, 8},          {TERM, 1}};
    struct layout l = {.tight = false};
    for (size_t i = 0; i < n; i++)
        for (int k = 0; k < COLUMNS; k++)
            if (rows[i].text[k] && (int)strlen(rows[i].text[k]) > l.widths[k])
                l.widths[k] = (int)strlen(rows[i].text[k]);
    l.tight = room && width_of(&l) > room;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts && l.tight; i++) {
        int *width = &l.widths[cuts[i].which], too_wide = width_of(&l) - room;
        int most = *width > cuts[i].least ? *width - cuts[i].least : 0;
        *width -= too_wide <= 0 ? 0 : too_wide < most ? too_wide : most;
    }
    return l;
}

/* What is cut ends in two points, and not within a character. */
static void text_cut(FILE *out, const char *text, int width)
{
    int n = width > 2 ? width - 2 : width;
    while (n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80)
        n--;
    fprintf(out, "%.*s%-*s", n, text, width - n, width > 2 ? ".." : "");
}

static void text_row(FILE *out, const struct cells *row, const struct layout *l)
{
    for (int k = 0; k < COLUMNS; k++) {
        int width = l->widths[k];
        if (!row->text[k])
            continue;
        fputs(before(l, k), out);
        if ((int)strlen(row->text[k]) > width)
            text_cut(out, row->text[k], width);
        else
            fprintf(out, "%*s", k == TERM ? 0 : columns[k].left ? -width : width, row->text[k]);
    }
    fputc('\n', out);
}

static void text_table(FILE *out, struct arena *a, const struct ranking *r, int room)
{
    char total[NUMBER_SIZE];
    struct cells *rows = arena_zalloc(a, r->nregions + 2, sizeof *rows);
    for (int k = 0; k < COLUMNS; k++)
        rows[0].text[k] = k == GROWTH && !rank_is_way(r) ? NULL : columns[k].title;
    for (size_t i = 0; i < r->nregions; i++)
        rows[i + 1] = cells_of(a, r, &r->regions[i]);
    struct cells *sum = &rows[r->nregions + 1];
    sum->text[NAME] = "together";
    sum->text[SECONDS] = number_digits(r->total_there, 4, total);
    struct layout l = choose_layout(rows, r->nregions + 2, room);
    text_style(out, TEXT_HEADING);
    text_row(out, &rows[0], &l);
    text_style(out, TEXT_PLAIN);
    for (size_t i = 1; i < r->nregions + 2; i++)
        text_row(out, &rows[i], &l);
}

/* ---- sentences */

struct sentences {
    struct arena *arena;
    const char **list;
    size_t n, room;
};

static void add_sentence(struct sentences *to, const char *text)
{
    ARENA_ADD(to->arena, to->list, to->n, &to->room, text);
}

static void add_notes(struct sentences *to, const struct rank_region *q)
{
    struct arena *a = to->arena;
    char value[NUMBER_SIZE], from[NUMBER_SIZE], end[NUMBER_SIZE];
    if (q->source == RANK_SEARCHED)
        add_sentence(to, arena_printf(a, "%s%s%s: no formula is given; a search found %s",
                                      q->experiment, q->contains ? " " : "",
                                      q->contains ? q->observable : "", q->formula));
    if (q->source == RANK_CLOCK)
        add_sentence(
            to,
            arena_printf(a, "%s SELF: by the formula of CLOCK, %s%s%s%s", q->experiment, q->formula,
                         q->refused ? "; a search found " : "", q->refused ? q->refused : "",
                         q->refused ? ", which predicts more than the whole region takes" : ""));
    for (size_t k = 0; k < q->nvariables; k++)
        add_sentence(to, q->variables[k].is->constant
                             ? arena_printf(a, "%s: %s is %s", q->experiment, q->variables[k].name,
                                            number_digits(q->variables[k].is->value, 6, value))
                             : arena_printf(a, "%s: %s follows a formula that a search found, %s",
                                            q->experiment, q->variables[k].name,
                                            q->variables[k].is->formula));
    if (q->executions_here != q->executions_there)
        add_sentence(to, arena_printf(a, "%s: executions %s from %s to %s", q->experiment,
                                      q->executions_here < q->executions_there ? "grow" : "fall",
                                      number_digits(q->executions_here, 4, from),
                                      number_digits(q->executions_there, 4, end)));
    if (isfinite(q->whole.value))
        add_sentence(to, arena_printf(a, "%s with the regions inside: %s s, by its own formula",
                                      q->experiment, number_digits(q->whole.value, 4, value)));
}

static const char *change_text(struct arena *a, const struct ranking *r,
                               const struct rank_change *c)
{
    const char *over = r->regions[c->overtakes].experiment,
               *under = r->regions[c->overtaken].experiment;
    if (isnan(c->at))
        return arena_printf(a, "cannot tell %s from %s at %s: their intervals overlap", under, over,
                            place_text(a, r, 1));
    if (isnan(c->from))
        return arena_printf(a, "%s overtakes %s at %s; the uncertainty is not known", over, under,
                            place_text(a, r, c->at));
    if (isnan(c->to))
        return arena_printf(a,
                            "cannot tell where %s overtakes %s: predicted at %s, but the intervals "
                            "overlap up to %s",
                            over, under, place_text(a, r, c->at), place_text(a, r, 1));
    return arena_printf(a, "%s overtakes %s at %s (between %s and %s)", over, under,
                        place_text(a, r, c->at), place_text(a, r, c->from),
                        place_text(a, r, c->to));
}

static void add_leaders(struct sentences *to, const struct ranking *r)
{
    struct arena *a = to->arena;
    if (r->nleaders == 0)
        return;
    const struct rank_region *first = &r->regions[r->leaders[0].region];
    const char *of = r->nmissing ? " of the regions that are predicted" : "";
    if (r->nleaders == 1)
        add_sentence(to,
                     arena_printf(a, "%s takes most time all the way%s", first->experiment, of));
    for (size_t i = 1; i < r->nleaders; i++)
        add_sentence(to, arena_printf(a, "%s takes most time from %s on%s%s%s",
                                      r->regions[r->leaders[i].region].experiment,
                                      place_text(a, r, r->leaders[i].from), of,
                                      i == 1 ? "; before: " : "", i == 1 ? first->experiment : ""));
}

/* What is to be said besides the table. */
static struct sentences all_sentences(struct arena *a, const struct ranking *r)
{
    enum { MOST_CHANGES = 20, MOST_MISSING = 50 };
    struct sentences to = {.arena = a};
    for (size_t i = 0; i < r->nmissing && i < MOST_MISSING; i++)
        add_sentence(&to, arena_printf(a, "not predicted: %s%s%s: %s", r->missing[i].experiment,
                                       r->missing[i].inside ? ", which is inside " : "",
                                       r->missing[i].inside ? r->missing[i].inside : "",
                                       r->missing[i].reason));
    if (r->nmissing > MOST_MISSING)
        add_sentence(&to, arena_printf(a, "%zu more regions are not predicted (--json lists all)",
                                       r->nmissing - MOST_MISSING));
    for (size_t i = 0; i < r->nregions; i++)
        add_notes(&to, &r->regions[i]);
    add_leaders(&to, r);
    for (size_t i = 0; i < r->nchanges && i < MOST_CHANGES; i++)
        add_sentence(&to, change_text(a, r, &r->changes[i]));
    if (r->nchanges > MOST_CHANGES)
        add_sentence(&to, arena_printf(a, "%zu more changes of the order (--json lists all)",
                                       r->nchanges - MOST_CHANGES));
    return to;
}

void text_ranking(FILE *out, const struct ranking *r, int room)
{
    ARENA_LOCAL struct arena *a = arena_create();
    const char *there = place_text(a, r, 1);
    text_wrapped(out, "  ", "%s",
                 rank_is_way(r) ? arena_printf(a, "at %s; growth from the end of the data, %s",
                                               there, place_text(a, r, 0))
                                : arena_printf(a, "at %s", there));
    text_wrapped(out, "  ", "%s", unit_text(a, r));
    text_table(out, a, r, room);
    struct sentences said = all_sentences(a, r);
    for (size_t i = 0; i < said.n; i++)
        text_wrapped(out, "  ", "%s", said.list[i]);
}

/* ---- JSON */

static json_t *json_value(struct rank_value v)
{
    return json_make("{value:%g low:%g high:%g}", v.value, v.low, v.high);
}

static json_t *json_region(const struct rank_region *q)
{
    static const char *const sources[] = {[RANK_OWN] = "source",
                                          [RANK_FITTED] = "fit",
                                          [RANK_CLOCK] = "clock",
                                          [RANK_SEARCHED] = "search"};
    json_t *variables = json_object(), *outside = json_array();
    for (size_t i = 0; i < q->nvariables; i++)
        json_set(variables, q->variables[i].name,
                 q->variables[i].is->constant ? json_number(q->variables[i].is->value)
                                              : json_text(q->variables[i].is->formula));
    for (size_t i = 0; i < q->outside->nextrapolates; i++)
        json_add(outside, "%s", q->outside->extrapolates[i].variable);
    json_t *here = json_value(q->here);
    json_put(here, "share:%g executions:%g", q->share_here, q->executions_here);
    return json_make("{experiment:%s observable:%s value:%g low:%g high:%g share:%g "
                     "growth:%g executions:%g one_execution:%p term:%s term_share:%g "
                     "formula:%s formula_from:%s variables:%p extrapolates:%p "
                     "contains_regions:%i with_regions_inside:%p at_end_of_data:%p}",
                     q->experiment, q->observable, q->there.value, q->there.low, q->there.high,
                     q->share_there, q->growth, q->executions_there, json_value(q->each),
                     *q->term ? q->term : NULL, q->term_share, q->formula, sources[q->source],
                     variables, outside, q->contains,
                     isnan(q->whole.value) ? NULL : json_value(q->whole), here);
}

static json_t *json_change(const struct ranking *r, const struct rank_change *c)
{
    bool certain = !isnan(c->at) && !isnan(c->from) && !isnan(c->to);
    return json_make("{region:%s overtakes:%s part:%g at:%p from:%p to:%p certain:%i}",
                     r->regions[c->overtakes].experiment, r->regions[c->overtaken].experiment,
                     c->at, json_place_at(r, c->at), json_place_at(r, c->from),
                     json_place_at(r, c->to), certain);
}

json_t *json_ranking(const struct ranking *r)
{
    json_t *regions = json_array(), *changes = json_array(), *leaders = json_array(),
           *missing = json_array();
    for (size_t i = 0; i < r->nregions; i++)
        json_array_append_new(regions, json_region(&r->regions[i]));
    for (size_t i = 0; i < r->nchanges; i++)
        json_array_append_new(changes, json_change(r, &r->changes[i]));
    for (size_t i = 0; i < r->nleaders; i++)
        json_add(leaders, "{region:%s part:%g from:%p}",
                 r->regions[r->leaders[i].region].experiment, r->leaders[i].from,
                 json_place_at(r, r->leaders[i].from));
    for (size_t i = 0; i < r->nmissing; i++)
        json_add(missing, "{experiment:%s inside:%s reason:%s}", r->missing[i].experiment,
                 r->missing[i].inside, r->missing[i].reason);
    return json_make("{at:%p end_of_data:%p unit:%s unit_reason:%s together:%g regions:%p "
                     "changes:%p largest:%p not_predicted:%p}",
                     json_place_at(r, 1), json_place_at(r, 0),
                     r->units.of_runs ? "run" : "execution", r->units.why, r->total_there, regions,
                     changes, leaders, missing);
}

json_t *json_ranking_told(const struct ranking *r)
{
    ARENA_LOCAL struct arena *a = arena_create();
    json_t *j = json_ranking(r);
    struct sentences said = all_sentences(a, r);
    json_put(j, "place:%s start:%s unit_text:%s sentences:%p", place_text(a, r, 1),
             rank_is_way(r) ? place_text(a, r, 0) : NULL, unit_text(a, r),
             json_texts((const char *const *)said.list, said.n));
    return j;
}
