/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plot is data (struct plot) first. Drawing pipes a script into gnuplot, whose standard output is
 * the file: so file names never reach gnuplot, the file appears whole or not at all, and names in
 * titles are quoted.
 */
#define _GNU_SOURCE
#include "llac/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "model/points.h"

extern char **environ;

static const struct span nowhere = {0, 0};

static bool varies(const struct points *p, size_t column)
{
    for (size_t i = 1; i < p->n; i++)
        if (p->at[column][i] != p->at[column][0])
            return true;
    return false;
}

static size_t find_column(const struct points *p, const char *name, struct diag *diag)
{
    for (size_t j = 0; j < p->nnames; j++)
        if (strcmp(p->names[j], name) == 0)
            return j;
    diag_add(diag, SEVERITY_ERROR, NULL, nowhere, "%s has no variable '%s' to plot over",
             p->request->experiment->name, name);
    return SIZE_MAX;
}

static size_t choose_over(const struct points *p, const char *over, struct diag *diag)
{
    if (over)
        return find_column(p, over, diag);
    for (size_t j = 0; j < p->nnames; j++)
        if (varies(p, j))
            return j;
    diag_add(diag, SEVERITY_ERROR, NULL, nowhere,
             "no variable of %s varies: there is nothing to plot over",
             p->request->experiment->name);
    return SIZE_MAX;
}

/* Labels and members of the curves: points alike in all varying variables but `over`. */
static int make_series(struct arena *a, const struct points *p, struct plot *out, struct diag *diag)
{
    size_t *of = arena_alloc(a, p->n, sizeof *of),
           *first = arena_alloc(a, PLOT_MOST_SERIES, sizeof *first);
    out->series = arena_zalloc(a, PLOT_MOST_SERIES, sizeof *out->series);
    for (size_t i = 0; i < p->n; i++) {
        size_t s = 0;
        for (bool alike = false; s < out->nseries; s++) {
            alike = true;
            for (size_t j = 0; j < p->nnames && alike; j++)
                alike = j == out->column || p->at[j][i] == p->at[j][first[s]];
            if (alike)
                break;
        }
        if (s == PLOT_MOST_SERIES) {
            diag_add(diag, SEVERITY_ERROR, NULL, nowhere,
                     "more than %d curves: choose some with 'where'", PLOT_MOST_SERIES);
            return -1;
        }
        if (s == out->nseries)
            first[out->nseries++] = i;
        of[i] = s;
        out->series[s].npoints++;
    }
    for (size_t s = 0; s < out->nseries; s++) {
        struct plot_series *q = &out->series[s];
        size_t *list = arena_alloc(a, q->npoints, sizeof *list), n = 0;
        char number[NUMBER_SIZE];
        q->label = arena_strdup(a, "");
        for (size_t i = 0; i < p->n; i++)
            if (of[i] == s)
                list[n++] = i;
        for (size_t j = 0; j < p->nnames; j++)
            if (j != out->column && varies(p, j))
                q->label = arena_printf(a, "%s%s%s=%s", q->label, *q->label ? " " : "", p->names[j],
                                        number_text(p->at[j][first[s]], number));
        q->points = list;
    }
    return 0;
}

static void choose_scale(const struct points *p, enum plot_scale scale, struct plot *out)
{
    double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
    for (size_t i = 0; i < p->n; i++) {
        x_low = fmin(x_low, p->at[out->column][i]), x_high = fmax(x_high, p->at[out->column][i]);
        y_low = fmin(y_low, p->value[i]), y_high = fmax(y_high, p->value[i]);
    }
    bool positive = x_low > 0 && y_low > 0;
    bool wide = positive && x_high / x_low >= 20 && y_high / y_low >= 20;
    out->log_x = out->log_y = positive && (scale == PLOT_LOG || (scale == PLOT_AUTO && wide));
}

static int make_curve(struct arena *a, struct plot *p, struct plot_series *s, struct diag *diag)
{
    const struct points *points = &p->model->points;
    double from = INFINITY, to = -INFINITY;
    for (size_t i = 0; i < s->npoints; i++) {
        from = fmin(from, points->at[p->column][s->points[i]]);
        to = fmax(to, points->at[p->column][s->points[i]]);
    }
    double **lists[] = {&s->x, &s->y, &s->low, &s->high};
    for (int k = 0; k < 4; k++)
        *lists[k] = arena_alloc(a, PLOT_CURVE, sizeof **lists[k]);
    double *at = arena_alloc(a, points->nnames, sizeof *at);
    for (size_t j = 0; j < points->nnames; j++)
        at[j] = points->at[j][s->points[0]];
    s->n = from < to ? PLOT_CURVE : 1;
    for (size_t i = 0; i < s->n; i++) {
        double part = s->n > 1 ? (double)i / (double)(s->n - 1) : 0;
        struct prediction one;
        s->x[i] = at[p->column] =
            p->log_x ? from * pow(to / from, part) : from + part * (to - from);
        if (model_predict(a, p->model, points->names, at, points->nnames, diag, &one))
            return -1;
        s->y[i] = one.value, s->low[i] = one.low, s->high[i] = one.high;
    }
    return 0;
}

int plot_make(struct arena *a, const struct model *m, const char *over, const char *by,
              enum plot_scale scale, struct diag *diag, struct plot *out)
{
    const struct points *p = &m->points;
    memset(out, 0, sizeof *out);
    out->model = m;
    out->column = choose_over(p, over, diag);
    if (out->column == SIZE_MAX)
        return -1;
    out->over = p->names[out->column];
    if (by && find_column(p, by, diag) == SIZE_MAX)
        return -1;
    if (by && strcmp(by, out->over) == 0) {
        diag_add(diag, SEVERITY_ERROR, NULL, nowhere, "'over %s by %s': the two must differ", by,
                 by);
        return -1;
    }
    out->observable = m->request.points.observable;
    out->unit = observable_unit(out->observable);
    out->title = m->request.points.experiment->name;
    choose_scale(p, scale, out);
    if (make_series(a, p, out, diag))
        return -1;
    for (size_t s = 0; s < out->nseries; s++)
        if (make_curve(a, out, &out->series[s], diag))
            return -1;
    return 0;
}

static void put_blocks(struct text *out, const struct plot *p)
{
    const struct points *points = &p->model->points;
    for (size_t s = 0; s < p->nseries; s++) {
        const struct plot_series *q = &p->series[s];
        text_printf(out, "$points%zu << END_OF_DATA\n", s);
        for (size_t i = 0; i < q->npoints; i++)
            text_printf(out, "%.17g %.17g\n", points->at[p->column][q->points[i]],
                        points->value[q->points[i]]);
        text_printf(out, "END_OF_DATA\n$curve%zu << END_OF_DATA\n", s);
        for (size_t i = 0; i < q->n; i++) {
            bool known = isfinite(q->low[i]);
            /* a band that reaches 0 cannot be drawn on a logarithmic axis */
            double low = p->log_y && q->low[i] <= 0 ? q->y[i] * 1e-3 : q->low[i];
            text_printf(out, "%.17g %.17g %.17g %.17g\n", q->x[i], q->y[i], known ? low : q->y[i],
                        known ? q->high[i] : q->y[i]);
        }
        text_add(out, "END_OF_DATA\n");
    }
}

static void put_title(struct text *out, const char *label, const char *fallback)
{
    text_add(out, " title ");
    quote_gnuplot(out, *label ? label : fallback);
    text_add(out, " noenhanced");
}

void plot_script(struct text *out, const struct plot *p, const char *terminal, bool plain)
{
    text_printf(out, "%s\nset title ", terminal);
    quote_gnuplot(out, p->title);
    text_add(out, " noenhanced\nset xlabel ");
    quote_gnuplot(out, p->over);
    text_add(out, " noenhanced\nset ylabel ");
    struct text y;
    text_init(&y);
    text_printf(&y, "%s%s", p->observable, strcmp(p->unit, "s") == 0 ? " (s)" : "");
    quote_gnuplot(out, y.s);
    text_free(&y);
    text_add(out, " noenhanced\nset key left top\nset grid\n");
    if (p->log_x)
        text_add(out, "set logscale x\n");
    if (p->log_y)
        text_add(out, "set logscale y\n");
    put_blocks(out, p);
    text_add(out, "plot ");
    for (size_t s = 0; s < p->nseries; s++) {
        const char *label = p->series[s].label;
        size_t colour = s + 1;
        if (!plain)
            text_printf(out,
                        "%s$curve%zu using 1:3:4 with filledcurves fs transparent solid 0.2 lc %zu "
                        "notitle, ",
                        s ? ", " : "", s, colour);
        text_printf(out, "%s$curve%zu using 1:2 with lines lc %zu", plain && s ? ", " : "", s,
                    colour);
        put_title(out, label, "model");
        text_printf(out, ", $points%zu using 1:2 with points pt %zu lc %zu", s,
                    plain ? colour : (size_t)7, colour);
        if (p->nseries == 1)
            put_title(out, "", "measured");
        else
            text_add(out, " notitle");
    }
    text_add(out, "\n");
}

struct terminal {
    const char *extension, *line;
    bool plain;
};

static const struct terminal terminals[] = {
    {".svg", "set terminal svg size 800,500 background rgb 'white'", false},
    {".png",
     "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {set terminal pngcairo size 800,500} else {set "
     "terminal png "
     "size 800,500}",
     false},
    {".pdf", "set terminal pdfcairo size 16cm,10cm", false},
    {".txt", "set terminal dumb 79 24", true},
};

static const struct terminal *terminal_of(const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof terminals / sizeof *terminals; i++) {
        size_t m = strlen(terminals[i].extension);
        if (n > m && strcmp(path + n - m, terminals[i].extension) == 0)
            return &terminals[i];
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

static int draw_file(const struct plot *p, const char *path, struct diag *diag)
{
    const struct terminal *terminal = terminal_of(path);
    struct outfile f;
    struct text script;
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
    text_init(&script);
    plot_script(&script, p, terminal->line, terminal->plain);
    int status = run_gnuplot(&script, false, fileno(f.stream), diag);
    text_free(&script);
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

static int draw_text(const struct plot *p, FILE *out, struct diag *diag)
{
    struct winsize size = {.ws_col = 80, .ws_row = 25};
    char line[64];
    struct text script;
    ioctl(fileno(out), TIOCGWINSZ, &size);
    int columns = size.ws_col < 40 ? 79 : size.ws_col - 1,
        rows = size.ws_row < 15 ? 24 : size.ws_row - 2;
    snprintf(line, sizeof line, "set terminal dumb %d %d", columns > 200 ? 200 : columns,
             rows > 60 ? 60 : rows);
    text_init(&script);
    plot_script(&script, p, line, true);
    fflush(out);
    int status = run_gnuplot(&script, false, fileno(out), diag);
    text_free(&script);
    return status;
}

int plot_draw(const struct plot *p, const char *path, FILE *text, struct diag *diag)
{
    if (path)
        return draw_file(p, path, diag);
    if (!has_display())
        return draw_text(p, text, diag);
    struct text script;
    text_init(&script);
    plot_script(&script, p, "", false);
    int status = run_gnuplot(&script, true, STDERR_FILENO, diag);
    text_free(&script);
    return status;
}
