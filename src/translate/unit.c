/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The translator's steps for one translation unit: read the pragmas, find the experiments (experiments.c), settle
 * what becomes of each pragma. The preprocessed text decides about the pragmas it holds. A pragma
 * it lost is in a branch that is off: it is settled from the text as written where that works. Where
 * it does not, the pragma stays, with a warning: the compiler will not see it either.
 */
#include "translate/unit.h"

#include <ctype.h>
#include <string.h>

#include "base/misprint.h"
#include "base/path.h"
#include "base/text.h"
#include "translate/fortran.h"
#include "translate/list.h"
#include "translate/structure.h"

struct unit *unit_create(enum language language)
{
    struct arena *a = arena_create();
    struct unit *u = arena_zalloc(a, 1, sizeof *u);
    u->arena = a;
    u->language = language;
    u->scratch = arena_create();
    u->diag = diag_create();
    if (language == LANGUAGE_FORTRAN)
        diag_set_origin(u->diag, fortran_origin);
    u->names = names_create(a, language);
    return u;
}

void unit_destroy(struct unit *u)
{
    if (!u)
        return;
    diag_destroy(u->diag);
    arena_destroy(u->scratch);
    arena_destroy(u->arena);
}

static void index_lines(struct arena *a, struct input *in)
{
    size_t n = 1;
    for (size_t i = 0; i < in->size; i++)
        n += in->text[i] == '\n';
    in->lines = arena_alloc(a, n, sizeof *in->lines);
    in->lines[0] = 0;
    in->nlines = 1;
    for (size_t i = 0; i < in->size; i++)
        if (in->text[i] == '\n')
            in->lines[in->nlines++] = i + 1;
}

/* Are there more begins than ends of this name up to here? */
static bool is_open(const struct input *in, const char *name)
{
    long open = 0;
    for (size_t i = 0; i < in->npragmas; i++) {
        const struct pragma *p = &in->pragmas[i];
        if (p->name && !strcmp(p->name, name))
            open += p->kind == PRAGMA_BEGIN ? 1 : -1;
    }
    return open > 0;
}

const char *unit_sentinel(const struct unit *u)
{
    return u->language == LANGUAGE_FORTRAN ? "!$cll" : "#pragma cll";
}

/* "edn f", while f is open: it reads as a region 'edn' with the formula f, and is taken as the
 * end that was meant, so that one misprint is one error. */
static void recognise_end(struct unit *u, const struct input *in, struct pragma *p)
{
    const char *meant = p->kind == PRAGMA_BEGIN && !p->bad ? pragma_word_near(p->name) : NULL;
    if (!meant || strcmp(meant, "end") || p->nformulas != 1 || p->nvariables != 1)
        return;
    const char *name = p->variables[0].name;
    if (strcmp(p->formulas[0].text, name) || !is_open(in, name))
        return;
    diag_add(u->diag, SEVERITY_ERROR, in->source, p->word,
             "'%s' was probably meant to be 'end': '%s end %s'", p->name, unit_sentinel(u), name);
    p->kind = PRAGMA_END;
    p->name = name;
    p->nvariables = p->nformulas = 0;
}

void unit_take_pragma(struct unit *u, struct input *in)
{
    struct pragma *p = &in->pragmas[in->npragmas];
    p->input = (size_t)(in - u->inputs);
    u->uses_papi |= p->kind == PRAGMA_USES;
    recognise_end(u, in, p);
    in->npragmas++;
}

struct pragma *unit_next(const struct unit *u, const struct pragma *p)
{
    size_t i = p ? p->input : 0, k = p ? (size_t)(p - u->inputs[i].pragmas) + 1 : 0;
    for (; i < u->ninputs; i++, k = 0)
        if (k < u->inputs[i].npragmas)
            return &u->inputs[i].pragmas[k];
    return NULL;
}

bool unit_computes(const struct unit *u)
{
    for (const struct pragma *p = NULL; (p = unit_next(u, p));)
        if (p->action == ACTION_BEGIN && pragma_computes(p))
            return true;
    return false;
}

size_t unit_recorded(const struct unit *u, const struct pragma *p)
{
    return p->nvariables + u->records_p + p->records_t;
}

/* Reads the pragma of a token. A trigraph at its end is the backslash of a splice for some compilers: with
 * -std=c11, the next line belongs to the pragma, or to its comment. */
static bool read_pragma(struct unit *u, const struct input *in, char *text, const struct token *t,
                        struct pragma *p)
{
    struct span last = {t->end - t->body < 3 ? t->end : t->end - 3, t->end};
    bool trigraph = last.begin < last.end && !memcmp(text + last.begin, "?\?/", 3);
    if (!trigraph)
        return pragma_parse(u->arena, in->source, text, t, u->diag, p);
    memset(text + last.begin, ' ', 3);
    bool ours = pragma_parse(u->arena, in->source, text, t, u->diag, p);
    memcpy(text + last.begin, "?\?/", 3);
    if (ours) {
        diag_add(u->diag, SEVERITY_ERROR, in->source, last,
                 "this trigraph continues the line for some compilers and not for others; write a "
                 "backslash");
        p->bad = true;
    }
    return ours;
}

/* The pragmas of ours, but those inside `#if 0`. */
static void read_pragmas(struct unit *u, struct input *in, char *text)
{
    size_t depth = 0, off = 0; /* off: the depth of the `#if 0` the reader is in, 0 = none */
    size_t candidates = 0;
    for (size_t i = 0; i < in->tokens.n; i++)
        candidates +=
            in->tokens.list[i].kind == TOKEN_DIRECTIVE && in->tokens.list[i].id >= DIRECTIVE_PRAGMA;
    in->pragmas = arena_alloc(u->arena, candidates + 1, sizeof *in->pragmas);
    in->pragma_tokens = arena_alloc(u->arena, candidates + 1, sizeof *in->pragma_tokens);
    for (size_t i = 0; i < in->tokens.n; i++) {
        const struct token *t = &in->tokens.list[i];
        if (t->kind != TOKEN_DIRECTIVE)
            continue;
        if (t->id == DIRECTIVE_IF || t->id == DIRECTIVE_IF_ZERO) {
            depth++;
            if (t->id == DIRECTIVE_IF_ZERO && !off)
                off = depth;
        } else if ((t->id == DIRECTIVE_ELIF || t->id == DIRECTIVE_ELSE) && off == depth) {
            off = 0;
        } else if (t->id == DIRECTIVE_ENDIF && depth) {
            if (off == depth)
                off = 0;
            depth--;
        } else if (t->id >= DIRECTIVE_PRAGMA && !off) {
            struct pragma *p = &in->pragmas[in->npragmas];
            if (read_pragma(u, in, text, t, p)) {
                in->pragma_tokens[in->npragmas] = i;
                unit_take_pragma(u, in);
            } else if (p->meant) {
                ADD(u->arena, in, near_misses,
                    (struct near_miss){p->word, p->meant, p->surely_meant});
            }
        }
    }
}

size_t unit_add(struct unit *u, const char *path, const char *text, size_t size)
{
    size_t mark = lex_byte_order_mark(text, size);
    text += mark;
    size -= mark;
    struct input *inputs = arena_alloc(u->arena, u->ninputs + 1, sizeof *inputs);
    if (u->ninputs)
        memcpy(inputs, u->inputs, u->ninputs * sizeof *inputs);
    u->inputs = inputs;
    struct input *in = &inputs[u->ninputs];
    memset(in, 0, sizeof *in);
    in->path = arena_strdup(u->arena, path);
    in->text = arena_strndup(u->arena, text, size);
    in->size = size;
    char *clean = arena_strndup(u->arena, text, size);
    /* Messages and pragmas keep a pointer to the source: it must not move with the list of inputs.
     */
    struct source *source = arena_alloc(u->arena, 1, sizeof *source);
    *source = (struct source){in->path, clean, size};
    in->source = source;
    index_lines(u->arena, in);
    if (u->language == LANGUAGE_FORTRAN) {
        fortran_find(u, in, clean);
    } else {
        in->tokens = lex(u->arena, u->names, in->text, size);
        read_pragmas(u, in, clean);
    }
    return u->ninputs++;
}

size_t unit_count(const struct unit *u)
{
    size_t n = 0;
    for (size_t i = 0; i < u->ninputs; i++)
        n += u->inputs[i].npragmas;
    return n;
}

/* The end of a line marker at k, as the preprocessor writes them: # 12 "file"; k without one. */
static size_t past_marker(const char *s, size_t k)
{
    bool is_one = (k == 0 || s[k - 1] == '\n') && s[k] == '#' && s[k + 1] == ' ' &&
                  isdigit((unsigned char)s[k + 2]);
    return is_one ? k + strcspn(s + k, "\n") : k;
}

/* FNV-1a with 64 bits: the texts are told apart, not protected. */
const char *unit_code(const struct unit *u)
{
    uint64_t hash = 14695981039346656037u;
    for (size_t i = 0; i < u->ninputs; i++) {
        const char *s = u->inputs[i].text;
        for (size_t k = 0; k < u->inputs[i].size; k++) {
            k = past_marker(s, k); /* the folder of a file is no part of the code */
            hash = (hash ^ (unsigned char)s[k]) * 1099511628211u;
        }
        hash = (hash ^ 256) * 1099511628211u; /* the end of a text */
    }
    return arena_printf(u->arena, "%016llx %s", (unsigned long long)hash,
                        path_base(u->inputs[0].path));
}

void unit_mark(const struct unit *u, size_t index, struct text *out)
{
    const struct input *in = &u->inputs[index];
    bool fortran = u->language == LANGUAGE_FORTRAN;
    size_t at = 0;
    for (size_t i = 0; i < in->npragmas; i++) {
        const struct pragma *p = &in->pragmas[i];
        text_addn(out, in->text + at, p->whole.begin - at);
        text_printf(out,
                    fortran          ? "!$cll_mark %zu %zu"
                    : p->is_operator ? "_Pragma(\"cll_mark %zu %zu\")"
                                     : "#pragma cll_mark %zu %zu",
                    index, i);
        if (fortran)
            fortran_mark_expressions(in, p, out);
        for (unsigned line = p->first_line; line < p->last_line; line++)
            text_add(out, p->is_operator || fortran ? "\n" : "\\\n");
        at = p->whole.end;
    }
    text_addn(out, in->text + at, in->size - at);
}

/* ---- settling ---- */

static bool is_settled(const struct pragma *p)
{
    return p->action != ACTION_LEAVE || p->bad;
}

/* A pragma that the preprocessor dropped. Whatever goes wrong here concerns code the compiler does
 * not see. */
static void resolve_off_branch(struct unit *u, size_t input, size_t index)
{
    arena_reset(u->scratch);
    struct stream s = stream_raw(u, input, index);
    DIAG_LOCAL struct diag *diag = diag_create();
    struct structure *t = structure_read(u, &s, diag);
    if (!diag_count(diag, SEVERITY_ERROR))
        check_structure(u, &s, t, diag);
    struct pragma *p = &u->inputs[input].pragmas[index];
    if (!is_settled(p) && p->kind != PRAGMA_END && p->kind != PRAGMA_END_FOR) {
        const char *why = diag_first(diag, SEVERITY_ERROR);
        diag_add(u->diag, SEVERITY_WARNING, u->inputs[input].source, p->word,
                 "this pragma is in a branch that is off here, so it is not translated%s%s",
                 why ? ": " : "", why ? why : "");
    }
}

enum { MAX_OFF_BRANCHES = 200 }; /* each takes a pass over the text */

/* The pragmas of an input that its first pass did not settle. */
static void resolve_off_branches(struct unit *u, size_t input)
{
    const struct input *in = &u->inputs[input];
    if (diag_count(u->diag, SEVERITY_ERROR))
        return;
    for (size_t i = 0; i < in->npragmas && u->passes < MAX_OFF_BRANCHES; i++) {
        const struct pragma *p = &in->pragmas[i];
        if (!is_settled(p) && p->kind != PRAGMA_END && p->kind != PRAGMA_END_FOR) {
            resolve_off_branch(u, input, i);
            u->passes++;
        }
    }
    for (size_t i = 0; i < in->npragmas; i++)
        if (u->passes == MAX_OFF_BRANCHES && !is_settled(&in->pragmas[i])) {
            diag_add(
                u->diag, SEVERITY_WARNING, in->source, in->pragmas[i].word,
                "this pragma and those after it in branches that are off here are not translated: call examines only %d such places",
                MAX_OFF_BRANCHES);
            u->passes++;
        }
}

/* Without a preprocessor: the text as written is the program. */
static void resolve_raw(struct unit *u, size_t input)
{
    struct input *in = &u->inputs[input];
    if (!in->npragmas)
        return;
    arena_reset(u->scratch);
    struct stream s = stream_raw(u, input, 0);
    stream_check_arguments(u);
    struct structure *t = structure_read(u, &s, u->diag);
    unit_find_drivers(u, &s);
    if (!u->nexperiments)
        unit_find_experiments(u);
    check_structure(u, &s, t, u->diag);
    resolve_off_branches(u, input);
}

/* A reported name that no region of the unit has: it may be in another file, or a misprint. */
static void warn_unknown(struct unit *u, const struct source *source, const struct pragma_name *n)
{
    const char *near = NULL;
    for (const struct pragma *p = NULL; (p = unit_next(u, p));)
        if (p->kind == PRAGMA_BEGIN && p->name && misprint_is_one(n->name, p->name))
            near = p->name;
    if (near)
        diag_add(u->diag, SEVERITY_WARNING, source, n->span,
                 "no experiment '%s' in this file; did you mean '%s'?", n->name, near);
    else
        diag_add(u->diag, SEVERITY_WARNING, source, n->span,
                 "no experiment '%s' in this file; if no other file of the program has it, nothing "
                 "is reported for it",
                 n->name);
}

enum { MAX_UNKNOWN_REPORTED = 100 }; /* examined for misprints and warned about, at most */

static void check_reports(struct unit *u)
{
    uint32_t *known = unit_number_experiments(u);
    size_t count = names_count(u->names), unknown = 0;
    for (const struct pragma *p = NULL; (p = unit_next(u, p));)
        if (p->kind == PRAGMA_BEGIN && p->name)
            known[names_number(u->names, p->name, strlen(p->name))] = 1;
    for (const struct pragma *p = NULL; (p = unit_next(u, p));)
        for (size_t n = 0; p->kind == PRAGMA_REPORT && n < p->nnames; n++) {
            const char *name = p->names[n].name;
            uint32_t number = names_number(u->names, name, strlen(name));
            if ((number >= count || !known[number]) && unknown++ < MAX_UNKNOWN_REPORTED)
                warn_unknown(u, u->inputs[p->input].source, &p->names[n]);
        }
}

/* In a source with pragmas of ours, another one that surely was meant to be ours is an error: the
 * program would be measured without it, and its results would mean something else. Elsewhere a word
 * may be that of another tool. */
static void report_near_misses(struct unit *u)
{
    bool is_ours = unit_count(u) > 0;
    for (size_t i = 0; i < u->ninputs; i++) {
        const struct input *in = &u->inputs[i];
        for (size_t j = 0; j < in->nnear_misses; j++) {
            const struct near_miss *miss = &in->near_misses[j];
            int n = (int)(miss->span.end - miss->span.begin);
            const char *word = in->source->text + miss->span.begin;
            if (is_ours && miss->surely)
                diag_add(u->diag, SEVERITY_ERROR, in->source, miss->span,
                         "this pragma would be ignored: write '%s' in place of '%.*s'", miss->meant,
                         n, word);
            else
                diag_add(u->diag, SEVERITY_WARNING, in->source, miss->span,
                         "this pragma is not translated: '%.*s' was probably meant to be '%s'", n,
                         word, miss->meant);
        }
    }
}

/* The text as written is read like what the preprocessor makes of it, with marks. */
static void resolve_fortran(struct unit *u, const char *text, size_t size)
{
    TEXT_LOCAL struct text marked = text_new();
    if (!text) {
        unit_mark(u, 0, &marked);
        size = marked.n;
        text = memcpy(arena_alloc(u->arena, size + 1, 1), marked.s, size + 1);
    }
    u->fortran = fortran_scan(u, text, size);
    const struct fortran *f = u->fortran;
    struct stream s = {.list = arena_zalloc(u->scratch, f->nstatements + 1, sizeof *s.list)};
    for (size_t i = 0; i < f->nstatements; i++)
        if (f->statements[i].kind == FORTRAN_CLL)
            s.list[s.n++] =
                (struct item){.kind = ITEM_CLL, .pragma = (uint32_t)f->statements[i].pragma};
    unit_find_drivers(u, &s);
    unit_find_experiments(u);
    fortran_read(u, u->fortran);
}

void unit_resolve(struct unit *u, const char *text, size_t size)
{
    report_near_misses(u);
    if (u->language == LANGUAGE_FORTRAN) {
        check_reports(u);
        u->preprocessed = text != NULL;
        resolve_fortran(u, text, size);
        return;
    }
    if (!unit_count(u)) {
        if (text)
            stream_preprocessed(u, text, size);
        return;
    }
    if (u->language == LANGUAGE_CXX && unit_refuse_modules(u))
        return;
    check_reports(u);
    if (!text) {
        for (size_t i = 0; i < u->ninputs; i++)
            resolve_raw(u, i);
        return;
    }
    u->preprocessed = true;
    struct stream s = stream_preprocessed(u, text, size);
    stream_check_arguments(u);
    struct structure *t = structure_read(u, &s, u->diag);
    unit_find_drivers(u, &s);
    unit_find_experiments(u);
    check_structure(u, &s, t, u->diag);
    for (size_t i = 0; i < u->ninputs; i++)
        resolve_off_branches(u, i);
}
