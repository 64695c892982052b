/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * program MODE: an instrumented program that needs nothing which may fail: where there is no thread
 * or process to be had it does the work itself. So its output and exit status are the same
 * whatever fails in libcll.
 */
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cll.h>

enum { ROUNDS = 20, STATUS = 7 };

static volatile long sink;

static void *work(void *data)
{
    for (int N = 1; N <= ROUNDS; N++) {
#pragma cll f f[0] + f[1] * N
        for (int i = 0; i < N; i++)
            sink = i;
#pragma cll end f
    }
    return data;
}

static void threads(void)
{
    pthread_t thread[3];
    int made[3];
    for (int i = 0; i < 3; i++)
        made[i] = !pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 3; i++) {
        if (made[i])
            pthread_join(thread[i], NULL);
        else
            work(NULL);
    }
}

static void team(void)
{
#pragma omp parallel num_threads(3)
    work(NULL);
}

/* Returns what the parent adds to the output: the child's exit status. */
static int forks(void)
{
    int status = 0;
    work(NULL);
    pid_t child = fork();
    if (child == 0) {
        work(NULL);
        return -1;
    }
    if (child < 0) {
        work(NULL);
        return STATUS;
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "";
    int others = STATUS;
    if (!strcmp(mode, "threads"))
        threads();
    else if (!strcmp(mode, "team"))
        team();
    else if (!strcmp(mode, "forks"))
        others = forks();
    else
        work(NULL);
    if (!strcmp(mode, "reports")) {
        cll_report(0);
        work(NULL);
    }
    if (others >= 0 && write(1, others == STATUS ? "done\n" : "lost\n", 5) != 5)
        return 1;
    return STATUS;
}
