/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The formulas of all counts, and the tables of them: those with the largest counts first. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/printable.h"
#include "base/sort.h"
#include "base/text.h"
#include "call/discover/discover.h"
#include "call/run/limits.h"

enum { MOST_SHOWN = 40, MOST_FORMULA = 44, MOST_NAME = 100 };

/* ---- formulas ---- */

/* A transform of n = 2^k points may do something else at all other n. If no formula is right at all sizes, one that is right at
 * those of --vary holds at the place if that is of their kind. */
static void find_given(struct request *q, struct counted *c)
{
    struct plan_rows rows = plan_rows(q, 0, true, false);
    struct discover_points p = plan_points(q, &rows);
    struct discover_formula f;
    if (c->formula.verdict <= DISCOVER_STEPS || p.n == q->ndone || !extra_is_alike(q))
        return;
    discover_find(q->arena, &p, plan_counts(q, &rows, c->at), false, &f);
    if (f.verdict > DISCOVER_STEPS)
        return;
    f.verdict = DISCOVER_STEPS;
    c->formula = f;
    c->only_given = true;
}

static void find_formula(struct request *q, const struct plan_rows *rows,
                         const struct discover_points *p, struct lookup *known, struct counted *c,
                         size_t index)
{
    struct counts_table *t = &q->counts;
    bool varies = c->damaged || counted_varies(q, c);
    const uint64_t *counts = plan_counts(q, rows, c->at);
    const char *key = arena_printf(q->arena, "%s%s", plan_counts_text(q, counts, rows->n),
                                   varies ? "varies" : "");
    size_t same = lookup_find(known, key, strlen(key));
    if (same == SIZE_MAX) {
        discover_find(q->arena, p, counts, varies, &c->formula);
        if (!varies)
            find_given(q, c);
        lookup_add(known, q->arena, key, index);
    } else {
        c->formula = t->list[same].formula;
        c->only_given = t->list[same].only_given;
    }
}

double report_here(const struct request *q, const struct counted *c)
{
    size_t row = plan_row_of_place(q);
    if (row < q->nrows || (row != SIZE_MAX && !c->argument)) /* arguments are not told beyond */
        return (double)c->at[row];
    return discover_value(&c->formula, q->place) * extra_part_beyond(q, c);
}

void report_sum(struct request *q, struct counted *c, bool by_data)
{
    if (by_data) {
        struct plan_rows rows = plan_rows(q, 0, false, false);
        struct discover_points p = plan_points(q, &rows);
        discover_find(q->arena, &p, plan_counts(q, &rows, c->at), true, &c->formula);
    } else {
        report_formula(q, c);
    }
    c->here = report_here(q, c);
}

/* Larger ones first; what is not known at the place by its largest count. */
static double weight(const struct counted *c, size_t nrows)
{
    double most = 0;
    for (size_t i = 0; i < nrows; i++)
        most = fmax(most, (double)c->at[i]);
    if (c->only_below)
        most = fmax(most, (double)c->at[nrows + 1]);
    return isnan(c->here) ? most : c->here;
}

static int by_weight(const void *x, const void *y, void *context)
{
    const struct counted *p = x, *q = y;
    size_t nrows = *(const size_t *)context;
    double a = weight(p, nrows), b = weight(q, nrows);
    if (a != b)
        return a > b ? -1 : 1;
    int order = strcmp(p->file, q->file);
    if (!order)
        order = p->line < q->line ? -1 : p->line > q->line;
    if (!order)
        order = strcmp(p->name, q->name);
    return order ? order : p->order < q->order ? -1 : p->order > q->order;
}

void report_formula(struct request *q, struct counted *c)
{
    struct plan_rows rows = plan_rows(q, 0, false, false);
    struct discover_points p = plan_points(q, &rows);
    find_formula(q, &rows, &p, &(struct lookup){0}, c, 0);
}

void report_formulas(struct request *q)
{
    struct counts_table *t = &q->counts;
    struct plan_rows rows = plan_rows(q, 0, false, false);
    struct discover_points p = plan_points(q, &rows);
    struct lookup known = {0};
    struct counted *never = arena_alloc(q->arena, t->n + 1, sizeof *never);
    size_t kept = 0, nnever = 0;
    for (size_t i = 0; i < t->n; i++) {
        bool ran = false;
        for (size_t r = 0; r < q->nrows; r++)
            ran |= q->done[r] && t->list[i].at[r];
        if (ran)
            t->list[kept++] = t->list[i];
        else
            never[nnever++] = t->list[i];
    }
    t->n = kept;
    kept = 0;
    struct runs_progress progress = runs_begin(q, "finding formulas", t->n);
    for (size_t i = 0; i < t->n && !process_signal(); i++) {
        runs_show_part(&progress, i);
        find_formula(q, &rows, &p, &known, &t->list[i], i);
        t->list[i].here = report_here(q, &t->list[i]);
        kept = i + 1;
    }
    runs_show_part(&progress, SIZE_MAX);
    q->left_out = t->n - kept;
    if (q->left_out)
        say("call discover: %zu counts are left out, because a signal ended the search for their "
            "formulas\n",
            q->left_out);
    t->n = kept;
    for (size_t i = 0; i < t->n; i++)
        extra_holds_beyond(q, &t->list[i]);
    extra_extend_to_beyond(q);
    chains_find(q);
    arguments_find(q);
    regions_doubt_constants(q);
    extra_add_beyond(q, never, nnever);
    sort_with(t->list, t->n, sizeof *t->list, by_weight, &q->nrows);
}

/* ---- the tables ---- */

/* The sizes that --vary does not have at which the formula is wrong: "n = 367, 727". */
static const char *refuting_sizes(struct request *q, const struct counted *c)
{
    const char *result = "";
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < q->nrows; i++) {
        size_t v = extra_variable(q, i);
        bool is_known = false; /* with other sizes of the others */
        for (size_t k = 0; k < i && v != SIZE_MAX; k++)
            is_known |= extra_refutes(q, k, c) && extra_variable(q, k) == v &&
                        q->rows[k][v] == q->rows[i][v];
        if (is_known || !extra_refutes(q, i, c))
            continue;
        const char *name = arena_printf(q->arena, "%s = ", q->names[v]);
        result = arena_printf(q->arena, "%s%s%s%lld", result, *result ? ", " : "",
                              v == last ? "" : name, (long long)q->rows[i][v]);
        last = v;
    }
    return result;
}

static const char *formula_text(struct request *q, const struct counted *c)
{
    const struct discover_formula *f = &c->formula;
    struct arena *a = q->arena;
    if (c->chain)
        return c->chain->text;
    if (!f->text)
        return "-";
    if (f->verdict == DISCOVER_DATA)
        return arena_printf(a, "about %s, within %s %%", f->text,
                            number_digits(100 * f->scatter, 2, NUMBER_BUFFER));
    if (c->only_given)
        return arena_printf(a, "%s, not at %s", f->text, refuting_sizes(q, c));
    if (f->verdict == DISCOVER_REFUTED) {
        size_t row = c->only_below ? q->nrows + 1 : 0;
        for (size_t i = 0, n = 0; i < q->nrows && !c->only_below; i++)
            if (q->done[i] && n++ == f->refuted_by)
                row = i;
        return arena_printf(a, "%s, not at %s", f->text, plan_title(q, q->rows[row]));
    }
    return f->text;
}

/* Is there another function whose name is the same in short? */
static bool has_namesake(const struct request *q, const struct counted *c)
{
    ARENA_LOCAL struct arena *a = arena_create();
    const char *name = table_short_name(a, c->name);
    for (size_t i = 0; strcmp(name, c->name) != 0 && i < q->counts.n; i++) {
        const struct counted *other = &q->counts.list[i];
        if (!other->is_loop && other->owner != c->owner && strcmp(other->name, c->name) != 0 &&
            !strcmp(table_short_name(a, other->name), name))
            return true;
    }
    return false;
}

/* The name of a template can fill a page. */
static const char *short_name(struct request *q, const struct counted *c)
{
    const char *name = has_namesake(q, c) ? regions_named_part(q->arena, c->name)
                                          : table_short_name(q->arena, c->name);
    return strlen(name) <= MOST_NAME ? name : arena_printf(q->arena, "%.*s...", MOST_NAME, name);
}

enum table { TABLE_LOOPS, TABLE_CALLS, TABLE_SUMS };

static bool is_in(const struct counted *c, enum table table)
{
    return c->argument ? table == TABLE_SUMS && c->is_used : table == !c->is_loop;
}

/* What a sum of arguments is called, and else the name of the function. */
static const char *row_name(struct request *q, const struct counted *c)
{
    return c->argument ? c->sum : short_name(q, c);
}

static void print_table(struct request *q, enum table table, const struct counted *list,
                        size_t nlist)
{
    static const char *const titles[] = {"iterations of loops", "calls of functions",
                                         "sums over the run"};
    size_t n = 0;
    int width = 8;
    FILE *out = printable_stream(stdout);
    for (size_t i = 0; i < nlist; i++)
        if (is_in(&list[i], table) && n++ < MOST_SHOWN) {
            int length = (int)strlen(formula_text(q, &list[i]));
            width = length > width ? length < MOST_FORMULA ? length : MOST_FORMULA : width;
        }
    if (n)
        fprintf(out, "%s at %s\n", titles[table], plan_place_title(q));
    n = 0;
    for (size_t i = 0; i < nlist; i++) {
        const struct counted *c = &list[i];
        if (!is_in(c, table) || n++ >= MOST_SHOWN)
            continue;
        fprintf(out, "  %12s  %-7s  %-*s  %s  %s:%u%s\n",
                isnan(c->here)
                    ? "-"
                    : number_digits(c->here, c->here == floor(c->here) ? 15 : 4, NUMBER_BUFFER),
                discover_verdicts[chains_verdict(c)], width, formula_text(q, c), row_name(q, c),
                c->file, c->line, c->refused ? ", a part of its callers" : "");
    }
    if (n > MOST_SHOWN)
        fprintf(out, "  and %zu more, which --json lists\n", n - MOST_SHOWN);
    fclose(out);
}

/* The share of the iterations that each verdict has; apart, of those that have it by other counts, by arguments, and so on. */
static void print_shares(struct request *q)
{
    static const char *const ways[WAYS] = {"", " by other counts", " by arguments",
                                           " by bounds or bytes", " by their own bounds"};
    const struct counts_table *t = &q->counts;
    double sums[4][WAYS] = {{0}}, all = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct counted *c = &t->list[i];
        if (!c->is_loop)
            continue;
        double x = weight(c, q->nrows);
        sums[chains_verdict(c)][chains_way(c)] += x;
        all += x;
    }
    if (!(all > 0)) {
        printf("no loop was executed\n");
        return;
    }
    if (!isfinite(all)) { /* 2^n */
        printf("more than 1e308 iterations\n");
        return;
    }
    printf("of %s iterations", number_digits(all, 4, NUMBER_BUFFER));
    for (size_t k = 0, n = 0; k < sizeof sums / sizeof **sums; k++) {
        double sum = sums[k / WAYS][k % WAYS];
        if (sum > 0)
            printf("%s %s %% %s%s", n++ ? "," : "",
                   sum < 0.001 * all ? "under 0.1"
                                     : number_digits(100 * sum / all, 3, NUMBER_BUFFER),
                   discover_verdicts[k / WAYS], ways[k % WAYS]);
    }
    printf("\n");
}

/* ---- what limits the formulas ---- */

/* Does a formula use this variable? */
static bool is_used(const struct counts_table *t, size_t v)
{
    for (size_t i = 0; i < t->n; i++)
        for (size_t j = 0; j < t->list[i].formula.nterms; j++)
            if (t->list[i].formula.terms[j].of[v].power)
                return true;
    return false;
}

/* "all sizes of n are multiples of 128": what is not known, because they have something in common. */
static void print_common(const struct request *q, size_t v)
{
    const struct range *sizes = &q->sizes[v];
    int64_t divisor = extra_divisor(sizes), ratio = extra_ratio(sizes);
    const char *name = q->names[v];
    if ((divisor < 2 && ratio < 2 && !extra_few_times_two(sizes)) || !is_used(&q->counts, v) ||
        q->extra_end[v] == EXTRA_COUNTED)
        return;
    if (divisor > 1)
        printf(
            "all sizes of %s are multiples of %lld, so a step of that size or less cannot be told from a "
            "product; ",
            name, (long long)divisor);
    else if (ratio < 2)
        printf(
            "all sizes of %s are one or two numbers times powers of 2, so other sizes may have other formulas; ",
            name);
    else
        printf("all sizes of %s are powers of %lld, so other sizes may have other formulas; ", name,
               (long long)ratio);
    if (q->extra_end[v] == EXTRA_NOT_RUN)
        printf("another size such as %lld shows it\n", (long long)sizes->values[sizes->n / 2] + 1);
    else
        printf("%s = %lld was tried, and the program %s\n", name, (long long)q->extra[v][0],
               q->extra_end[v] == EXTRA_FAILED ? "failed or did not end"
                                               : "did something else there");
}

/* Do two rows differ in this variable alone? */
static bool differ_in(const struct request *q, size_t x, size_t y, size_t v)
{
    for (size_t i = 0; i < q->nvariables; i++)
        if ((q->rows[x][i] != q->rows[y][i]) != (i == v))
            return false;
    return q->done[x] && q->done[y];
}

/* Has every count the same value at all sizes of this variable? */
static bool is_without_effect(const struct request *q, size_t v)
{
    bool seen = false;
    double most = q->sizes[v].values[q->sizes[v].n - 1];
    for (size_t x = 0; x < q->nrows; x++)
        for (size_t y = 0; y < x; y++) {
            if (!differ_in(q, x, y, v))
                continue;
            seen = true;
            for (size_t i = 0; i < q->counts.n; i++)
                if (q->counts.list[i].at[x] != q->counts.list[i].at[y])
                    return false;
        }
    bool is_beyond = q->beyond_end == EXTRA_COUNTED && (double)q->beyond[v] > most;
    for (size_t i = 0; i < q->counts.n && is_beyond; i++)
        if (q->counts.list[i].only_below) /* what a larger size executes is other work */
            return false;
    return seen;
}

static void print_notes(struct request *q)
{
    for (size_t v = 0; v < q->nvariables; v++) {
        size_t n = q->sizes[v].n;
        if (v != q->processors && is_without_effect(q, v))
            printf("no count depends on %s: does the program use it?\n", q->names[v]);
        else if (n < 3)
            printf(
                "%s has %zu size%s: a formula must be right at two sizes more than it has unknowns; give five "
                "or six\n",
                q->names[v], n, n == 1 ? "" : "s");
        else
            print_common(q, v);
    }
    if (!q->again_done)
        printf(
            "no size was run twice, so counts that differ between equal runs were not noticed\n");
}

void report_print(struct request *q)
{
    print_table(q, TABLE_LOOPS, q->counts.list, q->counts.n);
    print_table(q, TABLE_CALLS, q->counts.list, q->counts.n);
    print_table(q, TABLE_SUMS, q->arguments, q->narguments);
    print_shares(q);
    bool is_beyond = q->beyond_end == EXTRA_COUNTED;
    printf("%zu runs in %s", q->ndone + q->again_done + is_beyond,
           limits_duration(q->arena, q->seconds, false));
    if (is_beyond) {
        size_t right = extra_count_right_beyond(q);
        printf(", one at %s: %zu of %zu formulas hold there", plan_title(q, q->rows[q->nrows + 1]),
               right, right + q->beyond_wrong);
    }
    if (q->argument_runs)
        printf("; %zu in %s for arguments", q->argument_runs,
               limits_duration(q->arena, q->argument_seconds, false));
    printf("\n");
    print_notes(q);
}
