/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The search for a formula (see search.h): the library at the points, the best sums of terms, the
 * best of them once more with intervals, and the proper fit of those that are reported. Outliers in
 * the fit of the best formula are left out, and the search is repeated.
 */
#include "model/search.h"

#include <math.h>
#include <string.h>

#include "base/interrupt.h"
#include "model/search/searcher.h"

static int check_points(const struct searcher *s)
{
    const char *name = s->request->fit.points.experiment->name;
    if (points_check(&s->all, s->diag))
        return -1;
    if (s->all.n >= SEARCH_MIN_POINTS)
        return 0;
    return diag_error(s->diag,
                      "%s has %zu different point%s that can be used: a search needs at least %d, "
                      "better %d; measure with more values of its variables",
                      name, s->all.n, s->all.n == 1 ? "" : "s", SEARCH_MIN_POINTS,
                      2 * SEARCH_MIN_POINTS);
}

static int search_points(struct searcher *s, struct search_result *out)
{
    searcher_choose_points(s);
    search_library_make(s->arena, s->variables, s->nvariables, s->used.n, &s->library);
    if (s->nvariables == 1)
        search_library_add_exponents(s->arena, &s->variables[0], s->used.n, &s->library);
    searcher_add_shares(s);
    if (searcher_add_given(s))
        return -1;
    searcher_pass(s);
    for (int again = 0;
         again < SEARCH_REPEATS && s->npool && !interrupt_came() && searcher_take_outliers(s);
         again++) {
        arena_reset(s->work);
        searcher_pass(s);
    }
    if (interrupt_came() || s->npool == 0)
        return diag_error(
            s->diag,
            interrupt_came()
                ? "interrupted"
                : "no sum of terms fits without a negative constant; 'signed' allows them");
    return searcher_report(s, out);
}

int model_search(struct arena *a, const struct search_request *request, struct diag *diag,
                 struct search_result *out)
{
    struct searcher *s = arena_zalloc(a, 1, sizeof *s);
    memset(out, 0, sizeof *out);
    struct search_request *own = arena_alloc(a, 1, sizeof *own);
    *own = *request;
    own->fit.intervals.steps_only = true;
    s->arena = a;
    s->request = own;
    s->diag = diag;
    if (points_make(a, &own->fit.points, diag, &s->all) || check_points(s) ||
        searcher_take_variables(s))
        return -1;
    s->least_noise = s->most_noise = INFINITY;
    s->work = arena_create();
    int status = search_points(s, out);
    arena_destroy(s->work);
    return status;
}
