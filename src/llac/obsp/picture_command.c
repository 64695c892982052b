/* SPDX-License-Identifier: GPL-3.0-or-later */
/* obsp ... picture: evaluates a second time and collects what gnuplot draws. */
#include "llac/obsp/picture_command.h"

#include <math.h>
#include <string.h>

#include "llac/obsp/picture.h"
#include "llac/arguments.h"
#include "llac/json.h"
#include "base/number.h"
#include "base/path.h"
#include "base/text.h"

enum {
    MOST_PROCESSORS = 64, /* with a row each */
    ROWS_OF_GROUPS = 32,  /* else */
    SLICES = 400,         /* of time */
    LONGEST_NAME = 32     /* bytes of the file's name in the title */
};

#define SHORTEST   1e-18 /* seconds that can be drawn */
#define LEAST_PART 1e-6  /* of the time up to the end that can be drawn */

/* ---- words */

static bool is_word(const struct cursor *c)
{
    static const char *const words[] = {"measured", "from", "until"};
    struct cursor ahead = *c;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (cursor_keyword(&ahead, words[i]))
            return true;
    return false;
}

int picture_read(struct cursor *c, struct picture_words *out)
{
    *out = (struct picture_words){.asked = true, .where = {c->at, c->at}};
    if (!cursor_done(c) && !is_word(c) && !(out->path = cursor_path(c, NULL)))
        return cursor_error_here(c, "the name of a file is expected here: picture FILE");
    if (out->path && gnuplot_check_name(out->path, c->diag))
        return -1;
    while (!cursor_done(c)) {
        if (cursor_keyword(c, "measured")) {
            out->measured = true;
        } else if (cursor_keyword(c, "from")) {
            if (read_time(c, "from", &out->from))
                return -1;
        } else if (cursor_keyword(c, "until")) {
            if (read_time(c, "until", &out->until))
                return -1;
        } else {
            return cursor_finish(c);
        }
    }
    out->where.end = c->at;
    return 0;
}

/* ---- what is drawn */

/* 1.25 ms */
static void add_time(struct text *out, const char *name, double seconds)
{
    static const char *const units[] = {"s", "ms", "\302\265s", "ns"};
    int thousands = 0;
    while (thousands < 3 && seconds > 0 && seconds < 0.9995) {
        seconds *= 1000;
        thousands++;
    }
    text_printf(out, "%s %s %s", name, number_digits(seconds, 4, NUMBER_BUFFER), units[thousands]);
}

static const char *title_of(struct arena *a, const struct picture_subject *subject)
{
    const struct obsp_result *r = subject->result;
    const char *name = path_base(subject->name);
    struct text t = text_new();
    text_addn(&t, name, strnlen(name, LONGEST_NAME));
    text_add(&t, strlen(name) > LONGEST_NAME ? "...: " : ": ");
    add_time(&t, "OBSP*", r->obsp);
    add_time(&t, ", BSP", r->bsp);
    if (!isnan(r->measured))
        add_time(&t, ", measured", r->measured);
    if (subject->request->skip)
        text_printf(&t, "; supersteps 1 to %zu as measured", subject->request->skip->supersteps);
    return text_keep(&t, a);
}

/* The time that is drawn. */
static int choose_time(struct cursor *c, const struct picture_words *words,
                       const struct obsp_result *r, struct picture_request *out)
{
    double end = words->measured && r->measured > r->obsp ? r->measured : r->obsp;
    out->begin = words->from;
    out->end = words->until > 0 && words->until < end ? words->until : end;
    if (!(end > SHORTEST))
        return cursor_error(
            c, words->where,
            "the supersteps take no time, so there is nothing to draw; give g and L");
    if (!isfinite(end))
        return cursor_error(c, words->where,
                            "the supersteps take more time than a number can hold; check g and L");
    if (out->begin >= end)
        return cursor_error(c, words->where, "nothing happens after 'from': the end is at %s s",
                            number_digits(end, 5, NUMBER_BUFFER));
    if (!(out->end - out->begin > LEAST_PART * out->end))
        return cursor_error(c, words->where,
                            "'until' must be later than 'from', by at least a millionth of it");
    return 0;
}

static void visit(void *user, const struct obsp_span *span)
{
    picture_add(user, span);
}

static int collect_model(struct cursor *c, const struct picture_subject *subject, struct picture *p)
{
    struct obsp_request request = *subject->request;
    struct obsp_source *source = subject->begin_again(subject->user);
    if (!source)
        return -1;
    request.visit = visit;
    request.superstep = NULL;
    request.skip_barrier_partners = p->group > 1; /* there are no arrows */
    request.user = p;
    picture_set_path(p, subject->result->path, subject->result->npath);
    return obsp_walk(c->arena, source, &request, subject->result, c->diag);
}

/* The parts of a line of a trace; as in the model, the computation includes other calls of the
 * library. The clocks of the processes are not synchronised: each begins at 0. */
static void add_measured(struct picture *p, int process, const struct obsp_event *e, double *begin)
{
    double work = e->work + e->calls, sum = work + e->wait + e->transfer;
    if (isnan(*begin))
        *begin = e->end - sum;
    double at = e->end - sum - *begin, computed = at + work, met = computed + e->wait;
    picture_add_measured(p, process, PICTURE_COMPUTES, at, computed);
    picture_add_measured(p, process, PICTURE_WAITS, computed, met);
    picture_add_measured(p, process, PICTURE_COMMUNICATES, met, met + e->transfer);
}

static int collect_measured(const struct picture_subject *subject, struct picture *p)
{
    struct obsp_source *source = subject->begin_again(subject->user);
    int status = source ? 0 : -1;
    for (int process = 0; status == 0 && process < source->processes; process++) {
        struct obsp_event event;
        double begin = NAN;
        while (!session_interrupt &&
               (status = source->next(source, process, &event) ? 0 : -1) == 0 &&
               event.kind != OBSP_END)
            add_measured(p, process, &event, &begin);
        if (session_interrupt)
            status = -1;
    }
    return status;
}

static struct picture *collect(struct cursor *c, const struct picture_words *words,
                               const struct picture_subject *subject,
                               const struct picture_request *request)
{
    struct picture *p = picture_create(c->arena, request);
    if (collect_model(c, subject, p) || (words->measured && collect_measured(subject, p)))
        return NULL;
    picture_finish(p);
    return p;
}

/* ---- the picture as data, for a page that draws it */

enum { TIME_DIGITS = 7 };

static json_t *text_of(struct text *t)
{
    json_t *s = json_string(t->s);
    text_free(t);
    return s;
}

static void add_seconds(struct text *t, double seconds)
{
    text_printf(t, " %.*g", TIME_DIGITS, seconds);
}

static json_t *stretches_text(const struct picture *p, enum picture_layer layer)
{
    struct text t = text_new();
    for (size_t i = 0; i < p->layers[layer].nstretches; i++) {
        const struct picture_stretch *s = &p->layers[layer].stretches[i];
        text_printf(&t, "%s%d %d", i ? " " : "", s->process / p->group, (int)s->activity);
        add_seconds(&t, s->begin);
        add_seconds(&t, s->end);
    }
    return text_of(&t);
}

static json_t *shares_text(const struct picture *p, enum picture_layer layer)
{
    struct text t = text_new();
    for (int row = 0; row < p->rows; row++)
        for (int slice = 0; slice < p->request.slices; slice++)
            for (enum picture_activity a = 0; a < PICTURE_ACTIVITIES; a++)
                text_printf(&t, "%s%.0f", t.n ? " " : "",
                            100 * picture_share(p, layer, row, slice, a));
    return text_of(&t);
}

static json_t *layer_of(const struct picture *p, enum picture_layer layer, const char *name)
{
    bool exact = p->group == 1 && picture_is_exact(p, layer);
    return json_make("{name:%s stretches:%p shares:%p}", name,
                     exact ? stretches_text(p, layer) : json_null(),
                     exact ? json_null() : shares_text(p, layer));
}

static json_t *arrows_text(const struct picture *p)
{
    struct text t = text_new();
    for (size_t i = 0; i < p->narrows && !p->too_many_arrows && p->group == 1; i++) {
        const struct picture_arrow *a = &p->arrows[i];
        if (isnan(a->sent))
            continue;
        text_printf(&t, "%s%d %d", t.n ? " " : "", a->from, a->to);
        add_seconds(&t, a->sent);
        add_seconds(&t, a->arrived);
    }
    return text_of(&t);
}

static json_t *path_text(const struct picture *p)
{
    struct text t = text_new();
    for (size_t i = 0; i < p->nlegs; i++) {
        text_printf(&t, "%s%d", i ? " " : "", p->legs[i].process / p->group);
        add_seconds(&t, p->legs[i].begin);
        add_seconds(&t, p->legs[i].end);
    }
    return text_of(&t);
}

/* {"title", "begin", "end" (seconds), "rows": [names], "layers": [...], "arrows", "path"}. A layer has "name" and
 * either "stretches", "ROW ACTIVITY BEGIN END ...", or "shares": for each row and slice the parts of the three
 * activities, in percent. Arrows are "FROM TO SENT ARRIVED ...", the path is "ROW BEGIN END ...". */
static json_t *json_picture_data(const struct picture *p)
{
    json_t *rows = json_array(), *layers = json_array();
    for (int row = 0; row < p->rows; row++) {
        char name[32];
        picture_row_name(p, row, name);
        json_add(rows, "%s", name);
    }
    json_array_append_new(layers, layer_of(p, PICTURE_MODEL, "OBSP*"));
    if (p->request.measured)
        json_array_append_new(layers, layer_of(p, PICTURE_MEASURED, "measured"));
    return json_make("{title:%s begin:%g end:%g slices:%d rows:%p layers:%p arrows:%p "
                     "path:%p}",
                     p->request.title, p->request.begin, p->request.end, p->request.slices, rows,
                     layers, arrows_text(p), path_text(p));
}

static json_t *json_picture(const struct picture *p, const char *path)
{
    json_t *rows = json_array();
    for (int row = 0; row < p->rows; row++) {
        int first = row * p->group, last = first + p->group - 1;
        double shares[PICTURE_ACTIVITIES];
        for (enum picture_activity a = 0; a < PICTURE_ACTIVITIES; a++)
            shares[a] = 100 * picture_total_share(p, PICTURE_MODEL, row, a);
        json_add(rows, "{first:%d last:%d computes_pct:%g communicates_pct:%g waits_pct:%g}", first,
                 last < p->request.processes ? last : p->request.processes - 1,
                 shares[PICTURE_COMPUTES], shares[PICTURE_COMMUNICATES], shares[PICTURE_WAITS]);
    }
    return json_make("{file:%s from:%g until:%g rows:%p}", path, p->request.begin, p->request.end,
                     rows);
}

int picture_draw(struct session *s, struct cursor *c, const struct picture_words *words,
                 const struct picture_subject *subject, json_t **json)
{
    const struct obsp_result *r = subject->result;
    struct picture_request request = {.processes = r->processes,
                                      .rows = r->processes <= MOST_PROCESSORS ? MOST_PROCESSORS
                                                                              : ROWS_OF_GROUPS,
                                      .slices = SLICES,
                                      .measured = words->measured};
    if (words->measured && isnan(r->measured))
        return cursor_error(c, words->where, "%s has no measured times; leave out 'measured'",
                            subject->name);
    if (choose_time(c, words, r, &request))
        return -1;
    request.title = title_of(c->arena, subject);
    const struct picture *p = collect(c, words, subject, &request);
    if (!p)
        return -1;
    if (words->data) {
        *json = json_picture_data(p);
        return 0;
    }
    if (gnuplot_draw(picture_script, p, words->path, c->diag))
        return -1;
    if (s->json)
        *json = json_picture(p, words->path);
    else
        fprintf(s->out, "  drawn into %s\n", words->path);
    return 0;
}
