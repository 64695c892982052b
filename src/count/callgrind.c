/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line is a header ("KEY: VALUE"), a name ("fn=(3) main"), a call ("calls=1 0x814 -2", whose next
 * line is a position with the costs of the call), a jump ("jump=5 +4 *", whose next line is a
 * position), or a position with costs. Positions are relative to that of the last instruction, not to
 * that of a call in between. The sum of the costs of a part must be its `totals`: a part
 * without that line, or with another sum, is cut off or damaged.
 */
#include "count/callgrind.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum name_space { NAME_OBJECT, NAME_FILE, NAME_FUNCTION, NAME_SPACES };
enum { MOST_NAMES = 1 << 24 };

/* The names of one space by their numbers. */
struct name_table {
    const char **names;
    size_t n;
};

struct reader {
    const struct source *source;
    const struct callgrind_handler *handler;
    struct arena *arena;
    struct diag *diag;
    const char *at, *end; /* of the current line */
    struct name_table tables[NAME_SPACES];
    /* the part */
    bool in_part, told, has_address, has_line;
    struct callgrind_part part;
    const char *events[CALLGRIND_MAX_EVENTS];
    uint64_t sums[CALLGRIND_MAX_EVENTS];
    size_t parts;
    /* the position; `own` is that of the last instruction: a call does not change it, not even the file
     * that is named before the call */
    const char *object, *of_function, *file, *function;
    struct {
        const char *file;
        uint64_t address, line;
    } own;
    enum { NEXT_COST, NEXT_CALL, NEXT_JUMP } next; /* what the next position is about */
};

static int fail(struct reader *r, const char *what)
{
    size_t offset = (size_t)(r->at - r->source->text);
    diag_add(r->diag, SEVERITY_ERROR, r->source, (struct span){offset, offset},
             "this is not a dump of callgrind that can be used: %s", what);
    return -1;
}

/* ---- words and numbers ---- */

static bool ended(const struct reader *r)
{
    return r->at >= r->end;
}

static void skip_blanks(struct reader *r)
{
    while (!ended(r) && (*r->at == ' ' || *r->at == '\t'))
        r->at++;
}

static bool take(struct reader *r, const char *word)
{
    size_t n = strlen(word);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0)
        return false;
    r->at += n;
    return true;
}

static const char *rest(struct reader *r)
{
    skip_blanks(r);
    const char *end = r->end;
    while (end > r->at && isspace((unsigned char)end[-1]))
        end--;
    return arena_strndup(r->arena, r->at, (size_t)(end - r->at));
}

static int digit_of(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : 99;
}

/* Reads a number, decimal or with 0x. Returns 0, or -1 where no number follows or it has more than 64 bits. */
static int number(struct reader *r, uint64_t *out)
{
    int base = take(r, "0x") ? 16 : 10;
    const char *first = r->at;
    uint64_t value = 0;
    for (; !ended(r) && digit_of(*r->at) < base; r->at++)
        if (__builtin_mul_overflow(value, (uint64_t)base, &value) ||
            __builtin_add_overflow(value, (uint64_t)digit_of(*r->at), &value))
            return -1;
    *out = value;
    return r->at > first ? 0 : -1;
}

/* A position: absolute, or relative to the one before. */
static int subposition(struct reader *r, uint64_t *position)
{
    uint64_t value;
    skip_blanks(r);
    if (take(r, "*"))
        return 0;
    bool plus = take(r, "+"), minus = !plus && take(r, "-");
    if (number(r, &value))
        return fail(r, "a position is expected");
    *position = plus ? *position + value : minus ? *position - value : value;
    return 0;
}

static int position(struct reader *r, uint64_t *address, uint64_t *line)
{
    if (r->has_address && subposition(r, address))
        return -1;
    return r->has_line && subposition(r, line) ? -1 : 0;
}

/* ---- names ---- */

static const char **slot(struct name_table *t, size_t id)
{
    if (id >= t->n) {
        size_t n = mem_grown(t->n, id + 1);
        t->names = mem_resize(t->names, n, sizeof *t->names);
        memset(t->names + t->n, 0, (n - t->n) * sizeof *t->names);
        t->n = n;
    }
    return &t->names[id];
}

/* "(3) name", "(3)" or "name". */
static int name(struct reader *r, enum name_space space, const char **out)
{
    uint64_t id;
    skip_blanks(r);
    if (!take(r, "(")) {
        *out = rest(r);
        return 0;
    }
    if (number(r, &id) || !take(r, ")") || id >= MOST_NAMES)
        return fail(r, "the number of a name is expected");
    const char **known = slot(&r->tables[space], id);
    const char *text = rest(r);
    if (*text && (!*known || strcmp(*known, text) != 0))
        *known = text;
    if (!*known)
        return fail(r, "a name that was not given before");
    *out = *known;
    return 0;
}

/* ---- the head of a part ---- */

static void begin_part(struct reader *r)
{
    r->in_part = true;
    r->told = false;
    r->has_address = false;
    r->has_line = true;
    r->part = (struct callgrind_part){.pid = r->part.pid, .trigger = "", .events = r->events};
    memset(r->sums, 0, sizeof r->sums);
    r->object = r->of_function = r->file = r->function = "";
    r->own.file = "";
    r->own.address = r->own.line = 0;
    r->next = NEXT_COST;
    r->parts++;
}

static int read_events(struct reader *r)
{
    r->part.nevents = 0;
    for (skip_blanks(r); !ended(r); skip_blanks(r)) {
        const char *word = r->at;
        while (!ended(r) && !isspace((unsigned char)*r->at))
            r->at++;
        if (r->part.nevents == CALLGRIND_MAX_EVENTS)
            return fail(r, "too many events");
        r->events[r->part.nevents++] = arena_strndup(r->arena, word, (size_t)(r->at - word));
    }
    return 0;
}

static int read_positions(struct reader *r)
{
    const char *text = rest(r);
    r->has_address = strstr(text, "instr") != NULL;
    r->has_line = strstr(text, "line") != NULL;
    if (!r->has_address && !r->has_line)
        return fail(r, "positions other than instr and line");
    return 0;
}

/* The sums of the part. */
static int check_totals(struct reader *r)
{
    for (size_t i = 0; i < r->part.nevents; i++) {
        uint64_t total = 0;
        skip_blanks(r);
        if (!ended(r) && number(r, &total))
            return fail(r, "a total is expected");
        if (total != r->sums[i])
            return fail(r, "the costs of the part do not add up to its totals");
    }
    r->in_part = false;
    return 0;
}

static int read_desc(struct reader *r)
{
    skip_blanks(r);
    if (take(r, "Trigger:")) {
        skip_blanks(r);
        take(r, "Client Request:");
        r->part.trigger = rest(r);
    }
    return 0;
}

static int read_count(struct reader *r, uint64_t most, uint64_t *out)
{
    skip_blanks(r);
    return number(r, out) || *out > most ? fail(r, "a number is expected") : 0;
}

/* Keys that matter, and those that are only known. 1: the line is not a header. */
static int header(struct reader *r)
{
    static const char *const known[] = {"version:", "creator:", "cmd:", "summary:", "part:"};
    uint64_t value;
    if (take(r, "totals:"))
        return r->in_part ? check_totals(r) : 0;
    bool is_pid = take(r, "pid:"), is_thread = !is_pid && take(r, "thread:");
    bool is_desc = take(r, "desc:"), is_events = take(r, "events:");
    bool is_positions = take(r, "positions:"), is_known = false;
    for (size_t i = 0; i < sizeof known / sizeof *known && !is_known; i++)
        is_known = take(r, known[i]);
    if (!is_pid && !is_thread && !is_desc && !is_events && !is_positions && !is_known)
        return 1;
    if (!r->in_part)
        begin_part(r);
    if (is_events)
        return read_events(r);
    if (is_positions)
        return read_positions(r);
    if (is_desc)
        return read_desc(r);
    if (is_pid) {
        if (read_count(r, INT32_MAX, &value))
            return -1;
        r->part.pid = (long)value;
    } else if (is_thread) {
        if (read_count(r, INT32_MAX, &value))
            return -1;
        r->part.thread = (unsigned)value;
    }
    return 0;
}

/* ---- costs ---- */

/* ob=, fl=, fi=, fe=, fn= set the position; those of calls and jumps define only names. 1: another
 * line. */
static int names(struct reader *r)
{
    const char *other;
    if (take(r, "ob="))
        return name(r, NAME_OBJECT, &r->object);
    if (take(r, "fi=") || take(r, "fe="))
        return name(r, NAME_FILE, &r->file);
    if (take(r, "fl="))
        return name(r, NAME_FILE, &r->of_function);
    if (take(r, "fn=")) { /* begins in its own file, whatever the function before ended in */
        r->file = r->own.file = r->of_function;
        return name(r, NAME_FUNCTION, &r->function);
    }
    if (take(r, "cob="))
        return name(r, NAME_OBJECT, &other);
    if (take(r, "cfi=") || take(r, "cfl=") || take(r, "jfi="))
        return name(r, NAME_FILE, &other);
    if (take(r, "cfn=") || take(r, "jfn="))
        return name(r, NAME_FUNCTION, &other);
    return 1;
}

/* calls=COUNT TARGET, jump=COUNT TARGET, jcnd=COUNT/COUNT TARGET: the target is read over. */
static int transfers(struct reader *r)
{
    if (take(r, "calls="))
        r->next = NEXT_CALL;
    else if (take(r, "jump=") || take(r, "jcnd="))
        r->next = NEXT_JUMP;
    else
        return 1;
    return 0;
}

static int costs(struct reader *r)
{
    uint64_t values[CALLGRIND_MAX_EVENTS] = {0}, address = r->own.address, line = r->own.line;
    if (!r->part.nevents)
        return fail(r, "costs before a line 'events:'");
    if (position(r, &address, &line))
        return -1;
    size_t n = 0;
    for (skip_blanks(r); !ended(r); skip_blanks(r)) {
        if (n == r->part.nevents || number(r, &values[n]))
            return fail(r, "a cost is expected");
        n++;
    }
    if (r->next != NEXT_COST) {
        r->next = NEXT_COST;
        r->file = r->own.file;
        return 0;
    }
    r->own.file = r->file;
    r->own.address = address;
    r->own.line = line;
    for (size_t i = 0; i < r->part.nevents; i++)
        r->sums[i] += values[i];
    if (!r->told && r->handler->part)
        r->handler->part(r->handler->user, &r->part);
    r->told = true;
    if (r->handler->cost)
        r->handler->cost(r->handler->user,
                         &(struct callgrind_cost){r->object, r->file, r->function, address,
                                                  (unsigned long)line, values});
    return 0;
}

static int read_line(struct reader *r)
{
    skip_blanks(r);
    if (ended(r) || *r->at == '#')
        return 0;
    int result = header(r);
    if (result <= 0)
        return result;
    if (!r->in_part)
        return fail(r, "a line 'pid:' or 'events:' is expected");
    if ((result = names(r)) <= 0 || (result = transfers(r)) <= 0)
        return result;
    return costs(r);
}

/* A part without costs is told at its end. */
static void tell_empty(struct reader *r, bool was_in_part)
{
    if (was_in_part && !r->in_part && !r->told && r->handler->part)
        r->handler->part(r->handler->user, &r->part);
}

static int read_all(struct reader *r)
{
    const char *text = r->source->text, *end = text + r->source->size;
    while (text < end) {
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        bool was_in_part = r->in_part;
        r->at = text;
        r->end = newline ? newline : end;
        if (read_line(r))
            return -1;
        tell_empty(r, was_in_part);
        text = newline ? newline + 1 : end;
    }
    r->at = end;
    if (!r->parts)
        return fail(r, "it has no part");
    return r->in_part ? fail(r, "it ends before the line 'totals:'") : 0;
}

int callgrind_read(const struct source *source, const struct callgrind_handler *handler,
                   struct arena *a, struct diag *diag)
{
    struct reader r = {.source = source, .handler = handler, .arena = a, .diag = diag};
    int result = read_all(&r);
    for (size_t i = 0; i < NAME_SPACES; i++)
        mem_free(r.tables[i].names);
    return result;
}
