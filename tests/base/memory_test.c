/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/memory.h"
#include "base/text.h"
#include "harness/unit.h"

static jmp_buf no_memory;

static void jump(size_t bytes)
{
    (void)bytes;
    longjmp(no_memory, 1);
}

static void arena_pieces_are_aligned_and_apart(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    char *before = NULL;
    for (size_t size = 1; size < 3000; size += 7) {
        char *p = arena_alloc(a, size, 1);
        assert_int_equal((uintptr_t)p % _Alignof(max_align_t), 0);
        memset(p, (int)size, size);
        if (before)
            assert_int_equal(before[0], (char)(size - 7));
        before = p;
    }
    arena_destroy(a);
}

static void arena_reset_allows_reuse(void **state)
{
    (void)state;
    struct arena *a = arena_create();
    for (int round = 0; round < 100; round++) {
        for (int i = 0; i < 100; i++)
            assert_string_equal(arena_printf(a, "%d-%d", round, i) ? "ok" : "", "ok");
        arena_reset(a);
    }
    assert_string_equal(arena_strndup(a, "abcdef", 3), "abc");
    arena_destroy(a);
    arena_destroy(NULL);
}

static void texts_grow(void **state)
{
    (void)state;
    struct text t;
    text_init(&t);
    for (int i = 0; i < 1000; i++)
        text_printf(&t, "%d,", i % 10);
    assert_int_equal(t.n, 2000);
    assert_int_equal(strlen(t.s), 2000);
    text_clear(&t);
    text_addc(&t, 'x');
    text_addn(&t, "yz!", 2);
    assert_string_equal(t.s, "xyz");
    text_free(&t);
}

static void a_size_that_overflows_is_out_of_memory(void **state)
{
    (void)state;
    mem_oom_handler *before = mem_set_oom_handler(jump);
    volatile int caught = 0;
    if (setjmp(no_memory) == 0)
        mem_alloc(SIZE_MAX / 2, 3);
    else
        caught = 1;
    mem_set_oom_handler(before);
    assert_int_equal(caught, 1);
}

static void every_allocation_can_fail_in_turn(void **state)
{
    (void)state;
    mem_oom_handler *before = mem_set_oom_handler(jump);
    volatile int failures = 0, done = 0;
    for (volatile long n = 0; !done && n < 100; n++) {
        struct arena *volatile a = NULL;
        mem_fail_after(n);
        if (setjmp(no_memory) == 0) {
            a = arena_create();
            for (int i = 0; i < 10; i++)
                arena_alloc(a, 5000, 1);
            done = 1;
        } else {
            failures++;
        }
        mem_fail_after(-1);
        arena_destroy(a);
    }
    mem_set_oom_handler(before);
    assert_true(done);
    assert_true(failures >= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arena_pieces_are_aligned_and_apart),
        cmocka_unit_test(arena_reset_allows_reuse),
        cmocka_unit_test(texts_grow),
        cmocka_unit_test(a_size_that_overflows_is_out_of_memory),
        cmocka_unit_test(every_allocation_can_fail_in_turn),
    };
    return RUN(tests);
}
