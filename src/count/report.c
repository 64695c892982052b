/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The JSON of the report. The instructions of each pattern are added to the lines of the constants that
 * the pattern follows, times the share of each constant; the others to the lines of `unexplained`.
 */
#include "count/report.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/sort.h"
#include "base/text.h"
#include "count/decode.h"
#include "count/follow.h"
#include "count/graph.h"
#include "count/page.h"
#include "count/thresholds.h"
#include "json/make.h"

/* ---- sums of classes ---- */

enum { WIDTHS = 4 };
static const unsigned widths[WIDTHS] = {64, 128, 256, 512};

/* Instructions of one mnemonic and class. A mnemonic can have several classes: mov of x86 loads, stores, or copies a register. */
struct named {
    const char *name;
    enum instruction_class class;
    double number;
};

struct tally {
    double instructions, classes[CLASSES], simd[WIDTHS], reads, writes, multiplies, flops;
    double set, copied; /* bytes */
    struct named *named;
    size_t nnamed, cnamed;
    bool used, inexact;
    unsigned step; /* that all its patterns have; 0: they differ, or have none */
};

static void tally_name(struct arena *a, struct tally *t, const char *name,
                       enum instruction_class class, double number)
{
    size_t i = 0;
    while (i < t->nnamed && (t->named[i].class != class || strcmp(t->named[i].name, name) != 0))
        i++;
    if (i == t->nnamed)
        ARENA_ADD(a, t->named, t->nnamed, &t->cnamed, (struct named){name, class, 0});
    t->named[i].number += number;
}

static void tally_add(struct arena *a, struct tally *t, const struct instruction *k, double share)
{
    t->set += share * k->set;
    t->copied += share * k->copied;
    if (k->set || k->copied)
        return;
    tally_name(a, t, *k->name ? k->name : "?", k->class, share);
    t->instructions += share;
    t->classes[k->class] += share;
    t->reads += k->reads ? share : 0;
    t->writes += k->writes ? share : 0;
    t->multiplies += k->multiplies ? share : 0;
    t->flops += share * k->flops;
    for (size_t i = 0; i < WIDTHS; i++)
        t->simd[i] += k->simd == widths[i] ? share : 0;
}

static void tally_pattern(struct tally *t, const struct count_pattern *p)
{
    t->step = !t->used || t->step == p->step ? p->step : 0;
    t->used = true;
    t->inexact |= p->kind == FOLLOW_ABOUT || p->average;
}

static void tally_merge(struct arena *a, struct tally *to, const struct tally *t)
{
    for (size_t i = 0; i < t->nnamed; i++)
        tally_name(a, to, t->named[i].name, t->named[i].class, t->named[i].number);
    to->set += t->set;
    to->copied += t->copied;
    to->instructions += t->instructions;
    for (size_t i = 0; i < CLASSES; i++)
        to->classes[i] += t->classes[i];
    for (size_t i = 0; i < WIDTHS; i++)
        to->simd[i] += t->simd[i];
    to->reads += t->reads;
    to->writes += t->writes;
    to->multiplies += t->multiplies;
    to->flops += t->flops;
    to->inexact |= t->inexact;
    to->used |= t->used;
}

/* Whole numbers as such; others without the noise of their last bits. */
static json_t *figure(double x)
{
    double rounded = round(x);
    if (fabs(x - rounded) <= COUNT_EXACT * fmax(1, fabs(x)) && fabs(x) < 1e15)
        return json_integer((json_int_t)rounded);
    char text[32];
    snprintf(text, sizeof text, "%.12g", x);
    return json_real(strtod(text, NULL));
}

/* {"add": {"integer": 2}, "str": {"store": 1}} */
static json_t *mnemonics_json(const struct tally *t)
{
    json_t *o = json_object();
    for (size_t i = 0; i < t->nnamed; i++) {
        const struct named *n = &t->named[i];
        json_t *of = json_object_get(o, n->name);
        if (fabs(n->number) <= COUNT_EXACT)
            continue;
        if (!of)
            json_object_set_new(o, n->name, of = json_object());
        json_object_set_new(of, classes_name(n->class), figure(n->number));
    }
    return o;
}

static json_t *classes_json(const struct tally *t)
{
    json_t *o = json_object(), *simd = json_object();
    for (size_t i = 0; i < CLASSES; i++)
        json_object_set_new(o, classes_name((enum instruction_class)i), figure(t->classes[i]));
    for (size_t i = 0; i < WIDTHS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%u", widths[i]);
        if (t->simd[i] != 0)
            json_object_set_new(simd, name, figure(t->simd[i]));
    }
    json_put(o, "simd:%p reads:%p writes:%p multiplies:%p flops:%p set:%p copied:%p mnemonics:%p",
             simd, figure(t->reads), figure(t->writes), figure(t->multiplies), figure(t->flops),
             figure(t->set), figure(t->copied), mnemonics_json(t));
    return o;
}

/* ---- lines ---- */

struct making {
    struct arena *arena, *scratch;
    const struct counts *counts;
    const struct count_sites *sites;
    const struct count_model *model;
};

/* A text that a file or the command line gave. */
static json_t *text_json(const char *s)
{
    return count_text(s, strlen(s));
}

static json_t *line_json(const struct count_site *s, const struct tally *t)
{
    return json_make("{file:%p function?:%p line:%zu instructions:%p classes:%p}",
                     text_json(s->file), s->function ? text_json(s->function) : NULL,
                     (size_t)s->line, figure(t->instructions), classes_json(t));
}

/* The lines of one constant, or of all patterns that follow nothing (term = nterms). */
static void collect(const struct making *k, size_t term, struct tally *at)
{
    const struct count_model *m = k->model;
    for (size_t i = 0; i < m->npatterns; i++) {
        const struct count_pattern *p = &m->patterns[i];
        double share = p->kind == FOLLOW_NOT ? 0 : p->share[term];
        if (fabs(share) <= COUNT_EXACT)
            continue;
        for (size_t n = 0; n < p->n; n++) {
            struct tally *t = &at[k->sites->of[p->instructions[n]]];
            tally_pattern(t, p);
            tally_add(k->scratch, t, &k->sites->instructions[p->instructions[n]], share);
        }
    }
}

/* Texts of the sums that the instructions of a line follow, each once. */
static json_t *follows_of(const struct making *k, size_t site, size_t term)
{
    const struct count_model *m = k->model;
    json_t *list = json_array();
    for (size_t i = 0; i < m->npatterns; i++) {
        const struct count_pattern *p = &m->patterns[i];
        bool here = false;
        if (p->kind == FOLLOW_NOT || fabs(p->share[term]) <= COUNT_EXACT)
            continue;
        for (size_t n = 0; n < p->n && !here; n++)
            here = k->sites->of[p->instructions[n]] == site;
        bool there = !here;
        for (size_t n = 0; n < json_array_size(list) && !there; n++)
            there = !strcmp(json_string_value(json_array_get(list, n)), p->follows);
        if (!there)
            json_add(list, "%s", p->follows);
    }
    return list;
}

static json_t *constant_json(const struct making *k, size_t term)
{
    const struct count_term *t = &k->model->terms[term];
    struct tally *at = arena_zalloc(k->scratch, k->sites->n + 1, sizeof *at), sum = {0};
    json_t *lines = json_array();
    collect(k, term, at);
    for (size_t i = 0; i < k->sites->n; i++) {
        if (!at[i].used)
            continue;
        json_t *line = line_json(&k->sites->list[i], &at[i]);
        json_put(line, "exact:%i step?:%zu follows:%p", !at[i].inexact, (size_t)at[i].step,
                 follows_of(k, i, term));
        json_array_append_new(lines, line);
        tally_merge(k->scratch, &sum, &at[i]);
    }
    return json_make("{name:%s term:%s instructions:%p exact:%i dependent?:%i classes:%p lines:%p}",
                     t->constant, t->text, figure(sum.instructions), !sum.inexact, t->dependent,
                     classes_json(&sum), lines);
}

/* ---- points ---- */

struct point_of {
    size_t first, executions;              /* the first row */
    double instructions, accesses, d1, ll; /* sums over the executions; of simulated caches */
};

/* The sum of an event of loads and of one of stores. */
static double events_at(const struct counts *c, const struct execution *e, const char *loads,
                        const char *stores)
{
    size_t x = counts_event(c, loads), y = counts_event(c, stores);
    return x < c->nevents && y < c->nevents ? e->totals[x] + e->totals[y] : NAN;
}

static bool same_place(const struct count_model *m, size_t x, size_t y)
{
    return count_model_same_point(m, x, y) && m->rows[x]->rank == m->rows[y]->rank &&
           m->rows[x]->thread == m->rows[y]->thread;
}

/* Rows of one process and thread with the same values. `of`: per row, its point. */
static struct point_of *points_of(const struct making *k, size_t *of, size_t *n)
{
    const struct count_model *m = k->model;
    struct point_of *list = arena_zalloc(k->arena, m->nrows, sizeof *list);
    *n = 0;
    for (size_t i = 0; i < m->nrows; i++) {
        size_t p = 0;
        while (p < *n && !same_place(m, list[p].first, i))
            p++;
        if (p == *n)
            list[(*n)++].first = i;
        list[p].executions++;
        list[p].instructions += count_sites_instructions(k->sites, m->rows[i]);
        list[p].accesses += events_at(k->counts, m->rows[i], "Dr", "Dw");
        list[p].d1 += events_at(k->counts, m->rows[i], "D1mr", "D1mw");
        list[p].ll += events_at(k->counts, m->rows[i], "DLmr", "DLmw");
        of[i] = p;
    }
    return list;
}

static json_t *point_json(const struct count_model *m, const struct point_of *p)
{
    json_t *values = json_object();
    double n = (double)p->executions;
    bool simulated = !isnan(p->accesses);
    for (size_t i = 0; i < m->nvariables; i++)
        if (strcmp(m->variables[i].name, "P") != 0 || m->variables[i].varies ||
            m->variables[i].at[p->first] != 1)
            json_object_set_new(values, m->variables[i].name, figure(m->variables[i].at[p->first]));
    json_t *o = json_make("{values:%p rank:%zu thread:%zu executions:%zu instructions:%p}", values,
                          (size_t)m->rows[p->first]->rank, (size_t)m->rows[p->first]->thread,
                          p->executions, figure(p->instructions / n));
    if (simulated)
        json_put(o, "accesses:%p misses:{D1:%p LL:%p}", figure(p->accesses / n), figure(p->d1 / n),
                 figure(p->ll / n));
    return o;
}

/* ---- what follows no term ---- */

struct leftover {
    struct tally tally;  /* means per execution */
    double *counts;      /* per point, means per execution */
    const char *missing; /* of the pattern with the most instructions */
    double most;
    bool later; /* executed in other executions than the first of a thread */
};

static double mean_of(const struct count_model *m, const struct count_pattern *p)
{
    double sum = 0;
    for (size_t i = 0; i < m->nrows; i++)
        sum += p->at[i];
    return sum / (double)m->nrows;
}

/* Is the row the first counted execution of the experiment in its thread? Rows are in this order. */
static bool is_first(const struct count_model *m, size_t row)
{
    return !row || m->rows[row]->pid != m->rows[row - 1]->pid ||
           m->rows[row]->thread != m->rows[row - 1]->thread;
}

static void collect_leftovers(const struct making *k, const size_t *point, size_t npoints,
                              struct leftover *at, const struct point_of *points)
{
    const struct count_model *m = k->model;
    for (size_t i = 0; i < m->npatterns; i++) {
        const struct count_pattern *p = &m->patterns[i];
        if (p->kind != FOLLOW_NOT)
            continue;
        double mean = mean_of(m, p);
        for (size_t n = 0; n < p->n; n++) {
            struct leftover *l = &at[k->sites->of[p->instructions[n]]];
            if (!l->counts)
                l->counts = arena_zalloc(k->scratch, npoints, sizeof *l->counts);
            l->tally.used = true;
            const struct instruction *what = &k->sites->instructions[p->instructions[n]];
            tally_add(k->scratch, &l->tally, what, mean);
            for (size_t r = 0; r < m->nrows; r++) {
                if (!what->set && !what->copied)
                    l->counts[point[r]] += p->at[r] / (double)points[point[r]].executions;
                l->later |= p->at[r] > 0 && !is_first(m, r);
            }
            if (p->missing && mean > l->most) {
                l->missing = p->missing;
                l->most = mean;
            }
        }
    }
}

static json_t *unexplained_json(const struct making *k, const size_t *point,
                                const struct point_of *points, size_t npoints)
{
    struct leftover *at = arena_zalloc(k->scratch, k->sites->n + 1, sizeof *at);
    json_t *list = json_array();
    collect_leftovers(k, point, npoints, at, points);
    for (size_t i = 0; i < k->sites->n; i++) {
        if (!at[i].tally.used)
            continue;
        json_t *line = line_json(&k->sites->list[i], &at[i].tally), *counts = json_array();
        for (size_t n = 0; n < npoints; n++)
            json_array_append_new(counts, figure(at[i].counts[n]));
        json_put(line, "counts:%p term?:%s first?:%i", counts, at[i].missing, !at[i].later);
        json_array_append_new(list, line);
    }
    return list;
}

/* ---- experiments ---- */

/* Patterns that hardly matter are not searched: waiting in libraries has thousands of them. */
static void follow_all(const struct making *k)
{
    struct count_model *m = (struct count_model *)k->model;
    double all = 0;
    for (size_t i = 0; i < m->nrows; i++)
        all += m->rows[i]->totals[0];
    for (size_t i = 0; i < m->npatterns; i++) {
        struct count_pattern *p = &m->patterns[i];
        double share = mean_of(m, p) * (double)m->nrows * (double)p->n / all;
        count_follow(k->arena, k->scratch, m, p, share >= COUNT_LEAST_SHARE);
    }
    arena_reset(k->scratch);
}

/* Whether the site belongs to an MPI library or to libpub. */
static bool is_communication(const struct count_site *s)
{
    static const char *const files[] = {"libmpi*", "libpub*", NULL};
    static const char *const functions[] = {"MPI_*", "PMPI_*", "pub_*", "bspstd_*", NULL};
    return s->function &&
           (classes_match_name(s->file, files) || classes_match_name(s->function, functions));
}

static bool communicates(const struct making *k)
{
    const struct count_model *m = k->model;
    for (size_t i = 0; i < m->npatterns; i++)
        for (size_t n = 0; n < m->patterns[i].n; n++)
            if (is_communication(&k->sites->list[k->sites->of[m->patterns[i].instructions[n]]]))
                return true;
    return false;
}

static json_t *experiment_json(const struct making *k)
{
    const struct count_model *m = k->model;
    json_t *variables = json_array(), *list = json_array(), *constants = json_array();
    size_t npoints, *point = arena_alloc(k->arena, m->nrows, sizeof *point);
    struct point_of *points = points_of(k, point, &npoints);
    follow_all(k);
    for (size_t i = 0; i < m->nvariables; i++)
        if (m->variables[i].varies || strcmp(m->variables[i].name, "P") != 0)
            json_array_append_new(variables, text_json(m->variables[i].name));
    for (size_t i = 0; i < npoints; i++)
        json_array_append_new(list, point_json(m, &points[i]));
    for (size_t i = 0; i < m->nterms; i++)
        json_array_append_new(constants, constant_json(k, i));
    json_t *graph = count_graph_json(k->arena, m, constants);
    return json_make("{name:%p formula:%p variables:%p communicates:%i points:%p constants:%p "
                     "graph?:%p unexplained:%p}",
                     text_json(m->experiment), text_json(m->formula), variables, communicates(k),
                     list, constants, graph, unexplained_json(k, point, points, npoints));
}

/* ---- executions ---- */

static int by_name(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

/* The functions of MPI that an execution called, each once, sorted: those of its interface, whatever the library calls itself. */
static json_t *calls_json(const struct making *k, const struct execution *e)
{
    const char **names = arena_alloc(k->scratch, e->n + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < e->n; i++) {
        const char *name = k->sites->list[k->sites->of[e->counts[i].instruction]].function;
        if (name && !strncmp(name, "PMPI_", 5))
            name++;
        if (name && !strncmp(name, "MPI_", 4) && !text_is_in(names, n, name))
            names[n++] = name;
    }
    sort_list(names, n, sizeof *names, by_name);
    json_t *list = json_texts(names, n);
    arena_reset(k->scratch);
    return list;
}

/* Of an execution of this process, the place in the list; SIZE_MAX if it was not counted. */
static size_t place_of(const struct counts *c, const struct execution *e)
{
    for (size_t i = (size_t)(e - c->executions); i-- > 0 && c->executions[i].pid == e->pid;)
        if (c->executions[i].number == e->inside)
            return i;
    return SIZE_MAX;
}

/* In the order of process, thread and begin. */
static json_t *executions_json(const struct making *k)
{
    const struct counts *c = k->counts;
    json_t *list = json_array();
    for (size_t i = 0; i < c->nexecutions; i++) {
        const struct execution *e = &c->executions[i];
        double bytes = 0;
        json_t *values = json_object();
        for (size_t v = 0; v < e->nvalues; v++)
            json_object_set_new(values, e->names[v], figure(e->values[v]));
        for (size_t n = 0; n < e->n; n++)
            if (c->instructions[e->counts[n].instruction].kind != COUNTED_INSTRUCTION)
                bytes += e->counts[n].count;
        json_t *one = json_make("{experiment:%p rank:%d thread:%d values:%p instructions:%p "
                                "bytes:%p calls:%p}",
                                text_json(e->experiment), (int)e->rank, (int)e->thread, values,
                                figure(count_sites_instructions(k->sites, e)), figure(bytes),
                                calls_json(k, e));
        size_t inside = e->inside == COUNTS_NOT_INSIDE ? SIZE_MAX : place_of(c, e);
        if (inside != SIZE_MAX)
            json_put(one, "inside:%zu", inside);
        json_array_append_new(list, one);
    }
    return list;
}

/* ---- the whole ---- */

/* The texts of the sources that lines name. */
static json_t *sources_json(const struct count_sites *s, struct diag *diag)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->n; i++) {
        MEM_LOCAL char *text = NULL;
        size_t size;
        if (s->list[i].function || (i && !strcmp(s->list[i].file, s->list[i - 1].file)))
            continue;
        int error = source_read(s->list[i].file, 1 << 24, &text, &size);
        if (error && error != ENOENT && error != ENOTDIR)
            diag_error(diag, "cannot read %s: %s", s->list[i].file, strerror(error));
        if (error)
            continue;
        json_t *content = json_stringn(text, size); /* NULL if it is not UTF-8 */
        if (content)
            json_add(list, "{file:%s text:%p}", s->list[i].file, content);
    }
    return list;
}

json_t *count_report_make(struct arena *a, const struct counts *counts,
                          const struct count_sites *sites, const struct dataset *data,
                          const struct count_about *about, struct diag *diag)
{
    ARENA_LOCAL struct arena *scratch = arena_create();
    struct making k = {.arena = a, .scratch = scratch, .counts = counts, .sites = sites};
    size_t errors = diag_count(diag, SEVERITY_ERROR);
    json_t *sources = sources_json(sites, diag), *experiments = json_array(), *cache = NULL;
    if (diag_count(diag, SEVERITY_ERROR) > errors) {
        json_decref(sources);
        json_decref(experiments);
        return NULL;
    }
    for (size_t i = 0; i < data->nexperiments; i++) {
        k.model = count_model_make(a, counts, data->experiments[i], diag);
        if (k.model)
            json_array_append_new(experiments, experiment_json(&k));
        arena_reset(k.scratch);
    }
    if (about->machine)
        cache = json_make("{machine:%s D1:%s LL:%s}", about->machine, about->d1, about->ll);
    return json_make("{sources:%p format:%d program:%p command:%p architecture:%s compiler:%p "
                     "flags:%p cache?:%p experiments:%p executions:%p}",
                     sources, 1, text_json(about->program), text_json(about->command),
                     k.sites->architecture, text_json(data->nfiles ? data->files[0].compiler : ""),
                     text_json(about->flags), cache, experiments, executions_json(&k));
}
