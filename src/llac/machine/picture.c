/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two panels with one horizontal axis, the working set: latency above, bandwidth of reading below, a
 * curve for each number of active cores with its 95 % intervals, dashed lines at the levels of the
 * latency. Plain terminals get the panels one after the other, without the intervals.
 */
#include "llac/machine/picture.h"

#include <math.h>
#include <string.h>

/* Adds the curve of the smallest number of cores above `than`; its number, or 0. */
static int next_cores(const struct machine *m, const char *name, int than)
{
    int next = 0;
    for (size_t i = 0; i < m->nfigures; i++) {
        const struct machine_figure *f = &m->figures[i];
        if (strcmp(f->family, "memory") == 0 && strcmp(f->name, name) == 0 && f->bytes &&
            f->cores > than && (!next || f->cores < next))
            next = f->cores;
    }
    return next;
}

static void take_curve(struct arena *a, const struct machine *m, const char *family,
                       const char *name, int cores, struct machine_curve *out)
{
    out->cores = cores;
    out->figures = machine_curve(m, family, name, cores, 0, a, &out->n);
    while (out->n && out->figures[0]->bytes == 0) /* the axis is logarithmic */
        out->figures++, out->n--;
}

static size_t find_curves(struct arena *a, const struct machine *m, const char *name, bool device,
                          struct machine_curve *out)
{
    size_t n = 0;
    if (device) {
        take_curve(a, m, "gpu", name, 0, out);
        return out->n > 0;
    }
    for (int cores = 0; (cores = next_cores(m, name, cores)) > 0;) {
        size_t at = n < MACHINE_CURVES ? n++ : MACHINE_CURVES - 1;
        take_curve(a, m, "memory", name, cores, &out[at]);
    }
    return n;
}

int machine_plot_make(struct arena *a, const struct machine *m, bool device, struct diag *diag,
                      struct machine_plot *out)
{
    *out = (struct machine_plot){.machine = m, .device = device};
    out->nlatency = find_curves(a, m, "latency", device, out->latency);
    out->nread = find_curves(a, m, "read", device, out->read);
    out->nlevels =
        (device ? machine_device_levels : machine_levels)(m, a, out->levels, MACHINE_LEVELS);
    if (out->nlatency && out->nread)
        return 0;
    return diag_error(diag, "the memory of %s%s was not measured: run %s",
                      device ? "an accelerator of " : "", m->name,
                      device ? "cllprobe-cuda --only gpu, or cllprobe-opencl --only gpu"
                             : "cllprobe --only memory");
}

/* ---- the script */

static void put_data(struct text *out, const char *name, const struct machine_curve *curves,
                     size_t n, double factor)
{
    for (size_t i = 0; i < n; i++) {
        text_printf(out, "$%s%zu << END_OF_DATA\n", name, i);
        for (size_t k = 0; k < curves[i].n; k++) {
            const struct machine_figure *f = curves[i].figures[k];
            text_printf(out, "%.17g %.17g %.17g %.17g\n", (double)f->bytes, factor * f->value,
                        factor * f->low, factor * f->high);
        }
        text_add(out, "END_OF_DATA\n");
    }
}

static void put_curves(struct text *out, const char *name, const struct machine_curve *curves,
                       size_t n)
{
    const char *between = "plot ";
    for (size_t i = 0; i < n; i++, between = ", ") {
        text_printf(out,
                    "%s$%s%zu using 1:3:4 with filledcurves fillcolor rgb '#%06x' fillstyle "
                    "transparent solid 0.25 noborder notitle, $%s%zu using 1:2 with "
                    "linespoints pointtype 7 pointsize 0.5 linewidth 1.6 linecolor rgb '#%06x'",
                    between, name, i, gnuplot_colour(i, n), name, i, gnuplot_colour(i, n));
        if (curves[i].cores)
            text_printf(out, " title '%d core%s'", curves[i].cores,
                        curves[i].cores == 1 ? "" : "s");
        else
            text_add(out, " title 'accelerator'");
    }
    text_add(out, "\n");
}

/* The sizes with marks at each 16th: 4 KB, 64 KB, 1 MB ... */
static void put_sizes(struct text *out, const struct machine_plot *p)
{
    static const char *const units[] = {"B", "KB", "MB", "GB", "TB"};
    const struct machine_curve *c = &p->latency[0];
    double low = (double)c->figures[0]->bytes, high = (double)c->figures[c->n - 1]->bytes;
    text_printf(out, "set logscale x 2\nset xrange [%.10g:%.10g]\nset xtics (", low / 1.2,
                high * 1.2);
    const char *between = "";
    for (int e = (int)ceil(log2(low)); e <= (int)floor(log2(high)); e++) {
        if (e % 4 != 0 || e >= 50)
            continue;
        text_printf(out, "%s'%d %s' %.17g", between, 1 << e % 10, units[e / 10], exp2(e));
        between = ", ";
    }
    text_add(out, ")\n");
}

static void put_levels(struct text *out, const struct machine_plot *p)
{
    for (size_t i = 0; i < p->nlevels; i++)
        text_printf(out,
                    "set arrow from %.17g, graph 0 to %.17g, graph 1 nohead dashtype 2 linewidth "
                    "0.8 linecolor rgb '#707070'\n",
                    p->levels[i].bytes, p->levels[i].bytes);
}

void machine_plot_script(struct text *out, const void *plot,
                         const struct gnuplot_terminal *terminal)
{
    const struct machine_plot *p = plot;
    gnuplot_begin_plot(out, terminal);
    text_add(out, "set lmargin 10\nset rmargin 5\nset multiplot layout 2,1\n");
    put_data(out, "latency", p->latency, p->nlatency, 1e9);
    put_data(out, "read", p->read, p->nread, 1e-9);
    put_sizes(out, p);
    put_levels(out, p);
    gnuplot_set_text(out, "title", p->machine->name);
    gnuplot_set_text(out, "ylabel", "latency, ns");
    text_add(out, "set key left top\nset logscale y\nset format y '%g'\n");
    put_curves(out, "latency", p->latency, p->nlatency);
    gnuplot_set_text(out, "title", "");
    gnuplot_set_text(out, "ylabel", "reading, GB/s");
    text_printf(
        out, "set key right top\nunset logscale y\nset yrange [0:*]\nset xlabel 'working set%s'\n",
        p->device ? "" : " of each core");
    put_curves(out, "read", p->read, p->nread);
    text_add(out, "unset multiplot\n");
}
