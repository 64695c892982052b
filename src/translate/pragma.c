/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recursive descent over the bytes of a pragma. Comments and continuations inside it are blanked
 * first, in place, so that every offset keeps meaning the byte the user wrote.
 *
 *     pragma  = "parallel" DRIVER [machine] ["procs" "=" RANGE] ["trace"]
 *             | "uses" "PAPI"
 *             | "report" ("all" | NAME {"," NAME})
 *             | "for" "(" INIT ";" COND ";" STEP ")" ["shuffle"]
 *             | "end" ("for" | NAME)
 *             | ["sync" ["(" MACHINE ")"]] NAME [aliases] [part {";" part}]
 *     machine = MACHINE | WORD "=" '"' MACHINE '"'
 *     aliases = "(" alias {"," alias} ")"
 *     alias   = ALIAS ["=" EXPR | ":=" VARIABLE]
 *     part    = [OBS {"," OBS} "="] [FORMULA]
 */
#include "translate/pragma.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "base/misprint.h"
#include "base/text.h"
#include "translate/driver.h"
#include "translate/list.h"
#include "translate/procs.h"

struct reader {
    struct arena *arena;
    const struct source *source;
    struct diag *diag;
    size_t at, end;
    struct pragma *out;
    bool fortran; /* expressions are those of Fortran */
};

/* Bytes from 0x80 on belong to names: compilers take letters of all languages in UTF-8. */
static bool is_letter(char c)
{
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

bool pragma_is_name_byte(char c)
{
    return is_letter(c) || isdigit((unsigned char)c);
}

static char ahead(const struct reader *r)
{
    return r->at < r->end ? r->source->text[r->at] : '\0';
}

static void skip_blanks(struct reader *r)
{
    while (r->at < r->end && isspace((unsigned char)r->source->text[r->at]))
        r->at++;
}

static struct span rest_of(const struct reader *r)
{
    size_t end = r->end;
    while (end > r->at && isspace((unsigned char)r->source->text[end - 1]))
        end--;
    return (struct span){r->at, end};
}

/* The text at the reader, for a message to point at; at least one byte wide. */
static struct span here(const struct reader *r)
{
    size_t end = r->at;
    while (end < r->end && pragma_is_name_byte(r->source->text[end]))
        end++;
    if (end == r->at && end < r->end)
        end++;
    return r->at < r->end ? (struct span){r->at, end} : r->out->word;
}

/* NAME: the next word, NULL without one. */
static const char *read_word(struct reader *r, struct span *span)
{
    skip_blanks(r);
    size_t begin = r->at;
    if (!is_letter(ahead(r)))
        return NULL;
    while (r->at < r->end && pragma_is_name_byte(r->source->text[r->at]))
        r->at++;
    *span = (struct span){begin, r->at};
    return arena_strndup(r->arena, r->source->text + begin, r->at - begin);
}

/* The position of the first `c` of [begin, end) outside brackets and strings; end if there is none.
 */
static size_t find_outside(const char *text, size_t begin, size_t end, char c)
{
    int depth = 0;
    for (size_t i = begin; i < end; i++) {
        char x = text[i];
        if (x == c && depth == 0)
            return i;
        if (x == '"' || x == '\'') {
            for (i++; i < end && text[i] != x; i++)
                i += text[i] == '\\';
        } else if (x == '(' || x == '[') {
            depth++;
        } else if ((x == ')' || x == ']') && depth > 0) {
            depth--;
        }
    }
    return end;
}

/* The position of the first '=' that compares nothing, as in <= or ==. */
static size_t find_equals(const char *text, size_t begin, size_t end)
{
    for (;; begin++) {
        size_t at = find_outside(text, begin, end, '=');
        bool compares = at < end && ((at + 1 < end && text[at + 1] == '=') ||
                                     (at > begin && text[at - 1] && strchr("<>!", text[at - 1])));
        if (!compares)
            return at;
        begin = at + (text[at + 1] == '=');
    }
}

static bool expect_end(struct reader *r, const char *after)
{
    skip_blanks(r);
    if (r->at >= r->end)
        return true;
    diag_add(r->diag, SEVERITY_ERROR, r->source, rest_of(r), "nothing may follow %s in this pragma",
             after);
    return false;
}

/* ---- words of the language ---- */

static const char *const reserved[] = {"parallel", "uses", "for", "end", "report", "sync", "all"};

static bool name_is_reserved(const char *name)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (!strcmp(name, reserved[i]))
            return true;
    return false;
}

/* Is it this word of the language? Capitals do not matter in Fortran. */
static bool is_word(const struct reader *r, const char *s, const char *word)
{
    return !(r->fortran ? strcasecmp : strcmp)(s, word);
}

/* The next word; a reserved one is returned as it is written in the list. */
static const char *read_keyword(struct reader *r, struct span *span)
{
    const char *word = read_word(r, span);
    for (size_t i = 0; word && i < sizeof reserved / sizeof *reserved; i++)
        if (is_word(r, word, reserved[i]))
            return reserved[i];
    return word;
}

/* ---- near misses ---- */

/* Is `name[` in the rest of the pragma, as a constant of an experiment of that name would be? */
static bool has_constant(const struct reader *r, const char *name)
{
    const char *text = r->source->text;
    size_t n = strlen(name);
    for (size_t i = r->at; i + n < r->end; i++)
        if (text[i + n] == '[' && !memcmp(text + i, name, n) && !pragma_is_name_byte(text[i - 1]))
            return true;
    return false;
}

/* Does the rest read as a cll pragma without its `cll`? */
static bool reads_as_ours(struct reader r)
{
    struct span span;
    const char *word = read_word(&r, &span);
    return word && (name_is_reserved(word) || has_constant(&r, word));
}

/* `parallel PUB`, `report all`, `sync f f[0]`: it was meant, and `cll` is missing. */
static bool lacks_cll(struct reader r, const char *word)
{
    struct span span;
    const char *second = read_word(&r, &span);
    if (!second)
        return false;
    if (!strcmp(word, "parallel"))
        return driver_find(second) != NULL;
    return !strcmp(word, "report") || !strcmp(word, "sync");
}

/* The pragma is not ours: was it meant to be? */
static void find_near_miss(const struct reader *r, const char *word)
{
    struct pragma *out = r->out;
    if (is_misprint(word, "cll") || !strcasecmp(word, "cll")) {
        out->meant = "cll";
        out->surely_meant = reads_as_ours(*r);
    } else if (lacks_cll(*r, word)) {
        out->meant = arena_printf(r->arena, "cll %s", word);
        out->surely_meant = !strcmp(word, "parallel") || reads_as_ours(*r);
    }
}

/* ---- the kinds ---- */

const char *pragma_word_near(const char *name)
{
    for (size_t i = 0; i < sizeof reserved / sizeof *reserved; i++)
        if (is_misprint(name, reserved[i]))
            return reserved[i];
    return NULL;
}

/* The experiment's name, or NULL after a complaint. */
static const char *read_name(struct reader *r, struct span *span)
{
    const char *name = read_keyword(r, span);
    if (!name) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, here(r),
                 "the name of an experiment is expected here");
        return NULL;
    }
    if (name_is_reserved(name)) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, *span,
                 "'%s' is a word of the language and cannot name an experiment", name);
        return NULL;
    }
    return name;
}

/* Is `word` at `at`, as a word of its own? */
static bool word_at(const struct reader *r, size_t at, const char *word)
{
    const char *text = r->source->text;
    size_t n = strlen(word);
    return at + n <= r->end && !(r->fortran ? strncasecmp : strncmp)(text + at, word, n) &&
           isspace((unsigned char)text[at - 1]) &&
           (at + n == r->end || !(isalnum((unsigned char)text[at + n]) || text[at + n] == '_'));
}

/* "procs" "=" RANGE begins at `at`. */
static bool procs_at(const struct reader *r, size_t at)
{
    if (!word_at(r, at, "procs"))
        return false;
    for (at += 5; at < r->end && isspace((unsigned char)r->source->text[at]);)
        at++;
    return at < r->end && r->source->text[at] == '=';
}

/* "trace" at `at`, as a clause: nothing follows but another clause. */
static bool trace_at(const struct reader *r, size_t at)
{
    if (!word_at(r, at, "trace"))
        return false;
    for (at += 5; at < r->end && isspace((unsigned char)r->source->text[at]);)
        at++;
    return at == r->end || procs_at(r, at);
}

static struct span trimmed(const struct reader *r, struct span span)
{
    const char *text = r->source->text;
    while (span.end > span.begin && isspace((unsigned char)text[span.end - 1]))
        span.end--;
    while (span.begin < span.end && isspace((unsigned char)text[span.begin]))
        span.begin++;
    return span;
}

/* The machine of WORD = "MACHINE"; false after a complaint. */
static bool unwrap_machine(struct reader *r, const struct driver *driver, struct span *machine)
{
    const char *text = r->source->text, *word = driver->machine_word;
    size_t at = machine->begin;
    if (!word || !word_at(r, at, word))
        return true;
    struct span inside = trimmed(r, (struct span){at + strlen(word), machine->end});
    if (inside.begin == inside.end || text[inside.begin] != '=')
        return true; /* a variable of that name */
    inside.begin++;
    inside = trimmed(r, inside);
    if (inside.end - inside.begin < 3 || text[inside.begin] != '"' || text[inside.end - 1] != '"') {
        diag_add(
            r->diag, SEVERITY_ERROR, r->source,
            inside.begin < inside.end ? inside : (struct span){at, at + strlen(word)},
            "'%s =' must be followed by the machine in quotes, such as \"&bsp\"; the machine alone is also possible",
            word);
        return false;
    }
    *machine = trimmed(r, (struct span){inside.begin + 1, inside.end - 1});
    return true;
}

/* [MACHINE] ["procs" "=" RANGE] ["trace"], after the driver. */
static bool parse_machine(struct reader *r, const struct driver *driver)
{
    struct span machine = {r->at, r->end}, range = {r->end, r->end}, trace = {0, 0};
    bool good = true;
    for (size_t i = r->at; i < r->end; i++) {
        if (range.begin == r->end && procs_at(r, i)) {
            machine.end = trace.end ? machine.end : i;
            const char *equals = strchr(r->source->text + i, '=');
            range = (struct span){(size_t)(equals - r->source->text) + 1, r->end};
        } else if (trace_at(r, i)) {
            trace = (struct span){i, i + 5};
            *(range.begin < r->end ? &range.end : &machine.end) = i;
        }
    }
    if (trace.end && driver->has_trace) {
        r->out->trace = true;
    } else if (trace.end) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, trace, "%s programs have no trace",
                 driver->name);
        good = false;
    }
    machine = trimmed(r, machine);
    if (!unwrap_machine(r, driver, &machine)) {
        good = false;
    } else if (machine.begin < machine.end && !driver->prefix) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, machine,
                 "only 'procs = RANGE' may follow %s, which has no machines to choose from",
                 driver->name);
        good = false;
    } else if (machine.begin < machine.end) {
        r->out->machine = machine;
    }
    if (range.begin < r->end &&
        sweep_processors(r->arena, r->source, trimmed(r, range), r->diag, &r->out->processes))
        good = false;
    r->at = r->end;
    return good;
}

static bool parse_parallel(struct reader *r)
{
    struct span span;
    const char *name = read_word(r, &span);
    const struct driver *driver = name ? driver_find(name) : NULL;
    if (!driver) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, name ? span : here(r),
                 "one of the drivers %s is expected here", driver_list(r->arena));
        return false;
    }
    r->out->driver = driver;
    r->out->word = span;
    return parse_machine(r, driver);
}

static bool parse_uses(struct reader *r)
{
    struct span span;
    const char *name = read_word(r, &span);
    if (!name || !is_word(r, name, "PAPI")) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, name ? span : here(r),
                 "'uses' must be followed by PAPI");
        return false;
    }
    return expect_end(r, "'uses PAPI'");
}

static bool parse_report(struct reader *r)
{
    struct span span;
    struct text list;
    text_init(&list);
    bool good = true, all = false;
    do {
        const char *name = read_keyword(r, &span);
        if (name && !strcmp(name, "all") && !list.n) {
            all = true;
            break;
        }
        if (!name || name_is_reserved(name)) {
            diag_add(
                r->diag, SEVERITY_ERROR, r->source, name ? span : here(r),
                "'report' must be followed by 'all' or by the names of experiments, separated by "
                "commas");
            good = false;
            break;
        }
        text_printf(&list, "%s%s", list.n ? "," : "", name);
        GROW(r->arena, r->out, names);
        r->out->names[r->out->nnames++] = (struct pragma_name){name, span};
        skip_blanks(r);
    } while (ahead(r) == ',' && r->at++ < r->end);
    if (!all)
        r->out->reported = arena_strdup(r->arena, list.s);
    text_free(&list);
    return good && expect_end(r, "the names");
}

/* ["shuffle"], after the loop's parentheses. */
static bool parse_shuffle(struct reader *r)
{
    struct span span;
    size_t start = r->at;
    const char *clause = read_word(r, &span);
    if (!clause)
        return expect_end(r, "the loop's ')'");
    if (is_word(r, clause, "shuffle") && r->out->parts[0].begin >= r->out->parts[0].end) {
        diag_add(
            r->diag, SEVERITY_ERROR, r->source, span,
            "'shuffle' begins the loop again for each of its values, but this loop has no INIT; "
            "write it as in (n = first; n <= last; n *= 2)");
        return false;
    }
    if (is_word(r, clause, "shuffle")) {
        r->out->shuffle = true;
        return expect_end(r, "'shuffle'");
    }
    r->at = start;
    diag_add(r->diag, SEVERITY_ERROR, r->source, span,
             "only 'shuffle' may follow the loop's ')' in this pragma");
    return false;
}

/* INIT and STEP are assignments of Fortran. */
static bool check_fortran_loop(struct reader *r)
{
    const char *text = r->source->text;
    for (size_t i = 0; i < 3; i++) {
        struct span part = r->out->parts[i];
        bool assigns = false, other = false;
        for (size_t k = part.begin; k < part.end; k++) {
            char next = k + 1 < part.end ? text[k + 1] : '\0';
            assigns |= text[k] == '=' && next != '=' && !strchr("=<>/+-*", text[k - 1]);
            other |= (text[k] == '+' && next == '+') || (text[k] == '-' && next == '-') ||
                     (next == '=' && strchr("+-*", text[k]));
        }
        if (other || (i != 1 && !assigns) || part.begin >= part.end) {
            diag_add(r->diag, SEVERITY_ERROR, r->source,
                     part.begin < part.end ? part : r->out->word,
                     "the loop is written as in (n = 1; n <= 100; n = n*2): two assignments and a "
                     "condition of Fortran");
            return false;
        }
    }
    return true;
}

static bool parse_for(struct reader *r, struct span word)
{
    skip_blanks(r);
    const char *text = r->source->text;
    size_t close = ahead(r) == '(' ? find_outside(text, r->at + 1, r->end, ')') : r->end;
    if (close >= r->end) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, word,
                 "'cll for' must be followed by (INIT; CONDITION; STEP)");
        return false;
    }
    size_t one = find_outside(text, r->at + 1, close, ';');
    size_t two = one < close ? find_outside(text, one + 1, close, ';') : close;
    if (two >= close || find_outside(text, two + 1, close, ';') < close) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, (struct span){r->at, close + 1},
                 "the loop needs exactly three parts: (INIT; CONDITION; STEP)");
        return false;
    }
    r->out->header = (struct span){word.begin, close + 1};
    r->out->parts[0] = trimmed(r, (struct span){r->at + 1, one});
    r->out->parts[1] = trimmed(r, (struct span){one + 1, two});
    r->out->parts[2] = trimmed(r, (struct span){two + 1, close});
    if (r->fortran && !check_fortran_loop(r))
        return false;
    r->at = close + 1;
    return parse_shuffle(r);
}

static bool parse_end(struct reader *r)
{
    struct span span;
    size_t start = r->at;
    const char *name = read_keyword(r, &span);
    if (name && !strcmp(name, "for")) {
        r->out->kind = PRAGMA_END_FOR;
        r->out->word = (struct span){r->out->word.begin, span.end};
        return expect_end(r, "'end for'");
    }
    r->at = start;
    name = read_name(r, &span);
    if (!name)
        return false;
    r->out->name = name;
    r->out->word = span;
    return expect_end(r, "the name");
}

/* ---- a region's begin ---- */

static void add_variable(struct reader *r, const char *name, struct span span)
{
    GROW(r->arena, r->out, variables);
    r->out->variables[r->out->nvariables++] = (struct pragma_variable){name, span, NULL, false};
}

static bool has_variable(const struct pragma *p, const char *name)
{
    for (size_t i = 0; i < p->nvariables; i++)
        if (!strcmp(p->variables[i].name, name))
            return true;
    return false;
}

/* An alias's expression is evaluated at the region's begin in the instrumented program only: it
 * must not do anything. Of the functions that it calls, the user vouches for that. It becomes an argument
 * of a macro, which brackets do not protect from a comma. Returns what is wrong with it, or NULL. */
static const char *expression_fault(const char *s, size_t n, bool fortran)
{
    int parentheses = 0;
    for (size_t i = 0; fortran && i < n; i++) { /* in parentheses, '=' names an argument */
        parentheses += (s[i] == '(') - (s[i] == ')');
        if (s[i] == '=' && !parentheses && (i + 1 == n || s[i + 1] != '=') &&
            !strchr("=<>/", i ? s[i - 1] : ' '))
            return "assigns";
        if (s[i] == ';' || s[i] == '&')
            return "is not an arithmetic expression";
    }
    if (fortran)
        return NULL;
    for (size_t i = 0; i < n; i++) {
        char c = s[i], next = i + 1 < n ? s[i + 1] : '\0', before = i ? s[i - 1] : '\0';
        if (c == '=' && next == '=')
            i++;
        else if (c == '=' && !strchr("<>!", before ? before : ' '))
            return "assigns";
        else if ((c == '+' && next == '+') || (c == '-' && next == '-'))
            return "changes a variable";
        else if (!c || c == '{' || c == ';' || c == '"' || c == '#')
            return "is not an arithmetic expression";
        else if (c == ',' && !parentheses)
            return "has a comma in brackets, which needs parentheses around it";
        parentheses += (c == '(') - (c == ')');
    }
    return NULL;
}

/* A value at the end of the region is read from the object that the expression names at its begin, because the
 * region can end anywhere. Returns whether it names one: n, s->count, n[i + 1], *p, but no n + 1 and no call. */
static bool names_object(const char *s, size_t n)
{
    int brackets = 0;
    bool named = false; /* a name came before */
    for (size_t i = 0; i < n; i++) {
        char c = s[i], before = i ? s[i - 1] : '\0', next = i + 1 < n ? s[i + 1] : '\0';
        bool arrow = (c == '-' && next == '>') || (c == '>' && before == '-');
        brackets += (c == '[') - (c == ']');
        if (brackets > 0 || c == ']' || arrow || strchr(" \t\n.:)", c))
            continue;
        if (pragma_is_name_byte(c))
            named = true;
        else if (named || (c != '*' && c != '('))
            return false;
    }
    return named && !isdigit((unsigned char)s[strspn(s, "*( \t\n")]);
}

/* The same in Fortran: n, grid%count, n(i + 1). Only the compiler knows whether n(i) is an element or a
 * call. */
static bool names_fortran_object(const char *s, size_t n)
{
    int brackets = 0;
    bool good = n && isalpha((unsigned char)s[0]);
    for (size_t i = 0; i < n && good; i++) {
        brackets += (s[i] == '(') - (s[i] == ')');
        good = brackets > 0 || strchr("%) \t\r\n", s[i]) || pragma_is_name_byte(s[i]);
    }
    return good && brackets == 0;
}

/* Takes "=" or ":="; *at_end tells which. */
static bool take_equals(struct reader *r, bool *at_end)
{
    *at_end = ahead(r) == ':' && r->at + 1 < r->end && r->source->text[r->at + 1] == '=';
    if (!*at_end && ahead(r) != '=')
        return false;
    r->at += *at_end ? 2 : 1;
    return true;
}

/* ALIAS ["=" EXPR | ":=" VARIABLE], up to `close`: the name, and the expression, which is the name itself without
 * one. NULL after a complaint. */
static const char *read_alias(struct reader *r, size_t close, struct span *name, struct span *e,
                              bool *at_end)
{
    const char *text = r->source->text, *alias = read_word(r, name);
    skip_blanks(r);
    bool alone = alias && (ahead(r) == ',' || r->at == close);
    *at_end = false;
    if (!alone && (!alias || !take_equals(r, at_end))) {
        diag_add(
            r->diag, SEVERITY_ERROR, r->source, alias ? *name : here(r),
            "NAME = EXPRESSION is expected here, or NAME := VARIABLE for the value at the end");
        return NULL;
    }
    if (alone) {
        *e = *name;
        return alias;
    }
    skip_blanks(r);
    *e = trimmed(r, (struct span){r->at, find_outside(text, r->at, close, ',')});
    return alias;
}

/* What is wrong with an alias's expression: complained about. */
static bool alias_is_good(struct reader *r, const char *alias, struct span name, struct span e,
                          bool at_end)
{
    const char *text = r->source->text + e.begin;
    const char *fault =
        e.end > e.begin ? expression_fault(text, e.end - e.begin, r->fortran) : "is missing";
    if (fault)
        diag_add(r->diag, SEVERITY_ERROR, r->source, e.end > e.begin ? e : name,
                 "the expression of '%s' %s; it may compute and call functions, but not change "
                 "anything",
                 alias, fault);
    else if (at_end && !(r->fortran ? names_fortran_object : names_object)(text, e.end - e.begin))
        diag_add(r->diag, SEVERITY_ERROR, r->source, e,
                 "':=' reads a variable when the region ends, such as n, %s; assign this "
                 "expression to a variable in the region, and name that one",
                 r->fortran ? "grid%count or n(i)" : "s->count or *p");
    else if (has_variable(r->out, alias))
        diag_add(r->diag, SEVERITY_ERROR, r->source, name, "'%s' is named twice", alias);
    else
        return true;
    return false;
}

/* "(" alias {"," alias} ")" */
static bool parse_aliases(struct reader *r)
{
    const char *text = r->source->text;
    size_t close = find_outside(text, r->at + 1, r->end, ')');
    if (close >= r->end) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, here(r), "this '(' is not closed");
        return false;
    }
    bool good = true;
    while (r->at < close) {
        r->at++;
        struct span span, e;
        bool at_end;
        const char *alias = read_alias(r, close, &span, &e, &at_end);
        if (!alias)
            return false;
        size_t stop = find_outside(text, r->at, close, ',');
        if (alias_is_good(r, alias, span, e, at_end)) {
            add_variable(r, alias, e);
            r->out->variables[r->out->nvariables - 1].at_end = at_end;
        } else {
            good = false;
        }
        r->at = stop;
    }
    r->at = close + 1;
    return good;
}

static void add_formula(struct reader *r, const char *observable, const char *text)
{
    GROW(r->arena, r->out, formulas);
    r->out->formulas[r->out->nformulas++] = (struct pragma_formula){observable, text};
}

static bool is_function(const char *name, size_t n)
{
    for (const struct formula_function *f = formula_functions; f->name; f++)
        if (strlen(f->name) == n && !strncasecmp(f->name, name, n))
            return true;
    return n == 3 && !memcmp(name, "sum", 3); /* of definitions: the parser tells */
}

/* The end of NAME%NAME(...) and the like, which begins at `at`. */
static size_t path_end(const char *text, size_t at, size_t end)
{
    for (;;) {
        while (at < end && pragma_is_name_byte(text[at]))
            at++;
        if (at < end && text[at] == '(')
            at = find_outside(text, at + 1, end, ')') + 1;
        if (at >= end || text[at] != '%')
            return at < end ? at : end;
        at++;
    }
}

/* Components, elements and functions of Fortran are no parts of formulas. */
static void refuse_path(struct reader *r, struct span span)
{
    const char *text = r->source->text, *name = r->out->name;
    size_t n = strlen(name);
    bool constant = !strncmp(text + span.begin, name, n) && text[span.begin + n] == '(' &&
                    isdigit((unsigned char)text[span.begin + n + 1]);
    if (constant)
        diag_add(r->diag, SEVERITY_ERROR, r->source, span,
                 "the constants of '%s' are written with brackets: %s[0], %s[1]", name, name, name);
    else
        diag_add(r->diag, SEVERITY_ERROR, r->source, span,
                 "formulas have names only: give this value one before the formula, as in "
                 "'%s(n = %.*s)', and write n here",
                 name, (int)(span.end - span.begin), text + span.begin);
}

/* False after a complaint. */
static bool check_fortran_formula(struct reader *r, struct span where)
{
    const char *text = r->source->text;
    for (size_t i = where.begin, end; i < where.end; i = end) {
        for (end = i; end < where.end && pragma_is_name_byte(text[end]);)
            end++;
        if (end == i) {
            end++;
        } else if (is_letter(text[i]) && end < where.end &&
                   (text[end] == '%' || (text[end] == '(' && !is_function(text + i, end - i)))) {
            refuse_path(r, (struct span){i, path_end(text, i, where.end)});
            return false;
        }
    }
    return true;
}

/* The formula of `where`: its canonical text ("" for none), NULL after a complaint. Its variables
 * are added. */
static const char *parse_formula(struct reader *r, struct span where)
{
    if (where.begin >= where.end)
        return "";
    if (r->fortran && !check_fortran_formula(r, where))
        return NULL;
    const char *const experiments[] = {r->out->name, NULL};
    struct formula_options options = {.experiments = experiments};
    const struct formula *f = formula_parse(r->arena, r->source, where, &options, r->diag);
    const struct formula_linear *linear =
        f ? formula_linearize(r->arena, f, r->source, r->diag) : NULL;
    if (!linear)
        return NULL;
    if (!linear->nterms)
        diag_add(r->diag, SEVERITY_WARNING, r->source, where,
                 "this formula has no constant %s[0], %s[1], ...: there is nothing to fit",
                 r->out->name, r->out->name);
    struct formula_variables v = formula_variables(r->arena, f);
    for (size_t i = 0; i < v.n; i++)
        if (!has_variable(r->out, v.list[i].name)) {
            r->out->uses_p |= !strcmp(v.list[i].name, "P");
            r->out->uses_t |= !strcmp(v.list[i].name, "T");
            add_variable(r, v.list[i].name, v.list[i].span);
        }
    return formula_text(r->arena, f);
}

/* OBS {"," OBS}: names of counters, which may hold ':', '-' and '.'. */
static bool parse_observables(struct reader *r, size_t stop, const char **list, size_t *n)
{
    for (;;) {
        skip_blanks(r);
        size_t begin = r->at;
        while (r->at < stop &&
               (isalnum((unsigned char)ahead(r)) || (ahead(r) && strchr("_:-.", ahead(r)))))
            r->at++;
        if (r->at == begin ||
            !(isalpha((unsigned char)r->source->text[begin]) || r->source->text[begin] == '_')) {
            r->at = begin;
            diag_add(
                r->diag, SEVERITY_ERROR, r->source, here(r),
                "the name of an observable (CLOCK, CPUTIME or a counter) is expected before '='");
            return false;
        }
        const char *name = arena_strndup(r->arena, r->source->text + begin, r->at - begin);
        for (size_t i = 0; i < r->out->nformulas + *n; i++) {
            const char *have = i < *n ? list[i] : r->out->formulas[i - *n].observable;
            if (!strcmp(have, name)) {
                diag_add(r->diag, SEVERITY_ERROR, r->source, (struct span){begin, r->at},
                         "'%s' has a formula already", name);
                return false;
            }
        }
        if (*n + r->out->nformulas == PRAGMA_MAX_OBSERVABLES) {
            diag_add(r->diag, SEVERITY_ERROR, r->source, (struct span){begin, r->at},
                     "an experiment has at most %d observables", PRAGMA_MAX_OBSERVABLES);
            return false;
        }
        list[(*n)++] = name;
        skip_blanks(r);
        if (r->at >= stop)
            return true;
        if (ahead(r) != ',') {
            diag_add(r->diag, SEVERITY_ERROR, r->source, here(r),
                     "observables are separated by commas");
            return false;
        }
        r->at++;
    }
}

/* part = [OBS {"," OBS} "="] [FORMULA] */
static bool parse_part(struct reader *r, size_t end)
{
    const char *observables[PRAGMA_MAX_OBSERVABLES] = {"CLOCK"};
    size_t n = 0, equals = find_equals(r->source->text, r->at, end);
    bool good = true;
    if (equals < end) {
        good = parse_observables(r, equals, observables, &n);
        r->at = equals + 1;
    } else {
        for (size_t i = 0; i < r->out->nformulas; i++)
            if (!strcmp(r->out->formulas[i].observable, "CLOCK")) {
                skip_blanks(r);
                diag_add(r->diag, SEVERITY_ERROR, r->source, here(r),
                         "CLOCK has a formula already");
                good = false;
            }
        n = 1;
    }
    skip_blanks(r);
    struct span where = {r->at, end};
    while (where.end > where.begin && isspace((unsigned char)r->source->text[where.end - 1]))
        where.end--;
    const char *text = parse_formula(r, where);
    r->at = end;
    if (!good || !text)
        return false;
    for (size_t i = 0; i < n; i++)
        add_formula(r, observables[i], text);
    return true;
}

/* Is the '(' at the reader the begin of aliases (NAME = or NAME :=), and not of a formula? After a list of names
 * alone, (NAME, NAME), no operator follows. */
static bool aliases_ahead(const struct reader *r)
{
    struct reader look = *r;
    struct span span;
    if (ahead(&look) != '(')
        return false;
    do {
        look.at++;
        if (!read_word(&look, &span))
            return false;
        skip_blanks(&look);
    } while (ahead(&look) == ',');
    if (ahead(&look) != ')') {
        bool at_end;
        return take_equals(&look, &at_end) && (at_end || ahead(&look) != '=');
    }
    look.at++;
    skip_blanks(&look);
    return look.at == look.end || !strchr("+-*/^<>=!&|", ahead(&look));
}

static bool parse_begin(struct reader *r)
{
    struct span span;
    const char *name = read_name(r, &span);
    if (!name)
        return false;
    r->out->name = name;
    r->out->word = span;
    skip_blanks(r);
    bool good = !aliases_ahead(r) || parse_aliases(r);
    while (good && (skip_blanks(r), r->at < r->end)) {
        size_t end = find_outside(r->source->text, r->at, r->end, ';');
        good = parse_part(r, end) && good;
        r->at = end < r->end ? end + 1 : end;
    }
    if (good && !r->out->nformulas)
        add_formula(r, "CLOCK", "");
    if (good && r->out->nvariables > PRAGMA_MAX_VARIABLES) {
        diag_add(r->diag, SEVERITY_ERROR, r->source, span,
                 "'%s' has %zu variables; at most %d can be recorded", name, r->out->nvariables,
                 PRAGMA_MAX_VARIABLES);
        return false;
    }
    const char *meant = good ? NULL : pragma_word_near(name);
    if (meant)
        diag_add(r->diag, SEVERITY_NOTE, r->source, span, "did you mean '%s'?", meant);
    return good;
}

/* "sync" ["(" MACHINE ")"], then the region. A sequential program has nothing to synchronise. */
static bool parse_sync(struct reader *r)
{
    bool good = true;
    r->out->sync = true;
    r->out->sync_word = r->out->word;
    skip_blanks(r);
    if (ahead(r) == '(') {
        size_t close = find_outside(r->source->text, r->at + 1, r->end, ')');
        if (close >= r->end) {
            diag_add(r->diag, SEVERITY_ERROR, r->source, here(r), "this '(' is not closed");
            return false;
        }
        r->out->machine = trimmed(r, (struct span){r->at + 1, close});
        if (r->out->machine.begin == r->out->machine.end) {
            diag_add(r->diag, SEVERITY_ERROR, r->source, (struct span){r->at, close + 1},
                     "a machine is expected between the parentheses; 'sync' alone means all");
            good = false;
        }
        r->at = close + 1;
    }
    return parse_begin(r) && good;
}

static bool parse_kind(struct reader *r)
{
    static const struct {
        const char *word;
        enum pragma_kind kind;
        bool (*parse)(struct reader *r);
    } kinds[] = {{"parallel", PRAGMA_PARALLEL, parse_parallel},
                 {"uses", PRAGMA_USES, parse_uses},
                 {"report", PRAGMA_REPORT, parse_report},
                 {"end", PRAGMA_END, parse_end},
                 {"sync", PRAGMA_BEGIN, parse_sync}};
    struct span span;
    skip_blanks(r);
    size_t start = r->at;
    const char *word = read_keyword(r, &span);
    if (word) {
        r->out->word = span;
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
            if (!strcmp(word, kinds[i].word)) {
                r->out->kind = kinds[i].kind;
                return kinds[i].parse(r);
            }
        if (!strcmp(word, "for")) {
            r->out->kind = PRAGMA_FOR;
            return parse_for(r, span);
        }
    }
    r->at = start;
    r->out->kind = PRAGMA_BEGIN;
    return parse_begin(r);
}

/* The string of a _Pragma: \" and \\ lose their backslash, which becomes a blank before them, and
 * so does the backslash of a continued line. */
static void blank_escapes(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i + 1 < end; i++)
        if (text[i] == '\\' && text[i + 1] && strchr("\"\\\r\n", text[i + 1]))
            text[i++] = ' ';
}

static size_t operator_end(const char *text, const struct token *t)
{
    size_t end = t->end;
    while (end > t->body && text[end - 1] != '"')
        end--;
    return end > t->body ? end - 1 : t->body;
}

bool pragma_parse(struct arena *a, const struct source *source, char *text, const struct token *t,
                  struct diag *diag, struct pragma *out)
{
    memset(out, 0, sizeof *out);
    bool is_operator = t->id == DIRECTIVE_PRAGMA_OPERATOR;
    size_t end = is_operator ? operator_end(text, t) : t->end;
    struct reader r = {a, source, diag, t->body, end, out, t->id == DIRECTIVE_FORTRAN};
    struct span span = {t->begin, t->begin + 1};
    if (is_operator)
        blank_escapes(text, t->body, end);
    else if (!r.fortran)
        lex_blank(text, t->begin, end);
    out->word = span;
    const char *word = read_word(&r, &span);
    if (word)
        out->word = span;
    if (!word || strcmp(word, "cll")) {
        if (word)
            find_near_miss(&r, word);
        return false;
    }
    out->is_operator = is_operator;
    out->whole = (struct span){t->begin, t->end};
    out->first_line = out->last_line = t->line;
    for (size_t i = t->begin; i < t->end; i++)
        out->last_line += text[i] == '\n';
    out->bad = !parse_kind(&r);
    return true;
}
