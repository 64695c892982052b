/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running gnuplot: the script is piped into it, and its standard output is the file. So file names
 * never reach gnuplot, and the file appears whole or not at all.
 */
#define _GNU_SOURCE
#include "llac/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

extern char **environ;

static const struct span nowhere = {0, 0};

/* By the end of a file's name. Plain ones draw with characters. */
static const struct {
    const char *extension;
    struct gnuplot_terminal terminal;
} terminals[] = {
    {".svg",
     {"set terminal svg size 880,660 font 'Helvetica,14' background rgb 'white'\n", false, 0, 0}},
    {".png",
     {"if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {set terminal pngcairo size 1320,990 fontscale "
      "1.5 "
      "linewidth 1.5 pointscale 1.5} else {set terminal png size 1320,990}\n",
      false, 0, 0}},
    {".pdf", {"set terminal pdfcairo size 16cm,12cm font 'Helvetica,11'\n", false, 0, 0}},
    {".txt", {"", true, 79, 34}},
};

static const struct gnuplot_terminal *terminal_of(const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        size_t m = strlen(terminals[i].extension);
        if (n > m && strcmp(path + n - m, terminals[i].extension) == 0)
            return &terminals[i].terminal;
    }
    return NULL;
}

/* Writes all of the script; gnuplot may end before it has read it. */
static void feed(int fd, const struct text *script)
{
    size_t done = 0;
    while (done < script->n) {
        ssize_t n = write(fd, script->s + done, script->n - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    close(fd);
}

static int spawn_gnuplot(bool window, int in, int out, int err, pid_t *pid)
{
    char *plain[] = {"gnuplot", NULL}, *persistent[] = {"gnuplot", "-persist", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    int error =
        posix_spawnp(pid, "gnuplot", &actions, &attributes, window ? persistent : plain, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int gnuplot_failed(FILE *messages, struct diag *diag)
{
    char line[256] = "";
    struct text said;
    text_init(&said);
    rewind(messages);
    while (said.n < 600 && fgets(line, sizeof line, messages)) {
        line[strcspn(line, "\n")] = 0;
        if (line[strspn(line, " \t^")])
            text_printf(&said, "%s%s", said.n ? "; " : "", line);
    }
    diag_add(diag, SEVERITY_ERROR, NULL, nowhere, "gnuplot failed%s%s", said.n ? ": " : "", said.s);
    text_free(&said);
    return -1;
}

static int run_gnuplot(const struct text *script, bool window, int out, struct diag *diag)
{
    int in[2], status = 0;
    pid_t pid;
    FILE *messages = tmpfile();
    if (!messages || pipe2(in, O_CLOEXEC)) {
        diag_add(diag, SEVERITY_ERROR, NULL, nowhere, "cannot start gnuplot: %s", strerror(errno));
        if (messages)
            fclose(messages);
        return -1;
    }
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    int error = spawn_gnuplot(window, in[0], out, fileno(messages), &pid);
    close(in[0]);
    if (error) {
        close(in[1]);
        diag_add(diag, SEVERITY_ERROR, NULL, nowhere, "cannot start gnuplot: %s%s", strerror(error),
                 error == ENOENT ? "; install it (apt install gnuplot-nox)" : "");
        status = -1;
    } else {
        int ended;
        feed(in[1], script);
        while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
            ;
        if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
            status = gnuplot_failed(messages, diag);
    }
    sigaction(SIGPIPE, &before, NULL);
    fclose(messages);
    return status;
}

static int draw_file(gnuplot_script *script, const void *plot, const char *path, struct diag *diag)
{
    const struct gnuplot_terminal *terminal = terminal_of(path);
    struct outfile f;
    struct text text;
    if (!terminal) {
        diag_add(diag, SEVERITY_ERROR, NULL, nowhere,
                 "%s: the name must end in .svg, .png, .pdf or .txt: that chooses the format",
                 path);
        return -1;
    }
    if (outfile_open(&f, path)) {
        diag_add(diag, SEVERITY_ERROR, NULL, nowhere, "cannot write %s: %s", path, strerror(errno));
        return -1;
    }
    text_init(&text);
    script(&text, plot, terminal);
    int status = run_gnuplot(&text, false, fileno(f.stream), diag);
    text_free(&text);
    if (status) {
        outfile_abandon(&f);
    } else if (outfile_commit(&f)) {
        diag_add(diag, SEVERITY_ERROR, NULL, nowhere, "cannot write %s: %s", path, strerror(errno));
        status = -1;
    }
    return status;
}

static bool has_display(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
}

static int draw_text(gnuplot_script *script, const void *plot, FILE *out, struct diag *diag)
{
    struct winsize size = {.ws_col = 80, .ws_row = 36};
    struct text text;
    ioctl(fileno(out), TIOCGWINSZ, &size);
    int columns = size.ws_col < 40 ? 79 : size.ws_col - 1,
        rows = size.ws_row < 15 ? 34 : size.ws_row - 2;
    struct gnuplot_terminal terminal = {"", true, columns > 200 ? 200 : columns,
                                        rows > 60 ? 60 : rows};
    text_init(&text);
    script(&text, plot, &terminal);
    fflush(out);
    int status = run_gnuplot(&text, false, fileno(out), diag);
    text_free(&text);
    return status;
}

int gnuplot_draw(gnuplot_script *script, const void *plot, const char *path, FILE *out,
                 struct diag *diag)
{
    static const struct gnuplot_terminal window = {"", false, 0, 0};
    if (path)
        return draw_file(script, plot, path, diag);
    if (!has_display())
        return draw_text(script, plot, out, diag);
    struct text text;
    text_init(&text);
    script(&text, plot, &window);
    int status = run_gnuplot(&text, true, STDERR_FILENO, diag);
    text_free(&text);
    return status;
}
