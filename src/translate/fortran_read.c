/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Program units, constructs and regions of a Fortran source, as a stack of frames. Fortran has no
 * reserved words: a statement is looked at for a keyword only if it is not an assignment. Statements
 * that are none of those below leave the stack as it is.
 */
#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "translate/fortran.h"
#include "translate/list.h"
#include "translate/structure.h"

enum frame_kind {
    FRAME_UNIT,      /* a program unit or a procedure */
    FRAME_NO_CODE,   /* an interface block, the definition of a type or of enumerators */
    FRAME_ASSIGN,    /* WHERE, FORALL */
    FRAME_CONSTRUCT, /* IF, ASSOCIATE, BLOCK, CRITICAL, CHANGE TEAM */
    FRAME_DO,
    FRAME_SELECT,
    FRAME_OMP,
    FRAME_REGION /* a region or a loop `cll for` */
};

struct frame {
    enum frame_kind kind;
    const char *word;           /* what ends it: "do"; of OpenMP: the construct */
    const char *name;           /* of the construct; NULL without one */
    unsigned label;             /* of a DO that ends with a label */
    bool pure;                  /* a procedure without side effects */
    bool has_code;              /* statements may be here; SELECT: after the first CASE */
    bool concurrent;            /* DO CONCURRENT */
    bool waits;                 /* OpenMP: its loop is expected */
    bool team;                  /* OpenMP: a parallel construct */
    bool no_barrier;            /* OpenMP: it allows no barrier */
    size_t region;              /* FRAME_REGION: its number */
    const struct pragma *first; /* the first of our directives that became statements here */
};

struct reader {
    struct unit *unit;
    struct fortran *f;
    const struct fortran_statement *st;
    struct frame *frames;
    size_t nframes, cframes;
    size_t region; /* the innermost open one; 0 = none */
    struct fortran_labels labels;
    const char *name; /* of the construct that the statement begins */
    unsigned label;   /* of the statement */
};

static struct frame *top(const struct reader *r)
{
    return r->nframes ? &r->frames[r->nframes - 1] : NULL;
}

static struct frame *push(struct reader *r, enum frame_kind kind, const char *word)
{
    GROW(r->unit->arena, r, frames);
    struct frame *f = &r->frames[r->nframes++];
    *f = (struct frame){.kind = kind, .word = word, .has_code = kind != FRAME_SELECT};
    f->name = kind == FRAME_UNIT || r->st->kind != FORTRAN_CODE ? NULL : r->name;
    return f;
}

static size_t place_of(const struct reader *r)
{
    return r->st->at[r->st->kind == FORTRAN_CODE ? fortran_blanks(r->st, 0) : 0];
}

static const struct pragma *region_pragma(const struct reader *r, size_t region)
{
    return r->f->regions[region].begin;
}

static const char *region_name(const struct reader *r, size_t region)
{
    const struct pragma *p = region_pragma(r, region);
    return p->kind == PRAGMA_FOR ? "for" : p->name;
}

/* Drops constructs of OpenMP at the top: their end directives are optional. */
static void drop_openmp(struct reader *r)
{
    while (r->nframes && top(r)->kind == FRAME_OMP)
        r->nframes--;
}

static void drop_region(struct reader *r)
{
    r->region = r->f->regions[r->region].parent;
    r->nframes--;
}

/* A statement ends the construct around an open region. */
static void close_regions(struct reader *r, const char *what)
{
    for (drop_openmp(r); r->nframes && top(r)->kind == FRAME_REGION; drop_openmp(r)) {
        const struct pragma *p = region_pragma(r, r->region);
        diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
                 "the region '%s' has no end before '%s' in line %u; write '!$cll end %s' in the "
                 "same block as its begin",
                 region_name(r, r->region), what, fortran_line_at(r->f, place_of(r))->line,
                 region_name(r, r->region));
        r->f->regions[r->region].begin->bad = true; /* its end is no further error */
        drop_region(r);
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
    GROW(r->unit->arena, r->f, edits);
    r->f->edits[r->f->nedits++] = (struct fortran_edit){.begin = r->st->at[i],
                                                        .end = r->st->at[r->st->n - 1] + 1,
                                                        .first = first,
                                                        .until = until,
                                                        .one_line_if = one_line_if,
                                                        .conditional = r->st->conditional};
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
    if (fortran_word(st, &at, "return"))
        leave(r, i, 0, one_line_if);
    else if (fortran_word(st, &at, "exit") || fortran_word(st, &at, "cycle"))
        read_exit(r, i, at, one_line_if);
    else
        fortran_branches(r->unit, r->f, st, i, r->region, &r->labels);
    at = i;
    if (r->region && (fortran_word(st, &at, "entry") || fortran_word(st, &at, "assign")))
        fortran_complain(r->unit, r->f, st->at[i], 5, r->region,
                         "%s is not possible inside the region '%s' (line %u); move it out of the "
                         "region",
                         st->s[i] == 'e' ? "ENTRY" : "ASSIGN", region_name(r, r->region),
                         region_pragma(r, r->region)->first_line);
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
    close_regions(r, "end");
    while (r->nframes && top(r)->kind != FRAME_UNIT) {
        r->nframes--;
        close_regions(r, "end");
    }
    fortran_connect(r->unit, r->f, &r->labels);
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
    for (size_t k = 0; k < sizeof constructs / sizeof *constructs; k++)
        if (!strcmp(word, constructs[k])) {
            if (k == 1 && r->label && top(r) && top(r)->label == r->label)
                return true; /* its label ends the loop */
            close_construct(r, word);
            return true;
        }
    close_unit(r);
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
                                           "precision", "doubleprecision", "type",      "class"};
    bool elemental = false, impure = false;
    *pure = false;
    for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; k++) {
        if (!fortran_word(st, &i, prefixes[k]))
            continue;
        *pure |= k == 2;
        elemental |= k == 3;
        impure |= k == 4;
        if (i < st->n && st->s[i] == '*') /* REAL*8 */
            for (i = fortran_blanks(st, i + 1); i < st->n && isdigit((unsigned char)st->s[i]);)
                i++;
        if (i < st->n && st->s[i] == '(')
            i = fortran_close(st, i);
        i = fortran_blanks(st, i);
        k = (size_t)-1; /* from the first prefix again */
    }
    *pure |= elemental && !impure;
    return i;
}

/* Begins a procedure or another unit. */
static void open_unit(struct reader *r, bool has_code, bool pure)
{
    fortran_connect(r->unit, r->f, &r->labels);
    struct frame *f = push(r, FRAME_UNIT, "unit");
    f->has_code = has_code;
    f->pure = pure;
}

static bool in_interface(const struct reader *r)
{
    return r->nframes && top(r)->kind == FRAME_NO_CODE;
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
    bool data = fortran_word(st, &at, "block") && fortran_word(st, &at, "data");
    at = i;
    if (data || fortran_word(st, &at, "blockdata") || fortran_word(st, &at, "submodule") ||
        (fortran_word(st, &at, "module") && fortran_blanks(st, fortran_name(st, at)) == st->n)) {
        open_unit(r, false, false);
        return true;
    }
    return false;
}

/* ---- constructs ---- */

static void read_do(struct reader *r, size_t i)
{
    const struct fortran_statement *st = r->st;
    unsigned label = 0;
    while (i < st->n && isdigit((unsigned char)st->s[i]) && label < 100000)
        label = label * 10 + (unsigned)(st->s[i++] - '0');
    i = fortran_blanks(st, i);
    struct frame *f = push(r, FRAME_DO, "do");
    f->label = label;
    f->concurrent = fortran_word(st, &i, "concurrent");
}

/* IF (...) THEN, or IF (...) STATEMENT. `i`: the parenthesis. */
static void read_if(struct reader *r, size_t begin, size_t i)
{
    const struct fortran_statement *st = r->st;
    size_t rest = fortran_blanks(st, fortran_close(st, i)), at = rest;
    if (fortran_word(st, &at, "then") && at == st->n)
        push(r, FRAME_CONSTRUCT, "if");
    else if (rest < st->n && isdigit((unsigned char)st->s[rest]))
        fortran_branches(r->unit, r->f, st, begin, r->region, &r->labels);
    else
        read_action(r, rest, true);
}

/* ELSE, CASE and the like begin another block of the construct. Returns whether it is one. */
static bool read_part(struct reader *r, size_t i)
{
    const struct fortran_statement *st = r->st;
    size_t at = i;
    bool chosen = fortran_word(st, &at, "case") || fortran_word(st, &at, "rank");
    if (fortran_word(st, &at, "type") || fortran_word(st, &at, "class"))
        chosen = fortran_word(st, &at, "is") || fortran_word(st, &at, "default");
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
        top(r)->has_code = true;
    return true;
}

/* Constructs that begin with a word and, with `brackets`, parentheses after which nothing follows. */
static bool read_construct(struct reader *r, size_t i)
{
    static const struct {
        const char *word, *second, *end;
        enum frame_kind kind;
        bool brackets;
    } heads[] = {{"select", "case", "select", FRAME_SELECT, true},
                 {"select", "type", "select", FRAME_SELECT, true},
                 {"select", "rank", "select", FRAME_SELECT, true},
                 {"selectcase", NULL, "select", FRAME_SELECT, true},
                 {"selecttype", NULL, "select", FRAME_SELECT, true},
                 {"selectrank", NULL, "select", FRAME_SELECT, true},
                 {"where", NULL, "where", FRAME_ASSIGN, true},
                 {"forall", NULL, "forall", FRAME_ASSIGN, true},
                 {"associate", NULL, "associate", FRAME_CONSTRUCT, true},
                 {"change", "team", "team", FRAME_CONSTRUCT, true},
                 {"critical", NULL, "critical", FRAME_CONSTRUCT, false},
                 {"block", NULL, "block", FRAME_CONSTRUCT, false},
                 {"interface", NULL, "interface", FRAME_NO_CODE, false},
                 {"abstract", "interface", "interface", FRAME_NO_CODE, false}};
    const struct fortran_statement *st = r->st;
    for (size_t k = 0; k < sizeof heads / sizeof *heads; k++) {
        size_t at = i;
        if (!fortran_word(st, &at, heads[k].word) ||
            (heads[k].second && !fortran_word(st, &at, heads[k].second)))
            continue;
        if (heads[k].brackets &&
            (at >= st->n || st->s[at] != '(' || fortran_blanks(st, fortran_close(st, at)) != st->n))
            continue;
        push(r, heads[k].kind, heads[k].end);
        return true;
    }
    size_t at = i;
    if (fortran_word(st, &at, "enum")) {
        push(r, FRAME_NO_CODE, "enum");
        return true;
    }
    at = i;
    if (fortran_word(st, &at, "type") && at < st->n && st->s[at] != '(') {
        push(r, FRAME_NO_CODE, "type");
        return true;
    }
    return false;
}

/* ---- declarations ---- */

static bool declares(const struct fortran_statement *st, size_t i)
{
    static const char *const words[] = {
        "integer",     "real",      "complex",     "logical",     "character",
        "type",        "class",     "double",      "precision",   "doubleprecision",
        "procedure",   "dimension", "parameter",   "save",        "implicit",
        "use",         "import",    "external",    "intrinsic",   "common",
        "equivalence", "namelist",  "allocatable", "pointer",     "target",
        "optional",    "intent",    "volatile",    "value",       "contiguous",
        "public",      "private",   "protected",   "codimension", "asynchronous"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        size_t at = i;
        if (fortran_word(st, &at, words[k]))
            return true;
    }
    return false;
}

/* In the instrumented program, a directive among declarations would be a statement among them. */
static void check_declaration(struct reader *r)
{
    const struct pragma *p = r->nframes ? top(r)->first : NULL;
    if (r->nframes && top(r)->kind == FRAME_REGION)
        p = region_pragma(r, top(r)->region);
    if (!p || p->bad)
        return;
    diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
             "this directive is before the declaration in line %u; only statements can be "
             "measured: put it after the declarations",
             fortran_line_at(r->f, place_of(r))->line);
    r->unit->inputs[0].pragmas[p - r->unit->inputs[0].pragmas].bad = true;
    if (top(r)->kind == FRAME_REGION)
        drop_region(r);
}

/* ---- OpenMP ---- */

/* Constructs of OpenMP, the longest spelling first. */
static const struct {
    const char *words;
    bool loop, team, no_barrier;
} constructs[] = {{"parallel do", true, true, true},
                  {"parallel loop", true, true, true},
                  {"parallel sections", false, true, true},
                  {"parallel workshare", false, true, true},
                  {"parallel", false, true, false},
                  {"do", true, false, true},
                  {"loop", true, false, true},
                  {"simd", true, false, true},
                  {"taskloop", true, false, true},
                  {"distribute", true, false, true},
                  {"sections", false, false, true},
                  {"workshare", false, false, true},
                  {"single", false, false, true},
                  {"master", false, false, true},
                  {"masked", false, false, true},
                  {"critical", false, false, true},
                  {"ordered", false, false, true},
                  {"taskgroup", false, false, true},
                  {"task", false, false, true},
                  {"target", false, false, true},
                  {"teams", false, false, true}};
enum { CONSTRUCTS = sizeof constructs / sizeof *constructs };

static bool words_at(const struct fortran_statement *st, size_t *i, const char *words)
{
    size_t at = *i;
    for (const char *w = words; *w;) {
        char word[16] = "";
        size_t n = strcspn(w, " ");
        memcpy(word, w, n);
        if (!fortran_word(st, &at, word))
            return false;
        w += n + (w[n] == ' ');
    }
    *i = at;
    return true;
}

/* The text of the clause num_threads(...), if it can also be computed at a region's begin; else NULL. */
static const char *num_threads(const struct reader *r)
{
    const struct fortran_statement *st = r->st;
    const char *clause = strstr(st->s, "num_threads");
    size_t i = clause ? fortran_blanks(st, (size_t)(clause - st->s) + 11) : st->n;
    if (i >= st->n || st->s[i] != '(')
        return NULL;
    size_t close = fortran_close(st, i);
    for (size_t k = i; k < close; k++)
        if (!isalnum((unsigned char)st->s[k]) && !strchr("_%+-*/() ,", st->s[k]))
            return NULL;
    return arena_strndup(r->unit->arena, st->s + i, close - i);
}

/* The regions around a parallel construct count the threads of the first one that they contain. */
static void note_team(struct reader *r)
{
    for (size_t region = r->region; region; region = r->f->regions[region].parent) {
        struct pragma *p = r->f->regions[region].begin;
        if (!p->around_team)
            p->threads = num_threads(r);
        p->around_team = true;
    }
}

/* Does a loop follow the directive, whose construct begins at i? The words of a combined construct come
 * before its clauses: target teams distribute parallel do. */
static bool loop_follows(const struct fortran_statement *st, size_t i)
{
    for (size_t k = 0; k < CONSTRUCTS;) {
        size_t at = i;
        if (!words_at(st, &at, constructs[k].words)) {
            k++;
        } else if (constructs[k].loop) {
            return true;
        } else {
            i = at;
            k = 0;
        }
    }
    return false;
}

static void read_openmp(struct reader *r)
{
    size_t i = fortran_blanks(r->st, 0), at = i;
    bool end = fortran_word(r->st, &i, "end");
    if (words_at(r->st, &at, "target update") || words_at(r->st, &at, "target enter") ||
        words_at(r->st, &at, "target exit"))
        return;
    for (size_t k = 0; k < CONSTRUCTS; k++) {
        at = i;
        if (!words_at(r->st, &at, constructs[k].words))
            continue;
        if (!end) {
            struct frame *f = push(r, FRAME_OMP, constructs[k].words);
            f->waits = loop_follows(r->st, i);
            f->no_barrier = constructs[k].no_barrier;
            f->team = constructs[k].team;
            if (f->team)
                note_team(r);
            return;
        }
        for (size_t n = r->nframes; n-- > 0 && r->frames[n].kind == FRAME_OMP;)
            if (!strcmp(r->frames[n].word, constructs[k].words) &&
                r->frames[n].waits == loop_follows(r->st, i)) {
                r->nframes = n;
                return;
            }
        return;
    }
}

/* The construct of OpenMP around this place that `what` asks for: one with a team, or one without
 * barriers. NULL without one. */
static const char *openmp_around(const struct reader *r, bool team)
{
    for (size_t k = r->nframes; k-- > 0 && r->frames[k].kind != FRAME_UNIT;)
        if (r->frames[k].kind == FRAME_OMP) {
            if (team ? r->frames[k].team : r->frames[k].no_barrier)
                return r->frames[k].word;
            if (r->frames[k].team)
                return NULL;
        }
    return NULL;
}

/* ---- our directives ---- */

/* Why no statement can be after the directive of another language that is the statement before this one;
 * NULL if one can. */
static const char *bound_directive(const struct reader *r)
{
    static const char *const hints[] = {"ivdep", "unroll", "vector", "novector", "simd", "loop"};
    const struct fortran_statement *st = r->st - 1;
    if (r->st == r->f->statements || (st->kind != FORTRAN_HINT && st->kind != FORTRAN_OMP))
        return NULL;
    for (size_t i = 0, end; i < st->n && st->s[i] != '('; i = end > i ? end : i + 1) {
        size_t at = i;
        end = fortran_name(st, i);
        if (fortran_word(st, &at, "end") || fortran_word(st, &at, "attributes"))
            return NULL;
        if (fortran_word(st, &at, "atomic"))
            return "the directive before it expects an assignment here; put the region around both";
        for (size_t k = 0; st->kind == FORTRAN_HINT && k < sizeof hints / sizeof *hints; k++)
            if (fortran_word(st, &at, hints[k]))
                return "the directive before it expects a loop here; put the region around both";
    }
    return NULL;
}

/* Why no statement can be here; NULL if one can. */
static const char *obstacle(const struct reader *r)
{
    const struct frame *f = top(r);
    if (!f || (f->kind == FRAME_UNIT && !f->has_code) || f->kind == FRAME_NO_CODE)
        return "it is not among the statements of a program or a procedure";
    if (f->kind == FRAME_OMP && f->waits)
        return "OpenMP expects the loop here; put the directive before that of OpenMP, or into "
               "the loop";
    if (f->kind == FRAME_OMP && strstr(f->word, "workshare"))
        return "OpenMP's WORKSHARE allows only assignments; put the region around it";
    if (f->kind == FRAME_ASSIGN)
        return "WHERE and FORALL contain only assignments; put the region around the construct";
    if (f->kind == FRAME_SELECT && !f->has_code)
        return "it is before the first CASE";
    for (size_t k = r->nframes; k-- > 0;) {
        if (r->frames[k].concurrent && r->frames[k].kind == FRAME_DO)
            return "DO CONCURRENT allows no side effects; put the region around the loop";
        if (r->frames[k].kind == FRAME_UNIT)
            return r->frames[k].pure ? "the procedure is pure, and measuring is a side effect; "
                                       "put the region around the call, or remove PURE (write "
                                       "IMPURE before ELEMENTAL)"
                                     : bound_directive(r);
    }
    return NULL;
}

static bool may_be_here(struct reader *r, struct pragma *p)
{
    const char *why = obstacle(r);
    if (!why && r->nframes >= STRUCTURE_MAX_DEPTH)
        why = "blocks and regions are nested too deep";
    if (!why) {
        if (!top(r)->first)
            top(r)->first = p;
        return true;
    }
    diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
             "no region or report can be here: %s", why);
    p->bad = true;
    return false;
}

/* A value that is a name alone, which nothing but directives have, where the compiler would take it for a
 * new variable. */
static bool is_unknown(const struct reader *r, struct span e)
{
    const char *text = r->unit->inputs[0].source->text;
    size_t n = e.end - e.begin;
    char name[64]; /* names of Fortran have at most 63 characters */
    if (!r->f->implicit || r->f->borrows || r->unit->preprocessed || n >= sizeof name || !n)
        return false;
    for (size_t i = 0; i < n; i++) {
        name[i] = (char)tolower((unsigned char)text[e.begin + i]);
        if (!isalnum((unsigned char)name[i]) && name[i] != '_')
            return false;
    }
    bool builtin = n == 1 && (text[e.begin] == 'P' || text[e.begin] == 'T');
    return !isdigit((unsigned char)name[0]) && !builtin &&
           names_number(r->f->names, name, n) >= r->f->nnames;
}

/* Formulas know the paths of C; what is more than a name in Fortran needs an alias. */
static void check_variables(const struct reader *r, const struct pragma *p)
{
    const struct source *source = r->unit->inputs[0].source;
    for (size_t v = 0; v < p->nvariables; v++) {
        struct span e = p->variables[v].span;
        const char *name = p->variables[v].name;
        bool own = strlen(name) == e.end - e.begin &&
                   !memcmp(name, source->text + e.begin, e.end - e.begin);
        if (own && name[strcspn(name, ".[>:")])
            diag_add(r->unit->diag, SEVERITY_ERROR, source, e,
                     "'%s' is not a name of Fortran: give the value a name before the formula, as "
                     "in '%s(n = grid%%n)'",
                     name, p->name);
        else if (is_unknown(r, e))
            diag_add(
                r->unit->diag, SEVERITY_ERROR, source, e,
                "there is no '%.*s' in this source: it would be a new variable without a value",
                (int)(e.end - e.begin), source->text + e.begin);
    }
}

static void open_region(struct reader *r, struct pragma *p)
{
    struct fortran *f = r->f;
    if (!may_be_here(r, p))
        return;
    if (!f->nregions) { /* number 0 means outside of all */
        GROW(r->unit->arena, f, regions);
        f->regions[f->nregions++] = (struct fortran_region){0};
    }
    GROW(r->unit->arena, f, regions);
    f->regions[f->nregions] = (struct fortran_region){
        .begin = p, .parent = r->region, .at = place_of(r), .is_for = p->kind == PRAGMA_FOR};
    check_variables(r, p);
    for (size_t k = r->region; p->shuffle && k; k = f->regions[k].parent)
        f->regions[k].begin->sweep |= f->regions[k].is_for;
    p->sweep = p->shuffle;
    if (p->sync) {
        const struct unit *u = r->unit;
        const char *alone = openmp_around(r, false), *team = openmp_around(r, true);
        bool machine = p->machine.begin < p->machine.end;
        if (machine && u->openmp && !u->processes)
            diag_add(u->diag, SEVERITY_ERROR, u->inputs[0].source, p->machine,
                     "OpenMP programs have no machines to choose from; write 'sync' alone for a "
                     "barrier of the team");
        else if (machine && team)
            diag_add(u->diag, SEVERITY_ERROR, u->inputs[0].source, p->machine,
                     "'sync(MACHINE)' inside an OpenMP parallel construct: every thread of every "
                     "process would take part; put the region around the construct, or write "
                     "'sync' for a barrier of the team");
        else if (u->openmp && alone)
            diag_add(u->diag, SEVERITY_ERROR, u->inputs[0].source, p->sync_word,
                     "'sync' is not possible inside '!$omp %s': OpenMP allows no barrier there; "
                     "put the region around the construct",
                     alone);
    }
    r->region = f->nregions++;
    p->region = (unsigned)r->region;
    push(r, FRAME_REGION, "")->region = r->region;
}

/* Does the directive end what `begin` begins? */
static bool is_end_of(const struct pragma *end, const struct pragma *begin)
{
    if (end->kind == PRAGMA_END_FOR)
        return begin->kind == PRAGMA_FOR;
    return begin->kind == PRAGMA_BEGIN && begin->name && !strcmp(begin->name, end->name);
}

/* An end without a region at the top of the stack. One error is enough for a region. */
static void refuse_end(struct reader *r, struct pragma *p)
{
    const struct pragma *list = r->unit->inputs[0].pragmas;
    bool open = false, said = false, capitals = false;
    for (size_t k = r->region; k; k = r->f->regions[k].parent) {
        open |= is_end_of(p, region_pragma(r, k));
        capitals |= p->kind == PRAGMA_END && !strcasecmp(region_name(r, k), p->name);
    }
    for (const struct pragma *b = list; b < p; b++)
        said |= b->bad && is_end_of(p, b);
    bool inner = r->nframes && top(r)->kind == FRAME_REGION;
    p->bad = true;
    if (open || !said)
        diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
                 !open && capitals
                     ? "'end %s' without a begin: capitals matter in names of experiments"
                 : !open ? "'end %s' without a begin: no region of this name is open here"
                 : inner ? "'end %s': another region that began later is still open; end that first"
                         : "'end %s' must be in the same block as the region's begin",
                 p->kind == PRAGMA_END_FOR ? "for" : p->name);
    while (open && inner) {
        struct pragma *begin = r->f->regions[r->region].begin;
        open = !is_end_of(p, begin);
        begin->bad = true;
        drop_region(r);
        inner = r->nframes && top(r)->kind == FRAME_REGION;
    }
}

static void end_region(struct reader *r, struct pragma *p)
{
    drop_openmp(r);
    const struct frame *f = top(r);
    if (!f || f->kind != FRAME_REGION || !is_end_of(p, region_pragma(r, f->region))) {
        refuse_end(r, p);
        return;
    }
    struct fortran_region *region = &r->f->regions[r->region];
    struct pragma *begin = region->begin, *list = r->unit->inputs[0].pragmas;
    region->end = p;
    region->end_at = place_of(r);
    begin->action = region->is_for ? ACTION_FOR : ACTION_BEGIN;
    begin->partner = (size_t)(p - list);
    p->action = region->is_for ? ACTION_END_FOR : ACTION_END;
    p->partner = (size_t)(begin - list);
    p->region = (unsigned)r->region;
    drop_region(r);
}

static void read_report(struct reader *r, struct pragma *p)
{
    if (!may_be_here(r, p))
        return;
    if (r->unit->processes && openmp_around(r, true))
        diag_add(r->unit->diag, SEVERITY_ERROR, r->unit->inputs[0].source, p->word,
                 "'report' inside an OpenMP parallel construct: every thread would gather the "
                 "samples of all processes; put it after the construct");
    p->action = ACTION_REPORT;
}

static void read_directive(struct reader *r)
{
    struct pragma *p = &r->unit->inputs[0].pragmas[r->st->pragma];
    if (p->bad)
        return;
    switch (p->kind) {
    case PRAGMA_BEGIN:
    case PRAGMA_FOR: open_region(r, p); break;
    case PRAGMA_END:
    case PRAGMA_END_FOR: end_region(r, p); break;
    case PRAGMA_REPORT: read_report(r, p); break;
    case PRAGMA_PARALLEL:
    case PRAGMA_USES: p->action = ACTION_BLANK; break;
    }
}

/* ---- all statements ---- */

static void read_label(struct reader *r, size_t *i)
{
    r->label = 0;
    size_t at = *i;
    while (at < r->st->n && isdigit((unsigned char)r->st->s[at]) && r->label < 100000)
        r->label = r->label * 10 + (unsigned)(r->st->s[at++] - '0');
    if (at > *i) {
        GROW(r->unit->arena, &r->labels, labels);
        r->labels.labels[r->labels.nlabels++] = (struct fortran_label){r->label, r->region};
    }
    *i = fortran_blanks(r->st, at);
}

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
    read_label(r, &i);
    read_name(r, &i);
    if (fortran_assigns(st, i)) {
        if (r->label)
            close_labelled(r);
        return;
    }
    if (read_end(r, i)) {
        if (r->label)
            close_labelled(r);
        return;
    }
    at = i;
    if (fortran_word(st, &at, "contains") && at == st->n) {
        close_regions(r, "contains");
        fortran_connect(r->unit, r->f, &r->labels);
        if (r->nframes && top(r)->kind == FRAME_UNIT)
            top(r)->has_code = false;
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
            read_directive(&r);
        else if (r.st->kind == FORTRAN_OMP)
            read_openmp(&r);
        else if (r.st->kind == FORTRAN_CODE)
            read_code(&r);
    }
    for (; r.region; drop_region(&r)) {
        while (r.nframes && top(&r)->kind != FRAME_REGION)
            r.nframes--;
        if (!r.nframes)
            break;
        const struct pragma *p = region_pragma(&r, r.region);
        diag_add(u->diag, SEVERITY_ERROR, u->inputs[0].source, p->word,
                 "the region '%s' has no '!$cll end %s'", region_name(&r, r.region),
                 region_name(&r, r.region));
    }
    fortran_connect(u, f, &r.labels);
}
