/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pager (pager.h). While it runs, Ctrl-C is its own, as it is with git and man: the interpreter
 * only notes it. When the user leaves it early, the rest of the output is dropped.
 */
#define _GNU_SOURCE 1 /* fopencookie, pipe2 */
#include "llac/pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "base/path.h"
#include "base/progress.h"
#include "base/text.h"

enum { MOST_HELD = 1 << 20, ALL_DONE = 127 };

struct pager {
    const char *command; /* for sh */
    FILE *stream;
    struct text held; /* not yet written; and what a pager that cannot be started has got */
    bool holding;     /* inside a command, and the terminal is not full yet */
    size_t lines, column;
    bool in_colour;                   /* inside a sequence that chooses a colour */
    size_t rows, columns;             /* of the terminal */
    pid_t pid;                        /* of the pager; 0: it does not run */
    int fd;                           /* to it; -1: it is gone */
    struct sigaction pipe, interrupt; /* as they were before */
};

/* ---- the program ---- */

static const char *choose(void)
{
    ARENA_LOCAL struct arena *a = arena_create();
    const char *pager = getenv("PAGER"), *term = getenv("TERM");
    if (!term || !*term || strcmp(term, "dumb") == 0)
        return NULL;
    if (!pager)
        pager = path_program(a, "less") ? "less" : path_program(a, "more") ? "more" : "";
    return *pager && strcmp(pager, "cat") != 0 ? pager : NULL;
}

/* In the child. */
static void become_pager(const char *command, int from)
{
    signal(SIGPIPE, SIG_DFL);
    signal(SIGINT, SIG_DFL);
    output_setup_undo();
    setenv("LESS", "FRX", 0); /* as git has it: colours, and the text stays on the terminal */
    setenv("LV", "-c", 0);
    if (dup2(from, STDIN_FILENO) < 0)
        _exit(ALL_DONE);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(ALL_DONE);
}

static void note_nothing(int signal)
{
    (void)signal;
}

static bool start(struct pager *p)
{
    int fds[2];
    progress_end();
    if (output_flush() || pipe2(fds, O_CLOEXEC))
        return false;
    p->pid = fork();
    if (p->pid == 0)
        become_pager(p->command, fds[0]);
    close(fds[0]);
    if (p->pid < 0) {
        p->pid = 0;
        close(fds[1]);
        return false;
    }
    struct sigaction ignore = {.sa_handler = SIG_IGN}, stay = {.sa_handler = note_nothing};
    sigemptyset(&ignore.sa_mask);
    sigemptyset(&stay.sa_mask);
    sigaction(SIGPIPE, &ignore, &p->pipe);
    sigaction(SIGINT, NULL, &p->interrupt);
    if (p->interrupt.sa_handler == SIG_DFL)
        sigaction(SIGINT, &stay, NULL);
    p->fd = fds[1];
    return true;
}

static void send(struct pager *p, const char *s, size_t n)
{
    while (n > 0 && p->fd >= 0) {
        ssize_t done = write(p->fd, s, n);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) { /* the user has left it */
            close(p->fd);
            p->fd = -1;
            return;
        }
        s += done;
        n -= (size_t)done;
    }
}

/* Returns whether it could not be started. */
static bool finish(struct pager *p)
{
    int status = 0;
    if (p->fd >= 0)
        close(p->fd);
    p->fd = -1;
    while (waitpid(p->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    p->pid = 0;
    sigaction(SIGPIPE, &p->pipe, NULL);
    sigaction(SIGINT, &p->interrupt, NULL);
    return WIFEXITED(status) && WEXITSTATUS(status) >= 126;
}

/* ---- the output ---- */

/* Lines of the terminal that the text takes; long ones are wrapped, and colours take no place. */
static void count(struct pager *p, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '\033' || p->in_colour) {
            p->in_colour = s[i] != 'm';
        } else if (s[i] == '\n') {
            p->lines++;
            p->column = 0;
        } else if (((unsigned char)s[i] & 0xc0) != 0x80 && p->column++ == p->columns) {
            p->lines++;
            p->column = 1;
        }
    }
}

static void write_directly(const char *s, size_t n)
{
    progress_clear();
    fwrite(s, 1, n, stdout);
    output_flush();
}

static ssize_t take(void *cookie, const char *s, size_t n)
{
    struct pager *p = cookie;
    if (p->pid) {
        if (p->held.n + n <= MOST_HELD)
            text_addn(&p->held, s, n);
        send(p, s, n);
    } else if (!p->holding) {
        write_directly(s, n);
    } else {
        text_addn(&p->held, s, n);
        count(p, s, n);
        if (p->lines + 1 >= p->rows) { /* one for the prompt */
            p->holding = false;
            if (start(p)) {
                send(p, p->held.s, p->held.n);
            } else {
                write_directly(p->held.s, p->held.n);
                text_clear(&p->held);
            }
        }
    }
    return (ssize_t)n;
}

struct pager *pager_create(void)
{
    const char *command = choose();
    if (!command)
        return NULL;
    struct pager *p = mem_zalloc(1, sizeof *p);
    p->command = command;
    p->fd = -1;
    text_init(&p->held);
    p->stream = fopencookie(p, "w", (cookie_io_functions_t){.write = take});
    if (!p->stream)
        mem_exhausted(sizeof(FILE));
    return p;
}

void pager_destroy(struct pager *p)
{
    if (!p)
        return;
    fclose(p->stream);
    text_free(&p->held);
    mem_free(p);
}

FILE *pager_stream(struct pager *p)
{
    return p->stream;
}

void pager_begin(struct pager *p)
{
    struct winsize size = {0};
    if (!p || p->pid)
        return;
    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size);
    p->rows = size.ws_row > 2 ? size.ws_row : 24;
    p->columns = size.ws_col > 10 ? size.ws_col : 80;
    p->lines = p->column = 0;
    p->in_colour = false;
    p->holding = true;
    text_clear(&p->held);
}

void pager_end(struct pager *p)
{
    if (!p)
        return;
    fflush(p->stream);
    bool lost = p->pid && finish(p);
    if (lost || p->holding)
        write_directly(p->held.s, p->held.n);
    p->holding = false;
    text_clear(&p->held);
}
