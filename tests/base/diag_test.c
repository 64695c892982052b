/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/diag.h"
#include "base/memory.h"
#include "base/text.h"
#include "harness/unit.h"

#include <errno.h>
#include <unistd.h>

static char *printed(struct diag *d, size_t limit)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    diag_print(d, out, limit);
    fclose(out);
    char *copy = strdup(text);
    free(text);
    return copy;
}

static void a_message_shows_place_line_and_caret(void **state)
{
    (void)state;
    struct diag *d = diag_create();
    struct source s = {"x.c", "one\ntwo three\n", 14};
    diag_add(d, SEVERITY_ERROR, &s, (struct span){8, 13}, "no %s", "threes");
    assert_int_equal(diag_count(d, SEVERITY_ERROR), 1);
    assert_string_equal(diag_first(d, SEVERITY_WARNING), "no threes");
    char *text = printed(d, 0);
    assert_string_equal(text, "x.c:2:5: error: no threes\n  two three\n      ^~~~~\n");
    free(text);
    assert_int_equal(diag_count(d, SEVERITY_NOTE), 0);
    diag_destroy(d);
}

static void messages_come_in_the_order_of_their_places_and_notes_stay(void **state)
{
    (void)state;
    struct diag *d = diag_create();
    struct source s = {"x.c", "abc\ndef\n", 8};
    diag_add(d, SEVERITY_ERROR, &s, (struct span){5, 6}, "second");
    diag_add(d, SEVERITY_NOTE, &s, (struct span){0, 1}, "about second");
    diag_add(d, SEVERITY_WARNING, &s, (struct span){1, 2}, "first");
    char *text = printed(d, 0);
    char *first = strstr(text, "first"), *second = strstr(text, "error: second"),
         *note = strstr(text, "note: about");
    assert_non_null(first);
    assert_true(first < second && second < note);
    free(text);
    diag_destroy(d);
}

static void past_the_limit_errors_are_counted(void **state)
{
    (void)state;
    struct diag *d = diag_create();
    for (int i = 0; i < 5; i++)
        diag_add(d, SEVERITY_ERROR, NULL, (struct span){0, 0}, "e%d", i);
    char *text = printed(d, 2);
    assert_string_equal(text, "error: e0\nerror: e1\n... and 3 more errors\n");
    free(text);
    diag_destroy(d);
}

static void hostile_lines_are_shown_safely(void **state)
{
    (void)state;
    struct diag *d = diag_create();
    char *big = calloc(100001, 1);
    memset(big, 'x', 100000);
    big[50000] = '\033';
    struct source s = {"x", big, 100000};
    diag_add(d, SEVERITY_ERROR, &s, (struct span){50001, 99999}, "long line");
    diag_add(d, SEVERITY_ERROR, &s, (struct span){200000, 200001}, "past the end");
    diag_add(NULL, SEVERITY_ERROR, &s, (struct span){0, 1}, "swallowed");
    char *text = printed(d, 0);
    assert_null(strchr(text, '\033'));
    assert_true(strlen(text) < 2000);
    free(text);
    free(big);
    diag_destroy(d);
}

static void files_are_read_whole_or_refused(void **state)
{
    (void)state;
    char path[] = "/tmp/cll-diag-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, "hello", 5), 5);
    close(fd);
    char *text;
    size_t size;
    assert_int_equal(source_read(path, 100, &text, &size), 0);
    assert_int_equal(size, 5);
    assert_string_equal(text, "hello");
    mem_free(text);
    assert_int_equal(source_read(path, 4, &text, &size), EFBIG);
    unlink(path);
    assert_int_equal(source_read(path, 4, &text, &size), ENOENT);
    assert_int_equal(source_read("/tmp", 4, &text, &size), EISDIR);
}

static void messages_without_a_place_can_be_given_one(void **state)
{
    (void)state;
    struct diag *d = diag_create();
    struct source s = {"x.llac", "fit f\nfit g\n", 12};
    diag_add(d, SEVERITY_ERROR, NULL, (struct span){0, 0}, "no g");
    diag_locate(d, &s, (struct span){6, 11});
    char *text = printed(d, 0);
    assert_string_equal(text, "x.llac:2:1: error: no g\n  fit g\n  ^~~~~\n");
    free(text);
    diag_destroy(d);
}

static void a_kept_source_outlives_its_text(void **state)
{
    (void)state;
    struct diag *d = diag_create();
    char name[] = "x.c", bytes[] = "one\ntwo\n";
    const struct source s = {name, bytes, 8}, *kept = diag_keep(d, &s);
    diag_add(d, SEVERITY_ERROR, kept, (struct span){4, 7}, "no");
    memset(bytes, 'x', 8);
    name[0] = 'y';
    char *text = printed(d, 0);
    assert_string_equal(text, "x.c:2:1: error: no\n  two\n  ^~~\n");
    free(text);
    assert_ptr_equal(diag_keep(NULL, &s), &s);
    diag_destroy(d);
}

static bool third_line_of_a(const struct source *source, size_t line, struct text *name,
                            size_t *original)
{
    *original = line + 2;
    text_add(name, "a.F90");
    return source->size && line == 1;
}

static void a_line_that_comes_from_another_file_is_named_there(void **state)
{
    struct source s = {"made.f90", "x = 1\ny = 2\n", 12};
    struct diag *d = diag_create();
    (void)state;
    diag_set_origin(d, third_line_of_a);
    diag_add(d, SEVERITY_ERROR, &s, (struct span){4, 5}, "first");
    diag_add(d, SEVERITY_ERROR, &s, (struct span){10, 11}, "second");
    char *text = printed(d, 0);
    assert_string_equal(text, "a.F90:3:5: error: first\n  x = 1\n      ^\n"
                              "made.f90:2:5: error: second\n  y = 2\n      ^\n");
    free(text);
    diag_destroy(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_message_shows_place_line_and_caret),
        cmocka_unit_test(messages_come_in_the_order_of_their_places_and_notes_stay),
        cmocka_unit_test(past_the_limit_errors_are_counted),
        cmocka_unit_test(hostile_lines_are_shown_safely),
        cmocka_unit_test(files_are_read_whole_or_refused),
        cmocka_unit_test(messages_without_a_place_can_be_given_one),
        cmocka_unit_test(a_kept_source_outlives_its_text),
        cmocka_unit_test(a_line_that_comes_from_another_file_is_named_there),
    };
    return RUN(tests);
}
