/* SPDX-License-Identifier: MIT */
/*
 * Begin and end of the parallel part.
 *
 * At the end each processor tells all others that it has called bsplib_done, so that a processor
 * that still waits for it reports an error instead of waiting forever. (On large machines only the
 * barrier tells.) Then all wait for each other and still receive packets. Then they compare the
 * numbers of packets, so that every packet has been received before the communicator is freed. A
 * packet that no processor asked for is an error.
 */
#define _GNU_SOURCE /* secure_getenv */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

#define TELL_ALL 64 /* on machines of up to this many processors each tells all others */

static const struct pub_layer itself = {
    .name = "pub", .begin = "bsplib_init", .end = "bsplib_done", .driver = "PUB"};

struct pub_state pub = {.comm = MPI_COMM_NULL, .layer = &itself};

static int *saved_argc;
static char ***saved_argv;
static bool *finished;
static int nfinished;

void bsplib_saveargs(int *argc, char ***argv)
{
    saved_argc = argc;
    saved_argv = argv;
}

static void start_mpi(void)
{
    int initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (finalised)
        pub_fail(NULL, "MPI_Finalize has been called: MPI cannot be started again");
    if (!initialised)
        MPI_Init(saved_argc, saved_argv);
    pub.own_mpi = !initialised;
}

static size_t setting(const char *name, size_t usual, size_t least, size_t most)
{
    const char *text = secure_getenv(name);
    char *end;
    if (!text || !*text)
        return usual;
    unsigned long long value = strtoull(text, &end, 10);
    if (*end || *text == '-' || value < least || value > most)
        pub_fail(NULL, "%s=%s: a number in %zu .. %zu is expected", name, text, least, most);
    return (size_t)value;
}

static uint64_t nanoseconds(const char *name, double usual)
{
    const char *text = secure_getenv(name);
    char *end = "";
    double seconds = text && *text ? strtod(text, &end) : usual;
    if (*end || !(seconds > 0 && seconds < 1e6))
        pub_fail(NULL, "%s=%s: a number of seconds is expected", name, text);
    return (uint64_t)(seconds * 1e9);
}

/* In kilobytes, as PUB_PIECES. 16 KB in pieces, which are copied twice, take no longer than one message that asks the
   receiver. 128 KB take longer, but a receiver that waits for its sender loses the time of a computation. */
enum { PIECES = 16, PIECES_OF_SENDER = 128, SHELF = 128, NOT_SET = (1 << 20) + 1 };

static void set_pieces(uint64_t kilobytes)
{
    uint64_t shelf = kilobytes;
    if (kilobytes == NOT_SET) {
        kilobytes = pub_sender_is_needed() ? PIECES_OF_SENDER : PIECES;
        shelf = SHELF;
    }
    pub.pieces = (size_t)kilobytes << 10;
    pub.shelf = (size_t)shelf << 10;
    if (pub.shelf)
        pub_shelves_begin();
}

static void settings(void)
{
    pub.capacity = PUB_EAGER;
    if (pub.capacity < (size_t)pub.size * 2 + 128)
        pub.capacity = pub_padded((size_t)pub.size * 2 + 128);
    pub.far_from = pub.capacity > 16384 ? pub.capacity : 16384;
    uint64_t first[] = {setting("PUB_BUFFER", 1024, 1, 1u << 30), setting("PUB_CHECK", 0, 0, 1),
                        setting("PUB_PIECES", NOT_SET, 0, NOT_SET - 1),
                        nanoseconds("PUB_CHECK_SECONDS", 1)};
    MPI_Bcast(first, 4, MPI_UINT64_T, 0, pub.comm); /* some launchers set it only in process 0 */
    pub.limit = (size_t)first[0] << 20;
    pub.checking = first[1] != 0;
    pub.patience = first[3];
    pub_host_begin();
    if (!pub_simulated())
        set_pieces(first[2]);
}

static void check_first(void)
{
    pub.call = pub.layer->begin;
    if (pub.over)
        pub_fail(NULL, "%s has been called: there is one parallel part", pub.layer->end);
    if (pub.running)
        pub_fail(NULL, "it has been called before");
}

/* MPI_Finalize begins: it would wait for processors that wait for this one. */
static int finalizing(MPI_Comm comm, int key, void *value, void *state)
{
    (void)comm, (void)key, (void)value, (void)state;
    pub.call = "MPI_Finalize";
    if (pub.running)
        pub_fail(pub.world, "%s has not been called", pub.layer->end);
    return MPI_SUCCESS;
}

static void notice_finalize(void)
{
    int key;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalizing, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
    MPI_Comm_free_keyval(&key);
}

static void begin(MPI_Comm processes, t_bsp *bsp)
{
    pub_clock_begin();
    MPI_Comm_dup(processes, &pub.comm);
    MPI_Comm_rank(pub.comm, &pub.rank);
    MPI_Comm_size(pub.comm, &pub.size);
    settings();
    finished = calloc((size_t)pub.size, sizeof *finished);
    if (!finished)
        pub_fail(NULL, "no memory");
    pub_transport_begin();
    pub_deadlock_begin();
    if (!pub_simulated())
        notice_finalize();
    pub.running = pub.plain = true;
    pub.world = pub_object_new(1, 0, pub.size);
    *bsp = (t_bsp){pub.world, pub.world->incarnation};
    pub_tool_begin();
    pub_trace_begin();
}

void bsplib_init(int parameters, t_bsp *bsp)
{
    (void)parameters;
    check_first();
    start_mpi();
    begin(MPI_COMM_WORLD, bsp);
}

void pub_layer_register(const struct pub_layer *layer)
{
    pub.layer = layer;
}

void pub_layer_begin(MPI_Comm processes, t_bsp *bsp)
{
    check_first();
    begin(processes, bsp);
}

/* ---- the end */

void pub_finish_came(struct pub_packet *packet)
{
    finished[packet->header.src] = true;
    nfinished++;
    pub_packet_free(packet);
}

bool pub_has_finished(const struct pub_object *object, int pid)
{
    return nfinished && finished[object->first + pid];
}

static void tell_all(void)
{
    struct pub_header header = {.kind = PUB_FINISH, .src = (uint32_t)pub.rank};
    for (int i = 1; pub.size <= TELL_ALL && i < pub.size; i++)
        pub_send_block((pub.rank + i) % pub.size, &header, pub_take(sizeof header));
}

/* All processors have arrived, and none sends any more. */
static void receive_the_rest(void)
{
    uint64_t mine = 0, *counts = malloc((size_t)pub.size * sizeof *counts);
    int *ones = malloc((size_t)pub.size * sizeof *ones);
    if (!counts || !ones)
        pub_fail(NULL, "no memory");
    for (int i = 0; i < pub.size; i++) {
        counts[i] = pub_packets_sent_to(i);
        ones[i] = 1;
    }
    MPI_Reduce_scatter(counts, &mine, ones, MPI_UINT64_T, MPI_SUM, pub.comm);
    free(counts);
    free(ones);
    while (pub_packets_received() < mine || pub_far_pending())
        pub_wait_event(NULL);
}

static void nothing_unread(const struct pub_object *world)
{
    const struct pub_inbox *inbox = &world->inbox;
    const struct pub_packet *packet = inbox->count ? inbox->packets : pub_stash_any();
    if (inbox->came)
        pub_fail(world, "processor %d ends this superstep with bsp_sync, this one does not",
                 inbox->ended_by);
    if (!packet)
        return;
    if (packet->header.kind == PUB_COLLECT)
        pub_fail(
            world,
            "processor %u of the object called a collective operation in which this one did not take "
            "part",
            packet->header.src);
    if (packet->header.object == world->identity)
        pub_fail(world,
                 "a message of superstep %llu from processor %u has arrived and cannot be read",
                 (unsigned long long)packet->header.step, packet->header.src);
    pub_fail(world,
             "a message for a group, from its processor %u in its superstep %llu, has arrived and "
             "cannot be read",
             packet->header.src, (unsigned long long)packet->header.step);
}

static void check_end(const struct pub_object *world)
{
    if (world->family.youngest)
        pub_fail(world, "a group or copy has not been given back by bsp_done");
    if (world->out.ntouched)
        pub_fail(
            world,
            "messages were sent in this superstep, the first to processor %d, and the superstep was not ended",
            world->out.touched[0]);
    if (pub_collectives_open(world))
        pub_fail(world, "a collective operation has not been waited for");
}

static void release(void)
{
    pub_object_free(pub.world);
    pub_transport_end();
    pub_shelves_end();
    pub_deadlock_end();
    pub_stash_release();
    pub_objects_release();
    pub_parameter_release();
    pub_memory_release();
    free(finished);
    finished = NULL;
    MPI_Comm_free(&pub.comm);
}

void bsplib_done(void)
{
    t_bsp world = {pub.world, pub.world ? pub.world->incarnation : 0};
    struct pub_object *object = pub_enter(&world, pub.layer->end);
    check_end(object);
    pub.ending = true;
    tell_all();
    if (pub.checking)
        pub_check_done(object);
    pub_barrier(object);
    pub_tool_end();
    pub.call = pub.layer->end;
    receive_the_rest();
    nothing_unread(object);
    pub_trace_end();
    release();
    pub.running = pub.plain = pub.ending = false;
    pub.over = true;
    pub.world = NULL;
    if (pub.own_mpi)
        MPI_Finalize();
}
