/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables of the machine in exported code. A function is a table over one or two arguments, which the
 * code interpolates as llac does (machine/curves.h). Its name contains that of the machine and the date
 * of the machine file, so that files of different machines can be used together.
 */
#include "llac/export/machine.h"

#include "llac/export/export.h"
#include "llac/json.h"
#include "llac/machine/terms.h"

/* How a language writes such a function; in the patterns $F is the function, $X, $Y and $V are the lists, $N
 * and $M the numbers of places. */
struct language {
    enum formula_style style;
    const char *prelude;
    const char *comment;
    const char *list; /* $L = a list with $K elements */
    const char *open, *close;
    const char *body;
};

static const struct language languages[] = {
    {FORMULA_C,
     "\n#ifndef CLL_MACHINE_VALUE\n#define CLL_MACHINE_VALUE\n"
     "/* The place at or before x, and how far x is from it to the next one. */\n"
     "static inline int cll_machine_place(const double *at, int n, double x, double *part)\n"
     "{\n"
     "    int i = 0;\n"
     "    while (i + 1 < n && at[i + 1] <= x)\n"
     "        i++;\n"
     "    *part = x > at[i] && i + 1 < n ? log(x/at[i])/log(at[i + 1]/at[i]) : 0;\n"
     "    return i;\n"
     "}\n\n"
     "static inline double cll_machine_between(double a, double b, double part)\n"
     "{\n"
     "    return a > 0 && b > 0 ? a*pow(b/a, part) : a + part*(b - a);\n"
     "}\n\n"
     "static inline double cll_machine_value(double x, double y, const double *at_x, int nx,\n"
     "                                       const double *at_y, int ny, const double *value)\n"
     "{\n"
     "    double p, q, low, high;\n"
     "    int i = cll_machine_place(at_x, nx, x, &p), j = cll_machine_place(at_y, ny, y, &q);\n"
     "    const double *row = value + j*nx, *next = q > 0 ? row + nx : row;\n"
     "    int k = p > 0 ? i + 1 : i;\n"
     "    low = cll_machine_between(row[i], row[k], p);\n"
     "    high = cll_machine_between(next[i], next[k], p);\n"
     "    return x > 0 && y > 0 ? cll_machine_between(low, high, q) : NAN;\n"
     "}\n#endif\n",
     "\n#ifndef $F_TABLE\n#define $F_TABLE\n/* $C */\nstatic inline double $F($A)\n{\n",
     "    static const double $L[$K] = ", "{", "};\n",
     "    return cll_machine_value(x, $S, $X, $N, $Y, $M, $V);\n}\n#endif\n"},
    {FORMULA_PYTHON,
     "\n\ndef cll_machine_place(at, x):\n"
     "    i = 0\n"
     "    while i + 1 < len(at) and at[i + 1] <= x:\n"
     "        i += 1\n"
     "    inside = x > at[i] and i + 1 < len(at)\n"
     "    return i, math.log(x/at[i])/math.log(at[i + 1]/at[i]) if inside else 0.0\n"
     "\n\ndef cll_machine_between(a, b, part):\n"
     "    return a*(b/a)**part if a > 0 and b > 0 else a + part*(b - a)\n"
     "\n\ndef cll_machine_value(x, y, at_x, at_y, value):\n"
     "    i, p = cll_machine_place(at_x, x)\n"
     "    j, q = cll_machine_place(at_y, y)\n"
     "    row = value[j*len(at_x):]\n"
     "    following = value[(j + (q > 0))*len(at_x):]\n"
     "    k = i + (p > 0)\n"
     "    low = cll_machine_between(row[i], row[k], p)\n"
     "    high = cll_machine_between(following[i], following[k], p)\n"
     "    return cll_machine_between(low, high, q) if x > 0 and y > 0 else math.nan\n",
     "\n\n# $C\n", "$L = ", "[", "]\n",
     "\n\ndef $F($A):\n    return cll_machine_value(x, $S, $X, $Y, $V)\n"},
    {FORMULA_GNUPLOT,
     "cll_machine_between(a, b, part) = a > 0 && b > 0 ? a*(b/a)**part : a + part*(b - a)\n",
     "# $C; arrays need gnuplot 5.2\n", "array $L[$K] = ", "[", "]\n",
     "$F_i(x) = x < $X[1] ? 1 : int(sum [k=1:$N] ($X[k] <= x ? 1 : 0))\n"
     "$F_j(y) = y < $Y[1] ? 1 : int(sum [k=1:$M] ($Y[k] <= y ? 1 : 0))\n"
     "$F_p(x, i) = x > $X[i] && i < $N ? log(x/$X[i])/log($X[i + 1]/$X[i]) : 0.0\n"
     "$F_q(y, j) = y > $Y[j] && j < $M ? log(y/$Y[j])/log($Y[j + 1]/$Y[j]) : 0.0\n"
     "$F_v(i, j, p) = cll_machine_between($V[(j - 1)*$N + i], $V[(j - 1)*$N + (p > 0 ? i + 1 : i)], p)\n"
     "$F_w(i, p, j, q) = cll_machine_between($F_v(i, j, p), $F_v(i, q > 0 ? j + 1 : j, p), q)\n"
     "$F($A) = x > 0 && $S > 0 ? $F_w($F_i(x), $F_p(x, $F_i(x)), $F_j($S), $F_q($S, $F_j($S))) : NaN\n"},
};

/* A function that is being written. */
struct writing {
    const struct language *language;
    const struct machine_table *table;
    const char *name; /* $F */
    const char *what; /* $C */
    const char *list; /* $L */
    size_t length;    /* $K */
    bool two;         /* arguments */
};

static void put_pattern(struct text *out, const struct writing *w, const char *pattern)
{
    bool c = w->language->style == FORMULA_C;
    for (const char *s = pattern; *s; s++) {
        if (*s != '$') {
            text_addc(out, *s);
            continue;
        }
        switch (*++s) {
        case 'F': text_add(out, w->name); break;
        case 'C': text_add(out, w->what); break;
        case 'A':
            text_add(out, c ? w->two ? "double x, double y" : "double x" : w->two ? "x, y" : "x");
            break;
        case 'S': text_add(out, w->two ? "y" : "1.0"); break;
        case 'L':
        case 'X':
        case 'Y':
        case 'V':
            /* the lists are local in C */
            if (!c)
                text_printf(out, "%s_", w->name);
            text_add(out, *s == 'L' ? w->list : *s == 'X' ? "at_x" : *s == 'Y' ? "at_y" : "value");
            break;
        case 'N': text_printf(out, "%zu", w->table->nx); break;
        case 'M': text_printf(out, "%zu", w->table->ny); break;
        case 'K': text_printf(out, "%zu", w->length); break;
        default: break;
        }
    }
}

static void put_list(struct text *out, struct writing *w, const char *name, const double *values,
                     size_t n)
{
    enum { ON_A_LINE = 6 };
    bool lines = w->language->style != FORMULA_GNUPLOT;
    w->list = name;
    w->length = n;
    put_pattern(out, w, w->language->list);
    text_add(out, w->language->open);
    for (size_t i = 0; i < n; i++) {
        text_add(out, i == 0 ? "" : lines && i % ON_A_LINE == 0 ? ",\n        " : ", ");
        export_number(out, values[i]);
    }
    text_add(out, w->language->close);
}

/* Whether the call is the first of its function among those of the fits up to it. */
static bool is_first(struct arena *a, struct fit_state *const *fits, size_t fit, size_t call)
{
    size_t n;
    const struct formula *const *own =
        formula_machine_calls(a, model_formula(fits[fit]->model), &n);
    const struct formula_function *f = own[call]->function;
    for (size_t i = 0; i <= fit; i++) {
        const struct formula *const *calls =
            formula_machine_calls(a, model_formula(fits[i]->model), &n);
        for (size_t k = 0; k < (i == fit ? call : n); k++)
            if (calls[k]->function == f)
                return false;
    }
    return true;
}

static void put_function(struct arena *a, struct text *out, const struct language *l,
                         const struct formula *call)
{
    const struct machine_table *t = terms_table(call->machine, call->function);
    struct writing w = {.language = l, .table = t, .two = call->function->max_arity == 2};
    TEXT_LOCAL struct text name = text_new(), what = text_new();
    formula_machine_name(&name, call);
    export_comment(&what,
                   arena_printf(a, "%s(%s) in %s, machine %s, measured %s", call->function->name,
                                call->function->arguments, call->function->unit,
                                call->machine->name, call->machine->date));
    w.name = name.s;
    w.what = what.s;
    put_pattern(out, &w, l->comment);
    put_list(out, &w, "at_x", t->x, t->nx);
    put_list(out, &w, "at_y", t->y, t->ny);
    put_list(out, &w, "value", t->value, t->nx * t->ny);
    put_pattern(out, &w, l->body);
}

void export_machine_functions(FILE *out, struct fit_state *const *fits, size_t n,
                              enum formula_style style)
{
    ARENA_LOCAL struct arena *a = arena_create();
    const struct language *l = languages;
    while (l->style != style)
        l++;
    TEXT_LOCAL struct text t = text_new();
    for (size_t i = 0; i < n; i++) {
        size_t ncalls;
        const struct formula *const *calls =
            formula_machine_calls(a, model_formula(fits[i]->model), &ncalls);
        for (size_t k = 0; k < ncalls; k++) {
            if (calls[k]->function->max_arity == 0 || !is_first(a, fits, i, k))
                continue; /* without arguments it is a number */
            if (t.n == 0)
                text_add(&t, l->prelude);
            put_function(a, &t, l, calls[k]);
        }
    }
    fputs(t.s, out);
}

json_t *export_machine_tables(const struct model *m)
{
    ARENA_LOCAL struct arena *a = arena_create();
    json_t *list = json_object();
    size_t n;
    const struct formula *const *calls = formula_machine_calls(a, model_formula(m), &n);
    for (size_t i = 0; i < n; i++) {
        const struct formula_function *f = calls[i]->function;
        const struct machine_table *t = terms_table(calls[i]->machine, f);
        json_t *rows = json_array();
        for (size_t j = 0; j < t->ny; j++)
            json_array_append_new(rows, json_numbers(t->value + j * t->nx, t->nx));
        json_object_set_new(list, f->name,
                            json_make("{arguments:%s unit:%s x:%p y:%p values:%p}", f->arguments,
                                      f->unit, json_numbers(t->x, t->nx), json_numbers(t->y, t->ny),
                                      rows));
    }
    return list;
}
