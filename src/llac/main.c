/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * llac: the interpreter. Loads the data files named on the command line, then runs scripts, then -e
 * commands; with neither, reads commands from the terminal (repl.c) or the standard input. Exit
 * status: 0, 1 if something failed, 2 for a wrong command line.
 */
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/about.h"
#include "base/outfile.h"
#include "base/printable.h"
#include "base/progress.h"
#include "base/text.h"
#include "llac/options.h"
#include "llac/pager.h"
#include "llac/repl.h"
#include "llac/text.h"
#include "llac/undo.h"
#include "llac/commands.h"

#ifndef CLL_VERSION
#define CLL_VERSION "unknown"
#endif

enum { MOST_SCRIPT = 16 << 20 };

/* Data is never executed: only -f or the name makes a file a script, whatever its content is. */
static bool is_script(const struct options *o, size_t i)
{
    return o->files[i].script || text_ends_with(o->files[i].path, ".llac");
}

static int run_file(struct session *s, const char *path, const char *name)
{
    MEM_LOCAL char *text = NULL;
    size_t size = 0;
    int error = source_read(path, MOST_SCRIPT, &text, &size);
    if (error) {
        DIAG_LOCAL struct diag *diag = diag_create();
        diag_error(diag, "%s: %s", name,
                   error == EFBIG ? "a script of more than 16 MB" : strerror(error));
        diag_print(diag, stderr, 0);
        return -1;
    }
    return session_run(s, name, text, size, false);
}

/* Someone who starts a script as if it were data is told how it is run. */
static void hint_at_script(const char *path, struct diag *diag)
{
    char head[2] = "";
    struct span nowhere = {0, 0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return;
    if (pread(fd, head, sizeof head, 0) == sizeof head && memcmp(head, "#!", 2) == 0)
        diag_add(diag, SEVERITY_NOTE, NULL, nowhere,
                 "%s looks like a script; to run its commands: llac -f %s", path, path);
    close(fd);
}

/* The command line as commands, for undo and 'save session'. */
static void note_files(struct session *s, char *const *files, size_t n)
{
    bool good = true;
    TEXT_LOCAL struct text t = text_new();
    text_add(&t, "load");
    for (size_t i = 0; i < n; i++) {
        text_addc(&t, ' ');
        good = undo_quote_path(&t, files[i]) && good;
    }
    if (n)
        undo_start_with(s, good ? t.s : NULL);
}

static void note_machine(struct session *s, const char *name)
{
    TEXT_LOCAL struct text t = text_new();
    text_add(&t, "machine use ");
    undo_start_with(s, undo_quote_path(&t, name) ? t.s : NULL);
}

static int load_files(struct session *s, char *const *files, size_t n)
{
    ARENA_LOCAL struct arena *arena = arena_create();
    DIAG_LOCAL struct diag *diag = diag_create();
    progress_begin("llac: load");
    int status = n ? session_load(s, files, n, true, NULL, arena, diag) : 0;
    progress_end();
    for (size_t i = 0; i < n && status; i++)
        hint_at_script(files[i], diag);
    if (status == 0)
        note_files(s, files, n);
    diag_print(diag, stderr, 20);
    return status;
}

static void greet(const struct session *s)
{
    size_t samples = 0;
    for (size_t i = 0; i < s->data->nexperiments; i++)
        samples += s->data->experiments[i]->nrows;
    printf("llac %s. ", CLL_VERSION);
    if (s->data->nfiles)
        printf("%zu file%s, %zu experiment%s, %zu samples. ", s->data->nfiles,
               s->data->nfiles == 1 ? "" : "s", s->data->nexperiments,
               s->data->nexperiments == 1 ? "" : "s", samples);
    puts("'help' lists the commands.");
}

static bool is_one_command(const char *text)
{
    struct source source = {"-e", text, strlen(text)};
    struct span command;
    size_t at = 0;
    return cursor_next_command(&source, &at, &command) &&
           !cursor_next_command(&source, &at, &command);
}

/* The machine of --machine, or of the environment variable CLL_MACHINE. */
static int use_machine(struct session *s, const struct options *o)
{
    const char *name = o->machine ? o->machine : getenv("CLL_MACHINE");
    if (!name || !*name)
        return 0;
    ARENA_LOCAL struct arena *arena = arena_create();
    DIAG_LOCAL struct diag *diag = diag_create();
    int status = session_use_machine(s, name, arena, diag);
    if (status && !o->machine)
        diag_add(diag, SEVERITY_NOTE, NULL, (struct span){0, 0},
                 "the environment variable CLL_MACHINE names this machine");
    if (status == 0)
        note_machine(s, name);
    diag_print(diag, stderr, 0);
    return status;
}

/* 'llac check' is the command 'check'. */
static int run_check(struct session *s, const struct option_check *check)
{
    TEXT_LOCAL struct text command = text_new();
    text_add(&command, "check");
    for (int i = 0; i < 2; i++) {
        text_addc(&command, ' ');
        if (!undo_quote_path(&command, check->names[i]))
            return say("llac: error: the name '%s' has both kinds of quotes or a line end: rename "
                       "the file\n",
                       check->names[i]);
    }
    for (size_t i = 0; i < check->nat; i++)
        text_printf(&command, "%s %s", i ? "" : " at", check->at[i]);
    if (check->threshold)
        text_printf(&command, " threshold %s", check->threshold);
    if (check->format)
        text_printf(&command, " %s", check->format);
    return session_run(s, "check", command.s, command.n, false);
}

/* Everything of the command line, in its order: data first, then scripts, then -e. */
static int run_all(struct session *s, const struct options *o)
{
    MEM_LOCAL char **data = mem_zalloc(o->nfiles + 1, sizeof *data),
                   **scripts = mem_zalloc(o->nfiles + 1, sizeof *scripts);
    size_t ndata = 0, nscripts = 0;
    for (size_t i = 0; i < o->nfiles; i++) {
        if (is_script(o, i))
            scripts[nscripts++] = o->files[i].path;
        else
            data[ndata++] = o->files[i].path;
    }
    int status = load_files(s, data, ndata);
    for (size_t i = 0; i < nscripts && status == 0 && !s->quit; i++)
        status = run_file(s, scripts[i], strcmp(scripts[i], "-") ? scripts[i] : "<stdin>");
    s->one_command = nscripts == 0 && o->ncommands == 1 && is_one_command(o->commands[0]);
    for (size_t i = 0; i < o->ncommands && status == 0 && !s->quit; i++)
        status = session_run(s, "-e", o->commands[i], strlen(o->commands[i]), false);
    if (status == 0 && o->check.wanted) {
        s->one_command = true;
        status = run_check(s, &o->check);
    } else if (status == 0 && nscripts == 0 && o->ncommands == 0) {
        if (isatty(STDIN_FILENO)) {
            s->interactive = true;
            if (!s->json)
                greet(s);
            repl_run(s);
        } else {
            status = run_file(s, "-", "<stdin>");
        }
    }
    return status;
}

static void print_version(void)
{
    about_begin("llac", CLL_VERSION);
    about_fact("GSL", "%s", CLL_GSL);
    about_fact("jansson", "%s", CLL_JANSSON);
    about_fact("readline", "%s", CLL_READLINE);
    about_program("gnuplot", (const char *[]){"gnuplot", NULL});
}

int main(int argc, char **argv)
{
    struct options options;
    output_setup();
    setlocale(LC_CTYPE, "");
    if (options_read(argc, argv, &options))
        return 2;
    int status = 0;
    if (options.help) {
        options_help(stdout);
    } else if (options.version) {
        print_version();
    } else if (options.completion) {
        status = options_completion(stdout, options.completion);
    } else {
        struct pager *pager = isatty(STDOUT_FILENO) && !options.json ? pager_create() : NULL;
        FILE *raw = pager ? pager_stream(pager) : stdout;
        FILE *out = printable_stream(raw);
        struct session *s = session_create(out);
        s->json = options.json;
        s->terminal = isatty(STDOUT_FILENO);
        s->pager = pager;
        if (session_has_colour(s)) {
            text_have_colours(out, raw);
            diag_have_colours(isatty(STDERR_FILENO));
        }
        status = use_machine(s, &options) || run_all(s, &options) || s->worse ? 1 : 0;
        session_destroy(s);
        text_have_colours(NULL, NULL);
        fclose(out); /* what could not be written is seen below */
        pager_destroy(pager);
    }
    mem_free(options.commands);
    mem_free(options.files);
    mem_free(options.check.at);
    return output_finish("llac") ? 1 : status;
}
