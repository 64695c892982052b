/* SPDX-License-Identifier: MIT */
/* The header of a data file: what is known of its run, its experiments and its sites. */
#define _GNU_SOURCE
#include "spool/writer.h"

#include <math.h>
#include <time.h>

static const char *clock_name(uint32_t clock)
{
    switch (clock) {
    case CLOCK_KIND_TSC: return "tsc";
    case CLOCK_KIND_CNTVCT: return "cntvct";
    case CLOCK_KIND_GETTIME: return "clock_gettime";
    case CLOCK_KIND_SIMULATED: return "simulated";
    case CLOCK_KIND_COMPUTED: return "computed";
    default: return "unknown";
    }
}

/* Is it "key: value"? */
static int has_key(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyz");
    return length && text[length] == ':' && text[length + 1] == ' ';
}

static int info_line(const struct spool_entry *entry, size_t payload, void *data)
{
    struct writer *w = data;
    const char *text = (const char *)(entry + 1);
    if (!payload || !memchr(text, 0, payload) || (w->shape.view->suspect && !has_key(text)))
        return w->shape.damaged = 1, 0;
    put_text(w, "# ");
    put_name(w, text, CLL_NAME_TEXT);
    put_text(w, "\n");
    return w->error;
}

static int site_line(const struct spool_entry *entry, size_t payload, void *data)
{
    struct writer *w = data;
    uint32_t lines[2];
    const char *file = (const char *)(entry + 1) + sizeof lines;
    if (payload <= sizeof lines || !memchr(file, 0, payload - sizeof lines))
        return w->shape.damaged = 1, 0;
    memcpy(lines, entry + 1, sizeof lines);
    if (entry->id >= w->shape.nids || !w->shape.experiments[entry->id].name ||
        !w->shape.experiments[entry->id].selected)
        return 0;
    put_text(w, "# source: ");
    put_name(w, w->shape.experiments[entry->id].name, CLL_NAME_EXPERIMENT);
    put_text(w, " ");
    put_name(w, file, CLL_NAME_FILE);
    put_text(w, ":");
    put_unsigned(w, lines[0]);
    put_text(w, "-");
    put_unsigned(w, lines[1]);
    put_text(w, "\n");
    return w->error;
}

static void experiment_lines(struct writer *w, const struct read_experiment *e)
{
    put_text(w, "# experiment: ");
    put_name(w, e->name, CLL_NAME_EXPERIMENT);
    put_text(w, "\n");
    const char *at = e->formulas;
    for (unsigned i = 0; i < e->nformulas; i++) {
        const char *observable = at;
        const char *formula = observable + strlen(observable) + 1;
        at = formula + strlen(formula) + 1;
        if (!*formula)
            continue;
        put_text(w, "# formula: ");
        put_name(w, e->name, CLL_NAME_EXPERIMENT);
        put_text(w, " ");
        put_name(w, observable, CLL_NAME_OBSERVABLE);
        put_text(w, " ");
        put_name(w, formula, CLL_NAME_TEXT);
        put_text(w, "\n");
    }
    put_text(w, "# variables: ");
    put_name(w, e->name, CLL_NAME_EXPERIMENT);
    for (unsigned i = 0; i < e->nvars; i++) {
        char name[COLUMN_NAME];
        cll_column_name(e->vars[i], name);
        put_text(w, " ");
        put_text(w, name);
    }
    put_text(w, "\n");
}

/* A time of the clock itself, in seconds; an impossible value is damage. */
static void put_small_time(struct writer *w, double seconds)
{
    if (w->spool.view->suspect && !isnan(seconds) && !(seconds >= 0 && seconds < 1)) {
        w->spool.damaged = 1;
        seconds = NAN;
    }
    put_number(w, seconds);
}

static void time_lines(struct writer *w)
{
    const struct spool_header *h = w->spool.header;
    time_t start = (time_t)h->start_unix;
    struct tm date;
    char text[64];
    if (gmtime_r(&start, &date) && strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &date))
        put_line(w, "date", text);
    put_line(w, "clock", clock_name(h->clock));
    put_text(w, "# resolution: ");
    put_small_time(w, h->resolution);
    put_text(w, "\n# overhead: ");
    put_small_time(w, h->overhead);
    put_text(w, " ");
    put_small_time(w, h->spread);
    put_text(w, "\n# empty: ");
    put_small_time(w, h->empty);
    put_text(w, "\n");
}

/* The threads of this process that worked at the same time; 0: unknown. */
static uint64_t threads_of(const struct spool_header *h)
{
    return h->most_threads > h->threads ? h->most_threads : h->threads;
}

int cll_header_oversubscribed(const struct spool_header *h)
{
    uint64_t threads = threads_of(h);
    if (!spool_clock_is_real(h->clock))
        return 0; /* nothing competes for the cores */
    if (h->oversubscribed || (threads > h->cores && !h->local_cores))
        return 1;
    return h->local_cores && h->local * (threads ? threads : 1) > h->local_cores;
}

enum spool_hyper_threads cll_header_hyper_threads(const struct spool_header *h)
{
    uint64_t threads = threads_of(h), cores = h->local_cores ? h->local_cores : h->cores;
    if (h->hyper_threads)
        return h->hyper_threads <= HYPER_USED ? (enum spool_hyper_threads)h->hyper_threads
                                              : HYPER_UNKNOWN;
    if (!h->whole_cores)
        return HYPER_UNKNOWN;
    if (h->whole_cores >= cores)
        return HYPER_NONE;
    return (h->local ? h->local : 1) * (threads ? threads : 1) > h->whole_cores ? HYPER_USED
                                                                                : HYPER_FREE;
}

/* A number of the host; an impossible value is damage. */
static void put_host_number(struct writer *w, int known, double value)
{
    if (w->spool.view->suspect && known && !(value >= 0 && value < 1e15)) {
        w->spool.damaged = 1;
        known = 0;
    }
    put_text(w, " ");
    put_number(w, known ? value : NAN);
}

/* The system counts in hundredths of seconds; differences of large numbers are not exact. */
static double rounded(double seconds)
{
    return seconds > 0 && seconds < 1e15 ? (double)(uint64_t)(seconds * 1000 + 0.5) / 1000 : 0;
}

/* The host at the begin and at the end. The end of a run that was killed is not known. */
static void host_lines(struct writer *w)
{
    const struct spool_header *h = w->spool.header;
    uint64_t begin = h->begin.known, end = h->finished ? h->end.known : 0;
    if (begin & KNOWN_LOAD) {
        put_text(w, "# load:");
        put_host_number(w, 1, h->begin.load);
        put_host_number(w, end & KNOWN_LOAD, h->end.load);
        put_text(w, "\n");
    }
    if (begin & end & KNOWN_WORK) {
        put_text(w, "# steal:");
        put_host_number(w, 1, rounded(h->end.stolen - h->begin.stolen));
        put_host_number(w, 1, rounded(h->end.wanted - h->begin.wanted));
        put_text(w, "\n");
    }
    if (begin & KNOWN_FREQUENCY) {
        put_text(w, "# frequency:");
        put_host_number(w, 1, h->begin.frequency);
        put_host_number(w, end & KNOWN_FREQUENCY, h->end.frequency);
        put_text(w, "\n");
    }
}

/* The program as a parallel one. */
static void machine_lines(struct writer *w)
{
    const struct spool_header *h = w->spool.header;
    char driver[sizeof h->driver + 16];
    snprintf(driver, sizeof driver, "%.*s%s%s", (int)sizeof h->driver, h->driver,
             h->driver[0] && h->openmp ? "+" : "", h->openmp ? "OpenMP" : "");
    put_line(w, "driver", driver[0] ? driver : "seq");
    put_text(w, "# world: ");
    put_unsigned(w, h->world ? h->world : 1);
    put_text(w, "\n# cores: ");
    put_unsigned(w, h->local_cores ? h->local_cores : h->cores);
    put_text(w, "\n");
    if (h->job) {
        char job[32];
        snprintf(job, sizeof job, "%016llx", (unsigned long long)h->job);
        put_line(w, "job", job);
    }
}

/* The fewest and the most on a host. */
static void put_range(struct writer *w, const char *key, const uint32_t *range)
{
    put_text(w, key);
    put_unsigned(w, range[0]);
    put_text(w, " ");
    put_unsigned(w, range[1]);
    put_text(w, "\n");
}

/* Where the processes of the program ran. A simulated machine has other properties. */
static void place_lines(struct writer *w)
{
    static const char *const words[] = {
        [HYPER_NONE] = "none", [HYPER_FREE] = "free", [HYPER_USED] = "used"};
    const struct spool_header *h = w->spool.header;
    enum spool_hyper_threads hyper = cll_header_hyper_threads(h);
    uint32_t hosts = h->driver[0] ? h->hosts : 1;
    if (h->clock == CLOCK_KIND_SIMULATED)
        return;
    if (hosts) {
        put_text(w, "# hosts: ");
        put_unsigned(w, hosts);
        put_range(w,
                  "\n# ranks-per-host: ", h->driver[0] ? h->host_ranks : (const uint32_t[]){1, 1});
        put_range(w, "# cores-per-host: ",
                  h->driver[0] ? h->host_cores : (const uint32_t[]){h->cores, h->cores});
    }
    if (hyper != HYPER_UNKNOWN)
        put_line(w, "hyper-threads", words[hyper]);
}

/* A text of the header, which may be damaged: at most `size` bytes up to `stop`. */
static const char *put_header_text(struct writer *w, const char *key, const char *text, size_t size,
                                   char stop)
{
    char line[SPOOL_FOLDER];
    size_t length = 0;
    while (length < size && length + 1 < sizeof line && text[length] && text[length] != stop) {
        line[length] = text[length];
        length++;
    }
    line[length] = 0;
    if (length)
        put_line(w, key, line);
    return text + length + (length < size && stop && text[length] == stop);
}

/* A file of one process of several: where the others ran, and the folder of its spool. */
static void other_lines(struct writer *w)
{
    const struct spool_header *h = w->spool.header;
    const char *at = h->places, *end = h->places + sizeof h->places;
    if (w->shape.view != w->spool.view || h->world < 2)
        return;
    while (at < end && *at) {
        const char *next = put_header_text(w, "ranks", at, (size_t)(end - at), '\n');
        if (next == at)
            break; /* an empty line: damage */
        at = next;
    }
    put_header_text(w, "folder", h->folder, sizeof h->folder, 0);
}

static int same_experiment_name(size_t index, const void *key, void *data)
{
    return !strcmp(((const struct read_spool *)data)->experiments[index].name, key);
}

static uint64_t hash_of_experiment(size_t index, void *data)
{
    return cll_hash_text(((const struct read_spool *)data)->experiments[index].name);
}

/* An experiment may have several ids (with P in its records, and without): it has one set of lines. */
static void all_experiment_lines(struct writer *w)
{
    struct read_map seen = {0};
    struct read_spool *shape = &w->shape;
    for (unsigned id = 0; id < shape->nids && !w->error; id++) {
        const struct read_experiment *e = &shape->experiments[id];
        if (!e->name || !e->selected)
            continue;
        uint64_t hash = cll_hash_text(e->name);
        if (cll_map_find(&seen, hash, same_experiment_name, e->name, shape) != SIZE_MAX)
            continue;
        w->error = cll_map_add(&seen, hash, id, hash_of_experiment, shape);
        experiment_lines(w, e);
    }
    cll_map_free(&seen);
}

/* A file of many processes has the lines of all of them in its shape. */
static void process_line(struct writer *w)
{
    const struct cll_spool_view *view = w->spool.view;
    char text[CLL_PROCESS_TEXT];
    if (w->shape.view != view)
        return;
    cll_process_text(view->header, view->suspect ? NULL : &view->header->last_ticks, text,
                     sizeof text);
    put_line(w, "process", text);
    if (!view->suspect && w->hz > 0) {
        put_text(w, "# elapsed: ");
        put_ticks(w, (double)(view->header->last_ticks - view->header->start_ticks));
        put_text(w, " ");
        put_small_time(w, view->header->processor);
        put_text(w, "\n");
        if (view->header->memory) {
            put_text(w, "# memory: ");
            put_unsigned(w, view->header->memory);
            put_text(w, "\n");
        }
    }
}

static void damage_lines(struct writer *w, uint64_t skipped, unsigned segments)
{
    if (w->spool.damaged || w->shape.damaged)
        put_line(w, "note",
                 "the spool was damaged or truncated; these are the samples that could be read");
    if (!segments)
        return;
    put_text(w, "# note: damage in ");
    put_unsigned(w, segments);
    put_text(w, segments == 1 ? " segment" : " segments");
    put_text(w, " of the spool: about ");
    put_unsigned(w, skipped);
    put_text(w, " samples were skipped; the number of abandoned executions is unknown\n");
}

void cll_header_lines(struct writer *w, uint64_t abandoned, uint64_t skipped, unsigned segments)
{
    static const char *const thinned[] = {"no", "per-tuple", "global"};
    const struct spool_header *h = w->spool.header;
    put_text(w, w->spool.view->unfinished ? CLL_UNFINISHED : CLL_FINISHED);
    cll_read_entries(&w->shape, ENTRY_INFO, info_line, w);
    process_line(w);
    machine_lines(w);
    place_lines(w);
    other_lines(w);
    host_lines(w);
    time_lines(w);
    put_text(w, "# abandoned: ");
    put_unsigned(w, abandoned);
    put_text(w, "\n");
    put_line(w, "oversubscribed", cll_header_oversubscribed(h) ? "yes" : "no");
    put_line(w, "thinned", h->thinned < 3 ? thinned[h->thinned] : "unknown");
    if (w->frequency_off)
        put_line(w, "note", "the stated frequency of the clock is wrong; the measured one is used");
    if (!h->finished)
        put_line(w, "note",
                 "the program ended without a report (killed, _exit or exec); these are the "
                 "samples of its spool");
    all_experiment_lines(w);
    cll_read_entries(&w->shape, ENTRY_SITE, site_line, w);
    for (size_t i = 0; i < w->columns.nvars; i++) {
        const struct read_column *column = &w->columns.vars[i];
        if (strcmp(column->title, column->name)) {
            put_text(w, "# column: ");
            put_text(w, column->title);
            put_text(w, " = ");
            put_text(w, column->name);
            put_text(w, "\n");
        }
    }
    damage_lines(w, skipped, segments);
}
