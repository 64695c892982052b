/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that only a type declares:
 *
 *     DOUBLE PRECISION X, DLAMCH
 *     X = DLAMCH('E')
 *
 * Inside of a BLOCK construct, gfortran takes such a name for a variable, unless it was called before. So those that a
 * region calls are declared EXTERNAL or INTRINSIC, in a line after their declaration. Arrays, statement functions and the
 * procedure itself are none of them. A name is looked at only in its procedure.
 */
#include <ctype.h>
#include <string.h>

#include "translate/fortran_reader.h"
#include "translate/list.h"

/* Intrinsic functions that programs declare: those of Fortran 77, their relatives for other types, and those of gfortran
 * and of later standards that no library has. Others, such as norm2 and scale, are names of users as well. */
static const char *const intrinsics[] = {
    "abs",       "achar",   "acos",    "acosh",  "aimag",  "aint",     "algama",
    "alog",      "alog10",  "amax0",   "amax1",  "amin0",  "amin1",    "amod",
    "anint",     "asin",    "asinh",   "atan",   "atan2",  "atanh",    "besj0",
    "besj1",     "besjn",   "besy0",   "besy1",  "besyn",  "bit_size", "btest",
    "cabs",      "ccos",    "cdabs",   "cdcos",  "cdexp",  "cdlog",    "cdsin",
    "cdsqrt",    "ceiling", "cexp",    "char",   "clog",   "cmplx",    "command_argument_count",
    "conjg",     "cos",     "cosh",    "csin",   "csqrt",  "dabs",     "dacos",
    "dacosh",    "dasin",   "dasinh",  "datan",  "datan2", "datanh",   "dbesj0",
    "dbesj1",    "dbesjn",  "dbesy0",  "dbesy1", "dbesyn", "dble",     "dcmplx",
    "dconjg",    "dcos",    "dcosh",   "ddim",   "derf",   "derfc",    "dexp",
    "dfloat",    "dgamma",  "digits",  "dim",    "dimag",  "dint",     "dlgama",
    "dlog",      "dlog10",  "dmax1",   "dmin1",  "dmod",   "dnint",    "dot_product",
    "dprod",     "dreal",   "dsign",   "dsin",   "dsinh",  "dsqrt",    "dtan",
    "dtanh",     "dtime",   "epsilon", "erf",    "erfc",   "etime",    "exp",
    "float",     "floor",   "gamma",   "getgid", "getpid", "getuid",   "huge",
    "hypot",     "iabs",    "iachar",  "iand",   "iargc",  "ibclr",    "ibits",
    "ibset",     "ichar",   "idim",    "idint",  "idnint", "ieor",     "ierrno",
    "ifix",      "index",   "int",     "ior",    "irand",  "isatty",   "ishft",
    "ishftc",    "isign",   "isnan",   "kind",   "leadz",  "len",      "len_trim",
    "lge",       "lgt",     "lle",     "llt",    "lnblnk", "log",      "log10",
    "log_gamma", "lshift",  "max",     "max0",   "max1",   "maxval",   "mclock",
    "mclock8",   "min",     "min0",    "min1",   "minval", "mod",      "modulo",
    "nint",      "not",     "popcnt",  "ran",    "rand",   "real",     "rshift",
    "secnds",    "second",  "sign",    "sin",    "sinh",   "size",     "sngl",
    "sqrt",      "tan",     "tanh",    "time",   "time8",  "tiny",     "trailz",
    "zabs",      "zcos",    "zexp",    "zlog",   "zsin",   "zsqrt"};

static struct fortran_typed *find(struct reader *r, const char *s, size_t n)
{
    for (size_t i = 0; i < r->ntyped; i++)
        if (strlen(r->typed[i].name) == n && !memcmp(r->typed[i].name, s, n))
            return &r->typed[i];
    return NULL;
}

/* Every name from byte i on that is no candidate because of this statement; `brackets`: only those before parentheses. */
static void rule_out(struct reader *r, size_t i, bool brackets)
{
    const struct fortran_statement *st = r->st;
    for (size_t stop; i<st->n; i = stop> i ? stop : i + 1) {
        stop = fortran_name(st, i);
        size_t after = fortran_blanks(st, stop);
        struct fortran_typed *t = stop > i ? find(r, st->s + i, stop - i) : NULL;
        if (t && (!brackets || (after < st->n && st->s[after] == '(')))
            t->other = true;
    }
}

/* The names of a plain type declaration: REAL A, B or REAL*8 :: A. Others with attributes are not candidates. */
static void add_typed(struct reader *r, size_t i)
{
    const struct fortran_statement *st = r->st;
    const char *colons = strstr(st->s + i, "::");
    if (colons && memchr(st->s + i, ',', (size_t)(colons - st->s) - i))
        return;
    if (colons)
        i = (size_t)(colons - st->s) + 2;
    for (i = fortran_blanks(st, i); i < st->n;) {
        size_t stop = fortran_name(st, i), after = fortran_blanks(st, stop);
        if (stop == i)
            return;
        bool plain = after >= st->n || st->s[after] == ',';
        if (plain && !find(r, st->s + i, stop - i)) {
            ADD(r->unit->arena, r, typed,
                (struct fortran_typed){.name = arena_strndup(r->unit->arena, st->s + i, stop - i),
                                       .place = st->at[st->n - 1]});
        }
        int depth = 0;
        for (i = after; i < st->n && (depth || st->s[i] != ','); i++)
            depth += (st->s[i] == '(') - (st->s[i] == ')');
        i = fortran_blanks(st, i + 1);
    }
}

size_t fortran_skip_kind(const struct fortran_statement *st, size_t i)
{
    if (i < st->n && st->s[i] == '*')
        for (i = fortran_blanks(st, i + 1); i < st->n && isdigit((unsigned char)st->s[i]);)
            i++;
    if (i < st->n && st->s[i] == '(')
        i = fortran_close(st, i);
    return fortran_blanks(st, i);
}

/* The end of the type: REAL*8, DOUBLE PRECISION, INTEGER(4); 0 for another statement. */
static size_t type_end(const struct fortran_statement *st, size_t i)
{
    static const char *const types[] = {
        "integer",          "real",           "complex", "logical", "doubleprecision",
        "double precision", "double complex", NULL};
    return fortran_one_of(st, &i, types) ? fortran_skip_kind(st, i) : 0;
}

/* Inside of an interface block or the definition of a type: names there are no names of the procedure. */
static bool is_elsewhere(const struct reader *r)
{
    for (size_t k = 0; k < r->nframes; k++)
        if (r->frames[k].kind == FRAME_NO_CODE)
            return true;
    return false;
}

void fortran_note_declaration(struct reader *r, size_t i)
{
    size_t names = type_end(r->st, i), at = i;
    if (is_elsewhere(r))
        return;
    if (names)
        add_typed(r, names);
    else /* DIMENSION A(10), COMMON /X/ A(10) and others make it an array, EXTERNAL and INTRINSIC say what it is */
        rule_out(r, i,
                 !(fortran_word(r->st, &at, "external") || fortran_word(r->st, &at, "intrinsic")));
}

void fortran_note_head(struct reader *r)
{
    if (is_elsewhere(r))
        return;
    r->ntyped = 0;
    r->head = r->st;
}

/* A statement outside of declarations. A statement function is assigned to. */
void fortran_note_calls(struct reader *r, size_t i)
{
    const struct fortran_statement *st = r->st;
    size_t stop = fortran_name(st, i);
    if (!r->ntyped)
        return;
    struct fortran_typed *assigned =
        stop > i && fortran_assigns(st, i) ? find(r, st->s + i, stop - i) : NULL;
    if (assigned)
        assigned->other = true;
    for (; r->region && i<st->n; i = stop> i ? stop : i + 1) {
        stop = fortran_name(st, i);
        size_t after = fortran_blanks(st, stop);
        bool calls =
            stop > i && after < st->n && st->s[after] == '(' && (!i || st->s[i - 1] != '%');
        struct fortran_typed *t = calls ? find(r, st->s + i, stop - i) : NULL;
        if (t)
            t->called = true;
    }
}

static bool is_in_head(const struct reader *r, const char *name)
{
    const struct fortran_statement *st = r->head;
    for (size_t i = 0, stop; st && i < st->n && st->s[i] != '('; i = stop > i ? stop : i + 1) {
        stop = fortran_name(st, i);
        if (stop - i == strlen(name) && !memcmp(st->s + i, name, stop - i))
            return true;
    }
    const char *result = st ? strstr(st->s, "result") : NULL;
    return result && strstr(result, name);
}

void fortran_declare_external(struct reader *r)
{
    struct fortran *f = r->f;
    if (is_elsewhere(r))
        return;
    for (size_t i = 0; i < r->ntyped; i++) {
        const struct fortran_typed *t = &r->typed[i];
        if (!t->called || t->other || is_in_head(r, t->name))
            continue;
        bool is = text_is_in(intrinsics, sizeof intrinsics / sizeof *intrinsics, t->name);
        const char *end = memchr(f->text + t->place, '\n', f->size - t->place);
        size_t place = end ? (size_t)(end - f->text) : f->size;
        ADD(r->unit->arena, f, edits,
            (struct fortran_edit){.begin = place,
                                  .end = place,
                                  .function = arena_printf(r->unit->arena, "%s %s",
                                                           is ? "intrinsic" : "external", t->name),
                                  .line = t->place});
    }
    r->ntyped = 0;
}
