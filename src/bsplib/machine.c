/* SPDX-License-Identifier: MIT */
/*
 * Begin and end of the parallel part, and the ends of supersteps.
 *
 * All processes of the program are started together, by the launcher of MPI. If the program calls
 * bsp_init, process 0 returns from it and runs the code before the parallel part, while the others
 * call the function with the parallel part and wait in its bsp_begin. There process 0 tells them how
 * many processors take part; 0 means that it ended before. The first ones make a communicator, which
 * is libpub's machine. The others wait in MPI_Finalize until these have finished.
 *
 * A program that ends in the parallel part is an error: the others would wait for it. A handler at
 * exit finds this out. In a simulation the handlers run when the simulation is over, so there a
 * process is not missed before the simulator reports a deadlock.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bsplib/internal.h"

static const struct pub_layer layer = {.name = "bsp",
                                       .begin = "bsp_begin",
                                       .end = "bsp_end",
                                       .driver = "BSP",
                                       .alike = "bsp_set_tagsize"};

static struct {
    enum { BEFORE, INSIDE, AFTER } part;
    t_bsp machine;
    double began; /* seconds */
    void (*spmd)(void);
    int argc;
    char **argv;
    int available; /* processes; 0: MPI has not been started */
    bool own_mpi;
} state;

/* SimGrid ends a simulated process with a call of its own: exit would end all of them. */
void smpi_exit(int status) __attribute__((weak));

static void leave(int status) PUB_NORETURN;

static void leave(int status)
{
    if (smpi_exit)
        smpi_exit(status);
    exit(status);
}

t_bsp *bspstd_machine(const char *call)
{
    if (__builtin_expect(state.part != INSIDE, 0)) {
        pub_layer_register(&layer);
        pub_layer_fail(call, state.part == AFTER ? "bsp_end has been called"
                                                 : "bsp_begin has not been called");
    }
    return &state.machine;
}

/* ---- MPI */

static void at_exit(void);

static void start_mpi(void)
{
    int initialised = 0, finalised = 0;
    if (state.available)
        return;
    pub_layer_register(&layer);
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (finalised)
        pub_layer_fail(NULL, "MPI_Finalize has been called: MPI cannot be started again");
    if (!initialised)
        MPI_Init(state.argc ? &state.argc : NULL, state.argc ? &state.argv : NULL);
    state.own_mpi = !initialised;
    MPI_Comm_size(MPI_COMM_WORLD, &state.available);
    if (!smpi_exit)
        atexit(at_exit);
}

static void end_mpi(void)
{
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (state.own_mpi && !finalised)
        MPI_Finalize();
}

/* The number of processors on process 0, for all. */
static int agree(int maxprocs)
{
    int wanted = maxprocs;
    MPI_Bcast(&wanted, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return wanted;
}

static void at_exit(void)
{
    int finalised = 0, rank = 0;
    MPI_Finalized(&finalised);
    if (finalised)
        return;
    if (state.part == INSIDE)
        pub_layer_fail("bsp_end", "the program ends without this call");
    if (state.part == BEFORE && state.spmd) {
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (agree(0) > 0)
            pub_layer_fail("bsp_begin", "process %d ends without this call", rank);
    }
    end_mpi();
}

/* ---- begin and end */

void bspstd_init(void (*spmd)(void), int argc, char **argv)
{
    int rank;
    pub_layer_register(&layer);
    if (state.part != BEFORE)
        pub_layer_fail("bsp_init", "it must be called before bsp_begin");
    if (state.spmd)
        pub_layer_fail("bsp_init", "it has been called before: there is one parallel part");
    if (!spmd)
        pub_layer_fail("bsp_init", "the function with the parallel part is a null pointer");
    state.spmd = spmd;
    state.argc = argc;
    state.argv = argv;
    start_mpi();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        return;
    spmd();
    leave(EXIT_SUCCESS);
}

/* This process does not take part. */
static void stay_away(void) PUB_NORETURN;

static void stay_away(void)
{
    state.part = AFTER;
    end_mpi();
    leave(EXIT_SUCCESS);
}

/* The processors that take part; does not return on other processes. */
static MPI_Comm choose(int wanted)
{
    int rank;
    MPI_Comm chosen;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    bool takes_part = rank < wanted;
    MPI_Comm_split(MPI_COMM_WORLD, takes_part ? 0 : MPI_UNDEFINED, rank, &chosen);
    if (!takes_part)
        stay_away();
    return chosen;
}

void bspstd_begin(int maxprocs)
{
    pub_layer_register(&layer);
    if (state.part == AFTER)
        pub_layer_fail("bsp_begin", "bsp_end has been called: there is one parallel part");
    if (state.part == INSIDE)
        pub_layer_fail("bsp_begin", "it has been called before");
    start_mpi();
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* before the others know: mpirun hangs or crashes if a process aborts while others finalise */
    if (maxprocs < 1 && rank == 0)
        pub_layer_fail("bsp_begin", "%d processors: at least one is needed", maxprocs);
    int wanted = agree(maxprocs);
    if (wanted < 1)
        stay_away(); /* process 0 ended without a parallel part */
    MPI_Comm processes = choose(wanted);
    pub_layer_begin(processes, &state.machine);
    MPI_Comm_free(&processes);
    state.part = INSIDE;
    state.began = bsp_time(&state.machine);
}

void bspstd_end(void)
{
    bspstd_machine("bsp_end");
    bsplib_done();
    state.part = AFTER;
    end_mpi();
}

void bspstd_abort(const char *format, ...)
{
    char text[800];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    size_t n = strlen(text);
    while (n && text[n - 1] == '\n')
        text[--n] = '\0';
    pub_layer_register(&layer);
    pub_layer_fail(NULL, "%s", text);
}

/* ---- where this processor is */

int bspstd_nprocs(void)
{
    if (state.part == INSIDE)
        return bsp_nprocs(&state.machine);
    start_mpi();
    return state.available;
}

int bspstd_pid(void)
{
    return bsp_pid(bspstd_machine("bsp_pid"));
}

double bspstd_time(void)
{
    return bsp_time(bspstd_machine("bsp_time")) - state.began;
}

/* ---- supersteps */

void bspstd_sync(void)
{
    bsp_sync(bspstd_machine("bsp_sync"));
    bspstd_queue_turn();
}
