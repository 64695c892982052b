/* SPDX-License-Identifier: MIT */
/*
 * Writes the data file of a spool (docs/reference/data-format.md): header lines, the line of column names,
 * one row per record.
 *
 * Times are numbers of clock ticks. They are written in decimal with a unit of at most a hundredth
 * of a tick, which identifies the tick and needs few digits. Times of a clock that counts
 * nanoseconds are written in nanoseconds. The text of the last value of each column is kept, because
 * neighbouring rows mostly have the same variables.
 */
#define _GNU_SOURCE
#include "spool/text.h"
#include "spool/read.h"
#include "spool/columns.h"
#include "spool/name.h"
#include "spool/number.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define BUFFER 65536u
#define PREFIX 1024u

struct writer {
    struct read_spool spool; /* whose records are written */
    struct read_spool shape; /* whose experiments make the header and the columns */
    unsigned sections;
    struct read_columns columns;
    cll_text_sink *sink;
    void *data;
    int error;
    size_t used;
    double hz;          /* ticks per second */
    int frequency_off;  /* the stated frequency is wrong, the measured one is used */
    unsigned decimals;  /* unit of times: 10^-decimals seconds */
    double units;       /* per tick */
    unsigned prefix_id; /* of the experiment it is for; 0: none */
    size_t prefix_length;
    char prefix[PREFIX];
    double processors; /* the text of P is kept, too */
    size_t processors_length;
    char processors_text[2 * CLL_NUMBER_SIZE];
    char buffer[BUFFER];
};

/* ---- output */

static void flush(struct writer *w)
{
    if (!w->error && w->used)
        w->error = w->sink(w->data, w->buffer, w->used);
    w->used = 0;
}

static void put(struct writer *w, const char *text, size_t length)
{
    while (length > BUFFER - w->used) {
        size_t part = BUFFER - w->used;
        memcpy(w->buffer + w->used, text, part);
        w->used = BUFFER;
        flush(w);
        text += part;
        length -= part;
    }
    memcpy(w->buffer + w->used, text, length);
    w->used += length;
}

static void put_text(struct writer *w, const char *text)
{
    put(w, text, strlen(text));
}

static void put_name(struct writer *w, const char *text, enum cll_name kind)
{
    char piece[CLL_NAME_PIECE];
    for (size_t left = strlen(text), used; left; text += used, left -= used)
        put(w, piece, cll_name_write(kind, text, left, piece, &used));
}

/* Room for one number, always. */
static char *room(struct writer *w)
{
    if (BUFFER - w->used < CLL_NUMBER_SIZE)
        flush(w);
    return w->buffer + w->used;
}

static void put_unsigned(struct writer *w, uint64_t value)
{
    char *at = room(w);
    w->used += (size_t)(cll_put_unsigned(at, value) - at);
}

static void put_number(struct writer *w, double value)
{
    char *at = room(w);
    w->used += (size_t)(cll_put_double(at, value) - at);
}

static void put_ticks(struct writer *w, double ticks)
{
    double value = ticks * w->units + 0.5;
    if (value < 18e18) {
        char *at = room(w);
        w->used += (size_t)(cll_put_decimal(at, (uint64_t)value, w->decimals) - at);
    } else {
        put_number(w, ticks / w->hz);
    }
}

static void put_line(struct writer *w, const char *key, const char *value)
{
    put_text(w, "# ");
    put_text(w, key);
    put_text(w, ": ");
    put_name(w, value, CLL_NAME_TEXT);
    put_text(w, "\n");
}

/* ---- the clock */

static void find_frequency(struct writer *w)
{
    const struct spool_header *h = w->spool.header;
    double ticks = (double)(h->last_ticks - h->start_ticks);
    double ns = (double)(h->last_ns - h->start_ns);
    double measured = ticks > 0 && ns > 0 ? ticks / ns * 1e9 : 0;
    double nominal = (double)h->nominal_hz;
    w->hz = nominal > 0 ? nominal : measured;
    if (spool_clock_is_real(h->clock) && nominal > 0 && measured > 0 && ns > 1e7 &&
        fabs(measured / nominal - 1) > 0.01) {
        w->hz = measured;
        w->frequency_off = 1;
    }
    if (!(w->hz >= 1 && w->hz <= 1e12))
        w->hz = 1e9;
    w->decimals = 9;
    w->units = 1e9 / w->hz;
    if (w->hz != 1e9)
        for (w->decimals = 0, w->units = 1 / w->hz; w->decimals < 12 && w->units < 100;
             w->units *= 10)
            w->decimals++;
}

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

/* ---- header lines */

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
    }
}

static void header_lines(struct writer *w, uint64_t abandoned)
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
}

/* P of records that have none. */
static double machine_size(const struct writer *w)
{
    const struct spool_header *h = w->spool.header;
    return h->processors ? h->processors : h->world ? h->world : 1;
}

/* ---- totals of what thinning took away */

static void total_line(const struct cll_total *total, void *data)
{
    struct writer *w = data;
    const struct read_experiment *e = &w->spool.experiments[total->id];
    double clock = w->spool.header->counter_run ? NAN : 1;
    put_text(w, total->nvalues || !(e->processors + e->nvars) ? "# tuple: " : "# total: ");
    put_name(w, e->name, CLL_NAME_EXPERIMENT);
    for (unsigned i = 0; i < total->nvalues; i++) {
        char name[COLUMN_NAME] = "P";
        double value = total->values[i];
        if (i >= e->processors)
            cll_column_name(e->vars[i - e->processors], name);
        else if (value <= 0)
            value = machine_size(w);
        put_text(w, " ");
        put_text(w, name);
        put_text(w, "=");
        put_number(w, value);
    }
    if (w->spool.header->world) {
        put_text(w, " rank=");
        put_unsigned(w, w->spool.header->rank);
    }
    put_text(w, " count=");
    put_unsigned(w, total->count);
    put_text(w, " sum=");
    put_number(w, clock * total->sums[0].sum / w->hz);
    put_text(w, " min=");
    put_number(w, clock * (double)total->sums[0].min / w->hz);
    for (unsigned i = 0; i < e->nextra; i++) {
        double unit = strcmp(e->extra[i], "CPUTIME") ? 1 : 1e-9;
        put_text(w, " ");
        put_name(w, e->extra[i], CLL_NAME_OBSERVABLE);
        put_text(w, ".sum=");
        put_number(w, total->sums[1 + i].sum * unit);
        put_text(w, " ");
        put_name(w, e->extra[i], CLL_NAME_OBSERVABLE);
        put_text(w, ".min=");
        put_number(w, (double)total->sums[1 + i].min * unit);
    }
    put_text(w, "\n");
}

/* ---- the table */

static void names_line(struct writer *w)
{
    put_text(w, "experiment run seq start nested P rank thread count");
    for (size_t i = 0; i < w->columns.nvars; i++) {
        put_text(w, " ");
        put_text(w, w->columns.vars[i].title);
    }
    for (size_t i = 0; i < w->columns.nobs; i++) {
        put_text(w, " ");
        put_name(w, w->columns.observables[i], CLL_NAME_OBSERVABLE);
    }
    put_text(w, "\n");
}

static void put_cached(struct writer *w, struct read_column *column, uint64_t bits)
{
    if (!column->length || column->bits != bits) {
        double value;
        memcpy(&value, &bits, sizeof value);
        column->bits = bits;
        column->length = (unsigned)(cll_put_double(column->text, value) - column->text);
    }
    put(w, column->text, column->length);
}

static void put_nanoseconds(struct writer *w, uint64_t ns)
{
    char *at = room(w);
    w->used += (size_t)(cll_put_decimal(at, ns, 9) - at);
}

static void put_observables(struct writer *w, const struct read_record *r, const int *map)
{
    const uint64_t *extra = r->values + r->experiment->nvars;
    for (size_t i = 0; i < w->columns.nobs; i++) {
        put(w, " ", 1);
        int from = map[w->columns.nvars + i];
        if (from == COLUMN_CLOCK && !w->spool.header->counter_run)
            put_ticks(w, (double)r->duration);
        else if (from == COLUMN_CPU && r->watched)
            put_nanoseconds(w, (uint64_t)(cll_watched_seconds(r->watched) * 1e9 + 0.5));
        else if (from == COLUMN_DISTURBED && r->watched)
            put_unsigned(w, (uint32_t)r->watched >> 1);
        else if (from < 0 || extra[from] == SPOOL_NAN)
            put(w, "nan", 3);
        else if (w->columns.nanoseconds[i])
            put_nanoseconds(w, extra[from]);
        else
            put_unsigned(w, extra[from]);
    }
}

/* The beginning of a row, "name run ", which is the same for all rows of an experiment. */
static void make_prefix(struct writer *w, const struct read_record *r)
{
    const char *name = r->experiment->name;
    size_t n = 0;
    for (size_t left = strlen(name), used; left && n < PREFIX - CLL_NUMBER_SIZE - 8; left -= used) {
        n += cll_name_write(CLL_NAME_EXPERIMENT, name, left, w->prefix + n, &used);
        name += used;
    }
    w->prefix[n++] = ' ';
    char *end = cll_put_unsigned(w->prefix + n, (uint64_t)w->spool.header->run);
    *end++ = ' ';
    w->prefix_length = (size_t)(end - w->prefix);
    w->prefix_id = r->id;
}

/* The middle of a row, " P rank ". */
static void make_processors(struct writer *w, double processors)
{
    char *at = w->processors_text;
    *at++ = ' ';
    at = cll_put_double(at, processors > 0 ? processors : machine_size(w));
    *at++ = ' ';
    at = cll_put_unsigned(at, w->spool.header->rank);
    *at++ = ' ';
    w->processors = processors;
    w->processors_length = (size_t)(at - w->processors_text);
}

static int row(const struct read_record *r, void *data)
{
    struct writer *w = data;
    if (!r->experiment->selected)
        return w->error;
    if (w->prefix_id != r->id)
        make_prefix(w, r);
    if (BUFFER - w->used < PREFIX + 8 * CLL_NUMBER_SIZE)
        flush(w);
    const int *map = cll_columns_map(&w->columns, r->id);
    uint64_t start = (r->start - w->spool.header->start_ticks) & (UINT64_MAX >> 6);
    if (start >> 57)
        start = 0; /* begun before the run-time started */
    char *at = w->buffer + w->used;
    at = (char *)memcpy(at, w->prefix, w->prefix_length) + w->prefix_length;
    at = cll_put_unsigned(at, r->seq);
    *at++ = ' ';
    w->used = (size_t)(at - w->buffer);
    put_ticks(w, (double)start);
    at = w->buffer + w->used;
    *at++ = ' ';
    at = cll_put_unsigned(at, r->nested);
    if (!w->processors_length || w->processors != r->processors)
        make_processors(w, r->processors);
    at = (char *)memcpy(at, w->processors_text, w->processors_length) + w->processors_length;
    at = cll_put_unsigned(at, r->thread);
    *at++ = ' ';
    at = cll_put_unsigned(at, (uint64_t)1 << r->level);
    w->used = (size_t)(at - w->buffer);
    for (size_t i = 0; i < w->columns.nvars; i++) {
        put(w, " ", 1);
        if (map[i] < 0)
            put(w, "nan", 3);
        else
            put_cached(w, &w->columns.vars[i], r->values[map[i]]);
    }
    put_observables(w, r, map);
    put(w, "\n", 1);
    return w->error;
}

/* ---- all of it */

static int no_row(const struct read_record *r, void *data)
{
    (void)r;
    (void)data;
    return 0;
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

static void write_header(struct writer *w)
{
    const struct spool_header *h = w->spool.header;
    uint64_t abandoned = h->abandoned;
    if (!h->finished)
        w->error = cll_totals_abandoned(&w->spool, &abandoned);
    if (w->error)
        return;
    if (w->spool.view->suspect)
        cll_read_records(&w->spool, no_row, NULL); /* finds damage, for the notes in the header */
    uint64_t skipped = w->spool.skipped;
    unsigned segments = w->spool.skipped_segments;
    if (!cll_check_count(&w->spool, abandoned)) {
        w->spool.damaged = 1;
        abandoned = 0;
    }
    header_lines(w, abandoned);
    damage_lines(w, skipped, segments);
}

static void write_sections(struct writer *w)
{
    find_frequency(w);
    w->error = cll_columns_make(&w->columns, &w->shape);
    if (!w->error)
        w->error = cll_columns_map_all(&w->columns, &w->spool);
    if (!w->error && w->sections & TEXT_HEADER)
        write_header(w);
    if (!w->error && w->sections & TEXT_TOTALS && w->spool.header->thinned)
        w->error = cll_totals_each(&w->spool, total_line, w);
    if (!w->error && w->sections & TEXT_NAMES)
        names_line(w);
    if (!w->error && w->sections & TEXT_ROWS)
        cll_read_records(&w->spool, row, w);
    flush(w);
}

int cll_view_sections(const struct cll_spool_view *view, const struct cll_spool_view *shape,
                      unsigned sections, cll_text_sink *sink, void *data)
{
    struct writer *w =
        mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (w == MAP_FAILED)
        return ENOMEM;
    w->sink = sink;
    w->data = data;
    w->sections = sections;
    w->error = cll_read_open(&w->spool, view);
    if (!w->error)
        w->error = cll_read_open(&w->shape, shape);
    if (!w->error)
        write_sections(w);
    int error = w->error;
    cll_columns_free(&w->columns);
    cll_read_close(&w->spool);
    cll_read_close(&w->shape);
    munmap(w, sizeof *w);
    return error;
}

int cll_view_to_text(const struct cll_spool_view *view, cll_text_sink *sink, void *data)
{
    return cll_view_sections(view, view, TEXT_HEADER | TEXT_TOTALS | TEXT_NAMES | TEXT_ROWS, sink,
                             data);
}
