/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The functions a formula may call: one table for the parser, the evaluator, the printers and the
 * help. */
#include "formula/functions.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* A nan operand must stay visible: fmin and fmax would hide it. */
static double lesser(double x, double y)
{
    return isnan(x) || x < y ? x : y;
}

static double greater(double x, double y)
{
    return isnan(x) || x > y ? x : y;
}

const struct formula_function formula_functions[] = {
    {"log", 1, 1, "natural logarithm", NULL, NULL},
    {"ln", 1, 1, "natural logarithm", NULL, NULL},
    {"log2", 1, 1, "logarithm to base 2", NULL, NULL},
    {"log10", 1, 1, "logarithm to base 10", NULL, NULL},
    {"sqrt", 1, 1, "square root", NULL, NULL},
    {"cbrt", 1, 1, "cube root", NULL, NULL},
    {"exp", 1, 1, "e to the power x", NULL, NULL},
    {"pow", 2, 2, "pow(x, y): x to the power y, as x^y", NULL, NULL},
    {"abs", 1, 1, "absolute value", NULL, NULL},
    {"floor", 1, 1, "largest integer not above x", NULL, NULL},
    {"ceil", 1, 1, "smallest integer not below x", NULL, NULL},
    {"min", 2, -1, "smallest operand", NULL, NULL},
    {"max", 2, -1, "largest operand", NULL, NULL},
    /* functions that ask the machine */
    {"lat", 1, 2, "one load that needs the one before it, in a working set of BYTES",
     "BYTES [, CORES]", "s"},
    {"random", 1, 2, "one load at a random place of BYTES that waits for no other one",
     "BYTES [, CORES]", "s"},
    {"bw", 1, 2, "what one core reads, of a working set of BYTES", "BYTES [, CORES]", "B/s"},
    {"bw_copy", 1, 2, "what one core copies, read and written bytes together", "BYTES [, CORES]",
     "B/s"},
    {"bw_write", 1, 2, "what one core writes", "BYTES [, CORES]", "B/s"},
    {"cycle", 0, 0, "a clock cycle", "", "s"},
    {"flop", 0, 0, "an addition or multiplication of doubles, independent of others", "", "s"},
    {"division", 0, 0, "a division of doubles, independent of others", "", "s"},
    {"idivision", 0, 0, "a division of 64-bit integers, independent of others", "", "s"},
    {"root", 0, 0, "a square root of a double, independent of others", "", "s"},
    {"mispredict", 0, 0, "a mispredicted branch", "", "s"},
    {"call", 0, 0, "call of and return from a function", "", "s"},
    {"syscall", 0, 0, "a short system call", "", "s"},
    {"fault", 0, 0, "a page fault: first write to a page", "", "s"},
    {"fork", 1, 1, "OpenMP: an empty parallel region of THREADS", "THREADS", "s"},
    {"omp_barrier", 1, 1, "OpenMP: a barrier of THREADS", "THREADS", "s"},
    {"reduction", 1, 1, "OpenMP: a parallel region with a reduction", "THREADS", "s"},
    {"barrier", 1, 1, "MPI: a barrier of P processes", "P", "s"},
    {"startup", 0, 0, "MPI: a message, without its bytes", "", "s"},
    {"per_byte", 0, 0, "MPI: each byte of a message", "", "s/B"},
    {"pingpong", 1, 1, "MPI: a message of BYTES between two processes", "BYTES", "s"},
    {"alltoall", 2, 2, "MPI: an Alltoall with BYTES for each of P processes", "BYTES, P", "s"},
    {"g", 1, 1, "BSP: each byte of a superstep (total exchange)", "P", "s/B"},
    {"L", 1, 1, "BSP: a superstep, without its bytes (total exchange)", "P", "s"},
    {"s", 1, 1, "BSP: operations per second of a processor", "P", "1/s"},
    {"gpu_launch", 0, 0, "accelerator: an empty kernel is launched and waited for", "", "s"},
    {"gpu_launch_queued", 0, 0, "accelerator: an empty kernel, of many launched in a row", "", "s"},
    {"gpu_lat", 1, 1, "accelerator: one load that needs the one before it, in BYTES", "BYTES", "s"},
    {"gpu_bw", 1, 1, "accelerator: what all its threads read together, of BYTES", "BYTES", "B/s"},
    {"gpu_bw_copy", 1, 1, "accelerator: what they copy, read and written bytes together", "BYTES",
     "B/s"},
    {"gpu_bw_write", 1, 1, "accelerator: what they write", "BYTES", "B/s"},
    {"gpu_flop", 0, 0, "accelerator: an operation on doubles, two in each fused one", "", "s"},
    {"gpu_flop_float", 0, 0, "accelerator: an operation on floats, two in each fused one", "", "s"},
    {"gpu_atomic", 1, 1, "accelerator: an atomic addition to a random counter in BYTES", "BYTES",
     "s"},
    {"to_gpu", 1, 1, "a transfer of BYTES to the accelerator", "BYTES", "s"},
    {"to_gpu_pinned", 1, 1, "the same from pinned memory", "BYTES", "s"},
    {"from_gpu", 1, 1, "a transfer of BYTES from the accelerator", "BYTES", "s"},
    {"from_gpu_pinned", 1, 1, "the same to pinned memory", "BYTES", "s"},
    {NULL, 0, 0, NULL, NULL, NULL},
};

enum { ORDINARY = 13 }; /* functions that do not ask the machine */

/* In the order of the ordinary formula_functions. */
static const struct formula_function_detail details[] = {
    {log, NULL, "log", "log", "\\ln\\left($1\\right)", "math.log"},
    {log, NULL, "log", "log", "\\ln\\left($1\\right)", "math.log"},
    {log2, NULL, "log2", "cll_log2", "\\log_2\\left($1\\right)", "math.log2"},
    {log10, NULL, "log10", "log10", "\\log_{10}\\left($1\\right)", "math.log10"},
    {sqrt, NULL, "sqrt", "sqrt", "\\sqrt{$1}", "math.sqrt"},
    {cbrt, NULL, "cbrt", "cll_cbrt", "\\sqrt[3]{$1}", "cll_cbrt"},
    {exp, NULL, "exp", "exp", "\\exp\\left($1\\right)", "math.exp"},
    {NULL, pow, "pow", "(($1)**($2))", "{\\left($1\\right)}^{$2}", "math.pow"},
    {fabs, NULL, "fabs", "abs", "\\left|$1\\right|", "abs"},
    {floor, NULL, "floor", "floor", "\\left\\lfloor $1\\right\\rfloor", "math.floor"},
    {ceil, NULL, "ceil", "ceil", "\\left\\lceil $1\\right\\rceil", "math.ceil"},
    {NULL, lesser, "fmin", "cll_min", "\\min", "min"},
    {NULL, greater, "fmax", "cll_max", "\\max", "max"},
};

_Static_assert(sizeof details / sizeof *details == ORDINARY, "one detail for each function");

const struct formula_function *formula_find_function(const char *name, size_t length)
{
    for (const struct formula_function *f = formula_functions; f->name; f++)
        if (strlen(f->name) == length && memcmp(f->name, name, length) == 0)
            return f;
    return NULL;
}

const struct formula_function_detail *formula_function_detail(const struct formula_function *f)
{
    uintptr_t first = (uintptr_t)formula_functions, this = (uintptr_t)f;
    size_t i = (this - first) / sizeof *f;
    return this >= first && i < ORDINARY ? &details[i] : NULL;
}

static double apply_function(const struct formula_function *function, const double *x, size_t n)
{
    const struct formula_function_detail *d = formula_function_detail(function);
    if (!d)
        return (double)NAN; /* asks a machine, and has none */
    if (d->one)
        return d->one(x[0]);
    double value = x[0];
    for (size_t i = 1; i < n; i++)
        value = d->two(value, x[i]);
    return value;
}

double formula_apply(enum formula_kind kind, const struct formula_function *function,
                     const double *x, size_t n)
{
    switch (kind) {
    case FORMULA_NEGATE: return -x[0];
    case FORMULA_ADD: return x[0] + x[1];
    case FORMULA_SUBTRACT: return x[0] - x[1];
    case FORMULA_MULTIPLY: return x[0] * x[1];
    case FORMULA_DIVIDE: return x[0] / x[1];
    case FORMULA_POWER: return pow(x[0], x[1]);
    case FORMULA_CALL: return apply_function(function, x, n);
    case FORMULA_LESS: return x[0] < x[1];
    case FORMULA_LESS_EQUAL: return x[0] <= x[1];
    case FORMULA_GREATER: return x[0] > x[1];
    case FORMULA_GREATER_EQUAL: return x[0] >= x[1];
    case FORMULA_EQUAL: return x[0] == x[1];
    case FORMULA_NOT_EQUAL: return x[0] != x[1];
    case FORMULA_AND: return x[0] != 0 && x[1] != 0;
    case FORMULA_OR: return x[0] != 0 || x[1] != 0;
    case FORMULA_NOT: return x[0] == 0;
    case FORMULA_NUMBER:
    case FORMULA_VARIABLE:
    case FORMULA_CONSTANT:
    case FORMULA_SUM:
    case FORMULA_REFERENCE: break;
    }
    return (double)NAN;
}
