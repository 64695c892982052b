/* SPDX-License-Identifier: MIT */
/*
 * Calls that all processors of an object make alike in a superstep: bsp_push_reg, bsp_pop_reg, and a call of
 * the layer on top. Numbers of registrations mean the same memory on all processors only then.
 *
 * In a superstep with such calls the first round of bsp_sync carries what its sender did to the next
 * processor. If two processors differ, two neighbours do. A superstep without such calls sends nothing more.
 */
#include <stdio.h>

#include "pub/internal.h"

void pub_alike_push(struct pub_alike *alike)
{
    alike->pushes++;
    alike->registrations = pub_mix(alike->registrations + 1);
}

void pub_alike_pop(struct pub_alike *alike, uint64_t order)
{
    alike->pops++;
    alike->registrations = pub_mix(alike->registrations + 1 + order);
}

void pub_layer_alike(const t_bsp *bsp, uint64_t value)
{
    struct pub_alike *alike = &bsp->object->alike;
    alike->layers++;
    alike->value = value;
    alike->values = pub_mix(alike->values + 1 + pub_mix(value));
}

static const char *called(char text[32], uint32_t times)
{
    if (times > 1)
        snprintf(text, 32, "called %u times", times);
    return times > 1 ? text : times ? "called once" : "not called";
}

static void compare_counts(const struct pub_object *object, const char *call, uint32_t mine,
                           int from, uint32_t its)
{
    char here[32], there[32];
    if (mine != its)
        pub_fail(object,
                 "%s was %s in this superstep, and was %s on processor %d: all must call it alike",
                 call, called(here, mine), called(there, its), from);
}

void pub_alike_compare(const struct pub_object *object, int from, const struct pub_alike *sent)
{
    const struct pub_alike *mine = &object->alike, none = {0}, *its = sent ? sent : &none;
    compare_counts(object, "bsp_push_reg", mine->pushes, from, its->pushes);
    compare_counts(object, "bsp_pop_reg", mine->pops, from, its->pops);
    compare_counts(object, pub.layer->alike, mine->layers, from, its->layers);
    if (mine->registrations != its->registrations)
        pub_fail(
            object,
            "bsp_push_reg and bsp_pop_reg were called in another order than on processor %d, or "
            "other registrations were taken back: all must call them alike",
            from);
    if (mine->values != its->values)
        pub_fail(object,
                 "%s was called with other values than on processor %d, with %llu last, there with "
                 "%llu: all must call it alike",
                 pub.layer->alike, from, (unsigned long long)mine->value,
                 (unsigned long long)its->value);
}
