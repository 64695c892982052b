/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Saved models for checks (see saved.h). */
#include "llac/check/saved.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "llac/json.h"

enum { MOST_POINTS = 1000, MOST_BYTES = 64 << 20, MOST_ELEMENTS = 100000 };

/* ---- writing ---- */

static json_t *json_value(const struct check_value *v)
{
    return json_make("{value:%g variance:%g of_runs:%g slow_chance:%g}", v->value, v->variance,
                     v->of_runs, v->chance);
}

static json_t *json_check_constants(const struct check_side *s)
{
    json_t *list = json_array();
    for (size_t i = 0; i < s->nconstants; i++) {
        json_t *pieces = json_array();
        for (size_t k = 0; k < s->constants[i].npieces; k++) {
            const struct check_piece *p = &s->constants[i].pieces[k];
            json_t *piece = json_value(&p->value);
            json_put(piece, "weight:%g where:%s", p->weight, p->where);
            json_array_append_new(pieces, piece);
        }
        json_add(list, "{name:%s pieces:%p}", s->constants[i].name, pieces);
    }
    return list;
}

/* All measured points; of more than MOST_POINTS every second, third... */
static struct place *places_of(struct arena *a, const struct model *m, size_t *n)
{
    const struct points *p = model_points(m);
    size_t step = p->n / MOST_POINTS + 1;
    struct place *list = arena_alloc(a, p->n / step + 2, sizeof *list);
    *n = 0;
    for (size_t i = p->n; i-- > 0;) /* the last point always */
        if ((p->n - 1 - i) % step == 0)
            list[(*n)++] = check_place_of(a, m, i);
    return list;
}

json_t *check_json_of_fit(struct fit_state *state)
{
    ARENA_LOCAL struct arena *a = arena_create();
    struct check_side side;
    size_t n;
    const struct place *places = places_of(a, state->model, &n);
    check_side_of_model(a, state->model, state->formula_text, places, n, &side);
    json_t *predictions = json_array();
    for (size_t i = 0; i < side.npredictions; i++) {
        if (side.predictions[i].why)
            continue;
        json_t *one = json_value(&side.predictions[i].value);
        json_put(one, "at:%p", json_place(side.predictions[i].place));
        json_array_append_new(predictions, one);
    }
    return json_make("{experiment:%s runs:%zu dof:%g runs_dof:%g exact:%i spread:%g "
                     "slow_times:%g constants:%p predictions:%p}",
                     side.experiment, side.runs, side.dof, side.runs_dof, side.exact,
                     side.machine.spread, side.machine.times, json_check_constants(&side),
                     predictions);
}

/* ---- reading ---- */

/* A number that files of earlier versions do not have. */
static double number_or(const json_t *object, const char *key, double otherwise)
{
    const json_t *x = json_object_get(object, key);
    return json_is_number(x) ? json_number_value(x) : otherwise;
}

struct reader {
    struct arena *arena;
    const char *path;
    struct diag *diag;
    bool failed;
};

static void complain(struct reader *r, const char *what)
{
    if (!r->failed)
        diag_error(r->diag,
                   "%s: %s: this is not a complete file of models; write it again with "
                   "'export FILE.json'",
                   r->path, what);
    r->failed = true;
}

static double read_number(struct reader *r, const json_t *object, const char *key, bool may_be_null)
{
    const json_t *x = json_object_get(object, key);
    if (json_is_number(x))
        return json_number_value(x);
    if (!may_be_null || !json_is_null(x))
        complain(r, arena_printf(r->arena, "the number '%s' is missing", key));
    return NAN;
}

static const char *read_text(struct reader *r, const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    if (text)
        return arena_strdup(r->arena, text);
    complain(r, arena_printf(r->arena, "the text '%s' is missing", key));
    return "";
}

static const json_t *read_list(struct reader *r, const json_t *object, const char *key)
{
    const json_t *list = json_object_get(object, key);
    if (json_is_array(list) && json_array_size(list) <= MOST_ELEMENTS)
        return list;
    complain(r, arena_printf(r->arena, "the list '%s' is missing or too long", key));
    return NULL;
}

static struct check_value read_value(struct reader *r, const json_t *object)
{
    struct check_value v = {
        read_number(r, object, "value", false), read_number(r, object, "variance", true),
        read_number(r, object, "of_runs", true), .chance = number_or(object, "slow_chance", 0)};
    if (isnan(v.of_runs))
        v.of_runs = 0;
    if (v.variance < 0 || v.of_runs < 0)
        complain(r, "a variance is negative");
    return v;
}

static void read_constants(struct reader *r, const json_t *check, struct check_side *out)
{
    const json_t *list = read_list(r, check, "constants");
    size_t n = json_array_size(list);
    struct check_constant *constants = arena_zalloc(r->arena, n + 1, sizeof *constants);
    for (size_t i = 0; i < n && !r->failed; i++) {
        const json_t *one = json_array_get(list, i), *pieces = read_list(r, one, "pieces");
        struct check_piece *to = arena_zalloc(r->arena, json_array_size(pieces) + 1, sizeof *to);
        constants[i].name = read_text(r, one, "name");
        constants[i].pieces = to;
        for (size_t k = 0; k < json_array_size(pieces) && !r->failed; k++) {
            const json_t *piece = json_array_get(pieces, k);
            to[k] = (struct check_piece){.value = read_value(r, piece),
                                         .weight = read_number(r, piece, "weight", false),
                                         .where = read_text(r, piece, "where")};
            constants[i].npieces++;
        }
    }
    out->constants = constants;
    out->nconstants = n;
}

static struct place read_place(struct reader *r, json_t *at)
{
    size_t n = json_object_size(at), i = 0;
    const char **names = arena_alloc(r->arena, n + 1, sizeof *names), *key;
    double *values = arena_alloc(r->arena, n + 1, sizeof *values);
    json_t *value;
    if (!json_is_object(at))
        complain(r, "the place 'at' of a prediction is missing");
    json_object_foreach(at, key, value)
    {
        names[i] = arena_strdup(r->arena, key);
        values[i++] = json_number_value(value);
    }
    return (struct place){names, values, i};
}

static void read_predictions(struct reader *r, const json_t *check, struct check_side *out)
{
    const json_t *list = read_list(r, check, "predictions");
    size_t n = json_array_size(list);
    struct check_prediction *to = arena_zalloc(r->arena, n + 1, sizeof *to);
    for (size_t i = 0; i < n && !r->failed; i++) {
        json_t *one = json_array_get(list, i);
        to[i] = (struct check_prediction){.place = read_place(r, json_object_get(one, "at")),
                                          .value = read_value(r, one)};
    }
    out->predictions = to;
    out->npredictions = r->failed ? 0 : n;
}

/* A model of a spread says nothing of times. */
static void refuse_spread(struct reader *r, const json_t *fit)
{
    const char *name = json_string_value(json_object_get(fit, "statistic"));
    for (int i = 0; i < STATISTIC_COUNT && name && !r->failed; i++)
        if (statistics[i].is_spread && strcmp(statistics[i].name, name) == 0) {
            diag_error(r->diag,
                       "%s: its models describe the %s of samples; check compares values that "
                       "executions have: write it again with another statistic, such as "
                       "'statistic p10'",
                       r->path, statistics[i].text);
            r->failed = true;
        }
}

static void read_side(struct reader *r, const json_t *fit, struct check_side *out)
{
    const json_t *check = json_object_get(fit, "check");
    refuse_spread(r, fit);
    if (!json_is_object(check)) {
        complain(r, "the member 'check' is missing");
        return;
    }
    double runs = read_number(r, check, "runs", false);
    *out =
        (struct check_side){.experiment = read_text(r, check, "experiment"),
                            .observable = read_text(r, fit, "observable"),
                            .unit = read_text(r, fit, "unit"),
                            .formula = read_text(r, fit, "formula"),
                            .dof = read_number(r, check, "dof", true),
                            .runs_dof = read_number(r, check, "runs_dof", true),
                            .runs = runs >= 1 && runs < 1e9 ? (size_t)runs : 1,
                            .exact = json_is_true(json_object_get(check, "exact")),
                            .machine = {.spread = number_or(check, "spread", 0),
                                        .times = number_or(check, "slow_times", CHECK_SLOW_TIMES)}};
    read_constants(r, check, out);
    read_predictions(r, check, out);
}

/* The JSON value in the file; NULL if it has none. */
static json_t *parse_file(const char *path)
{
    MEM_LOCAL char *text = NULL;
    size_t size;
    if (source_read(path, MOST_BYTES, &text, &size))
        return NULL;
    return json_loadb(text, size, 0, NULL);
}

int check_read_saved(struct arena *a, const char *path, struct diag *diag, struct saved_models *out,
                     bool *saved)
{
    struct reader r = {.arena = a, .path = path, .diag = diag};
    json_auto_t *root =
        text_ends_with(path, ".json") ? parse_file(path) : NULL; /* data may be long */
    size_t n = json_array_size(root);
    *saved = json_is_object(json_object_get(json_array_get(root, 0), "check"));
    out->sides = arena_zalloc(a, n + 1, sizeof *out->sides);
    out->n = 0;
    for (size_t i = 0; *saved && i < n && !r.failed; i++)
        read_side(&r, json_array_get(root, i), &out->sides[out->n++]);
    return r.failed ? -1 : 0;
}
