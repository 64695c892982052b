/* SPDX-License-Identifier: MIT */
/*
 * MPI programs. Linked only into programs that say `#pragma cll parallel MPI`, one build for each
 * MPI library, because their types differ.
 *
 * The messages of the run-time travel in private duplicates of communicators. The duplicate of the
 * world is made in MPI_Init, which all processes call. The duplicate of another communicator is made
 * at its first sync or report, which all its processes call. It is an attribute of the communicator
 * and is freed with it. MPI_Finalize frees the others, in the order of making. That order is the
 * same in all processes, because making a duplicate waits for all its processes.
 *
 * All calls of MPI use the PMPI names, so tools that count the calls of the program do not see them.
 */
#include <mpi.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cll/driver.h"
#include "cll/mpi/hooks.h"
#include "cll/mpi/member.h"
#include "cll/mpi/watch.h"

CLL_NOTE("driver MPI");

enum { TAG = 1, TAG_WATCH, TAG_ARRIVE }; /* and a tag for each place where processes wait */

/* The duplicate of a communicator of the program. */
struct group {
    MPI_Comm private;
    struct group *next;
    int freed;
    int inter, size, me; /* size, me: not of an intercommunicator */
};

/* From MPI_Init to MPI_Finalize. */
static struct {
    struct group world; /* private: MPI_COMM_NULL before MPI_Init and after MPI_Finalize */
    struct group *groups, **last; /* of other communicators, in the order of making */
    int keyval;                   /* of the attribute that holds a group */
    int ended; /* MPI_Finalize: that of Fortran may call that of C, and both are wrapped */
} mpi = {.world.private = MPI_COMM_NULL, .last = &mpi.groups, .keyval = MPI_KEYVAL_INVALID};

static int is_running(void)
{
    __asm__ volatile("" : : "r"(&cll_mpi_wrapped)); /* links the wrappers */
    int initialised = 0, finalised = 0;
    if (!cll_driver_possible() || cll_driver_gives_way(&cll_mpi_driver))
        return 0;
    PMPI_Initialized(&initialised);
    PMPI_Finalized(&finalised);
    return initialised && !finalised;
}

/* ---- communicators */

static void group_free(struct group *group)
{
    if (group->freed) { /* by cll_mpi_at_finalize, which runs before MPI deletes attributes */
        free(group);
        return;
    }
    struct group **at = &mpi.groups;
    while (*at && *at != group)
        at = &(*at)->next;
    if (*at) {
        *at = group->next;
        if (mpi.last == &group->next)
            mpi.last = at;
    }
    PMPI_Comm_free(&group->private);
    free(group);
}

static int delete_attribute(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm;
    (void)key;
    (void)extra;
    group_free(value);
    return MPI_SUCCESS;
}

static _Noreturn void no_memory(MPI_Comm comm)
{
    cll_driver_say("no memory to synchronise: the program ends");
    PMPI_Abort(comm, 1);
    abort();
}

/* ---- waiting for all */

static void list_world(const void *comm, int *ranks)
{
    MPI_Group ours, all;
    int n;
    PMPI_Comm_group(*(const MPI_Comm *)comm, &ours);
    PMPI_Comm_group(mpi.world.private, &all);
    PMPI_Group_size(ours, &n);
    for (int i = 0; i < n; i++) {
        ranks[i] = MPI_PROC_NULL; /* of processes that were spawned elsewhere */
        PMPI_Group_translate_ranks(ours, 1, &i, all, &ranks[i]);
    }
    PMPI_Group_free(&ours);
    PMPI_Group_free(&all);
}

/* A barrier by dissemination: in round k each process tells the one 2^k after it that it has
   arrived, and with it all processes that it has heard of. MPI's own barriers send as many
   messages, but a process cannot watch while it waits in one. ranks: of the processes in comm;
   null: 0, 1, 2, ... */
static void disseminate(MPI_Comm comm, const int *ranks, struct cll_watch *watch)
{
    int n = watch->n, me = watch->me, tag = TAG_ARRIVE + (int)watch->place;
    for (int k = 1; k < n; k *= 2) {
        int to = (me + k) % n, from = (me - k + n) % n, done = 0;
        MPI_Request requests[2];
        MPI_Status statuses[2]; /* MPICH's header warns of MPI_STATUSES_IGNORE */
        PMPI_Irecv(NULL, 0, MPI_BYTE, ranks ? ranks[from] : from, tag, comm, &requests[0]);
        PMPI_Isend(NULL, 0, MPI_BYTE, ranks ? ranks[to] : to, tag, comm, &requests[1]);
        while (PMPI_Testall(2, requests, &done, statuses) == MPI_SUCCESS && !done)
            cll_watch_poll(watch);
    }
    cll_watch_done(watch);
}

static void wait_for_all(const struct group *group, enum cll_arrival place)
{
    struct cll_watch watch = {.place = place,
                              .machine = &group->private,
                              .list = list_world,
                              .n = group->size,
                              .me = group->me};
    if (group->inter || cll_driver_simulated())
        PMPI_Barrier(group->private);
    else
        disseminate(group->private, NULL, &watch);
}

/* Making a duplicate waits for all processes, too, and cannot be watched. So they meet before, by
   messages in the duplicate of the world. */
static void wait_before_first(const MPI_Comm *comm, const struct group *group)
{
    struct cll_watch watch = {.place = CLL_AT_FIRST,
                              .machine = comm,
                              .list = list_world,
                              .n = group->size,
                              .me = group->me};
    int *ranks = calloc((size_t)watch.n, sizeof *ranks), known = 1;
    if (!ranks)
        no_memory(*comm);
    list_world(comm, ranks);
    for (int i = 0; i < watch.n && known; i++)
        known = ranks[i] >= 0;
    if (known)
        disseminate(mpi.world.private, ranks, &watch);
    free(ranks);
}

static void measure(struct group *group, MPI_Comm comm)
{
    PMPI_Comm_test_inter(comm, &group->inter);
    PMPI_Comm_size(comm, &group->size);
    PMPI_Comm_rank(comm, &group->me);
}

static struct group *group_new(MPI_Comm comm)
{
    struct group *group = malloc(sizeof *group);
    if (!group)
        no_memory(comm);
    measure(group, comm);
    if (!group->inter && !cll_driver_simulated())
        wait_before_first(&comm, group);
    PMPI_Comm_dup(comm, &group->private);
    group->next = NULL;
    group->freed = 0;
    *mpi.last = group;
    mpi.last = &group->next;
    PMPI_Comm_set_attr(comm, mpi.keyval, group);
    return group;
}

/* Collective over all processes, once. */
static void join(void)
{
    PMPI_Comm_dup(MPI_COMM_WORLD, &mpi.world.private);
    measure(&mpi.world, mpi.world.private);
    cll_watch_begin(mpi.world.private, TAG_WATCH);
    PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &mpi.keyval, NULL);
    cll_mpi_join(cll_mpi_driver.name, mpi.world.private);
}

/* The group of a machine of the program; null if MPI does not run or there is no communicator. */
static struct group *group_of(const void *machine)
{
    struct group *group;
    int found = 0;
    if (mpi.world.private == MPI_COMM_NULL) {
        if (!is_running())
            return NULL;
        join(); /* MPI_Init was not seen; all processes come here */
    }
    MPI_Comm comm = machine ? *(const MPI_Comm *)machine : MPI_COMM_WORLD;
    if (comm == MPI_COMM_WORLD)
        return &mpi.world;
    if (comm == MPI_COMM_NULL)
        return NULL;
    PMPI_Comm_get_attr(comm, mpi.keyval, &group, &found);
    return found ? group : group_new(comm);
}

/* ---- the driver */

static MPI_Comm comm_of(void *machine)
{
    return ((struct group *)machine)->private;
}

static unsigned mpi_size(void *machine)
{
    int size = 1, remote = 0, inter = 0;
    PMPI_Comm_size(comm_of(machine), &size);
    PMPI_Comm_test_inter(comm_of(machine), &inter);
    if (inter)
        PMPI_Comm_remote_size(comm_of(machine), &remote);
    return (unsigned)(size + remote);
}

static unsigned mpi_rank(void *machine)
{
    int rank = 0;
    PMPI_Comm_rank(comm_of(machine), &rank);
    return (unsigned)rank;
}

static uint64_t mpi_reduce(void *machine, enum cll_reduce how, uint64_t value)
{
    MPI_Op op = how == CLL_MINIMUM ? MPI_MIN : how == CLL_MAXIMUM ? MPI_MAX : MPI_SUM;
    uint64_t result = value;
    PMPI_Allreduce(&value, &result, 1, MPI_UINT64_T, op, comm_of(machine));
    return result;
}

static int clamp(size_t size)
{
    return size > INT_MAX ? INT_MAX : (int)size;
}

static void mpi_broadcast(void *machine, unsigned root, void *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += (size_t)clamp(size - at))
        PMPI_Bcast((char *)bytes + at, clamp(size - at), MPI_BYTE, (int)root, comm_of(machine));
}

static void mpi_send(void *machine, unsigned to, const void *bytes, size_t size)
{
    PMPI_Ssend(bytes, clamp(size), MPI_BYTE, (int)to, TAG, comm_of(machine));
}

static size_t mpi_receive(void *machine, unsigned from, void *bytes, size_t room)
{
    const struct group *group = machine;
    struct cll_watch watch = {
        .machine = &group->private, .list = list_world, .n = group->size, .me = group->me};
    MPI_Status status;
    MPI_Request request;
    int got = 0;
    if (cll_driver_simulated()) { /* a poll would take simulated time */
        PMPI_Recv(bytes, clamp(room), MPI_BYTE, (int)from, TAG, group->private, &status);
    } else {
        PMPI_Irecv(bytes, clamp(room), MPI_BYTE, (int)from, TAG, group->private, &request);
        cll_watch_message(&watch, (int)from, &request, &status);
    }
    PMPI_Get_count(&status, MPI_BYTE, &got);
    return got > 0 ? (size_t)got : 0;
}

/* Not in a simulation: it would take simulated time. */
static void mpi_arrive(void *machine, enum cll_arrival place)
{
    if (!cll_driver_simulated())
        wait_for_all(machine, place);
}

CLL_API const struct cll_driver cll_mpi_driver = {.name = "MPI",
                                                  .size = mpi_size,
                                                  .rank = mpi_rank,
                                                  .reduce = mpi_reduce,
                                                  .broadcast = mpi_broadcast,
                                                  .send = mpi_send,
                                                  .receive = mpi_receive,
                                                  .arrive = mpi_arrive,
                                                  .chunk = cll_mpi_chunk};

/* ---- what translated programs call */

CLL_API double cll_mpi_sync(const void *machine)
{
    struct group *group = group_of(machine);
    if (!group)
        return 0;
    wait_for_all(group, CLL_AT_SYNC);
    return group->inter ? mpi_size(group) : (unsigned)group->size;
}

CLL_API double cll_mpi_processors(const void *machine)
{
    MPI_Comm comm = machine ? *(const MPI_Comm *)machine : MPI_COMM_WORLD;
    struct group given = {.private = comm};
    return comm != MPI_COMM_NULL && is_running() ? mpi_size(&given) : 0;
}

CLL_API void cll_mpi_report(const char *names, const void *machine)
{
    struct group *group = group_of(machine);
    int inter = 0;
    if (!group) {
        if (!is_running())
            cll_report(names);
        return;
    }
    PMPI_Comm_test_inter(group->private, &inter);
    if (inter)
        cll_driver_say("a report on an intercommunicator is not possible: nothing was written; "
                       "MPI_Finalize will write the samples");
    else
        cll_driver_report(&cll_mpi_driver, group, names);
}

/* ---- hooks of MPI_Init and MPI_Finalize */

void cll_mpi_at_init(void)
{
    if (mpi.world.private == MPI_COMM_NULL && !mpi.ended && is_running())
        join();
}

void cll_mpi_at_finalize(void)
{
    if (mpi.ended || !is_running())
        return;
    cll_mpi_at_init();
    mpi.ended = 1;
    cll_driver_finish(&cll_mpi_driver, &mpi.world);
    if (!cll_driver_simulated())
        cll_watch_end();
    while (mpi.groups) {
        struct group *first = mpi.groups;
        mpi.groups = first->next;
        PMPI_Comm_free(&first->private);
        first->freed = 1; /* it is still an attribute, which MPI may delete later */
    }
    PMPI_Comm_free_keyval(&mpi.keyval);
    PMPI_Comm_free(&mpi.world.private);
}
