/* SPDX-License-Identifier: MIT */
/*
 * Counters of PAPI: presets (PAPI_L1_DCM) and native events. With CLL_LOADED a shared object that
 * libcll.so loads when a run asks for such a counter. Otherwise an archive, which is linked into
 * programs that say `#pragma cll uses PAPI` and registers itself.
 *
 * A set must be stopped to add a counter, and PAPI then starts from zero. `base` holds the earlier
 * counts, so that a counter never runs backwards inside a region.
 */
#include <cll.h>

#include <papi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct papi_set {
    int events;
    int count;
    int running;
    long long base[CLL_MAX_COUNTERS];
};

CLL_API const struct cll_counter_driver cll_papi_driver;

static unsigned long papi_thread(void)
{
    return (unsigned long)pthread_self();
}

static int papi_start_library(void)
{
    static int state; /* 0: not tried; 1: there; else the PAPI error */
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    if (!state) {
        int version = PAPI_library_init(PAPI_VER_CURRENT);
        state = version == PAPI_VER_CURRENT ? PAPI_thread_init(papi_thread)
                                            : (version < 0 ? version : PAPI_EINVAL);
        if (state == PAPI_OK)
            state = 1;
    }
    pthread_mutex_unlock(&lock);
    return state;
}

static void *papi_open(char *reason, size_t size)
{
    int state = papi_start_library();
    if (state != 1) {
        snprintf(reason, size, "PAPI does not start: %s", PAPI_strerror(state));
        return NULL;
    }
    struct papi_set *set = calloc(1, sizeof *set);
    if (!set) {
        snprintf(reason, size, "no memory");
        return NULL;
    }
    set->events = PAPI_NULL;
    int error = PAPI_create_eventset(&set->events);
    if (error != PAPI_OK) {
        snprintf(reason, size, "PAPI: %s", PAPI_strerror(error));
        free(set);
        return NULL;
    }
    return set;
}

static void papi_pause(struct papi_set *set)
{
    long long values[CLL_MAX_COUNTERS];
    if (set->running && PAPI_stop(set->events, values) == PAPI_OK)
        for (int i = 0; i < set->count; i++)
            set->base[i] += values[i];
    set->running = 0;
}

static int papi_add(void *data, const char *counter, char *reason, size_t size)
{
    struct papi_set *set = data;
    if (set->count == CLL_MAX_COUNTERS) {
        snprintf(reason, size, "too many counters");
        return -1;
    }
    papi_pause(set);
    int error = PAPI_add_named_event(set->events, counter);
    int started = error == PAPI_OK || set->count ? PAPI_start(set->events) : PAPI_OK;
    set->running = started == PAPI_OK && (error == PAPI_OK || set->count);
    if (error == PAPI_OK && started != PAPI_OK)
        error = started;
    if (error != PAPI_OK) {
        snprintf(reason, size, "PAPI: %s", PAPI_strerror(error));
        if (strncmp(counter, "PAPI_", 5) && PAPI_query_named_event(counter) != PAPI_OK)
            reason[0] = 0; /* nobody knows the name */
        return -1;
    }
    return set->count++;
}

static void papi_read(void *data, cll_u64 *values)
{
    struct papi_set *set = data;
    long long now[CLL_MAX_COUNTERS];
    int good = set->running && PAPI_read(set->events, now) == PAPI_OK;
    for (int i = 0; i < set->count; i++)
        values[i] = good ? (cll_u64)(set->base[i] + now[i]) : ~(cll_u64)0;
}

static void papi_close(void *data)
{
    struct papi_set *set = data;
    papi_pause(set);
    PAPI_cleanup_eventset(set->events);
    PAPI_destroy_eventset(&set->events);
    free(set);
}

const struct cll_counter_driver cll_papi_driver = {"PAPI", papi_open, papi_add, papi_read,
                                                   papi_close};

#ifndef CLL_LOADED
/* Called before the first begin of a region of Fortran, so that the driver is linked. */
CLL_API void cll_papi_fortran_link(void);
CLL_API void cll_papi_fortran_link(void)
{
}

__attribute__((constructor)) static void papi_register(void)
{
    cll_add_counter_driver(&cll_papi_driver);
}
#endif
