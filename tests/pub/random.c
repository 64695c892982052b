/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * random P SEED LENGTH: random traffic against a sequential model of the semantics.
 *
 * All processors of an object draw the same random program from the same seed, so that each knows
 * what everybody sends, puts and gets. The model of an object holds the registered memory of all
 * its processors and the messages that this one must find. After each superstep everything is
 * compared. Only how long a processor dawdles is its own affair.
 *
 * What the specification leaves open is not drawn: two puts to one place, a bsp_get of what an
 * hpput writes, a put to what an hpget reads.
 */
#include "program.h"

#include <unistd.h>

#define LARGEST   ((size_t)3 << 20)
#define MEMORIES  4
#define CELL      ((size_t)40000) /* bytes of a registered memory, at most */
#define TRANSFERS 24
#define MESSAGES  40
#define DEPTH     4

struct expected {
    int src;
    size_t bytes;
    uint64_t seed;
};

/* Memory registered in this order: of this processor, and what must be in that of all. */
struct memory {
    uint8_t *mine;
    uint8_t **model;
    size_t *bytes;
};

struct transfer {
    int from, to; /* who calls; whose memory */
    int memory;
    size_t offset, bytes;
    int get, hp;
    uint64_t seed; /* of what is put */
    uint8_t *mine; /* source or destination, of the caller */
    uint8_t *want; /* what a get must bring */
};

struct machine {
    t_bsp *bsp;
    int p, pid;
    struct memory memories[MEMORIES];
    int nmemories; /* in effect */
    struct expected expected[MESSAGES];
    int nexpected;
    int64_t step;
};

static long supersteps, traffic; /* of this processor */
static uint64_t own_state;       /* of this processor alone */
static uint8_t *outbox[MESSAGES];
static uint64_t digest;

/* ---- machines */

static void begin(struct machine *m, t_bsp *bsp)
{
    memset(m, 0, sizeof *m);
    m->bsp = bsp;
    m->p = bsp_nprocs(bsp);
    m->pid = bsp_pid(bsp);
    m->step = 1;
}

static size_t cell_size(uint64_t *random)
{
    switch (below(random, 5)) {
    case 0: return 0;
    case 1: return CELL;
    default: return below(random, 3000);
    }
}

static void new_memory(struct machine *m, uint64_t *random)
{
    struct memory *memory = &m->memories[m->nmemories];
    memory->model = must_alloc((size_t)m->p * sizeof *memory->model);
    memory->bytes = must_alloc((size_t)m->p * sizeof *memory->bytes);
    for (int q = 0; q < m->p; q++) {
        memory->bytes[q] = cell_size(random);
        memory->model[q] = must_alloc(memory->bytes[q]);
        fill(memory->model[q], memory->bytes[q], next(random));
    }
    memory->mine = must_alloc(memory->bytes[m->pid]);
    memcpy(memory->mine, memory->model[m->pid], memory->bytes[m->pid]);
    bsp_push_reg(m->bsp, memory->mine, memory->bytes[m->pid]);
}

static void free_memory(struct machine *m, struct memory *memory)
{
    for (int q = 0; q < m->p; q++)
        free(memory->model[q]);
    free(memory->model);
    free(memory->bytes);
    free(memory->mine);
}

static void end(struct machine *m)
{
    while (m->nmemories)
        free_memory(m, &m->memories[--m->nmemories]);
}

/* ---- messages */

static size_t message_size(uint64_t *random)
{
    uint64_t class = below(random, 100);
    if (class < 12)
        return 0;
    if (class < 60)
        return below(random, 100);
    if (class < 85)
        return below(random, 4200);
    if (class < 98)
        return below(random, 40000);
    return below(random, below(random, 10) ? 300000 : LARGEST);
}

static void send_one(struct machine *m, int dest, int way, size_t bytes, uint64_t seed, int k)
{
    if (way == 2) {
        t_bspmsg *message = bsp_createmsg(m->bsp, bytes);
        fill(bspmsg_data(message), bytes, seed);
        bsp_sendmsg(m->bsp, dest, message);
        return;
    }
    outbox[k] = must_alloc(bytes);
    fill(outbox[k], bytes, seed);
    (way ? bsp_hpsend : bsp_send)(m->bsp, dest, outbox[k], bytes);
    if (!way)
        memset(outbox[k], 0x55, bytes);
}

static int draw_messages(struct machine *m, uint64_t *random)
{
    static const uint64_t most[] = {1, 4, 12, MESSAGES};
    int n = (int)below(random, most[below(random, 4)]);
    m->nexpected = 0;
    for (int k = 0; k < n; k++) {
        int from = (int)below(random, (uint64_t)m->p), to = (int)below(random, (uint64_t)m->p);
        int way = (int)below(random, 3);
        size_t bytes = message_size(random);
        uint64_t seed = next(random);
        if (from == m->pid)
            send_one(m, to, way, bytes, seed, k);
        if (to == m->pid)
            m->expected[m->nexpected++] = (struct expected){from, bytes, seed};
    }
    return n;
}

static int is_message(t_bspmsg *message, const struct expected *e)
{
    return bspmsg_src(message) == e->src && bspmsg_size(message) == e->bytes &&
           holds(bspmsg_data(message), e->bytes, e->seed);
}

/* Each of those that must be there is there, once. */
static void check_messages(struct machine *m)
{
    char taken[MESSAGES] = {0};
    SAME(m->bsp, bsp_superstep(m->bsp), m->step);
    SAME(m->bsp, bsp_nmsgs(m->bsp), m->nexpected);
    for (int i = 0; i < m->nexpected; i++) {
        t_bspmsg *message = bsp_getmsg(m->bsp, i);
        int k = 0;
        while (k < m->nexpected && (taken[k] || !is_message(message, &m->expected[k])))
            k++;
        if (k == m->nexpected)
            bsp_abort(m->bsp, "message %d of %zu bytes from %d is not one of those sent", i,
                      bspmsg_size(message), bspmsg_src(message));
        taken[k] = 1;
        digest = mixed(digest ^ m->expected[k].seed);
        CHECK(m->bsp, !i || bspmsg_src(bsp_getmsg(m->bsp, i - 1)) <= bspmsg_src(message));
    }
}

/* ---- remote memory */

static int overlap(const struct transfer *a, const struct transfer *b)
{
    return a->to == b->to && a->memory == b->memory && a->offset < b->offset + b->bytes &&
           b->offset < a->offset + a->bytes;
}

/* What the specification leaves open. */
static int conflict(const struct transfer *a, const struct transfer *b)
{
    if (!overlap(a, b) || (a->get && b->get))
        return 0;
    return a->get == b->get || a->hp || b->hp;
}

static int draw_transfers(struct machine *m, uint64_t *random, struct transfer *list)
{
    int n = 0, tries = (int)below(random, below(random, 2) ? 4 : TRANSFERS);
    for (int i = 0; i < tries && m->nmemories; i++) {
        struct transfer t = {.from = (int)below(random, (uint64_t)m->p),
                             .to = (int)below(random, (uint64_t)m->p),
                             .memory = (int)below(random, (uint64_t)m->nmemories),
                             .get = (int)below(random, 2),
                             .hp = (int)below(random, 2),
                             .seed = next(random)};
        size_t room = m->memories[t.memory].bytes[t.to];
        t.offset = below(random, room + 1);
        t.bytes = below(random, room - t.offset + 1);
        if (t.bytes > 200 && below(random, 2))
            t.bytes = below(random, 200);
        int k = 0;
        while (k < n && !conflict(&t, &list[k]))
            k++;
        if (k == n)
            list[n++] = t;
    }
    return n;
}

static void transfer(struct machine *m, struct transfer *t)
{
    struct memory *memory = &m->memories[t->memory];
    if (t->from != m->pid)
        return;
    t->mine = must_alloc(t->bytes);
    if (t->get) {
        (t->hp ? bsp_hpget : bsp_get)(m->bsp, t->to, memory->mine, t->offset, t->mine, t->bytes);
        t->want = must_alloc(t->bytes);
        memcpy(t->want, memory->model[t->to] + t->offset, t->bytes);
        return;
    }
    fill(t->mine, t->bytes, t->seed);
    (t->hp ? bsp_hpput : bsp_put)(m->bsp, t->to, t->mine, memory->mine, t->offset, t->bytes);
    if (!t->hp)
        memset(t->mine, 0x66, t->bytes);
}

static void check_transfers(struct machine *m, struct transfer *list, int n)
{
    for (int i = 0; i < n; i++) {
        struct transfer *t = &list[i];
        if (!t->get)
            fill(m->memories[t->memory].model[t->to] + t->offset, t->bytes, t->seed);
        if (t->want)
            CHECK(m->bsp, !memcmp(t->mine, t->want, t->bytes));
        free(t->mine);
        free(t->want);
    }
    for (int i = 0; i < m->nmemories; i++)
        CHECK(m->bsp, !memcmp(m->memories[i].mine, m->memories[i].model[m->pid],
                              m->memories[i].bytes[m->pid]));
}

/* ---- supersteps */

static void dawdle(void)
{
    if (below(&own_state, 40) == 0)
        usleep((useconds_t)below(&own_state, 300));
}

static void superstep(struct machine *m, uint64_t *random)
{
    struct transfer list[TRANSFERS];
    int oblivious = (int)below(random, 2), n = 0, change = 0;
    memset(outbox, 0, sizeof outbox);
    check_messages(m); /* those of the last superstep are still there */
    dawdle();
    if (!oblivious) {
        n = draw_transfers(m, random, list);
        for (int i = 0; i < n / 2; i++)
            transfer(m, &list[i]);
        change = below(random, 8) ? 0 : below(random, 2) ? 1 : -1;
    }
    if (change == 1 && m->nmemories < MEMORIES)
        new_memory(m, random);
    else if (change == -1 && m->nmemories)
        bsp_pop_reg(m->bsp, m->memories[m->nmemories - 1].mine);
    else
        change = 0;
    traffic += draw_messages(m, random) + n;
    for (int i = n / 2; i < n; i++)
        transfer(m, &list[i]);
    dawdle();
    if (oblivious)
        bsp_oblsync(m->bsp, m->nexpected);
    else
        bsp_sync(m->bsp);
    m->step++;
    supersteps++;
    for (int k = 0; k < MESSAGES; k++)
        free(outbox[k]);
    check_messages(m);
    check_transfers(m, list, n);
    if (change == 1)
        m->nmemories++;
    if (change == -1)
        free_memory(m, &m->memories[--m->nmemories]);
}

/* ---- collective operations in between */

struct operation {
    t_bsprequest request;
    long in, out, want;
    uint8_t *buffer;
    size_t bytes;
    uint64_t seed;
};

static void start(struct machine *m, struct operation *o, uint64_t *random)
{
    uint64_t seed = next(random);
    int root = (int)below(random, (uint64_t)m->p);
    memset(o, 0, sizeof *o);
    if (below(random, 2)) {
        for (int q = 0; q < m->p; q++)
            o->want += (long)(mixed(seed + (uint64_t)q) >> 8);
        o->in = (long)(mixed(seed + (uint64_t)m->pid) >> 8);
        o->request = bsp_iallreduce(m->bsp, bsp_op_sum_long, &o->in, &o->out, 1, sizeof o->in);
        return;
    }
    o->bytes = below(random, 30000);
    o->buffer = must_alloc(o->bytes);
    o->seed = seed;
    if (m->pid == root)
        fill(o->buffer, o->bytes, seed);
    o->request = bsp_ibroadcast(m->bsp, root, o->buffer, o->bytes);
}

static void finish(struct machine *m, struct operation *o)
{
    if (below(&own_state, 2))
        bsp_test(&o->request);
    bsp_wait(&o->request);
    SAME(m->bsp, o->out, o->want);
    CHECK(m->bsp, holds(o->buffer, o->bytes, o->seed));
    free(o->buffer);
}

/* ---- programs */

static void program(struct machine *m, uint64_t random, int depth, int length);

static void group(struct machine *m, struct machine *copy, uint64_t *random, int depth)
{
    int ends[4], n = 1 + (int)below(random, 3), last = 0, length = 1 + (int)below(random, 6);
    for (int i = 0; i < n; i++)
        last = ends[i] = last + (int)below(random, (uint64_t)(m->p - last) + 1);
    ends[n - 1] = m->p;
    t_bsp sub;
    struct machine child;
    bsp_partition(m->bsp, &sub, n, ends);
    int mine = 0;
    while (ends[mine] <= m->pid)
        mine++;
    begin(&child, &sub);
    if (copy && below(random, 2))
        superstep(copy, random);
    program(&child, next(random) + (uint64_t)mine, depth + 1, length + mine);
    end(&child);
    bsp_done(&sub);
}

static void program(struct machine *m, uint64_t random, int depth, int length)
{
    t_bsp second;
    struct machine copy;
    int have_copy = 0, have_operation = 0;
    struct operation operation;
    for (int i = 0; i < length; i++) {
        uint64_t what = below(&random, 30);
        if (what < 3 && depth < DEPTH) {
            group(m, have_copy ? &copy : NULL, &random, depth);
        } else if (what == 4 && !have_copy) {
            bsp_dup(m->bsp, &second);
            begin(&copy, &second);
            have_copy = 1;
        } else if (what == 5 && have_copy) {
            end(&copy);
            bsp_done(&second);
            have_copy = 0;
        } else if (what == 6 && !have_operation) {
            start(m, &operation, &random);
            have_operation = 1;
        } else if (what == 7 && have_operation) {
            finish(m, &operation);
            have_operation = 0;
        } else if (what < 14 && have_copy) {
            superstep(&copy, &random);
        } else {
            superstep(m, &random);
        }
    }
    if (have_operation)
        finish(m, &operation);
    if (have_copy) {
        end(&copy);
        bsp_done(&second);
    }
}

int main(int argc, char **argv)
{
    t_bsp world;
    struct machine m;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &world);
    CHECK(&world, argc == 4 && bsp_nprocs(&world) == atoi(argv[1]));
    uint64_t seed = (uint64_t)atoll(argv[2]);
    begin(&m, &world);
    own_state = mixed(seed) + (uint64_t)m.pid;
    program(&m, seed, 0, atoi(argv[3]));
    end(&m);
    long mine[2] = {supersteps, traffic}, most[2];
    bsp_allreduce(&world, bsp_op_max_long, mine, most, 2, sizeof(long));
    uint64_t *digests = must_alloc((size_t)m.p * sizeof *digests);
    bsp_gather(&world, 0, &digest, digests, sizeof digest);
    for (int q = 1; q < m.p; q++)
        digests[0] = mixed(digests[0] ^ digests[q]);
    int pid = m.pid;
    uint64_t order = digests[0];
    free(digests);
    bsplib_done();
    if (pid == 0)
        printf("%ld supersteps, %ld operations, order %016llx\npassed\n", most[0], most[1],
               (unsigned long long)order);
    return 0;
}
