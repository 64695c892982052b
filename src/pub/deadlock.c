/* SPDX-License-Identifier: MIT */
/*
 * Ends a program in which no processor can go on.
 *
 * A processor that has waited for PUB_CHECK_SECONDS asks all others what they wait for. Each answers when it
 * waits, with how many packets it has sent and received, and not before: one that computes, sleeps or is
 * stopped does not answer, however long that takes, and has at most one question to answer. When all have
 * answered, it asks again. If no number has changed between the two answers of each processor, then all
 * waited at the moment between the two rounds. If all together have received what they sent, nothing was on its way
 * then, and only a packet ends a wait: the program is deadlocked. It does not depend on the speed of anything.
 *
 * Processor 0 asks. With PUB_CHECK=1 all ask, so that those that wait for long can tell which processes do not answer;
 * processor 0 alone reports a deadlock.
 * Questions and answers do not count as packets here. SimGrid finds deadlocks of simulated programs itself.
 */
#include <stdio.h>
#include <stdlib.h>

#include "pub/internal.h"

#define ALIKE 4  /* of the processors that wait for the same, so many lines */
#define LONG  60 /* times PUB_CHECK_SECONDS, until processes that do not answer are named */

struct counts {
    uint64_t sent, received, ended; /* packets, and transfers of far ones that have ended */
};

struct answer {
    uint64_t round;
    struct counts counts;
    char call[48], where[96], what[64]; /* of what it waits for; where: after its number */
    int64_t pid;
};

static struct {
    uint64_t sent, received; /* questions and answers */
    uint64_t *asked;         /* the round that each process asks for; 0: it has been answered */
    int open;                /* those to be answered */
    uint64_t since;          /* of waiting without anything coming */
    uint64_t seen;           /* what has come until then */
} here;

static struct {
    uint64_t round, began;
    int missing;                 /* answers of this round */
    bool judged;                 /* this round, whose answers have come */
    struct answer *now, *before; /* of this round and of the last one, by process */
    bool complained;
} question;

static char (*hosts)[PUB_HOST]; /* of all processes; null: one host */

/* ---- begin and end */

void pub_deadlock_begin(void)
{
    here.asked = calloc((size_t)pub.size, sizeof *here.asked);
    if (!here.asked)
        pub_fail(NULL, "no memory");
    if (pub.checking && !pub_simulated())
        hosts = pub_host_names();
}

void pub_deadlock_end(void)
{
    free(here.asked), free(question.now), free(question.before), free(hosts);
    memset(&here, 0, sizeof here), memset(&question, 0, sizeof question);
    hosts = NULL;
}

/* ---- answers */

static struct counts count(void)
{
    return (struct counts){.sent = pub_packets_sent() - here.sent,
                           .received = pub_packets_received() - here.received,
                           .ended = pub_transfers_ended()};
}

void pub_arrivals(char *text, size_t room, uint64_t wanted, uint64_t have)
{
    char came[32] = "none has";
    if (have)
        snprintf(came, sizeof came, "%llu %s", (unsigned long long)have,
                 have == 1 ? "has" : "have");
    snprintf(text, room, "%llu message%s, %s arrived", (unsigned long long)wanted,
             wanted == 1 ? "" : "s", came);
}

static struct answer describe(const struct pub_wait *wait, uint64_t round)
{
    const struct pub_object *object = wait->object;
    struct answer answer = {.round = round, .counts = count(), .pid = object->pid};
    snprintf(answer.call, sizeof answer.call, "%s", pub.call);
    snprintf(answer.where, sizeof answer.where, "of %d%s, superstep %llu", object->size,
             object->family.depth ? pub_object_name(object) : "", (unsigned long long)object->step);
    if (wait->wanted)
        pub_arrivals(answer.what, sizeof answer.what, wait->wanted, wait->have);
    else
        snprintf(answer.what, sizeof answer.what, wait->peer < 0 ? "%s" : "%s %d", wait->what,
                 wait->peer);
    return answer;
}

static void send(int process, uint8_t kind, const void *bytes, size_t n)
{
    struct pub_header header = {.kind = kind, .src = (uint32_t)pub.rank, .bytes = n};
    uint8_t *block = pub_take(sizeof header + n);
    memcpy(block + sizeof header, bytes, n);
    here.sent++;
    pub_send_block(process, &header, block);
}

static void answer_all(const struct pub_wait *wait)
{
    for (int i = 0; i < pub.size; i++) {
        if (!here.asked[i])
            continue;
        struct answer answer = describe(wait, here.asked[i]);
        here.asked[i] = 0;
        here.open--;
        send(i, PUB_ANSWER, &answer, sizeof answer);
    }
}

void pub_question_came(struct pub_packet *packet)
{
    here.received++;
    here.open++;
    memcpy(&here.asked[packet->header.src], packet->data, sizeof *here.asked);
    pub_packet_free(packet);
}

void pub_answer_came(struct pub_packet *packet)
{
    here.received++;
    memcpy(&question.now[packet->header.src], packet->data, sizeof *question.now);
    question.missing--;
    pub_packet_free(packet);
}

/* ---- questions */

static void begin_round(const struct pub_wait *wait, uint64_t now)
{
    struct answer *old = question.before;
    if (!question.now) {
        question.now = calloc((size_t)pub.size, sizeof *question.now);
        old = calloc((size_t)pub.size, sizeof *old);
        if (!question.now || !old)
            pub_fail(NULL, "no memory");
    }
    question.before = question.now;
    question.now = old;
    question.round++;
    question.began = now;
    question.missing = pub.size - 1;
    question.judged = false;
    question.now[pub.rank] = describe(wait, question.round);
    for (int i = 1; i < pub.size; i++)
        send((pub.rank + i) % pub.size, PUB_QUESTION, &question.round, sizeof question.round);
}

static bool is_same(const struct counts *a, const struct counts *b)
{
    return a->sent == b->sent && a->received == b->received && a->ended == b->ended;
}

/* All have answered in this round. This processor counts now, as it did at the end of the round before. */
static bool is_deadlock(void)
{
    uint64_t sent = 0, received = 0;
    question.now[pub.rank].counts = count();
    for (int i = 0; i < pub.size; i++) {
        const struct counts *counts = &question.now[i].counts;
        if (!question.before[i].round || !is_same(counts, &question.before[i].counts))
            return false;
        sent += counts->sent;
        received += counts->received;
    }
    return sent == received;
}

static bool wait_alike(const struct answer *a, const struct answer *b)
{
    return strcmp(a->call, b->call) == 0 && strcmp(a->where, b->where) == 0 &&
           strcmp(a->what, b->what) == 0;
}

static void report(const struct pub_wait *wait)
{
    int alike = 0;
    pub_say("all processors wait, and no message is on its way:");
    for (int i = 0; i < pub.size; i++) {
        const struct answer *a = &question.now[i];
        alike = i && wait_alike(a, a - 1) ? alike + 1 : 0;
        int more = alike + 1 - ALIKE;
        if (more <= 0)
            pub_say("  %s: processor %d %s: waits for %s", a->call, (int)a->pid, a->where, a->what);
        else if (i + 1 == pub.size || !wait_alike(a, a + 1))
            pub_say("  and %d more processor%s in the same way", more, more == 1 ? "" : "s");
    }
    pub_fail(wait->object, "no processor can go on");
}

/* The lowest processor that waits names those that have not answered, once: they may compute. */
static void complain(const struct pub_wait *wait, double seconds)
{
    char list[400] = "";
    size_t n = 0;
    struct answer mine = describe(wait, 0);
    for (int i = 0; i < pub.rank; i++)
        if (question.now[i].round == question.round)
            return;
    for (int i = 0; i < pub.size && n + 24 + PUB_HOST < sizeof list; i++)
        if (question.now[i].round != question.round)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%d%s%s", n ? ", " : "", i,
                                  hosts ? " on " : "", hosts ? hosts[i] : "");
    pub_say("%s: processor %d %s: has waited %.0f s for %s; processes that have not answered: %s",
            mine.call, wait->object->pid, mine.where, seconds, mine.what, list);
    question.complained = true;
}

/* The pause is between two rounds: a second one that changes nothing is judged at its end. */
static bool ask(const struct pub_wait *wait, uint64_t now)
{
    if (question.missing) {
        uint64_t waited = now - here.since;
        if (pub.checking && !question.complained && waited / LONG > pub.patience)
            complain(wait, (double)waited * 1e-9);
        return false;
    }
    if (question.round && !question.judged && pub.rank == 0) {
        question.judged = true;
        if (is_deadlock())
            report(wait);
    }
    if (question.round && now - question.began < pub.patience)
        return false;
    begin_round(wait, now);
    return true;
}

bool pub_watch(const struct pub_wait *wait)
{
    uint64_t now = pub_clock(),
             seen = pub_packets_received() - here.received + pub_transfers_ended();
    bool sent = here.open > 0;
    if (seen != here.seen || !here.since) {
        here.seen = seen;
        here.since = now;
    }
    if (sent)
        answer_all(wait);
    if ((pub.rank == 0 || pub.checking) && now - here.since >= pub.patience)
        sent = ask(wait, now) || sent;
    return sent;
}
