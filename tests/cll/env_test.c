/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values of environment variables. */
#include "harness/unit.h"

#include "cll/env.h"

static void sizes_are_read(void **state)
{
    (void)state;
    assert_int_equal(cll_env_size("100"), 100);
    assert_int_equal(cll_env_size("100k"), 102400);
    assert_int_equal(cll_env_size("256M"), 256 << 20);
    assert_int_equal(cll_env_size("2G"), (uint64_t)2 << 30);
    assert_int_equal(cll_env_size("2g"), (uint64_t)2 << 30);
    assert_int_equal(cll_env_size("1MB"), 1 << 20);
    static const char *const bad[] = {
        "", "M", "1.5M", "-1", "1x", "1Mx", "99999999999999999999", "99999999999G"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(cll_env_size(bad[i]), 0);
}

static void switches_are_read(void **state)
{
    (void)state;
    assert_true(cll_env_on("1") && cll_env_on("yes"));
    assert_false(cll_env_on(NULL) || cll_env_on("0") || cll_env_on("off") || cll_env_on("No"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_read),
        cmocka_unit_test(switches_are_read),
    };
    return RUN(tests);
}
