/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a machine file and checks everything that later code relies on. The head is checked first: a
 * file of a newer cllprobe is refused as such, whatever else it has. Members that this version does
 * not know are ignored; those that it knows must be there and make sense.
 */
#include "machine/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"

enum {
    MOST_BYTES = 64 << 20, /* of a file */
    MOST_FIGURES = 100000,
    MOST_ROUNDS = 100000,
    MOST_NAME = 200,
    MOST_COUNT = 1 << 24, /* cores, processes */
};
static const double MOST_SIZE = 1125899906842624.0; /* a working set: 2^50 */

/* What is read at the moment. `where` names it in messages: "figure 17". */
struct reader {
    const struct source *source;
    struct arena *arena;
    struct diag *diag;
    const char *where;
    bool failed;
};

static void complain(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* One error is enough: those after it often follow from it. */
static void complain(struct reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *what = arena_vprintf(r->arena, format, args);
    va_end(args);
    if (!r->failed)
        diag_error(r->diag, "%s: %s%s%s", r->source->name, r->where ? r->where : "",
                   r->where ? ": " : "", what);
    r->failed = true;
}

/* ---- members of objects */

static const json_t *member(struct reader *r, const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        complain(r, "\"%s\" is missing: the file is damaged, or cllprobe did not write it", key);
    return value;
}

static const char *text(struct reader *r, const json_t *object, const char *key, bool optional)
{
    const json_t *value = optional ? json_object_get(object, key) : member(r, object, key);
    if (!value)
        return optional ? NULL : "";
    if (!json_is_string(value) || json_string_length(value) > MOST_NAME ||
        strlen(json_string_value(value)) != json_string_length(value)) {
        complain(r, "\"%s\" must be a text of at most %d bytes", key, MOST_NAME);
        return "";
    }
    return arena_strdup(r->arena, json_string_value(value));
}

/* A name of something: letters, digits and a few marks. */
static const char *name(struct reader *r, const json_t *object, const char *key)
{
    static const char allowed[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.+";
    const char *s = text(r, object, key, false);
    if (!*s || strspn(s, allowed) != strlen(s))
        complain(r, "\"%s\" must be a name of letters, digits and - _ . +", key);
    return s;
}

static bool boolean(struct reader *r, const json_t *object, const char *key)
{
    const json_t *value = member(r, object, key);
    if (value && !json_is_boolean(value))
        complain(r, "\"%s\" must be true or false", key);
    return json_is_true(value);
}

/* A whole number from `least` to `most`; 0 if it is absent and optional. */
static uint64_t whole(struct reader *r, const json_t *object, const char *key, double least,
                      double most, bool optional)
{
    const json_t *value = optional ? json_object_get(object, key) : member(r, object, key);
    if (!value)
        return 0;
    double x = json_is_integer(value) ? (double)json_integer_value(value) : -1;
    if (!(x >= least && x <= most)) {
        complain(r, "\"%s\" must be a whole number from %.0f to %.0f", key, least, most);
        return 0;
    }
    return (uint64_t)json_integer_value(value);
}

static double number(struct reader *r, const json_t *object, const char *key)
{
    const json_t *value = member(r, object, key);
    double x = json_is_number(value) ? json_number_value(value) : NAN;
    if (value && !(isfinite(x) && x >= 0)) {
        complain(r, "\"%s\" must be a number that is not negative", key);
        return 0;
    }
    return value ? x : 0;
}

static const json_t *list(struct reader *r, const json_t *object, const char *key, size_t most)
{
    const json_t *value = member(r, object, key);
    if (value && !json_is_array(value)) {
        complain(r, "\"%s\" must be a list", key);
        return NULL;
    }
    if (value && json_array_size(value) > most) {
        complain(r, "\"%s\" has %zu elements; at most %zu are allowed", key, json_array_size(value),
                 most);
        return NULL;
    }
    return value;
}

/* ---- parts of the file */

static void read_caches(struct reader *r, const json_t *system, struct machine *m)
{
    enum { MOST = 64 };
    m->caches_from = text(r, system, "caches_from", true);
    if (!m->caches_from)
        return;
    const json_t *caches = list(r, system, "caches", MOST);
    m->ncaches = json_array_size(caches);
    struct machine_cache *out = arena_zalloc(r->arena, m->ncaches + 1, sizeof *out);
    for (size_t i = 0; i < m->ncaches; i++) {
        const json_t *c = json_array_get(caches, i);
        out[i].level = (int)whole(r, c, "level", 1, 16, false);
        out[i].type = text(r, c, "type", false);
        out[i].bytes = whole(r, c, "bytes", 1, MOST_SIZE, false);
        out[i].line = (int)whole(r, c, "line", 0, MOST_COUNT, false);
        out[i].shared_by = (int)whole(r, c, "shared_by", 0, MOST_COUNT, false);
    }
    m->caches = out;
}

static void read_system(struct reader *r, const json_t *root, struct machine *m)
{
    const json_t *system = member(r, root, "system"), *mpi = json_object_get(root, "mpi");
    r->where = "system";
    m->architecture = text(r, system, "architecture", false);
    m->processor = text(r, system, "processor", false);
    m->os = text(r, system, "os", false);
    m->compiler = text(r, system, "compiler", false);
    m->host = text(r, system, "host", true);
    m->optimised = boolean(r, system, "optimised");
    m->cores = (int)whole(r, system, "cores", 1, MOST_COUNT, false);
    m->hardware_threads = (int)whole(r, system, "hardware_threads", 1, MOST_COUNT, false);
    m->memory = whole(r, system, "memory", 0, 9e18, false);
    m->page = whole(r, system, "page", 1, MOST_SIZE, false);
    read_caches(r, system, m);
    r->where = "mpi";
    if (mpi) {
        m->mpi_library = text(r, mpi, "library", false);
        m->processes = (int)whole(r, mpi, "processes", 1, MOST_COUNT, false);
        m->hosts = (int)whole(r, mpi, "hosts", 1, MOST_COUNT, false);
        m->oversubscribed = boolean(r, mpi, "oversubscribed");
    }
    r->where = NULL;
}

static void read_families(struct reader *r, const json_t *root, struct machine *m)
{
    enum { MOST = 100 };
    const json_t *families = list(r, root, "families", MOST);
    m->nfamilies = json_array_size(families);
    struct machine_family *out = arena_zalloc(r->arena, m->nfamilies + 1, sizeof *out);
    r->where = "families";
    for (size_t i = 0; i < m->nfamilies; i++) {
        const json_t *f = json_array_get(families, i);
        out[i].name = name(r, f, "name");
        if (!boolean(r, f, "measured"))
            out[i].reason = text(r, f, "reason", false);
    }
    m->families = out;
    r->where = NULL;
}

/* ---- figures */

static void read_values(struct reader *r, const json_t *object, struct machine_figure *f)
{
    const json_t *values = list(r, object, "values", MOST_ROUNDS);
    f->rounds = whole(r, object, "rounds", 1, MOST_ROUNDS, false);
    if (values && !r->failed && json_array_size(values) != f->rounds)
        complain(r, "there are %zu values, but \"rounds\" is %zu", json_array_size(values),
                 f->rounds);
    if (r->failed)
        return;
    double *out = arena_alloc(r->arena, f->rounds, sizeof *out);
    for (size_t i = 0; i < f->rounds; i++) {
        const json_t *value = json_array_get(values, i);
        out[i] = json_is_number(value) ? json_number_value(value) : NAN;
        if (!(isfinite(out[i]) && out[i] > 0)) {
            complain(r, "value %zu must be a positive number", i + 1);
            return;
        }
    }
    f->values = out;
}

static void check_unit(struct reader *r, const struct machine_figure *f)
{
    const char *wanted = machine_unit(f->family, f->name);
    if (wanted && strcmp(wanted, f->unit) != 0)
        complain(r, "the unit of %s %s is \"%s\", not \"%s\"", f->family, f->name, wanted, f->unit);
    else if (!machine_unit_exists(f->unit))
        complain(r, "there is no unit \"%s\"; the units are s, B/s, 1/s and s/B", f->unit);
}

static void read_figure(struct reader *r, const json_t *object, struct machine_figure *f,
                        bool measured)
{
    if (!json_is_object(object)) {
        complain(r, "must be an object");
        return;
    }
    f->family = name(r, object, "family");
    f->name = name(r, object, "name");
    f->unit = text(r, object, "unit", false);
    f->has_bytes = json_object_get(object, "bytes") != NULL;
    f->bytes = whole(r, object, "bytes", 0, MOST_SIZE, true);
    f->cores = (int)whole(r, object, "cores", 1, MOST_COUNT, true);
    f->processes = (int)whole(r, object, "processes", 1, MOST_COUNT, true);
    f->value = number(r, object, "value");
    f->low = number(r, object, "low");
    f->high = number(r, object, "high");
    f->steady = boolean(r, object, "steady");
    if (r->failed)
        return;
    check_unit(r, f);
    if (measured && f->value == 0)
        complain(r, "\"value\" must be positive");
    if (!(f->low <= f->value && f->value <= f->high))
        complain(r, "\"value\" must be between \"low\" and \"high\"");
    if (measured)
        read_values(r, object, f);
}

static int by_place(const void *a, const void *b, void *context)
{
    const struct machine_figure *x = *(const struct machine_figure *const *)a;
    const struct machine_figure *y = *(const struct machine_figure *const *)b;
    (void)context;
    int order = strcmp(x->family, y->family);
    order = order ? order : strcmp(x->name, y->name);
    order = order ? order : (x->bytes > y->bytes) - (x->bytes < y->bytes);
    order = order ? order : (x->has_bytes > y->has_bytes) - (x->has_bytes < y->has_bytes);
    order = order ? order : (x->cores > y->cores) - (x->cores < y->cores);
    return order ? order : (x->processes > y->processes) - (x->processes < y->processes);
}

/* Two figures at one place would leave it open which one counts. */
static void check_twins(struct reader *r, const struct machine_figure *figures, size_t n)
{
    const struct machine_figure **sorted = arena_alloc(r->arena, n + 1, sizeof(void *));
    for (size_t i = 0; i < n; i++)
        sorted[i] = &figures[i];
    sort_with(sorted, n, sizeof(void *), by_place, NULL);
    for (size_t i = 1; i < n; i++)
        if (by_place(&sorted[i - 1], &sorted[i], NULL) == 0)
            complain(r, "%s %s is there twice for the same place", sorted[i]->family,
                     sorted[i]->name);
}

static const struct machine_figure *read_figures(struct reader *r, const json_t *root,
                                                 const char *key, bool measured, size_t *n)
{
    const json_t *figures = list(r, root, key, MOST_FIGURES);
    *n = json_array_size(figures);
    struct machine_figure *out = arena_zalloc(r->arena, *n + 1, sizeof *out);
    for (size_t i = 0; i < *n && !r->failed; i++) {
        char where[64];
        snprintf(where, sizeof where, "%s, element %zu", key, i + 1);
        r->where = where;
        read_figure(r, json_array_get(figures, i), &out[i], measured);
    }
    r->where = key;
    if (!r->failed)
        check_twins(r, out, *n);
    r->where = NULL;
    return out;
}

/* ---- the whole */

/* Whether the file is one that this version reads. */
static bool check_head(struct reader *r, const json_t *root)
{
    const json_t *version = json_object_get(root, "cllprobe");
    if (!json_is_object(root) || !version) {
        complain(r, "this is not a machine file: cllprobe writes those");
        return false;
    }
    if (!json_is_integer(version) || json_integer_value(version) < 1) {
        complain(r, "\"cllprobe\" must be the version of the format, a positive whole number");
        return false;
    }
    if (json_integer_value(version) > MACHINE_FORMAT) {
        complain(r,
                 "a newer cllprobe wrote this file (format %lld, this program reads format %d); "
                 "use a newer llac, or measure again with this version's cllprobe",
                 (long long)json_integer_value(version), MACHINE_FORMAT);
        return false;
    }
    return true;
}

static const struct machine *read_machine(struct reader *r, const json_t *root)
{
    struct machine *m = arena_zalloc(r->arena, 1, sizeof *m);
    if (!check_head(r, root))
        return NULL;
    m->name = name(r, root, "name");
    m->program = text(r, root, "program", false);
    m->date = text(r, root, "date", false);
    m->source = text(r, root, "source", true);
    m->quick = boolean(r, root, "quick");
    m->seconds = number(r, root, "seconds");
    m->rounds = whole(r, root, "rounds", 0, MOST_ROUNDS, false);
    read_system(r, root, m);
    read_families(r, root, m);
    m->summary = read_figures(r, root, "summary", false, &m->nsummary);
    m->figures = read_figures(r, root, "figures", true, &m->nfigures);
    return r->failed ? NULL : m;
}

/* Where jansson stopped, as a place of the source. */
static void complain_syntax(struct reader *r, const json_error_t *e)
{
    size_t at = e->position > 0 ? (size_t)e->position : 0;
    struct span where = {at < r->source->size ? at : r->source->size,
                         at < r->source->size ? at : r->source->size};
    diag_add(r->diag, SEVERITY_ERROR, r->source, where,
             "this is not a complete machine file (%s): it is damaged or was cut off; copy it "
             "again, or measure again with cllprobe",
             e->text);
}

const struct machine *machine_parse(const struct source *source, struct arena *a, struct diag *diag)
{
    struct reader r = {.source = source, .arena = a, .diag = diag};
    json_error_t error;
    size_t blanks = strspn(source->text, " \t\r\n"); /* the text ends with a 0 */
    if (blanks >= source->size || source->text[blanks] != '{') {
        complain(&r, "this is not a machine file: cllprobe writes those");
        return NULL;
    }
    json_t *root = json_loadb(source->text, source->size, JSON_REJECT_DUPLICATES, &error);
    if (!root) {
        complain_syntax(&r, &error);
        return NULL;
    }
    const struct machine *m = read_machine(&r, root);
    json_decref(root);
    return m;
}

const struct machine *machine_load(const char *path, struct arena *a, struct diag *diag)
{
    char *text = NULL;
    struct source *source = arena_zalloc(a, 1, sizeof *source);
    int error = source_read(path, MOST_BYTES, &text, &source->size);
    if (error) {
        diag_error(diag, "%s: %s", path,
                   error == EFBIG ? "more than 64 MB: this is not a machine file"
                                  : strerror(error));
        return NULL;
    }
    source->name = arena_strdup(a, path);
    source->text = arena_strndup(a, text, source->size);
    mem_free(text);
    return machine_parse(source, a, diag);
}
