/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several machines: lines of a list, and two side by side. */
#include <string.h>

#include "llac/machine/output.h"
#include "llac/json.h"
#include "base/number.h"

/* ---- a list */

void text_machine_line(FILE *out, const char *name, const struct machine *m, bool used,
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

json_t *json_machine_line(const char *name, const struct machine *m, bool used,
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

void text_machine_comparison(FILE *out, const struct machine *a, const struct machine *b)
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

json_t *json_machine_comparison(const struct machine *a, const struct machine *b)
{
    json_t *figures = json_array();
    each_pair(a, b, json_pair, figures);
    return json_make("{a:%s b:%s figures:%p}", a->name, b->name, figures);
}
