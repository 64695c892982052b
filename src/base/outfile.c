/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output files that appear whole or not at all, temporary files, the standard output (see file.h).
 *
 * The names of temporary files are also kept in a table that signal handlers and exit can read; a
 * forked child finds another process's number there and removes nothing.
 */
#define _GNU_SOURCE 1 /* O_TMPFILE */
#include "base/outfile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { MOST_OPEN = 16, MOST_LINKS = 40, LONGEST_STEM = 200 };

static char *volatile open_temporaries[MOST_OPEN];
static volatile pid_t owner; /* of the table; 0 before the first temporary file */
static int output_error;     /* why the standard output could not be written, 0 = it could */
static bool hides_limit;     /* SIGXFSZ is ignored by us, not by the parent process */

/* ---- removing temporary files on every way out ---- */

static void remove_temporaries(void)
{
    if (owner != getpid())
        return;
    for (size_t i = 0; i < MOST_OPEN; i++)
        if (open_temporaries[i])
            unlink(open_temporaries[i]);
}

static void on_signal(int number)
{
    remove_temporaries();
    signal(number, SIG_DFL);
    raise(number);
}

static void guard_temporaries(void)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, old;
    if (!owner)
        atexit(remove_temporaries);
    if (owner != getpid()) /* what is in the table is the parent's */
        for (size_t i = 0; i < MOST_OPEN; i++)
            open_temporaries[i] = NULL;
    owner = getpid();
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}

/* In the table before the file exists, so that no moment is without a guard. The table owns the
 * name's copy: the outfile may be gone after a jump. */
static void enter_table(const char *temporary)
{
    guard_temporaries();
    for (size_t i = 0; i < MOST_OPEN; i++)
        if (!open_temporaries[i]) {
            open_temporaries[i] = mem_strdup(temporary);
            return;
        }
}

static void leave_table(const char *temporary)
{
    for (size_t i = 0; i < MOST_OPEN; i++) {
        char *entry = open_temporaries[i];
        if (!entry || strcmp(entry, temporary) != 0)
            continue;
        open_temporaries[i] = NULL;
        mem_free(entry);
        return;
    }
}

void outfile_abandon_all(void)
{
    remove_temporaries();
    for (size_t i = 0; i < MOST_OPEN; i++) {
        mem_free(open_temporaries[i]);
        open_temporaries[i] = NULL;
    }
}

/* ---- output files ---- */

/* The length of the folder in front of the last name, with its slash. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* What a link at `path` says, as a path from here; NULL with errno (EINVAL: it is not a link). */
static char *link_target(const char *path)
{
    char target[PATH_MAX + 1];
    ssize_t n = readlink(path, target, PATH_MAX);
    if (n < 0)
        return NULL;
    target[n] = 0;
    size_t folder = target[0] == '/' ? 0 : folder_length(path);
    char *whole = mem_alloc(folder + (size_t)n + 1, 1);
    memcpy(whole, path, folder);
    memcpy(whole + folder, target, (size_t)n + 1);
    return whole;
}

/* Follows the links at the end of the path; the last one may point to a file that is not there. */
static int follow_links(struct outfile *f)
{
    for (int links = 0; links < MOST_LINKS; links++) {
        char *target = link_target(f->path);
        if (!target)
            return errno == EINVAL || errno == ENOENT ? 0 : -1;
        mem_free(f->path);
        f->path = target;
    }
    errno = ELOOP;
    return -1;
}

/* A new file beside the target. The name's stem is cut so that it stays within what file systems
 * allow. */
static int create_beside(struct outfile *f, mode_t mode)
{
    size_t size = strlen(f->path) + 48, folder = folder_length(f->path);
    f->temporary = mem_alloc(size, 1);
    for (unsigned try = 0; try < 1000; try++) {
        snprintf(f->temporary, size, "%.*s%.*s.%ld.%u.tmp", (int)folder, f->path, LONGEST_STEM,
                 f->path + folder, (long)getpid(), try);
        enter_table(f->temporary);
        int fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0)
            return fd;
        int error = errno;
        leave_table(f->temporary);
        errno = error;
        if (error != EEXIST)
            return -1;
    }
    return -1;
}

/* Owner and permissions of the file that is replaced. Where the group cannot be kept, the new group
 * gets no more than everybody has. */
static int take_over(int fd, const struct stat *old)
{
    mode_t mode = old->st_mode & 0777;
    struct stat now;
    if (fstat(fd, &now))
        return -1;
    bool moved = now.st_uid == old->st_uid || fchown(fd, old->st_uid, (gid_t)-1) == 0;
    if (now.st_gid != old->st_gid && fchown(fd, (uid_t)-1, old->st_gid))
        mode = (mode & ~(mode_t)070) | ((mode & 07) << 3);
    if (!moved)
        mode |= S_IRUSR | S_IWUSR;
    return fchmod(fd, mode);
}

static int forget(struct outfile *f, int error)
{
    if (f->temporary)
        leave_table(f->temporary);
    mem_free(f->path);
    mem_free(f->temporary);
    f->path = f->temporary = NULL;
    f->stream = NULL;
    errno = error;
    return error ? -1 : 0;
}

/* One of our own standard streams, by whatever name: it must be continued, not replaced. */
static int standard_stream(const struct stat *file)
{
    struct stat st;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &st) == 0 && st.st_dev == file->st_dev && st.st_ino == file->st_ino &&
            (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
            return fd;
    return -1;
}

static int open_directly(const char *path, const struct stat *st)
{
    if (S_ISDIR(st->st_mode)) {
        errno = EISDIR;
        return -1;
    }
    int fd = standard_stream(st);
    if (fd < 0)
        return open(path, O_WRONLY | O_CLOEXEC);
    fflush(stdout);
    return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static int open_replacement(struct outfile *f, const struct stat *old)
{
    if (follow_links(f) || (old && access(f->path, W_OK)))
        return -1;
    int fd = create_beside(f, old ? 0600 : 0666);
    if (fd < 0 || !old || take_over(fd, old) == 0)
        return fd;
    int error = errno;
    unlink(f->temporary);
    close(fd);
    errno = error;
    return -1;
}

int outfile_open(struct outfile *f, const char *path)
{
    struct stat st;
    *f = (struct outfile){.path = mem_strdup(path)};
    /* The kernel's word on whether links may be followed here comes first. */
    bool there = stat(path, &st) == 0;
    if (!there && errno != ENOENT)
        return forget(f, errno);
    bool direct = there && (!S_ISREG(st.st_mode) || standard_stream(&st) >= 0);
    int fd = direct ? open_directly(path, &st) : open_replacement(f, there ? &st : NULL);
    if (fd < 0)
        return forget(f, errno);
    f->stream = fdopen(fd, "w");
    if (f->stream)
        return 0;
    int error = errno;
    close(fd);
    if (f->temporary)
        unlink(f->temporary);
    return forget(f, error);
}

/* On the disk before the name changes: a crash of the machine leaves the old file or the new one.
 * Some file systems cannot sync. */
static int sync_content(int fd)
{
    return fsync(fd) && errno != EINVAL && errno != ENOTSUP && errno != ENOSYS ? -1 : 0;
}

void outfile_write(struct outfile *f, const char *text, size_t size)
{
    errno = 0;
    if (fwrite(text, 1, size, f->stream) != size && !f->error)
        f->error = errno ? errno : EIO;
}

int outfile_commit(struct outfile *f)
{
    int error = f->error;
    errno = 0;
    /* In this order: errno is of the last attempt. */
    if (!error && (fflush(f->stream) || ferror(f->stream)))
        error = errno ? errno : EIO;
    if (!error && f->temporary && sync_content(fileno(f->stream)))
        error = errno;
    if (fclose(f->stream) && !error)
        error = errno;
    if (!error && f->temporary && rename(f->temporary, f->path))
        error = errno;
    if (error && f->temporary)
        unlink(f->temporary);
    return forget(f, error);
}

void outfile_abandon(struct outfile *f)
{
    if (!f->stream)
        return;
    fclose(f->stream);
    if (f->temporary)
        unlink(f->temporary);
    forget(f, 0);
}

FILE *temporary_file(void)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || folder[0] != '/')
        folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) { /* not every file system has files without names */
        size_t size = strlen(folder) + 16;
        char *name = mem_alloc(size, 1);
        snprintf(name, size, "%s/cll-XXXXXX", folder);
        fd = mkostemp(name, O_CLOEXEC);
        if (fd >= 0)
            unlink(name);
        mem_free(name);
    }
    FILE *f = fd >= 0 ? fdopen(fd, "w+") : NULL;
    if (!f && fd >= 0) {
        int error = errno;
        close(fd);
        errno = error;
    }
    return f;
}

/* ---- the standard streams ---- */

void output_setup(void)
{
    /* Opened the wrong way round: using it is an error, as it was when it was closed. */
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        while (fcntl(fd, F_GETFD) < 0 && errno == EBADF)
            if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
                break;
    struct sigaction old;
    if (!sigaction(SIGXFSZ, NULL, &old) && old.sa_handler == SIG_DFL)
        hides_limit = signal(SIGXFSZ, SIG_IGN) == SIG_DFL;
}

void output_setup_undo(void)
{
    if (hides_limit)
        signal(SIGXFSZ, SIG_DFL);
}

int output_flush(void)
{
    errno = 0;
    fflush(stdout);
    if (ferror(stdout) && !output_error)
        output_error = errno ? errno : EIO;
    return output_error ? -1 : 0;
}

int output_finish(const char *program)
{
    /* It may have been closed from the start, and nothing was written. */
    if (!output_flush() && close(STDOUT_FILENO) && errno != EBADF)
        output_error = errno;
    if (output_error)
        fprintf(stderr, "%s: error: cannot write the output: %s\n", program,
                strerror(output_error));
    return output_error ? -1 : 0;
}
