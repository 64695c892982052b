/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables: fields separated by comma, semicolon, tab or blanks, quoted as RFC 4180 has it, a line of
 * names first.
 *
 *     table  = names line-end { row line-end }
 *     row    = field { separator field }
 *     field  = { any but separator and line-end } | '"' { any but '"' | '""' } '"'
 *
 * A table whose columns blanks separate may have lines of comment, which start with `#`; the last of
 * them before the first row has the names when no other line has.
 *
 * Every column has one role; the options say which, else its name: the columns of the own format
 * keep their meaning, `experiment` names the experiment, `CLOCK` or `time` is the time, and what is
 * left and holds numbers is a variable.
 */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "data/import/fields.h"
#include "base/interrupt.h"
#include "base/text.h"

/* The separator that the first line has most of; 0 if none. */
static char find_separator(const char *s, size_t n)
{
    static const char candidates[] = {',', '\t', ';'};
    size_t count[sizeof candidates] = {0}, best = 0;
    bool quoted = false;
    for (size_t i = 0; i < n && (quoted || s[i] != '\n'); i++) {
        quoted ^= s[i] == '"';
        for (size_t k = 0; k < sizeof candidates && !quoted; k++)
            count[k] += s[i] == candidates[k];
    }
    for (size_t k = 1; k < sizeof candidates; k++)
        if (count[k] > count[best])
            best = k;
    return count[best] ? candidates[best] : 0;
}

static bool blank_field(const char *s, const struct field *f)
{
    for (size_t i = f->begin; i < f->end; i++)
        if (s[i] != ' ' && s[i] != '\t')
            return false;
    return true;
}

/* Reads a row; counts its fields, those that are numbers, and those that are empty. */
static bool scan_row(const char *s, size_t n, size_t *at, char separator, size_t counts[3])
{
    struct field f;
    enum field_end end;
    double x;
    memset(counts, 0, 3 * sizeof *counts);
    do {
        end = field_read(s, n, at, separator, &f);
        if (end == OPEN_QUOTE || end == TEXT_BEHIND_QUOTE)
            return false;
        counts[0]++;
        counts[1] += import_number(s + f.begin, s + f.end, &x);
        counts[2] += blank_field(s, &f);
    } while (end == END_FIELD);
    return true;
}

static bool has_control(const char *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if ((unsigned char)s[i] < ' ' && !strchr("\t\r\n", s[i] ? s[i] : 1))
            return true;
    return false;
}

static bool is_separated(const char *s, size_t n, char separator)
{
    size_t at = 0, names[3], row[3];
    return separator && scan_row(s, n, &at, separator, names) && !has_control(s, 0, at) &&
           names[1] == 0 && names[2] == 0 && at < n && scan_row(s, n, &at, separator, row) &&
           row[0] == names[0] && row[1] > 0;
}

/* At *at: skips empty lines and comments; false at the end of the text. *last becomes where the text
 * of the last comment starts. */
static bool skip_to_row(const char *s, size_t n, size_t *at, size_t *last)
{
    while (*at < n) {
        size_t first = *at;
        while (first < n && (s[first] == ' ' || s[first] == '\t' || s[first] == '\r'))
            first++;
        if (first < n && s[first] != '\n' && s[first] != '#')
            return true;
        if (first < n && s[first] == '#') {
            *last = first + strspn(s + first, "#");
            const char *newline = memchr(s + first, '\n', n - first);
            first = newline ? (size_t)(newline - s) : n;
        }
        *at = first < n ? first + 1 : n;
    }
    return false;
}

/* A table whose columns blanks separate: where its names are, and its first row, which has as many
 * fields as there are names and a number among them. */
static bool find_blank_table(const char *s, size_t n, size_t *names_at, size_t *rows_at)
{
    size_t last = SIZE_MAX, at = 0, names[3], row[3];
    if (!skip_to_row(s, n, &at, &last))
        return false;
    *names_at = *rows_at = at;
    if (!scan_row(s, n, &at, ' ', names))
        return false;
    if (names[1] == 0) {
        *rows_at = at;
    } else if (last != SIZE_MAX) {
        *names_at = at = last;
        if (!scan_row(s, n, &at, ' ', names))
            return false;
    }
    if (names[0] < 2 || names[1] || has_control(s, *names_at, at))
        return false;
    at = *rows_at;
    return skip_to_row(s, n, &at, &last) && scan_row(s, n, &at, ' ', row) && row[0] == names[0] &&
           row[1] > 0;
}

bool import_is_table(const char *text, size_t size)
{
    size_t names, rows;
    return is_separated(text, size, find_separator(text, size)) ||
           find_blank_table(text, size, &names, &rows);
}

enum role { ROLE_OPEN, ROLE_IGNORED, ROLE_EXPERIMENT, ROLE_FIXED, ROLE_VARIABLE, ROLE_OBSERVABLE };

struct table_column {
    const char *name;
    struct span span;
    enum role role;
    size_t field; /* ROLE_FIXED: enum data_field */
};

struct table {
    struct import *in;
    char separator;
    size_t at;
    struct table_column *columns;
    size_t ncolumns, time; /* SIZE_MAX: no column is the time */
    struct field *cells;   /* of the present row */
    const char **variables, *default_name;
    size_t nvariables;
};

static int quote_error(struct table *t, enum field_end end, const struct field *f)
{
    if (end == OPEN_QUOTE)
        return import_error(t->in, (struct span){f->begin - 1, f->begin},
                            "the quote that opens here is never closed");
    return import_error(t->in, (struct span){t->at, t->at},
                        "text after the closing quote: a quote inside a field is written \"\"");
}

static int read_names(struct table *t)
{
    struct import *in = t->in;
    enum field_end end;
    size_t capacity = 0;
    do {
        struct field f;
        end = field_read(in->text, in->size, &t->at, t->separator, &f);
        if (end == OPEN_QUOTE || end == TEXT_BEHIND_QUOTE)
            return quote_error(t, end, &f);
        t->columns = arena_grow(in->scratch, t->columns, t->ncolumns, &capacity, t->ncolumns + 1,
                                sizeof *t->columns);
        struct table_column *c = &t->columns[t->ncolumns];
        *c = (struct table_column){.name = field_text(in, &f), .span = {f.begin, f.end}};
        if (strlen(c->name) > IMPORT_MAX_NAME)
            return import_error(in, c->span, "a name longer than %d bytes", IMPORT_MAX_NAME);
        if (TEXT_ELEMENT(t->columns, t->ncolumns, name, c->name))
            return import_error(in, c->span, "the column '%s' appears twice", c->name);
        if (++t->ncolumns > 10 * IMPORT_MAX_COLUMNS)
            return import_error(in, c->span, "more than %d columns", 10 * IMPORT_MAX_COLUMNS);
    } while (end == END_FIELD);
    t->cells = arena_alloc(in->scratch, t->ncolumns, sizeof *t->cells);
    return 0;
}

static size_t find_column(const struct table *t, const char *name)
{
    const struct table_column *found = TEXT_ELEMENT(t->columns, t->ncolumns, name, name);
    return found ? (size_t)(found - t->columns) : SIZE_MAX;
}

static const char *column_list(struct table *t)
{
    struct text list = text_new();
    for (size_t i = 0; i < t->ncolumns && list.n < 300; i++)
        text_printf(&list, "%s%.60s", i ? ", " : "", t->columns[i].name);
    return text_keep(&list, t->in->scratch);
}

/* Gives a column that an option names its role. */
static int assign(struct table *t, const char *option, const char *name, enum role role,
                  size_t *column)
{
    size_t i = find_column(t, name);
    if (i == SIZE_MAX)
        return import_error(t->in, (struct span){0, 0},
                            "%s=%s: there is no such column; there are "
                            "%s",
                            option, name, column_list(t));
    // NOLINTNEXTLINE(clang-analyzer-core.NullDereference): it was found
    if (t->columns[i].role != ROLE_OPEN)
        return import_error(t->in, t->columns[i].span, "%s=%s: this column has another role",
                            option, name);
    t->columns[i].role = role;
    if (column)
        *column = i;
    return 0;
}

static int assign_list(struct table *t, const char *option, const char *list, enum role role)
{
    const char **names;
    size_t n = import_list(t->in, list, &names);
    for (size_t i = 0; i < n; i++)
        if (assign(t, option, names[i], role, NULL))
            return -1;
    return 0;
}

static int assign_time(struct table *t)
{
    const struct import_options *o = t->in->options;
    t->time = SIZE_MAX;
    t->in->time_found = true;
    if (o->time)
        return assign(t, "time", o->time, ROLE_OBSERVABLE, &t->time);
    size_t clock = find_column(t, "CLOCK");
    for (size_t i = 0; i < t->ncolumns && clock == SIZE_MAX; i++)
        if (strcasecmp(t->columns[i].name, "time") == 0)
            clock = i;
    if (clock != SIZE_MAX && t->columns[clock].role == ROLE_OPEN) {
        t->columns[clock].role = ROLE_OBSERVABLE;
        t->time = clock;
    } else if (!o->observables) {
        return import_error(t->in, (struct span){0, 0},
                            "which column is the time? Use 'load FILE time=COLUMN'; the columns "
                            "are %s",
                            column_list(t));
    }
    return 0;
}

static int assign_experiment(struct table *t)
{
    const struct import_options *o = t->in->options;
    if (o->experiment && o->experiment_column)
        return import_error(t->in, import_nowhere,
                            "give experiment= or experiment_column=, not both");
    if (o->experiment_column)
        return assign(t, "experiment_column", o->experiment_column, ROLE_EXPERIMENT, NULL);
    size_t i = find_column(t, "experiment");
    if (i != SIZE_MAX && t->columns[i].role == ROLE_OPEN)
        t->columns[i].role = o->experiment ? ROLE_IGNORED : ROLE_EXPERIMENT;
    return 0;
}

/* Roles by options, then by name; what is open is left for the first row to decide. */
static int assign_roles(struct table *t)
{
    const struct import_options *o = t->in->options;
    if (assign_list(t, "observables", o->observables, ROLE_OBSERVABLE) ||
        assign_list(t, "variables", o->variables, ROLE_VARIABLE) || assign_time(t) ||
        assign_experiment(t))
        return -1;
    for (size_t i = 0; i < t->ncolumns; i++)
        for (size_t f = 0; f < FIELD_FIXED; f++)
            if (t->columns[i].role == ROLE_OPEN && f != FIELD_P &&
                strcmp(t->columns[i].name, data_field_names[f]) == 0) {
                t->columns[i].role = ROLE_FIXED;
                t->columns[i].field = f;
            }
    return 0;
}

static void assign_open(struct table *t)
{
    const struct import_options *o = t->in->options;
    for (size_t i = 0; i < t->ncolumns; i++) {
        struct table_column *c = &t->columns[i];
        double x;
        if (c->role != ROLE_OPEN)
            continue;
        bool is_p = strcmp(c->name, data_field_names[FIELD_P]) == 0;
        bool number =
            import_number(t->in->text + t->cells[i].begin, t->in->text + t->cells[i].end, &x);
        c->role = number && (!o->variables || is_p) ? ROLE_VARIABLE : ROLE_IGNORED;
        if (!number)
            import_note(t->in, "the column '%.60s' has no numbers and is left out", c->name);
    }
    t->variables = arena_alloc(t->in->scratch, t->ncolumns, sizeof *t->variables);
    for (size_t i = 0; i < t->ncolumns; i++)
        if (t->columns[i].role == ROLE_VARIABLE)
            t->variables[t->nvariables++] = t->columns[i].name;
}

/* The next row into t->cells: 1, 0 at the end, -1 on error. */
static int read_row(struct table *t)
{
    struct import *in = t->in;
    const char *s = in->text;
    size_t comment;
    if (t->separator == ' ' && !skip_to_row(s, in->size, &t->at, &comment))
        return 0;
    while (t->at < in->size && (s[t->at] == '\n' || (s[t->at] == '\r' && s[t->at + 1] == '\n')))
        t->at++;
    if (t->at >= in->size)
        return 0;
    size_t begin = t->at, n = 0;
    enum field_end end;
    do {
        struct field f;
        size_t field_begin = t->at;
        end = field_read(s, in->size, &t->at, t->separator, &f);
        if (end == OPEN_QUOTE || end == TEXT_BEHIND_QUOTE)
            return quote_error(t, end, &f);
        if (n == t->ncolumns)
            return import_error(in, (struct span){field_begin, f.end},
                                "the row continues after its last column (there are %zu)%s",
                                t->ncolumns,
                                t->separator == ' ' ? ": a text with blanks needs quotes" : "");
        t->cells[n++] = f;
    } while (end == END_FIELD);
    if (n < t->ncolumns)
        return import_error(in, (struct span){begin, t->cells[n - 1].end},
                            "the row ends after %zu of %zu columns", n, t->ncolumns);
    return 1;
}

static int cell_error(struct table *t, size_t i, const char *what)
{
    const struct field *f = &t->cells[i];
    size_t n = f->end - f->begin;
    return import_error(t->in, (struct span){f->begin, f->end}, "column '%.60s': '%.*s' %s",
                        t->columns[i].name, n < 40 ? (int)n : 40, t->in->text + f->begin, what);
}

/* A measured value may be missing: an empty cell, NA or nan. */
static int read_cell(struct table *t, size_t i, bool may_miss, double *x)
{
    const struct field *f = &t->cells[i];
    const char *s = t->in->text + f->begin;
    bool missing = blank_field(t->in->text, f) || (f->end - f->begin == 2 && !memcmp(s, "NA", 2));
    if (missing)
        *x = NAN;
    else if (!import_number(s, t->in->text + f->end, x))
        return cell_error(t, i, "is not a number");
    if (isinf(*x))
        return cell_error(t, i, "is not a finite number");
    if (isnan(*x) && !may_miss)
        return cell_error(t, i, "is not a value: only measured values may be missing");
    return 0;
}

struct row_values {
    double fixed[FIELD_FIXED], *variables, *observables;
    bool has_fixed[FIELD_FIXED];
    const char *experiment;
    struct span span;
};

static int read_fixed(struct table *t, size_t i, struct row_values *v)
{
    size_t f = t->columns[i].field;
    double *x = &v->fixed[f];
    if (read_cell(t, i, f == FIELD_START, x))
        return -1;
    v->has_fixed[f] = true;
    if (!data_field_holds((enum data_field)f, *x))
        return cell_error(
            t, i, arena_printf(t->in->scratch, "is not %s", data_field_rule((enum data_field)f)));
    return 0;
}

static int read_values(struct table *t, struct row_values *v)
{
    size_t nvariables = 0, nobservables = 0, measured = 0;
    memset(v->fixed, 0, sizeof v->fixed);
    memset(v->has_fixed, 0, sizeof v->has_fixed);
    v->experiment = NULL;
    v->span = (struct span){t->cells[0].begin, t->cells[t->ncolumns - 1].end};
    for (size_t i = 0; i < t->ncolumns; i++) {
        switch (t->columns[i].role) {
        case ROLE_OPEN:
        case ROLE_IGNORED: break;
        case ROLE_EXPERIMENT:
            v->experiment = field_text(t->in, &t->cells[i]);
            if (!*v->experiment)
                return cell_error(t, i, "is not the name of an experiment");
            break;
        case ROLE_FIXED:
            if (read_fixed(t, i, v))
                return -1;
            break;
        case ROLE_VARIABLE:
            if (read_cell(t, i, false, &v->variables[nvariables++]))
                return -1;
            break;
        case ROLE_OBSERVABLE:
            if (read_cell(t, i, true, &v->observables[nobservables]))
                return -1;
            measured += !isnan(v->observables[nobservables++]);
            break;
        }
    }
    if (measured == 0)
        return import_error(t->in, v->span, "the row has no measured value");
    return 0;
}

/* The region's observables are those of the table in the order of the columns. */
static int open_region(struct table *t, struct import_region *r, struct span where)
{
    size_t index;
    double scale;
    if (import_set_parameters(t->in, r, t->variables, t->nvariables, (struct span){0, 0}))
        return -1;
    for (size_t i = 0; i < t->ncolumns; i++) {
        const struct table_column *c = &t->columns[i];
        if (c->role == ROLE_OBSERVABLE &&
            (i == t->time ? import_metric(t->in, r, c->name, where, &index, &scale)
                          : import_observable(t->in, r, c->name, where, &index)))
            return -1;
    }
    return 0;
}

static int add_row(struct table *t, struct row_values *v)
{
    struct import *in = t->in;
    size_t row, k = 0;
    struct import_region *r =
        import_region(in, v->experiment ? v->experiment : t->default_name, NULL, v->span);
    if (!r || (!r->has_parameters && open_region(t, r, v->span)) ||
        import_row(in, r, v->variables, v->fixed[FIELD_RANK], v->fixed[FIELD_THREAD], SIZE_MAX,
                   v->span, &row))
        return -1;
    for (size_t f = 0; f < FIELD_FIXED; f++)
        if (v->has_fixed[f])
            r->fixed[f].values[row] = v->fixed[f];
    for (size_t i = 0; i < t->ncolumns; i++)
        if (t->columns[i].role == ROLE_OBSERVABLE) {
            import_put(r, k, row, v->observables[k] * (i == t->time ? in->unit : 1));
            k++;
        }
    return 0;
}

int import_read_csv(struct import *in)
{
    struct table t = {.in = in, .default_name = import_base_name(in), .at = in->begin};
    const char *text = in->text + in->begin;
    size_t size = in->size - in->begin, names, rows = 0;
    t.separator = find_separator(text, size);
    if (!is_separated(text, size, t.separator) && find_blank_table(text, size, &names, &rows)) {
        t.separator = ' ';
        t.at = in->begin + names;
    }
    if (read_names(&t))
        return -1;
    if (t.separator == ' ')
        t.at = in->begin + rows;
    if (assign_roles(&t))
        return -1;
    struct row_values v = {.variables = arena_alloc(in->scratch, t.ncolumns, sizeof(double)),
                           .observables = arena_alloc(in->scratch, t.ncolumns, sizeof(double))};
    int more;
    for (size_t n = 0; (more = read_row(&t)) > 0; n++) {
        if (n == 0)
            assign_open(&t);
        if ((n & 0xffff) == 0 && interrupt_came())
            return 0;
        if (read_values(&t, &v) || add_row(&t, &v))
            return -1;
    }
    return more;
}
