/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chains visit every line once; streams touch what they say. Teams work together. */
#include "harness/unit.h"

#include <stdatomic.h>

#include "probe/chain.h"
#include "probe/cores.h"

static void a_chain_visits_every_line_once(void **state)
{
    enum { BYTES = 16384, LINES = BYTES / LINE };
    (void)state;
    char *memory = chain_memory(BYTES);
    assert_non_null(memory);
    for (unsigned word = 0; word < CHAINS; word++)
        chain_make(memory, BYTES >> word % 3, word, word + 1); /* chains of three sizes together */
    for (unsigned word = 0; word < CHAINS; word++) {
        bool seen[LINES] = {false};
        size_t lines = (size_t)LINES >> word % 3, in_order = 0;
        void **at = (void **)memory + word;
        for (size_t i = 0; i < lines; i++) {
            size_t line = (size_t)((char *)at - memory) / LINE;
            assert_true(line < lines && !seen[line]);
            assert_int_equal(((char *)at - memory) % LINE, 8 * word);
            seen[line] = true;
            in_order += ((char *)*at - memory) / LINE == (ptrdiff_t)line + 1;
            at = *at;
        }
        assert_ptr_equal(at, (void **)memory + word); /* back at the first */
        assert_true(in_order < lines / 4);
        assert_ptr_equal(chain_walk(at, lines), at);
        assert_ptr_equal(chain_walk(at, 16), chain_walk(at, 16 + 4 * lines));
    }
    chain_free(memory, BYTES);
}

static void streams_write_and_copy_all_bytes(void **state)
{
    enum { BYTES = 4096 };
    (void)state;
    uint64_t *memory = chain_memory(2 * BYTES);
    assert_non_null(memory);
    chain_stream_write(memory, BYTES);
    for (size_t i = 0; i < BYTES / 8; i++)
        assert_int_equal(memory[i], 1 + i % 2);
    assert_int_equal(memory[BYTES / 8], 0);
    memset(memory, 7, BYTES / 2);
    chain_stream_read(memory, BYTES);
    chain_stream_copy(memory, BYTES);
    assert_memory_equal(memory, (char *)memory + BYTES / 2, BYTES / 2);
    assert_int_equal(memory[BYTES / 8], 0);
    chain_free(memory, 2 * BYTES);
}

static void join_nothing(uint64_t *set, size_t words)
{
    (void)set, (void)words;
}

static atomic_int working, ended, finished_early;

static void work(struct probe_member *m)
{
    atomic_fetch_add(&working, 1);
    probe_team_wait(m); /* returns only when all are there */
    if (atomic_load(&working) != m->size)
        atomic_fetch_add(&finished_early, 1);
    probe_team_wait(m);
    probe_team_measured(m);
    while (!probe_team_finished(m))
        ;
    atomic_fetch_add(&ended, 1);
}

static void a_team_works_at_the_same_time(void **state)
{
    static const struct probe_world world = {.size = 1, .join_cores = join_nothing};
    (void)state;
    probe_cores_find(&world);
    assert_true(probe_cores_threads() >= 1 && probe_cores_physical() <= probe_cores_threads());
    for (int n = 1; n <= 4; n++) { /* also more members than cores */
        working = ended = 0;
        assert_int_equal(probe_team_run(n, work, NULL), 0);
        assert_int_equal(ended, n);
    }
    assert_int_equal(finished_early, 0);
}

static void counts_of_cores_double(void **state)
{
    int counts[PROBE_COUNTS];
    (void)state;
    assert_int_equal(probe_cores_counts(1, counts), 1);
    assert_int_equal(counts[0], 1);
    assert_int_equal(probe_cores_counts(12, counts), 5);
    assert_true(counts[3] == 8 && counts[4] == 12);
    assert_int_equal(probe_cores_counts(16, counts), 5);
    assert_int_equal(counts[4], 16);
    int n = probe_cores_counts(1 << 30, counts);
    assert_true(n <= PROBE_COUNTS && counts[n - 1] == 1 << 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_chain_visits_every_line_once),
        cmocka_unit_test(streams_write_and_copy_all_bytes),
        cmocka_unit_test(a_team_works_at_the_same_time),
        cmocka_unit_test(counts_of_cores_double),
    };
    return RUN(tests);
}
