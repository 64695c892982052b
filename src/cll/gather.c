/* SPDX-License-Identifier: MIT */
/*
 * One data file of many processes (driver.h outlines the protocol). The steps:
 *
 *   agree     which process writes, whether there are samples, the number of the file. Without the
 *             lock: processes may arrive late, and the threads of those that wait must go on
 *   describe  each process sends its experiments as a META segment; the writer makes the union,
 *             each entry once, and sends it to all: the shape of the file
 *   write     the writer writes the header; then each process sends its totals of thinned samples
 *             and its rows to the writer, in the order of ranks
 *   settle    the writer reports the result; then the samples count as gathered
 *
 * If a step fails in one process, all processes still go through all steps, so none waits forever.
 */
#define _GNU_SOURCE
#include "cll/blob.h"
#include "cll/driver.h"
#include "cll/internal.h"
#include "spool/read.h"

#include <errno.h>
#include <string.h>

#define NONE          ((uint64_t)INT64_MAX) /* no rank, no number */
#define DEVICE_FAILED ((uint64_t)1 << 32)   /* not an errno */

/* What earlier gatherings wrote. A report on the same machine writes the same file again, with all
   samples. A report on another machine begins a new file, with the samples that are in no file. */
static struct gathered {
    void *machine;       /* of the last gathering */
    uint64_t samples;    /* of this process, in the last file */
    int failed;          /* the last gathering */
    int has_base;        /* the file of another machine has samples of this process: ... */
    uint64_t base_ticks; /* ... those that ended before */
    int said;
} gathered;

void cll_gather_restart(void)
{
    gathered = (struct gathered){.said = gathered.said};
}

uint64_t cll_driver_gathered(void)
{
    return gathered.samples;
}

int cll_driver_failed(void)
{
    return gathered.failed;
}

/* ---- describe */

struct describing {
    struct blob *to;
    struct read_spool *from;
    uint32_t *ids; /* of from -> of to */
};

static int add_experiment(const struct spool_entry *entry, size_t payload, void *data)
{
    struct describing *d = data;
    if (entry->id < d->from->nids && d->from->experiments[entry->id].name &&
        d->from->experiments[entry->id].selected)
        d->ids[entry->id] = cll_blob_add(d->to, ENTRY_EXPERIMENT, 0, entry + 1, payload);
    return d->to->error;
}

static int add_site(const struct spool_entry *entry, size_t payload, void *data)
{
    struct describing *d = data;
    if (entry->id < d->from->nids && d->ids[entry->id])
        cll_blob_add(d->to, ENTRY_SITE, d->ids[entry->id], entry + 1, payload);
    return d->to->error;
}

static int add_watched(const struct spool_entry *entry, size_t payload, void *data)
{
    struct describing *d = data;
    if (entry->id < d->from->nids && d->ids[entry->id])
        cll_blob_add(d->to, ENTRY_WATCHED, d->ids[entry->id], entry + 1, payload);
    return d->to->error;
}

/* The lines of the writer alone: program, host and cpu; all others, once each. */
static int add_info(const struct spool_entry *entry, size_t payload, void *data)
{
    static const char *const own[] = {"program: ", "host: ", "cpu: "};
    struct describing *d = data;
    const char *text = (const char *)(entry + 1);
    for (unsigned i = 0; i < sizeof own / sizeof *own; i++)
        if (payload >= strlen(own[i]) && !memcmp(text, own[i], strlen(own[i])))
            return 0;
    cll_blob_add(d->to, ENTRY_INFO, 0, text, payload);
    return d->to->error;
}

/* Adds what a spool says of its experiments. */
static void describe(struct blob *to, const struct cll_spool_view *view)
{
    struct read_spool from;
    struct describing d = {to, &from, NULL};
    int error = cll_read_open(&from, view);
    size_t bytes = from.nids * sizeof *d.ids;
    d.ids = error ? NULL : cll_pages_new(bytes);
    if (d.ids) {
        cll_read_entries(&from, ENTRY_EXPERIMENT, add_experiment, &d);
        cll_read_entries(&from, ENTRY_SITE, add_site, &d);
        cll_read_entries(&from, ENTRY_WATCHED, add_watched, &d);
        cll_read_entries(&from, ENTRY_INFO, add_info, &d);
        cll_pages_free(d.ids, bytes);
    } else {
        to->error = ENOMEM;
    }
    cll_read_close(&from);
}

/* ---- one gathering */

struct gathering {
    const struct cll_driver *driver;
    void *machine;
    unsigned size, me, writer;
    int measuring;              /* this process has a spool */
    uint64_t mark;              /* ticks: samples that ended before are in the file */
    struct spool_header header; /* a copy: what holds for the file */
    struct cll_spool_view view; /* own samples under that header */
    struct blob shape;
    struct spool_header shape_header;
    struct cll_spool_part shape_part;
    struct cll_spool_view shape_view;
    char *chunk;
    size_t chunk_used;
    int mixed; /* the hosts of the program have different processors */
    int error; /* of this process */
};

static void send_bytes(struct gathering *g, unsigned to, const void *bytes, size_t size)
{
    g->driver->send(g->machine, to, bytes, size);
}

/* A blob to the writer: its size, then the bytes in chunks. */
static void send_blob(struct gathering *g, struct blob *b)
{
    uint64_t size = cll_blob_finish(b);
    send_bytes(g, g->writer, &size, sizeof size);
    for (uint64_t at = 0; at < size; at += CLL_DRIVER_CHUNK)
        send_bytes(g, g->writer, b->bytes + at,
                   size - at < CLL_DRIVER_CHUNK ? size - at : CLL_DRIVER_CHUNK);
}

static void receive_blob(struct gathering *g, unsigned from)
{
    uint64_t size = 0;
    g->driver->receive(g->machine, from, &size, sizeof size);
    char *bytes = size ? cll_pages_new(size) : NULL;
    for (uint64_t at = 0; at < size;)
        at += bytes ? g->driver->receive(g->machine, from, bytes + at, size - at)
                    : g->driver->receive(g->machine, from, g->chunk, CLL_DRIVER_CHUNK);
    if (!bytes) {
        g->error = size ? ENOMEM : g->error;
        return;
    }
    struct cll_spool_part part = {bytes, size};
    struct cll_spool_view view = {.header = &g->shape_header, .parts = &part, .nparts = 1};
    describe(&g->shape, &view);
    cll_pages_free(bytes, size);
}

/* Where a process ran; also one that measured nothing. */
static void add_rank_line(struct gathering *g, struct blob *b)
{
    char host[256], text[512];
    cll_machine_host(host, sizeof host);
    snprintf(text, sizeof text, "rank: %u %s", g->header.rank, host);
    cll_blob_info(b, text);
}

/* The line `cpu` of the file is that of the writer. The lines of equal processors become one. */
static void add_processor_note(struct gathering *g, struct blob *b)
{
    char cpu[512], text[600];
    if (!g->mixed)
        return;
    cll_machine_cpu(cpu, sizeof cpu);
    snprintf(text, sizeof text, "note: the hosts have different processors; one is %s", cpu);
    cll_blob_info(b, text);
}

/* Whose samples, and up to when. */
static void add_process_line(struct gathering *g, struct blob *b)
{
    char value[CLL_PROCESS_TEXT], text[CLL_PROCESS_TEXT + 16];
    cll_process_text(&g->header, &g->mark, value, sizeof value);
    snprintf(text, sizeof text, "process: %s", value);
    cll_blob_info(b, text);
}

/* The program, the host and the processor in the header are those of the writer. */
static void add_own_lines(struct gathering *g)
{
    char host[256], cpu[512], text[1024];
    cll_machine_host(host, sizeof host);
    cll_machine_cpu(cpu, sizeof cpu);
    snprintf(text, sizeof text, "program: %s", cll_settings.program);
    cll_blob_info(&g->shape, text);
    snprintf(text, sizeof text, "host: %s", host);
    cll_blob_info(&g->shape, text);
    snprintf(text, sizeof text, "cpu: %s", cpu);
    cll_blob_info(&g->shape, text);
}

/* All processes know the experiments of all. */
static void make_shape(struct gathering *g)
{
    g->shape_header = g->header;
    g->shape_header.select = 0;
    cll_blob_start(&g->shape);
    if (g->me == g->writer)
        add_own_lines(g);
    if (g->measuring)
        describe(&g->shape, &g->view);
    add_rank_line(g, &g->shape);
    add_processor_note(g, &g->shape);
    if (g->measuring)
        add_process_line(g, &g->shape);
    if (g->me != g->writer) {
        send_blob(g, &g->shape);
        cll_blob_free(&g->shape);
        cll_blob_start(&g->shape);
    } else {
        for (unsigned r = 0; r < g->size; r++)
            if (r != g->me)
                receive_blob(g, r);
    }
    uint64_t size = g->me == g->writer ? cll_blob_finish(&g->shape) : 0;
    g->driver->broadcast(g->machine, g->writer, &size, sizeof size);
    if (g->me != g->writer && size > g->shape.used)
        cll_blob_reserve(&g->shape, size - g->shape.used);
    /* A process without memory for it takes part all the same. */
    int fits = g->shape.bytes && g->shape.room >= size;
    for (uint64_t at = 0; at < size; at += CLL_DRIVER_CHUNK)
        g->driver->broadcast(g->machine, g->writer, fits ? g->shape.bytes + at : g->chunk,
                             size - at < CLL_DRIVER_CHUNK ? size - at : CLL_DRIVER_CHUNK);
    if (!size || !fits || g->shape.error)
        g->error = ENOMEM;
    g->shape_part = (struct cll_spool_part){g->shape.bytes, g->error ? 0 : size};
    g->shape_view =
        (struct cll_spool_view){.header = &g->shape_header, .parts = &g->shape_part, .nparts = 1};
}

/* ---- write */

static void flush_chunk(struct gathering *g)
{
    if (g->chunk_used)
        send_bytes(g, g->writer, g->chunk, g->chunk_used);
    g->chunk_used = 0;
}

static int to_writer(void *data, const char *text, size_t length)
{
    struct gathering *g = data;
    while (length) {
        size_t part = CLL_DRIVER_CHUNK - g->chunk_used;
        if (part > length)
            part = length;
        memcpy(g->chunk + g->chunk_used, text, part);
        g->chunk_used += part;
        text += part;
        length -= part;
        if (g->chunk_used == CLL_DRIVER_CHUNK)
            flush_chunk(g);
    }
    return 0;
}

/* One section of another process; an empty message ends it. */
static void receive_section(struct gathering *g, unsigned from, int fd)
{
    size_t got;
    while ((got = g->driver->receive(g->machine, from, g->chunk, CLL_DRIVER_CHUNK))) {
        if (!g->error)
            g->error = cll_report_sink(&fd, g->chunk, got);
    }
}

static void send_section(struct gathering *g, unsigned section)
{
    if (g->measuring && !g->error)
        g->error = cll_view_sections(&g->view, &g->shape_view, section, to_writer, g);
    flush_chunk(g);
    send_bytes(g, g->writer, g->chunk, 0);
}

static void own_section(struct gathering *g, unsigned section, int fd)
{
    if (g->measuring && !g->error)
        g->error = cll_view_sections(&g->view, &g->shape_view, section, cll_report_sink, &fd);
}

/* A section of all processes, in the order of ranks. */
static void all_sections(struct gathering *g, unsigned section, int fd)
{
    for (unsigned r = 0; r < g->size; r++) {
        if (r == g->me)
            own_section(g, section, fd);
        else
            receive_section(g, r, fd);
    }
}

/* A file that lacks the samples of a process is not published. */
static int worst_error(struct gathering *g)
{
    return (int)g->driver->reduce(g->machine, CLL_MAXIMUM, (uint64_t)g->error);
}

static int write_file(void *data, int fd)
{
    struct gathering *g = data;
    g->view.unfinished = cll_report_unfinished();
    own_section(g, TEXT_HEADER, fd);
    if (g->header.thinned)
        all_sections(g, TEXT_TOTALS, fd);
    own_section(g, TEXT_NAMES, fd);
    all_sections(g, TEXT_ROWS, fd);
    return worst_error(g);
}

/* Returns 0; an errno if there is no file; or DEVICE_FAILED. The same in all processes. */
static uint64_t write_once(struct gathering *g, uint64_t number, int renew)
{
    uint64_t result = 0;
    if (g->me == g->writer) {
        struct cll_destination *place = cll_spool_destination();
        int in_device = cll_settings.device[0] != '\0';
        if (renew)
            cll_destination_renew(place);
        if (number != NONE)
            cll_destination_prefer(place, (unsigned)number);
        result = (uint64_t)cll_report_write(place, write_file, g);
        if (result && in_device)
            result = DEVICE_FAILED;
        if (result && result != DEVICE_FAILED && !gathered.said) {
            cll_say("cannot write %s (%s): the samples of each process stay in its spool, which "
                    "llac reads",
                    place->data, strerror((int)result));
            gathered.said = 1;
        }
    } else {
        if (g->header.thinned)
            send_section(g, TEXT_TOTALS);
        send_section(g, TEXT_ROWS);
        worst_error(g);
    }
    g->driver->broadcast(g->machine, g->writer, &result, sizeof result);
    return result;
}

/* If CLL_OUT names a pipe whose reader goes away, the samples are written to a file. */
static uint64_t write_together(struct gathering *g, uint64_t number, int renew)
{
    int before = g->error;
    uint64_t result = write_once(g, number, renew);
    if (result == DEVICE_FAILED) {
        g->error = before;
        g->chunk_used = 0;
        result = write_once(g, number, renew);
    }
    return result;
}

/* How much the host of this process was disturbed: the share of stolen time, then the load; then
   the rank, so that no two processes have the same. */
static uint64_t disturbance(const struct gathering *g)
{
    const struct spool_moment *from = &g->header.begin, *to = &g->header.end;
    double wanted = to->wanted - from->wanted, stolen = to->stolen - from->stolen;
    uint64_t share = 0, load = 0, most = (1u << 20) - 1;
    if (g->measuring && from->known & to->known & KNOWN_WORK && stolen > 0 && wanted >= stolen)
        share = (uint64_t)(stolen / wanted * (double)most);
    if (g->measuring && to->known & KNOWN_LOAD)
        load = to->load < 1e4 ? (uint64_t)(to->load * 100) : most;
    return share << 40 | load << 20 | (g->me & most);
}

/* The file describes the host that was disturbed most. */
static void agree_moments(struct gathering *g)
{
    struct spool_moment moments[2] = {g->header.begin, g->header.end};
    if (SIMULATED)
        return; /* it would take simulated time */
    uint64_t worst = g->driver->reduce(g->machine, CLL_MAXIMUM, disturbance(g));
    g->driver->broadcast(g->machine, (unsigned)(worst & ((1u << 20) - 1)), moments, sizeof moments);
    g->header.begin = moments[0];
    g->header.end = moments[1];
}

static void agree_processors(struct gathering *g)
{
    char cpu[512];
    if (g->header.hosts < 2)
        return;
    cll_machine_cpu(cpu, sizeof cpu);
    uint64_t hash = cll_hash_text(cpu) >> 1;
    g->mixed = g->driver->reduce(g->machine, CLL_MINIMUM, hash) !=
               g->driver->reduce(g->machine, CLL_MAXIMUM, hash);
}

/* The numbers of the header that concern all processes. */
static void agree_header(struct gathering *g)
{
    const struct cll_driver *d = g->driver;
    struct spool_header *h = &g->header;
    h->oversubscribed =
        (uint32_t)d->reduce(g->machine, CLL_MAXIMUM, g->measuring && cll_header_oversubscribed(h));
    h->abandoned = d->reduce(g->machine, CLL_SUM, g->measuring ? h->abandoned : 0);
    h->thinned = (uint32_t)d->reduce(g->machine, CLL_MAXIMUM, g->measuring ? h->thinned : 0);
    /* One that knows none of the experiments that were named has none to write. */
    h->select = (uint32_t)d->reduce(g->machine, CLL_MAXIMUM, g->measuring && h->select);
    if (g->me == g->writer && !h->select)
        cll_registry_complain(0);
    h->openmp = (uint32_t)d->reduce(g->machine, CLL_MAXIMUM, g->measuring && h->openmp);
    if (!SIMULATED)
        h->hyper_threads =
            (uint32_t)d->reduce(g->machine, CLL_MAXIMUM, cll_header_hyper_threads(h));
    agree_moments(g);
    agree_processors(g);
}

/* What was gathered so far stays in the file of the last machine. */
static void move_base(void)
{
    gathered.has_base = 1;
    gathered.base_ticks = cll_spool_header()->gathered_ticks;
}

/* ---- all of it */

/* What the processes of a machine agree about before anything is written. */
struct agreement {
    uint64_t writer;  /* NONE: no process measures */
    uint64_t samples; /* of all */
    uint64_t fresh;   /* that are in no file */
    uint64_t number;  /* of the file */
    int changed;      /* the last report of a process was on another machine */
    int locked;
};

static void agree(const struct cll_driver *driver, void *machine, struct agreement *a)
{
    uint64_t samples = 0, fresh = 0, number = NONE;
    int locked = cll_lock(-1), changed = 0;
    if (cll_measuring()) {
        samples = cll_report_samples();
        fresh = samples - (cll_spool_header()->gathered ? gathered.samples : 0);
        changed = cll_spool_header()->gathered && gathered.machine != machine;
        number = cll_spool_destination()->number;
    }
    if (locked)
        cll_unlock();
    uint64_t me = locked && !cll_settings.off ? driver->rank(machine) : NONE;
    a->writer = driver->reduce(machine, CLL_MINIMUM, me);
    a->samples = driver->reduce(machine, CLL_SUM, samples);
    a->fresh = driver->reduce(machine, CLL_SUM, fresh);
    a->number = driver->reduce(machine, CLL_MINIMUM, number);
    a->changed = (int)driver->reduce(machine, CLL_MAXIMUM, (uint64_t)changed);
}

/* All processes have arrived, and none waits for the threads of another. The writer needs a spool,
   for the header; if it cannot make one, the first process that has one writes. */
static void meet(const struct cll_driver *driver, void *machine, struct agreement *a)
{
    unsigned me = driver->rank(machine);
    a->locked = cll_lock(-1);
    if (a->locked && me == a->writer)
        cll_start();
    a->writer = driver->reduce(machine, CLL_MINIMUM, a->locked && cll_measuring() ? me : NONE);
}

/* The lock is held. Returns whether there is a file. */
static int gather(const struct cll_driver *driver, void *machine, const struct agreement *a)
{
    struct gathering g = {.driver = driver,
                          .machine = machine,
                          .size = driver->size(machine),
                          .me = driver->rank(machine),
                          .writer = (unsigned)a->writer,
                          .chunk = driver->chunk,
                          .mark = cll_clock_ticks()};
    uint64_t samples = 0;
    g.measuring = a->locked && cll_measuring();
    if (g.measuring) {
        cll_spool_header()->processors = g.size;
        cll_spool_header()->threads = __atomic_load_n(&cll_threads_seen, __ATOMIC_RELAXED);
        cll_report_complete();
        if (a->changed && cll_spool_header()->gathered)
            move_base();
        samples = cll_report_samples();
        cll_spool_view(&g.view);
        g.header = *cll_spool_header();
        g.header.finished = 1;
    }
    cll_driver_identify(&g.header);
    g.view.header = &g.header;
    agree_header(&g);
    g.header.gathered = (uint32_t)gathered.has_base;
    g.header.gathered_ticks = gathered.base_ticks;
    make_shape(&g);
    int written = !write_together(&g, a->number, a->changed);
    cll_blob_free(&g.shape);
    gathered.failed = !written;
    if (written && g.measuring) {
        cll_spool_header()->gathered_ticks = g.mark;
        cll_spool_header()->gathered = 1;
        gathered.samples = samples;
        gathered.machine = machine;
    }
    if (SIMULATED) /* regions that end later must have a later time */
        cll_simulated_pause();
    return written;
}

static void report(const struct cll_driver *driver, void *machine, const char *names, int final)
{
    int error = errno;
    struct agreement a;
    driver->arrive(machine, final ? CLL_AT_END : CLL_AT_REPORT);
    agree(driver, machine, &a);
    if (a.writer != NONE && (final ? a.fresh : a.samples)) {
        meet(driver, machine, &a);
        if (a.locked && !final)
            cll_registry_select(names);
        if (a.writer != NONE)
            gather(driver, machine, &a);
        if (a.locked)
            cll_unlock();
    }
    errno = error;
}

void cll_driver_report(const struct cll_driver *driver, void *machine, const char *names)
{
    report(driver, machine, names, 0);
}

void cll_driver_finish(const struct cll_driver *driver, void *machine)
{
    report(driver, machine, NULL, 1);
}
