/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of paths, and folders. */
#include "base/path.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/unit.h"

static void a_path_has_folder_base_and_ending(void **state)
{
    (void)state;
    static const struct {
        const char *path, *folder, *base, *ending, *stem;
    } cases[] = {{"a/b.c", "a", "b.c", ".c", "a/b"},
                 {"b.tar.gz", ".", "b.tar.gz", ".gz", "b.tar"},
                 {"/b", "/", "b", NULL, "/b"},
                 {"a.d/b", "a.d", "b", NULL, "a.d/b"},
                 {"a/.profile", "a", ".profile", NULL, "a/.profile"},
                 {"a/", "a", "", NULL, "a/"},
                 {"b.", ".", "b.", ".", "b"},
                 {"", ".", "", NULL, ""}};
    struct arena *a = arena_create();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = cases[i].path, *ending = path_ending(path);
        assert_string_equal(path_folder(a, path), cases[i].folder);
        assert_string_equal(path_base(path), cases[i].base);
        assert_string_equal(ending ? ending : "none", cases[i].ending ? cases[i].ending : "none");
        assert_string_equal(path_stem(a, path), cases[i].stem);
    }
    arena_destroy(a);
}

static void a_folder_is_listed_in_the_order_of_names(void **state)
{
    (void)state;
    static const char *const names[] = {".hidden", "B", "a.c", "b"};
    char folder[] = "path_test.XXXXXX";
    ARENA_LOCAL struct arena *a = arena_create();
    size_t n;
    assert_non_null(mkdtemp(folder));
    for (size_t i = 4; i-- > 0;)
        fclose(fopen(arena_printf(a, "%s/%s", folder, names[i]), "w"));
    char **list = path_list(a, folder, &n);
    assert_int_equal(n, 4);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(list[i], arena_printf(a, "%s/%s", folder, names[i]));
        remove(list[i]);
    }
    assert_int_equal(rmdir(folder), 0);
    assert_null(path_list(a, folder, &n));
    assert_int_equal(errno, ENOENT);
    assert_int_equal(n, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_path_has_folder_base_and_ending),
                                       cmocka_unit_test(a_folder_is_listed_in_the_order_of_names)};
    return RUN(tests);
}
