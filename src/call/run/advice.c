/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The last line of call run: the values are steady, or what the user can do. */
#include <math.h>

#include "base/text.h"
#include "call/run/run.h"

/* A smaller share of stolen time is not mentioned. */
#define STOLEN_SHARE 0.03

static const char *percent(struct arena *a, double part)
{
    return arena_printf(a, 100 * part < 9.95 ? "%.1f %%" : "%.0f %%", 100 * part);
}

/* Did other processes want the cores, too? */
static bool was_crowded(const struct run_data *d)
{
    return d->load > 0.5 && d->load + 1 > d->cores;
}

static const char *quieter_machine(const struct run *r)
{
    const struct run_data *d = &r->data;
    struct arena *a = r->arena;
    if (d->wanted > 0 && d->stolen > STOLEN_SHARE * d->wanted)
        return arena_printf(a,
                            "use a machine whose cores are not shared (others took %s of the time)",
                            percent(a, d->stolen / d->wanted));
    if (was_crowded(d))
        return arena_printf(a, "use a quieter machine (%.1f other processes on %.0f core%s)",
                            d->load, d->cores, d->cores == 1 ? "" : "s");
    return "use a quieter machine";
}

static bool fits_the_clock(const struct run_data *d)
{
    for (size_t i = 0; i < d->nexperiments; i++)
        if (d->experiments[i].wanted[TIME_CLOCK])
            return true;
    return false;
}

/* The CPU time of a thread does not go on while another process has the core. It may be known for
 * some of the points only. */
static const char *cpu_time(const struct run *r, const struct run_verdict *v)
{
    struct run_verdict cpu = run_judge_data(r, &r->data, JUDGE_CPU);
    bool known = cpu.points >= v->points;
    if (r->observe || !fits_the_clock(&r->data))
        return NULL;
    if (known && run_is_steady(&cpu, r->limits.until > 0))
        return "fit CPUTIME, which is steady (--observe CPUTIME)";
    return !known && was_crowded(&r->data) ? "measure CPUTIME (--observe CPUTIME)" : NULL;
}

static const char *what_helps(const struct run *r, const struct run_verdict *v)
{
    struct arena *a = r->arena;
    struct words p = {0};
    double part = r->limits.until > 0 ? v->worst_part : v->typical;
    double longer = limits_longer(&r->limits, r->seconds, part);
    const char *text = "";
    if (longer > 0)
        words_printf(a, &p, "measure longer (--time %s)", limits_duration(a, longer, true));
    if (v->worst_is_short)
        words_add(a, &p, "put more work into each region");
    const char *cpu = cpu_time(r, v);
    if (cpu)
        words_add(a, &p, cpu);
    words_add(a, &p, quieter_machine(r));
    for (size_t i = 0; i < p.n; i++)
        text = arena_printf(a, "%s%s%s", text,
                            i == 0         ? ""
                            : i + 1 == p.n ? ", or "
                                           : ", ",
                            p.list[i]);
    return text;
}

static const char *what_is_missing(const struct run *r, const struct run_verdict *v)
{
    if (!r->data.npoints)
        return "no time was measured";
    if (r->timed < 2)
        return "there was only one round; measure more (--time 30s)";
    if (v->single)
        return "no point was measured in two rounds; measure the same sizes in each round";
    return "all regions are shorter than five times the overhead of measuring; measure a loop over "
           "their code";
}

const char *advice_line(const struct run *r, const struct run_verdict *v)
{
    struct arena *a = r->arena;
    bool all = r->limits.until > 0;
    const char *when =
        arena_printf(a, "%s (%u rounds)", limits_duration(a, r->seconds, false), r->timed);
    if (!v->points)
        return arena_printf(a, "not known to be steady: %s", what_is_missing(r, v));
    if (run_is_steady(v, all))
        return arena_printf(a, "steady after %s: %s by at most %s", when,
                            all || v->points == 1 ? "every point varies"
                                                  : "nine of ten points vary",
                            percent(a, all ? v->worst_part : v->typical));
    return arena_printf(
        a, "not steady after %s: %zu of %zu point%s by more than %g %%, %s by %s; %s", when,
        v->unsteady, v->points,
        v->points == 1     ? " varies"
        : v->unsteady == 1 ? "s varies"
                           : "s vary",
        100 * limits_tolerance(&r->limits), v->worst, percent(a, v->worst_part), what_helps(r, v));
}
