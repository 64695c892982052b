/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Marks that fit (marks.h). There are several sets of marks for each kind of axis, from many to few: every
 * power, every second, every third; steps of 1, 2, 5, 10, 20. The first set whose labels fit is taken.
 */
#include "llac/plot/marks.h"

#include <math.h>
#include <string.h>

const char *marks_label(const struct plot_axis *axis, double at, char label[NUMBER_SIZE])
{
    bool ten = axis->log && !axis->powers_of_two; /* 1e+06, but 1048576 and 1500000 */
    snprintf(label, NUMBER_SIZE, !ten && floor(at) == at && fabs(at) < 1e8 ? "%.0f" : "%g", at);
    return label;
}

static void add(struct marks *m, double at, double low, double high)
{
    if (at >= low && at <= high && m->n < MARKS_MOST)
        m->at[m->n++] = at;
}

/* Whether the labels leave a blank between them. A label may be half a character beside its place. */
static bool fits(const struct plot_axis *axis, const struct marks *m, double low, double high,
                 int room)
{
    double end = -INFINITY;
    for (size_t i = 0; i < m->n; i++) {
        char label[NUMBER_SIZE];
        double at = m->at[i], half = (double)strlen(marks_label(axis, at, label)) / 2;
        double part = axis->log ? log(at / low) / log(high / low) : (at - low) / (high - low);
        if (part * room - half < end + 2)
            return false;
        end = part * room + half;
    }
    return true;
}

/* Powers of the base, every `by`th of them; with `fine` also 2 and 5 times each. */
static struct marks powers(double base, double low, double high, int by, bool fine)
{
    struct marks m = {.n = 0};
    int first = (int)floor(log(low) / log(base)), last = (int)ceil(log(high) / log(base));
    for (int e = first; e <= last; e++) {
        double power = pow(base, e);
        if (((e % by) + by) % by == 0)
            add(&m, power, low, high);
        if (fine) {
            add(&m, 2 * power, low, high);
            add(&m, 5 * power, low, high);
        }
    }
    return m;
}

static struct marks choose_of_log(const struct plot_axis *axis, double low, double high, int room)
{
    bool two = axis->powers_of_two, fine = !two && axis->high < MARKS_WIDE * axis->low;
    struct marks m = powers(two ? 2 : 10, low, high, 1, fine);
    for (int by = 1; m.n > 1 && !fits(axis, &m, low, high, room); by++)
        m = powers(two ? 2 : 10, low, high, by, false);
    return m;
}

static struct marks choose_of_line(const struct plot_axis *axis, double low, double high, int room)
{
    static const double factors[] = {2, 2.5, 2}; /* 1, 2, 5, 10 */
    enum { FINEST = 10 };                        /* steps */
    struct marks m = {.n = 0};
    double step = pow(10, floor(log10((high - low) / FINEST)));
    for (size_t k = 0; k < 3 * FINEST; k++, step *= factors[(k - 1) % 3]) {
        m.n = 0;
        for (double i = ceil(low / step); i * step <= high && m.n < MARKS_MOST; i++)
            add(&m, i * step, low, high);
        if (fits(axis, &m, low, high, room))
            break;
    }
    return m;
}

struct marks marks_choose(const struct plot_axis *axis, double low, double high, int room)
{
    return axis->log ? choose_of_log(axis, low, high, room) : choose_of_line(axis, low, high, room);
}

void marks_put(struct text *out, const struct plot_axis *axis, double low, double high, int room)
{
    struct marks m = marks_choose(axis, low, high, room);
    text_add(out, "set xtics (");
    for (size_t i = 0; i < m.n; i++) {
        char label[NUMBER_SIZE];
        text_printf(out, "%s'%s' %.17g", i ? ", " : "", marks_label(axis, m.at[i], label), m.at[i]);
    }
    text_add(out, ")\n");
}
