/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Statements of the notation to instructions. The first pass over the lines finds the names: parameters,
 * procedures, and what each of them assigns. The second one reads the statements. A line with an error
 * is skipped, so one run reports the errors of all lines.
 */
#include <math.h>
#include <string.h>

#include "base/misprint.h"
#include "base/number.h"
#include "base/text.h"
#include "obsp/notation_reader.h"

static struct notation_instruction *emit(struct reader *r, enum notation_operation operation,
                                         struct span span)
{
    struct notation_program *p = r->program;
    p->code = arena_grow(r->arena, p->code, p->n, &p->capacity, p->n + 1, sizeof *p->code);
    struct notation_instruction *in = &p->code[p->n++];
    *in = (struct notation_instruction){.operation = operation, .span = span};
    return in;
}

/* What follows `word` in `where`, which begins with it. */
static struct span after(const struct reader *r, struct span where, struct span word)
{
    return reader_trim(r, (struct span){word.end, where.end});
}

static char first_char(const struct reader *r, struct span where)
{
    return reader_empty(where) ? 0 : r->source->text[where.begin];
}

/* The name on the left of NAME = ...; NULL if the line does not begin so. */
static const char *assigned(const struct reader *r, struct span line, struct span *name,
                            struct span *value)
{
    const char *text = reader_name(r, line, name);
    struct span rest = text ? after(r, line, *name) : line;
    if (!text || first_char(r, rest) != '=')
        return NULL;
    *value = reader_trim(r, (struct span){rest.begin + 1, rest.end});
    return first_char(r, *value) == '=' && value->begin == rest.begin + 1 ? NULL : text;
}

/* ---- statements of one line */

static void read_assignment(struct reader *r, struct span line, struct span rest)
{
    struct span name = line, value = line;
    const char *text = assigned(r, line, &name, &value);
    (void)rest;
    if (!reader_may_name(r, text, name))
        return;
    const struct notation_expression *e = reader_formula(r, value, "the formula of the value");
    struct notation_instruction *in = emit(r, DO_ASSIGN, line);
    in->a = e;
    in->slot = reader_slot(r, text);
}

static void read_work(struct reader *r, struct span line, struct span rest)
{
    const struct notation_expression *e =
        reader_formula(r, rest, "the time of a computation, in seconds,");
    emit(r, DO_WORK, line)->a = e;
}

static void read_start(struct reader *r, struct span line, struct span rest)
{
    for (size_t k = 0; k < r->nblocks; k++) {
        if (r->blocks[k].kind == BLOCK_PROC || r->blocks[k].kind == BLOCK_SPLIT) {
            reader_error(r, line,
                         "processors start at the beginning of the file, not in a %s; write "
                         "'start' there",
                         r->blocks[k].kind == BLOCK_PROC ? "procedure" : "group");
            return;
        }
    }
    const struct notation_expression *e =
        reader_formula(r, rest, "the time at which the processor starts, in seconds,");
    emit(r, DO_START, line)->a = e;
}

/* to := formula [ 'to' formula ] */
static bool read_target(struct reader *r, struct span where, struct notation_target *out)
{
    struct span from = where, to = where;
    bool several = reader_divide(r, where, "to", &from, &to);
    *out = (struct notation_target){0};
    out->from = reader_formula(r, from, "the number of a processor");
    if (several)
        out->to = reader_formula(r, to, "the number of the last processor");
    return out->from && (!several || out->to);
}

/* Parts of a list, divided by commas; NULL with errors. */
static const struct notation_target *read_targets(struct reader *r, struct span where, size_t *n)
{
    struct notation_target *list = NULL;
    size_t capacity = 0;
    struct span part = where, rest = where;
    bool more = true, good = true;
    *n = 0;
    while (more) {
        more = reader_divide(r, where, ",", &part, &rest);
        list = arena_grow(r->arena, list, *n, &capacity, *n + 1, sizeof *list);
        good &= read_target(r, more ? part : where, &list[(*n)++]);
        where = rest;
    }
    return good ? list : NULL;
}

/* send := 'send' ( 'all' | 'others' | to { ',' to } ) ':' formula */
static void read_send(struct reader *r, struct span line, struct span rest)
{
    struct span to, bytes;
    if (!reader_divide(r, rest, ":", &to, &bytes)) {
        reader_error(r, (struct span){rest.end, rest.end},
                     "how many bytes? Write them after a colon, as in 'send i + 1 : 8*N'");
        return;
    }
    enum notation_operation operation = reader_is(r, to, "all")      ? DO_ALL
                                        : reader_is(r, to, "others") ? DO_OTHERS
                                                                     : DO_SEND;
    size_t n = 0;
    const struct notation_target *targets = NULL;
    if (operation == DO_SEND)
        targets = read_targets(r, to, &n);
    const struct notation_expression *e =
        reader_formula(r, bytes, "the number of bytes of the message");
    struct notation_instruction *in = emit(r, operation, line);
    in->a = e;
    in->targets = targets;
    in->n = targets ? n : 0;
}

static void read_sync(struct reader *r, struct span line, struct span rest)
{
    if (!reader_empty(rest)) {
        reader_error(r, rest, "'sync' is the whole statement; remove this");
        return;
    }
    emit(r, DO_SYNC, line);
}

static void read_oblsync(struct reader *r, struct span line, struct span rest)
{
    const struct notation_expression *e =
        reader_empty(rest) ? NULL : reader_formula(r, rest, "the number of messages");
    emit(r, DO_OBLSYNC, line)->a = e;
}

/* call := NAME '(' [ formula { ',' formula } ] ')' */
static void read_call(struct reader *r, struct span line, struct span rest)
{
    const char *name = reader_text(r, reader_word(r, line));
    struct span inside = reader_trim(r, (struct span){rest.begin + 1, rest.end - 1});
    const struct notation_procedure *procedure = reader_procedure(r, name);
    if (r->source->text[rest.end - 1] != ')' || rest.end - rest.begin < 2) {
        reader_error(r, (struct span){rest.end, rest.end},
                     "')' is missing here, to close the arguments of %s", name);
        return;
    }
    if (!procedure) {
        const char *near = NULL;
        for (size_t k = 0; k < r->nprocedures; k++)
            if (misprint_is_one(name, r->procedures[k]->name))
                near = r->procedures[k]->name;
        reader_error(r, reader_word(r, line),
                     near ? "there is no procedure '%s'; did you mean '%s'?"
                          : "there is no procedure '%s'; define it, 'proc %s(...)', with its lines "
                            "and an 'end'",
                     name, near ? near : name);
        return;
    }
    size_t n = 0;
    const struct notation_expression **list =
        arena_alloc(r->arena, procedure->arguments + 1, sizeof *list);
    struct span part = inside, others = inside;
    bool more = !reader_empty(inside);
    while (more) {
        more = reader_divide(r, inside, ",", &part, &others);
        const struct notation_expression *e =
            reader_formula(r, more ? part : inside, "an argument");
        if (n < procedure->arguments)
            list[n] = e;
        n++;
        inside = others;
    }
    if (n != procedure->arguments) {
        reader_error(r, line, "%s has %zu argument%s, not %zu", name, procedure->arguments,
                     procedure->arguments == 1 ? "" : "s", n);
        return;
    }
    struct notation_instruction *in = emit(r, DO_CALL, line);
    in->procedure = procedure;
    in->arguments = list;
    in->n = n;
}

/* ---- parameters */

/* Reports a P that cannot be one. */
static bool good_processors(struct reader *r, const struct reader_param *p)
{
    if (p->by) {
        diag_add(r->diag, SEVERITY_ERROR, reader_empty(p->span) ? NULL : r->source, p->span,
                 "the number of processors cannot depend on an experiment; give a number");
        return false;
    }
    if (p->value >= 1 && p->value <= OBSP_MAX_PROCESSES && p->value == floor(p->value))
        return true;
    diag_add(r->diag, SEVERITY_ERROR, reader_empty(p->span) ? NULL : r->source, p->span,
             "P must be an integer from 1 to %d, not %s", OBSP_MAX_PROCESSES,
             number_text(p->value, NUMBER_BUFFER));
    return false;
}

/* The value that the command gives, and what it depends on; false if it gives none. */
static bool value_given(const struct reader *r, const char *name, double *value,
                        struct obsp_fitted **by)
{
    for (size_t k = 0; r->values && k < r->values->n; k++) {
        if (strcmp(r->values->names[k], name) == 0) {
            *value = r->values->values[k];
            *by = r->values->by ? r->values->by[k] : NULL;
            return true;
        }
    }
    return false;
}

/* param := 'param' NAME [ '=' formula ] */
static void read_param(struct reader *r, struct span line, struct span rest)
{
    struct span name, formula = {rest.end, rest.end};
    const char *text = assigned(r, rest, &name, &formula);
    bool has_default = text != NULL;
    if (!text)
        text = reader_name(r, rest, &name);
    if (!text || (!has_default && !reader_empty(after(r, rest, name)))) {
        reader_error(r, rest, "a parameter is written 'param NAME = FORMULA' or 'param NAME'");
        return;
    }
    if (r->nblocks) {
        reader_error(r, line, "a parameter belongs to the file; move it out of the block");
        return;
    }
    struct reader_param *p = reader_param(r, text);
    if (!p)
        return; /* reported by the first pass */
    if (p->known && p->span.end) {
        reader_error(r, name, "the parameter '%s' is declared twice; remove one", text);
        return;
    }
    p->span = name;
    p->known = true;
    bool given = value_given(r, text, &p->value, &p->by);
    if (!given && has_default) {
        if (reader_empty(formula))
            reader_error(r, formula, "the value of '%s' is missing here", text);
        else
            reader_constant(r, formula, &p->value, &p->by);
    } else if (!given) {
        reader_error(
            r, name,
            "'%s' has no value; give it one with the command, %s=..., or here, 'param %s = "
            "...'",
            text, text, text);
    }
}

/* ---- blocks */

static struct reader_block *open_block(struct reader *r, enum reader_block_kind kind,
                                       struct span span)
{
    if (r->nblocks == NOTATION_MAX_BLOCKS)
        return diag_null(
            reader_error(r, span, "there are more than %d blocks around this line; use procedures",
                         NOTATION_MAX_BLOCKS));
    struct reader_block *b = &r->blocks[r->nblocks++];
    *b = (struct reader_block){.kind = kind, .span = span, .begin = r->program->n};
    return b;
}

/* for := 'for' NAME '=' formula 'to' formula [ 'step' formula ] */
static void read_for(struct reader *r, struct span line, struct span rest)
{
    struct span name, bounds, from, to, step;
    const char *text = assigned(r, rest, &name, &bounds);
    if (!text || !reader_divide(r, bounds, "to", &from, &to)) {
        reader_error(r, reader_empty(rest) ? line : rest,
                     "a loop is written 'for NAME = FIRST to LAST', and ends with 'end'");
        open_block(r, BLOCK_FOR, line);
        return;
    }
    bool by = reader_divide(r, to, "step", &to, &step), good = reader_may_name(r, text, name);
    size_t hidden = r->scope->nvalues;
    r->scope->nvalues += 2;
    const struct notation_expression *a = reader_formula(r, from, "the first value"),
                                     *b = reader_formula(r, to, "the last value"), *c = NULL;
    if (by)
        c = reader_formula(r, step, "the step");
    struct notation_instruction *in = emit(r, DO_FOR, line);
    in->a = a;
    in->b = b;
    in->c = c;
    in->hidden = hidden;
    in->slot = reader_slot(r, text);
    struct notation_slot index = in->slot;
    struct reader_block *block = open_block(r, BLOCK_FOR, line);
    in = emit(r, DO_TEST, line);
    in->hidden = hidden;
    in->slot = index;
    if (block) {
        block->hidden = hidden;
        block->index = good ? index : (struct notation_slot){SPACE_PARAM, 0};
    }
}

static void read_if(struct reader *r, struct span line, struct span rest)
{
    const struct notation_expression *e = reader_condition(r, rest);
    open_block(r, BLOCK_IF, line);
    emit(r, DO_UNLESS, line)->a = e;
}

/* else := 'else' [ 'if' condition ] */
static void read_else(struct reader *r, struct span line, struct span rest)
{
    struct reader_block *b = r->nblocks ? &r->blocks[r->nblocks - 1] : NULL;
    struct span word = reader_word(r, rest);
    bool again = reader_is(r, word, "if");
    if (!b || b->kind != BLOCK_IF || b->otherwise) {
        reader_error(r, line,
                     b && b->otherwise ? "this 'if' has an 'else' already; remove one"
                                       : "this 'else' has no 'if'; remove it");
        return;
    }
    if (!again && !reader_empty(rest)) {
        reader_error(r, rest, "'else' is the whole line, or 'if' and a condition follow");
        return;
    }
    ARENA_ADD(r->arena, b->ends, b->nends, &b->capacity, r->program->n);
    emit(r, DO_JUMP, line);
    r->program->code[b->begin].next = r->program->n;
    b->otherwise = !again;
    if (!again)
        return;
    const struct notation_expression *e = reader_condition(r, after(r, rest, word));
    b->begin = r->program->n;
    emit(r, DO_UNLESS, line)->a = e;
}

/* split := 'split' ( 'in' formula | 'at' formula { ',' formula } ) */
static void read_split(struct reader *r, struct span line, struct span rest)
{
    struct span word = reader_word(r, rest), what = after(r, rest, word);
    bool in = reader_is(r, word, "in"), at = reader_is(r, word, "at");
    const struct notation_expression *e = NULL;
    const struct notation_target *bounds = NULL;
    size_t n = 0;
    if (in)
        e = reader_formula(r, what, "the number of groups");
    else if (at)
        bounds = read_targets(r, what, &n);
    else
        reader_error(r, reader_empty(rest) ? line : rest,
                     "groups are written 'split in NUMBER' or 'split at FIRST PROCESSOR OF THE "
                     "SECOND GROUP, ...', and end with 'end'");
    for (size_t k = 0; bounds && k < n; k++)
        if (bounds[k].to)
            reader_error(r, bounds[k].to->span, "a bound is one number, without 'to'");
    struct notation_instruction *i = emit(r, in ? DO_SPLIT_IN : DO_SPLIT_AT, line);
    i->a = e;
    i->targets = bounds;
    i->n = bounds ? n : 0;
    open_block(r, BLOCK_SPLIT, line);
}

/* proc := 'proc' NAME '(' [ NAME { ',' NAME } ] ')', of which the first pass has the names */
static void read_proc(struct reader *r, struct span line, struct span rest)
{
    struct notation_procedure *p = reader_procedure(r, reader_text(r, reader_word(r, rest)));
    if (r->nblocks) {
        reader_error(r, line, "a procedure belongs to the file; move it out of the block");
        p = NULL;
    } else if (p && p->begun) {
        reader_error(r, reader_word(r, rest), "the procedure '%s' is defined twice; remove one",
                     p->name);
    }
    open_block(r, BLOCK_PROC, line);
    emit(r, DO_JUMP, line);
    if (!p)
        return;
    p->begun = true;
    p->entry = r->program->n;
    r->scope = p;
}

static void end_block(struct reader *r, const struct reader_block *b, struct span line)
{
    struct notation_instruction *in;
    switch (b->kind) {
    case BLOCK_FOR:
        in = emit(r, DO_STEP, b->span);
        in->slot = b->index;
        in->hidden = b->hidden;
        in->next = b->begin;
        r->program->code[b->begin].next = r->program->n;
        break;
    case BLOCK_IF:
        if (!b->otherwise)
            r->program->code[b->begin].next = r->program->n;
        for (size_t k = 0; k < b->nends; k++)
            r->program->code[b->ends[k]].next = r->program->n;
        break;
    case BLOCK_SPLIT: emit(r, DO_LEAVE, line); break;
    case BLOCK_PROC:
        emit(r, DO_RETURN, line);
        r->program->code[b->begin].next = r->program->n;
        r->scope = &r->file;
        break;
    }
}

static const char *const block_words[] = {"for", "if", "split", "proc"};

/* end := 'end' [ 'for' | 'if' | 'split' | 'proc' ] */
static void read_end(struct reader *r, struct span line, struct span rest)
{
    if (!r->nblocks) {
        reader_error(r, line, "this 'end' has no 'for', 'if', 'split' or 'proc'; remove it");
        return;
    }
    const struct reader_block *b = &r->blocks[r->nblocks - 1];
    if (!reader_empty(rest) && !reader_is(r, rest, block_words[b->kind])) {
        size_t number, column;
        source_position(r->source, b->span.begin, &number, &column);
        reader_error(r, rest,
                     "the block that ends here is the '%s' of line %zu; write 'end' or "
                     "'end %s'",
                     block_words[b->kind], number, block_words[b->kind]);
    }
    end_block(r, b, line);
    r->nblocks--;
}

/* ---- lines */

typedef void statement_reader(struct reader *r, struct span line, struct span rest);

static const struct statement {
    const char *word;
    statement_reader *read;
    bool conditional; /* 'if CONDITION' may follow */
} statements[] = {
    {"param", read_param, false},  {"start", read_start, true}, {"work", read_work, true},
    {"send", read_send, true},     {"sync", read_sync, true},   {"oblsync", read_oblsync, true},
    {"for", read_for, false},      {"if", read_if, false},      {"else", read_else, false},
    {"split", read_split, false},  {"proc", read_proc, false},  {"end", read_end, false},
    {NULL, read_assignment, true}, {NULL, read_call, true},
};
enum { NAMED = 12, ASSIGNMENT = NAMED, CALL };

static const struct statement *find_statement(struct reader *r, struct span line)
{
    struct span word = reader_word(r, line), name, value;
    const char *left = assigned(r, line, &name, &value);
    if (left)
        return !reader_reserved(left) || reader_may_name(r, left, name) ? &statements[ASSIGNMENT]
                                                                        : NULL;
    for (size_t k = 0; k < NAMED; k++)
        if (reader_is(r, word, statements[k].word))
            return &statements[k];
    if (!reader_empty(word) && first_char(r, after(r, line, word)) == '(')
        return &statements[CALL];
    const char *text = reader_text(r, word);
    for (size_t k = 0; k < NAMED && !reader_empty(word); k++) {
        if (misprint_is_one(text, statements[k].word))
            return diag_null(reader_error(r, word, "'%s' is not a statement; did you mean '%s'?",
                                          text, statements[k].word));
    }
    return diag_null(reader_error(
        r, reader_empty(word) ? line : word,
        "a statement is expected here: param, start, work, send, sync, oblsync, for, if, "
        "else, split, proc, end, NAME = FORMULA or PROCEDURE(...)"));
}

static void read_line(struct reader *r, struct span line)
{
    const struct statement *s = find_statement(r, line);
    struct span before, condition, word = reader_word(r, line);
    if (!s)
        return;
    if (!s->conditional || !reader_divide(r, line, "if", &before, &condition)) {
        s->read(r, line, after(r, line, word));
        return;
    }
    size_t test = r->program->n;
    const struct notation_expression *e = reader_condition(r, condition);
    emit(r, DO_UNLESS, line)->a = e;
    s->read(r, before, after(r, before, word));
    r->program->code[test].next = r->program->n;
}

/* ---- the first pass: names */

static void survey_param(struct reader *r, struct span rest)
{
    struct span name;
    const char *text = reader_name(r, rest, &name);
    if (!text || reader_param(r, text))
        return;
    if (strcmp(text, "P") != 0 && !reader_may_name(r, text, name))
        return;
    if (strcmp(text, "g") == 0 || strcmp(text, "L") == 0) {
        reader_error(
            r, name,
            "'%s' belongs to the machine, and is given with the command; choose another name",
            text);
        return;
    }
    ARENA_ADD(r->arena, r->params, r->nparams, &r->params_capacity,
              (struct reader_param){.name = text, .value = (double)NAN});
}

/* The names between the parentheses. */
static void survey_arguments(struct reader *r, struct notation_procedure *p, struct span rest)
{
    struct span part = rest, others = rest;
    bool more = !reader_empty(rest);
    while (more) {
        more = reader_divide(r, rest, ",", &part, &others);
        struct span one = more ? part : rest, name;
        const char *text = reader_name(r, one, &name);
        if (!text || name.end != one.end)
            reader_error(r, one, "the name of an argument is expected here");
        else if (reader_may_name(r, text, name)) {
            size_t before = p->nnames;
            reader_declare(r, p, text);
            if (p->nnames == before)
                reader_error(r, name, "there are two arguments '%s'; rename one", text);
        }
        rest = others;
    }
    p->arguments = p->nnames;
}

static struct notation_procedure *survey_proc(struct reader *r, struct span rest)
{
    struct span word = reader_word(r, rest), list = after(r, rest, word);
    const char *name = reader_text(r, word);
    struct notation_procedure *p = arena_zalloc(r->arena, 1, sizeof *p);
    *p = (struct notation_procedure){.name = name, .span = word};
    bool shaped = !reader_empty(word) && list.end - list.begin >= 2 && first_char(r, list) == '(' &&
                  r->source->text[list.end - 1] == ')';
    if (!shaped || reader_reserved(name)) {
        reader_error(r, reader_empty(rest) ? (struct span){rest.end, rest.end} : rest,
                     "a procedure is written 'proc NAME(ARGUMENT, ...)', and ends with 'end'");
        return p;
    }
    struct notation_procedure *scope = r->scope;
    r->scope = p;
    survey_arguments(r, p, reader_trim(r, (struct span){list.begin + 1, list.end - 1}));
    r->scope = scope;
    if (reader_procedure(r, name))
        return p; /* the second pass reports it */
    ARENA_ADD(r->arena, r->procedures, r->nprocedures, &r->procedures_capacity, p);
    return p;
}

static void survey(struct reader *r, const struct span *lines, size_t n)
{
    struct notation_procedure *scope = &r->file;
    size_t depth = 0;
    for (size_t k = 0; k < n; k++) {
        struct span word = reader_word(r, lines[k]), rest = after(r, lines[k], word), name, value;
        bool loop = reader_is(r, word, "for");
        const char *text = assigned(r, loop ? rest : lines[k], &name, &value);
        if (text && !reader_reserved(text))
            reader_declare(r, scope, text);
        if (text && !loop)
            continue;
        if (reader_is(r, word, "param"))
            survey_param(r, rest);
        if (reader_is(r, word, "proc")) {
            struct notation_procedure *p = survey_proc(r, rest);
            scope = depth ? scope : p;
        }
        depth += loop || reader_is(r, word, "if") || reader_is(r, word, "split") ||
                 reader_is(r, word, "proc");
        if (reader_is(r, word, "end") && depth && --depth == 0)
            scope = &r->file;
    }
    r->file.nvalues = r->file.nnames;
    for (size_t k = 0; k < r->nprocedures; k++)
        r->procedures[k]->nvalues = r->procedures[k]->nnames;
}

/* ---- the whole */

/* P is a parameter of every file. */
static void add_processors(struct reader *r)
{
    double value;
    struct obsp_fitted *by = NULL;
    if (reader_param(r, "P"))
        return;
    r->params = arena_grow(r->arena, r->params, r->nparams, &r->params_capacity, r->nparams + 1,
                           sizeof *r->params);
    bool known = value_given(r, "P", &value, &by);
    r->params[r->nparams++] = (struct reader_param){
        .name = "P", .value = known ? value : (double)NAN, .by = by, .known = known};
    if (!known)
        diag_error(r->diag,
                   "%s: the number of processors is missing; write 'param P = 8' in the file, or "
                   "give P=8 with the command",
                   r->source->name);
}

static void check_values(struct reader *r)
{
    for (size_t k = 0; r->values && k < r->values->n; k++) {
        const char *name = r->values->names[k], *near = NULL;
        if (reader_param(r, name))
            continue;
        TEXT_LOCAL struct text list = text_new();
        for (size_t j = 0; j < r->nparams; j++) {
            text_printf(&list, "%s%s", j ? ", " : "", r->params[j].name);
            if (misprint_is_one(name, r->params[j].name) && strlen(name) > 1)
                near = r->params[j].name;
        }
        if (near)
            diag_error(r->diag, "%s has no parameter '%s'; did you mean '%s'?", r->source->name,
                       name, near);
        else
            diag_error(r->diag, "%s has no parameter '%s'; its parameters are %s", r->source->name,
                       name, list.s);
    }
}

static void read_lines(struct reader *r, const struct span *lines, size_t n)
{
    survey(r, lines, n);
    add_processors(r);
    check_values(r);
    for (size_t k = 0; k < n; k++)
        read_line(r, lines[k]);
    for (size_t k = 0; k < r->nblocks; k++)
        reader_error(r, r->blocks[k].span, "this '%s' has no 'end'; add one",
                     block_words[r->blocks[k].kind]);
    emit(r, DO_END, (struct span){r->source->size, r->source->size});
}

static const double *values_of_params(const struct reader *r)
{
    double *values = arena_alloc(r->arena, r->nparams + 1, sizeof *values);
    for (size_t k = 0; k < r->nparams; k++)
        values[k] = r->params[k].value;
    return values;
}

static struct obsp_fitted *const *origins_of_params(struct reader *r)
{
    struct obsp_fitted **by = arena_alloc(r->arena, r->nparams + 1, sizeof(*by));
    for (size_t k = 0; k < r->nparams; k++) {
        by[k] = r->params[k].by;
        if (by[k])
            reader_begin_fitted(r);
    }
    return by;
}

const struct notation_program *notation_read(struct arena *a, const char *path, char *text,
                                             size_t size, const struct obsp_values *values,
                                             struct diag *diag)
{
    size_t n, errors = diag_count(diag, SEVERITY_ERROR);
    const struct span *lines = reader_lines(a, text, size, &n);
    struct notation_program *program = arena_zalloc(a, 1, sizeof *program);
    program->arena = a;
    program->source = (struct source){arena_strdup(a, path), arena_strndup(a, text, size), size};
    struct reader *r = arena_zalloc(a, 1, sizeof *r);
    *r = (struct reader){.arena = a,
                         .source = diag_keep(diag, &program->source),
                         .diag = diag,
                         .values = values,
                         .program = program};
    r->scope = &r->file;
    read_lines(r, lines, n);
    if (diag_count(diag, SEVERITY_ERROR) > errors || !good_processors(r, reader_param(r, "P")))
        return NULL;
    if (reader_param(r, "P")->value * (double)r->file.nvalues > (double)notation_limits.values)
        return diag_null(diag_error(
            diag, "%s has %zu names, which are too many for %s processors; take fewer", path,
            r->file.nvalues, number_text(reader_param(r, "P")->value, NUMBER_BUFFER)));
    program->params = values_of_params(r);
    program->params_by = origins_of_params(r);
    program->nfile = r->file.nvalues;
    program->processes = (int)reader_param(r, "P")->value;
    return program;
}
