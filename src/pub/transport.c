/* SPDX-License-Identifier: MIT */
/*
 * Packets through MPI. Sending never waits for the receiver (MPI may keep a message of some hundred
 * bytes until the receiver comes): what is on its way is ours and is looked after later. Messages
 * of one process arrive in order, so the pieces of far packets need no names: they are received in
 * the order in which their headers came.
 *
 * Under simulation a message begins to travel when it has been sent and a receive is posted for
 * it, and asking whether a send has arrived costs simulated time. There, receives are posted for
 * many packets, which are handled in the order of posting, and the ends of sends are waited for
 * together with everything else.
 */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

#define TAG_PACKET 1
#define TAG_FAR    2
#define PIECE      ((size_t)1 << 30)
#define REAP_FROM  32 /* sends on their way before we look which have arrived */
#define POSTED     32 /* receives of packets under simulation, at most */

/* What is waited for: active[0] is the first receive of packets, the rest pieces of far packets and
   buffers of the user's, described by transfers[]. Under simulation, also buffers of ours. */
struct transfer {
    struct pub_packet *packet; /* receiving, or */
    uint32_t *unsent;          /* sending, or */
    void *block;               /* sending, of ours */
    size_t bytes;
};
static MPI_Request *active;
static struct transfer *transfers;
static uint32_t nactive, active_room, transfers_room;
static uint32_t nfar; /* of these: pieces of far packets, and buffers of the user's */

/* Packets being received: a ring, of which `first` is active[0]. */
static struct {
    struct pub_packet *packet;
    MPI_Request request;
} posted[POSTED];
static uint32_t nposted, first;

/* Buffers of ours that are on their way. */
struct send {
    void *block; /* given back with the last piece; NULL before */
    size_t bytes;
};
static MPI_Request *send_requests;
static struct send *sends;
static uint32_t nsends, requests_room, sends_room;
static uint32_t reap_at = REAP_FROM;
static size_t in_flight;

static uint64_t *sent; /* packets to each process */
static uint64_t received;

static void post_receive(uint32_t at)
{
    struct pub_packet *packet = pub_take(sizeof *packet + pub.capacity - sizeof(struct pub_header));
    posted[at].packet = packet;
    MPI_Irecv(&packet->header, (int)pub.capacity, MPI_BYTE, MPI_ANY_SOURCE, TAG_PACKET, pub.comm,
              &posted[at].request);
}

void pub_transport_begin(void)
{
    sent = calloc((size_t)pub.size, sizeof *sent);
    if (!sent)
        pub_fail(NULL, "no memory");
    active = pub_grow(active, 0, &active_room, sizeof *active);
    transfers = pub_grow(transfers, 0, &transfers_room, sizeof *transfers);
    nactive = 1;
    nposted = !pub_simulated() ? 1 : pub.size < POSTED ? (uint32_t)pub.size : POSTED;
    for (uint32_t i = 0; i < nposted; i++)
        post_receive(i);
    active[0] = posted[first].request;
}

uint64_t pub_packets_sent(int process)
{
    return sent[process];
}

uint64_t pub_packets_received(void)
{
    return received;
}

uint32_t pub_far_pending(void)
{
    return nfar;
}

void pub_packet_free(struct pub_packet *packet)
{
    pub_give(packet->storage);
    pub_give(packet);
}

/* ---- out */

static struct transfer *add_active(void)
{
    active = pub_grow(active, nactive, &active_room, sizeof *active);
    transfers = pub_grow(transfers, nactive, &transfers_room, sizeof *transfers);
    return &transfers[nactive++];
}

static void reap(void)
{
    uint32_t left = 0;
    for (uint32_t i = 0; i < nsends; i++) {
        int done;
        MPI_Test(&send_requests[i], &done, MPI_STATUS_IGNORE);
        if (done) {
            pub_give(sends[i].block);
            in_flight -= sends[i].bytes;
        } else {
            send_requests[left] = send_requests[i];
            sends[left++] = sends[i];
        }
    }
    nsends = left;
    reap_at = nsends < REAP_FROM / 2 ? REAP_FROM : 2 * nsends;
}

/* Sends `bytes` bytes, which stay until they have left; then `block` is given back. */
static void send_ours(int process, int tag, const void *from, size_t bytes, void *block)
{
    while (in_flight + bytes > pub.limit && in_flight) {
        if (pub_simulated()) {
            pub_wait_event();
        } else {
            reap();
            pub_poll();
        }
    }
    if (nsends >= reap_at)
        reap();
    if (pub_simulated()) {
        *add_active() = (struct transfer){.block = block, .bytes = bytes};
        MPI_Isend(from, (int)bytes, MPI_BYTE, process, tag, pub.comm, &active[nactive - 1]);
        in_flight += bytes;
        return;
    }
    send_requests = pub_grow(send_requests, nsends, &requests_room, sizeof *send_requests);
    sends = pub_grow(sends, nsends, &sends_room, sizeof *sends);
    MPI_Isend(from, (int)bytes, MPI_BYTE, process, tag, pub.comm, &send_requests[nsends]);
    sends[nsends++] = (struct send){block, bytes};
    in_flight += bytes;
}

static void send_header(int process, const struct pub_header *header)
{
    struct pub_header *copy = pub_take(sizeof *copy);
    *copy = *header;
    sent[process]++;
    send_ours(process, TAG_PACKET, copy, sizeof *copy, copy);
}

void pub_send_block(int process, struct pub_header *header, uint8_t *block)
{
    size_t whole = sizeof *header + header->bytes;
    header->far = whole > pub.capacity;
    if (header->far) {
        send_header(process, header);
        const uint8_t *at = block + sizeof *header;
        for (size_t left = header->bytes, n; left; left -= n, at += n) {
            n = left < PIECE ? left : PIECE;
            send_ours(process, TAG_FAR, at, n, n == left ? block : NULL);
        }
        return;
    }
    memcpy(block, header, sizeof *header);
    sent[process]++;
    send_ours(process, TAG_PACKET, block, whole, block);
}

void pub_send_bytes(int process, struct pub_header *header, const void *bytes, void *storage,
                    uint32_t *unsent)
{
    if (sizeof *header + header->bytes <= pub.capacity) {
        uint8_t *block = pub_take(sizeof *header + header->bytes);
        if (header->bytes)
            memcpy(block + sizeof *header, bytes, header->bytes);
        pub_send_block(process, header, block);
        pub_give(storage);
        return;
    }
    header->far = 1;
    send_header(process, header);
    const uint8_t *at = bytes;
    for (size_t left = header->bytes, n; left; left -= n, at += n) {
        n = left < PIECE ? left : PIECE;
        if (unsent) {
            *add_active() = (struct transfer){.unsent = unsent};
            nfar++;
            ++*unsent;
            MPI_Isend(at, (int)n, MPI_BYTE, process, TAG_FAR, pub.comm, &active[nactive - 1]);
        } else {
            send_ours(process, TAG_FAR, at, n, n == left ? storage : NULL);
        }
    }
}

/* ---- in */

static void receive_far(struct pub_packet *packet, int process)
{
    uint8_t *at = pub_far_place(packet);
    packet->parts = 0;
    for (size_t left = packet->header.bytes, n; left; left -= n, at += n) {
        n = left < PIECE ? left : PIECE;
        *add_active() = (struct transfer){.packet = packet};
        nfar++;
        packet->parts++;
        MPI_Irecv(at, (int)n, MPI_BYTE, process, TAG_FAR, pub.comm, &active[nactive - 1]);
    }
}

static void packet_came(int process)
{
    struct pub_packet *packet = posted[first].packet;
    received++;
    post_receive(first);
    first = (first + 1) % nposted;
    active[0] = posted[first].request;
    packet->storage = NULL;
    packet->data = (uint8_t *)(packet + 1);
    if (packet->header.far)
        receive_far(packet, process);
    else
        pub_arrive(packet);
}

static void transfer_ended(uint32_t index)
{
    struct transfer ended = transfers[index];
    --nactive;
    active[index] = active[nactive];
    transfers[index] = transfers[nactive];
    if (!ended.unsent && !ended.packet) {
        pub_give(ended.block);
        in_flight -= ended.bytes;
        return;
    }
    nfar--;
    if (ended.unsent)
        --*ended.unsent;
    else if (!--ended.packet->parts)
        pub_arrive(ended.packet);
}

static void handle(uint32_t index, const MPI_Status *status)
{
    if (index == 0)
        packet_came(status->MPI_SOURCE);
    else
        transfer_ended(index);
}

void pub_poll(void)
{
    int index, flag;
    MPI_Status status;
    for (;;) {
        MPI_Testany((int)nactive, active, &index, &flag, &status);
        if (!flag)
            return;
        handle((uint32_t)index, &status);
    }
}

static void wait_and_watch(void)
{
    int index, flag;
    MPI_Status status;
    for (;;) {
        MPI_Testany((int)nactive, active, &index, &flag, &status);
        if (flag)
            break;
        pub_watch();
    }
    handle((uint32_t)index, &status);
}

void pub_wait_event(void)
{
    int index = 0;
    MPI_Status status;
    if (pub.checking) {
        wait_and_watch();
        return;
    }
    if (nactive == 1)
        MPI_Wait(&active[0], &status);
    else
        MPI_Waitany((int)nactive, active, &index, &status);
    handle((uint32_t)index, &status);
}

/* The receives that are still posted get packets of our own: cancelling is not supported
   everywhere. */
static void end_receives(void)
{
    MPI_Request request;
    struct pub_header last = {.kind = PUB_FINISH};
    for (uint32_t i = 0; i < nposted; i++) {
        uint32_t at = (first + i) % nposted;
        MPI_Isend(&last, sizeof last, MPI_BYTE, pub.rank, TAG_PACKET, pub.comm, &request);
        MPI_Wait(i ? &posted[at].request : &active[0], MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pub_give(posted[at].packet);
    }
    nposted = first = 0;
}

/* Nothing is on its way to this processor any more. */
void pub_transport_end(void)
{
    end_receives();
    while (nsends) {
        MPI_Wait(&send_requests[nsends - 1], MPI_STATUS_IGNORE);
        pub_give(sends[--nsends].block);
    }
    while (nactive > 1) {
        MPI_Wait(&active[--nactive], MPI_STATUS_IGNORE);
        pub_give(transfers[nactive].block);
    }
    free(active), free(transfers), free(send_requests), free(sends), free(sent);
    active = NULL, transfers = NULL, send_requests = NULL, sends = NULL, sent = NULL;
    active_room = transfers_room = requests_room = sends_room = 0;
}
