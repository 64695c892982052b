/* SPDX-License-Identifier: MIT */
/*
 * Files that libpub makes beside those that the user names. Their names are predictable, so libpub
 * never writes through an existing file of that name, which could be a link made by another user: it
 * removes that file, or does not make its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "pub/internal.h"

int pub_file_create(const char *path)
{
    unlink(path); /* of an earlier program that was killed */
    return open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

int pub_file_sync(int fd)
{
    while (fsync(fd) != 0)
        if (errno != EINTR)
            return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EROFS ? 0
                                                                                            : errno;
    return 0;
}

int pub_file_rename(const char *from, const char *to)
{
    char folder[PATH_MAX];
    if (rename(from, to) != 0)
        return errno;
    snprintf(folder, sizeof folder, "%s", to);
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[slash == folder] = 0;
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0) {
        pub_file_sync(fd);
        close(fd);
    }
    return 0;
}
