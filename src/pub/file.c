/* SPDX-License-Identifier: MIT */
/*
 * Files that libpub makes beside those that the user names. Their names are predictable, so libpub
 * never writes through an existing file of that name, which could be a link made by another user: it
 * removes that file, or does not make its own.
 *
 * pub_file_find follows a path by hand. Each folder is a descriptor; its next name is opened without
 * following it, and what was opened is judged, so nobody can put a link there in between. A link is
 * replaced by its text in front of the names that are left.
 */
#define _GNU_SOURCE /* O_PATH */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "pub/internal.h"

/* ---- following a path */

enum { MOST_LINKS = 40 };

struct walk {
    int folder;
    char left[PATH_MAX]; /* the path from there */
    const char *at;      /* in it */
    int links;
};

/* -1 with this errno, after closing. */
static int fail(int fd, int error)
{
    if (fd >= 0)
        close(fd);
    errno = error;
    return -1;
}

static int enter(struct walk *w, int folder)
{
    if (folder < 0)
        return -1;
    close(w->folder);
    w->folder = folder;
    return 0;
}

static bool is_trusted(uid_t user)
{
    return user == geteuid() || user == 0;
}

/* In a container root may have no number: there it is whoever owns the root folder. */
static bool may_follow(int folder, const struct stat *link)
{
    struct stat around, root;
    if (is_trusted(link->st_uid))
        return true;
    if (fstat(folder, &around) != 0 || around.st_mode & (S_IWGRP | S_IWOTH))
        return false;
    return is_trusted(around.st_uid) || (stat("/", &root) == 0 && root.st_uid == around.st_uid);
}

/* Goes on with the text of the link. */
static int follow(struct walk *w, int link)
{
    char left[PATH_MAX];
    ssize_t n = readlinkat(link, "", left, sizeof left);
    if (n < 0)
        return fail(link, errno);
    close(link);
    size_t rest = strlen(w->at), used = (size_t)n;
    if (++w->links > MOST_LINKS)
        return fail(-1, ELOOP);
    if (used + rest >= sizeof left)
        return fail(-1, ENAMETOOLONG);
    memcpy(left + used, w->at, rest + 1); /* empty, or it begins with a slash */
    memcpy(w->left, left, used + rest + 1);
    w->at = w->left;
    return left[0] == '/' ? enter(w, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) : 0;
}

/* One name further: 1 at the end, 0 before it, -1 with errno. */
static int step(struct walk *w, char name[NAME_MAX + 1])
{
    struct stat about;
    w->at += strspn(w->at, "/");
    size_t n = strcspn(w->at, "/");
    if (n == 0 || n > NAME_MAX)
        return fail(-1, n ? ENAMETOOLONG : EISDIR);
    memcpy(name, w->at, n);
    name[n] = '\0';
    w->at += n;
    int fd = openat(w->folder, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT && !*w->at ? 1 : -1;
    if (fstat(fd, &about) != 0)
        return fail(fd, errno);
    if (S_ISLNK(about.st_mode))
        return may_follow(w->folder, &about) ? follow(w, fd) : fail(fd, PUB_FOREIGN_LINK);
    if (*w->at)
        return enter(w, fd);
    close(fd);
    return 1;
}

int pub_file_find(const char *path, char name[NAME_MAX + 1])
{
    struct walk w = {.folder = -1};
    int status = 0;
    if (strlen(path) >= sizeof w.left)
        return fail(-1, ENAMETOOLONG);
    strcpy(w.left, path);
    w.at = w.left;
    w.folder = open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (w.folder < 0)
        return -1;
    while (status == 0)
        status = step(&w, name);
    return status > 0 ? w.folder : fail(w.folder, errno);
}

/* ---- making files */

int pub_file_create(int folder, const char *path)
{
    unlinkat(folder, path, 0); /* of an earlier program that was killed */
    return openat(folder, path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

int pub_file_sync(int fd)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EROFS ? 0
                                                                                            : errno;
    return 0;
}

int pub_file_rename(int folder, const char *from, const char *to)
{
    char around[PATH_MAX];
    if (renameat(folder, from, folder, to) != 0)
        return errno;
    snprintf(around, sizeof around, "%s", to);
    char *slash = strrchr(around, '/');
    if (slash)
        slash[slash == around] = 0;
    int fd = openat(folder, slash ? around : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        pub_file_sync(fd);
        close(fd);
    }
    return 0;
}
