/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readline on a session. Ctrl-C at the prompt drops the line, during a command it sets a flag that
 * long loops look at. Running out of memory comes back to the prompt; what the command had
 * allocated is freed, what the session holds is whole, because commands change it only at their
 * end; data that is half merged is forgotten.
 */
#include "llac/repl.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/outfile.h"
#include "llac/complete.h"

enum { HISTORY_LINES = 1000 };

static sigjmp_buf prompt;
static volatile sig_atomic_t at_prompt;

static void on_interrupt(int signal)
{
    (void)signal;
    session_interrupt = 1;
    if (at_prompt)
        siglongjmp(prompt, 1);
}

static void on_out_of_memory(size_t bytes)
{
    fprintf(stderr, "error: out of memory (%zu bytes more are needed); the command was stopped\n",
            bytes);
    outfile_abandon_all();
    mem_scope_drop();
    siglongjmp(prompt, 2);
}

/* $XDG_STATE_HOME/llac_history, else ~/.local/state/llac_history; NULL where there is no such
 * place. */
static char *history_path(struct arena *a)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    if (state && *state == '/')
        return arena_printf(a, "%s/llac_history", state);
    if (!home || *home != '/')
        return NULL;
    mkdir(arena_printf(a, "%s/.local", home), 0700);
    mkdir(arena_printf(a, "%s/.local/state", home), 0700);
    return arena_printf(a, "%s/.local/state/llac_history", home);
}

/* What can follow; readline's callbacks have no argument. */
static struct session *completing;
static struct arena *completion_arena;
static struct completion candidates;

/* The words, and then the names of files where they can follow. */
static char *next_candidate(const char *text, int state)
{
    static size_t i;
    static int file;
    if (state == 0)
        i = 0, file = 0;
    size_t n = strlen(text);
    while (i < candidates.n) {
        const char *name = candidates.words[i++];
        if (strncmp(name, text, n) == 0)
            return strdup(name);
    }
    return candidates.files ? rl_filename_completion_function(text, file++) : NULL;
}

static char **complete(const char *text, int start, int end)
{
    (void)end;
    arena_reset(completion_arena);
    complete_line(completing, completion_arena, rl_line_buffer, (size_t)start, &candidates);
    rl_attempted_completion_over = 1;
    rl_filename_completion_desired = candidates.files;
    char **matches = rl_completion_matches(text, next_candidate);
    if (matches && !matches[1]) {
        size_t n = strlen(matches[0]);
        rl_completion_suppress_append = n > 0 && strchr("=([", matches[0][n - 1]) != NULL;
    }
    return matches;
}

/* Where a word begins: in formulas after every operator, and also inside quotes. */
static char *choose_breaks(void)
{
    static char in_formula[] = " \t;=(),+-*/^<>!&|[]\"'", elsewhere[] = " \t;=(),+*^<>!&|";
    arena_reset(completion_arena);
    bool formula = complete_in_formula(completion_arena, rl_line_buffer, (size_t)rl_point);
    rl_completer_quote_characters = formula ? NULL : "\"'";
    return formula ? in_formula : elsewhere;
}

static void set_up(struct session *s, const char *history)
{
    completing = s;
    completion_arena = arena_create();
    rl_readline_name = "llac";
    rl_attempted_completion_function = complete;
    rl_completion_word_break_hook = choose_breaks;
    rl_filename_quote_characters = " \t;#'\"";
    rl_catch_signals = 0;
    using_history();
    stifle_history(HISTORY_LINES);
    if (history)
        read_history(history);
}

/* Created for the user alone before readline writes to it. */
static void save_history(const char *path)
{
    if (!path)
        return;
    int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    fchmod(fd, 0600);
    close(fd);
    write_history(path);
}

/* Comes back here after Ctrl-C at the prompt and after running out of memory. */
static __attribute__((noinline)) void read_commands(struct session *s)
{
    static char *line; /* freed also after a jump */
    int jumped = sigsetjmp(prompt, 1);
    if (jumped == 1) {
        at_prompt = 0;
        rl_free_line_state();
        rl_cleanup_after_signal();
        fputc('\n', stdout);
    } else if (jumped == 2) {
        session_recover(s);
    }
    while (!s->quit) {
        free(line);
        at_prompt = 1;
        line = readline("llac> ");
        at_prompt = 0;
        if (!line) {
            fputc('\n', stdout);
            break;
        }
        if (line[strspn(line, " \t")])
            add_history(line);
        mem_scope_begin();
        session_run(s, "<command>", line, strlen(line), true);
        mem_scope_end();
    }
    free(line);
    line = NULL;
}

void repl_run(struct session *s)
{
    struct arena *a = arena_create();
    const char *history = history_path(a);
    set_up(s, history);
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    mem_oom_handler *before = mem_set_oom_handler(on_out_of_memory);
    read_commands(s);
    mem_set_oom_handler(before);
    save_history(history);
    arena_destroy(completion_arena);
    completion_arena = NULL;
    arena_destroy(a);
}
