/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A translation unit on its way through the translator: a source and those of its headers that hold
 * regions.
 *
 *     struct unit *u = unit_create(LANGUAGE_C);
 *     unit_add(u, "fft.c", text, size);    // the source first, then its headers
 *     unit_mark(u, 0, &out);               // for the preprocessor: every pragma gets a number
 *     unit_resolve(u, preprocessed, size); // finds the regions, decides about each pragma
 *     emit_source(u, 0, "fft.cll.h", &out);
 *     emit_header(u, "-O2", &out);
 *
 * The preprocessed text carries the numbers of the pragmas it still holds; those it lost are in
 * branches that are off, and are read from the text as written.
 */
#ifndef TRANSLATE_UNIT_H
#define TRANSLATE_UNIT_H

#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "translate/lex.h"
#include "translate/pragma.h"

/* A pragma that is not ours and was probably meant to be. */
struct near_miss {
    struct span span; /* its first word */
    const char *meant;
    bool surely;
};

struct input {
    const char *path; /* as the user gave it: for messages, #line and the data file */
    const char *text; /* as written */
    size_t size;
    const struct source
        *source; /* the same bytes with the inside of pragmas blanked: for messages and formulas */
    struct tokens tokens;
    struct pragma *pragmas; /* in the order of the text; those inside `#if 0` are not here */
    size_t npragmas;
    size_t *pragma_tokens; /* the token of each */
    struct near_miss *near_misses;
    size_t nnear_misses, cnear_misses;
    size_t *active; /* per token that opens a conditional: the branch taken; NULL if unknown */
    size_t *lines;  /* where each line begins */
    size_t nlines;
};

/* One token of the text the structure is read from. */
enum item_kind {
    ITEM_END,
    ITEM_NAME,
    ITEM_LITERAL,
    ITEM_PUNCTUATOR,
    ITEM_CLL,   /* a pragma of ours: `input` and `pragma` say which */
    ITEM_PRAGMA /* any other pragma, its text at [begin, end) */
};
struct item {
    uint32_t kind, id;
    uint32_t line;
    int32_t input;       /* index of the input it comes from, -1 = another file */
    uint32_t pragma;     /* of names: is it in a system header? */
    uint32_t begin, end; /* bytes of the stream's text */
};
/* A definition of a macro: its name, and the bytes of the text from there to the end of the directive. Also #undef. */
struct stream_macro {
    uint32_t name, begin, end;
    bool defined; /* no #undef */
};
struct stream {
    const char *text;
    struct item *list; /* ends with an ITEM_END */
    size_t n;
    struct stream_macro *macros; /* in the order of the text */
    size_t nmacros, cmacros;
    bool preprocessed;
    uint32_t
        *closing; /* C++: per item that is an opening bracket, the one that closes it; else NULL
                        */
};

/* What is known of a name of the program. */
enum name_flag {
    NAME_SEEN = 1, /* occurs outside pragmas, or is a macro */
    NAME_MACRO = 2,
    NAME_TYPE = 4,       /* a typedef's name; C++: also of a class, a template's parameter */
    NAME_NO_ADDRESS = 8, /* an enumeration constant or a register variable */
    NAME_VALUE = 16      /* C++: looks like a declared variable, whatever else has this name */
};

/* One experiment: all regions of one name. */
struct unit_experiment {
    const char *name;
    struct pragma *first, *last; /* its regions, linked by pragma.next; the first one's variables
                                    and formulas are those of all */
};

struct unit {
    enum language language;
    struct arena *arena;
    struct arena *scratch; /* streams, structures and what is found in them: until the next pass */
    struct diag *diag;
    struct names *names;
    struct input *inputs;
    size_t ninputs;
    unsigned char *flags; /* enum name_flag, by number of the name */
    size_t nflags;
    bool preprocessed;
    bool has_headers; /* those with pragmas are inputs */
    bool uses_papi;
    bool counting;                  /* Fortran: regions have the marks of call count */
    const struct driver *processes; /* the driver of processes; NULL = none */
    const struct driver *implied;   /* the one of a source without `parallel`; NULL = none */
    bool processes_implied;         /* `processes` is that one */
    const char *machine;            /* the machine of its pragma; NULL = all processes */
    bool trace;                     /* the driver traces the program */
    bool openmp;
    const struct driver *
        device; /* the driver of devices; NULL = none. Set to the implied one before unit_resolve */
    bool sequential;    /* SEQ was said */
    struct range procs; /* the processors of the program's sweep, in the order written; n = 0: none
                         */
    bool records_p; /* P differs from sample to sample; else it is the number of all processes */
    unsigned nregions;
    size_t passes; /* over the text as written, for branches that are off */
    size_t
        columns; /* of a line of a Fortran source in fixed form; 0 = free form. Set before unit_add */
    struct fortran *fortran; /* of a Fortran source: its statements (fortran.h) */
    struct unit_experiment *experiments;
    size_t nexperiments, cexperiments;
};

struct unit *unit_create(enum language language);
void unit_destroy(struct unit *u); /* NULL is fine */

/* Adds a text (copied) and reads its pragmas. Returns its index. */
size_t unit_add(struct unit *u, const char *path, const char *text, size_t size);

/* Pragmas of ours in all inputs. */
size_t unit_count(const struct unit *u);

/* "HASH FILE": identifies the texts of all inputs, and names the source without its folder. In the
 * arena. */
const char *unit_code(const struct unit *u);

/* Does a pragma name a driver of processes, in any branch? */
bool unit_names_processes(const struct unit *u);

/* Input i for the preprocessor: each pragma of ours carries its number, lines stay where they are.
 */
void unit_mark(const struct unit *u, size_t i, struct text *out);

/* The pragma behind the last one of the input was read, and is ours. */
void unit_take_pragma(struct unit *u, struct input *in);

/* The pragma of ours after `p` in the order of the inputs, the first one after NULL; NULL after the last one. */
struct pragma *unit_next(const struct unit *u, const struct pragma *p);

/* The drivers of the parallel pragmas that the stream shows, then the experiments, when the structure is read: only
 * then is it known which names have no address. */
void unit_find_drivers(struct unit *u, const struct stream *s);
void unit_find_experiments(struct unit *u);
/* Numbers the names of all experiments; returns room for something per number, cleared. */
uint32_t *unit_number_experiments(struct unit *u);

/* How many values a region records. */
size_t unit_recorded(const struct unit *u, const struct pragma *p);

/* Does a region have a value that is computed when it ends? */
bool unit_computes(const struct unit *u);

/* How directives begin: "#pragma cll", "!$cll". */
const char *unit_sentinel(const struct unit *u);

/* Complains about the first line of the source that concerns a module of C++20. Returns whether there is
 * one. unit_resolve does this for a source with pragmas. */
bool unit_refuse_modules(struct unit *u);

/* Settles every pragma, and complains about pragmas that were meant to be ours, and about pragmas that only the
 * preprocessor shows, for example from a macro. `text` is the preprocessed unit, or NULL: then the text as
 * written is used. Errors are in u->diag afterwards. */
void unit_resolve(struct unit *u, const char *text, size_t size);

/* The streams of unit_resolve (stream.c). */
struct stream stream_preprocessed(struct unit *u, const char *text, size_t size);
/* Input i as written, with the branches of its conditionals chosen so that the pragma is reached.
 */
struct stream stream_raw(struct unit *u, size_t i, size_t pragma);

/* Complains about pragmas in the arguments of macros: the preprocessor moves them elsewhere. Called
 * when the macros are known. */
void stream_check_arguments(struct unit *u);

/* The pragma of ours that an item is. */
static inline struct pragma *stream_pragma(const struct unit *u, const struct stream *s,
                                           size_t item)
{
    return &u->inputs[s->list[item].input].pragmas[s->list[item].pragma];
}

/* The place of an item in an input, for a message. False: it is in another file. */
bool stream_item_position(const struct unit *u, const struct stream *s, size_t item,
                          const struct source **source, struct span *span);

#endif
