/* SPDX-License-Identifier: GPL-3.0-or-later */
/* shelves ahead | refused: large messages in memory that two processors share, and without such memory. */
#include "program.h"

#include <mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#define MEGABYTE ((size_t)1 << 20)
#define SHELVES  16 /* of a processor, with PUB_PIECES=1024; MPI keeps 2 MB of pieces */

static t_bsp world;
static char *data;

static int is_shared(void)
{
    char line[512];
    int found = 0;
    FILE *maps = fopen("/proc/self/maps", "r");
    CHECK(&world, maps);
    while (fgets(line, sizeof line, maps))
        found |= strstr(line, "memfd:libpub") != NULL;
    fclose(maps);
    return found;
}

/* Processor 0 sends so many messages, each with its own contents. */
static void send_all(int n)
{
    for (int i = 0; i < n; i++)
        bsp_hpsend(&world, 1, data + i, MEGABYTE - (size_t)i);
}

static void read_all(int n)
{
    CHECK(&world, bsp_nmsgs(&world) == n);
    for (int i = 0; i < n; i++) {
        t_bspmsg *message = bsp_getmsg(&world, i);
        CHECK(&world, bspmsg_size(message) == MEGABYTE - (size_t)i);
        CHECK(&world, memcmp(bspmsg_data(message), data + i, MEGABYTE - (size_t)i) == 0);
    }
}

static void transfer(int n, int pid)
{
    if (pid == 0)
        send_all(n);
    bsp_oblsync(&world, pid ? n : 0);
    if (pid == 1)
        read_all(n);
}

/* The receiver comes when the sender has left. */
static void come_late(int pid)
{
    if (pid == 0) {
        send_all(SHELVES);
        bsp_oblsync(&world, 0);
        fclose(fopen("left", "w"));
        return;
    }
    for (int i = 0; i < 6000 && access("left", F_OK) != 0; i++)
        usleep(10000);
    CHECK(&world, access("left", F_OK) == 0);
    bsp_oblsync(&world, SHELVES);
    read_all(SHELVES);
}

int main(int argc, char **argv)
{
    struct rlimit limit = {MEGABYTE, MEGABYTE};
    int refused = argc > 1 && strcmp(argv[1], "refused") == 0;
    MPI_Init(&argc, &argv);
    if (refused)
        setrlimit(RLIMIT_FSIZE, &limit);
    bsplib_init(BSPLIB_STDPARAMS, &world);
    int pid = bsp_pid(&world);
    data = must_alloc(MEGABYTE);
    for (size_t i = 0; i < MEGABYTE; i++)
        data[i] = (char)(i % 251);
    CHECK(&world, is_shared() == !refused);
    if (!refused)
        come_late(pid);
    for (int n = 1; n < 3 * SHELVES; n += 7) /* all of them, more, and again */
        transfer(n, pid);
    free(data);
    bsplib_done();
    MPI_Finalize();
    return program_passed(pid);
}
