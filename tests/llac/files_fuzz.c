/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a file that llac loads: a data file, a spool or data of another tool, whatever the
 * bytes look like. Every command that reads data runs on what loads, and what `save` writes must
 * load again with as many samples.
 */
#define _GNU_SOURCE
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
    static const char *const endings[] = {"",     ".h",    ".py",  ".js",  ".gp",
                                          ".tex", ".json", ".csv", ".html"};
    unlink(file);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s%s", saved, endings[i]);
        unlink(path);
    }
}

static void begin(void)
{
    snprintf(file, sizeof file, "/tmp/cll-fuzz-%ld", (long)getpid());
    snprintf(saved, sizeof saved, "%s.saved", file);
    atexit(remove_files);
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

/* @ is the experiment, $ its first variable. */
static const char *const commands[] = {
    "show @",
    "fit @",
    "fit @ by $",
    "fit @ by P",
    "fit @ on SELF",
    "table @",
    "predict @ $=7",
    "predict @ $=1e300 P=64",
    "explain @ $=7",
    "advise @ for $=9 budget 1s",
    "let r = $/CLOCK; show @ on r; let none",
    "let s = CLOCK(P=1)/CLOCK; show @ on s; let none",
    "where run == 0 and rank == 0 and start < 1 and CLOCK < 1; fit @; where all",
    "ranks mean; fit @; ranks 1; fit @; ranks min; fit @; ranks auto",
    "rounds skip 1; statistic deviation; disturbed keep; outliers keep; show @; undo",
    "define w = @ + @[0]; predict w $=7; table w against @; explain w $=7; define none",
    "derive @ from @[0], @($=$/2)",
    "plot @ small",
    "rank $=1e6",
    "rank $=$ P=8",
};

/* What takes long on many samples. */
static const char *const longer[] = {
    "fit @ = @[0] + @[1]*$",
    "search @ terms 1 intervals none",
    "compare @ \"@[0]\" \"@[0]*$\"",
};

static void add(struct text *script, const char *command, const char *name, const char *variable)
{
    for (const char *p = command; *p; p++)
        if (*p == '@')
            text_printf(script, "%s", name);
        else if (*p == '$')
            text_printf(script, "%s", variable);
        else
            text_printf(script, "%c", *p);
    text_printf(script, "\n");
}

static void use(struct session *s, const struct experiment *e)
{
    struct text script;
    text_init(&script);
    const char *variable = e->nvariables ? experiment_variable(e, 0)->name : "P";
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        add(&script, commands[i], e->name, variable);
    for (size_t i = 0; i < sizeof longer / sizeof *longer && e->nrows < 200; i++)
        add(&script, longer[i], e->name, variable);
    session_run(s, "fuzz", script.s, script.n, true);
    text_free(&script);
}

/* Commands that write: what they wrote is replaced by the next. */
static void write_all(struct session *s)
{
    static const char *const endings[] = {"h", "py", "js", "gp", "tex", "json", "csv"};
    struct text script;
    text_init(&script);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        text_printf(&script, "export %s.%s\n", saved, endings[i]);
    text_printf(&script, "report %s.html\ncheck %s %s\n", saved, file, file);
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
        if (s->data->nexperiments < 4)
            write_all(s);
        size_t before = samples(s);
        snprintf(command, sizeof command, "save %s", saved);
        if (session_run(s, "fuzz", command, strlen(command), false) == 0 &&
            (load(s, saved) || samples(s) != before))
            abort();
    }
    session_destroy(s);
    return 0;
}
