/* SPDX-License-Identifier: MIT */
/* N keys are looked up in a hash table of 2 N slots, in another order than they were entered. */
#include "sizes.h"

struct slot {
    uint64_t key, value;
};

static size_t place(uint64_t key, int N)
{
    return (size_t)((key >> 32) * 2 * (uint64_t)N >> 32);
}

static struct slot *slot_of(struct slot *table, uint64_t key, int N)
{
    struct slot *s = table + place(key, N), *end = table + 2 * (size_t)N;
    while (s->key != key && s->key != 0)
        if (++s == end)
            s = table;
    return s;
}

static uint64_t lookup(struct slot *table, const uint64_t *keys, int N)
{
    uint64_t sum = 0;
    for (int i = 0; i < N; i++)
        sum += slot_of(table, keys[i], N)->value;
    return sum;
}

static double measure(int N)
{
    struct slot *table = reserve(2 * (size_t)N, sizeof *table);
    uint64_t *keys = reserve(N, sizeof *keys), random = 1, wanted = 0, sum = 0;
    double wrong = 0;
    for (size_t i = 0; i < 2 * (size_t)N; i++)
        table[i] = (struct slot){0, 0};
    for (int i = 0; i < N; i++) {
        keys[i] = random_bits(&random) | 1;
        *slot_of(table, keys[i], N) = (struct slot){keys[i], (uint64_t)i};
        wanted += (uint64_t)i;
    }
    for (int i = N - 1; i > 0; i--) {
        size_t j = (size_t)(random_bits(&random) % (uint64_t)(i + 1));
        uint64_t t = keys[i];
        keys[i] = keys[j];
        keys[j] = t;
    }
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll lookup lookup[0] + lookup[1] * N
        sum = lookup(table, keys, N);
#pragma cll end lookup
        wrong += sum != wanted;
    }
    free(table);
    free(keys);
    return wrong;
}

int main(void)
{
    double wrong = 0;
    int k = 0;
    /* 40 bytes for each key: 25000 are 977 KB */
#pragma cll for (k = 0; k < SIZES; k++) shuffle
    wrong += measure(size_of(k, 25000, 128));
#pragma cll end for
    if (wrong != 0)
        fputs("lookup: wrong result\n", stderr);
    return wrong != 0;
}
