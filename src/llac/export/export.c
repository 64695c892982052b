/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One writer per format. Functions are called predict_NAME (predict_NAME_OBS for other observables
 * than CLOCK) in every language, their arguments the variables of the formula in order of
 * appearance; constants are written with all their digits. What comes from the data is never
 * written as it is (names.h).
 */
#include "llac/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"
#include "llac/export/machine.h"
#include "llac/export/names.h"
#include "llac/check/saved.h"
#include "llac/fit/output.h"
#include "llac/json.h"
#include "llac/text.h"

/* A model being printed; the text holds the constant printed last. */
struct printing {
    const struct model *model;
    enum formula_style style;
    struct export_names arguments;
    struct text *constant;
};

static const char *constant_value(void *user, const char *experiment, unsigned index)
{
    struct printing *p = user;
    (void)experiment;
    text_clear(p->constant);
    struct model_constants c = model_constants(p->model);
    for (size_t j = 0; j < c.n; j++)
        if (c.list[j].index == index)
            export_constant(p->constant, p->model, j, p->style, &p->arguments);
    return p->constant->s;
}

static const char *variable_name(void *user, const char *name)
{
    struct printing *p = user;
    return export_identifier(&p->arguments, name);
}

static void put_arguments(FILE *out, const struct export_names *arguments, const char *before,
                          const char *none)
{
    for (size_t i = 0; i < arguments->n; i++)
        fprintf(out, "%s%s%s", i ? ", " : "", before, arguments->identifiers[i]);
    if (arguments->n == 0)
        fputs(none, out);
}

static char *expression_of(struct arena *a, const struct model *m, enum formula_style style,
                           const struct export_names *arguments)
{
    TEXT_LOCAL struct text constant = text_new();
    struct printing printing = {m, style, *arguments, &constant};
    struct formula_print_options options = {
        .style = style, .constant = constant_value, .variable = variable_name, .user = &printing};
    struct text t = text_new();
    formula_print(&t, model_formula(m), &options);
    return text_keep(&t, a);
}

/* ---- the comment before a function */

static void put_line(FILE *out, const char *before, struct text *line)
{
    TEXT_LOCAL struct text t = text_new();
    export_comment(&t, line->s);
    fprintf(out, "%s%s", before, t.s);
    text_clear(line);
}

/* measured for N from 1024 to 65536, P = 4 */
static void add_domain(struct text *t, const struct model *m)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct model_reach reach = model_reach_of(a, m);
    size_t n;
    const char **names = model_variables(a, m, &n);
    for (size_t i = 0; i < n; i++) {
        const struct model_range *r = &reach.ranges[points_find(model_points(m), names[i])];
        text_printf(t, "%s%s", i ? ", " : "measured for ", names[i]);
        if (r->low == r->high)
            text_printf(t, " = %.10g", r->low);
        else
            text_printf(t, " from %.10g to %.10g", r->low, r->high);
    }
}

static void add_boundary(struct text *t, const struct model *m, const struct boundary *b)
{
    const char *name = model_place_name(m, b->variable);
    if (b->form == BOUNDARY_STEP)
        text_printf(t, "changes between %s = %.10g and %.10g", name, b->below, b->above);
    else
        text_printf(t, "changes gradually %s %s = %.4g",
                    b->form == BOUNDARY_BEND ? "from" : "around", name, b->at);
}

void export_description(FILE *out, const struct fit_state *f, const char *between)
{
    const struct model *m = f->model;
    const struct pieces *p = model_pieces(m);
    const struct points *points = model_points(m);
    const struct fit_error *error = model_error(m);
    struct model_constants constants = model_constants(m);
    TEXT_LOCAL struct text t = text_new();
    text_printf(&t, "%s of %s = %s",
                strcmp(points_unit(model_points(m)->request), "s") == 0 ? "seconds" : f->observable,
                f->experiment, f->formula_text);
    put_line(out, "", &t);
    text_printf(&t, "%s, %s of %zu samples at %zu points", f->observable,
                statistics[model_points(m)->request->statistic].text, points->samples, points->n);
    if (!isnan(error->mean_pct))
        text_printf(&t, "; error mean %.2g %%, max %.2g %%", error->mean_pct, error->max_pct);
    put_line(out, between, &t);
    add_domain(&t, m);
    if (t.n)
        put_line(out, between, &t);
    if (model_machine(m)) {
        text_printf(&t, "machine %s, measured %s", model_machine(m)->name, model_machine(m)->date);
        put_line(out, between, &t);
    }
    for (size_t c = 0; c < p->nboundaries; c++) {
        add_boundary(&t, m, &p->boundaries[c]);
        put_line(out, between, &t);
    }
    for (size_t j = 0; j < constants.n; j++)
        if (constants.list[j].npieces == 0) {
            text_printf(&t, "the data do not determine %s, so it is 0 here",
                        constants.list[j].name);
            put_line(out, between, &t);
        }
}

/* ---- functions */

/* How a language writes a function, and the comment before it. */
struct language {
    enum formula_style style;
    const char *comment, *between, *end_comment; /* `between` lines of the comment */
    const char *function, *type, *none, *body, *end;
};

static void put_function(FILE *out, const struct fit_state *f, const struct language *l,
                         const char *name, const struct export_names *arguments, const char *code)
{
    fputs(l->comment, out);
    export_description(out, f, l->between);
    fprintf(out, "%s%s%s(", l->end_comment, l->function, name);
    put_arguments(out, arguments, l->type, l->none);
    fprintf(out, "%s%s%s", l->body, code, l->end);
}

/* What the expressions call, then a function for each model. */
static void put_functions(FILE *out, struct fit_state *const *fits, size_t n,
                          const struct language *l)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct export_names functions = export_functions(a, fits, n);
    struct export_names *arguments = arena_alloc(a, n, sizeof *arguments);
    char **code = arena_alloc(a, n, sizeof *code);
    TEXT_LOCAL struct text all = text_new(), helpers = text_new();
    for (size_t i = 0; i < n; i++) {
        arguments[i] = export_arguments(a, fits[i]->model);
        code[i] = expression_of(a, fits[i]->model, l->style, &arguments[i]);
        text_add(&all, code[i]);
    }
    formula_helpers(&helpers, l->style, all.s);
    fputs(helpers.s, out);
    export_machine_functions(out, fits, n, l->style);
    for (size_t i = 0; i < n; i++)
        put_function(out, fits[i], l, functions.identifiers[i], &arguments[i], code[i]);
}

static void put_guard(FILE *out, const char *before, struct fit_state *const *fits, size_t n)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct export_names functions = export_functions(a, fits, n);
    fputs(before, out);
    for (size_t i = 0; i < n; i++) /* without predict */
        fputs(functions.identifiers[i] + strlen("predict"), out);
}

static void export_c(FILE *out, struct fit_state *const *fits, size_t n)
{
    static const struct language c = {
        .style = FORMULA_C,
        .comment = "\n/* ",
        .between = "\n * ",
        .end_comment = " */\n",
        .function = "static inline double ",
        .type = "double ",
        .none = "void",
        .body = ")\n{\n    const double cll_value = ",
        .end = ";\n    return isfinite(cll_value) ? cll_value : NAN;\n}\n",
    };
    fputs("/* Models fitted by llac; nan where a formula has no value. */\n", out);
    put_guard(out, "#ifndef CLL_MODELS", fits, n);
    put_guard(out, "\n#define CLL_MODELS", fits, n);
    fputs("\n\n#include <math.h>\n", out);
    put_functions(out, fits, n, &c);
    fputs("\n#endif\n", out);
}

static void export_python(FILE *out, struct fit_state *const *fits, size_t n)
{
    static const struct language python = {
        .style = FORMULA_PYTHON,
        .comment = "\n\n# ",
        .between = "\n# ",
        .end_comment = "\n",
        .function = "def ",
        .type = "",
        .none = "",
        .body = "):\n    try:\n        cll_value = ",
        .end = "\n        return cll_value if math.isfinite(cll_value) else math.nan\n"
               "    except (ArithmeticError, ValueError):\n        return math.nan\n",
    };
    fputs("# Models fitted by llac; nan where a formula has no value.\nimport math\n", out);
    put_functions(out, fits, n, &python);
}

static void export_gnuplot(FILE *out, struct fit_state *const *fits, size_t n)
{
    static const struct language gnuplot = {
        .style = FORMULA_GNUPLOT,
        .comment = "\n# ",
        .between = "\n# ",
        .end_comment = "\n",
        .function = "",
        .type = "",
        .none = "unused",
        .body = ") = ",
        .end = "\n",
    };
    fputs("# Models fitted by llac.\n", out);
    put_functions(out, fits, n, &gnuplot);
}

/* m e-x as LaTeX, for between dollars. */
static void put_latex_number(FILE *out, double x)
{
    if (!isfinite(x)) {
        fputs("\\mbox{--}", out);
        return;
    }
    int e = number_exponent(x);
    if (x == floor(x) && e < 9)
        fputs(number_decimals(x, 0, NUMBER_BUFFER), out);
    else if (e >= -2 && e <= 3)
        fprintf(out, "%.4g", x);
    else {
        char number[NUMBER_SIZE];
        snprintf(number, sizeof number, "%.3e", x);
        size_t mantissa = strcspn(number, "e");
        fprintf(out, "%.*s\\cdot 10^{%d}", (int)mantissa, number,
                (int)strtol(number + mantissa + 1, NULL, 10));
    }
}

static void put_latex_text(FILE *out, const char *s)
{
    TEXT_LOCAL struct text t = text_new();
    text_add_printable(&t, s, strlen(s));
    for (s = t.s; *s; s++) {
        if (strchr("#$%&_{}", *s))
            fprintf(out, "\\%c", *s);
        else if (*s == '\\' || *s == '~' || *s == '^')
            fprintf(out, "\\char%d{}", *s);
        else
            fputc(*s, out);
    }
}

/* After the interval of a piece. */
static const char *const form_remarks[] = {[BOUNDARY_STEP] = "",
                                           [BOUNDARY_BEND] = " (that part of it)",
                                           [BOUNDARY_SMOOTH] = " (gradually)"};

/* Where a piece holds, as mathematics. */
static void put_latex_where(FILE *out, const struct model_piece *p)
{
    if (p->nwhere == 0)
        fputs("all", out);
    for (size_t i = 0; i < p->nwhere; i++) {
        fputs(i ? ", $" : "$", out);
        put_latex_number(out, p->where[i].from);
        fprintf(out, " %s \\mathit{", p->where[i].open ? "<" : "\\le");
        put_latex_text(out, p->where[i].variable);
        fputs("} \\le ", out);
        put_latex_number(out, p->where[i].to);
        fputc('$', out);
        fputs(form_remarks[p->where[i].form], out);
    }
}

static void put_latex_constant(FILE *out, const struct model_constant *c)
{
    struct model_piece none = {.value = NAN, .low = NAN, .high = NAN};
    for (size_t i = 0; i < c->npieces || i == 0; i++) {
        const struct model_piece *p = c->npieces ? &c->pieces[i] : &none;
        fputs("  ", out);
        if (i == 0)
            put_latex_text(out, c->name);
        fputs(" & $", out);
        put_latex_number(out, p->value);
        fputs("$ & $", out);
        put_latex_number(out, p->low);
        fputs("$ \\ldots\\ $", out);
        put_latex_number(out, p->high);
        fputs("$ & ", out);
        if (c->npieces)
            put_latex_where(out, p);
        else
            fputs("not determined", out);
        fputs(" \\\\\n", out);
    }
}

static void export_latex(FILE *out, struct fit_state *const *fits, size_t n)
{
    fputs("% Models fitted by llac.\n", out);
    for (size_t i = 0; i < n; i++) {
        const struct model *m = fits[i]->model;
        struct formula_print_options options = {.style = FORMULA_LATEX};
        TEXT_LOCAL struct text t = text_new();
        formula_print(&t, model_formula(m), &options);
        fprintf(out, "\\[ %s \\]\n\\begin{tabular}{lrrl}\n  constant of ", t.s);
        put_latex_text(out, fits[i]->experiment);
        fputs(" & value & 95\\,\\% & holds for \\\\ \\hline\n", out);
        for (size_t j = 0; j < model_constants(m).n; j++)
            put_latex_constant(out, &model_constants(m).list[j]);
        fputs("\\end{tabular}\n", out);
        if (model_machine(m)) {
            fputs("\\par Functions of the machine ", out);
            put_latex_text(out, model_machine(m)->name);
            fputs(", measured ", out);
            put_latex_text(out, model_machine(m)->date);
            fputs(".\n", out);
        }
    }
}

static void export_json(FILE *out, struct fit_state *const *fits, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *fit = json_fit(fits[i], fits[i]->model);
        if (model_machine(fits[i]->model))
            json_object_set_new(json_object_get(fit, "machine"), "functions",
                                export_machine_tables(fits[i]->model));
        json_put(fit, "check:%p", check_json_of_fit(fits[i]));
        json_array_append_new(list, fit);
    }
    json_print(out, "%p", list);
}

static void put_csv_number(FILE *out, double x)
{
    char number[NUMBER_SIZE];
    fprintf(out, ",%s", isfinite(x) ? number_text(x, number) : "");
}

/* 37787 < N <= 1000000 and P <= 4 */
static void put_csv_where(FILE *out, const struct model_piece *p)
{
    char from[NUMBER_SIZE], to[NUMBER_SIZE];
    TEXT_LOCAL struct text t = text_new();
    for (size_t i = 0; i < p->nwhere; i++)
        text_printf(&t, "%s%s %s %s <= %s%s", i ? " and " : "", number_text(p->where[i].from, from),
                    p->where[i].open ? "<" : "<=", p->where[i].variable,
                    number_text(p->where[i].to, to), form_remarks[p->where[i].form]);
    fputc(',', out);
    export_csv_field(out, t.s);
}

static void put_csv_constant(FILE *out, const struct fit_state *f, const struct model_constant *c)
{
    const struct formula_machine *used = model_machine(f->model);
    ARENA_LOCAL struct arena *a = arena_create();
    const char *machine = used ? arena_printf(a, "%s %s", used->name, used->date) : NULL;
    struct model_piece none = {.value = NAN, .low = NAN, .high = NAN, .standard_error = NAN};
    for (size_t i = 0; i < c->npieces || i == 0; i++) {
        const struct model_piece *p = c->npieces ? &c->pieces[i] : &none;
        export_csv_field(out, f->experiment);
        fputc(',', out);
        export_csv_field(out, f->observable);
        fputc(',', out);
        export_csv_field(out, c->name);
        put_csv_number(out, p->value);
        put_csv_number(out, p->low);
        put_csv_number(out, p->high);
        put_csv_number(out, p->standard_error);
        fprintf(out, ",%s,%s", statistics[model_points(f->model)->request->statistic].name,
                points_unit(model_points(f->model)->request));
        put_csv_where(out, p);
        fputc(',', out);
        if (machine)
            export_csv_field(out, machine);
        fputc('\n', out);
    }
}

static void export_csv(FILE *out, struct fit_state *const *fits, size_t n)
{
    fputs(
        "experiment,observable,constant,value,low,high,standard_error,statistic,unit,where,machine\n",
        out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < model_constants(fits[i]->model).n; j++)
            put_csv_constant(out, fits[i], &model_constants(fits[i]->model).list[j]);
}

static const struct export_format export_formats[] = {
    {".h", export_c},           {".py", export_python}, {".gp", export_gnuplot},
    {".tex", export_latex},     {".json", export_json}, {".csv", export_csv},
    {".js", export_javascript}, {NULL, NULL},
};

const struct export_format *export_format_of(const char *path)
{
    const struct export_format *f = export_formats;
    while (f->extension && !text_ends_with(path, f->extension))
        f++;
    return f->extension ? f : NULL;
}
