/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Program units, constructs and regions of a Fortran source, as a stack of frames. Fortran has no
 * reserved words: a statement is looked at for a keyword only if it is not an assignment. Statements
 * that are none of those below leave the stack as it is.
 */
#include <ctype.h>
#include <string.h>

#include "translate/fortran_reader.h"
#include "translate/list.h"

struct frame *fortran_top(const struct reader *r)
{
    return r->nframes ? &r->frames[r->nframes - 1] : NULL;
}

struct frame *fortran_push(struct reader *r, enum frame_kind kind, const char *word)
{
    ADD(r->unit->arena, r, frames,
        (struct frame){.kind = kind, .word = word, .has_code = kind != FRAME_SELECT});
    struct frame *f = &r->frames[r->nframes - 1];
    f->name = kind == FRAME_UNIT || r->st->kind != FORTRAN_CODE ? NULL : r->name;
    return f;
}

size_t fortran_position(const struct reader *r)
{
    return r->st->at[r->st->kind == FORTRAN_CODE ? fortran_blanks(r->st, 0) : 0];
}

const struct pragma *fortran_region_pragma(const struct reader *r, size_t region)
{
    return r->f->regions[region].begin;
}

const char *fortran_region_name(const struct reader *r, size_t region)
{
    const struct pragma *p = fortran_region_pragma(r, region);
    return p->kind == PRAGMA_FOR ? "for" : p->name;
}

void fortran_drop_openmp(struct reader *r)
{
    while (r->nframes && fortran_top(r)->kind == FRAME_OMP)
        r->nframes--;
}

void fortran_drop_region(struct reader *r)
{
    r->region = r->f->regions[r->region].parent;
    r->nframes--;
}

/* A statement ends the construct around an open region. */
static void close_regions(struct reader *r, const char *what)
{
    for (fortran_drop_openmp(r); r->nframes && fortran_top(r)->kind == FRAME_REGION;
         fortran_drop_openmp(r)) {
        const struct pragma *p = fortran_region_pragma(r, r->region);
        diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
                 "the region '%s' has no end before '%s' in line %u; write '!$cll end %s' in the "
                 "same block as its start",
                 fortran_region_name(r, r->region), what,
                 fortran_line_at(r->f, fortran_position(r))->line,
                 fortran_region_name(r, r->region));
        r->f->regions[r->region].begin->bad = true; /* its end is no further error */
        fortran_drop_region(r);
    }
}

/* ---- ends ---- */

/* Regions whose procedure or construct is left at once; `until`: the innermost one that is not left. */
static void leave(struct reader *r, size_t i, size_t until, bool one_line_if)
{
    size_t first = r->region;
    while (first != until && r->f->regions[first].is_for)
        first = r->f->regions[first].parent;
    if (first == until)
        return;
    ADD(r->unit->arena, r->f, edits,
        (struct fortran_edit){.begin = r->st->at[i],
                              .end = r->st->at[r->st->n - 1] + 1,
                              .first = first,
                              .until = until,
                              .one_line_if = one_line_if,
                              .conditional = r->st->conditional});
}

/* The innermost region around the frame at `index`. */
static size_t region_around(const struct reader *r, size_t index)
{
    while (index-- > 0 && r->frames[index].kind != FRAME_UNIT)
        if (r->frames[index].kind == FRAME_REGION)
            return r->frames[index].region;
    return 0;
}

static bool is_loop(const struct reader *r, const struct frame *f)
{
    return f->kind == FRAME_DO || (f->kind == FRAME_REGION && r->f->regions[f->region].is_for);
}

/* EXIT or CYCLE, at byte i, whose construct may be named at `rest`. */
static void read_exit(struct reader *r, size_t i, size_t rest, bool one_line_if)
{
    size_t stop = fortran_name(r->st, rest);
    for (size_t k = r->nframes; k-- > 0 && r->frames[k].kind != FRAME_UNIT;) {
        const struct frame *f = &r->frames[k];
        bool named = f->name && stop > rest && strlen(f->name) == stop - rest &&
                     !memcmp(f->name, r->st->s + rest, stop - rest);
        if (stop > rest ? named : is_loop(r, f)) {
            /* a `cll for` goes on or ends as the loop that it becomes */
            leave(r, i, f->kind == FRAME_REGION ? f->region : region_around(r, k), one_line_if);
            return;
        }
    }
}

/* The statement of a line or of a one-line IF. */
static void read_action(struct reader *r, size_t i, bool one_line_if)
{
    const struct fortran_statement *st = r->st;
    size_t at = i;
    if (fortran_assigns(st, i))
        return;
    if (r->unit->columns && r->region && !fortran_fixed_knows(st, i))
        fortran_complain(
            r, st->at[i], 1, r->region,
            "this statement inside the region '%s' (line %u) cannot be read; write its names and "
            "keywords without blanks inside them, and with blanks between them",
            fortran_region_name(r, r->region), fortran_region_pragma(r, r->region)->first_line);
    if (fortran_word(st, &at, "return"))
        leave(r, i, 0, one_line_if);
    else if (fortran_word(st, &at, "exit") || fortran_word(st, &at, "cycle"))
        read_exit(r, i, at, one_line_if);
    else
        fortran_branches(r, i);
    at = i;
    if (r->region && (fortran_word(st, &at, "entry") || fortran_word(st, &at, "assign")))
        fortran_complain(r, st->at[i], 5, r->region,
                         "%s is not possible inside the region '%s' (line %u); move it out of the "
                         "region",
                         st->s[i] == 'e' ? "ENTRY" : "ASSIGN", fortran_region_name(r, r->region),
                         fortran_region_pragma(r, r->region)->first_line);
}

/* Ends the construct that `word` ends: frames of other kinds above it are dropped. */
static void close_construct(struct reader *r, const char *word)
{
    close_regions(r, arena_printf(r->unit->arena, "end %s", word));
    for (size_t k = r->nframes; k-- > 0 && r->frames[k].kind != FRAME_UNIT;)
        if (!strcmp(r->frames[k].word, word)) {
            while (r->nframes > k + 1) { /* constructs that lack their ends */
                r->nframes--;
                close_regions(r, word);
            }
            r->nframes = k;
            if (k && r->frames[k - 1].kind == FRAME_OMP && r->frames[k - 1].waits)
                r->nframes--; /* the loop of an OpenMP construct */
            return;
        }
}

static void close_unit(struct reader *r)
{
    fortran_declare_external(r);
    close_regions(r, "end");
    while (r->nframes && fortran_top(r)->kind != FRAME_UNIT) {
        r->nframes--;
        close_regions(r, "end");
    }
    fortran_connect(r);
    if (r->nframes)
        r->nframes--;
}

/* END, END IF, ENDDO ... Returns whether it was one. */
static bool read_end(struct reader *r, size_t i)
{
    static const char *const constructs[] = {"if",        "do",    "select",    "where",
                                             "forall",    "team",  "associate", "critical",
                                             "interface", "block", "type",      "enum"};
    const struct fortran_statement *st = r->st;
    size_t stop = fortran_name(st, i), rest;
    if (stop - i < 3 || strncmp(st->s + i, "end", 3) != 0)
        return false;
    rest = stop - i == 3 ? fortran_blanks(st, stop) : i + 3;
    size_t word_end = fortran_name(st, rest);
    const char *word = arena_strndup(r->unit->arena, st->s + rest, word_end - rest);
    size_t after = fortran_blanks(st, word_end);
    if (!strcmp(word, "file"))
        return false;
    if (!strcmp(word, "block") && fortran_word(st, &after, "data"))
        word = "blockdata";
    if (!text_is_in(constructs, sizeof constructs / sizeof *constructs, word))
        close_unit(r);
    else if (strcmp(word, "do") != 0 || !r->label || !fortran_top(r) ||
             fortran_top(r)->label != r->label) /* otherwise its label ends the loop */
        close_construct(r, word);
    return true;
}

/* A label ends the loops that name it. */
static void close_labelled(struct reader *r)
{
    for (size_t k = r->nframes; k-- > 0 && r->frames[k].kind != FRAME_UNIT;)
        if (r->frames[k].kind == FRAME_DO && r->frames[k].label == r->label) {
            while (r->nframes > k + 1) {
                close_regions(r, arena_printf(r->unit->arena, "%u", r->label));
                r->nframes -= r->nframes > k + 1;
            }
            close_construct(r, "do");
        }
}

/* ---- heads of units ---- */

/* The words before SUBROUTINE and FUNCTION; returns their end, with what they say in *pure. */
static size_t skip_prefixes(const struct fortran_statement *st, size_t i, bool *pure)
{
    static const char *const prefixes[] = {"recursive", "non_recursive",   "pure",      "elemental",
                                           "impure",    "module",          "integer",   "real",
                                           "complex",   "logical",         "character", "double",
                                           "precision", "doubleprecision", "type",      "class",
                                           NULL};
    bool elemental = false, impure = false;
    *pure = false;
    for (size_t k; (k = fortran_one_of(st, &i, prefixes)); i = fortran_skip_kind(st, i)) {
        *pure |= k == 3;
        elemental |= k == 4;
        impure |= k == 5;
    }
    *pure |= elemental && !impure;
    return i;
}

/* Begins a procedure or another unit. */
static void open_unit(struct reader *r, bool has_code, bool pure)
{
    fortran_connect(r);
    fortran_declare_external(
        r); /* names of internal procedures hide those of the procedure around them */
    fortran_note_head(r);
    struct frame *f = fortran_push(r, FRAME_UNIT, "unit");
    f->has_code = has_code;
    f->pure = pure;
}

static bool in_interface(const struct reader *r)
{
    return r->nframes && fortran_top(r)->kind == FRAME_NO_CODE;
}

static bool read_head(struct reader *r, size_t i)
{
    const struct fortran_statement *st = r->st;
    bool pure;
    size_t at = skip_prefixes(st, i, &pure), rest = at;
    if ((fortran_word(st, &rest, "subroutine") || fortran_word(st, &rest, "function") ||
         (at > i && !in_interface(r) && fortran_word(st, &rest, "procedure"))) &&
        fortran_name(st, rest) > rest) {
        open_unit(r, !in_interface(r), pure);
        return true;
    }
    at = i;
    if (fortran_word(st, &at, "program") && fortran_name(st, at) == st->n) {
        open_unit(r, true, false);
        return true;
    }
    at = i;
    if (fortran_word(st, &at, "block data") || fortran_word(st, &at, "blockdata") ||
        fortran_word(st, &at, "submodule") ||
        (fortran_word(st, &at, "module") && fortran_blanks(st, fortran_name(st, at)) == st->n)) {
        open_unit(r, false, false);
        return true;
    }
    return false;
}

/* ---- constructs ---- */

/* The label at *i, and the blanks after it; 0 without one. */
static unsigned label_at(const struct fortran_statement *st, size_t *i)
{
    unsigned label = 0;
    while (*i < st->n && isdigit((unsigned char)st->s[*i]) && label < 100000)
        label = label * 10 + (unsigned)(st->s[(*i)++] - '0');
    *i = fortran_blanks(st, *i);
    return label;
}

static void read_do(struct reader *r, size_t i)
{
    struct frame *f = fortran_push(r, FRAME_DO, "do");
    f->label = label_at(r->st, &i);
    f->concurrent = fortran_word(r->st, &i, "concurrent");
}

/* IF (...) THEN, or IF (...) STATEMENT. `i`: the parenthesis. */
static void read_if(struct reader *r, size_t begin, size_t i)
{
    const struct fortran_statement *st = r->st;
    size_t rest = fortran_blanks(st, fortran_close(st, i)), at = rest;
    if (fortran_word(st, &at, "then") && at == st->n)
        fortran_push(r, FRAME_CONSTRUCT, "if");
    else if (rest < st->n && isdigit((unsigned char)st->s[rest]))
        fortran_branches(r, begin);
    else
        read_action(r, rest, true);
}

/* ELSE, CASE and the like begin another block of the construct. Returns whether it is one. */
static bool read_part(struct reader *r, size_t i)
{
    const struct fortran_statement *st = r->st;
    static const char *const parts[] = {"case",     "rank",          "type is",
                                        "class is", "class default", NULL};
    size_t at = i;
    bool chosen = fortran_one_of(st, &at, parts) != 0;
    bool other = fortran_word(st, &at, "else") || fortran_word(st, &at, "elseif") ||
                 fortran_word(st, &at, "elsewhere");
    const struct frame *inner = NULL;
    for (size_t k = r->nframes; k-- > 0 && !inner;)
        if (r->frames[k].kind != FRAME_REGION && r->frames[k].kind != FRAME_OMP)
            inner = &r->frames[k];
    if (!(chosen && inner && inner->kind == FRAME_SELECT) && !other)
        return false;
    close_regions(r, chosen ? "case" : "else");
    if (r->nframes)
        fortran_top(r)->has_code = true;
    return true;
}

/* Constructs that begin with a word and, with `brackets`, parentheses after which nothing follows. */
static bool read_construct(struct reader *r, size_t i)
{
    static const struct {
        const char *words, *end;
        enum frame_kind kind;
        bool brackets;
    } heads[] = {{"select case", "select", FRAME_SELECT, true},
                 {"select type", "select", FRAME_SELECT, true},
                 {"select rank", "select", FRAME_SELECT, true},
                 {"selectcase", "select", FRAME_SELECT, true},
                 {"selecttype", "select", FRAME_SELECT, true},
                 {"selectrank", "select", FRAME_SELECT, true},
                 {"where", "where", FRAME_ASSIGN, true},
                 {"forall", "forall", FRAME_ASSIGN, true},
                 {"associate", "associate", FRAME_CONSTRUCT, true},
                 {"change team", "team", FRAME_CONSTRUCT, true},
                 {"critical", "critical", FRAME_CONSTRUCT, false},
                 {"block", "block", FRAME_CONSTRUCT, false},
                 {"interface", "interface", FRAME_NO_CODE, false},
                 {"abstract interface", "interface", FRAME_NO_CODE, false},
                 {"enum", "enum", FRAME_NO_CODE, false}};
    const struct fortran_statement *st = r->st;
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        size_t at = i;
        if (!fortran_word(st, &at, heads[k].words))
            continue;
        if (heads[k].brackets &&
            (at >= st->n || st->s[at] != '(' || fortran_blanks(st, fortran_close(st, at)) != st->n))
            continue;
        fortran_push(r, heads[k].kind, heads[k].end);
        return true;
    }
    size_t at = i;
    if (fortran_word(st, &at, "type") && at < st->n && st->s[at] != '(') {
        fortran_push(r, FRAME_NO_CODE, "type");
        return true;
    }
    return false;
}

/* ---- declarations ---- */

const char *const fortran_declaring[] = {
    "integer",     "real",      "complex",     "logical",     "character",
    "type",        "class",     "double",      "precision",   "doubleprecision",
    "procedure",   "dimension", "parameter",   "save",        "implicit",
    "use",         "import",    "external",    "intrinsic",   "common",
    "equivalence", "namelist",  "allocatable", "pointer",     "target",
    "optional",    "intent",    "volatile",    "value",       "contiguous",
    "public",      "private",   "protected",   "codimension", "asynchronous",
    NULL};

static bool declares(const struct fortran_statement *st, size_t i)
{
    return fortran_one_of(st, &i, fortran_declaring) != 0;
}

/* In the instrumented program, a directive among declarations would be a statement among them. */
static void check_declaration(struct reader *r)
{
    const struct pragma *p = r->nframes ? fortran_top(r)->first : NULL;
    if (r->nframes && fortran_top(r)->kind == FRAME_REGION)
        p = fortran_region_pragma(r, fortran_top(r)->region);
    if (!p || p->bad)
        return;
    diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
             "this directive is before the declaration in line %u; only statements can be "
             "measured: put it after the declarations",
             fortran_line_at(r->f, fortran_position(r))->line);
    r->unit->inputs[0].pragmas[p - r->unit->inputs[0].pragmas].bad = true;
    if (fortran_top(r)->kind == FRAME_REGION)
        fortran_drop_region(r);
}

/* ---- all statements ---- */

/* NAME: before a construct. */
static void read_name(struct reader *r, size_t *i)
{
    const struct fortran_statement *st = r->st;
    size_t stop = fortran_name(st, *i), colon = fortran_blanks(st, stop);
    r->name = NULL;
    if (stop == *i || colon + 1 >= st->n || st->s[colon] != ':' || st->s[colon + 1] == ':')
        return;
    r->name = arena_strndup(r->unit->arena, st->s + *i, stop - *i);
    *i = fortran_blanks(st, colon + 1);
}

static void read_code(struct reader *r)
{
    const struct fortran_statement *st = r->st;
    size_t i = fortran_blanks(st, 0), at;
    bool labelled = i < st->n && isdigit((unsigned char)st->s[i]);
    r->label = label_at(st, &i);
    if (labelled)
        ADD(r->unit->arena, &r->labels, labels, (struct fortran_label){r->label, r->region});
    read_name(r, &i);
    bool declaration = declares(st, i) && !fortran_assigns(st, i);
    if (declaration)
        fortran_note_declaration(r, i);
    else
        fortran_note_calls(r, i);
    fortran_check_late(r, i, declaration);
    if (fortran_assigns(st, i) || read_end(r, i)) {
        if (r->label)
            close_labelled(r);
        return;
    }
    at = i;
    if (fortran_word(st, &at, "contains") && at == st->n) {
        close_regions(r, "contains");
        fortran_connect(r);
        if (r->nframes && fortran_top(r)->kind == FRAME_UNIT)
            fortran_top(r)->has_code = false;
        return;
    }
    if (read_head(r, i))
        return;
    if (!r->nframes)
        open_unit(r, true, false); /* a main program without PROGRAM */
    if (read_part(r, i) || in_interface(r))
        return;
    at = i;
    if (fortran_word(st, &at, "do") || fortran_word(st, &at, "dowhile")) {
        read_do(r, at);
        return;
    }
    at = i;
    if (fortran_word(st, &at, "if") && at < st->n && st->s[at] == '(')
        read_if(r, i, at);
    else if (read_construct(r, i))
        return;
    else if (declares(st, i))
        check_declaration(r);
    else
        read_action(r, i, false);
    if (r->label)
        close_labelled(r);
}

void fortran_read(struct unit *u, struct fortran *f)
{
    struct reader r = {.unit = u, .f = f};
    for (size_t i = 0; i < f->nstatements; i++) {
        r.st = &f->statements[i];
        if (r.st->kind == FORTRAN_CLL)
            fortran_read_directive(&r);
        else if (r.st->kind == FORTRAN_OMP)
            fortran_read_openmp(&r);
        else if (r.st->kind == FORTRAN_CODE)
            read_code(&r);
    }
    for (; r.region; fortran_drop_region(&r)) {
        while (r.nframes && fortran_top(&r)->kind != FRAME_REGION)
            r.nframes--;
        if (!r.nframes)
            break;
        const struct pragma *p = fortran_region_pragma(&r, r.region);
        diag_add(u->diag, SEVERITY_ERROR, u->inputs[0].source, p->word,
                 "the region '%s' has no '!$cll end %s'", fortran_region_name(&r, r.region),
                 fortran_region_name(&r, r.region));
    }
    fortran_connect(&r);
}
