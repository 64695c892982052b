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

void pub_say(const char *format, ...)
{
    char line[PATH_MAX + 512] = "pub: ";
    va_list list;
    va_start(list, format);
    vsnprintf(line + 5, sizeof line - 6, format, list);
    va_end(list);
    strcat(line, "\n");
    if (write(STDERR_FILENO, line, strlen(line)) < 0)
        return; /* there is no other way to report it */
}

/* Often all processors make the same mistake. The first one prints its message first, and ends the
   others before they print the same. */
static void let_lower_ranks_print(void)
{
    int steps = pub.rank < 25 ? pub.rank : 25;
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

void pub_fail(const struct pub_object *object, const char *format, ...)
{
    char text[800], where[128] = "";
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
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

void bsp_abort(t_bsp *bsp, const char *format, ...)
{
    char text[800];
    struct pub_object *object = pub_look(bsp, NULL);
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    pub_fail(object, "%s", text);
}
