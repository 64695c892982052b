/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Functions that ask the machine: which calls of them a formula has, and putting a machine into them.
 * `formula` knows their names and numbers of arguments; what they are worth, struct formula_machine
 * says, which the program that has a machine file fills in.
 */
#include "formula/functions.h"

bool formula_asks_machine(const struct formula *f)
{
    if (f->kind == FORMULA_CALL && f->function->unit)
        return true;
    for (size_t i = 0; i < f->noperands; i++)
        if (formula_asks_machine(f->operands[i]))
            return true;
    return false;
}

const struct formula *formula_bind(struct arena *a, const struct formula *f,
                                   const struct formula_machine *machine)
{
    if (!formula_asks_machine(f))
        return f;
    const struct formula **operands = arena_alloc(a, f->noperands + 1, sizeof *operands);
    for (size_t i = 0; i < f->noperands; i++)
        operands[i] = formula_bind(a, f->operands[i], machine);
    struct formula *copy = arena_alloc(a, 1, sizeof *copy);
    *copy = *f;
    copy->operands = operands;
    if (f->kind == FORMULA_CALL && f->function->unit)
        copy->machine = machine;
    return copy;
}

struct calls {
    struct arena *arena;
    const struct formula **list;
    size_t n, capacity;
};

static void collect(struct calls *c, const struct formula *f)
{
    if (f->kind == FORMULA_CALL && f->function->unit)
        ARENA_ADD(c->arena, c->list, c->n, &c->capacity, f);
    for (size_t i = 0; i < f->noperands; i++)
        collect(c, f->operands[i]);
}

const struct formula *const *formula_machine_calls(struct arena *a, const struct formula *f,
                                                   size_t *n)
{
    struct calls c = {.arena = a};
    collect(&c, f);
    *n = c.n;
    return c.list;
}

static int check_call(struct arena *a, const struct formula *f, const struct source *source,
                      struct diag *diag)
{
    const struct formula_machine *m = f->machine;
    const char *lacks = m ? m->lacks(m->curves, f->function, f->noperands, a) : NULL;
    if (m && !lacks)
        return 0;
    if (m)
        diag_add(diag, SEVERITY_ERROR, f->span.end ? source : NULL, f->span, "%s", lacks);
    else
        diag_add(
            diag, SEVERITY_ERROR, f->span.end ? source : NULL, f->span,
            "%s() asks the machine, and no machine is in use: say 'machine use NAME', or start "
            "llac with --machine NAME or CLL_MACHINE=NAME",
            f->function->name);
    return -1;
}

int formula_check_machine(struct arena *a, const struct formula *f, const struct source *source,
                          struct diag *diag)
{
    size_t n;
    const struct formula *const *calls = formula_machine_calls(a, f, &n);
    int status = 0;
    for (size_t i = 0; i < n; i++)
        if (check_call(a, calls[i], source, diag))
            status = -1;
    return status;
}

char *formula_constant_name(struct arena *a, const struct formula *constant)
{
    return constant->word ? arena_printf(a, "%s.%s", constant->name, constant->word)
                          : arena_printf(a, "%s[%u]", constant->name, constant->index);
}
