/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files that appear whole or not at all, quoting, and number text (see file.h). */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new file beside `path`, with the rights open() would have given. */
static int create_beside(struct outfile *f)
{
    size_t size = strlen(f->path) + 32;
    f->temporary = mem_alloc(size, 1);
    for (unsigned try = 0; try < 1000; try++) {
        snprintf(f->temporary, size, "%s.%ld.%u.tmp", f->path, (long)getpid(), try);
        int fd = open(f->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

static int forget(struct outfile *f, int error)
{
    mem_free(f->path);
    mem_free(f->temporary);
    f->path = f->temporary = NULL;
    f->stream = NULL;
    errno = error;
    return error ? -1 : 0;
}

int outfile_open(struct outfile *f, const char *path)
{
    struct stat st;
    f->stream = NULL;
    f->temporary = NULL;
    f->path = mem_strdup(path);
    bool special = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    if (special && S_ISDIR(st.st_mode))
        return forget(f, EISDIR);
    int fd = special ? open(path, O_WRONLY | O_CLOEXEC) : create_beside(f);
    if (fd >= 0)
        f->stream = fdopen(fd, "w");
    if (f->stream)
        return 0;
    int error = errno;
    if (fd >= 0) {
        close(fd);
        if (f->temporary)
            unlink(f->temporary);
    }
    return forget(f, error);
}

int outfile_commit(struct outfile *f)
{
    int error = 0;
    if (ferror(f->stream) || fflush(f->stream))
        error = errno ? errno : EIO;
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

void quote_shell(struct text *out, const char *s)
{
    static const char safe[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./_-";
    if (*s && s[strspn(s, safe)] == 0) {
        text_add(out, s);
        return;
    }
    text_addc(out, '\'');
    for (; *s; s++) {
        if (*s == '\'')
            text_add(out, "'\\''");
        else
            text_addc(out, *s);
    }
    text_addc(out, '\'');
}

void quote_html(struct text *out, const char *s)
{
    for (; *s; s++) {
        switch (*s) {
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        case '&': text_add(out, "&amp;"); break;
        case '"': text_add(out, "&quot;"); break;
        case '\'': text_add(out, "&#39;"); break;
        default: text_addc(out, *s);
        }
    }
}

/* gnuplot's single-quoted strings know one escape, '' for a quote; control characters would end the
 * command. */
void quote_gnuplot(struct text *out, const char *s)
{
    text_addc(out, '\'');
    for (; *s; s++) {
        if (*s == '\'')
            text_add(out, "''");
        else
            text_addc(out, (unsigned char)*s < 0x20 || *s == 0x7f ? '?' : *s);
    }
    text_addc(out, '\'');
}

char *number_text(double x, char buffer[NUMBER_SIZE])
{
    if (isnan(x))
        return strcpy(buffer, "nan");
    if (isinf(x))
        return strcpy(buffer, x > 0 ? "inf" : "-inf");
    if (x == floor(x) && fabs(x) < 1e15) {
        snprintf(buffer, NUMBER_SIZE, "%.0f", x == 0 ? 0.0 : x);
        return buffer;
    }
    for (int digits = 1; digits <= 17; digits = digits < 15 ? digits + 7 : digits + 1) {
        snprintf(buffer, NUMBER_SIZE, "%.*g", digits, x);
        if (strtod(buffer, NULL) == x)
            return buffer;
    }
    return buffer;
}
