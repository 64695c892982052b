/* SPDX-License-Identifier: MIT */
/*
 * Writes the data file of a spool (docs/reference/data-format.md): header lines (text_header.c), the line of column
 * names, one row per record.
 *
 * Times are numbers of clock ticks. They are written in decimal with a unit of at most a hundredth
 * of a tick, which identifies the tick and needs few digits. Times of a clock that counts
 * nanoseconds are written in nanoseconds. The text of the last value of each column is kept, because
 * neighbouring rows mostly have the same variables.
 */
#define _GNU_SOURCE
#include "spool/writer.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/mman.h>

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
        double unit = cll_column_in_billionths(e->extra[i]) ? 1e-9 : 1;
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
    for (size_t left = strlen(name), used; left && n < TEXT_PREFIX - CLL_NUMBER_SIZE - 8;
         left -= used) {
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
    if (TEXT_BUFFER - w->used < TEXT_PREFIX + 8 * CLL_NUMBER_SIZE)
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
    cll_header_lines(w, abandoned, skipped, segments);
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
