/* SPDX-License-Identifier: GPL-3.0-or-later */
/* hungry WHEN RANK: an MPI program in which the mappings of libcll fail in one process, or in all of them (RANK -1):
 * always, or during MPI_Init and MPI_Finalize (WHEN is `always` or `ends`). Those of the MPI library succeed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma cll parallel MPI

static int fails;

/* Instead of that of the C library. */
void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
    Dl_info caller;
    if (!fails || !dladdr(__builtin_return_address(0), &caller) ||
        !strstr(caller.dli_fname, "libcll"))
        return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
    errno = ENOMEM;
    return MAP_FAILED;
}

int main(int argc, char **argv)
{
    const char *started = getenv("OMPI_COMM_WORLD_RANK");
    if (argc < 3 || !started)
        return 2;
    int always = !strcmp(argv[1], "always"), rank = atoi(started), asked = atoi(argv[2]);
    int hungry = asked < 0 || asked == rank;
    fails = hungry;
    MPI_Init(&argc, &argv);
    fails = hungry && always;
    for (int n = 0; n < 5; n++) {
#pragma cll f f[0] + f[1] * n
        cll_touch(&n);
#pragma cll end f
    }
    fails = hungry;
    MPI_Finalize();
    if (!rank)
        printf("done\n");
    return 0;
}
