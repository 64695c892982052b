/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files: whole or not at all, with the permissions and links there were. */
#include "base/memory.h"
#include "base/diag.h"
#include "base/outfile.h"
#include "harness/unit.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
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

static const char *in_folder(const char *name)
{
    static char paths[4][512];
    static int next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void write_text(const char *path, const char *text)
{
    struct outfile f;
    assert_int_equal(outfile_open(&f, path), 0);
    fputs(text, f.stream);
    assert_int_equal(outfile_commit(&f), 0);
}

static void assert_holds(const char *path, const char *want)
{
    char *text;
    size_t size;
    assert_int_equal(source_read(path, 1000, &text, &size), 0);
    assert_string_equal(text, want);
    mem_free(text);
}

static mode_t mode_of(const char *path)
{
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 07777;
}

static void a_file_appears_only_when_committed(void **state)
{
    (void)state;
    const char *path = in_folder("a b.txt");
    struct outfile f;
    assert_int_equal(outfile_open(&f, path), 0);
    fputs("text", f.stream);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(outfile_commit(&f), 0);
    assert_holds(path, "text");
    unlink(path);
}

static void an_abandoned_file_leaves_the_old_one(void **state)
{
    (void)state;
    const char *path = in_folder("old");
    struct outfile f;
    write_text(path, "old");
    assert_int_equal(outfile_open(&f, path), 0);
    fputs("new", f.stream);
    outfile_abandon(&f);
    assert_holds(path, "old");
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
    struct outfile f;
    assert_int_equal(outfile_open(&f, in_folder("no/such")), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(outfile_open(&f, folder), -1);
    assert_int_equal(errno, EISDIR);
}

static void a_new_file_gets_what_the_umask_leaves(void **state)
{
    (void)state;
    const char *path = in_folder("new");
    mode_t before = umask(027);
    write_text(path, "x");
    umask(before);
    assert_int_equal(mode_of(path), 0640);
    unlink(path);
}

static void a_replaced_file_keeps_its_permissions(void **state)
{
    (void)state;
    static const mode_t modes[] = {0600, 0644, 0755, 0660};
    const char *path = in_folder("secret");
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        write_text(path, "old");
        assert_int_equal(chmod(path, modes[i]), 0);
        write_text(path, "new");
        assert_int_equal(mode_of(path), modes[i]);
        assert_holds(path, "new");
        unlink(path);
    }
}

static void a_replaced_file_keeps_its_owner(void **state)
{
    (void)state;
    const char *path = in_folder("theirs");
    struct stat st;
    if (geteuid() != 0)
        skip();
    write_text(path, "old");
    if (chown(path, 1234, 2345)) { /* not in every container */
        unlink(path);
        skip();
    }
    chmod(path, 0640);
    write_text(path, "new");
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_uid, 1234);
    assert_int_equal(st.st_gid, 2345);
    assert_int_equal(st.st_mode & 07777, 0640);
    unlink(path);
}

static void a_file_that_may_not_be_written_is_not_replaced(void **state)
{
    (void)state;
    const char *path = in_folder("read-only");
    struct outfile f;
    if (geteuid() == 0)
        skip();
    write_text(path, "old");
    chmod(path, 0444);
    assert_int_equal(outfile_open(&f, path), -1);
    assert_int_equal(errno, EACCES);
    unlink(path);
}

static void a_link_stays_and_its_target_is_replaced(void **state)
{
    (void)state;
    const char *target = in_folder("target"), *link = in_folder("link"), *second = in_folder("2nd");
    struct stat st;
    write_text(target, "old");
    assert_int_equal(symlink("target", link), 0);
    assert_int_equal(symlink(link, second), 0);
    write_text(second, "new");
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds(target, "new");
    unlink(target);
    write_text(link, "fresh"); /* a link to a file that is not there yet */
    assert_int_equal(lstat(link, &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds(target, "fresh");
    unlink(target), unlink(link), unlink(second);
    assert_int_equal(symlink("loop", in_folder("loop")), 0);
    struct outfile f;
    assert_int_equal(outfile_open(&f, in_folder("loop")), -1);
    assert_int_equal(errno, ELOOP);
    unlink(in_folder("loop"));
}

static void a_name_of_the_greatest_length_can_be_written(void **state)
{
    (void)state;
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    write_text(in_folder(name), "x");
    assert_int_equal(unlink(in_folder(name)), 0);
}

/* Runs `body` in a child; what the child returns. */
static int in_child(void (*body)(void))
{
    int status;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        body();
        exit(0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return status;
}

static struct outfile child_file;

static void write_and_leave(void)
{
    if (outfile_open(&child_file, in_folder("left")))
        _exit(1);
    fputs("text", child_file.stream);
}

static void write_and_be_killed(void)
{
    write_and_leave();
    raise(SIGTERM);
}

static void write_and_fork(void)
{
    write_and_leave();
    if (fork() == 0) {
        raise(SIGTERM);
        _exit(0);
    }
    wait(NULL);
    if (fork() == 0) {
        struct outfile own;
        exit(outfile_open(&own, in_folder("own")));
    }
    wait(NULL);
    _exit(access(in_folder(child_file.temporary), F_OK) || outfile_commit(&child_file) ? 1 : 0);
}

/* The folder must be empty at the end: remove_folder fails otherwise. */
static void exit_and_signals_leave_no_temporary_file(void **state)
{
    (void)state;
    int status = in_child(write_and_leave);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    status = in_child(write_and_be_killed);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    status = in_child(write_and_fork); /* a child that dies removes nothing of its parent's */
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    unlink(in_folder("left"));
}

static void write_and_be_killed_at_once(void)
{
    write_and_leave();
    fflush(NULL);
    raise(SIGKILL);
}

static size_t files_in(const char *path)
{
    size_t n = 0;
    DIR *list = opendir(path);
    assert_non_null(list);
    for (const struct dirent *e; (e = readdir(list));)
        n += e->d_name[0] != '.';
    closedir(list);
    return n;
}

static void what_a_killed_program_left_goes_with_the_next_one(void **state)
{
    (void)state;
    struct outfile other;
    for (int i = 0; i < 2; i++) {
        int status = in_child(write_and_be_killed_at_once);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
        assert_int_equal(files_in(folder), 1); /* the first one went when the second one wrote */
    }
    write_text(in_folder("lef"), "x"); /* another name */
    assert_int_equal(files_in(folder), 2);
    write_text(in_folder("left"), "text");
    assert_int_equal(files_in(folder), 2);
    assert_int_equal(outfile_open(&other, in_folder("left")), 0);
    write_text(in_folder("left"), "between"); /* the other one still writes */
    fputs("last", other.stream);
    assert_int_equal(outfile_commit(&other), 0);
    assert_holds(in_folder("left"), "last");
    assert_int_equal(files_in(folder), 2);
    unlink(in_folder("left")), unlink(in_folder("lef"));
}

/* The name x.cll-HOST-1-NUMBER.tmp, as a program on this host would make it for x. */
static const char *temporary_of_x(int number)
{
    static char names[4][64], host[16];
    static int next;
    struct outfile f;
    if (!*host) {
        assert_int_equal(outfile_open(&f, in_folder("x")), 0);
        assert_int_equal(sscanf(f.temporary, "x.cll-%8[0-9a-f]-", host), 1);
        outfile_abandon(&f);
    }
    char *name = names[next++ % 4];
    snprintf(name, sizeof names[0], "x.cll-%s-1-%d.tmp", host, number);
    return name;
}

static void make_temporary(const char *name, const char *text)
{
    FILE *f = fopen(in_folder(name), "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Names that are similar, those of another host, and what is not a file of this user. */
static void only_own_temporary_files_are_removed(void **state)
{
    (void)state;
    char longer[80], other[80];
    snprintf(longer, sizeof longer, "%s.bak", temporary_of_x(0));
    snprintf(other, sizeof other, "x%s", temporary_of_x(0));
    const char *const names[] = {longer, other, "x.1.0.tmp", "x.cll-1-0.tmp",
                                 "x.cll-0123cdef-1-0.tmp"};
    enum { N = sizeof names / sizeof *names };
    for (size_t i = 0; i < N; i++)
        make_temporary(names[i], "");
    assert_int_equal(mkfifo(in_folder(temporary_of_x(1)), 0600), 0);
    assert_int_equal(symlink("x.1.0.tmp", in_folder(temporary_of_x(2))), 0);
    assert_int_equal(link(in_folder("x.1.0.tmp"), in_folder(temporary_of_x(3))), 0);
    make_temporary(temporary_of_x(4), "");
    bool given = geteuid() == 0 && chown(in_folder(temporary_of_x(4)), 1234, 1234) == 0;
    write_text(in_folder("x"), "new");
    assert_int_equal(files_in(folder), N + 3 + given + 1);
    for (size_t i = 0; i < N; i++)
        assert_int_equal(unlink(in_folder(names[i])), 0);
    for (int i = 1; i < 4 + given; i++)
        assert_int_equal(unlink(in_folder(temporary_of_x(i))), 0);
    unlink(in_folder("x"));
}

/* ---- what other programs do at the same time ---- */

static void (*at_lock)(int fd); /* what happens just before the next lock */
static bool has_locks = true;

/* Instead of that of the C library. */
int flock(int fd, int operation)
{
    void (*happens)(int) = at_lock;
    at_lock = NULL;
    if (happens)
        happens(fd);
    if (has_locks)
        return (int)syscall(SYS_flock, fd, operation);
    errno = ENOLCK;
    return -1;
}

static int other = -1; /* the descriptor of the other program */
static char contended[256];

static void other_takes_it_for_left(int fd)
{
    char link[64], path[512];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    assert_true(n > 0);
    path[n] = 0;
    snprintf(contended, sizeof contended, "%s", strrchr(path, '/') + 1);
    other = open(path, O_RDWR | O_CLOEXEC);
    assert_int_equal(flock(other, LOCK_EX | LOCK_NB), 0);
}

static void a_new_file_that_another_program_has_locked_is_not_used(void **state)
{
    (void)state;
    struct outfile f;
    at_lock = other_takes_it_for_left;
    assert_int_equal(outfile_open(&f, in_folder("x")), 0);
    assert_string_not_equal(f.temporary, contended);
    assert_int_equal(unlink(in_folder(contended)), 0); /* what the other one does then */
    close(other);
    fputs("text", f.stream);
    assert_int_equal(outfile_commit(&f), 0);
    assert_holds(in_folder("x"), "text");
    unlink(in_folder("x"));
}

/* Its writer has renamed it, and begins another one. */
static void other_writes_again(int fd)
{
    (void)fd;
    assert_int_equal(rename(in_folder(contended), in_folder("x")), 0);
    make_temporary(contended, "live");
}

static void a_file_that_took_the_name_of_another_one_is_not_removed(void **state)
{
    (void)state;
    snprintf(contended, sizeof contended, "%s", temporary_of_x(0));
    make_temporary(contended, "old");
    at_lock = other_writes_again;
    write_text(in_folder("x"), "new");
    assert_holds(in_folder(contended), "live");
    assert_holds(in_folder("x"), "new");
    unlink(in_folder(contended)), unlink(in_folder("x"));
}

static void nothing_is_removed_without_locks(void **state)
{
    (void)state;
    snprintf(contended, sizeof contended, "%s", temporary_of_x(0));
    make_temporary(contended, "live");
    has_locks = false;
    write_text(in_folder("x"), "new");
    has_locks = true;
    assert_holds(in_folder(contended), "live");
    assert_holds(in_folder("x"), "new");
    unlink(in_folder(contended)), unlink(in_folder("x"));
}

/* ---- what other users put there ---- */

enum { OTHER = 1234, USER = 1235 };

/* Puts something of another user into the folder `where`, and returns its path. */
static const char *put(const char *where, const char *name, const char *target, uid_t by)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", where, name);
    const char *whole = in_folder(path);
    unlink(whole);
    if (!target)
        assert_int_equal(mkfifo(whole, 0666), 0);
    else if (*target)
        assert_int_equal(symlink(target, whole), 0);
    else
        close(open(whole, O_CREAT | O_WRONLY, 0666));
    assert_int_equal(lchown(whole, by, by), 0);
    return whole;
}

static int error_of(const char *path)
{
    struct outfile f;
    if (outfile_open(&f, path))
        return errno;
    outfile_abandon(&f);
    return 0;
}

/* Each row: the folder, who put it there, what, and what writing to it says. */
static void check_rows(void)
{
    uid_t me = geteuid();
    const struct {
        const char *where;
        uid_t by;
        const char *name, *target, *write;
        int error;
    } rows[] = {
        {"shared", OTHER, "l", "../own/victim", "l", DESTINATION_LINK},
        {"shared", OTHER, "l", "../own/new", "l", DESTINATION_LINK}, /* nothing is there yet */
        {"shared", OTHER, "l", "../own", "l/victim", DESTINATION_LINK},
        {"shared", OTHER, "l", "/dev/null", "l", DESTINATION_LINK},
        {"shared", OTHER, "l", "/dev/stdout/x", "l", DESTINATION_LINK},
        {"shared", OTHER, "f", "", "f", DESTINATION_FILE},
        {"shared", OTHER, "p", NULL, "p", DESTINATION_FILE},
        {"shared", me, "l", "../own/victim", "l", 0},
        {"shared", me, "l", "../own", "l/victim", 0},
        {"shared", me, "l", "to-other", "l", DESTINATION_LINK}, /* by way of another one */
        {"shared", 0, "l", "../own/victim", "l", 0},
        {"group", OTHER, "l", "../own/victim", "l", DESTINATION_LINK},
        {"others", OTHER, "l", "../own/victim", "l", DESTINATION_LINK},
        {"own", OTHER, "l", "victim", "l", 0}, /* nobody else could put it there */
        {"own", me, "l", "/dev/null", "l", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[128];
        assert_int_equal(seteuid(0), 0);
        put("shared", "to-other", "../own/victim", OTHER);
        put(rows[i].where, rows[i].name, rows[i].target, rows[i].by);
        assert_int_equal(seteuid(me), 0);
        snprintf(path, sizeof path, "%s/%s", rows[i].where, rows[i].write);
        int error = error_of(in_folder(path));
        if (error != rows[i].error)
            fail_msg("row %zu as user %d: %s", i, (int)me, destination_error(error));
        if (error == DESTINATION_LINK) /* also if only the owner of the folder can write to it */
            assert_non_null(strstr(destination_error(error), "users other than you and root"));
        assert_int_equal(seteuid(0), 0);
        snprintf(path, sizeof path, "%s/%s", rows[i].where, rows[i].name);
        unlink(in_folder(path));
        unlink(in_folder("shared/to-other"));
        assert_int_equal(seteuid(me), 0);
    }
}

static void make_place(const char *name, mode_t mode, uid_t by)
{
    assert_int_equal(mkdir(in_folder(name), 0700), 0);
    assert_int_equal(chmod(in_folder(name), mode), 0);
    assert_int_equal(chown(in_folder(name), by, by), 0);
}

static void links_and_files_of_other_users_are_refused(void **state)
{
    (void)state;
    if (geteuid() != 0 || chown(folder, USER, USER) || seteuid(OTHER) || seteuid(0))
        skip();
    uid_t users[] = {0, USER};
    for (size_t i = 0; i < 2; i++) {
        make_place("shared", 01777, 0);
        make_place("group", 0775, users[i]);
        make_place("others", 0777 & ~022, OTHER);
        make_place("own", 0700, users[i]);
        put("own", "victim", "", users[i]);
        assert_int_equal(chown(folder, users[i], users[i]), 0);
        assert_int_equal(seteuid(users[i]), 0);
        check_rows();
        assert_int_equal(seteuid(0), 0);
        unlink(in_folder("own/victim"));
        assert_int_equal(rmdir(in_folder("shared")) | rmdir(in_folder("group")), 0);
        assert_int_equal(rmdir(in_folder("others")) | rmdir(in_folder("own")), 0);
    }
    assert_int_equal(chown(folder, 0, 0), 0);
}

static void descriptors_can_be_named(void **state)
{
    (void)state;
    int ends[2];
    char path[32], got[8] = "";
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[1]);
    write_text(path, "text");
    assert_int_equal(read(ends[0], got, sizeof got - 1), 4);
    assert_string_equal(got, "text");
    close(ends[0]), close(ends[1]);
}

/* Also if it is a file, of which nothing old stays. */
static void a_file_behind_a_descriptor_gets_new_content(void **state)
{
    (void)state;
    char path[32];
    struct stat before, after;
    write_text(in_folder("x"), "a longer text that was there");
    int fd = open(in_folder("x"), O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0 && fstat(fd, &before) == 0);
    snprintf(path, sizeof path, "/dev/fd/%d", fd);
    write_text(path, "new");
    assert_holds(in_folder("x"), "new");
    assert_true(stat(in_folder("x"), &after) == 0 && before.st_ino == after.st_ino);
    close(fd);
    unlink(in_folder("x"));
}

static void write_past_the_limit(void)
{
    struct rlimit limit = {4096, 4096};
    struct outfile f;
    output_setup();
    setrlimit(RLIMIT_FSIZE, &limit);
    if (outfile_open(&f, in_folder("limited")))
        _exit(1);
    for (int i = 0; i < 100000; i++)
        fputc('x', f.stream);
    _exit(outfile_commit(&f) == -1 && errno == EFBIG ? 0 : 2);
}

static void a_limit_of_the_file_size_is_an_error(void **state)
{
    (void)state;
    write_text(in_folder("limited"), "old");
    int status = in_child(write_past_the_limit);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_holds(in_folder("limited"), "old");
    unlink(in_folder("limited"));
}

static void write_to_own_output(void)
{
    struct outfile f;
    if (!freopen(in_folder("output"), "w", stdout))
        _exit(1);
    fputs("before ", stdout);
    if (outfile_open(&f, "/dev/stdout"))
        _exit(2);
    fputs("between ", f.stream);
    if (outfile_commit(&f))
        _exit(3);
    fputs("behind", stdout);
    fflush(stdout);
    _exit(0);
}

static void the_standard_output_is_continued(void **state)
{
    (void)state;
    int status = in_child(write_to_own_output);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_holds(in_folder("output"), "before between behind");
    unlink(in_folder("output"));
}

static void write_without_output(void)
{
    struct outfile f;
    close(STDIN_FILENO);
    close(STDOUT_FILENO);
    output_setup();
    if (outfile_open(&f, in_folder("closed")) || fileno(f.stream) <= STDERR_FILENO)
        _exit(1);
    fputs("text", stdout); /* must not get into the file */
    if (fflush(stdout) == 0 || outfile_commit(&f))
        _exit(2);
    if (!freopen("/dev/null", "w", stderr))
        _exit(3);
    _exit(output_finish("test") == -1 ? 0 : 4);
}

static void a_closed_output_is_an_error_and_no_file(void **state)
{
    (void)state;
    int status = in_child(write_without_output);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_holds(in_folder("closed"), "");
    unlink(in_folder("closed"));
}

static void temporary_files_are_made_in_tmpdir(void **state)
{
    (void)state;
    setenv("TMPDIR", in_folder("none"), 1);
    assert_null(outfile_temporary());
    assert_int_equal(errno, ENOENT);
    setenv("TMPDIR", folder, 1);
    FILE *f = outfile_temporary();
    assert_non_null(f);
    struct stat file, place;
    assert_int_equal(fstat(fileno(f), &file), 0);
    assert_int_equal(stat(folder, &place), 0);
    assert_true(file.st_dev == place.st_dev);
    assert_int_equal(file.st_nlink, 0);
    fclose(f);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_appears_only_when_committed),
        cmocka_unit_test(an_abandoned_file_leaves_the_old_one),
        cmocka_unit_test(a_full_disk_is_an_error),
        cmocka_unit_test(a_folder_that_is_missing_is_an_error),
        cmocka_unit_test(a_new_file_gets_what_the_umask_leaves),
        cmocka_unit_test(a_replaced_file_keeps_its_permissions),
        cmocka_unit_test(a_replaced_file_keeps_its_owner),
        cmocka_unit_test(a_file_that_may_not_be_written_is_not_replaced),
        cmocka_unit_test(a_link_stays_and_its_target_is_replaced),
        cmocka_unit_test(a_name_of_the_greatest_length_can_be_written),
        cmocka_unit_test(exit_and_signals_leave_no_temporary_file),
        cmocka_unit_test(what_a_killed_program_left_goes_with_the_next_one),
        cmocka_unit_test(only_own_temporary_files_are_removed),
        cmocka_unit_test(a_new_file_that_another_program_has_locked_is_not_used),
        cmocka_unit_test(a_file_that_took_the_name_of_another_one_is_not_removed),
        cmocka_unit_test(nothing_is_removed_without_locks),
        cmocka_unit_test(links_and_files_of_other_users_are_refused),
        cmocka_unit_test(descriptors_can_be_named),
        cmocka_unit_test(a_file_behind_a_descriptor_gets_new_content),
        cmocka_unit_test(a_limit_of_the_file_size_is_an_error),
        cmocka_unit_test(the_standard_output_is_continued),
        cmocka_unit_test(a_closed_output_is_an_error_and_no_file),
        cmocka_unit_test(temporary_files_are_made_in_tmpdir),
    };
    return RUN_WITH(tests, make_folder, remove_folder);
}
