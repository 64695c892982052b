/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * step WHAT HOW [STRIDE]: runs a few regions again and again in children, and delivers a signal to
 * each at one instruction further, by single steps, until every instruction has been interrupted
 * once. The handler has regions of its own. Then the data file of each child is checked row by row.
 *
 * WHAT: pair (begin and end), slow (with CPUTIME), full (the buffer is full), long (regions that are
 * watched). HOW the handler ends:
 * return, nested (it is interrupted in turn), jump, jump_other (from an alternate stack), report,
 * fork, exit. STRIDE: only every so manieth instruction.
 *
 * Exit status 77 where processes may not be traced.
 */
#define _GNU_SOURCE
#include <cll.h>

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(__aarch64__)
#include <elf.h>
#endif

#define MOST_STEPS 400000
#define MOST_ROWS  20000

#define EXPERIMENT(name, nvars, variables, ...)                                                    \
    static const char *const cll_vars_##name[] = {variables, 0};                                   \
    static const struct cll_formula cll_forms_##name[] = {__VA_ARGS__, {0, 0}};                    \
    static const struct cll_site cll_sites_##name[] = {{"step.c", 1, 2}, {0, 0, 0}};               \
    CLL_EXPERIMENT(cll_x_##name, #name, nvars, cll_vars_##name, cll_forms_##name,                  \
                   cll_sites_##name, 0)
#define NAMES(...) __VA_ARGS__

EXPERIMENT(f, 1, NAMES("N"), {"CLOCK", "f[0]"})
EXPERIMENT(c, 1, NAMES("N"), {"CLOCK", "c[0]"}, {"CPUTIME", "c[0]"})
EXPERIMENT(wide, 6, NAMES("a", "b", "c", "d", "e", "g"), {"CLOCK", ""})
EXPERIMENT(outer, 0, NAMES(0), {"CLOCK", ""})

/* What the child did, as it counts itself; shared with the parent. */
static volatile struct told {
    int ready; /* about to be stepped */
    /* Of the main program, the handler, and the one that interrupts it: */
    unsigned begun[3], done[3]; /* regions f and c, before the begin and after the end */
    unsigned wide[3];
} * told;

enum { RETURN, NESTED, JUMP, JUMP_OTHER, REPORT, FORK, EXIT };
static const char *const ways[] = {"return", "nested", "jump", "jump_other",
                                   "report", "fork",   "exit", NULL};
static const char *what;
static int how;
static sigjmp_buf back;

/* Long enough to be watched; single steps take long themselves. */
static void spin(void)
{
    struct timespec start, now;
    clock_gettime(CLOCK_MONOTONIC, &start);
    do
        clock_gettime(CLOCK_MONOTONIC, &now);
    while ((now.tv_sec - start.tv_sec) * 1000000000 + now.tv_nsec - start.tv_nsec < 300000);
}

static void measure_wide(int who)
{
    {
        CLL_BEGIN(cll_region_1, cll_x_wide(), 6, 1001., 1002., 1003., 1004., 1005., 1006.);
    }
    told->wide[who]++;
}

__attribute__((noinline)) static void measure(int N, int who)
{
    told->begun[who]++;
    if (!strcmp(what, "slow")) {
        CLL_BEGIN(cll_region_1, cll_x_c(), 1, CLL_VALUE_AT(N));
        CLL_END(cll_region_1);
    } else {
        CLL_BEGIN(cll_region_2, cll_x_f(), 1, CLL_VALUE_AT(N));
        if (!strcmp(what, "long"))
            spin();
        CLL_END(cll_region_2);
    }
    told->done[who]++;
}

static void regions(int who)
{
    measure_wide(who);
    measure(7, who);
    measure_wide(who);
    measure(7, who);
}

static void second_handler(int number)
{
    (void)number;
    regions(2);
}

static void handler(int number)
{
    (void)number;
    regions(1);
    if (how == NESTED)
        raise(SIGUSR2);
    if (how == REPORT)
        cll_report(0);
    if (how == EXIT)
        exit(0);
    if (how == FORK) {
        pid_t child = fork();
        if (child)
            waitpid(child, NULL, 0);
        return;
    }
    regions(1);
    if (how == JUMP || how == JUMP_OTHER)
        siglongjmp(back, 1);
}

__attribute__((noinline)) static void stepped(void)
{
    __asm__ __volatile__("" : : : "memory");
    measure(1, 0);
    measure(2, 0);
}

__attribute__((noinline)) static void steps_end(void)
{
    __asm__ __volatile__("" : : : "memory");
}

static void install(void)
{
    static char other[65536];
    stack_t stack = {.ss_sp = other, .ss_size = sizeof other};
    struct sigaction action = {.sa_handler = handler};
    if (how == JUMP_OTHER) {
        sigaltstack(&stack, NULL);
        action.sa_flags = SA_ONSTACK;
    }
    sigaction(SIGUSR1, &action, NULL);
    action.sa_handler = second_handler;
    sigaction(SIGUSR2, &action, NULL);
}

/* Regions until the next record but one does not fit. */
static void fill(void)
{
    do
        measure(3, 0);
    while (cll_self->limit - cll_self->cursor >= 2 * (CLL_RECORD_WORDS + 1));
}

/* Sets `ready` and stops, to be stepped from there. */
__attribute__((noinline)) static void step_here(void)
{
    told->ready = 1;
    raise(SIGSTOP);
    if (!sigsetjmp(back, 1))
        stepped();
    steps_end();
    regions(0);
}

static void run_child(void)
{
    install();
    regions(0);
    if (strcmp(what, "long")) /* single steps take so long that every region would be long */
        cll_self->brief = ((cll_u64)1 << CLL_DURATION_BITS) - 1;
    if (!strcmp(what, "full"))
        fill();
    {
        CLL_BEGIN(cll_region_1, cll_x_outer(), 0);
        step_here();
    }
    measure(4, 0);
    measure(5, 0);
    exit(0);
}

/* ---- the parent */

static void fail(unsigned step, const char *text, long a, long b)
{
    fprintf(stderr, "%s %s, interrupted at step %u: %s (%ld, %ld)\n", what, ways[how], step, text,
            a, b);
    if (system("cat step.cll.*.dat | tail -40 >&2"))
        perror("cat");
    exit(1);
}

static unsigned long place_of(pid_t child)
{
#if defined(__aarch64__)
    struct user_regs_struct registers;
    struct iovec vector = {&registers, sizeof registers};
    if (ptrace(PTRACE_GETREGSET, child, (void *)NT_PRSTATUS, &vector))
        exit(77);
    return registers.pc;
#elif defined(__x86_64__)
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, child, NULL, &registers))
        exit(77);
    return registers.rip;
#else
    (void)child;
    exit(77);
#endif
}

static void resume(pid_t child, unsigned request, int number)
{
    if (ptrace(request, child, NULL, (void *)(long)number)) {
        perror("step: ptrace");
        exit(77);
    }
}

/* Makes one step; returns where the child is then. */
static unsigned long one_step(pid_t child)
{
    int status;
    resume(child, PTRACE_SINGLESTEP, 0);
    if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
        fail(0, "a step failed", status, 0);
    return place_of(child);
}

/* Starts a child; returns when it stands where the steps begin. */
static pid_t start_child(void)
{
    int status;
    memset((void *)told, 0, sizeof *told);
    pid_t child = fork();
    if (!child) {
        if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
            _exit(77);
        run_child();
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        exit(77);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
        exit(77);
    if (!WIFSTOPPED(status) || !told->ready)
        fail(0, "the child did not get ready", status, told->ready);
    while (one_step(child) != (unsigned long)stepped)
        ;
    return child;
}

static unsigned count_steps(void)
{
    unsigned steps = 0;
    pid_t child = start_child();
    while (steps < MOST_STEPS && one_step(child) != (unsigned long)steps_end)
        steps++;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
    if (steps == MOST_STEPS) { /* a loop of load-exclusive and store-exclusive gets nowhere */
        fprintf(stderr, "step: this processor cannot be stepped through the lock\n");
        exit(77);
    }
    return steps;
}

/* ---- checks */

static double number_of(const char *word)
{
    return strtod(word, NULL);
}

struct found {
    unsigned f, wide, outer, others;
    long abandoned;
    unsigned char seen[MOST_ROWS]; /* numbers of f */
    unsigned highest;
};

static void check_row(unsigned step, char **words, int count, struct found *found)
{
    /* experiment run seq start nested P rank thread count, variables, observables */
    unsigned seq = (unsigned)atoi(words[2]);
    if (count < 15)
        fail(step, "a short row", count, 0);
    if (!strcmp(words[0], "wide")) {
        for (int i = 0; i < count; i++)
            found->others += i >= 9 && number_of(words[i]) > 1000;
        if (found->others != 6)
            fail(step, "values of wide", found->others, 0);
        found->others = 0;
        found->wide++;
    } else if (!strcmp(words[0], "outer")) {
        found->outer++;
    } else {
        int N = 0;
        for (int i = 9; i < count && !N; i++)
            N = number_of(words[i]) >= 1 && number_of(words[i]) <= 7 ? atoi(words[i]) : 0;
        if (!N)
            fail(step, "no such value of N", atol(words[9]), seq);
        if (number_of(words[4]) > 12)
            fail(step, "too much is nested", atol(words[4]), seq);
        if (seq >= MOST_ROWS || found->seen[seq])
            fail(step, "a number stands twice", seq, 0);
        found->seen[seq] = 1;
        if (seq >= found->highest)
            found->highest = seq + 1;
        found->f++;
    }
}

static void read_file(unsigned step, const char *name, struct found *found)
{
    char line[4096], *words[32];
    FILE *file = fopen(name, "r");
    memset(found, 0, sizeof *found);
    if (!file)
        fail(step, "no data file", errno, 0);
    while (fgets(line, sizeof line, file)) {
        int count = 0;
        sscanf(line, "# abandoned: %ld", &found->abandoned);
        if (strstr(line, "lost") || strstr(line, "damaged"))
            fail(step, line, 0, 0);
        for (char *word = strtok(line, " \n"); word && count < 32; word = strtok(NULL, " \n"))
            words[count++] = word;
        if (count && words[0][0] != '#' && strcmp(words[0], "experiment"))
            check_row(step, words, count, found);
    }
    fclose(file);
    unlink(name);
}

static void check(unsigned step)
{
    static struct found found;
    unsigned begun = 0, done = 0, wide = 0;
    for (int who = 0; who < 3; who++) {
        begun += told->begun[who];
        done += told->done[who];
        wide += told->wide[who];
    }
    read_file(step, "step.cll.0.dat", &found);
    if (how == FORK)
        return; /* parent and child count in the same place */
    unsigned outer = how != EXIT;
    long open = begun - done; /* 1: left in the middle, with or without a number or a record */
    long abandoned = (long)begun - found.f + !outer;
    if (found.wide != wide)
        fail(step, "rows of wide", found.wide, wide);
    if (found.f < done || found.f > begun)
        fail(step, "rows of f", found.f, done);
    /* A long region that is left after its record was stored, and before its end, has a row and is
     * counted as abandoned too. */
    long twice = strcmp(what, "long") ? 0 : open;
    if (found.abandoned > abandoned + twice || found.abandoned < abandoned - open)
        fail(step, "abandoned", found.abandoned, abandoned);
    /* Between two stores of the begin one can be left for nothing. */
    if (!open && found.highest != begun && found.highest != begun + 1)
        fail(step, "numbers are left out", found.highest, begun);
    if (found.outer != outer)
        fail(step, "rows of outer", found.outer, outer);
}

/* Of the child that the handler made: the rows are sound. */
static void check_forked(unsigned step)
{
    static struct found found;
    read_file(step, "step.cll.1.dat", &found);
    if (found.outer || found.f < 2)
        fail(step, "rows of the forked child", found.f, found.outer);
}

static void interrupt_at(unsigned step)
{
    int status;
    pid_t child = start_child();
    /* How many instructions there are varies: a long region spins by the clock, a new segment asks the system. An
     * interrupt after the last one would jump out of what comes next. */
    for (unsigned i = 0; i < step && one_step(child) != (unsigned long)steps_end; i++)
        ;
    resume(child, PTRACE_CONT, SIGUSR1);
    for (;;) {
        if (waitpid(child, &status, 0) < 0)
            fail(step, "the child is gone", errno, 0);
        if (!WIFSTOPPED(status))
            break;
        resume(child, PTRACE_CONT, WSTOPSIG(status) == SIGTRAP ? 0 : WSTOPSIG(status));
    }
    if (status)
        fail(step, "exit status", WEXITSTATUS(status), WTERMSIG(status));
    if (how == FORK)
        check_forked(step);
    check(step);
}

int main(int argc, char **argv)
{
    unsigned stride = argc > 3 ? (unsigned)atoi(argv[3]) : 1;
    what = argc > 1 ? argv[1] : "";
    while (argc > 2 && ways[how] && strcmp(ways[how], argv[2]))
        how++;
    told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (argc < 3 || !ways[how] || told == MAP_FAILED) {
        fprintf(stderr, "usage: step WHAT HOW [STRIDE]\n");
        return 2;
    }
    unsigned steps = count_steps();
    if (system("rm -f step.cll.*"))
        return 2;
    for (unsigned step = 1; step < steps; step += stride)
        interrupt_at(step);
    printf("%u instructions, every %u\n", steps, stride);
    return 0;
}
