/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces that tests write. */
#ifndef TESTS_OBSP_WRITTEN_H
#define TESTS_OBSP_WRITTEN_H

#include <unistd.h>

#include "base/text.h"
#include "harness/unit.h"
#include "obsp/critical.h"

#define COLUMNS                                                                                    \
    "process object pid nprocs step kind work calls wait transfer out in sent received partners end\n"
#define HEAD(P) "# pub trace 1\n# processes: " #P "\n" COLUMNS

/* A file with this text; `unwrite` removes it. */
static char written_path[] = "/tmp/cll-test-obsp-XXXXXX";

static inline const char *write_text(const char *text, size_t n)
{
    strcpy(written_path + strlen(written_path) - 6, "XXXXXX");
    int fd = mkstemp(written_path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, n), n);
    close(fd);
    return written_path;
}

static inline void unwrite(void)
{
    unlink(written_path);
}

/* A line, with times in seconds. */
struct row {
    int process;
    const char *object;
    int pid, nprocs;
    long step;
    const char *kind;
    double W, out, in;
    const char *partners; /* NULL: none */
    double sync;          /* measured: time of the synchronisation */
};

/* The file of these rows, which are in the order of processes. */
static inline const char *write_rows(const struct row *rows, size_t n)
{
    struct text t;
    double end = 0;
    text_init(&t);
    text_printf(&t, "# pub trace 1\n# processes: %d\n" COLUMNS, rows[n - 1].process + 1);
    for (size_t i = 0; i < n; i++) {
        const struct row *r = &rows[i];
        end = (i && rows[i - 1].process == r->process ? end : 0) + r->W + r->sync;
        text_printf(&t, "%d %s %d %d %ld %s %.0f 0 0 %.0f %.0f %.0f 1 1 %s %.0f\n", r->process,
                    r->object, r->pid, r->nprocs, r->step, r->kind, r->W * 1e9, r->sync * 1e9,
                    r->out, r->in, r->partners ? r->partners : "-", end * 1e9);
    }
    const char *path = write_text(t.s, t.n);
    text_free(&t);
    return path;
}

struct fixture {
    struct arena *arena;
    struct diag *diag;
    struct obsp_request request;
    struct obsp_result result;
    struct obsp_critical critical;
};

static inline void open_fixture(struct fixture *f, double g, double L)
{
    *f = (struct fixture){.arena = arena_create(), .diag = diag_create()};
    f->request.costs = obsp_costs_given(f->arena, g, L);
}

static inline void close_fixture(struct fixture *f)
{
    diag_destroy(f->diag);
    arena_destroy(f->arena);
    unwrite();
}

/* Evaluates the file, with both passes. */
static inline int evaluate_path(struct fixture *f, const char *path)
{
    for (int pass = 0; pass < 2; pass++) {
        struct obsp_source *s = obsp_trace_open(path, f->diag);
        int status =
            !s     ? -1
            : pass ? obsp_critical_find(f->arena, s, &f->request, &f->result, f->diag, &f->critical)
                   : obsp_evaluate(f->arena, s, &f->request, f->diag, &f->result);
        if (s)
            s->free(s);
        if (status)
            return -1;
    }
    return 0;
}

#define EVALUATE(f, ...)                                                                           \
    do {                                                                                           \
        const struct row rows_[] = {__VA_ARGS__};                                                  \
        const char *path_ = write_rows(rows_, sizeof rows_ / sizeof *rows_);                       \
        assert_int_equal(evaluate_path(f, path_), 0);                                              \
        unwrite();                                                                                 \
    } while (0)

#endif
