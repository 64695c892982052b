/* SPDX-License-Identifier: MIT */
/*
 * Sends and receives packets through MPI. Sending never waits for the receiver (MPI may hold even a
 * message of some hundred bytes until the receiver comes): the block belongs to this file until MPI
 * has sent it. Messages of one process arrive in order, so the pieces of far packets need no names:
 * they are received in the order in which their headers arrived.
 *
 * MPI moves a far packet only while both processes are in MPI, if the processor that sends has to copy it. So the
 * receiver waits if the sender computes meanwhile. After a barrier all are there, and a processor stays until its far
 * packets have been sent. An oblivious synchronisation does not wait for receivers, which may come much later. Its far
 * packets are put on shelves (shelf.c), or are sent in pieces that MPI sends at once, unless they are so large that copying them
 * twice takes too long.
 *
 * In a simulation a message starts to travel when it has been sent and a receive is posted for it,
 * and testing a send costs simulated time. So receives are posted there for many packets, and sends
 * are among the requests that pub_wait_event waits for.
 */
#include <stdlib.h>
#include <string.h>

#include "pub/internal.h"

#define TAG_PACKET 1
#define TAG_FAR    2
#define PIECE      ((size_t)1 << 30)
#define REAP_FROM  32 /* open sends before they are tested for completion */
#define REAP_BYTES                                                                                 \
    ((size_t)64 << 10) /* bytes in open sends for the same at the end of a superstep */
#define AT_ONCE 256    /* bytes: MPI has mostly sent so many before MPI_Isend returns */
#define FEW     16     /* requests that MPI_Testany is quick with */
#define WATCH   256    /* polls: so often a deadlock is looked for */
#define POSTED  32     /* receives of packets, at most ... */
#define USUALLY 4      /* ... and without simulation */

/* The requests that pub_wait_event waits for. active[0] is the oldest receive of packets. The others
   are pieces of far packets and buffers of the program, in a simulation also blocks of the library;
   transfers[] describes them. */
struct transfer {
    struct pub_packet *packet; /* receiving, or */
    uint32_t *unsent;          /* sending, or */
    void *block;               /* sending a block of the library */
    size_t bytes;
};
static MPI_Request *active;
static struct transfer *transfers;
static uint32_t nactive, active_room, transfers_room;
static uint32_t nfar; /* pieces of far packets, and buffers of the program */

/* Receives of packets, which are matched in the order of posting: the oldest is active[0]. There is
   more than one, so that MPI need not keep packets that arrive at the same time. A packet is copied
   out: that costs less than a new receive into new memory. */
static MPI_Request posted[POSTED];
static uint8_t *wires[POSTED];
static unsigned nposted, oldest;

/* Open sends of blocks of the library. */
struct send {
    void *block; /* memory.c counts its pieces */
    size_t bytes;
    uint64_t object, step; /* of a far packet; else 0 */
};
static MPI_Request *send_requests;
static struct send *sends;
static uint32_t nsends, requests_room, sends_room;
static uint32_t reap_at = REAP_FROM;
static size_t in_flight, reap_bytes = REAP_BYTES;

static uint64_t *sent; /* packets to each process */
static uint64_t nsent; /* packets to all of them */
static uint64_t received;
static uint64_t nended; /* transfers of far packets and of buffers of the program */

void pub_transport_begin(void)
{
    sent = calloc((size_t)pub.size, sizeof *sent);
    if (!sent)
        pub_fail(NULL, "no memory");
    active = pub_grow(active, 0, &active_room, sizeof *active);
    transfers = pub_grow(transfers, 0, &transfers_room, sizeof *transfers);
    nactive = 1;
    nposted = !pub_simulated() ? USUALLY : pub.size < POSTED ? (unsigned)pub.size : POSTED;
    for (unsigned i = 0; i < nposted; i++) {
        wires[i] = pub_take(pub.capacity);
        MPI_Recv_init(wires[i], (int)pub.capacity, MPI_BYTE, MPI_ANY_SOURCE, TAG_PACKET, pub.comm,
                      &posted[i]);
        MPI_Start(&posted[i]);
    }
    active[0] = posted[0];
}

uint64_t pub_packets_sent_to(int process)
{
    return sent[process];
}

uint64_t pub_packets_sent(void)
{
    return nsent;
}

uint64_t pub_packets_received(void)
{
    return received;
}

uint64_t pub_transfers_ended(void)
{
    return nended;
}

uint32_t pub_far_pending(void)
{
    return nfar;
}

/* The pieces of a packet may be anywhere in the list. */
uint32_t pub_far_messages(const struct pub_object *object)
{
    static uint32_t count;
    uint32_t n = 0;
    count++;
    for (uint32_t i = 1; i < nactive; i++) {
        struct pub_packet *packet = transfers[i].packet;
        if (packet && packet->seen != count && packet->header.object == object->identity &&
            packet->header.step == object->step) {
            packet->seen = count;
            n += packet->header.messages;
        }
    }
    return n;
}

void pub_packet_free(struct pub_packet *packet)
{
    pub_give(packet->storage);
    pub_give(packet);
}

/* ---- out */

/* A piece of a block has been sent; after the last one the block is given back. */
static void piece_left(void *block)
{
    if (pub_release(block))
        pub_give(block);
}

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
            piece_left(sends[i].block);
            in_flight -= sends[i].bytes;
        } else {
            send_requests[left] = send_requests[i];
            sends[left++] = sends[i];
        }
    }
    nsends = left;
    reap_at = nsends < REAP_FROM / 2 ? REAP_FROM : 2 * nsends;
    reap_bytes = in_flight < REAP_BYTES / 2 ? REAP_BYTES : 2 * in_flight;
}

static bool is_far_of(const struct send *s, const struct pub_object *object)
{
    return s->object == object->identity && s->step == object->step;
}

static bool has_far_sends(const struct pub_object *object)
{
    uint32_t i = 0;
    while (i < nsends && !is_far_of(&sends[i], object))
        i++;
    return i < nsends;
}

/* In a simulation messages travel by themselves. */
void pub_send_far(const struct pub_object *object)
{
    while (has_far_sends(object)) {
        reap();
        pub_poll();
        if (pub.idle)
            pub.idle();
    }
}

/* Large blocks are given back early: the next superstep then uses memory that is in the cache. */
void pub_send_end(void)
{
    if (in_flight >= reap_bytes && nsends)
        reap();
}

/* Waits until this many more bytes may be in open sends. It handles packets that arrive, which may
   send packets: so it is called before a packet, never between its header and its pieces. */
static void make_room(size_t bytes)
{
    while (in_flight + bytes > pub.limit && in_flight) {
        if (pub_simulated()) {
            pub_wait_event(NULL);
        } else {
            reap();
            pub_poll();
        }
    }
}

/* Sends bytes of a block, which is kept until all its pieces have been sent. */
static void send_ours(int process, int tag, const void *from, struct send send)
{
    size_t bytes = send.bytes;
    if (pub_simulated()) {
        *add_active() = (struct transfer){.block = send.block, .bytes = bytes};
        MPI_Isend(from, (int)bytes, MPI_BYTE, process, tag, pub.comm, &active[nactive - 1]);
        in_flight += bytes;
        return;
    }
    if (nsends >= reap_at)
        reap();
    MPI_Request request;
    MPI_Isend(from, (int)bytes, MPI_BYTE, process, tag, pub.comm, &request);
    if (bytes <= AT_ONCE) {
        int done;
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done) {
            piece_left(send.block);
            return;
        }
    }
    send_requests = pub_grow(send_requests, nsends, &requests_room, sizeof *send_requests);
    sends = pub_grow(sends, nsends, &sends_room, sizeof *sends);
    send_requests[nsends] = request;
    sends[nsends++] = send;
    in_flight += bytes;
}

/* Does the second half have unusual values? */
static bool is_extended(const struct pub_header *h)
{
    return h->packets || h->others || h->slot || h->offset || h->messages != h->single ||
           h->payload != (h->single ? h->bytes : 0);
}

/* Copies the short half field by field: a processor is slow to load as a whole what it has just
   stored in parts. */
static void copy_short(struct pub_header *to, const struct pub_header *from)
{
    to->object = from->object;
    to->step = from->step;
    to->bytes = from->bytes;
    to->src = from->src;
    to->kind = from->kind;
    to->round = from->round;
    to->flags = from->flags;
    to->shelf = from->shelf;
}

static void count_packet(int process)
{
    sent[process]++;
    nsent++;
}

static void send_header(int process, struct pub_header *header)
{
    struct pub_header *copy = pub_take(sizeof *copy);
    header->extended = is_extended(header);
    *copy = *header;
    count_packet(process);
    send_ours(process, TAG_PACKET, copy,
              (struct send){.block = copy, .bytes = header->extended ? sizeof *copy : PUB_SHORT});
}

/* The pieces in which far bytes travel. */
static size_t piece_of(const struct pub_header *header, size_t left)
{
    size_t most = header->pieces ? PUB_EAGER : PIECE;
    return left < most ? left : most;
}

static void send_pieces(int process, const struct pub_header *header, const uint8_t *at,
                        void *block)
{
    struct send piece = {.block = block, .object = header->object, .step = header->step};
    size_t most = piece_of(header, SIZE_MAX);
    pub_hold(block, (uint32_t)((header->bytes + most - 1) / most));
    for (size_t left = header->bytes; left; left -= piece.bytes, at += piece.bytes) {
        piece.bytes = piece_of(header, left);
        send_ours(process, TAG_FAR, at, piece);
    }
}

/* How far bytes travel. True: they are on a shelf, and need not be sent. Where MPI would do with one copy, a shelf, which needs two,
   takes the place of pieces only. `most`: bytes on a shelf. */
static bool is_shelved(int process, struct pub_header *header, const void *bytes, size_t most)
{
    bool shelved =
        header->pieces && header->bytes <= most && pub_shelf_fill(process, header, bytes);
    header->far = 1;
    header->pieces = header->pieces && header->bytes <= pub.pieces;
    return shelved;
}

/* Sends far bytes, which are in `block`, and gives it back; without one they are copied. */
static void send_far_block(int process, struct pub_header *header, const uint8_t *at, void *block)
{
    bool shelved = is_shelved(process, header, at, block ? pub.pieces : pub.shelf);
    if (!shelved && !block)
        at = block = memcpy(pub_take(header->bytes), at, header->bytes);
    send_header(process, header);
    if (shelved)
        pub_give(block);
    else
        send_pieces(process, header, at, block);
}

void pub_send_block(int process, struct pub_header *header, uint8_t *block)
{
    uint8_t *at = block + sizeof *header;
    make_room(sizeof *header + header->bytes);
    if (header->messages == 1 && !header->others && !header->numbered && !header->alike) {
        const struct t_bspmsg *record = (const struct t_bspmsg *)at;
        header->single = 1;
        header->bytes = record->size;
        at += sizeof *record;
    }
    if (sizeof *header + header->bytes > pub.capacity) {
        send_far_block(process, header, at, block);
        return;
    }
    header->extended = is_extended(header);
    size_t front = header->extended ? sizeof *header : PUB_SHORT;
    at -= front;
    if (header->extended)
        memcpy(at, header, sizeof *header);
    else
        copy_short((struct pub_header *)at, header);
    count_packet(process);
    send_ours(process, TAG_PACKET, at,
              (struct send){.block = block, .bytes = front + header->bytes});
}

void pub_send_bytes(int process, struct pub_header *header, const void *bytes, void *storage,
                    uint32_t *unsent)
{
    if (sizeof *header + header->bytes <= pub.capacity) {
        make_room(sizeof *header + header->bytes);
        uint8_t *block = pub_take(sizeof *header + header->bytes);
        header->extended = 1;
        memcpy(block, header, sizeof *header);
        if (header->bytes)
            memcpy(block + sizeof *header, bytes, header->bytes);
        count_packet(process);
        send_ours(process, TAG_PACKET, block,
                  (struct send){.block = block, .bytes = sizeof *header + header->bytes});
        pub_give(storage);
        return;
    }
    make_room(sizeof *header + (unsent ? 0 : header->bytes));
    if (!unsent) {
        send_far_block(process, header, bytes, storage);
        return;
    }
    bool shelved = is_shelved(process, header, bytes, pub.pieces);
    send_header(process, header);
    if (shelved)
        return;
    const uint8_t *at = bytes;
    for (size_t left = header->bytes, n; left; left -= n, at += n) {
        n = piece_of(header, left);
        *add_active() = (struct transfer){.unsent = unsent};
        ++*unsent;
        nfar++;
        MPI_Isend(at, (int)n, MPI_BYTE, process, TAG_FAR, pub.comm, &active[nactive - 1]);
    }
}

/* ---- in */

static void receive_far(struct pub_packet *packet, int process)
{
    uint8_t *at = pub_far_bytes(packet);
    if (packet->header.shelf) {
        pub_shelf_empty(process, &packet->header, at);
        pub_arrive(packet);
        return;
    }
    packet->parts = packet->seen = 0;
    for (size_t left = packet->header.bytes, n; left; left -= n, at += n) {
        n = piece_of(&packet->header, left);
        *add_active() = (struct transfer){.packet = packet};
        packet->parts++;
        nfar++;
        MPI_Irecv(at, (int)n, MPI_BYTE, process, TAG_FAR, pub.comm, &active[nactive - 1]);
    }
}

/* Returns the size of the header as it arrived. */
static size_t read_header(struct pub_header *header, const uint8_t *wire)
{
    const struct pub_header *from = (const struct pub_header *)wire;
    copy_short(header, from);
    if (from->extended) {
        memcpy(&header->packets, wire + PUB_SHORT, PUB_SHORT);
        return sizeof *header;
    }
    header->packets = header->others = header->slot = 0;
    header->offset = 0;
    header->messages = from->single;
    header->payload = from->single ? from->bytes : 0;
    return PUB_SHORT;
}

/* A packet with the bytes that arrived, and room for a record before them. */
static struct pub_packet *new_packet(const uint8_t *wire)
{
    const struct pub_header *from = (const struct pub_header *)wire;
    size_t bytes = from->far ? 0 : from->bytes;
    struct pub_packet *packet = pub_take(sizeof *packet + sizeof(struct t_bspmsg) + bytes);
    size_t front = read_header(&packet->header, wire);
    packet->storage = NULL;
    packet->data = packet->wire + sizeof(struct t_bspmsg);
    pub_copy(packet->data, wire + front, bytes);
    return packet;
}

/* A round that brings nothing. */
static bool is_empty_round(const struct pub_header *header)
{
    return header->kind == PUB_ROUND && !header->bytes && !header->single && !header->extended;
}

static void next_receive(void)
{
    received++;
    MPI_Start(&posted[oldest]);
    oldest = (oldest + 1) % nposted;
    active[0] = posted[oldest];
}

static void packet_came(int process)
{
    const uint8_t *wire = wires[oldest];
    if (is_empty_round((const struct pub_header *)wire)) {
        struct pub_header header;
        read_header(&header, wire);
        next_receive();
        pub_empty_round(&header);
        return;
    }
    struct pub_packet *packet = new_packet(wire);
    next_receive();
    if (packet->header.far)
        receive_far(packet, process);
    else
        pub_arrive(packet);
}

static struct transfer take_active(uint32_t index)
{
    struct transfer taken = transfers[index];
    --nactive;
    active[index] = active[nactive];
    transfers[index] = transfers[nactive];
    return taken;
}

static void transfer_ended(struct transfer ended)
{
    if (!ended.unsent && !ended.packet) {
        piece_left(ended.block);
        in_flight -= ended.bytes;
        return;
    }
    nfar--;
    nended++;
    if (ended.unsent) {
        --*ended.unsent;
        return;
    }
    if (!--ended.packet->parts)
        pub_arrive(ended.packet);
}

static void request_ended(uint32_t index, int source)
{
    if (index == 0)
        packet_came(source);
    else
        transfer_ended(take_active(index));
}

/* Handles one request that has completed, without waiting. MPI would test its list from the
   beginning each time, so that many transfers would cost the square of their number. Here each call
   tests for a packet and then goes on where the last call stopped. In a simulation only tests of
   single requests see all that have completed. */
static bool test_one(void)
{
    static uint32_t next;
    int flag;
    MPI_Status status;
    MPI_Test(&active[0], &flag, &status);
    if (flag) {
        packet_came(status.MPI_SOURCE);
        return true;
    }
    for (uint32_t n = 1; n < nactive; n++) {
        next = next + 1 < nactive ? next + 1 : 1;
        MPI_Test(&active[next], &flag, MPI_STATUS_IGNORE);
        if (flag) {
            uint32_t ended = next--;
            transfer_ended(take_active(ended));
            return true;
        }
    }
    return false;
}

void pub_poll(void)
{
    while (test_one())
        ;
}

/* The same for few requests, with one call of MPI. */
static bool test_few(void)
{
    int flag, index = 0;
    MPI_Status status;
    if (nactive == 1)
        MPI_Test(&active[0], &flag, &status);
    else
        MPI_Testany((int)nactive, active, &index, &flag, &status);
    if (flag)
        request_ended((uint32_t)index, status.MPI_SOURCE);
    return flag;
}

static void wait_simulated(void)
{
    int index = 0;
    MPI_Status status;
    if (nactive == 1)
        MPI_Wait(&active[0], &status);
    else
        MPI_Waitany((int)nactive, active, &index, &status);
    request_ended((uint32_t)index, status.MPI_SOURCE);
}

/* MPI is asked again and again, where it could wait itself, so that a deadlock is found. */
void pub_wait_event(const struct pub_wait *wait)
{
    unsigned polls = 0;
    if (pub_simulated()) {
        wait_simulated();
        return;
    }
    while (!(nactive <= FEW ? test_few() : test_one())) {
        if (++polls % WATCH == 0 && wait && !nfar && pub_watch(wait))
            return;
        if (pub.idle)
            pub.idle();
    }
}

/* Completes the receives that are still posted by packets to itself: not every MPI library can
   cancel them. */
static void end_receives(void)
{
    struct pub_header last = {.kind = PUB_FINISH};
    for (unsigned i = 0; i < nposted; i++) {
        unsigned at = (oldest + i) % nposted;
        MPI_Request request;
        MPI_Isend(&last, PUB_SHORT, MPI_BYTE, pub.rank, TAG_PACKET, pub.comm, &request);
        MPI_Wait(&posted[at], MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        pub_give(wires[at]);
        MPI_Request_free(&posted[at]);
    }
    nposted = oldest = 0;
}

/* Nothing is on its way to this processor any more. */
void pub_transport_end(void)
{
    end_receives();
    while (nsends) {
        MPI_Wait(&send_requests[nsends - 1], MPI_STATUS_IGNORE);
        piece_left(sends[--nsends].block);
    }
    while (nactive > 1) {
        MPI_Wait(&active[--nactive], MPI_STATUS_IGNORE);
        piece_left(transfers[nactive].block);
    }
    free(active), free(transfers), free(send_requests), free(sends), free(sent);
    active = NULL, transfers = NULL, send_requests = NULL, sends = NULL, sent = NULL;
    active_room = transfers_room = requests_room = sends_room = 0;
}
