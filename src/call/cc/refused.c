/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An error of the translator has a place. The preprocessor keeps lines and no columns, so the innermost regions around its
 * line are refused.
 */
#include "call/cc/refused.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/lookup.h"
#include "call/cc/timed.h"

static struct lookup refused;

bool refused_has(const char *name)
{
    return lookup_find(&refused, name, strlen(name)) != SIZE_MAX;
}

size_t refused_count(void)
{
    return refused.n;
}

void refused_report(const char *name, const char *why)
{
    const char *list = getenv(TIMED_VARIABLE);
    ARENA_LOCAL struct arena *a = arena_create();
    int file = list ? open(arena_printf(a, "%s" REFUSED_ENDING, list),
                           O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666)
                    : -1;
    if (file >= 0) {
        const char *line = arena_printf(a, "%s %s\n", name, why);
        ssize_t written =
            write(file, line, strlen(line)); /* at once: make -j runs several compilers */
        (void)written;
        close(file);
    }
}

void refused_add(const char *name, const char *why)
{
    static struct arena *kept; /* as long as the process */
    if (!kept)
        kept = arena_create();
    if (lookup_add(&refused, kept, arena_strdup(kept, name), 0))
        refused_report(name, why);
}

/* What a message is about, in few words. */
static const char *reason_of(const char *message)
{
    static const char *const words[] = {"computed goto", "asm goto",  "coroutine",
                                        "constexpr",     "consteval", "pure"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(message, words[i]))
            return words[i];
    return "call cc refuses it";
}

/* The line of the directive that ends a region. */
static unsigned last_line(const struct input *in, const struct pragma *begin)
{
    for (const struct pragma *p = begin; p < in->pragmas + in->npragmas; p++)
        if (p->kind == PRAGMA_END && p->name && !strcmp(p->name, begin->name))
            return p->first_line;
    return begin->first_line;
}

/* The innermost regions around a line; all are of the list, for those of the user are blanked. */
static void refuse_at(const struct input *in, size_t line, const char *why)
{
    unsigned first = 0; /* of the innermost one */
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < in->npragmas; i++) {
            const struct pragma *p = &in->pragmas[i];
            if (p->kind != PRAGMA_BEGIN || !p->name || p->first_line > line ||
                last_line(in, p) < line)
                continue;
            if (!pass)
                first = p->first_line > first ? p->first_line : first;
            else if (p->first_line == first)
                refused_add(p->name, why);
        }
}

bool refused_find(const struct unit *u)
{
    size_t before = refused.n;
    const struct source *source;
    struct span where;
    const char *message;
    if (!timed_list())
        return false;
    for (size_t i = 0; diag_next_error(u->diag, &i, &source, &where, &message); i++)
        for (size_t k = 0; k < u->ninputs; k++) {
            size_t line, column;
            if (u->inputs[k].source != source)
                continue;
            source_position(source, where.begin, &line, &column);
            refuse_at(&u->inputs[k], line, reason_of(message));
        }
    return refused.n > before;
}
