/* SPDX-License-Identifier: MIT */
/*
 * Objects. A group is an interval of the processes of its object, so that its description needs no
 * list; its identity is computed from the object's identity, the how-manieth of its children it is
 * and its number in the partition, by all members alike and without a message. Objects that were
 * given back keep their memory for the next ones.
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
    return pub_mix(pub_mix(parent->identity + 0x9e3779b97f4a7c15u * parent->children) + number + 1);
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
    if (object->out_room < size) {
        free(object->out);
        free(object->touched);
        object->out = calloc((size_t)size, sizeof *object->out);
        object->touched = calloc((size_t)size, sizeof *object->touched);
        object->out_room = size;
        if (!object->out || !object->touched)
            pub_fail(NULL, "no memory for an object of %d processors", size);
    }
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
    object->parent = object->youngest = object->elder = NULL;
    object->is_copy = false;
    object->partitions = 0;
    object->children = object->collectives = 0;
    object->depth = object->group = 0;
    object->kinds = 0;
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
    free(object->out);
    free(object->touched);
    free(object->messages);
    free(object->slots);
    free(object->changes);
    free(object->wanted);
    free(object->path);
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
    if (!object->parent)
        return " of the machine";
    if (object->is_copy)
        snprintf(name, sizeof name, " of a copy at depth %d", object->depth);
    else
        snprintf(name, sizeof name, " of group %d at depth %d", object->group, object->depth);
    return name;
}

/* ---- what programs call */

struct pub_object *pub_enter_slowly(const t_bsp *bsp)
{
    if (pub.tracing)
        pub_trace_enter();
    if (!pub.running)
        pub_fail(NULL,
                 pub.over ? "bsplib_done has been called" : "bsplib_init has not been called");
    if (!bsp || !bsp->object || bsp->object->incarnation != bsp->incarnation)
        pub_fail(NULL, "this object has been given back by bsp_done, or was never made");
    return bsp->object;
}

int bsp_nprocs(t_bsp *bsp)
{
    int size = pub_enter(bsp, "bsp_nprocs")->size;
    pub_leave();
    return size;
}

int bsp_pid(t_bsp *bsp)
{
    int pid = pub_enter(bsp, "bsp_pid")->pid;
    pub_leave();
    return pid;
}

int64_t bsp_superstep(t_bsp *bsp)
{
    int64_t step = (int64_t)pub_enter(bsp, "bsp_superstep")->step;
    pub_leave();
    return step;
}

/* The group of this processor; checks the ends on the way. */
static int group_of(const struct pub_object *object, int groups, const int *ends)
{
    int begin = 0, mine = -1;
    if (groups < 1 || !ends)
        pub_fail(object, "%d groups: there must be one at least, and a list of their ends", groups);
    for (int i = 0; i < groups; i++) {
        if (ends[i] < begin || ends[i] > object->size)
            pub_fail(object, "group %d ends before processor %d: must be in %d .. %d", i, ends[i],
                     begin, object->size);
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
    child->parent = parent;
    child->elder = parent->youngest;
    child->depth = parent->depth + 1;
    parent->youngest = child;
    *bsp = (t_bsp){child, child->incarnation};
}

void bsp_partition(t_bsp *bsp, t_bsp *sub, int groups, const int *ends)
{
    struct pub_object *object = pub_enter(bsp, "bsp_partition");
    int group = group_of(object, groups, ends);
    if (object->partitions)
        pub_fail(object, "the groups of the last partition have not been given back by bsp_done");
    int first = group ? ends[group - 1] : 0;
    object->children++;
    struct pub_object *child = pub_object_new(child_identity(object, (uint64_t)group + 1),
                                              object->first + first, ends[group] - first);
    child->group = group;
    object->partitions++;
    adopt(object, child, sub);
    if (pub.tracing)
        pub_trace_row(child, PUB_TRACE_PARTITION, NULL, 0);
    pub_leave();
}

void bsp_dup(t_bsp *bsp, t_bsp *copy)
{
    struct pub_object *object = pub_enter(bsp, "bsp_dup");
    object->children++;
    struct pub_object *child =
        pub_object_new(child_identity(object, 0), object->first, object->size);
    child->is_copy = true;
    adopt(object, child, copy);
    if (pub.tracing)
        pub_trace_row(child, PUB_TRACE_DUP, NULL, 0);
    pub_leave();
}

static void nothing_left(const struct pub_object *object)
{
    const struct pub_inbox *inbox = &object->inbox;
    if (object->ntouched)
        pub_fail(
            object,
            "messages were sent in this superstep, the first to processor %d, and nothing ended it",
            object->touched[0]);
    if (inbox->came)
        pub_fail(object, "processor %d ends this superstep with bsp_sync, this one does not",
                 inbox->ended_by);
    if (inbox->count)
        pub_fail(object, "a message of this superstep came from processor %u: nobody can read it",
                 inbox->packets->header.src);
    if (pub_collectives_open(object))
        pub_fail(object, "a collective operation has not been waited for");
}

void bsp_done(t_bsp *sub)
{
    struct pub_object *object = pub_enter(sub, "bsp_done");
    struct pub_object *parent = object->parent;
    if (!parent)
        pub_fail(object, "the object of all processors is ended by bsplib_done");
    if (object->youngest)
        pub_fail(object, "a group or copy made from this object has not been given back");
    if (parent->youngest != object)
        pub_fail(object, "what was made from an object later must be given back first");
    if (pub.checking)
        pub_check_done(object);
    nothing_left(object);
    if (pub.tracing)
        pub_trace_row(object, PUB_TRACE_DONE, NULL, 0);
    if (parent->unsent)
        pub_keep_messages(object, parent);
    parent->youngest = object->elder;
    if (!object->is_copy)
        parent->partitions--;
    pub_object_free(object);
    sub->object = NULL;
    pub_leave();
}
