/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * obsp_trace PROCESSES SUPERSTEPS: writes a trace to the standard output. Processors exchange messages with
 * their neighbours and end three of four supersteps obliviously, the others with a barrier; their work
 * varies. Every hundredth superstep has groups of 8. The same bytes every time.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t state;

static unsigned draw(unsigned below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 33) % below);
}

static void neighbours(int pid, int nprocs)
{
    int left = pid > 0, right = pid + 1 < nprocs;
    if (left && right)
        printf("%d,%d", pid - 1, pid + 1);
    else if (left || right)
        printf("%d", left ? pid - 1 : pid + 1);
    else
        putchar('-');
}

/* One line, which ends a superstep or begins or ends a group. */
static void line(int process, const char *object, int pid, int nprocs, long step, const char *kind,
                 long *end)
{
    unsigned work = 1000 + draw(100000), wait = 2000 + draw(3000);
    int sync = *kind == 's' || *kind == 'o';
    *end += work + 300 + (sync ? wait : 0);
    printf("%d %s %d %d %ld %s %u 300 %u 0 %d %d 2 2 ", process, object, pid, nprocs, step, kind,
           work, sync ? wait : 0, sync ? 4096 : 0, sync ? 4096 : 0);
    if (sync)
        neighbours(pid, nprocs);
    else
        putchar('-');
    printf(" %ld\n", *end);
}

static void groups(int process, int processes, long number, long step, long *end)
{
    int first = process / 8 * 8, size = processes - first < 8 ? processes - first : 8;
    char name[64];
    snprintf(name, sizeof name, "m.%ld:%d", number, process / 8);
    line(process, name, process - first, size, step, "partition", end);
    line(process, name, process - first, size, 1, "oblsync", end);
    line(process, name, process - first, size, 2, "done", end);
}

int main(int argc, char **argv)
{
    int processes = argc == 3 ? atoi(argv[1]) : 0;
    long supersteps = argc == 3 ? atol(argv[2]) : 0;
    if (processes < 1 || supersteps < 1) {
        fputs("usage: obsp_trace PROCESSES SUPERSTEPS\n", stderr);
        return 2;
    }
    printf(
        "# pub trace 1\n# processes: %d\nprocess object pid nprocs step kind work calls wait transfer out in sent "
        "received partners end\n",
        processes);
    for (int process = 0; process < processes; process++) {
        long end = 0, number = 0;
        state = 88172645463325252u + (uint64_t)process * 2654435761u;
        for (long step = 1; step <= supersteps; step++) {
            if (step % 100 == 0)
                groups(process, processes, ++number, step, &end);
            line(process, "m", process, processes, step, step % 4 ? "oblsync" : "sync", &end);
        }
    }
    return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
