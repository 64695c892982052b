/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether points can be fitted, and why not (points.h). */
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "base/text.h"
#include "model/points.h"

static void report_no_points(const struct points *p, struct diag *diag)
{
    const struct experiment *e = p->request->experiment;
    const char *observable = p->request->observable;
    const char *reason = experiment_absent(p->request->dataset, e, observable);
    if (e->nrows == 0)
        diag_error(diag,
                   "%s has no samples: the region was never executed, or always left by longjmp or "
                   "exit, or the program was killed inside it",
                   e->name);
    else if (p->rows == 0)
        diag_error(diag,
                   "no sample of %s fulfils the condition; 'where all' removes those of the "
                   "command 'where'",
                   e->name);
    else if (p->account.lone)
        diag_error(diag,
                   "every point of %s has one sample, which has no %s: measure each of them twice "
                   "or more",
                   e->name, statistics[p->request->statistic].text);
    else if (reason)
        diag_error(diag, "none of the %zu samples of %s has a value of %s: %s", p->rows, e->name,
                   observable, reason);
    else
        diag_error(diag,
                   "none of the %zu samples of %s has a value of %s: counters are measured in "
                   "separate runs (CLL_COUNTERS=1), the clock in runs without them",
                   p->rows, e->name, observable);
}

/* Whether a point has another value than 0 by this statistic. */
static bool shows_something(const struct points *p, enum statistic s)
{
    bool shows = false;
    MEM_LOCAL double *copy = mem_alloc(p->first_kept[p->n] + 1, sizeof *copy);
    for (size_t i = 0; i < p->n && !shows; i++) {
        size_t n = p->first_kept[i + 1] - p->first_kept[i];
        memcpy(copy, p->kept + p->first_kept[i], n * sizeof *copy);
        shows = stats_point(s, copy, NULL, n).value != 0;
    }
    return shows;
}

/* The statistic of every point is 0: do the samples have other values, and what would show them? */
static void report_zeros(const struct points *p, struct diag *diag)
{
    const char *name = p->request->experiment->name;
    enum statistic now = p->request->statistic;
    size_t kept = p->first_kept[p->n], others = 0;
    for (size_t k = 0; k < kept; k++)
        others += p->kept[k] != 0;
    if (!others) {
        diag_error(diag, "every measured value of %s is 0", name);
        return;
    }
    if (statistics[now].is_spread) {
        diag_error(diag, "the %s of every point of %s is 0: the samples of a point are equal",
                   statistics[now].text, name);
        return;
    }
    static const enum statistic order[] = {STATISTIC_MEDIAN, STATISTIC_MEAN, STATISTIC_P10,
                                           STATISTIC_MIN};
    const char *better = NULL;
    for (size_t i = 0; i < sizeof order / sizeof *order && !better; i++)
        if (order[i] != now && shows_something(p, order[i]))
            better = statistics[order[i]].name;
    char part[64];
    if (kept == p->samples)
        snprintf(part, sizeof part, "%zu", others);
    else
        snprintf(part, sizeof part, "about %.2g %%", 100.0 * (double)others / (double)kept);
    diag_error(diag, "the %s of every point of %s is 0, but %s of its %zu samples are not%s%s%s",
               statistics[now].text, name, part, p->samples, better ? ": use 'statistic " : "",
               better ? better : "", better ? "'" : "");
}

/* The name of a file with such samples of the experiment; as it may be printed. */
static const char *file_with(struct arena *a, const struct points *p, bool simulated)
{
    const struct points_request *r = p->request;
    const struct experiment *e = r->experiment;
    for (size_t s = 0; s < e->nsegments; s++) {
        const struct data_file *f = &r->dataset->files[e->segments[s].file];
        if (data_file_is_simulated(f) == simulated) {
            struct text name = text_new();
            text_add_printable(&name, f->path, strlen(f->path));
            return text_keep(&name, a);
        }
    }
    return "";
}

/* Seconds of a simulated machine and of a real one do not belong into one fit, unless the user says
 * so. */
static int check_simulated(const struct points *p, struct diag *diag)
{
    const char *name = data_fact_names[FACT_SIMULATED];
    size_t simulated = 0, samples = 0;
    for (size_t i = 0; i < p->n; i++) {
        simulated += p->settings[i].simulated;
        samples += p->settings[i].samples;
    }
    if (simulated == 0 || simulated == samples || points_condition_uses(p->request, name))
        return 0;
    ARENA_LOCAL struct arena *a = arena_create();
    return diag_error(diag,
                      "%s has %zu simulated samples (%s) and %zu measured ones (%s), which "
                      "are not fitted together: choose with 'where %s == 1' or 'where %s == 0'",
                      p->request->experiment->name, simulated, file_with(a, p, true),
                      samples - simulated, file_with(a, p, false), name, name);
}

int points_check(const struct points *p, struct diag *diag)
{
    if (p->n == 0) {
        report_no_points(p, diag);
        return -1;
    }
    if (check_simulated(p, diag))
        return -1;
    for (size_t i = 0; i < p->n; i++)
        if (p->value[i] != 0)
            return 0;
    report_zeros(p, diag);
    return -1;
}
