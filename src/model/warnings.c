/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of warnings of a fit (warnings.h). */
#include "base/text.h"
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
    return text_is_in(of_machine, sizeof of_machine / sizeof *of_machine, w->code);
}

const struct warning *warnings_find(const struct warnings *w, const char *code)
{
    return TEXT_ELEMENT(w->list, w->n, code, code);
}

void warnings_add(struct arena *a, struct warnings *w, const char *code, const char *advice,
                  const char *format, ...)
{
    va_list args;
    va_start(args, format);
    ARENA_ADD(a, w->list, w->n, &w->capacity,
              (struct warning){arena_strdup(a, code), arena_vprintf(a, format, args),
                               arena_strdup(a, advice)});
    va_end(args);
}
