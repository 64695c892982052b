/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a path leads that is to be written, as a folder and a name in it. The links on the way are
 * followed here and not by the kernel, so that a link that another user has put there is refused,
 * whatever the settings of the system are, and cannot be exchanged between the check and the use.
 *
 *     struct destination d;
 *     if (destination_find(&d, "/tmp/fit.svg"))
 *         return -1;
 *     int fd = openat(d.folder, d.name, O_WRONLY | O_CREAT | O_EXCL, 0666);
 *     destination_forget(&d);
 *
 * Trusted users are the one who runs the program and root. A link is followed if a trusted user owns
 * it, or if only trusted users can write to its folder. A file, pipe or device at the end of the path
 * must belong to a trusted user if all users can write to its folder.
 */
#ifndef BASE_DESTINATION_H
#define BASE_DESTINATION_H

#include <stdbool.h>
#include <sys/stat.h>

/* Errors beside those of errno.h. */
enum { DESTINATION_LINK = 1 << 20, DESTINATION_FILE };

struct destination {
    int folder;     /* a descriptor without the right to read */
    char *name;     /* owned by the destination */
    bool there;     /* something has the name */
    bool magic;     /* it is a link of /proc, such as /proc/self/fd/3: the kernel must follow it */
    struct stat st; /* of what has the name */
};

/* 0, or -1 with errno; then there is nothing to forget. */
int destination_find(struct destination *d, const char *path);
void destination_forget(struct destination *d);
/* Says what an error of destination_find, or of errno.h, means. */
const char *destination_error(int error);

#endif
