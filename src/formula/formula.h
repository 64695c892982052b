/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Formulas: parse, check, extract coefficients, evaluate over columns, print.
 *
 * A formula is an expression over variables, numbers, functions and the constants NAME[0], NAME[1],
 * ... of experiments, linear in the constants except that a constant may be an exponent, N^NAME[2],
 * or a factor in the argument of a function that asks the machine, lat(NAME.w*N), and that max() and
 * min() may have operands with constants (language reference: docs/reference/language.md). All
 * arithmetic is real.
 *
 *     const struct formula *f = formula_parse(arena, &source, span, &options, diag);
 *     const struct formula_linear *l = formula_linearize(arena, f, &source, diag);
 *     const struct formula *c = l->terms[1].coefficient; // of the second constant
 *     const struct formula_program *p = formula_compile(arena, c, names, n, &source, diag);
 *     formula_evaluate(p, columns, nrows, out, &trouble);
 *
 * Return rule: pointers are NULL, ints -1 on error, and the diagnostic has the reason. Everything
 * lives in the arena given. Expressions are immutable and may be shared.
 */
#ifndef FORMULA_FORMULA_H
#define FORMULA_FORMULA_H

#include <stdbool.h>
#include <stddef.h>

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"

enum formula_limits {
    FORMULA_MAX_NESTING = 200,  /* parentheses, calls, signs and powers inside one another */
    FORMULA_MAX_DEPTH = 2000,   /* height of the tree: a sum of n terms is n high */
    FORMULA_MAX_CONSTANT = 999, /* largest index i in NAME[i] */
    FORMULA_MAX_EXPONENTS = 3,  /* constants that are exponents, or factors of an argument */
    FORMULA_MAX_CHOICES = 8,    /* max() and min() of operands with constants */
    FORMULA_MAX_SIZE = 65536,   /* bytes of text */
    FORMULA_NO_INDEX = 1 << 20  /* index of a REFERENCE that is not to a constant */
};

/* Over which ratio a curve of the machine is differentiated: about the distance of its points. */
#define FORMULA_LOG_STEP 1.1

enum formula_kind {
    FORMULA_NUMBER,
    FORMULA_VARIABLE,
    FORMULA_CONSTANT, /* NAME[index] */
    FORMULA_NEGATE,
    FORMULA_ADD,
    FORMULA_SUBTRACT,
    FORMULA_MULTIPLY,
    FORMULA_DIVIDE,
    FORMULA_POWER,
    FORMULA_CALL,
    /* definitions (formula_options.references only) */
    FORMULA_SUM,       /* sum(name, from, to, term) */
    FORMULA_REFERENCE, /* name(arguments), or a constant somewhere else: name[index](arguments) */
    /* conditions; in a formula they are numbers, 1 or 0 */
    FORMULA_LESS,
    FORMULA_LESS_EQUAL,
    FORMULA_GREATER,
    FORMULA_GREATER_EQUAL,
    FORMULA_EQUAL,
    FORMULA_NOT_EQUAL,
    FORMULA_AND,
    FORMULA_OR,
    FORMULA_NOT
};

/* One entry of the table of functions (formula_functions): feeds parser, printers, help and
 * completion. */
struct formula_function {
    const char *name;
    int min_arity, max_arity; /* max -1 = any number */
    const char *help;         /* one line */
    const char *arguments;    /* of a function that asks the machine: "BYTES [, CORES]" */
    const char *unit;         /* of its value: "s", "B/s"; NULL = it does not ask the machine */
};

/* What functions that ask the machine are computed with. formula_bind puts it into a formula. */
struct formula_machine {
    const char *name, *date; /* of the machine file */
    const void *curves;      /* first argument of the functions below */
    /* Value of the function; nan if it has none for these arguments. */
    double (*value)(const void *curves, const struct formula_function *f, const double *x,
                    size_t n);
    /* Why the machine file has no such value; NULL if it has. */
    const char *(*lacks)(const void *curves, const struct formula_function *f, size_t n,
                         struct arena *a);
    /* What was measured, if the arguments are outside of it; NULL if they are inside. */
    const char *(*beyond)(const void *curves, const struct formula_function *f, const double *x,
                          size_t n, struct arena *a);
    /* What speaks against the figures of the function; NULL if nothing does. */
    const char *(*doubt)(const void *curves, const struct formula_function *f, struct arena *a);
    /* The same machine with figures drawn from their intervals. */
    const struct formula_machine *draws;
    size_t ndraws;
};

struct formula {
    enum formula_kind kind;
    unsigned depth;   /* height of this tree, 1 for a leaf */
    struct span span; /* in the source it was parsed from; {0,0} for derived expressions */
    double number;    /* NUMBER */
    const char
        *name; /* VARIABLE: canonical text ("m->rows", no spaces); CONSTANT: the experiment's name;
                 SUM: the variable that runs; REFERENCE: what is referred to */
    /* CONSTANT, above FORMULA_MAX_CONSTANT if it has a word; REFERENCE */
    unsigned index;
    const char *word;                        /* CONSTANT: w of NAME.w; NULL = NAME[index] */
    const struct formula_function *function; /* CALL */
    /* CALL of a function that asks the machine, if bound; or the computer of formula_options */
    const struct formula_machine *machine;
    /* REFERENCE: the name of each argument, NULL for one without a name */
    const char *const *arguments;
    const struct formula *const *operands;
    size_t noperands;
};

struct formula_options {
    /* Names whose NAME[i] (i an integer literal) is a constant; NULL-terminated; NULL = none. With
     * `any_constant` every NAME[i] with a literal index is one (llac's define). */
    const char *const *experiments;
    bool any_constant;
    /* sum(i, from, to, term), NAME(ARGUMENT, VAR=ARGUMENT...) and NAME[i](VAR=ARGUMENT...) are allowed:
     * in definitions. What has the name of a function is one, unless an argument has a name. */
    bool references;
    /* With `references`: labels of versions, NULL-terminated; NULL = none. NAME@LABEL, NAME@VAR=NUMBER and
     * NAME@"..." are names. '-' and '+' belong to a label only if it is one of these, or in quotes. */
    const char *const *labels;
    /* 1K, 1M, 1G and 1T are numbers (base/arithmetic.h), as they are in conditions. */
    bool suffixes;
    /* Functions beside formula_functions, ended by a NULL name, without a unit, and what computes them; NULL
     * = none. Such a formula prints as FORMULA_TEXT only. */
    const struct formula_function *functions;
    const struct formula_machine *computer;
};

/* Parses the whole of source.text[where]. Errors carry their place in `source`. */
const struct formula *formula_parse(struct arena *a, const struct source *source, struct span where,
                                    const struct formula_options *options, struct diag *diag);

/* Parses a condition: comparisons of expressions joined by and/&&, or/||, not/!; also chains: 1 <=
 * N < 10. Its value is 1 or 0. A formula may have conditions as well, which are numbers there; only in
 * a condition a single `=` compares. */
const struct formula *formula_parse_condition(struct arena *a, const struct source *source,
                                              struct span where,
                                              const struct formula_options *options,
                                              struct diag *diag);

/* Convenience: parses a text of its own, "<formula>" being the name in messages. */
const struct formula *formula_parse_text(struct arena *a, const char *text, const char *experiment,
                                         struct diag *diag);

/* The first part of this kind; NULL without one. */
const struct formula *formula_first(const struct formula *f, enum formula_kind kind);

/* A variable of an expression: its canonical name, every place where it occurs. */
struct formula_variable {
    const char *name;
    struct span span; /* first occurrence */
    size_t occurrences;
};
/* In the order of first occurrence. */
struct formula_variables {
    const struct formula_variable *list;
    size_t n;
};
struct formula_variables formula_variables(struct arena *a, const struct formula *f);
/* Is one of them called so? */
bool formula_uses(struct arena *a, const struct formula *f, const char *name);
/* Whether the variable of a sum has this name. */
bool formula_sums(const struct formula *f, const char *name);

/* The canonical form: f = sum of constant x coefficient, plus an offset without constants. */
struct formula_term {
    const char *experiment;
    unsigned index;
    const struct formula *coefficient; /* free of constants */
};
/* A constant that is an exponent, or a factor of an argument (lat(f[2]*N)). In coefficients and in the
 * offset it is a variable with this name, "f[2]": formula_substitute gives it a value. */
struct formula_exponent {
    const char *experiment;
    unsigned index;
    const char *name;
    struct span span; /* first occurrence */
    bool factor;      /* of an argument: positive */
};
/* max() or min() of two operands, one or both with constants: where the operands are equal, the
 * formula passes from one to the other. In coefficients and in the offset, what belongs to the left
 * operand has the variable `if_left` as a factor, what belongs to the right one `if_right`:
 * formula_choose gives them values. */
struct formula_choice {
    const char *if_left, *if_right;
    bool largest;                       /* max */
    const struct formula *left, *right; /* constants are variables, "f[1]" */
};
struct formula_linear {
    struct formula_term *terms; /* sorted by experiment (first occurrence), then index */
    size_t nterms;
    const struct formula *offset; /* NULL = 0 */
    struct formula_exponent exponents[FORMULA_MAX_EXPONENTS];
    size_t nexponents;
    struct formula_choice choices[FORMULA_MAX_CHOICES];
    size_t nchoices;
};
/* NULL with a diagnostic naming the constant that makes it non-linear and why. `source` may be
 * NULL. */
const struct formula_linear *formula_linearize(struct arena *a, const struct formula *f,
                                               const struct source *source, struct diag *diag);

/* An expression of l (a coefficient, the offset) as it is around these constants, in the order of the
 * terms: of each choice, the operand counts that is the larger (smaller) one with them. NULL: both
 * count, as if it were a sum. */
const struct formula *formula_choose(struct arena *a, const struct formula_linear *l,
                                     const struct formula *f, const double *constants);

/* Building expressions. They simplify as they build (0+x, 1*x, numbers folded). */
const struct formula *formula_number(struct arena *a, double value);
const struct formula *formula_variable(struct arena *a, const char *name);
const struct formula *formula_binary(struct arena *a, enum formula_kind kind,
                                     const struct formula *l, const struct formula *r);
/* f with each variable named in `names` replaced by the expression of the same place. */
const struct formula *formula_substitute(struct arena *a, const struct formula *f,
                                         const char *const *names, const struct formula *const *by,
                                         size_t n);
/* f with each constant whose name, "f[1]", `is_variable` knows as a variable of this name. */
const struct formula *formula_rename(struct arena *a, const struct formula *f,
                                     bool (*is_variable)(const void *user, const char *name),
                                     const void *user);
/* The derivative of f, in which `variable` may be an exponent of something that does not depend on
 * it, or a factor, but not inside a function. NULL if it is elsewhere. */
const struct formula *formula_derivative(struct arena *a, const struct formula *f,
                                         const char *variable);
/* The slope of f against the logarithm of `variable`, as a difference over FORMULA_LOG_STEP: for
 * variables inside functions that ask the machine. */
const struct formula *formula_log_slope(struct arena *a, const struct formula *f,
                                        const char *variable);
bool formula_same(const struct formula *x, const struct formula *y);

/* f with the machine in every function that asks it; f itself if it has none. */
const struct formula *formula_bind(struct arena *a, const struct formula *f,
                                   const struct formula_machine *machine);
/* The calls of functions that ask the machine, in order; *n is 0 if there are none. */
const struct formula *const *formula_machine_calls(struct arena *a, const struct formula *f,
                                                   size_t *n);
/* Whether there is such a call. */
bool formula_asks_machine(const struct formula *f);
/* Whether each such call has a machine that has what the function needs. 0, or -1 with errors at their
 * places; `source` may be NULL. */
int formula_check_machine(struct arena *a, const struct formula *f, const struct source *source,
                          struct diag *diag);
/* "f[2]" or "f.w". */
char *formula_constant_name(struct arena *a, const struct formula *constant);

/* Printing; the text reads back as the same expression in FORMULA_TEXT. */
enum formula_style { FORMULA_TEXT, FORMULA_C, FORMULA_GNUPLOT, FORMULA_LATEX, FORMULA_PYTHON };
struct formula_print_options {
    enum formula_style style;
    /* How a constant / a variable is spelled in the target; NULL = the style's own way: f[0] (text,
     * C, Python), f_0 (gnuplot), f_{0} (LaTeX); variables that are not identifiers become one
     * (m->rows: m_rows). */
    const char *(*constant)(void *user, const char *experiment, unsigned index);
    const char *(*variable)(void *user, const char *name);
    void *user;
};
void formula_print(struct text *out, const struct formula *f,
                   const struct formula_print_options *options);
/* The definitions of cll_min and the like that printed expressions call, to be written before them. In C they need
 * math.h, in Python the module math. */
void formula_helpers(struct text *out, enum formula_style style, const char *code);
char *formula_text(struct arena *a, const struct formula *f);
/* How a program calls a function of the machine that has arguments: cll_lat with the name of the machine and
 * the date of its file. The program calls it with all arguments that it can have. */
void formula_machine_name(struct text *out, const struct formula *call);
/* An identifier valid in C, gnuplot and Python made from any variable name. */
void formula_identifier(struct text *out, const char *name);

/* Evaluation. Compiled once to a flat program over columns, run in blocks. */
struct formula_program;
/* columns[i] names column i. NULL with a diagnostic when a variable or constant has no column
 * (a constant's column is named as it prints: "f[0]"), or when a function asks the machine and none is
 * bound, or the one that is bound lacks the figures. */
const struct formula_program *formula_compile(struct arena *a, const struct formula *f,
                                              const char *const *columns, size_t ncolumns,
                                              const struct source *source, struct diag *diag);

/* What went wrong at the first row whose value is not finite. */
struct formula_trouble {
    size_t row;
    char what[160]; /* "log(N) with N = 0": the innermost sub-expression that is not finite, and its
                       operands */
};
/* out[r] = value for row r of the columns. (A formula that is a condition is 0 where it compares a nan.) Returns 0; or 1 if some value is not finite (all rows
 * are evaluated all the same) and fills *trouble (may be NULL) for the first such row. A row with a
 * nan operand (a column that does not apply) counts. Thread-safe; no allocation. */
int formula_evaluate(const struct formula_program *p, const double *const *columns, size_t nrows,
                     double *out, struct formula_trouble *trouble);

/* The value of kind (not a leaf) for these operands, without a machine; a CALL needs `function`. */
double formula_apply(enum formula_kind kind, const struct formula_function *function,
                     const double *x, size_t n);

/* The value for one row, without the cost of blocks: *columns[i] is the value of column i. nan if it,
 * or a part of the formula, is not finite: formula_evaluate says which. */
double formula_value(const struct formula_program *p, const double *const *columns);

/* Compiles, and evaluates where names[i] is values[i]. -1 if it does not compile; else as formula_evaluate. */
int formula_at(struct arena *a, const struct formula *f, const char *const *names,
               const double *values, size_t n, const struct source *source, struct diag *diag,
               double *out, struct formula_trouble *trouble);

/* The table of functions, ended by a NULL name. */
extern const struct formula_function formula_functions[];

#endif
