/* SPDX-License-Identifier: MIT */
/* The interface for a measuring tool (pub_tool.h). libpub uses only the table that it registers. */
#include <pub_tool.h>

#include "pub/internal.h"

static const struct pub_tool *tool;

void pub_tool_register(const struct pub_tool *table)
{
    tool = table;
}

void pub_tool_begin(void)
{
    if (tool && tool->begin)
        tool->begin();
}

void pub_tool_end(void)
{
    if (tool && tool->end)
        tool->end();
}

const char *pub_tool_barrier_name(void)
{
    return tool ? tool->barrier : NULL;
}

int pub_tool_running(void)
{
    return pub.running;
}

t_bsp pub_tool_world(void)
{
    return (t_bsp){pub.world, pub.world->incarnation};
}

int pub_tool_find(const t_bsp *bsp, struct pub_tool_place *place)
{
    const struct pub_object *object = bsp->object;
    if (!object || object->incarnation != bsp->incarnation)
        return 0;
    *place = (struct pub_tool_place){object->first, object->size, object->pid};
    return 1;
}

int pub_tool_same(const t_bsp *a, const t_bsp *b)
{
    return a->object == b->object && a->incarnation == b->incarnation;
}

void pub_tool_enter(const t_bsp *bsp, const char *call)
{
    pub_enter(bsp, call);
    pub_leave();
    pub.caller = call;
}

void pub_tool_leave(void)
{
    pub.caller = NULL;
}

void pub_tool_barrier(const t_bsp *bsp, void (*idle)(void))
{
    pub.idle = idle;
    pub_barrier(bsp->object);
    pub.idle = NULL;
}

const void *pub_tool_communicator(void)
{
    return &pub.comm;
}

void pub_tool_fail(const t_bsp *bsp, const char *message)
{
    pub_fail(bsp ? bsp->object : NULL, "%s", message);
}

const char *pub_tool_driver(void)
{
    return pub.layer->driver;
}

int pub_tool_trace_named(void)
{
    return pub_trace_asked();
}
