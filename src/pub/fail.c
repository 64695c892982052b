/* SPDX-License-Identifier: MIT */
/* Ends the program with one line. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pub/internal.h"

/* Is it a byte of a control character that could change what a terminal does? Messages may have several
   lines. */
static int is_control(const char *s, const char *begin)
{
    unsigned char c = (unsigned char)*s, before = s > begin ? (unsigned char)s[-1] : 0;
    return (c < 0x20 && c != '\n' && c != '\t') || c == 0x7f ||
           (before == 0xc2 && c >= 0x80 && c < 0xa0);
}

void pub_say(const char *format, ...)
{
    char line[PATH_MAX + 512], shown[sizeof line + 1];
    int front = snprintf(line, sizeof line, "%s: ", pub.layer->name);
    size_t n = 0;
    va_list list;
    va_start(list, format);
    vsnprintf(line + front, sizeof line - (size_t)front, format, list);
    va_end(list);
    for (const char *s = line; *s && n + 5 < sizeof shown; s++) {
        if (is_control(s, line))
            n += (size_t)snprintf(shown + n, 5, "\\x%02x", (unsigned char)*s);
        else
            shown[n++] = *s;
    }
    shown[n++] = '\n';
    if (write(STDERR_FILENO, shown, n) < 0)
        return; /* there is no other way to report it */
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

static void fail(const struct pub_object *object, const char *text) PUB_NORETURN;

static void fail(const struct pub_object *object, const char *text)
{
    char where[128] = "";
    if (object)
        snprintf(where, sizeof where, "processor %d of %d%s, superstep %llu: ", object->pid,
                 object->size, object->family.depth ? pub_object_name(object) : "",
                 (unsigned long long)object->step);
    else if (pub.running)
        snprintf(where, sizeof where, "processor %d of %d: ", pub.rank, pub.size);
    let_lower_ranks_print();
    pub_say("%s%s%s%s", pub.call ? pub.call : "", pub.call ? ": " : "", where, text);
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
    fail(object, text);
}

void bsp_abort(t_bsp *bsp, const char *format, ...)
{
    char text[800];
    struct pub_object *object = pub_look(bsp, NULL);
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fail(object, text);
}

void pub_layer_fail(const char *call, const char *format, ...)
{
    char text[800];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pub.call = call;
    fail(pub.running ? pub.world : NULL, text);
}
