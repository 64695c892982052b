/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of warnings of a fit (warnings.h). */
#include "model/warnings.h"

#include <stdarg.h>
#include <string.h>

void warnings_add(struct arena *a, struct warnings *w, const char *code, const char *advice,
                  const char *format, ...)
{
    if ((w->n & (w->n - 1)) == 0) {
        struct warning *more = arena_alloc(a, w->n ? 2 * w->n : 1, sizeof *more);
        if (w->n)
            memcpy(more, w->list, w->n * sizeof *more);
        w->list = more;
    }
    va_list args;
    va_start(args, format);
    w->list[w->n++] = (struct warning){arena_strdup(a, code), arena_vprintf(a, format, args),
                                       arena_strdup(a, advice)};
    va_end(args);
}
