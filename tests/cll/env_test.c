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

static void settings_are_read(void **state)
{
    char lines[64], why[160];
    (void)state;
    assert_int_equal(
        cll_env_settings(" n=100\tm=-1.5e2 grid.n=+3 ", lines, sizeof lines, why, sizeof why), 0);
    assert_string_equal(lines, "n 100\nm -1.5e2\ngrid.n 3\n");
    assert_int_equal(cll_env_settings(" ", lines, sizeof lines, why, sizeof why), 0);
    assert_string_equal(lines, "");
    static const struct {
        const char *text, *why;
    } bad[] = {{"n", "'n' is not NAME=NUMBER"},
               {"=3", "'=3' is not NAME=NUMBER"},
               {"m=1 2n=3", "'2n=3' is not NAME=NUMBER"},
               {"n;m=3", "'n;m=3' is not NAME=NUMBER"},
               {"n=", "has no number"},
               {"n=x", "has no number"},
               {"n=1,5", "has no number"},
               {"n=0x10", "has no number"},
               {"n=nan", "has no number"},
               {"n=1e999", "has no number"},
               {"n=--1", "has no number"},
               {"n=1e", "has no number"},
               {"n=1 n=2", "names a setting twice"},
               {"P=2", "names P"},
               {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=1 bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb=2",
                "too long"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(cll_env_settings(bad[i].text, lines, sizeof lines, why, sizeof why), -1);
        assert_non_null(strstr(why, bad[i].why));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_read),
        cmocka_unit_test(switches_are_read),
        cmocka_unit_test(settings_are_read),
    };
    return RUN(tests);
}
