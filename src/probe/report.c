/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "probe/report.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/number.h"
#include "base/printable.h"
#include "probe/cores.h"
#include "probe/gpu/device.h"
#include "probe/json.h"
#include "probe/operations.h"

#ifndef CLL_VERSION
#define CLL_VERSION "unknown"
#endif

enum { DIGITS = 6, RAW_DIGITS = 5 };

/* ---- the file */

static void write_caches(struct probe_json_writer *w, const struct probe_system *s)
{
    if (!s->caches_from)
        return;
    probe_json_string(w, "caches_from", s->caches_from);
    probe_json_open(w, "caches", '[');
    for (int i = 0; i < s->ncaches; i++) {
        const struct probe_cache *c = &s->caches[i];
        probe_json_open(w, NULL, '{');
        w->flat = true;
        probe_json_integer(w, "level", (uint64_t)c->level);
        probe_json_string(w, "type", c->type);
        probe_json_integer(w, "bytes", c->bytes);
        probe_json_integer(w, "line", (uint64_t)c->line);
        probe_json_integer(w, "shared_by", (uint64_t)c->shared);
        probe_json_close(w, '}');
        w->flat = false;
    }
    probe_json_close(w, ']');
}

static void write_system(struct probe_json_writer *w, const struct probe *p)
{
    const struct probe_system *s = p->system;
    probe_json_open(w, "system", '{');
    probe_json_string(w, "architecture", s->architecture);
    probe_json_string(w, "processor", s->model);
    probe_json_string(w, "os", s->os);
    probe_json_string(w, "compiler", s->compiler);
    probe_json_boolean(w, "optimised", probe_optimised);
    if (p->options.host)
        probe_json_string(w, "host", s->host);
    probe_json_integer(w, "cores", (uint64_t)probe_cores_physical());
    probe_json_integer(w, "hardware_threads", (uint64_t)probe_cores_threads());
    probe_json_integer(w, "memory", s->memory);
    probe_json_integer(w, "page", (uint64_t)s->page);
    if (*s->huge_pages)
        probe_json_string(w, "huge_pages", s->huge_pages);
    write_caches(w, s);
    probe_json_close(w, '}');
}

static void write_mpi(struct probe_json_writer *w, const struct probe *p)
{
    if (!p->world->library)
        return;
    probe_json_open(w, "mpi", '{');
    probe_json_string(w, "library", p->world->library);
    probe_json_integer(w, "processes", (uint64_t)p->world->size);
    probe_json_integer(w, "hosts", (uint64_t)p->world->hosts);
    probe_json_boolean(w, "oversubscribed", p->world->oversubscribed);
    probe_json_close(w, '}');
}

static void write_device(struct probe_json_writer *w, const struct probe *p)
{
    const struct probe_device *d = p->world->device;
    if (!d || !*d->name)
        return;
    probe_json_open(w, "gpu", '{');
    probe_json_string(w, "device", d->name);
    probe_json_string(w, "library", d->library);
    probe_json_integer(w, "units", (uint64_t)d->units);
    probe_json_integer(w, "memory", d->memory);
    probe_json_integer(w, "cache", d->cache);
    probe_json_close(w, '}');
}

static void write_families(struct probe_json_writer *w, const struct probe *p)
{
    probe_json_open(w, "families", '[');
    for (size_t i = 0; i < p->noutcomes; i++) {
        probe_json_open(w, NULL, '{');
        w->flat = true;
        probe_json_string(w, "name", p->outcomes[i].family->name);
        probe_json_boolean(w, "measured", !p->outcomes[i].reason);
        if (p->outcomes[i].reason)
            probe_json_string(w, "reason", p->outcomes[i].reason);
        probe_json_close(w, '}');
        w->flat = false;
    }
    probe_json_close(w, ']');
}

static void write_value(struct probe_json_writer *w, double value, double low, double high,
                        bool steady)
{
    probe_json_number(w, "value", value, DIGITS);
    probe_json_number(w, "low", low, DIGITS);
    probe_json_number(w, "high", high, DIGITS);
    probe_json_boolean(w, "steady", steady);
}

static void write_point(struct probe_json_writer *w, const struct probe_point *q)
{
    probe_json_open(w, NULL, '{');
    w->flat = true;
    probe_json_string(w, "family", q->family);
    probe_json_string(w, "name", q->name);
    if (q->has_bytes)
        probe_json_integer(w, "bytes", q->at.bytes);
    if (q->at.cores)
        probe_json_integer(w, "cores", (uint64_t)q->at.cores);
    if (q->at.processes)
        probe_json_integer(w, "processes", (uint64_t)q->at.processes);
    probe_json_string(w, "unit", q->unit);
    write_value(w, q->value, q->low, q->high, q->steady);
    probe_json_integer(w, "rounds", q->n);
    probe_json_open(w, "values", '[');
    for (unsigned i = 0; i < q->n; i++)
        probe_json_number(w, NULL, q->values[i], RAW_DIGITS);
    probe_json_close(w, ']');
    probe_json_close(w, '}');
    w->flat = false;
}

static void write_figure(struct probe_json_writer *w, const struct probe_figure *f)
{
    probe_json_open(w, NULL, '{');
    w->flat = true;
    probe_json_string(w, "family", f->family);
    probe_json_string(w, "name", f->name);
    if (f->processes)
        probe_json_integer(w, "processes", (uint64_t)f->processes);
    probe_json_string(w, "unit", f->unit);
    write_value(w, f->value, f->low, f->high, f->steady);
    probe_json_close(w, '}');
    w->flat = false;
}

void report_json(const struct probe *p, const struct probe_summary *s, const char *name,
                 struct text *out)
{
    struct probe_json_writer w = {.out = out};
    char date[32] = "";
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &parts);
    probe_json_open(&w, NULL, '{');
    probe_json_integer(&w, "cllprobe", PROBE_FORMAT);
    probe_json_string(&w, "program", "cllprobe " CLL_VERSION);
    probe_json_string(&w, "name", name);
    probe_json_string(&w, "date", date);
    probe_json_boolean(&w, "quick", p->options.quick);
    probe_json_integer(&w, "rounds", p->rounds);
    probe_json_number(&w, "seconds", p->seconds, 4);
    write_system(&w, p);
    write_mpi(&w, p);
    write_device(&w, p);
    write_families(&w, p);
    probe_json_open(&w, "summary", '[');
    for (size_t i = 0; i < s->n; i++)
        write_figure(&w, &s->figures[i]);
    probe_json_close(&w, ']');
    probe_json_open(&w, "figures", '[');
    for (size_t i = 0; i < p->n; i++)
        if (p->points[i].n)
            write_point(&w, &p->points[i]);
    probe_json_close(&w, ']');
    probe_json_close(&w, '}');
    text_addc(out, '\n');
}

/* ---- the table */

static char *size_text(uint64_t bytes, char buffer[NUMBER_SIZE])
{
    static const char *const units[] = {"B", "KB", "MB", "GB"};
    double x = (double)bytes;
    size_t unit = 0;
    for (; x >= 1024 && unit < 3; unit++)
        x /= 1024;
    snprintf(buffer, NUMBER_SIZE, "%.3g %s", x, units[unit]);
    return buffer;
}

/* "16 MB, 2 cores" */
static char *place_text(const struct probe_point *q, char buffer[64])
{
    size_t n = 0;
    buffer[0] = '\0';
    if (q->has_bytes)
        n += (size_t)snprintf(buffer, 64, "%s", size_text(q->at.bytes, NUMBER_BUFFER));
    if (q->at.cores)
        n += (size_t)snprintf(buffer + n, 64 - n, "%s%d core%s", n ? ", " : "", q->at.cores,
                              q->at.cores == 1 ? "" : "s");
    if (q->at.processes)
        snprintf(buffer + n, 64 - n, "%s%d process%s", n ? ", " : "", q->at.processes,
                 q->at.processes == 1 ? "" : "es");
    return buffer;
}

static void row(FILE *out, const char *family, const char *name, const char *place, double value,
                double low, double high, const char *unit, bool steady)
{
    double scale = strcmp(unit, "s") == 0 ? 1e9 : strcmp(unit, "B/s") == 0 ? 1e-9 : 1;
    const char *shown = strcmp(unit, "s") == 0 ? "ns" : strcmp(unit, "B/s") == 0 ? "GB/s" : unit;
    fprintf(out, "  %-10s %-20s %-22s %10s %-4s ± %4.1f %%%s\n", family, name, place,
            number_digits(value * scale, 4, NUMBER_BUFFER), shown,
            value > 0 ? 50 * (high - low) / value : 0, steady ? "" : "  not steady");
}

/* Which points the table has: working sets only at every fourth doubling. */
static bool in_table(const struct probe_point *q)
{
    if (!q->n || strcmp(q->family, "bsp") == 0)
        return false;
    if (!q->has_bytes)
        return true;
    for (uint64_t b = 1; b <= q->at.bytes; b *= 16)
        if (b == q->at.bytes)
            return true;
    return q->at.bytes == 0;
}

void report_table(const struct probe *p, const struct probe_summary *s, FILE *out)
{
    char place[64];
    for (size_t i = 0; i < s->n; i++) {
        const struct probe_figure *f = &s->figures[i];
        struct probe_point q = {.at = {.processes = f->processes}};
        row(out, f->family, f->name, place_text(&q, place), f->value, f->low, f->high, f->unit,
            f->steady);
    }
    for (size_t i = 0; i < p->n; i++) {
        const struct probe_point *q = &p->points[i];
        if (in_table(q))
            row(out, q->family, q->name, place_text(q, place), q->value, q->low, q->high, q->unit,
                q->steady);
    }
}

/* ---- warnings */

static void warn_unsteady(const struct probe *p)
{
    enum { NAMED = 4 };
    size_t n = 0;
    char place[64];
    TEXT_LOCAL struct text list = text_new();
    for (size_t i = 0; i < p->n; i++) {
        const struct probe_point *q = &p->points[i];
        if (!q->n || q->steady || n++ >= NAMED)
            continue;
        place_text(q, place);
        text_printf(&list, "%s%s %s%s%s%s", n > 1 ? "; " : "", q->family, q->name,
                    *place ? " (" : "", place, *place ? ")" : "");
    }
    if (n)
        say("cllprobe: warning: %zu of %zu figures are not steady: %s%s. Repeat on a quieter "
            "machine, or with more --seconds.\n",
            n, p->n, list.s, n > NAMED ? "; ..." : "");
}

void report_warnings(const struct probe *p, const struct probe_summary *s)
{
    warn_unsteady(p);
    if (!probe_optimised)
        say("cllprobe: warning: cllprobe was compiled without optimisation: its figures are not "
            "those of the machine. Compile it with -O2.\n");
    for (size_t i = 0; i < s->nimplausible && probe_optimised; i++)
        say("cllprobe: warning: %s\n", s->implausible[i]);
    if (p->world->oversubscribed)
        say("cllprobe: warning: a host has more processes than cores: the figures of mpi and bsp "
            "are unreliable. Start fewer processes.\n");
    for (size_t i = 0; i < p->n; i++)
        if (!p->points[i].n)
            say("cllprobe: warning: %s %s could not be measured\n", p->points[i].family,
                p->points[i].name);
}
