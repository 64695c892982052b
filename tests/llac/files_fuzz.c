/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a file that llac loads: a data file, a spool or data of another tool, whatever the
 * bytes look like. What loads is listed, shown, fitted, searched, predicted and saved, and the
 * saved file must load again with as many samples.
 */
#define _GNU_SOURCE
#include <gsl/gsl_errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "llac/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static char file[64], saved[80];
static FILE *null;

static void remove_files(void)
{
    unlink(file);
    unlink(saved);
}

static void begin(void)
{
    snprintf(file, sizeof file, "/tmp/cll-fuzz-%ld", (long)getpid());
    snprintf(saved, sizeof saved, "%s.saved", file);
    atexit(remove_files);
    gsl_set_error_handler_off();
    null = fopen("/dev/null", "w");
    if (!null)
        abort();
    stderr = null;
}

static int load(struct session *s, const char *path)
{
    struct arena *a = arena_create();
    struct diag *d = diag_create();
    char *paths[] = {(char *)path};
    int status = session_load(s, paths, 1, true, NULL, a, d);
    diag_print(d, null, 20);
    diag_destroy(d);
    arena_destroy(a);
    return status;
}

static size_t samples(const struct session *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->data->nexperiments; i++)
        n += s->data->experiments[i]->nrows;
    return n;
}

/* Names that a command can say: others are for the other targets. */
static bool is_plain(const char *name)
{
    return name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] ==
           0;
}

static void use(struct session *s, const struct experiment *e)
{
    struct text script;
    text_init(&script);
    const char *name = e->name, *variable = e->nvariables ? experiment_variable(e, 0)->name : "P";
    text_printf(&script, "show %s\nfit %s\ntable %s\npredict %s %s=7\nexplain %s %s=7\n", name,
                name, name, name, variable, name, variable);
    if (e->nrows < 200)
        text_printf(&script, "fit %s = %s[0] + %s[1]*%s\nsearch %s terms 1 intervals none\n", name,
                    name, name, variable, name);
    text_printf(&script, "advise %s for %s=9 budget 1s\n", name, variable);
    session_run(s, "fuzz", script.s, script.n, true);
    text_free(&script);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    if (!null)
        begin();
    FILE *f = fopen(file, "w");
    if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
        abort();
    struct session *s = session_create(null);
    s->json = n & 1;
    if (load(s, file) == 0) {
        char command[128];
        const char *all = "list\nshow\n";
        session_run(s, "fuzz", all, strlen(all), true);
        for (size_t i = 0; i < s->data->nexperiments && i < 2; i++)
            if (is_plain(s->data->experiments[i]->name))
                use(s, s->data->experiments[i]);
        size_t before = samples(s);
        snprintf(command, sizeof command, "save %s", saved);
        if (session_run(s, "fuzz", command, strlen(command), false) == 0 &&
            (load(s, saved) || samples(s) != before))
            abort();
    }
    session_destroy(s);
    return 0;
}
