/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads notes. A function is a record with its name, one with the number of its blocks, one with the arcs
 * of each block, and one with the lines of each block; unknown records are skipped. A block without a
 * record of lines is on the line on which the block before it ends.
 */
#include <stdlib.h>
#include <string.h>

#include "base/sort.h"
#include "flow/bytes.h"
#include "flow/internal.h"

struct reader {
    struct arena *a, *scratch;
    struct flow *c;
    bool words, damaged;
    size_t cfunctions;
    /* of the function that is read */
    struct flow_function *f; /* NULL: none */
    size_t carcs;
    struct line {
        size_t order;
        uint32_t block;
        struct block_line at;
    } * lines;
    size_t nlines, clines;
};

static int by_block(const void *x, const void *y)
{
    const struct line *p = x, *q = y;
    if (p->block != q->block)
        return p->block < q->block ? -1 : 1;
    return p->order < q->order ? -1 : p->order > q->order;
}

static struct block_lines lines_of_blocks(struct reader *r)
{
    uint32_t n = r->f->nblocks;
    struct block_lines all = {.list = arena_alloc(r->scratch, r->nlines + n + 1, sizeof *all.list),
                              .first = arena_alloc(r->scratch, (size_t)n + 1, sizeof *all.first),
                              .own = arena_zalloc(r->scratch, n, sizeof *all.own)};
    struct block_line last = {r->f->file, r->f->line};
    size_t next = 0, stored = 0;
    sort_list(r->lines, r->nlines, sizeof *r->lines, by_block);
    for (uint32_t b = 0; b < n; b++) {
        all.first[b] = stored;
        for (; next < r->nlines && r->lines[next].block == b; next++)
            all.list[stored++] = r->lines[next].at;
        all.own[b] = stored > all.first[b];
        if (!all.own[b])
            all.list[stored++] = last;
        /* gcc puts the head of the function on its first block, which may begin a loop */
        if (b == 2 && stored > all.first[b] + 1 && all.list[all.first[b]].line == r->f->line)
            memmove(&all.list[all.first[b]], &all.list[all.first[b] + 1],
                    (--stored - all.first[b]) * sizeof *all.list);
        last = all.list[stored - 1];
    }
    all.first[n] = stored;
    return all;
}

/* The function that was read is complete. */
static void end_function(struct reader *r)
{
    struct flow_function *f = r->f;
    if (!f)
        return;
    if (f->nblocks > 2 * f->narcs + 16) { /* a block has an arc */
        r->damaged = true;
    } else if (f->nblocks >= 2) {
        struct block_lines lines = lines_of_blocks(r);
        flow_find_loops(r->a, f, &lines);
    }
    f->first_loop = r->c->nloops;
    r->c->nloops += f->nloops;
    r->f = NULL;
    arena_reset(r->scratch);
}

static void begin_function(struct reader *r, struct bytes *b)
{
    struct flow *c = r->c;
    end_function(r);
    ARENA_ADD(r->a, c->functions, c->nfunctions, &r->cfunctions, (struct flow_function){0});
    struct flow_function *f = &c->functions[c->nfunctions - 1];
    f->ident = bytes_word(b);
    f->line_checksum = bytes_word(b);
    f->graph_checksum = bytes_word(b);
    f->name = bytes_text(b, r->a);
    f->artificial = !r->words && bytes_word(b) != 0;
    f->file = bytes_text(b, r->a);
    f->line = bytes_word(b);
    if (!r->words) {
        f->column = bytes_word(b);
        f->end_line = bytes_word(b);
        f->end_column = bytes_word(b);
    }
    r->f = f;
    r->carcs = r->nlines = r->clines = 0;
    r->lines = NULL;
}

static void read_blocks(struct reader *r, struct bytes *b)
{
    b->failed |= r->f->nblocks != 0; /* arcs that were read would lead nowhere */
    r->f->nblocks = r->words ? (uint32_t)((b->end - b->at) / 4) : bytes_word(b);
}

static void read_arcs(struct reader *r, struct bytes *b)
{
    enum { ON_TREE = 1, FAKE = 2 };
    struct flow_function *f = r->f;
    uint32_t from = bytes_word(b);
    while (b->at < b->end) {
        uint32_t to = bytes_word(b), flags = bytes_word(b);
        if (from >= f->nblocks || to >= f->nblocks) {
            b->failed = true;
            return;
        }
        ARENA_ADD(r->a, f->arcs, f->narcs, &r->carcs,
                  (struct flow_arc){from, to, flags & ON_TREE, flags & FAKE});
    }
}

static void read_lines(struct reader *r, struct bytes *b)
{
    uint32_t block = bytes_word(b);
    const char *file = r->f->file;
    while (b->at < b->end && !b->failed) {
        uint32_t line = bytes_word(b);
        size_t order = r->nlines;
        if (line) {
            ARENA_ADD(r->scratch, r->lines, r->nlines, &r->clines,
                      (struct line){order, block, {file, line}});
            continue;
        }
        struct bytes ahead = *b;
        if (bytes_skip_text(&ahead)) { /* the end */
            *b = ahead;
            return;
        }
        const char *name = bytes_text(b, r->scratch);
        file = strcmp(name, r->f->file) ? arena_strdup(r->a, name) : r->f->file;
    }
}

/* 0, or -1: it is damaged. */
static int read_record(struct reader *r, uint32_t tag, struct bytes *b)
{
    if (tag == TAG_FUNCTION)
        begin_function(r, b);
    else if (r->f && tag == TAG_BLOCKS)
        read_blocks(r, b);
    else if (r->f && tag == TAG_ARCS)
        read_arcs(r, b);
    else if (r->f && tag == TAG_LINES)
        read_lines(r, b);
    return b->failed || r->damaged ? -1 : 0;
}

struct flow *flow_read(struct arena *a, const char *bytes, size_t size, const char **why)
{
    struct bytes b, contents;
    struct flow *c = arena_zalloc(a, 1, sizeof *c);
    ARENA_LOCAL struct arena *scratch = arena_create();
    struct reader r = {.a = a, .c = c, .scratch = scratch};
    uint32_t tag;
    size_t zeros;
    int failed = bytes_begin(&b, bytes, size, BYTES_NOTES, &c->stamp, why);
    r.words = b.words;
    if (!failed && !b.words) {
        c->folder = bytes_text(&b, a);
        bytes_word(&b); /* whether blocks that are not executed are marked */
    }
    while (!failed && bytes_record(&b, &tag, &contents, &zeros))
        failed = read_record(&r, tag, &contents);
    if (!failed && !b.failed)
        end_function(&r);
    if (!*why && (failed || b.failed || r.damaged))
        *why = "it is damaged or not complete";
    return *why ? NULL : c;
}
