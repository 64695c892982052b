/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report as JSON, and the comparison with an earlier one. Counts are compared, not formulas: where two
 * versions were run at the same size, a count that does not depend on data is the same on every machine, or the
 * program has changed. A count that is a sum of others is compared with that sum of the counts of the new run, which may have
 * other data. Loops are known by their function and their order in it, so lines may move. Counts that depend on data, and those
 * that are new, are compared in how they grow.
 */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/outfile.h"
#include "base/printable.h"
#include "base/text.h"
#include "call/discover/discover.h"
#include "call/discover/thresholds.h"
#include "formula/formula.h"
#include "json/make.h"
#include "json/read.h"

enum { FORMAT = 1, MOST_ENTRIES = 1000000, MOST_RUNS = 100000 };

/* ---- writing ---- */

json_t *saved_row(const struct request *q, const int64_t *row)
{
    json_t *o = json_object();
    for (size_t v = 0; v < q->nvariables; v++)
        json_object_set_new(o, q->names[v], json_integer(row[v]));
    return o;
}

static void set_place(json_t *o, const struct counted *c)
{
    bool is_bound = chains_is_bound(c);
    json_set(o, c->is_loop ? "function" : "name", json_text(c->name));
    json_put(o, "number?:%zu file:%s line:%d loop?:%zu", c->is_loop ? c->order + 1 : 0, c->file,
             (int)c->line, is_bound ? c->order + 1 : 0);
    if (c->argument && *c->where && !is_bound)
        json_put(o, "allocator:%s", c->where);
}

static json_t *summand(json_t *list, const char *count, int64_t factor)
{
    json_t *o = json_make("{factor:%ld count:%s}", (long)factor, count);
    json_array_append_new(list, o);
    return o;
}

/* What the formula is a sum of. */
static json_t *chain_list(const struct request *q, const struct chain *chain)
{
    json_t *list = json_array();
    for (size_t i = 0; i < chain->nparts; i++) {
        const struct chain_part *p = &chain->parts[i];
        const char *count = p->of->argument  ? "argument"
                            : p->entries     ? "entries"
                            : p->of->is_loop ? "iterations"
                                             : "calls";
        json_t *o = summand(list, count, p->factor);
        json_put(o, "times?:%s argument?:%s", p->times ? p->times->text : NULL, p->of->argument);
        set_place(o, p->of);
    }
    for (size_t v = 0; v < q->nvariables; v++)
        if (chain->sizes[v])
            json_put(summand(list, "size", chain->sizes[v]), "name:%s", q->names[v]);
    if (chain->constant)
        summand(list, "one", chain->constant);
    return list;
}

static json_t *measured_list(const struct request *q, const uint64_t *at)
{
    json_t *list = json_array();
    for (size_t i = 0; i < q->nrows; i++)
        if (q->done[i])
            json_array_append_new(list, json_integer((json_int_t)at[i]));
    return list;
}

static json_t *refuting_list(const struct request *q, const struct counted *c)
{
    json_t *list = json_array();
    for (size_t i = 0; i < q->nrows; i++)
        if (c->only_given && extra_refutes(q, i, c))
            json_array_append_new(list, saved_row(q, q->rows[i]));
    if (c->only_below)
        json_array_append_new(list, saved_row(q, q->rows[q->nrows + 1]));
    return list;
}

static json_t *entry_object(const struct request *q, const struct counted *c)
{
    json_t *o = json_object();
    const struct discover_formula *f = &c->formula;
    const char *text = chains_text(c);
    set_place(o, c);
    json_put(o, "formula:%s counts:%s of?:%p", text, discover_verdicts[chains_verdict(c)],
             (void *)(c->chain ? chain_list(q, c->chain) : NULL));
    if (f->verdict == DISCOVER_DATA)
        json_put(o, "scatter:%g", f->text ? f->scatter : NAN);
    json_set(o, c->is_loop ? "iterations" : "calls", json_number(c->here));
    json_put(o, "not_at?:%p no_region?:%s measured:%p entries?:%p largest?:%p",
             (void *)(c->only_given || c->only_below ? refuting_list(q, c) : NULL), c->refused,
             (void *)measured_list(q, c->at),
             (void *)(c->is_loop ? measured_list(q, c->entries) : NULL),
             (void *)(q->processes ? measured_list(q, c->largest) : NULL));
    return o;
}

/* A sum of arguments over all calls. */
static json_t *sum_object(const struct request *q, const struct counted *c)
{
    json_t *o = json_object();
    const struct discover_formula *f = &c->formula;
    bool scatters = f->verdict == DISCOVER_DATA && f->text;
    set_place(o, c);
    json_put(o, "argument:%s formula:%s counts:%s scatter?:%p sum:%g measured:%p", c->argument,
             f->text, discover_verdicts[f->verdict],
             (void *)(scatters ? json_number(f->scatter) : NULL), c->here,
             (void *)measured_list(q, c->at));
    return o;
}

json_t *saved_make(const struct request *q)
{
    json_t *at = json_object(), *runs = json_array();
    json_t *functions = json_array(), *loops = json_array();
    json_t *sums = NULL;
    for (size_t v = 0; v < q->nvariables; v++)
        json_object_set_new(at, q->names[v], json_number(q->place[v]));
    for (size_t i = 0; i < q->nrows; i++)
        if (q->done[i])
            json_array_append_new(runs, saved_row(q, q->rows[i]));
    for (size_t i = 0; i < q->counts.n; i++) {
        const struct counted *c = &q->counts.list[i];
        json_array_append_new(c->is_loop ? loops : functions, entry_object(q, c));
    }
    for (size_t i = 0; i < q->narguments; i++) { /* of one size, what no formula can tell */
        if (!q->arguments[i].is_used && q->ndone > 1)
            continue;
        sums = sums ? sums : json_array();
        json_array_append_new(sums, sum_object(q, &q->arguments[i]));
    }
    return json_make("{discover:%d at:%p runs:%p functions:%p loops:%p arguments?:%p}", FORMAT,
                     (void *)at, (void *)runs, (void *)functions, (void *)loops, (void *)sums);
}

int saved_write(const struct request *q, json_t *value)
{
    struct outfile f;
    int failed = outfile_open(&f, q->save);
    if (!failed) {
        json_dumpf(value, f.stream, JSON_INDENT(1) | JSON_REAL_PRECISION(17));
        fputc('\n', f.stream);
        failed = outfile_commit(&f);
    }
    if (failed)
        say("call discover: cannot write %s: %s\n", q->save, destination_error(errno));
    return failed ? 1 : 0;
}

/* ---- comparing ---- */

struct comparison {
    const struct request *q;
    struct json_reader r;
    size_t *row;                /* of each saved run: the row of this one; SIZE_MAX: none */
    size_t nruns, common, lost; /* lost: those that were to be run, and failed */
    bool *seen;                 /* of each count of this run: the file has it */
    double *all;                /* of each saved run: the sum of all counts */
    size_t compared, changed, by_data;
};

static bool is_row(const struct request *q, const json_t *run, const int64_t *row)
{
    if (json_object_size(run) != q->nvariables)
        return false;
    for (size_t v = 0; v < q->nvariables; v++) {
        const json_t *size = json_object_get(run, q->names[v]);
        if (!json_is_integer(size) || json_integer_value(size) != row[v])
            return false;
    }
    return true;
}

static void match_runs(struct comparison *c, const json_t *runs)
{
    c->nruns = json_array_size(runs);
    c->row = arena_alloc(c->r.arena, c->nruns + 1, sizeof *c->row);
    for (size_t k = 0; k < c->nruns; k++) {
        c->row[k] = SIZE_MAX;
        for (size_t i = 0; i < c->q->nrows; i++) {
            if (!is_row(c->q, json_array_get(runs, k), c->q->rows[i]))
                continue;
            c->row[k] = c->q->done[i] ? i : SIZE_MAX;
            c->lost += !c->q->done[i];
        }
        c->common += c->row[k] != SIZE_MAX;
    }
}

/* The same function or loop in this run: in the same file, else in any. `again`: also if the file had it before. */
static struct counted *find_same(const struct comparison *c, const char *name, const char *file,
                                 bool is_loop, size_t order, bool again)
{
    struct counted *other = NULL;
    for (size_t i = 0; i < c->q->counts.n; i++) {
        struct counted *x = &c->q->counts.list[i];
        if (x->is_loop != is_loop || x->order != order || strcmp(x->name, name) != 0 ||
            (c->seen[i] && !again))
            continue;
        if (!strcmp(x->file, file))
            return x;
        if (!other)
            other = x;
    }
    return other;
}

/* For a terminal: a file may have any text, also lines that look like those of a result. */
static const char *shown(struct arena *a, const char *s)
{
    struct text t = text_new();
    text_add_printable(&t, s, strlen(s));
    return text_keep(&t, a);
}

static const char *title_of(struct arena *a, const char *name, bool is_loop, size_t order)
{
    return is_loop ? arena_printf(a, "loop %zu of %s", order + 1, shown(a, name)) : shown(a, name);
}

/* A text of any length: names of templates are long. */
static const char *read_text(struct comparison *c, const json_t *object, const char *key)
{
    const json_t *value = json_read_member(&c->r, object, key);
    if (!c->r.failed && !json_is_string(value))
        json_read_complain(&c->r, "\"%s\" must be a text", key);
    return json_is_string(value) ? json_string_value(value) : "";
}

/* The counts of the runs. */
static const json_t *read_measured(struct comparison *c, const json_t *object)
{
    const json_t *list = json_read_list(&c->r, object, "measured", MOST_RUNS);
    size_t n = 0;
    while (n < json_array_size(list) && json_is_integer(json_array_get(list, n)))
        n++;
    if (!c->r.failed && (n != c->nruns || n != json_array_size(list)))
        json_read_complain(&c->r,
                           "\"measured\" must have a whole number for each of the %zu runs: save "
                           "the file again",
                           c->nruns);
    return list;
}

/* The size at which the counts differ; SIZE_MAX: at none. */
static size_t find_difference(const struct comparison *c, const json_t *measured,
                              const struct counted *now, json_int_t *before)
{
    size_t found = SIZE_MAX;
    for (size_t k = 0; k < c->nruns; k++) {
        json_int_t count = json_integer_value(json_array_get(measured, k));
        if (c->row[k] == SIZE_MAX || (uint64_t)count == now->at[c->row[k]])
            continue;
        found = c->row[k]; /* the last one is the largest */
        *before = count;
    }
    return found;
}

/* The size at which a count has outgrown another one, which is known for each saved run; SIZE_MAX: at none. `doubt`: counts of
 * this size differ by chance. */
static size_t find_faster(const struct comparison *c, const double *before, const uint64_t *now,
                          double doubt)
{
    size_t found = SIZE_MAX;
    double first = NAN, most = CHECK_FASTER;
    for (size_t k = 0; k < c->nruns; k++) {
        if (c->row[k] == SIZE_MAX)
            continue;
        double ratio = ((double)now[c->row[k]] + doubt) / (before[k] + doubt);
        if (isnan(first))
            first = ratio;
        if (ratio / first > most) {
            most = ratio / first;
            found = c->row[k];
        }
    }
    return found;
}

static double doubt_of(bool by_data)
{
    return by_data ? CHECK_SMALL_COUNT : 1;
}

/* ---- sums of other counts ---- */

/* The further factor of a summand at a row: "n^2". False: it has no whole value there. */
static bool times_at(struct comparison *c, const char *text, size_t row, uint64_t *out)
{
    const struct request *q = c->q;
    struct arena *a = c->r.arena;
    struct source source = {"times", text, strlen(text)};
    double place[DISCOVER_MOST_VARIABLES], value = 0;
    DIAG_LOCAL struct diag *diag = diag_create();
    const struct formula *f = formula_parse_text(a, text, "", diag);
    plan_place_of_row(q, row, place);
    if (!f || formula_at(a, f, q->names, place, q->nvariables, &source, diag, &value, NULL) ||
        !(value >= 0 && value < 0x1p53 && value == floor(value)))
        return false;
    *out = (uint64_t)value;
    return true;
}

/* Finds the saved sum of arguments, bounds or bytes in this run. NULL if this run does not have it. */
static const struct counted *find_sum(struct comparison *c, const json_t *saved, const char *name,
                                      const char *file)
{
    const struct counted *other = NULL;
    const char *argument = read_text(c, saved, "argument");
    const char *allocator =
        json_object_get(saved, "allocator") ? read_text(c, saved, "allocator") : "";
    size_t loop = json_object_get(saved, "loop")
                      ? json_read_whole(&c->r, saved, "loop", 1, 1e9, JSON_NEEDED)
                      : 0;
    for (size_t i = 0; i < c->q->narguments; i++) {
        const struct counted *x = &c->q->arguments[i];
        bool is_bound = chains_is_bound(x);
        if (strcmp(x->name, name) != 0 || strcmp(x->argument, argument) != 0 ||
            (is_bound ? x->order + 1 : 0) != loop ||
            (!is_bound && strcmp(x->where, allocator) != 0))
            continue;
        if (!strcmp(x->file, file))
            return x;
        other = x;
    }
    return other;
}

/* Adds one summand of a formula to the sums of all rows of this run. False: this run has no such count. */
static bool add_summand(struct comparison *c, const json_t *saved, int64_t *sums)
{
    const struct request *q = c->q;
    const char *count = read_text(c, saved, "count");
    bool is_loop = !strcmp(count, "iterations") || !strcmp(count, "entries"),
         is_size = !strcmp(count, "size"), is_one = !strcmp(count, "one"),
         is_sum = !strcmp(count, "argument");
    const char *name = is_one ? "" : read_text(c, saved, is_loop ? "function" : "name");
    const json_t *factor = json_read_member(&c->r, saved, "factor");
    const json_t *times = json_object_get(saved, "times");
    const struct counted *of = NULL;
    size_t v = 0;
    if (times && !json_is_string(times))
        json_read_complain(&c->r, "\"times\" must be a text");
    if (!is_one && !is_size) {
        const char *file = read_text(c, saved, "file");
        size_t order = is_loop ? json_read_whole(&c->r, saved, "number", 1, 1e9, JSON_NEEDED) : 1;
        of = c->r.failed ? NULL
             : is_sum    ? find_sum(c, saved, name, file)
                         : find_same(c, name, file, is_loop, order - 1, true);
    }
    while (is_size && v < q->nvariables && strcmp(q->names[v], name) != 0)
        v++;
    if (c->r.failed || !json_is_integer(factor) || (is_size ? v == q->nvariables : !is_one && !of))
        return false;
    for (size_t i = 0; i < q->nrows; i++) {
        uint64_t value = is_one                      ? 1
                         : is_size                   ? (uint64_t)q->rows[i][v]
                         : !strcmp(count, "entries") ? of->entries[i]
                                                     : of->at[i];
        uint64_t more = 1;
        if (times && q->done[i] && !times_at(c, json_string_value(times), i, &more))
            return false;
        value *= more;
        sums[i] = (int64_t)((uint64_t)sums[i] + (uint64_t)json_integer_value(factor) * value);
    }
    return true;
}

/* The last row at which a count is not the sum that it was before; SIZE_MAX: none. False: it cannot be compared. */
static bool compare_sum(struct comparison *c, const json_t *list, const struct counted *now,
                        size_t *row, json_int_t *expected)
{
    int64_t *sums = arena_zalloc(c->r.arena, c->q->nrows + 1, sizeof *sums);
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!add_summand(c, json_array_get(list, i), sums))
            return false;
    *row = SIZE_MAX;
    for (size_t i = 0; i < c->q->nrows; i++)
        if (c->q->done[i] && (uint64_t)sums[i] != now->at[i]) {
            *row = i;
            *expected = sums[i];
        }
    return true;
}

static const char *formula_now(const struct counted *now)
{
    return chains_text(now) ? chains_text(now) : "without a formula";
}

/* A count that depends on data differs with them, but it must not grow faster. */
static void compare_growth(struct comparison *c, const json_t *measured, const json_t *formula,
                           const struct counted *now)
{
    struct arena *a = c->r.arena;
    double *before = arena_alloc(a, c->nruns + 1, sizeof *before);
    for (size_t k = 0; k < c->nruns; k++)
        before[k] = (double)json_integer_value(json_array_get(measured, k));
    size_t row = find_faster(c, before, now->at, doubt_of(true));
    if (row == SIZE_MAX)
        return;
    c->changed++;
    for (size_t k = 0; k < c->nruns; k++)
        if (c->row[k] == row)
            printf("%s:%u: %s: %s grow faster: now %s, before %s (%s: %llu, before %.0f)\n",
                   shown(a, now->file), now->line, title_of(a, now->name, now->is_loop, now->order),
                   now->is_loop ? "iterations" : "calls", shown(a, formula_now(now)),
                   json_is_string(formula) ? shown(a, json_string_value(formula))
                                           : "without a formula",
                   plan_title((struct request *)c->q, c->q->rows[row]),
                   (unsigned long long)now->at[row], before[k]);
}

static void compare_entry(struct comparison *c, const json_t *saved, bool is_loop)
{
    struct arena *a = c->r.arena;
    const char *name = read_text(c, saved, is_loop ? "function" : "name");
    const char *file = read_text(c, saved, "file");
    const char *verdict = read_text(c, saved, "counts");
    const json_t *formula = json_read_member(&c->r, saved, "formula");
    const json_t *measured = read_measured(c, saved), *of = json_object_get(saved, "of");
    size_t order = is_loop ? json_read_whole(&c->r, saved, "number", 1, 1e9, JSON_NEEDED) : 1;
    size_t row = SIZE_MAX;
    json_int_t before = 0;
    if (of && !json_is_array(of))
        json_read_complain(&c->r, "\"of\" must be a list");
    if (c->r.failed)
        return;
    for (size_t k = 0; k < c->nruns; k++)
        c->all[k] += (double)json_integer_value(json_array_get(measured, k));
    struct counted *now = find_same(c, name, file, is_loop, is_loop ? order - 1 : 0, false);
    if (!now) {
        printf("vanished: %s (%s)\n", title_of(a, name, is_loop, order - 1), shown(a, file));
        return;
    }
    c->seen[now - c->q->counts.list] = true;
    bool by_data = of ? !compare_sum(c, of, now, &row, &before)
                      : !strcmp(verdict, discover_verdicts[DISCOVER_DATA]);
    if (by_data) {
        c->by_data++;
        compare_growth(c, measured, formula, now);
        return;
    }
    c->compared++;
    if (!of)
        row = find_difference(c, measured, now, &before);
    if (row == SIZE_MAX)
        return;
    c->changed++;
    printf("%s:%u: %s: %s are now %s, before %s (%s: %llu, %s %lld)\n", shown(a, now->file),
           now->line, title_of(a, name, is_loop, now->order), is_loop ? "iterations" : "calls",
           shown(a, formula_now(now)),
           json_is_string(formula) ? shown(a, json_string_value(formula)) : "without a formula",
           plan_title((struct request *)c->q, c->q->rows[row]), (unsigned long long)now->at[row],
           of ? "by the formula before" : "before", (long long)before);
}

static void compare_list(struct comparison *c, const json_t *root, const char *key, bool is_loop)
{
    const json_t *list = json_read_list(&c->r, root, key, MOST_ENTRIES);
    for (size_t i = 0; i < json_array_size(list) && !c->r.failed; i++) {
        c->r.where = arena_printf(c->r.arena, "%s, element %zu", key, i);
        compare_entry(c, json_array_get(list, i), is_loop);
        c->r.where = NULL;
    }
}

/* A loop that is new may make n^2 of n: it must not grow faster than all that there was. */
static void judge_new(struct comparison *c, const struct counted *x)
{
    struct arena *a = c->r.arena;
    bool by_data = chains_verdict(x) == DISCOVER_DATA;
    size_t row = find_faster(c, c->all, x->at, doubt_of(by_data));
    printf("new: %s (%s:%u)", title_of(a, x->name, x->is_loop, x->order), shown(a, x->file),
           x->line);
    if (row != SIZE_MAX) {
        c->changed++;
        printf(": %s, %s, grow faster than all counts before together (%s: %llu)",
               x->is_loop ? "iterations" : "calls", shown(a, formula_now(x)),
               plan_title((struct request *)c->q, c->q->rows[row]), (unsigned long long)x->at[row]);
    }
    printf("\n");
}

static int print_result(struct comparison *c)
{
    for (size_t i = 0; i < c->q->counts.n; i++)
        if (!c->seen[i])
            judge_new(c, &c->q->counts.list[i]);
    printf("%zu counts compared with %s at %zu sizes: ", c->compared,
           shown(c->r.arena, c->q->compare), c->common);
    if (c->changed)
        printf("%zu changed", c->changed);
    else
        printf("none has changed");
    if (c->by_data)
        printf(c->by_data == 1 ? "; %zu depends on data and is compared in how it grows"
                               : "; %zu depend on data and are compared in how they grow",
               c->by_data);
    if (c->lost)
        printf("; %zu sizes of the file were not run", c->lost);
    printf("\n");
    return c->changed || c->lost ? 1 : 0;
}

int saved_compare(const struct request *q)
{
    struct comparison c = {.q = q};
    DIAG_LOCAL struct diag *diag = diag_create();
    int status = 1;
    c.r = (struct json_reader){.kind = "file of call discover",
                               .writer = "call discover",
                               .arena = q->arena,
                               .diag = diag};
    c.seen = arena_zalloc(q->arena, q->counts.n + 1, sizeof *c.seen);
    json_auto_t *root = json_read_file(&c.r, q->compare);
    if (root && json_read_version(&c.r, root, "discover", FORMAT)) {
        match_runs(&c, json_read_list(&c.r, root, "runs", MOST_RUNS));
        if (!c.r.failed && !c.common)
            json_read_complain(&c.r,
                               "it has no size in common with these runs; give the same --vary");
        c.all = arena_zalloc(q->arena, c.nruns + 1, sizeof *c.all);
        if (!c.r.failed) {
            compare_list(&c, root, "functions", false);
            compare_list(&c, root, "loops", true);
        }
        if (!c.r.failed)
            status = print_result(&c);
    }
    diag_print(diag, stderr, 0);
    return status;
}
