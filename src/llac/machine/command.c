/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine: the files that cllprobe wrote, the folder of machines, and the machine in use. */
#include <string.h>

#include "base/number.h"
#include "llac/machine/output.h"
#include "llac/machine/picture.h"
#include "machine/store.h"
#include "llac/json.h"
#include "llac/commands.h"

/* ---- a list */

static void text_machine_line(FILE *out, const char *name, const struct machine *m, bool used,
                              const struct diag *why)
{
    if (!m) {
        fprintf(out, "  %-20s cannot be used: %s\n", name, diag_first(why, SEVERITY_ERROR));
        return;
    }
    fprintf(out, "  %-20s %s, %d core%s, %s %s%s%s\n", name, m->processor, m->cores,
            m->cores == 1 ? "" : "s", m->source ? "published" : "measured", m->date,
            m->quick ? " --quick" : "", used ? "   in use" : "");
}

static json_t *json_machine_line(const char *name, const struct machine *m, bool used,
                                 const struct diag *why)
{
    if (!m)
        return json_make("{name:%s error:%s}", name, diag_first(why, SEVERITY_ERROR));
    return json_make("{name:%s processor:%s cores:%d date:%s quick:%i in_use:%i}", name,
                     m->processor, m->cores, m->date, m->quick, used);
}

/* ---- two machines */

/* Called with each figure that both have. */
typedef void pair_function(void *user, const struct machine_figure *a,
                           const struct machine_figure *b);

static void each_pair(const struct machine *a, const struct machine *b, pair_function *f,
                      void *user)
{
    for (size_t i = 0; i < a->nsummary + a->nfigures; i++) {
        const struct machine_figure *x =
            i < a->nsummary ? &a->summary[i] : &a->figures[i - a->nsummary];
        const struct machine_figure *y =
            machine_find(b, x->family, x->name, x->bytes, x->cores, x->processes);
        if (y && y->has_bytes == x->has_bytes && strcmp(x->unit, y->unit) == 0)
            f(user, x, y);
    }
}

static bool overlap(const struct machine_figure *a, const struct machine_figure *b)
{
    return a->low <= b->high && b->low <= a->high;
}

static void place_text(const struct machine_figure *f, char *out, size_t size)
{
    size_t n = 0;
    out[0] = '\0';
    if (f->has_bytes)
        n = (size_t)snprintf(out, size, "%s", machine_size_text((double)f->bytes, NUMBER_BUFFER));
    if (f->cores && n < size)
        n += (size_t)snprintf(out + n, size - n, "%s%d core%s", n ? ", " : "", f->cores,
                              f->cores == 1 ? "" : "s");
    if (f->processes && n < size)
        snprintf(out + n, size - n, "%s%d process%s", n ? ", " : "", f->processes,
                 f->processes == 1 ? "" : "es");
}

static void text_pair(void *user, const struct machine_figure *a, const struct machine_figure *b)
{
    char place[96];
    if (a->has_bytes && (a->bytes & (a->bytes - 1)))
        return; /* only powers of two */
    place_text(a, place, sizeof place);
    fprintf(user, "  %-10s %-20s %-20s %10s %10s %-5s %8s%s\n", a->family, a->name, place,
            machine_value_text(a, NUMBER_BUFFER), machine_value_text(b, NUMBER_BUFFER),
            machine_scale(a->unit).shown,
            a->value > 0 ? number_digits(b->value / a->value, 3, NUMBER_BUFFER) : "",
            overlap(a, b) ? " =" : "");
}

static void count_pair(void *user, const struct machine_figure *a, const struct machine_figure *b)
{
    (void)a, (void)b;
    ++*(size_t *)user;
}

static void text_machine_comparison(FILE *out, const struct machine *a, const struct machine *b)
{
    size_t n = 0;
    each_pair(a, b, count_pair, &n);
    if (n == 0) {
        fprintf(out, "  %s and %s have no figure in common\n", a->name, b->name);
        return;
    }
    fprintf(out, "  %-10s %-20s %-20s %10.10s %10.10s %-5s %8s\n", "", "", "", a->name, b->name, "",
            "ratio");
    each_pair(a, b, text_pair, out);
    fputs("  =: the 95 % intervals overlap   *: not steady\n", out);
}

static void json_pair(void *user, const struct machine_figure *a, const struct machine_figure *b)
{
    json_t *o = json_machine_figure(a);
    for (size_t i = 0; i < 5; i++) {
        static const char *const own[] = {"value", "low", "high", "steady", "rounds"};
        json_object_del(o, own[i]);
    }
    json_put(o, "a:%g b:%g same:%i", a->value, b->value, overlap(a, b));
    json_array_append_new(user, o);
}

static json_t *json_machine_comparison(const struct machine *a, const struct machine *b)
{
    json_t *figures = json_array();
    each_pair(a, b, json_pair, figures);
    return json_make("{a:%s b:%s figures:%p}", a->name, b->name, figures);
}

/* ---- the commands */

/* A name in the folder of machines or a path; NULL with an error. */
static const char *read_name(struct cursor *c, const char *usage)
{
    char *name = cursor_path(c, NULL);
    if (!name || !*name)
        return diag_null(cursor_error_here(c, "a machine is missing: %s", usage));
    return name;
}

static int no_machine(struct cursor *c, const char *usage)
{
    return cursor_error_here(c, "no machine is in use; name one: %s, or machine use MACHINE",
                             usage);
}

static int show(struct session *s, struct cursor *c)
{
    const struct machine *m = s->now.machine;
    if (!cursor_done(c)) {
        const char *name = read_name(c, "machine show MACHINE");
        if (!name || cursor_finish(c))
            return -1;
        m = store_find(name, c->arena, c->diag);
        if (!m)
            return -1;
    }
    if (!m)
        return no_machine(c, "machine show MACHINE");
    if (s->json)
        json_print(s->out, "%p", json_machine(m, c->arena));
    else
        text_machine(s->out, m, c->arena);
    return 0;
}

static int add(struct session *s, struct cursor *c)
{
    const char *path = read_name(c, "machine add FILE");
    if (!path)
        return -1;
    bool replace = cursor_keyword(c, "replace");
    if (cursor_finish(c))
        return -1;
    const char *copy = store_add(path, replace, c->arena, c->diag);
    if (!copy)
        return -1;
    if (s->json)
        json_print(s->out, "{added:%s}", copy);
    else
        fprintf(s->out, "  added as %s\n", copy);
    return 0;
}

static int list(struct session *s, struct cursor *c)
{
    size_t n;
    if (cursor_finish(c))
        return -1;
    const char **names = store_names(c->arena, &n, c->diag);
    if (!names)
        return -1;
    json_auto_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        DIAG_LOCAL struct diag *why = diag_create();
        const struct machine *m = store_find(names[i], c->arena, why);
        bool used = m && s->now.machine && strcmp(s->now.machine->name, m->name) == 0;
        if (s->json)
            json_array_append_new(all, json_machine_line(names[i], m, used, why));
        else
            text_machine_line(s->out, names[i], m, used, why);
    }
    if (s->json)
        json_print(s->out, "{machines:%p}", json_incref(all));
    else if (n == 0)
        fputs("  there are no machines; cllprobe measures one, and 'machine add FILE' adds it\n",
              s->out);
    return 0;
}

static int use(struct session *s, struct cursor *c)
{
    const char *name = NULL;
    bool none = cursor_keyword(c, "none");
    if (!none && !(name = read_name(c, "machine use MACHINE, or machine use none")))
        return -1;
    if (cursor_finish(c) || session_use_machine(s, name, c->arena, c->diag))
        return -1;
    const struct machine *m = s->now.machine;
    if (s->json)
        json_print(s->out, "{in_use:%s}", m ? m->name : NULL);
    else
        fprintf(s->out, m ? "  %s is in use\n" : "  no machine is in use\n", m ? m->name : "");
    return 0;
}

static int compare(struct session *s, struct cursor *c)
{
    static const char usage[] = "machine compare MACHINE MACHINE";
    const char *one = read_name(c, usage), *other = one ? read_name(c, usage) : NULL;
    if (!other || cursor_finish(c))
        return -1;
    const struct machine *a = store_find(one, c->arena, c->diag);
    const struct machine *b = a ? store_find(other, c->arena, c->diag) : NULL;
    if (!b)
        return -1;
    if (s->json)
        json_print(s->out, "%p", json_machine_comparison(a, b));
    else
        text_machine_comparison(s->out, a, b);
    return 0;
}

static json_t *json_curves(const struct machine_curve *curves, size_t n)
{
    json_t *all = json_array();
    for (size_t i = 0; i < n; i++) {
        json_t *points = json_array();
        for (size_t k = 0; k < curves[i].n; k++) {
            const struct machine_figure *f = curves[i].figures[k];
            json_add(points, "[%g %g %g %g]", (double)f->bytes, f->value, f->low, f->high);
        }
        json_add(all, "{cores:%d points:%p}", curves[i].cores, points);
    }
    return all;
}

/* memory|gpu [MACHINE] [to FILE] */
static int plot(struct session *s, struct cursor *c)
{
    const struct machine *m = s->now.machine;
    const char *path = NULL;
    bool device = cursor_keyword(c, "gpu");
    if (!device && !cursor_keyword(c, "memory"))
        return cursor_error_here(
            c, "the word 'memory' or 'gpu' is expected here: machine plot memory");
    const char *usage = device ? "machine plot gpu MACHINE" : "machine plot memory MACHINE";
    bool to = cursor_keyword(c, "to");
    if (!to && !cursor_done(c)) {
        const char *name = read_name(c, usage);
        m = name ? store_find(name, c->arena, c->diag) : NULL;
        if (!m)
            return -1;
        to = cursor_keyword(c, "to");
    }
    if (to && !(path = cursor_path(c, NULL)))
        return cursor_error_here(c, "the name of a file is missing after 'to'");
    struct machine_plot p;
    if (cursor_finish(c))
        return -1;
    if (!m)
        return no_machine(c, usage);
    if (machine_plot_make(c->arena, m, device, c->diag, &p) ||
        ((path || !s->json) && gnuplot_draw(machine_plot_script, &p, path, c->diag)))
        return -1;
    if (s->json)
        json_print(s->out, "{machine:%s file:%s latency:%p read:%p}", m->name, path,
                   json_curves(p.latency, p.nlatency), json_curves(p.read, p.nread));
    return 0;
}

int command_machine(struct session *s, struct cursor *c)
{
    static const struct {
        const char *word;
        command_function *run;
    } words[] = {
        {"show", show}, {"add", add},         {"list", list},
        {"use", use},   {"compare", compare}, {"plot", plot},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cursor_keyword(c, words[i].word))
            return words[i].run(s, c);
    return cursor_error_here(c, "'machine' is followed by show, add, list, use, "
                                "compare or plot");
}
