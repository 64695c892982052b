/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/misprint.h"

#include <string.h>
#include <strings.h>

enum { SHORTEST_BEGINNING = 3 };

bool misprint_is_one(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b), i = 0;
    if (n > m + 1 || m > n + 1 || !strcmp(a, b))
        return false;
    while (a[i] && a[i] == b[i])
        i++;
    if (n > m)
        return !strcmp(a + i + 1, b + i);
    if (m > n)
        return !strcmp(a + i, b + i + 1);
    return !strcmp(a + i + 1, b + i + 1) ||
           (a[i + 1] && a[i] == b[i + 1] && a[i + 1] == b[i] && !strcmp(a + i + 2, b + i + 2));
}

/* The only name that begins with the word. */
static const char *only_longer(const char *word, const char *const *names)
{
    const char *found = NULL;
    size_t n = strlen(word);
    for (; *names && n >= SHORTEST_BEGINNING; names++) {
        if (strncmp(*names, word, n) != 0)
            continue;
        if (found && strcmp(found, *names) != 0)
            return NULL;
        found = *names;
    }
    return found;
}

const char *misprint_meant(const char *word, const char *const *names)
{
    for (const char *const *k = names; *k; k++)
        if (strcmp(*k, word) == 0)
            return NULL;
    for (const char *const *k = names; *k; k++)
        if (strcasecmp(*k, word) == 0)
            return *k;
    for (const char *const *k = names; *k; k++)
        if (strlen(word) > 1 && strlen(*k) > 1 && misprint_is_one(word, *k))
            return *k;
    return only_longer(word, names);
}
