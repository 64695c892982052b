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
#include "llac/cmd/commands.h"

enum { HISTORY_LINES = 1000 };

static struct session *completing; /* readline's callbacks have no argument */
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

/* Candidates for the word being completed: one list, filtered by readline's generator protocol. */
static const char *const *candidates;

static char *next_candidate(const char *text, int state)
{
    static size_t i;
    if (state == 0)
        i = 0;
    size_t n = strlen(text);
    while (candidates[i]) {
        const char *name = candidates[i++];
        if (strncmp(name, text, n) == 0)
            return strdup(name);
    }
    return NULL;
}

static void add(const char **list, size_t *n, size_t most, const char *name)
{
    if (*n + 1 < most)
        list[(*n)++] = name;
    list[*n] = NULL;
}

/* Commands with words of their own: what may come first after the name, and later. */
static bool has_own_words(const char *line, size_t length, bool first, const char *const **words)
{
    static const char *const machine[] = {"show", "list", "add", "use", "compare", "plot", NULL};
    static const char *const obsp[] = {"on",       "h",      "max",        "sum", "pattern",
                                       "by",       "slower", "supersteps", "all", "picture",
                                       "measured", "from",   "until",      NULL};
    if (length == 7 && strncmp(line, "machine", length) == 0)
        *words = first ? machine : NULL;
    else if (length == 4 && strncmp(line, "obsp", length) == 0)
        *words = first ? NULL : obsp;
    else
        return false;
    return true;
}

/* What may follow the command `line` begins with; NULL = file names. */
static const char *const *collect_candidates(const char *line, int start)
{
    enum { MOST = 1024 };
    static const char *list[MOST];
    size_t n = 0, length;
    list[0] = NULL;
    while (*line == ' ' || *line == '\t')
        line++, start--;
    length = strcspn(line, " \t");
    if (start <= 0) {
        for (const struct command *k = commands; k->name; k++)
            add(list, &n, MOST, k->name);
        return list;
    }
    static const char *const with_files[] = {"load", "merge", "save", "export", "report", NULL};
    for (const char *const *w = with_files; *w; w++)
        if (strlen(*w) == length && strncmp(*w, line, length) == 0)
            return NULL;
    const char *const *words;
    bool first = strspn(line + length, " \t") + length >= (size_t)start;
    if (has_own_words(line, length, first, &words))
        return words;
    if (strncmp(line, "help", length) == 0)
        for (const struct command *k = commands; k->name; k++)
            add(list, &n, MOST, k->name);
    static const char *const keywords[] = {
        "on",        "where", "nonneg", "intervals", "auto",   "none",   "max",
        "threshold", "all",   "over",   "against",   "by",     "to",     "log",
        "linear",    "in",    "terms",  "for",       "budget", "beyond", "from"};
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        add(list, &n, MOST, keywords[i]);
    for (int i = 0; i < STATISTIC_COUNT && strncmp(line, "statistic", length) == 0; i++)
        add(list, &n, MOST, statistics[i].name);
    for (const char *const *w = prepare_words; w[0]; w += 2)
        if (strlen(w[0]) == length && strncmp(w[0], line, length) == 0)
            add(list, &n, MOST, w[1]);
    for (size_t i = 0; i < completing->data->nexperiments; i++) {
        const struct experiment *e = completing->data->experiments[i];
        add(list, &n, MOST, e->name);
        for (size_t j = FIELD_FIXED; j < e->ncolumns; j++) {
            bool there = strcmp(e->columns[j].name, DATA_DISTURBED) == 0; /* not an observable */
            for (size_t k = 0; k < n && !there; k++)
                there = strcmp(list[k], e->columns[j].name) == 0;
            if (!there)
                add(list, &n, MOST, e->columns[j].name);
        }
    }
    for (size_t i = 0; i < completing->nlets; i++)
        add(list, &n, MOST, completing->lets[i].name);
    for (size_t i = 0; i < completing->ndefines; i++)
        add(list, &n, MOST, completing->defines[i].name);
    return list;
}

static char **complete(const char *text, int start, int end)
{
    (void)end;
    /* Only the command the cursor is in. */
    const char *line = rl_line_buffer;
    for (int i = 0; i < start; i++)
        if (rl_line_buffer[i] == ';')
            line = rl_line_buffer + i + 1;
    candidates = collect_candidates(line, start - (int)(line - rl_line_buffer));
    if (!candidates)
        return NULL; /* readline's own completion of file names */
    const char *before = rl_line_buffer + start;
    while (before > rl_line_buffer && before[-1] == ' ')
        before--;
    size_t words = (size_t)(before - rl_line_buffer);
    static const char *const before_files[] = {"to", "against", "picture"};
    for (size_t i = 0; i < sizeof before_files / sizeof *before_files; i++) {
        size_t n = strlen(before_files[i]);
        if (words >= n && strncmp(before - n, before_files[i], n) == 0)
            return NULL;
    }
    rl_attempted_completion_over = 1;
    return rl_completion_matches(text, next_candidate);
}

static void set_up(struct session *s, const char *history)
{
    completing = s;
    rl_readline_name = "llac";
    rl_attempted_completion_function = complete;
    rl_completer_word_break_characters = " \t;=(),+*^<>!&|";
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
    arena_destroy(a);
}
