/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Following a path by hand (destination.h). Each folder is a descriptor (O_PATH); its next name is
 * opened without following it, and what was opened is judged. A link is replaced by its text in front
 * of the names that are left.
 */
#define _GNU_SOURCE 1 /* O_PATH */
#include "base/destination.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/memory.h"

enum { MOST_LINKS = 40, PROC_MAGIC = 0x9fa0 };

struct walk {
    int folder;
    char *left;     /* the path from there */
    const char *at; /* in it */
    int links;
};

static bool is_trusted(uid_t user)
{
    return user == geteuid() || user == 0;
}

/* In a container root may have no number: there it is whoever owns the root folder. */
static bool is_system(uid_t user)
{
    struct stat root;
    return is_trusted(user) || (stat("/", &root) == 0 && root.st_uid == user);
}

static bool may_follow(const struct stat *folder, const struct stat *link)
{
    return is_trusted(link->st_uid) ||
           (is_system(folder->st_uid) && !(folder->st_mode & (S_IWGRP | S_IWOTH)));
}

static bool may_write(const struct stat *folder, const struct stat *file)
{
    return is_trusted(file->st_uid) || !(folder->st_mode & S_IWOTH);
}

static bool in_proc(int folder)
{
    struct statfs where;
    return fstatfs(folder, &where) == 0 && where.f_type == PROC_MAGIC;
}

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

/* Goes on with the text of the link. */
static int follow(struct walk *w, int link)
{
    char target[PATH_MAX];
    ssize_t n = readlinkat(link, "", target, sizeof target);
    if (n <= 0 || n == sizeof target)
        return fail(link, n < 0 ? errno : n ? ENAMETOOLONG : ENOENT);
    close(link);
    if (++w->links > MOST_LINKS)
        return fail(-1, ELOOP);
    size_t rest = strlen(w->at);
    char *left = mem_alloc((size_t)n + rest + 2, 1);
    memcpy(left, target, (size_t)n);
    left[n] = '/';
    memcpy(left + n + 1, w->at, rest + 1);
    if (!rest)
        left[n] = 0;
    mem_free(w->left);
    w->at = w->left = left;
    return left[0] == '/' ? enter(w, open("/", O_PATH | O_DIRECTORY | O_CLOEXEC)) : 0;
}

/* The next name is a link: 1 if it is the end, 0 if it was followed. */
static int take_link(struct walk *w, struct destination *d, int fd)
{
    struct stat folder;
    if (fstat(w->folder, &folder))
        return fail(fd, errno);
    if (!may_follow(&folder, &d->st))
        return fail(fd, DESTINATION_LINK);
    if (!in_proc(w->folder))
        return follow(w, fd);
    close(fd);
    d->magic = !*w->at;
    return d->magic ? 1 : enter(w, openat(w->folder, d->name, O_PATH | O_DIRECTORY | O_CLOEXEC));
}

/* One name further: 1 at the end, 0 before it, -1 with errno. */
static int step(struct walk *w, struct destination *d)
{
    w->at += strspn(w->at, "/");
    size_t n = strcspn(w->at, "/");
    if (n == 0)
        return fail(-1, EISDIR);
    mem_free(d->name);
    d->name = memcpy(mem_zalloc(n + 1, 1), w->at, n);
    w->at += n;
    int fd = openat(w->folder, d->name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT && !*w->at ? 1 : -1;
    if (fstat(fd, &d->st))
        return fail(fd, errno);
    if (S_ISLNK(d->st.st_mode))
        return take_link(w, d, fd);
    if (*w->at)
        return enter(w, fd);
    close(fd);
    d->there = true;
    return 1;
}

/* The whole walk; the descriptor and the memory of `w` are the caller's. */
static int walk(struct walk *w, struct destination *d)
{
    int status = 0;
    struct stat folder;
    while (status == 0)
        status = step(w, d);
    if (status < 0)
        return -1;
    if (d->magic && fstatat(w->folder, d->name, &d->st, 0))
        return -1;
    d->there = d->there || d->magic;
    if (!d->there || d->magic)
        return 0;
    if (S_ISDIR(d->st.st_mode))
        return fail(-1, EISDIR);
    if (fstat(w->folder, &folder))
        return -1;
    return may_write(&folder, &d->st) ? 0 : fail(-1, DESTINATION_FILE);
}

int destination_find(struct destination *d, const char *path)
{
    *d = (struct destination){.folder = -1};
    if (!*path)
        return fail(-1, ENOENT);
    /* mounts folders that are mounted on their first use, as O_PATH does not */
    (void)access(path, F_OK);
    struct walk w = {.left = mem_strdup(path)};
    w.at = w.left;
    w.folder = open(*path == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
    int status = w.folder < 0 ? -1 : walk(&w, d), error = errno;
    mem_free(w.left);
    d->folder = w.folder;
    if (status) {
        destination_forget(d);
        errno = error;
    }
    return status;
}

void destination_forget(struct destination *d)
{
    if (d->folder >= 0)
        close(d->folder);
    mem_free(d->name);
    *d = (struct destination){.folder = -1};
}

const char *destination_error(int error)
{
    switch (error) {
    case DESTINATION_LINK:
        return "the path has a symbolic link of another user in a folder that users other than you "
               "and root can write to; give the path that it leads to, if you trust it, or another "
               "name";
    case DESTINATION_FILE:
        return "it belongs to another user, and all users can write to its folder; give another name";
    default: return strerror(error);
    }
}
