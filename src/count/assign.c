/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads an assignment of lines to constants and moves the lines in a report (see page.h). The file may
 * come from anywhere, so everything in it is checked; the changes are made in a copy of the report,
 * which replaces the report when the whole file is right. page/model.js computes the same figures.
 */
#include "count/page.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/memory.h"
#include "base/misprint.h"
#include "base/text.h"
#include "count/thresholds.h"
#include "count/units.h"
#include "json/make.h"
#include "json/read.h"

enum { MOST_ASSIGNMENTS = 1000000, FORMAT = 1 };

/* One assignment, and what it is about. */
struct move {
    const char *experiment, *file, *constant;
    const char *function; /* of a library, whose instructions have no lines; NULL: none */
    json_int_t line;
};

struct context {
    struct json_reader *reader;
    struct arena *arena;
    json_t *report; /* the copy */
    json_t *seen;   /* the lines that were moved, as keys */
    struct count_units units;
    const json_t *units_of; /* the experiment that they belong to */
};

static const char *string_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    const char *s = json_string_value(value);
    return s && strlen(s) == json_string_length(value) ? s : NULL;
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    double x = json_is_number(value) ? json_number_value(value) : 0;
    return isfinite(x) ? x : 0;
}

/* "matinit.c:24", "libc.so.6:memset" */
static const char *place(const struct context *c, const struct move *m)
{
    return m->function ? arena_printf(c->arena, "%s:%s", m->file, m->function)
                       : arena_printf(c->arena, "%s:%" JSON_INTEGER_FORMAT, m->file, m->line);
}

/* ---- what the report has */

static bool is_line(const json_t *entry, const struct move *m)
{
    const json_t *line = json_object_get(entry, "line");
    const char *file = json_string_value(json_object_get(entry, "file"));
    const char *function = json_string_value(json_object_get(entry, "function"));
    return json_is_integer(line) && json_integer_value(line) == m->line && file &&
           strcmp(file, m->file) == 0 && !function == !m->function &&
           (!function || strcmp(function, m->function) == 0);
}

/* The index of the line in a list of lines, or -1. */
static long find_line(const json_t *lines, const struct move *m)
{
    for (size_t k = 0; k < json_array_size(lines); k++)
        if (is_line(json_array_get(lines, k), m))
            return (long)k;
    return -1;
}

/* The names of the elements of a list, and the one that the user may have meant. */
static const char *names_of(const struct context *c, const json_t *list, const char *wanted)
{
    const char *meant = NULL;
    TEXT_LOCAL struct text t = text_new();
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *name = string_of(json_array_get(list, k), "name");
        if (!name)
            continue;
        text_printf(&t, "%s%s", t.n ? ", " : "", name);
        if (misprint_is_one(wanted, name))
            meant = name;
    }
    return meant ? arena_printf(c->arena, "did you mean %s?", meant)
                 : arena_printf(c->arena, "it has %s", t.n ? t.s : "none");
}

static json_t *find_named(const json_t *list, const char *name, size_t *index)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        json_t *element = json_array_get(list, k);
        const char *s = string_of(element, "name");
        // NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): read_move has found the name
        if (s && strcmp(s, name) == 0) {
            *index = k;
            return element;
        }
    }
    return NULL;
}

/* ---- figures: "instructions", and "classes" with "simd" inside */

/* Adds `factor` times each figure of `from` to the figures of `to`, which has what it does not have
 * yet as 0. */
static void add_figures(json_t *to, json_t *from, double factor)
{
    const char *key;
    json_t *value;
    json_object_foreach(from, key, value)
    {
        json_t *old = json_object_get(to, key);
        if (json_is_object(value)) {
            if (!json_is_object(old))
                json_object_set_new(to, key, json_object());
            add_figures(json_object_get(to, key), value, factor);
        } else if (json_is_number(value)) {
            double sum = (json_is_number(old) ? json_number_value(old) : 0) +
                         factor * json_number_value(value);
            if (fabs(sum - round(sum)) < COUNT_EXACT)
                sum = round(sum);
            if (!isfinite(sum))
                sum = 0;
            json_object_set_new(to, key, json_number(sum));
        }
    }
}

/* The figures of a line, or of a constant, as an object of their own. */
static json_t *figures_of(const json_t *entry)
{
    json_t *classes = json_object_get(entry, "classes");
    return json_make("{instructions:%p classes?:%p}", json_real(number_of(entry, "instructions")),
                     json_is_object(classes) ? json_incref(classes) : NULL);
}

static double sum_of(const double *x, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += x[k];
    return sum;
}

/* ---- moving a line */

/* What the line executes: its instructions at each point, and its figures over all of them. */
struct executed {
    double *at;
    json_t *figures;
    bool exact;
};

/* Takes the line out of a constant. False if the units of the constant are not known. */
static bool take_from_constant(struct executed *x, const struct move *m, json_t *constant,
                               const double *units, size_t npoints)
{
    json_t *lines = json_object_get(constant, "lines");
    for (long k; (k = find_line(lines, m)) >= 0; json_array_remove(lines, (size_t)k)) {
        const json_t *entry = json_array_get(lines, (size_t)k);
        if (!units)
            return false;
        for (size_t p = 0; p < npoints; p++)
            x->at[p] += number_of(entry, "instructions") * units[p];
        json_auto_t *figures = figures_of(entry);
        add_figures(x->figures, figures, sum_of(units, npoints));
        add_figures(constant, figures, -1);
        x->exact &= json_is_true(json_object_get(entry, "exact"));
    }
    return true;
}

static void take_from_unexplained(struct executed *x, const struct move *m, json_t *experiment,
                                  const struct count_units *u)
{
    json_t *lines = json_object_get(experiment, "unexplained");
    for (long k; (k = find_line(lines, m)) >= 0; json_array_remove(lines, (size_t)k)) {
        const json_t *entry = json_array_get(lines, (size_t)k);
        const json_t *counts = json_object_get(entry, "counts");
        for (size_t p = 0; p < u->npoints; p++) {
            const json_t *count = json_array_get(counts, p);
            x->at[p] +=
                u->executions[p] * (json_is_number(count) ? json_number_value(count)
                                                          : number_of(entry, "instructions"));
        }
        json_auto_t *figures = figures_of(entry);
        add_figures(x->figures, figures, sum_of(u->executions, u->npoints));
    }
}

static bool is_proportional(const double *at, const double *units, double each, size_t n)
{
    for (size_t p = 0; p < n; p++)
        if (fabs(at[p] - each * units[p]) > COUNT_EXACT * fabs(at[p]))
            return false;
    return true;
}

/* Where the line belongs in a list whose lines are in order: after those of its file that are before
 * it, else at the end. */
static size_t place_in(const json_t *lines, const struct move *m)
{
    size_t n = json_array_size(lines), at = n;
    for (size_t k = 0; k < n; k++) {
        const json_t *entry = json_array_get(lines, k);
        const char *file = json_string_value(json_object_get(entry, "file"));
        if (!file || strcmp(file, m->file) != 0)
            continue;
        if (json_integer_value(json_object_get(entry, "line")) > m->line)
            return k;
        at = k + 1;
    }
    return at;
}

static void put(json_t *constant, const struct move *m, struct executed *x, const double *units,
                size_t npoints)
{
    double all = sum_of(units, npoints);
    json_t *lines = json_object_get(constant, "lines");
    json_t *entry =
        json_make("{file:%s function?:%s line:%p}", m->file, m->function, json_integer(m->line));
    add_figures(entry, x->figures, 1 / all);
    bool exact = x->exact && is_proportional(x->at, units, sum_of(x->at, npoints) / all, npoints);
    json_put(entry, "exact:%i assigned:%i", exact, true);
    add_figures(constant, x->figures, 1 / all);
    if (!exact)
        json_object_set_new(constant, "exact", json_false());
    if (!json_is_array(lines)) {
        lines = json_array();
        json_object_set_new(constant, "lines", lines);
    }
    json_array_insert_new(lines, place_in(lines, m), entry);
}

/* In how many lists of the experiment the line is. */
static size_t lists_with_line(const json_t *experiment, const struct move *m)
{
    const json_t *constants = json_object_get(experiment, "constants");
    size_t n = find_line(json_object_get(experiment, "unexplained"), m) >= 0;
    for (size_t k = 0; k < json_array_size(constants); k++)
        n += find_line(json_object_get(json_array_get(constants, k), "lines"), m) >= 0;
    return n;
}

/* Moves a line that is in the report to a constant whose units are known. */
static int move_figures(const struct context *c, const struct move *m, json_t *experiment,
                        const struct count_units *u, size_t to)
{
    json_t *constants = json_object_get(experiment, "constants");
    struct executed x = {arena_zalloc(c->arena, u->npoints, sizeof *x.at), json_object(), true};
    int status = 0;
    for (size_t k = 0; status == 0 && k < u->nconstants; k++)
        if (!take_from_constant(&x, m, json_array_get(constants, k), u->of[k], u->npoints))
            status = json_read_complain(
                c->reader,
                "the term of a constant that %s belongs to has no value at the points "
                "of the report",
                place(c, m));
    if (status == 0) {
        take_from_unexplained(&x, m, experiment, u);
        put(json_array_get(constants, to), m, &x, u->of[to], u->npoints);
    }
    json_decref(x.figures);
    return status;
}

static int move_line(struct context *c, const struct move *m, json_t *experiment)
{
    const json_t *constants = json_object_get(experiment, "constants");
    size_t to = 0, lists = lists_with_line(experiment, m);
    const json_t *target = find_named(constants, m->constant, &to);
    if (!target)
        return json_read_complain(c->reader, "%s has no constant %s; %s", m->experiment,
                                  m->constant, names_of(c, constants, m->constant));
    if (lists == 0)
        return json_read_complain(
            c->reader,
            "no instructions of %s were counted in %s: the source, the compiler or its "
            "flags changed; make the assignment again on a new page",
            place(c, m), m->experiment);
    const json_t *lines = json_object_get(target, "lines");
    long here = find_line(lines, m);
    if (lists == 1 && here >= 0) { /* it belongs there already */
        json_object_set_new(json_array_get(lines, (size_t)here), "assigned", json_true());
        return 0;
    }
    if (c->units_of != experiment) { /* moves do not change them */
        c->units = count_units(experiment, c->arena);
        c->units_of = experiment;
    }
    const struct count_units *u = &c->units;
    if (!u->of[to] || !(fabs(sum_of(u->of[to], u->npoints)) > 0))
        return json_read_complain(
            c->reader,
            "the term of %s has no value at the points of the report, so that no line can belong to it",
            m->constant);
    return move_figures(c, m, experiment, u, to);
}

/* ---- the file */

static int read_move(const struct context *c, const json_t *element, struct move *m)
{
    const json_t *line = json_object_get(element, "line");
    *m = (struct move){.experiment = string_of(element, "experiment"),
                       .file = string_of(element, "file"),
                       .constant = string_of(element, "constant"),
                       .function = string_of(element, "function"),
                       .line = json_is_integer(line) ? json_integer_value(line) : -1};
    if (!json_is_object(element))
        return json_read_complain(c->reader,
                                  "it must be an object with experiment, file, line and constant");
    if (!m->experiment || !m->file || !m->constant)
        return json_read_complain(c->reader, "\"%s\" must be a text",
                                  !m->experiment ? "experiment"
                                  : !m->file     ? "file"
                                                 : "constant");
    if (m->line < 0)
        return json_read_complain(c->reader,
                                  "\"line\" must be a whole number that is not negative");
    return 0;
}

static int apply_one(struct context *c, const json_t *element)
{
    struct move m;
    size_t index;
    if (read_move(c, element, &m))
        return -1;
    const json_t *experiments = json_object_get(c->report, "experiments");
    json_t *experiment = find_named(experiments, m.experiment, &index);
    if (!experiment)
        return json_read_complain(c->reader, "the report has no experiment %s; %s", m.experiment,
                                  names_of(c, experiments, m.experiment));
    const char *key = arena_printf(c->arena, "%zu:%d:%s", index, m.function != NULL, place(c, &m));
    if (json_object_get(c->seen, key))
        return json_read_complain(c->reader, "%s of %s is there twice", place(c, &m), m.experiment);
    json_object_set_new(c->seen, key, json_true());
    return move_line(c, &m, experiment);
}

static int apply_root(struct json_reader *r, json_t *report, const json_t *root)
{
    json_auto_t *copy = json_deep_copy(report), *seen = json_object();
    struct context c = {.reader = r, .arena = r->arena, .report = copy, .seen = seen};
    const char *reported = string_of(report, "program");
    if (!json_read_version(r, root, "format", FORMAT))
        return -1;
    const char *program = json_read_text(r, root, "program", JSON_NEEDED);
    const json_t *list = json_read_list(r, root, "assignments", MOST_ASSIGNMENTS);
    if (!r->failed && reported && strcmp(program, reported) != 0)
        json_read_complain(r, "the assignment is for %s, and not for %s", program, reported);
    for (size_t k = 0; !r->failed && k < json_array_size(list); k++) {
        r->where = arena_printf(r->arena, "assignment %zu", k + 1);
        apply_one(&c, json_array_get(list, k));
    }
    if (r->failed)
        return -1;
    json_object_clear(report);
    json_object_update(report, copy);
    return 0;
}

static struct json_reader reader(struct arena *a, struct diag *diag)
{
    return (struct json_reader){
        .kind = "file of assignments", .writer = "call count --html", .arena = a, .diag = diag};
}

int count_assignment_apply_text(json_t *report, const struct source *source, struct diag *diag)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct json_reader r = reader(a, diag);
    json_auto_t *root = json_read_source(&r, source);
    return root ? apply_root(&r, report, root) : -1;
}

int count_assignment_apply(json_t *report, const char *path, struct diag *diag)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct json_reader r = reader(a, diag);
    json_auto_t *root = json_read_file(&r, path);
    return root ? apply_root(&r, report, root) : -1;
}
