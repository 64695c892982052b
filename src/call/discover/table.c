/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The own times of functions: now, at the place, and who overtakes whom on the way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "base/path.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/discover/discover.h"
#include "call/discover/thresholds.h"
#include "call/run/limits.h"
#include "json/make.h"

enum { MOST_FUNCTIONS = 25, MOST_OVERTAKERS = 8, MOST_LABEL = 32, MOST_REFUSED = 4 };

static const char *const units[] = {"s", "ms", "us", "ns"};

/* "1.23 ms" */
static const char *seconds_text(struct arena *a, double x)
{
    size_t unit = 0;
    double scaled = x;
    if (isnan(x))
        return "-";
    for (; unit < 3 && scaled != 0 && fabs(scaled) < 1; unit++)
        scaled *= 1e3;
    return arena_printf(a, "%s %s", number_digits(scaled, 3, NUMBER_BUFFER), units[unit]);
}

static const char *percent_text(struct arena *a, double part)
{
    if (isnan(part))
        return "-";
    return part < 0.0005 ? "0.0 %"
                         : arena_printf(a, "%s %%", number_decimals(100 * part, 1, NUMBER_BUFFER));
}

static const char *now_title(struct request *q)
{
    return plan_title(q, q->rows[q->times.largest]);
}

/* "box<double>::total()" is "box<>::total()" where there are others: they share a region. */
static const char *name_of_instances(struct arena *a, const char *name)
{
    struct text t = text_new();
    size_t depth = 0;
    for (const char *s = name; *s; s++) {
        depth -= *s == '>' && depth;
        if (!depth)
            text_addc(&t, *s);
        depth += *s == '<';
    }
    return text_keep(&t, a);
}

/* "sum(int)::{lambda(double)#1}::operator()(double) const" is "sum::lambda#1"; an instance of a template, "sum::lambda#1<int>". */
static const char *lambda_name(struct arena *a, const char *name, const char *lambda)
{
    static const char call[] = "::operator()";
    const char *number = strstr(lambda, ")#") + 1, *end = number + strcspn(number, "}");
    const char *instance = strstr(end, call);
    size_t n = 0, depth = 0;
    for (instance = instance ? instance + strlen(call) : ""; instance[n]; n++) {
        depth += instance[n] == '<';
        depth -= instance[n] == '>' && depth;
        if (instance[n] == '(' && !depth)
            break;
    }
    return arena_printf(a, "%s::lambda%.*s%.*s",
                        table_short_name(a, arena_strndup(a, name, (size_t)(lambda - name))),
                        (int)(end - number), number, (int)n, instance);
}

/* Without namespaces that have no name, parameters and, of a template, the type of its value: namespaces fill the column else. */
const char *table_short_name(struct arena *a, const char *name)
{
    const char *s = regions_named_part(a, name), *lambda = regions_lambda(s);
    size_t depth = 0, begin = 0, n = 0;
    if (lambda)
        return lambda_name(a, s, lambda);
    if (strstr(s, "operator")) /* what follows is a part of its name */
        return s;
    for (; s[n] && (s[n] != '(' || depth); n++) {
        depth += s[n] == '<';
        depth -= s[n] == '>' && depth;
        if (s[n] == ' ' && !depth)
            begin = n + 1;
    }
    return n > begin ? arena_strndup(a, s + begin, n - begin) : s;
}

static const char *name_of(struct request *q, const struct region *r)
{
    const char *name = r->function->name;
    return r->instances > 1 ? name_of_instances(q->arena, name) : name;
}

static bool has_namesake(struct request *q, const struct region *r, bool in_short)
{
    struct arena *a = q->arena;
    for (size_t i = 0; i < q->times.n; i++) {
        const struct region *other = &q->times.list[i];
        if (other != r && other->function && !other->united &&
            (in_short ? !strcmp(table_short_name(a, name_of(q, other)),
                                table_short_name(a, name_of(q, r)))
                      : !strcmp(name_of(q, other), name_of(q, r))))
            return true;
    }
    return false;
}

static const char *function_text(struct request *q, const struct region *r)
{
    if (r->united)
        return arena_printf(q->arena, "%zu other function%s", r->united, r->united == 1 ? "" : "s");
    if (!r->function)
        return "main";
    const char *name = has_namesake(q, r, true) && !has_namesake(q, r, false)
                           ? regions_named_part(q->arena, name_of(q, r))
                           : table_short_name(q->arena, name_of(q, r));
    return has_namesake(q, r, false) && r->instances <= 1
               ? arena_printf(q->arena, "%s (%s)", name, path_base(r->function->file))
               : name;
}

/* The end of a name tells more than its namespaces. */
static const char *label_of(struct request *q, const struct region *r)
{
    const char *name = function_text(q, r);
    size_t n = strlen(name);
    return n <= MOST_LABEL ? name : arena_printf(q->arena, "...%s", name + n - (MOST_LABEL - 3));
}

void table_add_term(struct text *t, double factor, const char *term)
{
    bool is_one = !strcmp(term, "1");
    if (factor > 0)
        text_printf(t, "%s%s%s%s", t->n ? " + " : "", number_digits(factor, 3, NUMBER_BUFFER),
                    is_one ? "" : "*", is_one ? "" : term);
}

/* The terms with their constants: 2.1e-09*n^2 + 3e-08*n. */
static const char *terms_text(struct request *q, const struct region *r)
{
    struct text t = text_new();
    for (size_t i = 0; i < r->nconstants; i++)
        table_add_term(&t, r->constants[i], r->terms[i]);
    if (!t.n)
        text_add(&t, "0");
    return text_keep(&t, q->arena);
}

static const char *times_text(struct request *q, const struct region *r)
{
    if (r->price > 0)
        return arena_printf(q->arena, "%s for each of %s calls and iterations",
                            number_digits(r->price, 3, NUMBER_BUFFER),
                            number_digits(r->counted, 3, NUMBER_BUFFER));
    if (r->formula)
        return terms_text(q, r);
    if (q->times.few)
        return "times of more sizes are needed";
    return isnan(r->value) || r->is_main
               ? "no formula describes its times"
               : "no formula describes its times: it grows as all of these do";
}

static void print_functions(struct request *q, FILE *out)
{
    struct times *t = &q->times;
    size_t shown = t->n < MOST_FUNCTIONS ? t->n : MOST_FUNCTIONS;
    int width = 8;
    for (size_t i = 0; i < shown; i++) {
        int n = (int)strlen(label_of(q, &t->list[i]));
        width = n > width ? n : width;
    }
    fprintf(out, "own times of functions at %s, and predicted at %s\n", now_title(q),
            plan_place_title(q));
    fprintf(out, "  %9s %7s  %9s %7s  %-23s %-*s  %-8s %s\n", "now", "share", "then", "share",
            "from ... to", width, "function", "counts", "seconds");
    for (size_t i = 0; i < shown; i++) {
        const struct region *r = &t->list[i];
        const char *range =
            isnan(r->low) ? "-"
                          : arena_printf(q->arena, "%s ... %s", seconds_text(q->arena, r->low),
                                         seconds_text(q->arena, r->high));
        fprintf(out, "  %9s %7s  %9s %7s  %-23s %-*s  %-8s %s\n", seconds_text(q->arena, r->now),
                percent_text(q->arena, r->share), seconds_text(q->arena, r->value),
                percent_text(q->arena, r->share_then), range, width, label_of(q, r),
                r->price > 0  ? "counted"
                : !r->formula ? "-"
                : r->searched ? "searched"
                              : discover_verdicts[r->verdict],
                times_text(q, r));
    }
    if (t->n > shown)
        fprintf(out, "  and %zu more, which --json lists\n", t->n - shown);
}

/* ---- who overtakes whom ---- */

/* The number of steps after which x takes longer than y; nan if it does so from the start, or never. */
static double crossing(const struct region *x, const struct region *y)
{
    for (size_t i = 1; i <= DISCOVER_STEPS_BETWEEN; i++) {
        double before = x->between[i - 1] - y->between[i - 1],
               after = x->between[i] - y->between[i];
        if (before < 0 && after >= 0)
            return (double)i - after / (after - before);
    }
    return NAN;
}

/* 12345: "12000" */
static const char *two_digits(double x, char *buffer)
{
    double unit = pow(10, fmax(number_exponent(x) - 1, 0));
    return number_digits(round(x / unit) * unit, 12, buffer);
}

static void print_overtaking(struct request *q, FILE *out)
{
    const struct times *t = &q->times;
    size_t n = 0;
    for (size_t i = 0; i < t->n && i < MOST_FUNCTIONS; i++)
        for (size_t k = i + 1; k < t->n; k++) {
            const struct region *x = &t->list[i], *y = &t->list[k];
            if (x->united || y->united || !(x->value > y->value) || !(x->now < y->now) ||
                !(x->low > y->high) || y->share < 0.01)
                continue;
            double steps = crossing(x, y);
            if (isnan(steps) || n++ >= MOST_OVERTAKERS)
                continue;
            fprintf(out, "%s overtakes %s at about", function_text(q, x), function_text(q, y));
            for (size_t v = 0; v < q->nvariables; v++)
                if ((double)q->rows[t->largest][v] != q->place[v])
                    fprintf(out, " %s = %s", q->names[v],
                            two_digits(models_size_between(q, v, steps), NUMBER_BUFFER));
            fputc('\n', out);
        }
}

static const char *bytes_text(struct arena *a, double bytes)
{
    static const char *const names[] = {"KB", "MB", "GB"};
    size_t unit = 0;
    double scaled = bytes / 1024;
    for (; unit < 2 && scaled >= 1024; unit++)
        scaled /= 1024;
    return arena_printf(a, "%s %s", number_digits(scaled, 3, NUMBER_BUFFER), names[unit]);
}

/* "0.013 %", "3.7 %", "367 %" */
static const char *rough_percent(struct arena *a, double part)
{
    double x = 100 * part;
    return arena_printf(a, "%s %%",
                        x < 10 ? number_digits(x, 2, NUMBER_BUFFER)
                               : number_decimals(x, 0, NUMBER_BUFFER));
}

/* "68 % more than", "22 times" */
static const char *change_text(struct arena *a, const struct extra_change *c)
{
    if (c->more > 1)
        return arena_printf(a, "%s times", number_digits(1 + c->more, 3, NUMBER_BUFFER));
    return arena_printf(a, "%s %s than", rough_percent(a, fmax(c->more, c->less)),
                        c->more > c->less ? "more" : "less");
}

/* What the run beyond the sizes executed otherwise. */
static void print_change(struct request *q, FILE *out)
{
    static const double much = 0.02;
    const struct extra_change *c = &q->times.change;
    double there = fmax(c->more_there, c->less_there), seen = fmax(c->more, c->less);
    bool is_much = there > EXTRA_MOST_CHANGE;
    const char *growth = "";
    if (!(there > much))
        return;
    if (is_much && seen <= EXTRA_MOST_CHANGE)
        growth = arena_printf(q->arena, ", and perhaps by %s at %s", rough_percent(q->arena, there),
                              plan_place_title(q));
    fprintf(out,
            "at %s the program executes %s what its smaller sizes say%s, most of that in %s:%u%s\n",
            plan_title(q, q->rows[q->nrows + 1]), change_text(q->arena, c), growth, c->most->file,
            c->most->line,
            is_much ? ", so the run time is not predicted: give --vary sizes up to there"
            : isnan(q->times.value) ? ""
                                    : "; the interval allows for it");
}

/* What the prediction of the run time rests on, where that is not the sum of the functions. */
static void print_notes(struct request *q, FILE *out)
{
    static const double much = 0.05, apart = 1.1;
    const struct times *t = &q->times;
    struct arena *a = q->arena;
    print_change(q, out);
    for (size_t i = 0; i < t->n; i++)
        if (t->list[i].from && t->list[i].formula)
            fprintf(out, "%s: smaller sizes have other counts; its formula is from %s on\n",
                    function_text(q, &t->list[i]), plan_title(q, q->rows[t->list[i].from]));
    if (t->not_modelled > much || (t->not_modelled > 0 && isnan(t->value)))
        fprintf(out, "no formula describes %s of the time now%s\n",
                percent_text(a, t->not_modelled),
                isnan(t->value) ? ", so the run time is not predicted"
                                : ", which is taken to grow on as it did");
    else if (t->rest > much)
        fprintf(out, "%s of the time now has no formula from counts; it is predicted as one\n",
                percent_text(a, t->rest));
    double ratio = t->by_search.value / t->by_counts.value;
    if (ratio > apart || ratio < 1 / apart)
        fprintf(
            out,
            "by counts the run time is %s, from %s to %s; by a search in the run times %s, from %s to "
            "%s\n",
            seconds_text(a, t->by_counts.value), seconds_text(a, t->by_counts.low),
            seconds_text(a, t->by_counts.high), seconds_text(a, t->by_search.value),
            seconds_text(a, t->by_search.low), seconds_text(a, t->by_search.high));
    if (t->left_cache > 0)
        fprintf(
            out,
            "data: %s at %s, about %s at %s, more than the cache of %s: it may become slower than its "
            "counts say; the interval allows for %g times the time, and a program that jumps in its data may take more\n",
            bytes_text(a, t->memory_now), now_title(q), bytes_text(a, t->memory_then),
            plan_place_title(q), bytes_text(a, t->left_cache), MEMORY_SLOWER);
}

/* "2 functions have no region ...: dispatch (computed goto), twice (constexpr)" */
static void print_refused(struct request *q, FILE *out)
{
    TEXT_LOCAL struct text names = text_new();
    size_t n = 0;
    for (size_t i = 0; i < q->counts.n; i++) {
        const struct counted *c = &q->counts.list[i];
        if (c->refused && n++ < MOST_REFUSED)
            text_printf(&names, "%s %.*s (%s)", n > 1 ? "," : "", MOST_LABEL, c->name, c->refused);
    }
    if (n > MOST_REFUSED)
        text_printf(&names, " and %zu more", n - MOST_REFUSED);
    if (n)
        fprintf(out, "%zu function%s no region, and %s of the callers:%s\n", n,
                n == 1 ? " has" : "s have", n == 1 ? "is a part" : "are parts", names.s);
}

void table_print(struct request *q)
{
    struct times *t = &q->times;
    struct arena *a = q->arena;
    FILE *out = printable_stream(stdout);
    fprintf(out, "run time at %s: %s", plan_place_title(q), seconds_text(a, t->value));
    if (t->high > t->low)
        fprintf(out, ", from %s to %s", seconds_text(a, t->low), seconds_text(a, t->high));
    fprintf(out, "; measured at %s: %s\n", now_title(q), seconds_text(a, t->now));
    if (t->formula && *t->formula)
        fprintf(out, "  = %s s\n", t->formula);
    print_functions(q, out);
    print_overtaking(q, out);
    if (t->overlap > 1.1)
        fprintf(
            out,
            "own times add up to %s times the run time, which is taken to be so at the place: functions "
            "are executed at the same time, or wait for programs that they start\n",
            number_digits(t->overlap, 2, NUMBER_BUFFER));
    print_notes(q, out);
    print_refused(q, out);
    fprintf(out, "%zu runs in %zu rounds took %s; %s regions in a run took %s of it\n", t->nruns,
            t->rounds, limits_duration(a, t->seconds, false),
            number_digits(t->pairs, 6, NUMBER_BUFFER), percent_text(a, t->pair_seconds / t->now));
    fclose(out);
}

/* ---- JSON ---- */

static json_t *function_object(const struct request *q, const struct region *r)
{
    const char *counts = r->price > 0  ? "counted"
                         : r->searched ? "searched"
                                       : discover_verdicts[r->verdict];
    return json_make(
        "{time_formula:%s time_counts:%s terms:%p constants:%p from?:%ld error_pct:%g now:%g "
        "share_pct:%g price?:%g counted?:%g at:{value:%g low:%g high:%g} share_at_pct:%g}",
        r->formula, r->formula || r->price > 0 ? counts : NULL,
        (void *)json_texts(r->terms, r->nconstants),
        (void *)json_numbers(r->constants, r->nconstants), r->from ? (long)q->rows[r->from][0] : 0,
        r->error, r->now, 100 * r->share, r->price, r->counted, r->value, r->low, r->high,
        100 * r->share_then);
}

/* The object of a function among those of all functions. */
static json_t *find_object(json_t *functions, const struct counted *c)
{
    json_auto_t *name = json_text(c->name), *file = json_text(c->file);
    json_t *found = NULL;
    for (size_t i = 0; i < json_array_size(functions) && !found; i++) {
        json_t *o = json_array_get(functions, i);
        if (json_equal(name, json_object_get(o, "name")) &&
            json_equal(file, json_object_get(o, "file")) &&
            json_integer_value(json_object_get(o, "line")) == (json_int_t)c->line)
            found = o;
    }
    return found;
}

void table_json(const struct request *q, json_t *root)
{
    const struct times *t = &q->times;
    json_t *functions = json_object_get(root, "functions");
    for (size_t i = 0; i < t->n; i++) {
        const struct region *r = &t->list[i];
        json_auto_t *members = function_object(q, r);
        json_t *o = r->function ? find_object(functions, r->function) : NULL;
        if (o)
            json_object_update(o, members);
        else
            json_object_set(root, r->united ? "others" : "main", members);
    }
    const struct times_range *x = &t->by_counts, *y = &t->by_search;
    if (q->beyond_end == EXTRA_COUNTED)
        json_set(root, "change",
                 json_make("{at:%p more_pct:%g less_pct:%g}",
                           (void *)saved_row(q, q->rows[q->nrows + 1]), 100 * t->change.more,
                           100 * t->change.less));
    json_put(root,
             "total:{value:%g low:%g high:%g formula:%s now:%g by_counts:{value:%g low:%g high:%g} "
             "by_search:{value:%g low:%g high:%g} rest_pct:%g left_cache:%g} not_modelled_pct:%g "
             "overhead_pct:%g seconds:%g",
             t->value, t->low, t->high, t->formula, t->now, x->value, x->low, x->high, y->value,
             y->low, y->high, 100 * t->rest, t->left_cache > 0 ? t->left_cache : NAN,
             100 * t->not_modelled, 100 * t->pair_seconds / t->now,
             q->seconds + q->argument_seconds + t->seconds);
}
