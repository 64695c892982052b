/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The begin of a region: its name, aliases, observables and formulas (see the grammar in pragma.c). */
#include <ctype.h>
#include <string.h>

#include "translate/list.h"
#include "translate/pragma_reader.h"

static void add_variable(struct pragma_reader *r, const char *name, struct span span)
{
    ADD(r->arena, r->out, variables, (struct pragma_variable){.name = name, .span = span});
}

bool pragma_has_variable(const struct pragma *p, const char *name)
{
    for (size_t i = 0; i < p->nvariables; i++)
        if (!strcmp(p->variables[i].name, name))
            return true;
    return false;
}

static bool is_setting(const struct pragma *p, const char *name)
{
    for (size_t i = 0; i < p->nsettings; i++)
        if (!strcmp(p->settings[i].name, name))
            return true;
    return false;
}

bool pragma_computes(const struct pragma *p)
{
    for (size_t i = 0; i < p->nvariables; i++)
        if (p->variables[i].computed)
            return true;
    return false;
}

/* An alias's expression is evaluated at the region's start in the instrumented program only: it
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
        bool shifts = i > 1 && before == s[i - 2]; /* <<= and >>= */
        if (c == '=' && next == '=')
            i++;
        else if (c == '=' && (shifts || !strchr("<>!", before ? before : ' ')))
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

/* A value at the end of the region is read from the object that the expression names at its begin. Returns whether it
 * names one: n, s->count, n[i + 1], *p, but no n + 1, no call and no cast, which are computed at the end. */
static bool names_object(const char *s, size_t n)
{
    int brackets = 0;
    bool named = false; /* a name came before */
    char last = '\0';   /* the last byte that is not a blank */
    for (size_t i = 0; i < n; i++) {
        char c = s[i], before = i ? s[i - 1] : '\0', next = i + 1 < n ? s[i + 1] : '\0';
        bool arrow = (c == '-' && next == '>') || (c == '>' && before == '-');
        last = before && !isspace((unsigned char)before) ? before : last;
        brackets += (c == '[') - (c == ']');
        if (brackets > 0 || c == ']' || arrow || strchr(" \t\n.:)", c))
            continue;
        bool apart = last == ')' || (pragma_is_name_byte(last) && !pragma_is_name_byte(before));
        if (pragma_is_name_byte(c) && !apart) /* no (long)n, no sizeof n */
            named = true;
        else if (named || (c != '*' && c != '('))
            return false;
    }
    return named && !isdigit((unsigned char)s[strspn(s, "*( \t\n")]);
}

/* Functions of Fortran that give a number. */
static bool is_intrinsic(const char *name, size_t n)
{
    static const char *const names[] = {
        "abs",        "aimag",       "aint",   "anint",  "ceiling",    "count",        "dble",
        "dim",        "dot_product", "dprod",  "exp",    "exponent",   "floor",        "fraction",
        "hypot",      "huge",        "iachar", "iand",   "ichar",      "ieor",         "index",
        "int",        "ior",         "ishft",  "lbound", "leadz",      "len",          "len_trim",
        "log",        "log10",       "max",    "maxval", "merge",      "min",          "minval",
        "mod",        "modulo",      "nint",   "norm2",  "num_images", "popcnt",       "product",
        "real",       "scan",        "sign",   "size",   "sqrt",       "storage_size", "sum",
        "this_image", "trailz",      "ubound", "verify"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i]) == n && !strncasecmp(names[i], name, n))
            return true;
    return false;
}

/* The same in Fortran: n, grid%count, n(i + 1). Only the compiler knows whether n(i) is an element or a
 * call, unless the name is that of an intrinsic function, or there is nothing between the parentheses. */
static bool names_fortran_object(const char *s, size_t n)
{
    int brackets = 0;
    bool good = n && isalpha((unsigned char)s[0]);
    size_t name = 0;
    while (name < n && pragma_is_name_byte(s[name]))
        name++;
    size_t open = name + strspn(s + name, " \t\r\n");
    if (open < n && s[open] == '(' && is_intrinsic(s, name))
        return false;
    for (size_t i = 0; i < n && good; i++) {
        size_t inside = i + 1 + strspn(s + i + 1, " \t\r\n");
        bool empty = s[i] == '(' && inside < n && s[inside] == ')';
        brackets += (s[i] == '(') - (s[i] == ')');
        good = !empty && (brackets > 0 || strchr("%) \t\r\n", s[i]) || pragma_is_name_byte(s[i]));
    }
    return good && brackets == 0;
}

/* Takes "=" or ":="; *at_end tells which. */
static bool take_equals(struct pragma_reader *r, bool *at_end)
{
    *at_end = pragma_ahead(r) == ':' && r->at + 1 < r->end && r->source->text[r->at + 1] == '=';
    if (!*at_end && pragma_ahead(r) != '=')
        return false;
    r->at += *at_end ? 2 : 1;
    return true;
}

/* ALIAS ["=" EXPR | ":=" EXPR], up to `close`: the name, and the expression, which is the name itself without
 * one. NULL after a complaint. */
static const char *read_alias(struct pragma_reader *r, size_t close, struct span *name,
                              struct span *e, bool *at_end)
{
    const char *text = r->source->text, *alias = pragma_read_word(r, name);
    pragma_skip_blanks(r);
    bool alone = alias && (pragma_ahead(r) == ',' || r->at == close);
    *at_end = false;
    if (!alone && (!alias || !take_equals(r, at_end))) {
        diag_add(
            r->diag, SEVERITY_ERROR, r->source, alias ? *name : pragma_here(r),
            "NAME = EXPRESSION is expected here, or NAME := EXPRESSION for the value at the end");
        return NULL;
    }
    if (alone) {
        *e = *name;
        return alias;
    }
    pragma_skip_blanks(r);
    *e = pragma_trimmed(r, (struct span){r->at, pragma_find_outside(text, r->at, close, ',')});
    return alias;
}

static bool is_new_name(struct pragma_reader *r, const char *name, struct span span)
{
    if (pragma_has_variable(r->out, name) || is_setting(r->out, name))
        return REFUSE(r, span, "'%s' is named twice", name);
    return true;
}

/* What is wrong with an alias's expression: complained about. */
static bool alias_is_good(struct pragma_reader *r, const char *alias, struct span name,
                          struct span e)
{
    const char *text = r->source->text + e.begin;
    const char *fault =
        e.end > e.begin ? expression_fault(text, e.end - e.begin, r->fortran) : "is missing";
    if (fault)
        return REFUSE(r, e.end > e.begin ? e : name,
                      "the expression of '%s' %s; it may compute and call functions, but not "
                      "change anything",
                      alias, fault);
    return is_new_name(r, alias, name);
}

/* Is it "setting NAME"? A variable may be called `setting`. */
static bool setting_ahead(const struct pragma_reader *r)
{
    struct pragma_reader look = *r;
    struct span span;
    const char *word = pragma_read_word(&look, &span);
    return word && !strcmp(word, "setting") && pragma_read_word(&look, &span);
}

/* "setting" NAME, up to `close`. False after a complaint. */
static bool read_setting(struct pragma_reader *r, size_t close)
{
    struct span span;
    pragma_read_word(r, &span);
    const char *name = pragma_read_word(r, &span);
    pragma_skip_blanks(r);
    if (pragma_ahead(r) != ',' && r->at != close)
        return REFUSE(r, span,
                      "a setting has only a name: its value comes from CLL_SETTINGS or call run "
                      "--vary");
    if (!strcmp(name, "P"))
        return REFUSE(r, span, "P is the number of processors, and no setting");
    if (!is_new_name(r, name, span))
        return false;
    ADD(r->arena, r->out, settings, (struct pragma_name){name, span});
    return true;
}

/* ALIAS [("=" | ":=") EXPR], up to `close`. False after a complaint. */
static bool parse_alias(struct pragma_reader *r, size_t close)
{
    struct span span, e;
    bool at_end;
    const char *alias = read_alias(r, close, &span, &e, &at_end);
    if (!alias || !alias_is_good(r, alias, span, e))
        return false;
    add_variable(r, alias, e);
    struct pragma_variable *v = &r->out->variables[r->out->nvariables - 1];
    v->at_end = at_end;
    v->computed = at_end && !(r->fortran ? names_fortran_object : names_object)(
                                r->source->text + e.begin, e.end - e.begin);
    return true;
}

/* "(" alias {"," alias} ")", where an alias may be a setting */
static bool parse_aliases(struct pragma_reader *r)
{
    const char *text = r->source->text;
    size_t close = pragma_find_outside(text, r->at + 1, r->end, ')');
    if (close >= r->end)
        return REFUSE(r, pragma_here(r), "this '(' is not closed");
    bool good = true;
    while (r->at < close) {
        r->at++;
        size_t stop = pragma_find_outside(text, r->at, close, ',');
        good &= (setting_ahead(r) ? read_setting : parse_alias)(r, close);
        r->at = stop;
    }
    r->at = close + 1;
    return good;
}

static void add_formula(struct pragma_reader *r, const char *observable, const char *text)
{
    ADD(r->arena, r->out, formulas, (struct pragma_formula){observable, text});
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
            at = pragma_find_outside(text, at + 1, end, ')') + 1;
        if (at >= end || text[at] != '%')
            return at < end ? at : end;
        at++;
    }
}

/* Components, elements and functions of Fortran are no parts of formulas. */
static void refuse_path(struct pragma_reader *r, struct span span)
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
static bool check_fortran_formula(struct pragma_reader *r, struct span where)
{
    const char *text = r->source->text;
    for (size_t i = where.begin, end; i < where.end; i = end) {
        for (end = i; end < where.end && pragma_is_name_byte(text[end]);)
            end++;
        if (end == i) {
            end++;
        } else if (pragma_is_letter(text[i]) && end < where.end &&
                   (text[end] == '%' || (text[end] == '(' && !is_function(text + i, end - i)))) {
            refuse_path(r, (struct span){i, path_end(text, i, where.end)});
            return false;
        }
    }
    return true;
}

/* The formula of `where`: its canonical text ("" for none), NULL after a complaint. Its variables
 * are added. */
static const char *parse_formula(struct pragma_reader *r, struct span where)
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
        if (!pragma_has_variable(r->out, v.list[i].name) && !is_setting(r->out, v.list[i].name)) {
            r->out->uses_p |= !strcmp(v.list[i].name, "P");
            r->out->uses_t |= !strcmp(v.list[i].name, "T");
            add_variable(r, v.list[i].name, v.list[i].span);
        }
    return formula_text(r->arena, f);
}

/* OBS {"," OBS}: names of counters, which may hold ':', '-' and '.'. */
static bool parse_observables(struct pragma_reader *r, size_t stop, const char **list, size_t *n)
{
    for (;;) {
        pragma_skip_blanks(r);
        size_t begin = r->at;
        while (r->at < stop && (isalnum((unsigned char)pragma_ahead(r)) ||
                                (pragma_ahead(r) && strchr("_:-.", pragma_ahead(r)))))
            r->at++;
        if (r->at == begin ||
            !(isalpha((unsigned char)r->source->text[begin]) || r->source->text[begin] == '_')) {
            r->at = begin;
            return REFUSE(
                r, pragma_here(r),
                "the name of an observable (CLOCK, CPUTIME or a counter) is expected before '='");
        }
        const char *name = arena_strndup(r->arena, r->source->text + begin, r->at - begin);
        for (size_t i = 0; i < r->out->nformulas + *n; i++) {
            const char *have = i < *n ? list[i] : r->out->formulas[i - *n].observable;
            if (!strcmp(have, name))
                return REFUSE(r, (struct span){begin, r->at}, "'%s' has a formula already", name);
        }
        if (*n + r->out->nformulas == PRAGMA_MAX_OBSERVABLES)
            return REFUSE(r, (struct span){begin, r->at},
                          "an experiment has at most %d observables", PRAGMA_MAX_OBSERVABLES);
        list[(*n)++] = name;
        pragma_skip_blanks(r);
        if (r->at >= stop)
            return true;
        if (pragma_ahead(r) != ',')
            return REFUSE(r, pragma_here(r), "observables are separated by commas");
        r->at++;
    }
}

/* part = [OBS {"," OBS} "="] [FORMULA] */
static bool parse_part(struct pragma_reader *r, size_t end)
{
    const char *observables[PRAGMA_MAX_OBSERVABLES] = {"CLOCK"};
    size_t n = 0, equals = pragma_find_equals(r->source->text, r->at, end);
    bool good = true;
    if (equals < end) {
        good = parse_observables(r, equals, observables, &n);
        r->at = equals + 1;
    } else {
        for (size_t i = 0; i < r->out->nformulas; i++)
            if (!strcmp(r->out->formulas[i].observable, "CLOCK")) {
                pragma_skip_blanks(r);
                good = REFUSE(r, pragma_here(r), "CLOCK has a formula already");
            }
        n = 1;
    }
    pragma_skip_blanks(r);
    const char *text = parse_formula(r, pragma_trimmed(r, (struct span){r->at, end}));
    r->at = end;
    if (!good || !text)
        return false;
    for (size_t i = 0; i < n; i++)
        add_formula(r, observables[i], text);
    return true;
}

/* Is the '(' at the reader the begin of aliases (NAME = or NAME :=), and not of a formula? After a list of names
 * alone, (NAME, NAME), no operator follows. */
static bool aliases_ahead(const struct pragma_reader *r)
{
    struct pragma_reader look = *r;
    struct span span;
    if (pragma_ahead(&look) != '(')
        return false;
    do {
        look.at++;
        if (setting_ahead(&look))
            return true;
        if (!pragma_read_word(&look, &span))
            return false;
        pragma_skip_blanks(&look);
    } while (pragma_ahead(&look) == ',');
    if (pragma_ahead(&look) != ')') {
        bool at_end;
        return take_equals(&look, &at_end) && (at_end || pragma_ahead(&look) != '=');
    }
    look.at++;
    pragma_skip_blanks(&look);
    return look.at == look.end || !strchr("+-*/^<>=!&|", pragma_ahead(&look));
}

bool pragma_parse_begin(struct pragma_reader *r)
{
    struct span span;
    const char *name = pragma_read_name(r, &span);
    if (!name)
        return false;
    r->out->name = name;
    r->out->word = span;
    pragma_skip_blanks(r);
    bool good = !aliases_ahead(r) || parse_aliases(r);
    while (good && (pragma_skip_blanks(r), r->at < r->end)) {
        size_t end = pragma_find_outside(r->source->text, r->at, r->end, ';');
        good = parse_part(r, end) && good;
        r->at = end < r->end ? end + 1 : end;
    }
    if (good && !r->out->nformulas)
        add_formula(r, "CLOCK", "");
    if (good && r->out->nvariables > PRAGMA_MAX_VARIABLES)
        return REFUSE(r, span, "'%s' has %zu variables; at most %d can be recorded", name,
                      r->out->nvariables, PRAGMA_MAX_VARIABLES);
    const char *meant = good ? NULL : pragma_word_near(name);
    if (meant)
        diag_add(r->diag, SEVERITY_NOTE, r->source, span, "did you mean '%s'?", meant);
    return good;
}
