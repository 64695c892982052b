/* SPDX-License-Identifier: MIT */
/*
 * Objects. A group is an interval of the processes of its object, so its description needs no list.
 * All members compute its identity in the same way, without a message: from the identity of the
 * object, the number of children that the object has made, and the number of the group in the
 * partition. Objects that were given back keep their memory for the next ones.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

#define BUCKETS 256

static struct pub_object *live[BUCKETS];
static struct pub_object *spare;
static uint64_t incarnations;
static struct pub_object *last_found;

static uint64_t child_identity(const struct pub_object *parent, uint64_t number)
{
    return pub_mix(pub_mix(parent->identity + 0x9e3779b97f4a7c15u * parent->family.children) +
                   number + 1);
}

struct pub_object *pub_object_find(uint64_t identity)
{
    if (last_found && last_found->identity == identity && last_found->incarnation)
        return last_found;
    struct pub_object *object = live[identity % BUCKETS];
    while (object && object->identity != identity)
        object = object->chain;
    if (object)
        last_found = object;
    return object;
}

static struct pub_object *object_alloc(int size)
{
    struct pub_object *object = spare;
    if (object) {
        spare = object->chain;
    } else {
        object = calloc(1, sizeof *object);
        if (!object)
            pub_fail(NULL, "no memory for an object");
    }
    pub_outbox_make(&object->out, size);
    return object;
}

struct pub_object *pub_object_new(uint64_t identity, int first, int size)
{
    struct pub_object *object = object_alloc(size);
    object->identity = identity;
    object->incarnation = ++incarnations;
    object->step = 1;
    object->first = first;
    object->size = size;
    object->pid = pub.rank - first;
    object->oblivious = false;
    object->pieces = true;
    object->family = (struct pub_family){0};
    object->alike = (struct pub_alike){0};
    object->collectives = 0;
    object->endings = 0;
    object->chain = live[identity % BUCKETS];
    live[identity % BUCKETS] = object;
    pub_inbox_open(object);
    return object;
}

void pub_object_free(struct pub_object *object)
{
    struct pub_object **at = &live[object->identity % BUCKETS];
    while (*at != object)
        at = &(*at)->chain;
    *at = object->chain;
    pub_release_messages(object);
    pub_drma_release(object);
    object->incarnation = 0;
    object->chain = spare;
    spare = object;
}

static void object_destroy(struct pub_object *object)
{
    pub_outbox_free(&object->out);
    pub_drma_free(&object->drma);
    free(object->delivered.messages);
    free(object->trace.path);
    free(object);
}

void pub_objects_release(void)
{
    while (spare) {
        struct pub_object *object = spare;
        spare = object->chain;
        object_destroy(object);
    }
    last_found = NULL;
}

const char *pub_object_name(const struct pub_object *object)
{
    static char name[64];
    if (!object->family.parent)
        return " of the machine";
    if (object->family.is_copy)
        snprintf(name, sizeof name, " of a copy at depth %d", object->family.depth);
    else
        snprintf(name, sizeof name, " of group %d at depth %d", object->family.group,
                 object->family.depth);
    return name;
}

/* ---- what programs call */

struct pub_object *pub_object_valid(const t_bsp *bsp)
{
    if (!pub.running)
        pub_fail(NULL, pub.over ? "%s has been called" : "%s has not been called",
                 pub.over ? pub.layer->end : pub.layer->begin);
    if (!bsp || !bsp->object || bsp->object->incarnation != bsp->incarnation)
        pub_fail(NULL, "this object has been given back by bsp_done, or was never made");
    return bsp->object;
}

struct pub_object *pub_enter_slowly(const t_bsp *bsp)
{
    if (pub.tracing)
        pub_trace_enter();
    return pub_object_valid(bsp);
}

int bsp_nprocs(t_bsp *bsp)
{
    return pub_look(bsp, "bsp_nprocs")->size;
}

int bsp_pid(t_bsp *bsp)
{
    return pub_look(bsp, "bsp_pid")->pid;
}

int64_t bsp_superstep(t_bsp *bsp)
{
    return (int64_t)pub_look(bsp, "bsp_superstep")->step;
}

/* The group of this processor; checks the ends on the way. */
static int group_of(const struct pub_object *object, int groups, const int *ends)
{
    int begin = 0, mine = -1;
    if (groups < 1 || !ends)
        pub_fail(object, "%d groups: at least one group and a list of their ends are needed",
                 groups);
    for (int i = 0; i < groups; i++) {
        if (ends[i] < begin || ends[i] > object->size)
            pub_fail(object, "group %d ends before processor %d, which must be in %d .. %d", i,
                     ends[i], begin, object->size);
        if (object->pid >= begin && object->pid < ends[i])
            mine = i;
        begin = ends[i];
    }
    if (begin != object->size)
        pub_fail(object,
                 "the last group ends before processor %d: it must end with the object, before %d",
                 begin, object->size);
    return mine;
}

static void adopt(struct pub_object *parent, struct pub_object *child, t_bsp *bsp)
{
    child->family.parent = parent;
    child->family.elder = parent->family.youngest;
    child->family.depth = parent->family.depth + 1;
    parent->family.youngest = child;
    *bsp = (t_bsp){child, child->incarnation};
}

void bsp_partition(t_bsp *bsp, t_bsp *sub, int groups, const int *ends)
{
    struct pub_object *object = pub_enter(bsp, "bsp_partition");
    int group = group_of(object, groups, ends);
    if (object->family.partitions)
        pub_fail(object, "the groups of the last partition have not been given back by bsp_done");
    int first = group ? ends[group - 1] : 0;
    object->family.children++;
    struct pub_object *child = pub_object_new(child_identity(object, (uint64_t)group + 1),
                                              object->first + first, ends[group] - first);
    child->family.group = group;
    child->oblivious = object->oblivious;
    child->pieces = object->pieces;
    object->family.partitions++;
    adopt(object, child, sub);
    if (pub.tracing)
        pub_trace_row(child, PUB_TRACE_PARTITION, NULL, 0);
    pub_leave();
}

void bsp_dup(t_bsp *bsp, t_bsp *copy)
{
    struct pub_object *object = pub_enter(bsp, "bsp_dup");
    object->family.children++;
    struct pub_object *child =
        pub_object_new(child_identity(object, 0), object->first, object->size);
    child->family.is_copy = true;
    child->oblivious = object->oblivious;
    child->pieces = object->pieces;
    adopt(object, child, copy);
    if (pub.tracing)
        pub_trace_row(child, PUB_TRACE_DUP, NULL, 0);
    pub_leave();
}

static void nothing_left(const struct pub_object *object)
{
    const struct pub_inbox *inbox = &object->inbox;
    if (object->out.ntouched)
        pub_fail(
            object,
            "messages were sent in this superstep, the first to processor %d, and the superstep was not ended",
            object->out.touched[0]);
    if (inbox->came)
        pub_fail(object, "processor %d ends this superstep with bsp_sync, this one does not",
                 inbox->ended_by);
    if (inbox->count)
        pub_fail(object,
                 "a message of this superstep from processor %u has arrived and cannot be read",
                 inbox->packets->header.src);
    if (pub_collectives_open(object))
        pub_fail(object, "a collective operation has not been waited for");
}

void bsp_done(t_bsp *sub)
{
    struct pub_object *object = pub_enter(sub, "bsp_done");
    struct pub_object *parent = object->family.parent;
    if (!parent)
        pub_fail(object, "the object of all processors is ended by %s", pub.layer->end);
    if (object->family.youngest)
        pub_fail(object, "a group or copy made from this object has not been given back");
    if (parent->family.youngest != object)
        pub_fail(
            object,
            "groups and copies that were made from the same object later must be given back first");
    if (pub.checking)
        pub_check_done(object);
    nothing_left(object);
    if (pub.tracing)
        pub_trace_row(object, PUB_TRACE_DONE, NULL, 0);
    if (parent->out.unsent)
        pub_keep_messages(object, parent);
    parent->family.youngest = object->family.elder;
    if (!object->family.is_copy)
        parent->family.partitions--;
    pub_object_free(object);
    sub->object = NULL;
    pub_leave();
}
