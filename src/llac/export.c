/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One writer per format. Functions are called predict_NAME (predict_NAME_OBS for other observables
 * than CLOCK) in every language, their arguments the variables of the formula in order of
 * appearance; constants are written with all their digits.
 */
#include "llac/export.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "base/file.h"
#include "llac/output.h"

/* The value of a constant as a number that may stand anywhere in an expression. */
static const char *constant_value(void *user, const char *experiment, unsigned index)
{
    static char text[NUMBER_SIZE + 4];
    char number[NUMBER_SIZE];
    const struct model *m = user;
    double value = 0;
    (void)experiment;
    for (size_t j = 0; j < m->nconstants; j++)
        if (m->constants[j].index == index)
            value = m->value[j];
    number_text(value, number);
    const char *point =
        strpbrk(number, ".en") ? "" : ".0"; /* 3 would be an integer in C and gnuplot */
    snprintf(text, sizeof text, value < 0 ? "(%s%s)" : "%s%s", number, point);
    return text;
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
    struct formula_print_options options = {
        .style = style, .constant = constant_value, .user = (void *)m};
    text_init(&t);
    formula_print(&t, m->formula, &options);
    fputs(t.s, out);
    text_free(&t);
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
    fputs("\n\n#include <math.h>\n", out);
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
    fputs("# Models fitted by llac.\nimport math\n", out);
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
    fputs("# Models fitted by llac.\n", out);
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

/* m e-x as LaTeX. */
static void put_latex_number(FILE *out, double x)
{
    if (!isfinite(x)) {
        fputs("--", out);
        return;
    }
    int e = x != 0 ? (int)floor(log10(fabs(x))) : 0;
    if (e >= -2 && e <= 4)
        fprintf(out, "$%.4g$", x);
    else
        fprintf(out, "$%.3f\\cdot 10^{%d}$", x / pow(10, e), e);
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

static void export_latex(FILE *out, struct fit_state *const *fits, size_t n)
{
    fputs("% Models fitted by llac.\n", out);
    for (size_t i = 0; i < n; i++) {
        const struct model *m = fits[i]->model;
        struct text t;
        struct formula_print_options options = {.style = FORMULA_LATEX};
        text_init(&t);
        formula_print(&t, m->formula, &options);
        fprintf(out, "\\[ %s \\]\n\\begin{tabular}{lrr}\n  constant of ", t.s);
        put_latex_text(out, fits[i]->experiment);
        fputs(" & value & 95\\,\\% \\\\ \\hline\n", out);
        for (size_t j = 0; j < m->nconstants; j++) {
            const struct model_constant *c = &m->constants[j];
            fputs("  ", out);
            put_latex_text(out, c->name);
            fputs(" & ", out);
            put_latex_number(out, c->npieces ? c->pieces[0].value : NAN);
            fputs(" & ", out);
            if (c->npieces) {
                put_latex_number(out, c->pieces[0].low);
                fputs(" \\ldots\\ ", out);
                put_latex_number(out, c->pieces[0].high);
            }
            fputs(" \\\\\n", out);
        }
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

static void export_csv(FILE *out, struct fit_state *const *fits, size_t n)
{
    fputs("experiment,observable,constant,value,low,high,standard_error,statistic,unit\n", out);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < fits[i]->model->nconstants; j++) {
            const struct model_constant *c = &fits[i]->model->constants[j];
            struct piece none = {.value = NAN, .low = NAN, .high = NAN, .standard_error = NAN};
            const struct piece *p = c->npieces ? c->pieces : &none;
            fprintf(out, "%s,%s,%s", fits[i]->experiment, fits[i]->observable, c->name);
            put_csv_number(out, p->value);
            put_csv_number(out, p->low);
            put_csv_number(out, p->high);
            put_csv_number(out, p->standard_error);
            fprintf(out, ",%s,%s\n", statistics[fits[i]->model->request.points.statistic].name,
                    observable_unit(fits[i]->observable));
        }
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
