/* SPDX-License-Identifier: MIT */
/*
 * The watch (watch.h). All processes of a machine reach their common waits in the same order. So two
 * processes that wait at the same kind of place for the same machine wait for each other: the key,
 * a hash of the place and the processes of the machine, identifies the wait.
 *
 * One of the waiting processes asks; the others see its question and do not ask. If two ask at the
 * same time, the first one in the machine goes on. A process that is computing may read a question
 * late: so questions have numbers, which answers repeat. Each process counts the messages it sent,
 * and at the end each one receives as many as were sent to it.
 */
#include "cll/mpi/watch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SECOND      1000000000u
#define SOON        1000000u  /* ns of waiting after which questions are answered */
#define STAGGER     20000000u /* ns by which later processes ask later */
#define MOST_STAGES 100
#define HOST        65 /* bytes of a name */

enum kind { ASK, HERE };
enum { WORD_KEY, WORD_KIND, WORD_NUMBER, WORDS };

/* A message that is on its way. */
struct note {
    struct note *next;
    MPI_Request request;
    uint64_t words[WORDS];
};

/* From cll_watch_begin to cll_watch_end. */
static struct {
    MPI_Comm comm; /* of all processes; MPI_COMM_NULL: there is no watch */
    int tag, size;
    struct note *notes;
    unsigned *sent; /* by process; null: nothing was sent */
    unsigned received;
    unsigned questions;
    int busy; /* a thread is in here; atomic */
} mail = {.comm = MPI_COMM_NULL};

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

static uint64_t patience_ns(void)
{
    return (uint64_t)(cll_driver_patience() * SECOND);
}

void cll_watch_begin(MPI_Comm all, int with_tag)
{
    mail.comm = all;
    mail.tag = with_tag;
    PMPI_Comm_size(mail.comm, &mail.size);
}

/* ---- messages */

static void forget_sent(int wait)
{
    for (struct note **at = &mail.notes; *at;) {
        struct note *note = *at;
        int done = 1;
        if (wait)
            PMPI_Wait(&note->request, MPI_STATUS_IGNORE);
        else
            PMPI_Test(&note->request, &done, MPI_STATUS_IGNORE);
        if (done) {
            *at = note->next;
            free(note);
        } else {
            at = &note->next;
        }
    }
}

static void send_note(int to, uint64_t key, enum kind kind, unsigned number)
{
    struct note *note = malloc(sizeof *note);
    if (!mail.sent)
        mail.sent = calloc((size_t)mail.size, sizeof *mail.sent);
    if (!note || !mail.sent || to < 0 || to >= mail.size) {
        free(note);
        return;
    }
    *note = (struct note){.next = mail.notes, .words = {key, kind, number}};
    PMPI_Isend(note->words, WORDS, MPI_UINT64_T, to, mail.tag, mail.comm, &note->request);
    mail.notes = note;
    mail.sent[to]++;
}

static int receive_note(uint64_t words[WORDS], int *from)
{
    MPI_Status status;
    int there = 0;
    PMPI_Iprobe(MPI_ANY_SOURCE, mail.tag, mail.comm, &there, &status);
    if (!there)
        return 0;
    *from = status.MPI_SOURCE;
    PMPI_Recv(words, WORDS, MPI_UINT64_T, *from, mail.tag, mail.comm, MPI_STATUS_IGNORE);
    mail.received++;
    return 1;
}

/* ---- one wait */

/* 0 if there is no memory: then nothing is reported. */
static int prepare(struct cll_watch *w)
{
    if (w->ranks)
        return 1;
    w->there = calloc((size_t)w->n, 1);
    w->ranks = w->there ? malloc((size_t)w->n * sizeof *w->ranks) : NULL;
    if (!w->ranks)
        return 0;
    w->list(w->machine, w->ranks);
    w->key = 1469598103934665603u + (uint64_t)w->place;
    for (int i = 0; i < w->n; i++)
        w->key = (w->key ^ (uint64_t)w->ranks[i]) * 1099511628211u;
    return 1;
}

static int index_of(const struct cll_watch *w, int rank)
{
    int i = 0;
    while (i < w->n && w->ranks[i] != rank)
        i++;
    return i;
}

static void take_notes(struct cll_watch *w, uint64_t now)
{
    uint64_t words[WORDS];
    for (int from; receive_note(words, &from);) {
        int index = index_of(w, from);
        if (words[WORD_KEY] != w->key || index == w->n)
            continue;
        if (words[WORD_KIND] == HERE) {
            w->there[index] = (char)(w->there[index] || words[WORD_NUMBER] == w->number);
            continue;
        }
        send_note(from, w->key, HERE, (unsigned)words[WORD_NUMBER]);
        if (patience_ns() && (!w->asked || index < w->me)) { /* it will report */
            w->asked = 0;
            w->next = now + patience_ns() + (now - w->start);
        }
    }
}

static void ask(struct cll_watch *w, uint64_t now)
{
    w->asked = now;
    w->number = ++mail.questions;
    memset(w->there, 0, (size_t)w->n);
    for (int i = 0; i < w->n; i++)
        if (i != w->me)
            send_note(w->ranks[i], w->key, ASK, w->number);
}

static int is_missing(const struct cll_watch *w, int i)
{
    return i < w->n && !w->there[i] && i != w->me;
}

/* The last of the missing processes from the i-th on whose ranks follow each other and whose host,
   if it is known, is `host`. */
static int last_missing(const struct cll_watch *w, int i, const char *host)
{
    char other[HOST];
    int last = i;
    while (is_missing(w, last + 1) && w->ranks[last + 1] == w->ranks[last] + 1) {
        cll_driver_host_of((unsigned)w->ranks[last + 1], other, sizeof other);
        if (strcmp(host, other))
            break;
        last++;
    }
    return last;
}

/* "2, 5-7", with hosts if there are several: "2 on node7, 5-7 on node8". The processes that have not
   answered; returns how many. */
static int list_missing(const struct cll_watch *w, char *text, size_t size)
{
    char host[HOST];
    size_t used = 0;
    int missing = 0;
    text[0] = 0;
    for (int i = 0, last; i < w->n; i = last + 1) {
        last = i;
        if (!is_missing(w, i))
            continue;
        cll_driver_host_of((unsigned)w->ranks[i], host, sizeof host);
        last = last_missing(w, i, host);
        missing += last - i + 1;
        if (used + 40 + HOST > size)
            continue;
        used += (size_t)snprintf(text + used, size - used, "%s%d", used ? ", " : "", w->ranks[i]);
        if (last > i)
            used += (size_t)snprintf(text + used, size - used, "-%d", w->ranks[last]);
        if (host[0])
            used += (size_t)snprintf(text + used, size - used, " on %s", host);
        if (used + 40 + HOST > size)
            snprintf(text + used, size - used, ", ...");
    }
    return missing;
}

/* The first host of which no process has answered: it may be down. "" if all have answered. */
static void find_silent_host(const struct cll_watch *w, char *name)
{
    char host[HOST];
    name[0] = 0;
    for (int i = 0; i < w->n && !name[0]; i++) {
        if (is_missing(w, i))
            cll_driver_host_of((unsigned)w->ranks[i], name, HOST);
        for (int k = 0; name[0] && k < w->n; k++) {
            if (is_missing(w, k))
                continue;
            cll_driver_host_of((unsigned)w->ranks[k], host, sizeof host);
            if (!strcmp(name, host))
                name[0] = 0;
        }
    }
}

static void tell(const struct cll_watch *w, uint64_t now)
{
    static const char *const places[CLL_ARRIVALS] = {
        [CLL_AT_SYNC] = "#pragma cll sync",
        [CLL_AT_REPORT] = "#pragma cll report",
        [CLL_AT_END] = "the end of the parallel part",
        [CLL_AT_FIRST] = "the first sync or report of a communicator"};
    char list[600], text[1000], host[HOST], advice[HOST + 128] = "";
    int missing = list_missing(w, list, sizeof list);
    double seconds = (double)(now - w->start) / SECOND;
    find_silent_host(w, host);
    if (host[0])
        snprintf(advice, sizeof advice,
                 ". If host %s is down, end the program: the samples of each process are in its "
                 "spool",
                 host);
    if (missing)
        snprintf(text, sizeof text,
                 "%s: process %d has waited for %.3g s; %d of %d processes %s not arrived: %s; the "
                 "others wait until all arrive%s",
                 places[w->place], w->ranks[w->me], seconds, missing, w->n,
                 missing == 1 ? "has" : "have", list, advice);
    else
        snprintf(text, sizeof text,
                 "%s: process %d has waited for %.3g s; all %d processes wait, but not all for the "
                 "same communicator",
                 places[w->place], w->ranks[w->me], seconds, w->n);
    cll_driver_say(text);
}

static void look(struct cll_watch *w)
{
    uint64_t now = now_ns(), patience = patience_ns();
    uint64_t grace = patience < SECOND ? patience : SECOND;
    if (!w->start) {
        w->start = now;
        w->next = now + patience + STAGGER * (uint64_t)(w->me < MOST_STAGES ? w->me : MOST_STAGES);
        if (!patience)
            w->next = UINT64_MAX; /* it never asks, but it answers */
        return;
    }
    if (now - w->start < SOON || !prepare(w))
        return;
    forget_sent(0);
    take_notes(w, now);
    if (!w->asked && now >= w->next) {
        ask(w, now);
    } else if (w->asked && now >= w->asked + grace) {
        tell(w, now);
        w->asked = 0;
        w->next = now + (now - w->start);
    }
}

void cll_watch_slowly(struct cll_watch *w)
{
    if (mail.comm == MPI_COMM_NULL || __atomic_exchange_n(&mail.busy, 1, __ATOMIC_ACQUIRE))
        return;
    look(w);
    __atomic_store_n(&mail.busy, 0, __ATOMIC_RELEASE);
}

void cll_watch_done(struct cll_watch *w)
{
    free(w->ranks);
    free(w->there);
}

/* ---- one message */

/* Its sender converts samples to text, a part of a second for each message, unless it is gone. */
static void tell_sender(struct cll_watch *w, int from, double seconds)
{
    char text[400], host[HOST];
    if (!prepare(w))
        return;
    cll_driver_host_of((unsigned)w->ranks[from], host, sizeof host);
    snprintf(
        text, sizeof text,
        "gathering: process %d has waited for %.3g s for the samples of process %d%s%s. If that "
        "process is gone, end the program: the samples of each process are in its spool",
        w->ranks[w->me], seconds, w->ranks[from], host[0] ? " on " : "", host);
    cll_driver_say(text);
}

void cll_watch_message(struct cll_watch *w, int from, MPI_Request *request, MPI_Status *status)
{
    uint64_t patience = patience_ns(), start = 0, next = UINT64_MAX;
    int done = 0;
    for (unsigned polls = 1; PMPI_Test(request, &done, status) == MPI_SUCCESS && !done; polls++) {
        uint64_t now = polls % 64 ? 0 : now_ns();
        if (now && !start) {
            start = now;
            next = patience ? now + patience : UINT64_MAX;
        } else if (now >= next) {
            tell_sender(w, from, (double)(now - start) / SECOND);
            next = now + (now - start);
        }
    }
    cll_watch_done(w);
}

/* ---- the end */

void cll_watch_end(void)
{
    int mine = mail.sent != NULL, any = 0;
    unsigned expected = 0;
    PMPI_Allreduce(&mine, &any, 1, MPI_INT, MPI_MAX, mail.comm);
    if (any) {
        if (!mail.sent)
            mail.sent = calloc((size_t)mail.size, sizeof *mail.sent);
        if (!mail.sent) {
            cll_driver_say("no memory: the program ends");
            PMPI_Abort(mail.comm, 1);
            abort();
        }
        PMPI_Reduce_scatter_block(mail.sent, &expected, 1, MPI_UNSIGNED, MPI_SUM, mail.comm);
        while (mail.received < expected) {
            uint64_t words[WORDS];
            PMPI_Recv(words, WORDS, MPI_UINT64_T, MPI_ANY_SOURCE, mail.tag, mail.comm,
                      MPI_STATUS_IGNORE);
            mail.received++;
        }
        forget_sent(1);
    }
    free(mail.sent);
    mail.sent = NULL;
    mail.received = 0;
    mail.comm = MPI_COMM_NULL;
}
