/* SPDX-License-Identifier: MIT */
/* Messages on stderr, and the end of the program with one. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pub/internal.h"

/* Decodes a UTF-8 character of n bytes; 0 if the bytes are not one. */
static uint32_t decode(const unsigned char *s, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    uint32_t code = s[0] & 0xffu >> (n + 1);
    for (size_t i = 1; i < n; i++) {
        if ((s[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[i] & 0x3fu);
    }
    return code >= least[n] && code <= 0x10ffff ? code : 0;
}

/* Control characters, line ends, and marks that are invisible or change the direction of writing. */
static bool is_invisible(uint32_t code)
{
    return code < 0xa0 || (code >= 0x200b && code <= 0x200f) ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f) ||
           code == 0x61c || code == 0xfeff;
}

/* Bytes of the character, if it only appears on a terminal; else 0. */
static size_t visible(const char *text)
{
    const unsigned char *s = (const unsigned char *)text;
    if (*s < 0x80)
        return *s >= 0x20 && *s != 0x7f;
    if (*s < 0xc0 || *s > 0xf4)
        return 0;
    size_t n = *s < 0xe0 ? 2 : *s < 0xf0 ? 3 : 4;
    return is_invisible(decode(s, n)) ? 0 : n;
}

/* Values of the environment and names of files must not change what a terminal does, or look like another line:
   their other bytes are shown as \xNN, except those in `kept`. */
static void print(const char *line, const char *kept)
{
    char shown[PATH_MAX + 512];
    size_t n = 0, bytes;
    for (const char *s = line; *s && n + 5 < sizeof shown; s += bytes) {
        bytes = strchr(kept, *s) ? 1 : visible(s);
        memcpy(shown + n, s, bytes);
        n += bytes;
        if (bytes)
            continue;
        n += (size_t)snprintf(shown + n, 5, "\\x%02x", (unsigned char)*s);
        bytes = 1;
    }
    shown[n++] = '\n';
    if (write(STDERR_FILENO, shown, n) < 0)
        return; /* there is no other way to report it */
}

void pub_say(const char *format, ...)
{
    char line[PATH_MAX + 512];
    int front = snprintf(line, sizeof line, "%s: ", pub.layer->name);
    va_list list;
    va_start(list, format);
    vsnprintf(line + front, sizeof line - (size_t)front, format, list);
    va_end(list);
    print(line, "");
}

/* Often all processors make the same mistake. The first one prints its message first, and ends the
   others before they print the same. */
static void let_lower_ranks_print(void)
{
    int rank = pub.rank, initialised = 0, finalised = 0;
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (initialised && !finalised) /* before the parallel part begins, too */
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int steps = rank < 25 ? rank : 25;
    struct timespec pause = {0, steps * 8000000L};
    nanosleep(&pause, NULL);
}

static void end_all(void)
{
    int initialised = 0, finalised = 0;
    fflush(stdout);
    MPI_Initialized(&initialised);
    MPI_Finalized(&finalised);
    if (initialised && !finalised)
        MPI_Abort(MPI_COMM_WORLD, 1);
    _exit(1);
}

#define OURS        ""     /* a message of the library has one line ... */
#define THE_PROGRAM "\n\t" /* ... and one of the program those that it wants */

static void fail(const struct pub_object *object, const char *text, const char *kept) PUB_NORETURN;

static void fail(const struct pub_object *object, const char *text, const char *kept)
{
    char where[128] = "", line[1200];
    if (object)
        snprintf(where, sizeof where, "processor %d of %d%s, superstep %llu: ", object->pid,
                 object->size, object->family.depth ? pub_object_name(object) : "",
                 (unsigned long long)object->step);
    else if (pub.running)
        snprintf(where, sizeof where, "processor %d of %d: ", pub.rank, pub.size);
    let_lower_ranks_print();
    snprintf(line, sizeof line, "%s: %s%s%s%s", pub.layer->name, pub.call ? pub.call : "",
             pub.call ? ": " : "", where, text);
    print(line, kept);
    end_all();
    abort();
}

void pub_fail(const struct pub_object *object, const char *format, ...)
{
    char text[800];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fail(object, text, OURS);
}

void bsp_abort(t_bsp *bsp, const char *format, ...)
{
    char text[800];
    struct pub_object *object = pub_look(bsp, NULL);
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fail(object, text, THE_PROGRAM);
}

void pub_layer_fail(const char *call, const char *format, ...)
{
    char text[800];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pub.call = call;
    fail(pub.running ? pub.world : NULL, text, call ? OURS : THE_PROGRAM);
}
