/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Small programs whose times were computed by hand, from equations (1) to (3). */
#include "obsp/written.h"

struct fixture {
    struct arena *arena;
    struct diag *diag;
    struct obsp_request request;
    struct obsp_result result;
};

static void open_fixture(struct fixture *f, double g, double L)
{
    *f = (struct fixture){.arena = arena_create(), .diag = diag_create()};
    f->request.costs = obsp_costs_given(f->arena, g, L);
}

static int evaluate(struct fixture *f, const char *trace)
{
    struct obsp_source *s = obsp_trace_open(write_text(trace, strlen(trace)), f->diag);
    int status = s ? obsp_evaluate(f->arena, s, &f->request, f->diag, &f->result) : -1;
    if (s)
        s->free(s);
    unwrite();
    return status;
}

static void close_fixture(struct fixture *f)
{
    diag_destroy(f->diag);
    arena_destroy(f->arena);
}

/* Figure 1 of the paper with its misprint corrected: w is a second, a transfer of 100 bytes takes w. In the first
 * superstep only processor 0 sends. */
static void oblivious_synchronisation_takes_5w_and_barriers_6w(void **state)
{
    (void)state;
    struct fixture f;
    open_fixture(&f, 0.01, 0);
    assert_int_equal(
        evaluate(&f, HEAD(2) "0 m 0 2 1 oblsync 1000000000 0 0 0 100 0 1 0 - 2000000000\n"
                             "0 m 0 2 2 oblsync 2000000000 0 0 0 100 100 1 1 1 5000000000\n"
                             "1 m 1 2 1 oblsync 2000000000 0 0 0 0 100 0 1 0 3000000000\n"
                             "1 m 1 2 2 oblsync 1000000000 0 0 0 100 100 1 1 0 5000000000\n"),
        0);
    assert_near(f.result.obsp, 5, 1e-12);
    assert_near(f.result.bsp, 6, 1e-12);
    assert_int_equal(f.result.supersteps, 2);
    close_fixture(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oblivious_synchronisation_takes_5w_and_barriers_6w),
    };
    return RUN(tests);
}
