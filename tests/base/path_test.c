/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of paths. */
#include "base/path.h"
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_path_has_folder_base_and_ending)};
    return RUN(tests);
}
