/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Running gnuplot. Its standard input is a temporary file with the script, its standard output a
 * pipe into memory: gnuplot does not report what it cannot write, and file names never reach it.
 * The file is written here, when the picture is complete.
 */
#define _GNU_SOURCE
#include "llac/plot/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/outfile.h"
#include "base/quote.h"
#include "base/text.h"

extern char **environ;

/* By the end of a file's name. SIZE becomes the size. */
static const struct {
    const char *extension;
    struct gnuplot_terminal terminal;
    const char *ending; /* of a complete picture */
} terminals[] = {
    {".svg",
     {.line = "set terminal svg size SIZE font 'Helvetica,14' background rgb 'white'\n",
      .width = 880,
      .height = 660,
      .unit = ""},
     "</svg>"},
    {".png",
     {.line = "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {set terminal pngcairo size SIZE "
              "fontscale 1.5 linewidth 1.5 pointscale 1.5} else {set terminal png size SIZE}\n",
      .width = 1320,
      .height = 990,
      .unit = ""},
     "IEND\xae\x42\x60\x82"},
    {".pdf",
     {.line = "set terminal pdfcairo size SIZE font 'Helvetica,11'\n",
      .width = 16,
      .height = 12,
      .unit = "cm"},
     "%%EOF"},
};

void gnuplot_begin(struct text *out, const struct gnuplot_terminal *t, double taller)
{
    text_add(out, "set encoding utf8\n");
    for (const char *s = t->line; *s;) {
        const char *size = strstr(s, "SIZE");
        if (!size) {
            text_add(out, s);
            return;
        }
        text_addn(out, s, (size_t)(size - s));
        text_printf(out, "%.4g%s,%.4g%s", t->width, t->unit, t->height * taller, t->unit);
        s = size + strlen("SIZE");
    }
}

void gnuplot_begin_plot(struct text *out, const struct gnuplot_terminal *terminal)
{
    gnuplot_begin(out, terminal, 1);
    text_add(out, "set border linewidth 0.8\nset grid linetype 1 linewidth 0.5 linecolor rgb "
                  "'#dcdcdc'\nset tics scale 0.6 nomirror\n");
}

void gnuplot_set_text(struct text *out, const char *what, const char *text)
{
    text_printf(out, "set %s ", what);
    quote_gnuplot(out, text);
    text_add(out, " noenhanced\n");
}

void gnuplot_title(struct text *out, const char *title)
{
    text_add(out, title ? " title " : " notitle");
    if (!title)
        return;
    quote_gnuplot(out, title);
    text_add(out, " noenhanced");
}

unsigned gnuplot_colour(size_t i, size_t n)
{
    static const unsigned list[] = {0x0072b2, 0xd55e00, 0x009e73, 0xcc79a7,
                                    0xb8860b, 0x56b4e9, 0x7f3f98, 0x404040};
    static const unsigned ramp[] = {0x440154, 0x3b528b, 0x21918c, 0x5ec962, 0xe0c010};
    if (n <= sizeof list / sizeof *list)
        return list[i];
    double at = 4.0 * (double)i / (double)(n - 1);
    size_t below = at >= 4 ? 3 : (size_t)at;
    unsigned mixed = 0;
    for (int shift = 0; shift <= 16; shift += 8) {
        double low = ramp[below] >> shift & 255, high = ramp[below + 1] >> shift & 255;
        mixed |= (unsigned)lround(low + (high - low) * (at - (double)below)) << shift;
    }
    return mixed;
}

enum { NO_FORMAT = sizeof terminals / sizeof *terminals };

static size_t format_of(const char *path)
{
    size_t i = 0;
    while (i < NO_FORMAT && !text_ends_with(path, terminals[i].extension))
        i++;
    return i;
}

int gnuplot_check_name(const char *path, struct diag *diag)
{
    if (format_of(path) != NO_FORMAT)
        return 0;
    return diag_error(
        diag, "%s: the name must end in .svg, .png or .pdf: the extension selects the format",
        path);
}

static bool is_complete(const struct text *picture, const char *ending)
{
    size_t n = strlen(ending), end = picture->n;
    while (end > 0 && picture->s[end - 1] == '\n')
        end--;
    return end > n && memcmp(picture->s + end - n, ending, n) == 0;
}

/* gnuplot gets the signals as this program got them. */
static int spawn_gnuplot(bool window, int in, int out, int err, pid_t *pid)
{
    /* -d: no start-up files, whose commands would run here */
    char *plain[] = {"gnuplot", "-d", NULL}, *persistent[] = {"gnuplot", "-d", "-persist", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        sigemptyset(&defaults);
        sigaddset(&defaults, SIGPIPE);
        sigaddset(&defaults, SIGXFSZ);
        posix_spawnattr_setsigdefault(&attributes, &defaults);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
        error = posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO);
        if (!error)
            error = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
        if (!error)
            error = posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
        if (!error)
            error = posix_spawnp(pid, "gnuplot", &actions, &attributes, window ? persistent : plain,
                                 environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

static int cannot_start(int error, struct diag *diag)
{
    return diag_error(diag, "cannot start gnuplot: %s%s", strerror(error),
                      error == ENOENT ? "; install it (apt install gnuplot-nox)" : "");
}

static int gnuplot_failed(FILE *messages, struct diag *diag)
{
    char line[256] = "";
    TEXT_LOCAL struct text said = text_new();
    rewind(messages);
    while (said.n < 600 && fgets(line, sizeof line, messages)) {
        line[strcspn(line, "\n")] = 0;
        if (line[strspn(line, " \t^")])
            text_printf(&said, "%s%s", said.n ? "; " : "", line);
    }
    return diag_error(diag, "gnuplot failed%s%s", said.n ? ": " : "", said.s);
}

/* All that gnuplot writes, until it closes its output. */
static int read_picture(int fd, struct text *picture)
{
    char buffer[65536];
    for (;;) {
        ssize_t n = interrupt_read(fd, buffer, sizeof buffer);
        if (n <= 0)
            return n < 0 ? -1 : 0;
        text_addn(picture, buffer, (size_t)n);
    }
}

/* Runs it with these files as its input and messages. `picture` NULL: it draws in a window. */
static int run_with(FILE *script, FILE *messages, struct text *picture, struct diag *diag)
{
    int out[2] = {-1, STDERR_FILENO}, ended = 0, error = 0;
    pid_t pid = 0;
    if (picture && pipe2(out, O_CLOEXEC))
        return cannot_start(errno, diag);
    error = spawn_gnuplot(!picture, fileno(script), out[1], fileno(messages), &pid);
    if (picture)
        close(out[1]);
    if (!error && picture && read_picture(out[0], picture)) {
        error = errno;
        kill(pid, SIGTERM);
    }
    if (picture)
        close(out[0]);
    while (pid > 0 && waitpid(pid, &ended, 0) < 0 && errno == EINTR)
        ;
    if (interrupt_came())
        return diag_error(diag, "interrupted");
    if (error)
        return cannot_start(error, diag);
    return !WIFEXITED(ended) || WEXITSTATUS(ended) != 0 ? gnuplot_failed(messages, diag) : 0;
}

static int run_gnuplot(const struct text *script, struct text *picture, struct diag *diag)
{
    FILE *in = outfile_temporary(), *messages = in ? outfile_temporary() : NULL;
    int status = -1;
    if (!messages || fwrite(script->s, 1, script->n, in) != script->n || fflush(in) ||
        lseek(fileno(in), 0, SEEK_SET) != 0)
        diag_error(diag, "cannot write a temporary file: %s; set TMPDIR to a folder with room",
                   strerror(errno));
    else
        status = run_with(in, messages, picture, diag);
    if (in)
        fclose(in);
    if (messages)
        fclose(messages);
    return status;
}

static int draw_file(gnuplot_script *script, const void *plot, const char *path, struct diag *diag)
{
    size_t format = format_of(path);
    if (gnuplot_check_name(path, diag))
        return -1;
    TEXT_LOCAL struct text text = text_new(), picture = text_new();
    script(&text, plot, &terminals[format].terminal);
    if (run_gnuplot(&text, &picture, diag))
        return -1;
    if (!is_complete(&picture, terminals[format].ending))
        return diag_error(diag, "gnuplot did not complete the picture for %s", path);
    if (outfile_replace(path, picture.s, picture.n))
        return diag_error(diag, "cannot write %s: %s", path, destination_error(errno));
    return 0;
}

bool gnuplot_has_display(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
}

int gnuplot_draw(gnuplot_script *script, const void *plot, const char *path, struct diag *diag)
{
    static const struct gnuplot_terminal window = {.line = ""};
    if (path)
        return draw_file(script, plot, path, diag);
    if (!gnuplot_has_display())
        return diag_error(
            diag, "there is no display to draw on: name a file that ends in .svg, .png or .pdf");
    TEXT_LOCAL struct text text = text_new();
    script(&text, plot, &window);
    return run_gnuplot(&text, NULL, diag);
}
