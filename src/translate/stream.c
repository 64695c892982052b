/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Streams of items: the tokens the statement parser reads, without directives, each knowing the
 * line of the file it comes from. A preprocessed text tells that by its line markers; a text as
 * written has one branch of each conditional chosen, so that it is a program: the one that leads to
 * a given pragma, else the first.
 */
#define _GNU_SOURCE 1 /* memmem */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "translate/list.h"
#include "translate/unit.h"

#define MACRO_HAS_PRAGMA                                                                           \
    "a macro used here contains a cll pragma, which cannot be translated; write the pragma at "    \
    "the region itself"

struct builder {
    struct unit *unit;
    struct stream stream;
    size_t capacity;
};

static struct item *add(struct builder *b, uint32_t kind, uint32_t id, const struct token *t)
{
    b->stream.list = arena_grow(b->unit->scratch, b->stream.list, b->stream.n, &b->capacity,
                                b->stream.n + 1, sizeof *b->stream.list);
    struct item *i = &b->stream.list[b->stream.n++];
    *i = (struct item){
        .kind = kind, .id = id, .line = t->line, .input = -1, .begin = t->begin, .end = t->end};
    return i;
}

static struct item *add_plain(struct builder *b, const struct token *t)
{
    static const uint32_t kinds[] = {
        [TOKEN_END] = ITEM_END,           [TOKEN_NAME] = ITEM_NAME,
        [TOKEN_NUMBER] = ITEM_LITERAL,    [TOKEN_STRING] = ITEM_LITERAL,
        [TOKEN_CHARACTER] = ITEM_LITERAL, [TOKEN_PUNCTUATOR] = ITEM_PUNCTUATOR,
        [TOKEN_DIRECTIVE] = ITEM_END, /* does not come here */
    };
    return add(b, kinds[t->kind], t->id, t);
}

/* Called when all names of the unit have their numbers. */
static void create_flags(struct unit *u)
{
    u->nflags = names_count(u->names);
    u->flags = arena_zalloc(u->arena, u->nflags + 1, 1);
}

/* C++: is the name at i declared as a variable here: `int n =`, `(a<b> n)`, `auto &n :`? */
static bool is_variable(const struct stream *s, size_t i)
{
    const struct item *b = i ? &s->list[i - 1] : NULL, *next = &s->list[i + 1];
    if (!b || next->kind != ITEM_PUNCTUATOR)
        return false;
    bool typed = b->kind == ITEM_NAME && (b->id >= WORD_COUNT || b->id == WORD_AUTO ||
                                          (b->id >= WORD_VOID && b->id < WORD_STATIC_ASSERT));
    bool pointed = b->kind == ITEM_PUNCTUATOR && (b->id == '*' || b->id == '&');
    bool template = b->kind == ITEM_PUNCTUATOR && b->id == '>';
    bool ends = next->id == '=' || next->id == ';' || next->id == ',' || next->id == ')' ||
                next->id == '[' || next->id == ':';
    return (ends && (typed || pointed || template)) ||
           ((next->id == '(' || next->id == '{') && (typed || template));
}

static bool is_punctuator(const struct item *i, uint32_t id)
{
    return i->kind == ITEM_PUNCTUATOR && i->id == id;
}

/* The word of the type whose braces begin at i, `struct tag {`; WORD_NONE. */
static uint32_t braced_type(const struct stream *s, size_t i)
{
    for (size_t back = 0; back < 2 && i-- && s->list[i].kind == ITEM_NAME; back++)
        if (s->list[i].id == WORD_STRUCT || s->list[i].id == WORD_UNION ||
            s->list[i].id == WORD_ENUM)
            return s->list[i].id;
    return WORD_NONE;
}

/* The item after the parameters of a prototype, `f(int n);`, that begin at i; i if these are others. */
static size_t skip_prototype(const struct stream *s, size_t i)
{
    size_t depth = 0, at = i;
    if (!i || s->list[i - 1].kind != ITEM_NAME || s->list[i - 1].id < WORD_COUNT)
        return i;
    do
        depth += is_punctuator(&s->list[at], '(') - is_punctuator(&s->list[at], ')');
    while (depth && ++at < s->n);
    const struct item *next = &s->list[at + (at < s->n)];
    return is_punctuator(next, ';') || is_punctuator(next, ',') ? at : i;
}

/* Which names of the stream does a statement not mean: members, and parameters of prototypes outside of functions? In C++, a
 * statement of the class means its members. */
static bool *find_unreachable(struct unit *u, const struct stream *s)
{
    bool *found = arena_zalloc(u->scratch, s->n + 1, sizeof *found);
    bool cxx = u->language == LANGUAGE_CXX;
    size_t depth = 0, members = 0; /* braces that are open; the depth of the outermost structure */
    bool constants = false;        /* of an enumeration, which any statement can mean */
    for (size_t i = 0; i < s->n; i++) {
        const struct item *item = &s->list[i];
        if (is_punctuator(item, '{')) {
            uint32_t type = braced_type(s, i);
            depth++;
            constants = type == WORD_ENUM;
            if (!members && !cxx && (type == WORD_STRUCT || type == WORD_UNION))
                members = depth;
        } else if (is_punctuator(item, '}') && depth) {
            members = members == depth ? 0 : members;
            depth--;
            constants = false;
        } else if (is_punctuator(item, '(') && !depth) {
            for (size_t end = skip_prototype(s, i); i < end; i++)
                found[i] = true;
        } else if (item->kind == ITEM_NAME) {
            bool member = i && (is_punctuator(&s->list[i - 1], '.') ||
                                is_punctuator(&s->list[i - 1], PUNCT_ARROW));
            found[i] = (members && !constants) || member;
        }
    }
    return found;
}

/* The templates of the libraries of C++ have every short name: only those of the user count. */
static void note_seen(struct unit *u, const struct stream *s)
{
    bool cxx = u->language == LANGUAGE_CXX;
    const bool *unreachable = find_unreachable(u, s);
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].kind == ITEM_NAME && !s->list[i].pragma && !unreachable[i])
            u->flags[s->list[i].id] |= NAME_SEEN | (cxx && is_variable(s, i) ? NAME_VALUE : 0);
}

static uint32_t closing_of(uint32_t opening)
{
    return opening == '(' ? ')' : opening == '[' ? ']' : '}';
}

/* A text that is not a program may lack brackets: a brace closes what is open inside it, and another
 * bracket that does not fit closes nothing. */
static void stream_match(struct unit *u, struct stream *s)
{
    s->closing = arena_zalloc(u->scratch, s->n + 1, sizeof *s->closing);
    uint32_t *open = arena_alloc(u->scratch, s->n + 1, sizeof *open);
    size_t n = 0, braces = 0;
    for (size_t i = 0; i < s->n; i++) {
        uint32_t id = s->list[i].kind == ITEM_PUNCTUATOR ? s->list[i].id : 0;
        if (id == '(' || id == '[' || id == '{') {
            braces += id == '{';
            open[n++] = (uint32_t)i;
        } else if (id == '}' && braces) {
            braces--;
            for (bool found = false; !found;) {
                found = s->list[open[--n]].id == '{';
                s->closing[open[n]] = (uint32_t)i;
            }
        } else if ((id == ')' || id == ']') && n && closing_of(s->list[open[n - 1]].id) == id) {
            s->closing[open[--n]] = (uint32_t)i;
        }
    }
    while (n)
        s->closing[open[--n]] = (uint32_t)s->n;
}

static void find_active(struct unit *u, struct input *in, const struct stream *s, int32_t index);

/* ---- preprocessed text ---- */

/* One character of a string, after p; escapes as preprocessors write them into line markers. */
static char read_escaped(char **p, const char *end)
{
    char *s = *p;
    char c = *s++;
    if (c == '\\' && s < end) {
        c = *s++;
        if (c == 'n')
            c = '\n';
        else if (c >= '0' && c <= '7')
            for (c = (char)(c - '0'); s < end && s < *p + 4 && *s >= '0' && *s <= '7'; s++)
                c = (char)(c * 8 + (*s - '0'));
    }
    *p = s;
    return c;
}

/* # 12 "file" flags: the line number that follows, the file's name into `name`, and whether it is a
 * system header: one of the flags is 3. */
static unsigned long read_marker(struct arena *a, const char *text, const struct token *t,
                                 const char **name, bool *is_system)
{
    const char *end = text + t->end;
    char *p;
    unsigned long line = strtoul(text + t->body, &p, 10);
    while (p < end && *p != '"')
        p++;
    if (p < end) {
        char *out = arena_alloc(a, (size_t)(end - p) + 1, 1);
        size_t n = 0;
        for (p++; p < end && *p != '"';)
            out[n++] = read_escaped(&p, end);
        out[n] = '\0';
        *name = out;
        *is_system = false;
        for (; p < end; p++)
            *is_system |= *p == '3';
    }
    return line;
}

static int32_t find_input(const struct unit *u, const char *name)
{
    for (size_t i = 0; i < u->ninputs; i++)
        if (!strcmp(u->inputs[i].path, name))
            return (int32_t)i;
    return -1;
}

/* #define NAME, #undef NAME */
static void note_macro(struct builder *b, const char *text, const struct token *t)
{
    struct stream *s = &b->stream;
    size_t i = t->body, begin;
    while (i < t->end && (text[i] == ' ' || text[i] == '\t'))
        i++;
    for (begin = i; i < t->end && text[i] != ' ' && text[i] != '(' && text[i] != '\t'; i++)
        continue;
    ADD(b->unit->scratch, s, macros,
        (struct stream_macro){names_number(b->unit->names, text + begin, i - begin),
                              (uint32_t)begin, t->end, t->id == DIRECTIVE_DEFINE});
}

/* The pragma's number if it is one of ours with a mark (unit_mark): input and pragma. */
static bool read_mark(const struct unit *u, const char *text, const struct token *t,
                      struct item *out)
{
    unsigned long input, pragma;
    char *p;
    const char *s = text + t->body;
    while (*s == ' ' || *s == '\t')
        s++;
    if (strncmp(s, "cll_mark", 8))
        return false;
    input = strtoul(s + 8, &p, 10);
    pragma = strtoul(p, &p, 10);
    if (input >= u->ninputs || pragma >= u->inputs[input].npragmas)
        return false;
    out->kind = ITEM_CLL;
    out->input = (int32_t)input;
    out->pragma = (uint32_t)pragma;
    out->line = u->inputs[input].pragmas[pragma].first_line;
    return true;
}

static bool is_ours(const char *text, const struct token *t)
{
    const char *s = text + t->body;
    while (*s == ' ' || *s == '\t')
        s++;
    return !strncmp(s, "cll", 3) && (s[3] == ' ' || s[3] == '\t' || s[3] == '\n');
}

/* Does the line of the item show a pragma, in a spelling that the lexer does not take for one of ours? */
static bool is_spelled_out(const struct input *in, uint32_t line)
{
    size_t begin = in->lines[line - 1], end = line < in->nlines ? in->lines[line] : in->size;
    return memmem(in->text + begin, end - begin, "ragma", 5) ||
           memmem(in->text + begin, end - begin, "?\?", 2);
}

/* The text of another file as far as a message needs it: the pragma, at its line. */
static const struct source *shown_alone(struct arena *a, const struct stream *s, const char *file,
                                        struct span *span)
{
    enum { MOST_LINES = 1 << 20 };
    const struct item *i = &s->list[s->n - 1];
    size_t lines = i->line && i->line < MOST_LINES ? i->line - 1 : 0;
    struct source *source = arena_alloc(a, 1, sizeof *source);
    char *text = arena_printf(a, "%*s#pragma%.*s", (int)lines, "", (int)(i->end - i->begin),
                              s->text + i->begin);
    memset(text, '\n', lines);
    *source = (struct source){arena_strdup(a, file), text, strlen(text)};
    *span = (struct span){lines, source->size};
    return source;
}

/* Is the pragma written at this line of a file that is no input? Else a macro that is used there has it. */
static bool is_written(const char *file, uint32_t line)
{
    enum { MOST_BYTES = 64 << 20 };
    struct stat st;
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (stat(file, &st) || !S_ISREG(st.st_mode) || source_read(file, MOST_BYTES, &text, &size))
        return true;
    const char *p = text, *end = text + size;
    while (line-- > 1 && (p = memchr(p, '\n', (size_t)(end - p))))
        p++;
    const char *stop = p ? memchr(p, '\n', (size_t)(end - p)) : NULL;
    return p && memmem(p, (size_t)((stop ? stop : end) - p), "ragma", 5);
}

/* Complains about the last item of the stream in a file that is no input. Headers of the system are not the user's to change. */
static void refuse_in_file(struct unit *u, const struct stream *s, const char *file, bool is_system)
{
    struct span span;
    const struct source *source = shown_alone(u->arena, s, file, &span);
    if (!u->has_headers)
        diag_add(u->diag, SEVERITY_WARNING, source, span,
                 "this pragma is not translated here, because it comes from an included file; "
                 "compile with 'call cc'");
    else if (is_system)
        diag_add(u->diag, SEVERITY_WARNING, source, span,
                 "this pragma is not translated, because it is in a header of the system; name the "
                 "folder of the header with -I");
    else if (is_written(file, s->list[s->n - 1].line))
        diag_add(u->diag, SEVERITY_ERROR, source, span,
                 "this cll pragma cannot be translated, because call cc does not find this file; "
                 "write #include with the name of the file, and name its folder with -I");
    else
        diag_add(u->diag, SEVERITY_ERROR, source, span, MACRO_HAS_PRAGMA);
}

/* A pragma of ours that the text of no input shows: the last item of the stream, which comes from `file`. It
 * is not measured, and must be reported therefore. */
static void refuse_hidden(struct unit *u, const struct stream *s, const char *file, bool is_system)
{
    const struct source *source;
    struct span span;
    const struct item *i = &s->list[s->n - 1];
    if (!stream_item_position(u, s, s->n - 1, &source, &span))
        refuse_in_file(u, s, file, is_system);
    else if (is_spelled_out(&u->inputs[i->input], i->line))
        diag_add(
            u->diag, SEVERITY_ERROR, source, span,
            "this cll pragma cannot be translated, because of its spelling; write '#pragma cll', "
            "without trigraphs and prefixes of strings");
    else
        diag_add(u->diag, SEVERITY_ERROR, source, span, MACRO_HAS_PRAGMA);
}

/* The end of a stream. `notes`: what it shows of names is to be noted. */
static void finish(struct builder *b, const struct token *end, bool notes)
{
    struct unit *u = b->unit;
    add_plain(b, end);
    b->stream.n--;
    if (u->language == LANGUAGE_CXX)
        stream_match(u, &b->stream);
    if (!u->flags)
        create_flags(u);
    if (notes)
        note_seen(u, &b->stream);
    for (size_t i = 0; notes && i < b->stream.nmacros; i++)
        if (b->stream.macros[i].defined && b->stream.macros[i].name < u->nflags)
            u->flags[b->stream.macros[i].name] |= NAME_SEEN | NAME_MACRO;
}

struct stream stream_preprocessed(struct unit *u, const char *text, size_t size)
{
    struct tokens tokens = lex(u->scratch, u->names, text, size);
    struct builder b = {
        .unit = u, .stream = {.text = text, .preprocessed = true}, .capacity = tokens.n + 1};
    b.stream.list = arena_alloc(u->scratch, b.capacity, sizeof *b.stream.list);
    const char *name = "", *known = NULL;
    int32_t input = -1;
    bool is_system = false;
    long shift = 0; /* line of the file - line of the text */
    for (size_t i = 0; i < tokens.n; i++) {
        const struct token *t = &tokens.list[i];
        uint32_t line = (uint32_t)((long)t->line + shift);
        if (t->kind != TOKEN_DIRECTIVE) {
            struct item *item = add_plain(&b, t);
            item->line = line;
            item->input = input;
            item->pragma = is_system && u->language == LANGUAGE_CXX;
        } else if (t->id == DIRECTIVE_LINE) {
            shift = (long)read_marker(u->scratch, text, t, &name, &is_system) - (long)t->line - 1;
            if (!known || strcmp(name, known))
                input = find_input(u, known = name);
        } else if (t->id == DIRECTIVE_DEFINE || t->id == DIRECTIVE_UNDEF) {
            note_macro(&b, text, t);
        } else if (t->id == DIRECTIVE_PRAGMA || t->id == DIRECTIVE_PRAGMA_OPERATOR) {
            struct item *item = add(&b, ITEM_PRAGMA, 0, t);
            item->begin = t->body;
            item->line = line;
            item->input = input;
            if (!read_mark(u, text, t, item) && is_ours(text, t)) {
                refuse_hidden(u, &b.stream, name, is_system);
                b.stream.n--;
            }
        }
    }
    finish(&b, &tokens.list[tokens.n], true);
    for (size_t i = 0; i < u->ninputs; i++)
        find_active(u, &u->inputs[i], &b.stream, (int32_t)i);
    return b.stream;
}

/* ---- text as written ---- */

/* One conditional that is open: which of its branches is wanted, which one the reader is in. */
struct conditional {
    size_t wanted, branch;
    bool outer; /* is the text around it taken? */
};

enum { MAX_CONDITIONALS = 200, MAX_BRACKETS = 4096 };
#define NO_BRANCH ((size_t)-1)

/* Per #if token on the way to the pragma: the branch that leads to it. Returns how many. */
static size_t way_to(const struct input *in, size_t pragma_token, size_t *opening, size_t *branch)
{
    size_t n = 0, deeper = 0;
    for (size_t i = 0; i < pragma_token; i++) {
        const struct token *t = &in->tokens.list[i];
        if (t->kind != TOKEN_DIRECTIVE)
            continue;
        if (t->id == DIRECTIVE_IF || t->id == DIRECTIVE_IF_ZERO) {
            if (n == MAX_CONDITIONALS) {
                deeper++;
                continue;
            }
            opening[n] = i;
            branch[n++] = 0;
        } else if ((t->id == DIRECTIVE_ELIF || t->id == DIRECTIVE_ELSE) && n && !deeper) {
            branch[n - 1]++;
        } else if (t->id == DIRECTIVE_ENDIF) {
            if (deeper)
                deeper--;
            else if (n)
                n--;
        }
    }
    return n;
}

/* Per token that opens a conditional: the branch the preprocessor took, as seen by the lines it
 * kept. */
static void find_active(struct unit *u, struct input *in, const struct stream *s, int32_t index)
{
    uint32_t *kept =
        arena_zalloc(u->scratch, in->nlines + 2, sizeof *kept); /* lines kept up to here */
    for (size_t i = 0; i < s->n; i++)
        if (s->list[i].input == index && s->list[i].line <= in->nlines)
            kept[s->list[i].line] = 1;
    for (size_t i = 1; i <= in->nlines; i++)
        kept[i] += kept[i - 1];
    struct {
        size_t token, branch;
        uint32_t line;
    } stack[MAX_CONDITIONALS];
    size_t depth = 0, deeper = 0;
    in->active = arena_alloc(u->arena, in->tokens.n + 1, sizeof *in->active);
    for (size_t i = 0; i < in->tokens.n; i++) {
        const struct token *t = &in->tokens.list[i];
        if (t->kind != TOKEN_DIRECTIVE || t->id > DIRECTIVE_ENDIF || t->id == DIRECTIVE_OTHER)
            continue;
        bool opens = t->id == DIRECTIVE_IF || t->id == DIRECTIVE_IF_ZERO;
        if (opens && depth < MAX_CONDITIONALS) {
            in->active[i] = NO_BRANCH;
            stack[depth].token = i;
            stack[depth].branch = 0;
            stack[depth++].line = t->line;
        } else if (opens) {
            deeper++;
        } else if (deeper) {
            deeper -= t->id == DIRECTIVE_ENDIF;
        } else if (depth) {
            if (kept[t->line - 1] > kept[stack[depth - 1].line])
                in->active[stack[depth - 1].token] = stack[depth - 1].branch;
            stack[depth - 1].branch++;
            stack[depth - 1].line = t->line;
            depth -= t->id == DIRECTIVE_ENDIF;
        }
    }
}

static size_t wanted_branch(const struct input *in, const size_t *opening, const size_t *branch,
                            size_t n, size_t at, bool zero)
{
    for (size_t i = 0; i < n; i++)
        if (opening[i] == at)
            return branch[i];
    if (in->active)
        return in->active[at];
    return zero ? 1 : 0;
}

struct stream stream_raw(struct unit *u, size_t index, size_t pragma)
{
    const struct input *in = &u->inputs[index];
    struct builder b = {
        .unit = u, .stream = {.text = in->source->text}, .capacity = in->tokens.n + 1};
    b.stream.list = arena_alloc(u->scratch, b.capacity, sizeof *b.stream.list);
    size_t opening[MAX_CONDITIONALS], branch[MAX_CONDITIONALS];
    size_t nway = way_to(in, in->pragma_tokens[pragma], opening, branch);
    struct conditional stack[MAX_CONDITIONALS];
    size_t depth = 0, deeper = 0, next = 0;
    bool taken = true;
    for (size_t i = 0; i < in->tokens.n; i++) {
        const struct token *t = &in->tokens.list[i];
        while (next < in->npragmas && in->pragma_tokens[next] < i)
            next++;
        if (t->kind != TOKEN_DIRECTIVE) {
            if (taken)
                add_plain(&b, t)->input = (int32_t)index;
            continue;
        }
        switch (t->id) {
        case DIRECTIVE_IF:
        case DIRECTIVE_IF_ZERO:
            if (depth == MAX_CONDITIONALS) {
                deeper++;
                break;
            }
            stack[depth] = (struct conditional){
                wanted_branch(in, opening, branch, nway, i, t->id == DIRECTIVE_IF_ZERO), 0, taken};
            taken = taken && stack[depth++].wanted == 0;
            break;
        case DIRECTIVE_ELIF:
        case DIRECTIVE_ELSE:
            if (!deeper && depth) {
                struct conditional *c = &stack[depth - 1];
                taken = c->outer && ++c->branch == c->wanted;
            }
            break;
        case DIRECTIVE_ENDIF:
            if (deeper)
                deeper--;
            else if (depth)
                taken = stack[--depth].outer;
            break;
        case DIRECTIVE_PRAGMA:
        case DIRECTIVE_PRAGMA_OPERATOR:
            if (taken) {
                bool ours = next < in->npragmas && in->pragma_tokens[next] == i;
                struct item *item = add(&b, ours ? ITEM_CLL : ITEM_PRAGMA, 0, t);
                item->begin = t->body;
                item->input = (int32_t)index;
                item->pragma = (uint32_t)next;
            }
            break;
        case DIRECTIVE_DEFINE:
        case DIRECTIVE_UNDEF: note_macro(&b, in->text, t); break;
        default: break;
        }
    }
    finish(&b, &in->tokens.list[in->tokens.n], !u->preprocessed);
    return b.stream;
}

/* ---- arguments of macros ---- */

/* The brackets that are open, and where conditionals began: every branch begins alike. */
struct brackets {
    bool is_macro[MAX_BRACKETS]; /* the parenthesis after a macro's name */
    size_t n, macros, saved[MAX_CONDITIONALS], depth;
};

static void follow_bracket(const struct unit *u, const struct token *list, size_t i,
                           struct brackets *b)
{
    uint32_t id = list[i].id;
    if (id == '(' || id == '[' || id == '{') {
        bool macro = id == '(' && i && list[i - 1].kind == TOKEN_NAME &&
                     list[i - 1].id < u->nflags && (u->flags[list[i - 1].id] & NAME_MACRO);
        if (b->n < MAX_BRACKETS)
            b->is_macro[b->n] = macro;
        b->macros += macro && b->n < MAX_BRACKETS;
        b->n++;
    } else if ((id == ')' || id == ']' || id == '}') && b->n) {
        b->n--;
        b->macros -= b->n < MAX_BRACKETS && b->is_macro[b->n];
    }
}

static void follow_conditional(uint32_t directive, struct brackets *b)
{
    if (directive == DIRECTIVE_IF || directive == DIRECTIVE_IF_ZERO) {
        if (b->depth < MAX_CONDITIONALS)
            b->saved[b->depth] = b->n;
        b->depth++;
    } else if ((directive == DIRECTIVE_ELIF || directive == DIRECTIVE_ELSE) && b->depth &&
               b->depth <= MAX_CONDITIONALS) {
        size_t n = b->saved[b->depth - 1];
        for (; b->n > n; b->n--)
            b->macros -= b->n <= MAX_BRACKETS && b->is_macro[b->n - 1];
    } else if (directive == DIRECTIVE_ENDIF && b->depth) {
        b->depth--;
    }
}

void stream_check_arguments(struct unit *u)
{
    struct brackets *b = arena_alloc(u->scratch, 1, sizeof *b);
    for (size_t k = 0; k < u->ninputs; k++) {
        struct input *in = &u->inputs[k];
        size_t next = 0;
        b->n = b->macros = b->depth = 0;
        for (size_t i = 0; i < in->tokens.n && next < in->npragmas; i++) {
            const struct token *t = &in->tokens.list[i];
            if (t->kind == TOKEN_PUNCTUATOR)
                follow_bracket(u, in->tokens.list, i, b);
            else if (t->kind == TOKEN_DIRECTIVE)
                follow_conditional(t->id, b);
            if (in->pragma_tokens[next] != i)
                continue;
            struct pragma *p = &in->pragmas[next++];
            if (b->macros && !p->bad) {
                diag_add(
                    u->diag, SEVERITY_ERROR, in->source, p->word,
                    "this pragma is in the arguments of a macro; put it before or after the statement");
                p->bad = true;
            }
        }
    }
}

/* ---- places ---- */

bool stream_item_position(const struct unit *u, const struct stream *s, size_t item,
                          const struct source **source, struct span *span)
{
    const struct item *i = &s->list[item];
    if (i->input < 0)
        return false;
    const struct input *in = &u->inputs[i->input];
    *source = in->source;
    if (i->kind == ITEM_CLL) {
        *span = in->pragmas[i->pragma].word;
        return true;
    }
    if (!s->preprocessed) {
        *span = (struct span){i->begin, i->end};
        return true;
    }
    if (i->line == 0 || i->line > in->nlines)
        return false;
    /* The preprocessor keeps the line, not the column: look for the token's text there. */
    size_t begin = in->lines[i->line - 1],
           end = i->line < in->nlines ? in->lines[i->line] - 1 : in->size;
    size_t n = i->end - i->begin;
    for (size_t k = begin; k + n <= end; k++)
        if (!memcmp(in->text + k, s->text + i->begin, n)) {
            *span = (struct span){k, k + n};
            return true;
        }
    while (begin < end && (in->text[begin] == ' ' || in->text[begin] == '\t'))
        begin++;
    *span = (struct span){begin, begin < end ? begin + 1 : end};
    return true;
}
