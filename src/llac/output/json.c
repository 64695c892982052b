/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON. The first keys of fit, predict and table are fixed (docs/reference/llac.md); further ones
 * may be added after them. */
#include <math.h>
#include <string.h>

#include "base/printable.h"
#include "base/text.h"
#include "llac/output/output.h"

json_t *json_number(double x)
{
    if (!isfinite(x))
        return json_null();
    if (x == floor(x) && fabs(x) < 1e15)
        return json_integer((json_int_t)x);
    return json_real(x);
}

json_t *json_text(const char *s)
{
    json_t *j = json_string(s);
    if (j)
        return j;
    struct text t;
    text_init(&t);
    text_add_printable(&t, s, strlen(s));
    j = json_string(t.s);
    text_free(&t);
    return j;
}

/* Valid UTF-8 that is not printable, as JSON escapes it. */
static size_t put_escaped(FILE *out, const char *s)
{
    unsigned char first = (unsigned char)*s;
    size_t length = first < 0xe0 ? first < 0x80 ? 1 : 2 : first < 0xf0 ? 3 : 4;
    unsigned c = length == 1 ? first : first & (0x7fu >> length);
    for (size_t i = 1; i < length; i++)
        c = c << 6 | ((unsigned char)s[i] & 0x3fu);
    if (c >= 0x10000)
        fprintf(out, "\\u%04x\\u%04x", 0xd800 + ((c - 0x10000) >> 10),
                0xdc00 + ((c - 0x10000) & 0x3ff));
    else
        fprintf(out, "\\u%04x", c);
    return length;
}

void json_print(FILE *out, json_t *value)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17) | JSON_ENCODE_ANY);
    size_t n = text ? strlen(text) : 0;
    for (size_t i = 0; i < n;) {
        size_t length = printable_length(text + i, n - i);
        if (length)
            fwrite(text + i, 1, length, out);
        i += length ? length : put_escaped(out, text + i);
    }
    fputc('\n', out);
    mem_free(text);
    json_decref(value);
}

void json_set(json_t *object, const char *key, json_t *value)
{
    struct text t;
    text_init(&t);
    text_add_printable(&t, key, strlen(key));
    json_object_set_new(object, t.s, value);
    text_free(&t);
}

static const char *const form_names[] = {
    [BOUNDARY_STEP] = "step", [BOUNDARY_BEND] = "bend", [BOUNDARY_SMOOTH] = "smooth"};

json_t *json_where(const struct model_piece *p)
{
    json_t *where = json_array();
    for (size_t i = 0; i < p->nwhere; i++) {
        json_t *one = json_pack("{s:o, s:o, s:o}", "var", json_text(p->where[i].variable), "from",
                                json_number(p->where[i].from), "to", json_number(p->where[i].to));
        if (p->where[i].form != BOUNDARY_STEP)
            json_object_set_new(one, "form", json_string(form_names[p->where[i].form]));
        json_array_append_new(where, one);
    }
    return where;
}

static json_t *json_piece(const struct model_piece *p)
{
    return json_pack("{s:o, s:o, s:o, s:o}", "value", json_number(p->value), "low",
                     json_number(p->low), "high", json_number(p->high), "where", json_where(p));
}

static json_t *json_warnings(const struct warnings *w)
{
    json_t *list = json_array();
    for (size_t i = 0; i < w->n; i++)
        json_array_append_new(list, json_pack("{s:o, s:o, s:o}", "code", json_text(w->list[i].code),
                                              "text", json_text(w->list[i].text), "advice",
                                              json_text(w->list[i].advice)));
    return list;
}

/* Between which measured values constants change, where in between predictions change over, and
 * which of them. */
static json_t *json_boundaries(const struct model *m)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->structure.pieces->nboundaries; i++) {
        const struct boundary *boundary = &m->structure.pieces->boundaries[i];
        json_t *changing = json_array();
        for (size_t j = 0; j < m->nconstants; j++)
            if (m->structure.pieces->changing[i] >> j & 1)
                json_array_append_new(changing, json_text(m->constants[j].name));
        json_t *one = json_pack("{s:o, s:o, s:o, s:o, s:o}", "var",
                                json_text(m->points.names[boundary->variable]), "below",
                                json_number(boundary->below), "above", json_number(boundary->above),
                                "at", json_number(boundary->at), "constants", changing);
        json_object_set_new(one, "form", json_string(form_names[boundary->form]));
        if (boundary->form == BOUNDARY_SMOOTH)
            json_object_set_new(one, "sharpness", json_number(boundary->sharpness));
        json_array_append_new(list, one);
    }
    return list;
}

/* Values that take longer or less long than the others by a factor; null if there are none. */
static json_t *json_divisible(const struct model *m)
{
    const struct model_split *s = &m->split;
    if (!s->found)
        return json_null();
    struct arena *a = arena_create();
    double *values;
    size_t n = class_values(a, m, &s->class, &values);
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_number(values[i]));
    json_t *j = json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "var",
                          json_text(m->points.names[s->class.variable]), "class",
                          json_text(class_text(a, s)), "values", list, "factor",
                          json_number(s->factor), "low", json_number(s->low), "high",
                          json_number(s->high), "term", s->term ? json_text(s->term) : json_null(),
                          "term_mean_pct", s->term ? json_number(s->term_error) : json_null());
    arena_destroy(a);
    return j;
}

json_t *json_constants(const struct model *m)
{
    json_t *constants = json_array();
    for (size_t j = 0; j < m->nconstants; j++) {
        json_t *pieces = json_array();
        for (size_t i = 0; i < m->constants[j].npieces; i++)
            json_array_append_new(pieces, json_piece(&m->constants[j].pieces[i]));
        json_array_append_new(
            constants,
            json_pack("{s:o, s:o}", "name", json_text(m->constants[j].name), "pieces", pieces));
    }
    return constants;
}

json_t *json_account(const struct points_account *a)
{
    const struct {
        const char *name;
        size_t n;
    } counts[] = {{"all", a->samples},
                  {"watched", a->watched},
                  {"preempted", a->preempted},
                  {"left_out", a->left_out},
                  {"by_cpu_time", a->by_cpu},
                  {"kept", a->kept},
                  {"first_executions", a->first},
                  {"opening_executions", a->opening},
                  {"first_with_page_faults", a->first_faulted},
                  {"points_of_first_only", a->first_only},
                  {"oversubscribed", a->oversubscribed}};
    json_t *j = json_object();
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        json_object_set_new(j, counts[i].name, json_integer((json_int_t)counts[i].n));
    json_object_set_new(j, "first_times", json_number(a->first_times));
    json_object_set_new(j, "opening_times", json_number(a->opening_times));
    return j;
}

json_t *json_rank_values(const struct points *p)
{
    const struct points_ranks *r = &p->by_rank;
    if (r->how == RANKS_UNITED)
        return json_null();
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "of", r->how == RANKS_ALIKE ? "one" : "slowest",
                     "level", json_number(r->level), "independence", json_number(r->independence),
                     "P", json_number(r->most), "amplification",
                     json_number(points_amplification(p, r->most)));
}

/* The machine that the formula asks: null if it asks none. */
static json_t *json_machine_used(const struct model *m)
{
    const struct formula_machine *machine = m->formula.machine;
    return machine ? json_pack("{s:o, s:o}", "name", json_text(machine->name), "date",
                               json_text(machine->date))
                   : json_null();
}

/* null if the times of the runs are not known. */
static json_t *json_rounds(const struct model *m)
{
    const struct model_noise *n = &m->noise;
    if (!(n->runs_drift.dof > 0))
        return json_null();
    return json_pack("{s:I, s:o, s:o}", "number", (json_int_t)m->points.nruns, "seconds",
                     json_number(n->runs_span), "independent", json_number(n->runs_independent));
}

json_t *json_fit(const struct fit_state *state, const struct model *m)
{
    json_t *error = json_pack("{s:o, s:o, s:o}", "mean_pct", json_number(m->error.mean_pct),
                              "max_pct", json_number(m->error.max_pct), "loo_mean_pct",
                              json_number(m->error.loo_mean_pct));
    json_t *j = json_object();
    json_object_set_new(j, "experiment", json_text(state->experiment));
    json_object_set_new(j, "observable", json_text(state->observable));
    json_object_set_new(j, "constants", json_constants(m));
    json_object_set_new(j, "points", json_integer((json_int_t)m->points.n));
    json_object_set_new(j, "samples", json_integer((json_int_t)m->points.samples));
    json_object_set_new(j, "error", error);
    json_object_set_new(j, "warnings", json_warnings(&m->warnings));
    json_object_set_new(j, "schema", json_integer(1));
    json_object_set_new(j, "formula", json_text(state->formula_text));
    json_object_set_new(j, "statistic", json_text(statistics[m->request.points.statistic].name));
    json_object_set_new(j, "unit", json_text(points_unit(&m->request.points)));
    json_object_set_new(j, "relative_noise",
                        m->noise.dof > 0 ? json_number(m->noise.relative) : json_null());
    json_object_set_new(j, "degrees_of_freedom", json_number(m->noise.dof));
    json_object_set_new(j, "boundaries", json_boundaries(m));
    json_object_set_new(j, "run_noise",
                        m->noise.runs_dof > 0 ? json_number(m->noise.runs) : json_null());
    json_object_set_new(j, "noise_growth", json_number(m->noise.growth));
    json_object_set_new(j, "noise_growth_refused", json_number(m->noise.growth_refused));
    json_object_set_new(j, "rounds", json_rounds(m));
    json_object_set_new(j, "corrected_points", json_integer((json_int_t)m->points.corrected));
    json_object_set_new(j, "account", json_account(&m->points.account));
    json_object_set_new(j, "rank_values", json_rank_values(&m->points));
    json_object_set_new(j, "divisible", json_divisible(m));
    json_object_set_new(j, "machine", json_machine_used(m));
    return j;
}

/* All remarks about the place of a prediction. */
static json_t *json_remarks(const struct model *m, const struct prediction *p)
{
    struct arena *a = arena_create();
    json_t *list = json_array();
    size_t n;
    char **said = place_remarks(a, p, &n);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_text(said[i]));
    said = regime_remarks(a, m, p, &n);
    for (size_t i = 0; i < n; i++)
        json_array_append_new(list, json_text(said[i]));
    arena_destroy(a);
    return list;
}

json_t *json_place(struct place p)
{
    json_t *j = json_object();
    for (size_t i = 0; i < p.n; i++)
        json_set(j, p.names[i], json_number(p.values[i]));
    return j;
}

/* Where each variable that is outside the data leaves them. */
static json_t *json_extrapolations(const struct prediction *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < p->nextrapolates; i++) {
        const struct extrapolation *e = &p->extrapolates[i];
        json_array_append_new(list, json_pack("{s:o, s:o, s:o, s:o}", "var", json_text(e->variable),
                                              "times", json_number(e->times), "from",
                                              json_number(e->from), "left_out",
                                              json_number(e->left_out)));
    }
    return list;
}

/* The constants that the data do not determine and that the prediction depends on. */
static json_t *json_undetermined(const struct model *m, const struct prediction *p)
{
    json_t *list = json_array();
    for (size_t i = 0; i < m->alternatives.nundetermined && prediction_is_vague(m, p); i++)
        json_array_append_new(list, json_text(m->constants[m->alternatives.undetermined[i]].name));
    return list;
}

json_t *json_prediction(const struct model *m, const struct prediction *p)
{
    json_t *beyond = json_array(), *j = json_object();
    for (size_t i = 0; i < p->nextrapolates; i++)
        json_array_append_new(beyond, json_text(p->extrapolates[i].variable));
    json_object_set_new(j, "experiment", json_text(m->request.points.experiment->name));
    json_object_set_new(j, "at", json_place(p->place));
    json_object_set_new(j, "value", json_number(p->value));
    json_object_set_new(j, "low", json_number(p->low));
    json_object_set_new(j, "high", json_number(p->high));
    json_object_set_new(j, "single_low", json_number(p->single_low));
    json_object_set_new(j, "single_high", json_number(p->single_high));
    json_object_set_new(j, "statistic", json_text(statistics[m->request.points.statistic].name));
    json_object_set_new(j, "unit", json_text(points_unit(&m->request.points)));
    json_object_set_new(j, "extrapolates", beyond);
    json_object_set_new(j, "observable", json_text(m->request.points.observable));
    json_object_set_new(j, "remarks", json_remarks(m, p));
    json_object_set_new(j, "extrapolations", json_extrapolations(p));
    json_object_set_new(j, "amplification", json_number(p->amplification));
    json_object_set_new(j, "undetermined", json_undetermined(m, p));
    json_object_set_new(j, "machine", json_machine_used(m));
    return j;
}
