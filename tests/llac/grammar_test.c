/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_grammar FIRST COUNT: generated scripts from the seeds FIRST, FIRST + 1, ... A script that
 * takes more than LIMIT seconds of processor time, crashes or prints nonsense ends the program; it is printed
 * before. test_grammar SEED: prints the script alone.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/text.h"
#include "grammar.h"

enum { SIZE = 160, LIMIT = 60 };

static unsigned long current;

static void fill(uint8_t *bytes, unsigned long seed)
{
    uint64_t x = seed * 0x9e3779b97f4a7c15u + 1;
    for (size_t i = 0; i < SIZE; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        bytes[i] = (uint8_t)(x >> 32);
    }
}

static void show(unsigned long seed)
{
    uint8_t bytes[SIZE];
    struct text script;
    text_init(&script);
    fill(bytes, seed);
    grammar_script(&script, bytes, SIZE, ".");
    dprintf(STDERR_FILENO, "seed %lu:\n%s", seed, script.s);
    text_free(&script);
}

static void on_failure(int number)
{
    signal(number, SIG_DFL);
    show(current); /* needs memory, but there is nothing to lose */
    raise(number);
}

/* A script that hangs ends by SIGPROF. Processor time: a busy machine takes longer. */
static void limit_processor_time(void)
{
    const struct itimerval limit = {.it_value = {.tv_sec = LIMIT}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

int main(int argc, char **argv)
{
    unsigned long first = argc > 1 ? strtoul(argv[1], NULL, 10) : 1;
    unsigned long count = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
    static const int failures[] = {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGPROF};
    if (argc == 2)
        show(first);
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++)
        signal(failures[i], on_failure);
    for (unsigned long k = 0; k < count; k++) {
        uint8_t bytes[SIZE];
        current = first + k;
        fill(bytes, current);
        limit_processor_time();
        grammar_run(bytes, SIZE);
    }
    printf("%lu scripts\n", count);
    return 0;
}
