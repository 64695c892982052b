/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "llac/obsp/picture_output.h"

#include <math.h>

#include "base/text.h"
#include "llac/json.h"

enum { TIME_DIGITS = 7 };

static json_t *text_of(struct text *t)
{
    json_t *s = json_string(t->s);
    text_free(t);
    return s;
}

static void add_time(struct text *t, double seconds)
{
    text_printf(t, " %.*g", TIME_DIGITS, seconds);
}

static json_t *stretches(const struct picture *p, enum picture_layer layer)
{
    struct text t = text_new();
    for (size_t i = 0; i < p->layers[layer].nstretches; i++) {
        const struct picture_stretch *s = &p->layers[layer].stretches[i];
        text_printf(&t, "%s%d %d", i ? " " : "", s->process / p->group, (int)s->activity);
        add_time(&t, s->begin);
        add_time(&t, s->end);
    }
    return text_of(&t);
}

static json_t *shares(const struct picture *p, enum picture_layer layer)
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
                     exact ? stretches(p, layer) : json_null(),
                     exact ? json_null() : shares(p, layer));
}

static json_t *arrows(const struct picture *p)
{
    struct text t = text_new();
    for (size_t i = 0; i < p->narrows && !p->too_many_arrows && p->group == 1; i++) {
        const struct picture_arrow *a = &p->arrows[i];
        if (isnan(a->sent))
            continue;
        text_printf(&t, "%s%d %d", t.n ? " " : "", a->from, a->to);
        add_time(&t, a->sent);
        add_time(&t, a->arrived);
    }
    return text_of(&t);
}

static json_t *path(const struct picture *p)
{
    struct text t = text_new();
    for (size_t i = 0; i < p->nlegs; i++) {
        text_printf(&t, "%s%d", i ? " " : "", p->legs[i].process / p->group);
        add_time(&t, p->legs[i].begin);
        add_time(&t, p->legs[i].end);
    }
    return text_of(&t);
}

json_t *json_picture_data(const struct picture *p)
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
                     layers, arrows(p), path(p));
}
