/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any text as commands on a small data set. Commands that write or draw are left out of the
 * fuzzing. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "llac/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static const char *const forbidden[] = {"load", "merge",   "save",  "export",
                                        "plot", "against", "source"};

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static FILE *null;
    if (!null) {
        null = fopen("/dev/null", "w");
        stderr = null;
    }
    char *text = malloc(n + 1);
    memcpy(text, bytes, n);
    text[n] = 0;
    for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
        for (char *p = text; (p = strstr(p, forbidden[i]));)
            memset(p, 'x', strlen(forbidden[i]));
    struct session *s = session_create(null);
    struct arena *a = arena_create();
    struct diag *d = diag_create();
    char *path[] = {(char *)DEMO_DATA};
    s->json = n & 1;
    session_load(s, path, 1, true, false, a, d);
    session_run(s, "fuzz", text, n, true);
    session_destroy(s);
    arena_destroy(a);
    diag_destroy(d);
    free(text);
    return 0;
}
