/* SPDX-License-Identifier: MIT */
/*
 * CLL_OUT may name a character device, a pipe, or a descriptor of the process (/dev/stdout,
 * /dev/fd/3). The text is written directly to these. The file system tells what a path is, not its
 * name: /dev/shm/x.dat is a file.
 *
 * They are opened non-blocking: a pipe without a reader, or one whose reader has stopped, must not
 * keep the program from ending. (The descriptors of the program itself do not become non-blocking.)
 * The run-time waits for at most CLL_PATIENCE seconds, and then reports an error.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define PROC_MAGIC   0x9fa0 /* f_type of procfs */
#define MOST_LINKS   40
#define PAUSE_NS     10000000
#define SAY_AFTER_NS 1000000000u

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The folder of a path, in place; the path must have a slash. */
static void cut_name(char *path)
{
    char *slash = strrchr(path, '/');
    slash[slash == path] = 0;
}

/* Does the path lead into /proc, where the descriptors of processes are? */
static int is_descriptor(const char *path)
{
    char at[PATH_MAX], next[PATH_MAX], folder[PATH_MAX];
    struct statfs where;
    snprintf(at, sizeof at, "%s", path);
    for (int links = 0; links < MOST_LINKS; links++) {
        memcpy(folder, at, sizeof folder);
        cut_name(folder);
        if (!statfs(folder, &where) && where.f_type == PROC_MAGIC)
            return 1;
        ssize_t length = readlink(at, next, sizeof next - 1);
        if (length <= 0)
            return 0;
        next[length] = 0;
        if (next[0] == '/')
            memcpy(at, next, sizeof at);
        else if ((size_t)snprintf(at, sizeof at, "%.*s/%s", PATH_MAX / 2, folder, next) >=
                 sizeof at)
            return 0;
    }
    return 0;
}

enum cll_device cll_device_kind(const char *path)
{
    struct stat status;
    if (is_descriptor(path))
        return DEVICE_YES;
    if (stat(path, &status) || S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))
        return DEVICE_NO;
    return S_ISCHR(status.st_mode) || S_ISFIFO(status.st_mode) ? DEVICE_YES : DEVICE_UNUSABLE;
}

static int is_pipe(const char *path)
{
    struct stat status;
    return !stat(path, &status) && S_ISFIFO(status.st_mode);
}

/* Nanoseconds; 0: without end. */
static uint64_t patience_ns(void)
{
    return (uint64_t)(cll_settings.patience * 1e9);
}

int cll_device_open(const char *path)
{
    const struct timespec pause = {0, PAUSE_NS};
    uint64_t start = now_ns();
    for (int said = 0;;) {
        int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
        if (fd >= 0 || (errno != ENXIO && errno != EINTR) || !is_pipe(path))
            return fd;
        uint64_t waited = now_ns() - start;
        if (patience_ns() && waited >= patience_ns()) {
            errno = ENXIO;
            return -1;
        }
        if (!said && waited >= SAY_AFTER_NS) {
            cll_say("CLL_OUT=%s: no process reads this pipe; waiting for one", path);
            said = 1;
        }
        nanosleep(&pause, NULL);
    }
}

int cll_device_wait(int fd)
{
    struct pollfd wait = {.fd = fd, .events = POLLOUT};
    uint64_t start = now_ns(), most = patience_ns();
    for (;;) {
        uint64_t waited = now_ns() - start;
        if (most && waited >= most)
            return ETIMEDOUT;
        int left_ms = most ? (int)((most - waited) / 1000000u) + 1 : -1;
        int ready = poll(&wait, 1, left_ms);
        if (ready > 0)
            return 0;
        if (ready < 0 && errno != EINTR)
            return errno;
    }
}

const char *cll_device_trouble(int error)
{
    return error == ENXIO       ? "no process reads it"
           : error == ETIMEDOUT ? "the process that reads it has stopped reading"
                                : strerror(error);
}
