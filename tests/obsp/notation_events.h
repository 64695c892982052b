/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests of the notation: a text of its own, its events as lines, its messages. */
#ifndef TESTS_OBSP_NOTATION_EVENTS_H
#define TESTS_OBSP_NOTATION_EVENTS_H

#include <math.h>

#include "base/number.h"
#include "base/text.h"
#include "harness/unit.h"
#include "obsp/notation.h"

/* As small as tests want them. */
static const struct notation_limits *limits_of_test = &notation_limits;

/* NULL with errors in `diag`. */
static inline struct obsp_source *notation_of(const char *text, const struct obsp_values *values,
                                              struct diag *diag)
{
    struct arena *a = arena_create();
    char *copy = mem_strdup(text);
    const struct notation_program *p =
        notation_read(a, "test.obsp", copy, strlen(copy), values, diag);
    mem_free(copy);
    if (p)
        return notation_run(p, limits_of_test, diag);
    arena_destroy(a);
    return NULL;
}

/* "0 m 0/2 1 oblsync w 1 out 8 in 0 sent 1 received 0 from -" and a newline */
static inline void add_event(struct text *t, struct obsp_source *s, int process,
                             const struct obsp_event *e)
{
    static const char *const kinds[] = {"sync", "oblsync", "partition", "dup", "done"};
    assert_true(isnan(e->wait) && isnan(e->transfer) && isnan(e->end) && e->calls == 0);
    text_printf(t, "%d %s %d/%d %ld %s w %s", process, s->name(s, e->object), e->pid, e->nprocs,
                e->step, kinds[e->kind], number_text(e->work, NUMBER_BUFFER));
    if (e->kind == OBSP_SYNC || e->kind == OBSP_OBLSYNC) {
        text_printf(t, " out %s in %s sent %ld received %ld from ",
                    number_text(e->out, NUMBER_BUFFER), number_text(e->in, NUMBER_BUFFER), e->sent,
                    e->received);
        for (int k = 0; k < e->partner_count; k++)
            text_printf(t, "%s%d", k ? "," : "", e->partners[k]);
        text_add(t, e->partner_count ? "" : "-");
    }
    text_add(t, "\n");
}

/* All events, process after process; in `order` 1 the last process is asked first, in 2 they take turns,
 * which changes nothing in the result. False after an error. */
static inline bool events_of(struct obsp_source *s, int order, struct text *out)
{
    struct text *lines = mem_alloc((size_t)s->processes, sizeof *lines);
    bool *over = mem_zalloc((size_t)s->processes, sizeof *over);
    bool good = true;
    int left = s->processes;
    for (int k = 0; k < s->processes; k++)
        text_init(&lines[k]);
    for (int turn = 0; good && left; turn++) {
        int k = turn % s->processes;
        int process = order == 1 ? s->processes - 1 - k : k;
        do {
            struct obsp_event e;
            if (over[process] || !(good = s->next(s, process, &e)))
                break;
            if (e.kind == OBSP_END) {
                over[process] = true;
                left--;
                break;
            }
            add_event(&lines[process], s, process, &e);
        } while (order != 2);
    }
    for (int k = 0; k < s->processes; k++) {
        text_add(out, lines[k].s);
        text_free(&lines[k]);
    }
    mem_free(lines);
    mem_free(over);
    return good;
}

/* The notation has exactly these events, in whatever order the processes are asked. */
static inline void expect_events_with(const char *text, const struct obsp_values *values,
                                      const char *expected)
{
    for (int order = 0; order < 3; order++) {
        struct diag *diag = diag_create();
        struct obsp_source *s = notation_of(text, values, diag);
        struct text got;
        text_init(&got);
        if (diag_first(diag, SEVERITY_ERROR))
            fail_msg("%s", diag_first(diag, SEVERITY_ERROR));
        assert_non_null(s);
        bool good = events_of(s, order, &got);
        if (!good)
            fail_msg("%s", diag_first(diag, SEVERITY_ERROR));
        assert_string_equal(got.s, expected);
        text_free(&got);
        s->free(s);
        diag_destroy(diag);
    }
}

static inline void expect_events(const char *text, const char *expected)
{
    expect_events_with(text, NULL, expected);
}

/* What is printed about the notation, when it is read or executed, begins with this. */
static inline void expect_error_with(const char *text, const struct obsp_values *values,
                                     const char *expected)
{
    struct diag *diag = diag_create();
    struct obsp_source *s = notation_of(text, values, diag);
    struct text events;
    char *printed;
    size_t size;
    text_init(&events);
    if (s) {
        assert_false(events_of(s, 2, &events));
        struct obsp_event e;
        assert_false(s->next(s, 0, &e)); /* and not again */
        s->free(s);
    }
    assert_true(diag_count(diag, SEVERITY_ERROR) > 0);
    FILE *out = open_memstream(&printed, &size);
    diag_print(diag, out, 0);
    fclose(out);
    if (strncmp(printed, expected, strlen(expected)) != 0)
        assert_string_equal(printed, expected);
    free(printed);
    text_free(&events);
    diag_destroy(diag);
}

static inline void expect_error(const char *text, const char *expected)
{
    expect_error_with(text, NULL, expected);
}

#endif
