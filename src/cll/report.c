/* SPDX-License-Identifier: MIT */
/*
 * Writes the data file, at a report and at exit: into a temporary file in the same folder, which is
 * renamed when it is complete. So there is never half a file, and a second report replaces the first.
 *
 * In a parallel program gather.c writes the file of all processes. A process that exits without a
 * gathering writes a file of its own, here.
 *
 * The end is a destructor of the library (in thread.c, which every program links): it runs after
 * the exit handlers of the program, which may still measure. Other threads may still be running.
 * They go on writing into memory that stays mapped.
 */
#define _GNU_SOURCE
#include "cll/internal.h"
#include "spool/read.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int cll_report_sink(void *data, const char *text, size_t length)
{
    int fd = *(int *)data;
    while (length) {
        ssize_t wrote = write(fd, text, length);
        if (wrote < 0 && errno == EINTR)
            continue;
        int late = wrote < 0 && errno == EAGAIN ? cll_device_wait(fd) : -1;
        if (late == 0)
            continue;
        if (late > 0)
            return late;
        if (wrote <= 0)
            return wrote ? errno : ENOSPC;
        text += wrote;
        length -= (size_t)wrote;
    }
    return 0;
}

/* A forked child keeps it: it does not repeat messages. */
static struct {
    int unfinished; /* the text goes to a temporary file */
    int said_unwritten, said_no_counter;
} report;

int cll_report_unfinished(void)
{
    return report.unfinished;
}

static int write_own(void *data, int fd)
{
    struct cll_spool_view view;
    (void)data;
    cll_spool_view(&view);
    view.unfinished = report.unfinished;
    return cll_view_to_text(&view, cll_report_sink, &fd);
}

typedef int text_writer(void *data, int fd);

static int finish_file(int fd)
{
    static const char first_line[] = CLL_FINISHED;
    for (size_t done = 0; done < sizeof first_line - 1;) {
        ssize_t wrote = pwrite(fd, first_line + done, sizeof first_line - 1 - done, (off_t)done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return wrote ? errno : ENOSPC;
        done += (size_t)wrote;
    }
    return cll_destination_sync(fd);
}

/* Until a file is complete, its first line says that it is not: so a reader recognises what a
   killed process left. */
static int write_and_close(int fd, int is_file, text_writer *write_text, void *data)
{
    struct cll_quiet quiet;
    cll_quiet_begin(&quiet);
    report.unfinished = is_file;
    int error = write_text(data, fd);
    if (!error && is_file)
        error = finish_file(fd);
    cll_quiet_end(&quiet);
    if (close(fd) && !error)
        error = errno;
    return error;
}

/* With a descriptor of -1 the writer still takes all steps: other processes may wait for it. */
static int write_nowhere(text_writer *write_text, void *data)
{
    int error = errno;
    write_text(data, -1);
    return error;
}

/* Writes to the device or pipe that CLL_OUT names; there is nothing to rename. -1: it cannot be
   opened, and nothing was written. */
static int write_device(text_writer *write_text, void *data)
{
    char *path = cll_settings.device;
    int fd = cll_device_open(path);
    int error = fd < 0 ? errno : write_and_close(fd, 0, write_text, data);
    if (!error)
        return 0;
    cll_say("CLL_OUT=%s: %s: %s; the samples go to a data file in %s", path,
            fd < 0 ? "cannot be opened" : "only a part was written", cll_device_trouble(error),
            cll_settings.directory);
    path[0] = 0;
    return fd < 0 ? -1 : error;
}

int cll_report_write(struct cll_destination *place, text_writer *write_text, void *data)
{
    char temporary[PATH_MAX + 48];
    int in_device = cll_settings.device[0] ? write_device(write_text, data) : -1;
    if (in_device >= 0)
        return in_device;
    /* the rank, because simulated processes have one pid */
    snprintf(temporary, sizeof temporary, "%s.%ld.%u.tmp", place->data, (long)getpid(),
             cll_driver_rank());
    unlink(temporary); /* of a process that had our number and was killed while it wrote */
    int fd = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0)
        return write_nowhere(write_text, data);
    int error = write_and_close(fd, 1, write_text, data);
    if (!error)
        error = cll_destination_publish(place, temporary);
    if (error)
        unlink(temporary);
    return error;
}

uint64_t cll_report_samples(void)
{
    struct cll_thread_totals totals;
    cll_thread_totals(&totals);
    return totals.ended;
}

int cll_report_complete(void)
{
    struct spool_header *header = cll_spool_header();
    struct cll_thread_totals totals;
    cll_thread_totals(&totals);
    if (!totals.begun)
        return 0;
    cll_launch_collect(1);
    header->memory = cll_machine_memory();
    struct spool_header again = *header;
    cll_overhead_measure(&again);
    if (again.overhead < header->overhead) {
        header->overhead = again.overhead;
        header->spread = again.spread;
        header->empty = again.empty;
    }
    cll_machine_moment(&header->end);
    if (!header->local_cores && !header->whole_cores) /* not a member, whose driver has counted */
        header->whole_cores = cll_machine_whole_cores(NULL, 0);
    cll_spool_tick();
    if (cll_settings.counters && !cll_counter_count() && !report.said_no_counter) {
        int automatic = cll_settings.counters == 2;
        cll_info("note: %s, so this run measured nothing",
                 automatic ? "the machine has no counter of CLL_COUNTERS=auto"
                           : "no formula names a counter");
        cll_say("CLL_COUNTERS=%s: nothing was measured; name the counters in CLL_COUNTERS",
                automatic ? "auto, but the machine has none of these counters (cll(7))"
                          : "1, but no formula names a counter");
        report.said_no_counter = 1;
    }
    header->abandoned = totals.begun > totals.ended ? totals.begun - totals.ended : 0;
    header->finished = 1;
    if (totals.lost)
        cll_info("note: %llu samples were lost because memory ran out",
                 (unsigned long long)totals.lost);
    return 1;
}

static int count_one(const struct read_record *record, void *data)
{
    (void)record;
    ++*(uint64_t *)data;
    return 0;
}

/* 0, or an error: without memory they cannot be counted. */
static int count_samples(const struct cll_spool_view *view, uint64_t *samples)
{
    struct read_spool spool;
    *samples = 0;
    int error = cll_read_open(&spool, view);
    if (!error)
        error = cll_read_records(&spool, count_one, samples);
    cll_read_close(&spool);
    return error;
}

/* Reports where the samples are if the file cannot be written at the end. */
static void say_unwritten(int error, uint64_t in_file, uint64_t all)
{
    const char *data = cll_spool_destination()->data;
    const char *why = strerror(error);
    if (!in_file && error == cll_spool_destination_error())
        return; /* it was reported when the spool could not be made */
    if (!in_file)
        cll_say("cannot write %s (%s): the samples are lost; CLL_OUT can name another place", data,
                why);
    else if (in_file < all)
        cll_say("cannot write %s (%s): %llu samples stay in %s, which llac reads; %llu were in "
                "memory only and are lost; CLL_OUT can name another place",
                data, why, (unsigned long long)in_file, cll_spool_path(),
                (unsigned long long)(all - in_file));
    else
        cll_say("cannot write %s (%s): the samples stay in %s, which llac reads", data, why,
                cll_spool_path());
}

/* The lock is held. Returns 1 if the file is there (or there is nothing to write). */
static int write_report(int at_end)
{
    struct cll_spool_view view;
    struct cll_destination *place = cll_spool_destination();
    if (!cll_report_complete())
        return 1;
    int was_device = cll_settings.device[0] != '\0';
    int error = cll_report_write(place, write_own, NULL);
    if (error && was_device)
        error = cll_report_write(place, write_own, NULL);
    if (!error)
        return 1;
    if (!at_end) {
        if (!report.said_unwritten && error != cll_spool_destination_error())
            cll_say("cannot write %s (%s); the next report, or the end of the program, tries again",
                    place->data, strerror(error));
        report.said_unwritten = 1;
        return 0;
    }
    uint64_t all, in_file;
    cll_spool_view(&view);
    int uncounted = count_samples(&view, &all);
    cll_spool_view_of_file(&view);
    uncounted |= count_samples(&view, &in_file);
    if (uncounted) /* the spool must not count as empty */
        all = in_file = cll_spool_path() != NULL;
    /* A spool without samples only takes up space that the data file needs. */
    if (!in_file && cll_spool_path() && cll_spool_to_memory() &&
        !cll_report_write(place, write_own, NULL))
        return 1;
    say_unwritten(error, in_file, all);
    return 0;
}

void cll_report(const char *names)
{
    int error = errno;
    struct cll_hold hold;
    if (cll_settings.off)
        return;
    if (cll_hold(&hold, -1)) {
        cll_registry_select(names);
        if (cll_measuring()) {
            cll_registry_complain(0);
            write_report(0);
        }
        cll_release(&hold);
    }
    errno = error;
}

CLL_API void cll_report_early(void);
/* At _exit (counted/ends.c). A name of its own: a program may have a function cll_report. */
void cll_report_early(void)
{
    cll_report(NULL);
}

void cll_report_at_end(void)
{
    struct cll_hold hold;
    if (!cll_measuring())
        return;
    if (!cll_hold(&hold, 2000)) { /* exit() in a gathering, or a thread that was stopped */
        const char *spool = cll_spool_path();
        if (spool)
            cll_say("the program ended inside the run-time: the samples stay in %s", spool);
        return;
    }
    if (!cll_spool_header()->world) /* else other processes may have these experiments */
        cll_registry_complain(1);
    /* Gathered samples are in a file already; later ones go into a file of this process. */
    int written = 1;
    if (cll_driver_failed() && cll_spool_path())
        written = 0; /* gather.c has reported it; the spool stays */
    else if (!cll_spool_header()->gathered)
        written = write_report(1);
    else if (cll_report_samples() > cll_driver_gathered()) {
        cll_destination_renew(cll_spool_destination());
        written = write_report(1);
    }
    cll_finish();
    if (written)
        cll_spool_remove();
    cll_release(&hold);
}
