/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One writer per format. Functions are called predict_NAME (predict_NAME_OBS for other observables
 * than CLOCK) in every language, their arguments the variables of the formula in order of
 * appearance; constants are written with all their digits.
 */
#include "llac/export.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "llac/output.h"

/* A model being printed; the text holds the constant printed last. */
struct printing {
    const struct model *model;
    enum formula_style style;
    struct text constant;
};

static const char *constant_value(void *user, const char *experiment, unsigned index)
{
    struct printing *p = user;
    (void)experiment;
    text_free(&p->constant);
    text_init(&p->constant);
    for (size_t j = 0; j < p->model->nconstants; j++)
        if (p->model->constants[j].index == index)
            export_constant(&p->constant, p->model, j, p->style);
    return p->constant.s;
}

static void put_identifier(FILE *out, const char *name)
{
    struct text t;
    text_init(&t);
    formula_identifier(&t, name);
    fputs(t.s, out);
    text_free(&t);
}

static void put_function_name(FILE *out, const struct fit_state *f)
{
    fputs("predict_", out);
    put_identifier(out, f->experiment);
    if (strcmp(f->observable, "CLOCK") != 0) {
        fputc('_', out);
        put_identifier(out, f->observable);
    }
}

static void put_arguments(FILE *out, const struct model *m, const char *before, const char *none)
{
    struct arena *a = arena_create();
    size_t n;
    const char **names = model_variables(a, m, &n);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s%s", i ? ", " : "", before);
        put_identifier(out, names[i]);
    }
    if (n == 0)
        fputs(none, out);
    arena_destroy(a);
}

static void put_expression(FILE *out, const struct model *m, enum formula_style style)
{
    struct text t;
    struct printing printing = {.model = m, .style = style};
    struct formula_print_options options = {
        .style = style, .constant = constant_value, .user = &printing};
    text_init(&printing.constant);
    text_init(&t);
    formula_print(&t, m->formula, &options);
    fputs(t.s, out);
    text_free(&t);
    text_free(&printing.constant);
}

/* One line of what the function is; comment characters around it are the caller's. */
static void put_description(FILE *out, const struct fit_state *f)
{
    const struct model *m = f->model;
    fprintf(out, "%s of %s = %s; %s, %s of %zu samples at %zu points",
            strcmp(observable_unit(f->observable), "s") == 0 ? "seconds" : f->observable,
            f->experiment, f->formula_text, f->observable,
            statistics[m->request.points.statistic].text, m->points.samples, m->points.n);
    if (!isnan(m->error.mean_pct))
        fprintf(out, "; error mean %.2g %%, max %.2g %%", m->error.mean_pct, m->error.max_pct);
    for (size_t c = 0; c < m->pieces->ncuts; c++)
        fprintf(out, "; changes between %s = %.10g and %.10g",
                m->points.names[m->pieces->cuts[c].variable], m->pieces->cuts[c].below,
                m->pieces->cuts[c].above);
    for (size_t j = 0; j < m->nconstants; j++)
        if (m->constants[j].npieces == 0)
            fprintf(out, "; the data do not determine %s, 0 stands for it", m->constants[j].name);
}

static void export_c(FILE *out, struct fit_state *const *fits, size_t n)
{
    fputs("/* Models fitted by llac. */\n#ifndef CLL_MODELS", out);
    for (size_t i = 0; i < n; i++) {
        fputc('_', out);
        put_identifier(out, fits[i]->experiment);
    }
    fputs("\n#define CLL_MODELS", out);
    for (size_t i = 0; i < n; i++) {
        fputc('_', out);
        put_identifier(out, fits[i]->experiment);
    }
    fprintf(out, "\n\n%s", formula_prelude(FORMULA_C));
    for (size_t i = 0; i < n; i++) {
        fputs("\n/* ", out);
        put_description(out, fits[i]);
        fputs(" */\nstatic inline double ", out);
        put_function_name(out, fits[i]);
        fputc('(', out);
        put_arguments(out, fits[i]->model, "double ", "void");
        fputs(")\n{\n    return ", out);
        put_expression(out, fits[i]->model, FORMULA_C);
        fputs(";\n}\n", out);
    }
    fputs("\n#endif\n", out);
}

static void export_python(FILE *out, struct fit_state *const *fits, size_t n)
{
    fprintf(out, "# Models fitted by llac.\n%s", formula_prelude(FORMULA_PYTHON));
    for (size_t i = 0; i < n; i++) {
        fputs("\n\n# ", out);
        put_description(out, fits[i]);
        fputs("\ndef ", out);
        put_function_name(out, fits[i]);
        fputc('(', out);
        put_arguments(out, fits[i]->model, "", "");
        fputs("):\n    return ", out);
        put_expression(out, fits[i]->model, FORMULA_PYTHON);
        fputc('\n', out);
    }
}

static void export_gnuplot(FILE *out, struct fit_state *const *fits, size_t n)
{
    fprintf(out, "# Models fitted by llac.\n%s", formula_prelude(FORMULA_GNUPLOT));
    for (size_t i = 0; i < n; i++) {
        fputs("# ", out);
        put_description(out, fits[i]);
        fputc('\n', out);
        put_function_name(out, fits[i]);
        fputc('(', out);
        put_arguments(out, fits[i]->model, "", "unused");
        fputs(") = ", out);
        put_expression(out, fits[i]->model, FORMULA_GNUPLOT);
        fputc('\n', out);
    }
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
        fprintf(out, "%.*s\\cdot 10^{%d}", (int)mantissa, number, atoi(number + mantissa + 1));
    }
}

static void put_latex_text(FILE *out, const char *s)
{
    for (; *s; s++) {
        if (strchr("#$%&_{}", *s))
            fprintf(out, "\\%c", *s);
        else if (*s == '\\' || *s == '~' || *s == '^')
            fprintf(out, "\\char%d{}", *s);
        else
            fputc(*s, out);
    }
}

/* Where a piece holds, as mathematics. */
static void put_latex_where(FILE *out, const struct piece *p)
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
    }
}

static void put_latex_constant(FILE *out, const struct model_constant *c)
{
    struct piece none = {.value = NAN, .low = NAN, .high = NAN};
    for (size_t i = 0; i < c->npieces || i == 0; i++) {
        const struct piece *p = c->npieces ? &c->pieces[i] : &none;
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
        struct text t;
        struct formula_print_options options = {.style = FORMULA_LATEX};
        text_init(&t);
        formula_print(&t, m->formula, &options);
        fprintf(out, "\\[ %s \\]\n\\begin{tabular}{lrrl}\n  constant of ", t.s);
        put_latex_text(out, fits[i]->experiment);
        fputs(" & value & 95\\,\\% & holds for \\\\ \\hline\n", out);
        for (size_t j = 0; j < m->nconstants; j++)
            put_latex_constant(out, &m->constants[j]);
        fputs("\\end{tabular}\n", out);
        text_free(&t);
    }
}

static void export_json(FILE *out, struct fit_state *const *fits, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_fit(fits[i], fits[i]->model));
    json_print(out, list);
}

static void put_csv_number(FILE *out, double x)
{
    char number[NUMBER_SIZE];
    fprintf(out, ",%s", isfinite(x) ? number_text(x, number) : "");
}

/* 37787 < N <= 1000000 and P <= 4: free of commas. */
static void put_csv_where(FILE *out, const struct piece *p)
{
    char from[NUMBER_SIZE], to[NUMBER_SIZE];
    fputc(',', out);
    for (size_t i = 0; i < p->nwhere; i++)
        fprintf(out, "%s%s %s %s <= %s", i ? " and " : "", number_text(p->where[i].from, from),
                p->where[i].open ? "<" : "<=", p->where[i].variable,
                number_text(p->where[i].to, to));
}

static void put_csv_constant(FILE *out, const struct fit_state *f, const struct model_constant *c)
{
    struct piece none = {.value = NAN, .low = NAN, .high = NAN, .standard_error = NAN};
    for (size_t i = 0; i < c->npieces || i == 0; i++) {
        const struct piece *p = c->npieces ? &c->pieces[i] : &none;
        fprintf(out, "%s,%s,%s", f->experiment, f->observable, c->name);
        put_csv_number(out, p->value);
        put_csv_number(out, p->low);
        put_csv_number(out, p->high);
        put_csv_number(out, p->standard_error);
        fprintf(out, ",%s,%s", statistics[f->model->request.points.statistic].name,
                observable_unit(f->observable));
        put_csv_where(out, p);
        fputc('\n', out);
    }
}

static void export_csv(FILE *out, struct fit_state *const *fits, size_t n)
{
    fputs("experiment,observable,constant,value,low,high,standard_error,statistic,unit,where\n",
          out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < fits[i]->model->nconstants; j++)
            put_csv_constant(out, fits[i], &fits[i]->model->constants[j]);
}

const struct export_format export_formats[] = {
    {".h", export_c},       {".py", export_python}, {".gp", export_gnuplot},
    {".tex", export_latex}, {".json", export_json}, {".csv", export_csv},
    {NULL, NULL},
};

const struct export_format *export_format_of(const char *path)
{
    size_t n = strlen(path);
    for (const struct export_format *f = export_formats; f->extension; f++) {
        size_t m = strlen(f->extension);
        if (n > m && strcmp(path + n - m, f->extension) == 0)
            return f;
    }
    return NULL;
}
