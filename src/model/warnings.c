/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of warnings of a fit (warnings.h). */
#include "model/warnings.h"

#include <stdarg.h>
#include <string.h>

static const char *const of_machine[] = {
    "preempted",     "slow-phase", "two-modes", "stolen",  "frequency", "oversubscribed", "hosts",
    "hyper-threads", "simulated",  "mixed",     "thinned", "truncated", "abandoned"};

const char *const *warning_codes_of_machine(size_t *n)
{
    *n = sizeof of_machine / sizeof *of_machine;
    return of_machine;
}

bool warning_is_of_machine(const struct warning *w)
{
    for (size_t i = 0; i < sizeof of_machine / sizeof *of_machine; i++)
        if (strcmp(w->code, of_machine[i]) == 0)
            return true;
    return false;
}

const struct warning *warnings_find(const struct warnings *w, const char *code)
{
    for (size_t i = 0; i < w->n; i++)
        if (strcmp(w->list[i].code, code) == 0)
            return &w->list[i];
    return NULL;
}

void warnings_add(struct arena *a, struct warnings *w, const char *code, const char *advice,
                  const char *format, ...)
{
    w->list = arena_grow(a, w->list, w->n, &w->capacity, w->n + 1, sizeof *w->list);
    va_list args;
    va_start(args, format);
    w->list[w->n++] = (struct warning){arena_strdup(a, code), arena_vprintf(a, format, args),
                                       arena_strdup(a, advice)};
    va_end(args);
}
