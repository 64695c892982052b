/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The description of a region of Fortran: a text from which the run-time makes its descriptor
 * (src/cll/fortran.c says what its parts are).
 */
#include <string.h>

#include "base/text.h"
#include "translate/fortran.h"

/* A part of the description of an experiment. '|' separates parts; what a literal or the run-time
 * could misunderstand becomes %XX. */
static void add_part(struct text *out, const char *s)
{
    for (; *s; s++) {
        unsigned char c = (unsigned char)*s;
        if (c < 0x20 || c >= 0x7f || strchr("|%\\\"&", c))
            text_printf(out, "%%%02X", c);
        else
            text_printf(out, c == '\'' ? "''" : "%c", c);
    }
    text_addc(out, '|');
}

static void add_number(struct text *out, size_t n)
{
    text_printf(out, "%zu|", n);
}

/* What `call run ./program` must know, as the notes of C (emit_notes of emit.c). Fortran cannot write a
 * note of ELF: call looks for these words among the constants of the program (src/call/run/built.c). */
static void add_notes(const struct unit *u, struct text *out)
{
    if (!u->openmp && !(u->procs.n && u->processes)) {
        add_part(out, "");
        return;
    }
    TEXT_LOCAL struct text notes = text_new();
    text_add(&notes, "cll-notes:");
    if (u->openmp)
        text_add(&notes, "driver OpenMP;");
    for (size_t i = 0; i < u->procs.n; i++)
        text_printf(&notes, "%s%.0f", i ? " " : "procs ", u->procs.values[i]);
    add_part(out, notes.s);
}

const char *fortran_describe(const struct unit *u, const struct fortran *f, const struct pragma *p,
                             const char *flags)
{
    const struct fortran_region *r = &f->regions[p->region];
    const struct fortran_line *begin = fortran_line_at(f, r->at);
    struct text t = text_new();
    add_notes(u, &t);
    add_number(&t, (u->uses_papi ? 1u : 0) | (u->records_p ? 2u : 0) | (u->openmp ? 4u : 0));
    add_part(&t, p->name);
    add_number(&t, unit_recorded(u, p));
    if (u->records_p)
        add_part(&t, "P");
    if (p->records_t)
        add_part(&t, "T");
    for (size_t i = 0; i < p->nvariables; i++)
        add_part(&t, p->variables[i].name);
    add_number(&t, p->nformulas);
    for (size_t i = 0; i < p->nformulas; i++) {
        add_part(&t, p->formulas[i].observable);
        add_part(&t, p->formulas[i].text);
    }
    add_part(&t, begin->file);
    add_number(&t, begin->line);
    add_number(&t, fortran_line_at(f, r->end_at)->line);
    add_part(&t, flags);
    add_part(&t, unit_code(u));
    return text_keep(&t, u->arena);
}
