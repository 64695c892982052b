/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/misprint.h"

#include <string.h>

bool is_misprint(const char *a, const char *b)
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
