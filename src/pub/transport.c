/* SPDX-License-Identifier: MIT */
/*
 * Packets through MPI. Sending never waits for the receiver (MPI may keep a message of some hundred
 * bytes until the receiver comes): what is on its way is ours and is looked after later. Messages
 * of one process arrive in order, so the pieces of far packets need no names: they are received in
 * the order in which their headers came.
 */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

#define TAG_PACKET 1
#define TAG_FAR    2
#define PIECE      ((size_t)1 << 30)
#define REAP_FROM  32 /* sends on their way before we look which have arrived */

/* What is waited for: active[0] is the receive of packets, the rest pieces of far packets and
   buffers of the user's, described by transfers[]. */
struct transfer {
    struct pub_packet *packet; /* receiving, or */
    uint32_t *unsent;          /* sending */
};
static MPI_Request *active;
static struct transfer *transfers;
static uint32_t nactive, active_room, transfers_room;

static struct pub_packet *incoming; /* being received */

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

static void post_receive(void)
{
    incoming = pub_take(sizeof *incoming + pub.capacity - sizeof(struct pub_header));
    MPI_Irecv(&incoming->header, (int)pub.capacity, MPI_BYTE, MPI_ANY_SOURCE, TAG_PACKET, pub.comm,
              &active[0]);
}

void pub_transport_begin(void)
{
    sent = calloc((size_t)pub.size, sizeof *sent);
    if (!sent)
        pub_fail(NULL, "no memory");
    active = pub_grow(active, 0, &active_room, sizeof *active);
    transfers = pub_grow(transfers, 0, &transfers_room, sizeof *transfers);
    nactive = 1;
    post_receive();
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
    return nactive - 1;
}

void pub_packet_free(struct pub_packet *packet)
{
    pub_give(packet->storage);
    pub_give(packet);
}

/* ---- out */

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
    while (in_flight + bytes > pub.limit && nsends) {
        reap();
        pub_poll();
    }
    if (nsends >= reap_at)
        reap();
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

static struct transfer *add_active(void)
{
    active = pub_grow(active, nactive, &active_room, sizeof *active);
    transfers = pub_grow(transfers, nactive, &transfers_room, sizeof *transfers);
    return &transfers[nactive++];
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
        packet->parts++;
        MPI_Irecv(at, (int)n, MPI_BYTE, process, TAG_FAR, pub.comm, &active[nactive - 1]);
    }
}

static void packet_came(int process)
{
    struct pub_packet *packet = incoming;
    received++;
    post_receive();
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

/* Nothing is on its way to this processor any more. The receive that is still posted gets a packet
   of our own: cancelling is not supported everywhere. */
void pub_transport_end(void)
{
    MPI_Request request;
    struct pub_header last = {.kind = PUB_FINISH};
    MPI_Isend(&last, sizeof last, MPI_BYTE, pub.rank, TAG_PACKET, pub.comm, &request);
    MPI_Wait(&active[0], MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    pub_give(incoming);
    while (nsends) {
        MPI_Wait(&send_requests[nsends - 1], MPI_STATUS_IGNORE);
        pub_give(sends[--nsends].block);
    }
    free(active), free(transfers), free(send_requests), free(sends), free(sent);
    active = NULL, transfers = NULL, send_requests = NULL, sends = NULL, sent = NULL;
    active_room = transfers_room = requests_room = sends_room = 0;
}
