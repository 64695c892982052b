/* SPDX-License-Identifier: MIT */
/*
 * PUB_PARAMETER=FILE: the results of bsp_parameter in earlier runs. A text file: a line that states
 * the format, then a line for each machine, the latest last (docs/reference/pub-parameters.md).
 *
 * The file is never changed, only replaced by rename, so a reader sees the old or the new one. A
 * writer locks the file that it replaces. A file with another first line belongs to another program
 * and is left as it is. Damaged lines are not copied into the next version. No error here ends the
 * program.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "pub/internal.h"

#define FIRST_LINE  "# pub parameters 1\n"
#define SECOND_LINE "# host nprocs mpi placement l g s l_spread g_spread s_spread oversubscribed\n"
#define LARGEST     ((off_t)256 << 10) /* bytes; a line has 200 */
#define MOST_LINES  200
#define LINE        512

/* The locale of the program may write numbers differently: 0,5. */
static locale_t plain_numbers(void)
{
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    return plain ? uselocale(plain) : (locale_t)0;
}

static void numbers_as(locale_t before)
{
    if (before)
        freelocale(uselocale(before));
}

/* ---- one line */

static bool good(const t_bspparameter *p)
{
    const double *spread[] = {&p->l_spread, &p->g_spread, &p->s_spread};
    for (size_t i = 0; i < sizeof spread / sizeof *spread; i++)
        if (!(isfinite(*spread[i]) && *spread[i] >= 0))
            return false;
    return isfinite(p->l) && p->l >= 0 && isfinite(p->g) && p->g >= 0 && isfinite(p->s) &&
           p->s > 0 && (p->oversubscribed == 0 || p->oversubscribed == 1);
}

static bool parse(const char *line, struct pub_store_key *key, t_bspparameter *p)
{
    int end = -1;
    long long nprocs;
    unsigned long long mpi, placement;
    // NOLINTNEXTLINE(cert-err34-c): all numbers are checked below
    int n = sscanf(line, "%63s %lld %16llx %16llx %lf %lf %lf %lf %lf %lf %d%n", key->host, &nprocs,
                   &mpi, &placement, &p->l, &p->g, &p->s, &p->l_spread, &p->g_spread, &p->s_spread,
                   &p->oversubscribed, &end);
    if (n != 11 || strcmp(line + end, "\n") != 0 || nprocs < 1 || nprocs > INT_MAX)
        return false;
    key->mpi = mpi;
    key->placement = placement;
    key->nprocs = p->nprocs = (int)nprocs;
    return good(p);
}

static int format(char *line, const struct pub_store_key *key, const t_bspparameter *p)
{
    return snprintf(line, LINE, "%s %d %016llx %016llx %.17g %.17g %.17g %.17g %.17g %.17g %d\n",
                    key->host, key->nprocs, (unsigned long long)key->mpi,
                    (unsigned long long)key->placement, p->l, p->g, p->s, p->l_spread, p->g_spread,
                    p->s_spread, p->oversubscribed);
}

static bool same(const struct pub_store_key *a, const struct pub_store_key *b)
{
    return strcmp(a->host, b->host) == 0 && a->nprocs == b->nprocs && a->mpi == b->mpi &&
           a->placement == b->placement;
}

/* ---- reading */

/* The contents of a file. `wrong`: why it cannot be used and must not be replaced; or NULL. */
struct content {
    char *text; /* ends with a 0; NULL: there is no file */
    bool damaged;
    const char *wrong;
};

/* Opens a file for reading, without waiting if it is a pipe; or sets *wrong. */
static int open_regular(int folder, const char *file, const char **wrong)
{
    struct stat about;
    int from = openat(folder, file, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (from < 0) {
        *wrong = errno == ENOENT ? NULL : strerror(errno);
        return -1;
    }
    if (fstat(from, &about) != 0 || !S_ISREG(about.st_mode))
        *wrong = "not a regular file";
    else if (about.st_size > LARGEST)
        *wrong = "too large to be a file of parameters";
    if (*wrong) {
        close(from);
        return -1;
    }
    return from;
}

static void judge(struct content *content, size_t used)
{
    size_t first = strlen(FIRST_LINE), begins = used < first ? used : first;
    if (strncmp(content->text, FIRST_LINE, begins) != 0)
        content->wrong = "not a file of parameters";
    else
        content->damaged = strlen(content->text) != used || (used > 0 && used < first);
}

static struct content read_whole(int folder, const char *file)
{
    struct content content = {0};
    int from = open_regular(folder, file, &content.wrong);
    if (from < 0)
        return content;
    content.text = malloc((size_t)LARGEST + 1);
    size_t used = 0;
    ssize_t n = 1;
    while (content.text && n > 0 && used < (size_t)LARGEST) {
        n = read(from, content.text + used, (size_t)LARGEST - used);
        if (n > 0)
            used += (size_t)n;
    }
    if (n < 0 || !content.text) {
        content.wrong = strerror(errno);
    } else {
        content.text[used] = '\0';
        judge(&content, used);
    }
    close(from);
    return content;
}

/* Copies the line at *at, with its end. A line that is too long is cut, and will not parse. */
static bool next_line(const char **at, char line[LINE])
{
    if (!**at)
        return false;
    size_t n = strcspn(*at, "\n");
    size_t whole = n + ((*at)[n] == '\n');
    size_t copied = whole < LINE ? whole : LINE - 1;
    memcpy(line, *at, copied);
    line[copied] = '\0';
    *at += whole;
    return true;
}

static int find(const char *text, const struct pub_store_key *key, t_bspparameter *found,
                bool *damaged)
{
    char line[LINE];
    struct pub_store_key at;
    t_bspparameter p;
    int lines = 0;
    while (next_line(&text, line)) {
        if (line[0] == '#')
            continue;
        if (!parse(line, &at, &p)) {
            *damaged = true;
        } else if (same(&at, key)) {
            *found = p;
            lines++;
        }
    }
    return lines;
}

enum pub_stored pub_store_find(const char *file, const struct pub_store_key *key,
                               t_bspparameter *found)
{
    locale_t before = plain_numbers();
    struct content content = read_whole(AT_FDCWD, file);
    bool any = !content.wrong && content.text && find(content.text, key, found, &content.damaged);
    if (content.wrong)
        pub_say("PUB_PARAMETER: %s: %s; it is not used", file, content.wrong);
    else if (content.damaged)
        pub_say("PUB_PARAMETER: %s is damaged%s", file,
                any ? "; its line for this machine is valid"
                    : ": the parameters are measured, and the file is written again");
    free(content.text);
    numbers_as(before);
    return content.wrong ? PUB_UNUSABLE : any ? PUB_STORED : PUB_NOT_STORED;
}

/* ---- writing */

/* Locks the file; returns a descriptor, or -1: then it is written without a lock. Another process
   may replace the file between opening and locking. */
static int lock(int folder, const char *name)
{
    struct timespec pause = {0, 10000000};
    for (int attempt = 0; attempt < 100; attempt++) {
        struct stat mine, now;
        int held =
            openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
        if (held < 0)
            return -1;
        bool locked = flock(held, LOCK_EX | LOCK_NB) == 0;
        if (locked && fstat(held, &mine) == 0 &&
            fstatat(folder, name, &now, AT_SYMLINK_NOFOLLOW) == 0 && mine.st_ino == now.st_ino &&
            mine.st_dev == now.st_dev)
            return held;
        close(held);
        if (!locked)
            nanosleep(&pause, NULL);
    }
    return -1;
}

/* Copies the valid lines of other machines. */
static void keep(FILE *to, const char *text, const struct pub_store_key *key)
{
    char line[LINE];
    struct pub_store_key at;
    t_bspparameter p;
    int lines = 0, kept = 0;
    for (int pass = 0; pass < 2; pass++) {
        const char *rest = text;
        while (next_line(&rest, line)) {
            if (line[0] == '#' || !parse(line, &at, &p) || same(&at, key))
                continue;
            if (pass == 0)
                lines++;
            else if (++kept > lines - (MOST_LINES - 1))
                fputs(line, to);
        }
    }
}

static bool write_new(int folder, const char *temporary, const char *text,
                      const struct pub_store_key *key, const t_bspparameter *parameter)
{
    char line[LINE];
    int fd = pub_file_create(folder, temporary);
    FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (!to) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        errno = error;
        return false;
    }
    fputs(FIRST_LINE SECOND_LINE, to);
    if (text)
        keep(to, text, key);
    format(line, key, parameter);
    fputs(line, to);
    bool written = fflush(to) == 0 && !ferror(to);
    int error = written ? pub_file_sync(fd) : errno;
    if (fclose(to) != 0 && !error)
        error = errno;
    errno = error;
    return !error;
}

static const char *replace(int folder, const char *name, const struct pub_store_key *key,
                           const t_bspparameter *parameter)
{
    char temporary[PATH_MAX];
    const char *wrong = NULL;
    snprintf(temporary, sizeof temporary, "%s.%s.%ld", name, key->host, (long)getpid());
    int held = lock(folder, name);
    struct content content = read_whole(folder, name);
    if (content.wrong) {
        wrong = content.wrong;
    } else if (!write_new(folder, temporary, content.text, key, parameter) ||
               (errno = pub_file_rename(folder, temporary, name)) != 0) {
        wrong = strerror(errno);
        unlinkat(folder, temporary, 0);
    }
    if (held >= 0)
        close(held);
    free(content.text);
    return wrong;
}

/* Links stay: what they lead to is replaced. */
static const char *find_and_replace(const char *file, const struct pub_store_key *key,
                                    const t_bspparameter *parameter)
{
    char name[NAME_MAX + 1];
    int folder = pub_file_find(file, name);
    if (folder < 0)
        return errno == PUB_FOREIGN_LINK
                   ? "the path has a symbolic link of another user in a folder that others can "
                     "write to; give the path that it leads to, if you trust it, or another name"
                   : strerror(errno);
    const char *wrong = replace(folder, name, key, parameter);
    close(folder);
    return wrong;
}

void pub_store_add(const char *file, const struct pub_store_key *key,
                   const t_bspparameter *parameter)
{
    locale_t before = plain_numbers();
    const char *wrong = good(parameter) ? find_and_replace(file, key, parameter) : NULL;
    numbers_as(before);
    if (wrong)
        pub_say("PUB_PARAMETER: %s cannot be written: %s", file, wrong);
}
