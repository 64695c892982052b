/* SPDX-License-Identifier: MIT */
/*
 * Names of the data file and the spool: DIRECTORY/PROGRAM.cll.N.dat and .spool with the first free
 * N. Creating the spool exclusively reserves N. A data file appears before its spool is removed, so
 * a process that creates a spool checks for the data file once more.
 *
 * The processes of a parallel program start at the number of their rank, so that a thousand of them
 * do not try each other's numbers. Their common file gets the first number that is free or theirs.
 *
 * link(2) publishes a file, because it never replaces one. On file systems without links, the name
 * is created exclusively and then replaced by rename.
 */
#define _GNU_SOURCE
#include "cll/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NUMBERS 1000000u

int cll_destination_set(struct cll_destination *place, unsigned number)
{
    const struct cll_settings *s = &cll_settings;
    char name[NAME_MAX + 1];
    size_t length = strlen(s->stem);
    const char *suffix = ".dat";
    int stem = (int)length;
    if (s->named) { /* x.dat, then x.1.dat; x, then x.1 */
        if (length > 4 && !strcmp(s->stem + length - 4, ".dat"))
            stem -= 4;
        else
            suffix = "";
    }
    if (s->named && !number)
        snprintf(name, sizeof name, "%.*s", stem, s->stem);
    else if ((size_t)snprintf(name, sizeof name, "%.*s.%u", stem, s->stem, number) >= sizeof name)
        return 0;
    place->number = number;
    return (size_t)snprintf(place->data, PATH_MAX, "%s/%s%s", s->directory, name, suffix) <
               PATH_MAX &&
           (size_t)snprintf(place->spool, PATH_MAX, "%s/%s.spool", s->spool_directory, name) <
               PATH_MAX;
}

static int exists(const char *path)
{
    struct stat status;
    return !lstat(path, &status);
}

int cll_destination_reserve(struct cll_destination *place)
{
    for (unsigned number = cll_driver_rank(); number < NUMBERS; number++) {
        if (!cll_destination_set(place, number)) {
            errno = ENAMETOOLONG;
            return -1;
        }
        if (exists(place->data))
            continue;
        int fd = open(place->spool, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            return -1;
        if (fd < 0)
            continue;
        if (!exists(place->data))
            return fd;
        unlink(place->spool);
        close(fd);
    }
    errno = EEXIST;
    return -1;
}

/* 0, EEXIST if the name is in use, or another errno. */
static int claim(const char *temporary, const char *name)
{
    if (!link(temporary, name)) {
        unlink(temporary);
        return 0;
    }
    if (errno == EEXIST)
        return EEXIST;
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return errno;
    close(fd);
    if (!rename(temporary, name))
        return 0;
    int error = errno;
    unlink(name);
    return error;
}

/* The path of the data file for another number; that of the spool stays. */
static int set_data(struct cll_destination *place, unsigned number)
{
    struct cll_destination other;
    if (!cll_destination_set(&other, number))
        return 0;
    memcpy(place->data, other.data, sizeof other.data);
    place->number = number;
    return 1;
}

void cll_destination_prefer(struct cll_destination *place, unsigned number)
{
    struct cll_destination other;
    if (place->published)
        return;
    for (unsigned n = 0; n < number && cll_destination_set(&other, n); n++)
        if (!exists(other.data) && (!exists(other.spool) || !strcmp(other.spool, place->spool)))
            number = n;
    if (number != place->number)
        set_data(place, number);
}

void cll_destination_renew(struct cll_destination *place)
{
    place->published = 0;
    set_data(place, 0);
}

int cll_destination_sync(int fd)
{
    while (fsync(fd))
        if (errno != EINTR)
            /* A file system that cannot sync is accepted, a sync that fails is an error. */
            return errno == EINVAL || errno == ENOSYS || errno == ENOTSUP || errno == EROFS ? 0
                                                                                            : errno;
    return 0;
}

/* Writes the new name to the disk, if the file system supports that. */
static void sync_directory(void)
{
    int fd = open(cll_settings.directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    cll_destination_sync(fd);
    close(fd);
}

static int publish(struct cll_destination *place, const char *temporary)
{
    if (place->published)
        return rename(temporary, place->data) ? errno : 0;
    int error = claim(temporary, place->data);
    struct cll_destination other = *place;
    for (unsigned number = place->number + 1; error == EEXIST && number < NUMBERS; number++) {
        if (!cll_destination_set(&other, number))
            return ENAMETOOLONG;
        if (exists(other.spool) && strcmp(other.spool, place->spool))
            continue;
        error = claim(temporary, other.data);
    }
    if (!error) {
        memcpy(place->data, other.data, sizeof other.data);
        place->number = other.number;
        place->published = 1;
    }
    return error;
}

int cll_destination_publish(struct cll_destination *place, const char *temporary)
{
    int error = publish(place, temporary);
    if (!error)
        sync_directory();
    return error;
}
