/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/file.h"
#include "base/diag.h"
#include "unit.h"

#include <errno.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/cll-file-XXXXXX";

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if a test left something behind */
}

static void in_folder(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
}

static void a_file_appears_only_when_committed(void **state)
{
    (void)state;
    char path[256];
    in_folder(path, sizeof path, "a b.txt");
    struct outfile f;
    assert_int_equal(outfile_open(&f, path), 0);
    fputs("text", f.stream);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(outfile_commit(&f), 0);
    char *text;
    size_t size;
    assert_int_equal(source_read(path, 100, &text, &size), 0);
    assert_string_equal(text, "text");
    mem_free(text);
    unlink(path);
}

static void an_abandoned_file_leaves_the_old_one(void **state)
{
    (void)state;
    char path[256], *text;
    size_t size;
    in_folder(path, sizeof path, "old");
    struct outfile f;
    assert_int_equal(outfile_open(&f, path), 0);
    fputs("old", f.stream);
    assert_int_equal(outfile_commit(&f), 0);
    assert_int_equal(outfile_open(&f, path), 0);
    fputs("new", f.stream);
    outfile_abandon(&f);
    assert_int_equal(source_read(path, 100, &text, &size), 0);
    assert_string_equal(text, "old");
    mem_free(text);
    unlink(path);
}

static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    if (access("/dev/full", W_OK))
        skip();
    struct outfile f;
    assert_int_equal(outfile_open(&f, "/dev/full"), 0);
    fputs("text", f.stream);
    assert_int_equal(outfile_commit(&f), -1);
    assert_int_equal(errno, ENOSPC);
}

static void a_folder_that_is_missing_is_an_error(void **state)
{
    (void)state;
    char path[256];
    struct outfile f;
    in_folder(path, sizeof path, "no/such");
    assert_int_equal(outfile_open(&f, path), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(outfile_open(&f, folder), -1);
    assert_int_equal(errno, EISDIR);
}

static void quoting_survives_odd_names(void **state)
{
    (void)state;
    struct text t;
    text_init(&t);
    quote_shell(&t, "it's; rm -rf *");
    assert_string_equal(t.s, "'it'\\''s; rm -rf *'");
    text_clear(&t);
    quote_shell(&t, "plain-name.c");
    assert_string_equal(t.s, "plain-name.c");
    text_clear(&t);
    quote_shell(&t, "");
    assert_string_equal(t.s, "''");
    text_clear(&t);
    quote_html(&t, "<a href=\"x\">&'");
    assert_string_equal(t.s, "&lt;a href=&quot;x&quot;&gt;&amp;&#39;");
    text_clear(&t);
    quote_gnuplot(&t, "it's\nsystem('x')");
    assert_string_equal(t.s, "'it''s?system(''x'')'");
    text_free(&t);
}

static void numbers_read_back_exactly(void **state)
{
    (void)state;
    static const double values[] = {
        0,      1, -1, 0.1, 1.0 / 3, 1e-9, 123456789012.5, 1e300, 5e-324, 1024, 3.0000000000000004,
        -2.5e-7};
    char buffer[NUMBER_SIZE];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        assert_true(strtod(number_text(values[i], buffer), NULL) == values[i]);
    assert_string_equal(number_text(0.1, buffer), "0.1");
    assert_string_equal(number_text(1048576, buffer), "1048576");
    assert_string_equal(number_text(-0.0, buffer), "0");
    assert_string_equal(number_text((double)NAN, buffer), "nan");
    assert_string_equal(number_text(-(double)INFINITY, buffer), "-inf");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_appears_only_when_committed),
        cmocka_unit_test(an_abandoned_file_leaves_the_old_one),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_folder_that_is_missing_is_an_error),
        cmocka_unit_test(quoting_survives_odd_names),
        cmocka_unit_test(numbers_read_back_exactly),
    };
    return cmocka_run_group_tests_name(__FILE__, tests, make_folder, remove_folder);
}
