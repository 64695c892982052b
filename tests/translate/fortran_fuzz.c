/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a Fortran source, in free and in fixed form: read as written, and as if they were the preprocessor's output. What comes
 * out must be the same. The second pair is that of call count in an MPI program. A translated source has no
 * directives: it is translated to itself.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "translate/driver.h"
#include "translate/fortran.h"
#include "translate/unit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The translated source; empty after errors. */
static void translate(const char *data, size_t size, int preprocessed, int counts, size_t columns,
                      struct text *out)
{
    struct unit *u = unit_create(LANGUAGE_FORTRAN);
    struct text marked;
    u->columns = columns;
    unit_add(u, "x.f90", data, size);
    u->counting = counts;
    u->implied = counts ? driver_mpi : NULL;
    text_init(&marked);
    unit_mark(u, 0, &marked);
    if (preprocessed)
        unit_resolve(u, marked.s, marked.n);
    else
        unit_resolve(u, NULL, 0);
    if (!diag_count(u->diag, SEVERITY_ERROR))
        fortran_emit(u, "-O2", out);
    text_free(&marked);
    unit_destroy(u);
}

static int is_same(const struct text *a, const char *s, size_t n)
{
    return a->n == n && !memcmp(a->s, s, n);
}

static void compare(const char *data, size_t size, int counts, size_t columns)
{
    struct text written, marked, again;
    text_init(&written);
    text_init(&marked);
    text_init(&again);
    translate(data, size, 0, counts, columns, &written);
    translate(data, size, 1, counts, columns, &marked);
    if (!is_same(&written, marked.s, marked.n))
        abort();
    translate(written.s, written.n, 0, counts, columns, &again);
    if (again.n &&
        (again.n < written.n || !is_same(&written, again.s + again.n - written.n, written.n)))
        abort();
    text_free(&written);
    text_free(&marked);
    text_free(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int counts = 0; counts < 2; counts++)
        for (int fixed = 0; fixed < 2; fixed++)
            compare((const char *)data, size, counts, fixed ? FORTRAN_FIXED_COLUMNS : 0);
    return 0;
}
