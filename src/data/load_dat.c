/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The text loader. The file is read in large pieces that end at a line; the header is read line by
 * line, rows are parsed by two threads, each its half of the piece, into columns of their own,
 * which are then appended in order. Worker threads allocate nothing and touch no shared state, so
 * that running out of memory and errors stay matters of the calling thread. A row counts only with
 * its newline: text after the last one is the rest of a write that was cut off.
 */
#include "data/load.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "spool/text.h"
#include "data/load_header.h"
#include "data/number.h"
#include "base/interrupt.h"
#include "base/lookup.h"

enum { PIECE = 8 << 20, SPLIT_ABOVE = 256 << 10, WORKERS = 2, MAX_BLOCK_ERROR = 200 };

/* Part of a piece, and the rows found in it. */
struct block {
    const char *begin, *end; /* whole lines */
    const struct header *header;
    const struct lookup *names; /* of the experiments */
    double *cells; /* column-major, `capacity` per column; columns of the settings come last */
    size_t capacity, rows, lines;
    unsigned *which;     /* experiment per row */
    bool one_experiment; /* all rows are of which[0] */
    const char *error_begin, *error_end;
    char error[MAX_BLOCK_ERROR];
};

struct loader {
    struct dataset *dataset;
    struct header header;
    const char *path;
    struct arena *arena;
    struct diag *diag;
    int fd;
    char *text; /* PIECE bytes, and one more */
    size_t filled, size;
    bool at_end;
    size_t lines;        /* before the piece */
    struct lookup names; /* of the experiments */
    struct block blocks[WORKERS];
};

/* An error at a place in the piece: a source that shows the line and counts the ones before it. */
static int error_at(struct loader *l, size_t line_number, const char *line, const char *piece_end,
                    const char *begin, const char *end, const char *what)
{
    const char *line_end = memchr(line, '\n', (size_t)(piece_end - line));
    size_t n = line_end ? (size_t)(line_end - line) : (size_t)(piece_end - line);
    char *text = arena_alloc(l->arena, line_number + n + 1, 1);
    memset(text, '\n', line_number - 1);
    memcpy(text + line_number - 1, line, n);
    text[line_number - 1 + n] = 0;
    struct source *source = arena_alloc(l->arena, 1, sizeof *source);
    *source = (struct source){arena_strdup(l->arena, l->path), text, line_number - 1 + n};
    struct span where = {line_number - 1 + (size_t)(begin - line),
                         line_number - 1 + (size_t)(end - line)};
    return diag_add(l->diag, SEVERITY_ERROR, source, where, "%s", what);
}

static int plain_error(struct loader *l, const char *what)
{
    return diag_error(l->diag, "%s: %s", l->path, what);
}

static const char *experiment_name(const struct block *b, unsigned i)
{
    return b->header->experiments[i].experiment->name;
}

/* [p, p+n) may hold 0 bytes: the file is not trusted. */
static bool is_name(const char *name, const char *p, size_t n)
{
    return strlen(name) == n && memcmp(name, p, n) == 0;
}

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static const char *skip_blanks(const char *p)
{
    while (blank(*p))
        p++;
    return p;
}

static const char *word_end(const char *p)
{
    while (!blank(*p) && *p != '\n')
        p++;
    return p;
}

/* The fast way for most cells: up to 15 digits and then a blank. NULL: not of that form. */
static inline const char *read_digits(const char *p, double *value)
{
    uint64_t digits = 0;
    const char *first = p;
    for (unsigned d; (d = (unsigned)(*p - '0')) < 10 && p - first < 15; p++)
        digits = digits * 10 + d;
    if (p == first || (*p != ' ' && *p != '\n'))
        return NULL;
    *value = (double)digits;
    return p;
}

static const char *block_error(struct block *b, const char *begin, const char *what, int shown)
{
    b->error_begin = begin;
    b->error_end = word_end(begin);
    snprintf(b->error, sizeof b->error, what, shown, begin);
    return NULL;
}

static const char *field_error(struct block *b, const char *p, enum data_field field)
{
    size_t n = (size_t)(word_end(p) - p);
    block_error(b, p, "", 0);
    snprintf(b->error, sizeof b->error, "column %s: '%.*s' is not %s: correct or remove this row",
             data_field_names[field], n < 40 ? (int)n : 40, p, data_field_rule(field));
    return NULL;
}

/* One row; p is at its first word. Returns the newline, or NULL with the block's error. */
static const char *parse_row(struct block *b, const char *p, unsigned *previous)
{
    const char *after = word_end(p);
    size_t n = (size_t)(after - p);
    int shown = n < 40 ? (int)n : 40;
    unsigned which = *previous;
    if (which == UINT_MAX || !is_name(experiment_name(b, which), p, n))
        which = (unsigned)lookup_find(b->names, p, n);
    if (which == UINT_MAX)
        return block_error(
            b, p, "experiment '%.*s' is not in the header: a line '# experiment:' is missing",
            shown);
    if (b->rows && which != b->which[0])
        b->one_experiment = false;
    *previous = b->which[b->rows] = which;
    double *cell = b->cells + b->rows;
    size_t ncolumns = b->header->ncolumns;
    for (size_t c = 0; c < ncolumns; c++, cell += b->capacity) {
        p = skip_blanks(after);
        if (*p == '\n') {
            snprintf(b->error, sizeof b->error, "the row ends after %zu of %zu columns", c + 1,
                     ncolumns + 1);
            b->error_begin = b->error_end = p;
            return NULL;
        }
        after = read_digits(p, cell);
        if (!after)
            after = number_read(p, b->end, cell);
        if (!after || (!blank(*after) && *after != '\n')) {
            size_t m = (size_t)(word_end(p) - p);
            return block_error(b, p, "'%.*s' is not a number", m < 40 ? (int)m : 40);
        }
        if (c < FIELD_FIXED && !data_field_holds((enum data_field)c, *cell))
            return field_error(b, p, (enum data_field)c);
    }
    p = skip_blanks(after);
    if (*p != '\n')
        return block_error(b, p, "the row continues after its last column with '%.*s'", 1);
    b->rows++;
    return p;
}

static void *parse_block(void *argument)
{
    struct block *b = argument;
    unsigned previous = UINT_MAX;
    b->rows = b->lines = 0;
    b->one_experiment = true;
    b->error_begin = NULL;
    for (const char *p = b->begin; p < b->end; p++, b->lines++) {
        p = skip_blanks(p);
        if (*p == '#') {
            if (strncmp(p, "# cll-data", 10) == 0) {
                block_error(b, p, "a second data file starts here: load the files separately%.*s",
                            0);
                return NULL;
            }
            p = memchr(p, '\n', (size_t)(b->end - p));
        } else if (*p != '\n') {
            p = parse_row(b, p, &previous);
            if (!p)
                return NULL;
        }
    }
    return NULL;
}

static void append_rows(struct loader *l, struct block *b, size_t which, const unsigned *pick,
                        size_t n)
{
    struct header_experiment *x = &l->header.experiments[which];
    const double *columns[FIELD_FIXED + 2 * HEADER_MAX_COLUMNS]; /* and settings */
    for (size_t j = 0; j < x->experiment->ncolumns; j++)
        columns[j] = b->cells + x->file_column[j] * b->capacity;
    experiment_append(x->experiment, columns, pick, n);
}

/* Hands the rows of a block to their experiments, in order. */
static void take_block(struct loader *l, struct block *b)
{
    if (b->rows == 0)
        return;
    if (b->one_experiment) {
        append_rows(l, b, b->which[0], NULL, b->rows);
        return;
    }
    size_t n = l->dataset->nexperiments;
    MEM_LOCAL size_t *first = mem_zalloc(n + 1, sizeof *first);
    MEM_LOCAL unsigned *pick = mem_alloc(b->rows, sizeof *pick);
    for (size_t r = 0; r < b->rows; r++)
        first[b->which[r] + 1]++;
    for (size_t i = 0; i < n; i++)
        first[i + 1] += first[i];
    for (size_t r = 0; r < b->rows; r++)
        pick[first[b->which[r]]++] = (unsigned)r;
    for (size_t i = 0; i < n; i++) { /* first[i] is now the end of i */
        size_t begin = i ? first[i - 1] : 0;
        if (first[i] > begin)
            append_rows(l, b, i, pick + begin, first[i] - begin);
    }
}

static void block_reserve(struct loader *l, struct block *b)
{
    size_t per_row = 2 * (l->header.ncolumns + 1);
    size_t need = (size_t)(b->end - b->begin) / per_row + 1;
    if (need <= b->capacity)
        return;
    mem_free(b->cells);
    mem_free(b->which);
    b->cells = NULL, b->which = NULL, b->capacity = 0;
    const struct data_file *f = &l->header.file;
    b->cells = mem_alloc(need * (l->header.ncolumns + f->nsettings), sizeof *b->cells);
    double *cell = b->cells + need * l->header.ncolumns;
    for (size_t i = 0; i < f->nsettings; i++)
        for (size_t row = 0; row < need; row++)
            *cell++ = f->settings[i].value;
    b->which = mem_alloc(need, sizeof *b->which);
    b->capacity = need;
}

static int block_failed(struct loader *l, const struct block *b)
{
    const char *line = b->error_begin;
    while (line > b->begin && line[-1] != '\n')
        line--;
    return error_at(l, l->lines + b->lines + 1, line, b->end, b->error_begin, b->error_end,
                    b->error);
}

/* The rows of whole lines [begin, end). */
static int parse_rows(struct loader *l, const char *begin, const char *end)
{
    const char *middle = end;
    if (end - begin > SPLIT_ABOVE) {
        middle = memchr(begin + (end - begin) / 2, '\n', (size_t)(end - begin - (end - begin) / 2));
        middle = middle ? middle + 1 : end;
    }
    const char *cut[WORKERS + 1] = {begin, middle, end};
    for (int i = 0; i < WORKERS; i++) {
        struct block *b = &l->blocks[i];
        b->begin = cut[i], b->end = cut[i + 1];
        b->header = &l->header, b->names = &l->names;
        block_reserve(l, b);
    }
    pthread_t thread;
    bool threaded = middle < end && pthread_create(&thread, NULL, parse_block, &l->blocks[1]) == 0;
    parse_block(&l->blocks[0]);
    if (threaded)
        pthread_join(thread, NULL);
    else
        parse_block(&l->blocks[1]);
    for (int i = 0; i < WORKERS; i++) {
        struct block *b = &l->blocks[i];
        if (b->error_begin)
            return block_failed(l, b);
        take_block(l, b);
        l->lines += b->lines;
    }
    return 0;
}

static void header_done(struct loader *l)
{
    size_t file = dataset_add_file(l->dataset, &l->header.file);
    for (size_t i = 0; i < l->dataset->nexperiments; i++) {
        experiment_add_segment(l->dataset->experiments[i], file);
        lookup_add(&l->names, l->dataset->arena, l->dataset->experiments[i]->name, i);
    }
}

/* Whole lines [begin, end): header first, then rows. */
static int parse_piece(struct loader *l, const char *begin, const char *end)
{
    while (!l->header.complete && begin < end) {
        const char *newline = memchr(begin, '\n', (size_t)(end - begin));
        if (header_line(&l->header, begin, (size_t)(newline - begin)))
            return error_at(l, l->lines + 1, begin, end, l->header.error.begin, l->header.error.end,
                            l->header.error.what);
        l->lines++;
        begin = newline + 1;
        if (l->header.complete)
            header_done(l);
    }
    return begin < end ? parse_rows(l, begin, end) : 0;
}

static int fill(struct loader *l)
{
    while (l->filled < l->size && !l->at_end) {
        ssize_t n = interrupt_read(l->fd, l->text + l->filled, l->size - l->filled);
        if (n < 0)
            return plain_error(l, strerror(errno));
        l->filled += (size_t)n;
        l->at_end = n == 0;
    }
    return 0;
}

static int read_all(struct loader *l)
{
    while (!l->at_end) {
        if (fill(l))
            return -1;
        if (interrupt_came())
            return plain_error(l, "loading was interrupted");
        size_t whole = l->filled;
        while (whole > 0 && l->text[whole - 1] != '\n')
            whole--;
        if (whole == 0 && l->filled == l->size)
            return error_at(
                l, l->lines + 1, l->text, l->text + 80, l->text, l->text,
                "this line is longer than 8 MB: this is not a cll data file, or it is damaged");
        /* number_read looks at the byte after a block's end: it is a byte of the next line or this
         * 0. */
        l->text[l->filled] = 0;
        if (parse_piece(l, l->text, l->text + whole))
            return -1;
        l->filled -= whole;
        memmove(l->text, l->text + whole, l->filled);
    }
    return 0;
}

/* A header without a table: the message is about the last, incomplete line. */
static int no_table(struct loader *l)
{
    if (!l->header.has_version) {
        if (l->filled && header_line(&l->header, l->text, l->filled))
            return error_at(l, 1, l->text, l->text + l->filled, l->header.error.begin,
                            l->header.error.end, l->header.error.what);
        if (!l->filled && l->lines == 0)
            return plain_error(l, "the file is empty");
    }
    return plain_error(l, "the file ends before its table: it has no column names and no samples");
}

int load_dat(struct dataset *d, int fd, const char *path, struct arena *arena, struct diag *diag)
{
    struct stat st;
    struct loader l = {
        .dataset = d, .path = path, .arena = arena, .diag = diag, .fd = fd, .size = PIECE};
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size < PIECE)
        l.size = (size_t)st.st_size + 4096;
    l.header.dataset = d;
    l.header.file = data_file_of(arena_strdup(d->arena, path));
    l.text = mem_alloc(l.size + 1, 1);
    int status = read_all(&l);
    if (status == 0 && !l.header.complete)
        status = no_table(&l);
    if (status == 0)
        d->files[0].truncated = l.filled > 0 || l.header.unfinished;
    for (int i = 0; i < WORKERS; i++) {
        mem_free(l.blocks[i].cells);
        mem_free(l.blocks[i].which);
    }
    mem_free(l.text);
    return status;
}

/* The kind of a file by its first bytes. */
static enum load_kind load_recognise(const char *bytes, size_t n)
{
    static const char dat[] = "# cll-data", part[] = "# cll-part", spool[] = "cll-spool ";
    if (n >= sizeof dat - 1 &&
        (memcmp(bytes, dat, sizeof dat - 1) == 0 || memcmp(bytes, part, sizeof part - 1) == 0))
        return LOAD_DAT;
    if (n >= sizeof spool - 1 && memcmp(bytes, spool, sizeof spool - 1) == 0)
        return LOAD_SPOOL;
    return LOAD_UNKNOWN;
}

static int open_data(const char *path, struct diag *diag, char *head, size_t *n)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat st;
    if (fd >= 0 && fstat(fd, &st) == 0 && S_ISDIR(st.st_mode)) {
        close(fd);
        fd = -1;
        errno = EISDIR;
    }
    if (fd < 0)
        return diag_error(diag, "%s: %s", path, strerror(errno));
    ssize_t got = pread(fd, head, *n, 0); /* a pipe cannot: it is taken as text */
    if (got < 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        diag_error(diag, "%s: cannot read it: %s", path, strerror(errno));
        close(fd);
        return -1;
    }
    *n = got > 0 ? (size_t)got : 0;
    return fd;
}

/* Whether the first line names the own format, however it is spaced. */
static bool claims_dat(const char *text, size_t size)
{
    size_t i = 0;
    while (i < size && (text[i] == ' ' || text[i] == '\t' || text[i] == '#'))
        i++;
    return size - i >= 4 && memcmp(text + i, "cll-", 4) == 0;
}

/* A file of another tool: 1 if its text is for load_dat, else the status of import_load. */
static int load_other(struct dataset *d, const char *path, const struct load_options *options,
                      struct arena *arena, struct diag *diag)
{
    struct import_options import = options ? options->import : (struct import_options){0};
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (source_read(path, IMPORT_MAX_SIZE, &text, &size))
        return 1;
    int status = 1;
    import.ignore_formulas = options && options->ignore_formulas;
    if (!claims_dat(text, size))
        status = import_load(d, path, text, size, &import, arena, diag);
    return status;
}

/* The name was reserved, and the process killed before it wrote. */
static bool is_blank(int fd, const char *head, size_t n)
{
    struct stat st;
    return cll_spool_is_blank(head, n) && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

static int load_file(struct dataset *d, const char *path, const struct load_options *options,
                     struct arena *arena, struct diag *diag)
{
    char head[64];
    size_t n = sizeof head;
    int fd = open_data(path, diag, head, &n);
    if (fd < 0)
        return -1;
    struct stat st;
    enum load_kind kind = load_recognise(head, n);
    bool may_be_empty = options && options->may_be_empty;
    if ((n || may_be_empty) && is_blank(fd, head, n)) {
        close(fd);
        diag_add(
            diag, may_be_empty ? SEVERITY_WARNING : SEVERITY_ERROR, NULL, (struct span){0, 0},
            "%s: this file is empty or begins with zeros: its process was killed just after its "
            "start, and it has no samples",
            path);
        return may_be_empty ? 0 : -1;
    }
    if (kind == LOAD_UNKNOWN && n && fstat(fd, &st) == 0 && S_ISREG(st.st_mode)) {
        int other = load_other(d, path, options, arena, diag);
        if (other <= 0) {
            close(fd);
            return other;
        }
    }
    struct dataset *fresh = dataset_create();
    int status = kind == LOAD_SPOOL ? load_spool(fresh, path, arena, diag)
                                    : load_dat(fresh, fd, path, arena, diag);
    close(fd);
    if (status == 0)
        status = dataset_merge(d, fresh, options && options->ignore_formulas, diag);
    dataset_destroy(fresh);
    return status;
}

int dataset_load(struct dataset *d, const char *path, const struct load_options *options,
                 struct arena *arena, struct diag *diag)
{
    d->given_label = options ? options->label : NULL;
    int status = load_file(d, path, options, arena, diag);
    d->given_label = NULL;
    return status;
}
