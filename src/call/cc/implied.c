/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A source of an MPI program that has regions, but no `#pragma cll parallel`, would be measured as a
 * sequential program: each process would write a data file of its own, with P = 1. Its compiler or its
 * headers tell that it is not sequential.
 */
#include "call/cc/implied.h"

#include <string.h>

#include "base/printable.h"
#include "call/cc/translate.h"

bool compiler_is_mpi(const char *name)
{
    return strstr(path_base(name), "mpi") != NULL;
}

static const char *skip_blanks(const char *s, const char *end)
{
    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    return s;
}

static const char *skip_word(const char *s, const char *end, const char *word)
{
    size_t n = strlen(word);
    s = skip_blanks(s, end);
    return (size_t)(end - s) >= n && !memcmp(s, word, n) ? s + n : NULL;
}

/* Is this line an #include of the header? */
static bool includes(const char *s, const char *end, const char *header)
{
    if (!(s = skip_word(s, end, "#")) || !(s = skip_word(s, end, "include")))
        return false;
    s = skip_blanks(s, end);
    size_t n = strlen(header);
    return s < end && (*s == '<' || *s == '"') && (size_t)(end - s) > n + 1 &&
           !memcmp(s + 1, header, n) && (s[n + 1] == '>' || s[n + 1] == '"');
}

const struct driver *implied_driver(const char *text, size_t size, bool mpi_compiler)
{
    static const struct {
        const char *header, *driver;
    } known[] = {{"pub.h", "PUB"}, {"bsp.h", "BSP"}, {"mpi.h", "MPI"}};
    const char *end = text + size;
    const struct driver *found = mpi_compiler ? driver_mpi : NULL;
    for (const char *line = text; line < end;) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        next = next ? next : end;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (includes(line, next, known[i].header)) {
                found = driver_find(known[i].driver);
                if (found != driver_mpi) /* such a program may use MPI, too */
                    return found;
            }
        line = next + 1;
    }
    return found;
}

void implied_note(const struct unit *u, const char *self)
{
    if (u->processes_implied)
        say("%s: %s is measured as a part of %s %s program, which its compiler or its headers tell; "
            "'#pragma cll parallel %s' or '#pragma cll parallel SEQ' (sequential) says what it is\n",
            self, u->inputs[0].path, u->processes == driver_mpi ? "an" : "a", u->processes->name,
            u->processes->name);
}
