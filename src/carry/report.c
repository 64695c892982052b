/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "carry/report.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "json/read.h"

enum {
    MOST_EXPERIMENTS = 32767,
    MOST_CONSTANTS = 1000,
    MOST_UNEXPLAINED = 1000000,
    MOST_POINTS = 1000000,
    MOST_FORMULA = 65536,
    MOST_MNEMONICS = 10000,
    MOST_VARIABLES = 1000,
};
enum { VECTOR_BITS = 128 }; /* that every machine has */

const char *const operation_names[OPERATIONS] = {"integer", "float",  "division", "load",
                                                 "store",   "branch", "call",     "other"};

/* Instructions that work on vectors are in their class with one each. Those that are wider than what
 * every machine has count as so many of this width. */
static double read_wide(struct json_reader *r, const json_t *classes)
{
    json_t *simd = json_object_get(classes, "simd"), *value;
    const char *bits;
    double wide = 0;
    json_object_foreach(simd, bits, value)
    {
        double width = strtod(bits, NULL), n = json_read_number(r, simd, bits, JSON_NEEDED);
        if (width > VECTOR_BITS)
            wide += n * width / VECTOR_BITS;
    }
    return wide;
}

static enum operation class_of(const char *name)
{
    for (int i = 0; i < OPERATIONS; i++)
        if (strcmp(name, operation_names[i]) == 0)
            return (enum operation)i;
    return OPERATION_OTHER; /* a class that a later version may add */
}

/* {"mov": {"integer": 2, "load": 1}} */
static void read_mnemonics(struct json_reader *r, const json_t *classes, struct operation_mix *mix)
{
    json_t *all = json_object_get(classes, "mnemonics"), *of, *number;
    const char *name, *class;
    if (!all)
        return;
    if (!json_is_object(all) || json_object_size(all) > MOST_MNEMONICS) {
        json_read_complain(r, "\"mnemonics\" must be an object of at most %d members",
                           MOST_MNEMONICS);
        return;
    }
    struct mnemonic *list =
        arena_zalloc(r->arena, json_object_size(all) * OPERATIONS + 1, sizeof *list);
    json_object_foreach(all, name, of)
    {
        if (json_object_size(of) > OPERATIONS)
            continue;
        json_object_foreach(of, class, number)
        {
            list[mix->nmnemonics++] =
                (struct mnemonic){arena_strdup(r->arena, name), class_of(class),
                                  json_read_number(r, of, class, JSON_NEEDED)};
        }
    }
    mix->mnemonics = list;
}

static void read_mix(struct json_reader *r, const json_t *object, struct operation_mix *mix)
{
    const json_t *classes = json_read_member(r, object, "classes");
    double sum = 0;
    mix->instructions = json_read_number(r, object, "instructions", JSON_NEEDED);
    for (int i = 0; i < OPERATIONS; i++) {
        mix->of[i] = json_read_number(r, classes, operation_names[i], JSON_OPTIONAL);
        sum += mix->of[i];
    }
    mix->multiplies = json_read_number(r, classes, "multiplies", JSON_OPTIONAL);
    mix->wide = read_wide(r, classes);
    mix->set = json_read_number(r, classes, "set", JSON_OPTIONAL);
    mix->copied = json_read_number(r, classes, "copied", JSON_OPTIONAL);
    mix->accesses = json_read_number(r, classes, "reads", JSON_OPTIONAL) +
                    json_read_number(r, classes, "writes", JSON_OPTIONAL);
    read_mnemonics(r, classes, mix);
    /* Instructions of classes that a later version may add are like the others. */
    mix->of[OPERATION_OTHER] += mix->instructions - sum;
}

static const struct report_constant *read_constants(struct json_reader *r, const json_t *object,
                                                    const char *architecture, size_t *n)
{
    const json_t *list = json_read_list(r, object, "constants", MOST_CONSTANTS);
    *n = json_array_size(list);
    struct report_constant *out = arena_zalloc(r->arena, *n + 1, sizeof *out);
    for (size_t i = 0; i < *n; i++) {
        const json_t *constant = json_array_get(list, i);
        out[i].name = json_read_text(r, constant, "name", JSON_NEEDED);
        out[i].exact = json_read_flag(r, constant, "exact");
        read_mix(r, constant, &out[i].mix);
        out[i].mix.architecture = out[i].mix.nmnemonics ? architecture : NULL;
    }
    return out;
}

/* The mean of the instructions of an execution, over the points. */
static double mean_instructions(struct json_reader *r, const json_t *object)
{
    const json_t *points = json_read_list(r, object, "points", MOST_POINTS);
    double sum = 0;
    size_t n = json_array_size(points);
    for (size_t i = 0; i < n; i++)
        sum += json_read_amount(r, json_array_get(points, i), "instructions", JSON_NEEDED);
    return n ? sum / (double)n : 0;
}

static bool read_point(struct json_reader *r, const json_t *object, struct report_point *out)
{
    const json_t *misses = json_object_get(object, "misses");
    json_t *values = json_object_get(object, "values"), *value;
    const char *name;
    if (!misses || !json_is_object(values) || json_object_size(values) > MOST_VARIABLES)
        return false;
    double accesses = json_read_amount(r, object, "accesses", JSON_NEEDED);
    const char **names = arena_alloc(r->arena, json_object_size(values) + 1, sizeof *names);
    double *numbers = arena_alloc(r->arena, json_object_size(values) + 1, sizeof *numbers);
    json_object_foreach(values, name, value)
    {
        names[out->n] = arena_strdup(r->arena, name);
        numbers[out->n++] = json_read_number(r, values, name, JSON_NEEDED);
    }
    out->names = names;
    out->values = numbers;
    out->misses.d1 = json_read_amount(r, misses, "D1", JSON_NEEDED) / fmax(accesses, 1);
    out->misses.ll = json_read_amount(r, misses, "LL", JSON_NEEDED) / fmax(accesses, 1);
    return !r->failed;
}

static void read_points(struct json_reader *r, const json_t *object, struct report_experiment *out)
{
    const json_t *list = json_object_get(object, "points");
    size_t n = json_array_size(list);
    struct report_point *points = arena_zalloc(r->arena, n + 1, sizeof *points);
    for (size_t i = 0; i < n && !r->failed; i++)
        out->npoints += read_point(r, json_array_get(list, i), &points[out->npoints]);
    out->points = points;
}

static double read_unexplained(struct json_reader *r, const json_t *object)
{
    const json_t *list = json_read_list(r, object, "unexplained", MOST_UNEXPLAINED);
    double sum = 0, all = mean_instructions(r, object);
    for (size_t i = 0; i < json_array_size(list); i++)
        sum += json_read_amount(r, json_array_get(list, i), "instructions", JSON_NEEDED);
    return all > 0 ? fmin(sum / all, 1) : 0;
}

/* The formula may be longer than a short text. */
static const char *read_formula(struct json_reader *r, const json_t *object)
{
    const json_t *formula = json_read_member(r, object, "formula");
    if (!json_is_string(formula) || json_string_length(formula) > MOST_FORMULA ||
        strlen(json_string_value(formula)) != json_string_length(formula)) {
        json_read_complain(r, "\"formula\" must be a text of at most %d bytes", MOST_FORMULA);
        return "";
    }
    return arena_strdup(r->arena, json_string_value(formula));
}

static void read_experiment(struct json_reader *r, const json_t *object, const char *architecture,
                            struct report_experiment *out)
{
    out->name = json_read_text(r, object, "name", JSON_NEEDED);
    out->formula = read_formula(r, object);
    out->communicates = json_is_true(json_object_get(object, "communicates"));
    out->constants = read_constants(r, object, architecture, &out->nconstants);
    out->unexplained = read_unexplained(r, object);
    read_points(r, object, out);
}

static const struct report *read_report(struct json_reader *r, const json_t *root)
{
    struct report *c = arena_zalloc(r->arena, 1, sizeof *c);
    if (!json_read_version(r, root, "format", REPORT_FORMAT))
        return NULL;
    c->path = r->source->name;
    c->program = json_read_text(r, root, "program", JSON_NEEDED);
    c->architecture = json_read_text(r, root, "architecture", JSON_NEEDED);
    c->compiler = json_read_text(r, root, "compiler", JSON_NEEDED);
    c->flags = json_read_text(r, root, "flags", JSON_NEEDED);
    const json_t *list = json_read_list(r, root, "experiments", MOST_EXPERIMENTS);
    c->nexperiments = json_array_size(list);
    struct report_experiment *out = arena_zalloc(r->arena, c->nexperiments + 1, sizeof *out);
    const json_t *cache = json_object_get(root, "cache");
    const char *caches =
        json_object_get(cache, "machine") ? json_read_text(r, cache, "machine", JSON_NEEDED) : NULL;
    for (size_t i = 0; i < c->nexperiments && !r->failed; i++) {
        out[i].caches = caches;
        r->where = arena_printf(r->arena, "experiments, element %zu", i + 1);
        read_experiment(r, json_array_get(list, i), c->architecture, &out[i]);
    }
    c->experiments = out;
    return r->failed ? NULL : c;
}

static struct json_reader reader(struct arena *a, struct diag *diag)
{
    return (struct json_reader){
        .kind = "report of counts", .writer = "call count", .arena = a, .diag = diag};
}

const struct report *report_parse(const struct source *source, struct arena *a, struct diag *diag)
{
    struct json_reader r = reader(a, diag);
    json_auto_t *root = json_read_source(&r, source);
    return root ? read_report(&r, root) : NULL;
}

const struct report *report_load(const char *path, struct arena *a, struct diag *diag)
{
    struct json_reader r = reader(a, diag);
    json_auto_t *root = json_read_file(&r, path);
    return root ? read_report(&r, root) : NULL;
}

bool report_is_for(const char *architecture, const char *machine)
{
    for (; *architecture || *machine; architecture++, machine++)
        if (*architecture != *machine && (*architecture != '-' || *machine != '_'))
            return false;
    return true;
}

/* The square of the distance of a place from a point. */
static double distance(const struct report_point *p, const char *const *names, const double *values,
                       size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < p->n; k++) {
            if (strcmp(names[i], p->names[k]) != 0)
                continue;
            bool positive = values[i] > 0 && p->values[k] > 0;
            double d = positive ? log(values[i] / p->values[k]) : values[i] - p->values[k];
            sum += d * d;
        }
    return sum;
}

const struct misses *report_misses(const struct report_experiment *e, const char *machine,
                                   const char *const *names, const double *values, size_t n)
{
    const struct report_point *nearest = NULL;
    if (!e || !e->caches || strcmp(e->caches, machine) != 0)
        return NULL;
    for (size_t i = 0; i < e->npoints; i++)
        if (!nearest ||
            distance(&e->points[i], names, values, n) < distance(nearest, names, values, n))
            nearest = &e->points[i];
    return nearest ? &nearest->misses : NULL;
}

const struct report_experiment *report_find(const struct report *c, const char *experiment)
{
    return TEXT_ELEMENT(c->experiments, c->nexperiments, name, experiment);
}

const struct report_constant *report_constant(const struct report_experiment *e, const char *name)
{
    return TEXT_ELEMENT(e->constants, e->nconstants, name, name);
}
