/* SPDX-License-Identifier: MIT */
/*
 * PUB programs. Linked only into programs that say `#pragma cll parallel PUB`, one build for each
 * MPI library, together with libpub, whose objects have no communicators of their own.
 *
 * A barrier, a reduction and a broadcast are collective operations of libpub: they end no superstep
 * and deliver no message, a process that waits in them still takes what comes for the program, and
 * in traces of supersteps they are time inside the library, no work. What is gathered travels in
 * libpub's communicator under a tag of its own. While it does, a process takes nothing else; but
 * all who gather have met in a reduction before, and then none of them waits for anybody else.
 *
 * libpub calls cll_pub_begin and cll_pub_end at the begin and the end of the parallel part.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "cll/driver.h"
#include "cll/mpi/member.h"
#include "cll/mpi/watch.h"
#include "pub/internal.h"

enum { TAG = 4, TAG_WATCH }; /* libpub has 1, 2 and 3 */

/* Called by libpub. */
void cll_pub_begin(void);
void cll_pub_end(void);

/* A machine that was reported on. libpub uses the memory of its objects again, so what identifies
   a machine for a later report is ours, up to the end of the parallel part. */
struct machine {
    struct machine *next;
    struct pub_object *object;
    uint64_t incarnation;
};
static struct machine *machines;

static int joined, wants_trace;

static struct machine *machine_of(struct pub_object *object)
{
    struct machine *machine = machines;
    while (machine && (machine->object != object || machine->incarnation != object->incarnation))
        machine = machine->next;
    if (machine)
        return machine;
    machine = malloc(sizeof *machine);
    if (!machine)
        pub_fail(object, "no memory to gather the samples");
    *machine = (struct machine){machines, object, object->incarnation};
    machines = machine;
    return machine;
}

/* ---- the driver */

static struct pub_object *object_of(void *machine)
{
    return ((struct machine *)machine)->object;
}

static unsigned size_of(void *machine)
{
    return (unsigned)object_of(machine)->size;
}

static unsigned rank_of(void *machine)
{
    return (unsigned)object_of(machine)->pid;
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
    struct pub_object *object = object_of(machine);
    t_bsp bsp = {object, object->incarnation};
    uint64_t result = value;
    bsp_allreduce(&bsp,
                  how == CLL_MINIMUM   ? minimum
                  : how == CLL_MAXIMUM ? maximum
                                       : sum,
                  &value, &result, 1, sizeof value);
    return result;
}

static void broadcast(void *machine, unsigned root, void *bytes, size_t size)
{
    struct pub_object *object = object_of(machine);
    t_bsp bsp = {object, object->incarnation};
    bsp_broadcast(&bsp, (int)root, bytes, size);
}

static int clamp(size_t size)
{
    return size > INT_MAX ? INT_MAX : (int)size;
}

static void send(void *machine, unsigned to, const void *bytes, size_t size)
{
    PMPI_Ssend(bytes, clamp(size), MPI_BYTE, object_of(machine)->first + (int)to, TAG, pub.comm);
}

static size_t receive(void *machine, unsigned from, void *bytes, size_t room)
{
    MPI_Status status;
    int got = 0;
    PMPI_Recv(bytes, clamp(room), MPI_BYTE, object_of(machine)->first + (int)from, TAG, pub.comm,
              &status);
    PMPI_Get_count(&status, MPI_BYTE, &got);
    return got > 0 ? (size_t)got : 0;
}

/* ---- waiting for all */

static struct cll_watch watch;

static void list_processes(const void *machine, int *ranks)
{
    const struct pub_object *object = machine;
    for (int i = 0; i < object->size; i++)
        ranks[i] = object->first + i;
}

static void watch_idly(void)
{
    cll_watch_poll(&watch);
}

static void wait_for_all(struct pub_object *object, enum cll_arrival place)
{
    watch = (struct cll_watch){.place = place,
                               .machine = object,
                               .list = list_processes,
                               .n = object->size,
                               .me = object->pid};
    pub.idle = cll_driver_patience() > 0 ? watch_idly : NULL;
    pub_barrier(object);
    pub.idle = NULL;
    cll_watch_done(&watch);
}

/* Simulated time does not pass for it. */
static void arrive(void *machine, enum cll_arrival place)
{
    if (!cll_driver_simulated())
        wait_for_all(object_of(machine), place);
}

CLL_API const struct cll_driver cll_pub_driver = {.name = "PUB",
                                                  .size = size_of,
                                                  .rank = rank_of,
                                                  .reduce = reduce,
                                                  .broadcast = broadcast,
                                                  .send = send,
                                                  .receive = receive,
                                                  .arrive = arrive};

/* ---- what translated programs call */

/* Between the begin and the end of the parallel part, with processes to talk to. */
static int is_running(void)
{
    return pub.running && joined;
}

/* The object of a machine; what is none ends the program, as in libpub. */
static struct pub_object *enter(const t_bsp *machine, const char *pragma)
{
    if (!machine)
        return pub.world;
    struct pub_object *object = pub_enter(machine, pragma);
    pub_leave();
    return object;
}

CLL_API double cll_pub_sync(const void *machine)
{
    if (!is_running())
        return 0;
    struct pub_object *object = enter(machine, "#pragma cll sync");
    pub.caller = "#pragma cll sync";
    wait_for_all(object, CLL_AT_SYNC);
    pub.caller = NULL;
    return object->size;
}

CLL_API double cll_pub_processors(const void *machine)
{
    const t_bsp *bsp = machine;
    if (!is_running())
        return 0;
    if (!bsp)
        return pub.world->size;
    return bsp->object && bsp->object->incarnation == bsp->incarnation ? bsp->object->size : 0;
}

CLL_API void cll_pub_report(const char *names, const void *machine)
{
    if (!is_running()) {
        cll_report(names);
        return;
    }
    struct pub_object *object = enter(machine, "#pragma cll report");
    pub.caller = "#pragma cll report";
    cll_driver_report(&cll_pub_driver, machine_of(object), names);
    pub.caller = NULL;
}

CLL_API void cll_pub_trace(void)
{
    wants_trace = 1;
}

/* ---- what libpub calls */

static void ask_for_trace(void)
{
    char file[PATH_MAX];
    const char *program = cll_driver_program();
    if (!wants_trace || !program || pub_trace_asked())
        return;
    snprintf(file, sizeof file, "%s.pub.trace", program);
    bsplib_trace(file);
}

CLL_API void cll_pub_begin(void)
{
    if (!cll_driver_possible())
        return;
    cll_mpi_join(cll_pub_driver.name, pub.comm);
    cll_watch_begin(pub.comm, TAG_WATCH);
    joined = 1;
    ask_for_trace();
}

CLL_API void cll_pub_end(void)
{
    if (!joined)
        return;
    cll_driver_finish(&cll_pub_driver, machine_of(pub.world));
    if (!cll_driver_simulated())
        cll_watch_end();
    joined = 0;
    while (machines) {
        struct machine *machine = machines;
        machines = machine->next;
        free(machine);
    }
}
