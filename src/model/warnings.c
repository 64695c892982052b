/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of warnings of a fit (warnings.h). */
#include "model/warnings.h"

#include <stdarg.h>

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
