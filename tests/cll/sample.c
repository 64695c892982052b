/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample MODE [NUMBER]: a program with regions as generated code has them, one way of running or
 * ending per mode. The scripts beside it run it and look at what it leaves.
 */
#define _GNU_SOURCE
#include <cll.h>

#include <errno.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXPERIMENT(name, nvars, variables, ...)                                                    \
    static const char *const cll_vars_##name[] = {variables};                                      \
    static const struct cll_formula cll_forms_##name[] = {__VA_ARGS__, {0, 0}};                    \
    static const struct cll_site cll_sites_##name[] = {{"my sample.c", 12, 14}, {0, 0, 0}};        \
    CLL_EXPERIMENT(cll_x_##name, #name, nvars, cll_vars_##name, cll_forms_##name,                  \
                   cll_sites_##name, 0)
#define NAMES(...) __VA_ARGS__, 0

EXPERIMENT(f, 1, NAMES("N"), {"CLOCK", "f[0] + f[1]*N"})
EXPERIMENT(g, 2, NAMES("N", "x"), {"CLOCK", "g[0]"})
EXPERIMENT(outer, 0, NAMES(0), {"CLOCK", ""})
EXPERIMENT(c, 1, NAMES("count"), {"CLOCK", "c[0]"}, {"CPUTIME", "c[0]*count"})
EXPERIMENT(faults, 1, NAMES("pages"), {"page-faults", "faults[0]*pages"}, {"cycles", "faults[0]"},
           {"PAPI_L1_DCM", "faults[1]"})

static _Thread_local volatile double sink;
static long number;

static void work(int n)
{
    for (int i = 0; i < n; i++)
        sink += i;
}

static void measure_f(int N)
{
    CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE_AT(N));
    work(N);
}

static void loop(void)
{
    for (long i = 0; i < number; i++)
        measure_f((int)(i % 10));
}

static void nested(void)
{
    CLL_BEGIN(cll_region_1, cll_x_outer(), 0);
    loop();
}

static int fib(int N)
{
    CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE_AT(N));
    if (N < 2)
        return N;
    return fib(N - 1) + fib(N - 2);
}

static void recursive(void)
{
    fib((int)number);
}

/* Every way out of a region but longjmp and exit. */
static int leave(int how)
{
    for (int i = 0; i < 2; i++) {
        CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE(how));
        if (how == 0)
            return 1;
        if (how == 1)
            break;
        if (how == 2)
            continue;
        if (how == 3)
            goto out;
        CLL_END(cll_region_1);
        work(10);
    }
out:
    return 0;
}

static void leave_all(void)
{
    for (int how = 0; how < 5; how++)
        leave(how);
}

static jmp_buf back;

static void jump(int N)
{
    CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE_AT(N));
    longjmp(back, 1);
}

static void longjmps(void)
{
    for (volatile int i = 0; i < number; i++) {
        if (!setjmp(back))
            jump(i);
        measure_f(i % 10);
    }
}

static void exit_inside(void)
{
    loop();
    CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE(number));
    exit(3);
}

static void exit_at_once_inside(void)
{
    loop();
    CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE(number));
    _exit(3);
}

static void die(int signal_number)
{
    loop();
    CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE(number));
    signal(signal_number, SIG_DFL); /* whatever a sanitizer put there */
    if (signal_number == SIGABRT)
        abort();
    raise(signal_number);
    for (;;)
        pause();
}

static void die_abort(void)
{
    die(SIGABRT);
}

static void die_term(void)
{
    die(SIGTERM);
}

static void die_segv(void)
{
    die(SIGSEGV);
}

static void die_kill(void)
{
    die(SIGKILL);
}

static void *thread_loop(void *data)
{
    (void)data;
    loop();
    return NULL;
}

static void *thread_exits_inside(void *data)
{
    int N = 5;
    CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE_AT(N));
    (void)data;
    pthread_exit(NULL);
}

static void run_threads(int count, void *(*body)(void *))
{
    for (int done = 0; done < count;) {
        pthread_t threads[8];
        int some = count - done < 8 ? count - done : 8;
        for (int i = 0; i < some; i++)
            pthread_create(&threads[i], NULL, body, NULL);
        for (int i = 0; i < some; i++)
            pthread_join(threads[i], NULL);
        done += some;
    }
}

static void threads(void)
{
    loop();
    run_threads((int)number, thread_loop);
}

static void threads_exit_inside(void)
{
    run_threads((int)number, thread_exits_inside);
}

static void many_threads(void)
{
    int count = (int)number;
    number = 3;
    run_threads(count, thread_loop);
}

static pthread_barrier_t all_measured;

static void *thread_forever(void *data)
{
    (void)data;
    measure_f(1);
    pthread_barrier_wait(&all_measured);
    for (int i = 0;; i++)
        measure_f(i % 10);
    return NULL;
}

/* Threads that all live until the last is done; the main program has samples before. */
static void *thread_of_crowd(void *data)
{
    measure_f(0);
    pthread_barrier_wait(&all_measured);
    for (long i = 1; i < number; i++)
        measure_f((int)(i % 10));
    pthread_barrier_wait(&all_measured);
    return data;
}

static void crowd(void)
{
    pthread_t started[200];
    for (int i = 0; i < 5000; i++)
        measure_f(i % 10);
    pthread_barrier_init(&all_measured, NULL, 200);
    for (int i = 0; i < 200; i++)
        if (pthread_create(&started[i], NULL, thread_of_crowd, NULL))
            exit(77);
    for (int i = 0; i < 200; i++)
        pthread_join(started[i], NULL);
}

/* As many threads one after the other, each with a few samples. */
static void *thread_of_row(void *data)
{
    for (int i = 0; i < 20; i++)
        measure_f(i % 10);
    return data;
}

static void threads_in_a_row(void)
{
    for (long i = 0; i < number; i++) {
        pthread_t started;
        if (pthread_create(&started, NULL, thread_of_row, NULL))
            exit(77);
        pthread_join(started, NULL);
    }
}

static void running_threads(void)
{
    pthread_t thread;
    pthread_barrier_init(&all_measured, NULL, 4);
    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, thread_forever, NULL);
    measure_f(1);
    pthread_barrier_wait(&all_measured);
    loop();
    exit(0);
}

static void wait_for_child(void)
{
    int status;
    wait(&status);
    if (status)
        exit(8);
}

static void forks(void)
{
    loop();
    CLL_BEGIN(cll_region_1, cll_x_outer(), 0);
    if (!fork()) {
        number *= 2;
        loop();
        CLL_END(cll_region_1);
        exit(0);
    }
    wait_for_child();
}

/* A fork that calls no handlers; the child sees the parent's memory but the wiped pages. */
static void raw_forks(void)
{
    loop();
    if (!syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)) {
        loop();
        exit(0);
    }
    wait_for_child();
}

static void quiet_fork(void)
{
    loop();
    if (!fork())
        exit(0);
    wait_for_child();
}

static void measure_plain_g(void)
{
    CLL_REGION("g", "g[0]");
}

static void vforks(void)
{
    loop();
    if (!vfork()) {
        execl("/bin/true", "true", (char *)NULL);
        _exit(1);
    }
    wait_for_child();
    loop();
}

/* A child with the memory of its parent, and what it does there. */
static void in_vfork(void (*run)(void))
{
    if (!vfork()) {
        run();
        _exit(0);
    }
    wait_for_child();
}

static void once(void)
{
    measure_f(3);
}

static void vfork_first(void)
{
    in_vfork(once);
    loop();
}

static void vfork_later(void)
{
    loop();
    in_vfork(loop);
    in_vfork(measure_plain_g);
    loop();
    measure_plain_g();
}

static void *vfork_in_thread(void *unused)
{
    in_vfork(once);
    loop();
    return unused;
}

static void vfork_of_a_thread(void)
{
    pthread_t thread;
    loop();
    pthread_create(&thread, NULL, vfork_in_thread, NULL);
    pthread_join(thread, NULL);
}

static void vfork_of_a_child(void)
{
    loop();
    if (!fork()) {
        vfork_first();
        exit(0);
    }
    wait_for_child();
}

static void execs(void)
{
    loop();
    execl("/bin/true", "true", (char *)NULL);
    _exit(1);
}

static void reports_some(void)
{
    cll_report("f, later");
    loop();
    measure_plain_g();
    {
        CLL_REGION("later", "later[0]");
    }
    cll_report("f");
    loop();
}

static void reports_unknown(void)
{
    loop();
    measure_plain_g();
    cll_report("wrok");
    loop();
    cll_report("wrok, ,later");
}

static void reports_partly_unknown(void)
{
    loop();
    measure_plain_g();
    cll_report("f,wrok");
}

static void reports_empty_list(void)
{
    loop();
    measure_plain_g();
    cll_report(" ,");
}

static void reports_twice(void)
{
    loop();
    cll_report(0);
    if (system("grep -c ^f sample.cll.0.dat"))
        exit(9);
    loop();
    cll_report(0);
    loop();
}

static void changes_folder(void)
{
    if (chdir("/"))
        exit(9);
    loop();
}

static void closes_all(void)
{
    loop();
    for (int fd = 3; fd < 256; fd++)
        close(fd);
    FILE *mine = fopen("mine.txt", "w");
    fprintf(mine, "mine\n");
    fflush(mine);
    number = 20000;
    loop();
    exit(0);
}

static void measure_g(const double *values, int count)
{
    for (int i = 0; i < count; i++) {
        CLL_BEGIN(cll_region_1, cll_x_g(), 2, CLL_VALUE(i), CLL_VALUE(values[i]));
    }
}

static void other_locale(void)
{
    static const double values[] = {0.1, 1.0 / 3, 1e300, -2.5e-7, 3};
    if (!setlocale(LC_ALL, "de_DE.UTF-8") && !setlocale(LC_ALL, "de_DE.utf8"))
        exit(77);
    measure_g(values, 5);
}

static void special_values(void)
{
    static const double values[] = {
        __builtin_nan(""), __builtin_inf(), -__builtin_inf(), 1.0 / 3, 1e22, 123456789012.5};
    measure_g(values, 6);
}

static void cputime(void)
{
    for (int count = 0; count < number; count++) {
        CLL_BEGIN(cll_region_1, cll_x_c(), 1, CLL_VALUE_AT(count));
        work(100);
    }
}

static void page_faults(void)
{
    for (int pages = 1; pages <= 64; pages *= 2) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        char *memory = mmap(NULL, page * (size_t)pages, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CLL_BEGIN(cll_region_1, cll_x_faults(), 1, CLL_VALUE_AT(pages));
        for (int i = 0; i < pages; i++)
            *(volatile char *)(memory + (size_t)i * page) = 1;
    }
}

static void many_tuples(void)
{
    for (long i = 0; i < number; i++) {
        CLL_BEGIN(cll_region_1, cll_x_g(), 2, CLL_VALUE(i), CLL_VALUE((double)i * 0.5));
    }
}

/* Few executions of some tuples, many of others. */
static void uneven(void)
{
    for (long i = 0; i < number; i++) {
        int N = i % 1000 ? 1 : (int)(i % 7000);
        CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE_AT(N));
    }
}

/* Numbers beyond the fields of a plain record, as a program has them after hours. */
static void wide(void)
{
    measure_f(1);
    cll_self->seq[cll_x_f()->id & 0x7fff] = (cll_u64)1 << 41;
    cll_self->limit = cll_self->cursor; /* many segments were filled in these hours */
    measure_f(2);
    CLL_BEGIN(cll_region_1, cll_x_f(), 1, CLL_VALUE(3));
    cll_self->pairs += (cll_u64)1 << 33;
    if (cll_region_1.r.thread)
        cll_region_1.r.start -= (cll_u64)1 << 49;
    CLL_END(cll_region_1);
    measure_f(4);
}

/* What a region may not change: errno, and the descriptors that the program gets. */
static void leaves_no_trace(void)
{
    int before = dup(0);
    close(before);
    for (int i = 0; i < number; i++) {
        errno = 1000 + i % 7;
        measure_f(i % 10);
        if (errno != 1000 + i % 7)
            exit(5);
    }
    errno = 77;
    cll_report(0);
    int after = dup(0);
    exit(errno != 77 ? 6 : after != before ? 7 : 0);
}

static void at_exit_region(void)
{
    measure_f(77);
}

static void region_at_exit(void)
{
    atexit(at_exit_region);
    loop();
}

static void exit_in_handler(int signal_number)
{
    (void)signal_number;
    exit(4);
}

static void exits_in_handler(void)
{
    signal(SIGALRM, exit_in_handler);
    measure_f(0); /* the alarm may come before the loop */
    ualarm(20000, 0);
    for (int i = 0;; i++)
        measure_f(i % 10);
}

static void file_limit(void)
{
    struct rlimit limit = {200000, 200000};
    setrlimit(RLIMIT_FSIZE, &limit);
    loop();
}

/* Cuts its own spool short in the middle, to so many bytes. */
static void cut_spool(void)
{
    for (int i = 0; i < 30000; i++)
        measure_f(i % 10);
    if (truncate("sample.cll.0.spool", number))
        exit(77);
    for (int i = 0; i < 30000; i++)
        measure_f(i % 10);
    measure_plain_g();
    cll_report(0);
    for (int i = 0; i < 100; i++)
        measure_f(11);
}

static void *cut_thread(void *data)
{
    for (int i = 0; i < 60000; i++)
        measure_f(i % 10);
    return data;
}

/* The same while threads write into it. */
static void cut_threads(void)
{
    pthread_t started[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&started[i], NULL, cut_thread, NULL);
    /* on a busy machine they begin late */
    for (int i = 0; i < 10000 && access("sample.cll.0.spool", F_OK); i++)
        usleep(1000);
    for (int i = 0; i < 10; i++) {
        usleep(500);
        if (truncate("sample.cll.0.spool", number))
            exit(77);
    }
    for (int i = 0; i < 4; i++)
        pthread_join(started[i], NULL);
}

/* A SIGBUS that is not ours: a handler of the program's own, or none. */
static void own_bus(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number;
    (void)context;
    _exit(info->si_addr && info->si_code > 0 ? 6 : 7);
}

static void touch_missing_page(void)
{
    char name[] = "missing-XXXXXX";
    int fd = mkstemp(name);
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    *(volatile char *)page = 1;
}

static void foreign_bus(void)
{
    loop();
    touch_missing_page();
}

static void handled_bus(void)
{
    struct sigaction action = {.sa_sigaction = own_bus, .sa_flags = SA_SIGINFO};
    sigaction(SIGBUS, &action, NULL);
    loop();
    touch_missing_page();
}

static void sent_bus(void)
{
    loop();
    raise(SIGBUS);
}

static void nothing(void)
{
}

static const struct mode {
    const char *name;
    void (*run)(void);
} modes[] = {
    {"loop", loop},
    {"nested", nested},
    {"recursive", recursive},
    {"leave", leave_all},
    {"longjmp", longjmps},
    {"exit_inside", exit_inside},
    {"_exit_inside", exit_at_once_inside},
    {"abort", die_abort},
    {"term", die_term},
    {"segv", die_segv},
    {"kill", die_kill},
    {"threads", threads},
    {"threads_exit_inside", threads_exit_inside},
    {"many_threads", many_threads},
    {"running_threads", running_threads},
    {"crowd", crowd},
    {"threads_in_a_row", threads_in_a_row},
    {"fork", forks},
    {"raw_fork", raw_forks},
    {"quiet_fork", quiet_fork},
    {"vfork", vforks},
    {"vfork_first", vfork_first},
    {"vfork_later", vfork_later},
    {"vfork_of_a_thread", vfork_of_a_thread},
    {"vfork_of_a_child", vfork_of_a_child},
    {"exec", execs},
    {"report_some", reports_some},
    {"report_unknown", reports_unknown},
    {"report_partly_unknown", reports_partly_unknown},
    {"report_empty_list", reports_empty_list},
    {"report_twice", reports_twice},
    {"chdir", changes_folder},
    {"close_all", closes_all},
    {"locale", other_locale},
    {"special_values", special_values},
    {"cputime", cputime},
    {"page_faults", page_faults},
    {"many_tuples", many_tuples},
    {"uneven", uneven},
    {"wide", wide},
    {"no_trace", leaves_no_trace},
    {"region_at_exit", region_at_exit},
    {"exit_in_handler", exits_in_handler},
    {"file_limit", file_limit},
    {"cut_spool", cut_spool},
    {"cut_threads", cut_threads},
    {"foreign_bus", foreign_bus},
    {"handled_bus", handled_bus},
    {"sent_bus", sent_bus},
    {"nothing", nothing},
};

int main(int argc, char **argv)
{
    number = argc > 2 ? atol(argv[2]) : 10;
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++) {
        if (!strcmp(argv[1], modes[i].name)) {
            modes[i].run();
            return 0;
        }
    }
    fprintf(stderr, "usage: sample MODE [NUMBER]\n");
    return 2;
}
