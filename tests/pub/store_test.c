/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file of PUB_PARAMETER and what may have become of it (src/pub/store.c). */
#include <errno.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "pub/internal.h"
#include "harness/unit.h"

#define FIRST "# pub parameters 1\n"

static char folder[64], said[8192];
static int lines_said;

/* In place of the one in fail.c: what was said, and how often. */
void pub_say(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(said, sizeof said, format, list);
    va_end(list);
    lines_said++;
}

static const struct pub_store_key key = {"node7", 4, 0x1234567890abcdefu, 7};
static const t_bspparameter usual = {.l = 1.25e-6,
                                     .g = 1.0 / 3e9,
                                     .s = 5e9,
                                     .l_spread = 1e-8,
                                     .g_spread = 0,
                                     .s_spread = 1e6,
                                     .nprocs = 4,
                                     .oversubscribed = 1};

static int begin(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/pub-store-XXXXXX");
    lines_said = 0;
    said[0] = '\0';
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int end(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

static void write_file(const char *text, size_t n)
{
    FILE *to = fopen("file", "w");
    assert_non_null(to);
    assert_int_equal(fwrite(text, 1, n, to), n);
    assert_int_equal(fclose(to), 0);
}

static size_t read_file(char *text, size_t room)
{
    FILE *from = fopen("file", "r");
    assert_non_null(from);
    size_t n = fread(text, 1, room - 1, from);
    fclose(from);
    text[n] = '\0';
    return n;
}

/* The file alone is in the folder, or nothing: nothing temporary was left. */
static void alone(void)
{
    assert_int_equal(system("test \"$(ls | grep -v -x -e file -e real -e shared)\" = ''"), 0);
}

static void same(const t_bspparameter *a, const t_bspparameter *b)
{
    assert_true(a->l == b->l && a->g == b->g && a->s == b->s);
    assert_true(a->l_spread == b->l_spread && a->g_spread == b->g_spread);
    assert_true(a->s_spread == b->s_spread && a->nprocs == b->nprocs);
    assert_true(a->oversubscribed == b->oversubscribed);
}

static void what_is_added_is_found_to_the_last_bit(void **state)
{
    t_bspparameter found = {0};
    (void)state;
    assert_int_equal(pub_store_find("file", &key, &found), PUB_NOT_STORED);
    pub_store_add("file", &key, &usual);
    assert_int_equal(pub_store_find("file", &key, &found), PUB_STORED);
    same(&found, &usual);
    assert_int_equal(lines_said, 0);
    alone();
}

static void each_part_of_the_key_counts(void **state)
{
    struct pub_store_key others[] = {key, key, key, key};
    t_bspparameter found, other = usual;
    (void)state;
    pub_store_add("file", &key, &usual);
    strcpy(others[0].host, "node8");
    others[1].nprocs = 5;
    others[2].mpi++;
    others[3].placement++;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pub_store_find("file", &others[i], &found), PUB_NOT_STORED);
        other.l = i + 1;
        other.nprocs = others[i].nprocs;
        pub_store_add("file", &others[i], &other);
    }
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pub_store_find("file", &others[i], &found), PUB_STORED);
        assert_true(found.l == i + 1);
    }
    assert_int_equal(pub_store_find("file", &key, &found), PUB_STORED);
    same(&found, &usual);
}

static void newer_values_replace_older_ones(void **state)
{
    t_bspparameter found, other = usual;
    char text[2000];
    (void)state;
    pub_store_add("file", &key, &usual);
    size_t n = read_file(text, sizeof text);
    other.l = 2.5e-6;
    pub_store_add("file", &key, &other);
    assert_int_equal(pub_store_find("file", &key, &found), PUB_STORED);
    same(&found, &other);
    assert_true(read_file(text, sizeof text) < n + 20);
}

/* Cut at every byte: the line is whole or it is not there, never half. */
static void truncated_file_is_never_believed(void **state)
{
    char text[2000];
    t_bspparameter found;
    (void)state;
    pub_store_add("file", &key, &usual);
    size_t n = read_file(text, sizeof text);
    for (size_t cut = 1; cut < n; cut++) {
        bool between = cut == strlen(FIRST) || text[cut - 1] == '\n' ||
                       (cut > strlen(FIRST) && cut < (size_t)(strstr(text, "node7") - text));
        lines_said = 0;
        write_file(text, cut);
        assert_int_equal(pub_store_find("file", &key, &found), PUB_NOT_STORED);
        assert_int_equal(lines_said, between ? 0 : 1);
        pub_store_add("file", &key, &usual);
        assert_int_equal(pub_store_find("file", &key, &found), PUB_STORED);
        same(&found, &usual);
        assert_int_equal(lines_said, between ? 0 : 1);
    }
    alone();
}

static void impossible_lines_are_not_believed(void **state)
{
    static const char *const lines[] = {
        "node7 4 1234567890abcdef 7 nan 1e-9 5e9 0 0 0 0",
        "node7 4 1234567890abcdef 7 1e-6 -1e-9 5e9 0 0 0 0",
        "node7 4 1234567890abcdef 7 1e-6 inf 5e9 0 0 0 0",
        "node7 4 1234567890abcdef 7 1e-6 1e-9 0 0 0 0 0",
        "node7 4 1234567890abcdef 7 1e-6 1e-9 5e9 -1 0 0 0",
        "node7 4 1234567890abcdef 7 1e-6 1e-9 5e9 0 0 0 2",
        "node7 4 1234567890abcdef 7 1e-6 1e-9 5e9 0 0 0 0 more",
        "node7 4 1234567890abcdef 7 1e-6 1e-9 5e9 0 0 0",
        "node7 4 1234567890abcdefff 7 1e-6 1e-9 5e9 0 0 0 0",
        "node7 99999999999 1234567890abcdef 7 1e-6 1e-9 5e9 0 0 0 0",
        "node7 -4 1234567890abcdef 7 1e-6 1e-9 5e9 0 0 0 0",
        "%s%n%d",
        "",
    };
    char text[1000];
    t_bspparameter found;
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        lines_said = 0;
        write_file(text, (size_t)snprintf(text, sizeof text, FIRST "%s\n", lines[i]));
        assert_int_equal(pub_store_find("file", &key, &found), PUB_NOT_STORED);
        assert_int_equal(lines_said, 1);
        assert_non_null(strstr(said, "file is damaged: the parameters are measured"));
    }
}

static void good_lines_of_a_damaged_file_are_used_and_kept(void **state)
{
    char text[4000];
    struct pub_store_key other = key;
    t_bspparameter found;
    (void)state;
    pub_store_add("file", &key, &usual);
    size_t n = read_file(text, sizeof text);
    memset(text + n, 'x', 1500);
    memcpy(text + n + 1500, "\nhalf a", 7);
    write_file(text, n + 1507);
    assert_int_equal(pub_store_find("file", &key, &found), PUB_STORED);
    assert_int_equal(lines_said, 1);
    assert_non_null(strstr(said, "its line for this machine is valid"));
    other.placement = 8;
    pub_store_add("file", &other, &usual);
    lines_said = 0;
    assert_int_equal(pub_store_find("file", &key, &found), PUB_STORED);
    assert_int_equal(pub_store_find("file", &other, &found), PUB_STORED);
    assert_int_equal(lines_said, 0);
}

static void bytes_of_zero_are_damage(void **state)
{
    char text[200] = FIRST;
    t_bspparameter found;
    (void)state;
    write_file(text, sizeof text);
    assert_int_equal(pub_store_find("file", &key, &found), PUB_NOT_STORED);
    assert_non_null(strstr(said, "damaged"));
    pub_store_add("file", &key, &usual);
    assert_int_equal(pub_store_find("file", &key, &found), PUB_STORED);
    assert_int_equal(lines_said, 1);
}

static void unusable(const char *file, const char *why)
{
    t_bspparameter found;
    lines_said = 0;
    assert_int_equal(pub_store_find(file, &key, &found), PUB_UNUSABLE);
    assert_int_equal(lines_said, 1);
    assert_non_null(strstr(said, why));
    pub_store_add(file, &key, &usual);
    assert_non_null(strstr(said, "cannot be written"));
}

static void what_is_not_ours_is_left_alone(void **state)
{
    static char text[400000], after[400001];
    (void)state;
    write_file("int main(void) {}\n", 18);
    unusable("file", "not a file of parameters; it is not used");
    assert_int_equal(read_file(after, sizeof after), 18);
    assert_memory_equal(after, "int main(void) {}\n", 18);
    memcpy(text, FIRST, strlen(FIRST));
    write_file(text, sizeof text);
    unusable("file", "too large");
    assert_int_equal(read_file(after, sizeof after), sizeof text);
    assert_int_equal(unlink("file"), 0);
    assert_int_equal(mkfifo("file", 0600), 0); /* nobody writes: opening must not wait */
    unusable("file", "not a regular file");
    assert_int_equal(unlink("file"), 0);
    assert_int_equal(mkdir("file", 0700), 0);
    unusable("file", "not a regular file");
    alone();
}

static void places_that_cannot_be_written_are_named(void **state)
{
    static char name[5000];
    t_bspparameter found;
    (void)state;
    assert_int_equal(pub_store_find("nowhere/file", &key, &found), PUB_NOT_STORED);
    pub_store_add("nowhere/file", &key, &usual);
    assert_non_null(strstr(said, "nowhere/file cannot be written: No such file"));
    memset(name, 'n', sizeof name - 1);
    unusable(name, "File name too long");
}

static void links_stay(void **state)
{
    struct stat about;
    t_bspparameter found;
    (void)state;
    assert_int_equal(symlink("real", "file"), 0);
    pub_store_add("real", &key, &usual);
    pub_store_add("file", &key, &usual);
    assert_int_equal(lstat("file", &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    assert_int_equal(pub_store_find("real", &key, &found), PUB_STORED);
    assert_int_equal(unlink("real"), 0); /* they lead to a new file as well */
    pub_store_add("file", &key, &usual);
    assert_int_equal(pub_store_find("real", &key, &found), PUB_STORED);
    alone();
}

static void links_that_lead_to_themselves_are_named(void **state)
{
    (void)state;
    assert_int_equal(symlink("file", "file"), 0);
    unusable("file", "Too many levels of symbolic links");
    assert_non_null(strstr(said, "cannot be written: Too many levels"));
    alone();
}

/* The name of the temporary file can be foreseen. */
static void planted_links_are_not_followed(void **state)
{
    char name[300], text[16];
    (void)state;
    snprintf(name, sizeof name, "file.%s.%ld", key.host, (long)getpid());
    assert_int_equal(system("echo mine >real"), 0);
    assert_int_equal(symlink("real", name), 0);
    pub_store_add("file", &key, &usual);
    FILE *from = fopen("real", "r");
    assert_non_null(from);
    assert_non_null(fgets(text, sizeof text, from));
    fclose(from);
    assert_string_equal(text, "mine\n");
    t_bspparameter found;
    assert_int_equal(pub_store_find("file", &key, &found), PUB_STORED);
    alone();
}

/* Makes a link of another user, in a folder that all can write to; false: this user cannot. */
static bool plant(const char *target, const char *link)
{
    assert_true(mkdir("shared", 0700) == 0 || errno == EEXIST);
    assert_int_equal(chmod("shared", 01777), 0);
    assert_int_equal(symlink(target, link), 0);
    return geteuid() == 0 && lchown(link, 1234, 1234) == 0;
}

static void not_followed(const char *file)
{
    struct stat about;
    lines_said = 0;
    pub_store_add(file, &key, &usual);
    assert_int_equal(lines_said, 1);
    assert_non_null(
        strstr(said, "cannot be written: the path has a symbolic link of another user"));
    assert_int_equal(stat("real", &about), 0);
    assert_int_equal(about.st_size, 0);
    alone();
}

static void links_of_other_users_are_not_followed(void **state)
{
    (void)state;
    assert_int_equal(system(": >real"), 0);
    if (!plant("../real", "shared/link"))
        skip();
    not_followed("shared/link");
    assert_int_equal(symlink("shared/link", "file"), 0); /* behind a link of this user */
    not_followed("file");
    assert_true(plant("..", "shared/folder"));
    not_followed("shared/folder/real");
}

/* Nobody else can have put it there. */
static void links_in_a_folder_of_this_user_are_followed(void **state)
{
    t_bspparameter found;
    (void)state;
    assert_int_equal(symlink("real", "file"), 0);
    if (geteuid() != 0 || lchown("file", 1234, 1234))
        skip();
    pub_store_add("file", &key, &usual);
    assert_int_equal(lines_said, 0);
    assert_int_equal(pub_store_find("real", &key, &found), PUB_STORED);
    alone();
}

static void oldest_of_many_machines_goes(void **state)
{
    struct pub_store_key one = key;
    t_bspparameter found;
    (void)state;
    for (uint64_t i = 0; i < 201; i++) {
        one.placement = 1000 + i;
        pub_store_add("file", &one, &usual);
    }
    assert_int_equal(pub_store_find("file", &one, &found), PUB_STORED);
    one.placement = 1001;
    assert_int_equal(pub_store_find("file", &one, &found), PUB_STORED);
    one.placement = 1000;
    assert_int_equal(pub_store_find("file", &one, &found), PUB_NOT_STORED);
    assert_int_equal(lines_said, 0);
}

/* Groups measure at the same time: none loses what another wrote. */
static void writers_do_not_lose_each_other(void **state)
{
    struct pub_store_key one = key;
    t_bspparameter found;
    (void)state;
    for (int i = 0; i < 8; i++)
        if (fork() == 0) {
            one.placement = 100 + (uint64_t)i;
            pub_store_add("file", &one, &usual);
            _exit(lines_said);
        }
    for (int i = 0, status; i < 8; i++) {
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    for (int i = 0; i < 8; i++) {
        one.placement = 100 + (uint64_t)i;
        assert_int_equal(pub_store_find("file", &one, &found), PUB_STORED);
    }
    alone();
}

static void values_that_make_no_sense_are_not_stored(void **state)
{
    t_bspparameter bad = usual, found;
    (void)state;
    bad.s = 1.0 / 0.0;
    pub_store_add("file", &key, &bad);
    assert_int_equal(pub_store_find("file", &key, &found), PUB_NOT_STORED);
    assert_int_not_equal(access("file", F_OK), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_added_is_found_to_the_last_bit),
        TEST(each_part_of_the_key_counts),
        TEST(newer_values_replace_older_ones),
        TEST(truncated_file_is_never_believed),
        TEST(impossible_lines_are_not_believed),
        TEST(good_lines_of_a_damaged_file_are_used_and_kept),
        TEST(bytes_of_zero_are_damage),
        TEST(what_is_not_ours_is_left_alone),
        TEST(places_that_cannot_be_written_are_named),
        TEST(links_stay),
        TEST(planted_links_are_not_followed),
        TEST(links_of_other_users_are_not_followed),
        TEST(links_in_a_folder_of_this_user_are_followed),
        TEST(links_that_lead_to_themselves_are_named),
        TEST(oldest_of_many_machines_goes),
        TEST(writers_do_not_lose_each_other),
        TEST(values_that_make_no_sense_are_not_stored),
    };
    return RUN(tests);
}
