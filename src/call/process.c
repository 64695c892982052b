/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fork, exec and wait. Handlers only note the signal and pass it on to the child: the main program
 * continues after wait, so that the temporary folder is removed unless SIGKILL ends the program.
 */
#define _GNU_SOURCE 1 /* syscall */
#include "call/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/outfile.h"
#include "base/printable.h"
#include "base/source.h"

static volatile sig_atomic_t caught;
static volatile sig_atomic_t insisted;
static bool hides_pipe;      /* SIGPIPE is ignored by us, not by who started us */
static volatile pid_t child; /* what signals are for: the child, or minus its process group */
static char temporary[4096];
static pid_t temporary_owner;

void words_add(struct arena *a, struct words *w, const char *word)
{
    w->list = arena_grow(a, w->list, w->n, &w->capacity, w->n + 2, sizeof *w->list);
    w->list[w->n++] = word;
    w->list[w->n] = NULL;
}

void words_add_all(struct arena *a, struct words *w, const struct words *more)
{
    for (size_t i = 0; i < more->n; i++)
        words_add(a, w, more->list[i]);
}

void words_add_list(struct arena *a, struct words *w, const char *const *list)
{
    for (; *list; list++)
        words_add(a, w, *list);
}

void words_printf(struct arena *a, struct words *w, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    words_add(a, w, arena_vprintf(a, format, args));
    va_end(args);
}

bool words_have_flag(const struct words *w, const char *part)
{
    for (size_t i = 0; i < w->n; i++)
        if (w->list[i][0] == '-' && strstr(w->list[i], part))
            return true;
    return false;
}

/* Seconds that a program has to end after the signal, and then after SIGTERM. */
enum { PATIENCE = 10, LAST_PATIENCE = 5 };

/* What a terminal sends reaches the child by itself, unless it has a group of its own, and a launcher that gets it twice
 * leaves its processes running. */
static void on_signal(int number, siginfo_t *info, void *context)
{
    int saved = errno;
    (void)context;
    caught = number;
    if (child) {
        if (child < 0 || info->si_code != SI_KERNEL)
            kill(child, number);
        alarm(PATIENCE);
    }
    errno = saved;
}

/* It does not end: first it is asked, then it is made to. */
static void on_alarm(int number)
{
    int saved = errno;
    (void)number;
    if (child) {
        kill(child, insisted ? SIGKILL : SIGTERM);
        insisted = 1;
        alarm(LAST_PATIENCE);
    }
    errno = saved;
}

static const int signals[] = {SIGINT, SIGTERM, SIGHUP};

static void catch_signals(void)
{
    struct sigaction now, old;
    memset(&now, 0, sizeof now);
    sigemptyset(&now.sa_mask);
    now.sa_sigaction = on_signal;
    now.sa_flags = SA_SIGINFO;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler != SIG_IGN)
            sigaction(signals[i], &now, NULL);
    now.sa_handler = on_alarm;
    now.sa_flags = 0;
    sigaction(SIGALRM, &now, NULL);
    /* A reader of our output that is gone must not cost what was measured. */
    if (!sigaction(SIGPIPE, NULL, &old) && old.sa_handler == SIG_DFL)
        hides_pipe = signal(SIGPIPE, SIG_IGN) == SIG_DFL;
}

int process_signal(void)
{
    return caught;
}

void process_forget_signal(void)
{
    caught = 0;
}

/* In the child: one of its standard streams. */
static int redirect(int fd, enum process_stream kind, const char *file)
{
    if (kind == PROCESS_KEEP)
        return 0;
    int flags = fd == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    int opened = open(kind == PROCESS_NULL ? "/dev/null" : file, flags, 0666);
    if (opened < 0 || dup2(opened, fd) < 0)
        return -1;
    if (opened != fd)
        close(opened);
    return 0;
}

void process_show_pipe(void)
{
    if (hides_pipe)
        signal(SIGPIPE, SIG_DFL);
    output_setup_undo();
}

/* Blocks SIGCHLD, so that wait_ticking can wait for it; the mask of before is for the child and for
 * the end. */
static void hold_ends(sigset_t *before)
{
    sigset_t end;
    sigemptyset(&end);
    sigaddset(&end, SIGCHLD);
    sigprocmask(SIG_BLOCK, &end, before);
}

/* Waits for the child, and calls tick in between. */
static void wait_ticking(pid_t pid, int *status, const struct process_options *o)
{
    static const struct timespec quarter = {0, 250000000};
    sigset_t end;
    pid_t ended;
    sigemptyset(&end);
    sigaddset(&end, SIGCHLD);
    while ((ended = wait4(pid, status, WNOHANG, o->usage)) == 0 || (ended < 0 && errno == EINTR))
        if (sigtimedwait(&end, NULL, &quarter) < 0 && errno == EAGAIN)
            o->tick(o->user);
}

/* In the child; reports why exec failed through the pipe. */
static void start(const struct words *w, const struct process_options *o, int report)
{
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (caught == 0) {
            struct sigaction old;
            if (!sigaction(signals[i], NULL, &old) && old.sa_sigaction == on_signal)
                signal(signals[i], SIG_DFL);
        }
    process_show_pipe();
    int error = 0;
    if (o->group) {
        setpgid(0, 0);
        prctl(PR_SET_PDEATHSIG, SIGTERM); /* what ends us, and not our group, ends it as well */
    }
    if (redirect(STDIN_FILENO, o->in, o->in_file) || redirect(STDOUT_FILENO, o->out, o->out_file) ||
        redirect(STDERR_FILENO, o->err, o->err_file))
        error = errno;
    for (const char *const *e = o->environment; !error && e && *e; e++)
        if (putenv((char *)*e))
            error = errno;
    if (!error) {
        execvp(w->list[0], (char *const *)w->list);
        error = errno;
    }
    if (write(report, &error, sizeof error) != (ssize_t)sizeof error)
        _exit(126);
    _exit(127);
}

/* What the child started and left behind when it was ended: those that the signal did not end are asked, and made to. Orphans
 * become our children, so that they can be waited for. */
static void end_group(pid_t group)
{
    static const struct timespec moment = {0, 10000000};
    if (!insisted && caught != SIGTERM) /* a shell lets what is in its background ignore SIGINT */
        kill(-group, SIGTERM);
    for (int i = 0; i < LAST_PATIENCE * 100 && !kill(-group, 0); i++) {
        while (waitpid(-group, NULL, WNOHANG) > 0)
            continue;
        nanosleep(&moment, NULL);
    }
    kill(-group, SIGKILL);
}

int process_run(const struct words *w, const struct process_options *options)
{
    static const struct process_options plain;
    bool group = options && options->group;
    int fds[2], status = 0, error = 0;
    if (pipe2(fds, O_CLOEXEC))
        return -1;
    output_flush();
    sigset_t mask;
    hold_ends(&mask);
    pid_t pid = fork();
    if (pid <= 0)
        sigprocmask(SIG_SETMASK, &mask, NULL);
    if (pid < 0) {
        error = errno;
        close(fds[0]);
        close(fds[1]);
        errno = error;
        return -1;
    }
    if (pid == 0)
        start(w, options ? options : &plain, fds[1]);
    insisted = 0;
    if (group) {
        setpgid(pid, pid); /* here and in the child: whoever comes first */
        prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    }
    child = group ? -pid : pid;
    if (options && options->limit)
        alarm(options->limit);
    if (caught) { /* came between the fork and here */
        kill(child, caught);
        alarm(PATIENCE);
    }
    close(fds[1]);
    ssize_t n;
    do
        n = read(fds[0], &error, sizeof error);
    while (n < 0 && errno == EINTR);
    close(fds[0]);
    if (options && options->tick)
        wait_ticking(pid, &status, options);
    else
        while (wait4(pid, &status, 0, options ? options->usage : NULL) < 0 && errno == EINTR)
            continue;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    child = 0;
    alarm(0);
    if (group && (insisted || caught))
        end_group(pid);
    if (group)
        prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
    if (n == (ssize_t)sizeof error) {
        errno = error;
        return -1;
    }
    return status;
}

char *process_output(struct arena *a, const struct words *w, const char *const *environment)
{
    enum { MOST = 1 << 20 };
    const char *folder = process_temporary(a);
    char *text;
    size_t size;
    if (!folder)
        return NULL;
    struct process_options o = {.out = PROCESS_FILE,
                                .out_file = arena_printf(a, "%s/printed", folder),
                                .in = PROCESS_NULL,
                                .err = PROCESS_NULL,
                                .environment = environment};
    return process_run(w, &o) || process_read(a, o.out_file, MOST, &text, &size) ? NULL : text;
}

bool process_reached_limit(void)
{
    return insisted && !caught;
}

int process_exit_status(int status)
{
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- files ---- */

/* As the kernel gives them: readdir needs memory, and there may be none left. */
struct entry {
    uint64_t inode;
    int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[];
};

static bool remove_one(int folder, const char *name)
{
    return !unlinkat(folder, name, 0) || !unlinkat(folder, name, AT_REMOVEDIR);
}

/* A folder that is nested deeper than a stack or open files allow moves to the top. */
static bool move_up(int top, int folder, const char *name)
{
    static unsigned long number;
    char other[32];
    for (int tries = 0; tries < 100; tries++) {
        snprintf(other, sizeof other, "moved-%lu", number++);
        if (!renameat(folder, name, top, other))
            return true;
        if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
            break;
    }
    return false;
}

static bool empty_folder(int top, int folder, unsigned depth);

/* Returns whether something has changed. */
static bool remove_entry(int top, int folder, const char *name, unsigned depth)
{
    enum { DEEPEST = 32 };
    if (remove_one(folder, name))
        return true;
    if (depth == DEEPEST)
        return move_up(top, folder, name);
    int inside = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (inside < 0)
        return false;
    bool changed = empty_folder(top, inside, depth + 1);
    close(inside);
    return remove_one(folder, name) || changed;
}

/* Reads from the start again as long as something changes: what is removed while a folder is read may make it skip others. */
static bool empty_folder(int top, int folder, unsigned depth)
{
    _Alignas(struct entry) char list[4096];
    bool ever = false, changed = true;
    while (changed && lseek(folder, 0, SEEK_SET) == 0) {
        long bytes;
        changed = false;
        while ((bytes = syscall(SYS_getdents64, folder, list, sizeof list)) > 0)
            for (long at = 0; at < bytes; at += ((const struct entry *)(list + at))->length) {
                const char *name = ((const struct entry *)(list + at))->name;
                if (strcmp(name, ".") && strcmp(name, ".."))
                    changed |= remove_entry(top, folder, name, depth);
            }
        ever |= changed;
    }
    return ever;
}

void process_remove_tree(const char *path)
{
    if (remove_one(AT_FDCWD, path))
        return;
    int top = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (top < 0)
        return;
    empty_folder(top, top, 0);
    close(top);
    remove_one(AT_FDCWD, path);
}

void process_keep_temporary(void)
{
    temporary[0] = '\0';
}

void process_remove_temporary(void)
{
    if (temporary[0] && temporary_owner == getpid()) {
        process_remove_tree(temporary);
        temporary[0] = '\0';
    }
}

const char *process_temporary(struct arena *a)
{
    if (temporary[0])
        return temporary;
    const char *base = getenv("TMPDIR");
    if (!base || base[0] != '/')
        base = "/tmp";
    char *path = arena_printf(a, "%s/call-XXXXXX", base);
    if (strlen(path) >= sizeof temporary) {
        errno = ENAMETOOLONG;
        return NULL;
    }
    if (!mkdtemp(path))
        return NULL;
    strcpy(temporary, path);
    temporary_owner = getpid();
    catch_signals(); /* before this there is nothing to clean up: a signal may just end the program
                      */
    atexit(process_remove_temporary);
    return temporary;
}

int process_make_folders(const char *path)
{
    MEM_LOCAL char *copy = mem_strdup(path);
    int result = 0;
    for (char *p = copy + 1; *p && !result; p++)
        if (*p == '/') {
            *p = '\0';
            if (mkdir(copy, 0777) && errno != EEXIST)
                result = -1;
            *p = '/';
        }
    return result;
}

int process_read(struct arena *a, const char *path, size_t limit, char **text, size_t *size)
{
    MEM_LOCAL char *read = NULL;
    int error = source_read(path, limit, &read, size);
    if (!error)
        *text = memcpy(arena_alloc(a, *size + 1, 1), read, *size + 1);
    return error;
}

int process_write(const char *path, const char *text, size_t size)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return -1;
    bool good = fwrite(text, 1, size, f) == size;
    int error = errno;
    if (fclose(f)) {
        good = false;
        error = errno;
    }
    errno = error;
    return good ? 0 : -1;
}

int process_save(const char *self, const char *path, const char *text, size_t size)
{
    return process_write(path, text, size)
               ? say("%s: cannot write %s: %s\n", self, path, strerror(errno))
               : 0;
}

int process_new_folder(const char *self, const char *path)
{
    return mkdir(path, 0777)
               ? say("%s: cannot make the folder %s: %s\n", self, path, strerror(errno))
               : 0;
}

void process_leave(void)
{
    process_remove_temporary();
    if (!caught)
        return;
    fflush(NULL);
    signal(caught, SIG_DFL);
    raise(caught);
}
