/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inject [-c] [-o] [-p TEXT] [-t SECONDS] REPORT CLASS N[+] ACTION COMMAND...: runs COMMAND; of its
 * calls of this class (from its main on) the N-th fails, or all from the N-th on. ACTION is an
 * errno number, "short" (half of the bytes are written) or "kill" (SIGKILL in place of the call).
 * -c: calls of child processes count, too. -o: writing to the standard output does not count. -p:
 * only calls on files with TEXT in their names count. With the class "count" none fails, and the
 * last field of the report has the number of calls of each class: one run instead of one for each.
 *
 * System calls are seen by ptrace, so that those made inside the C library (stdio) are seen as
 * well: a seccomp filter stops at the calls of the class alone, all others run at full speed. A
 * call that must fail is not made: its number is replaced by -1 and its result by the error. A
 * close that fails closes, as Linux does. Allocations are made to fail by preload.c.
 *
 * REPORT gets one line: how often a call failed, how many calls there were, how the command ended,
 * which call was the first to fail. The exit
 * status is 0 whenever there is a report, 77 where processes cannot be traced.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "inject.h"

/* x86-64 has the old calls beside the new ones; -1 stands for a call that a machine lacks. */
#ifndef SYS_open
#define SYS_open    -1
#define SYS_creat   -1
#define SYS_mkdir   -1
#define SYS_rename  -1
#define SYS_link    -1
#define SYS_symlink -1
#define SYS_fork    -1
#define SYS_vfork   -1
#define SYS_pipe    -1
#define SYS_dup2    -1
#endif
#ifndef SYS_renameat
#define SYS_renameat -1
#endif

enum { MOST_CALLS = 10 };

static const struct class
{
    const char *name;
    long calls[MOST_CALLS]; /* 0 ends the list where it is shorter; no call has the number 0 but
                               x86-64's read, which comes first */
    int n;
} classes[] = {
    {"alloc", {0}, 0},
    {"write",
     {SYS_write, SYS_pwrite64, SYS_writev, SYS_pwritev, SYS_sendfile, SYS_copy_file_range},
     6},
    {"read", {SYS_read, SYS_pread64, SYS_readv}, 3},
    {"open", {SYS_openat, SYS_open, SYS_creat, SYS_mkdirat, SYS_mkdir}, 5},
    {"openread", {SYS_openat, SYS_open}, 2},
    {"rename",
     {SYS_renameat2, SYS_renameat, SYS_rename, SYS_linkat, SYS_link, SYS_symlinkat, SYS_symlink},
     7},
    {"sync", {SYS_fsync, SYS_fdatasync, SYS_msync, SYS_sync_file_range}, 4},
    {"close", {SYS_close}, 1},
    {"truncate", {SYS_ftruncate, SYS_truncate, SYS_fallocate}, 3},
    {"mmap", {SYS_mmap, SYS_mremap}, 2},
    {"fork", {SYS_clone, SYS_clone3, SYS_fork, SYS_vfork}, 4},
    {"exec", {SYS_execve, SYS_execveat}, 2},
    {"pipe", {SYS_pipe2, SYS_pipe, SYS_dup3, SYS_dup2, SYS_dup}, 5},
    /* everything that changes a file: for kill */
    {"files",
     {SYS_write, SYS_pwrite64, SYS_openat, SYS_renameat, SYS_renameat2, SYS_fsync, SYS_close,
      SYS_ftruncate, SYS_fallocate, SYS_unlinkat},
     10},
};

enum { CLASSES = sizeof classes / sizeof *classes, MOST_TASKS = 4096, KILL = -1, SHORT = -2 };

static const struct class *asked;   /* null: all are counted, and none fails */
static long seen, numbers[CLASSES]; /* calls of the class that was asked for; of each */
static long first, hits;
static bool persistent, with_children, but_output, begun;
static int action, seconds = 20;
static pid_t root;
static char what[256] = "-";
static const char *in_path; /* -p */
static volatile sig_atomic_t late;

static void die(const char *why)
{
    fprintf(stderr, "inject: %s: %s\n", why, strerror(errno));
    exit(77);
}

/* ---- registers ---- */

static void set_result(pid_t task, long result)
{
    struct user_regs_struct r;
    struct iovec v = {&r, sizeof r};
    if (ptrace(PTRACE_GETREGSET, task, (void *)NT_PRSTATUS, &v))
        return;
#if defined(__aarch64__)
    r.regs[0] = (unsigned long long)result;
#elif defined(__x86_64__)
    r.rax = (unsigned long long)result;
#endif
    ptrace(PTRACE_SETREGSET, task, (void *)NT_PRSTATUS, &v);
}

/* The call is not made. */
static void skip(pid_t task, long result)
{
    set_result(task, result);
#if defined(__aarch64__)
    int none = -1;
    struct iovec v = {&none, sizeof none};
    ptrace(PTRACE_SETREGSET, task, (void *)NT_ARM_SYSTEM_CALL, &v);
#elif defined(__x86_64__)
    ptrace(PTRACE_POKEUSER, task, (void *)offsetof(struct user_regs_struct, orig_rax), (void *)-1L);
#else
    (void)task;
#endif
}

static void halve(pid_t task, uint64_t bytes)
{
    struct user_regs_struct r;
    struct iovec v = {&r, sizeof r};
    if (bytes < 2 || ptrace(PTRACE_GETREGSET, task, (void *)NT_PRSTATUS, &v))
        return;
#if defined(__aarch64__)
    r.regs[2] = bytes / 2;
#elif defined(__x86_64__)
    r.rdx = bytes / 2;
#endif
    ptrace(PTRACE_SETREGSET, task, (void *)NT_PRSTATUS, &v);
}

/* ---- which calls count ---- */

static bool to_write(long call, const uint64_t *args)
{
    uint64_t flags = call == SYS_openat ? args[2] : call == SYS_open ? args[1] : O_WRONLY;
    return (flags & (O_WRONLY | O_RDWR | O_CREAT)) != 0;
}

static bool is_open(long call)
{
    return call == SYS_openat || call == SYS_open;
}

static bool is_named(long call)
{
    return is_open(call) || call == SYS_creat || call == SYS_mkdir || call == SYS_mkdirat ||
           call == SYS_rename || call == SYS_renameat || call == SYS_renameat2 ||
           call == SYS_link || call == SYS_linkat || call == SYS_unlinkat || call == SYS_symlink ||
           call == SYS_symlinkat;
}

/* The file of a call, by its first name or its descriptor. */
static void file_of(pid_t task, long call, const uint64_t *args, char *path, size_t size)
{
    char link[64];
    ssize_t n;
    if (is_named(call)) {
        bool is_first = call == SYS_open || call == SYS_creat || call == SYS_mkdir ||
                        call == SYS_rename || call == SYS_link || call == SYS_symlink ||
                        call == SYS_symlinkat;
        /* up to the end of its page, where a name may be the last thing mapped */
        uintptr_t from = (uintptr_t)args[is_first ? 0 : 1], whole = 4096 - from % 4096;
        struct iovec here = {path, size - 1},
                     there = {(void *)from, whole < size - 1 ? whole : size - 1};
        n = process_vm_readv(task, &here, 1, &there, 1, 0);
    } else {
        snprintf(link, sizeof link, "/proc/%ld/fd/%ld", (long)task, (long)args[0]);
        n = readlink(link, path, size - 1);
    }
    path[n > 0 ? n : 0] = 0;
}

static bool counts(const struct class *c, long call, const uint64_t *args)
{
    bool in_class = false;
    for (int i = 0; i < c->n; i++)
        in_class = in_class || (c->calls[i] == call && call != -1);
    if (!in_class)
        return false;
    if (is_open(call) && strcmp(c->name, "openread") == 0)
        return !to_write(call, args);
    if (is_open(call))
        return to_write(call, args);
    /* Messages must arrive: a disk that is full does not keep a terminal from showing them. */
    if (call == SYS_write || call == SYS_writev)
        return args[0] != STDERR_FILENO && !(but_output && args[0] == STDOUT_FILENO);
    return true;
}

static void describe(pid_t task, long call, const uint64_t *args)
{
    char path[128];
    file_of(task, call, args, path, sizeof path);
    snprintf(what, sizeof what, "call %ld (0x%lx, 0x%lx, 0x%lx) on %s", call,
             (unsigned long)args[0], (unsigned long)args[1], (unsigned long)args[2], path);
}

static bool is_asked_file(pid_t task, long call, const uint64_t *args)
{
    char path[1024];
    if (!in_path)
        return true;
    file_of(task, call, args, path, sizeof path);
    return strstr(path, in_path) != NULL;
}

/* ---- the tracer ---- */

static pid_t tasks[MOST_TASKS];
static bool failing_exit[MOST_TASKS];
static int ntasks;

static int find_task(pid_t task)
{
    for (int i = 0; i < ntasks; i++)
        if (tasks[i] == task)
            return i;
    return -1;
}

static int add_task(pid_t task)
{
    if (ntasks == MOST_TASKS) {
        errno = ENFILE;
        die("too many tasks");
    }
    tasks[ntasks] = task;
    failing_exit[ntasks] = false;
    return ntasks++;
}

static void drop_task(pid_t task)
{
    int i = find_task(task);
    if (i < 0)
        return;
    ntasks--;
    tasks[i] = tasks[ntasks];
    failing_exit[i] = failing_exit[ntasks];
}

static pid_t process_of(pid_t task)
{
    char path[64], line[128];
    long group = task;
    snprintf(path, sizeof path, "/proc/%ld/status", (long)task);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (sscanf(line, "Tgid: %ld", &group) == 1)
            break;
    if (f)
        fclose(f);
    return (pid_t)group;
}

static void at_mark(enum faults_mark which, long value)
{
    if (which == FAULTS_MAIN)
        begun = true;
    else if (which == FAULTS_HIT)
        hits++;
    else if (!asked && value > numbers[0]) /* allocations are the first class */
        numbers[0] = value;
    else if (asked && asked->n == 0 && value > seen)
        seen = value;
}

/* Is this a call of the class? The program that execve starts is a child's business, but for the
 * first one of all. */
static bool is_of(const struct class *c, pid_t task, long call, const uint64_t *args)
{
    if (!begun || !counts(c, call, args))
        return false;
    return (with_children || strcmp(c->name, "exec") == 0 || process_of(task) == root) &&
           is_asked_file(task, call, args);
}

/* At a stop of the filter: does this call fail? Returns how the task goes on. */
static enum __ptrace_request at_call(pid_t task, int index)
{
    struct __ptrace_syscall_info info;
    memset(&info, 0, sizeof info);
    if (ptrace(PTRACE_GET_SYSCALL_INFO, task, (void *)sizeof info, &info) < 0 ||
        info.op != PTRACE_SYSCALL_INFO_SECCOMP)
        return PTRACE_CONT;
    long call = (long)info.seccomp.nr;
    const uint64_t *args = (const uint64_t *)info.seccomp.args;
    if (call == SYS_prctl) {
        if (args[0] == FAULTS_MARK)
            at_mark((enum faults_mark)args[1], (long)args[2]);
        return PTRACE_CONT;
    }
    if (!asked) {
        for (int i = 0; i < CLASSES; i++)
            numbers[i] += is_of(&classes[i], task, call, args);
        return PTRACE_CONT;
    }
    if (!is_of(asked, task, call, args))
        return PTRACE_CONT;
    seen++;
    if (persistent ? seen < first : seen != first)
        return PTRACE_CONT;
    hits++;
    if (hits == 1)
        describe(task, call, args);
    if (action == KILL) {
        kill(root, SIGKILL);
        if (with_children)
            kill(process_of(task), SIGKILL);
        return PTRACE_CONT;
    }
    if (action == SHORT) {
        halve(task, args[2]);
        return PTRACE_CONT;
    }
    if (call == SYS_close) {
        failing_exit[index] = true;
        return PTRACE_SYSCALL;
    }
    skip(task, -action);
    return PTRACE_CONT;
}

static void go(enum __ptrace_request how, pid_t task, int signal_number)
{
    ptrace(how, task, NULL, (void *)(long)signal_number);
}

static void at_stop(pid_t task, int status)
{
    int index = find_task(task), signal_number = WSTOPSIG(status), event = status >> 16;
    if (index < 0) { /* a new child begins with a stop of its own */
        index = add_task(task);
        if (signal_number == SIGSTOP) {
            go(PTRACE_CONT, task, 0);
            return;
        }
    }
    if (event == PTRACE_EVENT_SECCOMP) {
        go(at_call(task, index), task, 0);
    } else if (event) {
        go(PTRACE_CONT, task, 0);
    } else if (signal_number == (SIGTRAP | 0x80)) {
        if (failing_exit[index])
            set_result(task, -action);
        failing_exit[index] = false;
        go(PTRACE_CONT, task, 0);
    } else {
        go(PTRACE_CONT, task, signal_number);
    }
}

/* Returns the wait status of the command, or -1 when it took too long. */
static int trace(void)
{
    int ended = 0;
    while (ntasks > 0 && !late) {
        int status;
        pid_t task = waitpid(-1, &status, __WALL);
        if (task < 0 && errno == EINTR)
            continue;
        if (task < 0)
            break;
        if (WIFSTOPPED(status)) {
            at_stop(task, status);
            continue;
        }
        if (task == root)
            ended = status;
        drop_task(task);
    }
    return late ? -1 : ended;
}

static void on_alarm(int number)
{
    (void)number;
    late = 1;
}

/* ---- the command ---- */

static void install_filter(void)
{
    enum { MOST = MOST_CALLS * CLASSES + 1 };
    struct sock_filter f[MOST + 3];
    uint32_t calls[MOST] = {(uint32_t)SYS_prctl};
    unsigned n = 0, tests = 1;
    for (int i = 0; i < CLASSES; i++)
        for (int k = 0; k < classes[i].n && (!asked || asked == &classes[i]); k++)
            calls[tests++] = (uint32_t)classes[i].calls[k];
    f[n++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (unsigned i = 0; i < tests; i++)
        f[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, calls[i],
                                              (uint8_t)(tests - i), 0);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    f[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
    struct sock_fprog program = {(unsigned short)n, f};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1L, 0L, 0L, 0L) || prctl(PR_SET_SECCOMP, 2L, &program))
        die("seccomp");
}

static void start(char **command, const char *number)
{
    const char *library = getenv("CLL_FAULTS_PRELOAD");
    if (library)
        setenv("LD_PRELOAD", library, 1);
    if (!asked || asked->n == 0)
        setenv(FAULTS_ALLOC, number, 1);
    if (with_children)
        setenv(FAULTS_CHILDREN, "1", 1);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
        die("ptrace");
    raise(SIGSTOP);
    install_filter();
    execvp(command[0], command);
    die(command[0]);
}

/* The last field of the report, where all were counted. */
static void list_numbers(void)
{
    size_t n = 0;
    for (int i = 0; i < CLASSES && n < sizeof what; i++)
        n += (size_t)snprintf(what + n, sizeof what - n, "%s=%ld ", classes[i].name, numbers[i]);
}

static int report(const char *path, int ended)
{
    if (!asked)
        list_numbers();
    FILE *f = fopen(path, "w");
    if (!f)
        die(path);
    if (ended < 0)
        fprintf(f, "%ld %ld timeout 0 %s\n", hits, seen, what);
    else if (WIFSIGNALED(ended))
        fprintf(f, "%ld %ld signal %d %s\n", hits, seen, WTERMSIG(ended), what);
    else
        fprintf(f, "%ld %ld exit %d %s\n", hits, seen, WEXITSTATUS(ended), what);
    return fclose(f) ? 77 : 0;
}

int main(int argc, char **argv)
{
    int option;
    while ((option = getopt(argc, argv, "+cop:t:")) != -1) {
        if (option == 'c')
            with_children = true;
        else if (option == 'o')
            but_output = true;
        else if (option == 'p')
            in_path = optarg;
        else if (option == 't')
            seconds = atoi(optarg);
    }
    char **a = argv + optind;
    if (argc - optind < 5) {
        fprintf(stderr,
                "usage: inject [-c] [-o] [-t SECONDS] REPORT CLASS N[+] ACTION COMMAND...\n");
        return 2;
    }
    for (int i = 0; i < CLASSES; i++)
        if (strcmp(classes[i].name, a[1]) == 0)
            asked = &classes[i];
    char *rest;
    first = strtol(a[2], &rest, 10);
    persistent = *rest == '+';
    action = strcmp(a[3], "kill") == 0 ? KILL : strcmp(a[3], "short") == 0 ? SHORT : atoi(a[3]);
    bool is_known = asked || strcmp(a[1], "count") == 0;
    if (!is_known || first < 1 || action == 0) {
        fprintf(stderr, "inject: no class %s, or no such number or action\n", a[1]);
        return 2;
    }
    root = fork();
    if (root == 0)
        start(a + 4, a[2]);
    int status;
    if (root < 0 || waitpid(root, &status, 0) != root || !WIFSTOPPED(status))
        die("the command did not start");
    long options = PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL | PTRACE_O_TRACESYSGOOD |
                   PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE |
                   PTRACE_O_TRACEEXEC;
    if (ptrace(PTRACE_SETOPTIONS, root, NULL, (void *)options))
        die("ptrace");
    struct sigaction at = {.sa_handler = on_alarm};
    sigaction(SIGALRM, &at, NULL);
    alarm((unsigned)seconds);
    add_task(root);
    go(PTRACE_CONT, root, 0);
    return report(a[0], trace());
}
