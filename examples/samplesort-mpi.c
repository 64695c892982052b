/* SPDX-License-Identifier: MIT */
/*
 * Sample sort: N keys on P processes. `sort` measures the whole, and inside it a region for each
 * phase with what it should cost:
 *
 *     local       each process sorts its own N/P keys: (N/P)*log2(N/P) comparisons
 *     splitters   all get a sample of each process, sort them, and choose P-1 splitters
 *     exchange    each sends every other the keys that belong there: P messages, and N/P keys
 *                 leave, of which (P-1)/P go to others
 *     merge       P sorted pieces with N/P keys in all: log2(P) passes
 *
 *     call run samplesort-mpi.c             measures and fits, for those P that there are cores for
 *
 * By hand (beyond the cores of the machine, Open MPI's mpirun wants --oversubscribe):
 *
 *     mpicc -O2 -Wno-unknown-pragmas samplesort-mpi.c -o samplesort
 *     mpirun -n 2 ./samplesort                                          sorts
 *     call cc mpicc -O2 samplesort-mpi.c -o samplesort                  measures:
 *     for p in 1 2 4 8; do mpirun -n $p ./samplesort; done
 *     llac -e 'fit local; fit merge; fit sort; explain sort N=1e6 P=8' samplesort.cll.*.dat
 *
 * The same code sorts and merges, so local[1] and merge[1] come out alike, and the whole does
 * (N/P)*log2(N) comparisons: that is the formula of `sort`. A process that is early waits for the
 * others in `splitters`; `ranks min; fit splitters` shows the phase without the waiting.
 *
 * Checked: the keys are in order within and across processes, and they are the keys of the input
 * (their number, sum and exclusive or).
 */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel MPI procs = 1:8:2

enum { SAMPLE = 64 }; /* keys in the sample of a process */

struct keys {
    uint64_t *own, *scratch; /* room for as many keys in both */
    size_t count, room;
};

/* What one process needs. */
struct sorter {
    int rank, size;
    int N; /* keys of all processes */
    struct keys keys, samples;
    uint64_t *splitter;           /* the least keys of process 1, 2... */
    size_t *start;                /* of the piece that came from each process; then the count */
    int *sent, *from, *got, *put; /* how many keys to and from each process, and where */
};

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "samplesort-mpi: no memory\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

/* Memory is touched here, so that it is not the first sort that pays for it. */
static void make_room(struct keys *k, size_t count)
{
    if (count <= k->room)
        return;
    k->own = need(realloc(k->own, count * sizeof *k->own));
    k->scratch = need(realloc(k->scratch, count * sizeof *k->scratch));
    memset(k->own + k->room, 0, (count - k->room) * sizeof *k->own);
    memset(k->scratch + k->room, 0, (count - k->room) * sizeof *k->scratch);
    k->room = count;
}

static void swap(struct keys *k)
{
    uint64_t *own = k->own;
    k->own = k->scratch;
    k->scratch = own;
}

static void merge_two(uint64_t *to, const uint64_t *a, size_t na, const uint64_t *b, size_t nb)
{
    const uint64_t *enda = a + na, *endb = b + nb;
    while (a < enda && b < endb) {
        int second = *b < *a;
        *to++ = second ? *b : *a;
        a += !second;
        b += second;
    }
    memcpy(to, a, (size_t)(enda - a) * sizeof *a);
    memcpy(to + (enda - a), b, (size_t)(endb - b) * sizeof *b);
}

/* Merge sort from below: pieces of one key, of two, of four... */
static void sort_keys(struct keys *k)
{
    for (size_t width = 1; width < k->count; width *= 2) {
        for (size_t from = 0; from < k->count; from += 2 * width) {
            size_t rest = k->count - from, first = rest < width ? rest : width;
            size_t second = rest - first < width ? rest - first : width;
            merge_two(k->scratch + from, k->own + from, first, k->own + from + first, second);
        }
        swap(k);
    }
}

/* Merges n pieces, two and two, until there is one; start[n] is the count. */
static void merge_pieces(struct keys *k, size_t *start, int n)
{
    for (; n > 1; n = (n + 1) / 2) {
        for (int i = 0; i < n; i += 2) {
            size_t from = start[i], middle = start[i + 1], end = i + 1 < n ? start[i + 2] : middle;
            merge_two(k->scratch + from, k->own + from, middle - from, k->own + middle,
                      end - middle);
            start[i / 2] = from;
        }
        start[(n + 1) / 2] = k->count;
        swap(k);
    }
}

/* Evenly spaced keys of every process, and of these again evenly spaced ones. */
static void choose_splitters(struct sorter *s)
{
    uint64_t mine[SAMPLE];
    for (size_t i = 0; i < SAMPLE; i++)
        mine[i] = s->keys.count ? s->keys.own[(2 * i + 1) * s->keys.count / (2 * SAMPLE)] : 0;
    MPI_Allgather(mine, SAMPLE, MPI_UINT64_T, s->samples.own, SAMPLE, MPI_UINT64_T, MPI_COMM_WORLD);
    sort_keys(&s->samples);
    for (int i = 1; i < s->size; i++)
        s->splitter[i - 1] = s->samples.own[i * SAMPLE];
}

/* The number of keys below a value, in a sorted array. */
static size_t below(const struct keys *k, uint64_t value)
{
    size_t low = 0, high = k->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (k->own[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void exchange(struct sorter *s)
{
    struct keys *k = &s->keys;
    int last = s->size - 1;
    s->from[0] = 0;
    for (int i = 0; i < last; i++) {
        s->from[i + 1] = (int)below(k, s->splitter[i]);
        s->sent[i] = s->from[i + 1] - s->from[i];
    }
    s->sent[last] = (int)k->count - s->from[last];
    MPI_Alltoall(s->sent, 1, MPI_INT, s->got, 1, MPI_INT, MPI_COMM_WORLD);
    size_t count = 0;
    for (int i = 0; i <= last; i++) {
        s->put[i] = (int)count;
        s->start[i] = count;
        count += (size_t)s->got[i];
    }
    s->start[last + 1] = count;
    make_room(k, count);
    MPI_Alltoallv(k->own, s->sent, s->from, MPI_UINT64_T, k->scratch, s->got, s->put, MPI_UINT64_T,
                  MPI_COMM_WORLD);
    swap(k);
    k->count = count;
}

static void sort(struct sorter *s)
{
#pragma cll sync sort(N = s->N) sort[0] + sort[1]*(N/P)*log2(N) + sort[2]*(N/P)*(P-1)/P + sort[3]*P
#pragma cll local(N = s->N) local[0] + local[1]*(N/P)*log2(N/P)
    sort_keys(&s->keys);
#pragma cll end local
#pragma cll splitters splitters[0] + splitters[1]*P*log2(P)
    choose_splitters(s);
#pragma cll end splitters
#pragma cll exchange(N = s->N) exchange[0] + exchange[1]*P + exchange[2]*N/P + exchange[3]*(N/P)*(P-1)/P
    exchange(s);
#pragma cll end exchange
#pragma cll merge(N = s->N) merge[0] + merge[1]*(N/P)*log2(P)
    merge_pieces(&s->keys, s->start, s->size);
#pragma cll end merge
#pragma cll end sort
}

/* Key number i of an input: the same keys whatever the number of processes. */
static uint64_t key(int input, uint64_t i)
{
    uint64_t x = ((uint64_t)input << 40) + i * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Number, sum and exclusive or of the keys of all processes. */
static void checksum(const struct keys *k, uint64_t sums[3])
{
    uint64_t mine[2] = {k->count, 0}, bits = 0;
    for (size_t i = 0; i < k->count; i++) {
        mine[1] += k->own[i];
        bits ^= k->own[i];
    }
    MPI_Allreduce(mine, sums, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&bits, &sums[2], 1, MPI_UINT64_T, MPI_BXOR, MPI_COMM_WORLD);
}

/* A process may have got no keys: what counts is the largest key of all processes before it. */
static int in_order(const struct sorter *s)
{
    const struct keys *k = &s->keys;
    uint64_t largest = k->count ? k->own[k->count - 1] : 0, before = 0;
    int right = 1, all;
    for (size_t i = 1; i < k->count; i++)
        right &= k->own[i - 1] <= k->own[i];
    MPI_Exscan(&largest, &before, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
    if (s->rank > 0 && k->count)
        right &= before <= k->own[0];
    MPI_Allreduce(&right, &all, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return all;
}

/* Sorts N new keys; whether it went well. */
static int sort_new(struct sorter *s, int N)
{
    static int input;
    uint64_t given[3], sorted[3];
    uint64_t from = (uint64_t)N * (uint64_t)s->rank / (uint64_t)s->size;
    uint64_t to = (uint64_t)N * ((uint64_t)s->rank + 1) / (uint64_t)s->size;
    input++;
    s->N = N;
    s->keys.count = (size_t)(to - from);
    for (uint64_t i = from; i < to; i++)
        s->keys.own[i - from] = key(input, i);
    checksum(&s->keys, given);
    sort(s);
    checksum(&s->keys, sorted);
    return in_order(s) && !memcmp(given, sorted, sizeof given);
}

static void sorter_new(struct sorter *s, int N)
{
    size_t size = (size_t)s->size, share = (size_t)N / size + 1;
    make_room(&s->keys, share + share / 4); /* rarely too little */
    make_room(&s->samples, size * SAMPLE);
    s->samples.count = size * SAMPLE;
    s->splitter = need(malloc(size * sizeof *s->splitter));
    s->start = need(malloc((size + 1) * sizeof *s->start));
    s->sent = need(malloc(4 * size * sizeof *s->sent));
    s->from = s->sent + size;
    s->got = s->from + size;
    s->put = s->got + size;
}

static void sorter_free(struct sorter *s)
{
    free(s->keys.own);
    free(s->keys.scratch);
    free(s->samples.own);
    free(s->samples.scratch);
    free(s->splitter);
    free(s->start);
    free(s->sent);
}

int main(int argc, char **argv)
{
    struct sorter s = {0};
    int right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &s.size);
    int first = argc > 1 ? atoi(argv[1]) : 16384, last = argc > 2 ? atoi(argv[2]) : 524288;
    int rounds = argc > 3 ? atoi(argv[3]) : 5;
    if (first < s.size || last < first || last > 1 << 29 || rounds < 1) {
        if (s.rank == 0)
            fprintf(stderr, "usage: samplesort-mpi [FIRST [LAST [ROUNDS]]], from one key for each "
                            "process to %d\n", 1 << 29);
        MPI_Finalize();
        return 2;
    }
    sorter_new(&s, last);
    int N = last;
    /* All sizes once, then all again: a slow moment of the machine then hits no size alone. */
#pragma cll for (int round = 0; round < rounds; round++)
#pragma cll for (N = first; N <= last; N *= 2)
    right &= sort_new(&s, N);
#pragma cll end for
#pragma cll end for
    if (s.rank == 0)
        puts(right ? "sorted" : "NOT SORTED");
    sorter_free(&s);
    MPI_Finalize();
    return !right;
}
