/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words that can follow (complete.h). The text before the word is split at blanks; the command's
 * name, the experiment after it, the last keyword and the word just before decide.
 */
#include "llac/complete.h"

#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "data/import/import.h"
#include "machine/store.h"
#include "llac/commands.h"

enum { MOST_WORDS = 256, MOST_CANDIDATES = 4096 };

/* ---- what is there already ---- */

struct word {
    size_t begin, end;
};

/* The command that the place is in. */
struct typed {
    const char *line;
    size_t at;                     /* the place */
    struct word words[MOST_WORDS]; /* complete ones before the place */
    size_t n;
    char quote; /* that is open at the place; 0: none */
    const struct command *command;
    const char **keywords; /* of the command */
};

static bool is(const struct typed *t, size_t i, const char *text)
{
    size_t n = t->words[i].end - t->words[i].begin;
    return strlen(text) == n && memcmp(t->line + t->words[i].begin, text, n) == 0;
}

static bool is_before(const struct typed *t, const char *text)
{
    return t->n > 1 && is(t, t->n - 1, text);
}

/* The words between blanks, and = as a word of its own; a quoted piece is one word. */
static void split(struct arena *a, const char *line, size_t at, struct typed *out)
{
    *out = (struct typed){.line = line, .at = at};
    struct word w = {0, 0};
    bool inside = false;
    for (size_t i = 0; i <= at; i++) {
        char c = i < at ? line[i] : ' ';
        bool blank = i == at || (!out->quote && (c == ' ' || c == '\t' || c == ';' || c == '='));
        if (i < at && out->quote && c == out->quote)
            out->quote = 0;
        else if (i < at && !out->quote && (c == '"' || c == '\''))
            out->quote = c;
        if (!blank && !inside)
            w.begin = i, inside = true;
        if (blank && inside && i < at) {
            w.end = i;
            inside = false;
            if (out->n < MOST_WORDS)
                out->words[out->n++] = w;
        }
        if (blank && i < at && c == '=' && out->n < MOST_WORDS)
            out->words[out->n++] = (struct word){i, i + 1};
        if (blank && i < at && c == ';')
            out->n = 0;
    }
    char name[32] = "";
    if (out->n && out->words[0].end - out->words[0].begin < sizeof name) {
        memcpy(name, line + out->words[0].begin, out->words[0].end - out->words[0].begin);
        out->command = command_find(strcmp(name, "?") == 0 ? "help" : name);
    }
    if (out->command)
        out->keywords = command_keywords(out->command, a);
}

/* ---- the usage of a command ---- */

static bool is_keyword(const struct typed *t, size_t i)
{
    for (const char *const *k = t->keywords; *k; k++)
        if (is(t, i, *k))
            return true;
    return false;
}

/* The last keyword before the place; 0 without one. */
static size_t last_keyword(const struct typed *t)
{
    for (size_t i = t->n; i-- > 1;)
        if (is_keyword(t, i))
            return i;
    return 0;
}

static bool usage_has(const struct typed *t, const char *text)
{
    return strstr(t->command->usage, text) != NULL;
}

/* Does the usage begin with this argument? "fit NAME ..." with NAME, "show [NAME ...]" too. */
static bool begins_with(const struct typed *t, const char *argument)
{
    const char *p = t->command->usage + strlen(t->command->name);
    p += strspn(p, " [");
    size_t n = strlen(argument);
    return strncmp(p, argument, n) == 0 && !isalnum((unsigned char)p[n]);
}

/* ---- formulas ---- */

static bool has_equals(const struct typed *t, size_t from)
{
    for (size_t i = from; i < t->n; i++)
        if (is(t, i, "="))
            return true;
    return false;
}

static bool in_formula(const struct typed *t)
{
    if (!t->command || t->n == 0)
        return false;
    const char *name = t->command->name;
    size_t last = last_keyword(t);
    if (strcmp(name, "where") == 0)
        return true;
    if (strcmp(name, "let") == 0 || strcmp(name, "define") == 0)
        return has_equals(t, 1);
    if (last && is(t, last, "where"))
        return true;
    if (strcmp(name, "fit") == 0)
        return t->n > 2 && is(t, 2, "=") && last == 0;
    if (strcmp(name, "compare") == 0)
        return t->quote != 0;
    if (strcmp(name, "derive") == 0)
        return last && is(t, last, "from");
    return strcmp(name, "search") == 0 && last && is(t, last, "with");
}

bool complete_in_formula(struct arena *a, const char *line, size_t at)
{
    struct typed t;
    split(a, line, at, &t);
    return in_formula(&t);
}

/* ---- candidates ---- */

struct list {
    struct arena *arena;
    struct completion *out;
};

static void add(struct list *l, const char *word, const char *ending)
{
    struct completion *c = l->out;
    if (c->n + 1 >= MOST_CANDIDATES)
        return;
    const char *whole = *ending ? arena_printf(l->arena, "%s%s", word, ending) : word;
    if (text_is_in(c->words, c->n, whole))
        return;
    c->words[c->n++] = whole;
    c->words[c->n] = NULL;
}

static void add_keywords(struct list *l, const struct typed *t)
{
    for (const char *const *k = t->keywords; *k; k++)
        add(l, *k, "");
}

static void add_commands(struct list *l)
{
    for (const struct command *k = commands; k->name; k++)
        add(l, k->name, "");
}

/* The experiment that the command is about; NULL if it is not known. */
static const struct experiment *experiment_of(const struct session *s, const struct typed *t)
{
    for (size_t i = 0; i < s->data->nexperiments && t->n > 1; i++) {
        size_t n = strlen(s->data->experiments[i]->name);
        const char *word = t->line + t->words[1].begin;
        if (strncmp(word, s->data->experiments[i]->name, n) == 0 &&
            (n == t->words[1].end - t->words[1].begin || word[n] == '['))
            return s->data->experiments[i];
    }
    return NULL;
}

static void add_experiments(struct list *l, const struct session *s)
{
    for (size_t i = 0; i < s->data->nexperiments; i++)
        add(l, s->data->experiments[i]->name, "");
}

static void add_definitions(struct list *l, const struct session *s)
{
    for (size_t i = 0; i < s->now.ndefines; i++)
        add(l, s->now.defines[i].name, "");
}

static void add_lets(struct list *l, const struct session *s, const char *ending)
{
    for (size_t i = 0; i < s->now.nlets; i++)
        add(l, s->now.lets[i].name, ending);
}

static void add_parameters(struct list *l, const struct session *s, const struct typed *t,
                           const char *ending)
{
    for (size_t i = 0; i < s->now.ndefines && t->n > 1; i++)
        for (size_t k = 0; is(t, 1, s->now.defines[i].name) && k < s->now.defines[i].nparameters;
             k++)
            add(l, s->now.defines[i].parameters[k], ending);
}

/* Of the experiment, or of all of them. */
static void add_variables(struct list *l, const struct session *s, const struct typed *t,
                          const char *ending)
{
    const struct experiment *only = experiment_of(s, t);
    add_parameters(l, s, t, ending);
    for (size_t i = 0; i < s->data->nexperiments; i++) {
        const struct experiment *e = s->data->experiments[i];
        for (size_t k = 0; k < e->nvariables && (!only || e == only); k++)
            add(l, experiment_variable(e, k)->name, ending);
    }
    if (s->data->nexperiments)
        add(l, "P", ending);
    add_lets(l, s, ending);
}

static void add_observables(struct list *l, const struct session *s, const struct typed *t)
{
    const struct experiment *only = experiment_of(s, t);
    for (size_t i = 0; i < s->data->nexperiments; i++) {
        const struct experiment *e = s->data->experiments[i];
        for (size_t k = experiment_first_observable(e); k < e->ncolumns && (!only || e == only);
             k++)
            if (column_is_observable(&e->columns[k]))
                add(l, e->columns[k].name, "");
    }
    add_lets(l, s, "");
}

static void add_machines(struct list *l)
{
    DIAG_LOCAL struct diag *quiet = diag_create();
    size_t n = 0;
    const char **names = store_names(l->arena, &n, quiet);
    for (size_t i = 0; names && i < n; i++)
        add(l, names[i], "");
    l->out->files = true;
}

/* Does a variable, a constant or a function come next in the formula? Otherwise an operator, a keyword
 * or the end does. */
static bool needs_operand(const struct typed *t)
{
    size_t i = t->at;
    while (i > 0 && (t->line[i - 1] == ' ' || t->line[i - 1] == '\t'))
        i--;
    char before = i > 0 ? t->line[i - 1] : ' ';
    if (i == t->at || !(isalnum((unsigned char)before) || strchr(")]_", before)))
        return true;
    return t->n == 1 || is_keyword(t, t->n - 1) || is_before(t, "and") || is_before(t, "or") ||
           is_before(t, "not");
}

/* Variables, functions, what conditions can use, and the constants of experiments. */
static void add_formula_words(struct list *l, const struct session *s, const struct typed *t)
{
    const char *name = t->command->name;
    size_t last = last_keyword(t);
    bool condition = strcmp(name, "where") == 0 || (last && is(t, last, "where"));
    if (!needs_operand(t)) {
        if (condition) {
            add(l, "and", "");
            add(l, "or", "");
        }
        if (!t->quote)
            add_keywords(l, t);
        return;
    }
    add_variables(l, s, t, "");
    for (const struct formula_function *f = formula_functions; f->name; f++)
        if (!f->unit || s->now.machine)
            add(l, f->name, "(");
    for (size_t i = 0; i < FIELD_FIXED && condition; i++)
        add(l, data_field_names[i], "");
    for (size_t i = 0; i < FACT_COUNT && condition; i++)
        add(l, data_fact_names[i], "");
    if (condition || strcmp(name, "let") == 0)
        add_observables(l, s, t);
    const struct experiment *e = experiment_of(s, t);
    if (strcmp(name, "define") == 0 || strcmp(name, "derive") == 0) {
        add(l, "sum", "(");
        add_experiments(l, s);
        add_definitions(l, s);
    } else if (e && !condition) {
        add(l, e->base, "[");
    }
    if (t->n == 1) /* where all */
        add_keywords(l, t);
}

/* ---- by what comes before ---- */

/* After 'on' comes an observable, a variable or a machine. */
static void add_after_on(struct list *l, const struct session *s, const struct typed *t)
{
    const char *name = t->command->name;
    bool intervals = t->n > 2 && is(t, t->n - 2, "intervals");
    bool machine = strcmp(name, "obsp") == 0 || (strcmp(name, "predict") == 0 && has_equals(t, 1));
    for (size_t i = 1; i + 1 < t->n; i++)
        machine = machine || (strcmp(name, "table") == 0 && is(t, i, "against")) ||
                  (strcmp(name, "predict") == 0 && is(t, i, "running"));
    if (intervals)
        add_variables(l, s, t, "");
    else if (machine)
        add_machines(l);
    else
        add_observables(l, s, t);
}

/* What formulas of obsp ask: the value after '=' and after 'replace K by'. */
static void add_models(struct list *l, const struct session *s)
{
    add_experiments(l, s);
    add_definitions(l, s);
}

/* After a keyword that has an argument. Returns whether there is one. */
static bool add_after_keyword(struct list *l, const struct session *s, const struct typed *t)
{
    const char *name = t->command->name;
    bool search = strcmp(name, "search") == 0;
    if (t->n < 2 || !is_keyword(t, t->n - 1))
        return false;
    if (strcmp(name, "obsp") == 0 && (is_before(t, "by") || is_before(t, "to"))) {
        if (is_before(t, "by") && is(t, t->n - 2, "costs"))
            add(l, "process", "");
        else if (is_before(t, "by"))
            add_models(l, s);
    } else if (is_before(t, "on")) {
        add_after_on(l, s, t);
    } else if (is_before(t, "over") || is_before(t, "by") || (search && is_before(t, "in"))) {
        add_variables(l, s, t, "");
        if (is_before(t, "by"))
            add(l, "version", "");
    } else if (is_before(t, "to") || is_before(t, "picture") || is_before(t, "in") ||
               is_before(t, "add") || is_before(t, "session")) {
        l->out->files = true;
        if (is_before(t, "picture"))
            add_keywords(l, t);
    } else if (is_before(t, "against")) {
        l->out->files = true;
        add_experiments(l, s);
    } else if (strcmp(name, "machine") == 0 &&
               (is_before(t, "use") || is_before(t, "show") || is_before(t, "compare") ||
                is_before(t, "memory"))) {
        add_machines(l);
    } else {
        return false;
    }
    return true;
}

/* The first argument. */
static void add_first(struct list *l, const struct session *s, const struct typed *t)
{
    bool own_name = strcmp(t->command->name, "let") == 0 || strcmp(t->command->name, "define") == 0;
    if (strcmp(t->command->name, "let") == 0)
        add_lets(l, s, "");
    if (strcmp(t->command->name, "define") == 0)
        add_definitions(l, s);
    if (begins_with(t, "NAME") && !own_name) {
        add_experiments(l, s);
        if (usage_has(t, "DEFINITION") || strcmp(t->command->name, "predict") == 0 ||
            strcmp(t->command->name, "explain") == 0 || strcmp(t->command->name, "show") == 0)
            add_definitions(l, s);
        return;
    }
    if (begins_with(t, "COMMAND"))
        add_commands(l);
    if (begins_with(t, "FILE"))
        l->out->files = true;
    add_keywords(l, t);
}

/* Anywhere else: keywords, and what may be given several times. */
static void add_others(struct list *l, const struct session *s, const struct typed *t)
{
    add_keywords(l, t);
    if (usage_has(t, "VAR=VALUE"))
        add_variables(l, s, t, "=");
    if (usage_has(t, "NAME=VALUE"))
        for (const struct import_option *o = import_option_table; o->name; o++)
            add(l, o->name, "=");
    if (usage_has(t, "FILE..."))
        l->out->files = true;
    if (strcmp(t->command->name, "export") == 0)
        add_experiments(l, s);
    if (strcmp(t->command->name, "machine") == 0)
        add_machines(l);
    size_t last = last_keyword(t);
    if (strcmp(t->command->name, "search") == 0 && last && is(t, last, "in"))
        add_variables(l, s, t, "");
}

void complete_line(const struct session *s, struct arena *a, const char *line, size_t start,
                   struct completion *out)
{
    struct typed t;
    struct list l = {a, out};
    *out = (struct completion){.words = arena_alloc(a, MOST_CANDIDATES, sizeof *out->words)};
    out->words[0] = NULL;
    split(a, line, start, &t);
    if (t.n == 0) {
        add_commands(&l);
        return;
    }
    if (!t.command)
        return;
    out->formula = in_formula(&t);
    if (out->formula)
        add_formula_words(&l, s, &t);
    else if (add_after_keyword(&l, s, &t))
        return;
    else if (is_before(&t, "=") && strcmp(t.command->name, "obsp") == 0)
        add_models(&l, s);
    else if (is_before(&t, "=")) /* a value: only that of a path is known */
        out->files = usage_has(&t, "NAME=VALUE");
    else if (t.n == 1)
        add_first(&l, s, &t);
    else
        add_others(&l, s, &t);
}
