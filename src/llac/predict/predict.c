/* SPDX-License-Identifier: GPL-3.0-or-later */
/* predict: the value of a model at other values of its variables. */
#include "llac/predict/predict.h"

#include <string.h>

#include "llac/arguments.h"
#include "llac/compose/command.h"
#include "llac/data/data.h"
#include "llac/fit/by.h"
#include "llac/json.h"
#include "llac/machine/elsewhere.h"
#include "llac/predict/advise.h"
#include "llac/predict/output.h"
#include "llac/text.h"
#include "llac/commands.h"

int predict_check_names(const struct cursor *c, const struct model *m,
                        const struct assignments *given)
{
    const struct definitions *let = &model_request(m)->let;
    for (size_t i = 0; i < given->n; i++) {
        if (!model_knows(m, given->names[i]))
            return cursor_error(
                c, given->spans[i], "%s",
                points_no_variable(c->arena, model_points(m), let, given->names[i]));
    }
    return 0;
}

/* Regimes never measured, each said once below the rows. */
struct notes {
    struct arena *arena;
    const char **list;
    size_t n, room;
};

static void note_regimes(struct notes *notes, const struct model *m, const struct prediction *p)
{
    size_t n;
    char **said = predict_regime_remarks(notes->arena, m, p, &n);
    for (size_t i = 0; i < n; i++)
        if (!text_is_in(notes->list, notes->n, said[i]))
            ARENA_ADD(notes->arena, notes->list, notes->n, &notes->room, said[i]);
}

static void print_prediction(struct session *s, const struct model *m, const struct prediction *p,
                             size_t row, size_t rows)
{
    if (rows == 1) {
        text_prediction(s->out, m, p);
        return;
    }
    if (row == 0)
        text_values(s->out, model_points(m)->request);
    if (row == 0)
        text_prediction_head(s->out, p);
    text_prediction_row(s->out, m, p);
}

/* Says what to measure if the data do not determine all constants of a prediction beyond them. */
static void say_what_to_measure(struct session *s, struct arena *a, const struct model *m,
                                struct place place)
{
    struct advise_request r = {.place = place, .most = 1};
    struct advice advice;
    bool advised = strcmp(model_points(m)->request->observable, "CLOCK") == 0 &&
                   model_advise(a, m, &r, NULL, &advice) == 0;
    text_advise_command(s->out, m, place, advised ? &advice : NULL);
}

int predict_rows(struct session *s, struct cursor *c, const struct model *m,
                 const struct assignments *given, json_t *list)
{
    double *values = arena_alloc(c->arena, given->n + 1, sizeof *values);
    ARENA_LOCAL struct arena *a = arena_create(); /* of one row: there may be many */
    struct notes notes = {.arena = c->arena};
    size_t vague =
        SIZE_MAX; /* the last row that depends on constants that the data do not determine */
    int status = 0;
    for (size_t r = 0; r < given->rows && status == 0 && !session_interrupt; r++) {
        struct prediction p;
        arguments_row(given, r, values);
        struct place place = {given->names, values, given->n};
        status = model_predict(a, m, &place, c->diag, &p);
        if (status == 0 && s->json) {
            json_array_append_new(list, json_prediction(m, &p));
        } else if (status == 0) {
            print_prediction(s, m, &p, r, given->rows);
            if ((p.nextrapolates || p.nbeyond) && (r == 0 || notes.n < 4 * p.place.n))
                note_regimes(&notes, m, &p);
            if (prediction_is_vague(m, &p))
                vague = r;
        }
        arena_reset(a);
    }
    for (size_t i = 0; i < notes.n && status == 0; i++)
        text_wrapped(s->out, "    ", "%s", notes.list[i]);
    if (vague != SIZE_MAX && status == 0 && !session_interrupt) {
        arguments_row(given, vague, values);
        say_what_to_measure(s, a, m, (struct place){given->names, values, given->n});
    }
    return session_interrupt ? -1 : status;
}

int command_predict(struct session *s, struct cursor *c)
{
    static const char *const options[] = {"on", "before", "where", NULL};
    const char *observable = NULL;
    struct assignments given = {.n = 0};
    struct span where;
    const char *name = cursor_experiment(c, &where);
    if (!name)
        return session_name_missing(s, c);
    if (read_observable(c, &observable) || read_assignments(c, options, &given))
        return -1;
    const struct compose_definition *d = session_definition(s, name);
    if (!d && read_where(s, c, options))
        return -1;
    if (d && observable)
        return cursor_error(c, where, "'%s' is a definition: it has no observable", name);
    if (d)
        return compose_predict_definition(s, c, d, &given);
    if (cursor_keyword(c, "before")) /* needs no data */
        return predict_before(s, c, name, where, &given);
    const struct fit_group *group = session_group(s, name, observable);
    if (group)
        return by_predict(s, c, group, where, &given);
    const struct experiment *e = session_experiment(s, c, name, where);
    struct model *m = e ? session_model(s, e->name, observable, c->diag) : NULL;
    if (!m || predict_check_names(c, m, &given))
        return -1;
    model_resample(m);
    if (cursor_keyword(c, "on"))
        return predict_on_machine(s, c, m, &given);
    json_auto_t *list = json_array();
    int status = predict_rows(s, c, m, &given, list);
    if (status == 0 && s->json)
        json_print(s->out, "%p",
                   given.rows > 1 ? json_incref(list) : json_incref(json_array_get(list, 0)));
    return status;
}
