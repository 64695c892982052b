/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Regions around and inside of OpenMP constructs; prints what is wrong, or the sum. */
#include <pthread.h>
#include <stdio.h>

#pragma cll parallel OpenMP

static int arrived, wrong;
static double total;

static void around(int n)
{
    double s = 0;
#pragma cll around around[0] + around[1] * n / P
#pragma omp parallel for reduction(+ : s)
    for (int i = 0; i < n; i++)
        s += i % 2;
#pragma cll end around
    total += s;
}

/* Behind the barrier every thread of the team has arrived. */
static void inside(int threads, int round)
{
#pragma omp parallel num_threads(threads)
    {
#pragma omp atomic
        arrived++;
#pragma cll sync inside inside[0] * P + inside[1] * round
        int seen;
#pragma omp atomic read
        seen = arrived;
        if (seen < threads)
#pragma omp atomic
            wrong++;
#pragma omp for
        for (int i = 0; i < 8; i++)
            cll_touch(&i);
#pragma cll end inside
#pragma omp barrier
#pragma omp atomic
        arrived--;
#pragma omp barrier
    }
}

static void in_a_loop(int n)
{
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < n; i++) {
#pragma cll iteration iteration[0] * i
        cll_touch(&i);
#pragma cll end iteration
    }
}

static void tasks(int n)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int i = 0; i < n; i++) {
#pragma omp task firstprivate(i)
        {
#pragma cll task task[0] * i
            cll_touch(&i);
#pragma cll end task
        }
    }
}

static void nested(void)
{
#pragma omp parallel num_threads(2)
    {
        int team = 3;
#pragma cll outer outer[0] * P
#pragma omp parallel num_threads(team)
        {
#pragma cll sync inner inner[0] * P
            cll_touch(&team);
#pragma cll end inner
        }
#pragma cll end outer
    }
}

static void closed(int n)
{
#pragma omp parallel default(none) shared(n) num_threads(2)
    {
#pragma cll sync closed closed[0] * n *P
        cll_touch(&n);
#pragma cll end closed
    }
}

static void *other_thread(void *data)
{
    around(*(int *)data);
    return NULL;
}

int main(void)
{
    int n = 1000;
    for (int round = 0; round < 3; round++)
        around(n);
    for (int threads = 1; threads <= 8; threads++)
        inside(threads, threads);
    in_a_loop(10);
    tasks(10);
    nested();
    closed(n);
    for (int i = 0; i < 4; i++) { /* threads that come and go, each with a team of its own */
        pthread_t thread;
        pthread_create(&thread, NULL, other_thread, &n);
        pthread_join(thread, NULL);
    }
    printf("%d %g\n", wrong, total);
    return 0;
}
