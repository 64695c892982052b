/* SPDX-License-Identifier: MIT */
/*
 * pub_tool.h: the interface of libpub for a tool that measures BSP programs.
 *
 * A tool registers a table before bsplib_init, usually in a constructor:
 *
 *     static const struct pub_tool tool = {.barrier = "my_tool_wait", .begin = begin, .end = end};
 *     __attribute__((constructor)) static void start(void) { pub_tool_register(&tool); }
 *
 * libpub then calls it at the start and at the end of the parallel part. In between the tool may use
 * the calls below and the collective operations of pub.h. None of these ends a superstep, delivers a
 * message, or counts as work in a trace.
 *
 * All calls come from the thread that called bsplib_init. There is one tool in a program: a second
 * registration replaces the first.
 */
#ifndef PUB_TOOL_H
#define PUB_TOOL_H

#include <pub.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pub_tool {
    /* The name of the tool's barrier in messages: "#pragma cll sync". */
    const char *barrier;
    /* In bsplib_init, when messages can be sent and the trace has not begun. NULL: nothing. */
    void (*begin)(void);
    /* In bsplib_done, when all processors have called it and messages can still be sent. NULL:
       nothing. */
    void (*end)(void);
};

/* The table must exist until the program ends. NULL: removes the tool. */
void pub_tool_register(const struct pub_tool *tool);

/* ---- between begin and end ------------------------------------------------------------------- */

/* Is this between bsplib_init and the end of bsplib_done? The other calls below need it. */
int pub_tool_running(void);

/* Where an object is: its processor i is process first + i of the program, this one is pid. */
struct pub_tool_place {
    int first, size, pid;
};

/* The object of all processors. */
t_bsp pub_tool_world(void);
/* Fills in the place of an object; returns 0 if it was given back or is not an object. */
int pub_tool_find(const t_bsp *bsp, struct pub_tool_place *place);
/* Do two handles mean the same object? Not if the memory of an object that was given back is used
   for another one. */
int pub_tool_same(const t_bsp *a, const t_bsp *b);

/* Between the two, messages of libpub name `call` as the call of the program that is served.
   enter ends the program, with a message, if bsp is not an object. */
void pub_tool_enter(const t_bsp *bsp, const char *call);
void pub_tool_leave(void);

/* All processors of the object wait for each other. While this one waits, it calls `idle` repeatedly;
   NULL: it calls nothing. Collective. */
void pub_tool_barrier(const t_bsp *bsp, void (*idle)(void));

/* A pointer to libpub's private MPI_Comm, of all processes of the program. The tool may use the tags
   from PUB_TOOL_TAG on. It must receive all its messages before `end` returns. */
#define PUB_TOOL_TAG 4
const void *pub_tool_communicator(void);

/* Ends the program on all processors with this message. */
void pub_tool_fail(const t_bsp *bsp, const char *message) PUB_NORETURN;

/* What the program is written for: "PUB", or the name of a library on top of libpub, such as "BSP". */
const char *pub_tool_driver(void);

/* Has bsplib_trace been called with a file? */
int pub_tool_trace_named(void);

#ifdef __cplusplus
}
#endif

#endif
