/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which samples count, as text and as JSON (account.h). */
#include "llac/data/account.h"

#include <math.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "llac/json.h"
#include "llac/text.h"

/* "24 first executions (3 times slower, 20 with page faults)" */
static void add_first(struct text *t, size_t n, const char *which, double times, size_t faulted)
{
    if (!n)
        return;
    text_printf(t, "%zu %s execution%s (%.2g times slower", n, which, n == 1 ? "" : "s", times);
    if (faulted)
        text_printf(t, ", %zu with page faults", faulted);
    text_add(t, ")");
}

static void add_left_out(struct text *t, const struct points_account *a)
{
    if (!a->left_out && !a->first && !a->opening)
        return;
    text_printf(t, "left out of %zu samples: ", a->samples);
    if (a->left_out)
        text_printf(t, "%zu preempted%s", a->left_out, a->first || a->opening ? ", " : "");
    add_first(t, a->first, "first", a->first_times, a->first_faulted);
    text_add(t, a->first && a->opening ? ", " : "");
    add_first(t, a->opening, "opening", a->opening_times, a->first ? 0 : a->first_faulted);
    if (a->first || a->opening)
        text_printf(t, "; 'rounds all' keeps %s", a->left_out ? "first executions" : "them");
}

static void add_by_cpu(struct text *t, const struct points_account *a)
{
    if (a->by_cpu)
        text_printf(t, "used by their CPU time: %zu preempted sample%s, at %zu point%s no others",
                    a->by_cpu, a->by_cpu == 1 ? "" : "s", a->by_cpu_points,
                    a->by_cpu_points == 1 ? " that has" : "s that have");
}

/* Points without a later execution. */
static void add_first_only(struct text *t, const struct points_account *a)
{
    if (!a->first_only)
        return;
    text_printf(t, "at %zu point%s every sample is a first execution", a->first_only,
                a->first_only == 1 ? "" : "s");
    if (a->first_only_faulted)
        text_printf(t, " (with page faults at %zu)", a->first_only_faulted);
    text_add(t, ": execute each size twice or more in a run, so that llac can compare");
}

static void add_lone(struct text *t, const struct points_account *a)
{
    if (a->lone)
        text_printf(t, "left out: %zu point%s of one sample, which has no spread", a->lone,
                    a->lone == 1 ? "" : "s");
}

void text_account(FILE *out, const struct points_account *a, bool wrapped)
{
    static void (*const add[])(struct text * t, const struct points_account *a) = {
        add_left_out, add_by_cpu, add_first_only, add_lone};
    TEXT_LOCAL struct text t = text_new();
    for (size_t i = 0; i < sizeof add / sizeof *add; i++) {
        text_clear(&t);
        add[i](&t, a);
        if (t.n && wrapped)
            text_wrapped(out, "  ", "%s", t.s);
        else if (t.n)
            fprintf(out, "%s\n", t.s);
    }
}

void text_oversubscribed(FILE *out, const struct points_account *a)
{
    if (a->oversubscribed)
        fprintf(out,
                "  %zu of %zu samples come from runs with more processes or threads than cores\n",
                a->oversubscribed, a->samples);
}

/* "75th percentile", "32nd percentile", "99.6th percentile" */
static char *percentile(const struct points_ranks *r, double processors, char buffer[NUMBER_SIZE])
{
    static const char *const endings[] = {"th", "st", "nd", "rd"};
    double level = 100 * points_level(r, processors);
    if (level > 99.5) {
        snprintf(buffer, NUMBER_SIZE, "%.1fth percentile", level);
    } else {
        int n = (int)lround(level), last = n / 10 == 1 || n % 10 > 3 ? 0 : n % 10;
        snprintf(buffer, NUMBER_SIZE, "%d%s percentile", n, endings[last]);
    }
    return buffer;
}

void text_rank_values(FILE *out, const struct points *p)
{
    const struct points_ranks *r = &p->by_rank;
    char most[NUMBER_SIZE], least[NUMBER_SIZE];
    if (r->how == RANKS_UNITED)
        return;
    number_text(r->most, most);
    if (r->how == RANKS_ALIKE)
        fprintf(out, "  values: the %s of all ranks, which are alike\n",
                percentile(r, r->most, NUMBER_BUFFER));
    else
        fprintf(out, "  values: of the slowest rank, the %s at P=%s, the %s at P=%s\n",
                percentile(r, r->least, NUMBER_BUFFER), number_text(r->least, least),
                percentile(r, r->most, NUMBER_BUFFER), most);
    fprintf(out, "  of the time at P=%s a factor of %.3g is due to the slowest of all ranks\n",
            most, points_amplification(p, r->most));
}

void text_corrected(FILE *out, const struct points *p)
{
    if (p->corrected)
        fprintf(out, "  %zu point%s with few samples: the %s of few is corrected to that of many\n",
                p->corrected, p->corrected == 1 ? "" : "s", statistics[p->request->statistic].text);
}

void text_falls(FILE *out, const struct points *p)
{
    if (p->falls)
        text_wrapped(out, "  ", "%s falls where CLOCK grows: it is taken where CLOCK is at its %s",
                     p->request->observable, statistics[p->request->statistic].text);
}

json_t *json_account(const struct points_account *a)
{
    return json_make("{all:%zu watched:%zu preempted:%zu left_out:%zu by_cpu_time:%zu kept:%zu "
                     "first_executions:%zu opening_executions:%zu first_with_page_faults:%zu "
                     "points_of_first_only:%zu points_of_one_sample:%zu oversubscribed:%zu "
                     "first_times:%g opening_times:%g}",
                     a->samples, a->watched, a->preempted, a->left_out, a->by_cpu, a->kept,
                     a->first, a->opening, a->first_faulted, a->first_only, a->lone,
                     a->oversubscribed, a->first_times, a->opening_times);
}

json_t *json_rank_values(const struct points *p)
{
    const struct points_ranks *r = &p->by_rank;
    if (r->how == RANKS_UNITED)
        return json_null();
    return json_make("{of:%s level:%g independence:%g P:%g amplification:%g}",
                     r->how == RANKS_ALIKE ? "one" : "slowest", r->level, r->independence, r->most,
                     points_amplification(p, r->most));
}
