/* SPDX-License-Identifier: MIT */
/*
 * The marks of `call count` in translated Fortran programs, whose regions begin and end with these calls in
 * place of those of src/cll/fortran.c. As CLL_BEGIN and CLL_END of cll.h with CLL_COUNTING.
 */
#define CLL_COUNTING /* the declarations of the marks */
#include "cll/fortran.h"

/* A region, in the words of its block. */
struct counted_region {
    struct cll_region r;
    cll_u64 number;
};
_Static_assert(sizeof(struct counted_region) <= CLL_FORTRAN_REGION, "the words of the block");

CLL_API void cll_fortran_count_begin(struct counted_region *region, cll_u64 *word, const char *text,
                                     const double *values);
CLL_API void cll_fortran_count_stop(const struct counted_region *region);
CLL_API void cll_fortran_count_end(struct counted_region *region, int nvars, const double *values);

CLL_API void cll_fortran_count_begin(struct counted_region *region, cll_u64 *word, const char *text,
                                     const double *values)
{
    cll_count_hold();
    struct cll_experiment *e = cll_fortran_experiment(word, text);
    *region = (struct counted_region){.number = 0};
    if (!e) {
        cll_count_resume();
        return;
    }
    region->r = cll_begin(e);
    region->number = cll_count_begin(e, e->nvars, values);
}

/* Before values are computed. */
CLL_API void cll_fortran_count_stop(const struct counted_region *region)
{
    (void)region;
    cll_count_hold();
}

CLL_API void cll_fortran_count_end(struct counted_region *region, int nvars, const double *values)
{
    cll_count_end(region->number, (unsigned)nvars, values);
    region->number = 0;
    cll_end(&region->r, (unsigned)nvars, values);
    cll_count_resume();
}
