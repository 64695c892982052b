/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Output files that appear whole or not at all, temporary files, the standard output (see outfile.h).
 *
 * Temporary files are also kept in a table that signal handlers and exit can read; a forked child
 * finds another process's number there and removes nothing. What a killed program left is removed by
 * the next one that writes the same name: a writer holds a lock on its temporary file (flock), which
 * ends with it. Some file systems know only the locks of one host, so the names of temporary files
 * have the host, and a program removes only those of its own.
 */
#define _GNU_SOURCE 1 /* O_TMPFILE */
#include "base/outfile.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

enum { MOST_OPEN = 16, LONGEST_NAME = 200, LONGEST_STEM = LONGEST_NAME + 32 };
enum { MOST_TRIES = 1000, MOST_LOOKED_AT = 10000 };

/* A name is there before the file is. */
struct entry {
    char *volatile name; /* NULL: the entry is free */
    volatile int folder;
};

static struct entry open_temporaries[MOST_OPEN];
static volatile pid_t owner; /* of the table; 0 before the first temporary file */
static int output_error;     /* why the standard output could not be written, 0 = it could */
static bool hides_limit;     /* SIGXFSZ is ignored by us, not by the parent process */

/* ---- removing temporary files on every way out ---- */

static void remove_temporaries(void)
{
    if (owner != getpid())
        return;
    for (size_t i = 0; i < MOST_OPEN; i++)
        if (open_temporaries[i].name)
            unlinkat(open_temporaries[i].folder, open_temporaries[i].name, 0);
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
            open_temporaries[i].name = NULL;
    owner = getpid();
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        if (!sigaction(signals[i], NULL, &old) && old.sa_handler == SIG_DFL)
            sigaction(signals[i], &action, NULL);
}

/* In the table before the file exists, so that no moment is without a guard. The table has a
 * copy of the name. */
static void enter_table(int folder, const char *temporary)
{
    guard_temporaries();
    for (size_t i = 0; i < MOST_OPEN; i++)
        if (!open_temporaries[i].name) {
            open_temporaries[i].folder = folder;
            open_temporaries[i].name = mem_strdup(temporary);
            return;
        }
}

static void leave_table(int folder, const char *temporary)
{
    for (size_t i = 0; i < MOST_OPEN; i++) {
        char *name = open_temporaries[i].name;
        if (!name || open_temporaries[i].folder != folder || strcmp(name, temporary) != 0)
            continue;
        open_temporaries[i].name = NULL;
        mem_free(name);
        return;
    }
}

/* ---- what killed programs left ---- */

/* FNV-1a of the name of this host. */
static uint32_t host_number(void)
{
    char name[256] = "";
    uint32_t hash = 2166136261u;
    gethostname(name, sizeof name - 1);
    for (const char *p = name; *p; p++)
        hash = (hash ^ (unsigned char)*p) * 16777619u;
    return hash;
}

/* What the names of the temporary files begin with: NAME.cll-HOST-. The name is cut so that they stay
 * within what file systems allow. */
static void make_stem(char stem[LONGEST_STEM], const struct destination *d)
{
    snprintf(stem, LONGEST_STEM, "%.*s.cll-%08" PRIx32 "-", LONGEST_NAME, d->name, host_number());
}

/* Is it STEM, then PROCESS-NUMBER.tmp? */
static bool is_temporary(const char *file, const char *stem)
{
    size_t n = strlen(stem);
    if (strncmp(file, stem, n) != 0)
        return false;
    const char *p = file + n, *q = p + strspn(p, "0123456789");
    if (q == p || *q != '-')
        return false;
    p = q + 1;
    q = p + strspn(p, "0123456789");
    return q > p && strcmp(q, ".tmp") == 0;
}

/* Does the name still belong to the file that was opened by it? */
static bool is_named(int folder, const char *file, int fd)
{
    struct stat opened, named;
    return fstat(fd, &opened) == 0 && fstatat(folder, file, &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/* A file of this user that no program writes any more. Before the lock was there, its writer may have
 * given it its name, and begun another file under the old one. From then on a writer leaves the file
 * alone (create_beside). */
static void remove_left(int folder, const char *file)
{
    struct stat st;
    int fd = openat(folder, file, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_nlink == 1 &&
        flock(fd, LOCK_EX | LOCK_NB) == 0 && is_named(folder, file, fd))
        unlinkat(folder, file, 0);
    close(fd);
}

/* Of this very name: longer ones are cut in the names of temporary files. In an ordinary folder this
 * takes much less time than the sync of the file; in one that has very many files it must not take
 * more, and what was left may stay. */
static void remove_all_left(const struct destination *d)
{
    char stem[LONGEST_STEM];
    if (strlen(d->name) > LONGEST_NAME)
        return;
    make_stem(stem, d);
    int fd = openat(d->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (!list && fd >= 0)
        close(fd);
    const struct dirent *e;
    for (int i = 0; list && i < MOST_LOOKED_AT && (e = readdir(list)); i++)
        if (is_temporary(e->d_name, stem))
            remove_left(d->folder, e->d_name);
    if (list)
        closedir(list);
}

/* ---- output files ---- */

/* A new file has no lock yet, and another program may take it for one that was left. If that one has
 * the lock, it removes the file; if it had it, the file has no name any more. Not every file system
 * has locks; there nothing is removed. */
static bool is_ours(int fd)
{
    struct stat st;
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        return false;
    return fstat(fd, &st) || st.st_nlink > 0;
}

/* A new file beside the target, with a lock. */
static int create_beside(struct outfile *f, mode_t mode)
{
    const struct destination *d = &f->target;
    size_t size = LONGEST_STEM + 32;
    char stem[LONGEST_STEM];
    make_stem(stem, d);
    f->temporary = mem_alloc(size, 1);
    errno = EEXIST;
    for (unsigned try = 0; try < MOST_TRIES; try++) {
        snprintf(f->temporary, size, "%s%ld-%u.tmp", stem, (long)getpid(), try);
        enter_table(d->folder, f->temporary);
        int fd = openat(d->folder, f->temporary,
                        O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        int error = errno;
        if (fd >= 0 && is_ours(fd))
            return fd;
        if (fd >= 0) {
            close(fd);
            error = EEXIST;
        }
        leave_table(d->folder, f->temporary);
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
        leave_table(f->target.folder, f->temporary);
    destination_forget(&f->target);
    mem_free(f->temporary);
    f->temporary = NULL;
    f->stream = NULL;
    errno = error;
    return error ? -1 : 0;
}

/* One of our own standard streams, by whatever name: it must be continued, not replaced. */
static int standard_stream(const char *path)
{
    struct stat file, st;
    if (stat(path, &file))
        return -1;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &st) == 0 && st.st_dev == file.st_dev && st.st_ino == file.st_ino &&
            (fcntl(fd, F_GETFL) & O_ACCMODE) != O_RDONLY)
            return fd;
    return -1;
}

static int continue_stream(int fd)
{
    fflush(stdout);
    return fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

/* A pipe, a device, or what a descriptor of this process is: a file stays the same file, with new
 * content. */
static int open_directly(const struct destination *d)
{
    int flags = (d->magic ? 0 : O_NOFOLLOW) | (S_ISREG(d->st.st_mode) ? O_TRUNC : 0);
    return openat(d->folder, d->name, O_WRONLY | O_CLOEXEC | flags);
}

static int open_replacement(struct outfile *f)
{
    const struct destination *d = &f->target;
    const struct stat *old = d->there ? &d->st : NULL;
    if (old && faccessat(d->folder, d->name, W_OK, 0))
        return -1;
    remove_all_left(d);
    int fd = create_beside(f, old ? 0600 : 0666);
    if (fd < 0 || !old || take_over(fd, old) == 0)
        return fd;
    int error = errno;
    unlinkat(d->folder, f->temporary, 0);
    close(fd);
    errno = error;
    return -1;
}

static int open_any(struct outfile *f, const char *path)
{
    int fd = standard_stream(path);
    if (fd >= 0)
        return continue_stream(fd);
    if (destination_find(&f->target, path))
        return -1;
    bool direct = f->target.there && (f->target.magic || !S_ISREG(f->target.st.st_mode));
    return direct ? open_directly(&f->target) : open_replacement(f);
}

int outfile_open(struct outfile *f, const char *path)
{
    *f = (struct outfile){.target = {.folder = -1}};
    int fd = open_any(f, path);
    if (fd < 0)
        return forget(f, errno);
    f->stream = fdopen(fd, "w");
    if (f->stream)
        return 0;
    int error = errno;
    close(fd);
    if (f->temporary)
        unlinkat(f->target.folder, f->temporary, 0);
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

/* The lock must last until the file has its name: it is closed last. */
int outfile_commit(struct outfile *f)
{
    int error = f->error, folder = f->target.folder, lock = -1;
    errno = 0;
    /* In this order: errno is of the last attempt. */
    if (!error && (fflush(f->stream) || ferror(f->stream)))
        error = errno ? errno : EIO;
    if (!error && f->temporary && sync_content(fileno(f->stream)))
        error = errno;
    if (f->temporary)
        lock = fcntl(fileno(f->stream), F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (fclose(f->stream) && !error)
        error = errno;
    if (!error && f->temporary && renameat(folder, f->temporary, folder, f->target.name))
        error = errno;
    if (error && f->temporary)
        unlinkat(folder, f->temporary, 0);
    if (lock >= 0)
        close(lock);
    return forget(f, error);
}

void outfile_abandon(struct outfile *f)
{
    if (!f->stream)
        return;
    if (f->temporary)
        unlinkat(f->target.folder, f->temporary, 0);
    fclose(f->stream);
    forget(f, 0);
}

int outfile_replace(const char *path, const char *text, size_t size)
{
    struct outfile f;
    if (outfile_open(&f, path))
        return -1;
    outfile_write(&f, text, size);
    return outfile_commit(&f);
}

FILE *outfile_temporary(void)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || folder[0] != '/')
        folder = "/tmp";
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0) { /* not every file system has files without names */
        size_t size = strlen(folder) + 16;
        MEM_LOCAL char *name = mem_alloc(size, 1);
        snprintf(name, size, "%s/cll-XXXXXX", folder);
        fd = mkostemp(name, O_CLOEXEC);
        if (fd >= 0)
            unlink(name);
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

void output_forget_error(void)
{
    clearerr(stdout);
    output_error = 0;
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
