/* SPDX-License-Identifier: GPL-3.0-or-later */
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
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* What counted_as.sh writes for each function. */
struct counters {
    uint64_t *
        all; /* of the compiler: atomic additions of code that has no copies, and what is gathered */
    uint32_t bytes;
    int32_t own; /* from the thread's pointer */
};

extern struct counters __start_cll_counted[] __attribute__((weak, visibility("hidden")));
extern struct counters __stop_cll_counted[] __attribute__((weak, visibility("hidden")));

struct thread {
    struct thread *next;
    const char *pointer; /* of the thread; its copies lie at fixed distances */
    uint64_t
        *gathered; /* as much of each copy is in `all`; the copies themselves are the thread's */
    int ends;      /* how often its destructors have run */
    void *(*start)(void *);
    int (*start_c11)(void *);
    void *argument;
};

static struct thread initial;
static struct thread *threads = &initial;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t key;

static uint64_t *new_numbers(void)
{
    size_t n = 0;
    for (const struct counters *c = __start_cll_counted; c < __stop_cll_counted; c++)
        n += c->bytes / sizeof *c->all;
    return calloc(n + 1, sizeof(uint64_t));
}

static void gather(struct thread *t)
{
    uint64_t *gathered = t->gathered;
    for (const struct counters *c = __start_cll_counted; c < __stop_cll_counted; c++) {
        const uint64_t *own = (const uint64_t *)(t->pointer + c->own);
        for (size_t i = 0; i < c->bytes / sizeof *own; i++, gathered++) {
            uint64_t now = __atomic_load_n(own + i, __ATOMIC_RELAXED);
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
    free(t->gathered);
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

static int run_c11(void *argument)
{
    struct thread *t = argument;
    enter(t);
    return t->start_c11(t->argument);
}

/* A child has one thread, whose copies are those of its parent: they count from here on. */
static void begin_child(void)
{
    struct thread *self = pthread_getspecific(key);
    if (!self)
        self = &initial;
    pthread_mutex_init(&lock, NULL);
    self->next = NULL;
    threads = self;
    self->pointer = __builtin_thread_pointer();
    uint64_t *gathered = self->gathered;
    for (const struct counters *c = __start_cll_counted; c < __stop_cll_counted; c++) {
        memcpy(gathered, self->pointer + c->own, c->bytes);
        gathered += c->bytes / sizeof *gathered;
    }
}

static void fail(const char *what)
{
    fprintf(stderr, "libcll: threads cannot be counted: %s\n", what);
    _exit(127);
}

__attribute__((constructor(101))) static void begin(void)
{
    void *found = dlsym(RTLD_DEFAULT, "pthread_create");
    if (found && found != (void *)pthread_create)
        fail("an option of the linker, such as --exclude-libs, hides libcll from other libraries");
    initial.pointer = __builtin_thread_pointer();
    initial.gathered = new_numbers();
    if (!initial.gathered || pthread_key_create(&key, end) ||
        pthread_atfork(NULL, NULL, begin_child))
        fail("no memory");
}

static void *real(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        fail("the program is linked statically; link it without -static");
    return function;
}

static struct thread *new_thread(void *argument)
{
    struct thread *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->argument = argument;
    t->gathered = new_numbers();
    if (t->gathered)
        return t;
    free(t);
    return NULL;
}

static void drop(struct thread *t)
{
    free(t->gathered);
    free(t);
}

/* Libraries that start threads find these two in place of those of libc. */
EXPORT int pthread_create(pthread_t *id, const pthread_attr_t *attributes, void *(*start)(void *),
                          void *argument)
{
    int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) = (int (*)(
        pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))real("pthread_create");
    struct thread *t = new_thread(argument);
    if (!t)
        return EAGAIN;
    t->start = start;
    int error = create(id, attributes, run, t);
    if (error)
        drop(t);
    return error;
}

EXPORT int thrd_create(thrd_t *id, thrd_start_t start, void *argument)
{
    int (*create)(thrd_t *, thrd_start_t, void *) =
        (int (*)(thrd_t *, thrd_start_t, void *))real("thrd_create");
    struct thread *t = new_thread(argument);
    if (!t)
        return thrd_nomem;
    t->start_c11 = start;
    int error = create(id, run_c11, t);
    if (error != thrd_success)
        drop(t);
    return error;
}
