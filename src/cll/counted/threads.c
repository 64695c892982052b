/* SPDX-License-Identifier: MIT */
/*
 * Counters that belong to one thread. A program that `call discover` counts adds 1 to a counter in each block; if
 * threads share counters, each addition is atomic and moves a cache line from core to core. So
 * call/cc/counted_as.sh gives each thread a copy of them (`own`), with plain additions. Here the threads are known, and their
 * copies are added to the counters that the compiler's run-time writes, whenever it is called.
 */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* What counted_as.sh writes for each function. */
struct counters {
    uint64_t *all; /* of the compiler: additions of code that has no copies, and what is gathered */
    uint32_t bytes;
    int32_t own; /* from the thread's pointer */
};

extern struct counters __start_cll_counted[] __attribute__((weak, visibility("hidden")));
extern struct counters __stop_cll_counted[] __attribute__((weak, visibility("hidden")));

struct thread {
    struct thread *next;
    const char *pointer; /* of the thread; its copies lie at fixed distances */
    int ends;            /* how often its destructors have run */
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *argument;
    uint64_t gathered[]; /* as much of each copy is in `all`; the copies are the thread's own */
};

static struct thread *threads;
static size_t bytes; /* of the copies of a thread */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;

static void gather(struct thread *t)
{
    uint64_t *gathered = t->gathered;
    for (const struct counters *c = __start_cll_counted; c < __stop_cll_counted; c++) {
        const uint64_t *own = (const uint64_t *)(t->pointer + c->own);
        for (size_t i = 0; i < c->bytes / sizeof *own; i++, gathered++) {
            uint64_t now = __atomic_load_n(own + i, __ATOMIC_RELAXED);
            if (now != *gathered)
                __atomic_fetch_add(c->all + i, now - *gathered, __ATOMIC_RELAXED);
            *gathered = now;
        }
    }
}

/* Called in front of every call of the compiler's run-time, by cll_counted_gather. */
void cll_counted_gather_all(void);
void cll_counted_gather_all(void)
{
    int error = errno;
    pthread_mutex_lock(&lock);
    for (struct thread *t = threads; t; t = t->next)
        gather(t);
    pthread_mutex_unlock(&lock);
    errno = error;
}

/* The same, for code whose registers are the arguments of the call that follows. */
__asm__(".text\n"
        ".globl cll_counted_gather\n"
        ".hidden cll_counted_gather\n" /* each program needs its own */
        ".type cll_counted_gather, @function\n"
        "cll_counted_gather:\n"
        "    push %rbp\n"
        "    mov %rsp, %rbp\n"
        "    push %rax\n    push %rdi\n    push %rsi\n    push %rdx\n"
        "    push %rcx\n    push %r8\n    push %r9\n    push %r10\n"
        "    and $-16, %rsp\n"
        "    call cll_counted_gather_all\n"
        "    lea -64(%rbp), %rsp\n"
        "    pop %r10\n    pop %r9\n    pop %r8\n    pop %rcx\n"
        "    pop %rdx\n    pop %rsi\n    pop %rdi\n    pop %rax\n"
        "    pop %rbp\n"
        "    ret\n"
        ".size cll_counted_gather, . - cll_counted_gather\n");

/* ---- threads ---- */

static struct thread *new_thread(void *argument)
{
    struct thread *t = calloc(1, sizeof *t + bytes);
    if (t)
        t->argument = argument;
    return t;
}

static void leave(struct thread *t)
{
    pthread_mutex_lock(&lock);
    gather(t);
    for (struct thread **at = &threads; *at; at = &(*at)->next)
        if (*at == t) {
            *at = t->next;
            break;
        }
    pthread_mutex_unlock(&lock);
    free(t);
}

/* Destructors of others may count: so this one runs again as long as it may. */
static void end(void *argument)
{
    struct thread *t = argument;
    if (++t->ends >= PTHREAD_DESTRUCTOR_ITERATIONS || pthread_setspecific(key, t))
        leave(t);
}

static void enter(struct thread *t)
{
    t->pointer = __builtin_thread_pointer();
    pthread_mutex_lock(&lock);
    t->next = threads;
    threads = t;
    pthread_mutex_unlock(&lock);
    pthread_setspecific(key, t);
}

static void *run(void *argument)
{
    struct thread *t = argument;
    enter(t);
    return t->start(t->argument);
}

static void *run_c11(void *argument)
{
    struct thread *t = argument;
    enter(t);
    return (void *)(intptr_t)t->start_c11(t->argument);
}

/* What this thread has counted is the child's as well: its parent may end before it gathers that. */
static void before_fork(void)
{
    struct thread *self = pthread_getspecific(key);
    pthread_mutex_lock(&lock);
    if (self)
        gather(self);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

/* A child has one thread, which goes on with the copies of its parent. */
static void begin_child(void)
{
    threads = pthread_getspecific(key);
    if (threads)
        threads->next = NULL;
    pthread_mutex_unlock(&lock);
}

static void fail(const char *what)
{
    fprintf(stderr, "libcll: threads cannot be counted: %s\n", what);
    _exit(127);
}

static void begin(void)
{
    void *found = dlsym(RTLD_DEFAULT, "pthread_create");
    if (found && found != (void *)pthread_create)
        fail("an option of the linker, such as --exclude-libs, hides libcll from other libraries");
    for (const struct counters *c = __start_cll_counted; c < __stop_cll_counted; c++)
        bytes += c->bytes;
    struct thread *initial = new_thread(NULL);
    if (!initial || pthread_key_create(&key, end) ||
        pthread_atfork(before_fork, after_fork, begin_child))
        fail("no memory");
    enter(initial);
}

/* Constructors of libraries run before this one, and may start threads. */
__attribute__((constructor(101))) static void begin_program(void)
{
    pthread_once(&once, begin);
}

/* ---- their creation ---- */

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

extern create __pthread_create __attribute__((weak)); /* of a libc that is linked statically */

/* The copies lie at the end of the stack, which becomes larger by them. */
static void enlarge(pthread_attr_t *attributes)
{
    void *stack;
    size_t size;
    bool given = !pthread_attr_getstack(attributes, &stack, &size) && (uintptr_t)stack + size;
    if (!given && !pthread_attr_getstacksize(attributes, &size))
        pthread_attr_setstacksize(attributes, size + bytes);
}

/* 0, or an error. */
static int start_thread(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *),
                        struct thread *t)
{
    create *real =
        __pthread_create ? __pthread_create : (create *)dlsym(RTLD_NEXT, "pthread_create");
    pthread_attr_t larger; /* as long as the attributes of the user live */
    if (!real)
        fail("libc has no pthread_create");
    if (attributes) {
        larger = *attributes;
        enlarge(&larger);
        attributes = &larger;
    }
    int error = t ? real(id, attributes, start, t) : EAGAIN;
    if (error)
        free(t);
    return error;
}

/* Libraries that start threads find these two in place of those of libc. */
EXPORT int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *),
                          void *argument)
{
    pthread_once(&once, begin);
    struct thread *t = new_thread(argument);
    if (t)
        t->start = start;
    return start_thread(id, attributes, run, t);
}

EXPORT int thrd_create(thrd_t *id, thrd_start_t start, void *argument)
{
    pthread_once(&once, begin);
    struct thread *t = new_thread(argument);
    if (t)
        t->start_c11 = start;
    int error = start_thread(id, NULL, run_c11, t);
    return error ? error == EAGAIN ? thrd_nomem : thrd_error : thrd_success;
}
