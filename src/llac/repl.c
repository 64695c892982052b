/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Readline on a session. While a line is typed, SIGINT is blocked but for the wait for the next key
 * (next_key), which turns it into keys: readline is never interrupted, and nothing jumps out of it.
 * During a command SIGINT sets a flag that long loops look at.
 */
#define _GNU_SOURCE 1 /* ppoll */
#include "llac/repl.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <termios.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/outfile.h"
#include "llac/complete.h"

enum { HISTORY_LINES = 1000, DROP_KEY = 'C' & 0x1f };

static sigset_t in_commands; /* the signals that are blocked while commands run */
static bool dropped;         /* Ctrl-C ended the line */

static void on_interrupt(int signal)
{
    (void)signal;
    session_interrupt = 1;
}

/* ---- keys ---- */

/* The key that takes readline towards the end of the line. A search, a question and the like are given
 * up first, by Ctrl-G; a paste whose end is lost needs that end. */
static int key_of_interrupt(void)
{
    static const char until_command[] = "\a\033[201~";
    static size_t at;
    if (!RL_ISSTATE(RL_STATE_READCMD))
        return until_command[at++ % (sizeof until_command - 1)];
    at = 0;
    session_interrupt = 0;
    return DROP_KEY;
}

/* Readline's settings, but reading does not wait: Ctrl-C empties the terminal's queue, also between
 * ppoll and the read, which would then wait while SIGINT is blocked. */
static void prepare_terminal(int meta)
{
    struct termios settings;
    rl_prep_terminal(meta);
    if (tcgetattr(STDIN_FILENO, &settings) == 0) {
        settings.c_cc[VMIN] = 0;
        tcsetattr(STDIN_FILENO, TCSADRAIN, &settings);
    }
}

/* readline's rl_getc_function. */
static int next_key(FILE *in)
{
    struct pollfd p = {.fd = fileno(in), .events = POLLIN};
    unsigned char key;
    while (!session_interrupt) {
        int ready = ppoll(&p, 1, NULL, &in_commands);
        ssize_t got = ready > 0 ? read(p.fd, &key, 1) : ready;
        if (got > 0)
            return key;
        if (got < 0 && errno != EINTR && errno != EAGAIN)
            return EOF;
        if (got == 0 && p.revents & (POLLHUP | POLLERR | POLLNVAL))
            return EOF;
        if (ready < 0 && !session_interrupt)
            rl_resize_terminal(); /* the signal that readline catches */
    }
    return key_of_interrupt();
}

/* Ends the line as Enter does; it stays on the screen, with ^C behind it. */
static int drop_line(int count, int key)
{
    (void)key;
    dropped = true;
    rl_point = rl_end;
    rl_redisplay();
    rl_echo_signal_char(SIGINT);
    return rl_newline(count, '\n');
}

static void bind_drop_key(void)
{
    rl_bind_key_in_map(DROP_KEY, drop_line, emacs_standard_keymap);
    rl_bind_key_in_map(DROP_KEY, drop_line, vi_insertion_keymap);
    rl_bind_key_in_map(DROP_KEY, drop_line, vi_movement_keymap);
}

/* The next line, or NULL at the end of the input; whether it was dropped is in `dropped`. The user's
 * settings can change what keys do at any time. */
static char *read_line(void)
{
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigprocmask(SIG_BLOCK, &interrupt, &in_commands);
    if (session_interrupt) /* the command before was interrupted, perhaps while it wrote */
        output_forget_error();
    session_interrupt = 0;
    dropped = false;
    bind_drop_key();
    char *line = readline("llac> ");
    sigprocmask(SIG_SETMASK, &in_commands, NULL);
    return line;
}

/* ---- history and completion ---- */

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

/* Asks what can follow, or only whether this is a formula. */
static void ask(bool what, size_t at)
{
    candidates = (struct completion){0};
    arena_reset(completion_arena);
    if (what)
        complete_line(completing, completion_arena, rl_line_buffer, at, &candidates);
    else
        candidates.formula = complete_in_formula(completion_arena, rl_line_buffer, at);
}

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
    ask(true, (size_t)start);
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
    ask(false, (size_t)rl_point);
    bool formula = candidates.formula;
    rl_completer_quote_characters = formula ? NULL : "\"'";
    return formula ? in_formula : elsewhere;
}

static void set_up(struct session *s, const char *history)
{
    completing = s;
    completion_arena = arena_create();
    rl_readline_name = "llac";
    rl_getc_function = next_key;
    rl_prep_term_function = prepare_terminal;
    rl_attempted_completion_function = complete;
    rl_completion_word_break_hook = choose_breaks;
    rl_filename_quote_characters = " \t;#'\"";
    rl_catch_signals = 0;
    rl_initialize(); /* reads the user's settings */
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

static void read_commands(struct session *s)
{
    for (char *line; !s->quit; free(line)) {
        line = read_line();
        if (!line) {
            fputc('\n', stdout);
            return;
        }
        if (line[strspn(line, " \t")] && !dropped)
            add_history(line);
        if (!dropped)
            session_run(s, "<command>", line, strlen(line), true);
    }
}

void repl_run(struct session *s)
{
    ARENA_LOCAL struct arena *a = arena_create();
    const char *history = history_path(a);
    set_up(s, history);
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    read_commands(s);
    save_history(history);
    arena_destroy(completion_arena);
    completion_arena = NULL;
}
