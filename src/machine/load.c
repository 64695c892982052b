/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads a machine file and checks everything that later code relies on. The head is checked first: a
 * file of a newer cllprobe is refused as such, whatever else it has. Members that this version does
 * not know are ignored; those that it knows must be there and make sense.
 */
#include "machine/machine.h"

#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "json/read.h"

enum {
    MOST_FIGURES = 10000, /* tables are made of them for every machine that is used */
    MOST_NUMBERS = 256,   /* of cores, or of processes, that have figures */
    MOST_ROUNDS = 100000,
    MOST_COUNT = 1 << 24, /* cores, processes */
};
static const double MOST_SIZE = 1125899906842624.0; /* a working set: 2^50 */

/* ---- parts of the file */

static void read_caches(struct json_reader *r, const json_t *system, struct machine *m)
{
    enum { MOST = 64 };
    m->caches_from = json_read_text(r, system, "caches_from", JSON_OPTIONAL);
    if (!m->caches_from)
        return;
    const json_t *caches = json_read_list(r, system, "caches", MOST);
    m->ncaches = json_array_size(caches);
    struct machine_cache *out = arena_zalloc(r->arena, m->ncaches + 1, sizeof *out);
    for (size_t i = 0; i < m->ncaches; i++) {
        const json_t *c = json_array_get(caches, i);
        out[i].level = (int)json_read_whole(r, c, "level", 1, 16, JSON_NEEDED);
        out[i].type = json_read_text(r, c, "type", JSON_NEEDED);
        out[i].bytes = json_read_whole(r, c, "bytes", 1, MOST_SIZE, JSON_NEEDED);
        out[i].line = (int)json_read_whole(r, c, "line", 0, MOST_COUNT, JSON_NEEDED);
        out[i].shared_by = (int)json_read_whole(r, c, "shared_by", 0, MOST_COUNT, JSON_NEEDED);
    }
    m->caches = out;
}

static void read_system(struct json_reader *r, const json_t *root, struct machine *m)
{
    const json_t *system = json_read_member(r, root, "system"), *mpi = json_object_get(root, "mpi"),
                 *gpu = json_object_get(root, "gpu");
    r->where = "system";
    m->architecture = json_read_text(r, system, "architecture", JSON_NEEDED);
    m->processor = json_read_text(r, system, "processor", JSON_NEEDED);
    m->os = json_read_text(r, system, "os", JSON_NEEDED);
    m->compiler = json_read_text(r, system, "compiler", JSON_NEEDED);
    m->host = json_read_text(r, system, "host", JSON_OPTIONAL);
    m->optimised = json_read_flag(r, system, "optimised");
    m->cores = (int)json_read_whole(r, system, "cores", 1, MOST_COUNT, JSON_NEEDED);
    m->hardware_threads =
        (int)json_read_whole(r, system, "hardware_threads", 1, MOST_COUNT, JSON_NEEDED);
    m->memory = json_read_whole(r, system, "memory", 0, 9e18, JSON_NEEDED);
    m->page = json_read_whole(r, system, "page", 1, MOST_SIZE, JSON_NEEDED);
    read_caches(r, system, m);
    r->where = "mpi";
    if (mpi) {
        m->mpi_library = json_read_text(r, mpi, "library", JSON_NEEDED);
        m->processes = (int)json_read_whole(r, mpi, "processes", 1, MOST_COUNT, JSON_NEEDED);
        m->hosts = (int)json_read_whole(r, mpi, "hosts", 1, MOST_COUNT, JSON_NEEDED);
        m->oversubscribed = json_read_flag(r, mpi, "oversubscribed");
    }
    r->where = "gpu";
    if (gpu) {
        m->device = json_read_text(r, gpu, "device", JSON_NEEDED);
        m->device_library = json_read_text(r, gpu, "library", JSON_NEEDED);
        m->device_units = (int)json_read_whole(r, gpu, "units", 1, MOST_COUNT, JSON_NEEDED);
        m->device_memory = json_read_whole(r, gpu, "memory", 0, 9e18, JSON_NEEDED);
        m->device_cache = json_read_whole(r, gpu, "cache", 0, 9e18, JSON_NEEDED);
    }
    r->where = NULL;
}

static void read_families(struct json_reader *r, const json_t *root, struct machine *m)
{
    enum { MOST = 100 };
    const json_t *families = json_read_list(r, root, "families", MOST);
    m->nfamilies = json_array_size(families);
    struct machine_family *out = arena_zalloc(r->arena, m->nfamilies + 1, sizeof *out);
    r->where = "families";
    for (size_t i = 0; i < m->nfamilies; i++) {
        const json_t *f = json_array_get(families, i);
        out[i].name = json_read_name(r, f, "name");
        if (!json_read_flag(r, f, "measured"))
            out[i].reason = json_read_text(r, f, "reason", JSON_NEEDED);
    }
    m->families = out;
    r->where = NULL;
}

/* ---- figures */

static void read_values(struct json_reader *r, const json_t *object, struct machine_figure *f)
{
    const json_t *values = json_read_list(r, object, "values", MOST_ROUNDS);
    f->rounds = json_read_whole(r, object, "rounds", 1, MOST_ROUNDS, JSON_NEEDED);
    if (values && !r->failed && json_array_size(values) != f->rounds)
        json_read_complain(r, "there are %zu values, but \"rounds\" is %zu",
                           json_array_size(values), f->rounds);
    if (r->failed)
        return;
    double *out = arena_alloc(r->arena, f->rounds, sizeof *out);
    for (size_t i = 0; i < f->rounds; i++) {
        const json_t *value = json_array_get(values, i);
        out[i] = json_is_number(value) ? json_number_value(value) : NAN;
        if (!(isfinite(out[i]) && out[i] > 0)) {
            json_read_complain(r, "value %zu must be a positive number", i + 1);
            return;
        }
    }
    f->values = out;
}

static void check_unit(struct json_reader *r, const struct machine_figure *f)
{
    const char *wanted = machine_unit(f->family, f->name);
    if (wanted && strcmp(wanted, f->unit) != 0)
        json_read_complain(r, "the unit of %s %s is \"%s\", not \"%s\"", f->family, f->name, wanted,
                           f->unit);
    else if (!machine_unit_exists(f->unit))
        json_read_complain(r, "there is no unit \"%s\"; the units are s, B/s, 1/s and s/B",
                           f->unit);
}

static void read_figure(struct json_reader *r, const json_t *object, struct machine_figure *f,
                        bool measured)
{
    if (!json_is_object(object)) {
        json_read_complain(r, "must be an object");
        return;
    }
    f->family = json_read_name(r, object, "family");
    f->name = json_read_name(r, object, "name");
    f->unit = json_read_text(r, object, "unit", JSON_NEEDED);
    f->has_bytes = json_object_get(object, "bytes") != NULL;
    f->bytes = json_read_whole(r, object, "bytes", 0, MOST_SIZE, JSON_OPTIONAL);
    f->cores = (int)json_read_whole(r, object, "cores", 1, MOST_COUNT, JSON_OPTIONAL);
    f->processes = (int)json_read_whole(r, object, "processes", 1, MOST_COUNT, JSON_OPTIONAL);
    f->value = json_read_amount(r, object, "value", JSON_NEEDED);
    f->low = json_read_amount(r, object, "low", JSON_NEEDED);
    f->high = json_read_amount(r, object, "high", JSON_NEEDED);
    f->steady = json_read_flag(r, object, "steady");
    if (r->failed)
        return;
    check_unit(r, f);
    if (measured && f->value == 0)
        json_read_complain(r, "\"value\" must be positive");
    if (!(f->low <= f->value && f->value <= f->high))
        json_read_complain(r, "\"value\" must be between \"low\" and \"high\"");
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
static void check_twins(struct json_reader *r, const struct machine_figure *figures, size_t n)
{
    const struct machine_figure **sorted = arena_alloc(r->arena, n + 1, sizeof(void *));
    for (size_t i = 0; i < n; i++)
        sorted[i] = &figures[i];
    sort_with(sorted, n, sizeof(void *), by_place, NULL);
    for (size_t i = 1; i < n; i++)
        if (by_place(&sorted[i - 1], &sorted[i], NULL) == 0)
            json_read_complain(r, "%s %s is there twice for the same place", sorted[i]->family,
                               sorted[i]->name);
}

static int by_number(const void *a, const void *b, void *context)
{
    int x = *(const int *)a, y = *(const int *)b;
    (void)context;
    return (x > y) - (x < y);
}

/* Each number of cores, or of processes, becomes a row of a table. */
static void check_numbers(struct json_reader *r, const struct machine_figure *figures, size_t n,
                          bool processes)
{
    int *list = arena_alloc(r->arena, n + 1, sizeof *list);
    size_t different = 0;
    for (size_t i = 0; i < n; i++)
        list[i] = processes ? figures[i].processes : figures[i].cores;
    sort_with(list, n, sizeof *list, by_number, NULL);
    for (size_t i = 0; i < n; i++)
        different += list[i] && (!i || list[i] != list[i - 1]);
    if (different > MOST_NUMBERS)
        json_read_complain(r, "there are figures for %zu numbers of %s; at most %d are allowed",
                           different, processes ? "processes" : "cores", MOST_NUMBERS);
}

static const struct machine_figure *read_figures(struct json_reader *r, const json_t *root,
                                                 const char *key, bool measured, size_t *n)
{
    const json_t *figures = json_read_list(r, root, key, MOST_FIGURES);
    *n = json_array_size(figures);
    struct machine_figure *out = arena_zalloc(r->arena, *n + 1, sizeof *out);
    for (size_t i = 0; i < *n && !r->failed; i++) {
        char where[64];
        snprintf(where, sizeof where, "%s, element %zu", key, i + 1);
        r->where = where;
        read_figure(r, json_array_get(figures, i), &out[i], measured);
    }
    r->where = key;
    if (!r->failed) {
        check_twins(r, out, *n);
        check_numbers(r, out, *n, false);
        check_numbers(r, out, *n, true);
    }
    r->where = NULL;
    return out;
}

/* ---- the whole */

static const struct machine *read_machine(struct json_reader *r, const json_t *root)
{
    struct machine *m = arena_zalloc(r->arena, 1, sizeof *m);
    if (!json_read_version(r, root, "cllprobe", MACHINE_FORMAT))
        return NULL;
    m->name = json_read_name(r, root, "name");
    m->program = json_read_text(r, root, "program", JSON_NEEDED);
    m->date = json_read_text(r, root, "date", JSON_NEEDED);
    m->source = json_read_text(r, root, "source", JSON_OPTIONAL);
    m->quick = json_read_flag(r, root, "quick");
    m->seconds = json_read_amount(r, root, "seconds", JSON_NEEDED);
    m->rounds = json_read_whole(r, root, "rounds", 0, MOST_ROUNDS, JSON_NEEDED);
    read_system(r, root, m);
    read_families(r, root, m);
    m->summary = read_figures(r, root, "summary", false, &m->nsummary);
    m->figures = read_figures(r, root, "figures", true, &m->nfigures);
    return r->failed ? NULL : m;
}

static struct json_reader reader(struct arena *a, struct diag *diag)
{
    return (struct json_reader){
        .kind = "machine file", .writer = "cllprobe", .arena = a, .diag = diag};
}

const struct machine *machine_parse(const struct source *source, struct arena *a, struct diag *diag)
{
    struct json_reader r = reader(a, diag);
    json_auto_t *root = json_read_source(&r, source);
    return root ? read_machine(&r, root) : NULL;
}

const struct machine *machine_load(const char *path, struct arena *a, struct diag *diag)
{
    struct json_reader r = reader(a, diag);
    json_auto_t *root = json_read_file(&r, path);
    return root ? read_machine(&r, root) : NULL;
}
