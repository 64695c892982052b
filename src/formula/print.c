/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions as text, C, gnuplot, LaTeX and Python. Parentheses are put only where precedence asks
 * for them, so that FORMULA_TEXT reads back as the same tree. In C and gnuplot every number is
 * written as a real one (1/2 would be 0 there), and so is the value of a comparison. LaTeX has the
 * brackets of Iverson for it.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "formula/functions.h"
#include "formula/part.h"

enum precedence { P_OR, P_AND, P_NOT, P_COMPARE, P_SUM, P_PRODUCT, P_UNARY, P_POWER, P_PRIMARY };

struct printer {
    struct text *out;
    const struct formula_print_options *options;
};

static void print(struct printer *p, const struct formula *f, enum precedence at_least);
static void print_plain(struct printer *p, const struct formula *f, enum precedence at_least);

static enum precedence precedence_of(const struct formula *f)
{
    switch (f->kind) {
    case FORMULA_OR: return P_OR;
    case FORMULA_AND: return P_AND;
    case FORMULA_NOT: return P_NOT;
    case FORMULA_ADD:
    case FORMULA_SUBTRACT: return P_SUM;
    case FORMULA_MULTIPLY:
    case FORMULA_DIVIDE: return P_PRODUCT;
    case FORMULA_NEGATE: return P_UNARY;
    case FORMULA_POWER: return P_POWER;
    case FORMULA_NUMBER: return f->number < 0 ? P_UNARY : P_PRIMARY;
    case FORMULA_VARIABLE:
    case FORMULA_CONSTANT:
    case FORMULA_CALL:
    case FORMULA_SUM:
    case FORMULA_REFERENCE: return P_PRIMARY;
    default: return P_COMPARE;
    }
}

static void print_number(struct printer *p, double x)
{
    char buffer[NUMBER_SIZE];
    number_text(x, buffer);
    char *exponent = strchr(buffer, 'e');
    if (p->options->style == FORMULA_LATEX && exponent) {
        text_printf(p->out, "%.*s\\cdot 10^{%d}", (int)(exponent - buffer), buffer,
                    (int)strtol(exponent + 1, NULL, 10));
        return;
    }
    text_add(p->out, buffer);
    bool real = p->options->style == FORMULA_C || p->options->style == FORMULA_GNUPLOT;
    if (real && !strpbrk(buffer, ".en"))
        text_add(p->out, ".0");
}

void formula_identifier(struct text *out, const char *name)
{
    if (isdigit((unsigned char)*name) || !*name)
        text_addc(out, '_');
    for (const char *s = name; *s; s++) {
        if ((isalnum((unsigned char)*s) && (unsigned char)*s < 0x80) || *s == '_')
            text_addc(out, *s);
        else if (*s != ']' && !(*s == '-' && s[1] == '>'))
            text_addc(out, '_');
    }
}

static void print_latex_name(struct text *out, const char *name)
{
    bool word = strlen(name) > 1;
    text_add(out, word ? "\\mathrm{" : "");
    for (; *name; name++) {
        if (strchr("_%&#${}", *name))
            text_addc(out, '\\');
        if (strchr("\\^~", *name) || iscntrl((unsigned char)*name))
            text_addc(out, '.');
        else
            text_addc(out, *name);
    }
    text_add(out, word ? "}" : "");
}

static void print_variable(struct printer *p, const struct formula *f)
{
    const struct formula_print_options *o = p->options;
    if (o->variable)
        text_add(p->out, o->variable(o->user, f->name));
    else if (o->style == FORMULA_TEXT)
        text_add(p->out, f->name);
    else if (o->style == FORMULA_LATEX)
        print_latex_name(p->out, f->name);
    else
        formula_identifier(p->out, f->name);
}

/* f.w; f_w in gnuplot, f_{w} in LaTeX */
static void print_word(struct printer *p, const struct formula *f)
{
    if (p->options->style == FORMULA_LATEX) {
        print_latex_name(p->out, f->name);
        text_add(p->out, "_{");
        print_latex_name(p->out, f->word);
        text_addc(p->out, '}');
    } else if (p->options->style == FORMULA_GNUPLOT) {
        formula_identifier(p->out, f->name);
        text_printf(p->out, "_%s", f->word);
    } else {
        text_printf(p->out, "%s.%s", f->name, f->word);
    }
}

/* NAME@PART: a part that is not plain has quotes, so that it reads back as it is. */
static void print_parts(struct printer *p, const char *name)
{
    size_t n = strcspn(name, "@");
    text_addn(p->out, name, n);
    for (const char *part = name + n; *part; part += n) {
        n = strcspn(++part, "@");
        bool plain = formula_part_is_plain(part, n);
        text_printf(p->out, plain ? "@%.*s" : "@\"%.*s\"", (int)n, part);
    }
}

static void print_constant(struct printer *p, const struct formula *f)
{
    const struct formula_print_options *o = p->options;
    if (o->constant) {
        text_add(p->out, o->constant(o->user, f->name, f->index));
    } else if (f->word) {
        print_word(p, f);
    } else if (o->style == FORMULA_LATEX) {
        print_latex_name(p->out, f->name);
        text_printf(p->out, "_{%u}", f->index);
    } else if (o->style == FORMULA_GNUPLOT) {
        formula_identifier(p->out, f->name);
        text_printf(p->out, "_%u", f->index);
    } else {
        print_parts(p, f->name);
        text_printf(p->out, "[%u]", f->index);
    }
}

static const char *spelling(const struct formula_function *f, enum formula_style style)
{
    const struct formula_function_detail *d = formula_function_detail(f);
    if (!d)
        return f->name;
    switch (style) {
    case FORMULA_C: return d->c;
    case FORMULA_GNUPLOT: return d->gnuplot;
    case FORMULA_LATEX: return d->latex;
    case FORMULA_PYTHON: return d->python;
    case FORMULA_TEXT: break;
    }
    return f->name;
}

static void print_pattern(struct printer *p, const char *pattern,
                          const struct formula *const *operands)
{
    for (const char *s = pattern; *s; s++) {
        if (*s == '$' && (s[1] == '1' || s[1] == '2'))
            print(p, operands[*++s - '1'], P_OR);
        else
            text_addc(p->out, *s);
    }
}

/* A function of two operands applied to many: fmin(fmin(a, b), c). */
static void print_folded(struct printer *p, const char *name, const struct formula *const *operands,
                         size_t n)
{
    if (n == 1) {
        print(p, operands[0], P_OR);
        return;
    }
    text_printf(p->out, "%s(", name);
    print_folded(p, name, operands, n - 1);
    text_add(p->out, ", ");
    print(p, operands[n - 1], P_OR);
    text_addc(p->out, ')');
}

void formula_machine_name(struct text *out, const struct formula *call)
{
    text_printf(out, "cll_%s", call->function->name);
    if (!call->machine)
        return;
    text_addc(out, '_');
    formula_identifier(out, call->machine->name);
    text_addc(out, '_');
    formula_identifier(out, call->machine->date);
}

/* In a program the function has all arguments that it can have: 1 core. Without arguments it is a
 * number. */
static void print_machine_call(struct printer *p, const struct formula *f)
{
    bool latex = p->options->style == FORMULA_LATEX;
    bool program = !latex && p->options->style != FORMULA_TEXT;
    if (program && f->machine && f->function->max_arity == 0) {
        print_number(p, f->machine->value(f->machine->curves, f->function, NULL, 0));
        return;
    }
    if (latex) {
        text_add(p->out, "\\mathrm{");
        for (const char *s = f->function->name; *s; s++)
            text_printf(p->out, *s == '_' ? "\\%c" : "%c", *s);
        text_add(p->out, "}\\left(");
    } else if (program) {
        formula_machine_name(p->out, f);
        text_addc(p->out, '(');
    } else {
        text_printf(p->out, "%s(", f->function->name);
    }
    for (size_t i = 0; i < f->noperands; i++) {
        text_add(p->out, i ? ", " : "");
        print(p, f->operands[i], P_OR);
    }
    for (int i = (int)f->noperands; program && i < f->function->max_arity; i++)
        text_add(p->out, i ? ", 1.0" : "1.0");
    text_add(p->out, latex ? "\\right)" : ")");
}

static void print_call(struct printer *p, const struct formula *f)
{
    if (f->function->unit) {
        print_machine_call(p, f);
        return;
    }
    const char *name = spelling(f->function, p->options->style);
    bool any_number = f->function->max_arity < 0;
    bool fold =
        any_number && (p->options->style == FORMULA_C || p->options->style == FORMULA_GNUPLOT);
    if (fold) {
        print_folded(p, name, f->operands, f->noperands);
        return;
    }
    if (strchr(name, '$')) {
        print_pattern(p, name, f->operands);
        return;
    }
    bool latex = p->options->style == FORMULA_LATEX;
    text_add(p->out, name);
    text_add(p->out, latex ? "\\left(" : "(");
    for (size_t i = 0; i < f->noperands; i++) {
        text_add(p->out, i ? ", " : "");
        print(p, f->operands[i], P_OR);
    }
    text_add(p->out, latex ? "\\right)" : ")");
}

/* sum(i, 0, 3, x), f(N=8), f[0](N=8): definitions, which are printed as text only. */
static void print_reference(struct printer *p, const struct formula *f)
{
    bool over = f->kind == FORMULA_SUM;
    if (over)
        text_add(p->out, "sum");
    else
        print_parts(p, f->name);
    if (!over && !f->noperands && f->index == FORMULA_NO_INDEX && strchr(f->name, '@'))
        return;
    if (!over && f->index != FORMULA_NO_INDEX)
        text_printf(p->out, "[%u]", f->index);
    text_addc(p->out, '(');
    if (over)
        text_printf(p->out, "%s, ", f->name);
    for (size_t i = 0; i < f->noperands; i++) {
        text_add(p->out, i ? ", " : "");
        if (f->arguments && f->arguments[i])
            text_printf(p->out, "%s=", f->arguments[i]);
        print(p, f->operands[i], P_OR);
    }
    text_addc(p->out, ')');
}

static void print_power(struct printer *p, const struct formula *f)
{
    switch (p->options->style) {
    case FORMULA_C:
    case FORMULA_PYTHON: /* where ** may be a complex number */
        text_add(p->out, p->options->style == FORMULA_C ? "pow(" : "math.pow(");
        print(p, f->operands[0], P_OR);
        text_add(p->out, ", ");
        print(p, f->operands[1], P_OR);
        text_addc(p->out, ')');
        return;
    case FORMULA_LATEX:
        text_addc(p->out, '{');
        print(p, f->operands[0], P_PRIMARY);
        text_add(p->out, "}^{");
        print(p, f->operands[1], P_OR);
        text_addc(p->out, '}');
        return;
    default:
        print(p, f->operands[0], P_PRIMARY);
        text_add(p->out, p->options->style == FORMULA_TEXT ? "^" : "**");
        print(p, f->operands[1], P_UNARY);
    }
}

static void print_fraction(struct printer *p, const struct formula *f)
{
    text_add(p->out, "\\frac{");
    print(p, f->operands[0], P_OR);
    text_add(p->out, "}{");
    print(p, f->operands[1], P_OR);
    text_addc(p->out, '}');
}

static const char *symbol_of(enum formula_kind kind, enum formula_style style)
{
    bool words = style == FORMULA_PYTHON || style == FORMULA_TEXT, latex = style == FORMULA_LATEX;
    switch (kind) {
    case FORMULA_ADD: return " + ";
    case FORMULA_SUBTRACT: return " - ";
    case FORMULA_MULTIPLY: return latex ? " \\cdot " : "*";
    case FORMULA_DIVIDE: return "/";
    case FORMULA_LESS: return " < ";
    case FORMULA_LESS_EQUAL: return latex ? " \\le " : " <= ";
    case FORMULA_GREATER: return " > ";
    case FORMULA_GREATER_EQUAL: return latex ? " \\ge " : " >= ";
    case FORMULA_EQUAL: return latex ? " = " : " == ";
    case FORMULA_NOT_EQUAL: return latex ? " \\ne " : " != ";
    case FORMULA_AND: return latex ? " \\land " : words ? " and " : " && ";
    case FORMULA_OR: return latex ? " \\lor " : words ? " or " : " || ";
    case FORMULA_NOT: return latex ? "\\lnot " : words ? "not " : "!";
    case FORMULA_NEGATE: return "-";
    default: return "?";
    }
}

/* The right operand of - and / needs more: a-(b-c), a/(b*c). The same for + and *, to keep the tree
 * as it is. */
static void print_operator(struct printer *p, const struct formula *f)
{
    enum precedence own = precedence_of(f);
    const char *symbol = symbol_of(f->kind, p->options->style);
    bool logic = own < P_COMPARE, bang = f->kind == FORMULA_NOT && strcmp(symbol, "not ") != 0;
    void (*operand)(struct printer *, const struct formula *, enum precedence) =
        logic ? print_plain : print;
    if (f->noperands == 1) {
        text_add(p->out, symbol);
        if (f->kind == FORMULA_NEGATE && precedence_of(f->operands[0]) == P_UNARY)
            text_addc(p->out, ' ');                     /* - -x: never the decrement of C */
        operand(p, f->operands[0], bang ? P_SUM : own); /* !x < y negates x in C */
        return;
    }
    bool chain = own == P_COMPARE; /* a < b < c would read back as a chain */
    operand(p, f->operands[0], chain ? P_SUM : own);
    text_add(p->out, symbol);
    operand(p, f->operands[1], own + 1);
}

static void print_bare(struct printer *p, const struct formula *f)
{
    switch (f->kind) {
    case FORMULA_NUMBER: print_number(p, f->number); break;
    case FORMULA_VARIABLE: print_variable(p, f); break;
    case FORMULA_CONSTANT: print_constant(p, f); break;
    case FORMULA_CALL: print_call(p, f); break;
    case FORMULA_POWER: print_power(p, f); break;
    case FORMULA_SUM:
    case FORMULA_REFERENCE: print_reference(p, f); break;
    case FORMULA_DIVIDE:
        if (p->options->style == FORMULA_LATEX) {
            print_fraction(p, f);
            break;
        }
        print_operator(p, f);
        break;
    default: print_operator(p, f);
    }
}

/* A condition as it is, also in places where it is not a number: beside and, or, not. */
static void print_plain(struct printer *p, const struct formula *f, enum precedence at_least)
{
    bool parentheses = precedence_of(f) < at_least;
    bool latex = p->options->style == FORMULA_LATEX;
    if (parentheses)
        text_add(p->out, latex ? "\\left(" : "(");
    print_bare(p, f);
    if (parentheses)
        text_add(p->out, latex ? "\\right)" : ")");
}

static void print(struct printer *p, const struct formula *f, enum precedence at_least)
{
    enum formula_style style = p->options->style;
    if (!formula_is_condition(f) || style == FORMULA_TEXT) {
        print_plain(p, f, at_least);
        return;
    }
    text_add(p->out, style == FORMULA_LATEX    ? "\\left["
                     : style == FORMULA_PYTHON ? "(1.0 if "
                                               : "(");
    print_plain(p, f, P_OR);
    text_add(p->out, style == FORMULA_LATEX    ? "\\right]"
                     : style == FORMULA_PYTHON ? " else 0.0)"
                                               : " ? 1.0 : 0.0)");
}

/* Functions that a language lacks. */
static const struct {
    enum formula_style style;
    const char *call, *definition;
} helpers[] = {
    {FORMULA_GNUPLOT, "cll_log2(", "cll_log2(x) = log(x)/log(2.0)\n"},
    {FORMULA_GNUPLOT, "cll_cbrt(", "cll_cbrt(x) = sgn(x)*abs(x)**(1.0/3.0)\n"},
    {FORMULA_GNUPLOT, "cll_min(", "cll_min(x, y) = x < y ? x : y\n"},
    {FORMULA_GNUPLOT, "cll_max(", "cll_max(x, y) = x > y ? x : y\n"},
    {FORMULA_PYTHON, "cll_cbrt(",
     "\n\ndef cll_cbrt(x):\n    return math.copysign(abs(x)**(1.0/3.0), x)\n"},
};

void formula_helpers(struct text *out, enum formula_style style, const char *code)
{
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
        if (helpers[i].style == style && strstr(code, helpers[i].call))
            text_add(out, helpers[i].definition);
}

void formula_print(struct text *out, const struct formula *f,
                   const struct formula_print_options *options)
{
    struct printer p = {out, options};
    print(&p, f, P_OR);
}

char *formula_text(struct arena *a, const struct formula *f)
{
    struct text out = text_new();
    formula_print(&out, f, &(struct formula_print_options){.style = FORMULA_TEXT});
    return text_keep(&out, a);
}
