/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each dump belongs to the executions that its label names. Instructions are found in a hash table by
 * address, file and line: callgrind may name another object or function for the same instruction
 * later. Executions collect pairs of instruction and count, which counts_finish adds up. Blocks of memory come with the
 * labels, and get the file and line of the call at the end.
 */
#include "count/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/path.h"
#include "base/sort.h"
#include "base/text.h"

enum { MOST_OPEN = 64, CALL_BYTES = 8 /* at most, of an instruction that calls */ };

struct line_of {
    const char *file;
    unsigned long line;
};

struct counts_state {
    size_t *slots; /* of the hash table: index of an instruction + 1 */
    size_t nslots, cinstructions, cexecutions;
    struct line_of *lines;
    size_t nlines, clines;
    /* the current part */
    size_t open[MOST_OPEN];
    size_t nopen;
};

struct counts *counts_create(struct arena *a, const char *program, bool is_based)
{
    struct counts *c = arena_zalloc(a, 1, sizeof *c);
    c->arena = a;
    c->program = arena_strdup(a, program);
    c->is_based = is_based;
    c->state = arena_zalloc(a, 1, sizeof *c->state);
    return c;
}

void counts_leave_out(struct counts *c, const char *file, unsigned long line)
{
    struct counts_state *s = c->state;
    ARENA_ADD(c->arena, s->lines, s->nlines, &s->clines,
              (struct line_of){arena_strdup(c->arena, path_base(file)), line});
}

/* ---- instructions ---- */

static uint64_t hash_of(uint64_t address, const char *file, unsigned long line)
{
    uint64_t h = address * UINT64_C(0x9e3779b97f4a7c15) ^ line;
    for (; *file; file++)
        h = (h ^ (unsigned char)*file) * UINT64_C(0x100000001b3);
    return h ^ h >> 32;
}

static void rehash(struct counts *c)
{
    struct counts_state *s = c->state;
    s->nslots = s->nslots ? 2 * s->nslots : 4096;
    s->slots = arena_zalloc(c->arena, s->nslots, sizeof *s->slots);
    for (size_t i = 0; i < c->ninstructions; i++) {
        const struct counted_instruction *k = &c->instructions[i];
        size_t at = hash_of(k->address, k->file, k->line) % s->nslots;
        while (s->slots[at])
            at = (at + 1) % s->nslots;
        s->slots[at] = i + 1;
    }
}

static bool same_object(const char *path, const char *program)
{
    return !strcmp(path, program) || !strcmp(path_base(path), path_base(program));
}

static bool is_in_program(uint64_t address)
{
    return address >= COUNTS_PROGRAM_BASE;
}

static size_t instruction_of(struct counts *c, const struct callgrind_cost *cost)
{
    struct counts_state *s = c->state;
    const char *file = strcmp(cost->file, "???") ? cost->file : "";
    if (2 * c->ninstructions >= s->nslots)
        rehash(c);
    size_t at = hash_of(cost->address, file, cost->line) % s->nslots;
    for (; s->slots[at]; at = (at + 1) % s->nslots) {
        const struct counted_instruction *k = &c->instructions[s->slots[at] - 1];
        if (k->address == cost->address && k->line == cost->line && !strcmp(k->file, file))
            return s->slots[at] - 1;
    }
    bool of_program =
        c->is_based ? is_in_program(cost->address) : same_object(cost->object, c->program);
    const char *object = of_program                              ? c->program
                         : same_object(cost->object, c->program) ? "???"
                                                                 : cost->object;
    ARENA_ADD(c->arena, c->instructions, c->ninstructions, &s->cinstructions,
              (struct counted_instruction){.address = cost->address,
                                           .object = object,
                                           .file = file,
                                           .function = cost->function,
                                           .line = cost->line,
                                           .of_program = of_program});
    s->slots[at] = c->ninstructions;
    return c->ninstructions - 1;
}

/* ---- labels ---- */

/* %XX back to bytes, in place. */
static void decode(char *s)
{
    char *to = s;
    for (; *s; s++, to++) {
        char hex[3] = {0};
        if (*s == '%' && s[1] && s[2]) {
            memcpy(hex, s + 1, 2);
            *to = (char)strtoul(hex, NULL, 16);
            s += 2;
        } else {
            *to = *s;
        }
    }
    *to = '\0';
}

/* The execution of this number; made if it is new. */
static size_t execution_of(struct counts *c, const struct callgrind_part *part,
                           unsigned long long number)
{
    struct counts_state *s = c->state;
    for (size_t i = c->nexecutions; i-- > 0;)
        if (c->executions[i].number == number && c->executions[i].pid == part->pid)
            return i;
    ARENA_ADD(
        c->arena, c->executions, c->nexecutions, &s->cexecutions,
        (struct execution){
            .experiment = "", .pid = part->pid, .number = number, .inside = COUNTS_NOT_INSIDE});
    return c->nexecutions - 1;
}

static void add_value(struct arena *a, struct execution *e, const char *name, double value)
{
    size_t n = e->nvalues;
    ARENA_ADD(a, e->names, n, &e->cnames, name);
    ARENA_ADD(a, e->values, e->nvalues, &e->cvalues, value);
}

/* "EXPERIMENT VARIABLE=VALUE..." */
static void read_end(struct counts *c, struct execution *e, char *text)
{
    char *save, *word = strtok_r(text, " ", &save);
    if (!word)
        return;
    decode(word);
    e->experiment = word;
    while ((word = strtok_r(NULL, " ", &save))) {
        char *value = strchr(word, '=');
        if (!value)
            return;
        *value++ = '\0';
        decode(word);
        add_value(c->arena, e, word, strtod(value, NULL));
    }
    e->ended = true;
}

static void add_count(struct counts *c, size_t instruction, double count)
{
    struct counts_state *s = c->state;
    for (size_t i = 0; i < s->nopen; i++) {
        struct execution *e = &c->executions[s->open[i]];
        ARENA_ADD(c->arena, e->counts, e->n, &e->capacity,
                  (struct instruction_count){instruction, count});
    }
}

/* "@sADDRESS:BYTES"; returns what follows it. */
static char *read_block(struct counts *c, char *at)
{
    char *end, kind = at[1];
    if (kind != 's' && kind != 'c')
        return at;
    uint64_t address = strtoull(at + 2, &end, 16);
    if (*end != ':')
        return end;
    double bytes = (double)strtoull(end + 1, &end, 10);
    /* no file has such a name; counts_finish finds the right one */
    struct callgrind_cost caller = {.object = c->program,
                                    .file = kind == 's' ? "@set" : "@copy",
                                    .function = "",
                                    .address = address};
    size_t i = instruction_of(c, &caller);
    c->instructions[i].kind = kind == 's' ? COUNTED_SET : COUNTED_COPY;
    c->instructions[i].of_program = true;
    c->instructions[i].object = c->program;
    add_count(c, i, bytes);
    return end;
}

/* "cll RANK PROCESSES OPEN[,OPEN...] [BLOCK...] [ENDS EXPERIMENT ...]" */
static void read_label(struct counts *c, const struct callgrind_part *part, const char *label)
{
    struct counts_state *s = c->state;
    char *at;
    unsigned long rank = strtoul(label, &at, 10), processes = strtoul(at, &at, 10);
    s->nopen = 0;
    while (*at == ' ' || *at == ',') {
        char *end;
        if (at[1] == '@') {
            at = read_block(c, at + 1);
            continue;
        }
        unsigned long long number = strtoull(at + 1, &end, 10);
        if (end == at + 1 || s->nopen == MOST_OPEN)
            return;
        bool is_end = *at == ' ' && s->nopen;
        size_t i = execution_of(c, part, number);
        c->executions[i].rank = rank;
        c->executions[i].processes = processes;
        c->executions[i].thread = part->thread ? part->thread - 1 : 0;
        if (is_end) {
            read_end(c, &c->executions[i], arena_strdup(c->arena, end));
            return;
        }
        if (s->nopen) /* the outer ones come first */
            c->executions[i].inside = c->executions[s->open[s->nopen - 1]].number;
        s->open[s->nopen++] = i;
        at = end;
    }
}

static void begin_part(void *user, const struct callgrind_part *part)
{
    struct counts *c = user;
    c->state->nopen = 0;
    if (!c->nevents && part->nevents) {
        c->nevents = part->nevents;
        c->events = arena_alloc(c->arena, part->nevents, sizeof *c->events);
        for (size_t i = 0; i < part->nevents; i++)
            c->events[i] = arena_strdup(c->arena, part->events[i]);
    }
    if (!strncmp(part->trigger, "cll ", 4))
        read_label(c, part, part->trigger + 4);
}

static const char blocks_file[] = "cll/count/blocks.c";

/* Is it an instruction of the run-time? */
static bool is_left_out(const struct counts *c, const struct callgrind_cost *cost)
{
    const char *file = path_base(cost->file);
    static const char *const parts[] = {"/src/cll/count/", "/src/cll/mpi/", "/src/cll/pub/"};
    if (!strcmp(file, "cll.h") || text_ends_with(cost->file, "cll/count/count.c") ||
        text_ends_with(cost->file, "cll/count/fortran.c") ||
        text_ends_with(cost->file, blocks_file))
        return true;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strstr(cost->file, parts[i]))
            return true;
    if (!strncmp(path_base(cost->object), "libcll.so", 9) && !is_in_program(cost->address) &&
        strstr(cost->file, "/cll/"))
        return true;
    for (size_t i = 0; i < c->state->nlines; i++)
        if (cost->line == c->state->lines[i].line && !strcmp(file, c->state->lines[i].file))
            return true;
    return false;
}

/* With `data_only`: only the events of data caches, whose names begin with D. */
static void add_totals(struct counts *c, const struct callgrind_cost *cost, bool data_only)
{
    for (size_t i = 0; i < c->state->nopen; i++)
        for (size_t k = 0; k < c->nevents; k++)
            if (!data_only || c->events[k][0] == 'D')
                c->executions[c->state->open[i]].totals[k] += (double)cost->costs[k];
}

static void add_cost(void *user, const struct callgrind_cost *cost)
{
    struct counts *c = user;
    struct counts_state *s = c->state;
    if (!s->nopen)
        return;
    if (is_left_out(c, cost)) {
        c->left_out += (double)cost->costs[0];
        if (text_ends_with(cost->file, blocks_file))
            add_totals(c, cost, true);
        return;
    }
    size_t instruction = instruction_of(c, cost);
    add_count(c, instruction, (double)cost->costs[0]);
    add_totals(c, cost, false);
}

int counts_parse(struct counts *c, const struct source *source, struct diag *diag)
{
    struct callgrind_handler handler = {.user = c, .part = begin_part, .cost = add_cost};
    return callgrind_read(source, &handler, c->arena, diag);
}

int counts_read(struct counts *c, const char *path, struct diag *diag)
{
    struct source *source = arena_zalloc(c->arena, 1, sizeof *source);
    MEM_LOCAL char *text = NULL;
    size_t size;
    int error = source_read(path, (size_t)-1 >> 1, &text, &size);
    if (error)
        return diag_error(diag, "cannot read %s: %s", path, strerror(error));
    *source = (struct source){arena_strdup(c->arena, path), text, size};
    int result = counts_parse(c, source, diag);
    if (result) /* the message shows its line */
        source->text = arena_strndup(c->arena, text, size);
    return result;
}

/* ---- the end ---- */

static int by_instruction(const void *a, const void *b)
{
    const struct instruction_count *x = a, *y = b;
    return (x->instruction > y->instruction) - (x->instruction < y->instruction);
}

static void add_up(struct execution *e)
{
    size_t n = 0;
    sort_list(e->counts, e->n, sizeof *e->counts, by_instruction);
    for (size_t i = 0; i < e->n; i++) {
        if (n && e->counts[n - 1].instruction == e->counts[i].instruction)
            e->counts[n - 1].count += e->counts[i].count;
        else
            e->counts[n++] = e->counts[i];
    }
    e->n = n;
}

/* Blocks belong to the line of the last instruction before the address to which their call returns. */
static void place_blocks(struct counts *c)
{
    for (size_t i = 0; i < c->ninstructions; i++) {
        struct counted_instruction *block = &c->instructions[i];
        const struct counted_instruction *call = NULL;
        if (block->kind == COUNTED_INSTRUCTION)
            continue;
        for (size_t k = 0; k < c->ninstructions; k++) {
            const struct counted_instruction *x = &c->instructions[k];
            if (x->kind == COUNTED_INSTRUCTION && x->of_program && x->address < block->address &&
                block->address - x->address <= CALL_BYTES && (!call || x->address > call->address))
                call = x;
        }
        block->file = call ? call->file : "";
        block->line = call ? call->line : 0;
        block->function = call ? call->function : block->kind == COUNTED_SET ? "memset" : "memcpy";
    }
}

static int by_begin(const void *a, const void *b)
{
    const struct execution *x = a, *y = b;
    int order = (x->rank > y->rank) - (x->rank < y->rank);
    if (!order)
        order = (x->pid > y->pid) - (x->pid < y->pid);
    if (!order)
        order = (x->thread > y->thread) - (x->thread < y->thread);
    return order ? order : (x->number > y->number) - (x->number < y->number);
}

void counts_finish(struct counts *c)
{
    size_t n = 0;
    for (size_t i = 0; i < c->nexecutions; i++)
        if (c->executions[i].ended) {
            if (n != i)
                c->executions[n] = c->executions[i];
            n++;
        }
    c->nexecutions = n;
    place_blocks(c);
    for (size_t i = 0; i < n; i++)
        add_up(&c->executions[i]);
    sort_list(c->executions, n, sizeof *c->executions, by_begin);
}

void counts_set(struct counts *c, const char *name, double value)
{
    for (size_t i = 0; i < c->nexecutions; i++)
        if (!text_is_in(c->executions[i].names, c->executions[i].nvalues, name))
            add_value(c->arena, &c->executions[i], name, value);
}

size_t counts_event(const struct counts *c, const char *name)
{
    return text_find(c->events, c->nevents, name);
}
