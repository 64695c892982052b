/* SPDX-License-Identifier: MIT */
/*
 * PUB programs, and BSPlib programs, whose library is built on libpub. Linked only into programs that
 * say `#pragma cll parallel PUB` or BSP, one build for each MPI library, together with libpub, whose
 * objects have no communicators of their own.
 *
 * A barrier, a reduction and a broadcast are collective operations of libpub: they end no superstep
 * and deliver no message, and in traces they are time inside the library, not work. A process that
 * waits in them still receives what arrives for the program. Gathered samples travel in libpub's
 * communicator under their own tag. Meanwhile a process receives nothing else. But all processes
 * that gather have met in a reduction before, and after it none waits for a process outside.
 *
 * This file uses only pub.h and pub_tool.h of libpub: it registers as a tool, and libpub calls it at
 * the begin and at the end of the parallel part.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "cll/driver.h"
#include "cll/mpi/member.h"
#include "cll/mpi/watch.h"

#include <pub_tool.h>

CLL_NOTE("driver PUB");

enum { TAG = PUB_TOOL_TAG, TAG_WATCH };

/* A machine that a report was about. libpub uses the memory of its objects again, so this struct
   identifies the machine for later reports, until the end of the parallel part. */
struct machine {
    struct machine *next;
    t_bsp bsp;
    struct pub_tool_place place;
};

static struct {
    int joined; /* libpub has called begin and not yet end */
    int wants_trace;
    struct machine *machines;
    struct cll_watch watch; /* of the barrier that this process is in */
} part;

static MPI_Comm communicator(void)
{
    return *(const MPI_Comm *)pub_tool_communicator();
}

static struct machine *machine_of(const t_bsp *bsp)
{
    struct machine *machine = part.machines;
    while (machine && !pub_tool_same(&machine->bsp, bsp))
        machine = machine->next;
    if (machine)
        return machine;
    machine = malloc(sizeof *machine);
    if (!machine)
        pub_tool_fail(bsp, "no memory to gather the samples");
    *machine = (struct machine){.next = part.machines, .bsp = *bsp};
    pub_tool_find(bsp, &machine->place);
    part.machines = machine;
    return machine;
}

/* ---- the driver */

static unsigned size_of(void *machine)
{
    return (unsigned)((struct machine *)machine)->place.size;
}

static unsigned rank_of(void *machine)
{
    return (unsigned)((struct machine *)machine)->place.pid;
}

/* The process of a processor. */
static int process_of(void *machine, unsigned processor)
{
    return ((struct machine *)machine)->place.first + (int)processor;
}

static void minimum(void *accumulated, const void *more, size_t count)
{
    uint64_t *a = accumulated;
    const uint64_t *b = more;
    (void)count;
    *a = *b < *a ? *b : *a;
}

static void maximum(void *accumulated, const void *more, size_t count)
{
    uint64_t *a = accumulated;
    const uint64_t *b = more;
    (void)count;
    *a = *b > *a ? *b : *a;
}

static void sum(void *accumulated, const void *more, size_t count)
{
    uint64_t *a = accumulated;
    (void)count;
    *a += *(const uint64_t *)more;
}

static uint64_t reduce(void *machine, enum cll_reduce how, uint64_t value)
{
    uint64_t result = value;
    bsp_allreduce(&((struct machine *)machine)->bsp,
                  how == CLL_MINIMUM   ? minimum
                  : how == CLL_MAXIMUM ? maximum
                                       : sum,
                  &value, &result, 1, sizeof value);
    return result;
}

static void broadcast(void *machine, unsigned root, void *bytes, size_t size)
{
    bsp_broadcast(&((struct machine *)machine)->bsp, (int)root, bytes, size);
}

static int clamp(size_t size)
{
    return size > INT_MAX ? INT_MAX : (int)size;
}

static void send(void *machine, unsigned to, const void *bytes, size_t size)
{
    PMPI_Ssend(bytes, clamp(size), MPI_BYTE, process_of(machine, to), TAG, communicator());
}

static void list_processes(const void *place, int *ranks)
{
    const struct pub_tool_place *p = place;
    for (int i = 0; i < p->size; i++)
        ranks[i] = p->first + i;
}

static size_t receive(void *machine, unsigned from, void *bytes, size_t room)
{
    const struct pub_tool_place *place = &((struct machine *)machine)->place;
    struct cll_watch watch = {
        .machine = place, .list = list_processes, .n = place->size, .me = place->pid};
    MPI_Status status;
    MPI_Request request;
    int got = 0, process = process_of(machine, from);
    if (cll_driver_simulated()) { /* a poll would take simulated time */
        PMPI_Recv(bytes, clamp(room), MPI_BYTE, process, TAG, communicator(), &status);
    } else {
        PMPI_Irecv(bytes, clamp(room), MPI_BYTE, process, TAG, communicator(), &request);
        cll_watch_message(&watch, (int)from, &request, &status);
    }
    PMPI_Get_count(&status, MPI_BYTE, &got);
    return got > 0 ? (size_t)got : 0;
}

/* ---- waiting for all */

static void watch_idly(void)
{
    cll_watch_poll(&part.watch);
}

static void wait_for_all(const t_bsp *bsp, const struct pub_tool_place *place,
                         enum cll_arrival where)
{
    part.watch = (struct cll_watch){.place = where,
                                    .machine = place,
                                    .list = list_processes,
                                    .n = place->size,
                                    .me = place->pid};
    pub_tool_barrier(bsp, cll_driver_simulated() ? NULL : watch_idly);
    cll_watch_done(&part.watch);
}

/* Not in a simulation: it would take simulated time. */
static void arrive(void *machine, enum cll_arrival where)
{
    struct machine *m = machine;
    if (!cll_driver_simulated())
        wait_for_all(&m->bsp, &m->place, where);
}

CLL_API const struct cll_driver cll_pub_driver = {.name = "PUB",
                                                  .size = size_of,
                                                  .rank = rank_of,
                                                  .reduce = reduce,
                                                  .broadcast = broadcast,
                                                  .send = send,
                                                  .receive = receive,
                                                  .arrive = arrive,
                                                  .chunk = cll_mpi_chunk};

/* ---- what translated programs call */

/* Is this between the begin and the end of the parallel part, and can the processes gather? */
static int is_running(void)
{
    return pub_tool_running() && part.joined;
}

/* The object of a machine; an invalid one ends the program, as in libpub. Until pub_tool_leave,
   messages name the pragma. */
static t_bsp enter(const t_bsp *machine, const char *pragma)
{
    t_bsp bsp = machine ? *machine : pub_tool_world();
    pub_tool_enter(&bsp, pragma);
    return bsp;
}

CLL_API double cll_pub_sync(const void *machine)
{
    struct pub_tool_place place = {0};
    if (!is_running())
        return 0;
    t_bsp bsp = enter(machine, "#pragma cll sync");
    pub_tool_find(&bsp, &place);
    wait_for_all(&bsp, &place, CLL_AT_SYNC);
    pub_tool_leave();
    return place.size;
}

CLL_API double cll_pub_processors(const void *machine)
{
    struct pub_tool_place place = {0};
    if (!is_running())
        return 0;
    t_bsp bsp = machine ? *(const t_bsp *)machine : pub_tool_world();
    return pub_tool_find(&bsp, &place) ? place.size : 0;
}

CLL_API void cll_pub_report(const char *names, const void *machine)
{
    if (!is_running()) {
        cll_report(names);
        return;
    }
    t_bsp bsp = enter(machine, "#pragma cll report");
    cll_driver_report(&cll_pub_driver, machine_of(&bsp), names);
    pub_tool_leave();
}

CLL_API void cll_pub_trace(void)
{
    part.wants_trace = 1;
}

/* ---- what libpub calls */

static void ask_for_trace(void)
{
    char file[PATH_MAX];
    const char *program = cll_driver_program();
    if (!part.wants_trace || !program || pub_tool_trace_named())
        return;
    snprintf(file, sizeof file, "%s.pub.trace", program);
    bsplib_trace(file);
}

static void begin(void)
{
    if (!cll_driver_possible())
        return;
    cll_mpi_join(pub_tool_driver(), communicator());
    cll_watch_begin(communicator(), TAG_WATCH);
    part.joined = 1;
    ask_for_trace();
}

static void end(void)
{
    if (!part.joined)
        return;
    t_bsp world = pub_tool_world();
    cll_driver_finish(&cll_pub_driver, machine_of(&world));
    if (!cll_driver_simulated())
        cll_watch_end();
    part.joined = 0;
    while (part.machines) {
        struct machine *machine = part.machines;
        part.machines = machine->next;
        free(machine);
    }
}

static const struct pub_tool tool = {.barrier = "#pragma cll sync", .begin = begin, .end = end};

__attribute__((constructor)) static void register_tool(void)
{
    pub_tool_register(&tool);
    cll_driver_take(&cll_pub_driver);
}
