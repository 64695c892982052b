/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A machine as text: what it is, then a table for each family. Operations have latency and throughput
 * side by side, in nanoseconds and in cycles. Figures over bytes have a row for each size and a
 * column for each name. A star marks what was not steady.
 */
#include "llac/machine/output.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "machine/curves.h"
#include "llac/json.h"
#include "llac/text.h"
#include "base/number.h"

/* ---- numbers with units */

static const struct machine_scale scales[] = {
    {"s", "ns", 1e9}, {"B/s", "GB/s", 1e-9}, {"s/B", "ns/B", 1e9}};

struct machine_scale machine_scale(const char *unit)
{
    const struct machine_scale *found =
        TEXT_ELEMENT(scales, sizeof scales / sizeof *scales, unit, unit);
    return found ? *found : (struct machine_scale){unit, unit, 1};
}

const char *machine_value_text(const struct machine_figure *f, char buffer[NUMBER_SIZE])
{
    size_t n = strlen(number_digits(f->value * machine_scale(f->unit).factor, 4, buffer));
    if (!f->steady && n + 1 < NUMBER_SIZE)
        strcpy(buffer + n, "*");
    return buffer;
}

const char *machine_size_text(double bytes, char buffer[NUMBER_SIZE])
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    size_t unit = 0;
    for (; bytes >= 1024 && unit < 4; unit++)
        bytes /= 1024;
    snprintf(buffer, NUMBER_SIZE, "%s %s", number_digits(bytes, 4, NUMBER_BUFFER), units[unit]);
    return buffer;
}

/* ---- what it is */

static void text_caches(FILE *out, const struct machine *m)
{
    if (!m->caches_from)
        return;
    fputs("      caches:", out);
    for (size_t i = 0; i < m->ncaches; i++) {
        const struct machine_cache *c = &m->caches[i];
        fprintf(out, "%s L%d %s %s", i ? "," : "", c->level, c->type,
                machine_size_text((double)c->bytes, NUMBER_BUFFER));
        if (c->shared_by > 1)
            fprintf(out, " (shared by %d)", c->shared_by);
    }
    fprintf(out, "; from %s, not measured\n", m->caches_from);
}

static void text_head(FILE *out, const struct machine *m)
{
    fprintf(out, "  %s   %s, %s, %d core%s", m->name, m->processor, m->architecture, m->cores,
            m->cores == 1 ? "" : "s");
    if (m->hardware_threads > m->cores)
        fprintf(out, " with %d hardware threads", m->hardware_threads);
    fprintf(out, ", %s\n", machine_size_text((double)m->memory, NUMBER_BUFFER));
    if (m->host)
        fprintf(out, "      host %s\n", m->host);
    if (m->source)
        fprintf(out, "      published %s, not measured: %s\n", m->date, m->source);
    else
        fprintf(out, "      measured %s by %s%s, %zu rounds in %s s\n", m->date, m->program,
                m->quick ? " --quick" : "", m->rounds, number_digits(m->seconds, 3, NUMBER_BUFFER));
    text_caches(out, m);
    if (m->mpi_library)
        fprintf(out, "      %d processes on %d host%s: %s\n", m->processes, m->hosts,
                m->hosts == 1 ? "" : "s", m->mpi_library);
    if (m->device) {
        fprintf(out, "      accelerator %s, %d units, %s", m->device, m->device_units,
                machine_size_text((double)m->device_memory, NUMBER_BUFFER));
        if (m->device_cache)
            fprintf(out, ", cache %s", machine_size_text((double)m->device_cache, NUMBER_BUFFER));
        fprintf(out, ": %s\n", m->device_library);
    }
    if (m->oversubscribed)
        fputs("      a host had more processes than cores: mpi and bsp are unreliable\n", out);
    if (!m->optimised)
        fputs("      cllprobe was compiled without optimisation: operations are too slow\n", out);
    for (size_t i = 0; i < m->nfamilies; i++)
        if (m->families[i].reason)
            fprintf(out, "      %s was not measured: %s\n", m->families[i].name,
                    m->families[i].reason);
}

/* The cache that the system tells of and that a level may be: the nearest within a factor of two. */
static const struct machine_cache *cache_at(const struct machine *m, double bytes)
{
    const struct machine_cache *best = NULL;
    double nearest = log(2);
    for (size_t i = 0; i < m->ncaches; i++) {
        double distance = fabs(log(bytes / (double)m->caches[i].bytes));
        if (strcmp(m->caches[i].type, "instruction") != 0 && distance <= nearest) {
            nearest = distance;
            best = &m->caches[i];
        }
    }
    return best;
}

/* Of the accelerator, if `device`. */
static void text_levels(FILE *out, const struct machine *m, struct arena *a, bool device)
{
    struct machine_level levels[MACHINE_LEVELS];
    size_t n = (device ? machine_device_levels : machine_levels)(m, a, levels, MACHINE_LEVELS);
    for (size_t i = 0; i < n; i++) {
        const struct machine_cache *c = device ? NULL : cache_at(m, levels[i].bytes);
        fprintf(out, "%s %s",
                i        ? ","
                : device ? "      levels of its latency:"
                         : "      levels of the latency:",
                machine_size_text(levels[i].bytes, NUMBER_BUFFER));
        if (c)
            fprintf(out, " (L%d %s)", c->level, machine_size_text((double)c->bytes, NUMBER_BUFFER));
    }
    if (n)
        fputs(m->source ? "\n" : "; measured\n", out);
}

/* ---- tables */

/* The length of the name before `end`; 0 if it does not end so. */
static size_t stem(const char *name, const char *end)
{
    size_t n = strlen(name), m = strlen(end);
    return n > m && strcmp(name + n - m, end) == 0 ? n - m : 0;
}

static bool is_operation(const struct machine_figure *f)
{
    return strcmp(f->family, "operations") == 0 && !f->has_bytes &&
           (stem(f->name, ".latency") || stem(f->name, ".throughput"));
}

/* The figure of the operation whose name has this stem. */
static const struct machine_figure *find_operation(const struct machine *m, const char *name,
                                                   size_t length, const char *end)
{
    for (size_t i = 0; i < m->nfigures; i++)
        if (is_operation(&m->figures[i]) && stem(m->figures[i].name, end) == length &&
            strncmp(m->figures[i].name, name, length) == 0)
            return &m->figures[i];
    return NULL;
}

static void text_cycles(FILE *out, const struct machine_figure *f, double cycle)
{
    if (!f)
        fprintf(out, " %10s %8s", "", "");
    else
        fprintf(out, " %10s %8s", machine_value_text(f, NUMBER_BUFFER),
                cycle > 0 ? number_digits(f->value / cycle, 3, NUMBER_BUFFER) : "");
}

/* One row for each operation: at its latency, or at its throughput if it has no latency. */
static void text_operations(FILE *out, const struct machine *m)
{
    const struct machine_figure *cycle = machine_find(m, "operations", "cycle", 0, 0, 0);
    bool head = false;
    for (size_t i = 0; i < m->nfigures; i++) {
        const struct machine_figure *f = &m->figures[i];
        size_t latency = stem(f->name, ".latency"), each = stem(f->name, ".throughput");
        if (!is_operation(f) || (each && find_operation(m, f->name, each, ".latency")))
            continue;
        size_t length = latency ? latency : each;
        if (!head)
            fprintf(out, "\n  %-20s %10s %8s %10s %8s\n", "operation", "latency ns", "cycles",
                    "each ns", "cycles");
        head = true;
        fprintf(out, "  %-20.*s", (int)length, f->name);
        text_cycles(out, latency ? f : NULL, cycle ? cycle->value : 0);
        text_cycles(out, find_operation(m, f->name, length, ".throughput"),
                    cycle ? cycle->value : 0);
        fputc('\n', out);
    }
}

/* Figures that have no bytes and are not in the table of operations. */
static void text_single(FILE *out, const struct machine_figure *f, bool *head)
{
    char place[48] = "";
    if (!*head)
        fputs("\n  other figures, with 95 % intervals\n", out);
    *head = true;
    if (f->cores)
        snprintf(place, sizeof place, "%d core%s", f->cores, f->cores == 1 ? "" : "s");
    else if (f->processes)
        snprintf(place, sizeof place, "%d process%s", f->processes, f->processes == 1 ? "" : "es");
    fprintf(out, "  %-10s %-20s %-14s %10s %-5s [%s, %s]\n", f->family, f->name, place,
            machine_value_text(f, NUMBER_BUFFER), machine_scale(f->unit).shown,
            number_digits(f->low * machine_scale(f->unit).factor, 4, NUMBER_BUFFER),
            number_digits(f->high * machine_scale(f->unit).factor, 4, NUMBER_BUFFER));
}

static void text_singles(FILE *out, const struct machine *m)
{
    bool head = false;
    for (size_t i = 0; i < m->nsummary; i++)
        text_single(out, &m->summary[i], &head);
    for (size_t i = 0; i < m->nfigures; i++)
        if (!m->figures[i].has_bytes && !is_operation(&m->figures[i]))
            text_single(out, &m->figures[i], &head);
}

/* ---- figures over bytes */

enum { MOST_COLUMNS = 8 };
struct sheet {
    const struct machine_figure *first; /* family, cores and processes of all, transfers or not */
    const char *names[MOST_COLUMNS];
    const char *units[MOST_COLUMNS];
    size_t n;
};

static bool is_transfer(const struct machine_figure *f)
{
    return strstr(f->name, "_device.") != NULL;
}

static bool belongs(const struct sheet *t, const struct machine_figure *f)
{
    return f->has_bytes && is_transfer(f) == is_transfer(t->first) && f->cores == t->first->cores &&
           f->processes == t->first->processes && strcmp(f->family, t->first->family) == 0;
}

static void add_column(struct sheet *t, const struct machine_figure *f)
{
    if (t->n == MOST_COLUMNS || text_is_in(t->names, t->n, f->name))
        return;
    t->names[t->n] = f->name;
    t->units[t->n++] = f->unit;
}

static void text_sheet(FILE *out, const struct machine *m, const struct sheet *t, struct arena *a)
{
    const struct machine_figure *first = t->first;
    size_t n[MOST_COLUMNS], at[MOST_COLUMNS] = {0};
    int widths[MOST_COLUMNS];
    const struct machine_figure **curves[MOST_COLUMNS];
    fprintf(out, "\n  %-10s", first->family);
    for (size_t k = 0; k < t->n; k++) {
        char head[64];
        snprintf(head, sizeof head, "%.40s %s", t->names[k], machine_scale(t->units[k]).shown);
        widths[k] = strlen(head) > 16 ? (int)strlen(head) : 16;
        fprintf(out, " %*s", widths[k], head);
        curves[k] =
            machine_curve(m, first->family, t->names[k], first->cores, first->processes, a, &n[k]);
    }
    if (first->cores)
        fprintf(out, "   %d core%s", first->cores, first->cores == 1 ? "" : "s");
    if (first->processes)
        fprintf(out, "   %d process%s", first->processes, first->processes == 1 ? "" : "es");
    fputc('\n', out);
    for (;;) {
        uint64_t bytes = UINT64_MAX;
        for (size_t k = 0; k < t->n; k++)
            if (at[k] < n[k] && curves[k][at[k]]->bytes < bytes)
                bytes = curves[k][at[k]]->bytes;
        if (bytes == UINT64_MAX)
            return;
        bool shown = (bytes & (bytes - 1)) == 0;
        if (shown)
            fprintf(out, "  %-10s", machine_size_text((double)bytes, NUMBER_BUFFER));
        for (size_t k = 0; k < t->n; k++) {
            bool there = at[k] < n[k] && curves[k][at[k]]->bytes == bytes;
            if (shown)
                fprintf(out, " %*s", widths[k],
                        there ? machine_value_text(curves[k][at[k]], NUMBER_BUFFER) : "");
            at[k] += there;
        }
        if (shown)
            fputc('\n', out);
    }
}

static void text_sheets(FILE *out, const struct machine *m, struct arena *a)
{
    bool *done = arena_zalloc(a, m->nfigures + 1, sizeof *done);
    for (size_t i = 0; i < m->nfigures; i++) {
        if (done[i] || !m->figures[i].has_bytes)
            continue;
        struct sheet t = {.first = &m->figures[i]};
        for (size_t k = i; k < m->nfigures; k++)
            if (!done[k] && belongs(&t, &m->figures[k])) {
                add_column(&t, &m->figures[k]);
                done[k] = true;
            }
        text_sheet(out, m, &t, a);
    }
}

/* Figures that contradict each other; *n gets their number. */
static const char **doubts(const struct machine *m, struct arena *a, size_t *n)
{
    static const char *const functions[] = {"lat", "bw", "bw_copy"};
    enum { N = sizeof functions / sizeof *functions };
    const struct machine_curves *c = machine_curves_make(a, m, 0);
    const char **list = arena_alloc(a, N, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < N; i++)
        if ((list[*n] = machine_curves_doubt(c, functions[i], a)))
            (*n)++;
    return list;
}

void text_machine(FILE *out, const struct machine *m, struct arena *a)
{
    size_t unsteady = 0;
    for (size_t i = 0; i < m->nfigures; i++)
        unsteady += !m->figures[i].steady;
    text_head(out, m);
    text_levels(out, m, a, true);
    text_levels(out, m, a, false);
    text_operations(out, m);
    text_singles(out, m);
    text_sheets(out, m, a);
    if (unsteady)
        fprintf(out, "  * %zu of %zu figures were not steady\n", unsteady, m->nfigures);
    size_t n;
    const char **list = doubts(m, a, &n);
    for (size_t i = 0; i < n; i++)
        text_wrapped(out, "  doubtful: ", "%s", list[i]);
}

/* ---- JSON */

json_t *json_machine_figure(const struct machine_figure *f)
{
    json_t *o = json_make("{family:%s name:%s unit:%s value:%g low:%g high:%g steady:%i}",
                          f->family, f->name, f->unit, f->value, f->low, f->high, f->steady);
    if (f->has_bytes)
        json_put(o, "bytes:%g", (double)f->bytes);
    json_put(o, "cores?:%d processes?:%d rounds?:%zu", f->cores, f->processes, f->rounds);
    return o;
}

static json_t *json_figures(const struct machine_figure *figures, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_machine_figure(&figures[i]));
    return list;
}

static json_t *json_levels(const struct machine_level *levels, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        const struct machine_level *l = &levels[i];
        json_add(list, "{bytes:%g below:%g above:%g latency:%g next:%g}", l->bytes, l->below,
                 l->above, l->latency, l->next);
    }
    return list;
}

static json_t *json_device(const struct machine *m, struct arena *a)
{
    struct machine_level levels[MACHINE_LEVELS];
    size_t n = machine_device_levels(m, a, levels, MACHINE_LEVELS);
    if (!m->device)
        return json_null();
    return json_make("{device:%s library:%s units:%d memory:%g cache:%g levels:%p}", m->device,
                     m->device_library, m->device_units, (double)m->device_memory,
                     (double)m->device_cache, json_levels(levels, n));
}

json_t *json_machine(const struct machine *m, struct arena *a)
{
    struct machine_level levels[MACHINE_LEVELS];
    size_t nlevels = machine_levels(m, a, levels, MACHINE_LEVELS);
    json_t *caches = json_array(), *families = json_array();
    for (size_t i = 0; i < m->ncaches; i++)
        json_add(caches, "{level:%d type:%s bytes:%g shared_by:%d}", m->caches[i].level,
                 m->caches[i].type, (double)m->caches[i].bytes, m->caches[i].shared_by);
    for (size_t i = 0; i < m->nfamilies; i++)
        json_add(families, "{name:%s reason:%s}", m->families[i].name, m->families[i].reason);
    size_t n;
    const char **list = doubts(m, a, &n);
    return json_make("{machine:%s date:%s program:%s source:%s quick:%i architecture:%s "
                     "processor:%s cores:%d hardware_threads:%d memory:%g caches:%p "
                     "levels:%p gpu:%p families:%p summary:%p figures:%p doubtful:%p}",
                     m->name, m->date, m->program, m->source, m->quick, m->architecture,
                     m->processor, m->cores, m->hardware_threads, (double)m->memory, caches,
                     json_levels(levels, nlevels), json_device(m, a), families,
                     json_figures(m->summary, m->nsummary), json_figures(m->figures, m->nfigures),
                     json_texts(list, n));
}
